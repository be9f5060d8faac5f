//! No file of tests is left out: Rust says nothing of a file that no target and no module names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files of Rust below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "rs" => found.push(path),
                _ => {}
            }
        }
    }
    found
}

/// The files that are compiled for a package: those that the manifest or a path in the library names, and where the manifest does not say
/// otherwise, what Cargo finds.
fn targets(package: &Path) -> Vec<PathBuf> {
    let manifest = std::fs::read_to_string(package.join("Cargo.toml")).unwrap();
    let paths = manifest.lines().filter_map(|line| line.strip_prefix("path = \"")?.strip_suffix('"'));
    let mut found: Vec<_> = paths.map(|path| package.join(path).canonicalize().unwrap()).collect();
    for file in files(&package.join("src")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let paths = text.lines().filter_map(|line| line.strip_prefix("#[path = \"")?.strip_suffix("\"]"));
        found.extend(paths.map(|path| file.parent().unwrap().join(path).canonicalize().unwrap()));
    }
    if !manifest.contains("\nautotests = false\n") {
        let tests = package.join("tests");
        let is_found = |file: &PathBuf| {
            let folder = file.parent().unwrap();
            folder == tests || file.ends_with("main.rs") && folder.parent() == Some(&tests)
        };
        found.extend(files(&tests).into_iter().filter(is_found));
    }
    found
}

/// Whether this file is a target, or a module that a file names which is compiled.
fn is_compiled(file: &Path, targets: &BTreeSet<PathBuf>) -> bool {
    let own = match file.ends_with("mod.rs") {
        true => file.parent().unwrap().to_owned(),
        false => file.with_extension(""),
    };
    let (folder, name) = (own.parent().unwrap(), own.file_name().unwrap().to_str().unwrap());
    let by = [folder.join("main.rs"), folder.join("mod.rs"), folder.with_extension("rs")];
    let names = |by: &PathBuf| {
        let text = std::fs::read_to_string(by).unwrap_or_default();
        text.lines().any(|line| line.trim_start_matches("pub ") == format!("mod {name};"))
    };
    targets.contains(file) || by.iter().any(|by| names(by) && is_compiled(by, targets))
}

#[test]
fn every_file_of_tests_is_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let members = std::fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let packages: Vec<_> = members.filter(|folder| folder.join("Cargo.toml").exists()).collect();
    let targets = packages.iter().chain([&root.join("fuzz")]).flat_map(|package| targets(package)).collect();
    let files = packages.iter().flat_map(|package| files(&package.join("tests")));
    let has_tests = |file: &PathBuf| {
        std::fs::read_to_string(file).unwrap().lines().any(|line| line.trim_start() == "#[test]")
    };
    let (compiled, lost): (Vec<_>, Vec<_>) =
        files.filter(has_tests).partition(|file| is_compiled(file, &targets));
    assert!(lost.is_empty() && compiled.len() > 100, "lost: {lost:?}, of {}", compiled.len());
}

//! Every picture of a page of the documentation is what its command there draws.
//!
//! `GALLERY=overwrite cargo test -p tilework-cli --test main gallery` draws them anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The words of a command line of the gallery; a quotation mark is always `'`.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(at, part)| match at % 2 {
            1 => vec![part.to_string()],
            _ => part.split_whitespace().map(String::from).collect(),
        })
        .collect()
}

/// The files of a folder whose names end so.
fn files(folder: &Path, end: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").file_name());
    entries.map(|name| name.to_string_lossy().into_owned()).filter(|name| name.ends_with(end)).collect()
}

/// Draws all pictures of the pages of a folder, which are beside them.
fn check(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(folder);
    let overwrite = env::var_os("GALLERY").is_some_and(|value| value == "overwrite");
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let mut drawn = BTreeSet::new();
    for page in files(&folder, ".md") {
        let text = fs::read_to_string(folder.join(&page)).expect("the page");
        for line in text.lines().filter(|line| line.starts_with("tilework ") && line.contains(" -o ")) {
            let words = words(line);
            let name = words.last().expect("a file");
            let output = Command::new(env!("CARGO_BIN_EXE_tilework"))
                .current_dir(&target)
                .args(&words[1..])
                .output()
                .expect("the program runs");
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
            let picture = fs::read_to_string(target.join(name)).expect("the picture");
            if overwrite {
                fs::write(folder.join(name), &picture).expect("the picture is written");
            }
            let expected = fs::read_to_string(folder.join(name)).unwrap_or_default().replace("\r\n", "\n");
            assert!(
                expected == picture,
                "{page}: {name} is another; GALLERY=overwrite draws it anew, to be looked at"
            );
            assert!(text.contains(&format!("]({name})")), "{page}: {name} is not shown");
            assert!(drawn.insert(name.clone()), "{page}: {name} is drawn twice");
        }
    }
    assert_eq!(files(&folder, ".svg"), drawn);
}

#[test]
fn the_gallery() {
    check("gallery");
}

#[test]
fn a_complete_gemm() {
    check("hardware");
}

#[test]
fn from_a_kernel() {
    check("kernel");
}

#[test]
fn the_paper() {
    check("paper");
}

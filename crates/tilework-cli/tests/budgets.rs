//! What keeps the workspace small: code lines a crate, users of a crate, and commands of the program. More is a change of
//! this file, which says what goes instead.

use crate::listed;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Code lines of each crate: at most how many there are, and how many there are to be where that is fewer. The commit that raises one
/// says for what.
const BUDGETS: &[(&str, usize, usize)] = &[
    ("tilework", 17_746, 16_250),
    ("tilework-symbolic", 7_600, 6_440),
    ("tilework-expr", 14_426, 10_380),
    ("tilework-python", 9_547, 8_000),
    ("tilework-kernels", 12_791, 9_800),
    ("tilework-program", 10_284, 8_365),
    ("tilework-hardware", 5_784, 5_500),
    ("tilework-sharding", 4_744, 4_500),
    ("tilework-formats", 2_954, 2_500),
    ("tilework-cli", 4_753, 4_170),
    ("tilework-c", 415, 415),
    ("tilework-draw", 2_956, 2_850),
    ("tilework-web", 1_455, 1_455),
    ("testkit", 250, 250),
];

/// Crates that are for programs outside of this workspace: authors of kernels depend on them as they are.
const LIBRARIES: &[&str] = &["tilework-program"];

/// With `explore`, which not every build has.
const COMMANDS: usize = 21;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The folders of all crates by their names.
fn members() -> BTreeMap<String, PathBuf> {
    let folders = std::fs::read_dir(crates()).unwrap().map(|entry| entry.unwrap().path());
    let folders = folders.filter(|folder| folder.join("Cargo.toml").exists());
    folders.map(|folder| (folder.file_name().unwrap().to_str().unwrap().to_owned(), folder)).collect()
}

/// The files below a folder whose names end in `.extension`, without those of tests and the tutorial.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let stem = path.file_stem().unwrap().to_str().unwrap();
        if stem == "tests"
            || stem == "tutorial" && path.is_dir()
            || stem.ends_with("_test")
            || stem.ends_with("_tests")
        {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
    found
}

/// The text without what stands between each `begin` and the next `end`.
fn without(text: &str, begin: &str, end: &str) -> String {
    let (mut left, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(begin)
        && let Some((_, after)) = after.split_once(end)
    {
        left.push_str(before);
        rest = after;
    }
    left + rest
}

/// Lines that are neither blank nor a comment, nor an item that is compiled for tests alone.
fn rust_lines(text: &str) -> usize {
    let text = without(text, "/*", "*/");
    let mut lines = text.lines().map(str::trim_start);
    let mut count = 0;
    while let Some(line) = lines.next() {
        if line.starts_with("#[cfg(test") || line.starts_with("#[cfg(all(test") {
            let mut item = lines.by_ref().skip_while(|line| line.starts_with("#["));
            let mut depth = 0;
            let mut next = item.next();
            while let Some(line) = next {
                depth += line.matches('{').count() as isize - line.matches('}').count() as isize;
                if depth <= 0 {
                    break;
                }
                next = item.next();
            }
        } else if !line.is_empty() && !line.starts_with("//") {
            count += 1;
        }
    }
    count
}

fn python_lines(text: &str) -> usize {
    let text = without(&without(text, "\"\"\"", "\"\"\""), "'''", "'''");
    text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with('#')).count()
}

fn code_lines(folder: &Path) -> usize {
    let sum = |files: Vec<PathBuf>, lines: fn(&str) -> usize| -> usize {
        files.iter().map(|file| lines(&std::fs::read_to_string(file).unwrap())).sum()
    };
    let python = folder.join("python");
    let python = if python.exists() { files(&python, "py") } else { Vec::new() };
    sum(files(&folder.join("src"), "rs"), rust_lines) + sum(python, python_lines)
}

#[test]
fn no_crate_is_larger_than_its_budget() {
    let members = members();
    let mut wrong = Vec::new();
    for (name, folder) in &members {
        let lines = code_lines(folder);
        println!("{name}: {lines}");
        match BUDGETS.iter().find(|(crate_, ..)| crate_ == name) {
            None => wrong.push(format!("{name} has no budget")),
            Some((_, most, target)) if lines > *most => {
                wrong.push(format!("{name}: {lines} code lines, at most {most} by BUDGETS in tests/budgets.rs, to become {target}; a commit that raises it says for what"))
            }
            Some((_, most, target)) if target > most => {
                wrong.push(format!("{name}: {target} is above {most}"))
            }
            Some(_) => {}
        }
    }
    assert!(BUDGETS.iter().all(|(name, ..)| members.contains_key(*name)), "a budget of a crate that is gone");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_counts_as_a_code_line() {
    let text = "//! Head.\n\n/* a\nb */ fn f() {} // end\n#[cfg(test)]\nmod tests;\nfn g() {\n    // why\n}\n\
                #[cfg(test)]\n#[allow(x)]\nmod t {\n    fn h() {}\n}\nconst A: u8 = 0;\n";
    assert_eq!(rust_lines(text), 4);
    assert_eq!(
        python_lines(
            "\"\"\"Head.\n\nMore.\"\"\"\n\n# why\nx = 1\ndef f():\n    \"\"\"What.\"\"\"\n    return x\n"
        ),
        3
    );
}

/// What others copy, or write anew for their implementation, is as small as its page says.
#[test]
fn what_others_copy_is_small() {
    let root = crates().parent().unwrap().to_owned();
    let text = |file: &Path| std::fs::read_to_string(file).unwrap();
    assert!(python_lines(&text(&root.join("vendor/tilework_layout.py"))) <= 600, "more than 600 code lines");
    let adapters = files(&root.join("conformance/conformance/adapters"), "py");
    assert!(adapters.len() > 10);
    for adapter in &adapters {
        assert!(text(adapter).lines().count() <= 60, "{} has more than 60 lines", adapter.display());
    }
}

/// A crate that one other uses is a module of it.
#[test]
fn no_crate_has_one_user() {
    let members = members();
    let manifest = |folder: &PathBuf| std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let manifests: Vec<(&String, String)> =
        members.iter().map(|(name, folder)| (name, manifest(folder))).collect();
    for name in members.keys().filter(|name| !LIBRARIES.contains(&name.as_str())) {
        let uses = |text: &String| {
            let names = text.lines().filter_map(|line| line.split([' ', '.', '=']).next());
            names.skip(1).any(|used| used == name)
        };
        let users: Vec<_> = manifests.iter().filter(|(user, text)| *user != name && uses(text)).collect();
        assert!(users.len() != 1, "{name} is used by {} alone: it is a module of it", users[0].0);
    }
}

#[test]
fn no_more_commands() {
    let names = listed::commands();
    let hidden = usize::from(!cfg!(feature = "page"));
    assert!(names.len() > 10 && names.len() + hidden <= COMMANDS, "{names:?}: at most {COMMANDS}");
}

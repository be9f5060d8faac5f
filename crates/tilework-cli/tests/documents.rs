//! Numbers, lists and commands in the documents are what there is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use tilework::{Layout, MAX_LEAVES};
use tilework_expr::Form;
use tilework_hardware::atom::{Atom, atoms};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: impl AsRef<Path>) -> String {
    let path = root().join(file);
    std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .replace("\r\n", "\n")
}

/// A text with one space for all that is white, as a reader has it.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn numbers_are_what_there_is() {
    let manifest = read("Cargo.toml");
    let rust = manifest.split_once("rust-version = \"").unwrap().1.split('"').next().unwrap();
    let pyproject = read("crates/tilework-python/pyproject.toml");
    let python = pyproject.split_once("requires-python = \">=").unwrap().1.split('"').next().unwrap();
    let chapters = std::fs::read_dir(root().join("crates/tilework/src/tutorial")).unwrap();
    let chapters = chapters
        .filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().starts_with("chapter"))
        .count();
    let chapters = ["eight", "nine", "ten", "eleven", "twelve"][chapters - 8];
    let corpus = |folder: &str| {
        let files = std::fs::read_dir(root().join(folder)).unwrap();
        files
            .filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|end| end == "jsonl"))
            .count()
    };
    let corpus = ["four", "five", "six", "seven"][corpus("corpus") + corpus("corpus/language") - 4];
    let copies = atoms().filter(|atom| matches!(atom, Atom::Copy(_))).count();
    let multiplies = atoms().count() - copies;
    let pinned = |file: &str, package: &str| {
        let step = read(file);
        step.split_once(&format!("{package}=="))
            .unwrap()
            .1
            .split_whitespace()
            .next()
            .unwrap()
            .trim_end_matches(".0")
            .to_owned()
    };
    for (file, text) in [
        ("README.md", format!("[Rust](https://rustup.rs) {rust} or later")),
        ("CONTRIBUTING.md", format!("Rust {rust} or later")),
        ("CONTRIBUTING.md", format!("Python {python} or later")),
        ("crates/tilework-python/README.md", format!("Python {python} or later")),
        ("crates/tilework-python/README.md", format!("all CPython from {python} on")),
        ("README.md", format!("at most {MAX_LEAVES} leaves")),
        ("crates/tilework/src/lib.rs", format!("**The capacity** is {MAX_LEAVES} leaves")),
        ("crates/tilework/src/lib.rs", format!("A layout is {} bytes", size_of::<Layout>())),
        ("CONTRIBUTING.md", format!("The corpus has {corpus} files")),
        ("CHANGELOG.md", format!("A tutorial in {chapters} chapters")),
        ("crates/tilework/README.md", format!("in {chapters} short chapters")),
        ("COMPARE.md", format!("{multiplies} MMA, {copies} copy")),
        ("COMPARE.md", format!("**tensor-layouts** ({}", pinned(".ci/hardware", "tensor-layouts"))),
        ("COMPARE.md", format!("within CUTLASS ({}.0)", pinned(".ci/python", "nvidia-cutlass"))),
    ] {
        assert!(flowing(&read(file)).contains(&text), "{file} does not say: {text}");
    }
}

#[test]
fn lists_are_whole() {
    let readme = read("README.md");
    let forms = Form::ALL.map(|form| format!("`{}`", form.name())).join(", ").replacen('`', "`--as ", 1);
    assert!(flowing(&readme).contains(&forms), "{forms}");
    let forms = Form::ALL
        .map(|form| format!("`\"{}\"`", form.name()))
        .join(", ")
        .replacen("`\"", "`layout.to(\"", 1)
        .replacen("\"`", "\")`", 1);
    assert!(read("crates/tilework-python/README.md").contains(&forms), "{forms}");
    let crates = |text: &str| -> BTreeSet<String> {
        let names = text.match_indices("crates/").map(|(at, _)| {
            text[at + 7..].split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap().to_owned()
        });
        names.filter(|name| !name.is_empty()).collect()
    };
    let members = read("Cargo.toml").lines().find(|line| line.starts_with("members")).map(crates).unwrap();
    assert_eq!(crates(readme.split_once("| crate | |").unwrap().1), members);
    let help = Command::new(env!("CARGO_BIN_EXE_tilework")).arg("help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = "eval show explain functions copy gemm contract atoms banks sectors swizzle operand cover vector kernel completions";
    for command in commands.split(' ') {
        assert!(
            read("CHANGELOG.md").contains(&format!("`{command}"))
                || read("CHANGELOG.md").contains(&format!("`tilework {command}")),
            "{command}"
        );
        assert!(help.lines().any(|line| line.trim_start().starts_with(&format!("{command} "))), "{command}");
    }
}

/// The table of README is of the composition's rows in that of COMPARE, which a script prints.
#[test]
fn readme_and_compare_agree_on_who_is_right() {
    let compare = read("COMPARE.md");
    let row = |start: &str| -> Vec<String> {
        let mut lines = compare.lines().filter(|line| line.starts_with(start));
        let line = lines.next_back().unwrap_or_else(|| panic!("{start}"));
        line.trim_matches('|').split('|').skip(1).map(|cell| cell.trim().replace("**", "")).collect()
    };
    let columns = row("| 20,000 pairs, seed");
    let [all, none] = ["composition, all |", "composition, B inside A, none exists |"]
        .map(|name| row(&format!("| {name}")));
    let readme = read("README.md");
    let rows = readme
        .split_once("silently wrong |")
        .unwrap()
        .1
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let mut compared = 0;
    for line in rows {
        let cells: Vec<String> = line
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.replace("**", "").replace(" %", "").trim().to_owned())
            .collect();
        let at = columns.iter().position(|name| *name == cells[0]).unwrap_or_else(|| panic!("{}", cells[0]));
        assert_eq!(cells[1..4].join(" / "), all[at], "{line}");
        assert_eq!(cells[4], none[at].rsplit(" / ").next().unwrap(), "{line}");
        compared += 1;
    }
    assert_eq!(compared, 5);
}

/// The lines of the fences of a language.
fn fenced(text: &str, language: &str) -> Vec<String> {
    let fences = text.split("```").skip(1).step_by(2);
    fences
        .filter_map(|fence| fence.strip_prefix(language))
        .flat_map(|fence| fence.lines().map(str::to_owned))
        .collect()
}

/// What README shows as `sh`, without its output, ends well; what runs kernels is planned.
#[test]
fn commands_of_the_pages_run() {
    let folder = std::env::temp_dir().join(format!("tilework-pages-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut lines = fenced(&read("README.md"), "sh\n");
    lines.extend(
        fenced(&read("crates/tilework-cli/README.md"), "console\n")
            .iter()
            .filter_map(|line| line.strip_prefix("$ ").map(str::to_owned)),
    );
    let mut ran = 0;
    for line in lines.iter().filter(|line| line.starts_with("tilework ") && !line.contains(" > ")) {
        let mut arguments: Vec<&str> = Vec::new();
        for (at, part) in line.split('\'').enumerate() {
            if at % 2 == 1 { arguments.push(part) } else { arguments.extend(part.split_whitespace()) }
        }
        match arguments[1] {
            // Only with the page.
            "explore" => continue,
            "copy" | "gemm" | "contract" => arguments.push("--plan"),
            _ => {}
        }
        let output = Command::new(env!("CARGO_BIN_EXE_tilework"))
            .args(&arguments[1..])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        ran += 1;
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(ran >= 7, "{ran} commands");
}

#[test]
fn the_core_needs_nothing() {
    let manifest = read("crates/tilework/Cargo.toml");
    let dependencies =
        manifest.split_once("\n[dependencies]\n").map_or("", |(_, rest)| rest.split("\n[").next().unwrap());
    let needed: Vec<&str> =
        dependencies.lines().filter(|line| !line.is_empty() && !line.contains("optional = true")).collect();
    assert_eq!(needed, [""; 0]);
    assert!(!manifest.contains("\ndefault = "));
    let library = read("crates/tilework/src/lib.rs");
    assert!(library.contains("\n#![no_std]\n") && library.contains("#![forbid(unsafe_code)]"));
}

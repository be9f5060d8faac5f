//! What has no layout does not compile, and the compiler says what the run-time error says.
//!
//! Each program in `compile_errors/` fails with the output beside it, which was written by Rust 1.95 with
//! `COMPILE_ERRORS=overwrite cargo test -p tilework --test main compile_errors`. Compilers word the frame around the message
//! differently; the message itself is checked against the run-time error, whatever the compiler.

use crate::rustc::{Compiler, run, rustc};
use std::path::{Path, PathBuf};
use tilework::{Error, Layout, Tiler};

/// The release of the compiler whose output is pinned.
const PINNED: &str = "rustc 1.95.";

fn layout(text: &str) -> Layout {
    text.parse().unwrap()
}

fn tiler(text: &str) -> Tiler {
    text.parse().unwrap()
}

/// The programs, each with the error that the same operation gives at run time.
fn programs() -> Vec<(&'static str, Error)> {
    let without = layout("(4,6,8):(2,3,5)").composition(&layout("6:1")).unwrap_err();
    let large = layout("4294967296:1");
    let parse = |text: &str| text.parse::<Layout>().unwrap_err();
    vec![
        ("composition_without_layout", without),
        ("composition_in_a_constant", without),
        ("composition_in_a_generic_constant", without),
        ("composition_that_carries", layout("(6,2):(1,7)").composition(&layout("(3,2):(2,3)")).unwrap_err()),
        ("complement_that_overlaps", layout("(2,2):(2,3)").complement().unwrap_err()),
        ("divide_by_an_overlapping_tile", layout("24:1").logical_divide(&tiler("(2,2):(2,3)")).unwrap_err()),
        ("divide_that_carries", layout("(4,6):(8,1)").zipped_divide(&tiler("3")).unwrap_err()),
        ("divide_by_too_many_tiles", layout("(8,16):(16,1)").tiled_divide(&tiler("<2,2,2>")).unwrap_err()),
        ("product_that_overflows", large.logical_product(&large.as_tiler()).unwrap_err()),
        ("inverse_of_a_broadcast", layout("(4,2):(1,0)").inverse().unwrap_err()),
        ("malformed_notation", parse("(4,,8):(1,4,8)")),
        ("malformed_layout", parse("(4,8):(1,x)")),
        ("incongruent", parse("(4,8):(1,4,5)")),
        ("extent_of_zero", parse("(4,0):(1,4)")),
        ("size_of_2_to_the_63", parse("(2147483648,4294967296):(1,0)")),
        ("mixed_codomains", parse("(4,8):(1,1@0)")),
        ("cosize_of_coordinates", layout("(4,8):(1@0,1@1)").cosize().unwrap_err()),
    ]
}

/// Programs that break the macro's own grammar or the bound of a type, where nothing fails at run time.
const GRAMMAR: [&str; 3] = ["missing_semicolon", "text_as_layout", "unsigned_coordinate"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compile_errors")
}

/// Its lines without what changes with the library and not with the message: where the library lies, the numbers and so the
/// indentation of its lines, how many types implement a trait, and how the compiler takes leave.
fn normal(output: &str) -> String {
    let folder = env!("CARGO_MANIFEST_DIR").replace('\\', "/") + "/";
    let (mut normal, mut of_library) = (String::new(), false);
    for line in output.lines().map(str::trim) {
        let mut line = line.to_owned();
        if line.starts_with("-->") || line.starts_with(":::") {
            line = line.replace('\\', "/").replace(&folder, "");
            of_library = line[3..].trim_start().starts_with("src/");
            if of_library {
                line.truncate(line.find(".rs").unwrap() + 3);
            }
        } else if of_library {
            line = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ').to_owned();
        }
        if line.starts_with("and ") && line.ends_with(" others") {
            line = "and $N others".to_owned();
        }
        let leave = ["error: aborting due to", "For more information about this error"];
        if !line.is_empty() && !leave.iter().any(|words| line.starts_with(words)) {
            normal += &line;
            normal.push('\n');
        }
    }
    normal
}

#[test]
fn programs_fail_with_the_pinned_output() {
    let version = run(rustc().arg("--version"));
    if !version.starts_with(PINNED) {
        // The doc tests of `static_layout` show on every compiler that such programs do not compile.
        eprintln!("the pinned output is that of {PINNED}, not of {version}");
        return;
    }
    let compiler = Compiler::new("compile_errors", &["-Cdebuginfo=0"]);
    let mut wrong = Vec::new();
    for name in names() {
        let program = Path::new("tests/compile_errors").join(&name).with_extension("rs");
        let made = compiler.folder.join(&name);
        let output =
            compiler.program().arg("--emit=metadata").arg("-o").arg(made).arg(&program).output().unwrap();
        let (pinned, found) = (
            folder().join(&name).with_extension("stderr"),
            normal(&String::from_utf8(output.stderr).unwrap()),
        );
        assert!(!output.status.success(), "{name} compiles");
        if std::env::var("COMPILE_ERRORS").is_ok_and(|what| what == "overwrite") {
            std::fs::write(&pinned, &found).unwrap();
        }
        if normal(&std::fs::read_to_string(&pinned).unwrap()) != found {
            wrong.push(format!("{name} fails with\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_compiler_says_what_the_run_time_error_says() {
    for (name, error) in programs() {
        let output = std::fs::read_to_string(folder().join(name).with_extension("stderr")).unwrap();
        let message = error.message();
        assert!(output.contains(message.as_str()), "{name}: {message:?} is not in:\n{output}");
    }
}

/// The programs of the folder.
fn names() -> Vec<String> {
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    found.sort();
    found
}

#[test]
fn every_program_is_in_the_table() {
    let mut expected: Vec<&str> = programs().iter().map(|&(name, _)| name).chain(GRAMMAR).collect();
    expected.sort();
    assert_eq!(names(), expected);
}

//! What the help shows: its examples run, and the page of the language has expressions with values.
#![cfg(unix)]

use crate::listed;
use std::process::{Command, Output};
use tilework_expr::Session;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tilework");

fn tilework(arguments: &[&str]) -> String {
    let Output { stdout, status, .. } = Command::new(PROGRAM).args(arguments).output().unwrap();
    assert!(status.success(), "{arguments:?}");
    String::from_utf8(stdout).unwrap()
}

#[test]
fn the_examples_of_each_command_succeed() {
    let folder = std::env::temp_dir().join(format!("tilework-help-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy("tests/cmd/kernel.in/transpose.tw", folder.join("transpose.tw")).unwrap();
    let mut tried = 0;
    for name in listed::commands() {
        let own = tilework(&[&name, "--help"]);
        let (_, examples) = own.split_once("Examples:\n").unwrap_or_else(|| panic!("{name} has no examples"));
        assert!(own.contains("Exit status: 0, 1 if "), "{name}");
        let examples: Vec<&str> =
            examples.lines().map_while(|line| line.strip_prefix("  tilework ")).collect();
        assert!(examples.len() >= 2, "{name}");
        // It serves until it is stopped.
        for example in examples.iter().filter(|_| name != "explore") {
            let output = Command::new("sh")
                .arg("-c")
                .arg(format!("'{PROGRAM}' {example}"))
                .current_dir(&folder)
                .output()
                .unwrap();
            // No is an answer too.
            let answered =
                output.status.success() || output.status.code() == Some(1) && !output.stdout.is_empty();
            assert!(answered, "tilework {example}: {output:?}");
            tried += 1;
        }
    }
    assert!(tried > 30);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_expression_of_the_language_has_a_value() {
    let page = tilework(&["help", "language"]);
    let expressions = page.lines().filter_map(|line| line.strip_prefix("  ")).map(|line| line[..36].trim());
    assert!(expressions.clone().count() > 20);
    for expression in expressions {
        Session::new().evaluate(expression).unwrap_or_else(|error| panic!("{expression}: {error}"));
    }
}

#[test]
fn an_expression_alone_is_evaluated() {
    assert_eq!(tilework(&["(4,8):(8,1) o 4:1"]), tilework(&["eval", "(4,8):(8,1) o 4:1"]));
    assert_eq!(
        tilework(&["--color", "never", "4:1", "8:2", "--json"]),
        tilework(&["eval", "4:1", "8:2", "--json"])
    );
    let Output { stderr, status, .. } = Command::new(PROGRAM).arg("evla").output().unwrap();
    assert_eq!(status.code(), Some(2));
    assert!(String::from_utf8(stderr).unwrap().contains("'eval'"));
}

#[test]
fn a_file_is_answered_line_by_line() {
    let file = std::env::temp_dir().join(format!("tilework-{}.txt", std::process::id()));
    std::fs::write(&file, "let A = (4,8):(8,1)\n\nA o 4:1\n").unwrap();
    assert_eq!(tilework(&["eval", file.to_str().unwrap()]), "(4,8):(8,1)\n\n4:8\n");
    std::fs::remove_file(&file).unwrap();
}

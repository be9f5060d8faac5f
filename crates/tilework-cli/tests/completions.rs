//! What a shell completes.

use std::process::Command;
use tilework_expr::FUNCTIONS;

#[test]
fn a_shell_knows_the_functions() {
    // clap_complete writes the values of a positional argument for these two.
    for shell in ["bash", "zsh"] {
        let done =
            Command::new(env!("CARGO_BIN_EXE_tilework")).args(["completions", shell]).output().unwrap();
        let text = String::from_utf8(done.stdout).unwrap();
        for function in FUNCTIONS {
            assert!(text.contains(function.name()), "{shell}: {}", function.name());
        }
    }
}

#[test]
fn the_explorer_is_listed_where_it_is_in_the_program() {
    for arguments in [&["--help"] as &[_], &["--man"], &["completions", "bash"], &["completions", "fish"]] {
        let done = Command::new(env!("CARGO_BIN_EXE_tilework")).args(arguments).output().unwrap();
        let listed = String::from_utf8(done.stdout).unwrap().contains("explore");
        assert_eq!(listed, cfg!(feature = "page"), "{arguments:?}");
    }
}

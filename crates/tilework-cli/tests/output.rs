//! What is written to the standard output and the standard error.

/// Results and errors of several expressions come in the order of the expressions where both go to one place.
#[cfg(unix)]
#[test]
fn results_and_errors_keep_their_order() {
    use std::process::Command;
    let script = "\"$0\" eval '1:1' 'a' '2:1' 'b' '3:1' 2>&1 | grep -oE '^[123]:1|`[ab]`'";
    let output =
        Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_tilework")]).output().expect("sh runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut seen: Vec<&str> = text.lines().collect();
    seen.dedup();
    assert_eq!(seen, ["1:1", "`a`", "2:1", "`b`", "3:1"]);
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    use std::fs::File;
    use std::process::Command;
    for arguments in [&["--help"][..], &["--version"], &["eval", "--help"], &["eval", "4:1"], &["man"]] {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let output =
            Command::new(env!("CARGO_BIN_EXE_tilework")).args(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.starts_with("tilework: No space left on device"), "{arguments:?}: {said}");
    }
}

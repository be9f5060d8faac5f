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

/// A terminal obeys the control characters of a log, which are escaped in text and in JSON.
#[test]
fn labels_are_printed_without_control_characters() {
    let controls = ('\0'..='\u{9f}').filter(|letter| letter.is_control() && !matches!(letter, '\n' | '\r'));
    let labels: Vec<String> = controls.map(|letter| format!("a{letter}b")).collect();
    let text: String = labels.iter().map(|label| format!("{label}: (4,8):(8,1)\n")).collect();
    let file = std::env::temp_dir().join(format!("tilework-labels-{}.log", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let scan = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilework"));
        let output = command.args(["eval", "--scan"]).arg(&file).args(more).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (plain, json) = (scan(&[]), scan(&["--json"]));
    std::fs::remove_file(&file).unwrap();
    let columns: Vec<Vec<&str>> = plain.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(columns.len(), labels.len());
    for (columns, label) in columns.iter().zip(&labels) {
        let escaped = format!("a\\u{{{:x}}}b", label.chars().nth(1).map_or(0, u32::from));
        assert_eq!(columns[1..], [&escaped, "(4,8):(8,1)"], "{label:?}");
    }
    for (line, label) in json.lines().zip(&labels) {
        assert!(!line.chars().any(char::is_control), "{line:?}");
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(found["label"], **label);
    }
}

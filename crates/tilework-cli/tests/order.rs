//! Results and errors of several expressions come in the order of the expressions where both go to one place.

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

//! The commands that the help lists, in all groups.

use std::process::Command;

/// Their names.
pub fn commands() -> Vec<String> {
    let help = Command::new(env!("CARGO_BIN_EXE_tilework")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (listed, _) = help.split_once("\nOptions:\n").expect("options behind the commands");
    let listed =
        listed.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    listed.filter_map(|line| line.split_whitespace().next()).map(String::from).collect()
}

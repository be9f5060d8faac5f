//! The program as it is used: each file in `cmd` holds commands with their output and exit status.
//!
//! `TRYCMD=overwrite cargo test -p tilework-cli` writes the outputs anew.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.md").case("tests/cmd/*.toml");
}

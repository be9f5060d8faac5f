//! The program as it is used: each file in `cmd`, README, and the pages of `docs` hold commands with their output and exit status.
//!
//! `TRYCMD=overwrite cargo test -p tilework-cli` writes the outputs anew.

#[test]
fn commands() {
    // Whatever terminal the test runs on.
    let cases = trycmd::TestCases::new();
    cases
        .env("COLORTERM", "truecolor")
        .case("tests/cmd/*.md")
        .case("tests/cmd/*.toml")
        .case("../../README.md")
        .case("../../docs/formats/*.md")
        .case("../../docs/formats/pitfalls/*.md")
        .case("../../docs/hardware/*.md")
        .case("../../docs/kernel/*.md")
        .case("../../docs/paper/*.md")
        .case("../../docs/sharding/*.md")
        .case("../../docs/symbolic/*.md");
}

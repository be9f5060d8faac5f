//! A line of the standard input has a line of the standard output, whatever is in it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// `eval -` has one line for each, whatever is in it.
#[test]
fn a_line_for_each_line() {
    let lines: [&[u8]; 12] = [
        b"(4,8):(8,1)\r",
        b"",
        b"# a comment",
        b"let A = 4:1",
        b"A o 2",
        b"4:1; 8:1",
        b"(4,8):(8,1",
        b"\xff\xfe",
        b"a\0b",
        "\u{feff}4:1 ∘ 2:1".as_bytes(),
        b"((((",
        b"image((64,64))",
    ];
    for more in [&[][..], &["--json"], &["--as", "cpp"]] {
        let output = answers(&[&["eval", "-"], more].concat(), &lines.join(&b'\n')).stdout;
        let output = String::from_utf8(output).unwrap();
        assert_eq!(output.lines().count(), lines.len(), "{more:?}\n{output}");
        assert!(more.contains(&"--as") || output.lines().nth(9).unwrap().contains("2:1"), "{output}");
    }
}

/// The value of each statement, and source text as a whole, also in JSON; an instruction can be read again.
#[test]
fn each_statement_has_its_value() {
    let lines = b"let A = 4:1; A; size(A)\nemit (4,8):(8,1)(i, j) as c 64\nSM61_DP4A{}\n";
    let of =
        |more: &[&str]| String::from_utf8(answers(&[&["eval", "-"], more].concat(), lines).stdout).unwrap();
    let (plain, json) = (of(&[]), of(&["--json"]));
    assert!(plain.starts_with("4:1; 4\n") && plain.contains("return i*8 + j;"), "{plain}");
    assert!(plain.ends_with("\natom(SM61_DP4A)\n"), "{plain}");
    let lines: Vec<&str> = json.lines().collect();
    assert!(lines[0].contains(r#""result":"4:1\n4""#) && lines[1].contains("uint64_t offset("), "{json}");
    assert!(lines[2].contains(r#""result":"atom(SM61_DP4A)""#) && lines.len() == 3, "{json}");
}

/// Also without a command, where a line may be something else than text.
#[test]
fn a_line_that_is_no_text_is_an_error_and_the_next_has_its_answer() {
    let output = answers(&[], b"let A = 4:1\n\xff\xfe\n\xef\xbb\xbfA\n");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "A = 4:1\n4:1\n");
    assert!(String::from_utf8(output.stderr).unwrap().contains("the line is not UTF-8"));
    assert_eq!(output.status.code(), Some(1));
}

/// A file that is no text is one error, not one for each of its lines.
#[test]
fn a_file_that_is_no_text_is_refused_in_one_line() {
    let own = env!("CARGO_BIN_EXE_tilework");
    for arguments in [&["eval", own][..], &["kernel", own, "check"]] {
        let output = answers(arguments, b"");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.stdout.is_empty() && said.trim_end().ends_with("it is no text file"), "{said}");
        assert_eq!((said.lines().count(), output.status.code()), (1, Some(1)), "{said}");
    }
}

/// What the program says to its input.
fn answers(arguments: &[&str], input: &[u8]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilework"));
    program.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = program.spawn().unwrap();
    program.stdin.take().unwrap().write_all(input).unwrap();
    program.wait_with_output().unwrap()
}

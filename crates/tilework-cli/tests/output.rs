//! What is written to the standard output and the standard error, and what happens where they cannot be written.
#![cfg(unix)]

use crate::listed;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tilework");

/// Results and errors of several expressions come in the order of the expressions where both go to one place.
#[test]
fn results_and_errors_keep_their_order() {
    let script = "\"$0\" eval '1:1' 'a' '2:1' 'b' '3:1' 2>&1 | grep -oE '^[123]:1|`[ab]`'";
    let output = Command::new("sh").args(["-c", script, PROGRAM]).output().expect("sh runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut seen: Vec<&str> = text.lines().collect();
    seen.dedup();
    assert_eq!(seen, ["1:1", "`a`", "2:1", "`b`", "3:1"]);
}

/// Command lines and what they read: at least one of every command, which writes its answer to the standard output.
const ANSWERED: &[(&[&str], &str)] = &[
    (&[], "let A = 4:1\nA\n:vars\nhelp\nhelp size\nshow A\nexplain A o 2:1\n"),
    (&["--version"], ""),
    (&["help"], ""),
    (&["eval", "4:1"], ""),
    (&["eval", "4:1", "--json"], ""),
    (&["eval", "-"], "4:1\n8:1\n"),
    (&["eval", "--scan", "-"], "a layout (4,8):(8,1)\n"),
    (&["show", "(4,8):(8,1)"], ""),
    (&["draw", "4:1", "-o", "-"], ""),
    (&["explain", "4:1 o 2:1"], ""),
    #[cfg(feature = "page")]
    (&["explore", "--no-open"], ""),
    (&["functions"], ""),
    (&["functions", "size"], ""),
    (&["functions", "tile", "divide"], ""),
    (&["atoms"], ""),
    (&["atoms", "--all"], ""),
    (&["atoms", "SM80_16x8x16_F32F16F16F32_TN"], ""),
    (&["atoms", "SM80_16x8x16_F32F16F16F32_TN", "--json"], ""),
    (&["atoms", "SM80_16x8x16_F32F16F16F32_TN", "-o", "-"], ""),
    (&["atoms", "SM80_16x8x16_F32F16F16F32_TN", "--draw"], ""),
    (&["banks", "32:33", "--access", "32:1", "--bits", "32"], ""),
    (&["sectors", "32:1", "--access", "32:1", "--bits", "32"], ""),
    (&["swizzle", "(8,64):(64,1)", "--bits", "16", "--access", "load=ldmatrix"], ""),
    (&["operand", "Sw<3,3,3> o 0 o (64,64):(64,1)", "--for", "wgmma.a.k", "--bits", "16"], ""),
    (&["vector", "(4,8):(1,6)", "(4,8):(1,4)", "--bits", "16"], ""),
    (&["cover", "(9,8):(1@0,1@1)", "--onto", "(9,8)"], ""),
    (&["shard", "(8,8)", "--mesh", "x=2", "--spec", "P(x)"], ""),
    (&["reshard", "(8,8)", "P(x)", "P(None, x)", "--mesh", "x=2", "--bits", "32"], ""),
    (&["format"], ""),
    (&["format", "scale_128x4"], ""),
    (&["format", "scale_128x4", "M=3", "S=1", "--offsets"], ""),
    (&["copy", "4:1", "4:1", "--repeat", "1"], ""),
    (&["copy", "4:1", "4:1", "--plan", "--json"], ""),
    (&["gemm", "(4,4)", "(4,4)", "(4,4)", "--repeat", "1"], ""),
    (&["contract", "ij,jk->ik", "(4,4)", "(4,4)", "--repeat", "1"], ""),
    (&["kernel", "tests/cmd/kernel.in/transpose.tw", "run", "--size", "M=7,N=4"], ""),
    (&["completions", "bash"], ""),
    (&["--man"], ""),
];

/// Command lines that say something on the standard error, and their exit status.
const SAID: &[(&[&str], &str, i32)] = &[
    (&[], "a\nshow a\ndraw a\ndraw a -o a.svg\nexplain a\nhelp zzz\n\u{0}\n", 1),
    (&["--nonsense"], "", 2),
    (&["eval", "a"], "", 1),
    (&["eval", "--scan", "-"], "nothing\n", 1),
    (&["eval", "--scan", "/nothing/there"], "", 1),
    (&["show", "a"], "", 1),
    (&["show", "4:1", "--tile", "4"], "", 2),
    (&["draw", "a", "-o", "-"], "", 1),
    (&["draw", "4:1", "-o", "/nothing/there.svg"], "", 1),
    (&["draw", "(99,99)", "--max-cells", "16", "-o", "-"], "", 0),
    (&["explain", "a"], "", 1),
    (&["functions", "zzz"], "", 1),
    (&["atoms", "zzz"], "", 1),
    (&["atoms", "zzz"], "", 1),
    (&["atoms", "zzz", "-o", "-"], "", 1),
    (&["banks", "a", "--access", "32:1"], "", 1),
    (&["operand", "4:1", "--for", "zzz"], "", 2),
    (&["shard", "(8,8)", "--mesh", "x=2", "--spec", "P(z)"], "", 1),
    (&["copy", "4:1", "5:1"], "", 1),
];

/// A stream of the program.
#[derive(Clone, Copy, Debug)]
enum Stream {
    /// Everything is read.
    Read,
    /// The disk is full.
    #[cfg(target_os = "linux")]
    Full,
    /// Nobody reads.
    Closed,
}

impl Stream {
    fn stdio(self) -> Stdio {
        match self {
            Stream::Read => Stdio::piped(),
            #[cfg(target_os = "linux")]
            Stream::Full => std::fs::File::options().write(true).open("/dev/full").unwrap().into(),
            Stream::Closed => std::io::pipe().unwrap().1.into(),
        }
    }
}

/// Streams that cannot be written, with the exit status of an answer that should go there and the end of what is said.
const BROKEN: &[(Stream, i32, &str)] = &[
    #[cfg(target_os = "linux")]
    (Stream::Full, 1, "tilework: No space left on device (os error 28)\n"),
    (Stream::Closed, 0, ""),
];

fn tilework(arguments: &[&str], input: &str, out: Stream, err: Stream) -> Output {
    let (stdin, mut writer) = std::io::pipe().unwrap();
    // It is less than a pipe takes.
    std::io::Write::write_all(&mut writer, input.as_bytes()).unwrap();
    drop(writer);
    let mut program = Command::new(PROGRAM);
    program
        .args(arguments)
        .stdin(stdin)
        .stdout(out.stdio())
        .stderr(err.stdio())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap()
}

#[test]
fn an_answer_that_cannot_be_written_is_an_error_and_a_closed_pipe_is_the_end() {
    let answered = ANSWERED.iter().map(|(arguments, input)| (arguments.to_vec(), *input));
    let commands = listed::commands();
    let helps = commands.iter().map(|command| (vec!["help", command.as_str()], ""));
    for (arguments, input) in answered.chain(helps) {
        if arguments.first() != Some(&"explore") {
            let output = tilework(&arguments, input, Stream::Read, Stream::Read);
            assert!(output.status.success() && !output.stdout.is_empty(), "{arguments:?} {output:?}");
        }
        for &(out, status, said) in BROKEN {
            let output = tilework(&arguments, input, out, Stream::Read);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!((output.status.code(), &*stderr), (Some(status), said), "{arguments:?} {out:?}");
            for &(err, ..) in BROKEN {
                let output = tilework(&arguments, input, out, err);
                assert_eq!(output.status.code(), Some(status), "{arguments:?} {out:?} {err:?}");
            }
        }
    }
    for command in commands {
        assert!(
            ANSWERED.iter().any(|(arguments, _)| arguments.first() == Some(&&*command)),
            "{command}: a row above"
        );
    }
}

#[test]
fn a_message_that_cannot_be_written_leaves_the_exit_status() {
    let commands = listed::commands();
    let wrong = commands.iter().map(|command| (vec![command.as_str(), "--nonsense"], "", 2));
    let said = SAID.iter().map(|&(arguments, input, status)| (arguments.to_vec(), input, status));
    for (arguments, input, status) in said.chain(wrong) {
        let output = tilework(&arguments, input, Stream::Read, Stream::Read);
        assert_eq!(output.status.code(), Some(status), "{arguments:?} {output:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
        for &(err, ..) in BROKEN {
            let silent = tilework(&arguments, input, Stream::Read, err);
            assert_eq!(
                (silent.status.code(), &silent.stdout),
                (Some(status), &output.stdout),
                "{arguments:?} {err:?}"
            );
        }
    }
}

/// Where the answers of a terminal go somewhere else.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_the_same_exit_status() {
    let home = env!("CARGO_TARGET_TMPDIR");
    for (out, end) in [
        ("> /dev/full", "tilework: No space left on device (os error 28) status 1"),
        ("| head -1", "status 0"),
    ] {
        let line = format!("{{ XDG_STATE_HOME={home} '{PROGRAM}'; echo status $? >&2; }} {out}");
        let (stdin, mut typed) = std::io::pipe().unwrap();
        std::io::Write::write_all(&mut typed, b"4:1\n4:1\n4:1\n4:1\n:q\n").unwrap();
        drop(typed);
        let output = Command::new("script").args(["-qec", &line, "/dev/null"]).stdin(stdin).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.join(" ").ends_with(end), "{out}: {text}");
    }
}

/// A condition of an answer is in its text, in its JSON, in full and in the notation of the CuTe DSL, whatever the answer is.
#[test]
fn a_condition_goes_where_its_answer_goes() {
    use std::process::Command;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/language/forms.jsonl");
    let eval = |expression: &str, more: &[&str]| {
        let program = env!("CARGO_BIN_EXE_tilework");
        let output = Command::new(program).args(["eval", expression]).args(more).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let (mut count, mut emitted) = (0, 0);
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let expression = case["expr"].as_str().unwrap();
        let Some((_, condition)) = case["result"].as_str().and_then(|text| text.split_once(" if ")) else {
            continue;
        };
        let json: serde_json::Value = serde_json::from_str(&eval(expression, &["--json"])).unwrap();
        // Each of several cases has a condition of its own.
        if condition.contains(" else ") {
            assert_eq!((&json["guard"], &json["result"]), (&serde_json::Value::Null, &case["result"]));
            continue;
        }
        let clauses: Vec<Vec<Vec<String>>> = serde_json::from_value(json["guard"].clone()).unwrap();
        let several = clauses.len() > 1;
        let clauses: Vec<String> = clauses
            .iter()
            .map(|clause| {
                let alternatives: Vec<String> =
                    clause.iter().map(|alternative| alternative.join(" & ")).collect();
                let text = alternatives.join(" or ");
                if several && alternatives.len() > 1 { format!("({text})") } else { text }
            })
            .collect();
        assert_eq!(clauses.join(" and "), condition, "{expression}: {json}");
        let (full, cute) = (eval(expression, &[]), eval(expression, &["--dialect", "cute"]));
        assert!(cute.contains(condition), "{expression}: {cute}");
        for part in condition.split([' ', '(', ')']).filter(|part| part.chars().any(char::is_alphanumeric)) {
            assert!(matches!(part, "or" | "and") || full.contains(part), "{expression}: {full}");
        }
        count += 1;
        emitted += usize::from(expression.starts_with("emit "));
    }
    assert!(count > 10 && emitted >= 3, "{count} conditions, {emitted} of source text");
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
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilework"));
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

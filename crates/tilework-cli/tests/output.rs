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

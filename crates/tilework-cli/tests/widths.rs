//! The width of the elements that a question is about: the cases of `corpus/widths` through every command that takes one.
//! The Python package and the explorer run them as well.

use crate::listed;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tilework")).args(arguments).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The command line of a case, and whether it answers in JSON.
fn command_line(case: &Value) -> (Vec<String>, bool) {
    let word = |key: &str| case[key].as_str().expect("a text").to_string();
    let layouts =
        case["layouts"].as_array().expect("a list").iter().map(|text| text.as_str().unwrap().to_string());
    let layouts: Vec<String> = layouts.collect();
    let (first, second) = (layouts[0].as_str(), layouts.get(1).map_or("", String::as_str));
    let command = word("command");
    let access = case["access"].as_str().unwrap_or("");
    let named = format!("load={access}");
    let words: &[&str] = match command.as_str() {
        "banks" | "sectors" => &[&command, first, "--access", access],
        "swizzle" => &["swizzle", first, "--access", &named],
        "operand" if second.is_empty() => &["operand", first, "--for", "wgmma.a.k"],
        "operand" => &["operand", first, "--for", "tma", "--global", second],
        "vector" => &["vector", first, second],
        "atom" => &["atoms", first],
        "numpy" => &["eval", first, "--as", "numpy"],
        "reshard" => &["reshard", first, "P(x)", "P()", "--mesh", "x=4"],
        "show" => &["show", first, "--aspect", "banks"],
        "colour" => &["show", first, "--color-by", "bank"],
        other => panic!("no command {other}"),
    };
    let is_picture = matches!(words[0], "show");
    let mut words: Vec<String> = words.iter().map(|word| (*word).to_string()).collect();
    if let Some(bits) = case["bits"].as_u64() {
        words.extend(["--bits".to_string(), bits.to_string()]);
    }
    (words, !is_picture)
}

#[test]
fn every_answer_is_for_one_width_and_says_so() {
    let cases = std::fs::read_to_string("../../corpus/widths/widths.jsonl").expect("the cases");
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let (mut words, has_json) = command_line(&case);
        let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let (answer, error) = (text(&output.stdout), text(&output.stderr));
        let Some(width) = case["width"].as_u64() else {
            let says = case["says"].as_str().expect("a sentence");
            assert_eq!(output.status.code(), Some(1), "{words:?}");
            assert!(
                answer.is_empty() && error.starts_with("error[width]") && error.contains(says),
                "{words:?} {error}"
            );
            if has_json {
                words.push("--json".into());
                let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
                let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
                assert_eq!(found["error"]["code"], "width", "{words:?}");
                assert!(found["error"]["message"].as_str().unwrap().contains(says), "{words:?} {found}");
            }
            continue;
        };
        assert!(error.is_empty(), "{words:?} {error}");
        match case["command"].as_str().unwrap() {
            // The text is for another program.
            "numpy" => assert!(answer.ends_with(&format!(", {})\n", width / 8)), "{words:?} {answer}"),
            "atom" => {
                assert!(answer.contains(&format!("bits of an element              {width}\n")), "{answer}")
            }
            _ => assert!(answer.contains(&format!("of {width} bits")), "{words:?} {answer}"),
        }
        if has_json {
            words.push("--json".into());
            let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
            let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let told = if words[0] == "atoms" { &found["bits"] } else { &found["element_bits"] };
            assert!(words[0] == "eval" || told.as_u64() == Some(width), "{words:?} {found}");
        }
    }
}

/// No command that takes a width is forgotten above, and none has a default.
#[test]
fn every_command_with_a_width_has_cases() {
    let cases = std::fs::read_to_string("../../corpus/widths/widths.jsonl").expect("the cases");
    let asked: BTreeSet<String> = cases
        .lines()
        .map(|line| command_line(&serde_json::from_str(line).expect("a case")).0[0].clone())
        .collect();
    let mut found = 0;
    for name in listed::commands() {
        let help = text(&run(&[&name, "--help"]).stdout);
        let Some((_, about)) = help.split_once(" --bits ") else { continue };
        let about = about.split("\n\n").next().unwrap_or(about);
        assert!(!about.contains("[default"), "{name}: {about}");
        // `draw` is `show` to a file.
        assert!(asked.contains(&name) || name == "draw", "no case of {name}");
        found += 1;
    }
    assert!(found >= 9, "{found} commands");
}

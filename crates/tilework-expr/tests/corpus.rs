//! Every case of the test corpus, through the evaluator.
//!
//! A case is an expression with its result; `null` means that it has to be refused. Results are compared as text
//! without white space. In `loose` cases the strides of extents 1 do not count.

use serde_json::Value;
use std::path::Path;
use tilework_expr::Session;

#[test]
fn every_case_of_the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("its folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    let (mut total, mut wrong) = (0, Vec::new());
    for file in &files {
        let text = std::fs::read_to_string(file).expect("a corpus file is text");
        // Each case stands for itself: no variables are carried over.
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let case: Value = serde_json::from_str(line).expect("a case is a JSON object");
            total += 1;
            if let Err(message) = check(&case) {
                wrong.push(message);
            }
        }
    }
    assert!(total > 2000, "only {total} cases found");
    assert!(wrong.is_empty(), "{} of {total} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(case: &Value) -> Result<(), String> {
    let expression = case["expr"].as_str().expect("a case has an expression");
    let source = case["source"].as_str().unwrap_or("");
    let mut session = Session::new();
    let got = session.evaluate(expression).map(|value| value.to_string());
    match (case["result"].as_str(), got) {
        (None, Err(_)) => Ok(()),
        (None, Ok(got)) => Err(format!("{expression}: to be refused, got {got} [{source}]")),
        (Some(want), Err(error)) => Err(format!("{expression}: want {want}, got error {error} [{source}]")),
        (Some(want), Ok(got)) => {
            let compare = if case["loose"].as_bool() == Some(true) { loose } else { without_space };
            match compare(want) == compare(&got) {
                true => Ok(()),
                false => Err(format!("{expression}: want {want}, got {got} [{source}]")),
            }
        }
    }
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The text with the stride of every extent 1 replaced by `_`; as it is where it is no plain layout.
fn loose(text: &str) -> String {
    let text = without_space(text);
    let Some((shape, stride)) = text.split_once(':') else { return text };
    let (shape, stride) = (tokens(shape), tokens(stride));
    if shape.len() != stride.len() || stride.iter().any(|token| token.contains(':')) {
        return text;
    }
    let stride = shape.iter().zip(&stride).map(|(extent, stride)| if *extent == "1" { "_" } else { stride });
    format!("{}:{}", shape.concat(), stride.collect::<String>())
}

/// Parentheses, commas, and what stands between them.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for (at, character) in text.char_indices() {
        if matches!(character, '(' | ')' | ',') {
            if start < at {
                tokens.push(&text[start..at]);
            }
            tokens.push(&text[at..at + 1]);
            start = at + 1;
        }
    }
    if start < text.len() {
        tokens.push(&text[start..]);
    }
    tokens
}

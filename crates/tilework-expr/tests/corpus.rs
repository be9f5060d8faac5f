//! Every case of the test corpus, through the evaluator.
//!
//! A case is an expression with its result; `null` means that it has to be refused. Results are compared as text
//! without white space. In `loose` cases the strides of extents 1 do not count.

use std::path::Path;
use tilework_expr::{Session, is_blank};

#[test]
fn every_case_of_the_corpus() {
    let cases: Vec<_> = testkit::cases().into_iter().chain(testkit::language()).collect();
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|case| {
            // Each case stands for itself: no variables are carried over.
            let mut session = Session::new();
            let got = session.evaluate(&case.expression).map(|value| value.to_string());
            let text = got.map_err(|error| error.to_string());
            case.check(text.as_deref().map_err(String::as_str)).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} cases differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// The cases for all implementations: the answers, and refusals where there is none.
#[test]
fn every_case_of_the_conformance_suite() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases.jsonl");
    let text = std::fs::read_to_string(file).expect("the file is there");
    let mut count = 0;
    for line in text.lines().skip(1) {
        let case: serde_json::Value = serde_json::from_str(line).expect("a case is a JSON object");
        let arguments = case["args"].as_array().expect("a case has arguments").iter();
        let arguments: Vec<_> = arguments.map(|text| text.as_str().expect("an argument is text")).collect();
        let call = format!("{}({})", case["op"].as_str().expect("an operation"), arguments.join(", "));
        let got = Session::new().evaluate(&call).map(|value| value.to_string());
        assert_eq!(got.as_deref().ok(), case["answer"].as_str(), "{call}");
        count += 1;
    }
    assert!(count > 4000, "{count} cases");
}

/// Texts that a newcomer pastes: each is answered, or refused by the sentence that stands beside it.
#[test]
fn what_a_newcomer_pastes() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/pasted/pasted.jsonl");
    let text = std::fs::read_to_string(file).expect("the file is there");
    let (mut count, mut refused) = (0, 0);
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a case is a JSON object");
        let expression = case["expr"].as_str().expect("a case has an expression");
        // A line of standard input that is only a comment has no answer.
        assert!(!is_blank(expression), "{expression}");
        let mut session = Session::new();
        let got =
            session.evaluate(expression).map(|value| value.to_string()).map_err(|error| error.to_string());
        let wanted = case["result"].as_str().map(str::to_owned).ok_or_else(|| {
            refused += 1;
            case["says"].as_str().expect("a refusal says something").to_owned()
        });
        assert_eq!(got, wanted, "{expression}");
        count += 1;
    }
    assert!(count >= 190 && refused >= 40, "{count} texts, {refused} refused");
}

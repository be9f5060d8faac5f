//! The cases of `corpus/sharding` through the program, as `tilework shard --json` and `tilework reshard --json`.

use serde_json::{Value, json};
use std::process::Command;

fn answer(case: &Value) -> Value {
    let text = |key: &str| case[key].as_str().expect("a text").to_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilework"));
    let mesh = format!("--mesh={}", text("mesh"));
    if case["to"].is_string() {
        command.args([
            "reshard",
            &text("shape"),
            &text("spec"),
            &text("to"),
            &mesh,
            "--bits",
            &case["bits"].to_string(),
        ]);
        if case["links"].is_string() {
            command.args(["--links", &text("links")]);
        }
    } else {
        command.args(["shard", &text("shape"), &mesh, &format!("--spec={}", text("spec"))]);
    }
    let output = command.arg("--json").output().expect("the program runs");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer is JSON");
    assert_eq!(output.status.code(), Some(i32::from(answer["error"].is_object())), "{case}");
    answer
}

#[test]
fn every_case_of_the_corpus() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/sharding/shardings.jsonl");
    for line in std::fs::read_to_string(file).expect("the file is there").lines() {
        let case: Value = serde_json::from_str(line).expect("a case is a JSON object");
        let answer = answer(&case);
        match &case["result"] {
            Value::Null => {
                assert_eq!(
                    answer["error"],
                    json!({ "code": case["code"], "message": case["says"] }),
                    "{line}"
                );
            }
            Value::Object(wanted) => {
                for (key, value) in wanted {
                    let got = match key.as_str() {
                        "steps" => json!(
                            answer["steps"]
                                .as_array()
                                .map(|steps| steps.iter().map(|step| &step["step"]).collect::<Vec<_>>())
                        ),
                        key => answer[key].clone(),
                    };
                    assert_eq!(&got, value, "{key} of {line}");
                }
            }
            other => panic!("{other} is no result"),
        }
    }
}

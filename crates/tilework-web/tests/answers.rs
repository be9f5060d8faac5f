//! What the page is told, without a browser.

use serde_json::{Value, json};
use tilework_expr::{FUNCTIONS, Session};

fn ask(question: &Value) -> Value {
    serde_json::from_str(&tilework_web::answer(&question.to_string())).expect("an answer is JSON")
}

#[test]
fn the_reasons_are_those_of_explain() {
    for text in ["(4,6,8,10):(2,3,5,7) o 6:12", "(6,2):(1,7) o (3,2):(2,3)", "(4,8):(8,1) / <2,4>"] {
        let told = ask(&json!({ "ask": "operation", "text": text, "number": 0 }));
        let explained = Session::new().explain(text).expect("an explanation");
        assert_eq!(told["name"], explained.operation);
        assert_eq!(told["value"].as_str(), explained.outcome.as_deref().ok());
        assert_eq!(
            told["error"]["message"].as_str(),
            explained.outcome.as_ref().err().map(|e| e.message.as_str())
        );
        let sections = told["sections"].as_array().expect("sections");
        assert_eq!(sections.len(), explained.sections.len());
        for (told, section) in sections.iter().zip(&explained.sections) {
            assert_eq!((&told["title"], &told["lines"]), (&json!(section.title), &json!(section.lines)));
            assert_eq!(
                told["table"]["rows"].as_array().map(Vec::len),
                section.table.as_ref().map(|t| t.rows.len())
            );
        }
    }
}

#[test]
fn a_shape_that_is_asked_for_is_no_layout() {
    let pane = |text: &str| ask(&json!({ "ask": "pane", "text": text }));
    assert!(pane("(4,8)")["picture"].is_object());
    assert!(pane("shape((4,8):(8,1))")["picture"].is_null());
    assert!(pane("size((4,8):(8,1))")["picture"].is_null());
    assert!(pane("4")["picture"].is_null());
    assert_eq!(pane("let A = 4:2")["value"], json!({ "text": "4:2", "kind": "a layout", "name": "A" }));
}

/// The condition of an answer stands beside it, of source text as well.
#[test]
fn a_condition_is_in_the_text_of_the_value() {
    for text in
        ["emit (M,K):(1,ld) / 128 as c", "emit M:2 as wgsl", "(M,K):(1,ld) / 128", "(?,8):(?,1) / 128"]
    {
        let told = ask(&json!({ "ask": "pane", "text": text }));
        let value = Session::new().evaluate(text).unwrap().to_string();
        assert!(value.contains(" if "), "{value}");
        assert_eq!(told["value"]["text"], value, "{text}");
    }
}

#[test]
fn pictures_are_remembered_and_never_confused() {
    let cell = |text: &str, number: u32| {
        ask(&json!({ "ask": "cell", "text": text, "number": number }))["offset"].clone()
    };
    assert_eq!(
        (cell("4:2", 3), cell("4:3", 3), cell("4:2", 3), cell("4:2", 4)),
        (json!("6"), json!("9"), json!("6"), json!(null))
    );
}

#[test]
fn what_is_no_question_is_refused() {
    for question in ["", "{", "[]", r#"{"ask":"weather"}"#, r#"{"ask":"cell","text":"4:1","number":-1}"#] {
        let answer: Value = serde_json::from_str(&tilework_web::answer(question)).expect("an answer is JSON");
        assert!(answer["refused"].is_string(), "{question}: {answer}");
    }
}

#[test]
fn a_pasted_text_is_read_for_its_layouts() {
    let text = "MMA_Atom\n  ThrID:      _32:_1\n  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n";
    let found = ask(&json!({ "ask": "scan", "text": text }));
    assert_eq!(found[0], json!({ "line": 2, "label": "ThrID", "text": "_32:_1", "value": "32:1" }));
    assert_eq!(found[1]["value"], "((4,8),(2,2)):((32,1),(16,8))");
}

#[test]
fn a_function_is_described_as_the_program_describes_it() {
    let told = ask(&json!({ "ask": "functions" }));
    let told = told.as_array().expect("a list");
    assert_eq!(told.len(), FUNCTIONS.len());
    for (told, function) in told.iter().zip(FUNCTIONS) {
        let parts = told.to_string();
        for line in function.to_string().lines() {
            // What a line is about stands before it.
            let line = line.split_once(": ").map_or(line, |(_, rest)| rest);
            for word in line.split([' ', ',']).filter(|&word| word != "=") {
                assert!(
                    parts.contains(json!(word).to_string().trim_matches('"')),
                    "{}: {word}",
                    function.name()
                );
            }
        }
    }
}

/// The cases of `corpus/widths` that have a picture: what the program and the package say, the caption says.
#[test]
fn every_picture_of_banks_is_for_one_width_and_says_so() {
    let cases = std::fs::read_to_string("../../corpus/widths/widths.jsonl").expect("the cases");
    let mut asked = 0;
    for case in cases.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case")) {
        let view = match case["command"].as_str() {
            Some("show") => json!({ "aspect": "banks", "bits": case["bits"] }),
            Some("colour") => json!({ "color": "bank", "bits": case["bits"] }),
            _ => continue,
        };
        let source = json!({ "ask": "pane", "text": case["layouts"][0], "view": view });
        let pane = ask(&source);
        let caption = pane["picture"]["caption"].as_str().expect("a caption");
        let bank = |number: usize| {
            let mut question = source.clone();
            (question["ask"], question["number"]) = (json!("cell"), json!(number));
            ask(&question)["bank"].clone()
        };
        match case["width"].as_i64() {
            Some(width) => {
                assert!(caption.contains(&format!("elements of {width} bits")), "{case} {caption}");
                // Two elements of 16 bits are in a bank of 4 bytes.
                let offset: i64 = 7;
                assert_eq!(bank(7), json!(offset * width / 32), "{case}");
            }
            None => {
                assert!(caption.contains(case["says"].as_str().unwrap()), "{case} {caption}");
                assert_eq!(bank(7), Value::Null, "{case}");
            }
        }
        asked += 1;
    }
    assert!(asked >= 18, "{asked}");
}

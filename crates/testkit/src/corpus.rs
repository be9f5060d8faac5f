//! The cases of the corpus, for the tests of the front ends.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// An expression, and what it has to come to.
pub struct Case {
    /// The text.
    pub expression: String,
    /// `None` where the expression has to be refused.
    pub result: Option<String>,
    /// Whether the strides of extents 1 do not count.
    loose: bool,
    source: String,
}

impl Case {
    /// What is wrong with `got`: the text of the result, or of the error.
    ///
    /// # Errors
    /// A sentence, if it is not what the case says.
    pub fn check(&self, got: Result<&str, &str>) -> Result<(), String> {
        let comparable = if self.loose { without_unit_strides } else { without_space };
        let wanted = self.result.as_deref();
        let same = match (wanted, got) {
            (None, got) => got.is_err(),
            (Some(wanted), Ok(got)) => comparable(wanted) == comparable(got),
            (Some(_), Err(_)) => false,
        };
        if same {
            return Ok(());
        }
        let got = got.map_or_else(|error| format!("error {error}"), str::to_owned);
        Err(format!(
            "{}: want {}, got {got} [{}]",
            self.expression,
            wanted.unwrap_or("a refusal"),
            self.source
        ))
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of cases in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("its folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    files
}

/// Every function and form of the expression language, which are for the front ends that have it.
///
/// # Panics
/// If the corpus is not there.
#[must_use]
pub fn language() -> Vec<Case> {
    let cases = read_cases(&folder().join("language"), &mut BTreeSet::new());
    assert!(cases.len() > 100, "only {} cases found", cases.len());
    cases
}

/// Every case of the algebra. The cases in `held_wrong.txt` have to be refused, whatever their files say.
///
/// # Panics
/// If the corpus is not there.
#[must_use]
pub fn cases() -> Vec<Case> {
    let held_wrong = read(&folder().join("held_wrong.txt"));
    let mut held_wrong: BTreeSet<_> =
        held_wrong.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let cases = read_cases(&folder(), &mut held_wrong);
    assert!(cases.len() > 2000, "only {} cases found", cases.len());
    assert!(held_wrong.is_empty(), "held_wrong.txt names what is no case: {held_wrong:?}");
    cases
}

fn read_cases(folder: &Path, held_wrong: &mut BTreeSet<&str>) -> Vec<Case> {
    let mut cases = Vec::new();
    for file in files(folder) {
        for line in read(&file).lines().filter(|line| !line.trim().is_empty()) {
            let case: Value = serde_json::from_str(line).expect("a case is a JSON object");
            let expression = case["expr"].as_str().expect("a case has an expression").to_owned();
            let result = case["result"].as_str().map(str::to_owned);
            cases.push(Case {
                result: if held_wrong.remove(expression.as_str()) { None } else { result },
                expression,
                loose: case["loose"].as_bool() == Some(true),
                source: case["source"].as_str().unwrap_or_default().to_owned(),
            });
        }
    }
    cases
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The text with the stride of every extent 1 replaced by `_`; as it is where it is not a plain layout.
fn without_unit_strides(text: &str) -> String {
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

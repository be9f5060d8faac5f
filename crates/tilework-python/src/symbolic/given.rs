//! Texts of the core, and values by name.

use crate::error::Refusal;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tilework::Text;
use tilework_symbolic::{Refusal as NoAnswer, Scope as Core};

/// A text that was not truncated.
pub fn whole(text: &Text) -> Result<String, Refusal> {
    match text.as_str() {
        text if text.ends_with("...") => {
            Err(Refusal::new("capacity", "a symbolic layout of this length has no text"))
        }
        text => Ok(text.to_owned()),
    }
}

/// The item with this name.
pub fn named<T: Copy>(wanted: &str, name: &str, all: &[(&str, T)]) -> Result<T, Refusal> {
    let names = || all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    match all.iter().find(|(own, _)| *own == name) {
        Some((_, one)) => Ok(*one),
        None => Err(Refusal::new("arguments", format!("{name:?} is not {wanted}; there are {}", names()))),
    }
}

/// Why there is no answer.
pub fn refused(scope: &Core, refusal: &NoAnswer) -> Refusal {
    let text = scope.refusal_text(refusal);
    let text = text.as_str();
    // The code precedes the sentence anyway.
    Refusal::new(refusal.code(), text.strip_prefix("never: ").unwrap_or(text))
}

/// Values by name.
pub struct Given(pub Vec<(String, i64)>);

impl Given {
    pub fn new(values: Option<&Bound<'_, PyDict>>) -> Result<Given, Refusal> {
        let mut given = Vec::new();
        for (name, value) in values.into_iter().flatten() {
            let number = crate::tuple::integer(&value)?.ok_or_else(|| Refusal::kind("an integer", &value))?;
            given.push((name.extract()?, number));
        }
        Ok(Given(given))
    }

    pub fn pairs(&self) -> Vec<(&str, i64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }

    /// ` at M = 100`, for a message.
    pub fn describe(&self) -> String {
        let values: Vec<_> = self.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        values.join(", ")
    }

    /// Refuses a text that contains another name.
    pub fn cover(&self, text: &str) -> Result<(), Refusal> {
        let letter = |character: char| character.is_ascii_alphanumeric() || "_?".contains(character);
        let words = text.split(|character| !letter(character));
        let is_name =
            |word: &&str| word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '?');
        let keyword = |word: &&str| ["floor", "ceil", "or", "and", "always"].contains(word);
        let missing = |word: &&str| !self.0.iter().any(|(name, _)| name == word);
        match words.filter(|word| is_name(word) && !keyword(word)).find(missing) {
            Some(name) => Err(Refusal::new("name", format!("a value of {name} is missing"))),
            None => Ok(()),
        }
    }
}

//! Values by name, and refusals.

use crate::error::Refusal;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tilework_symbolic::{Refusal as NoAnswer, Scope as Core};

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
    // The code precedes the sentence anyway.
    Refusal::new(refusal.code(), text.strip_prefix("never: ").unwrap_or(&text))
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

    /// Refuses names without a value.
    pub fn cover<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> Result<(), Refusal> {
        match names.find(|name| !self.0.iter().any(|(own, _)| own == name)) {
            Some(name) => Err(Refusal::new("name", format!("a value of {name} is missing"))),
            None => Ok(()),
        }
    }
}

//! Symbolic layouts: extents and strides that are names.
//!
//! A [`Scope`] has the names and the facts. A number or a layout of it is its text, which parses back to the same value: an
//! operation reads its operands into a copy of the scope, and what it has made there goes with the copy. So nothing fills
//! up, and facts that come later are used. An [`Answer`] and a [`Verdict`] keep the copy in which they were found.
//!
//! | module | what a reader finds there |
//! |---|---|
//! | `scope` | names, facts and hints; which scope is the current one |
//! | `operand` | objects of Python as text of a scope, those of sympy and torch among them |
//! | `number` | arithmetic and comparisons |
//! | `layout` | layouts and their operations |
//! | `answer` | layouts with their guards, and verdicts |

mod answer;
mod layout;
mod number;
mod operand;
mod scope;

pub use layout::{call, layout_of};

use crate::error::Refusal;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tilework::Text;
use tilework::symbolic::{Refusal as NoAnswer, Scope as Core};

/// Adds the classes and functions.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<scope::Scope>()?;
    module.add_class::<number::SymbolicNumber>()?;
    module.add_class::<layout::SymbolicLayout>()?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<answer::Verdict>()?;
    module.add_function(wrap_pyfunction!(scope::symbol, module)?)?;
    module.add_function(wrap_pyfunction!(scope::assume, module)?)?;
    module.add_function(wrap_pyfunction!(scope::hint, module)?)?;
    module.add_function(wrap_pyfunction!(scope::cases, module)?)
}

/// A text that is whole.
fn whole(text: &Text) -> Result<String, Refusal> {
    match text.as_str() {
        text if text.ends_with("...") => {
            Err(Refusal::new("capacity", "a symbolic layout of this length has no text"))
        }
        text => Ok(text.to_owned()),
    }
}

/// What has this name.
fn named<T: Copy>(wanted: &str, name: &str, all: &[(&str, T)]) -> Result<T, Refusal> {
    let names = || all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    match all.iter().find(|(own, _)| *own == name) {
        Some((_, one)) => Ok(*one),
        None => Err(Refusal::new("arguments", format!("{name:?} is not {wanted}; there are {}", names()))),
    }
}

/// Why there is no answer.
fn refused(scope: &Core, refusal: &NoAnswer) -> Refusal {
    let text = scope.refusal_text(refusal);
    let text = text.as_str();
    // The code stands before the sentence anyway.
    Refusal::new(refusal.code(), text.strip_prefix("never: ").unwrap_or(text))
}

/// Values by name.
struct Given(Vec<(String, i64)>);

impl Given {
    fn new(values: Option<&Bound<'_, PyDict>>) -> Result<Given, Refusal> {
        let mut given = Vec::new();
        for (name, value) in values.into_iter().flatten() {
            let number = crate::tuple::integer(&value)?.ok_or_else(|| Refusal::kind("an integer", &value))?;
            given.push((name.extract()?, number));
        }
        Ok(Given(given))
    }

    fn pairs(&self) -> Vec<(&str, i64)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }

    /// ` at M = 100`, for a message.
    fn describe(&self) -> String {
        let values: Vec<_> = self.0.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        values.join(", ")
    }

    /// Refuses a text in which another name occurs.
    fn cover(&self, text: &str) -> Result<(), Refusal> {
        let letter = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let words = text.split(|character| !letter(character));
        let is_name = |word: &&str| word.starts_with(|first: char| first.is_ascii_alphabetic());
        let keyword = |word: &&str| ["floor", "ceil", "or", "and", "always"].contains(word);
        let missing = |word: &&str| !self.0.iter().any(|(name, _)| name == word);
        match words.filter(|word| is_name(word) && !keyword(word)).find(missing) {
            Some(name) => Err(Refusal::new("name", format!("a value of {name} is missing"))),
            None => Ok(()),
        }
    }
}

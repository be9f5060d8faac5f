//! `banks`, `sectors`, `swizzle`, `operand`, `vector` and `cover`: what hardware says of a layout, one line each.
//!
//! The exit status is 0 for yes, 1 for no and for what has no answer: an access without conflicts, a legal operand, a
//! raster that reaches everything once.

mod access;
mod cover;
mod explain;
mod operand;
mod swizzle;
mod vector;

pub use access::{BanksArguments, SectorsArguments, banks, sectors};
pub use cover::{CoverArguments, cover};
pub use operand::{OperandArguments, operand};
pub use swizzle::{SwizzleArguments, swizzle};
pub use vector::{VectorArguments, vector};

use crate::report;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use tilework::{AnyLayout, Layout};
use tilework_expr::{ExprError, Session, Value};

/// Why there is no answer.
enum Refusal {
    /// An expression that is not what is wanted.
    Expression { text: String, error: Box<ExprError> },
    /// Anything else: a stable name, and a sentence.
    Condition(&'static str, String),
}

impl From<tilework::Error> for Refusal {
    fn from(error: tilework::Error) -> Refusal {
        Refusal::Condition(error.code(), error.to_string())
    }
}

impl From<tilework_hardware::Refused> for Refusal {
    fn from(refused: tilework_hardware::Refused) -> Refusal {
        Refusal::Condition(refused.code(), refused.to_string())
    }
}

/// Prints an answer, or why there is none; whether it is yes.
fn answer<T: fmt::Display + Serialize>(json: bool, answer: Result<(bool, T), Refusal>) -> io::Result<bool> {
    let mut line = Vec::new();
    let yes = match answer {
        Ok((yes, answer)) => {
            if json {
                report::json(&mut line, &answer);
            } else {
                writeln!(line, "{answer}")?;
            }
            yes
        }
        Err(Refusal::Expression { text, error }) => {
            if json {
                report::json_error(&mut line, &text, &error);
            } else {
                report::error(&text, &error);
            }
            false
        }
        Err(Refusal::Condition(code, message)) => {
            if json {
                report::json_refusal(&mut line, code, &message);
            } else {
                report::refusal(code, &message);
            }
            false
        }
    };
    io::stdout().lock().write_all(&line)?;
    Ok(yes)
}

fn evaluated(text: &str) -> Result<Value, Refusal> {
    let refuse = |error| Refusal::Expression { text: text.to_owned(), error: Box::new(error) };
    Session::new().evaluate(text).cloned().map_err(refuse)
}

/// That an expression is of another kind than is wanted.
fn wrong_kind(text: &str, wanted: &str, value: &Value) -> Refusal {
    let message = format!("{wanted} is wanted, and this is {}", value.kind());
    let error = ExprError::new(0..text.len(), "kind", message);
    Refusal::Expression { text: text.to_owned(), error: Box::new(error) }
}

/// A layout, plain.
fn layout(text: &str) -> Result<Layout, Refusal> {
    let value = evaluated(text)?;
    value.as_layout().ok_or_else(|| wrong_kind(text, "a layout", &value))?.map_err(Refusal::from)
}

/// A layout where a name may stand as well: a word without a value is a slip in a name.
fn layout_or(names: &str, text: &str) -> Result<Layout, Refusal> {
    layout(text).map_err(|mut refusal| {
        if let Refusal::Expression { error, .. } = &mut refusal
            && error.code == "name"
        {
            error.help = Some(format!("it is {names} or a layout"));
        }
        refusal
    })
}

/// A layout, plain or swizzled.
fn any_layout(text: &str) -> Result<AnyLayout, Refusal> {
    let value = evaluated(text)?;
    let layout = value.as_any_layout();
    Ok(layout.ok_or_else(|| wrong_kind(text, "a layout, plain or swizzled,", value.untyped()))??)
}

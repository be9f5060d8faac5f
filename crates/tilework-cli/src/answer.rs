//! The answer of a command, as text or as JSON, or the reason why there is none.

use crate::report;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use tilework_expr::{ExprError, Failure, Session, Value};

/// Why there is no answer.
#[derive(Debug)]
pub enum Refusal {
    /// An expression of the wrong kind.
    Expression { text: String, error: Box<ExprError> },
    /// Anything else: a stable name, and a sentence.
    Condition(&'static str, String),
}

impl From<tilework::Error> for Refusal {
    fn from(error: tilework::Error) -> Refusal {
        Refusal::Condition(error.code(), error.to_string())
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        let error = ExprError::from(failure);
        Refusal::Condition(error.code, error.message)
    }
}

impl From<tilework_hardware::Refused> for Refusal {
    fn from(refused: tilework_hardware::Refused) -> Refusal {
        Refusal::Condition(refused.code(), refused.to_string())
    }
}

impl From<tilework_kernels::Error> for Refusal {
    fn from(error: tilework_kernels::Error) -> Refusal {
        Refusal::Condition(error.code(), error.to_string())
    }
}

impl From<tilework_sharding::Error> for Refusal {
    fn from(error: tilework_sharding::Error) -> Refusal {
        Refusal::Condition(error.code(), error.to_string())
    }
}

/// Prints an answer or the error; returns whether the answer is yes.
pub fn answer<T: fmt::Display + Serialize>(
    json: bool,
    answer: Result<(bool, T), Refusal>,
) -> io::Result<bool> {
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

/// The value of an expression.
pub fn evaluated(text: &str) -> Result<Value, Refusal> {
    let refuse = |error| Refusal::Expression { text: text.to_owned(), error: Box::new(error) };
    Session::new().evaluate(text).cloned().map_err(refuse)
}

/// The error for an expression of the wrong kind.
pub fn wrong_kind(text: &str, wanted: &str, value: &Value) -> Refusal {
    let error = ExprError::wrong_kind(text, wanted, value.kind());
    Refusal::Expression { text: text.to_owned(), error: Box::new(error) }
}

//! An error in a text, and its position.

use serde::Serialize;
use std::ops::Range;
use tilework_expr::ExprError;

/// An error and the text to underline, in units of JavaScript's strings.
#[derive(Serialize)]
pub struct Wrong {
    code: &'static str,
    message: String,
    help: Option<String>,
    start: usize,
    end: usize,
}

impl Wrong {
    pub fn of(error: &ExprError, text: &str) -> Wrong {
        let Range { start, end } = units(text, &error.span);
        Wrong { code: error.code, message: error.message.clone(), help: error.help.clone(), start, end }
    }

    /// An error that concerns a whole text.
    pub fn of_condition(code: &'static str, message: String, text: &str) -> Wrong {
        Wrong { code, message, help: None, start: 0, end: text.encode_utf16().count() }
    }
}

/// A range of bytes of a text in units of JavaScript's strings, which are UTF-16.
pub fn units(text: &str, bytes: &Range<usize>) -> Range<usize> {
    let units = |end: usize| text.get(..end).map_or(0, |before| before.encode_utf16().count());
    units(bytes.start)..units(bytes.end)
}

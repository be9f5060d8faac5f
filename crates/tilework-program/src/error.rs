//! What is wrong with a program, and where.

use alloc::string::String;
use core::fmt;

/// What is wrong with a program or with what was given to it, with the line of its text.
///
/// ```
/// use tilework_program::Program;
/// let error = "kernel copy 32 threads, grid (1)\nread A f32 M:1\nbarrier A".parse::<Program>().unwrap_err();
/// assert_eq!(error.to_string(), "line 3: expected the end of the line, found `A`");
/// assert_eq!(error.line(), Some(3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    line: Option<usize>,
    message: String,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { line: None, message: message.into() }
    }

    /// The error at a line, unless it has one.
    pub(crate) fn at(self, line: impl Into<Option<usize>>) -> Error {
        Error { line: self.line.or(line.into()), ..self }
    }

    /// The line of the program's text, from 1.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The sentence without the line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// An error with a text as that of `format!`.
macro_rules! error {
    ($($text:tt)*) => {
        $crate::error::Error::new(alloc::format!($($text)*))
    };
}
pub(crate) use error;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl core::error::Error for Error {}

impl From<tilework::Error> for Error {
    fn from(error: tilework::Error) -> Error {
        Error::new(alloc::format!("{error}"))
    }
}

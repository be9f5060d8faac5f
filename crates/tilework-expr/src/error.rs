//! What is wrong with an expression, and where.

use std::fmt;
use std::ops::Range;

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExprError {
    /// The bytes of the expression that the error is about.
    pub span: Range<usize>,
    /// A short name of the condition that will not change: that of [`tilework::Error::code`], or one of
    /// `syntax`, `name`, `arguments`, `kind`, `limit` for what only expressions have.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// What would help, where that is known.
    pub help: Option<String>,
}

impl ExprError {
    /// An error at a place in the text.
    pub fn new(span: Range<usize>, code: &'static str, message: impl Into<String>) -> ExprError {
        ExprError { span, code, message: message.into(), help: None }
    }

    /// The same error with advice.
    pub fn with_help(mut self, help: impl Into<String>) -> ExprError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ExprError {
    /// `CODE: sentence`, in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ExprError {}

/// What an operation refuses, before the place in the text is known.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The algebra refuses.
    Core(tilework::Error),
    /// An argument is of the wrong kind.
    Argument {
        /// Which one, from 0.
        index: usize,
        /// Why.
        message: String,
        /// What would help.
        help: Option<&'static str>,
    },
    /// Anything else.
    Other {
        /// The condition.
        code: &'static str,
        /// One sentence.
        message: String,
    },
}

impl From<tilework::Error> for Failure {
    fn from(error: tilework::Error) -> Failure {
        Failure::Core(error)
    }
}

impl Failure {
    /// With its place: `whole` is the operation, `arguments` gives the place of each operand.
    pub(crate) fn at(self, whole: Range<usize>, arguments: &[Range<usize>]) -> ExprError {
        match self {
            Failure::Core(error) => ExprError::new(whole, error.code(), error.message().as_str()),
            Failure::Argument { index, message, help } => {
                let span = arguments.get(index).cloned().unwrap_or(whole);
                let error = ExprError::new(span, "kind", message);
                match help {
                    Some(help) => error.with_help(help),
                    None => error,
                }
            }
            Failure::Other { code, message } => ExprError::new(whole, code, message),
        }
    }
}

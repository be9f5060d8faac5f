//! The errors of expressions, with their positions in the text.

use std::fmt;
use std::ops::Range;
use tilework::__private::nearest;
use tilework_hardware::Refused;

/// Why an expression has no value.
///
/// ```
/// let error = tilework_expr::Session::new().evaluate("compositon(4:1, 2:1)").unwrap_err();
/// assert_eq!((error.span, error.code), (0..10, "name"));
/// assert_eq!(error.help.as_deref(), Some("did you mean `composition`?"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExprError {
    /// The bytes of the expression that the error is about.
    pub span: Range<usize>,
    /// A short name of the condition that will not change: that of [`tilework::Error::code`], or one of `syntax`,
    /// `name`, `arguments`, `kind`, `limit` for errors of expressions.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// Advice, if there is any.
    pub help: Option<String>,
}

impl ExprError {
    /// The error that a whole text has the wrong kind; `kind` is that of its value.
    ///
    /// ```
    /// let error = tilework_expr::ExprError::wrong_kind("4:1", "a shape", "a layout");
    /// assert_eq!(error.message, "expected a shape, found a layout");
    /// ```
    #[must_use]
    pub fn wrong_kind(text: &str, wanted: &str, kind: &str) -> ExprError {
        ExprError::new(0..text.len(), "kind", format!("expected {wanted}, found {kind}"))
    }

    /// An error at a place in the text.
    ///
    /// ```
    /// let error = tilework_expr::ExprError::new(0..1, "syntax", "expected a name");
    /// assert_eq!(error.to_string(), "syntax: expected a name");
    /// ```
    #[must_use]
    pub fn new(span: Range<usize>, code: &'static str, message: impl Into<String>) -> ExprError {
        ExprError { span, code, message: message.into(), help: None }
    }

    /// An error of the algebra at a place in the text.
    pub(crate) fn of(span: Range<usize>, error: tilework::Error) -> ExprError {
        ExprError::new(span, error.code(), error.message().as_str())
    }

    /// The error for a name outside a literal, among those that are declared.
    pub(crate) fn undeclared<'a>(
        name: &str,
        start: usize,
        declared: impl Iterator<Item = &'a str>,
    ) -> ExprError {
        let define = "a name is declared by a literal, (M,K):(1,ld), or by a fact, assume M >= 1";
        let near = nearest(name, declared);
        ExprError::new(start..start + name.len(), "name", format!("`{name}` is not declared"))
            .with_help(near.map_or(String::from(define), |near| format!("{near} {define}")))
    }

    /// The same error with advice.
    ///
    /// ```
    /// let error = tilework_expr::ExprError::new(0..1, "name", "`o` is a word of the language").with_help("choose another name");
    /// assert_eq!(error.to_string(), "name: `o` is a word of the language; choose another name");
    /// ```
    #[must_use]
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

/// The error of an operation, before its position in the text is known.
///
/// ```
/// use tilework_expr::{Failure, Value, find};
/// let failure = find("inverse").unwrap().call(&[Value::Bool(true)], &[]).unwrap_err();
/// assert!(matches!(failure, Failure::Argument { index: 0, .. }));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The algebra refuses.
    Core(tilework::Error),
    /// An argument is of the wrong kind.
    Argument {
        /// The argument, from 0.
        index: usize,
        /// The reason.
        message: String,
        /// Advice.
        help: Option<&'static str>,
    },
    /// A text is wrong at one of its characters.
    Text {
        /// The argument, from 0.
        index: usize,
        /// The bytes of the text.
        length: usize,
        /// The bytes of the character, from 0.
        at: Range<usize>,
        /// The condition.
        code: &'static str,
        /// One sentence.
        message: String,
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

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        match refused {
            Refused::Algebra(error) => Failure::Core(error),
            other => Failure::Other { code: other.code(), message: other.to_string() },
        }
    }
}

impl From<Failure> for ExprError {
    /// The error without a position in a text.
    fn from(failure: Failure) -> ExprError {
        failure.at(0..0, &[])
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Core(error) => error.fmt(f),
            Failure::Argument { message, .. }
            | Failure::Text { message, .. }
            | Failure::Other { message, .. } => f.write_str(message),
        }
    }
}

impl std::error::Error for Failure {}

impl Failure {
    /// An argument of the wrong kind.
    pub(crate) fn argument(index: usize, message: impl Into<String>) -> Failure {
        Failure::Argument { index, message: message.into(), help: None }
    }

    /// An argument of the wrong kind, with advice.
    pub(crate) fn advised(index: usize, message: impl Into<String>, help: &'static str) -> Failure {
        Failure::Argument { index, message: message.into(), help: Some(help) }
    }

    /// A value of another kind than what is wanted.
    pub(crate) fn found(index: usize, wanted: &str, kind: &str) -> Failure {
        Failure::argument(index, format!("{wanted}; found {kind}"))
    }

    /// A condition that is not one of the algebra.
    pub(crate) fn other(code: &'static str, message: impl Into<String>) -> Failure {
        Failure::Other { code, message: message.into() }
    }

    /// Adds the position: `whole` is that of the operation, `arguments` those of the operands.
    pub(crate) fn at(self, whole: Range<usize>, arguments: &[Range<usize>]) -> ExprError {
        match self {
            Failure::Core(error) => ExprError::of(whole, error),
            Failure::Argument { index, message, help } => {
                let span = arguments.get(index).cloned().unwrap_or(whole);
                let error = ExprError::new(span, "kind", message);
                match help {
                    Some(help) => error.with_help(help),
                    None => error,
                }
            }
            Failure::Text { index, length, at, code, message } => {
                // Within the quotation marks, if it is not the value of a variable; without a position, of the text alone.
                let span = match arguments.get(index) {
                    Some(own) if own.len() == length + 2 => own.start + at.start + 1..own.start + at.end + 1,
                    Some(own) if own.len() == length => own.start + at.start..own.start + at.end,
                    Some(own) => own.clone(),
                    None => at,
                };
                ExprError::new(span, code, message)
            }
            Failure::Other { code, message } => ExprError::new(whole, code, message),
        }
    }
}

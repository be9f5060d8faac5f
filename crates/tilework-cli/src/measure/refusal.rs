//! Why nothing was measured.

use tilework_expr::ExprError;
use tilework_kernels::Error;

/// Why nothing was measured.
#[derive(Debug)]
pub enum Refusal {
    /// An operand that is not a layout.
    Expression {
        /// The text that was evaluated.
        text: String,
        /// The error, with its position.
        error: Box<ExprError>,
    },
    /// Anything else: a stable name, and a sentence.
    Other(&'static str, String),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Other(error.code(), error.to_string())
    }
}

impl From<tilework::Error> for Refusal {
    fn from(error: tilework::Error) -> Refusal {
        Refusal::Other(error.code(), error.message().as_str().to_string())
    }
}

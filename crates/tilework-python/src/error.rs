//! Errors as Python exceptions.

use crate::description::Fault;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use tilework_expr::{ExprError, Failure, Value, einfold_refused};

/// What a function gives; the library's own errors and Python's become a refusal.
pub type Result<T, E = Refusal> = std::result::Result<T, E>;

/// Why a function has no result: an error of the library, or a Python exception.
pub enum Refusal {
    /// With the text that the error is about, if it is about one.
    Library(Box<(ExprError, String)>),
    Python(PyErr),
}

/// A refusal as a result.
pub fn refuse<T>(code: &'static str, message: impl Into<String>) -> Result<T> {
    Err(Refusal::new(code, message))
}

impl Refusal {
    pub fn new(code: &'static str, message: impl Into<String>) -> Refusal {
        ExprError::new(0..0, code, message).into()
    }

    /// Why a text has no value; the position is in characters, as in Python.
    pub fn of_text(text: &str, mut error: ExprError) -> Refusal {
        let characters = |end: usize| text.get(..end).map_or(0, |before| before.chars().count());
        error.span = characters(error.span.start)..characters(error.span.end);
        Refusal::Library(Box::new((error, text.into())))
    }

    /// Why a pattern of `einfold` is refused.
    pub fn of_pattern(pattern: &str, error: tilework::Error) -> Refusal {
        Refusal::of_text(pattern, einfold_refused(pattern, error).into())
    }

    /// Why a function refuses these arguments, the first of which may be a text.
    pub fn of_call(failure: Failure, arguments: &[Value]) -> Refusal {
        match (&failure, arguments) {
            (Failure::Text { .. }, [Value::Text(text), ..]) => Refusal::of_text(text, failure.into()),
            _ => failure.into(),
        }
    }

    /// Adds a sentence about what to write instead.
    pub fn help(self, help: impl Into<String>) -> Refusal {
        match self {
            Refusal::Library(mut error) => {
                error.0.help = Some(help.into());
                Refusal::Library(error)
            }
            exception => exception,
        }
    }

    /// Whether this condition was refused.
    pub fn has_code(&self, code: &str) -> bool {
        matches!(self, Refusal::Library(error) if error.0.code == code)
    }

    /// Adds the name of the refused argument.
    pub fn of_argument(self, name: &str) -> Refusal {
        match self {
            Refusal::Library(mut error) => {
                error.0.message = format!("{name}: {}", error.0.message);
                Refusal::Library(error)
            }
            exception => exception,
        }
    }

    /// Another kind of value than what is wanted.
    pub fn expected(wanted: &str, found: &str) -> Refusal {
        Refusal::new("kind", format!("expected {wanted}, found {found}"))
    }

    /// An argument of an unsupported type.
    pub fn kind(wanted: &str, found: &Bound<'_, PyAny>) -> Refusal {
        let kind = found.get_type();
        let name = kind.name().map_or_else(|_| String::from("?"), |name| name.to_string());
        if kind.module().is_ok_and(|module| module.to_string().starts_with("sympy."))
            && let Ok(text) = found.str()
        {
            return Refusal::new("kind", format!("expected {wanted}, found the symbol {text}"))
                .help("tilework.Layout takes symbols as names");
        }
        Refusal::new("kind", format!("expected {wanted}, found an object of type {name}"))
    }
}

impl From<tilework::Error> for Refusal {
    fn from(error: tilework::Error) -> Refusal {
        Refusal::new(error.code(), error.message().as_str())
    }
}

/// Errors with a code and a sentence.
macro_rules! refusals {
    ($($error:ty)*) => {$(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Refusal {
                Refusal::new(error.code(), error.to_string())
            }
        }
    )*};
}
refusals! {
    tilework_formats::Error tilework_hardware::Refused tilework_hardware::operand::Illegal
    tilework_kernels::Error tilework_sharding::Error
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        match fault {
            Fault::Layout(error) => error.into(),
            Fault::Description(message) => Refusal::new("array", message),
        }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        ExprError::from(failure).into()
    }
}

impl From<ExprError> for Refusal {
    fn from(error: ExprError) -> Refusal {
        Refusal::Library(Box::new((error, String::new())))
    }
}

impl From<PyErr> for Refusal {
    fn from(error: PyErr) -> Refusal {
        Refusal::Python(error)
    }
}

impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> PyErr {
        let error = match refusal {
            Refusal::Python(error) => return error,
            Refusal::Library(error) => error,
        };
        Python::attach(|py| exception(py, &error).map_or_else(|failed| failed, PyErr::from_value))
    }
}

/// The exception of the class for this code; the classes are in `tilework/errors.py`.
fn exception<'py>(py: Python<'py>, (error, text): &(ExprError, String)) -> PyResult<Bound<'py, PyAny>> {
    static OF_CODE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let base = OF_CODE.import(py, "tilework.errors", "TileworkError")?;
    let span = (error.span.start, error.span.end);
    base.call_method1("of", (error.code, &error.message, error.help.as_deref(), span, text))
}

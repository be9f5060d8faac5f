//! What every file says: Python's classes, an object of Python, and what a function gives.

pub use crate::error::{Refusal, Result, refuse};
pub use pyo3::prelude::*;

/// An object of Python.
pub type Object<'py> = Bound<'py, PyAny>;

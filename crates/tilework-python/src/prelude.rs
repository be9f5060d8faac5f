//! What every file says: Python's classes, an object of Python, and what a function gives.

pub use crate::error::{Refusal, Result, refuse};
pub use pyo3::prelude::*;
pub use pyo3::sync::PyOnceLock;
pub use pyo3::types::{
    IntoPyDict, PyBool, PyByteArray, PyBytes, PyCapsule, PyComplex, PyDict, PyInt, PyList, PyMemoryView,
    PySlice, PyString, PyTuple, PyType,
};
pub use pyo3::{IntoPyObjectExt, intern};

/// An object of Python.
pub type Object<'py> = Bound<'py, PyAny>;

/// What most functions of Python make.
pub type Made<'py> = PyResult<Object<'py>>;

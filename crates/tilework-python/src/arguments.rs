//! Counts that Python gives: one that is negative or too large is refused with its name.

use crate::error::Refusal;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

pub fn threads(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    count("threads", given)
}

pub fn groups(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    count("groups", given)
}

fn count(name: &str, given: &Bound<'_, PyAny>) -> PyResult<usize> {
    given.extract().map_err(|error: PyErr| {
        if !error.is_instance_of::<PyOverflowError>(given.py()) {
            return error;
        }
        Refusal::new("argument", format!("{name} is {given}; it has to be from 0 to 2^64 - 1")).into()
    })
}

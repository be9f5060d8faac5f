//! Layouts, plain or swizzled, as arguments and as objects.

use crate::classes::{self, AnyLayout};
use crate::error::Refusal;
use crate::tuple;
use pyo3::prelude::*;
use tilework_expr::Value;

/// An argument as a layout, plain or swizzled.
pub fn any_layout(object: &Bound<'_, PyAny>) -> Result<tilework::AnyLayout, Refusal> {
    if let Ok(layout) = object.cast::<AnyLayout>()
        && let Some(layout) = layout.get().plain()
    {
        return Ok((*layout).into());
    }
    match tuple::value(object)?.as_any_layout() {
        Some(layout) => Ok(layout?),
        None => Err(Refusal::kind("a layout, plain or swizzled,", object)),
    }
}

/// The Python object of a layout, plain or swizzled.
pub fn any_object(py: Python<'_>, layout: tilework::AnyLayout) -> PyResult<Bound<'_, PyAny>> {
    classes::object(py, Value::from(layout))
}

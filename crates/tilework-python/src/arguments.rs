//! Arguments as what a function takes; any other object is refused with what is expected.

use crate::prelude::*;
use crate::tuple;
use pyo3::exceptions::PyOverflowError;
use tilework::{AnyLayout, Error, Layout, Offset, Shape, Tiler};
use tilework_expr::Value;

macro_rules! values {
    ($($(#[$doc:meta])* $name:ident: $type:ty, $wanted:literal, $read:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(object: &Object<'_>) -> Result<$type> {
            let read: fn(&Value) -> Option<Result<$type, Error>> = $read;
            match read(&tuple::value(object)?) {
                Some(value) => Ok(value?),
                None => Err(Refusal::kind($wanted, object)),
            }
        }
    )*};
}
values! {
    /// A layout; a shape is its compact layout.
    layout: Layout, "a layout", Value::as_layout;
    /// A layout, plain or swizzled.
    any_layout: AnyLayout, "a layout", Value::as_any_layout;
    tiler: Tiler, "a tiler", Value::as_tiler;
    shape: Shape, "a shape", |value| value.as_shape().map(Ok);
    offset: Offset, "an offset", |value| value.as_offset().map(Ok);
}

pub fn threads(given: &Object<'_>) -> PyResult<usize> {
    count("threads", given)
}

pub fn groups(given: &Object<'_>) -> PyResult<usize> {
    count("groups", given)
}

/// A count that is negative or too large is refused with its name.
fn count(name: &str, given: &Object<'_>) -> PyResult<usize> {
    given.extract().map_err(|error: PyErr| {
        if !error.is_instance_of::<PyOverflowError>(given.py()) {
            return error;
        }
        Refusal::new("argument", format!("{name} is {given}; it has to be from 0 to 2^64 - 1")).into()
    })
}

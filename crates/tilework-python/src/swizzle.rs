//! `Swizzle`.

use crate::classes::Swizzle;
use crate::members::{self, attributes};
use crate::prelude::*;
use crate::tuple;
use tilework_expr::Value;

#[pymethods]
impl Swizzle {
    #[new]
    fn new(bits: i64, base: i64, shift: i64) -> Result<Swizzle> {
        Ok(Swizzle(tilework::Swizzle::new(bits, base, shift)?))
    }

    /// The swizzled offset.
    fn __call__(&self, offset: &Object<'_>) -> Result<i64> {
        match tuple::integer(offset)? {
            Some(offset) => Ok(self.0.apply(offset)?),
            None => Err(Refusal::kind("an integer", offset)),
        }
    }

    fn __matmul__<'py>(&self, right: &Object<'py>) -> Made<'py> {
        if let Ok(other) = right.cast::<Swizzle>() {
            let one = self.0.compose(other.get().0).map_err(Refusal::from)?;
            return Ok(Bound::new(right.py(), Swizzle(one))?.into_any());
        }
        crate::operation::call(
            right.py(),
            crate::operation::row!("composition"),
            &[Value::Swizzle(self.0), tuple::value(right)?],
            &[],
        )
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Swizzle({}, {}, {})", self.0.bits(), self.0.base(), self.0.shift())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Object<'py>, (String,))> {
        members::unpickled(py, self.__str__())
    }
}

attributes! {
    Swizzle:
    /// The number of bits that are XORed, `B`.
    bits: u32 = |swizzle| swizzle.0.bits();
    /// The number of low bits that are kept, `M`.
    base: u32 = |swizzle| swizzle.0.base();
    /// The distance of the fields, `S`.
    shift: i32 = |swizzle| swizzle.0.shift();
    /// The field that is read.
    source_mask: i64 = |swizzle| swizzle.0.source_mask();
    /// The field that is changed.
    target_mask: i64 = |swizzle| swizzle.0.target_mask();
}

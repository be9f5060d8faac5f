//! Layouts of data in memory as arguments and as objects.

use crate::elements::PyTensor;
use crate::prelude::*;
use crate::tuple;
use tilework_expr::Value;

/// Data in memory: a value, whose elements may have a width, and its layout.
pub struct Data {
    pub value: Value,
    pub layout: tilework::AnyLayout,
}

impl Data {
    /// An argument: a layout, plain or swizzled, or a tensor.
    pub fn of(object: &Object<'_>) -> Result<Data> {
        let value = match object.cast::<PyTensor>() {
            Ok(tensor) => tensor.get().typed()?,
            Err(_) => tuple::value(object)?,
        };
        match value.as_data() {
            Some(layout) => Ok(Data { layout: layout?, value }),
            None => Err(Refusal::kind("a layout, plain or swizzled, or a tensor", object)),
        }
    }

    /// The layout, if it is plain.
    pub fn plain(&self, object: &Object<'_>) -> Result<tilework::Layout> {
        match self.layout {
            tilework::AnyLayout::Plain(layout) => Ok(layout),
            tilework::AnyLayout::Swizzled(_) => Err(Refusal::kind("a plain layout", object)),
        }
    }
}

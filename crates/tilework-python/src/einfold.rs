//! Modes by names, of everything that has modes or axes.

use crate::elements::PyTensor;
use crate::operation::{call, row};
use crate::prelude::*;
use crate::symbolic::classes::SymbolicLayout;
use crate::{array, tuple};
use tilework::{Einfold, HTuple, Layout, Leaf};
use tilework_expr::Value;

/// The value with its modes by a pattern; an array as a view of the same memory.
pub fn einfold<'py>(pattern: &str, value: &Object<'py>, sizes: Option<&Bound<'py, PyDict>>) -> Made<'py> {
    let mut text = pattern.to_string();
    for (name, size) in sizes.into_iter().flatten() {
        text += &format!(", {}={}", name.extract::<String>()?, size.extract::<i64>()?);
    }
    let py = value.py();
    let arguments = |value| [Value::Text(text.as_str().into()), value];
    if let Ok(tensor) = value.cast::<PyTensor>() {
        let tensor = tensor.get();
        let arguments = arguments(tensor.layout_value());
        let folded = row!("einfold").call(&arguments, &[]);
        return match folded.map_err(|failure| Refusal::of_call(failure, &arguments))? {
            Value::Layout(layout) => Ok(Bound::new(py, tensor.arranged(&layout)?)?.into_any()),
            other => Err(Refusal::expected("a layout", other.kind()).into()),
        };
    }
    if let Ok(layout) = value.cast::<SymbolicLayout>() {
        return layout.get().einfold(py, &text);
    }
    let is_array = value.hasattr("__array_interface__")? && array::is_plain(value)?;
    match is_array || value.hasattr("as_strided")? {
        true => view(&text, value),
        false => call(py, row!("einfold"), &arguments(tuple::value(value)?), &[]),
    }
}

/// An array of NumPy or PyTorch as a view.
fn view<'py>(pattern: &str, array: &Object<'py>) -> Made<'py> {
    let is_torch = array.hasattr("as_strided")?;
    let shape: Vec<i64> = array.getattr("shape")?.extract()?;
    let strides = if is_torch { array.call_method0("stride")? } else { array.getattr("strides")? };
    let strides: Vec<i64> = strides.extract()?;
    let axes: Vec<_> =
        shape.iter().zip(&strides).map(|(&n, &step)| HTuple::leaf(Leaf::new(n, step))).collect();
    let layout = HTuple::tuple(&axes).and_then(Layout::new).map_err(Refusal::from)?;
    let folded = Einfold::parse(pattern).and_then(|own| own.array(&layout));
    let folded = folded.map_err(|error| match Refusal::of_pattern(pattern, error) {
        refusal if refusal.has_code("pattern") => {
            refusal.help("einops.rearrange copies, where no view is possible")
        }
        refusal => refusal,
    })?;
    let steps = folded.leaves().iter().map(|leaf| leaf.stride.count().numerator());
    let shape = PyTuple::new(array.py(), folded.shape().leaves())?;
    let strides = PyTuple::new(array.py(), steps)?;
    if is_torch {
        return array.call_method1("as_strided", (shape, strides));
    }
    let tricks = array.py().import("numpy.lib.stride_tricks")?;
    let writeable =
        [("writeable", array.getattr("flags")?.getattr("writeable")?)].into_py_dict(array.py())?;
    tricks.getattr("as_strided")?.call((array, shape, strides), Some(&writeable))
}

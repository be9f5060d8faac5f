//! Strides that are not numbers: multiples of a basis element, and XOR strides.

use crate::classes::Stride;
use crate::members::{self, attributes};
use crate::prelude::*;
use crate::tuple;
use tilework::{HTuple, Rational, Unit};
use tilework_expr::Value;

#[pymethods]
impl Stride {
    fn __mul__<'py>(&self, count: &Object<'py>) -> Made<'py> {
        let py = count.py();
        let Some(count) = tuple::rational(count)? else { return py.NotImplemented().into_bound_py_any(py) };
        tuple::stride_object(py, scale(self.0, count)?)
    }

    fn __rmul__<'py>(&self, count: &Object<'py>) -> Made<'py> {
        self.__mul__(count)
    }

    fn __truediv__<'py>(&self, divisor: &Object<'py>) -> Made<'py> {
        let py = divisor.py();
        let Some(by) = tuple::rational(divisor)? else { return py.NotImplemented().into_bound_py_any(py) };
        let inverse = Rational::new(by.denominator(), by.numerator()).map_err(Refusal::from)?;
        tuple::stride_object(py, scale(self.0, inverse)?)
    }

    fn __add__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        sum(other.py(), Some(self.0), element(other)?)
    }

    fn __radd__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.__add__(other)
    }

    fn __sub__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        sum(other.py(), Some(self.0), element(other)?.map(negated).transpose()?)
    }

    fn __rsub__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        sum(other.py(), element(other)?, Some(negated(self.0)?))
    }

    fn __neg__<'py>(&self, py: Python<'py>) -> Made<'py> {
        tuple::stride_object(py, negated(self.0)?)
    }

    /// As the language prints the value: a sum is a coordinate.
    fn __str__(&self) -> Result<String> {
        Ok(Value::strides(&HTuple::leaf(self.0))?.to_string())
    }

    fn __repr__(&self) -> String {
        if self.0.unit().is_xor() {
            return format!("xor({})", self.0.count().numerator());
        }
        let terms: Vec<String> = self.0.terms().map(multiple).collect();
        terms.join(" + ")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Object<'py>, (String,))> {
        members::unpickled(py, self.0.to_string())
    }
}

attributes! {
    Stride:
    /// The path of the basis element, the outermost index first; `None` for an XOR stride and a sum.
    path: PyResult<Option<Bound<'py, PyTuple>>> = |stride, py| {
        let ((path, depth), is_one) = (stride.0.unit().path(), !stride.0.unit().is_xor() && !stride.0.is_sum());
        is_one.then(|| PyTuple::new(py, &path[..depth])).transpose()
    };
    /// The number of units: an integer or a fraction.
    count: Made<'py> = |stride, py| tuple::rational_object(py, stride.0.count());
    /// Whether this is an XOR stride.
    is_xor: bool = |stride| stride.0.unit().is_xor();
}

/// A stride, or a number as a multiple of 1; none for anything else.
fn element(value: &Object<'_>) -> PyResult<Option<tilework::Stride>> {
    if let Ok(stride) = value.cast::<Stride>() {
        return Ok(Some(stride.get().0));
    }
    let number = tuple::rational(value)?.map(|count| tilework::Stride::new(count, Unit::ONE));
    Ok(number.transpose().map_err(Refusal::from)?)
}

/// XOR is its own inverse.
fn negated(stride: tilework::Stride) -> Result<tilework::Stride> {
    Ok(if stride.unit().is_xor() { stride } else { stride.scale(-1)? })
}

/// `left + right`, or what tells Python that one of them is no element.
fn sum<'py>(py: Python<'py>, left: Option<tilework::Stride>, right: Option<tilework::Stride>) -> Made<'py> {
    let (Some(left), Some(right)) = (left, right) else { return py.NotImplemented().into_bound_py_any(py) };
    tuple::stride_object(py, left.add(right).map_err(Refusal::from)?)
}

/// A multiple of a basis element as Python writes it.
fn multiple(stride: tilework::Stride) -> String {
    let (path, depth) = stride.unit().path();
    let path: Vec<String> = path[..depth].iter().map(usize::to_string).collect();
    let basis = format!("E({})", path.join(","));
    let count = stride.count();
    match (count.numerator(), count.denominator()) {
        (1, 1) => basis,
        (numerator, 1) => format!("{numerator}*{basis}"),
        (numerator, denominator) => format!("{numerator}*{basis}/{denominator}"),
    }
}

/// `count * stride`, for fractions too.
fn scale(stride: tilework::Stride, count: Rational) -> Result<tilework::Stride> {
    if count.is_integer() {
        return Ok(stride.scale(count.numerator())?);
    }
    // The product of two fractions, the numerators first, so that common factors cancel.
    let product = stride.count().scale(count.numerator())?;
    let by_denominator = i128::from(product.denominator()) * i128::from(count.denominator());
    let denominator = i64::try_from(by_denominator).map_err(|_| tilework::Error::Overflow {
        left: product.denominator(),
        operator: '*',
        right: count.denominator(),
    })?;
    Ok(tilework::Stride::new(Rational::new(product.numerator(), denominator)?, stride.unit())?)
}

/// The basis element of a path: `E(0)` is the unit of mode 0, `E(1, 0)` that of mode 0 of mode 1.
///
/// >>> from tilework import E, Layout
/// >>> print(Layout((4, (8, 2)), (E(0), (E(1, 0), E(1, 1)))))
/// (4,(8,2)):(1@0,(1@0@1,1@1@1))
///
/// Sums and differences are strides too, which step along several components:
///
/// >>> diagonal = Layout(8, E(0) + E(1))
/// >>> print(diagonal, diagonal(3), Layout(8, E(0) - 2 * E(1)))
/// 8:(1@0+1@1) (3, 3) 8:(1@0-2@1)
///
/// `E()` is 1.
#[pyfunction]
#[pyo3(name = "E", signature = (*path))]
pub fn basis<'py>(path: &Bound<'py, PyTuple>) -> Made<'py> {
    let py = path.py();
    let whole = match path.len() {
        1 => tuple::tuple(&path.get_item(0)?)?,
        _ => tuple::tuple(path)?,
    };
    let wrong = || Refusal::new("kind", "E takes the indices of a path, each 0 or more");
    let indices: Option<Vec<usize>> =
        whole.integers(0).ok().and_then(|t| t.leaves().iter().map(|&i| usize::try_from(i).ok()).collect());
    let stride = tilework::Stride::basis(1, &indices.ok_or_else(wrong)?).map_err(Refusal::from)?;
    tuple::stride_object(py, stride)
}

/// The XOR stride `^value`, `F2(value)` in PyCuTe: multiples are carry-less products, sums are XORs.
///
/// >>> from tilework import Layout, xor
/// >>> swizzled = Layout((4, 4), (xor(1), xor(5)))
/// >>> print(swizzled, swizzled(3, 1))
/// (4,4):(^1,^5) 6
#[pyfunction]
pub fn xor<'py>(value: &Object<'py>) -> Made<'py> {
    let Some(count) = tuple::integer(value)? else {
        return Err(Refusal::kind("an integer", value).into());
    };
    tuple::stride_object(value.py(), tilework::Stride::xor(count).map_err(Refusal::from)?)
}

//! GEMM, contraction and convolution on arrays.
//!
//! The interpreter lock is released while they run. As with NumPy, other threads can write to the arrays meanwhile,
//! with arbitrary results.

use crate::arguments;
use crate::array::{NewArray, read_only};
use crate::calls::{Signature, run};
use crate::dtype::{DType, result_type, same_types, types};
use crate::elements::{Bounds, Place, PyTensor, memory};
use crate::empty::{self, Contracted};
use crate::prelude::*;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use std::borrow::Borrow;
use tilework::{AnyLayout, Codomain, Layout, Tensor};
use tilework_kernels::dynamic::{Data, Located, Plan};
use tilework_kernels::{Convolution, Einsum, Error, are_disjoint};

/// The part of a tensor's memory that a kernel gets, and the offset at which the layout begins in it.
#[derive(Clone, Copy)]
pub struct Part {
    pub first: *mut u8,
    pub len: usize,
    bytes: usize,
    pub tensor: Tensor<Bounds, AnyLayout>,
}

// SAFETY: the calls below keep the array alive.
unsafe impl Send for Part {}
// SAFETY: as above.
unsafe impl Sync for Part {}

impl Part {
    fn of(name: &str, tensor: &PyTensor) -> Result<(Part, DType)> {
        let array = memory(name, tensor)?;
        if !array.is_aligned() {
            let message =
                format!("{name} does not begin at a multiple of the bytes of its elements; a copy does");
            return refuse("array", message);
        }
        let bytes = array.dtype.bytes();
        let own = in_memory(tensor)?;
        let part = match own.layout() {
            // Only the memory that the layout reaches, so that others can use the rest.
            AnyLayout::Plain(layout) if layout.codomain() == Codomain::Integer => {
                let (min, max) = (layout.min_offset()?, layout.max_offset()?);
                let tensor = from_lowest(*own.layout())?;
                Part { first: array.at(own.offset() + min), len: (max - min + 1) as usize, bytes, tensor }
            }
            _ => Part { first: array.at(0), len: array.len, bytes, tensor: *own },
        };
        Ok((part, array.dtype))
    }

    fn address(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.len * self.bytes
    }

    fn meets_interval_of(&self, other: &Part) -> bool {
        let (own, other) = (self.address(), other.address());
        own.start < other.end && other.start < own.end
    }

    fn is_disjoint(&self, other: &Part) -> bool {
        let operand = |part: &Part| (part.first.cast_const(), part.bytes);
        let ((first, bytes), (second, other_bytes)) = (operand(self), operand(other));
        are_disjoint((&self.tensor, first, bytes), (&other.tensor, second, other_bytes))
    }

    /// The same in a copy of its memory, which is returned too.
    fn copied(&self) -> Result<(Part, Vec<u128>), Error> {
        let bytes = self.len * self.bytes;
        let mut own: Vec<u128> = Vec::new();
        own.try_reserve_exact(bytes.div_ceil(16)).map_err(|_| Error::Memory { bytes: bytes as u128 })?;
        own.resize(bytes.div_ceil(16), 0);
        let first = own.as_mut_ptr().cast::<u8>();
        // SAFETY: the elements are in the memory of an array, and the copy has room for them.
        unsafe { std::ptr::copy_nonoverlapping(self.first, first, bytes) };
        Ok((Part { first, ..*self }, own))
    }

    fn data(&self) -> Data {
        Data { first: self.first, len: self.len }
    }
}

/// A layout in memory that begins at its smallest offset; if it is not a plain layout, at offset 0.
pub fn from_lowest(layout: AnyLayout) -> Result<Tensor<Bounds, AnyLayout>, Error> {
    let start = match layout {
        AnyLayout::Plain(layout) if layout.codomain() == Codomain::Integer => -layout.min_offset()?,
        _ => 0,
    };
    Ok(Tensor::with_offset(Bounds::default(), start, layout)?)
}

/// The tensor, if its elements are in memory.
pub fn in_memory(tensor: &PyTensor) -> Result<&Tensor<Bounds, AnyLayout>, Error> {
    match &tensor.place {
        Place::Memory(tensor) => Ok(tensor),
        Place::Coordinates(_) => Err(Error::Codomain { operand: "a tensor" }),
    }
}

/// The operands that are read and, last, the one that is written.
pub struct Operands {
    parts: Vec<(Part, DType)>,
    /// The memory of operands that were copied.
    copies: Vec<Vec<u128>>,
}

impl Operands {
    /// Refuses an output that shares memory with an operand. The kernels take slices, so an operand whose elements
    /// interleave with those of the output is copied.
    pub fn new(read: &[(&str, &PyTensor)], written: (&str, &PyTensor)) -> Result<Operands> {
        let mut operands = Operands { parts: Vec::new(), copies: Vec::new() };
        for (name, tensor) in read {
            operands.parts.push(Part::of(name, tensor)?);
        }
        if !memory(written.0, written.1)?.writable {
            return Err(read_only().of_argument(written.0));
        }
        let output = Part::of(written.0, written.1)?;
        for (part, _) in &mut operands.parts {
            if !part.meets_interval_of(&output.0) {
                continue;
            }
            if !part.is_disjoint(&output.0) {
                return Err(Error::Overlap.into());
            }
            let (copy, memory) = part.copied()?;
            *part = copy;
            operands.copies.push(memory);
        }
        operands.parts.push(output);
        Ok(operands)
    }

    /// Remembers the call that was made with these, if none of them is a copy.
    fn remember(self, signature: Option<Signature<'_>>, plan: Plan, result: Option<NewArray>) {
        if let Some(signature) = signature
            && self.copies.is_empty()
        {
            let memory = self.parts.iter().map(|(part, _)| (part.data(), part.bytes));
            signature.remember(plan, memory, result);
        }
    }

    fn types(&self) -> Vec<DType> {
        self.parts.iter().map(|part| part.1).collect()
    }

    /// An operand that is read, or, last, the one that is written.
    pub fn part(&self, index: usize) -> Part {
        self.parts[index].0
    }
}

/// Runs a plan on the memory of its tensors, the output last.
pub fn run_plan<P: Borrow<Plan> + Send>(
    py: Python<'_>,
    Operands { parts, copies: _ }: &Operands,
    (alpha, beta): (f64, f64),
    threads: usize,
    plan: impl FnOnce(&[&dyn Located]) -> Result<P, Error> + Send,
) -> Result<P> {
    let mut data: Vec<Data> = parts.iter().map(|(part, _)| part.data()).collect();
    let output = data.pop();
    run(py, threads, |execution| {
        let tensors: Vec<&dyn Located> = parts.iter().map(|(part, _)| &part.tensor as &dyn Located).collect();
        let plan = plan(&tensors)?;
        if let Some(output) = output {
            // SAFETY: the types are those of the arrays, which are aligned, and the output does not overlap the
            // operands.
            unsafe { plan.borrow().run_raw(alpha, &data, beta, output, execution) }?;
        }
        Ok(plan)
    })
}

/// `C = alpha A B + beta C` for `A` of `(M,K)`, `B` of `(N,K)` and `C` of `(M,N)`, as in CuTe, or a batch of them, with
/// a third mode in all three. Without `c` the result is a new array.
///
/// >>> import numpy as np
/// >>> from tilework import gemm
/// >>> a, b = np.arange(6.0).reshape(2, 3), np.ones((4, 3))
/// >>> gemm(a, b)
/// array([[ 3.,  3.,  3.,  3.],
///        [12., 12., 12., 12.]])
///
/// So `a @ b` of NumPy is `gemm(a, b.T)`. Extents may be 0; if K is, the product is 0. The elements are float32, float64, float16, bfloat16, or int8 with sums of int32, which wrap
/// and have integers as `alpha` and `beta`.
#[pyfunction]
#[pyo3(signature = (a, b, c=None, *, alpha=1.0, beta=0.0, threads=1))]
pub fn gemm<'py>(
    a: &Object<'py>,
    b: &Object<'py>,
    c: Option<&Object<'py>>,
    alpha: f64,
    beta: f64,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
) -> Result<Object<'py>> {
    let py = a.py();
    check_beta(beta, c)?;
    let signature = Signature::new(None, [a, b], c);
    if let Some(signature) = &signature
        && let Some(result) = signature.again(py, c, (alpha, beta), threads)
    {
        return result;
    }
    let (left, right) = match (PyTensor::of_argument("A", a), PyTensor::of_argument("B", b)) {
        (Err(refusal), _) | (Ok(_), Err(refusal)) if refusal.has_code("extent") => {
            let spec = empty::product(a)?;
            let operands = [("A", a.clone()), ("B", b.clone())];
            return contract_empty(py, spec, &operands, c.map(|c| ("C", c)), beta, threads);
        }
        (left, right) => (left?, right?),
    };
    let (output, made) = match c {
        Some(c) => (c.clone(), None),
        None => {
            // The plan refuses a tensor with too few modes.
            let size = |tensor: &PyTensor, mode| tensor.layout().mode(mode).map_or(1, |mode| mode.size());
            let mut shape = vec![size(&left, 0), size(&right, 0)];
            shape.extend((2..left.layout().rank()).map(|mode| size(&left, mode)));
            let result = NewArray::row_major(shape, result_type(memory("A", &left)?.dtype));
            (result.make(py)?, Some(result))
        }
    };
    let target = PyTensor::of_argument("C", &output)?;
    let operands = Operands::new(&[("A", &left), ("B", &right)], ("C", &target))?;
    let types = types("gemm", same_types(&operands.types())?)?;
    let plan = run_plan(py, &operands, (alpha, beta), threads, |places| {
        Plan::gemm(types, places[0], places[1], places[2])
    })?;
    operands.remember(signature, plan, made);
    Ok(output)
}

/// Refuses to add to a new result.
fn check_beta(beta: f64, output: Option<&Object<'_>>) -> Result<()> {
    if beta == 0.0 || output.is_some() {
        return Ok(());
    }
    let message = format!("beta is {beta}, and no output is given to which the result could be added");
    refuse("arguments", message)
}

fn mode_size(tensor: &PyTensor, mode: usize) -> Result<i64> {
    Ok(tensor.layout().mode(mode)?.size())
}

/// Sums of products in Einstein's notation, as in `numpy.einsum`, over any number of operands. Without `out` the result
/// is a new array.
///
/// >>> import numpy as np
/// >>> from tilework import einsum
/// >>> a = np.arange(6.0).reshape(2, 3)
/// >>> einsum("mk,nk->mn", a, a)
/// array([[ 5., 14.],
///        [14., 50.]])
/// >>> einsum("ij->", a).item()
/// 15.0
///
/// A label names a mode of a layout, which may be nested. A new result has the strides with which it is written
/// fastest; `numpy.ascontiguousarray` makes it row-major. Extents may be 0, as in NumPy.
#[pyfunction]
#[pyo3(signature = (spec, *operands, out=None, alpha=1.0, beta=0.0, threads=1))]
pub fn einsum<'py>(
    spec: &str,
    operands: &Bound<'py, PyTuple>,
    out: Option<&Object<'py>>,
    alpha: f64,
    beta: f64,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
) -> Result<Object<'py>> {
    let py = operands.py();
    check_beta(beta, out)?;
    let signature = Signature::new(Some(spec), operands.iter_borrowed(), out);
    if let Some(signature) = &signature
        && let Some(result) = signature.again(py, out, (alpha, beta), threads)
    {
        return result;
    }
    let names: Vec<String> = (1..=operands.len()).map(|number| format!("operand {number}")).collect();
    let mut tensors = Vec::new();
    for (name, operand) in names.iter().zip(operands.iter()) {
        match PyTensor::of_argument(name, &operand) {
            Err(refusal) if refusal.has_code("extent") => {
                let operands: Vec<_> = names.iter().map(String::as_str).zip(operands).collect();
                let out = out.map(|out| ("the output", out));
                return contract_empty(py, spec, &operands, out, beta, threads);
            }
            tensor => tensors.push(tensor?),
        }
    }
    let read: Vec<_> = names.iter().map(String::as_str).zip(&tensors).collect();
    let Some(out) = out else { return contract_free(py, spec, &read, (alpha, beta), threads, signature) };
    let target = PyTensor::of_argument("the output", out)?;
    let operands = Operands::new(&read, ("the output", &target))?;
    let types = types("a contraction", same_types(&operands.types())?)?;
    let plan = run_plan(py, &operands, (alpha, beta), threads, |places| {
        let (output, operands) = (places[places.len() - 1], &places[..places.len() - 1]);
        Plan::contract(types, spec, operands, output)
    })?;
    operands.remember(signature, plan, None);
    Ok(out.clone())
}

/// A contraction of which an operand has no elements.
fn contract_empty<'py>(
    py: Python<'py>,
    spec: &str,
    operands: &[(&str, Object<'py>)],
    out: Option<(&str, &Object<'py>)>,
    beta: f64,
    threads: usize,
) -> Result<Object<'py>> {
    match empty::contract(py, spec, operands, out)? {
        Contracted::Empty(result) => Ok(result),
        Contracted::Zeros(zeros) => einsum(spec, &zeros, out.map(|out| out.1), 1.0, beta, threads),
    }
}

/// A contraction into a new array, whose layout is the plan's choice.
fn contract_free<'py>(
    py: Python<'py>,
    spec: &str,
    read: &[(&str, &PyTensor)],
    factors: (f64, f64),
    threads: usize,
    signature: Option<Signature<'_>>,
) -> Result<Object<'py>> {
    let mut parts = Vec::new();
    for (name, tensor) in read {
        parts.push(Part::of(name, tensor)?);
    }
    let Some(&(_, operand)) = parts.first() else {
        return refuse("specification", "there is nothing to contract");
    };
    let output = result_type(operand);
    let types = types("a contraction", (operand, output))?;
    let located: Vec<&dyn Located> = parts.iter().map(|(part, _)| &part.tensor as &dyn Located).collect();
    let (plan, layout) = Plan::contract_with_free_output(types, spec, &located)?;
    let result = match Einsum::parse(spec)?.output() {
        [] => NewArray::row_major(Vec::new(), output),
        _ => NewArray::with_layout(&layout, output)?,
    };
    let made = result.make(py)?;
    let target = PyTensor::of(&made)?;
    let operands = Operands::new(read, ("the output", &target))?;
    same_types(&operands.types())?;
    let plan = run_plan(py, &operands, factors, threads, |_| Ok(plan))?;
    operands.remember(signature, plan, Some(result));
    Ok(made)
}

/// Convolution (correlation, as in deep learning) in one to three directions, without a buffer for the windows.
///
/// The input is `(N, directions, C)`, the filter `(K, directions, C)`, the output `(N, directions, K)`: an array has a
/// mode for each direction, a tensor with three modes has them nested. For channels first, transpose the array.
/// `stride` and `dilation` are one number or one for each direction; `padding` is one number, one for each, or a pair
/// (before, after) for each.
///
/// >>> import numpy as np
/// >>> from tilework import conv
/// >>> line, pair = np.arange(5.0).reshape(1, 5, 1), np.ones((1, 2, 1))
/// >>> conv(line, pair).ravel()
/// array([1., 3., 5., 7.])
#[pyfunction]
#[pyo3(signature = (input, filter, output=None, *, stride=None, dilation=None, padding=None, groups=1, alpha=1.0, beta=0.0, threads=1))]
#[allow(clippy::too_many_arguments)] // That many things can be said about a convolution.
pub fn conv<'py>(
    input: &Object<'py>,
    filter: &Object<'py>,
    output: Option<&Object<'py>>,
    stride: Option<PerDirection<usize>>,
    dilation: Option<PerDirection<usize>>,
    padding: Option<PerDirection<Padding>>,
    #[pyo3(from_py_with = arguments::groups)] groups: usize,
    alpha: f64,
    beta: f64,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
) -> Result<Object<'py>> {
    let py = input.py();
    check_beta(beta, output)?;
    let image = folded(&PyTensor::of_argument("the input", input)?)?;
    let weights = folded(&PyTensor::of_argument("the filter", filter)?)?;
    let windows = Windows::new(image.layout(), stride, dilation, padding, groups)?;
    let how = windows.convolution();
    let made;
    let output = match output {
        Some(output) => output,
        None => {
            let shape = output_shape(&image, &weights, &how)?;
            made = NewArray::row_major(shape, result_type(memory("the input", &image)?.dtype)).make(py)?;
            &made
        }
    };
    let target = folded(&PyTensor::of_argument("the output", output)?)?;
    let operands =
        Operands::new(&[("the input", &image), ("the filter", &weights)], ("the output", &target))?;
    let types = types("a convolution", same_types(&operands.types())?)?;
    run_plan(py, &operands, (alpha, beta), threads, |places| {
        Plan::conv(types, &how, places[0], places[1], places[2])
    })?;
    Ok(output.clone())
}

/// The movement of the filter in each direction.
pub struct Windows {
    stride: Vec<usize>,
    dilation: Vec<usize>,
    padding: Vec<(usize, usize)>,
    groups: usize,
}

impl Windows {
    /// For an input with this layout, whose directions are one mode.
    pub fn new(
        input: &Layout,
        stride: Option<PerDirection<usize>>,
        dilation: Option<PerDirection<usize>>,
        padding: Option<PerDirection<Padding>>,
        groups: usize,
    ) -> Result<Windows, Error> {
        fn spread<T: Copy>(given: Option<PerDirection<T>>, directions: usize) -> Vec<T> {
            given.map_or(Vec::new(), |given| given.spread(directions))
        }
        let directions = input.mode(1)?.rank();
        let padding = spread(padding, directions).into_iter().map(Padding::pair).collect();
        let (stride, dilation) = (spread(stride, directions), spread(dilation, directions));
        Ok(Windows { stride, dilation, padding, groups })
    }

    pub fn convolution(&self) -> Convolution<'_> {
        let Windows { stride, dilation, padding, groups } = self;
        Convolution { stride, dilation, padding, groups: *groups }
    }
}

/// One value for all directions, or one for each.
pub enum PerDirection<T> {
    One(T),
    Each(Vec<T>),
}

impl<'a, 'py, T: FromPyObjectOwned<'py>> FromPyObject<'a, 'py> for PerDirection<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(value) = object.extract() {
            return Ok(PerDirection::One(value));
        }
        object.extract().map(PerDirection::Each).map_err(|_| {
            let shown = object.repr().map_or_else(|_| String::from("?"), |shown| shown.to_string());
            let shown: String = shown.chars().take(60).collect();
            PyTypeError::new_err(format!(
                "expected numbers from 0 to 2^64 - 1, one for all directions or one for each (of a padding also pairs), found {shown}"
            ))
        })
    }
}

impl<T: Copy> PerDirection<T> {
    fn spread(self, directions: usize) -> Vec<T> {
        match self {
            PerDirection::One(value) => vec![value; directions],
            PerDirection::Each(values) => values,
        }
    }
}

/// The same number of zeros on both sides, or one number for each.
#[derive(FromPyObject, Clone, Copy)]
pub enum Padding {
    Both(usize),
    Sides(usize, usize),
}

impl Padding {
    fn pair(self) -> (usize, usize) {
        match self {
            Padding::Both(zeros) => (zeros, zeros),
            Padding::Sides(before, after) => (before, after),
        }
    }
}

fn folded(tensor: &PyTensor) -> Result<PyTensor> {
    tensor.arranged(&with_one_spatial_mode(tensor.layout())?)
}

/// The directions as one mode, if they are separate modes.
pub fn with_one_spatial_mode(layout: &Layout) -> Result<Layout, tilework::Error> {
    match layout.rank() {
        rank @ 4..=5 => layout.group(1, rank - 1),
        _ => Ok(*layout),
    }
}

/// The shape of the array that a convolution returns.
fn output_shape(image: &PyTensor, weights: &PyTensor, how: &Convolution) -> Result<Vec<i64>> {
    let mut shape = vec![mode_size(image, 0)?];
    let (directions, taps) = (image.layout().mode(1)?, weights.layout().mode(1)?);
    for direction in 0..directions.rank() {
        let at = |values: &[usize], default| values.get(direction).copied().unwrap_or(default) as i64;
        let (before, after) = how.padding.get(direction).copied().unwrap_or((0, 0));
        let extent =
            directions.mode(direction)?.size().saturating_add(before as i64).saturating_add(after as i64);
        let window = at(how.dilation, 1).saturating_mul(taps.mode(direction)?.size() - 1);
        let steps = extent.saturating_sub(window).saturating_sub(1).max(0) / at(how.stride, 1).max(1);
        shape.push(steps.saturating_add(1));
    }
    shape.push(mode_size(weights, 0)?);
    Ok(shape)
}

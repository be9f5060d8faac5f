//! Operations on arrays without elements. Layouts have no extent 0, so these arrays are never tensors.
//!
//! A sum over no index is 0. So a result with elements is that of an operation on zeros, with extent 1 where a sum is.

use crate::array::{self, Array, NewArray, read_only};
use crate::dtype::{self, result_type, same_types};
use crate::elements::{PyTensor, memory};
use crate::prelude::*;
use std::sync::Arc;
use tilework_kernels::{Einsum, Error};

/// An array with or without elements.
struct Operand {
    shape: Vec<i64>,
    array: Arc<Array>,
}

impl Operand {
    fn new(name: &str, object: &Object<'_>) -> Result<Operand> {
        if let Some((shape, array)) = array::shape_of(object).map_err(|refusal| refusal.of_argument(name))?
            && shape.contains(&0)
        {
            return Ok(Operand { shape, array: Arc::new(array) });
        }
        let tensor = PyTensor::of_argument(name, object)?;
        let layout = tensor.layout();
        let sizes = (0..layout.rank()).map(|mode| Ok(layout.mode(mode)?.size()));
        let shape = match layout.depth() {
            0 => vec![layout.size()],
            _ => sizes.collect::<Result<_, tilework::Error>>()?,
        };
        Ok(Operand { shape, array: memory(name, &tensor)?.clone() })
    }

    fn size(&self) -> i64 {
        // The other extents of an array without elements may have a product that overflows.
        if self.shape.contains(&0) { 0 } else { self.shape.iter().product() }
    }
}

/// `copy` if the source or the destination has no elements.
pub fn copy(source: &Object<'_>, destination: &Object<'_>) -> Result<()> {
    let (from, to) = (Operand::new("the source", source)?, Operand::new("the destination", destination)?);
    from.array.check_copy(&to.array)?;
    let (first, second) = (from.size(), to.size());
    match first == second {
        true => Ok(()),
        false => Err(Error::Size { operands: "source and destination", first, second }.into()),
    }
}

/// The contraction that a product with this operand `A` is.
pub fn product(a: &Object<'_>) -> Result<&'static str> {
    Ok(if Operand::new("A", a)?.shape.len() == 3 { "mkl,nkl->mnl" } else { "mk,nk->mn" })
}

/// A contraction of which an operand has no elements.
pub enum Contracted<'py> {
    /// The result, which has none either.
    Empty(Object<'py>),
    /// Operands with the same result, which has elements.
    Zeros(Bound<'py, PyTuple>),
}

/// `einsum` if an operand has no elements.
pub fn contract<'py>(
    py: Python<'py>,
    spec: &str,
    operands: &[(&str, Object<'py>)],
    out: Option<(&str, &Object<'py>)>,
) -> Result<Contracted<'py>> {
    let einsum = Einsum::parse(spec)?;
    let (expected, found) = (einsum.operands().len(), operands.len());
    if expected != found {
        let message = format!("the specification has {expected} operands, and was given {found}");
        return refuse("specification", message);
    }
    let (mut extents, mut read) = (Vec::new(), Vec::new());
    for ((name, object), labels) in operands.iter().zip(einsum.operands()) {
        let operand = Operand::new(name, object)?;
        agree(&mut extents, name, labels, &operand.shape)?;
        read.push(operand);
    }
    let extent = |label: &char| extents.iter().find(|(known, _)| known == label).map_or(1, |known| known.1);
    let shape: Vec<i64> = einsum.output().iter().map(extent).collect();
    let mut types: Vec<_> = read.iter().map(|operand| operand.array.dtype).collect();
    if !shape.contains(&0) {
        let mut zeros = Vec::new();
        for (operand, labels) in read.iter().zip(einsum.operands()) {
            let kept = |label: &char| if einsum.output().contains(label) { extent(label) } else { 1 };
            let shape = labels.iter().map(kept).collect();
            let zero = NewArray::row_major(shape, operand.array.dtype).make(py)?;
            zero.call_method1(intern!(py, "fill"), (0,))?;
            zeros.push(zero);
        }
        return Ok(Contracted::Zeros(PyTuple::new(py, zeros)?));
    }
    let Some((name, object)) = out else {
        let result = result_type(types[0]);
        types.push(result);
        dtype::types("a contraction", same_types(&types)?)?;
        return Ok(Contracted::Empty(NewArray::row_major(shape, result).make(py)?));
    };
    let written = Operand::new(name, object)?;
    agree(&mut extents, name, einsum.output(), &written.shape)?;
    types.push(written.array.dtype);
    dtype::types("a contraction", same_types(&types)?)?;
    if written.array.writable {
        Ok(Contracted::Empty(object.clone()))
    } else {
        Err(read_only().of_argument(name))
    }
}

/// Refuses a wrong number of modes, and an extent that differs from an earlier one of its label.
fn agree(extents: &mut Vec<(char, i64)>, name: &str, labels: &[char], shape: &[i64]) -> Result<()> {
    if labels.len() != shape.len() {
        let (labels, modes) = (labels.len(), shape.len());
        let message = format!("{name} has {modes} modes, and {labels} labels; each label names one mode");
        return refuse("specification", message);
    }
    for (&label, &extent) in labels.iter().zip(shape) {
        match extents.iter().find(|(known, _)| *known == label) {
            Some(&(_, first)) if first != extent => {
                let message = format!("label '{label}' has {first} values, and {extent} in {name}");
                return refuse("specification", message);
            }
            Some(_) => {}
            None => extents.push((label, extent)),
        }
    }
    Ok(())
}

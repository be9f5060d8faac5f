//! Reductions of arrays, and functions element by element.

use crate::arguments;
use crate::calls::run;
use crate::copies::ends;
use crate::dtype::DType;
use crate::elements::PyTensor;
use crate::kernels::{Operands, Part};
use crate::prelude::*;
use std::num::Wrapping;
use std::ops::{Add, Mul};
use tilework::{AnyLayout, Tensor};
use tilework_kernels::{Error, Execution, RawMemory};

/// How two elements are joined.
#[derive(Clone, Copy)]
enum Join {
    Sum,
    Product,
    Min,
    Max,
}

/// For each coordinate `i`, joins `src[i]` to `dst[i]`: modes in which the destination has stride 0 are reduced;
/// `operation` is "sum", "product", "min" or "max". The previous values of the destination take part.
///
/// >>> import numpy as np
/// >>> from tilework import Tensor, reduce
/// >>> matrix, largest = np.array([[3, 1, 4], [1, 5, 9]]), np.zeros(2, "i8")
/// >>> reduce("max", matrix, Tensor(largest, "(2,3):(1,0)"))
/// >>> largest
/// array([4, 9])
///
/// The elements are float32, float64, int32 or int64. A NaN is neither smaller nor larger than any number.
#[pyfunction]
#[pyo3(signature = (operation, src, dst, *, threads=1))]
pub fn reduce(
    operation: &str,
    src: &Object<'_>,
    dst: &Object<'_>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
) -> Result<()> {
    let joins = [("sum", Join::Sum), ("product", Join::Product), ("min", Join::Min), ("max", Join::Max)];
    let Some((_, join)) = joins.into_iter().find(|(name, _)| *name == operation) else {
        let message =
            format!("{operation:?} is no reduction; there are \"sum\", \"product\", \"min\" and \"max\"");
        return refuse("arguments", message);
    };
    let source = PyTensor::of_argument("the source", src)?;
    let destination = PyTensor::of_argument("the destination", dst)?;
    let dtype = ends(&source, &destination)?.0.dtype;
    let operands = Operands::new(&[("the source", &source)], ("the destination", &destination))?;
    let (from, to) = (operands.part(0), operands.part(1));
    run(src.py(), threads, move |execution| {
        // SAFETY: the parts are of one type, aligned, and do not overlap.
        unsafe {
            match dtype {
                DType::F32 => {
                    joined(join, [0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY], &from, &to, execution)
                }
                DType::F64 => {
                    joined(join, [0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY], &from, &to, execution)
                }
                // Sums of integers wrap, as in NumPy.
                DType::I32 => joined(join, [0, 1, i32::MAX, i32::MIN].map(Wrapping), &from, &to, execution),
                DType::I64 => joined(join, [0, 1, i64::MAX, i64::MIN].map(Wrapping), &from, &to, execution),
                _ => Err(Error::Specification {
                    reason: format!(
                        "there are reductions of float32, float64, int32 and int64, and not of {}",
                        dtype.name()
                    ),
                }),
            }
        }
    })
}

/// Joins one part to the other; the numbers are 0, 1, the largest and the smallest.
///
/// # Safety
/// The elements of both parts are of this type and aligned, and the parts do not overlap.
unsafe fn joined<T>(
    join: Join,
    [zero, one, largest, smallest]: [T; 4],
    from: &Part,
    to: &Part,
    execution: &Execution,
) -> Result<(), Error>
where
    T: Copy + Send + Sync + PartialOrd + Add<Output = T> + Mul<Output = T>,
{
    // SAFETY: the same is asked for.
    let (source, mut destination) = unsafe { (tensor::<T>(from)?, tensor::<T>(to)?) };
    let (source, destination) = (&source, &mut destination);
    match join {
        Join::Sum => tilework_kernels::reduce(source, destination, zero, |a, b| a + b, execution),
        Join::Product => tilework_kernels::reduce(source, destination, one, |a, b| a * b, execution),
        Join::Min => {
            let least = |a, b| if b < a { b } else { a };
            tilework_kernels::reduce(source, destination, largest, least, execution)
        }
        Join::Max => {
            let greatest = |a, b| if b > a { b } else { a };
            tilework_kernels::reduce(source, destination, smallest, greatest, execution)
        }
    }
}

/// `y[i] = alpha x[i] + beta y[i]` for each integral coordinate `i`, of float32 or float64; if `beta` is 0, `y` is not
/// read.
///
/// >>> import numpy as np
/// >>> from tilework import Tensor, axpby
/// >>> rows, columns = np.arange(6.0).reshape(2, 3), np.ones(6)
/// >>> axpby(10, rows, 1, Tensor(columns, "(2,3):(1,2)"))
/// >>> columns
/// array([ 1., 31., 11., 41., 21., 51.])
#[pyfunction]
#[pyo3(signature = (alpha, x, beta, y, *, threads=1))]
pub fn axpby(
    alpha: f64,
    x: &Object<'_>,
    beta: f64,
    y: &Object<'_>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
) -> Result<()> {
    let (source, destination) = (PyTensor::of_argument("x", x)?, PyTensor::of_argument("y", y)?);
    let dtype = ends(&source, &destination)?.0.dtype;
    let operands = Operands::new(&[("x", &source)], ("y", &destination))?;
    let (from, to) = (operands.part(0), operands.part(1));
    run(x.py(), threads, move |execution| {
        // SAFETY: the parts are of one type, aligned, and do not overlap.
        unsafe {
            match dtype {
                DType::F32 => {
                    let (x, mut y) = (tensor::<f32>(&from)?, tensor(&to)?);
                    tilework_kernels::axpby(alpha as f32, &x, beta as f32, &mut y, execution)
                }
                DType::F64 => {
                    let (x, mut y) = (tensor::<f64>(&from)?, tensor(&to)?);
                    tilework_kernels::axpby(alpha, &x, beta, &mut y, execution)
                }
                _ => Err(Error::Specification {
                    reason: format!("axpby is of float32 and float64, and not of {}", dtype.name()),
                }),
            }
        }
    })
}

/// # Safety
/// The elements of the part are of this type and aligned, and nothing else reads or writes them if they are written.
unsafe fn tensor<T: Copy>(part: &Part) -> Result<Tensor<RawMemory<T>, AnyLayout>, Error> {
    // SAFETY: the elements of an array are initialized; the rest is the contract of this function.
    let memory = unsafe { RawMemory::from_raw_parts(part.first.cast::<T>(), part.len) };
    Ok(Tensor::with_offset(memory, part.tensor.offset(), *part.tensor.layout())?)
}

/// `dst[i] = function(src[i])` for each integral coordinate `i`, by a Python function, which is slow: for large arrays
/// use NumPy.
///
/// >>> import numpy as np
/// >>> from tilework import Tensor, map
/// >>> kelvin = np.empty(3)
/// >>> map(lambda degrees: degrees + 273.15, Tensor([0, 100, 37], 3), kelvin)
/// >>> kelvin
/// array([273.15, 373.15, 310.15])
///
/// Source and destination may be any tensors; predicated ones read `None` out of bounds, and ignore writes there.
#[pyfunction]
pub fn map(function: &Object<'_>, src: &Object<'_>, dst: &Object<'_>) -> Result<()> {
    let (py, source, destination) = (src.py(), PyTensor::of(src)?, PyTensor::of(dst)?);
    let (from, to) = (source.layout().size(), destination.layout().size());
    if from != to {
        return Err(tilework::Error::Size { operation: "map", expected: to, found: from }.into());
    }
    (0..to)
        .try_for_each(|index| destination.set_element(index, &function.call1((source.element(py, index)?,))?))
}

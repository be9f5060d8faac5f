//! COPY on arrays. Elements of any type are copied as one or several units.

use crate::arguments;
use crate::array::{Array, read_only};
use crate::calls::run;
use crate::dtype::DType;
use crate::elements::{Bounds, PyTensor, memory};
use crate::empty;
use crate::kernels::in_memory;
use crate::prelude::*;
use tilework::{AnyLayout, HTuple, Layout, Tensor};
use tilework_kernels::{CopyPlan, Error, Execution};

/// Copies the elements of one array or tensor to another of the same size and type, `dst[i] = src[i]` for each
/// integral coordinate `i`.
///
/// >>> import numpy as np
/// >>> from tilework import Tensor, copy
/// >>> rows, tiles = np.arange(32, dtype="f4").reshape(4, 8), np.empty(32, "f4")
/// >>> copy(rows, Tensor(tiles, "((2,2),(2,4)):((1,16),(2,4))"))
/// >>> tiles[:8]
/// array([ 0.,  8.,  1.,  9.,  2., 10.,  3., 11.], dtype=float32)
///
/// The copy is refused if source and destination share an element, or two coordinates of the destination have one
/// offset.
#[pyfunction]
#[pyo3(signature = (src, dst, *, threads=1))]
pub fn copy(
    src: &Object<'_>,
    dst: &Object<'_>,
    #[pyo3(from_py_with = arguments::threads)] threads: usize,
) -> Result<()> {
    match (PyTensor::of_argument("the source", src), PyTensor::of_argument("the destination", dst)) {
        (Err(refusal), _) | (Ok(_), Err(refusal)) if refusal.has_code("extent") => empty::copy(src, dst),
        (from, to) => copy_tensors(src.py(), &from?, &to?, threads),
    }
}

/// The same for tensors.
pub fn copy_tensors(py: Python<'_>, src: &PyTensor, dst: &PyTensor, threads: usize) -> Result<()> {
    let (from, to) = ends(src, dst)?;
    move_bytes(py, from.dtype.bytes(), (from.at(0), in_memory(src)?), (to.at(0), in_memory(dst)?), threads)
}

/// The memory of source and destination, whose elements have the same type.
pub fn ends<'a>(src: &'a PyTensor, dst: &'a PyTensor) -> Result<(&'a Array, &'a Array)> {
    let (from, to) = (memory("the source", src)?, memory("the destination", dst)?);
    from.check_copy(to)?;
    Ok((from, to))
}

/// Writes one element everywhere: a copy from a layout whose strides are all 0.
pub fn fill(py: Python<'_>, dst: &PyTensor, element: &[u8]) -> Result<()> {
    let to = memory("the destination", dst)?;
    if !to.writable {
        return Err(read_only());
    }
    let size = dst.layout().size();
    let still = Layout::of(size, tilework::Stride::ZERO)?;
    // Aligned for every unit.
    let mut place = vec![0u128; element.len().div_ceil(16)];
    let first = place.as_mut_ptr().cast::<u8>();
    // SAFETY: `place` is large enough for the element.
    unsafe { std::ptr::copy_nonoverlapping(element.as_ptr(), first, element.len()) };
    let from = Tensor::new(Bounds::default(), still.into())?;
    move_bytes(py, element.len(), (first, &from), (to.at(0), in_memory(dst)?), 1)
}

/// Copies elements of `bytes` bytes by the largest unit that divides them and to which both addresses are aligned.
fn move_bytes(
    py: Python<'_>,
    bytes: usize,
    (from, source): (*mut u8, &Tensor<Bounds, AnyLayout>),
    (to, destination): (*mut u8, &Tensor<Bounds, AnyLayout>),
    threads: usize,
) -> Result<()> {
    let fits =
        |unit: &&usize| bytes.is_multiple_of(**unit) && (from as usize | to as usize).is_multiple_of(**unit);
    let unit = *[16, 8, 4, 2, 1].iter().find(fits).unwrap_or(&1);
    let (source, destination) = (in_units(source, bytes / unit)?, in_units(destination, bytes / unit)?);
    let ends = Ends(from, to);
    run(py, threads, move |execution| {
        // SAFETY: both tensors are within the memory of their arrays, which the caller keeps alive, at multiples of the
        // unit.
        unsafe { plan_of(unit, &source, &destination)?.run(ends, execution) }
    })
}

/// The addresses of offset 0 of the source and of the destination.
#[derive(Clone, Copy)]
struct Ends(*mut u8, *mut u8);

// SAFETY: the callers keep the arrays alive.
unsafe impl Send for Ends {}

/// A plan for units of some bytes.
trait UnitPlan: Send + Sync {
    /// # Safety
    /// Every offset of the source is valid for reads, and every one of the destination for writes, as aligned units.
    unsafe fn run(&self, ends: Ends, execution: &Execution) -> Result<(), Error>;
    fn explain(&self) -> String;
}

impl<T: Copy + Send + Sync> UnitPlan for CopyPlan<T> {
    unsafe fn run(&self, ends: Ends, execution: &Execution) -> Result<(), Error> {
        // SAFETY: the contract of this function.
        unsafe { self.run_raw(ends.0.cast(), ends.1.cast(), execution) }
    }

    fn explain(&self) -> String {
        self.explain()
    }
}

fn plan_of(
    unit: usize,
    source: &Tensor<Bounds, AnyLayout>,
    destination: &Tensor<Bounds, AnyLayout>,
) -> Result<Box<dyn UnitPlan>, Error> {
    Ok(match unit {
        16 => Box::new(CopyPlan::<u128>::for_tensors(source, destination)?),
        8 => Box::new(CopyPlan::<u64>::for_tensors(source, destination)?),
        4 => Box::new(CopyPlan::<u32>::for_tensors(source, destination)?),
        2 => Box::new(CopyPlan::<u16>::for_tensors(source, destination)?),
        _ => Box::new(CopyPlan::<u8>::for_tensors(source, destination)?),
    })
}

/// A tensor in smaller units, several per element: one more mode in front.
fn in_units(tensor: &Tensor<Bounds, AnyLayout>, count: usize) -> Result<Tensor<Bounds, AnyLayout>> {
    if count == 1 {
        return Ok(*tensor);
    }
    let AnyLayout::Plain(layout) = tensor.layout() else {
        return refuse("array", "elements of this size are not copied by swizzled layouts");
    };
    let count = count as i64;
    let within = Layout::column_major(&HTuple::leaf(count))?;
    let finer = match layout.size() {
        1 => within,
        _ => {
            let mut strides = Vec::new();
            for leaf in layout.leaves() {
                strides.push(leaf.stride.scale(count)?);
            }
            let strides = HTuple::with_profile(layout.profile(), &strides, tilework::Stride::ZERO)?;
            Layout::concatenate(&[within, Layout::of(&layout.shape(), &strides)?])?
        }
    };
    let overflow = tilework::Error::Overflow { left: tensor.offset(), operator: '*', right: count };
    let start = tensor.offset().checked_mul(count).ok_or(overflow)?;
    Ok(Tensor::with_offset(Bounds::default(), start, finer.into())?)
}

/// How to copy from one layout to another; made once, run many times.
///
/// >>> import numpy as np
/// >>> from tilework import CopyPlan
/// >>> plan = CopyPlan("(2,3):(3,1)", "(2,3):(1,2)", "float32")
/// >>> columns = np.empty(6, "f4")
/// >>> plan.run(np.arange(6, dtype="f4"), columns)
/// >>> columns
/// array([0., 3., 1., 4., 2., 5.], dtype=float32)
/// >>> plan.explain().splitlines()[0]
/// '6 elements of 4 bytes, from (2,3):(3,1) to (2,3):(1,2)'
///
/// An element with two parts, such as a complex number, is copied as two units.
#[pyclass(frozen, name = "CopyPlan", module = "tilework")]
pub struct PyCopyPlan {
    source: AnyLayout,
    destination: AnyLayout,
    dtype: DType,
    plan: Box<dyn UnitPlan>,
}

#[pymethods]
impl PyCopyPlan {
    #[new]
    fn new(source: &Object<'_>, destination: &Object<'_>, dtype: &Object<'_>) -> Result<PyCopyPlan> {
        let dtype = DType::of(dtype)?;
        let (source, destination) = (arguments::any_layout(source)?, arguments::any_layout(destination)?);
        let count = dtype.bytes() / dtype.alignment();
        let units = |layout: AnyLayout| in_units(&Tensor::new(Bounds::default(), layout)?, count);
        let plan = plan_of(dtype.alignment(), &units(source)?, &units(destination)?)?;
        Ok(PyCopyPlan { source, destination, dtype, plan })
    }

    /// Copies between arrays of the plan's type, whose elements the layouts index from the first.
    #[pyo3(signature = (src, dst, *, threads=1))]
    fn run(
        &self,
        src: &Object<'_>,
        dst: &Object<'_>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> Result<()> {
        let from = PyTensor::over(src, self.source, self.dtype)?;
        let to = PyTensor::over(dst, self.destination, self.dtype)?;
        let (source, destination) = ends(&from, &to)?;
        if !(source.is_aligned() && destination.is_aligned()) {
            let message =
                "an array does not begin at a multiple of the bytes of its elements; a copy of it does";
            return refuse("array", message);
        }
        let ends = Ends(source.at(from.start()), destination.at(to.start()));
        run(src.py(), threads, move |execution| {
            // SAFETY: the tensors were checked to be within the memory of their arrays, which are aligned.
            unsafe { self.plan.run(ends, execution) }
        })
    }

    /// What the plan does, and why, in a few lines.
    fn explain(&self) -> String {
        self.plan.explain()
    }
}

//! Functions of one or two tensors, element by element, and reductions: CuTe's `transform` and `axpby`, and sums along the
//! modes in which the destination has stride 0.
//!
//! Operands of one size are traversed together, in loops in which all are linear ([`nest`](crate::nest)), or, if there
//! are none, coordinate by coordinate.

mod operands;
mod reduce;

pub use reduce::{reduce, sum};

use crate::error::Error;
use crate::execution::Execution;
use crate::memory::{Memory, MemoryMut};
use operands::{DESTINATION, Operands, place};
use std::ops::{Add, Mul};
use tilework::{HasLayout, Tensor};

/// `destination(i) = function(source(i))` for each integral coordinate `i`.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Execution, map};
/// let celsius = Tensor::new([0.0f32, 100.0, 37.0], layout!(3:1))?;
/// let mut kelvin = Tensor::new([0.0f64; 3], layout!(3:1))?;
/// map(&celsius, &mut kelvin, |degrees| f64::from(degrees) + 273.15, &Execution::default())?;
/// assert_eq!(*kelvin.accessor(), [273.15, 373.15, 310.15]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// [`Error::Size`], [`Error::Codomain`], [`Error::Aliasing`] if two coordinates of the destination have one offset,
/// [`Error::Isa`] and [`Error::Cancelled`].
pub fn map<S: Memory, D: MemoryMut, LS: HasLayout, LD: HasLayout>(
    source: &Tensor<S, LS>,
    destination: &mut Tensor<D, LD>,
    function: impl Fn(S::Element) -> D::Element + Sync,
    execution: &Execution,
) -> Result<(), Error> {
    let operands = Operands::new([place("the source", source)?], place(DESTINATION, destination)?)?;
    operands.check_apart()?;
    let from = operands.read(0, "the source", source.accessor().as_slice())?;
    let to = operands.write(destination.accessor_mut().as_mut_slice())?;
    operands.each(execution, |[d, s]| {
        // SAFETY: the offsets are those of the layouts, which were checked to be within the slices, and no other thread
        // writes those of the destination.
        unsafe { to.at(d).write(function(*from.at(s))) }
    })
}

/// `destination(i) = function(first(i), second(i))` for each integral coordinate `i`.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Execution, zip_map};
/// // A column added to each column of a matrix: its second mode has stride 0.
/// let matrix = Tensor::new([1, 2, 3, 4, 5, 6], layout!((2,3):(1,2)))?;
/// let column = Tensor::new([10, 20], layout!((2,3):(1,0)))?;
/// let mut sum = Tensor::new([0; 6], layout!((2,3):(3,1)))?;
/// zip_map(&matrix, &column, &mut sum, |a, b| a + b, &Execution::default())?;
/// assert_eq!(*sum.accessor(), [11, 13, 15, 22, 24, 26]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// Those of [`map`].
pub fn zip_map<A: Memory, B: Memory, D: MemoryMut, LA: HasLayout, LB: HasLayout, LD: HasLayout>(
    first: &Tensor<A, LA>,
    second: &Tensor<B, LB>,
    destination: &mut Tensor<D, LD>,
    function: impl Fn(A::Element, B::Element) -> D::Element + Sync,
    execution: &Execution,
) -> Result<(), Error> {
    let sources = [place("the first operand", first)?, place("the second operand", second)?];
    let operands = Operands::new(sources, place(DESTINATION, destination)?)?;
    operands.check_apart()?;
    let a = operands.read(0, "the first operand", first.accessor().as_slice())?;
    let b = operands.read(1, "the second operand", second.accessor().as_slice())?;
    let to = operands.write(destination.accessor_mut().as_mut_slice())?;
    operands.each(execution, |[at_d, at_a, at_b]| {
        // SAFETY: as in `map`.
        unsafe { to.at(at_d).write(function(*a.at(at_a), *b.at(at_b))) }
    })
}

/// `y(i) = alpha x(i) + beta y(i)` for each integral coordinate `i`. If `beta` is 0, `y` is not read.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Execution, axpby};
/// let x = Tensor::new([1.0, 2.0, 3.0], layout!(3:1))?;
/// let mut y = Tensor::new([f64::NAN; 3], layout!(3:-1)).or_else(|_| Tensor::with_offset([f64::NAN; 3], 2, layout!(3:-1)))?;
/// axpby(2.0, &x, 0.0, &mut y, &Execution::default())?;
/// axpby(1.0, &x, 0.5, &mut y, &Execution::default())?;
/// assert_eq!(*y.accessor(), [6.0, 4.0, 2.0]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// Those of [`map`].
pub fn axpby<X, Y, T, LX, LY>(
    alpha: T,
    x: &Tensor<X, LX>,
    beta: T,
    y: &mut Tensor<Y, LY>,
    execution: &Execution,
) -> Result<(), Error>
where
    X: Memory<Element = T>,
    Y: MemoryMut<Element = T>,
    T: Copy + Send + Sync + Default + PartialEq + Add<Output = T> + Mul<Output = T>,
    LX: HasLayout,
    LY: HasLayout,
{
    if beta == T::default() {
        return map(x, y, |x| alpha * x, execution);
    }
    let operands = Operands::new([place("x", x)?], place("y", y)?)?;
    operands.check_apart()?;
    let from = operands.read(0, "x", x.accessor().as_slice())?;
    let to = operands.write(y.accessor_mut().as_mut_slice())?;
    operands.each(execution, |[at_y, at_x]| {
        let y = to.at(at_y);
        // SAFETY: as in `map`.
        unsafe { *y = alpha * *from.at(at_x) + beta * *y }
    })
}

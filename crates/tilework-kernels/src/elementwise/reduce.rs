//! Reductions: sums, and any other operation that joins elements, along the modes in which the destination has stride
//! 0.

use super::operands::{DESTINATION, Operands, along, place};
use crate::error::Error;
use crate::execution::Execution;
use crate::memory::{Memory, MemoryMut, Shared};
use crate::tuning::loops::{JOINED, PARTS};
use std::ops::Add;
use tilework::{HasLayout, Tensor};

/// For each coordinate `i`, `destination(i) = join(destination(i), source(i))`: modes in which the destination has
/// stride 0 are reduced.
///
/// `join` has to be associative and commutative, up to rounding: elements are joined in several lanes, which begin with
/// `identity`. The order depends on the layouts, not on the number of threads or on timing.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Execution, reduce};
/// let matrix = Tensor::new([3, 1, 4, 1, 5, 9], layout!((2,3):(1,2)))?;
/// // The largest of each row: the columns all have one place.
/// let mut largest = Tensor::new([i32::MIN; 2], layout!((2,3):(1,0)))?;
/// reduce(&matrix, &mut largest, i32::MIN, i32::max, &Execution::default())?;
/// assert_eq!(*largest.accessor(), [5, 9]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// [`Error::Size`], [`Error::Codomain`], [`Error::Aliasing`] if two coordinates of the destination have one offset
/// outside modes of stride 0, [`Error::Isa`] and [`Error::Cancelled`].
pub fn reduce<S, D, T, LS, LD>(
    source: &Tensor<S, LS>,
    destination: &mut Tensor<D, LD>,
    identity: T,
    join: impl Fn(T, T) -> T + Sync,
    execution: &Execution,
) -> Result<(), Error>
where
    S: Memory<Element = T>,
    D: MemoryMut<Element = T>,
    T: Copy + Send + Sync,
    LS: HasLayout,
    LD: HasLayout,
{
    let operands = Operands::new([place("the source", source)?], place(DESTINATION, destination)?)?;
    operands.check_kept_apart()?;
    let from = operands.read(0, "the source", source.accessor().as_slice())?;
    let to = operands.write(destination.accessor_mut().as_mut_slice())?;
    let Some(nest) = &operands.nest else {
        return operands.each_index(execution, 1, |[d, s]| {
            // SAFETY: the offsets are those of the layouts, which were checked to be within the slices, and there is
            // one thread.
            unsafe { *to.at(d) = join(*to.at(d), *from.at(s)) }
        });
    };
    let (mut shares, alone) = ([identity; PARTS], nest.keeps_none());
    let shared = Shared(shares.as_mut_ptr());
    nest.each_kept(execution, |block| {
        let [step_d, step_s] = block.strides;
        // SAFETY: as in `map`: threads are given different elements of the destination, or of the shares.
        unsafe {
            if step_d == 0 {
                let to = if alone { shared.at(block.share as isize) } else { to.at(block.at[0]) };
                for ([_, s], count) in block.runs() {
                    *to = join(*to, join_all(from.at(s), step_s, count, identity, &join));
                }
                return;
            }
            for (at, count) in block.runs() {
                along(at, block.strides, count, |[d, s]| *to.at(d) = join(*to.at(d), *from.at(s)));
            }
        }
    })?;
    if alone {
        // SAFETY: the threads have finished; all coordinates have the offset of the first.
        unsafe {
            let to = to.at(nest.start[0]);
            *to = shares.into_iter().fold(*to, &join);
        }
    }
    Ok(())
}

/// [`reduce`] by addition: the sum is added to the destination.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Execution, sum};
/// let data: Vec<f64> = (1..=100).map(f64::from).collect();
/// let mut total = Tensor::new([0.0], layout!(100:0))?;
/// sum(&Tensor::new(data, layout!(100:1))?, &mut total, &Execution::default())?;
/// assert_eq!(total.at(0), 5050.0);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// Those of [`reduce`].
pub fn sum<S, D, T, LS, LD>(
    source: &Tensor<S, LS>,
    destination: &mut Tensor<D, LD>,
    execution: &Execution,
) -> Result<(), Error>
where
    S: Memory<Element = T>,
    D: MemoryMut<Element = T>,
    T: Copy + Send + Sync + Default + Add<Output = T>,
    LS: HasLayout,
    LD: HasLayout,
{
    reduce(source, destination, T::default(), |a, b| a + b, execution)
}

/// # Safety
/// The `count` elements, `step` apart, are valid for reads.
unsafe fn join_all<T: Copy>(
    from: *const T,
    step: isize,
    count: usize,
    identity: T,
    join: &impl Fn(T, T) -> T,
) -> T {
    let mut lanes = [identity; JOINED];
    // SAFETY: the run is within the operands, whose offsets were checked.
    unsafe {
        if step == 1 {
            let (whole, rest) = std::slice::from_raw_parts(from, count).as_chunks::<JOINED>();
            for chunk in whole {
                for (lane, &element) in lanes.iter_mut().zip(chunk) {
                    *lane = join(*lane, element);
                }
            }
            for (lane, &element) in lanes.iter_mut().zip(rest) {
                *lane = join(*lane, element);
            }
        } else {
            for i in 0..count {
                lanes[i % JOINED] = join(lanes[i % JOINED], *from.offset(i as isize * step));
            }
        }
    }
    lanes.into_iter().fold(identity, join)
}

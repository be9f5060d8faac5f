//! Reductions: sums, and whatever else can be joined, along the modes in which the destination stands still.

use super::operands::{DESTINATION, Operands, Shared, place};
use crate::error::Error;
use crate::execution::Execution;
use crate::memory::{Memory, MemoryMut};
use std::ops::Add;
use tilework::{HasLayout, Tensor};

/// Elements that are joined side by side, so that they can be in vectors.
const LANES: usize = 16;

/// Joins to each element of the destination all elements of the source that have its coordinate: `destination(i) =
/// join(destination(i), source(i))`, where modes in which the destination stands still are those that are reduced.
///
/// `join` has to be associative and commutative, up to rounding: elements are joined in several lanes, which begin with
/// `identity`, in an order that depends on the layouts and the number of threads, but not on time.
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
/// [`Error::Size`], [`Error::Codomain`], [`Error::Aliasing`] where two coordinates of the destination have one offset
/// although it moves, and [`Error::Cancelled`].
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
    // A single element is joined by each thread on its own first.
    let mut own = vec![identity; if operands.keeps_none() { execution.thread_count() } else { 0 }];
    let shared = Shared(own.as_mut_ptr());
    let alone = !own.is_empty();
    operands.each_kept(execution, |part, [d, s], [step_d, step_s], count| {
        // SAFETY: as in `map`: threads are given different elements of the destination, or of their own.
        unsafe {
            let (to, from) = (if alone { shared.at(part as isize) } else { to.at(d) }, from.at(s));
            if step_d == 0 {
                *to = join(*to, join_all(from, step_s, count, identity, &join));
            } else if step_d == 1 && step_s == 1 {
                for i in 0..count {
                    *to.add(i) = join(*to.add(i), *from.add(i));
                }
            } else {
                for i in 0..count as isize {
                    let to = to.offset(i * step_d);
                    *to = join(*to, *from.offset(i * step_s));
                }
            }
        }
    })?;
    for partial in own {
        // SAFETY: the threads are done; all coordinates have the offset of the first.
        unsafe {
            let to = to.at(operands.start[0]);
            *to = join(*to, partial);
        }
    }
    Ok(())
}

/// The sum of what [`reduce`] joins, added to the destination.
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
/// The `count` elements, `step` apart, can be read.
unsafe fn join_all<T: Copy>(
    from: *const T,
    step: isize,
    count: usize,
    identity: T,
    join: &impl Fn(T, T) -> T,
) -> T {
    let mut lanes = [identity; LANES];
    // SAFETY: the caller's.
    unsafe {
        if step == 1 {
            let (whole, rest) = std::slice::from_raw_parts(from, count).as_chunks::<LANES>();
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
                lanes[i % LANES] = join(lanes[i % LANES], *from.offset(i as isize * step));
            }
        }
    }
    lanes.into_iter().fold(identity, join)
}

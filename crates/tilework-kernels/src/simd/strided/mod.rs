//! Elements with a small constant stride: a line of them is gathered from whole lines, or scattered into them.

#[cfg(target_arch = "x86_64")]
mod x86;

use super::lanes::{Lanes, Portable};
use crate::tuning::LINE;

/// The longest step, in elements.
const MAX_STEP: usize = 16;
/// The most bytes from one element to the next: with fewer than two elements per line, vectors are slower.
const MAX_BYTES: usize = LINE / 2;

/// The step of `bytes` bytes in elements of `width` bytes, if vectors support it.
pub(crate) fn step_of(width: usize, bytes: isize) -> Option<usize> {
    let bytes = usize::try_from(bytes).ok().filter(|&bytes| bytes <= MAX_BYTES)?;
    let step = bytes / width;
    (matches!(width, 1 | 2 | 4 | 8) && bytes.is_multiple_of(width) && (2..=MAX_STEP).contains(&step))
        .then_some(step)
}

/// Lanes whose elements of `W` bytes, 1, 2, 4 or 8, are gathered and scattered by a step of [`step_of`].
///
/// # Safety
/// As for [`Lanes`].
pub(crate) unsafe trait Strided: Lanes {
    /// Whether elements are gathered by vectors.
    const GATHERS: bool = false;
    /// Whether they are scattered by vectors.
    const SCATTERS: bool = false;
    /// Constants of a gather with some step.
    type Gather: Copy;
    /// Constants of a scatter with some step.
    type Scatter: Copy;

    /// The constants of [`gather`](Self::gather) for a step.
    unsafe fn gathering<const W: usize>(step: usize) -> Self::Gather;
    /// A line of every `step`-th element, the first at `from`: it reads `step` lines there.
    unsafe fn gather<const W: usize>(from: *const u8, by: &Self::Gather) -> Self::Line;
    /// The constants of [`scatter`](Self::scatter) for a step.
    unsafe fn scattering<const W: usize>(step: usize) -> Self::Scatter;
    /// Writes the elements of the line at `from` to `to` with a constant step, and nothing between them.
    unsafe fn scatter<const W: usize>(from: *const u8, to: *mut u8, by: &Self::Scatter);
}

/// Lanes without such instructions.
macro_rules! unable {
    ($set:ty) => {
        // SAFETY: it does nothing.
        unsafe impl Strided for $set {
            type Gather = ();
            type Scatter = ();

            unsafe fn gathering<const W: usize>(_: usize) {}
            unsafe fn gather<const W: usize>(_: *const u8, (): &()) -> Self::Line {
                unreachable!("elements are not gathered by vectors")
            }
            unsafe fn scattering<const W: usize>(_: usize) {}
            unsafe fn scatter<const W: usize>(_: *const u8, _: *mut u8, (): &()) {
                unreachable!("elements are not scattered by vectors")
            }
        }
    };
}
unable!(Portable);
#[cfg(target_arch = "aarch64")]
unable!(super::lanes::Neon);

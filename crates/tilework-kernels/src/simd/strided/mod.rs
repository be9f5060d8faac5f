//! Elements with a small constant stride: lines of them are gathered from whole lines, scattered into them, interleaved
//! with those of other arrays, or split from them.

#[cfg(target_arch = "x86_64")]
mod fields;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::lanes::{Lanes, Portable};
use crate::tuning::LINE;

/// The longest step, in elements.
const MAX_STEP: usize = 16;
/// The most bytes from one element to the next: with fewer than two elements per line, vectors are slower.
const MAX_BYTES: usize = LINE / 2;

/// The most fields of structures that are interleaved or split.
pub(crate) const MAX_FIELDS: usize = 8;

/// The step of `bytes` bytes in elements of `width` bytes, if vectors support it.
pub(crate) fn step_of(width: usize, bytes: isize) -> Option<usize> {
    let bytes = usize::try_from(bytes).ok().filter(|&bytes| bytes <= MAX_BYTES)?;
    let step = bytes / width;
    (matches!(width, 1 | 2 | 4 | 8) && bytes.is_multiple_of(width) && (2..=MAX_STEP).contains(&step))
        .then_some(step)
}

/// Lanes whose elements of 1, 2, 4 or 8 bytes, the `width`, are gathered and scattered by a step of [`step_of`].
///
/// # Safety
/// As for [`Lanes`].
pub(crate) unsafe trait Strided: Lanes {
    /// Whether elements are gathered and interleaved by vectors.
    const GATHERS: bool = false;
    /// Whether they are scattered by vectors.
    const SCATTERS: bool = false;

    /// Writes `lines` lines of every `step`-th element, the first at `from`: it reads `step` lines for each. With
    /// `streams` it writes past the caches, and `to` is aligned to a line.
    unsafe fn gather(
        _width: usize,
        _step: usize,
        _from: *const u8,
        _to: *mut u8,
        _lines: usize,
        _streams: bool,
    ) {
        unreachable!("elements are not gathered by vectors")
    }
    /// Writes the elements of `W` bytes of `lines` lines at `from` to `to` with a constant step, and nothing between them.
    unsafe fn scatter<const W: usize>(_step: usize, _from: *const u8, _to: *mut u8, _lines: usize) {
        unreachable!("elements are not scattered by vectors")
    }
    /// Writes structures of 3, 5, 6 or 7 fields, whose elements are at these offsets from `from`, for `lines` lines of
    /// each. With `streams` it writes past the caches, and `to` is aligned to a line.
    unsafe fn interleave(
        _width: usize,
        _from: *const u8,
        _fields: &[isize],
        _to: *mut u8,
        _lines: usize,
        _streams: bool,
    ) {
        unreachable!("elements are not interleaved by vectors")
    }
    /// Writes the fields of structures of 3, 5, 6 or 7 fields, which are contiguous from `from` on, to arrays of `lines` lines.
    /// With `streams` it writes past the caches, and each array is aligned to a line.
    unsafe fn split(_width: usize, _from: *const u8, _arrays: &[*mut u8], _lines: usize, _streams: bool) {
        unreachable!("fields are not split by vectors")
    }
}

// SAFETY: it does nothing.
unsafe impl Strided for Portable {}
// SAFETY: it does nothing.
#[cfg(target_arch = "aarch64")]
unsafe impl Strided for super::lanes::Neon {}

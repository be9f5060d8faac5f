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

/// Writes `lines` lines of every `step`-th element of `width` bytes, 1, 2, 4 or 8, the first at `from`: it reads `step` lines
/// for each. With `streams` it writes past the caches.
///
/// The arguments are `width, step, from, to, lines, streams`.
///
/// # Safety
/// The processor has the instructions, `from` and `to` are valid for the lines, and `to` is aligned to a line with `streams`.
pub(crate) type Gather = unsafe fn(usize, usize, *const u8, *mut u8, usize, bool);

/// Writes contiguous structures, whose fields are arrays at these offsets from `from`, for `lines` lines of each.
///
/// The arguments are `width, from, fields, to, lines, streams`.
///
/// # Safety
/// As for [`Gather`].
pub(crate) type Interleave = unsafe fn(usize, *const u8, &[isize], *mut u8, usize, bool);

/// Writes the fields of contiguous structures to arrays of `lines` lines.
///
/// The arguments are `width, from, arrays, lines, streams`.
///
/// # Safety
/// As for [`Gather`]; with `streams`, each array is aligned to a line.
pub(crate) type Split = unsafe fn(usize, *const u8, &[*mut u8], usize, bool);

/// The functions of an instruction set that move whole lines.
pub(crate) struct ByLines {
    /// For a step of [`step_of`].
    pub gathers: fn(usize) -> Gather,
    /// For 3, 5, 6 or 7 fields, and a width.
    pub interleaves: fn(usize, usize) -> Interleave,
    /// The same.
    pub splits: fn(usize, usize) -> Split,
}

/// Lanes whose elements of 1, 2, 4 or 8 bytes are gathered and scattered by a step of [`step_of`].
///
/// # Safety
/// As for [`Lanes`].
pub(crate) unsafe trait Strided: Lanes {
    /// Whether elements are gathered and interleaved by vectors.
    const GATHERS: bool = false;
    /// Whether they are scattered by vectors.
    const SCATTERS: bool = false;

    /// The functions, of which the processor has the instructions if it has those of the lanes.
    fn by_lines() -> &'static ByLines {
        unreachable!("elements are not gathered by vectors")
    }
    /// Writes the elements of `W` bytes of `lines` lines at `from` to `to` with a constant step, and nothing between them.
    unsafe fn scatter<const W: usize>(_step: usize, _from: *const u8, _to: *mut u8, _lines: usize) {
        unreachable!("elements are not scattered by vectors")
    }
}

// SAFETY: it does nothing.
unsafe impl Strided for Portable {}
// SAFETY: it does nothing.
#[cfg(target_arch = "aarch64")]
unsafe impl Strided for super::lanes::Neon {}

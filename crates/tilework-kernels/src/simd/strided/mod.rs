//! Elements with a small constant stride: lines of them are gathered from whole lines, scattered into them, interleaved
//! with those of other arrays, or split from them.

#[cfg(target_arch = "x86_64")]
mod fields;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

use super::lanes::{Lanes, Portable};
use super::prefetch::prefetch_to_write;
use super::unrolled;
use crate::cpu::isa::Isa;
use crate::tuning::LINE;
use crate::tuning::copy::PREFETCH_BYTES;

/// The longest step, in elements.
const MAX_STEP: usize = 16;
/// The longest step if they are scattered: for longer ones, whose constants are not in registers, vectors are slower.
const MAX_SCATTERED: usize = 8;

/// The most fields of structures that are interleaved or split.
pub(crate) const MAX_FIELDS: usize = 8;

/// The step of `bytes` bytes in elements of `width` bytes, if they are gathered by vectors, which are `wide` if they have a line.
pub(crate) fn step_of(width: usize, bytes: isize, wide: bool) -> Option<usize> {
    // Most half lines have no element that is longer apart, and 8 elements are soon moved one by one.
    let most = if width == 8 && !wide { LINE / 2 } else { LINE };
    let bytes = usize::try_from(bytes).ok().filter(|&bytes| bytes <= most)?;
    let step = bytes / width;
    (matches!(width, 1 | 2 | 4 | 8) && bytes.is_multiple_of(width) && (2..=MAX_STEP).contains(&step))
        .then_some(step)
}

/// The same if they are scattered, which wide vectors do.
pub(crate) fn scattered_step_of(width: usize, bytes: isize) -> Option<usize> {
    step_of(width, bytes, true).filter(|&step| step <= MAX_SCATTERED)
}

/// Writes `count` elements of `width` bytes, 1, 2, 4 or 8, to a row; the first is at `from`, the others a step apart. It
/// reads nothing before the first and behind the last one. With `streams` it writes whole lines past the caches.
///
/// The arguments are `width, from, to, count, streams`.
///
/// # Safety
/// The processor has the instructions, `from` and `to` are valid for the elements, at least one, the bytes between elements, less
/// than a line, are on pages that have elements, and `to` is aligned to a line with `streams`.
pub(crate) type Gather = unsafe fn(usize, *const u8, *mut u8, usize, bool);

/// Writes contiguous structures, whose fields are arrays at these offsets from `from`, for `lines` lines of each.
///
/// The arguments are `width, from, fields, to, lines, streams`.
///
/// # Safety
/// As for [`Gather`], for lines.
pub(crate) type Interleave = unsafe fn(usize, *const u8, &[isize], *mut u8, usize, bool);

/// Writes the fields of contiguous structures to arrays of `lines` lines.
///
/// The arguments are `width, from, arrays, lines, streams`.
///
/// # Safety
/// As for [`Interleave`]; with `streams`, each array is aligned to a line.
pub(crate) type Split = unsafe fn(usize, *const u8, &[*mut u8], usize, bool);

/// The functions of an instruction set that move whole lines.
pub(crate) struct ByLines {
    pub isa: Isa,
    /// For a step of [`step_of`].
    pub gathers: fn(usize) -> Gather,
    /// For 3, 5, 6 or 7 fields, and a width.
    pub interleaves: fn(usize, usize) -> Interleave,
    /// The same.
    pub splits: fn(usize, usize) -> Split,
}

/// Lanes whose elements of 1, 2, 4 or 8 bytes are gathered by a step of [`step_of`], and scattered by one of
/// [`scattered_step_of`].
///
/// # Safety
/// As for [`Lanes`].
pub(crate) unsafe trait Strided: Lanes {
    /// Whether elements are gathered and interleaved by vectors.
    const GATHERS: bool = false;
    /// Whether they are scattered by vectors.
    const SCATTERS: bool = false;

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

/// Copies the pieces of a range.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of every piece.
#[inline(always)]
pub(crate) unsafe fn one_by_one<const N: usize>(
    from: *const u8,
    to: *mut u8,
    pieces: std::ops::Range<usize>,
    [step, step_to]: [isize; 2],
) {
    for i in pieces.start as isize..pieces.end as isize {
        // SAFETY: both are valid for piece `i`.
        unsafe {
            let value = from.offset(i * step).cast::<[u8; N]>().read_unaligned();
            to.offset(i * step_to).cast::<[u8; N]>().write_unaligned(value);
        }
    }
}

/// Scatters contiguous elements of `N` bytes one by one, with a step below [`PREFETCH_BYTES`]: the lines are prefetched, since they
/// are read before they are written.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `count` elements.
pub(crate) unsafe fn scatter_one_by_one<const N: usize>(
    from: *const u8,
    to: *mut u8,
    count: usize,
    step: isize,
) {
    // SAFETY: the contract is the same.
    unsafe {
        match step.unsigned_abs() {
            0..=8 => scatter_unrolled::<N, 8>(from, to, count, step),
            9..=16 => scatter_unrolled::<N, 4>(from, to, count, step),
            17..=32 => scatter_unrolled::<N, 2>(from, to, count, step),
            _ => scatter_unrolled::<N, 1>(from, to, count, step),
        }
    }
}

/// The elements of a step of [`scatter_unrolled`].
const UNROLLED: usize = 8;

/// See [`scatter_one_by_one`]; `EVERY` elements are at most a line.
///
/// # Safety
/// As [`scatter_one_by_one`].
#[inline(never)]
unsafe fn scatter_unrolled<const N: usize, const EVERY: usize>(
    from: *const u8,
    to: *mut u8,
    count: usize,
    step: isize,
) {
    let ahead = (PREFETCH_BYTES / step.unsigned_abs()) as isize * step;
    let whole = count / UNROLLED * UNROLLED;
    for first in (0..whole).step_by(UNROLLED) {
        // SAFETY: the elements are among the `count` ones.
        unsafe {
            let (from, to) = (from.add(first * N), to.offset(first as isize * step));
            unrolled!(i < UNROLLED, {
                let to = to.offset(i as isize * step);
                if i.is_multiple_of(EVERY) {
                    prefetch_to_write(to.wrapping_offset(ahead));
                }
                to.cast::<[u8; N]>().write_unaligned(from.add(i * N).cast::<[u8; N]>().read_unaligned());
            });
        }
    }
    // SAFETY: both are valid for the elements.
    unsafe { one_by_one::<N>(from, to, whole..count, [N as isize, step]) };
}

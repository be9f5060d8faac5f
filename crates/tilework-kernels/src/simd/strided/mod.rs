//! Elements with a small constant stride: lines of them are gathered from whole lines, scattered into them, interleaved
//! with those of other arrays, or split from them.

#[cfg(target_arch = "x86_64")]
mod fields;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

use crate::cpu::isa::Isa;
use crate::tuning::LINE;

/// The longest step, in elements.
const MAX_STEP: usize = 16;
/// The longest step if they are scattered: for longer ones, whose constants are not in registers, vectors are slower.
const MAX_SCATTERED: usize = 8;

/// The most fields of structures that are interleaved or split.
pub(crate) const MAX_FIELDS: usize = 8;

/// The step of `bytes` bytes in elements of `width` bytes, if they are gathered by vectors.
pub(crate) fn step_of(width: usize, bytes: isize) -> Option<usize> {
    // 8 elements that are further apart are soon moved one by one.
    short_step(width, bytes, if width == 8 { LINE / 2 } else { LINE })
}

/// The same if they are scattered: those of 8 bytes are faster one by one.
pub(crate) fn scattered_step_of(width: usize, bytes: isize) -> Option<usize> {
    short_step(width, bytes, LINE).filter(|&step| step <= MAX_SCATTERED && width < 8)
}

fn short_step(width: usize, bytes: isize, most: usize) -> Option<usize> {
    let bytes = usize::try_from(bytes).ok().filter(|&bytes| bytes <= most)?;
    let step = bytes / width;
    (matches!(width, 1 | 2 | 4 | 8) && bytes.is_multiple_of(width) && (2..=MAX_STEP).contains(&step))
        .then_some(step)
}

/// Writes `lines` lines of elements of `width` bytes, 1, 2, 4 or 8, to a row; the first is at `from`, the others a step apart. With
/// `streams` it writes past the caches.
///
/// The arguments are `width, from, to, lines, streams`.
///
/// # Safety
/// The processor has the instructions, `from` is valid for reads of a step's lines for each line of `to`, and `to` for writes of the
/// lines, aligned to a line with `streams`.
pub(crate) type Gather = unsafe fn(usize, *const u8, *mut u8, usize, bool);

/// Writes the elements of `lines` lines to a row with a constant step, and nothing between them.
///
/// The arguments are `from, to, lines`.
///
/// # Safety
/// As for [`Gather`].
pub(crate) type Scatter = unsafe fn(*const u8, *mut u8, usize);

/// Writes contiguous structures, whose fields are arrays at these offsets from `from`, for `lines` lines of each.
///
/// The arguments are `from, fields, to, lines, streams`.
///
/// # Safety
/// As for [`Gather`].
pub(crate) type Interleave = unsafe fn(*const u8, &[isize], *mut u8, usize, bool);

/// Writes the fields of contiguous structures to arrays of `lines` lines.
///
/// The arguments are `from, arrays, lines, streams`.
///
/// # Safety
/// As for [`Interleave`]; with `streams`, each array is aligned to a line.
pub(crate) type Split = unsafe fn(*const u8, &[*mut u8], usize, bool);

/// The functions that move whole lines.
pub(crate) struct ByLines {
    /// The instructions of all but `scatters`.
    pub isa: Isa,
    /// For a step of [`step_of`].
    pub gathers: fn(usize) -> Gather,
    /// For a width and a step of [`scattered_step_of`], by AVX-512: narrower sets have no stores of single elements of a register.
    pub scatters: fn(usize, usize) -> Scatter,
    /// For 3, 5, 6 or 7 fields, and a width.
    pub interleaves: fn(usize, usize) -> Interleave,
    /// The same.
    pub splits: fn(usize, usize) -> Split,
}

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

//! Rows of pieces with a constant step, in the source and in the destination.

use crate::simd::strided::{Strided, step_of};
use crate::tuning::LINE;

/// Copies `count` pieces of `N` bytes with a constant step in the source and in the destination; with `streams`,
/// elements that are contiguous in the destination go past the caches.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of every piece, and the processor has the instructions of `S`.
#[inline(always)]
pub(super) unsafe fn along<S: Strided, const N: usize>(
    from: *const u8,
    to: *mut u8,
    count: usize,
    [step, step_to]: [isize; 2],
    streams: bool,
) {
    let piece = N as isize;
    // SAFETY: `from` and `to` are valid at each of `count` pieces, at the given steps.
    unsafe {
        if N <= 8
            && step_to == piece
            && S::GATHERS
            && let Some(step) = step_of(N, step)
        {
            gather::<S, N>(from, to, count, step, streams);
        } else if N <= 8
            && step == piece
            && S::SCATTERS
            && let Some(step) = step_of(N, step_to)
        {
            // Steps that the compiler knows need no loop.
            match step {
                2 => scatter::<S, N>(from, to, count, 2),
                3 => scatter::<S, N>(from, to, count, 3),
                4 => scatter::<S, N>(from, to, count, 4),
                8 => scatter::<S, N>(from, to, count, 8),
                step => scatter::<S, N>(from, to, count, step),
            }
        } else if N < 16 && step_to == piece && !S::GATHERS && step == 2 * piece {
            one_by_one::<N>(from, to, 0..count, [2 * piece, piece]);
        } else if N < 16 && step_to == piece && !S::GATHERS && step == 3 * piece {
            one_by_one::<N>(from, to, 0..count, [3 * piece, piece]);
        } else if N < 16 && step_to == piece && !S::GATHERS && step == 4 * piece {
            one_by_one::<N>(from, to, 0..count, [4 * piece, piece]);
        } else {
            one_by_one::<N>(from, to, 0..count, [step, step_to]);
        }
    }
}

/// Copies the pieces of a range.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of every piece.
#[inline(always)]
unsafe fn one_by_one<const N: usize>(
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

/// Gathers `count` elements of `W` bytes, by lines.
///
/// # Safety
/// As [`along`], and vectors support the step.
#[inline(always)]
unsafe fn gather<S: Strided, const W: usize>(
    from: *const u8,
    to: *mut u8,
    count: usize,
    step: usize,
    streams: bool,
) {
    let steps = [step * W, W].map(|step| step as isize);
    // Unaligned elements do not fill whole lines.
    let streams = streams && (to as usize).is_multiple_of(W);
    let first = if streams { ((to as usize).wrapping_neg() % LINE / W).min(count) } else { 0 };
    // A whole line is read only if an element follows it.
    let lines = (count - first).saturating_sub(1) / (LINE / W);
    let last = first + lines * (LINE / W);
    // SAFETY: the elements belong to the row, and the bytes between two elements, less than a line, are on pages that have
    // elements.
    unsafe {
        one_by_one::<W>(from, to, 0..first, steps);
        S::gather(W, step, from.add(first * step * W), to.add(first * W), lines, streams);
        one_by_one::<W>(from, to, last..count, steps);
    }
}

/// Scatters `count` elements of `W` bytes, by lines.
///
/// # Safety
/// As [`along`], and vectors support the step.
#[inline(always)]
unsafe fn scatter<S: Strided, const W: usize>(from: *const u8, to: *mut u8, count: usize, step: usize) {
    let steps = [W, step * W].map(|step| step as isize);
    // The element that begins a line, if there is one: otherwise every store would touch two lines.
    let begins = |&at: &usize| (to as usize + at * step * W).is_multiple_of(LINE);
    let first = (0..count.min(LINE / W)).find(begins).unwrap_or(0);
    let lines = (count - first) / (LINE / W);
    let last = first + lines * (LINE / W);
    // SAFETY: the elements belong to the row, and nothing between them is written.
    unsafe {
        one_by_one::<W>(from, to, 0..first, steps);
        S::scatter::<W>(step, from.add(first * W), to.add(first * step * W), lines);
        one_by_one::<W>(from, to, last..count, steps);
    }
}

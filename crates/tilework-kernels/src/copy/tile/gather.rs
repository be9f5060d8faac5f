//! Gather and scatter: rows of pieces with a constant step, in the source and in the destination.

use crate::copy::plan::strategy::{Along, Moves};
use crate::simd::lanes::Lanes;
use crate::simd::strided::{Gather, Scatter, one_by_one};
use crate::tuning::LINE;

/// Copies `count` pieces of `N` bytes with a constant step in the source and in the destination; with `streams`,
/// elements that are contiguous in the destination go past the caches.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of every piece, `by` was planned for such pieces, and the processor has the
/// instructions of `by`.
#[inline(always)]
pub(super) unsafe fn along<S: Lanes, const N: usize>(
    by: &Along,
    from: *const u8,
    to: *mut u8,
    count: usize,
    streams: bool,
) {
    let (piece, [step, step_to]) = (N as isize, by.step);
    // SAFETY: `from` and `to` are valid at each of `count` pieces, at the given steps.
    unsafe {
        match by.moves {
            Moves::Gathered(gather) if N <= 8 => gathered::<N>(gather, from, to, count, step, streams),
            Moves::Scattered(scatter) if N <= 4 => scattered::<N>(scatter, from, to, count, step_to),
            _ if N <= 8 && step == piece && step_to != piece => spread::<N>(from, to, count, step_to),
            _ => one_by_one::<N>(from, to, 0..count, [step, step_to]),
        }
    }
}

/// Gathers `count` elements of `W` bytes, by lines.
///
/// # Safety
/// As [`along`], and `gather` is for the step, in bytes.
#[inline(always)]
unsafe fn gathered<const W: usize>(
    gather: Gather,
    from: *const u8,
    to: *mut u8,
    count: usize,
    step: isize,
    streams: bool,
) {
    let steps = [step, W as isize];
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
        gather(W, from.wrapping_offset(first as isize * step), to.add(first * W), lines, streams);
        one_by_one::<W>(from, to, last..count, steps);
    }
}

/// Scatters `count` elements of `W` bytes, by lines.
///
/// # Safety
/// As [`along`], and `scatter` is for the width and the step, in bytes.
#[inline(always)]
unsafe fn scattered<const W: usize>(
    scatter: Scatter,
    from: *const u8,
    to: *mut u8,
    count: usize,
    step: isize,
) {
    let steps = [W as isize, step];
    let first = first_in_line(to, step as usize, count);
    let lines = (count - first) / (LINE / W);
    let last = first + lines * (LINE / W);
    // SAFETY: the elements belong to the row, and nothing between them is written.
    unsafe {
        one_by_one::<W>(from, to, 0..first, steps);
        scatter(from.add(first * W), to.offset(first as isize * step), lines);
        one_by_one::<W>(from, to, last..count, steps);
    }
}

/// Scatters `count` elements of `N` bytes one by one. It is compiled on its own: beside gathers, bytes by AVX2 took 1.3 times as long
/// as in such a loop.
///
/// # Safety
/// As [`along`].
#[inline(never)]
unsafe fn spread<const N: usize>(from: *const u8, to: *mut u8, count: usize, step: isize) {
    // SAFETY: the contract is the same.
    unsafe { one_by_one::<N>(from, to, 0..count, [N as isize, step]) }
}

/// The first of `count` pieces with a step of `step` bytes that begins a line: otherwise every store would touch two lines.
/// 0 if none does.
pub(super) fn first_in_line(to: *mut u8, step: usize, count: usize) -> usize {
    (0..count.min(LINE)).find(|&at| (to as usize + at * step).is_multiple_of(LINE)).unwrap_or(0)
}

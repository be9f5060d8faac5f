//! Rows of pieces with a constant step, in the source and in the destination, arrays that become structures, and structures that
//! become arrays.

use super::strategy::{Along, Moves};
use crate::simd::lanes::{Line, split, zip};
use crate::simd::prefetch::prefetch_l1;
use crate::simd::strided::{Gather, Interleave, MAX_FIELDS, Split, Strided, one_by_one, scatter_one_by_one};
use crate::simd::unrolled;
use crate::tuning::LINE;
use crate::tuning::copy::{PREFETCH_BYTES, PREFETCHED_ARRAYS};
use std::mem::MaybeUninit;

/// Copies `count` pieces of `N` bytes with a constant step in the source and in the destination; with `streams`,
/// elements that are contiguous in the destination go past the caches.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of every piece, `by` was planned for such pieces, and the processor has the
/// instructions of `S` and of `by`.
#[inline(always)]
pub(super) unsafe fn along<S: Strided, const N: usize>(
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
            Moves::Gathered(gather) if N <= 8 && S::GATHERS => {
                gathered::<N>(gather, from, to, count, step, streams);
            }
            // Steps that the compiler knows need no loop.
            Moves::Scattered(step) if N <= 8 && S::SCATTERS => match step {
                2 => scatter::<S, N>(from, to, count, 2),
                3 => scatter::<S, N>(from, to, count, 3),
                4 => scatter::<S, N>(from, to, count, 4),
                5 => scatter::<S, N>(from, to, count, 5),
                6 => scatter::<S, N>(from, to, count, 6),
                7 => scatter::<S, N>(from, to, count, 7),
                _ => scatter::<S, N>(from, to, count, 8),
            },
            Moves::Prefetched if N <= 8 => scatter_one_by_one::<N>(from, to, count, step_to),
            _ if N < 16 && step_to == piece && !S::GATHERS && step == 2 * piece => {
                one_by_one::<N>(from, to, 0..count, [2 * piece, piece]);
            }
            _ if N < 16 && step_to == piece && !S::GATHERS && step == 3 * piece => {
                one_by_one::<N>(from, to, 0..count, [3 * piece, piece]);
            }
            _ if N < 16 && step_to == piece && !S::GATHERS && step == 4 * piece => {
                one_by_one::<N>(from, to, 0..count, [4 * piece, piece]);
            }
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
    // SAFETY: the elements belong to the row, and the bytes between two elements, less than a line, are on pages that have
    // elements.
    unsafe {
        one_by_one::<W>(from, to, 0..first, steps);
        if first < count {
            gather(W, from.offset(first as isize * step), to.add(first * W), count - first, streams);
        }
    }
}

/// Scatters `count` elements of `W` bytes, by lines.
///
/// # Safety
/// As [`along`], and vectors support the step.
#[inline(always)]
unsafe fn scatter<S: Strided, const W: usize>(from: *const u8, to: *mut u8, count: usize, step: usize) {
    let steps = [W, step * W].map(|step| step as isize);
    let first = first_in_line(to, step * W, count);
    let lines = (count - first) / (LINE / W);
    let last = first + lines * (LINE / W);
    // SAFETY: the elements belong to the row, and nothing between them is written.
    unsafe {
        one_by_one::<W>(from, to, 0..first, steps);
        S::scatter::<W>(step, from.add(first * W), to.add(first * step * W), lines);
        one_by_one::<W>(from, to, last..count, steps);
    }
}

/// The first of `count` pieces with a step of `step` bytes that begins a line: otherwise every store would touch two lines.
/// 0 if none does.
fn first_in_line(to: *mut u8, step: usize, count: usize) -> usize {
    (0..count.min(LINE)).find(|&at| (to as usize + at * step).is_multiple_of(LINE)).unwrap_or(0)
}

/// Interleaves arrays of `count` elements of `W` bytes, which begin at `from` and the offsets `fields`, as the fields of
/// contiguous structures; with `streams`, past the caches.
///
/// # Safety
/// Each array is valid for reads of its elements, and `to` for writes of all structures. The processor has the instructions
/// of `S`.
#[inline(always)]
pub(super) unsafe fn interleave<S: Strided, const W: usize>(
    by: Option<Interleave>,
    from: *const u8,
    fields: &[isize],
    to: *mut u8,
    count: usize,
    streams: bool,
) {
    if !S::GATHERS {
        unreachable!("arrays are not interleaved by vectors");
    }
    let structure = fields.len() * W;
    let first = first_in_line(to, structure, count);
    let streams = streams && (to as usize + first * structure).is_multiple_of(LINE);
    let lines = (count - first) / (LINE / W);
    let last = first + lines * (LINE / W);
    // SAFETY: the elements belong to the arrays, and the structures are those that are written.
    unsafe {
        for (field, &column) in fields.iter().enumerate() {
            let steps = [W as isize, structure as isize];
            one_by_one::<W>(from.offset(column), to.add(field * W), 0..first, steps);
            one_by_one::<W>(from.offset(column), to.add(field * W), last..count, steps);
        }
        let (from, to) = (from.add(first * W), to.add(first * structure));
        match (by, fields.len()) {
            (Some(interleave), _) => interleave(W, from, fields, to, lines, streams),
            (None, 2) => zip_fields::<S, W, 2>(from, fields, to, lines, streams),
            (None, 4) => zip_fields::<S, W, 4>(from, fields, to, lines, streams),
            (None, _) => zip_fields::<S, W, 8>(from, fields, to, lines, streams),
        }
    }
}

/// Interleaves `lines` lines of `K` fields, 2, 4 or 8: within lanes as the squares of a transpose, then the lanes.
///
/// # Safety
/// The fields are valid for reads of the lines, and `to` for writes of as many of each field, aligned to a line with
/// `streams`. The processor has the instructions of `S`.
#[inline(always)]
unsafe fn zip_fields<S: Strided, const W: usize, const K: usize>(
    from: *const u8,
    fields: &[isize],
    to: *mut u8,
    lines: usize,
    streams: bool,
) {
    let mut offsets = [0; K];
    unrolled!(i < K, offsets[i] = fields[i]);
    for line in 0..lines {
        // SAFETY: the fields are valid for this line, and `to` for one of each field.
        unsafe {
            if streams && K >= PREFETCHED_ARRAYS {
                for offset in offsets {
                    prefetch_l1(from.wrapping_offset(offset).wrapping_add(line * LINE + PREFETCH_BYTES));
                }
            }
            let to = to.add(line * K * LINE);
            if K == 8 && S::PARTS > 1 {
                // The registers of eight lines do not fit: one of each at a time.
                unrolled!(part < S::PARTS, {
                    let from = from.add(line * LINE + part * S::LANES * 16);
                    let mut z = [S::load(from.offset(offsets[0])); K];
                    unrolled!(i < K, z[i] = S::load(from.offset(offsets[i])));
                    let z = zip::<S, W, K>(z, const { K.ilog2() });
                    unrolled!(lane < S::LANES, {
                        let to = to.add((part * S::LANES + lane) * 2 * LINE);
                        S::put(to, S::line_of([z[0], z[1], z[2], z[3]], lane), streams);
                        S::put(to.add(LINE), S::line_of([z[4], z[5], z[6], z[7]], lane), streams);
                    });
                });
                continue;
            }
            let z = S::zipped::<W, K, K>(from.add(line * LINE), &offsets, 0);
            match K {
                2 => {
                    let [a, b] = S::zip_lanes([z[0], z[1]]);
                    S::put(to, a, streams);
                    S::put(to.add(LINE), b, streams);
                }
                4 => put_lanes::<S>(to, [z[0], z[1], z[2], z[3]], LINE, streams),
                _ => {
                    put_lanes::<S>(to, [z[0], z[1], z[2], z[3]], 2 * LINE, streams);
                    put_lanes::<S>(to.add(LINE), [z[4], z[5], z[6], z[7]], 2 * LINE, streams);
                }
            }
        }
    }
}

/// Transposes 4 lines of lanes and writes them with a step of `step` bytes.
///
/// # Safety
/// As [`put`], for each of the lines.
#[inline(always)]
unsafe fn put_lanes<S: Strided>(to: *mut u8, lines: [S::Line; 4], step: usize, streams: bool) {
    // SAFETY: the contract is the same.
    unsafe {
        let [a, b, c, d] = S::move_lanes(lines);
        S::put(to, a, streams);
        S::put(to.add(step), b, streams);
        S::put(to.add(2 * step), c, streams);
        S::put(to.add(3 * step), d, streams);
    }
}

/// Copies the fields of `count` contiguous structures of elements of `W` bytes to as many arrays; with `streams`, past the
/// caches if all begin at the same place of a line.
///
/// # Safety
/// `from` is valid for reads of all structures, each of `arrays`, at most [`MAX_FIELDS`], for writes of an element for each
/// structure, and the processor has the instructions of `S`.
#[inline(always)]
pub(super) unsafe fn split_fields<S: Strided, const W: usize>(
    by: Option<Split>,
    staged: [bool; 2],
    from: *const u8,
    arrays: &[*mut u8],
    count: usize,
    streams: bool,
) {
    if !S::GATHERS {
        unreachable!("fields are not split by vectors");
    }
    let structure = arrays.len() * W;
    let first = first_in_line(arrays[0], W, count);
    let aligned = arrays.iter().all(|&to| (to as usize + first * W).is_multiple_of(LINE));
    let lines = (count - first) / (LINE / W);
    let last = first + lines * (LINE / W);
    let mut to = [arrays[0]; MAX_FIELDS];
    // SAFETY: the structures are contiguous, and the elements belong to the arrays.
    unsafe {
        for (field, &array) in arrays.iter().enumerate() {
            let steps = [structure as isize, W as isize];
            one_by_one::<W>(from.add(field * W), array, 0..first, steps);
            one_by_one::<W>(from.add(field * W), array, last..count, steps);
            to[field] = array.add(first * W);
        }
        let (from, to) = (from.add(first * structure), &to[..arrays.len()]);
        if staged[usize::from(!aligned)] {
            split_by_stage::<S, W>(by, from, to, lines, streams);
        } else {
            split_lines::<S, W>(by, from, to, lines, streams);
        }
    }
}

/// [`split_fields`] of whole lines.
///
/// # Safety
/// As [`unzip_fields`], for as many fields as there are arrays.
#[inline(always)]
unsafe fn split_lines<S: Strided, const W: usize>(
    by: Option<Split>,
    from: *const u8,
    to: &[*mut u8],
    lines: usize,
    streams: bool,
) {
    // SAFETY: the contract is the same.
    unsafe {
        match (by, to.len()) {
            (Some(split), _) => split(W, from, to, lines, streams),
            (None, 2) => unzip_fields::<S, W, 2>(from, to, lines, streams),
            (None, 4) => unzip_fields::<S, W, 4>(from, to, lines, streams),
            (None, _) => unzip_fields::<S, W, 8>(from, to, lines, streams),
        }
    }
}

/// The lines of each array on the stage.
const STAGED_LINES: usize = 8;

/// A line that is carried over, and those that follow it.
type StagedArray = [Line; 1 + STAGED_LINES];

/// [`split_lines`] for arrays that begin anywhere in a line: a few lines of each are put on a stage in the first-level cache, and
/// leave it as whole lines of the array, next to each other.
///
/// # Safety
/// As [`split_lines`], but no array has to be aligned.
#[inline(always)]
unsafe fn split_by_stage<S: Strided, const W: usize>(
    by: Option<Split>,
    from: *const u8,
    to: &[*mut u8],
    lines: usize,
    streams: bool,
) {
    let fields = to.len();
    let mut stage = [const { MaybeUninit::<StagedArray>::uninit() }; MAX_FIELDS];
    let stage: [*mut u8; MAX_FIELDS] = stage.each_mut().map(|array| array.as_mut_ptr().cast());
    let places = stage.map(|array| array.wrapping_add(LINE));
    for line in (0..lines).step_by(STAGED_LINES) {
        let count = STAGED_LINES.min(lines - line);
        // SAFETY: the stage has these lines of each array, all of which were written when they are read.
        unsafe {
            let from = from.add(line * LINE * fields);
            split_lines::<S, W>(by, from, &places[..fields], count, false);
            for (field, (&to, &array)) in to.iter().zip(&stage).enumerate() {
                let behind = to as usize % LINE;
                let mut first = 0;
                if line == 0 && behind > 0 {
                    std::ptr::copy_nonoverlapping(array.add(LINE), to, LINE - behind);
                    first = 1;
                }
                let to = to.wrapping_add(line * LINE).wrapping_sub(behind);
                for i in first..count {
                    if streams {
                        let next = (STAGED_LINES * (fields + field) + i) * LINE;
                        prefetch_l1(from.wrapping_add(next + PREFETCH_BYTES));
                    }
                    S::put(to.add(i * LINE), S::load_line(array.add((i + 1) * LINE - behind)), streams);
                }
                S::store(array, S::load_line(array.add(count * LINE)));
            }
        }
    }
    for (&to, &array) in to.iter().zip(&stage) {
        let behind = to as usize % LINE;
        // SAFETY: the last bytes of the line that is carried over are those that were not written.
        unsafe {
            let rest = array.add(LINE - behind);
            std::ptr::copy_nonoverlapping(rest, to.add(lines * LINE - behind), behind);
        }
    }
}

/// The inverse of [`zip_fields`].
///
/// # Safety
/// `from` is valid for reads of `lines` lines of each field, and each of `arrays` for writes of as many, aligned to a line with
/// `streams`. The processor has the instructions of `S`.
#[inline(always)]
unsafe fn unzip_fields<S: Strided, const W: usize, const K: usize>(
    from: *const u8,
    arrays: &[*mut u8],
    lines: usize,
    streams: bool,
) {
    let mut to = [arrays[0]; K];
    unrolled!(i < K, to[i] = arrays[i]);
    for line in 0..lines {
        // SAFETY: the structures are valid for a line of each field, and so is each array.
        unsafe {
            let from = from.add(line * LINE * K);
            if streams {
                for i in 0..K {
                    prefetch_l1(from.wrapping_add(i * LINE + PREFETCH_BYTES));
                }
            }
            let mut z = [S::load_line(from); K];
            match K {
                2 => {
                    // Zipped three times, two lines are what they were.
                    let zipped = S::zip_lanes([z[0], S::load_line(from.add(LINE))]);
                    [z[0], z[1]] = S::zip_lanes(zipped);
                }
                4 => [z[0], z[1], z[2], z[3]] = load_lanes::<S>(from, LINE),
                _ => {
                    [z[0], z[1], z[2], z[3]] = load_lanes::<S>(from, 2 * LINE);
                    [z[4], z[5], z[6], z[7]] = load_lanes::<S>(from.add(LINE), 2 * LINE);
                }
            }
            let z = split::<S, W, K>(z);
            for field in 0..K {
                S::put(to[field].add(line * LINE), z[field], streams);
            }
        }
    }
}

/// Reads 4 lines with a step of `step` bytes, and transposes their lanes.
///
/// # Safety
/// `from` is valid for reads of the lines, and the processor has the instructions of `S`.
#[inline(always)]
unsafe fn load_lanes<S: Strided>(from: *const u8, step: usize) -> [S::Line; 4] {
    // SAFETY: the contract is the same.
    unsafe {
        S::move_lanes([
            S::load_line(from),
            S::load_line(from.add(step)),
            S::load_line(from.add(2 * step)),
            S::load_line(from.add(3 * step)),
        ])
    }
}

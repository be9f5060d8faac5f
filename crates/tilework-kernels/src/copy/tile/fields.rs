//! Fields: arrays that become structures, and structures that become arrays.

use super::block::Tile;
use super::gather::first_in_line;
use crate::simd::lanes::{Lanes, split as split_lanes, zip};
use crate::simd::prefetch::prefetch_l1;
use crate::simd::strided::{Interleave, MAX_FIELDS, Split, one_by_one};
use crate::simd::unrolled;
use crate::tuning::LINE;
use crate::tuning::copy::{PREFETCH_BYTES, PREFETCHED_ARRAYS};

/// In fewer lines, the elements before the first whole one cost more than stores that touch two.
const FEW_LINES: usize = 8;

/// Interleaves arrays of elements of `W` bytes, the columns of a tile, as the fields of contiguous structures, its rows; with
/// `streams`, past the caches.
///
/// # Safety
/// Each array is valid for reads of its elements, and the first row for writes of all structures. The processor has the
/// instructions of `S` and of `by`.
#[inline(always)]
pub(super) unsafe fn interleaved<S: Lanes, const W: usize>(
    by: Option<Interleave>,
    tile: &Tile,
    streams: bool,
) {
    assert!(S::LANES > 1, "arrays are not interleaved without vectors");
    let (fields, to, count) = (tile.column_from, tile.row_to[0], tile.rows);
    let from = tile.from.wrapping_offset(tile.row_from[0]);
    let structure = fields.len() * W;
    let first = if count < FEW_LINES * LINE / W { 0 } else { first_in_line(to, structure, count) };
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
            (Some(interleave), _) => interleave(from, fields, to, lines, streams),
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
unsafe fn zip_fields<S: Lanes, const W: usize, const K: usize>(
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
            if const { K == 8 && S::PARTS > 1 } {
                // The registers of eight lines do not fit: one of each at a time.
                unrolled!(part < S::PARTS: 4, {
                    let from = from.add(line * LINE + part * S::LANES * 16);
                    let mut z = [S::load(from.offset(offsets[0])); K];
                    unrolled!(i < K, z[i] = S::load(from.offset(offsets[i])));
                    let z = zip::<S, W, K>(z, const { K.ilog2() });
                    unrolled!(lane < S::LANES: 4, {
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
/// As [`Lanes::put`], for each of the lines.
#[inline(always)]
unsafe fn put_lanes<S: Lanes>(to: *mut u8, lines: [S::Line; 4], step: usize, streams: bool) {
    // SAFETY: the contract is the same.
    unsafe {
        let [a, b, c, d] = S::move_lanes(lines);
        S::put(to, a, streams);
        S::put(to.add(step), b, streams);
        S::put(to.add(2 * step), c, streams);
        S::put(to.add(3 * step), d, streams);
    }
}

/// Copies the fields of contiguous structures of elements of `W` bytes, the columns of a tile, to as many arrays, its rows; with
/// `streams`, past the caches if all begin at the same place of a line.
///
/// # Safety
/// The first row is valid for reads of all structures, each of the rows, at most [`MAX_FIELDS`], for writes of an element for
/// each structure, and the processor has the instructions of `S` and of `by`.
#[inline(always)]
pub(super) unsafe fn split<S: Lanes, const W: usize>(by: Option<Split>, tile: &Tile, streams: bool) {
    assert!(S::LANES > 1, "fields are not split without vectors");
    let (arrays, count) = (tile.row_to, tile.columns);
    let from = tile.from.wrapping_offset(tile.row_from[0]);
    let structure = arrays.len() * W;
    let first = if count < FEW_LINES * LINE / W { 0 } else { first_in_line(arrays[0], W, count) };
    let streams = streams && arrays.iter().all(|&to| (to as usize + first * W).is_multiple_of(LINE));
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
        match (by, to.len()) {
            (Some(split), _) => split(from, to, lines, streams),
            (None, 2) => unzip_fields::<S, W, 2>(from, to, lines, streams),
            (None, 4) => unzip_fields::<S, W, 4>(from, to, lines, streams),
            (None, _) => unzip_fields::<S, W, 8>(from, to, lines, streams),
        }
    }
}

/// The inverse of [`zip_fields`].
///
/// # Safety
/// `from` is valid for reads of `lines` lines of each field, and each of `arrays` for writes of as many, aligned to a line with
/// `streams`. The processor has the instructions of `S`.
#[inline(always)]
unsafe fn unzip_fields<S: Lanes, const W: usize, const K: usize>(
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
            let z = split_lanes::<S, W, K>(z);
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
unsafe fn load_lanes<S: Lanes>(from: *const u8, step: usize) -> [S::Line; 4] {
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

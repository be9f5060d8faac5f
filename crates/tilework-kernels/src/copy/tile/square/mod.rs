//! Squares: tiles whose rows are contiguous in the source and whose columns are contiguous in the destination, transposed in
//! registers.
//!
//! A square is a line of each of `64/W` columns, for elements of `W` bytes, and becomes a line of each of as many rows:
//! each line is read once and written once, at any addresses. A line has 4 lanes of `16/W` elements. Zipping `16/W`
//! lines `log2(16/W)` times transposes their lanes:
//!
//! ```text
//! a0 a1 a2 a3      a0 c0 a1 c1      a0 b0 c0 d0
//! b0 b1 b2 b3      a2 c2 a3 c3      a1 b1 c1 d1
//! c0 c1 c2 c3      b0 d0 b1 d1      a2 b2 c2 d2
//! d0 d1 d2 d3      b2 d2 b3 d3      a3 b3 c3 d3
//! ```
//!
//! Of the four groups of lines, line `i` of each has the rows `i`, `16/W + i` and so on in its lanes; moving lanes between them
//! gives the lines of those rows. They are stored, or streamed past the caches. Strips of several squares that are streamed are
//! those of `strips.rs`, and rows that are streamed and do not begin at a line those of `carried.rs`.

mod carried;
mod columns;
mod registers;
mod strips;

use super::block::{Tile, copy_bytes};
use super::rows::Rows;
use crate::copy::plan::strategy::{Cached, Order, Squares, Transposition};
use crate::simd::lanes::{Lanes, Line};
use crate::simd::prefetch::prefetch_l1;
use crate::simd::unrolled;
use crate::tuning::LINE;
use columns::{ColumnPrefetcher, lanes};
use registers::{Direct, LANES, lane_of_square, prefetches_between, square};

/// Transposes a tile of elements of `W` bytes; past the caches if `streams`, and then rows are aligned to lines.
///
/// # Safety
/// Each row and column is valid for reads and writes of an element; `row_from` is not read: row `i` is `W i` bytes after the
/// first. There are at least one row and one column, and the processor has the instructions of `S`.
#[inline(always)]
pub(super) unsafe fn transposed<S: Lanes, const W: usize>(by: &Transposition, tile: &Tile, streams: bool) {
    // SAFETY: the contract is the same.
    unsafe {
        match W {
            1 => squares::<S, 1, 16, 64>(by, tile, streams),
            2 => squares::<S, 2, 8, 32>(by, tile, streams),
            4 => squares::<S, 4, 4, 16>(by, tile, streams),
            _ => squares::<S, 8, 2, 8>(by, tile, streams),
        }
    }
}

/// Transposes a tile of elements of `W` bytes into rows that were begun.
///
/// # Safety
/// As [`transposed`].
#[inline(always)]
pub(super) unsafe fn carried<S: Lanes, const W: usize>(by: &Transposition, tile: &Tile, rows: &mut Rows) {
    // SAFETY: the contract is the same.
    unsafe {
        match W {
            1 => carried::batches::<S, 1, 16, 64>(by, tile, rows),
            2 => carried::batches::<S, 2, 8, 32>(by, tile, rows),
            4 => carried::batches::<S, 4, 4, 16>(by, tile, rows),
            _ => carried::batches::<S, 8, 2, 8>(by, tile, rows),
        }
    }
}

/// See [`transposed`]; a lane is `SIDE` columns, and a square `WIDTH`.
///
/// # Safety
/// As [`transposed`].
#[inline(always)]
unsafe fn squares<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(
    by: &Transposition,
    tile: &Tile,
    streams: bool,
) {
    // SAFETY: the contract is the same.
    unsafe {
        if const { S::STREAMS } && streams && matches!(by.squares, Squares::Strips) {
            strips::strips::<S, W, SIDE, WIDTH>(by, tile)
        } else if tile.columns < WIDTH {
            narrow::<S, W, SIDE, WIDTH>(tile)
        } else if tile.rows < WIDTH {
            low::<S, W, SIDE, WIDTH>(tile)
        } else if let Squares::Cached(by) = by.squares {
            cached::<S, W, SIDE, WIDTH>(by, tile)
        } else if const { S::STREAMS && W >= 4 } && streams {
            // Smaller elements are streamed by strips.
            down::<S, W, SIDE, WIDTH, true>(by, tile)
        } else {
            down::<S, W, SIDE, WIDTH, false>(by, tile)
        }
    }
}

/// Transposes strips of columns, a few lines of each row wide, from the first row to the last.
///
/// # Safety
/// As [`transposed`], for whole squares; past the caches with `STREAM`.
#[inline(always)]
unsafe fn down<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize, const STREAM: bool>(
    by: &Transposition,
    tile: &Tile,
) {
    let (rows, columns, strip) = (tile.rows, tile.columns, by.lines * WIDTH);
    // The next reads are prefetched meanwhile.
    let mut prefetcher = ColumnPrefetcher::new::<W>(tile, by.prefetched);
    let mut write = Direct::<W, STREAM>(tile.row_to);
    let strip = if columns <= 2 * strip { columns } else { strip };
    let parts = if prefetches_between::<S, Direct<W, STREAM>, W>() { SIDE } else { 1 };
    for first in (0..columns).step_by(strip) {
        let end = columns.min(first + strip);
        for row in (0..rows).step_by(WIDTH) {
            prefetcher.begin(tile, (first, end), row / WIDTH, (end - first).div_ceil(WIDTH) * parts);
            for column in (first..end).step_by(WIDTH) {
                // The last rows and columns are read again with earlier ones.
                let (row, column) = (row.min(rows - WIDTH), column.min(columns - WIDTH));
                // SAFETY: the square is in the tile.
                unsafe {
                    let offsets = &*tile.column_from.as_ptr().add(column).cast::<[isize; WIDTH]>();
                    let from = tile.from.add(row * W);
                    square::<S, _, W, SIDE, WIDTH>(from, offsets, (row, column), &mut write, &mut prefetcher);
                }
            }
        }
    }
}

/// The first rows, or columns, of squares: those from the second one on begin at lines if the `first` one after the beginning does.
struct Places<const WIDTH: usize> {
    len: usize,
    first: usize,
}

impl<const WIDTH: usize> Places<WIDTH> {
    /// For `len` elements of `W` bytes from `at` on, where others may begin at lines too: a read or write across the boundary of two
    /// lines is two accesses.
    #[inline(always)]
    fn new<const W: usize>(len: usize, at: *const u8, at_lines: bool) -> Self {
        let before = (at as usize).wrapping_neg() % LINE;
        let helps = at_lines && len >= 2 * WIDTH && before.is_multiple_of(W);
        Places { len, first: if helps && before > 0 { before / W } else { WIDTH } }
    }

    /// The place after `at`; the last one overlaps the one before, so that it is whole.
    #[inline(always)]
    fn next(&self, at: usize) -> Option<usize> {
        let next = if at == 0 { self.first } else { at + WIDTH };
        (at + WIDTH < self.len).then(|| next.min(self.len - WIDTH))
    }
}

/// Transposes a tile through the caches, square by square; by lanes of columns with this distance in bytes. The next line of each row
/// is prefetched, so that stores do not wait for it. Elements of 1 and 2 bytes have squares of more lines: prefetching takes
/// longer than it saves there, unless rows begin within lines, where each store touches two. Their squares go along the columns, whose lines
/// the processor prefetches.
///
/// # Safety
/// As [`transposed`], for whole squares.
#[inline(always)]
unsafe fn cached<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(by: Cached, tile: &Tile) {
    let (columns, to) = (tile.column_from, tile.row_to);
    let across = Places::<WIDTH>::new::<W>(columns.len(), to[0], by.at_lines[1]);
    let first = tile.from.wrapping_offset(columns[0]);
    let down = Places::<WIDTH>::new::<W>(tile.rows, first, by.at_lines[0]);
    let by_rows = by.order != Order::Columns;
    let (outer, inner) = if by_rows { (&down, &across) } else { (&across, &down) };
    let mut at = Some(0);
    while let Some(i) = at {
        let (after, mut along) = (outer.next(i), Some(0));
        while let Some(j) = along {
            let next = inner.next(j);
            let (row, column) = if by_rows { (i, j) } else { (j, i) };
            // The next line of these rows, or the first of the next ones.
            if by.order == Order::Rows
                && let Some((row, column)) = next.map(|j| (i, j)).or(after.map(|i| (i, 0)))
            {
                for to in &to[row..row + WIDTH] {
                    prefetch_l1(to.wrapping_add(column * W));
                }
            }
            // SAFETY: `WIDTH` rows and columns from these on are in the tile.
            unsafe {
                let offsets = &*columns.as_ptr().add(column).cast::<[isize; WIDTH]>();
                let from = tile.from.add(row * W);
                if const { W == 1 && S::PARTS == 1 }
                    && let Some(step) = by.lanes
                {
                    let (from, to) = (from.offset(offsets[0]), to.as_ptr().add(row));
                    for lane in 0..LANES {
                        lane_of_square::<S, W, SIDE>(from, step, lane, to, column * W);
                    }
                } else {
                    let (to, nothing) = (&mut Direct::<W, false>(to), &mut ColumnPrefetcher::nothing(tile));
                    square::<S, _, W, SIDE, WIDTH>(from, offsets, (row, column), to, nothing);
                }
            }
            along = next;
        }
        at = after;
    }
}

/// Transposes a tile of fewer rows than a square has: its columns are copied to the stack, and rows that it does not have are
/// written there.
///
/// # Safety
/// As [`transposed`], for as many columns as a square has.
#[inline(always)]
unsafe fn low<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(tile: &Tile) {
    let mut read = [Line([0; LINE]); WIDTH];
    let mut unused = Line([0; LINE]);
    let places: [isize; WIDTH] = std::array::from_fn(|i| (i * LINE) as isize);
    for column in (0..tile.columns).step_by(WIDTH) {
        // The last columns are read again with earlier ones.
        let left = column.min(tile.columns - WIDTH);
        let mut to = [unused.0.as_mut_ptr(); WIDTH];
        // SAFETY: the rows and columns are in the tile.
        unsafe {
            for (line, &at) in read.iter_mut().zip(&tile.column_from[left..]) {
                copy_bytes(tile.from.offset(at), line.0.as_mut_ptr(), tile.rows * W);
            }
            for (to, row) in to.iter_mut().zip(tile.row_to) {
                *to = row.add(left * W);
            }
            let (to, nothing) = (&mut Direct::<W, false>(&to), &mut ColumnPrefetcher::nothing(tile));
            square::<S, _, W, SIDE, WIDTH>(read.as_ptr().cast(), &places, (0, 0), to, nothing);
        }
    }
}

/// Transposes a tile of fewer columns than a square has, by lanes of columns.
///
/// # Safety
/// As [`transposed`].
#[inline(always)]
unsafe fn narrow<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(tile: &Tile) {
    let (rows, columns, to) = (tile.rows, tile.columns, tile.row_to);
    for row in (0..rows).step_by(WIDTH) {
        // The last rows and columns are read again with earlier ones.
        let top = row.min(rows.saturating_sub(WIDTH));
        for column in (0..columns).step_by(SIDE) {
            let left = column.min(columns.saturating_sub(SIDE));
            // SAFETY: the rows and columns are in the tile.
            unsafe {
                let zipped = lanes::<S, W, SIDE>(tile, top, left);
                if rows >= WIDTH && columns >= SIDE {
                    let to = &to[top..top + WIDTH];
                    unrolled!(i < SIDE, {
                        let to = [0, 1, 2, 3].map(|lane| to[lane * SIDE + i].add(left * W));
                        S::store_lanes(to, zipped[i]);
                    });
                    continue;
                }
                let mut stage = [Line([0; LINE]); SIDE];
                unrolled!(i < SIDE, S::store(stage[i].0.as_mut_ptr(), zipped[i]));
                for (i, to) in to[top..rows.min(top + WIDTH)].iter().enumerate() {
                    let from = stage[i % SIDE].0[i / SIDE * (LINE / LANES)..].as_ptr();
                    copy_bytes(from, to.add(left * W), columns.min(SIDE) * W);
                }
            }
        }
    }
}

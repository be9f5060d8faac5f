//! Tiles whose rows are contiguous in the source and whose columns are contiguous in the destination: transposed in
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
//! those of `streamed.rs`, and rows that are streamed and do not begin at a line those of `carried.rs`.

use super::cached::transpose_cached;
use super::columns::{ColumnPrefetcher, lanes};
use super::plan::Order;
use super::square::{Direct, Write, prefetches_between, square};
use super::strategy::{Squares, Transposition};
use super::streamed::stream_transposed;
use super::tile::{Tile, copy_bytes};
use crate::simd::lanes::{Lanes, Line};
use crate::simd::unrolled;
use crate::tuning::LINE;
use std::mem::MaybeUninit;

/// Transposes a tile of elements of `W` bytes; past the caches if `streams`, and then rows are aligned to lines.
///
/// # Safety
/// As [`copy_any`](super::tile::copy_any); `row_from` is not read: row `i` is `W i` bytes after the first. `W` is at
/// most 8, and there are at least one row and one column.
#[inline(always)]
pub(super) unsafe fn transpose<S: Lanes, const W: usize>(by: &Transposition, tile: &Tile, streams: bool) {
    let (rows, columns) = (tile.row_to.len(), tile.column_from.len());
    // SAFETY: the tile is valid, and the processor has the instructions.
    unsafe {
        match by.squares {
            Squares::Strips if streams && S::STREAMS => stream_transposed::<S, W>(by, tile, rows),
            _ if streams && S::STREAMS => {
                blocks::<S, _, W>(by, tile, rows, &mut Direct::<W, true>(tile.row_to))
            }
            Squares::Cached { lanes } if rows.min(columns) * W >= LINE => {
                transpose_cached::<S, W>(by, lanes, tile, rows);
            }
            // Bytes that are narrower than a square.
            _ if W == 1 && (LANE..LINE).contains(&columns) && rows >= LINE => narrow::<S>(tile, rows),
            _ => blocks::<S, _, W>(by, tile, rows, &mut Direct::<W, false>(tile.row_to)),
        }
    }
}

/// The columns of bytes in a lane.
const LANE: usize = LINE / 4;

/// Transposes a tile of bytes with fewer columns than a line has; lanes of columns are stored.
///
/// # Safety
/// As [`transpose`]; there are at least the columns of a lane and the rows of a line.
#[inline(always)]
unsafe fn narrow<S: Lanes>(tile: &Tile, rows: usize) {
    let columns = tile.column_from.len();
    for row in (0..rows).step_by(LINE) {
        // The last rows and columns are read again with earlier ones.
        let top = row.min(rows - LINE);
        let to = &tile.row_to[top..top + LINE];
        for column in (0..columns).step_by(LANE) {
            let left = column.min(columns - LANE);
            // SAFETY: the rows and columns are in the tile.
            unsafe {
                let zipped = lanes::<S, 1, LANE>(tile, top, rows, left);
                unrolled!(i < LANE, {
                    let to = [0, 1, 2, 3].map(|lane| to[lane * LANE + i].add(left));
                    S::store_lanes(to, zipped[i]);
                });
            }
        }
    }
}

/// Covers a tile by squares.
#[inline(always)]
unsafe fn blocks<S: Lanes, T: Write<S>, const W: usize>(
    by: &Transposition,
    tile: &Tile,
    rows: usize,
    write: &mut T,
) {
    // SAFETY: the rows and columns of the strip are in the tile.
    unsafe {
        match W {
            1 => squares::<S, T, W, 16, 64>(by, tile, rows, write),
            2 => squares::<S, T, W, 8, 32>(by, tile, rows, write),
            4 => squares::<S, T, W, 4, 16>(by, tile, rows, write),
            _ => squares::<S, T, W, 2, 8>(by, tile, rows, write),
        }
    }
}

/// Transposes strips of columns, a few lines of each row wide, from the first row to the last.
///
/// # Safety
/// As [`transpose`].
#[inline(always)]
unsafe fn squares<S: Lanes, T: Write<S>, const W: usize, const SIDE: usize, const WIDTH: usize>(
    by: &Transposition,
    tile: &Tile,
    rows: usize,
    write: &mut T,
) {
    let columns = tile.column_from.len();
    // The next reads are prefetched meanwhile.
    let mut prefetcher = ColumnPrefetcher::new::<W>(tile, rows, by.prefetched);
    // Through the caches, all squares but the first begin at lines, and part of the first is written twice.
    let across = !matches!(by.order, Order::Down | Order::DownAliased);
    let lead = |at: *const u8, at_lines: bool| {
        let before = (at as usize).wrapping_neg() % LINE;
        let helps = at_lines && rows.min(columns) >= 2 * WIDTH && before.is_multiple_of(W);
        if helps { before / W } else { 0 }
    };
    let down = lead(tile.from.wrapping_offset(tile.column_from[0]), by.at_lines[0]);
    let right = lead(tile.row_to.first().map_or(tile.from, |to| *to), by.at_lines[1]);
    // The first square gives only the `lead` rows or columns before the second one, which begins at a line.
    let place = |square: usize, lead: usize| (square * WIDTH).saturating_sub((WIDTH - lead) % WIDTH);
    let after = |at: usize, lead: usize| if at == 0 && lead > 0 { lead } else { at + WIDTH };
    let count = |length: usize, lead: usize| (length + (WIDTH - lead) % WIDTH).div_ceil(WIDTH);
    let (down_count, right_count) = (count(rows, down), count(columns, right));
    let band = if across { by.lines } else { down_count };
    let whole = if across { band == 1 } else { right_count <= 2 * by.lines };
    // Of bytes, whose squares have many lines, one line of each row, so that the next squares find the rest of it in the
    // first-level cache.
    let strip = match whole {
        true => right_count,
        false if across && W == 1 => 1,
        false => by.lines,
    };
    for top in (0..down_count).step_by(band) {
        let bottom = place(top + band, down).min(rows);
        for first in (0..right_count).step_by(strip) {
            let (first, end) = (place(first, right), place(first + strip, right).min(columns));
            let mut row = place(top, down);
            while row < bottom {
                if by.prefetched > 0 {
                    let parts = if prefetches_between::<S, T, W>() { SIDE } else { 1 };
                    prefetcher.begin(tile, (first, end), row / WIDTH, (end - first).div_ceil(WIDTH) * parts);
                }
                let mut column = first;
                while column < end {
                    let next = after(column, right);
                    // The last columns are read again with earlier ones.
                    let again = column + WIDTH > columns && columns >= WIDTH;
                    let left = if again { columns - WIDTH } else { column };
                    let count = WIDTH.min(columns - left);
                    let mut edge = [0; WIDTH];
                    let from = match tile.column_from[left..].first_chunk::<WIDTH>() {
                        Some(from) => from,
                        None => {
                            for (i, from) in edge.iter_mut().enumerate() {
                                *from = tile.column_from[left + i.min(count - 1)];
                            }
                            &edge
                        }
                    };
                    // So are the last rows.
                    let top = if rows >= WIDTH { row.min(rows - WIDTH) } else { row };
                    let whole = top + WIDTH <= rows && count == WIDTH;
                    // SAFETY: the rows and columns are in the tile.
                    unsafe {
                        if whole {
                            let from_row = tile.from.add(top * W);
                            square::<S, T, W, SIDE, WIDTH>(
                                from_row,
                                from,
                                (top, left),
                                write,
                                &mut prefetcher,
                            );
                        } else {
                            let (rows, columns) = ((row, rows), (left, count));
                            edge_square::<S, T, W, SIDE, WIDTH>(
                                tile,
                                from,
                                rows,
                                columns,
                                write,
                                &mut prefetcher,
                            );
                        }
                    }
                    column = next;
                }
                row = after(row, down);
            }
        }
    }
}

/// Transposes an incomplete square, through the stack.
///
/// # Safety
/// As [`transpose`]; the rows (first and end) and the columns (first and count) are in the tile.
#[inline(always)]
unsafe fn edge_square<S: Lanes, T: Write<S>, const W: usize, const SIDE: usize, const WIDTH: usize>(
    tile: &Tile,
    offsets: &[isize; WIDTH],
    (row, rows): (usize, usize),
    (column, count): (usize, usize),
    write: &mut T,
    prefetcher: &mut ColumnPrefetcher,
) {
    let mut stage = Stage([Line([0; LINE]); WIDTH]);
    // SAFETY: only bytes of the tile are read and written.
    unsafe {
        // The last rows are read again with earlier ones.
        let top = if rows < WIDTH { row } else { row.min(rows - WIDTH) };
        let mut read = MaybeUninit::<[Line; WIDTH]>::uninit();
        let mut places = *offsets;
        let mut from = tile.from.add(top * W);
        if rows < WIDTH {
            let read = read.write([Line([0; LINE]); WIDTH]);
            for (i, (column, at)) in read.iter_mut().zip(&mut places).enumerate() {
                if i < count {
                    copy_bytes(tile.from.offset(*at), column.0.as_mut_ptr(), rows * W);
                }
                *at = (i * LINE) as isize;
            }
            from = read.as_ptr().cast();
        }
        square::<S, _, W, SIDE, WIDTH>(from, &places, (0, 0), &mut stage, prefetcher);
        for row in row..rows.min(row + WIDTH) {
            let line = &stage.0[row - top];
            if count == WIDTH {
                write.line(row, column, S::load_line(line.0.as_ptr()));
            } else {
                write.part(row, column, line, count * W);
            }
        }
    }
}

/// The lines of a square on the stack.
struct Stage<const WIDTH: usize>([Line; WIDTH]);

impl<S: Lanes, const WIDTH: usize> Write<S> for Stage<WIDTH> {
    const PAST: bool = false;

    #[inline(always)]
    unsafe fn line(&mut self, row: usize, _: usize, line: S::Line) {
        // SAFETY: both lines have 64 bytes.
        unsafe { S::store(self.0[row].0.as_mut_ptr(), line) }
    }

    unsafe fn part(&mut self, _: usize, _: usize, _: &Line, _: usize) {}
}

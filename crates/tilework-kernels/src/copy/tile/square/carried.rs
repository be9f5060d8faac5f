//! Rows that are written past the caches in whole lines, wherever in a line they begin.
//!
//! A tile is transposed in strips of a few lines of each row, and a strip in batches of `64/W` rows. A line of each of `16/W`
//! columns is zipped (see [`square`](super)) and stored to a stage in the first-level cache, each row as far behind the beginning of
//! a line as in the destination. Its first line is completed by the bytes that the strip before left over. The lines of a batch are
//! streamed while the next one is transposed: the stores of a whole batch at once would delay the next loads, and its lanes have
//! left the store buffer when they are read as lines.

use super::columns::{ColumnPrefetcher, lanes};
use super::registers::{Write, square};
use crate::copy::plan::strategy::{Squares, Transposition};
use crate::copy::tile::block::Tile;
use crate::copy::tile::rows::Rows;
use crate::simd::lanes::{Lanes, Line};
use crate::simd::unrolled;
use crate::tuning::LINE;
use std::ops::Range;

/// Writes the lines of squares to rows of elements that begin anywhere: each is shifted in registers.
struct Shifted<'a>(&'a mut Rows);

impl<S: Lanes> Write<S> for Shifted<'_> {
    const PAST: bool = true;

    #[inline(always)]
    unsafe fn line(&mut self, row: usize, _: usize, line: S::Line) {
        // SAFETY: the line is in the row, and all columns before it were written.
        unsafe { self.0.line::<S>(row, line) }
    }
}

/// Rows that are on a stage.
struct Batch {
    stage: *const Line,
    /// The lines of a row on the stage.
    pitch: usize,
    /// The row of the tile that is the first of the stage.
    top: usize,
    /// The rows that have not been streamed.
    rows: Range<usize>,
    /// The bytes of each row that the stage holds.
    bytes: usize,
}

impl Batch {
    /// Streams the whole lines of the next `count` rows, and keeps the rest of each.
    ///
    /// # Safety
    /// The bytes were stored to the stage, and belong to rows that were begun. The processor has the instructions of `S`.
    #[inline(always)]
    unsafe fn stream<S: Lanes>(&mut self, rows: &mut Rows, count: usize) {
        let end = self.rows.end.min(self.rows.start + count);
        for row in self.rows.start..end {
            // SAFETY: the row is on the stage.
            unsafe {
                let from = self.stage.add((row - self.top) * self.pitch).cast();
                rows.advance::<S>(row, from, self.bytes);
            }
        }
        self.rows.start = end;
    }
}

/// Transposes a tile into rows that were begun; a lane is `SIDE` columns, and a square `WIDTH`.
///
/// # Safety
/// As [`transposed`](super::transposed).
#[inline(always)]
pub(super) unsafe fn batches<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(
    by: &Transposition,
    tile: &Tile,
    rows: &mut Rows,
) {
    if const { !S::STREAMS } {
        unreachable!("only streamed rows are carried");
    }
    let shifts = matches!(by.squares, Squares::Carried { in_registers: true });
    let (count, columns, strip) = (tile.rows, tile.columns, by.lines * WIDTH);
    // One more, since they may begin within a line.
    let pitch = by.lines + 1;
    rows.stages.iter_mut().for_each(|stage| stage.resize(WIDTH * pitch, Line([0; LINE])));
    let [mut stage, mut other] = rows.stages.each_mut().map(|stage| stage.as_mut_ptr());
    // The next reads are prefetched meanwhile.
    let mut prefetcher = ColumnPrefetcher::new::<W>(tile, by.prefetched);
    let mut before = Batch { stage, pitch, top: 0, rows: 0..0, bytes: 0 };
    for first in (0..columns).step_by(strip) {
        let end = columns.min(first + strip);
        let in_registers = shifts && end.is_multiple_of(WIDTH);
        for row in (0..count).step_by(WIDTH) {
            if const { W == 8 } && in_registers && row + WIDTH <= count {
                prefetcher.begin(tile, (first, end), row / WIDTH, (end - first) / WIDTH);
                for column in (first..end).step_by(WIDTH) {
                    // SAFETY: the square is in the tile, and its rows were begun.
                    unsafe {
                        let offsets = &*tile.column_from.as_ptr().add(column).cast::<[isize; WIDTH]>();
                        let from = tile.from.add(row * W);
                        square::<S, _, W, SIDE, WIDTH>(
                            from,
                            offsets,
                            (row, column),
                            &mut Shifted(rows),
                            &mut prefetcher,
                        );
                    }
                }
                continue;
            }
            let parts = (end - first).div_ceil(SIDE);
            prefetcher.begin(tile, (first, end), row / WIDTH, parts);
            // The last rows are read again with earlier ones.
            let top = row.min(count.saturating_sub(WIDTH));
            let batch =
                Batch { stage, pitch, top, rows: row..count.min(row + WIDTH), bytes: (end - first) * W };
            let mut places = [std::ptr::null_mut::<u8>(); WIDTH];
            // SAFETY: the stage has a place for each row, and the rows and columns are in the tile.
            unsafe {
                if before.rows.contains(&row) {
                    before.stream::<S>(rows, WIDTH);
                }
                let share = before.rows.len().div_ceil(parts);
                for (i, place) in places.iter_mut().enumerate() {
                    *place = stage.add(i * pitch).cast::<u8>().add(rows.place(top + i));
                }
                for column in (first..end).step_by(SIDE) {
                    let at = (column - first) * W;
                    prefetcher.prefetch();
                    let zipped = lanes::<S, W, SIDE>(tile, top, column);
                    unrolled!(i < SIDE, {
                        let [a, b, c, d] = [i, SIDE + i, 2 * SIDE + i, 3 * SIDE + i];
                        let to = [places[a].add(at), places[b].add(at), places[c].add(at), places[d].add(at)];
                        S::store_lanes(to, zipped[i]);
                    });
                    before.stream::<S>(rows, share);
                }
                before.stream::<S>(rows, WIDTH);
            }
            before = batch;
            std::mem::swap(&mut stage, &mut other);
        }
    }
    // SAFETY: the batch is on its stage.
    unsafe { before.stream::<S>(rows, WIDTH) };
}

//! Rows that are written past the caches in whole lines, wherever in a line they begin.
//!
//! A tile is transposed in strips of a few lines of each row, and a strip in batches of `64/W` rows. A lane of each column of a
//! square, or a line of each of `16/W` columns, is zipped (see [`transpose`](super::transpose)) and stored to a stage in the
//! first-level cache, each row as far behind the beginning of a line as in the destination. Its first line is completed by the
//! bytes that the strip before left over. The lines of a batch are streamed while the next one is transposed: the stores of a
//! whole batch at once would delay the next loads, and its lanes have left the store buffer when they are read as lines.

use super::columns::{ColumnPrefetcher, lanes};
use super::square::{LANES, Write, lane_of_square, square};
use super::strategy::{Squares, Transposition};
use super::tile::{Tile, copy_bytes};
use crate::simd::lanes::{Lanes, Line};
use crate::simd::prefetch::prefetch_l2;
use crate::simd::unrolled;
use crate::tuning::LINE;
use std::ops::Range;

/// Rows that are streamed, and may begin within a line.
pub(super) struct Carried {
    rows: Vec<CarriedRow>,
    /// The last line of each row, whose other bytes belong to later columns.
    carry: Vec<Line>,
    /// How many bytes of each row were stored.
    stored: usize,
    /// The lines of two batches.
    stages: [Vec<Line>; 2],
}

#[derive(Clone, Copy)]
struct CarriedRow {
    /// The line that contains the first column.
    line: *mut u8,
    /// How many bytes of that line belong to other rows.
    shift: usize,
}

impl Carried {
    pub(super) fn new(rows: usize) -> Carried {
        let row = CarriedRow { line: std::ptr::null_mut(), shift: 0 };
        let stages = [Vec::new(), Vec::new()];
        Carried { rows: vec![row; rows], carry: vec![Line([0; LINE]); rows], stored: 0, stages }
    }

    /// Begins row `row` at `to`.
    pub(super) fn begin(&mut self, row: usize, to: *mut u8) {
        let shift = to as usize % LINE;
        self.rows[row] = CarriedRow { line: to.wrapping_sub(shift), shift };
        self.stored = 0;
    }

    /// Writes a line to byte `at` of a row, a multiple of a line.
    ///
    /// # Safety
    /// The line is in the row, and the processor has the instructions of `S`.
    #[inline(always)]
    unsafe fn line<S: Lanes>(&mut self, row: usize, at: usize, line: S::Line) {
        // SAFETY: each line of the destination is within the row, except a part of the first.
        unsafe {
            let CarriedRow { line: to, shift } = *self.rows.get_unchecked(row);
            let carry = self.carry.as_mut_ptr().add(row).cast::<u8>();
            let rotated = S::rotate(line, shift);
            let to = to.add(at);
            if at == 0 {
                let mut first = Line([0; LINE]);
                S::store(first.0.as_mut_ptr(), rotated);
                copy_bytes(first.0.as_ptr().add(shift), to.add(shift), LINE - shift);
            } else {
                S::stream(to, S::splice(S::load_line(carry), rotated, shift));
            }
            S::store(carry, rotated);
        }
    }

    /// Writes the bytes that the rows still carry.
    ///
    /// # Safety
    /// They were begun, and `self.stored` bytes of each were stored.
    pub(super) unsafe fn end(&mut self, rows: usize) {
        for (CarriedRow { line, shift }, carry) in self.rows.iter().zip(&self.carry).take(rows) {
            let have = shift + self.stored;
            let first = if have < LINE { *shift } else { 0 };
            // SAFETY: the first bytes of the line are those of the row's last columns.
            unsafe {
                let to = line.add(have / LINE * LINE + first);
                copy_bytes(carry.0.as_ptr().add(first), to, have % LINE - first);
            }
        }
    }
}

/// Writes the lines of squares to rows of elements of `W` bytes that begin anywhere: each is shifted in registers.
struct Shifted<'a, const W: usize>(&'a mut Carried);

impl<S: Lanes, const W: usize> Write<S> for Shifted<'_, W> {
    const PAST: bool = true;

    #[inline(always)]
    unsafe fn line(&mut self, row: usize, column: usize, line: S::Line) {
        // SAFETY: the line is in the row, and all columns before it were written.
        unsafe { self.0.line::<S>(row, self.0.stored + column * W, line) }
    }

    unsafe fn part(&mut self, _: usize, _: usize, _: &Line, _: usize) {}
}

/// Rows that are on a stage.
struct Batch {
    stage: *mut Line,
    /// The lines of a row on the stage.
    pitch: usize,
    /// The row of the tile that is the first of the stage.
    top: usize,
    /// The rows that have not been streamed.
    rows: Range<usize>,
    /// The bytes of each row that the stage holds.
    bytes: Range<usize>,
}

impl Batch {
    /// Streams the whole lines of the next `count` rows, and keeps the rest of each.
    ///
    /// # Safety
    /// The bytes were stored to the stage, and belong to rows of `carried`. The processor has the instructions of `S`.
    #[inline(always)]
    unsafe fn stream<S: Lanes>(&mut self, carried: &mut Carried, count: usize) {
        let end = self.rows.end.min(self.rows.start + count);
        for row in self.rows.start..end {
            // SAFETY: the lines are on the stage and in the row, except the first bytes of the first.
            unsafe {
                let CarriedRow { line, shift } = *carried.rows.get_unchecked(row);
                let from = self.stage.add((row - self.top) * self.pitch).cast::<u8>();
                let have = shift + self.bytes.start;
                let to = line.add(have / LINE * LINE);
                let bytes = have % LINE + self.bytes.len();
                let carry = carried.carry.as_mut_ptr().add(row).cast();
                let mut line = S::splice(S::load_line(carry), S::load_line(from), have % LINE);
                let mut at = 0;
                if self.bytes.start == 0 && shift > 0 && bytes >= LINE {
                    copy_bytes(from.add(shift), to.add(shift), LINE - shift);
                    line = S::load_line(from.add(LINE));
                    at = LINE;
                }
                while at + LINE <= bytes {
                    S::stream(to.add(at), line);
                    at += LINE;
                    line = S::load_line(from.add(at));
                }
                S::store(carry, line);
            }
        }
        self.rows.start = end;
    }
}

/// Transposes a tile of elements of `W` bytes into rows that were begun.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), for `rows` rows.
#[inline(always)]
pub(super) unsafe fn carry_transposed<S: Lanes, const W: usize>(
    by: &Transposition,
    tile: &Tile,
    carried: &mut Carried,
    rows: usize,
) {
    // SAFETY: the tile is valid, and the processor has the instructions.
    unsafe {
        match W {
            1 => batches::<S, W, 16, 64>(by, tile, carried, rows),
            2 => batches::<S, W, 8, 32>(by, tile, carried, rows),
            4 => batches::<S, W, 4, 16>(by, tile, carried, rows),
            _ => batches::<S, W, 2, 8>(by, tile, carried, rows),
        }
    }
}

/// See [`carry_transposed`]; a lane is `SIDE` columns, and a square `WIDTH`.
///
/// # Safety
/// As [`carry_transposed`].
#[inline(always)]
unsafe fn batches<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(
    by: &Transposition,
    tile: &Tile,
    carried: &mut Carried,
    rows: usize,
) {
    let (lanes_apart, shifts) = match by.squares {
        Squares::Carried { lanes, in_registers } => (lanes, in_registers),
        _ => (None, false),
    };
    let columns = tile.column_from.len();
    let strip = by.lines * WIDTH;
    // One more, since they may begin within a line.
    let pitch = by.lines + 1;
    for stage in &mut carried.stages {
        stage.resize(WIDTH * pitch, Line([0; LINE]));
    }
    let [mut stage, mut other] = carried.stages.each_mut().map(|stage| stage.as_mut_ptr());
    // The next reads are prefetched meanwhile.
    let mut prefetcher = ColumnPrefetcher::new::<W>(tile, rows, by.prefetched);
    let mut before = Batch { stage, pitch, top: 0, rows: 0..0, bytes: 0..0 };
    // Lanes of columns are read where these have whole lines.
    let step = lanes_apart.filter(|_| rows >= WIDTH);
    for first in (0..columns).step_by(strip) {
        let end = columns.min(first + strip);
        let bytes = carried.stored + first * W..carried.stored + end * W;
        let in_registers =
            W == 8 && shifts && (end - first).is_multiple_of(WIDTH) && bytes.start.is_multiple_of(LINE);
        for row in (0..rows).step_by(WIDTH) {
            if in_registers && row + WIDTH <= rows {
                prefetcher.begin(tile, (first, end), row / WIDTH, (end - first) / WIDTH);
                for column in (first..end).step_by(WIDTH) {
                    // SAFETY: the square is in the tile, and its rows were begun.
                    unsafe {
                        let offsets = &*tile.column_from.as_ptr().add(column).cast::<[isize; WIDTH]>();
                        let (from, to) = (tile.from.add(row * W), &mut Shifted::<W>(carried));
                        square::<S, _, W, SIDE, WIDTH>(from, offsets, (row, column), to, &mut prefetcher);
                    }
                }
                continue;
            }
            prefetcher.begin(tile, (first, end), row / WIDTH, (end - first).div_ceil(SIDE));
            // The last rows are read again with earlier ones.
            let top = row.min(rows.saturating_sub(WIDTH));
            let batch = Batch { stage, pitch, top, rows: row..rows.min(row + WIDTH), bytes: bytes.clone() };
            let mut places = [std::ptr::null_mut::<u8>(); WIDTH];
            let share = before.rows.len().div_ceil((end - first).div_ceil(SIDE));
            // SAFETY: the stage has a place for each row, and the rows and columns are in the tile.
            unsafe {
                for (i, place) in places.iter_mut().enumerate() {
                    let shift = carried.rows.get(top + i).map_or(0, |row| row.shift);
                    *place = stage.add(i * pitch).cast::<u8>().add((shift + bytes.start) % LINE);
                }
                let mut column = first;
                while column < end {
                    let at = (column - first) * W;
                    if let Some(step) = step.filter(|_| column + WIDTH <= end) {
                        let from = tile.from.add(top * W).offset(tile.column_from[column]);
                        for lane in 0..LANES {
                            prefetcher.prefetch();
                            lane_of_square::<S, W, SIDE>(from, step, lane, places.as_ptr(), at);
                            before.stream::<S>(carried, share);
                        }
                        column += WIDTH;
                    } else {
                        prefetcher.prefetch();
                        let zipped = lanes::<S, W, SIDE>(tile, top, rows, column);
                        unrolled!(i < SIDE, {
                            let [a, b, c, d] = [i, SIDE + i, 2 * SIDE + i, 3 * SIDE + i];
                            let to =
                                [places[a].add(at), places[b].add(at), places[c].add(at), places[d].add(at)];
                            S::store_lanes(to, zipped[i]);
                        });
                        before.stream::<S>(carried, share);
                        column += SIDE;
                    }
                }
                before.stream::<S>(carried, WIDTH);
            }
            before = batch;
            std::mem::swap(&mut stage, &mut other);
        }
    }
    // SAFETY: the batch is on its stage.
    unsafe { before.stream::<S>(carried, WIDTH) };
    carried.stored += columns * W;
}

/// Copies a tile of pieces of whole lines.
///
/// # Safety
/// As [`copy_any`](super::tile::copy_any), the rows were begun, and the processor has the instructions of `S`.
#[inline(always)]
pub(super) unsafe fn carry_pieces<S: Lanes>(tile: &Tile, carried: &mut Carried, rows: usize) {
    let (piece, columns) = (tile.piece, tile.column_from);
    for (column, &from) in columns.iter().enumerate() {
        let (base, next) = match columns.get(column + 1) {
            Some(&next) => (tile.from, next),
            None => (tile.next, columns[0]),
        };
        for (row, &row_from) in tile.row_from[..rows].iter().enumerate() {
            let (from, next) =
                (tile.from.wrapping_offset(row_from + from), base.wrapping_offset(row_from + next));
            for at in (0..piece).step_by(LINE) {
                prefetch_l2(next.wrapping_add(at));
                // SAFETY: the row and column are valid for reads and writes of a piece.
                unsafe {
                    carried.line::<S>(row, carried.stored + column * piece + at, S::load_line(from.add(at)));
                }
            }
        }
    }
    carried.stored += columns.len() * piece;
}

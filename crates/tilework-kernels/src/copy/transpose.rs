//! Tiles whose rows are contiguous in the source and whose columns are in the destination: transposed in registers.
//!
//! A block is one line of each of `16/W` rows, for elements of `W` bytes. For each register of the line, `16/W` registers
//! are loaded with one lane of every column, and zipped `log2(16/W)` times:
//!
//! ```text
//! a0 a1 a2 a3      a0 c0 a1 c1      a0 b0 c0 d0
//! b0 b1 b2 b3      a2 c2 a3 c3      a1 b1 c1 d1
//! c0 c1 c2 c3      b0 d0 b1 d1      a2 b2 c2 d2
//! d0 d1 d2 d3      b2 d2 b3 d3      a3 b3 c3 d3
//! ```
//!
//! The lines are stored, or streamed past the caches. Where rows do not begin at a line, what is streamed is put together
//! from the end of the last block's line and the beginning of this one's ([`Carried`]).

use super::tile::{Tile, copy_bytes};
use crate::simd::lanes::{Lanes, Line};
use crate::simd::prefetch::prefetch_l2;
use crate::simd::unrolled;
use crate::tuning::LINE;

/// How the lines of a block are written.
trait Write<S: Lanes> {
    /// Writes the line of row `row` and column `column`.
    ///
    /// # Safety
    /// They are a row and a column of the tile, from which on there is a line.
    unsafe fn line(&mut self, row: usize, column: usize, line: S::Line);

    /// Writes `bytes` bytes, less than a line or those of a row on the edge.
    ///
    /// # Safety
    /// As [`line`](Self::line); `from` is valid for as many bytes.
    unsafe fn part(&mut self, row: usize, column: usize, from: &Line, bytes: usize);

    /// Whether a block may be written twice.
    const REPEATS: bool;
}

/// To the places of the rows, through the caches or past them.
struct Direct<'a, const W: usize> {
    rows: &'a [*mut u8],
    stream: bool,
}

impl<S: Lanes, const W: usize> Write<S> for Direct<'_, W> {
    const REPEATS: bool = true;

    #[inline(always)]
    unsafe fn line(&mut self, row: usize, column: usize, line: S::Line) {
        // SAFETY: the line is within the row.
        unsafe {
            let to = self.rows.get_unchecked(row).add(column * W);
            if S::STREAMS && self.stream { S::stream(to, line) } else { S::store(to, line) }
        }
    }

    #[inline(always)]
    unsafe fn part(&mut self, row: usize, column: usize, from: &Line, bytes: usize) {
        // SAFETY: the line is within the row.
        unsafe { copy_bytes(from.0.as_ptr(), self.rows[row].add(column * W), bytes) }
    }
}

/// Where a tile is written.
pub(super) enum Destination<'a> {
    /// To the places of its rows, past the caches if the flag says so; then they are aligned to lines.
    Rows(bool),
    /// Into rows that are shifted.
    Carried(&'a mut Carried, usize),
}

/// Transposes a tile of elements of `W` bytes.
///
/// # Safety
/// As [`copy_any`](super::tile::copy_any); `row_from` is not read: row `i` lies `W i` bytes behind the first. `W` is
/// at most 8, and there is a row and a column. Rows that are carried were begun.
#[inline(always)]
pub(super) unsafe fn transpose<S: Lanes, const W: usize>(tile: &Tile, destination: Destination) {
    // SAFETY: the tile is valid, and the processor has the instructions.
    unsafe {
        match destination {
            Destination::Rows(stream) => {
                let mut rows = Direct::<W> { rows: tile.row_to, stream };
                blocks::<S, _, W>(tile, tile.row_to.len(), &mut rows);
            }
            // Only what is streamed is shifted.
            Destination::Carried(..) if !S::STREAMS => unreachable!("lines are not streamed"),
            Destination::Carried(carried, rows) => {
                blocks::<S, _, W>(tile, rows, &mut Carry::<W>(carried));
                carried.column += tile.column_from.len() * W;
            }
        }
    }
}

/// Rows that are streamed, and begin anywhere in a line.
pub(super) struct Carried {
    rows: Vec<CarriedRow>,
    lines: Vec<Line>,
    /// The first column of the tile in the row.
    column: usize,
}

#[derive(Clone, Copy)]
struct CarriedRow {
    /// The line in which the first column lies.
    line: *mut u8,
    /// How many bytes of each line of the destination belong to the columns before.
    shift: usize,
    /// Whether there are no columns before.
    fresh: bool,
}

impl Carried {
    pub(super) fn new(rows: usize) -> Carried {
        let row = CarriedRow { line: std::ptr::null_mut(), shift: 0, fresh: true };
        Carried { rows: vec![row; rows], lines: vec![Line([0; LINE]); rows], column: 0 }
    }

    /// Begins row `row` at `to`.
    pub(super) fn begin(&mut self, row: usize, to: *mut u8) {
        let shift = to as usize % LINE;
        self.rows[row] = CarriedRow { line: to.wrapping_sub(shift), shift, fresh: true };
        self.column = 0;
    }

    /// Writes what the rows still carry.
    ///
    /// # Safety
    /// They were begun, and got `self.column` bytes.
    pub(super) unsafe fn end(&mut self, rows: usize) {
        for (row, line) in self.rows.iter().zip(&self.lines).take(rows) {
            if !row.fresh && self.column.is_multiple_of(LINE) {
                // SAFETY: the first bytes of the line belong to the row's last columns.
                unsafe { copy_bytes(line.0.as_ptr(), row.line.add(self.column), row.shift) };
            }
        }
    }
}

/// See [`Carried`].
struct Carry<'a, const W: usize>(&'a mut Carried);

impl<S: Lanes, const W: usize> Write<S> for Carry<'_, W> {
    const REPEATS: bool = false;

    #[inline(always)]
    unsafe fn line(&mut self, row: usize, column: usize, line: S::Line) {
        let at = self.0.column + column * W;
        // SAFETY: each line of the destination lies in the row but for the first, of which a part does.
        unsafe {
            let CarriedRow { line: to, shift, fresh } = self.0.rows.get_unchecked_mut(row);
            let carried = self.0.lines.as_mut_ptr().add(row).cast::<u8>();
            let rotated = S::rotate(line, *shift);
            let to = to.add(at);
            if *fresh {
                *fresh = false;
                let mut first = Line([0; LINE]);
                S::store(first.0.as_mut_ptr(), rotated);
                copy_bytes(first.0.as_ptr().add(*shift), to.add(*shift), LINE - *shift);
            } else {
                S::stream(to, S::splice(S::load_line(carried), rotated, *shift));
            }
            S::store(carried, rotated);
        }
    }

    #[inline(always)]
    unsafe fn part(&mut self, row: usize, column: usize, from: &Line, bytes: usize) {
        let at = self.0.column + column * W;
        let CarriedRow { line, shift, fresh } = &mut self.0.rows[row];
        let carried = &mut self.0.lines[row];
        // SAFETY: the part is within the row; what is carried belongs before it.
        unsafe {
            let to = line.add(at);
            if !*fresh {
                copy_bytes(carried.0.as_ptr(), to, *shift);
            }
            let now = if bytes == LINE { LINE - *shift } else { bytes };
            copy_bytes(from.0.as_ptr(), to.add(*shift), now);
            copy_bytes(from.0.as_ptr().add(now), carried.0.as_mut_ptr(), bytes - now);
        }
        *fresh = false;
    }
}

/// Goes through a tile by blocks.
#[inline(always)]
unsafe fn blocks<S: Lanes, T: Write<S>, const W: usize>(tile: &Tile, rows: usize, write: &mut T) {
    // SAFETY: the rows and columns of the strip are some of the tile.
    unsafe {
        match W {
            1 => blocks_of::<S, T, W, 16, 64>(tile, rows, write),
            2 => blocks_of::<S, T, W, 8, 32>(tile, rows, write),
            4 => blocks_of::<S, T, W, 4, 16>(tile, rows, write),
            _ => blocks_of::<S, T, W, 2, 8>(tile, rows, write),
        }
    }
}

#[inline(always)]
unsafe fn blocks_of<S: Lanes, T: Write<S>, const W: usize, const SIDE: usize, const WIDTH: usize>(
    tile: &Tile,
    rows: usize,
    write: &mut T,
) {
    let columns = tile.column_from.len();
    let mut column = 0;
    // SAFETY: the rows and columns of each strip are some of the tile.
    unsafe {
        if rows < SIDE {
            while column < columns {
                few_rows::<S, T, W, SIDE, WIDTH>(tile, rows, (column, WIDTH.min(columns - column)), write);
                column += WIDTH;
            }
            return;
        }
        while S::STREAMS && W > 1 && column + 2 * WIDTH <= columns {
            strip::<S, T, W, SIDE, WIDTH, 2>(tile, rows, (column, 2 * WIDTH), write);
            column += 2 * WIDTH;
        }
        while column < columns {
            // The last one begins earlier and writes a part again, unless that may not be.
            let again = column + WIDTH > columns && columns >= WIDTH && T::REPEATS;
            let first = if again { columns - WIDTH } else { column };
            strip::<S, T, W, SIDE, WIDTH, 1>(tile, rows, (first, WIDTH.min(columns - first)), write);
            column += WIDTH;
        }
    }
}

/// `N` lines of every row, block after block: rows are written faster two lines at a time.
///
/// # Safety
/// As [`transpose`]; the columns, as first and count, are some of the tile, and there are `SIDE` rows or more.
#[inline(always)]
unsafe fn strip<
    S: Lanes,
    T: Write<S>,
    const W: usize,
    const SIDE: usize,
    const WIDTH: usize,
    const N: usize,
>(
    tile: &Tile,
    rows: usize,
    (first, count): (usize, usize),
    write: &mut T,
) {
    let columns = tile.column_from.len();
    let mut bases = [[tile.from; WIDTH]; N];
    for (i, base) in bases.as_flattened_mut().iter_mut().enumerate() {
        *base = tile.from.wrapping_offset(tile.column_from[first + i.min(count - 1)]);
    }
    // The next columns are prefetched, a line of each row at a time.
    let (after, ahead) = if first + count < columns { (tile.from, first + count) } else { (tile.next, 0) };
    let ahead = &tile.column_from[ahead..(ahead + N * WIDTH).min(columns)];
    let mut row = 0;
    while row < rows {
        if tile.next != tile.from && (row * W).is_multiple_of(LINE) {
            for &column in ahead {
                prefetch_l2(after.wrapping_offset(column).wrapping_add(row * W));
            }
        }
        // The last block begins earlier; what it has already written is left out where it may not be repeated.
        let top = row.min(rows - SIDE);
        let begin = if T::REPEATS { top } else { row };
        // SAFETY: rows and columns of the block are some of the tile.
        unsafe {
            let parts = block::<S, W, SIDE, WIDTH>(&bases[0], top * W);
            let next = if N > 1 { block::<S, W, SIDE, WIDTH>(&bases[N - 1], top * W) } else { parts };
            if T::REPEATS && (N > 1 || count == WIDTH) {
                unrolled!(i < SIDE, {
                    write.line(top + i, first, line::<S, SIDE>(&parts, i));
                    if N > 1 {
                        write.line(top + i, first + WIDTH, line::<S, SIDE>(&next, i));
                    }
                });
            } else {
                let lines = [lines::<S, SIDE>(&parts), lines::<S, SIDE>(&next)];
                for i in begin - top..SIDE {
                    if N == 1 && count < WIDTH {
                        write.part(top + i, first, &lines[0][i], count * W);
                        continue;
                    }
                    for (n, lines) in lines[..N].iter().enumerate() {
                        write.line(top + i, first + n * WIDTH, S::load_line(lines[i].0.as_ptr()));
                    }
                }
            }
        }
        row += SIDE;
    }
}

/// Line `i` of a block.
#[inline(always)]
unsafe fn line<S: Lanes, const SIDE: usize>(parts: &[[S::Register; SIDE]; 4], i: usize) -> S::Line {
    S::line([parts[0][i], parts[1][i], parts[2][i], parts[3][i]])
}

/// The lines of a block on the stack, for what is written row by row: written out for every row, it would take the compiler
/// longer than all the rest.
#[inline(always)]
unsafe fn lines<S: Lanes, const SIDE: usize>(parts: &[[S::Register; SIDE]; 4]) -> [Line; SIDE] {
    let mut lines = [Line([0; LINE]); SIDE];
    // SAFETY: the processor has the instructions, and there is room for each line.
    unrolled!(i < SIDE, unsafe { S::store(lines[i].0.as_mut_ptr(), line::<S, SIDE>(parts, i)) });
    lines
}

/// A block of fewer than `SIDE` rows, read by way of the stack.
///
/// # Safety
/// As [`transpose`]; the columns, as first and count, are some of the tile.
#[inline(always)]
unsafe fn few_rows<S: Lanes, T: Write<S>, const W: usize, const SIDE: usize, const WIDTH: usize>(
    tile: &Tile,
    rows: usize,
    (first, count): (usize, usize),
    write: &mut T,
) {
    let mut read = [[0u8; 16]; WIDTH];
    // SAFETY: what belongs to the tile is moved in and out.
    unsafe {
        for (column, &at) in read.iter_mut().zip(&tile.column_from[first..first + count]) {
            copy_bytes(tile.from.offset(at), column.as_mut_ptr(), rows * W);
        }
        let parts = block::<S, W, SIDE, WIDTH>(&std::array::from_fn(|i| read[i].as_ptr()), 0);
        for (i, line) in lines::<S, SIDE>(&parts).iter().enumerate().take(rows) {
            write.part(i, first, line, count * W);
        }
    }
}

/// Transposes one line of `SIDE` rows: its parts, of which there are `4 / LANES`, and of each the register of each row.
///
/// # Safety
/// The first `64/W` of `bases` are valid for reads of 16 bytes, `at` bytes on.
#[inline(always)]
unsafe fn block<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(
    bases: &[*const u8; WIDTH],
    at: usize,
) -> [[S::Register; SIDE]; 4] {
    // SAFETY: each pointer is valid for reads of 16 bytes, `at` bytes on.
    unsafe {
        let zero = [S::zero(); SIDE];
        let second = if S::LANES < 4 { part::<S, W, SIDE, WIDTH>(bases, SIDE * S::LANES, at) } else { zero };
        let (third, fourth) = if S::LANES == 1 {
            (part::<S, W, SIDE, WIDTH>(bases, 2 * SIDE, at), part::<S, W, SIDE, WIDTH>(bases, 3 * SIDE, at))
        } else {
            (zero, zero)
        };
        [part::<S, W, SIDE, WIDTH>(bases, 0, at), second, third, fourth]
    }
}

/// Transposes `SIDE` registers of `LANES` columns each, from column `first` on.
///
/// # Safety
/// As [`block`].
#[inline(always)]
unsafe fn part<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(
    bases: &[*const u8; WIDTH],
    first: usize,
    at: usize,
) -> [S::Register; SIDE] {
    // SAFETY: each pointer is valid for reads of 16 bytes. Lanes that a register does not have are not read.
    unsafe {
        let mut registers = [S::zero(); SIDE];
        unrolled!(i < SIDE, {
            let column = first + i;
            registers[i] = S::load([
                bases[column].add(at),
                bases[(column + SIDE) % WIDTH].wrapping_add(at),
                bases[(column + 2 * SIDE) % WIDTH].wrapping_add(at),
                bases[(column + 3 * SIDE) % WIDTH].wrapping_add(at),
            ]);
        });
        let mut step = 1;
        while step < SIDE {
            let before = registers;
            unrolled!(i < SIDE, {
                let (a, b) = (before[i / 2], before[i / 2 + SIDE / 2]);
                registers[i] =
                    if i.is_multiple_of(2) { S::zip_low::<W>(a, b) } else { S::zip_high::<W>(a, b) };
            });
            step *= 2;
        }
        registers
    }
}

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

use super::lanes::{LINE, Lanes, Line};
use super::tile::{Tile, copy_bytes};

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
    /// As [`line`](Self::line); `from` is good for as many bytes.
    unsafe fn part(&mut self, row: usize, column: usize, from: &[u8; LINE], bytes: usize);

    /// Whether a block may be written twice.
    const REPEATS: bool;
}

/// To the places of the rows, through the caches or past them.
struct Direct<'a, const W: usize, const STREAM: bool>(&'a [*mut u8]);

impl<S: Lanes, const W: usize, const STREAM: bool> Write<S> for Direct<'_, W, STREAM> {
    const REPEATS: bool = true;

    #[inline(always)]
    unsafe fn line(&mut self, row: usize, column: usize, line: S::Line) {
        // SAFETY: the caller's.
        unsafe {
            let to = self.0.get_unchecked(row).add(column * W);
            if STREAM { S::stream(to, line) } else { S::store(to, line) }
        }
    }

    #[inline(always)]
    unsafe fn part(&mut self, row: usize, column: usize, from: &[u8; LINE], bytes: usize) {
        // SAFETY: the caller's.
        unsafe { copy_bytes(from.as_ptr(), self.0[row].add(column * W), bytes) }
    }
}

/// Transposes a tile of elements of `W` bytes; past the caches where `STREAM`, and then rows are aligned to lines.
///
/// # Safety
/// As [`copy_pieces`](super::tile::copy_pieces); `row_from` is not read: row `i` lies `W i` bytes behind the first. `W` is
/// at most 8, and there is a row and a column.
#[inline(always)]
pub(super) unsafe fn transpose<S: Lanes, const W: usize, const STREAM: bool>(tile: &Tile) {
    // SAFETY: the caller's.
    unsafe { blocks::<S, W>(tile, tile.row_to.len(), &mut Direct::<W, STREAM>(tile.row_to)) }
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

    /// Transposes a tile into the first `rows` rows, behind what they have.
    ///
    /// # Safety
    /// As [`transpose`], for the rows that were begun.
    #[inline(always)]
    pub(super) unsafe fn transpose<S: Lanes, const W: usize>(&mut self, tile: &Tile, rows: usize) {
        // SAFETY: the caller's.
        unsafe { blocks::<S, W>(tile, rows, &mut Carry::<W>(self)) };
        self.column += tile.column_from.len() * W;
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
        // SAFETY: the caller's; each line of the destination lies in the row but for the first, of which a part does.
        unsafe {
            let CarriedRow { line: to, shift, fresh } = self.0.rows.get_unchecked_mut(row);
            let carried = self.0.lines.as_mut_ptr().add(row).cast::<u8>();
            let turned = S::turn(line, *shift);
            let to = to.add(at);
            if *fresh {
                *fresh = false;
                let mut first = Line([0; LINE]);
                S::store(first.0.as_mut_ptr(), turned);
                copy_bytes(first.0.as_ptr().add(*shift), to.add(*shift), LINE - *shift);
            } else {
                S::stream(to, S::splice(S::load_line(carried), turned, *shift));
            }
            S::store(carried, turned);
        }
    }

    #[inline(always)]
    unsafe fn part(&mut self, row: usize, column: usize, from: &[u8; LINE], bytes: usize) {
        let at = self.0.column + column * W;
        let CarriedRow { line, shift, fresh } = &mut self.0.rows[row];
        let carried = &mut self.0.lines[row];
        // SAFETY: the caller's; what is carried belongs in front of it.
        unsafe {
            let to = line.add(at);
            if !*fresh {
                copy_bytes(carried.0.as_ptr(), to, *shift);
            }
            let now = if bytes == LINE { LINE - *shift } else { bytes };
            copy_bytes(from.as_ptr(), to.add(*shift), now);
            copy_bytes(from.as_ptr().add(now), carried.0.as_mut_ptr(), bytes - now);
        }
        *fresh = false;
    }
}

/// The statement for each number below `$count`, written out: a loop would put the registers on the stack first.
macro_rules! unrolled {
    ($i:ident < $count:ident, $statement:expr) => {
        unrolled!(@ $i $count $statement; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $i:ident $count:ident $statement:expr; $($number:literal)*) => {
        $(if const { $number < $count } {
            let $i = $number % $count;
            $statement;
        })*
    };
}

/// Goes through a tile by blocks.
#[inline(always)]
unsafe fn blocks<S: Lanes, const W: usize>(tile: &Tile, rows: usize, write: &mut impl Write<S>) {
    // SAFETY: the caller's.
    unsafe {
        match W {
            1 => blocks_of::<S, W, 16>(tile, rows, write),
            2 => blocks_of::<S, W, 8>(tile, rows, write),
            4 => blocks_of::<S, W, 4>(tile, rows, write),
            _ => blocks_of::<S, W, 2>(tile, rows, write),
        }
    }
}

#[inline(always)]
unsafe fn blocks_of<S: Lanes, const W: usize, const SIDE: usize>(
    tile: &Tile,
    rows: usize,
    write: &mut impl Write<S>,
) {
    let width = LINE / W;
    let columns = tile.column_from.len();
    let mut column = 0;
    while column < columns {
        // The last block begins earlier and writes a part again, unless that may not be.
        let whole = column + width <= columns || write_repeats(write) && columns >= width;
        let first = if whole { column.min(columns - width) } else { column };
        let count = width.min(columns - first);
        let at = |i: usize| tile.column_from[first + i.min(count - 1)];
        let bases: [*const u8; 64] =
            std::array::from_fn(|i| if i < width { tile.from.wrapping_offset(at(i)) } else { tile.from });
        // The columns after these are asked for, a line of each row at a time.
        let ahead: [*const u8; 64] = std::array::from_fn(|i| {
            let (base, column) =
                if first + width < columns { (tile.from, first + width + i) } else { (tile.next, i) };
            if i < width { base.wrapping_offset(tile.column_from[column.min(columns - 1)]) } else { base }
        });
        let mut row = 0;
        while row < rows {
            if tile.next != tile.from && (row * W).is_multiple_of(LINE) {
                for &base in &ahead[..width] {
                    S::prefetch(base.wrapping_add(row * W));
                }
            }
            let whole = whole && (row + SIDE <= rows || write_repeats(write) && rows >= SIDE);
            // SAFETY: rows and columns of the block are some of the tile.
            unsafe {
                if whole {
                    let top = row.min(rows - SIDE);
                    let parts = block::<S, W, SIDE>(&bases, top * W);
                    unrolled!(i < SIDE, {
                        let line = S::line([parts[0][i], parts[1][i], parts[2][i], parts[3][i]]);
                        write.line(top + i, first, line);
                    });
                } else {
                    edge::<S, W, SIDE>(&bases, (row, SIDE.min(rows - row)), (first, count), write);
                }
            }
            row += SIDE;
        }
        column += width;
    }
}

/// Whether blocks may overlap.
#[inline(always)]
fn write_repeats<S: Lanes, T: Write<S>>(_: &T) -> bool {
    T::REPEATS
}

/// A block of fewer rows or columns, by way of the stack.
///
/// # Safety
/// The rows and the columns, each as first and count, are some of the tile; `bases` are where its columns lie.
#[inline(never)]
unsafe fn edge<S: Lanes, const W: usize, const SIDE: usize>(
    bases: &[*const u8; 64],
    (top, rows): (usize, usize),
    (first, columns): (usize, usize),
    write: &mut impl Write<S>,
) {
    let mut read = [[0u8; 16]; 64];
    // SAFETY: what belongs to the tile is moved in and out.
    unsafe {
        for (column, base) in read.iter_mut().zip(bases).take(columns) {
            copy_bytes(base.add(top * W), column.as_mut_ptr(), rows * W);
        }
        let parts = block::<S, W, SIDE>(&std::array::from_fn(|i| read[i].as_ptr()), 0);
        unrolled!(i < SIDE, {
            if i < rows {
                let mut bytes = [0; LINE];
                S::store(bytes.as_mut_ptr(), S::line([parts[0][i], parts[1][i], parts[2][i], parts[3][i]]));
                write.part(top + i, first, &bytes, columns * W);
            }
        });
    }
}

/// Transposes one line of `SIDE` rows: its parts, of which there are `4 / LANES`, and of each the register of each row.
///
/// # Safety
/// The first `64/W` of `bases` are, `at` bytes on, good for reading 16 bytes.
#[inline(always)]
unsafe fn block<S: Lanes, const W: usize, const SIDE: usize>(
    bases: &[*const u8; 64],
    at: usize,
) -> [[S::Register; SIDE]; 4] {
    // SAFETY: the caller's.
    unsafe {
        let zero = [S::zero(); SIDE];
        let second = if S::LANES < 4 { part::<S, W, SIDE>(bases, SIDE * S::LANES, at) } else { zero };
        let (third, fourth) = if S::LANES == 1 {
            (part::<S, W, SIDE>(bases, 2 * SIDE, at), part::<S, W, SIDE>(bases, 3 * SIDE, at))
        } else {
            (zero, zero)
        };
        [part::<S, W, SIDE>(bases, 0, at), second, third, fourth]
    }
}

/// Transposes `SIDE` registers of `LANES` columns each, from column `first` on.
///
/// # Safety
/// As [`block`].
#[inline(always)]
unsafe fn part<S: Lanes, const W: usize, const SIDE: usize>(
    bases: &[*const u8; 64],
    first: usize,
    at: usize,
) -> [S::Register; SIDE] {
    // SAFETY: the caller's. Lanes that a register does not have are not read.
    unsafe {
        let mut registers = [S::zero(); SIDE];
        unrolled!(i < SIDE, {
            let column = first + i;
            registers[i] = S::load([
                bases[column].add(at),
                bases[(column + SIDE) % 64].wrapping_add(at),
                bases[(column + 2 * SIDE) % 64].wrapping_add(at),
                bases[(column + 3 * SIDE) % 64].wrapping_add(at),
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

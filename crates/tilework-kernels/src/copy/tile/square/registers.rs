//! One square, in registers.

use super::columns::ColumnPrefetcher;
use crate::simd::lanes::{Lanes, Task, zip};
use crate::simd::unrolled;
use std::marker::PhantomData;

/// The lanes of a line.
pub(super) const LANES: usize = 4;

/// Writes the lines of a block.
pub(super) trait Write<S: Lanes> {
    /// Writes the line of row `row` and column `column`.
    ///
    /// # Safety
    /// The row and the column are in the tile, and a whole line begins there.
    unsafe fn line(&mut self, row: usize, column: usize, line: S::Line);

    /// Whether lines are written past the caches.
    const PAST: bool;
}

/// Writes rows in place.
pub(super) struct Direct<'a, const W: usize, const STREAM: bool>(pub &'a [*mut u8]);

impl<S: Lanes, const W: usize, const STREAM: bool> Write<S> for Direct<'_, W, STREAM> {
    const PAST: bool = STREAM;

    #[inline(always)]
    unsafe fn line(&mut self, row: usize, column: usize, line: S::Line) {
        // SAFETY: the line is within the row.
        unsafe { S::put(self.0.get_unchecked(row).add(column * W), line, STREAM) }
    }
}

/// Whether the next reads are prefetched between the lines of a square, not before it. Those of a square with elements of 8
/// bytes can all be outstanding.
pub(super) fn prefetches_between<S: Lanes, T: Write<S>, const W: usize>() -> bool {
    T::PAST && W < 8
}

/// Transposes a line of each of `WIDTH` columns to a line of each of as many rows. Those of bytes are long, and a function of their own,
/// not a copy in each way through a tile.
///
/// # Safety
/// `from` is valid for reads of a line at each of the offsets. `WIDTH` rows and columns begin at `row` and `column`, where `write` may write.
#[inline(always)]
pub(super) unsafe fn square<S: Lanes, T: Write<S>, const W: usize, const SIDE: usize, const WIDTH: usize>(
    from: *const u8,
    offsets: &[isize; WIDTH],
    place: (usize, usize),
    write: &mut T,
    prefetcher: &mut ColumnPrefetcher,
) {
    let square =
        Square::<S, T, W, SIDE, WIDTH> { from, offsets, place, write, prefetcher, lanes: PhantomData };
    // SAFETY: the contract is the same.
    unsafe { if const { W == 1 || S::LANES == 1 } { S::outlined(square) } else { square.run() } }
}

/// The arguments of [`square`].
struct Square<'a, 'b, S, T, const W: usize, const SIDE: usize, const WIDTH: usize> {
    from: *const u8,
    offsets: &'a [isize; WIDTH],
    place: (usize, usize),
    write: &'a mut T,
    prefetcher: &'a mut ColumnPrefetcher<'b>,
    lanes: PhantomData<S>,
}

impl<S: Lanes, T: Write<S>, const W: usize, const SIDE: usize, const WIDTH: usize> Task
    for Square<'_, '_, S, T, W, SIDE, WIDTH>
{
    #[inline(always)]
    unsafe fn run(self) {
        let Square { from, offsets, place: (row, column), write, prefetcher, .. } = self;
        let between = prefetches_between::<S, T, W>();
        if !between {
            prefetcher.prefetch();
        }
        // SAFETY: the pointers are valid for lines, and the rows and columns exist.
        unsafe {
            let first = S::zipped::<W, SIDE, WIDTH>(from, offsets, 0);
            let second = S::zipped::<W, SIDE, WIDTH>(from, offsets, SIDE);
            let third = S::zipped::<W, SIDE, WIDTH>(from, offsets, 2 * SIDE);
            let fourth = S::zipped::<W, SIDE, WIDTH>(from, offsets, 3 * SIDE);
            unrolled!(i < SIDE, {
                let lines = S::move_lanes([first[i], second[i], third[i], fourth[i]]);
                write.line(row + i, column, lines[0]);
                write.line(row + SIDE + i, column, lines[1]);
                write.line(row + 2 * SIDE + i, column, lines[2]);
                write.line(row + 3 * SIDE + i, column, lines[3]);
                if between {
                    prefetcher.prefetch();
                }
            });
        }
    }
}

/// Transposes lane `lane` of a line of each of `64/W` columns, `step` bytes apart, to a line of each of as many rows as the lane has
/// elements: the lanes of a register are those of columns `16/W` apart, whose elements are zipped to lines, and need not be moved.
///
/// # Safety
/// `from` is valid for reads of a line of each column, and byte `at` of each of the rows from `to` on, those of the first lane, is
/// valid for writes of a line.
#[inline(always)]
pub(super) unsafe fn lane_of_square<S: Lanes, const W: usize, const SIDE: usize>(
    from: *const u8,
    step: isize,
    lane: usize,
    to: *const *mut u8,
    at: usize,
) {
    let far = SIDE as isize * step;
    // SAFETY: the pointers are valid for lines, and the rows exist.
    unsafe {
        let to = to.add(lane * SIDE);
        unrolled!(part < S::PARTS: 4, {
            let first = from.add(lane * 16).offset((part * S::LANES) as isize * far);
            let mut registers = [S::load(first); SIDE];
            unrolled!(i < SIDE, {
                let from = first.wrapping_offset(i as isize * step);
                let places = [
                    from,
                    from.wrapping_offset(far),
                    from.wrapping_offset(2 * far),
                    from.wrapping_offset(3 * far),
                ];
                registers[i] = S::load_lanes(places);
            });
            let registers = zip::<S, W, SIDE>(registers, const { SIDE.ilog2() });
            unrolled!(i < SIDE, {
                let to = (*to.add(i)).add(at + part * S::LANES * 16);
                to.cast::<S::Register>().write_unaligned(registers[i]);
            });
        });
    }
}

//! Rows of whole lines that are written past the caches.
//!
//! Memory takes four neighbouring lines together in less time than lines that are far apart. So the columns of four lines are
//! read as a strip of squares, whose zipped lines (see [`square`](super)) are stored to a stage in the
//! first-level cache. The rows of a strip are written, four lines of each, while the next strip is read: the stores of a
//! whole strip at once would delay the next loads.

use super::columns::{ColumnPrefetcher, lanes};
use super::registers::LANES;
use crate::copy::plan::strategy::Transposition;
use crate::copy::tile::block::Tile;
use crate::simd::lanes::Lanes;
use crate::simd::unrolled;
use crate::tuning::LINE;
use crate::tuning::copy::STRIP_LINES;
use std::mem::MaybeUninit;

/// Squares side by side, zipped.
struct Strip<L, const WIDTH: usize> {
    stage: MaybeUninit<[[L; WIDTH]; STRIP_LINES]>,
    /// The row and column of the tile at which it begins.
    place: (usize, usize),
    /// How many squares it has.
    squares: usize,
    /// How many rows of each lane were written.
    written: usize,
}

/// Transposes a tile to rows of whole lines, which begin at lines; a lane is `SIDE` columns, and a square `WIDTH`.
///
/// # Safety
/// As [`transposed`](super::transposed).
#[inline(always)]
pub(super) unsafe fn strips<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(
    by: &Transposition,
    tile: &Tile,
) {
    let (rows, columns) = (tile.rows, tile.columns);
    // The next reads are prefetched meanwhile.
    let mut prefetcher = ColumnPrefetcher::new::<W>(tile, by.prefetched);
    let (mut one, mut other) = (Strip::<S::Line, WIDTH>::new(SIDE), Strip::new(SIDE));
    let (mut read, mut before) = (&mut one, &mut other);
    let width = STRIP_LINES * WIDTH;
    for first in (0..columns).step_by(width) {
        let end = columns.min(first + width);
        let lane_count = (end - first) / SIDE;
        for row in (0..rows).step_by(WIDTH) {
            prefetcher.begin(tile, (first, end), row / WIDTH, lane_count);
            // The last rows are read again with earlier ones.
            let top = row.min(rows.saturating_sub(WIDTH));
            (read.place, read.squares, read.written) = ((top, first), lane_count / LANES, 0);
            let stage = read.stage.as_mut_ptr().cast::<S::Line>();
            for lane in 0..lane_count {
                prefetcher.prefetch();
                // SAFETY: the rows and columns are in the tile, and the stage has a place for each line.
                unsafe {
                    let lines = lanes::<S, W, SIDE>(tile, top, first + lane * SIDE);
                    unrolled!(i < SIDE, stage.add(lane * SIDE + i).write(lines[i]));
                    while before.written * lane_count < (lane + 1) * SIDE {
                        before.write::<S, W, SIDE>(tile);
                    }
                }
            }
            std::mem::swap(&mut read, &mut before);
        }
    }
    while before.written < SIDE {
        // SAFETY: the strip was read.
        unsafe { before.write::<S, W, SIDE>(tile) };
    }
}

impl<L: Copy, const WIDTH: usize> Strip<L, WIDTH> {
    /// Nothing that remains to be written, if lanes have `side` rows.
    fn new(side: usize) -> Self {
        Strip { stage: MaybeUninit::uninit(), place: (0, 0), squares: 0, written: side }
    }

    /// Writes the next row of each lane.
    ///
    /// # Safety
    /// The strip was read from columns of `tile`, and one remains. The processor has the instructions of
    /// `S`.
    #[inline(always)]
    unsafe fn write<S: Lanes<Line = L>, const W: usize, const SIDE: usize>(&mut self, tile: &Tile) {
        // SAFETY: the lines were read; AVX2 has registers for one row of four lines.
        unsafe {
            if self.squares < STRIP_LINES {
                for square in 0..self.squares {
                    self.lines::<S, W, SIDE, 1, LANES>(tile, square, 0);
                }
            } else if const { S::PARTS == 1 } {
                self.lines::<S, W, SIDE, STRIP_LINES, LANES>(tile, 0, 0);
            } else {
                unrolled!(lane < LANES: 4, self.lines::<S, W, SIDE, STRIP_LINES, 1>(tile, 0, lane));
            }
        }
        self.written += 1;
    }

    /// Writes `COUNT` lines of the next row of `TOGETHER` lanes.
    ///
    /// # Safety
    /// As [`write`](Self::write); there are so many squares and lanes from those on.
    #[inline(always)]
    unsafe fn lines<
        S: Lanes<Line = L>,
        const W: usize,
        const SIDE: usize,
        const COUNT: usize,
        const TOGETHER: usize,
    >(
        &self,
        tile: &Tile,
        square: usize,
        lane: usize,
    ) {
        let (top, column) = self.place;
        // SAFETY: the squares were read, and the rows are in the tile.
        unsafe {
            let stage = self.stage.as_ptr().cast::<L>().add(square * WIDTH + self.written);
            let mut lines = [[*stage; LANES]; COUNT];
            unrolled!(i < COUNT: 4, {
                let from = stage.add(i * WIDTH);
                lines[i] = S::move_lanes([*from, *from.add(SIDE), *from.add(2 * SIDE), *from.add(3 * SIDE)]);
            });
            unrolled!(j < TOGETHER: 4, {
                let row = top + (lane + j) * SIDE + self.written;
                if row < tile.rows {
                    let to = tile.row_to.get_unchecked(row).add(column * W + square * LINE);
                    unrolled!(i < COUNT: 4, S::stream(to.add(i * LINE), lines[i][lane + j]));
                }
            });
        }
    }
}

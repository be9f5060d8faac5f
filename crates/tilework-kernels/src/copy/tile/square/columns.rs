//! How the columns of a tile that is transposed are read: a few side by side, while the next ones are prefetched.

use crate::copy::tile::block::{Tile, copy_bytes};
use crate::simd::lanes::{Lanes, Line};
use crate::simd::prefetch::prefetch_l2;
use crate::simd::unrolled;
use crate::tuning::LINE;
use std::mem::MaybeUninit;

/// A line of each of `SIDE` columns, zipped; the last column again for those that do not exist.
///
/// # Safety
/// As [`transposed`](super::transposed); the rows from `top` on and the first column are in the tile.
#[inline(always)]
pub(super) unsafe fn lanes<S: Lanes, const W: usize, const SIDE: usize>(
    tile: &Tile,
    top: usize,
    column: usize,
) -> [S::Line; SIDE] {
    let columns = &tile.column_from[column..];
    let mut edge = [0; SIDE];
    let offsets = match columns.first_chunk::<SIDE>() {
        Some(offsets) => offsets,
        None => {
            for (i, offset) in edge.iter_mut().enumerate() {
                *offset = columns[i.min(columns.len() - 1)];
            }
            &edge
        }
    };
    // A short column is copied to the stack. There is one load for both cases, of which the compiler would make one by way of the
    // stack otherwise.
    let mut short = MaybeUninit::<[Line; SIDE]>::uninit();
    let mut places = [0; SIDE];
    unrolled!(i < SIDE, places[i] = (i * LINE) as isize);
    // SAFETY: only bytes of the tile are read.
    unsafe {
        let (from, offsets) = if tile.rows >= 4 * SIDE {
            (tile.from.add(top * W), offsets)
        } else {
            let short = short.write([Line([0; LINE]); SIDE]);
            for (line, offset) in short.iter_mut().zip(offsets) {
                copy_bytes(tile.from.offset(*offset), line.0.as_mut_ptr(), tile.rows * W);
            }
            (short.as_ptr().cast(), &places)
        };
        S::zipped::<W, SIDE, SIDE>(from, offsets, 0)
    }
}

/// The reads after the current rows, a few at a time: all at once would be more lines than can be outstanding, and the next
/// loads would wait.
pub(super) struct ColumnPrefetcher<'a> {
    from: *const u8,
    columns: &'a [isize],
    /// How many columns are prefetched at a time.
    share: usize,
    /// How many lines of each.
    lines: usize,
    /// How many lines a column has; 0 if nothing is prefetched.
    steps: usize,
}

impl<'a> ColumnPrefetcher<'a> {
    /// For the rows of a tile, of elements of `W` bytes: column by column, at most `most` contiguous lines of each; nothing if 0.
    #[inline(always)]
    pub fn new<const W: usize>(tile: &Tile<'a>, most: usize) -> Self {
        if most == 0 {
            return ColumnPrefetcher::nothing(tile);
        }
        // A last share of fewer lines would begin the next columns late.
        let steps = (tile.rows * W).div_ceil(LINE);
        ColumnPrefetcher {
            from: tile.from,
            columns: &[],
            share: 0,
            lines: steps.div_ceil(steps.div_ceil(most)),
            steps,
        }
    }

    /// Prefetches nothing.
    #[inline(always)]
    pub fn nothing(tile: &Tile<'a>) -> Self {
        ColumnPrefetcher { from: tile.from, columns: &[], share: 0, lines: 1, steps: 0 }
    }

    /// Before line `step` of the columns `first` to `end` is read, in `parts` parts: the lines after those that were prefetched
    /// before; if there are none, the following columns, of this or the next tile.
    #[inline(always)]
    pub fn begin(&mut self, tile: &Tile<'a>, (first, end): (usize, usize), step: usize, parts: usize) {
        if self.steps == 0 || !step.is_multiple_of(self.lines) {
            return;
        }
        let (columns, next) = (tile.column_from, step + self.lines);
        let as_many = |columns: &'a [isize]| &columns[..columns.len().min(end - first)];
        (self.from, self.columns) = if next < self.steps {
            (tile.from.wrapping_add(next * LINE), &columns[first..end])
        } else if end < columns.len() {
            (tile.from, as_many(&columns[end..]))
        } else {
            (tile.next, if tile.next == tile.from { &[] } else { as_many(columns) })
        };
        self.share = self.columns.len().div_ceil(self.lines.min(self.steps - step) * parts);
    }

    /// Prefetches what one part has to.
    #[inline(always)]
    pub fn prefetch(&mut self) {
        let (now, later) = self.columns.split_at(self.share.min(self.columns.len()));
        self.columns = later;
        for &column in now {
            // A row may span two lines; the first was read with the rows before.
            let from = self.from.wrapping_offset(column).wrapping_add(LINE - 1);
            (0..self.lines).for_each(|line| prefetch_l2(from.wrapping_add(line * LINE)));
        }
    }
}

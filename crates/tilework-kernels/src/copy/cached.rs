//! Tiles that are transposed through a large second-level cache.
//!
//! Lines arrive late from such a cache. Rows are written square by square (see [`transpose`](super::transpose)), and the next line
//! of each row is prefetched, so that stores do not wait for it. Elements of 1 and 2 bytes have squares of so many lines that
//! prefetching takes longer than it saves, unless rows begin within lines, where each store touches two. Their squares go along the
//! columns, whose lines the processor prefetches.

use super::columns::ColumnPrefetcher;
use super::plan::Order;
use super::square::{Direct, LANES, lane_of_square, square};
use super::strategy::Transposition;
use super::tile::Tile;
use crate::simd::lanes::Lanes;
use crate::simd::prefetch::prefetch_l1;
use crate::tuning::LINE;

/// Transposes a tile of elements of `W` bytes.
///
/// # Safety
/// As [`transpose`](super::transpose::transpose), for a tile of whole squares.
#[inline(always)]
pub(super) unsafe fn transpose_cached<S: Lanes, const W: usize>(
    by: &Transposition,
    lanes: Option<isize>,
    tile: &Tile,
    rows: usize,
) {
    // SAFETY: the tile is valid, and the processor has the instructions.
    unsafe {
        match W {
            1 => squares::<S, W, 16, 64>(by, lanes, tile, rows),
            2 => squares::<S, W, 8, 32>(by, lanes, tile, rows),
            4 => squares::<S, W, 4, 16>(by, lanes, tile, rows),
            _ => squares::<S, W, 2, 8>(by, lanes, tile, rows),
        }
    }
}

/// The first rows, or columns, of squares: those from the second one on begin at lines if the `first` one after the beginning does.
struct Places<const WIDTH: usize> {
    len: usize,
    first: usize,
}

impl<const WIDTH: usize> Places<WIDTH> {
    /// For `len` elements of `W` bytes from `at` on, where others may begin at lines too.
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

/// See [`transpose_cached`].
///
/// # Safety
/// As [`transpose_cached`].
#[inline(always)]
unsafe fn squares<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(
    by: &Transposition,
    lanes: Option<isize>,
    tile: &Tile,
    rows: usize,
) {
    let (columns, to) = (tile.column_from, tile.row_to);
    let across = Places::<WIDTH>::new::<W>(columns.len(), to[0], by.at_lines[1]);
    let first = tile.from.wrapping_offset(columns[0]);
    let down = Places::<WIDTH>::new::<W>(rows, first, by.at_lines[0]);
    let by_rows = by.order == Order::Rows;
    let (outer, inner) = if by_rows { (&down, &across) } else { (&across, &down) };
    let mut at = Some(0);
    while let Some(i) = at {
        let (after, mut along) = (outer.next(i), Some(0));
        while let Some(j) = along {
            let next = inner.next(j);
            let (row, column) = if by_rows { (i, j) } else { (j, i) };
            // The next line of these rows, or the first of the next ones.
            if by_rows && let Some((row, column)) = next.map(|j| (i, j)).or(after.map(|i| (i, 0))) {
                for to in &to[row..row + WIDTH] {
                    prefetch_l1(to.wrapping_add(column * W));
                }
            }
            // SAFETY: `WIDTH` rows and columns from these on are in the tile.
            unsafe {
                let offsets = &*columns.as_ptr().add(column).cast::<[isize; WIDTH]>();
                let from = tile.from.add(row * W);
                if let Some(step) = lanes {
                    let (from, to) = (from.offset(offsets[0]), to.as_ptr().add(row));
                    for lane in 0..LANES {
                        lane_of_square::<S, W, SIDE>(from, step, lane, to, column * W);
                    }
                } else {
                    let (to, ahead) = (&mut Direct::<W, false>(to), &mut ColumnPrefetcher::nothing(tile));
                    square::<S, _, W, SIDE, WIDTH>(from, offsets, (row, column), to, ahead);
                }
            }
            along = next;
        }
        at = after;
    }
}

//! Lines: pieces that are contiguous in both operands.

use super::block::{Tile, copy_bytes};
use super::gather::along;
use super::rows::Rows;
use crate::copy::plan::strategy::Walk;
use crate::simd::lanes::Lanes;
use crate::simd::prefetch::prefetch_l2;
use crate::tuning::LINE;
use crate::tuning::copy::PREFETCH_BYTES;

/// Every column is a piece of `N` bytes. With `streams` the columns are gathered elements, and rows are written past the caches.
///
/// # Safety
/// Each row and column of `tile` is valid for reads of `N` bytes, and each row for writes of `N` bytes for each column, at the steps
/// of `walk`. The processor has the instructions of `S` and of `walk`.
#[inline(always)]
pub(super) unsafe fn pieces<S: Lanes, const N: usize>(walk: &Walk, tile: &Tile, streams: bool) {
    // SAFETY: every row and column is valid for reads and writes of `N` bytes.
    unsafe {
        match (walk, tile.row_from, tile.row_to) {
            (Walk::Columns(by), _, _) => {
                for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
                    along::<S, N>(by, tile.from.offset(row_from), row_to, tile.columns, streams);
                }
            }
            (Walk::Rows(by), _, _) => {
                for (column, &at) in tile.column_from.iter().enumerate() {
                    let from = tile.from.offset(tile.row_from[0] + at);
                    along::<S, N>(by, from, tile.row_to[0].add(column * N), tile.row_from.len(), streams);
                }
            }
            (Walk::Tables, [row_from], [row_to]) => {
                let from = tile.from.offset(*row_from);
                for (column, &at) in tile.column_from.iter().enumerate() {
                    let value = from.offset(at).cast::<[u8; N]>().read_unaligned();
                    row_to.add(column * N).cast::<[u8; N]>().write_unaligned(value);
                }
            }
            (Walk::Tables, ..) => {
                for (column, &at) in tile.column_from.iter().enumerate() {
                    let from = tile.from.offset(at);
                    for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
                        let value = from.offset(row_from).cast::<[u8; N]>().read_unaligned();
                        row_to.add(column * N).cast::<[u8; N]>().write_unaligned(value);
                    }
                }
            }
        }
    }
}

/// [`pieces`] of any size.
///
/// # Safety
/// As [`pieces`], for `piece` bytes.
pub(super) unsafe fn pieces_of_any_size(walk: &Walk, tile: &Tile, _streams: bool) {
    let piece = tile.piece;
    for column in 0..tile.columns {
        let [from, to] = match walk {
            Walk::Columns(by) => by.step.map(|step| step * column as isize),
            _ => [tile.column_from[column], (column * piece) as isize],
        };
        for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
            // SAFETY: the row and column are valid for reads and writes of `piece` bytes.
            unsafe { copy_bytes(tile.from.offset(row_from + from), row_to.offset(to), piece) };
        }
    }
}

/// Pieces of any size, past the caches; while a `short` one is copied, the next column is prefetched.
///
/// # Safety
/// As [`pieces_of_any_size`] by tables, and the processor has the instructions of `S`.
#[inline(always)]
pub(super) unsafe fn streamed<S: Lanes>(tile: &Tile, short: bool) {
    for column in 0..tile.column_from.len() {
        for row in 0..tile.row_to.len() {
            // SAFETY: every row and column is valid for reads and writes of its bytes.
            unsafe { streamed_piece::<S>(tile, row, column, short) };
        }
    }
}

/// Copies one piece.
///
/// # Safety
/// As [`streamed`].
#[inline(always)]
unsafe fn streamed_piece<S: Lanes>(tile: &Tile, row: usize, column: usize, short: bool) {
    let bytes = tile.piece;
    let row_from = tile.row_from[row];
    // SAFETY: the row and column are valid for reads and writes of their bytes; only whole lines within the piece are
    // streamed.
    unsafe {
        let from = tile.from.offset(row_from + tile.column_from[column]);
        let to = tile.row_to[row].add(column * bytes);
        let to_prefetch =
            if short { tile.next_column(row_from, column) } else { from.wrapping_add(PREFETCH_BYTES) };
        let mut at = ((to as usize).wrapping_neg() % LINE).min(bytes);
        copy_bytes(from, to, at);
        while at + LINE <= bytes {
            prefetch_l2(to_prefetch.wrapping_add(at));
            S::stream_line(to.add(at), from.add(at));
            at += LINE;
        }
        copy_bytes(from.add(at), to.add(at), bytes - at);
    }
}

/// Copies pieces of whole lines to rows that may begin within lines.
///
/// # Safety
/// Every row and column is valid for reads and writes of its bytes, the rows were begun, and the processor has the instructions of
/// `S`.
#[inline(always)]
pub(super) unsafe fn carried<S: Lanes>(tile: &Tile, rows: &mut Rows) {
    for (column, &at) in tile.column_from.iter().enumerate() {
        for (row, &row_from) in tile.row_from.iter().enumerate() {
            let (from, next) = (tile.from.wrapping_offset(row_from + at), tile.next_column(row_from, column));
            for at in (0..tile.piece).step_by(LINE) {
                prefetch_l2(next.wrapping_add(at));
                // SAFETY: the row and column are valid for reads and writes of a piece.
                unsafe { rows.line::<S>(row, S::load_line(from.add(at))) };
            }
        }
    }
}

//! Tiles: a block of rows by a block of columns, copied from the source in the order of the destination.
//!
//! The rows of a tile are contiguous, or close together, in the source; its columns are contiguous in the destination.
//! The offsets of rows and columns are read from tables, so that one tile covers several modes of a layout.

use super::strategy::{Along, Walk};
use super::strided::along;
use crate::simd::lanes::Lanes;
use crate::simd::prefetch::prefetch_l2;
use crate::simd::strided::Strided;
use crate::tuning::LINE;
use crate::tuning::copy::PREFETCH_BYTES;

/// The addresses and sizes of a tile.
#[derive(Clone, Copy)]
pub(super) struct Tile<'a> {
    /// The source at the first row and column.
    pub from: *const u8,
    /// The source at the first row and column of the tile after this one.
    pub next: *const u8,
    /// The offset of each row from there.
    pub row_from: &'a [isize],
    /// How many rows there are.
    pub rows: usize,
    /// How many columns there are.
    pub columns: usize,
    /// The offset of each column from there; only the first if the step is enough.
    pub column_from: &'a [isize],
    /// The destination of the first column of each row.
    pub row_to: &'a [*mut u8],
    /// The bytes of one column.
    pub piece: usize,
}

impl Tile<'_> {
    /// The bytes of a row.
    pub fn bytes(&self) -> usize {
        self.columns * self.piece
    }
}

/// Copies `bytes` bytes by vectors.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `bytes` bytes, and they do not overlap.
#[inline(always)]
pub(super) unsafe fn copy_bytes(from: *const u8, to: *mut u8, bytes: usize) {
    #[inline(always)]
    unsafe fn both_ends<const N: usize>(from: *const u8, to: *mut u8, bytes: usize) {
        // SAFETY: the two pieces are the first and the last `N` of at least `N` bytes, for which both pointers are valid.
        unsafe {
            let last = from.add(bytes - N).cast::<[u8; N]>().read_unaligned();
            let first = from.cast::<[u8; N]>().read_unaligned();
            to.cast::<[u8; N]>().write_unaligned(first);
            to.add(bytes - N).cast::<[u8; N]>().write_unaligned(last);
        }
    }
    // SAFETY: both pointers are valid for `bytes` bytes, and every access is within them.
    unsafe {
        match bytes {
            0 => {}
            1 => *to = *from,
            2..=3 => both_ends::<2>(from, to, bytes),
            4..=7 => both_ends::<4>(from, to, bytes),
            8..=15 => both_ends::<8>(from, to, bytes),
            16..=31 => both_ends::<16>(from, to, bytes),
            32..=512 => {
                let mut at = 0;
                while at + 32 <= bytes {
                    to.add(at)
                        .cast::<[u8; 32]>()
                        .write_unaligned(from.add(at).cast::<[u8; 32]>().read_unaligned());
                    at += 32;
                }
                let last = from.add(bytes - 32).cast::<[u8; 32]>().read_unaligned();
                to.add(bytes - 32).cast::<[u8; 32]>().write_unaligned(last);
            }
            _ => std::ptr::copy_nonoverlapping(from, to, bytes),
        }
    }
}

/// Every column is a piece of `N` bytes that is contiguous in both operands. With `streams` the columns are gathered
/// elements, and rows are written past the caches.
///
/// # Safety
/// Each row and column of `tile` is valid for reads of `N` bytes, and each row for writes of `N` bytes for each column.
/// The processor has the instructions of `S`.
#[inline(always)]
pub(super) unsafe fn copy_pieces<S: Strided, const N: usize>(walk: &Walk, tile: &Tile, streams: bool) {
    // SAFETY: every row and column is valid for reads and writes of `N` bytes.
    unsafe {
        match (walk, tile.row_from, tile.row_to) {
            (Walk::Columns(by), _, _) => {
                for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
                    let from = tile.from.offset(row_from + tile.column_from[0]);
                    along::<S, N>(by, from, row_to, tile.columns, streams);
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

/// [`copy_pieces`] for pieces of any size.
///
/// # Safety
/// Each row and column of `tile` is valid for reads of `piece` bytes, and each row for writes of as many for each
/// column.
pub(super) unsafe fn copy_any(tile: &Tile) {
    let piece = tile.piece;
    for (column, &from) in tile.column_from.iter().enumerate() {
        for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
            // SAFETY: the row and column are valid for reads and writes of `piece` bytes.
            unsafe { copy_bytes(tile.from.offset(row_from + from), row_to.add(column * piece), piece) };
        }
    }
}

/// [`copy_any`] past the caches.
///
/// # Safety
/// As [`copy_any`], and the processor has the instructions of `S`.
#[inline(always)]
pub(super) unsafe fn stream_pieces<S: Lanes>(tile: &Tile, short: bool) {
    // SAFETY: every row and column is valid for reads and writes of its bytes.
    unsafe {
        for column in 0..tile.column_from.len() {
            for row in 0..tile.row_to.len() {
                stream_piece::<S>(tile, row, column, short);
            }
        }
    }
}

/// Copies one piece.
///
/// # Safety
/// As [`stream_pieces`].
#[inline(always)]
unsafe fn stream_piece<S: Lanes>(tile: &Tile, row: usize, column: usize, short: bool) {
    let bytes = tile.piece;
    let row_from = tile.row_from[row];
    // SAFETY: the row and column are valid for reads and writes of their bytes; only whole lines within the piece are
    // streamed.
    unsafe {
        let from = tile.from.offset(row_from + tile.column_from[column]);
        let to = tile.row_to[row].add(column * bytes);
        // After a short piece, the next column is prefetched instead.
        let to_prefetch = if short {
            let (base, next) = match tile.column_from.get(column + 1) {
                Some(&next) => (tile.from, next),
                None => (tile.next, tile.column_from[0]),
            };
            base.wrapping_offset(row_from + next)
        } else {
            from.wrapping_add(PREFETCH_BYTES)
        };
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

/// Every column repeats one element of `W` bytes.
///
/// # Safety
/// As [`copy_any`], with reads of one element at each row and column.
#[inline(always)]
pub(super) unsafe fn splat<const W: usize>(tile: &Tile) {
    let count = tile.piece / W;
    // SAFETY: each row and column is valid for reads of one element; `piece` is a multiple of `W`.
    unsafe {
        for (column, &from) in tile.column_from.iter().enumerate() {
            for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
                let value = tile.from.offset(row_from + from).cast::<[u8; W]>().read_unaligned();
                let to = row_to.add(column * tile.piece).cast::<[u8; W]>();
                for i in 0..count {
                    to.add(i).write_unaligned(value);
                }
            }
        }
    }
}

/// [`splat`] of elements of any size.
///
/// # Safety
/// As [`splat`], for elements of `unit` bytes.
pub(super) unsafe fn splat_any(tile: &Tile, unit: usize) {
    let count = tile.piece / unit;
    // SAFETY: each row and column is valid for reads of one element; `piece` is a multiple of `unit`.
    unsafe {
        for (column, &from) in tile.column_from.iter().enumerate() {
            for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
                for i in 0..count {
                    copy_bytes(
                        tile.from.offset(row_from + from),
                        row_to.add(column * tile.piece + i * unit),
                        unit,
                    );
                }
            }
        }
    }
}

/// Every column, of `N` bytes, goes to its own place, at a constant step.
///
/// # Safety
/// As [`copy_pieces`], but each row and column is valid for writes of `N` bytes at its place.
#[inline(always)]
pub(super) unsafe fn scatter<S: Strided, const N: usize>(by: &Along, tile: &Tile) {
    for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
        // SAFETY: each row and column is valid for reads of `N` bytes, and for writes at its place.
        unsafe {
            along::<S, N>(by, tile.from.offset(row_from), row_to, tile.columns, false);
        }
    }
}

/// [`scatter`] of pieces of any size.
///
/// # Safety
/// As [`scatter`], for `piece` bytes.
pub(super) unsafe fn scatter_any(by: &Along, tile: &Tile) {
    let [step, step_to] = by.step;
    for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
        for column in 0..tile.columns as isize {
            // SAFETY: each row and column is valid for reads of `piece` bytes, and for writes at its place.
            unsafe {
                let from = tile.from.offset(row_from + column * step);
                copy_bytes(from, row_to.offset(column * step_to), tile.piece);
            }
        }
    }
}

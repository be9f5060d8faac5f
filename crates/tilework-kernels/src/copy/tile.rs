//! Tiles: a block of rows by a block of columns, brought from the source into the order of the destination.
//!
//! The rows of a tile are what is contiguous, or near, in the source; its columns are contiguous in the destination.
//! Where each row and each column lies is read from tables, so that one tile covers several modes of a layout.

use super::plan::Order;
use crate::simd::lanes::Lanes;
use crate::simd::prefetch::prefetch_l2;
use crate::tuning::LINE;
use crate::tuning::copy::PREFETCH_BYTES;

/// What lies where in a tile.
#[derive(Clone, Copy)]
pub(super) struct Tile<'a> {
    /// The source at the first row and column.
    pub from: *const u8,
    /// The source at the first row and column of the tile after this one.
    pub next: *const u8,
    /// In which order it is transposed.
    pub order: Order,
    /// The lines of each row that are transposed side by side.
    pub lines: usize,
    /// How far from there each row lies.
    pub row_from: &'a [isize],
    /// How far from there each column lies.
    pub column_from: &'a [isize],
    /// How far from its row each column goes, where columns are not contiguous.
    pub column_to: &'a [isize],
    /// From each column to the next in the source and in the destination, where that is always the same.
    pub column_step: Option<[isize; 2]>,
    /// From each row to the next in the source and where it goes, where that is always the same.
    pub row_step: Option<[isize; 2]>,
    /// Where the first column of each row goes; the other columns follow.
    pub row_to: &'a [*mut u8],
    /// How many bytes one column takes.
    pub piece: usize,
}

impl Tile<'_> {
    /// How many bytes a row takes.
    pub fn bytes(&self) -> usize {
        self.column_from.len() * self.piece
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
    // SAFETY: both pointers are valid for `bytes` bytes, and every access lies within them.
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

/// Every column is a piece of `N` bytes that is contiguous on both sides.
///
/// # Safety
/// Each row and column of `tile` has `N` bytes to read, and each row as many for each column to write.
#[inline(always)]
pub(super) unsafe fn copy_pieces<const N: usize>(tile: &Tile) {
    // SAFETY: every row and column has `N` bytes to read and to write.
    unsafe {
        if let (Some([step, _]), true) = (tile.column_step, tile.column_from.len() >= tile.row_from.len()) {
            for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
                let from = tile.from.offset(row_from + tile.column_from[0]);
                along::<N>(from, row_to, tile.column_from.len(), [step, N as isize]);
            }
            return;
        }
        if let Some(step) = tile.row_step {
            for (column, &at) in tile.column_from.iter().enumerate() {
                let from = tile.from.offset(tile.row_from[0] + at);
                along::<N>(from, tile.row_to[0].add(column * N), tile.row_from.len(), step);
            }
            return;
        }
        if let ([row_from], [row_to]) = (tile.row_from, tile.row_to) {
            let from = tile.from.offset(*row_from);
            for (column, &at) in tile.column_from.iter().enumerate() {
                let value = from.offset(at).cast::<[u8; N]>().read_unaligned();
                row_to.add(column * N).cast::<[u8; N]>().write_unaligned(value);
            }
            return;
        }
        for (column, &at) in tile.column_from.iter().enumerate() {
            let from = tile.from.offset(at);
            for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
                let value = from.offset(row_from).cast::<[u8; N]>().read_unaligned();
                row_to.add(column * N).cast::<[u8; N]>().write_unaligned(value);
            }
        }
    }
}

/// [`copy_pieces`] of any size.
///
/// # Safety
/// Each row and column of `tile` has `piece` bytes to read, and each row as many for each column to write.
pub(super) unsafe fn copy_any(tile: &Tile) {
    let piece = tile.piece;
    for (column, &from) in tile.column_from.iter().enumerate() {
        for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
            // SAFETY: the row and column have `piece` bytes to read and to write.
            unsafe { copy_bytes(tile.from.offset(row_from + from), row_to.add(column * piece), piece) };
        }
    }
}

/// Copies `count` pieces of `N` bytes that lie one step after the other, in the source and in the destination.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of every piece.
#[inline(always)]
unsafe fn along<const N: usize>(from: *const u8, to: *mut u8, count: usize, [step, step_to]: [isize; 2]) {
    /// `STEP` pieces apart in the source and contiguous in the destination: steps that the compiler knows, so that it
    /// takes several pieces from one vector.
    #[inline(always)]
    unsafe fn gather<const N: usize, const STEP: usize>(from: *const u8, to: *mut u8, count: usize) {
        let (from, to) = (from.cast::<[u8; N]>(), to.cast::<[u8; N]>());
        for i in 0..count {
            // SAFETY: `from` and `to` are valid at each of `count` pieces.
            unsafe { to.add(i).write_unaligned(from.add(i * STEP).read_unaligned()) };
        }
    }
    let piece = N as isize;
    // Longer pieces are vectors, of which none are taken apart.
    let contiguous = N < 16 && step_to == piece;
    // SAFETY: `from` and `to` are valid at each of `count` pieces.
    unsafe {
        // Steps are compared whole: a step of one piece and a gap is not a step of one piece.
        if contiguous && step == 2 * piece {
            gather::<N, 2>(from, to, count);
        } else if contiguous && step == 3 * piece {
            gather::<N, 3>(from, to, count);
        } else if contiguous && step == 4 * piece {
            gather::<N, 4>(from, to, count);
        } else {
            for i in 0..count as isize {
                let value = from.offset(i * step).cast::<[u8; N]>().read_unaligned();
                to.offset(i * step_to).cast::<[u8; N]>().write_unaligned(value);
            }
        }
    }
}

/// [`copy_any`] past the caches.
///
/// # Safety
/// As [`copy_any`], and the processor has the instructions of `S`.
#[inline(always)]
pub(super) unsafe fn stream_pieces<S: Lanes>(tile: &Tile) {
    // SAFETY: every row and column has its bytes to read and to write.
    unsafe {
        for column in 0..tile.column_from.len() {
            for row in 0..tile.row_to.len() {
                stream_piece::<S>(tile, row, column);
            }
        }
    }
}

/// One of them.
///
/// # Safety
/// As [`stream_pieces`].
#[inline(always)]
unsafe fn stream_piece<S: Lanes>(tile: &Tile, row: usize, column: usize) {
    let bytes = tile.piece;
    let row_from = tile.row_from[row];
    // SAFETY: the row and column have their bytes to read and to write; only whole lines within the piece are streamed.
    unsafe {
        let from = tile.from.offset(row_from + tile.column_from[column]);
        let to = tile.row_to[row].add(column * bytes);
        // After a short piece, the next column is prefetched instead.
        let ahead = if bytes < PREFETCH_BYTES {
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
            prefetch_l2(ahead.wrapping_add(at));
            S::stream_line(to.add(at), from.add(at));
            at += LINE;
        }
        copy_bytes(from.add(at), to.add(at), bytes - at);
    }
}

/// Every column is one element of `W` bytes, repeated.
///
/// # Safety
/// As [`copy_any`], with one element to read at each row and column.
#[inline(always)]
pub(super) unsafe fn splat<const W: usize>(tile: &Tile) {
    let count = tile.piece / W;
    // SAFETY: each row and column has one element to read; `piece` is a multiple of `W`.
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
    // SAFETY: each row and column has one element to read; `piece` is a multiple of `unit`.
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

/// Every column, of `N` bytes, goes to a place of its own.
///
/// # Safety
/// As [`copy_pieces`], but each row and column has `N` bytes to write at its place.
#[inline(always)]
pub(super) unsafe fn scatter<const N: usize>(tile: &Tile) {
    // SAFETY: each row and column has `N` bytes to read, and to write at its place.
    unsafe {
        let Some(step) = tile.column_step else { return scatter_any(tile) };
        for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
            let from = tile.from.offset(row_from + tile.column_from[0]);
            along::<N>(from, row_to.offset(tile.column_to[0]), tile.column_from.len(), step);
        }
    }
}

/// [`scatter`] of pieces of any size.
///
/// # Safety
/// As [`scatter`], for `piece` bytes.
pub(super) unsafe fn scatter_any(tile: &Tile) {
    for (&from, &to) in tile.column_from.iter().zip(tile.column_to) {
        for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
            // SAFETY: each row and column has `piece` bytes to read, and to write at its place.
            unsafe { copy_bytes(tile.from.offset(row_from + from), row_to.offset(to), tile.piece) };
        }
    }
}

//! Fill: pieces that repeat one element.

use super::block::{Tile, copy_bytes};

/// Every column repeats one element of `W` bytes.
///
/// # Safety
/// Each row and column is valid for reads of one element and for writes of a piece, which is a multiple of `W`.
#[inline(always)]
pub(super) unsafe fn repeated<const W: usize>(tile: &Tile) {
    for (column, &from) in tile.column_from.iter().enumerate() {
        for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
            // SAFETY: the row and column are valid for reads of an element and writes of a piece.
            unsafe {
                let value = tile.from.offset(row_from + from).cast::<[u8; W]>().read_unaligned();
                let to = row_to.add(column * tile.piece).cast::<[u8; W]>();
                (0..tile.piece / W).for_each(|i| to.add(i).write_unaligned(value));
            }
        }
    }
}

/// [`repeated`] elements of any size.
///
/// # Safety
/// As [`repeated`].
pub(super) unsafe fn repeated_of_any_size(tile: &Tile) {
    for (column, &from) in tile.column_from.iter().enumerate() {
        for (&row_from, &row_to) in tile.row_from.iter().zip(tile.row_to) {
            for at in (0..tile.piece).step_by(tile.unit) {
                // SAFETY: the row and column are valid for reads of an element and writes of a piece.
                unsafe {
                    copy_bytes(
                        tile.from.offset(row_from + from),
                        row_to.add(column * tile.piece + at),
                        tile.unit,
                    );
                }
            }
        }
    }
}

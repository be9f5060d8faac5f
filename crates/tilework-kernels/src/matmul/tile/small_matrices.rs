//! Instructions that multiply small matrices: a tile of `C`, and the packing of its panels, in which the elements of a step are side by
//! side for each row. A panel of `R` rows is the layout `(R,(D,steps)):(D,(1,R D))` of elements.

use super::axis::{Steps, equal_parts};
use super::element::{Element, Packer};
use super::kernel::{MAX_COLUMNS, MAX_PANEL, Tile, update};
use super::packing::Packing;
use crate::simd::matrices::Matrices;
use crate::simd::vector::Vector;
use std::mem::MaybeUninit;

/// The most sums of a tile that are written to memory before `C`.
const MAX_SUMS: usize = MAX_PANEL * MAX_COLUMNS;

/// `MV` vectors by as many columns as the tile has, for packed panels.
///
/// # Safety
/// As for [`tile`](super::kernel::tile); `a` and `b` are panels of the instruction.
#[inline(always)]
pub(crate) unsafe fn matrix_tile<M: Matrices, const MV: usize>(tile: &Tile<<M::Sums as Vector>::Scalar>) {
    let mut sums = [const { MaybeUninit::<<M::Sums as Vector>::Scalar>::uninit() }; MAX_SUMS];
    // SAFETY: the panels are those of the instruction, there is room for its sums, all of whose lanes it writes, and
    // for each column the contract of `tile` covers `C`.
    unsafe {
        let from: *mut <M::Sums as Vector>::Scalar = sums.as_mut_ptr().cast();
        M::multiply::<MV>(tile.k, tile.a, tile.b, from);
        for j in 0..tile.columns {
            // In a closure that is not inlined, the instruction would be a call.
            let mut column = [M::Sums::splat(Default::default()); MV];
            for (i, sum) in column.iter_mut().enumerate() {
                *sum = M::Sums::load(from.add(j * M::ROWS + i * M::Sums::LANES));
            }
            let tile = Tile { c_n: tile.c_n.add(j), ahead: &mut [], ..*tile };
            update::<M::Sums, MV, 1>(&tile, &[column], 1);
        }
    }
}

/// Packs steps of the panel; the first one is element `phase` of its row at `out`. Nothing is written after the last.
///
/// # Safety
/// There are `R` rows; each that is not null is valid for reads at every offset of the steps. `out` is valid for writes of all
/// elements of these steps.
#[inline(always)]
pub(crate) unsafe fn pack_rows<T: Element, const R: usize, const D: usize>(
    rows: &[*const T],
    steps: Steps<'_>,
    phase: usize,
    _: usize,
    out: *mut T::Sum,
) {
    for (i, &row) in rows.iter().enumerate().take(R) {
        let mut k = 0;
        while k < steps.offsets.len() {
            let (at, offset) = (phase + k, steps.offsets[k]);
            let count = (D - at % D).min(steps.offsets.len() - k).min(steps.runs[k] as usize);
            // SAFETY: the row is null or valid for this run of steps, and `out` has room for it.
            unsafe {
                let to = out.cast::<T>().add((at / D * R + i) * D + at % D);
                if row.is_null() {
                    (0..count).for_each(|s| *to.add(s) = T::default());
                } else {
                    row.offset(offset).copy_to_nonoverlapping(to, count);
                }
            }
            k += count;
        }
    }
}

/// Packs all panels of an operand that is memory by two tables, as [`pack_strided`](super::pack::pack_strided) does, run by run.
///
/// # Safety
/// `base` is valid for reads at the sum of every offset of a row and of a step; `out` for writes of all panels.
#[inline(always)]
pub(crate) unsafe fn pack_rows_strided<T: Element, const R: usize, const D: usize>(
    _: &Packer<T>,
    base: *const T,
    rows: Steps<'_>,
    steps: Steps<'_>,
    _: Packing,
    unit: usize,
    out: *mut T::Sum,
) {
    let panels = rows.offsets.len().div_ceil(R);
    let pitch = steps.offsets.len().next_multiple_of(D) * R;
    for (panel, part) in equal_parts(rows.offsets.len(), unit, panels).enumerate() {
        let mut pointers = [std::ptr::null(); R];
        let count = part.len();
        for (pointer, &row) in pointers.iter_mut().zip(&rows.offsets[part]) {
            *pointer = base.wrapping_offset(row);
        }
        // SAFETY: `base` is valid for the rows, and `out` has room for every panel.
        unsafe {
            let out = out.cast::<T>().add(panel * pitch).cast();
            pack_rows::<T, R, D>(&pointers[..count], steps, 0, R, out);
        }
    }
}

//! A tile of `C` by an instruction that multiplies small matrices.

use super::kernel::{MAX_COLUMNS, MAX_PANEL, Tile, update};
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
            update::<M::Sums, MV, 1>(&tile, &[column]);
        }
    }
}

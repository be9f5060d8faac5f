//! Products of 2 rows by 2 rows in a register of NEON: `smmla` of 8 `i8` each, `bfmmla` of 4 `bf16`. The instructions
//! are written as assembly because their intrinsics are not stable.

use super::Matrices;
use crate::simd::vector::Vector;
use crate::simd::vector::neon::{F32, I32};
use std::arch::asm;

/// Pairs of columns of a tile.
const PAIRS: usize = 4;

macro_rules! mmla {
    ($name:ident: $sums:ident, $instruction:literal) => {
        #[doc = concat!("`", $instruction, "`, for 8 rows by 8 columns.")]
        pub(crate) struct $name;

        impl Matrices for $name {
            type Sums = $sums;
            const ROWS: usize = 2 * PAIRS;

            #[inline(always)]
            unsafe fn multiply<const MV: usize>(
                steps: usize,
                a: *const <$sums as Vector>::Scalar,
                b: *const <$sums as Vector>::Scalar,
                sums: *mut <$sums as Vector>::Scalar,
            ) {
                // SAFETY: the processor has the instruction, a step has four registers in either panel, and there is room for
                // two lanes of two columns of each register of sums.
                unsafe {
                    let mut tile = [[$sums::splat(Default::default()); PAIRS]; PAIRS];
                    for step in 0..steps {
                        let registers = |from: *const <$sums as Vector>::Scalar| [0, 1, 2, 3].map(|i| $sums::load(from.add((step * PAIRS + i) * 4)));
                        let (rows, columns) = (registers(a), registers(b));
                        for (row, tile) in rows.iter().zip(&mut tile).take(2 * MV) {
                            for (column, sum) in columns.iter().zip(tile) {
                                asm!($instruction, inout(vreg) sum.0, in(vreg) column.0, in(vreg) row.0,
                                    options(pure, nomem, nostack, preserves_flags));
                            }
                        }
                    }
                    for (i, tile) in tile.iter().enumerate().take(2 * MV) {
                        for (j, sum) in tile.iter().enumerate() {
                            let mut lanes = [Default::default(); 4];
                            sum.store(lanes.as_mut_ptr());
                            for (at, lane) in lanes.into_iter().enumerate() {
                                *sums.add((2 * j + at / 2) * Self::ROWS + 2 * i + at % 2) = lane;
                            }
                        }
                    }
                }
            }
        }
    };
}
mmla!(Bytes: I32, "smmla {0:v}.4s, {1:v}.16b, {2:v}.16b");
mmla!(Halves: F32, "bfmmla {0:v}.4s, {1:v}.8h, {2:v}.8h");

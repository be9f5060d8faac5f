//! Matrix instructions of CPUs and of Intel's GPUs, as the pseudo code of their manuals has them.

// The loops of manuals count.
#![allow(clippy::needless_range_loop)]

use super::Registers;

/// Intel SDM, `TDPBF16PS`, `TDPBSSD` and the others: tiles of 16 rows of 64 bytes, `packed` elements in 32 bits.
pub fn amx(packed: usize, [a, b, c]: [&Registers<i64>; 3]) -> Registers<i64> {
    let (row, mut result) = (16 * packed, c.clone());
    for m in 0..16 {
        for k in 0..16 {
            for n in 0..16 {
                for p in 0..packed {
                    result[0][16 * m + n] += a[0][row * m + packed * k + p] * b[0][row * k + packed * n + p];
                }
            }
        }
    }
    result
}

/// Intel SDM, `VFMADD231PS`, `VDPBF16PS`, `VPDPWSSD`, `VPDPBUSD`: lane by lane.
pub fn vector([a, b, c]: [&Registers<i64>; 3]) -> Registers<i64> {
    let mut result = c.clone();
    for lane in 0..c.len() {
        for p in 0..a[lane].len() {
            result[lane][0] += a[lane][p] * b[lane][p];
        }
    }
    result
}

/// vISA, `dpas` of 8 steps, repeated 8 times: `dst[r][n] += src1[k][n][p] * src2[r][k][p]` over words `k` of 32 bits and the `packed` elements `p`
/// of each; and cl_intel_subgroup_matrix_multiply_accumulate, which lane has what of `src2`.
pub fn dpas(lanes: usize, packed: usize, [a, b, c]: [&Registers<i64>; 3]) -> Registers<i64> {
    // Element `e` of row `r` of A: `a` is an array of 8 rows, a word or half a word a lane; of TF32 on 16 lanes, of 4 times two rows.
    let source = |r: usize, e: usize| match (lanes, packed) {
        (16, 1) => a[8 * (r % 2) + e][r / 2],
        (16, _) => a[e / (packed / 2)][r * (packed / 2) + e % (packed / 2)],
        _ => a[e / packed][r * packed + e % packed],
    };
    let mut result = c.clone();
    for r in 0..8 {
        for n in 0..lanes {
            for k in 0..8 {
                for p in 0..packed {
                    result[n][r] += b[n][packed * k + p] * source(r, packed * k + p);
                }
            }
        }
    }
    result
}

/// Arm A64, `SMMLA`, `BFMMLA`, `FMMLA`: 2x2 sums over the halves of both registers.
pub fn mmla(k: usize, [a, b, c]: [&Registers<i64>; 3]) -> Registers<i64> {
    let mut result = c.clone();
    for i in 0..2 {
        for j in 0..2 {
            for p in 0..k {
                result[0][2 * i + j] += a[0][k * i + p] * b[0][k * j + p];
            }
        }
    }
    result
}

/// Arm A64, SME `FMOPA`, `BFMOPA`, `SMOPA`: `dim` rows and columns of the tile, `k` products for each element.
pub fn mopa(dim: usize, k: usize, [a, b, c]: [&Registers<i64>; 3]) -> Registers<i64> {
    let mut result = c.clone();
    for row in 0..dim {
        for column in 0..dim {
            for p in 0..k {
                result[0][dim * row + column] += a[0][k * row + p] * b[0][k * column + p];
            }
        }
    }
    result
}

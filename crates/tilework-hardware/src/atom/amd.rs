//! AMD: `v_mfma` of CDNA, by a wave of 64 lanes, and `v_wmma` of RDNA, by 32.
//!
//! CUTLASS has none of these; the names have its form. If an instruction multiplies several independent blocks, the
//! blocks are side by side in `N`, and all of them have the same `A`.
//!
//! Instructions without a source for the elements of each lane (a table of a manual or another implementation) are left
//! out: `v_smfmac` (CDNA3), `v_mfma_*_f8f6f4` with its scales (CDNA4), `v_swmmac` (RDNA4), and `v_wmma` of gfx1250. The
//! shapes of their operands allow more than one order of registers, and a product cannot tell which one the hardware
//! uses.

#![allow(non_upper_case_globals)]

use tilework::{Layout, layout};

use super::element::Element::{self, *};
use super::family::{Atom, Family, table};
use super::mma::{MmaAtom, modes, thread_value};
use super::name::Name;

const fn waves<const T: usize, const V: usize>(threads: [(i64, i64); T], values: [(i64, i64); V]) -> Layout {
    let (threads, threads_count) = modes(threads);
    let (values, values_count) = modes(values);
    thread_value(threads.split_at(threads_count).0, values.split_at(values_count).0)
}

/// `v_mfma` of `blocks` tiles of `m x n x k`. The lanes run over the rows of `A` (of `B`), then over the blocks, and
/// the rest of the 64 lanes divides `k`; the values of a lane are adjacent in `k`. A lane has a column of `C`, in
/// groups of four rows, or of one for `F64`.
const fn mfma(
    name: Name,
    instruction: &'static str,
    tile: [i64; 3],
    blocks: i64,
    elements: [Element; 3],
) -> MmaAtom {
    let [m, n, k] = tile;
    let [d, a, b] = elements;
    let slices = 64 / (m * blocks);
    let depth = k / slices;
    let group = if d.bits() == 64 { 1 } else { 4 };
    // The lanes that have further rows of a column of a block; blocks beyond the last lane are in further values.
    let rows_of_lanes = if m == 4 { m / group } else { 64 / n };
    let blocks_of_lanes = 64 / (n * rows_of_lanes);
    let groups = m / (group * rows_of_lanes);
    let column = m;
    MmaAtom {
        name,
        instruction,
        section: "CDNA ISA, matrix arithmetic instructions, register layouts",
        shape: [m, n * blocks, k],
        elements: [d, a, b, d],
        threads: layout!(64:1),
        a: waves([(m, 1), (blocks, 0), (slices, m * depth)], [(depth, m)]),
        b: waves([(n, 1), (blocks, n), (slices, n * blocks * depth)], [(depth, n * blocks)]),
        c: waves(
            [(n, column), (blocks_of_lanes, n * column), (rows_of_lanes, group)],
            [(group, 1), (groups, group * rows_of_lanes), (blocks / blocks_of_lanes, n * column)],
        ),
        ..MmaAtom::DENSE
    }
}

/// `v_wmma` of RDNA3: both halves of the wave hold all of `A` and `B`, a row in each lane, and every other row of `C`.
const fn wmma3(name: Name, instruction: &'static str, elements: [Element; 3]) -> MmaAtom {
    wmma(
        name,
        instruction,
        [16, 16, 16],
        elements,
        layout!(((16,2),16):((1,0),16)),
        layout!(((16,2),8):((16,1),2)),
    )
}

/// `v_wmma` of RDNA4: the halves of the wave divide `k`, and the rows of `C` in the middle.
const fn wmma4(name: Name, instruction: &'static str, k: i64, elements: [Element; 3]) -> MmaAtom {
    let operand = thread_value(&[(16, 1), (2, 8 * k)], &[(k / 2, 16)]);
    wmma(name, instruction, [16, 16, k], elements, operand, layout!(((16,2),8):((16,8),1)))
}

const fn wmma(
    name: Name,
    instruction: &'static str,
    shape: [i64; 3],
    elements: [Element; 3],
    operand: Layout,
    c: Layout,
) -> MmaAtom {
    let [d, a, b] = elements;
    MmaAtom {
        name,
        instruction,
        section: "RDNA ISA, wave matrix multiply accumulate, matrix element storage in VGPRs",
        shape,
        elements: [d, a, b, d],
        threads: layout!(32:1),
        a: operand,
        b: operand,
        c,
        ..MmaAtom::DENSE
    }
}

table! {
    TABLE: Mma(MmaAtom), "v_mfma, v_wmma";
    CDNA_32x32x1_F32F32F32_MFMA = mfma("v_mfma_f32_32x32x1f32", [32, 32, 1], 2, [F32, F32, F32]);
    CDNA_16x16x1_F32F32F32_MFMA = mfma("v_mfma_f32_16x16x1f32", [16, 16, 1], 4, [F32, F32, F32]);
    CDNA_4x4x1_F32F32F32_MFMA = mfma("v_mfma_f32_4x4x1f32", [4, 4, 1], 16, [F32, F32, F32]);
    CDNA_32x32x2_F32F32F32_MFMA = mfma("v_mfma_f32_32x32x2f32", [32, 32, 2], 1, [F32, F32, F32]);
    CDNA_16x16x4_F32F32F32_MFMA = mfma("v_mfma_f32_16x16x4f32", [16, 16, 4], 1, [F32, F32, F32]);
    CDNA_32x32x4_F32F16F16_MFMA = mfma("v_mfma_f32_32x32x4f16", [32, 32, 4], 2, [F32, F16, F16]);
    CDNA_16x16x4_F32F16F16_MFMA = mfma("v_mfma_f32_16x16x4f16", [16, 16, 4], 4, [F32, F16, F16]);
    CDNA_4x4x4_F32F16F16_MFMA = mfma("v_mfma_f32_4x4x4f16", [4, 4, 4], 16, [F32, F16, F16]);
    CDNA_32x32x8_F32F16F16_MFMA = mfma("v_mfma_f32_32x32x8f16", [32, 32, 8], 1, [F32, F16, F16]);
    CDNA_16x16x16_F32F16F16_MFMA = mfma("v_mfma_f32_16x16x16f16", [16, 16, 16], 1, [F32, F16, F16]);
    CDNA_32x32x2_F32BF16BF16_MFMA = mfma("v_mfma_f32_32x32x2bf16", [32, 32, 2], 2, [F32, BF16, BF16]);
    CDNA_16x16x2_F32BF16BF16_MFMA = mfma("v_mfma_f32_16x16x2bf16", [16, 16, 2], 4, [F32, BF16, BF16]);
    CDNA_4x4x2_F32BF16BF16_MFMA = mfma("v_mfma_f32_4x4x2bf16", [4, 4, 2], 16, [F32, BF16, BF16]);
    CDNA_32x32x4_F32BF16BF16_MFMA = mfma("v_mfma_f32_32x32x4bf16", [32, 32, 4], 1, [F32, BF16, BF16]);
    CDNA_16x16x8_F32BF16BF16_MFMA = mfma("v_mfma_f32_16x16x8bf16", [16, 16, 8], 1, [F32, BF16, BF16]);
    CDNA_32x32x4_F32BF16BF16_1K_MFMA = mfma("v_mfma_f32_32x32x4bf16_1k", [32, 32, 4], 2, [F32, BF16, BF16]);
    CDNA_16x16x4_F32BF16BF16_1K_MFMA = mfma("v_mfma_f32_16x16x4bf16_1k", [16, 16, 4], 4, [F32, BF16, BF16]);
    CDNA_4x4x4_F32BF16BF16_1K_MFMA = mfma("v_mfma_f32_4x4x4bf16_1k", [4, 4, 4], 16, [F32, BF16, BF16]);
    CDNA_32x32x8_F32BF16BF16_1K_MFMA = mfma("v_mfma_f32_32x32x8bf16_1k", [32, 32, 8], 1, [F32, BF16, BF16]);
    CDNA_16x16x16_F32BF16BF16_1K_MFMA = mfma("v_mfma_f32_16x16x16bf16_1k", [16, 16, 16], 1, [F32, BF16, BF16]);
    CDNA_32x32x4_I32I8I8_MFMA = mfma("v_mfma_i32_32x32x4i8", [32, 32, 4], 2, [I32, I8, I8]);
    CDNA_16x16x4_I32I8I8_MFMA = mfma("v_mfma_i32_16x16x4i8", [16, 16, 4], 4, [I32, I8, I8]);
    CDNA_4x4x4_I32I8I8_MFMA = mfma("v_mfma_i32_4x4x4i8", [4, 4, 4], 16, [I32, I8, I8]);
    CDNA_32x32x8_I32I8I8_MFMA = mfma("v_mfma_i32_32x32x8i8", [32, 32, 8], 1, [I32, I8, I8]);
    CDNA_16x16x16_I32I8I8_MFMA = mfma("v_mfma_i32_16x16x16i8", [16, 16, 16], 1, [I32, I8, I8]);
    CDNA_16x16x4_F64F64F64_MFMA = mfma("v_mfma_f64_16x16x4f64", [16, 16, 4], 1, [F64, F64, F64]);
    CDNA_4x4x4_F64F64F64_MFMA = mfma("v_mfma_f64_4x4x4f64", [4, 4, 4], 4, [F64, F64, F64]);
    CDNA3_32x32x16_I32I8I8_MFMA = mfma("v_mfma_i32_32x32x16_i8", [32, 32, 16], 1, [I32, I8, I8]);
    CDNA3_16x16x32_I32I8I8_MFMA = mfma("v_mfma_i32_16x16x32_i8", [16, 16, 32], 1, [I32, I8, I8]);
    CDNA3_32x32x4_F32XF32XF32_MFMA = mfma("v_mfma_f32_32x32x4_xf32", [32, 32, 4], 1, [F32, XF32, XF32]);
    CDNA3_16x16x8_F32XF32XF32_MFMA = mfma("v_mfma_f32_16x16x8_xf32", [16, 16, 8], 1, [F32, XF32, XF32]);
    CDNA3_32x32x16_F32F8F8_MFMA = mfma("v_mfma_f32_32x32x16_fp8_fp8", [32, 32, 16], 1, [F32, F8, F8]);
    CDNA3_16x16x32_F32F8F8_MFMA = mfma("v_mfma_f32_16x16x32_fp8_fp8", [16, 16, 32], 1, [F32, F8, F8]);
    CDNA3_32x32x16_F32F8BF8_MFMA = mfma("v_mfma_f32_32x32x16_fp8_bf8", [32, 32, 16], 1, [F32, F8, BF8]);
    CDNA3_16x16x32_F32F8BF8_MFMA = mfma("v_mfma_f32_16x16x32_fp8_bf8", [16, 16, 32], 1, [F32, F8, BF8]);
    CDNA3_32x32x16_F32BF8F8_MFMA = mfma("v_mfma_f32_32x32x16_bf8_fp8", [32, 32, 16], 1, [F32, BF8, F8]);
    CDNA3_16x16x32_F32BF8F8_MFMA = mfma("v_mfma_f32_16x16x32_bf8_fp8", [16, 16, 32], 1, [F32, BF8, F8]);
    CDNA3_32x32x16_F32BF8BF8_MFMA = mfma("v_mfma_f32_32x32x16_bf8_bf8", [32, 32, 16], 1, [F32, BF8, BF8]);
    CDNA3_16x16x32_F32BF8BF8_MFMA = mfma("v_mfma_f32_16x16x32_bf8_bf8", [16, 16, 32], 1, [F32, BF8, BF8]);
    CDNA3P_32x32x16_F32F16F16_MFMA = mfma("v_mfma_f32_32x32x16_f16", [32, 32, 16], 1, [F32, F16, F16]);
    CDNA3P_16x16x32_F32F16F16_MFMA = mfma("v_mfma_f32_16x16x32_f16", [16, 16, 32], 1, [F32, F16, F16]);
    CDNA3P_32x32x16_F32BF16BF16_MFMA = mfma("v_mfma_f32_32x32x16_bf16", [32, 32, 16], 1, [F32, BF16, BF16]);
    CDNA3P_16x16x32_F32BF16BF16_MFMA = mfma("v_mfma_f32_16x16x32_bf16", [16, 16, 32], 1, [F32, BF16, BF16]);
    CDNA3P_32x32x32_I32I8I8_MFMA = mfma("v_mfma_i32_32x32x32_i8", [32, 32, 32], 1, [I32, I8, I8]);
    CDNA3P_16x16x64_I32I8I8_MFMA = mfma("v_mfma_i32_16x16x64_i8", [16, 16, 64], 1, [I32, I8, I8]);
    RDNA3_16x16x16_F32F16F16_WMMA = wmma3("v_wmma_f32_16x16x16_f16", [F32, F16, F16]);
    RDNA3_16x16x16_F16F16F16_WMMA = wmma3("v_wmma_f16_16x16x16_f16", [F16, F16, F16]);
    RDNA3_16x16x16_F32BF16BF16_WMMA = wmma3("v_wmma_f32_16x16x16_bf16", [F32, BF16, BF16]);
    RDNA3_16x16x16_BF16BF16BF16_WMMA = wmma3("v_wmma_bf16_16x16x16_bf16", [BF16, BF16, BF16]);
    RDNA3_16x16x16_I32I8I8_WMMA = wmma3("v_wmma_i32_16x16x16_iu8", [I32, I8, I8]);
    RDNA3_16x16x16_I32I4I4_WMMA = wmma3("v_wmma_i32_16x16x16_iu4", [I32, I4, I4]);
    RDNA4_16x16x16_F32F16F16_WMMA = wmma4("v_wmma_f32_16x16x16_f16", 16, [F32, F16, F16]);
    RDNA4_16x16x16_F16F16F16_WMMA = wmma4("v_wmma_f16_16x16x16_f16", 16, [F16, F16, F16]);
    RDNA4_16x16x16_F32BF16BF16_WMMA = wmma4("v_wmma_f32_16x16x16_bf16", 16, [F32, BF16, BF16]);
    RDNA4_16x16x16_BF16BF16BF16_WMMA = wmma4("v_wmma_bf16_16x16x16_bf16", 16, [BF16, BF16, BF16]);
    RDNA4_16x16x16_F32F8F8_WMMA = wmma4("v_wmma_f32_16x16x16_fp8_fp8", 16, [F32, F8, F8]);
    RDNA4_16x16x16_F32F8BF8_WMMA = wmma4("v_wmma_f32_16x16x16_fp8_bf8", 16, [F32, F8, BF8]);
    RDNA4_16x16x16_F32BF8F8_WMMA = wmma4("v_wmma_f32_16x16x16_bf8_fp8", 16, [F32, BF8, F8]);
    RDNA4_16x16x16_F32BF8BF8_WMMA = wmma4("v_wmma_f32_16x16x16_bf8_bf8", 16, [F32, BF8, BF8]);
    RDNA4_16x16x16_I32I8I8_WMMA = wmma4("v_wmma_i32_16x16x16_iu8", 16, [I32, I8, I8]);
    RDNA4_16x16x16_I32I4I4_WMMA = wmma4("v_wmma_i32_16x16x16_iu4", 16, [I32, I4, I4]);
    RDNA4_16x16x32_I32I4I4_WMMA = wmma4("v_wmma_i32_16x16x32_iu4", 32, [I32, I4, I4]);
}

pub(super) const FAMILIES: &[Family] = &[TABLE];

//! Copies of a warp: `ldmatrix`, `stmatrix`, `movmatrix`, and exchanges by shuffle.

#![allow(non_upper_case_globals)]

use tilework::{Layout, layout};

use super::super::copy::{CopyAtom, Side};
use super::super::family::{Atom, Family, table};
use super::super::mma::thread_value;
use super::super::name::Name;
use super::warp::WARP;

/// The rows of `count` matrices of 8x8 elements of 16 bits: thread `8i + r` has the address of row `r` of matrix `i`,
/// and reads 128 bits; with fewer than four matrices, further threads repeat the first ones.
const fn rows(count: i64) -> Layout {
    match count {
        4 => layout!((32,128):(128,1)),
        _ => thread_value(&[(8 * count, 128), (4 / count, 0)], &[(128, 1)]),
    }
}

/// A register of 32 bits of each matrix: thread `t` holds bits `32 t` to `32 t + 31`.
const fn registers(count: i64) -> Layout {
    match count {
        1 => layout!((32,32):(32,1)),
        _ => thread_value(&[(32, 32)], &[(32, 1), (count, 1024)]),
    }
}

/// The same of the transposed matrices: a thread's two elements are from two rows.
const fn transposed(count: i64) -> Layout {
    match count {
        1 => layout!(((4,8),(16,2)):((256,16),(1,128))),
        _ => thread_value(&[(4, 256), (8, 16)], &[(16, 1), (2, 128), (count, 1024)]),
    }
}

/// Rows of 16 bytes of 16x8 matrices of bytes, in a register for 16 rows: the rows are distributed over threads so that
/// two matrices of 8 rows form one of 16.
const fn byte_rows(count: i64) -> Layout {
    match count {
        2 => layout!(((2,2,4,2),128):((128,1024,256,0),1)),
        _ => layout!(((2,2,4,2),128):((128,1024,256,2048),1)),
    }
}

/// Bytes of transposed matrices of bytes, in `count` registers.
const fn transposed_bytes(count: i64) -> Layout {
    match count {
        1 => layout!(((4,8),(8,2,2)):((256,8),(1,128,64))),
        _ => thread_value(&[(4, 256), (8, 8)], &[(8, 1), (2, 128), (2, 64), (count, 1024)]),
    }
}

const fn load(name: Name, src: Layout, dst: Layout) -> CopyAtom {
    CopyAtom {
        name,
        instruction: "ldmatrix",
        section: "PTX ISA, warp-level matrix load instruction: ldmatrix",
        threads: WARP,
        src,
        dst,
        reference: Side::Destination,
        memory: None,
    }
}

const fn store(name: Name, src: Layout, dst: Layout) -> CopyAtom {
    CopyAtom {
        instruction: "stmatrix",
        section: "PTX ISA, warp-level matrix store instruction: stmatrix",
        reference: Side::Source,
        ..load(name, src, dst)
    }
}

const fn transpose(name: Name) -> CopyAtom {
    CopyAtom {
        instruction: "movmatrix.sync.aligned.m8n8.trans.b16",
        section: "PTX ISA, warp-level matrix transpose instruction: movmatrix",
        ..load(name, registers(1), transposed(1))
    }
}

const fn shuffle(name: Name, dst: Layout) -> CopyAtom {
    CopyAtom {
        instruction: "shfl.sync.bfly",
        section: "PTX ISA, data movement: shfl.sync",
        reference: Side::Source,
        ..load(name, layout!((32,64):(64,1)), dst)
    }
}

table! {
    LDMATRIX: Copy(CopyAtom), "ldmatrix, stmatrix, movmatrix, shuffles";
    SM50_Shuffle_U32_2x2Trans_XOR1 = shuffle(layout!(((2,16),(32,2)):((32,128),(1,64))));
    SM50_Shuffle_U32_2x2Trans_XOR4 = shuffle(layout!(((4,2,4),(32,2)):((64,32,512),(1,256))));
    SM75_U32x1_LDSM_N = load(rows(1), registers(1));
    SM75_U32x2_LDSM_N = load(rows(2), registers(2));
    SM75_U32x4_LDSM_N = load(rows(4), registers(4));
    SM75_U16x2_LDSM_T = load(rows(1), transposed(1));
    SM75_U16x4_LDSM_T = load(rows(2), transposed(2));
    SM75_U16x8_LDSM_T = load(rows(4), transposed(4));
    SM75_U32x1_MOVM_T = transpose();
    SM90_U32x1_STSM_N = store(registers(1), rows(1));
    SM90_U32x2_STSM_N = store(registers(2), rows(2));
    SM90_U32x4_STSM_N = store(registers(4), rows(4));
    SM90_U16x2_STSM_T = store(transposed(1), rows(1));
    SM90_U16x4_STSM_T = store(transposed(2), rows(2));
    SM90_U16x8_STSM_T = store(transposed(4), rows(4));
    SM100_U8x8_LDSM_T = load(byte_rows(2), transposed_bytes(2));
    SM100_U8x16_LDSM_T = load(byte_rows(4), transposed_bytes(4));
    SM100_SU4_DU8x16_x1_LDSM_N = load(rows(1), registers(1));
    SM100_SU4_DU8x16_x2_LDSM_N = load(rows(2), registers(2));
    SM100_SU4_DU8x16_x4_LDSM_N = load(rows(4), registers(4));
    SM100_SU6_DU8x16_x1_LDSM_N = load(rows(1), registers(1));
    SM100_SU6_DU8x16_x2_LDSM_N = load(rows(2), registers(2));
    SM100_SU6_DU8x16_x4_LDSM_N = load(rows(4), registers(4));
    SM100_U8x4_STSM_T = store(transposed_bytes(1), rows(1));
    SM100_U8x8_STSM_T = store(transposed_bytes(2), rows(2));
    SM100_U8x16_STSM_T = store(transposed_bytes(4), rows(4));
}

//! Intel: AMX, the vector instructions of AVX-512 and AVX2, and DPAS of the Xe GPUs.
//!
//! A tile has no lanes, so it counts as one thread; the threads of a vector instruction are the lanes of its register.
//! Values are numbered in register order: VNNI packing is just the layout of `B`.

#![allow(non_upper_case_globals)]

use tilework::Layout;

use super::element::Element::{self, *};
use super::family::{Atom, Family, table};
use super::mma::{MmaAtom, expect, flat, thread_value};
use super::name::Name;

const fn row(
    name: Name,
    instruction: &'static str,
    section: &'static str,
    (shape, elements): ([i64; 3], [Element; 4]),
    threads: Layout,
    [a, b, c]: [Layout; 3],
) -> MmaAtom {
    MmaAtom { name, instruction, section, shape, elements, threads, a, b, c, ..MmaAtom::DENSE }
}

/// AMX: a row of `A` is a row of its tile; a row of `B`'s tile has the `packed` elements along `k` of each column in 32 bits.
const fn amx(name: Name, instruction: &'static str, elements: [Element; 4]) -> MmaAtom {
    let packed = 32 / elements[1].bits();
    let k = 16 * packed;
    let columns = if packed == 1 { flat(&[(16, 1), (16, 16)]) } else { pairs(packed) };
    let b = expect(Layout::concatenate(&[flat(&[]), columns]));
    let section = "Intel SDM volume 2 and ISE, Intel AMX instructions";
    let a = thread_value(&[], &[(k, 16), (16, 1)]);
    row(
        name,
        instruction,
        section,
        ([16, 16, k], elements),
        flat(&[]),
        [a, b, thread_value(&[], &[(16, 16), (16, 1)])],
    )
}

const fn pairs(packed: i64) -> Layout {
    expect(Layout::concatenate(&[flat(&[(packed, 16), (16, 1)]), flat(&[(16, 16 * packed)])]))
}

/// `C += a B` in vector registers: one row of `C`, a column a lane; `A` is one element, or `k` packed ones, that all lanes read.
const fn vector(
    name: Name,
    instruction: &'static str,
    lanes: i64,
    k: i64,
    elements: [Element; 4],
) -> MmaAtom {
    let section = "Intel SDM volume 2, vector instructions";
    let (a, b) = match k {
        1 => (thread_value(&[(lanes, 0)], &[]), thread_value(&[(lanes, 1)], &[])),
        _ => (thread_value(&[(lanes, 0)], &[(k, 1)]), thread_value(&[(lanes, 1)], &[(k, lanes)])),
    };
    let c = thread_value(&[(lanes, 1)], &[]);
    row(name, instruction, section, ([1, lanes, k], elements), flat(&[(lanes, 1)]), [a, b, c])
}

/// DPAS with a repeat count of 8: a lane has a column of `B` and of `C`, and the 32 bits at its index of each row of
/// `A`.
const fn dpas(name: Name, lanes: i64, elements: [Element; 4]) -> MmaAtom {
    let packed = 32 / elements[1].bits();
    let (k, n) = (8 * packed, lanes);
    // A row of A has 8 words of 32 bits: with 8 lanes one row fills the lanes, with 16 lanes two rows do, and packed
    // words are halved.
    let a = match (lanes, packed) {
        (8, _) => thread_value(&[(8, 8 * packed)], &[(packed, 8), (8, 1)]),
        (_, 1) => thread_value(&[(8, 8), (2, 1)], &[(4, 2)]),
        (_, 2) => thread_value(&[(16, 8)], &[(8, 1)]),
        _ => thread_value(&[(16, 16)], &[(2, 8), (8, 1)]),
    };
    let b = thread_value(&[(n, 1)], &[(k, n)]);
    let c = thread_value(&[(n, 8)], &[(8, 1)]);
    let section = "OpenCL, cl_intel_subgroup_matrix_multiply_accumulate";
    row(name, "dpas.8x8", section, ([8, n, k], elements), flat(&[(lanes, 1)]), [a, b, c])
}

table! {
    TABLE: Mma(MmaAtom), "tdp, vfmadd, vdp, dpas";
    AMX_16x16x32_F32BF16BF16F32 = amx("tdpbf16ps", [F32, BF16, BF16, F32]);
    AMX_16x16x32_F32F16F16F32 = amx("tdpfp16ps", [F32, F16, F16, F32]);
    AMX_16x16x64_S32S8S8S32 = amx("tdpbssd", [S32, S8, S8, S32]);
    AMX_16x16x64_S32S8U8S32 = amx("tdpbsud", [S32, S8, U8, S32]);
    AMX_16x16x64_S32U8S8S32 = amx("tdpbusd", [S32, U8, S8, S32]);
    AMX_16x16x64_S32U8U8S32 = amx("tdpbuud", [S32, U8, U8, S32]);
    AVX2_1x8x1_F32F32F32F32 = vector("vfmadd231ps ymm", 8, 1, [F32, F32, F32, F32]);
    AVX2_1x4x1_F64F64F64F64 = vector("vfmadd231pd ymm", 4, 1, [F64, F64, F64, F64]);
    AVX512_1x16x1_F32F32F32F32 = vector("vfmadd231ps zmm", 16, 1, [F32, F32, F32, F32]);
    AVX512_1x8x1_F64F64F64F64 = vector("vfmadd231pd zmm", 8, 1, [F64, F64, F64, F64]);
    AVX512_1x32x1_F16F16F16F16 = vector("vfmadd231ph zmm", 32, 1, [F16, F16, F16, F16]);
    AVX512_1x16x2_F32BF16BF16F32 = vector("vdpbf16ps zmm", 16, 2, [F32, BF16, BF16, F32]);
    AVX512_1x16x2_S32S16S16S32 = vector("vpdpwssd zmm", 16, 2, [S32, S16, S16, S32]);
    AVX512_1x16x4_S32U8S8S32 = vector("vpdpbusd zmm", 16, 4, [S32, U8, S8, S32]);
    XeHPC_8x16x16_F32F16F16_DPAS = dpas(16, [F32, F16, F16, F32]);
    XeHPC_8x16x16_F32BF16BF16_DPAS = dpas(16, [F32, BF16, BF16, F32]);
    XeHPC_8x16x8_F32TF32TF32_DPAS = dpas(16, [F32, TF32, TF32, F32]);
    XeHPC_8x16x32_I32I8I8_DPAS = dpas(16, [I32, I8, I8, I32]);
    XeHPG_8x8x16_F32F16F16_DPAS = dpas(8, [F32, F16, F16, F32]);
    XeHPG_8x8x16_F32BF16BF16_DPAS = dpas(8, [F32, BF16, BF16, F32]);
    XeHPG_8x8x32_I32I8I8_DPAS = dpas(8, [I32, I8, I8, I32]);
}

pub(super) const FAMILIES: &[Family] = &[TABLE];

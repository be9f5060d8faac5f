//! Matrix instructions of one thread (SM61), eight threads (SM70) and a warp (SM75 to SM90).

#![allow(non_upper_case_globals)]

use tilework::{Layout, layout};

use super::super::element::Element::{self, *};
use super::super::family::{Atom, Family, table};
use super::super::mma::{MmaAtom, flat, modes, thread_value};
use super::super::name::Name;

pub(super) const WARP: Layout = layout!(32:1);

/// The elements of `rows` by `columns` in a warp, as in every `mma.sync` from SM75 on: `packed` adjacent columns are in
/// one register of a thread, four threads have a row of such registers, and eight rows are in the eight groups of four
/// threads; further registers hold first the other eight rows, then further columns.
pub(super) const fn fragment(rows: i64, columns: i64, packed: i64) -> Layout {
    let all = [(packed, rows), (rows / 8, 8), (columns / (4 * packed), 4 * packed * rows)];
    let (modes, count) = modes(all);
    thread_value(&[(4, rows * packed), (8, 1)], modes.split_at(count).0)
}

/// `mma.sync` of a warp.
#[inline(never)] // It would be compiled for each of a hundred rows.
const fn warp(name: Name, shape: [i64; 3], elements: [Element; 4]) -> MmaAtom {
    let [m, n, k] = shape;
    let packed = if elements[1].bits() < 32 { 32 / elements[1].bits() } else { 1 };
    MmaAtom {
        name,
        instruction: "mma.sync",
        section: "PTX ISA, mma instructions, matrix fragments of each shape",
        shape,
        elements,
        threads: WARP,
        a: fragment(m, k, packed),
        b: fragment(n, k, packed),
        c: fragment(m, n, 2),
        ..MmaAtom::DENSE
    }
}

/// `mma.sp.sync` of a warp, for which CuTe has no struct: the registers of `A` are those of half the columns. One
/// thread has the metadata of a row of 8 bytes of `A`'s stored elements.
const fn sparse(name: Name, shape: [i64; 3], elements: [Element; 4]) -> MmaAtom {
    let [m, n, k] = shape;
    let packed = 32 / elements[1].bits();
    let half = k / 2;
    let e = if packed > 2 {
        thread_value(&[(2, 8), (2, m * half), (8, 1)], &[(half, m)])
    } else {
        thread_value(&[(2, m * half), (2, 0), (8, 1)], &[(half, m), (2, 8)])
    };
    MmaAtom {
        instruction: "mma.sp.sync",
        section: "PTX ISA, mma.sp instructions, matrix fragments and metadata of each shape",
        sparsity: 2,
        a: fragment(m, k, 2 * packed),
        b: fragment(n, k, packed),
        e: Some(e),
        ..warp(name, shape, elements)
    }
}

/// `mma.sync.m8n8k4` of SM70, by lanes 0 to 3 and 16 to 19: the last two letters say which of `A` and `B` is
/// transposed.
const fn quad_pair(name: Name, accumulator: Element, major: &[u8; 2]) -> MmaAtom {
    // A thread has one row of four, or one column of the four rows of its half of the threads.
    const ROW: Layout = layout!((8,4):(1,8));
    const COLUMN: Layout = layout!(((4,2),4):((8,4),1));
    MmaAtom {
        name,
        instruction: "mma.sync.aligned.m8n8k4",
        section: "PTX ISA, matrix fragments for mma.m8n8k4 with .f16",
        shape: [8, 8, 4],
        elements: [accumulator, F16, F16, accumulator],
        threads: layout!((4,2):(1,16)),
        a: if major[0] == b'T' { ROW } else { COLUMN },
        b: if major[1] == b'N' { ROW } else { COLUMN },
        c: match accumulator {
            F16 => layout!((8,8):(1,8)),
            _ => layout!(((2,2,2),(2,2,2)):((1,16,4),(8,2,32))),
        },
        ..MmaAtom::DENSE
    }
}

/// An instruction of a single thread, whose registers hold the operands in column-major order.
const fn single(name: Name, instruction: &'static str, shape: [i64; 3], elements: [Element; 4]) -> MmaAtom {
    const fn all(size: i64) -> Layout {
        thread_value(&[], &[(size, if size == 1 { 0 } else { 1 })])
    }
    let [m, n, k] = shape;
    MmaAtom {
        name,
        instruction,
        section: "PTX ISA, integer arithmetic instructions; floating point instructions",
        shape,
        elements,
        threads: flat(&[]),
        a: all(m * k),
        b: all(n * k),
        c: all(m * n),
        ..MmaAtom::DENSE
    }
}

const UNIVERSAL: [(&str, Element); 4] = [
    ("UniversalFMA<float>", F32),
    ("UniversalFMA<double>", F64),
    ("UniversalFMA<half_t>", F16),
    ("UniversalFMA<int32_t>", S32),
];

const fn universal(index: usize) -> MmaAtom {
    let (name, element) = UNIVERSAL[index];
    single(Name::new(name), "fma", [1, 1, 1], [element; 4])
}

pub(super) const FMA: Family = Family {
    title: "fma",
    prefixes: &["UniversalFMA"],
    count: UNIVERSAL.len(),
    name: |index| Some(Name::new(UNIVERSAL[index].0)),
    atom: |index| Some(Atom::Mma(universal(index))),
};

table! {
    MMA_SYNC: Mma(MmaAtom), "dp4a, mma.sync";
    SM61_DP4A = single("dp4a", [1, 1, 4], [S32, S8, S8, S32]);
    SM61_DP2A = single("dp2a", [1, 1, 2], [S32, S16, S16, S32]);
    SM100_2x1x1_F32F32F32F32 = single("fma.rn.f32x2", [2, 1, 1], [F32, F32, F32, F32]);
    SM100_1x2x1_F32F32F32F32 = single("fma.rn.f32x2", [1, 2, 1], [F32, F32, F32, F32]);
    SM70_8x8x4_F16F16F16F16_TN = quad_pair(F16, b"TN");
    SM70_8x8x4_F16F16F16F16_NT = quad_pair(F16, b"NT");
    SM70_8x8x4_F16F16F16F16_NN = quad_pair(F16, b"NN");
    SM70_8x8x4_F16F16F16F16_TT = quad_pair(F16, b"TT");
    SM70_8x8x4_F32F16F16F32_TN = quad_pair(F32, b"TN");
    SM70_8x8x4_F32F16F16F32_NT = quad_pair(F32, b"NT");
    SM70_8x8x4_F32F16F16F32_NN = quad_pair(F32, b"NN");
    SM70_8x8x4_F32F16F16F32_TT = quad_pair(F32, b"TT");
    SM75_16x8x8_F32F16F16F32_TN = warp([16, 8, 8], [F32, F16, F16, F32]);
    SM75_16x8x8_F16F16F16F16_TN = warp([16, 8, 8], [F16, F16, F16, F16]);
    SM75_8x8x16_S32S8S8S32_TN = warp([8, 8, 16], [S32, S8, S8, S32]);
    SM80_16x8x8_F16F16F16F16_TN = warp([16, 8, 8], [F16, F16, F16, F16]);
    SM80_16x8x16_F16F16F16F16_TN = warp([16, 8, 16], [F16, F16, F16, F16]);
    SM80_16x8x8_F32F16F16F32_TN = warp([16, 8, 8], [F32, F16, F16, F32]);
    SM80_16x8x16_F32F16F16F32_TN = warp([16, 8, 16], [F32, F16, F16, F32]);
    SM80_16x8x8_F32BF16BF16F32_TN = warp([16, 8, 8], [F32, BF16, BF16, F32]);
    SM80_16x8x16_F32BF16BF16F32_TN = warp([16, 8, 16], [F32, BF16, BF16, F32]);
    SM80_16x8x4_F32TF32TF32F32_TN = warp([16, 8, 4], [F32, TF32, TF32, F32]);
    SM80_16x8x8_F32TF32TF32F32_TN = warp([16, 8, 8], [F32, TF32, TF32, F32]);
    SM80_8x8x4_F64F64F64F64_TN = warp([8, 8, 4], [F64, F64, F64, F64]);
    SM80_8x8x4_C64C64C64C64_TN = warp([8, 8, 4], [C64, C64, C64, C64]);
    SM80_8x8x4_GC64C64C64GC64_TN = warp([8, 8, 4], [GC64, C64, C64, GC64]);
    SM80_8x8x16_S32S8S8S32_TN = warp([8, 8, 16], [S32, S8, S8, S32]);
    SM80_8x8x16_S32S8S8S32_TN_SATURATE = warp([8, 8, 16], [S32, S8, S8, S32]);
    SM80_16x8x16_S32S8S8S32_TN = warp([16, 8, 16], [S32, S8, S8, S32]);
    SM80_16x8x16_S32S8S8S32_TN_SATURATE = warp([16, 8, 16], [S32, S8, S8, S32]);
    SM80_16x8x32_S32S8S8S32_TN = warp([16, 8, 32], [S32, S8, S8, S32]);
    SM80_16x8x32_S32S8S8S32_TN_SATURATE = warp([16, 8, 32], [S32, S8, S8, S32]);
    SM80_8x8x16_S32S8U8S32_TN = warp([8, 8, 16], [S32, S8, U8, S32]);
    SM80_8x8x16_S32S8U8S32_TN_SATURATE = warp([8, 8, 16], [S32, S8, U8, S32]);
    SM80_16x8x16_S32S8U8S32_TN = warp([16, 8, 16], [S32, S8, U8, S32]);
    SM80_16x8x16_S32S8U8S32_TN_SATURATE = warp([16, 8, 16], [S32, S8, U8, S32]);
    SM80_16x8x32_S32S8U8S32_TN = warp([16, 8, 32], [S32, S8, U8, S32]);
    SM80_16x8x32_S32S8U8S32_TN_SATURATE = warp([16, 8, 32], [S32, S8, U8, S32]);
    SM80_8x8x16_S32U8S8S32_TN = warp([8, 8, 16], [S32, U8, S8, S32]);
    SM80_8x8x16_S32U8S8S32_TN_SATURATE = warp([8, 8, 16], [S32, U8, S8, S32]);
    SM80_16x8x16_S32U8S8S32_TN = warp([16, 8, 16], [S32, U8, S8, S32]);
    SM80_16x8x16_S32U8S8S32_TN_SATURATE = warp([16, 8, 16], [S32, U8, S8, S32]);
    SM80_16x8x32_S32U8S8S32_TN = warp([16, 8, 32], [S32, U8, S8, S32]);
    SM80_16x8x32_S32U8S8S32_TN_SATURATE = warp([16, 8, 32], [S32, U8, S8, S32]);
    SM80_8x8x16_S32U8U8S32_TN = warp([8, 8, 16], [S32, U8, U8, S32]);
    SM80_8x8x16_S32U8U8S32_TN_SATURATE = warp([8, 8, 16], [S32, U8, U8, S32]);
    SM80_16x8x16_S32U8U8S32_TN = warp([16, 8, 16], [S32, U8, U8, S32]);
    SM80_16x8x16_S32U8U8S32_TN_SATURATE = warp([16, 8, 16], [S32, U8, U8, S32]);
    SM80_16x8x32_S32U8U8S32_TN = warp([16, 8, 32], [S32, U8, U8, S32]);
    SM80_16x8x32_S32U8U8S32_TN_SATURATE = warp([16, 8, 32], [S32, U8, U8, S32]);
    SM80_8x8x32_S32S4S4S32_TN = warp([8, 8, 32], [S32, S4, S4, S32]);
    SM80_8x8x32_S32S4S4S32_TN_SATURATE = warp([8, 8, 32], [S32, S4, S4, S32]);
    SM80_16x8x32_S32S4S4S32_TN = warp([16, 8, 32], [S32, S4, S4, S32]);
    SM80_16x8x32_S32S4S4S32_TN_SATURATE = warp([16, 8, 32], [S32, S4, S4, S32]);
    SM80_16x8x64_S32S4S4S32_TN = warp([16, 8, 64], [S32, S4, S4, S32]);
    SM80_16x8x64_S32S4S4S32_TN_SATURATE = warp([16, 8, 64], [S32, S4, S4, S32]);
    SM80_8x8x32_S32S4U4S32_TN = warp([8, 8, 32], [S32, S4, U4, S32]);
    SM80_8x8x32_S32S4U4S32_TN_SATURATE = warp([8, 8, 32], [S32, S4, U4, S32]);
    SM80_16x8x32_S32S4U4S32_TN = warp([16, 8, 32], [S32, S4, U4, S32]);
    SM80_16x8x32_S32S4U4S32_TN_SATURATE = warp([16, 8, 32], [S32, S4, U4, S32]);
    SM80_16x8x64_S32S4U4S32_TN = warp([16, 8, 64], [S32, S4, U4, S32]);
    SM80_16x8x64_S32S4U4S32_TN_SATURATE = warp([16, 8, 64], [S32, S4, U4, S32]);
    SM80_8x8x32_S32U4S4S32_TN = warp([8, 8, 32], [S32, U4, S4, S32]);
    SM80_8x8x32_S32U4S4S32_TN_SATURATE = warp([8, 8, 32], [S32, U4, S4, S32]);
    SM80_16x8x32_S32U4S4S32_TN = warp([16, 8, 32], [S32, U4, S4, S32]);
    SM80_16x8x32_S32U4S4S32_TN_SATURATE = warp([16, 8, 32], [S32, U4, S4, S32]);
    SM80_16x8x64_S32U4S4S32_TN = warp([16, 8, 64], [S32, U4, S4, S32]);
    SM80_16x8x64_S32U4S4S32_TN_SATURATE = warp([16, 8, 64], [S32, U4, S4, S32]);
    SM80_8x8x32_S32U4U4S32_TN = warp([8, 8, 32], [S32, U4, U4, S32]);
    SM80_8x8x32_S32U4U4S32_TN_SATURATE = warp([8, 8, 32], [S32, U4, U4, S32]);
    SM80_16x8x32_S32U4U4S32_TN = warp([16, 8, 32], [S32, U4, U4, S32]);
    SM80_16x8x32_S32U4U4S32_TN_SATURATE = warp([16, 8, 32], [S32, U4, U4, S32]);
    SM80_16x8x64_S32U4U4S32_TN = warp([16, 8, 64], [S32, U4, U4, S32]);
    SM80_16x8x64_S32U4U4S32_TN_SATURATE = warp([16, 8, 64], [S32, U4, U4, S32]);
    SM80_16x8x256_S32U1U1S32_TN_XORPOPC = warp([16, 8, 256], [S32, U1, U1, S32]);
    SM80_16x8x256_S32U1U1S32_TN_ANDPOPC = warp([16, 8, 256], [S32, U1, U1, S32]);
    SM80_8x8x128_S32U1U1S32_TN_XORPOPC = warp([8, 8, 128], [S32, U1, U1, S32]);
    SM80_8x8x128_S32U1U1S32_TN_ANDPOPC = warp([8, 8, 128], [S32, U1, U1, S32]);
    SM80_16x8x128_S32U1U1S32_TN_XORPOPC = warp([16, 8, 128], [S32, U1, U1, S32]);
    SM80_16x8x128_S32U1U1S32_TN_ANDPOPC = warp([16, 8, 128], [S32, U1, U1, S32]);
    SM89_16x8x32_F32E4M3E4M3F32_TN = warp([16, 8, 32], [F32, E4M3, E4M3, F32]);
    SM89_16x8x32_F32E4M3E5M2F32_TN = warp([16, 8, 32], [F32, E4M3, E5M2, F32]);
    SM89_16x8x32_F32E5M2E5M2F32_TN = warp([16, 8, 32], [F32, E5M2, E5M2, F32]);
    SM89_16x8x32_F32E5M2E4M3F32_TN = warp([16, 8, 32], [F32, E5M2, E4M3, F32]);
    SM89_16x8x32_F16E4M3E4M3F16_TN = warp([16, 8, 32], [F16, E4M3, E4M3, F16]);
    SM89_16x8x32_F16E4M3E5M2F16_TN = warp([16, 8, 32], [F16, E4M3, E5M2, F16]);
    SM89_16x8x32_F16E5M2E5M2F16_TN = warp([16, 8, 32], [F16, E5M2, E5M2, F16]);
    SM89_16x8x32_F16E5M2E4M3F16_TN = warp([16, 8, 32], [F16, E5M2, E4M3, F16]);
    SM90_16x8x4_F64F64F64F64_TN = warp([16, 8, 4], [F64, F64, F64, F64]);
    SM90_16x8x8_F64F64F64F64_TN = warp([16, 8, 8], [F64, F64, F64, F64]);
    SM90_16x8x16_F64F64F64F64_TN = warp([16, 8, 16], [F64, F64, F64, F64]);
    SM90_16x8x4_C64C64C64C64_TN = warp([16, 8, 4], [C64, C64, C64, C64]);
    SM90_16x8x8_C64C64C64C64_TN = warp([16, 8, 8], [C64, C64, C64, C64]);
    SM90_16x8x16_C64C64C64C64_TN = warp([16, 8, 16], [C64, C64, C64, C64]);
}

table! {
    SPARSE: Mma(MmaAtom), "mma.sp";
    SM80_SPARSE_16x8x16_F32TF32TF32F32_TN = sparse([16, 8, 16], [F32, TF32, TF32, F32]);
    SM80_SPARSE_16x8x32_F16F16F16F16_TN = sparse([16, 8, 32], [F16, F16, F16, F16]);
    SM80_SPARSE_16x8x32_F32F16F16F32_TN = sparse([16, 8, 32], [F32, F16, F16, F32]);
    SM80_SPARSE_16x8x32_F32BF16BF16F32_TN = sparse([16, 8, 32], [F32, BF16, BF16, F32]);
    SM80_SPARSE_16x8x64_S32S8S8S32_TN = sparse([16, 8, 64], [S32, S8, S8, S32]);
    SM80_SPARSE_16x8x64_S32S8U8S32_TN = sparse([16, 8, 64], [S32, S8, U8, S32]);
    SM80_SPARSE_16x8x64_S32U8S8S32_TN = sparse([16, 8, 64], [S32, U8, S8, S32]);
    SM80_SPARSE_16x8x64_S32U8U8S32_TN = sparse([16, 8, 64], [S32, U8, U8, S32]);
    SM80_SPARSE_16x8x128_S32S4S4S32_TN = sparse([16, 8, 128], [S32, S4, S4, S32]);
    SM80_SPARSE_16x8x128_S32S4U4S32_TN = sparse([16, 8, 128], [S32, S4, U4, S32]);
    SM80_SPARSE_16x8x128_S32U4S4S32_TN = sparse([16, 8, 128], [S32, U4, S4, S32]);
    SM80_SPARSE_16x8x128_S32U4U4S32_TN = sparse([16, 8, 128], [S32, U4, U4, S32]);
}

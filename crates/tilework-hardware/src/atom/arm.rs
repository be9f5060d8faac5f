//! Arm: matrix instructions of vector registers, and outer products of SME.
//!
//! A register of 128 bits and a tile have no separate lanes, so they count as one thread; values are numbered in
//! register order.

#![allow(non_upper_case_globals)]

use super::element::Element::{self, *};
use super::family::{Atom, Family, table};
use super::mma::{MmaAtom, flat, thread_value};
use super::name::Name;

/// `MMLA`: both operands are two rows of `k` elements, and `C` is 2x2 by rows.
const fn mmla(name: Name, instruction: &'static str, k: i64, elements: [Element; 4]) -> MmaAtom {
    let operand = thread_value(&[], &[(k, 2), (2, 1)]);
    MmaAtom {
        name,
        instruction,
        section: "Arm A64 ISA, SIMD and SVE matrix multiply-accumulate",
        shape: [2, 2, k],
        elements,
        threads: flat(&[]),
        a: operand,
        b: operand,
        c: thread_value(&[], &[(2, 2), (2, 1)]),
        ..MmaAtom::DENSE
    }
}

/// `MOPA` of SME for a vector length in bits: a sum of `32 / bits` outer products (`64 / 64` for `F64`), adjacent in the registers.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::atom::{Element::*, arm::mopa};
/// let atom = mopa(512, [F32, BF16, BF16, F32]).unwrap();
/// assert_eq!((&*atom.name, atom.shape), ("SME512_16x16x2_F32BF16BF16F32", [16, 16, 2]));
/// assert_eq!(atom.a, layout!((1,(2,16)):(0,(16,1))));
/// ```
///
/// None if the length is not a power of two from 128 to 2048, or no instruction has these elements.
#[must_use]
pub const fn mopa(bits: i64, elements: [Element; 4]) -> Option<MmaAtom> {
    let [d, a, b, c] = elements;
    let instruction = match (d, a, b, c) {
        (F32, F32, F32, F32) | (F64, F64, F64, F64) | (F32, F16, F16, F32) => "fmopa",
        (F32, BF16, BF16, F32) => "bfmopa",
        (S32, S8, S8, S32) => "smopa",
        (S32, U8, S8, S32) => "usmopa",
        (S32, S8, U8, S32) => "sumopa",
        (S32, U8, U8, S32) => "umopa",
        _ => return None,
    };
    if bits < 128 || bits > 2048 || bits & (bits - 1) != 0 {
        return None;
    }
    let (n, k) = (bits / d.bits(), d.bits() / a.bits());
    let name =
        Name::new("SME").with_int(bits).with("_").with_shape([n, n, k]).with("_").with_elements(&elements);
    let operand = if k == 1 { thread_value(&[], &[(n, 1)]) } else { thread_value(&[], &[(k, n), (n, 1)]) };
    Some(MmaAtom {
        name,
        instruction,
        section: "Arm A64 ISA, SME outer product and accumulate",
        shape: [n, n, k],
        elements,
        threads: flat(&[]),
        a: operand,
        b: operand,
        c: thread_value(&[], &[(n, n), (n, 1)]),
        ..MmaAtom::DENSE
    })
}

table! {
    TABLE: Mma(MmaAtom), "smmla, bfmmla, fmmla";
    NEON_2x2x8_S32S8S8S32 = mmla("smmla", 8, [S32, S8, S8, S32]);
    NEON_2x2x8_S32U8U8S32 = mmla("ummla", 8, [S32, U8, U8, S32]);
    NEON_2x2x8_S32U8S8S32 = mmla("usmmla", 8, [S32, U8, S8, S32]);
    NEON_2x2x4_F32BF16BF16F32 = mmla("bfmmla", 4, [F32, BF16, BF16, F32]);
    SVE_2x2x2_F32F32F32F32 = mmla("fmmla", 2, [F32, F32, F32, F32]);
    SVE_2x2x2_F64F64F64F64 = mmla("fmmla", 2, [F64, F64, F64, F64]);
}

const OUTER: [[Element; 4]; 8] = [
    [F32, F32, F32, F32],
    [F64, F64, F64, F64],
    [F32, F16, F16, F32],
    [F32, BF16, BF16, F32],
    [S32, S8, S8, S32],
    [S32, U8, S8, S32],
    [S32, S8, U8, S32],
    [S32, U8, U8, S32],
];

const fn outer(index: usize) -> Option<MmaAtom> {
    mopa(128 << (index % 5), OUTER[index / 5])
}

pub(super) const FAMILIES: &[Family] = &[
    TABLE,
    Family {
        prefixes: &["SME"],
        title: "fmopa, bfmopa, smopa",
        count: 5 * OUTER.len(),
        name: |index| outer(index).map(|atom| atom.name),
        atom: |index| outer(index).map(Atom::Mma),
    },
];

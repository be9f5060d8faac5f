//! `mma.sync` of floats of 8, 6 and 4 bits (SM120), with scales of blocks and without, by rule.

use super::super::element::Element::{self, *};
use super::super::family::{Atom, Family};
use super::super::mma::{MmaAtom, thread_value};
use super::super::name::Name;
use super::warp::{WARP, fragment};

/// The scales by which blocks of elements are multiplied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BlockScale {
    /// No scales.
    None,
    /// A power of two for each 32 elements; elements of 4 to 8 bits, in 8 bits each.
    Mx,
    /// A power of two for each 32 elements; elements of 4 bits, in 4 bits each.
    Mx4,
    /// A float of 8 bits for each 16 elements; elements of 4 bits, in 4 bits each.
    Nv4,
}

const SCALES: [BlockScale; 4] = [BlockScale::None, BlockScale::Mx, BlockScale::Mx4, BlockScale::Nv4];
const INPUTS: [Element; 5] = [E4M3, E5M2, E3M2, E2M3, E2M1];

/// `mma.sync.m16n8k32` and wider of SM120: `elements` are those of `D`, `A` and `B`; `sparsity` is 2 if `A` has
/// structured zeros.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::atom::{Element::*, nvidia::{BlockScale, sm120_mma}};
/// let atom = sm120_mma([F32, E2M1, E2M1], BlockScale::Nv4, 1).unwrap();
/// assert_eq!(atom.shape, [16, 8, 64]);
/// assert_eq!(atom.b, layout!(((4,8),(8,2)):((64,1),(8,256))));
/// ```
///
/// None if there is no such instruction.
#[must_use]
pub const fn sm120_mma(elements: [Element; 3], scale: BlockScale, sparsity: i64) -> Option<MmaAtom> {
    let Some(name) = name(elements, scale, sparsity) else { return None };
    let packed = if is_packed(scale) { 8 } else { 4 };
    let [d, a, b] = elements;
    let k = 8 * packed * sparsity;
    let is_scaled = !matches!(scale, BlockScale::None);
    Some(MmaAtom {
        name,
        instruction: if sparsity == 1 { "mma.sync" } else { "mma.sp::ordered_metadata.sync" },
        section: "PTX ISA, mma instructions, matrix fragments for m16n8k32 and m16n8k64",
        shape: [16, 8, k],
        elements: [d, a, b, d],
        sparsity,
        e: if sparsity == 1 {
            None
        } else {
            Some(thread_value(&[(2, 8), (2, 8 * k), (8, 1)], &[(k / 2, 16)]))
        },
        // One thread of two has the scales of a row of A, one of four those of a column of B; an operand of the
        // instruction selects them.
        sfa: if is_scaled { Some(thread_value(&[(2, 8), (2, 0), (8, 1)], &[(k, 16)])) } else { None },
        sfb: if is_scaled { Some(thread_value(&[(4, 0), (8, 1)], &[(k, 8)])) } else { None },
        threads: WARP,
        a: fragment(16, k, packed * sparsity),
        b: fragment(8, k, packed),
        c: fragment(16, 8, 2),
    })
}

const fn is_packed(scale: BlockScale) -> bool {
    matches!(scale, BlockScale::Mx4 | BlockScale::Nv4)
}

const fn is_narrow(element: Element) -> bool {
    matches!(element, E4M3 | E5M2 | E3M2 | E2M3 | E2M1)
}

const fn name(elements: [Element; 3], scale: BlockScale, sparsity: i64) -> Option<Name> {
    let [d, a, b] = elements;
    let fits = match scale {
        BlockScale::None => matches!(d, F16 | F32) && is_narrow(a) && is_narrow(b),
        BlockScale::Mx => matches!(d, F32) && is_narrow(a) && is_narrow(b),
        BlockScale::Mx4 | BlockScale::Nv4 => matches!((d, a, b), (F32, E2M1, E2M1)),
    };
    if !fits || sparsity < 1 || sparsity > 2 {
        return None;
    }
    let name = Name::new(match (scale, sparsity) {
        (BlockScale::None, 1) => "SM120_16x8x",
        (BlockScale::None, _) => "SM120::SPARSE::SM120_SPARSE_16x8x",
        (_, 1) => "SM120::BLOCKSCALED::SM120_16x8x",
        _ => "SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x",
    });
    let name = name.with_int(if is_packed(scale) { 64 * sparsity } else { 32 * sparsity });
    let name = name.with(if matches!(scale, BlockScale::None) { "_TN<" } else { "_TN_VS<" });
    let name = name.with(a.cpp()).with(",").with(b.cpp()).with(",").with(d.cpp());
    // A scale is that of a block of stored elements.
    Some(match scale {
        BlockScale::None => name.with(">"),
        BlockScale::Mx | BlockScale::Mx4 => name.with(",float_ue8m0_t,").with_int(32 * sparsity).with(">"),
        BlockScale::Nv4 => name.with(",float_ue4m3_t,").with_int(16 * sparsity).with(">"),
    })
}

const fn arguments(index: usize) -> ([Element; 3], BlockScale, i64) {
    let d = if index.is_multiple_of(2) { F16 } else { F32 };
    let rest = index / 50;
    ([d, INPUTS[index / 10 % 5], INPUTS[index / 2 % 5]], SCALES[rest % 4], (rest / 4) as i64 + 1)
}

pub(super) const FAMILY: Family = Family {
    prefixes: &["SM120_"],
    title: "mma.sync, mma.sp, with block scales",
    count: 50 * 8,
    name: |index| {
        let (elements, scale, sparsity) = arguments(index);
        name(elements, scale, sparsity)
    },
    atom: |index| {
        let (elements, scale, sparsity) = arguments(index);
        sm120_mma(elements, scale, sparsity).map(Atom::Mma)
    },
};

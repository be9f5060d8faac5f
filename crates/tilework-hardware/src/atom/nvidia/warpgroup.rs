//! `wgmma`, matrix instructions of a warpgroup (SM90), dense and sparse, by rule.

use tilework::{Layout, layout};

use super::super::element::Element::{self, *};
use super::super::family::{Atom, Family};
use super::super::mma::{MmaAtom, Source, thread_value};
use super::super::name::Name;

/// `wgmma.mma_async` of `64 x N x K`, where `K` elements are 32 bytes: `elements` are those of `D`, `A` and `B`.
///
/// `C` is in the registers of four warps, 16 rows each; `A` is in shared memory, which all threads read whole, or in
/// registers in the order of `mma.sync`; `B` is in shared memory.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::atom::{Element::*, MmaAtom, Source, nvidia::wgmma};
/// const ATOM: MmaAtom = wgmma(64, [F32, BF16, BF16], Source::Registers).unwrap();
/// assert_eq!(ATOM.c, layout!(((4,8,4),(2,2,8)):((128,1,16),(64,8,512))));
/// assert!(wgmma(12, [F32, BF16, BF16], Source::Registers).is_none());
/// ```
///
/// None if there is no such instruction: `N` is a multiple of 8 up to 256 (for integers above 32, of 16); `A` is in
/// shared memory or in registers; the elements are those of a row in the manual's table of types.
#[must_use]
pub const fn wgmma(n: i64, elements: [Element; 3], a: Source) -> Option<MmaAtom> {
    warpgroup(n, elements, a, 1, false)
}

/// `wgmma.mma_async.sp`, with twice the `K`: half of each two elements of `A` (of each four for 16 and 8 bits) are 0
/// and not stored.
///
/// ```
/// use tilework_hardware::atom::{Element::*, Source, nvidia::wgmma_sparse};
/// let atom = wgmma_sparse(8, [F16, F16, F16], Source::Shared).unwrap();
/// assert_eq!(&*atom.name, "SM90::GMMA::SPARSE::GMMA_64x8x32_F16F16F16_SS");
/// ```
///
/// None as for [`wgmma`].
#[must_use]
pub const fn wgmma_sparse(n: i64, elements: [Element; 3], a: Source) -> Option<MmaAtom> {
    warpgroup(n, elements, a, 2, false)
}

const fn warpgroup(
    n: i64,
    elements: [Element; 3],
    source: Source,
    sparsity: i64,
    saturate: bool,
) -> Option<MmaAtom> {
    let Some(name) = name(n, elements, source, sparsity, saturate) else { return None };
    let [d, a, b] = elements;
    let k = sparsity * 256 / a.bits();
    Some(MmaAtom {
        name,
        instruction: if sparsity == 1 { "wgmma.mma_async" } else { "wgmma.mma_async.sp" },
        section: "PTX ISA, asynchronous warpgroup-level matrix instructions, register fragments and shared memory layouts",
        shape: [64, n, k],
        elements: [d, a, b, d],
        sparsity,
        e: if sparsity == 1 { None } else { Some(metadata(k)) },
        threads: layout!(128:1),
        a: match source {
            Source::Registers => registers(k, sparsity * 32 / a.bits()),
            _ => shared(64, k),
        },
        b: shared(n, k),
        c: thread_value(&[(4, 128), (8, 1), (4, 16)], &[(2, 64), (2, 8), (n / 8, 512)]),
        ..MmaAtom::DENSE
    })
}

/// `A` in registers: each of four warps has 16 rows, in the order of `mma.sync`.
const fn registers(columns: i64, packed: i64) -> Layout {
    let (rows, rest) = (
        [(2, 8), (columns / (4 * packed), 256 * packed)],
        [(packed, 64), (2, 8), (columns / (4 * packed), 256 * packed)],
    );
    thread_value(&[(4, 64 * packed), (8, 1), (4, 16)], if packed == 1 { &rows } else { &rest })
}

/// Two of each four threads have the metadata of both rows of 16 elements of 16 bits, or of 8 of 32 bits; for 8 bits,
/// each thread has a row of 32.
const fn metadata(columns: i64) -> Layout {
    let half = columns / 2;
    if columns == 64 {
        return thread_value(&[(2, 8), (2, 64 * half), (8, 1), (4, 16)], &[(half, 64)]);
    }
    thread_value(&[(2, 64 * half), (2, 0), (8, 1), (4, 16)], &[(half, 64), (2, 8)])
}

/// All threads read all of it, through a descriptor.
const fn shared(rows: i64, columns: i64) -> Layout {
    thread_value(&[(128, 0)], &[(rows, 1), (columns, rows)])
}

const fn name(n: i64, elements: [Element; 3], source: Source, sparsity: i64, saturate: bool) -> Option<Name> {
    let [_, a, _] = elements;
    let step = if a.bits() == 8 && is_integer(a) && n > 32 { 16 } else { 8 };
    if n < 8 || n > 256 || n % step != 0 || !is_listed(elements) || (saturate && !is_integer(a)) {
        return None;
    }
    if matches!(source, Source::TensorMemory) {
        return None;
    }
    let prefix = if sparsity == 1 { "SM90_" } else { "SM90::GMMA::SPARSE::GMMA_" };
    let name =
        Name::new(prefix).with_shape([64, n, sparsity * 256 / a.bits()]).with("_").with_elements(&elements);
    let name = name.with("_").with(source.letter()).with(if a.bits() == 16 { "S" } else { "S_TN" });
    Some(if saturate { name.with("_SATURATE") } else { name })
}

const fn is_integer(element: Element) -> bool {
    matches!(element, S8 | U8)
}

const ELEMENTS: [[Element; 3]; 16] = [
    [F16, F16, F16],
    [F32, F16, F16],
    [F32, BF16, BF16],
    [F32, TF32, TF32],
    [F16, E4M3, E4M3],
    [F16, E4M3, E5M2],
    [F16, E5M2, E4M3],
    [F16, E5M2, E5M2],
    [F32, E4M3, E4M3],
    [F32, E4M3, E5M2],
    [F32, E5M2, E4M3],
    [F32, E5M2, E5M2],
    [S32, S8, S8],
    [S32, S8, U8],
    [S32, U8, S8],
    [S32, U8, U8],
];

const fn is_listed(elements: [Element; 3]) -> bool {
    let mut i = 0;
    while i < ELEMENTS.len() {
        let [d, a, b] = ELEMENTS[i];
        if d as u8 == elements[0] as u8 && a as u8 == elements[1] as u8 && b as u8 == elements[2] as u8 {
            return true;
        }
        i += 1;
    }
    false
}

/// The arguments of the rule in the order of the list: saturating or not, then the source of `A`, then `N`, then the elements.
const fn arguments(index: usize) -> (i64, [Element; 3], Source, bool) {
    let source = if (index / 2).is_multiple_of(2) { Source::Shared } else { Source::Registers };
    ((index / 4 % 32) as i64 * 8 + 8, ELEMENTS[index / 128], source, index % 2 == 1)
}

const COUNT: usize = ELEMENTS.len() * 128;

pub(super) const DENSE: Family = family::<1>();
pub(super) const SPARSE: Family = family::<2>();

const fn family<const SPARSITY: i64>() -> Family {
    Family {
        prefixes: if SPARSITY == 1 { &["SM90_64x", "MMA_64x", "64x"] } else { &["GMMA_64x"] },
        title: if SPARSITY == 1 { "wgmma.mma_async" } else { "wgmma.mma_async.sp" },
        count: COUNT,
        name: |index| {
            let (n, elements, source, saturate) = arguments(index);
            name(n, elements, source, SPARSITY, saturate)
        },
        atom: |index| {
            let (n, elements, source, saturate) = arguments(index);
            warpgroup(n, elements, source, SPARSITY, saturate).map(Atom::Mma)
        },
    }
}

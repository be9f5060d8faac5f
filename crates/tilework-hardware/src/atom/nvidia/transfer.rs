//! Copies that keep the order of the values of a thread, or of the unit that copies for it: plain moves, `cp.async`,
//! TMA.

#![allow(non_upper_case_globals)]

use tilework::Layout;

use super::super::copy::{CopyAtom, Side};
use super::super::family::{Atom, Family, table};
use super::super::mma::{flat, thread_value};
use super::super::name::Name;

/// `bits` in order.
const fn straight(name: Name, instruction: &'static str, section: &'static str, bits: i64) -> CopyAtom {
    let all: Layout = thread_value(&[(1, 0)], &[(bits, if bits == 1 { 0 } else { 1 })]);
    CopyAtom {
        name,
        instruction,
        section,
        threads: flat(&[]),
        src: all,
        dst: all,
        reference: Side::Source,
        memory: None,
    }
}

const MOVE: &str = "PTX ISA, data movement: ld, st, mov";
const ASYNC: &str = "PTX ISA, data movement: cp.async";
const TENSOR: &str = "PTX ISA, data movement: cp.async.bulk.tensor";

/// `cp.async.bulk.tensor`, a box of `bits` bits, issued by a single thread. The tensor map and its swizzle, not the
/// instruction, define the order of the elements in the box.
///
/// ```
/// use tilework_hardware::atom::nvidia::tma_load;
/// assert_eq!(tma_load(64 * 64 * 16).unwrap().dst.to_string(), "(1,65536):(0,1)");
/// ```
///
/// None below 128 bits, or if the bits are not a multiple of 128.
#[must_use]
pub const fn tma_load(bits: i64) -> Option<CopyAtom> {
    tma("SM90_TMA_LOAD", bits)
}

/// [`tma_load`] in the other direction.
#[must_use]
pub const fn tma_store(bits: i64) -> Option<CopyAtom> {
    tma("SM90_TMA_STORE", bits)
}

const fn tma(operation: &str, bits: i64) -> Option<CopyAtom> {
    if bits < 128 || bits % 128 != 0 {
        return None;
    }
    Some(straight(
        Name::new(operation).with("<").with_int(bits).with(">"),
        "cp.async.bulk.tensor",
        TENSOR,
        bits,
    ))
}

table! {
    WIDE: Copy(CopyAtom), "ld, st, cp.async, TMA";
    SM90_BULK_COPY_AUTO = straight("cp.async.bulk", TENSOR, 1);
    SM100_LOAD_256bit_CACHE_NOALLOCATION = straight("ld.global.L1::no_allocate", MOVE, 256);
    SM100_STORE_256bit_CACHE_NOALLOCATION = straight("st.global.L1::no_allocate", MOVE, 256);
}

/// The copies that have a type as their template argument.
const OPERATIONS: [(&str, &str, &str, i64); 5] = [
    ("UniversalCopy", "ld, st, mov", MOVE, 8),
    ("SM80_CP_ASYNC_CACHEALWAYS", "cp.async.ca.shared.global", ASYNC, 32),
    ("SM80_CP_ASYNC_CACHEALWAYS_ZFILL", "cp.async.ca.shared.global", ASYNC, 32),
    ("SM80_CP_ASYNC_CACHEGLOBAL", "cp.async.cg.shared.global", ASYNC, 128),
    ("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL", "cp.async.cg.shared.global", ASYNC, 128),
];

const TYPES: [(&str, i64); 12] = [
    ("uint8_t", 8),
    ("uint16_t", 16),
    ("uint32_t", 32),
    ("uint64_t", 64),
    ("uint128_t", 128),
    ("uint256_t", 256),
    ("int8_t", 8),
    ("half_t", 16),
    ("bfloat16_t", 16),
    ("int32_t", 32),
    ("float", 32),
    ("double", 64),
];

/// A box of `bits` bits for each of two SMs.
const fn tma_pair(operation: &str, bits: i64) -> CopyAtom {
    let both = thread_value(&[(2, bits)], &[(bits, 1)]);
    let name = Name::new(operation).with("<").with_int(bits).with(">");
    let one = straight(name, "cp.async.bulk.tensor.cta_group::2", TENSOR, bits);
    CopyAtom { threads: flat(&[(2, 1)]), src: both, dst: both, ..one }
}

/// The TMA operations, with the bits of the box as their argument. `_OP` and `_PTR` are CUTLASS's forms of the same
/// instructions with all operands.
const TENSORS: [&str; 17] = [
    "SM90_TMA_LOAD",
    "SM90_TMA_LOAD_OP",
    "SM90_TMA_LOAD::PREFETCH",
    "SM90_TMA_LOAD_MULTICAST",
    "SM90_TMA_LOAD_MULTICAST_OP",
    "SM90_TMA_LOAD_IM2COL",
    "SM90_TMA_LOAD_IM2COL_OP",
    "SM90_TMA_LOAD_IM2COL::PREFETCH",
    "SM90_TMA_LOAD_IM2COL_MULTICAST",
    "SM90_TMA_LOAD_IM2COL_MULTICAST_OP",
    "SM90_TMA_STORE",
    "SM90_TMA_STORE_PTR",
    "SM90_TMA_STORE_IM2COL",
    "SM90_TMA_REDUCE_ADD",
    "SM90_BULK_COPY_G2S",
    "SM90_BULK_COPY_G2S::PREFETCH",
    "SM90_BULK_COPY_S2G",
];

/// Those of two SMs.
const PAIRS: [&str; 8] = [
    "SM100_TMA_2SM_LOAD",
    "SM100_TMA_2SM_LOAD_OP",
    "SM100_TMA_2SM_LOAD_MULTICAST",
    "SM100_TMA_2SM_LOAD_MULTICAST_OP",
    "SM100_TMA_2SM_LOAD_IM2COL",
    "SM100_TMA_2SM_LOAD_IM2COL_OP",
    "SM100_TMA_2SM_LOAD_IM2COL_MULTICAST",
    "SM100_TMA_2SM_LOAD_IM2COL_MULTICAST_OP",
];

/// The number of boxes in the list: 16 bytes times powers of two, up to 64 KiB.
const BOXES: usize = 13;

const SIZES: usize = OPERATIONS.len() * TYPES.len();

/// The vector widths, in bits, that CuTe may choose.
const ASSUMED: [i64; 6] = [8, 16, 32, 64, 128, 256];

const fn sized(index: usize) -> Option<CopyAtom> {
    if index >= SIZES + (TENSORS.len() + PAIRS.len()) * BOXES {
        let bits = ASSUMED[index - SIZES - (TENSORS.len() + PAIRS.len()) * BOXES];
        let name = Name::new("AutoVectorizingCopyWithAssumedAlignment<").with_int(bits).with(">");
        return Some(straight(name, "ld, st, mov", MOVE, 1));
    }
    if index >= SIZES {
        let index = index - SIZES;
        let (operation, bits) = (index / BOXES, 128 << (index % BOXES));
        return match operation.checked_sub(TENSORS.len()) {
            None => tma(TENSORS[operation], bits),
            Some(pair) => Some(tma_pair(PAIRS[pair], bits)),
        };
    }
    let (operation, instruction, section, least) = OPERATIONS[index / TYPES.len()];
    let (name, bits) = TYPES[index % TYPES.len()];
    if bits < least || bits > 128 && index / TYPES.len() > 0 {
        return None;
    }
    Some(straight(Name::new(operation).with("<").with(name).with(">"), instruction, section, bits))
}

pub(super) const SIZED: Family = Family {
    prefixes: &[""],
    title: "ld, st, cp.async, TMA",
    count: SIZES + (TENSORS.len() + PAIRS.len()) * BOXES + ASSUMED.len(),
    name: |index| sized(index).map(|atom| atom.name),
    atom: |index| sized(index).map(Atom::Copy),
};

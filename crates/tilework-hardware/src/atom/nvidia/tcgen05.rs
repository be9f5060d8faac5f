//! `tcgen05.mma`, matrix instructions of the tensor core of one SM or of two (SM100), by rule.

use super::super::element::Element::{self, *};
use super::super::family::{Atom, Family};
use super::super::mma::{MmaAtom, Source, expect, flat, thread_value};
use super::super::name::Name;
use super::tmem::LANE;

/// The types of the elements, and how `A` is read: the part of CUTLASS's names after `SM100_MMA_`, without `2x1SM` and
/// the sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// 16-bit floats.
    F16BF16,
    /// 16-bit floats, and `C` multiplied by a power of two.
    F16BF16Scaled,
    /// 16-bit floats, `A` with structured zeros.
    F16BF16Sparse,
    /// TF32.
    TF32,
    /// TF32, `A` with structured zeros.
    TF32Sparse,
    /// 8-bit integers.
    S8,
    /// 8-bit integers, `A` with structured zeros.
    S8Sparse,
    /// Floats of 8, 6 and 4 bits, in 8 bits each.
    F8F6F4,
    /// The same, `A` with structured zeros.
    F8F6F4Sparse,
    /// The same with a scale for each 32 elements.
    MXF8F6F4,
    /// The same, `A` with structured zeros.
    MXF8F6F4Sparse,
    /// Floats of 4 bits with a scale for each 32 elements.
    MXF4,
    /// The same, `A` with structured zeros.
    MXF4Sparse,
    /// Floats of 4 bits with a scale for each 16 elements.
    NVF4,
    /// The same, `A` with structured zeros.
    NVF4Sparse,
    /// As `MXF4`, with a `K` of 96 (SM103).
    MXF4Ultra,
    /// As `NVF4`, with a `K` of 96 (SM103).
    NVF4Ultra,
}

const KINDS: [Kind; 17] = [
    Kind::F16BF16,
    Kind::F16BF16Scaled,
    Kind::F16BF16Sparse,
    Kind::TF32,
    Kind::TF32Sparse,
    Kind::S8,
    Kind::S8Sparse,
    Kind::F8F6F4,
    Kind::F8F6F4Sparse,
    Kind::MXF8F6F4,
    Kind::MXF8F6F4Sparse,
    Kind::MXF4,
    Kind::MXF4Sparse,
    Kind::NVF4,
    Kind::NVF4Sparse,
    Kind::MXF4Ultra,
    Kind::NVF4Ultra,
];

impl Kind {
    const fn sparsity(self) -> i64 {
        match self {
            Kind::F16BF16Sparse
            | Kind::TF32Sparse
            | Kind::S8Sparse
            | Kind::F8F6F4Sparse
            | Kind::MXF8F6F4Sparse
            | Kind::MXF4Sparse
            | Kind::NVF4Sparse => 2,
            _ => 1,
        }
    }

    /// How many elements along `K` one instruction multiplies, if `A` is dense.
    const fn depth(self) -> i64 {
        match self {
            Kind::F16BF16 | Kind::F16BF16Scaled | Kind::F16BF16Sparse => 16,
            Kind::TF32 | Kind::TF32Sparse => 8,
            Kind::MXF4 | Kind::MXF4Sparse | Kind::NVF4 | Kind::NVF4Sparse => 64,
            Kind::MXF4Ultra | Kind::NVF4Ultra => 96,
            _ => 32,
        }
    }

    const fn is_ultra(self) -> bool {
        matches!(self, Kind::MXF4Ultra | Kind::NVF4Ultra)
    }

    const fn name(self, sms: i64, a: Source) -> Name {
        let base = match self {
            Kind::F16BF16 | Kind::F16BF16Scaled | Kind::F16BF16Sparse => "F16BF16",
            Kind::TF32 | Kind::TF32Sparse => "TF32",
            Kind::S8 | Kind::S8Sparse => "S8",
            Kind::F8F6F4 | Kind::F8F6F4Sparse => "F8F6F4",
            Kind::MXF8F6F4 | Kind::MXF8F6F4Sparse => "MXF8F6F4",
            Kind::MXF4 | Kind::NVF4 => "MXF4",
            Kind::MXF4Sparse | Kind::NVF4Sparse => "MXF4NVF4",
            Kind::MXF4Ultra | Kind::NVF4Ultra => "MXF4_ULTRA",
        };
        let prefix = if self.is_ultra() { "SM103::SM103_" } else { "SM100_MMA_" };
        let name = Name::new(prefix).with(base).with(if sms == 2 { "_2x1SM_" } else { "_" });
        let name = name.with(a.letter()).with("S");
        match self {
            Kind::F16BF16Scaled => name.with("_SCALED"),
            _ if self.is_ultra() => name.with("_VS"),
            _ if self.sparsity() == 2 => name.with("_SPARSE"),
            _ => name,
        }
    }

    /// The scales of blocks, and how many elements share one.
    const fn scale(self) -> Option<(&'static str, i64)> {
        match self {
            Kind::MXF8F6F4 | Kind::MXF8F6F4Sparse | Kind::MXF4 | Kind::MXF4Sparse | Kind::MXF4Ultra => {
                Some(("float_ue8m0_t", 32))
            }
            Kind::NVF4 | Kind::NVF4Sparse | Kind::NVF4Ultra => Some(("float_ue4m3_t", 16)),
            _ => None,
        }
    }

    const fn takes(self, elements: [Element; 3]) -> bool {
        let [d, a, b] = elements;
        match self {
            Kind::F16BF16 | Kind::F16BF16Scaled | Kind::F16BF16Sparse => {
                matches!((d, a, b), (F16 | F32, F16, F16) | (F32, BF16, BF16))
            }
            Kind::TF32 | Kind::TF32Sparse => matches!((d, a, b), (F32, TF32, TF32)),
            Kind::S8 | Kind::S8Sparse => matches!((d, a, b), (S32, S8 | U8, S8 | U8)),
            Kind::F8F6F4 | Kind::F8F6F4Sparse => is_narrow(a) && is_narrow(b) && matches!(d, F16 | F32),
            Kind::MXF8F6F4 | Kind::MXF8F6F4Sparse => is_narrow(a) && is_narrow(b) && matches!(d, F32),
            _ => matches!((d, a, b), (F32, E2M1, E2M1)),
        }
    }

    /// Whether there is an instruction of this kind and shape on this number of SMs.
    const fn has(self, m: i64, n: i64, sms: i64, a: Source) -> bool {
        let blocks = self.scale().is_some();
        let memory = match self {
            Kind::F16BF16 | Kind::F16BF16Scaled | Kind::TF32 | Kind::S8 | Kind::F8F6F4 => {
                matches!(a, Source::Shared | Source::TensorMemory)
            }
            _ => matches!(a, Source::Shared),
        };
        let rows = if self.is_ultra() || matches!(self, Kind::MXF4 | Kind::NVF4) {
            m == 128 * sms || m == 128
        } else if blocks {
            m == 128 * sms
        } else {
            m == 64 * sms || m == 128 * sms
        };
        let step = match (sms, self) {
            (1, Kind::S8 | Kind::S8Sparse) if n > 8 => 16,
            (1, _) if self.is_ultra() => 16,
            (1, _) if blocks || m == 64 || matches!(self, Kind::S8 | Kind::S8Sparse) => 8,
            (2, Kind::S8 | Kind::S8Sparse | Kind::F8F6F4Sparse) => 32,
            (2, _) if matches!(a, Source::TensorMemory) => 32,
            (1 | 2, _) => 16,
            _ => return false,
        };
        memory && rows && n >= step && n <= 256 && n % step == 0
    }
}

const fn is_narrow(element: Element) -> bool {
    matches!(element, E4M3 | E5M2 | E3M2 | E2M3 | E2M1)
}

/// `tcgen05.mma` of `M x N` on one SM or on two: `elements` are those of `D`, `A` and `B`, and `K` follows from the kind. The thread of the
/// layouts is the SM: with two, each has half of the rows of `A`, of `B` and of `C`.
///
/// `C` is in tensor memory, at the addresses that [`tcgen05_ld`](super::tcgen05_ld) reads; the layout of an atom gives
/// only the elements that the instruction computes.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::atom::{Element::*, Source, nvidia::{Kind, tcgen05_mma}};
/// let atom = tcgen05_mma(Kind::F16BF16, 256, 128, 2, [F32, F16, F16], Source::Shared).unwrap();
/// assert_eq!(&*atom.name, "SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,float,256,128>");
/// assert_eq!(atom.a, layout!((2,(128,16)):(128,(1,256))));
/// ```
///
/// None if there is no such instruction.
#[must_use]
pub const fn tcgen05_mma(
    kind: Kind,
    m: i64,
    n: i64,
    sms: i64,
    elements: [Element; 3],
    a: Source,
) -> Option<MmaAtom> {
    let Some(name) = name(kind, m, n, sms, elements, a) else { return None };
    let k = kind.depth() * kind.sparsity();
    let [d, left, right] = elements;
    const fn half(rows: i64, columns: i64, sms: i64) -> tilework::Layout {
        thread_value(&[(sms, if sms == 1 { 0 } else { rows / 2 })], &[(rows / sms, 1), (columns, rows)])
    }
    Some(MmaAtom {
        name,
        instruction: "tcgen05.mma",
        section: "PTX ISA, TensorCore 5th generation, matrix shapes and data movement shapes",
        shape: [m, n, k],
        elements: [d, left, right, d],
        sparsity: kind.sparsity(),
        threads: if sms == 1 { flat(&[]) } else { flat(&[(2, 1)]) },
        a: half(m, k, sms),
        b: half(n, k, sms),
        c: half(m, n, sms),
        ..MmaAtom::DENSE
    })
}

/// The place of the scales of `A`, or of `B`, of `tcgen05.mma` in tensor memory: from `((row,copy),(element,block))` to
/// bytes; a lane has 2^18 bytes. Row `r` of `A` (column of `B`) is in lane `r mod 32`, four bytes further for each 32
/// rows, and all four warps' lanes have a copy; the scales of further blocks are in further bytes.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::atom::nvidia::{Kind, tcgen05_scales};
/// // 128 rows, four blocks of 16 elements each.
/// let scales = tcgen05_scales(Kind::NVF4, 128).unwrap();
/// assert_eq!(scales, layout!((((32,4),4),(16,4)):(((262144,4),8388608),(0,1))));
/// ```
///
/// None for kinds without scales and those of SM103, and for rows that are not 32, 64, 96 .. 256. With two SMs and `M`
/// = 128, the layout of `B` differs.
#[must_use]
pub const fn tcgen05_scales(kind: Kind, rows: i64) -> Option<tilework::Layout> {
    let Some((_, block)) = kind.scale() else { return None };
    if kind.is_ultra() || rows < 32 || rows > 256 || rows % 32 != 0 {
        return None;
    }
    let lane = LANE / 8;
    // For sparse operands a scale belongs to a block of stored elements.
    let block = block * kind.sparsity();
    let blocks = kind.depth() * kind.sparsity() / block;
    let row = flat(&[(32, lane), (rows / 32, 4)]);
    let rows = expect(tilework::Layout::concatenate(&[row, flat(&[(4, 32 * lane)])]));
    let columns = flat(&[(block, 0), (blocks, 1)]);
    Some(expect(tilework::Layout::concatenate(&[rows, columns])))
}

const fn name(kind: Kind, m: i64, n: i64, sms: i64, elements: [Element; 3], a: Source) -> Option<Name> {
    if !kind.has(m, n, sms, a) || !kind.takes(elements) {
        return None;
    }
    let [d, left, right] = elements;
    let name =
        kind.name(sms, a).with("<").with(left.cpp()).with(",").with(right.cpp()).with(",").with(d.cpp());
    let scaled = match kind.scale() {
        Some((scale, _)) => name.with(",").with(scale),
        None => name,
    };
    let sized = scaled.with(",").with_int(m).with(",").with_int(n);
    let blocked = match kind.scale() {
        Some((_, block)) if !matches!(kind, Kind::MXF8F6F4 | Kind::MXF8F6F4Sparse) => {
            sized.with(",").with_int(block * kind.sparsity())
        }
        _ => sized,
    };
    Some(blocked.with(">"))
}

const INPUTS: [Element; 10] = [F16, BF16, TF32, S8, U8, E4M3, E5M2, E3M2, E2M3, E2M1];
const OUTPUTS: [Element; 3] = [F16, F32, S32];

/// The elements that each kind takes.
const TAKEN: [(Kind, [Element; 3]); 175] = {
    let mut taken = [(Kind::TF32, [F32, TF32, TF32]); 175];
    let (mut count, mut i) = (0, 0);
    while i < 300 * KINDS.len() {
        let elements = [OUTPUTS[i % 3], INPUTS[i / 3 % 10], INPUTS[i / 30 % 10]];
        if KINDS[i / 300].takes(elements) {
            taken[count] = (KINDS[i / 300], elements);
            count += 1;
        }
        i += 1;
    }
    assert!(count == taken.len());
    taken
};

/// The arguments of the rule in the order of the list; not all belong to an instruction.
const fn arguments(index: usize) -> (Kind, i64, i64, i64, [Element; 3], Source) {
    let n = (index % 32) as i64 * 8 + 8;
    let rest = index / 32;
    let (sms, m) = ((rest % 2) as i64 + 1, [64, 128, 256][rest / 2 % 3]);
    let source = if (rest / 6).is_multiple_of(2) { Source::Shared } else { Source::TensorMemory };
    let (kind, elements) = TAKEN[rest / 12];
    (kind, m, n, sms, elements, source)
}

pub(super) const FAMILY: Family = Family {
    prefixes: &["SM10"],
    title: "tcgen05.mma",
    count: 32 * 12 * TAKEN.len(),
    name: |index| {
        let (kind, m, n, sms, elements, source) = arguments(index);
        name(kind, m, n, sms, elements, source)
    },
    atom: |index| {
        let (kind, m, n, sms, elements, source) = arguments(index);
        tcgen05_mma(kind, m, n, sms, elements, source).map(Atom::Mma)
    },
};

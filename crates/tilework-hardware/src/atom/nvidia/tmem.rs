//! Copies between tensor memory, registers and shared memory: `tcgen05.ld`, `tcgen05.st`, `tcgen05.cp` (SM100).

use tilework::Layout;

use super::super::copy::{CopyAtom, Side};
use super::super::family::{Atom, Family};
use super::super::mma::{expect, flat, thread_value};
use super::super::name::Name;
use super::warp::WARP;

/// From one lane of tensor memory to the next, in bits: bits 31 to 16 of an address are the lane, the lower ones the
/// column of 32 bits.
///
/// The paper's table in section 3.4.4 has 16384 columns, a quarter of these.
pub(crate) const LANE: i64 = 32 << 16;

/// The lanes and columns that an instruction accesses, and the threads that hold them: `16dp64b` in CUTLASS is
/// `.16x64b` in PTX.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TmemShape {
    /// 16 lanes; 32 columns twice, `.16x32bx2`.
    Lanes16Bits32,
    /// 16 lanes, `.16x64b`.
    Lanes16Bits64,
    /// 16 lanes, `.16x128b`.
    Lanes16Bits128,
    /// 16 lanes, `.16x256b`.
    Lanes16Bits256,
    /// 32 lanes, `.32x32b`.
    Lanes32Bits32,
}

/// The registers that one instruction copies, and their contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TmemAccess {
    /// Lanes and bits.
    pub shape: TmemShape,
    /// The number of repetitions along the columns: 1, 2, 4, up to 128 registers of a thread.
    pub repeat: i64,
    /// Whether the columns hold 16 bits each, two of them packed in a register.
    pub packed: bool,
}

impl TmemShape {
    const fn lanes(self) -> i64 {
        if matches!(self, TmemShape::Lanes32Bits32) { 32 } else { 16 }
    }

    /// The bits of a lane in one repetition.
    const fn bits(self) -> i64 {
        match self {
            TmemShape::Lanes32Bits32 => 32,
            TmemShape::Lanes16Bits32 | TmemShape::Lanes16Bits64 => 64,
            TmemShape::Lanes16Bits128 => 128,
            TmemShape::Lanes16Bits256 => 256,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            TmemShape::Lanes16Bits32 => "16dp32b",
            TmemShape::Lanes16Bits64 => "16dp64b",
            TmemShape::Lanes16Bits128 => "16dp128b",
            TmemShape::Lanes16Bits256 => "16dp256b",
            TmemShape::Lanes32Bits32 => "32dp32b",
        }
    }
}

impl TmemAccess {
    const fn is_valid(self) -> bool {
        let registers = self.shape.bits() * self.repeat * self.shape.lanes() / 1024;
        self.repeat >= 1 && self.repeat & (self.repeat - 1) == 0 && registers <= 128
    }

    const fn name(self, operation: &str) -> Name {
        let name = Name::new(operation).with(self.shape.name()).with_int(self.repeat).with("x");
        if self.packed { name.with("_16b") } else { name }
    }

    /// `(thread,value) -> bit`, the bits numbered along a lane first.
    const fn registers(self) -> Layout {
        let n = self.repeat;
        let lane = self.shape.bits() * n;
        match (self.shape, n) {
            (TmemShape::Lanes32Bits32, _) => thread_value(&[(32, lane)], &[(lane, 1)]),
            (TmemShape::Lanes16Bits32, _) => thread_value(&[(16, lane), (2, lane / 2)], &[(lane / 2, 1)]),
            (TmemShape::Lanes16Bits64, 1) => thread_value(&[(2, 8 * lane), (2, 32), (8, lane)], &[(32, 1)]),
            (TmemShape::Lanes16Bits64, _) => {
                thread_value(&[(2, 8 * lane), (2, 32), (8, lane)], &[(32, 1), (n, 64)])
            }
            (TmemShape::Lanes16Bits128, 1) => thread_value(&[(4, 32), (8, lane)], &[(32, 1), (2, 8 * lane)]),
            (TmemShape::Lanes16Bits128, _) => {
                thread_value(&[(4, 32), (8, lane)], &[(32, 1), (2, 8 * lane), (n, 128)])
            }
            (TmemShape::Lanes16Bits256, 1) => thread_value(&[(4, 64), (8, lane)], &[(64, 1), (2, 8 * lane)]),
            (TmemShape::Lanes16Bits256, _) => {
                thread_value(&[(4, 64), (8, lane)], &[(64, 1), (2, 8 * lane), (n, 256)])
            }
        }
    }

    /// All bits, distributed over the threads of a warp.
    const fn bits(self) -> Layout {
        thread_value(&[(32, 0)], &[(self.shape.bits() * self.repeat * self.shape.lanes(), 1)])
    }

    /// From bits to tensor memory.
    const fn memory(self) -> Layout {
        let (lane, lanes) = (self.shape.bits() * self.repeat, self.shape.lanes());
        let columns = if self.packed { flat(&[(16, 1), (lane / 16, 32)]) } else { flat(&[(lane, 1)]) };
        expect(Layout::concatenate(&[columns, flat(&[(lanes, LANE)])]))
    }
}

const MANUAL: &str = "PTX ISA, TensorCore 5th generation, data movement shapes";

/// `tcgen05.ld`, by one warp: from the 32 lanes that the warp can reach.
///
/// ```
/// use tilework_hardware::atom::nvidia::{TmemAccess, TmemShape, tcgen05_ld};
/// let load = tcgen05_ld(TmemAccess { shape: TmemShape::Lanes16Bits256, repeat: 1, packed: false }).unwrap();
/// assert_eq!(&*load.name, "SM100_TMEM_LOAD_16dp256b1x");
/// assert_eq!(load.dst.to_string(), "((4,8),(64,2)):((64,256),(1,2048))");
/// // In words of 32 bits: 8 columns of 16 lanes.
/// assert_eq!(load.memory.unwrap().upcast(32).unwrap().to_string(), "(8,16):(1,65536)");
/// ```
///
/// None for a repetition that is not a power of two, or that needs more than 128 registers.
#[must_use]
pub const fn tcgen05_ld(access: TmemAccess) -> Option<CopyAtom> {
    if !access.is_valid() {
        return None;
    }
    Some(CopyAtom {
        name: access.name("SM100_TMEM_LOAD_"),
        instruction: "tcgen05.ld",
        section: MANUAL,
        threads: WARP,
        src: access.bits(),
        dst: access.registers(),
        reference: Side::Source,
        memory: Some(access.memory()),
    })
}

/// `tcgen05.st`: [`tcgen05_ld`] in the other direction.
#[must_use]
pub const fn tcgen05_st(access: TmemAccess) -> Option<CopyAtom> {
    let Some(load) = tcgen05_ld(access) else { return None };
    Some(CopyAtom {
        name: access.name("SM100_TMEM_STORE_"),
        instruction: "tcgen05.st",
        src: load.dst,
        dst: load.src,
        reference: Side::Destination,
        ..load
    })
}

const SHAPES: [TmemShape; 5] = [
    TmemShape::Lanes16Bits256,
    TmemShape::Lanes16Bits128,
    TmemShape::Lanes16Bits64,
    TmemShape::Lanes16Bits32,
    TmemShape::Lanes32Bits32,
];

const fn access(index: usize) -> TmemAccess {
    TmemAccess { shape: SHAPES[index / 16 % 5], repeat: 1 << (index / 2 % 8), packed: index % 2 == 1 }
}

const fn load_or_store(index: usize) -> Option<CopyAtom> {
    if index < 80 { tcgen05_ld(access(index)) } else { tcgen05_st(access(index - 80)) }
}

pub(super) const LOADS_AND_STORES: Family = Family {
    prefixes: &["SM100_"],
    title: "tcgen05.ld, tcgen05.st",
    count: 160,
    name: |index| {
        let access = access(index % 80);
        access
            .is_valid()
            .then(|| access.name(if index < 80 { "SM100_TMEM_LOAD_" } else { "SM100_TMEM_STORE_" }))
    },
    atom: |index| load_or_store(index).map(Atom::Copy),
};

const TENSOR_COPIES: [&str; 6] =
    ["128dp256bit", "128dp128bit", "4dp256bit", "4x32dp128bit", "2x64dp128bitlw0213", "2x64dp128bitlw0123"];

/// `tcgen05.cp`, from shared to tensor memory: `shape` as in CUTLASS, for one SM or for two, each of which copies to
/// its own tensor memory.
///
/// ```
/// use tilework_hardware::atom::nvidia::tcgen05_cp;
/// // 32 lanes are copied to each quarter of the lanes.
/// let copy = tcgen05_cp("4x32dp128bit", 1).unwrap();
/// assert_eq!(copy.src.to_string(), "(1,(32,128,4)):(0,(1,32,0))");
/// ```
///
/// None for an unknown shape.
#[must_use]
pub const fn tcgen05_cp(shape: &str, sms: i64) -> Option<CopyAtom> {
    let mut index = 0;
    while index < TENSOR_COPIES.len() {
        if same(TENSOR_COPIES[index], shape) && (sms == 1 || sms == 2) {
            return Some(tensor_copy(index, sms));
        }
        index += 1;
    }
    None
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

const fn tensor_copy(index: usize, sms: i64) -> CopyAtom {
    let threads = [(sms, 0)];
    // The source and the destination, in bits of each SM; and the lanes and columns of these bits.
    let (src, dst, memory) = match index {
        0 => (thread_value(&threads, &[(32768, 1)]), None, flat(&[(128, LANE), (256, 1)])),
        1 => (thread_value(&threads, &[(16384, 1)]), None, flat(&[(128, LANE), (128, 1)])),
        2 => (thread_value(&threads, &[(4, 32), (256, 128)]), None, flat(&[(128, LANE), (256, 1)])),
        3 => (
            thread_value(&threads, &[(32, 1), (128, 32), (4, 0)]),
            Some(thread_value(&threads, &[(16384, 1)])),
            flat(&[(32, LANE), (128, 1), (4, 32 * LANE)]),
        ),
        4 => (
            thread_value(&threads, &[(64, 1), (128, 64), (2, 0)]),
            Some(thread_value(&threads, &[(16384, 1)])),
            flat(&[(64, LANE), (128, 1), (2, 64 * LANE)]),
        ),
        _ => (
            thread_value(&threads, &[(32, 1), (128, 32), (2, 4096), (2, 0)]),
            Some(thread_value(&threads, &[(16384, 1)])),
            flat(&[(32, LANE), (128, 1), (2, 64 * LANE), (2, 32 * LANE)]),
        ),
    };
    CopyAtom {
        name: Name::new("SM100_UTCCP_").with(TENSOR_COPIES[index]).with(if sms == 1 {
            "_1cta"
        } else {
            "_2cta"
        }),
        instruction: "tcgen05.cp",
        section: MANUAL,
        threads: if sms == 1 { flat(&[]) } else { flat(&[(2, 1)]) },
        src,
        dst: match dst {
            Some(dst) => dst,
            None => src,
        },
        reference: Side::Destination,
        memory: Some(memory),
    }
}

pub(super) const COPIES: Family = Family {
    prefixes: &["SM100_"],
    title: "tcgen05.cp",
    count: 12,
    name: |index| Some(tensor_copy(index / 2, index as i64 % 2 + 1).name),
    atom: |index| Some(Atom::Copy(tensor_copy(index / 2, index as i64 % 2 + 1))),
};

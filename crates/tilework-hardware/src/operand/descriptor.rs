//! The descriptor of a legal operand.

use super::illegal::Illegal;
use super::matrix::Instruction;
use super::mode::Mode;
use alloc::vec::Vec;
use core::fmt;

/// A legal operand: the fields of its descriptor, and the start of the part of each instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Operand {
    /// The instruction that reads it.
    pub instruction: Instruction,
    /// The swizzling mode.
    pub mode: Mode,
    /// The leading dimension byte offset (LBO), in units of 16 bytes; 0 if nothing is repeated along it.
    pub leading: u32,
    /// The stride dimension byte offset (SBO), in units of 16 bytes; 0 if nothing is repeated along it.
    pub stride: u32,
    /// The start of the columns of each instruction along K, in units of 16 bytes: it is added to the start address.
    pub starts: Vec<u32>,
    /// Whether the elements of 8 bits have to be floating point numbers: integers do not have this N.
    pub floats_only: bool,
}

impl Operand {
    /// The required alignment of the tile's address, in bytes: the period of the swizzle, and 16 without one, the unit of
    /// a descriptor's address.
    #[must_use]
    pub const fn base(&self) -> u32 {
        self.mode.base()
    }

    /// Checks that the address of the tile has the alignment that the mode needs.
    ///
    /// # Errors
    /// [`Illegal::Base`].
    pub const fn check_base(&self, align: u32) -> Result<(), Illegal> {
        Illegal::check_base(align, self.base())
    }

    /// The bits of the descriptor for a start address, in bytes.
    #[must_use]
    pub const fn descriptor(&self, address: u32) -> u64 {
        let mode = match (self.instruction, self.mode) {
            (_, Mode::None) => 0,
            (Instruction::Wgmma, Mode::B128 | Mode::B128Base32) => 1 << 62,
            (Instruction::Wgmma, Mode::B64) => 2 << 62,
            (Instruction::Wgmma, Mode::B32) => 3 << 62,
            (Instruction::Tcgen05, Mode::B128Base32) => 1 << 61,
            (Instruction::Tcgen05, Mode::B128) => 2 << 61,
            (Instruction::Tcgen05, Mode::B64) => 4 << 61,
            (Instruction::Tcgen05, Mode::B32) => 6 << 61,
        };
        let version = if matches!(self.instruction, Instruction::Tcgen05) { 1 << 46 } else { 0 };
        let address = address as u64 >> 4 & FIELD as u64;
        address | (self.leading as u64) << 16 | (self.stride as u64) << 32 | version | mode
    }
}

/// The bits of a field of a descriptor.
pub(super) const FIELD: i64 = 0x3fff;

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operand { mode, leading, stride, .. } = self;
        write!(f, "{mode}, LBO {leading}, SBO {stride}, base {}", self.base())?;
        f.write_str(if self.floats_only { "; N of integers is a multiple of 16 beyond 32" } else { "" })
    }
}

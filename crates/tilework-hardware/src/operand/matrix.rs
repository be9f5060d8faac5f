//! Shared operands of `wgmma` and `tcgen05.mma`: which elements and extents the instructions take.

use super::illegal::Illegal;
use super::mode::Mode;
use core::fmt;
use tilework::Error;

/// An instruction that reads matrices from shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// `wgmma.mma_async` of SM90.
    Wgmma,
    /// `tcgen05.mma` of SM100.
    Tcgen05,
}

/// Which factor of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The factor with M rows.
    A,
    /// The factor with N rows.
    B,
}

/// The mode along which an operand is contiguous.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Major {
    /// Along K.
    K,
    /// Along M or N.
    MN,
}

/// Which shared operand of which instruction, such as `wgmma.a.k`: a tile of two modes, M or N, and K.
///
/// ```
/// use tilework::{Composed, Swizzle, layout};
/// use tilework_hardware::operand::{Illegal, Matrix};
/// let tile = Composed::new(Swizzle::new(3, 3, 3)?, 0, layout!((96,64):(64,1)))?;
/// // N of 96 is legal, and M is not.
/// let b = Matrix::find("wgmma.b.k").unwrap();
/// assert_eq!(b.operand(&tile, 16)?.to_string(), "128-byte swizzle, LBO 1, SBO 64, base 1024");
/// let a = Matrix::find("wgmma.a.k").unwrap();
/// assert_eq!(a.operand(&tile, 16).unwrap_err().to_string(), "M is 96, and has to be a multiple of 64");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matrix {
    /// The instruction.
    pub instruction: Instruction,
    /// The factor.
    pub side: Side,
    /// The contiguous mode.
    pub major: Major,
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The most coordinates along a mode.
const LIMIT: i64 = 1 << 20;

impl Matrix {
    /// All of them.
    pub const ALL: [Matrix; 8] = {
        let (mut all, mut i) = ([Matrix::new(Instruction::Wgmma, Side::A, Major::K); 8], 0);
        while i < 8 {
            let instruction = if i < 4 { Instruction::Wgmma } else { Instruction::Tcgen05 };
            let side = if i % 4 < 2 { Side::A } else { Side::B };
            all[i] = Matrix::new(instruction, side, if i % 2 == 0 { Major::K } else { Major::MN });
            i += 1;
        }
        all
    };

    /// An operand.
    #[must_use]
    pub const fn new(instruction: Instruction, side: Side, major: Major) -> Matrix {
        Matrix { instruction, side, major }
    }

    /// The name, such as `tcgen05.b.mn`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        let names = match (self.instruction, self.side) {
            (Instruction::Wgmma, Side::A) => ["wgmma.a.k", "wgmma.a.mn"],
            (Instruction::Wgmma, Side::B) => ["wgmma.b.k", "wgmma.b.mn"],
            (Instruction::Tcgen05, Side::A) => ["tcgen05.a.k", "tcgen05.a.mn"],
            (Instruction::Tcgen05, Side::B) => ["tcgen05.b.k", "tcgen05.b.mn"],
        };
        names[self.major as usize]
    }

    /// The operand of this name.
    ///
    /// ```
    /// use tilework_hardware::operand::{Major, Matrix};
    /// let b = Matrix::find("tcgen05.b.mn").unwrap();
    /// assert_eq!((b.major, b.name()), (Major::MN, "tcgen05.b.mn"));
    /// assert_eq!(Matrix::find("wgmma"), None);
    /// ```
    #[must_use]
    pub fn find(name: &str) -> Option<Matrix> {
        Matrix::ALL.into_iter().find(|matrix| matrix.name() == name)
    }

    /// The bits of the elements that the instruction takes. PTX ISA, `wgmma.mma_async`: types, and the transposition of
    /// 16-bit ones alone; `tcgen05.mma`: kinds, and the transposition of all but `mxf4` and `mxf4nvf4`, the only ones
    /// whose elements of 4 bits are packed in shared memory.
    const fn bits(self) -> &'static [u32] {
        match (self.instruction, self.major) {
            (Instruction::Wgmma, Major::K) => &[1, 8, 16, 32],
            (Instruction::Wgmma, Major::MN) => &[16],
            (Instruction::Tcgen05, Major::K) => &[4, 8, 16, 32],
            (Instruction::Tcgen05, Major::MN) => &[8, 16, 32],
        }
    }

    /// The swizzling modes of elements of this width. PTX ISA, `tcgen05.mma`, swizzling modes of transposed operands;
    /// CUTLASS, `sm100_common.inl`, `sm100_smem_selector`.
    pub(super) const fn modes(self, bits: u32) -> &'static [Mode] {
        match (self.instruction, self.major, bits) {
            (Instruction::Tcgen05, Major::MN, 32) => &[Mode::B128Base32],
            _ => &Mode::ALL,
        }
    }

    /// Whether the instruction takes these extents and elements. M: `wgmma` has 64 rows; `tcgen05.mma` has 64 or 128 of
    /// one CTA. N: multiples of 8 up to 256; of integers, of 1 or 8 bits, multiples of 16 beyond 32. PTX ISA,
    /// `wgmma.mma_async` and `tcgen05.mma`, shapes; CUTLASS, `mma_sm90_gmma.hpp`, `mma_sm100_umma.hpp`.
    pub(super) fn check(self, mn: i64, k: i64, bits: u32) -> Result<(), Illegal> {
        if !self.bits().contains(&bits) {
            return Err(Illegal::Element { operand: self.name(), bits, taken: self.bits() });
        }
        let (name, multiple, most) = match self.side {
            Side::A => ("M", 64, None),
            Side::B if bits == 1 && mn > 32 => ("N", 16, Some(256)),
            Side::B => ("N", 8, Some(256)),
        };
        if mn < 1 || mn % multiple != 0 || most.is_some_and(|most| mn > most) {
            return Err(Illegal::Extent { name, extent: mn, multiple, most });
        }
        let multiple = 2 * piece(bits);
        if k < 1 || k % multiple != 0 {
            return Err(Illegal::Extent { name: "K", extent: k, multiple, most: None });
        }
        if mn > LIMIT || k > LIMIT {
            let what = "elements of an operand along a mode";
            return Err(Error::Capacity { what, limit: LIMIT as usize }.into());
        }
        Ok(())
    }
}

/// The number of elements in 16 bytes.
pub(super) const fn piece(bits: u32) -> i64 {
    128 / bits as i64
}

//! The swizzling modes of shared memory.

use core::fmt;
use tilework::{Codomain, Error, HasLayout, Swizzle};

/// How pieces of a row are XORed with the number of the row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mode {
    /// No swizzle.
    None,
    /// Pieces of 16 bytes in 32.
    B32,
    /// Pieces of 16 bytes in 64.
    B64,
    /// Pieces of 16 bytes in 128.
    B128,
    /// Pieces of 32 bytes in 128, for `tcgen05` and MN-major operands.
    B128Base32,
}

impl Mode {
    /// The modes of pieces of 16 bytes, the narrowest first.
    pub const ALL: [Mode; 4] = [Mode::None, Mode::B32, Mode::B64, Mode::B128];

    /// The bytes of a row.
    ///
    /// ```
    /// use tilework_hardware::operand::Mode;
    /// assert_eq!((Mode::B64.bytes(), Mode::B64.base()), (64, 512));
    /// ```
    #[must_use]
    pub const fn bytes(self) -> i64 {
        match self {
            Mode::None => 16,
            Mode::B32 => 32,
            Mode::B64 => 64,
            Mode::B128 | Mode::B128Base32 => 128,
        }
    }

    /// The mode whose swizzle a layout has, unless it is written with XOR strides.
    pub(super) fn of(tile: &impl HasLayout, bits: u32) -> Option<Mode> {
        let own = tile.swizzled().map_or(Swizzle::NONE, |composed| composed.swizzle());
        let own = if own.bits() == 0 { Swizzle::NONE } else { own };
        let modes = [Mode::None, Mode::B32, Mode::B64, Mode::B128, Mode::B128Base32];
        let plain = tile.as_layout().codomain() == Codomain::Integer;
        modes.into_iter().find(|mode| plain && mode.swizzle(bits) == Ok(own))
    }

    /// The rows after which the pattern repeats.
    pub(super) const fn rows(self) -> i64 {
        if matches!(self, Mode::B128Base32) { 4 } else { 8 }
    }

    /// The required alignment of a tile's address, in bytes: the period of the swizzle; without one, a piece.
    #[must_use]
    pub const fn base(self) -> u32 {
        match self {
            Mode::None => 16,
            Mode::B32 => 256,
            Mode::B64 => 512,
            Mode::B128 | Mode::B128Base32 => 1024,
        }
    }

    /// The swizzle of offsets, in elements of `bits`, a power of two up to 128.
    ///
    /// ```
    /// use tilework_hardware::operand::Mode;
    /// assert_eq!(Mode::B128.swizzle(16)?.to_string(), "Sw<3,3,3>");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for other elements.
    pub const fn swizzle(self, bits: u32) -> Result<Swizzle, Error> {
        if !bits.is_power_of_two() || bits > 128 {
            let expected = "elements of 1, 2, 4, .. 128 bits";
            return Err(Error::Argument { operation: "a swizzling mode", expected, found: bits as i64 });
        }
        let element = bits.trailing_zeros() as i64;
        match self {
            Mode::None => Ok(Swizzle::NONE),
            Mode::B32 => Swizzle::new(1, 7 - element, 3),
            Mode::B64 => Swizzle::new(2, 7 - element, 3),
            Mode::B128 => Swizzle::new(3, 7 - element, 3),
            Mode::B128Base32 => Swizzle::new(2, 8 - element, 2),
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::None => "no swizzle",
            Mode::B32 => "32-byte swizzle",
            Mode::B64 => "64-byte swizzle",
            Mode::B128 => "128-byte swizzle",
            Mode::B128Base32 => "128-byte swizzle of 32-byte pieces",
        })
    }
}

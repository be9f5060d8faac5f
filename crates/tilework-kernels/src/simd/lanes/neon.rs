//! Lanes of NEON.

use super::Lanes;
use std::arch::aarch64::*;

/// Alternating elements, by the instructions for elements of 1, 2, 4 and 8 bytes.
macro_rules! zip {
    ($name:ident: $of_1:ident, $of_2:ident, $of_4:ident, $of_8:ident) => {
        #[inline(always)]
        unsafe fn $name<const W: usize>(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            // SAFETY: the processor has NEON.
            unsafe {
                match W {
                    1 => $of_1(a, b),
                    2 => vreinterpretq_u8_u16($of_2(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b))),
                    4 => vreinterpretq_u8_u32($of_4(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b))),
                    _ => vreinterpretq_u8_u64($of_8(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b))),
                }
            }
        }
    };
}

/// One lane of NEON.
#[derive(Clone, Copy)]
pub(crate) struct Neon;

// SAFETY: a line is four registers of 16 bytes.
unsafe impl Lanes for Neon {
    const LANES: usize = 1;
    type Register = uint8x16_t;
    type Line = [uint8x16_t; 4];

    #[inline(always)]
    unsafe fn zero() -> uint8x16_t {
        // SAFETY: the processor has NEON.
        unsafe { vdupq_n_u8(0) }
    }

    #[inline(always)]
    unsafe fn load(at: [*const u8; 4]) -> uint8x16_t {
        // SAFETY: the processor has NEON, and the first pointer is valid for reads of 16 bytes.
        unsafe { vld1q_u8(at[0]) }
    }

    zip!(zip_low: vzip1q_u8, vzip1q_u16, vzip1q_u32, vzip1q_u64);
    zip!(zip_high: vzip2q_u8, vzip2q_u16, vzip2q_u32, vzip2q_u64);

    #[inline(always)]
    fn line(parts: [uint8x16_t; 4]) -> Self::Line {
        parts
    }
}

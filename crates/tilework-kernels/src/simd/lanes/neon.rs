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
    unsafe fn load(from: *const u8) -> uint8x16_t {
        // SAFETY: the processor has NEON, and the pointer is valid for reads of 16 bytes.
        unsafe { vld1q_u8(from) }
    }

    zip!(zip_low: vzip1q_u8, vzip1q_u16, vzip1q_u32, vzip1q_u64);
    zip!(zip_high: vzip2q_u8, vzip2q_u16, vzip2q_u32, vzip2q_u64);

    #[inline(always)]
    unsafe fn move_lanes([a, b, c, d]: [Self::Line; 4]) -> [Self::Line; 4] {
        [
            [a[0], b[0], c[0], d[0]],
            [a[1], b[1], c[1], d[1]],
            [a[2], b[2], c[2], d[2]],
            [a[3], b[3], c[3], d[3]],
        ]
    }
}

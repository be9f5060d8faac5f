//! Lanes of NEON.

use super::Lanes;
use std::arch::aarch64::*;

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

    #[inline(always)]
    unsafe fn zip_low<const W: usize>(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: the processor has NEON.
        unsafe {
            match W {
                1 => vzip1q_u8(a, b),
                2 => vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b))),
                4 => vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b))),
                _ => vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b))),
            }
        }
    }

    #[inline(always)]
    unsafe fn zip_high<const W: usize>(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: the processor has NEON.
        unsafe {
            match W {
                1 => vzip2q_u8(a, b),
                2 => vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b))),
                4 => vreinterpretq_u8_u32(vzip2q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b))),
                _ => vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b))),
            }
        }
    }

    #[inline(always)]
    fn line(parts: [uint8x16_t; 4]) -> Self::Line {
        parts
    }
}

//! NEON with dot products of four `i8` in a lane. The instruction is written as assembly because its intrinsic is not
//! stable.

use super::neon::transpose_i32;
use super::portable::quad;
use super::{MAX_STEP, Pack, Vector};
use std::arch::aarch64::*;
use std::arch::asm;

/// # Safety
/// The processor has the dot products.
#[inline(always)]
unsafe fn dot(mut sum: int32x4_t, a: int32x4_t, b: int32x4_t) -> int32x4_t {
    // SAFETY: the processor has the instruction, which accesses registers only.
    unsafe {
        asm!("sdot {0:v}.4s, {1:v}.16b, {2:v}.16b", inout(vreg) sum, in(vreg) a, in(vreg) b,
            options(pure, nomem, nostack, preserves_flags));
    }
    sum
}

vector! {
    Quads(int32x4_t): 4 i32;
    splat vdupq_n_s32, load vld1q_s32, store vst1q_s32;
    mul vmulq_s32, transpose transpose_i32;
    fma_packed |sum, a, b| dot(sum, a, b);
    mul_add |value, scale, added| vmlaq_s32(added, value, scale);
}
pack_several! {
    Quads from 4 i8;
    lane |elements| quad(elements);
    join |lane, element, at| lane | i32::from(element as u8) << (8 * at);
    across |from| Self::load([0, 1, 2, 3].map(|i| quad(from.map(|from| *from.add(i)))).as_ptr());
    along |first| Self::load(first.cast());
}

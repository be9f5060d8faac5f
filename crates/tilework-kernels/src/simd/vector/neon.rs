//! NEON: 32 registers of 16 bytes.

use super::portable::pair;
use super::{MAX_STEP, Narrow, Pack, Vector};
use half::{bf16, f16};
use std::arch::aarch64::*;

#[inline(always)]
unsafe fn transpose_f64(rows: [float64x2_t; 2]) -> [float64x2_t; 2] {
    // SAFETY: the processor has NEON.
    unsafe { [vtrn1q_f64(rows[0], rows[1]), vtrn2q_f64(rows[0], rows[1])] }
}

#[inline(always)]
unsafe fn transpose_f32(rows: [float32x4_t; 4]) -> [float32x4_t; 4] {
    // SAFETY: the processor has NEON.
    unsafe {
        let even = [0, 2].map(|i| vreinterpretq_f64_f32(vtrn1q_f32(rows[i], rows[i + 1])));
        let odd = [0, 2].map(|i| vreinterpretq_f64_f32(vtrn2q_f32(rows[i], rows[i + 1])));
        let ([a, c], [b, d]) = (transpose_f64(even), transpose_f64(odd));
        [a, b, c, d].map(|row| vreinterpretq_f32_f64(row))
    }
}

#[inline(always)]
pub(super) unsafe fn transpose_i32(rows: [int32x4_t; 4]) -> [int32x4_t; 4] {
    // SAFETY: the processor has NEON.
    unsafe { transpose_f32(rows.map(|row| vreinterpretq_f32_s32(row))).map(|row| vreinterpretq_s32_f32(row)) }
}

vector! {
    F32(float32x4_t): 4 f32;
    splat vdupq_n_f32, load vld1q_f32, store vst1q_f32;
    mul vmulq_f32, transpose transpose_f32;
    mul_add |value, scale, added| vfmaq_f32(added, value, scale);
}
vector! {
    F64(float64x2_t): 2 f64;
    splat vdupq_n_f64, load vld1q_f64, store vst1q_f64;
    mul vmulq_f64, transpose transpose_f64;
    mul_add |value, scale, added| vfmaq_f64(added, value, scale);
}
vector! {
    I32(int32x4_t): 4 i32;
    splat vdupq_n_s32, load vld1q_s32, store vst1q_s32;
    mul vmulq_s32, transpose transpose_i32;
    fma_packed |sum, a, b| {
        let (a, b) = (vreinterpretq_s16_s32(a), vreinterpretq_s16_s32(b));
        let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
        vaddq_s32(sum, vpaddq_s32(low, vmull_high_s16(a, b)))
    };
    mul_add |value, scale, added| vmlaq_s32(added, value, scale);
}

pack_one! {
    F32 from f32: |from| Self::load(from);
    F64 from f64: |from| Self::load(from);
    F32 from f16: |from| Self::load([0, 1, 2, 3].map(|i| f32::from(*from.add(i))).as_ptr());
    F32 from bf16: |from| F32(vreinterpretq_f32_u32(vshll_n_u16::<16>(vld1_u16(from.cast()))));
}
narrow! {
    F32 to f16: |value, to| {
        let mut lanes = [0.0; 4];
        F32(value).store(lanes.as_mut_ptr());
        to.cast::<[f16; 4]>().write_unaligned(lanes.map(f16::from_f32));
    };
    F32 to bf16: |value, to| {
        let bits = vreinterpretq_u32_f32(value);
        let is_odd = vandq_u32(vshrq_n_u32::<16>(bits), vdupq_n_u32(1));
        let rounded = vaddq_u32(bits, vaddq_u32(is_odd, vdupq_n_u32(0x7FFF)));
        let quiet = vorrq_u32(bits, vdupq_n_u32(0x40_0000));
        let is_number = vceqq_f32(value, value);
        vst1_u16(to.cast(), vshrn_n_u32::<16>(vbslq_u32(is_number, rounded, quiet)));
    };
}
pack_several! {
    I32 from 2 i8;
    lane |elements| pair(elements[0], elements[1]);
    join |lane, element, _at| lane | pair(0, element);
    across |from| Self::load([0, 1, 2, 3].map(|i| pair(*from[0].add(i), *from[1].add(i))).as_ptr());
    along |first| I32(vreinterpretq_s32_s16(vmovl_s8(vld1_s8(first))));
}

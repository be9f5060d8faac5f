//! NEON: 32 registers of 16 bytes.

use super::portable::pair;
use super::{Pack, Vector};
use crate::element::Element;
use crate::gemm::axis::Steps;
use crate::gemm::kernel::Tile;
use half::{bf16, f16};
use std::arch::aarch64::*;
use std::array::from_fn;
use tilework::StaticLayout;

/// Four `f32`.
#[derive(Clone, Copy)]
pub(crate) struct F32(float32x4_t);
/// Two `f64`.
#[derive(Clone, Copy)]
pub(crate) struct F64(float64x2_t);
/// Four `i32`, each a pair of `i16` where it is packed.
#[derive(Clone, Copy)]
pub(crate) struct I32(int32x4_t);

compiled_with!("neon");

/// What differs between the three vectors is the type of the lanes and the names of the instructions.
macro_rules! vector {
    ($vector:ident of $lanes:literal $scalar:ty, $zero:expr, $splat:ident, $load:ident, $store:ident,
     |$s:ident, $a:ident, $b:ident| $step:expr, $times:ident, $times_plus:ident, $transpose:expr) => {
        // SAFETY: of every method, those of the trait.
        impl Vector for $vector {
            type Scalar = $scalar;
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn splat(value: $scalar) -> Self {
                unsafe { $vector($splat(value)) }
            }
            #[inline(always)]
            unsafe fn load(from: *const $scalar) -> Self {
                unsafe { $vector($load(from)) }
            }
            #[inline(always)]
            unsafe fn load_first(from: *const $scalar, count: usize) -> Self {
                let mut lanes = [$zero; $lanes];
                unsafe {
                    (0..count).for_each(|i| lanes[i] = *from.add(i));
                    Self::load(lanes.as_ptr())
                }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $scalar) {
                unsafe { $store(to, self.0) }
            }
            #[inline(always)]
            unsafe fn store_first(self, to: *mut $scalar, count: usize) {
                let mut lanes = [$zero; $lanes];
                unsafe {
                    self.store(lanes.as_mut_ptr());
                    (0..count).for_each(|i| *to.add(i) = lanes[i]);
                }
            }
            #[inline(always)]
            unsafe fn step(self, a: Self, b: Self) -> Self {
                let ($s, $a, $b) = (self.0, a.0, b.0);
                unsafe { $vector($step) }
            }
            #[inline(always)]
            unsafe fn times(self, scale: Self) -> Self {
                unsafe { $vector($times(self.0, scale.0)) }
            }
            #[inline(always)]
            unsafe fn times_plus(self, scale: Self, other: Self) -> Self {
                unsafe { $vector($times_plus(other.0, self.0, scale.0)) }
            }
            #[inline(always)]
            unsafe fn transpose(load: impl Fn(usize) -> Self, mut store: impl FnMut(usize, Self)) {
                unsafe { $transpose(from_fn(|i| load(i).0)) }
                    .into_iter()
                    .enumerate()
                    .for_each(|(i, row)| store(i, $vector(row)));
            }
        }
    };
}
vector!(F32 of 4 f32, 0.0, vdupq_n_f32, vld1q_f32, vst1q_f32, |s, a, b| vfmaq_f32(s, a, b), vmulq_f32, vfmaq_f32, transpose_f32);
vector!(F64 of 2 f64, 0.0, vdupq_n_f64, vld1q_f64, vst1q_f64, |s, a, b| vfmaq_f64(s, a, b), vmulq_f64, vfmaq_f64, transpose_f64);
vector!(I32 of 4 i32, 0, vdupq_n_s32, vld1q_s32, vst1q_s32, |s, a, b| {
    let (a, b) = (vreinterpretq_s16_s32(a), vreinterpretq_s16_s32(b));
    let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
    vaddq_s32(s, vpaddq_s32(low, vmull_high_s16(a, b)))
}, vmulq_s32, vmlaq_s32, transpose_i32);

#[inline(always)]
unsafe fn transpose_f64(rows: [float64x2_t; 2]) -> [float64x2_t; 2] {
    // SAFETY: the caller has the instructions.
    unsafe { [vtrn1q_f64(rows[0], rows[1]), vtrn2q_f64(rows[0], rows[1])] }
}

#[inline(always)]
unsafe fn transpose_f32(rows: [float32x4_t; 4]) -> [float32x4_t; 4] {
    // SAFETY: the caller has the instructions.
    unsafe {
        let even = [0, 2].map(|i| vreinterpretq_f64_f32(vtrn1q_f32(rows[i], rows[i + 1])));
        let odd = [0, 2].map(|i| vreinterpretq_f64_f32(vtrn2q_f32(rows[i], rows[i + 1])));
        let ([a, c], [b, d]) = (transpose_f64(even), transpose_f64(odd));
        [a, b, c, d].map(|row| vreinterpretq_f32_f64(row))
    }
}

#[inline(always)]
unsafe fn transpose_i32(rows: [int32x4_t; 4]) -> [int32x4_t; 4] {
    // SAFETY: the caller has the instructions.
    unsafe { transpose_f32(rows.map(|row| vreinterpretq_f32_s32(row))).map(|row| vreinterpretq_s32_f32(row)) }
}

/// `Pack` of one element in a lane, from a function that loads as many as there are lanes.
macro_rules! pack_one {
    ($($vector:ident from $element:ty: |$from:ident| $load:expr;)*) => {$(
        // SAFETY: of every method, those of the trait.
        impl Pack<$element> for $vector {
            #[inline(always)]
            fn lane(first: $element, _: $element) -> Self::Scalar {
                first.into()
            }
            #[inline(always)]
            unsafe fn across($from: *const $element, _: *const $element) -> Self {
                unsafe { $load }
            }
            #[inline(always)]
            unsafe fn along(from: *const $element) -> Self {
                unsafe { Self::across(from, from) }
            }
        }
    )*};
}
pack_one! {
    F32 from f32: |from| Self::load(from);
    F64 from f64: |from| Self::load(from);
    F32 from f16: |from| Self::load([0, 1, 2, 3].map(|i| f32::from(*from.add(i))).as_ptr());
    F32 from bf16: |from| F32(vreinterpretq_f32_u32(vshll_n_u16::<16>(vld1_u16(from.cast()))));
}

// SAFETY: of every method, those of the trait.
impl Pack<i8> for I32 {
    const STEP: usize = 2;

    #[inline(always)]
    fn lane(first: i8, second: i8) -> i32 {
        pair(first, second)
    }
    #[inline(always)]
    unsafe fn across(first: *const i8, second: *const i8) -> Self {
        unsafe { Self::load([0, 1, 2, 3].map(|i| pair(*first.add(i), *second.add(i))).as_ptr()) }
    }
    #[inline(always)]
    unsafe fn along(from: *const i8) -> Self {
        unsafe { I32(vreinterpretq_s32_s16(vmovl_s8(vld1_s8(from)))) }
    }
}

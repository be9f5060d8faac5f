//! AVX-512 with dot products of two `bf16` in a lane, summed in `f32`.

use super::avx512::{first, transpose_f32};
use super::portable::halves;
use super::{MAX_STEP, Pack, Vector};
use half::bf16;
use std::arch::x86_64::*;
use std::mem::transmute;

vector! {
    Halves(__m512): 16 f32;
    splat _mm512_set1_ps, load _mm512_loadu_ps, store _mm512_storeu_ps;
    mul _mm512_mul_ps, transpose transpose_f32;
    load_first |from, count| _mm512_maskz_loadu_ps(first(count), from);
    store_first |value, to, count| _mm512_mask_storeu_ps(to, first(count), value);
    fma_packed |sum, a, b| {
        _mm512_dpbf16_ps(sum, transmute::<__m512, __m512bh>(a), transmute::<__m512, __m512bh>(b))
    };
    mul_add |value, scale, added| _mm512_fmadd_ps(value, scale, added);
}
pack_several! {
    Halves from 2 bf16;
    lane |elements| halves(elements[0], elements[1]);
    join |lane, element, _at| f32::from_bits(lane.to_bits() | u32::from(element.to_bits()) << 16);
    across |from| {
        let first = _mm512_cvtepu16_epi32(_mm256_loadu_si256(from[0].cast()));
        let second = _mm512_cvtepu16_epi32(_mm256_loadu_si256(from[1].cast()));
        Halves(_mm512_castsi512_ps(_mm512_or_si512(first, _mm512_slli_epi32::<16>(second))))
    };
    along |first| Self::load(first.cast());
}

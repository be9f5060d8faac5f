//! AVX-512 with dot products of four bytes. Those of the first operand are unsigned, so products shift them.

use super::avx512::{first, transpose_i32};
use super::portable::quad;
use super::{MAX_STEP, Pack, Vector};
use std::arch::x86_64::*;

vector! {
    Quads(__m512i): 16 i32;
    splat _mm512_set1_epi32, load _mm512_loadu_si512, store _mm512_storeu_si512;
    mul _mm512_mullo_epi32, transpose transpose_i32;
    load_first |from, count| _mm512_maskz_loadu_epi32(first(count), from);
    store_first |value, to, count| _mm512_mask_storeu_epi32(to, first(count), value);
    fma_packed |sum, a, b| _mm512_dpbusd_epi32(sum, a, b);
    mul_add |value, scale, added| _mm512_add_epi32(_mm512_mullo_epi32(value, scale), added);
    begins true;
}
pack_several! {
    Quads from 4 i8;
    lane |elements| quad(elements);
    join |lane, element, at| lane | i32::from(element as u8) << (8 * at);
    across |from| {
        let [a, b, c, d] = from.map(|from| _mm_loadu_si128(from.cast()));
        let (low, high) = (_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b));
        let (low_of_last, high_of_last) = (_mm_unpacklo_epi8(c, d), _mm_unpackhi_epi8(c, d));
        let quarters = [
            _mm_unpacklo_epi16(low, low_of_last),
            _mm_unpackhi_epi16(low, low_of_last),
            _mm_unpacklo_epi16(high, high_of_last),
            _mm_unpackhi_epi16(high, high_of_last),
        ];
        let lower = _mm256_set_m128i(quarters[1], quarters[0]);
        let upper = _mm256_set_m128i(quarters[3], quarters[2]);
        Quads(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(lower), upper))
    };
    along |first| Self::load(first.cast());
}

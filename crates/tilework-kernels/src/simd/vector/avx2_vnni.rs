//! AVX2 with dot products of four bytes. Those of the first operand are unsigned, so products shift them.

use super::avx2::{first, store_first_of_8, transpose_i32};
use super::portable::quad;
use super::{MAX_STEP, Pack, Vector};
use std::arch::x86_64::*;

vector! {
    Quads(__m256i): 8 i32;
    splat _mm256_set1_epi32, load _mm256_loadu_si256, store _mm256_storeu_si256;
    mul _mm256_mullo_epi32, transpose transpose_i32;
    load_first |from, count| _mm256_maskload_epi32(from, first(count));
    store_first |value, to, count| store_first_of_8(_mm256_castsi256_ps(value), to.cast(), count);
    fma_packed |sum, a, b| _mm256_dpbusd_avx_epi32(sum, a, b);
    mul_add |value, scale, added| _mm256_add_epi32(_mm256_mullo_epi32(value, scale), added);
    begins true;
}
pack_several! {
    Quads from 4 i8;
    lane |elements| quad(elements);
    join |lane, element, at| lane | i32::from(element as u8) << (8 * at);
    across |from| {
        let [a, b, c, d] = from.map(|from| _mm_loadl_epi64(from.cast()));
        let (low, high) = (_mm_unpacklo_epi8(a, b), _mm_unpacklo_epi8(c, d));
        Quads(_mm256_set_m128i(_mm_unpackhi_epi16(low, high), _mm_unpacklo_epi16(low, high)))
    };
    along |first| Self::load(first.cast());
}

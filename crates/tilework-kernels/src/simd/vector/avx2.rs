//! AVX2 with fused multiply-add: 16 registers of 32 bytes.

use super::portable::pair;
use super::{MAX_STEP, Narrow, Pack, Vector};
use half::{bf16, f16};
use std::arch::x86_64::*;
use std::mem::transmute;

/// Lanes that are read or written have the highest bit set, in a window that starts at `8 - count`.
static WINDOW: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

/// The mask of the first `count` of eight lanes, or of four of twice the width.
#[inline(always)]
pub(super) unsafe fn first(count: usize) -> __m256i {
    // SAFETY: `count` is at most 8.
    unsafe { _mm256_loadu_si256(WINDOW.as_ptr().add(8 - count).cast()) }
}

/// Writes the first `count` of eight lanes. Masked stores are slow on some processors.
#[inline(always)]
pub(super) unsafe fn store_first_of_8(value: __m256, mut to: *mut f32, count: usize) {
    // SAFETY: `to` is valid for writes of `count` lanes, and the counts of the parts add up to it.
    unsafe {
        let mut rest = _mm256_castps256_ps128(value);
        if count & 8 != 0 {
            return _mm256_storeu_ps(to, value);
        }
        if count & 4 != 0 {
            _mm_storeu_ps(to, rest);
            (rest, to) = (_mm256_extractf128_ps::<1>(value), to.add(4));
        }
        if count & 2 != 0 {
            _mm_storel_pd(to.cast(), _mm_castps_pd(rest));
            (rest, to) = (_mm_movehl_ps(rest, rest), to.add(2));
        }
        if count & 1 != 0 {
            _mm_store_ss(to, rest);
        }
    }
}

/// The 4x4 transpose within each lane of four rows: lane `q` of result `c` is column `4 q + c`.
#[inline(always)]
unsafe fn quads(rows: &[__m256]) -> [__m256; 4] {
    // SAFETY: the processor has AVX2.
    unsafe {
        let (a, b) = (_mm256_unpacklo_ps(rows[0], rows[1]), _mm256_unpackhi_ps(rows[0], rows[1]));
        let (c, d) = (_mm256_unpacklo_ps(rows[2], rows[3]), _mm256_unpackhi_ps(rows[2], rows[3]));
        let (a, b, c, d) =
            (_mm256_castps_pd(a), _mm256_castps_pd(b), _mm256_castps_pd(c), _mm256_castps_pd(d));
        [
            _mm256_castpd_ps(_mm256_unpacklo_pd(a, c)),
            _mm256_castpd_ps(_mm256_unpackhi_pd(a, c)),
            _mm256_castpd_ps(_mm256_unpacklo_pd(b, d)),
            _mm256_castpd_ps(_mm256_unpackhi_pd(b, d)),
        ]
    }
}

#[inline(always)]
unsafe fn transpose_f32(mut rows: [__m256; 8]) -> [__m256; 8] {
    // SAFETY: the processor has AVX2.
    unsafe {
        let (upper, lower) = (quads(&rows[..4]), quads(&rows[4..]));
        for c in 0..4 {
            rows[c] = _mm256_permute2f128_ps::<0x20>(upper[c], lower[c]);
            rows[c + 4] = _mm256_permute2f128_ps::<0x31>(upper[c], lower[c]);
        }
    }
    rows
}

#[inline(always)]
pub(super) unsafe fn transpose_i32(rows: [__m256i; 8]) -> [__m256i; 8] {
    // SAFETY: the processor has AVX2; registers of either kind are 32 bytes, and every value of them is valid.
    unsafe { transmute(transpose_f32(transmute::<[__m256i; 8], [__m256; 8]>(rows))) }
}

#[inline(always)]
unsafe fn transpose_f64(rows: [__m256d; 4]) -> [__m256d; 4] {
    // SAFETY: the processor has AVX2.
    unsafe {
        let (a, b) = (_mm256_unpacklo_pd(rows[0], rows[1]), _mm256_unpackhi_pd(rows[0], rows[1]));
        let (c, d) = (_mm256_unpacklo_pd(rows[2], rows[3]), _mm256_unpackhi_pd(rows[2], rows[3]));
        [
            _mm256_permute2f128_pd::<0x20>(a, c),
            _mm256_permute2f128_pd::<0x20>(b, d),
            _mm256_permute2f128_pd::<0x31>(a, c),
            _mm256_permute2f128_pd::<0x31>(b, d),
        ]
    }
}

/// Reads lanes from elements that are `S` apart. The last register is read no further than the last of them.
#[inline(always)]
unsafe fn load_strided_f32<const S: usize>(from: *const f32) -> __m256 {
    // SAFETY: the processor has AVX2, and `from` is valid for reads up to the last lane, which is element `7 S`.
    unsafe {
        let load = |register: usize| _mm256_loadu_ps(from.add(8 * register));
        match S {
            2 => {
                // It begins one element before the second register, and ends with the last lane.
                let picked = _mm256_shuffle_ps::<0b11_01_10_00>(load(0), _mm256_loadu_ps(from.add(7)));
                _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(_mm256_castps_pd(picked)))
            }
            3 => {
                // No two elements have the same place in their registers.
                let last = _mm256_maskload_ps(from.add(16), first(6));
                let two = _mm256_blend_ps::<0b1001_0010>(load(0), load(1));
                let order = _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5);
                _mm256_permutevar8x32_ps(_mm256_blend_ps::<0b0010_0100>(two, last), order)
            }
            _ => {
                let last = _mm256_maskload_ps(from.add(24), first(5));
                let (low, high) = (_mm256_unpacklo_ps(load(0), load(1)), _mm256_unpacklo_ps(load(2), last));
                let pairs = _mm256_unpacklo_pd(_mm256_castps_pd(low), _mm256_castps_pd(high));
                let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
                _mm256_permutevar8x32_ps(_mm256_castpd_ps(pairs), order)
            }
        }
    }
}

/// Rounds to nearest, ties to even.
#[inline(always)]
unsafe fn to_bf16(value: __m256) -> __m128i {
    // SAFETY: the processor has AVX2.
    unsafe {
        let bits = _mm256_castps_si256(value);
        let is_odd = _mm256_and_si256(_mm256_srli_epi32::<16>(bits), _mm256_set1_epi32(1));
        let rounded = _mm256_add_epi32(bits, _mm256_add_epi32(is_odd, _mm256_set1_epi32(0x7FFF)));
        let quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x40_0000));
        let is_nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(value, value));
        let high = _mm256_srli_epi32::<16>(_mm256_blendv_epi8(rounded, quiet, is_nan));
        _mm_packus_epi32(_mm256_castsi256_si128(high), _mm256_extracti128_si256::<1>(high))
    }
}

vector! {
    F32(__m256): 8 f32;
    splat _mm256_set1_ps, load _mm256_loadu_ps, store _mm256_storeu_ps;
    mul _mm256_mul_ps, transpose transpose_f32;
    load_first |from, count| _mm256_maskload_ps(from, first(count));
    store_first |value, to, count| store_first_of_8(value, to, count);
    mul_add |value, scale, added| _mm256_fmadd_ps(value, scale, added);
    strided load_strided_f32;
}
vector! {
    F64(__m256d): 4 f64;
    splat _mm256_set1_pd, load _mm256_loadu_pd, store _mm256_storeu_pd;
    mul _mm256_mul_pd, transpose transpose_f64;
    load_first |from, count| _mm256_maskload_pd(from, first(2 * count));
    store_first |value, to, count| store_first_of_8(_mm256_castpd_ps(value), to.cast(), 2 * count);
    mul_add |value, scale, added| _mm256_fmadd_pd(value, scale, added);
}
vector! {
    I32(__m256i): 8 i32;
    splat _mm256_set1_epi32, load _mm256_loadu_si256, store _mm256_storeu_si256;
    mul _mm256_mullo_epi32, transpose transpose_i32;
    load_first |from, count| _mm256_maskload_epi32(from, first(count));
    store_first |value, to, count| store_first_of_8(_mm256_castsi256_ps(value), to.cast(), count);
    fma_packed |sum, a, b| _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
    mul_add |value, scale, added| _mm256_add_epi32(_mm256_mullo_epi32(value, scale), added);
}

pack_one! {
    F32 from f32: |from| Self::load(from);
    F64 from f64: |from| Self::load(from);
    F32 from f16: |from| F32(_mm256_cvtph_ps(_mm_loadu_si128(from.cast())));
    F32 from bf16: |from| {
        let wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(from.cast()));
        F32(_mm256_castsi256_ps(_mm256_slli_epi32::<16>(wide)))
    };
}
narrow! {
    F32 to f16: |value, to| _mm_storeu_si128(to.cast(), _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(value));
    F32 to bf16: |value, to| _mm_storeu_si128(to.cast(), to_bf16(value));
}
pack_several! {
    I32 from 2 i8;
    lane |elements| pair(elements[0], elements[1]);
    join |lane, element, _at| lane | pair(0, element);
    across |from| {
        let a = _mm_cvtepi8_epi16(_mm_loadl_epi64(from[0].cast()));
        let b = _mm_cvtepi8_epi16(_mm_loadl_epi64(from[1].cast()));
        I32(_mm256_set_m128i(_mm_unpackhi_epi16(a, b), _mm_unpacklo_epi16(a, b)))
    };
    along |first| I32(_mm256_cvtepi8_epi16(_mm_loadu_si128(first.cast())));
}

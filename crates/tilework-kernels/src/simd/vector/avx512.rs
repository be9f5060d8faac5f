//! AVX-512 with bytes and words: 32 registers of 64 bytes.

use super::portable::pair;
use super::{MAX_STEP, Narrow, Pack, Vector};
use half::{bf16, f16};
use std::arch::x86_64::*;
use std::mem::transmute;

/// The mask of the first `count` lanes, 1 to 16.
#[inline(always)]
pub(super) fn first(count: usize) -> u16 {
    u16::MAX >> (16 - count)
}

/// The 4x4 transpose within each part of four rows: part `q` of result `c` is column `4 q + c`.
#[inline(always)]
unsafe fn quads(rows: &[__m512]) -> [__m512; 4] {
    // SAFETY: the processor has AVX-512F.
    unsafe {
        let (a, b) = (_mm512_unpacklo_ps(rows[0], rows[1]), _mm512_unpackhi_ps(rows[0], rows[1]));
        let (c, d) = (_mm512_unpacklo_ps(rows[2], rows[3]), _mm512_unpackhi_ps(rows[2], rows[3]));
        let (a, b, c, d) =
            (_mm512_castps_pd(a), _mm512_castps_pd(b), _mm512_castps_pd(c), _mm512_castps_pd(d));
        [
            _mm512_castpd_ps(_mm512_unpacklo_pd(a, c)),
            _mm512_castpd_ps(_mm512_unpackhi_pd(a, c)),
            _mm512_castpd_ps(_mm512_unpacklo_pd(b, d)),
            _mm512_castpd_ps(_mm512_unpackhi_pd(b, d)),
        ]
    }
}

/// Of four registers with four parts of 16 bytes each: the first parts, the second, and so on.
#[inline(always)]
unsafe fn transpose_parts(a: __m512, b: __m512, c: __m512, d: __m512) -> [__m512; 4] {
    // SAFETY: the processor has AVX-512F.
    unsafe {
        let (ab, cd) = (_mm512_shuffle_f32x4::<0x44>(a, b), _mm512_shuffle_f32x4::<0x44>(c, d));
        let (ab_high, cd_high) = (_mm512_shuffle_f32x4::<0xee>(a, b), _mm512_shuffle_f32x4::<0xee>(c, d));
        [
            _mm512_shuffle_f32x4::<0x88>(ab, cd),
            _mm512_shuffle_f32x4::<0xdd>(ab, cd),
            _mm512_shuffle_f32x4::<0x88>(ab_high, cd_high),
            _mm512_shuffle_f32x4::<0xdd>(ab_high, cd_high),
        ]
    }
}

#[inline(always)]
pub(super) unsafe fn transpose_f32(mut rows: [__m512; 16]) -> [__m512; 16] {
    // SAFETY: the processor has AVX-512F.
    unsafe {
        let (a, b) = (quads(&rows[..4]), quads(&rows[4..8]));
        let (c, d) = (quads(&rows[8..12]), quads(&rows[12..]));
        for column in 0..4 {
            let parts = transpose_parts(a[column], b[column], c[column], d[column]);
            for (q, part) in parts.into_iter().enumerate() {
                rows[4 * q + column] = part;
            }
        }
    }
    rows
}

#[inline(always)]
pub(super) unsafe fn transpose_i32(rows: [__m512i; 16]) -> [__m512i; 16] {
    // SAFETY: the processor has AVX-512F; registers of either kind are 64 bytes, and every value of them is valid.
    unsafe { transmute(transpose_f32(transmute::<[__m512i; 16], [__m512; 16]>(rows))) }
}

#[inline(always)]
unsafe fn transpose_f64(mut rows: [__m512d; 8]) -> [__m512d; 8] {
    // SAFETY: the processor has AVX-512F.
    unsafe {
        // Of rows 2g and 2g + 1, in part q: columns 2q and 2q + 1.
        let (mut even, mut odd) = ([_mm512_setzero_ps(); 4], [_mm512_setzero_ps(); 4]);
        for g in 0..4 {
            even[g] = _mm512_castpd_ps(_mm512_unpacklo_pd(rows[2 * g], rows[2 * g + 1]));
            odd[g] = _mm512_castpd_ps(_mm512_unpackhi_pd(rows[2 * g], rows[2 * g + 1]));
        }
        let even = transpose_parts(even[0], even[1], even[2], even[3]);
        let odd = transpose_parts(odd[0], odd[1], odd[2], odd[3]);
        for q in 0..4 {
            rows[2 * q] = _mm512_castps_pd(even[q]);
            rows[2 * q + 1] = _mm512_castps_pd(odd[q]);
        }
    }
    rows
}

/// Reads lanes from elements that are `S` apart, by permutations of pairs of registers.
macro_rules! load_strided {
    ($name:ident: $lanes:literal $scalar:ty, $position:ty, $register:ty, $mask:ty;
     $load:ident, $load_masked:ident, $load_positions:ident, $permute:ident, $blend:ident) => {
        #[inline(always)]
        unsafe fn $name<const S: usize>(from: *const $scalar) -> $register {
            /// Where lanes are in a pair of registers; the first `kept` are in place, and `before` elements come before
            /// the pair.
            const fn positions(stride: usize, kept: usize, before: usize) -> [$position; $lanes] {
                let mut positions = [0; $lanes];
                let mut i = 0;
                while i < $lanes {
                    let position = if i < kept { i } else { (i * stride - before) % (2 * $lanes) };
                    positions[i] = position as $position;
                    i += 1;
                }
                positions
            }
            // SAFETY: the processor has AVX-512F and VL, `from` is valid for reads up to the last lane, at which the masked
            // register ends.
            unsafe {
                let last = $load_masked(<$mask>::MAX >> (S - 1), from.add((S - 1) * $lanes));
                let first = $load(from);
                let pick = |a, at: &'static [$position; $lanes], b| {
                    $permute(a, $load_positions(at.as_ptr().cast()), b)
                };
                match S {
                    2 => pick(first, const { &positions(2, 0, 0) }, last),
                    3 => {
                        let two = pick(first, const { &positions(3, 0, 0) }, $load(from.add($lanes)));
                        pick(two, const { &positions(3, (2 * $lanes as usize).div_ceil(3), $lanes) }, last)
                    }
                    _ => {
                        let low = pick(first, const { &positions(4, 0, 0) }, $load(from.add($lanes)));
                        let high = pick($load(from.add(2 * $lanes)), const { &positions(4, 0, 0) }, last);
                        $blend(<$mask>::MAX << ($lanes / 2), low, high)
                    }
                }
            }
        }
    };
}
load_strided!(load_strided_f32: 16 f32, i32, __m512, u16;
    _mm512_loadu_ps, _mm512_maskz_loadu_ps, _mm512_loadu_si512, _mm512_permutex2var_ps, _mm512_mask_blend_ps);
load_strided!(load_strided_f64: 8 f64, i64, __m512d, u8;
    _mm512_loadu_pd, _mm512_maskz_loadu_pd, _mm512_loadu_si512, _mm512_permutex2var_pd, _mm512_mask_blend_pd);

/// Writes lanes to elements that are `S` apart: of each register that they lie in, those in a mask.
macro_rules! store_strided {
    ($name:ident: $lanes:literal $scalar:ty, $position:ty, $register:ty, $mask:ty;
     $permute:ident, $store_masked:ident) => {
        #[inline(always)]
        unsafe fn $name<const S: usize>(value: $register, to: *mut $scalar) {
            /// The lane of each element of the registers, and which elements are written.
            const fn lanes(stride: usize) -> [([$position; $lanes], $mask); 4] {
                let mut registers = [([0; $lanes], 0); 4];
                let mut i = 0;
                while i < 4 * $lanes {
                    let (lanes, mask) = &mut registers[i / $lanes];
                    lanes[i % $lanes] = (i / stride) as $position;
                    if i.is_multiple_of(stride) {
                        *mask |= 1 << (i % $lanes);
                    }
                    i += 1;
                }
                registers
            }
            // SAFETY: the processor has AVX-512F, and only elements `S` apart are written, as many as there are lanes.
            unsafe {
                for (i, (lanes, mask)) in const { &lanes(S) }.iter().enumerate().take(S) {
                    let lanes = _mm512_loadu_si512(lanes.as_ptr().cast());
                    $store_masked(to.add(i * $lanes), *mask, $permute(lanes, value));
                }
            }
        }
    };
}
store_strided!(store_strided_f32: 16 f32, i32, __m512, u16; _mm512_permutexvar_ps, _mm512_mask_storeu_ps);
store_strided!(store_strided_f64: 8 f64, i64, __m512d, u8; _mm512_permutexvar_pd, _mm512_mask_storeu_pd);

/// Rounds to nearest, ties to even; subnormal numbers too, unlike `vcvtneps2bf16`.
#[inline(always)]
unsafe fn to_bf16(value: __m512) -> __m256i {
    // SAFETY: the processor has AVX-512F.
    unsafe {
        let bits = _mm512_castps_si512(value);
        let is_odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
        let rounded = _mm512_add_epi32(bits, _mm512_add_epi32(is_odd, _mm512_set1_epi32(0x7FFF)));
        let quiet = _mm512_or_si512(bits, _mm512_set1_epi32(0x40_0000));
        let is_nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(value, value);
        _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(_mm512_mask_mov_epi32(rounded, is_nan, quiet)))
    }
}

vector! {
    F32(__m512): 16 f32;
    splat _mm512_set1_ps, load _mm512_loadu_ps, store _mm512_storeu_ps;
    mul _mm512_mul_ps, transpose transpose_f32;
    masks true;
    load_first |from, count| _mm512_maskz_loadu_ps(first(count), from);
    store_first |value, to, count| _mm512_mask_storeu_ps(to, first(count), value);
    mul_add |value, scale, added| _mm512_fmadd_ps(value, scale, added);
    strided load_strided_f32 store_strided_f32;
}
vector! {
    F64(__m512d): 8 f64;
    splat _mm512_set1_pd, load _mm512_loadu_pd, store _mm512_storeu_pd;
    mul _mm512_mul_pd, transpose transpose_f64;
    masks true;
    load_first |from, count| _mm512_maskz_loadu_pd(first(count) as u8, from);
    store_first |value, to, count| _mm512_mask_storeu_pd(to, first(count) as u8, value);
    mul_add |value, scale, added| _mm512_fmadd_pd(value, scale, added);
    strided load_strided_f64 store_strided_f64;
}
vector! {
    I32(__m512i): 16 i32;
    splat _mm512_set1_epi32, load _mm512_loadu_si512, store _mm512_storeu_si512;
    mul _mm512_mullo_epi32, transpose transpose_i32;
    masks true;
    load_first |from, count| _mm512_maskz_loadu_epi32(first(count), from);
    store_first |value, to, count| _mm512_mask_storeu_epi32(to, first(count), value);
    fma_packed |sum, a, b| _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
    mul_add |value, scale, added| _mm512_add_epi32(_mm512_mullo_epi32(value, scale), added);
}

pack_one! {
    F32 from f32: |from| Self::load(from);
    F64 from f64: |from| Self::load(from);
    F32 from f16: |from| F32(_mm512_cvtph_ps(_mm256_loadu_si256(from.cast())));
    F32 from bf16: |from| {
        let wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.cast()));
        F32(_mm512_castsi512_ps(_mm512_slli_epi32::<16>(wide)))
    };
}
narrow! {
    F32 to f16: |value, to| {
        _mm256_storeu_si256(to.cast(), _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(value))
    };
    F32 to bf16: |value, to| _mm256_storeu_si256(to.cast(), to_bf16(value));
}
pack_several! {
    I32 from 2 i8;
    lane |elements| pair(elements[0], elements[1]);
    join |lane, element, _at| lane | pair(0, element);
    across |from| {
        let a = _mm256_cvtepi8_epi16(_mm_loadu_si128(from[0].cast()));
        let b = _mm256_cvtepi8_epi16(_mm_loadu_si128(from[1].cast()));
        let (low, high) = (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b));
        let (lower, upper) =
            (_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high));
        I32(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(lower), upper))
    };
    along |first| I32(_mm512_cvtepi8_epi16(_mm256_loadu_si256(first.cast())));
}

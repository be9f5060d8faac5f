//! AVX-512 with bytes and words: 32 registers of 64 bytes.

use super::portable::pair;
use super::{Pack, Vector};
use crate::element::Element;
use crate::gemm::axis::Steps;
use crate::gemm::kernel::Tile;
use half::{bf16, f16};
use std::arch::x86_64::*;
use tilework::StaticLayout;

/// Sixteen `f32`.
#[derive(Clone, Copy)]
pub(crate) struct F32(__m512);
/// Eight `f64`.
#[derive(Clone, Copy)]
pub(crate) struct F64(__m512d);
/// Sixteen `i32`, each a pair of `i16` where it is packed.
#[derive(Clone, Copy)]
pub(crate) struct I32(__m512i);

compiled_with!("avx512f,avx512bw,avx512dq,avx512vl");

/// The mask of the first `count` lanes, 1 to 16.
#[inline(always)]
fn first(count: usize) -> u16 {
    u16::MAX >> (16 - count)
}

/// Of four rows, in part `q`: column `4 q + c` at `c`.
#[inline(always)]
unsafe fn quads(rows: &[__m512]) -> [__m512; 4] {
    // SAFETY: the caller has the instructions.
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

/// Of four registers, each of four parts of 16 bytes: the first parts, the second, and so on.
#[inline(always)]
unsafe fn transpose_parts(a: __m512, b: __m512, c: __m512, d: __m512) -> [__m512; 4] {
    // SAFETY: the caller has the instructions.
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

/// Transposes 16 rows of 16.
#[inline(always)]
unsafe fn transpose_16(rows: &mut [__m512; 16]) {
    // SAFETY: the caller has the instructions.
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
}

// SAFETY: of every method, those of the trait.
impl Vector for F32 {
    type Scalar = f32;
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        unsafe { F32(_mm512_set1_ps(value)) }
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { F32(_mm512_loadu_ps(from)) }
    }
    #[inline(always)]
    unsafe fn load_first(from: *const f32, count: usize) -> Self {
        unsafe { F32(_mm512_maskz_loadu_ps(first(count), from)) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        unsafe { _mm512_storeu_ps(to, self.0) }
    }
    const EVERY: bool = true;
    #[inline(always)]
    unsafe fn every<const S: usize>(from: *const f32) -> Self {
        // Where lanes lie in two registers, and those of the last half or third in the lanes so far and a third register.
        const fn places(stride: usize, kept: usize, before: usize) -> [i32; 16] {
            let mut places = [0; 16];
            let mut i = 0;
            while i < 16 {
                places[i] = if i < kept { i } else { (i * stride - before) % 32 } as i32;
                i += 1;
            }
            places
        }
        unsafe {
            // The last register ends with the last lane.
            let last = _mm512_maskz_loadu_ps(u16::MAX >> (S - 1), from.add((S - 1) * 16));
            let first = _mm512_loadu_ps(from);
            let pick = |a, at: &'static [i32; 16], b| {
                _mm512_permutex2var_ps(a, _mm512_loadu_si512(at.as_ptr().cast()), b)
            };
            F32(match S {
                2 => pick(first, const { &places(2, 0, 0) }, last),
                3 => {
                    let two = pick(first, const { &places(3, 0, 0) }, _mm512_loadu_ps(from.add(16)));
                    pick(two, const { &places(3, 11, 16) }, last)
                }
                _ => {
                    let low = pick(first, const { &places(4, 0, 0) }, _mm512_loadu_ps(from.add(16)));
                    let high = pick(_mm512_loadu_ps(from.add(32)), const { &places(4, 0, 0) }, last);
                    _mm512_mask_blend_ps(u16::MAX << 8, low, high)
                }
            })
        }
    }
    #[inline(always)]
    unsafe fn store_first(self, to: *mut f32, count: usize) {
        unsafe { _mm512_mask_storeu_ps(to, first(count), self.0) }
    }
    #[inline(always)]
    unsafe fn step(self, a: Self, b: Self) -> Self {
        unsafe { F32(_mm512_fmadd_ps(a.0, b.0, self.0)) }
    }
    #[inline(always)]
    unsafe fn times(self, scale: Self) -> Self {
        unsafe { F32(_mm512_mul_ps(self.0, scale.0)) }
    }
    #[inline(always)]
    unsafe fn times_plus(self, scale: Self, other: Self) -> Self {
        unsafe { F32(_mm512_fmadd_ps(self.0, scale.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn transpose(load: impl Fn(usize) -> Self, mut store: impl FnMut(usize, Self)) {
        unsafe {
            let mut rows = [_mm512_setzero_ps(); 16];
            for (i, row) in rows.iter_mut().enumerate() {
                *row = load(i).0;
            }
            transpose_16(&mut rows);
            for (i, row) in rows.into_iter().enumerate() {
                store(i, F32(row));
            }
        }
    }
    #[inline(always)]
    fn prefetch(at: *const f32) {
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
    }
}

// SAFETY: of every method, those of the trait.
impl Vector for F64 {
    type Scalar = f64;
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        unsafe { F64(_mm512_set1_pd(value)) }
    }
    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        unsafe { F64(_mm512_loadu_pd(from)) }
    }
    #[inline(always)]
    unsafe fn load_first(from: *const f64, count: usize) -> Self {
        unsafe { F64(_mm512_maskz_loadu_pd(first(count) as u8, from)) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        unsafe { _mm512_storeu_pd(to, self.0) }
    }
    const EVERY: bool = true;
    #[inline(always)]
    unsafe fn every<const S: usize>(from: *const f64) -> Self {
        // Where lanes lie in two registers, and those of the last half or third in the lanes so far and a third register.
        const fn places(stride: usize, kept: usize, before: usize) -> [i64; 8] {
            let mut places = [0; 8];
            let mut i = 0;
            while i < 8 {
                places[i] = if i < kept { i } else { (i * stride - before) % 16 } as i64;
                i += 1;
            }
            places
        }
        unsafe {
            // The last register ends with the last lane.
            let last = _mm512_maskz_loadu_pd(u8::MAX >> (S - 1), from.add((S - 1) * 8));
            let first = _mm512_loadu_pd(from);
            let pick = |a, at: &'static [i64; 8], b| {
                _mm512_permutex2var_pd(a, _mm512_loadu_si512(at.as_ptr().cast()), b)
            };
            F64(match S {
                2 => pick(first, const { &places(2, 0, 0) }, last),
                3 => {
                    let two = pick(first, const { &places(3, 0, 0) }, _mm512_loadu_pd(from.add(8)));
                    pick(two, const { &places(3, 6, 8) }, last)
                }
                _ => {
                    let low = pick(first, const { &places(4, 0, 0) }, _mm512_loadu_pd(from.add(8)));
                    let high = pick(_mm512_loadu_pd(from.add(16)), const { &places(4, 0, 0) }, last);
                    _mm512_mask_blend_pd(u8::MAX << 4, low, high)
                }
            })
        }
    }
    #[inline(always)]
    unsafe fn store_first(self, to: *mut f64, count: usize) {
        unsafe { _mm512_mask_storeu_pd(to, first(count) as u8, self.0) }
    }
    #[inline(always)]
    unsafe fn step(self, a: Self, b: Self) -> Self {
        unsafe { F64(_mm512_fmadd_pd(a.0, b.0, self.0)) }
    }
    #[inline(always)]
    unsafe fn times(self, scale: Self) -> Self {
        unsafe { F64(_mm512_mul_pd(self.0, scale.0)) }
    }
    #[inline(always)]
    unsafe fn times_plus(self, scale: Self, other: Self) -> Self {
        unsafe { F64(_mm512_fmadd_pd(self.0, scale.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn transpose(load: impl Fn(usize) -> Self, mut store: impl FnMut(usize, Self)) {
        unsafe {
            // Of rows 2g and 2g + 1, in part q: columns 2q and 2q + 1.
            let (mut even, mut odd) = ([_mm512_setzero_ps(); 4], [_mm512_setzero_ps(); 4]);
            for g in 0..4 {
                let (first, second) = (load(2 * g).0, load(2 * g + 1).0);
                even[g] = _mm512_castpd_ps(_mm512_unpacklo_pd(first, second));
                odd[g] = _mm512_castpd_ps(_mm512_unpackhi_pd(first, second));
            }
            let even = transpose_parts(even[0], even[1], even[2], even[3]);
            let odd = transpose_parts(odd[0], odd[1], odd[2], odd[3]);
            for q in 0..4 {
                store(2 * q, F64(_mm512_castps_pd(even[q])));
                store(2 * q + 1, F64(_mm512_castps_pd(odd[q])));
            }
        }
    }
    #[inline(always)]
    fn prefetch(at: *const f64) {
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
    }
}

// SAFETY: of every method, those of the trait.
impl Vector for I32 {
    type Scalar = i32;
    const LANES: usize = 16;

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self {
        unsafe { I32(_mm512_set1_epi32(value)) }
    }
    #[inline(always)]
    unsafe fn load(from: *const i32) -> Self {
        unsafe { I32(_mm512_loadu_si512(from.cast())) }
    }
    #[inline(always)]
    unsafe fn load_first(from: *const i32, count: usize) -> Self {
        unsafe { I32(_mm512_maskz_loadu_epi32(first(count), from)) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut i32) {
        unsafe { _mm512_storeu_si512(to.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn store_first(self, to: *mut i32, count: usize) {
        unsafe { _mm512_mask_storeu_epi32(to, first(count), self.0) }
    }
    #[inline(always)]
    unsafe fn step(self, a: Self, b: Self) -> Self {
        unsafe { I32(_mm512_add_epi32(self.0, _mm512_madd_epi16(a.0, b.0))) }
    }
    #[inline(always)]
    unsafe fn times(self, scale: Self) -> Self {
        unsafe { I32(_mm512_mullo_epi32(self.0, scale.0)) }
    }
    #[inline(always)]
    unsafe fn times_plus(self, scale: Self, other: Self) -> Self {
        unsafe { I32(_mm512_add_epi32(_mm512_mullo_epi32(self.0, scale.0), other.0)) }
    }
    #[inline(always)]
    unsafe fn transpose(load: impl Fn(usize) -> Self, mut store: impl FnMut(usize, Self)) {
        unsafe {
            let mut rows = [_mm512_setzero_ps(); 16];
            for (i, row) in rows.iter_mut().enumerate() {
                *row = _mm512_castsi512_ps(load(i).0);
            }
            transpose_16(&mut rows);
            for (i, row) in rows.into_iter().enumerate() {
                store(i, I32(_mm512_castps_si512(row)));
            }
        }
    }
    #[inline(always)]
    fn prefetch(at: *const i32) {
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
    }
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
    F32 from f16: |from| F32(_mm512_cvtph_ps(_mm256_loadu_si256(from.cast())));
    F32 from bf16: |from| {
        let wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.cast()));
        F32(_mm512_castsi512_ps(_mm512_slli_epi32::<16>(wide)))
    };
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
        unsafe {
            let a = _mm256_cvtepi8_epi16(_mm_loadu_si128(first.cast()));
            let b = _mm256_cvtepi8_epi16(_mm_loadu_si128(second.cast()));
            let (low, high) = (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b));
            let (lower, upper) =
                (_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high));
            I32(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(lower), upper))
        }
    }
    #[inline(always)]
    unsafe fn along(from: *const i8) -> Self {
        unsafe { I32(_mm512_cvtepi8_epi16(_mm256_loadu_si256(from.cast()))) }
    }
}

//! AVX2 with fused multiply-add: 16 registers of 32 bytes.

use super::portable::pair;
use super::{Pack, Vector};
use crate::element::Element;
use crate::gemm::axis::Steps;
use crate::gemm::kernel::Tile;
use half::{bf16, f16};
use std::arch::x86_64::*;
use tilework::StaticLayout;

/// Eight `f32`.
#[derive(Clone, Copy)]
pub(crate) struct F32(__m256);
/// Four `f64`.
#[derive(Clone, Copy)]
pub(crate) struct F64(__m256d);
/// Eight `i32`, each a pair of `i16` where it is packed.
#[derive(Clone, Copy)]
pub(crate) struct I32(__m256i);

compiled_with!("avx2,fma,f16c");

/// Lanes that are read or written: those of which the highest bit is set, in a window that starts at `8 - count`.
static WINDOW: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

/// The mask of the first `count` of eight lanes, or of four of twice the width.
#[inline(always)]
unsafe fn first(count: usize) -> __m256i {
    // SAFETY: `count` is at most 8.
    unsafe { _mm256_loadu_si256(WINDOW.as_ptr().add(8 - count).cast()) }
}

/// Writes the first `count` of eight lanes. Masked stores are slow on some processors.
#[inline(always)]
unsafe fn store_first_of_8(value: __m256, mut to: *mut f32, count: usize) {
    // SAFETY: the caller's pointer is good for `count` lanes, and the counts of the parts add up to it.
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

/// Of four rows, in lane `q`: column `4 q + c` at `c`.
#[inline(always)]
unsafe fn quads(rows: &[__m256]) -> [__m256; 4] {
    // SAFETY: the caller has the instructions.
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

/// Transposes eight rows of eight.
#[inline(always)]
unsafe fn transpose_8(rows: &mut [__m256; 8]) {
    // SAFETY: the caller has the instructions.
    unsafe {
        let (upper, lower) = (quads(&rows[..4]), quads(&rows[4..]));
        for c in 0..4 {
            rows[c] = _mm256_permute2f128_ps::<0x20>(upper[c], lower[c]);
            rows[c + 4] = _mm256_permute2f128_ps::<0x31>(upper[c], lower[c]);
        }
    }
}

// SAFETY: of every method, those of the trait.
impl Vector for F32 {
    type Scalar = f32;
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn splat(value: f32) -> Self {
        unsafe { F32(_mm256_set1_ps(value)) }
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { F32(_mm256_loadu_ps(from)) }
    }
    #[inline(always)]
    unsafe fn load_first(from: *const f32, count: usize) -> Self {
        unsafe { F32(_mm256_maskload_ps(from, first(count))) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        unsafe { _mm256_storeu_ps(to, self.0) }
    }
    #[inline(always)]
    unsafe fn store_first(self, to: *mut f32, count: usize) {
        unsafe { store_first_of_8(self.0, to, count) }
    }
    #[inline(always)]
    unsafe fn step(self, a: Self, b: Self) -> Self {
        unsafe { F32(_mm256_fmadd_ps(a.0, b.0, self.0)) }
    }
    #[inline(always)]
    unsafe fn times(self, scale: Self) -> Self {
        unsafe { F32(_mm256_mul_ps(self.0, scale.0)) }
    }
    #[inline(always)]
    unsafe fn times_plus(self, scale: Self, other: Self) -> Self {
        unsafe { F32(_mm256_fmadd_ps(self.0, scale.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn transpose(load: impl Fn(usize) -> Self, mut store: impl FnMut(usize, Self)) {
        unsafe {
            let mut rows = [_mm256_setzero_ps(); 8];
            for (i, row) in rows.iter_mut().enumerate() {
                *row = load(i).0;
            }
            transpose_8(&mut rows);
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
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        unsafe { F64(_mm256_set1_pd(value)) }
    }
    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        unsafe { F64(_mm256_loadu_pd(from)) }
    }
    #[inline(always)]
    unsafe fn load_first(from: *const f64, count: usize) -> Self {
        unsafe { F64(_mm256_maskload_pd(from, first(2 * count))) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        unsafe { _mm256_storeu_pd(to, self.0) }
    }
    #[inline(always)]
    unsafe fn store_first(self, to: *mut f64, count: usize) {
        unsafe { store_first_of_8(_mm256_castpd_ps(self.0), to.cast(), 2 * count) }
    }
    #[inline(always)]
    unsafe fn step(self, a: Self, b: Self) -> Self {
        unsafe { F64(_mm256_fmadd_pd(a.0, b.0, self.0)) }
    }
    #[inline(always)]
    unsafe fn times(self, scale: Self) -> Self {
        unsafe { F64(_mm256_mul_pd(self.0, scale.0)) }
    }
    #[inline(always)]
    unsafe fn times_plus(self, scale: Self, other: Self) -> Self {
        unsafe { F64(_mm256_fmadd_pd(self.0, scale.0, other.0)) }
    }
    #[inline(always)]
    unsafe fn transpose(load: impl Fn(usize) -> Self, mut store: impl FnMut(usize, Self)) {
        unsafe {
            let rows = [load(0).0, load(1).0, load(2).0, load(3).0];
            let (a, b) = (_mm256_unpacklo_pd(rows[0], rows[1]), _mm256_unpackhi_pd(rows[0], rows[1]));
            let (c, d) = (_mm256_unpacklo_pd(rows[2], rows[3]), _mm256_unpackhi_pd(rows[2], rows[3]));
            store(0, F64(_mm256_permute2f128_pd::<0x20>(a, c)));
            store(1, F64(_mm256_permute2f128_pd::<0x20>(b, d)));
            store(2, F64(_mm256_permute2f128_pd::<0x31>(a, c)));
            store(3, F64(_mm256_permute2f128_pd::<0x31>(b, d)));
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
    const LANES: usize = 8;

    #[inline(always)]
    unsafe fn splat(value: i32) -> Self {
        unsafe { I32(_mm256_set1_epi32(value)) }
    }
    #[inline(always)]
    unsafe fn load(from: *const i32) -> Self {
        unsafe { I32(_mm256_loadu_si256(from.cast())) }
    }
    #[inline(always)]
    unsafe fn load_first(from: *const i32, count: usize) -> Self {
        unsafe { I32(_mm256_maskload_epi32(from, first(count))) }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut i32) {
        unsafe { _mm256_storeu_si256(to.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn store_first(self, to: *mut i32, count: usize) {
        unsafe { store_first_of_8(_mm256_castsi256_ps(self.0), to.cast(), count) }
    }
    #[inline(always)]
    unsafe fn step(self, a: Self, b: Self) -> Self {
        unsafe { I32(_mm256_add_epi32(self.0, _mm256_madd_epi16(a.0, b.0))) }
    }
    #[inline(always)]
    unsafe fn times(self, scale: Self) -> Self {
        unsafe { I32(_mm256_mullo_epi32(self.0, scale.0)) }
    }
    #[inline(always)]
    unsafe fn times_plus(self, scale: Self, other: Self) -> Self {
        unsafe { I32(_mm256_add_epi32(_mm256_mullo_epi32(self.0, scale.0), other.0)) }
    }
    #[inline(always)]
    unsafe fn transpose(load: impl Fn(usize) -> Self, mut store: impl FnMut(usize, Self)) {
        unsafe {
            let mut rows = [_mm256_setzero_ps(); 8];
            for (i, row) in rows.iter_mut().enumerate() {
                *row = _mm256_castsi256_ps(load(i).0);
            }
            transpose_8(&mut rows);
            for (i, row) in rows.into_iter().enumerate() {
                store(i, I32(_mm256_castps_si256(row)));
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
    F32 from f16: |from| F32(_mm256_cvtph_ps(_mm_loadu_si128(from.cast())));
    F32 from bf16: |from| {
        let wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(from.cast()));
        F32(_mm256_castsi256_ps(_mm256_slli_epi32::<16>(wide)))
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
            let a = _mm_cvtepi8_epi16(_mm_loadl_epi64(first.cast()));
            let b = _mm_cvtepi8_epi16(_mm_loadl_epi64(second.cast()));
            I32(_mm256_set_m128i(_mm_unpackhi_epi16(a, b), _mm_unpacklo_epi16(a, b)))
        }
    }
    #[inline(always)]
    unsafe fn along(from: *const i8) -> Self {
        unsafe { I32(_mm256_cvtepi8_epi16(_mm_loadu_si128(from.cast()))) }
    }
}

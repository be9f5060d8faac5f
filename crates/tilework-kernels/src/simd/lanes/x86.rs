//! Lanes of AVX2 and AVX-512.

use super::{Lanes, Task};
use std::arch::x86_64::*;

/// The permutation that rotates 8 words of 4 bytes by `k` begins at `8 - k`.
const ROTATIONS: [i32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7];

/// The mask of the first `k` bytes of a line begins at `64 - k`.
const FIRST: [i8; 128] = {
    let mut mask = [0; 128];
    let mut i = 0;
    while i < 64 {
        mask[i] = -1;
        i += 1;
    }
    mask
};

/// Alternating elements, by the instructions for elements of 1, 2, 4 and 8 bytes.
macro_rules! zip {
    ($name:ident, $register:ty: $of_1:ident, $of_2:ident, $of_4:ident, $of_8:ident) => {
        #[inline(always)]
        unsafe fn $name<const W: usize>(a: $register, b: $register) -> $register {
            // SAFETY: the processor has the instructions of these lanes.
            unsafe {
                match W {
                    1 => $of_1(a, b),
                    2 => $of_2(a, b),
                    4 => $of_4(a, b),
                    _ => $of_8(a, b),
                }
            }
        }
    };
}

/// Two lanes of AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Avx2;

// SAFETY: a line is two registers of 32 bytes.
unsafe impl Lanes for Avx2 {
    const LANES: usize = 2;
    const STREAMS: bool = true;
    type Register = __m256i;
    type Line = [__m256i; 2];

    #[inline(always)]
    unsafe fn load(from: *const u8) -> __m256i {
        // SAFETY: the processor has AVX2, and the pointer is valid for reads of a register.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    zip!(zip_low, __m256i: _mm256_unpacklo_epi8, _mm256_unpacklo_epi16, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64);
    zip!(zip_high, __m256i: _mm256_unpackhi_epi8, _mm256_unpackhi_epi16, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64);

    #[inline(always)]
    unsafe fn move_lanes([a, b, c, d]: [Self::Line; 4]) -> [Self::Line; 4] {
        // SAFETY: the processor has AVX2.
        unsafe {
            [
                [
                    _mm256_permute2x128_si256::<0x20>(a[0], b[0]),
                    _mm256_permute2x128_si256::<0x20>(c[0], d[0]),
                ],
                [
                    _mm256_permute2x128_si256::<0x31>(a[0], b[0]),
                    _mm256_permute2x128_si256::<0x31>(c[0], d[0]),
                ],
                [
                    _mm256_permute2x128_si256::<0x20>(a[1], b[1]),
                    _mm256_permute2x128_si256::<0x20>(c[1], d[1]),
                ],
                [
                    _mm256_permute2x128_si256::<0x31>(a[1], b[1]),
                    _mm256_permute2x128_si256::<0x31>(c[1], d[1]),
                ],
            ]
        }
    }

    #[inline(always)]
    unsafe fn zip_lanes([a, b]: [Self::Line; 2]) -> [Self::Line; 2] {
        // SAFETY: the processor has AVX2.
        unsafe {
            [
                [
                    _mm256_permute2x128_si256::<0x20>(a[0], b[0]),
                    _mm256_permute2x128_si256::<0x31>(a[0], b[0]),
                ],
                [
                    _mm256_permute2x128_si256::<0x20>(a[1], b[1]),
                    _mm256_permute2x128_si256::<0x31>(a[1], b[1]),
                ],
            ]
        }
    }

    #[inline(always)]
    unsafe fn line_of([a, b, c, d]: [__m256i; 4], lane: usize) -> Self::Line {
        // SAFETY: the processor has AVX2.
        unsafe {
            match lane {
                0 => [_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x20>(c, d)],
                _ => [_mm256_permute2x128_si256::<0x31>(a, b), _mm256_permute2x128_si256::<0x31>(c, d)],
            }
        }
    }

    #[inline(always)]
    unsafe fn load_line(from: *const u8) -> Self::Line {
        // SAFETY: the processor has AVX2, and `from` is valid for reads of a line.
        unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(32).cast())] }
    }

    #[inline(always)]
    unsafe fn store(to: *mut u8, line: Self::Line) {
        // SAFETY: the processor has AVX2, and `to` is valid for writes of a line.
        unsafe {
            _mm256_storeu_si256(to.cast(), line[0]);
            _mm256_storeu_si256(to.add(32).cast(), line[1]);
        }
    }

    #[inline(always)]
    unsafe fn stream(to: *mut u8, line: Self::Line) {
        // SAFETY: the processor has AVX2, and `to` is valid for writes of a line and aligned to 64.
        unsafe {
            _mm256_stream_si256(to.cast(), line[0]);
            _mm256_stream_si256(to.add(32).cast(), line[1]);
        }
    }

    #[inline(always)]
    unsafe fn rotate(line: Self::Line, by: usize) -> Self::Line {
        // SAFETY: the processor has AVX2.
        unsafe {
            let whole = rotate_words(line, by / 4);
            if by.is_multiple_of(4) {
                return whole;
            }
            // Bytes that leave a word enter the next one.
            let before = rotate_words(line, (by / 4 + 1) % 16);
            let up = _mm_cvtsi32_si128(by as i32 % 4 * 8);
            let down = _mm_cvtsi32_si128(32 - by as i32 % 4 * 8);
            [
                _mm256_or_si256(_mm256_sll_epi32(whole[0], up), _mm256_srl_epi32(before[0], down)),
                _mm256_or_si256(_mm256_sll_epi32(whole[1], up), _mm256_srl_epi32(before[1], down)),
            ]
        }
    }

    #[inline(always)]
    unsafe fn splice(first: Self::Line, last: Self::Line, by: usize) -> Self::Line {
        // SAFETY: the processor has AVX2; the table has 64 bytes from `64 - by` on.
        unsafe {
            let mask = FIRST.as_ptr().add(64 - by);
            let mask = [_mm256_loadu_si256(mask.cast()), _mm256_loadu_si256(mask.add(32).cast())];
            [_mm256_blendv_epi8(last[0], first[0], mask[0]), _mm256_blendv_epi8(last[1], first[1], mask[1])]
        }
    }

    #[inline(never)]
    #[target_feature(enable = "avx2")]
    unsafe fn outlined(task: impl Task) {
        // SAFETY: the contract is that of the task.
        unsafe { task.run() }
    }

    #[inline(always)]
    unsafe fn fence() {
        // SAFETY: the processor has SSE.
        unsafe { _mm_sfence() }
    }
}

/// A line rotated by `by` words of 4 bytes, fewer than 16.
#[inline(always)]
unsafe fn rotate_words(line: [__m256i; 2], by: usize) -> [__m256i; 2] {
    let k = by % 8;
    // SAFETY: the processor has AVX2; the tables have 8 numbers from `8 - k` on, and 32 bytes from `64 - 4k` on.
    unsafe {
        let half = _mm256_set1_epi32(-i32::from(by >= 8));
        let rotation = _mm256_loadu_si256(ROTATIONS.as_ptr().add(8 - k).cast());
        let wraps = _mm256_loadu_si256(FIRST.as_ptr().add(64 - 4 * k).cast());
        // From half a line on, the registers are swapped, as are the elements that wrap.
        let swap = _mm256_xor_si256(half, wraps);
        let a = _mm256_permutevar8x32_epi32(line[0], rotation);
        let b = _mm256_permutevar8x32_epi32(line[1], rotation);
        [_mm256_blendv_epi8(a, b, swap), _mm256_blendv_epi8(b, a, swap)]
    }
}

/// Four lanes of AVX-512.
#[derive(Clone, Copy)]
pub(crate) struct Avx512;

// SAFETY: a line is one register of 64 bytes.
unsafe impl Lanes for Avx512 {
    const LANES: usize = 4;
    const STREAMS: bool = true;
    type Register = __m512i;
    type Line = __m512i;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> __m512i {
        // SAFETY: the processor has AVX-512F, and the pointer is valid for reads of a register.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn load_lanes(from: [*const u8; 4]) -> __m512i {
        // SAFETY: the processor has AVX-512F, and the pointers are valid for reads of a lane.
        unsafe {
            let line = _mm512_castsi128_si512(_mm_loadu_si128(from[0].cast()));
            let line = _mm512_inserti32x4::<1>(line, _mm_loadu_si128(from[1].cast()));
            let line = _mm512_inserti32x4::<2>(line, _mm_loadu_si128(from[2].cast()));
            _mm512_inserti32x4::<3>(line, _mm_loadu_si128(from[3].cast()))
        }
    }

    zip!(zip_low, __m512i: _mm512_unpacklo_epi8, _mm512_unpacklo_epi16, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64);
    zip!(zip_high, __m512i: _mm512_unpackhi_epi8, _mm512_unpackhi_epi16, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64);

    #[inline(always)]
    unsafe fn move_lanes([a, b, c, d]: [Self::Line; 4]) -> [Self::Line; 4] {
        // SAFETY: the processor has AVX-512F.
        unsafe {
            let (low, high) = (_mm512_shuffle_i32x4::<0x44>(a, b), _mm512_shuffle_i32x4::<0xee>(a, b));
            let (low_2, high_2) = (_mm512_shuffle_i32x4::<0x44>(c, d), _mm512_shuffle_i32x4::<0xee>(c, d));
            [
                _mm512_shuffle_i32x4::<0x88>(low, low_2),
                _mm512_shuffle_i32x4::<0xdd>(low, low_2),
                _mm512_shuffle_i32x4::<0x88>(high, high_2),
                _mm512_shuffle_i32x4::<0xdd>(high, high_2),
            ]
        }
    }

    #[inline(always)]
    unsafe fn zip_lanes([a, b]: [Self::Line; 2]) -> [Self::Line; 2] {
        // SAFETY: the processor has AVX-512F.
        unsafe {
            let (low, high) =
                (_mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15));
            [_mm512_permutex2var_epi64(a, low, b), _mm512_permutex2var_epi64(a, high, b)]
        }
    }

    #[inline(always)]
    unsafe fn stream(to: *mut u8, line: Self::Line) {
        // SAFETY: the processor has AVX-512F, and `to` is valid for writes of a line and aligned to 64.
        unsafe { _mm512_stream_si512(to.cast(), line) }
    }

    #[inline(always)]
    unsafe fn rotate(line: Self::Line, by: usize) -> Self::Line {
        // SAFETY: the processor has AVX-512F.
        unsafe {
            let places = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            let words = |by| _mm512_permutexvar_epi32(_mm512_sub_epi32(places, _mm512_set1_epi32(by)), line);
            let whole = words((by / 4) as i32);
            if by.is_multiple_of(4) {
                return whole;
            }
            // Bytes that leave a word enter the next one.
            let before = words((by / 4 + 1) as i32);
            let up = _mm_cvtsi32_si128((by % 4 * 8) as i32);
            let down = _mm_cvtsi32_si128((32 - by % 4 * 8) as i32);
            _mm512_or_si512(_mm512_sll_epi32(whole, up), _mm512_srl_epi32(before, down))
        }
    }

    #[inline(always)]
    unsafe fn splice(first: Self::Line, last: Self::Line, by: usize) -> Self::Line {
        // SAFETY: the processor has AVX-512BW.
        unsafe { _mm512_mask_mov_epi8(last, (1 << by) - 1, first) }
    }

    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2")]
    unsafe fn outlined(task: impl Task) {
        // SAFETY: the contract is that of the task.
        unsafe { task.run() }
    }

    #[inline(always)]
    unsafe fn fence() {
        // SAFETY: the processor has SSE.
        unsafe { _mm_sfence() }
    }
}

//! Vectors as lanes of 16 bytes: the four operations of which every in-register transpose consists.

/// Bytes of a cache line.
pub(super) const LINE: usize = 64;

/// One cache line.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(super) struct Line(pub [u8; LINE]);

/// Where [`Lanes::turn`] reads which 4 bytes come where: from `8 - k` on, the numbers 0 to 7 turned by `k`.
#[cfg(target_arch = "x86_64")]
const TURNS: [i32; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7];

/// From `64 - k` on, `k` bytes of yes and then no.
#[cfg(target_arch = "x86_64")]
const FIRST: [i8; 128] = {
    let mut yes = [0; 128];
    let mut i = 0;
    while i < 64 {
        yes[i] = -1;
        i += 1;
    }
    yes
};

/// A vector register of `LANES` lanes of 16 bytes.
///
/// # Safety
/// Every operation may only run on a processor that has the instructions of the implementation, and the pointers have
/// to be good for what is said at each. Nothing has to be aligned but where it is said.
pub(crate) trait Lanes: Copy {
    /// How many lanes.
    const LANES: usize;
    /// One register.
    type Register: Copy;
    /// As many registers as a cache line has.
    type Line: Copy;

    /// Nothing but zeros.
    unsafe fn zero() -> Self::Register;
    /// Reads 16 bytes at each of the first `LANES` pointers.
    unsafe fn load(at: [*const u8; 4]) -> Self::Register;
    /// Within each lane, the elements of `W` bytes of the low halves of `a` and `b`, by turns.
    unsafe fn zip_low<const W: usize>(a: Self::Register, b: Self::Register) -> Self::Register;
    /// The same for the high halves.
    unsafe fn zip_high<const W: usize>(a: Self::Register, b: Self::Register) -> Self::Register;
    /// A whole line from the first `4 / LANES` registers.
    fn line(parts: [Self::Register; 4]) -> Self::Line;
    /// Reads a line.
    unsafe fn load_line(from: *const u8) -> Self::Line;
    /// Writes a line.
    unsafe fn store(to: *mut u8, line: Self::Line);
    /// Writes a line past the caches, if that can be had; `to` is aligned to 64.
    unsafe fn stream(to: *mut u8, line: Self::Line);
    /// Turns a line: byte `i` comes to `i + by` modulo 64. `by` is below 64.
    unsafe fn turn(line: Self::Line, by: usize) -> Self::Line;
    /// The first `by` bytes of `first` and the others of `last`. `by` is below 64.
    unsafe fn splice(first: Self::Line, last: Self::Line, by: usize) -> Self::Line;
    /// Moves the 64 bytes at `from` to the line at `to`, which is aligned to 64, past the caches if that can be had.
    unsafe fn stream_line(to: *mut u8, from: *const u8);
    /// Asks for the line at `from`, which need not be good for reading.
    fn prefetch(from: *const u8);
    /// Makes what was streamed visible to the other threads.
    unsafe fn fence();
}

/// One lane in plain Rust.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Lanes for Portable {
    const LANES: usize = 1;
    type Register = [u8; 16];
    type Line = [[u8; 16]; 4];

    #[inline(always)]
    unsafe fn zero() -> [u8; 16] {
        [0; 16]
    }

    #[inline(always)]
    unsafe fn load(at: [*const u8; 4]) -> [u8; 16] {
        // SAFETY: the caller's pointers are good for 16 bytes each.
        unsafe { at[0].cast::<[u8; 16]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn zip_low<const W: usize>(a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        std::array::from_fn(|i| {
            if (i / W).is_multiple_of(2) { a[i / (2 * W) * W + i % W] } else { b[i / (2 * W) * W + i % W] }
        })
    }

    #[inline(always)]
    unsafe fn zip_high<const W: usize>(a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        let high = |i: usize| 8 + i / (2 * W) * W + i % W;
        std::array::from_fn(|i| if (i / W).is_multiple_of(2) { a[high(i)] } else { b[high(i)] })
    }

    #[inline(always)]
    fn line(parts: [[u8; 16]; 4]) -> Self::Line {
        parts
    }

    #[inline(always)]
    unsafe fn load_line(from: *const u8) -> Self::Line {
        // SAFETY: the caller's pointer is good for a line.
        unsafe { from.cast::<Self::Line>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store(to: *mut u8, line: Self::Line) {
        // SAFETY: the caller's pointer is good for a line.
        unsafe { to.cast::<Self::Line>().write_unaligned(line) }
    }

    #[inline(always)]
    unsafe fn stream(to: *mut u8, line: Self::Line) {
        // SAFETY: the caller's.
        unsafe { Self::store(to, line) }
    }

    #[inline(always)]
    unsafe fn turn(line: Self::Line, by: usize) -> Self::Line {
        let mut turned = line;
        turned.as_flattened_mut().rotate_right(by);
        turned
    }

    #[inline(always)]
    unsafe fn splice(first: Self::Line, last: Self::Line, by: usize) -> Self::Line {
        let mut line = last;
        line.as_flattened_mut()[..by].copy_from_slice(&first.as_flattened()[..by]);
        line
    }

    #[inline(always)]
    unsafe fn stream_line(to: *mut u8, from: *const u8) {
        // SAFETY: both are good for 64 bytes and, one being read and the other written, apart.
        unsafe { std::ptr::copy_nonoverlapping(from, to, 64) }
    }

    #[inline(always)]
    fn prefetch(_: *const u8) {}

    #[inline(always)]
    unsafe fn fence() {}
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{FIRST, Lanes, TURNS};
    use std::arch::x86_64::*;

    /// Two lanes of AVX2.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx2;

    impl Lanes for Avx2 {
        const LANES: usize = 2;
        type Register = __m256i;
        type Line = [__m256i; 2];

        #[inline(always)]
        unsafe fn zero() -> __m256i {
            // SAFETY: the processor has AVX2.
            unsafe { _mm256_setzero_si256() }
        }

        #[inline(always)]
        unsafe fn load(at: [*const u8; 4]) -> __m256i {
            // SAFETY: the processor has AVX2, the caller's pointers are good for 16 bytes each.
            unsafe { _mm256_loadu2_m128i(at[1].cast(), at[0].cast()) }
        }

        #[inline(always)]
        unsafe fn zip_low<const W: usize>(a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: the processor has AVX2.
            unsafe {
                match W {
                    1 => _mm256_unpacklo_epi8(a, b),
                    2 => _mm256_unpacklo_epi16(a, b),
                    4 => _mm256_unpacklo_epi32(a, b),
                    _ => _mm256_unpacklo_epi64(a, b),
                }
            }
        }

        #[inline(always)]
        unsafe fn zip_high<const W: usize>(a: __m256i, b: __m256i) -> __m256i {
            // SAFETY: the processor has AVX2.
            unsafe {
                match W {
                    1 => _mm256_unpackhi_epi8(a, b),
                    2 => _mm256_unpackhi_epi16(a, b),
                    4 => _mm256_unpackhi_epi32(a, b),
                    _ => _mm256_unpackhi_epi64(a, b),
                }
            }
        }

        #[inline(always)]
        fn line(parts: [__m256i; 4]) -> Self::Line {
            [parts[0], parts[1]]
        }

        #[inline(always)]
        unsafe fn load_line(from: *const u8) -> Self::Line {
            // SAFETY: the processor has AVX2, the caller's pointer is good for a line.
            unsafe { [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(32).cast())] }
        }

        #[inline(always)]
        unsafe fn store(to: *mut u8, line: Self::Line) {
            // SAFETY: the processor has AVX2, the caller's pointer is good for a line.
            unsafe {
                _mm256_storeu_si256(to.cast(), line[0]);
                _mm256_storeu_si256(to.add(32).cast(), line[1]);
            }
        }

        #[inline(always)]
        unsafe fn stream(to: *mut u8, line: Self::Line) {
            // SAFETY: the processor has AVX2, the caller's pointer is good for a line, and aligned.
            unsafe {
                _mm256_stream_si256(to.cast(), line[0]);
                _mm256_stream_si256(to.add(32).cast(), line[1]);
            }
        }

        #[inline(always)]
        unsafe fn turn(line: Self::Line, by: usize) -> Self::Line {
            // SAFETY: the processor has AVX2.
            unsafe {
                let whole = turn_words(line, by / 4);
                if by.is_multiple_of(4) {
                    return whole;
                }
                // What passes the end of a word comes from the word before.
                let before = turn_words(line, (by / 4 + 1) % 16);
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
                let yes = FIRST.as_ptr().add(64 - by);
                let yes = [_mm256_loadu_si256(yes.cast()), _mm256_loadu_si256(yes.add(32).cast())];
                [_mm256_blendv_epi8(last[0], first[0], yes[0]), _mm256_blendv_epi8(last[1], first[1], yes[1])]
            }
        }

        #[inline(always)]
        unsafe fn stream_line(to: *mut u8, from: *const u8) {
            // SAFETY: the processor has AVX2; both are good for 64 bytes, and `to` is aligned to 64.
            unsafe {
                let (low, high) = (_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(32).cast()));
                _mm256_stream_si256(to.cast(), low);
                _mm256_stream_si256(to.add(32).cast(), high);
            }
        }

        #[inline(always)]
        fn prefetch(from: *const u8) {
            // SAFETY: the processor has SSE, and a prefetch reads nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(from.cast()) }
        }

        #[inline(always)]
        unsafe fn fence() {
            // SAFETY: the processor has SSE.
            unsafe { _mm_sfence() }
        }
    }

    /// A line turned by `by` words of 4 bytes, fewer than 16.
    #[inline(always)]
    unsafe fn turn_words(line: [__m256i; 2], by: usize) -> [__m256i; 2] {
        let k = by % 8;
        // SAFETY: the processor has AVX2; the tables have 8 numbers from `8 - k` on, and 32 bytes from `64 - 4k` on.
        unsafe {
            let half = _mm256_set1_epi32(-i32::from(by >= 8));
            let turns = _mm256_loadu_si256(TURNS.as_ptr().add(8 - k).cast());
            let wraps = _mm256_loadu_si256(FIRST.as_ptr().add(64 - 4 * k).cast());
            // Half a line on, the registers change places; so do the elements that wrap.
            let swap = _mm256_xor_si256(half, wraps);
            let a = _mm256_permutevar8x32_epi32(line[0], turns);
            let b = _mm256_permutevar8x32_epi32(line[1], turns);
            [_mm256_blendv_epi8(a, b, swap), _mm256_blendv_epi8(b, a, swap)]
        }
    }

    /// Four lanes of AVX-512.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx512;

    impl Lanes for Avx512 {
        const LANES: usize = 4;
        type Register = __m512i;
        type Line = __m512i;

        #[inline(always)]
        unsafe fn zero() -> __m512i {
            // SAFETY: the processor has AVX-512F.
            unsafe { _mm512_setzero_si512() }
        }

        #[inline(always)]
        unsafe fn load(at: [*const u8; 4]) -> __m512i {
            // SAFETY: the processor has AVX-512, the caller's pointers are good for 16 bytes each.
            unsafe {
                let low = _mm256_loadu2_m128i(at[1].cast(), at[0].cast());
                let high = _mm256_loadu2_m128i(at[3].cast(), at[2].cast());
                _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
            }
        }

        #[inline(always)]
        unsafe fn zip_low<const W: usize>(a: __m512i, b: __m512i) -> __m512i {
            // SAFETY: the processor has AVX-512F and BW.
            unsafe {
                match W {
                    1 => _mm512_unpacklo_epi8(a, b),
                    2 => _mm512_unpacklo_epi16(a, b),
                    4 => _mm512_unpacklo_epi32(a, b),
                    _ => _mm512_unpacklo_epi64(a, b),
                }
            }
        }

        #[inline(always)]
        unsafe fn zip_high<const W: usize>(a: __m512i, b: __m512i) -> __m512i {
            // SAFETY: the processor has AVX-512F and BW.
            unsafe {
                match W {
                    1 => _mm512_unpackhi_epi8(a, b),
                    2 => _mm512_unpackhi_epi16(a, b),
                    4 => _mm512_unpackhi_epi32(a, b),
                    _ => _mm512_unpackhi_epi64(a, b),
                }
            }
        }

        #[inline(always)]
        fn line(parts: [__m512i; 4]) -> Self::Line {
            parts[0]
        }

        #[inline(always)]
        unsafe fn load_line(from: *const u8) -> Self::Line {
            // SAFETY: the processor has AVX-512F, the caller's pointer is good for a line.
            unsafe { _mm512_loadu_si512(from.cast()) }
        }

        #[inline(always)]
        unsafe fn store(to: *mut u8, line: Self::Line) {
            // SAFETY: the processor has AVX-512F, the caller's pointer is good for a line.
            unsafe { _mm512_storeu_si512(to.cast(), line) }
        }

        #[inline(always)]
        unsafe fn stream(to: *mut u8, line: Self::Line) {
            // SAFETY: the processor has AVX-512F, the caller's pointer is good for a line, and aligned.
            unsafe { _mm512_stream_si512(to.cast(), line) }
        }

        #[inline(always)]
        unsafe fn turn(line: Self::Line, by: usize) -> Self::Line {
            // SAFETY: the processor has AVX-512F.
            unsafe {
                let places = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
                let words =
                    |by| _mm512_permutexvar_epi32(_mm512_sub_epi32(places, _mm512_set1_epi32(by)), line);
                let whole = words(by as i32 / 4);
                if by.is_multiple_of(4) {
                    return whole;
                }
                // What passes the end of a word comes from the word before.
                let before = words(by as i32 / 4 + 1);
                let up = _mm_cvtsi32_si128(by as i32 % 4 * 8);
                let down = _mm_cvtsi32_si128(32 - by as i32 % 4 * 8);
                _mm512_or_si512(_mm512_sll_epi32(whole, up), _mm512_srl_epi32(before, down))
            }
        }

        #[inline(always)]
        unsafe fn splice(first: Self::Line, last: Self::Line, by: usize) -> Self::Line {
            // SAFETY: the processor has AVX-512BW.
            unsafe { _mm512_mask_mov_epi8(last, (1 << by) - 1, first) }
        }

        #[inline(always)]
        unsafe fn stream_line(to: *mut u8, from: *const u8) {
            // SAFETY: the processor has AVX-512F; both are good for 64 bytes, and `to` is aligned to 64.
            unsafe { _mm512_stream_si512(to.cast(), _mm512_loadu_si512(from.cast())) }
        }

        #[inline(always)]
        fn prefetch(from: *const u8) {
            // SAFETY: the processor has SSE, and a prefetch reads nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(from.cast()) }
        }

        #[inline(always)]
        unsafe fn fence() {
            // SAFETY: the processor has SSE.
            unsafe { _mm_sfence() }
        }
    }
}

#[cfg(target_arch = "aarch64")]
pub(crate) use arm::Neon;

#[cfg(target_arch = "aarch64")]
mod arm {
    use super::Lanes;
    use std::arch::aarch64::*;

    /// One lane of NEON.
    #[derive(Clone, Copy)]
    pub(crate) struct Neon;

    impl Lanes for Neon {
        const LANES: usize = 1;
        type Register = uint8x16_t;
        type Line = [uint8x16_t; 4];

        #[inline(always)]
        unsafe fn zero() -> uint8x16_t {
            // SAFETY: the processor has NEON.
            unsafe { vdupq_n_u8(0) }
        }

        #[inline(always)]
        unsafe fn load(at: [*const u8; 4]) -> uint8x16_t {
            // SAFETY: the processor has NEON, the caller's pointer is good for 16 bytes.
            unsafe { vld1q_u8(at[0]) }
        }

        #[inline(always)]
        unsafe fn zip_low<const W: usize>(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            // SAFETY: the processor has NEON.
            unsafe {
                match W {
                    1 => vzip1q_u8(a, b),
                    2 => vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b))),
                    4 => vreinterpretq_u8_u32(vzip1q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b))),
                    _ => vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b))),
                }
            }
        }

        #[inline(always)]
        unsafe fn zip_high<const W: usize>(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            // SAFETY: the processor has NEON.
            unsafe {
                match W {
                    1 => vzip2q_u8(a, b),
                    2 => vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b))),
                    4 => vreinterpretq_u8_u32(vzip2q_u32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b))),
                    _ => vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b))),
                }
            }
        }

        #[inline(always)]
        fn line(parts: [uint8x16_t; 4]) -> Self::Line {
            parts
        }

        #[inline(always)]
        unsafe fn load_line(from: *const u8) -> Self::Line {
            // SAFETY: the caller's pointer is good for a line.
            unsafe { from.cast::<Self::Line>().read_unaligned() }
        }

        #[inline(always)]
        unsafe fn store(to: *mut u8, line: Self::Line) {
            // SAFETY: the caller's pointer is good for a line.
            unsafe { to.cast::<Self::Line>().write_unaligned(line) }
        }

        #[inline(always)]
        unsafe fn stream(to: *mut u8, line: Self::Line) {
            // SAFETY: the caller's.
            unsafe { Self::store(to, line) }
        }

        #[inline(always)]
        unsafe fn turn(line: Self::Line, by: usize) -> Self::Line {
            // SAFETY: 64 bytes are a line.
            unsafe {
                let mut bytes: [u8; 64] = std::mem::transmute(line);
                bytes.rotate_right(by);
                std::mem::transmute(bytes)
            }
        }

        #[inline(always)]
        unsafe fn splice(first: Self::Line, last: Self::Line, by: usize) -> Self::Line {
            // SAFETY: 64 bytes are a line.
            unsafe {
                let (first, mut bytes): ([u8; 64], [u8; 64]) =
                    (std::mem::transmute(first), std::mem::transmute(last));
                bytes[..by].copy_from_slice(&first[..by]);
                std::mem::transmute(bytes)
            }
        }

        #[inline(always)]
        unsafe fn stream_line(to: *mut u8, from: *const u8) {
            // SAFETY: both are good for 64 bytes and, one being read and the other written, apart.
            unsafe { std::ptr::copy_nonoverlapping(from, to, 64) }
        }

        #[inline(always)]
        fn prefetch(_: *const u8) {}

        #[inline(always)]
        unsafe fn fence() {}
    }
}

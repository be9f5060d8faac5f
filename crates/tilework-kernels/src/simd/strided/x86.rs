//! Gathers by the instructions of AVX2, and scatters by those of AVX-512.

use super::{ByLines, MAX_SCATTERED, fields};
use crate::cpu::isa::Isa;
use crate::simd::prefetch::{prefetch_l1, prefetch_to_write};
use crate::tuning::LINE;
use crate::tuning::copy::PREFETCH_BYTES;
use std::arch::x86_64::*;

/// The function for a step, which the compiler knows.
macro_rules! of_step {
    ($function:ident, $step:expr; $($known:literal)*) => {
        match $step {
            $($known => $function::<$known>,)*
            step => unreachable!("{step} is no step for vectors"),
        }
    };
    ($function:ident<$width:literal>, $step:expr; $($known:literal)*) => {
        match $step {
            $($known => $function::<$known, $width>,)*
            step => unreachable!("{step} is no step for vectors"),
        }
    };
}

pub(crate) static BY_LINES: ByLines = ByLines {
    isa: Isa::Avx2,
    gathers: |step| of_step!(gather, step; 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16),
    scatters: |width, step| match width {
        1 => of_step!(scatter<1>, step; 2 3 4 5 6 7 8),
        2 => of_step!(scatter<2>, step; 2 3 4 5 6 7 8),
        _ => of_step!(scatter<4>, step; 2 3 4 5 6 7 8),
    },
    interleaves: fields::avx2_interleaves,
    splits: fields::avx2_splits,
};

/// For all widths, which only change the tables. There is one function for each step: a loop over registers takes as long as
/// the shuffles.
///
/// # Safety
/// That of [`Gather`](super::Gather).
#[target_feature(enable = "avx2")]
#[inline(never)]
unsafe fn gather<const STEP: usize>(width: usize, from: *const u8, to: *mut u8, lines: usize, streams: bool) {
    let shuffles = shuffles::<STEP>(width);
    for line in 0..lines {
        // SAFETY: `from` is valid for `STEP` lines for each line of `to`, which is aligned where it is streamed to.
        unsafe {
            let (from, to) = (from.add(line * STEP * LINE), to.add(line * LINE).cast::<__m256i>());
            if streams {
                for i in 0..STEP {
                    prefetch_l1(from.wrapping_add(i * LINE + PREFETCH_BYTES));
                }
            }
            // No closure: it would not have the instructions.
            let low = gathered(from, &shuffles);
            let high = gathered(from.add(STEP * LINE / 2), &shuffles);
            if streams {
                _mm256_stream_si256(to, low);
                _mm256_stream_si256(to.add(1), high);
            } else {
                _mm256_storeu_si256(to, low);
                _mm256_storeu_si256(to.add(1), high);
            }
        }
    }
}

/// For each register that is read, the byte that goes to each place of a lane.
#[target_feature(enable = "avx2")]
#[inline]
fn shuffles<const STEP: usize>(width: usize) -> [__m256i; STEP] {
    // The place of each byte of a lane in the `STEP` lanes that are read for it: below 256.
    let mut places = [0; 16];
    for (i, place) in places.iter_mut().enumerate() {
        let within = i & (width - 1);
        *place = ((i - within) * STEP + within) as u8;
    }
    // SAFETY: there are 16 bytes.
    let places = unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(places.as_ptr().cast())) };
    let mut registers = [places; STEP];
    for (i, register) in registers.iter_mut().enumerate() {
        let (low, high) = (2 * i % STEP * 16, (2 * i + 1) % STEP * 16);
        // For step 2 the halves of the second register's lanes are swapped with respect to the first.
        let (low, high) = if STEP == 2 && i == 1 { (high, low) } else { (low, high) };
        let first = _mm256_set_m128i(_mm_set1_epi8(high as i8), _mm_set1_epi8(low as i8));
        // Bit 7 is set for bytes in other lanes, so that they become 0.
        *register = _mm256_adds_epu8(_mm256_sub_epi8(places, first), _mm256_set1_epi8(0x70));
    }
    registers
}

/// One register of a line, gathered from `STEP` registers.
///
/// # Safety
/// `from` is valid for reads of the registers.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn gathered<const STEP: usize>(from: *const u8, shuffles: &[__m256i; STEP]) -> __m256i {
    // SAFETY: `from` is valid for `STEP` registers.
    unsafe {
        if STEP == 2 {
            return _mm256_permute4x64_epi64::<0x9c>(together(from, shuffles));
        }
        // The first registers make up the first lane, the last ones the second; a middle one contributes to both.
        let (first, rest) = shuffles.split_at(STEP / 2);
        let (middle, second) = rest.split_at(STEP % 2);
        let low = together(from, first);
        let high = together(from.add((STEP - STEP / 2) * 32), second);
        let even = _mm256_permute2x128_si256::<0x20>(low, high);
        let odd = _mm256_permute2x128_si256::<0x31>(low, high);
        _mm256_or_si256(_mm256_or_si256(even, odd), together(from.add(STEP / 2 * 32), middle))
    }
}

/// The bytes of some registers, each shuffled.
///
/// # Safety
/// `from` is valid for reads of as many registers.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn together(from: *const u8, shuffles: &[__m256i]) -> __m256i {
    let mut all = _mm256_setzero_si256();
    for (i, &shuffle) in shuffles.iter().enumerate() {
        // SAFETY: `from` is valid for as many registers.
        let register = unsafe { _mm256_loadu_si256(from.add(i * 32).cast()) };
        all = _mm256_or_si256(all, _mm256_shuffle_epi8(register, shuffle));
    }
    all
}

/// How a line of elements is scattered.
struct Scattering {
    /// For each line written, the element that goes to each place, in the first byte of the place.
    places: [[u8; LINE]; MAX_SCATTERED],
    /// The elements that are written.
    masks: [u64; MAX_SCATTERED],
    /// For bytes: the offset from which half a line is read.
    starts: [usize; MAX_SCATTERED],
}

const fn scattering(width: usize, step: usize) -> Scattering {
    // At most one of two bytes is written, so that bytes are permuted as pairs.
    let (count, unit) = (LINE / width, if width == 1 { 2 } else { width });
    let mut by = Scattering {
        places: [[0; LINE]; MAX_SCATTERED],
        masks: [0; MAX_SCATTERED],
        starts: [0; MAX_SCATTERED],
    };
    let mut i = 0;
    while i < step {
        // The first element in the line, and its place.
        let element = (i * count).div_ceil(step);
        let mut place = element * step - i * count;
        while place < count {
            by.masks[i] |= 1 << place;
            place += step;
        }
        if width == 1 {
            by.starts[i] = if element < LINE / 2 { element } else { LINE / 2 };
        }
        let mut at = 0;
        while at < LINE {
            let last = i * count + (at + unit) / width - 1;
            by.places[i][at] = (last / step).wrapping_sub(by.starts[i]) as u8;
            at += unit;
        }
        i += 1;
    }
    by
}

/// Scatters lines by masked stores. The next lines of the destination are prefetched, since they are read before they are written.
///
/// # Safety
/// That of [`Scatter`](super::Scatter).
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2")]
#[inline(never)]
unsafe fn scatter<const STEP: usize, const W: usize>(from: *const u8, to: *mut u8, lines: usize) {
    let by = const { &scattering(W, STEP) };
    for line in 0..lines {
        // SAFETY: `from` is valid for the lines, and only the elements at the steps are written.
        unsafe {
            let (from, to) = (from.add(line * LINE), to.add(line * STEP * LINE));
            for i in 0..STEP {
                prefetch_to_write(to.wrapping_add(i * LINE + PREFETCH_BYTES));
            }
            let all = _mm512_loadu_si512(from.cast());
            for i in 0..STEP {
                let (to, mask) = (to.add(i * LINE), by.masks[i]);
                let places = _mm512_loadu_si512(by.places[i].as_ptr().cast());
                match W {
                    1 => {
                        let half = _mm256_loadu_si256(from.add(by.starts[i]).cast());
                        let words = _mm512_permutexvar_epi16(places, _mm512_cvtepu8_epi16(half));
                        let bytes = _mm512_or_si512(words, _mm512_slli_epi16::<8>(words));
                        _mm512_mask_storeu_epi8(to.cast(), mask, bytes);
                    }
                    2 => {
                        let words = _mm512_permutexvar_epi16(places, all);
                        _mm512_mask_storeu_epi16(to.cast(), mask as u32, words);
                    }
                    _ => {
                        let words = _mm512_permutexvar_epi32(places, all);
                        _mm512_mask_storeu_epi32(to.cast(), mask as u16, words);
                    }
                }
            }
        }
    }
}

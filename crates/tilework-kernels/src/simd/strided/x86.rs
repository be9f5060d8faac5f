//! Gathers and scatters by the instructions of AVX2 and AVX-512.

use super::{MAX_STEP, Strided};
use crate::simd::lanes::{Avx2, Avx512};
use crate::tuning::LINE;
use std::arch::x86_64::*;

/// For each register that is read, the byte that goes to each place of a lane.
#[derive(Clone, Copy)]
pub(crate) struct Shuffles {
    step: usize,
    registers: [__m256i; MAX_STEP],
}

// SAFETY: every operation is one of AVX2.
unsafe impl Strided for Avx2 {
    const GATHERS: bool = true;
    type Gather = Shuffles;
    // AVX2 has no stores of single elements of a register: they are scattered without vectors.
    type Scatter = ();

    #[inline(always)]
    unsafe fn gathering<const W: usize>(step: usize) -> Shuffles {
        // The place of each byte of a lane in the `step` lanes that are read for it: below 256.
        let mut places = [0; 16];
        for (i, place) in places.iter_mut().enumerate() {
            *place = (i / W * step * W + i % W) as u8;
        }
        // SAFETY: the processor has AVX2.
        unsafe {
            let places = _mm256_broadcastsi128_si256(_mm_loadu_si128(places.as_ptr().cast()));
            let mut registers = [places; MAX_STEP];
            for (i, register) in registers.iter_mut().enumerate().take(step) {
                let (low, high) = (2 * i % step * 16, (2 * i + 1) % step * 16);
                // For step 2 the halves of the second register's lanes are swapped with respect to the first.
                let (low, high) = if step == 2 && i == 1 { (high, low) } else { (low, high) };
                let first = _mm256_set_m128i(_mm_set1_epi8(high as i8), _mm_set1_epi8(low as i8));
                // Bit 7 is set for bytes in other lanes, so that they become 0.
                *register = _mm256_adds_epu8(_mm256_sub_epi8(places, first), _mm256_set1_epi8(0x70));
            }
            Shuffles { step, registers }
        }
    }

    #[inline(always)]
    unsafe fn gather<const W: usize>(from: *const u8, by: &Shuffles) -> [__m256i; 2] {
        // SAFETY: the processor has AVX2, and `from` is valid for `step` lines.
        unsafe { [half(from, by), half(from.add(by.step * LINE / 2), by)] }
    }

    unsafe fn scattering<const W: usize>(_: usize) {}
    unsafe fn scatter<const W: usize>(_: *const u8, _: *mut u8, (): &()) {
        unreachable!("elements are not scattered by vectors")
    }
}

/// One register of a line, gathered from `step` registers.
///
/// # Safety
/// The processor has AVX2, and `from` is valid for reads of the registers.
#[inline(always)]
unsafe fn half(from: *const u8, Shuffles { step, registers }: &Shuffles) -> __m256i {
    let registers = &registers[..*step];
    // SAFETY: the processor has AVX2, and `from` is valid for `step` registers.
    unsafe {
        if *step == 2 {
            return _mm256_permute4x64_epi64::<0x9c>(together(from, registers));
        }
        // The first registers make up the first lane, the last ones the second; a middle one contributes to both.
        let (first, rest) = registers.split_at(step / 2);
        let (middle, second) = rest.split_at(step % 2);
        let low = together(from, first);
        let high = together(from.add((step - step / 2) * 32), second);
        let even = _mm256_permute2x128_si256::<0x20>(low, high);
        let odd = _mm256_permute2x128_si256::<0x31>(low, high);
        _mm256_or_si256(_mm256_or_si256(even, odd), together(from.add(step / 2 * 32), middle))
    }
}

/// The bytes of some registers, each shuffled.
///
/// # Safety
/// As for [`half`].
#[inline(always)]
unsafe fn together(from: *const u8, shuffles: &[__m256i]) -> __m256i {
    // SAFETY: the processor has AVX2, and `from` is valid for as many registers.
    unsafe {
        let mut all = _mm256_setzero_si256();
        for (i, &shuffle) in shuffles.iter().enumerate() {
            let register = _mm256_loadu_si256(from.add(i * 32).cast());
            all = _mm256_or_si256(all, _mm256_shuffle_epi8(register, shuffle));
        }
        all
    }
}

/// The element of each line read that goes to each place.
#[derive(Clone, Copy)]
pub(crate) struct Permutation {
    step: usize,
    /// The places of the elements, counted from the first line, an instruction uses the low bits that it needs.
    places: __m512i,
    /// The elements that are in a line or after it.
    masks: [u64; MAX_STEP],
    /// For bytes, which this set cannot permute across lanes.
    bytes: Shuffles,
}

/// The element of the line that goes to each place of each line written.
#[derive(Clone, Copy)]
pub(crate) struct Expansion {
    step: usize,
    places: [__m512i; MAX_STEP],
    /// The elements that are written.
    masks: [u64; MAX_STEP],
    /// For bytes: the offset from which half a line is read.
    starts: [usize; MAX_STEP],
}

/// The numbers from 0 on, of 2 bytes.
const WORDS: [u16; 32] = {
    let mut words = [0; 32];
    let mut i = 0;
    while i < 32 {
        words[i] = i as u16;
        i += 1;
    }
    words
};

/// The numbers of the elements of a line, in 2, 4 or 8 bytes; for bytes, of the elements of half a line.
#[inline(always)]
unsafe fn numbers<const W: usize>() -> __m512i {
    let words = WORDS.as_ptr();
    // SAFETY: the processor has AVX-512, and there are 32 words.
    unsafe {
        match W {
            4 => _mm512_cvtepu16_epi32(_mm256_loadu_si256(words.cast())),
            8 => _mm512_cvtepu16_epi64(_mm_loadu_si128(words.cast())),
            _ => _mm512_loadu_si512(words.cast()),
        }
    }
}

/// A number below 65536 in each element of 2, 4 or 8 bytes.
#[inline(always)]
unsafe fn splat<const W: usize>(number: usize) -> __m512i {
    // SAFETY: the processor has AVX-512.
    unsafe {
        match W {
            4 => _mm512_set1_epi32(number as i32),
            8 => _mm512_set1_epi64(number as i64),
            _ => _mm512_set1_epi16(number as i16),
        }
    }
}

// SAFETY: every operation is one of AVX-512 F, BW and DQ, or of AVX2, which those processors have.
unsafe impl Strided for Avx512 {
    const GATHERS: bool = true;
    const SCATTERS: bool = true;
    type Gather = Permutation;
    type Scatter = Expansion;

    #[inline(always)]
    unsafe fn gathering<const W: usize>(step: usize) -> Permutation {
        let mut masks = [0; MAX_STEP];
        for (i, mask) in masks.iter_mut().enumerate().take(step) {
            *mask = !0 << (i * LINE / W).div_ceil(step);
        }
        // SAFETY: the processor has the instructions.
        unsafe {
            let places = _mm512_mullo_epi16(numbers::<W>(), splat::<W>(step));
            Permutation { step, places, masks, bytes: Avx2::gathering::<W>(step) }
        }
    }

    #[inline(always)]
    unsafe fn gather<const W: usize>(from: *const u8, by: &Permutation) -> __m512i {
        let Permutation { step, places, masks, bytes } = by;
        // SAFETY: the processor has the instructions, and `from` is valid for `step` lines, at least 2.
        unsafe {
            if W == 1 {
                let [low, high] = Avx2::gather::<W>(from, bytes);
                return _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            }
            let (first, second) =
                (_mm512_loadu_si512(from.cast()), _mm512_loadu_si512(from.add(LINE).cast()));
            let mut line = match W {
                2 => _mm512_permutex2var_epi16(first, *places, second),
                4 => _mm512_permutex2var_epi32(first, *places, second),
                _ => _mm512_permutex2var_epi64(first, *places, second),
            };
            for (i, &mask) in masks[..*step].iter().enumerate().skip(2) {
                let next = _mm512_loadu_si512(from.add(i * LINE).cast());
                line = match W {
                    2 => _mm512_mask_permutexvar_epi16(line, mask as u32, *places, next),
                    4 => _mm512_mask_permutexvar_epi32(line, mask as u16, *places, next),
                    _ => _mm512_mask_permutexvar_epi64(line, mask as u8, *places, next),
                };
            }
            line
        }
    }

    #[inline(always)]
    unsafe fn scattering<const W: usize>(step: usize) -> Expansion {
        let count = LINE / W;
        // SAFETY: the processor has the instructions.
        unsafe {
            let zero = _mm512_setzero_si512();
            let mut by =
                Expansion { step, places: [zero; MAX_STEP], masks: [0; MAX_STEP], starts: [0; MAX_STEP] };
            let every = (0..count).step_by(step).fold(0u64, |every, i| every | 1 << i);
            // The quotient of a number below 1024 is the upper half of its product with this.
            let inverse = splat::<W>(65536usize.div_ceil(step));
            for i in 0..step {
                // The first element in the line, and its index.
                let element = (i * count).div_ceil(step);
                let place = element * step - i * count;
                by.masks[i] = every << place;
                // At most one of two bytes is written, so that bytes are permuted as pairs.
                let (numbers, first) = if W == 1 {
                    let pairs = _mm512_add_epi16(numbers::<W>(), numbers::<W>());
                    (pairs, i * count + 1)
                } else {
                    (numbers::<W>(), i * count)
                };
                if W == 1 {
                    by.starts[i] = element.min(count / 2);
                }
                let numbers = _mm512_add_epi16(numbers, splat::<W>(first));
                let quotients = _mm512_mulhi_epu16(numbers, inverse);
                by.places[i] = _mm512_sub_epi16(quotients, splat::<W>(by.starts[i]));
            }
            by
        }
    }

    #[inline(always)]
    unsafe fn scatter<const W: usize>(from: *const u8, to: *mut u8, by: &Expansion) {
        let Expansion { step, places, masks, starts } = by;
        // SAFETY: the processor has the instructions, `from` is valid for a line, and only the elements at the steps
        // are written.
        unsafe {
            let line = _mm512_loadu_si512(from.cast());
            for i in 0..*step {
                let (to, mask) = (to.add(i * LINE), masks[i]);
                if W == 1 {
                    let words = _mm512_cvtepu8_epi16(_mm256_loadu_si256(from.add(starts[i]).cast()));
                    let words = _mm512_permutexvar_epi16(places[i], words);
                    let bytes = _mm512_or_si512(words, _mm512_slli_epi16::<8>(words));
                    _mm512_mask_storeu_epi8(to.cast(), mask, bytes);
                    continue;
                }
                match W {
                    2 => _mm512_mask_storeu_epi16(
                        to.cast(),
                        mask as u32,
                        _mm512_permutexvar_epi16(places[i], line),
                    ),
                    4 => _mm512_mask_storeu_epi32(
                        to.cast(),
                        mask as u16,
                        _mm512_permutexvar_epi32(places[i], line),
                    ),
                    _ => _mm512_mask_storeu_epi64(
                        to.cast(),
                        mask as u8,
                        _mm512_permutexvar_epi64(places[i], line),
                    ),
                }
            }
        }
    }
}

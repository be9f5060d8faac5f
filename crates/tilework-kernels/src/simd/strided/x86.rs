//! Gathers and scatters by the instructions of AVX2 and AVX-512.

use super::{ByLines, Gather, MAX_SCATTERED, MAX_STEP, Strided, fields, one_by_one};
use crate::cpu::isa::Isa;
use crate::simd::lanes::{Avx2, Avx512, Lanes};
use crate::simd::prefetch::{prefetch_l1, prefetch_to_write};
use crate::tuning::LINE;
use crate::tuning::copy::PREFETCH_BYTES;
use std::arch::x86_64::*;

pub(crate) static AVX2: ByLines = ByLines {
    isa: Isa::Avx2,
    gathers: avx2_gathers,
    interleaves: fields::avx2_interleaves,
    splits: fields::avx2_splits,
};
/// They need VBMI.
pub(crate) static AVX512: ByLines = ByLines {
    isa: Isa::Avx512,
    gathers: avx512_gathers,
    interleaves: fields::avx512_interleaves,
    splits: fields::avx512_splits,
};

// SAFETY: every operation is one of AVX2.
unsafe impl Strided for Avx2 {
    // AVX2 has no stores of single elements of a register: they are scattered without vectors.
    const GATHERS: bool = true;
}

/// The function for a step, which the compiler knows.
macro_rules! of_step {
    ($function:ident, $step:expr; $($known:literal)*) => {
        match $step {
            $($known => $function::<$known>,)*
            step => unreachable!("{step} is no step for vectors"),
        }
    };
}

fn avx2_gathers(step: usize) -> Gather {
    of_step!(gather, step; 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
}

fn avx512_gathers(step: usize) -> Gather {
    of_step!(gather_masked, step; 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
}

/// For all widths, which only change the tables. There is one function for each step: a loop over registers takes as long as
/// the shuffles.
///
/// # Safety
/// That of [`Gather`].
#[target_feature(enable = "avx2")]
#[inline(never)]
unsafe fn gather<const STEP: usize>(width: usize, from: *const u8, to: *mut u8, count: usize, streams: bool) {
    let shuffles = shuffles::<STEP>(width);
    // A whole line is read only if an element follows it.
    let lines = (count - 1) / (LINE / width);
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
    let first = lines * (LINE / width);
    // SAFETY: both are valid for the elements.
    unsafe { gather_rest(width, STEP, from.add(first * STEP * width), to.add(first * width), count - first) }
}

/// Gathers elements one by one, compiled once for all steps.
///
/// # Safety
/// That of [`Gather`].
#[inline(never)]
unsafe fn gather_rest(width: usize, step: usize, from: *const u8, to: *mut u8, count: usize) {
    let steps = [step * width, width].map(|step| step as isize);
    // SAFETY: both are valid for the elements.
    unsafe {
        match width {
            1 => one_by_one::<1>(from, to, 0..count, steps),
            2 => one_by_one::<2>(from, to, 0..count, steps),
            4 => one_by_one::<4>(from, to, 0..count, steps),
            _ => one_by_one::<8>(from, to, 0..count, steps),
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

/// Where the elements of a gathered line are read.
#[derive(Clone, Copy)]
struct Gathering {
    /// For each byte, its place in a line, whichever line that is.
    places: [u8; LINE],
    /// The bytes of each line that is read.
    masks: [u64; MAX_STEP],
}

/// By the step, and the logarithm of the width.
static GATHERINGS: [[Gathering; 4]; MAX_STEP + 1] = {
    let mut all = [[Gathering { places: [0; LINE], masks: [0; MAX_STEP] }; 4]; MAX_STEP + 1];
    let mut i = 0;
    while i < 4 * LINE * MAX_STEP {
        let (byte, log, step) = (i % LINE, i / LINE % 4, i / LINE / 4 + 1);
        let from = (byte >> log << log) * step + byte % (1 << log);
        all[step][log].places[byte] = (from % LINE) as u8;
        all[step][log].masks[from / LINE] |= 1 << byte;
        i += 1;
    }
    all
};

/// By AVX-512 with VBMI: the same permutation of every line that is read, of which a mask takes the elements.
///
/// # Safety
/// That of [`Gather`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline(never)]
unsafe fn gather_masked<const STEP: usize>(
    width: usize,
    from: *const u8,
    to: *mut u8,
    count: usize,
    streams: bool,
) {
    let by = &GATHERINGS[STEP][width.ilog2() as usize];
    // The elements of the last line may be followed by memory that is not valid.
    let lines = (count - 1) / (LINE / width);
    // SAFETY: `from` is valid for `STEP` lines for each line of `to`, which is aligned where it is streamed to.
    unsafe {
        let places = _mm512_loadu_si512(by.places.as_ptr().cast());
        for line in 0..lines {
            let (from, to) = (from.add(line * STEP * LINE), to.add(line * LINE));
            if streams {
                for i in 0..STEP {
                    prefetch_l1(from.wrapping_add(i * LINE + PREFETCH_BYTES));
                }
            }
            let mut all = _mm512_setzero_si512();
            for (i, &mask) in by.masks[..STEP].iter().enumerate() {
                let read = _mm512_loadu_si512(from.add(i * LINE).cast());
                all = _mm512_mask_permutexvar_epi8(all, mask, places, read);
            }
            Avx512::put(to, all, streams)
        }
        let first = lines * (LINE / width);
        gather_few(by, STEP, width, from.add(first * STEP * width), to.add(first * width), count - first);
    }
}

/// Gathers at most a line of elements; it reads from the first to the last one.
///
/// # Safety
/// That of [`Gather`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
#[inline(never)]
unsafe fn gather_few(by: &Gathering, step: usize, width: usize, from: *const u8, to: *mut u8, count: usize) {
    let first = |bytes: usize| u64::MAX >> (LINE - bytes);
    let bytes = ((count - 1) * step + 1) * width;
    // SAFETY: both are valid for the elements, and nothing behind them is accessed.
    unsafe {
        let places = _mm512_loadu_si512(by.places.as_ptr().cast());
        let mut all = _mm512_setzero_si512();
        for (at, &mask) in (0..bytes).step_by(LINE).zip(&by.masks) {
            let read = _mm512_maskz_loadu_epi8(first((bytes - at).min(LINE)), from.add(at).cast());
            all = _mm512_mask_permutexvar_epi8(all, mask, places, read);
        }
        _mm512_mask_storeu_epi8(to.cast(), first(count * width), all);
    }
}

/// The element of the line that goes to each place of each line written.
#[derive(Clone, Copy)]
struct Expansion {
    step: usize,
    places: [__m512i; MAX_SCATTERED],
    /// The elements that are written.
    masks: [u64; MAX_SCATTERED],
    /// For bytes: the offset from which half a line is read.
    starts: [usize; MAX_SCATTERED],
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

    #[inline(always)]
    unsafe fn scatter<const W: usize>(step: usize, from: *const u8, to: *mut u8, lines: usize) {
        // SAFETY: the processor has the instructions, `from` is valid for the lines, and `to` for their elements.
        unsafe {
            let by = scattering::<W>(step);
            for line in 0..lines {
                let to = to.add(line * step * LINE);
                for i in 0..step {
                    prefetch_to_write(to.wrapping_add(i * LINE + PREFETCH_BYTES));
                }
                scatter::<W>(from.add(line * LINE), to, &by);
            }
        }
    }
}

/// The constants of [`scatter`] for a step.
///
/// # Safety
/// The processor has AVX-512.
#[inline(always)]
unsafe fn scattering<const W: usize>(step: usize) -> Expansion {
    let count = LINE / W;
    // SAFETY: the processor has the instructions.
    unsafe {
        let zero = _mm512_setzero_si512();
        let mut by = Expansion {
            step,
            places: [zero; MAX_SCATTERED],
            masks: [0; MAX_SCATTERED],
            starts: [0; MAX_SCATTERED],
        };
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

/// Writes the elements of the line at `from` to `to` with a constant step, and nothing between them.
///
/// # Safety
/// The processor has AVX-512, `from` is valid for a line, and `to` for its elements.
#[inline(always)]
unsafe fn scatter<const W: usize>(from: *const u8, to: *mut u8, by: &Expansion) {
    let Expansion { step, places, masks, starts } = by;
    // SAFETY: the processor has the instructions, `from` is valid for a line, and only the elements at the steps are written.
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
                _ => {
                    _mm512_mask_storeu_epi64(to.cast(), mask as u8, _mm512_permutexvar_epi64(places[i], line))
                }
            }
        }
    }
}

//! The plain loop that every transpose has to beat: squares in registers, the columns of one cache line side by side, all
//! rows of them before the next columns, and whole lines stored through the caches or past them.

use std::arch::x86_64::*;

/// Writes the transpose of `n` columns, each of `m` contiguous elements of 2, 4 or 8 bytes, without gaps; past the caches if
/// `streamed`, for which rows have to be whole lines. Whether it can.
///
/// # Safety
/// Both pointers are valid for the `m n` elements, and the places do not overlap.
pub unsafe fn transpose(
    width: usize,
    wide: bool,
    streamed: bool,
    from: *const u8,
    to: *mut u8,
    [m, n]: [usize; 2],
) -> bool {
    let known = if wide { is_x86_feature_detected!("avx512bw") } else { is_x86_feature_detected!("avx2") };
    let fits = !streamed || (n * width).is_multiple_of(64) && (to as usize).is_multiple_of(64);
    if !known || !fits {
        return false;
    }
    // SAFETY: the processor has the instructions, and the pointers are valid as this function demands.
    unsafe {
        match (width, wide) {
            (2, false) => avx2::<2, 8>(streamed, from, to, m, n),
            (4, false) => avx2::<4, 4>(streamed, from, to, m, n),
            (8, false) => avx2::<8, 2>(streamed, from, to, m, n),
            (2, true) => avx512::<2, 8>(streamed, from, to, m, n),
            (4, true) => avx512::<4, 4>(streamed, from, to, m, n),
            (8, true) => avx512::<8, 2>(streamed, from, to, m, n),
            _ => return false,
        }
        _mm_sfence();
    }
    true
}

/// A line is `$parts` registers of `$lanes` lanes of 16 bytes, in each of which there is a part of a column, `SIDE` elements.
/// Zipping `SIDE` lines transposes all their lanes; moving whole lanes between four groups does the rest.
macro_rules! plain {
    ($name:ident, $features:literal, $register:ty, $parts:literal, $load:ident, $stream:ident, $store:ident, $lanes:expr,
     $($width:literal: $low:ident $high:ident,)*) => {
        /// # Safety
        /// As for [`transpose`], and the processor has the instructions.
        #[target_feature(enable = $features)]
        unsafe fn $name<const W: usize, const SIDE: usize>(
            streamed: bool, from: *const u8, to: *mut u8, m: usize, n: usize,
        ) {
            const PART: usize = 64 / $parts;
            let zip = |a: [$register; $parts], b: [$register; $parts]| -> [[$register; $parts]; 2] {
                let zipped: [[$register; 2]; $parts] = std::array::from_fn(|part| match W {
                    $($width => [$low(a[part], b[part]), $high(a[part], b[part])],)*
                    _ => unreachable!(),
                });
                [zipped.map(|[low, _]| low), zipped.map(|[_, high]| high)]
            };
            let group = |first: *const u8| -> [[$register; $parts]; SIDE] {
                // SAFETY: each column has the rows of the square.
                let at = |i: usize, part: usize| unsafe { $load(first.add(i * m * W + part * PART).cast()) };
                let mut lines: [[$register; $parts]; SIDE] =
                    std::array::from_fn(|i| std::array::from_fn(|part| at(i, part)));
                let mut step = 1;
                while step < SIDE {
                    let before = lines;
                    for i in 0..SIDE / 2 {
                        [lines[2 * i], lines[2 * i + 1]] = zip(before[i], before[i + SIDE / 2]);
                    }
                    step *= 2;
                }
                lines
            };
            let line = 64 / W;
            let (rows, columns) = (m / line * line, n / line * line);
            for column in (0..columns).step_by(line) {
                for row in (0..rows).step_by(line) {
                    // SAFETY: the square is a part of the matrix.
                    let first = |i: usize| unsafe { from.add(((column + i * SIDE) * m + row) * W) };
                    let groups = [group(first(0)), group(first(1)), group(first(2)), group(first(3))];
                    for i in 0..SIDE {
                        let lines: [[$register; $parts]; 4] = $lanes(groups.map(|group| group[i]));
                        for (lane, line) in lines.into_iter().enumerate() {
                            // SAFETY: the same of the destination.
                            let to = unsafe { to.add(((row + lane * SIDE + i) * n + column) * W) };
                            for (part, register) in line.into_iter().enumerate() {
                                // SAFETY: a line consists of these registers.
                                let to = unsafe { to.add(part * PART).cast() };
                                // SAFETY: the register belongs to the row, and what is streamed is aligned.
                                unsafe { if streamed { $stream(to, register) } else { $store(to, register) } }
                            }
                        }
                    }
                }
            }
            // SAFETY: the element is one of the matrix.
            let element = |row: usize, column: usize| unsafe {
                from.add((column * m + row) * W).copy_to_nonoverlapping(to.add((row * n + column) * W), W);
            };
            (rows..m).for_each(|row| (0..n).for_each(|column| element(row, column)));
            (0..rows).for_each(|row| (columns..n).for_each(|column| element(row, column)));
        }
    };
}

plain!(
    avx2, "avx2", __m256i, 2, _mm256_loadu_si256, _mm256_stream_si256, _mm256_storeu_si256,
    |[a, b, c, d]: [[__m256i; 2]; 4]| {
        let low = |a, b| _mm256_permute2x128_si256::<0x20>(a, b);
        let high = |a, b| _mm256_permute2x128_si256::<0x31>(a, b);
        [
            [low(a[0], b[0]), low(c[0], d[0])],
            [high(a[0], b[0]), high(c[0], d[0])],
            [low(a[1], b[1]), low(c[1], d[1])],
            [high(a[1], b[1]), high(c[1], d[1])],
        ]
    },
    2: _mm256_unpacklo_epi16 _mm256_unpackhi_epi16,
    4: _mm256_unpacklo_epi32 _mm256_unpackhi_epi32,
    8: _mm256_unpacklo_epi64 _mm256_unpackhi_epi64,
);
plain!(
    avx512, "avx512f,avx512bw", __m512i, 1, _mm512_loadu_si512, _mm512_stream_si512, _mm512_storeu_si512,
    |[[a], [b], [c], [d]]: [[__m512i; 1]; 4]| {
        let [low, high] = [_mm512_shuffle_i32x4::<0x44>(a, b), _mm512_shuffle_i32x4::<0xee>(a, b)];
        let [next_low, next_high] = [_mm512_shuffle_i32x4::<0x44>(c, d), _mm512_shuffle_i32x4::<0xee>(c, d)];
        [
            [_mm512_shuffle_i32x4::<0x88>(low, next_low)],
            [_mm512_shuffle_i32x4::<0xdd>(low, next_low)],
            [_mm512_shuffle_i32x4::<0x88>(high, next_high)],
            [_mm512_shuffle_i32x4::<0xdd>(high, next_high)],
        ]
    },
    2: _mm512_unpacklo_epi16 _mm512_unpackhi_epi16,
    4: _mm512_unpacklo_epi32 _mm512_unpackhi_epi32,
    8: _mm512_unpacklo_epi64 _mm512_unpackhi_epi64,
);

/// Reads and writes the lines of a gather, whose elements are a `step` of lines apart for each line that is written, or with
/// `scatters`, of a scatter; `lines` are those of the side without gaps. Past the caches if `streamed`, for gathers only. Whether it can.
///
/// # Safety
/// Both pointers are valid for their lines.
pub unsafe fn lines(
    scatters: bool,
    streamed: bool,
    from: *const u8,
    to: *mut u8,
    lines: usize,
    step: usize,
) -> bool {
    if !is_x86_feature_detected!("avx2") || scatters && streamed || !(to as usize).is_multiple_of(64) {
        return false;
    }
    // SAFETY: the processor has the instructions, and the pointers are valid as this function demands.
    unsafe {
        match (scatters, streamed) {
            (true, _) => scattered(from, to, lines, step),
            (false, false) => gathered::<false>(from, to, lines, step),
            (false, true) => gathered::<true>(from, to, lines, step),
        }
        _mm_sfence();
    }
    true
}

/// How many bytes before it is used memory is prefetched.
const AHEAD: usize = 2 << 10;

/// # Safety
/// As for [`lines`], and the processor has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn gathered<const STREAMED: bool>(from: *const u8, to: *mut u8, lines: usize, step: usize) {
    for line in 0..lines {
        // SAFETY: the lines are those that are read and written.
        unsafe {
            let from = from.add(line * step * 64);
            let (mut low, mut high) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            for i in 0..step {
                let at = from.add(i * 64);
                if STREAMED {
                    _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(AHEAD).cast());
                }
                low = _mm256_xor_si256(low, _mm256_loadu_si256(at.cast()));
                high = _mm256_xor_si256(high, _mm256_loadu_si256(at.add(32).cast()));
            }
            let to = to.add(line * 64);
            for (part, to) in [(low, to), (high, to.add(32))] {
                if STREAMED {
                    _mm256_stream_si256(to.cast(), part)
                } else {
                    _mm256_storeu_si256(to.cast(), part)
                }
            }
        }
    }
}

/// # Safety
/// As for [`lines`], and the processor has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn scattered(from: *const u8, to: *mut u8, lines: usize, step: usize) {
    for line in 0..lines {
        // SAFETY: the lines are those that are read and written.
        unsafe {
            let part = _mm256_loadu_si256(from.add(line * 64).cast());
            for i in 0..step {
                let to = to.add((line * step + i) * 64);
                _mm_prefetch::<_MM_HINT_ET0>(to.wrapping_add(AHEAD).cast());
                _mm_storel_epi64(to.cast(), _mm256_castsi256_si128(part));
            }
        }
    }
}

/// Moves the lines of structures to `count` arrays of `bytes` bytes, a line to each in turn, or with `splits` unset those of arrays
/// to structures. Past the caches if `streamed`, for which arrays have to be whole lines. Whether it can.
///
/// # Safety
/// Both pointers are valid for the bytes of all arrays.
pub unsafe fn fields(
    splits: bool,
    streamed: bool,
    from: *const u8,
    to: *mut u8,
    [count, bytes]: [usize; 2],
) -> bool {
    let fits = (to as usize).is_multiple_of(64) && (!splits || bytes.is_multiple_of(64));
    if !is_x86_feature_detected!("avx2") || streamed && !fits {
        return false;
    }
    macro_rules! by_count {
        ($($count:literal)*) => {
            match (count, streamed) {
                $(
                    ($count, false) => moved::<$count, false>(splits, from, to, bytes),
                    ($count, true) => moved::<$count, true>(splits, from, to, bytes),
                )*
                _ => return false,
            }
        };
    }
    // SAFETY: the processor has the instructions, and the pointers are valid as this function demands.
    unsafe {
        by_count!(2 3 4 5 6 7 8);
        _mm_sfence();
    }
    true
}

/// # Safety
/// As for [`fields`], and the processor has AVX2.
#[target_feature(enable = "avx2")]
unsafe fn moved<const COUNT: usize, const STREAMED: bool>(
    splits: bool,
    from: *const u8,
    to: *mut u8,
    bytes: usize,
) {
    let [from_steps, to_steps] =
        if splits { [[COUNT * 64, 64], [64, bytes]] } else { [[64, bytes], [COUNT * 64, 64]] };
    for line in 0..bytes / 64 {
        for field in 0..COUNT {
            // SAFETY: the lines are those that are read and written.
            unsafe {
                let from = from.add(line * from_steps[0] + field * from_steps[1]);
                let to = to.add(line * to_steps[0] + field * to_steps[1]);
                if STREAMED {
                    _mm_prefetch::<_MM_HINT_T0>(from.wrapping_add(AHEAD).cast());
                }
                for part in [0, 32] {
                    let half = _mm256_loadu_si256(from.add(part).cast());
                    let to = to.add(part).cast();
                    if STREAMED { _mm256_stream_si256(to, half) } else { _mm256_storeu_si256(to, half) }
                }
            }
        }
    }
}

//! Structures of 3, 5, 6 or 7 fields to arrays, and back, by the instructions of AVX2.
//!
//! `M` is odd, and a register has a power of two of units. Of `M` contiguous registers, unit `p` of register `j` is of field
//! `(j E + p) mod M`, where `E` is the number of units of a register. So each field occurs once at each place `p`, and what
//! differs between the places is by how many registers the fields are rotated, `v(p)` with `v(p) E = p mod M`. As in a barrel
//! shifter, blends rotate by 1, 2 and 4 where `v(p)` has that bit; then a permutation puts each field in order:
//!
//! ```text
//! a0 b0 c0 a1      a0 b3 c0 a1      a0 a3 a2 a1      a0 a1 a2 a3
//! b1 c1 a2 b2      b1 b0 a2 b2      b1 b0 b3 b2      b0 b1 b2 b3
//! c2 a3 b3 c3      c2 c1 b3 c3      c2 c1 c0 c3      c0 c1 c2 c3
//! ```
//!
//! The inverse, from arrays to structures, permutes first and rotates back. Six fields are three pairs of fields: the
//! permutation separates the fields of a pair, and two registers of each become one of each field. Tables of bytes serve
//! elements of all widths.
//!
//! AVX2 blends units of 2 bytes twice as fast as bytes. Two structures of `M` bytes are one of `2 M`, `M` pairs: byte `f` of the
//! first is in pair `f / 2`, that of the second in pair `(f + M) / 2`, and zipping the two gives field `f`.

use super::{Interleave, Split};
use crate::simd::prefetch::prefetch_l1;
use crate::simd::unrolled;
use crate::tuning::LINE;
use crate::tuning::copy::{PREFETCH_BYTES, PREFETCHED_ARRAYS};
use std::arch::x86_64::*;
use std::hint::black_box;

/// The bytes of a lane.
const LANE: usize = 16;

/// How the lanes of `M` registers are rotated and permuted.
struct Tables<const M: usize> {
    /// For each register after the rotation, its field.
    fields: [usize; M],
    /// The inverse.
    registers: [usize; M],
    /// For each bit of the rotations, the bytes that have it.
    rotated: [[u8; LANE]; 3],
    /// For each register, the byte that goes to each place of its field.
    ordered: [[u8; LANE]; M],
    /// The inverse.
    restored: [[u8; LANE]; M],
}

impl<const M: usize> Tables<M> {
    /// For each register after the rotation, the pointers of its fields.
    #[inline(always)]
    fn arrays<P: Copy, const PAIR: usize>(&self, of_field: impl Fn(usize) -> P) -> [[P; PAIR]; M] {
        let mut arrays = [[of_field(0); PAIR]; M];
        for (register, array) in arrays.iter_mut().enumerate() {
            for (i, place) in array.iter_mut().enumerate() {
                *place = of_field(self.fields[register] * PAIR + i);
            }
        }
        arrays
    }
}

/// The tables for `M` units, each of `pair` elements of `width` bytes, whose first elements precede the second ones in the
/// order of a field.
const fn tables<const M: usize>(width: usize, pair: usize) -> Tables<M> {
    let unit = pair * width;
    let units = LANE / unit;
    let mut inverse = 0;
    while inverse * units % M != 1 {
        inverse += 1;
    }
    let zero = [[0; LANE]; M];
    let mut tables =
        Tables { fields: [0; M], registers: [0; M], rotated: [[0; LANE]; 3], ordered: zero, restored: zero };
    let mut byte = 0;
    while byte < LANE {
        let by = byte / unit * inverse % M;
        let mut bit = 0;
        while bit < 3 {
            tables.rotated[bit][byte] = if by >> bit & 1 == 1 { 0xff } else { 0 };
            bit += 1;
        }
        byte += 1;
    }
    let mut field = 0;
    while field < M {
        let register = field * inverse % M;
        tables.fields[register] = field;
        tables.registers[field] = register;
        let mut to = 0;
        while to < LANE {
            let (element, within) = (to / width, to % width);
            let place = (element % units * M + field) % units;
            let from = place * unit + element / units * width + within;
            tables.ordered[register][to] = from as u8;
            tables.restored[register][from] = to as u8;
            to += 1;
        }
        field += 1;
    }
    tables
}

/// The function for a number of fields of a width, as units and the elements of each.
macro_rules! of_fields {
    ($function:ident, $fields:expr, $width:expr) => {
        match $fields {
            3 => of_fields!(@ $function, 3, 1, $width),
            5 => of_fields!(@ $function, 5, 1, $width),
            6 => of_fields!(@ $function, 3, 2, $width),
            7 => of_fields!(@ $function, 7, 1, $width),
            fields => unreachable!("{fields} fields are not rotated"),
        }
    };
    (@ $function:ident, $m:literal, $pair:literal, $width:expr) => {
        match $width {
            1 => $function::<$m, $pair, 1>,
            2 => $function::<$m, $pair, 2>,
            4 => $function::<$m, $pair, 4>,
            _ => $function::<$m, $pair, 8>,
        }
    };
}

pub(super) fn avx2_splits(fields: usize, width: usize) -> Split {
    of_fields!(avx2_split, fields, width)
}

pub(super) fn avx2_interleaves(fields: usize, width: usize) -> Interleave {
    of_fields!(avx2_interleave, fields, width)
}

/// The widths are known to the compiler, which writes blends with a constant mask as faster ones.
#[target_feature(enable = "avx2")]
#[inline(never)]
unsafe fn avx2_split<const M: usize, const PAIR: usize, const W: usize>(
    from: *const u8,
    to: &[*mut u8],
    lines: usize,
    streams: bool,
) {
    let tables = const { &tables::<M>(W, if W == 1 { 2 } else { PAIR }) };
    let mut orders = avx2_orders::<M, PAIR, W>(&tables.ordered);
    unrolled!(i < M, {
        // Bytes to be zipped are in the same half of both registers.
        if W * PAIR == 1 && tables.fields[i] >= M / 2 {
            orders[i] = swapped(orders[i]);
        }
    });
    let arrays: [[*mut u8; PAIR]; M] = tables.arrays(|field| to[field]);
    for half in 0..2 * lines {
        let at = half * LINE / 2;
        let from = from.wrapping_add(at * M * PAIR);
        if streams {
            for i in (0..M * PAIR).step_by(2) {
                prefetch_l1(from.wrapping_add(i * LINE / 2 + PREFETCH_BYTES));
            }
        }
        let mut x = [[_mm256_setzero_si256(); M]; PAIR];
        for (group, x) in x.iter_mut().enumerate() {
            unrolled!(i < M, {
                let (low, high) = (group * M + i, (PAIR + group) * M + i);
                // SAFETY: the structures of half a line of each field are as many registers.
                unsafe {
                    let a = _mm256_loadu_si256(from.add(low / 2 * 32).cast());
                    let b = _mm256_loadu_si256(from.add(high / 2 * 32).cast());
                    x[i] = lanes(a, low, b, high);
                }
            });
            *x = avx2_rotate::<M>(*x, &tables.rotated, false);
            unrolled!(i < M, {
                x[i] = _mm256_shuffle_epi8(x[i], orders[i]);
            });
        }
        if W * PAIR == 1 {
            x[0] = zipped(x[0], tables);
        }
        unrolled!(i < M, {
            let mut fields = [x[0][i]; PAIR];
            if PAIR == 2 {
                fields[0] = _mm256_unpacklo_epi64(x[0][i], x[1][i]);
                fields[1] = _mm256_unpackhi_epi64(x[0][i], x[1][i]);
            }
            for (array, field) in arrays[i].iter().zip(fields) {
                // SAFETY: the array is valid for its lines, which are aligned if they are streamed.
                unsafe { put(array.add(at), field, streams) };
            }
        });
    }
}

#[target_feature(enable = "avx2")]
#[inline(never)]
unsafe fn avx2_interleave<const M: usize, const PAIR: usize, const W: usize>(
    from: *const u8,
    fields: &[isize],
    to: *mut u8,
    lines: usize,
    streams: bool,
) {
    let tables = const { &tables::<M>(W, if W == 1 { 2 } else { PAIR }) };
    let orders = avx2_orders::<M, PAIR, W>(&tables.restored);
    let arrays: [[*const u8; PAIR]; M] = tables.arrays(|field| from.wrapping_offset(fields[field]));
    for half in 0..2 * lines {
        let at = half * LINE / 2;
        if streams && M * PAIR >= PREFETCHED_ARRAYS && half.is_multiple_of(2) {
            prefetch_ahead(&arrays, at);
        }
        let mut x = [[_mm256_setzero_si256(); M]; PAIR];
        unrolled!(i < M, {
            // SAFETY: the arrays are valid for their lines.
            unsafe {
                x[0][i] = _mm256_loadu_si256(arrays[i][0].add(at).cast());
                if PAIR == 2 {
                    let (a, b) = (x[0][i], _mm256_loadu_si256(arrays[i][1].add(at).cast()));
                    x[0][i] = _mm256_unpacklo_epi64(a, b);
                    x[1][i] = _mm256_unpackhi_epi64(a, b);
                }
            }
        });
        if W * PAIR == 1 {
            x[0] = unzipped(x[0], tables);
        }
        for x in &mut x {
            unrolled!(i < M, {
                x[i] = _mm256_shuffle_epi8(x[i], orders[i]);
            });
            *x = avx2_rotate::<M>(*x, &tables.rotated, true);
        }
        for group in 0..PAIR {
            unrolled!(i < M, {
                let to = to.wrapping_add((at * PAIR + group * LINE / 2) * M + i * LINE / 2);
                let (low, high) = (2 * (group * M + i), 2 * (group * M + i) + 1);
                let (a, b) = (x[low / M % PAIR][low % M], x[high / M % PAIR][high % M]);
                // SAFETY: `to` is valid for a line of each line of a field, and aligned if it is streamed to.
                unsafe { put(to, lanes(a, low / (M * PAIR), b, high / (M * PAIR)), streams) };
            });
        }
    }
}

/// Permutations of elements of `W` bytes within lanes.
#[target_feature(enable = "avx2")]
#[inline]
fn avx2_orders<const M: usize, const PAIR: usize, const W: usize>(
    permutations: &[[u8; LANE]; M],
) -> [__m256i; M] {
    // If the compiler knew those of units of 2 or 4 bytes, it would divide them among the instructions around them.
    let permutations = if W <= 2 && W * PAIR > 1 { black_box(permutations) } else { permutations };
    let mut orders = [_mm256_setzero_si256(); M];
    unrolled!(i < M, {
        orders[i] = lane(&permutations[i]);
    });
    orders
}

/// From registers of pairs to registers of fields, for bytes: within each lane, the first byte of pair `p` is in the low half
/// for `p < M / 2` and in the high half for the others.
#[target_feature(enable = "avx2")]
#[inline]
fn zipped<const M: usize>(pairs: [__m256i; M], tables: &Tables<M>) -> [__m256i; M] {
    let mut fields = pairs;
    unrolled!(i < M, {
        let field = tables.fields[i];
        let (first, second) = (pairs[tables.registers[field / 2]], pairs[tables.registers[(field + M) / 2]]);
        fields[i] = match field % 2 {
            // `M` is odd, so that one of the fields has its bytes in different halves.
            0 if field == M - 1 => _mm256_unpacklo_epi8(swapped(first), second),
            0 => _mm256_unpacklo_epi8(first, second),
            _ => _mm256_unpackhi_epi8(first, second),
        };
    });
    fields
}

/// The inverse of [`zipped`], but the first byte of each pair is in the low half.
#[target_feature(enable = "avx2")]
#[inline]
fn unzipped<const M: usize>(mut fields: [__m256i; M], tables: &Tables<M>) -> [__m256i; M] {
    let halves = lane(&[0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]);
    unrolled!(i < M, {
        fields[i] = _mm256_shuffle_epi8(fields[i], halves);
    });
    let mut pairs = fields;
    unrolled!(i < M, {
        let pair = tables.fields[i];
        let first = fields[tables.registers[2 * pair % M]];
        let second = fields[tables.registers[(2 * pair + 1) % M]];
        pairs[i] = match 2 * pair + 1 {
            byte if byte < M => _mm256_unpacklo_epi64(first, second),
            byte if byte == M => _mm256_blend_epi32::<0xcc>(first, second),
            _ => _mm256_unpackhi_epi64(first, second),
        };
    });
    pairs
}

/// With the halves of each lane swapped.
#[target_feature(enable = "avx2")]
#[inline]
fn swapped(x: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0x4e>(x)
}

/// 16 bytes in both lanes.
#[target_feature(enable = "avx2")]
#[inline]
fn lane(bytes: &[u8; LANE]) -> __m256i {
    // SAFETY: there are 16 bytes.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

/// Lane `i` of `a` and lane `j` of `b`, both modulo 2.
#[target_feature(enable = "avx2")]
#[inline]
fn lanes(a: __m256i, i: usize, b: __m256i, j: usize) -> __m256i {
    match (i % 2, j % 2) {
        (0, 0) => _mm256_permute2x128_si256::<0x20>(a, b),
        (0, _) => _mm256_blend_epi32::<0xf0>(a, b),
        (_, 0) => _mm256_permute2x128_si256::<0x21>(a, b),
        _ => _mm256_permute2x128_si256::<0x31>(a, b),
    }
}

/// Rotates registers by the numbers whose bits are given, or `back`.
#[target_feature(enable = "avx2")]
#[inline]
fn avx2_rotate<const M: usize>(mut x: [__m256i; M], rotated: &[[u8; LANE]; 3], back: bool) -> [__m256i; M] {
    for bit in 0..=M.ilog2() as usize {
        let (before, mask) = (x, lane(&rotated[bit]));
        unrolled!(i < M, {
            x[i] = _mm256_blendv_epi8(before[i], before[source::<M>(i, bit, back)], mask);
        });
    }
    x
}

/// Prefetches each array behind offset `at`.
#[inline(always)]
fn prefetch_ahead<const M: usize, const PAIR: usize>(arrays: &[[*const u8; PAIR]; M], at: usize) {
    for &array in arrays.as_flattened() {
        prefetch_l1(array.wrapping_add(at + PREFETCH_BYTES));
    }
}

/// The register that moves to register `i` by a rotation by `1 << bit`, or `back`.
#[inline(always)]
const fn source<const M: usize>(i: usize, bit: usize, back: bool) -> usize {
    let by = (1 << bit) % M;
    (i + if back { by } else { M - by }) % M
}

/// Writes half a line.
///
/// # Safety
/// `to` is valid for writes of half a line, and aligned to it with `streams`.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn put(to: *mut u8, half: __m256i, streams: bool) {
    // SAFETY: the contract is the same.
    unsafe {
        if streams { _mm256_stream_si256(to.cast(), half) } else { _mm256_storeu_si256(to.cast(), half) }
    }
}

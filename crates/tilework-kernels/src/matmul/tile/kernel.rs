//! The micro-kernel: a tile of `C` in registers, over all steps of a block.

use super::prefetcher::Prefetcher;
use crate::simd::prefetch::prefetch_l1;
use crate::simd::unrolled;
use crate::simd::vector::Vector;
use crate::tuning::matmul::PREFETCH_STEPS;

/// The largest height of a tile, in registers.
pub(crate) const MAX_MV: usize = 4;

/// The most rows or columns of a panel, and the most columns of a tile, in any kernel.
pub(crate) const MAX_PANEL: usize = 48;
pub(crate) const MAX_COLUMNS: usize = 12;

/// One tile of `C`, and the panels of `A` and `B` whose product it is.
///
/// The tile has as many rows as `MV` vectors have lanes; of the last vector only the first `tail` lanes are written.
#[derive(Clone, Copy)]
pub struct Tile<S> {
    /// The steps along `k`.
    pub k: usize,
    /// The first vector of `A`, and the distance to the next step.
    pub a: *const S,
    pub a_k: isize,
    /// The first element of `B`, and the distances to the next column and to the next step.
    pub b: *const S,
    pub b_n: isize,
    pub b_k: isize,
    /// The initial sums of each column, for kernels that do not begin with 0.
    pub begin: *const S,
    /// Whether the lines of `C` are prefetched first, by kernels that read a packed `B`.
    pub prefetches: bool,
    /// The tile of `C`, the offsets of its vectors and of its columns.
    pub c: *mut S,
    pub c_m: [isize; MAX_MV],
    pub c_n: *const isize,
    /// The columns, for kernels of packed panels, of which the last may be missing, and for those of any number.
    pub columns: usize,
    /// The lanes of the last vector that are part of `C`.
    pub tail: usize,
    /// `C = alpha A B + beta C`, where `C` is not read if `beta` is 0.
    pub alpha: S,
    pub beta: S,
    /// The blocks to prefetch meanwhile.
    pub ahead: *mut [Prefetcher],
}

/// A micro-kernel.
pub type TileFn<S> = unsafe fn(&Tile<S>);

/// `MV` vectors by `NR` columns. `BK` is the step along `k` of packed panels of `B`, whose columns are contiguous; the last column is
/// computed but not written where the tile has one fewer. If `BK` is 0, the tile has the strides of `B`. If `ENDS`, `A` may be
/// read in place, no further than `tail`.
///
/// # Safety
/// `a` is valid for reads of `MV` vectors (up to `tail` if `BK` is 0 or `ENDS`) and `b` for reads of `NR` elements at each of `k`
/// steps; if `V::BEGINS`, `begin` is valid for reads of `NR` sums; `c` is valid for reads and writes at every column
/// `c_n` and vector `c_m`, of all lanes, and of `tail` lanes of the last vector. `ahead` and its tables of offsets are
/// valid and not aliased.
#[inline(always)]
pub(crate) unsafe fn tile<V: Vector, const MV: usize, const NR: usize, const BK: usize, const ENDS: bool>(
    tile: &Tile<V::Scalar>,
) {
    let strides = if BK == 0 { [tile.a_k, tile.b_n, tile.b_k] } else { [tile.a_k, 1, BK as isize] };
    // If a mask takes a register, or part of a vector several instructions, kernels of whole vectors do without one.
    let whole = const { BK != 0 && !ENDS } || const { !V::MASKS } && tile.tail == V::LANES;
    let tail = if whole { None } else { Some(tile.tail) };
    let columns = if BK == 0 { NR } else { tile.columns };
    // SAFETY: the loops stay within the steps, columns and vectors for which the contract makes the pointers valid.
    unsafe {
        if BK != 0 && tile.prefetches {
            prefetch_c::<V::Scalar, MV>(tile, columns);
        }
        let sums = match tail {
            None => sums::<V, MV, NR>(tile, strides, None),
            tail => sums::<V, MV, NR>(tile, strides, tail),
        };
        update::<V, MV, NR>(tile, &sums, columns);
    }
}

/// [`tile`] for any number of columns and any strides, `NR` columns at a time and then one by one: few functions, for processors that
/// have none of the sets.
///
/// # Safety
/// As for [`tile`], for the columns of the tile.
#[inline(always)]
pub(crate) unsafe fn any_tile<V: Vector, const MV: usize, const NR: usize, const ENDS: bool>(
    tile: &Tile<V::Scalar>,
) {
    let mut rest = *tile;
    while rest.columns > 0 {
        let count = if rest.columns < NR { 1 } else { NR };
        // SAFETY: these columns are some of the tile's.
        unsafe {
            match count {
                1 => self::tile::<V, MV, 1, 0, ENDS>(&rest),
                _ => self::tile::<V, MV, NR, 0, ENDS>(&rest),
            }
        }
        rest.columns -= count;
        rest.b = rest.b.wrapping_offset(count as isize * rest.b_n);
        rest.c_n = rest.c_n.wrapping_add(count);
    }
}

/// Prefetches the lines of `C`.
///
/// # Safety
/// As for [`tile`].
#[inline(always)]
unsafe fn prefetch_c<S, const MV: usize>(tile: &Tile<S>, columns: usize) {
    for j in 0..columns {
        // SAFETY: there are as many columns.
        let column = tile.c.wrapping_offset(unsafe { *tile.c_n.add(j) });
        for &vector in &tile.c_m[..MV] {
            prefetch_l1(column.wrapping_offset(vector));
        }
        prefetch_l1(column.wrapping_offset(tile.c_m[MV - 1]).wrapping_add(tile.tail - 1));
    }
}

/// The sums of a tile; the last vector of `A` has all lanes, or `tail`. The strides are those of `A`'s steps, of `B`'s
/// columns and of `B`'s steps.
///
/// # Safety
/// As for [`tile`].
#[inline(always)]
unsafe fn sums<V: Vector, const MV: usize, const NR: usize>(
    tile: &Tile<V::Scalar>,
    strides: [isize; 3],
    tail: Option<usize>,
) -> [[V; MV]; NR] {
    // SAFETY: each step is one of those for which the contract makes the pointers valid.
    unsafe {
        let mut sums = [[V::splat(V::Scalar::default()); MV]; NR];
        if V::BEGINS {
            unrolled!(j < NR, sums[j] = [V::splat(*tile.begin.add(j)); MV]);
        }
        let mut at = (tile.a, tile.b);
        let at_once = if tile.ahead.is_empty() { tile.k } else { PREFETCH_STEPS };
        let mut left = tile.k;
        while left > 0 {
            let some = left.min(at_once);
            left -= some;
            for ahead in &mut *tile.ahead {
                ahead.fetch();
            }
            for _ in 0..some {
                step::<V, MV, NR>(&mut sums, &mut at, strides, tail);
            }
        }
        sums
    }
}

/// One step, and the advance to the next: `MV` vectors of `A`, the last of which has all lanes or `tail`, by `NR`
/// elements of `B`. The strides are those of `A`'s steps, of `B`'s columns and of `B`'s steps.
///
/// # Safety
/// As for `tile`.
#[inline(always)]
unsafe fn step<V: Vector, const MV: usize, const NR: usize>(
    sums: &mut [[V; MV]; NR],
    (a, b): &mut (*const V::Scalar, *const V::Scalar),
    [a_k, b_n, b_k]: [isize; 3],
    tail: Option<usize>,
) {
    // SAFETY: the pointers are valid for `MV` vectors and `NR` elements of this step.
    unsafe {
        let mut vectors = [V::splat(V::Scalar::default()); MV];
        for (i, vector) in vectors.iter_mut().enumerate() {
            let from = a.add(i * V::LANES);
            *vector = match tail {
                Some(tail) if i + 1 == MV => V::load_first(from, tail),
                _ => V::load(from),
            };
        }
        unrolled!(j < NR, {
            let value = V::splat(*b.offset(j as isize * b_n));
            let column = &mut sums[j];
            for i in 0..MV {
                column[i] = column[i].fma_packed(vectors[i], value);
            }
        });
    }
    (*a, *b) = (a.wrapping_offset(a_k), b.wrapping_offset(b_k));
}

/// Writes the sums of all columns, or all but the last, to `C`.
///
/// # Safety
/// As for `tile`.
#[inline(always)]
pub(crate) unsafe fn update<V: Vector, const MV: usize, const NR: usize>(
    tile: &Tile<V::Scalar>,
    sums: &[[V; MV]; NR],
    columns: usize,
) {
    // SAFETY: the pointers are valid for these columns and vectors, and for the first `tail` lanes of the last vector.
    unsafe {
        // Without masks, part of a vector takes several instructions, and a copy for every column takes long to
        // compile.
        if const { MV > 1 && !V::MASKS } && tile.tail < V::LANES {
            let sums = *sums;
            for (j, column) in sums.iter().enumerate().take(columns) {
                update_column(tile, j, column);
            }
        } else {
            unrolled!(j < NR, {
                if j + 1 < NR || NR == columns {
                    update_column(tile, j, &sums[j]);
                }
            });
        }
    }
}

/// Writes the sums of one column.
///
/// # Safety
/// As for `tile`.
#[inline(always)]
unsafe fn update_column<V: Vector, const MV: usize>(tile: &Tile<V::Scalar>, j: usize, column: &[V; MV]) {
    // SAFETY: as for `update`.
    unsafe {
        let (alpha, beta) = (V::splat(tile.alpha), V::splat(tile.beta));
        let overwrite = tile.beta == V::Scalar::default();
        let c = tile.c.offset(*tile.c_n.add(j));
        for (i, sum) in column.iter().enumerate() {
            let at = c.offset(tile.c_m[i]);
            let part = i + 1 == MV && (V::MASKS || tile.tail < V::LANES);
            let mut value = sum.mul(alpha);
            if !overwrite {
                let before = if part { V::load_first(at, tile.tail) } else { V::load(at) };
                value = before.mul_add(beta, value);
            }
            if part { value.store_first(at, tile.tail) } else { value.store(at) }
        }
    }
}

//! The micro-kernel: a tile of `C` in registers, over all `k` of a block.

use super::ahead::Ahead;
use super::vector::Vector;

/// The most registers that a tile is high, in any kernel.
pub(crate) const MAX_MV: usize = 4;

/// One tile of `C`, and the panels of `A` and `B` that it is the product of.
///
/// The tile has as many rows as `MV` vectors have lanes; of the last vector only the first `tail` lanes are written.
pub struct Tile<S> {
    /// The steps along `k`.
    pub k: usize,
    /// The first vector of `A`, and how far it is to the next step.
    pub a: *const S,
    pub a_k: isize,
    /// The first element of `B`, and how far it is to the next column and to the next step.
    pub b: *const S,
    pub b_n: isize,
    pub b_k: isize,
    /// The tile of `C`, the offsets of its vectors and of its columns.
    pub c: *mut S,
    pub c_m: [isize; MAX_MV],
    pub c_n: *const isize,
    /// Lanes of the last vector that there are.
    pub tail: usize,
    /// `C = alpha A B + beta C`, where `C` is not read if `beta` is 0.
    pub alpha: S,
    pub beta: S,
    /// What to ask the memory for meanwhile.
    pub ahead: *mut [Ahead],
}

/// A micro-kernel.
pub type TileFn<S> = unsafe fn(&Tile<S>);

/// `MV` vectors by `NR` columns. `AK` and `BK` are the steps along `k` of packed panels, whose columns of `B` follow each
/// other; where `BK` is 0 the tile says what the steps are, and `A` is read no further than `tail`.
///
/// # Safety
/// `a` is good for reading `MV` vectors (up to `tail`, where `BK` is 0) and `b` for reading `NR` elements at each of `k`
/// steps; `c` for reading and writing at every column `c_n` and vector `c_m`, all lanes of each but `tail` of the last.
/// `ahead` is there, of nobody else, and so are its tables.
#[inline(always)]
pub(crate) unsafe fn tile<V: Vector, const MV: usize, const NR: usize, const AK: usize, const BK: usize>(
    tile: &Tile<V::Scalar>,
) {
    // SAFETY: the caller's; the loops stay within the steps, columns and vectors that it speaks of.
    unsafe {
        let packed = BK != 0;
        let (a_k, b_n, b_k) =
            if packed { (AK as isize, 1, BK as isize) } else { (tile.a_k, tile.b_n, tile.b_k) };
        if packed {
            for j in 0..NR {
                let column = tile.c.wrapping_offset(*tile.c_n.add(j));
                V::prefetch(column.wrapping_offset(tile.c_m[0]));
                V::prefetch(column.wrapping_offset(tile.c_m[MV - 1]).wrapping_add(tile.tail - 1));
            }
        }
        let mut sums = [[V::splat(V::Scalar::default()); MV]; NR];
        let (mut a, mut b) = (tile.a, tile.b);
        let mut left = tile.k;
        while left > 0 {
            let steps = left.min(Ahead::STEPS);
            left -= steps;
            for ahead in &mut *tile.ahead {
                ahead.fetch();
            }
            for _ in 0..steps {
                let mut vectors = [V::splat(V::Scalar::default()); MV];
                for (i, vector) in vectors.iter_mut().enumerate() {
                    *vector = if !packed && i + 1 == MV {
                        V::load_first(a.add(i * V::LANES), tile.tail)
                    } else {
                        V::load(a.add(i * V::LANES))
                    };
                }
                for (j, column) in sums.iter_mut().enumerate() {
                    let value = V::splat(*b.offset(j as isize * b_n));
                    for (sum, &vector) in column.iter_mut().zip(&vectors) {
                        *sum = sum.step(vector, value);
                    }
                }
                a = a.wrapping_offset(a_k);
                b = b.wrapping_offset(b_k);
            }
        }
        if tile.tail == V::LANES {
            update::<V, MV, NR>(tile, &sums, |at| V::load(at), |value, at| value.store(at));
        } else {
            update::<V, MV, NR>(
                tile,
                &sums,
                |at| V::load_first(at, tile.tail),
                |value, at| value.store_first(at, tile.tail),
            );
        }
    }
}

/// Writes the sums to `C`, the last vector of each column by `load` and `store`.
#[inline(always)]
unsafe fn update<V: Vector, const MV: usize, const NR: usize>(
    tile: &Tile<V::Scalar>,
    sums: &[[V; MV]; NR],
    load: impl Fn(*const V::Scalar) -> V,
    store: impl Fn(V, *mut V::Scalar),
) {
    // SAFETY: as for `tile`.
    unsafe {
        let (alpha, beta) = (V::splat(tile.alpha), V::splat(tile.beta));
        let overwrite = tile.beta == V::Scalar::default();
        for (j, column) in sums.iter().enumerate() {
            let c = tile.c.offset(*tile.c_n.add(j));
            for (i, &sum) in column.iter().enumerate() {
                let at = c.offset(tile.c_m[i]);
                let last = i + 1 == MV;
                let mut value = sum.times(alpha);
                if !overwrite {
                    let before = if last { load(at) } else { V::load(at) };
                    value = before.times_plus(beta, value);
                }
                if last { store(value, at) } else { value.store(at) }
            }
        }
    }
}

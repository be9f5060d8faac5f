//! The blocks of a product that fit the caches.

use crate::cpu::cache::Caches;
use crate::tuning::matmul::FEW_PANELS;

/// The sizes of the blocks along the three axes of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Blocks {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    /// Steps where one panel of `A` meets each of `B` once, and `B` is read in place: in long pieces then, and `A` from the
    /// second cache.
    pub long: usize,
    /// Bytes of the first cache.
    pub first: usize,
}

impl Blocks {
    /// Blocks for panels of `mr` and `nr` rows of packed elements of `size` bytes.
    ///
    /// A panel of `A` is as large as the first cache, through which it passes, or a panel of `B`, which stays there, half
    /// as large; a block of `A` is half of the second cache, or where it meets few panels of `B` a quarter, to leave room for
    /// the next one, which is brought there meanwhile; and a block of `B` an eighth of the third, that other cores share.
    /// Where an axis is longer than its block, the blocks are equal.
    pub(crate) fn new(caches: Caches, [mr, nr]: [usize; 2], size: usize, [m, n, k]: [usize; 3]) -> Blocks {
        let steps = (caches.first / (mr * size)).max(caches.first / (2 * nr * size));
        let long = equal(k, (caches.second / (4 * mr * size)).max(steps), 8);
        let k = equal(k, steps, 8);
        let row = k.min(steps) * size;
        let for_a = if n <= FEW_PANELS * nr { caches.second / 4 } else { caches.second / 2 };
        Blocks {
            m: equal(m, (for_a / row).max(mr), mr),
            n: equal(n, (caches.third / 8 / row).max(nr), nr),
            k,
            long,
            first: caches.first,
        }
    }

    /// The blocks of a product. Where one side is small, the other one is packed into the second cache and not through it.
    pub(crate) fn with_small_side(
        caches: Caches,
        tile: [usize; 2],
        size: usize,
        [m, n, k]: [usize; 3],
    ) -> Blocks {
        let mut blocks = Blocks::new(caches, tile, size, [m, n, k]);
        let row = blocks.k.min(k).max(1) * size;
        if m.saturating_mul(row) <= caches.second / 4 {
            let fitting = caches.second / 2 / row / tile[1] * tile[1];
            blocks.n = blocks.n.min(fitting.max(tile[1]));
        }
        blocks
    }
}

/// The length of equal parts of `len`, each at most about `limit` and a multiple of `unit`.
fn equal(len: usize, limit: usize, unit: usize) -> usize {
    let parts = len.div_ceil(limit).max(1);
    len.div_ceil(parts).next_multiple_of(unit).max(unit)
}

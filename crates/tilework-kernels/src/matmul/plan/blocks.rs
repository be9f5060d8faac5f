//! The blocks of a product that fit the caches.

use crate::cpu::cache::Caches;
use crate::matmul::tile::element::Format;
use crate::tuning::LINE;
use crate::tuning::matmul::{FEW_PANELS, LINES_OF_A_STEP, PANELS_FOR_FEW};

/// The sizes of the blocks along the three axes of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Blocks {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    /// Steps of a block when each panel of `A` meets each of `B` once, and `B` is read in place: it is read in long
    /// pieces, and `A` from the second cache.
    pub long: usize,
    /// Bytes of the first cache.
    pub first: usize,
}

impl Blocks {
    /// Blocks for the panels of a format.
    ///
    /// A block has one step (4 bytes of a narrow element) for each pair of lines of the first cache: a step of a panel
    /// of `B` is a line or less, so the panel stays there while panels of `A` pass through. A block of `A` is half of
    /// the second cache; if it meets few panels of `B`, it is some panels, at most a quarter, which leaves room to
    /// prefetch the next block. A block of `B` is an eighth of the third cache, which other cores share. An axis that
    /// is longer than a block is divided into equal blocks.
    pub(crate) fn new(caches: Caches, format: &Format, [m, n, k]: [usize; 3]) -> Blocks {
        let Format { mr, nr, packed_bytes: size, .. } = *format;
        let steps = (caches.first / (LINES_OF_A_STEP * LINE) * (4 / size).max(1)).max(1);
        let long = equal(k, (caches.second / (4 * mr * size)).max(steps), 8);
        let k = equal(k, steps, 8);
        let row = k.min(steps) * size;
        let few = (PANELS_FOR_FEW * mr * steps * size).min(caches.second / 4);
        let for_a = if n <= FEW_PANELS * nr { few } else { caches.second / 2 };
        Blocks {
            m: equal(m, (for_a / row).max(mr), mr),
            n: equal(n, (caches.third / 8 / row).max(nr), nr),
            k,
            long,
            first: caches.first,
        }
    }
}

/// The length of equal parts of `len`, each at most about `limit` and a multiple of `unit`.
fn equal(len: usize, limit: usize, unit: usize) -> usize {
    let parts = len.div_ceil(limit).max(1);
    len.div_ceil(parts).next_multiple_of(unit).max(unit)
}

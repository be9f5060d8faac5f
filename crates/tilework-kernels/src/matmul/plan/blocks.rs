//! The blocks of a product that fit the caches.

use crate::cpu::cache::Caches;
use crate::matmul::tile::axis::Axis;
use crate::matmul::tile::element::Format;
use crate::tuning::matmul::{
    COLUMNS_IN_PLACE, FAR_STEPS, FEW_PANELS, FEW_ROWS, FEW_STEPS, FILLED_LINES, LINES_OF_A_STEP, NEAR_STEPS,
    PAGE, PANELS_FOR_FEW, SHORT_STEPS, STEPS_BY_PAGES,
};
use crate::tuning::{LARGE_CACHE, LINE};

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
    /// Whether few columns read contiguous rows of `A` in place: blocks have few steps, and all blocks of some rows follow each
    /// other.
    pub short: bool,
    /// Whether few columns use `A`, and the kernels that read it first pack it.
    pub filled: bool,
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
            short: false,
            filled: false,
        }
    }

    /// The same for a product of few columns whose `A` has contiguous rows, where the second cache is large.
    ///
    /// If the steps are so far apart that each is a stream of its own, very few columns read `A` in place, as many steps as the
    /// hardware follows streams, for rows whose `C` stays in half of the second cache. A few more columns read it once and pack
    /// it meanwhile: blocks have few rows, and as many steps as leave `B` in the second cache.
    pub(crate) fn for_few_columns(self, caches: Caches, format: &Format, a: [&Axis; 2], n: usize) -> Blocks {
        let [m, k] = a.map(Axis::len);
        let size = format.packed_bytes;
        let few = format.is_sum && 1 < n && n <= FEW_PANELS * format.nr && format.mr < m && FEW_STEPS < k;
        let Some(step) = a[1].stride.map(isize::unsigned_abs).filter(|_| few && a[0].is_run(0, m)) else {
            return self;
        };
        if caches.second < LARGE_CACHE {
            return self;
        }
        if n <= COLUMNS_IN_PLACE * format.nr && FAR_STEPS <= step * size {
            // `B` is then read in place too, whose steps are contiguous.
            let steps = if m <= FEW_ROWS { 2 * SHORT_STEPS } else { SHORT_STEPS };
            let rows = (caches.second / 2 / (n * size)).max(format.mr);
            return Blocks { m: equal(m, rows, format.mr), k: equal(k, steps, 8), short: true, ..self };
        }
        if step <= NEAR_STEPS || m <= FEW_ROWS {
            return self;
        }
        let rows = FILLED_LINES * LINE / size;
        let steps = caches.second / 4 / ((rows + n) * size);
        let steps = if (step * size).is_multiple_of(PAGE) { steps.min(STEPS_BY_PAGES) } else { steps };
        Blocks { m: equal(m, rows, format.mr), k: equal(k, steps, 8), filled: true, ..self }
    }

    /// The same with all steps in one block: the order of the sums is that of a product read in place.
    pub(crate) fn in_one_step(self, k: usize) -> Blocks {
        Blocks { k: self.k.max(k), long: self.long.max(k), ..self }
    }
}

/// The length of equal parts of `len`, each at most about `limit` and a multiple of `unit`.
fn equal(len: usize, limit: usize, unit: usize) -> usize {
    let parts = len.div_ceil(limit).max(1);
    len.div_ceil(parts).next_multiple_of(unit).max(unit)
}

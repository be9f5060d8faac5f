//! What plans cost: whether copies are written through the caches or past them, the blocks of a copy, and whether kernels read an
//! operand of a product in place or packed. The sizes of the blocks of a product are inequalities of their own (`matmul/plan/blocks.rs`).
//!
//! Prices are of one line, in units of one that is read from the third-level cache. They are those of a core beside its caches, and
//! the same for all processors; the sizes of the caches are the processor's.

use crate::cpu::cache::Caches;
use crate::tuning::LINE;

/// A line that is written past the caches: it is on its way while others are, and nobody waits for it.
const PAST: f64 = 1.5;
/// A line that is put together from parts before it is written past the caches: it is stored and read again.
const STAGED: f64 = 1.0;

/// An element of an operand that is packed: it is read, moved within registers, and stored.
const PACKED: f64 = 0.15;
/// A line that kernels read in place, beside their multiply-adds, and one whose address has to be looked up.
const IN_PLACE: f64 = 0.05;
const LOOKED_UP: f64 = 0.31;
/// Bytes of a page, and the pages whose addresses a core knows.
const PAGE: usize = 4 << 10;
const PAGES: usize = 64;

/// Reading or writing a line of memory that many bytes are moved to and from in turn.
fn line(caches: Caches, bytes: usize) -> f64 {
    match bytes {
        bytes if bytes <= caches.second => 0.25,
        bytes if bytes <= caches.third => 1.0,
        _ => 2.0,
    }
}

/// Whether so many bytes stay in the second-level cache.
pub(crate) fn is_near(caches: Caches, bytes: usize) -> bool {
    line(caches, bytes) < 1.0
}

/// A line of the destination of a copy that moves so many bytes, those of the source and of the destination: written through the
/// caches, it is read first; `staged` is none there.
pub(crate) fn of_line_written(caches: Caches, bytes: usize, staged: Option<bool>) -> f64 {
    match staged {
        None => 2.0 * line(caches, bytes),
        Some(staged) => PAST + if staged { STAGED } else { 0.0 },
    }
}

/// The bytes of a block of a copy: what is read stays in the second-level cache until it is written. A destination that is
/// written through the caches is read besides, in long rows.
pub(crate) fn block_of_copy(caches: Caches, past: bool) -> usize {
    if past { caches.second / 4 } else { caches.second }
}

/// An operand of a product, as kernels could read it in place: `panels` of the other one read it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InPlace {
    pub panels: usize,
    /// The lines that a panel reads of it for each of its elements.
    pub lines: f64,
    /// How many steps a panel has, and the bytes between them.
    pub steps: [usize; 2],
}

impl InPlace {
    /// For the rows of a panel, contiguous elements of `bytes` bytes: they begin anywhere in a line.
    pub(crate) fn rows(panels: usize, [height, bytes]: [usize; 2], steps: [usize; 2]) -> InPlace {
        InPlace { panels, lines: (height * bytes / LINE + 1) as f64 / height as f64, steps }
    }

    /// For contiguous steps of elements of `bytes` bytes.
    pub(crate) fn steps(panels: usize, bytes: usize) -> InPlace {
        InPlace { panels, lines: bytes as f64 / LINE as f64, steps: [1, 0] }
    }

    /// What reading an element in place costs, each time that it is read.
    pub(crate) fn cost(self) -> f64 {
        let [steps, apart] = self.steps;
        let far = steps.saturating_mul(apart) >= PAGES * PAGE;
        self.panels as f64 * self.lines * if far { LOOKED_UP } else { IN_PLACE }
    }

    /// Whether that is less than packing it.
    pub(crate) fn pays(self) -> bool {
        self.cost() < PACKED
    }
}

//! What plans cost: whether copies are written through the caches or past them, and in which blocks; whether kernels read the operands
//! of a product in place or packed, and whether in blocks. The sizes of these blocks are inequalities of their own
//! (`matmul/plan/blocks.rs`).
//!
//! Prices are of one line, in units of one that is read from the third-level cache. They are those of a core beside its caches, and
//! the same for all processors; the sizes of the caches are the processor's.

use crate::cpu::cache::Caches;
use crate::loops::modes::Mode;
use crate::tuning::LINE;

/// A line that is written past the caches: it is on its way while others are, and nobody waits for it.
const PAST: f64 = 1.5;
/// A line that is put together from parts before it is written past the caches, where it is stored and read again; or one of several
/// arrays, between whose lines memory goes back and forth.
const STAGED: f64 = 1.0;

/// An element that is packed: it is read, moved within registers, and stored.
const PACKED: f64 = 0.1;
/// An element of `C` that is written alone: a tile is stored, and read again.
const SCATTERED: f64 = 0.8;
/// The part of the price of a line that remains where kernels read it while they multiply and add.
const BESIDE: f64 = 0.15;
/// A line of a panel in place whose address a core has to look up, since the panel has more than `PAGES` pages of `PAGE` bytes.
const LOOKED_UP: f64 = 0.11;
const PAGE: usize = 4 << 10;
const PAGES: usize = 64;
/// The pages of columns whose addresses a core keeps: second-level TLBs have 1,536 to 3,072 (Skylake, Zen 4), also for the rows that are
/// written meanwhile, of up to three pages each.
const PAGES_AT_HAND: usize = 512;
/// The loops and tables of a product in blocks.
const BLOCKS: f64 = 100.0;
/// What kernels read again stays in a cache if it is this part of it: the other operands are there too.
const SHARE: usize = 8;

/// Reading or writing a line of memory that many bytes are moved to and from in turn.
fn line(caches: Caches, bytes: usize) -> f64 {
    match bytes {
        bytes if bytes <= caches.second => 0.25,
        bytes if bytes <= caches.third => 1.0,
        _ => 2.0,
    }
}

/// A line that a copy writes which reads and writes `bytes` in all. Through the caches it is read first, and `staged` is none
/// there. Half of the third-level cache is for other cores.
pub(crate) fn of_line_written(caches: Caches, bytes: usize, staged: Option<bool>) -> f64 {
    let caches = Caches { third: caches.third / 2, ..caches };
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

/// The most columns of a block of a copy: each is read line by line while the others are, and its pages have to be at hand.
pub(crate) fn columns_at_hand(columns: &[Mode<2>]) -> usize {
    let apart = columns.iter().map(|mode| mode.strides[0].unsigned_abs()).min().unwrap_or(PAGE);
    PAGES_AT_HAND * PAGE / apart.clamp(1, PAGE)
}

/// An operand of a product, whose panels are read by each of some panels of the other one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panels {
    /// Rows and steps.
    pub size: [usize; 2],
    /// The bytes between rows, and between steps.
    pub strides: [usize; 2],
    /// The rows of a panel, and the bytes of one of them in a step that is packed.
    pub height: usize,
    pub bytes: usize,
    /// The panels of the other operand.
    pub readers: usize,
}

impl Panels {
    /// What it costs to pack it, and that kernels read it from the second-level cache, unless a panel stays in the `first`.
    pub(crate) fn packed(&self, caches: Caches, first: bool) -> f64 {
        let lines = (self.height * self.bytes) as f64 / LINE as f64;
        let read = if first { 0.0 } else { BESIDE * line(caches, 0) };
        (self.size[0] as f64 * PACKED + self.visits() * lines * read) * self.size[1] as f64
    }

    /// What it costs that kernels read it in place, some steps at a time, from a cache that holds these bytes.
    pub(crate) fn in_place(&self, caches: Caches, steps: usize, bytes: usize) -> f64 {
        let line = BESIDE * line(caches, bytes.saturating_mul(SHARE));
        let [apart, along] = self.lines();
        let looked_up = along > apart && self.strides[1].saturating_mul(steps) > PAGES * PAGE;
        let of_line = line + if looked_up { LOOKED_UP } else { 0.0 };
        self.visits() * self.size[1] as f64 * apart.min(along) * of_line
    }

    /// The bytes of the lines of a panel.
    pub(crate) fn panel_bytes(&self) -> usize {
        let [apart, along] = self.lines();
        (apart.min(along) * LINE as f64) as usize * self.size[1]
    }

    /// How often kernels read a panel.
    fn visits(&self) -> f64 {
        self.size[0].div_ceil(self.height) as f64 * self.readers as f64
    }

    /// The lines of a step of a panel: those that its rows share, and its share of lines that hold several steps of a row.
    fn lines(&self) -> [f64; 2] {
        let height = self.height.min(self.size[0]) as f64;
        let [rows, step] =
            [height * self.strides[0] as f64, self.strides[1] as f64].map(|bytes| bytes / LINE as f64);
        [(rows.floor() + 1.0).min(rows.max(step)), step * height].map(|lines| lines.min(height))
    }
}

/// Whether writing the elements of a row of `C` one by one, `n` of them, costs less than packing one of `A`, `k` of them.
pub(crate) fn writes_by_elements([n, k]: [usize; 2]) -> bool {
    n as f64 * SCATTERED < k as f64 * PACKED
}

/// What the blocks of a product cost besides reading its operands: the bytes of its sums are read and written once more for each
/// block of steps but the first.
pub(crate) fn of_blocks(caches: Caches, bytes: usize, blocks: usize) -> f64 {
    let lines = bytes as f64 / LINE as f64;
    BLOCKS + blocks.saturating_sub(1) as f64 * lines * 2.0 * line(caches, bytes.saturating_mul(SHARE))
}

/// Whether these bytes stay in the second-level cache.
pub(crate) fn is_near(caches: Caches, bytes: usize) -> bool {
    line(caches, bytes) < 1.0
}

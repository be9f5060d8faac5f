//! What copies cost: whether they are written through the caches or past them, and in which blocks. The sizes of the blocks of a product
//! are inequalities of their own (`matmul/plan/blocks.rs`).
//!
//! Prices are of one line, in units of one that is read from the third-level cache. They are those of a core beside its caches, and
//! the same for all processors; the sizes of the caches are the processor's.

use crate::cpu::cache::Caches;

/// A line that is written past the caches: it is on its way while others are, and nobody waits for it.
const PAST: f64 = 1.5;
/// A line that is put together from parts before it is written past the caches: it is stored and read again.
const STAGED: f64 = 1.0;

/// Reading or writing a line of memory that many bytes are moved to and from in turn.
fn line(caches: Caches, bytes: usize) -> f64 {
    match bytes {
        bytes if bytes <= caches.second => 0.25,
        bytes if bytes <= caches.third => 1.0,
        _ => 2.0,
    }
}

/// A line that a copy writes which reads and writes `bytes` in all. Through the caches it is read first, and `staged` is none
/// there.
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

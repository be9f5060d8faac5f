//! A product of matrices as the driver computes it.

use super::blocks::Blocks;
use super::element::{Element, Format};
use super::operand::{Source, Target};

/// `C = alpha A B + beta C`, for `A` and `B` of `k` steps.
///
/// Every element of `C` is a sum in the order of `k`, block by block; the threads divide `C`, so their number does not
/// change the result.
pub(crate) struct Product<'a, T: Element> {
    pub k: usize,
    pub alpha: T::Sum,
    pub a: &'a dyn Source<T>,
    pub b: &'a dyn Source<T>,
    pub beta: T::Sum,
    pub c: &'a dyn Target<T::Sum>,
    pub format: &'a Format,
    pub blocks: Blocks,
}

//! A product of matrices as the driver computes it.

use super::element::Element;
use super::operand::{Source, Target};
use super::plan::ProductPlan;

/// `C = alpha A B + beta C` by a plan.
///
/// Every element of `C` is a sum in the order of `k`, block by block; the threads divide `C`, so their number does not
/// change the result.
pub(crate) struct Product<'a, T: Element> {
    pub plan: &'a ProductPlan,
    pub alpha: T::Sum,
    pub a: &'a dyn Source<T>,
    pub b: &'a dyn Source<T>,
    pub beta: T::Sum,
    pub c: &'a dyn Target<T::Sum>,
}

impl<T: Element> Product<'_, T> {
    /// How many steps there are.
    pub(super) fn k(&self) -> usize {
        self.plan.size[2]
    }
}

//! The arguments of a product: the two factors, and the pointers to the operands.

use super::element::Element;

/// `C = alpha A B + beta C`, with the pointer to offset 0 of each operand.
#[derive(Clone, Copy)]
pub(crate) struct Call<T: Element, D> {
    pub alpha: T::Sum,
    pub a: *const T,
    pub b: *const T,
    pub beta: T::Sum,
    pub c: *mut D,
}

// SAFETY: `a` and `b` are only read, and threads write disjoint parts of `c`; each function that takes a call requires
// it.
unsafe impl<T: Element, D: Send> Sync for Call<T, D> {}

impl<T: Element, D: Copy> Call<T, D> {
    /// The same with the operands advanced by these offsets.
    #[inline(always)]
    pub(crate) fn at(&self, [a, b, c]: [isize; 3]) -> Call<T, D> {
        Call {
            a: self.a.wrapping_offset(a),
            b: self.b.wrapping_offset(b),
            c: self.c.wrapping_offset(c),
            ..*self
        }
    }

    /// The same if elements of `C` are sums, or not accessed.
    #[inline(always)]
    pub(crate) fn of_sums(&self) -> Call<T, T::Sum> {
        let Call { alpha, a, b, beta, c } = *self;
        Call { alpha, a, b, beta, c: c.cast() }
    }
}

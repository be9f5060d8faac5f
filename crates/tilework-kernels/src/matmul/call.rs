//! What a product is asked for: the two factors, and where the operands are.

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

// SAFETY: what `a` and `b` point to is only read, and threads write disjoint parts of `c`, as each function that takes a call
// asks for.
unsafe impl<T: Element, D: Send> Sync for Call<T, D> {}

impl<T: Element, D: Copy> Call<T, D> {
    /// The same with the operands so far on.
    #[inline(always)]
    pub(crate) fn at(&self, [a, b, c]: [isize; 3]) -> Call<T, D> {
        Call {
            a: self.a.wrapping_offset(a),
            b: self.b.wrapping_offset(b),
            c: self.c.wrapping_offset(c),
            ..*self
        }
    }

    /// The same where elements of `C` are sums, or not accessed.
    #[inline(always)]
    pub(crate) fn of_sums(&self) -> Call<T, T::Sum> {
        let Call { alpha, a, b, beta, c } = *self;
        Call { alpha, a, b, beta, c: c.cast() }
    }
}

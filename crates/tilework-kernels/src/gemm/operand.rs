//! Operands of a product as the driver sees them: something that hands out panels, something that takes tiles.

use super::axis::{Axis, Steps};
use crate::element::{Destination, Sum};
use std::marker::PhantomData;
use std::ops::Range;

/// `A` or `B`: rows (of `M` or `N`) by steps along `K`.
///
/// A convolution implements this with pieces for each part of the filter, so that its `im2col` matrix exists panel by
/// panel only.
pub(crate) trait Source<T>: Sync {
    /// Hands the steps `ks` of the rows `rows` to `pack`, in order, in as many pieces as it takes.
    ///
    /// A piece is a pointer for each row, and the offsets of its steps from these. A null row is read as 0. `pointers`
    /// has room for the panel, is all null, and what is handed on is as long; a panel at the edge has fewer rows.
    fn panel(
        &self,
        rows: Range<usize>,
        ks: Range<usize>,
        pointers: &mut [*const T],
        pack: &mut dyn FnMut(&[*const T], Steps<'_>),
    );

    /// Itself, if that is what it is.
    fn as_strided(&self) -> Option<&Strided<'_, T>> {
        None
    }
}

/// `C`: takes sums.
pub(crate) trait Target<S>: Sync {
    /// Where `C` lies, if it is memory with elements like the sums.
    fn place(&self) -> Option<Place<'_, S>>;

    /// `C(i, j) = alpha * sums[i + height * j] + beta C(i, j)`, for each `i` of `rows` and `j` of `cols`.
    ///
    /// # Safety
    /// Nothing else touches this part of `C`, and it is within its bounds.
    unsafe fn put(
        &self,
        rows: Range<usize>,
        cols: Range<usize>,
        sums: &[S],
        height: usize,
        alpha: S,
        beta: S,
    );
}

/// Memory for `C` by two tables of offsets.
pub(crate) struct Place<'a, S> {
    pub base: *mut S,
    pub rows: &'a Axis,
    pub cols: &'a Axis,
}

/// An operand with `offset(i, k) = rows[i] + cols[k]`.
pub(crate) struct Strided<'a, T> {
    pub base: *const T,
    pub rows: &'a Axis,
    pub cols: &'a Axis,
    data: PhantomData<&'a [T]>,
}

// SAFETY: it is a shared slice, and tables to read it by.
unsafe impl<T: Sync> Sync for Strided<'_, T> {}

impl<'a, T> Strided<'a, T> {
    /// # Safety
    /// `base + rows[i] + cols[k]` is an element of the data for all `i` and `k`.
    pub(crate) unsafe fn new(base: *const T, rows: &'a Axis, cols: &'a Axis) -> Strided<'a, T> {
        Strided { base, rows, cols, data: PhantomData }
    }
}

impl<T: Sync> Source<T> for Strided<'_, T> {
    fn panel(
        &self,
        rows: Range<usize>,
        ks: Range<usize>,
        pointers: &mut [*const T],
        pack: &mut dyn FnMut(&[*const T], Steps<'_>),
    ) {
        for (pointer, &offset) in pointers.iter_mut().zip(&self.rows.offsets[rows]) {
            *pointer = self.base.wrapping_offset(offset);
        }
        pack(pointers, self.cols.part(ks));
    }

    fn as_strided(&self) -> Option<&Strided<'_, T>> {
        Some(self)
    }
}

/// `C` with `offset(i, j) = rows[i] + cols[j]`, of elements of type `C`.
pub(crate) struct Memory<'a, C> {
    base: *mut C,
    rows: &'a Axis,
    cols: &'a Axis,
}

// SAFETY: the parts that are written are apart, which the callers of `put` and the users of `place` answer for.
unsafe impl<C: Send> Sync for Memory<'_, C> {}

impl<'a, C> Memory<'a, C> {
    /// # Safety
    /// `base + rows[i] + cols[j]` is good for reading and writing for all `i` and `j`, and another for each.
    pub(crate) unsafe fn new(base: *mut C, rows: &'a Axis, cols: &'a Axis) -> Memory<'a, C> {
        Memory { base, rows, cols }
    }
}

impl<S: Sum, C: Destination<S>> Target<S> for Memory<'_, C> {
    fn place(&self) -> Option<Place<'_, S>> {
        let same = std::any::TypeId::of::<C>() == std::any::TypeId::of::<S>();
        same.then(|| Place { base: self.base.cast(), rows: self.rows, cols: self.cols })
    }

    unsafe fn put(
        &self,
        rows: Range<usize>,
        cols: Range<usize>,
        sums: &[S],
        height: usize,
        alpha: S,
        beta: S,
    ) {
        let rows = &self.rows.offsets[rows];
        let overwrite = beta == S::ZERO;
        for (j, &col) in self.cols.offsets[cols].iter().enumerate() {
            let column = self.base.wrapping_offset(col);
            let sums = &sums[j * height..][..rows.len()];
            for (&row, &sum) in rows.iter().zip(sums) {
                let at = column.wrapping_offset(row);
                // SAFETY: that of `new` and of the caller: the element is there, and nobody else is at it.
                unsafe {
                    let value = if overwrite {
                        sum.times_plus(alpha, S::ZERO)
                    } else {
                        sum.times_plus(alpha, (*at).widen().times_plus(beta, S::ZERO))
                    };
                    *at = C::narrow(value);
                }
            }
        }
    }
}

//! Operands of a product as the driver sees them: a source provides panels, a target takes tiles.

use super::axis::{Axis, Steps};
use super::prefetcher::Prefetcher;
use super::put::{convert, update};
use crate::cpu::isa::Isa;
use crate::matmul::element::{Destination, PutFn, Sum};
use std::any::TypeId;
use std::marker::PhantomData;
use std::ops::Range;

/// Takes a piece of a panel: a pointer for each row, and the offsets of its steps from these.
pub(crate) type Packer<'a, T> = dyn FnMut(&[*const T], Steps<'_>) + 'a;

/// `A` or `B`: rows (of `M` or `N`) by steps along `K`.
///
/// A convolution implements this with a piece for each part of the filter, so that its `im2col` matrix exists panel by
/// panel only.
pub(crate) trait Source<T>: Sync {
    /// Passes the steps `ks` of the rows `rows` to `pack`, in order, in one or more pieces.
    ///
    /// A null row is read as 0. `pointers` has room for the panel and is all null; as many pointers are passed on,
    /// although a panel at the edge has fewer rows.
    fn panel(&self, rows: Range<usize>, ks: Range<usize>, pointers: &mut [*const T], pack: &mut Packer<T>);

    /// Itself, if it is memory with two tables.
    fn as_strided(&self) -> Option<&Strided<'_, T>> {
        None
    }
}

/// `C`: takes sums.
pub(crate) trait Target<S>: Sync {
    /// The memory of `C`, if its elements have the type of the sums.
    fn place(&self) -> Option<Place<'_, S>>;

    /// `C(i, j) = alpha * sums[i + height * j] + beta C(i, j)`, for each `i` of `rows` and `j` of `cols`.
    ///
    /// # Safety
    /// Nothing else accesses this part of `C`, and it is within its bounds.
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

// SAFETY: it is a shared slice, and the tables of its offsets.
unsafe impl<T: Sync> Sync for Strided<'_, T> {}

impl<'a, T> Strided<'a, T> {
    /// # Safety
    /// `base + rows[i] + cols[k]` is an element of the data for all `i` and `k`.
    pub(crate) unsafe fn new(base: *const T, rows: &'a Axis, cols: &'a Axis) -> Strided<'a, T> {
        Strided { base, rows, cols, data: PhantomData }
    }

    /// Prefetches a block while kernels run `tiles` times for `steps`, at most some lines at a time.
    pub(crate) fn prefetcher(
        &self,
        rows: Range<usize>,
        ks: Range<usize>,
        tiles: usize,
        steps: usize,
        most: usize,
    ) -> Prefetcher {
        let axes = [&self.rows.offsets[rows], &self.cols.offsets[ks]];
        Prefetcher::new(self.base, axes, tiles, steps, most)
    }
}

impl<T: Sync> Source<T> for Strided<'_, T> {
    fn panel(&self, rows: Range<usize>, ks: Range<usize>, pointers: &mut [*const T], pack: &mut Packer<T>) {
        for (pointer, &offset) in pointers.iter_mut().zip(&self.rows.offsets[rows]) {
            *pointer = self.base.wrapping_offset(offset);
        }
        pack(pointers, self.cols.part(ks));
    }

    fn as_strided(&self) -> Option<&Strided<'_, T>> {
        Some(self)
    }
}

/// `C` with `offset(i, j) = rows[i] + cols[j]`, of elements of type `D`, for sums that are converted to `U` at the end.
pub(crate) struct StridedTarget<'a, U, D> {
    base: *mut D,
    rows: &'a Axis,
    cols: &'a Axis,
    put: PutFn<U, D>,
}

// SAFETY: threads write disjoint parts, as the contracts of `put` and `place` require.
unsafe impl<U, D: Send> Sync for StridedTarget<'_, U, D> {}

impl<'a, U: Sum, D: Destination<U>> StridedTarget<'a, U, D> {
    /// `C` for kernels of one instruction set.
    ///
    /// # Safety
    /// `base + rows[i] + cols[j]` is valid for reads and writes for all `i` and `j`, and distinct for each; the processor has
    /// the instructions.
    pub(crate) unsafe fn new(isa: Isa, base: *mut D, rows: &'a Axis, cols: &'a Axis) -> Self {
        StridedTarget { base, rows, cols, put: D::put(isa) }
    }
}

impl<S: Sum, U: Sum, D: Destination<U>> Target<S> for StridedTarget<'_, U, D> {
    fn place(&self) -> Option<Place<'_, S>> {
        let same = TypeId::of::<D>() == TypeId::of::<S>();
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
        let cols = &self.cols.offsets[cols];
        assert!((cols.len() - 1) * height + rows.len() <= sums.len());
        if TypeId::of::<S>() == TypeId::of::<U>() {
            let (rows, sums) = (self.rows.part(rows), sums.as_ptr().cast());
            let (alpha, beta) = (convert::<S, U>(alpha), convert::<S, U>(beta));
            // SAFETY: sums are of type `U`, and their number is right; by the contract of `new` the elements are valid,
            // and by that of `put` nothing else accesses them.
            return unsafe { (self.put)(self.base, rows, cols, sums, height, alpha, beta) };
        }
        let rows = &self.rows.offsets[rows];
        for (j, &col) in cols.iter().enumerate() {
            for (i, &row) in rows.iter().enumerate() {
                let at = self.base.wrapping_offset(row + col);
                // SAFETY: by the contract of `new` the element is valid, and by that of `put` nothing else accesses it.
                unsafe { update::<S, U, D>(at, sums[j * height + i], alpha, beta) };
            }
        }
    }
}

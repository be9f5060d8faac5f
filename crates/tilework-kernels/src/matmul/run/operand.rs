//! A product as the driver sees it: a source provides panels, the target takes tiles; and the pointers to them.

use crate::cpu::isa::Isa;
use crate::matmul::plan::ProductPlan;
use crate::matmul::tile::axis::{Axis, Steps};
use crate::matmul::tile::element::{Destination, Element, Sum};
use crate::matmul::tile::packing::Packing;
use crate::matmul::tile::put::{convert, update};
use std::any::TypeId;
use std::marker::PhantomData;
use std::ops::Range;

/// Takes a piece of a panel: a pointer for each row, and the offsets of its steps from these.
pub(crate) type Packer<'a, T> = dyn FnMut(&[*const T], Steps<'_>) + 'a;

/// `C = alpha A B + beta C` by a plan.
///
/// Every element of `C` is a sum in the order of `k`, block by block; the threads divide `C`, so their number does not
/// change the result.
pub(crate) struct Product<'a, T: Element> {
    pub plan: &'a ProductPlan,
    pub alpha: T::Sum,
    pub a: Source<'a, T>,
    pub b: Source<'a, T>,
    pub beta: T::Sum,
    pub c: &'a Target<'a, T::Sum>,
}

impl<T: Element> Product<'_, T> {
    /// How many steps are added: none if `A` and `B` are not read.
    pub(crate) fn k(&self) -> usize {
        if self.alpha == T::Sum::ZERO { 0 } else { self.plan.size[2] }
    }
}

/// `A` or `B`: rows (of `M` or `N`) by steps along `K`.
pub(crate) enum Source<'a, T> {
    Memory(Strided<'a, T>),
    Panels(&'a dyn PanelSource<T>),
}

impl<'a, T> Source<'a, T> {
    /// The memory, if it is that.
    pub(crate) fn memory(&self) -> Option<&Strided<'a, T>> {
        if let Source::Memory(memory) = self { Some(memory) } else { None }
    }
}

/// An operand that yields panels.
///
/// A convolution implements this with a piece for each part of the filter, so that its `im2col` matrix exists panel by
/// panel only.
pub(crate) trait PanelSource<T>: Sync {
    /// Passes the steps `ks` of the rows `rows` to `pack`, in order, in one or more pieces.
    ///
    /// A null row is read as 0. `pointers` has room for the panel and is all null; as many pointers are passed on,
    /// although a panel at the edge has fewer rows.
    fn panel(&self, rows: Range<usize>, ks: Range<usize>, pointers: &mut [*const T], pack: &mut Packer<T>);
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
}

/// See [`Target::put`].
type Put<S> = unsafe fn(&Target<S>, [Range<usize>; 2], &[S], usize, [S; 2]);

/// `C` with `offset(i, j) = rows[i] + cols[j]`, which takes sums of type `S`.
pub(crate) struct Target<'a, S> {
    base: *mut (),
    pub rows: &'a Axis,
    pub cols: &'a Axis,
    isa: Isa,
    writing: Packing,
    put: Put<S>,
}

// SAFETY: threads write disjoint parts, as the contract of `put` requires; elements can be sent.
unsafe impl<S> Sync for Target<'_, S> {}

impl<'a, S: Sum> Target<'a, S> {
    /// `C` of a plan, of elements of type `D`, for sums that are converted to `U` at the end.
    ///
    /// # Safety
    /// `base + rows[i] + cols[j]` is valid for reads and writes for all `i` and `j`, and distinct for each. The plan was made for
    /// these rows, and the processor has its instructions.
    pub(crate) unsafe fn new<U: Sum, D: Destination<U>>(
        plan: &ProductPlan,
        base: *mut D,
        rows: &'a Axis,
        cols: &'a Axis,
    ) -> Self {
        let (isa, writing) = (plan.format.isa, plan.writing);
        Target { base: base.cast(), rows, cols, isa, writing, put: put_elements::<S, U, D> }
    }

    /// The memory of `C`, if its elements are sums.
    pub(crate) fn sums(&self) -> *mut S {
        self.base.cast()
    }

    /// `C(i, j) = alpha * sums[i + height * j] + beta C(i, j)`, for each `i` and `j` of two ranges, with the factors `alpha` and
    /// `beta`.
    ///
    /// # Safety
    /// Nothing else accesses this part of `C`, and it is within its bounds.
    pub(crate) unsafe fn put(&self, of: [Range<usize>; 2], sums: &[S], height: usize, factors: [S; 2]) {
        // SAFETY: the contract is the same.
        unsafe { (self.put)(self, of, sums, height, factors) }
    }
}

/// See [`Target::put`].
unsafe fn put_elements<S: Sum, U: Sum, D: Destination<U>>(
    to: &Target<S>,
    [rows, cols]: [Range<usize>; 2],
    sums: &[S],
    height: usize,
    [alpha, beta]: [S; 2],
) {
    let (base, cols) = (to.base.cast::<D>(), &to.cols.offsets[cols]);
    assert!((cols.len() - 1) * height + rows.len() <= sums.len());
    if TypeId::of::<S>() == TypeId::of::<U>() {
        let (rows, sums) = (to.rows.part(rows), sums.as_ptr().cast());
        let factors = [alpha, beta].map(convert::<S, U>);
        // SAFETY: sums are of type `U`, and their number is right; by the contract of `new` the elements are valid, and by
        // that of `put` nothing else accesses them.
        return unsafe { D::put(to.isa)(base, rows, to.writing, cols, sums, height, factors) };
    }
    for (j, &col) in cols.iter().enumerate() {
        for (i, &row) in to.rows.offsets[rows.clone()].iter().enumerate() {
            // SAFETY: by the contract of `new` the element is valid, and by that of `put` nothing else accesses it.
            unsafe { update::<S, U, D>(base.wrapping_offset(row + col), sums[j * height + i], alpha, beta) };
        }
    }
}

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

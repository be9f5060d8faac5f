//! Sums that become elements of `C`.

use super::axis::Steps;
use super::element::{Destination, Sum};
use crate::simd::vector::{Narrow, Vector};
use std::any::TypeId;

/// `C(i, j) = alpha sums[i + height j] + beta C(i, j)`, for `i` of `rows` and `j` of `cols`: by vectors where rows are
/// contiguous, otherwise one by one. A sum becomes the same element either way, so that it makes no difference where threads
/// divide rows. Where `beta` is 0, `C` is not read.
///
/// # Safety
/// `c` is valid for reads and writes at the sum of every offset of a row and of a column, and `sums` for reads of as many rows
/// at every column.
#[inline(always)]
pub(crate) unsafe fn put<D: Destination<V::Scalar>, V: Narrow<D, Scalar: Sum>>(
    c: *mut D,
    rows: Steps<'_>,
    cols: &[isize],
    sums: *const V::Scalar,
    height: usize,
    alpha: V::Scalar,
    beta: V::Scalar,
) {
    let count = rows.offsets.len();
    for (j, &col) in cols.iter().enumerate() {
        let mut i = 0;
        while i < count {
            let run = (rows.runs[i] as usize).min(count - i);
            // SAFETY: the run is a part of the rows, of which elements of `C` and sums are valid.
            unsafe {
                let (at, sums) = (c.wrapping_offset(col + rows.offsets[i]), sums.add(j * height + i));
                if run == 1 {
                    update::<V::Scalar, V::Scalar, D>(at, *sums, alpha, beta);
                } else {
                    put_run::<D, V>(at, sums, run, alpha, beta);
                }
            }
            i += run;
        }
    }
}

/// `count` contiguous elements.
///
/// # Safety
/// `at` is valid for reads and writes of them, `sums` for reads of as many.
#[inline(always)]
unsafe fn put_run<D: Destination<V::Scalar>, V: Narrow<D, Scalar: Sum>>(
    at: *mut D,
    sums: *const V::Scalar,
    count: usize,
    alpha: V::Scalar,
    beta: V::Scalar,
) {
    let (whole, rest) = (count / V::LANES * V::LANES, count % V::LANES);
    let is_read = beta != V::Scalar::ZERO;
    // SAFETY: vectors and their parts lie within the run.
    unsafe {
        let (alpha, beta) = (V::splat(alpha), V::splat(beta));
        let mut before = V::splat(V::Scalar::ZERO);
        for i in (0..whole).step_by(V::LANES) {
            if is_read {
                before = V::widen(at.add(i)).mul(beta);
            }
            sum_of(V::load(sums.add(i)).mul(alpha), before).narrow(at.add(i));
        }
        if rest > 0 {
            let (at, sum) = (at.add(whole), V::load_first(sums.add(whole), rest));
            if is_read {
                before = V::widen_first(at, rest).mul(beta);
            }
            sum_of(sum.mul(alpha), before).narrow_first(at, rest);
        }
    }
}

/// The sum of two products, both of which are rounded, as they are for single elements.
///
/// # Safety
/// The processor has the instructions of the vector.
#[inline(always)]
unsafe fn sum_of<V: Vector<Scalar: Sum>>(a: V, b: V) -> V {
    // SAFETY: the processor has the instructions.
    unsafe { a.mul_add(V::splat(V::Scalar::ONE), b) }
}

/// `*at = alpha sum + beta *at`, for sums that become others of type `U` at the end; where `beta` is 0 nothing is read.
///
/// # Safety
/// `at` is valid for reads and writes.
#[inline(always)]
pub(crate) unsafe fn update<S: Sum, U: Sum, D: Destination<U>>(at: *mut D, sum: S, alpha: S, beta: S) {
    // SAFETY: `at` is valid.
    unsafe {
        let before =
            if beta == S::ZERO { S::ZERO } else { convert::<U, S>((*at).widen()).times_plus(beta, S::ZERO) };
        *at = D::narrow(convert(sum.times_plus(alpha, before)));
    }
}

/// A sum of one type as one of another.
#[inline(always)]
pub(crate) fn convert<S: Sum, U: Sum>(sum: S) -> U {
    if TypeId::of::<S>() == TypeId::of::<U>() {
        // SAFETY: the types are the same.
        unsafe { std::mem::transmute_copy(&sum) }
    } else {
        U::from_f64(sum.into())
    }
}

//! A matrix by a vector: each element of the matrix is used once, so only the vector is packed.
//!
//! | the matrix | in registers |
//! |---|---|
//! | contiguous rows | the sums of many rows, a few steps at a time |
//! | contiguous steps | many steps, the sums of a few rows |
//!
//! Elements that are not contiguous are gathered first.

use super::axis::Steps;
use super::element::{Element, Sum, sum_of_lanes};
use crate::simd::vector::{MAX_LANES, MAX_STEP, Pack};
use crate::tuning::matmul::GEMV_STREAMS;
use std::any::TypeId;
use std::array::from_fn;

/// The most elements that are loaded into one register of lanes.
pub(crate) const MAX_ELEMENTS: usize = 32;

/// `sums[i] += sum of A(i, k) x[k]`, with the sums of contiguous rows in a register.
///
/// # Safety
/// `a` is valid for reads at the sum of every offset of a row and of a step; `x` is valid for all steps and
/// [`MAX_ELEMENTS`] more, which are 0, and `sums` for reads and writes of all rows and one vector more.
#[inline(always)]
pub(crate) unsafe fn along_rows<T: Element, V: Pack<T, Scalar: Sum>>(
    a: *const T,
    rows: Steps<'_>,
    steps: Steps<'_>,
    x: *const T,
    sums: *mut V::Scalar,
) {
    let (count, wide) = (steps.offsets.len(), GEMV_STREAMS * V::STEP);
    let whole = count / wide * wide;
    // SAFETY: the pointers are valid for these steps.
    unsafe {
        for k in (0..whole).step_by(wide) {
            columns::<T, V, GEMV_STREAMS>(a, &rows, &steps.offsets[k..k + wide], x.add(k), sums);
        }
        for k in (whole..count).step_by(V::STEP) {
            columns::<T, V, 1>(a, &rows, &steps.offsets[k..count.min(k + V::STEP)], x.add(k), sums);
        }
    }
}

/// The same for `N` lanes of steps.
#[inline(always)]
unsafe fn columns<T: Element, V: Pack<T, Scalar: Sum>, const N: usize>(
    a: *const T,
    rows: &Steps<'_>,
    steps: &[isize],
    x: *const T,
    sums: *mut V::Scalar,
) {
    // SAFETY: `a` is valid at every row and step, `x` for all steps. Beyond the last of an odd number of steps, `x`
    // is 0.
    unsafe {
        let (mut values, mut columns) = ([V::splat(V::Scalar::ZERO); N], [[a; MAX_STEP]; N]);
        for c in 0..N {
            let place = |s: usize| c * V::STEP + s.min(V::STEP - 1);
            values[c] = V::splat(V::lane(from_fn(|s| *x.add(place(s)))));
            columns[c] = from_fn(|s| a.offset(steps[place(s).min(steps.len() - 1)]));
        }
        let count = rows.offsets.len();
        let mut i = 0;
        while i < count {
            let run = (rows.runs[i] as usize).min(count - i) / V::LANES * V::LANES;
            let start = rows.offsets[i];
            for j in (0..run).step_by(V::LANES) {
                let mut sum = V::load(sums.add(i + j));
                for c in 0..N {
                    let lanes = V::across(columns[c].map(|column| column.offset(start).add(j)));
                    sum = sum.fma_packed(lanes, values[c]);
                }
                sum.store(sums.add(i + j));
            }
            if run > 0 {
                i += run;
                continue;
            }
            let width = V::LANES.min(count - i);
            let mut sum = V::load(sums.add(i));
            if TypeId::of::<T>() == TypeId::of::<V::Scalar>() && rows.runs[i] as usize >= width {
                for c in 0..N {
                    let lanes = V::load_first(columns[c][0].offset(start).cast(), width);
                    sum = sum.fma_packed(lanes, values[c]);
                }
                sum.store(sums.add(i));
                break;
            }
            let mut lanes = [[T::default(); MAX_ELEMENTS]; MAX_STEP];
            for c in 0..N {
                for (lanes, column) in lanes.iter_mut().zip(columns[c]).take(V::STEP) {
                    for (r, &offset) in rows.offsets[i..i + width].iter().enumerate() {
                        lanes[r] = *column.offset(offset);
                    }
                }
                sum = sum.fma_packed(V::across(lanes.each_ref().map(|lanes| lanes.as_ptr())), values[c]);
            }
            sum.store(sums.add(i));
            i += width;
        }
    }
}

/// `sums[i] += sum of A(i, k) x[k]`, with contiguous steps in a register.
///
/// # Safety
/// As for [`along_rows`].
#[inline(always)]
pub(crate) unsafe fn along_steps<T: Element, V: Pack<T, Scalar: Sum>>(
    a: *const T,
    rows: Steps<'_>,
    steps: Steps<'_>,
    x: *const T,
    sums: *mut V::Scalar,
) {
    let (last, count, whole) = (rows.offsets.len() - 1, steps.offsets.len(), V::LANES * V::STEP);
    // SAFETY: `a` is valid at every row and step, `x` for all steps and the zeros after them, `sums` for all rows.
    unsafe {
        let mut lanes = [T::default(); MAX_ELEMENTS];
        for i in (0..=last).step_by(GEMV_STREAMS) {
            // The sums of rows beyond the last are not used.
            let mut starts = [a; GEMV_STREAMS];
            for (r, start) in starts.iter_mut().enumerate() {
                *start = a.offset(rows.offsets[last.min(i + r)]);
            }
            let mut totals = [V::splat(V::Scalar::ZERO); GEMV_STREAMS];
            let mut k = 0;
            while k < count {
                let run = (steps.runs[k] as usize).min(count - k) / whole * whole;
                let offset = steps.offsets[k];
                for j in (0..run).step_by(whole) {
                    let values = V::along(x.add(k + j));
                    for r in 0..GEMV_STREAMS {
                        totals[r] = totals[r].fma_packed(V::along(starts[r].offset(offset).add(j)), values);
                    }
                }
                if run > 0 {
                    k += run;
                    continue;
                }
                let width = whole.min(count - k);
                let values = V::along(x.add(k));
                if TypeId::of::<T>() == TypeId::of::<V::Scalar>() && steps.runs[k] as usize >= width {
                    for r in 0..GEMV_STREAMS {
                        let lanes = V::load_first(starts[r].offset(offset).cast(), width);
                        totals[r] = totals[r].fma_packed(lanes, values);
                    }
                    k += width;
                    continue;
                }
                lanes[width..].fill(T::default());
                for r in 0..GEMV_STREAMS {
                    for (lane, &offset) in lanes.iter_mut().zip(&steps.offsets[k..k + width]) {
                        *lane = *starts[r].offset(offset);
                    }
                    totals[r] = totals[r].fma_packed(V::along(lanes.as_ptr()), values);
                }
                k += width;
            }
            for (r, &total) in totals[..GEMV_STREAMS.min(last + 1 - i)].iter().enumerate() {
                let sum = sums.add(i + r);
                let mut lanes = [V::Scalar::ZERO; MAX_LANES];
                total.store(lanes.as_mut_ptr());
                let eight = from_fn(|i| lanes[i + 8].times_plus(V::Scalar::ONE, lanes[i]));
                *sum = sum_of_lanes(eight).times_plus(V::Scalar::ONE, *sum);
            }
        }
    }
}

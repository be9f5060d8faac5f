//! Packing: a panel of `R` rows of a matrix, step after step along `k`, as the micro-kernels read it.
//!
//! | the rows of the panel | the steps along `k` | what moves |
//! |---|---|---|
//! | follow each other in memory | any | vectors |
//! | any | follow each other | squares, transposed in registers |
//! | any | any | elements |
//!
//! Which of these it is, is found for each panel and each run of steps. A row that is null is read as 0: the rows beyond
//! the edge of a matrix, and the holes that the padding of a convolution makes.

use super::axis::Steps;
use super::tables::SumTables;
use super::vector::Pack;
use crate::element::{Element, Sum};
use std::any::TypeId;

/// A packing function for panels of as many rows as `rows` has; see [`pack`].
pub type PackFn<T> = unsafe fn(&[*const T], Steps<'_>, usize, *mut <T as Element>::Sum);

/// A packing function for whole panels of rows that follow each other; see [`pack_run`].
pub type PackRunFn<T> = unsafe fn(*const T, usize, Steps<'_>, usize, *mut <T as Element>::Sum);

/// Packs `steps` of the panel. Lane `i` of step `k` goes to `out + (k / STEP) * R + i`.
///
/// Where `phase` is 1, the first step is the second element of the lanes at `out`, whose first ones are there already.
///
/// # Safety
/// There are `R` rows; each that is not null is good for reading at every offset of the steps. `out` is good for writing
/// all lanes, and as many more as a vector has; what lies there is overwritten.
#[inline(always)]
pub(crate) unsafe fn pack<T: Element, V: Pack<T>, const R: usize>(
    rows: &[*const T],
    steps: Steps<'_>,
    phase: usize,
    mut out: *mut V::Scalar,
) {
    // SAFETY: the caller's, and of each step what is said there.
    unsafe {
        let rows: &[*const T; R] = &*rows.as_ptr().cast();
        let count = steps.offsets.len();
        let mut k = 0;
        if phase == 1 && count > 0 {
            for (i, &row) in rows.iter().enumerate() {
                let second = V::lane(T::default(), read(row, steps.offsets[0]));
                *out.add(i) = V::Scalar::joined(*out.add(i), second);
            }
            (k, out) = (1, out.add(R));
        }
        let whole = count - (count - k) % V::STEP;
        if is_run(rows) {
            while k < whole {
                copy_step::<T, V, R>(rows[0], &steps, k, out);
                (k, out) = (k + V::STEP, out.add(R));
            }
        } else {
            let holes = rows.iter().any(|row| row.is_null());
            let square = V::LANES * V::STEP;
            while k < whole {
                if steps.runs[k] as usize >= square && k + square <= whole {
                    let at = steps.offsets[k];
                    // What a square writes beyond its rows is overwritten by the square before it, which comes later,
                    // or by the next step.
                    for g in (0..R.div_ceil(V::LANES)).rev() {
                        V::transpose(
                            |i| match rows.get(g * V::LANES + i) {
                                Some(row) if !row.is_null() => V::along(row.offset(at)),
                                _ => V::splat(V::Scalar::ZERO),
                            },
                            |i, lanes| lanes.store(out.add(i * R + g * V::LANES)),
                        );
                    }
                    (k, out) = (k + square, out.add(V::LANES * R));
                    continue;
                }
                let (first, second) = (steps.offsets[k], steps.offsets[k + V::STEP - 1]);
                if holes {
                    for (i, &row) in rows.iter().enumerate() {
                        *out.add(i) = V::lane(read(row, first), read(row, second));
                    }
                } else {
                    for (i, &row) in rows.iter().enumerate() {
                        *out.add(i) = V::lane(*row.offset(first), *row.offset(second));
                    }
                }
                (k, out) = (k + V::STEP, out.add(R));
            }
        }
        if k < count {
            for (i, &row) in rows.iter().enumerate() {
                *out.add(i) = V::lane(read(row, steps.offsets[k]), T::default());
            }
        }
    }
}

/// Packs `panels` panels of rows that follow each other in memory, `first` and on; they are `apart` in `out`. A few steps
/// of all panels come before the next ones, so that memory is read in long pieces.
///
/// # Safety
/// As for [`pack`], for every panel.
#[inline(always)]
pub(crate) unsafe fn pack_run<T: Element, V: Pack<T>, const R: usize>(
    first: *const T,
    panels: usize,
    steps: Steps<'_>,
    apart: usize,
    out: *mut V::Scalar,
) {
    let whole = steps.offsets.len() / V::STEP * V::STEP;
    let few = 8 * V::STEP;
    // SAFETY: the caller's.
    unsafe {
        for from in (0..whole).step_by(few) {
            for panel in 0..panels {
                let row = first.add(panel * R);
                for k in (from..whole.min(from + few)).step_by(V::STEP) {
                    copy_step::<T, V, R>(row, &steps, k, out.add(panel * apart + k / V::STEP * R));
                }
            }
        }
        if whole < steps.offsets.len() {
            for panel in 0..panels {
                for i in 0..R {
                    let element = *first.add(panel * R + i).offset(steps.offsets[whole]);
                    *out.add(panel * apart + whole / V::STEP * R + i) = V::lane(element, T::default());
                }
            }
        }
    }
}

/// Packs one step of `R` rows that follow each other.
///
/// # Safety
/// As for [`pack`].
#[inline(always)]
unsafe fn copy_step<T: Element, V: Pack<T>, const R: usize>(
    row: *const T,
    steps: &Steps<'_>,
    k: usize,
    out: *mut V::Scalar,
) {
    // SAFETY: the caller's.
    unsafe {
        let first = row.offset(steps.offsets[k]);
        let second = row.offset(steps.offsets[k + V::STEP - 1]);
        if TypeId::of::<T>() == TypeId::of::<V::Scalar>() {
            return first.cast::<V::Scalar>().copy_to_nonoverlapping(out, R);
        }
        for g in 0..R / V::LANES {
            V::across(first.add(g * V::LANES), second.add(g * V::LANES)).store(out.add(g * V::LANES));
        }
        for i in R / V::LANES * V::LANES..R {
            *out.add(i) = V::lane(*first.add(i), *second.add(i));
        }
    }
}

/// An element, or 0 in a row that is null.
///
/// # Safety
/// A row that is not null is good for reading at the offset.
#[inline(always)]
unsafe fn read<T: Element>(row: *const T, offset: isize) -> T {
    // SAFETY: the caller's.
    if row.is_null() { T::default() } else { unsafe { *row.offset(offset) } }
}

/// Whether all rows are there and follow each other.
#[inline(always)]
fn is_run<T, const R: usize>(rows: &[*const T; R]) -> bool {
    !rows[0].is_null() && (1..R).all(|i| rows[i] == rows[0].wrapping_add(i))
}

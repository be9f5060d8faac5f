//! Packing: a panel of rows of a matrix, step after step along `k`, as the micro-kernels read it.
//!
//! | [`Packing`] of memory with two tables | copied by |
//! |---|---|
//! | `Rows` | vectors, the last of a contiguous piece in part |
//! | `Steps` | squares, transposed in registers |
//! | `RowsApart` | vectors, permuted (AVX2, AVX-512) |
//! | `Elements` | elements, as the steps that are left of squares |
//!
//! Panels that a convolution yields are pointers to rows: contiguous ones are copied by vectors, others by squares and by elements.
//! A null row is read as 0: the padding.

use super::axis::{Steps, equal_parts};
use super::element::{Element, Packer};
use super::kernel::MAX_PANEL;
use super::packing::Packing;
use crate::simd::prefetch::prefetch_l1;
use crate::simd::vector::{MAX_STEP, Pack, Vector};
use crate::tuning::LINE;
use crate::tuning::matmul::PACKED_TOGETHER;
use std::any::TypeId;

/// Packs `steps` of up to `panel` rows, filled up to whole vectors with 0. Lane `i` of step `k` goes to
/// `out + (k / STEP) * panel + i`.
///
/// If `phase` is not 0, the first step is element `phase` of the lanes at `out`, whose earlier elements were packed
/// before.
///
/// # Safety
/// Each row that is not null is valid for reads at every offset of the steps. `out` is valid for writes of all lanes, and one vector
/// more, which is overwritten.
#[inline(always)]
pub(crate) unsafe fn pack<T: Element, V: Pack<T>>(
    all: &[*const T],
    steps: Steps<'_>,
    phase: usize,
    panel: usize,
    mut out: *mut V::Scalar,
) {
    // The compiler knows that what is packed does not overwrite them.
    let mut own = [std::ptr::null(); MAX_PANEL];
    own[..all.len()].copy_from_slice(all);
    let rows = &own[..all.len()];
    // SAFETY: each row is null or valid for reads at every offset of the steps, and `out` is valid for writes of all
    // of them.
    unsafe {
        let count = steps.offsets.len();
        let mut k = 0;
        if phase > 0 {
            while k < count.min(V::STEP - phase) {
                for (i, &row) in rows.iter().enumerate() {
                    *out.add(i) = V::join(*out.add(i), read(row, steps.offsets[k]), phase + k);
                }
                k += 1;
            }
            out = out.add(panel);
        }
        let whole = count - (count - k) % V::STEP;
        if rows.len() == panel && is_run(rows) {
            while k < whole {
                copy_run::<T, V>(moved(rows[0], at_steps::<T, V>(steps, k)), panel, out);
                (k, out) = (k + V::STEP, out.add(panel));
            }
        } else {
            let full = rows.len() == panel && rows.iter().all(|row| !row.is_null());
            let square = V::LANES * V::STEP;
            while k < whole {
                let places = at_steps::<T, V>(steps, k);
                if steps.runs[k] as usize >= square && k + square <= whole {
                    let load = |i: usize| match rows.get(i) {
                        Some(row) if !row.is_null() => V::along(row.offset(places[0])),
                        _ => V::splat(V::lane([T::default(); MAX_STEP])),
                    };
                    transpose_to_panel::<V>([rows.len(), panel], load, out);
                    (k, out) = (k + square, out.add(V::LANES * panel));
                    continue;
                }
                if full {
                    for (i, &row) in rows.iter().enumerate() {
                        *out.add(i) = V::lane(elements::<T, V>(|s| *row.offset(places[s])));
                    }
                } else {
                    for (i, &row) in rows.iter().enumerate() {
                        *out.add(i) = V::lane(elements::<T, V>(|s| read(row, places[s])));
                    }
                    fill::<V>([rows.len(), panel], out);
                }
                (k, out) = (k + V::STEP, out.add(panel));
            }
        }
        if k < count {
            for (i, &row) in rows.iter().enumerate() {
                *out.add(i) = V::lane(elements_until(count - k, |s| read(row, steps.offsets[k + s])));
            }
            fill::<V>([rows.len(), panel], out);
        }
    }
}

/// The offsets of the steps of a lane, from step `k` on.
#[inline(always)]
fn at_steps<T, V: Pack<T>>(steps: Steps<'_>, k: usize) -> [isize; MAX_STEP] {
    let mut places = [0; MAX_STEP];
    for (s, place) in places.iter_mut().enumerate() {
        *place = steps.offsets[k + s.min(V::STEP - 1)];
    }
    places
}

/// The pointers to these steps.
#[inline(always)]
fn moved<T>(base: *const T, places: [isize; MAX_STEP]) -> [*const T; MAX_STEP] {
    let [a, b, c, d] = places;
    [base.wrapping_offset(a), base.wrapping_offset(b), base.wrapping_offset(c), base.wrapping_offset(d)]
}

/// The pointers, each advanced by `by` elements.
#[inline(always)]
fn advanced<T>([a, b, c, d]: [*const T; MAX_STEP], by: isize) -> [*const T; MAX_STEP] {
    [a.wrapping_offset(by), b.wrapping_offset(by), c.wrapping_offset(by), d.wrapping_offset(by)]
}

/// The elements of a whole lane.
#[inline(always)]
fn elements<T: Element, V: Pack<T>>(element: impl Fn(usize) -> T) -> [T; MAX_STEP] {
    elements_until(V::STEP, element)
}

/// The first `count` elements of a lane; the others are 0.
#[inline(always)]
fn elements_until<T: Element>(count: usize, element: impl Fn(usize) -> T) -> [T; MAX_STEP] {
    let mut lane = [T::default(); MAX_STEP];
    // A constant number of iterations keeps the lane in registers.
    for (s, place) in lane.iter_mut().enumerate() {
        if s < count {
            *place = element(s);
        }
    }
    lane
}

/// Packs all panels of an operand that is memory by two tables: `base + rows[i] + steps[k]`. The panels are equal parts of
/// the rows in whole units; those of fewer rows than a panel has, `MR` or `NR`, are filled up to whole vectors with 0. Lanes after the
/// last step are not written.
///
/// Of rows that are read by vectors, a few steps of all panels are packed before the next ones, so that memory is read in long
/// pieces.
///
/// # Safety
/// `base` is valid for reads at the sum of every offset of a row and of a step; `out` for writes of all panels, and one
/// vector more. Rows or steps that `packing` says are apart are so.
#[inline(always)]
pub(crate) unsafe fn pack_strided<
    T: Element<Sum = V::Scalar>,
    V: Pack<T>,
    const MR: usize,
    const NR: usize,
>(
    packer: &Packer<T>,
    base: *const T,
    rows: Steps<'_>,
    steps: Steps<'_>,
    packing: Packing,
    unit: usize,
    out: *mut V::Scalar,
) {
    let (height, count, r) = (rows.offsets.len(), steps.offsets.len(), packer.rows);
    let panels = height.div_ceil(r);
    let lanes = count.div_ceil(V::STEP);
    let together = match packing {
        Packing::Rows => PACKED_TOGETHER * V::STEP,
        _ => count.max(1),
    };
    // Whole panels of one run: nothing is asked for each.
    let is_run = packing == Packing::Rows && height % r == 0 && height > 0 && rows.runs[0] as usize >= height;
    for from in (0..count).step_by(together) {
        let part = steps.part(from..count.min(from + together));
        let after = &steps.offsets[from + part.offsets.len()..];
        if is_run && part.offsets.len().is_multiple_of(V::STEP) {
            let row = base.wrapping_offset(rows.offsets[0]);
            for panel in 0..panels {
                // SAFETY: `base` is valid for these rows and steps, and `out` has room for every panel.
                unsafe {
                    let out = out.add((panel * lanes + from / V::STEP) * r);
                    copy_steps::<T, V, MR, NR>(r, row.wrapping_add(panel * r), part, after, out);
                }
            }
            continue;
        }
        for (panel, range) in equal_parts(height, unit, panels).enumerate() {
            let rows = rows.part(range);
            // SAFETY: the rows and steps are parts of those that `base` is valid for, and `out` has room for every
            // panel. `T` is `V::Scalar` where vectors access elements that are apart.
            unsafe {
                let out = out.add((panel * lanes + from / V::STEP) * r);
                let apart = base.cast::<V::Scalar>();
                let whole = match packing {
                    Packing::Rows => pack_runs::<T, V, MR, NR>(r, base, rows, part, after, out),
                    Packing::RowsApart(by) if are_strided::<T, V>() => match by {
                        2 => rows_strided::<V, 2>(r, apart, rows, part, out),
                        3 => rows_strided::<V, 3>(r, apart, rows, part, out),
                        _ => rows_strided::<V, 4>(r, apart, rows, part, out),
                    },
                    _ => 0,
                };
                if whole < part.offsets.len() {
                    let mut pointers = [std::ptr::null(); MAX_PANEL];
                    for (pointer, &offset) in pointers.iter_mut().zip(rows.offsets) {
                        *pointer = base.wrapping_offset(offset);
                    }
                    let rest = part.part(whole..part.offsets.len());
                    (packer.any)(&pointers[..rows.offsets.len()], rest, 0, r, out.add(whole / V::STEP * r));
                }
            }
        }
    }
}

/// Packs steps of a panel run by run, and returns their number. The steps `after` are packed next.
///
/// # Safety
/// As for [`pack_strided`].
#[inline(always)]
unsafe fn pack_runs<T: Element, V: Pack<T>, const MR: usize, const NR: usize>(
    r: usize,
    base: *const T,
    rows: Steps<'_>,
    steps: Steps<'_>,
    after: &[isize],
    out: *mut V::Scalar,
) -> usize {
    let (height, count) = (rows.offsets.len(), steps.offsets.len());
    let whole = count / V::STEP * V::STEP;
    // SAFETY: `base` is valid for these rows and steps, and `out` has room for the panel.
    unsafe {
        if height == r && rows.runs[0] as usize >= r {
            let row = base.wrapping_offset(rows.offsets[0]);
            copy_steps::<T, V, MR, NR>(r, row, steps.part(0..whole), after, out);
        } else {
            for k in (0..whole).step_by(V::STEP) {
                let (places, out) = (moved(base, at_steps::<T, V>(steps, k)), out.add(k / V::STEP * r));
                let mut i = 0;
                while i < height {
                    let len = (rows.runs[i] as usize).min(height - i);
                    copy_run::<T, V>(advanced(places, rows.offsets[i]), len, out.add(i));
                    i += len;
                }
                fill::<V>([height, r], out);
            }
        }
    }
    whole
}

/// Packs steps of `r` contiguous rows, `MR` or `NR`, the first at `row`, while those of the steps `after` are prefetched: each begins a
/// stream that the hardware prefetcher does not know yet.
///
/// # Safety
/// As for [`pack_strided`]; there are whole lanes of steps.
#[inline(always)]
unsafe fn copy_steps<T: Element, V: Pack<T>, const MR: usize, const NR: usize>(
    r: usize,
    row: *const T,
    steps: Steps<'_>,
    after: &[isize],
    out: *mut V::Scalar,
) {
    // SAFETY: the contract is the same.
    unsafe {
        match r == NR {
            true => copy_panel::<T, V, NR>(row, steps, after, out),
            false => copy_panel::<T, V, MR>(row, steps, after, out),
        }
    }
}

/// The same for `R` rows.
///
/// # Safety
/// As for [`copy_steps`].
#[inline(always)]
unsafe fn copy_panel<T: Element, V: Pack<T>, const R: usize>(
    row: *const T,
    steps: Steps<'_>,
    after: &[isize],
    out: *mut V::Scalar,
) {
    for k in (0..steps.offsets.len()).step_by(V::STEP) {
        if let Some(&next) = after.get(k) {
            for i in (0..R).step_by(LINE / size_of::<T>()) {
                prefetch_l1(row.wrapping_offset(next).wrapping_add(i));
            }
        }
        // SAFETY: the rows are valid at these steps, and `out` has room for them.
        unsafe { copy_step::<T, V, R>(moved(row, at_steps::<T, V>(steps, k)), out.add(k / V::STEP * R)) };
    }
}

/// Fills a step of `height` rows of a panel up to whole vectors.
///
/// # Safety
/// `out` is valid for writes of a step.
#[inline(always)]
unsafe fn fill<V: Vector>([height, panel]: [usize; 2], out: *mut V::Scalar) {
    for i in height..height.next_multiple_of(V::LANES).min(panel) {
        // SAFETY: the lane is one of the step.
        unsafe { *out.add(i) = V::Scalar::default() };
    }
}

/// Packs as many steps as a vector has lanes, of `height` rows: `load` reads those of a row. Lanes that a square writes
/// beyond its rows are overwritten by the preceding square, which is packed later, or by the next step.
///
/// # Safety
/// `out` is valid for writes of the steps, and of a vector more.
#[inline(always)]
unsafe fn transpose_to_panel<V: Vector>(
    [height, panel]: [usize; 2],
    load: impl Fn(usize) -> V,
    out: *mut V::Scalar,
) {
    // SAFETY: `out` has room for all squares, and for the lanes that they write beyond the rows.
    unsafe {
        for g in (0..height.div_ceil(V::LANES)).rev() {
            let to = |i: usize| out.add(i * panel + g * V::LANES);
            V::transpose(|i| load(g * V::LANES + i), |i, lanes| lanes.store(to(i)));
        }
    }
}

/// Whether vectors access elements of this type that are 2 to 4 apart.
#[inline(always)]
pub(crate) fn are_strided<T: 'static, V: Vector>() -> bool {
    V::HAS_STRIDED && TypeId::of::<T>() == TypeId::of::<V::Scalar>()
}

/// Packs a panel of rows that are `S` elements apart, and returns the number of steps.
///
/// # Safety
/// As for [`pack_strided`].
#[inline(always)]
unsafe fn rows_strided<V: Vector, const S: usize>(
    r: usize,
    base: *const V::Scalar,
    rows: Steps<'_>,
    steps: Steps<'_>,
    mut out: *mut V::Scalar,
) -> usize {
    let height = rows.offsets.len();
    let whole = height / V::LANES * V::LANES;
    for &step in steps.offsets {
        // SAFETY: lane `i * S` is a row of the panel, at a step for which `base` is valid.
        unsafe {
            let from = base.offset(rows.offsets[0] + step);
            for i in (0..whole).step_by(V::LANES) {
                V::load_strided::<S>(from.add(i * S)).store(out.add(i));
            }
            (whole..height).for_each(|i| *out.add(i) = *from.add(i * S));
            fill::<V>([height, r], out);
            out = out.add(r);
        }
    }
    steps.offsets.len()
}

/// Packs one step of `R` contiguous rows.
///
/// # Safety
/// As for [`copy_run`].
#[inline(always)]
unsafe fn copy_step<T: Element, V: Pack<T>, const R: usize>(from: [*const T; MAX_STEP], out: *mut V::Scalar) {
    // SAFETY: the pointers are valid for `R` rows, and `out` for as many lanes.
    unsafe {
        if TypeId::of::<T>() == TypeId::of::<V::Scalar>() {
            // A register of the right width: part of a wider one may span two lines.
            return from[0].cast::<V::Scalar>().copy_to_nonoverlapping(out, R);
        }
        copy_run::<T, V>(from, R, out);
    }
}

/// Packs one step of `len` contiguous rows.
///
/// # Safety
/// The first `STEP` pointers are valid for reads of `len` elements, and `out` for writes of as many lanes.
#[inline(always)]
unsafe fn copy_run<T: Element, V: Pack<T>>(from: [*const T; MAX_STEP], len: usize, out: *mut V::Scalar) {
    let whole = len / V::LANES * V::LANES;
    // SAFETY: the pointers are valid for `len` elements, and `out` for as many lanes.
    unsafe {
        for i in (0..whole).step_by(V::LANES) {
            V::across(advanced(from, i as isize)).store(out.add(i));
        }
        if whole < len && TypeId::of::<T>() == TypeId::of::<V::Scalar>() {
            let rest = V::load_first(from[0].cast::<V::Scalar>().add(whole), len - whole);
            return rest.store_first(out.add(whole), len - whole);
        }
        for i in whole..len {
            *out.add(i) = V::lane(elements::<T, V>(|s| *from[s].add(i)));
        }
    }
}

/// An element, or 0 in a null row.
///
/// # Safety
/// A row that is not null is valid for reads at the offset.
#[inline(always)]
unsafe fn read<T: Element>(row: *const T, offset: isize) -> T {
    // SAFETY: the row is not null, and so valid at the offset.
    if row.is_null() { T::default() } else { unsafe { *row.offset(offset) } }
}

/// Whether no row is null and all are contiguous.
#[inline(always)]
fn is_run<T>(rows: &[*const T]) -> bool {
    !rows[0].is_null() && (1..rows.len()).all(|i| rows[i] == rows[0].wrapping_add(i))
}

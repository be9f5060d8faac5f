//! Packing for instructions that multiply small matrices: the elements of a step are side by side for each row.
//!
//! A panel of `R` rows is the layout `(R,(D,steps)):(D,(1,R D))` of elements.

use super::axis::{Steps, equal_parts};
use super::plan::Packing;
use crate::matmul::element::Element;

/// Packs steps of the panel; the first one is element `phase` of its row at `out`. Nothing is written after the last.
///
/// # Safety
/// There are `R` rows; each that is not null is valid for reads at every offset of the steps. `out` is valid for writes of all
/// elements of these steps.
#[inline(always)]
pub(crate) unsafe fn pack_rows<T: Element, const R: usize, const D: usize>(
    rows: &[*const T],
    steps: Steps<'_>,
    phase: usize,
    out: *mut T::Sum,
) {
    for (i, &row) in rows.iter().enumerate().take(R) {
        let mut k = 0;
        while k < steps.offsets.len() {
            let (at, offset) = (phase + k, steps.offsets[k]);
            let count = (D - at % D).min(steps.offsets.len() - k).min(steps.runs[k] as usize);
            // SAFETY: the row is null or valid for this run of steps, and `out` has room for it.
            unsafe {
                let to = out.cast::<T>().add((at / D * R + i) * D + at % D);
                if row.is_null() {
                    (0..count).for_each(|s| *to.add(s) = T::default());
                } else {
                    row.offset(offset).copy_to_nonoverlapping(to, count);
                }
            }
            k += count;
        }
    }
}

/// Packs all panels of an operand that is memory by two tables, as [`pack_strided`](super::pack::pack_strided) does, run by run.
///
/// # Safety
/// `base` is valid for reads at the sum of every offset of a row and of a step; `out` for writes of all panels.
#[inline(always)]
pub(crate) unsafe fn pack_rows_strided<T: Element, const R: usize, const D: usize>(
    base: *const T,
    rows: Steps<'_>,
    steps: Steps<'_>,
    _: Packing,
    unit: usize,
    out: *mut T::Sum,
) {
    let panels = rows.offsets.len().div_ceil(R);
    let pitch = steps.offsets.len().next_multiple_of(D) * R;
    for (panel, part) in equal_parts(rows.offsets.len(), unit, panels).enumerate() {
        let mut pointers = [std::ptr::null(); R];
        let count = part.len();
        for (pointer, &row) in pointers.iter_mut().zip(&rows.offsets[part]) {
            *pointer = base.wrapping_offset(row);
        }
        // SAFETY: `base` is valid for the rows, and `out` has room for every panel.
        unsafe {
            let out = out.cast::<T>().add(panel * pitch).cast();
            pack_rows::<T, R, D>(&pointers[..count], steps, 0, out);
        }
    }
}

//! Sums are written to `C`.

use super::axis::Steps;
use super::element::{Destination, Sum};
use super::pack::are_strided;
use super::packing::Packing;
use crate::simd::vector::{Narrow, Vector};
use std::any::TypeId;

/// `C(i, j) = alpha sums[i + height j] + beta C(i, j)`, for `i` of `rows` and `j` of `cols`: by vectors if `packing` says that rows
/// are contiguous or 2 to 4 apart, otherwise one by one. A sum becomes the same element either way, so it does not matter
/// where threads divide rows. If `beta` is 0, `C` is not read.
///
/// # Safety
/// `c` is valid for reads and writes at the sum of every offset of a row and of a column, and `sums` for reads of as many rows
/// at every column. Rows that `packing` says are apart are so.
#[inline(always)]
pub(crate) unsafe fn put<D: Destination<V::Scalar>, V: Narrow<D, Scalar: Sum>>(
    c: *mut D,
    rows: Steps<'_>,
    packing: Packing,
    cols: &[isize],
    sums: *const V::Scalar,
    height: usize,
    [alpha, beta]: [V::Scalar; 2],
) {
    let stride = match packing {
        Packing::RowsApart(by) if are_strided::<D, V>() => by,
        _ => 0,
    };
    let whole = if stride > 0 { rows.offsets.len() / V::LANES * V::LANES } else { 0 };
    let (rest, apart) = (rows.part(whole..rows.offsets.len()), packing != Packing::Rows);
    for (j, &col) in cols.iter().enumerate() {
        // SAFETY: vectors and single elements are parts of the rows, for which `C` and the sums are valid; there are vectors
        // only if `D` is `V::Scalar`.
        unsafe {
            let (c, sums) = (c.wrapping_offset(col), sums.add(j * height));
            if whole > 0 {
                let c = c.wrapping_offset(rows.offsets[0]).cast();
                match stride {
                    2 => put_strided::<V, 2>(c, sums, whole, alpha, beta),
                    3 => put_strided::<V, 3>(c, sums, whole, alpha, beta),
                    _ => put_strided::<V, 4>(c, sums, whole, alpha, beta),
                }
            }
            put_rest::<D, V>(c, rest, apart, sums.add(whole), alpha, beta);
        }
    }
}

/// `count` elements, which are whole vectors, `S` apart.
///
/// # Safety
/// `at` is valid for reads and writes of them, `sums` for reads of as many.
#[inline(always)]
unsafe fn put_strided<V: Vector<Scalar: Sum>, const S: usize>(
    at: *mut V::Scalar,
    sums: *const V::Scalar,
    count: usize,
    alpha: V::Scalar,
    beta: V::Scalar,
) {
    let is_read = beta != V::Scalar::ZERO;
    // SAFETY: the vectors are those of the elements.
    unsafe {
        let (alpha, beta, zero) = (V::splat(alpha), V::splat(beta), V::splat(V::Scalar::ZERO));
        let mut before = zero;
        for i in (0..count).step_by(V::LANES) {
            let at = at.add(i * S);
            if is_read {
                before = V::load_strided::<S>(at).mul_add(beta, zero);
            }
            sum_of(V::load(sums.add(i)).mul(alpha), before).store_strided::<S>(at);
        }
    }
}

/// The rows of one column: run by run, or one by one if they are `apart`, no two of them contiguous.
///
/// # Safety
/// `c` is valid for reads and writes at every offset of a row, `sums` for reads of as many.
#[inline(always)]
unsafe fn put_rest<D: Destination<V::Scalar>, V: Narrow<D, Scalar: Sum>>(
    c: *mut D,
    rows: Steps<'_>,
    apart: bool,
    sums: *const V::Scalar,
    alpha: V::Scalar,
    beta: V::Scalar,
) {
    let count = rows.offsets.len();
    // SAFETY: the runs are parts of the rows, for which `C` and the sums are valid.
    unsafe {
        // A run has to be known before the next one begins; single elements do not wait for each other.
        if apart {
            for (i, &row) in rows.offsets.iter().enumerate() {
                update::<V::Scalar, V::Scalar, D>(c.wrapping_offset(row), *sums.add(i), alpha, beta);
            }
            return;
        }
        let mut i = 0;
        while i < count {
            let run = (rows.runs[i] as usize).min(count - i);
            let (at, sums) = (c.wrapping_offset(rows.offsets[i]), sums.add(i));
            if run == 1 {
                update::<V::Scalar, V::Scalar, D>(at, *sums, alpha, beta);
            } else {
                put_run::<D, V>(at, sums, run, alpha, beta);
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
    // SAFETY: vectors and their parts are within the run.
    unsafe {
        let (alpha, beta, zero) = (V::splat(alpha), V::splat(beta), V::splat(V::Scalar::ZERO));
        let mut before = zero;
        for i in (0..whole).step_by(V::LANES) {
            if is_read {
                before = V::widen(at.add(i)).mul_add(beta, zero);
            }
            sum_of(V::load(sums.add(i)).mul(alpha), before).narrow(at.add(i));
        }
        if rest > 0 {
            let (at, sum) = (at.add(whole), V::load_first(sums.add(whole), rest));
            if is_read {
                before = V::widen_first(at, rest).mul_add(beta, zero);
            }
            sum_of(sum.mul(alpha), before).narrow_first(at, rest);
        }
    }
}

/// The sum of two products that were rounded first, as for single elements.
///
/// # Safety
/// The processor has the instructions of the vector.
#[inline(always)]
unsafe fn sum_of<V: Vector<Scalar: Sum>>(a: V, b: V) -> V {
    // SAFETY: the processor has the instructions.
    unsafe { a.mul_add(V::splat(V::Scalar::ONE), b) }
}

/// `*at = alpha sum + beta *at`, for sums that are converted to `U` first; if `beta` is 0, `at` is not read.
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

/// A sum converted to another type.
#[inline(always)]
pub(crate) fn convert<S: Sum, U: Sum>(sum: S) -> U {
    if TypeId::of::<S>() == TypeId::of::<U>() {
        // SAFETY: the types are the same.
        unsafe { std::mem::transmute_copy(&sum) }
    } else {
        U::from_f64(sum.into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::Axis;
    use super::super::element::Destination;
    use super::super::packing::Packing;
    use crate::cpu::isa::Isa;
    use half::{bf16, f16};
    use std::any::TypeId;

    /// The elements that `sums` become, with offsets `step` apart.
    fn put<D: Destination<f32>>(isa: Isa, sums: &[f32], step: isize, [alpha, beta]: [f32; 2]) -> Vec<D> {
        let before = |i: usize| D::narrow((i / step as usize) as f32 / 3.0);
        let mut c: Vec<D> = (0..sums.len() * step as usize).map(before).collect();
        let rows = Axis::strided(sums.len(), step);
        // SAFETY: the processor has the instructions, and there are as many elements as offsets.
        unsafe {
            let permutes = TypeId::of::<D>() == TypeId::of::<f32>();
            let packing = Packing::of_rows(permutes, &rows);
            D::put(isa)(
                c.as_mut_ptr(),
                rows.part(0..sums.len()),
                packing,
                &[0],
                sums.as_ptr(),
                sums.len(),
                [alpha, beta],
            );
        }
        c.into_iter().step_by(step as usize).collect()
    }

    /// Every sign, exponent and rounded mantissa of either type, its neighbours, and the values halfway between.
    #[test]
    fn vectors_round_like_single_elements() {
        let every = if cfg!(miri) { 4999 } else { 1 };
        let below = [0, 1, 0x0FFF, 0x1000, 0x1001, 0x7FFF, 0x8000, 0x8001, 0xEFFF, 0xF000, 0xF001, 0xFFFF];
        let bits = (0..1u32 << 16).step_by(every).flat_map(|high| below.map(|low| high << 16 | low));
        let sums: Vec<f32> = bits.map(f32::from_bits).collect();
        fn check<D: Destination<f32> + Into<f32>>(isa: Isa, sums: &[f32]) {
            for (to, &sum) in put::<D>(isa, sums, 1, [1.0, 0.0]).into_iter().zip(sums) {
                let (to, right): (f32, f32) = (to.into(), D::narrow(sum).into());
                assert!(to == right || to.is_nan() && right.is_nan(), "{isa}: {sum:e} became {to:e}");
            }
        }
        for isa in Isa::available() {
            check::<bf16>(isa, &sums);
            check::<f16>(isa, &sums);
            check::<f32>(isa, &sums);
        }
    }

    #[test]
    fn neighbours_become_what_single_elements_become() {
        fn check<D: Destination<f32> + Into<f32>>(isa: Isa) {
            let bits = |sums: Vec<D>| sums.into_iter().map(|sum| sum.into().to_bits()).collect::<Vec<_>>();
            // A part of a vector, and whole ones with a part.
            let every = if cfg!(miri) { 17 } else { 1 };
            for count in (1..=if cfg!(miri) { 18 } else { 50 }).step_by(every) {
                let sums: Vec<f32> = (0..count).map(|i| (i as f32 - 7.3) / 1.7).collect();
                for factors in [[1.0, 0.0], [-0.3, 0.0], [0.7, 1.3], [0.0, -0.1], [0.0, 0.0]] {
                    let alone: Vec<u32> = bits(put(isa, &sums, 5, factors));
                    for step in 1..=4 {
                        assert!(
                            alone == bits(put(isa, &sums, step, factors)),
                            "{isa}, {count} {step} apart, {factors:?}"
                        );
                    }
                }
            }
        }
        for isa in Isa::available() {
            check::<bf16>(isa);
            check::<f16>(isa);
            check::<f32>(isa);
        }
    }
}

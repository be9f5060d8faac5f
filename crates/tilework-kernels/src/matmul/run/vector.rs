//! A matrix by a vector: only the vector is packed.

use super::operand::{Product, Strided};
use super::scratch::Scratch;
use crate::execution::Counter;
use crate::matmul::tile::element::{Element, Sum};
use crate::matmul::tile::gemv::MAX_ELEMENTS;
use crate::tuning::matmul::GEMV_ROWS;
use std::ops::Range;

/// Computes `rows` by `cols` of `C`, which has one row or one column.
///
/// # Safety
/// As for [`Product::part`].
pub(crate) unsafe fn run<T: Element>(
    product: &Product<T>,
    along_rows: bool,
    [a, b]: [&Strided<T>; 2],
    [rows, cols]: [Range<usize>; 2],
    counter: &Counter,
) {
    let (column, k) = (b.rows.len() == 1, product.plan.size[2]);
    let (matrix, vector, range) = if column { (a, b, rows) } else { (b, a, cols) };
    let packers = T::packers(product.plan.format.isa);
    let kernel = if along_rows { packers.along_rows } else { packers.along_steps };
    let mut scratch = Scratch::take();
    let [x, sums] = scratch.parts::<T::Sum, 2>([k + MAX_ELEMENTS, GEMV_ROWS.min(range.len()) + MAX_ELEMENTS]);
    let x = x.as_mut_ptr().cast::<T>();
    // SAFETY: an element is no larger than a sum; the tables are those of the operands.
    unsafe {
        for (k, &offset) in vector.cols.offsets.iter().enumerate() {
            *x.add(k) = *vector.base.offset(vector.rows.offsets[0] + offset);
        }
        (k..k + MAX_ELEMENTS).for_each(|k| *x.add(k) = T::default());
    }
    for from in range.clone().step_by(GEMV_ROWS) {
        let part = from..range.end.min(from + GEMV_ROWS);
        sums.fill(T::Sum::ZERO);
        let [rows, cols] = if column { [part.clone(), 0..1] } else { [0..1, part.clone()] };
        let height = rows.len();
        // SAFETY: the tables are those of the matrix, the sums have room, and nothing else accesses this part of `C`.
        unsafe {
            let steps = matrix.cols.part(0..k);
            kernel(matrix.base, matrix.rows.part(part.clone()), steps, x, sums.as_mut_ptr());
            product.c.put([rows, cols], sums, height, [product.alpha, product.beta]);
        }
        if !counter.advance(part.len()) {
            break;
        }
    }
    scratch.give_back();
}

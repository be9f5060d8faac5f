//! Products so small that packing would take longer than what it saves: the kernels read the operands where they lie.

use super::axis::{Axis, equal_part};
use super::kernel::{MAX_MV, Tile};
use super::matrix::Matrix;
use super::scratch::Scratch;
use super::tables::Kernels;
use crate::element::{Element, Sum};
use std::any::TypeId;

/// The most multiplications that are done without packing.
const MOST: usize = 100 * 100 * 100;

/// The most elements of a matrix that a vector is multiplied by in this way.
const MOST_BY_VECTOR: usize = 1 << 16;

/// How operands that are not packed lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Small {
    a_k: isize,
    b_n: isize,
    b_k: isize,
    /// Whether `A`'s vectors have to be put together first.
    pack_a: bool,
}

impl Small {
    /// Whether, and how, the product can do without packed panels: it is small, `B` has one stride along each axis, and
    /// the columns of `C` lie in one piece.
    pub(crate) fn new<T: Element>(a: &Matrix, b: &Matrix, c: &Matrix) -> Option<Small> {
        let (m, n, k) = (a.rows.len(), b.rows.len(), a.cols.len());
        let most = if m == 1 || n == 1 { MOST_BY_VECTOR } else { MOST };
        if TypeId::of::<T>() != TypeId::of::<T::Sum>() || m.saturating_mul(n).saturating_mul(k) > most {
            return None;
        }
        let in_columns = |axis: &Axis| axis.is_run(0, axis.len());
        if c.all.is_some() || !in_columns(&c.rows) {
            return None;
        }
        let (b_n, b_k) = (b.rows.stride()?, b.cols.stride()?);
        match a.cols.stride() {
            Some(a_k) if in_columns(&a.rows) => Some(Small { a_k, b_n, b_k, pack_a: false }),
            _ if m == 1 || n == 1 => None,
            _ => Some(Small { a_k: 0, b_n, b_k, pack_a: true }),
        }
    }

    /// Whether `A` is packed all the same.
    pub(crate) fn packs(&self) -> bool {
        self.pack_a
    }

    /// `C = alpha A B + beta C`.
    ///
    /// # Safety
    /// The operands are those that this was made for, and the pointers good for all of their offsets, nobody else being
    /// at `C`. The processor has the instructions of the kernels.
    #[inline]
    pub(crate) unsafe fn run<T: Element>(
        &self,
        kernels: &Kernels<T::Sum>,
        alpha: T::Sum,
        (a, of_a): (*const T, &Matrix),
        (b, of_b): (*const T, &Matrix),
        beta: T::Sum,
        (c, of_c): (*mut T::Sum, &Matrix),
    ) {
        let (m, n, k) = (of_a.rows.len(), of_b.rows.len(), of_a.cols.len());
        let mut scratch = self.pack_a.then(Scratch::take);
        let [panel] = match &mut scratch {
            Some(scratch) => scratch.parts::<T::Sum, 1>([kernels.mr * k + kernels.mr]),
            None => [&mut [][..]],
        };
        // With `alpha` 0, `A` and `B` are not read.
        let k = if alpha == T::Sum::ZERO { 0 } else { k };
        let mut tile = Tile {
            k,
            a: a.cast(),
            a_k: self.a_k,
            b: b.cast(),
            b_n: self.b_n,
            b_k: self.b_k,
            c,
            c_m: [0; MAX_MV],
            c_n: of_c.cols.offsets.as_ptr(),
            tail: 0,
            alpha,
            beta,
            ahead: &mut [],
        };
        for (v, offset) in tile.c_m.iter_mut().enumerate() {
            *offset = (v * kernels.lanes) as isize;
        }
        let tall = ceil(m, kernels.mr);
        for part in 0..tall {
            // A tile of one vector has too few sums to hide their latency.
            let rows = equal_part(m, kernels.lanes, tall, part);
            let (i, height) = (rows.start, rows.len());
            let vectors = ceil(height, kernels.lanes);
            tile.tail = height - (vectors - 1) * kernels.lanes;
            tile.c = c.wrapping_add(i);
            tile.a = a.cast::<T::Sum>().wrapping_add(i);
            if self.pack_a && k > 0 {
                // SAFETY: the panel has room; for `A`, the caller's.
                unsafe { pack_panel::<T>(kernels, a, of_a, i, height, panel) };
                (tile.a, tile.a_k) = (panel.as_ptr(), kernels.mr as isize);
            }
            let row = kernels.direct[vectors - 1];
            let wide = ceil(n, row.len());
            for part in 0..wide {
                let cols = equal_part(n, 1, wide, part);
                tile.b = b.cast::<T::Sum>().wrapping_offset(cols.start as isize * self.b_n);
                tile.c_n = of_c.cols.offsets[cols.start..].as_ptr();
                // SAFETY: the caller's; the tile is within the operands.
                unsafe { row[cols.len() - 1](&tile) };
            }
        }
        if let Some(scratch) = scratch {
            scratch.give_back();
        }
    }
}

/// `len.div_ceil(unit)` for quotients of a few; a division takes about as long as a tile of 8 by 8.
#[inline(always)]
fn ceil(len: usize, unit: usize) -> usize {
    let mut parts = 0;
    while parts * unit < len {
        parts += 1;
    }
    parts
}

/// Packs rows `first..first + height` of `A`.
///
/// # Safety
/// `a` is good for all offsets of the matrix, the panel has room for it and one more step, and the processor has the
/// instructions of the kernels.
unsafe fn pack_panel<T: Element>(
    kernels: &Kernels<T::Sum>,
    a: *const T,
    of_a: &Matrix,
    first: usize,
    height: usize,
    panel: &mut [T::Sum],
) {
    let (rows, steps) = (of_a.rows.part(first..first + height), of_a.cols.part(0..of_a.cols.len()));
    // SAFETY: the caller's.
    unsafe { (T::packers(kernels.isa).a.strided)(a, rows, steps, 1, panel.as_mut_ptr()) };
}

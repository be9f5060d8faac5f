//! Rows that are contiguous along one label in `A` and along another in `C`, where sums are short and columns are few:
//! then moving `A` and `C` is most of the work, and tiles would be put together or scattered one element after the other.
//!
//! Instead COPY brings a block of `A` to the second cache in the order of `C`, and kernels that read and write where things
//! lie multiply it there.

use super::fold::{self, A, B, C, Fold, Loop, offsets_of};
use crate::copy::CopyPlan;
use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::matmul::axis::Axis;
use crate::matmul::call::Call;
use crate::matmul::driver::divide;
use crate::matmul::element::{Element, Format, Sum};
use crate::matmul::matrix::Matrix;
use crate::matmul::scratch::Scratch;
use crate::matmul::small::Small;
use crate::tuning::LINE;
use crate::tuning::contract::MOVED;
use std::fmt::Write;
use tilework::Layout;

/// How to contract blocks of `A` that are transposed first.
#[derive(Clone, Debug)]
pub(super) struct TransposedBlocks {
    copy: Transpose,
    /// The products of a block: matrices, `B` being packed as well, and where in the copy and in `C` each begins.
    small: Small,
    a: Matrix,
    b: Matrix,
    c: Matrix,
    products: Vec<[isize; 2]>,
    /// Where `B` has its elements.
    columns: [Vec<isize>; 2],
    /// The loops over the blocks.
    blocks: Vec<Loop>,
    start: [isize; 3],
}

/// The copy of a block, which knows bytes only.
#[derive(Clone, Debug)]
enum Transpose {
    Of4(CopyPlan<u32>),
    Of8(CopyPlan<u64>),
}

impl TransposedBlocks {
    /// The plan, if it is worth it.
    pub(super) fn new(fold: &Fold, format: &Format, caches: Caches) -> Option<TransposedBlocks> {
        let Format { bytes, lanes, .. } = *format;
        let (n, k) = (fold::size(&fold.n), fold::size(&fold.k));
        let mut rest = fold.m.clone();
        let fits = n.max(k) <= MOVED && rest.iter().chain(&fold.k).all(|l| l.linear().is_some());
        if !fits || !format.is_sum {
            return None;
        }
        let along = |loops: &[Loop], operand| loops.iter().position(|l| l.strides[operand] == 1);
        let first = rest.remove(along(&rest, C)?);
        let second = rest.remove(along(&rest, A).filter(|_| first.strides[A] != 1)?);
        // Most of the cache is for the copy. Blocks have whole lines of `A` and, as far as that goes, whole vectors of `C`.
        let room = caches.second / 4 * 3 / bytes / k;
        let part = |l: Loop, most: usize, unit: usize| {
            let divisors = (1..=l.extent.min(most)).filter(|d| l.extent.is_multiple_of(*d));
            let inner = divisors.max_by_key(|d| d * d * 64 / d.next_multiple_of(unit)).unwrap_or(1);
            l.cut(inner)
        };
        let [second, second_rest] = part(second, room / first.extent.min(2 * lanes), LINE / bytes);
        let [first, first_rest] = part(first, room / second.extent, lanes);
        if first.extent < lanes || second.extent * bytes < LINE && second_rest.extent > 1 {
            return None;
        }
        let mut rows = vec![first];
        rest.extend([first_rest, second_rest]);
        let height = rows[0].extent as isize;
        if let Some(next) = rest.iter().position(|l| l.strides[C] == height) {
            let limit = room / second.extent / rows[0].extent;
            let [next, next_rest] = part(rest.remove(next), limit, 1);
            rows.push(next);
            rest.push(next_rest);
        }
        let m = fold::size(&rows);
        rest.extend_from_slice(&fold.batch);
        rest.retain(|l| l.extent > 1);
        rest.sort_by_key(|l| l.strides[A].unsigned_abs());

        let mut from = Vec::new();
        let mut to = Vec::new();
        let mut len = 1;
        for l in rows.iter().chain([&second]).chain(&fold.k) {
            from.push(Layout::of(l.extent as i64, l.strides[A] as i64).ok()?);
            to.push(Layout::of(l.extent as i64, len as i64).ok()?);
            len *= l.extent;
        }
        let (from, to) = (Layout::concatenate(&from).ok()?, Layout::concatenate(&to).ok()?);
        let copy = match bytes {
            4 => Transpose::Of4(CopyPlan::new(&from, &to).ok()?),
            8 => Transpose::Of8(CopyPlan::new(&from, &to).ok()?),
            _ => return None,
        };
        let a = Matrix::of_axes(Axis::strided(m, 1), Axis::strided(k, (m * second.extent) as isize));
        let b = Matrix::of_axes(Axis::strided(n, k as isize), Axis::strided(k, 1));
        let offsets = |loops: &[Loop], operand| fold::offsets(loops, operand).ok();
        let c = Matrix::of_axes(Axis::new(offsets(&rows, C)?), Axis::new(offsets(&fold.n, C)?));
        let columns = [offsets(&fold.n, B)?, offsets(&fold.k, B)?];
        let products = (0..second.extent).map(|i| [(i * m) as isize, second.at(C, i)]).collect();
        let small = Small::of(format, &a, &b, &c).filter(|small| !small.packs())?;
        Some(TransposedBlocks { copy, small, a, b, c, products, columns, blocks: rest, start: fold.start })
    }

    /// `C = alpha A B + beta C`.
    ///
    /// # Safety
    /// As for `Pair::run`, with elements and sums of the type that this was made for.
    pub(super) unsafe fn run<T: Element>(
        &self,
        isa: Isa,
        call: &Call<T, T::Sum>,
        execution: &Execution,
    ) -> Result<(), Error> {
        let kernels = T::kernels(isa);
        let [m, n, k] = [self.a.rows.len(), self.b.rows.len(), self.a.cols.len()];
        let size = [m * self.products.len(), n];
        divide(execution, size, size, fold::size(&self.blocks), |index, _, counter| {
            let call = call.at(offsets_of(self.start, &self.blocks, index));
            let mut scratch = Scratch::take();
            let [a, b] = scratch.parts::<T::Sum, 2>([size[0] * k, n * k]);
            // SAFETY: the contract of `run` covers the pointers. An element is what is summed, and the copy has room
            // for the block.
            unsafe {
                if call.alpha != T::Sum::ZERO {
                    self.copy.run(call.a.cast(), a.as_mut_ptr().cast());
                    let columns = call.b.cast::<T::Sum>();
                    for (&j, to) in self.columns[0].iter().zip(b.chunks_exact_mut(k)) {
                        let steps = self.columns[1].iter().zip(to);
                        steps.for_each(|(&step, to)| *to = *columns.offset(j + step));
                    }
                }
                let block = Call { a: a.as_ptr().cast(), b: b.as_ptr().cast(), ..call };
                for &[first, to] in &self.products {
                    self.small.run::<T>(kernels, [&self.a, &self.c], block.at([first, 0, to]));
                }
            }
            scratch.give_back();
            counter.advance(size[0] * n);
        })
    }

    /// What is done, in words.
    pub(super) fn explain(&self) -> String {
        let [m, n, k] = [self.a.rows.len(), self.b.rows.len(), self.a.cols.len()];
        let mut text = String::new();
        let _ = writeln!(
            text,
            "the larger operand is brought to the cache in the order of the output, in {} blocks of {} products of {m} by {n} by {k}",
            fold::size(&self.blocks),
            self.products.len(),
        );
        text
    }
}

impl Transpose {
    /// # Safety
    /// Both pointers are valid for a block, and nothing else accesses the copy.
    unsafe fn run(&self, from: *const u8, to: *mut u8) {
        // SAFETY: both pointers are valid for a block, and nothing else accesses the copy.
        let done = unsafe {
            match self {
                Transpose::Of4(plan) => plan.run_raw(from.cast(), to.cast(), &Execution::default()),
                Transpose::Of8(plan) => plan.run_raw(from.cast(), to.cast(), &Execution::default()),
            }
        };
        debug_assert_eq!(done, Ok(()), "memory of our own overlaps with nothing");
    }
}

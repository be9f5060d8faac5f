//! Short sums of few columns, with rows that are contiguous in `C`: moving `A` and `C` is most of the work, and packing
//! or scattering would move them once more.
//!
//! If `A` is contiguous along the same label, kernels read and write in place, while the next block of `A` and of `C`
//! is prefetched. If it is contiguous along another one, COPY first writes a block of `A` to the second cache in the
//! order of `C`.

use super::fold::{self, A, B, C, Fold, Loop, offsets_of};
use super::moved::Moved;
use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::matmul::plan::matrix::Matrix;
use crate::matmul::plan::small::Small;
use crate::matmul::run::driver::divide;
use crate::matmul::run::operand::Call;
use crate::matmul::run::scratch::Scratch;
use crate::matmul::tile::axis::Axis;
use crate::matmul::tile::element::{Element, Format, Sum};
use crate::matmul::tile::prefetcher::Prefetcher;
use crate::tuning::LINE;
use crate::tuning::contract::{MOVED, MOVED_LINES, PART_IN_PLACE};
use tilework::__private::sort_by_key;
use tilework::Layout;

/// How to contract blocks of `A`.
#[derive(Clone, Debug)]
pub(super) struct ShortSums {
    /// How a block of `A` is copied in the order of `C`; none if it has that order.
    copy: Option<Moved>,
    /// The products of a block: the matrices, with `B` packed too, and the offsets in `A`, or the copy, and in `C`.
    small: Small,
    a: Matrix,
    b: Matrix,
    c: Matrix,
    products: Vec<[isize; 2]>,
    /// The offsets of the elements of `B`.
    columns: [Vec<isize>; 2],
    /// The loops over the blocks.
    blocks: Vec<Loop>,
    start: [isize; 3],
    /// Whether all blocks share a copy of `B`, which their loops do not move.
    shares: bool,
    isa: Isa,
}

/// The rows of a product, the loop over the products of a block, and the remaining loops.
struct Rows {
    copy: Option<Moved>,
    rows: Vec<Loop>,
    second: Loop,
    rest: Vec<Loop>,
}

impl ShortSums {
    /// The plan, if it is worth it.
    pub(super) fn new(fold: &Fold, format: &Format, caches: Caches) -> Option<ShortSums> {
        let Format { bytes, lanes, .. } = *format;
        let (n, k) = (fold::size(&fold.n), fold::size(&fold.k));
        let mut rest = fold.m.clone();
        let fits = n.max(k) <= MOVED && rest.iter().chain(&fold.k).all(|l| l.linear().is_some());
        if !fits || !format.is_sum {
            return None;
        }
        let along = |loops: &[Loop], operand| loops.iter().position(|l| l.strides[operand] == 1);
        let first = rest.remove(along(&rest, C)?);
        let mut sums = fold.k.clone();
        sort_by_key(&mut sums, |l| l.strides[A].unsigned_abs());
        let room = caches.second / bytes / k;
        let Rows { copy, rows, second, mut rest } = if first.strides[A] == 1 {
            Rows::in_place(first, rest, room / PART_IN_PLACE)
        } else {
            // Most of the cache is for the copy of a block of `A`.
            Rows::transposed(first, rest, &sums, room / 4 * 3, format)?
        };
        let m = fold::size(&rows);
        if m < lanes {
            return None;
        }
        rest.extend_from_slice(&fold.batch);
        rest.retain(|l| l.extent > 1);
        sort_by_key(&mut rest, |l| l.strides[A].unsigned_abs());

        let offsets = |loops: &[Loop], operand| fold::offsets(loops, operand).ok();
        let (steps, apart) = match &copy {
            Some(_) => (Axis::strided(k, (m * second.extent) as isize), m as isize),
            None => (Axis::new(offsets(&sums, A)?), second.strides[A]),
        };
        let a = Matrix::of_axes(Axis::strided(m, 1), steps);
        let b = Matrix::of_axes(Axis::strided(n, k as isize), Axis::strided(k, 1));
        let c = Matrix::of_axes(Axis::new(offsets(&rows, C)?), Axis::new(offsets(&fold.n, C)?));
        let columns = [offsets(&fold.n, B)?, offsets(&sums, B)?];
        let products = (0..second.extent).map(|i| [i as isize * apart, second.at(C, i)]).collect();
        let small = Small::of(format, &a, &b, &c).filter(Small::is_in_place)?;
        let (start, isa) = (fold.start, format.isa);
        let shares = rest.iter().all(|l| l.linear().is_some_and(|strides| strides[B] == 0));
        Some(ShortSums { copy, small, a, b, c, products, columns, blocks: rest, start, shares, isa })
    }

    /// `C = alpha A B + beta C`.
    ///
    /// # Safety
    /// As for `Pair::run`, with elements and sums of the type of the plan.
    pub(super) unsafe fn run<T: Element>(
        &self,
        call: &Call<T, T::Sum>,
        execution: &Execution,
    ) -> Result<(), Error> {
        let kernels = T::kernels(self.isa);
        let [m, n, k] = [self.a.rows.len(), self.b.rows.len(), self.a.cols.len()];
        let size = [m * self.products.len(), n];
        let copied = if self.copy.is_some() { size[0] * k } else { 0 };
        let reads = call.alpha != T::Sum::ZERO;
        let shares = reads && self.shares;
        let mut shared = vec![T::Sum::ZERO; if shares { n * k } else { 0 }];
        if shares {
            // SAFETY: the contract of `run` covers the pointers, and there is room for `B`.
            unsafe { self.pack(call.at(self.start).b.cast(), &mut shared) };
        }
        divide(execution, size, size, fold::size(&self.blocks), |index, _, counter| {
            let call_at = |index| call.at(offsets_of(self.start, &self.blocks, index));
            let call = call_at(index);
            let mut scratch = Scratch::take();
            let [a, own] = scratch.parts::<T::Sum, 2>([copied, if shares { 0 } else { n * k }]);
            // SAFETY: the contract of `run` covers the pointers. Elements have the type of their sums, and the copies have
            // room for the block and for `B`.
            unsafe {
                if let (Some(copy), true) = (&self.copy, reads) {
                    let done = copy.run(call.a.cast(), a.as_mut_ptr().cast(), &Execution::default());
                    debug_assert_eq!(done, Ok(()), "memory of our own overlaps with nothing");
                }
                if reads && !shares {
                    self.pack(call.b.cast(), own);
                }
                let b = if shares { &shared[..] } else { own };
                let block = Call {
                    a: if self.copy.is_some() { a.as_ptr().cast() } else { call.a },
                    b: b.as_ptr().cast(),
                    ..call
                };
                let products = self.products.iter().map(|&[first, to]| block.at([first, 0, to]));
                let after = products.clone().skip(1).chain([call_at(index + 1)]);
                for (product, next) in products.zip(after) {
                    self.small.run::<T>(
                        kernels,
                        [&self.a, &self.c],
                        product,
                        self.small.all(),
                        &mut self.ahead(&next),
                    );
                }
            }
            scratch.give_back();
            counter.advance(size[0] * n);
        })
    }

    /// Copies `B`, its steps contiguous.
    ///
    /// # Safety
    /// `from` is valid for reads at all offsets of `B`.
    unsafe fn pack<S: Sum>(&self, from: *const S, to: &mut [S]) {
        for (&j, to) in self.columns[0].iter().zip(to.chunks_exact_mut(self.a.cols.len())) {
            for (&step, to) in self.columns[1].iter().zip(to) {
                // SAFETY: the offset is one of `B`.
                *to = unsafe { *from.offset(j + step) };
            }
        }
    }

    /// The prefetches before the product `next`: the memory that it reads and writes, except what a copy reads. After
    /// the last product, the first follows.
    fn ahead<T: Element>(&self, next: &Call<T, T::Sum>) -> [Prefetcher; 2] {
        if self.copy.is_some() {
            return [Prefetcher::nothing(), Prefetcher::nothing()];
        }
        let (tiles, steps) = (self.small.rows.len() * self.small.columns.len(), self.a.cols.len());
        let of = |base, [rows, cols]: [&Axis; 2]| {
            Prefetcher::new::<T>(base, [&rows.offsets, &cols.offsets], tiles, steps, MOVED_LINES)
        };
        [of(next.a, [&self.a.rows, &self.a.cols]), of(next.c.cast(), [&self.c.rows, &self.c.cols])]
    }

    /// Describes the method.
    pub(super) fn explain(&self) -> String {
        let [m, n, k] = [self.a.rows.len(), self.b.rows.len(), self.a.cols.len()];
        let how = match self.copy {
            Some(_) => "brought to the cache in the order of the output",
            None => "read in place, in the order of the output",
        };
        let (blocks, products) = (fold::size(&self.blocks), self.products.len());
        let often = if self.shares { "once" } else { "for each block" };
        format!(
            "{} kernel\nthe larger operand is {how}, in {blocks} blocks of {products} products of {m} by {n} by {k}\nthe smaller operand is copied {often}\n",
            self.isa
        )
    }
}

impl Rows {
    /// Rows that are contiguous in both `A` and `C`.
    fn in_place(first: Loop, mut rest: Vec<Loop>, room: usize) -> Rows {
        let mut height = first.extent;
        let mut rows = vec![first];
        let goes_on =
            |l: &Loop, height: usize| l.strides[A] == height as isize && l.strides[C] == height as isize;
        while let Some(next) = rest.iter().position(|l| goes_on(l, height)) {
            let next = rest.remove(next);
            height *= next.extent;
            rows.push(next);
        }
        let last = rows.pop().expect("there is a first one");
        let before = height / last.extent;
        let [last, last_rest] = part(last, room / before, 1);
        rows.push(last);
        rest.push(last_rest);
        // The nearest loop in `A` belongs to the same block, so that `B` is packed for more than one product.
        sort_by_key(&mut rest, |l| l.strides[A].unsigned_abs());
        let [second, second_rest] = part(rest.remove(0), room / fold::size(&rows), 1);
        rest.push(second_rest);
        Rows { copy: None, rows, second, rest }
    }

    /// Rows that are contiguous in `C`, while `A` is contiguous along `second`: they are copied in the order of `C`.
    fn transposed(
        first: Loop,
        mut rest: Vec<Loop>,
        sums: &[Loop],
        room: usize,
        format: &Format,
    ) -> Option<Rows> {
        let Format { bytes, lanes, .. } = *format;
        let second = rest.remove(rest.iter().position(|l| l.strides[A] == 1)?);
        // Blocks have whole lines of `A` and, as far as possible, whole vectors of `C`.
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
        let (mut from, mut to, mut len) = (Vec::new(), Vec::new(), 1);
        for l in rows.iter().chain([&second]).chain(sums) {
            from.push(Layout::of(l.extent as i64, l.strides[A] as i64).ok()?);
            to.push(Layout::of(l.extent as i64, len as i64).ok()?);
            len *= l.extent;
        }
        let (from, to) = (Layout::concatenate(&from).ok()?, Layout::concatenate(&to).ok()?);
        let copy = Moved::new(bytes, &from, &to)?;
        Some(Rows { copy: Some(copy), rows, second, rest })
    }
}

/// A loop of at most `most` steps, of whole units if possible, and the loop over such parts.
fn part(l: Loop, most: usize, unit: usize) -> [Loop; 2] {
    let divisors = (1..=l.extent.min(most)).filter(|d| l.extent.is_multiple_of(*d));
    let inner = divisors.max_by_key(|d| d * d * 64 / d.next_multiple_of(unit)).unwrap_or(1);
    l.cut(inner)
}

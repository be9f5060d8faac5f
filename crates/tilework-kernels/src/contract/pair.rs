//! A step of a contraction: two operands, folded into a batched GEMM.

use super::element::{Becomes, Factor};
use super::fold::{self, A, B, C, Fold, Loop, Term};
use super::spec::Extents;
use crate::element::{Destination, Sum};
use crate::error::Error;
use crate::execution::Execution;
use crate::gemm::axis::Axis;
use crate::gemm::cache::{Blocks, Caches};
use crate::gemm::driver::{Product, divide};
use crate::gemm::operand::{Place, Strided, Target};
use crate::gemm::tables::SumTables;
use crate::isa::Isa;
use std::any::TypeId;
use std::fmt::Write;
use std::marker::PhantomData;
use std::ops::Range;

/// How to contract two tensors.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// Rows of `A` and of `C`.
    m: [Axis; 2],
    /// Columns: rows of `B`, and columns of `C`.
    n: [Axis; 2],
    /// Steps of `A` and of `B`.
    k: [Axis; 2],
    batch: Vec<Loop>,
    start: [isize; 3],
    /// Whether `A` is the second operand.
    pub swapped: bool,
    isa: Isa,
    blocks: Blocks,
    text: String,
}

/// Products of so few multiplications are not worth packing.
const FEW: usize = 8;

impl Pair {
    /// The plan for `A`, `B` and `C`.
    pub(crate) fn new<T: Factor>(terms: [&Term; 3], extents: &Extents, isa: Isa) -> Result<Pair, Error> {
        let kernels = T::Sum::kernels(isa);
        let mut fold = Fold::new(terms, extents)?;
        let swapped = fold.wants_swap(kernels.lanes);
        if swapped {
            fold.swap();
        }
        fold.arrange(size_of::<T>(), kernels.lanes);
        let axes = |loops: &[Loop], first, second| {
            let axis = |operand| Ok::<_, Error>(Axis::new(fold::offsets(loops, operand)?));
            Ok::<_, Error>([axis(first)?, axis(second)?])
        };
        let sizes = [fold::size(&fold.m), fold::size(&fold.n), fold::size(&fold.k)];
        let blocks = blocks(Caches::get(), [kernels.mr, kernels.nr], size_of::<T::Sum>(), sizes);
        Ok(Pair {
            m: axes(&fold.m, A, C)?,
            n: axes(&fold.n, B, C)?,
            k: axes(&fold.k, A, B)?,
            text: explain(&fold, swapped, isa, [kernels.mr, kernels.nr], blocks),
            batch: fold.batch,
            start: fold.start,
            swapped,
            isa,
            blocks,
        })
    }

    /// `C = alpha A B + beta C`.
    ///
    /// # Safety
    /// The pointers are those of the layouts' offset 0, of the first, the second and the third term; every offset of the
    /// layouts is good for reading, and in `C` for writing by this call alone.
    pub(crate) unsafe fn run<T, U, D>(
        &self,
        alpha: U,
        [first, second]: [*const T; 2],
        beta: U,
        to: *mut D,
        execution: &Execution,
    ) -> Result<(), Error>
    where
        T: Factor<Sum: Becomes<U>>,
        U: Sum,
        D: Destination<U>,
    {
        let (a, b) = if self.swapped { (second, first) } else { (first, second) };
        let pointers = Pointers { a, b, c: to };
        let kernels = T::Sum::kernels(self.isa);
        let (m, n, k) = (self.m[0].len(), self.n[0].len(), self.k[0].len());
        // Products that are not divided are few.
        let few = m.saturating_mul(n).saturating_mul(k) <= FEW;
        let tile = if few { [m, n] } else { [kernels.mr, kernels.nr] };
        divide(execution, [m, n], tile, fold::size(&self.batch), |l, [rows, cols], counter| {
            let (a, b, c) = pointers.at(self.offsets_of(l));
            let (alpha, beta) = (T::Sum::begin(alpha), T::Sum::begin(beta));
            if few {
                // SAFETY: the caller's; the parts are apart.
                unsafe { self.few(alpha, a, b, beta, c) };
                counter.advance(m * n);
                return;
            }
            // SAFETY: the caller's; the parts are apart.
            unsafe {
                let product = Product {
                    k,
                    alpha,
                    a: &Strided::new(a, &self.m[0], &self.k[0]),
                    b: &Strided::new(b, &self.n[0], &self.k[1]),
                    beta,
                    c: &Written { base: c, rows: &self.m[1], cols: &self.n[1], sums: PhantomData },
                    isa: self.isa,
                    blocks: self.blocks,
                };
                product.part(rows, cols, counter);
            }
        })
    }

    /// Where a matrix of the batch begins.
    fn offsets_of(&self, mut index: usize) -> [isize; 3] {
        let mut offsets = self.start;
        for l in &self.batch {
            let step = index % l.extent;
            index /= l.extent;
            offsets.iter_mut().enumerate().for_each(|(operand, offset)| *offset += l.at(operand, step));
        }
        offsets
    }

    /// A product of few elements, one by one.
    ///
    /// # Safety
    /// As for [`run`](Self::run), for one matrix of the batch.
    unsafe fn few<T, U, D>(&self, alpha: T::Sum, a: *const T, b: *const T, beta: T::Sum, c: *mut D)
    where
        T: Factor<Sum: Becomes<U>>,
        U: Sum,
        D: Destination<U>,
    {
        for (&b_n, &c_n) in self.n[0].offsets.iter().zip(&self.n[1].offsets) {
            for (&a_m, &c_m) in self.m[0].offsets.iter().zip(&self.m[1].offsets) {
                let mut sum = T::Sum::ZERO;
                if alpha != T::Sum::ZERO {
                    for (&a_k, &b_k) in self.k[0].offsets.iter().zip(&self.k[1].offsets) {
                        // SAFETY: the caller's.
                        let (left, right) =
                            unsafe { (*a.wrapping_offset(a_m + a_k), *b.wrapping_offset(b_n + b_k)) };
                        sum = left.to_sum().times_plus(right.to_sum(), sum);
                    }
                }
                // SAFETY: the caller's.
                unsafe { update(c.wrapping_offset(c_m + c_n), sum, alpha, beta) };
            }
        }
    }

    /// What is folded how, and why.
    pub(crate) fn explain(&self) -> &str {
        &self.text
    }
}

/// `*at = alpha sum + beta *at`; where `beta` is 0 nothing is read.
///
/// # Safety
/// `at` is good for reading and writing.
#[inline(always)]
unsafe fn update<S: Becomes<U>, U: Sum, D: Destination<U>>(at: *mut D, sum: S, alpha: S, beta: S) {
    // SAFETY: the caller's.
    unsafe {
        let before =
            if beta == S::ZERO { S::ZERO } else { S::begin((*at).widen()).times_plus(beta, S::ZERO) };
        *at = D::narrow(sum.times_plus(alpha, before).finish());
    }
}

/// The blocks of a product. Where one side is small, the other one is packed into the second cache and not through it.
pub(crate) fn blocks(caches: Caches, tile: [usize; 2], size: usize, [m, n, k]: [usize; 3]) -> Blocks {
    let mut blocks = Blocks::new(caches, tile, size, [m, n, k]);
    let row = blocks.k.min(k).max(1) * size;
    if m.saturating_mul(row) <= caches.second / 4 {
        let fitting = caches.second / 2 / row / tile[1] * tile[1];
        blocks.n = blocks.n.min(fitting.max(tile[1]));
    }
    blocks
}

/// The pointers that the threads of one run share.
struct Pointers<T, D> {
    a: *const T,
    b: *const T,
    c: *mut D,
}

// SAFETY: what `a` and `b` point to is only read, and the parts of `c` that the threads write are apart.
unsafe impl<T: Sync, D: Send> Sync for Pointers<T, D> {}

impl<T, D> Pointers<T, D> {
    fn at(&self, [a, b, c]: [isize; 3]) -> (*const T, *const T, *mut D) {
        (self.a.wrapping_offset(a), self.b.wrapping_offset(b), self.c.wrapping_offset(c))
    }
}

/// `C` with `offset(i, j) = rows[i] + cols[j]`, for sums of type `S` that become those of type `U` at the end.
struct Written<'a, S, U, D> {
    base: *mut D,
    rows: &'a Axis,
    cols: &'a Axis,
    sums: PhantomData<fn(S) -> U>,
}

// SAFETY: the parts that are written are apart, which the callers of `put` and the users of `place` answer for.
unsafe impl<S, U, D: Send> Sync for Written<'_, S, U, D> {}

impl<S: Becomes<U>, U: Sum, D: Destination<U>> Target<S> for Written<'_, S, U, D> {
    fn place(&self) -> Option<Place<'_, S>> {
        let same = TypeId::of::<D>() == TypeId::of::<S>();
        same.then(|| Place { base: self.base.cast(), rows: self.rows, cols: self.cols })
    }

    unsafe fn put(
        &self,
        rows: Range<usize>,
        cols: Range<usize>,
        sums: &[S],
        height: usize,
        alpha: S,
        beta: S,
    ) {
        let rows = &self.rows.offsets[rows];
        for (j, &col) in self.cols.offsets[cols].iter().enumerate() {
            let column = self.base.wrapping_offset(col);
            for (&row, &sum) in rows.iter().zip(&sums[j * height..]) {
                // SAFETY: the caller's.
                unsafe { update(column.wrapping_offset(row), sum, alpha, beta) };
            }
        }
    }
}

/// The folding in words.
fn explain(fold: &Fold, swapped: bool, isa: Isa, [mr, nr]: [usize; 2], blocks: Blocks) -> String {
    let modes = [("m", &fold.m), ("n", &fold.n), ("k", &fold.k), ("batch", &fold.batch)];
    let list = modes.map(|(name, loops)| {
        let names: Vec<String> = loops.iter().map(Loop::to_string).collect();
        format!("{name} ({}) = {}", names.join(","), fold::size(loops))
    });
    let [m, n, k, _] = modes.map(|(_, loops)| fold::size(loops));
    let mut text = format!("{}\n", list.join(", "));
    let first = if swapped { "second" } else { "first" };
    let _ = writeln!(
        text,
        "m are the letters of the {first} operand, along which the output has the longer vectors"
    );
    for (name, loops, own, owner, more) in [
        ("m", &fold.m, A, first, k >= n),
        ("n", &fold.n, B, if swapped { "first" } else { "second" }, k >= m),
    ] {
        let Some(l) = loops.first() else { continue };
        let contiguous = match l.strides {
            strides if strides[C] == 1 => "contiguous in the output".to_string(),
            strides if strides[own] == 1 => format!("contiguous in the {owner} operand"),
            _ => "contiguous in neither".to_string(),
        };
        let larger = if more { format!("the {owner} operand") } else { "the output".to_string() };
        let _ = writeln!(
            text,
            "{name} begins with {}, {contiguous}, and follows {larger}, of which there is more to move",
            l.letters
        );
    }
    let Blocks { m, n, k } = blocks;
    let _ = writeln!(text, "{isa} kernel of {mr} by {nr}, blocks of {m} by {n} by {k}");
    text
}

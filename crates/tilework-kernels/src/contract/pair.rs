//! A step of a contraction: two operands, folded into a batched GEMM or, if that would be wasteful, into plain loops.

use super::cost;
use super::fold::{self, A, B, C, Fold, Loop, Term, offsets_of};
use super::short_sums::ShortSums;
use super::spec::Extents;
use super::stream::Stream;
use crate::cpu::cache::Caches;
use crate::error::{Error, checked_product};
use crate::execution::Execution;
use crate::matmul::axis::Axis;
use crate::matmul::blocks::Blocks;
use crate::matmul::call::Call;
use crate::matmul::driver::{columns_in_place, divide, rows_in_place};
use crate::matmul::element::{Destination, Element, Format, Sum};
use crate::matmul::matrix::Matrix;
use crate::matmul::operand::{Strided, StridedTarget};
use crate::matmul::product::Product;
use crate::matmul::small::Small;
use crate::tuning::contract::{SIDE_BY_SIDE, TINY, TINY_PACKED};
use crate::tuning::matmul::SMALL;
use std::any::TypeId;
use std::fmt::Write;

/// How to contract two tensors.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// Rows, columns, steps, and the number of such products.
    pub sizes: [usize; 4],
    how: How,
    /// Whether `A` is the second operand.
    swapped: bool,
    format: Format,
    /// The loops, in the order of `how`.
    fold: Fold,
}

#[derive(Clone, Debug)]
enum How {
    Stream { stream: Stream, why: &'static str },
    Matrices(Box<Matrices>),
}

/// A batch of products of matrices.
#[derive(Clone, Debug)]
struct Matrices {
    a: Matrix,
    b: Matrix,
    c: Matrix,
    batch: Vec<Loop>,
    start: [isize; 3],
    small: Option<Small>,
    short: Option<ShortSums>,
    blocks: Blocks,
}

impl Pair {
    /// The plan for `A`, `B` and `C`.
    pub(crate) fn new(terms: [&Term; 3], extents: &Extents, format: &Format) -> Result<Pair, Error> {
        let mut fold = Fold::new(terms, extents)?;
        let all = [&fold.m, &fold.n, &fold.k, &fold.batch];
        checked_product(all.into_iter().flatten().map(|l| l.extent as i64))?;
        let all = all.map(|loops| fold::size(loops));
        let [m, n, k, _] = all;
        let products = m.saturating_mul(n).saturating_mul(k);
        let swapped = fold.wants_swap(format.lanes, products <= SMALL);
        if swapped {
            fold.swap();
        }
        let stream = Stream::new(&fold);
        let side_by_side = fold.batch.iter().any(|l| l.strides[C] == 1 && l.extent >= SIDE_BY_SIDE);
        let streams = if m.min(n).min(k) == 1 && !is_by_vector(&fold, format.lanes) {
            Some("no element is used in both directions")
        } else {
            (products <= TINY && side_by_side).then_some("the products are tiny and lie side by side")
        };
        let (how, fold) = match (streams, stream) {
            (Some(why), Some(stream)) => (How::Stream { stream, why }, fold),
            (_, stream) => {
                let unarranged = fold.clone();
                fold.arrange(format.bytes, format.lanes);
                let matrices = Matrices::new(&fold, &unarranged, format)?;
                let staged = matrices.small.as_ref().is_none_or(Small::scatters);
                match stream.filter(|_| staged && products <= TINY_PACKED) {
                    Some(stream) => {
                        let why = "the products are too small to be packed";
                        (How::Stream { stream, why }, unarranged)
                    }
                    None => (How::Matrices(Box::new(matrices)), fold),
                }
            }
        };
        let sizes = [&fold.m, &fold.n, &fold.k, &fold.batch].map(|loops| fold::size(loops));
        Ok(Pair { sizes, how, swapped, format: *format, fold })
    }

    /// `C = alpha A B + beta C`, for sums that are converted to `U` at the end.
    ///
    /// # Safety
    /// The pointers are those of the layouts' offset 0, of the first, the second and the third term; every offset of the
    /// layouts is valid for reads, and in `C` for writes by this call alone.
    pub(crate) unsafe fn run<T: Element, U: Sum, D: Destination<U>>(
        &self,
        mut call: Call<T, D>,
        execution: &Execution,
    ) -> Result<(), Error> {
        if self.swapped {
            std::mem::swap(&mut call.a, &mut call.b);
        }
        let matrices = match &self.how {
            How::Stream { stream, .. } => {
                // SAFETY: the contract of `run` covers the pointers, and the plan was made for instructions that the
                // processor has.
                return unsafe { stream.run::<T, U, D>(self.format.isa, &call, execution) };
            }
            How::Matrices(matrices) => matrices,
        };
        let Matrices { a: of_a, b: of_b, c: of_c, small, blocks, .. } = &**matrices;
        let kernels = T::kernels(self.format.isa);
        let same = TypeId::of::<D>() == TypeId::of::<T::Sum>();
        if let (Some(short), true) = (&matrices.short, same) {
            // SAFETY: the contract of `run` covers the pointers; elements of `C` have the type of the sums.
            return unsafe { short.run::<T>(self.format.isa, &call.of_sums(), execution) };
        }
        let [m, n, k, batch] = self.sizes;
        let small = small.as_ref().filter(|small| same && small.suits(execution.thread_count(), batch));
        let tile = if small.is_some() { [m, n] } else { self.format.tile() };
        divide(execution, [m, n], tile, batch, |l, [rows, cols], counter| {
            let call = call.at(offsets_of(matrices.start, &matrices.batch, l));
            // SAFETY: the contract of `run` covers the pointers, and the parts of `C` are disjoint. A small product
            // exists only if elements of C have the type of the sums.
            unsafe {
                if let Some(small) = small {
                    small.run::<T>(kernels, [of_a, of_c], call.of_sums(), &mut []);
                    counter.advance(m * n);
                    return;
                }
                let product = Product {
                    k,
                    alpha: call.alpha,
                    a: &Strided::new(call.a, &of_a.rows, &of_a.cols),
                    b: &Strided::new(call.b, &of_b.rows, &of_b.cols),
                    beta: call.beta,
                    c: &StridedTarget::<U, D>::new(self.format.isa, call.c, &of_c.rows, &of_c.cols),
                    format: &self.format,
                    blocks: *blocks,
                };
                product.part(rows, cols, counter);
            }
        })
    }

    /// How many multiply-adds it takes.
    pub(crate) fn operations(&self) -> u128 {
        self.sizes.iter().map(|&size| size as u128).product()
    }

    /// The cost of a run, in units of reading one element of a contiguous run from memory. It compares layouts of an
    /// output with each other; it does not predict the time.
    ///
    /// | moved or computed | cost |
    /// |---|---|
    /// | an element of `A` or `B`, in place | 1 |
    /// | packed, or copied by COPY first | 2, for each block of columns that `A` is multiplied by |
    /// | an element of `C` | 2, because lines are read before they are written; 4 if tiles are not whole vectors; for each block of steps |
    /// | any of these, in runs of `r` bytes | times `1 + 64 / r`, for lines that are used in part |
    /// | multiply-adds of vectors of `b` bytes, the last vectors of rows counted as full | `2 / b` each, at the peak of a core |
    ///
    /// So a matrix of 5000 by 5000 `f32` whose columns are contiguous costs 1.003 for each element that is read in
    /// place, and one whose rows and columns are strided costs 17. Plain loops cost the same for all layouts of the
    /// output.
    pub(crate) fn cost(&self) -> f64 {
        let How::Matrices(matrices) = &self.how else { return 0.0 };
        let Matrices { a, b, c, small, short, blocks, .. } = &**matrices;
        let Format { bytes, lanes, .. } = self.format;
        let [m, n, k, batch] = self.sizes;
        let in_place = small.as_ref().is_some_and(|small| !small.packs());
        let packed =
            |here: bool, times: usize| if here { cost::IN_PLACE } else { cost::PACKED * times as f64 };
        let whole = (0..m).step_by(lanes).all(|i| c.rows.is_run(i, lanes.min(m - i)));
        let written = if whole { cost::WRITTEN } else { cost::SCATTERED };
        let [of_a, of_c] = match short {
            Some(short) => short.costs(bytes),
            None => {
                let here = in_place || rows_in_place(&self.format, blocks, [&a.rows, &a.cols], n).is_some();
                let of_a = packed(here, n.div_ceil(blocks.n)) * cost::lines([&a.rows, &a.cols], bytes);
                // `C` of short blocks stays in the second cache.
                let times = if blocks.short { 1 } else { k.div_ceil(blocks.k) };
                [of_a, (written * times as f64) * cost::lines([&c.rows, &c.cols], bytes)]
            }
        };
        let here = in_place || columns_in_place(&self.format, [&b.rows, &b.cols], m).is_some();
        let of_b = packed(here, 1) * cost::lines([&b.rows, &b.cols], bytes);
        let [m, n, k, batch] = [m, n, k, batch].map(|size| size as f64);
        let vectors = (self.sizes[0].next_multiple_of(lanes)) as f64 * n * k * 2.0 / (lanes * bytes) as f64;
        batch * (m * k * of_a + n * k * of_b + m * n * of_c + vectors)
    }

    /// How operands are folded, and why.
    pub(crate) fn explain(&self) -> String {
        let Pair { how, swapped, format, fold, .. } = self;
        match how {
            How::Matrices(matrices) => matrices.explain(fold, *swapped, format),
            How::Stream { why, .. } => {
                let registers = format.isa.registers();
                format!("{}\nin plain loops ({registers}), since {why}\n", labels(fold))
            }
        }
    }
}

/// Whether it is one product of a matrix by a vector, and the matrix has vectors along its rows or steps, which kernels read
/// in several streams.
fn is_by_vector(fold: &Fold, lanes: usize) -> bool {
    let [m, n, k, batch] = [&fold.m, &fold.n, &fold.k, &fold.batch].map(|loops| fold::size(loops));
    let (rows, operand) = if m == 1 { (&fold.n, B) } else { (&fold.m, A) };
    let in_vectors = |l: &Loop| l.strides[operand] == 1 && l.extent >= lanes;
    m.min(n) == 1 && m.max(n) > 1 && k > 1 && batch == 1 && rows.iter().chain(&fold.k).any(in_vectors)
}

impl Matrices {
    /// The matrices of the arranged loops; their blocks may be those of the loops before.
    fn new(fold: &Fold, unarranged: &Fold, format: &Format) -> Result<Matrices, Error> {
        let matrix = |rows: &[Loop], cols: &[Loop], operand| {
            let axis = |loops| Ok::<_, Error>(Axis::new(fold::offsets(loops, operand)?));
            Ok::<_, Error>(Matrix::of_axes(axis(rows)?, axis(cols)?))
        };
        let (a, b) = (matrix(&fold.m, &fold.k, A)?, matrix(&fold.n, &fold.k, B)?);
        let c = matrix(&fold.m, &fold.n, C)?;
        let small = Small::new(format, Caches::get(), &a, &b, &c);
        let [m, n, k] = [a.rows.len(), b.rows.len(), a.cols.len()];
        let blocks = Blocks::with_small_side(Caches::get(), format.tile(), format.packed_bytes, [m, n, k]);
        let blocks = if small.is_some() {
            blocks.in_one_step(k)
        } else {
            blocks.for_few_columns(Caches::get(), format, [&a.rows, &a.cols], n)
        };
        let [m, n, k] = [&unarranged.m, &unarranged.n, &unarranged.k].map(|loops| fold::size(loops));
        let packed = small.as_ref().is_none_or(|small| small.packs() || small.scatters());
        let large = packed && m.saturating_mul(n).saturating_mul(k) > SMALL;
        let short = if large { ShortSums::new(unarranged, format, Caches::get()) } else { None };
        let (batch, start) = (fold.batch.clone(), fold.start);
        Ok(Matrices { a, b, c, batch, start, small, short, blocks })
    }

    /// Describes the folding.
    fn explain(&self, fold: &Fold, swapped: bool, format: &Format) -> String {
        let [m, n, k] = [&fold.m, &fold.n, &fold.k].map(|loops| fold::size(loops));
        let [first, second] = if swapped { ["second", "first"] } else { ["first", "second"] };
        let mut text = format!(
            "{}\nm are the labels of the {first} operand, along which the output has the longer vectors\n",
            labels(fold)
        );
        for (name, loops, own, owner, more) in
            [("m", &fold.m, A, first, k >= n), ("n", &fold.n, B, second, k >= m)]
        {
            let Some(l) = loops.first() else { continue };
            let contiguous = match l.strides {
                strides if strides[C] == 1 => "contiguous in the output".to_string(),
                strides if strides[own] == 1 => format!("contiguous in the {owner} operand"),
                _ => "contiguous in neither".to_string(),
            };
            let larger = if more { format!("the {owner} operand") } else { "the output".to_string() };
            let _ = writeln!(
                text,
                "{name} begins with {}, {contiguous}, in the order of {larger}, the larger operand",
                l.labels
            );
        }
        let Format { isa, mr, nr, .. } = format;
        let _ = match (&self.small, self.blocks) {
            (None, _) if m.min(n) == 1 => {
                writeln!(text, "a matrix by a vector: nothing but the vector is packed")
            }
            (None, Blocks { m, n, k, .. }) => {
                writeln!(text, "{isa} kernel of {mr} by {nr}, blocks of {m} by {n} by {k}")
            }
            _ => writeln!(text, "{isa} kernel of {mr} by {nr}; small, not in blocks"),
        };
        if let Some(short) = &self.short {
            text += &short.explain();
        }
        text
    }
}

/// The labels of each mode.
fn labels(fold: &Fold) -> String {
    let modes = [("m", &fold.m), ("n", &fold.n), ("k", &fold.k), ("batch", &fold.batch)];
    let list = modes.map(|(name, loops)| {
        let names: Vec<String> = loops.iter().map(Loop::to_string).collect();
        format!("{name} ({}) = {}", names.join(","), fold::size(loops))
    });
    list.join(", ")
}

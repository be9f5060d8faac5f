//! A step of a contraction: two operands, folded into a batched GEMM or, if that would be wasteful, into plain loops.

use super::fold::{self, A, B, C, Fold, Loop, Term, offsets_of};
use super::short_sums::ShortSums;
use super::spec::Extents;
use super::stream::Stream;
use crate::cost;
use crate::cpu::cache::Caches;
use crate::error::{Error, checked_product};
use crate::execution::Execution;
use crate::matmul::plan::ProductPlan;
use crate::matmul::plan::matrix::Matrix;
use crate::matmul::plan::small::Small;
use crate::matmul::run::matrices::Matrices;
use crate::matmul::run::operand::Call;
use crate::matmul::tile::axis::Axis;
use crate::matmul::tile::element::{Destination, Element, Format, Sum};
use crate::tuning::contract::{SIDE_BY_SIDE, TINY, TINY_PACKED};
use crate::tuning::matmul::SMALL;
use std::fmt::Write;

/// How to contract two tensors.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// Rows, columns, steps, and the number of such products.
    pub sizes: [usize; 4],
    how: How,
    /// Whether `A` is the second operand.
    swapped: bool,
    /// The loops, in the order of `how`.
    fold: Fold,
}

#[derive(Clone, Debug)]
enum How {
    Stream { stream: Stream, why: &'static str },
    Products(Box<Products>),
}

/// A batch of products of matrices.
#[derive(Clone, Debug)]
struct Products {
    product: Matrices,
    batch: Vec<Loop>,
    start: [isize; 3],
    /// The method for short sums, if they are computed so.
    short: Option<ShortSums>,
}

impl Pair {
    /// The plan for `A`, `B` and `C`.
    pub(crate) fn new(terms: [&Term; 3], extents: &Extents, format: &Format) -> Result<Pair, Error> {
        let mut fold = Fold::new(terms, extents)?;
        let all = [&fold.m, &fold.n, &fold.k, &fold.batch];
        checked_product(all.into_iter().flatten().map(|l| l.extent as i64))?;
        let all = all.map(|loops| fold::size(loops));
        let [m, n, k, _] = all;
        let multiplications = m.saturating_mul(n).saturating_mul(k);
        let swapped = fold.wants_swap(format.lanes, multiplications <= SMALL);
        if swapped {
            fold.swap();
        }
        let stream = Stream::new(&fold, format.isa);
        let side_by_side = fold.batch.iter().any(|l| l.strides[C] == 1 && l.extent >= SIDE_BY_SIDE);
        let streams = if m.min(n).min(k) == 1 && !is_by_vector(&fold, format.lanes) {
            Some("no element is used in both directions")
        } else {
            (multiplications <= TINY && side_by_side).then_some("the products are tiny and lie side by side")
        };
        let (how, fold) = match (streams, stream) {
            (Some(why), Some(stream)) => (How::Stream { stream, why }, fold),
            (_, stream) => {
                let unarranged = fold.clone();
                fold.arrange();
                let products = Products::new(&fold, &unarranged, format, swapped)?;
                let staged = products.product.plan.small().is_none_or(|small| small.writing.is_some());
                match stream.filter(|_| staged && multiplications <= TINY_PACKED) {
                    Some(stream) => {
                        let why = "the products are too small to be packed";
                        (How::Stream { stream, why }, unarranged)
                    }
                    None => (How::Products(Box::new(products)), fold),
                }
            }
        };
        let sizes = [&fold.m, &fold.n, &fold.k, &fold.batch].map(|loops| fold::size(loops));
        Ok(Pair { sizes, how, swapped, fold })
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
        let products = match &self.how {
            How::Stream { stream, .. } => {
                // SAFETY: the contract of `run` covers the pointers, and the plan was made for instructions that the
                // processor has.
                return unsafe { stream.run::<T, U, D>(&call, execution) };
            }
            How::Products(products) => products,
        };
        if let Some(short) = &products.short {
            // SAFETY: the contract of `run` covers the pointers; elements of `C` have the type of the sums.
            return unsafe { short.run::<T>(&call.of_sums(), execution) };
        }
        let starts = |l| offsets_of(products.start, &products.batch, l);
        // SAFETY: the contract of `run` covers the pointers, and the plan was made for these types.
        unsafe { products.product.run::<T, U, D>(&call, self.sizes[3], starts, execution) }
    }

    /// How many multiply-adds it takes.
    pub(crate) fn operations(&self) -> u128 {
        self.sizes.iter().map(|&size| size as u128).product()
    }

    /// How operands are folded, and why.
    pub(crate) fn explain(&self) -> String {
        let Pair { how, fold, .. } = self;
        match how {
            How::Products(products) => products.explain(fold),
            How::Stream { stream, why } => {
                format!("{}\nin plain loops ({}), since {why}\n", labels(fold), stream.explain())
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

impl Products {
    /// The matrices of the arranged loops; their blocks may be those of the loops before.
    fn new(fold: &Fold, unarranged: &Fold, format: &Format, swapped: bool) -> Result<Products, Error> {
        let caches = Caches::get();
        let matrix = |rows: &[Loop], cols: &[Loop], operand| {
            let axis = |loops| Ok::<_, Error>(Axis::new(fold::offsets(loops, operand)?));
            Ok::<_, Error>(Matrix::of_axes(axis(rows)?, axis(cols)?))
        };
        let (a, b) = (matrix(&fold.m, &fold.k, A)?, matrix(&fold.n, &fold.k, B)?);
        let c = matrix(&fold.m, &fold.n, C)?;
        let plan = ProductPlan::for_matrices(*format, caches, [&a, &b, &c], swapped);
        let [m, n, k] = [&unarranged.m, &unarranged.n, &unarranged.k].map(|loops| fold::size(loops));
        let [of_a, of_b, of_c] = [m.saturating_mul(k), n.saturating_mul(k), m.saturating_mul(n)];
        let near = cost::is_near(caches, of_a.max(of_b).max(of_c).saturating_mul(format.bytes));
        let in_place = near && plan.small().is_some_and(Small::is_in_place);
        let large = !in_place && format.same_type && m.saturating_mul(n).saturating_mul(k) > SMALL;
        let short = if large { ShortSums::new(unarranged, format, caches) } else { None };
        let (batch, start) = (fold.batch.clone(), fold.start);
        Ok(Products { product: Matrices { plan, a, b, c }, batch, start, short })
    }

    /// Describes the folding.
    fn explain(&self, fold: &Fold) -> String {
        let plan = &self.product.plan;
        let [m, n, k] = plan.size;
        let [first, second] = if plan.swapped { ["second", "first"] } else { ["first", "second"] };
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
        if let Some(short) = &self.short {
            return text + &short.explain();
        }
        let names = [first, second].map(|operand| format!("the {operand} operand"));
        for line in plan.explain(names.each_ref().map(String::as_str)) {
            text += &format!("{line}\n");
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

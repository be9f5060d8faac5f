//! A step of a contraction: two operands, folded into a batched GEMM, or where that would be a waste, into plain loops.

use super::fold::{self, A, B, C, Fold, Loop, Term};
use super::spec::Extents;
use super::stream::Stream;
use super::turned::Turned;
use crate::element::{Destination, Element, Sum};
use crate::error::Error;
use crate::execution::Execution;
use crate::gemm::axis::Axis;
use crate::gemm::cache::{Blocks, Caches};
use crate::gemm::driver::{Product, divide};
use crate::gemm::matrix::Matrix;
use crate::gemm::operand::{Place, Strided, Target};
use crate::gemm::small::Small;
use crate::gemm::tables::SumTables;
use crate::isa::Isa;
use std::any::TypeId;
use std::fmt::Write;
use std::marker::PhantomData;
use std::ops::Range;

/// How to contract two tensors.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// Rows, columns, steps, and how many such products there are.
    pub sizes: [usize; 4],
    how: How,
    /// Whether `A` is the second operand.
    swapped: bool,
    isa: Isa,
    text: String,
}

#[derive(Clone, Debug)]
enum How {
    Stream(Stream),
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
    turned: Option<Turned>,
    blocks: Blocks,
}

/// The most multiplications of a product that is not worth a call of its own, where others lie beside it, and where the
/// kernels would have to pack it.
const TINY: usize = 512;
const FEW: usize = 64;
/// Up to so many, it is worth to do without packing.
const SMALL: usize = 1_000_000;
/// So many products side by side make vectors.
const BESIDE: usize = 16;

impl Pair {
    /// The plan for `A`, `B` and `C`.
    pub(crate) fn new<T: Element>(terms: [&Term; 3], extents: &Extents, isa: Isa) -> Result<Pair, Error> {
        let kernels = T::Sum::kernels(isa);
        let mut fold = Fold::new(terms, extents)?;
        let all = [&fold.m, &fold.n, &fold.k, &fold.batch].map(|loops| fold::size(loops));
        if all.iter().try_fold(1usize, |product, &size| product.checked_mul(size)).is_none() {
            return Err(Error::Memory { bytes: u128::MAX });
        }
        let [m, n, k, _] = all;
        let products = m.saturating_mul(n).saturating_mul(k);
        let swapped = fold.wants_swap(kernels.lanes, products <= SMALL);
        if swapped {
            fold.swap();
        }
        let stream = Stream::new(&fold);
        let beside = fold.batch.iter().any(|l| l.strides[C] == 1 && l.extent >= BESIDE);
        let streams = m.min(n).min(k) == 1 || products <= TINY && beside;
        let pair = |fold: &Fold, how, text| {
            let sizes = [&fold.m, &fold.n, &fold.k, &fold.batch].map(|loops| fold::size(loops));
            Pair { sizes, how, swapped, isa, text: format!("{}\n{text}", letters(fold)) }
        };
        let streaming = |fold: &Fold, stream, why| {
            pair(fold, How::Stream(stream), format!("in plain loops ({isa}), since {why}\n"))
        };
        if let (true, Some(stream)) = (streams, &stream) {
            let beside = "the products are tiny and lie side by side";
            let why = if m.min(n).min(k) == 1 { "no element is used in both directions" } else { beside };
            return Ok(streaming(&fold, stream.clone(), why));
        }
        let unarranged = fold.clone();
        fold.arrange(size_of::<T>(), kernels.lanes);
        let matrix = |rows: &[Loop], cols: &[Loop], operand| {
            let axis = |loops| Ok::<_, Error>(Axis::new(fold::offsets(loops, operand)?));
            let (rows, cols) = (axis(rows)?, axis(cols)?);
            Ok::<_, Error>(Matrix { rows, cols, batch: Vec::new(), image: (0, 0), all: None })
        };
        let (a, b) = (matrix(&fold.m, &fold.k, A)?, matrix(&fold.n, &fold.k, B)?);
        let c = matrix(&fold.m, &fold.n, C)?;
        let small = Small::new::<T>(kernels, &a, &b, &c);
        if let (None, true, Some(stream)) = (&small, products <= FEW, stream) {
            return Ok(streaming(&unarranged, stream, "the products are too small to be packed"));
        }
        let sizes = [a.rows.len(), b.rows.len(), a.cols.len()];
        let blocks = blocks(Caches::get(), [kernels.mr, kernels.nr], size_of::<T::Sum>(), sizes);
        let large = small.is_none() && products > SMALL;
        let turned = if large { Turned::new::<T>(&unarranged, isa, Caches::get()) } else { None };
        let tile = [kernels.mr, kernels.nr];
        let mut text = explain(&fold, swapped, isa, tile, small.is_none().then_some(blocks));
        text += &turned.as_ref().map_or(String::new(), Turned::explain);
        let (batch, start) = (fold.batch.clone(), fold.start);
        let matrices = Matrices { a, b, c, batch, start, small, turned, blocks };
        Ok(pair(&fold, How::Matrices(Box::new(matrices)), text))
    }

    /// `C = alpha A B + beta C`.
    ///
    /// # Safety
    /// The pointers are those of the layouts' offset 0, of the first, the second and the third term; every offset of the
    /// layouts is good for reading, and in `C` for writing by this call alone.
    pub(crate) unsafe fn run<T: Element, U: Sum, D: Destination<U>>(
        &self,
        alpha: U,
        [first, second]: [*const T; 2],
        beta: U,
        to: *mut D,
        execution: &Execution,
    ) -> Result<(), Error> {
        let (a, b) = if self.swapped { (second, first) } else { (first, second) };
        let pointers = Pointers { a, b, c: to };
        let (alpha, beta) = (convert(alpha), convert(beta));
        let matrices = match &self.how {
            // SAFETY: the caller's; the processor was asked for its instructions.
            How::Stream(stream) => unsafe {
                return stream.run::<T, U, D>(self.isa, alpha, &pointers, beta, execution);
            },
            How::Matrices(matrices) => matrices,
        };
        let Matrices { a: of_a, b: of_b, c: of_c, small, blocks, .. } = &**matrices;
        let kernels = T::Sum::kernels(self.isa);
        let same = TypeId::of::<D>() == TypeId::of::<T::Sum>();
        if let (Some(turned), true) = (&matrices.turned, same) {
            let pointers = Pointers { a, b, c: to.cast() };
            // SAFETY: the caller's.
            return unsafe { turned.run::<T>(self.isa, alpha, &pointers, beta, execution) };
        }
        let [m, n, k, batch] = self.sizes;
        let small = small.as_ref().filter(|_| same);
        let tile = if small.is_some() { [m, n] } else { [kernels.mr, kernels.nr] };
        divide(execution, [m, n], tile, batch, |l, [rows, cols], counter| {
            let (a, b, c) = pointers.at(offsets_of(matrices.start, &matrices.batch, l));
            // SAFETY: the caller's; the parts are apart. There is a small product only where C has elements like the sums.
            unsafe {
                if let Some(small) = small {
                    small.run::<T>(kernels, alpha, (a, of_a), b, beta, (c.cast(), of_c));
                    counter.advance(m * n);
                    return;
                }
                let product = Product {
                    k,
                    alpha,
                    a: &Strided::new(a, &of_a.rows, &of_a.cols),
                    b: &Strided::new(b, &of_b.rows, &of_b.cols),
                    beta,
                    c: &Written { base: c, rows: &of_c.rows, cols: &of_c.cols, sums: PhantomData },
                    isa: self.isa,
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

    /// What is folded how, and why.
    pub(crate) fn explain(&self) -> &str {
        &self.text
    }
}

/// Where the operands begin at a step of a nest of loops, the first innermost.
pub(super) fn offsets_of(start: [isize; 3], loops: &[Loop], mut index: usize) -> [isize; 3] {
    let mut offsets = start;
    for l in loops {
        let step = index % l.extent;
        index /= l.extent;
        offsets.iter_mut().enumerate().for_each(|(operand, offset)| *offset += l.at(operand, step));
    }
    offsets
}

/// `*at = alpha sum + beta *at`, for sums that become others of type `U` at the end; where `beta` is 0 nothing is read.
///
/// # Safety
/// `at` is good for reading and writing.
#[inline(always)]
pub(super) unsafe fn update<S: Sum, U: Sum, D: Destination<U>>(at: *mut D, sum: S, alpha: S, beta: S) {
    // SAFETY: the caller's.
    unsafe {
        let before =
            if beta == S::ZERO { S::ZERO } else { convert::<U, S>((*at).widen()).times_plus(beta, S::ZERO) };
        *at = D::narrow(convert(sum.times_plus(alpha, before)));
    }
}

/// A sum of one type as one of another.
#[inline(always)]
fn convert<S: Sum, U: Sum>(sum: S) -> U {
    if TypeId::of::<S>() == TypeId::of::<U>() {
        // SAFETY: the types are the same.
        unsafe { std::mem::transmute_copy(&sum) }
    } else {
        U::from_f64(sum.into())
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
pub(super) struct Pointers<T, D> {
    a: *const T,
    b: *const T,
    pub c: *mut D,
}

// SAFETY: what `a` and `b` point to is only read, and the parts of `c` that the threads write are apart.
unsafe impl<T: Sync, D: Send> Sync for Pointers<T, D> {}

impl<T, D> Pointers<T, D> {
    #[inline(always)]
    pub fn at(&self, [a, b, c]: [isize; 3]) -> (*const T, *const T, *mut D) {
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

impl<S: Sum, U: Sum, D: Destination<U>> Target<S> for Written<'_, S, U, D> {
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
                unsafe { update::<S, U, D>(column.wrapping_offset(row), sum, alpha, beta) };
            }
        }
    }
}

/// The letters of each mode.
fn letters(fold: &Fold) -> String {
    let modes = [("m", &fold.m), ("n", &fold.n), ("k", &fold.k), ("batch", &fold.batch)];
    let list = modes.map(|(name, loops)| {
        let names: Vec<String> = loops.iter().map(Loop::to_string).collect();
        format!("{name} ({}) = {}", names.join(","), fold::size(loops))
    });
    list.join(", ")
}

/// The folding in words.
fn explain(fold: &Fold, swapped: bool, isa: Isa, [mr, nr]: [usize; 2], blocks: Option<Blocks>) -> String {
    let [m, n, k] = [&fold.m, &fold.n, &fold.k].map(|loops| fold::size(loops));
    let first = if swapped { "second" } else { "first" };
    let mut text =
        format!("m are the letters of the {first} operand, along which the output has the longer vectors\n");
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
    let _ = match blocks {
        Some(Blocks { m, n, k, .. }) => {
            writeln!(text, "{isa} kernel of {mr} by {nr}, blocks of {m} by {n} by {k}")
        }
        None => writeln!(text, "{isa} kernel of {mr} by {nr}; small, not in blocks"),
    };
    text
}

//! Contractions that use each element about once: products element by element, outer products, sums of products along
//! rows, matrices times vectors, and batches of tiny matrices. Nothing is packed, and no tile is kept; the loops of
//! [`nest`](crate::loops::nest) read the operands in place.

use super::fold::{A, B, C, Fold};
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::loops::modes::Mode;
use crate::loops::nest::{Block, LoopNest};
use crate::matmul::run::operand::Call;
use crate::matmul::tile::element::{Destination, Element, Sum, sum_of_lanes};
use crate::matmul::tile::put::update;
use crate::memory::Shared;
use crate::tuning::contract::{LANES, VECTORS};
use crate::tuning::loops::{KEPT, PARTS};
use std::mem::MaybeUninit;
use std::ops::Range;

/// The loops over all labels, of `C`, `A` and `B`.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    nest: LoopNest<3>,
    /// The instructions: registers of AVX-512 are no faster for elements that are used once.
    isa: Isa,
}

/// A run whose step is known only at run time; other constants are the step itself.
const ANY: isize = isize::MAX;

impl Stream {
    /// None if a label has no strides.
    pub(crate) fn new(fold: &Fold, isa: Isa) -> Option<Stream> {
        let all = [&fold.m, &fold.n, &fold.k, &fold.batch];
        let mode = |strides: [isize; 3], extent| Mode { extent, strides: [C, A, B].map(|i| strides[i]) };
        let loops = all.into_iter().flatten().map(|l| Some(mode(l.linear()?, l.extent)));
        let start = [C, A, B].map(|i| fold.start[i]);
        let nest = LoopNest::new(loops.collect::<Option<_>>()?, start);
        let isa = match isa.registers() {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => Isa::Avx2,
            isa => isa,
        };
        Some(Stream { nest, isa })
    }

    /// The instructions of its loops.
    pub(crate) fn explain(&self) -> String {
        self.isa.to_string()
    }

    /// `C = alpha A B + beta C`.
    ///
    /// # Safety
    /// Those of `Pair::run`. The processor has the instructions.
    pub(crate) unsafe fn run<T: Element, U: Sum, D: Destination<U>>(
        &self,
        call: &Call<T, D>,
        execution: &Execution,
    ) -> Result<(), Error> {
        let isa = self.isa;
        if !self.nest.reduces() {
            return self.nest.each(execution, |at, steps, count| {
                // SAFETY: the contract of `run` covers every offset of the nest.
                unsafe { products::<T, U, D>(isa, call, at, steps, count) }
            });
        }
        let mut shares = [T::Sum::ZERO; PARTS];
        let shared = self.nest.keeps_none().then_some(Shared(shares.as_mut_ptr()));
        // The sums do not depend on the type of `C`.
        let (reads, factors) = (call.of_sums(), [call.alpha, call.beta]);
        self.nest.each_kept(execution, |block| {
            let c = call.c.wrapping_offset(block.at[0]);
            // SAFETY: as above; each block has its own elements of `C`, or its own share.
            unsafe {
                if block.strides[0] == 0 {
                    let mut sum = T::Sum::ZERO;
                    total::<T>(isa, &reads, &block, &mut sum);
                    match &shared {
                        Some(shares) => *shares.at(block.share as isize) = sum,
                        None => update::<T::Sum, U, D>(c, sum, call.alpha, call.beta),
                    }
                } else {
                    let mut room = [const { MaybeUninit::uninit() }; KEPT];
                    room[..block.count].iter_mut().for_each(|sum| _ = sum.write(T::Sum::ZERO));
                    let sums =
                        std::slice::from_raw_parts_mut(room.as_mut_ptr().cast::<T::Sum>(), block.count);
                    add_runs::<T>(isa, &reads, &block, sums);
                    write::<T::Sum, U, D>(isa, sums, c, block.strides[0], factors);
                }
            }
        })?;
        if shared.is_some() {
            let sum = shares.into_iter().fold(T::Sum::ZERO, |sum, share| share.times_plus(T::Sum::ONE, sum));
            // SAFETY: the threads have finished, and by the contract of `run` the one element of `C` is valid.
            unsafe { update(call.c.wrapping_offset(self.nest.start[0]), sum, call.alpha, call.beta) };
        }
        Ok(())
    }
}

/// Compiles a function for each instruction set, so that the compiler vectorizes it.
macro_rules! by_isa {
    ($($(#[$doc:meta])* $name:ident of $body:ident<$($generic:ident: [$($bound:tt)*]),*>(
        $($argument:ident: $type:ty),* $(,)?
    );)*) => {$(
        $(#[$doc])*
        unsafe fn $name<$($generic: $($bound)*),*>(isa: Isa, $($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,f16c")]
            unsafe fn avx2<$($generic: $($bound)*),*>($($argument: $type),*) {
                // SAFETY: the processor has AVX2; the run is valid.
                unsafe { $body::<$($generic),*>($($argument),*) }
            }
            // SAFETY: the run is valid, and plain Rust needs no instructions.
            unsafe {
                match isa {
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 => avx2::<$($generic),*>($($argument),*),
                    _ => $body::<$($generic),*>($($argument),*),
                }
            }
        }
    )*};
}
by_isa! {
    /// A run of products, each of which is an element of `C`.
    ///
    /// # Safety
    /// The pointers are valid for the run, nothing else accesses its part of `C`, and the processor has the instructions.
    products of products_of<T: [Element], U: [Sum], D: [Destination<U>]>(
        call: &Call<T, D>, at: [isize; 3], steps: [isize; 3], count: usize,
    );
    /// Adds the products of a block to contiguous sums. `C` is not accessed.
    ///
    /// # Safety
    /// As for [`products`], for all runs of the block; there is a sum for each of its elements.
    add_runs of add_runs_of<T: [Element]>(call: &Call<T, T::Sum>, block: &Block<3>, sums: &mut [T::Sum]);
    /// One sum of products. `C` is not accessed.
    ///
    /// # Safety
    /// As for [`add_runs`].
    total of total_of<T: [Element]>(call: &Call<T, T::Sum>, block: &Block<3>, sum: &mut T::Sum);
    /// Writes sums to elements of `C` that are `step` apart, with the factors `alpha` and `beta`.
    ///
    /// # Safety
    /// The elements are valid for reads and writes, and nothing else accesses them.
    write of write_of<S: [Sum], U: [Sum], D: [Destination<U>]>(sums: &[S], c: *mut D, step: isize, factors: [S; 2]);
}

/// Calls a function with the steps of two runs as constants if both are 0 or 1.
macro_rules! with_steps {
    ($a:expr, $b:expr, $function:ident[$($type:ty),*]($($argument:expr),*)) => {
        match ($a, $b) {
            (1, 1) => $function::<$($type,)* 1, 1>($($argument),*),
            (1, 0) => $function::<$($type,)* 1, 0>($($argument),*),
            (0, 1) => $function::<$($type,)* 0, 1>($($argument),*),
            _ => $function::<$($type,)* ANY, ANY>($($argument),*),
        }
    };
}

#[inline(always)]
unsafe fn products_of<T: Element, U: Sum, D: Destination<U>>(
    call: &Call<T, D>,
    at: [isize; 3],
    [step_c, step_a, step_b]: [isize; 3],
    count: usize,
) {
    let Call { alpha, a, b, beta, c } = call.at([at[1], at[2], at[0]]);
    let (a, b) = (Run(a, step_a), Run(b, step_b));
    // SAFETY: the run is valid for `count` elements of each operand.
    unsafe {
        if alpha == T::Sum::ZERO {
            (0..count as isize).for_each(|i| update(c.offset(i * step_c), T::Sum::ZERO, alpha, beta));
        } else if step_c == 1 {
            with_steps!(step_a, step_b, multiply[T, U, D]([alpha, beta], c, a, b, count));
        } else {
            for i in 0..count {
                let product = a.at::<ANY>(i).times_plus(b.at::<ANY>(i), T::Sum::ZERO);
                update(c.offset(i as isize * step_c), product, alpha, beta);
            }
        }
    }
}

#[inline(always)]
unsafe fn total_of<T: Element>(call: &Call<T, T::Sum>, block: &Block<3>, sum: &mut T::Sum) {
    let [_, step_a, step_b] = block.strides;
    if call.alpha == T::Sum::ZERO {
        return;
    }
    // SAFETY: the contract of this function.
    unsafe { with_steps!(step_a, step_b, dots[T](call, block, sum)) }
}

#[inline(always)]
unsafe fn add_runs_of<T: Element>(call: &Call<T, T::Sum>, block: &Block<3>, sums: &mut [T::Sum]) {
    let [_, step_a, step_b] = block.strides;
    if call.alpha == T::Sum::ZERO {
        return;
    }
    for ([_, a, b], _) in block.runs() {
        let Call { a, b, .. } = call.at([a, b, 0]);
        let (a, b) = (Run(a, step_a), Run(b, step_b));
        // SAFETY: the run is valid for as many elements of both operands as there are sums.
        unsafe { with_steps!(step_a, step_b, add[T](sums, a, b)) };
    }
}

#[inline(always)]
unsafe fn write_of<S: Sum, U: Sum, D: Destination<U>>(
    sums: &[S],
    c: *mut D,
    step: isize,
    [alpha, beta]: [S; 2],
) {
    // SAFETY: there is an element of `C` for each sum, at that step.
    unsafe {
        if step == 1 {
            sums.iter().enumerate().for_each(|(i, &sum)| update(c.add(i), sum, alpha, beta));
        } else {
            let places = (0..).map(|i: isize| c.offset(i * step));
            sums.iter().zip(places).for_each(|(&sum, place)| update(place, sum, alpha, beta));
        }
    }
}

/// Elements with a constant step.
#[derive(Clone, Copy)]
struct Run<T>(*const T, isize);

impl<T: Element> Run<T> {
    /// # Safety
    /// Element `i` is one of the run, and the distance is `STEP`, if that is not [`ANY`].
    #[inline(always)]
    unsafe fn at<const STEP: isize>(self, i: usize) -> T::Sum {
        let step = if STEP == ANY { self.1 } else { STEP };
        // SAFETY: element `i` is one of a valid run.
        unsafe { (*self.0.offset(i as isize * step)).into() }
    }
}

/// `c[i] = alpha a[i] b[i] + beta c[i]`.
///
/// # Safety
/// The elements are valid at the steps of the constants, and nothing else accesses those of `c`.
#[inline(always)]
unsafe fn multiply<T: Element, U: Sum, D: Destination<U>, const STEP_A: isize, const STEP_B: isize>(
    [alpha, beta]: [T::Sum; 2],
    c: *mut D,
    a: Run<T>,
    b: Run<T>,
    count: usize,
) {
    for i in 0..count {
        // SAFETY: the part is within a valid run.
        unsafe {
            let product = a.at::<STEP_A>(i).times_plus(b.at::<STEP_B>(i), T::Sum::ZERO);
            update(c.add(i), product, alpha, beta);
        }
    }
}

/// `sums[i] += a[i] b[i]`.
///
/// # Safety
/// The elements are valid at the steps of the constants.
#[inline(always)]
unsafe fn add<T: Element, const STEP_A: isize, const STEP_B: isize>(
    sums: &mut [T::Sum],
    a: Run<T>,
    b: Run<T>,
) {
    for (i, sum) in sums.iter_mut().enumerate() {
        // SAFETY: the part is within a valid run.
        *sum = unsafe { a.at::<STEP_A>(i).times_plus(b.at::<STEP_B>(i), *sum) };
    }
}

/// Adds the products of all runs of a block.
///
/// # Safety
/// That of [`total`], at the steps of the constants.
#[inline(always)]
unsafe fn dots<T: Element, const STEP_A: isize, const STEP_B: isize>(
    call: &Call<T, T::Sum>,
    block: &Block<3>,
    sum: &mut T::Sum,
) {
    let [_, step_a, step_b] = block.strides;
    for ([_, a, b], count) in block.runs() {
        let Call { a, b, .. } = call.at([a, b, 0]);
        // SAFETY: the run is valid for `count` elements of both operands.
        let part = unsafe { dot::<T, STEP_A, STEP_B>(Run(a, step_a), Run(b, step_b), count) };
        *sum = part.times_plus(T::Sum::ONE, *sum);
    }
}

/// The sum of the products.
///
/// # Safety
/// The elements are valid at the steps of the constants.
#[inline(always)]
unsafe fn dot<T: Element, const STEP_A: isize, const STEP_B: isize>(
    a: Run<T>,
    b: Run<T>,
    count: usize,
) -> T::Sum {
    let (long, short) = (count / (VECTORS * LANES) * (VECTORS * LANES), count / LANES * LANES);
    let mut sums = [T::Sum::ZERO; LANES];
    // SAFETY: the ranges are within a valid run.
    unsafe {
        add_products::<T, STEP_A, STEP_B, VECTORS>(a, b, 0..long, &mut sums);
        add_products::<T, STEP_A, STEP_B, 1>(a, b, long..short, &mut sums);
        // Sums of lanes that are written one by one could not be read as a vector without a delay; and without the box, the
        // compiler keeps pairs of sums apart in the loops before, which is slower.
        let sum = sum_of_lanes(std::hint::black_box(sums));
        let sum = (short..count).fold(sum, |sum, i| product_to::<T, STEP_A, STEP_B>(a, b, i, sum));
        // A factor of stride 0 is taken out of the sum.
        match (STEP_A, STEP_B) {
            (0, _) => sum.times_plus(a.at::<0>(0), T::Sum::ZERO),
            (_, 0) => sum.times_plus(b.at::<0>(0), T::Sum::ZERO),
            _ => sum,
        }
    }
}

/// Adds the products of a range, whose length is a multiple of the lanes of all vectors, to the sums of the lanes, without the
/// factor of stride 0.
///
/// # Safety
/// That of [`dot`].
#[inline(always)]
unsafe fn add_products<T: Element, const STEP_A: isize, const STEP_B: isize, const VECTORS: usize>(
    a: Run<T>,
    b: Run<T>,
    range: Range<usize>,
    sums: &mut [T::Sum; LANES],
) {
    let mut vectors = [[T::Sum::ZERO; LANES]; VECTORS];
    for i in range.step_by(VECTORS * LANES) {
        for (vector, lanes) in vectors.iter_mut().enumerate() {
            for (lane, sum) in lanes.iter_mut().enumerate() {
                // SAFETY: the part is within a valid run.
                *sum = unsafe { product_to::<T, STEP_A, STEP_B>(a, b, i + vector * LANES + lane, *sum) };
            }
        }
    }
    for vector in &vectors {
        for (sum, part) in sums.iter_mut().zip(vector) {
            *sum = part.times_plus(T::Sum::ONE, *sum);
        }
    }
}

/// Product `i`, without the factor of stride 0, added to a sum.
///
/// # Safety
/// Element `i` is one of both runs, as for [`Run::at`].
#[inline(always)]
unsafe fn product_to<T: Element, const STEP_A: isize, const STEP_B: isize>(
    a: Run<T>,
    b: Run<T>,
    i: usize,
    sum: T::Sum,
) -> T::Sum {
    // SAFETY: the contract of this function.
    unsafe {
        let left = if STEP_A == 0 { T::Sum::ONE } else { a.at::<STEP_A>(i) };
        let right = if STEP_B == 0 { T::Sum::ONE } else { b.at::<STEP_B>(i) };
        left.times_plus(right, sum)
    }
}

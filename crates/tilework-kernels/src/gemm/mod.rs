//! GEMM: products of matrices of any layouts, `C = alpha A B + beta C` (paper, section 2.6.2).
//!
//! The paper's algorithm is three loops over `C(m,n) += A(m,k) B(n,k)`, and its uses are layouts (Table 3): the NN, NT, TN
//! and TT of the BLAS, general strides, folded tensors, batches. A [`GemmPlan`] does the same with each element read from
//! memory as few times as the caches allow:
//!
//! | question | answered by |
//! |---|---|
//! | Where is an element? | at a sum of two table entries: a layout of integers is the sum of its modes, each evaluated once |
//! | Along which mode do the vectors run? | the mode of `C` with the longer runs in memory; `A` and `B` change roles for that |
//! | How do the kernels read `A` and `B`? | as panels that packing makes of any layout, in blocks that fit the caches, or in place; or both in place, without blocks: what costs least (`cost.rs`) |
//! | How are panels packed? | by vectors, by squares transposed in registers, or by elements, depending on what is contiguous |
//! | What if `A` or `B` is a vector? | then its matrix is used once, and is not packed |
//! | How is memory latency hidden? | the next block is prefetched while the kernels compute |
//! | How is `C` written? | by vectors if its offsets are contiguous, otherwise a tile at a time |
//! | How is it divided? | every thread gets a part of `C`, so that the number of threads does not change the result |
//!
//! Contractions and convolutions go through the same [`driver`](crate::matmul::run::driver), with their own operands.

mod plan;
#[cfg(test)]
mod tests;

pub use crate::matmul::tile::static_tile::gemm_tile;
pub use plan::GemmPlan;

use crate::error::Error;
use crate::execution::Execution;
use crate::located::{Operand, OperandMut};
use crate::matmul::tile::element::{Destination, Element};

/// `C = alpha A B + beta C` for `A` of `(M,K)`, `B` of `(N,K)` and `C` of `(M,N)`, or a batch of them, with a third
/// mode `L` in all three.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Execution, gemm};
/// // Row-major 2x3 by column-major 3x2, which is (N,K) = (2,3):(3,1).
/// let a = Tensor::new([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], layout!((2,3):(3,1)))?;
/// let b = Tensor::new([1.0, 0.0, -1.0, 2.0, 2.0, 2.0], layout!((2,3):(3,1)))?;
/// let mut c = Tensor::new([f64::NAN; 4], layout!((2,2):(2,1)))?;
/// gemm(1.0, &a, &b, 0.0, &mut c, &Execution::default())?;
/// assert_eq!(c.accessor(), &[-2.0, 12.0, -2.0, 30.0]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// If `beta` is 0, `C` is not read; if `alpha` is 0, `A` and `B` are not. Sums are in the order of `k`, block by block
/// (if `A` or `B` is a vector, lane by lane), for any number of threads. A [`GemmPlan`] computes the tables once for
/// many products.
///
/// # Errors
/// Those of [`GemmPlan::new`] and [`GemmPlan::run`].
pub fn gemm<T: Element, C: Destination<T::Sum>>(
    alpha: T::Sum,
    a: &impl Operand<T>,
    b: &impl Operand<T>,
    beta: T::Sum,
    c: &mut impl OperandMut<C>,
    execution: &Execution,
) -> Result<(), Error> {
    let plan = GemmPlan::<T, C>::for_tensors(a, b, c)?;
    plan.run(alpha, a.elements(), b.elements(), beta, c.elements_mut(), execution)
}

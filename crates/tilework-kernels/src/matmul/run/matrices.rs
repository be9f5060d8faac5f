//! Products of matrices in memory: a plan, and the tables of the operands.

use super::driver::divide;
use super::operand::{Call, Product, Source, Strided, Target};
use crate::error::Error;
use crate::execution::Execution;
use crate::matmul::plan::matrix::Matrix;
use crate::matmul::plan::{ProductPlan, Strategy};
use crate::matmul::tile::element::{Destination, Element, Sum};

/// A plan and the matrices that it was made for, each in the role that it has in the plan.
#[derive(Clone, Debug)]
pub(crate) struct Matrices {
    pub plan: ProductPlan,
    pub a: Matrix,
    pub b: Matrix,
    pub c: Matrix,
}

impl Matrices {
    /// A batch of products, divided among the threads; `starts` are the offsets at which the matrices of one begin. Sums are
    /// converted to `U` at the end.
    ///
    /// # Safety
    /// The pointers are valid for all offsets of the tables from all starts, no two of which meet in `C`, and nothing else
    /// accesses `C`. The types are those of the plan.
    pub(crate) unsafe fn run<T: Element, U: Sum, D: Destination<U>>(
        &self,
        call: &Call<T, D>,
        batch: usize,
        starts: impl Fn(usize) -> [isize; 3] + Sync,
        execution: &Execution,
    ) -> Result<(), Error> {
        let Matrices { plan, a, b, c } = self;
        let [m, n, _] = plan.size;
        let kernels = T::kernels(plan.format.isa);
        let strategy = plan.strategy(execution.thread_count(), batch);
        let tile = if matches!(strategy, Strategy::Small(_)) { [m, n] } else { plan.format.tile() };
        divide(execution, [m, n], tile, batch, |l, [rows, cols], counter| {
            let call = call.at(starts(l));
            // SAFETY: the contract of `run` covers the pointers, and the parts of `C` are disjoint.
            unsafe {
                if let Strategy::Small(small) = strategy {
                    small.run(kernels, [a, c], call.of_sums(), &mut []);
                    counter.advance(m * n);
                    return;
                }
                let product = Product {
                    plan,
                    alpha: call.alpha,
                    a: Source::Memory(Strided::new(call.a, &a.rows, &a.cols)),
                    b: Source::Memory(Strided::new(call.b, &b.rows, &b.cols)),
                    beta: call.beta,
                    c: &Target::new::<U, D>(plan, call.c, &c.rows, &c.cols),
                };
                product.part(rows, cols, counter);
            }
        })
    }
}

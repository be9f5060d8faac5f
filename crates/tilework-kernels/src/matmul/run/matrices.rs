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
        if let Strategy::Small(small) = &plan.strategy {
            let all = [small.rows.len(), small.columns.len()];
            // How many panels of `A` are computed at a time, and how many tiles threads do not divide.
            let (together, tile) = if plan.at_once().is_some() { (all[0], all) } else { (1, [1, 1]) };
            return divide(execution, all, tile, batch, |l, [rows, columns], counter| {
                let call = call.at(starts(l)).of_sums();
                for first in rows.clone().step_by(together.max(1)) {
                    let rows = first..rows.end.min(first + together);
                    let done = rows.len() * columns.len();
                    // SAFETY: the contract of `run` covers the pointers, and the tiles of `C` are disjoint.
                    unsafe {
                        let tiles = [rows, columns.clone()];
                        small.run(T::kernels(plan.format.isa), [a, c], call, tiles, &mut []);
                    }
                    if !counter.advance(done) {
                        break;
                    }
                }
            });
        }
        divide(execution, [m, n], plan.format.tile(), batch, |l, [rows, cols], counter| {
            let call = call.at(starts(l));
            // SAFETY: the contract of `run` covers the pointers, and the parts of `C` are disjoint.
            unsafe {
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

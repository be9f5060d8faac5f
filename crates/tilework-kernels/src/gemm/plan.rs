//! The plan of a product: which operand the vectors run along, which kernel, which blocks, and how panels are packed.

use crate::cost;
use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::{Error, check_product};
use crate::execution::Execution;
use crate::gathered::Summed;
use crate::located::{Located, placed};
use crate::matmul::plan::matrix::Matrix;
use crate::matmul::plan::{ProductPlan, columns_in_place};
use crate::matmul::run::matrices::Matrices;
use crate::matmul::run::operand::Call;
use crate::matmul::tile::axis::Axis;
use crate::matmul::tile::element::{Destination, Element, Format};
use crate::offset_layout::OffsetLayout;
use crate::tuning::matmul::SMALL;
use std::marker::PhantomData;
use tilework::HasLayout;

/// How to compute `C = alpha A B + beta C` for three layouts; made once, run many times.
///
/// `A` is `(M,K)`, `B` is `(N,K)` and `C` is `(M,N)`, or with a batch `(M,K,L)`, `(N,K,L)` and `(M,N,L)`; each mode may
/// be nested, with any strides.
///
/// ```
/// use tilework::layout;
/// use tilework_kernels::{Execution, GemmPlan};
/// // A matrix of 2x2 tiles (paper, figure 3e) by a row-major one.
/// let (a, b, c) = (layout!(((2,2),(4,2)):((1,8),(2,16))), layout!((3,8):(1,3)), layout!((4,3):(3,1)));
/// let plan = GemmPlan::<f64>::new(&a, &b, &c)?;
/// let (ones, mut sums) = ([1.0; 32], [0.5; 12]);
/// plan.run(1.0, &ones, &ones[..24], 2.0, &mut sums, &Execution::default())?;
/// assert_eq!(sums, [9.0; 12]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct GemmPlan<T: Element, C: Destination<T::Sum> = <T as Element>::Sum> {
    /// The matrices of `C = A B^T`, or if the plan is swapped of `C^T = B A^T`.
    pub(crate) product: Matrices,
    /// The operands in the roles of `A`, `B` and `C`.
    operands: [Summed; 3],
    /// Whether it is one product in place by one thread, and no operand is gathered.
    alone: bool,
    types: PhantomData<(T, C)>,
}

/// The names of `A`, `B` and `C`, and their modes.
const OPERANDS: [(&str, &str); 3] =
    [("A", "(M,K) or (M,K,L)"), ("B", "(N,K) or (N,K,L)"), ("C", "(M,N) or (M,N,L)")];

impl<T: Element, C: Destination<T::Sum>> GemmPlan<T, C> {
    /// The plan for three layouts, each a [`Layout`](tilework::Layout), a static layout or a swizzled one.
    ///
    /// # Errors
    /// [`Error::Rank`] for ranks other than 2, or 3 for all; [`Error::Product`] if two operands disagree about `M`,
    /// `N`, `K` or `L`; [`Error::Codomain`] for offsets that are not integers; [`Error::Aliasing`] if two coordinates
    /// of `C` have one offset (`(2,2):(1,1)`); [`Error::Memory`]; [`Error::Isa`].
    pub fn new(a: &impl HasLayout, b: &impl HasLayout, c: &impl HasLayout) -> Result<Self, Error> {
        GemmPlan::with((a, 0), (b, 0), (c, 0), Isa::current()?, Caches::get())
    }

    /// The plan for the layouts of three tensors and the offsets at which they begin. It does not read their elements.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// use tilework_kernels::{Execution, GemmPlan};
    /// // The second of two rows, and a matrix of one row.
    /// let row = Tensor::with_offset(Counting, 3, layout!((1,3):(0,1)))?;
    /// let (b, c) = (Tensor::new(Counting, layout!((1,3):(0,1)))?, Tensor::new(Counting, layout!((1,1):(0,0)))?);
    /// let plan = GemmPlan::<f32>::for_tensors(&row, &b, &c)?;
    /// let mut product = [0.0];
    /// plan.run(1.0, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[1.0; 3], 0.0, &mut product, &Execution::default())?;
    /// assert_eq!(product, [15.0]);
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn for_tensors(
        a: &(impl Located + ?Sized),
        b: &(impl Located + ?Sized),
        c: &(impl Located + ?Sized),
    ) -> Result<Self, Error> {
        let [of_a, of_b, of_c] = OPERANDS.map(|operand| operand.0);
        let operands = [placed(of_a, a)?, placed(of_b, b)?, placed(of_c, c)?];
        GemmPlan::placed_for(operands, Isa::current()?, Caches::get())
    }

    /// The plan for layouts with an offset each, for an instruction set that the processor has.
    pub(crate) fn with<LA: HasLayout, LB: HasLayout, LC: HasLayout>(
        (a, a_start): (&LA, i64),
        (b, b_start): (&LB, i64),
        (c, c_start): (&LC, i64),
        isa: Isa,
        caches: Caches,
    ) -> Result<Self, Error> {
        let [of_a, of_b, of_c] = OPERANDS.map(|operand| operand.0);
        let operands = [
            OffsetLayout::new(of_a, a, a_start)?,
            OffsetLayout::new(of_b, b, b_start)?,
            OffsetLayout::new(of_c, c, c_start)?,
        ];
        GemmPlan::placed_for(operands, isa, caches)
    }

    /// The same product by another plan.
    #[cfg(feature = "candidates")]
    pub(crate) fn with_plan(&self, plan: ProductPlan) -> Self {
        GemmPlan::of(Matrices { plan, ..self.product.clone() }, self.operands.clone())
    }

    fn placed_for(operands: [OffsetLayout; 3], isa: Isa, caches: Caches) -> Result<Self, Error> {
        let format = Format::of::<T, C>(isa);
        for ((operand, modes), placed) in OPERANDS.into_iter().zip(&operands) {
            let found = placed.layout().layout().rank();
            if !matches!(found, 2 | 3) {
                return Err(Error::Rank { operand, modes, found });
            }
        }
        let [of_a, of_b, of_c] = operands.each_ref().map(Summed::new);
        let (mut of_a, mut of_b, of_c) = (of_a?, of_b?, of_c?);
        let (mut a, mut b, mut c) = (Matrix::new(&of_a)?, Matrix::new(&of_b)?, Matrix::new(&of_c)?);
        let sizes = |of: &Matrix| [of.rows.len(), of.cols.len(), of.batch.len()].map(|size| size as i64);
        check_product([sizes(&a), sizes(&b), sizes(&c)])?;
        operands[2].check_apart(OPERANDS[2].0)?;
        let swapped = is_nearer(&c.cols, &c.rows) || is_read_by_few(&format, &a, &b);
        if swapped {
            std::mem::swap(&mut a, &mut b);
            std::mem::swap(&mut of_a, &mut of_b);
            std::mem::swap(&mut c.rows, &mut c.cols);
        }
        let plan = ProductPlan::for_matrices(format, caches, [&a, &b, &c], swapped);
        Ok(GemmPlan::of(Matrices { plan, a, b, c }, [of_a, of_b, of_c]))
    }

    fn of(product: Matrices, operands: [Summed; 3]) -> Self {
        let whole = product.plan.at_once().is_some();
        let in_place = operands.iter().all(|operand| operand.gathered.is_in_place());
        let alone = whole && product.c.batch.len() == 1 && in_place;
        GemmPlan { product, operands, alone, types: PhantomData }
    }

    /// `C = alpha A B + beta C`, with the operands' elements in slices that the layouts index from 0.
    ///
    /// If `beta` is 0, `C` is not read; if `alpha` is 0, `A` and `B` are not. Sums are in the order of `k`, block by
    /// block (if `A` or `B` is a vector, lane by lane), for any number of threads.
    ///
    /// # Errors
    /// [`Error::Image`] if a slice does not contain all offsets of its layout; [`Error::Memory`]; [`Error::Cancelled`].
    pub fn run(
        &self,
        alpha: T::Sum,
        a: &[T],
        b: &[T],
        beta: T::Sum,
        c: &mut [C],
        execution: &Execution,
    ) -> Result<(), Error> {
        let (plan, [of_a, of_b, of_c]) = (&self.product.plan, &self.operands);
        let (first, second) = if plan.swapped { (b, a) } else { (a, b) };
        let names = self.names();
        of_a.check_image(names[0], first.len())?;
        of_b.check_image(names[1], second.len())?;
        of_c.check_image("C", c.len())?;
        if let (true, Some(small)) = (self.alone, plan.at_once()) {
            let call = Call { alpha, a: first.as_ptr(), b: second.as_ptr(), beta, c: c.as_mut_ptr() };
            // SAFETY: the images were compared with the slices, and no two offsets of C are equal, whose elements are sums.
            unsafe {
                let Matrices { a, c, .. } = &self.product;
                small.run(
                    T::kernels(plan.format.isa),
                    [a, c],
                    call.at(self.starts(0)).of_sums(),
                    small.all(),
                    &mut [],
                );
            }
            return execution.finish();
        }
        self.run_any(alpha, [first, second], beta, c, execution)
    }

    /// [`run`](Self::run) with checked slices, and the operands in their roles.
    #[inline(never)]
    fn run_any(
        &self,
        alpha: T::Sum,
        [first, second]: [&[T]; 2],
        beta: T::Sum,
        c: &mut [C],
        execution: &Execution,
    ) -> Result<(), Error> {
        let [of_a, of_b, of_c] = &self.operands;
        let (a, b) = (of_a.gathered.read(first), of_b.gathered.read(second));
        of_c.gathered.write(c, |c| {
            let call = Call { alpha, a: a.as_ptr(), b: b.as_ptr(), beta, c: c.as_mut_ptr() };
            // SAFETY: the slices, or the copies, have all offsets of the tables, and `c` is borrowed for this call alone.
            unsafe {
                let batch = self.product.c.batch.len();
                self.product.run::<T, T::Sum, C>(&call, batch, |l| self.starts(l), execution)
            }
        })
    }

    /// The offset of a matrix of the batch in each operand.
    #[inline(always)]
    fn starts(&self, l: usize) -> [isize; 3] {
        let Matrices { a, b, c, .. } = &self.product;
        [a.batch[l], b.batch[l], c.batch[l]]
    }

    /// The names of the operands in the roles of `A` and `B`.
    fn names(&self) -> [&'static str; 2] {
        if self.product.plan.swapped { ["B", "A"] } else { ["A", "B"] }
    }

    /// What the plan does on one thread, and why, one decision a line.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_kernels::GemmPlan;
    /// let row_major = layout!((3000,2000):(2000,1));
    /// let plan = GemmPlan::<f32>::new(&row_major, &layout!((4000,2000):(1,4000)), &layout!((3000,4000):(4000,1)))?;
    /// let text = plan.explain();
    /// assert!(text.contains("C^T = B A^T, since rows of C are contiguous"), "{text}");
    /// assert!(text.contains("B: vectors, since its rows are contiguous"), "{text}");
    /// assert!(text.contains("A: read in place"), "{text}");
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    #[must_use]
    pub fn explain(&self) -> String {
        let Matrices { plan, c, .. } = &self.product;
        let [m, n, k] = plan.size;
        let (m, n) = if plan.swapped { (n, m) } else { (m, n) };
        let batch = match c.batch.len() {
            1 => String::new(),
            count => format!(", {count} of them"),
        };
        let mut lines = vec![format!("{m} by {n} by {k}{batch}")];
        lines.push(match (plan.swapped, c.rows.longest() > 1) {
            (true, _) if is_nearer(&c.cols, &c.rows) => {
                "C^T = B A^T, since few columns use A, which is read in place so".to_owned()
            }
            (true, true) => "C^T = B A^T, since rows of C are contiguous (or have longer runs)".to_owned(),
            (true, false) => {
                "C^T = B A^T; no two elements of C are contiguous, those of a row are nearer".to_owned()
            }
            (false, true) => "C = A B^T, since columns of C are contiguous (or have longer runs)".to_owned(),
            (false, false) => {
                "C = A B^T; no two elements of C are contiguous, those of a column are nearer".to_owned()
            }
        });
        lines.extend(plan.explain(self.names()));
        let [first, second] = self.names();
        for (name, of) in [first, second, "C"].into_iter().zip(&self.operands) {
            if !of.gathered.is_in_place() {
                lines.push(format!("{name}: by way of a copy, since its offsets are not sums of one of the row and one of the column"));
            }
        }
        lines.join("\n")
    }
}

/// Whether an axis of `C` has longer runs than the other one or, if neither has any, smaller distances.
fn is_nearer(axis: &Axis, other: &Axis) -> bool {
    let distance = |axis: &Axis| axis.offsets.windows(2).map(|pair| pair[1].abs_diff(pair[0])).min();
    match (axis.longest(), other.longest()) {
        (1, 1) => distance(axis).is_some_and(|near| distance(other).is_none_or(|far| near < far)),
        (run, other) => run > other,
    }
}

/// Whether `A` has contiguous steps, and so few columns that packing it would be much of the work, and writing `C` by
/// elements is not.
fn is_read_by_few(format: &Format, a: &Matrix, b: &Matrix) -> bool {
    let [m, n, k] = [a.rows.len(), b.rows.len(), a.cols.len()];
    let few = 1 < n && n <= format.mr.min(m) && cost::writes_by_elements([n, k]);
    few && m.saturating_mul(n * k) > SMALL && columns_in_place(format, [&a.rows, &a.cols]).is_some()
}

//! The plan of a product: which operand the vectors run along, which kernel, which blocks, and how panels are packed.

use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::{Error, check_product};
use crate::execution::{Counter, Execution};
use crate::located::{Located, placed};
use crate::matmul::axis::Axis;
use crate::matmul::blocks::Blocks;
use crate::matmul::call::Call;
use crate::matmul::driver::{columns_in_place, divide, rows_in_place};
use crate::matmul::element::{Destination, Element, Format, Kernels};
use crate::matmul::matrix::Matrix;
use crate::matmul::operand::{Strided, StridedTarget};
use crate::matmul::product::Product;
use crate::matmul::small::Small;
use crate::offset_layout::OffsetLayout;
use crate::tuning::matmul::{SCATTERED_STEPS, SMALL};
use std::any::TypeId;
use std::marker::PhantomData;
use std::ops::Range;
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
    product: MatrixProduct,
    types: PhantomData<(T, C)>,
}

/// A plan without its types.
#[derive(Clone, Debug)]
struct MatrixProduct {
    m: usize,
    n: usize,
    k: usize,
    /// Whether the matrices below are those of `C^T = B A^T`.
    swapped: bool,
    a: Matrix,
    b: Matrix,
    c: Matrix,
    format: Format,
    blocks: Blocks,
    /// The plan without packing, if it is used.
    small: Option<Small>,
    /// Whether the batch has one such product, and no operand is gathered.
    alone: bool,
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

    fn placed_for(operands: [OffsetLayout; 3], isa: Isa, caches: Caches) -> Result<Self, Error> {
        let same_type = TypeId::of::<C>() == TypeId::of::<T::Sum>();
        let product = MatrixProduct::new(operands, Format::of::<T>(isa), same_type, caches)?;
        Ok(GemmPlan { product, types: PhantomData })
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
        let MatrixProduct { small, alone, swapped, format, .. } = &self.product;
        let (first, second) = if *swapped { (b, a) } else { (a, b) };
        let names = if *swapped { ["B", "A"] } else { ["A", "B"] };
        self.product.a.check_image(names[0], first.len())?;
        self.product.b.check_image(names[1], second.len())?;
        self.product.c.check_image("C", c.len())?;
        if let (true, Some(small)) = (*alone, small) {
            let call = Call { alpha, a: first.as_ptr(), b: second.as_ptr(), beta, c: c.as_mut_ptr() };
            // SAFETY: the images were compared with the slices, and no two offsets of C are equal.
            unsafe { self.small(small, T::kernels(format.isa), &call, 0) };
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
        let (a, b) = (self.product.a.gathered.read(first), self.product.b.gathered.read(second));
        self.product.c.gathered.write(c, |c| {
            let call = Call { alpha, a: a.as_ptr(), b: b.as_ptr(), beta, c: c.as_mut_ptr() };
            // SAFETY: the slices, or the copies, have all offsets of the tables, and `c` is borrowed for this call alone.
            unsafe { self.products(&call, execution) }
        })
    }

    /// The products of the batch, divided among the threads.
    ///
    /// # Safety
    /// The pointers are valid for all offsets of the tables, and nothing else accesses C.
    unsafe fn products(&self, call: &Call<T, C>, execution: &Execution) -> Result<(), Error> {
        let MatrixProduct { m, n, small, format, .. } = &self.product;
        let kernels = T::kernels(format.isa);
        let batch = self.product.c.batch.len();
        let small = small.as_ref().filter(|small| small.suits(execution.thread_count(), batch));
        let tile = if small.is_some() { [*m, *n] } else { format.tile() };
        divide(execution, [*m, *n], tile, batch, |l, [rows, cols], counter| {
            // SAFETY: the pointers are valid for all offsets; no two offsets of C are equal, and the parts are disjoint.
            unsafe {
                match small {
                    Some(small) => {
                        self.small(small, kernels, call, l);
                        counter.advance(m * n);
                    }
                    None => self.blocks(&call.at(self.product.starts(l)), [rows, cols], counter),
                }
            }
        })
    }

    /// One matrix of the batch without packing.
    ///
    /// # Safety
    /// Those of [`Small::run`], with pointers that are valid for all offsets of the tables.
    #[inline(always)]
    unsafe fn small(&self, small: &Small, kernels: &Kernels<T::Sum>, call: &Call<T, C>, l: usize) {
        let MatrixProduct { a, c, .. } = &self.product;
        // SAFETY: the pointers are valid for all offsets of the tables; plans have a small product only if elements of
        // C have the type of the sums.
        unsafe { small.run(kernels, [a, c], call.at(self.product.starts(l)).of_sums(), &mut []) }
    }

    /// A part of one matrix by packed blocks.
    ///
    /// # Safety
    /// The pointers are valid for all offsets of the tables, and nothing else accesses this part of C.
    unsafe fn blocks(&self, call: &Call<T, C>, [rows, cols]: [Range<usize>; 2], counter: &Counter) {
        let MatrixProduct { k, a, b, c, format, blocks, .. } = &self.product;
        // SAFETY: the pointers are valid for all offsets of the tables, and nothing else accesses this part of C.
        unsafe {
            let product = Product {
                k: *k,
                alpha: call.alpha,
                a: &Strided::new(call.a, &a.rows, &a.cols),
                b: &Strided::new(call.b, &b.rows, &b.cols),
                beta: call.beta,
                c: &StridedTarget::<T::Sum, C>::new(format.isa, call.c, &c.rows, &c.cols),
                format,
                blocks: *blocks,
            };
            product.part(rows, cols, counter);
        }
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
    /// assert!(text.contains("B: whole vectors, since its rows are contiguous"), "{text}");
    /// assert!(text.contains("A: squares transposed in registers, since its steps are contiguous"), "{text}");
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    #[must_use]
    pub fn explain(&self) -> String {
        self.product.explain()
    }
}

impl MatrixProduct {
    fn new(
        [a, b, c]: [OffsetLayout; 3],
        format: Format,
        same_type: bool,
        caches: Caches,
    ) -> Result<MatrixProduct, Error> {
        let [of_a, of_b, of_c] = OPERANDS;
        let placed = c;
        let mut a = Matrix::new(of_a.0, of_a.1, &a)?;
        let mut b = Matrix::new(of_b.0, of_b.1, &b)?;
        let mut c = Matrix::new(of_c.0, of_c.1, &placed)?;
        let sizes = |of: &Matrix| [of.rows.len(), of.cols.len(), of.batch.len()].map(|size| size as i64);
        check_product([sizes(&a), sizes(&b), sizes(&c)])?;
        placed.check_apart(of_c.0)?;
        let swapped = is_nearer(&c.cols, &c.rows) || is_read_by_few(&format, &a, &b);
        if swapped {
            std::mem::swap(&mut a, &mut b);
            std::mem::swap(&mut c.rows, &mut c.cols);
        }
        let (m, n, k) = (a.rows.len(), b.rows.len(), a.cols.len());
        let blocks = Blocks::new(caches, format.tile(), format.packed_bytes, [m, n, k]);
        let small = if same_type { Small::new(&format, caches, &a, &b, &c) } else { None };
        let blocks = if small.is_some() {
            blocks.in_one_step(k)
        } else {
            blocks.for_few_columns(caches, &format, [&a.rows, &a.cols], n)
        };
        let in_place = a.gathered.is_in_place() && b.gathered.is_in_place();
        let whole = small.as_ref().is_some_and(|small| !small.divisible);
        let alone = whole && c.batch.len() == 1 && in_place;
        Ok(MatrixProduct { m, n, k, swapped, a, b, c, format, blocks, small, alone })
    }

    /// The offset of a matrix of the batch in each operand.
    #[inline(always)]
    fn starts(&self, l: usize) -> [isize; 3] {
        [self.a.batch[l], self.b.batch[l], self.c.batch[l]]
    }

    fn explain(&self) -> String {
        let (m, n) = if self.swapped { (self.n, self.m) } else { (self.m, self.n) };
        let batch = match self.c.batch.len() {
            1 => String::new(),
            count => format!(", {count} of them"),
        };
        let mut lines = vec![format!("{m} by {n} by {}{batch}", self.k)];
        lines.push(match (self.swapped, self.c.rows.longest() > 1) {
            (true, _) if is_nearer(&self.c.cols, &self.c.rows) => {
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
        lines.push(format!(
            "{} kernel, {} by {} elements of C at a time",
            self.format.isa, self.format.mr, self.format.nr
        ));
        let names = if self.swapped { ["B", "A"] } else { ["A", "B"] };
        match &self.small {
            Some(small) => {
                lines.push(if small.divisible {
                    "in the second cache: not in blocks, unless more threads divide it".to_owned()
                } else {
                    "small: not in blocks, one thread for each of them".to_owned()
                });
                if small.packs() {
                    lines.push(format!("{}: {}", names[0], packing(&self.a, self.format.mr)));
                } else {
                    lines.push(format!("{}: read in place, since its rows are contiguous", names[0]));
                }
                lines.push(format!("{}: read in place, since it has one stride along each axis", names[1]));
            }
            None if self.m == 1 || self.n == 1 => {
                lines.push("a matrix by a vector: nothing but the vector is packed".to_owned());
            }
            None => {
                let Blocks { m, n, k, .. } = self.blocks;
                lines.push(format!("blocks of {m} by {n} by {k}"));
                let first =
                    match rows_in_place(&self.format, &self.blocks, [&self.a.rows, &self.a.cols], self.n) {
                        Some(_) if self.a.gathered.is_in_place() && !self.blocks.filled => {
                            "read in place, since few columns use it"
                        }
                        Some(_) if self.a.gathered.is_in_place() => {
                            "packed by the kernels that read it first, since few columns use it"
                        }
                        _ => packing(&self.a, self.format.mr),
                    };
                let second = match columns_in_place(&self.format, [&self.b.rows, &self.b.cols], self.m) {
                    Some(_) if self.b.gathered.is_in_place() => "read in place, since few rows use it",
                    _ => packing(&self.b, self.format.nr),
                };
                lines.push(format!("{}: {first}", names[0]));
                lines.push(format!("{}: {second}", names[1]));
            }
        }
        if !self.c.gathered.is_in_place() {
            lines.push("C: through a copy, since its offsets do not separate into row + column".to_owned());
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
    let few = 1 < n && n <= format.mr.min(m) && k >= SCATTERED_STEPS;
    few && m.saturating_mul(n * k) > SMALL && columns_in_place(format, [&a.rows, &a.cols], n).is_some()
}

/// How panels of `width` rows of an operand are packed.
fn packing(matrix: &Matrix, width: usize) -> &'static str {
    let steps = matrix.cols.longest();
    if !matrix.gathered.is_in_place() {
        "gathered first, since its offsets do not separate into row + step"
    } else if matrix.rows.longest() as usize >= width.min(matrix.rows.len()) {
        "whole vectors, since its rows are contiguous"
    } else if steps > 1 {
        "squares transposed in registers, since its steps are contiguous"
    } else if matrix.rows.longest() > 1 {
        "vectors in part, since its rows are contiguous in pieces"
    } else {
        "element by element, since no two are contiguous"
    }
}

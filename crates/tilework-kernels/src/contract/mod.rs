//! Contraction: sums of products over named modes, folded into batched GEMM (paper, section 1.3).
//!
//! ```text
//! C_stqp = A_stupr B_qtru          contract("stupr,qtru->stqp", ...)
//! C_(sp)(q)(t) = A_(sp)(ur)(t) B_(q)(ur)(t)
//! ```
//!
//! Labels name modes. Those of one kind are grouped into one mode (`fold`) without moving data: a layout with grouped
//! modes is a view, and the packing of GEMM reads any layout. More than two operands are contracted in pairs (`order`);
//! each result gets the layout that suits the pair that reads it (`tree`).

mod fold;
mod free_output;
mod moved;
mod order;
mod pair;
pub(crate) mod reference;
mod short_sums;
pub(crate) mod spec;
mod stream;
mod tree;

use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::gathered::Summed;
use crate::located::{Located, Operand, OperandMut, placed};
use crate::matmul::tile::element::{Destination, Element, Format, Sum};
use crate::offset_layout::OffsetLayout;
use spec::Einsum;
use std::any::TypeId;
use std::borrow::Cow;
use std::marker::PhantomData;
use tilework::{AnyLayout, HasLayout, Layout, Tensor};
use tree::Tree;

/// How to contract tensors of given layouts, `C = alpha sum A B ... + beta C`; made once, run many times.
///
/// A specification is that of `numpy.einsum`: labels for the modes of each operand, `->`, labels for the modes of the
/// output. A label that the output does not have is summed over; one that occurs twice in an operand indexes its
/// diagonal. Without `->` the output has the labels that appear once, in alphabetical order. Each mode may be nested,
/// with any strides.
///
/// ```
/// use tilework::layout;
/// use tilework_kernels::{ContractPlan, Execution};
/// // Equation 1 of the paper, all labels from 0 to 1.
/// let (a, b) = (layout!((2,2,2,2,2):(1,2,4,8,16)), layout!((2,2,2,2):(8,4,2,1)));
/// let c = layout!((2,2,2,2):(1,2,4,8));
/// let plan = ContractPlan::<f32>::new("stupr,qtru->stqp", &[a, b], &c)?;
/// let (ones, mut sums) = ([1.0; 32], [0.0; 16]);
/// plan.run(1.0, &[&ones, &ones[..16]], 0.0, &mut sums, &Execution::default())?;
/// assert_eq!(sums, [4.0; 16]);
/// assert!(plan.explain().contains("batch (t:2) = 2"));
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContractPlan<T: Element, C: Destination<T::Sum> = <T as Element>::Sum> {
    tree: Tree,
    operands: Vec<Summed>,
    output: Summed,
    /// The layout of the output, given or chosen.
    layout: AnyLayout,
    types: PhantomData<(T, C)>,
}

/// The output, as errors name it.
const OUTPUT: &str = "the output";

/// The operands, as errors name them.
fn name(operand: usize) -> &'static str {
    const NAMES: [&str; 6] = ["operand 1", "operand 2", "operand 3", "operand 4", "operand 5", "operand 6"];
    NAMES.get(operand).unwrap_or(&"an operand beyond the sixth")
}

impl<T: Element, C: Destination<T::Sum>> ContractPlan<T, C> {
    /// The plan for layouts of operands and output, with as many modes as there are labels.
    ///
    /// Swizzled layouts and XOR strides are read and written through a contiguous copy, because their offset is not a
    /// sum of one term per label.
    ///
    /// # Errors
    /// [`Error::Specification`] for a text that is not a specification (`"ab-c"`), for a wrong number of operands or
    /// modes, and for a label with different extents; [`Error::Codomain`] for offsets that are not integers;
    /// [`Error::Aliasing`] if two coordinates of the output have one offset (`(2,2):(1,1)`); [`Error::Memory`];
    /// [`Error::Layout`] if an intermediate result has more labels than a layout can have modes, or the product of all
    /// extents does not fit in 64 bits; [`Error::Isa`].
    pub fn new(spec: &str, operands: &[impl HasLayout], output: &impl HasLayout) -> Result<Self, Error> {
        let placed = |(i, layout)| OffsetLayout::new(name(i), layout, 0);
        let operands = operands.iter().enumerate().map(placed).collect::<Result<_, _>>()?;
        ContractPlan::with(spec, operands, Some(OffsetLayout::new(OUTPUT, output, 0)?))
    }

    /// The plan for operands only. It chooses the layout of the output that is written fastest:
    /// [`output`](Self::output), which is compact and begins at offset 0.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// use tilework_kernels::{ContractPlan, Execution};
    /// // Rows of A and rows of B, which are contiguous along m and along k.
    /// let (a, b) = (layout!((4,2,3):(3,12,1)), layout!((5,2):(2,1)));
    /// let operands = [Tensor::new(Counting, a)?, Tensor::new(Counting, b)?];
    /// let plan = ContractPlan::<f32>::with_free_output("pkm,nk->pnm", &operands)?;
    /// // Along m first, as in A, then along p, then along n.
    /// assert_eq!(plan.output().to_string(), "(4,5,3):(3,12,1)");
    /// let mut sums = [0.0; 60];
    /// plan.run(1.0, &[&[1.0; 24], &[2.0; 10]], 0.0, &mut sums, &Execution::default())?;
    /// assert_eq!(sums, [4.0; 60]);
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new), except those of the output; [`Error::Layout`] if it has 2^63 elements or more.
    pub fn with_free_output(spec: &str, operands: &[impl Located]) -> Result<Self, Error> {
        let placed = |(i, tensor)| placed(name(i), tensor);
        let operands = operands.iter().enumerate().map(placed).collect::<Result<_, _>>()?;
        ContractPlan::with(spec, operands, None)
    }

    /// The plan for the layouts of tensors and the offsets at which they begin. It does not read their elements.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// use tilework_kernels::{ContractPlan, Execution};
    /// // The sum of products of a line with itself, backwards.
    /// let line = Tensor::new(Counting, layout!(3:1))?;
    /// let backwards = Tensor::with_offset(Counting, 2, layout!(3:-1))?;
    /// let plan = ContractPlan::<f64>::for_tensors("i,i->", &[line, backwards], &Tensor::new(Counting, layout!(1:0))?)?;
    /// let (data, mut sum) = ([1.0, 2.0, 3.0], [0.0]);
    /// plan.run(1.0, &[&data, &data], 0.0, &mut sum, &Execution::default())?;
    /// assert_eq!(sum, [10.0]);
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn for_tensors(
        spec: &str,
        operands: &[impl Located],
        output: &(impl Located + ?Sized),
    ) -> Result<Self, Error> {
        let placed = |(i, tensor)| placed(name(i), tensor);
        let operands = operands.iter().enumerate().map(placed).collect::<Result<_, _>>()?;
        ContractPlan::with(spec, operands, Some(self::placed(OUTPUT, output)?))
    }

    fn with(spec: &str, operands: Vec<OffsetLayout>, output: Option<OffsetLayout>) -> Result<Self, Error> {
        let isa = Isa::current()?;
        let formats = [&Format::of::<T, C>(isa), &Format::of::<T::Work, C>(isa)];
        let einsum = Einsum::parse(spec)?;
        let operands = operands.iter().map(Summed::new).collect::<Result<Vec<_>, _>>()?;
        let layouts: Vec<Layout> = operands.iter().map(|operand| operand.layout).collect();
        let given = output.as_ref().map(|output| output.layout().layout());
        let extents = einsum.extents(&layouts, given)?;
        output.as_ref().map_or(Ok(()), |output| output.check_apart(OUTPUT))?;
        let summed = output.as_ref().map(Summed::new).transpose()?;
        let (tree, output) = match (output, &summed) {
            (Some(output), Some(summed)) => {
                (Tree::new(&einsum, &extents, &layouts, summed.layout, formats)?, output)
            }
            _ => {
                let (tree, chosen) = Tree::with_free_output(&einsum, &extents, &layouts, formats)?;
                (tree, OffsetLayout::new(OUTPUT, &chosen, 0)?)
            }
        };
        let written = summed.map_or_else(|| Summed::new(&output), Ok)?;
        Ok(ContractPlan { tree, operands, output: written, layout: *output.layout(), types: PhantomData })
    }

    /// The layout of the output: the given one, or the one that the plan chose.
    #[must_use]
    pub fn output(&self) -> AnyLayout {
        self.layout
    }

    /// How many operations a run takes: two for each multiply-add of each pair that is contracted.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_kernels::ContractPlan;
    /// let (square, vector) = (layout!((50,50):(1,50)), layout!(50:1));
    /// // The matrix by the vector comes first.
    /// let plan = ContractPlan::<f32>::new("ab,bc,c->a", &[square, square, vector], &vector)?;
    /// assert_eq!(plan.flops(), 2 * (2500 + 2500));
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    #[must_use]
    pub fn flops(&self) -> u128 {
        self.tree.operations().saturating_mul(2)
    }

    /// The matrices into which labels are folded, for each contracted pair: rows, columns, steps, and the number of
    /// such products.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_kernels::ContractPlan;
    /// let (a, b, c) = (layout!((8,3,5):(1,8,24)), layout!((8,5,2):(1,8,40)), layout!((8,3,2):(1,8,24)));
    /// let plan = ContractPlan::<f32>::new("lmk,lkn->lmn", &[a, b], &c)?;
    /// assert_eq!(plan.products(), [[3, 2, 5, 8]]);
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    #[must_use]
    pub fn products(&self) -> Vec<[usize; 4]> {
        self.tree.sizes()
    }

    /// `C = alpha sum A B ... + beta C`, with the operands' elements in slices that the layouts index from 0.
    ///
    /// If `beta` is 0, the output is not read; if `alpha` is 0, the operands are not. The number of threads does not
    /// change the result.
    ///
    /// # Errors
    /// [`Error::Specification`] for a wrong number of slices; [`Error::Image`] if a slice does not contain all offsets
    /// of its layout; [`Error::Memory`] if there is none for intermediate results; [`Error::Cancelled`].
    pub fn run(
        &self,
        alpha: T::Sum,
        operands: &[&[T]],
        beta: T::Sum,
        output: &mut [C],
        execution: &Execution,
    ) -> Result<(), Error> {
        let count = self.operands.len();
        if operands.len() != count {
            let planned = crate::error::count(count, "operand");
            let reason = format!("the plan has {planned}, and was given {}", operands.len());
            return Err(Error::Specification { reason });
        }
        for (i, (operand, data)) in self.operands.iter().zip(operands).enumerate() {
            operand.check_image(name(i), data.len())?;
        }
        self.output.check_image(OUTPUT, output.len())?;
        let data: Vec<Cow<[T]>> =
            self.operands.iter().zip(operands).map(|(operand, data)| operand.gathered.read(data)).collect();
        self.output.gathered.write(output, |output| {
            let output = output.as_mut_ptr().wrapping_offset(self.output.start as isize);
            if !self.tree.has_results() {
                let pointers = self.pointers(&data);
                // SAFETY: the images are within the slices, and no two coordinates of the output have one offset.
                return unsafe { self.tree.run::<T, T::Sum, C>(alpha, &pointers, beta, output, execution) };
            }
            let widened: Vec<Cow<[T::Work]>> = data.iter().map(|data| widened(data)).collect();
            let pointers = self.pointers(&widened);
            // SAFETY: as above.
            unsafe { self.tree.run::<T::Work, T::Sum, C>(alpha, &pointers, beta, output, execution) }
        })
    }

    /// The pointer to offset 0 of each operand's layout.
    fn pointers<E: Copy>(&self, data: &[Cow<[E]>]) -> Vec<*const E> {
        let pointer =
            |(operand, data): (&Summed, &Cow<[E]>)| data.as_ptr().wrapping_offset(operand.start as isize);
        self.operands.iter().zip(data).map(pointer).collect()
    }

    /// Which labels became which modes, in which order and why, and how GEMM computes them.
    #[must_use]
    pub fn explain(&self) -> String {
        self.tree.explain()
    }
}

/// Elements converted to the type of intermediate results.
fn widened<T: Element>(data: &[T]) -> Cow<'_, [T::Work]> {
    if TypeId::of::<T>() == TypeId::of::<T::Work>() {
        // SAFETY: the types are the same, so the length is too.
        Cow::Borrowed(unsafe { std::slice::from_raw_parts(data.as_ptr().cast(), data.len()) })
    } else {
        data.iter().map(|&value| value.into()).collect()
    }
}

/// Contracts tensors, `C = sum A B ...`, and returns a new tensor with the layout that is written fastest, see
/// [`ContractPlan::with_free_output`]; [`contract_into`] writes to a given tensor. See [`ContractPlan`] for the
/// specification.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Execution, contract};
/// let alone = Execution::default();
/// let rows = Tensor::new([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], layout!((2,3):(3,1)))?;
/// let x = Tensor::new([1.0, 0.0, -1.0], layout!(3:1))?;
/// assert_eq!(contract("mk,k->m", &[&rows, &x], &alone)?.accessor(), &[-2.0, -2.0]);
/// assert_eq!(contract("mk,nk,k->mn", &[&rows, &rows, &x], &alone)?.at((0, 1)), -14.0);
/// // What is row-major remains so.
/// assert_eq!(*contract("mk->mk", &[&rows], &alone)?.layout(), layout!((2,3):(3,1)));
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// Those of [`ContractPlan::with_free_output`] and [`ContractPlan::run`]; [`Error::Memory`] if there is none for the
/// result.
pub fn contract<T: Element>(
    spec: &str,
    operands: &[&dyn Operand<T>],
    execution: &Execution,
) -> Result<Tensor<Vec<T::Sum>>, Error> {
    let located: Vec<&dyn Located> = operands.iter().map(|operand| *operand as _).collect();
    let data: Vec<&[T]> = operands.iter().map(|operand| operand.elements()).collect();
    let plan = ContractPlan::<T>::with_free_output(spec, &located)?;
    let mut output = Tensor::filled(*plan.output().layout(), T::Sum::ZERO)?;
    plan.run(T::Sum::ONE, &data, T::Sum::ZERO, output.elements_mut(), execution)?;
    Ok(output)
}

/// Contracts tensors into an existing one, `C = alpha sum A B ... + beta C`.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Execution, contract_into};
/// let a = Tensor::new([1i8, 2, 3, 4], layout!((2,2):(1,2)))?;
/// let mut trace = Tensor::new([100], layout!(1:0))?;
/// contract_into("ii->", 2, &[&a], 1, &mut trace, &Execution::default())?;
/// assert_eq!(trace.at(0), 110);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// Those of [`contract`].
pub fn contract_into<T: Element, C: Destination<T::Sum>>(
    spec: &str,
    alpha: T::Sum,
    operands: &[&dyn Operand<T>],
    beta: T::Sum,
    output: &mut impl OperandMut<C>,
    execution: &Execution,
) -> Result<(), Error> {
    let located: Vec<&dyn Located> = operands.iter().map(|operand| *operand as _).collect();
    let data: Vec<&[T]> = operands.iter().map(|operand| operand.elements()).collect();
    let plan = ContractPlan::<T, C>::for_tensors(spec, &located, output)?;
    plan.run(alpha, &data, beta, output.elements_mut(), execution)
}

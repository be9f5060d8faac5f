//! Contraction: sums of products over named modes, folded into batched GEMM (paper, section 1.3).
//!
//! ```text
//! C_stqp = A_stupr B_qtru          contract("stupr,qtru->stqp", ...)
//! C_(sp)(q)(t) = A_(sp)(ur)(t) B_(q)(ur)(t)
//! ```
//!
//! Letters name modes. Those of one kind are grouped into one mode (`fold`), which moves nothing: a layout with grouped
//! modes is a view, and the packing of GEMM reads any layout. More than two operands are contracted in pairs (`order`),
//! whose results get the layouts that the pairs they go into like best (`tree`).

mod fold;
mod order;
mod pair;
pub(crate) mod reference;
mod spec;
mod stream;
mod transposed_blocks;
mod tree;

use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::loops::modes::{summed, unswizzled};
use crate::matmul::element::{Destination, Element, Sum};
use crate::memory::{Memory, MemoryMut};
use crate::offset_layout::OffsetLayout;
use spec::Spec;
use std::any::TypeId;
use std::marker::PhantomData;
use tilework::{Accessor, HasLayout, Layout, Tensor};
use tree::{Source, Tree};

/// How to contract tensors of given layouts, `C = alpha sum A B ... + beta C`; made once, run many times.
///
/// A specification is that of `numpy.einsum`: letters for the modes of each operand, `->`, letters for the modes of the
/// output. A letter that the output does not have is summed over; one that is there twice in an operand walks its
/// diagonal. Without `->` the output has the letters that appear once, in alphabetical order. Each mode may be folded from
/// any others, with any strides.
///
/// ```
/// use tilework::layout;
/// use tilework_kernels::{ContractPlan, Execution};
/// // Equation 1 of the paper, all letters from 0 to 1.
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
    /// The smallest and the largest offset of each operand, and last of the output.
    images: Vec<(i64, i64)>,
    /// Where each of them begins.
    starts: Vec<i64>,
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
    /// The plan for layouts of operands and output, with as many modes as there are letters.
    ///
    /// # Errors
    /// [`Error::Specification`] for a specification that is none (`"ab-c"`), for one of another number of operands or modes
    /// than there are, where a letter has different extents, and for XOR strides; [`Error::Codomain`] for offsets that are
    /// no integers; [`Error::Aliasing`] where two coordinates of the output have one offset (`(2,2):(1,1)`);
    /// [`Error::Memory`]; [`Error::Layout`] where the letters of an intermediate result are more than a layout has modes;
    /// [`Error::Isa`].
    pub fn new(spec: &str, operands: &[Layout], output: &Layout) -> Result<Self, Error> {
        let operands = operands.iter().map(|layout| (Some(*layout), 0)).collect();
        ContractPlan::with(spec, operands, (Some(*output), 0))
    }

    /// The plan for the layouts of tensors and the offsets at which they begin. Their elements are not asked for.
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
    /// Those of [`new`](Self::new); [`Error::Specification`] for a swizzled layout.
    pub fn for_tensors<A, O, LA: HasLayout, LO: HasLayout>(
        spec: &str,
        operands: &[Tensor<A, LA>],
        output: &Tensor<O, LO>,
    ) -> Result<Self, Error>
    where
        A: Accessor<Offset = i64>,
        O: Accessor<Offset = i64>,
    {
        let operands = operands.iter().map(|tensor| (unswizzled(tensor.layout()), tensor.offset())).collect();
        ContractPlan::with(spec, operands, (unswizzled(output.layout()), output.offset()))
    }

    /// The plan for layouts with an offset each; none where they are swizzled.
    pub(crate) fn with(
        spec: &str,
        mut operands: Vec<(Option<Layout>, i64)>,
        output: (Option<Layout>, i64),
    ) -> Result<Self, Error> {
        let spec = Spec::parse(spec)?;
        operands.push(output);
        let count = operands.len() - 1;
        let (mut layouts, mut images) = (Vec::new(), Vec::new());
        for (i, (layout, start)) in operands.iter().enumerate() {
            let operand = if i == count { OUTPUT } else { name(i) };
            let layout = summed(operand, *layout)?;
            images.push(OffsetLayout::new(operand, &layout, *start)?.image()?);
            layouts.push(layout);
        }
        let (layouts, output) = (&layouts[..count], layouts[count]);
        let extents = spec.extents(layouts, Some(&output))?;
        OffsetLayout::new(OUTPUT, &output, operands[count].1)?.check_apart(OUTPUT)?;
        let starts = operands.iter().map(|operand| operand.1).collect();
        let tree = Tree::new::<T>(&spec, &extents, layouts, &output, Isa::current()?)?;
        Ok(ContractPlan { tree, images, starts, types: PhantomData })
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
    pub fn flops(&self) -> u128 {
        self.tree.operations().saturating_mul(2)
    }

    /// The matrices that letters are folded into, for each pair that is contracted: rows, columns, steps, and how many such
    /// products there are.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_kernels::ContractPlan;
    /// let (a, b, c) = (layout!((8,3,5):(1,8,24)), layout!((8,5,2):(1,8,40)), layout!((8,3,2):(1,8,24)));
    /// let plan = ContractPlan::<f32>::new("lmk,lkn->lmn", &[a, b], &c)?;
    /// assert_eq!(plan.products(), [[3, 2, 5, 8]]);
    /// # Ok::<(), tilework_kernels::Error>(())
    /// ```
    pub fn products(&self) -> Vec<[usize; 4]> {
        self.tree.sizes()
    }

    /// `C = alpha sum A B ... + beta C`, with the operands' elements in slices that the layouts index from 0.
    ///
    /// Where `beta` is 0, the output is not read; where `alpha` is 0, the operands are not. The number of threads makes no
    /// difference to the result.
    ///
    /// # Errors
    /// [`Error::Specification`] for another number of slices than of operands; [`Error::Image`] where a slice does not have
    /// all offsets of its layout; [`Error::Memory`] where there is none for intermediate results; [`Error::Cancelled`].
    pub fn run(
        &self,
        alpha: T::Sum,
        operands: &[&[T]],
        beta: T::Sum,
        output: &mut [C],
        execution: &Execution,
    ) -> Result<(), Error> {
        let count = self.images.len() - 1;
        if operands.len() != count {
            let planned = crate::error::count(count, "operand");
            let reason = format!("the plan has {planned}, and was given {}", operands.len());
            return Err(Error::Specification { reason });
        }
        let lengths = operands.iter().map(|data| data.len()).chain([output.len()]);
        for ((i, &(min, max)), len) in self.images.iter().enumerate().zip(lengths) {
            if min < 0 || usize::try_from(max).map_or(true, |max| max >= len) {
                return Err(Error::Image {
                    operand: if i == count { OUTPUT } else { name(i) },
                    min,
                    max,
                    len,
                });
            }
        }
        let output = output.as_mut_ptr().wrapping_offset(self.starts[count] as isize);
        if !self.tree.has_results() {
            let sources: Vec<Source<T>> =
                operands.iter().zip(&self.starts).map(|(data, &start)| Source::new(data, start)).collect();
            // SAFETY: the images lie in the slices, and no two coordinates of the output have one offset.
            return unsafe { self.tree.run::<T, T::Sum, C>(alpha, &sources, beta, output, execution) };
        }
        let widened: Vec<Vec<T::Work>> = if TypeId::of::<T>() == TypeId::of::<T::Work>() {
            Vec::new()
        } else {
            operands.iter().map(|data| data.iter().map(|&value| value.into()).collect()).collect()
        };
        let sources: Vec<Source<T::Work>> = (0..count)
            .map(|i| match widened.get(i) {
                Some(data) => Source::new(data, self.starts[i]),
                // SAFETY: the types are the same.
                None => Source::new(unsafe { same(operands[i]) }, self.starts[i]),
            })
            .collect();
        // SAFETY: as above.
        unsafe { self.tree.run::<T::Work, T::Sum, C>(alpha, &sources, beta, output, execution) }
    }

    /// Which letters became which modes, in which order and why, and what GEMM makes of them.
    pub fn explain(&self) -> String {
        self.tree.explain()
    }
}

/// A slice by the other name of its elements' type.
///
/// # Safety
/// The types are the same.
unsafe fn same<T, U>(data: &[T]) -> &[U] {
    // SAFETY: the types are the same, and the slice has as many elements by either name.
    unsafe { std::slice::from_raw_parts(data.as_ptr().cast(), data.len()) }
}

/// An operand of [`contract`]: a tensor whose elements lie in memory.
pub trait Operand<T> {
    /// The memory, the offset at which the layout begins, and the layout; none where that is swizzled.
    fn parts(&self) -> (&[T], i64, Option<Layout>);
}

impl<T, A: Memory<Element = T>, L: HasLayout> Operand<T> for Tensor<A, L> {
    fn parts(&self) -> (&[T], i64, Option<Layout>) {
        (self.accessor().as_slice(), self.offset(), unswizzled(self.layout()))
    }
}

/// Contracts tensors, `C = sum A B ...`, and gives the result as a new tensor, the first letter fastest. On the calling
/// thread; see [`ContractPlan`] for the specification.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::contract;
/// let rows = Tensor::new([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], layout!((2,3):(3,1)))?;
/// let x = Tensor::new([1.0, 0.0, -1.0], layout!(3:1))?;
/// assert_eq!(contract("mk,k->m", &[&rows, &x])?.accessor(), &[-2.0, -2.0]);
/// assert_eq!(contract("mk,nk,k->mn", &[&rows, &rows, &x])?.accessor(), &[-8.0, -14.0, -14.0, -20.0]);
/// assert_eq!(contract("mk->", &[&rows])?.at(0), 21.0);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// Those of [`ContractPlan::new`] and [`ContractPlan::run`]. A swizzled operand is refused: its offsets are no sums of one
/// for each letter.
pub fn contract<T: Element>(spec: &str, operands: &[&dyn Operand<T>]) -> Result<Tensor<Vec<T::Sum>>, Error> {
    let parsed = Spec::parse(spec)?;
    let plain = |(i, operand): (usize, &&dyn Operand<T>)| summed(name(i), operand.parts().2);
    let layouts = operands.iter().enumerate().map(plain).collect::<Result<Vec<_>, _>>()?;
    let extents = parsed.extents(&layouts, None)?;
    let mut output = Tensor::filled(tree::compact(&parsed.output, &extents)?, T::Sum::default())?;
    contract_into(spec, T::Sum::ONE, operands, T::Sum::ZERO, &mut output, &Execution::default())?;
    Ok(output)
}

/// Contracts tensors into one that is there, `C = alpha sum A B ... + beta C`.
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
pub fn contract_into<T: Element, C, L: HasLayout>(
    spec: &str,
    alpha: T::Sum,
    operands: &[&dyn Operand<T>],
    beta: T::Sum,
    output: &mut Tensor<C, L>,
    execution: &Execution,
) -> Result<(), Error>
where
    C: MemoryMut<Element: Destination<T::Sum>>,
{
    let (layouts, data): (Vec<_>, Vec<_>) = operands
        .iter()
        .map(|operand| {
            let (data, start, layout) = operand.parts();
            ((layout, start), data)
        })
        .unzip();
    let to = (unswizzled(output.layout()), output.offset());
    let plan = ContractPlan::<T, C::Element>::with(spec, layouts, to)?;
    plan.run(alpha, &data, beta, output.accessor_mut().as_mut_slice(), execution)
}

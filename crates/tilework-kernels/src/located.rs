//! Tensors as plans see them, without their elements, and as kernels see them, with elements in memory.

use crate::error::Error;
use crate::memory::{Memory, MemoryMut};
use crate::offset_layout::OffsetLayout;
use tilework::{Accessor, AnyLayout, HasLayout, Tensor};

/// The offsets of a tensor: those of any [`Tensor`], whose elements are not read.
///
/// ```
/// use tilework::{Composed, Counting, Tensor, layout};
/// use tilework_kernels::{ContractPlan, Located};
/// // A swizzled operand and a plain one.
/// let a = Tensor::new(Counting, "Sw<1,0,2> o 0 o (4,4):(4,1)".parse::<Composed>()?)?;
/// let b = Tensor::with_offset(Counting, 3, layout!(4:1))?;
/// let operands: [&dyn Located; 2] = [&a, &b];
/// let plan = ContractPlan::<f32>::for_tensors("ab,b->a", &operands, &b)?;
/// assert_eq!(plan.flops(), 32);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor with i64 offsets",
    note = "a `Tensor` is, if its accessor has offsets of `i64` and its layout is one"
)]
pub trait Located {
    /// The layout.
    fn layout(&self) -> AnyLayout;
    /// The offset at which the layout begins.
    fn start(&self) -> i64;
}

impl<A: Accessor<Offset = i64>, L: HasLayout> Located for Tensor<A, L> {
    fn layout(&self) -> AnyLayout {
        self.layout().to_any()
    }

    fn start(&self) -> i64 {
        self.offset()
    }
}

impl<L: Located + ?Sized> Located for &L {
    fn layout(&self) -> AnyLayout {
        (**self).layout()
    }

    fn start(&self) -> i64 {
        (**self).start()
    }
}

/// An operand of a kernel: a tensor whose elements are in memory.
pub trait Operand<T>: Located {
    /// The memory, which the offsets of the layout index.
    fn elements(&self) -> &[T];
}

/// An [`Operand`] that can be written to.
pub trait OperandMut<T>: Operand<T> {
    /// The memory, which the offsets of the layout index.
    fn elements_mut(&mut self) -> &mut [T];
}

impl<T, A: Memory<Element = T>, L: HasLayout> Operand<T> for Tensor<A, L> {
    fn elements(&self) -> &[T] {
        self.accessor().as_slice()
    }
}

impl<T, A: MemoryMut<Element = T>, L: HasLayout> OperandMut<T> for Tensor<A, L> {
    fn elements_mut(&mut self) -> &mut [T] {
        self.accessor_mut().as_mut_slice()
    }
}

/// The offsets of a tensor, as the operand called `operand` in errors.
pub(crate) fn placed(operand: &'static str, tensor: &(impl Located + ?Sized)) -> Result<OffsetLayout, Error> {
    OffsetLayout::new(operand, &tensor.layout(), tensor.start())
}

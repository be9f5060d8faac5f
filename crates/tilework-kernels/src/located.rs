//! Tensors as plans see them: layouts and where they begin, whatever the elements are.

use crate::error::Error;
use crate::offset_layout::OffsetLayout;
use tilework::{Accessor, AnyLayout, HasLayout, Tensor};

/// The offsets of a tensor: those of any [`Tensor`], whose elements are not read.
pub trait Located {
    /// The layout.
    fn layout(&self) -> AnyLayout;
    /// Where the layout begins.
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

/// The offsets of a tensor as an operand of this name.
pub(crate) fn placed(operand: &'static str, tensor: &(impl Located + ?Sized)) -> Result<OffsetLayout, Error> {
    OffsetLayout::new(operand, &tensor.layout(), tensor.start())
}

//! Tensors that own their elements, with the feature `alloc`.

use super::iterate::Walk;
use super::{AccessorMut, HasLayout, Tensor};
use crate::error::Error;
use crate::int;
use alloc::vec::Vec;

impl<T: Copy, L: HasLayout> Tensor<Vec<T>, L> {
    /// A tensor with its own memory, filled with `value`: one element for each offset from the smallest to the largest
    /// of the layout.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let padded = Tensor::filled(layout!((4,8):(1,5)), 0.0)?;
    /// assert_eq!((padded.size(), padded.accessor().len()), (32, 39));
    /// // Offsets below 0 have their place before the start.
    /// let reversed = Tensor::filled(layout!(8:-1), 0u8)?;
    /// assert_eq!((reversed.accessor().len(), reversed.offset()), (8, 7));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Memory`] if there is not enough; [`Error::Codomain`] for a layout whose offsets are not integers;
    /// [`Error::Overflow`].
    pub fn filled(layout: L, value: T) -> Result<Self, Error> {
        let (min, max) = layout.image(0)?;
        let (start, elements) = (int::sub(0, min.min(0))?, int::add(int::sub(max, min.min(0))?, 1)?);
        let refused = Error::Memory { elements };
        let length = usize::try_from(elements).map_err(|_| refused)?;
        let mut memory = Vec::new();
        memory.try_reserve_exact(length).map_err(|_| refused)?;
        memory.resize(length, value);
        Tensor::with_offset(memory, start, layout)
    }

    /// A tensor with its own memory, whose element at each integral coordinate is the function's result.
    ///
    /// ```
    /// use tilework::{Tensor, layout};
    /// let rows = Tensor::from_fn(layout!((2,3):(3,1)), |index| index as f32)?;
    /// assert_eq!(rows.accessor(), &[0.0, 2.0, 4.0, 1.0, 3.0, 5.0]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// If several coordinates have one offset, the last one wins. Gaps contain the first element.
    ///
    /// # Errors
    /// Those of [`filled`](Self::filled).
    pub fn from_fn(layout: L, mut function: impl FnMut(i64) -> T) -> Result<Self, Error> {
        let mut tensor = Tensor::filled(layout, function(0))?;
        let mut walk = Walk::new(&layout, tensor.offset);
        let mut index = 0;
        while let Some(offset) = walk.next(&layout) {
            if index > 0 {
                tensor.accessor.write(offset, function(index));
            }
            index += 1;
        }
        Ok(tensor)
    }
}

//! Tiles that do not divide a tensor: identity tensors and predication.

use super::{Accessor, AccessorMut, CountingCoord, HasLayout, Tensor};
use crate::error::Error;
use crate::layout::{IntoHTuple, Layout};
use crate::shape::Coord;

impl Tensor<CountingCoord> {
    /// The tensor whose element at a coordinate is the coordinate: the identity layout on a shape
    /// ([`Layout::identity`]), bound to the accessor `{(0,0,...)}`.
    ///
    /// Tiled like the data, it maps a coordinate of a tile to the coordinate of the whole.
    ///
    /// ```
    /// use tilework::{Tensor, tiler};
    /// let tiles = Tensor::identity((8, 16))?.zipped_divide(&tiler!(<4,8>))?;
    /// assert_eq!(tiles.at(((1, 2), (1, 1))).to_string(), "(5,10)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::identity`].
    pub fn identity(shape: impl IntoHTuple<i64>) -> Result<Self, Error> {
        Tensor::new(CountingCoord, Layout::identity(shape)?)
    }
}

/// The accessor of a tensor's elements by coordinate; outside the tensor's shape elements are `None`, and nothing is
/// written.
///
/// It is made by [`Tensor::predicated`].
#[derive(Clone, Copy)]
pub struct Predicated<A: Accessor, L = Layout>(Tensor<A, L>);

impl<A: Accessor, L: HasLayout> Accessor for Predicated<A, L> {
    type Element = Option<A::Element>;
    type Offset = Coord;

    fn read(&self, offset: Coord) -> Option<A::Element> {
        self.0.get(offset)
    }
}

impl<A: AccessorMut, L: HasLayout> AccessorMut for Predicated<A, L> {
    fn write(&mut self, offset: Coord, value: Option<A::Element>) {
        if let Some(value) = value {
            // Nothing is written outside the tensor.
            let _ = self.0.try_set(offset, value);
        }
    }
}

impl<A: Accessor, L: HasLayout> Tensor<A, L> {
    /// The tensor with predicated elements: `Some` element in bounds, and `None` out of bounds, where writes have no
    /// effect.
    ///
    /// Tiles of it may reach beyond the tensor, as those of 4x8 do in a 10x13 matrix; CuTe uses a tiled identity tensor
    /// to find the valid elements. Here a copy by tiles is the copy of each tile, for any layouts of the two matrices:
    ///
    /// ```
    /// use tilework::{Tensor, layout, tiler};
    /// let from: Vec<i32> = (0..130).collect();
    /// let mut to = [0; 130];
    /// let columns = Tensor::new(&from[..], layout!((10,13):(1,10)))?;
    /// let rows = Tensor::new(&mut to, layout!((10,13):(13,1)))?;
    ///
    /// let source = columns.predicated()?.tiled_divide(&tiler!(<4, 8>))?;
    /// let mut target = rows.predicated()?.tiled_divide(&tiler!(<4, 8>))?;
    /// assert_eq!(source.shape().to_string(), "((4,8),3,2)");
    /// for (i, j) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
    ///     let tile = source.slice((.., i, j))?;
    ///     let mut copy = target.view_mut().slice((.., i, j))?;
    ///     for c in 0..32 {
    ///         copy.set(c, tile.at(c));
    ///     }
    /// }
    /// assert!((0..130).all(|c| to[c] == (c / 13 + 10 * (c % 13)) as i32));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// Its layout is the identity on the sizes of the modes, so that every tile of a mode is possible, even if the mode
    /// is a tuple. Offsets are coordinates, with one integer for each mode.
    ///
    /// # Errors
    /// Those of [`Layout::identity`].
    pub fn predicated(self) -> Result<Tensor<Predicated<A, L>>, Error> {
        let layout = Layout::identity(&self.shape().mode_sizes()?)?;
        Tensor::new(Predicated(self), layout)
    }
}

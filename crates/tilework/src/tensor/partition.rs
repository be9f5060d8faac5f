//! One tile of a tensor, and one thread's share of it: divide, then slice (paper, sections 2.5.1 and 3.3.4).

use super::has_layout::HasLayout;
use super::{Accessor, Tensor};
use crate::error::Error;
use crate::layout::{IntoHTuple, Layout};
use crate::shape::Coord;
use crate::tiler::Tiler;
use crate::tuple::{HTuple, Pattern, PatternLeaf, map_leaves};

impl<A: Accessor, L: HasLayout> Tensor<A, L> {
    /// The tile at a coordinate: CuTe's `local_tile`, [`zipped_divide`](Self::zipped_divide) with the mode of the rest
    /// sliced. The coordinate is an integer for all of the rest, or has one for each of its modes; modes beyond it, and
    /// those that it leaves open, stay.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout, tiler};
    /// let matrix = Tensor::new(Counting, layout!((8,16):(16,1)))?;
    /// let tile = matrix.local_tile(&tiler!(<4, 8>), (1, 1))?;
    /// assert_eq!(format!("{tile:?}"), "{72} o (4,8):(16,1)");
    /// let tiles = matrix.local_tile(&tiler!(<4, 8>), (1, ..))?;
    /// assert_eq!(format!("{tiles:?}"), "{64} o ((4,8),2):((16,1),8)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`zipped_divide`](Self::zipped_divide) and [`slice`](Self::slice). Where the tiles do not divide the
    /// tensor, there is [`predicated`](Self::predicated).
    pub fn local_tile(
        self,
        tiler: &Tiler,
        coord: impl IntoHTuple<PatternLeaf>,
    ) -> Result<Tensor<A, L::Value>, Error> {
        let tiles = self.zipped_divide(tiler)?;
        let mut rest: Pattern = coord.into_htuple()?;
        let rank = tiles.layout.as_layout().mode(1)?.rank();
        while !rest.is_leaf() && rest.rank() < rank {
            rest = rest.append(&HTuple::leaf(PatternLeaf::All))?;
        }
        tiles.slice((.., rest))
    }

    /// What one thread has: CuTe's `local_partition`. The tensor is divided by the shape of a layout of threads, and of
    /// each tile the thread has the element at the coordinate that the layout maps to its index; what remains is a
    /// tensor of the tiles.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout};
    /// let matrix = Tensor::new(Counting, layout!((8,16):(16,1)))?;
    /// // 4x8 threads, the columns first: thread 9 has row 1 and column 1 of each tile of 4x8.
    /// let mine = matrix.local_partition(&layout!((4,8):(8,1)), 9)?;
    /// assert_eq!(format!("{mine:?}"), "{17} o (2,2):(64,8)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// A stride of 0 in the layout of threads is a mode along which they all have the same.
    ///
    /// # Errors
    /// Those of [`zipped_divide`](Self::zipped_divide); [`Error::Argument`] where the index is none that the layout of
    /// threads has, and [`Error::Codomain`] where its strides are no integers.
    pub fn local_partition(self, threads: &Layout, index: i64) -> Result<Tensor<A, L::Value>, Error> {
        let coord = coordinate_of(threads, index)?;
        let tiler = Tiler::of_shape(&threads.shape().mode_sizes()?)?;
        self.zipped_divide(&tiler)?.slice((coord, ..))
    }
}

/// The coordinate of a compact layout at which it has the offset, one integer for each mode. Along strides of 0 it is 0.
fn coordinate_of(layout: &Layout, offset: i64) -> Result<Coord, Error> {
    let digits = map_leaves!(layout => 0, |leaf| match leaf.stride.as_integer() {
        Some(0) => 0,
        Some(stride) => offset.wrapping_div(stride).rem_euclid(leaf.extent),
        None => return Err(Error::Codomain { operation: "a layout of threads", found: layout.codomain() }),
    });
    if layout.evaluate(&digits)?.leaves()[0].numerator() != offset {
        let expected = "an index that the compact layout of threads has";
        return Err(Error::Argument { operation: "local_partition", expected, found: offset });
    }
    let (shape, sizes) = (layout.shape(), layout.shape().mode_sizes()?);
    sizes.idx2crd(&HTuple::leaf(shape.crd2idx(&digits)?))
}

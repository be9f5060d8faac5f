//! Product: a layout repeated by another (paper, section 3.5.1).
//!
//! `A * B = (A, complement(A) o B)`: each element of `B` replaced with a shifted `A`. The complement is the extensible
//! one; CuTe's `complement(A, |A| cosize(B))` agrees with it wherever it covers the grid.
//!
//! | for a tiler `<B,C>` | modes of the result |
//! |---|---|
//! | `logical_product` | `((BlockM,GridM),(BlockN,GridN),L,...)` |
//! | `zipped_product` | `((BlockM,BlockN),(GridM,GridN,L,...))` |
//! | `tiled_product` | `((BlockM,BlockN),GridM,GridN,L,...)` |
//! | `flat_product` | `(BlockM,BlockN,GridM,GridN,L,...)` |
//!
//! `blocked_product` and `raked_product` take the logical product of the whole and zip the modes of block and grid.

use super::by_mode::{Form, Operation};
use crate::error::{Error, tri};
use crate::layout::{IntoHTuple, Layout, Leaf};
use crate::shape::Shape;
use crate::tiler::Tiler;
use crate::tuple::HTuple;

impl Layout {
    /// The block and the grid of its repetitions: `(A, complement(A) o B)`; by mode for a tuple of
    /// tilers. Modes under a hole, and modes beyond the tiler's rank, are kept.
    ///
    /// ```
    /// use tilework::{Layout, layout, tiler};
    /// let product = layout!((3,4):(4,1)).logical_product(&tiler!((2,5):(1,2)))?;
    /// assert_eq!(product, layout!(((3,4),(2,5)):((4,1),(12,24))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`complement`](Self::complement) for the block and of
    /// [`composition`](Self::composition); [`Error::Rank`].
    pub const fn logical_product(&self, tiler: &Tiler) -> Result<Layout, Error> {
        self.apply(Operation::Multiply, tiler, Form::Own)
    }

    /// [`logical_product`](Self::logical_product) with the blocks in mode 0 and the grids in mode 1.
    ///
    /// ```
    /// use tilework::{Layout, layout, tiler};
    /// assert_eq!(layout!((2,4):(1,2)).zipped_product(&tiler!(<3, 2>))?, layout!(((2,4),(3,2)):((1,2),(2,1))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub const fn zipped_product(&self, tiler: &Tiler) -> Result<Layout, Error> {
        tri!(self.logical_product(tiler)).arrange(tiler, false, false)
    }

    /// [`zipped_product`](Self::zipped_product) with the modes of the grid unpacked.
    ///
    /// ```
    /// use tilework::{Layout, layout, tiler};
    /// assert_eq!(layout!((2,2):(1,2)).tiled_product(&tiler!((3,4):(1,3)))?, layout!(((2,2),3,4):((1,2),4,12)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub const fn tiled_product(&self, tiler: &Tiler) -> Result<Layout, Error> {
        tri!(self.logical_product(tiler)).arrange(tiler, false, true)
    }

    /// [`zipped_product`](Self::zipped_product) with all modes unpacked.
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub const fn flat_product(&self, tiler: &Tiler) -> Result<Layout, Error> {
        tri!(self.logical_product(tiler)).arrange(tiler, true, true)
    }

    /// The block repeated over the grid, mode by mode: mode `i` is `(block_i, grid_i)` (paper, figure 10). The shorter
    /// of the two is padded with modes `1:0`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let blocked = layout!((3,4):(4,1)).blocked_product(&layout!((2,5):(1,2)))?;
    /// assert_eq!(blocked, layout!(((3,2),(4,5)):((4,12),(1,24))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub const fn blocked_product(&self, grid: &Layout) -> Result<Layout, Error> {
        self.zip_with_grid(grid, false)
    }

    /// The block spread over the grid: mode `i` is `(grid_i, block_i)` (paper, figure 11).
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let raked = layout!((3,4):(4,1)).raked_product(&layout!((2,5):(1,2)))?;
    /// assert_eq!(raked, layout!(((2,3),(5,4)):((12,4),(24,1))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_product`](Self::logical_product).
    pub const fn raked_product(&self, grid: &Layout) -> Result<Layout, Error> {
        self.zip_with_grid(grid, true)
    }

    const fn zip_with_grid(&self, grid: &Layout, raked: bool) -> Result<Layout, Error> {
        let (block, grid) = (tri!(self.as_modes(grid.rank())), tri!(grid.as_modes(self.rank())));
        let rank = block.rank();
        let product = tri!(block.multiply_by_layout(&grid));
        let (block, grid) = (tri!(product.mode(0)), tri!(product.mode(1)));
        let mut out = HTuple::builder(Leaf::UNUSED);
        tri!(out.open(rank));
        let mut i = 0;
        while i < rank {
            tri!(out.open(2));
            tri!(out.push_mode(if raked { grid.as_tuple() } else { block.as_tuple() }, i));
            tri!(out.push_mode(if raked { block.as_tuple() } else { grid.as_tuple() }, i));
            i += 1;
        }
        Layout::new(out)
    }

    /// A tuple of at least `rank` modes: the grid's leaf may become several modes, and has to be wrapped as one.
    const fn as_modes(&self, rank: usize) -> Result<Layout, Error> {
        let wrapped = if self.depth() == 0 { tri!(Layout::concatenate(&[*self])) } else { *self };
        wrapped.pad_to_rank(rank)
    }

    /// The layout of `shape` made of copies of this block, the modes of the grid in ascending `order`: CuTe's
    /// `tile_to_shape`. The order `0` is the shape's own.
    ///
    /// ```
    /// use tilework::{HTuple, Layout, layout};
    /// let tiled = layout!((8,64):(64,1)).tile_to_shape((128, 64), 0)?;
    /// assert_eq!(tiled, layout!(((8,16),(64,1)):((64,512),(1,0))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Divisibility`] if a mode of the block does not divide the shape's, [`Error::Rank`] for a block with
    /// more modes than the shape, and those of [`blocked_product`](Self::blocked_product).
    pub fn tile_to_shape(
        &self,
        shape: impl IntoHTuple<i64>,
        order: impl IntoHTuple<i64>,
    ) -> Result<Layout, Error> {
        self.const_tile_to_shape(&shape.into_htuple()?, &order.into_htuple()?)
    }

    /// [`tile_to_shape`](Self::tile_to_shape) in a constant.
    pub const fn const_tile_to_shape(&self, shape: &Shape, order: &HTuple<i64>) -> Result<Layout, Error> {
        tri!(shape.check_extents());
        if self.rank() > shape.rank() {
            return Err(Error::Rank {
                operation: "tile_to_shape",
                expected: shape.rank(),
                found: self.rank(),
            });
        }
        let block = tri!(self.pad_to_rank(shape.rank()));
        let (sizes, whole) = (tri!(block.shape().mode_sizes()), tri!(shape.mode_sizes()));
        let mut grid = whole;
        let mut i = 0;
        while i < whole.leaves().len() {
            let (value, divisor) = (whole.leaves()[i], sizes.leaves()[i]);
            if value % divisor != 0 {
                return Err(Error::Divisibility { operation: "tile_to_shape", value, divisor });
            }
            grid.leaves_mut()[i] = value / divisor;
            i += 1;
        }
        block.blocked_product(&tri!(Layout::const_ordered(&grid, order)))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Error, HTuple, layout, tiler};

    #[test]
    fn repetitions_stay_apart_where_the_complement_does_not_reach() {
        assert_eq!(layout!((2,3):(12,3)).logical_product(&tiler!(2:3)), Ok(layout!(((2,3),2):((12,3),24))));
        assert!(layout!((2,2):(3,11)).logical_product(&tiler!(4:1)).is_err());
    }

    #[test]
    fn a_grid_may_go_down() {
        assert_eq!(layout!((4,8):(1,4)).logical_product(&tiler!(4:-2)), Ok(layout!(((4,8),4):((1,4),-64))));
        // Block -1 is in the gap of the repetition before the first.
        assert_eq!(layout!(4:2).logical_product(&tiler!(2:-1)), Ok(layout!((4,2):(2,-7))));
    }

    #[test]
    fn a_grid_that_becomes_several_modes_stays_one() {
        assert_eq!(layout!(4:2).blocked_product(&layout!(4:1)), Ok(layout!(((4,(2,2))):((2,(1,8))))));
        assert_eq!(layout!(4:2).raked_product(&layout!(4:1)), Ok(layout!((((2,2),4)):(((1,8),2)))));
    }

    #[test]
    fn what_is_refused() {
        assert!(matches!(layout!(4:^1).logical_product(&tiler!(4:1)), Err(Error::Codomain { .. })));
        assert_eq!(
            layout!(4:1).logical_product(&tiler!(<2,2>)),
            Err(Error::Rank { operation: "logical_product", expected: 1, found: 2 })
        );
        let order = HTuple::leaf(0);
        assert_eq!(
            layout!((8,64):(64,1)).tile_to_shape((100, 128), &order),
            Err(Error::Divisibility { operation: "tile_to_shape", value: 100, divisor: 8 })
        );
        assert!(layout!((2,2):(1,2)).tile_to_shape(8, &order).is_err());
        assert!(layout!(2:1).tile_to_shape((8, -8), &order).is_err());
    }
}

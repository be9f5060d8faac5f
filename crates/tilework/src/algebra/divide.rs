//! Divide: a layout split into the part that a tiler selects and the rest (paper, section 3.5.2).
//!
//! `A / B = A o (B, complement(B, |A|))`, and tile and rest together have to reach every index of `A`: each mode of `B`
//! ends at a divisor of the next one's stride. The divisions differ in how they arrange the modes:
//!
//! | for a tiler `<B,C>` | modes of the result |
//! |---|---|
//! | `logical_divide` | `((TileM,RestM),(TileN,RestN),L,...)` |
//! | `zipped_divide` | `((TileM,TileN),(RestM,RestN,L,...))` |
//! | `tiled_divide` | `((TileM,TileN),RestM,RestN,L,...)` |
//! | `flat_divide` | `(TileM,TileN,RestM,RestN,L,...)` |

use super::by_mode::{Form, Operation};
use crate::error::{Error, tri};
use crate::layout::Layout;
use crate::tiler::Tiler;

impl Layout {
    /// The tile and the rest: `A o (B, complement(B, |A|))`; by mode for a tuple of tilers. Modes under a hole, and
    /// modes beyond the tiler's rank, are kept. A tile that does not divide `A`, or exceeds it, extends the last mode
    /// of `A`: the result is larger, and the caller has to predicate accesses out of bounds.
    ///
    /// ```
    /// use tilework::{Layout, layout, tiler};
    /// // Every third element, and where the others are.
    /// assert_eq!(layout!(24:3).logical_divide(&tiler!(8:3))?, layout!((8,3):(9,3)));
    /// // By mode: four rows in a block, every other column.
    /// let divided = layout!((8,16):(20,1)).logical_divide(&tiler!(<4:1, 8:2>))?;
    /// assert_eq!(divided, layout!(((4,2),(8,2)):((20,80),(2,1))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Gap`] for a tile whose gaps cannot be filled completely, so that elements would be lost: `(2,2):(1,5)`.
    /// Those of [`complement_within`](Self::complement_within) for the tiler and of [`composition`](Self::composition);
    /// [`Error::Rank`] for a tiler with more tiles than the layout has modes.
    #[inline]
    pub const fn logical_divide(&self, tiler: &Tiler) -> Result<Layout, Error> {
        self.apply(Operation::Divide, tiler, Form::Own)
    }

    /// [`logical_divide`](Self::logical_divide) with the tiles in mode 0 and the rests in mode 1.
    ///
    /// ```
    /// use tilework::{Layout, layout, tiler};
    /// let zipped = layout!((8,16):(20,1)).zipped_divide(&tiler!(<4:1, 8:2>))?;
    /// assert_eq!(zipped, layout!(((4,8),(2,2)):((20,2),(80,1))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_divide`](Self::logical_divide).
    pub const fn zipped_divide(&self, tiler: &Tiler) -> Result<Layout, Error> {
        tri!(self.logical_divide(tiler)).arrange(tiler, false, false)
    }

    /// [`zipped_divide`](Self::zipped_divide) with the modes of the rest unpacked: `((TileM,TileN),RestM,RestN,...)`.
    ///
    /// ```
    /// use tilework::{Layout, layout, tiler};
    /// let tiled = layout!((8,16):(20,1)).tiled_divide(&tiler!(<4:1, 8:2>))?;
    /// assert_eq!(tiled, layout!(((4,8),2,2):((20,2),80,1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_divide`](Self::logical_divide).
    pub const fn tiled_divide(&self, tiler: &Tiler) -> Result<Layout, Error> {
        tri!(self.logical_divide(tiler)).arrange(tiler, false, true)
    }

    /// [`zipped_divide`](Self::zipped_divide) with all modes unpacked: `(TileM,TileN,RestM,RestN,...)`.
    ///
    /// ```
    /// use tilework::{Layout, layout, tiler};
    /// let flat = layout!((8,16):(20,1)).flat_divide(&tiler!(<4:1, 8:2>))?;
    /// assert_eq!(flat, layout!((4,8,2,2):(20,2,80,1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`logical_divide`](Self::logical_divide).
    pub const fn flat_divide(&self, tiler: &Tiler) -> Result<Layout, Error> {
        tri!(self.logical_divide(tiler)).arrange(tiler, true, true)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Error, Layout, Tiler, layout, tiler};

    #[test]
    fn a_tile_that_leaves_elements_out_is_refused() {
        let gap = Error::Gap { extent: 2, stride: 1, next: 5 };
        assert_eq!(layout!(24:1).logical_divide(&tiler!((2,2):(1,5))), Err(gap));
        assert_eq!(layout!((24,3):(1,24)).zipped_divide(&tiler!(<(2,2):(1,5)>)), Err(gap));
        // The four elements end before the first one that would be skipped.
        assert_eq!(layout!(4:1).logical_divide(&tiler!((2,2):(1,5))), Ok(layout!(((2,2),2):((1,5),2))));
    }

    #[test]
    fn tiles_of_coordinates_divide_the_modes_that_they_address() {
        const A: Layout = layout!((4,8):(1,4));
        assert_eq!(A.logical_divide(&tiler!(2:1@1)), Ok(layout!((2,(4,4)):(4,(1,8)))));
        assert_eq!(A.logical_divide(&tiler!((2,2):(1@0,1@1))), Ok(layout!(((2,2),(2,4)):((1,4),(2,8)))));
        assert_eq!(
            layout!((4,8,3):(1,4,32)).logical_divide(&tiler!(2:1@1)),
            Ok(layout!((2,(4,4,3)):(4,(1,8,32))))
        );
        assert_eq!(A.logical_divide(&tiler!(2:1@2)), Err(Error::Index { index: 2, rank: 2 }));
        assert!(matches!(A.logical_divide(&tiler!(2:1@0@1)), Err(Error::Coordinate { .. })));
    }

    #[test]
    fn a_mode_of_one_coordinate_addresses_nothing() {
        assert_eq!(layout!(1:0).logical_divide(&tiler!(1:1@0)), Ok(layout!((1,1):(0,0))));
    }

    #[test]
    fn nested_tilers_and_holes() {
        const A: Layout = layout!(((4,4),8,3):((1,4),16,128));
        const T: Tiler = tiler!(<<2,2>,_>);
        assert_eq!(A.logical_divide(&T), Ok(layout!((((2,2),(2,2)),8,3):(((1,2),(4,8)),16,128))));
        assert_eq!(A.zipped_divide(&T), Ok(layout!((((2,2),1),((2,2),8,3)):(((1,4),0),((2,8),16,128)))));
        assert_eq!(A.tiled_divide(&T), Ok(layout!((((2,2),1),(2,2),8,3):(((1,4),0),(2,8),16,128))));
        assert_eq!(A.flat_divide(&T), Ok(layout!(((2,2),1,(2,2),8,3):((1,4),0,(2,8),16,128))));
        assert_eq!(A.zipped_divide(&Tiler::HOLE).unwrap().mode(1), Ok(A));
        assert_eq!(
            A.logical_divide(&tiler!(<1,2,3,4>)),
            Err(Error::Rank { operation: "divide", expected: 3, found: 4 })
        );
    }
}

//! One tile of a tensor, and one thread's part of it: divide, then slice (paper, sections 2.5.1 and 3.3.4).

use super::coordinate::refusal;
use super::has_layout::HasLayout;
use super::{Accessor, Tensor};
use crate::error::{Error, tri};
use crate::layout::{IntoHTuple, Layout, fixed};
use crate::shape::{Coord, Shape};
use crate::tiler::Tiler;
use crate::tuple::{HTuple, Pattern, PatternLeaf, map_leaves};

impl<A: Accessor, L: HasLayout> Tensor<A, L> {
    /// The tile at a coordinate: CuTe's `local_tile`, [`zipped_divide`](Self::zipped_divide) with the mode of the rest
    /// sliced. The coordinate is one integer for the whole rest, or one for each of its modes; modes beyond it, and
    /// those that it leaves open, are kept after the modes of the tile.
    ///
    /// ```
    /// use tilework::{Counting, Tensor, layout, tiler};
    /// let matrix = Tensor::new(Counting, layout!((8,16):(16,1)))?;
    /// let tile = matrix.local_tile(&tiler!(<4, 8>), (1, 1))?;
    /// assert_eq!(format!("{tile:?}"), "{72} o (4,8):(16,1)");
    /// let tiles = matrix.local_tile(&tiler!(<4, 8>), (1, ..))?;
    /// assert_eq!(format!("{tiles:?}"), "{64} o (4,8,2):(16,1,8)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`zipped_divide`](Self::zipped_divide) and [`slice`](Self::slice). If the tiles do not divide the
    /// tensor, use [`predicated`](Self::predicated).
    pub fn local_tile(
        self,
        tiler: &Tiler,
        coord: impl IntoHTuple<PatternLeaf>,
    ) -> Result<Tensor<A, L::Value>, Error> {
        let (tiles, pattern) = tile_of(self.layout.as_layout(), tiler, &coord.into_htuple()?)?;
        self.map_layout(|_| Ok(tiles))?.slice(pattern)
    }

    /// The elements of one thread: CuTe's `local_partition`. The tensor is divided by the shape of a layout of threads,
    /// and the thread has the element of each tile at the coordinate that the layout maps to its index; the result is a
    /// tensor over the tiles.
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
    /// A stride of 0 in the layout of threads is a mode along which all threads have the same elements.
    ///
    /// # Errors
    /// Those of [`zipped_divide`](Self::zipped_divide); [`Error::Argument`] if the layout of threads does not have the
    /// index, and [`Error::Codomain`] if its strides are not integers.
    pub fn local_partition(self, threads: &Layout, index: i64) -> Result<Tensor<A, L::Value>, Error> {
        let (sizes, coord) = (threads.shape().mode_sizes()?, thread_coordinate(threads, index)?);
        let (tiles, pattern) = share_of(self.layout.as_layout(), &sizes, &coord)?;
        self.map_layout(|_| Ok(tiles))?.slice(pattern)
    }
}

/// The tiles of a layout, `(TileM,TileN,...,RestM,RestN,...)` or with the whole rest in one mode, and the pattern that
/// slices the tile at a coordinate.
///
/// ```
/// use tilework::{__private::tile_of, layout, tiler};
/// let (tiles, tile) = tile_of(&layout!((8,16):(16,1)), &tiler!(<4, 8>), &"(1,1)".parse()?)?;
/// assert_eq!(tiles, layout!((4,8,2,2):(16,1,64,8)));
/// assert_eq!(tile.to_string(), "(_,_,1,1)");
/// # Ok::<(), tilework::Error>(())
/// ```
pub const fn tile_of(layout: &Layout, tiler: &Tiler, coord: &Pattern) -> Result<(Layout, Pattern), Error> {
    let divided = tri!(layout.logical_divide(tiler));
    let tiles = tri!(divided.arrange(tiler, true, false));
    let first = tiles.rank() - 1;
    if coord.is_leaf() {
        return sliced(tiles, first, coord);
    }
    sliced(tri!(divided.arrange(tiler, true, true)), first, coord)
}

/// The tiles of a layout that have one element for each thread, `((TileM,TileN,...),RestM,RestN,...)`, and the pattern
/// that slices the elements of the thread at a coordinate. `sizes` are the numbers of threads in each mode.
///
/// ```
/// use tilework::{__private::share_of, layout};
/// let (tiles, share) = share_of(&layout!((8,16):(16,1)), &"(4,8)".parse()?, &"(1,1)".parse()?)?;
/// assert_eq!(tiles, layout!(((4,8),2,2):((16,1),64,8)));
/// assert_eq!(share.to_string(), "((1,1),_,_)");
/// # Ok::<(), tilework::Error>(())
/// ```
pub const fn share_of(layout: &Layout, sizes: &Shape, coord: &Coord) -> Result<(Layout, Pattern), Error> {
    let sizes = if sizes.is_leaf() { tri!(sizes.wrap()) } else { *sizes };
    let coord = map_leaves!(coord => PatternLeaf::All, |index| PatternLeaf::At(index));
    let tiles = tri!(layout.tiled_divide(&tri!(Tiler::const_of_shape(&sizes))));
    sliced(tiles, 0, &tri!(coord.wrap()))
}

/// `_` for the modes before `first`, then the modes of the coordinate, and `_` for those beyond it.
const fn sliced(tiles: Layout, first: usize, coord: &Pattern) -> Result<(Layout, Pattern), Error> {
    let given = if coord.is_leaf() { 1 } else { coord.rank() };
    if first + given > tiles.rank() {
        return Err(Error::Incongruent { what: "the coordinate and the modes that are left of the tiles" });
    }
    let mut pattern = HTuple::builder(PatternLeaf::All);
    tri!(pattern.open(tiles.rank()));
    let mut i = 0;
    while i < tiles.rank() {
        if i < first || i >= first + given {
            tri!(pattern.push(PatternLeaf::All));
        } else if coord.is_leaf() {
            tri!(pattern.push(coord.leaves()[0]));
        } else {
            tri!(pattern.push_mode(coord, i - first));
        }
        i += 1;
    }
    let corner = fixed(&pattern);
    if !pattern.weakly_congruent(tiles.as_tuple()) || !tiles.shape().is_in_bounds(&corner) {
        return Err(refusal(&corner, &tiles));
    }
    Ok((tiles, pattern))
}

/// The coordinate of an index in a compact layout of threads, one integer for each mode. Along strides of 0 it is 0.
///
/// ```
/// use tilework::{__private::thread_coordinate, layout};
/// assert_eq!(thread_coordinate(&layout!((4,8):(8,1)), 9)?.to_string(), "(1,1)");
/// # Ok::<(), tilework::Error>(())
/// ```
pub const fn thread_coordinate(threads: &Layout, index: i64) -> Result<Coord, Error> {
    let digits = map_leaves!(threads => 0, |leaf| match leaf.stride.as_integer() {
        Some(0) => 0,
        Some(stride) => index.wrapping_div(stride).rem_euclid(leaf.extent),
        None => return Err(Error::Codomain { operation: "a layout of threads", found: threads.codomain() }),
    });
    if tri!(threads.const_evaluate(&digits)).leaves()[0].numerator() != index {
        let expected = "an index that the compact layout of threads has";
        return Err(Error::Argument { operation: "local_partition", expected, found: index });
    }
    let (shape, sizes) = (threads.shape(), tri!(threads.shape().mode_sizes()));
    sizes.idx2crd(&HTuple::leaf(tri!(shape.crd2idx(&digits))))
}

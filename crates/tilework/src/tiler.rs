//! Tilers: layouts that are applied mode by mode (paper, section 3.3.5).

use crate::error::{Error, tri};
use crate::layout::{IntoHTuple, Layout, Leaf, Part};
use crate::shape::Shape;
use crate::tuple::{HTuple, map_leaves};

/// A layout, or a tuple of tilers that apply to the modes of another layout one by one, `<4:1,8:2>`
/// (paper, definition 3.1).
///
/// | tiler | effect on a mode |
/// |---|---|
/// | `8:2` | the layout applies to the whole mode |
/// | `8` | the same as `8:1` |
/// | `<4:1,8:2>` | `4:1` applies to the mode's mode 0, `8:2` to its mode 1 |
/// | `_` | a hole: the mode is kept |
///
/// ```
/// use tilework::{Tiler, tiler};
/// const T: Tiler = tiler!(<4:1, 8:2>);
/// assert_eq!((T.rank(), T.to_string().as_str()), (2, "<4:1,8:2>"));
/// assert_eq!(Tiler::of_shape((4, 8))?, tiler!(<4:1, 8:1>));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Tiler {
    /// All tiles in the tiler's nesting; a hole is a leaf of extent 0.
    tuple: HTuple<Leaf>,
    /// Bit `n`: node `n` is a tuple of tilers, not of modes.
    by_mode: u64,
}

const HOLE: Leaf = Leaf::new(0, 0);

impl Tiler {
    /// `_`: keeps a mode.
    pub const HOLE: Tiler = Tiler { tuple: HTuple::leaf(HOLE), by_mode: 0 };

    /// `<>`: no tile.
    pub(crate) const EMPTY: Tiler = Tiler { tuple: HTuple::empty(HOLE), by_mode: 1 };

    /// `<t0,t1,...>`: each tiler applied to one mode.
    ///
    /// ```
    /// use tilework::{Tiler, layout, tiler};
    /// let rows_of_four = Tiler::by_mode(&[layout!(4:1).as_tiler(), Tiler::HOLE])?;
    /// assert_eq!(rows_of_four, tiler!(<4:1, _>));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`].
    pub const fn by_mode(tiles: &[Tiler]) -> Result<Tiler, Error> {
        let mut tiler = Tiler::EMPTY;
        let mut i = 0;
        while i < tiles.len() {
            tri!(tiler.push(&tiles[i]));
            i += 1;
        }
        Ok(tiler)
    }

    /// Appends a tile to a tuple of tilers.
    pub(crate) const fn push(&mut self, tile: &Tiler) -> Result<(), Error> {
        self.by_mode |= tile.by_mode << self.tuple.profile().len();
        tri!(self.tuple.push_subtree(&tile.tuple, 0, 0));
        let rank = self.tuple.profile().rank(0) + 1;
        self.tuple.profile_mut().set_rank(0, rank);
        Ok(())
    }

    /// A shape as a tiler, each extent `n` applied as `n:1`: `(4,8)` is `<4:1,8:1>`, and `8` is the layout `8:1`.
    ///
    /// ```
    /// use tilework::{Tiler, tiler};
    /// assert_eq!((Tiler::of_shape((4, 8))?, Tiler::of_shape(8)?), (tiler!(<4:1, 8:1>), tiler!(8:1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Extent`].
    pub fn of_shape(shape: impl IntoHTuple<i64>) -> Result<Tiler, Error> {
        Tiler::const_of_shape(&shape.into_htuple()?)
    }

    /// [`of_shape`](Self::of_shape) in a constant.
    pub const fn const_of_shape(shape: &Shape) -> Result<Tiler, Error> {
        tri!(shape.check_extents());
        let tuple = map_leaves!(shape => HOLE, |extent| Leaf::new(extent, (extent != 1) as i64));
        let (mut by_mode, mut i) = (0u64, 0);
        while i < shape.profile().len() {
            by_mode |= (!shape.profile().is_leaf(i) as u64) << i;
            i += 1;
        }
        Ok(Tiler { tuple, by_mode })
    }

    /// Whether this is a tuple of tilers, and not a layout or a hole.
    ///
    /// ```
    /// use tilework::tiler;
    /// assert!(tiler!(<4:1, 8:2>).is_by_mode() && !tiler!((4,8):(1,4)).is_by_mode());
    /// ```
    #[must_use]
    pub const fn is_by_mode(&self) -> bool {
        self.is_by_mode_at(0)
    }

    pub(crate) const fn is_by_mode_at(&self, node: usize) -> bool {
        self.by_mode >> node & 1 == 1
    }

    /// Whether the tile is a hole.
    pub(crate) const fn is_hole_at(&self, tile: Part) -> bool {
        tile.is_leaf() && self.tuple.leaves()[tile.leaf].extent == 0
    }

    /// The number of tiles; 1 for a layout and for a hole.
    ///
    /// ```
    /// use tilework::tiler;
    /// assert_eq!((tiler!(<4:1, 8:2>).rank(), tiler!((4,8):(1,4)).rank()), (2, 1));
    /// ```
    #[must_use]
    pub const fn rank(&self) -> usize {
        if self.is_by_mode() { self.tuple.rank() } else { 1 }
    }

    /// Tile `index`. A layout or a hole is its own tile 0.
    ///
    /// ```
    /// use tilework::tiler;
    /// assert_eq!(tiler!(<4:1, 8:2>).mode(1)?, tiler!(8:2));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] at or past the rank.
    pub const fn mode(&self, index: usize) -> Result<Tiler, Error> {
        if !self.is_by_mode() {
            return if index == 0 { Ok(*self) } else { Err(Error::Index { index, rank: 1 }) };
        }
        let (node, _) = tri!(self.tuple.child(0, 0, index));
        let nodes = self.tuple.profile().span(node).nodes;
        let by_mode = self.by_mode >> node & ((1 << nodes) - 1);
        Ok(Tiler { tuple: tri!(self.tuple.mode(index)), by_mode })
    }

    /// The layout of this tiler; `None` for a hole.
    ///
    /// ```
    /// use tilework::{Tiler, layout, tiler};
    /// assert_eq!((tiler!(8:2).layout()?, Tiler::HOLE.layout()?), (Some(layout!(8:2)), None));
    /// assert!(tiler!(<4, 8>).layout().is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a tuple of tilers.
    pub const fn layout(&self) -> Result<Option<Layout>, Error> {
        if self.is_by_mode() {
            return Err(Error::Rank { operation: "a layout as tiler", expected: 1, found: self.rank() });
        }
        self.layout_at(0, 0)
    }

    /// The layout of the tile at a node; `None` for a hole.
    pub(crate) const fn layout_at(&self, node: usize, leaf: usize) -> Result<Option<Layout>, Error> {
        if self.tuple.profile().is_leaf(node) && self.tuple.leaves()[leaf].extent == 0 {
            return Ok(None);
        }
        let mut tuple = self.tuple.cleared();
        tri!(tuple.push_subtree(&self.tuple, node, leaf));
        Ok(Some(tri!(Layout::new(tuple))))
    }

    pub(crate) const fn as_tuple(&self) -> &HTuple<Leaf> {
        &self.tuple
    }

    /// All tiles in the tiler's nesting, a hole as extent 0, and a bit for each node that is a tuple of tilers.
    #[doc(hidden)]
    #[must_use]
    pub const fn to_form(self) -> (HTuple<Leaf>, u64) {
        (self.tuple, self.by_mode)
    }

    /// The tiler of [`to_form`](Self::to_form).
    #[doc(hidden)]
    #[must_use]
    pub const fn of_form(tuple: HTuple<Leaf>, by_mode: u64) -> Tiler {
        Tiler { tuple, by_mode }
    }
}

impl Layout {
    /// The layout as a tiler, applied to the whole; [`Tiler::by_mode`] applies one layout to each mode.
    ///
    /// ```
    /// use tilework::{layout, tiler};
    /// let (matrix, tile) = (layout!((8,16):(16,1)), layout!(4:2));
    /// assert_eq!(tile.as_tiler(), tiler!(4:2));
    /// assert_eq!(matrix.logical_divide(&tile.as_tiler())?, matrix.logical_divide(&tiler!(4:2))?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn as_tiler(&self) -> Tiler {
        Tiler { tuple: *self.as_tuple(), by_mode: 0 }
    }
}

impl From<Layout> for Tiler {
    fn from(layout: Layout) -> Tiler {
        layout.as_tiler()
    }
}

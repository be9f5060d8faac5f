//! Parts of a layout, and concatenation of layouts: the operations of [`HTuple`], on layouts.

use super::{Layout, Leaf};
use crate::error::{Error, tri};
use crate::shape::Shape;
use crate::tuple::{HTuple, Profile};

impl Layout {
    /// A part of a layout is a layout: only the codomain has to be computed again, as it may become simpler.
    const fn part(tuple: Result<HTuple<Leaf>, Error>) -> Result<Layout, Error> {
        Layout::new(tri!(tuple))
    }

    /// Mode `index` as a layout, `L_i` (paper, section 2.4.1).
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,(2,3)):(1,(4,8))).mode(1)?, layout!((2,3):(4,8)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] at or past the rank.
    pub const fn mode(&self, index: usize) -> Result<Layout, Error> {
        Layout::part(self.tuple.mode(index))
    }

    /// The sublayout at a path, CuTe's `get<1,0>(L)`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// const L: Layout = layout!((3,((2,3),4)):(1,((3,6),20)));
    /// assert_eq!(L.get(&[1, 0])?, layout!((2,3):(3,6)));
    /// assert_eq!((L.get(&[1])?.size(), L.get(&[1, 0])?.rank(), L.get(&[1])?.depth()), (24, 2, 2));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] if the path leaves the layout.
    pub const fn get(&self, path: &[usize]) -> Result<Layout, Error> {
        Layout::part(self.tuple.get(path))
    }

    /// The layout of several, `(L0,L1,...)` (paper, section 3.1): `(L0,L1)(c0,c1) = L0(c0) + L1(c1)`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let both = Layout::concatenate(&[layout!(4:1), layout!((2,3):(4,8))])?;
    /// assert_eq!(both, layout!((4,(2,3)):(1,(4,8))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MixedCodomain`] and [`Error::NestedBasis`] for layouts of different codomains, [`Error::Capacity`],
    /// [`Error::Overflow`]. No layouts give the empty layout `():()`.
    pub const fn concatenate(layouts: &[Layout]) -> Result<Layout, Error> {
        let mut tuple = HTuple::builder(Leaf::UNUSED);
        tri!(tuple.open(layouts.len()));
        let mut i = 0;
        while i < layouts.len() {
            tri!(tuple.push_subtree(&layouts[i].tuple, 0, 0));
            i += 1;
        }
        Layout::new(tuple)
    }

    /// The leaves as one flat layout.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((3,(2,4)):(8,(4,1))).flatten(), layout!((3,2,4):(8,4,1)));
    /// ```
    #[must_use]
    pub const fn flatten(&self) -> Layout {
        Layout { tuple: self.tuple.flatten(), codomain: self.codomain }
    }

    /// The same leaves with another nesting.
    ///
    /// ```
    /// use tilework::layout;
    /// let tiles = layout!(((2,2),4):((1,8),2));
    /// assert_eq!(tiles.flatten().unflatten(tiles.profile())?, tiles);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] if the numbers of leaves differ.
    pub const fn unflatten(&self, profile: &Profile) -> Result<Layout, Error> {
        Ok(Layout { tuple: tri!(self.tuple.unflatten(profile)), codomain: self.codomain })
    }

    /// Modes `begin..end` as one mode.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((2,3,5,7):(1,2,6,30)).group(1, 3)?, layout!((2,(3,5),7):(1,(2,6),30)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] for a range that is not a range of modes.
    pub const fn group(&self, begin: usize, end: usize) -> Result<Layout, Error> {
        Layout::part(self.tuple.group(begin, end))
    }

    /// Modes `begin..end` as a layout.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((2,3,4):(1,2,6)).take(1, 3)?, layout!((3,4):(2,6)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] for a range that is not a range of modes.
    pub const fn take(&self, begin: usize, end: usize) -> Result<Layout, Error> {
        Layout::part(self.tuple.take(begin, end))
    }

    /// The named modes in the order given.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((2,3,4):(1,2,6)).select(&[2, 0])?, layout!((4,2):(6,1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] at or past the rank.
    pub const fn select(&self, modes: &[usize]) -> Result<Layout, Error> {
        Layout::part(self.tuple.select(modes))
    }

    /// Appends a mode.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((2,3):(1,2)).append(&layout!(4:6))?, layout!((2,3,4):(1,2,6)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`concatenate`](Self::concatenate).
    pub const fn append(&self, mode: &Layout) -> Result<Layout, Error> {
        Layout::part(self.tuple.append(&mode.tuple))
    }

    /// Prepends a mode.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((2,3):(1,2)).prepend(&layout!(4:6))?, layout!((4,2,3):(6,1,2)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`concatenate`](Self::concatenate).
    pub const fn prepend(&self, mode: &Layout) -> Result<Layout, Error> {
        Layout::part(self.tuple.prepend(&mode.tuple))
    }

    /// Appends modes `1:0` up to rank `rank`: CuTe's `append<N>(layout)`.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((2,3):(1,2)).pad_to_rank(4)?, layout!((2,3,1,1):(1,2,0,0)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`].
    pub const fn pad_to_rank(&self, rank: usize) -> Result<Layout, Error> {
        let mut out = *self;
        while out.rank() < rank {
            out = tri!(out.append(&Layout::UNIT));
        }
        Ok(out)
    }

    /// Replaces mode `index`.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((2,3):(1,2)).replace(1, &layout!(4:6))?, layout!((2,4):(1,6)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Index`] at or past the rank, and those of [`concatenate`](Self::concatenate).
    pub const fn replace(&self, index: usize, mode: &Layout) -> Result<Layout, Error> {
        Layout::part(self.tuple.replace(index, &mode.tuple))
    }

    /// Whether the profiles are equal.
    ///
    /// ```
    /// use tilework::layout;
    /// assert!(layout!(((2,2),4):((1,8),2)).congruent(&layout!(((3,1),5):((0,0),0))));
    /// ```
    #[must_use]
    pub const fn congruent(&self, other: &Layout) -> bool {
        self.tuple.congruent(&other.tuple)
    }

    /// Whether this profile coarsens the other's.
    ///
    /// ```
    /// use tilework::layout;
    /// assert!(layout!((4,8):(8,1)).weakly_congruent(&layout!(((2,2),8):((1,16),2))));
    /// ```
    #[must_use]
    pub const fn weakly_congruent(&self, other: &Layout) -> bool {
        self.tuple.weakly_congruent(&other.tuple)
    }

    /// Whether every coordinate of this layout is a coordinate of the other (paper, section 2.4.1).
    ///
    /// ```
    /// use tilework::layout;
    /// assert!(layout!((4,8):(8,1)).compatible(&layout!(((2,2),8):((1,16),2))));
    /// ```
    #[must_use]
    pub const fn compatible(&self, finer: &Layout) -> bool {
        self.shape().compatible(&finer.shape())
    }

    /// Whether the shape coarsens this layout's shape.
    ///
    /// ```
    /// use tilework::layout;
    /// let tiles = layout!(((2,2),8):((1,16),2));
    /// assert!(tiles.refines(&layout!((4,8):(8,1)).shape()) && !tiles.refines(&layout!((8,4):(4,1)).shape()));
    /// ```
    #[must_use]
    pub const fn refines(&self, coarser: &Shape) -> bool {
        coarser.compatible(&self.shape())
    }
}

//! Divide: a layout split into the part that a tiler points to and the rest (paper, section 3.5.2).
//!
//! `A / B = A o (B, complement(B, |A|))`. The divisions differ in how they arrange the modes:
//!
//! | for a tiler `<B,C>` | modes of the result |
//! |---|---|
//! | `logical_divide` | `((TileM,RestM),(TileN,RestN),L,...)` |
//! | `zipped_divide` | `((TileM,TileN),(RestM,RestN,L,...))` |
//! | `tiled_divide` | `((TileM,TileN),RestM,RestN,L,...)` |
//! | `flat_divide` | `(TileM,TileN,RestM,RestN,L,...)` |

use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::tiler::Tiler;
use crate::tuple::HTuple;

impl Layout {
    /// The tile and the rest: `A o (B, complement(B, |A|))`; by mode for a tuple of tilers. A mode under a hole, and
    /// modes beyond the tiler's rank, stay as they are.
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
    /// Those of [`complement_within`](Self::complement_within) for the tiler and of
    /// [`composition`](Self::composition); [`Error::Rank`] for a tiler of more tiles than the layout has modes.
    pub const fn logical_divide(&self, tiler: &Tiler) -> Result<Layout, Error> {
        if !tiler.is_by_mode() {
            return match tri!(tiler.layout()) {
                Some(tile) => self.divide_by_layout(&tile),
                None => Ok(*self),
            };
        }
        let mut out = HTuple::builder(Leaf::new(1, 0));
        tri!(check_rank("logical_divide", self, tiler));
        tri!(out.open(self.rank()));
        let mut i = 0;
        while i < self.rank() {
            let mut mode = tri!(self.mode(i));
            if i < tiler.rank() {
                mode = tri!(mode.logical_divide(&tri!(tiler.mode(i))));
            }
            tri!(out.push_subtree(mode.as_tuple(), 0, 0));
            i += 1;
        }
        Layout::new(out)
    }

    const fn divide_by_layout(&self, tile: &Layout) -> Result<Layout, Error> {
        let rest = tri!(tile.complement_within(&tri!(self.domain_of(tile))));
        self.composition(&tri!(Layout::concatenate(&[*tile, rest])))
    }

    /// The shape that the tile and its complement cover: the size, or for a tile of coordinates the sizes of the
    /// modes that its coordinates go to.
    const fn domain_of(&self, tile: &Layout) -> Result<HTuple<i64>, Error> {
        let profile = tri!(tile.codomain_profile());
        if profile.is_leaf() {
            return Ok(HTuple::leaf(self.size()));
        }
        let mut domain = HTuple::builder(1);
        tri!(self.domain_node(&profile, 0, 0, 0, 0, &mut domain));
        Ok(domain)
    }

    const fn domain_node(
        &self,
        profile: &crate::layout::Offset,
        node: usize,
        leaf: usize,
        own_node: usize,
        own_leaf: usize,
        out: &mut HTuple<i64>,
    ) -> Result<(), Error> {
        let (profile_is_leaf, rank) = (profile.profile().is_leaf(node), profile.profile().rank(node));
        if profile_is_leaf {
            return out.push(tri!(self.shape().size_at(own_node, own_leaf)));
        }
        let own_rank = self.profile().rank(own_node);
        if rank > own_rank {
            return Err(Error::Index { index: rank - 1, rank: own_rank });
        }
        tri!(out.open(own_rank));
        let mut i = 0;
        while i < own_rank {
            let (own_child, own_first) = tri!(self.as_tuple().child(own_node, own_leaf, i));
            if i < rank {
                let (child, first) = tri!(profile.child(node, leaf, i));
                tri!(self.domain_node(profile, child, first, own_child, own_first, out));
            } else {
                // A mode that no coordinate of the tile goes to belongs to the rest.
                tri!(out.push(tri!(self.shape().size_at(own_child, own_first))));
            }
            i += 1;
        }
        Ok(())
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
        zip(&tri!(self.logical_divide(tiler)), tiler)
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
        tri!(self.zipped_divide(tiler)).unpack(false, true)
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
        tri!(self.zipped_divide(tiler)).unpack(true, true)
    }

    /// The modes of mode 0, of mode 1, or of both in place of them.
    pub(crate) const fn unpack(&self, first: bool, second: bool) -> Result<Layout, Error> {
        let (tile, rest) = (tri!(self.mode(0)), tri!(self.mode(1)));
        let mut out = HTuple::builder(Leaf::new(1, 0));
        tri!(out.open(if first { tile.rank() } else { 1 } + if second { rest.rank() } else { 1 }));
        tri!(if first { out.push_modes(tile.as_tuple()) } else { out.push_subtree(tile.as_tuple(), 0, 0) });
        tri!(if second { out.push_modes(rest.as_tuple()) } else { out.push_subtree(rest.as_tuple(), 0, 0) });
        Layout::new(out)
    }
}

pub(crate) const fn check_rank(operation: &'static str, layout: &Layout, tiler: &Tiler) -> Result<(), Error> {
    if tiler.rank() > layout.rank() {
        return Err(Error::Rank { operation, expected: layout.rank(), found: tiler.rank() });
    }
    Ok(())
}

/// `((T0,R0),(T1,R1),L,...)` as `((T0,T1),(R0,R1,L,...))`, in the nesting of the tiler. Under a hole all is rest.
pub(crate) const fn zip(divided: &Layout, tiler: &Tiler) -> Result<Layout, Error> {
    if !tiler.is_by_mode() {
        return match tri!(tiler.layout()) {
            Some(_) => Ok(*divided),
            None => Layout::concatenate(&[Layout::UNIT, *divided]),
        };
    }
    let (mut tiles, mut rests) = (HTuple::builder(Leaf::new(1, 0)), HTuple::builder(Leaf::new(1, 0)));
    tri!(tiles.open(tiler.rank()));
    tri!(rests.open(divided.rank()));
    let mut i = 0;
    while i < divided.rank() {
        if i < tiler.rank() {
            let mode = tri!(zip(&tri!(divided.mode(i)), &tri!(tiler.mode(i))));
            tri!(tiles.push_mode(mode.as_tuple(), 0));
            tri!(rests.push_mode(mode.as_tuple(), 1));
        } else {
            tri!(rests.push_mode(divided.as_tuple(), i));
        }
        i += 1;
    }
    Layout::new(tri!(HTuple::tuple(&[tiles, rests])))
}

//! Divide: a layout split into the part that a tiler points to and the rest (paper, section 3.5.2).
//!
//! `A / B = A o (B, complement(B, |A|))`, where tile and rest together have to reach every index of `A`: each mode of
//! `B` ends at a divisor of the next one's stride. The divisions differ in how they arrange the modes:
//!
//! | for a tiler `<B,C>` | modes of the result |
//! |---|---|
//! | `logical_divide` | `((TileM,RestM),(TileN,RestN),L,...)` |
//! | `zipped_divide` | `((TileM,TileN),(RestM,RestN,L,...))` |
//! | `tiled_divide` | `((TileM,TileN),RestM,RestN,L,...)` |
//! | `flat_divide` | `(TileM,TileN,RestM,RestN,L,...)` |

use super::composition::compose_into;
use super::product::multiply;
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf, Offset, Part, build};
use crate::shape::Shape;
use crate::stride::Unit;
use crate::tiler::Tiler;
use crate::tuple::HTuple;

impl Layout {
    /// The tile and the rest: `A o (B, complement(B, |A|))`; by mode for a tuple of tilers. A mode under a hole, and
    /// modes beyond the tiler's rank, stay as they are. A tile that does not divide `A`, or lies beyond it, extends the
    /// last mode of `A`: the result is larger, and what is out of bounds is for the caller to predicate.
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
    /// [`Error::Gap`] for a tile whose gaps cannot be filled whole, so that elements would be lost:
    /// `(2,2):(1,5)`. Those of [`complement_within`](Self::complement_within) for the tiler and of
    /// [`composition`](Self::composition); [`Error::Rank`] for a tiler of more tiles than the layout has modes.
    #[inline]
    pub const fn logical_divide(&self, tiler: &Tiler) -> Result<Layout, Error> {
        let (whole, tile) = (Part::whole(&self.tuple), Part::whole(tiler.as_tuple()));
        let result = build!(|out| apply(Operation::Divide, whole, tiler, tile, out));
        if !self.is_sum_of_modes(tiler, &result) {
            return result;
        }
        let mut modes = Layout::empty();
        tri!(apply(Operation::Divide, whole, tiler, tile, &mut modes.tuple));
        self.xor_sum_of_modes(&modes.tuple, tiler)
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

    /// `((T0,R0),(T1,R1),L,...)` as `((T0,T1),(R0,R1,L,...))`, with the modes of the first or the second in place of
    /// it.
    pub(crate) const fn arrange(
        &self,
        tiler: &Tiler,
        unpack_tile: bool,
        unpack_rest: bool,
    ) -> Result<Layout, Error> {
        build!(|out| arrange_into(Part::whole(&self.tuple), tiler, unpack_tile, unpack_rest, out))
    }
}

const fn arrange_into(
    divided: Part,
    tiler: &Tiler,
    unpack_tile: bool,
    unpack_rest: bool,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    let tile = Part::whole(tiler.as_tuple());
    let whole = tiler.is_by_mode() || tiler.is_hole_at(tile);
    let tile_rank = if whole { tiler.rank() } else { tri!(divided.mode(0)).rank() };
    let rest_rank = if whole { divided.rank() } else { tri!(divided.mode(1)).rank() };
    tri!(out.open(if unpack_tile { tile_rank } else { 1 } + if unpack_rest { rest_rank } else { 1 }));
    tri!(push_tiles(divided, tiler, tile, unpack_tile, out));
    push_rests(divided, tiler, tile, unpack_rest, out)
}

/// What the layouts of a tiler do to the modes.
#[derive(Clone, Copy)]
pub(super) enum Operation {
    Divide,
    Multiply,
}

/// Appends the operation applied where the tiler has a layout. A mode under a hole, and modes beyond the tiler's rank, stay.
pub(super) const fn apply(
    operation: Operation,
    a: Part,
    tiler: &Tiler,
    tile: Part,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    if tiler.is_hole_at(tile) {
        return out.push_part(a);
    }
    if !tiler.is_by_mode_at(tile.node) {
        return match operation {
            Operation::Divide => divide(a, tile, out),
            Operation::Multiply => multiply(a, tile, out),
        };
    }
    if tile.rank() > a.rank() {
        let operation = match operation {
            Operation::Divide => "divide",
            Operation::Multiply => "logical_product",
        };
        return Err(Error::Rank { operation, expected: a.rank(), found: tile.rank() });
    }
    tri!(out.open(a.rank()));
    let mut i = 0;
    while i < a.rank() {
        let mode = tri!(a.mode(i));
        tri!(if i < tile.rank() {
            apply(operation, mode, tiler, tri!(tile.mode(i)), out)
        } else {
            out.push_part(mode)
        });
        i += 1;
    }
    Ok(())
}

/// Appends `A o (B, complement(B, |A|))`.
const fn divide(a: Part, tile: Part, out: &mut HTuple<Leaf>) -> Result<(), Error> {
    if a.is_plain() && tile.is_plain() {
        let mut rest = HTuple::builder(Leaf::UNUSED);
        tri!(tile.complement_along(Unit::ONE, Some(a.size()), true, &mut rest));
        tri!(out.open(2));
        return compose_into(a.leaves(), &[tile, Part::whole(&rest)], out);
    }
    // A mode of one coordinate does not move, whatever it addresses.
    let (a, tile) = (tri!(a.to_layout()), tri!(tri!(tile.to_layout()).without_still_strides()));
    let domain = tri!(domain_of(&a, &tile));
    let rest = tri!(build!(|out| Part::whole(&tile.tuple).complement_into(Some(&domain), true, out)));
    let divided = tri!(a.composition(&tri!(Layout::concatenate(&[tile, rest]))));
    out.push_part(Part::whole(&divided.tuple))
}

/// The shape that the tile and its complement cover: the size, or for a tile of coordinates the sizes of the modes that
/// its coordinates go to.
const fn domain_of(a: &Layout, tile: &Layout) -> Result<Shape, Error> {
    let mut domain = HTuple::builder(1);
    tri!(domain_node(&a.shape(), 0, 0, &tri!(tile.codomain_profile()), 0, 0, &mut domain));
    Ok(domain)
}

const fn domain_node(
    a: &Shape,
    node: usize,
    leaf: usize,
    profile: &Offset,
    profile_node: usize,
    profile_leaf: usize,
    out: &mut Shape,
) -> Result<(), Error> {
    if profile.profile().is_leaf(profile_node) {
        return out.push(tri!(a.size_at(node, leaf)));
    }
    let (rank, addressed) = (a.profile().rank(node), profile.profile().rank(profile_node));
    if a.profile().is_leaf(node) {
        return Err(Error::Coordinate { what: "a basis element addresses a mode within an extent" });
    }
    if addressed > rank {
        return Err(Error::Index { index: addressed - 1, rank });
    }
    tri!(out.open(rank));
    let mut i = 0;
    while i < rank {
        let (child, first) = tri!(a.child(node, leaf, i));
        if i < addressed {
            let (other, other_first) = tri!(profile.child(profile_node, profile_leaf, i));
            tri!(domain_node(a, child, first, profile, other, other_first, out));
        } else {
            // A mode that no coordinate of the tile goes to belongs to the rest.
            tri!(out.push(tri!(a.size_at(child, first))));
        }
        i += 1;
    }
    Ok(())
}

/// Appends the tiles of a layout divided by the tiler, in the tiler's nesting; nothing lies under a hole.
const fn push_tiles(
    divided: Part,
    tiler: &Tiler,
    tile: Part,
    unpack: bool,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    if tiler.is_hole_at(tile) {
        return out.push(Leaf::new(1, 0));
    }
    if !tiler.is_by_mode_at(tile.node) {
        let tile = tri!(divided.mode(0));
        return if unpack { out.push_modes_of(tile) } else { out.push_part(tile) };
    }
    if !unpack {
        tri!(out.open(tile.rank()));
    }
    let mut i = 0;
    while i < tile.rank() {
        tri!(push_tiles(tri!(divided.mode(i)), tiler, tri!(tile.mode(i)), false, out));
        i += 1;
    }
    Ok(())
}

/// Appends what the tiles leave: the rests, the modes under holes, and the modes beyond the tiler's rank.
const fn push_rests(
    divided: Part,
    tiler: &Tiler,
    tile: Part,
    unpack: bool,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    let by_mode = tiler.is_by_mode_at(tile.node);
    if !by_mode {
        let rest = if tiler.is_hole_at(tile) { divided } else { tri!(divided.mode(1)) };
        return if unpack { out.push_modes_of(rest) } else { out.push_part(rest) };
    }
    if !unpack {
        tri!(out.open(divided.rank()));
    }
    let mut i = 0;
    while i < divided.rank() {
        let mode = tri!(divided.mode(i));
        tri!(if i < tile.rank() {
            push_rests(mode, tiler, tri!(tile.mode(i)), false, out)
        } else {
            out.push_part(mode)
        });
        i += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{Error, Layout, Tiler, layout, tiler};

    #[test]
    fn a_tile_that_leaves_elements_out_is_refused() {
        let gap = Error::Gap { extent: 2, stride: 1, next: 5 };
        assert_eq!(layout!(24:1).logical_divide(&tiler!((2,2):(1,5))), Err(gap));
        assert_eq!(layout!((24,3):(1,24)).zipped_divide(&tiler!(<(2,2):(1,5)>)), Err(gap));
        // Four elements end before the first that would be left out.
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

//! What divide and product share: a tiler applied to the modes, and the results arranged.

use super::composition::compose_into;
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf, Offset, Part, build};
use crate::shape::Shape;
use crate::stride::Unit;
use crate::tiler::Tiler;
use crate::tuple::HTuple;

impl Layout {
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
    /// `(A, complement(A) o B)`.
    pub(super) const fn multiply_by_layout(&self, grid: &Layout) -> Result<Layout, Error> {
        if !self.codomain().same(Codomain::Integer) {
            return Err(Error::Codomain { operation: "logical_product", found: self.codomain() });
        }
        // The complement that may be extended: where it does not cover what the grid reaches, it goes on behind the
        // block and before it, and the repetitions stay apart.
        let complement = tri!(self.complement());
        Layout::concatenate(&[*self, tri!(complement.composition(grid))])
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

/// Appends the block and the grid of its repetitions.
const fn multiply(block: Part, grid: Part, out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let product = tri!(tri!(block.to_layout()).multiply_by_layout(&tri!(grid.to_layout())));
    out.push_part(Part::whole(&product.tuple))
}

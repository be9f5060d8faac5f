//! Composition by mode, which applies a tiler to the modes, and the code that divide and product share with it.

use super::composition::{UnitStride, compose_into, is_of_size};
use crate::error::{Error, tri};
use crate::layout::{IntoHTuple, Layout, Leaf, Part, build};
use crate::shape::Shape;
use crate::stride::{Rational, Unit};
use crate::tiler::Tiler;
use crate::tuple::{self, HTuple, PatternLeaf};

/// The operation of the layouts of a tiler on the modes.
#[derive(Clone, Copy)]
pub(super) enum Operation {
    Compose,
    Divide,
    Multiply,
}

/// The form of a result that the function does not determine.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// Leaves of extent 1 have stride 0. A composition has only the modes of the tiler, and a product needs a
    /// complement.
    Own,
    /// That of [`pycute`](super::pycute).
    Pycute,
}

impl Layout {
    /// An operation on each mode that `profile` marks, as [`coalesce_by_mode`](Self::coalesce_by_mode) does: a tuple in
    /// it applies to the modes of that mode, and modes beyond it are kept.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let both = layout!((8,16):(20,1)).by_mode((.., ..), Layout::complement)?;
    /// assert_eq!(both, layout!(((20,1),1):((1,160),16)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a profile with more modes than the layout, and those of the operation.
    pub fn by_mode(
        &self,
        profile: impl IntoHTuple<PatternLeaf>,
        operation: impl Fn(&Layout) -> Result<Layout, Error> + Copy,
    ) -> Result<Layout, Error> {
        let profile = profile.into_htuple()?;
        if profile.is_leaf() {
            return operation(self);
        }
        let mut modes = HTuple::empty(Leaf::UNUSED);
        if profile.rank() > self.rank() {
            let (expected, found) = (self.rank(), profile.rank());
            return Err(Error::Rank { operation: "an operation by mode", expected, found });
        }
        for index in 0..self.rank() {
            let mode = self.mode(index)?;
            let mode =
                if index < profile.rank() { mode.by_mode(&profile.mode(index)?, operation)? } else { mode };
            modes = modes.append(mode.as_tuple())?;
        }
        Layout::new(modes)
    }

    /// Composition by mode: each tile is composed with one mode, `(A0,A1) o <B,C> = (A0 o B, A1 o C)` (paper,
    /// equation 12). A hole keeps its mode; the result has the tiler's rank, and further modes of the layout are
    /// dropped. A tiler that is a layout is composed with the whole.
    ///
    /// ```
    /// use tilework::{Layout, layout, tiler};
    /// let tile = layout!((8,16):(20,1)).composition_by_mode(&tiler!(<4:1, 8:2>))?;
    /// assert_eq!(tile, layout!((4,8):(20,2)));
    /// assert_eq!(layout!((8,16):(20,1)).composition_by_mode(&tiler!(<_, 8:2>))?, layout!((8,8):(20,2)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a tiler of more tiles than the layout has modes, and those of
    /// [`composition`](Self::composition).
    pub const fn composition_by_mode(&self, tiler: &Tiler) -> Result<Layout, Error> {
        self.apply(Operation::Compose, tiler, Form::Own)
    }

    /// The operation with each layout of a tiler.
    #[inline]
    pub(super) const fn apply(
        &self,
        operation: Operation,
        tiler: &Tiler,
        form: Form,
    ) -> Result<Layout, Error> {
        let (whole, tile) = (Part::whole(&self.tuple), Part::whole(tiler.as_tuple()));
        let result = build!(|out| apply(operation, form, whole, tiler, tile, out));
        if matches!(operation, Operation::Multiply) || !self.is_sum_of_modes(tiler, &result) {
            return result;
        }
        let mut modes = Layout::empty();
        tri!(apply(operation, form, whole, tiler, tile, &mut modes.tuple));
        self.xor_sum_of_modes(&modes.tuple, tiler)
    }

    /// `((T0,R0),(T1,R1),L,...)` as `((T0,T1),(R0,R1,L,...))`, with the modes of the first or the second in place of
    /// it.
    #[doc(hidden)]
    pub const fn arrange(
        &self,
        tiler: &Tiler,
        unpack_tile: bool,
        unpack_rest: bool,
    ) -> Result<Layout, Error> {
        build!(|out| arrange_into(Part::whole(&self.tuple), tiler, unpack_tile, unpack_rest, out))
    }

    /// `(A, complement(A) o B)`.
    pub(super) const fn multiply_by_layout(&self, grid: &Layout) -> Result<Layout, Error> {
        // The complement that may be extended: if it does not cover the grid, it continues after the block and before
        // it, and the repetitions stay disjoint.
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
    tri!(push_side(Side::Tile, divided, tiler, tile, unpack_tile, out));
    push_side(Side::Rest, divided, tiler, tile, unpack_rest, out)
}

/// Appends the operation applied where the tiler has a layout. Modes under holes and modes beyond the tiler's rank are
/// kept, except for a composition in `Form::Own`, which drops the latter.
const fn apply(
    operation: Operation,
    form: Form,
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
            Operation::Compose => compose(form, a, tile, out),
            Operation::Divide => divide(form, a, tile, out),
            Operation::Multiply => multiply(form, a, tile, out),
        };
    }
    if tile.rank() > a.rank() {
        let operation = match operation {
            Operation::Compose => "composition by mode",
            Operation::Divide => "divide",
            Operation::Multiply => "logical_product",
        };
        return Err(Error::Rank { operation, expected: a.rank(), found: tile.rank() });
    }
    let rank = match (operation, form) {
        (Operation::Compose, Form::Own) => tile.rank(),
        _ => a.rank(),
    };
    tri!(out.open(rank));
    let (mut size, mut i) = (None, 0);
    while i < rank {
        let mode = tri!(a.mode(i));
        let applied = if i < tile.rank() {
            apply(operation, form, mode, tiler, tri!(tile.mode(i)), out)
        } else {
            out.push_part(mode)
        };
        match applied {
            // Another mode may have no layout; what is appended after this one is not used.
            Err(error) if is_of_size(error) => size = if size.is_none() { Some(error) } else { size },
            Err(error) => return Err(error),
            Ok(()) => {}
        }
        i += 1;
    }
    match size {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

impl Form {
    /// The strides of leaves of extent 1 if the left operand has these leaves.
    const fn unit_stride(self, left: &[Leaf]) -> UnitStride {
        match self {
            Form::Own => UnitStride::ZERO,
            Form::Pycute => UnitStride::of_last_mode(left),
        }
    }
}

/// Appends `A o B`.
const fn compose(form: Form, a: Part, tile: Part, out: &mut HTuple<Leaf>) -> Result<(), Error> {
    if a.is_plain() && tile.is_plain() {
        return compose_into(a.leaves(), &[tile], form.unit_stride(a.leaves()), out);
    }
    tri!(a.to_layout()).composition_into(&tri!(tile.to_layout()), out)
}

/// Appends `A o (B, complement(B, |A|))`.
const fn divide(form: Form, a: Part, tile: Part, out: &mut HTuple<Leaf>) -> Result<(), Error> {
    if a.is_plain() && tile.is_plain() {
        let mut rest = HTuple::builder(Leaf::UNUSED);
        tri!(tile.complement_along(Unit::ONE, Some(a.size()), true, &mut rest));
        tri!(out.open(2));
        return compose_into(a.leaves(), &[tile, Part::whole(&rest)], form.unit_stride(a.leaves()), out);
    }
    // A mode of extent 1 has offset 0, whatever it addresses.
    let (a, tile) = (tri!(a.to_layout()), tri!(tri!(tile.to_layout()).without_still_strides()));
    let domain = tri!(a.domain_of_tile(&tile));
    let rest = tri!(build!(|out| Part::whole(&tile.tuple).complement_into(Some(&domain), true, out)));
    let divided = tri!(a.composition(&tri!(Layout::concatenate(&[tile, rest]))));
    out.push_part(Part::whole(&divided.tuple))
}

impl Layout {
    /// The shape that a tile and its complement cover: the size, or for a tile of coordinates the sizes of the modes that it
    /// addresses.
    #[doc(hidden)]
    pub const fn domain_of_tile(&self, tile: &Layout) -> Result<Shape, Error> {
        let (mut domain, addressed) = (HTuple::builder(1), tri!(tile.codomain_profile()));
        tri!(push_domain(tuple::Part::whole(&self.shape()), tuple::Part::whole(&addressed), &mut domain));
        Ok(domain)
    }
}

const fn push_domain(
    a: tuple::Part<'_, i64>,
    addressed: tuple::Part<'_, Rational>,
    out: &mut Shape,
) -> Result<(), Error> {
    if addressed.is_leaf() {
        return out.push(tri!(a.size()));
    }
    let rank = a.rank();
    if a.is_leaf() {
        return Err(Error::Coordinate { what: "a basis element addresses a mode within an extent" });
    }
    if addressed.rank() > rank {
        return Err(Error::Index { index: addressed.rank() - 1, rank });
    }
    tri!(out.open(rank));
    let mut i = 0;
    while i < rank {
        let mode = tri!(a.mode(i));
        tri!(if i < addressed.rank() {
            push_domain(mode, tri!(addressed.mode(i)), out)
        } else {
            // A mode that the tile does not address belongs to the rest.
            out.push(tri!(mode.size()))
        });
        i += 1;
    }
    Ok(())
}

/// One half of a layout divided by a tiler.
#[derive(Clone, Copy)]
enum Side {
    Tile,
    Rest,
}

/// Appends the tiles of a divided layout, in the tiler's nesting, without the modes under holes; or the rests, with the
/// modes under holes and the modes beyond the tiler's rank.
const fn push_side(
    side: Side,
    divided: Part,
    tiler: &Tiler,
    tile: Part,
    unpack: bool,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    if !tiler.is_by_mode_at(tile.node) {
        let part = match (side, tiler.is_hole_at(tile)) {
            (Side::Tile, true) => return out.push(Leaf::new(1, 0)),
            (Side::Rest, true) => divided,
            (_, false) => tri!(divided.mode(side as usize)),
        };
        return if unpack { out.push_modes_of(part) } else { out.push_part(part) };
    }
    let rank = match side {
        Side::Tile => tile.rank(),
        Side::Rest => divided.rank(),
    };
    if !unpack {
        tri!(out.open(rank));
    }
    let mut i = 0;
    while i < rank {
        let mode = tri!(divided.mode(i));
        tri!(if i < tile.rank() {
            push_side(side, mode, tiler, tri!(tile.mode(i)), false, out)
        } else {
            out.push_part(mode)
        });
        i += 1;
    }
    Ok(())
}

/// Appends the block and the grid of its repetitions.
const fn multiply(form: Form, block: Part, grid: Part, out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let (block, grid) = (tri!(block.to_layout()), tri!(grid.to_layout()));
    let product = tri!(match form {
        Form::Own => block.multiply_by_layout(&grid),
        Form::Pycute => block.multiply_in_gaps(&grid),
    });
    out.push_part(Part::whole(&product.tuple))
}

#[cfg(test)]
mod tests {
    use crate::{Error, Layout, Tiler, layout, tiler};

    #[test]
    fn composition_by_mode() {
        const A: Layout = layout!(((4,4),8,3):((1,4),16,128));
        assert_eq!(A.composition_by_mode(&tiler!(<<2,2:2>,_>)), Ok(layout!(((2,2),8):((1,8),16))));
        assert_eq!(A.composition_by_mode(&Tiler::HOLE), Ok(A));
        assert_eq!(A.composition_by_mode(&tiler!(8:2)), Ok(layout!(8:2)));
        assert!(matches!(A.composition_by_mode(&tiler!(<1,1,1,1>)), Err(Error::Rank { .. })));
    }
}

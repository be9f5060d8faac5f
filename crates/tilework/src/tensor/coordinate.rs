//! The arguments of a tensor: any coordinate that is compatible with its shape (paper, section 2.2.1).

use crate::error::Error;
use crate::int;
use crate::layout::{IntoHTuple, Layout, Leaf};
use crate::shape::{Coord, Walk};
use crate::static_layout::StaticLayout;

/// A coordinate as Rust writes it: `T(22)`, `T(2,5)` and `T((0,1),(1,1))` of the paper.
///
/// | argument | coordinate | over a static layout |
/// |---|---|---|
/// | `22` | integral | arithmetic of constants |
/// | `[2, 5]` | one integer for each mode | arithmetic of constants |
/// | `((0, 1), (1, 1))`, a [`Coord`] or a reference to one | any | a loop over the leaves |
///
/// The trait is sealed.
///
/// Over a static layout an array whose length is not the rank does not compile:
///
/// ```compile_fail
/// use tilework::{Tensor, static_layout};
/// static_layout! { struct Rows = (4,8):(8,1); }
/// Tensor::fixed([0; 32], Rows).at([1, 2, 3]); // a coordinate takes rank 2 here, found rank 3
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a coordinate of a tensor",
    label = "an `i64`, an array of them, a tuple of integers, or a `Coord`",
    note = "an index of type `usize` is a coordinate `as i64`, or in a tuple: `(i, j)`"
)]
pub trait TensorCoord: Spread {}

impl<C: Spread> TensorCoord for C {}

/// How a coordinate is distributed over the leaves of a shape.
pub trait Spread: Copy {
    /// Calls `visit` with each leaf and its digit. Returns whether the coordinate is in the shape; if it is not, the
    /// visited digits are meaningless.
    fn spread(self, layout: &Layout, visit: impl FnMut(&Leaf, i64)) -> bool;

    /// `L(c)` for strides other than XOR ones; `None` for a coordinate that is found to be outside the shape. For an
    /// integral coordinate, or one integer for each mode, bounds are checked with debug assertions only: if the
    /// surrounding loops are too complex, the optimizer keeps these comparisons and everything that depends on them.
    fn offset_in<L: StaticLayout>(self) -> Option<i64>;

    /// The coordinate as a tuple.
    fn to_coord(self) -> Result<Coord, Error>;

    /// The reason why this is not a coordinate of the shape.
    #[cold]
    fn refusal(self, layout: &Layout) -> Error {
        match self.to_coord() {
            Ok(coord) => refusal(&coord, layout),
            Err(error) => error,
        }
    }
}

/// The reason why this is not a coordinate of the layout's shape.
pub(super) const fn refusal(coord: &Coord, layout: &Layout) -> Error {
    let mut walk = match Walk::new(coord, layout.as_tuple()) {
        Ok(walk) => walk,
        Err(error) => return error,
    };
    let mut leaf = 0;
    while let Some(part) = walk.next() {
        let (mut size, mut i) = (1, part.first);
        while i < part.end {
            size *= layout.leaves()[i].extent;
            i += 1;
        }
        if part.index < 0 || part.index >= size {
            return Error::OutOfBounds { leaf, index: part.index, size };
        }
        leaf += 1;
    }
    Error::Coordinate { what: "the coordinate has to be one of the tensor's shape" }
}

/// The digits of one integer; false if it is not below the product of the extents.
#[inline]
fn digits(leaves: &[Leaf], index: i64, visit: &mut impl FnMut(&Leaf, i64)) -> bool {
    let mut rest = index;
    for leaf in leaves {
        let (quotient, digit) = int::div_rem(rest, leaf.extent);
        visit(leaf, digit);
        rest = quotient;
    }
    rest == 0
}

impl Spread for i64 {
    #[inline]
    fn spread(self, layout: &Layout, mut visit: impl FnMut(&Leaf, i64)) -> bool {
        digits(layout.leaves(), self, &mut visit)
    }

    #[inline(always)]
    fn offset_in<L: StaticLayout>(self) -> Option<i64> {
        if cfg!(debug_assertions) && !(0..const { L::SIZE }).contains(&self) {
            return None;
        }
        Some(L::at(self))
    }

    fn to_coord(self) -> Result<Coord, Error> {
        Ok(Coord::leaf(self))
    }
}

/// The sizes of the modes, for a coordinate with one integer for each.
struct Modes<L: ?Sized, const N: usize>(core::marker::PhantomData<L>);

impl<L: StaticLayout + ?Sized, const N: usize> Modes<L, N> {
    const SIZES: [i64; N] = {
        let mut sizes = [0; N];
        let mut i = 0;
        while i < N {
            if let Ok(mode) = L::LAYOUT.mode(i) {
                sizes[i] = mode.size();
            }
            i += 1;
        }
        sizes
    };
}

impl<const N: usize> Spread for [i64; N] {
    #[inline]
    fn spread(self, layout: &Layout, mut visit: impl FnMut(&Leaf, i64)) -> bool {
        let profile = layout.profile();
        if profile.is_leaf(0) {
            return N == 1 && digits(layout.leaves(), self[0], &mut visit);
        }
        if profile.rank(0) != N {
            return false;
        }
        let (mut node, mut leaves, mut inside) = (1, layout.leaves(), true);
        for index in self {
            let span = profile.span(node);
            let (mode, rest) = leaves.split_at(span.leaves);
            inside &= digits(mode, index, &mut visit);
            (node, leaves) = (node + span.nodes, rest);
        }
        inside
    }

    #[inline(always)]
    fn offset_in<L: StaticLayout>(self) -> Option<i64> {
        if cfg!(debug_assertions) {
            for (index, size) in self.into_iter().zip(const { Modes::<L, N>::SIZES }) {
                if !(0..size).contains(&index) {
                    return None;
                }
            }
        }
        Some(L::at(self))
    }

    fn to_coord(self) -> Result<Coord, Error> {
        Coord::tuple(&self.map(Coord::leaf))
    }
}

impl Spread for &Coord {
    #[inline]
    fn spread(self, layout: &Layout, mut visit: impl FnMut(&Leaf, i64)) -> bool {
        let Ok(mut walk) = Walk::new(self, layout.as_tuple()) else { return false };
        let mut inside = true;
        while let Some(part) = walk.next() {
            inside &= digits(&layout.leaves()[part.first..part.end], part.index, &mut visit);
        }
        inside
    }

    fn offset_in<L: StaticLayout>(self) -> Option<i64> {
        let mut offset = 0i64;
        let inside = self.spread(L::layout(), |leaf, digit| {
            offset = offset.wrapping_add(digit.wrapping_mul(leaf.stride.numerator()));
        });
        inside.then_some(offset)
    }

    fn to_coord(self) -> Result<Coord, Error> {
        Ok(*self)
    }
}

impl Spread for Coord {
    #[inline]
    fn spread(self, layout: &Layout, visit: impl FnMut(&Leaf, i64)) -> bool {
        (&self).spread(layout, visit)
    }

    fn offset_in<L: StaticLayout>(self) -> Option<i64> {
        (&self).offset_in::<L>()
    }

    fn to_coord(self) -> Result<Coord, Error> {
        Ok(self)
    }
}

macro_rules! rust_tuples {
    ($(($($name:ident)+))*) => {$(
        impl<$($name: IntoHTuple<i64> + Copy),+> Spread for ($($name,)+) {
            fn spread(self, layout: &Layout, visit: impl FnMut(&Leaf, i64)) -> bool {
                self.into_htuple().is_ok_and(|coord: Coord| coord.spread(layout, visit))
            }

            fn offset_in<L: StaticLayout>(self) -> Option<i64> {
                self.to_coord().ok()?.offset_in::<L>()
            }

            fn to_coord(self) -> Result<Coord, Error> {
                self.into_htuple()
            }
        }
    )*};
}
rust_tuples!((A)(A B)(A B C)(A B C D)(A B C D E)(A B C D E F)(A B C D E F G)(A B C D E F G H));

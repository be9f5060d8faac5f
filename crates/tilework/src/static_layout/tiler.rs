//! Tilers as types: a layout applies to the whole, a tuple of tilers mode by mode.

use super::layout::StaticLayout;
use crate::error::unwrap;
use crate::tiler::Tiler;

/// A type that carries a tiler as a constant.
///
/// | type | tiler |
/// |---|---|
/// | any [`StaticLayout`] | that layout, applied to the whole |
/// | [`Extent<8>`](super::Extent) | `8:1`, also a layout |
/// | `(A, B)`, tuples of up to eight | `<A,B>`: each applied to one mode |
/// | [`Hole`] | `_`: keeps a mode |
///
/// ```
/// use tilework::static_layout::{Extent, Hole, StaticTiler};
/// use tilework::{static_layout, tiler};
/// static_layout! { struct A = 8:2; }
/// assert_eq!(A::TILER, tiler!(8:2));
/// assert_eq!(<(Extent<4>, (Hole, A))>::TILER, tiler!(<4, <_, 8:2>>));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type with a tiler",
    note = "a `StaticLayout`, `Extent<8>`, `Hole`, and tuples of these are"
)]
pub trait StaticTiler {
    /// The tiler.
    const TILER: Tiler;
}

impl<L: StaticLayout> StaticTiler for L {
    const TILER: Tiler = L::LAYOUT.as_tiler();
}

/// The tiler `_`, which keeps a mode.
///
/// ```
/// use tilework::static_layout::{Extent, Hole, LogicalDivide, StaticLayout};
/// use tilework::{layout, static_layout};
/// static_layout! { struct A = (8,16):(20,1); }
/// assert_eq!(LogicalDivide::<A, (Hole, Extent<4>)>::LAYOUT, layout!((8,(4,4)):(20,(1,4))));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Hole;

impl StaticTiler for Hole {
    const TILER: Tiler = Tiler::HOLE;
}

/// Calls a macro for the tuples of one to eight types.
macro_rules! for_tuples {
    ($with:ident) => {
        $with!(A);
        $with!(A B);
        $with!(A B C);
        $with!(A B C D);
        $with!(A B C D E);
        $with!(A B C D E F);
        $with!(A B C D E F G);
        $with!(A B C D E F G H);
    };
}
pub(super) use for_tuples;

macro_rules! by_mode {
    ($($tile:ident)*) => {
        impl<$($tile: StaticTiler),*> StaticTiler for ($($tile,)*) {
            const TILER: Tiler = unwrap(Tiler::by_mode(&[$($tile::TILER),*]));
        }
    };
}
for_tuples!(by_mode);

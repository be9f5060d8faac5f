//! One type for each operation of the algebra: a table.

use super::layout::StaticLayout;
use super::tiler::{StaticTiler, for_tuples};
use crate::error::unwrap;
use crate::layout::{Layout, Leaf};
use crate::stride::Stride;
use crate::tuple::HTuple;
use core::fmt;
use core::marker::PhantomData;

/// A line is `Name<A: Bound = "example", const N: type = example> "what it is": expression => "result"`. The examples
/// become the documentation's, which runs as a test. `valid` stands in the line, so that a compile error shows the line
/// and not the macro.
macro_rules! combinators {
    ($(
        $name:ident<
            $($parameter:ident: $bound:ident = $example:literal),*
            $(; const $constant:ident: $type:ty = $number:literal)*
        > $what:literal: $layout:expr => $result:literal;
    )*) => {$(
        #[doc = $what]
        ///
        /// ```
        /// # use tilework::{layout, static_layout, static_layout::*};
        $(#[doc = concat!("static_layout! { struct ", stringify!($parameter), " = ", $example, "; }")])*
        #[doc = concat!(
            "assert_eq!(", stringify!($name), "::<", stringify!($($parameter),*),
            $(", ", stringify!($number),)* ">::LAYOUT, layout!(", $result, "));"
        )]
        /// ```
        pub struct $name<$($parameter,)* $(const $constant: $type,)*>(PhantomData<($($parameter,)*)>);

        impl<$($parameter: $bound,)* $(const $constant: $type,)*> StaticLayout
            for $name<$($parameter,)* $($constant,)*>
        {
            const LAYOUT: Layout = $layout;
        }

        no_value! { $name [$($parameter,)*] [$($constant: $type,)*] }
    )*};
}

/// The traits of a type without a value, whatever its parameters are: derived ones would want them of the parameters.
macro_rules! no_value {
    ($name:ident [$($parameter:ident,)*] [$($constant:ident: $type:ty,)*]) => {
        impl<$($parameter,)* $(const $constant: $type,)*> Clone for $name<$($parameter,)* $($constant,)*> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<$($parameter,)* $(const $constant: $type,)*> Copy for $name<$($parameter,)* $($constant,)*> {}
        impl<$($parameter,)* $(const $constant: $type,)*> Default for $name<$($parameter,)* $($constant,)*> {
            fn default() -> Self {
                $name(PhantomData)
            }
        }
        impl<$($parameter,)* $(const $constant: $type,)*> fmt::Debug for $name<$($parameter,)* $($constant,)*>
        where
            Self: StaticLayout,
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(Self::layout(), f)
            }
        }
    };
}

combinators! {
    Compose<A: StaticLayout = "(8,8):(8,1)", B: StaticTiler = "((4,8),2):((16,1),8)">
        "`A o B`, [`Layout::composition`]; by mode for a tuple `B`, [`Layout::composition_by_mode`].":
        unwrap(A::LAYOUT.composition_by_mode(&B::TILER)) => "((4,8),2):((2,8),1)";
    Coalesce<A: StaticLayout = "(2,(1,6)):(1,(6,2))">
        "The fewest modes for the same function, [`Layout::coalesce`].":
        A::LAYOUT.coalesce() => "12:1";
    Flatten<A: StaticLayout = "(3,(2,4)):(8,(4,1))">
        "The leaves as one flat layout, [`Layout::flatten`].":
        A::LAYOUT.flatten() => "(3,2,4):(8,4,1)";
    Filter<A: StaticLayout = "(4,3,2):(1,0,4)">
        "Each offset of a broadcast once, [`Layout::filter`].":
        A::LAYOUT.filter() => "8:1";
    Sort<A: StaticLayout = "(2,(4,8)):(32,(8,1))">
        "The leaves with ascending strides, [`Layout::sort`].":
        A::LAYOUT.sort() => "(8,4,2):(1,8,32)";
    Mode<A: StaticLayout = "(4,(2,3)):(1,(4,8))"; const N: usize = 1>
        "Mode `N`, [`Layout::mode`].":
        unwrap(A::LAYOUT.mode(N)) => "(2,3):(4,8)";
    RightInverse<A: StaticLayout = "(4,8):(8,1)">
        "The largest layout with `A(R(c)) = c`, [`Layout::right_inverse`].":
        unwrap(A::LAYOUT.right_inverse()) => "(8,4):(4,1)";
    LeftInverse<A: StaticLayout = "(4,8):(8,1)">
        "The index of each offset of `A`, [`Layout::left_inverse`].":
        unwrap(A::LAYOUT.left_inverse()) => "(8,4):(4,1)";
    Inverse<A: StaticLayout = "(4,8):(8,1)">
        "The inverse of a bijection, [`Layout::inverse`].":
        unwrap(A::LAYOUT.inverse()) => "(8,4):(4,1)";
    Nullspace<A: StaticLayout = "(4,3):(1,0)">
        "The coordinates that `A` maps to 0, [`Layout::nullspace`].":
        unwrap(A::LAYOUT.nullspace()) => "3:4";
    Complement<A: StaticLayout = "(4,8):(1,8)">
        "The offsets that `A` leaves out, [`Layout::complement`].":
        unwrap(A::LAYOUT.complement()) => "(2,1):(4,64)";
    ComplementWithin<A: StaticLayout = "(4,8):(1,8)", M: StaticLayout = "256:1">
        "The offsets of the shape of `M` that `A` leaves out, [`Layout::complement_within`].":
        unwrap(A::LAYOUT.const_complement_within(&M::LAYOUT.shape())) => "(2,4):(4,64)";
    LogicalDivide<A: StaticLayout = "(4,2,3):(2,1,8)", T: StaticTiler = "4:2">
        "Tiles and their places, [`Layout::logical_divide`].":
        unwrap(A::LAYOUT.logical_divide(&T::TILER)) => "((2,2),(2,3)):((4,1),(2,8))";
    ZippedDivide<A: StaticLayout = "(4,2,3):(2,1,8)", T: StaticTiler = "4:2">
        "All tiles in mode 0, all places in mode 1, [`Layout::zipped_divide`].":
        unwrap(A::LAYOUT.zipped_divide(&T::TILER)) => "((2,2),(2,3)):((4,1),(2,8))";
    TiledDivide<A: StaticLayout = "(4,2,3):(2,1,8)", T: StaticTiler = "4:2">
        "All tiles in mode 0, one mode for each of the places', [`Layout::tiled_divide`].":
        unwrap(A::LAYOUT.tiled_divide(&T::TILER)) => "((2,2),2,3):((4,1),2,8)";
    FlatDivide<A: StaticLayout = "(4,2,3):(2,1,8)", T: StaticTiler = "4:2">
        "One mode for each of the tiles' and the places', [`Layout::flat_divide`].":
        unwrap(A::LAYOUT.flat_divide(&T::TILER)) => "(2,2,2,3):(4,1,2,8)";
    LogicalProduct<A: StaticLayout = "(2,2):(4,1)", T: StaticTiler = "6:1">
        "`A`, and how it is repeated, [`Layout::logical_product`].":
        unwrap(A::LAYOUT.logical_product(&T::TILER)) => "((2,2),(2,3)):((4,1),(2,8))";
    ZippedProduct<A: StaticLayout = "(2,2):(4,1)", T: StaticTiler = "6:1">
        "All of `A` in mode 0, all repetitions in mode 1, [`Layout::zipped_product`].":
        unwrap(A::LAYOUT.zipped_product(&T::TILER)) => "((2,2),(2,3)):((4,1),(2,8))";
    TiledProduct<A: StaticLayout = "(2,2):(4,1)", T: StaticTiler = "6:1">
        "All of `A` in mode 0, one mode for each of the repetitions', [`Layout::tiled_product`].":
        unwrap(A::LAYOUT.tiled_product(&T::TILER)) => "((2,2),2,3):((4,1),2,8)";
    FlatProduct<A: StaticLayout = "(2,2):(4,1)", T: StaticTiler = "6:1">
        "One mode for each of `A`'s and the repetitions', [`Layout::flat_product`].":
        unwrap(A::LAYOUT.flat_product(&T::TILER)) => "(2,2,2,3):(4,1,2,8)";
    BlockedProduct<A: StaticLayout = "(2,5):(5,1)", G: StaticLayout = "(3,4):(1,3)">
        "A matrix of the block `A`, one block after the other, [`Layout::blocked_product`].":
        unwrap(A::LAYOUT.blocked_product(&G::LAYOUT)) => "((2,3),(5,4)):((5,10),(1,30))";
    RakedProduct<A: StaticLayout = "(2,5):(5,1)", G: StaticLayout = "(3,4):(1,3)">
        "A matrix of the block `A`, the blocks interleaved, [`Layout::raked_product`].":
        unwrap(A::LAYOUT.raked_product(&G::LAYOUT)) => "((3,2),(4,5)):((10,5),(30,1))";
    Recast<A: StaticLayout = "(8,4):(1,8)"; const OLD: i64 = 16; const NEW: i64 = 32>
        "Elements of `OLD` bits as elements of `NEW` bits, [`Layout::recast`].":
        unwrap(A::LAYOUT.recast(OLD, NEW)) => "(4,4):(1,4)";
    CommonLayout<A: StaticLayout = "(8,4):(1,8)", B: StaticLayout = "(8,4):(1,16)">
        "The largest layout on which both are contiguous, [`Layout::common_layout`].":
        unwrap(A::LAYOUT.common_layout(&B::LAYOUT)) => "8:1";
}

/// The modes of a tuple of layouts, `(A,B,...)`, [`Layout::concatenate`].
///
/// ```
/// # use tilework::{layout, static_layout, static_layout::*};
/// static_layout! { struct A = 4:1; struct B = (2,3):(4,8); }
/// assert_eq!(Concatenate::<(A, B)>::LAYOUT, layout!((4,(2,3)):(1,(4,8))));
/// ```
pub struct Concatenate<T>(PhantomData<T>);

no_value! { Concatenate [T,] [] }

macro_rules! concatenate {
    ($($mode:ident)*) => {
        impl<$($mode: StaticLayout),*> StaticLayout for Concatenate<($($mode,)*)> {
            const LAYOUT: Layout = unwrap(Layout::concatenate(&[$($mode::LAYOUT),*]));
        }
    };
}
for_tuples!(concatenate);

/// The layout `N:1`, as a tiler the tile of `N` neighbours.
///
/// ```
/// # use tilework::{layout, static_layout, static_layout::*};
/// static_layout! { struct A = (8,16):(16,1); }
/// assert_eq!(ZippedDivide::<A, (Extent<4>, Extent<8>)>::LAYOUT, layout!(((4,8),(2,2)):((16,1),(64,8))));
/// ```
pub struct Extent<const N: i64>(PhantomData<()>);

impl<const N: i64> StaticLayout for Extent<N> {
    // An extent of 1 has no step: `1:0`.
    const LAYOUT: Layout =
        unwrap(Layout::new(HTuple::leaf(Leaf { extent: N, stride: Stride::integer((N != 1) as i64) })));
}

no_value! { Extent [] [N: i64,] }

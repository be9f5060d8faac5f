//! Layouts as types: what is known when the program is compiled costs nothing when it runs.
//!
//! A [`StaticLayout`] is a type without a value that carries a [`Layout`] as a constant.
//! [`static_layout!`](crate::static_layout!) declares such types from the text notation, and the types of this module
//! put them together: [`Compose`], [`ZippedDivide`], [`BlockedProduct`] and so on hold in their constant what the
//! method of that name returns.
//!
//! ```
//! use tilework::static_layout::{Compose, StaticLayout};
//! use tilework::static_layout;
//! static_layout! {
//!     /// A row-major 8x8 matrix.
//!     struct Data = (8,8):(8,1);
//!     /// 32 threads of two values each (paper, section 3.3.4).
//!     struct ThreadValue = ((4,8),2):((16,1),8);
//!     /// What thread `t` holds as its value `v`.
//!     type Partition = Compose<Data, ThreadValue>;
//! }
//! assert_eq!(Partition::LAYOUT.to_string(), "((4,8),2):((2,8),1)");
//! assert_eq!(Partition::at_coordinate([5, 1]), 2 + 8 + 1);
//! ```
//!
//! There is one algebra: the constants are computed by the same `const fn`s that run on values. So a condition that
//! is violated is a compile error, and its text is the message of the run-time error:
//!
//! ```compile_fail
//! # use tilework::{static_layout, static_layout::Compose};
//! static_layout! {
//!     struct A = (4,6,8):(2,3,5);
//!     struct B = 6:1;
//!     // error[E0080]: evaluation panicked: at leaf 0, 6:1, the left layout changes its step after 4 steps of 1,
//!     // and 4 does not divide 6; an extent that is a multiple of 4 or at most 4 may fit
//!     type R = Compose<A, B>;
//! }
//! ```
//!
//! | question | answer |
//! |---|---|
//! | When is a constant computed? | a declared `struct` or `type`: by `cargo check`. Within a generic function: where it is instantiated, by `cargo build` |
//! | How often? | once for each distinct type |
//! | What does it cost? | 200 compositions add less than 0.1 s to `cargo check` (`benches/const_compile_time.sh`) |
//! | What is left at run time? | the instructions of the index written by hand (`tests/assembly.rs` compares them) |

mod combinators;
mod evaluate;
mod tiler;

pub use combinators::*;
pub use tiler::{Hole, StaticTiler};

use crate::error::Error;
use crate::layout::Layout;
use crate::stride::Codomain;

/// A type that carries a layout as a constant.
///
/// [`static_layout!`](crate::static_layout!) implements it. A type of one's own can as well, and then all of the
/// algebra takes it:
///
/// ```
/// use tilework::static_layout::{StaticLayout, LogicalDivide, Extent};
/// use tilework::{HTuple, Layout, layout};
/// /// `N` elements, `N + 1` apart.
/// struct Padded<const N: i64>;
/// impl<const N: i64> StaticLayout for Padded<N> {
///     const LAYOUT: Layout = match Layout::with_stride(
///         &HTuple::leaf(N),
///         &HTuple::leaf(tilework::Stride::integer(N + 1)),
///     ) {
///         Ok(layout) => layout,
///         Err(error) => panic!("{}", error.message().as_str()),
///     };
/// }
/// assert_eq!(Padded::<8>::at(3), 27);
/// assert_eq!(LogicalDivide::<Padded<8>, Extent<4>>::LAYOUT, layout!((4,2):(9,36)));
/// ```
pub trait StaticLayout {
    /// The layout.
    const LAYOUT: Layout;

    /// The number of coordinates.
    ///
    /// ```
    /// # use tilework::{static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = ((4,8),2):((16,1),8); }
    /// let registers = [0.0f32; A::SIZE as usize];
    /// assert_eq!((registers.len(), A::RANK, A::DEPTH, A::COSIZE), (64, 2, 2, 64));
    /// ```
    const SIZE: i64 = Self::LAYOUT.size();

    /// The maximum offset plus one: how many elements an array for this layout has. Only integer and XOR strides have
    /// one; for others this constant does not compile.
    const COSIZE: i64 = valid_offset(Self::LAYOUT.cosize());

    /// The number of modes.
    const RANK: usize = Self::LAYOUT.rank();

    /// The levels of tuples.
    const DEPTH: usize = Self::LAYOUT.depth();

    /// The layout as a place in the program's constants, where code can take a reference to it.
    ///
    /// ```
    /// # use tilework::{Layout, static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = (4,8):(8,1); }
    /// let layout: &'static Layout = A::layout();
    /// assert_eq!(*layout, A::LAYOUT);
    /// ```
    #[inline(always)]
    fn layout() -> &'static Layout {
        const { &Self::LAYOUT }
    }

    /// The number of coordinates, [`SIZE`](Self::SIZE).
    ///
    /// ```
    /// # use tilework::{static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = (4,8):(8,1); }
    /// assert_eq!(A::size(), 32);
    /// ```
    #[inline(always)]
    fn size() -> i64 {
        const { Self::SIZE }
    }

    /// The offset of an integral coordinate, [`Layout::at`].
    ///
    /// ```
    /// # use tilework::{static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = (4,8):(8,1); }
    /// assert_eq!((A::at(0), A::at(5), A::at(31)), (0, 9, 31));
    /// ```
    ///
    /// # Panics
    /// For an offset beyond 64 bits, which no in-bounds coordinate has. With rational or coordinate strides, the call
    /// does not compile.
    #[inline(always)]
    fn at(index: i64) -> i64 {
        evaluate::at::<Self>(index)
    }

    /// The offset of a coordinate with one integer for each mode: `L(i,j)` is `L::at_coordinate([i, j])`.
    ///
    /// ```
    /// # use tilework::{static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = ((2,4),8):((1,16),2); }
    /// assert_eq!(A::at_coordinate([3, 5]), 1 + 16 + 10);
    /// assert_eq!(A::at_coordinate([3, 5]), A::at(3 + 8 * 5));
    /// ```
    ///
    /// As many numbers as the layout has modes, or the call does not compile:
    ///
    /// ```compile_fail
    /// # use tilework::{static_layout, static_layout::StaticLayout};
    /// static_layout! { struct A = ((2,4),8):((1,16),2); }
    /// A::at_coordinate([3, 5, 0]); // a coordinate takes rank 2 here, found rank 3
    /// ```
    ///
    /// # Panics
    /// For an offset beyond 64 bits, which no in-bounds coordinate has. With rational or coordinate strides, the call
    /// does not compile.
    #[inline(always)]
    fn at_coordinate<const N: usize>(coordinate: [i64; N]) -> i64 {
        evaluate::at_coordinate::<Self, N>(coordinate)
    }
}

/// The value, or the error's message as a panic: in `const` a compile error.
#[track_caller]
#[inline(always)]
const fn valid(result: Result<Layout, Error>) -> Layout {
    match result {
        Ok(layout) => layout,
        Err(error) => stop(error),
    }
}

#[track_caller]
const fn valid_offset(result: Result<i64, Error>) -> i64 {
    match result {
        Ok(offset) => offset,
        Err(error) => stop(error),
    }
}

#[cold]
#[track_caller]
const fn stop(error: Error) -> ! {
    panic!("{}", error.message().as_str())
}

#[track_caller]
const fn require_integer_offsets(layout: &Layout) {
    let found = layout.codomain();
    if !matches!(found, Codomain::Integer | Codomain::Xor) {
        stop(Error::Codomain { operation: "an integer offset", found });
    }
}

/// Declares types that carry layouts: structs from the text notation, and names for what is computed from them.
///
/// ```
/// use tilework::static_layout::{BlockedProduct, StaticLayout};
/// use tilework::static_layout;
/// static_layout! {
///     /// A row-major tile.
///     pub struct Tile = (2,2):(2,1);
///     pub(crate) struct Grid = (3,4):(4,1);
///     /// The matrix of tiles.
///     pub type Matrix = BlockedProduct<Tile, Grid>;
/// }
/// assert_eq!(Matrix::LAYOUT.to_string(), "((2,3),(2,4)):((2,16),(1,4))");
/// assert_eq!(format!("{Tile:?} {Grid:?}"), "(2,2):(2,1) (3,4):(4,1)");
/// ```
///
/// Attributes and visibility are kept. A struct is `Clone`, `Copy`, `Default` and `Debug`, which writes the layout; it
/// can derive what else it should be. The notation is that of [`layout!`](crate::layout!). Each declaration is computed
/// on the spot, so that `cargo check` reports what has no layout:
///
/// ```compile_fail
/// tilework::static_layout! { struct A = (4,8):(1,4,5); } // shape and stride have different profiles
/// ```
#[macro_export]
macro_rules! static_layout {
    () => {};
    ($(#[$attribute:meta])* $visibility:vis type $name:ident = $layout:ty; $($rest:tt)*) => {
        $(#[$attribute])*
        $visibility type $name = $layout;
        const _: () = {
            let _ = <$name as $crate::static_layout::StaticLayout>::LAYOUT;
        };
        $crate::static_layout! { $($rest)* }
    };
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident = $($rest:tt)*) => {
        $crate::static_layout! { @notation [$(#[$attribute])* $visibility struct $name] [] $($rest)* }
    };
    // Everything up to the next `;` is notation.
    (@notation [$($head:tt)*] [$($text:tt)*] ; $($rest:tt)*) => {
        $crate::static_layout! { @declare [$($text)*] $($head)* }
        $crate::static_layout! { $($rest)* }
    };
    (@notation [$($head:tt)*] [$($text:tt)*] $token:tt $($rest:tt)*) => {
        $crate::static_layout! { @notation [$($head)*] [$($text)* $token] $($rest)* }
    };
    (@notation [$($head:tt)*] [$($text:tt)*]) => {
        ::core::compile_error! { "expected `;` behind the layout" }
    };
    (@declare [$($text:tt)*] $(#[$attribute:meta])* $visibility:vis struct $name:ident) => {
        $(#[$attribute])*
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::default::Default)]
        $visibility struct $name;
        impl $crate::static_layout::StaticLayout for $name {
            const LAYOUT: $crate::Layout = $crate::layout!($($text)*);
        }
        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(<Self as $crate::static_layout::StaticLayout>::layout(), f)
            }
        }
    };
}

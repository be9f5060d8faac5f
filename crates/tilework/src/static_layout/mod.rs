//! Layouts as types: values that are known at compile time cost nothing at run time.
//!
//! A [`StaticLayout`] is a type without a value that carries a [`Layout`](crate::Layout) as a constant.
//! [`static_layout!`](crate::static_layout!) declares such types from the text notation, and the types of this module
//! combine them: the constant of [`Compose`], [`ZippedDivide`], [`BlockedProduct`] and so on is the result of the
//! method of that name.
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
//! assert_eq!(Partition::at([5, 1]), 2 + 8 + 1);
//! ```
//!
//! There is one algebra: the constants are computed by the same `const fn`s that run on values. So a violated condition
//! is a compile error, with the message of the run-time error:
//!
//! ```compile_fail
//! # use tilework::{static_layout, static_layout::Compose};
//! static_layout! {
//!     struct A = (4,6,8):(2,3,5);
//!     struct B = 6:1;
//!     // error[E0080]: evaluation panicked: at leaf 0, 6:1, the left layout changes its step: 4:1 fits
//!     // and 5:1 does not; a multiple of 4 may fit as well
//!     type R = Compose<A, B>;
//! }
//! ```
//!
//! | question | answer |
//! |---|---|
//! | When is a constant computed? | for a declared `struct` or `type`, by `cargo check`; within a generic function, when it is instantiated, by `cargo build` |
//! | How often? | once for each distinct type |
//! | What does it cost? | 200 compositions add less than 0.1 s to `cargo check` (`benches/const_compile_time.sh`) |
//! | What remains at run time? | the instructions of the index written by hand (`tests/assembly.rs` compares them) |

mod combinators;
mod layout;
mod tiler;

pub use combinators::*;
pub use layout::{StaticCoord, StaticLayout};
pub use tiler::{Hole, StaticTiler};

/// Declares types that carry layouts: structs from the text notation, and names for computed types.
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
/// can derive further traits. The notation is that of [`layout!`](crate::layout!). Each declaration is computed
/// immediately, so `cargo check` reports its errors:
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

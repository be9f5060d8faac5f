//! The text notation, in both directions, also in `const`.
//!
//! ```text
//! layout   := shape ':' stride | '(' layout {',' layout} ')' | shape
//! shape    := extent | '(' [shape {',' shape}] ')'
//! stride   := leaf   | '(' [stride {',' stride}] ')'
//! leaf     := count {'@' index} | '^' uint          count := int | int '/' int
//! tiler    := '<' tile {',' tile} '>'                tile  := layout | extent | tiler | '_'
//! swizzled := 'Sw<' B ',' M ',' S '>' 'o' offset 'o' layout
//! view     := '{' offset '}' 'o' layout
//! ```
//!
//! A layout without strides is compact, the first mode fastest. Text is printed without spaces inside a layout, and the
//! printed form parses back to the same value. Also accepted on input: white space, comments from `#` or `//` to the
//! end of a line, CuTe's static integers `_4`, `Int<4>{}`, `C<4>` and `constant<int,4>`, its `E<1>{}`, PyCuTe's `F9` for `^9`, the paper's
//! `f9` and `2e1`, hexadecimal integers, `Layout((4,8),(1,4))`, of C++ `Layout<Shape<_4,_8>,Stride<_1,_4>>` and
//! `make_layout(make_shape(4,8), make_stride(1,4))`, `S<3,4,3>`, the DSL's `!cute.layout<"(4,8):(1,4)">`, and the signs
//! `∘`, `⟨`, `⟩`. `(L)` with one layout inside is `L`, and a tuple with layouts and extents in it is a tiler, as CuTe
//! prints one: `(4,8:2)` is `<4:1,8:2>`.
//!
//! Layouts can also be written in the syntax of other programs: CuTe C++ and the CuTe DSL (`cute`), mdspan and NumPy
//! (`strided`).

mod buffer;
mod cute;
mod message;
#[cfg(feature = "alloc")]
pub(crate) mod near;
mod parse;
mod print;
mod reader;
mod strided;

pub use buffer::CAPACITY;
pub use buffer::Text;
pub use reader::Atom;
#[doc(hidden)]
pub use reader::Reader;

/// A constant [`Layout`](crate::Layout) in the text notation.
///
/// ```
/// use tilework::{Layout, layout};
/// const TV: Layout = layout!(((4,8),2):((16,1),8));
/// assert_eq!(TV.size(), 64);
/// ```
///
/// A malformed layout does not compile:
///
/// ```compile_fail
/// # use tilework::{Layout, layout};
/// const L: Layout = layout!((4,8):(1,4,5));
/// ```
#[macro_export]
macro_rules! layout {
    ($($text:tt)*) => {
        const { $crate::unwrap($crate::Layout::parse(stringify!($($text)*))) }
    };
}

/// A constant [`Tiler`](crate::Tiler) in the text notation: `tiler!(<4:1, 8:2>)`, `tiler!(8:3)`.
///
/// ```
/// use tilework::{Tiler, tiler};
/// const T: Tiler = tiler!(<4:1, _>);
/// assert_eq!(T.rank(), 2);
/// ```
#[macro_export]
macro_rules! tiler {
    ($($text:tt)*) => {
        const { $crate::unwrap($crate::Tiler::parse(stringify!($($text)*))) }
    };
}

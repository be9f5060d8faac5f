#![doc = include_str!("../README.md")]
//!
//! # The modules, in reading order
//!
//! | module | contents |
//! |---|---|
//! | `codomain.rs`, `error.rs` | `Error`: every condition that can fail, with the numbers that violate it, a stable code and a sentence (`text/message.rs`); the macro `tri!`, and `unwrap` for constants |
//! | `int.rs` | all arithmetic on extents and strides: checked `add`, `sub`, `mul`, floor division, the carry-less product |
//! | `list.rs` | a vector of fixed capacity that can be filled in `const`, and sorting of few elements, in `const` or by a key |
//! | `tuple/` | `Profile` (the nesting alone), `HTuple<T>` (nesting and leaves), `Part` (a subtree in place), patterns with `_` and the parts that slicing keeps |
//! | `shape.rs` | shapes and coordinates: compatibility, `idx2crd`, `crd2idx` (section 2.2) |
//! | `stride.rs` | `Unit`, `Rational`, `Stride` (section 2.3) |
//! | `layout/` | `Layout` and its invariants (`mod.rs`), parts and concatenation (`access.rs`, `part.rs`), constructors (`construct.rs`), evaluation (`evaluate.rs`), slices and views (`view.rs`), the matrix form (`linear_form.rs`) |
//! | `tiler.rs` | `Tiler`: a layout, or a tuple of tilers for the modes (section 3.3.5) |
//! | `algebra/coalesce.rs` | the canonical form, and equality of functions (3.2) |
//! | `algebra/composition.rs`, `modes.rs`, `carry.rs`, `floor_sum.rs` | composition (3.3), the modes of its left operand, the carry test, sums of floors along a line |
//! | `algebra/complement.rs`, `by_mode.rs`, `divide.rs`, `product.rs` | complement, divide, product (3.5); `by_mode.rs` has composition by mode, and the code that divide and product share with it |
//! | `algebra/inverse.rs`, `indexed.rs`, `right_inverse.rs`, `left_inverse.rs`, `nullspace.rs` | right inverse, left inverse and nullspace (3.4), one component of the codomain at a time; their modes; chains of modes |
//! | `algebra/search/` | inverses that no formula gives: of layouts that overlap themselves, or whose strides do not divide each other, and of XOR strides where elimination does not decide; how often each search is reached |
//! | `algebra/common_layout.rs`, `common_domain.rs`, `layout_add.rs` | the layout that two layouts have in common (3.4.2), the loops that run over both, sums of layouts |
//! | `algebra/recast.rs`, `xor/recast.rs` | elements of another width; the same for XOR strides and swizzles |
//! | `algebra/swizzled.rs`, `analysis/swizzled.rs` | inverses, common layouts and the image of swizzled layouts |
//! | `algebra/pycute.rs`, `gaps.rs` | the algebra with results in the forms of CUTLASS's pycute; products and inverses by the gaps between modes |
//! | `analysis/image.rs`, `disjoint.rs` | bounds, injective, surjective, compact, increasing, without enumerating the image; whether two images intersect |
//! | `analysis/reason.rs` | why a question has its answer: theorems, and the coordinates or offset that decide |
//! | `swizzle.rs` | `Swizzle`, `Composed`, and `AnyLayout`: a layout or a swizzled one |
//! | `algebra/xor/` | the algebra of XOR strides: `bit_matrix.rs` and `bits.rs` matrices over F2, `radix.rs` digits, `pieces.rs` normal form, `analysis.rs` equality, rank and image, `composition.rs`, `layout_add.rs`, `inverse.rs`, `swizzled.rs` conversions from and to swizzles; `table.rs` recognises a list of offsets as a layout |
//! | `linear_layout/` | Triton's form of thread-value layouts: bases over F2, read and written |
//! | `static_layout/` | layouts as types |
//! | `tensor/` | layouts bound to elements (2.5): `Accessor`, `Tensor`, slices, tiles, partitions, predicated views |
//! | `text/` | the notation: one reader, the parser, the printer, a text buffer for `const`; layouts in the syntax of CuTe C++, the CuTe DSL, mdspan and NumPy |
//! | `einfold.rs` | modes by names, `(ab)cde -> c(ade)b`, with the feature `alloc` |
//! | `strided.rs` | `Strided`: extents and strides as the argument of a kernel, and the CUDA and WGSL that read it |
//! | `serde.rs` | the values of the notation as their text, with the feature `serde` |
//! | `prelude.rs`, `tutorial/` | the items that most programs use; documentation only, compiled under `cfg(any(doc, doctest))` |
//!
//! # One value, and everything in `const`
//!
//! A `Layout` is one `Copy` value without heap: an `HTuple<Leaf>` and the codomain.
//!
//! - **The nesting** is a `Profile`: a preorder list of bytes, one for each node, either "leaf" or "tuple" with the number of its children.
//!   `(*,(*,*))` is `2 leaf 2 leaf leaf`. Shape and stride share one profile, so they are congruent by construction, and no operation has to
//!   walk two trees. Two profiles are congruent if their bytes are equal.
//! - **The leaves** are a flat list beside it: an extent and a stride each.
//! - **A stride** is a rational multiple of a *unit*. The unit names the codomain: 1 (integers and rationals), a basis element `E(path)`
//!   (coordinates), or the XOR unit. One concrete type covers the four integer-semimodules of the paper, because a trait cannot be called in
//!   `const`. A `Unit` is 32 bits: five bits for each index of the path behind a leading 1, or the top bit for XOR.
//! - **The capacity** is 32 leaves (`MAX_LEAVES`) and a full binary tree over them (`MAX_NODES`); more is `Error::Capacity`.
//!   A layout is 848 bytes (`std::mem::size_of::<Layout>()`).
//!
//! Every operation is a `const fn`. So `const R: Layout = ...`, a layout read from a file, and the constant of a type all go through the same
//! code, and there is no second algebra of templates or macros that could differ. The price is the style: `while` loops with an index, since
//! `for` needs an iterator, `tri!(...)` for `?`, `.same()` for `==` on own types, and insertion sort. An operation that takes a tuple of Rust
//! values, such as `layout.slice((9, ..))`, needs a trait, and so cannot be `const`; in a constant, `const_slice` does the same.
//!
//! # What is true of every layout
//!
//! `Layout::new` checks, and every constructor goes through it:
//!
//! | checked | consequence |
//! |---|---|
//! | each extent is 1 or more | no division by 0; `div_rem` by an extent is floor division |
//! | the product of the extents fits in 64 bits | `size()`, prefix products and indices need no check |
//! | the sum of all positive reaches `(s-1)d`, and the sum of all negative ones, fit in 64 bits | **in-bounds evaluation cannot overflow**, in whatever order the terms are added; `at` checks only the last mode, which may be out of bounds |
//! | all strides belong to one codomain (0 to all) | an offset is a number, or a coordinate of one profile |
//! | no basis element addresses a mode within which another addresses a part | each component of a coordinate offset is one number |
//!
//! A layout made from checked parts is checked again, unless a comment gives the reason why that is not needed (`Layout::trusted`, as in
//! coalesce, whose result has no more leaves than its operand and the same offsets).
//!
//! # How a static layout becomes a type
//!
//! `StaticLayout` is a trait with one constant, `LAYOUT`. The macro `static_layout!` declares a type without a value for a layout in the text
//! notation, by `const` parsing of `stringify!`ed tokens; there is no procedural macro. `Compose<A, B>`, `ZippedDivide<A, T>` and so on are
//! types whose constant is the result of the method of that name for `A::LAYOUT` and `B::LAYOUT`.
//!
//! - A violated condition is a panic in `const`, and so a compile error. Its text is the run-time message: `Error::message()` builds it in
//!   `const` in a `Text` buffer.
//! - `at` walks a table of (mode, extent, stride) that is itself a constant, in one loop of constant length. The compiler unrolls it
//!   into the arithmetic of the strides; `tests/assembly/` holds both forms to compare.
//! - A constant within a generic function is computed when the function is instantiated: `cargo build` reports its errors, `cargo check` does
//!   not.
#![no_std]
#![forbid(unsafe_code)]
#![allow(clippy::should_implement_trait)]
#![warn(clippy::must_use_candidate)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod prelude;
pub mod static_layout;
pub mod text;
#[cfg(any(doc, doctest))]
pub mod tutorial;

/// Internals for the other crates of tilework; they may change in any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::int::{self, ceil_div, gcd};
    pub use crate::list::sort_by_key;
    pub use crate::tensor::{share_of, thread_coordinate, tile_of};
    #[cfg(feature = "alloc")]
    pub use crate::text::near::{begun, did_you_mean, nearest};
    pub use crate::text::{Atom, CAPACITY, Reader};
    pub use crate::tuple::Part;
}

mod algebra;
mod analysis;
mod codomain;
#[cfg(feature = "alloc")]
mod einfold;
mod error;
#[doc(hidden)]
pub mod int;
mod layout;
mod linear_layout;
mod list;
#[cfg(feature = "serde")]
mod serde;
mod shape;
mod stride;
mod strided;
mod swizzle;
mod tensor;
mod tiler;
mod tuple;

pub use algebra::Completeness;
pub use algebra::pycute;
pub use algebra::xor::{BitMatrix, MAX_BITS};
pub use analysis::{Offsets, Reason};
pub use codomain::Codomain;
#[cfg(feature = "alloc")]
pub use einfold::Einfold;
pub use error::{Error, unwrap};
pub use layout::{IntoHTuple, Layout, Leaf, LinearForm, Offset, View};
pub use linear_layout::{Input, LinearLayout};
pub use shape::{Coord, Coordinates, Shape};
pub use static_layout::{StaticLayout, StaticTiler};
pub use stride::{MAX_BASIS_DEPTH, MAX_BASIS_INDEX, MAX_TERMS, Rational, Stride, Strides, Unit};
pub use strided::{Strided, StridedLeaf};
pub use swizzle::{AnyLayout, Composed, Swizzle};
pub use tensor::{
    Accessor, AccessorMut, AccessorOffset, Constant, Counting, CountingCoord, Elements, Entries, HasLayout,
    Predicated, Tensor, TensorCoord, Transform,
};
pub use text::Text;
pub use tiler::Tiler;
pub use tuple::{HTuple, MAX_LEAVES, MAX_NODES, Pattern, PatternLeaf, Profile};

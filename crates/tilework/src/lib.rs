#![doc = include_str!("../README.md")]
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
    pub use crate::int::ceil_div;
    pub use crate::tensor::{share_of, thread_coordinate, tile_of};
    pub use crate::text::{Atom, CAPACITY, Reader};
    pub use crate::tuple::Part;
}

mod algebra;
mod analysis;
mod codomain;
mod error;
mod int;
mod layout;
mod linear_layout;
mod list;
mod shape;
mod stride;
mod swizzle;
mod tensor;
mod tiler;
mod tuple;

pub use algebra::pycute;
pub use algebra::xor::{BitMatrix, MAX_BITS};
pub use codomain::Codomain;
pub use error::{Error, unwrap};
pub use layout::{IntoHTuple, Layout, Leaf, LinearForm, Offset, View};
pub use linear_layout::{Input, LinearLayout};
pub use shape::{Coord, Coordinates, Shape};
pub use static_layout::{StaticLayout, StaticTiler};
pub use stride::{MAX_BASIS_DEPTH, MAX_BASIS_INDEX, Rational, Stride, Strides, Unit};
pub use swizzle::{AnyLayout, Composed, Swizzle};
pub use tensor::{
    Accessor, AccessorMut, AccessorOffset, Constant, Counting, CountingCoord, Elements, Entries, HasLayout,
    Predicated, Tensor, TensorCoord, Transform,
};
pub use text::Text;
pub use tiler::Tiler;
pub use tuple::{HTuple, MAX_LEAVES, MAX_NODES, Pattern, PatternLeaf, Profile};

#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![allow(clippy::should_implement_trait)]

#[cfg(test)]
extern crate std;

pub mod text;

mod algebra;
mod analysis;
mod error;
mod int;
mod layout;
mod list;
mod shape;
mod stride;
mod swizzle;
mod tiler;
mod tuple;

pub use error::Error;
pub use int::ceil_div;
pub use layout::{IntoHTuple, Layout, Leaf, Offset, View};
pub use shape::{Coord, Coordinates, Shape};
pub use stride::{Codomain, MAX_BASIS_DEPTH, MAX_BASIS_INDEX, Rational, Stride, Strides, Unit};
pub use swizzle::{Composed, Swizzle};
pub use text::Text;
pub use tiler::Tiler;
pub use tuple::{HTuple, MAX_LEAVES, MAX_NODES, Pattern, PatternLeaf, Profile};

#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod geometry;
mod grid;
pub mod html;
pub mod palette;
#[cfg(feature = "png")]
pub mod png;
mod scene;
pub mod svg;
pub mod terminal;
pub mod tex;

pub use grid::{Options, draw};
pub use scene::{Area, Cell, Ground, Label, Level, Outline, Panel, Scene};

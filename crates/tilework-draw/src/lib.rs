#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod banks;
mod color_by;
#[cfg(feature = "png")]
mod error;
#[cfg(feature = "png")]
pub mod file;
mod format;
mod geometry;
mod grid;
pub mod html;
mod instruction;
pub mod palette;
#[cfg(feature = "png")]
pub mod pdf;
#[cfg(feature = "png")]
pub mod png;
mod program;
mod scene;
mod sharding;
mod sheet;
pub mod svg;
pub mod terminal;
pub mod tex;
mod threads;
mod tiles;

pub use banks::{Banks, bank_access, banks, slowest_access};
pub use color_by::{ColorBy, tile_ground, tile_ground_at};
#[cfg(feature = "png")]
pub use error::Error;
pub use format::{FormatColors, format};
pub use grid::{Options, draw};
pub use instruction::{copy, mma};
pub use program::program;
pub use scene::{Area, Arrow, Cell, Ground, Label, Level, Outline, Panel, Scene};
pub use sharding::sharding;
pub use threads::{smallest_tile, thread_values, threads};
pub use tiles::Tiling;

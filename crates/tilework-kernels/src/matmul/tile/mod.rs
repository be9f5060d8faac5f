//! Panels and tiles: what is compiled for each instruction set.

pub(crate) mod axis;
mod compiled;
mod dispatch;
pub(crate) mod element;
pub(crate) mod gemv;
pub(crate) mod kernel;
mod pack;
pub(crate) mod packing;
pub(crate) mod prefetcher;
pub(crate) mod put;
#[cfg(target_arch = "x86_64")]
pub(crate) mod shifted;
#[cfg(target_arch = "aarch64")]
mod small_matrices;
pub(crate) mod static_tile;
#[cfg(test)]
mod tests;

//! The algebra of XOR strides, by matrices over F2 (paper, sections 2.4.4 and 3.4).

mod analysis;
mod bit_matrix;
pub(super) mod bits;
mod composition;
mod from_image;
mod inverse;
mod layout_add;
pub(super) mod pieces;
mod radix;
#[cfg(test)]
mod random;
mod recast;
mod swizzled;
pub(super) mod table;

pub use bit_matrix::{BitMatrix, MAX_BITS};
pub(crate) use recast::{check_positive, ratio};

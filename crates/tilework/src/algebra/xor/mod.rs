//! The algebra of XOR strides, by matrices over F2 (paper, sections 2.4.4 and 3.4).

mod analysis;
mod composition;
mod f2;
mod inverse;
mod inverse_search;
mod layout_add;
mod left_inverse_search;
mod pieces;
#[cfg(test)]
mod random;
mod swizzled;
mod table;

pub use f2::{BitMatrix, MAX_BITS};

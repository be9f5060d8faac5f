//! What the image of a layout is like, without going through it.

mod disjoint;
mod footprint;
mod image;
mod permutation;
mod swizzled;

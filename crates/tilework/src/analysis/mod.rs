//! Properties of the image of a layout, without enumerating it.

mod disjoint;
mod footprint;
mod image;
mod permutation;
mod swizzled;

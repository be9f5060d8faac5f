//! What the image of a layout is like, without going through it.

mod image;
mod swizzled;

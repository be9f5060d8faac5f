//! Properties of the image of a layout, without enumerating it.

mod disjoint;
mod equivalent;
mod footprint;
mod image;
mod reason;
mod swizzled;
pub(crate) mod swizzled_bounds;

pub use disjoint::Offsets;
pub use reason::Reason;

/// The most indices that are examined one by one, and the longest range of their offsets.
const MAX_EXAMINED: i64 = 1 << 16;

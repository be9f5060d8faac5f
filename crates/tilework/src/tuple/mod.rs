//! Hierarchical tuples: the data structure of shapes, strides, coordinates, layouts and tilers.
//!
//! An [`HTuple`] is either a value or a tuple of hierarchical tuples (paper, section 2.1): `31`, `(16,32)`,
//! `((4,6),(3,(2,2),8))`. It is stored as its [`Profile`], the nesting alone, and the flat list of its leaves. Two
//! tuples are *congruent* when their profiles are equal, and a profile is *weakly congruent* to another that refines
//! it. `4` and `(4)` are different tuples: both have rank 1, the first has depth 0, the second depth 1.

mod htuple;
mod part;
mod pattern;
mod profile;

pub use htuple::HTuple;
pub(crate) use htuple::map_leaves;
pub use part::Part;
pub use pattern::{Pattern, PatternLeaf};
pub use profile::{MAX_LEAVES, MAX_NODES, Profile};

//! The layout algebra (paper, section 3), one family of operations per file.

mod by_mode;
mod carry;
mod coalesce;
mod common_domain;
mod common_layout;
mod complement;
mod completeness;
mod composition;
mod divide;
mod floor_sum;
mod gaps;
mod indexed;
mod inverse;
mod layout_add;
mod left_inverse;
mod modes;
mod nullspace;
mod product;
pub mod pycute;
mod recast;
mod right_inverse;
mod search;
mod sums;
mod swizzled;
mod view;
pub(crate) mod xor;

pub use completeness::Completeness;

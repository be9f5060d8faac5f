//! Why an operation has its result, or why it refuses its operands.
//!
//! An explanation follows the definition in the paper, with the numbers of this case in it. The numbers come from the
//! core's operations on the parts; the algebra is not implemented here.

pub(crate) mod composition;
pub(crate) mod families;
pub(crate) mod instructions;
pub(crate) mod inverses;
pub(crate) mod questions;
mod section;
pub(crate) mod symbolic;

pub(crate) use section::{Case, Explain, definition, in_brief};
pub use section::{Section, Table};

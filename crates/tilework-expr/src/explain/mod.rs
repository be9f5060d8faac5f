//! Why an operation gives what it gives, or why it refuses.
//!
//! An explanation follows the definition in the paper, with the numbers of this case in it. The numbers come from the
//! core's own operations on the parts; nothing of the algebra is decided here.

pub(crate) mod composition;
pub(crate) mod families;
pub(crate) mod instructions;
pub(crate) mod inverses;
mod section;
pub(crate) mod symbolic;

pub(crate) use section::{Case, Explain, definition, in_brief};
pub use section::{Section, Table};

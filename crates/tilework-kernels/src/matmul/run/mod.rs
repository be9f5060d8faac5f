//! Products run as their plans say.

pub(crate) mod driver;
pub(crate) mod matrices;
pub(crate) mod operand;
pub(crate) mod scratch;
mod small;
mod vector;

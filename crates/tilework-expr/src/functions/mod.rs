//! Everything that can be called, and what the calls do.
//!
//! [`FUNCTIONS`] is the one table, a [`Function`] a row: a name, the forms in which it is written, what it answers, what
//! answers, and what explains and draws the answer. The files beside it hold what answers, a family each.

mod algebra;
mod call;
mod coordinates;
mod direct;
mod forms;
mod function;
mod instructions;
mod over_names;
mod parts;
mod queries;
mod table;
mod tensors;

pub(crate) use algebra::compose;
pub(crate) use coordinates::slice;
pub use direct::LayoutOperation;
pub(crate) use function::Sign;
#[cfg(feature = "pictures")]
pub(crate) use function::{Drawing, Order};
pub use function::{Family, Function, Indices};
pub(crate) use over_names::{application, concatenate as concatenate_over_names};
pub(crate) use parts::{concatenate, part};
pub(crate) use queries::MAX_IMAGE;
pub use table::{FUNCTIONS, find, search};
pub(crate) use table::{names, of_sign};

//! Everything that can be called, and its implementation.
//!
//! [`FUNCTIONS`] is the one table, with a [`Function`] per row: a name, its forms, the question that it answers, and
//! the functions that evaluate, explain and draw it. The other files contain these functions, one family each.

mod algebra;
mod call;
mod coordinates;
mod einfold;
mod evaluate;
mod forms;
mod formula;
mod function;
mod instructions;
mod over_names;
mod parts;
mod queries;
mod table;
mod tensors;

pub(crate) use algebra::compose;
pub(crate) use coordinates::{fitting, slice};
pub use einfold::einfold_refused;
pub use evaluate::{Answered, CoordinateOperation, LayoutOperation, ViewOperation};
pub(crate) use formula::advice;
pub(crate) use function::Sign;
#[cfg(feature = "pictures")]
pub(crate) use function::{Drawing, Order};
pub use function::{Family, Function, Indices};
pub(crate) use instructions::printed;
pub(crate) use over_names::{application, concatenate};
pub(crate) use parts::part;
pub use table::{FUNCTIONS, find, search};
pub(crate) use table::{names, of_order, of_sign};

//! Symbolic layouts: extents and strides that are names.
//!
//! A [`Scope`] has the names and the facts. Numbers and layouts own what they are made of: an operation adopts its
//! operands in a copy of the scope, so that facts that come later are used. An [`Answer`] and a [`Verdict`] keep the copy
//! in which they were found.
//!
//! | module | what a reader finds there |
//! |---|---|
//! | `classes` | the classes, which know each other |
//! | `scope` | names, facts and hints; which scope is the current one |
//! | `operand` | objects of Python as operands, those of sympy and torch among them |
//! | `outcome` | what is found, as objects of Python |
//! | `number` | arithmetic and comparisons |
//! | `layout` | layouts and their operations |
//! | `answer` | layouts with their guards, and verdicts |

mod answer;
pub mod classes;
mod layout;
mod number;
mod operand;
mod outcome;
pub mod scope;

pub use layout::{call, language, layout_of, part};
pub use operand::is_symbolic;

//! Symbolic layouts: extents and strides that are names.
//!
//! A [`Scope`] has the names and the facts. Numbers and layouts own what they are made of: an operation adopts its
//! operands in a copy of the scope, so that facts that come later are used. An [`Answer`] and a [`Verdict`] keep the copy
//! in which they were found.
//!
//! | module | what a reader finds there |
//! |---|---|
//! | `given` | values by name, refusals |
//! | `classes` | the classes, which know each other |
//! | `scope` | names, facts and hints; which scope is the current one |
//! | `operand` | objects of Python as operands, those of sympy and torch among them |
//! | `number` | arithmetic and comparisons |
//! | `layout` | layouts and their operations |
//! | `answer` | layouts with their guards, and verdicts |

mod answer;
mod classes;
mod given;
mod layout;
mod number;
mod operand;
mod scope;

pub use layout::{call, language, layout_of};
pub use operand::is_symbolic;

use pyo3::prelude::*;

/// Adds the classes and functions.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<classes::Scope>()?;
    module.add_class::<classes::SymbolicNumber>()?;
    module.add_class::<classes::SymbolicLayout>()?;
    module.add_class::<classes::Answer>()?;
    module.add_class::<classes::Verdict>()?;
    module.add_function(wrap_pyfunction!(scope::symbol, module)?)?;
    module.add_function(wrap_pyfunction!(scope::assume, module)?)?;
    module.add_function(wrap_pyfunction!(scope::hint, module)?)?;
    module.add_function(wrap_pyfunction!(scope::cases, module)?)
}

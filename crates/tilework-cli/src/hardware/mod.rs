//! `banks`, `sectors`, `swizzle`, `operand`, `vector` and `cover`: questions about layouts and hardware, one line each.
//!
//! The exit status is 0 for yes, 1 for no or without an answer: an access without conflicts, a legal operand, a raster
//! that reaches everything once.

mod access;
mod cover;
mod explain;
mod operand;
mod swizzle;
mod vector;

pub use access::{BanksArguments, SectorsArguments, banks, sectors};
pub use cover::{CoverArguments, cover};
pub use operand::{OperandArguments, operand};
pub use swizzle::{SwizzleArguments, swizzle};
pub use vector::{VectorArguments, vector};

use crate::answer::{Refusal, answer, evaluated, wrong_kind};
use tilework::{AnyLayout, Layout};
use tilework_expr::Value;

/// A plain layout.
fn layout(text: &str) -> Result<Layout, Refusal> {
    plain(text, &evaluated(text)?)
}

/// The plain layout of a value.
fn plain(text: &str, value: &Value) -> Result<Layout, Refusal> {
    value.as_layout().ok_or_else(|| wrong_kind(text, "a layout", value))?.map_err(Refusal::from)
}

/// A layout where a name is accepted too: an unknown word is reported as a misspelt name.
fn layout_or(names: &str, text: &str) -> Result<Layout, Refusal> {
    layout(text).map_err(|mut refusal| {
        if let Refusal::Expression { error, .. } = &mut refusal
            && error.code == "name"
        {
            error.help = Some(format!("it is {names} or a layout"));
        }
        refusal
    })
}

/// The layout of a value that is data in memory, plain or swizzled.
fn data(text: &str, value: &Value) -> Result<AnyLayout, Refusal> {
    let layout = value.as_data();
    Ok(layout.ok_or_else(|| wrong_kind(text, "a plain or swizzled layout of numbers", value.untyped()))??)
}

//! Functions that are one operation of the core.

use super::algebra::{compose, on_domain};
use super::call::{Answer, Call};
use crate::value::Value;
use tilework::{Coord, Error, Layout, Pattern, Shape, Tiler};

/// The core operation of a function, for plain layouts as operands.
///
/// [`Function::call`](crate::Function::call) takes any values, and is slower because values are large and copied.
///
/// ```
/// use tilework::Layout;
/// use tilework_expr::{LayoutOperation, find};
/// let layout: Layout = "(4,8):(0,1)".parse()?;
/// match find("is_injective").unwrap().on_layouts() {
///     Some(LayoutOperation::Bool(is_injective)) => assert!(!is_injective(&layout)?),
///     _ => panic!("a question about a layout"),
/// }
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum LayoutOperation {
    /// From a layout to a number.
    Number(fn(&Layout) -> Result<i64, Error>),
    /// A question about a layout.
    Bool(fn(&Layout) -> Result<bool, Error>),
    /// From a layout to a layout.
    One(fn(&Layout) -> Result<Layout, Error>),
    /// Of two layouts.
    Two(fn(&Layout, &Layout) -> Result<Layout, Error>),
    /// By a layout, or by a tiler mode by mode.
    Composed(fn(&Layout, &Layout) -> Result<Layout, Error>, fn(&Layout, &Tiler) -> Result<Layout, Error>),
    /// By a tiler.
    Tiled(fn(&Layout, &Tiler) -> Result<Layout, Error>),
    /// For the whole, or mode by mode.
    Profiled(fn(&Layout) -> Layout, fn(&Layout, &Pattern) -> Result<Layout, Error>),
    /// For the layout alone, or within a shape.
    Within(fn(&Layout) -> Result<Layout, Error>, fn(&Layout, &Shape) -> Result<Layout, Error>),
    /// From a coordinate and a shape to a coordinate, or to an index.
    Coordinate(fn(&Coord, &Shape) -> Result<Coord, Error>),
}

/// The operation for arguments of any kind.
pub(super) fn evaluate(operation: LayoutOperation, call: &Call) -> Answer {
    match operation {
        LayoutOperation::Number(operation) => Ok(Value::integer(operation(&call.layout(0)?)?)),
        LayoutOperation::Bool(operation) => Ok(Value::Bool(operation(&call.layout(0)?)?)),
        LayoutOperation::One(operation) => Ok(Value::from(operation(&call.layout(0)?)?)),
        LayoutOperation::Two(operation) => {
            let right = call.layout(1)?;
            Ok(Value::from(operation(&call.layout(0)?, &right)?))
        }
        LayoutOperation::Composed(..) => compose(&call.arguments[0], &call.arguments[1]),
        LayoutOperation::Tiled(operation) => {
            let tiler = call.tiler(1)?;
            on_domain(call, |layout| operation(layout, &tiler))
        }
        LayoutOperation::Profiled(operation, _) if call.count() == 1 => {
            on_domain(call, |layout| Ok(operation(layout)))
        }
        LayoutOperation::Profiled(_, by_mode) => {
            let profile = call.pattern(1)?;
            on_domain(call, |layout| by_mode(layout, &profile))
        }
        LayoutOperation::Within(operation, _) if call.count() == 1 => {
            Ok(Value::from(operation(&call.layout(0)?)?))
        }
        LayoutOperation::Within(_, within) => {
            let shape = call.shape(1)?;
            Ok(Value::from(within(&call.layout(0)?, &shape)?))
        }
        LayoutOperation::Coordinate(operation) => {
            let shape = call.shape(1)?;
            Ok(Value::integers(&operation(&call.coord(0)?, &shape)?)?)
        }
    }
}

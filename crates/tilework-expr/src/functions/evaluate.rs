//! How a call is evaluated: by an operation of the core, or by a function of its own.

use super::algebra::{compose, on_domain};
use super::call::{Answer, Call};
use super::parts::{Change, changed};
use crate::error::Failure;
use crate::value::Value;
use tilework::{AnyLayout, Composed, Coord, Error, Layout, Pattern, Shape, Tiler, View};

/// The evaluator of a function, by what it answers.
#[derive(Clone, Copy)]
pub(super) enum Evaluate {
    /// A layout, by an operation of the core.
    Core(LayoutOperation),
    /// A number.
    Number(fn(&Call<'_>) -> Result<i64, Failure>),
    /// A truth value.
    Truth(fn(&Call<'_>) -> Result<bool, Failure>),
    /// A coordinate, of a coordinate and a shape; and the answer for other arguments.
    Coordinate(CoordinateOperation, fn(&Call<'_>) -> Answer),
    /// A layout.
    Made(fn(&Call<'_>) -> Result<Layout, Failure>),
    /// A tuple of integers.
    Integers(fn(&Call<'_>) -> Result<Shape, Failure>),
    /// The first argument, plain or with names, with its modes changed.
    Moved(fn(&Call<'_>) -> Result<Change, Failure>),
    /// A value of any kind.
    By(fn(&Call<'_>) -> Answer),
}

/// An operation of the core from a coordinate and a shape to a coordinate.
///
/// ```
/// use tilework::{HTuple, Shape};
/// let idx2crd: tilework_expr::CoordinateOperation = |index, shape| shape.idx2crd(index);
/// assert_eq!(idx2crd(&HTuple::leaf(22), &"(4,8)".parse::<Shape>()?)?.to_string(), "(2,5)");
/// # Ok::<(), tilework::Error>(())
/// ```
pub type CoordinateOperation = fn(&Coord, &Shape) -> Result<Coord, Error>;

/// An operation of the core from a layout with an offset to another one.
///
/// ```
/// let inverse: tilework_expr::ViewOperation = tilework::View::inverse;
/// assert_eq!(inverse(&"{3} o 4:-1".parse()?)?.to_string(), "{3} o 4:-1");
/// # Ok::<(), tilework::Error>(())
/// ```
pub type ViewOperation = fn(&View) -> Result<View, Error>;

/// An operation of the core whose first operand and whose result are layouts.
///
/// [`Function::call`](crate::Function::call) takes any values; a front end that has plain layouts can call the operation itself.
///
/// ```
/// use tilework::Layout;
/// use tilework_expr::{LayoutOperation, find};
/// let Some(LayoutOperation::One(sort)) = find("sort").unwrap().core() else { panic!("of one layout") };
/// assert_eq!(sort(&"(4,8):(8,1)".parse()?)?.to_string(), "(8,4):(1,8)");
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum LayoutOperation {
    /// Of one layout.
    One(fn(&Layout) -> Result<Layout, Error>),
    /// Of one layout, plain or swizzled, or with an offset; mode by mode of a plain one.
    Function(
        fn(&Layout) -> Result<Layout, Error>,
        fn(&Composed) -> Result<Layout, Error>,
        Option<ViewOperation>,
    ),
    /// Of two layouts.
    Two(fn(&Layout, &Layout) -> Result<Layout, Error>),
    /// Of two layouts, plain or swizzled.
    Functions(
        fn(&Layout, &Layout) -> Result<Layout, Error>,
        fn(&AnyLayout, &AnyLayout) -> Result<Layout, Error>,
    ),
    /// Of layouts that become the modes of the result.
    Modes(fn(&[Layout]) -> Result<Layout, Error>),
    /// By a layout, or by a tiler mode by mode.
    Composition(fn(&Layout, &Layout) -> Result<Layout, Error>, fn(&Layout, &Tiler) -> Result<Layout, Error>),
    /// By a tiler.
    Tiled(fn(&Layout, &Tiler) -> Result<Layout, Error>),
    /// For the whole, or mode by mode.
    Profiled(fn(&Layout) -> Layout, fn(&Layout, &Pattern) -> Result<Layout, Error>),
    /// For the layout alone, within a shape, or mode by mode.
    Within(fn(&Layout) -> Result<Layout, Error>, fn(&Layout, &Shape) -> Result<Layout, Error>),
}

/// What a call answers.
///
/// ```
/// use tilework_expr::{Answered, Value};
/// assert_eq!(Value::from(Answered::Number(22)), Value::integer(22));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Answered {
    /// A number.
    Number(i64),
    /// A truth value.
    Truth(bool),
    /// Anything else.
    Value(Value),
}

impl From<Answered> for Value {
    #[inline]
    fn from(answered: Answered) -> Value {
        match answered {
            Answered::Number(number) => Value::integer(number),
            Answered::Truth(truth) => Value::Bool(truth),
            Answered::Value(value) => value,
        }
    }
}

impl Evaluate {
    #[inline]
    pub fn call(self, call: &Call) -> Result<Answered, Failure> {
        match self {
            Evaluate::Core(operation) => operation.call(call).map(Answered::Value),
            Evaluate::Number(number) => number(call).map(Answered::Number),
            Evaluate::Truth(truth) => truth(call).map(Answered::Truth),
            Evaluate::Made(layout) => Ok(Answered::Value(layout(call)?.into())),
            Evaluate::Integers(shape) => Ok(Answered::Value(Value::integers(&shape(call)?)?)),
            Evaluate::Moved(change) => changed(call, &change(call)?).map(Answered::Value),
            Evaluate::Coordinate(_, evaluate) | Evaluate::By(evaluate) => evaluate(call).map(Answered::Value),
        }
    }
}

impl LayoutOperation {
    /// The operation for arguments of any kind.
    fn call(self, call: &Call) -> Answer {
        match self {
            LayoutOperation::One(operation) => on_domain(call, operation),
            LayoutOperation::Function(plain, ..) if call.count() == 2 => {
                call.refuse_before_modes()?;
                Ok(call.layout(0)?.by_mode(&call.profile(1)?, plain)?.into())
            }
            LayoutOperation::Function(plain, swizzled, view) => match (view, call.arguments[0].untyped()) {
                (Some(view), Value::View(own)) => Ok(view(own)?.into()),
                _ => Ok(call.of_function(plain, swizzled)?.into()),
            },
            LayoutOperation::Two(operation) => {
                let second = call.layout(1)?;
                on_domain(call, |layout| operation(layout, &second))
            }
            LayoutOperation::Functions(_, operation) => {
                let second = call.any_layout(1)?;
                Ok(operation(&call.any_layout(0)?, &second)?.into())
            }
            LayoutOperation::Modes(operation) => {
                let layouts: Result<Vec<_>, _> =
                    (0..call.count()).map(|index| Ok::<_, Failure>(*call.layout(index)?)).collect();
                Ok(operation(&layouts?)?.into())
            }
            LayoutOperation::Composition(..) => compose(&call.arguments[0], &call.arguments[1]),
            LayoutOperation::Tiled(operation) => {
                let tiler = call.tiler(1)?;
                on_domain(call, |layout| operation(layout, &tiler))
            }
            LayoutOperation::Profiled(operation, _) if call.count() == 1 => {
                on_domain(call, |layout| Ok(operation(layout)))
            }
            LayoutOperation::Profiled(_, by_mode) => {
                let profile = call.profile(1)?;
                on_domain(call, |layout| by_mode(layout, &profile))
            }
            LayoutOperation::Within(operation, _) if call.count() == 1 => {
                Ok(operation(&*call.layout(0)?)?.into())
            }
            LayoutOperation::Within(operation, _) if call.shape(1).is_err() => {
                call.refuse_before_modes()?;
                Ok(call.layout(0)?.by_mode(&call.profile(1)?, operation)?.into())
            }
            LayoutOperation::Within(_, within) => {
                let shape = call.shape(1)?;
                Ok(within(&*call.layout(0)?, &shape)?.into())
            }
        }
    }
}

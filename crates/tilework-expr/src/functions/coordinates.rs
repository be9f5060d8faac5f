//! Layouts from shapes; coordinates, offsets and slices.

use super::call::{Answer, Call};
use super::parts::concatenate;
use crate::error::Failure;
use crate::value::Value;
use tilework::{Codomain, Error, HTuple, Layout, MAX_LEAVES, Pattern, Shape, Stride};

fn layout(layout: Result<Layout, Error>) -> Answer {
    Ok(Value::from(layout?))
}

/// `Layout(shape, stride)`, `Layout(shape)`, or the layout of several layouts.
pub(super) fn make(call: &Call) -> Answer {
    if let [Value::Tuple(_), Value::Tuple(_)] = call.arguments {
        return layout(Layout::of(&call.shape(0)?, &call.strides(1)?));
    }
    if call.count() == 1 {
        return layout(Ok(*call.layout(0)?));
    }
    concatenate(call.arguments)
}

pub(super) fn in_bounds(call: &Call) -> Result<bool, Failure> {
    let shape = call.shape(1)?;
    let element = call.arguments[0].as_coord_of(shape.rank()).filter(|_| call.arguments[0].is_element());
    Ok(shape.is_in_bounds(&element.map_or_else(|| call.coord(0), Ok)?))
}

pub(super) fn evaluate(call: &Call) -> Answer {
    let (function, coord) = (&call.arguments[0], &call.arguments[1]);
    let offset = function.evaluate(&call.coord(1)?).ok_or_else(|| call.wrong(0, "a layout"))?;
    Ok(Value::offset(&fitting(offset, function, coord)?)?)
}

/// The same answer; the refusal of a coordinate names it and the shape.
pub(crate) fn fitting<T>(
    answer: Result<T, impl Into<Failure>>,
    function: &Value,
    coord: &Value,
) -> Result<T, Failure> {
    match (answer.map_err(Into::into), function.domain()) {
        (Err(Failure::Core(error @ Error::Entries { .. })), Some(domain)) => {
            let (counts, shape) = (error.message(), domain.shape());
            let message = format!("{}: {coord} is no coordinate of {shape}", counts.as_str());
            Err(Failure::other(error.code(), message))
        }
        (answer, _) => answer,
    }
}

/// CuTe's `crd2idx(coord, shape)` and `crd2idx(coord, shape, stride)`.
pub(super) fn crd2idx(call: &Call) -> Answer {
    let coord = call.coord(0)?;
    if call.count() == 3 {
        let layout = Layout::of(&call.shape(1)?, &call.strides(2)?)?;
        return Ok(Value::offset(&layout.evaluate(&coord)?)?);
    }
    match &call.arguments[1] {
        Value::Tuple(_) => Ok(Value::integer(call.shape(1)?.crd2idx(&coord)?)),
        // For a layout, CuTe's crd2idx is the offset.
        function => match function.evaluate(&coord) {
            Some(offset) => Ok(Value::offset(&offset?)?),
            None => Err(call.wrong(1, "a shape or a layout")),
        },
    }
}

pub(super) fn idx2crd(call: &Call) -> Answer {
    let shape = call.shape(1)?;
    Ok(Value::integers(&shape.idx2crd(&call.coord(0)?)?)?)
}

/// The shapes that coarsen a shape, the coarsest first; the recursion depth is that of the shape, which its capacity bounds.
pub(super) fn coarsenings(shape: &Shape) -> Result<Vec<Shape>, Error> {
    if shape.is_leaf() {
        return Ok(vec![*shape]);
    }
    let mut choices = vec![HTuple::empty(1)];
    for index in 0..shape.rank() {
        let modes = coarsenings(&shape.mode(index)?)?;
        let longer = choices.iter().flat_map(|chosen| modes.iter().map(|mode| chosen.append(mode)));
        choices = longer.take(MAX_LEAVES + 1).collect::<Result<_, _>>()?;
    }
    choices.insert(0, HTuple::leaf(shape.size()?));
    if choices.len() > MAX_LEAVES {
        return Err(Error::Capacity { what: "coordinate sets", limit: MAX_LEAVES });
    }
    Ok(choices)
}

/// The two arguments of `slice` and `dice`, in either order: CuTe writes the pattern first.
fn sliced<'a>(call: &'a Call<'_>) -> (&'a Value, &'a Value) {
    let (first, second) = (&call.arguments[0], &call.arguments[1]);
    let pattern_first = first.is_open() || (matches!(first, Value::Tuple(_)) && second.domain().is_some());
    if pattern_first && !second.is_open() { (second, first) } else { (first, second) }
}

pub(super) fn slice_call(call: &Call) -> Answer {
    let (value, pattern) = sliced(call);
    slice(value, pattern)
}

/// The part that a coordinate with `_` leaves open.
pub(crate) fn slice(value: &Value, pattern: &Value) -> Answer {
    let wrong = || Failure::found(1, "a slice takes a coordinate with `_`", pattern.kind());
    fitting(slice_by(value, &pattern.as_pattern().ok_or_else(wrong)?), value, pattern)
}

pub(super) fn slice_by(value: &Value, pattern: &Pattern) -> Answer {
    match value {
        Value::Tensor(pointer, value) => Ok(Value::Tensor(*pointer, Box::new(slice_by(value, pattern)?))),
        Value::Named(axes, value) => Ok(Value::Named(axes.clone(), Box::new(slice_by(value, pattern)?))),
        Value::Composed(composed) => Ok(Value::from(composed.slice(pattern)?)),
        Value::View(view) => Ok(Value::from(view.slice(pattern)?)),
        Value::Tuple(tuple) => Ok(Value::from(tuple.slice(pattern)?)),
        _ => Ok(Value::from(value.layout_where(0, "only layouts and tuples are sliced")?.slice(pattern)?)),
    }
}

pub(super) fn dice(call: &Call) -> Answer {
    let (value, pattern) = sliced(call);
    let Some(pattern) = pattern.as_pattern() else { return Err(call.wrong(1, "a coordinate with `_`")) };
    match value {
        Value::Tuple(tuple) => Ok(Value::from(tuple.dice(&pattern)?)),
        _ => match value.domain() {
            Some(domain) => fitting(layout(domain.dice(&pattern)), value, sliced(call).1),
            None => Err(call.wrong(0, "a layout")),
        },
    }
}

/// By a number, from the left; by a tuple, mode by mode.
pub(super) fn shape_div(call: &Call) -> Result<Shape, Failure> {
    let operation: fn(&Shape, i64) -> Result<Shape, Error> = match call.count() {
        2 => Shape::shape_div,
        _ => match call.integer(2)? {
            1 => |shape, count| shape.shape_div_rounded(count, true),
            -1 => |shape, count| shape.shape_div_rounded(count, false),
            // The rest, which divides the divisor, is divided out of one more mode.
            0 => |shape, count| HTuple::tuple(&[*shape, HTuple::leaf(count)])?.shape_div(count)?.mode(0),
            _ => return Err(call.wrong(2, "`ceil` or `floor`")),
        },
    };
    by_modes(&call.shape(0)?, &call.shape(1)?, call, operation)
}

/// The recursion depth is that of the tuples, which their capacity bounds.
pub(super) fn by_modes(
    shape: &Shape,
    divisor: &Shape,
    call: &Call,
    operation: fn(&Shape, i64) -> Result<Shape, Error>,
) -> Result<Shape, Failure> {
    if divisor.is_leaf() {
        return Ok(operation(shape, divisor.leaves()[0])?);
    }
    if shape.is_leaf() {
        return Ok(operation(shape, divisor.size()?)?);
    }
    if shape.rank() != divisor.rank() {
        return Err(call.refuse(format!("{} by a tuple takes as many divisors as modes", call.name)));
    }
    let mut modes = Vec::new();
    for index in 0..shape.rank() {
        modes.push(by_modes(&shape.mode(index)?, &divisor.mode(index)?, call, operation)?);
    }
    Ok(HTuple::tuple(&modes)?)
}

/// The offset of the coordinate in a layout with these strides.
pub(super) fn inner_product(call: &Call) -> Answer {
    let coord = call.coord(0)?;
    let ones = HTuple::with_profile(coord.profile(), &vec![1; coord.leaves().len()], 1)?;
    let layout = Layout::of(&ones, &call.strides(1)?)?;
    let offset = layout.evaluate(&coord)?;
    match layout.codomain() {
        Codomain::Xor => Ok(Value::strides(&HTuple::leaf(Stride::xor(offset.leaves()[0].numerator())?))?),
        _ => Ok(Value::offset(&offset)?),
    }
}

/// Leaf by leaf; modes without a divisor are kept.
pub(super) fn ceil_div(
    value: &HTuple<i64>,
    divisor: &HTuple<i64>,
    call: &Call,
) -> Result<HTuple<i64>, Failure> {
    if value.is_leaf() && divisor.is_leaf() {
        let divisor = divisor.leaves()[0];
        if divisor < 1 {
            return Err(Error::Argument {
                operation: "ceil_div",
                expected: "a positive divisor",
                found: divisor,
            }
            .into());
        }
        return Ok(HTuple::leaf(tilework::__private::ceil_div(value.leaves()[0], divisor)));
    }
    if value.is_leaf() || divisor.is_leaf() || divisor.rank() > value.rank() {
        return Err(
            call.refuse("ceil_div takes two integers, or two tuples with a divisor for each leading mode")
        );
    }
    let mut modes = Vec::new();
    for index in 0..value.rank() {
        let mode = value.mode(index)?;
        modes.push(if index < divisor.rank() { ceil_div(&mode, &divisor.mode(index)?, call)? } else { mode });
    }
    Ok(HTuple::tuple(&modes)?)
}

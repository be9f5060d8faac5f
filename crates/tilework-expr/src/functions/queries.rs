//! Sizes, offsets, and questions.

use super::call::{Answer, Call};
use crate::error::Failure;
use crate::explain::questions;
use crate::value::{MAX_TEXT, Value};
use tilework::__private::Atom;
use tilework::{Codomain, Error, HTuple, Layout, Offset, Offsets};
use tilework_symbolic::{Scope, Verdict};

pub(super) fn size(call: &Call) -> Result<i64, Failure> {
    match &call.arguments[0] {
        Value::Tuple(_) => Ok(call.shape(0)?.size()?),
        Value::Chain(layouts) => Ok(layouts[0].size()),
        _ => Ok(call.domain(0)?.size()),
    }
}

pub(super) fn rank(call: &Call) -> Result<i64, Failure> {
    match &call.arguments[0] {
        Value::Tuple(tuple) => Ok(tuple.rank() as i64),
        Value::Tiler(tiler) => Ok(tiler.rank() as i64),
        _ => Ok(call.domain(0)?.rank() as i64),
    }
}

pub(super) fn depth(call: &Call) -> Result<i64, Failure> {
    match &call.arguments[0] {
        Value::Tuple(tuple) => Ok(tuple.depth() as i64),
        _ => Ok(call.domain(0)?.depth() as i64),
    }
}

pub(super) fn shape(call: &Call) -> Answer {
    match &call.arguments[0] {
        Value::Tuple(_) => Ok(Value::integers(&call.shape(0)?)?),
        _ => Ok(Value::integers(&call.domain(0)?.shape())?),
    }
}

/// The least and the greatest offset, for `operation`.
pub(super) fn extremes(call: &Call, operation: &'static str) -> Result<(i64, i64), Failure> {
    let bounds = match call.arguments[0].untyped() {
        Value::Composed(composed) => composed.bounds(),
        Value::View(view) => view.bounds(),
        _ => {
            let layout = call.layout(0)?;
            layout.min_offset().and_then(|low| Ok((low, layout.max_offset()?)))
        }
    };
    Ok(bounds.map_err(|error| match error {
        Error::Codomain { found, .. } => Error::Codomain { operation, found },
        other => other,
    })?)
}

fn sum(left: i64, right: i64) -> Result<i64, Error> {
    left.checked_add(right).ok_or(Error::Overflow { left, operator: '+', right })
}

pub(super) fn cosize(call: &Call) -> Result<i64, Failure> {
    match call.arguments[0].untyped() {
        Value::Composed(_) | Value::View(_) => Ok(sum(extremes(call, "cosize")?.1, 1)?),
        _ => Ok(call.layout(0)?.cosize()?),
    }
}

pub(super) fn span(call: &Call) -> Result<i64, Failure> {
    let (low, high) = extremes(call, "span")?;
    let distance = high.checked_sub(low).ok_or(Error::Overflow { left: high, operator: '-', right: low })?;
    Ok(sum(distance, 1)?)
}

pub(super) fn image(call: &Call) -> Answer {
    let size = call.domain(0)?.size();
    let (mut offsets, mut length): (Vec<Offset>, i64) = (Vec::new(), 1);
    for index in 0..size {
        let offset = call.arguments[0].evaluate(&HTuple::leaf(index));
        let offset = offset.ok_or_else(|| call.wrong(0, "a layout"))??;
        length += offset.to_text().as_str().len() as i64 + 1;
        // Each of the others is a digit and a comma at least.
        if (size - index - 1).saturating_mul(2).saturating_add(length) > MAX_TEXT as i64 {
            return Err(too_long("image", size, "offsets"));
        }
        offsets.push(offset);
    }
    Ok(Value::offsets(offsets)?)
}

/// The failure of a function whose value would not be a text that can be read.
pub(super) fn too_long(function: &str, count: i64, members: &str) -> Failure {
    let message = format!(
        "{function} has {count} {members} here, which are written in more than {MAX_TEXT} characters"
    );
    Failure::other("limit", message)
}

pub(super) fn nesting(call: &Call, argument: usize) -> Result<HTuple<Atom>, Failure> {
    questions::nesting(&call.arguments[argument]).ok_or_else(|| call.wrong(argument, "a tuple or a layout"))
}

/// Two arguments as offsets.
fn both(call: &Call) -> Result<[Offsets; 2], Failure> {
    let offsets =
        |index: usize| call.arguments[index].as_offsets().ok_or_else(|| call.wrong(index, "a layout"));
    Ok([offsets(0)?, offsets(1)?])
}

pub(super) fn equivalent(call: &Call) -> Result<bool, Failure> {
    let [first, second] = both(call)?;
    Ok(first.equivalent(&second)?)
}

pub(super) fn is_injective(call: &Call) -> Result<bool, Failure> {
    Ok(match call.arguments[0].untyped() {
        Value::Composed(composed) => composed.is_injective()?,
        // Adding an offset is injective.
        _ => call.domain(0)?.is_injective()?,
    })
}

/// The most bits for which the question is supported.
const MAX_BITS: i64 = 62;

pub(super) fn fits(call: &Call) -> Result<bool, Failure> {
    let bits = call.integer(1)?;
    if !(0..=MAX_BITS).contains(&bits) {
        return Err(call.refuse(format!("fits takes a number of bits from 0 to {MAX_BITS}")));
    }
    let (low, high) = extremes(call, "fits")?;
    Ok(low >= -(1 << bits) && high < 1 << bits)
}

pub(super) fn max_vector(call: &Call) -> Result<i64, Failure> {
    let (limit, mut width) = (call.integer(1)?, 1);
    if limit < 1 {
        return Err(call.wrong(1, "a limit of 1 or more"));
    }
    vectors(call, 1)?;
    while width <= limit / 2 && vectors(call, 2 * width)? {
        width *= 2;
    }
    Ok(width)
}

/// Whether elements can be accessed `width` at a time: the question about names, for numbers.
pub(super) fn vectors(call: &Call, width: i64) -> Result<bool, Failure> {
    let (layout, aligned) = match call.arguments[0].untyped() {
        // A swizzle keeps `2^base` elements together.
        Value::Composed(composed) => {
            let swizzle = composed.swizzle();
            composed.bounds()?;
            let kept = width > 0 && (swizzle.bits() == 0 || (1 << swizzle.base()) % width == 0);
            (*composed.layout(), kept && composed.offset() % width == 0)
        }
        Value::View(view) => match view.offset().leaves() {
            [offset] if offset.denominator() == 1 => {
                (*view.layout(), width > 0 && offset.numerator() % width == 0)
            }
            _ => return Err(call.wrong(0, "a layout with offsets that are integers")),
        },
        _ => (*call.layout(0)?, true),
    };
    if layout.codomain() == Codomain::Xor {
        let message = "vectors are those of integer strides, or of a swizzle over them";
        return Err(Failure::advised(0, message, "write to_swizzle(L) for L with XOR strides"));
    }
    // Fractions are refused here, coordinates by both.
    layout.min_offset()?;
    let scope = Scope::new();
    let verdict = scope.is_vector(&scope.constant(&layout)?, width)?;
    Ok(width == 1 || aligned && matches!(verdict, Verdict::Always))
}

pub(super) fn is_disjoint(call: &Call) -> Result<bool, Failure> {
    let [first, second] = both(call)?;
    Ok(first.is_disjoint(&second)?)
}

/// A failed condition as `false`; an undecided one stays an error.
fn holds(result: Result<(), Error>) -> Result<bool, Failure> {
    match result {
        Ok(()) => Ok(true),
        Err(
            error @ (Error::Undecided { .. }
            | Error::Overflow { .. }
            | Error::TooLarge { .. }
            | Error::Capacity { .. }),
        ) => Err(error.into()),
        Err(_) => Ok(false),
    }
}

pub(super) fn is_composable(call: &Call) -> Result<bool, Failure> {
    let left = call.domain(0)?;
    match &call.arguments[1] {
        Value::Layout(right) => holds(left.is_composable(right)),
        _ => holds(left.composition_by_mode(&call.tiler(1)?).map(|_: Layout| ())),
    }
}

pub(super) fn is_complementable(call: &Call) -> Result<bool, Failure> {
    let layout = call.layout(0)?;
    if call.count() == 1 {
        return holds(layout.is_complementable());
    }
    let within = call.shape(1)?;
    within.size()?;
    holds(layout.complement_within(within).map(|_: Layout| ()))
}

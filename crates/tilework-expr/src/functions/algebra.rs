//! Simplification, composition, inverses, complements, divides, products and element sizes.

use super::call::{Answer, Call};
use crate::error::Failure;
use crate::pointer::Pointer;
use crate::tensor;
use crate::value::Value;
use crate::width::width;
use tilework::{AnyLayout, Composed, Error, HTuple, Layout};

/// An operation on the layout of a value's coordinates; the offset and the swizzle are kept.
pub(super) fn on_domain(call: &Call, operation: impl FnOnce(&Layout) -> Result<Layout, Error>) -> Answer {
    Ok(call.arguments[0].with_offsets(operation(&*call.domain(0)?)?)?)
}

/// `left o right`: a swizzle is applied to a layout, everything else is composed in its domain.
pub(crate) fn compose(left: &Value, right: &Value) -> Answer {
    right.refuse_tensor(1, "a layout is composed with a layout or a tiler")?;
    if let Value::Swizzle(swizzle) = left {
        let (offset, layout) = match right {
            Value::View(view) if view.offset().is_leaf() && view.offset().leaves()[0].is_integer() => {
                (view.offset().leaves()[0].numerator(), *view.layout())
            }
            _ => (0, right.layout_where(1, "a swizzle is composed with a layout")?),
        };
        return Ok(Value::from(Composed::new(*swizzle, offset, layout)?));
    }
    if let Value::Pointer(pointer) = left {
        return tensor::of(*pointer, right);
    }
    let domain = match left.domain() {
        Some(layout) => *layout,
        None => left.layout_where(0, "the left operand of a composition is a layout")?,
    };
    let composed = match right {
        Value::Layout(right) => domain.composition(right)?,
        _ => {
            let wrong = || Failure::found(1, "a layout is composed with a layout or a tiler", right.kind());
            domain.composition_by_mode(&right.as_tiler().ok_or_else(wrong)??)?
        }
    };
    Ok(left.with_offsets(composed)?)
}

pub(super) fn tile_to_shape(call: &Call) -> Answer {
    let shape = call.shape(1)?;
    let order = if call.count() == 3 { call.coord(2)? } else { HTuple::leaf(0) };
    on_domain(call, |layout| layout.tile_to_shape(&shape, &order))
}

/// The number in `name<N>(L)` or after the layout.
fn factors<const N: usize>(call: &Call, wanted: &str) -> Result<[i64; N], Failure> {
    let factors = call.own_indices(1)?;
    match <[usize; N]>::try_from(factors) {
        Ok(factors) => Ok(factors.map(|factor| i64::try_from(factor).unwrap_or(i64::MAX))),
        Err(_) => Err(call.refuse(format!("{} takes {wanted}", call.name))),
    }
}

/// The numbers of narrow elements in an old and in a new element.
pub(super) type Widths = fn(&Call) -> Result<[i64; 2], Failure>;

/// A layout, a swizzle, or both, for elements of another width.
pub(super) fn recounted(call: &Call, widths: Widths) -> Answer {
    let [old, new] = widths(call)?;
    let value = match call.arguments[0].without_pointer() {
        Value::Swizzle(own) => Value::Swizzle(own.recast(old, new)?),
        Value::Composed(composed) => Value::from(composed.recast(old, new)?),
        _ => Value::from(call.layout(0)?.recast(old, new)?),
    };
    with_width(call, [old, new], value)
}

/// The value with the pointer of the first argument, whose elements are converted in the same way.
pub(super) fn with_width(call: &Call, [old, new]: [i64; 2], value: Value) -> Answer {
    let Value::Tensor(pointer, _) = &call.arguments[0] else { return Ok(value) };
    let (wide, old) = (i128::from(pointer.bits()) * i128::from(new), i128::from(old));
    match u32::try_from(wide / old) {
        Ok(bits @ 1..=MAX_BITS) if wide % old == 0 => {
            Ok(Value::Tensor(Pointer::new(pointer.memory(), bits), Box::new(value)))
        }
        _ => Err(call.refuse(format!(
            "elements of {} bits would become those of {wide}/{old} bits; an element has 1 to {MAX_BITS}",
            pointer.bits()
        ))),
    }
}

/// The most bits of an element.
const MAX_BITS: u32 = 65536;

pub(super) fn wider(call: &Call) -> Result<[i64; 2], Failure> {
    factors(call, "how many old elements make a new one").map(|[count]| [1, count])
}

pub(super) fn narrower(call: &Call) -> Result<[i64; 2], Failure> {
    factors(call, "how many new elements an old one makes").map(|[count]| [count, 1])
}

/// The old and the new number of bits.
pub(super) fn widths(call: &Call) -> Result<[i64; 2], Failure> {
    match &call.arguments[0] {
        // A tensor has the width of its elements.
        Value::Tensor(pointer, _) if call.own_indices(1)?.len() == 1 => {
            let [new] = factors(call, "the new number of bits of an element")?;
            Ok([pointer.bits().into(), new])
        }
        value => {
            let [old, new] = factors(call, "the old and the new number of bits of an element")?;
            Ok([u32::try_from(old).map_or(Ok(old), |bits| width(Some(bits), [value]).map(i64::from))?, new])
        }
    }
}

pub(super) fn recast(call: &Call) -> Answer {
    // The DSL has the new bits, the old bits, and the layout.
    if let [new, old, layout] = call.arguments
        && let (Some(_), Some(_), Some(_)) = (new.as_integer(), old.as_integer(), layout.domain())
    {
        return recast(&Call { arguments: &[layout.clone(), old.clone(), new.clone()], ..*call });
    }
    recounted(call, widths)
}

/// The indices of `left` that a common vector moves.
pub(super) fn vector_of_both(left: &AnyLayout, right: &AnyLayout) -> Result<Layout, Error> {
    left.to_layout()?.right_inverse()?.composition(&Layout::of(left.common_vector(right)?, 1)?)
}

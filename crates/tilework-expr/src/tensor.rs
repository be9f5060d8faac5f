//! Tensors as CuTe prints them, as values.

use crate::error::Failure;
use crate::names::Names;
use crate::pointer::Pointer;
use crate::symbolic::Content;
use crate::value::Value;
use tilework::{Composed, Rational, Swizzle, View};

/// `pointer o layout`.
pub(crate) fn of(pointer: Pointer, layout: &Value) -> Result<Value, Failure> {
    layout.refuse_tensor(0, "a pointer stands before a layout")?;
    let layout = match layout {
        Value::Composed(_) | Value::View(_) => layout.clone(),
        Value::Symbolic(own) if own.is_function() => layout.clone(),
        _ => layout.layout_where(0, "a pointer stands before a layout")?.into(),
    };
    Ok(Value::Tensor(pointer, Box::new(layout)))
}

/// The same of a value that may have names: a tuple of them is a compact layout.
pub(crate) fn with_names(pointer: Pointer, layout: &Value, names: &Names) -> Result<Value, Failure> {
    if !layout.is_symbolic() || !layout.is_tuple() {
        return of(pointer, layout);
    }
    let mut scoped = names.under(std::slice::from_ref(layout))?;
    let Some(compact) = scoped.layout(layout)? else {
        return Err(Failure::found(0, "a pointer stands before a layout", layout.kind()));
    };
    of(pointer, &scoped.bound(Content::Layout(compact))?)
}

/// A layout behind an offset, or behind a swizzle and an offset, with names in either.
pub(crate) fn displaced(
    swizzle: Swizzle,
    offset: &Value,
    layout: &Value,
    names: &Names,
) -> Result<Value, Failure> {
    layout.refuse_tensor(1, "an offset stands before a layout")?;
    let mut scoped = names.under(&[offset.clone(), layout.clone()])?;
    let Some(element) = scoped.offset_of(offset, true)? else {
        return Err(Failure::argument(0, "an offset is a number or a coordinate"));
    };
    let Some(layout) = scoped.layout(layout)? else {
        return Err(Failure::argument(1, format!("an offset is that of a layout; found {}", layout.kind())));
    };
    scoped.bound(Content::Placed(scoped.scope.placed_of(swizzle, element, layout)?))
}

/// `swizzle o pointer o layout`: CuTe swizzles the address in bytes; the value is the same function in elements.
///
/// An address that is not a multiple of the swizzle's period shifts the pattern: its remainder becomes the offset
/// inside the swizzle, and offsets are relative to the multiple below.
pub(crate) fn swizzled(
    pointer: Pointer,
    address: u64,
    swizzle: &Value,
    layout: &Value,
    names: &Names,
) -> Result<Value, Failure> {
    let Value::Swizzle(swizzle) = swizzle else {
        return Err(Failure::found(0, "a swizzle stands before a pointer", swizzle.kind()));
    };
    layout.refuse_tensor(1, "a pointer stands before a layout")?;
    let swizzle = in_elements(*swizzle, pointer.bits())?;
    let period = swizzle.source_mask() | swizzle.target_mask();
    let element = u128::from(address) * 8 / u128::from(pointer.bits());
    // A mask of the bits up to the highest that the swizzle uses, which fits 63 bits.
    let below = u64::MAX.checked_shr(period.leading_zeros()).unwrap_or(0);
    let offset = (element & u128::from(below)) as i64;
    if layout.is_symbolic() {
        return of(pointer, &displaced(swizzle, &Value::integer(offset), layout, names)?);
    }
    let layout = layout.layout_where(1, "a pointer stands before a layout")?;
    Ok(Value::Tensor(pointer, Box::new(Value::from(Composed::new(swizzle, offset, layout)?))))
}

/// A swizzle of bytes as one of elements.
fn in_elements(swizzle: Swizzle, bits: u32) -> Result<Swizzle, Failure> {
    let base = i64::from(swizzle.base()) + 3 - i64::from(bits.trailing_zeros());
    if !bits.is_power_of_two() || base < 0 {
        let message = format!("{swizzle} permutes bytes, and takes elements of {bits} bits apart");
        return Err(Failure::other("swizzle", message));
    }
    Ok(Swizzle::new(swizzle.bits().into(), base, swizzle.shift().into())?)
}

/// An iterator that counts from `offset`, before a layout: the layout itself if the offset is 0.
pub(crate) fn counted(offset: &Value, layout: &Value, names: &Names) -> Result<Value, Failure> {
    let wrong = |index: usize, what: &str| Failure::argument(index, what);
    layout.refuse_tensor(1, "an offset stands before a layout")?;
    let is_zero =
        offset.as_offset().is_some_and(|own| own.leaves().iter().all(|leaf| *leaf == Rational::ZERO));
    if is_zero && matches!(layout, Value::Symbolic(own) if own.is_function()) {
        return Ok(layout.clone());
    }
    if offset.is_symbolic() || layout.is_symbolic() {
        return displaced(Swizzle::NONE, offset, layout, names);
    }
    let offset = offset.as_offset().ok_or_else(|| wrong(0, "an offset is a number or a coordinate"))?;
    let layout = layout.as_layout().ok_or_else(|| wrong(1, "an offset stands before a layout"))??;
    let view = View::new(offset, layout)?;
    Ok(if is_zero { Value::from(layout) } else { Value::from(view) })
}

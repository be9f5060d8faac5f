//! One function in several forms: matrices, XOR strides, swizzles, lists of offsets.

use super::call::{Answer, Call};
use super::queries::too_long;
use crate::error::Failure;
use crate::value::{MAX_TEXT, Value};
use tilework::__private::ceil_div;
use tilework::{
    AnyLayout, BitMatrix, Codomain, Composed, Error, HTuple, Layout, Offset, Rational, Swizzle, View,
};

/// A layout in another form: of a tensor, one of the same elements.
pub(super) fn of_elements(call: &Call, form: impl Into<Value>) -> Answer {
    Ok(form.into().with_pointer_of(&call.arguments[0]))
}

/// A layout, plain or swizzled, as a swizzled one.
pub(super) fn composed(call: &Call) -> Result<Composed, Failure> {
    match call.arguments[0].untyped() {
        Value::Composed(composed) => Ok(**composed),
        _ => Ok(Composed::new(Swizzle::NONE, 0, *call.layout(0)?)?),
    }
}

pub(super) fn to_view(call: &Call) -> Answer {
    let view = match call.arguments[0].untyped() {
        Value::View(_) => return Ok(call.arguments[0].clone()),
        _ => match call.any_layout(0)? {
            AnyLayout::Plain(layout) => layout.slice(..)?,
            AnyLayout::Swizzled(composed) => composed.to_view()?,
        },
    };
    of_elements(call, view)
}

pub(super) fn to_swizzle(call: &Call) -> Answer {
    match call.arguments[0].untyped() {
        Value::Composed(_) => Ok(call.arguments[0].clone()),
        _ => of_elements(call, call.layout(0)?.to_swizzle()?),
    }
}

/// The rows of the matrix; a single row is not wrapped.
pub(super) fn linear_form(call: &Call) -> Answer {
    let layout = call.layout(0)?;
    let rows: Vec<Vec<Rational>> = match layout.codomain() {
        Codomain::Xor => {
            let matrix = layout.to_bit_matrix()?;
            let bit = |row, column| Rational::integer(matrix.get(row, column).unwrap_or(false).into());
            let columns = matrix.columns().len();
            (0..matrix.rows()).map(|row| (0..columns).map(|column| bit(row, column)).collect()).collect()
        }
        _ => {
            let form = layout.linear_form()?;
            let entry = |row, column| form.get(row, column).unwrap_or(Rational::ZERO);
            (0..form.rows())
                .map(|row| (0..form.columns()).map(|column| entry(row, column)).collect())
                .collect()
        }
    };
    let row = |row: &Vec<Rational>| -> Result<Offset, Error> {
        tuple_of(&row.iter().map(|value| HTuple::leaf(*value)).collect::<Vec<Offset>>(), Rational::ZERO)
    };
    let rows = rows.iter().map(row).collect::<Result<Vec<Offset>, Error>>()?;
    Ok(match rows.as_slice() {
        [row] => Value::offset(row)?,
        rows => Value::offset(&tuple_of(rows, Rational::ZERO)?)?,
    })
}

/// A tuple, possibly empty.
fn tuple_of<T: Copy>(modes: &[HTuple<T>], filler: T) -> Result<HTuple<T>, Error> {
    if modes.is_empty() { Ok(HTuple::empty(filler)) } else { HTuple::tuple(modes) }
}

pub(super) fn bit_matrix_of(call: &Call) -> Result<BitMatrix, Failure> {
    Ok(call.any_layout(0)?.to_layout()?.to_bit_matrix()?)
}

pub(super) fn bit_matrix(call: &Call) -> Answer {
    let matrix = bit_matrix_of(call)?;
    let columns: Vec<HTuple<i64>> =
        matrix.columns().iter().map(|column| HTuple::leaf(*column as i64)).collect();
    Ok(Value::integers(&tuple_of(&columns, 0)?)?)
}

pub(super) fn bit_layout(call: &Call) -> Result<Layout, Failure> {
    let columns = call.coord(0)?;
    let columns: Result<Vec<u64>, _> = columns.leaves().iter().map(|column| u64::try_from(*column)).collect();
    let columns = columns.map_err(|_| call.wrong(0, "a tuple of columns, numbers of 0 or more"))?;
    let rows = columns.iter().map(|column| 64 - column.leading_zeros()).max().unwrap_or(0);
    Ok(BitMatrix::new(rows as usize, &columns)?.to_layout()?)
}

/// An argument as a list of numbers.
pub(super) fn numbers(call: &Call) -> Result<Vec<i64>, Failure> {
    let wrong = || call.wrong(0, "a list of integers");
    match &call.arguments[0] {
        Value::Offsets(offsets) => offsets
            .iter()
            .map(|offset| match offset.leaves() {
                [value] if offset.is_leaf() && value.is_integer() => Ok(value.numerator()),
                _ => Err(wrong()),
            })
            .collect(),
        _ => match call.coord(0) {
            Ok(tuple) if tuple.depth() <= 1 => Ok(tuple.leaves().to_vec()),
            _ => Err(wrong()),
        },
    }
}

pub(super) fn from_image(call: &Call) -> Answer {
    let view = View::from_image(&numbers(call)?)?;
    Ok(if view.offset().leaves()[0].numerator() == 0 { (*view.layout()).into() } else { view.into() })
}

/// Layouts that are applied in turn; a single one is a layout.
pub(super) fn chain(call: &Call) -> Answer {
    let layouts = (0..call.count()).map(|index| Ok(*call.layout(index)?)).collect::<Result<_, Failure>>()?;
    chain_of(layouts)
}

fn chain_of(layouts: Vec<Layout>) -> Answer {
    Ok(match layouts[..] {
        [layout] => layout.into(),
        _ => Value::Chain(layouts.into()),
    })
}

pub(super) fn completeness(call: &Call) -> Answer {
    let values = numbers(call)?;
    let chain = Layout::completeness(&values)?;
    let (mut layouts, mut length) = (Vec::new(), "chain".len());
    for index in 0..chain.count() {
        let layout = chain.layout(index)?;
        length += layout.to_text().as_str().len() + 1;
        if length > MAX_TEXT {
            return Err(too_long("completeness", chain.count() as i64, "layouts"));
        }
        layouts.push(layout);
    }
    chain_of(layouts)
}

/// Elements, or the bytes of elements with some bits.
pub(super) fn footprint(call: &Call) -> Result<i64, Failure> {
    let elements = match call.arguments[0].untyped() {
        Value::Composed(composed) => composed.footprint()?,
        // Adding an offset is injective.
        _ => call.domain(0)?.footprint()?,
    };
    if call.count() == 1 {
        return Ok(elements);
    }
    let bits = call.integer(1)?;
    if bits < 1 {
        return Err(call.wrong(1, "a number of bits"));
    }
    let all =
        elements.checked_mul(bits).ok_or(Error::Overflow { left: elements, operator: '*', right: bits })?;
    Ok(ceil_div(all, 8))
}

pub(super) fn is_contiguous(call: &Call) -> Result<bool, Failure> {
    Ok(match &call.arguments[0] {
        Value::Composed(composed) => {
            composed.bounds()?;
            // A value that is not a layout is not the identity.
            composed.to_layout().is_ok_and(|layout| layout.is_contiguous() == Ok(true))
        }
        _ => call.layout(0)?.is_contiguous()?,
    })
}

//! The evaluation of each step of a program.

use crate::arithmetic::{self, Operator};
use crate::error::Failure;
use crate::functions::{self, Sign};
use crate::program::{Apply, Program};
use crate::tensor;
use crate::value::Value;
use tilework::__private::Atom;
use tilework::{Codomain, Composed, Error, HTuple, Layout, MAX_LEAVES, Tiler, View};

/// Resolves an operation by its operands: `/` and `*` of two numbers are arithmetic, a tuple that is not a shape, before
/// `o` and a layout of coordinates, is a coordinate, and parentheses around a number or a tuple make a tuple.
#[inline]
pub(crate) fn resolved(apply: Apply, operands: &[Value]) -> Apply {
    let sign = match (apply, operands) {
        (Apply::Infix(sign), _) => sign,
        (Apply::Group, [value]) if value.is_tuple() => return Apply::Tuple(1),
        _ => return apply,
    };
    if sign == Sign::Product && arithmetic::multiple(operands).is_some() {
        return Apply::Arithmetic(Operator::Multiply);
    }
    // The DSL prints `(0,0) o (4,8):(1@0,1@1)`.
    if let (Sign::Composition, [Value::Tuple(left), right]) = (sign, operands)
        && right
            .as_layout()
            .is_some_and(|layout| layout.is_ok_and(|layout| layout.codomain() == Codomain::Coordinate))
    {
        return if left.leaves().contains(&Atom::Integer(0)) { Apply::Counted } else { apply };
    }
    let is_number = |value: &Value| match value {
        Value::Symbolic(symbolic) => symbolic.is_number(),
        value => value.as_number().is_some(),
    };
    let [left, right] = [0, 1].map(|index| is_number(&operands[index]));
    match (left, right, sign) {
        (true, true, Sign::Divide) => Apply::Arithmetic(Operator::Divide),
        (true, true, Sign::Product) => Apply::Arithmetic(Operator::Multiply),
        // A number before a layout is neither, and is refused.
        (true, false, Sign::Divide | Sign::Product) => apply,
        _ => Apply::Call { function: functions::of_sign(sign), arguments: 2, first_index: 0, end_index: 0 },
    }
}

/// The value of an operation.
#[inline]
pub(crate) fn evaluate(apply: Apply, program: &Program, operands: &[Value]) -> Result<Value, Failure> {
    match apply {
        Apply::Call { function, first_index, end_index, .. } => {
            function.call(operands, &program.indices[first_index..end_index])
        }
        Apply::Infix(Sign::Composition) => Err(Failure::Argument {
            index: 0,
            message: String::from("this may be a coordinate, as the DSL prints it, or a shape"),
            help: Some("write {(2,3)} o L for the coordinate, and composition((2,3), L) for the shape"),
        }),
        Apply::Infix(_) => Err(number_before(&operands[1])),
        Apply::Arithmetic(operator) => arithmetic::evaluate(operator, operands),
        Apply::Tile(_) => tile(operands),
        Apply::Counted => tensor::counted(&operands[0], &operands[1]),
        Apply::Tensor(pointer) => tensor::of(pointer, &operands[0]),
        Apply::SwizzledTensor(pointer, address) => {
            tensor::swizzled(pointer, address, &operands[0], &operands[1])
        }
        Apply::Coordinate(_) => application(&operands[0], &operands[1..]),
        Apply::Group => Ok(operands[0].clone()),
        Apply::Tuple(_) => gather(operands),
        Apply::Tiler(_) => tiler(operands),
        Apply::Pair => pair(&operands[0], &operands[1]),
        Apply::View => view(&operands[0], &operands[1]),
        Apply::Swizzled => swizzled(&operands[0], &operands[1], &operands[2]),
        // Without names there are no values and no conditions; the first of several pieces is the answer.
        Apply::At { .. } | Apply::If { .. } | Apply::Emit(_) | Apply::Cases(_) => Ok(operands[0].clone()),
        Apply::Field(name) => field(&operands[0], name),
    }
}

/// The arguments of an application as a coordinate: `(2,5)` of `(L)(2,5)`.
pub(crate) fn coordinate(arguments: &[Value]) -> Result<HTuple<Atom>, Failure> {
    if let [Value::Tuple(tuple)] = arguments {
        return Ok(**tuple);
    }
    let mut many = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let Value::Tuple(tuple) = argument else {
            let help = match argument {
                Value::Layout(_) | Value::View(_) | Value::Composed(_) => {
                    Some("a layout is applied to a layout with `o`: A o B")
                }
                _ => None,
            };
            let message = format!("a layout is applied to a coordinate; found {}", argument.kind());
            return Err(Failure::Argument { index: index + 1, message, help });
        };
        many.push(**tuple);
        if many.len() > MAX_LEAVES {
            return Err(Failure::Core(Error::Capacity { what: "modes in a coordinate", limit: MAX_LEAVES }));
        }
    }
    Ok(HTuple::tuple(&many)?)
}

fn application(function: &Value, arguments: &[Value]) -> Result<Value, Failure> {
    let coordinate = coordinate(arguments)?;
    if let Value::Swizzle(swizzle) = function {
        let Some(offset) = Value::from(coordinate).as_integer() else {
            let message = String::from("a swizzle is applied to an integer");
            return Err(Failure::Argument { index: 1, message, help: None });
        };
        return Ok(Value::integer(swizzle.apply(offset)?));
    }
    if function.domain().is_none() && function.as_layout().is_none() {
        let message =
            format!("only layouts and swizzles are applied to coordinates; found {}", function.kind());
        return Err(Failure::Argument { index: 0, message, help: None });
    }
    let coordinate = Value::from(coordinate);
    if coordinate.is_open() {
        return functions::slice(function, &coordinate);
    }
    let Some(coord) = coordinate.as_coord() else {
        let message = String::from("a coordinate is a tuple of integers");
        return Err(Failure::Argument { index: 1, message, help: None });
    };
    match function.evaluate(&coord) {
        Some(offset) => Ok(Value::offset(&offset?)?),
        None => {
            let message = format!("{} is not a function of coordinates", function.kind());
            Err(Failure::Argument { index: 0, message, help: None })
        }
    }
}

/// `(a,b,...)`: a tuple of numbers, or the layout of several layouts.
fn gather(members: &[Value]) -> Result<Value, Failure> {
    if members.len() > MAX_LEAVES {
        return Err(Failure::Core(Error::Capacity { what: "modes in a tuple", limit: MAX_LEAVES }));
    }
    let mut tuples = Vec::new();
    for member in members {
        match member {
            Value::Tuple(tuple) => tuples.push(**tuple),
            _ => break,
        }
    }
    if tuples.len() == members.len() {
        return Ok(Value::from(HTuple::tuple(&tuples)?));
    }
    let mixed = members.iter().any(|member| matches!(member, Value::Tuple(_) | Value::Tiler(_)));
    if mixed { by_mode(members) } else { functions::concatenate(members) }
}

/// `make_tile(a,b,...)`: a tuple, or a tiler.
fn tile(members: &[Value]) -> Result<Value, Failure> {
    if members.iter().all(|member| matches!(member, Value::Tuple(_))) {
        gather(members)
    } else {
        by_mode(members)
    }
}

/// A tuple of layouts and extents, as CuTe prints a tiler: each member tiles a mode.
fn by_mode(members: &[Value]) -> Result<Value, Failure> {
    if members.len() > MAX_LEAVES {
        return Err(Failure::Core(Error::Capacity { what: "tiles in a tiler", limit: MAX_LEAVES }));
    }
    let mut tiles = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let Some(tile) = member.as_tiler() else {
            return Err(no_tile(index, member));
        };
        tiles.push(tile?);
    }
    Ok(Value::from(Tiler::by_mode(&tiles)?))
}

fn no_tile(index: usize, member: &Value) -> Failure {
    let message = format!("a tile is a layout, an extent, `_` or a tiler; found {}", member.kind());
    Failure::Argument { index, message, help: None }
}

/// The error for `/` or `*` between a number and something else.
fn number_before(right: &Value) -> Failure {
    Failure::Argument {
        index: 0,
        message: format!("the left operand is a number, and the right one is {}", right.kind()),
        help: Some("a layout is written 4:1; arithmetic before `:` takes parentheses, (2*M):1"),
    }
}

/// `<a,b,...>`.
fn tiler(members: &[Value]) -> Result<Value, Failure> {
    if members.len() > MAX_LEAVES {
        return Err(Failure::Core(Error::Capacity { what: "tiles in a tiler", limit: MAX_LEAVES }));
    }
    let mut tiles = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let tile = match member {
            Value::Tiler(tiler) => Some(Ok(**tiler)),
            // Within `<...>` a tuple of extents is a compact layout, as everywhere in the notation.
            Value::Tuple(tuple) if !tuple.is_leaf() => {
                member.as_layout().map(|layout| layout.map(|layout| layout.as_tiler()))
            }
            _ => member.as_tiler(),
        };
        let Some(tile) = tile else {
            return Err(no_tile(index, member));
        };
        tiles.push(tile?);
    }
    Ok(Value::from(Tiler::by_mode(&tiles)?))
}

/// `shape:stride` if one of them is not a literal.
fn pair(shape: &Value, stride: &Value) -> Result<Value, Failure> {
    let wrong = |index: usize, what: &str, value: &Value| {
        let fraction = match value {
            Value::Tuple(tuple) if index == 0 => tuple.leaves().iter().find_map(|atom| match atom {
                Atom::Stride(stride) if stride.unit().is_one() => Some(stride.count()),
                _ => None,
            }),
            _ => None,
        };
        let (message, help) = match fraction {
            Some(number) => {
                (format!("an extent is an integer; found {number}"), Some("floor(a/b) and ceil(a/b) round"))
            }
            None => (format!("{what} is a number or a tuple; found {}", value.kind()), None),
        };
        Failure::Argument { index, message, help }
    };
    let extents = shape.as_coord().ok_or_else(|| wrong(0, "a shape", shape))?;
    let strides = stride.as_strides().ok_or_else(|| wrong(1, "a stride", stride))?;
    Ok(Layout::of(&extents, &strides)?.into())
}

/// `value.name`.
fn field(value: &Value, name: &str) -> Result<Value, Failure> {
    if let Some(field) = value.field(name) {
        return Ok(field?);
    }
    let has = match value.fields() {
        [] => String::new(),
        names => format!(", which has .{}", names.join(", .")),
    };
    let message = format!("there is no .{name} of {}{has}", value.kind());
    Err(Failure::Argument { index: 0, message, help: None })
}

/// `{offset} o layout`.
fn view(offset: &Value, layout: &Value) -> Result<Value, Failure> {
    let wrong = |index: usize, what: &str| Failure::Argument { index, message: what.into(), help: None };
    let offset = offset.as_offset().ok_or_else(|| wrong(0, "an offset is a number or a coordinate"))?;
    match layout.as_layout() {
        Some(layout) => Ok(Value::from(View::new(offset, layout?)?)),
        None => Err(wrong(1, "an offset stands before a layout")),
    }
}

/// `swizzle o offset o layout`.
fn swizzled(left: &Value, offset: &Value, right: &Value) -> Result<Value, Failure> {
    let (Value::Swizzle(swizzle), Some(offset)) = (left, offset.as_integer()) else {
        let inner = functions::compose(left, offset)?;
        return functions::compose(&inner, right);
    };
    match right.as_layout() {
        Some(layout) => Ok(Value::from(Composed::new(*swizzle, offset, layout?)?)),
        None => {
            let message = format!("a swizzle is composed with a layout; found {}", right.kind());
            Err(Failure::Argument { index: 2, message, help: None })
        }
    }
}

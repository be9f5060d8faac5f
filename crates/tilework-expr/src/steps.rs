//! The evaluation of each step of a program.
//!
//! A step takes values whether their numbers have names or not. Without names it calls the algebra at once; with names it works in
//! a [`Scoped`](crate::names::Scoped) copy of the session's names, under the guards of its operands.

use crate::arithmetic::{self, Operator};
use crate::emit;
use crate::error::Failure;
use crate::functions::{self, Sign};
use crate::names::Names;
use crate::program::{Apply, Program};
use crate::symbolic::{Content, Symbolic, SymbolicKind};
use crate::tensor;
use crate::value::Value;
use tilework::__private::Atom;
use tilework::{Codomain, Composed, Error, HTuple, Layout, MAX_LEAVES, Swizzle, Tiler, View};
use tilework_symbolic::Tuple;

/// Resolves an operation by its operands: `/` and `*` of two numbers are arithmetic, a tuple that is not a shape, before
/// `o` and a layout of coordinates, is a coordinate, and parentheses around a number or a tuple make a tuple.
#[inline]
pub(crate) fn resolved(apply: Apply, operands: &[Value]) -> Apply {
    let sign = match (apply, operands) {
        (Apply::Infix(sign), _) => sign,
        (Apply::Calculation, [sum]) if sum.is_sum() => return apply,
        (Apply::Group | Apply::Calculation, [value]) if value.is_tuple() => return Apply::Tuple(1),
        _ => return apply,
    };
    if sign == Sign::Product && arithmetic::is_multiple(operands) {
        return Apply::Arithmetic(Operator::Multiply);
    }
    match (sign, operands) {
        (Sign::Composition, [Value::Tuple(stride), Value::Tuple(shape)])
            if is_no_composition(stride, shape) =>
        {
            return Apply::Strides;
        }
        // At some values they may be strides.
        (Sign::Composition, [stride, shape])
            if has_names(operands) && stride.is_tuple() && shape.is_tuple() && !stride.is_number() =>
        {
            return apply;
        }
        _ => {}
    }
    // The DSL prints `(0,0) o (4,8):(1@0,1@1)`.
    if let (Sign::Composition, [Value::Tuple(left), right]) = (sign, operands)
        && right
            .as_layout()
            .is_some_and(|layout| layout.is_ok_and(|layout| layout.codomain() == Codomain::Coordinate))
    {
        return if left.leaves().contains(&Atom::Integer(0)) { Apply::Counted } else { apply };
    }
    let [left, right] = [0, 1].map(|index| operands[index].is_number());
    match (left, right, sign) {
        (true, true, Sign::Divide) => Apply::Arithmetic(Operator::Divide),
        (false, true, Sign::Divide) if operands[0].is_element() => Apply::Arithmetic(Operator::Divide),
        (true, true, Sign::Product) => Apply::Arithmetic(Operator::Multiply),
        // A number before a layout is neither, and is refused.
        (true, false, Sign::Divide | Sign::Product) => apply,
        _ => Apply::Call { function: functions::of_sign(sign), arguments: 2, first_index: 0, end_index: 0 },
    }
}

/// Whether `D o S` is a layout of strides and shape (paper, 2.4.1): the tile `S` does not fit in `D`, or `D` is no shape. Of two
/// numbers it is a composition.
fn is_no_composition(stride: &HTuple<Atom>, shape: &HTuple<Atom>) -> bool {
    let fits = |(extent, tile): (&Atom, &Atom)| matches!((extent, tile), (Atom::Integer(extent), Atom::Integer(tile)) if tile <= extent);
    let is_number = stride.is_leaf() && matches!(stride.leaves(), [Atom::Integer(_)]);
    !is_number && stride.congruent(shape) && !stride.leaves().iter().zip(shape.leaves()).all(fits)
}

/// The value of an operation.
#[inline]
pub(crate) fn evaluate(
    apply: Apply,
    program: &Program,
    operands: &[Value],
    names: &Names,
) -> Result<Value, Failure> {
    match apply {
        Apply::Call { function, first_index, end_index, .. } => {
            function.call_with_names(names, operands, &program.indices[first_index..end_index])
        }
        Apply::Element if !operands[0].is_number() => {
            Err(Failure::found(0, "`@` is behind a number, as in 1@0@1", operands[0].kind()))
        }
        Apply::Element => arithmetic::evaluate(Operator::Multiply, operands, names),
        Apply::Arithmetic(operator) => arithmetic::evaluate(operator, operands, names),
        Apply::Coordinate(_) => application(&operands[0], &operands[1..], names),
        Apply::Tuple(_) => gather(operands, names),
        Apply::Tile(_) if operands.iter().all(Value::is_tuple) => gather(operands, names),
        Apply::Tile(_) => tiler(operands, names, false),
        Apply::Tiler(_) => tiler(operands, names, true),
        Apply::Pair => pair(operands, names),
        Apply::Strides => pair(&[operands[1].clone(), operands[0].clone()], names),
        Apply::View => view(operands, names),
        Apply::Field(name) => field(operands, name, names),
        Apply::If { guard } => conditional(&program.names[guard], &operands[0], names),
        Apply::Emit { language, bits, first_name, count } => {
            let coordinate = &program.names[first_name..first_name + count];
            emit::emitted(language, bits, coordinate, &operands[0], names)
        }
        Apply::At { first_name, .. } => {
            at(&operands[0], &given(program, first_name, &operands[1..], names)?, names)
        }
        Apply::Cases(_) if has_names(operands) => {
            let texts: Vec<String> = operands.iter().map(Value::to_string).collect();
            Ok(Value::Symbolic(Box::new(Symbolic::plain(Content::Cases(texts.join(" else "))))))
        }
        // Without names the first of several pieces is the answer.
        Apply::Group | Apply::Calculation | Apply::Cases(_) => Ok(operands[0].clone()),
        Apply::Tensor(pointer) => tensor::with_names(pointer, &operands[0], names),
        Apply::Counted => tensor::counted(&operands[0], &operands[1], names),
        Apply::Swizzled => swizzled(operands, names),
        Apply::SwizzledTensor(pointer, address) => {
            tensor::swizzled(pointer, address, &operands[0], &operands[1], names)
        }
        Apply::Infix(Sign::Composition) if has_names(operands) => {
            let help = "write composition(D, S) for the shapes, and S:D for the layout";
            let message = "with names this may be a composition of shapes, or a layout of strides and shape";
            Err(Failure::advised(0, message, help))
        }
        _ if has_names(operands) => Err(unsupported(operands)),
        Apply::Printed(print, _) => functions::printed(print, operands),
        Apply::Infix(Sign::Composition) => {
            let help = "write {(2,3)} o L for the coordinate, and composition((2,3), L) for the shape";
            Err(Failure::advised(0, "this may be a coordinate, as the DSL prints it, or a shape", help))
        }
        Apply::Infix(_) => {
            let message =
                format!("the left operand is a number, and the right one is {}", operands[1].kind());
            let help = "a layout is written 4:1; arithmetic before `:` takes parentheses, (2*M):1";
            Err(Failure::advised(0, message, help))
        }
    }
}

fn has_names(operands: &[Value]) -> bool {
    operands.iter().any(Value::is_symbolic)
}

/// The error for operations on numbers only.
pub(crate) fn unsupported(operands: &[Value]) -> Failure {
    let index = operands.iter().position(Value::is_symbolic).unwrap_or(0);
    let message = format!("expected numbers, found {}", operands[index].kind());
    Failure::advised(index, message, "give its names values first, as in L[M = 4096, K = 512]")
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

fn application(function: &Value, arguments: &[Value], names: &Names) -> Result<Value, Failure> {
    if function.is_symbolic() || has_names(arguments) {
        return match arguments {
            [coordinate] => functions::application(names, function, coordinate),
            several => functions::application(names, function, &gather(several, names)?),
        };
    }
    let coordinate = coordinate(arguments)?;
    if let Value::Swizzle(swizzle) = function {
        let Some(offset) = Value::from(coordinate).as_integer() else {
            return Err(Failure::argument(1, "a swizzle is applied to an integer"));
        };
        return Ok(Value::integer(swizzle.apply(offset)?));
    }
    let is_chain = matches!(function, Value::Chain(_));
    if !is_chain && function.domain().is_none() && function.as_layout().is_none() {
        return Err(Failure::found(
            0,
            "only layouts and swizzles are applied to coordinates",
            function.kind(),
        ));
    }
    let coordinate = Value::from(coordinate);
    if coordinate.is_open() {
        return functions::slice(function, &coordinate);
    }
    let rank = function.domain().map_or(1, |layout| layout.rank());
    let Some(coord) = coordinate.as_coord_of(rank) else {
        return Err(Failure::argument(1, "a coordinate is a tuple of integers"));
    };
    // A colon that is forgotten makes a coordinate of the strides.
    if let (Value::Tuple(shape), Some(extents)) = (function, function.as_coord())
        && !extents.is_in_bounds(&coord)
    {
        let help = "shape and strides are written (4,8):(8,1)";
        return Err(Failure::advised(1, format!("{coordinate} is outside of the shape {shape}"), help));
    }
    match function.evaluate(&coord) {
        Some(offset) => Ok(Value::offset(&functions::fitting(offset, function, &coordinate)?)?),
        None => Err(Failure::argument(0, format!("{} is not a function of coordinates", function.kind()))),
    }
}

/// `(a,b,...)`: a tuple of numbers, the layout of several layouts, or of a mixture a tiler by mode.
fn gather(members: &[Value], names: &Names) -> Result<Value, Failure> {
    if members.len() > MAX_LEAVES {
        return Err(Failure::Core(Error::Capacity { what: "modes in a tuple", limit: MAX_LEAVES }));
    }
    if !members.iter().all(Value::is_tuple) {
        return match members.iter().any(|member| member.is_tuple() || is_tiler(member)) {
            true => tiler(members, names, false),
            false => functions::concatenate(members, names),
        };
    }
    if has_names(members) {
        let mut scoped = names.under(members)?;
        let mut modes = Vec::new();
        for member in members {
            modes.extend(scoped.elements(member)?);
        }
        return scoped.bound(Content::Tuple(Tuple::of(&modes)?));
    }
    let tuples = members.iter().filter_map(|member| match member {
        Value::Tuple(tuple) => Some(**tuple),
        _ => None,
    });
    Ok(Value::from(HTuple::tuple(&tuples.collect::<Vec<_>>())?))
}

fn is_tiler(value: &Value) -> bool {
    match value {
        Value::Symbolic(own) => own.kind() == SymbolicKind::Tiler,
        value => matches!(value, Value::Tiler(_)),
    }
}

/// A tuple of layouts and extents, as CuTe prints a tiler: each member tiles a mode. Within `<...>` a tuple of extents is a compact
/// layout, as everywhere in the notation.
fn tiler(members: &[Value], names: &Names, is_compact: bool) -> Result<Value, Failure> {
    if members.len() > MAX_LEAVES {
        return Err(Failure::Core(Error::Capacity { what: "tiles in a tiler", limit: MAX_LEAVES }));
    }
    let wrong = |index: usize, member: &Value| {
        Failure::found(index, "a tile is a layout, an extent, `_` or a tiler", member.kind())
    };
    if has_names(members) {
        let mut scoped = names.under(members)?;
        let mut tiles = Vec::new();
        for (index, member) in members.iter().enumerate() {
            tiles.push(Some(scoped.tiler(member, is_compact)?.ok_or_else(|| wrong(index, member))?));
        }
        let tiler = scoped.scope.tiler_of(&tiles)?;
        return scoped.bound(Content::Tiler(tiler));
    }
    let mut tiles = Vec::new();
    for (index, member) in members.iter().enumerate() {
        tiles.push(member.as_tile(is_compact).ok_or_else(|| wrong(index, member))??);
    }
    Ok(Value::from(Tiler::by_mode(&tiles)?))
}

/// `shape:stride` if one of them is not a literal.
fn pair(operands: &[Value], names: &Names) -> Result<Value, Failure> {
    let (shape, stride) = (&operands[0], &operands[1]);
    let wrong = |index: usize, what: &str| {
        let value = &operands[index];
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
    if has_names(operands) {
        let mut scoped = names.under(operands)?;
        return match scoped.pair(shape, stride)? {
            Some(layout) => scoped.bound(Content::Layout(layout)),
            None if shape.is_tuple() && !stride.is_tuple() => Err(wrong(1, "a stride")),
            None => Err(wrong(0, "a shape")),
        };
    }
    let extents = shape.as_coord().ok_or_else(|| wrong(0, "a shape"))?;
    let strides = stride.as_strides().ok_or_else(|| wrong(1, "a stride"))?;
    Ok(Layout::of(&extents, &strides)?.into())
}

/// `value.name`.
fn field(operands: &[Value], name: &str, names: &Names) -> Result<Value, Failure> {
    let value = &operands[0];
    if value.is_symbolic() {
        match (name, value.element_bits()) {
            ("bits", Some(bits)) => return Ok(Value::integer(bits.into())),
            ("layout", Some(_)) => {
                let mut scoped = names.under(operands)?;
                let Some(layout) = scoped.domain(value)? else { return Err(unsupported(operands)) };
                return scoped.bound(Content::Layout(layout));
            }
            _ => {}
        }
        let function = if matches!(name, "shape" | "stride") { functions::find(name) } else { None };
        return function.ok_or_else(|| unsupported(operands))?.call_with_names(names, operands, &[]);
    }
    if let Some(field) = value.field(name) {
        return Ok(field?);
    }
    let has = match value.fields() {
        [] => String::new(),
        names => format!(", which has .{}", names.join(", .")),
    };
    Err(Failure::argument(0, format!("there is no .{name} of {}{has}", value.kind())))
}

/// `{offset} o layout`.
fn view(operands: &[Value], names: &Names) -> Result<Value, Failure> {
    let (offset, layout) = (&operands[0], &operands[1]);
    let wrong = |index: usize, message: String| Failure::argument(index, message);
    if has_names(operands) {
        return tensor::displaced(Swizzle::NONE, offset, layout, names);
    }
    let offset =
        offset.as_offset().ok_or_else(|| wrong(0, "an offset is a number or a coordinate".into()))?;
    layout.refuse_tensor(1, "an offset stands before a layout")?;
    match layout.as_layout() {
        Some(layout) => Ok(Value::from(View::new(offset, layout?)?)),
        None => Err(wrong(1, "an offset stands before a layout".into())),
    }
}

/// A value with its condition.
fn conditional(guard: &str, value: &Value, names: &Names) -> Result<Value, Failure> {
    let mut scoped = names.scoped();
    let mut guard = scoped.scope.guard(guard)?;
    if let Some(own) = value.as_symbolic() {
        guard.push_all(&scoped.scope.adopt(&own.declared).guard(&own.guard)?);
        // Of two conditions that imply each other, one is said.
        guard = scoped.scope.reduced(&guard)?;
    }
    for clause in guard.each() {
        let _ = scoped.scope.assume_guard(&clause);
    }
    let Some(content) = scoped.content(value)? else {
        return Err(Failure::found(0, "a condition follows a layout, a number or a tiler", value.kind()));
    };
    Ok(scoped.made(content, &guard)?.with_pointer_of(value))
}

/// The names and numbers of `at M = 4096, K = 512`, which fulfil the facts.
pub(crate) fn given<'a>(
    program: &'a Program,
    first_name: usize,
    numbers: &[Value],
    names: &Names,
) -> Result<Vec<(&'a str, i64)>, Failure> {
    let mut given: Vec<(&str, i64)> = Vec::new();
    for (index, value) in numbers.iter().enumerate() {
        let name = program.names[first_name + index].as_str();
        let Some(number) = value.as_integer() else {
            let wanted = format!("the value of {name} is an integer");
            return Err(Failure::found(index + 1, &wanted, value.kind()));
        };
        if given.iter().any(|(own, _)| *own == name) {
            return Err(Failure::argument(index + 1, format!("{name} has a value already")));
        }
        given.push((name, number));
    }
    names.at(&Symbolic::plain(Content::Truth(true)), &given)?;
    Ok(given)
}

/// A value with its pointer at numbers of some names.
pub(crate) fn at(value: &Value, given: &[(&str, i64)], names: &Names) -> Result<Value, Failure> {
    match value.as_symbolic() {
        Some(own) => Ok(at_values(own, given, names)?.with_pointer_of(value)),
        None => Ok(value.clone()),
    }
}

/// A value at numbers of some names. A question whose guard fails is asked again, because the guard is only sufficient.
pub(crate) fn at_values(symbolic: &Symbolic, given: &[(&str, i64)], names: &Names) -> Result<Value, Failure> {
    let instance = match (names.at(symbolic, given), &symbolic.question) {
        (Err(Failure::Other { code: "guard", .. }), Some(question)) => {
            let operands = question.operands.iter().map(|operand| at_values(operand, given, names));
            let operands = operands.collect::<Result<Vec<_>, _>>()?;
            let function = functions::find(question.function).ok_or_else(|| unsupported(&operands))?;
            return function.call_with_names(names, &operands, &[]);
        }
        (instance, _) => instance?,
    };
    let mut scoped = names.scoped();
    scoped.under(&instance)?;
    let content = scoped.adopted(&instance)?;
    scoped.bound(content)
}

/// `swizzle o offset o layout`.
fn swizzled(operands: &[Value], names: &Names) -> Result<Value, Failure> {
    let (left, offset, right) = (&operands[0], &operands[1], &operands[2]);
    if has_names(operands) {
        let placed = view(&operands[1..], names)?;
        return functions::of_sign(Sign::Composition).call_with_names(names, &[left.clone(), placed], &[]);
    }
    let (Value::Swizzle(swizzle), Some(offset)) = (left, offset.as_integer()) else {
        let inner = functions::compose(left, offset)?;
        return functions::compose(&inner, right);
    };
    right.refuse_tensor(2, "a swizzle is composed with a layout")?;
    let layout = right.layout_where(2, "a swizzle is composed with a layout")?;
    Ok(Value::from(Composed::new(*swizzle, offset, layout)?))
}

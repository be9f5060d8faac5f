//! The evaluation of steps with names in their operands.

use crate::arithmetic::Operator;
use crate::error::Failure;
use crate::functions;
use crate::program::{Apply, Program};
use crate::symbolic::{Content, Names, Scoped, Symbolic, SymbolicKind};
use crate::tensor;
use crate::value::Value;
use tilework_symbolic::{Guard, Host, Language, Number, Source, SymbolicTiler, Tuple};

/// The most factors in the power of a name.
const MAX_POWER: i64 = 16;

/// The value of an operation.
pub(crate) fn evaluate(
    apply: Apply,
    program: &Program,
    operands: &[Value],
    names: &Names,
) -> Result<Value, Failure> {
    match apply {
        Apply::Call { function, first_index, end_index, .. } => {
            function.call_over_names(names, operands, &program.indices[first_index..end_index])
        }
        Apply::Arithmetic(operator) => arithmetic(operator, operands, names),
        Apply::Coordinate(_) => {
            let coordinate = match &operands[1..] {
                [coordinate] => coordinate.clone(),
                several => gathered(several, names)?,
            };
            functions::application(names, &operands[0], &coordinate)
        }
        Apply::Tuple(_) => gathered(operands, names),
        Apply::Tile(_) if operands.iter().all(Value::is_tuple) => gathered(operands, names),
        Apply::Tile(_) | Apply::Tiler(_) => tiler(operands, names),
        Apply::Pair => pair(operands, names),
        Apply::View => view(operands, names),
        // A tensor with names is just its layout.
        Apply::Tensor(_) if is_layout(&operands[0]) => Ok(operands[0].clone()),
        Apply::Counted
            if is_layout(&operands[1])
                && operands[0].as_offset().is_some_and(|offset| tensor::is_zero(&offset)) =>
        {
            Ok(operands[1].clone())
        }
        Apply::Field(name @ ("shape" | "stride")) => {
            let function = functions::find(name).ok_or_else(|| unsupported(operands))?;
            function.call_over_names(names, operands, &[])
        }
        Apply::If { guard } => conditional(&program.names[guard], &operands[0], names),
        Apply::Emit(language) => emitted(language, &operands[0], names),
        Apply::Cases(_) => {
            let texts: Vec<String> = operands.iter().map(Value::to_string).collect();
            Ok(Value::Symbolic(Box::new(Symbolic::plain(Content::Cases(texts.join(" else "))))))
        }
        Apply::At { first_name, .. } => at(program, first_name, operands, names),
        _ => Err(unsupported(operands)),
    }
}

fn is_layout(value: &Value) -> bool {
    matches!(value, Value::Symbolic(own) if own.kind() == SymbolicKind::Layout)
}

/// The error for operations on numbers only.
fn unsupported(operands: &[Value]) -> Failure {
    let index = operands.iter().position(Value::is_symbolic).unwrap_or(0);
    let message = format!("expected numbers, found {}", operands[index].kind());
    Failure::Argument {
        index,
        message,
        help: Some("give its names values first, as in L[M = 4096, K = 512]"),
    }
}

/// The scope of an operation under the guards of its operands.
fn scoped(operands: &[Value], names: &Names) -> Result<Scoped, Failure> {
    let mut scoped = names.scoped();
    for operand in operands {
        if let Value::Symbolic(symbolic) = operand {
            scoped.under(symbolic)?;
        }
    }
    Ok(scoped)
}

/// `(a,b,...)`: a tuple, the modes of a layout, or, for a mixture, a tiler by mode.
fn gathered(members: &[Value], names: &Names) -> Result<Value, Failure> {
    if members.iter().all(Value::is_tuple) {
        let mut scoped = scoped(members, names)?;
        let mut modes = Vec::new();
        for (index, member) in members.iter().enumerate() {
            let Some(mode) = scoped.pattern(member)? else {
                let message = format!("a tuple with names has numbers; found {member}");
                return Err(Failure::Argument { index, message, help: None });
            };
            modes.push(mode);
        }
        return scoped.bound(Content::Tuple(Tuple::of(&modes)?));
    }
    match members.iter().any(|member| member.is_tuple() || is_tiler(member)) {
        true => tiler(members, names),
        false => functions::concatenate_over_names(names, members),
    }
}

fn is_tiler(value: &Value) -> bool {
    match value {
        Value::Symbolic(own) => own.kind() == SymbolicKind::Tiler,
        value => matches!(value, Value::Tiler(_)),
    }
}

/// `<a,b,...>`.
fn tiler(members: &[Value], names: &Names) -> Result<Value, Failure> {
    let mut scoped = scoped(members, names)?;
    let mut tiles = Vec::new();
    for (index, member) in members.iter().enumerate() {
        let Some(tile) = tile(&mut scoped, member)? else {
            let message = format!("a tile is a layout, an extent, `_` or a tiler; found {}", member.kind());
            return Err(Failure::Argument { index, message, help: None });
        };
        tiles.push(tile);
    }
    let tiler = scoped.scope.tiler_of(&tiles)?;
    scoped.bound(Content::Tiler(tiler))
}

/// A layout, an extent, a tiler, or with nothing in it `_`; none for other values.
fn tile(scoped: &mut Scoped, value: &Value) -> Result<Option<Option<SymbolicTiler>>, Failure> {
    if let Some(tuple) = scoped.pattern(value)? {
        return Ok(Some(match (tuple.is_leaf(), tuple.leaves()) {
            (true, [None]) => None,
            _ => {
                let shape = tuple.try_map(|extent| extent.clone().ok_or(REFUSED))?;
                Some(scoped.scope.column_major(&shape)?.as_tiler())
            }
        }));
    }
    Ok(match value {
        Value::Layout(layout) => Some(Some(scoped.scope.constant(layout)?.as_tiler())),
        Value::Tiler(tiler) => Some(Some(scoped.scope.constant_tiler(tiler)?)),
        Value::Symbolic(symbolic) => match scoped.adopted(symbolic)? {
            Content::Layout(layout) => Some(Some(layout.as_tiler())),
            Content::Tiler(tiler) => Some(Some(tiler)),
            _ => None,
        },
        _ => None,
    })
}

const REFUSED: tilework::Error = tilework::Error::Syntax { at: 0, expected: "a number or a name" };

/// `shape:stride`.
fn pair(operands: &[Value], names: &Names) -> Result<Value, Failure> {
    let mut scoped = scoped(operands, names)?;
    if let Some(layout) = scoped.pair(&operands[0], &operands[1])? {
        return scoped.bound(Content::Layout(layout));
    }
    let index = operands.iter().position(|operand| !operand.is_tuple()).unwrap_or(0);
    let what = if index == 0 { "a shape" } else { "a stride" };
    let message = format!("{what} is a number or a tuple; found {}", operands[index].kind());
    Err(Failure::Argument { index, message, help: None })
}

/// `{offset} o layout`.
fn view(operands: &[Value], names: &Names) -> Result<Value, Failure> {
    let mut scoped = scoped(operands, names)?;
    let offset = scoped.tuple_of(&operands[0])?.filter(Tuple::is_leaf);
    let Some(offset) = offset.and_then(|tuple| tuple.leaves().first().cloned()) else {
        let message = format!("the offset of a layout with names is a number; found {}", operands[0].kind());
        return Err(Failure::Argument { index: 0, message, help: None });
    };
    let layout = functions::layout_over_names(&mut scoped, &operands[1])?;
    let Some(layout) = layout else {
        let message = format!("an offset is that of a layout; found {}", operands[1].kind());
        return Err(Failure::Argument { index: 1, message, help: None });
    };
    scoped.bound(Content::View(offset, layout))
}

/// The offset of an index of a layout as source text, with its condition and checks of it.
fn emitted(language: Language, value: &Value, names: &Names) -> Result<Value, Failure> {
    let mut scoped = names.scoped();
    let index = scoped.scope.unused_name("x");
    let coordinate = [index.as_str()];
    let source = Source::new(language, &coordinate);
    if let Value::Symbolic(symbolic) = value
        && symbolic.kind() == SymbolicKind::Layout
    {
        scoped.under(symbolic)?;
        let Content::Layout(layout) = scoped.adopted(symbolic)? else { return Err(unsupported(&[])) };
        let expression = scoped.scope.index_expression(&layout, &source)?;
        let function = scoped.scope.index_function(&layout, "offset", &source)?;
        // Assumed facts would prove themselves.
        let mut bare = names.scoped().scope;
        let guard = bare.adopt(&symbolic.declared).guard(&symbolic.guard)?;
        let guard = bare.reduced(&guard)?;
        let host = match language {
            Language::Rust => Host::Rust,
            Language::Python => Host::Python,
            _ => Host::C,
        };
        let (own, width) = (bare.checks(&guard, host)?, scoped.scope.checks(&function.guard, host)?);
        let mut text = String::new();
        if !(guard.is_always() && function.guard.is_always()) {
            let mark = if language == Language::Python { "#" } else { "//" };
            text = format!("{mark} on the host:\n{own}{width}");
        }
        let content = Content::Source(expression.text, text + &function.text);
        return Ok(Value::Symbolic(Box::new(scoped.symbolic(content, &function.guard))));
    }
    let Some(layout) = value.as_any_layout() else {
        let message = format!("layouts are written as source text; found {}", value.kind());
        return Err(Failure::Argument { index: 0, message, help: None });
    };
    let layout = layout?;
    let expression = tilework_symbolic::index_expression(&layout, &source)?;
    let function = tilework_symbolic::index_function(&layout, "offset", &source)?;
    Ok(Value::Symbolic(Box::new(Symbolic::plain(Content::Source(expression.text, function.text)))))
}

/// A value with its condition.
fn conditional(guard: &str, value: &Value, names: &Names) -> Result<Value, Failure> {
    let mut scoped = names.scoped();
    if let Value::Symbolic(symbolic) = value {
        scoped.under(symbolic)?;
    }
    let Some(content) = functions::content(&mut scoped, value)? else {
        let message = format!("a condition follows a layout, a number or a tiler; found {}", value.kind());
        return Err(Failure::Argument { index: 0, message, help: None });
    };
    let guard = scoped.scope.guard(guard)?;
    scoped.made(content, &guard)
}

/// `EXPR at M = 4096, K = 512`.
fn at(program: &Program, first_name: usize, operands: &[Value], names: &Names) -> Result<Value, Failure> {
    let mut given = Vec::new();
    for (index, value) in operands[1..].iter().enumerate() {
        let name = program.names[first_name + index].as_str();
        let Some(value) = value.as_integer() else {
            let message = format!("the value of {name} is an integer; found {}", value.kind());
            return Err(Failure::Argument { index: index + 1, message, help: None });
        };
        given.push((name, value));
    }
    let Value::Symbolic(symbolic) = &operands[0] else {
        // There is no value to evaluate, but the names have to exist.
        names.at(&Symbolic::plain(Content::Truth(true)), &given)?;
        return Ok(operands[0].clone());
    };
    let instance = names.at(symbolic, &given)?;
    let mut scoped = names.scoped();
    scoped.under(&instance)?;
    let content = scoped.adopted(&instance)?;
    scoped.bound(content)
}

/// The value of an operation on numbers.
fn arithmetic(operator: Operator, operands: &[Value], names: &Names) -> Result<Value, Failure> {
    let mut scoped = scoped(operands, names)?;
    if let (Operator::Floor | Operator::Ceil, Value::Symbolic(own)) = (operator, &operands[0])
        && let Content::Quotient(mut numerator, denominator) = scoped.adopted(own)?
    {
        if operator == Operator::Ceil {
            numerator = numerator.add(&denominator)?.plus(-1)?;
        }
        let number = scoped.scope.floor_div(&numerator, &denominator)?;
        return scoped.number(number);
    }
    let numbers = numbers(operands, &mut scoped)?;
    let second = operands.get(1).and_then(Value::as_integer);
    let number = match (operator, &numbers[..]) {
        (Operator::Add, [a, b]) => a.add(b)?,
        (Operator::Subtract, [a, b]) => a.sub(b)?,
        (Operator::Multiply, [a, b]) => a.mul(b)?,
        (Operator::Divide, [a, b]) => match a.div(b) {
            Ok(number) => number,
            Err(_) => {
                let content = Content::Quotient(a.clone(), b.clone());
                return Ok(Value::Symbolic(Box::new(scoped.symbolic(content, &Guard::ALWAYS))));
            }
        },
        (Operator::Remainder, [a, b]) => a.sub(&scoped.scope.floor_div(a, b)?.mul(b)?)?,
        (Operator::Negate, [a]) => Number::integer(0).sub(a)?,
        (Operator::Floor, [a]) => scoped.scope.floor_div(a, &1.into())?,
        (Operator::Ceil, [a]) => scoped.scope.ceil_div(a, &1.into())?,
        (Operator::Power, [a, _]) => match second {
            Some(exponent @ 0..=MAX_POWER) => {
                (0..exponent).try_fold(Number::integer(1), |power, _| power.mul(a))?
            }
            _ => return Err(refused("the exponent of a power of names is an integer from 0 to 16")),
        },
        (Operator::ShiftLeft | Operator::ShiftRight, [a, _]) => match second {
            Some(bits @ 0..=62) if operator == Operator::ShiftLeft => a.mul(&(1 << bits).into())?,
            Some(bits @ 0..=62) => scoped.scope.floor_div(a, &(1 << bits).into())?,
            _ => return Err(refused("names are shifted by 0 to 62 bits")),
        },
        _ => return Err(unsupported(operands)),
    };
    scoped.number(number)
}

/// The operands as numbers of the scope.
fn numbers(operands: &[Value], scoped: &mut Scoped) -> Result<Vec<Number>, Failure> {
    let mut numbers = Vec::new();
    for (index, operand) in operands.iter().enumerate() {
        let message = match operand {
            Value::Symbolic(own) if own.kind() == SymbolicKind::Quotient => {
                String::from("the quotient is not a polynomial; write floor(p/q) or ceil(p/q)")
            }
            operand => match scoped.tuple_of(operand)?.as_ref().map(Tuple::leaves) {
                Some([number]) => {
                    numbers.push(number.clone());
                    continue;
                }
                _ => format!("arithmetic takes numbers; found {}", operand.kind()),
            },
        };
        return Err(Failure::Argument { index, message, help: None });
    }
    Ok(numbers)
}

fn refused(message: &str) -> Failure {
    Failure::Other { code: "arithmetic", message: message.into() }
}

//! The evaluation of steps with names in their operands.

use crate::arithmetic::Operator;
use crate::error::Failure;
use crate::functions;
use crate::program::{Apply, Program};
use crate::symbolic::{Names, Scoped, Symbolic, SymbolicKind, guard_text};
use crate::tensor;
use crate::value::Value;
use tilework_symbolic::{Host, Language, Number, Source};

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
            Ok(Value::Symbolic(Box::new(Symbolic::new(SymbolicKind::Cases, texts.join(" else ")))))
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

/// A value's own text, without its guard.
fn text(value: &Value) -> String {
    match value {
        Value::Symbolic(symbolic) => symbolic.text().to_owned(),
        value => value.to_string(),
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
        let scoped = scoped(members, names)?;
        let texts: Vec<String> = members.iter().map(text).collect();
        let tuple = Symbolic::new(SymbolicKind::Tuple, format!("({})", texts.join(",")));
        return Ok(Value::settled(scoped.bound(tuple))?);
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
        let is_layout = matches!(member, Value::Layout(_)) || is_layout(member);
        if !is_layout && !member.is_tuple() && !is_tiler(member) {
            let message = format!("a tile is a layout, an extent, `_` or a tiler; found {}", member.kind());
            return Err(Failure::Argument { index, message, help: None });
        }
        tiles.push(text(member));
    }
    let tiler = scoped.scope.tiler(&format!("<{}>", tiles.join(",")))?;
    Ok(Value::settled(scoped.tiler(&tiler)?)?)
}

/// `shape:stride`.
fn pair(operands: &[Value], names: &Names) -> Result<Value, Failure> {
    for (index, operand) in operands.iter().enumerate() {
        if !operand.is_tuple() {
            let what = if index == 0 { "a shape" } else { "a stride" };
            let message = format!("{what} is a number or a tuple; found {}", operand.kind());
            return Err(Failure::Argument { index, message, help: None });
        }
    }
    let mut scoped = scoped(operands, names)?;
    let layout = scoped.scope.layout(&format!("{}:{}", text(&operands[0]), text(&operands[1])))?;
    Ok(Value::settled(scoped.layout(&layout)?)?)
}

/// `{offset} o layout`.
fn view(operands: &[Value], names: &Names) -> Result<Value, Failure> {
    let mut scoped = scoped(operands, names)?;
    let is_number = match &operands[0] {
        Value::Symbolic(own) => own.kind() == SymbolicKind::Number,
        value => matches!(value, Value::Tuple(tuple) if tuple.is_leaf()),
    };
    if !is_number {
        let message = format!("the offset of a layout with names is a number; found {}", operands[0].kind());
        return Err(Failure::Argument { index: 0, message, help: None });
    }
    let (offset, layout) =
        (scoped.scope.number(&text(&operands[0]))?, scoped.scope.layout(&text(&operands[1]))?);
    Ok(Value::settled(scoped.view(offset, &layout)?)?)
}

/// The offset of an index of a layout as source text, with its condition and checks of it.
fn emitted(language: Language, value: &Value, names: &Names) -> Result<Value, Failure> {
    let mut scoped = names.scoped();
    let index = scoped.scope.unused_name("x");
    let coordinate = [index.as_str()];
    let source = Source::new(language, &coordinate);
    let emitted = match value {
        Value::Symbolic(symbolic) if symbolic.kind() == SymbolicKind::Layout => {
            scoped.under(symbolic)?;
            let layout = scoped.scope.layout(symbolic.text())?;
            let expression = scoped.scope.index_expression(&layout, &source)?;
            let function = scoped.scope.index_function(&layout, "offset", &source)?;
            // Assumed facts would prove themselves.
            let mut bare = names.scoped().scope;
            let guard = bare.guard(&guard_text(symbolic.guard()))?;
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
            let text = text + function.text.as_str();
            scoped.made(Symbolic::source(expression.text.as_str(), text), &function.guard)
        }
        value => match value.as_any_layout() {
            Some(layout) => {
                let layout = layout?;
                let expression = tilework_symbolic::index_expression(&layout, &source)?;
                Symbolic::source(
                    expression.text.as_str(),
                    tilework_symbolic::index_function(&layout, "offset", &source)?.text.as_str(),
                )
            }
            None => {
                let message = format!("layouts are written as source text; found {}", value.kind());
                return Err(Failure::Argument { index: 0, message, help: None });
            }
        },
    };
    Ok(Value::Symbolic(Box::new(emitted)))
}

/// A value with its condition.
fn conditional(guard: &str, value: &Value, names: &Names) -> Result<Value, Failure> {
    let symbolic = match value {
        Value::Symbolic(symbolic) => (**symbolic).clone(),
        Value::View(view) => Symbolic::view(view.offset().to_string(), view.layout().to_string()),
        value => {
            let kind = match value {
                Value::Layout(_) => SymbolicKind::Layout,
                Value::Tuple(tuple) if tuple.is_leaf() => SymbolicKind::Number,
                Value::Tuple(_) => SymbolicKind::Tuple,
                Value::Tiler(_) => SymbolicKind::Tiler,
                Value::Bool(_) => SymbolicKind::Truth,
                _ => {
                    let message =
                        format!("a condition follows a layout, a number or a tiler; found {}", value.kind());
                    return Err(Failure::Argument { index: 0, message, help: None });
                }
            };
            Symbolic::new(kind, value.to_string())
        }
    };
    let mut scoped = names.scoped();
    scoped.under(&symbolic)?;
    let guard = scoped.scope.guard(guard)?;
    Ok(Value::settled(scoped.made(symbolic, &guard))?)
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
        names.at(&Symbolic::new(SymbolicKind::Number, "0"), &given)?;
        return Ok(operands[0].clone());
    };
    let instance = names.at(symbolic, &given)?;
    let mut scoped = names.scoped();
    scoped.under(&instance)?;
    Ok(Value::settled(scoped.read(&instance)?)?)
}

/// The value of an operation on numbers.
fn arithmetic(operator: Operator, operands: &[Value], names: &Names) -> Result<Value, Failure> {
    let mut scoped = scoped(operands, names)?;
    let quotient = matches!(&operands[0], Value::Symbolic(own) if own.kind() == SymbolicKind::Quotient);
    if quotient && matches!(operator, Operator::Floor | Operator::Ceil) {
        let word = if operator == Operator::Floor { "floor" } else { "ceil" };
        let number = scoped.scope.number(&format!("{word}({})", text(&operands[0])))?;
        return Ok(Value::settled(scoped.number(number)?)?);
    }
    let numbers = numbers(operands, &mut scoped)?;
    let second = operands.get(1).and_then(Value::as_integer);
    let number = match (operator, &numbers[..]) {
        (Operator::Add, &[a, b]) => scoped.scope.add(a, b)?,
        (Operator::Subtract, &[a, b]) => scoped.scope.sub(a, b)?,
        (Operator::Multiply, &[a, b]) => scoped.scope.mul(a, b)?,
        (Operator::Divide, &[a, b]) => match scoped.scope.div(a, b) {
            Ok(number) => number,
            Err(_) => {
                let text = format!("({})/({})", scoped.number(a)?.text(), scoped.number(b)?.text());
                return Ok(Value::Symbolic(Box::new(
                    scoped.bound(Symbolic::new(SymbolicKind::Quotient, text)),
                )));
            }
        },
        (Operator::Remainder, &[a, b]) => {
            let quotient = scoped.scope.floor_div(a, b)?;
            let whole = scoped.scope.mul(quotient, b)?;
            scoped.scope.sub(a, whole)?
        }
        (Operator::Negate, &[a]) => {
            let zero = scoped.scope.integer(0)?;
            scoped.scope.sub(zero, a)?
        }
        (Operator::Floor | Operator::Ceil, &[a]) => {
            let one = scoped.scope.integer(1)?;
            match operator {
                Operator::Floor => scoped.scope.floor_div(a, one)?,
                _ => scoped.scope.ceil_div(a, one)?,
            }
        }
        (Operator::Power, &[a, _]) => match second {
            Some(exponent @ 0..=MAX_POWER) => {
                let mut power = scoped.scope.integer(1)?;
                for _ in 0..exponent {
                    power = scoped.scope.mul(power, a)?;
                }
                power
            }
            _ => return Err(refused("the exponent of a power of names is an integer from 0 to 16")),
        },
        (Operator::ShiftLeft | Operator::ShiftRight, &[a, _]) => match second {
            Some(bits @ 0..=62) => {
                let power = scoped.scope.integer(1 << bits)?;
                match operator {
                    Operator::ShiftLeft => scoped.scope.mul(a, power)?,
                    _ => scoped.scope.floor_div(a, power)?,
                }
            }
            _ => return Err(refused("names are shifted by 0 to 62 bits")),
        },
        _ => return Err(unsupported(operands)),
    };
    Ok(Value::settled(scoped.number(number)?)?)
}

/// The operands as numbers of the scope.
fn numbers(operands: &[Value], scoped: &mut Scoped) -> Result<Vec<Number>, Failure> {
    let mut numbers = Vec::new();
    for (index, operand) in operands.iter().enumerate() {
        let message = match operand {
            Value::Symbolic(own) if own.kind() == SymbolicKind::Quotient => {
                String::from("the quotient is not a polynomial; write floor(p/q) or ceil(p/q)")
            }
            operand if operand.is_tuple() => {
                numbers.push(scoped.scope.number(&text(operand))?);
                continue;
            }
            operand => format!("arithmetic takes numbers; found {}", operand.kind()),
        };
        return Err(Failure::Argument { index, message, help: None });
    }
    Ok(numbers)
}

fn refused(message: &str) -> Failure {
    Failure::Other { code: "arithmetic", message: message.into() }
}

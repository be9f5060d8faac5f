//! Arithmetic on numbers, exact or refused.

use crate::error::Failure;
use crate::names::Names;
use crate::symbolic::{Content, SymbolicKind};
use crate::value::Value;
use tilework::__private::Atom;
use tilework::{Error, HTuple, Rational, Stride, Strides, Unit};
use tilework_symbolic::{Guard, Number, Tuple};

/// The operators on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    Power,
    Negate,
    Floor,
    Ceil,
}

impl Operator {
    /// Its precedence; composition, divide and product have that of `*`.
    pub const fn precedence(self) -> u8 {
        match self {
            Operator::ShiftLeft | Operator::ShiftRight => 1,
            Operator::Add | Operator::Subtract => 2,
            Operator::Multiply | Operator::Divide | Operator::Remainder => 3,
            Operator::Power | Operator::Negate | Operator::Floor | Operator::Ceil => 4,
        }
    }

    const fn sign(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract | Operator::Negate => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
            Operator::Power => "^",
            Operator::Floor => "floor",
            Operator::Ceil => "ceil",
        }
    }

    /// Whether it has one operand.
    pub const fn is_unary(self) -> bool {
        matches!(self, Operator::Negate | Operator::Floor | Operator::Ceil)
    }
}

/// A number as a value.
fn value(number: Rational) -> Result<Value, Failure> {
    Ok(Value::from(HTuple::leaf(Atom::of(Stride::new(number, Unit::ONE)?))))
}

/// The value of an operation: both operands, or its only one.
pub(crate) fn evaluate(operator: Operator, operands: &[Value], names: &Names) -> Result<Value, Failure> {
    if operands.iter().any(Value::is_symbolic) {
        return with_names(operator, operands, names);
    }
    let mut numbers = [Rational::ZERO; 2];
    for (index, operand) in operands.iter().enumerate() {
        let Some(number) = operand.as_number() else { return elements(operator, operands, index) };
        numbers[index] = number;
    }
    match operator {
        Operator::Negate => value(exact(operator, Rational::ZERO, numbers[0])?),
        Operator::Floor => rounded(numbers[0], false),
        Operator::Ceil => rounded(numbers[0], true),
        _ => value(exact(operator, numbers[0], numbers[1])?),
    }
}

/// The most factors in the power of a name.
const MAX_POWER: i64 = 16;

/// The value of an operation on polynomials in names.
fn with_names(operator: Operator, operands: &[Value], names: &Names) -> Result<Value, Failure> {
    let mut scoped = names.under(operands)?;
    if let (Operator::Floor | Operator::Ceil, Value::Symbolic(own)) = (operator, &operands[0])
        && let Content::Quotient(mut numerator, denominator) = scoped.adopted(own)?
    {
        if operator == Operator::Ceil {
            numerator = numerator.add(&denominator)?.plus(-1)?;
        }
        let number = scoped.scope.floor_div(&numerator, &denominator)?;
        return scoped.number(number);
    }
    let mut numbers = [Number::integer(0), Number::integer(0)];
    for (index, operand) in operands.iter().enumerate() {
        let message = match operand {
            Value::Symbolic(own) if own.kind() == SymbolicKind::Quotient => {
                String::from("the quotient is not a polynomial; write floor(p/q) or ceil(p/q)")
            }
            operand => match scoped.tuple_of(operand)?.as_ref().map(Tuple::leaves) {
                Some([number]) => {
                    numbers[index] = number.clone();
                    continue;
                }
                _ => format!("arithmetic takes numbers; found {}", operand.kind()),
            },
        };
        return Err(Failure::argument(index, message));
    }
    let refuse = |message: &str| Failure::other("arithmetic", message);
    let ([a, b], scope) = (&numbers, &mut scoped.scope);
    let second = operands.get(1).and_then(Value::as_integer);
    let number = match operator {
        Operator::Add => a.add(b)?,
        Operator::Subtract => a.sub(b)?,
        Operator::Multiply => a.mul(b)?,
        Operator::Divide => match a.div(b) {
            Ok(number) => number,
            Err(_) => {
                let content = Content::Quotient(a.clone(), b.clone());
                return Ok(Value::from(scoped.symbolic(content, &Guard::ALWAYS)));
            }
        },
        Operator::Remainder => a.sub(&scope.floor_div(a, b)?.mul(b)?)?,
        Operator::Negate => b.sub(a)?,
        Operator::Floor => scope.floor_div(a, &1.into())?,
        Operator::Ceil => scope.ceil_div(a, &1.into())?,
        Operator::Power => match second {
            Some(exponent @ 0..=MAX_POWER) => {
                (0..exponent).try_fold(Number::integer(1), |power, _| power.mul(a))?
            }
            _ => return Err(refuse("the exponent of a power of names is an integer from 0 to 16")),
        },
        Operator::ShiftLeft | Operator::ShiftRight => match second {
            Some(bits @ 0..=62) if operator == Operator::ShiftLeft => a.mul(&(1 << bits).into())?,
            Some(bits @ 0..=62) => scope.floor_div(a, &(1 << bits).into())?,
            _ => return Err(refuse("names are shifted by 0 to 62 bits")),
        },
    };
    scoped.number(number)
}

/// Sums and multiples of elements of a semimodule (paper, 2.3.1): strides, and coordinates leaf by leaf. Operand `other` is no
/// number.
fn elements(operator: Operator, operands: &[Value], other: usize) -> Result<Value, Failure> {
    let tuples: Vec<Strides> = operands.iter().map_while(Value::as_strides).collect();
    let element = match (operator, &tuples[..]) {
        (Operator::Add, [a, b]) => leaf_by_leaf(a, b, |a, b| Ok(a.add(b)?))?,
        (Operator::Subtract, [a, b]) => leaf_by_leaf(a, b, |a, b| Ok(a.add(negative(b)?)?))?,
        (Operator::Negate, [a]) => leaf_by_leaf(a, a, |a, _| Ok(negative(a)?))?,
        (Operator::Multiply, _) if let Some((count, of)) = multiple(operands) => {
            leaf_by_leaf(&of, &of, |element, _| scaled(operator, element, count))?
        }
        (Operator::Divide, [of, _]) if let Some(divisor) = operands[1].as_number() => {
            leaf_by_leaf(of, of, |element, _| scaled(operator, element, divisor))?
        }
        _ => {
            let index = if tuples.len() < operands.len() { tuples.len() } else { other };
            let (wanted, help) = match operator {
                Operator::Add if matches!(operands, [_, Value::Tuple(_)]) => (
                    "numbers, strides and coordinates",
                    Some("a stride that is a sum is written 4:(2@0+3@1)"),
                ),
                Operator::Add => {
                    ("numbers, strides and coordinates", Some("layouts are added by layout_add(A, B)"))
                }
                Operator::Subtract | Operator::Negate => ("numbers, strides and coordinates", None),
                _ => ("numbers", None),
            };
            let message = format!("`{}` takes {wanted}; found {}", operator.sign(), operands[index].kind());
            return Err(Failure::Argument { index, message, help });
        }
    };
    Ok(Value::strides(&element)?)
}

/// A number, and a stride or a coordinate that it multiplies; a tuple before a number is a layout.
pub(crate) fn multiple(operands: &[Value]) -> Option<(Rational, Strides)> {
    let element = |value: &Value| if value.as_number().is_none() { value.as_strides() } else { None };
    let [left, right] = operands else { return None };
    match left.as_number() {
        Some(count) => Some((count, element(right)?)),
        None => Some((right.as_number()?, element(left).filter(HTuple::is_leaf)?)),
    }
}

/// An element times a number, or divided by it, term by term; the products of an XOR stride are only those with integers.
fn scaled(operator: Operator, element: Stride, by: Rational) -> Result<Stride, Failure> {
    if operator == Operator::Multiply && by.is_integer() {
        return Ok(element.scale(by.numerator())?);
    }
    if element.unit().is_xor() {
        return Err(Failure::other("not-integral", format!("{element} is multiplied by integers only")));
    }
    let term = |term: Stride| Ok::<_, Failure>(Stride::new(exact(operator, term.count(), by)?, term.unit())?);
    element.terms().try_fold(Stride::ZERO, |sum, own| Ok(sum.add(term(own)?)?))
}

/// An element that is added for the one that is subtracted; XOR is its own inverse.
fn negative(element: Stride) -> Result<Stride, Error> {
    if element.unit().is_xor() { Ok(element) } else { element.scale(-1) }
}

fn leaf_by_leaf(
    left: &Strides,
    right: &Strides,
    operation: impl Fn(Stride, Stride) -> Result<Stride, Failure>,
) -> Result<Strides, Failure> {
    if !left.congruent(right) {
        return Err(Error::Incongruent { what: "two coordinates" }.into());
    }
    let leaves = left.leaves().iter().zip(right.leaves()).map(|(a, b)| operation(*a, *b));
    Ok(HTuple::with_profile(left.profile(), &leaves.collect::<Result<Vec<_>, _>>()?, Stride::ZERO)?)
}

fn exact(operator: Operator, left: Rational, right: Rational) -> Result<Rational, Failure> {
    let refuse = |message: String| Failure::other("arithmetic", message);
    let too_large = || Failure::Other {
        code: "overflow",
        message: format!("{left} {} {right} does not fit in 64 bits", operator.sign()),
    };
    // Products of two numbers of 64 bits, and a sum of two of them, fit in 128.
    let [a, b] = [i128::from(left.numerator()), i128::from(left.denominator())];
    let [c, d] = [i128::from(right.numerator()), i128::from(right.denominator())];
    let integers = || match left.is_integer() && right.is_integer() {
        true => Ok((left.numerator(), right.numerator())),
        false => Err(refuse(format!("`{}` takes integers, found {left} and {right}", operator.sign()))),
    };
    let fraction = match operator {
        Operator::Add => Some((a * d + c * b, b * d)),
        Operator::Subtract | Operator::Negate | Operator::Floor | Operator::Ceil => {
            Some((a * d - c * b, b * d))
        }
        Operator::Multiply => Some((a * c, b * d)),
        Operator::Divide if c == 0 => return Err(refuse(format!("{left} / 0 is not a number"))),
        Operator::Divide => Some((a * d * c.signum(), b * c.abs())),
        Operator::Remainder => match integers()? {
            (_, 0) => return Err(refuse(format!("{left} % 0 is not a number"))),
            (left, right) if left < 0 || right < 0 => {
                let message =
                    "`%` of negative numbers differs between C++ and Python; write a - b*floor(a/b)";
                return Err(refuse(message.into()));
            }
            (left, right) => Some(((left % right).into(), 1)),
        },
        Operator::ShiftLeft | Operator::ShiftRight => match integers()? {
            (left, bits @ 0..=63) if operator == Operator::ShiftLeft => Some((i128::from(left) << bits, 1)),
            (left, bits @ 0..) if operator == Operator::ShiftRight => {
                Some(((left >> bits.min(63)).into(), 1))
            }
            (0, 64..) => Some((0, 1)),
            (_, 64..) => return Err(too_large()),
            (_, bits) => return Err(refuse(format!("a number is shifted by 0 bits or more, found {bits}"))),
        },
        Operator::Power if !right.is_integer() || c < 0 => {
            return Err(refuse(format!("the exponent of a power is an integer of 0 or more, found {right}")));
        }
        Operator::Power => power(a, c).zip(power(b, c)),
    };
    let (numerator, denominator) = fraction.ok_or_else(too_large)?;
    let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
    let small = |value: i128| i64::try_from(value / i128::try_from(divisor).ok()?).ok();
    match (small(numerator), small(denominator)) {
        (Some(numerator), Some(denominator)) => Ok(Rational::new(numerator, denominator)?),
        _ => Err(too_large()),
    }
}

/// `base` to the power of `exponent`, if it fits 64 bits.
fn power(base: i128, exponent: i128) -> Option<i128> {
    match base {
        0 | 1 => Some(if exponent == 0 { 1 } else { base }),
        -1 => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ if exponent > 63 => None,
        _ => (0..exponent).try_fold(1i128, |power, _| {
            power.checked_mul(base).filter(|power| i64::try_from(*power).is_ok())
        }),
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// A number rounded down, or up.
fn rounded(number: Rational, up: bool) -> Result<Value, Failure> {
    let (numerator, denominator) = (number.numerator(), number.denominator());
    let below = numerator.div_euclid(denominator);
    let exact = numerator.rem_euclid(denominator) == 0;
    below.checked_add(i64::from(up && !exact)).map(Value::integer).ok_or(Failure::Core(Error::Overflow {
        left: below,
        operator: '+',
        right: 1,
    }))
}

//! Arithmetic on numbers, exact or refused.

use crate::error::Failure;
use crate::names::{Names, Scoped};
use crate::symbolic::{Content, SymbolicKind};
use crate::value::Value;
use tilework::__private::Atom;
use tilework::{Error, HTuple, Rational, Stride, Unit};
use tilework_symbolic::{Guard, Number, SymbolicLeaf, Tuple};

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
    for (number, operand) in numbers.iter_mut().zip(operands) {
        match operand.as_number() {
            Some(own) => *number = own,
            None => return elements(operator, operands, names.under(operands)?),
        }
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
        && let Content::Quotient(numerator, denominator) = scoped.adopted(own)?
    {
        let number = match operator {
            Operator::Ceil => scoped.scope.ceil_div(&numerator, &denominator)?,
            _ => scoped.scope.floor_div(&numerator, &denominator)?,
        };
        return scoped.number(number);
    }
    let mut numbers = [Number::integer(0), Number::integer(0)];
    for (index, operand) in operands.iter().enumerate() {
        if let Value::Symbolic(own) = operand
            && own.kind() == SymbolicKind::Quotient
        {
            let message = "the quotient is not a polynomial; write floor(p/q) or ceil(p/q)";
            return Err(Failure::argument(index, message));
        }
        match scoped.tuple_of(operand)?.filter(|_| operand.is_number()).as_ref().map(Tuple::leaves) {
            Some([number]) => numbers[index] = number.clone(),
            _ => return elements(operator, operands, scoped),
        }
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
            Err(_) if b.as_integer() == Some(0) => return Err(refuse("nothing is divided by 0")),
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

/// Sums and multiples of elements of a semimodule (paper, 2.3.1): strides, and coordinates leaf by leaf.
fn elements(operator: Operator, operands: &[Value], mut scoped: Scoped) -> Result<Value, Failure> {
    let mut tuples = Vec::new();
    for (index, operand) in operands.iter().enumerate() {
        tuples.push(scoped.strides(operand)?.ok_or_else(|| not_numbers(operator, operands, index))?);
    }
    if let (Operator::Add | Operator::Subtract, [left, right]) = (operator, &tuples[..]) {
        tuples = vec![beside(left, right)?, beside(right, left)?];
    }
    let numbers: Vec<bool> = operands.iter().map(Value::is_number).collect();
    let tuple = match (operator, &tuples[..], &numbers[..]) {
        (Operator::Add | Operator::Subtract, [a, b], _) => {
            leaf_by_leaf(a, b, |a, b| sum(a, b, operator == Operator::Subtract))?
        }
        (Operator::Negate, [a], _) => leaf_by_leaf(a, a, |a, _| sum(&SymbolicLeaf::new(1, 0), a, true))?,
        (Operator::Multiply, [by, of], [true, _])
        | (Operator::Multiply | Operator::Divide, [of, by], [_, true]) => {
            leaf_by_leaf(of, of, |leaf, _| scaled(operator, leaf, &by.leaves()[0].stride))?
        }
        _ => {
            let other = numbers.iter().position(|is_number| !is_number).unwrap_or(0);
            return Err(not_numbers(operator, operands, other));
        }
    };
    // No sum has terms of several codomains.
    for leaf in tuple.leaves() {
        scoped.scope.layout_of(Tuple::leaf(leaf.clone())).map_err(|error| match error {
            Error::MixedCodomain { .. } => Failure::other(
                error.code(),
                format!(
                    "`{}` takes two numbers, two coordinates as e0 and (1,2), or two XOR values as f1",
                    operator.sign()
                ),
            ),
            error => error.into(),
        })?;
    }
    scoped.bound(Content::of_elements(tuple.map(|leaf| Some(leaf.clone()))))
}

/// A sum of basis elements beside a coordinate, as one of the same nesting: `e1` beside `(1,2)` is `(0,1)`.
fn beside(
    element: &Tuple<SymbolicLeaf>,
    other: &Tuple<SymbolicLeaf>,
) -> Result<Tuple<SymbolicLeaf>, Failure> {
    let mut count = 0..other.leaves().len();
    let places = other.map(|_| count.next().unwrap_or(0));
    let place = |unit: Unit| {
        let levels = (0..unit.depth()).try_fold(places.clone(), |place, level| place.mode(unit.index(level)));
        levels.ok().filter(|place| place.is_leaf() && unit.depth() > 0 && !unit.is_xor())
    };
    let [sum] = element.leaves() else { return Ok(element.clone()) };
    let found: Option<Vec<_>> =
        sum.terms().map(|(count, unit)| Some((count.clone(), place(unit)?))).collect();
    let Some(found) = found.filter(|_| element.is_leaf() && !other.is_leaf()) else {
        return Ok(element.clone());
    };
    let mut leaves = vec![SymbolicLeaf::new(1, 0); other.leaves().len()];
    for (count, place) in found {
        leaves[place.leaves()[0]].stride = count;
    }
    Ok(Tuple::with_profile(other.profile(), leaves)?)
}

fn leaf_by_leaf(
    left: &Tuple<SymbolicLeaf>,
    right: &Tuple<SymbolicLeaf>,
    operation: impl Fn(&SymbolicLeaf, &SymbolicLeaf) -> Result<SymbolicLeaf, Failure>,
) -> Result<Tuple<SymbolicLeaf>, Failure> {
    if !left.congruent(right) {
        return Err(Error::Incongruent { what: "two coordinates" }.into());
    }
    let leaves = left.leaves().iter().zip(right.leaves()).map(|(a, b)| operation(a, b));
    Ok(Tuple::with_profile(left.profile(), leaves.collect::<Result<_, _>>()?)?)
}

/// A sum, or a difference; XOR is its own inverse.
fn sum(left: &SymbolicLeaf, right: &SymbolicLeaf, negative: bool) -> Result<SymbolicLeaf, Failure> {
    let bits = |leaf: &SymbolicLeaf| leaf.stride.as_integer().filter(|_| leaf.unit.is_xor());
    if let (Some(left), Some(right)) = (bits(left), bits(right)) {
        return Ok(SymbolicLeaf::constant(1, Stride::xor(left ^ right)?)?);
    }
    let sign = Number::integer(if negative && !right.unit.is_xor() { -1 } else { 1 });
    let mut terms: Vec<_> = left.terms().map(|(count, unit)| (count.clone(), unit)).collect();
    for (count, unit) in right.terms() {
        terms.push((count.mul(&sign)?, unit));
    }
    Ok(SymbolicLeaf::sum(1, terms)?)
}

/// An element times a number, or divided by it, term by term; the products of an XOR stride are only those with integers.
fn scaled(operator: Operator, leaf: &SymbolicLeaf, by: &Number) -> Result<SymbolicLeaf, Failure> {
    if leaf.unit.is_xor() {
        let (bits, by) =
            (leaf.stride.as_integer(), by.as_integer().filter(|_| operator == Operator::Multiply));
        return match bits.zip(by) {
            Some((bits, by)) => Ok(SymbolicLeaf::constant(1, Stride::xor(bits)?.scale(by)?)?),
            None => Err(Failure::other("not-integral", "an XOR stride is multiplied by integers only")),
        };
    }
    let term = |count: &Number| match operator {
        Operator::Multiply => count.mul(by),
        _ => count.div(by),
    };
    let terms = leaf.terms().map(|(count, unit)| Ok((term(count)?, unit)));
    Ok(SymbolicLeaf::sum(1, terms.collect::<Result<Vec<_>, Error>>()?)?)
}

/// Why an operation does not take an operand.
fn not_numbers(operator: Operator, operands: &[Value], index: usize) -> Failure {
    let (wanted, help) = match operator {
        Operator::Add if matches!(operands, [_, Value::Tuple(_)]) => {
            ("numbers, strides and coordinates", Some("a stride that is a sum is written 4:(2@0+3@1)"))
        }
        Operator::Add => ("numbers, strides and coordinates", Some("layouts are added by layout_add(A, B)")),
        Operator::Subtract | Operator::Negate => ("numbers, strides and coordinates", None),
        _ => ("numbers", None),
    };
    let message = format!("`{}` takes {wanted}; found {}", operator.sign(), operands[index].kind());
    Failure::Argument { index, message, help }
}

/// Whether this is a number and a stride or a coordinate that it multiplies; a tuple before a number is a layout.
pub(crate) fn is_multiple(operands: &[Value]) -> bool {
    match operands {
        [left, right] if left.is_number() => right.is_tuple() && !right.is_open() && !right.is_number(),
        [left, right] => left.is_element() && right.is_number(),
        _ => false,
    }
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

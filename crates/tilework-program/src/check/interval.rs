//! The least and the largest value of an expression: as numbers that tensors may hold, by the statements that write them, so that
//! what begins at 0 and grows to the larger of itself and a square is never below 0; and of integers in the names of sizes.

use super::site::{Site, is_at_least, range as range_of};
use crate::arithmetic::apply;
use crate::element::Element;
use crate::form::{Digit, Form, Index};
use crate::prelude::*;
use crate::program::{Expr, Function, Program};
use crate::sizes::MAX_BLOCKS;
use crate::verify::{Type, type_of, typed};
use tilework_symbolic::{Number, Scope};

pub type Range = [f64; 2];

/// After as many rounds what still grows is unbounded.
const ROUNDS: usize = 4;

/// Every value of a type.
pub fn whole(element: Element) -> Range {
    match element {
        Element::U32 => [0.0, u32::MAX.into()],
        Element::U8 => [0.0, u8::MAX.into()],
        Element::I32 => [i32::MIN.into(), i32::MAX.into()],
        Element::I8 => [i8::MIN.into(), i8::MAX.into()],
        _ => [f64::NEG_INFINITY, f64::INFINITY],
    }
}

fn join(one: Range, other: Range) -> Range {
    [one[0].min(other[0]), one[1].max(other[1])]
}

/// By tensor; of shared memory and registers by what statements leave there, as nothing else is ever read, and none where none do.
pub fn ranges(program: &Program, sites: &[Site<'_>]) -> Result<Vec<Option<Range>>, Error> {
    let tensors = program.tensors.iter();
    let known = tensors.map(|tensor| tensor.space.is_global().then(|| whole(tensor.element)));
    let mut known: Vec<Option<Range>> = known.collect();
    for round in 0.. {
        let before = known.clone();
        for site in sites.iter().filter(|site| !program.tensor(site.to).space.is_global()) {
            let (element, own) = (program.tensor(site.to).element, &mut known[site.to.tensor]);
            let old = *own;
            let Some(new) = range(program, &before, site.value, Some(Type::Element(element)))? else {
                continue;
            };
            let new = join(old.unwrap_or(new), new.map(|end| element.round(end)));
            let widened =
                match old {
                    Some(old) if round > ROUNDS => core::array::from_fn(|end| {
                        if new[end] == old[end] { new[end] } else { whole(element)[end] }
                    }),
                    _ => new,
                };
            *own = Some(widened);
        }
        if known == before {
            break;
        }
    }
    Ok(known)
}

/// The values of an expression; none where it reads what nothing was written to.
pub fn range(
    program: &Program,
    known: &[Option<Range>],
    expr: &Expr,
    around: Option<Type>,
) -> Result<Option<Range>, Error> {
    let (function, arguments) = match expr {
        Expr::View(view) => {
            let fill = view.outside.map(|fill| [fill; 2]);
            return Ok(known[view.tensor].map(|own| join(own, fill.unwrap_or(own))));
        }
        Expr::Literal(value) => return Ok(Some([*value; 2])),
        Expr::Scalar(scalar) => return Ok(Some(whole(program.scalars[*scalar].element))),
        Expr::Size(_) | Expr::Coordinate(..) => return Ok(Some(whole(Element::U32))),
        Expr::Call(function, arguments) => (*function, arguments),
    };
    let (of, each) = typed(program, function, arguments, around)?;
    let operands = each.map(|(argument, around)| range(program, known, argument, around));
    let Some(mut operands) = operands.collect::<Result<Option<Vec<Range>>, _>>()? else { return Ok(None) };
    let result = match (function, of) {
        (Function::Select, _) => join(operands[1], operands[2]),
        (Function::Cast(to), _) => {
            let (whole, [low, high]) = (whole(to), operands[0]);
            if low >= whole[0] && high <= whole[1] { [to.round(low), to.round(high)] } else { whole }
        }
        (_, Type::Condition) | (Function::Less | Function::LessEqual | Function::Equal, _) => [0.0, 1.0],
        (Function::Min | Function::Max, _) => corners(function, of, &mut operands, arguments),
        (_, Type::Element(element)) if element.is_float() => corners(function, of, &mut operands, arguments),
        // Integers wrap.
        (_, Type::Element(element)) => whole(element),
    };
    Ok(Some(result))
}

/// Of a function that grows or falls with each operand, by the ends of their ranges.
fn corners(function: Function, of: Type, operands: &mut [Range], arguments: &[Expr]) -> Range {
    match function {
        Function::Sqrt | Function::Rsqrt | Function::Log => operands[0] = operands[0].map(|end| end.max(0.0)),
        Function::Div if operands[1][0] <= 0.0 && operands[1][1] >= 0.0 => return whole(Element::F32),
        _ => {}
    }
    let mut all = [f64::INFINITY, f64::NEG_INFINITY];
    for corner in 0..1usize << operands.len() {
        let at: Vec<f64> = operands.iter().enumerate().map(|(i, own)| own[corner >> i & 1]).collect();
        let value = apply(function, of, &at).unwrap_or(f64::NAN);
        // The largest numbers may have no product with 0.
        let value = if value.is_nan() && function == Function::Mul { 0.0 } else { value };
        all = join(all, [value; 2]);
    }
    let is_square = function == Function::Mul && arguments[0] == arguments[1];
    match function {
        Function::Abs if operands[0][0] < 0.0 && operands[0][1] > 0.0 => [0.0, all[1]],
        _ if is_square => [all[0].max(0.0), all[1]],
        _ => all,
    }
}

/// The least and the largest value of an integer, as far as they are known: a largest one only of what is never below 0.
pub type Interval = [Option<Number>; 2];

const UNKNOWN: Interval = [None, None];

/// What is asked about the integers of a statement.
pub struct Integers<'s, 'a> {
    pub site: &'s Site<'a>,
    pub scope: &'s mut Scope,
    /// Without quotients of its own: what is divided in coordinates instead.
    pub divided: Option<&'s mut Vec<Number>>,
}

impl Integers<'_, '_> {
    /// The interval of an expression.
    pub fn of(&mut self, expr: &Expr) -> Result<Interval, Error> {
        let exactly = |number: Number| [Some(number.clone()), Some(number)];
        let program = self.site.program;
        let (function, operands) = match expr {
            Expr::Literal(value) if *value != (*value as i64) as f64 => return Ok(UNKNOWN),
            Expr::Literal(value) if *value < 0.0 => return Ok([Some((*value as i64).into()), None]),
            Expr::Literal(value) => return Ok(exactly((*value as i64).into())),
            Expr::Size(name) => return Ok(self.scope.find(name).map_or(UNKNOWN, exactly)),
            Expr::Coordinate(view, mode) => {
                let form = program.form(view, *mode);
                let (low, reach) = match &mut self.divided {
                    Some(divided) => reach(self.site, &form, divided)?,
                    None => self.site.range(self.scope, &form)?,
                };
                let high = is_at_least(self.scope, &low, &0.into()).then(|| reach.plus(-1)).transpose()?;
                return Ok([Some(low), high]);
            }
            Expr::View(view) if program.tensor(view).element == Element::U8 => {
                return Ok([Some(0.into()), Some(255.into())]);
            }
            Expr::View(_) | Expr::Scalar(_) => return Ok(UNKNOWN),
            Expr::Call(function, operands) => (*function, operands),
        };
        let each = operands.iter().map(|operand| self.of(operand)).collect::<Result<Vec<_>, _>>()?;
        let element = match type_of(program, expr)? {
            Some(Type::Element(element)) => Some(element),
            _ => None,
        };
        // Others have fractions.
        let is_whole = matches!(function, Function::Cast(_)) || element.is_some_and(|own| !own.is_float());
        if is_whole { self.call(function, element, &each) } else { Ok(UNKNOWN) }
    }

    fn call(
        &mut self,
        function: Function,
        element: Option<Element>,
        operands: &[Interval],
    ) -> Result<Interval, Error> {
        let is_above = |high: &Number, low: &Number| is_at_least(self.scope, high, low);
        // Of two that are known, the smaller or the larger one, where that is known as well.
        let end = |a: &Option<Number>, b: &Option<Number>, is_larger: bool| match (a, b) {
            (Some(a), Some(b)) if is_above(a, b) => Some(if is_larger { a } else { b }.clone()),
            (Some(a), Some(b)) if is_above(b, a) => Some(if is_larger { b } else { a }.clone()),
            _ => None,
        };
        let with = |a: &Option<Number>,
                    b: &Option<Number>,
                    both: fn(&Number, &Number) -> Result<Number, tilework::Error>| {
            a.as_ref().zip(b.as_ref()).map(|(a, b)| both(a, b)).transpose()
        };
        let is_unsigned = matches!(element, Some(Element::U8 | Element::U32));
        let zero = Some(Number::integer(0));
        Ok(match (function, operands) {
            (Function::Cast(to), [own]) => {
                let bound = if to.is_float() { i32::MAX.into() } else { whole(to)[1] as i64 };
                let fits = own[1].as_ref().is_some_and(|high| is_above(&bound.into(), high));
                if fits { own.clone() } else { UNKNOWN }
            }
            (Function::Add | Function::Mul, [a, b]) => {
                let both = if function == Function::Add { Number::add } else { Number::mul };
                let (low, high) = (with(&a[0], &b[0], both)?, with(&a[1], &b[1], both)?);
                // One of 32 bits that wraps is excluded from what is launched.
                let most = element.filter(|own| *own != Element::U32).map(|own| whole(own)[1] as i64);
                match (&high, most) {
                    (Some(own), Some(most)) if !is_above(&most.into(), own) => {
                        [None, high.filter(|_| is_unsigned)]
                    }
                    (None, _) if function == Function::Mul => UNKNOWN,
                    _ => [low, high],
                }
            }
            (Function::Sub, [a, b]) => {
                let (low, high) = (with(&a[0], &b[1], Number::sub)?, with(&a[1], &b[0], Number::sub)?);
                let is_above = low.as_ref().is_some_and(|low| is_above(low, &0.into()));
                [low, high.filter(|_| is_above)]
            }
            (Function::Div | Function::Rem, [[Some(low), Some(high)], [Some(by), Some(most)]])
                if self.divided.is_none()
                    && by == most
                    && by.as_integer() > Some(0)
                    && (function == Function::Div || low == high) =>
            {
                let quotients = [self.scope.floor_div(low, by)?, self.scope.floor_div(high, by)?];
                if function == Function::Div {
                    quotients.map(Some)
                } else {
                    let rest = low.sub(&quotients[0].mul(by)?)?;
                    [Some(rest.clone()), Some(rest)]
                }
            }
            (Function::Div | Function::ShiftRight, [[low, high @ Some(_)], [_, Some(_)]]) => {
                [zero.filter(|_| low.is_some()), high.clone()]
            }
            (Function::Rem, [a, [_, Some(by)]]) if is_unsigned || a[1].is_some() => {
                [zero.filter(|_| a[0].is_some()), Some(by.plus(-1)?)]
            }
            (Function::And, [a, b]) => {
                let one = a[1].clone().or(b[1].clone());
                [zero.filter(|_| a[0].is_some() && b[0].is_some()), end(&a[1], &b[1], false).or(one)]
            }
            (Function::Min, [a, b]) => {
                let one = a[1].clone().or(b[1].clone());
                let one = one.filter(|_| is_unsigned || a[1].is_some() && b[1].is_some());
                [end(&a[0], &b[0], false), end(&a[1], &b[1], false).or(one)]
            }
            (Function::Max, [a, b]) => {
                let one = a[0].clone().or(b[0].clone());
                [end(&a[0], &b[0], true).or(one), end(&a[1], &b[1], true)]
            }
            (Function::Select, [_, a, b]) => [end(&a[0], &b[0], false), end(&a[1], &b[1], true)],
            _ => UNKNOWN,
        })
    }
}

/// The smallest value of a form in a statement and one more than the largest, without quotients of its own; with what is
/// divided in its digits.
pub fn reach(site: &Site<'_>, form: &Form, divided: &mut Vec<Number>) -> Result<(Number, Number), Error> {
    let extent = |index: Index| -> Result<Number, Error> {
        let own = site.extent(index)?.number;
        let is_many = matches!(index, Index::Block(_)) && own.as_integer().is_none_or(|own| own > MAX_BLOCKS);
        Ok(if is_many { MAX_BLOCKS.into() } else { own })
    };
    let mut form = form.clone();
    for (_, digit) in &mut form.terms {
        let own = extent(digit.index)?;
        if own.as_integer().is_none() {
            divided.push(own.plus(digit.add - 1)?);
            if digit.modulus.is_none() {
                *digit = Digit { divisor: 1, ..*digit };
            }
        }
    }
    range_of(&mut site.program.scope.clone(), &form, extent)
}

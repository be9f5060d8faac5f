//! Shifts by as many bits as there are, or more, and integers divided by 0, which languages give different meanings: by the largest
//! value of what is counted with, and the least of what is divided by.

use super::report::{Certainty, Report, unless};
use super::site::Site;
use crate::element::Element;
use crate::error::Error;
use crate::program::{Expr, Function, Program};
use crate::verify::{Type, type_of};
use alloc::format;
use alloc::vec::Vec;
use tilework_symbolic::{Number, Scope, Verdict};

/// Adds a sentence for each shift of a statement that is not proved to be of fewer bits than there are, and for each division of integers
/// by what is known and not proved to be 1 or more.
pub fn check(program: &Program, site: &Site<'_>, report: &mut Report) -> Result<(), Error> {
    visit(program, site, site.value, report)
}

fn visit(program: &Program, site: &Site<'_>, expr: &Expr, report: &mut Report) -> Result<(), Error> {
    let Expr::Call(function, arguments) = expr else { return Ok(()) };
    arguments.iter().try_for_each(|argument| visit(program, site, argument, report))?;
    let [_, count] = &arguments[..] else { return Ok(()) };
    let is_division = matches!(function, Function::Div | Function::Rem);
    if !is_division && !matches!(function, Function::ShiftLeft | Function::ShiftRight) {
        return Ok(());
    }
    let element = match type_of(program, expr)? {
        Some(Type::Element(element)) => element,
        _ => program.tensor(site.to).element,
    };
    let (bits, mut scope) = (8 * element.bytes(), program.scope.clone());
    if is_division {
        let Some(least) = least(program, site, &mut scope, count)?.filter(|_| !element.is_float()) else {
            return Ok(());
        };
        let verdict = scope.is_at_least(&least, &1.into())?;
        if !matches!(verdict, Verdict::Always) {
            let is_zero = *count == Expr::Literal(0.0);
            let certainty = if is_zero { Certainty::Wrong } else { Certainty::Tried };
            let (least, unless) = (scope.number_text(&least), unless(&scope, &verdict));
            report.push(Some(site.line), certainty, format!("a division of {element} by {least}{unless}"));
        }
        return Ok(());
    }
    let Some(most) = most(program, site, &mut scope, count)? else {
        let text = format!("it is not proved that a shift of {element} is by fewer than {bits} bits");
        report.push(Some(site.line), Certainty::Tried, text);
        return Ok(());
    };
    let verdict = scope.is_at_least(&(bits - 1).into(), &most)?;
    if matches!(verdict, Verdict::Always) {
        return Ok(());
    }
    let unless = unless(&scope, &verdict);
    // Another bound than a number is not always reached.
    let is_reached = matches!(count, Expr::Literal(_) | Expr::Size(_));
    let certainty = if is_reached { Certainty::Wrong } else { Certainty::Tried };
    let most = scope.number_text(&most);
    report.push(Some(site.line), certainty, format!("a shift by {most} of {bits} bits{unless}"));
    Ok(())
}

/// The least value of sums of sizes, numbers and a coordinate; none of others.
fn least(
    program: &Program,
    site: &Site<'_>,
    scope: &mut Scope,
    expr: &Expr,
) -> Result<Option<Number>, Error> {
    Ok(match expr {
        Expr::Literal(value) => Some(Number::integer(*value as i64)),
        Expr::Size(name) => scope.find(name),
        Expr::Coordinate(view, mode) => {
            let form = view.forms(program.tensor(view).rank()).swap_remove(*mode);
            Some(site.range(program, scope, &form)?.0)
        }
        Expr::Call(function @ (Function::Add | Function::Sub), operands) => {
            let [one, other] = &operands[..] else { return Ok(None) };
            let is_size = matches!(other, Expr::Size(_) | Expr::Literal(_));
            match (function, least(program, site, scope, one)?, least(program, site, scope, other)?) {
                (Function::Add, Some(one), Some(other)) => Some(one.add(&other)?),
                (Function::Sub, Some(one), Some(other)) if is_size => Some(one.sub(&other)?),
                _ => None,
            }
        }
        _ => None,
    })
}

/// A bound of an integer that is never negative; none where there is no bound, or where it may be negative.
pub fn most(
    program: &Program,
    site: &Site<'_>,
    scope: &mut Scope,
    expr: &Expr,
) -> Result<Option<Number>, Error> {
    let holds = |scope: &Scope, high: &Number, low: &Number| -> Result<bool, Error> {
        Ok(matches!(scope.is_at_least(high, low)?, Verdict::Always))
    };
    Ok(match expr {
        Expr::Literal(value) => Some(Number::integer(*value as i64)).filter(|_| *value >= 0.0),
        Expr::Size(name) => scope.find(name),
        Expr::Coordinate(view, mode) => {
            let form = view.forms(program.tensor(view).rank()).swap_remove(*mode);
            let (low, reach) = site.range(program, scope, &form)?;
            if holds(scope, &low, &0.into())? { Some(reach.plus(-1)?) } else { None }
        }
        Expr::View(view) => (program.tensor(view).element == Element::U8).then(|| Number::integer(255)),
        Expr::Scalar(_) => None,
        Expr::Call(Function::Cast(to), operands) => {
            let bound = match to {
                Element::I8 => 127,
                Element::U8 => 255,
                Element::U32 => u32::MAX.into(),
                _ => i32::MAX.into(),
            };
            match most(program, site, scope, &operands[0])? {
                Some(own) if holds(scope, &bound.into(), &own)? => Some(own),
                _ => None,
            }
        }
        Expr::Call(function, operands) => {
            let bounds =
                operands.iter().map(|own| most(program, site, scope, own)).collect::<Result<_, _>>()?;
            let bounds: Vec<Option<Number>> = bounds;
            let is_unsigned =
                matches!(type_of(program, expr)?, Some(Type::Element(Element::U8 | Element::U32)));
            match (function, &bounds[..]) {
                (Function::Add, [Some(a), Some(b)]) => Some(a.add(b)?),
                (Function::Mul, [Some(a), Some(b)]) => Some(a.mul(b)?),
                (Function::Div | Function::ShiftRight, [Some(a), Some(_)]) => Some(a.clone()),
                (Function::Rem, [a, Some(b)]) if is_unsigned || a.is_some() => Some(b.plus(-1)?),
                (Function::And | Function::Min, [Some(a), Some(b)]) => {
                    Some(if holds(scope, a, b)? { b } else { a }.clone())
                }
                (Function::And, [a, b]) => a.clone().or(b.clone()),
                (Function::Min, [a, b]) if is_unsigned => a.clone().or(b.clone()),
                (Function::Max | Function::Select, [.., Some(a), Some(b)]) if holds(scope, a, b)? => {
                    Some(a.clone())
                }
                (Function::Max | Function::Select, [.., Some(a), Some(b)]) if holds(scope, b, a)? => {
                    Some(b.clone())
                }
                _ => None,
            }
        }
    })
}

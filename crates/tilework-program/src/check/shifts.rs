//! Shifts by as many bits as there are, or more, and integers divided by 0, which languages give different meanings: by the largest
//! value of what is counted with, and the least of what is divided by.

use super::interval::Integers;
use super::report::{Certainty, Report, unless};
use super::site::Site;
use crate::prelude::*;
use crate::program::{Expr, Function};
use crate::verify::{Type, type_of};
use tilework_symbolic::Verdict;

/// Adds a sentence for each shift in an expression that is not proved to be of fewer bits than there are, and for each division of
/// integers by what is known and not proved to be 1 or more.
pub fn check(site: &Site<'_>, expr: &Expr, report: &mut Report) -> Result<(), Error> {
    let Expr::Call(function, arguments) = expr else { return Ok(()) };
    arguments.iter().try_for_each(|argument| check(site, argument, report))?;
    let [_, count] = &arguments[..] else { return Ok(()) };
    let is_division = matches!(function, Function::Div | Function::Rem);
    if !is_division && !matches!(function, Function::ShiftLeft | Function::ShiftRight) {
        return Ok(());
    }
    let element = match type_of(site.program, expr)? {
        Some(Type::Element(element)) => element,
        _ => site.program.tensor(site.to).element,
    };
    let (bits, mut scope) = (8 * element.bytes(), site.program.scope.clone());
    let [least, most] = Integers { site, scope: &mut scope, divided: None }.of(count)?;
    let (verdict, is_wrong, text) = match (is_division, least, most) {
        (true, Some(least), _) if !element.is_float() => {
            let text = format!("a division of {element} by {}", scope.number_text(&least));
            (scope.is_at_least(&least, &1.into())?, *count == Expr::Literal(0.0), text)
        }
        (true, ..) => return Ok(()),
        (false, _, Some(most)) => {
            let text = format!("a shift by {} of {bits} bits", scope.number_text(&most));
            // Another bound than a number is not always reached.
            let is_reached = matches!(count, Expr::Literal(_) | Expr::Size(_));
            (scope.is_at_least(&(bits - 1).into(), &most)?, is_reached, text)
        }
        (false, _, None) => {
            let text = format!("it is not proved that a shift of {element} is by fewer than {bits} bits");
            (Verdict::Open, false, text)
        }
    };
    if !matches!(verdict, Verdict::Always) {
        let certainty = if is_wrong { Certainty::Wrong } else { Certainty::Tried };
        report.push(Some(site.line), certainty, text + &unless(&scope, &verdict));
    }
    Ok(())
}

//! The least and the largest value that tensors may hold, by the statements that write them: what begins at 0 and grows to the larger
//! of itself and a square is never below 0.

use super::site::Site;
use crate::arithmetic::apply;
use crate::element::Element;
use crate::error::Error;
use crate::program::{Expr, Function, Program};
use crate::verify::{Type, typed};
use alloc::vec::Vec;

pub type Range = [f64; 2];

/// After as many rounds what still grows is unbounded.
const ROUNDS: usize = 4;

/// Every value of a type.
fn whole(element: Element) -> Range {
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

/// By tensor; of shared memory and registers by what statements leave there, as nothing else is ever read.
pub fn ranges(program: &Program, sites: &[Site<'_>]) -> Result<Vec<Range>, Error> {
    let mut known: Vec<Option<Range>> = program
        .tensors
        .iter()
        .map(|tensor| Some(whole(tensor.element)).filter(|_| tensor.space.is_global()))
        .collect();
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
    let all = program.tensors.iter().zip(known);
    Ok(all.map(|(tensor, own)| own.unwrap_or(whole(tensor.element))).collect())
}

/// The values of an expression; none where it reads what nothing was written to.
fn range(
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

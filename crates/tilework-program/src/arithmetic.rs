//! The functions of expressions, on values.

use crate::element::Element;
use crate::program::Function;
use crate::verify::Type;

/// `function` of operands of one type, in that type; a condition is 0 or 1. None where integers have no result: a division
/// by 0, or a shift by as many bits as there are.
pub(crate) fn apply(function: Function, of: Type, operands: &[f64]) -> Option<f64> {
    let [a, b, c] = [0, 1, 2].map(|i| operands.get(i).copied().unwrap_or(0.0));
    let holds = |condition: bool| f64::from(u8::from(condition));
    Some(match function {
        Function::Less => holds(a < b),
        Function::LessEqual => holds(a <= b),
        Function::Equal => holds(a == b),
        Function::Min => a.min(b),
        Function::Max => a.max(b),
        Function::Select if a != 0.0 => b,
        Function::Select => c,
        Function::Cast(to) => match of {
            Type::Element(from) if from.is_float() => to.converted(a),
            _ => to.round(a),
        },
        _ => match of {
            Type::Element(element) if element.is_float() => element.round(float(function, a, b)),
            Type::Element(element) => integer(function, element, a as i128, b as i128)?,
            Type::Condition if function == Function::And => holds(a != 0.0 && b != 0.0),
            Type::Condition => holds(a != 0.0 || b != 0.0),
        },
    })
}

fn float(function: Function, a: f64, b: f64) -> f64 {
    match function {
        Function::Add => a + b,
        Function::Sub => a - b,
        Function::Mul => a * b,
        Function::Div => a / b,
        Function::Neg => -a,
        Function::Abs => a.abs(),
        Function::Exp => libm::exp(a),
        Function::Log => libm::log(a),
        Function::Sqrt => libm::sqrt(a),
        Function::Rsqrt => 1.0 / libm::sqrt(a),
        Function::Tanh => libm::tanh(a),
        _ => a,
    }
}

fn integer(function: Function, element: Element, a: i128, b: i128) -> Option<f64> {
    let bits = i128::from(8 * element.bytes());
    Some(element.wrap(match function {
        Function::Add => a + b,
        Function::Sub => a - b,
        Function::Mul => a * b,
        Function::Div => a.checked_div(b)?,
        Function::Rem => a.checked_rem(b)?,
        Function::Neg => -a,
        Function::Abs => a.abs(),
        Function::And => a & b,
        Function::Or => a | b,
        Function::ShiftLeft if (0..bits).contains(&b) => a << b,
        Function::ShiftRight if (0..bits).contains(&b) => a >> b,
        _ => return None,
    }))
}

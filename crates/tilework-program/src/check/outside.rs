//! Values from outside of a tensor: what `else` gives may be stored, but may be folded only where it changes nothing.
//!
//! Every expression is evaluated at three samples of what is inside, with the value of `else` for what is outside. A result
//! that the samples share is known whatever is inside.

use super::bounds::bounds;
use super::report::{Certainty, Report};
use super::site::Site;
use crate::arithmetic::apply;
use crate::element::Element;
use crate::error::Error;
use crate::form::Index;
use crate::program::{Expr, Function, Program, Space, View};
use crate::verify::{Type, type_of};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use tilework_symbolic::Verdict;

const SAMPLES: usize = 3;

/// A value at each sample, where it is outside along some extents.
#[derive(Clone, Debug)]
struct Value {
    samples: [f64; SAMPLES],
    /// The extents that it is outside of, each with the indices along it; those in shared memory are forgotten.
    outside: BTreeMap<String, Vec<Index>>,
    /// The extent that a comparison asks for: it is false outside.
    mask: Option<String>,
}

/// Checks every fold, with what each shared tensor and register may hold.
pub fn check(program: &Program, sites: &[Site<'_>], report: &mut Report) -> Result<(), Error> {
    let mut held: Vec<Option<Value>> = program.tensors.iter().map(|_| None).collect();
    for site in sites {
        let mut own = None;
        let value = evaluate(program, site, site.value, &held, &mut own)?;
        let tensor = program.tensor(site.to);
        if let Some(own) = &own {
            let folded = |index: &Index| match index {
                Index::Loop(name) => site.loops.iter().any(|(own, _)| own == name),
                Index::Value => !site.to.forms(tensor.rank()).iter().any(|form| form.has(Index::Value)),
                _ => false,
            };
            let changes = value.samples.iter().zip(own.samples).any(|(new, old)| *new != old);
            let along = value.outside.iter().find(|(_, indices)| indices.iter().any(folded));
            if let (true, Some((extent, _))) = (changes, along) {
                let known = value.samples.iter().all(|sample| *sample == value.samples[0]);
                let what =
                    if known { format!("turns it into {}", value.samples[0]) } else { "changes it".into() };
                let text = format!(
                    "{} folds what is outside of [0,{extent}), which {what}: give an `else` that changes nothing, or \
                     select by coordinate(.., ..) < {extent}",
                    tensor.name
                );
                report.push(Some(site.line), Certainty::Wrong, text);
            }
            // A fold has seen something inside.
            held[site.to.tensor] = None;
            continue;
        }
        let mut value = value;
        if tensor.space == Space::Shared {
            value.outside.values_mut().for_each(Vec::clear);
        }
        held[site.to.tensor] = (!value.outside.is_empty()).then_some(value);
    }
    Ok(())
}

/// Whether a statement may write an element more than once.
fn folds(program: &Program, site: &Site<'_>) -> bool {
    let forms = site.to.forms(program.tensor(site.to).rank());
    !site.loops.is_empty() || site.values > 1 && !forms.iter().any(|form| form.has(Index::Value))
}

/// What is inside: other samples for each tensor.
fn inside(element: Option<Element>, place: usize) -> Value {
    let scale = (place + 1) as f64;
    let samples = match element {
        Some(Element::U32 | Element::U8) => [1.0, 2.0, 3.0],
        _ => [-2.0, 1.0, 3.0],
    };
    Value { samples: samples.map(|sample| sample * scale), outside: BTreeMap::new(), mask: None }
}

/// The value of an expression; `own` becomes that of the destination where the expression reads it.
fn evaluate(
    program: &Program,
    site: &Site<'_>,
    expr: &Expr,
    held: &[Option<Value>],
    own: &mut Option<Value>,
) -> Result<Value, Error> {
    match expr {
        Expr::View(view) => {
            let (tensor, value) =
                (program.tensor(view), inside(Some(program.tensor(view).element), view.tensor));
            if view.tensor == site.to.tensor && view.places == site.to.places && folds(program, site) {
                // It has seen something inside, or will.
                *own = Some(value.clone());
                return Ok(value);
            }
            if !tensor.space.is_global() {
                return Ok(held[view.tensor].clone().unwrap_or(value));
            }
            let outside = outside(program, site, view)?;
            match view.outside.filter(|_| !outside.is_empty()) {
                Some(fill) => Ok(Value { samples: [fill; SAMPLES], outside, mask: None }),
                None => Ok(value),
            }
        }
        Expr::Coordinate(..) | Expr::Size(_) => Ok(inside(Some(Element::U32), 0)),
        Expr::Scalar(scalar) => Ok(inside(Some(program.scalars[*scalar].element), *scalar)),
        Expr::Literal(literal) => {
            Ok(Value { samples: [*literal; SAMPLES], outside: BTreeMap::new(), mask: None })
        }
        Expr::Call(function, arguments) => {
            let values = arguments.iter().map(|argument| evaluate(program, site, argument, held, own));
            let values = values.collect::<Result<Vec<_>, _>>()?;
            if let (Function::Less, [Expr::Coordinate(view, mode), Expr::Size(_)]) =
                (function, &arguments[..])
            {
                let mask = bounds(program, site, view)?.swap_remove(*mode).extent;
                return Ok(Value { mask: Some(mask), ..values[0].clone() });
            }
            let mut outside = BTreeMap::new();
            values.iter().for_each(|value| outside.extend(value.outside.clone()));
            // Where the mask says outside, the second value is taken, and the first is not.
            if let (Function::Select, [condition, taken, other]) = (function, &values[..])
                && let Some(mask) = &condition.mask
                && taken.outside.contains_key(mask)
            {
                let samples = if taken.outside.len() == 1 { other.samples } else { taken.samples };
                return Ok(Value { samples, outside, mask: None });
            }
            let mut of = Type::Condition;
            for argument in arguments {
                of = type_of(program, argument)?.unwrap_or(of);
            }
            let mut samples = [0.0; SAMPLES];
            for (i, sample) in samples.iter_mut().enumerate() {
                let operands: Vec<f64> = values.iter().map(|value| value.samples[i]).collect();
                *sample = apply(*function, of, &operands).unwrap_or(f64::NAN);
            }
            Ok(Value { samples, outside, mask: None })
        }
    }
}

/// The extents that a view of a global tensor is outside of, with the indices of the coordinate there.
fn outside(program: &Program, site: &Site<'_>, view: &View) -> Result<BTreeMap<String, Vec<Index>>, Error> {
    let forms = view.forms(program.tensor(view).rank());
    let bounds = bounds(program, site, view)?.into_iter().zip(forms);
    let needed = bounds.filter(|(bound, _)| !matches!(bound.verdict, Verdict::Always));
    Ok(needed
        .map(|(bound, form)| {
            (bound.extent.to_string(), form.terms.iter().map(|(_, digit)| digit.index).collect())
        })
        .collect())
}

//! The algebra of layouts with names: simplification, composition, complements, inverses, vectors.

use super::{NamedCall, product};
use crate::error::Failure;
use crate::functions::algebra::{Widths, with_width};
use crate::functions::call::Answer;
use crate::symbolic::Content;
use crate::tensor;
use crate::value::Value;
use tilework::{Error, Swizzle};
use tilework_symbolic::{
    Answer as Found, Guard, Number, Refusal, Scope, SymbolicLayout, SymbolicLeaf, Tuple, Verdict,
};

pub(crate) fn coalesce(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.domain(0)?;
    let coalesced = match call.arguments.get(1) {
        None => call.scoped.scope.coalesce(&layout)?,
        Some(profile) => {
            let pattern = profile.as_profile().ok_or_else(|| call.wrong(1, "a coordinate with `_`"))?;
            call.scoped.scope.coalesce_by_mode(&layout, &pattern)?
        }
    };
    call.in_place(coalesced)
}

/// `A o B`, mode by mode for a tiler; without the offset of `A`.
fn composed(call: &mut NamedCall<'_>) -> Result<Result<Found, Refusal>, Failure> {
    let (left, right) = (call.domain(0)?, call.tiler(1)?);
    Ok(call.scoped.scope.composition_by_mode(&left, &right))
}

pub(crate) fn composition(call: &mut NamedCall<'_>) -> Answer {
    call.arguments[1].refuse_tensor(1, "a layout is composed with a layout or a tiler")?;
    if let Value::Pointer(pointer) = call.arguments[0] {
        let layout = call.function(1)?;
        return tensor::of(pointer, &call.scoped.bound(layout)?);
    }
    if let Value::Swizzle(swizzle) = call.arguments[0] {
        let inner = call.placed(1)?;
        if inner.swizzle() != Swizzle::NONE {
            return Err(call.wrong(1, "a layout"));
        }
        let (offset, layout) = (inner.offset().clone(), inner.layout().clone());
        return call.scoped.bound(Content::Placed(call.scoped.scope.placed_of(swizzle, offset, layout)?));
    }
    let answer = composed(call)?;
    call.answer_in_place(answer)
}

pub(crate) fn complement(call: &mut NamedCall<'_>) -> Answer {
    let answer = complemented(call)?;
    call.scoped.answer(answer)
}

fn complemented(call: &mut NamedCall<'_>) -> Result<Result<Found, Refusal>, Failure> {
    if let Some(answer) = call.by_mode(Scope::complement)? {
        return Ok(answer);
    }
    let layout = call.layout(0)?;
    Ok(match call.arguments.len() {
        1 => call.scoped.scope.complement(&layout),
        _ => {
            let shape = call.extents(1)?;
            call.scoped.scope.complement_within(&layout, &shape)
        }
    })
}

/// Coalesced without the modes of stride 0; of each stride it has to be known whether it is.
pub(crate) fn filter(call: &mut NamedCall<'_>) -> Answer {
    let (layout, scope) = (call.domain(0)?, &call.scoped.scope);
    for (number, _) in layout.leaves().iter().flat_map(SymbolicLeaf::terms) {
        if matches!(scope.is_equal(number, &0.into())?, Verdict::When(_) | Verdict::Open) {
            let stride = scope.number_text(number);
            return Err(
                call.refuse(format!("the stride {stride} may be 0; write `assume {stride} >= 1` before it"))
            );
        }
    }
    let filtered = |scope: &mut Scope, layout: &SymbolicLayout| {
        let is_zero = |number: &Number| Ok(matches!(scope.is_equal(number, &0.into())?, Verdict::Always));
        let filtered = layout.as_tuple().try_map(|leaf| {
            let zeros: Vec<bool> =
                leaf.terms().map(|(number, _)| is_zero(number)).collect::<Result<_, Error>>()?;
            Ok::<_, Error>(if zeros.contains(&false) { leaf.clone() } else { SymbolicLeaf::new(1, 0) })
        })?;
        let layout = scope.coalesce(&scope.layout_of(filtered)?)?;
        Ok(Found { layout, guard: Guard::ALWAYS })
    };
    let answer = match call.profile() {
        Some(profile) => call.scoped.scope.by_mode(&layout, &profile, filtered),
        None => filtered(&mut call.scoped.scope, &layout),
    };
    call.answer_in_place(answer)
}

pub(crate) fn right_inverse(call: &mut NamedCall<'_>) -> Answer {
    if let Some(answer) = call.by_mode(Scope::right_inverse)? {
        return call.scoped.answer(answer);
    }
    let placed = call.only()?;
    let answer = call.scoped.scope.right_inverse(placed.layout());
    call.inverse_behind(placed.swizzle(), answer)
}

/// Behind an offset, where that is a multiple of what the last mode of the inverse divides by: only its coordinate is another.
pub(crate) fn left_inverse(call: &mut NamedCall<'_>) -> Answer {
    if let Some(answer) = call.by_mode(Scope::left_inverse)? {
        return call.scoped.answer(answer);
    }
    let mut placed = call.placed(0)?;
    if call.count() > 1 || placed.swizzle() != Swizzle::NONE {
        placed = call.only()?;
    }
    let scope = &mut call.scoped.scope;
    let found = match scope.left_inverse(placed.layout()) {
        Ok(found) if !placed.is_at_origin() => found,
        answer => return call.inverse_behind(placed.swizzle(), answer),
    };
    let [before @ .., last] = found.layout.leaves() else { return call.scoped.answer(Ok(found)) };
    let extents: Vec<Number> = before.iter().map(|leaf| leaf.extent.clone()).collect();
    let bound = product(&extents)?;
    let steps = scope.ceil_div(placed.start()?, &bound)?;
    if !matches!(scope.is_equal(&steps.mul(&bound)?, placed.start()?)?, Verdict::Always) {
        let [offset, bound] = [placed.start()?, &bound].map(|number| scope.number_text(number));
        return Err(call.refuse(format!(
            "the offset {offset} is not known to be a multiple of {bound}, which its left inverse divides by"
        )));
    }
    let offset = Number::integer(0).sub(&last.stride.mul(&steps)?)?;
    let mut leaves = found.layout.leaves().to_vec();
    if matches!(scope.is_at_least(&steps, &0.into())?, Verdict::Always) {
        leaves[before.len()].extent = last.extent.add(&steps)?;
    }
    let layout = scope.layout_of(Tuple::with_profile(found.layout.profile(), leaves)?)?;
    let shifted = scope.placed_of(Swizzle::NONE, offset, layout)?;
    call.scoped.made(Content::Placed(shifted), &found.guard)
}

/// The right inverse, if it is as large as the layout; of the conditions for that, the first of each clause.
pub(crate) fn inverse(call: &mut NamedCall<'_>) -> Answer {
    let placed = call.only()?;
    let (layout, scope) = (placed.layout(), &mut call.scoped.scope);
    let mut is_bijective = Verdict::Never;
    if layout.leaves().iter().any(|leaf| leaf.unit.depth() > 0) {
        // Onto the coordinates of a shape: no right inverse is larger than the layout.
        let mut right = match scope.right_inverse(layout) {
            Ok(right) => right,
            refusal => return call.scoped.answer(refusal),
        };
        match scope.is_equal(&scope.size(&right.layout)?, &scope.size(layout)?)? {
            Verdict::Always => return call.scoped.answer(Ok(right)),
            Verdict::When(guard) => {
                right.guard = guard;
                return call.scoped.answer(Ok(right));
            }
            _ => {}
        }
    } else {
        is_bijective = placed.is_compact(scope)?;
    }
    let guard = match is_bijective {
        Verdict::Always => Guard::ALWAYS,
        Verdict::When(guard) => scope.reduced(&guard.first_alternatives())?,
        _ => {
            let values = scope.values(&[])?;
            let Err(error) = layout.instance(&values)?.inverse() else {
                return Err(Error::NoInverse { reason: "the layout is not known to be compact" }.into());
            };
            let value =
                |name: &str| Some(format!("{name} = {}", scope.value(&scope.find(name)?, &values).ok()??));
            let at: Vec<String> = scope.names().filter_map(value).collect();
            return Err(Failure::other("no-inverse", format!("{error}, at {}", at.join(", "))));
        }
    };
    scope.assume_guard(&guard)?;
    let answer = match scope.right_inverse(layout) {
        Ok(answer) => Found { guard, ..answer },
        refusal => return call.scoped.answer(refusal),
    };
    match scope.is_equal(&scope.size(&answer.layout)?, &scope.size(layout)?)? {
        Verdict::Always => call.inverse_behind(placed.swizzle(), Ok(answer)),
        _ => Err(Error::NoInverse { reason: "the layout is not known to be compact" }.into()),
    }
}

fn common(call: &mut NamedCall<'_>) -> Result<Result<Found, Refusal>, Failure> {
    let (left, right) = (call.layout(0)?, call.layout(1)?);
    Ok(call.scoped.scope.common_layout(&left, &right))
}

/// Without what stands before the layouts: it is one of indices.
pub(crate) fn common_layout(call: &mut NamedCall<'_>) -> Answer {
    let answer = common(call)?;
    call.scoped.answer(answer)
}

pub(crate) fn common_vector(call: &mut NamedCall<'_>) -> Answer {
    match common(call)? {
        Ok(answer) => {
            let size = call.scoped.scope.size(&answer.layout)?;
            call.scoped.made(Content::Number(size), &answer.guard)
        }
        Err(refusal) => Err(call.scoped.refused(&refusal)),
    }
}

pub(crate) fn coalesce_extended(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.domain(0)?;
    call.in_place(call.scoped.scope.coalesce_extended(&layout)?)
}

/// Whether there is an answer: the guard of its layout.
fn exists(call: &NamedCall<'_>, answer: Result<Found, Refusal>) -> Answer {
    match answer {
        Ok(answer) => call.scoped.verdict(Verdict::When(answer.guard)),
        Err(Refusal::Never(_)) => call.scoped.verdict(Verdict::Never),
        Err(refusal) => Err(call.scoped.refused(&refusal)),
    }
}

pub(crate) fn is_composable(call: &mut NamedCall<'_>) -> Answer {
    let answer = composed(call)?;
    exists(call, answer)
}

pub(crate) fn is_complementable(call: &mut NamedCall<'_>) -> Answer {
    if call.count() > 1 {
        call.shape(1)?;
    }
    let answer = complemented(call)?;
    exists(call, answer)
}

pub(crate) fn recast(call: &mut NamedCall<'_>, widths: Widths) -> Answer {
    let ([old, new], layout) = (widths(call)?, call.layout(0)?);
    let answer = call.scoped.scope.recast(&layout, old, new);
    with_width(call, [old, new], call.scoped.answer(answer)?)
}

//! What is asked about layouts with names: numbers, and questions with a condition.

use super::{NamedCall, product};
use crate::functions::call::Answer;
use crate::symbolic::Content;
use crate::value::Value;
use tilework::{Error, MAX_LEAVES};
use tilework_symbolic::{Guard, Number, Scope, SymbolicLeaf, Tuple, Verdict};

pub(crate) fn size(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.domain(0)?;
    call.scoped.number(call.scoped.scope.size(&layout)?)
}

pub(crate) fn rank(call: &mut NamedCall<'_>) -> Answer {
    let rank = match call.content(0) {
        Some(Content::Tiler(_)) => call.tiler(0)?.rank(),
        _ => call.shape(0)?.rank(),
    };
    Ok(Value::integer(rank as i64))
}

pub(crate) fn shape(call: &mut NamedCall<'_>) -> Answer {
    let shape = call.shape(0)?;
    call.scoped.tuple(&shape)
}

pub(crate) fn stride(call: &mut NamedCall<'_>) -> Answer {
    let layout = call.domain(0)?;
    let stride = |leaf: &SymbolicLeaf| Some(SymbolicLeaf { extent: 1.into(), ..leaf.clone() });
    call.scoped.bound(Content::of_elements(layout.as_tuple().map(stride)))
}

/// All offsets, as many as a tuple has.
pub(crate) fn image(call: &mut NamedCall<'_>) -> Answer {
    let placed = call.placed(0)?;
    let size = call.scoped.scope.size(placed.layout())?;
    let Some(size) = size.as_integer().filter(|size| *size <= MAX_LEAVES as i64) else {
        let size = call.scoped.scope.number_text(&size);
        let most = format!("image lists at most {MAX_LEAVES} offsets with names, and the size is {size}");
        return Err(call.refuse(most));
    };
    let offset = |index: i64| placed.element(&mut call.scoped.scope, &Tuple::leaf(index.into()));
    let offsets: Vec<_> = (0..size).map(offset).collect::<Result<_, Error>>()?;
    call.scoped.tuple(&Tuple::of(&offsets)?)
}

pub(crate) fn ceil_div(call: &mut NamedCall<'_>) -> Answer {
    let (value, divisor) = (call.number_at(0)?, call.number_at(1)?);
    let quotient = call.scoped.scope.ceil_div(&value, &divisor)?;
    call.scoped.number(quotient)
}

pub(crate) fn mode_sizes(call: &mut NamedCall<'_>) -> Answer {
    let shape = call.shape(0)?;
    if shape.is_leaf() {
        return call.scoped.tuple(&shape);
    }
    let size = |index| Ok(Tuple::leaf(product(shape.mode(index)?.leaves())?));
    let sizes: Result<Vec<_>, Error> = (0..shape.rank()).map(size).collect();
    call.scoped.tuple(&Tuple::of(&sizes?)?)
}

pub(crate) fn fits(call: &mut NamedCall<'_>) -> Answer {
    let (layout, bits) = (call.layout(0)?, call.integer(1)?);
    let bits = u32::try_from(bits).map_err(|_| call.wrong(1, "a number of bits"))?;
    call.scoped.verdict(call.scoped.scope.fits(&layout, bits)?)
}

pub(crate) fn is_vector(call: &mut NamedCall<'_>) -> Answer {
    let (layout, width) = (call.layout(0)?, call.integer(1)?);
    call.scoped.verdict(call.scoped.scope.is_vector(&layout, width)?)
}

/// The width at the witness, and when it is one.
pub(crate) fn max_vector(call: &mut NamedCall<'_>) -> Answer {
    let (layout, limit) = (call.layout(0)?, call.integer(1)?);
    if limit < 1 {
        return Err(call.wrong(1, "a limit of 1 or more"));
    }
    let scope = &call.scoped.scope;
    let witness = scope.values(&[])?;
    let (mut width, mut guard) = (1, Guard::ALWAYS);
    while width <= limit / 2 {
        guard = match scope.is_vector(&layout, 2 * width)? {
            Verdict::Always => Guard::ALWAYS,
            Verdict::When(own) if scope.declared().holds(&own, &witness)? => own,
            _ => break,
        };
        width *= 2;
    }
    call.scoped.made(Content::Number(width.into()), &guard)
}

/// Whether a question has the answer yes for each leaf of the first tuple and the size of what the second has there.
fn each_leaf(
    call: &NamedCall<'_>,
    [coarse, fine]: [&Tuple<Number>; 2],
    question: fn(&Scope, &Number, &Number) -> Result<[Verdict; 2], Error>,
) -> Answer {
    if !coarse.weakly_congruent(fine) {
        return call.scoped.verdict(Verdict::Never);
    }
    let (mut parts, mut guard, mut open) = (vec![(coarse.clone(), fine.clone())], Guard::ALWAYS, false);
    while let Some((coarse, fine)) = parts.pop() {
        if !coarse.is_leaf() {
            for index in (0..coarse.rank()).rev() {
                parts.push((coarse.mode(index)?, fine.mode(index)?));
            }
            continue;
        }
        for verdict in question(&call.scoped.scope, &coarse.leaves()[0], &product(fine.leaves())?)? {
            match verdict {
                Verdict::Always => {}
                Verdict::When(own) => guard.push_all(&own),
                Verdict::Never => return call.scoped.verdict(Verdict::Never),
                Verdict::Open => open = true,
            }
        }
    }
    call.scoped.verdict(if open { Verdict::Open } else { Verdict::When(guard) })
}

pub(crate) fn compatible(call: &mut NamedCall<'_>) -> Answer {
    let (coarse, fine) = (call.shape(0)?, call.shape(1)?);
    each_leaf(call, [&coarse, &fine], |scope, extent, size| {
        Ok([scope.is_equal(extent, size)?, Verdict::Always])
    })
}

pub(crate) fn in_bounds(call: &mut NamedCall<'_>) -> Answer {
    let (coordinate, shape) = (call.tuple(0, "a coordinate")?, call.extents(1)?);
    each_leaf(call, [&coordinate, &shape], |scope, index, size| {
        Ok([scope.is_at_least(index, &0.into())?, scope.is_at_least(size, &index.plus(1)?)?])
    })
}

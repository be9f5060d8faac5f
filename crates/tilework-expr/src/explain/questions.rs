//! Why a question has its answer: the theorem for a yes, and for a no the leaf, the coordinates or the offset that decide.

use super::section::{Case, Section, text};
use super::{composition, families};
use crate::value::Value;
use tilework::__private::Atom;
use tilework::{Error, HTuple, Layout, Offsets, Reason, Shape, View};

/// What decides an answer about these operands, as a sentence; none for operands that the question does not take.
pub(crate) type Why = fn(&[Value], bool) -> Option<String>;

/// A tuple of the value's nesting, which is all that congruence depends on.
pub(crate) fn nesting(value: &Value) -> Option<HTuple<Atom>> {
    match value {
        Value::Tuple(tuple) => Some(**tuple),
        _ => {
            let layout = value.shaped()?;
            let leaves = vec![Atom::All; layout.leaves().len()];
            HTuple::with_profile(layout.profile(), &leaves, Atom::All).ok()
        }
    }
}

pub(crate) const INJECTIVE: Why = |of, _| said(of, Reason::injective(&of[0].shaped()?));
pub(crate) const SURJECTIVE: Why = |of, _| said(of, Reason::surjective(&of[0].as_any_layout()?.ok()?));
pub(crate) const COMPACT: Why = |of, _| said(of, Reason::compact(&of[0].as_any_layout()?.ok()?));
pub(crate) const INCREASING: Why = |of, _| said(of, Reason::increasing(&of[0].as_any_layout()?.ok()?));
pub(crate) const EQUIVALENT: Why =
    |of, _| said(of, Reason::equivalent(&of[0].as_offsets()?, &of[1].as_offsets()?));
pub(crate) const DISJOINT: Why =
    |of, _| said(of, Reason::disjoint(&of[0].as_offsets()?, &of[1].as_offsets()?));
pub(crate) const ADMITS: Why = |of, _| said(of, Reason::admits(&of[0].shaped()?, &of[1].shaped()?));
pub(crate) const CONGRUENT: Why =
    |of, _| said(of, Ok(Reason::congruent(&nesting(&of[0])?, &nesting(&of[1])?)));
pub(crate) const WEAKLY_CONGRUENT: Why =
    |of, _| said(of, Ok(Reason::weakly_congruent(&nesting(&of[0])?, &nesting(&of[1])?)));
pub(crate) const COMPATIBLE: Why =
    |of, _| said(of, Reason::compatible(&of[0].as_shape()?, &of[1].as_shape()?));
pub(crate) const IN_BOUNDS: Why = |of, _| said(of, Reason::in_bounds(&of[0].as_coord()?, &of[1].as_shape()?));
pub(crate) const CONTIGUOUS: Why = |of, _| {
    let layout = of[0].shaped()?;
    let identity = Layout::column_major(layout.size()).ok()?;
    let [own, plain] = [layout, identity].map(|layout| Offsets::View(View::from(layout)));
    Some(match Reason::equivalent(&own, &plain).ok()? {
        Reason::Differs(index) => {
            let offset = of[0].evaluate(&HTuple::leaf(index))?.ok()?;
            format!("the index {index} has the offset {offset}")
        }
        _ => format!("coalesced it is {identity}, if nothing is before it"),
    })
};
pub(crate) const FITS: Why = |of, _| {
    let (low, high) = of[0].as_offsets()?.bounds().ok()?;
    Some(format!("the offsets are from {low} to {high}"))
};

/// The composition, or the condition that fails.
pub(crate) const COMPOSABLE: Why = |of, _| {
    let found = of[0].shaped()?.composition_by_mode(&of[1].as_tiler()?.ok()?);
    Some(match found {
        Ok(found) => {
            format!("A o B is {found}, which has the offset A(B(c)) at each coordinate c (paper, 3.3)")
        }
        Err(error) => error.to_string(),
    })
};

/// The complement, or why there is none.
pub(crate) const COMPLEMENTABLE: Why = |of, _| {
    let layout = of[0].shaped()?;
    let found = match of.get(1) {
        Some(shape) => layout.complement_within(shape.as_shape()?),
        None => layout.complement(),
    };
    Some(match found {
        Ok(found) => format!("its complement is {found} (paper, 3.5.1)"),
        Err(error) => error.to_string(),
    })
};

/// The leaf that interrupts an access.
pub(crate) const VECTOR: Why = |of, yes| {
    let (layout, width) = (of[0].shaped()?.coalesce(), of[1].as_integer().filter(|&width| width > 0)?);
    let leaves = || layout.leaves().iter().map(|leaf| (text(leaf), leaf.extent, leaf.stride.as_integer()));
    let place = leaves().position(|leaf| leaf.2 == Some(1));
    let unit = place.and_then(|place| leaves().nth(place));
    let mut others = leaves().enumerate().filter(|(at, _)| Some(*at) != place).map(|(_, leaf)| leaf);
    let uneven = others.find(|leaf| leaf.2.is_none_or(|stride| stride % width != 0));
    Some(match (unit, uneven) {
        _ if width == 1 => String::from("it is one element"),
        _ if yes => format!("of {layout}, coalesced, all is a multiple of {width} but the stride 1"),
        (None, _) => format!("no mode of {layout}, coalesced, has the stride 1"),
        (Some((leaf, extent, _)), _) if extent % width != 0 => {
            format!("the extent of {leaf} is no multiple of {width}")
        }
        (_, Some((leaf, ..))) => format!("the stride of {leaf} is no multiple of {width}"),
        _ => format!("the offset, or what the swizzle keeps together, is no multiple of {width}"),
    })
};

/// The first leaf that belongs before its neighbour.
pub(crate) const SORTED: Why = |of, _| {
    let flat = of[0].shaped()?.flatten();
    let wrong = |&leaf: &usize| flat.take(leaf - 1, leaf + 1).is_ok_and(|pair| !pair.is_sorted());
    Some(match (1..flat.rank()).find(wrong) {
        Some(leaf) => {
            let (own, before) = (text(&flat.leaves()[leaf]), text(&flat.leaves()[leaf - 1]));
            format!("leaf {leaf}, {own}, belongs before leaf {}, {before}", leaf - 1)
        }
        None => String::from("no leaf belongs before the one on its left"),
    })
};

/// The leaf in which the steps end.
pub(crate) const LEFT_DIVISIBLE: Why = |of, _| {
    let (shape, steps) = (of[0].as_shape()?, of[1].as_integer().filter(|&steps| steps > 0)?);
    let (extents, mut rest, mut leaf) = (shape.leaves(), steps, 0);
    while leaf + 1 < extents.len() && extents[leaf] > 0 && rest % extents[leaf] == 0 {
        rest /= extents[leaf];
        leaf += 1;
    }
    let extent = *extents.get(leaf)?;
    let share = match (rest <= extent, leaf + 1 < extents.len()) {
        (true, _) if extent % rest == 0 => "of which it is a divisor",
        (true, _) => "of which it is a part, but no divisor",
        (false, true) => "of which it is no multiple",
        (false, false) => "the last, which ends before",
    };
    Some(format!(
        "{steps} divided by the extents before leaf {leaf} is {rest}, and the extent there {extent}, {share}"
    ))
};

/// What decides an answer, under it.
pub(crate) fn section(values: &[Value], answer: bool, why: Why) -> Option<Section> {
    Some(Section::new(if answer { "Yes, because" } else { "No, because" }).line(why(values, answer)?))
}

/// The reason as a sentence, with the coordinates and offsets that it names.
fn said(values: &[Value], reason: Result<Reason, Error>) -> Option<String> {
    let (first, second) = (&values[0], values.get(1));
    let at = |value: &Value, index: i64| {
        let coordinate = value.shaped()?.shape().idx2crd(&HTuple::leaf(index)).ok()?;
        Some((coordinate.to_string(), value.evaluate(&HTuple::leaf(index))?.ok()?.to_string()))
    };
    let node = |rank: Option<usize>| rank.map_or("an integer".into(), |rank| format!("a tuple of {rank}"));
    Some(match reason {
        Err(error) => error.to_string(),
        Ok(Reason::Theorem(theorem)) => theorem.to_string(),
        Ok(Reason::SameOffset(a, b)) => {
            let ((a, offset), (b, _)) = (at(first, a)?, at(second.unwrap_or(first), b)?);
            match second {
                Some(_) => format!("{a} of the first and {b} of the second have the offset {offset}"),
                None => format!("{a} and {b} have the same offset, {offset}"),
            }
        }
        Ok(Reason::Outside(index)) => {
            let (coordinate, offset) = at(second?, index)?;
            format!("{coordinate} of the second has the offset {offset}, which the first does not have")
        }
        Ok(Reason::Missing(offset)) => {
            format!("no coordinate has the offset {offset}, and one has a larger offset")
        }
        Ok(Reason::Negative(index)) => {
            let (coordinate, offset) = at(first, index)?;
            format!("{coordinate} has the offset {offset}, which is negative")
        }
        Ok(Reason::NotGreater(index)) => {
            let ((a, low), (b, high)) = (at(first, index)?, at(first, index + 1)?);
            format!("{a} has the offset {low}, and the next coordinate, {b}, has {high}")
        }
        Ok(Reason::Differs(index)) => {
            let ((_, left), (_, right)) = (at(first, index)?, at(second?, index)?);
            format!("at the index {index} the first is {left}, and the second {right}")
        }
        Ok(Reason::Sizes(left, right)) => format!("the sizes are {left} and {right}"),
        Ok(Reason::Nesting(leaf, first, second)) => {
            let place = leaf.map_or_else(String::new, |leaf| format!("at leaf {leaf} "));
            format!("{place}the first has {}, and the second {}", node(first), node(second))
        }
        Ok(Reason::Leaf(leaf, value, size)) => {
            format!("leaf {leaf} of the first is {value}, and its mode of the second has the size {size}")
        }
        Ok(_) => return None,
    })
}

/// The reason, and where in the layout the offsets of the instruction are.
pub(crate) fn admits(case: &Case) -> Vec<Section> {
    let (Some(right), Some(Value::Bool(answer))) = (case.right, case.result) else { return Vec::new() };
    let mut sections = vec![Section::new("Definition").line(&case.gives)];
    sections.extend(section(&[case.first.clone(), right.clone()], *answer, ADMITS));
    if *answer
        && let (Ok(inverse), Some(instruction)) = (case.layout.left_inverse(), right.shaped())
        && let Ok(places) = inverse.composition(&instruction)
    {
        let title = "Their indices in A: left_inverse(A) o T";
        sections.push(Section::new(title).line(places.to_string()));
    }
    sections
}

/// The exact test of a composition, and beside it the sufficient one by intervals.
pub(crate) fn composable(case: &Case) -> Vec<Section> {
    let mut sections = composition::any(case);
    if let Some(Value::Layout(right)) = case.right
        && let Some(section) = intervals(&case.layout, right)
    {
        sections.push(section);
    }
    sections
}

/// Each leaf `N:r` reaches the positions from `r` to `(N-1) r`, of which those below the last mode of the left layout count. If
/// every leaf divides out evenly, and no two of these intervals meet, the results of the leaves add up.
fn intervals(left: &Layout, right: &Layout) -> Option<Section> {
    let shape = left.shape();
    let end = shape.size().ok()? / shape.leaves().last()?;
    let (mut rows, mut taken, mut passes) = (Vec::new(), Vec::new(), true);
    for leaf in right.leaves() {
        let (extent, step) = (leaf.extent, leaf.stride.as_integer()?);
        let divides = shape.is_left_divisible(step);
        let rest = divides.then(|| shape.shape_div(step).ok()).flatten();
        let fits = rest.is_some_and(|rest: Shape| rest.is_weakly_left_divisible(extent));
        let last = step.checked_mul(extent - 1)?.min(end - 1);
        let meets = taken.iter().any(|&(low, high)| step <= high && low <= last);
        passes &= divides && fits && !(meets && step <= last);
        let interval = if step <= last { format!("[{step},{last}]") } else { String::from("empty") };
        let yes = |is: bool| String::from(if is { "yes" } else { "no" });
        rows.push([format!("{extent}:{step}"), yes(divides), yes(fits), interval]);
        if step <= last {
            taken.push((step, last));
        }
    }
    let verdict = match (passes, left.is_composable(right).is_ok()) {
        (true, true) => "Each leaf divides out, and no two intervals meet: that is enough.",
        (true, false) => {
            "Each leaf divides out, and no two intervals meet. The notes say that this is enough, and it is not: the exact test above fails."
        }
        (false, true) => {
            "This test is only sufficient: it is stricter than the exact one above, which the layouts pass."
        }
        (false, false) => "The layouts fail this test too.",
    };
    let title = format!(
        "The intervals of the leaves within [1,{}], the positions before the last mode of A turns",
        end - 1
    );
    let header = ["leaf N:r", "r divides the shape from the left", "N fits in the rest", "interval"];
    Some(Section::new(title).line(verdict).table(header, rows))
}

/// The gaps, and the modes that overlap.
pub(crate) fn complementable(case: &Case) -> Vec<Section> {
    let within = case.right.and_then(Value::as_shape);
    let rest = match &within {
        Some(within) => case.layout.complement_within(within),
        None => case.layout.complement(),
    };
    let mut section = match &rest {
        Ok(_) => Section::new("Yes, because")
            .line("along each component, in order of size, each stride is the end of the mode before it, or beyond (paper, 3.5)"),
        Err(error) => Section::new("No, because").line(error.to_string()),
    };
    if let (Ok(rest), Some(Ok(end))) = (rest, within.map(|within| within.size())) {
        let (rest, own) = (rest.size(), case.layout.filter_zeros().size());
        if rest.checked_mul(own) != Some(end) {
            section = section.line(format!(
                "{own} * {rest} offsets are not {end}: where a complement has to fill [0,{end}) exactly, there is none."
            ));
        }
    }
    let mut sections = families::complement(case);
    sections.push(section);
    sections
}

//! Sizes, offsets, and questions with a yes or no.

use crate::cases::{Case, Source};
use crate::model::*;
use crate::oracle::*;
use crate::search::*;
use crate::text::*;

pub const ROWS: &[Row] = &[
    row("size", part_or_shape, |case, answer| {
        let expected = part(case).and_then(|value| match &value {
            Value::Tuple(_) => Some(product(&value.as_ints()?)),
            _ => Some(size(value.domain()?)),
        });
        exactly(answer, expected.map(Value::int))
    }),
    row("rank", part_or_shape, |case, answer| {
        let expected = part(case).map(|value| match &value {
            Value::Tuple(tree) => tree.modes().len(),
            _ => value.domain().unwrap().modes().len(),
        });
        exactly(answer, expected.map(|rank| Value::int(rank as i128)))
    }),
    row("depth", part_or_shape, |case, answer| {
        let expected = part(case).map(|value| match &value {
            Value::Tuple(tree) => tree.depth(),
            _ => value.domain().unwrap().depth(),
        });
        exactly(answer, expected.map(|depth| Value::int(depth as i128)))
    }),
    row("shape", part_or_shape, |case, answer| {
        let expected = part(case).map(|value| match &value {
            Value::Tuple(_) => value,
            _ => Value::ints(&shape(value.domain().unwrap())),
        });
        exactly(answer, expected)
    }),
    row("stride", part_of_function, |case, answer| {
        let expected = part(case)
            .map(|value| Value::Tuple(value.domain().unwrap().map(&mut |leaf| Some(leaf.step.clone()))));
        exactly(answer, expected)
    }),
    row("cosize", part_of_function, |case, answer| extremes(part(case), answer, |_, high| high + 1)),
    row("min", function, |case, answer| extremes(part(case), answer, |low, _| low)),
    row("max", function, |case, answer| extremes(part(case), answer, |_, high| high)),
    row("span", function, |case, answer| extremes(part(case), answer, |low, high| high - low + 1)),
    row("image", function, image),
    row("congruent", two_trees, |case, answer| {
        truth(answer, Some(tree(case, 0).profile() == tree(case, 1).profile()))
    }),
    row("weakly_congruent", two_trees, |case, answer| {
        truth(answer, Some(tree(case, 0).coarsens(&tree(case, 1))))
    }),
    row("compatible", two_trees, |case, answer| truth(answer, Some(refines(&tree(case, 0), &tree(case, 1))))),
    row("equivalent", two_functions, equivalent),
    row("is_injective", function, |case, answer| {
        truth(answer, case.arguments[0].own_offsets().map(|offsets| distinct(&offsets)))
    }),
    row("is_surjective", any_layout, |case, answer| truth(answer, onto(&case.arguments[0]))),
    row("is_bijective", any_layout, |case, answer| truth(answer, one_to_one(&case.arguments[0]))),
    row("is_compact", any_layout, |case, answer| truth(answer, one_to_one(&case.arguments[0]))),
    row("is_increasing", any_layout, |case, answer| match (&case.arguments[0], codomain(case.layout(0))) {
        (Value::Swizzled(..), _) | (_, Codomain::Integer) => {
            let offsets = case.arguments[0].image();
            truth(answer, offsets.map(|all| all.windows(2).all(|pair| pair[0].integer() < pair[1].integer())))
        }
        // Only integers are in order.
        _ => truth(answer, None),
    }),
    row("admits", data_and_instruction, |case, answer| {
        let codomains = [0, 1].map(|index| codomain(case.layout(index)));
        if codomains.contains(&Codomain::Coordinate) || codomains[1] == Codomain::Rational {
            return must_refuse(answer);
        }
        let data = table(case.layout(0));
        let all = table(case.layout(1)).iter().all(|offset| data.iter().any(|own| own.same(offset)));
        truth(answer, Some(all))
    }),
    row("is_sorted", plain_layout, |case, answer| {
        let sorted = case.layout(0).leaves().windows(2).all(|pair| {
            let (a, b) = (pair[0].step.magnitude(), pair[1].step.magnitude());
            a.below(b) || a == b && pair[0].extent <= pair[1].extent
        });
        truth(answer, Some(sorted))
    }),
    row("is_left_divisible", shape_and_step, |case, answer| {
        truth(answer, Some(quotients(case).into_iter().any(|(extent, steps)| extent % steps == 0)))
    }),
    row("is_weakly_left_divisible", shape_and_step, |case, answer| {
        truth(answer, Some(!quotients(case).is_empty()))
    }),
    row("fits", with_number, |case, answer| {
        let bits = case.arguments[1].as_int().unwrap();
        match &case.arguments[0] {
            _ if bits < 0 => must_refuse(answer),
            value => within(value.clone(), answer, bits),
        }
    }),
    row("is_vector", with_number, |case, answer| {
        let width = case.arguments[1].as_int().unwrap();
        match (elements(&case.arguments[0]), &answer) {
            (Some(offsets), _) if width > 0 => {
                // Of a swizzle it is asked that its base keeps the elements together, which is enough.
                let swizzled = matches!(case.arguments[0], Value::Swizzled(..));
                match answer {
                    Ok(Value::Truth(false)) if swizzled => Ok(()),
                    answer => truth(answer, Some(vectors(&offsets, width as usize))),
                }
            }
            _ => must_refuse(answer),
        }
    }),
    row("max_vector", with_number, |case, answer| {
        let limit = case.arguments[1].as_int().unwrap();
        match elements(&case.arguments[0]) {
            Some(offsets) if limit > 0 => {
                let widths = (0..8).map(|power| 1 << power).take_while(|width| *width as i128 <= limit);
                let most = widths.take_while(|width| vectors(&offsets, *width)).last().unwrap();
                match answer {
                    Ok(found) if matches!(case.arguments[0], Value::Swizzled(..)) => {
                        let found = found.as_int().unwrap();
                        if found <= most as i128 { Ok(()) } else { Err(format!("at most {most}")) }
                    }
                    answer => exactly(answer, Some(Value::int(most as i128))),
                }
            }
            _ => must_refuse(answer),
        }
    }),
    row("is_disjoint", two_places, |case, answer| match (disjoint(&case.arguments), answer) {
        // Coordinates that are compared leaf by leaf are those of tilework/tests/properties/sums.rs; the first offsets of both
        // are one where neither has a start.
        (None, Ok(Value::Truth(apart))) if !apart => Ok(()),
        (None, Ok(Value::Truth(_))) => {
            match case.arguments.iter().any(|value| matches!(value, Value::View(..))) {
                true => Ok(()),
                false => Err("the images do not meet".into()),
            }
        }
        (expected, answer) => truth(answer, expected),
    }),
    row("is_composable", crate::algebra::composed_arguments, |case, answer| {
        let composed = crate::algebra::composition_by_tiler(case.layout(0), &as_tiler(&case.arguments[1]));
        truth(answer, Some(composed.is_some()))
    }),
    row("is_complementable", crate::algebra::complement_arguments, |case, answer| {
        let (layout, within) = (case.layout(0), case.arguments.get(1).and_then(Value::as_ints));
        let nothing_moves = still(layout).leaves().iter().all(|leaf| leaf.step.is_zero());
        let exists = matches!(within, Some(Tree::Node(_))) && nothing_moves
            || !crate::algebra::complements_in_codomain(layout, within.as_ref()).is_empty();
        truth(answer, Some(exists))
    }),
];

/// A layout, a tuple of numbers, or a layout with an offset, and the path of a part of it.
fn part_or_shape(source: &mut Source) -> (Vec<Value>, Vec<i128>, bool) {
    if source.rng.once_in(3) {
        let shape = source.shape(1000);
        let path = path_in(source, &shape);
        return (vec![Value::ints(&shape)], path, false);
    }
    part_of_function(source)
}

fn part_of_function(source: &mut Source) -> (Vec<Value>, Vec<i128>, bool) {
    let value = source.function();
    let path = if source.rng.once_in(3) { path_in(source, value.domain().unwrap()) } else { vec![] };
    (vec![value], path, false)
}

fn two_trees(source: &mut Source) -> (Vec<Value>, Vec<i128>, bool) {
    let pair = |shape: Shape, source: &mut Source| {
        let leaves = shape.leaves().len();
        match source.rng.once_in(3) {
            true => {
                let steps: Vec<i128> = (0..leaves).map(|_| source.rng.range(0, 9)).collect();
                let mut steps = steps.into_iter();
                Value::Layout(
                    shape.map(&mut |extent| Leaf { extent: *extent, step: Step::int(steps.next().unwrap()) }),
                )
            }
            false => Value::ints(&shape),
        }
    };
    let first = source.shape(200);
    let second = if source.rng.once_in(4) { source.shape(200) } else { refined(source, &first) };
    let (first, second) = if source.rng.once_in(5) { (second, first) } else { (first, second) };
    (vec![pair(first, source), pair(second, source)], vec![], false)
}

fn two_functions(source: &mut Source) -> (Vec<Value>, Vec<i128>, bool) {
    let first = source.function();
    let layout = first.domain().unwrap();
    // Often the same function in other modes.
    let second = match (source.rng.range(0, 2), fewest(&table(layout))) {
        (0, Some(modes)) => first.with_domain(in_place(modes)),
        (1, _) => {
            let other = split_leaves(source, layout);
            first.with_domain(other)
        }
        _ => {
            let codomain = codomain(layout);
            let other = source.layout(codomain);
            first.with_domain(other)
        }
    };
    let second = if is_value(&second) { second } else { first.clone() };
    (vec![first, second], vec![], false)
}

/// Two functions whose offsets lie close together, often in the two halves or the gaps of one array.
fn two_places(source: &mut Source) -> (Vec<Value>, Vec<i128>, bool) {
    let place = |source: &mut Source, layout: Layout| match codomain(&layout) {
        Codomain::Integer => Value::View(Offset::int(source.rng.range(-6, 24)), layout),
        Codomain::Xor => Value::View(Offset::xor(source.rng.range(0, 40)), layout),
        _ => source.wrap(layout),
    };
    let codomain = source.codomain();
    let first = source.layout(codomain);
    let second = match source.rng.range(0, 2) {
        0 => first.clone(),
        1 => source.any(),
        _ => source.layout(codomain),
    };
    let first = if source.rng.once_in(4) { source.wrap(first) } else { place(source, first) };
    let second = if source.rng.once_in(4) { source.wrap(second) } else { place(source, second) };
    let second = if is_value(&second) { second } else { first.clone() };
    (vec![first, second], vec![], false)
}

/// None for coordinates.
fn disjoint(arguments: &[Value]) -> Option<bool> {
    let of_numbers = |value: &&Value| {
        !matches!(value, Value::View(Offset::Coordinate(_), _))
            && value.domain().is_some_and(|layout| codomain(layout) != Codomain::Coordinate)
    };
    let images = arguments.iter().map(|value| Some(value).filter(of_numbers)?.image());
    let images: Vec<Vec<Offset>> = images.collect::<Option<_>>()?;
    Some(!images[0].iter().any(|one| images[1].iter().any(|other| one.same(other))))
}

/// The least and the greatest offset of what has a number for each.
fn extremes(value: Option<Value>, answer: Answer, of: impl Fn(i128, i128) -> i128) -> Verdict {
    let numbers = value.and_then(|value| {
        let plain = matches!(codomain(value.domain()?), Codomain::Integer | Codomain::Xor)
            && !matches!(&value, Value::View(Offset::Coordinate(_), _))
            && !matches!(&value, Value::View(Offset::Number(offset), _) if offset.under > 1);
        let image = value.image().filter(|_| plain)?;
        image.iter().map(Offset::integer).collect::<Option<Vec<i128>>>()
    });
    let expected = numbers.map(|all| of(*all.iter().min().unwrap(), *all.iter().max().unwrap()));
    exactly(answer, expected.map(Value::int))
}

/// A function, and a small number.
fn with_number(source: &mut Source) -> (Vec<Value>, Vec<i128>, bool) {
    let number = Value::int(source.rng.choose(&[0, 1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 16, -1]));
    (vec![source.function(), number], vec![], false)
}

/// Whether the least and the greatest offset have so many bits beside a sign.
fn within(value: Value, answer: Answer, bits: i128) -> Verdict {
    let fits = |offset: i128| -(1 << bits) <= offset && offset < 1 << bits;
    // What has no bounds is refused by both.
    match extremes(Some(value.clone()), Err("none"), |_, _| 0) {
        Ok(()) => must_refuse(answer),
        Err(_) => {
            truth(answer, Some(value.image().unwrap().iter().all(|offset| fits(offset.integer().unwrap()))))
        }
    }
}

/// The offsets that are places of elements.
fn elements(value: &Value) -> Option<Vec<i128>> {
    let whole = codomain(value.domain()?) == Codomain::Integer
        && !matches!(value, Value::View(Offset::Coordinate(_), _));
    value.image().filter(|_| whole)?.iter().map(Offset::integer).collect()
}

/// Whether for some step the indices are in runs of `width` at that step, whose offsets are `k*width, k*width + 1, ...`
pub fn vectors(offsets: &[i128], width: usize) -> bool {
    let runs_at = |step: usize| {
        offsets.len().is_multiple_of(step * width)
            && (0..offsets.len()).filter(|index| (index / step).is_multiple_of(width)).all(|first| {
                offsets[first] % width as i128 == 0
                    && (0..width).all(|k| offsets[first + k * step] == offsets[first] + k as i128)
            })
    };
    (1..=offsets.len()).any(runs_at)
}

fn image(case: &Case, answer: Answer) -> Verdict {
    let value = &case.arguments[0];
    let Some(expected) = value.image() else { return must_refuse(answer) };
    let all = paths(value.domain().unwrap());
    let show = || format!("{expected:?}");
    match answer {
        Ok(Value::Tuple(Tree::Node(offsets))) if offsets.len() == expected.len() => {
            let xor = codomain(value.domain().unwrap()) == Codomain::Xor;
            let same = offsets.iter().zip(&expected).all(|(found, expected)| {
                let numbers = found.map(&mut |atom| atom.as_ref().map_or(Rational::ZERO, |step| step.count));
                let shallow = all.iter().all(Vec::is_empty) || matches!(found, Tree::Node(_));
                shallow && Offset::of_tree(&numbers, xor).same(expected)
            });
            if same { Ok(()) } else { Err(show()) }
        }
        _ => Err(show()),
    }
}

fn equivalent(case: &Case, answer: Answer) -> Verdict {
    let (a, b) = (&case.arguments[0], &case.arguments[1]);
    let same = |a: &[Offset], b: &[Offset]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b));
    if let (Value::View(Offset::Coordinate(_), x), Value::View(Offset::Coordinate(_), y)) = (a, b)
        && paths(x) != paths(y)
    {
        // Coordinates of two profiles: (1) and (1,0) need not be one.
        return answer.map(|_| ()).map_err(|_| "an answer".into());
    }
    match (a.image(), b.image()) {
        (Some(first), Some(second)) => truth(answer, Some(same(&first, &second))),
        // A swizzle has no value below 0.
        _ => match (a, b) {
            (Value::Swizzled(a, i, x), Value::Swizzled(b, j, y)) if (a, i) == (b, j) => {
                truth(answer, Some(same(&table(x), &table(y))))
            }
            _ => Ok(()),
        },
    }
}

pub fn distinct(offsets: &[Offset]) -> bool {
    let set: std::collections::HashSet<&Offset> = offsets.iter().collect();
    set.len() == offsets.len()
}

/// Every number from 0 to the greatest, and no other.
fn onto(value: &Value) -> Option<bool> {
    if !matches!(codomain(value.domain()?), Codomain::Integer | Codomain::Xor) {
        return None;
    }
    let all: Vec<i128> = value.image()?.iter().map(|offset| offset.integer().unwrap()).collect();
    let set: std::collections::HashSet<i128> = all.iter().copied().collect();
    Some(*all.iter().min().unwrap() >= 0 && set.len() as i128 == all.iter().max().unwrap() + 1)
}

fn one_to_one(value: &Value) -> Option<bool> {
    Some(onto(value)? && distinct(&value.image()?))
}

/// A layout of numbers or bits, and another one or a part of it.
fn data_and_instruction(source: &mut Source) -> (Vec<Value>, Vec<i128>, bool) {
    let [data, other] = [(); 2].map(|_| {
        let codomain = source.rng.choose(&[Codomain::Integer, Codomain::Xor]);
        source.layout(codomain)
    });
    let part = source.rng.choose(data.modes());
    let instruction = if source.rng.once_in(2) { part } else { other };
    (vec![Value::Layout(data), Value::Layout(instruction)], vec![], false)
}

fn plain_layout(source: &mut Source) -> (Vec<Value>, Vec<i128>, bool) {
    (vec![Value::Layout(source.any())], vec![], false)
}

fn shape_and_step(source: &mut Source) -> (Vec<Value>, Vec<i128>, bool) {
    let shape = source.shape(200);
    let step = source.rng.range(-1, 40);
    (vec![Value::ints(&shape), Value::int(step)], vec![], false)
}

/// The extents in which a step can end, each with the steps along it: the product of the extents before divides the step.
fn quotients(case: &Case) -> Vec<(i128, i128)> {
    let (shape, step) = (tree(case, 0), case.arguments[1].as_int().unwrap());
    let (extents, mut before, mut found) = (shape.leaves(), 1, Vec::new());
    for (index, &&extent) in extents.iter().enumerate() {
        let steps = step / before;
        let most = if index + 1 == extents.len() { extent } else { extent - 1 };
        if step > 0 && step % before == 0 && steps <= most {
            found.push((extent, steps));
        }
        before *= extent;
    }
    found
}

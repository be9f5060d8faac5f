//! Elements of another width, and what two layouts share.

use crate::cases::{Case, Source};
use crate::inverses::{common_indices, found, is_common, longest_common};
use crate::model::*;
use crate::oracle::*;
use crate::search::*;
use crate::text::*;
use std::collections::BTreeSet;

pub const ROWS: &[Row] = &[
    row("upcast", |source| scaled(source, 1), |case, answer| width(case, answer, 1, case.indices[0])),
    row("downcast", |source| scaled(source, 1), |case, answer| width(case, answer, case.indices[0], 1)),
    row(
        "recast",
        |source| scaled(source, 2),
        |case, answer| width(case, answer, case.indices[0], case.indices[1]),
    ),
    row("common_layout", two_of_any, |case, answer| {
        of_two(case, answer, |layouts, coordinates| {
            if coordinates { agree(answer, &layouts) } else { common_indices(answer, &layouts) }
        })
    }),
    row("common_vector", two_of_any, |case, answer| {
        of_two(case, answer, |layouts, coordinates| {
            if coordinates {
                let positive = answer.is_ok_and(|value| value.as_int().is_some_and(|size| size >= 1));
                return if positive { Ok(()) } else { Err("a size".into()) };
            }
            match (longest_common(&layouts), answer) {
                (Some(expected), _) => exactly(answer, Some(Value::int(expected))),
                (None, Ok(_)) => Ok(()),
                (None, Err(_)) => Err("a size".into()),
            }
        })
    }),
    row("max_common_layout", two_of_any, |case, answer| {
        of_two_inner(case, answer, |layouts, most| {
            if most == i128::MAX {
                return common_indices(answer, layouts);
            }
            let expected = longest_common(layouts).map(|longest| longest.min(most));
            match (found(answer), expected) {
                (Some(common), Some(expected)) if size(common) == expected && is_common(common, layouts) => {
                    Ok(())
                }
                // Not every layout can be cut.
                (None, Some(expected)) if expected == most => Ok(()),
                (None, None) => Ok(()),
                (_, expected) => Err(format!("a layout of size {expected:?}")),
            }
        })
    }),
    row("max_common_vector", two_of_any, |case, answer| {
        of_two_inner(case, answer, |layouts, most| match (longest_common(layouts), answer) {
            (Some(longest), _) => exactly(answer, Some(Value::int(longest.min(most)))),
            (None, _) => Ok(()),
        })
    }),
    row(
        "layout_add",
        |source| {
            let (arguments, ..) = two_layouts(source);
            let (first, second) = (arguments[0].domain().unwrap(), arguments[1].domain().unwrap());
            let steps: Vec<Step> = second.leaves().into_iter().map(|leaf| leaf.step.clone()).collect();
            // Sums want layouts of one size.
            let other = match source.rng.range(0, 3) {
                0 => return (arguments, vec![], false),
                1 => first.map(&mut |leaf| Leaf { step: source.rng.choose(&steps), ..leaf.clone() }),
                2 => leaf(size(first), steps[0].clone()),
                _ => {
                    let step = source.rng.choose(&steps);
                    let split = split_leaves(source, &leaf(size(first), step));
                    split.map(&mut |leaf| Leaf {
                        step: source.rng.choose(&[leaf.step.clone(), steps[0].clone()]),
                        ..leaf.clone()
                    })
                }
            };
            (vec![arguments[0].clone(), Value::Layout(other)], vec![], false)
        },
        layout_add,
    ),
    row(
        "greatest_common_domain",
        |source| {
            let first = source.any();
            let second = match source.rng.range(0, 3) {
                0 => source.any(),
                1 => split_leaves(source, &first),
                _ => {
                    let shape = source.split(size(&first));
                    let strides: Vec<i128> =
                        (0..shape.leaves().len()).map(|_| source.rng.range(0, 9)).collect();
                    let mut strides = strides.into_iter();
                    shape
                        .map(&mut |extent| Leaf { extent: *extent, step: Step::int(strides.next().unwrap()) })
                }
            };
            (vec![Value::Layout(first), Value::Layout(second)], vec![], false)
        },
        |case, answer| {
            let layouts = [case.layout(0), case.layout(1)];

            if size(layouts[0]) != size(layouts[1]) {
                return must_refuse(answer);
            }
            let expected = fewest_common(&layouts.map(table));
            let tree = expected.map(|extents| match extents.len() {
                0 => Tree::Leaf(1),
                _ => Tree::of(extents.into_iter().map(Tree::Leaf).collect()),
            });
            exactly(answer, tree.map(|tree| Value::ints(&tree)))
        },
    ),
];

/// Two layouts of one codomain, and whether it is that of coordinates; of two codomains nothing has to be answered.
fn of_two(case: &Case, answer: Answer, oracle: impl FnOnce([&Layout; 2], bool) -> Verdict) -> Verdict {
    let Some(layouts) = as_layouts(case) else { return must_refuse(answer) };
    let layouts = [&layouts[0], &layouts[1]];
    if mixed(layouts) && answer.is_err() {
        return Ok(());
    }
    oracle(layouts, layouts.iter().any(|layout| codomain(layout) == Codomain::Coordinate))
}

/// The layouts without their swizzles, and how many elements these keep together.
fn of_two_inner(case: &Case, answer: Answer, oracle: impl FnOnce(&[&Layout; 2], i128) -> Verdict) -> Verdict {
    let layouts = [case.layout(0), case.layout(1)];
    let coordinates = layouts.iter().any(|layout| codomain(layout) == Codomain::Coordinate);
    if coordinates || mixed(layouts) && answer.is_err() {
        return Ok(());
    }
    let most = match &case.arguments[..] {
        [one @ Value::Swizzled(..), two @ Value::Swizzled(..)]
            if one == &two.with_domain(layouts[0].clone()) =>
        {
            i128::MAX
        }
        both => both.iter().map(kept_together).min().unwrap(),
    };
    oracle(&layouts, most)
}

/// The longest blocks, a power of two, whose elements stay contiguous wherever a block begins.
fn kept_together(value: &Value) -> i128 {
    let xor = value.domain().is_some_and(|layout| codomain(layout) == Codomain::Xor);
    let stays = |length: i128| {
        (0..512 / length).all(|block| {
            let at = |i: i128| {
                let place = block * length + i;
                let place = if xor { Offset::xor(place) } else { Offset::int(place) };
                value.outer(&place).and_then(|offset| offset.integer())
            };
            (0..length).all(|i| at(i) == at(0).map(|first| first + i))
        })
    };
    let mut length = 1;
    while length < 256 && stays(2 * length) {
        length *= 2;
    }
    if length == 256 { i128::MAX } else { length }
}

/// Of coordinates: both have the same offsets at the indices, each once.
fn agree(answer: Answer, layouts: &[&Layout; 2]) -> Verdict {
    let same = found(answer).is_some_and(|common| {
        let at = |layout: &Layout| -> Option<Vec<Offset>> {
            let offsets = table(layout);
            table(common)
                .iter()
                .map(|index| offsets.get(usize::try_from(index.integer()?).ok()?).cloned())
                .collect()
        };
        let (a, b) = (at(layouts[0]), at(layouts[1]));
        a == b && a.is_some_and(|offsets| crate::questions::distinct(&offsets))
    });
    if same { Ok(()) } else { Err("indices of the same offsets".into()) }
}

/// Two layouts, now and then swizzled, and now and then one below the same swizzle as the other.
fn two_of_any(source: &mut Source) -> Arguments {
    let (arguments, ..) = two_layouts(source);
    let first = source.plain_or_swizzled(arguments[0].domain().unwrap().clone());
    let second = arguments[1].domain().unwrap().clone();
    let second =
        if source.rng.once_in(3) { first.with_domain(second) } else { source.plain_or_swizzled(second) };
    let second = if is_value(&second) { second } else { first.clone() };
    (vec![first, second], vec![], false)
}

fn as_layouts(case: &Case) -> Option<Vec<Layout>> {
    case.arguments.iter().map(as_layout).collect()
}

fn mixed(layouts: [&Layout; 2]) -> bool {
    !is_layout(&Tree::Node(layouts.map(Layout::clone).to_vec()))
}

fn scaled(source: &mut Source, count: usize) -> Arguments {
    let codomain = match source.rng.range(0, 11) {
        0 => source.codomain(),
        1..=3 => Codomain::Xor,
        _ => Codomain::Integer,
    };
    let layout = source.layout(codomain);
    let widths = match count {
        1 => vec![source.rng.choose(&[1, 2, 2, 3, 4, 4, 6, 8, 16])],
        _ => (0..2).map(|_| source.rng.choose(&[1, 4, 6, 8, 16, 32])).collect(),
    };
    (vec![source.plain_or_swizzled(layout)], widths, source.rng.once_in(4))
}

/// The elements of `new` bits that hold those of `old` bits: each is split in parts, in one mode of stride 1, and then
/// the wide elements are taken that a mode touches. A swizzle keeps the elements together that become one.
fn width(case: &Case, answer: Answer, old: i128, new: i128) -> Verdict {
    let layout = case.layout(0);
    let (parts, whole) = {
        let ratio = Rational::new(old, new);
        (ratio.over, ratio.under)
    };
    let wide: fn(&Layout, i128) -> Option<Layout> = match codomain(layout) {
        Codomain::Integer => widened,
        Codomain::Xor if is_power(parts) && is_power(whole) => widened_bits,
        _ => return must_refuse(answer),
    };
    let expected = narrowed(layout, parts).and_then(|narrow| wide(&narrow, whole));
    let around = recounted(&case.arguments[0], parts, whole);
    let (Some(expected), Some(around)) = (expected, around) else { return must_refuse(answer) };
    let image = case.arguments[0].image();
    let touched: Option<BTreeSet<i128>> = image.map(|image| {
        let firsts = image.iter().map(|offset| offset.integer().unwrap() * parts);
        firsts.flat_map(|first| (first..first + parts).map(|part| part.div_euclid(whole))).collect()
    });
    let case = Case { arguments: vec![around.clone()], ..case.clone() };
    on_domain(&case, answer, &layout_text(&expected), |found| {
        let image = around.with_domain(found.clone()).image();
        let image = image.map(|image| image.iter().filter_map(Offset::integer).collect());
        image == touched && found.profile() == layout.profile() && size(found) == size(&expected)
    })
}

fn is_power(count: i128) -> bool {
    count.count_ones() == 1
}

/// What is around a layout, of other elements.
fn recounted(value: &Value, parts: i128, whole: i128) -> Option<Value> {
    let Value::Swizzled(swizzle, offset, layout) = value else { return Some(value.clone()) };
    let mut swizzle = swizzle.clone();
    if swizzle.bits > 0 {
        let together = (1 << swizzle.base) * parts;
        if !is_power(parts) || together % whole != 0 {
            return None;
        }
        swizzle.base = i128::from((together / whole).trailing_zeros());
    }
    (offset * parts % whole == 0).then(|| Value::Swizzled(swizzle, offset * parts / whole, layout.clone()))
}

/// Of XOR strides: the coordinates of a leaf are those within a wide element, and behind them those of the wide elements.
fn widened_bits(layout: &Layout, whole: i128) -> Option<Layout> {
    let mut even = true;
    let wide = layout.map(&mut |own| {
        let at = |c: i128| carryless(c, own.step.count.over);
        let within = (1..=own.extent).find(|within| {
            let stride = if *within < own.extent { at(*within) / whole } else { 0 };
            (0..own.extent).all(|c| {
                at(c) / whole == carryless(c / within, stride) && at(c) % whole == at(c % within) % whole
            })
        });
        even &= within.is_some();
        let within = within.unwrap_or(1);
        let stride = if within < own.extent { at(within) / whole } else { 0 };
        Leaf { extent: (own.extent - 1) / within + 1, step: Step::xor(stride) }
    });
    even.then_some(wide)
}

/// Each offset as `parts` neighbouring ones: in the first mode that moves by 1, or in one of extent 1.
fn narrowed(layout: &Layout, parts: i128) -> Option<Layout> {
    let one = if codomain(layout) == Codomain::Xor { Step::xor(1) } else { Step::int(1) };
    let leaves = layout.leaves();
    let place = leaves
        .iter()
        .position(|leaf| leaf.step == one && leaf.extent > 1)
        .or_else(|| leaves.iter().position(|leaf| leaf.extent == 1 && leaf.step == one))
        .or_else(|| leaves.iter().position(|leaf| leaf.extent == 1));
    if parts > 1 && place.is_none() {
        return None;
    }
    let mut at = 0;
    Some(layout.map(&mut |leaf| {
        at += 1;
        match place {
            Some(place) if place == at - 1 && parts > 1 => {
                Leaf { extent: leaf.extent * parts, step: one.clone() }
            }
            _ => Leaf {
                extent: leaf.extent,
                step: Step::new(leaf.step.count.times(parts), leaf.step.unit.clone()),
            },
        }
    }))
}

/// The wide elements that each mode touches by itself, where their steps are even, and where together they touch the
/// same.
fn widened(layout: &Layout, whole: i128) -> Option<Layout> {
    let mut even = true;
    let wide = layout.map(&mut |own| {
        let step = own.step.integer().unwrap();
        let mut touched: Vec<i128> = (0..own.extent).map(|c| (c * step).div_euclid(whole)).collect();
        if step != 0 {
            touched.dedup();
        }
        let stride = touched.get(1).copied().unwrap_or(0);
        even &= (0..).zip(&touched).all(|(c, place)| c * stride == *place);
        Leaf { extent: touched.len() as i128, step: Step::int(stride) }
    });
    let places = |layout: &Layout, by: i128| -> BTreeSet<i128> {
        table(layout).iter().map(|offset| offset.integer().unwrap().div_euclid(by)).collect()
    };
    (even && places(&wide, 1) == places(layout, whole)).then_some(wide)
}

/// `c -> A(c) + B(c)`, with the shape of `A` refined where that can be.
fn layout_add(case: &Case, answer: Answer) -> Verdict {
    let (a, b) = (case.layout(0), case.layout(1));
    if size(a) != size(b) {
        return must_refuse(answer);
    }
    if mixed([a, b]) && answer.is_err() {
        return Ok(());
    }
    let sums: Option<Vec<Offset>> = table(a).iter().zip(table(b)).map(|(a, b)| a.plus(&b)).collect();
    let Some(sums) = sums else { return must_refuse(answer) };
    // Offsets of XOR strides may be numbers or bits.
    let mut readings = vec![sums.clone()];
    if [a, b].iter().any(|layout| codomain(layout) == Codomain::Xor) {
        readings
            .extend(sums.iter().map(|sum| sum.integer().map(Offset::int)).collect::<Option<Vec<Offset>>>());
    }
    let refined = readings.iter().find_map(|sums| refinement(&shape(a), sums));
    let expected = refined
        .clone()
        .or_else(|| readings.iter().find_map(|sums| fewest(sums).map(in_place).filter(is_layout)));
    match (found(answer), expected) {
        (None, None) => Ok(()),
        (Some(sum), Some(expected)) => {
            let formed = if refined.is_some() { refines(&shape(a), &shape(sum)) } else { sum.depth() <= 1 };
            if formed && is_layout(sum) && table(sum).iter().zip(&sums).all(|(a, b)| a.same(b)) {
                Ok(())
            } else {
                Err(layout_text(&expected))
            }
        }
        (_, expected) => Err(expected.map_or("a refusal".into(), |layout| layout_text(&layout))),
    }
}

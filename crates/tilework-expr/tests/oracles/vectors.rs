//! Elements of another width, and what two layouts share.

use crate::cases::{Case, Source};
use crate::inverses::{common_indices, found, longest_common};
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
    row("common_layout", two_layouts, |case, answer| {
        if mixed(case) && answer.is_err() {
            return Ok(());
        }
        let layouts = [case.layout(0), case.layout(1)];
        if layouts.iter().any(|layout| codomain(layout) == Codomain::Coordinate) {
            return agree(answer, &layouts);
        }
        common_indices(answer, &layouts)
    }),
    row("common_vector", two_layouts, |case, answer| {
        if mixed(case) && answer.is_err() {
            return Ok(());
        }
        let layouts = [case.layout(0), case.layout(1)];
        if layouts.iter().any(|layout| codomain(layout) == Codomain::Coordinate) {
            let positive = answer.is_ok_and(|value| value.as_int().is_some_and(|size| size >= 1));
            return if positive { Ok(()) } else { Err("a size".into()) };
        }
        match (longest_common(&layouts), answer) {
            (Some(expected), _) => exactly(answer, Some(Value::int(expected))),
            (None, Ok(_)) => Ok(()),
            (None, Err(_)) => Err("a size".into()),
        }
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
                1 => first.map(&mut |leaf| Leaf { step: source.rng.pick(&steps), ..leaf.clone() }),
                2 => leaf(size(first), steps[0].clone()),
                _ => {
                    let step = source.rng.pick(&steps);
                    let split = split_leaves(source, &leaf(size(first), step));
                    split.map(&mut |leaf| Leaf {
                        step: source.rng.pick(&[leaf.step.clone(), steps[0].clone()]),
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

fn mixed(case: &Case) -> bool {
    !is_layout(&Tree::Node(vec![case.layout(0).clone(), case.layout(1).clone()]))
}

fn scaled(source: &mut Source, count: usize) -> Arguments {
    let codomain = if source.rng.chance(12) { source.codomain() } else { Codomain::Integer };
    let layout = source.layout(codomain);
    let widths = match count {
        1 => vec![source.rng.pick(&[1, 2, 2, 3, 4, 4, 6, 8, 16])],
        _ => (0..2).map(|_| source.rng.pick(&[1, 4, 6, 8, 16, 32])).collect(),
    };
    (vec![Value::Layout(layout)], widths, source.rng.chance(4))
}

/// The elements of `new` bits that hold those of `old` bits: each is split in parts, in one mode of stride 1, and then
/// the wide elements are taken that a mode touches.
fn width(case: &Case, answer: Answer, old: i128, new: i128) -> Verdict {
    let layout = case.layout(0);
    if codomain(layout) != Codomain::Integer {
        return must_refuse(answer);
    }
    let (parts, whole) = {
        let ratio = Rational::new(old, new);
        (ratio.over, ratio.under)
    };
    let expected = narrowed(layout, parts).and_then(|narrow| widened(&narrow, whole));
    let Some(expected) = expected else { return must_refuse(answer) };
    let touched: BTreeSet<i128> = table(layout)
        .iter()
        .flat_map(|offset| {
            let first = offset.integer().unwrap() * parts;
            (first..first + parts).map(|part| part.div_euclid(whole))
        })
        .collect();
    on_domain(case, answer, &layout_text(&expected), |found| {
        let image: BTreeSet<i128> = table(found).iter().filter_map(Offset::integer).collect();
        image == touched && found.profile() == layout.profile() && size(found) == size(&expected)
    })
}

/// Each offset as `parts` neighbouring ones: in the first mode that moves by 1, or in one of extent 1.
fn narrowed(layout: &Layout, parts: i128) -> Option<Layout> {
    let one = Step::int(1);
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
    if mixed(case) && answer.is_err() {
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

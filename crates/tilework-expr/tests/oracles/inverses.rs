//! Right and left inverses, inverses and nullspaces.

use crate::cases::Source;
use crate::model::*;
use crate::oracle::*;
use crate::questions::distinct;
use crate::search::*;
use crate::text::*;
use std::collections::{BTreeMap, BTreeSet};

pub const ROWS: &[Row] = &[
    row("right_inverse", any_layout, |case, answer| match as_layout(&case.arguments[0]) {
        Some(layout) => common_indices(answer, &[&layout]),
        None => must_refuse(answer),
    }),
    row("left_inverse", layouts_of_all_sizes, |case, answer| match as_layout(&case.arguments[0]) {
        Some(layout) => left_inverse(&layout, answer),
        // Behind an offset the property of the answer; what is refused is said to be no layout's.
        None => match (found(answer), case.arguments[0].image()) {
            (Some(left), Some(image)) if is_layout(left) => {
                let holds = |offset: &Offset| {
                    let back = at_offset(left, offset);
                    let index = back.and_then(|index| usize::try_from(index.integer()?).ok());
                    index.and_then(|index| image.get(index)) == Some(offset)
                };
                if image.iter().all(holds) { Ok(()) } else { Err("equation 26".into()) }
            }
            (Some(_), _) => Err("equation 26".into()),
            (None, _) => must_refuse(answer),
        },
    }),
    row("inverse", any_layout, |case, answer| match as_layout(&case.arguments[0]) {
        Some(layout) => inverse(&layout, answer),
        None => must_refuse(answer),
    }),
    row("nullspace", any_layout, |case, answer| match &case.arguments[0] {
        Value::Swizzled(_, offset, _) if *offset != 0 => must_refuse(answer),
        // A swizzle leaves 0 where it is.
        value => nullspace(value.domain().unwrap(), answer),
    }),
];

/// Also layouts of thousands of elements with strides as large.
fn layouts_of_all_sizes(source: &mut Source) -> Arguments {
    if source.list.is_some() || !source.rng.once_in(8) {
        return any_layout(source);
    }
    let codomain = source.codomain();
    let mut leaves = source.leaves(codomain, 10_000);
    for index in 0..leaves.len() {
        let size: i128 = leaves.iter().map(|leaf| leaf.extent).product();
        leaves[index].extent *= source.rng.range(1, (10_000 / size).min(9));
        let times = source.rng.choose(&[1, 1, 3, 7, 10]);
        if leaves[index].step.unit != Unit::Xor {
            leaves[index].step = Offset::steps(&leaves[index].step, times).unwrap().as_step().unwrap();
        }
    }
    (vec![Value::Layout(source.nest(leaves))], vec![], false)
}

/// The layout that an answer is.
pub fn found<'a>(answer: Answer<'a>) -> Option<&'a Layout> {
    match answer {
        Ok(Value::Layout(layout)) => Some(layout),
        _ => None,
    }
}

/// The largest layout of the indices at which every one of the layouts has the offsets 0, 1, 2, ..., of coordinates
/// those of a box.
pub fn common_indices(answer: Answer, layouts: &[&Layout]) -> Verdict {
    let answer = found(answer);
    let least = longest_common(layouts);
    let expected = || format!("a layout of size {}", least.unwrap_or(1));
    if let Some(answer) = answer
        && is_common(answer, layouts)
        && least.is_none_or(|least| size(answer) >= least)
    {
        return Ok(());
    }
    Err(expected())
}

/// Whether all layouts take `R(c)` to `c`.
pub fn is_common(right: &Layout, layouts: &[&Layout]) -> bool {
    let all = layouts.iter().flat_map(|layout| paths(layout)).collect::<Vec<Path>>();
    let mut profile = coordinate_profile(&all, &vec![]);
    if size(right) == 1 && matches!(right, Tree::Leaf(_)) {
        // Only the origin, as a number.
        profile = Tree::Leaf(vec![]);
    }
    if !profile.coarsens(right) {
        return false;
    }
    let mut extents = Vec::new();
    profile
        .visit(&mut vec![], &mut |path, unit| extents.push((size(right.get(path).unwrap()), unit.clone())));
    let tables: Vec<Vec<Offset>> = layouts.iter().map(|layout| table(layout)).collect();
    table(right).iter().enumerate().all(|(number, index)| {
        let mut rest = number as i128;
        let mut place = Offset::ZERO;
        for (extent, path) in &extents {
            let step = Step::new(Rational::int(1), Unit::Basis(path.clone()));
            place = place.plus(&Offset::steps(&step, rest % extent).unwrap()).unwrap();
            rest /= extent;
        }
        let index = index.integer().and_then(|index| usize::try_from(index).ok());
        index.is_some_and(|index| {
            tables.iter().all(|table| table.get(index).is_some_and(|offset| offset.same(&place)))
        })
    })
}

/// The size of the largest common right inverse; of coordinates with several components of one whose components keep to
/// their own modes. Nothing where the search gives up.
pub fn longest_common(layouts: &[&Layout]) -> Option<i128> {
    let all = layouts.iter().flat_map(|layout| paths(layout)).collect::<Vec<Path>>();
    let profile = coordinate_profile(&all, &vec![]);
    let single = all.iter().all(|path| *path == all[0]);
    let tables: Vec<Vec<Offset>> = layouts.iter().map(|layout| table(layout)).collect();
    let indices = tables.iter().map(Vec::len).min().unwrap();
    let xor = layouts.iter().any(|layout| codomain(layout) == Codomain::Xor);
    profile
        .leaves()
        .into_iter()
        .map(|path| {
            let own = |index: usize| {
                single
                    || layouts.iter().all(|layout| {
                        let leaves = layout.leaves();
                        let extents: Vec<i128> = leaves.iter().map(|leaf| leaf.extent).collect();
                        let unit = Unit::Basis(path.clone());
                        digits(index as i128, &extents)
                            .iter()
                            .zip(&leaves)
                            .all(|(c, leaf)| *c == 0 || leaf.step.unit == unit)
                    })
            };
            let mut places: Vec<Vec<i128>> = Vec::new();
            let mut by_offset: BTreeMap<i128, Vec<i128>> = BTreeMap::new();
            for index in (0..indices).filter(|index| own(*index)) {
                let first = &tables[0][index];
                let number = match first {
                    Offset::Coordinate(components) => match &components[..] {
                        [(at, value)] if at == path => value.integer(),
                        _ => None,
                    },
                    number => number.integer(),
                };
                if let Some(number) = number
                    && tables.iter().all(|table| table[index].same(first))
                {
                    by_offset.entry(number).or_default().push(index as i128);
                }
            }
            for offset in 0.. {
                match by_offset.remove(&offset) {
                    Some(indices) => places.push(indices),
                    None => break,
                }
            }
            let integer = longest_walk(&places, Scale::Integer)?;
            let carryless = if xor { longest_walk(&places, Scale::Xor)? } else { 0 };
            Some(integer.max(carryless))
        })
        .product()
}

/// Equation 26: `L(G(L(k))) = L(k)`, with `G` of an offset an index.
fn left_inverse(layout: &Layout, answer: Answer) -> Verdict {
    let offsets = table(layout);
    if let Some(left) = found(answer) {
        let holds = |offset: &Offset| {
            let index = at_offset(left, offset).and_then(|index| usize::try_from(index.integer()?).ok());
            index.and_then(|index| offsets.get(index)) == Some(offset)
        };
        return if is_layout(left) && offsets.iter().all(holds) { Ok(()) } else { Err("equation 26".into()) };
    }
    let units: Vec<Path> =
        coordinate_profile(&paths(layout), &vec![]).leaves().into_iter().cloned().collect();
    let mut wanted: Vec<(Vec<i128>, Vec<i128>)> = Vec::new();
    for (index, offset) in offsets.iter().enumerate() {
        let component = |path: &Path| match offset {
            Offset::Coordinate(components) => {
                components.iter().find(|(at, _)| at == path).map_or(Some(0), |(_, value)| value.integer())
            }
            number => number.integer(),
        };
        // No layout takes a fraction.
        let Some(place) = units.iter().map(component).collect::<Option<Vec<i128>>>() else { return Ok(()) };
        match wanted.iter_mut().find(|(other, _)| *other == place) {
            Some((_, indices)) => indices.push(index as i128),
            None => wanted.push((place, vec![index as i128])),
        }
    }
    let integer = has_left_inverse(&wanted, Scale::Integer);
    let xor = codomain(layout) == Codomain::Xor;
    let carryless = if xor { has_left_inverse(&wanted, Scale::Xor) } else { Some(false) };
    if integer == Some(true) || carryless == Some(true) {
        Err("a left inverse exists".into())
    } else {
        Ok(())
    }
}

fn inverse(layout: &Layout, answer: Answer) -> Verdict {
    let offsets = table(layout);
    if let Some(inverse) = found(answer) {
        let both = size(inverse) == size(layout)
            && is_common(inverse, &[layout])
            && offsets.iter().enumerate().all(|(index, offset)| {
                at_offset(inverse, offset).is_some_and(|back| back.same(&Offset::int(index as i128)))
            });
        return if both { Ok(()) } else { Err("an inverse on both sides".into()) };
    }
    let numbers: Option<BTreeSet<i128>> = offsets.iter().map(Offset::integer).collect();
    if numbers != Some((0..offsets.len() as i128).collect()) {
        return Ok(());
    }
    let mut back = vec![Offset::ZERO; offsets.len()];
    for (index, offset) in offsets.iter().enumerate() {
        back[offset.integer().unwrap() as usize] = Offset::int(index as i128);
    }
    let bits: Vec<Offset> = back
        .iter()
        .map(|offset| Offset::of_tree(&Tree::Leaf(Rational::int(offset.integer().unwrap())), true))
        .collect();
    match fewest(&back).or_else(|| fewest(&bits).filter(|_| codomain(layout) == Codomain::Xor)) {
        Some(modes) => Err(layout_text(&in_place(modes))),
        None => Ok(()),
    }
}

/// A layout of the indices of offset 0, each once.
fn nullspace(layout: &Layout, answer: Answer) -> Verdict {
    let zeros: Vec<i128> = (0..)
        .zip(table(layout))
        .filter(|(_, offset)| *offset == Offset::ZERO)
        .map(|(index, _)| index)
        .collect();
    if let Some(kernel) = found(answer) {
        let image = table(kernel);
        let mut indices: Vec<i128> = image.iter().filter_map(Offset::integer).collect();
        indices.sort_unstable();
        let right = is_layout(kernel) && distinct(&image) && indices == zeros;
        return if right { Ok(()) } else { Err(format!("the indices {zeros:?}")) };
    }
    let carryless = || codomain(layout) == Codomain::Xor && is_image(&zeros, Scale::Xor) == Some(true);
    if is_image(&zeros, Scale::Integer) == Some(true) || carryless() {
        return Err(format!("a layout of the indices {zeros:?}"));
    }
    Ok(())
}

//! Composition and complements.

use crate::cases::Source;
use crate::model::*;
use crate::oracle::*;
use crate::search::*;
use crate::text::*;

pub const ROWS: &[Row] = &[
    row("composition", composed_arguments, |case, answer| {
        let (layout, tiler) = (case.layout(0), as_tiler(&case.arguments[1]));
        match composition_by_tiler(layout, &tiler) {
            Some(expected) => {
                let coarse = composed_shape(layout, &tiler);
                on_domain(case, answer, &layout_text(&expected), |found| {
                    refines(&coarse, &shape(found)) && same_table(found, &expected)
                })
            }
            None => must_refuse(answer),
        }
    }),
    row("complement", complement_arguments, |case, answer| {
        let layout = case.layout(0);
        let within = case.arguments.get(1).and_then(Value::as_ints);
        if let (Some(shape @ Tree::Node(_)), true) =
            (&within, still(layout).leaves().iter().all(|leaf| leaf.step.is_zero()))
        {
            // Nothing says of which codomain the coordinates to cover are.
            return on_domain(case, answer, "all coordinates", |found| {
                size(found) == product(shape) && crate::questions::distinct(&table(found))
            });
        }
        let all = complements_in_codomain(layout, within.as_ref());
        all.iter().for_each(|expected| check_complement(layout, expected));
        one_of(answer, all, |answer, expected| match (&within, expected) {
            (Some(_), expected) => exactly(answer, expected.map(Value::Layout)),
            (None, None) => must_refuse(answer),
            // The trailing mode of extent 1 says where the complement would go on.
            (None, Some(expected)) => {
                on_domain(case, answer, &layout_text(&expected), |found| *found == expected)
            }
        })
    }),
];

/// A layout, and now and then the shape that its complement is to cover.
pub fn complement_arguments(source: &mut Source) -> Arguments {
    let codomain = source.rng.choose(&[
        Codomain::Integer,
        Codomain::Integer,
        Codomain::Integer,
        Codomain::Coordinate,
        Codomain::Coordinate,
        Codomain::Rational,
        Codomain::Xor,
    ]);
    let layout = separate(source, codomain);
    let within = source.rng.once_in(2).then(|| {
        let profile = coordinate_profile(&paths(&still(&layout)), &vec![]);
        let bounds = profile.map(&mut |_| source.rng.range(1, 200));
        let moves = !paths(&still(&layout)).is_empty();
        if moves && source.rng.once_in(12) { source.shape(50) } else { bounds }
    });
    let arguments = std::iter::once(Value::Layout(layout)).chain(within.map(|shape| Value::ints(&shape)));
    (arguments.collect(), vec![], false)
}

/// `A o T`, each tile composed with one mode; what the modes give is added as the layout adds its offsets.
pub fn composition_by_tiler(layout: &Layout, tiler: &Tiler) -> Option<Layout> {
    let xor = codomain(layout) == Codomain::Xor
        || tiles_of(tiler).iter().any(|tile| codomain(tile) == Codomain::Xor);
    refinement_in_some_codomain(&composed_shape(layout, tiler), &values_by_tiler(layout, tiler)?, xor)
}

fn values_by_tiler(layout: &Layout, tiler: &Tiler) -> Option<Vec<Offset>> {
    match tiler {
        Tiler::Layout(tile) => composed_values(layout, tile),
        Tiler::Hole => Some(table(layout)),
        Tiler::ByMode(tiles) => {
            let mut sums = vec![Offset::ZERO];
            for (mode, tile) in layout.modes().get(..tiles.len())?.iter().zip(tiles) {
                let values = values_by_tiler(mode, tile)?;
                sums = values
                    .iter()
                    .flat_map(|value| sums.iter().map(|sum| sum.plus(value)))
                    .collect::<Option<_>>()?;
            }
            Some(sums)
        }
    }
}

pub fn tiles_of(tiler: &Tiler) -> Vec<Layout> {
    match tiler {
        Tiler::Layout(tile) => vec![tile.clone()],
        Tiler::Hole => vec![],
        Tiler::ByMode(tiles) => tiles.iter().flat_map(tiles_of).collect(),
    }
}

/// The shape that the composition refines.
fn composed_shape(layout: &Layout, tiler: &Tiler) -> Shape {
    match tiler {
        Tiler::Layout(tile) => shape(tile),
        Tiler::Hole => shape(layout),
        Tiler::ByMode(tiles) => Tree::Node(
            layout.modes().iter().zip(tiles).map(|(mode, tile)| composed_shape(mode, tile)).collect(),
        ),
    }
}

pub fn composed_arguments(source: &mut Source) -> Arguments {
    let left = source.function();
    let layout = left.domain().unwrap().clone();
    let right = match source.rng.range(0, 9) {
        0..4 => Value::Layout(source.tile(size(&layout))),
        4 => Value::Layout(source.layout(Codomain::Coordinate)),
        5 => Value::Layout(source.layout(Codomain::Xor)),
        6 => Value::Layout(source.any()),
        7 if layout.modes().len() > 1 => {
            let extents = layout.modes().iter().map(|mode| Tree::Leaf(source.rng.range(1, size(mode))));
            Value::ints(&Tree::Node(extents.collect()))
        }
        _ => match source.tiler(&layout, 0) {
            Tiler::Layout(tile) => Value::Layout(tile),
            tiler => Value::Tiler(tiler),
        },
    };
    (vec![left, right], vec![], false)
}

/// Layouts whose modes do not interleave are rare among random ones.
fn separate(source: &mut Source, codomain: Codomain) -> Layout {
    let layout = source.layout(codomain);
    if codomain != Codomain::Integer && codomain != Codomain::Coordinate
        || source.list.is_some()
        || source.rng.once_in(3)
    {
        return layout;
    }
    // A sum is separate along its first component.
    let mut reach: Vec<(Path, i128)> = Vec::new();
    let leaves = layout.leaves().into_iter().map(|leaf| {
        let mut components = leaf.step.components();
        let Some((path, value)) = components.first_mut() else { return leaf.clone() };
        let at = reach.iter().position(|(other, _)| other == path).unwrap_or_else(|| {
            reach.push((path.clone(), 1));
            reach.len() - 1
        });
        let stride = reach[at].1 * source.rng.range(1, 3) + i128::from(source.rng.once_in(5));
        reach[at].1 = stride * leaf.extent;
        *value = Rational::int(stride);
        let integers = components.into_iter().map(|(path, value)| (path, value.over));
        Leaf { extent: leaf.extent, step: Step::sum(integers) }
    });
    let leaves = leaves.collect();
    source.nest(leaves)
}

/// The complements, for offsets of which there are integer sums: one for each order of the components.
pub fn complements_in_codomain(layout: &Layout, within: Option<&Shape>) -> Vec<Layout> {
    let leaves = layout.leaves();
    if leaves.iter().any(|leaf| leaf.step.unit == Unit::Xor || leaf.step.count.under > 1) {
        return vec![];
    }
    let paths = paths(layout);
    let mut profile = coordinate_profile(&paths, &vec![]);
    let within = match (&profile, within) {
        (_, None) => None,
        // What is to be covered may be given as a shape.
        (Tree::Leaf(_), Some(shape)) => Some(Tree::Leaf(product(shape))),
        // The shape of the coordinates, in which each component is a leaf.
        (_, Some(shape)) => {
            let mut leaves = Vec::new();
            shape.visit(&mut vec![], &mut |path, _| leaves.push(path.clone()));
            if !paths.iter().all(|path| leaves.contains(path)) {
                return vec![];
            }
            let mut leaves = leaves.into_iter();
            profile = shape.map(&mut |_| leaves.next().unwrap());
            Some(shape.clone())
        }
    };
    complements_of(layout, &profile, within.as_ref())
}

/// The complements of the layouts that move along one component in each mode and that this one is like.
pub fn complements_of(layout: &Layout, profile: &Tree<Path>, within: Option<&Shape>) -> Vec<Layout> {
    let paths = profile.leaves().into_iter().cloned().collect::<Vec<_>>();
    let bounds = within.map(|shape| shape.leaves().into_iter().copied().collect::<Vec<_>>());
    let mut found = Vec::new();
    for (separate, bounds) in separated(layout, &paths, bounds) {
        let mut bounds = bounds.into_iter().flatten();
        let longer = within.map(|shape| shape.map(&mut |_| bounds.next().unwrap()));
        found.extend(complement_of(&separate, profile, longer.as_ref()));
    }
    found.dedup();
    found
}

/// For each order of the components, the layout where each takes the modes that move along it and that none has taken. It
/// determines their coordinates; so where they go back along another component, what is to be covered there is longer.
fn separated(layout: &Layout, paths: &[Path], bounds: Option<Vec<i128>>) -> Vec<(Layout, Option<Vec<i128>>)> {
    let is_sum = |leaf: &&Leaf| leaf.extent > 1 && leaf.step.components().len() > 1;
    if !layout.leaves().iter().any(is_sum) {
        return vec![(layout.clone(), bounds)];
    }
    let mut found = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let mut longer = bounds.clone();
        let mut moves = false;
        let next = layout.map(&mut |leaf| {
            let own = leaf.step.component(path);
            let components = leaf.step.components();
            if own == Rational::ZERO || !is_sum(&leaf) {
                return leaf.clone();
            }
            moves = true;
            for (other, value) in components {
                if let (Some(longer), true) = (&mut longer, value.over < 0 && other != *path)
                    && bounds.as_ref().is_some_and(|bounds| own.over < bounds[at])
                {
                    let component = paths.iter().position(|path| *path == other).unwrap();
                    longer[component] -= (leaf.extent - 1) * value.over;
                }
            }
            Leaf { extent: leaf.extent, step: Step::new(own, Unit::Basis(path.clone())) }
        });
        if moves {
            found.extend(separated(&next, paths, longer));
        }
    }
    found
}

/// The complement of the modes, without those that do not move, where they are segregated: in every component the gaps
/// are filled as far as they can be filled whole (EXACT, Theorem 4 and what follows it).
fn complement_of(layout: &Layout, profile: &Tree<Path>, within: Option<&Shape>) -> Option<Layout> {
    match (profile, within) {
        (Tree::Node(modes), _) => {
            let parts = modes
                .iter()
                .enumerate()
                .map(|(index, mode)| complement_of(layout, mode, within.map(|shape| &shape.modes()[index])));
            Some(Tree::Node(parts.collect::<Option<_>>()?))
        }
        (Tree::Leaf(path), within) => {
            let unit = Unit::Basis(path.clone());
            let leaves = layout.leaves().into_iter();
            let own = leaves.filter(|leaf| leaf.extent > 1 && !leaf.step.is_zero() && leaf.step.unit == unit);
            let mut modes: Vec<(i128, i128)> = own.map(|leaf| (leaf.step.count.over, leaf.extent)).collect();
            modes.sort_unstable();
            let mode = |extent: i128, stride: i128| Leaf {
                extent,
                step: Step::new(Rational::int(stride), unit.clone()),
            };
            let mut reach = 1;
            let mut filled = Vec::new();
            for (stride, extent) in modes {
                if stride < reach {
                    return None;
                }
                filled.push(mode(stride / reach, reach));
                reach = stride * extent;
            }
            let copies = match within {
                Some(Tree::Leaf(bound)) => (1..).find(|copies| copies * reach >= *bound)?,
                _ => 1,
            };
            filled.push(mode(copies, reach));
            // The trailing mode says where the complement goes on, if it does.
            let last = filled.len() - 1;
            let mut at = 0;
            filled.retain(|leaf| {
                at += 1;
                leaf.extent > 1 || within.is_none() && at - 1 == last
            });
            Some(in_place(filled))
        }
    }
}

/// All sums of an offset and one of the complement are different.
fn check_complement(layout: &Layout, complement: &Layout) {
    if size(layout) * size(complement) > 2000 {
        return;
    }
    let own: std::collections::HashSet<Offset> = table(layout).into_iter().collect();
    let mut sums: Vec<Offset> = Vec::new();
    for other in table(complement) {
        sums.extend(own.iter().map(|offset| offset.plus(&other).unwrap()));
    }
    assert!(crate::questions::distinct(&sums), "{} {}", layout_text(layout), layout_text(complement));
}

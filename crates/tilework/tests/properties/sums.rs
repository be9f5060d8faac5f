//! Strides with several components: every operation against vectors of integers.

use crate::oracle::{self, AXES, Axes, Flat, Nest, Step};
use crate::random::{self, Case, Random, check_layout, check_pair};
use std::collections::BTreeSet;
use tilework::{Error, HTuple, Layout, Offset, Offsets, Reason, View};

/// The profiles of the coordinates: a pair, a triple, and a pair in a pair.
const PROFILES: [&[&[usize]]; 3] = [&[&[0], &[1]], &[&[0], &[1], &[2]], &[&[0], &[1, 0], &[1, 1]]];

fn axes(rng: &mut Random) -> Vec<Vec<usize>> {
    rng.pick(&PROFILES).iter().map(|path| path.to_vec()).collect()
}

/// A layout with sums; of every three one has no negative component.
fn layout(rng: &mut Random) -> Nest {
    let axes = axes(rng);
    let low = if rng.once_in(3) { 0 } else { -3 };
    random::layout_of_sums(rng, &axes, 4, 120, low)
}

/// The components of an offset along the axes; a component that the offset has no place for is 0.
fn vector(offset: &Offset, axes: &Axes) -> [i128; AXES] {
    let mut vector = [0; AXES];
    for (component, path) in vector.iter_mut().zip(&axes.0) {
        if let Ok(part) = offset.get(path)
            && part.is_leaf()
        {
            *component = part.leaves()[0].numerator() as i128;
        }
    }
    vector
}

fn tables(nest: &Nest) -> (Axes, Vec<[i128; AXES]>) {
    let axes = Axes::of(&[nest]);
    let values = oracle::values(&axes.flat(nest));
    (axes, values)
}

#[test]
fn offsets_text_and_the_matrix() {
    check_layout("offsets of sums", 20_000, layout, |nest, layout| {
        let (axes, values) = tables(nest);
        if layout.to_string() != nest.text() || layout.to_string().parse() != Ok(layout) {
            return Err(format!("{layout}, expected {}", nest.text()));
        }
        for (index, value) in values.iter().enumerate() {
            let offset = layout.evaluate(index as i64).map_err(|error| error.to_string())?;
            if vector(&offset, &axes) != *value {
                return Err(format!("offset {index} is {offset}"));
            }
        }
        let form = layout.linear_form().map_err(|error| error.to_string())?;
        let entries = (0..form.rows()).flat_map(|row| (0..form.columns()).map(move |column| (row, column)));
        let sum: i64 = entries.map(|(row, column)| form.get(row, column).unwrap().numerator()).sum();
        let expected: i128 = nest.leaves().iter().flat_map(|(_, step)| step.terms()).map(|term| term.0).sum();
        if sum as i128 != expected { Err(format!("{form}")) } else { Ok(()) }
    });
}

#[test]
fn coalesce_is_canonical() {
    check_layout("coalesce of sums", 20_000, layout, |nest, layout| {
        let (axes, values) = tables(nest);
        let expected = oracle::reconstruct(&values).ok_or("no canonical form")?;
        let found = axes.flat(&Nest::of(&layout.coalesce()));
        let same = found == expected || values.len() == 1;
        if same && layout.equivalent(&layout.coalesce()) {
            Ok(())
        } else {
            Err(layout.coalesce().to_string())
        }
    });
}

/// The canonical leaves of the layout with these values that refines the extents, if there is one.
fn refinement(extents: &[i128], value: impl Fn(&[i128]) -> [i128; AXES]) -> Option<Vec<Flat<[i128; AXES]>>> {
    let mut coord = vec![0; extents.len()];
    let mut parts = Vec::new();
    for i in 0..extents.len() {
        let mut table = Vec::new();
        for c in 0..extents[i] {
            coord[i] = c;
            table.push(value(&coord));
        }
        coord[i] = 0;
        parts.push(oracle::reconstruct(&table)?);
    }
    let size: i128 = extents.iter().product();
    for index in 0..size {
        let (mut rest, mut sum) = (index, [0; AXES]);
        for (i, extent) in extents.iter().enumerate() {
            coord[i] = rest % extent;
            rest /= extent;
            let own = oracle::at(&parts[i], coord[i]);
            sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        if sum != value(&coord) {
            return None;
        }
    }
    Some(parts)
}

/// `B` moves in several modes of `A` at once: a layout exactly where one exists, unless two components go below 0.
#[test]
fn composition_after_sums() {
    let (mut right, mut refused, mut undecided) = (0, 0, 0);
    let generate = |rng: &mut Random| {
        let a = loop {
            let a = if rng.once_in(2) { random::layout(rng, 5, 200) } else { layout(rng) };
            if a.rank() > 1 {
                break a;
            }
        };
        let mut paths = random::addresses(rng, &a);
        paths.truncate(AXES);
        let low = if rng.once_in(2) { 0 } else { -2 };
        let b = random::layout_of_sums(rng, &paths, 3, 60, low);
        Case::layouts([a, b])
    };
    check_pair("composition after sums", 20_000, generate, |[a, b], [left, other]| {
        let leaves = b.leaves();
        let extents: Vec<i128> = leaves.iter().map(|leaf| leaf.0).collect();
        let of_a = Axes::of(&[a]);
        let integers = of_a.0.is_empty();
        let column = |step: &Step| {
            let mut column = of_a.column(&if integers { Step::integer(0) } else { step.clone() });
            if integers {
                column[0] = step.count.0;
            }
            column
        };
        let value = |coord: &[i128]| {
            let mut sum = [0; AXES];
            for path in Axes::of(&[b]).0 {
                let index = leaves.iter().zip(coord).map(|((_, step), c)| {
                    step.terms()
                        .iter()
                        .filter(|(_, own)| *own == path)
                        .map(|(count, _)| c * count)
                        .sum::<i128>()
                });
                let part: Flat<_> =
                    a.get(&path).leaves().iter().map(|(s, step)| (*s, column(step))).collect();
                let own = oracle::at(&part, index.sum());
                sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
            sum
        };
        let goes_below = |path: &Vec<usize>| {
            let steps = leaves.iter().filter(|(s, _)| *s > 1).flat_map(|(_, step)| step.terms());
            steps.into_iter().any(|(count, own)| own == *path && count < 0)
        };
        let below = Axes::of(&[b]).0.iter().filter(|path| goes_below(path)).count();
        match (left.composition(&other), refinement(&extents, value)) {
            (Ok(found), Some(_)) => {
                right += 1;
                if !b.compatible(&Nest::of(&found)) {
                    return Err(format!("{found} does not refine"));
                }
                for index in 0..other.size() {
                    let (mut rest, mut coord) = (index as i128, Vec::new());
                    for extent in &extents {
                        coord.push(rest % extent);
                        rest /= extent;
                    }
                    let offset = found.evaluate(index).map_err(|error| error.to_string())?;
                    let own = if integers {
                        let mut own = [0; AXES];
                        own[0] = offset.leaves()[0].numerator() as i128;
                        own
                    } else {
                        vector(&offset, &of_a)
                    };
                    if own != value(&coord) {
                        return Err(format!("SILENTLY WRONG: {found} at {index}"));
                    }
                }
                Ok(())
            }
            (Ok(found), None) => Err(format!("SILENTLY WRONG: {found} where there is none")),
            (Err(Error::Undecided { .. }), _) if below > 1 => {
                undecided += 1;
                Ok(())
            }
            (Err(error), Some(parts)) => Err(format!("REFUSED: {error}; it is {parts:?}")),
            (Err(Error::ShapeDivisibility { .. } | Error::Carry { .. }), None) => {
                refused += 1;
                Ok(())
            }
            (Err(error), None) => Err(format!("an error of another kind: {error}")),
        }
    });
    assert!(right > 100 && refused > 10, "{right} right, {refused} refused, {undecided} undecided");
}

/// Behind the last mode there are offsets that do not fit 64 bits, and a step through both modes does not reach them.
#[test]
fn offsets_beyond_the_modes_need_not_fit() {
    let far: Layout = "(2,2):(1,4611686018427387904)".parse().unwrap();
    let diagonal: Layout = "2:(1@0+1@1)".parse().unwrap();
    assert_eq!(far.composition(&diagonal), "2:4611686018427387905".parse());
    let long: Layout = "5:(1@0+1@1)".parse().unwrap();
    assert!(matches!(far.composition(&long), Err(Error::Overflow { .. } | Error::Undecided { .. })));
}

/// Within a tuple a sum needs no parentheses.
#[test]
fn sums_in_tuples_without_parentheses() {
    for (text, expected) in [
        ("(2,2):(2@0+1@1,1@0)", "(2,2):((2@0+1@1),1@0)"),
        ("(2,(2,4)):(e0-e1,(e0 + 3@1, 0))", "(2,(2,4)):((1@0-1@1),((1@0+3@1),0))"),
        ("(4):(1@0+1@1,)", "(4):((1@0+1@1))"),
        ("(4,2):(0@0+1@1,1@0-0@1)", "(4,2):(1@1,1@0)"),
    ] {
        assert_eq!(text.parse::<Layout>().unwrap().to_string(), expected, "{text}");
    }
    for text in ["4:2@0+1@1", "(2,2):(2@0+1,1@0)", "(2,2):(2+1@0,1@0)"] {
        assert!(matches!(text.parse::<Layout>(), Err(Error::Syntax { .. })), "{text}");
    }
}

#[test]
fn injectivity_and_the_nullspace() {
    check_layout("injective sums", 20_000, layout, |nest, layout| {
        let (_, values) = tables(nest);
        let mut sorted = values.clone();
        sorted.sort();
        sorted.dedup();
        match layout.is_injective() {
            Ok(found) if found == (sorted.len() == values.len()) => {}
            other => return Err(format!("is_injective: {other:?}")),
        }
        let zeros: Vec<i64> =
            (0..).zip(&values).filter(|(_, value)| **value == [0; AXES]).map(|zero| zero.0).collect();
        match layout.nullspace() {
            Ok(found) => {
                let own: Vec<i64> = (0..found.size()).map(|k| found.at(k)).collect();
                if own == zeros { Ok(()) } else { Err(format!("the nullspace is {zeros:?}, found {found}")) }
            }
            Err(Error::NoInverse { .. }) => {
                let table: Vec<i128> = zeros.iter().map(|&zero| zero as i128).collect();
                if oracle::reconstruct(&table).is_none() {
                    Ok(())
                } else {
                    Err(format!("{zeros:?} is a layout"))
                }
            }
            Err(error) => Err(error.to_string()),
        }
    });
}

/// What a layout gives at an offset as a coordinate.
fn at_offset(layout: &Layout, coord: &Offset) -> Result<Offset, String> {
    let mut whole = HTuple::leaf(0);
    if !coord.is_leaf() {
        let numbers: Vec<i64> = coord.leaves().iter().map(|component| component.numerator()).collect();
        whole = HTuple::with_profile(coord.profile(), &numbers, 0).map_err(|error| error.to_string())?;
    }
    layout.evaluate(&whole).map_err(|error| error.to_string())
}

#[test]
fn inverses_hold_or_are_refused_with_the_leaf() {
    let (mut left, mut right, mut refused) = (0, 0, 0);
    let generate = |rng: &mut Random| if rng.once_in(2) { triangular(rng) } else { layout(rng) };
    check_layout("inverses of sums", 5_000, generate, |nest, layout| {
        let leaves = nest.leaves();
        if !moves_along_several(nest) {
            return Ok(());
        }
        let is_sum = |leaf: usize| leaves[leaf].1.terms().len() > 1;
        match layout.left_inverse() {
            Ok(inverse) => {
                left += 1;
                for index in 0..layout.size() {
                    let offset = layout.evaluate(index).map_err(|error| error.to_string())?;
                    let back = at_offset(&inverse, &offset)?.leaves()[0].numerator();
                    if layout.evaluate(back) != Ok(offset) {
                        return Err(format!("{inverse} maps {offset} to {back}"));
                    }
                }
            }
            Err(Error::SeveralComponents { leaf, .. }) if is_sum(leaf) => refused += 1,
            // That there is none is compared with enumeration below.
            Err(Error::NoInverse { .. }) => refused += 1,
            Err(error) => return Err(error.to_string()),
        }
        match layout.right_inverse() {
            Ok(inverse) => {
                right += 1;
                // Along each axis there is no larger one.
                let (axes, values) = tables(nest);
                for (axis, path) in axes.0.iter().enumerate() {
                    let on_axis = |value: &[i128; AXES]| {
                        let elsewhere = (0..AXES).any(|other| other != axis && value[other] != 0);
                        if elsewhere { -1 } else { value[axis] }
                    };
                    let along: Vec<i128> = values.iter().map(on_axis).collect();
                    let own = inverse.get(path).map(|part| part.size()).unwrap_or(1);
                    let largest = oracle::largest_right_inverse(&along, 5_000);
                    if largest.is_some_and(|largest| largest != own as i128) {
                        return Err(format!("{inverse} has {own} along {path:?}, not {largest:?}"));
                    }
                }
                // An offset has one number for a mode of the inverse that may be a tuple.
                let identity = Layout::identity(inverse.shape()).map_err(|error| error.to_string())?;
                for k in 0..inverse.size() {
                    let index = inverse.evaluate(k).unwrap().leaves()[0].numerator();
                    let offset = layout.evaluate(index).map_err(|error| error.to_string())?;
                    let coord = identity.evaluate(k).unwrap();
                    if at_offset(&identity, &offset)? != coord {
                        return Err(format!("{inverse} maps {coord} to {index}, which is {offset}"));
                    }
                }
            }
            Err(Error::Undecided { .. })
                if leaves.iter().any(|(_, step)| step.terms().iter().any(|term| term.0 < 0)) =>
            {
                refused += 1;
            }
            Err(error) => return Err(error.to_string()),
        }
        Ok(())
    });
    assert!(left > 10 && right > 10 && refused > 3, "{left}, {right}, {refused}");
}

/// Of coordinates of any kind: both ways, or what is refused is so.
#[test]
fn an_inverse_is_of_all_coordinates_of_a_shape() {
    let (mut bijections, mut pairs, mut missing, mut below) = (0, 0, 0, 0);
    let generate = |rng: &mut Random| match rng.below(3) {
        0 => triangular(rng),
        1 => layout(rng),
        _ => {
            let axes = axes(rng);
            let (mut leaves, mut least) = (Vec::new(), rng.range(0, 7) as i128);
            for axis in &axes {
                let mut end = 1;
                for s in random::extents(rng, 2, 4, 8) {
                    let gap = if least == 0 { 2 } else { 1 };
                    leaves.push(Nest::Leaf(s, Step::basis(end * gap, axis)));
                    (end, least) = (end * gap * s, least - 1);
                }
            }
            rng.shuffle(&mut leaves);
            random::nest(rng, &leaves)
        }
    };
    check_layout("inverses of coordinates", 5_000, generate, |nest, layout| {
        if layout.codomain() != tilework::Codomain::Coordinate {
            return Ok(());
        }
        let axes = all_axes(nest, &layout);
        let values = oracle::values(&axes.flat(nest));
        let holds = match layout.inverse() {
            Ok(inverse) => {
                bijections += 1;
                let back = |index: i64| {
                    Some(at_offset(&inverse, &layout.evaluate(index).ok()?).ok()?.leaves()[0].numerator())
                };
                inverse.size() == layout.size() && (0..layout.size()).all(|index| back(index) == Some(index))
            }
            Err(Error::NotInjective { first, second }) => {
                pairs += 1;
                first != second && values[first as usize] == values[second as usize]
            }
            Err(Error::NotSurjective { offset, component: Some(component) }) => {
                missing += 1;
                let along = || values.iter().map(|value| value[component]);
                let reach = along().max().unwrap() - along().min().unwrap();
                let mut wanted = [0; AXES];
                wanted[component] = offset.into();
                (1..=reach).contains(&offset.into()) && !values.contains(&wanted)
            }
            Err(Error::NoInverse { .. }) => {
                below += 1;
                values.iter().flatten().any(|value| *value < 0)
            }
            Err(error) => return Err(error.to_string()),
        };
        if holds { Ok(()) } else { Err(format!("{:?}", layout.inverse())) }
    });
    assert!(bijections.min(pairs).min(missing) > 3 && below > 0, "{bijections}, {pairs}, {missing}, {below}");
}

/// The axes of all coordinates that have the profile of the offsets, in its order.
fn all_axes(nest: &Nest, layout: &Layout) -> Axes {
    let zero = layout.evaluate(0).unwrap();
    let shape = HTuple::with_profile(zero.profile(), &vec![2; zero.leaves().len()], 1).unwrap();
    Axes::of(&[&Nest::of(&Layout::identity(shape).unwrap()), nest])
}

fn moves_along_several(nest: &Nest) -> bool {
    nest.leaves().iter().any(|(s, step)| *s > 1 && step.terms().len() > 1)
}

/// Every layout of two modes along two components: a left inverse adds a function of each component, which is a sum of digits times
/// strides. All bounds that divide each other are tried here, and the strides are found from one equation for each index.
#[test]
fn left_inverses_are_refused_only_where_there_are_none() {
    let steps: Vec<[i64; 2]> = (1..16).map(|step| [step % 4, step / 4]).collect();
    let (mut found, mut none) = (0, 0);
    for (s, t) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)] {
        for (d, e) in steps.iter().flat_map(|d| steps.iter().map(move |e| (d, e))) {
            let term = |[x, y]: &[i64; 2]| format!("({x}@0+{y}@1)");
            let text = format!("({s},{t}):({},{})", term(d), term(e));
            let layout: Layout = text.parse().unwrap();
            let points: Vec<[i64; 2]> =
                (0..s * t).map(|i| [0, 1].map(|u| i % s * d[u] + i / s * e[u])).collect();
            let moves = [d, e].iter().any(|step| step.iter().all(|count| *count != 0));
            if !moves || BTreeSet::from_iter(&points).len() < points.len() {
                continue;
            }
            let reach = |u: usize| points.iter().map(|point| point[u]).max().unwrap();
            let right = all_bounds(reach(1));
            let exists = all_bounds(reach(0)).iter().any(|left| {
                right.iter().any(|right| {
                    let row = |[x, y]: &[i64; 2]| [digits(*x, left), digits(*y, right)].concat();
                    is_solvable(points.iter().map(row).collect())
                })
            });
            match layout.left_inverse() {
                Ok(inverse) => {
                    for (index, [x, y]) in (0..).zip(&points) {
                        assert_eq!(inverse.at((*x, *y)), index, "{text}: {inverse}");
                    }
                    found += 1;
                }
                Err(Error::NoInverse { .. }) if !exists => none += 1,
                Err(error) => panic!("{text}: {error}, and exists: {exists}"),
            }
        }
    }
    assert!(found > 500 && none > 2, "{found} found, {none} without");
}

/// Bounds from 1 to a number that divide each other.
fn all_bounds(most: i64) -> Vec<Vec<i64>> {
    let mut all = vec![vec![1]];
    let mut at = 0;
    while at < all.len() {
        let (bounds, last) = (all[at].clone(), *all[at].last().unwrap());
        all.extend((2..=most / last).map(|ratio| [&bounds[..], &[last * ratio]].concat()));
        at += 1;
    }
    all
}

fn digits(value: i64, bounds: &[i64]) -> Vec<i64> {
    let digit = |r: usize| {
        let within = bounds.get(r + 1).map_or(value, |next| value.rem_euclid(*next));
        within.div_euclid(bounds[r])
    };
    (0..bounds.len()).map(digit).collect()
}

/// Whether integers times the columns add up to 0, 1, 2, ...: by Euclid's algorithm on the columns, row by row.
fn is_solvable(mut rows: Vec<Vec<i64>>) -> bool {
    let (width, mut values) = (rows[0].len(), Vec::new());
    for at in 0..rows.len() {
        let rest = at as i64 - values.iter().zip(&rows[at]).map(|(value, own)| value * own).sum::<i64>();
        let pivot = values.len();
        loop {
            let least = (pivot..width).filter(|k| rows[at][*k] != 0).min_by_key(|k| rows[at][*k].abs());
            let Some(least) = least else { break };
            rows.iter_mut().for_each(|row| row.swap(pivot, least));
            let Some(other) = (pivot + 1..width).find(|k| rows[at][*k] != 0) else { break };
            let quotient = rows[at][other] / rows[at][pivot];
            rows.iter_mut().for_each(|row| row[other] -= quotient * row[pivot]);
        }
        match rows[at].get(pivot).copied().unwrap_or(0) {
            0 if rest == 0 => {}
            own if own != 0 && rest % own == 0 => values.push(rest / own),
            _ => return false,
        }
    }
    true
}

/// Modes that are segregated along one axis each, in an order of the axes, and move along the axes after it; or any modes.
fn triangular(rng: &mut Random) -> Nest {
    let mut axes = axes(rng);
    if rng.once_in(4) {
        return random::layout_of_sums(rng, &axes, 3, 30, -2);
    }
    rng.shuffle(&mut axes);
    let (mut leaves, mut size) = (Vec::new(), 1);
    for k in 0..axes.len() {
        let mut end = 1;
        while size < 12 && rng.once_in(2) {
            let (extent, gap) = (rng.range(1, 4), rng.range(1, 3));
            let mut terms = vec![(end * gap, axes[k].clone())];
            terms.extend(axes[k + 1..].iter().map(|axis| (rng.range(-2, 1), axis.clone())));
            leaves.push(Nest::Leaf(extent, Step::sum(terms)));
            (end, size) = (end * gap * extent, size * extent);
        }
    }
    rng.shuffle(&mut leaves);
    random::nest(rng, &leaves)
}

/// For each order of the axes in which every mode is segregated along one: the modes along each axis, that axis first.
fn assignments(flat: &Flat<[i128; AXES]>, axes: usize) -> Vec<Vec<Flat>> {
    let moving: Flat<[i128; AXES]> =
        flat.iter().filter(|(s, d)| *s > 1 && *d != [0; AXES]).copied().collect();
    let mut orders: Vec<Vec<usize>> = vec![vec![]];
    for _ in 0..axes {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            (0..axes)
                .filter(|a| !order.contains(a))
                .map(|a| [order.clone(), vec![a]].concat())
                .collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let assign = |order: Vec<usize>| {
        let (mut rest, mut parts) = (moving.clone(), vec![vec![]; axes]);
        for axis in order {
            let along;
            (along, rest) = rest.into_iter().partition(|(_, d): &(i128, [i128; AXES])| d[axis] != 0);
            parts[axis] = oracle::segregated(&along.iter().map(|(s, d)| (*s, d[axis])).collect::<Flat>())?;
        }
        rest.is_empty().then_some(parts)
    };
    orders.into_iter().filter_map(assign).collect()
}

/// All sums of a value of each.
fn sums(left: &[[i128; AXES]], right: &[[i128; AXES]]) -> Vec<[i128; AXES]> {
    left.iter()
        .flat_map(|a| right.iter().map(move |b| std::array::from_fn(|axis| a[axis] + b[axis])))
        .collect()
}

#[test]
fn complements_of_sums() {
    let (mut found, mut refused) = (0, 0);
    check_layout("complements of sums", 20_000, triangular, |nest, layout| {
        if !moves_along_several(nest) {
            return Ok(());
        }
        let axes = all_axes(nest, &layout);
        let flat = axes.flat(nest);
        let assignments = assignments(&flat, axes.0.len());
        match layout.complement() {
            Ok(complement) => {
                found += 1;
                let Some(assigned) = assignments.iter().find(|parts| {
                    let axis = |(axis, modes): (usize, &Flat)| {
                        let gaps = oracle::gaps(modes, |_| 1);
                        let along = |(s, d): &(i128, i128)| {
                            let mut column = [0; AXES];
                            column[axis] = *d;
                            (*s, column)
                        };
                        gaps.iter().map(along).collect::<Flat<_>>()
                    };
                    let mut expected: Flat<_> =
                        parts.iter().enumerate().take(axes.0.len()).flat_map(axis).collect();
                    let mut found = axes.flat(&Nest::of(&complement));
                    found.sort();
                    expected.sort();
                    found == expected
                }) else {
                    return Err(format!("{complement} fills the gaps of no order"));
                };
                // Beyond its end, along each axis.
                let own: Vec<[i128; AXES]> =
                    assigned.iter().enumerate().fold(vec![[0; AXES]], |all, (axis, modes)| {
                        let gaps = oracle::gaps(modes, |_| 3);
                        let column = |k| {
                            let mut column = [0; AXES];
                            column[axis] = oracle::at(&gaps, k);
                            column
                        };
                        let count = oracle::size(&gaps).min(if axes.0.len() > 2 { 4 } else { 12 });
                        sums(&all, &(0..count).map(column).collect::<Vec<_>>())
                    });
                let moving: Flat<_> = flat.iter().filter(|(_, d)| *d != [0; AXES]).copied().collect();
                let mut all = sums(&oracle::values(&moving), &own);
                let count = all.len();
                all.sort();
                all.dedup();
                if all.len() == count { Ok(()) } else { Err(format!("{complement}: two translates overlap")) }
            }
            Err(Error::Overlap { .. } | Error::NegativeStride { .. }) if assignments.is_empty() => {
                refused += 1;
                Ok(())
            }
            Err(error) => Err(format!("refused: {error}; {assignments:?}")),
        }
    });
    assert!(found > 5 && refused > 5, "{found}, {refused}");
}

/// The tiles and the rest of a box have all of its coordinates once.
#[test]
fn divides_by_sums() {
    let (mut found, mut refused) = (0, 0);
    let generate = |rng: &mut Random| Case { layouts: vec![triangular(rng)], ..random::seed(rng) };
    random::check("divides by sums", 5_000, generate, |case| {
        let nest = &case.layouts[0];
        let Some(tile) = nest.layout().filter(|_| moves_along_several(nest)) else { return Ok(()) };
        let mut rng = Random::new(case.numbers[0] as u64);
        let zero = tile.evaluate(0).unwrap();
        let extents: Vec<i64> = zero.leaves().iter().map(|_| rng.range(1, 6) as i64).collect();
        let shape = HTuple::with_profile(zero.profile(), &extents, 1).unwrap();
        let whole = Layout::identity(shape).unwrap();
        let axes = all_axes(nest, &tile);
        let cells = offsets(&whole, &axes)?;
        match whole.logical_divide(&tile.as_tiler()) {
            Ok(divided) => {
                found += 1;
                let mut all = offsets(&divided, &axes)?;
                let count = all.len();
                all.sort();
                all.dedup();
                // A mode of stride 0 repeats its coordinates.
                let still = nest.leaves().iter().any(|(s, step)| *s > 1 && step.terms().is_empty());
                if all.len() < count && !still {
                    return Err(format!("{divided} has a coordinate twice"));
                }
                let lost = cells.iter().find(|cell| all.binary_search(cell).is_err());
                lost.map_or(Ok(()), |cell| Err(format!("{divided} of {shape} lacks {cell:?}")))
            }
            Err(Error::Undecided { .. }) => Ok(()),
            Err(error) => {
                refused += 1;
                let flat = axes.flat(nest);
                for parts in assignments(&flat, axes.0.len()) {
                    // Extents that suffice for any shear.
                    let rest = parts.iter().enumerate().take(axes.0.len()).fold(
                        vec![[0; AXES]],
                        |all, (axis, modes)| {
                            let gaps: Flat = oracle::gaps(modes, |end| (40 / end).max(1));
                            let column = |k| {
                                let mut column = [0; AXES];
                                column[axis] = oracle::at(&gaps, k);
                                column
                            };
                            sums(&all, &(0..oracle::size(&gaps)).map(column).collect::<Vec<_>>())
                        },
                    );
                    let mut all = sums(&oracle::values(&flat), &rest);
                    all.sort();
                    if cells.iter().all(|cell| all.binary_search(cell).is_ok()) {
                        return Err(format!("REFUSED: {error} for {shape}"));
                    }
                }
                Ok(())
            }
        }
    });
    assert!(found > 5 && refused > 5, "{found}, {refused}");
}

/// The offsets along the axes, one for each index.
fn offsets(layout: &Layout, axes: &Axes) -> Result<Vec<[i128; AXES]>, String> {
    let at =
        |index| layout.evaluate(index).map(|offset| vector(&offset, axes)).map_err(|error| error.to_string());
    (0..layout.size()).map(at).collect()
}

#[test]
fn divide_selects_and_keeps_all_elements() {
    let (mut right, mut refused) = (0, 0);
    let generate = |rng: &mut Random| Case::layouts([layout(rng), random::layout(rng, 2, 20)]);
    check_pair("divide of sums", 20_000, generate, |[a, _], [left, tile]| {
        let (axes, values) = tables(a);
        match left.logical_divide(&tile.as_tiler()) {
            Ok(found) => {
                right += 1;
                let tiles = offsets(&found, &axes)?;
                let first = left.composition(&tile).map_err(|error| format!("{found}, but {error}"))?;
                if tiles[..tile.size() as usize] != offsets(&first, &axes)?[..] {
                    return Err(format!("mode 0 of {found} is not {first}"));
                }
                let (mut sorted, mut all) = (tiles, values);
                sorted.sort();
                all.sort();
                if found.size() == left.size() && sorted != all {
                    Err(format!("{found} loses elements"))
                } else {
                    Ok(())
                }
            }
            Err(error) => {
                refused += 1;
                let both =
                    tile.complement_within(left.size()).and_then(|rest| Layout::concatenate(&[tile, rest]));
                let Ok(both) = both else { return Ok(()) };
                let covered: BTreeSet<i64> = (0..both.size()).map(|index| both.at(index)).collect();
                match left.composition(&both) {
                    Ok(whole) if (0..left.size()).all(|index| covered.contains(&index)) => {
                        Err(format!("REFUSED: {error}; it is {whole}"))
                    }
                    _ => Ok(()),
                }
            }
        }
    });
    assert!(right > 20 && refused > 20, "{right}, {refused}");
}

/// The common layout of two layouts is where both have the same coordinates, and of a layout with itself it is the right inverse.
#[test]
fn common_layouts_agree_at_every_index() {
    let (mut wide, mut refused) = (0, 0);
    let generate = |rng: &mut Random| {
        let a = layout(rng);
        let b = if rng.once_in(4) { layout(rng) } else { a.clone() };
        Case::layouts([a, b])
    };
    check_pair("common layout of sums", 20_000, generate, |[a, b], [left, right]| {
        let axes = Axes::of(&[a, b]);
        match left.common_layout(&right) {
            Ok(common) => {
                let at = |layout: &Layout, k: i64| vector(&layout.evaluate(common.at(k)).unwrap(), &axes);
                if let Some(k) = (0..common.size()).find(|&k| at(&left, k) != at(&right, k)) {
                    return Err(format!("{common} differs at {k}"));
                }
                wide += (common.size() > 1) as usize;
                let own = left.right_inverse().map(|inverse| inverse.size());
                if left == right && own != Ok(common.size()) {
                    Err(format!("{common}, {own:?}"))
                } else {
                    Ok(())
                }
            }
            Err(Error::SeveralComponents { .. } | Error::Undecided { .. }) => {
                refused += 1;
                Ok(())
            }
            Err(error) => Err(error.to_string()),
        }
    });
    assert!(wide > 10 && refused > 10, "{wide}, {refused}");
}

#[test]
fn layouts_of_coordinates_are_disjoint_as_their_offsets_are() {
    let pair = |rng: &mut Random| {
        let axes = axes(rng);
        let [one, two] = [0, 1].map(|_| random::layout_of_sums(rng, &axes, 3, 40, -3));
        let starts = [0, 1].map(|_| axes.iter().map(|_| rng.range(-3, 3)).collect::<Vec<i64>>());
        (axes, [one, two], starts)
    };
    let (mut rng, mut met) = (Random::named("disjoint coordinates"), [0; 2]);
    for _ in 0..random::cases(10_000) {
        let (axes, nests, starts) = pair(&mut rng);
        let start = |start: &[i64]| match &axes[..] {
            [_, path, _] if path.len() == 2 => format!("({},({},{}))", start[0], start[1], start[2]),
            _ => format!("({})", start.iter().map(i64::to_string).collect::<Vec<_>>().join(",")),
        };
        let views = [0, 1].map(|side| format!("{{{}}} o {}", start(&starts[side]), nests[side].text()));
        // A layout whose strides are all 0 has numbers as offsets.
        let [Ok(one), Ok(two)] = views.each_ref().map(|text| text.parse::<View>()) else { continue };
        let axes = Axes(axes);
        let image = |side: usize| -> BTreeSet<Vec<i128>> {
            let values = oracle::values(&axes.flat(&nests[side]));
            let start = starts[side].iter().map(|own| i128::from(*own));
            values
                .iter()
                .map(|value| value.iter().zip(start.clone()).map(|(own, start)| own + start).collect())
                .collect()
        };
        let expected = image(0).is_disjoint(&image(1));
        assert_eq!(one.is_disjoint(&two), Ok(expected), "{views:?}");
        let reason = Reason::disjoint(&Offsets::View(one), &Offsets::View(two)).unwrap();
        match reason {
            Reason::SameOffset(a, b) => {
                assert!(!expected && one.evaluate(a) == two.evaluate(b), "{views:?}: {reason:?}");
            }
            _ => assert!(expected, "{views:?}: {reason:?}"),
        }
        met[usize::from(expected)] += 1;
    }
    assert!(met[0] * 20 > met[1] && met[1] * 20 > met[0], "{met:?}");
}

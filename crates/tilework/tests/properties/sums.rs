//! Strides with several components: every operation against vectors of integers.

use crate::oracle::{self, AXES, Axes, Flat, Nest};
use crate::random::{self, Case, Rng, check_layout, check_pair};
use tilework::{Error, Offset};

/// The profiles of the coordinates: a pair, a triple, and a pair in a pair.
const PROFILES: [&[&[usize]]; 3] = [&[&[0], &[1]], &[&[0], &[1], &[2]], &[&[0], &[1, 0], &[1, 1]]];

fn axes(rng: &mut Rng) -> Vec<Vec<usize>> {
    rng.pick(&PROFILES).iter().map(|path| path.to_vec()).collect()
}

/// A layout with sums; of every three one has no negative component.
fn layout(rng: &mut Rng) -> Nest {
    let axes = axes(rng);
    let low = if rng.chance(3) { 0 } else { -3 };
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
    let generate = |rng: &mut Rng| {
        let a = loop {
            let a = if rng.chance(2) { random::layout(rng, 5, 200) } else { layout(rng) };
            if a.rank() > 1 {
                break a;
            }
        };
        let mut paths = random::addresses(rng, &a);
        paths.truncate(AXES);
        let low = if rng.chance(2) { 0 } else { -2 };
        let b = random::layout_of_sums(rng, &paths, 3, 60, low);
        Case::layouts([a, b])
    };
    check_pair("composition after sums", 20_000, generate, |[a, b], [left, other]| {
        let leaves = b.leaves();
        let extents: Vec<i128> = leaves.iter().map(|leaf| leaf.0).collect();
        let of_a = Axes::of(&[a]);
        let integers = of_a.0.is_empty();
        let column = |step: &oracle::Step| {
            let mut column = of_a.column(&if integers { oracle::Step::integer(0) } else { step.clone() });
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

#[test]
fn what_takes_one_component_names_the_leaf() {
    let (mut refused, mut other) = (0, 0);
    check_layout("sums where one component is taken", 20_000, layout, |nest, layout| {
        let sum = nest.leaves().iter().position(|(s, step)| *s > 1 && step.terms().len() > 1);
        let results = [
            layout.left_inverse(),
            layout.right_inverse(),
            layout.inverse(),
            layout.complement(),
            layout.common_layout(&layout),
        ];
        for result in results {
            match (result, sum) {
                (Err(Error::SeveralComponents { leaf, .. }), Some(first)) if leaf == first => refused += 1,
                (result, Some(_)) => return Err(format!("{result:?}")),
                (Err(Error::SeveralComponents { .. }), None) => return Err("refused without a sum".into()),
                _ => other += 1,
            }
        }
        Ok(())
    });
    assert!(refused > 100 && other > 10, "{refused}, {other}");
}

//! Strides with several components: every operation against vectors of integers.

use crate::oracle::{self, AXES, Axes, Nest};
use crate::random::{self, Rng, check_layout};
use tilework::{Error, Layout, Offset};

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

#[test]
fn what_takes_one_component_names_the_leaf() {
    let (mut refused, mut other) = (0, 0);
    check_layout("sums where one component is taken", 20_000, layout, |nest, layout| {
        let sum = nest.leaves().iter().position(|(_, step)| step.terms().len() > 1);
        let results = [
            layout.left_inverse(),
            layout.right_inverse(),
            layout.inverse(),
            layout.complement(),
            layout.common_layout(&layout),
            layout.nullspace(),
            "((9,9),(9,9)):((1,2),(3,4))".parse::<Layout>().unwrap().composition(&layout),
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

//! `layout_add` and `greatest_common_domain`.

use crate::oracle::{self, AXES, Axes, Axis, Nest, Step, reconstruct, values};
use crate::random::{self, Case, Random, check_pair};
use std::collections::BTreeSet;
use tilework::Error;

/// The same modes cut and nested differently, with other strides: pairs that often share a domain.
fn pair(rng: &mut Random) -> Case {
    let kind = *rng.pick(&random::KINDS);
    let a = random::layout_of(rng, kind, 4, 120);
    if rng.once_in(4) {
        let kind = *rng.pick(&random::KINDS);
        return Case::layouts([a, random::layout_of(rng, kind, 4, 120)]);
    }
    if rng.once_in(4) {
        // The same extents in another order: mostly cut by one another.
        let mut modes = a.flat();
        rng.shuffle(&mut modes);
        modes.iter_mut().for_each(|mode| mode.1 = if rng.once_in(3) { mode.1 } else { rng.range(0, 9) });
        return Case::layouts([a, random::nest_flat(rng, &modes)]);
    }
    let mut modes = Vec::new();
    for (s, d) in a.flat() {
        let divisors: Vec<i128> = (1..=s).filter(|q| s % q == 0).collect();
        let cut = *rng.pick(&divisors);
        match rng.range(0, 3) {
            0 => modes.push((s, -d)),
            1 => modes.push((s, rng.range(-3, 9))),
            _ => modes.extend([(cut, rng.range(0, 9)), (s / cut, rng.range(0, 9))]),
        }
    }
    Case::layouts([a, random::nest_flat(rng, &modes)])
}

#[test]
fn layout_add_is_the_sum_at_every_coordinate() {
    let (mut found, mut refused) = (0, 0);
    check_pair("layout_add", 40_000, pair, |[a, b], [left, right]| {
        let result = left.layout_add(&right);
        if a.size() != b.size() {
            return match result {
                Err(Error::Size { .. }) => Ok(()),
                other => Err(format!("{other:?} for different sizes")),
            };
        }
        let sum: Vec<i128> = values(&a.flat()).iter().zip(values(&b.flat())).map(|(x, y)| x + y).collect();
        match (result, reconstruct(&sum)) {
            (Ok(r), Some(_)) if values(&Nest::of(&r).flat()) == sum => {
                found += 1;
                Ok(())
            }
            (Ok(r), _) => Err(format!("SILENTLY WRONG: {r}")),
            (Err(Error::Divisibility { .. }), None) => {
                refused += 1;
                Ok(())
            }
            (Err(error), Some(form)) => {
                Err(format!("REFUSED: {error}; it is {}", Nest::of_flat(&form).text()))
            }
            (Err(error), None) => Err(format!("an error of another kind: {error}")),
        }
    });
    println!("layout_add: {found} found, {refused} refused");
    assert!(found > 0 && refused > 0);
}

/// The same for fractions and coordinates: columns of components, over one denominator.
#[test]
fn layout_add_of_fractions_and_coordinates() {
    let (mut found, mut refused) = (0, 0);
    let generate = |rng: &mut Random| {
        let fractions = rng.once_in(2);
        let mut case = pair(rng);
        for nest in &mut case.layouts {
            let leaves = nest.leaves();
            let mut leaves = leaves.iter();
            *nest = nest.replace_leaves(&mut || {
                let (extent, step) = leaves.next().unwrap();
                let count = step.count.0;
                let step = if fractions {
                    let denominator = *rng.pick(&[1, 1, 2, 3]);
                    let divisor = oracle::gcd(count, denominator).max(1);
                    Step { count: (count / divisor, denominator / divisor), unit: Axis::One }
                } else {
                    Step::basis(count, &[vec![0], vec![0], vec![1]][rng.range(0, 2) as usize])
                };
                Nest::Leaf(*extent, step)
            });
        }
        case
    };
    check_pair("layout_add modules", 40_000, generate, |[a, b], [left, right]| {
        if a.size() != b.size() {
            return Ok(());
        }
        let axes = Axes::of(&[a, b]);
        let denominator = a.denominator() * b.denominator();
        let columns = |nest: &Nest| -> Vec<[i128; AXES]> {
            if axes.0.is_empty() {
                values(&nest.scaled(denominator)).into_iter().map(|v| [v, 0, 0, 0, 0, 0, 0, 0]).collect()
            } else {
                values(&axes.flat(nest))
            }
        };
        let sum: Vec<[i128; AXES]> = columns(a)
            .into_iter()
            .zip(columns(b))
            .map(|(x, y)| std::array::from_fn(|i| x[i] + y[i]))
            .collect();
        let form = reconstruct(&sum);
        match (left.layout_add(&right), form) {
            (Ok(r), Some(_)) => {
                let own = Nest::of(&r);
                found += 1;
                let on_axes = axes.0.is_empty()
                    || own.leaves().iter().all(|(_, step)| {
                        let terms = step.terms();
                        terms.iter().all(|term| axes.0.contains(&term.1))
                            && terms.is_empty() == (step.count.0 == 0)
                    });
                if on_axes && columns(&own) == sum { Ok(()) } else { Err(format!("SILENTLY WRONG: {r}")) }
            }
            (Ok(r), None) => Err(format!("SILENTLY WRONG: {r}, and no layout is the sum")),
            (Err(Error::Divisibility { .. }), None) => {
                refused += 1;
                Ok(())
            }
            (Err(error), Some(form)) => Err(format!("REFUSED: {error}; it is {form:?}")),
            (Err(error), None) => Err(format!("an error of another kind: {error}")),
        }
    });
    println!("layout_add of fractions and coordinates: {found} found, {refused} refused");
    assert!(found > 0 && refused > 0);
}

/// The places at which a layout turns: prefix products of its canonical form.
fn turns(nest: &Nest) -> BTreeSet<i128> {
    let form = reconstruct(&values(&nest.flat())).unwrap();
    let mut product = 1;
    form.iter()
        .map(|(s, _)| {
            product *= s;
            product
        })
        .collect()
}

#[test]
fn greatest_common_domain_is_the_coarsest() {
    let (mut found, mut refused) = (0, 0);
    check_pair("greatest_common_domain", 30_000, pair, |[a, b], [left, right]| {
        let result = left.greatest_common_domain(&right);
        if a.size() != b.size() {
            return if matches!(result, Err(Error::Size { .. })) {
                Ok(())
            } else {
                Err("different sizes".into())
            };
        }
        let all: Vec<i128> = turns(a).union(&turns(b)).copied().collect();
        let chain = all.windows(2).all(|pair| pair[1] % pair[0] == 0);
        match result {
            Ok(shape) if chain => {
                found += 1;
                let mut below = 1;
                let mut expected: Vec<i64> = Vec::new();
                for turn in all {
                    if turn > below {
                        expected.push((turn / below) as i64);
                    }
                    below = turn;
                }
                if expected.is_empty() {
                    expected.push(1);
                }
                if shape.leaves() == expected && shape.depth() <= 1 {
                    Ok(())
                } else {
                    Err(format!("{shape}, expected {expected:?}"))
                }
            }
            Ok(shape) => Err(format!("{shape}, where the modes cut each other")),
            Err(Error::Divisibility { .. }) if !chain => {
                refused += 1;
                Ok(())
            }
            Err(error) => Err(format!("refused: {error}")),
        }
    });
    assert!(found > 0 && refused > 0);
}

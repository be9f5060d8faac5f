//! Shapes and coordinates: `idx2crd`, `crd2idx`, the order of compatibility, `shape_div`, slices.

use crate::oracle::{Nest, at, values};
use crate::random::{self, Case, Random, check, check_layout, check_seeded};
use std::collections::BTreeSet;
use tilework::{Coord, HTuple, Pattern, PatternLeaf, Shape};

fn shape_of(nest: &Nest) -> Shape {
    nest.layout().unwrap().shape()
}

/// The shape, as a nest without strides.
fn nest_of(shape: &Shape) -> Nest {
    if shape.is_leaf() {
        return Nest::leaf(shape.leaves()[0] as i128, 0);
    }
    Nest::Tuple((0..shape.rank()).map(|i| nest_of(&shape.mode(i).unwrap())).collect())
}

fn random_shape(rng: &mut Random, most: usize, limit: i128) -> Nest {
    let modes: Vec<_> = random::extents(rng, most, 5, limit).into_iter().map(|s| (s, 0)).collect();
    random::nest_flat(rng, &modes)
}

/// All shapes that coarsen this one: a tuple of coarser ones, or the size.
fn coarser(nest: &Nest) -> Vec<Nest> {
    let mut out = vec![Nest::leaf(nest.size(), 0)];
    if let Nest::Tuple(modes) = nest {
        let mut tuples = vec![vec![]];
        for mode in modes {
            let parts = coarser(mode);
            tuples = tuples
                .into_iter()
                .flat_map(|tuple: Vec<Nest>| {
                    parts.iter().map(move |part| [tuple.clone(), vec![part.clone()]].concat())
                })
                .collect();
        }
        out.extend(tuples.into_iter().map(Nest::Tuple));
    }
    out
}

/// The coordinates of a coordinate set in colexicographic order (section 2.2.2).
fn enumerate(nest: &Nest) -> Vec<Coord> {
    match nest {
        Nest::Leaf(extent, _) => (0..*extent).map(|c| HTuple::leaf(c as i64)).collect(),
        Nest::Tuple(modes) => {
            let mut all: Vec<Vec<Coord>> = vec![vec![]];
            for mode in modes {
                let own = enumerate(mode);
                all = own
                    .iter()
                    .flat_map(|c| all.iter().map(move |before| [before.clone(), vec![*c]].concat()))
                    .collect();
            }
            all.iter().map(|modes| HTuple::tuple(modes).unwrap()).collect()
        }
    }
}

fn check_shape(
    name: &str,
    count: usize,
    limit: i128,
    mut property: impl FnMut(&Nest, Shape) -> Result<(), String>,
) {
    let generate = |rng: &mut Random| Case::layouts([random_shape(rng, 4, limit)]);
    check(name, count, generate, |case| property(&case.layouts[0], shape_of(&case.layouts[0])));
}

/// Coordinate sets of one shape are enumerated alike: the `i`th of each is the same place (equations 4 and 5).
#[test]
fn idx2crd_and_crd2idx_go_between_all_coordinate_sets() {
    let mut sets = 0;
    check_shape("coordinates", 3_000, 60, |nest, shape| {
        let natural = enumerate(nest);
        if !shape.coordinates().eq(natural.iter().copied()) {
            return Err("coordinates() is not the colexicographic list".into());
        }
        for set in coarser(nest) {
            sets += 1;
            let own = shape_of(&set);
            for (i, c) in enumerate(&set).iter().enumerate() {
                let index = i as i64;
                if !shape.is_in_bounds(c) || !shape.is_admissible(c) {
                    return Err(format!("{c} is a coordinate"));
                }
                if shape.idx2crd(c) != Ok(natural[i]) || own.idx2crd(&HTuple::leaf(index)) != Ok(*c) {
                    return Err(format!("idx2crd of {c}, number {i}"));
                }
                if shape.crd2idx(c) != Ok(index) || own.crd2idx(c) != Ok(index) {
                    return Err(format!("crd2idx of {c} is {i}, not {:?}", shape.crd2idx(c)));
                }
                if own.convert(c, &shape) != Ok(natural[i]) || shape.convert(&natural[i], &own) != Ok(*c) {
                    return Err(format!("convert {c}"));
                }
            }
        }
        Ok(())
    });
    assert!(sets > 0);
}

/// Out of bounds: floor division, the last mode of a part not reduced; `crd2idx` is the plain sum.
#[test]
fn idx2crd_of_every_integer() {
    check_shape("out of bounds", 5_000, 200, |nest, shape| {
        let extents: Vec<i128> = nest.leaves().iter().map(|(s, _)| *s).collect();
        let size = nest.size();
        for x in -2 * size..=3 * size {
            let mut rest = x;
            let mut expected: Vec<i64> = Vec::new();
            for (i, extent) in extents.iter().enumerate() {
                let last = i + 1 == extents.len();
                expected.push(if last { rest } else { rest.rem_euclid(*extent) } as i64);
                rest = rest.div_euclid(*extent);
            }
            let c = shape.idx2crd(&HTuple::leaf(x as i64)).unwrap();
            if c.leaves() != expected || !c.congruent(&shape) {
                return Err(format!("idx2crd({x}) = {c}, expected {expected:?}"));
            }
            if shape.crd2idx(&c) != Ok(x as i64) {
                return Err(format!("crd2idx({c})"));
            }
            if shape.is_in_bounds(&HTuple::leaf(x as i64)) != (0..size).contains(&x) {
                return Err(format!("is_in_bounds({x})"));
            }
        }
        Ok(())
    });
}

/// All shapes of a size, with at most two levels and three modes a level, ones included.
fn shapes_of_size(size: i128, depth: usize) -> Vec<Nest> {
    let mut out = vec![Nest::leaf(size, 0)];
    if depth > 0 {
        let parts = |n: i128| shapes_of_size(n, depth - 1);
        out.extend(parts(size).into_iter().map(|a| Nest::Tuple(vec![a])));
        for p in (1..=size).filter(|p| size % p == 0) {
            for a in parts(p) {
                out.extend(parts(size / p).into_iter().map(|b| Nest::Tuple(vec![a.clone(), b])));
            }
        }
    }
    out
}

/// Compatibility is a partial order (definition 2.7), the refinement its join, the coarsening its meet.
#[test]
fn compatibility_is_a_partial_order_with_joins_and_meets() {
    let most = if cfg!(debug_assertions) { 30 } else { 200 };
    for size in [1, 4, 6, 8] {
        let mut nests = shapes_of_size(size, 2);
        if nests.len() > most {
            Random::new(size as u64).shuffle(&mut nests);
            nests.truncate(most);
            nests.push(Nest::leaf(size, 0));
        }
        let all: Vec<Shape> = nests.iter().map(shape_of).collect();
        let n = all.len();
        let below: Vec<Vec<bool>> =
            all.iter().map(|a| all.iter().map(|b| a.compatible(b)).collect()).collect();
        for i in 0..n {
            assert!(below[i][i]);
            for j in 0..n {
                assert_eq!(below[i][j], nests[i].compatible(&nests[j]), "{} and {}", all[i], all[j]);
                assert!(!(below[i][j] && below[j][i]) || i == j || all[i] == all[j]);
                assert_eq!(all[i].weakly_congruent(&all[j]), weakly_congruent(&nests[i], &nests[j]));
                assert_eq!(
                    all[i].congruent(&all[j]),
                    weakly_congruent(&nests[i], &nests[j]) && weakly_congruent(&nests[j], &nests[i])
                );
                for k in 0..n {
                    assert!(!(below[i][j] && below[j][k]) || below[i][k]);
                }
                // The meet: below both, and above everything below both. The coarser shapes are few: all are tried.
                let meet = all[i].common_coarsening(&all[j]).unwrap();
                let lower: Vec<Nest> =
                    coarser(&nests[i]).into_iter().filter(|c| c.compatible(&nests[j])).collect();
                assert!(lower.contains(&nest_of(&meet)), "{meet} for {} and {}", all[i], all[j]);
                assert!(
                    lower.iter().all(|c| c.compatible(&nest_of(&meet))),
                    "{meet} for {} and {}",
                    all[i],
                    all[j]
                );
                // The join: above both, and below everything above both.
                match all[i].common_refinement(&all[j]) {
                    Ok(join) => {
                        assert!(all[i].compatible(&join) && all[j].compatible(&join));
                        let upper = (0..n).filter(|&k| below[i][k] && below[j][k]);
                        assert!(
                            upper.clone().all(|k| join.compatible(&all[k])),
                            "{join} for {} and {}",
                            all[i],
                            all[j]
                        );
                    }
                    Err(_) => {
                        assert!(!(0..n).any(|k| below[i][k] && below[j][k]), "{} and {}", all[i], all[j])
                    }
                }
            }
        }
    }
    let (a, b): (Shape, Shape) = ("6".parse().unwrap(), "(2,2)".parse().unwrap());
    assert_eq!(a.common_coarsening(&b).unwrap_err().code(), "size");
    assert!(a.common_refinement(&b).is_err() && !a.compatible(&b));
}

fn weakly_congruent(a: &Nest, b: &Nest) -> bool {
    match (a, b) {
        (Nest::Leaf(..), _) => true,
        (Nest::Tuple(a), Nest::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| weakly_congruent(a, b))
        }
        _ => false,
    }
}

/// The divisor is used up from left to right; what is left is the shape of every `divisor`th coordinate.
#[test]
fn shape_div_uses_up_the_divisor() {
    let (mut found, mut refused) = (0, 0);
    let generate = |rng: &mut Random| {
        let nest = random_shape(rng, 4, 2000);
        let extents: Vec<i128> = nest.leaves().iter().map(|(s, _)| *s).collect();
        let mut divisor: i128 = extents[..rng.range(0, extents.len() as i128) as usize].iter().product();
        if rng.once_in(3) {
            divisor *= rng.range(1, 4);
        }
        Case { layouts: vec![nest], numbers: vec![divisor] }
    };
    check("shape_div", 20_000, generate, |case| {
        let (nest, divisor) = (&case.layouts[0], case.numbers[0]);
        if divisor < 1 {
            return Ok(());
        }
        // By the counts alone: with P_i the product of the extents before, ceil(divisor / P_i) has to divide S_i,
        // or S_i it.
        let (mut rest, mut expected) = (divisor, Some(Vec::new()));
        for (extent, _) in nest.leaves() {
            if extent % rest == 0 {
                expected.iter_mut().for_each(|out| out.push((extent / rest) as i64));
                rest = 1;
            } else if rest % extent == 0 {
                expected.iter_mut().for_each(|out| out.push(1));
                rest /= extent;
            } else {
                expected = None;
            }
        }
        let expected = expected.filter(|_| rest == 1);
        match (shape_of(nest).shape_div(divisor as i64), expected) {
            (Ok(r), Some(expected)) if r.leaves() == expected && r.congruent(&shape_of(nest)) => {
                found += 1;
                // As functions: the compact layout restricted to multiples of the divisor.
                let quotient = nest.size() / divisor;
                if r.size() == Ok(quotient as i64) {
                    Ok(())
                } else {
                    Err(format!("{r} has not size {quotient}"))
                }
            }
            (Err(error), None) if error.code() == "divisibility" => {
                refused += 1;
                Ok(())
            }
            (found, expected) => Err(format!("{found:?}, expected {expected:?}")),
        }
    });
    assert!(found > 0 && refused > 0);
    let shape: Shape = "(6,2)".parse().unwrap();
    assert_eq!(shape.shape_div(0).unwrap_err().code(), "argument");
}

/// A pattern that fixes some places inside, and the coordinate it fixes.
fn pattern(rng: &mut Random, of: &Nest) -> Pattern {
    match of {
        Nest::Tuple(modes) if !modes.is_empty() && !rng.once_in(3) => {
            Pattern::tuple(&modes.iter().map(|mode| pattern(rng, mode)).collect::<Vec<_>>()).unwrap()
        }
        nest if rng.once_in(2) => Pattern::leaf(PatternLeaf::At(rng.range(0, nest.size() - 1) as i64)),
        _ => Pattern::leaf(PatternLeaf::All),
    }
}

/// The parts of a nest that are open, in order, with what is fixed set to 0 size.
fn open_parts(nest: &Nest, pattern: &Pattern, open: &mut Vec<(i128, i128)>, fixed: &mut i128) {
    if pattern.is_leaf() {
        match pattern.leaves()[0] {
            PatternLeaf::All => open.extend(nest.flat()),
            PatternLeaf::At(index) => *fixed += at(&nest.flat(), index as i128),
        }
        return;
    }
    for i in 0..pattern.rank() {
        open_parts(nest.mode(i), &pattern.mode(i).unwrap(), open, fixed);
    }
}

/// `L(c' + c*) = L(c') + L*(c*)` (equation 10): the fixed part is added to the offset, the rest is the layout.
#[test]
fn slices_keep_what_is_not_fixed() {
    check_seeded("slice", 20_000, random::layouts(5, 300), |l, layout, mut rng| {
        let pattern = pattern(&mut rng, l);
        let view = layout.slice(&pattern).map_err(|error| format!("{pattern}: {error}"))?;
        let (mut open, mut fixed) = (Vec::new(), 0);
        open_parts(l, &pattern, &mut open, &mut fixed);
        let own = Nest::of(view.layout());
        if own.flat() != open || *view.offset() != HTuple::leaf(tilework::Rational::integer(fixed as i64)) {
            return Err(format!("{pattern}: {view}, expected {open:?} at {fixed}"));
        }
        // Every element of the slice is one of the layout, and all those that agree with the pattern are there.
        let image: BTreeSet<i128> = values(&l.flat()).into_iter().collect();
        if !values(&open).iter().all(|value| image.contains(&(value + fixed))) {
            return Err(format!("{pattern}: {view} leaves the layout"));
        }
        let fixed_size = layout.dice(&pattern).map_err(|error| error.to_string())?.size();
        if fixed_size as i128 * own.size() != l.size() {
            return Err(format!("{pattern}: slice and dice do not make up the layout"));
        }
        Ok(())
    });
}

/// `L(c)` for all coordinates of all coordinate sets: the crate's own evaluation, which the other tests do not use.
#[test]
fn evaluation_at_every_coordinate() {
    check_layout("evaluate", 3_000, random::layouts(4, 60), |l, layout| {
        let all = values(&l.flat());
        let size = all.len() as i128;
        for set in coarser(l) {
            for (i, c) in enumerate(&set).iter().enumerate() {
                let found = layout.evaluate(c).map_err(|error| error.to_string())?;
                if found != HTuple::leaf(tilework::Rational::integer(all[i] as i64)) {
                    return Err(format!("at {c}: {found}, not {}", all[i]));
                }
            }
        }
        for x in -2 * size..3 * size {
            if layout.at(x as i64) as i128 != at(&l.flat(), x) {
                return Err(format!("at {x}"));
            }
        }
        Ok(())
    });
}

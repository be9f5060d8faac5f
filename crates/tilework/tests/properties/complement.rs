//! `complement`, `complement_within`, `is_complementable`.

use crate::oracle::{self, Axes, Axis, Nest, at, divides_evenly, gaps, segregated, values};
use crate::random::{self, Case, Kind, Random, check, check_layout};
use std::collections::BTreeSet;
use tilework::{Error, HTuple};

/// Equations 28 and 29 on the extended domain, read strictly: `C` increases, and no two sums `L(b) + C(a)` with
/// different summands are equal. Where strides divide evenly, nothing below the first extension is left out.
fn postcondition_complement(l: &Nest, c: &Nest, even: bool) -> Result<(), String> {
    let (flat, own) = (l.flat(), c.flat());
    let image: BTreeSet<i128> = values(&flat).into_iter().collect();
    let reach = 3 * c.size() + 3;
    let all: Vec<i128> = (0..reach).map(|a| at(&own, a)).collect();
    if all.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(format!("{} does not increase", c.text()));
    }
    let sums: BTreeSet<i128> = all.iter().flat_map(|a| image.iter().map(move |b| a + b)).collect();
    if sums.len() != all.len() * image.len() {
        return Err(format!("{}: two translates overlap", c.text()));
    }
    if even {
        let covered = sums.iter().enumerate().take_while(|(i, sum)| *i as i128 == **sum).count() as i128;
        if covered < c.size() * image.len() as i128 {
            return Err(format!("{} leaves out {covered}", c.text()));
        }
    }
    Ok(())
}

fn generate(rng: &mut Random) -> Case {
    let kind = *rng.pick(&[
        Kind::Gapped,
        Kind::Gapped,
        Kind::Chain,
        Kind::Powers,
        Kind::Mixed,
        Kind::Compact,
        Kind::Signed,
    ]);
    let l = random::layout_of(rng, kind, 4, 200);
    Case { layouts: vec![l], numbers: vec![rng.range(1, 3000)] }
}

#[test]
fn complement_fills_the_gaps_and_may_be_extended() {
    let (mut found, mut refused, mut uneven) = (0, 0, 0);
    check("complement", 20_000, generate, |case| {
        let l = &case.layouts[0];
        let Some(layout) = l.layout() else { return Ok(()) };
        let result = layout.complement();
        if layout.is_complementable().err() != result.err() {
            return Err("is_complementable says otherwise".into());
        }
        match (result, segregated(&l.flat())) {
            (Ok(c), Some(modes)) => {
                found += 1;
                uneven += !divides_evenly(&modes) as usize;
                let expected = Nest::of_flat(&gaps(&modes, |_| 1));
                if Nest::of(&c) != expected {
                    return Err(format!("{c}, expected {}", expected.text()));
                }
                postcondition_complement(l, &Nest::of(&c), divides_evenly(&modes))
            }
            (Ok(c), None) => Err(format!("{c} for modes that are not segregated")),
            (Err(error), Some(_)) => Err(format!("refused: {error}")),
            (Err(error), None) => {
                refused += 1;
                named(&l.flat(), error)
            }
        }
    });
    println!("complement: {found} found ({uneven} with strides that do not divide), {refused} refused");
    assert!(found > 0 && refused > 0 && uneven > 0);
}

/// The error names two modes of the layout that do interleave, or a negative stride that is there.
fn named(flat: &[(i128, i128)], error: Error) -> Result<(), String> {
    let right = match error {
        Error::Overlap { extent, stride, next } => {
            let (extent, stride, next) = (extent as i128, stride as i128, next as i128);
            next < extent * stride
                && flat.contains(&(extent, stride))
                && flat.iter().any(|&(s, d)| s > 1 && d == next)
        }
        Error::NegativeStride { stride, .. } => {
            stride < 0 && flat.iter().any(|&(s, d)| s > 1 && d == stride as i128)
        }
        _ => false,
    };
    if right { Ok(()) } else { Err(format!("the error names what is not broken: {error:?}")) }
}

#[test]
fn complement_within_covers() {
    let (mut exact, mut found) = (0, 0);
    check("complement_within", 20_000, generate, |case| {
        let (l, within) = (&case.layouts[0], case.numbers[0]);
        let Some(layout) = l.layout() else { return Ok(()) };
        if within < 1 {
            return Ok(());
        }
        match (layout.complement_within(&HTuple::leaf(within as i64)), segregated(&l.flat())) {
            (Ok(c), Some(modes)) => {
                found += 1;
                let even = divides_evenly(&modes);
                let own = Nest::of(&c).flat();
                let (image, all) = (values(&l.flat()), values(&own));
                let image: BTreeSet<i128> = image.into_iter().collect();
                let sums: BTreeSet<i128> =
                    all.iter().flat_map(|a| image.iter().map(move |b| a + b)).collect();
                if all.windows(2).any(|pair| pair[0] >= pair[1]) || sums.len() != all.len() * image.len() {
                    return Err(format!("{c}: not increasing, or translates overlap"));
                }
                if even && !(0..within).all(|value| sums.contains(&value)) {
                    return Err(format!("{c} does not cover [0,{within})"));
                }
                let last = modes.last().map_or(1, |(s, d)| s * d);
                if even && within % last == 0 {
                    exact += 1;
                    if sums.len() as i128 != within {
                        return Err(format!("{c} goes beyond [0,{within})"));
                    }
                }
                let form = gaps(&modes, |below| within.div_euclid(below) + (within % below != 0) as i128);
                let expected = Nest::of_flat(&oracle::reconstruct(&values(&form)).unwrap());
                if Nest::of(&c) != expected {
                    return Err(format!("{c}, expected {}", expected.text()));
                }
                Ok(())
            }
            (Ok(c), None) => Err(format!("{c} for modes that are not segregated")),
            (Err(error), Some(_)) => Err(format!("refused: {error}")),
            (Err(error), None) => named(&l.flat(), error),
        }
    });
    println!("complement_within: {found} found, {exact} exact coverings");
    assert!(exact > 0);
}

/// For coordinate strides: along each axis the complement of what lies along it, and sums are distinct.
#[test]
fn complement_of_coordinate_layouts() {
    let mut found = 0;
    let generate = |rng: &mut Random| random::coordinate_layout(rng, &[vec![0], vec![1]], 4, 60, 12);
    check_layout("complement coordinates", 15_000, generate, |l, layout| {
        let axes = Axes(vec![vec![0], vec![1]]);
        let along = |axis: usize| -> Vec<(i128, i128)> {
            let own = l.leaves().into_iter().filter(|(_, step)| step.unit == Axis::Basis(vec![axis]));
            own.map(|(s, step)| (s, step.count.0)).collect()
        };
        if along(1).is_empty() {
            return Ok(());
        }
        let modes: Vec<_> = (0..2).map(|axis| segregated(&along(axis))).collect();
        let c = match layout.complement() {
            Ok(c) if modes.iter().all(Option::is_some) => Nest::of(&c),
            Ok(c) => return Err(format!("{c} for modes that are not segregated")),
            Err(error) if modes.iter().all(Option::is_some) => return Err(format!("refused: {error}")),
            Err(_) => return Ok(()),
        };
        found += 1;
        if c.rank() != 2 {
            return Err(format!("{} is not congruent with the coordinates", c.text()));
        }
        for (axis, modes) in modes.into_iter().enumerate() {
            let own = c.mode(axis).leaves();
            let expected = gaps(&modes.unwrap(), |_| 1);
            let counts: Vec<_> = own.iter().map(|(s, step)| (*s, step.count.0)).collect();
            if counts != expected || own.iter().any(|(_, step)| step.unit != Axis::Basis(vec![axis])) {
                return Err(format!("{} along {axis}, expected {expected:?}", c.text()));
            }
        }
        let sums: Vec<Vec<i128>> = values(&axes.flat(l)).iter().map(|value| value.to_vec()).collect();
        let image: BTreeSet<_> = sums.into_iter().collect();
        let own = values(&axes.flat(&c));
        let all: BTreeSet<Vec<i128>> = own
            .iter()
            .flat_map(|a| image.iter().map(move |b| a.iter().zip(b).map(|(x, y)| x + y).collect()))
            .collect();
        if all.len() == own.len() * image.len() { Ok(()) } else { Err(format!("{} overlaps", c.text())) }
    });
    assert!(found > 0);
}

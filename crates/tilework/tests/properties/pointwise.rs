//! `layout_add`, `greatest_common_domain`, `recast`, `upcast`, `downcast`.

use crate::oracle::{self, Nest, reconstruct, values};
use crate::random::{self, Case, Kind, Rng, check};
use std::collections::BTreeSet;
use tilework::Error;

/// The same modes cut and nested differently, with other strides: pairs that often share a domain.
fn pair(rng: &mut Rng) -> Case {
    let kind = *rng.pick(&random::KINDS);
    let a = random::layout_of(rng, kind, 4, 120);
    if rng.chance(4) {
        let kind = *rng.pick(&random::KINDS);
        return Case::layouts([a, random::layout_of(rng, kind, 4, 120)]);
    }
    if rng.chance(4) {
        // The same extents in another order: mostly cut by one another.
        let mut modes = a.flat();
        rng.shuffle(&mut modes);
        modes.iter_mut().for_each(|mode| mode.1 = if rng.chance(3) { mode.1 } else { rng.range(0, 9) });
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
    check("layout_add", 40_000, pair, |case| {
        let [a, b] = &case.layouts[..] else { unreachable!() };
        let (Some(left), Some(right)) = (a.layout(), b.layout()) else { return Ok(()) };
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
    check("greatest_common_domain", 30_000, pair, |case| {
        let [a, b] = &case.layouts[..] else { unreachable!() };
        let (Some(left), Some(right)) = (a.layout(), b.layout()) else { return Ok(()) };
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

/// Extents `q` with `q_i | s_i` and product `count`: the parts of each mode that go into one wide element.
fn splits(extents: &[i128], count: i128) -> Vec<Vec<i128>> {
    let Some((&first, rest)) = extents.split_first() else {
        return if count == 1 { vec![vec![]] } else { vec![] };
    };
    let mut out = Vec::new();
    for q in (1..=first).filter(|q| first % q == 0 && count % q == 0) {
        out.extend(splits(rest, count / q).into_iter().map(|tail| [vec![q], tail].concat()));
    }
    out
}

/// `R` has the leaves of `L` with extents divided by `q`; every narrow element of the wide one at `R(c)` is found in
/// `L` at the coordinates that `c` covers: `{ L(q c + k) } = count R(c) + [0, count)`.
fn holds_whole(l: &[(i128, i128)], r: &[(i128, i128)], q: &[i128], count: i128) -> bool {
    let within: Vec<(i128, i128)> = q.iter().zip(l).map(|(&q, &(_, d))| (q, d)).collect();
    let mut block = values(&within);
    block.sort();
    let dense = block.iter().enumerate().all(|(i, &value)| value == i as i128);
    let coarse: Vec<(i128, i128)> = q.iter().zip(l).map(|(&q, &(s, d))| (s / q, q * d)).collect();
    dense && values(&coarse).iter().zip(values(r)).all(|(narrow, wide)| *narrow == count * wide)
}

#[test]
fn upcast_makes_neighbours_one() {
    let (mut found, mut refused) = (0, 0);
    check(
        "upcast",
        40_000,
        |rng| {
            let kind = *rng.pick(&[
                Kind::Compact,
                Kind::Gapped,
                Kind::Powers,
                Kind::Chain,
                Kind::Mixed,
                Kind::Signed,
            ]);
            let mut modes = random::flat(rng, kind, 4, 200);
            if rng.chance(2) {
                // Whole elements: a mode of stride 1 among multiples.
                let count = *rng.pick(&[2, 3, 4, 8]);
                modes.iter_mut().for_each(|mode| mode.1 *= count);
                let at = rng.range(0, modes.len() as i128) as usize;
                modes.insert(at, (count, 1));
            }
            Case {
                layouts: vec![random::nest_flat(rng, &modes)],
                numbers: vec![*rng.pick(&[1, 2, 2, 3, 4, 8])],
            }
        },
        |case| {
            let (l, count) = (&case.layouts[0], case.numbers[0]);
            let Some(layout) = l.layout() else { return Ok(()) };
            if count < 1 {
                return Ok(());
            }
            let flat = l.flat();
            let extents: Vec<i128> = flat.iter().map(|(s, _)| *s).collect();
            match layout.upcast(count as i64) {
                Ok(r) => {
                    found += 1;
                    let own = Nest::of(&r).flat();
                    if !r.congruent(&layout) {
                        return Err(format!("{r} has another profile"));
                    }
                    let q: Vec<i128> = flat.iter().zip(&own).map(|(l, r)| l.0 / r.0).collect();
                    let fits = flat.iter().zip(&own).all(|(l, r)| l.0 % r.0 == 0)
                        && q.iter().product::<i128>() == count
                        && holds_whole(&flat, &own, &q, count);
                    if !fits {
                        return Err(format!("{r} is not made of whole elements"));
                    }
                    let back = r.downcast(count as i64).map(|back| Nest::of(&back));
                    match back {
                        Ok(back) if q.iter().filter(|&&q| q > 1).count() == 1 => {
                            let narrow: BTreeSet<i128> = values(&flat).into_iter().collect();
                            let again: BTreeSet<i128> = values(&back.flat()).into_iter().collect();
                            if narrow != again { Err(format!("{r} does not come back")) } else { Ok(()) }
                        }
                        _ => Ok(()),
                    }
                }
                Err(error) => {
                    refused += 1;
                    let exists = splits(&extents, count).into_iter().find(|q| {
                        let divided: Option<Vec<(i128, i128)>> = q
                            .iter()
                            .zip(&flat)
                            .map(|(&q, &(s, d))| {
                                // The stride of what remains; that of an extent of 1 does not matter.
                                let (s, d) = (s / q, d * q);
                                if s == 1 { Some((1, 0)) } else { (d % count == 0).then_some((s, d / count)) }
                            })
                            .collect();
                        divided.is_some_and(|divided| holds_whole(&flat, &divided, q, count))
                    });
                    match exists {
                        Some(q) => Err(format!("REFUSED: {error}; {q:?} of the modes make an element")),
                        None => Ok(()),
                    }
                }
            }
        },
    );
    println!("upcast: {found} found, {refused} refused");
    assert!(found > 0 && refused > 0);
}

#[test]
fn downcast_splits_each_offset() {
    let (mut found, mut refused) = (0, 0);
    check(
        "downcast",
        20_000,
        |rng| {
            let l = random::layout(rng, 4, 200);
            Case { layouts: vec![l], numbers: vec![rng.range(1, 6)] }
        },
        |case| {
            let (l, count) = (&case.layouts[0], case.numbers[0]);
            let Some(layout) = l.layout() else { return Ok(()) };
            if count < 1 {
                return Ok(());
            }
            let flat = l.flat();
            let units = flat.iter().filter(|&&(s, d)| s > 1 && d == 1).count();
            match layout.downcast(count as i64) {
                Ok(r) => {
                    found += 1;
                    let own = Nest::of(&r).flat();
                    if !r.congruent(&layout) {
                        return Err(format!("{r} has another profile"));
                    }
                    let q: Vec<i128> = own.iter().zip(&flat).map(|(r, l)| r.0 / l.0).collect();
                    if q.iter().product::<i128>() != count || !holds_whole(&own, &flat, &q, count) {
                        return Err(format!("{r} is not the parts of the elements"));
                    }
                    match r.upcast(count as i64) {
                        Ok(back) if values(&Nest::of(&back).flat()) == values(&flat) => Ok(()),
                        other => Err(format!("{r} upcasts to {other:?}")),
                    }
                }
                Err(error) => {
                    refused += 1;
                    if units == 1 { Err(format!("refused: {error}")) } else { Ok(()) }
                }
            }
        },
    );
    println!("downcast: {found} found, {refused} refused");
    assert!(found > 0 && refused > 0);
}

#[test]
fn recast_keeps_the_bits() {
    let mut found = 0;
    check(
        "recast",
        20_000,
        |rng| {
            let kind = *rng.pick(&[Kind::Compact, Kind::Powers, Kind::Gapped]);
            let l = random::layout_of(rng, kind, 4, 200);
            Case {
                layouts: vec![l],
                numbers: vec![*rng.pick(&[4, 8, 16, 32]), *rng.pick(&[4, 6, 8, 12, 16, 32, 64])],
            }
        },
        |case| {
            let l = &case.layouts[0];
            let (old, new) = (case.numbers[0], case.numbers[1]);
            let Some(layout) = l.layout() else { return Ok(()) };
            if old < 1 || new < 1 {
                return Ok(());
            }
            let Ok(r) = layout.recast(old as i64, new as i64) else { return Ok(()) };
            found += 1;
            let bits = |flat: &[(i128, i128)], width: i128| -> BTreeSet<i128> {
                values(flat).iter().flat_map(|value| value * width..value * width + width).collect()
            };
            if bits(&l.flat(), old) != bits(&Nest::of(&r).flat(), new) {
                return Err(format!("{r} has other bits"));
            }
            if old == new && r != layout {
                return Err(format!("{r} for the same width"));
            }
            Ok(())
        },
    );
    assert!(found > 0);
    assert!(oracle::gcd(4, 6) == 2);
}

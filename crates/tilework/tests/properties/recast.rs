//! `upcast`, `downcast`, `recast`: the same bytes as elements of another width.

use crate::oracle::{Flat, Nest, values};
use crate::random::{self, Case, Kind, Random, check};
use std::collections::BTreeSet;
use tilework::{Error, Layout};

fn image(flat: &[(i128, i128)]) -> BTreeSet<i128> {
    values(flat).into_iter().collect()
}

/// The wide elements that a mode touches, in its order, as a mode; `None` where their steps are uneven.
fn wide_mode(s: i128, d: i128, count: i128) -> Option<(i128, i128)> {
    if d == 0 {
        return Some((s, 0));
    }
    let mut touched: Vec<i128> = (0..s).map(|c| (c * d).div_euclid(count)).collect();
    touched.dedup();
    let step = touched.get(1).copied().unwrap_or(0);
    let even = touched.iter().enumerate().all(|(i, &wide)| wide == i as i128 * step);
    even.then_some((touched.len() as i128, step))
}

/// The wide elements that each mode touches, which together have to be those that the layout touches.
fn wide_layout(flat: &[(i128, i128)], count: i128) -> Option<Flat> {
    let modes = flat.iter().map(|&(s, d)| wide_mode(s, d, count)).collect::<Option<Flat>>()?;
    let touched: BTreeSet<i128> = values(flat).into_iter().map(|offset| offset.div_euclid(count)).collect();
    (image(&modes) == touched).then_some(modes)
}

/// What `upcast` answered.
#[derive(Default, Debug)]
struct Upcasts {
    found: usize,
    refused: usize,
    /// Refused though the wide elements are a layout, by chance: some stride is larger than the wide element and no
    /// multiple of it.
    uneven: usize,
}

impl Upcasts {
    fn postcondition(&mut self, l: &Nest, count: i128) -> Result<(), String> {
        let Some(layout) = l.layout() else { return Ok(()) };
        let flat = l.flat();
        let truth = wide_layout(&flat, count);
        match (layout.upcast(count as i64), truth) {
            (Ok(r), Some(truth)) => {
                self.found += 1;
                let own = Nest::of(&r).flat();
                // The stride of an extent of 1 does not matter.
                let same = truth.iter().zip(&own).all(|(a, b)| a == b || (a.0, b.0) == (1, 1));
                if same && r.congruent(&layout) { Ok(()) } else { Err(format!("{r} is not {truth:?}")) }
            }
            (Ok(r), None) => Err(format!("SILENTLY WRONG: {r}")),
            (Err(Error::Divisibility { .. } | Error::Size { .. }), None) => {
                self.refused += 1;
                Ok(())
            }
            (Err(Error::Divisibility { .. }), Some(_))
                if flat.iter().any(|&(s, d)| s > 1 && d.abs() > count && d % count != 0) =>
            {
                self.uneven += 1;
                Ok(())
            }
            (Err(error), truth) => Err(format!("REFUSED: {error}; it is {truth:?}")),
        }
    }
}

#[test]
fn upcast_touches_the_same_wide_elements() {
    let mut all = Upcasts::default();
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&random::KINDS);
        let mut modes = random::flat(rng, kind, 4, 200);
        if rng.once_in(2) {
            // Whole elements: a mode of stride 1 among multiples.
            let count = *rng.pick(&[2, 3, 4, 8]);
            modes.iter_mut().for_each(|mode| mode.1 *= count);
            let at = rng.range(0, modes.len() as i128) as usize;
            modes.insert(at, (count, 1));
        }
        Case {
            layouts: vec![random::nest_flat(rng, &modes)],
            numbers: vec![*rng.pick(&[1, 2, 2, 3, 4, 8, 16])],
        }
    };
    check("upcast", 40_000, generate, |case| {
        let count = case.numbers[0];
        if count < 1 { Ok(()) } else { all.postcondition(&case.layouts[0], count) }
    });
    println!("upcast: {all:?}");
    assert!(all.found > 0 && all.refused > 0 && all.uneven * 100 <= all.found);
}

/// Every layout of two modes, and of three with smaller numbers.
#[test]
fn upcast_of_all_small_layouts() {
    let mut all = Upcasts::default();
    let mut sweep = |rank: usize, extents: i128, strides: std::ops::RangeInclusive<i128>, counts: i128| {
        let modes: Vec<(i128, i128)> =
            (1..=extents).flat_map(|s| strides.clone().map(move |d| (s, d))).collect();
        for number in 0..modes.len().pow(rank as u32) {
            let flat: Flat =
                (0..rank as u32).map(|r| modes[number / modes.len().pow(r) % modes.len()]).collect();
            for count in 1..=counts {
                let nest = Nest::of_flat(&flat);
                all.postcondition(&nest, count)
                    .unwrap_or_else(|error| panic!("{} / {count}: {error}", nest.text()));
            }
        }
    };
    sweep(1, 12, -20..=20, 12);
    sweep(2, 5, -5..=9, 6);
    sweep(3, 3, -2..=5, 4);
    println!("upcast of small layouts: {all:?}");
    assert!(all.found > 0 && all.refused > 0 && all.uneven * 20 <= all.found);
}

/// `R` has the modes of `L` with extents multiplied by `q`, and at the coordinates that belong to `c` it has
/// `count L(c) + [0, count)`.
fn holds_parts(l: &[(i128, i128)], r: &[(i128, i128)], q: &[i128], count: i128) -> bool {
    let within: Flat = q.iter().zip(r).map(|(&q, &(_, d))| (q, d)).collect();
    let mut block = values(&within);
    block.sort();
    let coarse: Flat = q.iter().zip(r).map(|(&q, &(s, d))| (s / q, q * d)).collect();
    block.iter().enumerate().all(|(i, &value)| value == i as i128)
        && values(&coarse).iter().zip(values(l)).all(|(narrow, wide)| *narrow == count * wide)
}

/// Whether some layout of the same profile has the parts of all elements: `q` begins the factors of the extents.
fn parts_exist(l: &[(i128, i128)], r: &mut Flat, q: &mut Vec<i128>, count: i128) -> bool {
    let i = r.len();
    if i == l.len() {
        return q.iter().product::<i128>() == count && holds_parts(l, r, q, count);
    }
    let (s, d) = l[i];
    (1..=count).filter(|factor| count % factor == 0).any(|factor| {
        let strides: Vec<i128> = match s {
            1 => (0..=count).collect(),
            _ if count * d % factor == 0 => vec![count * d / factor],
            _ => vec![],
        };
        strides.into_iter().any(|stride| {
            r.push((s * factor, stride));
            q.push(factor);
            let exists = parts_exist(l, r, q, count);
            r.pop();
            q.pop();
            exists
        })
    })
}

#[test]
fn downcast_splits_each_offset() {
    let (mut found, mut refused) = (0, 0);
    let generate = |rng: &mut Random| Case {
        layouts: vec![random::layout(rng, 3, 200)],
        numbers: vec![rng.range(1, 6)],
    };
    check("downcast", 20_000, generate, |case| {
        let (l, count) = (&case.layouts[0], case.numbers[0]);
        let Some(layout) = l.layout() else { return Ok(()) };
        if count < 1 {
            return Ok(());
        }
        let flat = l.flat();
        match layout.downcast(count as i64) {
            Ok(r) => {
                found += 1;
                let own = Nest::of(&r).flat();
                let q: Vec<i128> = own.iter().zip(&flat).map(|(r, l)| r.0 / l.0).collect();
                let whole = q.iter().product::<i128>() == count && r.congruent(&layout);
                if !whole || !holds_parts(&flat, &own, &q, count) {
                    return Err(format!("{r} is not the parts of the elements"));
                }
                match r.upcast(count as i64) {
                    Ok(back) if values(&Nest::of(&back).flat()) == values(&flat) => Ok(()),
                    other => Err(format!("{r} upcasts to {other:?}")),
                }
            }
            Err(Error::Argument { .. }) => {
                refused += 1;
                let exists = flat.len() <= 4 && parts_exist(&flat, &mut Vec::new(), &mut Vec::new(), count);
                if exists { Err("REFUSED though there is one".into()) } else { Ok(()) }
            }
            Err(error) => Err(error.to_string()),
        }
    });
    println!("downcast: {found} found, {refused} refused");
    assert!(found > 0 && refused > 0);
}

/// The bits of the new elements are those of the old ones, and the others of the elements that hold one of them.
#[test]
fn recast_keeps_the_bits() {
    let (mut found, mut refused) = (0, 0);
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&[Kind::Compact, Kind::Powers, Kind::Gapped, Kind::Signed, Kind::Mixed]);
        Case {
            layouts: vec![random::layout_of(rng, kind, 4, 200)],
            numbers: vec![*rng.pick(&[4, 8, 16, 32]), *rng.pick(&[4, 6, 8, 12, 16, 32, 64])],
        }
    };
    check("recast", 20_000, generate, |case| {
        let (l, old, new) = (&case.layouts[0], case.numbers[0], case.numbers[1]);
        let Some(layout) = l.layout() else { return Ok(()) };
        if old < 1 || new < 1 {
            return Ok(());
        }
        let Ok(r): Result<Layout, Error> = layout.recast(old as i64, new as i64) else {
            refused += 1;
            return Ok(());
        };
        found += 1;
        let bits = image(&l.flat()).into_iter().flat_map(|value| value * old..(value + 1) * old);
        let touched: BTreeSet<i128> = bits.map(|bit| bit.div_euclid(new)).collect();
        if touched != image(&Nest::of(&r).flat()) {
            return Err(format!("{r} has other bits"));
        }
        if old == new && r != layout { Err(format!("{r} for the same width")) } else { Ok(()) }
    });
    println!("recast: {found} found, {refused} refused");
    assert!(found > refused);
}

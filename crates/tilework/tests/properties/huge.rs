//! Sizes to 2^40, by structure and by evaluation at sampled coordinates.

use crate::oracle::{Flat, Nest, Step, at, compose, gaps, segregated, size};
use crate::random::{self, Case, Pair, Random, check, check_pair, check_seeded};
use tilework::{Composed, Error, HTuple, Layout, Swizzle, Tiler};

/// Corners, the places around the prefix products, and random ones.
pub fn samples(rng: &mut Random, flat: &[(i128, i128)]) -> Vec<i128> {
    let all = size(flat);
    let mut out = vec![0, 1, all - 1, all / 2];
    let mut below = 1;
    for &(s, _) in flat {
        below *= s;
        out.extend([below - 1, below, below + 1]);
    }
    out.extend((0..20).map(|_| rng.range(0, all - 1)));
    out.retain(|c| (0..all).contains(c));
    out
}

/// The canonical form by merging neighbours: for sizes that cannot be enumerated.
fn merged(flat: &[(i128, i128)]) -> Flat {
    let mut out: Flat = Vec::new();
    for &(s, d) in flat.iter().filter(|mode| mode.0 > 1) {
        match out.last_mut() {
            Some(last) if last.0 * last.1 == d => last.0 *= s,
            _ => out.push((s, d)),
        }
    }
    if out.is_empty() { vec![(1, 0)] } else { out }
}

fn large(rng: &mut Random, low: i128) -> Flat {
    let rank = rng.range(1, 6);
    let mut bits = 40;
    (0..rank)
        .map(|_| {
            let own = rng.range(0, (bits / 2).clamp(1, 16));
            bits -= own;
            let extent = match rng.range(0, 2) {
                0 => 1 << own,
                1 => rng.range(1, 1 << own),
                _ => 3i128.pow((own / 2) as u32),
            };
            let reach = 1 << rng.range(0, 16);
            (extent, rng.range(low, reach))
        })
        .collect()
}

pub fn postcondition_at_samples(a: &[(i128, i128)], b: &Nest, r: &Nest) -> Result<(), String> {
    let (inner, outer) = (b.flat(), r.flat());
    if !b.compatible(r) {
        return Err(format!("{} does not refine", r.text()));
    }
    for c in samples(&mut Random::new(size(&inner) as u64), &inner) {
        if at(&outer, c) != at(a, at(&inner, c)) {
            return Err(format!("SILENTLY WRONG: {} at {c}", r.text()));
        }
    }
    Ok(())
}

/// `B` takes runs of the digits of `A`: the composition exists, and its form is known.
#[test]
fn composition_of_huge_aligned_layouts() {
    let generate = |rng: &mut Random| {
        let a = large(rng, -(1 << 14));
        random::nest_flat(rng, &a)
    };
    check_seeded("huge aligned", 20_000, generate, |nest, left, mut rng| {
        let a = nest.flat();
        let mut leaves: Vec<((i128, i128), Flat)> = Vec::new();
        let (mut r, mut below) = (0, 1);
        while r < a.len() {
            let divisors = |n: i128, rng: &mut Random| {
                let choices: Vec<i128> =
                    [1, 2, 3, 4, 8, 9, 64, n].into_iter().filter(|q| n % q == 0).collect();
                *rng.pick(&choices)
            };
            let skip = divisors(a[r].0, &mut rng);
            let start = below * skip;
            let mut part = vec![(a[r].0 / skip, a[r].1 * skip)];
            below *= a[r].0;
            r += 1;
            while r < a.len() && rng.once_in(2) {
                part.push(a[r]);
                below *= a[r].0;
                r += 1;
            }
            // A part of the last digit of the run only.
            let last = part.len() - 1;
            part[last].0 = divisors(part[last].0, &mut rng);
            if rng.once_in(4) {
                continue;
            }
            leaves.push(((size(&part), start), merged(&part)));
        }
        if leaves.is_empty() {
            return Ok(());
        }
        rng.shuffle(&mut leaves);
        let b = random::nest_flat(&mut rng, &leaves.iter().map(|leaf| leaf.0).collect::<Vec<_>>());
        let mut parts = leaves.iter();
        let expected = b.replace_leaves(&mut || {
            let (leaf, part) = parts.next().unwrap();
            if leaf.0 == 1 { Nest::leaf(1, 0) } else { Nest::of_flat(part) }
        });
        let Some(right) = b.layout() else { return Ok(()) };
        let r = match left.composition(&right) {
            Ok(r) => Nest::of(&r),
            Err(error) => {
                return Err(format!("o {}: refused: {error}; it is {}", b.text(), expected.text()));
            }
        };
        postcondition_at_samples(&a, &b, &r).map_err(|message| format!("o {}: {message}", b.text()))?;
        if r != expected {
            Err(format!("o {}: {}, expected {}", b.text(), r.text(), expected.text()))
        } else {
            Ok(())
        }
    });
}

/// A small pair lifted by a block of up to 2^32: `(N, A) o (N:1, N B)`: exact both ways, cancelling carries included.
#[test]
fn composition_of_huge_lifted_layouts() {
    let (mut right, mut refused, mut undecided) = (0, 0, 0);
    let generate = |rng: &mut Random| {
        let kind = *rng.pick(&[Pair::Cancel, Pair::Cancel, Pair::Signed, Pair::Mixed, Pair::Chain]);
        let mut case = random::pair(rng, kind);
        case.numbers = vec![*rng.pick(&[2, 3, 1000, 1 << 20, 3_486_784_401, 1 << 32]), rng.range(-3, 3)];
        case
    };
    check("huge lifted", 30_000, generate, |case| {
        let [a, b] = &case.layouts[..] else { unreachable!() };
        let (block, step) = (case.numbers[0].max(1), case.numbers[1]);
        let outer: Flat = [vec![(block, step)], a.flat()].concat();
        let inner: Flat = b.flat().iter().map(|&(s, d)| (s, d * block)).collect();
        let low = Nest::leaf(block, 1);
        let whole = Nest::Tuple(vec![low, Nest::of_flat(&inner)]);
        let (Some(left), Some(layout)) = (Nest::of_flat(&outer).layout(), whole.layout()) else {
            return Ok(());
        };
        let parts = compose(&a.flat(), &b.flat());
        match (left.composition(&layout), parts) {
            (Ok(r), Some(_)) => {
                right += 1;
                postcondition_at_samples(&outer, &whole, &Nest::of(&r))
            }
            (Ok(r), None) => Err(format!("SILENTLY WRONG: {r}")),
            (Err(Error::Undecided { .. }), _) => {
                undecided += 1;
                Ok(())
            }
            (Err(error), Some(_)) => Err(format!("REFUSED: {error}")),
            (Err(_), None) => {
                refused += 1;
                Ok(())
            }
        }
    });
    println!("huge lifted: {right} right, {refused} refused, {undecided} undecided");
    assert!(undecided * 1000 <= right + refused && right > 0);
}

/// Changes of the step that cancel in parts, and steps near the bounds: the answer is right wherever it is looked at, and a
/// first break that is named is one, with none before it.
#[test]
fn composition_of_huge_layouts_built_to_cancel() {
    let (mut right, mut refused, mut undecided, mut late) = (0, 0, 0, 0);
    let generate = |rng: &mut Random| {
        let extent = |rng: &mut Random| match rng.range(0, 2) {
            0 => rng.range(2, 4),
            1 => 1 << rng.range(1, 14),
            _ => (rng.next() >> rng.range(49, 62)) as i128 + 2,
        };
        let (rank, weight) = (rng.range(3, 5), rng.range(1, 4));
        let mut a = vec![(extent(rng), rng.range(-2, 5))];
        let mut sum = 0;
        for r in 1..rank {
            let last = r + 1 == rank && !rng.once_in(3);
            let change = if last { -sum } else { *rng.pick(&[weight, -weight, -2 * weight]) };
            sum += change;
            let (s, d) = a[a.len() - 1];
            a.push((extent(rng), change + s * d));
        }
        let bounds: Vec<i128> =
            a.iter().scan(1, |all, mode| Some(std::mem::replace(all, *all * mode.0))).collect();
        let bound = *rng.pick(&bounds[1..]);
        let step = match rng.range(0, 3) {
            0 => rng.range(1, 4) * bound + rng.range(-3, 3),
            1 => bound / rng.range(2, 7) + rng.range(-1, 1),
            2 => bound - bound / rng.range(2, 7),
            _ => rng.range(1, 2 * bound),
        };
        let extents =
            [bound, bound + 1, 2 * bound + 2, rng.range(2, 9), (rng.next() >> rng.range(34, 62)) as i128 + 2];
        let mut b = vec![(*rng.pick(&extents), step.max(1))];
        if rng.once_in(3) {
            b.push((rng.range(2, 5), *rng.pick(&bounds) * rng.range(1, 3)));
        }
        Case::layouts([Nest::of_flat(&a), Nest::of_flat(&b)])
    };
    check("huge cancel", 60_000, generate, |case| {
        let (a, b) = (case.layouts[0].flat(), case.layouts[1].flat());
        let (Some(left), Some(layout)) = (case.layouts[0].layout(), case.layouts[1].layout()) else {
            return Ok(());
        };
        match left.composition(&layout) {
            Ok(r) => {
                right += 1;
                postcondition_at_samples(&a, &case.layouts[1], &Nest::of(&r))
            }
            Err(Error::ShapeDivisibility { leaf, steps, extent, stride }) => {
                refused += 1;
                // The first break of a later round is one of the function that is left.
                let (s, d) = b[leaf];
                let changes = |c: i128| at(&a, d * c) != c * at(&a, d);
                let first = (1..=2000).find(|&c| changes(c));
                late += (steps > 2000) as usize;
                match first {
                    _ if extent as i128 != s || !these_fit_and_no_more(&left, steps, stride) => {
                        Err(format!("steps {steps} of {s}"))
                    }
                    Some(first) if steps as i128 % first != 0 => Err(format!("steps {steps}, not {first}")),
                    None if steps <= 2000 => Err(format!("steps {steps}, where nothing changes")),
                    _ => Ok(()),
                }
            }
            // Of a single leaf everything is decided.
            Err(Error::Undecided { .. }) if b.len() > 1 => {
                undecided += 1;
                Ok(())
            }
            Err(error @ Error::Undecided { .. }) => Err(error.to_string()),
            Err(_) => {
                refused += 1;
                Ok(())
            }
        }
    });
    println!("huge cancel: {right} right, {refused} refused, {late} after late steps, {undecided} undecided");
    assert!(undecided * 1000 <= right + refused && right > 0);
}

fn these_fit_and_no_more(left: &Layout, steps: i64, stride: i64) -> bool {
    let composition = |extent: i64| left.composition(&Layout::of(extent, stride).unwrap());
    composition(steps).is_ok() && composition(steps + 1).is_err()
}

/// Anything huge: an answer is right wherever it is looked at.
#[test]
fn composition_of_huge_random_layouts() {
    let (mut right, mut refused, mut undecided) = (0, 0, 0);
    let generate = |rng: &mut Random| {
        let (a, mut b) = (large(rng, -100), large(rng, 0));
        if rng.once_in(2) {
            b.iter_mut().for_each(|mode| mode.1 = 1 << rng.range(0, 20));
        }
        Case::layouts([random::nest_flat(rng, &a), random::nest_flat(rng, &b)])
    };
    check_pair("huge random", 40_000, generate, |[a, b], [left, layout]| match left.composition(&layout) {
        Ok(r) => {
            right += 1;
            postcondition_at_samples(&a.flat(), b, &Nest::of(&r))
        }
        Err(Error::Undecided { .. }) => {
            undecided += 1;
            Ok(())
        }
        Err(Error::ShapeDivisibility { leaf, steps, stride, .. }) => {
            refused += 1;
            let (s, _) = b.flat()[leaf];
            if (2..s).contains(&i128::from(steps)) && these_fit_and_no_more(&left, steps, stride) {
                Ok(())
            } else {
                Err(format!("steps {steps} of {s}"))
            }
        }
        Err(_) => {
            refused += 1;
            Ok(())
        }
    });
    println!("huge random: {right} right, {refused} refused, {undecided} undecided");
    assert!(undecided * 1000 <= right + refused && right > 0);
}

/// A small pair with strides of the left operand near `2^63`.
fn far_pair(rng: &mut Random) -> Case {
    let kind = *rng.pick(&random::PAIRS);
    let mut case = random::pair(rng, kind);
    let a = case.layouts[0].flat();
    let reach: i128 = a.iter().map(|(s, d)| (s - 1) * d.abs()).sum::<i128>().max(1);
    let most = (i128::from(i64::MAX) / reach) >> rng.range(0, 3);
    let far: Flat = a.iter().map(|&(s, d)| (s, d * most + rng.range(-1, 1))).collect();
    case.layouts[0] = random::nest_flat(rng, &far);
    case
}

/// A refusal that a number does not fit is that of a composition that exists, and whose numbers do not fit.
#[test]
fn composition_that_does_not_fit_exists() {
    let (mut large, mut none, mut undecided) = (0, 0, 0);
    check_pair("far", 40_000, far_pair, |[a, b], [left, right]| {
        match (left.composition(&right), compose(&a.flat(), &b.flat())) {
            (Ok(_), Some(_)) => Ok(()),
            (Err(Error::Overflow { .. } | Error::TooLarge { .. }), Some(parts)) => {
                large += 1;
                let whole = Nest::of_flat(&parts.concat());
                if whole.layout().is_none() { Ok(()) } else { Err(format!("{} fits", whole.text())) }
            }
            (Err(Error::Undecided { .. }), _) => {
                undecided += 1;
                Ok(())
            }
            (Err(Error::ShapeDivisibility { .. } | Error::Carry { .. }), None) => {
                none += 1;
                Ok(())
            }
            (found, truth) => Err(format!("{found:?}, a layout exists: {}", truth.is_some())),
        }
    });
    println!("far: {large} that do not fit, {none} that do not exist, {undecided} undecided");
    assert!(large > 0 && none > 0 && undecided * 100 <= large + none);
}

/// The same mode by mode, and by coordinates: one mode without a layout is the reason, whatever the others are.
#[test]
fn composition_by_mode_that_does_not_fit_exists() {
    let (mut large, mut none) = (0, 0);
    let generate = |rng: &mut Random| {
        let (one, two) = (far_pair(rng), far_pair(rng));
        Case { layouts: [one.layouts, two.layouts].concat(), numbers: vec![] }
    };
    check("far by mode", 40_000, generate, |case| {
        let [a, b, c, d] = &case.layouts[..] else { unreachable!() };
        let exists = |a: &Nest, b: &Nest| compose(&a.flat(), &b.flat()).is_some();
        let exists = exists(a, b) && exists(c, d);
        let modes = |first: &Nest, second: &Nest| Nest::Tuple(vec![first.clone(), second.clone()]).layout();
        let on = |nest: &Nest, axis: usize| {
            let steps = nest.flat().into_iter().map(|(s, d)| Nest::Leaf(s, Step::basis(d, &[axis])));
            Nest::Tuple(steps.collect())
        };
        let (Some(left), Some(right), Some(tile), Some(other)) =
            (modes(a, c), modes(&on(b, 0), &on(d, 1)), b.layout(), d.layout())
        else {
            return Ok(());
        };
        let tiler = Tiler::by_mode(&[tile.as_tiler(), other.as_tiler()]).unwrap();
        for found in [left.composition_by_mode(&tiler), left.composition(&right)] {
            match found {
                Err(error @ (Error::Overflow { .. } | Error::TooLarge { .. })) => {
                    large += 1;
                    if !exists {
                        return Err(format!("{error}, where no layout exists"));
                    }
                }
                Err(_) => none += 1,
                Ok(_) => {}
            }
        }
        Ok(())
    });
    println!("far by mode: {large} that do not fit, {none} others");
    assert!(large > 0 && none > 0);
}

fn large_gapped(rng: &mut Random, gapped: bool) -> Flat {
    let mut order: Vec<(usize, i128)> = large(rng, 0).into_iter().map(|mode| mode.0).enumerate().collect();
    let mut modes = vec![(1, 0); order.len()];
    rng.shuffle(&mut order);
    let mut stride = 1;
    for (i, s) in order {
        stride *= if gapped && rng.once_in(3) { rng.range(1, 9) } else { 1 };
        modes[i] = (s, stride);
        stride *= s;
    }
    modes
}

#[test]
fn inverses_and_complements_of_huge_layouts() {
    let generate = |rng: &mut Random| {
        let gapped = rng.once_in(2);
        let modes = large_gapped(rng, gapped);
        Case { layouts: vec![random::nest_flat(rng, &modes)], numbers: vec![rng.range(1, 1 << 44)] }
    };
    check("huge inverses", 20_000, generate, |case| {
        let (l, within) = (&case.layouts[0], case.numbers[0].max(1));
        let flat = l.flat();
        let Some(layout) = l.layout() else { return Ok(()) };
        let say = |error: Error| error.to_string();
        let mut rng = Random::new(within as u64);
        let r = Nest::of(&layout.right_inverse().map_err(say)?).flat();
        for k in samples(&mut rng, &r) {
            if at(&flat, at(&r, k)) != k || !(0..size(&flat)).contains(&at(&r, k)) {
                return Err(format!("right inverse {} at {k}", Nest::of_flat(&r).text()));
            }
        }
        let g = Nest::of(&layout.left_inverse().map_err(say)?).flat();
        for k in samples(&mut rng, &flat) {
            if at(&g, at(&flat, k)) != k {
                return Err(format!("left inverse {} at {k}", Nest::of_flat(&g).text()));
            }
        }
        let modes = segregated(&flat).unwrap();
        let compact = modes.last().is_none_or(|(s, d)| s * d == size(&flat));
        if (size(&r) == size(&flat)) != compact || layout.inverse().is_ok() != compact {
            return Err(format!("right inverse {} of a layout compact: {compact}", Nest::of_flat(&r).text()));
        }
        if !layout.is_injective().map_err(say)? || layout.is_compact().map_err(say)? != compact {
            return Err("is_injective or is_compact".into());
        }
        let c = Nest::of(&layout.complement().map_err(say)?);
        if c != Nest::of_flat(&gaps(&modes, |_| 1)) {
            return Err(format!("complement {}", c.text()));
        }
        let c = Nest::of(&layout.complement_within(&HTuple::leaf(within as i64)).map_err(say)?);
        let form = merged(&gaps(&modes, |below| (within + below - 1) / below));
        if c != Nest::of_flat(&form) {
            return Err(format!("complement_within {}, expected {}", c.text(), Nest::of_flat(&form).text()));
        }
        let form = Nest::of(&layout.coalesce());
        if form != Nest::of_flat(&merged(&flat)) {
            return Err(format!("coalesce {}", form.text()));
        }
        if layout.nullspace() != Ok(Layout::UNIT) || layout.common_layout(&layout) != layout.right_inverse() {
            return Err("nullspace, or what a layout has in common with itself".into());
        }
        Ok(())
    });
}

#[test]
fn divides_of_huge_layouts() {
    let mut found = 0;
    let generate = |rng: &mut Random| {
        let a = large(rng, 0);
        let (mut below, index) = (1, rng.range(0, a.len() as i128 - 1) as usize);
        a[..index].iter().for_each(|mode| below *= mode.0);
        let tile = *rng.pick(&[(a[index].0, below), (2, below), (4, 1), (8, 1), (128, 1), (3, 1)]);
        Case::layouts([random::nest_flat(rng, &a), Nest::leaf(tile.0, tile.1)])
    };
    check_pair("huge divide", 20_000, generate, |[a, b], [left, tile]| {
        let Ok(r) = left.logical_divide(&tile.as_tiler()) else { return Ok(()) };
        found += 1;
        let modes = segregated(&b.flat()).ok_or("no complement")?;
        let rest = merged(&gaps(&modes, |below| (a.size() + below - 1) / below));
        let whole = Nest::Tuple(vec![b.clone(), Nest::of_flat(&rest)]);
        postcondition_at_samples(&a.flat(), &whole, &Nest::of(&r))
    });
    assert!(found > 0);
}

/// Too large to be searched, or gone through: a rule has to answer, and past the budget nothing is claimed.
#[test]
fn what_no_search_reaches() {
    let parse = |text: &str| Layout::parse(text).unwrap();
    let diagonal = parse("(64,64):(^1,^65)");
    for left in ["5000:1", "(1,5000):(-2,1)", "(8,625):(1,8)"] {
        assert_eq!(parse(left).composition(&diagonal), Ok(diagonal), "{left}");
    }
    // The last digit never carries.
    assert_eq!(parse("(3,4):(^1,^8)").composition(&parse("4608:1")), Ok(parse("(3,1536):(^1,^8)")));
    // No offset has a bit that the swizzle reads.
    let nested = parse("(5000):(3)");
    let swizzled = Composed::new(Swizzle::new(1, 20, 3).unwrap(), 0, nested).unwrap();
    assert_eq!(swizzled.to_layout(), Ok(nested));
    for (text, result) in [
        ("(11,17,9):(^4,^1,^1)", parse("(11,17,9):(^4,^1,^1)").right_inverse()),
        ("(19,9,9):(^1,^1,^1)", parse("(19,9,9):(^1,^1,^1)").nullspace()),
    ] {
        assert!(matches!(result, Err(Error::Undecided { .. })), "{text}: {result:?}");
    }
    for (text, nullspace) in [
        // Modes of stride 0 stay apart, as in CuTe.
        ("(2,2,2):(0,0,1)", "(2,2):(1,2)"),
        // Indices beyond the first word of their set.
        ("(8,4,8,3):(^3,^3,^5,^3)", "(4,4,3):(^9,^35,^257)"),
    ] {
        assert_eq!(parse(text).nullspace(), Ok(parse(nullspace)), "{text}");
    }
}

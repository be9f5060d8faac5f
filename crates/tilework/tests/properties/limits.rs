//! Numbers at the ends of 64 bits, through every public operation: no panic, no wrap, and an overflow only where the result
//! does not fit.

use crate::huge::{postcondition_at_samples, samples};
use crate::oracle::{self, Axis, Flat, Nest, at, carryless};
use crate::random::{self, Case, Kind, Random, check, check_layout};
use tilework::{
    __private::ceil_div, BitMatrix, Codomain, Composed, Coord, Counting, Error, HTuple, Layout, Pattern,
    PatternLeaf, Rational, Shape, Stride, Swizzle, Tensor, Tiler, Unit, View,
};

fn extreme(rng: &mut Random, unit: &Axis) -> Nest {
    let mut leaves: Vec<Nest> = Vec::new();
    for _ in 0..rng.range(1, 5) {
        let power = 1i128 << rng.range(0, 62);
        let extent =
            *rng.pick(&[1, 2, 3, power, power - 1, power + 1, 1 << 31, (1 << 32) + 1, i64::MAX as i128]);
        let power = 1i128 << rng.range(0, 63);
        let any = rng.next() as i64 as i128;
        let count = *rng.pick(&[
            0,
            1,
            -1,
            2,
            power,
            -power,
            power - 1,
            any,
            any >> 32,
            i64::MAX as i128,
            i64::MIN as i128,
            i64::MIN as i128 + 1,
        ]);
        let count = if *unit == Axis::Xor { count.abs() } else { count };
        if i64::try_from(count).is_err() || extent < 1 {
            continue;
        }
        let unit = if count == 0 { Axis::One } else { unit.clone() };
        let leaf = Nest::Leaf(extent, oracle::Step { count: (count, 1), unit });
        leaves.push(leaf);
        if random::nest(&mut Random::new(1), &leaves).layout().is_none() {
            // Too large: an extent of 1 or 2 may still do.
            let Nest::Leaf(_, step) = leaves.pop().unwrap() else { unreachable!() };
            let small = Nest::Leaf(rng.range(1, 2), step);
            leaves.push(small);
            if random::nest(&mut Random::new(1), &leaves).layout().is_none() {
                leaves.pop();
            }
        }
    }
    if leaves.is_empty() {
        leaves.push(Nest::leaf(1, 0));
    }
    if *unit == Axis::One && rng.once_in(3) {
        // Offsets up to the very last of 64 bits, or the very first.
        let flat: Flat = leaves.iter().flat_map(Nest::flat).collect();
        let reach = |sign: i128| -> i128 { flat.iter().map(|(s, d)| ((s - 1) * d * sign).max(0)).sum() };
        let rest = if rng.once_in(3) {
            i64::MIN as i128 + reach(-1)
        } else {
            i64::MAX as i128 - reach(1) - rng.range(0, 1)
        };
        leaves.push(Nest::leaf(2, rest));
        if random::nest(&mut Random::new(1), &leaves).layout().is_none() {
            leaves.pop();
        }
        rng.shuffle(&mut leaves);
    }
    random::nest(rng, &leaves)
}

/// A result can be printed, read and evaluated at its corners.
fn sound(result: Result<Layout, Error>) -> Result<Option<Nest>, String> {
    let Ok(layout) = result else {
        assert!(!result.unwrap_err().message().as_str().is_empty());
        return Ok(None);
    };
    let text = layout.to_string();
    match text.parse::<Layout>() {
        Ok(again) if again == layout => {}
        other => return Err(format!("{text} parses to {other:?}")),
    }
    let last = HTuple::leaf(layout.size() - 1);
    if let Err(error) = layout.evaluate(&last) {
        return Err(format!("{text} has no offset at its last coordinate: {error}"));
    }
    Ok(Some(Nest::of(&layout)))
}

/// Each expression with its own text.
macro_rules! named {
    ($($operation:expr),* $(,)?) => { [$((stringify!($operation), $operation)),*] };
}

#[test]
fn every_operation_at_the_limits_of_64_bits() {
    let mut composed = 0;
    let generate = |rng: &mut Random| {
        let unit = rng
            .pick(&[
                Axis::One,
                Axis::One,
                Axis::One,
                Axis::Xor,
                Axis::Basis(vec![0]),
                Axis::Basis(vec![1, 0]),
            ])
            .clone();
        let a = extreme(rng, &unit);
        let b = if rng.once_in(3) { extreme(rng, &unit) } else { extreme(rng, &Axis::One) };
        Case { layouts: vec![a, b], numbers: vec![rng.next() as i64 as i128, rng.next() as i64 as i128] }
    };
    check("extremes", 15_000, generate, |case| {
        let [a, b] = &case.layouts[..] else { unreachable!() };
        let numbers: Vec<i64> = case.numbers.iter().map(|&n| n as i64).collect();
        let (Some(left), Some(right)) = (a.layout(), b.layout()) else { return Ok(()) };
        let (small, huge) = (numbers[0] % 9, numbers[1]);
        let tilers = [
            right.as_tiler(),
            Tiler::by_mode(&[right.as_tiler()]).unwrap(),
            Tiler::of_shape(&right.shape()).unwrap(),
        ];
        let shape = right.shape();
        for (name, result) in named![
            Ok(left.coalesce()),
            Ok(left.coalesce_extended()),
            left.coalesce_by_mode((..,)),
            Ok(left.filter_zeros()),
            Ok(left.filter()),
            Ok(left.sort()),
            left.right_inverse(),
            left.left_inverse(),
            left.inverse(),
            left.nullspace(),
            left.complement(),
            left.complement_within(&HTuple::leaf(huge)),
            left.complement_within(&HTuple::leaf(i64::MAX)),
            left.complement_within(&shape),
            left.blocked_product(&right),
            left.raked_product(&right),
            left.tile_to_shape(&shape, &HTuple::leaf(0)),
            left.recast(small, huge),
            left.recast(huge, small),
            left.recast(8, 32),
            left.upcast(small),
            left.upcast(huge),
            left.downcast(small),
            left.downcast(huge),
            left.common_layout(&right),
            left.layout_add(&right),
            left.layout_add(&left),
            left.compact_like(),
            Layout::row_major(&shape),
            Layout::column_major(&shape),
            Layout::identity(&shape),
            left.pad_to_rank(4),
            left.append(&right),
            left.replace(0, &right),
        ] {
            sound(result).map_err(|text| format!("{name}: {text}"))?;
        }
        for tiler in &tilers {
            for (name, result) in named![
                left.composition_by_mode(tiler),
                left.logical_divide(tiler),
                left.zipped_divide(tiler),
                left.tiled_divide(tiler),
                left.flat_divide(tiler),
                left.logical_product(tiler),
                left.zipped_product(tiler),
                left.tiled_product(tiler),
                left.flat_product(tiler),
            ] {
                sound(result).map_err(|text| format!("{name}: {text}"))?;
            }
        }
        let _ =
            (left.min_offset(), left.max_offset(), left.cosize(), left.span(), left.common_vector(&right));
        let _ = (
            left.is_injective(),
            left.is_surjective(),
            left.is_bijective(),
            left.is_compact(),
            left.is_increasing(),
        );
        let _ = (
            left.is_composable(&right),
            left.is_complementable(),
            left.equivalent(&right),
            left.compatible(&right),
        );
        let _ = (
            left.greatest_common_domain(&right),
            left.shape().common_coarsening(&shape),
            left.shape().common_refinement(&shape),
        );
        let _ = (left.shape().shape_div(huge), left.shape().shape_div(small), left.shape().mode_sizes());
        for x in [huge, i64::MAX, i64::MIN, -1] {
            let index = HTuple::leaf(x);
            let _ =
                (left.try_at(x), left.evaluate(&index), shape.crd2idx(&index), shape.is_in_bounds(&index));
            let back = shape.idx2crd(&index).and_then(|c| shape.crd2idx(&c));
            if back != Ok(x) {
                return Err(format!("idx2crd({x}) comes back as {back:?}"));
            }
        }
        if let Some(r) = sound(left.composition(&right))? {
            let integers = a.leaves().iter().chain(&b.leaves()).all(|(_, step)| step.unit == Axis::One);
            if integers {
                composed += (b.size() > 1) as usize;
                postcondition_at_samples(&a.flat(), b, &r)?;
            }
        }
        Ok(())
    });
    println!("extremes: {composed} compositions");
    assert!(composed > 0);
}

/// The largest offset is the last of 64 bits: one more does not fit.
#[test]
fn the_inverses_at_the_last_offset() {
    for (text, size) in [
        ("(2,3,2):(-1,4611686018427387903,1)", 2),
        ("(2,2,2):(1,1,9223372036854775805)", 2),
        ("(2,2):(1,9223372036854775806)", 2),
        ("2:9223372036854775807", 1),
        ("2:-9223372036854775808", 1),
    ] {
        let layout: Layout = text.parse().unwrap();
        assert_eq!(layout.right_inverse().map(|r| r.size()), Ok(size), "{text}");
        assert_eq!(layout.common_layout(&layout).map(|r| r.size()), Ok(size), "{text}");
        let _ = (layout.left_inverse(), layout.nullspace(), layout.inverse(), layout.complement());
    }
}

/// Bounds near 2^63 are what `i128` says, or an overflow.
#[test]
fn bounds_near_the_limits() {
    let generate = |rng: &mut Random| extreme(rng, &Axis::One);
    check_layout("extreme bounds", 30_000, generate, |l, layout| {
        let low: i128 = l.flat().iter().map(|(s, d)| ((s - 1) * d).min(0)).sum();
        let high: i128 = l.flat().iter().map(|(s, d)| ((s - 1) * d).max(0)).sum();
        for (name, found, truth) in [
            ("min", layout.min_offset(), low),
            ("max", layout.max_offset(), high),
            ("cosize", layout.cosize(), high + 1),
            ("span", layout.span(), high - low + 1),
        ] {
            let right = match found {
                Ok(found) => found as i128 == truth,
                Err(Error::Overflow { .. }) => i64::try_from(truth).is_err(),
                Err(_) => false,
            };
            if !right {
                return Err(format!("{name} is {truth}, not {found:?}"));
            }
        }
        for c in samples(&mut Random::new(9), &l.flat()) {
            if layout.try_at(c as i64).map(i128::from) != Ok(at(&l.flat(), c)) {
                return Err(format!("at {c}"));
            }
        }
        Ok(())
    });
    let mut rng = Random::new(2);
    assert!((0..200).any(|_| extreme(&mut rng, &Axis::One).size() > 1 << 50));
    assert!(random::flat(&mut rng, Kind::Compact, 2, 9).len() < 20);
}

/// A number at an end of 64 bits, a power of two, or anything.
fn number(rng: &mut Random) -> i64 {
    let power = 1i64 << rng.range(0, 62);
    let any = rng.next() as i64;
    *rng.pick(&[0, 1, -1, 2, power, -power, power - 1, any, any >> 32, i64::MAX, i64::MIN, i64::MIN + 1])
}

/// One index for each leaf.
fn coordinate(layout: &Layout, indices: &[i64]) -> Coord {
    HTuple::with_profile(layout.profile(), indices, 0).unwrap()
}

/// `(component, sum)` of `count * step` in components over the denominator 12; `None` beyond 128 bits, and for negative
/// multiples of XOR strides.
fn sums(terms: &[(i128, oracle::Step)]) -> Option<Vec<(Axis, i128)>> {
    let mut sums: Vec<(Axis, i128)> = Vec::new();
    for (count, step) in terms.iter().filter(|(_, step)| step.count.0 != 0) {
        if !sums.iter().any(|(axis, _)| *axis == step.unit) {
            sums.push((step.unit.clone(), 0));
        }
        let sum = &mut sums.iter_mut().find(|(axis, _)| *axis == step.unit).unwrap().1;
        if step.unit == Axis::Xor {
            if *count < 0 {
                return None;
            }
            *sum ^= carryless(*count, step.count.0);
        } else {
            *sum = sum.checked_add(count.checked_mul(step.count.0)?.checked_mul(12 / step.count.1)?)?;
        }
    }
    Some(sums)
}

/// What `evaluate` has to say where the sums are these.
fn postcondition_evaluation(
    layout: &Layout,
    coord: &Coord,
    terms: &[(i128, oracle::Step)],
    fitted: &mut usize,
) -> Result<(), String> {
    let Some(sums) = sums(terms) else { return Ok(()) };
    let truth: Option<Vec<(Axis, Rational)>> = sums
        .into_iter()
        .map(|(axis, sum)| {
            let denominator = if axis == Axis::Xor { 1 } else { 12 };
            let divisor = oracle::gcd(sum, denominator).abs();
            let numerator = i64::try_from(sum / divisor).ok()?;
            Some((axis, Rational::new(numerator, (denominator / divisor) as i64).unwrap()))
        })
        .collect();
    match (layout.evaluate(coord), truth) {
        (Ok(offset), Some(truth)) => {
            let zero = Rational::integer(0);
            let expected: Vec<Rational> =
                truth.iter().map(|(_, sum)| *sum).filter(|sum| *sum != zero).collect();
            let mut found: Vec<Rational> =
                offset.leaves().iter().copied().filter(|sum| *sum != zero).collect();
            // The components stand in the order of their paths, which these may not.
            found.sort_by_key(|sum| (sum.numerator(), sum.denominator()));
            let mut expected = expected;
            expected.sort_by_key(|sum| (sum.numerator(), sum.denominator()));
            if found != expected {
                return Err(format!("{layout} at {coord} is {expected:?}, not {offset}"));
            }
            *fitted += (layout.try_at(0).is_ok() && offset.leaves()[0].numerator().unsigned_abs() > 1 << 60)
                as usize;
            Ok(())
        }
        (Err(error), None) if error.code() == "overflow" || error.code() == "argument" => Ok(()),
        (found, truth) => Err(format!("{layout} at {coord}: {found:?}, where the sums are {truth:?}")),
    }
}

/// An offset fits or not, whatever the terms are: single indices beyond the layout, and one for each leaf.
#[test]
fn evaluation_overflows_only_where_the_offset_does_not_fit() {
    let mut fitted = 0;
    let generate = |rng: &mut Random| {
        let unit = rng.pick(&[Axis::One, Axis::One, Axis::Xor, Axis::Basis(vec![1])]).clone();
        let mut nest = extreme(rng, &unit);
        if rng.once_in(2) && unit != Axis::Xor {
            // Strides that cancel, some of them fractions.
            let count = number(rng) >> rng.range(0, 3);
            let denominators = if unit == Axis::One { [1, 2, 3, 4] } else { [1; 4] };
            let leaf = |rng: &mut Random, count: i64| {
                let count = (count.saturating_neg().max(-i64::MAX) as i128, *rng.pick(&denominators));
                let divisor = oracle::gcd(count.0, count.1).abs().max(1);
                let count = (count.0 / divisor, count.1 / divisor);
                let unit = if count.0 == 0 { Axis::One } else { unit.clone() };
                Nest::Leaf(1, oracle::Step { count, unit })
            };
            let other = count.saturating_neg().saturating_add(rng.range(-1, 1) as i64);
            nest = Nest::Tuple(vec![leaf(rng, count), nest, leaf(rng, other)]);
        }
        let same = number(rng) as i128;
        let numbers = (0..9).map(|_| if rng.once_in(2) { same } else { number(rng) as i128 }).collect();
        Case { layouts: vec![nest], numbers }
    };
    check("extreme evaluation", 60_000, generate, |case| {
        let Some(layout) = case.layouts[0].layout() else { return Ok(()) };
        let leaves = case.layouts[0].leaves();
        let indices: Vec<i64> = case.numbers.iter().map(|&n| n as i64).collect();
        if leaves.len() > indices.len() {
            return Ok(());
        }
        let terms: Vec<(i128, oracle::Step)> =
            indices.iter().zip(&leaves).map(|(&index, (_, step))| (index as i128, step.clone())).collect();
        let natural = coordinate(&layout, &indices[..leaves.len()]);
        postcondition_evaluation(&layout, &natural, &terms, &mut fitted)?;
        let fixed: Vec<PatternLeaf> = natural.leaves().iter().map(|&index| PatternLeaf::At(index)).collect();
        let pattern: Pattern = HTuple::with_profile(natural.profile(), &fixed, PatternLeaf::All).unwrap();
        let sliced = layout.slice(&pattern).map(|view| *view.offset());
        if sliced != layout.evaluate(&natural) {
            return Err(format!("the slice at {natural} has the offset {sliced:?}"));
        }
        for &x in &indices[..3] {
            let (mut rest, mut terms) = (x as i128, Vec::new());
            for (i, (extent, step)) in leaves.iter().enumerate() {
                let digit = if i + 1 < leaves.len() { rest.rem_euclid(*extent) } else { rest };
                rest = rest.div_euclid(*extent);
                terms.push((digit, step.clone()));
            }
            postcondition_evaluation(&layout, &HTuple::leaf(x), &terms, &mut fitted)?;
            let whole = layout.evaluate(&HTuple::leaf(x)).map(|offset| offset.leaves()[0].numerator());
            let integral = matches!(layout.codomain(), Codomain::Integer | Codomain::Xor);
            if layout.try_at(x).ok() != whole.ok().filter(|_| integral) {
                return Err(format!("try_at({x}) is {:?}, evaluate {whole:?}", layout.try_at(x)));
            }
        }
        Ok(())
    });
    println!("extreme evaluation: {fitted} large offsets");
    assert!(fitted > 0);
}

/// Shapes may be larger than any layout; an index fits or not.
#[test]
fn indices_of_coordinates_into_huge_shapes() {
    let (mut fitting, mut inside) = (0, 0);
    let generate = |rng: &mut Random| {
        let mut extents: Vec<i128> =
            (0..rng.range(1, 4)).map(|_| (rng.next() >> rng.range(33, 63)) as i128 + 1).collect();
        extents.push(*rng.pick(&[1, 2, i64::MAX as i128]));
        // The first terms may cancel the last.
        let back = -extents[0];
        let numbers = extents
            .iter()
            .map(|&extent| {
                *rng.pick(&[0, 0, 1, back, extent - 1, number(&mut Random::new(extent as u64)) as i128])
            })
            .collect();
        let leaves: Vec<Nest> = extents.into_iter().map(|extent| Nest::leaf(extent, 0)).collect();
        Case { layouts: vec![Nest::Tuple(leaves)], numbers }
    };
    check("extreme indices", 40_000, generate, |case| {
        let leaves = case.layouts[0].leaves();
        if case.numbers.len() != leaves.len() || leaves.len() > 5 {
            return Ok(());
        }
        let extents: Vec<HTuple<i64>> = leaves.iter().map(|leaf| HTuple::leaf(leaf.0 as i64)).collect();
        let parts: Vec<Coord> = case.numbers.iter().map(|&index| HTuple::leaf(index as i64)).collect();
        let (Ok(shape), Ok(coord)) = (Shape::tuple(&extents), Coord::tuple(&parts)) else {
            return Ok(());
        };
        // What is beyond 128 bits is beyond 64.
        let truth = leaves
            .iter()
            .zip(&case.numbers)
            .rev()
            .try_fold(0, |sum: i128, (leaf, own)| sum.checked_mul(leaf.0)?.checked_add(*own));
        let truth = truth.unwrap_or(i128::MAX);
        match (shape.crd2idx(&coord), i64::try_from(truth)) {
            (Ok(index), Ok(truth)) if index == truth => {
                fitting += (index.unsigned_abs() > 1 << 40) as usize;
                let back = shape.idx2crd(&HTuple::leaf(index)).and_then(|natural| shape.crd2idx(&natural));
                if back != Ok(index) {
                    return Err(format!("idx2crd({index}) comes back as {back:?}"));
                }
            }
            (Err(error), Err(_)) if error.code() == "overflow" => {}
            (found, _) => return Err(format!("crd2idx is {found:?}, not {truth}")),
        }
        let bounds = leaves.iter().zip(&case.numbers).all(|(leaf, own)| (0..leaf.0).contains(own));
        inside += bounds as usize;
        if shape.is_in_bounds(&coord) != bounds {
            return Err(format!("is_in_bounds is not {bounds}"));
        }
        // A single index below 2^63 lies within a shape of any larger size.
        let all = leaves.iter().fold(1, |all: i128, leaf| all.saturating_mul(leaf.0));
        for index in [0, 1, i64::MAX, -1, i64::MIN] {
            if shape.is_in_bounds(&HTuple::leaf(index)) != (0..all).contains(&(index as i128)) {
                return Err(format!("is_in_bounds({index})"));
            }
        }
        let (_, _) = (shape.size(), shape.coordinates().size_hint());
        Ok(())
    });
    assert!(fitting > 0 && inside > 0);
}

/// What is not in [`every_operation_at_the_limits_of_64_bits`]: parts, views, swizzles, matrices, chains, tensors.
#[test]
fn every_other_operation_at_the_limits_of_64_bits() {
    let generate = |rng: &mut Random| {
        let unit = rng.pick(&[Axis::One, Axis::One, Axis::Xor, Axis::Basis(vec![0])]).clone();
        let layouts = vec![extreme(rng, &unit), extreme(rng, &unit)];
        Case { layouts, numbers: (0..8).map(|_| number(rng) as i128).collect() }
    };
    check("extreme others", 10_000, generate, |case| {
        let [Some(left), Some(right)] = [case.layouts[0].layout(), case.layouts[1].layout()] else {
            return Ok(());
        };
        let numbers: Vec<i64> = case.numbers.iter().map(|&n| n as i64).collect();
        let [x, y, z, ..] = numbers[..] else { return Ok(()) };
        let (shape, at, one) = (left.shape(), HTuple::leaf(x), HTuple::leaf(y));
        let order = HTuple::with_profile(left.profile(), &numbers, 0);
        for (name, result) in named![
            left.mode(0),
            left.get(&[0, x as usize % 3]),
            left.take(0, y as usize % 4),
            left.select(&[x as usize % 4, 0]),
            left.group(0, 2),
            left.unflatten(right.profile()),
            left.prepend(&right),
            Layout::concatenate(&[left, right, left]),
            Ok(left.flatten()),
            order.and_then(|order| Layout::ordered(&shape, &order)),
            left.tile_to_shape(&right.shape(), &one),
            left.dice(&HTuple::leaf(PatternLeaf::At(x))),
            left.composition(&Layout::of(2, x).unwrap_or(right)),
            Layout::of((2, y), (x, z)),
            Layout::of(y, x).and_then(|steps| steps.composition(&left)),
            Layout::of(&shape, &right.stride()),
        ] {
            sound(result).map_err(|text| format!("{name}: {text}"))?;
        }
        let _ = (left.congruent(&right), left.weakly_congruent(&right), left.refines(&right.shape()));
        let _ = (
            shape.convert(&at, &right.shape()),
            shape.is_admissible(&at),
            shape.size(),
            shape.compatible(&shape),
        );
        if let Ok(form) = left.linear_form() {
            let _ = (form.get(0, 0), form.to_string());
        }
        for view in [
            left.slice(&HTuple::leaf(PatternLeaf::At(x))),
            left.slice(&HTuple::leaf(PatternLeaf::All)),
            View::new(HTuple::leaf(Rational::integer(x)), left),
        ] {
            let Ok(view) = view else { continue };
            let text = view.to_string();
            if text.parse() != Ok(view) {
                return Err(format!("{text} parses to {:?}", text.parse::<View>()));
            }
            let _ = (view.evaluate(&one), view.slice(&HTuple::leaf(PatternLeaf::At(y))));
            if let (Ok(sum), Ok(own)) = (view.evaluate(&one), view.layout().evaluate(&one))
                && left.codomain() == Codomain::Integer
            {
                let parts = [view.offset(), &own].map(|part| part.leaves()[0].numerator() as i128);
                if sum.leaves()[0].numerator() as i128 != parts[0] + parts[1] {
                    return Err(format!("{text} at {one} is {sum}"));
                }
            }
        }
        for (bits, base, shift) in [(3, 4, 3), (1, 0, 1), (0, 0, 0), (2, 58, 2), (2, 3, -3), (x, y, z)] {
            let Ok(swizzle) = Swizzle::new(bits, base, shift) else { continue };
            if let Ok(twice) = swizzle.apply(x).and_then(|once| swizzle.apply(once))
                && twice != x
            {
                return Err(format!("{swizzle} twice sends {x} to {twice}"));
            }
            let _ = swizzle.compose(swizzle);
            let Ok(composed) = Composed::new(swizzle, y, left) else { continue };
            let text = composed.to_string();
            if text.parse() != Ok(composed) {
                return Err(format!("{text} parses to {:?}", text.parse::<Composed>()));
            }
            let _ = (composed.try_at(&at), composed.composition(&right));
            let _ = composed.slice(&HTuple::leaf(PatternLeaf::At(z)));
            if let (Ok(sum), Ok(own)) = (composed.try_at(&at), left.try_at(x))
                && left.codomain() == Codomain::Integer
                && swizzle.apply((y as i128 + own as i128) as i64) != Ok(sum)
            {
                return Err(format!("{text} at {x} is {sum}"));
            }
            sound(composed.to_xor())?;
        }
        let _ = left.to_swizzle();
        if let Ok(matrix) = left.to_bit_matrix() {
            let _ = (matrix.rank(), matrix.inverse(), matrix.apply(x as u64), matrix.multiply(&matrix));
            sound(matrix.to_layout())?;
            sound(matrix.to_integer_layout())?;
        }
        let columns: Vec<u64> = numbers.iter().map(|&n| n as u64).collect();
        for rows in [0, 1, 8, 63, 64, 65, usize::MAX] {
            let Ok(matrix) = BitMatrix::new(rows, &columns[..3]) else { continue };
            let _ = (matrix.rank(), matrix.inverse(), matrix.apply(u64::MAX));
            sound(matrix.to_layout())?;
            sound(matrix.to_integer_layout())?;
        }
        if let Ok(tensor) = Tensor::with_offset(Counting, x, left) {
            let tiler = right.as_tiler();
            let index = [y, left.size() - 1, 0, -1][z as usize % 4];
            let part = [tensor.get(index), tensor.domain_offset(&one).ok().map(|moved| moved.at(0i64))];
            let truth = |i: i64| left.try_at(i).ok().and_then(|own| x.checked_add(own));
            if left.codomain() == Codomain::Integer
                && (0..left.size()).contains(&index)
                && part[0] != truth(index)
            {
                return Err(format!("element {index} of {left} from {x} is {part:?}"));
            }
            let _ = tensor.local_tile(&tiler, y).map(|tile| tile.shape());
            let _ = tensor.local_partition(&right, z).map(|part| part.shape());
            let _ = (tensor.zipped_divide(&tiler).is_ok(), tensor.map_layout(|layout| Ok(*layout)).is_ok());
        }
        Ok(())
    });
}

/// Fractions, strides and the ceiling at the ends of 64 bits, against 128 bits.
#[test]
fn numbers_at_the_limits() {
    let mut rng = Random::new(3);
    for _ in 0..random::cases(400_000) {
        let [a, b, c, d] = [(); 4].map(|()| number(&mut rng));
        let [wide_a, wide_b] = [a as i128, b as i128];
        if b > 0 {
            assert_eq!(ceil_div(a, b) as i128, -(-wide_a).div_euclid(wide_b), "{a} {b}");
        }
        let Ok(left) = Rational::new(a, b) else { continue };
        let (n, m) = (left.numerator() as i128, left.denominator() as i128);
        assert_eq!(n * wide_b, wide_a * m, "{a}/{b}");
        let product = left.scale(c);
        let fits = |numerator: i128, denominator: i128| {
            let divisor = oracle::gcd(numerator, denominator).abs();
            let (numerator, denominator) = (numerator / divisor, denominator / divisor);
            i64::try_from(numerator).is_ok() && u32::try_from(denominator).is_ok()
        };
        assert_eq!(product.is_ok(), fits(n * c as i128, m), "{a}/{b} times {c}");
        if let Ok(product) = product {
            assert_eq!(product.numerator() as i128 * m, n * c as i128 * product.denominator() as i128);
        }
        let Ok(right) = Rational::new(c, d) else { continue };
        let (p, q) = (right.numerator() as i128, right.denominator() as i128);
        let sum = left.add(right);
        assert_eq!(sum.is_ok(), fits(n * q + p * m, m * q), "{a}/{b} plus {c}/{d}");
        for unit in [Unit::ONE, Unit::XOR, Unit::basis(&[3, 0]).unwrap()] {
            let (Ok(one), Ok(other)) = (Stride::new(left, unit), Stride::new(right, unit)) else { continue };
            let _ = (one.scale(c), one.scale(d), one.add(other), other.as_integer());
        }
    }
}

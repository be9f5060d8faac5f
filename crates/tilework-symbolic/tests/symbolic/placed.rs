//! Layouts behind a start offset and a swizzle: instances against enumeration.

use crate::random::{Counts, Nest, Problem, Rng, cases, offset, rng};
use tilework::{Composed, HTuple, Layout, PatternLeaf, Swizzle};
use tilework_symbolic::{Guard, Number, Placed, Scope, Tuple, Values, Verdict};

/// A layout with blocks of its swizzle now and then, and an offset in some of its names.
fn random(rng: &mut Rng) -> Option<(Problem, Placed)> {
    let mut problem = Problem::random(rng);
    let name = problem.name(rng);
    let text = match rng.range(0, 3) {
        0 => format!("(8,{name}):({name},1)"),
        1 => format!("({name},16):(1,{name})"),
        _ => {
            let modes = problem.modes(rng);
            Nest::random(rng, modes).text()
        }
    };
    let layout = problem.scope.layout(&text).ok()?;
    let name = problem.name(rng);
    let least = problem.scope.min_offset(&layout).ok()?;
    let number = |scope: &mut Scope, text: &str| scope.number(text).ok();
    let offset = match rng.range(0, 5) {
        0 => Number::integer(0),
        1 => number(&mut problem.scope, &name)?,
        2 => number(&mut problem.scope, &format!("8*{name}"))?,
        3 => Number::integer(rng.range(0, 40)),
        _ => Number::integer(0).sub(&least).ok()?,
    };
    let (bits, base) = (rng.range(0, 2), rng.range(0, 2));
    let swizzle = Swizzle::new(bits, base, rng.range(bits, 2) * rng.pick(&[1, 1, -1])).unwrap();
    let swizzle = if rng.chance(60) { swizzle } else { Swizzle::NONE };
    let placed = problem.scope.placed_of(swizzle, offset, layout).ok()?;
    Some((problem, placed))
}

/// The offsets by the definition.
fn offsets(placed: &Composed) -> Vec<i64> {
    let one = |x| {
        let sum = placed.offset() + offset(placed.layout(), x) as i64;
        // An offset alone may be negative.
        if placed.swizzle() == Swizzle::NONE { sum } else { placed.swizzle().apply(sum).unwrap() }
    };
    (0..i128::from(placed.layout().size())).map(one).collect()
}

fn judge(counts: &mut Counts, scope: &Scope, verdict: &Verdict, values: &Values, truth: bool, case: &str) {
    match verdict {
        Verdict::Always => counts.judge(true, truth, true, || case.to_owned()),
        Verdict::When(guard) => {
            counts.judge(scope.holds(guard, values).unwrap(), truth, true, || case.to_owned());
        }
        Verdict::Never => assert!(!truth, "never, yet so: {case}"),
        Verdict::Open => counts.add("= open"),
    }
}

#[test]
fn questions_are_answered_as_enumeration_answers_them() {
    let (mut rng, mut counts) = (rng("placed"), Counts::default());
    let (mut bounded, mut applied) = (0, 0);
    for _ in 0..cases(6_000) {
        let Some((problem, placed)) = random(&mut rng) else { continue };
        let scope = &problem.scope;
        let mut reading = scope.clone();
        let read = reading.placed(&placed.to_string()).expect("what is printed is read");
        assert_eq!(read.to_string(), placed.to_string());
        let same = placed.equivalent(&read, &reading);
        assert!(matches!(same, Ok(Verdict::Always)), "{placed}: {same:?}");
        let [injective, compact] = [placed.is_injective(scope), placed.is_compact(scope)];
        let bounds = placed.bounds(scope);
        for _ in 0..10 {
            let numbers = problem.values(&mut rng, true);
            let (values, scope) = (problem.given(&numbers), &problem.scope);
            let Ok(instance) = placed.instance(&values) else { continue };
            if instance.layout().size() > 2000 {
                continue;
            }
            let (mut all, case) = (offsets(&instance), format!("{placed} at {numbers:?}"));
            let given: Vec<_> = problem.names.iter().map(|known| known.name).zip(numbers).collect();
            let adopted = scope.clone().adopt(placed.layout().declared()).at(&given).placed(&placed).unwrap();
            assert_eq!(adopted.instance(&values).map(|adopted| offsets(&adopted)), Ok(all.clone()), "{case}");
            let index = rng.range(0, all.len() as i64 - 1);
            let coordinate = Tuple::leaf(Number::integer(index));
            let mut own = scope.clone();
            if let Ok(offset) = placed.at(&mut own, &coordinate) {
                assert_eq!(
                    own.value(&offset, &own.values(&given).unwrap()),
                    Ok(Some(all[index as usize])),
                    "{index} of {case}"
                );
                applied += usize::from(placed.swizzle() != Swizzle::NONE && !offset.is_constant());
            }
            all.sort_unstable();
            if let Ok(([low, high], guard)) = &bounds
                && scope.holds(guard, &values).unwrap()
            {
                let ends = [low, high].map(|number| scope.value(number, &values).unwrap().unwrap());
                assert_eq!(ends, [all[0], all[all.len() - 1]], "{case}");
                bounded += usize::from(placed.swizzle() != Swizzle::NONE);
            }
            if let Ok(compact) = &compact {
                let fills = all.iter().enumerate().all(|(i, offset)| *offset == i as i64);
                judge(&mut counts, scope, compact, &values, fills, &case);
            }
            all.dedup();
            if let Ok(injective) = &injective {
                let distinct = all.len() as i64 == instance.layout().size();
                judge(&mut counts, scope, injective, &values, distinct, &case);
            }
        }
    }
    counts.finish("placed", 0.5);
    assert!(bounded > 5 && applied > 5, "{bounded} swizzles with bounds, {applied} applied to names");
}

/// A layout of powers of 2 and names, compact or with every stride doubled, its modes in any order of their strides.
fn shuffled(rng: &mut Rng) -> Option<(Problem, Placed)> {
    let mut problem = Problem::random(rng);
    let count = rng.range(1, 4) as usize;
    let extents: Vec<String> = (0..count)
        .map(|_| match rng.range(0, 2) {
            0 => problem.name(rng),
            _ => (*rng.pick(&["2", "4", "8", "16", "3"])).to_owned(),
        })
        .collect();
    let (mut strides, mut stride) =
        (vec![String::new(); count], (*rng.pick(&["1", "1", "1", "2"])).to_owned());
    let mut order: Vec<usize> = (0..count).collect();
    for end in (1..count).rev() {
        order.swap(end, rng.range(0, end as i64) as usize);
    }
    for mode in order {
        strides[mode].clone_from(&stride);
        stride = format!("{stride}*{}", extents[mode]);
    }
    let text = format!("({}):({})", extents.join(","), strides.join(","));
    let layout = problem.scope.layout(&text).ok()?;
    let bits = rng.range(1, 3);
    let swizzle =
        Swizzle::new(bits, rng.range(0, 2), rng.range(bits, bits + 1) * rng.pick(&[1, 1, -1])).unwrap();
    let placed = problem.scope.placed_of(swizzle, Number::integer(0), layout).ok()?;
    Some((problem, placed))
}

/// Both inverses of a swizzled layout at all offsets of instances, where their guards hold.
#[test]
fn inverses_behind_swizzles_are_inverses_at_all_sizes() {
    let (mut rng, mut found) = (rng("inverses"), [0; 2]);
    for _ in 0..cases(20_000) {
        let Some((mut problem, placed)) = shuffled(&mut rng) else { continue };
        let scope = &mut problem.scope;
        let inverses = [scope.right_inverse(placed.layout()), scope.left_inverse(placed.layout())];
        let inverses = inverses.map(|inverse| scope.inverse_behind(placed.swizzle(), inverse.ok()?).ok());
        for _ in 0..10 {
            let numbers = problem.values(&mut rng, true);
            let (values, scope) = (problem.given(&numbers), &problem.scope);
            let Ok(own) = placed.instance(&values) else { continue };
            if own.layout().size() > 4000 {
                continue;
            }
            for (side, inverse) in inverses.iter().enumerate() {
                let Some((inverse, guard)) = inverse else { continue };
                if !scope.holds(guard, &values).unwrap() {
                    continue;
                }
                let inverse = inverse.instance(&values).unwrap();
                let case = format!("{inverse} of {own}");
                match side {
                    0 => (0..inverse.layout().size()).for_each(|k| {
                        let index = inverse.try_at(k).unwrap();
                        assert_eq!(own.try_at(index), Ok(k), "{case}");
                    }),
                    _ => (0..own.layout().size()).for_each(|index| {
                        let offset = own.try_at(index).unwrap();
                        let again = inverse.try_at(offset).and_then(|index| own.try_at(index));
                        assert_eq!(again, Ok(offset), "{case}");
                    }),
                }
                found[side] += usize::from(
                    !placed.layout().leaves().is_empty() && placed.layout().as_constant().is_none(),
                );
            }
        }
    }
    assert!(found.iter().all(|found| *found > cases(200)), "{found:?}");
}

#[test]
fn a_slice_is_the_rest_at_its_offset() {
    let (mut rng, mut count) = (rng("slices"), 0);
    for _ in 0..cases(3_000) {
        let Some((mut problem, placed)) = random(&mut rng) else { continue };
        if placed.layout().rank() != 2 {
            continue;
        }
        let leaves = [PatternLeaf::At(0), PatternLeaf::All].map(HTuple::leaf);
        let Ok(rest) =
            placed.slice(&mut problem.scope, &HTuple::tuple(&leaves).unwrap(), &[Number::integer(1)])
        else {
            continue;
        };
        let values = problem.values(&mut rng, true);
        let values = problem.given(&values);
        let (Ok(whole), Ok(rest)) = (placed.instance(&values), rest.instance(&values)) else { continue };
        let first: Layout = whole.layout().mode(0).unwrap();
        if first.size() < 2 || whole.layout().size() > 2000 {
            continue;
        }
        let all = offsets(&whole);
        let row: Vec<i64> = all.iter().skip(1).step_by(first.size() as usize).copied().collect();
        assert_eq!(offsets(&rest), row, "{placed}");
        count += 1;
    }
    assert!(count > 5, "{count} slices");
}

#[test]
fn what_is_refused() {
    let mut scope = Scope::new();
    for (text, reason) in [
        ("Sw<2,0,2> o M:-1", "a swizzle takes offsets of 0 or more"),
        ("Sw<2,0,2> o {M - K} o (M,K):(K,1)", "a swizzle takes offsets of 0 or more"),
        ("{4} o (M,K):(1@0,1@1)", "the offset and the codomain of the layout have different profiles"),
        ("Sw<2,0,2> o 0 o (M,K):(1@0,1@1)", "a swizzle is not defined for coordinate strides"),
        ("4:1 o (M,K):(K,1)", "expected"),
        ("Sw<2,0,2> o 0 o {4} o M:1", "expected"),
    ] {
        scope.shape("(M,K)").unwrap();
        let error = scope.placed(text).unwrap_err().to_string();
        assert!(error.contains(reason) || reason.contains(&error), "{text}: {error}");
    }
    let rows = scope.placed("Sw<2,0,2> o 0 o (M,K):(K,1)").unwrap();
    let coordinate = Tuple::of(&[Tuple::leaf(Number::integer(3)), Tuple::leaf(Number::integer(0))]).unwrap();
    let error = rows.at(&mut scope, &coordinate).unwrap_err().to_string();
    assert!(error.contains("no polynomial in its names"), "{error}");
    scope.assume("K % 16 == 0").unwrap();
    let offset = rows.at(&mut scope, &coordinate).unwrap();
    assert_eq!(scope.number_text(&offset), "3*K");
    let holes = scope.placed("Sw<2,0,2> o 0 o (4,M):(2,8)").unwrap();
    assert!(holes.bounds(&scope).unwrap_err().to_string().contains("whole blocks of the swizzle"));
    assert!(matches!(rows.bounds(&scope), Ok((_, guard)) if guard == Guard::ALWAYS));
}

//! Composition: instances where the guard holds are the static composition, at every coordinate as well.

use crate::random::{Counts, Mode, Nest, Problem, Rng, cases, offset, rng};
use tilework::{Error, Layout};
use tilework_symbolic::{Answer, Refusal};

#[test]
fn instances_are_the_static_composition() {
    let (mut rng, mut counts) = (rng("composition"), Counts::default());
    for _ in 0..cases(24_000) {
        one_case(&mut rng, &mut counts, Kind::Integers);
    }
    counts.finish("composition", 0.015);
}

#[test]
fn instances_of_coordinates_are_the_static_composition() {
    let (mut rng, mut counts) = (rng("composition of coordinates"), Counts::default());
    for _ in 0..cases(8_000) {
        one_case(&mut rng, &mut counts, Kind::Coordinates);
    }
    counts.finish("composition of coordinates", 0.015);
}

/// Steps along several components, in the left operand, the right one or both.
#[test]
fn instances_of_sums_are_the_static_composition() {
    let (mut rng, mut counts) = (rng("composition of sums"), Counts::default());
    for _ in 0..cases(8_000) {
        one_case(&mut rng, &mut counts, Kind::Sums);
    }
    // Carries in different components may cancel.
    counts.finish("composition of sums", 0.05);
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Integers,
    Coordinates,
    Sums,
}

fn one_case(rng: &mut Rng, counts: &mut Counts, kind: Kind) {
    let mut problem = Problem::random(rng);
    let mut modes = problem.modes(rng);
    if kind == Kind::Sums && rng.chance(50) {
        for (_, stride) in &mut modes {
            let other = problem.number(rng, &[0, 1, 2, -1]);
            *stride = format!("(({stride})@0+({other})@1)");
        }
    }
    let a = Nest::random(rng, modes.clone());
    let b = match kind {
        Kind::Integers => problem.right(rng, &modes, 3),
        Kind::Coordinates => coordinate_right(rng, &problem, &a),
        Kind::Sums if rng.chance(30) => problem.right(rng, &modes, 3),
        Kind::Sums => sums_right(rng, &problem, &a),
    };
    let b = Nest::random(rng, b);
    let (Some(left), Some(right)) = (problem.layout(&a), problem.layout(&b)) else { return };
    problem.hint(rng);
    let answer = problem.scope.composition(&left, &right);
    counts.add(match &answer {
        Ok(answer) if answer.guard.is_always() => "= layout, always",
        Ok(_) => "= layout, guard",
        Err(Refusal::Never(_)) => "= never",
        Err(Refusal::NoLayout { .. }) => "= no layout at the witness",
        Err(Refusal::Error(Error::Undecided { .. })) => "= undecided",
        Err(Refusal::Error(_)) => "= error",
    });
    for _ in 0..12 {
        let small = rng.chance(80);
        let numbers = problem.values(rng, small);
        let values = problem.given(&numbers);
        let (Ok(la), Ok(lb)) = (left.instance(&values), right.instance(&values)) else {
            continue;
        };
        let truth = la.composition(&lb);
        if let Err(Error::Overflow { .. } | Error::NotBasis { .. } | Error::Undecided { .. }) = truth {
            continue;
        }
        let case = || format!("{} o {} at {numbers:?}: {answer:?}", a.text(), b.text());
        match &answer {
            Err(Refusal::Never(_)) => {
                counts.add("never, confirmed");
                assert!(truth.is_err(), "never: {}", case());
            }
            Err(_) => {}
            Ok(answer) => judge(counts, &problem, answer, &b, [&la, &lb], truth.ok(), &values, case),
        }
    }
}

/// Leaves whose coordinates go to the modes of `a`.
fn coordinate_right(rng: &mut Rng, problem: &Problem, a: &Nest) -> Vec<Mode> {
    let mut out = Vec::new();
    for _ in 0..rng.range(1, 3) {
        let mode = rng.range(0, a.0.len() as i64 - 1) as usize;
        let (extent, stride) = problem.right(rng, &a.0[mode], 1).remove(0);
        // An extent alone has no mode to address.
        let stride = if a.0.len() == 1 { stride } else { format!("({stride})@{mode}") };
        out.push((extent, stride));
    }
    out
}

/// Leaves that step through two modes of `a` at once.
fn sums_right(rng: &mut Rng, problem: &Problem, a: &Nest) -> Vec<Mode> {
    let (first, second) = (coordinate_right(rng, problem, a), coordinate_right(rng, problem, a));
    if a.0.len() == 1 {
        return first;
    }
    let both = |((extent, one), (_, two)): (Mode, Mode)| (extent, format!("({one}+{two})"));
    first.into_iter().zip(second).map(both).collect()
}

#[allow(clippy::too_many_arguments)]
fn judge(
    counts: &mut Counts,
    problem: &Problem,
    answer: &Answer,
    b: &Nest,
    operands: [&Layout; 2],
    truth: Option<Layout>,
    values: &tilework_symbolic::Values,
    case: impl Fn() -> String,
) {
    let holds = problem.scope.holds(&answer.guard, values).unwrap();
    let got = answer.layout.instance(values);
    let same = match (&got, &truth) {
        (Ok(got), Some(truth)) => b.paths().iter().all(|path| {
            let (got, truth) = (got.get(path).unwrap(), truth.get(path).unwrap());
            got.size() == truth.size() && got.coalesce() == truth.coalesce()
        }),
        _ => false,
    };
    counts.judge(holds, same, truth.is_some(), &case);
    if let (true, Ok(got)) = (holds, &got)
        && operands[1].size() <= 600
        && operands.iter().all(|own| own.codomain() == tilework::Codomain::Integer)
    {
        counts.add("at every coordinate");
        for x in 0..operands[1].size() as i128 {
            assert_eq!(offset(got, x), offset(operands[0], offset(operands[1], x)), "{}", case());
        }
    }
}

/// Theorem W: with one bound, a layout that is well-formed where its guard fails is not the composition.
#[test]
fn the_guard_of_one_bound_is_the_weakest() {
    let (mut rng, mut fails) = (rng("weakest"), 0);
    for _ in 0..cases(24_000) {
        let mut problem = Problem::random(&mut rng);
        let modes: Vec<Mode> = problem.modes(&mut rng).into_iter().take(2).collect();
        let b = problem.right(&mut rng, &modes, 3);
        let (a, b) = (Nest::random(&mut rng, modes), Nest::random(&mut rng, b));
        let (Some(left), Some(right)) = (problem.layout(&a), problem.layout(&b)) else { continue };
        problem.hint(&mut rng);
        let Ok(answer) = problem.scope.composition(&left, &right) else { continue };
        for _ in 0..12 {
            let values = problem.values(&mut rng, true);
            let given = problem.given(&values);
            let instance = |layout: &tilework_symbolic::SymbolicLayout| layout.instance(&given);
            let (Ok(la), Ok(lb), Ok(got)) = (instance(&left), instance(&right), instance(&answer.layout))
            else {
                continue;
            };
            if lb.size() > 600
                || got.leaves().iter().any(|leaf| leaf.extent < 2)
                || problem.scope.holds(&answer.guard, &given).unwrap()
            {
                continue;
            }
            let sizes = |layout: &Layout| -> Vec<i64> {
                b.paths().iter().map(|path| layout.get(path).map_or(0, |leaf| leaf.size())).collect()
            };
            fails += 1;
            let same = sizes(&got) == sizes(&lb)
                && (0..lb.size() as i128).all(|x| offset(&got, x) == offset(&la, offset(&lb, x)));
            assert!(!same, "{} o {} at {values:?}: {answer:?}", a.text(), b.text());
        }
    }
    println!("weakest: {fails} instances where the guard fails");
    assert!(fails > 20, "{fails}");
}

//! Coalesce and equivalence: at all values the same function, of minimal rank but for exceptional ones.

use crate::random::{Counts, Nest, Problem, cases, offset, rng};
use tilework_symbolic::Verdict;

#[test]
fn coalesced_instances_are_the_same_function() {
    let (mut rng, mut counts) = (rng("coalesce"), Counts::default());
    let (mut minimal, mut all) = (0, 0);
    for _ in 0..cases(24_000) {
        let Some((problem, nest, layout)) = Problem::with_layout(&mut rng) else { continue };
        let coalesced = (problem.scope.coalesce(&layout), problem.scope.coalesce_extended(&layout));
        let (Ok(plain), Ok(extended)) = coalesced else {
            counts.add("= does not fit");
            continue;
        };
        for _ in 0..10 {
            let small = rng.chance(80);
            let values = problem.values(&mut rng, small);
            let given = problem.given(&values);
            let Ok(truth) = layout.instance(&given) else { continue };
            let case = || format!("{} at {values:?}", nest.text());
            let got = plain.instance(&given).unwrap();
            counts.judge(true, got.coalesce() == truth.coalesce() && got.size() == truth.size(), true, case);
            let beyond = extended.instance(&given).unwrap();
            assert_eq!(beyond.coalesce_extended(), truth.coalesce_extended(), "{}", case());
            if truth.size() <= 400 {
                for x in -3..truth.size() as i128 + 3 {
                    assert_eq!(offset(&beyond, x), offset(&truth, x), "{}", case());
                }
            }
            all += 1;
            minimal += usize::from(got.leaves().len() == truth.coalesce().leaves().len());
        }
    }
    counts.finish("coalesce", 0.0);
    println!("coalesce: minimal rank in {minimal} of {all}");
    assert!(minimal * 100 >= all * 97);
}

#[test]
fn equal_layouts_are_equal_functions() {
    let (mut rng, mut counts) = (rng("equivalent"), Counts::default());
    for _ in 0..cases(24_000) {
        let mut problem = Problem::random(&mut rng);
        let modes = problem.modes(&mut rng);
        let mut other = modes.clone();
        let k = rng.range(0, modes.len() as i64 - 1) as usize;
        let (extent, stride) = modes[k].clone();
        let changed = match rng.range(0, 3) {
            0 => vec![(String::from("2"), stride.clone()), (extent, format!("({stride})*2"))],
            1 => vec![(extent, stride), (String::from("1"), problem.name(&mut rng))],
            2 => {
                vec![(extent, format!("{stride} + {} - {}", problem.name(&mut rng), problem.name(&mut rng)))]
            }
            _ => {
                vec![(extent.clone(), stride.clone()), (String::from("2"), format!("({stride})*({extent})"))]
            }
        };
        other.splice(k..=k, changed);
        if modes.len() > 1 && rng.chance(40) {
            other = modes.clone();
            other[1].1 = problem.number(&mut rng, &[1, 2]);
        }
        let (a, b) = (Nest::random(&mut rng, modes), Nest::random(&mut rng, other));
        let (Some(left), Some(right)) = (problem.layout(&a), problem.layout(&b)) else { continue };
        let Ok(verdict) = problem.scope.equivalent(&left, &right) else {
            counts.add("= does not fit");
            continue;
        };
        counts.add(match verdict {
            Verdict::Always => "= always",
            Verdict::When(_) => "= when",
            Verdict::Never => "= never",
            Verdict::Open => "= open",
        });
        for _ in 0..10 {
            let small = rng.chance(80);
            let values = problem.values(&mut rng, small);
            let given = problem.given(&values);
            let (Ok(la), Ok(lb)) = (left.instance(&given), right.instance(&given)) else {
                continue;
            };
            let same = la.size() == lb.size() && la.equivalent(&lb);
            if la.size() == lb.size() && la.size() <= 400 {
                assert_eq!(same, (0..la.size() as i128).all(|x| offset(&la, x) == offset(&lb, x)));
            }
            let case = || format!("{} and {} at {values:?}: {verdict:?}", a.text(), b.text());
            match &verdict {
                Verdict::Always => counts.judge(true, same, true, case),
                Verdict::When(guard) => {
                    counts.judge(problem.scope.holds(guard, &given).unwrap(), same, true, case);
                }
                Verdict::Never => {
                    counts.add("never, confirmed");
                    assert!(!same, "{}", case());
                }
                Verdict::Open => {}
            }
        }
    }
    counts.finish("equivalent", 0.015);
}

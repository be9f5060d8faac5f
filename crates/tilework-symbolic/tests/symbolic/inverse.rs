//! Inverses by plain evaluation: `L(R(k)) = k`, and `L(G(L(k))) = L(k)` where the guard holds.

use crate::random::{Counts, Nest, Problem, cases, component, offset, rng};
use std::collections::BTreeSet;
use tilework::Layout;
use tilework_symbolic::Refusal;

#[test]
fn right_inverses() {
    let (mut rng, mut counts) = (rng("right inverse"), Counts::default());
    let (mut as_large, mut all) = (0, 0);
    for _ in 0..cases(12_000) {
        let Some((mut problem, nest, layout)) = Problem::with_layout(&mut rng) else { continue };
        problem.hint(&mut rng);
        let Ok(answer) = problem.scope.right_inverse(&layout) else {
            counts.add("= error");
            continue;
        };
        assert!(answer.guard.is_always());
        for _ in 0..10 {
            let small = rng.chance(80);
            let values = problem.values(&mut rng, small);
            let given = problem.given(&values);
            let Ok(instance) = layout.instance(&given) else { continue };
            let inverse = answer.layout.instance(&given).unwrap();
            let right = inverse.size() > 2000
                || (0..inverse.size() as i128).all(|k| offset(&instance, offset(&inverse, k)) == k);
            counts.judge(true, right, true, || format!("{} at {values:?}", nest.text()));
            if let (Ok(true), Ok(largest)) = (instance.is_injective(), instance.right_inverse()) {
                all += 1;
                as_large += usize::from(largest.size() == inverse.size());
            }
        }
    }
    counts.finish("right inverse", 0.0);
    println!("right inverse: as large as the static one in {as_large} of {all} of injective layouts");
    assert!(as_large * 100 >= all * 95);
}

#[test]
fn left_inverses() {
    let (mut rng, mut counts) = (rng("left inverse"), Counts::default());
    for _ in 0..cases(12_000) {
        let Some((mut problem, nest, layout)) = Problem::with_layout(&mut rng) else { continue };
        problem.hint(&mut rng);
        let answer = match problem.scope.left_inverse(&layout) {
            Ok(answer) => answer,
            Err(Refusal::NoLayout { .. }) => {
                counts.add("= no layout at the witness");
                continue;
            }
            Err(_) => {
                counts.add("= error");
                continue;
            }
        };
        counts.add(if answer.guard.is_always() { "= layout, always" } else { "= layout, guard" });
        for _ in 0..10 {
            let small = rng.chance(80);
            let values = problem.values(&mut rng, small);
            let given = problem.given(&values);
            let Ok(instance) = layout.instance(&given) else { continue };
            if instance.size() > 2000 {
                continue;
            }
            let image: Vec<i128> = (0..instance.size() as i128).map(|k| offset(&instance, k)).collect();
            let moving: i64 = instance
                .leaves()
                .iter()
                .filter(|leaf| !leaf.stride.is_zero())
                .map(|leaf| leaf.extent)
                .product();
            let injective = image.iter().collect::<BTreeSet<_>>().len() as i64 == moving;
            let inverse = answer.layout.instance(&given);
            // Equation 26.
            let inverts = inverse.as_ref().is_ok_and(|inverse| {
                image.iter().all(|&offset_of| offset(&instance, offset(inverse, offset_of)) == offset_of)
            });
            // Of an injective layout the index itself.
            let single = image.iter().collect::<BTreeSet<_>>().len() == image.len();
            let back = |inverse: &Layout| (0..).zip(&image).all(|(k, &own)| offset(inverse, own) == k);
            let inverts = inverts && (!single || inverse.as_ref().is_ok_and(back));
            let holds = problem.scope.holds(&answer.guard, &given).unwrap();
            // The guard is that of modes that do not overlap; of others some satisfy the equation as well, of numbers alone
            // those that the static search finds.
            let right = inverts && (holds || injective);
            counts.judge(holds, right, instance.left_inverse().is_ok(), || {
                format!("{} at {values:?}: {}", nest.text(), answer)
            });
        }
    }
    // Where numbers coincide at which the guard does not aim.
    counts.finish("left inverse", 0.02);
}

/// `L(G(L(k))) = L(k)` where strides are sums, component by component.
#[test]
fn left_inverses_of_sums() {
    let (mut rng, mut counts) = (rng("left inverse of sums"), Counts::default());
    for _ in 0..cases(12_000) {
        let mut problem = Problem::random(&mut rng);
        let modes = problem.sums(&mut rng);
        let nest = Nest::random(&mut rng, modes);
        let Some(layout) = problem.layout(&nest) else { continue };
        problem.hint(&mut rng);
        let Ok(answer) = problem.scope.left_inverse(&layout) else {
            counts.add("= refused");
            continue;
        };
        counts.add(if answer.guard.is_always() { "= layout, always" } else { "= layout, guard" });
        for _ in 0..10 {
            let small = rng.chance(80);
            let values = problem.values(&mut rng, small);
            let given = problem.given(&values);
            let Ok(instance) = layout.instance(&given) else { continue };
            if instance.size() > 2000 || !problem.scope.holds(&answer.guard, &given).unwrap() {
                continue;
            }
            let inverse = answer.layout.instance(&given).unwrap();
            let element = |k| [0, 1, 2].map(|own| component(&instance, own, k));
            let back = |element: [i128; 3]| -> i128 {
                let along = |(own, x)| inverse.get(&[own]).map_or(0, |part| offset(&part, x));
                element.into_iter().enumerate().map(along).sum()
            };
            let inverts = (0..instance.size() as i128).all(|k| element(back(element(k))) == element(k));
            counts.judge(true, inverts, true, || format!("{} at {values:?}: {answer}", nest.text()));
        }
    }
    counts.finish("left inverse of sums", 0.0);
}

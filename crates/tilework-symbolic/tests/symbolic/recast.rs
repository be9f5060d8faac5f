//! Recast: instances where the guard holds are the static ones, leaf by leaf.

use crate::random::{Counts, Nest, Problem, cases, rng};
use tilework::{Error, Layout};
use tilework_symbolic::Refusal;

#[test]
fn instances_are_the_static_recast() {
    let (mut rng, mut counts) = (rng("recast"), Counts::default());
    for _ in 0..cases(12_000) {
        let mut problem = Problem::random(&mut rng);
        let modes = problem.modes(&mut rng);
        let nest = Nest::random(&mut rng, modes);
        let Some(layout) = problem.layout(&nest) else { continue };
        let [old, new] = *rng.pick(&[[1, 2], [1, 4], [1, 3], [2, 1], [8, 2], [4, 6], [6, 4], [1, 1]]);
        let answer = match problem.scope.recast(&layout, old, new) {
            Ok(answer) => answer,
            Err(refusal) => {
                counts.add(match refusal {
                    Refusal::NoLayout { .. } => "= no layout",
                    _ => "= error",
                });
                continue;
            }
        };
        counts.add(if answer.guard.is_always() { "= layout, always" } else { "= layout, guard" });
        for _ in 0..10 {
            let small = rng.chance(80);
            let numbers = problem.values(&mut rng, small);
            let values = problem.given(&numbers);
            let Ok(instance) = layout.instance(&values) else { continue };
            let truth = instance.recast(old, new);
            if matches!(truth, Err(Error::Overflow { .. } | Error::Undecided { .. })) {
                continue;
            }
            // The stride of an extent of 1 is not used.
            let moving = |layout: &Layout| -> Vec<_> {
                layout
                    .leaves()
                    .iter()
                    .map(|leaf| (leaf.extent, (leaf.extent > 1).then_some(leaf.stride)))
                    .collect()
            };
            let got = answer.layout.instance(&values);
            let same = matches!((&got, &truth), (Ok(got), Ok(truth)) if moving(got) == moving(truth));
            let holds = problem.scope.holds(&answer.guard, &values).unwrap();
            counts.judge(holds, same, truth.is_ok(), || {
                format!("recast({}, {old}, {new}) at {numbers:?}: {answer}, not {truth:?}", nest.text())
            });
        }
    }
    counts.finish("recast", 0.05);
}

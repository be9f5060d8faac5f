//! Complement, divide and product: instances where the guard holds are the static ones.

use crate::random::{Counts, Mode, Nest, Problem, Rng, cases, offset, rng};
use tilework::{Error, HTuple, Layout};
use tilework_symbolic::{Answer, Refusal, SymbolicLayout, SymbolicTiler, Values};

fn count(counts: &mut Counts, answer: &Result<Answer, Refusal>) {
    counts.add(match answer {
        Ok(answer) if answer.guard.is_always() => "= layout, always",
        Ok(_) => "= layout, guard",
        Err(Refusal::Never(_)) => "= never",
        Err(Refusal::NoLayout { .. }) => "= no layout at the witness",
        Err(Refusal::Error(Error::Undecided { .. })) => "= undecided",
        Err(Refusal::Error(_)) => "= error",
    });
}

/// The parts of a result that are promised to be the same functions: at these paths.
fn judge(
    counts: &mut Counts,
    problem: &Problem,
    answer: &Result<Answer, Refusal>,
    paths: &[&[usize]],
    truth: Result<Layout, Error>,
    values: &Values,
    case: impl Fn() -> String,
) {
    if matches!(truth, Err(Error::Overflow { .. } | Error::TooLarge { .. } | Error::Undecided { .. })) {
        return;
    }
    let truth = truth.ok();
    let answer = match answer {
        Ok(answer) => answer,
        Err(Refusal::Never(_)) => {
            counts.add("never, confirmed");
            assert!(truth.is_none(), "never: {}", case());
            return;
        }
        Err(_) => return,
    };
    let holds = problem.scope.holds(&answer.guard, values).unwrap();
    let got = answer.layout.instance(values);
    let same = match (&got, &truth) {
        (Ok(got), Some(truth)) => paths.iter().all(|path| {
            match (got.get(path), truth.get(path)) {
                (Ok(got), Ok(truth)) => got.size() == truth.size() && got.coalesce() == truth.coalesce(),
                // Where no mode moves, the offsets are integers, and the result is one mode.
                (got, truth) => got.is_err() && truth.is_err(),
            }
        }),
        _ => false,
    };
    counts.judge(holds, same, truth.is_some(), || format!("{}: {}, not {truth:?}", case(), answer));
}

#[test]
fn complements() {
    let (mut rng, mut counts) = (rng("complement"), Counts::default());
    for _ in 0..cases(12_000) {
        let Some((mut problem, nest, layout)) = Problem::with_layout(&mut rng) else { continue };
        let factor =
            if rng.chance(40) { problem.name(&mut rng) } else { rng.pick(&["1", "1", "2"]).to_string() };
        let factor = problem.scope.number(&factor).unwrap();
        let Ok(total) = problem.scope.size(&layout).and_then(|size| size.mul(&factor)) else {
            counts.add("= does not fit");
            continue;
        };
        problem.hint(&mut rng);
        let answer = problem.scope.complement_within(&layout, &total.clone().into());
        count(&mut counts, &answer);
        for _ in 0..10 {
            let small = rng.chance(80);
            let numbers = problem.values(&mut rng, small);
            let values = problem.given(&numbers);
            let (Ok(instance), Ok(Some(total))) =
                (layout.instance(&values), problem.scope.value(&total, &values))
            else {
                continue;
            };
            let truth = instance.const_complement_within(&HTuple::leaf(total));
            let case = || format!("complement({}, {total}) at {numbers:?}", nest.text());
            if let (Ok(truth), Ok(answer)) = (&truth, &answer)
                && total <= 600
                && problem.scope.holds(&answer.guard, &values).unwrap()
            {
                disjoint(&instance, &answer.layout.instance(&values).unwrap(), truth, case);
            }
            judge(&mut counts, &problem, &answer, &[&[]], truth, &values, case);
        }
    }
    counts.finish("complement", 0.015);
}

/// Modes along one of three components each.
fn along_components(problem: &Problem, rng: &mut Rng) -> Vec<Mode> {
    let along = |(extent, stride): Mode, component| (extent, format!("({stride})@{component}"));
    problem.modes(rng).into_iter().map(|mode| along(mode, rng.range(0, 2))).collect()
}

#[test]
fn complements_of_coordinates() {
    complements_within("complement of coordinates", along_components, 0.015);
}

/// The guard says that the component of each mode is found in the same way as at the witness; another way may lead to it too.
#[test]
fn complements_of_sums() {
    complements_within("complement of sums", Problem::sums, 0.5);
}

fn complements_within(name: &str, modes: fn(&Problem, &mut Rng) -> Vec<Mode>, exceptions: f64) {
    let (mut rng, mut counts) = (rng(name), Counts::default());
    for _ in 0..cases(8_000) {
        let mut problem = Problem::random(&mut rng);
        let modes = modes(&problem, &mut rng);
        let nest = Nest::random(&mut rng, modes);
        let Some(layout) = problem.layout(&nest) else { continue };
        let end = |problem: &Problem, rng: &mut Rng| {
            let (extent, stride) = rng.pick(&nest.0.concat()).clone();
            let stride = stride.split('@').next().unwrap().replacen("((", "(", 1);
            match rng.chance(60) {
                true => format!("1*({extent})*{stride}*{}", rng.pick(&[1, 1, 2, 3])),
                false => problem.number(rng, &[1, 4, 8, 12]),
            }
        };
        let shape: Vec<String> = (0..3).map(|_| end(&problem, &mut rng)).collect();
        let Ok(shape) = problem.scope.shape(&format!("({})", shape.join(","))) else { continue };
        problem.hint(&mut rng);
        let answer = problem.scope.complement_within(&layout, &shape);
        count(&mut counts, &answer);
        for _ in 0..10 {
            let small = rng.chance(80);
            let numbers = problem.values(&mut rng, small);
            let values = problem.given(&numbers);
            let Ok(instance) = layout.instance(&values) else { continue };
            let extents: Option<Vec<i64>> =
                shape.leaves().iter().map(|extent| problem.scope.value(extent, &values).ok()?).collect();
            let Some(extents) = extents.filter(|extents| extents.iter().all(|&extent| extent > 0)) else {
                continue;
            };
            let within = HTuple::with_profile(shape.profile(), &extents, 1).unwrap();
            let truth = instance.const_complement_within(&within);
            let case = || format!("complement({}, {extents:?}) at {numbers:?}", nest.text());
            judge(&mut counts, &problem, &answer, &[&[0], &[1], &[2]], truth, &values, case);
        }
    }
    counts.finish(name, exceptions);
}

/// No two sums of an offset of the layout and one of its complement are equal, but for modes that do not move.
fn disjoint(layout: &Layout, complement: &Layout, truth: &Layout, case: impl Fn() -> String) {
    let offsets = |layout: &Layout| {
        let mut offsets: Vec<i128> = (0..layout.size() as i128).map(|x| offset(layout, x)).collect();
        offsets.sort_unstable();
        offsets.dedup();
        offsets
    };
    assert_eq!(offsets(complement), offsets(truth), "{}", case());
    let (own, others) = (offsets(layout), offsets(complement));
    let mut sums: Vec<i128> = own.iter().flat_map(|a| others.iter().map(move |b| a + b)).collect();
    sums.sort_unstable();
    let count = sums.len();
    sums.dedup();
    assert_eq!(sums.len(), count, "{}", case());
}

type SymbolicOperation =
    fn(&mut tilework_symbolic::Scope, &SymbolicLayout, &SymbolicTiler) -> Result<Answer, Refusal>;
type StaticOperation = fn(&Layout, &tilework::Tiler) -> Result<Layout, Error>;

/// The leaves of a right operand for a left one.
type Aim = fn(&Problem, &mut Rng, &Nest) -> Vec<Mode>;

fn at_bounds(problem: &Problem, rng: &mut Rng, a: &Nest) -> Vec<Mode> {
    problem.right(rng, &a.0.concat(), 2)
}

/// Coordinates that go to one or two of the modes.
fn at_modes(problem: &Problem, rng: &mut Rng, a: &Nest) -> Vec<Mode> {
    let modes =
        if a.0.len() > 1 { a.0.clone() } else { a.0[0].iter().map(|leaf| vec![leaf.clone()]).collect() };
    let mut leaves = Vec::new();
    for _ in 0..rng.range(1, 2) {
        let i = rng.range(0, modes.len() as i64 - 1) as usize;
        let (extent, stride) = problem.right(rng, &modes[i], 1).swap_remove(0);
        leaves.push((extent, format!("({stride})@{i}")));
    }
    leaves
}

/// Coordinates that go to two of the modes, mostly forward along one and back along the other.
fn at_sums(problem: &Problem, rng: &mut Rng, a: &Nest) -> Vec<Mode> {
    let sum = |(extent, stride): Mode, rng: &mut Rng| {
        let back = match rng.chance(70) {
            true => format!("-{}", rng.pick(&[1, 2, 3])),
            false => problem.number(rng, &[-1, 1, 4]),
        };
        let [first, second] = if rng.chance(50) { [0, 1] } else { [1, 0] };
        (extent, format!("(({stride})@{first}+({back})@{second})"))
    };
    let mut leaves = at_modes(problem, rng, a);
    let own = problem.right(rng, &a.0.concat(), 1).swap_remove(0);
    leaves.insert(rng.range(0, leaves.len() as i64) as usize, sum(own, rng));
    leaves
}

/// Numbers, or coordinates of the block.
fn at_components(problem: &Problem, rng: &mut Rng, a: &Nest) -> Vec<Mode> {
    let coordinates = rng.chance(60);
    let along = |(extent, stride): Mode, component| match coordinates {
        true => (extent, format!("({stride})@{component}")),
        false => (extent, stride),
    };
    at_bounds(problem, rng, a).into_iter().map(|mode| along(mode, rng.range(0, 2))).collect()
}

fn pairs(name: &str, paths: &[&[usize]], aim: Aim, symbolic: SymbolicOperation, fixed: StaticOperation) {
    pairs_of(Problem::modes, name, paths, aim, symbolic, fixed, 0.015);
}

fn pairs_of(
    modes: fn(&Problem, &mut Rng) -> Vec<Mode>,
    name: &str,
    paths: &[&[usize]],
    aim: Aim,
    symbolic: SymbolicOperation,
    fixed: StaticOperation,
    exceptions: f64,
) {
    let (mut rng, mut counts) = (rng(name), Counts::default());
    for _ in 0..cases(12_000) {
        let mut problem = Problem::random(&mut rng);
        let modes = modes(&problem, &mut rng);
        let a = Nest::random(&mut rng, modes);
        let right = aim(&problem, &mut rng, &a);
        let b = Nest::random(&mut rng, right);
        let (Some(left), Some(right)) = (problem.layout(&a), problem.layout(&b)) else { continue };
        problem.hint(&mut rng);
        let answer = symbolic(&mut problem.scope, &left, &right.as_tiler());
        count(&mut counts, &answer);
        for _ in 0..10 {
            let small = rng.chance(80);
            let numbers = problem.values(&mut rng, small);
            let values = problem.given(&numbers);
            let (Ok(la), Ok(lb)) = (left.instance(&values), right.instance(&values)) else {
                continue;
            };
            let case = || format!("{name}({}, {}) at {numbers:?}", a.text(), b.text());
            judge(&mut counts, &problem, &answer, paths, fixed(&la, &lb.as_tiler()), &values, case);
        }
    }
    counts.finish(name, exceptions);
}

#[test]
fn divides() {
    pairs(
        "logical_divide",
        &[&[0], &[1]],
        at_bounds,
        |scope, a, b| scope.logical_divide(a, b),
        |a, b| a.logical_divide(b),
    );
}

#[test]
fn divides_by_coordinates() {
    pairs(
        "divide by coordinates",
        &[&[0], &[1]],
        at_modes,
        |scope, a, b| scope.logical_divide(a, b),
        |a, b| a.logical_divide(b),
    );
}

#[test]
fn divides_by_sums() {
    pairs_of(
        Problem::modes,
        "divide by sums",
        &[&[0], &[1]],
        at_sums,
        |scope, a, b| scope.logical_divide(a, b),
        |a, b| a.logical_divide(b),
        0.15,
    );
}

#[test]
fn products() {
    pairs(
        "logical_product",
        &[&[0], &[1]],
        at_bounds,
        |scope, a, b| scope.logical_product(a, b),
        |a, b| a.logical_product(b),
    );
}

#[test]
fn products_of_coordinates() {
    pairs_of(
        along_components,
        "product of coordinates",
        &[&[0], &[1]],
        at_components,
        |scope, a, b| scope.logical_product(a, b),
        |a, b| a.logical_product(b),
        0.015,
    );
}

#[test]
fn products_of_sums() {
    pairs_of(
        Problem::sums,
        "product of sums",
        &[&[0], &[1]],
        at_components,
        |scope, a, b| scope.logical_product(a, b),
        |a, b| a.logical_product(b),
        0.25,
    );
}

/// By mode: `<tile, tile>` of a matrix, in all arrangements.
#[test]
fn tiles_by_mode() {
    let (mut rng, mut counts) = (rng("by mode"), Counts::default());
    let operations: [(SymbolicOperation, StaticOperation, &[&[usize]]); 6] = [
        (|s, a, t| s.composition_by_mode(a, t), |a, t| a.composition_by_mode(t), &[&[0], &[1]]),
        (|s, a, t| s.logical_divide(a, t), |a, t| a.logical_divide(t), &[&[0], &[1]]),
        (|s, a, t| s.zipped_divide(a, t), |a, t| a.zipped_divide(t), &[&[0, 0], &[0, 1], &[1, 0], &[1, 1]]),
        (|s, a, t| s.tiled_divide(a, t), |a, t| a.tiled_divide(t), &[&[0, 0], &[0, 1], &[1], &[2]]),
        (|s, a, t| s.flat_divide(a, t), |a, t| a.flat_divide(t), &[&[0], &[1], &[2], &[3]]),
        (|s, a, t| s.zipped_product(a, t), |a, t| a.zipped_product(t), &[&[0, 0], &[0, 1], &[1, 0], &[1, 1]]),
    ];
    for _ in 0..cases(6_000) {
        let mut problem = Problem::random(&mut rng);
        let modes: Vec<_> = (0..2)
            .map(|_| problem.modes(&mut rng))
            .map(|modes| modes[..modes.len().min(2)].to_vec())
            .collect();
        let tiles: Vec<String> = modes
            .iter()
            .map(|mode| match rng.range(0, 5) {
                0 => String::from("_"),
                1 => problem.name(&mut rng),
                2 => rng.pick(&["2", "4", "8", "3"]).to_string(),
                _ => {
                    let leaves = problem.right(&mut rng, mode, 2);
                    Nest::random(&mut rng, leaves).text()
                }
            })
            .collect();
        let (a, tiler) = (Nest(modes), format!("<{}>", tiles.join(",")));
        let Some(layout) = problem.layout(&a) else { continue };
        let symbolic = problem.scope.tiler(&tiler).unwrap();
        problem.hint(&mut rng);
        let (run, fixed, paths) = operations[rng.range(0, 5) as usize];
        let answer = run(&mut problem.scope, &layout, &symbolic);
        count(&mut counts, &answer);
        for _ in 0..10 {
            let small = rng.chance(80);
            let numbers = problem.values(&mut rng, small);
            let values = problem.given(&numbers);
            let Ok(instance) = layout.instance(&values) else { continue };
            let tiles: Option<Vec<tilework::Tiler>> = tiles
                .iter()
                .map(|tile| match tile.as_str() {
                    "_" => Some(tilework::Tiler::HOLE),
                    text => {
                        let text = if text.contains(':') { text.to_owned() } else { format!("{text}:1") };
                        let tile = problem.scope.layout(&text).unwrap();
                        Some(tile.instance(&values).ok()?.as_tiler())
                    }
                })
                .collect();
            let Some(tiles) = tiles else { continue };
            let truth = fixed(&instance, &tilework::Tiler::by_mode(&tiles).unwrap());
            let case = || format!("{} by {tiler} at {numbers:?}", a.text());
            judge(&mut counts, &problem, &answer, paths, truth, &values, case);
        }
    }
    counts.finish("by mode", 0.015);
}

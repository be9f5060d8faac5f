//! Injective, compact, contiguous and common layouts: instances against enumeration and the static algebra.

use crate::random::{Counts, Nest, Problem, Rng, cases, offset, rng};
use std::collections::BTreeSet;
use tilework::Layout;
use tilework_symbolic::{Guard, Scope, SymbolicLayout, Verdict};

type Question = fn(&Scope, &SymbolicLayout) -> Result<Verdict, tilework::Error>;

fn offsets(layout: &Layout) -> Vec<i128> {
    (0..layout.size() as i128).map(|x| offset(layout, x)).collect()
}

fn distinct(layout: &Layout) -> bool {
    let mut all = offsets(layout);
    all.sort_unstable();
    all.windows(2).all(|pair| pair[0] != pair[1])
}

fn fills(layout: &Layout) -> bool {
    let mut all = offsets(layout);
    all.sort_unstable();
    all.iter().enumerate().all(|(i, offset)| *offset == i as i128)
}

fn counts_up(layout: &Layout) -> bool {
    offsets(layout).iter().enumerate().all(|(i, offset)| *offset == i as i128)
}

/// Every offset from 0 to the greatest, and no other.
fn covers(layout: &Layout) -> bool {
    let mut all = offsets(layout);
    all.sort_unstable();
    all.dedup();
    all.iter().enumerate().all(|(i, offset)| *offset == i as i128)
}

fn grows(layout: &Layout) -> bool {
    offsets(layout).windows(2).all(|pair| pair[0] < pair[1])
}

/// Where a guard holds the answer is yes; always and never are so at every instance.
fn ask(name: &str, question: Question, truth: fn(&Layout) -> bool, exceptions: f64) {
    ask_of(random, name, question, truth, exceptions);
}

/// The same of layouts that are made so.
fn ask_of(
    random: fn(&mut Rng) -> (Problem, Nest),
    name: &str,
    question: Question,
    truth: fn(&Layout) -> bool,
    exceptions: f64,
) {
    let (mut rng, mut counts) = (rng(name), Counts::default());
    for _ in 0..cases(12_000) {
        let (mut problem, nest) = random(&mut rng);
        let Some(layout) = problem.layout(&nest) else { continue };
        problem.hint(&mut rng);
        let Ok(verdict) = question(&problem.scope, &layout) else {
            counts.add("= does not fit");
            continue;
        };
        counts.add(match verdict {
            Verdict::Always => "= always",
            Verdict::When(_) => "= guard",
            Verdict::Never => "= never",
            Verdict::Open => "= open",
        });
        if let Verdict::When(guard) = &verdict {
            assert!(
                says_all_once(&problem.scope, guard),
                "{}: {}",
                nest.text(),
                problem.scope.guard_text(guard)
            );
        }
        for _ in 0..10 {
            let numbers = problem.values(&mut rng, true);
            let values = problem.given(&numbers);
            let Ok(instance) = layout.instance(&values) else { continue };
            if instance.size() > 2000 {
                continue;
            }
            let (yes, case) = (truth(&instance), || format!("{} at {numbers:?}", nest.text()));
            match &verdict {
                Verdict::Always => counts.judge(true, yes, true, case),
                Verdict::When(guard) => {
                    counts.judge(problem.scope.holds(guard, &values).unwrap(), yes, true, case);
                }
                Verdict::Never => {
                    counts.add("never, confirmed");
                    assert!(!yes, "never: {}", case());
                }
                Verdict::Open => counts.add("open"),
            }
        }
    }
    counts.finish(name, exceptions);
}

/// Whether no clause, and no alternative of a clause, contains all conditions of another.
fn says_all_once(scope: &Scope, guard: &Guard) -> bool {
    let clauses: Vec<Vec<BTreeSet<String>>> = guard
        .clauses()
        .iter()
        .map(|clause| {
            let texts = |all: &Vec<_>| all.iter().map(|condition| scope.condition_text(condition)).collect();
            clause.iter().map(texts).collect()
        })
        .collect();
    let once = |sets: Vec<&BTreeSet<String>>| {
        let among = |i: usize| sets.iter().enumerate().any(|(j, other)| i != j && other.is_subset(sets[i]));
        !(0..sets.len()).any(among)
    };
    clauses.iter().all(|clause| once(clause.iter().collect()))
        && once(clauses.iter().filter(|clause| clause.len() == 1).flatten().collect())
}

fn random(rng: &mut Rng) -> (Problem, Nest) {
    let problem = Problem::random(rng);
    let modes = problem.modes(rng);
    let nest = Nest::random(rng, modes);
    (problem, nest)
}

#[test]
fn injective() {
    ask("injective", Scope::is_injective, distinct, 0.2);
}

/// Steps along up to three components.
fn along_components(rng: &mut Rng) -> (Problem, Nest) {
    let problem = Problem::random(rng);
    let mut modes = problem.modes(rng);
    for (_, stride) in &mut modes {
        let terms = (0..3).filter_map(|component| match rng.range(0, 3) {
            0 => Some(format!("({stride})@{component}")),
            1 => Some(format!("({})@{component}", problem.number(rng, &[0, 1, 2, -1]))),
            _ => None,
        });
        let terms: Vec<String> = terms.collect();
        *stride = match &terms[..] {
            [] => "1@0".into(),
            [term] => term.clone(),
            terms => format!("({})", terms.join("+")),
        };
    }
    let nest = Nest::random(rng, modes);
    (problem, nest)
}

#[test]
fn injective_along_components() {
    let distinct = |layout: &Layout| {
        let all = (0..layout.size()).map(|index| layout.evaluate(index).unwrap().to_string());
        all.collect::<BTreeSet<_>>().len() as i64 == layout.size()
    };
    ask_of(along_components, "injective along components", Scope::is_injective, distinct, 0.65);
}

/// A condition under which offsets are distinct need not be the weakest: here they are distinct at all odd values too.
#[test]
fn a_condition_that_is_not_the_weakest() {
    let mut scope = Scope::new();
    let layout = scope.layout("(M,M):(M,2)").unwrap();
    let Verdict::When(guard) = scope.is_injective(&layout).unwrap() else { panic!() };
    for m in 1..=12 {
        let values = scope.values(&[("M", m)]).unwrap();
        let instance = layout.instance(&values).unwrap();
        assert_eq!(scope.holds(&guard, &values).unwrap(), m == 1, "{m}");
        assert_eq!(distinct(&instance), m % 2 == 1, "{m}");
    }
}

#[test]
fn compact() {
    ask("compact", Scope::is_compact, fills, 0.01);
}

#[test]
fn contiguous() {
    ask("contiguous", Scope::is_contiguous, counts_up, 0.01);
}

#[test]
fn surjective() {
    ask("surjective", Scope::is_surjective, covers, 0.05);
}

#[test]
fn increasing() {
    ask("increasing", Scope::is_increasing, grows, 0.0);
}

/// Of a common layout and two instances, with the text of the case.
type Judge = fn(&Layout, [&Layout; 2], &dyn Fn() -> String) -> Option<bool>;

/// The common layouts of random pairs. `judge` looks at one, of two instances, and returns whether it is as large as the static one,
/// none where these cannot be compared; that many percent are.
fn common_of(name: &str, least: usize, pair: fn(&mut Rng) -> (Problem, [Nest; 2]), judge: Judge) {
    let (mut rng, mut counts) = (rng(name), Counts::default());
    let (mut largest, mut all) = (0, 0);
    for _ in 0..cases(12_000) {
        let (mut problem, [nest, other]) = pair(&mut rng);
        let (Some(a), Some(b)) = (problem.layout(&nest), problem.layout(&other)) else { continue };
        problem.hint(&mut rng);
        let Ok(answer) = problem.scope.common_layout(&a, &b) else {
            counts.add("= error");
            continue;
        };
        counts.add(if answer.guard.is_always() { "= always" } else { "= guard" });
        for _ in 0..10 {
            let numbers = problem.values(&mut rng, true);
            let values = problem.given(&numbers);
            let (Ok(one), Ok(two)) = (a.instance(&values), b.instance(&values)) else { continue };
            if !problem.scope.holds(&answer.guard, &values).unwrap() {
                counts.add("guard fails, another layout");
                continue;
            }
            let case = || format!("common({}, {}) at {numbers:?}: {answer}", nest.text(), other.text());
            let found = judge(&answer.layout.instance(&values).unwrap(), [&one, &two], &case);
            counts.add("guard holds");
            all += usize::from(found.is_some());
            largest += usize::from(found == Some(true));
        }
    }
    counts.finish(name, 0.0);
    println!("{name}: the largest in {largest} of {all}");
    assert!(largest * 100 >= all * least);
}

/// The common layout has the offsets `0, 1, 2, ...` of both, and is in most instances as large as the static one.
#[test]
fn common() {
    let pair = |rng: &mut Rng| {
        let (problem, nest) = random(rng);
        let modes = problem.modes(rng);
        let other = Nest::random(rng, modes);
        (problem, [nest, other])
    };
    common_of("common", 90, pair, |common, [one, two], case| {
        for x in 0..common.size().min(500) as i128 {
            let index = offset(common, x);
            assert_eq!((offset(one, index), offset(two, index)), (x, x), "{}", case());
        }
        let truth = one.common_layout(two).ok()?;
        assert!(common.size() <= truth.size(), "{}", case());
        Some(common.size() == truth.size())
    });
}

/// The common layout has the coordinates of a box in their order, of both layouts at the same index.
#[test]
fn common_along_components() {
    let pair = |rng: &mut Rng| {
        let problem = Problem::random(rng);
        let mut modes = problem.modes(rng);
        // A component begins with a stride of 1 often enough.
        for (_, stride) in &mut modes {
            let count = if rng.chance(40) { "1" } else { stride.as_str() };
            *stride = format!("({count})@{}", rng.range(0, 1));
        }
        let nest = Nest::random(rng, modes.clone());
        if rng.chance(60) {
            let changed = rng.range(0, modes.len() as i64 - 1) as usize;
            modes[changed].0 = problem.number(rng, &[1, 2, 4, 8]);
        }
        let other = Nest::random(rng, modes);
        (problem, [nest, other])
    };
    common_of("common along components", 80, pair, |common, [one, two], case| {
        let components = |layout: &Layout, index: i64| {
            let text = layout.evaluate(index).unwrap().to_string();
            let own = text.trim_matches(['(', ')']).split(',').map(|number| number.parse().unwrap());
            own.chain([0, 0]).take(2).collect::<Vec<i64>>()
        };
        let found: Vec<_> = (0..common.size().min(500)).map(|x| common.at(x)).collect();
        let first = found.iter().take_while(|&&index| components(one, index)[1] == 0).count() as i64;
        for (x, &index) in (0..).zip(&found) {
            let coordinate = vec![x % first, x / first];
            assert_eq!(components(one, index), coordinate, "{}", case());
            assert_eq!(components(two, index), coordinate, "{}", case());
        }
        // Where an operand overlaps itself, the choice of an index is another.
        if !matches!((one.is_injective(), two.is_injective()), (Ok(true), Ok(true))) {
            return None;
        }
        // A component that ends before for all values may let the next one begin.
        Some(common.size() >= one.common_layout(two).ok()?.size())
    });
}

#[test]
fn questions_with_one_answer() {
    let mut scope = Scope::new();
    let verdict = |scope: &mut Scope, question: Question, text: &str| {
        let layout = scope.layout(text).unwrap();
        match question(scope, &layout).unwrap() {
            Verdict::Always => String::from("always"),
            Verdict::Never => String::from("never"),
            Verdict::Open => String::from("open"),
            Verdict::When(guard) => scope.guard_text(&guard).to_string(),
        }
    };
    for (text, injective, compact) in [
        ("(M,K):(1,M)", "always", "always"),
        ("(M,K):(K,1)", "always", "always"),
        ("(M,K):(1,2*M)", "always", "K <= 1"),
        ("(M,K):(0,1)", "M <= 1", "M <= 1 and (M == 1 or K <= 1)"),
        ("(M,4):(1,0)", "never", "never"),
        ("(M,K):(1@0,1@1)", "always", ""),
        ("(M,K):(-1,M)", "always", "M <= 1"),
        ("(4,8):(1,M)", "M >= 4", "M == 4"),
        ("(M,M):(M,2)", "M <= 1", "M <= 1"),
    ] {
        assert_eq!(verdict(&mut scope, Scope::is_injective, text), injective, "{text}");
        if !compact.is_empty() {
            assert_eq!(verdict(&mut scope, Scope::is_compact, text), compact, "{text}");
        }
    }
}

//! Signs of numbers for all values: what is proved or refuted holds at every small value.

use crate::random::{Rng, cases, rng};
use tilework_symbolic::{Number, Scope, Verdict};

fn verdict(facts: &str, left: &str, right: &str) -> &'static str {
    let mut scope = Scope::new();
    scope.layout("(M,K):(1,ld)").unwrap();
    scope.assume(facts).unwrap();
    let (left, right) = (scope.number(left).unwrap(), scope.number(right).unwrap());
    match scope.is_at_least(&left, &right).unwrap() {
        Verdict::Always => "always",
        Verdict::When(_) => "when",
        Verdict::Never => "never",
        Verdict::Open => "open",
    }
}

#[test]
fn signs_that_bounds_and_binomials_prove() {
    for (facts, left, right, answer) in [
        // With a bound: linear in each name, so that the corners decide.
        ("M <= 64", "64*K", "M*K", "always"),
        ("M <= 64", "63*K", "M*K", "when"),
        ("M <= 64, K <= 32", "M*32 + K*64", "M*K + 95", "always"),
        ("M <= 64, ld >= 64", "K*ld", "K*M", "always"),
        ("M <= 64", "M*K", "64*K + 1", "never"),
        ("M <= 10", "10*M", "M*M", "always"),
        ("M <= 10", "9*M", "M*M", "when"),
        // Without one: `M*M - M` is twice a binomial.
        ("M >= 0", "M*M", "M", "always"),
        ("M >= 0, K >= 0", "M*M*K + 1", "M*K", "always"),
        ("M >= 0", "M*M*M + 2*M", "3*M*M", "always"),
        ("M >= 0", "M", "M*M + 1", "never"),
        ("M >= 0", "M*M", "2*M", "when"),
    ] {
        assert_eq!(verdict(facts, left, right), answer, "{left} >= {right} where {facts}");
    }
}

/// A polynomial in two names with small coefficients.
fn polynomial(rng: &mut Rng) -> (String, impl Fn(i64, i64) -> i64 + use<>) {
    let monomials = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (3, 0)];
    let terms: Vec<(i64, (u32, u32))> = monomials
        .into_iter()
        .map(|monomial| (*rng.pick(&[0, 0, 0, 0, 0, 0, 1, 2, 4, 6, -1, -2, -3, -5]), monomial))
        .collect();
    let text = terms.iter().fold(String::from("0*M"), |text, (c, (m, k))| {
        text + &format!(" + ({c})") + &"*M".repeat(*m as usize) + &"*K".repeat(*k as usize)
    });
    (text, move |m: i64, k: i64| terms.iter().map(|(c, (a, b))| c * m.pow(*a) * k.pow(*b)).sum())
}

#[test]
fn proved_signs_hold_at_every_value() {
    let (mut rng, mut proved, mut refuted, mut open, mut missed) = (rng("signs"), 0, 0, 0, 0);
    for _ in 0..cases(20_000) {
        let (text, value) = polynomial(&mut rng);
        let mut scope = Scope::new();
        scope.declare("M").and(scope.declare("K")).unwrap();
        let range =
            |rng: &mut Rng| (rng.range(0, 2), if rng.chance(60) { Some(rng.range(2, 9)) } else { None });
        let (m, k) = (range(&mut rng), range(&mut rng));
        for (name, (low, high)) in [("M", m), ("K", k)] {
            scope.assume(&format!("{name} >= {low}")).unwrap();
            if let Some(high) = high {
                scope.assume(&format!("{name} <= {high}")).unwrap();
            }
        }
        let (number, zero) = (scope.number(&text).unwrap(), Number::integer(0));
        let verdict = scope.is_at_least(&number, &zero).unwrap();
        let values = |(low, high): (i64, Option<i64>)| low..=high.unwrap_or(40);
        let signs: Vec<bool> =
            values(m).flat_map(|m| values(k).map(move |k| (m, k))).map(|(m, k)| value(m, k) >= 0).collect();
        let (all, none) = (signs.iter().all(|sign| *sign), signs.iter().all(|sign| !sign));
        match verdict {
            Verdict::Always => {
                proved += 1;
                assert!(all, "{text} for {m:?} {k:?}");
            }
            Verdict::Never => {
                refuted += 1;
                assert!(none, "{text} for {m:?} {k:?}");
            }
            Verdict::When(_) | Verdict::Open => {
                open += 1;
                missed += usize::from(all || none);
            }
        }
    }
    println!("signs: {proved} proved, {refuted} refuted, {open} open, {missed} of these of one sign");
    assert!(missed * 10 <= proved + refuted + open, "{missed}");
}

/// The orders of a few facts.
fn orders(facts: &[&'static str]) -> Vec<Vec<&'static str>> {
    if facts.len() < 2 {
        return vec![facts.to_vec()];
    }
    let with_first = |i: usize| {
        let rest: Vec<&str> =
            facts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, fact)| *fact).collect();
        orders(&rest).into_iter().map(move |rest| [vec![facts[i]], rest].concat())
    };
    (0..facts.len()).flat_map(with_first).collect()
}

#[test]
fn a_name_has_several_lower_bounds_in_any_order() {
    for facts in [
        &["M >= 1", "ld >= 4", "ld >= M"][..],
        &["ld >= 4", "ld >= M", "ld >= K"],
        &["ld >= 4", "ld >= M", "ld % 8 == 0", "ld <= 4096"],
        &["ld >= M + 1", "ld >= 2*K", "ld >= 7", "K <= 9"],
    ] {
        for order in orders(facts) {
            let mut scope = Scope::new();
            scope.layout("(M,K):(1,ld)").unwrap();
            for fact in &order {
                scope.assume(fact).unwrap_or_else(|error| panic!("{fact} of {order:?}: {error}"));
            }
            for fact in facts {
                assert!(scope.guard(fact).unwrap().is_always(), "{fact} of {order:?}");
            }
            assert!(scope.values(&[]).is_ok(), "{order:?}");
            let text = scope.facts().map(|facts| scope.guard_text(&facts)).unwrap();
            let mut again = Scope::new();
            again.layout("(M,K):(1,ld)").unwrap();
            again.assume(&text.as_str().replace(" and ", ", ")).unwrap();
            for fact in facts {
                assert!(again.guard(fact).unwrap().is_always(), "{fact} of {text}");
            }
        }
    }
    let mut scope = Scope::new();
    scope.layout("(M,K):(1,ld)").unwrap();
    scope.assume("ld >= 100, ld >= M").unwrap();
    assert!(scope.assume("ld <= 99").is_err() && scope.assume("M >= ld").is_err());
    assert!(scope.values(&[("ld", 99)]).is_err() && scope.values(&[("M", 101), ("ld", 100)]).is_err());
}

#[test]
fn signs_under_several_lower_bounds_hold_at_every_value() {
    let (mut rng, mut proved, mut refuted, mut needed) = (rng("several bounds"), 0, 0, 0);
    for _ in 0..cases(20_000) {
        let (low, pad, factor) = (rng.range(2, 9), rng.range(0, 3), rng.range(1, 2));
        let bounds = [format!("ld >= {low}"), format!("ld >= M + {pad}"), format!("ld >= {factor}*K")];
        let (a, b, c, d) = (rng.range(-2, 3), rng.range(-3, 2), rng.range(-3, 2), rng.range(-30, 30));
        let text = format!("({a})*ld + ({b})*M + ({c})*K + ({d})");
        let verdict = |bounds: &[String]| {
            let mut scope = Scope::new();
            scope.layout("(M,K):(1,ld)").unwrap();
            scope.assume(&bounds.join(", ")).unwrap();
            let (number, zero) = (scope.number(&text).unwrap(), Number::integer(0));
            scope.is_at_least(&number, &zero).unwrap()
        };
        let values = (1..=12).flat_map(|m| (1..=12).flat_map(move |k| (1..=40).map(move |ld| (m, k, ld))));
        let mut admitted = values.filter(|(m, k, ld)| *ld >= low && *ld >= m + pad && *ld >= factor * k);
        let value = |(m, k, ld): (i64, i64, i64)| a * ld + b * m + c * k + d;
        match verdict(&bounds) {
            Verdict::Always => {
                proved += 1;
                assert!(admitted.all(|values| value(values) >= 0), "{text} {bounds:?}");
                needed += usize::from(!matches!(verdict(&bounds[..1]), Verdict::Always));
            }
            Verdict::Never => {
                refuted += 1;
                assert!(admitted.all(|values| value(values) < 0), "{text} {bounds:?}");
            }
            _ => {}
        }
    }
    assert!(proved > 20 && refuted > 5 && needed > 5, "{proved} {refuted} {needed}");
}

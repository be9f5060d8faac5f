//! Signs of numbers for all values: what is proved or refuted holds at every small value.

use crate::random::{Rng, cases, rng};
use tilework_symbolic::{Scope, Verdict};

fn verdict(facts: &str, left: &str, right: &str) -> &'static str {
    let mut scope = Scope::new();
    scope.layout("(M,K):(1,ld)").unwrap();
    scope.assume(facts).unwrap();
    let (left, right) = (scope.number(left).unwrap(), scope.number(right).unwrap());
    match scope.is_at_least(left, right).unwrap() {
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
        let (number, zero) = (scope.number(&text).unwrap(), scope.integer(0).unwrap());
        let verdict = scope.is_at_least(number, zero).unwrap();
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

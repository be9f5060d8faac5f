//! The laws of an integer-semimodule (paper, definition 2.16), by the operators of the language.

use testkit::{Random, scaled};
use tilework_expr::Session;

/// Elements of each semimodule; the last three are sums.
const ELEMENTS: [fn(&mut Random) -> String; 7] = [
    |rng| format!("(0+{})", rng.range(0, 9)),
    |rng| format!("(0-{}/3)", rng.range(-9, 9)),
    |rng| format!("({},({},{}))", rng.range(-9, 9), rng.range(-9, 9), rng.range(-9, 9)),
    |rng| format!("(1*f{})", rng.range(1, 9)),
    |rng| format!("({}*e0+{}*e1)", rng.range(1, 9), rng.range(1, 9)),
    |rng| format!("({}*e0-{}*E(1,1))", rng.range(1, 9), rng.range(1, 9)),
    |rng| format!("(E(2)+E(1)+{}*E(0))", rng.range(1, 9)),
];

#[test]
fn the_laws_hold() {
    let (mut session, mut rng) = (Session::new(), Random::named("semimodules"));
    for case in 0..scaled(20_000, 0.05) {
        let element = ELEMENTS[case % ELEMENTS.len()];
        let [m, n, p] = [0; 3].map(|_| element(&mut rng));
        // Products of XOR strides are without carries, so they agree with those of integers for powers of two.
        let mut count = || if m.contains('f') { 1 << rng.range(0, 3) } else { rng.range(-5, 5) };
        let [a, b]: [i64; 2] = [count(), count()];
        let mut ask =
            |text: String| session.evaluate(&text).map(ToString::to_string).map_err(|error| error.message);
        for [left, right] in [
            [format!("1*{m}"), m.clone()],
            [format!("{m}+({n}+{p})"), format!("({m}+{n})+{p}")],
            [format!("({a})*(({b})*{m})"), format!("({})*{m}", a * b)],
            [format!("{m}+{n}-{n}"), format!("1*{m}")],
        ] {
            let (found, expected) = (ask(left.clone()), ask(right.clone()));
            assert!(found.is_ok() && found == expected, "{left} is {found:?}, {right} is {expected:?}");
        }
    }
}

#[test]
fn what_is_no_element_is_named() {
    let mut session = Session::new();
    for (text, message) in [
        ("e0 % 2", "`%` takes numbers; found a stride"),
        ("(4,8):(1,4) - 1", "`-` takes numbers, strides and coordinates; found a layout"),
        ("(1,2) + 3", "incongruent"),
        ("e0 + f1", "mixed-codomain"),
        ("3 - f1", "here are integer and XOR strides"),
        ("e0 + 1", "here are integer and coordinate strides"),
        ("e0 + E(0,1)", "nested-basis"),
    ] {
        let error = session.evaluate(text).unwrap_err();
        assert!(
            error.message.contains(message) || error.code == message,
            "{text}: {}: {}",
            error.code,
            error.message
        );
    }
}

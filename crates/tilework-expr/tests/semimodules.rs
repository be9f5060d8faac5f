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

/// The value of a calculation of integers in two ways: by precedence here, and by the language, with and without white space,
/// names and parentheses.
#[test]
fn operators_bind_as_they_do_in_arithmetic() {
    let (mut session, mut rng) = (Session::new(), Random::named("precedence"));
    session.evaluate("let x = 3; let y = 5").unwrap();
    for _ in 0..scaled(20_000, 0.05) {
        let (mut text, mut sum, mut product, mut sign) = (String::new(), 0i64, 0i64, 1i64);
        for place in 0..rng.range(1, 6) {
            let (word, value) = match rng.range(0, 5) {
                0 => ("x".into(), 3),
                1 => ("(y)".into(), 5),
                2 => ("(x+y)".into(), 8),
                3 => (format!("({})", place + 2), place + 2),
                _ => (place.to_string(), place),
            };
            let mut space = || if rng.chance(30) { " " } else { "" };
            let [before, after, to, of] = [space(), space(), space(), space()];
            let power = rng.chance(20) && word != "(x+y)";
            match rng.range(0, 3) {
                _ if place == 0 => product = 1,
                0 => {
                    text.push_str(&format!("{before}*{after}"));
                }
                own => {
                    text.push_str(&format!("{before}{}{after}", if own == 1 { "+" } else { "-" }));
                    sum += sign * product;
                    (product, sign) = (1, if own == 1 { 1 } else { -1 });
                }
            }
            text.push_str(&word);
            if power {
                text.push_str(&format!("{to}^{of}{}", rng.choose(&["(2)", "2"])));
            }
            product *= if power { value * value } else { value };
        }
        sum += sign * product;
        let found = session.evaluate(&text).map(|value| value.as_integer());
        // A number in parentheses is a tuple where it stands alone.
        if !text.starts_with('(') {
            assert_eq!(found, Ok(Some(sum)), "{text}");
            let strides = session.evaluate(&format!("stride((2,2):(1,{text}))")).map(ToString::to_string);
            assert_eq!(strides, Ok(format!("(1,{sum})")), "{text}");
        }
    }
}

/// Sums of elements as they are written and printed: each has the components of the two, and can be pasted back.
#[test]
fn sums_are_pasted_back() {
    let mut session = Session::new();
    let mut ask =
        |text: &str| session.evaluate(text).unwrap_or_else(|error| panic!("{text}: {error}")).clone();
    for (a, b, c) in (1..4).flat_map(|a| (-3..4).flat_map(move |b| (1..4).map(move |c| (a, b, c)))) {
        let sign = if b < 0 { "-" } else { "+" };
        let size = i64::abs(b);
        let value = ask(&format!("(0+{a})*e0+({b})*e1"));
        for text in [
            format!("{a}@0{sign}{size}@1"),
            format!("{a}@0 {sign} {size}@1"),
            format!("{a}e0{sign}{size}e1"),
            format!("{a}*e0{sign}{size}*1@1"),
            format!("{a}*1@0{sign}{size}*(2@1-e1)"),
            format!("({}@0{sign}{}@1)/{c}", a * c, size * c),
            format!("1/{c}*({}@0{sign}{}@1)", a * c, size * c),
        ] {
            assert_eq!(ask(&text), value, "{text}");
        }
        if b == 0 {
            continue;
        }
        assert_eq!(ask(&value.to_string()).to_string(), value.to_string());
        assert_eq!(
            ask(&format!("crd2idx({a}@0{sign}{size}@1, (9,9), (1,10))")).as_integer(),
            Some(a + 10 * b)
        );
        assert_eq!(ask(&format!("4:({a}@0{sign}{size}@1)")), ask(&format!("4:({a}*e0+({b})*e1)")));
    }
    for (text, value) in
        [("f6+f5", "^3"), ("3*f5", "^15"), ("e0/3", "1/3@0"), ("2/3*e1", "2/3@1"), ("2@0/2", "1@0")]
    {
        assert_eq!(ask(text).to_string(), value);
        assert_eq!(ask(value), ask(text));
    }
}

/// An offset that is an element, or a sum of them, is the coordinate with these components, before layouts with names too.
#[test]
fn offsets_that_are_elements_are_coordinates() {
    let mut random = Random::named("offsets of elements");
    let told =
        |text: &str| Session::new().evaluate(text).unwrap_or_else(|e| panic!("{text}: {e}")).to_string();
    for _ in 0..scaled(500, 0.2) {
        let [a, b] = [0, 1].map(|_| random.range(-3, 3));
        let element = match (a, b) {
            (0, 0) => continue,
            (_, 0) => format!("{a}*e0"),
            (0, _) => format!("{b}@1"),
            _ => format!("{a}*e0+{b}*e1"),
        };
        for layout in ["(4,2):(e0,e1)", "4:(e0-e1)", "(M,2):(e0,3*e1)", "(M,N):(e1,ld*e0)"] {
            let index = random.range(0, 3);
            let [own, same] = [element.clone(), format!("({a},{b})")]
                .map(|offset| told(&format!("({{{offset}}} o {layout})({index})")));
            assert_eq!(own, same, "{element} {layout}");
        }
    }
}

//! The laws of an integer-semimodule (paper, definition 2.16), by the operators of the language.

use testkit::{Random, scaled};
use tilework_expr::{ExprError, Session, Value};

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
        // In parentheses, a sum is a stride and no coordinate.
        let bare = if m.contains(['e', 'E']) { &m[1..m.len() - 1] } else { &m };
        for [left, right] in [
            [format!("1*{m}"), bare.into()],
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
        ("e0 + e0@1", "`@` is behind a number, as in 1@0@1; found a stride"),
        ("(4,8):(1,4) - 1", "`-` takes numbers, strides and coordinates; found a layout"),
        ("(1,2) + 3", "incongruent"),
        ("e0 + f1", "mixed-codomain"),
        ("3 - f1", "two XOR values as f1"),
        ("e0 + 1", "two coordinates as e0 and (1,2)"),
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
            // A sign is that of the first product alone.
            let word = if place == 0 && rng.chance(30) { (sign = -1, format!("-{word}")).1 } else { word };
            let power = rng.chance(20) && !word.contains("x+y") && !word.starts_with("-0");
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

/// The value of a text of operators and operands, by precedence; each operand is beside its value.
fn value_of(tokens: &mut std::slice::Iter<'_, (String, (i128, i128))>, least: u32) -> Option<(i128, i128)> {
    let (word, own) = tokens.next()?;
    let mut left = match &**word {
        "-" => value_of(tokens, 4).map(|(a, b)| (-a, b))?,
        _ => *own,
    };
    while let Some((sign, _)) = tokens.as_slice().first() {
        let precedence = match &**sign {
            "+" | "-" => 2,
            "*" | "/" => 3,
            _ => 4,
        };
        if precedence < least {
            break;
        }
        tokens.next();
        let ((a, b), (c, d)) = (left, value_of(tokens, precedence + 1)?);
        left = match &**sign {
            "+" => (a * d + c * b, b * d),
            "-" => (a * d - c * b, b * d),
            "*" => (a * c, b * d),
            "/" if c == 0 => return None,
            "/" => (a * d * c.signum(), b * c.abs()),
            _ => (a.pow(u32::try_from(c).ok()?), b.pow(u32::try_from(c).ok()?)),
        };
    }
    Some(left)
}

/// Fractions, powers and signs before any operand, without white space and with it, of numbers, variables and names.
#[test]
fn signs_fractions_and_powers_bind_as_they_do_in_arithmetic() {
    let mut rng = Random::named("signs and fractions");
    for _ in 0..scaled(20_000, 0.1) {
        let (mut tokens, mut text) = (Vec::new(), String::new());
        for place in 0..rng.range(2, 5) {
            let power = place > 0 && rng.chance(15);
            if place > 0 {
                let sign: &str = if power { "^" } else { rng.choose(&["+", "-", "*", "/"]) };
                tokens.push((sign.into(), (0, 1)));
            }
            // The exponent of a power is 0 to 3, and its base has no sign.
            if !power && rng.chance(15) {
                tokens.push(("-".into(), (0, 1)));
            }
            let number = if power { rng.range(0, 3) } else { rng.range(1, 9) };
            tokens.push(match rng.range(0, 5) {
                0 if !power => ("x".into(), (3, 1)),
                1 if !power => ("M".into(), (5, 1)),
                2 => (format!("({number})"), (number.into(), 1)),
                3 if !power => (format!("(x+{number})"), (i128::from(number) + 3, 1)),
                _ => (number.to_string(), (number.into(), 1)),
            });
        }
        for (word, _) in &tokens {
            let space = if rng.chance(10) { " " } else { "" };
            text.push_str(&format!("{space}{word}{}", if rng.chance(10) { " " } else { "" }));
        }
        let Some((a, b)) = value_of(&mut tokens.iter(), 1) else { continue };
        let mut session = Session::new();
        let found = session.evaluate(&format!("let x = 3; assume M >= 1; stride(4:(1*({text}))) at M = 5"));
        let of = |found: &Value| {
            let text = found.to_string();
            let text = text.trim_matches(['(', ')', ',']);
            let (a, b) = text.split_once('/').unwrap_or((text, "1"));
            Some((a.parse::<i128>().ok()?, b.parse::<i128>().ok()?))
        };
        match found {
            Ok(found) => {
                let (c, d) = of(found).unwrap_or_else(|| panic!("{text}: {found}"));
                assert_eq!(a * d, b * c, "{text}: {found}");
            }
            Err(error) => {
                let known = ["two powers", "not a polynomial"];
                assert!(known.iter().any(|known| error.message.contains(known)), "{text}: {}", error.message);
            }
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

/// A number of 1 or more, which may have names.
fn number(rng: &mut Random) -> String {
    match rng.range(0, 5) {
        0 | 1 => (*rng.choose(&["M", "K"])).into(),
        2 => format!("{}*M", rng.range(1, 4)),
        3 => format!("(K+{})", rng.range(0, 4)),
        _ => rng.range(1, 4).to_string(),
    }
}

/// A stride of coordinates, which may be a sum, with names in its numbers.
fn element(rng: &mut Random, depth: u32) -> String {
    let inner = |rng: &mut Random| match depth {
        0 => "e1".into(),
        // An element alone would be a tuple in parentheses.
        _ => format!("{}+e{}", element(rng, depth - 1), rng.range(4, 6)),
    };
    match rng.range(0, 9) {
        0 => format!("{}*e{}", number(rng), rng.range(0, 3)),
        1 => format!("e{}*{}", rng.range(0, 3), number(rng)),
        2 => format!("{}@{}", rng.choose(&["M", "3", "(K+1)", "floor(M/2)", "2*K"]), rng.range(0, 3)),
        3 => format!("({}+{})", inner(rng), inner(rng)),
        4 => format!("({} - {})", inner(rng), inner(rng)),
        5 => format!("{}*({}+e3)", number(rng), inner(rng)),
        6 => format!("({}+{}*{})*{}", inner(rng), number(rng), inner(rng), number(rng)),
        7 => format!("(6*K*({}+e3)/{})", inner(rng), rng.range(1, 3)),
        _ => format!("(e3 - ({}+e2))", inner(rng)),
    }
}

/// Calculations of elements with names are those with their values, and are pasted back.
#[test]
fn elements_with_names_are_those_with_their_values() {
    let (mut rng, mut count) = (Random::named("elements with names"), 0);
    for case in 0..scaled(20_000, 0.05) {
        // A calculation in parentheses would be a tuple where only one element is left of it.
        let [a, b] = [0; 2].map(|_| format!("e7+{}", element(&mut rng, (case % 3) as u32)));
        let [m, n] = [0; 2].map(|_| number(&mut rng));
        let text = match case % 10 {
            0 => format!("{a}+{b}"),
            1 => format!("{a} - {b}"),
            2 => format!("({m},{n})+(2,{m})"),
            3 => format!("{n}*({m},(2,{n}))"),
            4 => format!("inner_product(({m},{n}),({a},{b}))"),
            5 => format!("stride((4,{m}):({a},{b}))"),
            6 => format!("((4,8):({a},{b}))(3,{n})"),
            7 => format!("let s = {a}; (4,{n}):(2*s,{b})"),
            8 => format!("(({m},64):(1,{n}))(2*e0+{n}*e1)"),
            _ => format!("({a},({b},{m}))"),
        };
        let values = [rng.range(1, 6), rng.range(1, 6)];
        let at = format!("at M = {}, K = {}", values[0], values[1]);
        let numbers = text.replace('M', &values[0].to_string()).replace('K', &values[1].to_string());
        let (mut session, mut other) = (Session::new(), Session::new());
        session.evaluate("assume M >= 1, K >= 1").unwrap();
        let named = session.evaluate(&text).cloned();
        let again = named.as_ref().ok().map(|named| session.evaluate(&named.to_string()).cloned());
        assert_eq!(again.transpose(), Ok(named.as_ref().ok().cloned()), "{text}");
        let found = named.and_then(|_| session.evaluate(&format!("{text} {at}")).cloned());
        let told = |value: Value| format!("{value} [{}]", value.kind());
        let expected = other.evaluate(&numbers).cloned();
        // A stride has five components, with small multiples where they are numbers.
        let is_limit = |value: &Result<Value, ExprError>| {
            value.as_ref().is_err_and(|error| error.message.contains(" components"))
        };
        if is_limit(&expected) || is_limit(&found) {
            continue;
        }
        let [expected, found] = [expected, found].map(|value| value.ok().map(told));
        count += usize::from(found.is_some());
        assert_eq!(found, expected, "{text} {at}: {numbers}");
    }
    assert!(count * 2 > scaled(20_000, 0.05), "{count}");
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

//! Everything with anything: every function and form of the language with random arguments of all kinds.
//!
//! Whatever is asked, there is an answer in bounded time, and a value prints as text that evaluates to it again. Debug
//! builds check every sum for overflow; the slowest call is printed. `TILEWORK_CASES` scales the number of calls (1 in
//! release, 0.1 in debug), and `TILEWORK_SEED` changes the seed.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use testkit::{Random, scaled, setting};
use tilework_expr::{ExprError, FUNCTIONS, Function, Indices, Session, Value};

const EXTREME: [i64; 12] = [
    i64::MAX,
    i64::MIN,
    i64::MAX - 1,
    i64::MIN + 1,
    1 << 62,
    (1 << 62) - 1,
    1 << 32,
    (1 << 32) - 1,
    1 << 31,
    3_037_000_500,
    -1 << 62,
    4096,
];

/// How large numbers are: the same for one call, so that not every other call overflows.
#[derive(Clone, Copy, PartialEq)]
enum Size {
    Small,
    Medium,
    Extreme,
}

fn extent(rng: &mut Random, size: Size) -> i64 {
    match size {
        Size::Extreme if rng.once_in(2) => rng.choose(&EXTREME),
        Size::Medium => rng.choose(&[1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 64, 100, 128, 256, 1000]),
        _ if rng.once_in(60) => rng.choose(&[0, -1, -3]),
        _ => rng.choose(&[1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8]),
    }
}

fn number(rng: &mut Random, size: Size) -> i64 {
    match size {
        Size::Extreme if rng.once_in(2) => rng.choose(&EXTREME),
        Size::Medium => rng.below(3000) as i64 - if rng.once_in(4) { 2000 } else { 0 },
        _ => rng.below(12) as i64 - if rng.once_in(4) { 8 } else { 0 },
    }
}

#[derive(Clone, Copy)]
enum Codomain {
    Integer,
    Rational,
    Coordinate,
    Xor,
    Mixed,
}

fn stride(rng: &mut Random, codomain: Codomain, size: Size) -> String {
    let count = number(rng, size);
    match codomain {
        Codomain::Integer => count.to_string(),
        Codomain::Rational if rng.once_in(3) => count.to_string(),
        Codomain::Rational => {
            format!("{count}/{}", number(rng, size).unsigned_abs().clamp(1, i64::MAX as u64))
        }
        Codomain::Coordinate if rng.once_in(3) => {
            let terms: Vec<String> = (0..2 + rng.below(2))
                .map(|_| stride(rng, Codomain::Coordinate, size))
                .map(|term| term.trim_matches(['(', ')']).into())
                .collect();
            format!("({})", terms.join("+").replace("+-", "-"))
        }
        Codomain::Coordinate => {
            let path = rng.choose(&["@0", "@1", "@0", "@1", "@2", "@0@3", "@1@3", "@31", "@0@0@0@0@4"]);
            let part = if rng.once_in(8) { "/2" } else { "" };
            format!("{}{part}{path}", if rng.once_in(2) { 1 } else { count })
        }
        Codomain::Xor => format!("^{}", count.unsigned_abs().min(i64::MAX as u64)),
        Codomain::Mixed => {
            let other =
                rng.choose(&[Codomain::Integer, Codomain::Rational, Codomain::Coordinate, Codomain::Xor]);
            stride(rng, other, size)
        }
    }
}

fn codomain(rng: &mut Random) -> Codomain {
    match rng.below(20) {
        0..9 => Codomain::Integer,
        9..11 => Codomain::Rational,
        11..15 => Codomain::Coordinate,
        15..19 => Codomain::Xor,
        _ => Codomain::Mixed,
    }
}

/// A tuple with `leaf` at its leaves, or two of one nesting.
fn nest(
    rng: &mut Random,
    leaves: usize,
    depth: usize,
    leaf: &mut impl FnMut(&mut Random) -> [String; 2],
) -> [String; 2] {
    if leaves == 1 && !rng.once_in(8) || depth == 0 {
        return leaf(rng);
    }
    let mut text = [String::from("("), String::from("(")];
    let mut left = leaves;
    while left > 0 {
        let part = if rng.once_in(3) { 1 + rng.below(left) } else { 1 };
        let inner = if part == 1 && !rng.once_in(10) { 0 } else { depth - 1 };
        let modes = nest(rng, part, inner, leaf);
        left -= if inner == 0 { 1 } else { part };
        for (text, mode) in text.iter_mut().zip(modes) {
            text.push_str(&mode);
            text.push(if left > 0 { ',' } else { ')' });
        }
    }
    text
}

fn leaves(rng: &mut Random) -> usize {
    match rng.below(40) {
        0 => 32,
        1 => 6 + rng.below(20),
        _ => 1 + rng.below(4),
    }
}

fn layout(rng: &mut Random, size: Size) -> String {
    if rng.once_in(40) {
        // More modes than leaves, of which `()` has none.
        let empty = "(),".repeat(rng.range(28, 40));
        return format!("({empty}{}):({empty}{})", extent(rng, size), number(rng, size));
    }
    let (count, depth, codomain) = (leaves(rng), rng.below(4), codomain(rng));
    if rng.once_in(3) {
        // Compact, in some order and with gaps at times: what most operations are about.
        let mut next = 1i64;
        let [shape, stride] = nest(rng, count, depth.max(1), &mut |rng| {
            let (extent, own) = (extent(rng, size), next);
            next = next.saturating_mul(extent);
            if rng.once_in(6) {
                next = next.saturating_mul(1 + rng.below(4) as i64);
            }
            let xor = matches!(codomain, Codomain::Xor) && own >= 0;
            [extent.to_string(), if xor { format!("^{own}") } else { own.to_string() }]
        });
        return format!("{shape}:{stride}");
    }
    let [shape, stride] = nest(rng, count, depth.max(1), &mut |rng| {
        [extent(rng, size).to_string(), stride(rng, codomain, size)]
    });
    format!("{shape}:{stride}")
}

fn tuple(rng: &mut Random, leaf: &mut impl FnMut(&mut Random) -> String) -> String {
    let (count, depth) = (leaves(rng), rng.below(4));
    let [text, _] = nest(rng, count, depth, &mut |rng| [leaf(rng), String::new()]);
    text
}

fn pattern(rng: &mut Random, size: Size) -> String {
    tuple(rng, &mut |rng| if rng.once_in(2) { "_".into() } else { number(rng, size).to_string() })
}

fn tiler(rng: &mut Random, size: Size, depth: usize) -> String {
    let tiles: Vec<String> = (0..1 + rng.below(3))
        .map(|_| match rng.below(6) {
            0 if depth > 0 => tiler(rng, size, depth - 1),
            1 => "_".into(),
            2 | 3 => extent(rng, size).to_string(),
            _ => layout(rng, size),
        })
        .collect();
    format!("<{}>", tiles.join(","))
}

fn swizzle(rng: &mut Random) -> String {
    let (bits, base) = (rng.below(4), rng.below(5));
    let shift = bits as i64 + rng.below(3) as i64;
    format!("Sw<{bits},{base},{}>", if rng.once_in(3) { -shift } else { shift })
}

fn instruction(rng: &mut Random) -> String {
    let name = rng.choose(&[
        "SM80_16x8x16_F32F16F16F32_TN",
        "SM70_8x8x4_F32F16F16F32_NT",
        "SM90_64x8x16_F32F16F16_SS",
        "AMX_16x16x32_F32BF16BF16F32",
        "SM75_U32x4_LDSM_N",
        "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>",
        "SM100_TMEM_LOAD_16dp256b1x",
        "UniversalCopy<uint32_t>",
    ]);
    match rng.below(4) {
        0 => name.into(),
        1 => format!("atom({name})"),
        2 => format!("atom({name}, {})", rng.choose(&[1, 8, 16, 32, 3, 0, -1])),
        _ => format!("tiled_mma({name}, (2,2))"),
    }
}

/// An argument of any kind, most often the layout that most functions want.
fn argument(rng: &mut Random, size: Size) -> String {
    match rng.below(24) {
        0 | 1 => number(rng, size).to_string(),
        2 | 3 => tuple(rng, &mut |rng| extent(rng, size).to_string()),
        4 => pattern(rng, size),
        5 => {
            let codomain = codomain(rng);
            tuple(rng, &mut |rng| stride(rng, codomain, size))
        }
        6 | 7 => tiler(rng, size, 2),
        8 => swizzle(rng),
        9 | 10 => format!("{} o {} o {}", swizzle(rng), number(rng, size), layout(rng, size)),
        11 => format!("{{{}}} o {}", number(rng, size), layout(rng, size)),
        12 => format!("{{{}}} o {}", tuple(rng, &mut |rng| number(rng, size).to_string()), layout(rng, size)),
        14 => format!(
            "{}_ptr[{}b] o {}",
            rng.choose(&["smem", "gmem"]),
            rng.choose(&[8, 16, 32]),
            layout(rng, size)
        ),
        15 if rng.once_in(3) => format!("{}_smem_ptr[16b](0x40) o {}", swizzle(rng), layout(rng, size)),
        13 if rng.once_in(2) => rng.choose(&["true", "false", "()", "():()", "<>"]).into(),
        13 => format!("image({})", layout(rng, size)),
        16 if rng.once_in(3) => instruction(rng),
        _ => layout(rng, size),
    }
}

/// An argument of the kind that a form of the function names.
fn fitting(rng: &mut Random, name: &str, size: Size) -> String {
    match name {
        // Values of a function that is 0 at 0.
        "f" => {
            let more: String = (0..1 + rng.below(6)).map(|_| format!(",{}", number(rng, size))).collect();
            format!("(0{more})")
        }
        "columns" => tuple(rng, &mut |rng| extent(rng, size).to_string()),
        "S" => tuple(rng, &mut |rng| extent(rng, size).to_string()),
        "T" => match rng.below(4) {
            0 => tiler(rng, size, 1),
            1 => tuple(rng, &mut |rng| extent(rng, size).to_string()),
            _ => layout(rng, size),
        },
        "D" => {
            let codomain = codomain(rng);
            tuple(rng, &mut |rng| stride(rng, codomain, size))
        }
        "(2,_)" | "(_,_)" => pattern(rng, size),
        "(0,1)" => rng.choose(&["(0,1)", "(1,2)", "(0)", "(0,2)"]).into(),
        "\"(ab)c -> cab\"" => {
            let patterns =
                ["ab -> ba", "(ab) -> ba", "a -> (a)", "a (b 2) -> 2 b a", "... -> (...)", "a -> b"];
            format!("\"{}\"", rng.choose(&patterns))
        }
        "w" => swizzle(rng),
        "P" => rng.choose(&["ptr[8b]", "smem_ptr[16b]", "gmem_ptr[32b]", "(0,0)"]).into(),
        // An instruction of either kind that most arguments fit.
        "X" if rng.once_in(3) => "atom(UniversalCopy<uint8_t>, 8)".into(),
        "X" if rng.once_in(2) => "atom(SM80_16x8x16_F32F16F16F32_TN)".into(),
        "NAME" | "X" => instruction(rng),
        ".c" => rng.choose(&[".a", ".b", ".c", ".c", ".src", ".src", ".dst", ".shape"]).into(),
        "e" | "tv" => tuple(rng, &mut |rng| rng.below(4).to_string()),
        "t" => rng.choose(&["0", "5", "31", "32", "-1"]).into(),
        "tiled" if rng.once_in(2) => fitting(rng, "mma", size),
        "mma" => rng
            .choose(&["tiled_mma(SM80_8x8x4_F64F64F64F64_TN)", "tiled_mma(UniversalFMA<float>, (4,8))"])
            .into(),
        "tiled" | "copy" => "tiled_copy(atom(UniversalCopy<uint8_t>, 8), (4,8), (1,2))".into(),
        "ThrMMA" => format!("{}.get_slice(5)", fitting(rng, "mma", size)),
        "ThrCopy" => format!("{}.get_slice(5)", fitting(rng, "copy", size)),
        "bits" => rng.choose(&["1", "8", "16", "32", "3"]).into(),
        // Few layouts have a large index.
        "i" if rng.once_in(2) => rng.below(4).to_string(),
        "c" | "i" | "a" | "b" | "n" | "0" | "1" | "2" | "3" | "8" | "16" if !rng.once_in(4) => {
            number(rng, size).to_string()
        }
        "c" | "a" | "b" | "order" | "profile" => tuple(rng, &mut |rng| number(rng, size).to_string()),
        _ => layout(rng, size),
    }
}

/// What is written otherwise than as a call; the names of operands are those of `fitting`, between `%`.
const FORMS: [&str; 12] = [
    "(%L%)(%c%)",
    "(%S%):(%S%)",
    "{%i%} o (%L%)",
    "(%L%) o (%T%)",
    "(%L%) / (%T%)",
    "(%L%) * (%T%)",
    "<%T%,%L%>",
    "(%L%,%L%)",
    "(%w%) o %i% o (%L%)",
    "%w%",
    "(%X%).a",
    "(%X%).src",
];

fn call(rng: &mut Random, at: usize) -> String {
    let size = match rng.below(10) {
        0..6 => Size::Small,
        6..8 => Size::Medium,
        _ => Size::Extreme,
    };
    let Some(function) = FUNCTIONS.get(at) else {
        let any = rng.once_in(3);
        let parts = FORMS[at - FUNCTIONS.len()].split('%').enumerate();
        return parts
            .map(|(index, part)| match (index % 2, any) {
                (0, _) => part.to_string(),
                (_, true) => argument(rng, size),
                _ => fitting(rng, part, size),
            })
            .collect();
    };
    if function.signature().starts_with("formula") {
        let mut number = || if rng.once_in(4) { argument(rng, size) } else { rng.below(20).to_string() };
        let [step, divisor, rows, columns] = [number(), number(), number(), number()];
        return format!("from_formula(i*{step} + j%{divisor}, i < {rows}, j < {columns})");
    }
    let (least, most) = function.arguments();
    let most = most.min(least + 2);
    let form = rng.choose(function.forms());
    if !rng.once_in(3) && form.starts_with(function.name()) {
        let (head, tail) = form.split_once('(').expect("a form is a call");
        let mut arguments: Vec<String> = Vec::new();
        for name in tail.trim_end_matches(')').split(", ").filter(|name| *name != "...") {
            let name = if name.contains('_') { "(2,_)" } else { name };
            arguments.push(match arguments.last() {
                Some(last) if rng.once_in(5) => last.clone(),
                _ => fitting(rng, name, size),
            });
        }
        return format!("{head}({})", arguments.join(", "));
    }
    let count = least + rng.below(most - least + 1);
    let indices = match function.indices() {
        Indices::Path if rng.once_in(3) => 1 + rng.below(2),
        Indices::Own(least, _) if rng.once_in(2) => least,
        _ => 0,
    };
    let indices: Vec<String> =
        (0..indices).map(|_| rng.choose(&[0, 0, 1, 1, 2, 3, 8, 16]).to_string()).collect();
    let indices = if indices.is_empty() { String::new() } else { format!("<{}>", indices.join(",")) };
    let arguments: Vec<String> = (0..count).map(|_| argument(rng, size)).collect();
    format!("{}{indices}({})", function.name(), arguments.join(", "))
}

#[test]
fn every_function_answers_whatever_it_is_given() {
    // The time is printed and not judged, but for what does not end: the goal of 2 ms in release is exceeded by some left
    // inverses (docs/proofs.md).
    let (calls, limit) =
        (scaled(4000, 0.04), Duration::from_millis(if cfg!(debug_assertions) { 4000 } else { 500 }));
    let mut rng = Random::new(setting("TILEWORK_SEED", 1));
    let (mut session, mut fresh) = (Session::new(), Session::new());
    let (mut slowest, mut kinds) = ((Duration::ZERO, String::new()), BTreeSet::new());
    for at in 0..FUNCTIONS.len() + FORMS.len() {
        let (mut answered, mut refused) = (0, 0);
        for _ in 0..calls {
            let text = call(&mut rng, at);
            let mut time = Duration::MAX;
            // Another process may have had the processor: the least time of several counts.
            for _ in 0..6 {
                let start = Instant::now();
                let _ = std::hint::black_box(session.evaluate(&text));
                time = time.min(start.elapsed());
                if time < limit / 2 {
                    break;
                }
            }
            assert!(time < limit, "{time:?}: {text}");
            if time > slowest.0 {
                slowest = (time, text.clone());
            }
            match session.evaluate(&text) {
                Ok(value) => {
                    answered += 1;
                    kinds.insert(value.kind());
                    let printed = value.to_string();
                    match fresh.evaluate(&printed) {
                        Ok(again) if again == value => {}
                        Ok(again) => panic!("{text} is {printed}, which reads as {again} ({})", again.kind()),
                        Err(error) => panic!("{text} is {printed}, which does not read: {error}"),
                    }
                }
                Err(error) => {
                    refused += 1;
                    assert!(text.get(error.span.clone()).is_some(), "{text}: {error:?}");
                    assert!(!error.message.is_empty() && !error.message.contains('\n'), "{text}: {error}");
                }
            }
            let _ = session.explain(&text);
        }
        let name = FUNCTIONS.get(at).map_or_else(|| FORMS[at - FUNCTIONS.len()], |function| function.name());
        assert!(answered * 100 > calls, "{name}: {answered} answered, {refused} refused");
    }
    assert_eq!(kinds.len(), 19, "every kind of value is among the answers: {kinds:?}");
    println!("slowest: {slowest:?}");
}

/// A text, or a call of a function with such arguments.
#[derive(Clone)]
enum Term {
    Text(String),
    Call { name: &'static str, indices: String, arguments: Vec<Term> },
}

impl Term {
    /// As one expression.
    fn nested(&self) -> String {
        match self {
            Term::Text(text) => text.clone(),
            Term::Call { name, indices, arguments } => {
                written(name, indices, arguments.iter().map(Term::nested).collect())
            }
        }
    }

    /// The same with a `let` for each argument, appended to `lets`.
    fn stepwise(&self, lets: &mut Vec<String>) -> String {
        let Term::Call { name, indices, arguments } = self else { return self.nested() };
        let mut names = Vec::new();
        for argument in arguments {
            let value = argument.stepwise(lets);
            names.push(format!("t{}", lets.len()));
            lets.push(format!("let t{} = {value};", lets.len()));
        }
        written(name, indices, names)
    }
}

/// A call; keywords stand behind the arguments.
fn written(name: &str, indices: &str, mut arguments: Vec<String>) -> String {
    let (before, behind) = if indices.starts_with("mode") { ("", indices) } else { (indices, "") };
    if !behind.is_empty() {
        arguments.push(behind.to_string());
    }
    format!("{name}{before}({})", arguments.join(", "))
}

/// The names of the arguments in each form of a function, and whether its indices stand before them.
fn shapes(function: &'static Function) -> Vec<(bool, Vec<&'static str>)> {
    let mut shapes: Vec<(bool, Vec<&str>)> = Vec::new();
    for form in function.forms() {
        let Some(rest) = form.strip_prefix(function.name()) else { continue };
        let (head, tail) = rest.split_once('(').expect("a form is a call");
        let tail = tail.strip_suffix(')').expect("a form is a call");
        let names = tail.split(", ").filter(|name| *name != "...").collect();
        shapes.push((!head.is_empty(), names));
    }
    if function.indices() == Indices::Path && shapes.iter().all(|(indexed, _)| !indexed) {
        shapes.push((true, shapes[0].1.clone()));
    }
    shapes
}

/// A call in one form of a function, of texts that have values.
fn term(rng: &mut Random, function: &'static Function, form: usize, session: &mut Session) -> Term {
    let (indexed, names) = shapes(function).swap_remove(form);
    let mut arguments = Vec::new();
    while arguments.len() < names.len() {
        let name = names[arguments.len()];
        let text = fitting(rng, if name.contains('_') { "(2,_)" } else { name }, Size::Small);
        if session.evaluate(&text).is_ok() {
            arguments.push(Term::Text(text));
        }
    }
    let count = match function.indices() {
        Indices::Own(least, _) => least,
        _ => 1 + rng.below(2),
    };
    let indices: Vec<String> = (0..count).map(|_| rng.choose(&[0, 0, 1, 1, 2, 8]).to_string()).collect();
    let indices = match (indexed, rng.below(4), indices.join(",")) {
        (false, ..) => String::new(),
        (true, 0, indices) => format!("[{indices}]"),
        (true, 1, indices) => format!("mode=[{indices}]"),
        (true, _, indices) => format!("<{indices}>"),
    };
    Term::Call { name: function.name(), indices, arguments }
}

fn refusal(error: ExprError) -> String {
    format!("{}: {} {:?}", error.code, error.message, error.help)
}

/// Value or error, and explanation.
fn told(session: &mut Session, text: &str) -> [String; 2] {
    let value = session.evaluate(text).map(|value| format!("{value} ({})", value.kind()));
    let explained = session.explain(text).map(|explained| {
        let operands: Vec<&String> = explained.operands.iter().map(|(_, value)| value).collect();
        let outcome = explained.outcome.unwrap_or_else(refusal);
        format!("{} of {operands:?}: {outcome} {:?}", explained.operation, explained.sections)
    });
    [value, explained].map(|told| told.unwrap_or_else(refusal))
}

/// What a nested expression says, and the same composed step by step; whether it has a value.
fn nested_is_stepwise(session: &mut Session, term: &Term) -> bool {
    let mut lets = Vec::new();
    let last = term.stepwise(&mut lets);
    let nested = term.nested();
    let steps = match lets.iter().find_map(|text| session.evaluate(text).err()) {
        Some(error) => [refusal(error.clone()), refusal(error)],
        None => told(session, &last),
    };
    assert_eq!(told(session, &nested), steps, "{nested}\n{}", lets.concat() + &last);
    session.evaluate(&nested).is_ok()
}

#[test]
fn every_function_within_every_other_is_their_composition() {
    // A formula is a text, in which nothing is called.
    let forms: Vec<(&Function, usize)> = FUNCTIONS
        .iter()
        .filter(|function| !function.signature().starts_with("formula"))
        .flat_map(|function| (0..shapes(function).len()).map(move |form| (function, form)))
        .collect();
    let step = (1.0 / setting("TILEWORK_CASES", if cfg!(debug_assertions) { 0.05 } else { 1.0 })) as usize;
    let mut rng = Random::new(setting("TILEWORK_SEED", 1));
    let (mut session, mut count, mut answered) = (Session::new(), 0, 0);
    for &(outer, outer_form) in &forms {
        for &(inner, inner_form) in &forms {
            for at in 0..shapes(outer)[outer_form].1.len() {
                count += 1;
                if count % step.max(1) != 0 {
                    continue;
                }
                // An inner call that is refused says little about the outer one.
                let mut within = term(&mut rng, inner, inner_form, &mut session);
                for _ in 0..8 {
                    if session.evaluate(&within.nested()).is_ok() {
                        break;
                    }
                    within = term(&mut rng, inner, inner_form, &mut session);
                }
                let mut whole = term(&mut rng, outer, outer_form, &mut session);
                let Term::Call { arguments, .. } = &mut whole else { unreachable!() };
                arguments[at] = within;
                answered += usize::from(nested_is_stepwise(&mut session, &whole));
            }
        }
    }
    assert!(answered * step.max(1) * 8 > count, "{answered} of {count} answered");
    for _ in 0..count / step.max(1) {
        let mut whole = Term::Text(fitting(&mut rng, "L", Size::Small));
        for _ in 0..3 {
            let (function, form) = rng.choose(&forms);
            let mut outer = term(&mut rng, function, form, &mut session);
            let Term::Call { arguments, .. } = &mut outer else { unreachable!() };
            let at = rng.below(arguments.len());
            for (index, argument) in arguments.iter_mut().enumerate() {
                if index == at || rng.once_in(3) {
                    *argument = whole.clone();
                }
            }
            whole = outer;
        }
        nested_is_stepwise(&mut session, &whole);
    }
    println!("{answered} of {count} answered");
}

/// Neither `get<1>(L, 0)` nor `get<1>(L, mode=[0])` silently drops one of its indices.
#[test]
fn indices_are_written_once() {
    let (mut rng, mut session, mut count) = (Random::new(1), Session::new(), 0);
    for function in FUNCTIONS.iter().filter(|function| function.indices() != Indices::None) {
        let forms = shapes(function);
        let longest = (0..forms.len()).filter(|form| !forms[*form].0).max_by_key(|form| forms[*form].1.len());
        let Term::Call { arguments, .. } = term(&mut rng, function, longest.expect("a form"), &mut session)
        else {
            unreachable!()
        };
        let arguments: Vec<String> = arguments.iter().map(Term::nested).collect();
        let (least, _) = function.arguments();
        let indices =
            if let Indices::Own(least, _) = function.indices() { vec!["0"; least] } else { vec!["0"] };
        let indices = indices.join(",");
        let mut texts = vec![format!(
            "{}<{indices}>({}, mode=[{indices}])",
            function.name(),
            arguments[..least].join(", ")
        )];
        if matches!(function.indices(), Indices::Own(..)) && !function.signature().contains("*, ") {
            texts.push(format!("{}<{indices}>({})", function.name(), arguments.join(", ")));
        }
        for text in texts {
            let code = session.evaluate(&text).map(Value::to_string).map_err(|error| error.code);
            assert_eq!(code, Err("arguments"), "{text}");
            count += 1;
        }
    }
    assert!(count > 30, "{count} calls");
}

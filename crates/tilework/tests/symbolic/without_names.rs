//! A layout without names has the static answer, bit for bit: the cases of the corpus, and what is printed.

#[path = "../../../../corpus/cases.rs"]
#[allow(dead_code)]
mod cases;

use tilework::symbolic::{Refusal, Scope, Verdict};
use tilework::{Error, Layout};

/// The arguments of a call in the corpus that are layouts of numbers.
fn operands(expression: &str, name: &str) -> Option<Vec<Layout>> {
    let inner = expression.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (i, character) in inner.char_indices() {
        match character {
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    // A tuple of extents in place of a layout is a tiler in some operations.
    parts.iter().map(|part| if part.contains(':') { part.trim().parse().ok() } else { None }).collect()
}

fn answer(
    layouts: &[Layout],
    run: impl Fn(&mut Scope, &[tilework::symbolic::SymbolicLayout]) -> Result<Layout, Error>,
) -> Result<Layout, Error> {
    let mut scope = Scope::new();
    let symbolic: Vec<_> = layouts.iter().map(|layout| scope.constant(layout).unwrap()).collect();
    run(&mut scope, &symbolic)
}

#[test]
fn the_corpus_has_the_static_answers() {
    let mut counts = [0; 3];
    for case in cases::cases() {
        let text = case.expression.as_str();
        if let Some(operands) = operands(text, "composition")
            && let [a, b] = &operands[..]
        {
            counts[0] += 1;
            let got = answer(&operands, |scope, layouts| match scope.composition(&layouts[0], &layouts[1]) {
                Ok(answer) => {
                    assert!(answer.guard.is_always());
                    Ok(scope.as_constant(&answer.layout).unwrap())
                }
                Err(Refusal::Error(error)) => Err(error),
                Err(_) => unreachable!(),
            });
            assert_eq!(got, a.composition(b), "{text}");
        }
        if let Some(operands) = operands(text, "coalesce")
            && let [a] = &operands[..]
        {
            counts[1] += 1;
            let got = answer(&operands, |scope, layouts| {
                let coalesced = scope.coalesce(&layouts[0])?;
                Ok(scope.as_constant(&coalesced).unwrap())
            });
            assert_eq!(got, Ok(a.coalesce()), "{text}");
        }
        if let Some(operands) = operands(text, "composition").or(operands(text, "equivalent"))
            && operands.len() == 2
        {
            counts[2] += 1;
            let mut scope = Scope::new();
            let (a, b) = (scope.constant(&operands[0]).unwrap(), scope.constant(&operands[1]).unwrap());
            let equal = matches!(scope.equivalent(&a, &b), Ok(Verdict::Always));
            assert_eq!(equal, operands[0].equivalent(&operands[1]), "{text}");
        }
    }
    println!("{counts:?} cases");
    assert!(counts.iter().all(|&count| count >= 10));
}

#[test]
fn numbers_are_read_and_printed_as_by_the_static_notation() {
    for case in cases::cases() {
        for part in case.expression.split(|c: char| c.is_alphabetic() || c == ' ') {
            if let Ok(layout) = part.parse::<Layout>()
                && part.contains(':')
                && !part.contains(['_', '<', 'F'])
            {
                let mut scope = Scope::new();
                let constant = scope.constant(&layout).unwrap();
                let text = layout.to_string();
                assert_eq!(scope.layout_text(&constant).as_str(), text);
                let again = scope.layout(&text).unwrap();
                assert_eq!(scope.as_constant(&again), Some(layout), "{text}");
            }
        }
    }
}

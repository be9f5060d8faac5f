//! A layout without names has the static answer, bit for bit: the cases of the corpus, and what is printed.

use tilework::{Error, Layout};
use tilework_symbolic::{Answer, Refusal, Scope, SymbolicLayout, Verdict};

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

/// A symbolic answer without names as a static result.
fn fixed(answer: Result<Answer, Refusal>) -> Result<Layout, Error> {
    match answer {
        Ok(answer) => {
            assert!(answer.guard.is_always());
            Ok(answer.layout.as_constant().unwrap())
        }
        Err(Refusal::Error(error)) => Err(error),
        Err(refusal) => panic!("{refusal:?}"),
    }
}

type Symbolic = fn(&mut Scope, &[SymbolicLayout]) -> Result<Answer, Refusal>;
type Static = fn(&[Layout]) -> Result<Layout, Error>;

/// Operations by their names in the corpus, with the number of their operands.
const OPERATIONS: &[(&str, usize, Symbolic, Static)] = &[
    ("composition", 2, |s, l| s.composition(&l[0], &l[1]), |l| l[0].composition(&l[1])),
    ("complement", 1, |s, l| s.complement(&l[0]), |l| l[0].complement()),
    (
        "logical_divide",
        2,
        |s, l| s.logical_divide(&l[0], &l[1].as_tiler()),
        |l| l[0].logical_divide(&l[1].as_tiler()),
    ),
    (
        "zipped_divide",
        2,
        |s, l| s.zipped_divide(&l[0], &l[1].as_tiler()),
        |l| l[0].zipped_divide(&l[1].as_tiler()),
    ),
    (
        "tiled_divide",
        2,
        |s, l| s.tiled_divide(&l[0], &l[1].as_tiler()),
        |l| l[0].tiled_divide(&l[1].as_tiler()),
    ),
    ("flat_divide", 2, |s, l| s.flat_divide(&l[0], &l[1].as_tiler()), |l| l[0].flat_divide(&l[1].as_tiler())),
    (
        "logical_product",
        2,
        |s, l| s.logical_product(&l[0], &l[1].as_tiler()),
        |l| l[0].logical_product(&l[1].as_tiler()),
    ),
    ("blocked_product", 2, |s, l| s.blocked_product(&l[0], &l[1]), |l| l[0].blocked_product(&l[1])),
    ("raked_product", 2, |s, l| s.raked_product(&l[0], &l[1]), |l| l[0].raked_product(&l[1])),
];

/// Whether a stride has several components, which a layout with names cannot have.
fn has_sums(layout: &Layout) -> bool {
    matches!(Scope::new().constant(layout), Err(Error::SeveralComponents { .. }))
}

#[test]
fn the_corpus_has_the_static_answers() {
    let mut counts = vec![0; OPERATIONS.len()];
    let (mut coalesced, mut equal) = (0, 0);
    for case in testkit::cases() {
        let text = case.expression.as_str();
        for (count, (name, arity, symbolic, fixed_operation)) in counts.iter_mut().zip(OPERATIONS) {
            let Some(operands) = operands(text, name).filter(|operands| operands.len() == *arity) else {
                continue;
            };
            *count += 1;
            let mut scope = Scope::new();
            let layouts: Result<Vec<_>, _> = operands.iter().map(|layout| scope.constant(layout)).collect();
            let answer =
                fixed(layouts.map_err(Refusal::Error).and_then(|layouts| symbolic(&mut scope, &layouts)));
            let expected = fixed_operation(&operands);
            if operands.iter().chain(&expected).any(has_sums) {
                assert!(matches!(answer, Err(Error::SeveralComponents { .. })), "{text}: {answer:?}");
            } else {
                assert_eq!(answer, expected, "{text}");
            }
        }
        if let Some(operands) = operands(text, "coalesce")
            && let [layout] = &operands[..]
            && !has_sums(layout)
        {
            coalesced += 1;
            let scope = Scope::new();
            let constant = scope.constant(layout).unwrap();
            let got = scope.coalesce(&constant).unwrap();
            assert_eq!(got.as_constant(), Some(layout.coalesce()), "{text}");
        }
        if let Some(operands) = operands(text, "composition").or(operands(text, "equivalent"))
            && let [left, right] = &operands[..]
            && ![left, right].into_iter().any(has_sums)
        {
            equal += 1;
            let scope = Scope::new();
            let (a, b) = (scope.constant(left).unwrap(), scope.constant(right).unwrap());
            let same = matches!(scope.equivalent(&a, &b), Ok(Verdict::Always));
            assert_eq!(same, left.equivalent(right), "{text}");
        }
    }
    println!("{counts:?}, {coalesced} coalesced, {equal} compared");
    assert!(counts.iter().all(|&count| count > 0) && coalesced > 10 && equal > 10);
}

#[test]
fn numbers_are_read_and_printed_as_by_the_static_notation() {
    for case in testkit::cases() {
        for part in case.expression.split(|c: char| c.is_alphabetic() || c == ' ') {
            if let Ok(layout) = part.parse::<Layout>()
                && part.contains(':')
                && !part.contains(['_', '<', 'F'])
                && !has_sums(&layout)
            {
                let mut scope = Scope::new();
                let constant = scope.constant(&layout).unwrap();
                let text = layout.to_string();
                assert_eq!(constant.to_string(), text);
                let again = scope.layout(&text).unwrap();
                assert_eq!(again.as_constant(), Some(layout), "{text}");
            }
        }
    }
}

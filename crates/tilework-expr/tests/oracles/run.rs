//! Asking every oracle, and saying what came of it.

use crate::cases::*;
use crate::model::*;
use crate::oracle::*;
use crate::text::*;
use crate::{
    algebra, coordinates, divides, einfold, forms, instructions, inverses, parts, questions, tensors, vectors,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tilework_expr::{FUNCTIONS, Session};

pub const FAMILIES: [&[Row]; 11] = [
    questions::ROWS,
    coordinates::ROWS,
    parts::ROWS,
    einfold::ROWS,
    algebra::ROWS,
    inverses::ROWS,
    divides::ROWS,
    vectors::ROWS,
    instructions::ROWS,
    forms::ROWS,
    tensors::ROWS,
];

/// Random cases of each function at scale 1: 300,000 in all.
const RANDOM: usize = 4000;

#[test]
fn every_function_has_an_oracle() {
    let rows: Vec<&str> = FAMILIES.iter().flat_map(|rows| rows.iter().map(|row| row.name)).collect();
    let have: BTreeSet<&str> = rows.iter().copied().collect();
    let want: BTreeSet<&str> = FUNCTIONS.iter().map(|function| function.name()).collect();
    let (missing, unknown): (Vec<_>, Vec<_>) =
        (want.difference(&have).collect(), have.difference(&want).collect());
    assert!(missing.is_empty(), "these functions have no oracle in tests/oracles: {missing:?}");
    assert!(unknown.is_empty(), "these oracles are of no function: {unknown:?}");
    assert_eq!(rows.len(), have.len(), "two oracles of one name");
}

#[test]
fn random_cases() {
    let count = scaled(RANDOM);
    examine(&|row| {
        let mut seeds = Random::named(row.name);
        (0..count).map(|_| case(row, &mut Source { rng: Random::new(seeds.next()), list: None })).collect()
    });
}

/// Layouts of two and three modes with small extents and strides, in each codomain; what else a function takes goes
/// through the same layouts in other steps.
#[test]
fn all_small_layouts() {
    let of = |step: fn(i128) -> Step, counts: &[i128]| counts.iter().copied().map(step).collect::<Vec<_>>();
    let half = |count| Step::new(Rational::new(count, 2), Unit::Basis(vec![]));
    let [first, second]: [fn(i128) -> Step; 2] =
        [|count| Step::sum([(vec![0], count)]), |count| Step::sum([(vec![1], count)])];
    let integers = of(Step::int, &[0, 1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3]);
    let bits = of(Step::xor, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let halves = of(half, &[0, 1, 2, 3, 4, 6, -1]);
    let axes = [of(first, &[0, 1, 2, 3, 4, -1]), of(second, &[1, 2, 3, 4, -1])].concat();
    let few_axes = [of(first, &[0, 1, 2]), of(second, &[1, 2])].concat();
    let sum = |components: &[(&[usize], i128)]| {
        Step::sum(components.iter().map(|(path, count)| (path.to_vec(), *count)))
    };
    let sums = [
        sum(&[(&[0], 1)]),
        sum(&[(&[1], 2)]),
        sum(&[(&[0], 1), (&[1], 1)]),
        sum(&[(&[0], 1), (&[1], -1)]),
        sum(&[(&[0], 2), (&[1], 3)]),
        sum(&[(&[0], 1), (&[1], 1), (&[2], 2)]),
        sum(&[(&[1, 0], 1)]),
        sum(&[(&[0], 1), (&[1, 0], 1)]),
        sum(&[(&[0], -1), (&[1, 1], 2)]),
    ];
    let lists = [
        (integers, of(Step::int, &[0, 1, 2, 3, 4, 6, -1])),
        (bits, of(Step::xor, &[0, 1, 2, 3, 4, 6])),
        (halves, of(half, &[0, 1, 2, 3, 6])),
        (axes, few_axes),
        (sums.to_vec(), sums[..6].to_vec()),
    ];
    let lists = lists.iter().flat_map(|(steps, few)| {
        [
            all_layouts(1, &[1, 2, 3, 4, 5, 6, 7, 8], steps),
            all_layouts(2, &[1, 2, 3, 4], steps),
            all_layouts(3, &[1, 2, 3], few),
        ]
    });
    // The lists of one codomain stand behind each other, so that the operands of a case are mostly of one.
    let all: Vec<Layout> = lists.flatten().filter(is_layout).collect();
    let count = scaled(all.len()).min(all.len());
    examine(&|row| {
        (0..count)
            .map(|number| {
                let at = number * all.len() / count;
                case(row, &mut Source { rng: Random::new(number as u64), list: Some((&all, at)) })
            })
            .collect()
    });
}

/// Each entry still fails; one that does not has to go.
#[test]
fn known_failures_fail() {
    let mut session = Session::new();
    let mended: Vec<&str> = KNOWN
        .iter()
        .map(|known| known.2)
        .filter(|text| {
            let case = read_case(text);
            let outcome = verdict(find(case.function), &case, &mut session);
            KNOWN.iter().all(|known| known.2 != *text || Some(known.1) != outcome.fault())
        })
        .collect();
    assert!(mended.is_empty(), "these are right now, and no longer to be listed:\n{}", mended.join("\n"));
}

/// In which way functions are known to fail for layouts of a codomain, each with its smallest case. Nothing else may fail.
const KNOWN: &[(Codomain, Fault, &str)] = &[
    // Indices that share an offset.
    (Codomain::Coordinate, Fault::Refused, "left_inverse((2,(3,2)):(1@1,((1@0+1@1),1@0)))"),
    // A tile of sums that reaches beyond the layout has several complements, and behind that of the core there is no layout, or
    // there are fewer tiles.
    (Codomain::Xor, Fault::Refused, "logical_divide((1,1):(^1,^1), 2:(1@0+3@1))"),
    (Codomain::Xor, Fault::Refused, "zipped_divide((1,1):(^1,^1), 2:(1@0+3@1))"),
    (Codomain::Xor, Fault::Refused, "tiled_divide((1,1):(^1,^1), 2:(1@0+3@1))"),
    (Codomain::Xor, Fault::Refused, "flat_divide((1,1):(^1,^1), 2:(1@0+3@1))"),
    (Codomain::Xor, Fault::Refused, "local_tile((1,1):(^1,^1), 2:(1@0+3@1), 0)"),
    (Codomain::Coordinate, Fault::Refused, "local_tile((1,1):(0,0), 2:(2@0+1@1), 1)"),
];

/// What is known of strides of several components says nothing of others.
fn is_known(case: &Case, fault: Fault) -> bool {
    let own = codomains(case);
    KNOWN.iter().any(|(codomain, kind, text)| {
        let known = read_case(text);
        *kind == fault
            && own.contains(codomain)
            && known.function == case.function
            && (has_sums(case) || !has_sums(&known))
    })
}

fn has_sums(case: &Case) -> bool {
    layouts(case).any(|layout| layout.leaves().iter().any(|leaf| matches!(leaf.step.unit, Unit::Sum(_))))
}

/// The codomains of the arguments but for the integers, if there are others.
fn codomains(case: &Case) -> Vec<Codomain> {
    let found: Vec<Codomain> =
        layouts(case).map(|layout| codomain(&layout)).filter(|own| *own != Codomain::Integer).collect();
    if found.is_empty() { vec![Codomain::Integer] } else { found }
}

fn layouts(case: &Case) -> impl Iterator<Item = Layout> {
    case.arguments.iter().flat_map(|argument| match argument {
        Value::Tiler(tiler) => tiles(tiler),
        value => value.domain().cloned().into_iter().collect(),
    })
}

fn tiles(tiler: &Tiler) -> Vec<Layout> {
    match tiler {
        Tiler::Layout(layout) => vec![layout.clone()],
        Tiler::Hole => vec![],
        Tiler::ByMode(modes) => modes.iter().flat_map(tiles).collect(),
    }
}

fn read_case(text: &str) -> Case {
    let (head, rest) = text.split_once('(').unwrap();
    let (name, indices) = head.trim_end_matches('>').split_once('<').unwrap_or((head, ""));
    let function = FUNCTIONS.iter().find(|function| function.name() == name).unwrap().name();
    let indices =
        indices.split(',').filter(|index| !index.is_empty()).map(|index| index.parse().unwrap()).collect();
    let arguments =
        rest.strip_suffix(')').unwrap().split(", ").map(|argument| read(argument).unwrap()).collect();
    Case { function, indices, behind: false, arguments }
}

pub fn scaled(count: usize) -> usize {
    testkit::scaled(count, 0.02).max(20)
}

fn find(name: &str) -> &'static Row {
    FAMILIES.iter().flat_map(|rows| rows.iter()).find(|row| row.name == name).unwrap()
}

pub fn case(row: &Row, source: &mut Source) -> Case {
    let (arguments, indices, behind) = (row.arguments)(source);
    Case { function: row.name, indices, behind, arguments }
}

#[derive(Clone, PartialEq, Debug)]
enum Outcome {
    Right,
    /// A wrong answer, with what was expected.
    Wrong(String),
    /// A refusal of what exists.
    Refused(String),
    Undecided,
}

/// The ways to fail.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    Wrong,
    /// Or undecided.
    Refused,
}

impl Outcome {
    fn fault(&self) -> Option<Fault> {
        match self {
            Outcome::Right => None,
            Outcome::Wrong(_) => Some(Fault::Wrong),
            Outcome::Refused(_) | Outcome::Undecided => Some(Fault::Refused),
        }
    }
}

/// What the language says, as text or as the code of the refusal.
pub fn ask(case: &Case, session: &mut Session) -> Result<String, &'static str> {
    let text = case.text();
    let answer = catch_unwind(AssertUnwindSafe(|| match session.evaluate(&text) {
        Ok(value) => Ok(value.to_string()),
        Err(error) => Err(error.code),
    }));
    answer.unwrap_or(Ok(String::from("a panic")))
}

fn verdict(row: &Row, case: &Case, session: &mut Session) -> Outcome {
    let answer = match ask(case, session) {
        Err("undecided") => return Outcome::Undecided,
        Err(code) => Err(code),
        Ok(text) => match read(&text) {
            Ok(value) => Ok(value),
            Err(problem) => return Outcome::Wrong(problem),
        },
    };
    if !case.arguments.iter().all(is_value) {
        return if answer.is_err() { Outcome::Right } else { Outcome::Wrong(String::from("a refusal")) };
    }
    let mut judged = (row.oracle)(case, answer.as_ref().map_err(|code| *code));
    if judged.is_err() && algebraic(row) {
        // A mode of one coordinate does not move: its stride may count for the codomain of an argument, and need not.
        for set in 1..1 << case.arguments.len() {
            let still = |(index, argument)| {
                if set >> index & 1 == 1 { without_still_strides(argument) } else { argument.clone() }
            };
            let still =
                Case { arguments: case.arguments.iter().enumerate().map(still).collect(), ..case.clone() };
            judged = judged.or_else(|expected| {
                (row.oracle)(&still, answer.as_ref().map_err(|code| *code)).map_err(|_| expected)
            });
        }
    }
    // A coordinate keeps its profile, and beside it there are strides of another one.
    let joins = matches!(case.function, "append" | "prepend" | "replace");
    if joins && matches!(answer, Err("incongruent")) && case.arguments.first().is_some_and(is_displaced) {
        judged = Ok(());
    }
    // The oracles compare the layouts without their offsets. Behind an offset a layout of the other kind of addition is
    // another function, and refused (`whole` compares the whole).
    if matches!(answer, Err("not-xor-linear" | "carryless-scale"))
        && case.arguments.first().is_some_and(is_displaced)
    {
        judged = Ok(());
    }
    match (judged, answer) {
        (Ok(()), _) => Outcome::Right,
        (Err(expected), Ok(_)) => Outcome::Wrong(expected),
        (Err(expected), Err(_)) => Outcome::Refused(expected),
    }
}

fn is_displaced(value: &Value) -> bool {
    match value {
        Value::View(offset, _) => *offset != Offset::ZERO,
        Value::Swizzled(_, offset, _) => *offset != 0,
        _ => false,
    }
}

fn algebraic(row: &Row) -> bool {
    [algebra::ROWS, inverses::ROWS, divides::ROWS, vectors::ROWS, tensors::ROWS]
        .iter()
        .any(|rows| rows.iter().any(|r| r.name == row.name))
        || row.name.ends_with("able")
}

fn without_still_strides(value: &Value) -> Value {
    fn tiler(value: &Tiler) -> Tiler {
        match value {
            Tiler::Layout(layout) => Tiler::Layout(still(layout)),
            Tiler::Hole => Tiler::Hole,
            Tiler::ByMode(tiles) => Tiler::ByMode(tiles.iter().map(tiler).collect()),
        }
    }
    match value {
        Value::Tiler(value) => Value::Tiler(tiler(value)),
        value => value.domain().map_or_else(|| value.clone(), |layout| value.with_domain(still(layout))),
    }
}

#[derive(Default)]
struct Count {
    name: &'static str,
    cases: usize,
    wrong: usize,
    refused: usize,
    undecided: usize,
    known: usize,
}

/// Asks the oracle of every function about its cases, on all cores.
fn examine(cases: &(dyn Fn(&'static Row) -> Vec<Case> + Sync)) {
    let only = std::env::var("TILEWORK_FUNCTION").ok();
    let chosen = |row: &&Row| only.as_ref().is_none_or(|only| only == row.name);
    let rows: Vec<&Row> = FAMILIES.iter().flat_map(|rows| rows.iter()).filter(chosen).collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let examined = examine_row(row, cases(row));
                    done.lock().unwrap().insert(row.name, examined);
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    let (counts, failures): (Vec<Count>, Vec<Vec<String>>) =
        rows.iter().map(|row| done.remove(row.name).unwrap()).unzip();
    let failures = failures.concat();
    let report = report(&counts);
    println!("{report}");
    assert!(failures.is_empty(), "\n{report}\n{}", failures.join("\n"));
    let undecided: Vec<&str> = counts
        .iter()
        .filter(|count| {
            // What is reached (docs/proofs.md); the goal is 1 for everything but left inverses.
            let per_mille = match count.name {
                "left_inverse" => 5,
                // Sums of both signs that overlap themselves.
                "common_layout" | "common_vector" | "max_common_layout" | "max_common_vector" => 20,
                "logical_divide" | "zipped_divide" | "tiled_divide" | "flat_divide" | "local_tile"
                | "layout_tv" => 2,
                // Sums of both signs.
                "right_inverse" | "inverse" => 2,
                _ => 1,
            };
            // Of few cases a share says little.
            count.undecided * 1000 > (count.cases * per_mille).max(3000)
        })
        .map(|count| count.name)
        .collect();
    assert!(undecided.is_empty(), "\n{report}\ntoo often undecided: {}", undecided.join(", "));
}

/// What came of the cases, and the smallest that fail as one would type them.
fn examine_row(row: &'static Row, cases: Vec<Case>) -> (Count, Vec<String>) {
    let enough = testkit::setting("TILEWORK_FAILURES", 1);
    let mut session = Session::new();
    let mut count = Count { name: row.name, ..Count::default() };
    let mut smallest: Vec<Case> = Vec::new();
    for case in cases {
        count.cases += 1;
        let outcome = catch_unwind(AssertUnwindSafe(|| verdict(row, &case, &mut session)));
        let Ok(outcome) = outcome else { panic!("the oracle itself fails at {}", case.text()) };
        match &outcome {
            Outcome::Right => continue,
            _ if is_known(&case, outcome.fault().unwrap()) => {
                count.known += 1;
                continue;
            }
            Outcome::Undecided => {
                count.undecided += 1;
                continue;
            }
            Outcome::Wrong(_) => count.wrong += 1,
            Outcome::Refused(_) => count.refused += 1,
        }
        if smallest.len() < enough {
            let small = shrunk(row, case, &outcome, &mut session);
            if !smallest.contains(&small) {
                smallest.push(small);
            }
        }
    }
    let mut failures = Vec::new();
    for case in smallest {
        let (Outcome::Wrong(expected) | Outcome::Refused(expected)) = verdict(row, &case, &mut session)
        else {
            continue;
        };
        let found = ask(&case, &mut session).unwrap_or_else(|code| format!("refused, {code}"));
        let codomain = codomains(&case)[0];
        failures.push(format!(
            "tilework eval '{}'   {codomain:?}   found {found}   expected {expected}",
            case.text()
        ));
    }
    (count, failures)
}

fn report(counts: &[Count]) -> String {
    let mut text = String::from("function                     cases  wrong  refused  undecided  known\n");
    for count in counts {
        let Count { name, cases, wrong, refused, undecided, known } = count;
        writeln!(text, "{name:24} {cases:9} {wrong:6} {refused:8} {undecided:10} {known:6}").unwrap();
    }
    let sum = |of: fn(&Count) -> usize| counts.iter().map(of).sum::<usize>();
    writeln!(
        text,
        "{:24} {:9} {:6} {:8} {:10} {:6}",
        "all",
        sum(|count| count.cases),
        sum(|count| count.wrong),
        sum(|count| count.refused),
        sum(|count| count.undecided),
        sum(|count| count.known),
    )
    .unwrap();
    text
}

/// The smallest case with a failure of the same kind that single steps lead to.
fn shrunk(row: &Row, mut case: Case, outcome: &Outcome, session: &mut Session) -> Case {
    let mut tries = 2000;
    let mut seen = BTreeSet::new();
    loop {
        let next = smaller(&case).into_iter().find(|next| {
            tries -= 1;
            let valid = next.arguments.iter().all(is_value);
            tries > 0 && valid && seen.insert(next.text()) && {
                let fails = catch_unwind(AssertUnwindSafe(|| verdict(row, next, session)));
                fails.is_ok_and(|fails| std::mem::discriminant(&fails) == std::mem::discriminant(outcome))
            }
        });
        match next {
            Some(next) => case = next,
            None => return case,
        }
    }
}

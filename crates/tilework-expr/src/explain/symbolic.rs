//! Operations on layouts with names: the bounds of a composition, the fact that proves each, and values that violate
//! the others.

use super::section::Section;
use crate::error::Failure;
use crate::names::{Names, Scoped};
use crate::symbolic::{Condition, Content, Symbolic, words};
use crate::value::Value;
use std::sync::Arc;
use tilework::{Error, HTuple, Layout};
use tilework_symbolic::{Declarations, Guard, Number, SymbolicLayout, SymbolicLeaf, Tuple, Verdict};

/// The most coordinates that are tried to find one at which a result would be wrong.
const MAX_SEARCH: i64 = 1 << 16;

/// The answer of a question about operands without names, and why.
type Answered<'a> = &'a dyn Fn(&[Value]) -> Option<(bool, String)>;

/// The same at some values of the names.
type At<'a> = &'a dyn Fn(&[(String, i64)]) -> Option<(bool, String)>;

/// The explanation of a result with a guard, or of an operation with names.
pub(crate) fn sections(
    names: &Names,
    operands: &[Value],
    result: Option<&Value>,
    composes: bool,
    answered: Option<Answered>,
) -> Vec<Section> {
    let mut sections = Vec::new();
    let at = answered.map(|answered| {
        move |values: &[(String, i64)]| {
            let operands: Option<Vec<Value>> =
                operands.iter().map(|value| at(names, value, values)).collect();
            answered(&operands?)
        }
    });
    let at = at.as_ref().map(|at| at as At);
    if let (Some(at), Some(result)) = (at, result) {
        sections.extend(because(names, result, at));
    }
    if let (true, [left, right], Some(result)) = (composes, operands, result)
        && let Ok(Some(found)) = bounds(names, left, right, result)
    {
        sections.extend(found);
    } else if let Some(result) = result.and_then(Value::as_symbolic)
        && !result.guard.is_always()
    {
        sections.push(guard(names, result, at));
    }
    sections.push(known(names, result.filter(|_| at.is_none())));
    sections
}

/// A value for numbers.
fn at(names: &Names, value: &Value, values: &[(String, i64)]) -> Option<Value> {
    let Some(symbolic) = value.as_symbolic() else { return Some(value.clone()) };
    let (instance, mut scoped) = (names.at(symbolic, values).ok()?, names.scoped());
    let content = scoped.adopted(&instance).ok()?;
    Some(scoped.bound(content).ok()?.with_pointer_of(value))
}

/// Why a question has its answer: the reason at the first sizes and at the witness, where they are two.
fn because(names: &Names, result: &Value, at: At) -> Option<Section> {
    let (answer, text) = (!matches!(result, Value::Bool(false)), result.to_string());
    let title = match text.strip_prefix("true if ") {
        Some(guard) => format!("Yes where {guard}, because"),
        None => format!("{} for all values, because", if answer { "Yes" } else { "No" }),
    };
    let same = |size: i64| {
        let given: Vec<(&str, i64)> = names.iter().map(|name| (name, size)).collect();
        names.values(&given)
    };
    let samples =
        [2, 1, 3, 4, 8, 16].into_iter().filter_map(same).chain(names.witnesses()).chain([names.witness()]);
    let mut reasons = Vec::<(String, String)>::new();
    for values in samples {
        let holds = !matches!(result, Value::Symbolic(own) if names.at(own, &values).is_err());
        if let (true, Some((own, reason))) = (holds, at(&values))
            && own == answer
            && !reasons.iter().any(|(_, known)| *known == reason)
        {
            reasons.push((listed(&values), reason));
        }
    }
    let section = Section::new(title);
    Some(match &reasons[..] {
        [] => return None,
        [(_, reason)] if answer => section.line(reason),
        [(values, reason), .., last] if answer => {
            section.line(format!("at {values}: {reason}")).line(format!("at {}: {}", last.0, last.1))
        }
        [(values, reason), ..] => section.line(format!("at {values}: {reason}")),
    })
}

/// How many operations a function of source text has: its body is indented.
pub(crate) fn size(function: &str) -> Section {
    const KINDS: [(&str, &[&str]); 4] = [
        ("divisions and remainders", &["//", "/", "%", "div_euclid"]),
        ("products", &["*"]),
        ("sums and differences", &["+", "-"]),
        ("shifts and bit operations", &["<<", ">>", "&", "^"]),
    ];
    let mut counts = [0; KINDS.len()];
    for line in function.lines().filter(|line| line.starts_with("    ")) {
        let mut rest = line;
        while !rest.is_empty() {
            let found = KINDS.iter().enumerate().find_map(|(kind, (_, signs))| {
                signs.iter().find_map(|sign| Some((kind, rest.strip_prefix(sign)?)))
            });
            if let Some((kind, behind)) = found {
                counts[kind] += 1;
                rest = behind;
            } else {
                rest = rest.get(1..).unwrap_or_default();
            }
        }
    }
    let parts = KINDS.iter().zip(counts).map(|((name, _), count)| format!("{name}: {count}"));
    let all: usize = counts.iter().sum();
    Section::new("Its size").line(format!("{all} operations")).line(parts.collect::<Vec<_>>().join(", "))
}

fn listed(values: &[(String, i64)]) -> String {
    let values = values.iter().map(|(name, value)| format!("{name} = {value}"));
    values.collect::<Vec<_>>().join(", ")
}

/// The facts, and the values for which the layout was chosen.
fn known(names: &Names, chosen: Option<&Value>) -> Section {
    let section = Section::new("What is known").line(match &names.fact_texts()[..] {
        [] => String::from("names are integers of 1 or more"),
        facts => format!("names are integers of 1 or more, and {}", facts.join(", ")),
    });
    let Some(result) = chosen else { return section };
    let section = match names.witness_of(result) {
        Some(witness) => section.line(format!("the layout is the one at the witness {}", listed(&witness))),
        None => section,
    };
    section.line("a layout for all values; for some of them there may be a larger or a simpler one")
}

/// The clauses of a guard, each with values that violate it.
fn guard(names: &Names, result: &Symbolic, at: Option<At>) -> Section {
    let clauses = Condition::clauses(&result.guard, &result.declared);
    let section = Section::new("A condition under which it holds")
        .line("It is sufficient: the answer may be right for other values too.");
    let broken = |clause: &Condition| breaking(names, clause).unwrap_or_default();
    let Some(at) = at else {
        let rows = clauses.iter().map(|clause| [clause.text.clone(), broken(clause).0]);
        return section.table(["condition", "fails at"], rows.collect());
    };
    let rows = clauses.iter().map(|clause| {
        let (_, values) = broken(clause);
        let text = listed(&values);
        let there = match at(&values) {
            Some((false, reason)) => reason,
            Some((true, _)) => String::from("the answer is yes there too"),
            None => String::new(),
        };
        [clause.text.clone(), text, there]
    });
    section.table(["condition", "fails at", "where"], rows.collect())
}

/// A mode of the result with its step in the right layout.
struct Mode {
    extent: Number,
    step: Number,
}

/// `A(x) = D0 x + sum of E floor(x/P)`: for each bound `P` whose change `E` is not 0, the reason why the modes stay
/// below it.
fn bounds(
    names: &Names,
    left: &Value,
    right: &Value,
    result: &Value,
) -> Result<Option<Vec<Section>>, Failure> {
    let mut scoped = names.scoped();
    let mut plain = |value: &Value| match scoped.content(value)? {
        Some(Content::Layout(layout)) => Ok::<_, Failure>(Some(layout)),
        _ => Ok(None),
    };
    let (Some(a), Some(b), Some(r)) = (plain(left)?, plain(right)?, plain(result)?) else { return Ok(None) };
    let integral = |layout: &SymbolicLayout| layout.leaves().iter().all(|leaf| leaf.unit.is_one());
    if !integral(&a) || !integral(&b) {
        return Ok(None);
    }
    let mut modes = Vec::new();
    if !collect(b.as_tuple(), r.as_tuple(), &mut modes)? {
        return Ok(None);
    }
    let scope = &scoped.scope;
    let (mut rows, mut below) = (Vec::new(), Number::integer(1));
    for pair in a.leaves().windows(2) {
        below = below.mul(&pair[0].extent)?;
        let change = pair[1].stride.sub(&pair[0].extent.mul(&pair[0].stride)?)?;
        let (bound_text, change_text) = (scope.number_text(&below), scope.number_text(&change));
        if change.as_integer() == Some(0) {
            let none = String::new;
            rows.push([bound_text, change_text, none(), "there is no change".into(), none(), none()]);
            continue;
        }
        let mut reach = Vec::new();
        for Mode { extent, step } in &modes {
            if !matches!(scope.is_multiple(step, &below)?, Verdict::Always) {
                reach.push(format!("{}:{}", scope.number_text(extent), scope.number_text(step)));
            }
        }
        let bound = Bound { declared: scope.declared(), bound: &below, change: &change, modes: &modes };
        let (declared, clause) = bound.clause(names.scoped())?;
        let (condition, by, broken) = match clause.is_always() {
            true => ("holds".to_owned(), bound.proof(names)?, String::new()),
            false => {
                let clauses = Condition::clauses(&clause, &declared);
                let broken = clauses.iter().find_map(|clause| breaking(names, clause));
                let broken = broken.map(|(text, values)| wrong_at(&instances([&a, &b, &r], &values), &text));
                (declared.guard_text(&clause), "open".to_owned(), broken.unwrap_or_default())
            }
        };
        rows.push([bound_text, change_text, reach.join(", "), condition, by, broken]);
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new(format!("Bounds of A = {a}"))
        .line("A(x) = D*x + the sum of E*floor(x/P), P the product of the extents before a mode, E how its stride changes there.")
        .line("The result is right where no sum of its steps passes a P at which the stride changes.");
    if let Some(line) = strength(&rows) {
        section = section.line(line);
    }
    let section = section
        .table(["P", "E", "reached by", "condition", "proved by", "smallest value that breaks it"], rows);
    Ok(Some(vec![section]))
}

/// How much the open conditions of the bounds demand (docs/proofs.md, theorem W).
fn strength(rows: &[[String; 6]]) -> Option<&'static str> {
    match rows {
        rows if rows.iter().all(|[.., by, _]| by != "open") => None,
        [_] => Some("With one bound the condition is the weakest for a layout whose extents are 2 or more."),
        _ => Some(
            "The conditions of several bounds are sufficient: changes at bounds that are passed may cancel.",
        ),
    }
}

/// Appends the modes of the result, leaf by leaf of the right layout, with their steps; the recursion depth is that of
/// the tuple.
fn collect(
    right: &Tuple<SymbolicLeaf>,
    result: &Tuple<SymbolicLeaf>,
    modes: &mut Vec<Mode>,
) -> Result<bool, Error> {
    if right.is_leaf() {
        let mut step = right.leaves()[0].stride.clone();
        for leaf in result.leaves() {
            let next = step.mul(&leaf.extent)?;
            modes.push(Mode { extent: leaf.extent.clone(), step });
            step = next;
        }
        return Ok(true);
    }
    if right.rank() != result.rank() {
        return Ok(false);
    }
    for index in 0..right.rank() {
        if !collect(&right.mode(index)?, &result.mode(index)?, modes)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// One bound.
struct Bound<'a> {
    declared: &'a Declarations,
    bound: &'a Number,
    change: &'a Number,
    modes: &'a [Mode],
}

impl Bound<'_> {
    /// The condition at the bound: the guard of the composition of `E floor(x/P)`, as a layout, with the modes.
    fn clause(&self, mut scoped: Scoped) -> Result<(Arc<Declarations>, Guard), Error> {
        let mut own = scoped.scope.adopt(self.declared);
        let leaf = |extent: Number, stride: Number| Tuple::leaf(SymbolicLeaf::new(extent, stride));
        let below = leaf(own.number(self.bound)?, 0.into());
        let floor = Tuple::of(&[below, leaf(1.into(), own.number(self.change)?)])?;
        let mut leaves = Vec::new();
        for Mode { extent, step } in self.modes {
            leaves.push(leaf(own.number(extent)?, own.number(step)?));
        }
        let scope = &mut scoped.scope;
        let (floor, modes) = (scope.layout_of(floor)?, scope.layout_of(Tuple::of(&leaves)?)?);
        match scope.composition(&floor, &modes) {
            Ok(answer) => Ok((scope.declared().clone(), answer.guard)),
            Err(_) => Err(Error::Undecided { operation: "a bound" }),
        }
    }

    /// The fact that proves it.
    fn proof(&self, names: &Names) -> Result<String, Error> {
        if self.clause(names.under_facts(&[])?)?.1.is_always() {
            return Ok("all values".into());
        }
        for fact in names.facts() {
            if self.clause(names.under_facts(&[fact])?).is_ok_and(|(_, open)| open.is_always()) {
                return Ok(fact.text.clone());
            }
        }
        Ok("the facts together".into())
    }
}

/// Values that violate a clause, in short and in full: the first beyond one of its conditions.
fn breaking(names: &Names, clause: &Condition) -> Option<(String, Vec<(String, i64)>)> {
    let truth = Symbolic::new(Content::Truth(true), &clause.declared);
    let condition = Symbolic { guard: clause.guard.clone(), ..truth };
    let texts: Vec<String> = condition.guard().into_iter().flatten().flatten().collect();
    let (mut tried, mut small) = (Vec::<(&str, i64)>::new(), Vec::new());
    for text in &texts {
        for name in words(text).filter(|word| !matches!(*word, "floor" | "ceil")) {
            // The numbers of the condition, and their successors.
            let numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok());
            let beside = numbers.filter(|&number| number > 0).flat_map(|n: i64| [n - 1, n.saturating_add(1)]);
            tried.extend(beside.map(|value| (name, value)));
            small.extend([1, 2, 3].map(|value| (name, value)));
        }
    }
    tried.extend(small);
    let breaks = |&(name, value): &(&str, i64)| {
        let values = names.values(&[(name, value)])?;
        names.at(&condition, &values).is_err().then(|| (format!("{name} = {value}"), values))
    };
    tried.iter().find_map(breaks)
}

/// The operands and the result for some values.
fn instances(layouts: [&SymbolicLayout; 3], values: &[(String, i64)]) -> Option<[Layout; 3]> {
    let given: Vec<(&str, i64)> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let at = |layout: &SymbolicLayout| layout.instance(&layout.declared().any_values(&given)).ok();
    let [left, right, result] = layouts.map(at);
    Some([left?, right?, result?])
}

/// The first index at which the result is wrong.
fn wrong_at(layouts: &Option<[Layout; 3]>, values: &str) -> String {
    let Some([left, right, result]) = layouts else { return format!("{values}: the result is not a layout") };
    for index in 0..right.size().min(MAX_SEARCH) {
        let Ok(through) = right.try_at(index) else { break };
        let (Ok(true_offset), Ok(offset)) = (left.try_at(through), result.try_at(index)) else { break };
        if true_offset != offset
            && let Ok(coordinate) = left.shape().idx2crd(&HTuple::leaf(through))
        {
            return format!("{values}: index {through} wraps to {coordinate}");
        }
    }
    values.to_owned()
}

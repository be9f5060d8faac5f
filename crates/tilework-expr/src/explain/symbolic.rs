//! Operations on layouts with names: the bounds of a composition, the fact that proves each, and values that violate
//! the others.

use super::section::Section;
use crate::symbolic::{Names, Scoped, Symbolic, SymbolicKind, clause_text, words};
use crate::value::Value;
use tilework::{Error, HTuple, Layout, Unit};
use tilework_symbolic::{Number, Scope, SymbolicLayout, SymbolicLeaf};

/// The most coordinates that are tried to find one at which a result would be wrong.
const MAX_SEARCH: i64 = 1 << 16;

/// The explanation of a result with a guard, or of an operation with names.
pub(crate) fn sections(
    names: &Names,
    operands: &[Value],
    result: Option<&Value>,
    composes: bool,
) -> Vec<Section> {
    let mut sections = Vec::new();
    if let (true, [left, right], Some(result)) = (composes, operands, result)
        && let Ok(Some(found)) = bounds(names, left, right, result)
    {
        sections.extend(found);
    } else if let Some(Value::Symbolic(result)) = result
        && !result.guard().is_empty()
    {
        sections.push(guard(names, result));
    }
    sections.push(known(names));
    sections
}

/// The facts, and the values for which the layout was chosen.
fn known(names: &Names) -> Section {
    let witness: Vec<String> =
        names.witness().iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let section = Section::new("What is known").line(match names.facts() {
        [] => String::from("names are integers of 1 or more"),
        facts => format!("names are integers of 1 or more, and {}", facts.join(", ")),
    });
    section.line(format!("the layout is the one at the witness {}", witness.join(", ")))
}

/// The clauses of a guard, each with values that violate it.
fn guard(names: &Names, result: &Symbolic) -> Section {
    let rows = result.guard().iter().map(|clause| {
        let broken = breaking(names, clause).map_or_else(String::new, |(text, _)| text);
        [clause_text(clause, true), broken]
    });
    Section::new("A condition under which it holds")
        .line("It is sufficient: the answer may be right for other values too.")
        .table(["condition", "fails at"], rows.collect())
}

/// A mode of the result with its step in the right layout.
struct Mode {
    extent: Number,
    step: Number,
}

/// `A(x) = D0 x + sum of E floor(x/P)`: for each bound `P` whose change `E` is not 0, the reason why the modes stay
/// below it.
fn bounds(names: &Names, left: &Value, right: &Value, result: &Value) -> Result<Option<Vec<Section>>, Error> {
    if !is_plain(left) || !is_plain(right) || !is_plain(result) {
        return Ok(None);
    }
    let texts = [text(left), text(right), text(result)];
    let mut scoped = names.scoped();
    let [a, b, r] = layouts(&mut scoped.scope, &texts)?;
    let integral = |layout: &SymbolicLayout| layout.leaves().iter().all(|leaf| leaf.unit.is_one());
    if !integral(&a) || !integral(&b) {
        return Ok(None);
    }
    let Some(modes) = modes(&mut scoped.scope, &b, &r)? else { return Ok(None) };
    let (mut rows, mut below) = (Vec::new(), scoped.scope.integer(1)?);
    let leaves = a.leaves();
    for pair in leaves.windows(2) {
        below = scoped.scope.mul(below, pair[0].extent)?;
        let reached = scoped.scope.mul(pair[0].extent, pair[0].stride)?;
        let change = scoped.scope.sub(pair[1].stride, reached)?;
        let (bound_text, change_text) = (number(&scoped.scope, below), number(&scoped.scope, change));
        if change_text == "0" {
            rows.push([
                bound_text,
                change_text,
                String::new(),
                "there is no change".into(),
                String::new(),
                String::new(),
            ]);
            continue;
        }
        let mut reach = Vec::new();
        for mode in &modes {
            let whole = scoped.scope.is_multiple(mode.step, below)?;
            if !matches!(whole, tilework_symbolic::Verdict::Always) {
                reach.push(format!(
                    "{}:{}",
                    number(&scoped.scope, mode.extent),
                    number(&scoped.scope, mode.step)
                ));
            }
        }
        let texts =
            Bound { bound: bound_text, change: change_text, modes: mode_texts(&scoped.scope, &modes) };
        let clause = texts.clause(names.scoped())?;
        let (condition, by, broken) = match &clause[..] {
            [] => ("holds".to_owned(), texts.proof(names)?, String::new()),
            clauses => {
                let condition =
                    clauses.iter().map(|clause| clause_text(clause, clauses.len() == 1)).collect::<Vec<_>>();
                let broken = clauses.iter().find_map(|clause| breaking(names, clause));
                let broken = broken
                    .map(|(text, values)| wrong_at(&instances(names, left, right, result, &values), &text));
                (condition.join(" and "), "open".to_owned(), broken.unwrap_or_default())
            }
        };
        rows.push([texts.bound, texts.change, reach.join(", "), condition, by, broken]);
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new(format!("Bounds of A = {}", texts[0]))
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

fn is_plain(value: &Value) -> bool {
    match value {
        Value::Symbolic(own) => own.kind() == SymbolicKind::Layout,
        value => matches!(value, Value::Layout(_)),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Symbolic(symbolic) => symbolic.text().to_owned(),
        value => value.to_string(),
    }
}

fn layouts(scope: &mut Scope, texts: &[String; 3]) -> Result<[SymbolicLayout; 3], Error> {
    Ok([scope.layout(&texts[0])?, scope.layout(&texts[1])?, scope.layout(&texts[2])?])
}

fn number(scope: &Scope, number: Number) -> String {
    scope.number_text(number).as_str().to_owned()
}

/// The modes of the result, leaf by leaf of the right layout, with their steps.
fn modes(
    scope: &mut Scope,
    right: &SymbolicLayout,
    result: &SymbolicLayout,
) -> Result<Option<Vec<Mode>>, Error> {
    let mut modes = Vec::new();
    collect(scope, right.as_tuple(), result.as_tuple(), &mut modes).map(|fits| fits.then_some(modes))
}

/// The recursion depth is that of the tuple.
fn collect(
    scope: &mut Scope,
    right: &HTuple<SymbolicLeaf>,
    result: &HTuple<SymbolicLeaf>,
    modes: &mut Vec<Mode>,
) -> Result<bool, Error> {
    if right.is_leaf() {
        let mut step = right.leaves()[0].stride;
        for leaf in result.leaves() {
            modes.push(Mode { extent: leaf.extent, step });
            step = scope.mul(step, leaf.extent)?;
        }
        return Ok(true);
    }
    if right.rank() != result.rank() {
        return Ok(false);
    }
    for index in 0..right.rank() {
        if !collect(scope, &right.mode(index)?, &result.mode(index)?, modes)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn mode_texts(scope: &Scope, modes: &[Mode]) -> Vec<(String, String)> {
    modes.iter().map(|mode| (number(scope, mode.extent), number(scope, mode.step))).collect()
}

/// One bound.
struct Bound {
    bound: String,
    change: String,
    modes: Vec<(String, String)>,
}

impl Bound {
    /// The condition at the bound: the guard of the composition of `E floor(x/P)`, as a layout, with the modes.
    fn clause(&self, mut scoped: Scoped) -> Result<Vec<Vec<Vec<String>>>, Error> {
        let scope = &mut scoped.scope;
        let (below, change) = (scope.number(&self.bound)?, scope.number(&self.change)?);
        let (zero, one) = (scope.integer(0)?, scope.integer(1)?);
        let leaf = |extent, stride| HTuple::leaf(SymbolicLeaf { extent, stride, unit: Unit::ONE });
        let floor = scope.layout_of(HTuple::tuple(&[leaf(below, zero), leaf(one, change)])?)?;
        let mut leaves = Vec::new();
        for (extent, step) in &self.modes {
            leaves.push(leaf(scope.number(extent)?, scope.number(step)?));
        }
        let modes = scope.layout_of(HTuple::tuple(&leaves)?)?;
        match scope.composition(&floor, &modes) {
            Ok(answer) => Ok(scoped.clauses(&answer.guard)),
            Err(_) => Err(Error::Undecided { operation: "a bound" }),
        }
    }

    /// The fact that proves it.
    fn proof(&self, names: &Names) -> Result<String, Error> {
        if self.clause(names.under_facts(&[])?)?.is_empty() {
            return Ok("all values".into());
        }
        for fact in names.facts() {
            if self.clause(names.under_facts(&[fact])?).is_ok_and(|open| open.is_empty()) {
                return Ok(fact.clone());
            }
        }
        Ok("the facts together".into())
    }
}

/// Values that violate a clause, in short and in full: the first beyond one of its conditions.
fn breaking(names: &Names, clause: &[Vec<String>]) -> Option<(String, Vec<(String, i64)>)> {
    let condition = Symbolic::new(SymbolicKind::Truth, "true").with_guard(vec![clause.to_vec()]);
    let (mut tried, mut small) = (Vec::<(&str, i64)>::new(), Vec::new());
    for text in clause.iter().flatten() {
        for name in words(text).filter(|word| !matches!(*word, "floor" | "ceil")) {
            // The numbers of the condition, and their successors.
            let numbers =
                text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<i64>().ok());
            tried.extend(
                numbers
                    .filter(|&number| number > 0)
                    .flat_map(|number| [number - 1, number + 1])
                    .map(|value| (name, value)),
            );
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
fn instances(
    names: &Names,
    left: &Value,
    right: &Value,
    result: &Value,
    values: &[(String, i64)],
) -> Option<[Layout; 3]> {
    let at = |value: &Value| match value {
        Value::Symbolic(symbolic) => names.instance(symbolic.text(), values),
        Value::Layout(layout) => Some(**layout),
        _ => None,
    };
    Some([at(left)?, at(right)?, at(result)?])
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

//! The names of a session, and the facts about them.

use super::words::{next_number, numbered, words};
use super::{Symbolic, SymbolicKind, clause_text, guard_text};
use crate::error::Failure;
use std::borrow::Cow;
use tilework::{Error, HTuple, Layout, MAX_LEAVES, Text, Unit};
use tilework_symbolic::{
    Answer, Guard, MAX_NAMES, Number, Refusal, Scope, SymbolicLayout, SymbolicLeaf, SymbolicTiler, Verdict,
};

/// The largest divisor that is queried.
const MAX_DIVISOR: i64 = 1 << 20;

/// The names that literals and facts declared, the facts and the hints.
///
/// A scope has 20 KB, so it is created with the first name.
#[derive(Default)]
pub(crate) struct Names {
    scope: Option<Box<Scope>>,
    facts: Vec<String>,
    hints: Vec<(String, i64)>,
    /// The number of the next `?`; none has two meanings, even if the first is forgotten.
    next_unnamed: u64,
    /// The state before the current statement.
    before: Option<Before>,
}

/// The scope, the number of facts, the hints, and the number of the next `?`.
struct Before(Box<Scope>, usize, Vec<(String, i64)>, u64);

impl Names {
    /// Whether any name is declared.
    pub fn any(&self) -> bool {
        self.scope.is_some()
    }

    /// Whether there is little room for more names.
    pub fn crowded(&self) -> bool {
        self.scope.as_ref().is_some_and(|scope| scope.names().len() > MAX_NAMES / 2)
    }

    /// Whether a name is declared.
    pub fn is_declared(&self, name: &str) -> bool {
        self.scope.as_ref().is_some_and(|scope| scope.find(name).is_some())
    }

    /// The names in order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.scope.iter().flat_map(|scope| scope.names())
    }

    /// The facts as text.
    pub fn facts(&self) -> &[String] {
        &self.facts
    }

    /// The names with only some facts.
    pub fn under_facts(&self, facts: &[&str]) -> Result<Scoped, Error> {
        let mut scope = Box::new(Scope::new());
        for name in self.iter() {
            scope.declare(name)?;
        }
        for fact in facts {
            scope.assume(fact)?;
        }
        Ok(Scoped { scope, guard: Vec::new() })
    }

    /// Admissible values of all names that extend the given ones.
    pub fn values(&self, given: &[(&str, i64)]) -> Option<Vec<(String, i64)>> {
        let scope = self.scope.as_ref()?;
        let values = scope.values(given).ok()?;
        let value = |name: &str| Some((name.to_owned(), scope.value(scope.find(name)?, &values).ok()??));
        Some(scope.names().filter_map(value).collect())
    }

    /// A layout for values of all names.
    pub fn instance(&self, layout: &str, given: &[(String, i64)]) -> Option<Layout> {
        let mut scope = self.scope.as_ref()?.clone();
        let given: Vec<(&str, i64)> = given.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let (layout, values) = (scope.layout(layout).ok()?, scope.values(&given).ok()?);
        scope.instance(&layout, &values).ok()
    }

    /// The hints.
    pub fn hints(&self) -> &[(String, i64)] {
        &self.hints
    }

    /// The scope to declare names in, after saving its state.
    fn scope_mut(&mut self) -> &mut Scope {
        let scope = self.scope.get_or_insert_with(|| Box::new(Scope::new()));
        if self.before.is_none() {
            self.before =
                Some(Before(scope.clone(), self.facts.len(), self.hints.clone(), self.next_unnamed));
        }
        scope
    }

    /// Begins a statement: its declarations are kept if it succeeds.
    pub fn begin(&mut self) {
        self.before = None;
    }

    /// Undoes the declarations of a failed statement.
    pub fn undo(&mut self) {
        if let Some(Before(scope, facts, hints, next)) = self.before.take() {
            self.next_unnamed = next;
            self.scope = Some(scope);
            self.facts.truncate(facts);
            self.hints = hints;
        }
    }

    /// Drops the names except those in facts and hints and those for which `kept` is true.
    pub fn forget(&mut self, kept: impl Fn(&str) -> bool) -> Result<(), Error> {
        let mut scope = Scope::new();
        for name in self.iter() {
            let known = |text: &String| words(text).any(|word| word == name);
            if kept(name) || self.facts.iter().any(known) || self.hints.iter().any(|(own, _)| own == name) {
                scope.declare(name)?;
            }
        }
        for fact in &self.facts {
            scope.assume(fact)?;
        }
        for (name, value) in &self.hints {
            scope.hint(name, Some(*value))?;
        }
        self.scope = Some(Box::new(scope));
        Ok(())
    }

    /// A literal, which declares the names in it.
    pub fn layout(&mut self, text: &str) -> Result<Symbolic, Error> {
        let (given, next) = numbered(text, self.next_unnamed);
        let scope = self.scope_mut();
        let mut trial = Box::new(*scope);
        // A position in the text that was given.
        let layout =
            trial.layout(&given).map_err(|error| scope.clone().layout(text).err().unwrap_or(error))?;
        let text = written(&trial.layout_text(&layout))?;
        // Only the names of the literal are kept, and the facts of `?{div=8}`.
        let names: Vec<String> = trial.names().skip(scope.names().len()).map(str::to_owned).collect();
        match names.iter().any(|name| name.starts_with('?')) {
            true => *scope = *trial,
            false => names.iter().try_for_each(|name| scope.declare(name).map(|_| ()))?,
        }
        self.next_unnamed = next;
        Ok(Symbolic::new(SymbolicKind::Layout, text))
    }

    /// Facts, which declare the names in them.
    pub fn assume(&mut self, text: &str) -> Result<Symbolic, Error> {
        let scope = self.scope_mut();
        for fact in text.split(',') {
            // In `ld >= M` and `N == 2*M` the first name depends on the second, which is declared first.
            let (left, right) = fact.split_once(['<', '>', '=']).unwrap_or((fact, ""));
            let ordered = if fact.contains('<') { [left, right] } else { [right, left] };
            for word in ordered.into_iter().flat_map(words).filter(|word| !matches!(*word, "floor" | "ceil"))
            {
                scope.declare(word)?;
            }
        }
        scope.assume(text)?;
        self.next_unnamed = next_number(text, self.next_unnamed);
        for fact in text.split(',').map(str::trim) {
            if !self.facts.iter().any(|known| known == fact) {
                self.facts.push(fact.to_owned());
            }
        }
        Ok(Symbolic::new(SymbolicKind::Facts, self.facts.join(", ")))
    }

    /// The value for which layouts are chosen.
    pub fn hint(&mut self, name: &str, value: i64) -> Result<Symbolic, Error> {
        let scope = self.scope_mut();
        scope.hint(name, Some(value))?;
        scope.values(&[])?;
        self.hints.retain(|(own, _)| own != name);
        self.hints.push((name.to_owned(), value));
        Ok(Symbolic::new(SymbolicKind::Hint, format!("{name} = {value}")))
    }

    /// Sets other hints temporarily.
    pub fn set_hints(&mut self, hints: &[(String, i64)]) {
        if let Some(scope) = &mut self.scope {
            for (name, _) in &self.hints {
                let _ = scope.hint(name, None);
            }
            for (name, value) in hints {
                let _ = scope.hint(name, Some(*value));
            }
        }
        self.hints = hints.to_vec();
    }

    /// A value as the CuTe DSL writes it: numbers that are known only at launch are `?`, with their divisor, except those
    /// with a name of the condition.
    pub fn in_cute(&self, value: &Symbolic) -> Result<String, Error> {
        let mut scoped = self.scoped();
        scoped.under(value)?;
        let guard = match value.guard() {
            [] => String::new(),
            guard => format!(" if {}", guard_text(guard)),
        };
        let text = match value.kind() {
            SymbolicKind::Number | SymbolicKind::Tuple => {
                let tuple = scoped.read_tuple(value.text())?;
                scoped.dynamic_tuple(&tuple, &|_, text| text)?
            }
            SymbolicKind::Layout | SymbolicKind::View => {
                let layout = scoped.scope.layout(value.text())?;
                let one = scoped.scope.integer(1)?;
                let extents = one_of_each(&layout, one, |leaf| leaf.extent)?;
                let strides = one_of_each(&layout, one, |leaf| leaf.stride)?;
                let units: Vec<Unit> = layout.leaves().iter().map(|leaf| leaf.unit).collect();
                let offset = match value.offset() {
                    Some(offset) => {
                        let offset = HTuple::leaf(scoped.scope.number(offset)?);
                        format!("{{{}}} o ", scoped.dynamic_tuple(&offset, &|_, text| text)?)
                    }
                    None => String::new(),
                };
                let basis = |index: usize, text: String| {
                    let (path, depth) = (units[index].path().0, units[index].depth());
                    path[..depth].iter().rev().fold(text, |text, index| format!("{text}@{index}"))
                };
                let extents = scoped.dynamic_tuple(&extents, &|_, text| text)?;
                format!("{offset}{extents}:{}", scoped.dynamic_tuple(&strides, &basis)?)
            }
            _ => return Ok(value.to_string()),
        };
        Ok(text + &guard)
    }

    /// A value of each name that satisfies the facts: the witness of the operations.
    pub fn witness(&self) -> Vec<(String, i64)> {
        self.values(&[]).unwrap_or_default()
    }

    /// The witnesses for pieces: small values and tile sizes for each name, with compatible values of the others.
    pub fn witnesses(&self) -> Vec<Vec<(String, i64)>> {
        const VALUES: [i64; 20] =
            [4096, 1024, 512, 256, 128, 100, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1, 0];
        let given = self.iter().flat_map(|name| VALUES.map(|value| (name, value)));
        given.filter_map(|given| self.values(&[given])).collect()
    }

    /// The scope of one operation.
    pub fn scoped(&self) -> Scoped {
        let scope = self.scope.as_ref().map_or_else(|| Box::new(Scope::new()), Clone::clone);
        Scoped { scope, guard: Vec::new() }
    }

    /// A value for numbers of some or all names; an error if a fact or the guard fails.
    pub fn at(&self, value: &Symbolic, given: &[(impl AsRef<str>, i64)]) -> Result<Symbolic, Failure> {
        let given: Vec<(&str, i64)> = given.iter().map(|(name, value)| (name.as_ref(), *value)).collect();
        let given = &given[..];
        if let Some((name, _)) = given.iter().find(|(name, _)| !self.is_declared(name)) {
            return Err(Failure::Other { code: "name", message: format!("`{name}` is not declared") });
        }
        let mut free = Scope::new();
        for name in self.iter() {
            free.declare(name)?;
        }
        for fact in &self.facts {
            holds(&mut free, fact, given)?;
        }
        let mut scoped = self.scoped();
        if let Err(error) = scoped.scope.values(given) {
            let Some((name, value)) = given.iter().find(|(_, value)| *value < 1) else {
                return Err(error.into());
            };
            let message = format!("{name} >= 1 fails at {name} = {value}");
            return Err(Failure::Other { code: "guard", message });
        }
        let mut guard = Vec::new();
        for clause in &value.guard {
            if !holds(&mut scoped.scope, &clause_text(clause, true), given)? {
                let rest = scoped.scope.guard(&substituted(&clause_text(clause, true), given))?;
                guard.extend(clauses(&scoped.scope, &rest));
            }
        }
        let place = |text: &str| substituted(text, given);
        Ok(Symbolic {
            text: place(&value.text),
            offset: value.offset.as_deref().map(place),
            function: None,
            guard,
            kind: value.kind,
        })
    }
}

/// Whether a condition holds at these values; `false` if that depends on other names.
pub(crate) fn holds(scope: &mut Scope, condition: &str, given: &[(&str, i64)]) -> Result<bool, Failure> {
    let used: Vec<String> = given
        .iter()
        .filter(|(name, _)| words(condition).any(|word| word == *name))
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    if used.is_empty() {
        return Ok(false);
    }
    match scope.guard(&substituted(condition, given)) {
        Ok(guard) => Ok(guard.is_always()),
        Err(Error::Fact { .. }) => {
            let message = format!("{condition} fails at {}", used.join(", "));
            Err(Failure::Other { code: "guard", message })
        }
        Err(error) => Err(error.into()),
    }
}

/// A text with names replaced by numbers.
pub(crate) fn substituted(text: &str, given: &[(&str, i64)]) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(word) = words(rest).next() {
        let at = word.as_ptr() as usize - rest.as_ptr() as usize;
        out.push_str(&rest[..at]);
        match given.iter().find(|(name, _)| *name == word) {
            Some((_, value)) if *value < 0 => out.push_str(&format!("1*(0-{})", value.unsigned_abs())),
            Some((_, value)) => out.push_str(&value.to_string()),
            None => out.push_str(word),
        }
        rest = &rest[at + word.len()..];
    }
    out + rest
}

/// A text that was not cut.
fn written(text: &Text) -> Result<String, Error> {
    match text.as_str().ends_with("...") {
        true => Err(Error::TooLarge { what: "the text of a symbolic value" }),
        false => Ok(text.as_str().to_owned()),
    }
}

/// A guard as lists of lists.
fn clauses(scope: &Scope, guard: &Guard) -> Vec<Vec<Vec<String>>> {
    let mut lists: Vec<Vec<Vec<String>>> = Vec::new();
    let mut last = None;
    for (condition, clause, alternative) in guard.conditions() {
        let text = scope.condition_text(condition).as_str().to_owned();
        match last {
            Some((own, _)) if own != clause => lists.push(vec![vec![text]]),
            None => lists.push(vec![vec![text]]),
            Some((_, own)) => {
                let alternatives = lists.last_mut().expect("a clause was begun");
                match own == alternative {
                    true => alternatives.last_mut().expect("an alternative was begun").push(text),
                    false => alternatives.push(vec![text]),
                }
            }
        }
        last = Some((clause, alternative));
    }
    lists
}

/// The scope of one operation, with the guards of its operands as facts, and the text of its result.
pub(crate) struct Scoped {
    pub scope: Box<Scope>,
    /// The guard of the operands.
    guard: Vec<Vec<Vec<String>>>,
}

impl Scoped {
    /// Adds the guard of an operand to the facts, because the operand is correct only under it.
    pub fn under(&mut self, operand: &Symbolic) -> Result<(), Error> {
        for clause in operand.guard() {
            if self.guard.contains(clause) {
                continue;
            }
            let guard = self.scope.guard(&clause_text(clause, true))?;
            // Alternatives cannot be facts, and stay only in the guard.
            let _ = self.scope.assume_guard(&guard);
            self.guard.push(clause.clone());
        }
        Ok(())
    }

    /// The guard of the operands and that of the result.
    fn joined(&self, guard: &Guard) -> Vec<Vec<Vec<String>>> {
        let mut all = self.guard.clone();
        for clause in clauses(&self.scope, guard) {
            if !all.contains(&clause) {
                all.push(clause);
            }
        }
        all
    }

    /// A guard as lists of lists.
    pub fn clauses(&self, guard: &Guard) -> Vec<Vec<Vec<String>>> {
        clauses(&self.scope, guard)
    }

    /// The symbolic value with this text and kind, and the guard.
    pub fn made(&self, value: Symbolic, guard: &Guard) -> Symbolic {
        value.with_guard(self.joined(guard))
    }

    /// A value that is correct under the guards of the operands.
    pub fn bound(&self, value: Symbolic) -> Symbolic {
        self.made(value, &Guard::ALWAYS)
    }

    /// A value parsed again, in its normal form.
    pub fn read(&mut self, value: &Symbolic) -> Result<Symbolic, Failure> {
        match (value.kind(), value.offset()) {
            (SymbolicKind::Number | SymbolicKind::Tuple, _) => {
                match value.text().split(['(', ',', ')']).any(|part| part == "_") {
                    true => Ok(value.clone()),
                    false => {
                        let tuple = self.read_tuple(value.text())?;
                        self.tuple(&tuple)
                    }
                }
            }
            (SymbolicKind::Layout, _) => {
                let layout = self.scope.layout(value.text())?;
                self.layout(&layout)
            }
            (SymbolicKind::View, Some(offset)) => {
                let (offset, layout) = (self.scope.number(offset)?, self.scope.layout(value.text())?);
                self.view(offset, &layout)
            }
            (SymbolicKind::Tiler, _) => {
                let tiler = self.scope.tiler(value.text())?;
                self.tiler(&tiler)
            }
            _ => Ok(value.clone()),
        }
    }

    pub fn number(&self, number: Number) -> Result<Symbolic, Failure> {
        let text = written(&self.scope.number_text(number))?;
        Ok(self.made(Symbolic::new(SymbolicKind::Number, text), &Guard::ALWAYS))
    }

    pub fn tuple(&self, tuple: &HTuple<Number>) -> Result<Symbolic, Failure> {
        let text = self.tuple_text(tuple)?;
        let kind = if tuple.is_leaf() { SymbolicKind::Number } else { SymbolicKind::Tuple };
        Ok(self.made(Symbolic::new(kind, text), &Guard::ALWAYS))
    }

    /// The recursion depth is that of the tuple, which its capacity bounds.
    pub fn tuple_text(&self, tuple: &HTuple<Number>) -> Result<String, Error> {
        if tuple.is_leaf() {
            return written(&self.scope.number_text(tuple.leaves()[0]));
        }
        let modes: Result<Vec<String>, Error> =
            (0..tuple.rank()).map(|index| self.tuple_text(&tuple.mode(index)?)).collect();
        Ok(format!("({})", modes?.join(",")))
    }

    pub fn layout(&self, layout: &SymbolicLayout) -> Result<Symbolic, Failure> {
        self.answer(&Answer { layout: *layout, guard: Guard::ALWAYS })
    }

    pub fn answer(&self, answer: &Answer) -> Result<Symbolic, Failure> {
        let text = written(&self.scope.layout_text(&answer.layout))?;
        Ok(self.made(Symbolic::new(SymbolicKind::Layout, text), &answer.guard))
    }

    pub fn view(&self, offset: Number, layout: &SymbolicLayout) -> Result<Symbolic, Failure> {
        let offset = written(&self.scope.number_text(offset))?;
        let text = written(&self.scope.layout_text(layout))?;
        Ok(self.made(Symbolic::view(offset, text), &Guard::ALWAYS))
    }

    pub fn tiler(&self, tiler: &SymbolicTiler) -> Result<Symbolic, Failure> {
        let text = written(&self.scope.tiler_text(tiler))?;
        Ok(self.made(Symbolic::new(SymbolicKind::Tiler, text), &Guard::ALWAYS))
    }

    /// `true` or `false`, if that does not depend on the names.
    pub fn verdict(&self, verdict: Verdict) -> Result<Result<bool, Symbolic>, Failure> {
        let truth = Symbolic::new(SymbolicKind::Truth, "true");
        Ok(match verdict {
            Verdict::Always if self.guard.is_empty() => Ok(true),
            Verdict::Always => Err(self.made(truth, &Guard::ALWAYS)),
            Verdict::Never if self.guard.is_empty() => Ok(false),
            Verdict::Never => Err(self.made(Symbolic::new(SymbolicKind::Truth, "false"), &Guard::ALWAYS)),
            Verdict::When(guard) => Err(self.made(truth, &guard)),
            Verdict::Open => {
                let message = "the facts neither prove nor refute it, and no condition was found".into();
                return Err(Failure::Other { code: "undecided", message });
            }
        })
    }

    /// Why there is no answer.
    pub fn refused(&self, refusal: &Refusal) -> Failure {
        let text = self.scope.refusal_text(refusal);
        let text = text.as_str();
        let message = match refusal {
            Refusal::Never(_) => text.trim_start_matches("never: "),
            Refusal::NoLayout { .. } => text.trim_start_matches("no layout at the witness: "),
            Refusal::Error(_) => text,
        };
        Failure::Other { code: refusal.code(), message: message.to_owned() }
    }

    /// A text as a tuple: a number has no parentheses around it.
    pub fn read_tuple(&mut self, text: &str) -> Result<HTuple<Number>, Error> {
        let Some(members) = members(text) else { return Ok(HTuple::leaf(self.scope.number(text)?)) };
        let mut modes = Vec::new();
        for member in members {
            if modes.len() == MAX_LEAVES {
                return Err(Error::Capacity { what: "modes in a tuple", limit: MAX_LEAVES });
            }
            modes.push(self.read_tuple(member)?);
        }
        match modes.is_empty() {
            true => Ok(HTuple::empty(self.scope.integer(0)?)),
            false => HTuple::tuple(&modes),
        }
    }

    /// A tuple of numbers, those that are known only at launch as `?{div=8}`; `leaf` writes a number.
    fn dynamic_tuple(
        &mut self,
        tuple: &HTuple<Number>,
        leaf: &impl Fn(usize, String) -> String,
    ) -> Result<String, Error> {
        let mut next = 0;
        self.dynamic_part(tuple, leaf, &mut next)
    }

    /// The recursion depth is that of the tuple.
    fn dynamic_part(
        &mut self,
        tuple: &HTuple<Number>,
        leaf: &impl Fn(usize, String) -> String,
        next: &mut usize,
    ) -> Result<String, Error> {
        if tuple.is_leaf() {
            let text = self.dynamic(tuple.leaves()[0])?;
            *next += 1;
            return Ok(leaf(*next - 1, text));
        }
        let mut modes = Vec::new();
        for index in 0..tuple.rank() {
            modes.push(self.dynamic_part(&tuple.mode(index)?, leaf, next)?);
        }
        Ok(format!("({})", modes.join(",")))
    }

    /// A number, or `?` with its known divisor if no condition has a name of it.
    fn dynamic(&mut self, number: Number) -> Result<String, Error> {
        let text = written(&self.scope.number_text(number))?;
        let guard = guard_text(&self.guard);
        let is_in_guard = |word| !matches!(word, "floor" | "ceil") && words(&guard).any(|own| own == word);
        if words(&text).next().is_none() || words(&text).any(is_in_guard) {
            return Ok(text);
        }
        let mut divisor = 1;
        for prime in [2, 3, 5, 7, 11, 13] {
            while divisor <= MAX_DIVISOR / prime {
                let multiple = self.scope.integer(divisor * prime)?;
                if !matches!(self.scope.is_multiple(number, multiple)?, Verdict::Always) {
                    break;
                }
                divisor *= prime;
            }
        }
        Ok(if divisor == 1 { "?".into() } else { format!("?{{div={divisor}}}") })
    }

    /// A tuple of extents as a tiler that applies each to one mode.
    pub fn tiles(text: &str) -> Cow<'_, str> {
        match members(text) {
            Some(members) => {
                format!("<{}>", members.iter().map(|part| Scoped::tiles(part)).collect::<Vec<_>>().join(","))
                    .into()
            }
            None => text.into(),
        }
    }
}

/// One number per leaf.
pub(crate) fn one_of_each(
    layout: &SymbolicLayout,
    filler: Number,
    number: impl Fn(&SymbolicLeaf) -> Number,
) -> Result<HTuple<Number>, Error> {
    let numbers: Vec<Number> = layout.leaves().iter().map(number).collect();
    HTuple::with_profile(layout.profile(), &numbers, filler)
}

/// The members of a tuple, between its commas; `None` for a number.
pub(crate) fn members(text: &str) -> Option<Vec<&str>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut parts, mut start) = (0usize, Vec::new(), 0);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            // `(a)*(b)` is not a tuple.
            b')' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => {
                parts.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inner.trim().is_empty() {
        parts.push(inner[start..].trim());
    }
    Some(parts)
}

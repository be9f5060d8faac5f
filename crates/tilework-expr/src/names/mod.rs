//! The names of a session, and the facts about them.

mod scoped;

use crate::error::Failure;
use crate::symbolic::{Condition, Content, Symbolic, next_number, numbered, words};
use crate::value::Value;
pub(crate) use scoped::Scoped;
use tilework::Error;
use tilework_symbolic::{Guard, Scope};

/// The names that literals and facts declared, the facts and the hints.
#[derive(Default)]
pub(crate) struct Names {
    state: State,
    /// The state before the current statement.
    before: Option<State>,
}

#[derive(Clone, Default)]
struct State {
    scope: Scope,
    facts: Vec<Condition>,
    hints: Vec<(String, i64)>,
    /// The number of the next `?`; none has two meanings.
    next_unnamed: u64,
}

impl Names {
    /// Whether any name is declared.
    pub fn any(&self) -> bool {
        self.state.scope.names().len() > 0
    }

    /// Whether a name is declared.
    pub fn is_declared(&self, name: &str) -> bool {
        self.state.scope.find(name).is_some()
    }

    /// The names in order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.state.scope.names()
    }

    /// The facts.
    pub fn facts(&self) -> &[Condition] {
        &self.state.facts
    }

    /// The names with only some facts.
    pub fn under_facts(&self, facts: &[&Condition]) -> Result<Scoped, Error> {
        let mut scope = Scope::new();
        for name in self.iter() {
            scope.declare(name)?;
        }
        for fact in facts {
            scope.assume(&fact.text)?;
        }
        Ok(Scoped::of(scope))
    }

    /// Admissible values of all names that extend the given ones.
    pub fn values(&self, given: &[(&str, i64)]) -> Option<Vec<(String, i64)>> {
        let scope = &self.state.scope;
        let values = scope.values(given).ok()?;
        let value = |name: &str| Some((name.to_owned(), scope.value(&scope.find(name)?, &values).ok()??));
        Some(scope.names().filter_map(value).collect())
    }

    /// The hints.
    pub fn hints(&self) -> &[(String, i64)] {
        &self.state.hints
    }

    /// The state to change, after saving it.
    fn state_mut(&mut self) -> &mut State {
        self.before.get_or_insert_with(|| self.state.clone());
        &mut self.state
    }

    /// Begins a statement: its declarations are kept if it succeeds.
    pub fn begin(&mut self) {
        self.before = None;
    }

    /// Undoes the declarations of a failed statement.
    pub fn undo(&mut self) {
        if let Some(before) = self.before.take() {
            self.state = before;
        }
    }

    /// A literal, which declares the names in it.
    pub fn layout(&mut self, text: &str) -> Result<Symbolic, Error> {
        let (given, next) = numbered(text, self.state.next_unnamed);
        let State { scope, next_unnamed, .. } = self.state_mut();
        let mut trial = scope.clone();
        // A position in the text that was given.
        let layout =
            trial.layout(&given).map_err(|error| scope.clone().layout(text).err().unwrap_or(error))?;
        *next_unnamed = next;
        // Only the names of the literal are kept, and the facts of `?{div=8}`.
        match given.contains('?') || trial.quotients() == scope.quotients() {
            true => *scope = trial,
            false => {
                let names = trial.names().skip(scope.names().len());
                names
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
                    .iter()
                    .try_for_each(|name| scope.declare(name).map(|_| ()))?;
            }
        }
        let mut scoped = self.scoped();
        let layout = scoped.scope.adopt(layout.declared()).layout(&layout)?;
        scoped.extents(layout.leaves().iter().map(|leaf| &leaf.extent))?;
        Ok(scoped.symbolic(Content::Layout(layout), &Guard::ALWAYS))
    }

    /// A name outside of literals.
    pub fn declare(&mut self, name: &str) -> Result<(), Error> {
        self.state_mut().scope.declare(name).map(|_| ())
    }

    /// A name for an integer without one, which is 1 or more as that of a `?`.
    pub fn unnamed(&mut self) -> Result<Symbolic, Error> {
        let (name, next) = numbered("?", self.state.next_unnamed);
        let State { scope, next_unnamed, .. } = self.state_mut();
        *next_unnamed = next;
        let number = scope.declare(&name)?;
        Ok(Symbolic::new(Content::Number(number), scope.declared()))
    }

    /// The number of a declared name.
    pub fn number(&self, name: &str) -> Option<Symbolic> {
        let scope = &self.state.scope;
        Some(Symbolic::new(Content::Number(scope.find(name)?), scope.declared()))
    }

    /// Facts, which declare the names in them.
    pub fn assume(&mut self, text: &str) -> Result<Symbolic, Error> {
        let State { scope, facts, next_unnamed, .. } = self.state_mut();
        for fact in text.split(',') {
            // In `ld >= M` and `N == 2*M` the first name depends on the second, which is declared first.
            let (left, right) = fact.split_once(['<', '>', '=']).unwrap_or((fact, ""));
            let ordered = if fact.contains('<') { [left, right] } else { [right, left] };
            for word in ordered.into_iter().flat_map(words).filter(|word| !matches!(*word, "floor" | "ceil"))
            {
                scope.declare(word)?;
            }
        }
        // Without the facts, which would change the quotients in their own conditions.
        let mut free = Scope::new();
        scope.names().try_for_each(|name| free.declare(name).map(|_| ()))?;
        scope.assume(text)?;
        *next_unnamed = next_number(text, *next_unnamed);
        for fact in text.split(',').map(str::trim) {
            if !facts.iter().any(|known| known.text == fact) {
                let guard = free.conditions(fact)?;
                facts.push(Condition { text: fact.to_owned(), guard, declared: free.declared().clone() });
            }
        }
        Ok(Symbolic::plain(Content::Facts(self.fact_texts().join(", "))))
    }

    pub fn fact_texts(&self) -> Vec<&str> {
        self.facts().iter().map(|fact| fact.text.as_str()).collect()
    }

    /// The value for which layouts are chosen.
    pub fn hint(&mut self, name: &str, value: i64) -> Result<Symbolic, Error> {
        let State { scope, hints, .. } = self.state_mut();
        scope.hint(name, Some(value))?;
        scope.values(&[])?;
        hints.retain(|(own, _)| own != name);
        hints.push((name.to_owned(), value));
        Ok(Symbolic::plain(Content::Hint(format!("{name} = {value}"))))
    }

    /// Sets other hints temporarily.
    pub fn set_hints(&mut self, hints: &[(String, i64)]) {
        let State { scope, hints: own, .. } = &mut self.state;
        for (name, _) in &*own {
            let _ = scope.hint(name, None);
        }
        for (name, value) in hints {
            let _ = scope.hint(name, Some(*value));
        }
        *own = hints.to_vec();
    }

    /// A value of each name that satisfies the facts: the witness of the operations.
    pub fn witness(&self) -> Vec<(String, i64)> {
        self.values(&[]).unwrap_or_default()
    }

    /// A value of each name that satisfies the facts and the condition of a value.
    pub fn witness_of(&self, value: &Value) -> Option<Vec<(String, i64)>> {
        let Some(symbolic) = value.as_symbolic() else { return Some(self.witness()) };
        let under = |guard: Guard| {
            let mut scope = self.state.scope.clone();
            let guard = scope.adopt(&symbolic.declared).guard(&guard).ok()?;
            for clause in guard.each() {
                let _ = scope.assume_guard(&clause);
            }
            let values = scope.values(&[]).ok()?;
            let value = |name: &str| Some((name.to_owned(), scope.value(&scope.find(name)?, &values).ok()??));
            Some(self.iter().filter_map(value).collect())
        };
        let own = [symbolic.guard.clone(), symbolic.guard.first_alternatives()].into_iter().filter_map(under);
        let mut all = std::iter::once(self.witness()).chain(own).chain(self.witnesses());
        all.find(|values| self.at(symbolic, values).is_ok())
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
        Scoped::of(self.state.scope.clone())
    }

    /// The scope of one operation under the guards of its operands.
    pub fn under(&self, operands: &[Value]) -> Result<Scoped, Error> {
        let mut scoped = self.scoped();
        for operand in operands {
            if let Some(symbolic) = operand.as_symbolic() {
                scoped.under(symbolic)?;
            }
        }
        Ok(scoped)
    }

    /// A value with its guard; none for values that are neither numbers nor layouts nor tilers.
    pub fn symbolic(&self, value: &Value) -> Result<Option<Symbolic>, Failure> {
        let mut scoped = self.under(std::slice::from_ref(value))?;
        let content = scoped.content(value)?;
        Ok(content.map(|content| scoped.symbolic(content, &Guard::ALWAYS)))
    }

    /// A value for numbers of some or all names; an error if a fact or the guard fails.
    pub fn at(&self, value: &Symbolic, given: &[(impl AsRef<str>, i64)]) -> Result<Symbolic, Failure> {
        let given: Vec<(&str, i64)> = given.iter().map(|(name, value)| (name.as_ref(), *value)).collect();
        let given = &given[..];
        if let Some((name, _)) = given.iter().find(|(name, _)| !self.is_declared(name)) {
            return Err(Failure::Other { code: "name", message: format!("`{name}` is not declared") });
        }
        let mut free = self.under_facts(&[])?.scope;
        for fact in self.facts() {
            holds(&mut free, fact, given)?;
        }
        let mut scoped = self.scoped();
        if let Err(error) = scoped.scope.values(given) {
            let Some((name, value)) = given.iter().find(|(_, value)| *value < 1) else {
                return Err(error.into());
            };
            return Err(Failure::other("guard", format!("{name} >= 1 fails at {name} = {value}")));
        }
        let mut guard = Guard::ALWAYS;
        for clause in Condition::clauses(&value.guard, &value.declared) {
            if !holds(&mut scoped.scope, &clause, given)? {
                let rest = scoped.scope.adopt(&value.declared).at(given).guard(&clause.guard)?;
                guard.push_all(&scoped.scope.reduced(&rest)?);
            }
        }
        let content = scoped.adopted_at(value, given)?;
        Ok(Symbolic { guard, ..Symbolic::new(content, scoped.scope.declared()) })
    }
}

/// Whether a condition holds at these values; `false` if that depends on other names.
fn holds(scope: &mut Scope, condition: &Condition, given: &[(&str, i64)]) -> Result<bool, Failure> {
    let Condition { text, guard, declared } = condition;
    let names: Vec<&str> = declared.names_in(guard.numbers()).collect();
    let used = given.iter().filter(|(name, _)| names.contains(name));
    let used: Vec<String> = used.map(|(name, value)| format!("{name} = {value}")).collect();
    if used.is_empty() {
        return Ok(false);
    }
    let conditions = scope.adopt(declared).at(given).guard(guard);
    match conditions.and_then(|conditions| scope.reduced(&conditions)) {
        Ok(guard) => Ok(guard.is_always()),
        Err(Error::Fact { .. }) => {
            Err(Failure::other("guard", format!("{text} fails at {}", used.join(", "))))
        }
        Err(error) => Err(error.into()),
    }
}

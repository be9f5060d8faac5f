//! Conditions on the names, and the guards made of them.

use crate::int;
use crate::list::List;
use crate::polynomial::{MAX_NAMES, Polynomial};
use crate::pool::{MAX_NUMBERS, Number};
use crate::scope::{Facts, MAX_BOUNDS, Scope};
use crate::values::Values;
use tilework::Error;

/// The most conditions of a guard.
pub const MAX_CONDITIONS: usize = 48;

/// A condition on the names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// The number is 0 or more.
    Nonnegative(Number),
    /// The number is 0.
    Zero(Number),
    /// The number, a polynomial with a denominator, is an integer.
    Integer(Number),
    /// The first number divides the second.
    Divides(Number, Number),
}

impl Condition {
    /// Marks its numbers.
    pub(crate) const fn mark(self, used: &mut [bool; MAX_NUMBERS]) {
        match self {
            Condition::Nonnegative(p) | Condition::Zero(p) | Condition::Integer(p) => used[p.index()] = true,
            Condition::Divides(q, p) => {
                used[q.index()] = true;
                used[p.index()] = true;
            }
        }
    }

    /// The condition with its numbers after moving.
    pub(crate) const fn moved(self, to: &[Number; MAX_NUMBERS]) -> Condition {
        match self {
            Condition::Nonnegative(p) => Condition::Nonnegative(p.moved(to)),
            Condition::Zero(p) => Condition::Zero(p.moved(to)),
            Condition::Integer(p) => Condition::Integer(p.moved(to)),
            Condition::Divides(q, p) => Condition::Divides(q.moved(to), p.moved(to)),
        }
    }

    const fn same(self, other: Condition) -> bool {
        match (self, other) {
            (Condition::Nonnegative(a), Condition::Nonnegative(b))
            | (Condition::Zero(a), Condition::Zero(b))
            | (Condition::Integer(a), Condition::Integer(b)) => a.same(b),
            (Condition::Divides(a, b), Condition::Divides(c, d)) => a.same(c) && b.same(d),
            _ => false,
        }
    }
}

#[derive(Clone, Copy)]
struct Entry {
    condition: Condition,
    clause: u8,
    alternative: u8,
}

const UNUSED: Entry = Entry { condition: Condition::Zero(Number::UNUSED), clause: 0, alternative: 0 };

/// A conjunction of clauses, each a disjunction of alternatives, each a conjunction of [`Condition`]s: the values of
/// the names for which an answer is correct.
///
/// ```
/// use tilework_symbolic::{Scope, Verdict};
/// let mut scope = Scope::new();
/// let (a, b) = (scope.layout("(M,K):(1,ld)")?, scope.layout("M*K:1")?);
/// let Verdict::When(guard) = scope.equivalent(&a, &b)? else { panic!() };
/// assert_eq!(scope.guard_text(&guard).as_str(), "ld == M or K <= 1");
/// assert!(scope.holds(&guard, &scope.values(&[("M", 64), ("ld", 64)])?)?);
/// assert!(!scope.holds(&guard, &scope.values(&[("M", 64), ("ld", 65)])?)?);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Guard {
    entries: List<Entry, MAX_CONDITIONS>,
}

impl core::fmt::Debug for Guard {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.conditions()).finish()
    }
}

impl Guard {
    /// No condition.
    pub const ALWAYS: Guard = Guard { entries: List::new(UNUSED) };

    /// Whether there is no condition.
    ///
    /// ```
    /// use tilework_symbolic::Guard;
    /// assert!(Guard::ALWAYS.is_always());
    /// ```
    #[must_use]
    pub const fn is_always(&self) -> bool {
        self.entries.is_empty()
    }

    /// The conditions, each with the numbers of its clause and of its alternative.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.layout("(M,K):(1,ld)")?, scope.layout("M*K:1")?);
    /// let Verdict::When(guard) = scope.equivalent(&a, &b)? else { panic!() };
    /// let all: Vec<_> = guard.conditions().map(|(condition, clause, alternative)| {
    ///     (scope.condition_text(condition).to_string(), clause, alternative)
    /// }).collect();
    /// assert_eq!(all, [("ld == M".into(), 0, 0), ("K <= 1".into(), 0, 1)]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn conditions(&self) -> impl ExactSizeIterator<Item = (Condition, usize, usize)> {
        self.entries
            .as_slice()
            .iter()
            .map(|entry| (entry.condition, entry.clause as usize, entry.alternative as usize))
    }

    pub(crate) const fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) const fn get(&self, index: usize) -> (Condition, usize, usize) {
        let entry = self.entries.as_slice()[index];
        (entry.condition, entry.clause as usize, entry.alternative as usize)
    }

    const fn next_clause(&self) -> u8 {
        let entries = self.entries.as_slice();
        if entries.is_empty() { 0 } else { entries[entries.len() - 1].clause + 1 }
    }

    /// The end of the clause that begins at entry `first`.
    pub(crate) const fn clause_end(&self, first: usize) -> usize {
        let (entries, mut end) = (self.entries.as_slice(), first);
        while end < entries.len() && entries[end].clause == entries[first].clause {
            end += 1;
        }
        end
    }

    /// Appends the entries `first..end` of another guard, a clause, unless it is already present.
    pub(crate) const fn push_clause(&mut self, from: &Guard, first: usize, end: usize) -> Result<(), Error> {
        let mut own = 0;
        while own < self.len() {
            let own_end = self.clause_end(own);
            if self.same_clause(own, own_end, from, first, end) {
                return Ok(());
            }
            own = own_end;
        }
        let (clause, mut i) = (self.next_clause(), first);
        while i < end {
            let entry = from.entries.as_slice()[i];
            tri!(self.entries.push(Entry { clause, ..entry }, "conditions in a guard"));
            i += 1;
        }
        Ok(())
    }

    const fn same_clause(&self, own: usize, own_end: usize, other: &Guard, first: usize, end: usize) -> bool {
        if own_end - own != end - first {
            return false;
        }
        let mut i = 0;
        while i < end - first {
            let (a, b) = (self.entries.as_slice()[own + i], other.entries.as_slice()[first + i]);
            if a.alternative != b.alternative || !a.condition.same(b.condition) {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Appends a clause of one condition.
    pub(crate) const fn push(&mut self, condition: Condition) -> Result<(), Error> {
        let entry = Entry { condition, clause: self.next_clause(), alternative: 0 };
        self.entries.push(entry, "conditions in a guard")
    }

    /// The verdict that it expresses.
    pub(crate) const fn verdict(&self) -> Verdict {
        if self.is_always() { Verdict::Always } else { Verdict::When(*self) }
    }

    /// Appends the clauses of another guard.
    pub(crate) const fn push_all(&mut self, other: &Guard) -> Result<(), Error> {
        let mut first = 0;
        while first < other.len() {
            let end = other.clause_end(first);
            tri!(self.push_clause(other, first, end));
            first = end;
        }
        Ok(())
    }

    /// Renumbers after moving.
    pub(crate) const fn renumber(&mut self, moved: &[Number; MAX_NUMBERS]) {
        let mut i = 0;
        while i < self.len() {
            let condition = &mut self.entries.as_mut_slice()[i].condition;
            *condition = condition.moved(moved);
            i += 1;
        }
    }
}

/// Whether something holds: for all values, for those that a guard admits, for none, or undecided.
// A guard is a plain value, because there is no heap to box it.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug)]
pub enum Verdict {
    /// For all admissible values.
    Always,
    /// If the guard holds.
    When(Guard),
    /// For no admissible value.
    Never,
    /// Neither is proved, and no guard was found.
    Open,
}

/// A clause under construction: conditions that the facts prove or refute are not kept.
pub(crate) struct Clause {
    open: Guard,
    alternative: u8,
    /// The start of the conditions of this alternative.
    start: usize,
    begun: bool,
    refuted: bool,
    proved: bool,
}

/// The facts refute every alternative of a clause.
pub(crate) struct Refuted;

impl Clause {
    pub const fn new() -> Clause {
        Clause { open: Guard::ALWAYS, alternative: 0, start: 0, begun: false, refuted: false, proved: false }
    }

    /// Begins an alternative.
    pub const fn or(&mut self) {
        self.close();
        self.begun = true;
        self.refuted = false;
        self.start = self.open.len();
    }

    const fn close(&mut self) {
        if self.begun && (self.refuted || self.is_said()) {
            self.open.entries.truncate(self.start);
        } else if self.begun && self.open.len() == self.start {
            self.proved = true;
        } else if self.begun {
            self.alternative += 1;
        }
        self.begun = false;
    }

    /// Whether an earlier alternative has no conditions but those of this one.
    const fn is_said(&self) -> bool {
        let (entries, mut first) = (self.open.entries.as_slice(), 0);
        while first < self.start {
            let (mut end, mut all) = (first, true);
            while end < self.start && entries[end].alternative == entries[first].alternative {
                let (mut found, mut i) = (false, self.start);
                while i < entries.len() {
                    found |= entries[i].condition.same(entries[end].condition);
                    i += 1;
                }
                all &= found;
                end += 1;
            }
            if all {
                return true;
            }
            first = end;
        }
        false
    }

    /// Adds `p >= 0` to the alternative.
    pub const fn nonnegative(&mut self, scope: &mut Scope, p: &Polynomial) -> Result<(), Error> {
        if self.is_settled() {
            return Ok(());
        }
        match scope.nonnegative(p) {
            Some(truth) => self.settle(truth),
            None => {
                let number = tri!(scope.intern(&tri!(scope.primitive(p, true))));
                self.push(Condition::Nonnegative(number))
            }
        }
    }

    /// Adds `p == 0`.
    pub const fn zero(&mut self, scope: &mut Scope, p: &Polynomial) -> Result<(), Error> {
        if self.is_settled() {
            return Ok(());
        }
        match scope.is_zero(p) {
            Some(truth) => self.settle(truth),
            None => {
                let number = tri!(scope.intern(&tri!(scope.primitive(p, false))));
                self.push(Condition::Zero(number))
            }
        }
    }

    /// Adds that `p` is an integer.
    pub const fn integer(&mut self, scope: &mut Scope, p: &Polynomial) -> Result<(), Error> {
        if self.is_settled() {
            return Ok(());
        }
        match scope.is_integer(p) {
            Some(truth) => self.settle(truth),
            None => {
                // A common factor of the coefficients is coprime to the denominator.
                let number = tri!(scope.intern(&tri!(p.scale(1, p.content() as i64))));
                self.push(Condition::Integer(number))
            }
        }
    }

    /// Adds that `divisor` divides `p`.
    pub const fn divides(
        &mut self,
        scope: &mut Scope,
        divisor: &Polynomial,
        p: &Polynomial,
    ) -> Result<(), Error> {
        if self.is_settled() {
            return Ok(());
        }
        match scope.divides(divisor, p) {
            Some(truth) => self.settle(truth),
            None => {
                let (divisor, number) = (tri!(scope.intern(divisor)), tri!(scope.intern(p)));
                self.push(Condition::Divides(divisor, number))
            }
        }
    }

    /// Whether further conditions make no difference.
    const fn is_settled(&self) -> bool {
        self.proved || self.refuted
    }

    const fn settle(&mut self, truth: bool) -> Result<(), Error> {
        self.refuted |= !truth;
        Ok(())
    }

    const fn push(&mut self, condition: Condition) -> Result<(), Error> {
        let mut i = self.start;
        while i < self.open.len() {
            if self.open.entries.as_slice()[i].condition.same(condition) {
                return Ok(());
            }
            i += 1;
        }
        let entry = Entry { condition, clause: 0, alternative: self.alternative };
        self.open.entries.push(entry, "conditions in a guard")
    }

    /// Adds the clause to a guard.
    pub const fn require(&mut self, guard: &mut Guard) -> Result<Result<(), Refuted>, Error> {
        self.close();
        if self.proved {
            return Ok(Ok(()));
        }
        if self.open.is_always() {
            return Ok(Err(Refuted));
        }
        tri!(guard.push_clause(&self.open, 0, self.open.len()));
        Ok(Ok(()))
    }
}

impl Scope {
    /// A polynomial with the same sign, and the same zeros: without common positive factors, with coprime integer
    /// coefficients. If the sign matters, the constant is rounded down; otherwise the first term is positive.
    const fn primitive(&self, p: &Polynomial, signed: bool) -> Result<Polynomial, Error> {
        let factor = self.positive_factor(p, p);
        let whole = match p.over(&factor) {
            Some(quotient) => tri!(quotient.scale(quotient.denominator, 1)),
            None => tri!(p.scale(p.denominator, 1)),
        };
        let constant = whole.last();
        let rest = tri!(whole.plus(tri!(int::sub(0, constant))));
        if !signed {
            let common = whole.content() as i64;
            let sign = if !whole.is_zero() && whole.terms()[0].coefficient < 0 { -1 } else { 1 };
            return whole.scale(sign, if common > 0 { common } else { 1 });
        }
        let common = rest.content() as i64;
        if common < 1 {
            return Ok(whole);
        }
        tri!(rest.scale(1, common)).plus(int::div_rem(constant, common).0)
    }

    /// Whether the guard holds at these values.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (m, tile) = (scope.declare("M")?, scope.integer(128)?);
    /// let Verdict::When(guard) = scope.is_multiple(m, tile)? else { panic!() };
    /// assert!(scope.holds(&guard, &scope.values(&[("M", 256)])?)?);
    /// assert!(!scope.holds(&guard, &scope.values(&[("M", 100)])?)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a number does not fit 128 bits.
    pub const fn holds(&self, guard: &Guard, values: &Values) -> Result<bool, Error> {
        let (mut values, mut first) = (*values, 0);
        while first < guard.len() {
            let end = guard.clause_end(first);
            let (mut any, mut i) = (false, first);
            while i < end && !any {
                let alternative = guard.get(i).2;
                let mut all = true;
                while i < end && guard.get(i).2 == alternative {
                    all = all && tri!(self.condition_holds(guard.get(i).0, &mut values));
                    i += 1;
                }
                any = all;
            }
            if !any {
                return Ok(false);
            }
            first = end;
        }
        Ok(true)
    }

    pub(crate) const fn condition_holds(
        &self,
        condition: Condition,
        values: &mut Values,
    ) -> Result<bool, Error> {
        let number = match condition {
            Condition::Nonnegative(p)
            | Condition::Zero(p)
            | Condition::Integer(p)
            | Condition::Divides(_, p) => p,
        };
        let (numerator, denominator) = tri!(self.fraction(&self.polynomial(number), values));
        Ok(match condition {
            Condition::Nonnegative(_) => numerator >= 0,
            Condition::Zero(_) => numerator == 0,
            Condition::Integer(_) => numerator % denominator as i128 == 0,
            Condition::Divides(divisor, _) => {
                let (other, own) = tri!(self.fraction(&self.polynomial(divisor), values));
                // (numerator / denominator) / (other / own)
                match (numerator.checked_mul(own as i128), other.checked_mul(denominator as i128)) {
                    (Some(numerator), Some(divisor)) => divisor != 0 && numerator % divisor == 0,
                    _ => return Err(Error::TooLarge { what: "the value of a symbolic number" }),
                }
            }
        })
    }

    /// Drops `p >= 0` if another required `q >= 0` implies it: `p - q >= 0` for all values.
    pub(crate) const fn tidy(&self, guard: &Guard) -> Guard {
        let (mut entries, mut i) = (guard.entries, 0);
        while i < entries.len() {
            let (entry, mut j, mut drop) = (entries.as_slice()[i], 0, false);
            while j < entries.len() {
                let other = entries.as_slice()[j];
                let within = other.clause == entry.clause && other.alternative == entry.alternative;
                if i != j
                    && (within || is_single(&entries, j))
                    && self.implies(other.condition, entry.condition)
                {
                    // Of two that imply each other, the first is kept.
                    drop = drop || !(j > i && self.implies(entry.condition, other.condition));
                }
                j += 1;
            }
            // An alternative of one condition that holds proves its clause.
            let alone = is_alone(&entries, i);
            if drop && alone {
                (entries, i) = (without_clause(&entries, entry.clause), 0);
            } else if drop {
                entries = without_entry(&entries, i);
            } else {
                i += 1;
            }
        }
        // Clauses are renumbered.
        let (mut out, sparse, mut first) = (Guard::ALWAYS, Guard { entries }, 0);
        while first < sparse.len() {
            let end = sparse.clause_end(first);
            let _ = out.push_clause(&sparse, first, end);
            first = end;
        }
        out
    }

    const fn implies(&self, known: Condition, asked: Condition) -> bool {
        let (Condition::Nonnegative(q), Condition::Nonnegative(p)) = (known, asked) else { return false };
        match self.polynomial(p).sub(&self.polynomial(q)) {
            Ok(difference) => matches!(self.nonnegative(&difference), Some(true)),
            Err(_) => false,
        }
    }

    /// The facts about the names, as the guard that holds for all admissible values.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// scope.assume("M % 128 == 0, K <= 4096, ld >= M")?;
    /// let facts = scope.facts()?;
    /// assert_eq!(scope.guard_text(&facts).as_str(), "M % 128 == 0 and K <= 4096 and ld >= M");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] beyond [`MAX_CONDITIONS`], or if the scope is full.
    pub const fn facts(&mut self) -> Result<Guard, Error> {
        self.facts_about(u32::MAX)
    }

    /// The facts about some of the names, given as bits.
    pub(crate) const fn facts_about(&mut self, names: u32) -> Result<Guard, Error> {
        let (mut facts, mut v) = (Guard::ALWAYS, 0);
        while v < self.name_count() {
            let name = Polynomial::variable(v);
            let Facts { divisor, low, low_by_default, high, at_least, equal } = self.known(v);
            v += 1;
            if names >> (v - 1) & 1 == 0 {
                continue;
            }
            if divisor > 1 {
                let tiles = tri!(self.intern(&tri!(name.scale(1, divisor))));
                tri!(facts.push(Condition::Integer(tiles)));
            }
            if !low_by_default {
                let above = tri!(self.intern(&tri!(name.plus(tri!(int::sub(0, low))))));
                tri!(facts.push(Condition::Nonnegative(above)));
            }
            if high != i64::MAX {
                let below = tri!(self.intern(&tri!(tri!(name.negated()).plus(high))));
                tri!(facts.push(Condition::Nonnegative(below)));
            }
            let mut i = 0;
            while i < MAX_BOUNDS {
                if let Some(bound) = at_least[i] {
                    let above = tri!(self.intern(&tri!(name.sub(&self.polynomial(bound)))));
                    tri!(facts.push(Condition::Nonnegative(above)));
                }
                i += 1;
            }
            if let Some(value) = equal {
                let difference = tri!(self.intern(&tri!(name.sub(&self.polynomial(value)))));
                tri!(facts.push(Condition::Zero(difference)));
            }
        }
        Ok(facts)
    }

    /// Assumes the conditions of the guard on single names, `x % k == 0` and `x >= c`, and adds these clauses to
    /// `assumed`.
    pub(crate) const fn absorb(&mut self, guard: &Guard, assumed: &mut Guard) -> Result<(), Error> {
        let mut first = 0;
        while first < guard.len() {
            let end = guard.clause_end(first);
            if end == first + 1 && self.assume_of_one_name(guard.get(first).0) {
                tri!(assumed.push_clause(guard, first, end));
            }
            first = end;
        }
        Ok(())
    }

    const fn assume_of_one_name(&mut self, condition: Condition) -> bool {
        let (Condition::Nonnegative(number) | Condition::Integer(number)) = condition else { return false };
        let p = self.polynomial(number);
        let terms = p.terms();
        if terms.is_empty() || terms.len() > 2 || terms[0].monomial.degree() != 1 || terms[0].coefficient < 0
        {
            return false;
        }
        let Some(v) = terms[0].monomial.first() else { return false };
        if v >= MAX_NAMES
            || terms.len() == 2 && !terms[1].monomial.is_one()
            || self.known(v).at_least[0].is_some()
        {
            return false;
        }
        match condition {
            Condition::Integer(_) => terms.len() == 1 && self.assume_integer(&p).is_ok(),
            _ => self.assume_nonnegative(&p).is_ok(),
        }
    }
}

/// Whether the entry is the only one of its alternative.
const fn is_alone(entries: &List<Entry, MAX_CONDITIONS>, index: usize) -> bool {
    let (own, mut i) = (entries.as_slice()[index], 0);
    while i < entries.len() {
        let other = entries.as_slice()[i];
        if i != index && other.clause == own.clause && other.alternative == own.alternative {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether the entry is the only one of its clause.
const fn is_single(entries: &List<Entry, MAX_CONDITIONS>, index: usize) -> bool {
    let (own, mut i) = (entries.as_slice()[index], 0);
    while i < entries.len() {
        if i != index && entries.as_slice()[i].clause == own.clause {
            return false;
        }
        i += 1;
    }
    true
}

const fn without_entry(entries: &List<Entry, MAX_CONDITIONS>, index: usize) -> List<Entry, MAX_CONDITIONS> {
    let (mut out, mut i) = (List::new(UNUSED), 0);
    while i < entries.len() {
        if i != index {
            let _ = out.push(entries.as_slice()[i], "");
        }
        i += 1;
    }
    out
}

const fn without_clause(entries: &List<Entry, MAX_CONDITIONS>, clause: u8) -> List<Entry, MAX_CONDITIONS> {
    let (mut out, mut i) = (List::new(UNUSED), 0);
    while i < entries.len() {
        if entries.as_slice()[i].clause != clause {
            let _ = out.push(entries.as_slice()[i], "");
        }
        i += 1;
    }
    out
}

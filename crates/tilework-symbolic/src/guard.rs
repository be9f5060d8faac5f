//! Conditions on the names, and the guards made of them.

use crate::declarations::Declarations;
use crate::number::{Number, Variable};
use crate::scope::{Facts, Scope};
use crate::values::Values;
use alloc::vec::Vec;
use tilework::__private::int;
use tilework::Error;

/// A condition on the names.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &Number> {
        let (first, second) = match self {
            Condition::Nonnegative(p) | Condition::Zero(p) | Condition::Integer(p) => (p, None),
            Condition::Divides(divisor, p) => (divisor, Some(p)),
        };
        [first].into_iter().chain(second)
    }
}

/// A conjunction of clauses, each a disjunction of alternatives, each a conjunction of [`Condition`]s: the values of
/// the names for which an answer is correct.
///
/// ```
/// use tilework_symbolic::{Scope, Verdict};
/// let mut scope = Scope::new();
/// let (a, b) = (scope.layout("(M,K):(1,ld)")?, scope.layout("M*K:1")?);
/// let Verdict::When(guard) = scope.equivalent(&a, &b)? else { panic!() };
/// assert_eq!(scope.guard_text(&guard), "ld == M or K <= 1");
/// assert!(scope.holds(&guard, &scope.values(&[("M", 64), ("ld", 64)])?)?);
/// assert!(!scope.holds(&guard, &scope.values(&[("M", 64), ("ld", 65)])?)?);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Guard {
    clauses: Vec<Vec<Vec<Condition>>>,
}

impl Guard {
    /// No condition.
    pub const ALWAYS: Guard = Guard { clauses: Vec::new() };

    /// Whether there is no condition.
    ///
    /// ```
    /// use tilework_symbolic::Guard;
    /// assert!(Guard::ALWAYS.is_always());
    /// ```
    #[must_use]
    pub fn is_always(&self) -> bool {
        self.clauses.is_empty()
    }

    /// The clauses, all of which have to hold; a clause holds if all conditions of one of its alternatives do.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.layout("(M,K):(1,ld)")?, scope.layout("M*K:1")?);
    /// let Verdict::When(guard) = scope.equivalent(&a, &b)? else { panic!() };
    /// let [clause] = guard.clauses() else { panic!() };
    /// let texts: Vec<_> = clause.iter().flatten().map(|condition| scope.condition_text(&condition)).collect();
    /// assert_eq!(texts, ["ld == M", "K <= 1"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn clauses(&self) -> &[Vec<Vec<Condition>>] {
        &self.clauses
    }

    /// The numbers in its conditions.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let guard = scope.guard("M % 8 == 0 or K >= 4")?;
    /// assert_eq!(scope.names_in(guard.numbers()).collect::<Vec<_>>(), ["M", "K"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn numbers(&self) -> impl Iterator<Item = &Number> {
        self.clauses.iter().flatten().flatten().flat_map(Condition::numbers)
    }

    /// The guard of one of its clauses.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let guard = scope.guard("M % 8 == 0 and K >= 4")?;
    /// assert_eq!(guard.each().map(|clause| scope.guard_text(&clause)).collect::<Vec<_>>(), ["M % 8 == 0", "K >= 4"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn each(&self) -> impl Iterator<Item = Guard> {
        self.clauses.iter().map(|clause| Guard { clauses: [clause.clone()].into() })
    }

    /// The first alternative of each clause.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let guard = scope.guard("M % 8 == 0 or K >= 4")?;
    /// assert_eq!(scope.guard_text(&guard.first_alternatives()), "M % 8 == 0");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn first_alternatives(&self) -> Guard {
        let clauses = self.clauses.iter().map(|clause| clause[..1].to_vec());
        Guard { clauses: clauses.collect() }
    }

    pub(crate) fn try_map(
        &self,
        mut change: impl FnMut(&Condition) -> Result<Condition, Error>,
    ) -> Result<Guard, Error> {
        let mut out = Guard::ALWAYS;
        for clause in &self.clauses {
            let mut own = Vec::new();
            for alternative in clause {
                own.push(alternative.iter().map(&mut change).collect::<Result<_, _>>()?);
            }
            out.push_clause(own);
        }
        Ok(out)
    }

    /// The condition of each clause that has only one.
    pub(crate) fn single(&self) -> impl Iterator<Item = &Condition> {
        self.clauses.iter().filter_map(|clause| match &clause[..] {
            [alternative] if alternative.len() == 1 => alternative.first(),
            _ => None,
        })
    }

    /// Appends a clause, unless it is already present.
    pub(crate) fn push_clause(&mut self, clause: Vec<Vec<Condition>>) {
        if !self.clauses.contains(&clause) {
            self.clauses.push(clause);
        }
    }

    /// Appends a clause of one condition.
    pub(crate) fn push(&mut self, condition: Condition) {
        self.push_clause([[condition].into()].into());
    }

    /// Appends the clauses of another guard.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let (mut guard, other) = (scope.guard("M % 8 == 0")?, scope.guard("M % 8 == 0 and K >= 4")?);
    /// guard.push_all(&other);
    /// assert_eq!(scope.guard_text(&guard), "M % 8 == 0 and K >= 4");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn push_all(&mut self, other: &Guard) {
        other.clauses.iter().for_each(|clause| self.push_clause(clause.clone()));
    }

    /// Where this one holds, or another one.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let (rows, columns) = (scope.guard("ld >= M")?, scope.guard("ld >= K and M <= 9")?);
    /// assert_eq!(scope.guard_text(&rows.or(&columns)), "(ld >= M or ld >= K) and (ld >= M or M <= 9)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn or(&self, other: &Guard) -> Guard {
        let mut out = Guard::ALWAYS;
        for (one, more) in
            self.clauses.iter().flat_map(|one| other.clauses.iter().map(move |more| (one, more)))
        {
            let more = more.iter().filter(|own| !one.contains(own));
            out.push_clause(one.iter().chain(more).cloned().collect());
        }
        out
    }

    /// The verdict that it expresses.
    pub(crate) fn verdict(self) -> Verdict {
        if self.is_always() { Verdict::Always } else { Verdict::When(self) }
    }
}

/// Whether something holds: for all values, for those that a guard admits, for none, or undecided.
#[derive(Clone, Debug)]
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

impl Verdict {
    /// Whether both hold.
    ///
    /// ```
    /// use tilework_symbolic::Verdict;
    /// assert!(matches!(Verdict::Open.and(Verdict::Never), Verdict::Never));
    /// assert!(matches!(Verdict::Open.and(Verdict::Always), Verdict::Open));
    /// ```
    #[must_use]
    pub fn and(self, other: Verdict) -> Verdict {
        match (self, other) {
            (Verdict::Never, _) | (_, Verdict::Never) => Verdict::Never,
            (Verdict::Open, _) | (_, Verdict::Open) => Verdict::Open,
            (Verdict::Always, other) | (other, Verdict::Always) => other,
            (Verdict::When(mut guard), Verdict::When(other)) => {
                guard.push_all(&other);
                Verdict::When(guard)
            }
        }
    }
}

/// A clause under construction: conditions that the facts prove or refute are not kept.
pub(crate) struct Clause {
    open: Vec<Vec<Condition>>,
    /// The conditions of the alternative that was begun.
    current: Option<Vec<Condition>>,
    refuted: bool,
    proved: bool,
}

/// The facts refute every alternative of a clause.
#[derive(Debug)]
pub(crate) struct Refuted;

impl Clause {
    /// With its first alternative begun.
    pub fn new() -> Clause {
        Clause { current: Some(Vec::new()), ..Clause::none() }
    }

    /// Without an alternative.
    pub fn none() -> Clause {
        Clause { open: Vec::new(), current: None, refuted: false, proved: false }
    }

    /// Begins an alternative.
    pub fn or(&mut self) -> &mut Clause {
        self.close();
        self.current = Some(Vec::new());
        self.refuted = false;
        self
    }

    fn close(&mut self) {
        let Some(own) = self.current.take() else { return };
        // Whether an earlier alternative has no conditions but those of this one.
        let is_said = self.open.iter().any(|other| other.iter().all(|condition| own.contains(condition)));
        match own.is_empty() {
            _ if self.refuted || is_said => {}
            true => self.proved = true,
            false => self.open.push(own),
        }
    }

    /// Adds `p >= 0` to the alternative.
    pub fn nonnegative(&mut self, scope: &Scope, p: &Number) -> Result<&mut Clause, Error> {
        self.add(|| scope.nonnegative(p), || Ok(Condition::Nonnegative(scope.primitive(p, true)?)))
    }

    /// Adds `p == 0`.
    pub fn zero(&mut self, scope: &Scope, p: &Number) -> Result<&mut Clause, Error> {
        self.add(|| scope.is_zero(p), || Ok(Condition::Zero(scope.primitive(p, false)?)))
    }

    /// Adds that `p` is an integer.
    pub fn integer(&mut self, scope: &Scope, p: &Number) -> Result<&mut Clause, Error> {
        // A common factor of the coefficients is coprime to the denominator.
        self.add(|| scope.is_integer(p), || Ok(Condition::Integer(p.scale(1, p.content() as i64)?)))
    }

    /// Adds that `divisor` divides `p`.
    pub fn divides(&mut self, scope: &Scope, divisor: &Number, p: &Number) -> Result<&mut Clause, Error> {
        self.add(|| scope.divides(divisor, p), || Ok(Condition::Divides(divisor.clone(), p.clone())))
    }

    /// The same, as an integer quotient if that is a polynomial.
    pub fn is_multiple(&mut self, scope: &Scope, p: &Number, divisor: &Number) -> Result<&mut Clause, Error> {
        match p.over(divisor) {
            Some(quotient) => self.integer(scope, &quotient),
            None => self.divides(scope, divisor, p),
        }
    }

    /// Adds a condition.
    pub fn condition(&mut self, scope: &Scope, condition: &Condition) -> Result<&mut Clause, Error> {
        match condition {
            Condition::Nonnegative(p) => self.nonnegative(scope, p),
            Condition::Zero(p) => self.zero(scope, p),
            Condition::Integer(p) => self.integer(scope, p),
            Condition::Divides(divisor, p) => self.is_multiple(scope, p, divisor),
        }
    }

    fn add(
        &mut self,
        truth: impl FnOnce() -> Option<bool>,
        condition: impl FnOnce() -> Result<Condition, Error>,
    ) -> Result<&mut Clause, Error> {
        // Further conditions make no difference.
        if self.proved || self.refuted {
            return Ok(self);
        }
        match truth() {
            Some(truth) => self.refuted |= !truth,
            None => {
                let condition = condition()?;
                let current = self.current.get_or_insert_default();
                if !current.contains(&condition) {
                    current.push(condition);
                }
            }
        }
        Ok(self)
    }

    /// Adds the clause to a guard.
    pub fn require(&mut self, guard: &mut Guard) -> Result<(), Refuted> {
        self.close();
        match self.open.is_empty() {
            _ if self.proved => {}
            true => return Err(Refuted),
            false => guard.push_clause(core::mem::take(&mut self.open)),
        }
        Ok(())
    }

    /// The verdict of this clause alone.
    pub fn verdict(&mut self) -> Verdict {
        let mut guard = Guard::ALWAYS;
        match self.require(&mut guard) {
            Ok(()) => guard.verdict(),
            Err(Refuted) => Verdict::Never,
        }
    }
}

impl Declarations {
    /// Whether the guard holds at these values.
    ///
    /// ```
    /// use tilework_symbolic::{Number, Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (m, tile) = (scope.declare("M")?, Number::integer(128));
    /// let Verdict::When(guard) = scope.is_multiple(&m, &tile)? else { panic!() };
    /// assert!(scope.holds(&guard, &scope.values(&[("M", 256)])?)?);
    /// assert!(!scope.holds(&guard, &scope.values(&[("M", 100)])?)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] if a number does not fit 128 bits.
    pub fn holds(&self, guard: &Guard, values: &Values) -> Result<bool, Error> {
        let mut values = values.clone();
        for clause in guard.clauses() {
            let mut any = false;
            for alternative in clause {
                let mut all = !any;
                for condition in alternative {
                    all = all && self.condition_holds(condition, &mut values)?;
                }
                any |= all;
            }
            if !any {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn condition_holds(&self, condition: &Condition, values: &mut Values) -> Result<bool, Error> {
        let (Condition::Nonnegative(p)
        | Condition::Zero(p)
        | Condition::Integer(p)
        | Condition::Divides(_, p)) = condition;
        let (numerator, denominator) = self.fraction(p, values)?;
        Ok(match condition {
            Condition::Nonnegative(_) => numerator >= 0,
            Condition::Zero(_) => numerator == 0,
            Condition::Integer(_) => numerator % denominator as i128 == 0,
            Condition::Divides(divisor, _) => {
                let (other, own) = self.fraction(divisor, values)?;
                // (numerator / denominator) / (other / own)
                match (numerator.checked_mul(own as i128), other.checked_mul(denominator as i128)) {
                    (Some(numerator), Some(divisor)) => divisor != 0 && numerator % divisor == 0,
                    _ => return Err(Error::TooLarge { what: "the value of a symbolic number" }),
                }
            }
        })
    }
}

impl Scope {
    /// A polynomial with the same sign, and the same zeros: without common positive factors, with coprime integer
    /// coefficients. If the sign matters, the constant is rounded down; otherwise the first term is positive.
    fn primitive(&self, p: &Number, signed: bool) -> Result<Number, Error> {
        let whole = match p.over(&self.positive_factor(p, p)) {
            Some(quotient) => quotient.numerator(),
            None => p.numerator(),
        };
        if !signed {
            let negative = whole.terms().first().is_some_and(|first| first.coefficient < 0);
            return whole.scale(if negative { -1 } else { 1 }, (whole.content() as i64).max(1));
        }
        let constant = whole.last();
        let rest = whole.plus(int::sub(0, constant)?)?;
        match rest.content() as i64 {
            common @ 1.. => rest.scale(1, common)?.plus(int::div_rem(constant, common).0),
            _ => Ok(whole),
        }
    }

    /// The guard without the conditions that the facts prove.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let guard = scope.conditions("M % 8 == 0 and K >= 4")?;
    /// scope.assume("K >= 16")?;
    /// assert_eq!(scope.guard_text(&scope.reduced(&guard)?), "M % 8 == 0");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a guard that the facts refute; those of [`Number::add`].
    pub fn reduced(&self, guard: &Guard) -> Result<Guard, Error> {
        let mut out = Guard::ALWAYS;
        for alternatives in guard.clauses() {
            let mut clause = Clause::none();
            for alternative in alternatives {
                clause.or();
                for condition in alternative {
                    clause.condition(self, condition)?;
                }
            }
            clause.require(&mut out).map_err(|_| Error::Fact { reason: "the facts refute the guard" })?;
        }
        Ok(self.tidy(&out))
    }

    /// Drops `p >= 0` if another required `q >= 0` implies it: `p - q >= 0` for all values.
    pub(crate) fn tidy(&self, guard: &Guard) -> Guard {
        let (mut clauses, mut place) = (guard.clauses.clone(), 0);
        let all = |clauses: &[Vec<Vec<Condition>>]| {
            let mut places = Vec::new();
            for (c, clause) in clauses.iter().enumerate() {
                for (a, alternative) in clause.iter().enumerate() {
                    places.extend((0..alternative.len()).map(|i| (c, a, i)));
                }
            }
            places
        };
        let mut places = all(&clauses);
        while place < places.len() {
            let (c, a, i) = places[place];
            let own = &clauses[c][a][i];
            // Of two that imply each other, the first is kept.
            let drop = places.iter().enumerate().any(|(other_place, &(d, b, j))| {
                let other = &clauses[d][b][j];
                let required = (d, b) == (c, a) || clauses[d].len() == 1 && clauses[d][b].len() == 1;
                other_place != place
                    && required
                    && self.implies(other, own)
                    && !(other_place > place && self.implies(own, other))
            });
            match drop {
                // An alternative of one condition that holds proves its clause.
                true if clauses[c][a].len() == 1 => {
                    clauses.remove(c);
                    place = 0;
                }
                true => {
                    clauses[c][a].remove(i);
                }
                false => {
                    place += 1;
                    continue;
                }
            }
            places = all(&clauses);
        }
        let mut out = Guard::ALWAYS;
        clauses.into_iter().for_each(|clause| out.push_clause(clause));
        out
    }

    /// Whether two required conditions cannot hold together: of two numbers that are to be integers, `p/a` and `q/b`, a sum of
    /// multiples of `p/g` and `q/g`, where `g` is the greatest common divisor of `a` and `b`, is never one.
    pub(crate) fn contradicts(&self, guard: &Guard) -> Result<bool, Error> {
        let integers: Vec<&Number> = guard
            .single()
            .filter_map(|one| if let Condition::Integer(p) = one { Some(p) } else { None })
            .collect();
        for (index, p) in integers.iter().enumerate() {
            for q in &integers[..index] {
                let common = int::gcd(p.denominator as u64, q.denominator as u64) as i64;
                let [p, q] = [p, q].map(|number| number.numerator().scale(1, common));
                let (p, q) = (p?, q?);
                for times in 1..common.min(16) {
                    if self.is_integer(&p.sub(&q.scale(times, 1)?)?) == Some(false) {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn implies(&self, known: &Condition, asked: &Condition) -> bool {
        let Condition::Nonnegative(p) = asked else { return false };
        match known {
            Condition::Nonnegative(q) => {
                p.sub(q).is_ok_and(|difference| self.nonnegative(&difference) == Some(true))
            }
            // A positive number that is an integer is 1 or more, and so is a quotient without a remainder.
            Condition::Integer(q) => {
                self.at_least(&q.numerator(), 1) == Some(true)
                    && q.plus(-1).is_ok_and(|least| least.numerator() == p.numerator())
            }
            Condition::Divides(divisor, q) => {
                let quotient =
                    p.plus(1).ok().and_then(|number| number.alone()).and_then(Variable::as_quotient);
                self.at_least(q, 1) == Some(true)
                    && quotient.is_some_and(|place| {
                        let own = &self.quotients[place];
                        own.numerator == *q && own.denominator == *divisor
                    })
            }
            Condition::Zero(_) => false,
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
    /// Those of [`Number::add`].
    pub fn facts(&self) -> Result<Guard, Error> {
        self.facts_about(0..self.name_count())
    }

    /// The facts about some of the names.
    pub(crate) fn facts_about(&self, names: impl IntoIterator<Item = usize>) -> Result<Guard, Error> {
        let mut facts = Guard::ALWAYS;
        for v in names {
            let name = Number::variable(Variable::name(v));
            let Facts { divisor, low, low_by_default, high, at_least, equal, divides } = self.known(v);
            if *divisor > 1 {
                facts.push(Condition::Integer(name.scale(1, *divisor)?));
            }
            if !low_by_default {
                facts.push(Condition::Nonnegative(name.plus(int::sub(0, *low)?)?));
            }
            if *high != i64::MAX {
                facts.push(Condition::Nonnegative(name.negated()?.plus(*high)?));
            }
            for bound in at_least {
                facts.push(Condition::Nonnegative(name.sub(bound)?));
            }
            match (equal, divides) {
                (_, Some(divisor)) => facts.push(Condition::Divides(divisor.clone(), name)),
                (Some(value), _) => facts.push(Condition::Zero(name.sub(value)?)),
                _ => {}
            }
        }
        Ok(facts)
    }

    /// Assumes the conditions of the guard on single names, `x % k == 0` and `x >= c`, and adds these clauses to
    /// `assumed`.
    pub(crate) fn absorb(&mut self, guard: &Guard, assumed: &mut Guard) {
        for condition in guard.single() {
            if self.assume_of_one_name(condition) {
                assumed.push(condition.clone());
            }
        }
    }

    fn assume_of_one_name(&mut self, condition: &Condition) -> bool {
        let (Condition::Nonnegative(p) | Condition::Integer(p)) = condition else { return false };
        let (term, alone) = match p.terms() {
            [term] => (term, true),
            [term, rest] if rest.monomial.is_one() => (term, false),
            _ => return false,
        };
        let name = term.monomial.alone().and_then(Variable::as_name);
        if term.coefficient < 0 || name.is_none_or(|name| !self.known(name).at_least.is_empty()) {
            return false;
        }
        match condition {
            Condition::Integer(_) => alone && self.assume_integer(p).is_ok(),
            _ => self.assume_nonnegative(p).is_ok(),
        }
    }
}

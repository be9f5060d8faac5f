//! Facts about names.
//!
//! Facts are eliminated by substitution. A name is *parametrised* by a free variable `y >= 0`: with `M >= 1` and `M %
//! 128 == 0` it is `128 + 128 y`; with `ld >= M` it is `M + y`; with `N == p` it is `p`. Questions are asked of the
//! polynomial in these variables. A name with several lower bounds is parametrised by one of them at a time.

use crate::declarations::Quotient;
use crate::number::{Number, Variable};
use crate::scope::{Facts, Knowledge, Range, Scope};
use alloc::sync::Arc;
use alloc::vec::Vec;
use tilework::__private::int;
use tilework::Error;

/// The most lower bounds of one name by others.
const MAX_BOUNDS: usize = 3;

impl Scope {
    /// Adds the fact `number >= bound`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, ld) = (scope.declare("M")?, scope.declare("ld")?);
    /// scope.assume_at_least(&ld, &m)?;
    /// assert!(scope.assume_at_least(&m, &ld).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a contradiction of the facts, for a name whose bounds would depend on itself, and for a
    /// condition that does not bound a name.
    pub fn assume_at_least(&mut self, number: &Number, bound: &Number) -> Result<(), Error> {
        let difference = number.sub(bound)?;
        self.assume_nonnegative(&difference)
    }

    /// Adds the fact `number % divisor == 0`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// scope.assume_multiple(&m, 128)?;
    /// let facts = scope.facts()?;
    /// assert_eq!(scope.guard_text(&facts).as_str(), "M % 128 == 0");
    /// assert!(scope.assume_multiple(&m, 0).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for a divisor below 1; those of [`assume_at_least`](Self::assume_at_least).
    pub fn assume_multiple(&mut self, number: &Number, divisor: i64) -> Result<(), Error> {
        if divisor < 1 {
            return Err(Error::Argument {
                operation: "a fact",
                expected: "a divisor of 1 or more",
                found: divisor,
            });
        }
        let quotient = number.scale(1, divisor)?;
        self.assume_integer(&quotient)
    }

    pub(crate) fn assume_nonnegative(&mut self, p: &Number) -> Result<(), Error> {
        self.check_number(p)?;
        if let Some((v, low)) = lower_bound(p)
            && self.known(v).low_by_default
            && low < 1
        {
            if self.known(v).divides.is_some() {
                return Err(Error::Fact { reason: "a multiple of a name, as by `K % B == 0`, is 1 or more" });
            }
            // The first bound of a name replaces the default bound.
            let facts = Facts { low, low_by_default: false, ..self.known(v).clone() };
            return self.learn(v, facts);
        }
        if is_known(self.nonnegative(p))? {
            return Ok(());
        }
        // The name that was declared last and is bounded by the others.
        for v in (0..self.name_count()).rev() {
            let Some((coefficient, rest)) = linear_in(p, v) else { continue };
            let mut new = self.known(v).clone();
            if new.equal.is_some() {
                continue;
            }
            if let Some((rest, _)) = rest.as_fraction() {
                // coefficient * v + rest >= 0
                if coefficient > 0 {
                    new.low = int::ceil_div(int::sub(0, rest)?, coefficient);
                    new.low_by_default = false;
                } else {
                    new.high = new.high.min(int::div_rem(rest, int::sub(0, coefficient)?).0);
                }
            } else {
                if coefficient != 1 || rest.denominator != 1 || new.at_least.len() == MAX_BOUNDS {
                    continue;
                }
                new.at_least.push(rest.negated()?);
            }
            if self.learn(v, new).is_ok() {
                return Ok(());
            }
        }
        Err(Error::Fact { reason: "the fact does not bound a name by others whose facts are already known" })
    }

    pub(crate) fn assume_zero(&mut self, p: &Number) -> Result<(), Error> {
        self.check_number(p)?;
        if is_known(self.is_zero(p))? {
            return Ok(());
        }
        for v in (0..self.name_count()).rev() {
            let Some((coefficient, rest)) = linear_in(p, v) else { continue };
            let facts = self.known(v);
            if facts.equal.is_some() || !facts.at_least.is_empty() || facts.high != i64::MAX {
                continue;
            }
            // The new value has to satisfy the earlier facts.
            let Ok(value) = rest.scale(-1, coefficient) else { continue };
            let Ok(multiple) = value.scale(1, facts.divisor) else { continue };
            if self.at_least(&value, facts.low) != Some(true) || self.is_integer(&multiple) != Some(true) {
                continue;
            }
            let new = Facts { equal: Some(value), ..facts.clone() };
            if self.learn(v, new).is_ok() {
                return Ok(());
            }
        }
        Err(Error::Fact {
            reason: "the fact does not define a name as a polynomial of others, or contradicts the facts of that name",
        })
    }

    pub(crate) fn assume_integer(&mut self, p: &Number) -> Result<(), Error> {
        self.check_number(p)?;
        if is_known(self.is_integer(p))? {
            return Ok(());
        }
        if let [term] = p.terms()
            && let Some(v) = term.monomial.alone().and_then(Variable::as_name)
            && self.known(v).equal.is_none()
        {
            let mut new = self.known(v).clone();
            let common = int::gcd(new.divisor as u64, p.denominator as u64) as i64;
            new.divisor = int::mul(new.divisor / common, p.denominator)?;
            return self.learn(v, new);
        }
        Err(Error::Fact {
            reason: "a divisibility fact is about a single name, such as `M % 128 == 0`, and about one that no name divides",
        })
    }

    /// A name is a multiple of `divisor`: it is `divisor` times their quotient, which then is free.
    pub(crate) fn assume_divides(&mut self, divisor: &Number, p: &Number) -> Result<(), Error> {
        self.check_number(p)?;
        if self.divides(divisor, p) == Some(true) {
            return Ok(());
        }
        if let Some(v) = p.alone().and_then(Variable::as_name)
            && let Facts { divisor: 1, low: low @ 1.., high: i64::MAX, at_least, equal: None, .. } =
                self.known(v)
            && at_least.is_empty()
            && self.at_least(divisor, *low) == Some(true)
        {
            let tiles = Number::variable(self.quotient(p.clone(), divisor.clone())?);
            let (equal, divides) = (Some(divisor.mul(&tiles)?), Some(divisor.clone()));
            return self.learn(v, Facts { equal, divides, ..self.known(v).clone() });
        }
        Err(Error::Fact {
            reason: "a divisor with names, as in `K % B == 0`, is that of a name without other facts than `K >= 1`",
        })
    }

    /// Whether a fact says that a quotient has no remainder.
    fn is_exact(&self, Quotient { numerator, denominator }: &Quotient) -> bool {
        let name = numerator.alone().and_then(Variable::as_name);
        name.and_then(|name| self.known(name).divides.as_ref()) == Some(denominator)
    }

    /// Replaces the facts about a name; if they are contradictory, nothing changes.
    fn learn(&mut self, name: usize, facts: Facts) -> Result<(), Error> {
        let before = self.clone();
        self.knowledge_mut().facts[name] = facts;
        self.refresh().inspect_err(|_| *self = before)
    }

    /// Expresses every variable by free ones, in the order of dependence.
    pub(crate) fn refresh(&mut self) -> Result<(), Error> {
        let mut ready = Ready { names: alloc::vec![false; self.name_count()], quotients: Vec::new() };
        let mut progress = true;
        while progress {
            progress = false;
            for v in 0..ready.names.len() {
                if !ready.names[v] && self.bounds_of(v).all(|bound| ready.has(bound)) {
                    let range = self.range_of_name(v)?;
                    self.knowledge_mut().names[v] = range;
                    (ready.names[v], progress) = (true, true);
                }
            }
            // The range of a name may need another quotient.
            let count = self.quotients.len();
            ready.quotients.resize(count, false);
            let unknown = || Range { form: Number::zero(), high: i64::MAX, signed: true };
            self.knowledge_mut().quotients.resize_with(count, unknown);
            for v in 0..ready.quotients.len() {
                let own = &self.quotients[v];
                let has_top = self.is_exact(own) || ready.has(&own.numerator);
                if !ready.quotients[v] && has_top && ready.has(&own.denominator) {
                    let range = self.range_of_quotient(v, own)?;
                    self.knowledge_mut().quotients[v] = range;
                    (ready.quotients[v], progress) = (true, true);
                }
            }
        }
        match ready.names.iter().chain(&ready.quotients).all(|ready| *ready) {
            true => Ok(()),
            false => Err(Error::Fact { reason: "the bounds of a name would depend on the name itself" }),
        }
    }

    fn knowledge_mut(&mut self) -> &mut Knowledge {
        Arc::make_mut(&mut self.knowledge)
    }

    /// The numbers on which the range of a name depends.
    fn bounds_of(&self, name: usize) -> impl Iterator<Item = &Number> {
        let Facts { at_least, equal, .. } = self.known(name);
        let others = if equal.is_some() { &[][..] } else { at_least };
        equal.iter().chain(others)
    }

    /// The names on which the default value of a name depends.
    pub(crate) fn names_behind(&self, name: usize) -> impl Iterator<Item = usize> {
        let names = self.variables_of(self.bounds_of(name)).into_iter().filter_map(Variable::as_name);
        names.filter(move |other| *other != name)
    }

    fn range_of_name(&mut self, v: usize) -> Result<Range, Error> {
        let Facts { divisor, low, high, at_least, equal, .. } = self.known(v).clone();
        if let Some(number) = equal {
            return Ok(Range { form: self.free(&number)?, high: i64::MAX, signed: false });
        }
        let least = int::mul(int::ceil_div(low, divisor), divisor)?;
        if least > high {
            return Err(CONTRADICTION);
        }
        let (mut base, mut steps) = (Number::integer(least), i64::MAX);
        for bound in at_least.iter().rev() {
            let tiles = self.floor(&bound.plus(divisor - 1)?, &Number::integer(divisor))?;
            base = self.free(&tiles.scale(divisor, 1)?)?;
            if base.denominator == 1 && self.lower(&base).is_some_and(|least| least > high as i128) {
                return Err(CONTRADICTION);
            }
        }
        if high != i64::MAX
            && base.denominator == 1
            && let Some(least) = self.lower(&base)
            && let Some(count) = int::narrow((high as i128 - least) / divisor as i128)
        {
            steps = count;
        }
        let form = base.add(&Number::variable(Variable::name(v)).scale(divisor, 1)?)?;
        Ok(Range { form, high: steps, signed: false })
    }

    /// In how many ways the names are parametrised by one of their lower bounds each, with and without their divisors.
    pub(crate) fn choices(&self) -> usize {
        if self.is_choice {
            return 1;
        }
        let all = self.knowledge.facts.iter();
        all.fold(1, |choices: usize, facts| choices.saturating_mul(choices_of(facts)).min(MAX_CHOICES))
    }

    /// The scope with fewer facts in the ranges of its names; none if a number does not fit.
    pub(crate) fn with_choice(&self, choice: usize) -> Option<Scope> {
        let (mut scope, mut rest) = (self.clone(), choice);
        scope.is_choice = true;
        for facts in &mut scope.knowledge_mut().facts {
            let (choices, lows) = (choices_of(facts), lows_of(facts));
            let chosen = rest % choices % lows;
            facts.divisor = if rest % choices < lows { facts.divisor } else { 1 };
            rest /= choices;
            if chosen < facts.at_least.len() {
                facts.at_least.swap(0, chosen);
            } else if facts.equal.is_none() {
                facts.at_least.clear();
            }
        }
        scope.refresh().ok()?;
        Some(scope)
    }

    pub(crate) fn range_of_quotient(&self, index: usize, quotient: &Quotient) -> Result<Range, Error> {
        let Quotient { numerator, denominator } = quotient;
        let is_exact = self.is_exact(quotient);
        if is_exact && self.at_least(denominator, 1) != Some(true) {
            return Err(Error::Fact { reason: "the divisor of a name, as B by `K % B == 0`, is 1 or more" });
        }
        let signed = !is_exact && self.nonnegative(numerator) != Some(true);
        let mut low = i64::from(is_exact);
        if !signed && !is_exact {
            if let (Some((divisor, 1)), Ok(free)) = (denominator.as_fraction(), self.free(numerator))
                && let Some(least) = self.lower(&free)
                && let Some(least) = int::narrow(least / (divisor as i128 * free.denominator as i128))
                && least > 0
            {
                low = least;
            } else if let Ok(excess) = numerator.sub(denominator)
                && self.nonnegative(&excess) == Some(true)
            {
                low = 1;
            }
        }
        let mut high = i64::MAX;
        if let (Some((divisor, 1)), Ok(negated), false) =
            (denominator.as_fraction(), numerator.negated(), signed)
            && let Ok(free) = self.free(&negated)
            && let Some(least) = self.lower(&free)
            && let Some(most) = int::narrow(-least / (divisor as i128 * free.denominator as i128))
        {
            high = most - low;
        }
        let form = Number::variable(Variable::quotient(index)).plus(low)?;
        Ok(Range { form, high, signed })
    }
}

/// Which variables are expressed by free ones.
struct Ready {
    names: Vec<bool>,
    quotients: Vec<bool>,
}

impl Ready {
    fn has(&self, number: &Number) -> bool {
        number.variables().all(|variable| match (variable.as_name(), variable.as_quotient()) {
            (Some(name), _) => self.names[name],
            (_, Some(quotient)) => self.quotients.get(quotient).is_some_and(|ready| *ready),
            _ => false,
        })
    }
}

/// The most choices of lower bounds that are tried.
const MAX_CHOICES: usize = 16;

/// How many lower bounds a name has, with its number if a fact gave it, or an upper bound whose distance it is.
fn lows_of(facts: &Facts) -> usize {
    let (count, number) = (facts.at_least.len(), !facts.low_by_default || facts.high != i64::MAX);
    if count == 0 || facts.equal.is_some() { 1 } else { count + number as usize }
}

/// In how many ways a name is parametrised. `ld >= M` does not follow from its form by a multiple above `M`.
fn choices_of(facts: &Facts) -> usize {
    let rounded = facts.divisor > 1 && !facts.at_least.is_empty() && facts.equal.is_none();
    lows_of(facts) << rounded as u32
}

const CONTRADICTION: Error = Error::Fact { reason: "the fact contradicts earlier facts" };

/// Whether a fact follows from the earlier ones; a contradiction is an error.
fn is_known(truth: Option<bool>) -> Result<bool, Error> {
    match truth {
        Some(true) => Ok(true),
        Some(false) => Err(CONTRADICTION),
        None => Ok(false),
    }
}

/// The integer coefficient of a name that occurs in one term, alone, and the rest: `p = (coefficient * v + rest) / d`.
fn linear_in(p: &Number, name: usize) -> Option<(i64, Number)> {
    let v = Variable::name(name);
    let mut with = p.terms().iter().filter(|term| term.monomial.exponent(v) > 0);
    let (term, None) = (with.next()?, with.next()) else { return None };
    term.monomial.alone()?;
    let own = Number::variable(v).scale(term.coefficient, 1).ok()?;
    Some((term.coefficient, p.numerator().sub(&own).ok()?))
}

/// The name and the number `low` if `p >= 0` is equivalent to `name >= low`.
fn lower_bound(p: &Number) -> Option<(usize, i64)> {
    let term = match p.terms() {
        [term] => term,
        [term, rest] if rest.monomial.is_one() => term,
        _ => return None,
    };
    let name = term.monomial.alone()?.as_name()?;
    match term.coefficient > 0 {
        true => Some((name, int::ceil_div(p.last().checked_neg()?, term.coefficient))),
        false => None,
    }
}

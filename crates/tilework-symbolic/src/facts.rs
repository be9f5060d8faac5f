//! Facts about names.
//!
//! Facts are eliminated by substitution. A name is *parametrised* by a free variable `y >= 0`: with `M >= 1` and `M %
//! 128 == 0` it is `128 + 128 y`; with `ld >= M` it is `M + y`; with `N == p` it is `p`. Questions are asked of the
//! polynomial in these variables. A name with several lower bounds is parametrised by one of them at a time.

use crate::int;
use crate::polynomial::{MAX_NAMES, MAX_VARIABLES, Polynomial};
use crate::pool::Number;
use crate::scope::{Facts, MAX_BOUNDS, Quotient, Range, Scope};
use tilework::Error;

impl Scope {
    /// Adds the fact `number >= bound`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, ld) = (scope.declare("M")?, scope.declare("ld")?);
    /// scope.assume_at_least(ld, m)?;
    /// assert!(scope.assume_at_least(m, ld).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a contradiction of the facts, for a name whose bounds would depend on itself, and for a
    /// condition that does not bound a name.
    pub const fn assume_at_least(&mut self, number: Number, bound: Number) -> Result<(), Error> {
        let difference = tri!(tri!(self.checked(number)).sub(&tri!(self.checked(bound))));
        self.assume_nonnegative(&difference)
    }

    /// Adds the fact `left == right`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, ld) = (scope.declare("M")?, scope.declare("ld")?);
    /// scope.assume_equal(ld, m)?;
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let line = scope.coalesce(&matrix)?;
    /// assert_eq!(scope.layout_text(&line).as_str(), "M*K:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`assume_at_least`](Self::assume_at_least).
    pub const fn assume_equal(&mut self, left: Number, right: Number) -> Result<(), Error> {
        let difference = tri!(tri!(self.checked(left)).sub(&tri!(self.checked(right))));
        self.assume_zero(&difference)
    }

    /// Adds the fact `number % divisor == 0`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// scope.assume_multiple(m, 128)?;
    /// let facts = scope.facts()?;
    /// assert_eq!(scope.guard_text(&facts).as_str(), "M % 128 == 0");
    /// assert!(scope.assume_multiple(m, 0).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for a divisor below 1; those of [`assume_at_least`](Self::assume_at_least).
    pub const fn assume_multiple(&mut self, number: Number, divisor: i64) -> Result<(), Error> {
        if divisor < 1 {
            return Err(Error::Argument {
                operation: "a fact",
                expected: "a divisor of 1 or more",
                found: divisor,
            });
        }
        let quotient = tri!(tri!(self.checked(number)).scale(1, divisor));
        self.assume_integer(&quotient)
    }

    pub(crate) const fn assume_nonnegative(&mut self, p: &Polynomial) -> Result<(), Error> {
        if let Some((v, low)) = lower_bound(p)
            && self.knowledge.facts[v].low_by_default
            && low < 1
        {
            // The first bound of a name replaces the default bound.
            let facts = Facts { low, low_by_default: false, ..self.knowledge.facts[v] };
            return self.learn(v, facts);
        }
        if tri!(is_known(self.nonnegative(p))) {
            return Ok(());
        }
        // The name that was declared last and is bounded by the others.
        let mut v = self.name_count();
        while v > 0 {
            v -= 1;
            let Some((coefficient, rest)) = linear_in(p, v) else { continue };
            let facts = self.knowledge.facts[v];
            if facts.equal.is_some() {
                continue;
            }
            let mut new = facts;
            if let Some((rest, _)) = rest.constant() {
                // coefficient * v + rest >= 0
                if coefficient > 0 {
                    new.low = int::ceil_div(tri!(int::sub(0, rest)), coefficient);
                    new.low_by_default = false;
                } else {
                    let high = int::div_rem(rest, tri!(int::sub(0, coefficient))).0;
                    new.high = if high < facts.high { high } else { facts.high };
                }
            } else {
                let count = bounds_of(&facts);
                if coefficient != 1 || rest.denominator != 1 || count == MAX_BOUNDS {
                    continue;
                }
                new.at_least[count] = Some(tri!(self.intern(&tri!(rest.negated()))));
            }
            if self.learn(v, new).is_ok() {
                return Ok(());
            }
        }
        Err(Error::Fact { reason: "the fact does not bound a name by others whose facts are already known" })
    }

    pub(crate) const fn assume_zero(&mut self, p: &Polynomial) -> Result<(), Error> {
        if tri!(is_known(self.is_zero(p))) {
            return Ok(());
        }
        let mut v = self.name_count();
        while v > 0 {
            v -= 1;
            let Some((coefficient, rest)) = linear_in(p, v) else { continue };
            let Facts { divisor, low, high, at_least, equal, .. } = self.knowledge.facts[v];
            if equal.is_some() || at_least[0].is_some() || high != i64::MAX {
                continue;
            }
            // The new value has to satisfy the earlier facts.
            let Ok(value) = rest.scale(-1, coefficient) else { continue };
            let Ok(multiple) = value.scale(1, divisor) else { continue };
            if !matches!((self.at_least(&value, low), self.is_integer(&multiple)), (Some(true), Some(true))) {
                continue;
            }
            let mut new = self.knowledge.facts[v];
            new.equal = Some(tri!(self.intern(&value)));
            if self.learn(v, new).is_ok() {
                return Ok(());
            }
        }
        Err(Error::Fact {
            reason: "the fact does not define a name as a polynomial of others, or contradicts the facts of that name",
        })
    }

    pub(crate) const fn assume_integer(&mut self, p: &Polynomial) -> Result<(), Error> {
        if tri!(is_known(self.is_integer(p))) {
            return Ok(());
        }
        if p.terms().len() == 1
            && let Some(v) = p.terms()[0].monomial.first()
            && v < MAX_NAMES
            && p.terms()[0].monomial.degree() == 1
            && self.knowledge.facts[v].equal.is_none()
        {
            let mut new = self.knowledge.facts[v];
            let common = int::gcd(new.divisor as u64, p.denominator as u64) as i64;
            new.divisor = tri!(int::mul(new.divisor / common, p.denominator));
            return self.learn(v, new);
        }
        Err(Error::Fact { reason: "a divisibility fact is about a single name, such as `M % 128 == 0`" })
    }

    /// Replaces the facts about a name; if they are contradictory, nothing changes.
    const fn learn(&mut self, name: usize, facts: Facts) -> Result<(), Error> {
        let before = self.knowledge;
        self.knowledge.facts[name] = facts;
        if let Err(error) = self.refresh() {
            self.knowledge = before;
            return Err(error);
        }
        Ok(())
    }

    /// Expresses every variable by free ones, in the order of dependence.
    pub(crate) const fn refresh(&mut self) -> Result<(), Error> {
        let (mut ready, mut progress) = (0u32, true);
        while progress {
            progress = false;
            let mut v = 0;
            while v < MAX_VARIABLES {
                let exists =
                    if v < MAX_NAMES { v < self.name_count() } else { v - MAX_NAMES < self.quotients.len() };
                if exists && ready >> v & 1 == 0 && self.needs(v) & !ready == 0 {
                    let range =
                        tri!(if v < MAX_NAMES { self.range_of_name(v) } else { self.range_of_quotient(v) });
                    self.knowledge.ranges[v] = range;
                    ready |= 1 << v;
                    progress = true;
                }
                v += 1;
            }
        }
        if ready.count_ones() as usize == self.name_count() + self.quotients.len() {
            Ok(())
        } else {
            Err(Error::Fact { reason: "the bounds of a name would depend on the name itself" })
        }
    }

    /// The variables on which the range of this one depends.
    const fn needs(&self, v: usize) -> u32 {
        if v >= MAX_NAMES {
            let Quotient { numerator, denominator } = self.quotients.as_slice()[v - MAX_NAMES];
            return self.variables(numerator) | self.variables(denominator);
        }
        let Facts { at_least, equal, .. } = self.knowledge.facts[v];
        if let Some(number) = equal {
            return self.variables(number);
        }
        let (mut mask, mut i) = (0, 0);
        while i < MAX_BOUNDS {
            if let Some(number) = at_least[i] {
                mask |= self.variables(number);
            }
            i += 1;
        }
        mask
    }

    /// The names on which the default value of a name depends.
    pub(crate) const fn names_behind(&self, name: usize) -> u32 {
        let (mut all, mut v) = (self.needs(name), MAX_VARIABLES);
        while v > MAX_NAMES {
            v -= 1;
            if all >> v & 1 == 1 {
                all |= self.needs(v);
            }
        }
        all & ((1 << MAX_NAMES) - 1)
    }

    /// The variables in a number, a bit for each.
    pub(crate) const fn variables(&self, number: Number) -> u32 {
        let (terms, _) = self.pool.get(number);
        let (mut mask, mut i) = (0, 0);
        while i < terms.len() {
            let mut rest = terms[i].monomial;
            while let Some(v) = rest.first() {
                mask |= 1 << v;
                rest = rest.without(v);
            }
            i += 1;
        }
        mask
    }

    const fn range_of_name(&mut self, v: usize) -> Result<Range, Error> {
        let Facts { divisor, low, high, at_least, equal, .. } = self.knowledge.facts[v];
        if let Some(number) = equal {
            let form = tri!(self.free(&self.polynomial(number)));
            return Ok(Range { form: tri!(self.intern(&form)), high: i64::MAX, signed: false });
        }
        let least = tri!(int::mul(int::ceil_div(low, divisor), divisor));
        if least > high {
            return Err(CONTRADICTION);
        }
        let (mut base, mut i) = (Polynomial::integer(least), MAX_BOUNDS);
        let mut range = Range { form: Number::UNUSED, high: i64::MAX, signed: false };
        while i > 0 {
            i -= 1;
            let Some(bound) = at_least[i] else { continue };
            let bound = self.polynomial(bound);
            let tiles = tri!(self.floor(&tri!(bound.plus(divisor - 1)), &Polynomial::integer(divisor)));
            base = tri!(self.free(&tri!(tiles.scale(divisor, 1))));
            if base.denominator == 1 && matches!(self.lower(&base), Some(least) if least > high as i128) {
                return Err(CONTRADICTION);
            }
        }
        if high != i64::MAX
            && base.denominator == 1
            && let Some(least) = self.lower(&base)
            && let Some(steps) = int::narrow((high as i128 - least) / divisor as i128)
        {
            range.high = steps;
        }
        let form = tri!(base.add(&tri!(Polynomial::variable(v).scale(divisor, 1))));
        range.form = tri!(self.intern(&form));
        Ok(range)
    }

    /// In how many ways the names are parametrised by one of their lower bounds each, with and without their divisors.
    pub(crate) const fn choices(&self) -> usize {
        let (mut choices, mut v) = (1, 0);
        while v < self.name_count() && choices < MAX_CHOICES && !self.is_choice {
            choices *= choices_of(&self.knowledge.facts[v]);
            v += 1;
        }
        if choices < MAX_CHOICES { choices } else { MAX_CHOICES }
    }

    /// The scope with fewer facts in the ranges of its names; none if a number does not fit.
    pub(crate) const fn with_choice(&self, choice: usize) -> Option<Scope> {
        let (mut scope, mut rest, mut v) = (*self, choice, 0);
        scope.is_choice = true;
        while v < self.name_count() {
            let facts = &mut scope.knowledge.facts[v];
            let (choices, lows, count) = (choices_of(facts), lows_of(facts), bounds_of(facts));
            let chosen = rest % choices % lows;
            facts.divisor = if rest % choices < lows { facts.divisor } else { 1 };
            rest /= choices;
            if chosen < count {
                (facts.at_least[0], facts.at_least[chosen]) = (facts.at_least[chosen], facts.at_least[0]);
            } else if facts.equal.is_none() {
                facts.at_least = [None; MAX_BOUNDS];
            }
            v += 1;
        }
        match scope.refresh() {
            Ok(()) => Some(scope),
            Err(_) => None,
        }
    }

    pub(crate) const fn range_of_quotient(&mut self, v: usize) -> Result<Range, Error> {
        let Quotient { numerator, denominator } = self.quotients.as_slice()[v - MAX_NAMES];
        let (numerator, denominator) = (self.polynomial(numerator), self.polynomial(denominator));
        let own = Polynomial::variable(v);
        let (mut low, mut signed) = (0, false);
        if matches!(self.nonnegative(&numerator), Some(true)) {
            if let (Some((divisor, 1)), Ok(free)) = (denominator.constant(), self.free(&numerator))
                && let Some(least) = self.lower(&free)
                && let Some(least) = int::narrow(least / (divisor as i128 * free.denominator as i128))
                && least > 0
            {
                low = least;
            } else if let Ok(excess) = numerator.sub(&denominator)
                && matches!(self.nonnegative(&excess), Some(true))
            {
                low = 1;
            }
        } else {
            signed = true;
        }
        let form = tri!(own.plus(low));
        Ok(Range { form: tri!(self.intern(&form)), high: i64::MAX, signed })
    }

    /// The facts about a name, for the default witness and for admissibility.
    pub(crate) const fn known(&self, name: usize) -> Facts {
        self.knowledge.facts[name]
    }
}

/// The most choices of lower bounds that are tried.
const MAX_CHOICES: usize = 16;

/// How many lower bounds by others a name has.
const fn bounds_of(facts: &Facts) -> usize {
    let mut count = 0;
    while count < MAX_BOUNDS && facts.at_least[count].is_some() {
        count += 1;
    }
    count
}

/// How many lower bounds a name has, with its number if a fact gave it, or an upper bound whose distance it is.
const fn lows_of(facts: &Facts) -> usize {
    let (count, number) = (bounds_of(facts), !facts.low_by_default || facts.high != i64::MAX);
    if count == 0 || facts.equal.is_some() { 1 } else { count + number as usize }
}

/// In how many ways a name is parametrised. `ld >= M` does not follow from its form by a multiple above `M`.
const fn choices_of(facts: &Facts) -> usize {
    let rounded = facts.divisor > 1 && bounds_of(facts) > 0 && facts.equal.is_none();
    lows_of(facts) << rounded as u32
}

const CONTRADICTION: Error = Error::Fact { reason: "the fact contradicts earlier facts" };

/// Whether a fact follows from the earlier ones; a contradiction is an error.
const fn is_known(truth: Option<bool>) -> Result<bool, Error> {
    match truth {
        Some(true) => Ok(true),
        Some(false) => Err(CONTRADICTION),
        None => Ok(false),
    }
}

/// The integer coefficient of a name that occurs in one term, alone, and the rest: `p = (coefficient * v + rest) / d`.
const fn linear_in(p: &Polynomial, v: usize) -> Option<(i64, Polynomial)> {
    let (terms, mut found, mut i) = (p.terms(), None, 0);
    while i < terms.len() {
        if terms[i].monomial.exponent(v) > 0 {
            if found.is_some() || terms[i].monomial.degree() != 1 {
                return None;
            }
            found = Some(terms[i].coefficient);
        }
        i += 1;
    }
    let Some(coefficient) = found else { return None };
    let Ok(whole) = p.scale(p.denominator, 1) else { return None };
    let Ok(own) = Polynomial::variable(v).scale(coefficient, 1) else { return None };
    match whole.sub(&own) {
        Ok(rest) => Some((coefficient, rest)),
        Err(_) => None,
    }
}

/// The name and the number `low` if `p >= 0` is equivalent to `name >= low`.
const fn lower_bound(p: &Polynomial) -> Option<(usize, i64)> {
    let terms = p.terms();
    if terms.is_empty() || terms.len() > 2 || terms[0].monomial.degree() != 1 || terms[0].coefficient < 0 {
        return None;
    }
    let Some(v) = terms[0].monomial.first() else { return None };
    if v >= MAX_NAMES || terms.len() == 2 && !terms[1].monomial.is_one() {
        return None;
    }
    match p.last().checked_neg() {
        Some(rest) => Some((v, int::ceil_div(rest, terms[0].coefficient))),
        None => None,
    }
}

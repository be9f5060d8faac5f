//! Names, what is known of them, and the numbers made of them.
//!
//! Facts are declared and vanish by substitution. A name is *parametrised* by a free variable `y >= 0`: with `M >= 1` and
//! `M % 128 == 0` it is `128 + 128 y`; with `ld >= M` it is `M + y`; with `N == p` it is `p`. Questions are asked of the
//! polynomial in these variables. A named quotient is a variable like a name, whose definition the scope keeps.

use super::polynomial::{MAX_NAMES, MAX_QUOTIENTS, MAX_VARIABLES, Polynomial};
use super::pool::{MAX_NUMBERS, Number, Pool};
use crate::error::{Error, tri};
use crate::int;
use crate::list::List;

/// How many letters a name may have.
pub const MAX_NAME_LENGTH: usize = 15;

#[derive(Clone, Copy)]
struct Name {
    bytes: [u8; MAX_NAME_LENGTH],
    len: u8,
}

/// What is known of a name.
#[derive(Clone, Copy)]
struct Facts {
    divisor: i64,
    low: i64,
    /// Whether the lower bound is the one that names have without facts.
    low_by_default: bool,
    /// `i64::MAX` where there is none.
    high: i64,
    at_least: Option<Number>,
    equal: Option<Number>,
}

/// A variable as a polynomial in free variables that are 0 or more.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub form: Number,
    /// The largest value of its own free variable, `i64::MAX` where there is none.
    pub high: i64,
    /// Whether its free variable may be negative.
    pub signed: bool,
}

/// `floor(numerator / denominator)`.
#[derive(Clone, Copy)]
pub(super) struct Quotient {
    pub numerator: Number,
    pub denominator: Number,
}

/// What changes where facts are added, and is put back when they are withdrawn.
#[derive(Clone, Copy)]
pub(super) struct Knowledge {
    facts: [Facts; MAX_NAMES],
    pub ranges: [Range; MAX_VARIABLES],
}

/// The names of a problem, the facts about them, and the numbers made of them.
///
/// Names are integers of 1 or more unless a bound says otherwise. A scope is a plain value: a copy is a snapshot.
///
/// ```
/// use tilework::symbolic::Scope;
/// let mut scope = Scope::new();
/// let matrix = scope.layout("(M,K):(1,ld)")?;
/// scope.assume("M % 128 == 0, ld >= M")?;
/// assert_eq!(scope.layout_text(&matrix).as_str(), "(M,K):(1,ld)");
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Scope {
    names: List<Name, MAX_NAMES>,
    pub(super) quotients: List<Quotient, MAX_QUOTIENTS>,
    pub(super) knowledge: Knowledge,
    pub(super) pool: Pool,
    pub(super) hints: [Option<i64>; MAX_NAMES],
}

impl Scope {
    /// No names, no facts.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let scope = Scope::new();
    /// assert_eq!((scope.names().len(), scope.find("M")), (0, None));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn new() -> Scope {
        const UNUSED: Number = Number::UNUSED;
        let facts =
            Facts { divisor: 1, low: 1, low_by_default: true, high: i64::MAX, at_least: None, equal: None };
        let range = Range { form: UNUSED, high: i64::MAX, signed: false };
        let mut pool = Pool::new();
        let _ = pool.intern(&Polynomial::ZERO);
        Scope {
            names: List::new(Name { bytes: [0; MAX_NAME_LENGTH], len: 0 }),
            quotients: List::new(Quotient { numerator: UNUSED, denominator: UNUSED }),
            knowledge: Knowledge { facts: [facts; MAX_NAMES], ranges: [range; MAX_VARIABLES] },
            pool,
            hints: [None; MAX_NAMES],
        }
    }

    // ---- names

    /// The number of a name; what is not declared yet is from now on, as an integer of 1 or more.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// assert_eq!((scope.declare("M")?, scope.names().collect::<Vec<_>>()), (m, vec!["M"]));
    /// assert!(scope.declare("2M").is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for what is no name, [`Error::Capacity`] past [`MAX_NAMES`].
    pub const fn declare(&mut self, name: &str) -> Result<Number, Error> {
        self.declare_bytes(name.as_bytes())
    }

    pub(super) const fn declare_bytes(&mut self, name: &[u8]) -> Result<Number, Error> {
        if let Some(index) = self.find_bytes(name) {
            return self.intern(&Polynomial::variable(index));
        }
        tri!(check_name(name));
        let mut own = Name { bytes: [0; MAX_NAME_LENGTH], len: name.len() as u8 };
        let mut i = 0;
        while i < name.len() {
            own.bytes[i] = name[i];
            i += 1;
        }
        tri!(self.names.push(own, "names"));
        tri!(self.refresh());
        self.intern(&Polynomial::variable(self.names.len() - 1))
    }

    /// The number of a name that is declared.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// assert_eq!((scope.find("M"), scope.find("N")), (Some(m), None));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn find(&self, name: &str) -> Option<Number> {
        match self.find_bytes(name.as_bytes()) {
            Some(index) => self.pool.find(&Polynomial::variable(index)),
            None => None,
        }
    }

    pub(super) const fn find_bytes(&self, name: &[u8]) -> Option<usize> {
        let mut i = 0;
        while i < self.names.len() {
            if same_bytes(self.name_bytes(i), name) {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    pub(super) const fn name_bytes(&self, index: usize) -> &[u8] {
        let name = &self.names.as_slice()[index];
        name.bytes.split_at(name.len as usize).0
    }

    /// The names in the order of their declaration.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// assert_eq!(scope.names().collect::<Vec<_>>(), ["M", "K", "ld"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.names.len()).map(|index| core::str::from_utf8(self.name_bytes(index)).unwrap_or_default())
    }

    pub(super) const fn name_count(&self) -> usize {
        self.names.len()
    }

    // ---- numbers

    /// The number `value`.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tile = scope.integer(128)?;
    /// assert_eq!(scope.number_text(tile).as_str(), "128");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Capacity`] where the scope is full.
    pub const fn integer(&mut self, value: i64) -> Result<Number, Error> {
        self.intern(&Polynomial::integer(value))
    }

    /// `left + right`.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (k, pad) = (scope.declare("K")?, scope.integer(8)?);
    /// let padded = scope.add(k, pad)?;
    /// assert_eq!(scope.number_text(padded).as_str(), "K + 8");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] for coefficients, [`Error::Capacity`] for terms, exponents and numbers.
    pub const fn add(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        let sum = tri!(tri!(self.checked(left)).add(&tri!(self.checked(right))));
        self.intern(&sum)
    }

    /// `left - right`.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (ld, m) = (scope.declare("ld")?, scope.declare("M")?);
    /// let pad = scope.sub(ld, m)?;
    /// assert_eq!(scope.number_text(pad).as_str(), "ld - M");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub const fn sub(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        let difference = tri!(tri!(self.checked(left)).sub(&tri!(self.checked(right))));
        self.intern(&difference)
    }

    /// `left * right`.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, k) = (scope.declare("M")?, scope.declare("K")?);
    /// // Equal numbers are one.
    /// assert_eq!(scope.mul(m, k)?, scope.mul(k, m)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub const fn mul(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        let product = tri!(tri!(self.checked(left)).mul(&tri!(self.checked(right))));
        self.intern(&product)
    }

    /// `left / right` as a polynomial with rational coefficients: `M/128`, which is an integer wherever the facts or a guard
    /// say so.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, k) = (scope.declare("M")?, scope.declare("K")?);
    /// let area = scope.mul(m, k)?;
    /// assert_eq!(scope.div(area, k)?, m);
    /// assert!(scope.div(m, k).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] where it is no polynomial; those of [`add`](Self::add).
    pub const fn div(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        match tri!(self.checked(left)).over(&tri!(self.checked(right))) {
            Some(quotient) => self.intern(&quotient),
            None => {
                Err(Error::Fact { reason: "the quotient is no polynomial; write floor(p/q) or ceil(p/q)" })
            }
        }
    }

    /// `floor(left / right)` for a `right` of 1 or more: a polynomial where it is known to be one, else a named quotient.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, tile) = (scope.declare("M")?, scope.integer(128)?);
    /// let tiles = scope.ceil_div(m, tile)?;
    /// assert_eq!(scope.number_text(tiles).as_str(), "ceil(M/128)");
    /// scope.assume("M % 128 == 0")?;
    /// let tiles = scope.ceil_div(m, tile)?;
    /// assert_eq!(scope.number_text(tiles).as_str(), "M/128");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a divisor that may be less than 1, [`Error::Capacity`] past [`MAX_QUOTIENTS`]; those of
    /// [`add`](Self::add).
    pub const fn floor_div(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        let (left, right) = (tri!(self.checked(left)), tri!(self.checked(right)));
        if !matches!(self.at_least(&right, 1), Some(true)) {
            return Err(Error::Fact { reason: "a divisor has to be known to be 1 or more" });
        }
        let quotient = tri!(self.floor(&left, &right));
        self.intern(&quotient)
    }

    /// `ceil(left / right)` for a `right` of 1 or more.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, tile) = (scope.declare("M")?, scope.declare("tile")?);
    /// let tiles = scope.ceil_div(m, tile)?;
    /// assert_eq!(scope.number_text(tiles).as_str(), "ceil(M/tile)");
    /// // Of what may be no integer as well.
    /// let (half, one) = (scope.number("M/2")?, scope.integer(1)?);
    /// let rounded = scope.ceil_div(half, one)?;
    /// assert_eq!(scope.number_text(rounded).as_str(), "ceil(M/2)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`floor_div`](Self::floor_div).
    pub const fn ceil_div(&mut self, left: Number, right: Number) -> Result<Number, Error> {
        let (mut top, mut divisor) = (tri!(self.checked(left)), tri!(self.checked(right)));
        if !matches!(self.is_integer(&top), Some(true)) {
            // `floor((p + q - 1)/q)` is for integers.
            let scale = tri!(top.common_denominator(&divisor));
            (top, divisor) = (tri!(top.scale(scale, 1)), tri!(divisor.scale(scale, 1)));
        }
        let top = tri!(tri!(top.add(&divisor)).plus(-1));
        let (top, divisor) = (tri!(self.intern(&top)), tri!(self.intern(&divisor)));
        self.floor_div(top, divisor)
    }

    pub(super) const fn intern(&mut self, polynomial: &Polynomial) -> Result<Number, Error> {
        self.pool.intern(polynomial)
    }

    pub(super) const fn polynomial(&self, number: Number) -> Polynomial {
        self.pool.polynomial(number)
    }

    /// The polynomial of a number that a caller gave.
    pub(super) const fn checked(&self, number: Number) -> Result<Polynomial, Error> {
        if number.index() >= self.pool.len() {
            return Err(Error::Fact { reason: "a number of another scope" });
        }
        Ok(self.polynomial(number))
    }

    // ---- facts

    /// The fact that `number >= bound`.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, ld) = (scope.declare("M")?, scope.declare("ld")?);
    /// scope.assume_at_least(ld, m)?;
    /// assert!(scope.assume_at_least(m, ld).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for what contradicts the facts, for a name whose bounds would depend on itself, and for what bounds no
    /// name.
    pub const fn assume_at_least(&mut self, number: Number, bound: Number) -> Result<(), Error> {
        let difference = tri!(tri!(self.checked(number)).sub(&tri!(self.checked(bound))));
        self.assume_nonnegative(&difference)
    }

    /// The fact that `left == right`.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
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

    /// The fact that `number % divisor == 0`.
    ///
    /// ```
    /// use tilework::symbolic::Scope;
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

    pub(super) const fn assume_nonnegative(&mut self, p: &Polynomial) -> Result<(), Error> {
        if let Some((v, low)) = lower_bound(p)
            && self.knowledge.facts[v].low_by_default
            && low < 1
        {
            // The first bound of a name stands in place of the one that it has without facts.
            let facts = Facts { low, low_by_default: false, ..self.knowledge.facts[v] };
            return self.learn(v, facts);
        }
        match self.nonnegative(p) {
            Some(true) => return Ok(()),
            Some(false) => return Err(CONTRADICTION),
            None => {}
        }
        // The name that was declared last and is bounded by the others.
        let mut v = self.names.len();
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
                    if facts.at_least.is_some() {
                        continue;
                    }
                    new.low = int::ceil_div(tri!(int::sub(0, rest)), coefficient);
                    new.low_by_default = false;
                } else {
                    let high = int::div_rem(rest, tri!(int::sub(0, coefficient))).0;
                    new.high = if high < facts.high { high } else { facts.high };
                }
            } else {
                if coefficient != 1 || rest.denominator != 1 || facts.at_least.is_some() || facts.low > 1 {
                    continue;
                }
                let bound = tri!(self.intern(&tri!(rest.negated())));
                new.at_least = Some(bound);
            }
            if self.learn(v, new).is_ok() {
                return Ok(());
            }
        }
        Err(Error::Fact { reason: "it bounds no name by names of which more is not known already" })
    }

    pub(super) const fn assume_zero(&mut self, p: &Polynomial) -> Result<(), Error> {
        match self.is_zero(p) {
            Some(true) => return Ok(()),
            Some(false) => return Err(CONTRADICTION),
            None => {}
        }
        let mut v = self.names.len();
        while v > 0 {
            v -= 1;
            let Some((coefficient, rest)) = linear_in(p, v) else { continue };
            let Facts { divisor, low, high, at_least, equal, .. } = self.knowledge.facts[v];
            if equal.is_some() || at_least.is_some() || high != i64::MAX {
                continue;
            }
            // What it is equal to has to be what it was known to be.
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
        Err(Error::Fact { reason: "it gives no name as a polynomial of others that keeps its facts" })
    }

    pub(super) const fn assume_integer(&mut self, p: &Polynomial) -> Result<(), Error> {
        match self.is_integer(p) {
            Some(true) => return Ok(()),
            Some(false) => return Err(CONTRADICTION),
            None => {}
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
        Err(Error::Fact { reason: "a divisor is known of a name, `M % 128 == 0`" })
    }

    /// Exchanges what is known of a name; where that does not go together, nothing changes.
    const fn learn(&mut self, name: usize, facts: Facts) -> Result<(), Error> {
        let before = self.knowledge;
        self.knowledge.facts[name] = facts;
        if let Err(error) = self.refresh() {
            self.knowledge = before;
            return Err(error);
        }
        Ok(())
    }

    /// Writes every variable by free ones, those first that others depend on.
    pub(super) const fn refresh(&mut self) -> Result<(), Error> {
        let (mut ready, mut progress) = (0u32, true);
        while progress {
            progress = false;
            let mut v = 0;
            while v < MAX_VARIABLES {
                let exists =
                    if v < MAX_NAMES { v < self.names.len() } else { v - MAX_NAMES < self.quotients.len() };
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
        if ready.count_ones() as usize == self.names.len() + self.quotients.len() {
            Ok(())
        } else {
            Err(Error::Fact { reason: "the bounds of a name would depend on itself" })
        }
    }

    /// The variables whose ranges that of this one depends on.
    const fn needs(&self, v: usize) -> u32 {
        if v >= MAX_NAMES {
            let Quotient { numerator, denominator } = self.quotients.as_slice()[v - MAX_NAMES];
            return self.variables(numerator) | self.variables(denominator);
        }
        match self.knowledge.facts[v] {
            Facts { equal: Some(number), .. } | Facts { at_least: Some(number), .. } => {
                self.variables(number)
            }
            _ => 0,
        }
    }

    /// The names whose values the default value of a name depends on.
    pub(super) const fn names_behind(&self, name: usize) -> u32 {
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
    pub(super) const fn variables(&self, number: Number) -> u32 {
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
        let base = match at_least {
            None => Polynomial::integer(tri!(int::mul(int::ceil_div(low, divisor), divisor))),
            Some(bound) => {
                let bound = self.polynomial(bound);
                let tiles = tri!(self.floor(&tri!(bound.plus(divisor - 1)), &Polynomial::integer(divisor)));
                tri!(self.free(&tri!(tiles.scale(divisor, 1))))
            }
        };
        let mut range = Range { form: Number::UNUSED, high: i64::MAX, signed: false };
        if high != i64::MAX
            && base.denominator == 1
            && let Some(least) = self.lower(&base)
        {
            if least > high as i128 {
                return Err(CONTRADICTION);
            }
            if let Some(steps) = int::narrow((high as i128 - least) / divisor as i128) {
                range.high = steps;
            }
        }
        let form = tri!(base.add(&tri!(Polynomial::variable(v).scale(divisor, 1))));
        range.form = tri!(self.intern(&form));
        Ok(range)
    }

    pub(super) const fn range_of_quotient(&mut self, v: usize) -> Result<Range, Error> {
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

    /// Marks the numbers that facts, quotients and ranges are made of.
    pub(super) const fn mark_own(&self, used: &mut [bool; MAX_NUMBERS]) {
        let mut v = 0;
        while v < MAX_VARIABLES {
            used[self.knowledge.ranges[v].form.index()] = true;
            v += 1;
        }
        v = 0;
        while v < self.names.len() {
            let Facts { at_least, equal, .. } = self.knowledge.facts[v];
            if let Some(number) = at_least {
                used[number.index()] = true;
            }
            if let Some(number) = equal {
                used[number.index()] = true;
            }
            v += 1;
        }
        v = 0;
        while v < self.quotients.len() {
            let Quotient { numerator, denominator } = self.quotients.as_slice()[v];
            used[numerator.index()] = true;
            used[denominator.index()] = true;
            v += 1;
        }
    }

    /// Exchanges the numbers that facts, quotients and ranges are made of for those they became.
    pub(super) const fn renumber_own(&mut self, moved: &[Number; MAX_NUMBERS]) {
        let mut v = 0;
        while v < MAX_VARIABLES {
            let range = &mut self.knowledge.ranges[v];
            range.form = range.form.moved(moved);
            v += 1;
        }
        v = 0;
        while v < self.names.len() {
            let facts = &mut self.knowledge.facts[v];
            if let Some(number) = facts.at_least {
                facts.at_least = Some(number.moved(moved));
            }
            if let Some(number) = facts.equal {
                facts.equal = Some(number.moved(moved));
            }
            v += 1;
        }
        v = 0;
        while v < self.quotients.len() {
            let quotient = &mut self.quotients.as_mut_slice()[v];
            quotient.numerator = quotient.numerator.moved(moved);
            quotient.denominator = quotient.denominator.moved(moved);
            v += 1;
        }
    }

    /// Divisor, bounds and the number below a name, for the default witness and for what is admissible.
    pub(super) const fn known(&self, name: usize) -> (i64, i64, i64, Option<Number>, Option<Number>) {
        let Facts { divisor, low, high, at_least, equal, .. } = self.knowledge.facts[name];
        (divisor, low, high, at_least, equal)
    }

    /// Whether nothing is known of the lower bound of a name but that it is 1 or more.
    pub(super) const fn has_default_low(&self, name: usize) -> bool {
        self.knowledge.facts[name].low_by_default
    }
}

impl Default for Scope {
    fn default() -> Self {
        Scope::new()
    }
}

const CONTRADICTION: Error = Error::Fact { reason: "it contradicts the facts before it" };

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

/// The name and the number `low` where `p >= 0` says `name >= low` and nothing else.
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

const fn check_name(name: &[u8]) -> Result<(), Error> {
    let reason = "a name is a letter and then letters, digits and `_`";
    if name.is_empty() || !(name[0].is_ascii_alphabetic() || name[0] == b'_' && name.len() > 1) {
        return Err(Error::Fact { reason });
    }
    if name.len() > MAX_NAME_LENGTH {
        return Err(Error::Capacity { what: "letters in a name", limit: MAX_NAME_LENGTH });
    }
    let mut i = 0;
    while i < name.len() {
        if !(name[i].is_ascii_alphanumeric() || name[i] == b'_') {
            return Err(Error::Fact { reason });
        }
        i += 1;
    }
    Ok(())
}

pub(super) const fn same_bytes(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut i = 0;
    while i < left.len() {
        if left[i] != right[i] {
            return false;
        }
        i += 1;
    }
    true
}

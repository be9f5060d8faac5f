//! Polynomials with rational coefficients: the values of symbolic extents and strides.
//!
//! Terms are kept in descending order (by degree, then by the variable that was declared first) over one common
//! denominator, in lowest terms, so that two numbers are equal if and only if their terms are.

use crate::small::Small;
use core::cmp::Ordering;
use tilework::__private::int;
use tilework::{Error, Rational};

/// The most factors of a term: a limit of the work, and more than the leaves of a layout.
const MAX_DEGREE: usize = 128;

/// The most terms of a number: a limit of the work.
const MAX_TERMS: usize = 256;

/// A name, or after all names a quotient, by its place among the declarations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(crate) struct Variable(u16);

/// The most names, and the most quotients, of a scope.
pub(crate) const MAX_VARIABLES: usize = 1 << 15;

impl Variable {
    pub fn name(index: usize) -> Variable {
        Variable(index as u16)
    }

    pub fn quotient(index: usize) -> Variable {
        Variable((MAX_VARIABLES + index) as u16)
    }

    pub fn as_name(self) -> Option<usize> {
        (self.0 < 1 << 15).then_some(self.0 as usize)
    }

    pub fn as_quotient(self) -> Option<usize> {
        (self.0 as usize).checked_sub(MAX_VARIABLES)
    }
}

/// A product of variables, in ascending order, as often as their exponents say.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Monomial(Small<Variable, 7>);

impl Default for Monomial {
    #[inline]
    fn default() -> Monomial {
        Monomial::one()
    }
}

impl Monomial {
    #[inline]
    pub fn one() -> Monomial {
        Monomial(Small::new())
    }

    pub fn variable(variable: Variable) -> Monomial {
        let mut factors = Small::new();
        factors.push(variable);
        Monomial(factors)
    }

    #[inline]
    pub fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    pub fn factors(&self) -> &[Variable] {
        &self.0
    }

    #[inline]
    pub fn degree(&self) -> usize {
        self.0.len()
    }

    pub fn exponent(&self, variable: Variable) -> usize {
        self.0.iter().filter(|&&factor| factor == variable).count()
    }

    /// The variables with their exponents.
    pub fn powers(&self) -> impl Iterator<Item = (Variable, usize)> + '_ {
        self.0.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
    }

    /// The only factor of a monomial of degree 1.
    #[inline]
    pub fn alone(&self) -> Option<Variable> {
        match self.0[..] {
            [variable] => Some(variable),
            _ => None,
        }
    }

    pub fn mul(&self, other: &Monomial) -> Result<Monomial, Error> {
        if self.is_one() {
            return Ok(other.clone());
        }
        if self.degree() + other.degree() > MAX_DEGREE {
            return Err(Error::Capacity { what: "factors in a product of names", limit: MAX_DEGREE });
        }
        let (mut product, mut rest) = (Small::new(), &other.0[..]);
        for &factor in self.0.iter() {
            while let [first, behind @ ..] = rest
                && *first < factor
            {
                product.push(*first);
                rest = behind;
            }
            product.push(factor);
        }
        rest.iter().for_each(|&factor| product.push(factor));
        Ok(Monomial(product))
    }

    /// `self / other`, if it is a monomial.
    pub fn over(&self, other: &Monomial) -> Option<Monomial> {
        let (mut quotient, mut rest) = (Small::new(), &other.0[..]);
        for &factor in self.0.iter() {
            match rest {
                [first, behind @ ..] if *first == factor => rest = behind,
                [first, ..] if *first < factor => return None,
                _ => quotient.push(factor),
            }
        }
        rest.is_empty().then_some(Monomial(quotient))
    }

    /// This without a variable.
    pub fn without(&self, variable: Variable) -> Monomial {
        Monomial(self.0.iter().copied().filter(|&factor| factor != variable).collect())
    }

    /// The greatest common divisor.
    fn common(&self, other: &Monomial) -> Monomial {
        let (mut common, mut rest) = (Small::new(), &other.0[..]);
        for &factor in self.0.iter() {
            while let [first, behind @ ..] = rest
                && *first < factor
            {
                rest = behind;
            }
            if let [first, behind @ ..] = rest
                && *first == factor
            {
                common.push(factor);
                rest = behind;
            }
        }
        Monomial(common)
    }

    /// The order in which terms are written.
    #[inline]
    fn order(&self, other: &Monomial) -> Ordering {
        other.degree().cmp(&self.degree()).then_with(|| self.0[..].cmp(&other.0[..]))
    }
}

/// A monomial with its coefficient.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Term {
    pub coefficient: i64,
    pub monomial: Monomial,
}

const TOO_LARGE: Error = Error::TooLarge { what: "a coefficient of a polynomial" };

/// A symbolic number: a polynomial `(c_0 m_0 + c_1 m_1 + ...) / denominator` in the names and quotients of its
/// [`Scope`](crate::Scope). Equal polynomials are equal numbers.
///
/// ```
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let m = scope.declare("M")?;
/// let next = m.plus(1)?;
/// assert_eq!(next.plus(-1)?, m);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Number {
    pub(crate) denominator: i64,
    terms: Small<Term, 2>,
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::integer(value)
    }
}

impl Number {
    /// The number `value`.
    ///
    /// ```
    /// use tilework_symbolic::{Number, Scope};
    /// assert_eq!(Scope::new().number_text(&Number::integer(128)), "128");
    /// ```
    #[must_use]
    pub fn integer(value: i64) -> Number {
        Number::monomial(value, Monomial::one())
    }

    pub(crate) fn zero() -> Number {
        Number { denominator: 1, terms: Small::new() }
    }

    pub(crate) fn one() -> Number {
        Number::integer(1)
    }

    pub(crate) fn monomial(coefficient: i64, monomial: Monomial) -> Number {
        let mut out = Number::zero();
        out.append(coefficient, monomial);
        out
    }

    pub(crate) fn variable(variable: Variable) -> Number {
        Number::monomial(1, Monomial::variable(variable))
    }

    /// A constant, such as the count of a stride.
    ///
    /// ```
    /// use tilework::Rational;
    /// use tilework_symbolic::{Number, Scope};
    /// let half = Number::constant(Rational::new(1, 2)?)?;
    /// assert_eq!(Scope::new().number_text(&half), "1/2");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn constant(value: Rational) -> Result<Number, Error> {
        Number::integer(value.numerator()).scale(1, value.denominator())
    }

    #[inline]
    pub(crate) fn terms(&self) -> &[Term] {
        &self.terms
    }

    #[inline]
    pub(crate) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The coefficient of 1, over the denominator.
    #[inline]
    pub(crate) fn last(&self) -> i64 {
        match self.terms.last() {
            Some(term) if term.monomial.is_one() => term.coefficient,
            _ => 0,
        }
    }

    /// The integer, if it is one without names.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let m = scope.declare("M")?;
    /// assert_eq!((m.as_integer(), m.sub(&m)?.plus(3)?.as_integer()), (None, Some(3)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn as_integer(&self) -> Option<i64> {
        match self.as_fraction() {
            Some((value, 1)) => Some(value),
            _ => None,
        }
    }

    /// The numerator and the positive denominator, in lowest terms, if it has no names.
    ///
    /// ```
    /// use tilework_symbolic::Number;
    /// assert_eq!(Number::integer(6).div(&4.into())?.as_fraction(), Some((3, 2)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn as_fraction(&self) -> Option<(i64, i64)> {
        match &self.terms[..] {
            [] => Some((0, 1)),
            [term] if term.monomial.is_one() => Some((term.coefficient, self.denominator)),
            _ => None,
        }
    }

    /// Whether it has no names.
    ///
    /// ```
    /// use tilework_symbolic::Number;
    /// assert!(Number::integer(3).is_constant());
    /// ```
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.as_fraction().is_some()
    }

    /// Whether it is the number `value`.
    pub(crate) fn is(&self, value: i64) -> bool {
        self.as_integer() == Some(value)
    }

    /// The variables in it, some of them several times.
    pub(crate) fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.terms.iter().flat_map(|term| term.monomial.factors().iter().copied())
    }

    /// The variable that it consists of.
    pub(crate) fn alone(&self) -> Option<Variable> {
        match self.terms() {
            [term] if self.denominator == 1 && term.coefficient == 1 => term.monomial.alone(),
            _ => None,
        }
    }

    /// The numerator: this without the denominator.
    pub(crate) fn numerator(&self) -> Number {
        Number { denominator: 1, ..self.clone() }
    }

    /// The least common multiple of both denominators.
    pub(crate) fn common_denominator(&self, other: &Number) -> Result<i64, Error> {
        let common = int::gcd(self.denominator as u64, other.denominator as u64) as i64;
        int::mul(self.denominator / common, other.denominator)
    }

    /// `self + other`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, k) = (scope.declare("M")?, scope.declare("K")?);
    /// assert_eq!(scope.number_text(&m.add(&k)?), "M + K");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] and [`Error::TooLarge`] for coefficients, [`Error::Capacity`] for more terms, or factors of
    /// a term, than can be worked with.
    pub fn add(&self, other: &Number) -> Result<Number, Error> {
        self.combine(other, 1)
    }

    /// `self - other`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (ld, m) = (scope.declare("ld")?, scope.declare("M")?);
    /// assert_eq!(scope.number_text(&ld.sub(&m)?), "ld - M");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub fn sub(&self, other: &Number) -> Result<Number, Error> {
        self.combine(other, -1)
    }

    /// `self + value`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let padded = scope.declare("K")?.plus(8)?;
    /// assert_eq!(scope.number_text(&padded), "K + 8");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub fn plus(&self, value: i64) -> Result<Number, Error> {
        let mut out = self.clone();
        if value == 0 {
            return Ok(out);
        }
        let value = int::mul(value, self.denominator)?;
        if self.last() == 0 {
            out.append(value, Monomial::one());
        } else {
            // A multiple of the denominator is added, so the terms stay in lowest terms.
            let last = self.terms.len() - 1;
            out.terms[last].coefficient = int::add(self.terms[last].coefficient, value)?;
            if out.terms[last].coefficient == 0 {
                out.terms.remove(last);
            }
        }
        Ok(out)
    }

    pub(crate) fn negated(&self) -> Result<Number, Error> {
        let mut out = self.clone();
        for term in out.terms.iter_mut() {
            term.coefficient = int::sub(0, term.coefficient)?;
        }
        Ok(out)
    }

    /// `self + sign * other`.
    fn combine(&self, other: &Number, sign: i64) -> Result<Number, Error> {
        let divisor = int::gcd(self.denominator as u64, other.denominator as u64) as i64;
        let (own, others) = (other.denominator / divisor, self.denominator / divisor);
        let mut out = Number { denominator: int::mul(self.denominator, own)?, terms: Small::new() };
        let (mut left, mut right) = (self.terms(), other.terms());
        loop {
            let order = match (left, right) {
                ([], []) => break,
                ([a, ..], [b, ..]) => a.monomial.order(&b.monomial),
                ([_, ..], []) => Ordering::Less,
                ([], _) => Ordering::Greater,
            };
            match order {
                Ordering::Less => {
                    out.append(int::mul(left[0].coefficient, own)?, left[0].monomial.clone());
                    left = &left[1..];
                }
                Ordering::Greater => {
                    let coefficient = int::mul(int::mul(right[0].coefficient, others)?, sign)?;
                    out.append(coefficient, right[0].monomial.clone());
                    right = &right[1..];
                }
                Ordering::Equal => {
                    let wide = left[0].coefficient as i128 * own as i128
                        + right[0].coefficient as i128 * others as i128 * sign as i128;
                    out.append(int::narrow(wide).ok_or(TOO_LARGE)?, left[0].monomial.clone());
                    (left, right) = (&left[1..], &right[1..]);
                }
            }
        }
        out.reduce();
        out.checked()
    }

    /// Appends a term after all others; 0 is dropped.
    #[inline]
    fn append(&mut self, coefficient: i64, monomial: Monomial) {
        if coefficient != 0 {
            self.terms.push(Term { coefficient, monomial });
        }
    }

    fn checked(self) -> Result<Number, Error> {
        match self.terms.len() > MAX_TERMS {
            true => Err(Error::Capacity { what: "terms of a symbolic number", limit: MAX_TERMS }),
            false => Ok(self),
        }
    }

    /// Inserts a term other than 0 in its place.
    fn insert(&mut self, coefficient: i64, monomial: Monomial) -> Result<(), Error> {
        match self.terms.last() {
            Some(last) if last.monomial.order(&monomial) != Ordering::Less => {}
            _ => {
                self.append(coefficient, monomial);
                return Ok(());
            }
        }
        match self.terms.binary_search_by(|term| term.monomial.order(&monomial)) {
            Ok(at) => {
                let sum = int::add(self.terms[at].coefficient, coefficient)?;
                match sum {
                    0 => self.terms.remove(at),
                    _ => self.terms[at].coefficient = sum,
                }
            }
            Err(at) => self.terms.insert(at, Term { coefficient, monomial }),
        }
        Ok(())
    }

    fn reduce(&mut self) {
        if self.denominator == 1 {
            return;
        }
        let divisor = self.terms.iter().fold(self.denominator as u64, |divisor, term| {
            if divisor == 1 { 1 } else { int::gcd(divisor, term.coefficient.unsigned_abs()) }
        });
        if divisor > 1 {
            self.denominator /= divisor as i64;
            self.terms.iter_mut().for_each(|term| term.coefficient /= divisor as i64);
        }
    }

    /// `self * other`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, k) = (scope.declare("M")?, scope.declare("K")?);
    /// assert_eq!(m.mul(&k)?, k.mul(&m)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub fn mul(&self, other: &Number) -> Result<Number, Error> {
        let mut out =
            Number { denominator: int::mul(self.denominator, other.denominator)?, terms: Small::new() };
        for a in self.terms() {
            for b in other.terms() {
                out.insert(int::mul(a.coefficient, b.coefficient)?, a.monomial.mul(&b.monomial)?)?;
            }
        }
        out.reduce();
        out.checked()
    }

    /// `self * numerator / denominator`, for a denominator other than 0.
    pub(crate) fn scale(&self, numerator: i64, denominator: i64) -> Result<Number, Error> {
        let (n, d) = match denominator < 0 {
            true => (int::sub(0, numerator)?, int::sub(0, denominator)?),
            false => (numerator, denominator),
        };
        if n == 0 {
            return Ok(Number::zero());
        }
        let mut out = self.clone();
        // Common factors are cancelled first, so that no intermediate value overflows.
        let before = int::gcd(n.unsigned_abs(), self.denominator as u64) as i64;
        out.denominator = int::mul(self.denominator / before, d)?;
        if n != before {
            for term in out.terms.iter_mut() {
                term.coefficient = int::mul(term.coefficient, n / before)?;
            }
        }
        out.reduce();
        Ok(out)
    }

    /// `self / divisor` as a polynomial with rational coefficients, if it is one that fits.
    pub(crate) fn over(&self, divisor: &Number) -> Option<Number> {
        let lead = divisor.terms.first()?;
        let (mut rest, mut quotient) = (self.clone(), Number::zero());
        while let Some(first) = rest.terms.first() {
            let monomial = first.monomial.over(&lead.monomial)?;
            let term = Number::monomial(1, monomial).scale(first.coefficient, lead.coefficient).ok()?;
            let term = term.scale(divisor.denominator, rest.denominator).ok()?;
            rest = rest.sub(&divisor.mul(&term).ok()?).ok()?;
            quotient = quotient.add(&term).ok()?;
        }
        Some(quotient)
    }

    /// `self / divisor` as a polynomial with rational coefficients: `M/128`, which is an integer if the facts or a
    /// guard say so.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (m, k) = (scope.declare("M")?, scope.declare("K")?);
    /// assert_eq!(m.mul(&k)?.div(&k)?, m);
    /// assert!(m.div(&k).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] if it is not a polynomial.
    pub fn div(&self, divisor: &Number) -> Result<Number, Error> {
        let reason = "the quotient is not a polynomial; write floor(p/q) or ceil(p/q)";
        self.over(divisor).ok_or(Error::Fact { reason })
    }

    /// Each term alone.
    pub(crate) fn each(&self) -> impl Iterator<Item = Number> + '_ {
        self.terms.iter().map(|term| {
            let mut out = Number::monomial(term.coefficient, term.monomial.clone());
            out.denominator = self.denominator;
            out.reduce();
            out
        })
    }

    /// The terms with this sign, made positive; those that have no positive counterpart are left out.
    pub(crate) fn side(&self, negative: bool) -> Number {
        let terms = self.terms.iter().filter(|term| (term.coefficient < 0) == negative);
        let positive = |term: &Term| {
            let coefficient = if negative { term.coefficient.checked_neg()? } else { term.coefficient };
            Some(Term { coefficient, monomial: term.monomial.clone() })
        };
        let mut out = Number { denominator: self.denominator, terms: terms.filter_map(positive).collect() };
        out.reduce();
        out
    }

    /// Whether exactly one variable occurs.
    pub(crate) fn is_of_one_variable(&self) -> bool {
        let mut all = self.variables();
        all.next().is_some_and(|first| all.all(|other| other == first))
    }

    /// The greatest common divisor of the coefficients over the denominator; 0 for 0.
    pub(crate) fn content(&self) -> u64 {
        self.terms.iter().fold(0, |divisor, term| int::gcd(divisor, term.coefficient.unsigned_abs()))
    }

    /// The greatest common monomial of the terms; 1 for 0.
    pub(crate) fn common_monomial(&self) -> Monomial {
        let Some((last, others)) = self.terms.split_last() else { return Monomial::one() };
        // The last has the lowest degree.
        others.iter().fold(last.monomial.clone(), |common, term| {
            if common.is_one() { common } else { common.common(&term.monomial) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> [Number; 3] {
        [Variable::name(0), Variable::name(1), Variable::quotient(0)].map(Number::variable)
    }

    #[test]
    fn sums_and_products_are_in_one_form() {
        let [m, k, q] = names();
        let sum = m.add(&k).unwrap();
        let square = sum.mul(&sum).unwrap();
        let again = m.mul(&m).unwrap().add(&m.mul(&k).unwrap().scale(2, 1).unwrap()).unwrap();
        assert_eq!(square, again.add(&k.mul(&k).unwrap()).unwrap());
        assert!(square.sub(&square).unwrap().is_zero());
        assert_eq!(sum.scale(6, 4).unwrap(), sum.scale(3, 2).unwrap());
        assert_eq!(sum.scale(1, 3).unwrap().add(&sum.scale(2, 3).unwrap()).unwrap(), sum);
        assert_eq!(q.mul(&m).unwrap(), m.mul(&q).unwrap());
        assert_eq!(m.plus(4).unwrap().plus(-4).unwrap(), m);
        let difference = sum.mul(&m.sub(&k).unwrap()).unwrap();
        assert_eq!(difference, m.mul(&m).unwrap().sub(&k.mul(&k).unwrap()).unwrap());
    }

    #[test]
    fn division_is_exact_or_none() {
        let [m, k, q] = names();
        let sum = m.add(&k).unwrap().plus(3).unwrap();
        let product = sum.mul(&q.sub(&m).unwrap()).unwrap();
        assert_eq!(product.over(&sum), q.sub(&m).ok());
        assert!(product.over(&q).is_none() && m.over(&Number::zero()).is_none());
        assert_eq!(m.over(&Number::integer(128)), m.scale(1, 128).ok());
        assert!(m.mul(&k).unwrap().over(&m.mul(&m).unwrap()).is_none());
        assert!(m.scale(3, 2).unwrap().over(&m.scale(-3, 4).unwrap()).unwrap().is(-2));
    }

    #[test]
    fn terms_are_written_by_degree_and_then_by_the_first_name() {
        let of = |factors: &[u16]| Monomial(factors.iter().map(|&index| Variable(index)).collect());
        let written = [&[0, 0, 1][..], &[0, 1, 1], &[0, 2, 9], &[1, 1, 1], &[0, 0], &[0, 1 << 15], &[3], &[]];
        for pair in written.windows(2) {
            assert_eq!(of(pair[0]).order(&of(pair[1])), Ordering::Less, "{pair:?}");
        }
        let (long, short) = (of(&[0, 0, 1, 1, 2, 2, 3, 3, 4]), of(&[0, 1, 3]));
        assert_eq!(long.over(&short), Some(of(&[0, 1, 2, 2, 3, 4])));
        assert_eq!(long.over(&short).unwrap().mul(&short).unwrap(), long);
        assert_eq!((long.common(&short), short.over(&long)), (short, None));
    }

    #[test]
    fn nothing_wraps_and_nothing_is_cut() {
        let [m, ..] = names();
        let mut power = m.clone();
        for _ in 1..MAX_DEGREE {
            power = power.mul(&m).unwrap();
        }
        assert!(matches!(power.mul(&m), Err(Error::Capacity { .. })));
        let large = m.scale(i64::MAX, 1).unwrap();
        assert!(large.add(&large).is_err() && large.mul(&large).is_err() && large.scale(2, 1).is_err());
        assert_eq!(large.scale(1, i64::MAX).unwrap(), m);
        assert!(matches!(large.scale(i64::MIN, 1), Err(Error::Overflow { .. })));
        let mut wide = Number::zero();
        for v in 0..MAX_TERMS {
            wide = wide.add(&Number::variable(Variable::name(v))).unwrap();
        }
        assert!(matches!(
            wide.add(&Number::variable(Variable::name(MAX_TERMS))),
            Err(Error::Capacity { .. })
        ));
    }
}

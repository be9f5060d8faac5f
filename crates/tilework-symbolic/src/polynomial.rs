//! Polynomials with rational coefficients: the values of symbolic extents and strides.
//!
//! Terms are kept in descending order (by degree, then by the variable that was declared first) over one common
//! denominator, in lowest terms, so that two polynomials are equal if and only if their terms are.

use crate::int;
use tilework::Error;

/// The most names of a scope.
pub const MAX_NAMES: usize = 16;

/// The most named quotients, `floor(p/q)`, of a scope.
pub const MAX_QUOTIENTS: usize = 16;

pub(crate) const MAX_VARIABLES: usize = MAX_NAMES + MAX_QUOTIENTS;

/// The largest power of a variable: an exponent has three of four bits, and the fourth detects an overflow.
pub(crate) const MAX_EXPONENT: usize = 7;

/// The most terms of a polynomial during a computation.
pub(crate) const MAX_TERMS: usize = 16;

const PASSED: u64 = 0x8888_8888_8888_8888;

/// A product of variables, with four bits for each exponent: the first name and the first quotient in the highest bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Monomial {
    names: u64,
    quotients: u64,
}

impl Monomial {
    pub const ONE: Monomial = Monomial { names: 0, quotients: 0 };

    /// A variable: a name, or after the names a quotient.
    pub const fn variable(index: usize) -> Monomial {
        let bit = 1 << (60 - 4 * (index % MAX_NAMES));
        if index < MAX_NAMES {
            Monomial { names: bit, quotients: 0 }
        } else {
            Monomial { names: 0, quotients: bit }
        }
    }

    pub const fn is_one(self) -> bool {
        self.names == 0 && self.quotients == 0
    }

    pub const fn same(self, other: Monomial) -> bool {
        self.names == other.names && self.quotients == other.quotients
    }

    pub const fn exponent(self, variable: usize) -> usize {
        let word = if variable < MAX_NAMES { self.names } else { self.quotients };
        (word >> (60 - 4 * (variable % MAX_NAMES)) & 15) as usize
    }

    /// The first variable in it; none in 1.
    pub const fn first(self) -> Option<usize> {
        if self.names != 0 {
            Some(self.names.leading_zeros() as usize / 4)
        } else if self.quotients != 0 {
            Some(MAX_NAMES + self.quotients.leading_zeros() as usize / 4)
        } else {
            None
        }
    }

    /// The last quotient in it.
    pub const fn last_quotient(self) -> Option<usize> {
        if self.quotients == 0 {
            return None;
        }
        Some(MAX_VARIABLES - 1 - self.quotients.trailing_zeros() as usize / 4)
    }

    pub const fn degree(self) -> u32 {
        degree(self.names) + degree(self.quotients)
    }

    pub const fn mul(self, other: Monomial) -> Option<Monomial> {
        let (names, quotients) = (self.names + other.names, self.quotients + other.quotients);
        if (names | quotients) & PASSED != 0 { None } else { Some(Monomial { names, quotients }) }
    }

    /// `self / other`, if it is a monomial.
    pub const fn over(self, other: Monomial) -> Option<Monomial> {
        let (names, quotients) =
            ((self.names | PASSED) - other.names, (self.quotients | PASSED) - other.quotients);
        if names & quotients & PASSED != PASSED {
            return None;
        }
        Some(Monomial { names: names ^ PASSED, quotients: quotients ^ PASSED })
    }

    /// This without a variable.
    pub const fn without(self, variable: usize) -> Monomial {
        let mask = !(15 << (60 - 4 * (variable % MAX_NAMES)));
        if variable < MAX_NAMES {
            Monomial { names: self.names & mask, quotients: self.quotients }
        } else {
            Monomial { names: self.names, quotients: self.quotients & mask }
        }
    }

    /// Whether this term is written before the other.
    pub const fn before(self, other: Monomial) -> bool {
        let (own, others) = (self.degree(), other.degree());
        if own != others {
            return own > others;
        }
        self.names > other.names || self.names == other.names && self.quotients > other.quotients
    }

    pub const fn hash(self) -> u64 {
        self.names.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.quotients.wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
    }
}

/// The sum of 16 numbers of four bits.
const fn degree(word: u64) -> u32 {
    let bytes = (word & 0x0f0f_0f0f_0f0f_0f0f) + (word >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// A monomial with its coefficient.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub coefficient: i64,
    pub monomial: Monomial,
}

const NOTHING: Term = Term { coefficient: 0, monomial: Monomial::ONE };

const TOO_LARGE: Error = Error::TooLarge { what: "a coefficient of a polynomial" };

/// `(c_0 m_0 + c_1 m_1 + ...) / denominator`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Polynomial {
    pub denominator: i64,
    len: usize,
    terms: [Term; MAX_TERMS],
}

impl Polynomial {
    pub const ZERO: Polynomial = Polynomial { denominator: 1, len: 0, terms: [NOTHING; MAX_TERMS] };

    pub const fn integer(value: i64) -> Polynomial {
        Polynomial::monomial(value, Monomial::ONE)
    }

    pub const fn monomial(coefficient: i64, monomial: Monomial) -> Polynomial {
        let mut out = Polynomial::ZERO;
        out.terms[0] = Term { coefficient, monomial };
        out.len = (coefficient != 0) as usize;
        out
    }

    pub const fn variable(index: usize) -> Polynomial {
        Polynomial::monomial(1, Monomial::variable(index))
    }

    /// From terms in their order and in lowest terms.
    pub const fn of(denominator: i64, terms: &[Term]) -> Polynomial {
        let mut out = Polynomial::ZERO;
        out.denominator = denominator;
        out.len = terms.len();
        let mut i = 0;
        while i < terms.len() {
            out.terms[i] = terms[i];
            i += 1;
        }
        out
    }

    pub const fn terms(&self) -> &[Term] {
        self.terms.split_at(self.len).0
    }

    pub const fn is_zero(&self) -> bool {
        self.len == 0
    }

    /// The coefficient of 1, over the denominator.
    pub const fn last(&self) -> i64 {
        if self.len > 0 && self.terms[self.len - 1].monomial.is_one() {
            self.terms[self.len - 1].coefficient
        } else {
            0
        }
    }

    /// The numerator and the denominator, if this is a number.
    pub const fn constant(&self) -> Option<(i64, i64)> {
        if self.len == 0 || self.len == 1 && self.terms[0].monomial.is_one() {
            Some((self.last(), self.denominator))
        } else {
            None
        }
    }

    /// Whether this is the number `value`.
    pub const fn is(&self, value: i64) -> bool {
        matches!(self.constant(), Some((numerator, 1)) if numerator == value)
    }

    #[cfg(test)]
    fn same(&self, other: &Polynomial) -> bool {
        same_terms(self.denominator, self.terms(), other.denominator, other.terms())
    }

    /// The least common multiple of both denominators.
    pub const fn common_denominator(&self, other: &Polynomial) -> Result<i64, Error> {
        let common = int::gcd(self.denominator as u64, other.denominator as u64) as i64;
        int::mul(self.denominator / common, other.denominator)
    }

    pub const fn add(&self, other: &Polynomial) -> Result<Polynomial, Error> {
        self.combine(other, 1)
    }

    pub const fn sub(&self, other: &Polynomial) -> Result<Polynomial, Error> {
        self.combine(other, -1)
    }

    /// `self + value`.
    pub const fn plus(&self, value: i64) -> Result<Polynomial, Error> {
        let mut out = *self;
        if value == 0 {
            return Ok(out);
        }
        let value = tri!(int::mul(value, self.denominator));
        if self.last() == 0 {
            tri!(out.append(Term { coefficient: value, monomial: Monomial::ONE }));
        } else {
            // A multiple of the denominator is added, so the terms stay in lowest terms.
            let last = self.len - 1;
            out.terms[last].coefficient = tri!(int::add(self.terms[last].coefficient, value));
            out.len -= (out.terms[last].coefficient == 0) as usize;
        }
        Ok(out)
    }

    pub const fn negated(&self) -> Result<Polynomial, Error> {
        let (mut out, mut i) = (*self, 0);
        while i < self.len {
            out.terms[i].coefficient = tri!(int::sub(0, self.terms[i].coefficient));
            i += 1;
        }
        Ok(out)
    }

    /// `self + sign * other`.
    const fn combine(&self, other: &Polynomial, sign: i64) -> Result<Polynomial, Error> {
        let divisor = int::gcd(self.denominator as u64, other.denominator as u64) as i64;
        let (own, others) = (other.denominator / divisor, self.denominator / divisor);
        let mut out = Polynomial::ZERO;
        out.denominator = tri!(int::mul(self.denominator, own));
        let (mut i, mut j) = (0, 0);
        while i < self.len || j < other.len {
            let (a, b) = (
                self.terms[if i < self.len { i } else { 0 }],
                other.terms[if j < other.len { j } else { 0 }],
            );
            let term = if j == other.len || i < self.len && a.monomial.before(b.monomial) {
                i += 1;
                Term { coefficient: tri!(int::mul(a.coefficient, own)), monomial: a.monomial }
            } else if i == self.len || !a.monomial.same(b.monomial) {
                j += 1;
                let coefficient = tri!(int::mul(tri!(int::mul(b.coefficient, others)), sign));
                Term { coefficient, monomial: b.monomial }
            } else {
                (i, j) = (i + 1, j + 1);
                let wide = a.coefficient as i128 * own as i128
                    + b.coefficient as i128 * others as i128 * sign as i128;
                let Some(coefficient) = int::narrow(wide) else { return Err(TOO_LARGE) };
                Term { coefficient, monomial: a.monomial }
            };
            tri!(out.append(term));
        }
        out.reduce();
        Ok(out)
    }

    /// Appends a term after all others; 0 is dropped.
    const fn append(&mut self, term: Term) -> Result<(), Error> {
        if term.coefficient == 0 {
            return Ok(());
        }
        if self.len == MAX_TERMS {
            return Err(Error::Capacity { what: "terms in a polynomial", limit: MAX_TERMS });
        }
        self.terms[self.len] = term;
        self.len += 1;
        Ok(())
    }

    /// Inserts a term other than 0 in its place.
    const fn insert(&mut self, term: Term) -> Result<(), Error> {
        let mut at = self.len;
        while at > 0 && !self.terms[at - 1].monomial.before(term.monomial) {
            at -= 1;
        }
        if at < self.len && self.terms[at].monomial.same(term.monomial) {
            let sum = tri!(int::add(self.terms[at].coefficient, term.coefficient));
            self.terms[at].coefficient = sum;
            if sum == 0 {
                self.len -= 1;
                while at < self.len {
                    self.terms[at] = self.terms[at + 1];
                    at += 1;
                }
            }
            return Ok(());
        }
        tri!(self.append(term));
        let mut i = self.len - 1;
        while i > at {
            self.terms[i] = self.terms[i - 1];
            i -= 1;
        }
        self.terms[at] = term;
        Ok(())
    }

    const fn reduce(&mut self) {
        if self.denominator == 1 {
            return;
        }
        let (mut divisor, mut i) = (self.denominator as u64, 0);
        while i < self.len && divisor > 1 {
            divisor = int::gcd(divisor, self.terms[i].coefficient.unsigned_abs());
            i += 1;
        }
        if divisor > 1 {
            self.denominator /= divisor as i64;
            i = 0;
            while i < self.len {
                self.terms[i].coefficient /= divisor as i64;
                i += 1;
            }
        }
    }

    pub const fn mul(&self, other: &Polynomial) -> Result<Polynomial, Error> {
        let mut out = Polynomial::ZERO;
        out.denominator = tri!(int::mul(self.denominator, other.denominator));
        let mut i = 0;
        while i < self.len {
            let (a, mut j) = (self.terms[i], 0);
            while j < other.len {
                let b = other.terms[j];
                let Some(monomial) = a.monomial.mul(b.monomial) else {
                    return Err(Error::Capacity { what: "as exponent of a name", limit: MAX_EXPONENT });
                };
                let coefficient = tri!(int::mul(a.coefficient, b.coefficient));
                tri!(out.insert(Term { coefficient, monomial }));
                j += 1;
            }
            i += 1;
        }
        out.reduce();
        Ok(out)
    }

    /// `self * numerator / denominator`, for a denominator other than 0.
    pub const fn scale(&self, numerator: i64, denominator: i64) -> Result<Polynomial, Error> {
        let (n, d) = if denominator < 0 {
            (tri!(int::sub(0, numerator)), tri!(int::sub(0, denominator)))
        } else {
            (numerator, denominator)
        };
        let mut out = *self;
        if n == 0 {
            return Ok(Polynomial::ZERO);
        }
        // Common factors are cancelled first, so that no intermediate value overflows.
        let before = int::gcd(n.unsigned_abs(), self.denominator as u64) as i64;
        let n = n / before;
        out.denominator = tri!(int::mul(self.denominator / before, d));
        let mut i = 0;
        while i < self.len {
            out.terms[i].coefficient = tri!(int::mul(self.terms[i].coefficient, n));
            i += 1;
        }
        out.reduce();
        Ok(out)
    }

    /// `self / divisor` as a polynomial with rational coefficients, if it is one that fits.
    pub const fn over(&self, divisor: &Polynomial) -> Option<Polynomial> {
        if divisor.len == 0 {
            return None;
        }
        let lead = divisor.terms[0];
        let (mut rest, mut quotient) = (*self, Polynomial::ZERO);
        while rest.len > 0 {
            let Some(monomial) = rest.terms[0].monomial.over(lead.monomial) else { return None };
            let Ok(term) =
                Polynomial::monomial(1, monomial).scale(rest.terms[0].coefficient, lead.coefficient)
            else {
                return None;
            };
            let Ok(term) = term.scale(divisor.denominator, rest.denominator) else { return None };
            let Ok(product) = divisor.mul(&term) else { return None };
            let (Ok(sum), Ok(less)) = (quotient.add(&term), rest.sub(&product)) else { return None };
            (quotient, rest) = (sum, less);
        }
        Some(quotient)
    }

    /// Term `index` alone.
    pub const fn term(&self, index: usize) -> Polynomial {
        let mut out = Polynomial::monomial(self.terms[index].coefficient, self.terms[index].monomial);
        out.denominator = self.denominator;
        out.reduce();
        out
    }

    /// Whether exactly one variable occurs.
    pub const fn is_of_one_variable(&self) -> bool {
        if self.len == 0 {
            return false;
        }
        let Some(v) = self.terms[0].monomial.first() else { return false };
        let mut i = 0;
        while i < self.len {
            if !self.terms[i].monomial.without(v).is_one() {
                return false;
            }
            i += 1;
        }
        true
    }

    /// The greatest common divisor of the coefficients over the denominator; 0 for 0.
    pub const fn content(&self) -> u64 {
        let (mut divisor, mut i) = (0, 0);
        while i < self.len {
            divisor = int::gcd(divisor, self.terms[i].coefficient.unsigned_abs());
            i += 1;
        }
        divisor
    }

    /// The greatest common monomial of the terms; 1 for 0.
    pub const fn common_monomial(&self) -> Monomial {
        let (mut common, mut v) = (Monomial::ONE, 0);
        while v < MAX_VARIABLES && self.len > 0 && !self.terms[self.len - 1].monomial.is_one() {
            let (mut least, mut i) = (MAX_EXPONENT, 0);
            while i < self.len {
                let exponent = self.terms[i].monomial.exponent(v);
                least = if exponent < least { exponent } else { least };
                i += 1;
            }
            while least > 0 {
                least -= 1;
                if let Some(product) = common.mul(Monomial::variable(v)) {
                    common = product;
                }
            }
            v += 1;
        }
        common
    }
}

pub(crate) const fn same_terms(denominator: i64, terms: &[Term], other: i64, others: &[Term]) -> bool {
    if denominator != other || terms.len() != others.len() {
        return false;
    }
    let mut i = 0;
    while i < terms.len() {
        if terms[i].coefficient != others[i].coefficient || !terms[i].monomial.same(others[i].monomial) {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> [Polynomial; 3] {
        [0, 1, 16].map(Polynomial::variable)
    }

    #[test]
    fn sums_and_products_are_in_one_form() {
        let [m, k, q] = names();
        let sum = m.add(&k).unwrap();
        let square = sum.mul(&sum).unwrap();
        let again = m.mul(&m).unwrap().add(&m.mul(&k).unwrap().scale(2, 1).unwrap()).unwrap();
        assert!(square.same(&again.add(&k.mul(&k).unwrap()).unwrap()));
        assert!(square.sub(&square).unwrap().is_zero());
        assert!(sum.scale(6, 4).unwrap().same(&sum.scale(3, 2).unwrap()));
        assert!(sum.scale(1, 3).unwrap().add(&sum.scale(2, 3).unwrap()).unwrap().same(&sum));
        assert!(q.mul(&m).unwrap().same(&m.mul(&q).unwrap()));
        assert!(m.plus(4).unwrap().plus(-4).unwrap().same(&m));
        let difference = sum.mul(&m.sub(&k).unwrap()).unwrap();
        assert!(difference.same(&m.mul(&m).unwrap().sub(&k.mul(&k).unwrap()).unwrap()));
    }

    #[test]
    fn division_is_exact_or_none() {
        let [m, k, q] = names();
        let sum = m.add(&k).unwrap().plus(3).unwrap();
        let product = sum.mul(&q.sub(&m).unwrap()).unwrap();
        assert!(product.over(&sum).unwrap().same(&q.sub(&m).unwrap()));
        assert!(product.over(&q).is_none() && m.over(&Polynomial::ZERO).is_none());
        assert!(m.over(&Polynomial::integer(128)).unwrap().same(&m.scale(1, 128).unwrap()));
        assert!(m.mul(&k).unwrap().over(&m.mul(&m).unwrap()).is_none());
        assert!(m.scale(3, 2).unwrap().over(&m.scale(-3, 4).unwrap()).unwrap().is(-2));
    }

    #[test]
    fn nothing_wraps_and_nothing_is_cut() {
        let [m, ..] = names();
        let mut power = m;
        for _ in 1..MAX_EXPONENT {
            power = power.mul(&m).unwrap();
        }
        assert!(matches!(power.mul(&m), Err(Error::Capacity { .. })));
        let large = m.scale(i64::MAX, 1).unwrap();
        assert!(large.add(&large).is_err() && large.mul(&large).is_err() && large.scale(2, 1).is_err());
        assert!(large.scale(1, i64::MAX).unwrap().same(&m));
        assert!(matches!(large.scale(i64::MIN, 1), Err(Error::Overflow { .. })));
        let mut wide = Polynomial::ZERO;
        for v in 0..MAX_TERMS {
            wide = wide.add(&Polynomial::variable(v)).unwrap();
        }
        assert!(matches!(wide.plus(1), Err(Error::Capacity { .. })));
    }
}

//! Questions about a polynomial for all values of the names: yes, no, or it depends (`None`).
//!
//! A question is about the parametrised polynomial `f(y)`, `y >= 0`, in which the facts are eliminated.
//!
//! | question | decided by |
//! |---|---|
//! | `p >= 0` | the minimum of each term; the same for products of binomials; the Bernstein coefficients in bounded names; a named quotient by `q*n <= p < q*n + q` |
//! | `p == 0` | `f` identically 0; a sign; the content of `f` does not divide its constant |
//! | `p` integer | the coefficients of `f` over products of binomials `C(y,j)`: an integer-valued polynomial has integer ones |
//! | `q` divides `p` | the exact quotient, then the row above |
//!
//! A question that exceeds the fixed capacities is `None` too: then the guard decides at run time.

use crate::int;
use crate::polynomial::{MAX_EXPONENT, MAX_NAMES, MAX_VARIABLES, Monomial, Polynomial};
use crate::scope::{Quotient, Range, Scope};
use tilework::Error;

/// The most bounded variables that are expanded to find a sign, and the degree.
const MAX_BOUNDED: usize = 4;
const MAX_DEGREE: usize = 3;

/// `C(n,k)`.
const BINOMIALS: [[i64; MAX_DEGREE + 1]; MAX_DEGREE + 1] =
    [[1, 0, 0, 0], [1, 1, 0, 0], [1, 2, 1, 0], [1, 3, 3, 1]];

/// The most quotients that are replaced by their bounds to find a sign.
const MAX_DEPTH: usize = 4;

/// `y^k = sum_j POWERS[k][j] C(y,j)`.
const POWERS: [[i64; MAX_EXPONENT + 1]; MAX_EXPONENT + 1] = {
    let mut rows = [[0; MAX_EXPONENT + 1]; MAX_EXPONENT + 1];
    rows[0][0] = 1;
    let mut k = 1;
    while k <= MAX_EXPONENT {
        let mut j = 1;
        while j <= k {
            rows[k][j] = j as i64 * (rows[k - 1][j] + rows[k - 1][j - 1]);
            j += 1;
        }
        k += 1;
    }
    rows
};

impl Scope {
    /// The polynomial in the free variables.
    pub(crate) const fn free(&self, p: &Polynomial) -> Result<Polynomial, Error> {
        if p.constant().is_some() {
            return Ok(*p);
        }
        let (terms, mut out, mut i) = (p.terms(), Polynomial::ZERO, 0);
        while i < terms.len() {
            let (mut product, mut rest) = (Polynomial::integer(terms[i].coefficient), terms[i].monomial);
            if let Some(v) = rest.first()
                && rest.degree() == 1
            {
                // Most terms are a multiple of a single name.
                product = tri!(self.polynomial(self.knowledge.ranges[v].form).scale(terms[i].coefficient, 1));
                rest = Monomial::ONE;
            }
            while let Some(v) = rest.first() {
                let form = self.polynomial(self.knowledge.ranges[v].form);
                let mut k = rest.exponent(v);
                while k > 0 {
                    product = tri!(product.mul(&form));
                    k -= 1;
                }
                rest = rest.without(v);
            }
            out = if i == 0 { product } else { tri!(out.add(&product)) };
            i += 1;
        }
        if p.denominator == 1 { Ok(out) } else { out.scale(1, p.denominator) }
    }

    /// A lower bound of `f` times its denominator, for an `f` in the free variables.
    pub(crate) const fn lower(&self, f: &Polynomial) -> Option<i128> {
        let (terms, mut sum, mut i) = (f.terms(), 0i128, 0);
        while i < terms.len() {
            let Some(least) = self.least(terms[i].coefficient, terms[i].monomial) else { return None };
            let Some(next) = sum.checked_add(least) else { return None };
            sum = next;
            i += 1;
        }
        Some(sum)
    }

    /// The least value of a term: 0 for a positive one, and the value at the bounds for a negative one.
    const fn least(&self, coefficient: i64, monomial: Monomial) -> Option<i128> {
        let (mut least, mut rest) = (coefficient as i128, monomial);
        while let Some(v) = rest.first() {
            let Range { high, signed, .. } = self.knowledge.ranges[v];
            if signed || coefficient < 0 && high == i64::MAX {
                return None;
            }
            let mut k = rest.exponent(v);
            while k > 0 && coefficient < 0 {
                let Some(next) = least.checked_mul(high as i128) else { return None };
                least = next;
                k -= 1;
            }
            rest = rest.without(v);
        }
        if coefficient > 0 && !monomial.is_one() { Some(0) } else { Some(least) }
    }

    /// Whether `f`, in the free variables, times its denominator is proved to be at least `bound`, 0 or 1. First by the
    /// minimum of each term. Then, with bounds: on `0 <= y <= h` a polynomial is a mean of its Bernstein coefficients
    /// in `y`, so it suffices that each of these is; without bounds: a product of binomials is non-negative, so it
    /// suffices that no coefficient over them is negative.
    const fn is_above(&self, f: &Polynomial, bound: i128, depth: usize) -> bool {
        if matches!(self.lower(f), Some(least) if least >= bound) {
            return true;
        }
        let (terms, mut bounded, mut powers, mut i) = (f.terms(), None, false, 0);
        while i < terms.len() {
            let mut rest = terms[i].monomial;
            while let Some(v) = rest.first() {
                let Range { high, signed, .. } = self.knowledge.ranges[v];
                if signed {
                    return false;
                }
                if high != i64::MAX {
                    bounded = Some((v, high));
                }
                powers |= rest.exponent(v) > 1;
                rest = rest.without(v);
            }
            i += 1;
        }
        if let Some((v, high)) = bounded {
            return depth > 0 && self.is_above_by_bernstein(f, v, high, bound, depth - 1);
        }
        match over_binomials(f) {
            Ok(f) if powers => matches!(self.lower(&f), Some(least) if least >= bound),
            _ => false,
        }
    }

    /// With `f = a_0 + a_1 y + ... + a_n y^n` and `0 <= y <= h`: `b_k = sum_i C(k,i) / C(n,i) h^i a_i` is at least the
    /// bound for all `k`.
    const fn is_above_by_bernstein(
        &self,
        f: &Polynomial,
        v: usize,
        high: i64,
        bound: i128,
        depth: usize,
    ) -> bool {
        let (terms, mut n, mut i) = (f.terms(), 0, 0);
        while i < terms.len() {
            let exponent = terms[i].monomial.exponent(v);
            n = if exponent > n { exponent } else { n };
            i += 1;
        }
        let mut k = 0;
        while k <= n && n <= MAX_DEGREE {
            match bernstein(f, v, high, n, k) {
                Ok(coefficient) if self.is_above(&coefficient, bound, depth) => {}
                _ => return false,
            }
            k += 1;
        }
        n <= MAX_DEGREE
    }

    /// Is `p >= 0`? If a name has several lower bounds, one of them has to suffice.
    pub(crate) const fn nonnegative(&self, p: &Polynomial) -> Option<bool> {
        let mut sign = self.nonnegative_within(p, MAX_DEPTH);
        let (choices, mut choice) = (if sign.is_none() { self.choices() } else { 1 }, 1);
        while sign.is_none() && choice < choices {
            if let Some(scope) = self.with_choice(choice) {
                sign = scope.nonnegative_within(p, MAX_DEPTH);
            }
            choice += 1;
        }
        sign
    }

    /// Is `p >= bound`?
    pub(crate) const fn at_least(&self, p: &Polynomial, bound: i64) -> Option<bool> {
        match bound.checked_neg() {
            Some(negative) => match p.plus(negative) {
                Ok(difference) => self.nonnegative(&difference),
                Err(_) => None,
            },
            None => None,
        }
    }

    const fn nonnegative_within(&self, p: &Polynomial, depth: usize) -> Option<bool> {
        if let Some((numerator, _)) = p.constant() {
            return Some(numerator >= 0);
        }
        let Ok(free) = self.free(p) else { return None };
        if self.is_above(&free, 0, MAX_BOUNDED) {
            return Some(true);
        }
        let Ok(free) = free.negated() else { return None };
        if self.is_above(&free, 1, MAX_BOUNDED) {
            return Some(false);
        }
        if last_quotient(p).is_none() {
            return None;
        }
        if self.lower_without_quotients(p, depth, 0) {
            return Some(true);
        }
        let Ok(negative) = p.negated() else { return None };
        if self.lower_without_quotients(&negative, depth, 1) {
            return Some(false);
        }
        None
    }

    /// Whether `p` is proved to be at least `bound` by replacing its quotients by their bounds, `numerator -
    /// denominator < denominator * quotient <= numerator`.
    const fn lower_without_quotients(&self, p: &Polynomial, depth: usize, bound: i128) -> bool {
        let (mut p, mut rounds) = (*p, depth);
        while let Some(v) = last_quotient(&p) {
            if rounds == 0 {
                return false;
            }
            rounds -= 1;
            match self.exchange(&p, v, rounds) {
                Some(without) => p = without,
                None => return false,
            }
        }
        if rounds == depth {
            return false;
        }
        match self.free(&p) {
            Ok(free) => self.is_above(&free, bound, MAX_BOUNDED),
            Err(_) => false,
        }
    }

    /// A polynomial below a positive multiple of `p`, without the quotient `v`.
    const fn exchange(&self, p: &Polynomial, v: usize, depth: usize) -> Option<Polynomial> {
        let (terms, mut factor, mut rest, mut i) = (p.terms(), Polynomial::ZERO, Polynomial::ZERO, 0);
        while i < terms.len() {
            let (coefficient, monomial) = (terms[i].coefficient, terms[i].monomial);
            let exponent = monomial.exponent(v);
            let sum = if exponent == 0 { &mut rest } else { &mut factor };
            match (exponent, sum.add(&Polynomial::monomial(coefficient, monomial.without(v)))) {
                (0 | 1, Ok(next)) => *sum = next,
                _ => return None,
            }
            i += 1;
        }
        let Quotient { numerator, denominator } = self.quotients.as_slice()[v - MAX_NAMES];
        let (numerator, denominator) = (self.polynomial(numerator), self.polynomial(denominator));
        let bound = match self.nonnegative_within(&factor, depth) {
            Some(true) => match numerator.sub(&denominator) {
                Ok(bound) => bound.plus(1),
                Err(error) => Err(error),
            },
            Some(false) => Ok(numerator),
            None => return None,
        };
        let Ok(bound) = bound else { return None };
        match (factor.mul(&bound), denominator.mul(&rest)) {
            (Ok(left), Ok(right)) => match left.add(&right) {
                Ok(sum) => Some(sum),
                Err(_) => None,
            },
            _ => None,
        }
    }

    /// Is `p == 0`?
    pub(crate) const fn is_zero(&self, p: &Polynomial) -> Option<bool> {
        if let Some((numerator, _)) = p.constant() {
            return Some(numerator == 0);
        }
        let Ok(free) = self.free(p) else { return None };
        if free.is_zero() {
            return Some(true);
        }
        if matches!(self.at_least(p, 1), Some(true)) {
            return Some(false);
        }
        if let Ok(negative) = p.negated()
            && matches!(self.at_least(&negative, 1), Some(true))
        {
            return Some(false);
        }
        let Ok(binomial) = over_binomials(&free) else { return None };
        let (content, constant) = content_beside_constant(&binomial);
        if content > 0 && constant.unsigned_abs() % content != 0 { Some(false) } else { None }
    }

    /// Is `p` an integer?
    pub(crate) const fn is_integer(&self, p: &Polynomial) -> Option<bool> {
        if p.denominator == 1 {
            return Some(true);
        }
        let Ok(free) = self.free(p) else { return None };
        let Ok(binomial) = over_binomials(&free) else { return None };
        if binomial.denominator == 1 {
            return Some(true);
        }
        let (content, constant) = content_beside_constant(&binomial);
        let divisor = int::gcd(content, binomial.denominator as u64);
        if constant.unsigned_abs() % divisor != 0 { Some(false) } else { None }
    }

    /// Does `divisor` divide `p`? Only a positive answer is ever proved.
    pub(crate) const fn divides(&self, divisor: &Polynomial, p: &Polynomial) -> Option<bool> {
        match p.over(divisor) {
            Some(quotient) if matches!(self.is_integer(&quotient), Some(true)) => Some(true),
            _ => None,
        }
    }
}

/// The Bernstein coefficient `k` of degree `n` in a variable between 0 and `high`.
const fn bernstein(f: &Polynomial, v: usize, high: i64, n: usize, k: usize) -> Result<Polynomial, Error> {
    let (terms, mut sum, mut t) = (f.terms(), Polynomial::ZERO, 0);
    while t < terms.len() {
        let i = terms[t].monomial.exponent(v);
        if i <= k {
            let (mut weight, mut power) = (BINOMIALS[k][i], 0);
            while power < i {
                weight = tri!(int::mul(weight, high));
                power += 1;
            }
            let coefficient = tri!(int::mul(terms[t].coefficient, weight));
            let term = Polynomial::monomial(coefficient, terms[t].monomial.without(v));
            sum = tri!(sum.add(&tri!(term.scale(1, BINOMIALS[n][i]))));
        }
        t += 1;
    }
    Ok(sum)
}

/// The content of all terms except the constant one, and the constant.
const fn content_beside_constant(p: &Polynomial) -> (u64, i64) {
    let (terms, mut content, mut i) = (p.terms(), 0, 0);
    while i < terms.len() {
        if !terms[i].monomial.is_one() {
            content = int::gcd(content, terms[i].coefficient.unsigned_abs());
        }
        i += 1;
    }
    (content, p.last())
}

/// The last quotient that occurs; its definition has only earlier ones.
const fn last_quotient(p: &Polynomial) -> Option<usize> {
    let (terms, mut last, mut i) = (p.terms(), None, 0);
    while i < terms.len() {
        if let Some(v) = terms[i].monomial.last_quotient() {
            last = match last {
                Some(before) if before > v => Some(before),
                _ => Some(v),
            };
        }
        i += 1;
    }
    last
}

/// The coefficients over products of binomials `C(y,j)` instead of powers `y^j`.
const fn over_binomials(p: &Polynomial) -> Result<Polynomial, Error> {
    let (mut out, mut v) = (*p, 0);
    while v < MAX_VARIABLES {
        let (mut highest, mut i) = (0, 0);
        while i < out.terms().len() {
            let exponent = out.terms()[i].monomial.exponent(v);
            highest = if exponent > highest { exponent } else { highest };
            i += 1;
        }
        if highest > 1 {
            out = tri!(over_binomials_of(&out, v));
        }
        v += 1;
    }
    Ok(out)
}

const fn over_binomials_of(p: &Polynomial, v: usize) -> Result<Polynomial, Error> {
    let (terms, mut out, mut i) = (p.terms(), Polynomial::ZERO, 0);
    while i < terms.len() {
        let (power, mut monomial, mut j) = (terms[i].monomial.exponent(v), terms[i].monomial.without(v), 0);
        while j <= power {
            if POWERS[power][j] != 0 {
                let coefficient = tri!(int::mul(terms[i].coefficient, POWERS[power][j]));
                out = tri!(out.add(&Polynomial::monomial(coefficient, monomial)));
            }
            if let Some(next) = monomial.mul(Monomial::variable(v)) {
                monomial = next;
            }
            j += 1;
        }
        i += 1;
    }
    out.scale(1, p.denominator)
}

//! Named quotients `floor(p/q)`, in a normal form.
//!
//! Terms that `q` divides are taken out of the quotient; a remainder `r` is dropped if `0 <= r < q` is proved, also
//! after adding or subtracting one `q`; content and positive names in every term are cancelled. The rest is a new
//! variable.

use crate::int;
use crate::polynomial::{MAX_NAMES, Monomial, Polynomial};
use crate::scope::{Quotient, Scope};
use tilework::Error;

impl Scope {
    /// `floor(numerator / denominator)`, for `denominator >= 1`: a polynomial if it is one, otherwise a named quotient.
    pub(crate) const fn floor(
        &mut self,
        numerator: &Polynomial,
        denominator: &Polynomial,
    ) -> Result<Polynomial, Error> {
        if let Some(value) = floor_of_numbers(numerator, denominator) {
            return Ok(Polynomial::integer(value));
        }
        let (mut whole, mut rest) = tri!(self.terms_that_divide(numerator, denominator));
        let mut k = 0;
        while k < 3 {
            let shift = [0, -1, 1][k];
            let digit = tri!(rest.sub(&tri!(denominator.scale(shift, 1))));
            let above = tri!(tri!(denominator.sub(&digit)).plus(-1));
            if matches!(self.nonnegative(&digit), Some(true))
                && matches!(self.nonnegative(&above), Some(true))
            {
                return whole.plus(shift);
            }
            k += 1;
        }
        let scale = tri!(rest.common_denominator(denominator));
        rest = tri!(rest.scale(scale, 1));
        let mut denominator = tri!(denominator.scale(scale, 1));
        if rest.last() == -1 {
            whole = tri!(whole.plus(-1));
            rest = tri!(rest.add(&denominator));
        }
        // ceil(top/d) is floor((top + d - 1)/d), and used if that is shorter.
        let top = tri!(tri!(rest.sub(&denominator)).plus(1));
        let is_ceil = top.terms().len() < rest.terms().len();
        let (mut top, common) = if is_ceil { (top, top.content()) } else { (rest, rest.content()) };
        let common = int::gcd(common, denominator.content()) as i64;
        top = tri!(top.scale(1, common));
        denominator = tri!(denominator.scale(1, common));
        let factor = self.positive_factor(&top, &denominator);
        if let (Some(a), Some(b)) = (top.over(&factor), denominator.over(&factor)) {
            (top, denominator) = (a, b);
        }
        if is_ceil {
            top = tri!(tri!(top.add(&denominator)).plus(-1));
        }
        if denominator.is(1) {
            return whole.add(&top);
        }
        if let Some(value) = floor_of_numbers(&top, &denominator) {
            return whole.plus(value);
        }
        if common > 1 || !factor.is(1) {
            // The cancelled factors hid terms that divide: `ceil(64*M/(4*M*K))` is `floor(15/K) + 1`, as `ceil(16/K)`
            // is.
            return whole.add(&tri!(self.floor(&top, &denominator)));
        }
        whole.add(&Polynomial::variable(tri!(self.quotient(&top, &denominator))))
    }

    /// The polynomial part of `numerator / denominator`, and the remaining numerator.
    const fn terms_that_divide(
        &self,
        numerator: &Polynomial,
        denominator: &Polynomial,
    ) -> Result<(Polynomial, Polynomial), Error> {
        let (mut whole, mut rest, mut i) = (Polynomial::ZERO, *numerator, 0);
        while i < numerator.terms().len() {
            let term = numerator.term(i);
            if let Some(quotient) = term.over(denominator)
                && matches!(self.is_integer(&quotient), Some(true))
            {
                whole = tri!(whole.add(&quotient));
                rest = tri!(rest.sub(&term));
            }
            i += 1;
        }
        Ok((whole, rest))
    }

    /// The product of the variables that every term of both has, and that are at least 1.
    pub(crate) const fn positive_factor(&self, left: &Polynomial, right: &Polynomial) -> Polynomial {
        let (mut product, mut rest) = (Monomial::ONE, left.common_monomial());
        while let Some(v) = rest.first() {
            let (own, others) = (rest.exponent(v), right.common_monomial().exponent(v));
            let mut k = if own < others { own } else { others };
            while k > 0 && matches!(self.at_least(&Polynomial::variable(v), 1), Some(true)) {
                if let Some(next) = product.mul(Monomial::variable(v)) {
                    product = next;
                }
                k -= 1;
            }
            rest = rest.without(v);
        }
        Polynomial::monomial(1, product)
    }

    /// The variable of a quotient, which is added if it is new.
    const fn quotient(&mut self, numerator: &Polynomial, denominator: &Polynomial) -> Result<usize, Error> {
        let numerator = tri!(self.intern(numerator));
        let denominator = tri!(self.intern(denominator));
        let (known, mut i) = (self.quotients.as_slice(), 0);
        while i < known.len() {
            if known[i].numerator.same(numerator) && known[i].denominator.same(denominator) {
                return Ok(MAX_NAMES + i);
            }
            i += 1;
        }
        tri!(self.quotients.push(Quotient { numerator, denominator }, "named quotients"));
        match self.range_of_quotient(MAX_NAMES + i) {
            Ok(range) => self.knowledge.ranges[MAX_NAMES + i] = range,
            Err(error) => {
                self.quotients.truncate(i);
                return Err(error);
            }
        }
        Ok(MAX_NAMES + i)
    }
}

/// The quotient of two numbers, rounded down.
const fn floor_of_numbers(numerator: &Polynomial, denominator: &Polynomial) -> Option<i64> {
    let (Some((a, b)), Some((c, d))) = (numerator.constant(), denominator.constant()) else { return None };
    if c <= 0 {
        return None;
    }
    int::narrow((a as i128 * d as i128).div_euclid(b as i128 * c as i128))
}

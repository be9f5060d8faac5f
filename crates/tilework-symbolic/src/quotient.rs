//! Named quotients `floor(p/q)`, in a normal form.
//!
//! Terms that `q` divides, also by a fact such as `K % B == 0`, are taken out of the quotient; a remainder `r` is dropped if `0 <= r < q` is proved, also
//! after adding or subtracting one `q`; content and positive names in every term are cancelled. The rest is a new
//! variable.

use crate::number::{Monomial, Number};
use crate::scope::Scope;
use tilework::__private::int;
use tilework::Error;

impl Scope {
    /// `floor(numerator / denominator)`, for `denominator >= 1`: a polynomial if it is one, otherwise a named quotient.
    pub(crate) fn floor(&mut self, numerator: &Number, denominator: &Number) -> Result<Number, Error> {
        if let Some(value) = floor_of_numbers(numerator, denominator) {
            return Ok(Number::integer(value));
        }
        let (mut whole, mut rest) = self.terms_that_divide(numerator, denominator)?;
        for shift in [0, -1, 1] {
            let digit = rest.sub(&denominator.scale(shift, 1)?)?;
            let above = denominator.sub(&digit)?.plus(-1)?;
            if self.nonnegative(&digit) == Some(true) && self.nonnegative(&above) == Some(true) {
                return whole.plus(shift);
            }
        }
        let scale = rest.common_denominator(denominator)?;
        rest = rest.scale(scale, 1)?;
        let mut denominator = denominator.scale(scale, 1)?;
        if rest.last() == -1 {
            whole = whole.plus(-1)?;
            rest = rest.add(&denominator)?;
        }
        // ceil(top/d) is floor((top + d - 1)/d), and used if that is shorter.
        let ceil = rest.sub(&denominator)?.plus(1)?;
        let is_ceil = ceil.terms().len() < rest.terms().len();
        let mut top = if is_ceil { ceil } else { rest };
        let common = int::gcd(top.content(), denominator.content()) as i64;
        top = top.scale(1, common)?;
        denominator = denominator.scale(1, common)?;
        let factor = self.positive_factor(&top, &denominator);
        if let (Some(a), Some(b)) = (top.over(&factor), denominator.over(&factor)) {
            (top, denominator) = (a, b);
        }
        if is_ceil {
            top = top.add(&denominator)?.plus(-1)?;
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
            return whole.add(&self.floor(&top, &denominator)?);
        }
        whole.add(&Number::variable(self.quotient(top, denominator)?))
    }

    /// The polynomial part of `numerator / denominator`, and the remaining numerator.
    pub(crate) fn terms_that_divide(
        &self,
        numerator: &Number,
        denominator: &Number,
    ) -> Result<(Number, Number), Error> {
        let (mut whole, mut rest) = (Number::zero(), numerator.clone());
        for term in numerator.each() {
            if let Some(quotient) = self.exact_quotient(&term, denominator)?
                && self.is_integer(&quotient) == Some(true)
            {
                whole = whole.add(&quotient)?;
                rest = rest.sub(&term)?;
            }
        }
        Ok((whole, rest))
    }

    /// `p / divisor` as a polynomial, if it is one, perhaps by facts.
    pub(crate) fn exact_quotient(&self, p: &Number, divisor: &Number) -> Result<Option<Number>, Error> {
        match p.over(divisor) {
            None => Ok(self.in_equals(p)?.over(&self.in_equals(divisor)?)),
            quotient => Ok(quotient),
        }
    }

    /// With the numbers that facts make names equal to: `B*n` for `K` where `K == B*n`.
    fn in_equals(&self, p: &Number) -> Result<Number, Error> {
        let mut sum = Number::zero();
        for term in p.terms() {
            let mut product = Number::integer(term.coefficient);
            for &variable in term.monomial.factors() {
                let equal = variable.as_name().and_then(|name| self.known(name).equal.as_ref());
                product =
                    product.mul(&equal.map_or(Ok(Number::variable(variable)), |own| self.in_equals(own))?)?;
            }
            sum = sum.add(&product)?;
        }
        sum.scale(1, p.denominator)
    }

    /// The product of the variables that every term of both has, and that are at least 1.
    pub(crate) fn positive_factor(&self, left: &Number, right: &Number) -> Number {
        let (own, others) = (left.common_monomial(), right.common_monomial());
        let mut product = Monomial::one();
        for (variable, power) in own.powers() {
            for _ in 0..power.min(others.exponent(variable)) {
                if self.at_least(&Number::variable(variable), 1) == Some(true)
                    && let Ok(next) = product.mul(&Monomial::variable(variable))
                {
                    product = next;
                }
            }
        }
        Number::monomial(1, product)
    }
}

/// The quotient of two numbers, rounded down.
fn floor_of_numbers(numerator: &Number, denominator: &Number) -> Option<i64> {
    let ((a, b), (c, d)) = (numerator.as_fraction()?, denominator.as_fraction()?);
    match c > 0 {
        true => int::narrow((a as i128 * d as i128).div_euclid(b as i128 * c as i128)),
        false => None,
    }
}

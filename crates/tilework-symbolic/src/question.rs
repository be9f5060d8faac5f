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
//! A question that would expand to more than [`MAX_EXPANDED`] terms is `None` too: then the guard decides at run time.

use crate::number::{Monomial, Number, Variable};
use crate::scope::{Range, Scope};
use alloc::vec::Vec;
use tilework::__private::int;
use tilework::Error;

/// The most terms of a polynomial in the free variables.
const MAX_EXPANDED: usize = 64;

/// The most bounded variables that are expanded to find a sign, and the degree.
const MAX_BOUNDED: usize = 4;
const MAX_DEGREE: usize = 3;

/// `C(n,k)`.
const BINOMIALS: [[i64; MAX_DEGREE + 1]; MAX_DEGREE + 1] =
    [[1, 0, 0, 0], [1, 1, 0, 0], [1, 2, 1, 0], [1, 3, 3, 1]];

/// The most quotients that are replaced by their bounds to find a sign.
const MAX_DEPTH: usize = 4;

/// The largest power that is written over binomials.
const MAX_POWER: usize = 7;

/// `y^k = sum_j POWERS[k][j] C(y,j)`.
const POWERS: [[i64; MAX_POWER + 1]; MAX_POWER + 1] = {
    let mut rows = [[0; MAX_POWER + 1]; MAX_POWER + 1];
    rows[0][0] = 1;
    let mut k = 1;
    while k <= MAX_POWER {
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
    pub(crate) fn free(&self, p: &Number) -> Result<Number, Error> {
        if p.is_constant() {
            return Ok(p.clone());
        }
        let mut out = Number::zero();
        for term in p.terms() {
            let product = match term.monomial.factors() {
                [] => Number::integer(term.coefficient),
                // Most terms are a multiple of a single name.
                [variable] => self.range(*variable).form.scale(term.coefficient, 1)?,
                factors => {
                    let mut product = Number::integer(term.coefficient);
                    for &variable in factors {
                        product = expanded(product.mul(&self.range(variable).form)?)?;
                    }
                    product
                }
            };
            out = if out.is_zero() { product } else { expanded(out.add(&product)?)? };
        }
        if p.denominator == 1 { Ok(out) } else { out.scale(1, p.denominator) }
    }

    /// A lower bound of `f` times its denominator, for an `f` in the free variables.
    pub(crate) fn lower(&self, f: &Number) -> Option<i128> {
        f.terms()
            .iter()
            .try_fold(0i128, |sum, term| sum.checked_add(self.least(term.coefficient, &term.monomial)?))
    }

    /// The least value of a term: 0 for a positive one, and the value at the bounds for a negative one.
    fn least(&self, coefficient: i64, monomial: &Monomial) -> Option<i128> {
        let mut least = coefficient as i128;
        for &variable in monomial.factors() {
            let Range { high, signed, .. } = *self.range(variable);
            if signed || coefficient < 0 && high == i64::MAX {
                return None;
            }
            if coefficient < 0 {
                least = least.checked_mul(high as i128)?;
            }
        }
        Some(if coefficient > 0 && !monomial.is_one() { 0 } else { least })
    }

    /// Whether `f`, in the free variables, times its denominator is proved to be at least `bound`, 0 or 1. First by the
    /// minimum of each term. Then, with bounds: on `0 <= y <= h` a polynomial is a mean of its Bernstein coefficients
    /// in `y`, so it suffices that each of these is; without bounds: a product of binomials is non-negative, so it
    /// suffices that no coefficient over them is negative.
    fn is_above(&self, f: &Number, bound: i128, depth: usize) -> bool {
        if self.lower(f).is_some_and(|least| least >= bound) {
            return true;
        }
        let (mut bounded, mut powers) = (None, false);
        for term in f.terms() {
            for (variable, power) in term.monomial.powers() {
                let Range { high, signed, .. } = *self.range(variable);
                if signed {
                    return false;
                }
                if high != i64::MAX {
                    bounded = Some((variable, high));
                }
                powers |= power > 1;
            }
        }
        if let Some((variable, high)) = bounded {
            return depth > 0 && self.is_above_by_bernstein(f, variable, high, bound, depth - 1);
        }
        powers && over_binomials(f).is_ok_and(|f| self.lower(&f).is_some_and(|least| least >= bound))
    }

    /// With `f = a_0 + a_1 y + ... + a_n y^n` and `0 <= y <= h`: `b_k = sum_i C(k,i) / C(n,i) h^i a_i` is at least the
    /// bound for all `k`.
    fn is_above_by_bernstein(&self, f: &Number, v: Variable, high: i64, bound: i128, depth: usize) -> bool {
        let n = highest(f, v);
        n <= MAX_DEGREE
            && (0..=n).all(|k| bernstein(f, v, high, n, k).is_ok_and(|b| self.is_above(&b, bound, depth)))
    }

    /// Is `p >= 0`? If a name has several lower bounds, one of them has to suffice.
    pub(crate) fn nonnegative(&self, p: &Number) -> Option<bool> {
        let sign = self.nonnegative_within(p, MAX_DEPTH);
        let choices = if sign.is_none() { self.choices() } else { 1 };
        let mut others =
            (1..choices).filter_map(|choice| self.with_choice(choice)?.nonnegative_within(p, MAX_DEPTH));
        sign.or_else(|| others.next())
    }

    /// Is `p >= bound`?
    pub(crate) fn at_least(&self, p: &Number, bound: i64) -> Option<bool> {
        if let Some((numerator, denominator)) = p.as_fraction() {
            return Some(numerator as i128 >= bound as i128 * denominator as i128);
        }
        self.nonnegative(&p.plus(bound.checked_neg()?).ok()?)
    }

    fn nonnegative_within(&self, p: &Number, depth: usize) -> Option<bool> {
        if let Some((numerator, _)) = p.as_fraction() {
            return Some(numerator >= 0);
        }
        let free = self.free(p).ok()?;
        if self.is_above(&free, 0, MAX_BOUNDED) {
            return Some(true);
        }
        if self.is_above(&free.negated().ok()?, 1, MAX_BOUNDED) {
            return Some(false);
        }
        last_quotient(p)?;
        if self.lower_without_quotients(p, depth, 0) {
            return Some(true);
        }
        self.lower_without_quotients(&p.negated().ok()?, depth, 1).then_some(false)
    }

    /// Whether `p` is proved to be at least `bound` by replacing its quotients by their bounds, `numerator -
    /// denominator < denominator * quotient <= numerator`.
    fn lower_without_quotients(&self, p: &Number, depth: usize, bound: i128) -> bool {
        let (mut p, mut rounds) = (p.clone(), depth);
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
        rounds != depth && self.free(&p).is_ok_and(|free| self.is_above(&free, bound, MAX_BOUNDED))
    }

    /// A polynomial below a positive multiple of `p`, without the quotient `v`.
    fn exchange(&self, p: &Number, v: Variable, depth: usize) -> Option<Number> {
        let (mut factor, mut rest) = (Number::zero(), Number::zero());
        for term in p.terms() {
            let sum = match term.monomial.exponent(v) {
                0 => &mut rest,
                1 => &mut factor,
                _ => return None,
            };
            *sum = sum.add(&Number::monomial(term.coefficient, term.monomial.without(v))).ok()?;
        }
        let quotient = &self.quotients[v.as_quotient()?];
        let bound = match self.nonnegative_within(&factor, depth)? {
            true => quotient.numerator.sub(&quotient.denominator).ok()?.plus(1).ok()?,
            false => quotient.numerator.clone(),
        };
        factor.mul(&bound).ok()?.add(&quotient.denominator.mul(&rest).ok()?).ok()
    }

    /// Is `p == 0`?
    pub(crate) fn is_zero(&self, p: &Number) -> Option<bool> {
        if let Some((numerator, _)) = p.as_fraction() {
            return Some(numerator == 0);
        }
        let free = self.free(p).ok()?;
        if free.is_zero() {
            return Some(true);
        }
        let differs = self.at_least(p, 1) == Some(true)
            || p.negated().is_ok_and(|negative| self.at_least(&negative, 1) == Some(true));
        if differs {
            return Some(false);
        }
        let (content, constant) = content_beside_constant(&over_binomials(&free).ok()?);
        (content > 0 && constant.unsigned_abs() % content != 0).then_some(false)
    }

    /// Is `p` an integer?
    pub(crate) fn is_integer(&self, p: &Number) -> Option<bool> {
        if p.denominator == 1 {
            return Some(true);
        }
        let binomial = over_binomials(&self.free(p).ok()?).ok()?;
        if binomial.denominator == 1 {
            return Some(true);
        }
        let (content, constant) = content_beside_constant(&binomial);
        let divisor = int::gcd(content, binomial.denominator as u64);
        (constant.unsigned_abs() % divisor != 0).then_some(false)
    }

    /// Does `divisor` divide `p`? Only a positive answer is ever proved.
    pub(crate) fn divides(&self, divisor: &Number, p: &Number) -> Option<bool> {
        let quotient = self.exact_quotient(p, divisor).ok()??;
        (self.is_integer(&quotient) == Some(true)).then_some(true)
    }
}

fn expanded(p: Number) -> Result<Number, Error> {
    match p.terms().len() > MAX_EXPANDED {
        true => Err(Error::TooLarge { what: "a polynomial in free variables" }),
        false => Ok(p),
    }
}

fn highest(p: &Number, v: Variable) -> usize {
    p.terms().iter().map(|term| term.monomial.exponent(v)).max().unwrap_or(0)
}

/// The Bernstein coefficient `k` of degree `n` in a variable between 0 and `high`.
fn bernstein(f: &Number, v: Variable, high: i64, n: usize, k: usize) -> Result<Number, Error> {
    let mut sum = Number::zero();
    for term in f.terms() {
        let i = term.monomial.exponent(v);
        if i <= k {
            let weight = (0..i).try_fold(BINOMIALS[k][i], |weight, _| int::mul(weight, high))?;
            let term = Number::monomial(int::mul(term.coefficient, weight)?, term.monomial.without(v));
            sum = sum.add(&term.scale(1, BINOMIALS[n][i])?)?;
        }
    }
    Ok(sum)
}

/// The content of all terms except the constant one, and the constant.
fn content_beside_constant(p: &Number) -> (u64, i64) {
    let beside = p.terms().iter().filter(|term| !term.monomial.is_one());
    (beside.fold(0, |content, term| int::gcd(content, term.coefficient.unsigned_abs())), p.last())
}

/// The last quotient that occurs; its definition has only earlier ones.
fn last_quotient(p: &Number) -> Option<Variable> {
    p.variables().filter(|v| v.as_quotient().is_some()).max()
}

/// The coefficients over products of binomials `C(y,j)` instead of powers `y^j`.
fn over_binomials(p: &Number) -> Result<Number, Error> {
    // `y^j` stands for `C(y,j)` afterwards, so each variable is converted once.
    let powers = p.terms().iter().flat_map(|term| term.monomial.powers()).filter(|(_, power)| *power > 1);
    let mut variables: Vec<Variable> = powers.map(|(variable, _)| variable).collect();
    variables.sort_unstable();
    variables.dedup();
    variables.into_iter().try_fold(p.clone(), |p, v| over_binomials_of(&p, v))
}

fn over_binomials_of(p: &Number, v: Variable) -> Result<Number, Error> {
    let mut out = Number::zero();
    for term in p.terms() {
        let (power, mut monomial) = (term.monomial.exponent(v), term.monomial.without(v));
        let row = POWERS.get(power).ok_or(Error::TooLarge { what: "a power of a name" })?;
        for &count in &row[..=power] {
            if count != 0 {
                let coefficient = int::mul(term.coefficient, count)?;
                out = out.add(&Number::monomial(coefficient, monomial.clone()))?;
            }
            monomial = monomial.mul(&Monomial::variable(v))?;
        }
    }
    out.scale(1, p.denominator)
}

//! The width of the integers of a text: bounds of all numbers that are computed.

use super::plan::{Plan, Term};
use super::reserved::check_word;
use super::source::{Language, Source};
use crate::guard::{Clause, Guard, Refuted};
use crate::int;
use crate::polynomial::{MAX_NAMES, MAX_VARIABLES, Polynomial};
use crate::pool::Number;
use crate::print::side_of;
use crate::scope::Scope;
use tilework::Codomain;
use tilework::Error;

/// The largest value of a signed integer of 32 bits.
const MAX_NARROW: i64 = i32::MAX as i64;

impl Scope {
    pub(super) const fn choose_integer(
        &mut self,
        plan: &mut Plan,
        bounds: &[Number],
        source: &Source<'_>,
    ) -> Result<(), Error> {
        let Source { language, bits, .. } = *source;
        tri!(self.find_variables(plan, bounds));
        plan.signed |= source.offset < 0;
        let mut i = 0;
        while i < plan.terms.len() {
            let Term { stride, unit, .. } = plan.terms.as_slice()[i];
            plan.signed |=
                !unit.is_xor() && !matches!(self.nonnegative(&self.polynomial(stride)), Some(true));
            i += 1;
        }
        let bits = match (language, bits) {
            (_, Some(bits)) if bits != 32 && bits != 64 || bits == 64 && language.same(Language::Wgsl) => {
                return Err(Error::Argument {
                    operation: "source text",
                    expected: "integers of 32 or 64 bits, and of 32 in WGSL",
                    found: bits as i64,
                });
            }
            _ if source.products && language.divisors().is_none() => {
                return Err(Error::Fact { reason: "division by products is for C, CUDA and Rust" });
            }
            (_, Some(64)) if source.products => {
                return Err(Error::Fact { reason: "division by products is for integers of 32 bits" });
            }
            _ if source.products => Some(32),
            (Language::Python, _) => Some(64),
            (Language::Wgsl, _) => Some(32),
            (_, bits) => bits,
        };
        let mut narrow = false;
        if !matches!(bits, Some(64)) {
            match self.narrow(plan, bounds, source) {
                Ok(Some(guard)) if bits.is_some() || guard.is_always() => {
                    (plan.guard, narrow) = (guard, true);
                }
                Ok(None) if bits.is_some() => {
                    return Err(Error::Fact { reason: "the offsets are not known to fit in 32 bits" });
                }
                Err(error) if bits.is_some() => return Err(error),
                _ => {}
            }
        }
        plan.integer = language.integer(if narrow { 32 } else { 64 }, plan.signed);
        Ok(())
    }

    /// Refuses a name that source text cannot contain.
    pub(super) const fn check_name_word(&self, v: usize) -> Result<(), Error> {
        let name = self.name_bytes(v);
        if name[0] == b'?' { Ok(()) } else { check_word(name) }
    }

    /// The names and quotients that occur; the names have to be valid in the languages.
    const fn find_variables(&self, plan: &mut Plan, bounds: &[Number]) -> Result<(), Error> {
        let (mut mask, mut i) = (0, 0);
        while i < plan.terms.len() {
            let Term { start, extent, wraps, stride, .. } = plan.terms.as_slice()[i];
            mask |= self.variables(start) | self.variables(stride);
            mask |= if wraps { self.variables(extent) } else { 0 };
            i += 1;
        }
        i = 0;
        while i < bounds.len() {
            mask |= self.variables(bounds[i]);
            i += 1;
        }
        plan.variables = self.variables_behind(mask);
        let mut v = 0;
        while v < MAX_VARIABLES {
            if plan.variables >> v & 1 == 1 && v < MAX_NAMES {
                tri!(self.check_name_word(v));
                plan.signed |= !matches!(self.nonnegative(&Polynomial::variable(v)), Some(true));
            } else if plan.variables >> v & 1 == 1 {
                let numerator = self.quotients.as_slice()[v - MAX_NAMES].numerator;
                plan.signed |= !matches!(self.nonnegative(&self.polynomial(numerator)), Some(true));
            }
            v += 1;
        }
        Ok(())
    }

    /// The guard under which all computed values fit 31 bits; `None` if that is refuted, or a number of unknown sign has no
    /// bounds.
    const fn narrow(
        &mut self,
        plan: &Plan,
        bounds: &[Number],
        source: &Source<'_>,
    ) -> Result<Option<Guard>, Error> {
        let mut narrow = Narrow { guard: Guard::ALWAYS, refuted: false };
        let (terms, limits, mut i) = (plan.terms.as_slice(), plan.limits.as_slice(), 0);
        let xor = !terms.is_empty() && terms[0].unit.is_xor();
        let mut swizzled = source.swizzle.source_mask() | source.swizzle.target_mask();
        if xor {
            swizzled |= tri!(self.bits_of(terms));
        } else {
            let (Some(down), Some(up)) =
                (tri!(self.largest_sum(terms, false)), tri!(self.largest_sum(terms, true)))
            else {
                return Ok(None);
            };
            tri!(narrow.require(self, &tri!(up.plus(source.offset))));
            tri!(narrow.require(self, &tri!(down.plus(source.offset.saturating_neg()))));
        }
        swizzled |= if source.offset < 0 { 0 } else { source.offset };
        narrow.refuted |= swizzled > MAX_NARROW;
        while i < limits.len() {
            tri!(narrow.require(self, &self.polynomial(limits[i])));
            i += 1;
        }
        i = 0;
        while i < terms.len() {
            let Term { start, extent, wraps, stride, .. } = terms[i];
            tri!(narrow.require_sides(self, start));
            tri!(narrow.require_sides(self, stride));
            if wraps {
                tri!(narrow.require_sides(self, extent));
            }
            i += 1;
        }
        i = 0;
        while i < bounds.len() {
            tri!(narrow.require_sides(self, bounds[i]));
            i += 1;
        }
        let mut v = 0;
        while v < MAX_VARIABLES {
            if plan.variables >> v & 1 == 1 {
                let number = tri!(self.intern(&Polynomial::variable(v)));
                tri!(narrow.require_sides(self, number));
            }
            if plan.variables >> v & 1 == 1 && v >= MAX_NAMES {
                let quotient = self.quotients.as_slice()[v - MAX_NAMES];
                tri!(narrow.require_sides(self, quotient.numerator));
                tri!(narrow.require_sides(self, quotient.denominator));
            }
            v += 1;
        }
        Ok(if narrow.refuted { None } else { Some(self.tidy(&narrow.guard)) })
    }

    /// The bits that XOR strides reach.
    const fn bits_of(&self, terms: &[Term]) -> Result<i64, Error> {
        let (mut bits, mut i) = (0, 0);
        while i < terms.len() {
            let (Some((extent, 1)), Some((stride, 1))) =
                (self.polynomial(terms[i].extent).constant(), self.polynomial(terms[i].stride).constant())
            else {
                return Err(Error::Codomain { operation: "an index expression", found: Codomain::Xor });
            };
            let digit = i64::MAX >> (extent - 1).leading_zeros().saturating_sub(1);
            bits |= tri!(int::carryless_mul(digit, stride));
            i += 1;
        }
        Ok(bits)
    }

    /// A bound of the sum of those terms, or parts of terms, that are positive, or of the negated others; none where
    /// there is none.
    const fn largest_sum(&self, terms: &[Term], up: bool) -> Result<Option<Polynomial>, Error> {
        let (mut sum, mut i) = (Polynomial::ZERO, 0);
        while i < terms.len() {
            let steps = tri!(self.polynomial(terms[i].extent).plus(-1));
            let Some(part) = self.part_of(&self.polynomial(terms[i].stride), up) else { return Ok(None) };
            sum = tri!(sum.add(&tri!(steps.mul(&part))));
            i += 1;
        }
        Ok(Some(sum))
    }

    /// A number of 0 or more that `p`, or with `up` false its negative, does not exceed.
    pub(super) const fn part_of(&self, p: &Polynomial, up: bool) -> Option<Polynomial> {
        match self.nonnegative(p) {
            Some(sign) if sign != up => Some(Polynomial::ZERO),
            Some(true) => Some(*p),
            Some(false) => match p.negated() {
                Ok(negative) => Some(negative),
                Err(_) => None,
            },
            None if self.is_of_naturals(p) => Some(side_of(p, if up { 1 } else { -1 })),
            None => match self.magnitude(p) {
                Some(size) => Some(Polynomial::integer(size)),
                None => None,
            },
        }
    }

    /// Whether no name or quotient in it may be negative.
    const fn is_of_naturals(&self, p: &Polynomial) -> bool {
        let (terms, mut i) = (p.terms(), 0);
        while i < terms.len() {
            let mut rest = terms[i].monomial;
            while let Some(v) = rest.first() {
                if !matches!(self.nonnegative(&Polynomial::variable(v)), Some(true)) {
                    return false;
                }
                rest = rest.without(v);
            }
            i += 1;
        }
        true
    }

    /// A bound of the sizes of all partial sums of its terms before the division by its denominator, by the bounds of its
    /// names.
    const fn magnitude(&self, p: &Polynomial) -> Option<i64> {
        let (terms, mut sum, mut i) = (p.terms(), 0u64, 0);
        while i < terms.len() {
            let (mut size, mut rest) = (terms[i].coefficient.unsigned_abs(), terms[i].monomial);
            while let Some(v) = rest.first() {
                let Some(most) = self.magnitude_of(v) else { return None };
                let mut k = rest.exponent(v);
                while k > 0 {
                    let Some(product) = size.checked_mul(most.unsigned_abs()) else { return None };
                    size = product;
                    k -= 1;
                }
                rest = rest.without(v);
            }
            let Some(next) = sum.checked_add(size) else { return None };
            sum = next;
            i += 1;
        }
        if sum <= i64::MAX as u64 { Some(sum as i64) } else { None }
    }

    /// A bound of the size of a name or a quotient.
    const fn magnitude_of(&self, v: usize) -> Option<i64> {
        if v >= MAX_NAMES {
            // The divisor is 1 or more, and -1/2 is rounded to -1.
            let numerator = self.polynomial(self.quotients.as_slice()[v - MAX_NAMES].numerator);
            return match self.magnitude(&numerator) {
                Some(size) => size.checked_add(1),
                None => None,
            };
        }
        let own = Polynomial::variable(v);
        let (Ok(form), Ok(negative)) = (self.free(&own), own.negated()) else { return None };
        let Ok(opposite) = self.free(&negative) else { return None };
        match (self.lower(&form), self.lower(&opposite)) {
            (Some(low), Some(high)) => {
                let size = if low < high { low } else { high };
                if size < 0 { int::narrow(-size) } else { Some(0) }
            }
            _ => None,
        }
    }
}

/// The conditions under which numbers fit 31 bits.
struct Narrow {
    guard: Guard,
    refuted: bool,
}

impl Narrow {
    const fn require(&mut self, scope: &mut Scope, p: &Polynomial) -> Result<(), Error> {
        let mut clause = Clause::new();
        clause.or();
        tri!(clause.nonnegative(scope, &tri!(tri!(p.negated()).plus(MAX_NARROW))));
        self.refuted |= matches!(tri!(clause.require(&mut self.guard)), Err(Refuted));
        Ok(())
    }

    /// Requires it for the positive and the negative part of a polynomial, before the division by its denominator.
    const fn require_sides(&mut self, scope: &mut Scope, number: Number) -> Result<(), Error> {
        let p = scope.polynomial(number);
        let whole = Polynomial::of(1, p.terms());
        if !scope.is_of_naturals(&whole) {
            let size = scope.magnitude(&whole);
            self.refuted |= !matches!(size, Some(size) if size <= MAX_NARROW);
            return self.require(scope, &Polynomial::integer(p.denominator));
        }
        tri!(self.require(scope, &side_of(&whole, 1)));
        tri!(self.require(scope, &side_of(&whole, -1)));
        self.require(scope, &Polynomial::integer(p.denominator))
    }
}

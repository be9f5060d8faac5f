//! The width of the integers of a text: bounds of all numbers that are computed.

use super::plan::{Plan, Term};
use super::reserved::check_word;
use super::source::{Language, Source};
use crate::guard::{Clause, Guard};
use crate::number::{Number, Variable};
use crate::scope::Scope;
use tilework::__private::int;
use tilework::{Codomain, Error};

/// The largest value of a signed integer of 32 bits.
const MAX_NARROW: i64 = i32::MAX as i64;

impl Scope {
    pub(super) fn choose_integer(
        &self,
        plan: &mut Plan,
        bounds: &[Number],
        source: &Source<'_>,
    ) -> Result<(), Error> {
        let Source { language, bits, .. } = *source;
        self.find_variables(plan, bounds)?;
        let is_backwards = |term: &Term| !term.unit.is_xor() && self.nonnegative(&term.stride) != Some(true);
        plan.signed |= self.nonnegative(&plan.offset) != Some(true) || plan.terms.iter().any(is_backwards);
        let bits = match (language, bits) {
            (_, Some(bits)) if bits != 32 && bits != 64 || bits == 64 && language == Language::Wgsl => {
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
        if bits != Some(64) {
            match self.narrow(plan, bounds) {
                Ok(Some(guard)) if bits.is_some() || guard.is_always() => {
                    plan.guard.push_all(&guard);
                    narrow = true;
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
    pub(super) fn check_name_word(&self, name: usize) -> Result<(), Error> {
        let name = &self.names[name];
        if name.starts_with('?') { Ok(()) } else { check_word(name) }
    }

    /// The names and quotients that occur; the names have to be valid in the languages.
    fn find_variables(&self, plan: &mut Plan, bounds: &[Number]) -> Result<(), Error> {
        let terms = plan.terms.iter().flat_map(|Term { start, extent, wraps, stride, .. }| {
            [Some(start), Some(stride), wraps.then_some(extent)].into_iter().flatten()
        });
        plan.variables = self.variables_of(terms.chain([&plan.offset]).chain(bounds));
        for variable in &plan.variables {
            let is_natural = match variable.as_quotient() {
                Some(quotient) => self.nonnegative(&self.quotients[quotient].numerator),
                None => self.nonnegative(&Number::variable(*variable)),
            };
            plan.signed |= is_natural != Some(true);
            if let Some(name) = variable.as_name() {
                self.check_name_word(name)?;
            }
        }
        Ok(())
    }

    /// The guard under which all computed values fit 31 bits; `None` if that is refuted, or a number of unknown sign has no
    /// bounds.
    fn narrow(&self, plan: &Plan, bounds: &[Number]) -> Result<Option<Guard>, Error> {
        let mut narrow = Narrow { scope: self, guard: Guard::ALWAYS, refuted: false };
        let terms = &plan.terms;
        let mut swizzled = plan.swizzle.source_mask() | plan.swizzle.target_mask();
        if terms.first().is_some_and(|term| term.unit.is_xor()) {
            swizzled |= bits_of(terms)? | plan.offset.last();
        } else {
            let (Some(down), Some(up)) = (self.largest_sum(plan, false)?, self.largest_sum(plan, true)?)
            else {
                return Ok(None);
            };
            narrow.require(&up)?;
            narrow.require(&down)?;
            narrow.require_sides(&plan.offset)?;
        }
        narrow.refuted |= swizzled > MAX_NARROW;
        plan.limits.iter().try_for_each(|limit| narrow.require(limit))?;
        for Term { start, extent, wraps, stride, .. } in terms {
            narrow.require_sides(start)?;
            narrow.require_sides(stride)?;
            wraps.then_some(extent).map_or(Ok(()), |extent| narrow.require_sides(extent))?;
        }
        bounds.iter().try_for_each(|bound| narrow.require_sides(bound))?;
        for variable in &plan.variables {
            narrow.require_sides(&Number::variable(*variable))?;
            if let Some(index) = variable.as_quotient() {
                narrow.require_sides(&self.quotients[index].numerator)?;
                narrow.require_sides(&self.quotients[index].denominator)?;
            }
        }
        Ok((!narrow.refuted).then(|| self.tidy(&narrow.guard)))
    }

    /// A bound of the sum of the offset and those terms, or parts of them, that are positive, or of the negated others; none
    /// where there is none.
    fn largest_sum(&self, plan: &Plan, up: bool) -> Result<Option<Number>, Error> {
        let Some(mut sum) = self.part_of(&plan.offset, up) else { return Ok(None) };
        for term in &plan.terms {
            let Some(part) = self.part_of(&term.stride, up) else { return Ok(None) };
            sum = sum.add(&term.extent.plus(-1)?.mul(&part)?)?;
        }
        Ok(Some(sum))
    }

    /// A number of 0 or more that `p`, or with `up` false its negative, does not exceed.
    pub(super) fn part_of(&self, p: &Number, up: bool) -> Option<Number> {
        match self.nonnegative(p) {
            Some(sign) if sign != up => Some(Number::zero()),
            Some(true) => Some(p.clone()),
            Some(false) => p.negated().ok(),
            None if self.is_of_naturals(p) => Some(p.side(!up)),
            None => self.magnitude(p).map(Number::integer),
        }
    }

    /// Whether no name or quotient in it may be negative.
    fn is_of_naturals(&self, p: &Number) -> bool {
        p.variables().all(|variable| self.nonnegative(&Number::variable(variable)) == Some(true))
    }

    /// A bound of the sizes of all partial sums of its terms before the division by its denominator, by the bounds of its
    /// names.
    fn magnitude(&self, p: &Number) -> Option<i64> {
        let mut sum = 0u64;
        for term in p.terms() {
            let mut size = term.coefficient.unsigned_abs();
            for &variable in term.monomial.factors() {
                size = size.checked_mul(self.magnitude_of(variable)?.unsigned_abs())?;
            }
            sum = sum.checked_add(size)?;
        }
        i64::try_from(sum).ok()
    }

    /// A bound of the size of a name or a quotient.
    fn magnitude_of(&self, variable: Variable) -> Option<i64> {
        if let Some(index) = variable.as_quotient() {
            // The divisor is 1 or more, and -1/2 is rounded to -1.
            return self.magnitude(&self.quotients[index].numerator)?.checked_add(1);
        }
        let own = Number::variable(variable);
        let (form, opposite) = (self.free(&own).ok()?, self.free(&own.negated().ok()?).ok()?);
        let size = self.lower(&form)?.min(self.lower(&opposite)?);
        if size < 0 { int::narrow(-size) } else { Some(0) }
    }
}

/// The bits that XOR strides reach.
fn bits_of(terms: &[Term]) -> Result<i64, Error> {
    terms.iter().try_fold(0, |bits, term| {
        let (Some(extent), Some(stride)) = (term.extent.as_integer(), term.stride.as_integer()) else {
            return Err(Error::Codomain { operation: "an index expression", found: Codomain::Xor });
        };
        let digit = i64::MAX >> (extent - 1).leading_zeros().saturating_sub(1);
        Ok(bits | int::carryless_mul(digit, stride)?)
    })
}

/// The conditions under which numbers fit 31 bits.
struct Narrow<'a> {
    scope: &'a Scope,
    guard: Guard,
    refuted: bool,
}

impl Narrow<'_> {
    fn require(&mut self, p: &Number) -> Result<(), Error> {
        let room = p.negated()?.plus(MAX_NARROW)?;
        self.refuted |= Clause::new().nonnegative(self.scope, &room)?.require(&mut self.guard).is_err();
        Ok(())
    }

    /// Requires it for the positive and the negative part of a number, before the division by its denominator.
    fn require_sides(&mut self, p: &Number) -> Result<(), Error> {
        let whole = p.numerator();
        if !self.scope.is_of_naturals(&whole) {
            self.refuted |= self.scope.magnitude(&whole).is_none_or(|size| size > MAX_NARROW);
        } else {
            self.require(&whole.side(false))?;
            self.require(&whole.side(true))?;
        }
        self.require(&Number::integer(p.denominator))
    }
}

//! The contents of a text: the digits of a coordinate with their factors, and the integer type.

use super::reserved::check_word;
use super::source::{Language, Source};
use crate::guard::{Clause, Guard, Refuted};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::list::List;
use crate::polynomial::{MAX_NAMES, MAX_VARIABLES, Polynomial};
use crate::pool::Number;
use crate::print::side_of;
use crate::scope::{Scope, same_bytes};
use tilework::__private::Part;
use tilework::Codomain;
use tilework::Error;
use tilework::Unit;
use tilework::{HTuple, MAX_LEAVES};

/// The most values that get a name.
const MAX_NAMED: usize = 16;

/// The largest value of a signed integer of 32 bits.
const MAX_NARROW: i64 = i32::MAX as i64;

/// `floor(x / start) % extent * stride` of a name of the coordinate, without `%` where it does not wrap.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub name: usize,
    pub start: Number,
    pub extent: Number,
    pub wraps: bool,
    pub stride: Number,
    pub unit: Unit,
}

/// A value that occurs more than once, and the number in its name.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub number: Number,
    pub suffix: u32,
}

pub(super) struct Plan {
    pub terms: List<Term, MAX_LEAVES>,
    /// The largest value of each name of the coordinate.
    limits: List<Number, MAX_LEAVES>,
    pub named: List<Named, MAX_NAMED>,
    /// The divisors that are parameters.
    pub divisors: List<Named, MAX_NAMED>,
    /// The suffix of the next unused name.
    pub free_suffix: u32,
    /// The names and quotients that occur in all numbers, as bits.
    pub variables: u32,
    pub signed: bool,
    pub integer: &'static str,
    pub guard: Guard,
}

impl Scope {
    /// The terms of an offset.
    pub(super) const fn plan(&mut self, layout: &SymbolicLayout, source: &Source<'_>) -> Result<Plan, Error> {
        let mut plan = tri!(self.terms(layout, source));
        let (terms, mut i) = (plan.terms.as_slice(), 0);
        while i < terms.len() {
            if terms[i].unit.depth() > 0 {
                return Err(Error::Codomain {
                    operation: "an index expression",
                    found: Codomain::Coordinate,
                });
            }
            i += 1;
        }
        tri!(self.choose_integer(&mut plan, &[], source));
        if source.swizzle.bits() > 0 && plan.signed {
            let least = tri!(self.reach_of(plan.terms.as_slice(), false));
            if !matches!(least, Some(least) if matches!(self.at_least(&least, source.offset.saturating_neg()), Some(true)))
            {
                return Err(Error::Fact { reason: "a swizzle takes offsets of 0 or more" });
            }
        }
        Ok(plan)
    }

    /// The terms of coordinates whose components have bounds; those of components that need no check are omitted.
    pub(super) const fn plan_of_components(
        &mut self,
        layout: &SymbolicLayout,
        bounds: &[Number],
        source: &Source<'_>,
    ) -> Result<Plan, Error> {
        let mut plan = tri!(self.terms(layout, source));
        let (all, mut component, mut i) = (plan.terms, 0, 0);
        plan.terms.truncate(0);
        while i < all.len() {
            if !matches!(component_of(all.as_slice()[i].unit), Some(k) if k < bounds.len()) {
                let found =
                    if all.as_slice()[i].unit.is_xor() { Codomain::Xor } else { Codomain::Coordinate };
                return Err(Error::Codomain { operation: "a predicate", found });
            }
            i += 1;
        }
        while component < bounds.len() {
            let bound = tri!(self.checked(bounds[component]));
            let (start, mut i) = (plan.terms.len(), 0);
            while i < all.len() {
                if matches!(component_of(all.as_slice()[i].unit), Some(k) if k == component) {
                    tri!(plan.terms.push(all.as_slice()[i], "modes of a layout"));
                }
                i += 1;
            }
            let own = plan.terms.as_slice().split_at(start).1;
            match tri!(self.reach_of(own, false)) {
                Some(least) if least.is_zero() => {}
                _ => return Err(Error::Fact { reason: "a predicate needs components of 0 or more" }),
            }
            if let Some(most) = tri!(self.reach_of(own, true))
                && matches!(self.at_least(&tri!(bound.sub(&most)), 1), Some(true))
            {
                plan.terms.truncate(start);
            }
            component += 1;
        }
        tri!(self.choose_integer(&mut plan, bounds, source));
        Ok(plan)
    }

    /// The terms of loops over all leaves, and the advances of the offset between them.
    pub(super) const fn plan_of_loops(
        &mut self,
        layout: &SymbolicLayout,
        source: &Source<'_>,
    ) -> Result<Plan, Error> {
        tri!(self.check(layout));
        let (leaves, names) = (layout.leaves(), source.coordinate);
        if names.len() != leaves.len() {
            let (operation, expected, found) = ("the names of loops", leaves.len(), names.len());
            return Err(Error::Rank { operation, expected, found });
        }
        let (mut plan, start) = (tri!(self.empty_plan()), tri!(self.integer(1)));
        let (mut above, mut below, mut k) = (Polynomial::ZERO, Polynomial::ZERO, 0);
        while k < leaves.len() {
            let SymbolicLeaf { extent, stride, unit } = leaves[k];
            tri!(check_names(names, k));
            if !unit.is_one() {
                let found = if unit.is_xor() { Codomain::Xor } else { Codomain::Coordinate };
                return Err(Error::Codomain { operation: "loops", found });
            }
            tri!(self.check_stride(stride));
            let term = Term { name: k, start, extent, wraps: true, stride, unit };
            tri!(plan.terms.push(term, "modes of a layout"));
            tri!(plan.limits.push(extent, "modes of a layout"));
            plan.signed |= !matches!(self.nonnegative(&tri!(self.advance(leaves, k))), Some(true));
            // After the last step of a loop the offset is one stride further.
            let step = self.polynomial(stride);
            let reach = tri!(self.polynomial(extent).mul(&step));
            if matches!(self.nonnegative(&step), Some(true)) {
                above = tri!(above.add(&reach));
            } else {
                below = tri!(below.sub(&reach));
            }
            k += 1;
        }
        let reaches = [tri!(self.intern(&above)), tri!(self.intern(&below))];
        tri!(self.choose_integer(&mut plan, &reaches, source));
        Ok(plan)
    }

    /// The number that is added when the loop over mode `k` advances.
    pub(super) const fn advance(&self, leaves: &[SymbolicLeaf], k: usize) -> Result<Polynomial, Error> {
        let step = self.polynomial(leaves[k].stride);
        if k == 0 {
            return Ok(step);
        }
        let within = leaves[k - 1];
        step.sub(&tri!(self.polynomial(within.extent).mul(&self.polynomial(within.stride))))
    }

    const fn empty_plan(&mut self) -> Result<Plan, Error> {
        let unused = tri!(self.integer(0));
        let term =
            Term { name: 0, start: unused, extent: unused, wraps: false, stride: unused, unit: Unit::ONE };
        Ok(Plan {
            terms: List::new(term),
            limits: List::new(unused),
            named: List::new(Named { number: unused, suffix: 0 }),
            divisors: List::new(Named { number: unused, suffix: 0 }),
            free_suffix: 0,
            variables: 0,
            signed: false,
            integer: "",
            guard: Guard::ALWAYS,
        })
    }

    /// The digits of a coordinate that are not known to be 0, and whose stride is not.
    const fn terms(&mut self, layout: &SymbolicLayout, source: &Source<'_>) -> Result<Plan, Error> {
        tri!(self.check(layout));
        let mut plan = tri!(self.empty_plan());
        let (tuple, names) = (layout.as_tuple(), source.coordinate);
        let (whole, mut i) = (Part::whole(tuple), 0);
        while i < names.len() {
            tri!(check_names(names, i));
            let leaves = if names.len() == 1 {
                tuple.leaves()
            } else if names.len() == tuple.rank() && !tuple.is_leaf() {
                tri!(whole.mode(i)).leaves()
            } else if names.len() == tuple.leaves().len() {
                tuple.leaves().split_at(i).1.split_at(1).0
            } else {
                break;
            };
            tri!(self.push_terms(i, names[i], leaves, &mut plan));
            i += 1;
        }
        if i == 0 || i < names.len() {
            let (operation, expected, found) = ("the names of a coordinate", tuple.rank(), names.len());
            return Err(Error::Rank { operation, expected, found });
        }
        Ok(plan)
    }

    const fn push_terms(
        &mut self,
        name: usize,
        word: &str,
        leaves: &[SymbolicLeaf],
        plan: &mut Plan,
    ) -> Result<(), Error> {
        let limit = match self.find_bytes(word.as_bytes()) {
            Some(index) => Polynomial::variable(index),
            None => tri!(tri!(self.size_of(leaves)).plus(-1)),
        };
        tri!(plan.limits.push(tri!(self.intern(&limit)), "modes of a layout"));
        let mut flat = HTuple::builder(SymbolicLeaf::UNUSED);
        tri!(self.merge_into(leaves, false, &mut flat));
        let (mut below, mut i) = (Polynomial::integer(1), 0);
        while i < flat.leaves().len() {
            let SymbolicLeaf { extent, stride, unit } = flat.leaves()[i];
            let start = below;
            below = tri!(below.mul(&self.polynomial(extent)));
            i += 1;
            if matches!(self.at_least(&tri!(start.sub(&limit)), 1), Some(true)) {
                break;
            }
            let wraps =
                i < flat.leaves().len() && !matches!(self.at_least(&tri!(below.sub(&limit)), 1), Some(true));
            let step = self.polynomial(stride);
            if matches!(self.is_zero(&step), Some(true)) {
                continue;
            }
            tri!(self.check_stride(stride));
            let start = tri!(self.intern(&start));
            tri!(plan.terms.push(Term { name, start, extent, wraps, stride, unit }, "modes of a layout"));
        }
        Ok(())
    }

    /// Refuses a stride that may not be an integer.
    const fn check_stride(&self, stride: Number) -> Result<(), Error> {
        let step = self.polynomial(stride);
        if matches!(self.is_integer(&step), Some(false)) {
            let (numerator, denominator) = (step.last(), step.denominator);
            return Err(Error::NotIntegral { operation: "source text", numerator, denominator });
        }
        Ok(())
    }

    /// The smallest or largest value of a sum of terms; none if the sign of a stride is unknown.
    const fn reach_of(&self, terms: &[Term], up: bool) -> Result<Option<Polynomial>, Error> {
        let (mut sum, mut i) = (Polynomial::ZERO, 0);
        while i < terms.len() {
            let stride = self.polynomial(terms[i].stride);
            match self.nonnegative(&stride) {
                Some(sign) if sign == up => {
                    let steps = tri!(self.polynomial(terms[i].extent).plus(-1));
                    sum = tri!(sum.add(&tri!(steps.mul(&stride))));
                }
                Some(_) => {}
                None => return Ok(None),
            }
            i += 1;
        }
        Ok(Some(sum))
    }

    // ---- the integers

    const fn choose_integer(
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
                tri!(check_word(self.name_bytes(v)));
            } else if plan.variables >> v & 1 == 1 {
                let numerator = self.quotients.as_slice()[v - MAX_NAMES].numerator;
                plan.signed |= !matches!(self.nonnegative(&self.polynomial(numerator)), Some(true));
            }
            v += 1;
        }
        Ok(())
    }

    /// The guard under which all computed values fit 31 bits; `None` if that is refuted or a sign is unknown.
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
            let (Some(least), Some(most)) =
                (tri!(self.reach_of(terms, false)), tri!(self.reach_of(terms, true)))
            else {
                return Ok(None);
            };
            tri!(narrow.require(self, &tri!(most.plus(source.offset))));
            tri!(narrow.require(self, &tri!(tri!(least.plus(source.offset)).negated())));
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
            bits |= tri!(crate::int::carryless_mul(digit, stride));
            i += 1;
        }
        Ok(bits)
    }

    // ---- what has a name

    /// Makes the divisors that are not numbers parameters, and removes the names that occur only in these from the
    /// variables.
    pub(super) const fn take_divisors(&mut self, plan: &mut Plan, source: &Source<'_>) -> Result<(), Error> {
        if plan.signed {
            return Err(Error::Fact { reason: "division by products is for strides of 0 or more" });
        }
        let (mut i, mut suffix) = (0, 0);
        plan.variables = 0;
        while i < 2 * plan.terms.len() {
            let Term { start, extent, wraps, stride, .. } = plan.terms.as_slice()[i / 2];
            let number = if i % 2 == 0 { start } else { extent };
            plan.variables |= self.variables(stride);
            let divides = (i % 2 == 0 || wraps) && self.polynomial(number).constant().is_none();
            if divides && plan.divisor_of(number).is_none() {
                while self.is_taken(b'd', suffix, source.coordinate) {
                    suffix += 1;
                }
                tri!(plan.divisors.push(Named { number, suffix }, "divisors"));
                suffix += 1;
            }
            i += 1;
        }
        plan.variables = self.variables_behind(plan.variables);
        Ok(())
    }

    /// The variables, and those in the definitions of their quotients.
    const fn variables_behind(&self, variables: u32) -> u32 {
        let (mut mask, mut v) = (variables, MAX_VARIABLES);
        while v > MAX_NAMES {
            v -= 1;
            if mask >> v & 1 == 1 {
                let quotient = self.quotients.as_slice()[v - MAX_NAMES];
                mask |= self.variables(quotient.numerator) | self.variables(quotient.denominator);
            }
        }
        mask
    }

    /// Names the quotients, and the numbers of more than one name or term, that occur more than once.
    pub(super) const fn name_what_repeats(
        &mut self,
        plan: &mut Plan,
        source: &Source<'_>,
    ) -> Result<(), Error> {
        let mut uses = List::<Number, { 3 * MAX_LEAVES }>::new(Number::UNUSED);
        let mut i = 0;
        while i < plan.terms.len() {
            let Term { start, extent, wraps, stride, .. } = plan.terms.as_slice()[i];
            tri!(uses.push(stride, "uses of numbers"));
            if plan.divisor_of(start).is_none() {
                tri!(uses.push(start, "uses of numbers"));
            }
            if wraps && plan.divisor_of(extent).is_none() {
                tri!(uses.push(extent, "uses of numbers"));
            }
            i += 1;
        }
        plan.free_suffix = self.free_suffix(0, source.coordinate);
        let mut v = MAX_NAMES;
        while v < MAX_VARIABLES {
            let (mut count, mut i) = (0, 0);
            while i < uses.len() {
                count += self.variables(uses.as_slice()[i]) >> v & 1;
                i += 1;
            }
            if count > 1 {
                let number = tri!(self.intern(&Polynomial::variable(v)));
                tri!(self.name(number, plan, source));
            }
            v += 1;
        }
        i = 0;
        while i < uses.len() {
            let (number, mut count, mut other) = (uses.as_slice()[i], 0, i);
            while other < uses.len() {
                count += uses.as_slice()[other].same(number) as u32;
                other += 1;
            }
            let p = self.polynomial(number);
            let plain = p.constant().is_some() || is_word(&p);
            if count > 1 && !plain && plan.name_of(number).is_none() {
                tri!(self.name(number, plan, source));
            }
            i += 1;
        }
        Ok(())
    }

    /// Gives a value the next of the names `t0`, `t1`, ... that is unused; if there are too many, it gets none.
    const fn name(&self, number: Number, plan: &mut Plan, source: &Source<'_>) -> Result<(), Error> {
        if plan.named.len() < MAX_NAMED {
            let suffix = plan.free_suffix;
            tri!(plan.named.push(Named { number, suffix }, "values with a name"));
            plan.free_suffix = self.free_suffix(suffix + 1, source.coordinate);
        }
        Ok(())
    }

    /// The first number from `suffix` on for which `t` with this number is not a name of the coordinate or of the
    /// scope.
    const fn free_suffix(&self, suffix: u32, coordinate: &[&str]) -> u32 {
        let mut suffix = suffix;
        while self.is_taken(b't', suffix, coordinate) {
            suffix += 1;
        }
        suffix
    }

    /// Whether a letter with this number is a name of the coordinate, or of the scope.
    const fn is_taken(&self, letter: u8, suffix: u32, coordinate: &[&str]) -> bool {
        let (mut taken, mut i) = (false, 0);
        while i < coordinate.len() {
            taken |= is_name(coordinate[i].as_bytes(), letter, suffix);
            i += 1;
        }
        i = 0;
        while i < self.name_count() {
            taken |= is_name(self.name_bytes(i), letter, suffix);
            i += 1;
        }
        taken
    }
}

impl Plan {
    /// The suffix of the name of a value, if it has one.
    const fn name_of(&self, number: Number) -> Option<u32> {
        suffix_of(self.named.as_slice(), number)
    }

    /// The suffix of the name of a divisor that is a parameter.
    pub const fn divisor_of(&self, number: Number) -> Option<u32> {
        suffix_of(self.divisors.as_slice(), number)
    }
}

pub(super) const fn suffix_of(named: &[Named], number: Number) -> Option<u32> {
    let mut i = 0;
    while i < named.len() {
        if named[i].number.same(number) {
            return Some(named[i].suffix);
        }
        i += 1;
    }
    None
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
        tri!(self.require(scope, &side_of(&whole, 1)));
        tri!(self.require(scope, &side_of(&whole, -1)));
        self.require(scope, &Polynomial::integer(p.denominator))
    }
}

/// Refuses name `i` of a coordinate if it is not a name, or occurs before.
const fn check_names(names: &[&str], i: usize) -> Result<(), Error> {
    tri!(check_word(names[i].as_bytes()));
    let mut other = 0;
    while other < i {
        if same_bytes(names[other].as_bytes(), names[i].as_bytes()) {
            return Err(Error::Fact { reason: "a coordinate has two equal names" });
        }
        other += 1;
    }
    Ok(())
}

/// The component of a unit; the only one for integers.
pub(super) const fn component_of(unit: Unit) -> Option<usize> {
    match unit.depth() {
        0 if unit.is_one() => Some(0),
        1 => Some(unit.index(0)),
        _ => None,
    }
}

/// Whether a polynomial is a single number or name.
pub(super) const fn is_word(p: &Polynomial) -> bool {
    let terms = p.terms();
    p.denominator == 1
        && (terms.is_empty()
            || terms.len() == 1
                && (terms[0].monomial.is_one() && terms[0].coefficient > 0
                    || terms[0].coefficient == 1
                        && terms[0].monomial.degree() == 1
                        && matches!(terms[0].monomial.first(), Some(v) if v < MAX_NAMES)))
}

/// Whether a word is a letter with this number.
const fn is_name(word: &[u8], letter: u8, suffix: u32) -> bool {
    if word.len() < 2 || word.len() > 9 || word[0] != letter || word.len() > 2 && word[1] == b'0' {
        return false;
    }
    let (mut value, mut i) = (0, 1);
    while i < word.len() {
        if !word[i].is_ascii_digit() {
            return false;
        }
        value = 10 * value + (word[i] - b'0') as u32;
        i += 1;
    }
    value == suffix
}

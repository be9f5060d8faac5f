//! The contents of a text: the digits of a coordinate with their factors.

use super::reserved::check_word;
use super::source::Source;
use crate::guard::Guard;
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::list::List;
use crate::polynomial::{MAX_NAMES, MAX_VARIABLES, Polynomial};
use crate::pool::Number;
use crate::scope::{Scope, same_bytes};
use tilework::__private::Part;
use tilework::Codomain;
use tilework::Error;
use tilework::Unit;
use tilework::{HTuple, MAX_LEAVES};

/// The most values that get a name.
const MAX_NAMED: usize = 16;

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
    pub limits: List<Number, MAX_LEAVES>,
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
        let mut plan = tri!(self.terms(layout, &[], source));
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
        let mut plan = tri!(self.terms(layout, bounds, source));
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
        tri!(self.check_names(layout, &[], names));
        let (mut plan, start) = (tri!(self.empty_plan()), tri!(self.integer(1)));
        let mut reaches = List::<Number, { MAX_LEAVES + 2 }>::new(start);
        let (mut above, mut below, mut k) = (Polynomial::ZERO, Polynomial::ZERO, 0);
        while k < leaves.len() {
            let SymbolicLeaf { extent, stride, unit } = leaves[k];
            if !unit.is_one() {
                let found = if unit.is_xor() { Codomain::Xor } else { Codomain::Coordinate };
                return Err(Error::Codomain { operation: "loops", found });
            }
            tri!(self.check_stride(stride));
            let term = Term { name: k, start, extent, wraps: true, stride, unit };
            tri!(plan.terms.push(term, "modes of a layout"));
            tri!(plan.limits.push(extent, "modes of a layout"));
            let advance = tri!(self.advance(leaves, k));
            plan.signed |= !matches!(self.nonnegative(&advance), Some(true));
            tri!(reaches.push(tri!(self.intern(&advance)), "modes of a layout"));
            // After the last step of a loop the offset is one stride further.
            let (extent, step) = (self.polynomial(extent), self.polynomial(stride));
            if let (Some(up), Some(down)) = (self.part_of(&step, true), self.part_of(&step, false)) {
                above = tri!(above.add(&tri!(extent.mul(&up))));
                below = tri!(below.add(&tri!(extent.mul(&down))));
            }
            k += 1;
        }
        above = tri!(above.plus(if source.offset > 0 { source.offset } else { 0 }));
        below = tri!(below.plus(if source.offset < 0 { source.offset.saturating_neg() } else { 0 }));
        tri!(reaches.push(tri!(self.intern(&above)), "modes of a layout"));
        tri!(reaches.push(tri!(self.intern(&below)), "modes of a layout"));
        tri!(self.choose_integer(&mut plan, reaches.as_slice(), source));
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
    const fn terms(
        &mut self,
        layout: &SymbolicLayout,
        bounds: &[Number],
        source: &Source<'_>,
    ) -> Result<Plan, Error> {
        tri!(self.check(layout));
        let mut plan = tri!(self.empty_plan());
        let (tuple, names) = (layout.as_tuple(), source.coordinate);
        let (whole, mut i) = (Part::whole(tuple), 0);
        tri!(self.check_names(layout, bounds, names));
        while i < names.len() {
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

    /// Refuses names of a coordinate that are not names, are equal, or are names in the layout or its bounds.
    const fn check_names(
        &self,
        layout: &SymbolicLayout,
        bounds: &[Number],
        names: &[&str],
    ) -> Result<(), Error> {
        let (leaves, mut own, mut i) = (layout.leaves(), 0, 0);
        while i < leaves.len() {
            own |= self.variables(leaves[i].extent) | self.variables(leaves[i].stride);
            i += 1;
        }
        i = 0;
        while i < bounds.len() {
            tri!(self.checked(bounds[i]));
            own |= self.variables(bounds[i]);
            i += 1;
        }
        own = self.variables_behind(own);
        i = 0;
        while i < names.len() {
            let (word, mut other) = (names[i].as_bytes(), 0);
            tri!(check_word(word));
            if matches!(self.find_bytes(word), Some(index) if own >> index & 1 == 1) {
                return Err(Error::Fact { reason: "a name of the coordinate is a name in the layout" });
            }
            while other < i {
                if same_bytes(names[other].as_bytes(), word) {
                    return Err(Error::Fact { reason: "a coordinate has two equal names" });
                }
                other += 1;
            }
            i += 1;
        }
        Ok(())
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
    pub(super) const fn variables_behind(&self, variables: u32) -> u32 {
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

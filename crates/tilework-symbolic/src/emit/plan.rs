//! The contents of a text: the digits of a coordinate with their factors.

use super::reserved::check_word;
use super::source::Source;
use crate::declarations::Quotient;
use crate::guard::{Condition, Guard};
use crate::layout::{SymbolicLayout, SymbolicLeaf, size_of};
use crate::number::{Number, Variable};
use crate::placed::Placed;
use crate::scope::Scope;
use crate::tuple::Part;
use alloc::vec::Vec;
use tilework::{Codomain, Error, Swizzle, Unit};

/// `floor(x / start) % extent * stride` of a name of the coordinate, without `%` where it does not wrap.
#[derive(Clone)]
pub(super) struct Term {
    pub name: usize,
    pub start: Number,
    pub extent: Number,
    pub wraps: bool,
    pub stride: Number,
    pub unit: Unit,
}

/// A value that occurs more than once, and the number in its name.
#[derive(Clone)]
pub(super) struct Named {
    pub number: Number,
    pub suffix: u32,
}

pub(super) struct Plan {
    pub terms: Vec<Term>,
    /// What is added to the terms; for XOR strides, by XOR.
    pub offset: Number,
    /// What takes the sum.
    pub swizzle: Swizzle,
    /// The largest value of each name of the coordinate.
    pub limits: Vec<Number>,
    pub named: Vec<Named>,
    /// The divisors that are parameters.
    pub divisors: Vec<Named>,
    /// The suffix of the next unused name.
    pub free_suffix: u32,
    /// The names and quotients that occur in all numbers.
    pub variables: Vec<Variable>,
    pub signed: bool,
    pub integer: &'static str,
    pub guard: Guard,
}

impl Plan {
    /// Whether the offset does not depend on coordinates and names.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty() && self.offset.is_constant()
    }
}

impl Scope {
    /// A plan that begins with this offset.
    fn plan_from(&self, offset: &Number, swizzle: Swizzle) -> Result<Plan, Error> {
        let mut guard = Guard::ALWAYS;
        self.check_stride(offset, &mut guard)?;
        Ok(Plan {
            terms: Vec::new(),
            offset: offset.clone(),
            swizzle,
            limits: Vec::new(),
            named: Vec::new(),
            divisors: Vec::new(),
            free_suffix: 0,
            variables: Vec::new(),
            signed: false,
            integer: "",
            guard,
        })
    }

    /// The terms of an offset.
    pub(super) fn plan(&self, placed: &Placed, source: &Source<'_>) -> Result<Plan, Error> {
        let mut plan = self.terms(placed, &[], source)?;
        if plan.terms.iter().any(|term| term.unit.depth() > 0) {
            return Err(Error::Codomain { operation: "an index expression", found: Codomain::Coordinate });
        }
        self.choose_integer(&mut plan, &[], source)?;
        Ok(plan)
    }

    /// The terms of coordinates whose components have bounds; those of components that need no check are omitted.
    pub(super) fn plan_of_components(
        &self,
        layout: &SymbolicLayout,
        bounds: &[Number],
        source: &Source<'_>,
    ) -> Result<Plan, Error> {
        let mut plan = self.terms(&layout.into(), bounds, source)?;
        let all = core::mem::take(&mut plan.terms);
        let is_bounded = |term: &Term| component_of(term.unit).is_some_and(|k| k < bounds.len());
        if let Some(other) = all.iter().find(|term| !is_bounded(term)) {
            let found = if other.unit.is_xor() { Codomain::Xor } else { Codomain::Coordinate };
            return Err(Error::Codomain { operation: "a predicate", found });
        }
        for (component, bound) in bounds.iter().enumerate() {
            let own = all.iter().filter(|term| component_of(term.unit) == Some(component));
            let own: Vec<Term> = own.cloned().collect();
            if self.reach_of(steps(&own), false)?.is_none_or(|least| !least.is_zero()) {
                return Err(Error::Fact { reason: "a predicate needs components of 0 or more" });
            }
            let below = match self.reach_of(steps(&own), true)? {
                Some(most) => self.at_least(&bound.sub(&most)?, 1) == Some(true),
                None => false,
            };
            if !below {
                plan.terms.extend(own);
            }
        }
        self.choose_integer(&mut plan, bounds, source)?;
        Ok(plan)
    }

    /// The numbers of cases, the last as the offset; the coordinate is among their names.
    pub(super) fn plan_of_cases(
        &self,
        cases: &[(Guard, Number)],
        last: &Number,
        source: &Source<'_>,
    ) -> Result<Plan, Error> {
        let values = || cases.iter().map(|(_, number)| number);
        let numbers = cases.iter().flat_map(|(guard, _)| guard.numbers()).chain(values()).cloned();
        let numbers: Vec<Number> = numbers.collect();
        numbers.iter().chain([last]).try_for_each(|number| self.check_number(number))?;
        let mut plan = self.plan_from(last, Swizzle::NONE)?;
        values().try_for_each(|number| self.check_stride(number, &mut plan.guard))?;
        plan.signed = values().any(|number| self.nonnegative(number) != Some(true));
        self.choose_integer(&mut plan, &numbers, source)?;
        Ok(plan)
    }

    /// The terms of loops over all leaves, and the advances of the offset between them.
    pub(super) fn plan_of_loops(&self, placed: &Placed, source: &Source<'_>) -> Result<Plan, Error> {
        let layout = placed.layout();
        self.check(layout)?;
        let (leaves, names) = (layout.leaves(), source.coordinate);
        if names.len() != leaves.len() {
            let (operation, expected, found) = ("the names of loops", leaves.len(), names.len());
            return Err(Error::Rank { operation, expected, found });
        }
        self.check_names(layout, core::slice::from_ref(placed.start()?), names)?;
        let (mut plan, mut reaches) = (self.plan_from(placed.start()?, placed.swizzle())?, Vec::new());
        let (mut above, mut below) = (Number::zero(), Number::zero());
        for (k, SymbolicLeaf { extent, stride, unit, .. }) in leaves.iter().enumerate() {
            if !unit.is_one() {
                let found = if unit.is_xor() { Codomain::Xor } else { Codomain::Coordinate };
                return Err(Error::Codomain { operation: "loops", found });
            }
            self.check_stride(stride, &mut plan.guard)?;
            let (start, extent, stride) = (Number::one(), extent.clone(), stride.clone());
            plan.limits.push(extent.clone());
            let advance = advance(leaves, k)?;
            plan.signed |= self.nonnegative(&advance) != Some(true);
            reaches.push(advance);
            // After the last step of a loop the offset is one stride further.
            if let (Some(up), Some(down)) = (self.part_of(&stride, true), self.part_of(&stride, false)) {
                above = above.add(&extent.mul(&up)?)?;
                below = below.add(&extent.mul(&down)?)?;
            }
            plan.terms.push(Term { name: k, start, extent, wraps: true, stride, unit: *unit });
        }
        for (reach, up) in [(above, true), (below, false)] {
            if let Some(part) = self.part_of(placed.start()?, up) {
                reaches.push(reach.add(&part)?);
            }
        }
        self.choose_integer(&mut plan, &reaches, source)?;
        Ok(plan)
    }

    /// The digits of a coordinate that are not known to be 0, and whose stride is not.
    fn terms(&self, placed: &Placed, bounds: &[Number], source: &Source<'_>) -> Result<Plan, Error> {
        let layout = placed.layout();
        self.check(layout)?;
        let (mut plan, names) = (self.plan_from(placed.start()?, placed.swizzle())?, source.coordinate);
        self.check_names(layout, &[bounds, core::slice::from_ref(placed.start()?)].concat(), names)?;
        let (whole, leaves) = (layout.as_tuple().part(), layout.leaves());
        let groups: Vec<&[SymbolicLeaf]> = match names.len() {
            1 => [leaves].into(),
            count if count == whole.rank() && !whole.is_leaf() => whole.modes().map(Part::leaves).collect(),
            count if count == leaves.len() => leaves.chunks(1).collect(),
            _ => Vec::new(),
        };
        if groups.is_empty() {
            let (operation, expected, found) = ("the names of a coordinate", whole.rank(), names.len());
            return Err(Error::Rank { operation, expected, found });
        }
        for (name, leaves) in groups.into_iter().enumerate() {
            self.push_terms(name, names[name], leaves, &mut plan)?;
        }
        Ok(plan)
    }

    /// Refuses names of a coordinate that are not names, are equal, or are names in the layout or its bounds.
    fn check_names(&self, layout: &SymbolicLayout, bounds: &[Number], names: &[&str]) -> Result<(), Error> {
        bounds.iter().try_for_each(|bound| self.check_number(bound))?;
        let own = self.variables_of(layout.numbers().chain(bounds));
        for (place, word) in names.iter().enumerate() {
            check_word(word)?;
            if self.index_of(word).is_some_and(|index| own.contains(&Variable::name(index))) {
                return Err(Error::Fact { reason: "a name of the coordinate is a name in the layout" });
            }
            if names[..place].contains(word) {
                return Err(Error::Fact { reason: "a coordinate has two equal names" });
            }
        }
        Ok(())
    }

    fn push_terms(
        &self,
        name: usize,
        word: &str,
        leaves: &[SymbolicLeaf],
        plan: &mut Plan,
    ) -> Result<(), Error> {
        let limit = match self.find(word) {
            Some(number) => number,
            None => size_of(leaves)?.plus(-1)?,
        };
        let flat = self.merged(leaves, false)?;
        let (mut below, count) = (Number::one(), flat.len());
        for (i, leaf) in flat.iter().enumerate() {
            let extent = &leaf.extent;
            let start = below;
            below = start.mul(extent)?;
            if self.at_least(&start.sub(&limit)?, 1) == Some(true) {
                break;
            }
            let wraps = i + 1 < count && self.at_least(&below.sub(&limit)?, 1) != Some(true);
            for (stride, unit) in leaf.terms() {
                if self.is_zero(stride) != Some(true) {
                    self.check_stride(stride, &mut plan.guard)?;
                    let (start, extent, stride) = (start.clone(), extent.clone(), stride.clone());
                    plan.terms.push(Term { name, start, extent, wraps, stride, unit });
                }
            }
        }
        plan.limits.push(limit);
        Ok(())
    }

    /// Refuses a stride that is no integer, and requires it of one that may be none.
    fn check_stride(&self, stride: &Number, guard: &mut Guard) -> Result<(), Error> {
        match self.is_integer(stride) {
            Some(true) => Ok(()),
            Some(false) => {
                let (numerator, denominator) = (stride.last(), stride.denominator);
                Err(Error::NotIntegral { operation: "source text", numerator, denominator })
            }
            None => {
                guard.push(Condition::Integer(stride.clone()));
                Ok(())
            }
        }
    }

    // ---- what has a name

    /// Makes the divisors that are not numbers parameters, and removes the names that occur only in these from the
    /// variables.
    pub(super) fn take_divisors(&self, plan: &mut Plan, source: &Source<'_>) -> Result<(), Error> {
        if plan.signed {
            return Err(Error::Fact { reason: "division by products is for strides of 0 or more" });
        }
        let (mut divisors, mut suffix) = (Vec::new(), 0);
        for Term { start, extent, wraps, .. } in &plan.terms {
            for number in core::iter::once(start).chain(wraps.then_some(extent)) {
                if number.is_constant() || suffix_of(&divisors, number).is_some() {
                    continue;
                }
                while self.is_taken('d', suffix, source.coordinate) {
                    suffix += 1;
                }
                divisors.push(Named { number: number.clone(), suffix });
                suffix += 1;
            }
        }
        plan.divisors = divisors;
        let strides = plan.terms.iter().map(|term| &term.stride);
        plan.variables = self.variables_of(strides.chain([&plan.offset]));
        Ok(())
    }

    /// Names the quotients, and the numbers of more than one name or term, that occur more than once.
    pub(super) fn name_what_repeats(&self, plan: &mut Plan, source: &Source<'_>) {
        let mut uses: Vec<&Number> = Vec::from([&plan.offset]);
        for Term { start, extent, wraps, stride, .. } in &plan.terms {
            uses.push(stride);
            uses.extend(Some(start).filter(|start| suffix_of(&plan.divisors, start).is_none()));
            uses.extend(Some(extent).filter(|extent| *wraps && suffix_of(&plan.divisors, extent).is_none()));
        }
        plan.free_suffix = self.free_suffix(0, source.coordinate);
        let (mut named, mut suffix) = (Vec::new(), plan.free_suffix);
        let mut name = |number: Number| {
            named.push(Named { number, suffix });
            suffix = self.free_suffix(suffix + 1, source.coordinate);
        };
        for index in 0..self.quotients.len() {
            let variable = Variable::quotient(index);
            if uses.iter().filter(|number| self.has_quotient(number, variable)).count() > 1 {
                name(Number::variable(variable));
            }
        }
        let mut seen: Vec<&Number> = Vec::new();
        for (place, number) in uses.iter().enumerate() {
            let plain = number.is_constant() || is_word(number) || quotient_alone(number).is_some();
            if !plain && uses[place + 1..].contains(number) && !seen.contains(number) {
                seen.push(number);
                name((*number).clone());
            }
        }
        (plan.named, plan.free_suffix) = (named, suffix);
    }

    /// The pairs of terms that are a remainder, `c*x - c*n*floor(x/n)`: the places of both, and the quotient.
    pub(super) fn remainders(&self, p: &Number) -> Vec<(usize, usize, usize)> {
        let (terms, mut found) = (p.terms(), Vec::<(usize, usize, usize)>::new());
        for (place, term) in terms.iter().enumerate() {
            for quotient in term.monomial.factors().iter().filter_map(|factor| factor.as_quotient()) {
                let Quotient { numerator, denominator } = &self.quotients[quotient];
                let (Some(of), Some(by)) = (numerator.alone(), denominator.as_integer()) else { continue };
                let mut factors = term.monomial.factors().to_vec();
                if let Some(own) = factors.iter_mut().find(|factor| factor.as_quotient() == Some(quotient)) {
                    *own = of;
                }
                factors.sort();
                let is_whole = |other: usize| {
                    terms[other].coefficient.checked_mul(by) == term.coefficient.checked_neg()
                        && terms[other].monomial.factors() == factors
                };
                let whole = (0..terms.len()).find(|&other| terms[other].coefficient > 0 && is_whole(other));
                if let Some(whole) = whole
                    && p.denominator == 1
                    && self.nonnegative(numerator) == Some(true)
                    && !found.iter().any(|(of, by, _)| *of == whole || *by == place)
                {
                    found.push((whole, place, quotient));
                }
            }
        }
        found
    }

    /// Whether a number is one remainder.
    pub(super) fn is_remainder(&self, p: &Number) -> bool {
        match (&self.remainders(p)[..], p.terms()) {
            ([(whole, ..)], [_, _]) => {
                p.terms()[*whole].coefficient == 1 && p.terms()[*whole].monomial.degree() == 1
            }
            _ => false,
        }
    }

    /// Whether a number has a quotient beside those of its remainders.
    fn has_quotient(&self, p: &Number, quotient: Variable) -> bool {
        let remainders = self.remainders(p);
        let is_own = |place: usize| !remainders.iter().any(|(_, of, _)| *of == place);
        let mut terms = p.terms().iter().enumerate().filter(|(place, _)| is_own(*place));
        terms.any(|(_, term)| term.monomial.factors().contains(&quotient))
    }

    /// The first number from `suffix` on for which `t` with this number is not a name of the coordinate or of the
    /// scope.
    fn free_suffix(&self, suffix: u32, coordinate: &[&str]) -> u32 {
        (suffix..).find(|suffix| !self.is_taken('t', *suffix, coordinate)).unwrap_or(suffix)
    }

    /// Whether a letter with this number is a name of the coordinate, or of the scope.
    fn is_taken(&self, letter: char, suffix: u32, coordinate: &[&str]) -> bool {
        let word = alloc::format!("{letter}{suffix}");
        coordinate.contains(&&*word) || self.index_of(&word).is_some()
    }
}

/// How often, and by how much, each term steps.
fn steps(terms: &[Term]) -> impl Iterator<Item = (&Number, &Number)> {
    terms.iter().map(|term| (&term.extent, &term.stride))
}

/// The number that is added when the loop over mode `k` advances.
pub(super) fn advance(leaves: &[SymbolicLeaf], k: usize) -> Result<Number, Error> {
    match k.checked_sub(1) {
        None => Ok(leaves[k].stride.clone()),
        Some(within) => leaves[k].stride.sub(&leaves[within].extent.mul(&leaves[within].stride)?),
    }
}

pub(super) fn suffix_of(named: &[Named], number: &Number) -> Option<u32> {
    named.iter().find(|named| named.number == *number).map(|named| named.suffix)
}

/// The component of a unit; the only one for integers.
pub(super) fn component_of(unit: Unit) -> Option<usize> {
    match unit.depth() {
        0 if unit.is_one() => Some(0),
        1 => Some(unit.index(0)),
        _ => None,
    }
}

/// Whether a number is one name, or an integer of 0 or more.
pub(super) fn is_word(p: &Number) -> bool {
    p.as_integer().is_some_and(|value| value >= 0) || p.alone().is_some_and(|own| own.as_name().is_some())
}

/// The quotient that a number consists of.
pub(super) fn quotient_alone(p: &Number) -> Option<usize> {
    p.alone()?.as_quotient()
}

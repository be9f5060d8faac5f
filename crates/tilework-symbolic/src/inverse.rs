//! Inverses (docs/proofs.md, S3 and S4).
//!
//! A right inverse takes the modes whose stride is *identically* the product of the extents taken before: digit `i` of an
//! index goes to the mode whose stride is the weight of that digit, so that `L(R(k)) = k` for all values. A left inverse takes
//! the modes in the order of their strides at the witness. Modes whose indices are proportional to their strides form
//! one digit; the guard says that the unit of each digit divides that of the next and that no digit reaches the next. Where strides are
//! sums, it is linear in the components if it can be, without a guard.

use crate::answer::{Answer, Lifted, Operation, Refusal};
use crate::guard::{Clause, Condition, Guard};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::number::Number;
use crate::scope::Scope;
use crate::tuple::Tuple;
use crate::values::Values;
use alloc::vec::Vec;
use tilework::{__private::sort_by_key, Codomain, Error, Unit};

/// A mode, with the product of the extents before it and its stride and extent at the witness.
pub(crate) struct Indexed {
    pub extent: Number,
    pub stride: Number,
    index: Number,
    at: (i64, i64),
}

impl Scope {
    /// A layout `R` with `L(R(k)) = k` for all `k < |R|` and all values of the names: of the modes, in the order of their
    /// strides at the witness, those whose stride is for all values the product of the extents taken before.
    ///
    /// It is the largest for all values if no stride is negative, the modes do not overlap, and no stride is that product
    /// for some values only. [`Layout::right_inverse`](tilework::Layout::right_inverse) of an instance is the largest:
    ///
    /// | `L` | `R` | not the largest | because |
    /// |---|---|---|---|
    /// | `(M,N):(1,4)` | `M:1` | at `M = 4`: `(4*N):1` | 4 is the extent `M` |
    /// | `(M,3):(1,1)` | `3:M` | at `M = 4`: `(3,2):(1,9)` | the modes overlap |
    /// | `(M,4):((1@0+1@1),1@0)` | `(4,1):(M,0)` | at `M = 4`: the same | a stride that is a sum is not taken |
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let rows = scope.layout("(M,N):(N,1)")?;
    /// let answer = scope.right_inverse(&rows).unwrap();
    /// assert_eq!(answer.to_string(), "(N,M):(M,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for XOR strides beside names; [`Error::Overflow`], [`Error::Capacity`].
    pub fn right_inverse(&mut self, layout: &SymbolicLayout) -> Result<Answer, Refusal> {
        self.check(layout)?;
        match layout.as_constant() {
            Some(layout) => self.constant_answer(layout.right_inverse()),
            None => self.answer(Operation::Inverse(layout, false)),
        }
    }

    /// A layout `G` with `L(G(L(k))) = L(k)` for all `k`, and its guard: strides divide one another unless indices are
    /// proportional to them, and modes do not overlap.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let padded = scope.layout("(16,N):(1,24)")?;
    /// let answer = scope.left_inverse(&padded).unwrap();
    /// assert_eq!(answer.to_string(), "(24,N):(1,16)");
    ///
    /// let skewed = scope.layout("(M,N):((1@0-1@1),1@1)")?;
    /// assert_eq!(scope.left_inverse(&skewed).unwrap().to_string(), "(M,N):(M+1,M)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::NoLayout`] if strides do not divide one another, or modes overlap, at the witness;
    /// [`Error::Codomain`] for XOR strides beside names; [`Error::Overflow`], [`Error::Capacity`].
    pub fn left_inverse(&mut self, layout: &SymbolicLayout) -> Result<Answer, Refusal> {
        self.check(layout)?;
        match layout.as_constant() {
            Some(layout) => self.constant_answer(layout.left_inverse()),
            None => self.answer(Operation::Inverse(layout, true)),
        }
    }

    /// The coalesced modes that move along a unit by their strides at the witness, then by extent; those of `known` have index 0.
    pub(crate) fn indexed(
        &self,
        leaves: &[SymbolicLeaf],
        along: Unit,
        known: impl Fn(&SymbolicLeaf) -> bool,
        values: &mut Values,
    ) -> Result<Vec<Indexed>, Error> {
        let (mut modes, mut index) = (Vec::new(), Number::one());
        for leaf in self.merged(leaves, false)? {
            let behind = index.mul(&leaf.extent)?;
            if let Some((stride, _)) = leaf.terms().find(|(_, unit)| *unit == along) {
                let at = (self.integer_value(stride, values)?, self.integer_value(&leaf.extent, values)?);
                let index = if known(&leaf) { Number::zero() } else { index };
                modes.push(Indexed { stride: stride.clone(), extent: leaf.extent.clone(), index, at });
            }
            index = behind;
        }
        sort_by_key(&mut modes, |mode| mode.at);
        Ok(modes)
    }

    /// Appends the inverse of each component, nested like the offsets. A right inverse takes no sum, which is on the axis of no
    /// component. Of a sum the first component that has a left inverse gives the index.
    pub(crate) fn inverse_into(
        &mut self,
        layout: &SymbolicLayout,
        is_left: bool,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let (leaves, mut units) = (layout.leaves(), layout.components());
        if leaves.iter().any(|leaf| leaf.unit.is_xor()) {
            let (operation, found) = ("inverse of symbolic layouts", Codomain::Xor);
            return Err(Error::Codomain { operation, found }.into());
        }
        if units.is_empty() {
            units.push(Unit::ONE);
        }
        if is_left && let Some(multiples) = self.linear_inverse(&units, leaves)? {
            let part = |(unit, multiple): (&Unit, &Number)| {
                let along = layout.along(*unit);
                let [low, high] = [self.min_offset(&along)?, self.max_offset(&along)?];
                let below = self.nonnegative(&low.add(&high)?) == Some(false);
                let most = if below { low.negated()? } else { high };
                Ok((*unit, Tuple::leaf(SymbolicLeaf::new(most.plus(1)?, multiple.clone()))))
            };
            let parts = units.iter().zip(&multiples).map(part).collect::<Result<Vec<_>, Error>>()?;
            let whole = Tuple::nested(&parts, &SymbolicLeaf::new(1, 0))?;
            return Ok(lifted.tuple.push_part(whole.part())?);
        }
        let (mut parts, mut told, mut refused) = (Vec::new(), Vec::new(), None);
        let is_told = |leaf: &SymbolicLeaf, told: &[Unit]| leaf.terms().any(|(_, unit)| told.contains(&unit));
        for unit in units {
            let mut part = Lifted::new(lifted.guard.clone());
            let known =
                |leaf: &SymbolicLeaf| if is_left { is_told(leaf, &told) } else { !leaf.rest.is_empty() };
            let modes = self.indexed(leaves, unit, known, values)?;
            let found = match is_left && modes.iter().any(|mode| !mode.index.is_zero()) {
                true => self.left_inverse_into(modes, values, &mut part),
                false => self.right_inverse_into(modes, &mut part),
            };
            match found {
                Ok(()) => {
                    lifted.guard = part.guard;
                    told.push(unit);
                    parts.push((unit, part.tuple));
                }
                Err(refusal @ Refusal::NoLayout { .. }) => {
                    refused.get_or_insert(refusal);
                    parts.push((unit, Tuple::leaf(SymbolicLeaf::new(1, 0))));
                }
                Err(refusal) => return Err(refusal),
            }
        }
        if let Some(refusal) = refused
            && self.merged(leaves, false)?.iter().any(|leaf| !leaf.stride.is_zero() && !is_told(leaf, &told))
        {
            return Err(refusal);
        }
        let whole = Tuple::nested(&parts, &SymbolicLeaf::new(1, 0))?;
        Ok(lifted.tuple.push_part(whole.part())?)
    }

    /// For a layout with sums, a number for each unit such that the steps of each mode times these are its index: where one mode
    /// after the other gives one of them, and the others, which are free, are 0.
    fn linear_inverse(&self, units: &[Unit], leaves: &[SymbolicLeaf]) -> Result<Option<Vec<Number>>, Error> {
        if leaves.iter().all(|leaf| leaf.rest.is_empty()) {
            return Ok(None);
        }
        let (mut open, mut index) = (Vec::new(), Number::one());
        for leaf in self.merged(leaves, false)? {
            let behind = index.mul(&leaf.extent)?;
            if !leaf.stride.is_zero() {
                open.push((leaf, index));
            }
            index = behind;
        }
        let mut found: Vec<Option<Number>> = units.iter().map(|_| None).collect();
        while !open.is_empty() {
            let (count, mut rest) = (open.len(), Vec::new());
            for (leaf, index) in open {
                let (mut left, mut unknown) = (index.clone(), Vec::new());
                for (unit, found) in units.iter().zip(&mut found) {
                    match (leaf.coefficient(*unit), found) {
                        (count, _) if count.is_zero() => {}
                        (count, Some(known)) => left = left.sub(&count.mul(known)?)?,
                        (count, own) => unknown.push((count, own)),
                    }
                }
                match &mut unknown[..] {
                    [] if self.is_zero(&left) == Some(true) => {}
                    [(count, own)] => match left.over(count) {
                        Some(multiple) if self.is_integer(&multiple) == Some(true) => **own = Some(multiple),
                        _ => return Ok(None),
                    },
                    [] => return Ok(None),
                    [.., (_, last)] if rest.len() + 1 == count => {
                        **last = Some(Number::zero());
                        rest.push((leaf, index));
                    }
                    _ => rest.push((leaf, index)),
                }
            }
            open = rest;
        }
        Ok(Some(found.into_iter().map(|own| own.unwrap_or_else(Number::zero)).collect()))
    }

    fn right_inverse_into(&self, modes: Vec<Indexed>, lifted: &mut Lifted) -> Result<(), Refusal> {
        let (mut taken, mut size) = (Vec::new(), Number::one());
        for Indexed { extent, stride, index, .. } in modes {
            if !index.is_zero() && self.is_zero(&stride.sub(&size)?) == Some(true) {
                size = size.mul(&extent)?;
                taken.push(SymbolicLeaf::new(extent, index));
            }
        }
        Ok(lifted.tuple.push_flat(self.merged(&taken, false)?)?)
    }

    fn left_inverse_into(
        &mut self,
        modes: Vec<Indexed>,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let (mut parts, count) = (Vec::new(), modes.len());
        // For the current digit: its unit, the index of the unit, and the end of the offsets that the modes so far
        // reach.
        let (mut unit, mut index, mut end) = (Number::one(), Number::zero(), Number::one());
        let mut last = Number::one();
        for (i, Indexed { extent, stride, index: own, .. }) in modes.into_iter().enumerate() {
            let steps = extent.plus(-1)?;
            if self.is_zero(&stride) == Some(true) || self.is_zero(&steps) == Some(true) {
                continue;
            }
            let reach = steps.mul(&stride)?;
            let difference = own.mul(&unit)?.sub(&index.mul(&stride)?)?;
            let units = if index.is_zero() { None } else { own.over(&index) };
            if let Some(units) = &units
                && self.is_zero(&difference) == Some(true)
            {
                // One digit with the earlier modes: indices are proportional to offsets.
                end = end.add(&reach)?;
                last = units.mul(&extent)?;
                continue;
            }
            let mut clause = Clause::new();
            let room = stride.sub(&end)?;
            clause.nonnegative(self, &room)?;
            if i + 1 == count && units.is_none() && difference.is_of_one_variable() {
                // At these values it is one digit, and no later mode needs room.
                clause.or().zero(self, &difference)?;
            }
            let refuted = clause.require(&mut lifted.guard).is_err();
            if refuted || self.fraction(&room, values)?.0 < 0 && self.fraction(&difference, values)?.0 != 0 {
                return Err(no_chain(Some(Condition::Nonnegative(room))));
            }
            let quotient = self.divide_evenly(&stride, &unit, &mut lifted.guard);
            let Ok(quotient) = quotient else { return Err(no_chain(Some(Condition::Divides(unit, stride)))) };
            parts.push(SymbolicLeaf::new(quotient, index));
            end = stride.add(&reach)?;
            (unit, last, index) = (stride, extent, own);
        }
        parts.push(SymbolicLeaf::new(last, index));
        lifted.tuple.push_flat(self.merged(&parts, false)?)?;
        match self.holds(&lifted.guard, values)? {
            true => Ok(()),
            false => Err(no_chain(self.failing(&lifted.guard, values))),
        }
    }

    /// A clause with one condition that fails.
    fn failing(&self, guard: &Guard, values: &Values) -> Option<Condition> {
        let mut values = values.clone();
        guard.single().find(|condition| self.condition_holds(condition, &mut values) == Ok(false)).cloned()
    }
}

/// There is no chain of strides at the witness.
fn no_chain(needed: Option<Condition>) -> Refusal {
    let reason = "the strides do not divide one another, or modes overlap";
    let needed =
        needed.filter(|needed| !matches!(needed, Condition::Nonnegative(room) if room.is_constant()));
    Refusal::NoLayout { error: Error::NoInverse { reason }, needed: needed.into_iter().collect() }
}

//! Inverses (docs/proofs.md, S3 and S4).
//!
//! A right inverse takes the modes whose stride is *identically* the product of the extents taken before: digit `i` of an
//! index goes to the mode whose stride is the weight of that digit, so that `L(R(k)) = k` for all values. A left inverse takes
//! the modes in the order of their strides at the witness. Modes whose indices are proportional to their strides form
//! one digit; the guard says that the unit of each digit divides that of the next and that no digit reaches the next.

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
            None => self.answer(Operation::RightInverse(layout)),
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
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::NoLayout`] if strides do not divide one another, or modes overlap, at the witness;
    /// [`Error::Codomain`] for XOR strides beside names; [`Error::SeveralComponents`]; [`Error::Overflow`],
    /// [`Error::Capacity`].
    pub fn left_inverse(&mut self, layout: &SymbolicLayout) -> Result<Answer, Refusal> {
        self.check(layout)?;
        match layout.as_constant() {
            Some(layout) => self.constant_answer(layout.left_inverse()),
            // The digits of one component are told by those of the others.
            None if let Some(leaf) = layout.leaves().iter().position(|leaf| !leaf.rest.is_empty()) => {
                Err(Error::SeveralComponents { operation: "a left inverse with names", leaf }.into())
            }
            None => self.answer(Operation::LeftInverse(layout)),
        }
    }

    /// The coalesced modes that move along a unit by their strides at the witness, then by extent.
    pub(crate) fn indexed(
        &self,
        leaves: &[SymbolicLeaf],
        along: Unit,
        values: &mut Values,
    ) -> Result<Vec<Indexed>, Error> {
        let (mut modes, mut index) = (Vec::new(), Number::one());
        for SymbolicLeaf { extent, stride, unit, rest } in self.merged(leaves, false)? {
            let at = (self.integer_value(&stride, values)?, self.integer_value(&extent, values)?);
            let behind = index.mul(&extent)?;
            // A sum is a multiple of no component.
            if unit == along && rest.is_empty() {
                modes.push(Indexed { extent, stride, index, at });
            }
            index = behind;
        }
        sort_by_key(&mut modes, |mode| mode.at);
        Ok(modes)
    }

    /// Appends the inverse of each component, nested like the offsets.
    pub(crate) fn inverse_into(
        &mut self,
        layout: &SymbolicLayout,
        values: &mut Values,
        lifted: &mut Lifted,
        inverse: fn(&mut Scope, Vec<Indexed>, &mut Values, &mut Lifted) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let (leaves, units) = (layout.leaves(), layout.components());
        if leaves.iter().any(|leaf| leaf.unit.is_xor()) {
            let (operation, found) = ("inverse of symbolic layouts", Codomain::Xor);
            return Err(Error::Codomain { operation, found }.into());
        }
        if units.is_empty() {
            let modes = self.indexed(leaves, Unit::ONE, values)?;
            return inverse(self, modes, values, lifted);
        }
        let mut parts = Vec::new();
        for unit in units {
            let mut part = Lifted::new(lifted.guard.clone());
            let modes = self.indexed(leaves, unit, values)?;
            inverse(self, modes, values, &mut part)?;
            lifted.guard = part.guard;
            parts.push((unit, part.tuple));
        }
        let whole = Tuple::nested(&parts, &SymbolicLeaf::new(1, 0))?;
        Ok(lifted.tuple.push_part(whole.part())?)
    }

    pub(crate) fn right_inverse_into(
        &mut self,
        modes: Vec<Indexed>,
        _values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let (mut taken, mut size) = (Vec::new(), Number::one());
        for Indexed { extent, stride, index, .. } in modes {
            if self.is_zero(&stride.sub(&size)?) == Some(true) {
                size = size.mul(&extent)?;
                taken.push(SymbolicLeaf::new(extent, index));
            }
        }
        Ok(lifted.tuple.push_flat(self.merged(&taken, false)?)?)
    }

    pub(crate) fn left_inverse_into(
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
    Refusal::NoLayout { error: Error::NoInverse { reason }, needed: needed.into_iter().collect() }
}

//! Inverses (docs/proofs.md, S3 and S4).
//!
//! A right inverse takes the modes whose stride is *identically* the product of the extents taken before: digit `i` of an
//! index goes to the mode whose stride is the weight of that digit, so that `L(R(k)) = k` for all values. A left inverse takes
//! the modes in the order of their strides at the witness. Modes whose indices are proportional to their strides form
//! one digit; the guard says that the unit of each digit divides that of the next and that no digit reaches the next.

use crate::answer::{Answer, Lifted, Operation, Refusal, or_refuse};
use crate::guard::{Clause, Condition, Guard, Refuted};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::list::{List, sort_by};
use crate::polynomial::Polynomial;
use crate::pool::Number;
use crate::scope::Scope;
use crate::values::Values;
use tilework::Codomain;
use tilework::Error;
use tilework::Unit;
use tilework::{HTuple, MAX_LEAVES};

/// A mode, with the product of the extents before it and its stride and extent at the witness.
#[derive(Clone, Copy)]
pub(crate) struct Indexed {
    pub extent: Number,
    pub stride: Number,
    index: Number,
    at: (i64, i64),
}

pub(crate) type Modes = List<Indexed, MAX_LEAVES>;

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
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let rows = scope.layout("(M,N):(N,1)")?;
    /// let answer = scope.right_inverse(&rows).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "(N,M):(M,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides of coordinates or XOR strides beside names; [`Error::Overflow`], [`Error::Capacity`].
    pub const fn right_inverse(&mut self, layout: &SymbolicLayout) -> Result<Answer, Refusal> {
        or_refuse!(self.check(layout));
        if let Some(layout) = self.as_constant(layout) {
            return self.constant_answer(layout.right_inverse());
        }
        self.answer(Operation::RightInverse(layout))
    }

    /// A layout `G` with `L(G(L(k))) = L(k)` for all `k`, and its guard: strides divide one another unless indices are
    /// proportional to them, and modes do not overlap.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let padded = scope.layout("(16,N):(1,24)")?;
    /// let answer = scope.left_inverse(&padded).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "(24,N):(1,16)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::NoLayout`] if strides do not divide one another, or modes overlap, at the witness;
    /// [`Error::Codomain`] for strides of coordinates or XOR strides beside names; [`Error::Overflow`],
    /// [`Error::Capacity`].
    pub const fn left_inverse(&mut self, layout: &SymbolicLayout) -> Result<Answer, Refusal> {
        or_refuse!(self.check(layout));
        if let Some(layout) = self.as_constant(layout) {
            return self.constant_answer(layout.left_inverse());
        }
        self.answer(Operation::LeftInverse(layout))
    }

    /// The coalesced modes by their strides at the witness, then by extent.
    pub(crate) const fn indexed(
        &mut self,
        layout: &SymbolicLayout,
        values: &mut Values,
    ) -> Result<Modes, Error> {
        if !self.is_integral(layout.leaves()) {
            return Err(Error::Codomain {
                operation: "inverse of symbolic layouts",
                found: Codomain::Coordinate,
            });
        }
        let mut flat = HTuple::builder(SymbolicLeaf::UNUSED);
        tri!(self.merge_into(layout.leaves(), false, &mut flat));
        let unused =
            Indexed { extent: Number::UNUSED, stride: Number::UNUSED, index: Number::UNUSED, at: (0, 0) };
        let (mut modes, mut product, mut i) = (Modes::new(unused), Polynomial::integer(1), 0);
        while i < flat.leaves().len() {
            let SymbolicLeaf { extent, stride, .. } = flat.leaves()[i];
            let (length, step) = (self.polynomial(extent), self.polynomial(stride));
            let at = (tri!(self.integer_value(&step, values)), tri!(self.integer_value(&length, values)));
            let index = tri!(self.intern(&product));
            tri!(modes.push(Indexed { extent, stride, index, at }, "modes"));
            product = tri!(product.mul(&length));
            i += 1;
        }
        sort_by!(modes.as_mut_slice(), |left, right| {
            left.at.0 < right.at.0 || left.at.0 == right.at.0 && left.at.1 < right.at.1
        });
        Ok(modes)
    }

    pub(crate) const fn lift_right_inverse(
        &mut self,
        layout: &SymbolicLayout,
        values: &mut Values,
    ) -> Result<Lifted, Refusal> {
        let modes = or_refuse!(self.indexed(layout, values));
        let mut taken = HTuple::builder(SymbolicLeaf::UNUSED);
        let (mut size, mut i) = (Polynomial::integer(1), 0);
        while i < modes.len() {
            let Indexed { extent, stride, index, .. } = modes.as_slice()[i];
            let difference = or_refuse!(self.polynomial(stride).sub(&size));
            if matches!(self.is_zero(&difference), Some(true)) {
                or_refuse!(taken.push_value(SymbolicLeaf { extent, stride: index, unit: Unit::ONE }));
                size = or_refuse!(size.mul(&self.polynomial(extent)));
            }
            i += 1;
        }
        let mut lifted = Lifted::new();
        or_refuse!(self.merge_into(taken.leaves(), false, &mut lifted.tuple));
        Ok(lifted)
    }

    pub(crate) const fn lift_left_inverse(
        &mut self,
        layout: &SymbolicLayout,
        values: &mut Values,
    ) -> Result<Lifted, Refusal> {
        let modes = or_refuse!(self.indexed(layout, values));
        let (mut lifted, mut parts) = (Lifted::new(), HTuple::builder(SymbolicLeaf::UNUSED));
        // For the current digit: its unit, the index of the unit, and the end of the offsets that the modes so far
        // reach.
        let (mut unit, mut index, mut end) =
            (Polynomial::integer(1), Polynomial::ZERO, Polynomial::integer(1));
        let (mut last, mut i) = (Polynomial::integer(1), 0);
        while i < modes.len() {
            let mode = modes.as_slice()[i];
            i += 1;
            let (length, stride) = (self.polynomial(mode.extent), self.polynomial(mode.stride));
            let own = self.polynomial(mode.index);
            let steps = or_refuse!(length.plus(-1));
            if matches!(self.is_zero(&stride), Some(true)) || matches!(self.is_zero(&steps), Some(true)) {
                continue;
            }
            let reach = or_refuse!(steps.mul(&stride));
            let difference = or_refuse!(or_refuse!(own.mul(&unit)).sub(&or_refuse!(index.mul(&stride))));
            let units = if index.is_zero() { None } else { own.over(&index) };
            if let Some(units) = units
                && matches!(self.is_zero(&difference), Some(true))
            {
                // One digit with the earlier modes: indices are proportional to offsets.
                end = or_refuse!(end.add(&reach));
                last = or_refuse!(units.mul(&length));
                continue;
            }
            let mut clause = Clause::new();
            clause.or();
            let room = or_refuse!(stride.sub(&end));
            or_refuse!(clause.nonnegative(self, &room));
            if i == modes.len() && units.is_none() && difference.is_of_one_variable() {
                // At these values it is one digit, and no later mode needs room.
                clause.or();
                or_refuse!(clause.zero(self, &difference));
            }
            let refuted = matches!(or_refuse!(clause.require(&mut lifted.guard)), Err(Refuted));
            let (space, _) = or_refuse!(self.fraction(&room, values));
            let (apart, _) = or_refuse!(self.fraction(&difference, values));
            if refuted || space < 0 && apart != 0 {
                let room = or_refuse!(self.intern(&room));
                return Err(no_chain(Some(Condition::Nonnegative(room))));
            }
            let quotient = match self.divide_evenly(&stride, &unit, &mut lifted.guard) {
                Ok(quotient) => quotient,
                Err(_) => {
                    let (unit, stride) = (or_refuse!(self.intern(&unit)), or_refuse!(self.intern(&stride)));
                    return Err(no_chain(Some(Condition::Divides(unit, stride))));
                }
            };
            or_refuse!(self.push_digit(&mut parts, &quotient, &index));
            end = or_refuse!(stride.add(&reach));
            (unit, last, index) = (stride, length, own);
        }
        or_refuse!(self.push_digit(&mut parts, &last, &index));
        or_refuse!(self.merge_into(parts.leaves(), false, &mut lifted.tuple));
        if or_refuse!(self.holds(&lifted.guard, values)) {
            return Ok(lifted);
        }
        Err(no_chain(self.failing(&lifted.guard, values)))
    }

    const fn push_digit(
        &mut self,
        parts: &mut HTuple<SymbolicLeaf>,
        extent: &Polynomial,
        stride: &Polynomial,
    ) -> Result<(), Error> {
        let (extent, stride) = (tri!(self.intern(extent)), tri!(self.intern(stride)));
        parts.push_value(SymbolicLeaf { extent, stride, unit: Unit::ONE })
    }

    /// A clause with one condition that fails.
    const fn failing(&self, guard: &Guard, values: &Values) -> Option<Condition> {
        let mut i = 0;
        while i < guard.len() {
            let condition = guard.get(i).0;
            let mut values = *values;
            let alone = guard.clause_end(i) == i + 1 && guard.get(i).2 == 0;
            if alone && matches!(self.condition_holds(condition, &mut values), Ok(false)) {
                return Some(condition);
            }
            i += 1;
        }
        None
    }
}

/// There is no chain of strides at the witness.
const fn no_chain(needed: Option<Condition>) -> Refusal {
    let reason = "the strides do not divide one another, or modes overlap";
    Refusal::NoLayout { error: Error::NoInverse { reason }, needed: [needed, None] }
}

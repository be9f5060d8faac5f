//! Composition: `(A o B)(c) = A(B(c))` (docs/proofs.md, S1).
//!
//! `A(x) = D_0 x + sum_r E_r floor(x / P_r)` for every integer `x`, with the prefix products `P_r` of the extents. A leaf `s:d` of
//! `B` becomes modes `p_j` with steps `d_j = d p_0 ... p_(j-1)`. With integers `q_jr` and `u_jr = d_j - q_jr P_r`, the
//! modes are linear in their coordinates if for each bound `r`
//!
//! ```text
//! E_r == 0   or   all q_jr integers, all u_jr >= 0, and sum_j u_jr (p_j - 1) < P_r
//! ```
//!
//! because then `floor(sum d_j c_j / P_r) = sum q_jr c_j`. That is the guard: one clause for each bound, and the
//! conditions that make the `p_j` integers. It does not matter how `p` and `q` were found; they come from the static
//! composition.

use crate::answer::{Answer, Lifted, Operation, Refusal, or_refuse, undecided};
use crate::guard::{Clause, Condition, Guard, Refuted};
use crate::int;
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::list::List;
use crate::polynomial::Polynomial;
use crate::pool::Number;
use crate::scope::Scope;
use crate::values::Values;
use tilework::__private::Part;
use tilework::Error;
use tilework::Unit;
use tilework::{HTuple, MAX_LEAVES};
use tilework::{Layout, Leaf};

const NAME: &str = "composition of symbolic layouts";

/// The left operand, or its mode that a basis element addresses, coalesced for the extended domain.
#[derive(Clone, Copy)]
struct Left {
    modes: HTuple<SymbolicLeaf>,
    /// The prefix product of the extents before each mode.
    bounds: [Number; MAX_LEAVES],
}

impl Left {
    const fn rank(&self) -> usize {
        self.modes.leaves().len()
    }
}

/// A mode of the result, for the certificate: `extent` steps of `step` in the right operand.
#[derive(Clone, Copy)]
struct Step {
    extent: Number,
    step: Number,
    unit: Unit,
}

type Steps = List<Step, MAX_LEAVES>;

/// `floor(step / bound)` at the witness as a polynomial, and the remainder of the step.
struct Lift {
    quotient: Polynomial,
    rest: Polynomial,
}

impl Scope {
    /// The layout `c -> A(B(c))` that refines `B`, and its guard.
    ///
    /// | `A` | `B` | answer |
    /// |---|---|---|
    /// | `(M,K):(1,ld)` | `128:1` | `128:1 if ld == M or M >= 128` |
    /// | `(M,K):(1,ld)`, witness `M = 64` | `128:1` | `(M,floor(128/M)):(1,ld) if 128 % M == 0` |
    /// | `(6,N):(1,7)` | `4:2` | never: `4 % 3 == 0` |
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let packed = scope.layout("(64*H,S,B):(1,192*H,192*H*S)")?;
    /// let heads = scope.layout("(64,S,H,B):(1,64*H,64,64*H*S)")?;
    /// let answer = scope.composition(&packed, &heads).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "(64,S,H,B):(1,192*H,64,192*H*S)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::Never`], [`Refusal::NoLayout`]; [`Error::Undecided`] if carries cancel at the witness;
    /// [`Error::Codomain`] for XOR strides beside names; [`Error::Overflow`], [`Error::Capacity`].
    pub const fn composition(&mut self, a: &SymbolicLayout, b: &SymbolicLayout) -> Result<Answer, Refusal> {
        or_refuse!(self.check(a));
        or_refuse!(self.check(b));
        if let (Some(a), Some(b)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant_answer(a.composition(&b));
        }
        self.answer(Operation::Composition(a, b))
    }

    pub(crate) const fn lift_composition(
        &mut self,
        a: &SymbolicLayout,
        b: &SymbolicLayout,
        values: &mut Values,
    ) -> Result<Lifted, Refusal> {
        let mut lifted = Lifted::new();
        match self.compose_into(
            Part::whole(a.as_tuple()),
            &[Part::whole(b.as_tuple())],
            true,
            values,
            &mut lifted,
        ) {
            Ok(()) => Ok(lifted),
            Err(refusal) => Err(refusal),
        }
    }

    /// Appends `A o B` for several `B` that are the modes of one layout. `certain`: both operands are correct for all
    /// values, without a guard.
    pub(crate) const fn compose_into(
        &mut self,
        a: Part<'_, SymbolicLeaf>,
        right: &[Part<'_, SymbolicLeaf>],
        certain: bool,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let static_a = or_refuse!(self.instance_of(&[a], values));
        let static_b = or_refuse!(self.instance_of(right, values));
        let static_a = or_refuse!(static_a.mode(0));
        let chosen = match static_a.composition(&static_b) {
            Ok(chosen) => chosen,
            Err(error) => {
                return Err(match or_refuse!(self.why(a, right, error, values)) {
                    Refusal::Never(needed) if !certain => {
                        Refusal::NoLayout { error, needed: [Some(needed), None] }
                    }
                    refusal => refusal,
                });
            }
        };
        let (mut steps, mut left_unit, mut number) = (Steps::new(UNUSED), Unit::ONE, 0);
        let mut left = or_refuse!(self.left_of(a, Unit::ONE));
        // After the tuple around the parts.
        let (mut chosen_node, mut chosen_leaf, mut k) = (1, 0, 0);
        while k < right.len() {
            let Part { tuple, mut node, mut leaf } = right[k];
            let end = node + tuple.profile().span(node).nodes;
            while node < end {
                if !tuple.profile().is_leaf(node) {
                    or_refuse!(lifted.tuple.open(tuple.profile().rank(node)));
                    chosen_node += 1;
                    node += 1;
                    continue;
                }
                let own = tuple.leaves()[leaf];
                let span = chosen.profile().span(chosen_node);
                let turns = chosen.leaves().split_at(chosen_leaf).1.split_at(span.leaves).0;
                if !own.unit.same(left_unit) && !self.polynomial(own.stride).is_zero() {
                    left = or_refuse!(self.left_of(a, own.unit));
                    left_unit = own.unit;
                }
                let first = lifted.tuple.leaves().len();
                if let Err(refusal) = self.lift_leaf(&left, own, number, turns, values, &mut steps, lifted) {
                    return Err(refusal);
                }
                or_refuse!(lifted.tuple.close_leaves(first));
                chosen_node += span.nodes;
                chosen_leaf += span.leaves;
                (leaf, node, number) = (leaf + 1, node + 1, number + 1);
            }
            k += 1;
        }
        self.certify(a, &steps, values, &mut lifted.guard)
    }

    /// The parts at the values, as the modes of one layout.
    pub(crate) const fn instance_of(
        &self,
        parts: &[Part<'_, SymbolicLeaf>],
        values: &mut Values,
    ) -> Result<Layout, Error> {
        let mut tuple = HTuple::builder(SymbolicLeaf::UNUSED);
        tri!(tuple.open(parts.len()));
        let mut i = 0;
        while i < parts.len() {
            tri!(tuple.push_part(parts[i]));
            i += 1;
        }
        self.instance_within(&self.own(tuple), values)
    }

    /// The part of the left operand that a unit addresses.
    const fn left_of(&mut self, a: Part<'_, SymbolicLeaf>, unit: Unit) -> Result<Left, Error> {
        let (mut part, mut level) = (a, 0);
        while level < unit.depth() {
            part = tri!(part.mode(unit.index(level)));
            level += 1;
        }
        let mut modes = HTuple::builder(SymbolicLeaf::UNUSED);
        tri!(self.merge_into(part.leaves(), true, &mut modes));
        let (mut bounds, mut bound, mut r) = ([Number::UNUSED; MAX_LEAVES], Polynomial::integer(1), 0);
        while r < modes.leaves().len() {
            bounds[r] = tri!(self.intern(&bound));
            // There is no bound after the last mode.
            if r + 1 < modes.leaves().len() {
                bound = tri!(bound.mul(&self.polynomial(modes.leaves()[r].extent)));
            }
            r += 1;
        }
        Ok(Left { modes, bounds })
    }

    /// Appends the modes of leaf `s:d`, lifted from those of the static composition.
    #[allow(clippy::too_many_arguments)]
    const fn lift_leaf(
        &mut self,
        left: &Left,
        leaf: SymbolicLeaf,
        number: usize,
        turns: &[Leaf],
        values: &mut Values,
        steps: &mut Steps,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let (mut rest, mut step) = (self.polynomial(leaf.extent), self.polynomial(leaf.stride));
        let still = matches!(self.is_zero(&or_refuse!(rest.plus(-1))), Some(true));
        if still || matches!(self.is_zero(&step), Some(true)) {
            let stride = or_refuse!(self.integer(0));
            let still = SymbolicLeaf { extent: leaf.extent, stride, unit: Unit::ONE };
            or_refuse!(lifted.tuple.push_value(still));
            return Ok(());
        }
        let mut i = 0;
        while i < turns.len() {
            let mut quotients = [Number::UNUSED; MAX_LEAVES];
            let mut remainders = [Number::UNUSED; MAX_LEAVES];
            let mut r = 1;
            while r < left.rank() {
                let Lift { quotient, rest } =
                    or_refuse!(self.lift_quotient(&step, &self.polynomial(left.bounds[r]), values, None));
                quotients[r] = or_refuse!(self.intern(&quotient));
                remainders[r] = or_refuse!(self.intern(&rest));
                r += 1;
            }
            let last = i + 1 == turns.len();
            let extent = if last {
                rest
            } else {
                match self.lift_turn(left, &remainders, turns[i].extent, values, &mut lifted.guard) {
                    Ok(turn) => turn,
                    Err(refusal) => return Err(refusal),
                }
            };
            let (stride, unit) = or_refuse!(self.stride_of(left, &step, &quotients, number));
            let (extent_number, step_number) =
                (or_refuse!(self.intern(&extent)), or_refuse!(self.intern(&step)));
            or_refuse!(lifted.tuple.push_value(SymbolicLeaf { extent: extent_number, stride, unit }));
            let own = Step { extent: extent_number, step: step_number, unit: leaf.unit };
            or_refuse!(steps.push(own, "modes of a composition"));
            if !last {
                rest = match self.divide_evenly(&rest, &extent, &mut lifted.guard) {
                    Ok(rest) => rest,
                    Err(refusal) => return Err(refusal),
                };
                step = or_refuse!(step.mul(&extent));
            }
            i += 1;
        }
        Ok(())
    }

    /// `A(step)`, a multiple of one unit: the sum of the digits of the step times the strides.
    const fn stride_of(
        &mut self,
        left: &Left,
        step: &Polynomial,
        quotients: &[Number; MAX_LEAVES],
        number: usize,
    ) -> Result<(Number, Unit), Error> {
        let modes = left.modes.leaves();
        let (mut found, mut found_unit, mut k) = (Polynomial::ZERO, Unit::ONE, 0);
        while k < modes.len() {
            let (unit, mut sum, mut first, mut r) = (modes[k].unit, Polynomial::ZERO, true, 0);
            while r < modes.len() {
                if modes[r].unit.same(unit) {
                    first = first && r >= k;
                    let quotient = if r == 0 { *step } else { self.polynomial(quotients[r]) };
                    let mut digit = quotient;
                    if r + 1 < modes.len() {
                        let passed =
                            tri!(self.polynomial(modes[r].extent).mul(&self.polynomial(quotients[r + 1])));
                        digit = tri!(digit.sub(&passed));
                    }
                    sum = tri!(sum.add(&tri!(digit.mul(&self.polynomial(modes[r].stride)))));
                }
                r += 1;
            }
            if first && !matches!(self.is_zero(&sum), Some(true)) {
                if !found.is_zero() {
                    return Err(Error::NotBasis { leaf: number });
                }
                (found, found_unit) = (sum, unit);
            }
            k += 1;
        }
        Ok((tri!(self.intern(&found)), found_unit))
    }

    /// A polynomial that equals `floor(step / bound)` at the witness: exact terms first, a number last. Numbers that
    /// have to be integers for that go into the clause.
    const fn lift_quotient(
        &mut self,
        step: &Polynomial,
        bound: &Polynomial,
        values: &mut Values,
        clause: Option<&mut Clause>,
    ) -> Result<Lift, Error> {
        let whole = step.over(bound);
        let (mut quotient, mut rest, mut i) = (Polynomial::ZERO, *step, 0);
        let mut clause = clause;
        let parts = if whole.is_some() { 1 } else { step.terms().len() };
        while i < parts {
            let term = if whole.is_some() { *step } else { step.term(i) };
            i += 1;
            let Some(part) = term.over(bound) else { continue };
            let (numerator, denominator) = tri!(self.fraction(&part, values));
            if numerator % denominator as i128 != 0 {
                continue;
            }
            if let Some(clause) = &mut clause {
                tri!(clause.integer(self, &part));
            }
            quotient = tri!(quotient.add(&part));
            rest = tri!(rest.sub(&term));
        }
        let (a, b) = tri!(self.fraction(&rest, values));
        let (c, d) = tri!(self.fraction(bound, values));
        let count = match (a.checked_mul(d as i128), c.checked_mul(b as i128)) {
            (Some(numerator), Some(denominator)) if denominator > 0 => {
                int::narrow(numerator.div_euclid(denominator))
            }
            _ => None,
        };
        let Some(count) = count else { return Err(Error::TooLarge { what: "a quotient" }) };
        Ok(Lift { quotient: tri!(quotient.plus(count)), rest: tri!(rest.sub(&tri!(bound.scale(count, 1)))) })
    }

    /// A polynomial that equals `turn` at the witness: the quotient of a bound and the remainder that reaches it, or
    /// the number.
    const fn lift_turn(
        &mut self,
        left: &Left,
        remainders: &[Number; MAX_LEAVES],
        turn: i64,
        values: &mut Values,
        guard: &mut Guard,
    ) -> Result<Polynomial, Refusal> {
        let mut r = 1;
        while r < left.rank() {
            let (bound, rest) = (self.polynomial(left.bounds[r]), self.polynomial(remainders[r]));
            let (a, b) = or_refuse!(self.fraction(&bound, values));
            let (c, d) = or_refuse!(self.fraction(&rest, values));
            r += 1;
            // a / b == turn * c / d
            let (Some(own), Some(other)) = (a.checked_mul(d as i128), c.checked_mul(b as i128)) else {
                continue;
            };
            if c <= 0 || other.checked_mul(turn as i128).is_none() || other * turn as i128 != own {
                continue;
            }
            if bound.constant().is_some() && rest.constant().is_some() {
                break;
            }
            return self.divide_evenly(&bound, &rest, guard);
        }
        self.lift_ragged_turn(left, remainders, turn, values)
    }

    /// The first bound over the step rounded up, if that is the turn: the last step within the bound ends before it,
    /// and the next begins after it. Otherwise the number.
    const fn lift_ragged_turn(
        &mut self,
        left: &Left,
        remainders: &[Number; MAX_LEAVES],
        turn: i64,
        values: &mut Values,
    ) -> Result<Polynomial, Refusal> {
        let mut r = 1;
        while r < left.rank() {
            let (bound, rest) = (self.polynomial(left.bounds[r]), self.polynomial(remainders[r]));
            r += 1;
            if bound.constant().is_some() || !matches!(self.at_least(&rest, 1), Some(true)) {
                continue;
            }
            let (Ok(b), Ok(c)) = (self.integer_value(&bound, values), self.integer_value(&rest, values))
            else {
                continue;
            };
            if c > 0 && int::ceil_div(b, c) == turn {
                let top = or_refuse!(or_refuse!(bound.add(&rest)).plus(-1));
                return Ok(or_refuse!(self.floor(&top, &rest)));
            }
        }
        Ok(Polynomial::integer(turn))
    }

    /// `numerator / denominator`, which the guard requires to be an integer of at least 1.
    pub(crate) const fn divide_evenly(
        &mut self,
        numerator: &Polynomial,
        denominator: &Polynomial,
        guard: &mut Guard,
    ) -> Result<Polynomial, Refusal> {
        let positive = matches!(self.at_least(denominator, 1), Some(true));
        let mut clause = Clause::new();
        clause.or();
        let quotient = match numerator.over(denominator) {
            Some(quotient) => {
                or_refuse!(clause.integer(self, &quotient));
                quotient
            }
            None => {
                if !positive {
                    // Quotients are defined for divisors of at least 1, and checks must not divide by 0.
                    or_refuse!(clause.nonnegative(self, &or_refuse!(denominator.plus(-1))));
                }
                or_refuse!(clause.divides(self, denominator, numerator));
                or_refuse!(self.floor(numerator, denominator))
            }
        };
        if let Err(Refuted) = or_refuse!(clause.require(guard)) {
            return Err(undecided(NAME));
        }
        if !(positive && matches!(self.at_least(numerator, 1), Some(true))) {
            let mut clause = Clause::new();
            clause.or();
            or_refuse!(clause.nonnegative(self, &or_refuse!(quotient.plus(-1))));
            if let Err(Refuted) = or_refuse!(clause.require(guard)) {
                return Err(undecided(NAME));
            }
        }
        Ok(quotient)
    }

    /// Adds a clause for each bound, and checks that they hold at the witness.
    const fn certify(
        &mut self,
        a: Part<'_, SymbolicLeaf>,
        steps: &Steps,
        values: &mut Values,
        guard: &mut Guard,
    ) -> Result<(), Refusal> {
        let mut k = 0;
        while k < steps.len() {
            let unit = steps.as_slice()[k].unit;
            let mut before = 0;
            while before < k && !steps.as_slice()[before].unit.same(unit) {
                before += 1;
            }
            if before == k {
                let left = or_refuse!(self.left_of(a, unit));
                let mut r = 1;
                while r < left.rank() {
                    if let Err(Refuted) = or_refuse!(self.certify_bound(&left, r, unit, steps, values, guard))
                    {
                        return Err(undecided(NAME));
                    }
                    r += 1;
                }
            }
            k += 1;
        }
        if or_refuse!(self.holds(guard, values)) { Ok(()) } else { Err(undecided(NAME)) }
    }

    /// `E_r == 0`, or no sum of remainders of the steps reaches bound `r`.
    const fn certify_bound(
        &mut self,
        left: &Left,
        r: usize,
        unit: Unit,
        steps: &Steps,
        values: &mut Values,
        guard: &mut Guard,
    ) -> Result<Result<(), Refuted>, Error> {
        let mut clause = Clause::new();
        clause.or();
        let (mode, next) = (left.modes.leaves()[r - 1], left.modes.leaves()[r]);
        let stride = self.polynomial(next.stride);
        let passed = tri!(self.polynomial(mode.extent).mul(&self.polynomial(mode.stride)));
        if mode.unit.same(next.unit) {
            tri!(clause.zero(self, &tri!(stride.sub(&passed))));
        } else {
            tri!(clause.zero(self, &stride));
            tri!(clause.zero(self, &passed));
        }
        clause.or();
        let bound = self.polynomial(left.bounds[r]);
        let (mut room, mut j) = (tri!(bound.plus(-1)), 0);
        while j < steps.len() {
            let step = steps.as_slice()[j];
            j += 1;
            if !step.unit.same(unit) {
                continue;
            }
            let lift =
                tri!(self.lift_quotient(&self.polynomial(step.step), &bound, values, Some(&mut clause)));
            tri!(clause.nonnegative(self, &lift.rest));
            let reach = tri!(lift.rest.mul(&tri!(self.polynomial(step.extent).plus(-1))));
            room = tri!(room.sub(&reach));
        }
        tri!(clause.nonnegative(self, &room));
        clause.require(guard)
    }

    /// Why there is no layout at the witness: never, if the divisibility that fails there fails for all values;
    /// otherwise the condition, if one is found. With one bound and one leaf this is exact.
    const fn why(
        &mut self,
        a: Part<'_, SymbolicLeaf>,
        right: &[Part<'_, SymbolicLeaf>],
        error: Error,
        values: &mut Values,
    ) -> Result<Refusal, Error> {
        let refusal = Refusal::of(error);
        let left = tri!(self.left_of(a, Unit::ONE));
        if !matches!(refusal, Refusal::NoLayout { .. }) || left.rank() != 2 || !self.is_integral(a.leaves()) {
            return Ok(refusal);
        }
        let mut k = 0;
        while k < right.len() {
            let (leaves, mut i) = (right[k].leaves(), 0);
            while i < leaves.len() {
                if let Some(refusal) = tri!(self.why_leaf(&left, leaves[i], error, values)) {
                    return Ok(refusal);
                }
                i += 1;
            }
            k += 1;
        }
        Ok(refusal)
    }

    /// The first turn of a leaf is at `P/u`, which has to divide the extent unless it is not reached.
    const fn why_leaf(
        &mut self,
        left: &Left,
        leaf: SymbolicLeaf,
        error: Error,
        values: &mut Values,
    ) -> Result<Option<Refusal>, Error> {
        let (extent, step) = (self.polynomial(leaf.extent), self.polynomial(leaf.stride));
        let bound = self.polynomial(left.bounds[1]);
        let less = tri!(extent.plus(-1));
        if !leaf.unit.is_one()
            || matches!(self.is_zero(&less), Some(true))
            || matches!(self.is_zero(&step), Some(true))
        {
            return Ok(None);
        }
        let mut integers = Clause::new();
        integers.or();
        let Lift { rest, .. } = tri!(self.lift_quotient(&step, &bound, values, Some(&mut integers)));
        let mut open = Guard::ALWAYS;
        if !matches!(integers.require(&mut open), Ok(Ok(()))) || !open.is_always() {
            return Ok(None);
        }
        let Some(turn) = bound.over(&rest) else { return Ok(None) };
        let even = extent.over(&turn);
        let room = tri!(tri!(bound.plus(-1)).sub(&tri!(rest.mul(&less))));
        let passed = match self.nonnegative(&room) {
            Some(room) => Some(!room),
            None => None,
        };
        let modes = left.modes.leaves();
        let change = tri!(
            self.polynomial(modes[1].stride)
                .sub(&tri!(self.polynomial(modes[0].extent).mul(&self.polynomial(modes[0].stride))))
        );
        let inside = matches!(self.at_least(&rest, 1), Some(true))
            && matches!(self.at_least(&tri!(bound.sub(&rest)), 1), Some(true))
            && matches!(self.is_integer(&turn), Some(true))
            && matches!(self.is_zero(&change), Some(false));
        if let (true, Some(true), Some(even)) = (inside, passed, even)
            && matches!(self.is_integer(&even), Some(false))
        {
            let even = tri!(self.intern(&even));
            return Ok(Some(Refusal::Never(Condition::Integer(even))));
        }
        if matches!(passed, Some(false)) {
            return Ok(None);
        }
        let needed = match even {
            Some(even) => Condition::Integer(tri!(self.intern(&even))),
            None => Condition::Divides(tri!(self.intern(&turn)), tri!(self.intern(&extent))),
        };
        let or = match passed {
            None => Some(Condition::Nonnegative(tri!(self.intern(&room)))),
            Some(_) => None,
        };
        Ok(Some(Refusal::NoLayout { error, needed: [Some(needed), or] }))
    }
}

const UNUSED: Step = Step { extent: Number::UNUSED, step: Number::UNUSED, unit: Unit::ONE };

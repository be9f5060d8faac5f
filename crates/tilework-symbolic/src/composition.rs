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

use crate::answer::{Answer, Lifted, Operation, Refusal, undecided};
use crate::guard::{Clause, Condition, Guard};
use crate::layout::{SymbolicLayout, SymbolicLeaf, is_integral};
use crate::number::Number;
use crate::scope::Scope;
use crate::tuple::Part;
use crate::values::Values;
use alloc::vec::Vec;
use tilework::__private::int;
use tilework::{Error, HTuple, Layout, Leaf, Unit};

const NAME: &str = "composition of symbolic layouts";

/// The left operand, or its mode that a basis element addresses, coalesced for the extended domain.
struct Left {
    modes: Vec<SymbolicLeaf>,
    /// The prefix product of the extents before each mode.
    bounds: Vec<Number>,
}

/// A mode of the result, for the certificate: `extent` steps of `step` in the right operand.
struct Step {
    extent: Number,
    step: Number,
    unit: Unit,
}

/// `floor(step / bound)` at the witness as a polynomial, and the remainder of the step.
struct Lift {
    quotient: Number,
    rest: Number,
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
    /// assert_eq!(answer.to_string(), "(64,S,H,B):(1,192*H,64,192*H*S)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::Never`], [`Refusal::NoLayout`]; [`Error::Undecided`] if carries cancel at the witness;
    /// [`Error::Codomain`] for XOR strides beside names; [`Error::Overflow`], [`Error::Capacity`].
    pub fn composition(&mut self, a: &SymbolicLayout, b: &SymbolicLayout) -> Result<Answer, Refusal> {
        self.check(a)?;
        self.check(b)?;
        if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant()) {
            return self.constant_answer(a.composition(&b));
        }
        self.answer(Operation::Composition(a, b))
    }

    /// Appends `A o B` for several `B` that are the modes of one layout. `certain`: both operands are correct for all
    /// values, without a guard.
    pub(crate) fn compose_into(
        &mut self,
        a: Part<'_, SymbolicLeaf>,
        right: &[Part<'_, SymbolicLeaf>],
        certain: bool,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let static_a = self.instance_of(&[a], values)?.mode(0)?;
        let static_b = self.instance_of(right, values)?;
        let chosen = match static_a.composition(&static_b) {
            Ok(chosen) => chosen,
            Err(error) => {
                return Err(match self.why(a, right, error, values)? {
                    Refusal::Never(needed) if !certain => {
                        Refusal::NoLayout { error, needed: [*needed].into() }
                    }
                    refusal => refusal,
                });
            }
        };
        let (mut steps, mut lefts) = (Vec::new(), Vec::new());
        // After the tuple around the parts.
        let (mut chosen_node, mut chosen_leaf) = (1, 0);
        for Part { tuple, node, leaf } in right {
            let (end, mut leaves) =
                (node + tuple.profile().span(*node).nodes, tuple.leaves()[*leaf..].iter());
            for node in *node..end {
                if !tuple.profile().is_leaf(node) {
                    lifted.tuple.open(tuple.profile().rank(node))?;
                    chosen_node += 1;
                    continue;
                }
                let Some(own) = leaves.next() else { break };
                let span = chosen.profile().span(chosen_node);
                let turns = &chosen.leaves()[chosen_leaf..chosen_leaf + span.leaves];
                let is_known = lefts.iter().map(|(unit, _)| *unit).eq(own.terms().map(|(_, unit)| unit));
                if !is_known && !own.stride.is_zero() {
                    let left = |(_, unit)| Ok((unit, self.left_of(a, unit)?));
                    lefts = own.terms().map(left).collect::<Result<_, Error>>()?;
                }
                let modes = self.lift_leaf(&lefts, own, turns, values, &mut steps, &mut lifted.guard)?;
                lifted.tuple.push_flat(modes)?;
                chosen_node += span.nodes;
                chosen_leaf += span.leaves;
            }
        }
        self.certify(a, &steps, values, &mut lifted.guard)
    }

    /// The parts at the values, as the modes of one layout.
    fn instance_of(&self, parts: &[Part<'_, SymbolicLeaf>], values: &mut Values) -> Result<Layout, Error> {
        let mut shape = crate::tuple::Tuple::builder();
        shape.open(parts.len())?;
        parts.iter().try_for_each(|part| shape.push_part(*part))?;
        let mut tuple = HTuple::builder_of(shape.profile(), Leaf::new(1, 0));
        for leaf in shape.leaves() {
            tuple.push_value(self.leaf_at(leaf, values)?)?;
        }
        Layout::new(tuple)
    }

    /// The part of the left operand that a unit addresses.
    fn left_of(&self, a: Part<'_, SymbolicLeaf>, unit: Unit) -> Result<Left, Error> {
        let part = (0..unit.depth()).try_fold(a, |part, level| part.mode(unit.index(level)))?;
        let modes = self.merged(part.leaves(), true)?;
        let mut bounds = Vec::from([Number::one()]);
        // There is no bound after the last mode.
        for (mode, r) in modes.iter().zip(1..modes.len()) {
            bounds.push(bounds[r - 1].mul(&mode.extent)?);
        }
        Ok(Left { modes, bounds })
    }

    /// The modes of leaf `s:d`, lifted from those of the static composition; `lefts` are for the terms of `d`.
    fn lift_leaf(
        &mut self,
        lefts: &[(Unit, Left)],
        leaf: &SymbolicLeaf,
        turns: &[Leaf],
        values: &mut Values,
        steps: &mut Vec<Step>,
        guard: &mut Guard,
    ) -> Result<Vec<SymbolicLeaf>, Refusal> {
        let (mut rest, mut counts) = (leaf.extent.clone(), Vec::new());
        counts.extend(leaf.terms().map(|(count, _)| count.clone()));
        if self.is_zero(&rest.plus(-1)?) == Some(true)
            || counts.iter().all(|count| self.is_zero(count) == Some(true))
        {
            return Ok([SymbolicLeaf::new(rest, 0)].into());
        }
        let mut modes = Vec::with_capacity(turns.len());
        for (index, turn) in turns.iter().enumerate() {
            let (mut terms, mut reached) = (Vec::new(), Vec::new());
            for ((_, left), step) in lefts.iter().zip(&counts) {
                // The bound before the first mode is 1, and its quotient the step.
                let mut quotients = Vec::from([step.clone()]);
                for bound in &left.bounds[1..] {
                    let Lift { quotient, rest } = self.lift_quotient(step, bound, values, None)?;
                    quotients.push(quotient);
                    reached.push((bound, rest));
                }
                self.push_terms_of(left, &quotients, &mut terms)?;
            }
            let last = index + 1 == turns.len();
            let extent = match last {
                true => rest.clone(),
                false => self.lift_turn(&reached, turn.extent, values, guard)?,
            };
            modes.push(SymbolicLeaf::sum(extent.clone(), terms)?);
            for ((unit, _), step) in lefts.iter().zip(&mut counts) {
                steps.push(Step { extent: extent.clone(), step: step.clone(), unit: *unit });
                if !last {
                    *step = step.mul(&extent)?;
                }
            }
            if !last {
                rest = self.divide_evenly(&rest, &extent, guard)?;
            }
        }
        Ok(modes)
    }

    /// Appends `A(step)`: for each unit the sum of the digits of the step times the strides.
    fn push_terms_of(
        &self,
        left: &Left,
        quotients: &[Number],
        out: &mut Vec<(Number, Unit)>,
    ) -> Result<(), Error> {
        for (r, mode) in left.modes.iter().enumerate() {
            let digit = match quotients.get(r + 1) {
                Some(next) => quotients[r].sub(&mode.extent.mul(next)?)?,
                None => quotients[r].clone(),
            };
            for (count, unit) in mode.terms() {
                let own = digit.mul(count)?;
                if self.is_zero(&own) != Some(true) {
                    out.push((own, unit));
                }
            }
        }
        Ok(())
    }

    /// A polynomial that equals `floor(step / bound)` at the witness: exact terms first, a number last. Numbers that
    /// have to be integers for that go into the clause.
    fn lift_quotient(
        &self,
        step: &Number,
        bound: &Number,
        values: &mut Values,
        mut clause: Option<&mut Clause>,
    ) -> Result<Lift, Error> {
        let parts: Vec<(Number, Number)> = match step.over(bound) {
            Some(part) => [(step.clone(), part)].into(),
            None => step.each().filter_map(|term| term.over(bound).map(|part| (term, part))).collect(),
        };
        let (mut quotient, mut rest) = (Number::zero(), step.clone());
        for (term, part) in parts {
            let (numerator, denominator) = self.fraction(&part, values)?;
            if numerator % denominator as i128 != 0 {
                continue;
            }
            if let Some(clause) = &mut clause {
                clause.integer(self, &part)?;
            }
            quotient = quotient.add(&part)?;
            rest = rest.sub(&term)?;
        }
        let (a, b) = self.fraction(&rest, values)?;
        let (c, d) = self.fraction(bound, values)?;
        let count = match (a.checked_mul(d as i128), c.checked_mul(b as i128)) {
            (Some(numerator), Some(denominator)) if denominator > 0 => {
                int::narrow(numerator.div_euclid(denominator))
            }
            _ => None,
        };
        let count = count.ok_or(Error::TooLarge { what: "a quotient" })?;
        Ok(Lift { quotient: quotient.plus(count)?, rest: rest.sub(&bound.scale(count, 1)?)? })
    }

    /// A polynomial that equals `turn` at the witness: the quotient of a bound and the remainder that reaches it, or
    /// the number.
    fn lift_turn(
        &mut self,
        reached: &[(&Number, Number)],
        turn: i64,
        values: &mut Values,
        guard: &mut Guard,
    ) -> Result<Number, Refusal> {
        for (bound, rest) in reached {
            let (a, b) = self.fraction(bound, values)?;
            let (c, d) = self.fraction(rest, values)?;
            // a / b == turn * c / d
            let reached = c.checked_mul(b as i128).and_then(|step| step.checked_mul(turn as i128));
            if c <= 0 || reached.is_none() || a.checked_mul(d as i128) != reached {
                continue;
            }
            if bound.is_constant() && rest.is_constant() {
                break;
            }
            return self.divide_evenly(bound, rest, guard);
        }
        // The first bound over the step rounded up, if that is the turn: the last step within the bound ends before
        // it, and the next begins after it. Otherwise the number.
        for (bound, rest) in reached {
            if bound.is_constant() || self.at_least(rest, 1) != Some(true) {
                continue;
            }
            if let (Ok(b), Ok(c)) = (self.integer_value(bound, values), self.integer_value(rest, values))
                && c > 0
                && int::ceil_div(b, c) == turn
            {
                return Ok(self.floor(&bound.add(rest)?.plus(-1)?, rest)?);
            }
        }
        Ok(Number::integer(turn))
    }

    /// `numerator / denominator`, which the guard requires to be an integer of at least 1.
    pub(crate) fn divide_evenly(
        &mut self,
        numerator: &Number,
        denominator: &Number,
        guard: &mut Guard,
    ) -> Result<Number, Refusal> {
        let positive = self.at_least(denominator, 1) == Some(true);
        let mut clause = Clause::new();
        let quotient = match numerator.over(denominator) {
            Some(quotient) => {
                clause.integer(self, &quotient)?;
                quotient
            }
            None => {
                if !positive {
                    // Quotients are defined for divisors of at least 1, and checks must not divide by 0.
                    clause.nonnegative(self, &denominator.plus(-1)?)?;
                }
                clause.divides(self, denominator, numerator)?;
                self.floor(numerator, denominator)?
            }
        };
        clause.require(guard).map_err(|_| undecided(NAME))?;
        if !(positive && self.at_least(numerator, 1) == Some(true)) {
            let mut clause = Clause::new();
            clause.nonnegative(self, &quotient.plus(-1)?)?.require(guard).map_err(|_| undecided(NAME))?;
        }
        Ok(quotient)
    }

    /// Adds a clause for each bound, and checks that they hold at the witness.
    fn certify(
        &self,
        a: Part<'_, SymbolicLeaf>,
        steps: &[Step],
        values: &mut Values,
        guard: &mut Guard,
    ) -> Result<(), Refusal> {
        for (k, Step { unit, .. }) in steps.iter().enumerate() {
            if steps[..k].iter().any(|step| step.unit == *unit) {
                continue;
            }
            let left = self.left_of(a, *unit)?;
            for r in 1..left.modes.len() {
                let mut clause = self.clause_of_bound(&left, r, *unit, steps, values)?;
                clause.require(guard).map_err(|_| undecided(NAME))?;
            }
        }
        if self.holds(guard, values)? { Ok(()) } else { Err(undecided(NAME)) }
    }

    /// `E_r == 0`, or no sum of remainders of the steps reaches bound `r`.
    fn clause_of_bound(
        &self,
        left: &Left,
        r: usize,
        unit: Unit,
        steps: &[Step],
        values: &mut Values,
    ) -> Result<Clause, Error> {
        let mut clause = Clause::new();
        let (mode, next) = (&left.modes[r - 1], &left.modes[r]);
        for (_, unit) in next.terms().chain(mode.terms()) {
            let passed = mode.extent.mul(&mode.coefficient(unit))?;
            clause.zero(self, &next.coefficient(unit).sub(&passed)?)?;
        }
        clause.or();
        let bound = &left.bounds[r];
        let mut room = bound.plus(-1)?;
        for step in steps.iter().filter(|step| step.unit == unit) {
            let lift = self.lift_quotient(&step.step, bound, values, Some(&mut clause))?;
            clause.nonnegative(self, &lift.rest)?;
            room = room.sub(&lift.rest.mul(&step.extent.plus(-1)?)?)?;
        }
        clause.nonnegative(self, &room)?;
        Ok(clause)
    }

    /// Why there is no layout at the witness: never, if the divisibility that fails there fails for all values;
    /// otherwise the condition, if one is found. With one bound and one leaf this is exact.
    fn why(
        &self,
        a: Part<'_, SymbolicLeaf>,
        right: &[Part<'_, SymbolicLeaf>],
        error: Error,
        values: &mut Values,
    ) -> Result<Refusal, Error> {
        let refusal = Refusal::of(error);
        let left = self.left_of(a, Unit::ONE)?;
        if matches!(refusal, Refusal::NoLayout { .. }) && left.modes.len() == 2 && is_integral(a.leaves()) {
            for leaf in right.iter().flat_map(|part| part.leaves()) {
                if let Some(refusal) = self.why_leaf(&left, leaf, error, values)? {
                    return Ok(refusal);
                }
            }
        }
        Ok(refusal)
    }

    /// The first turn of a leaf is at `P/u`, which has to divide the extent unless it is not reached.
    fn why_leaf(
        &self,
        left: &Left,
        leaf: &SymbolicLeaf,
        error: Error,
        values: &mut Values,
    ) -> Result<Option<Refusal>, Error> {
        let (SymbolicLeaf { extent, stride, unit, .. }, bound) = (leaf, &left.bounds[1]);
        let less = extent.plus(-1)?;
        if !unit.is_one() || self.is_zero(&less) == Some(true) || self.is_zero(stride) == Some(true) {
            return Ok(None);
        }
        let (mut integers, mut open) = (Clause::new(), Guard::ALWAYS);
        let Lift { rest, .. } = self.lift_quotient(stride, bound, values, Some(&mut integers))?;
        if integers.require(&mut open).is_err() || !open.is_always() {
            return Ok(None);
        }
        let Some(turn) = bound.over(&rest) else { return Ok(None) };
        let even = extent.over(&turn);
        let room = bound.plus(-1)?.sub(&rest.mul(&less)?)?;
        let passed = self.nonnegative(&room).map(|room| !room);
        let [first, second, ..] = &left.modes[..] else { return Ok(None) };
        let change = second.stride.sub(&first.extent.mul(&first.stride)?)?;
        let inside = self.at_least(&rest, 1) == Some(true)
            && self.at_least(&bound.sub(&rest)?, 1) == Some(true)
            && self.is_integer(&turn) == Some(true)
            && self.is_zero(&change) == Some(false);
        let needed = match even {
            Some(even) if inside && passed == Some(true) && self.is_integer(&even) == Some(false) => {
                return Ok(Some(Refusal::Never(Condition::Integer(even).into())));
            }
            _ if passed == Some(false) => return Ok(None),
            Some(even) => Condition::Integer(even),
            None => Condition::Divides(turn, extent.clone()),
        };
        let or = passed.is_none().then_some(Condition::Nonnegative(room));
        Ok(Some(Refusal::NoLayout { error, needed: core::iter::once(needed).chain(or).collect() }))
    }
}

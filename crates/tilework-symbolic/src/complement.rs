//! Complement: the offsets that a layout skips (docs/proofs.md, S2).
//!
//! The modes with stride other than 0 are sorted by their strides at the witness; none may begin before the previous
//! one ends: `d_(i+1) >= s_i d_i`. Then the gaps between them are `floor(d_(i+1) / s_i d_i) : s_i d_i`, and the rest
//! after the last one is `ceil(total/end) : end`.

use crate::answer::{Answer, Extent, Lifted, Operation, Refusal, or_refuse, undecided};
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

const NAME: &str = "complement of symbolic layouts";

/// A mode with its stride at the witness.
#[derive(Clone, Copy)]
struct Sorted {
    extent: Number,
    stride: Number,
    /// Stride and extent at the witness.
    at: (i64, i64),
}

type Modes = List<Sorted, MAX_LEAVES>;

/// Passes on errors; a refutation by the facts becomes undecided.
macro_rules! or_refuse_refuted {
    ($result:expr) => {
        if let Err(Refuted) = or_refuse!($result) {
            return Err(undecided(NAME));
        }
    };
}

impl Scope {
    /// The layout of the offsets between and after those of this one; it may be extended, so its trailing extent of 1
    /// is kept.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,2*M)")?;
    /// let answer = scope.complement(&matrix).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "(2,1):(M,2*M*K)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::NoLayout`] for modes that overlap at the witness; [`Error::Codomain`] for strides of coordinates or XOR strides
    /// beside names; [`Error::Overflow`], [`Error::Capacity`].
    pub const fn complement(&mut self, layout: &SymbolicLayout) -> Result<Answer, Refusal> {
        or_refuse!(self.check(layout));
        if let Some(layout) = self.as_constant(layout) {
            return self.constant_answer(layout.complement());
        }
        self.answer(Operation::Complement(layout, Extent::Open))
    }

    /// The complement with respect to `[0, total)`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// // The ranks of a mesh that differ from one in the group of `dp` alone.
    /// let group = scope.layout("dp:tp*pp")?;
    /// let total = scope.number("tp*pp*dp")?;
    /// let answer = scope.complement_within(&group, total).unwrap();
    /// assert_eq!(scope.answer_text(&answer).as_str(), "tp*pp:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`complement`](Self::complement).
    pub const fn complement_within(
        &mut self,
        layout: &SymbolicLayout,
        total: Number,
    ) -> Result<Answer, Refusal> {
        or_refuse!(self.check(layout));
        let size = or_refuse!(self.checked(total));
        if let (Some(layout), Some((size, 1))) = (self.as_constant(layout), size.constant()) {
            return self.constant_answer(layout.const_complement_within(&HTuple::leaf(size)));
        }
        self.answer(Operation::Complement(layout, Extent::Within(total)))
    }

    pub(crate) const fn lift_complement(
        &mut self,
        layout: &SymbolicLayout,
        extent: Extent,
        values: &mut Values,
    ) -> Result<Lifted, Refusal> {
        let mut lifted = Lifted::new();
        match self.complement_into(layout.leaves(), extent, values, &mut lifted) {
            Ok(()) => Ok(lifted),
            Err(refusal) => Err(refusal),
        }
    }

    /// Appends the complement: a leaf or a flat tuple.
    pub(crate) const fn complement_into(
        &mut self,
        leaves: &[SymbolicLeaf],
        extent: Extent,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        if !self.is_integral(leaves) {
            return Err(Refusal::Error(Error::Codomain {
                operation: "complement of symbolic layouts",
                found: Codomain::Coordinate,
            }));
        }
        let modes = or_refuse!(self.sorted(leaves, values));
        let first = lifted.tuple.leaves().len();
        // If the last mode covered so far has extent 1 or stride 0, the static complement has no gap there.
        let (mut end, mut moves, mut i) = (Polynomial::integer(1), None, 0);
        while i < modes.len() {
            let mode = modes.as_slice()[i];
            let (length, stride) = (self.polynomial(mode.extent), self.polynomial(mode.stride));
            let room = or_refuse!(stride.sub(&end));
            let (numerator, _) = or_refuse!(self.fraction(&room, values));
            if numerator < 0 {
                return Err(or_refuse!(self.overlap(&modes, i, &room)));
            }
            let mut clause = Clause::new();
            clause.or();
            or_refuse!(clause.nonnegative(self, &room));
            or_refuse_refuted!(clause.require(&mut lifted.guard));
            let gap = or_refuse!(self.floor(&stride, &end));
            let covered = or_refuse!(end.mul(&gap));
            let before = moves;
            moves = if room.is_zero() { None } else { Some(mode.extent) };
            let left_out = or_refuse!(covered.sub(&stride));
            if !left_out.is_zero() {
                or_refuse_refuted!(self.require_moves(moves, before, &left_out, &mut lifted.guard));
                if let Extent::Exactly(total) = extent {
                    let mut clause = Clause::new();
                    clause.or();
                    or_refuse!(clause.zero(self, &left_out));
                    clause.or();
                    let beyond = or_refuse!(covered.sub(&self.polynomial(total)));
                    or_refuse!(clause.nonnegative(self, &beyond));
                    match or_refuse!(clause.require(&mut lifted.guard)) {
                        Ok(()) => {}
                        Err(Refuted) => return Err(or_refuse!(self.gap_left_out(&modes, i, &left_out))),
                    }
                }
            }
            if !matches!(self.is_zero(&or_refuse!(gap.plus(-1))), Some(true)) {
                or_refuse!(self.push_leaf(&gap, &end, lifted));
            }
            end = or_refuse!(length.mul(&stride));
            i += 1;
        }
        let count = match extent {
            Extent::Open => Polynomial::integer(1),
            Extent::Within(total) | Extent::Exactly(total) => {
                let total = self.polynomial(total);
                let count = or_refuse!(self.floor(&or_refuse!(or_refuse!(total.add(&end)).plus(-1)), &end));
                let beyond = or_refuse!(or_refuse!(count.mul(&end)).sub(&total));
                if moves.is_some() && !beyond.is_zero() {
                    or_refuse_refuted!(self.require_moves(moves, None, &beyond, &mut lifted.guard));
                }
                count
            }
        };
        let open = matches!(extent, Extent::Open);
        let empty = lifted.tuple.leaves().len() == first;
        if open || !matches!(self.is_zero(&or_refuse!(count.plus(-1))), Some(true)) {
            or_refuse!(self.push_leaf(&count, &end, lifted));
        } else if empty {
            or_refuse!(self.push_leaf(&count, &Polynomial::ZERO, lifted));
        }
        or_refuse!(lifted.tuple.close_leaves(first));
        if or_refuse!(self.holds(&lifted.guard, values)) {
            Ok(())
        } else {
            Err(self.refused_at_witness(&modes))
        }
    }

    /// The guard fails at the witness, because of modes of extent 1 there, or of a gap.
    const fn refused_at_witness(&self, modes: &Modes) -> Refusal {
        if modes.len() < 2 {
            return undecided(NAME);
        }
        let [before, next] = [modes.as_slice()[modes.len() - 2].at, modes.as_slice()[modes.len() - 1].at];
        Refusal::of(Error::Gap { extent: before.1, stride: before.0, next: next.0 })
    }

    const fn push_leaf(
        &mut self,
        extent: &Polynomial,
        stride: &Polynomial,
        lifted: &mut Lifted,
    ) -> Result<(), Error> {
        let (extent, stride) = (tri!(self.intern(extent)), tri!(self.intern(stride)));
        lifted.tuple.push_value(SymbolicLeaf { extent, stride, unit: Unit::ONE })
    }

    /// The modes beside a gap have to have extents above 1: with an extent of 1 between them, the static complement
    /// merges two gaps.
    const fn require_moves(
        &mut self,
        one: Option<Number>,
        other: Option<Number>,
        left_out: &Polynomial,
        guard: &mut Guard,
    ) -> Result<Result<(), Refuted>, Error> {
        let mut clause = Clause::new();
        clause.or();
        if let Some(extent) = one {
            tri!(clause.nonnegative(self, &tri!(self.polynomial(extent).plus(-2))));
        }
        if let Some(extent) = other {
            tri!(clause.nonnegative(self, &tri!(self.polynomial(extent).plus(-2))));
        }
        clause.or();
        tri!(clause.zero(self, left_out));
        clause.require(guard)
    }

    /// The modes with stride other than 0, sorted by their strides at the witness; those that continue each other for
    /// all values are merged.
    const fn sorted(&mut self, leaves: &[SymbolicLeaf], values: &mut Values) -> Result<Modes, Error> {
        let mut modes = Modes::new(Sorted { extent: Number::UNUSED, stride: Number::UNUSED, at: (0, 0) });
        let mut i = 0;
        while i < leaves.len() {
            let SymbolicLeaf { extent, stride, .. } = leaves[i];
            i += 1;
            let (length, step) = (self.polynomial(extent), self.polynomial(stride));
            let still = matches!(self.is_zero(&step), Some(true))
                || matches!(self.is_zero(&tri!(length.plus(-1))), Some(true));
            if still {
                continue;
            }
            let at = (tri!(self.integer_value(&step, values)), tri!(self.integer_value(&length, values)));
            tri!(modes.push(Sorted { extent, stride, at }, "modes"));
        }
        sort_by!(modes.as_mut_slice(), |left, right| {
            left.at.0 < right.at.0 || left.at.0 == right.at.0 && left.at.1 < right.at.1
        });
        let (mut merged, mut i) = (0, 0);
        while i < modes.len() {
            let next = modes.as_slice()[i];
            i += 1;
            if merged > 0 {
                let last = modes.as_slice()[merged - 1];
                let extent = self.polynomial(last.extent);
                let end = tri!(extent.mul(&self.polynomial(last.stride)));
                if matches!(self.is_zero(&tri!(end.sub(&self.polynomial(next.stride)))), Some(true)) {
                    let product = tri!(extent.mul(&self.polynomial(next.extent)));
                    modes.as_mut_slice()[merged - 1].extent = tri!(self.intern(&product));
                    continue;
                }
            }
            modes.as_mut_slice()[merged] = next;
            merged += 1;
        }
        modes.truncate(merged);
        Ok(modes)
    }

    /// Mode `i` begins before the one before it ends.
    const fn overlap(&mut self, modes: &Modes, i: usize, room: &Polynomial) -> Result<Refusal, Error> {
        let (stride, extent) = modes.as_slice()[if i > 0 { i - 1 } else { 0 }].at;
        let next = modes.as_slice()[i].at.0;
        let error = if next < 0 {
            Error::NegativeStride { operation: "complement", stride: next }
        } else {
            Error::Overlap { extent, stride, next }
        };
        let condition = Condition::Nonnegative(tri!(self.intern(room)));
        Ok(Refusal::NoLayout { error, needed: [Some(condition), None] })
    }

    const fn gap_left_out(
        &mut self,
        modes: &Modes,
        i: usize,
        left_out: &Polynomial,
    ) -> Result<Refusal, Error> {
        let (stride, extent) = modes.as_slice()[if i > 0 { i - 1 } else { 0 }].at;
        let error = Error::Gap { extent, stride, next: modes.as_slice()[i].at.0 };
        let condition = Condition::Zero(tri!(self.intern(left_out)));
        Ok(Refusal::NoLayout { error, needed: [Some(condition), None] })
    }
}

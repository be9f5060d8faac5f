//! Whether offsets are distinct, or fill an interval, and the common layout of two layouts.
//!
//! The modes are sorted by their strides at the witness. Offsets are distinct if each stride exceeds the reach of all
//! modes before it; they fill `[0, size)` if each stride is the product of the extents before it. The guard requires
//! that order. So a guard that holds is sufficient; if it fails, another order, which a hint chooses, may still work.

use crate::answer::{Answer, Refusal};
use crate::bounds::need_integral;
use crate::guard::{Clause, Guard, Verdict};
use crate::inverse::Indexed;
use crate::layout::{SymbolicLayout, SymbolicLeaf, moving_units};
use crate::number::Number;
use crate::scope::Scope;
use crate::tuple::Tuple;
use crate::values::BASES;
use alloc::vec::Vec;
use tilework::{Codomain, Error, Unit};

impl Scope {
    /// Whether different coordinates have different offsets. The guard is sufficient; if it fails, they may still
    /// differ.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let Verdict::When(guard) = scope.is_injective(&matrix)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard).as_str(), "ld >= M or K <= 1");
    /// scope.assume("ld >= M")?;
    /// assert!(matches!(scope.is_injective(&matrix)?, Verdict::Always));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Number::add`], and of the static question for layouts without names.
    pub fn is_injective(&self, layout: &SymbolicLayout) -> Result<Verdict, Error> {
        self.check(layout)?;
        if let Some(layout) = layout.as_constant() {
            return Ok(known(layout.is_injective()?));
        }
        let (mut left, mut guard): (Vec<&SymbolicLeaf>, _) =
            (layout.leaves().iter().collect(), Guard::ALWAYS);
        // A component tells the digits of the modes that step along it, if these are distinct there; other components are
        // then about the modes that are left.
        while !left.is_empty() {
            let mut told: Option<(Unit, Guard)> = None;
            let mut units: Vec<Unit> = Vec::new();
            for (_, unit) in left.iter().flat_map(|leaf| leaf.terms()) {
                if units.contains(&unit) {
                    continue;
                }
                units.push(unit);
                let along: Vec<&SymbolicLeaf> =
                    left.iter().copied().filter(|leaf| leaf.terms().any(|(_, own)| own == unit)).collect();
                let mut own = guard.clone();
                match self.are_distinct(&along, unit, &mut own)? {
                    Verdict::Never if along.iter().all(|leaf| leaf.rest.is_empty()) => {
                        return Ok(Verdict::Never);
                    }
                    Verdict::Always
                        if told
                            .as_ref()
                            .is_none_or(|(_, best)| own.clauses().len() < best.clauses().len()) =>
                    {
                        told = Some((unit, own));
                    }
                    _ => {}
                }
            }
            let Some((unit, own)) = told else { return Ok(Verdict::Open) };
            guard = own;
            left.retain(|leaf| leaf.terms().all(|(_, known)| known != unit));
        }
        Ok(self.tidy(&guard).verdict())
    }

    /// Requires of the modes along a unit that each stride exceeds the reach of those before it; open if the sign of one is unknown.
    fn are_distinct(
        &self,
        leaves: &[&SymbolicLeaf],
        unit: Unit,
        guard: &mut Guard,
    ) -> Result<Verdict, Error> {
        let mut steps = Vec::new();
        for leaf in leaves {
            let stride = leaf.coefficient(unit);
            // Steps backwards are as distinct as forwards.
            let stride = match self.nonnegative(&stride) {
                Some(true) => stride,
                Some(false) => stride.negated()?,
                None => return Ok(Verdict::Open),
            };
            steps.push(SymbolicLeaf::new(leaf.extent.clone(), stride));
        }
        let (mut reach, mut size, mut refuted) = (Number::zero(), Number::one(), false);
        for Indexed { extent, stride, .. } in self.modes_at_a_witness(&steps)? {
            let mut clause = Clause::new();
            clause.nonnegative(self, &stride.sub(&reach)?.plus(-1)?)?;
            clause.or().nonnegative(self, &extent.negated()?.plus(1)?)?;
            refuted |= clause.require(guard).is_err();
            if self.is_zero(&stride) == Some(true) && self.at_least(&extent, 2) == Some(true) {
                return Ok(Verdict::Never);
            }
            reach = reach.add(&extent.plus(-1)?.mul(&stride)?)?;
            size = size.mul(&extent)?;
        }
        // There are more coordinates than offsets.
        if refuted && self.at_least(&size.sub(&reach)?, 2) == Some(true) {
            return Ok(Verdict::Never);
        }
        Ok(if refuted { Verdict::Open } else { Verdict::Always })
    }

    /// Whether the layout is a bijection of `[0, size)`: the strides are the products of the extents before them, in
    /// some order. The guard is sufficient.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let Verdict::When(guard) = scope.is_compact(&matrix)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard).as_str(), "ld == M or K <= 1");
    /// let rows = scope.layout("(M,K):(K,1)")?;
    /// assert!(matches!(scope.is_compact(&rows)?, Verdict::Always));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides of coordinates or XOR strides beside names; those of [`Number::add`].
    pub fn is_compact(&self, layout: &SymbolicLayout) -> Result<Verdict, Error> {
        self.check(layout)?;
        if let Some(layout) = layout.as_constant() {
            return Ok(known(layout.is_compact()?));
        }
        let (mut product, mut guard, mut refuted) = (Number::one(), Guard::ALWAYS, false);
        for Indexed { extent, stride, .. } in self.modes_at_a_witness(layout.leaves())? {
            let mut clause = Clause::new();
            clause.zero(self, &stride.sub(&product)?)?.or().nonnegative(self, &extent.negated()?.plus(1)?)?;
            refuted |= clause.require(&mut guard).is_err();
            product = product.mul(&extent)?;
        }
        if !refuted {
            return Ok(self.tidy(&guard).verdict());
        }
        // A bijection of `[0, size)` has as many offsets as coordinates.
        let never = match self.cosize(layout) {
            Ok(cosize) => self.is_zero(&cosize.sub(&product)?) == Some(false),
            Err(_) => false,
        };
        Ok(if never { Verdict::Never } else { Verdict::Open })
    }

    /// Whether the offsets are all of `[0, cosize)`: sorted, no stride exceeds the reach of the modes before it plus 1.
    /// The guard is sufficient.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let windows = scope.layout("(M,K):(1,step)")?;
    /// let Verdict::When(guard) = scope.is_surjective(&windows)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard).as_str(), "step <= M or K <= 1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides of coordinates or XOR strides beside names; those of [`Number::add`].
    pub fn is_surjective(&self, layout: &SymbolicLayout) -> Result<Verdict, Error> {
        self.check(layout)?;
        if let Some(layout) = layout.as_constant() {
            return Ok(known(layout.is_surjective()?));
        }
        let (mut reach, mut size) = (Number::zero(), Number::one());
        let (mut guard, mut refuted) = (Guard::ALWAYS, false);
        for Indexed { extent, stride, .. } in self.modes_at_a_witness(layout.leaves())? {
            let mut clause = Clause::new();
            clause.nonnegative(self, &stride)?.nonnegative(self, &reach.sub(&stride)?.plus(1)?)?;
            clause.or().nonnegative(self, &extent.negated()?.plus(1)?)?;
            refuted |= clause.require(&mut guard).is_err();
            if self.nonnegative(&stride) == Some(false) && self.at_least(&extent, 2) == Some(true) {
                return Ok(Verdict::Never);
            }
            reach = reach.add(&extent.plus(-1)?.mul(&stride)?)?;
            size = size.mul(&extent)?;
        }
        if !refuted {
            return Ok(self.tidy(&guard).verdict());
        }
        // There are more offsets than coordinates.
        let never = match self.cosize(layout) {
            Ok(cosize) => self.at_least(&cosize.sub(&size)?, 1) == Some(true),
            Err(_) => false,
        };
        Ok(if never { Verdict::Never } else { Verdict::Open })
    }

    /// Whether each offset is below that of the next index: the stride of each mode exceeds the reach of the modes
    /// before it. The guard is necessary and sufficient.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let Verdict::When(guard) = scope.is_increasing(&matrix)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard).as_str(), "ld >= M or K <= 1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides of coordinates or XOR strides beside names; those of [`Number::add`].
    pub fn is_increasing(&self, layout: &SymbolicLayout) -> Result<Verdict, Error> {
        self.check(layout)?;
        if let Some(layout) = layout.as_constant() {
            return Ok(known(layout.is_increasing()?));
        }
        need_integral(layout.leaves())?;
        let (mut reach, mut guard) = (Number::zero(), Guard::ALWAYS);
        for SymbolicLeaf { extent, stride, .. } in layout.leaves() {
            let mut clause = Clause::new();
            clause.nonnegative(self, &stride.sub(&reach)?.plus(-1)?)?;
            clause.or().nonnegative(self, &extent.negated()?.plus(1)?)?;
            if clause.require(&mut guard).is_err() {
                return Ok(Verdict::Never);
            }
            reach = reach.add(&extent.plus(-1)?.mul(stride)?)?;
        }
        Ok(self.tidy(&guard).verdict())
    }

    /// Whether the offset of each index is the index.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let batches = scope.layout("(M,K,L):(1,M,bs)")?;
    /// let Verdict::When(guard) = scope.is_contiguous(&batches)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard).as_str(), "bs == M*K or L <= 1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`equivalent`](Self::equivalent).
    pub fn is_contiguous(&self, layout: &SymbolicLayout) -> Result<Verdict, Error> {
        let line = SymbolicLeaf::new(self.size(layout)?, 1);
        self.equivalent(layout, &self.own(Tuple::leaf(line)))
    }

    /// The indices of the offsets `0, 1, 2, ...` as long as both layouts have them at the same index: the elements that
    /// can be copied between them in one piece; their number is the widest vector. CuTe's `max_common_layout`. The
    /// right inverses are compared mode by mode; if it is unknown which of two extents is smaller, the guard says that
    /// it is the one that is smaller at the witness.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (matrix, tiles) = (scope.layout("(M,K):(1,ld)")?, scope.layout("((64,M/64),K):((1,64*K),64)")?);
    /// scope.assume("M % 64 == 0")?;
    /// let answer = scope.common_layout(&matrix, &tiles).unwrap();
    /// assert_eq!(answer.to_string(), "64:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`right_inverse`](Self::right_inverse).
    pub fn common_layout(
        &mut self,
        left: &SymbolicLayout,
        right: &SymbolicLayout,
    ) -> Result<Answer, Refusal> {
        self.check(left)?;
        self.check(right)?;
        if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
            return self.constant_answer(left.common_layout(&right));
        }
        let units = moving_units(left.leaves().iter().chain(right.leaves()), "common_layout with names")?;
        if let [Unit::ONE, _, ..] = units[..] {
            let error = Error::MixedCodomain { left: Codomain::Integer, right: Codomain::Coordinate };
            return Err(error.into());
        }
        let (mut common, mut guard) = (Vec::new(), Guard::ALWAYS);
        // A sum is the basis element of no component.
        let along = |layout: &SymbolicLayout, unit| {
            self.own(layout.as_tuple().map(|leaf| {
                let stride = if leaf.rest.is_empty() { leaf.coefficient(unit) } else { Number::zero() };
                SymbolicLeaf::new(leaf.extent.clone(), stride)
            }))
        };
        let parts: Vec<_> = units.iter().map(|unit| (along(left, *unit), along(right, *unit))).collect();
        for (one, two) in parts {
            let (one, two) = (self.right_inverse(&one)?, self.right_inverse(&two)?);
            if !self.common_modes(one.layout.leaves(), two.layout.leaves(), &mut common, &mut guard)? {
                break;
            }
        }
        let mut out = Tuple::builder();
        out.push_flat(self.merged(&common, false)?)?;
        Ok(Answer { layout: self.own(out), guard })
    }

    /// Appends the common leading modes of two right inverses; whether both have no others.
    fn common_modes(
        &self,
        one: &[SymbolicLeaf],
        two: &[SymbolicLeaf],
        common: &mut Vec<SymbolicLeaf>,
        guard: &mut Guard,
    ) -> Result<bool, Error> {
        let mut values = self.values(&[])?;
        for (a, b) in one.iter().zip(two) {
            if self.is_zero(&a.stride.sub(&b.stride)?) != Some(true) {
                return Ok(false);
            }
            let longer = a.extent.sub(&b.extent)?;
            if self.is_zero(&longer) == Some(true) {
                common.push(a.clone());
                continue;
            }
            let (shorter, room) = match self.fraction(&longer, &mut values)?.0 >= 0 {
                true => (b, longer),
                false => (a, longer.negated()?),
            };
            if let Ok(()) = Clause::new().nonnegative(self, &room)?.require(guard) {
                common.push(shorter.clone());
            }
            return Ok(false);
        }
        Ok(one.len() == two.len())
    }

    /// The coalesced modes in the order of their strides, at the default witness, or at a smaller one if a number would
    /// exceed 64 bits.
    fn modes_at_a_witness(&self, leaves: &[SymbolicLeaf]) -> Result<Vec<Indexed>, Error> {
        need_integral(leaves)?;
        let at = |base| {
            let mut values = self.witness(&self.hints, base)?;
            match self.admits(&values)? {
                true => self.indexed(leaves, Unit::ONE, |_| false, &mut values),
                false => Err(Error::Fact { reason: "the hints break a fact" }),
            }
        };
        BASES[1..].iter().fold(at(BASES[0]), |modes, base| modes.or_else(|_| at(*base)))
    }
}

fn known(truth: bool) -> Verdict {
    if truth { Verdict::Always } else { Verdict::Never }
}

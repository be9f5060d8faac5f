//! Whether offsets are distinct, or fill an interval, and the common layout of two layouts.
//!
//! The modes are sorted by their strides at the witness. Offsets are distinct if each stride exceeds the reach of all
//! modes before it; they fill `[0, size)` if each stride is the product of the extents before it. The guard requires
//! that order. So a guard that holds is sufficient; if it fails, another order, which a hint chooses, may still work.

use crate::answer::{Answer, Refusal, or_refuse};
use crate::guard::{Clause, Guard, Refuted, Verdict};
use crate::inverse::Modes;
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::polynomial::Polynomial;
use crate::scope::Scope;
use crate::values::{BASES, Values};
use tilework::Error;
use tilework::HTuple;

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
    /// Those of [`add`](Self::add), and of the static question for layouts without names.
    pub const fn is_injective(&mut self, layout: &SymbolicLayout) -> Result<Verdict, Error> {
        tri!(self.check(layout));
        if let Some(layout) = self.as_constant(layout) {
            return Ok(if tri!(layout.is_injective()) { Verdict::Always } else { Verdict::Never });
        }
        let (leaves, mut guard, mut open, mut i) = (layout.leaves(), Guard::ALWAYS, false, 0);
        while i < leaves.len() {
            let (unit, mut first, mut j) = (leaves[i].unit, true, 0);
            while j < i {
                first &= !leaves[j].unit.same(unit);
                j += 1;
            }
            i += 1;
            if !first {
                continue;
            }
            let Some(component) = tri!(self.steps_along(leaves, unit)) else {
                open = true;
                continue;
            };
            match tri!(self.are_distinct(&component, &mut guard)) {
                Verdict::Never => return Ok(Verdict::Never),
                Verdict::Open => open = true,
                _ => {}
            }
        }
        Ok(if open { Verdict::Open } else { self.tidy(&guard).verdict() })
    }

    /// The modes with one unit and non-negative strides, which is equivalent for distinct offsets; none if the sign of
    /// a stride is unknown.
    const fn steps_along(
        &mut self,
        leaves: &[SymbolicLeaf],
        unit: tilework::Unit,
    ) -> Result<Option<HTuple<SymbolicLeaf>>, Error> {
        let (mut steps, mut i) = (HTuple::builder(SymbolicLeaf::UNUSED), 0);
        while i < leaves.len() {
            let leaf = leaves[i];
            i += 1;
            if !leaf.unit.same(unit) {
                continue;
            }
            let step = self.polynomial(leaf.stride);
            let stride = match self.nonnegative(&step) {
                Some(true) => leaf.stride,
                Some(false) => tri!(self.intern(&tri!(step.negated()))),
                None => return Ok(None),
            };
            tri!(steps.push_value(SymbolicLeaf { extent: leaf.extent, stride, unit: tilework::Unit::ONE }));
        }
        tri!(steps.close_leaves(0));
        Ok(Some(steps))
    }

    /// Requires that each stride exceeds the reach of the modes before it.
    const fn are_distinct(
        &mut self,
        steps: &HTuple<SymbolicLeaf>,
        guard: &mut Guard,
    ) -> Result<Verdict, Error> {
        let modes = tri!(self.modes_at_a_witness(&self.own(*steps)));
        let (mut reach, mut size, mut refuted, mut i) = (Polynomial::ZERO, Polynomial::integer(1), false, 0);
        while i < modes.len() {
            let mode = modes.as_slice()[i];
            let (extent, stride) = (self.polynomial(mode.extent), self.polynomial(mode.stride));
            let mut clause = Clause::new();
            clause.or();
            tri!(clause.nonnegative(self, &tri!(tri!(stride.sub(&reach)).plus(-1))));
            clause.or();
            tri!(clause.nonnegative(self, &tri!(tri!(extent.negated()).plus(1))));
            refuted |= matches!(tri!(clause.require(guard)), Err(Refuted));
            let still = matches!(self.is_zero(&stride), Some(true));
            if still && matches!(self.at_least(&extent, 2), Some(true)) {
                return Ok(Verdict::Never);
            }
            reach = tri!(reach.add(&tri!(tri!(extent.plus(-1)).mul(&stride))));
            size = tri!(size.mul(&extent));
            i += 1;
        }
        // There are more coordinates than offsets.
        if refuted && matches!(self.at_least(&tri!(size.sub(&reach)), 2), Some(true)) {
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
    /// [`Error::Codomain`] for strides of coordinates or XOR strides beside names; those of [`add`](Self::add).
    pub const fn is_compact(&mut self, layout: &SymbolicLayout) -> Result<Verdict, Error> {
        tri!(self.check(layout));
        if let Some(layout) = self.as_constant(layout) {
            return Ok(if tri!(layout.is_compact()) { Verdict::Always } else { Verdict::Never });
        }
        let modes = tri!(self.modes_at_a_witness(layout));
        let (mut product, mut guard, mut refuted, mut i) = (Polynomial::integer(1), Guard::ALWAYS, false, 0);
        while i < modes.len() {
            let mode = modes.as_slice()[i];
            let (extent, stride) = (self.polynomial(mode.extent), self.polynomial(mode.stride));
            let mut clause = Clause::new();
            clause.or();
            tri!(clause.zero(self, &tri!(stride.sub(&product))));
            clause.or();
            tri!(clause.nonnegative(self, &tri!(tri!(extent.negated()).plus(1))));
            refuted |= matches!(tri!(clause.require(&mut guard)), Err(Refuted));
            product = tri!(product.mul(&extent));
            i += 1;
        }
        if !refuted {
            return Ok(self.tidy(&guard).verdict());
        }
        // A bijection of `[0, size)` has as many offsets as coordinates.
        let never = match self.cosize(layout) {
            Ok(cosize) => {
                let over = tri!(self.polynomial(cosize).sub(&product));
                matches!(self.is_zero(&over), Some(false))
            }
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
    /// [`Error::Codomain`] for strides of coordinates or XOR strides beside names; those of [`add`](Self::add).
    pub const fn is_surjective(&mut self, layout: &SymbolicLayout) -> Result<Verdict, Error> {
        tri!(self.check(layout));
        if let Some(layout) = self.as_constant(layout) {
            return Ok(if tri!(layout.is_surjective()) { Verdict::Always } else { Verdict::Never });
        }
        let modes = tri!(self.modes_at_a_witness(layout));
        let (mut reach, mut size) = (Polynomial::ZERO, Polynomial::integer(1));
        let (mut guard, mut refuted, mut i) = (Guard::ALWAYS, false, 0);
        while i < modes.len() {
            let mode = modes.as_slice()[i];
            let (extent, stride) = (self.polynomial(mode.extent), self.polynomial(mode.stride));
            let mut clause = Clause::new();
            clause.or();
            tri!(clause.nonnegative(self, &stride));
            tri!(clause.nonnegative(self, &tri!(tri!(reach.sub(&stride)).plus(1))));
            clause.or();
            tri!(clause.nonnegative(self, &tri!(tri!(extent.negated()).plus(1))));
            refuted |= matches!(tri!(clause.require(&mut guard)), Err(Refuted));
            let backwards = matches!(self.nonnegative(&stride), Some(false));
            if backwards && matches!(self.at_least(&extent, 2), Some(true)) {
                return Ok(Verdict::Never);
            }
            reach = tri!(reach.add(&tri!(tri!(extent.plus(-1)).mul(&stride))));
            size = tri!(size.mul(&extent));
            i += 1;
        }
        if !refuted {
            return Ok(self.tidy(&guard).verdict());
        }
        // There are more offsets than coordinates.
        let never = match self.cosize(layout) {
            Ok(cosize) => {
                let over = tri!(self.polynomial(cosize).sub(&size));
                matches!(self.at_least(&over, 1), Some(true))
            }
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
    /// [`Error::Codomain`] for strides of coordinates or XOR strides beside names; those of [`add`](Self::add).
    pub const fn is_increasing(&mut self, layout: &SymbolicLayout) -> Result<Verdict, Error> {
        tri!(self.check(layout));
        if let Some(layout) = self.as_constant(layout) {
            return Ok(if tri!(layout.is_increasing()) { Verdict::Always } else { Verdict::Never });
        }
        let leaves = layout.leaves();
        tri!(self.need_integral(leaves));
        let (mut reach, mut guard, mut i) = (Polynomial::ZERO, Guard::ALWAYS, 0);
        while i < leaves.len() {
            let (extent, stride) = (self.polynomial(leaves[i].extent), self.polynomial(leaves[i].stride));
            let mut clause = Clause::new();
            clause.or();
            tri!(clause.nonnegative(self, &tri!(tri!(stride.sub(&reach)).plus(-1))));
            clause.or();
            tri!(clause.nonnegative(self, &tri!(tri!(extent.negated()).plus(1))));
            if let Err(Refuted) = tri!(clause.require(&mut guard)) {
                return Ok(Verdict::Never);
            }
            reach = tri!(reach.add(&tri!(tri!(extent.plus(-1)).mul(&stride))));
            i += 1;
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
    pub const fn is_contiguous(&mut self, layout: &SymbolicLayout) -> Result<Verdict, Error> {
        let (extent, stride) = (tri!(self.size(layout)), tri!(self.integer(1)));
        let line = self.own(HTuple::leaf(SymbolicLeaf { extent, stride, unit: tilework::Unit::ONE }));
        self.equivalent(layout, &line)
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
    /// assert_eq!(scope.answer_text(&answer).as_str(), "64:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`right_inverse`](Self::right_inverse).
    pub const fn common_layout(
        &mut self,
        left: &SymbolicLayout,
        right: &SymbolicLayout,
    ) -> Result<Answer, Refusal> {
        or_refuse!(self.check(left));
        or_refuse!(self.check(right));
        if let (Some(left), Some(right)) = (self.as_constant(left), self.as_constant(right)) {
            return self.constant_answer(left.common_layout(&right));
        }
        let one = match self.right_inverse(left) {
            Ok(answer) => answer.layout,
            refusal => return refusal,
        };
        let two = match self.right_inverse(right) {
            Ok(answer) => answer.layout,
            refusal => return refusal,
        };
        let (mut common, mut guard) = (HTuple::builder(SymbolicLeaf::UNUSED), Guard::ALWAYS);
        or_refuse!(self.push_common(&one, &two, &mut common, &mut guard));
        let mut out = HTuple::builder(SymbolicLeaf::UNUSED);
        or_refuse!(self.merge_into(common.leaves(), false, &mut out));
        Ok(Answer { layout: self.own(out), guard })
    }

    /// Appends the common leading modes of two right inverses.
    const fn push_common(
        &mut self,
        one: &SymbolicLayout,
        two: &SymbolicLayout,
        out: &mut HTuple<SymbolicLeaf>,
        guard: &mut Guard,
    ) -> Result<(), Error> {
        let mut values = tri!(self.values(&[]));
        let mut i = 0;
        while i < one.leaves().len() && i < two.leaves().len() {
            let (a, b) = (one.leaves()[i], two.leaves()[i]);
            let apart = tri!(self.polynomial(a.stride).sub(&self.polynomial(b.stride)));
            if !matches!(self.is_zero(&apart), Some(true)) {
                return Ok(());
            }
            let longer = tri!(self.polynomial(a.extent).sub(&self.polynomial(b.extent)));
            if matches!(self.is_zero(&longer), Some(true)) {
                tri!(out.push_value(a));
                i += 1;
                continue;
            }
            let (sign, _) = tri!(self.fraction(&longer, &mut values));
            let (shorter, room) = if sign >= 0 { (b, longer) } else { (a, tri!(longer.negated())) };
            let mut clause = Clause::new();
            clause.or();
            tri!(clause.nonnegative(self, &room));
            if let Ok(()) = tri!(clause.require(guard)) {
                tri!(out.push_value(shorter));
            }
            return Ok(());
        }
        Ok(())
    }

    /// The coalesced modes in the order of their strides, at the default witness, or at a smaller one if a number would
    /// exceed 64 bits.
    const fn modes_at_a_witness(&mut self, layout: &SymbolicLayout) -> Result<Modes, Error> {
        let mut i = 0;
        loop {
            let modes = match self.witness(&self.hints, BASES[i]) {
                Ok(mut values) => self.modes_where_admitted(layout, &mut values),
                Err(error) => Err(error),
            };
            i += 1;
            if i == BASES.len() || modes.is_ok() {
                return modes;
            }
        }
    }

    const fn modes_where_admitted(
        &mut self,
        layout: &SymbolicLayout,
        values: &mut Values,
    ) -> Result<Modes, Error> {
        if !tri!(self.admits(values)) {
            return Err(Error::Fact { reason: "the hints break a fact" });
        }
        self.indexed(layout, values)
    }
}

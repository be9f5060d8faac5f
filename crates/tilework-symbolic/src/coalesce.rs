//! Coalesce, and equality of functions.
//!
//! Two modes are merged if `s d - d'` is identically 0 under the facts, and a mode is dropped if its extent is
//! identically 1. Undecided modes are kept, so there is no guard; the rank is minimal for all but exceptional values.
//!
//! Two layouts of equal size are the same function if and only if their E-forms, `D_0 x + sum_r E_r floor(x / P_r)`,
//! agree bound by bound below the size (docs/proofs.md, S5): that is the guard.

use crate::guard::{Clause, Guard, Refuted, Verdict};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::list::List;
use crate::polynomial::Polynomial;
use crate::pool::Number;
use crate::scope::Scope;
use tilework::__private::Part;
use tilework::Codomain;
use tilework::Error;
use tilework::{HTuple, MAX_LEAVES, Pattern, PatternLeaf};

/// The change of step at a bound.
#[derive(Clone, Copy)]
struct Change {
    bound: Number,
    change: Number,
}

type Changes = List<Change, { 2 * MAX_LEAVES }>;

impl Scope {
    /// The same function with as few modes as the facts allow.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tall = scope.layout("(192,N):(1,192)")?;
    /// let line = scope.coalesce(&tall)?;
    /// assert_eq!(scope.layout_text(&line).as_str(), "192*N:1");
    /// // Not for all values of `ld`: two modes.
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// assert_eq!(scope.coalesce(&matrix)?, matrix);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub const fn coalesce(&mut self, layout: &SymbolicLayout) -> Result<SymbolicLayout, Error> {
        self.coalesced(layout, false)
    }

    /// [`coalesce`](Self::coalesce) for every integer, also beyond the size: a trailing extent of 1 is kept.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(M,4,1):(1,M,ld)")?;
    /// let extended = scope.coalesce_extended(&layout)?;
    /// assert_eq!(scope.layout_text(&extended).as_str(), "(4*M,1):(1,ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub const fn coalesce_extended(&mut self, layout: &SymbolicLayout) -> Result<SymbolicLayout, Error> {
        self.coalesced(layout, true)
    }

    const fn coalesced(&mut self, layout: &SymbolicLayout, extended: bool) -> Result<SymbolicLayout, Error> {
        tri!(self.check(layout));
        if let Some(layout) = self.as_constant(layout) {
            return self.constant(&if extended { layout.coalesce_extended() } else { layout.coalesce() });
        }
        let mut out = HTuple::builder(SymbolicLeaf::UNUSED);
        tri!(self.merge_into(layout.leaves(), extended, &mut out));
        Ok(self.own(out))
    }

    /// Coalesce by mode: each leaf of the pattern marks a mode to coalesce on its own; modes beyond it are kept.
    ///
    /// ```
    /// use tilework::IntoHTuple;
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("((M,4),K):((1,M),ld)")?;
    /// let by_mode = scope.coalesce_by_mode(&layout, &(.., ..).into_htuple()?)?;
    /// assert_eq!(scope.layout_text(&by_mode).as_str(), "(4*M,K):(1,ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a pattern with more modes than the layout; those of [`add`](Self::add).
    pub const fn coalesce_by_mode(
        &mut self,
        layout: &SymbolicLayout,
        pattern: &Pattern,
    ) -> Result<SymbolicLayout, Error> {
        tri!(self.check(layout));
        if let Some(layout) = self.as_constant(layout) {
            let layout = tri!(layout.const_coalesce_by_mode(pattern));
            return self.constant(&layout);
        }
        let mut out = HTuple::builder(SymbolicLeaf::UNUSED);
        tri!(self.coalesce_modes_into(Part::whole(layout.as_tuple()), Part::whole(pattern), &mut out));
        Ok(self.own(out))
    }

    const fn coalesce_modes_into(
        &mut self,
        part: Part<'_, SymbolicLeaf>,
        pattern: Part<'_, PatternLeaf>,
        out: &mut HTuple<SymbolicLeaf>,
    ) -> Result<(), Error> {
        if pattern.is_leaf() {
            return self.merge_into(part.leaves(), false, out);
        }
        let (rank, found) = (part.rank(), pattern.rank());
        if found > rank {
            return Err(Error::Rank { operation: "coalesce by mode", expected: rank, found });
        }
        tri!(out.open(rank));
        let mut i = 0;
        while i < rank {
            let mode = tri!(part.mode(i));
            tri!(if i < found {
                self.coalesce_modes_into(mode, tri!(pattern.mode(i)), out)
            } else {
                out.push_part(mode)
            });
            i += 1;
        }
        Ok(())
    }

    /// Appends the leaves after merging.
    pub(crate) const fn merge_into(
        &mut self,
        leaves: &[SymbolicLeaf],
        extended: bool,
        out: &mut HTuple<SymbolicLeaf>,
    ) -> Result<(), Error> {
        let (first, mut i) = (out.leaves().len(), 0);
        while i < leaves.len() {
            let leaf = leaves[i];
            let extent = self.polynomial(leaf.extent);
            let is_one = matches!(self.is_zero(&tri!(extent.plus(-1))), Some(true));
            i += 1;
            if is_one && !(extended && i == leaves.len()) {
                continue;
            }
            let last = out.leaves().len();
            if last > first && tri!(self.continues(out.leaves()[last - 1], leaf)) {
                let product = tri!(self.polynomial(out.leaves()[last - 1].extent).mul(&extent));
                out.leaves_mut()[last - 1].extent = tri!(self.intern(&product));
            } else {
                tri!(out.push_value(leaf));
            }
        }
        if out.leaves().len() == first {
            let (extent, stride) = (tri!(self.integer(1)), tri!(self.integer(0)));
            tri!(out.push_value(SymbolicLeaf { extent, stride, unit: tilework::Unit::ONE }));
        }
        out.close_leaves(first)
    }

    /// Whether two modes can be merged for all values.
    const fn continues(&self, leaf: SymbolicLeaf, next: SymbolicLeaf) -> Result<bool, Error> {
        let (stride, next_stride) = (self.polynomial(leaf.stride), self.polynomial(next.stride));
        if !leaf.unit.same(next.unit) || leaf.unit.is_xor() {
            return Ok(stride.is_zero() && next_stride.is_zero());
        }
        let product = tri!(self.polynomial(leaf.extent).mul(&stride));
        Ok(matches!(self.is_zero(&tri!(product.sub(&next_stride))), Some(true)))
    }

    /// Whether two layouts have the same size and the same offset at every integral coordinate.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (tall, line) = (scope.layout("(192,N):(1,192)")?, scope.layout("192*N:1")?);
    /// assert!(matches!(scope.equivalent(&tall, &line)?, Verdict::Always));
    /// let padded = scope.layout("(192,N):(1,200)")?;
    /// let Verdict::When(guard) = scope.equivalent(&padded, &line)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard).as_str(), "N <= 1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides of coordinates or XOR strides beside names; those of [`add`](Self::add).
    pub const fn equivalent(
        &mut self,
        left: &SymbolicLayout,
        right: &SymbolicLayout,
    ) -> Result<Verdict, Error> {
        tri!(self.check(left));
        tri!(self.check(right));
        if let (Some(left), Some(right)) = (self.as_constant(left), self.as_constant(right)) {
            return Ok(if left.equivalent(&right) { Verdict::Always } else { Verdict::Never });
        }
        if !self.is_integral(left.leaves()) || !self.is_integral(right.leaves()) {
            return Err(Error::Codomain {
                operation: "equivalent of symbolic layouts",
                found: Codomain::Coordinate,
            });
        }
        let mut changes = Changes::new(Change { bound: Number::UNUSED, change: Number::UNUSED });
        let mut first = tri!(self.e_form(left.leaves(), 1, &mut changes));
        first = tri!(first.add(&tri!(self.e_form(right.leaves(), -1, &mut changes))));
        let size = tri!(self.size_of(left.leaves()));
        let difference = tri!(size.sub(&tri!(self.size_of(right.leaves()))));
        let mut guard = Guard::ALWAYS;
        let refuted = match tri!(self.agree(&first, &changes, &size, &difference, &mut guard)) {
            Ok(()) => false,
            Err(Refuted) => true,
        };
        if !refuted {
            return Ok(if guard.is_always() { Verdict::Always } else { Verdict::When(self.tidy(&guard)) });
        }
        // Bounds that coincide for some values could cancel there; a single one cannot.
        let sizes_differ = matches!(self.is_zero(&difference), Some(false));
        let alone = changes.len() <= 1
            && matches!(self.at_least(&size, 2), Some(true))
            && (changes.is_empty()
                || matches!(self.at_least(&self.polynomial(changes.as_slice()[0].bound), 2), Some(true)));
        Ok(if sizes_differ || alone { Verdict::Never } else { Verdict::Open })
    }

    /// Requires that the difference of two E-forms is 0 below the size.
    const fn agree(
        &mut self,
        first: &Polynomial,
        changes: &Changes,
        size: &Polynomial,
        difference: &Polynomial,
        guard: &mut Guard,
    ) -> Result<Result<(), Refuted>, Error> {
        let mut clause = Clause::new();
        clause.or();
        tri!(clause.zero(self, difference));
        if let Err(refuted) = tri!(clause.require(guard)) {
            return Ok(Err(refuted));
        }
        let (mut at_one, mut i) = (*first, 0);
        while i < changes.len() {
            let Change { bound, change } = changes.as_slice()[i];
            if self.polynomial(bound).is(1) {
                at_one = tri!(at_one.add(&self.polynomial(change)));
            }
            i += 1;
        }
        let mut clause = Clause::new();
        clause.or();
        tri!(clause.zero(self, &at_one));
        clause.or();
        tri!(clause.zero(self, &tri!(size.plus(-1))));
        if let Err(refuted) = tri!(clause.require(guard)) {
            return Ok(Err(refuted));
        }
        i = 0;
        while i < changes.len() {
            let Change { bound, change } = changes.as_slice()[i];
            let bound = self.polynomial(bound);
            i += 1;
            if bound.is(1) {
                continue;
            }
            let mut clause = Clause::new();
            clause.or();
            tri!(clause.zero(self, &self.polynomial(change)));
            clause.or();
            tri!(clause.nonnegative(self, &tri!(bound.sub(size))));
            if let Err(refuted) = tri!(clause.require(guard)) {
                return Ok(Err(refuted));
            }
        }
        Ok(Ok(()))
    }

    /// The first stride, and the changes at the bounds, times `sign`; changes at one bound are summed, and those that
    /// are identically 0 are dropped.
    const fn e_form(
        &mut self,
        leaves: &[SymbolicLeaf],
        sign: i64,
        out: &mut Changes,
    ) -> Result<Polynomial, Error> {
        if leaves.is_empty() {
            return Ok(Polynomial::ZERO);
        }
        let first = tri!(self.polynomial(leaves[0].stride).scale(sign, 1));
        let (mut bound, mut i) = (Polynomial::integer(1), 1);
        while i < leaves.len() {
            let extent = self.polynomial(leaves[i - 1].extent);
            bound = tri!(bound.mul(&extent));
            let product = tri!(extent.mul(&self.polynomial(leaves[i - 1].stride)));
            let change = tri!(tri!(self.polynomial(leaves[i].stride).sub(&product)).scale(sign, 1));
            tri!(self.add_change(&bound, &change, out));
            i += 1;
        }
        Ok(first)
    }

    const fn add_change(
        &mut self,
        bound: &Polynomial,
        change: &Polynomial,
        out: &mut Changes,
    ) -> Result<(), Error> {
        let bound = tri!(self.intern(bound));
        let mut i = 0;
        while i < out.len() {
            let known = out.as_slice()[i];
            if known.bound.same(bound) {
                let sum = tri!(self.polynomial(known.change).add(change));
                if sum.is_zero() {
                    let last = out.as_slice()[out.len() - 1];
                    out.as_mut_slice()[i] = last;
                    out.truncate(out.len() - 1);
                } else {
                    out.as_mut_slice()[i].change = tri!(self.intern(&sum));
                }
                return Ok(());
            }
            i += 1;
        }
        if change.is_zero() {
            return Ok(());
        }
        let change = tri!(self.intern(change));
        out.push(Change { bound, change }, "bounds")
    }
}

//! Coalesce, and equality of functions.
//!
//! Two modes are merged if `s d - d'` is identically 0 under the facts, and a mode is dropped if its extent is
//! identically 1. Undecided modes are kept, so there is no guard; the rank is minimal for all but exceptional values.
//!
//! Two layouts of equal size are the same function if and only if their E-forms, `D_0 x + sum_r E_r floor(x / P_r)`,
//! agree bound by bound below the size (docs/proofs.md, S5): that is the guard.

use crate::guard::{Clause, Guard, Verdict};
use crate::layout::{SymbolicLayout, SymbolicLeaf, moving_units, size_of};
use crate::number::Number;
use crate::scope::Scope;
use crate::tuple::{Part, Tuple};
use alloc::vec::Vec;
use tilework::{Error, Pattern};

/// The change of step at a bound.
struct Change {
    bound: Number,
    change: Number,
}

impl Scope {
    /// The same function with as few modes as the facts allow.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tall = scope.layout("(192,N):(1,192)")?;
    /// let line = scope.coalesce(&tall)?;
    /// assert_eq!(line.to_string(), "192*N:1");
    /// // Not for all values of `ld`: two modes.
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// assert_eq!(scope.coalesce(&matrix)?, matrix);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Number::add`].
    pub fn coalesce(&self, layout: &SymbolicLayout) -> Result<SymbolicLayout, Error> {
        self.coalesced(layout, false)
    }

    /// [`coalesce`](Self::coalesce) for every integer, also beyond the size: a trailing extent of 1 is kept.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(M,4,1):(1,M,ld)")?;
    /// let extended = scope.coalesce_extended(&layout)?;
    /// assert_eq!(extended.to_string(), "(4*M,1):(1,ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Number::add`].
    pub fn coalesce_extended(&self, layout: &SymbolicLayout) -> Result<SymbolicLayout, Error> {
        self.coalesced(layout, true)
    }

    fn coalesced(&self, layout: &SymbolicLayout, extended: bool) -> Result<SymbolicLayout, Error> {
        self.check(layout)?;
        if let Some(layout) = layout.as_constant() {
            return self.constant(&if extended { layout.coalesce_extended() } else { layout.coalesce() });
        }
        let mut out = Tuple::builder();
        out.push_flat(self.merged(layout.leaves(), extended)?)?;
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
    /// assert_eq!(by_mode.to_string(), "(4*M,K):(1,ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a pattern with more modes than the layout; those of [`Number::add`].
    pub fn coalesce_by_mode(
        &self,
        layout: &SymbolicLayout,
        pattern: &Pattern,
    ) -> Result<SymbolicLayout, Error> {
        self.check(layout)?;
        if let Some(layout) = layout.as_constant() {
            return self.constant(&layout.const_coalesce_by_mode(pattern)?);
        }
        let mut out = Tuple::builder();
        modes_into(layout.as_tuple().part(), pattern, &mut out, &mut |part, out| {
            out.push_flat(self.merged(part.leaves(), false)?)
        })?;
        Ok(self.own(out))
    }

    /// The leaves after merging.
    pub(crate) fn merged(&self, leaves: &[SymbolicLeaf], extended: bool) -> Result<Vec<SymbolicLeaf>, Error> {
        let mut out: Vec<SymbolicLeaf> = Vec::with_capacity(leaves.len());
        for (index, leaf) in leaves.iter().enumerate() {
            let is_one = self.is_zero(&leaf.extent.plus(-1)?) == Some(true);
            if is_one && !(extended && index + 1 == leaves.len()) {
                continue;
            }
            match out.last_mut() {
                Some(last) if self.continues(last, leaf)? => last.extent = last.extent.mul(&leaf.extent)?,
                _ => out.push(leaf.clone()),
            }
        }
        if out.is_empty() {
            out.push(SymbolicLeaf::new(1, 0));
        }
        Ok(out)
    }

    /// Whether two modes can be merged for all values.
    fn continues(&self, leaf: &SymbolicLeaf, next: &SymbolicLeaf) -> Result<bool, Error> {
        if leaf.unit.is_xor() || next.unit.is_xor() {
            return Ok(leaf.stride.is_zero() && next.stride.is_zero());
        }
        for (_, unit) in leaf.terms().chain(next.terms()) {
            let product = leaf.extent.mul(&leaf.coefficient(unit))?;
            if self.is_zero(&product.sub(&next.coefficient(unit))?) != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
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
    /// [`Error::Codomain`] for strides of coordinates or XOR strides beside names; those of [`Number::add`].
    pub fn equivalent(&self, left: &SymbolicLayout, right: &SymbolicLayout) -> Result<Verdict, Error> {
        self.check(left)?;
        self.check(right)?;
        if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
            return Ok(if left.equivalent(&right) { Verdict::Always } else { Verdict::Never });
        }
        if !left.is_integral() || !right.is_integral() {
            let leaves = left.leaves().iter().chain(right.leaves());
            let units = moving_units(leaves, "equivalent of symbolic layouts")?;
            return units.iter().try_fold(Verdict::Always, |known, unit| {
                Ok(known.and(self.equivalent(&left.along(*unit), &right.along(*unit))?))
            });
        }
        let mut changes = Vec::new();
        let mut first = e_form(left.leaves(), 1, &mut changes)?;
        first = first.add(&e_form(right.leaves(), -1, &mut changes)?)?;
        let size = size_of(left.leaves())?;
        let difference = size.sub(&size_of(right.leaves())?)?;
        let mut guard = Guard::ALWAYS;
        if self.agree(first, &changes, &size, &difference, &mut guard)? {
            return Ok(self.tidy(&guard).verdict());
        }
        // Bounds that coincide for some values could cancel there; a single one cannot.
        let is_plural = |number: &Number| self.at_least(number, 2) == Some(true);
        let alone = changes.len() <= 1
            && is_plural(&size)
            && changes.first().is_none_or(|change| is_plural(&change.bound));
        let never = alone || self.is_zero(&difference) == Some(false);
        Ok(if never { Verdict::Never } else { Verdict::Open })
    }

    /// Requires that the difference of two E-forms is 0 below the size.
    fn agree(
        &self,
        first: Number,
        changes: &[Change],
        size: &Number,
        difference: &Number,
        guard: &mut Guard,
    ) -> Result<bool, Error> {
        if Clause::new().zero(self, difference)?.require(guard).is_err() {
            return Ok(false);
        }
        let at_one = changes.iter().filter(|change| change.bound.is(1));
        let at_one = at_one.map(|change| &change.change).try_fold(first, |sum, change| sum.add(change))?;
        let mut clause = Clause::new();
        if clause.zero(self, &at_one)?.or().zero(self, &size.plus(-1)?)?.require(guard).is_err() {
            return Ok(false);
        }
        for Change { bound, change } in changes.iter().filter(|change| !change.bound.is(1)) {
            let mut clause = Clause::new();
            clause.zero(self, change)?.or().nonnegative(self, &bound.sub(size)?)?;
            if clause.require(guard).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The first stride, and the changes at the bounds, times `sign`; changes at one bound are summed, and those that are
/// identically 0 are dropped.
fn e_form(leaves: &[SymbolicLeaf], sign: i64, out: &mut Vec<Change>) -> Result<Number, Error> {
    let Some(first) = leaves.first() else { return Ok(Number::zero()) };
    let mut bound = Number::one();
    for pair in leaves.windows(2) {
        let [SymbolicLeaf { extent, stride, .. }, next] = pair else { continue };
        bound = bound.mul(extent)?;
        let change = next.stride.sub(&extent.mul(stride)?)?.scale(sign, 1)?;
        match out.iter().position(|known| known.bound == bound) {
            Some(place) => {
                out[place].change = out[place].change.add(&change)?;
                if out[place].change.is_zero() {
                    out.swap_remove(place);
                }
            }
            None if change.is_zero() => {}
            None => out.push(Change { bound: bound.clone(), change }),
        }
    }
    first.stride.scale(sign, 1)
}

/// Appends the modes, those that a pattern marks by a function. The recursion depth is that of the pattern.
pub(crate) fn modes_into<E: From<Error>>(
    part: Part<'_, SymbolicLeaf>,
    pattern: &Pattern,
    out: &mut Tuple<SymbolicLeaf>,
    marked: &mut impl FnMut(Part<'_, SymbolicLeaf>, &mut Tuple<SymbolicLeaf>) -> Result<(), E>,
) -> Result<(), E> {
    if pattern.is_leaf() {
        return marked(part, out);
    }
    let (rank, found) = (part.rank(), pattern.rank());
    if found > rank {
        return Err(Error::Rank { operation: "an operation by mode", expected: rank, found }.into());
    }
    out.open(rank)?;
    for (index, mode) in part.modes().enumerate() {
        match index < found {
            true => modes_into(mode, &pattern.mode(index)?, out, marked)?,
            false => out.push_part(mode)?,
        }
    }
    Ok(())
}

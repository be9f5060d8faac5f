//! Complement: the offsets that a layout skips (docs/proofs.md, S2).
//!
//! The modes with stride other than 0 are sorted by their strides at the witness; none may begin before the previous
//! one ends: `d_(i+1) >= s_i d_i`. Then the gaps between them are `floor(d_(i+1) / s_i d_i) : s_i d_i`, and the rest
//! after the last one is `ceil(total/end) : end`. Of coordinates, each component has its own complement, of the modes that it is given
//! (`sums.rs`).

use crate::answer::{Answer, Extent, Lifted, Operation, Refusal, undecided};
use crate::guard::{Clause, Condition};
use crate::layout::{SymbolicLayout, SymbolicLeaf, moving_units};
use crate::number::Number;
use crate::scope::Scope;
use crate::sums::{INCONGRUENT, NAME, overlap};
use crate::tuple::{Part, Tuple};
use crate::values::Values;
use alloc::vec::Vec;
use tilework::{__private::sort_by_key, Error, HTuple, Unit};

/// A mode with its stride and extent at the witness.
struct Sorted {
    extent: Number,
    stride: Number,
    at: (i64, i64),
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
    /// assert_eq!(answer.to_string(), "(2,1):(M,2*M*K)");
    ///
    /// let diagonals = scope.layout("(M,K):((1@0+1@1),M@0)")?;
    /// assert_eq!(scope.complement(&diagonals).unwrap().to_string(), "((M,1),1):((1@0,M*K@0),M@1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::NoLayout`] for modes that overlap at the witness; [`Error::Codomain`] for XOR strides beside names;
    /// [`Error::Overflow`], [`Error::Capacity`].
    pub fn complement(&mut self, layout: &SymbolicLayout) -> Result<Answer, Refusal> {
        self.check(layout)?;
        match layout.as_constant() {
            Some(layout) => self.constant_answer(layout.complement()),
            None => self.answer(Operation::Complement(layout, None)),
        }
    }

    /// The complement with respect to `[0, size(shape))`; for strides of coordinates, to the coordinates of `shape`.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// // The ranks of a mesh that differ from one in the group of `dp` alone.
    /// let group = scope.layout("dp:tp*pp")?;
    /// let total = scope.number("tp*pp*dp")?;
    /// let answer = scope.complement_within(&group, &total.into()).unwrap();
    /// assert_eq!(answer.to_string(), "tp*pp:1");
    ///
    /// let (columns, shape) = (scope.layout("M:1@0")?, scope.shape("(M,N)")?);
    /// assert_eq!(scope.complement_within(&columns, &shape).unwrap().to_string(), "(1,N):(0,1@1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`complement`](Self::complement); [`Error::Incongruent`] for a shape without the profile of the coordinates.
    pub fn complement_within(
        &mut self,
        layout: &SymbolicLayout,
        shape: &Tuple<Number>,
    ) -> Result<Answer, Refusal> {
        self.check(layout)?;
        shape.leaves().iter().try_for_each(|extent| self.check_number(extent))?;
        let extents: Option<Vec<i64>> = shape.leaves().iter().map(Number::as_integer).collect();
        match (layout.as_constant(), extents) {
            (Some(layout), Some(extents)) => {
                let shape = HTuple::with_profile(shape.profile(), &extents, 1)?;
                self.constant_answer(layout.const_complement_within(&shape))
            }
            _ => self.answer(Operation::Complement(layout, Some(shape))),
        }
    }

    /// Appends the complement, of coordinates that of each component. `strict` is without a shape for an index through all components,
    /// and with one for gaps that are filled completely.
    pub(crate) fn complement_by_component(
        &mut self,
        leaves: &[SymbolicLeaf],
        shape: Option<&Tuple<Number>>,
        strict: bool,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let (units, mut shape) = (moving_units(leaves, NAME)?, shape.cloned());
        let leaves = &self.separated(leaves, &units, &mut shape, strict, values, &mut lifted.guard)?[..];
        let within = |extent| if strict { Extent::Exactly(extent) } else { Extent::Within(extent) };
        let size;
        let mut domain = match &shape {
            Some(shape) if units.iter().all(|unit| unit.is_one()) => {
                size = shape.leaves().iter().try_fold(Number::one(), |size, extent| size.mul(extent))?;
                Tuple::leaf(within(&size))
            }
            Some(shape) => Tuple::with_profile(shape.profile(), shape.leaves().iter().map(within).collect())?,
            None => {
                let open: Vec<_> = units.iter().map(|unit| (*unit, Tuple::leaf(Extent::Open))).collect();
                Tuple::nested(&open, &Extent::Open)?
            }
        };
        if let (true, None, [before @ .., _]) = (strict, &shape, domain.leaves_mut()) {
            before.fill(Extent::Counted);
        }
        match self.fill(domain.part(), &mut Vec::new(), leaves, values, lifted)?
            == moving_units(leaves, NAME)?.len()
        {
            true => Ok(()),
            false => Err(INCONGRUENT.into()),
        }
    }

    /// Appends the complement of the leaves along the component at `path`, or along those below it; returns along how many of them
    /// leaves move. The recursion depth is that of a basis element.
    fn fill(
        &mut self,
        domain: Part<'_, Extent<'_>>,
        path: &mut Vec<usize>,
        leaves: &[SymbolicLeaf],
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<usize, Refusal> {
        if !domain.is_leaf() {
            lifted.tuple.open(domain.rank())?;
            let mut moved = 0;
            for (index, mode) in domain.modes().enumerate() {
                path.push(index);
                moved += self.fill(mode, path, leaves, values, lifted)?;
                path.pop();
            }
            return Ok(moved);
        }
        let unit = if path.is_empty() { Unit::ONE } else { Unit::basis(path)? };
        let own = leaves.iter().filter(|leaf| leaf.unit == unit && !leaf.stride.is_zero());
        let own: Vec<_> = own.cloned().collect();
        self.complement_of(unit, &own, domain.leaves()[0], values, lifted)?;
        Ok(usize::from(!own.is_empty()))
    }

    /// Appends the complement of leaves with one unit, theirs: a leaf or a flat tuple.
    pub(crate) fn complement_of(
        &mut self,
        unit: Unit,
        leaves: &[SymbolicLeaf],
        extent: Extent<'_>,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let first = lifted.tuple.leaves().len();
        self.complement_into(leaves, extent, values, lifted)?;
        let added = lifted.tuple.leaves_mut()[first..].iter_mut().filter(|leaf| !leaf.stride.is_zero());
        added.for_each(|leaf| leaf.unit = unit);
        Ok(())
    }

    /// Appends the complement of strides that are numbers, whatever their unit: a leaf or a flat tuple.
    pub(crate) fn complement_into(
        &mut self,
        leaves: &[SymbolicLeaf],
        extent: Extent<'_>,
        values: &mut Values,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let modes = self.sorted(leaves, values)?;
        let mut out = Vec::new();
        // If the last mode covered so far has extent 1 or stride 0, the static complement has no gap there.
        let (mut end, mut moves) = (Number::one(), None);
        for (i, mode) in modes.iter().enumerate() {
            let room = mode.stride.sub(&end)?;
            if self.fraction(&room, values)?.0 < 0 {
                return Err(overlap([modes[i.saturating_sub(1)].at, mode.at], room));
            }
            let mut clause = Clause::new();
            clause.nonnegative(self, &room)?.require(&mut lifted.guard).map_err(|_| undecided(NAME))?;
            let gap = self.floor(&mode.stride, &end)?;
            let covered = end.mul(&gap)?;
            let before = moves;
            moves = if room.is_zero() { None } else { Some(&mode.extent) };
            let left_out = covered.sub(&mode.stride)?;
            if !left_out.is_zero() {
                self.require_moves([moves, before], &left_out, lifted)?;
                if let Extent::Exactly(total) = extent {
                    let mut clause = Clause::new();
                    clause.zero(self, &left_out)?.or().nonnegative(self, &covered.sub(total)?)?;
                    let filled = clause.require(&mut lifted.guard);
                    filled.map_err(|_| gap_left_out(&modes, i, left_out))?;
                }
            }
            if self.is_zero(&gap.plus(-1)?) != Some(true) {
                out.push(SymbolicLeaf::new(gap, end));
            }
            end = mode.extent.mul(&mode.stride)?;
        }
        let count = match extent {
            Extent::Open => Number::one(),
            Extent::Counted => {
                // The static complement has no gap before a last mode of extent 1.
                if let (Some(last), Some(gap)) = (moves, out.last()) {
                    self.require_moves([Some(last), None], &gap.extent.plus(-1)?, lifted)?;
                }
                Number::one()
            }
            Extent::Within(total) | Extent::Exactly(total) => {
                let count = self.floor(&total.add(&end)?.plus(-1)?, &end)?;
                let beyond = count.mul(&end)?.sub(total)?;
                if moves.is_some() && !beyond.is_zero() {
                    self.require_moves([moves, None], &beyond, lifted)?;
                }
                count
            }
        };
        if matches!(extent, Extent::Open | Extent::Counted) || self.is_zero(&count.plus(-1)?) != Some(true) {
            out.push(SymbolicLeaf::new(count, end));
        } else if out.is_empty() {
            out.push(SymbolicLeaf::new(count, 0));
        }
        lifted.tuple.push_flat(out)?;
        match self.holds(&lifted.guard, values)? {
            true => Ok(()),
            false => Err(refused_at_witness(&modes)),
        }
    }

    /// The modes beside a gap have to have extents above 1: with an extent of 1 between them, the static complement
    /// merges two gaps.
    fn require_moves(
        &self,
        beside: [Option<&Number>; 2],
        left_out: &Number,
        lifted: &mut Lifted,
    ) -> Result<(), Refusal> {
        let mut clause = Clause::new();
        for extent in beside.into_iter().flatten() {
            clause.nonnegative(self, &extent.plus(-2)?)?;
        }
        clause.or().zero(self, left_out)?.require(&mut lifted.guard).map_err(|_| undecided(NAME))
    }

    /// The modes with stride other than 0, sorted by their strides at the witness; those that continue each other for
    /// all values are merged.
    fn sorted(&self, leaves: &[SymbolicLeaf], values: &mut Values) -> Result<Vec<Sorted>, Error> {
        let mut modes = Vec::new();
        for SymbolicLeaf { extent, stride, .. } in leaves {
            if self.is_zero(stride) != Some(true) && self.is_zero(&extent.plus(-1)?) != Some(true) {
                let at = (self.integer_value(stride, values)?, self.integer_value(extent, values)?);
                modes.push(Sorted { extent: extent.clone(), stride: stride.clone(), at });
            }
        }
        sort_by_key(&mut modes, |mode| mode.at);
        let mut merged: Vec<Sorted> = Vec::with_capacity(modes.len());
        for next in modes {
            if let Some(last) = merged.last_mut() {
                let end = last.extent.mul(&last.stride)?;
                if self.is_zero(&end.sub(&next.stride)?) == Some(true) {
                    last.extent = last.extent.mul(&next.extent)?;
                    continue;
                }
            }
            merged.push(next);
        }
        Ok(merged)
    }
}

/// The guard fails at the witness, because of modes of extent 1 there, or of a gap.
fn refused_at_witness(modes: &[Sorted]) -> Refusal {
    match modes {
        [.., before, next] => {
            Refusal::of(Error::Gap { extent: before.at.1, stride: before.at.0, next: next.at.0 })
        }
        _ => undecided(NAME),
    }
}

fn gap_left_out(modes: &[Sorted], i: usize, left_out: Number) -> Refusal {
    let (stride, extent) = modes[i.saturating_sub(1)].at;
    let error = Error::Gap { extent, stride, next: modes[i].at.0 };
    Refusal::NoLayout { error, needed: [Condition::Zero(left_out)].into() }
}

//! Bounds of offsets, offsets of coordinates, and conditions for access widths and tiles.

use crate::guard::{Clause, Guard, Verdict};
use crate::layout::{SymbolicLayout, SymbolicLeaf, is_integral, units_of};
use crate::number::Number;
use crate::scope::Scope;
use crate::tuple::{Part, Tuple};
use alloc::vec::Vec;
use tilework::{Codomain, Error, Pattern, PatternLeaf, Unit};

impl Scope {
    // ---- questions about numbers

    /// Whether `left >= right`.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (m, ld) = (scope.declare("M")?, scope.declare("ld")?);
    /// scope.assume("ld >= M")?;
    /// assert!(matches!(scope.is_at_least(&ld, &m)?, Verdict::Always));
    /// assert!(matches!(scope.is_at_least(&m, &ld)?, Verdict::When(_)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Number::add`].
    pub fn is_at_least(&self, left: &Number, right: &Number) -> Result<Verdict, Error> {
        self.check_number(left)?;
        self.check_number(right)?;
        Ok(Clause::new().nonnegative(self, &left.sub(right)?)?.verdict())
    }

    /// Whether `left == right`.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let (m, ld) = (scope.number("M")?, scope.number("ld")?);
    /// assert!(matches!(scope.is_equal(&m, &ld)?, Verdict::When(_)));
    /// scope.assume("ld >= M + 8")?;
    /// assert!(matches!(scope.is_equal(&m, &ld)?, Verdict::Never));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Number::add`].
    pub fn is_equal(&self, left: &Number, right: &Number) -> Result<Verdict, Error> {
        self.check_number(left)?;
        self.check_number(right)?;
        Ok(Clause::new().zero(self, &left.sub(right)?)?.verdict())
    }

    /// Whether `divisor` divides `number`: for an extent and its tile, whether every tile is full and needs no
    /// predicate.
    ///
    /// ```
    /// use tilework_symbolic::{Number, Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (m, tile) = (scope.declare("M")?, Number::integer(128));
    /// let Verdict::When(guard) = scope.is_multiple(&m, &tile)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard).as_str(), "M % 128 == 0");
    /// scope.assume("M % 256 == 0")?;
    /// assert!(matches!(scope.is_multiple(&m, &tile)?, Verdict::Always));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Number::add`].
    pub fn is_multiple(&self, number: &Number, divisor: &Number) -> Result<Verdict, Error> {
        self.check_number(number)?;
        self.check_number(divisor)?;
        Ok(Clause::new().is_multiple(self, number, divisor)?.verdict())
    }

    // ---- bounds

    /// The largest offset plus 1. The sign of each stride has to be known.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let cosize = scope.cosize(&matrix)?;
    /// assert_eq!(scope.number_text(&cosize).as_str(), "K*ld + M - ld");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a stride of unknown sign; [`Error::Codomain`] for strides of coordinates and XOR strides; those of
    /// [`Number::add`].
    pub fn cosize(&self, layout: &SymbolicLayout) -> Result<Number, Error> {
        self.max_offset(layout)?.plus(1)
    }

    /// The smallest offset.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let backwards = scope.layout("(M,K):(-1,ld)")?;
    /// let min = scope.min_offset(&backwards)?;
    /// assert_eq!(scope.number_text(&min).as_str(), "-M + 1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`cosize`](Self::cosize).
    pub fn min_offset(&self, layout: &SymbolicLayout) -> Result<Number, Error> {
        self.check(layout)?;
        self.reach(layout.leaves(), false)
    }

    /// The largest offset.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,M)")?;
    /// let max = scope.max_offset(&matrix)?;
    /// assert_eq!(scope.number_text(&max).as_str(), "M*K - 1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`cosize`](Self::cosize).
    pub fn max_offset(&self, layout: &SymbolicLayout) -> Result<Number, Error> {
        self.check(layout)?;
        self.reach(layout.leaves(), true)
    }

    /// The sum of the positive, or of the negative, steps.
    fn reach(&self, leaves: &[SymbolicLeaf], up: bool) -> Result<Number, Error> {
        need_integral(leaves)?;
        let leaves = leaves.iter().map(|leaf| (&leaf.extent, &leaf.stride));
        let reason = "a bound of the offsets needs the sign of each stride";
        self.reach_of(leaves, up)?.ok_or(Error::Fact { reason })
    }

    /// The smallest or largest sum of steps of modes, given by extent and stride; none if the sign of a stride is unknown.
    pub(crate) fn reach_of<'a>(
        &self,
        modes: impl Iterator<Item = (&'a Number, &'a Number)>,
        up: bool,
    ) -> Result<Option<Number>, Error> {
        let mut sum = Number::zero();
        for (extent, stride) in modes {
            match self.nonnegative(stride) {
                Some(sign) if sign == up => sum = sum.add(&extent.plus(-1)?.mul(stride)?)?,
                Some(_) => {}
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    /// Whether all offsets fit in `bits` bits and a sign: they are below `2^bits`, and not below `-2^bits`.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let Verdict::When(guard) = scope.fits(&matrix, 31)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard).as_str(), "K*ld + M <= ld + 2147483648");
    /// scope.assume("M <= 4096, K <= 4096, ld <= 4096")?;
    /// assert!(matches!(scope.fits(&matrix, 31)?, Verdict::Always));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for more than 62 bits; those of [`cosize`](Self::cosize).
    pub fn fits(&self, layout: &SymbolicLayout, bits: u32) -> Result<Verdict, Error> {
        if bits > 62 {
            let (operation, expected) = ("fits", "62 bits or fewer");
            return Err(Error::Argument { operation, expected, found: bits as i64 });
        }
        let (max, min) = (self.max_offset(layout)?, self.min_offset(layout)?);
        let mut guard = Guard::ALWAYS;
        let below =
            Clause::new().nonnegative(self, &max.negated()?.plus((1 << bits) - 1)?)?.require(&mut guard);
        let above = Clause::new().nonnegative(self, &min.plus(1 << bits)?)?.require(&mut guard);
        Ok(if below.and(above).is_err() { Verdict::Never } else { guard.verdict() })
    }

    // ---- coordinates

    /// The offset of a coordinate whose numbers may be names: a loop variable is one with its bounds as facts.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Tuple};
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("((128,M/128),K):((1,128),ld)")?;
    /// scope.assume("M % 128 == 0")?;
    /// let (i, k) = (scope.declare("i")?, scope.declare("k")?);
    /// scope.assume("i >= 0, i <= 127, k >= 0")?;
    /// // Below 128 the first mode does not turn.
    /// let offset = scope.offset(&matrix, &Tuple::of(&[i, k].map(Tuple::leaf))?)?;
    /// assert_eq!(scope.number_text(&offset).as_str(), "ld*k + i");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] for a coordinate that does not fit the layout; [`Error::Fact`] for an extent that is not
    /// known to be at least 1, in a mode with an integer as coordinate; [`Error::Codomain`] for strides of coordinates
    /// and XOR strides; those of [`floor_div`](Self::floor_div).
    pub fn offset(&mut self, layout: &SymbolicLayout, coordinate: &Tuple<Number>) -> Result<Number, Error> {
        self.check(layout)?;
        need_integral(layout.leaves())?;
        let digits = self.idx2crd(layout, coordinate)?;
        let products = digits.leaves().iter().zip(layout.leaves());
        products.into_iter().try_fold(Number::zero(), |sum, (digit, leaf)| sum.add(&digit.mul(&leaf.stride)?))
    }

    /// The offset of a coordinate in the layout's codomain: [`offset`](Self::offset) where strides are integers, and a number for
    /// each component where they are coordinates.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Tuple};
    /// let mut scope = Scope::new();
    /// let skewed = scope.layout("(M,K):(1@0,(1@0+ld@1))")?;
    /// let (i, k) = (scope.declare("i")?, scope.declare("k")?);
    /// let element = scope.element(&skewed, &Tuple::of(&[i, k].map(Tuple::leaf))?)?;
    /// let texts: Vec<_> = element.leaves().iter().map(|component| scope.number_text(component)).collect();
    /// assert_eq!(texts, ["i + k", "ld*k"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`offset`](Self::offset), but for strides of coordinates.
    pub fn element(
        &mut self,
        layout: &SymbolicLayout,
        coordinate: &Tuple<Number>,
    ) -> Result<Tuple<Number>, Error> {
        let terms = || layout.leaves().iter().flat_map(SymbolicLeaf::terms);
        if !terms().any(|(_, unit)| unit.depth() > 0) {
            return Ok(Tuple::leaf(self.offset(layout, coordinate)?));
        }
        let digits = self.idx2crd(layout, coordinate)?;
        let mut steps = Vec::new();
        for (digit, leaf) in digits.leaves().iter().zip(layout.leaves()) {
            for (count, unit) in leaf.terms().filter(|(_, unit)| unit.depth() > 0) {
                steps.push((unit, digit.mul(count)?));
            }
        }
        sum_of(&steps)
    }

    /// The coordinate of an index, or of a coordinate that coarsens the layout's, with one number for each leaf: digits
    /// that are proved to be 0 are dropped, and digits that are proved to be below their extents are not reduced. The
    /// last digit of each integer is not wrapped.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Tuple};
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let x = scope.declare("x")?;
    /// let coordinate = scope.idx2crd(&matrix, &Tuple::leaf(x))?;
    /// let texts: Vec<_> = coordinate.leaves().iter().map(|digit| scope.number_text(digit)).collect();
    /// assert_eq!(texts, ["-M*floor(x/M) + x", "floor(x/M)"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`offset`](Self::offset).
    pub fn idx2crd(
        &mut self,
        layout: &SymbolicLayout,
        coordinate: &Tuple<Number>,
    ) -> Result<Tuple<Number>, Error> {
        self.check(layout)?;
        if !coordinate.weakly_congruent(layout.as_tuple()) {
            return Err(Error::Incongruent { what: "the coordinate and the layout" });
        }
        let mut digits = Vec::new();
        self.push_digits(layout.as_tuple().part(), coordinate.part(), &mut digits)?;
        Tuple::with_profile(layout.profile(), digits)
    }

    /// Appends the digits of a part's coordinate; the recursion depth is that of the coordinate.
    fn push_digits(
        &mut self,
        part: Part<'_, SymbolicLeaf>,
        coordinate: Part<'_, Number>,
        out: &mut Vec<Number>,
    ) -> Result<(), Error> {
        if !coordinate.is_leaf() {
            let mut modes = part.modes().zip(coordinate.modes());
            return modes.try_for_each(|(mode, own)| self.push_digits(mode, own, out));
        }
        let (leaves, index) = (part.leaves(), &coordinate.leaves()[0]);
        self.check_number(index)?;
        let (mut rest, mut bound) = (index.clone(), Number::one());
        for (i, SymbolicLeaf { extent, .. }) in leaves.iter().enumerate() {
            if i + 1 == leaves.len() {
                out.push(rest);
                break;
            }
            if self.at_least(extent, 1) != Some(true) {
                return Err(Error::Fact { reason: "an extent is not known to be 1 or more" });
            }
            bound = bound.mul(extent)?;
            let behind = self.floor(index, &bound)?;
            out.push(rest.sub(&extent.mul(&behind)?)?);
            rest = behind;
        }
        Ok(())
    }

    /// The modes that a coordinate with `_` leaves open, and the offset of the others. The numbers of the coordinate
    /// replace the pattern's integers, in order.
    ///
    /// ```
    /// use tilework::IntoHTuple;
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let k = scope.declare("k")?;
    /// let (offset, column) = scope.slice(&matrix, &(.., 0).into_htuple()?, &[k])?;
    /// assert_eq!(scope.number_text(&offset.leaves()[0]).as_str(), "ld*k");
    /// assert_eq!(column.to_string(), "M:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] for a pattern that does not fit the layout, or a wrong count of numbers; those of
    /// [`element`](Self::element).
    pub fn slice(
        &mut self,
        layout: &SymbolicLayout,
        pattern: &Pattern,
        fixed: &[Number],
    ) -> Result<(Tuple<Number>, SymbolicLayout), Error> {
        self.check(layout)?;
        let kept = layout.as_tuple().slice(pattern)?;
        const OTHER: Error = Error::Incongruent { what: "the pattern and the list of numbers" };
        let mut fixed = fixed.iter().cloned();
        let digits = pattern.leaves().iter().map(|leaf| match leaf {
            PatternLeaf::All => Ok(Number::zero()),
            PatternLeaf::At(_) => fixed.next().ok_or(OTHER),
        });
        let coordinate = Tuple::with_profile(pattern.profile(), digits.collect::<Result<_, _>>()?)?;
        if fixed.next().is_some() {
            return Err(OTHER);
        }
        Ok((self.element(layout, &coordinate)?, self.own(kept)))
    }

    // ---- access widths

    /// Whether elements can be accessed `width` at a time, from a base that is aligned to it: one mode has stride 1 and an extent
    /// that `width` divides, and `width` divides all other strides. This applies to vectors of 16 bytes and to TMA's
    /// strides.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let Verdict::When(guard) = scope.is_vector(&matrix, 8)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard).as_str(), "M % 8 == 0 and ld % 8 == 0");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for a width below 1; [`Error::Codomain`] for strides of coordinates and XOR strides; those of
    /// [`Number::add`].
    pub fn is_vector(&self, layout: &SymbolicLayout, width: i64) -> Result<Verdict, Error> {
        if width < 1 {
            let (operation, expected) = ("is_vector", "a width of 1 or more");
            return Err(Error::Argument { operation, expected, found: width });
        }
        self.check(layout)?;
        need_integral(layout.leaves())?;
        if width == 1 {
            return Ok(Verdict::Always);
        }
        let flat = self.merged(layout.leaves(), false)?;
        let unit = flat.iter().position(|leaf| leaf.stride.is(1));
        // The guard is necessary too where no mode disappears, becomes the consecutive one, or continues it.
        let (mut guard, mut necessary, mut refuted) = (Guard::ALWAYS, true, false);
        for (index, SymbolicLeaf { extent, stride, .. }) in flat.iter().enumerate() {
            let number = if unit == Some(index) { extent } else { stride };
            if unit != Some(index) {
                let differs = |from: &Number| Ok::<_, Error>(self.is_zero(&stride.sub(from)?) == Some(false));
                necessary &= self.nonnegative(&extent.plus(-2)?) == Some(true)
                    && differs(&Number::one())?
                    && (index == 0 || unit != Some(index - 1) || differs(&flat[index - 1].extent)?);
            }
            refuted |= Clause::new().integer(self, &number.scale(1, width)?)?.require(&mut guard).is_err();
        }
        // Modes that merge only for some values may have vectors.
        necessary |= flat.len() == 1;
        Ok(match refuted || self.contradicts(&guard)? {
            true if necessary => Verdict::Never,
            true => Verdict::Open,
            false if unit.is_none() => Verdict::Open,
            false => guard.verdict(),
        })
    }

    /// The largest power of two up to `limit` for which [`is_vector`](Self::is_vector) always holds.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// assert_eq!(scope.max_vector(&matrix, 8)?, 1);
    /// scope.assume("M % 128 == 0, ld % 4 == 0")?;
    /// assert_eq!(scope.max_vector(&matrix, 8)?, 4);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`is_vector`](Self::is_vector).
    pub fn max_vector(&self, layout: &SymbolicLayout, limit: i64) -> Result<i64, Error> {
        let mut width = 1;
        while width <= limit / 2 && matches!(self.is_vector(layout, 2 * width)?, Verdict::Always) {
            width *= 2;
        }
        Ok(width)
    }
}

impl SymbolicLeaf {
    /// The stride as an offset: a number, or the coordinate that is the sum.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let offset = scope.strides("(1@0+ld@1)")?.leaves()[0].as_offset()?;
    /// assert_eq!(offset.text(&|number| scope.number_text(number)), "(1,ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Number::add`]; [`Error::NestedBasis`] for a unit below another.
    pub fn as_offset(&self) -> Result<Tuple<Number>, Error> {
        sum_of(&self.terms().map(|(count, unit)| (unit, count.clone())).collect::<Vec<_>>())
    }
}

/// The element of a codomain with these terms, which may share a unit.
pub(crate) fn sum_of(terms: &[(Unit, Number)]) -> Result<Tuple<Number>, Error> {
    let mut sums: Vec<(Unit, Tuple<Number>)> = Vec::new();
    for unit in units_of(terms.iter().map(|(unit, _)| *unit)) {
        let mut own = terms.iter().filter(|(other, _)| *other == unit);
        sums.push((unit, own.try_fold(Number::zero(), |sum, (_, term)| sum.add(term))?.into()));
    }
    Tuple::nested(&sums, &Number::zero())
}

/// The terms of an element; none for 0.
pub(crate) fn terms_of(element: &Tuple<Number>) -> Result<Vec<(Unit, Number)>, Error> {
    fn push(
        part: Part<'_, Number>,
        path: &mut Vec<usize>,
        out: &mut Vec<(Unit, Number)>,
    ) -> Result<(), Error> {
        if part.is_leaf() {
            let unit = if path.is_empty() { Unit::ONE } else { Unit::basis(path)? };
            out.push((unit, part.leaves()[0].clone()));
            return Ok(());
        }
        part.modes().enumerate().try_for_each(|(index, mode)| {
            path.push(index);
            push(mode, path, out)?;
            path.pop();
            Ok(())
        })
    }
    let mut terms = Vec::new();
    push(element.part(), &mut Vec::new(), &mut terms)?;
    terms.retain(|(unit, count)| unit.depth() > 0 || !count.is_zero());
    Ok(terms)
}

pub(crate) fn need_integral(leaves: &[SymbolicLeaf]) -> Result<(), Error> {
    match is_integral(leaves) {
        true => Ok(()),
        false => {
            Err(Error::Codomain { operation: "offsets of symbolic layouts", found: Codomain::Coordinate })
        }
    }
}

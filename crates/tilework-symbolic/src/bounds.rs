//! Bounds of offsets, offsets of coordinates, and conditions for access widths and tiles.

use crate::guard::{Clause, Guard, Refuted, Verdict};
use crate::layout::{SymbolicLayout, SymbolicLeaf};
use crate::polynomial::Polynomial;
use crate::pool::Number;
use crate::scope::Scope;
use tilework::__private::Part;
use tilework::Codomain;
use tilework::Error;
use tilework::{HTuple, Pattern, PatternLeaf};

impl Scope {
    // ---- questions about numbers

    /// Whether `left >= right`.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (m, ld) = (scope.declare("M")?, scope.declare("ld")?);
    /// scope.assume("ld >= M")?;
    /// assert!(matches!(scope.is_at_least(ld, m)?, Verdict::Always));
    /// assert!(matches!(scope.is_at_least(m, ld)?, Verdict::When(_)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub const fn is_at_least(&mut self, left: Number, right: Number) -> Result<Verdict, Error> {
        let difference = tri!(tri!(self.checked(left)).sub(&tri!(self.checked(right))));
        let mut clause = Clause::new();
        clause.or();
        tri!(clause.nonnegative(self, &difference));
        verdict_of(&mut clause)
    }

    /// Whether `left == right`.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let (m, ld) = (scope.number("M")?, scope.number("ld")?);
    /// assert!(matches!(scope.is_equal(m, ld)?, Verdict::When(_)));
    /// scope.assume("ld >= M + 8")?;
    /// assert!(matches!(scope.is_equal(m, ld)?, Verdict::Never));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub const fn is_equal(&mut self, left: Number, right: Number) -> Result<Verdict, Error> {
        let difference = tri!(tri!(self.checked(left)).sub(&tri!(self.checked(right))));
        let mut clause = Clause::new();
        clause.or();
        tri!(clause.zero(self, &difference));
        verdict_of(&mut clause)
    }

    /// Whether `divisor` divides `number`: for an extent and its tile, whether every tile is full and needs no
    /// predicate.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (m, tile) = (scope.declare("M")?, scope.integer(128)?);
    /// let Verdict::When(guard) = scope.is_multiple(m, tile)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard).as_str(), "M % 128 == 0");
    /// scope.assume("M % 256 == 0")?;
    /// assert!(matches!(scope.is_multiple(m, tile)?, Verdict::Always));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`add`](Self::add).
    pub const fn is_multiple(&mut self, number: Number, divisor: Number) -> Result<Verdict, Error> {
        let (number, divisor) = (tri!(self.checked(number)), tri!(self.checked(divisor)));
        let mut clause = Clause::new();
        clause.or();
        tri!(match number.over(&divisor) {
            Some(quotient) => clause.integer(self, &quotient),
            None => clause.divides(self, &divisor, &number),
        });
        verdict_of(&mut clause)
    }

    // ---- bounds

    /// The largest offset plus 1. The sign of each stride has to be known.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let cosize = scope.cosize(&matrix)?;
    /// assert_eq!(scope.number_text(cosize).as_str(), "K*ld + M - ld");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a stride of unknown sign; [`Error::Codomain`] for strides of coordinates and XOR strides; those of
    /// [`add`](Self::add).
    pub const fn cosize(&mut self, layout: &SymbolicLayout) -> Result<Number, Error> {
        tri!(self.check(layout));
        let max = tri!(self.reach(layout.leaves(), true));
        self.intern(&tri!(max.plus(1)))
    }

    /// The smallest offset.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let backwards = scope.layout("(M,K):(-1,ld)")?;
    /// let min = scope.min_offset(&backwards)?;
    /// assert_eq!(scope.number_text(min).as_str(), "-M + 1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`cosize`](Self::cosize).
    pub const fn min_offset(&mut self, layout: &SymbolicLayout) -> Result<Number, Error> {
        tri!(self.check(layout));
        let min = tri!(self.reach(layout.leaves(), false));
        self.intern(&min)
    }

    /// The largest offset.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,M)")?;
    /// let max = scope.max_offset(&matrix)?;
    /// assert_eq!(scope.number_text(max).as_str(), "M*K - 1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`cosize`](Self::cosize).
    pub const fn max_offset(&mut self, layout: &SymbolicLayout) -> Result<Number, Error> {
        tri!(self.check(layout));
        let max = tri!(self.reach(layout.leaves(), true));
        self.intern(&max)
    }

    /// The sum of the positive, or of the negative, steps.
    const fn reach(&self, leaves: &[SymbolicLeaf], up: bool) -> Result<Polynomial, Error> {
        tri!(self.need_integral(leaves));
        let (mut sum, mut i) = (Polynomial::ZERO, 0);
        while i < leaves.len() {
            let stride = self.polynomial(leaves[i].stride);
            match self.nonnegative(&stride) {
                Some(sign) if sign == up => {
                    let steps = tri!(self.polynomial(leaves[i].extent).plus(-1));
                    sum = tri!(sum.add(&tri!(steps.mul(&stride))));
                }
                Some(_) => {}
                None => {
                    return Err(Error::Fact {
                        reason: "a bound of the offsets needs the sign of each stride",
                    });
                }
            }
            i += 1;
        }
        Ok(sum)
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
    pub const fn fits(&mut self, layout: &SymbolicLayout, bits: u32) -> Result<Verdict, Error> {
        if bits > 62 {
            return Err(Error::Argument {
                operation: "fits",
                expected: "62 bits or fewer",
                found: bits as i64,
            });
        }
        tri!(self.check(layout));
        let max = tri!(self.reach(layout.leaves(), true));
        let min = tri!(self.reach(layout.leaves(), false));
        let mut guard = Guard::ALWAYS;
        let (mut clause, mut other) = (Clause::new(), Clause::new());
        clause.or();
        tri!(clause.nonnegative(self, &tri!(tri!(max.negated()).plus((1 << bits) - 1))));
        other.or();
        tri!(other.nonnegative(self, &tri!(min.plus(1 << bits))));
        let refuted = matches!(tri!(clause.require(&mut guard)), Err(Refuted))
            || matches!(tri!(other.require(&mut guard)), Err(Refuted));
        Ok(if refuted { Verdict::Never } else { guard.verdict() })
    }

    // ---- coordinates

    /// The offset of a coordinate whose numbers may be names: a loop variable is one with its bounds as facts.
    ///
    /// ```
    /// use tilework::HTuple;
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("((128,M/128),K):((1,128),ld)")?;
    /// scope.assume("M % 128 == 0")?;
    /// let (i, k) = (scope.declare("i")?, scope.declare("k")?);
    /// scope.assume("i >= 0, i <= 127, k >= 0")?;
    /// // Below 128 the first mode does not turn.
    /// let offset = scope.offset(&matrix, &HTuple::tuple(&[i, k].map(HTuple::leaf))?)?;
    /// assert_eq!(scope.number_text(offset).as_str(), "ld*k + i");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] for a coordinate that does not fit the layout; [`Error::Fact`] for an extent that is not
    /// known to be at least 1, in a mode with an integer as coordinate; [`Error::Codomain`] for strides of coordinates
    /// and XOR strides; those of [`floor_div`](Self::floor_div).
    pub const fn offset(
        &mut self,
        layout: &SymbolicLayout,
        coordinate: &HTuple<Number>,
    ) -> Result<Number, Error> {
        tri!(self.check(layout));
        tri!(self.need_integral(layout.leaves()));
        if !coordinate.weakly_congruent(layout.as_tuple()) {
            return Err(Error::Incongruent { what: "the coordinate and the layout" });
        }
        let (tuple, mut sum) = (layout.as_tuple(), Polynomial::ZERO);
        let digits = tri!(self.digits(tuple, coordinate));
        let mut i = 0;
        while i < digits.leaves().len() {
            let product =
                tri!(self.polynomial(digits.leaves()[i]).mul(&self.polynomial(tuple.leaves()[i].stride)));
            sum = tri!(sum.add(&product));
            i += 1;
        }
        self.intern(&sum)
    }

    /// The coordinate of an index, or of a coordinate that coarsens the layout's, with one number for each leaf: digits
    /// that are proved to be 0 are dropped, and digits that are proved to be below their extents are not reduced. The
    /// last digit of each integer is not wrapped.
    ///
    /// ```
    /// use tilework::HTuple;
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let matrix = scope.layout("(M,K):(1,ld)")?;
    /// let x = scope.declare("x")?;
    /// let coordinate = scope.idx2crd(&matrix, &HTuple::leaf(x))?;
    /// let texts: Vec<_> = coordinate.leaves().iter().map(|&digit| scope.number_text(digit).to_string()).collect();
    /// assert_eq!(texts, ["-M*floor(x/M) + x", "floor(x/M)"]);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`offset`](Self::offset).
    pub const fn idx2crd(
        &mut self,
        layout: &SymbolicLayout,
        coordinate: &HTuple<Number>,
    ) -> Result<HTuple<Number>, Error> {
        tri!(self.check(layout));
        if !coordinate.weakly_congruent(layout.as_tuple()) {
            return Err(Error::Incongruent { what: "the coordinate and the layout" });
        }
        self.digits(layout.as_tuple(), coordinate)
    }

    const fn digits(
        &mut self,
        layout: &HTuple<SymbolicLeaf>,
        coordinate: &HTuple<Number>,
    ) -> Result<HTuple<Number>, Error> {
        let mut out = HTuple::builder_of(layout.profile(), Number::UNUSED);
        tri!(self.digits_into(Part::whole(layout), Part::whole(coordinate), &mut out));
        Ok(out)
    }

    /// Appends the digits of a part's coordinate; the recursion depth is that of the coordinate.
    const fn digits_into(
        &mut self,
        part: Part<'_, SymbolicLeaf>,
        coordinate: Part<'_, Number>,
        out: &mut HTuple<Number>,
    ) -> Result<(), Error> {
        let mut i = 0;
        if !coordinate.is_leaf() {
            while i < coordinate.rank() {
                tri!(self.digits_into(tri!(part.mode(i)), tri!(coordinate.mode(i)), out));
                i += 1;
            }
            return Ok(());
        }
        let (leaves, index) = (part.leaves(), tri!(self.checked(coordinate.leaves()[0])));
        let (mut rest, mut bound) = (index, Polynomial::integer(1));
        while i < leaves.len() {
            let mut digit = rest;
            if i + 1 < leaves.len() {
                let extent = self.polynomial(leaves[i].extent);
                if !matches!(self.at_least(&extent, 1), Some(true)) {
                    return Err(Error::Fact { reason: "an extent is not known to be 1 or more" });
                }
                bound = tri!(bound.mul(&extent));
                rest = tri!(self.floor(&index, &bound));
                digit = tri!(digit.sub(&tri!(extent.mul(&rest))));
            }
            tri!(out.push_value(tri!(self.intern(&digit))));
            i += 1;
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
    /// assert_eq!(scope.number_text(offset).as_str(), "ld*k");
    /// assert_eq!(scope.layout_text(&column).as_str(), "M:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Incongruent`] for a pattern that does not fit the layout, or a wrong count of numbers; those of
    /// [`offset`](Self::offset).
    pub const fn slice(
        &mut self,
        layout: &SymbolicLayout,
        pattern: &Pattern,
        fixed: &[Number],
    ) -> Result<(Number, SymbolicLayout), Error> {
        tri!(self.check(layout));
        let kept = tri!(layout.as_tuple().slice(pattern));
        let (zero, mut next) = (tri!(self.integer(0)), 0);
        let (mut coordinate, mut i) = (HTuple::builder_of(pattern.profile(), zero), 0);
        while i < pattern.leaves().len() {
            tri!(coordinate.push_value(match pattern.leaves()[i] {
                PatternLeaf::All => zero,
                PatternLeaf::At(_) => {
                    next += 1;
                    if next > fixed.len() {
                        return Err(Error::Incongruent { what: "the pattern and the list of numbers" });
                    }
                    fixed[next - 1]
                }
            }));
            i += 1;
        }
        if next != fixed.len() {
            return Err(Error::Incongruent { what: "the pattern and the list of numbers" });
        }
        Ok((tri!(self.offset(layout, &coordinate)), self.own(kept)))
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
    /// [`add`](Self::add).
    pub const fn is_vector(&mut self, layout: &SymbolicLayout, width: i64) -> Result<Verdict, Error> {
        if width < 1 {
            return Err(Error::Argument {
                operation: "is_vector",
                expected: "a width of 1 or more",
                found: width,
            });
        }
        tri!(self.check(layout));
        tri!(self.need_integral(layout.leaves()));
        if width == 1 {
            return Ok(Verdict::Always);
        }
        let mut flat = HTuple::builder(SymbolicLeaf::UNUSED);
        tri!(self.merge_into(layout.leaves(), false, &mut flat));
        let (mut guard, mut contiguous, mut i) = (Guard::ALWAYS, false, 0);
        while i < flat.leaves().len() {
            let SymbolicLeaf { extent, stride, .. } = flat.leaves()[i];
            let stride = self.polynomial(stride);
            let own = !contiguous && stride.is(1);
            contiguous |= own;
            let number = if own { self.polynomial(extent) } else { stride };
            let mut clause = Clause::new();
            clause.or();
            tri!(clause.integer(self, &tri!(number.scale(1, width))));
            if let Err(Refuted) = tri!(clause.require(&mut guard)) {
                // Modes that merge only for some values may have vectors.
                return Ok(if flat.leaves().len() == 1 { Verdict::Never } else { Verdict::Open });
            }
            i += 1;
        }
        Ok(if contiguous { guard.verdict() } else { Verdict::Open })
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
    pub const fn max_vector(&mut self, layout: &SymbolicLayout, limit: i64) -> Result<i64, Error> {
        let mut width = 1;
        while width <= limit / 2 && matches!(tri!(self.is_vector(layout, 2 * width)), Verdict::Always) {
            width *= 2;
        }
        Ok(width)
    }

    pub(crate) const fn need_integral(&self, leaves: &[SymbolicLeaf]) -> Result<(), Error> {
        if self.is_integral(leaves) {
            return Ok(());
        }
        Err(Error::Codomain { operation: "offsets of symbolic layouts", found: Codomain::Coordinate })
    }
}

/// The verdict of a single clause.
const fn verdict_of(clause: &mut Clause) -> Result<Verdict, Error> {
    let mut guard = Guard::ALWAYS;
    Ok(match tri!(clause.require(&mut guard)) {
        Ok(()) => guard.verdict(),
        Err(Refuted) => Verdict::Never,
    })
}

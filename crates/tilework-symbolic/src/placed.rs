//! Layouts behind a start offset and a swizzle: `Sw<3,4,3> o {8*K} o (M,K):(K,1)`.
//!
//! The offset is added to those of the layout, and the swizzle takes the sum. A swizzle permutes the numbers of each
//! block: `2^(B+M+|S|)` adjacent ones from a multiple of that on. So it keeps what is distinct, and the image of whole
//! blocks.

use crate::adopt::Adopt;
use crate::answer::{Answer, Refusal};
use crate::bounds::{sum_of, terms_of};
use crate::guard::{Clause, Condition, Guard, Verdict};
use crate::layout::{SymbolicLayout, SymbolicLeaf, units_of};
use crate::number::Number;
use crate::print::Written;
use crate::scope::Scope;
use crate::tuple::Tuple;
use crate::values::Values;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::ops::Range;
use tilework::__private::{Reader, sort_by_key};
use tilework::{AnyLayout, Codomain, Composed, Error, Pattern, Swizzle, Unit};

/// A layout behind a start offset and a swizzle, from coordinates to `Sw(offset + L(c))`.
///
/// ```
/// use tilework_symbolic::Scope;
/// let mut scope = Scope::new();
/// let rows = scope.placed("Sw<3,4,3> o {64*K} o (64,K):(K,1)")?;
/// assert_eq!(rows.to_string(), "Sw<3,4,3> o {64*K} o (64,K):(K,1)");
/// assert_eq!(rows.instance(&scope.values(&[("K", 64)])?)?.at((2, 0)), 4240);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Placed {
    swizzle: Swizzle,
    /// One number, or the coordinates of a layout that has coordinates as strides.
    offset: Tuple<Number>,
    layout: SymbolicLayout,
}

impl From<SymbolicLayout> for Placed {
    fn from(layout: SymbolicLayout) -> Placed {
        Placed { swizzle: Swizzle::NONE, offset: Number::zero().into(), layout }
    }
}

impl From<&SymbolicLayout> for Placed {
    fn from(layout: &SymbolicLayout) -> Placed {
        layout.clone().into()
    }
}

impl From<&Placed> for Placed {
    fn from(placed: &Placed) -> Placed {
        placed.clone()
    }
}

impl Scope {
    /// `swizzle o {offset} o layout`.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let (layout, offset) = (scope.layout("(M,K):(1,ld)")?, scope.declare("start")?);
    /// assert_eq!(scope.placed_of(Swizzle::NONE, offset, layout)?.to_string(), "{start} o (M,K):(1,ld)");
    /// assert!(scope.placed("Sw<1,0,1> o M:-1").is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a swizzle of offsets that are not known to be 0 or more; [`Error::Codomain`] for a swizzle before
    /// coordinates; [`Error::Incongruent`] for an offset that is no element of the layout's codomain.
    pub fn placed_of(
        &self,
        swizzle: Swizzle,
        offset: impl Into<Tuple<Number>>,
        layout: SymbolicLayout,
    ) -> Result<Placed, Error> {
        let offset = offset.into();
        offset.leaves().iter().try_for_each(|number| self.check_number(number))?;
        self.check(&layout)?;
        let swizzle = if swizzle.bits() > 0 { swizzle } else { Swizzle::NONE };
        let moves =
            || layout.leaves().iter().flat_map(SymbolicLeaf::terms).filter(|(step, _)| !step.is_zero());
        if swizzle != Swizzle::NONE && (!offset.is_leaf() || moves().any(|(_, unit)| unit.depth() > 0)) {
            return Err(Error::Codomain { operation: "a swizzle", found: Codomain::Coordinate });
        }
        let zeros =
            moves().map(|(_, unit)| (if unit.depth() > 0 { unit } else { Unit::ONE }, Number::zero()));
        sum_of(&terms_of(&offset)?.into_iter().chain(zeros).collect::<Vec<_>>())?;
        if !offset.leaves().iter().all(Number::is_constant)
            && layout.leaves().iter().any(|leaf| leaf.unit.is_xor())
        {
            return Err(Error::Codomain { operation: "an offset with names", found: Codomain::Xor });
        }
        if swizzle != Swizzle::NONE {
            // XOR strides are 0 or more.
            let least = if layout.is_integral() { self.min_offset(&layout)? } else { Number::zero() };
            if self.at_least(&least.add(&offset.leaves()[0])?, 0) != Some(true) {
                return Err(Error::Fact { reason: "a swizzle takes offsets of 0 or more" });
            }
        }
        // The names of the offset may be later ones.
        Ok(Placed { swizzle, offset, layout: self.own(layout.as_tuple().clone()) })
    }

    /// A layout in the text notation, with what may stand before it: `Sw<3,4,3> o`, and `{offset} o`. New names are declared.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// for text in ["(M,K):(1,ld)", "{8*ld} o (M,K):(1,ld)", "Sw<3,4,3> o 0 o (M,64):(64,1)"] {
    ///     assert_eq!(scope.placed(text)?.to_string(), text);
    /// }
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout), [`number`](Self::number) and [`placed_of`](Self::placed_of).
    pub fn placed(&mut self, text: &str) -> Result<Placed, Error> {
        let mut reader = Reader::new(text);
        let circle = |reader: &mut Reader<'_>| match reader.eat_circle() {
            true => Ok(()),
            false => Err(reader.error("`o`")),
        };
        let (mut offset, mut swizzle) = (Number::zero(), Swizzle::NONE);
        let is_swizzled = { reader }.eat_word("Sw<");
        if is_swizzled {
            swizzle = reader.swizzle()?;
            circle(&mut reader)?;
        }
        let mut ahead = reader;
        if reader.eat(b'{') {
            offset = self.read_number(&mut reader, true, 0)?;
            reader.expect(b'}', "`}`")?;
            circle(&mut reader)?;
        } else if let Ok(number) = ahead.integer("an offset")
            && is_swizzled
            && ahead.eat_circle()
        {
            (offset, reader) = (number.into(), ahead);
        }
        let layout = self.read_layout(&mut reader)?;
        reader.expect_end()?;
        self.placed_of(swizzle, offset, layout)
    }

    /// The inverse of a layout behind a swizzle, from that of the layout: it takes swizzled offsets, which is the same as to
    /// swizzle its indices, where it moves the swizzle's bits to adjacent ones. The guard asks for whole blocks of the swizzle.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiles = scope.placed("Sw<3,3,3> o (8,64,M):(64,1,512)")?;
    /// let inverse = scope.right_inverse(tiles.layout()).unwrap();
    /// let (inverse, guard) = scope.inverse_behind(tiles.swizzle(), inverse).unwrap();
    /// assert_eq!((inverse.to_string().as_str(), guard.is_always()), ("Sw<3,0,-6> o 0 o (64,8,M):(8,1,512)", true));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Refusal::NoLayout`] where the inverse moves the swizzle's bits apart, or has no whole blocks.
    pub fn inverse_behind(&self, swizzle: Swizzle, inverse: Answer) -> Result<(Placed, Guard), Refusal> {
        let Answer { layout, mut guard } = inverse;
        let refused = |needed| {
            let reason = "it moves the bits of the swizzle to others than adjacent ones";
            Refusal::NoLayout { error: Error::NoInverse { reason }, needed }
        };
        let masks = [swizzle.source_mask(), swizzle.target_mask()];
        let bits = |number: &Number| {
            number.as_integer().filter(|power| *power > 0 && power.count_ones() == 1).map(i64::trailing_zeros)
        };
        // Where the inverse has each bit of an index within a block.
        let (mut places, block) = (Vec::new(), 64 - (masks[0] | masks[1]).leading_zeros());
        for SymbolicLeaf { extent, stride, .. } in layout.leaves() {
            let rest = block - places.len() as u32;
            let own = bits(extent).unwrap_or(rest).min(rest);
            let whole = Number::integer(1 << own);
            match self.is_multiple(extent, &whole)? {
                Verdict::Always => {}
                Verdict::When(own) => guard.push_all(&own),
                _ => return Err(refused(vec![Condition::Divides(whole, extent.clone())])),
            }
            places.extend((0..own).map(|bit| Some(bits(stride)? + bit)));
        }
        let moved = masks.map(|mask| {
            let own = places.get(mask.trailing_zeros() as usize..)?.get(..swizzle.bits() as usize)?;
            let first = (*own.first()?)?;
            own.iter().zip(first..).all(|(place, next)| *place == Some(next)).then_some(i64::from(first))
        });
        let [Some(source), Some(target)] = moved else { return Err(refused(Vec::new())) };
        // No other mode has these bits, and none carries into them.
        let end = source.max(target) as u32 + swizzle.bits();
        let mut taken: Vec<Range<u32>> = Vec::new();
        for SymbolicLeaf { extent, stride, .. } in layout.leaves() {
            if !matches!(self.is_multiple(stride, &(1 << end).into())?, Verdict::Always) {
                let from = bits(stride).ok_or_else(|| refused(Vec::new()))?;
                taken.push(from..bits(extent).map_or(end, |own| from + own));
            }
        }
        sort_by_key(&mut taken, |range| range.start);
        if taken.windows(2).any(|pair| pair[0].end > pair[1].start) {
            return Err(refused(Vec::new()));
        }
        let swizzle = Swizzle::new(swizzle.bits().into(), source.min(target), source - target)?;
        Ok((self.placed_of(swizzle, Number::zero(), layout)?, guard))
    }

    /// A layout of numbers.
    pub(crate) fn placed_constant(&self, layout: &AnyLayout) -> Result<Placed, Error> {
        let (swizzle, offset) = match layout {
            AnyLayout::Plain(_) => (Swizzle::NONE, 0),
            AnyLayout::Swizzled(composed) => (composed.swizzle(), composed.offset()),
        };
        self.placed_of(swizzle, Number::integer(offset), self.constant(layout.layout())?)
    }
}

impl Adopt<'_> {
    /// A layout behind an offset and a swizzle.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let rows = scope.placed("{8*K} o (M,K):(K,1)")?;
    /// let rows = scope.adopt(rows.layout().declared()).at(&[("K", 4)]).placed(&rows)?;
    /// assert_eq!(rows.to_string(), "{32} o (M,4):(4,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    pub fn placed(&mut self, placed: &Placed) -> Result<Placed, Error> {
        let offset = placed.offset.try_map(|number| self.number(number))?;
        Ok(Placed { swizzle: placed.swizzle, offset, layout: self.layout(&placed.layout)? })
    }
}

impl Placed {
    /// The swizzle.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let rows = scope.placed("Sw<3,4,3> o {8*K} o (M,K):(K,1)")?;
    /// assert_eq!(rows.swizzle(), "Sw<3,4,3>".parse()?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// The offset that is added before the swizzle: a number, or the coordinates of a layout of coordinates.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let rows = scope.placed("Sw<3,4,3> o {8*K} o (M,K):(K,1)")?;
    /// assert_eq!(scope.number_text(&rows.offset().leaves()[0]), "8*K");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn offset(&self) -> &Tuple<Number> {
        &self.offset
    }

    /// The same of a layout of integers.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let rows = scope.placed("{8*K} o (M,K):(K,1)")?;
    /// assert_eq!(scope.number_text(rows.start()?), "8*K");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for coordinates.
    pub fn start(&self) -> Result<&Number, Error> {
        match self.offset.leaves() {
            [start] if self.offset.is_leaf() => Ok(start),
            _ => Err(Error::Codomain { operation: "a number as offset", found: Codomain::Coordinate }),
        }
    }

    /// Whether nothing is added.
    ///
    /// ```
    /// use tilework_symbolic::{Placed, Scope};
    /// let mut scope = Scope::new();
    /// assert!(Placed::from(scope.layout("M:1")?).is_at_origin() && !scope.placed("{K} o M:1")?.is_at_origin());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn is_at_origin(&self) -> bool {
        self.offset.leaves().iter().all(Number::is_zero)
    }

    /// The layout that takes the coordinates.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let rows = scope.placed("Sw<3,4,3> o {8*K} o (M,K):(K,1)")?;
    /// assert_eq!(rows.layout().to_string(), "(M,K):(K,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn layout(&self) -> &SymbolicLayout {
        &self.layout
    }

    /// Another layout behind the same offset and swizzle: a composition of the layout, or itself in another form.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let tiles = scope.placed("{8} o (4,M):(1,4)")?;
    /// let line = scope.coalesce(tiles.layout())?;
    /// assert_eq!(tiles.with_layout(line).to_string(), "{8} o 4*M:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub fn with_layout(&self, layout: SymbolicLayout) -> Placed {
        Placed { layout, ..self.clone() }
    }

    /// The layout at these values.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let rows = scope.placed("Sw<3,4,3> o {8*K} o (M,K):(K,1)")?;
    /// assert_eq!(rows.instance(&scope.values(&[("M", 4), ("K", 2)])?)?.to_string(), "Sw<3,4,3> o 16 o (4,2):(2,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`SymbolicLayout::instance`] and [`Composed::new`], and [`Error::NotIntegral`] for an offset that is no
    /// integer.
    pub fn instance(&self, values: &Values) -> Result<Composed, Error> {
        let mut values = values.without_quotients();
        let offset = self.layout.declared().integer_value(self.start()?, &mut values)?;
        Composed::new(self.swizzle, offset, self.layout.instance_within(&mut values)?)
    }

    /// The offset of a coordinate. Where a swizzle takes names, all of them have to be multiples of its block.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Tuple};
    /// let mut scope = Scope::new();
    /// let rows = scope.placed("Sw<3,4,3> o {1024*b} o (8,128):(128,1)")?;
    /// let offset = rows.at(&mut scope, &Tuple::of(&[Tuple::leaf(3.into()), Tuple::leaf(1.into())])?)?;
    /// assert_eq!(scope.number_text(&offset), "1024*b + 433");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Scope::offset`]; [`Error::Fact`] for a swizzled offset that is no polynomial in the names.
    pub fn at(&self, scope: &mut Scope, coordinate: &Tuple<Number>) -> Result<Number, Error> {
        let sum = self.start()?.add(&scope.offset(&self.layout, coordinate)?)?;
        if self.swizzle == Swizzle::NONE {
            return Ok(sum);
        }
        if let Some(sum) = sum.as_integer() {
            return Ok(self.swizzle.apply(sum)?.into());
        }
        let reason = "a swizzled offset is no polynomial in its names, unless they are multiples of the swizzle's block";
        let block = self.block().ok_or(Error::Fact { reason })?;
        let low = sum.last().checked_div(sum.denominator).unwrap_or(0).rem_euclid(block);
        let whole = sum.plus(-low)?;
        match scope.divides(&block.into(), &whole) {
            Some(true) => whole.plus(self.swizzle.apply(low)?),
            _ => Err(Error::Fact { reason }),
        }
    }

    /// The same where the offset may be a coordinate, as [`Scope::element`].
    ///
    /// ```
    /// use tilework_symbolic::{Placed, Scope, Tuple};
    /// let mut scope = Scope::new();
    /// let identity = Placed::from(scope.layout("(M,N):(1@0,1@1)")?);
    /// let last = Tuple::leaf(scope.number("M - 1")?);
    /// assert_eq!(identity.element(&mut scope, &Tuple::of(&[last, Tuple::leaf(2.into())])?)?.leaves().len(), 2);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`at`](Self::at).
    pub fn element(&self, scope: &mut Scope, coordinate: &Tuple<Number>) -> Result<Tuple<Number>, Error> {
        match self.offset.is_leaf() && self.layout.components().is_empty() {
            true => Ok(Tuple::leaf(self.at(scope, coordinate)?)),
            false => self.moved(&scope.element(&self.layout, coordinate)?),
        }
    }

    /// The part that a pattern leaves open; the fixed coordinates become part of the offset.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let rows = scope.placed("Sw<3,4,3> o {64*K} o (64,K):(K,1)")?;
    /// let row = rows.slice(&mut scope, &"(3,_)".parse()?, &[3.into()])?;
    /// assert_eq!(row.to_string(), "Sw<3,4,3> o {67*K} o K:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Scope::slice`].
    pub fn slice(&self, scope: &mut Scope, pattern: &Pattern, fixed: &[Number]) -> Result<Placed, Error> {
        let (offset, layout) = scope.slice(&self.layout, pattern, fixed)?;
        Ok(Placed { swizzle: self.swizzle, offset: self.moved(&offset)?, layout })
    }

    /// The sum of the offset and another element.
    fn moved(&self, element: &Tuple<Number>) -> Result<Tuple<Number>, Error> {
        sum_of(&[terms_of(&self.offset)?, terms_of(element)?].concat())
    }

    /// Whether different coordinates have different offsets: whether the layout has them.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let rows = scope.placed("Sw<3,4,3> o {off} o (64,K):(K,1)")?;
    /// assert!(matches!(rows.is_injective(&scope)?, Verdict::Always));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Scope::is_injective`].
    pub fn is_injective(&self, scope: &Scope) -> Result<Verdict, Error> {
        scope.is_injective(&self.layout)
    }

    /// Whether the offsets are `[0, size)`, each once. The guard asks for whole blocks of the swizzle.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let backwards = scope.placed("{M - 1} o M:-1")?;
    /// assert!(matches!(backwards.is_compact(&scope)?, Verdict::Always));
    /// let Verdict::When(guard) = scope.placed("Sw<3,4,3> o (64,K):(K,1)")?.is_compact(&scope)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard), "K % 16 == 0");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Scope::is_compact`]; [`Error::Fact`] for a stride of unknown sign.
    pub fn is_compact(&self, scope: &Scope) -> Result<Verdict, Error> {
        if self.swizzle == Swizzle::NONE && self.is_at_origin() {
            return scope.is_compact(&self.layout);
        }
        let start = self.start()?.add(&scope.min_offset(&self.layout)?)?;
        let zero = scope.is_equal(&start, &Number::zero())?;
        let inner = zero.and(scope.is_compact(&self.forwards(scope)?)?);
        Ok(match (self.is_whole(scope, &scope.size(&self.layout)?)?, inner) {
            (Verdict::Always, inner) => inner,
            // Of a part of a block, the offsets are others.
            (Verdict::Never, _) | (_, Verdict::Never) => Verdict::Open,
            (whole, inner) => whole.and(inner),
        })
    }

    /// The smallest and the largest offset, and the condition under which that is known: whole blocks of the swizzle.
    ///
    /// ```
    /// use tilework_symbolic::Scope;
    /// let mut scope = Scope::new();
    /// let rows = scope.placed("Sw<3,4,3> o {1024*b} o (64,K):(K,1)")?;
    /// let ([low, high], guard) = rows.bounds(&scope)?;
    /// assert_eq!((scope.number_text(&low).as_str(), scope.number_text(&high).as_str()), ("1024*b", "1024*b + 64*K - 1"));
    /// assert_eq!(scope.guard_text(&guard), "K % 16 == 0");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a stride of unknown sign, and for a swizzle of other offsets; those of
    /// [`Scope::max_offset`].
    pub fn bounds(&self, scope: &Scope) -> Result<([Number; 2], Guard), Error> {
        let low = self.start()?.add(&scope.min_offset(&self.layout)?)?;
        let high = self.start()?.add(&scope.max_offset(&self.layout)?)?;
        if self.swizzle == Swizzle::NONE {
            return Ok(([low, high], Guard::ALWAYS));
        }
        let whole = self.is_whole(scope, &low)?.and(self.is_whole(scope, &high.sub(&low)?.plus(1)?)?);
        match whole.and(scope.is_compact(&self.forwards(scope)?)?) {
            Verdict::Always => Ok(([low, high], Guard::ALWAYS)),
            Verdict::When(guard) => Ok(([low, high], guard)),
            _ => Err(Error::Fact {
                reason: "the bounds of swizzled offsets are those of whole blocks of the swizzle",
            }),
        }
    }

    /// Whether no offset of the one is one of the other: along some component all of the one are below those of the other. The
    /// guard is sufficient.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.placed("(M,4):(1@0,1@1)")?, scope.placed("{8} o K:1")?);
    /// let start = scope.shape("(M,0)")?;
    /// let right = scope.placed_of(a.swizzle(), start, a.layout().clone())?;
    /// assert!(matches!(a.is_disjoint(&right, &scope)?, Verdict::Always));
    /// let Verdict::When(guard) = scope.placed("M:1")?.is_disjoint(&b, &scope)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard), "M <= 8");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a stride of unknown sign; [`Error::MixedCodomain`] for numbers and coordinates.
    pub fn is_disjoint(&self, other: &Placed, scope: &Scope) -> Result<Verdict, Error> {
        let leaves = [self, other].map(|placed| placed.layout.leaves()).concat();
        let starts = [terms_of(&self.offset)?, terms_of(&other.offset)?];
        let moves = leaves.iter().flat_map(SymbolicLeaf::terms).filter(|(step, _)| !step.is_zero());
        let begins = starts.iter().flatten().filter(|(_, number)| !number.is_zero());
        let units = units_of(moves.map(|(_, unit)| unit).chain(begins.map(|(unit, _)| *unit)));
        if let [Unit::ONE, _, ..] = units[..] {
            let (left, right) = (Codomain::Integer, Codomain::Coordinate);
            return Err(Error::MixedCodomain { left, right });
        }
        let (mut clause, mut meet) = (Clause::none(), true);
        for unit in units {
            let mut ends = Vec::new();
            for (placed, terms) in [self, other].into_iter().zip(&starts) {
                let start = terms.iter().find(|(own, _)| *own == unit);
                let start = start.map_or(Number::zero(), |(_, own)| own.clone());
                let along = scope.own(placed.layout.along(unit).as_tuple().clone());
                let reach = [scope.min_offset(&along)?, scope.max_offset(&along)?];
                ends.push([reach[0].add(&start)?, reach[1].add(&start)?, start]);
            }
            meet &= scope.is_zero(&ends[0][2].sub(&ends[1][2])?) == Some(true);
            clause.or().nonnegative(scope, &ends[1][0].sub(&ends[0][1])?.plus(-1)?)?;
            clause.or().nonnegative(scope, &ends[0][0].sub(&ends[1][1])?.plus(-1)?)?;
        }
        if self.swizzle != other.swizzle {
            return Ok(Verdict::Open);
        }
        // The first offsets of both are one.
        Ok(match clause.verdict() {
            _ if meet => Verdict::Never,
            Verdict::Never => Verdict::Open,
            verdict => verdict,
        })
    }

    /// Whether two are the same function, where their swizzles are.
    ///
    /// ```
    /// use tilework_symbolic::{Scope, Verdict};
    /// let mut scope = Scope::new();
    /// let (a, b) = (scope.placed("Sw<3,4,3> o {off} o (8,K):(1,8)")?, scope.placed("Sw<3,4,3> o {16} o 8*K:1")?);
    /// let Verdict::When(guard) = a.equivalent(&b, &scope)? else { panic!() };
    /// assert_eq!(scope.guard_text(&guard), "off == 16");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Scope::equivalent`].
    pub fn equivalent(&self, other: &Placed, scope: &Scope) -> Result<Verdict, Error> {
        let difference =
            terms_of(&other.offset)?.into_iter().map(|(unit, count)| Ok((unit, count.negated()?)));
        let difference = difference.collect::<Result<Vec<_>, Error>>()?;
        let difference = sum_of(&[terms_of(&self.offset)?, difference].concat())?;
        let mut same = scope.equivalent(&self.layout, &other.layout)?;
        for number in difference.leaves() {
            same = scope.is_equal(number, &Number::zero())?.and(same);
        }
        // An offset is added to integers, and XORed with others.
        let is_xor = |own: &Placed| own.layout.leaves().iter().any(|leaf| leaf.unit.is_xor());
        let adds_alike = is_xor(self) == is_xor(other) || self.is_at_origin() && other.is_at_origin();
        Ok(if self.swizzle == other.swizzle && adds_alike { same } else { Verdict::Open })
    }

    /// The size of the blocks that the swizzle permutes; none beyond 64 bits.
    fn block(&self) -> Option<i64> {
        let bits = self.swizzle.bits() + self.swizzle.base() + self.swizzle.shift().unsigned_abs();
        1i64.checked_shl(bits).filter(|block| *block > 0)
    }

    /// Whether a number is one of whole blocks.
    fn is_whole(&self, scope: &Scope, number: &Number) -> Result<Verdict, Error> {
        match (self.swizzle.bits(), self.block()) {
            (0, _) => Ok(Verdict::Always),
            (_, Some(block)) => scope.is_multiple(number, &block.into()),
            _ => Ok(Verdict::Open),
        }
    }

    /// The layout with the sizes of its strides, whose offsets are the same from 0 on.
    fn forwards(&self, scope: &Scope) -> Result<SymbolicLayout, Error> {
        scope.layout_of(self.layout.as_tuple().try_map(|leaf| match scope.nonnegative(&leaf.stride) {
            Some(true) => Ok(leaf.clone()),
            Some(false) => Ok(SymbolicLeaf { stride: leaf.stride.negated()?, ..leaf.clone() }),
            None => Err(Error::Fact { reason: "the sign of a stride is unknown" }),
        })?)
    }
}

impl Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.swizzle.bits() > 0 {
            write!(f, "{} o ", self.swizzle)?;
        }
        let declared = self.layout.declared();
        let offset = |f: &mut fmt::Formatter<'_>| match self.offset.leaves() {
            [start] if self.offset.is_leaf() => declared.write_number(start, "", f),
            _ => f.write_str(&self.offset.text(&|number| declared.number_text(number))),
        };
        match (self.swizzle.bits() > 0, self.offset.leaves().iter().all(Number::is_constant)) {
            (true, true) => write!(f, "{} o ", Written(offset))?,
            (false, true) if self.is_at_origin() => {}
            _ => write!(f, "{{{}}} o ", Written(offset))?,
        }
        Display::fmt(&self.layout, f)
    }
}

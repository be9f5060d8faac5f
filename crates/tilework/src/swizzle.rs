//! Swizzles: offsets with bits of one field XORed into another (CUTLASS `cute/swizzle.hpp`).

use crate::codomain::Codomain;
use crate::error::{Error, tri, unwrap};
use crate::layout::{IntoHTuple, Layout, Offset};
use crate::shape::Coord;
use crate::stride::Rational;
use crate::tuple::{HTuple, Pattern, PatternLeaf};

/// CUTLASS's swizzle: `Sw<B,M,S>(x) = x ^ ((x & (((1<<B)-1) << (M+max(0,S)))) >> S)`; a negative `S` shifts left.
///
/// `B` bits are XORed, the target field begins at bit `M + max(0,-S)`, and the two fields are `|S|` bits apart. With
/// `|S| >= B` the fields are disjoint, and the swizzle is its own inverse.
///
/// ```
/// use tilework::{Swizzle, unwrap};
/// const SW: Swizzle = unwrap(Swizzle::new(3, 4, 3));
/// assert_eq!(SW.apply(0x80)?, 0x90);
/// assert_eq!(SW.apply(0x90)?, 0x80);
/// assert_eq!(SW.to_string(), "Sw<3,4,3>");
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle {
    bits: u8,
    base: u8,
    shift: i8,
}

impl Swizzle {
    /// The identity swizzle, `Sw<0,0,0>`.
    pub const NONE: Swizzle = Swizzle { bits: 0, base: 0, shift: 0 };

    /// Equality in constants.
    pub(crate) const fn same(self, other: Swizzle) -> bool {
        self.bits == other.bits && self.base == other.base && self.shift == other.shift
    }

    /// `Sw<bits,base,shift>`.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// assert_eq!(Swizzle::new(3, 4, 3)?.to_string(), "Sw<3,4,3>");
    /// assert!(Swizzle::new(3, 4, 2).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Swizzle`] if the fields overlap (`|shift| < bits`), as in CUTLASS, or reach beyond bit 62.
    pub const fn new(bits: i64, base: i64, shift: i64) -> Result<Swizzle, Error> {
        if bits < 0 || base < 0 || bits > 63 || base > 63 || shift > 63 || shift < -63 {
            return Err(Error::Swizzle {
                reason: "bits and base have to be in 0..64, the shift from -63 to 63",
            });
        }
        if bits + base + shift.abs() > 63 {
            return Err(Error::Swizzle { reason: "its bit fields reach beyond bit 62" });
        }
        if shift.abs() < bits {
            return Err(Error::Swizzle {
                reason: "the shift is smaller than the number of bits, and the fields overlap",
            });
        }
        Ok(Swizzle { bits: bits as u8, base: base as u8, shift: shift as i8 })
    }

    /// The number of bits that are XORed.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// assert_eq!(Swizzle::new(3, 4, 5)?.bits(), 3);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits as u32
    }

    /// The number of low bits that are kept.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// assert_eq!(Swizzle::new(3, 4, 5)?.base(), 4);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn base(self) -> u32 {
        self.base as u32
    }

    /// The distance of the fields.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// assert_eq!(Swizzle::new(3, 4, 5)?.shift(), 5);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn shift(self) -> i32 {
        self.shift as i32
    }

    /// The field that is read.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// assert_eq!(Swizzle::new(3, 4, 3)?.source_mask(), 0b111_000_0000);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn source_mask(self) -> i64 {
        let up = if self.shift > 0 { self.shift as u32 } else { 0 };
        ((1 << self.bits) - 1) << (self.base as u32 + up)
    }

    /// The field that is changed.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// assert_eq!(Swizzle::new(3, 4, 3)?.target_mask(), 0b000_111_0000);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn target_mask(self) -> i64 {
        let up = if self.shift < 0 { -(self.shift as i32) as u32 } else { 0 };
        ((1 << self.bits) - 1) << (self.base as u32 + up)
    }

    /// The swizzled offset.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// assert_eq!(Swizzle::new(3, 4, 3)?.apply(0x380)?, 0x3f0);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for a negative offset.
    pub const fn apply(self, offset: i64) -> Result<i64, Error> {
        if offset < 0 {
            return Err(Error::Argument {
                operation: "a swizzle",
                expected: "an offset of 0 or more",
                found: offset,
            });
        }
        let field = offset & self.source_mask();
        Ok(offset ^ if self.shift >= 0 { field >> self.shift } else { field << -(self.shift as i32) })
    }

    /// The swizzle that applies `other` first and this one to the result, if that is one swizzle: CUTLASS's
    /// `composition(Swizzle, Swizzle)`, whose fields add up by XOR.
    ///
    /// ```
    /// use tilework::Swizzle;
    /// let sw = |bits, base| Swizzle::new(bits, base, 3).unwrap();
    /// // One bit and the two above it are three.
    /// assert_eq!(sw(1, 4).compose(sw(2, 5)), Ok(sw(3, 4)));
    /// assert_eq!(sw(3, 4).compose(sw(3, 4))?.bits(), 0);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Swizzle`] for different shifts (`Sw<1,0,1>` and `Sw<1,0,2>`), if this swizzle reads bits that the other
    /// changes (`Sw<1,0,1>` after `Sw<1,1,1>`), or if the remaining bits are not one field.
    pub const fn compose(self, other: Swizzle) -> Result<Swizzle, Error> {
        if other.bits == 0 {
            return Ok(self);
        }
        if self.bits == 0 {
            return Ok(other);
        }
        if self.shift != other.shift {
            return Err(Error::Swizzle {
                reason: "two swizzles with different shifts do not combine to one",
            });
        }
        if self.source_mask() & other.target_mask() != 0 {
            return Err(Error::Swizzle { reason: "the second of the two reads bits that the first changes" });
        }
        let target = self.target_mask() ^ other.target_mask();
        if target == 0 {
            return Ok(Swizzle::NONE);
        }
        let low = target.trailing_zeros() as i64;
        let bits = target.count_ones() as i64;
        if target >> low != (1 << bits) - 1 {
            return Err(Error::Swizzle {
                reason: "the bits that the two change are not one contiguous field",
            });
        }
        let shift = self.shift as i64;
        Swizzle::new(bits, if shift < 0 { low + shift } else { low }, shift)
    }
}

/// A swizzled layout, `Sw o offset o L`: `c -> Sw(offset + L(c))`. The offset is an element of the layout's codomain,
/// and is added like its offsets: for XOR strides by XOR.
///
/// ```
/// use tilework::{Composed, HTuple, Swizzle, layout};
/// let swizzled = Composed::new(Swizzle::new(3, 4, 3)?, 128, layout!((8,64):(64,1)))?;
/// assert_eq!(swizzled.to_string(), "Sw<3,4,3> o 128 o (8,64):(64,1)");
/// assert_eq!((swizzled.swizzle().bits(), swizzled.offset(), swizzled.layout().size()), (3, 128, 512));
/// assert_eq!(swizzled.at(0), 144);
/// let data = Composed::new(Swizzle::NONE, 5, layout!(4:^1))?;
/// assert_eq!([0, 1, 2, 3].map(|c| data.at(c)), [5, 4, 7, 6]);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Composed {
    swizzle: Swizzle,
    offset: i64,
    layout: Layout,
}

impl Composed {
    /// `swizzle o offset o layout`.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// assert_eq!(Composed::new(Swizzle::new(1, 0, 1)?, 0, layout!(4:1))?.to_string(), "Sw<1,0,1> o 0 o 4:1");
    /// assert!(Composed::new(Swizzle::NONE, 0, layout!(4:1@0)).is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for a layout whose offsets are not integers.
    pub const fn new(swizzle: Swizzle, offset: i64, layout: Layout) -> Result<Composed, Error> {
        match layout.codomain() {
            Codomain::Integer | Codomain::Xor => Ok(Composed { swizzle, offset, layout }),
            found => Err(Error::Codomain { operation: "a swizzle", found }),
        }
    }

    /// The swizzle, which is part of the layout's identity.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzle = Swizzle::new(1, 0, 1)?;
    /// assert_eq!(Composed::new(swizzle, 0, layout!(4:1))?.swizzle(), swizzle);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// The offset that is added before the swizzle.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// assert_eq!(Composed::new(Swizzle::NONE, 5, layout!(4:1))?.offset(), 5);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn offset(&self) -> i64 {
        self.offset
    }

    /// The inner layout.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// assert_eq!(*Composed::new(Swizzle::NONE, 5, layout!(4:1))?.layout(), layout!(4:1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The offset of an index or a coordinate: `c -> Sw(offset + L(c))`.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzled = Composed::new(Swizzle::new(1, 0, 1)?, 0, layout!((2,2):(2,1)))?;
    /// assert_eq!(swizzled.at((1, 1)), 2); // 3 ^ 1
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Panics
    /// If [`try_at`](Self::try_at) returns an error.
    #[track_caller]
    #[must_use]
    pub fn at(&self, coord: impl IntoHTuple<i64>) -> i64 {
        unwrap(self.try_at(coord))
    }

    /// [`at`](Self::at), or why there is no such offset.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzled = Composed::new(Swizzle::new(1, 0, 1)?, 0, layout!(4:1))?;
    /// assert_eq!(swizzled.try_at((1, 1)).unwrap_err().code(), "coordinate");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::try_at`], and [`Error::Argument`] for a negative offset before the swizzle.
    pub fn try_at(&self, coord: impl IntoHTuple<i64>) -> Result<i64, Error> {
        self.swizzled(self.layout.try_at(coord)?)
    }

    /// [`try_at`](Self::try_at) of an index, in a constant.
    pub const fn const_try_at(&self, index: i64) -> Result<i64, Error> {
        self.swizzled(tri!(self.layout.const_try_at(index)))
    }

    /// The offset where the layout has this one.
    const fn swizzled(&self, inner: i64) -> Result<i64, Error> {
        self.swizzle.apply(tri!(self.layout.codomain().sum(self.offset, inner)))
    }

    /// The part that a pattern leaves open; the fixed coordinates become part of the offset.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzled = Composed::new(Swizzle::new(3, 4, 3)?, 0, layout!((8,64):(64,1)))?;
    /// assert_eq!(swizzled.slice((3, ..))?.to_string(), "Sw<3,4,3> o 192 o 64:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::slice`]; [`Error::Overflow`].
    pub fn slice(&self, pattern: impl IntoHTuple<PatternLeaf>) -> Result<Composed, Error> {
        self.const_slice(&pattern.into_htuple()?)
    }

    /// [`slice`](Self::slice) in a constant.
    pub const fn const_slice(&self, pattern: &Pattern) -> Result<Composed, Error> {
        let view = tri!(self.layout.const_slice(pattern));
        let offset = tri!(self.layout.codomain().sum(self.offset, view.offset().leaves()[0].numerator()));
        Ok(Composed { swizzle: self.swizzle, offset, layout: *view.layout() })
    }

    /// The swizzled layout of `layout o other`: `c -> Sw(offset + L(other(c)))`.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let data = Composed::new(Swizzle::new(3, 4, 3)?, 0, layout!((8,64):(64,1)))?;
    /// let row = data.composition(&layout!(64:8))?;
    /// assert_eq!(row.to_string(), "Sw<3,4,3> o 0 o 64:1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::composition`] for the inner layout, and of [`with_layout`](Self::with_layout).
    pub const fn composition(&self, other: &Layout) -> Result<Composed, Error> {
        self.with_layout(tri!(self.layout.composition(other)))
    }

    /// The same swizzle and offset with another layout of offsets.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// let swizzled = Composed::new(Swizzle::new(3, 4, 3)?, 0, layout!(512:1))?;
    /// assert_eq!(swizzled.with_layout(layout!((8,64):(64,1)))?.to_string(), "Sw<3,4,3> o 0 o (8,64):(64,1)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Composed::new`], and, if the offset is not 0, those of [`Layout::with_sums_of`].
    pub const fn with_layout(&self, layout: Layout) -> Result<Composed, Error> {
        let layout = if self.offset == 0 { layout } else { tri!(layout.with_sums_of(&self.layout)) };
        Composed::new(self.swizzle, self.offset, layout)
    }
}

/// A layout, plain or swizzled, that is known at run time.
///
/// A [`Tensor`](crate::Tensor) of it is such a layout with an offset: `{offset} o layout`.
///
/// ```
/// use tilework::{AnyLayout, Composed, Counting, Swizzle, Tensor, layout};
/// let swizzled = Composed::new(Swizzle::new(1, 0, 1)?, 0, layout!((2,2):(2,1)))?;
/// let layouts: [AnyLayout; 2] = [layout!((2,2):(2,1)).into(), swizzled.into()];
/// let offsets = layouts.map(|layout| Tensor::with_offset(Counting, 8, layout).unwrap().iter().collect::<Vec<_>>());
/// assert_eq!(offsets, [[8, 10, 9, 11], [8, 11, 9, 10]]);
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnyLayout {
    /// A layout.
    Plain(Layout),
    /// A swizzled layout.
    Swizzled(Composed),
}

impl AnyLayout {
    /// The layout whose shape the coordinates have: for a swizzled layout, the inner one.
    ///
    /// ```
    /// use tilework::{AnyLayout, Composed, Swizzle, layout};
    /// let rows = layout!((2,2):(2,1));
    /// assert_eq!(*AnyLayout::Swizzled(Composed::new(Swizzle::NONE, 7, rows)?).layout(), rows);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        match self {
            AnyLayout::Plain(layout) => layout,
            AnyLayout::Swizzled(composed) => composed.layout(),
        }
    }

    /// The offset of an admissible coordinate.
    ///
    /// ```
    /// use tilework::{AnyLayout, layout};
    /// assert_eq!(AnyLayout::Plain(layout!((2,2):(2,1))).evaluate(1)?.to_string(), "2");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::evaluate`] and [`Composed::try_at`].
    pub fn evaluate(&self, coord: impl IntoHTuple<i64>) -> Result<Offset, Error> {
        self.const_evaluate(&coord.into_htuple()?)
    }

    /// [`evaluate`](Self::evaluate) in a constant.
    pub const fn const_evaluate(&self, coord: &Coord) -> Result<Offset, Error> {
        match self {
            AnyLayout::Plain(layout) => layout.const_evaluate(coord),
            AnyLayout::Swizzled(composed) => {
                let inner = tri!(composed.layout.const_evaluate(coord)).leaves()[0].numerator();
                Ok(HTuple::leaf(Rational::integer(tri!(composed.swizzled(inner)))))
            }
        }
    }
}

impl From<Layout> for AnyLayout {
    fn from(layout: Layout) -> AnyLayout {
        AnyLayout::Plain(layout)
    }
}

impl From<Composed> for AnyLayout {
    fn from(composed: Composed) -> AnyLayout {
        AnyLayout::Swizzled(composed)
    }
}

//! From coordinates to offsets.

use super::values::IntoHTuple;
use super::{Layout, Leaf};
use crate::codomain::Codomain;
use crate::error::{Error, tri, unwrap};
use crate::int;
use crate::shape::{Coord, IndexSpan, Walk};
use crate::stride::{Rational, Stride, Sum, Unit, each_term};
use crate::tuple::{HTuple, MAX_LEAVES};

/// An offset of a layout: a number, or for coordinate strides a coordinate.
pub type Offset = HTuple<Rational>;

impl Layout {
    /// The offset of an index or a coordinate, for integer and XOR strides: `L(22)`, `L(2,5)` and `L((0,1),(1,1))` of the paper,
    /// definition 2.17.
    ///
    /// The offset is an `i64`, to index memory with; [`evaluate`](Self::evaluate) is for strides of any kind.
    ///
    /// Every integer is an index: the last mode is not reduced and division rounds down.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// const L: Layout = layout!((4,8):(8,1));
    /// assert_eq!((L.at(0), L.at(5), L.at(31), L.at(32)), (0, 9, 31, 8));
    /// assert_eq!((L.at((1, 1)), L.at((3, 7))), (9, 31));
    /// ```
    ///
    /// # Panics
    /// If [`try_at`](Self::try_at) returns an error: for rational and coordinate strides, for a coordinate of another profile,
    /// and for an offset beyond 64 bits, which no in-bounds coordinate has.
    #[inline]
    #[track_caller]
    #[must_use]
    pub fn at(&self, coord: impl IntoHTuple<i64>) -> i64 {
        unwrap(self.try_at(coord))
    }

    /// [`at`](Self::at) of an index, in a constant.
    #[inline]
    #[track_caller]
    #[must_use]
    pub const fn const_at(&self, index: i64) -> i64 {
        unwrap(self.const_try_at(index))
    }

    /// [`at`](Self::at), or why there is no such number.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,8):(8,1)).try_at((1, 1)), Ok(9));
    /// assert_eq!(layout!((4,8):(1@0,1@1)).try_at(5).unwrap_err().code(), "codomain");
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for other strides, whose offsets [`evaluate`](Self::evaluate) gives; [`Error::Entries`] for a
    /// coordinate that is not weakly congruent with the shape; [`Error::Overflow`].
    #[inline]
    pub fn try_at(&self, coord: impl IntoHTuple<i64>) -> Result<i64, Error> {
        match coord.as_index() {
            Some(index) => self.const_try_at(index),
            None => self.integer(&self.const_evaluate(&coord.into_htuple()?)?),
        }
    }

    /// [`try_at`](Self::try_at) of an index, in a constant.
    #[inline]
    pub const fn const_try_at(&self, index: i64) -> Result<i64, Error> {
        if !self.codomain.same(Codomain::Integer) {
            return self.at_any(index);
        }
        let leaves = self.leaves();
        if leaves.is_empty() {
            return Ok(0);
        }
        let (mut rest, mut offset, mut i) = (index, 0i64, 0);
        while i + 1 < leaves.len() {
            let (quotient, remainder) = int::div_rem(rest, leaves[i].extent);
            // A remainder is below the extent, so the product is an offset of the layout.
            offset += remainder * leaves[i].stride.numerator();
            rest = quotient;
            i += 1;
        }
        int::add_mul(offset, rest, leaves[i].stride.numerator())
    }

    #[cold]
    const fn at_any(&self, index: i64) -> Result<i64, Error> {
        self.integer(&tri!(self.const_evaluate(&HTuple::leaf(index))))
    }

    /// An offset as the integer that it is.
    const fn integer(&self, offset: &Offset) -> Result<i64, Error> {
        match self.codomain {
            Codomain::Integer | Codomain::Xor => Ok(offset.leaves()[0].numerator()),
            found => Err(Error::Codomain { operation: "an integer offset", found }),
        }
    }

    /// [`at`](Self::at) for strides of any kind, as an [`Offset`]: it may be a coordinate or a fraction. Both take an index or a
    /// coordinate.
    ///
    /// ```
    /// use tilework::{HTuple, Layout, layout};
    /// const L: Layout = layout!((4,8):(1@0,1@1));
    /// assert_eq!(L.evaluate(9)?.to_string(), "(1,2)");
    /// assert_eq!(layout!((4,4):(^1,^5)).evaluate((3, 1))?.to_string(), "6");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Entries`] for a coordinate that is not weakly congruent with the shape; [`Error::Overflow`] if the
    /// offset does not fit.
    pub fn evaluate(&self, coord: impl IntoHTuple<i64>) -> Result<Offset, Error> {
        self.const_evaluate(&coord.into_htuple()?)
    }

    /// [`evaluate`](Self::evaluate) in a constant.
    pub const fn const_evaluate(&self, coord: &Coord) -> Result<Offset, Error> {
        let mut digits = tri!(Digits::new(coord, self));
        let mut offset = tri!(self.codomain_profile());
        while let Some((stride, digit)) = digits.next() {
            if stride.is_sum() {
                return self.evaluate_wide(coord, Error::TooLarge { what: "an offset" });
            }
            if !stride.is_zero() {
                let component = tri!(component(&offset, stride));
                let sum = match add(offset.leaves()[component], stride, digit) {
                    Ok(sum) => sum,
                    Err(error) => return self.evaluate_wide(coord, error),
                };
                offset.leaves_mut()[component] = sum;
            }
        }
        Ok(offset)
    }

    /// [`evaluate`](Self::evaluate) for strides with several components, and after an intermediate sum overflowed; the
    /// offset itself may fit, and otherwise this is `error`.
    #[cold]
    const fn evaluate_wide(&self, coord: &Coord, error: Error) -> Result<Offset, Error> {
        let mut digits = tri!(Digits::new(coord, self));
        let mut offset = tri!(self.codomain_profile());
        let mut sums = [Sum::ZERO; MAX_LEAVES];
        while let Some((stride, digit)) = digits.next() {
            each_term!(stride, |term| {
                let component = tri!(component(&offset, term));
                sums[component] = sums[component].add(term, digit);
            });
        }
        let mut i = 0;
        while i < offset.leaves().len() {
            let Some(sum) = sums[i].rational() else { return Err(error) };
            offset.leaves_mut()[i] = sum;
            i += 1;
        }
        Ok(offset)
    }

    /// The offset 0, in the profile of the codomain: a number, or a coordinate with the nesting of the basis elements.
    pub(crate) const fn codomain_profile(&self) -> Result<Offset, Error> {
        if !self.codomain.same(Codomain::Coordinate) {
            return Ok(HTuple::leaf(Rational::ZERO));
        }
        let mut zero = HTuple::builder(Rational::ZERO);
        tri!(self.zero_node(&[0; crate::stride::MAX_BASIS_DEPTH], 0, &mut zero));
        Ok(zero)
    }

    /// Appends the part of the codomain's profile below the first `level` indices of `path`.
    const fn zero_node(
        &self,
        path: &[usize; crate::stride::MAX_BASIS_DEPTH],
        level: usize,
        out: &mut Offset,
    ) -> Result<(), Error> {
        let mut rank = 0;
        let mut i = 0;
        while i < self.leaves().len() {
            each_term!(self.leaves()[i].stride, |term| {
                rank = rank_with(rank, term.unit(), path, level);
            });
            i += 1;
        }
        if rank == 0 {
            return out.push(Rational::ZERO);
        }
        tri!(out.open(rank));
        let mut k = 0;
        while k < rank {
            let mut child = *path;
            child[level] = k;
            tri!(self.zero_node(&child, level + 1, out));
            k += 1;
        }
        Ok(())
    }
}

/// The rank below the first `level` indices of `path`, extended by a component.
#[inline]
const fn rank_with(rank: usize, unit: Unit, path: &[usize], level: usize) -> usize {
    if unit.depth() <= level || unit.index(level) < rank {
        return rank;
    }
    let mut k = 0;
    while k < level && unit.index(k) == path[k] {
        k += 1;
    }
    if k == level { unit.index(level) + 1 } else { rank }
}

/// The digits of a coordinate, one for each leaf of a layout, with the strides that they count.
struct Digits<'a> {
    layout: &'a Layout,
    walk: Walk<'a, Leaf>,
    part: IndexSpan,
}

impl<'a> Digits<'a> {
    const fn new(coord: &'a Coord, layout: &'a Layout) -> Result<Self, Error> {
        let walk = tri!(Walk::new(coord, &layout.tuple));
        Ok(Digits { layout, walk, part: IndexSpan { index: 0, first: 0, end: 0 } })
    }

    #[inline]
    const fn next(&mut self) -> Option<(Stride, i64)> {
        while self.part.first == self.part.end {
            match self.walk.next() {
                Some(part) => self.part = part,
                None => return None,
            }
        }
        let Leaf { extent, stride } = self.layout.leaves()[self.part.first];
        self.part.first += 1;
        if self.part.first == self.part.end {
            return Some((stride, self.part.index));
        }
        let (quotient, digit) = int::div_rem(self.part.index, extent);
        self.part.index = quotient;
        Some((stride, digit))
    }
}

/// The component of an offset that a stride's unit addresses.
#[inline]
const fn component(offset: &Offset, stride: Stride) -> Result<usize, Error> {
    let (path, level) = stride.unit().path();
    let (_, leaf) = tri!(offset.find(path.split_at(level).0));
    Ok(leaf)
}

/// `before` with `digit` times `stride`.
#[inline]
const fn add(before: Rational, stride: Stride, digit: i64) -> Result<Rational, Error> {
    let scaled = tri!(stride.scale(digit)).count();
    if stride.unit().is_xor() {
        Ok(Rational::integer(before.numerator() ^ scaled.numerator()))
    } else {
        before.add(scaled)
    }
}

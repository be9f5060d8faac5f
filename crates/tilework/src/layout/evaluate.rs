//! From coordinates to offsets.

use super::{Layout, Leaf, is_basis};
use crate::error::{Error, tri};
use crate::int;
use crate::shape::{Coord, Walk};
use crate::stride::{Codomain, Rational, Stride};
use crate::tuple::HTuple;

/// What a layout maps to: one number, or for coordinate strides a coordinate.
pub type Offset = HTuple<Rational>;

impl Layout {
    /// The offset of an integral coordinate, for integer and XOR strides.
    ///
    /// Every integer is a coordinate: the last mode is not reduced and division rounds down.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// const L: Layout = layout!((4,8):(8,1));
    /// assert_eq!((L.at(0), L.at(5), L.at(31), L.at(32)), (0, 9, 31, 8));
    /// ```
    ///
    /// # Panics
    /// Where [`try_at`](Self::try_at) gives an error: for rational and coordinate strides, and for an offset beyond
    /// 64 bits, which no in-bounds coordinate has.
    #[inline]
    pub const fn at(&self, index: i64) -> i64 {
        match self.try_at(index) {
            Ok(offset) => offset,
            Err(error) => panic!("{}", error.message().as_str()),
        }
    }

    /// The offset of an integral coordinate, for integer and XOR strides.
    ///
    /// # Errors
    /// [`Error::Codomain`] for other strides; [`Error::Overflow`].
    #[inline]
    pub const fn try_at(&self, index: i64) -> Result<i64, Error> {
        if !self.codomain.same(Codomain::Integer) {
            return self.try_at_any(index);
        }
        let leaves = self.leaves();
        if leaves.is_empty() {
            return Ok(0);
        }
        let (mut rest, mut offset, mut i) = (index, 0i64, 0);
        while i + 1 < leaves.len() {
            let (quotient, remainder) = int::div_rem(rest, leaves[i].extent);
            // A remainder is below the extent, and so the product is an offset of the layout.
            offset += remainder * leaves[i].stride.numerator();
            rest = quotient;
            i += 1;
        }
        int::add(offset, tri!(int::mul(rest, leaves[i].stride.numerator())))
    }

    #[cold]
    const fn try_at_any(&self, index: i64) -> Result<i64, Error> {
        let offset = tri!(self.evaluate(&HTuple::leaf(index)));
        match self.codomain {
            Codomain::Xor => Ok(offset.leaves()[0].numerator()),
            found => Err(Error::Codomain { operation: "an integer offset", found }),
        }
    }

    /// The offset of any admissible coordinate (paper, definition 2.17): `L(22)`, `L(2,5)` and `L((0,1),(1,1))`.
    ///
    /// ```
    /// use tilework::{HTuple, Layout, layout};
    /// const L: Layout = layout!((4,8):(1@0,1@1));
    /// assert_eq!(L.evaluate(&HTuple::leaf(9))?.to_string(), "(1,2)");
    /// assert_eq!(layout!((4,4):(^1,^5)).evaluate(&"(3,1)".parse()?)?.to_string(), "6");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Coordinate`] for a coordinate that is not weakly congruent with the shape; [`Error::Overflow`].
    pub const fn evaluate(&self, coord: &Coord) -> Result<Offset, Error> {
        let mut walk = tri!(Walk::new(coord, &self.tuple));
        let mut offset = tri!(self.codomain_profile());
        while let Some(part) = walk.next() {
            let mut rest = part.index;
            let mut i = part.first;
            while i < part.end {
                let Leaf { extent, stride } = self.leaves()[i];
                let (quotient, remainder) = int::div_rem(rest, extent);
                let step = if i + 1 < part.end { remainder } else { rest };
                rest = quotient;
                tri!(add(&mut offset, stride, step));
                i += 1;
            }
        }
        Ok(offset)
    }

    /// The offset 0, in the profile of the codomain: a number, or a coordinate as nested as the basis elements say.
    pub(crate) const fn codomain_profile(&self) -> Result<Offset, Error> {
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
            let stride = self.leaves()[i].stride;
            let unit = stride.unit();
            if !stride.is_zero() && is_basis(unit) && unit.depth() > level {
                let mut k = 0;
                while k < level && unit.index(k) == path[k] {
                    k += 1;
                }
                if k == level && unit.index(level) >= rank {
                    rank = unit.index(level) + 1;
                }
            }
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

/// Adds `step` times `stride` to the component that its unit addresses.
const fn add(offset: &mut Offset, stride: Stride, step: i64) -> Result<(), Error> {
    if stride.is_zero() {
        return Ok(());
    }
    let unit = stride.unit();
    let (path, level) = unit.path();
    let (_, leaf) = tri!(offset.find(path.split_at(level).0));
    let before = offset.leaves()[leaf];
    let scaled = tri!(stride.scale(step)).count();
    offset.leaves_mut()[leaf] = if unit.is_xor() {
        Rational::integer(before.numerator() ^ scaled.numerator())
    } else {
        tri!(before.add(scaled))
    };
    Ok(())
}

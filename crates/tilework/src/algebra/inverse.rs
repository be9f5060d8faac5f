//! The inverses of a layout (paper, section 3.4), one component of its offsets at a time.

use super::indexed::{Indexed, UNUSED, common_denominator, modes_along};
use super::left_inverse::left_inverse_into;
use super::right_inverse::right_inverse_into;
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf, build};
use crate::stride::{Components, Unit};
use crate::tuple::{HTuple, MAX_LEAVES};

/// Room for the modes of most layouts; a small buffer is faster to initialize.
const FEW: usize = 6;

impl Layout {
    /// The largest layout `R` with `L(R(k)) = k` for all `k < |R|`: the indices of the offsets `0, 1, 2, ...`. For
    /// coordinate strides its arguments are the coordinates that the layout maps to.
    ///
    /// | `L` | right inverse |
    /// |---|---|
    /// | `(4,8):(8,1)` | `(8,4):(4,1)` |
    /// | `(3,7,5):(5,15,1)` | `(5,21):(21,1)` |
    /// | `(4,8):(1,5)` | `4:1` |
    /// | `(5,3):(1,4)` | `(4,3):(1,5)` |
    /// | `((2,2),(2,4)):((0,2),(0,4))` | `1:0` |
    /// | `(4,8):(1@0,1@1)` | `(4,8):(1,4)` |
    /// | `4:1/2` | `2:2` |
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((4,8):(8,1)).right_inverse()?, layout!((8,4):(4,1)));
    /// assert_eq!(layout!((5,3):(1,4)).right_inverse()?.size(), 12);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Undecided`] if modes overlap or strides are negative, and the search ends without a proof that the
    /// result is the largest. [`Error::Overflow`] for fractions whose common denominator is too large.
    #[inline]
    pub const fn right_inverse(&self) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) {
            return self.xor_right_inverse();
        }
        if self.has_sums() {
            return self.right_inverse_of_sums();
        }
        self.inverse_with(Side::Right)
    }

    /// A layout `G` with `L(G(L(k))) = L(k)`: the index of each offset of the image. For an injective layout
    /// `G(L(k)) = k`; among the indices of one offset it chooses the one with coordinate 0 in the stride-0 modes. For
    /// coordinate strides its arguments are the coordinates that the layout maps to.
    ///
    /// | `L` | left inverse |
    /// |---|---|
    /// | `(4,8):(1,5)` | `(5,8):(1,4)` |
    /// | `(3,7,5):(5,15,1)` | `(5,21):(21,1)` |
    /// | `((2,2),(2,4)):((0,2),(0,4))` | `(2,2,4):(0,2,8)` |
    /// | `(4,(4,2)):(1@1,(1@0,6@1))` | `(4,(6,2)):(4,(1,16))` |
    /// | `(2,2):(2,3)` | `(2,3):(1,1)` |
    /// | `(4,2):(1,1)` | `(4,2):(1,7)` |
    /// | `2:-1` | `2:-1` |
    /// | `(4,4):(4,7)` | no layout |
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let inverse = layout!((4,8):(1,5)).left_inverse()?;
    /// assert_eq!(inverse, layout!((5,8):(1,4)));
    /// assert_eq!(inverse.at(layout!((4,8):(1,5)).at(22)), 22);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoInverse`] if there is none. [`Error::Undecided`] if the strides do not form a chain of divisors,
    /// overlap or are negative, and the search for an inverse ends without an answer. [`Error::SeveralComponents`] if
    /// that of strides with several components does. [`Error::NotIntegral`]: a fraction is not a coordinate. [`Error::Overflow`] if the size of the inverse, for a chain of divisors the largest
    /// stride times its extent, does not fit in 64 bits: `2:4611686018427387904`.
    #[inline]
    pub const fn left_inverse(&self) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) {
            return self.xor_left_inverse();
        }
        if self.has_sums() {
            return self.left_inverse_of_sums();
        }
        self.inverse_with(Side::Left)
    }

    /// The inverse on both sides, if this layout is a bijection of `[0, |L|)` (the layout is *compact*), or onto the coordinates of a
    /// shape, where the right and the left inverse are one as well (paper, tables 5 and 6).
    ///
    /// ```
    /// use tilework::{Error, Layout, layout};
    /// assert_eq!(layout!((3,7,5):(5,15,1)).inverse()?, layout!((5,21):(21,1)));
    /// assert_eq!(layout!((4,8):(1@1,1@0)).inverse()?, layout!((8,4):(4,1)));
    /// assert_eq!(layout!((4,8):(1,5)).inverse(), Err(Error::NotSurjective { offset: 4, component: None }));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// For a layout that is not a bijection, [`Error::NotInjective`], else [`Error::NotSurjective`], or [`Error::NoInverse`] where neither
    /// is found within a budget.
    pub const fn inverse(&self) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) {
            return self.xor_inverse();
        }
        // Cheaper than a right inverse of an overlapping layout.
        if self.codomain().same(Codomain::Integer) && !tri!(self.is_compact()) {
            return Err(self.no_bijection());
        }
        match self.right_inverse() {
            Ok(inverse) if inverse.size() == self.size() => Ok(inverse),
            Ok(_) => Err(self.no_bijection()),
            // The largest right inverse need not be known to see that it is smaller.
            Err(Error::Undecided { .. })
                if self.codomain().same(Codomain::Coordinate) && !tri!(self.fills_a_shape()) =>
            {
                Err(self.no_bijection())
            }
            Err(error) => Err(error),
        }
    }

    /// The inverse in each component, nested like the offsets.
    #[inline]
    pub(super) const fn inverse_with(&self, side: Side) -> Result<Layout, Error> {
        build!(|out| self.inverse_into(side, out))
    }

    const fn inverse_into(&self, side: Side, out: &mut HTuple<Leaf>) -> Result<(), Error> {
        if self.codomain().same(Codomain::Coordinate) {
            let offset = tri!(self.codomain_profile());
            let mut components = Components::new(offset.profile());
            while let Some(unit) = tri!(components.next_leaf(out)) {
                tri!(side.inverse_into(self.leaves(), unit, &mut [UNUSED; MAX_LEAVES], out));
            }
            Ok(())
        } else if self.leaves().len() <= FEW {
            side.inverse_into(self.leaves(), Unit::ONE, &mut [UNUSED; FEW], out)
        } else {
            side.inverse_into(self.leaves(), Unit::ONE, &mut [UNUSED; MAX_LEAVES], out)
        }
    }
}

/// The kind of inverse.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    /// Appends the inverse in the component of one unit.
    pub(super) const fn inverse_into(
        self,
        leaves: &[Leaf],
        unit: Unit,
        room: &mut [Indexed],
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        // An index that steps through a mode of stride 0 may avoid a carry.
        let still = unit.is_one() || is_only(leaves, unit);
        match self {
            Side::Left => left_inverse_into(tri!(modes_along(leaves, unit, still, 1, room)), out),
            Side::Right => {
                if let Ok(modes) = modes_along(leaves, unit, still, 1, room) {
                    return right_inverse_into(modes, 1, out);
                }
                let parts = tri!(common_denominator(leaves, unit));
                right_inverse_into(tri!(modes_along(leaves, unit, still, parts, room)), parts, out)
            }
        }
    }
}

/// Whether no mode has another unit.
pub(super) const fn is_only(leaves: &[Leaf], unit: Unit) -> bool {
    let mut i = 0;
    while i < leaves.len() && (leaves[i].stride.is_zero() || leaves[i].stride.unit().same(unit)) {
        i += 1;
    }
    i == leaves.len()
}

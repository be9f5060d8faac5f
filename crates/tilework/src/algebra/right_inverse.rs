//! Right inverse: where does offset `k` lie? (paper, section 3.4.1; docs/proofs.md, theorem 3).
//!
//! A right inverse `R` satisfies `L(R(k)) = k` for all `k < |R|`; the one asked for is of the largest size. Its modes
//! are a chain: a mode that reaches offset `M`, the product of the extents so far, repeated `p` times while `L` stays
//! linear on the box of coordinates so reached.
//!
//! For an injective layout with strides of 0 or more the chain can be read off: sort by stride, and take each mode
//! whose stride is the product so far. Its size is then the *mex*, the first offset that is missing, and no right
//! inverse can be larger. Where the chain is shorter than the mex, because modes overlap, or where strides are
//! negative, the chains are searched, within a budget.

use super::inverse_search::{Operand, Search};
use super::left_inverse::left_inverse_into;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, Offset, Part, build};
use crate::stride::{Codomain, MAX_BASIS_DEPTH, Unit};
use crate::tuple::{HTuple, MAX_LEAVES};

const OPERATION: &str = "right_inverse";

/// A mode with the stride of its index in the whole layout.
#[derive(Clone, Copy)]
pub(super) struct Indexed {
    pub stride: i64,
    pub extent: i64,
    pub index: i64,
}

impl Layout {
    /// The largest layout `R` with `L(R(k)) = k` for all `k < |R|`: the indices of the offsets `0, 1, 2, ...`. For
    /// coordinate strides it takes the coordinates that the layout gives.
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
    /// [`Error::Undecided`] where modes overlap or strides are negative, and the search ends without a proof that the
    /// result is the largest. [`Error::Overflow`] for fractions whose common denominator is too large.
    #[inline]
    pub const fn right_inverse(&self) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) {
            return self.xor_right_inverse();
        }
        self.inverse_with(Side::Right)
    }

    /// The layout that undoes this one both ways, where it is a bijection of `[0, |L|)` (the layout is *compact*).
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((3,7,5):(5,15,1)).inverse()?, layout!((5,21):(21,1)));
    /// assert!(layout!((4,8):(1,5)).inverse().is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoInverse`] for a layout that is no bijection.
    pub const fn inverse(&self) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) {
            return self.xor_inverse();
        }
        const NO_BIJECTION: Error = Error::NoInverse { reason: "the layout is not a bijection of [0, size)" };
        if self.codomain().same(Codomain::Coordinate) {
            let inverse = tri!(self.right_inverse());
            return if inverse.size() == self.size() { Ok(inverse) } else { Err(NO_BIJECTION) };
        }
        if !tri!(self.is_compact()) {
            return Err(NO_BIJECTION);
        }
        self.right_inverse()
    }

    /// The inverse in each component, nested as the offsets are.
    #[inline]
    pub(super) const fn inverse_with(&self, side: Side) -> Result<Layout, Error> {
        build!(|out| self.inverse_into(side, out))
    }

    const fn inverse_into(&self, side: Side, out: &mut HTuple<Leaf>) -> Result<(), Error> {
        if self.codomain().same(Codomain::Coordinate) {
            let profile = tri!(self.codomain_profile());
            self.inverse_path(&profile, &mut [0; MAX_BASIS_DEPTH], 0, side, out)
        } else if self.leaves().len() <= FEW {
            side.inverse_into(self.leaves(), Unit::ONE, &mut [UNUSED; FEW], out)
        } else {
            side.inverse_into(self.leaves(), Unit::ONE, &mut [UNUSED; MAX_LEAVES], out)
        }
    }

    const fn inverse_path(
        &self,
        profile: &Offset,
        path: &mut [usize; MAX_BASIS_DEPTH],
        level: usize,
        side: Side,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let at = path.split_at(level).0;
        let part = tri!(profile.get(at));
        if part.is_leaf() {
            let unit = tri!(Unit::basis(at));
            return side.inverse_into(self.leaves(), unit, &mut [UNUSED; MAX_LEAVES], out);
        }
        tri!(out.open(part.rank()));
        let mut i = 0;
        while i < part.rank() {
            path[level] = i;
            tri!(self.inverse_path(profile, path, level + 1, side, out));
            i += 1;
        }
        Ok(())
    }
}

/// Which inverse.
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
        match self {
            Side::Left => left_inverse_into(tri!(modes_along(leaves, unit, unit.is_one(), 1, room)), out),
            Side::Right => {
                if let Ok(modes) = modes_along(leaves, unit, unit.is_one(), 1, room) {
                    return right_inverse_into(modes, 1, out);
                }
                let parts = tri!(common_denominator(leaves, unit));
                right_inverse_into(tri!(modes_along(leaves, unit, unit.is_one(), parts, room)), parts, out)
            }
        }
    }
}

/// Room for the modes of most layouts; it is sooner written.
const FEW: usize = 6;

pub(super) const UNUSED: Indexed = Indexed { stride: 0, extent: 0, index: 0 };

/// The modes with one unit, coalesced, each with the stride of its index, in `room` in their order; strides are
/// counted in parts of which `parts` make 1. Modes of stride 0 come along where no other component needs them: an index
/// that steps through one may avoid a carry.
pub(super) const fn modes_along<'a>(
    leaves: &[Leaf],
    unit: Unit,
    still: bool,
    parts: i64,
    room: &'a mut [Indexed],
) -> Result<&'a mut [Indexed], Error> {
    let (mut index, mut len, mut i) = (1, 0, 0);
    while i < leaves.len() {
        let Leaf { extent, stride } = leaves[i];
        if extent > 1 && if stride.is_zero() { still } else { stride.unit().same(unit) } {
            let (mut numerator, denominator) = (stride.numerator(), stride.denominator());
            if denominator != parts {
                if parts % denominator != 0 {
                    return Err(Error::NotIntegral { operation: "an inverse", numerator, denominator });
                }
                numerator = tri!(int::mul(numerator, parts / denominator));
            }
            if len > 0 && room[len - 1].continues_with(numerator, index) {
                room[len - 1].extent *= extent;
            } else {
                room[len] = Indexed { stride: numerator, extent, index };
                len += 1;
            }
        }
        index *= extent;
        i += 1;
    }
    Ok(room.split_at_mut(len).0)
}

impl Indexed {
    /// Whether a mode of that stride and index goes on where this one ends.
    const fn continues_with(self, stride: i64, index: i64) -> bool {
        // An index is below the size of the layout, and so is the end of a mode.
        match self.stride.checked_mul(self.extent) {
            Some(end) => end == stride && self.index * self.extent == index,
            None => false,
        }
    }
}

/// Appends the largest right inverse of the modes, which are in the order of their indices and get sorted; `parts` of
/// their strides make 1.
pub(super) const fn right_inverse_into(
    modes: &mut [Indexed],
    parts: i64,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    let (first, mut size, mut i) = (out.leaves().len(), 1, 0);
    sort(modes);
    while parts == 1 && i < modes.len() {
        let Indexed { stride, extent, index } = modes[i];
        if stride == size {
            tri!(out.push_merged(Leaf::new(extent, index), first));
            size *= extent;
        }
        i += 1;
    }
    if parts == 1 && (modes.is_empty() || modes[0].stride >= 0) && size >= mex(modes) {
        return out.close_merged(first);
    }
    search_larger(modes, parts, size, first, out)
}

/// Puts a larger right inverse, if there is one, in place of the chain of size `size` behind leaf `first`.
#[cold]
const fn search_larger(
    modes: &mut [Indexed],
    parts: i64,
    size: i64,
    first: usize,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    sort_by_index(modes);
    match tri!(Search::new(Operand::new(modes, parts), None, OPERATION).larger_than(size)) {
        None => out.close_merged(first),
        Some(larger) => {
            out.drop_leaves(first);
            out.push_part(Part::whole(larger.as_tuple()))
        }
    }
}

/// By stride; of equal ones the longest first.
pub(super) const fn sort(modes: &mut [Indexed]) {
    let mut i = 1;
    while i < modes.len() {
        let mut j = i;
        while j > 0
            && (modes[j].stride < modes[j - 1].stride
                || modes[j].stride == modes[j - 1].stride && modes[j].extent > modes[j - 1].extent)
        {
            (modes[j], modes[j - 1]) = (modes[j - 1], modes[j]);
            j -= 1;
        }
        i += 1;
    }
}

/// In the order of the layout, which is that of carries from mode to mode.
pub(super) const fn sort_by_index(modes: &mut [Indexed]) {
    let mut i = 1;
    while i < modes.len() {
        let mut j = i;
        while j > 0 && modes[j].index < modes[j - 1].index {
            (modes[j], modes[j - 1]) = (modes[j - 1], modes[j]);
            j -= 1;
        }
        i += 1;
    }
}

/// The number of offsets from 0 on before the first that is missing; the modes are sorted, and no stride is negative.
pub(super) const fn mex(sorted: &[Indexed]) -> i64 {
    let (mut covered, mut i) = (1i64, 0);
    while i < sorted.len() && sorted[i].stride <= covered {
        covered = covered.saturating_add(sorted[i].stride * (sorted[i].extent - 1));
        i += 1;
    }
    covered
}

/// The common denominator of the strides with one unit.
pub(super) const fn common_denominator(leaves: &[Leaf], unit: Unit) -> Result<i64, Error> {
    let (mut common, mut i) = (1, 0);
    while i < leaves.len() {
        let Leaf { extent, stride } = leaves[i];
        let own = stride.denominator();
        if own != 1 && extent > 1 && stride.unit().same(unit) && common % own != 0 {
            common = tri!(int::mul(common, own / int::gcd(common as u64, own as u64) as i64));
        }
        i += 1;
    }
    Ok(common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;
    use std::vec::Vec;

    #[test]
    fn modes_that_go_on_are_one() {
        let modes = |layout: Layout| -> Vec<_> {
            let mut room = [UNUSED; MAX_LEAVES];
            let modes = modes_along(layout.leaves(), Unit::ONE, true, 1, &mut room).unwrap();
            modes.iter().map(|mode| (mode.extent, mode.stride, mode.index)).collect()
        };
        assert_eq!(modes(layout!((2,4):(3,6))), [(8, 3, 1)]);
        assert_eq!(modes(layout!((2,4):(3,5))), [(2, 3, 1), (4, 5, 2)]);
        assert_eq!(modes(layout!((2,3,4):(1,8,2))), [(2, 1, 1), (3, 8, 2), (4, 2, 6)]);
        assert_eq!(modes(layout!((2,1,4):(1,8,2))), [(8, 1, 1)]);
    }

    #[test]
    fn modes_of_stride_0_are_no_negative_ones() {
        assert_eq!(layout!((2,2):(-1,2)).right_inverse(), Ok(layout!(2:3)));
        assert_eq!(layout!((2,100):(1,0)).right_inverse(), Ok(layout!(2:1)));
        // No offset above 0, and so nothing to search for.
        assert_eq!(layout!((2,10000):(-1,0)).right_inverse(), Ok(layout!(1:0)));
    }

    #[test]
    fn overlapping_windows_also_in_constants() {
        const WINDOWS: Result<Layout, Error> = layout!((8,8,8):(8,1,1)).right_inverse();
        assert_eq!(WINDOWS, Ok(layout!((8,8):(8,1))));
        const STILL: Result<Layout, Error> = layout!((4,8,8):(1,0,1)).right_inverse();
        assert_eq!(STILL, Ok(layout!((5,2):(32,67))));
    }

    #[test]
    fn of_several_the_first() {
        assert_eq!(layout!((2,2):(1,1)).right_inverse(), Ok(layout!(2:1)));
    }

    #[test]
    fn carries_are_those_of_the_index() {
        let layout = layout!((2,3,2,2):(4,1,0,3));
        let inverse = layout.right_inverse().unwrap();
        assert!(inverse.size() == 8 && (0..8).all(|k| layout.at(inverse.at(k)) == k), "{inverse}");
    }

    #[test]
    fn bijections_of_coordinates() {
        assert_eq!(layout!((4,8):(1@1,1@0)).inverse(), Ok(layout!((8,4):(4,1))));
        assert!(matches!(layout!((4,8):(1@0,2@1)).inverse(), Err(Error::NoInverse { .. })));
    }
}

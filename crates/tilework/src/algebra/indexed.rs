//! The modes of a layout with the strides of their indices: the input of inverses.

use crate::error::{Error, tri};
use crate::int;
use crate::layout::Leaf;
use crate::list::sort_by;
use crate::stride::Unit;

/// A mode with the stride of its index in the whole layout.
#[derive(Clone, Copy)]
pub(super) struct Indexed {
    pub stride: i64,
    pub extent: i64,
    pub index: i64,
}

pub(super) const UNUSED: Indexed = Indexed { stride: 0, extent: 0, index: 0 };

/// The modes with one unit, coalesced, each with the stride of its index, in `room` in their order; strides are
/// multiples of `1 / parts`. Modes of stride 0 are included if no other component needs them: an index that steps
/// through one may avoid a carry.
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
        if extent > 1 && if stride.is_zero() { still } else { stride.is_along(unit) } {
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
    /// Whether a mode with that stride and index continues this one.
    const fn continues_with(self, stride: i64, index: i64) -> bool {
        // An index is below the size of the layout, and so is the end of a mode.
        match self.stride.checked_mul(self.extent) {
            Some(end) => end == stride && self.index * self.extent == index,
            None => false,
        }
    }
}

/// By stride; among equal strides the longest first.
pub(super) const fn sort(modes: &mut [Indexed]) {
    sort_by!(modes, |left, right| {
        left.stride < right.stride || left.stride == right.stride && left.extent > right.extent
    });
}

/// In the order of the layout, which is the order of carries from mode to mode.
pub(super) const fn sort_by_index(modes: &mut [Indexed]) {
    sort_by!(modes, |left, right| left.index < right.index);
}

/// The number of offsets from 0 on before the first missing one; the modes are sorted, and no stride is negative.
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
        if own != 1 && extent > 1 && stride.is_along(unit) && common % own != 0 {
            common = tri!(int::mul(common, own / int::gcd(common as u64, own as u64) as i64));
        }
        i += 1;
    }
    Ok(common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuple::MAX_LEAVES;
    use crate::{Layout, layout};
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
}

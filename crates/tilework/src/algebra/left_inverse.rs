//! Left inverse: which coordinate has a given offset? (paper, section 3.4.3; EXACT form, section 4).
//!
//! A left inverse `G` satisfies `L(G(L(k))) = L(k)` for every index `k` (equation 26), and may take any values beside
//! the image. Sort the modes that move by stride, `s_i:d_i` with index strides `p_i` (the prefix products of the
//! coalesced shape). Where each stride divides the next and the modes do not overlap, `s_i d_i <= d_(i+1)`,
//!
//! ```text
//! G = (d_0, d_1/d_0, ..., d_k/d_(k-1), s_k) : (0, p_0, ..., p_(k-1), p_k)
//! ```
//!
//! is one: dividing an offset by the strides gives the coordinates back. Other strides may have one as well:
//! `(2,3):(1,1)` is one of `(2,2):(2,3)`. For these there is a search ([`super::left_inverse_search`]).

use super::left_inverse_search::{UNDECIDED, search_left_inverse};
use super::right_inverse::{Indexed, Side, mex, right_inverse_into, sort};
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::stride::Codomain;
use crate::tuple::HTuple;

impl Layout {
    /// A layout `G` with `L(G(L(k))) = L(k)`: the index of each offset of the image. For an injective layout
    /// `G(L(k)) = k`; among the indices of one offset it takes that with coordinate 0 in the stride-0 modes. For
    /// coordinate strides it takes the coordinates that the layout gives.
    ///
    /// | `L` | left inverse |
    /// |---|---|
    /// | `(4,8):(1,5)` | `(5,8):(1,4)` |
    /// | `(3,7,5):(5,15,1)` | `(5,21):(21,1)` |
    /// | `((2,2),(2,4)):((0,2),(0,4))` | `(2,2,4):(0,2,8)` |
    /// | `(4,(4,2)):(1@1,(1@0,6@1))` | `(4,(6,2)):(4,(1,16))` |
    /// | `(2,2):(2,3)` | `(2,3):(1,1)` |
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
    /// [`Error::NoInverse`] where there is none. [`Error::Undecided`] where the strides form no chain of divisors and the
    /// search for an inverse ends without an answer, and where modes overlap and the layout has no right inverse of its
    /// whole image. [`Error::NegativeStride`], [`Error::NotIntegral`].
    #[inline]
    pub const fn left_inverse(&self) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) {
            return self.xor_left_inverse();
        }
        self.inverse_with(Side::Left)
    }
}

/// Appends a left inverse of the modes, which are in the order of their indices and get sorted.
pub(super) const fn left_inverse_into(modes: &mut [Indexed], out: &mut HTuple<Leaf>) -> Result<(), Error> {
    sort(modes);
    let first = out.leaves().len();
    let (mut unit, mut index, mut end, mut last, mut i) = (1, 0, 1, 1, 0);
    while i < modes.len() {
        let Indexed { stride, extent, index: own } = modes[i];
        i += 1;
        if stride < 0 {
            return Err(Error::NegativeStride { operation: "left_inverse", stride });
        }
        if stride == 0 {
            continue;
        }
        if stride % unit != 0 || stride < end {
            out.drop_leaves(first);
            return invert_image(modes, out);
        }
        if stride != unit {
            tri!(out.push_merged(Leaf::new(stride / unit, index), first));
        }
        end = stride.saturating_mul(extent);
        unit = stride;
        index = own;
        last = extent;
    }
    tri!(out.push_merged(Leaf::new(last, index), first));
    out.close_merged(first)
}

/// No chain. Overlapping modes that leave no offset out: an inverse of every offset inverts the image. Else a search.
const fn invert_image(modes: &mut [Indexed], out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let (mut high, mut i) = (0, 0);
    while i < modes.len() {
        high += modes[i].stride * (modes[i].extent - 1);
        i += 1;
    }
    if mex(modes) <= high {
        return search_left_inverse(modes, out);
    }
    let first = out.leaves().len();
    tri!(right_inverse_into(modes, 1, out));
    let (mut size, mut i) = (1, first);
    while i < out.leaves().len() {
        size *= out.leaves()[i].extent;
        i += 1;
    }
    // Other inverses of overlapping modes are not searched for.
    if size > high { Ok(()) } else { Err(UNDECIDED) }
}

#[cfg(test)]
mod tests {
    use crate::{Error, layout};

    #[test]
    fn modes_that_overlap() {
        // The right inverse reaches the whole image, [0, 4).
        assert_eq!(layout!((3,2):(1,1)).left_inverse(), Ok(layout!((2,2):(1,4))));
        assert_eq!(layout!((2,2):(1,1)).left_inverse(), Err(Error::Undecided { operation: "left_inverse" }));
        assert_eq!(layout!((2,3):(0,0)).left_inverse(), Ok(layout!(1:0)));
        assert_eq!(layout!((2,3):(0,2)).left_inverse(), Ok(layout!((2,3):(0,2))));
    }
}

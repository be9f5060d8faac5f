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
//! `(2,3):(1,1)` is one of `(2,2):(2,3)`, and `(4,2):(1,7)` of `(4,2):(1,1)`. For these there is a search ([`search`]).

use super::right_inverse::{Indexed, Side, sort};
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
    /// [`Error::NoInverse`] where there is none. [`Error::Undecided`] where the strides form no chain of divisors, overlap or
    /// are negative, and the search for an inverse ends without an answer. [`Error::NotIntegral`]: a fraction is no
    /// coordinate.
    #[inline]
    pub const fn left_inverse(&self) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) {
            return self.xor_left_inverse();
        }
        self.inverse_with(Side::Left)
    }
}

mod image;
mod search;
mod solutions;
#[cfg(test)]
mod tests;

const UNDECIDED: Error = Error::Undecided { operation: "left_inverse" };
const NONE: Error = Error::NoInverse { reason: "no shape has strides that give the indices back" };

/// Appends a left inverse of the modes, which are in the order of their indices and get sorted.
pub(super) const fn left_inverse_into(modes: &mut [Indexed], out: &mut HTuple<Leaf>) -> Result<(), Error> {
    sort(modes);
    let first = out.leaves().len();
    let (mut unit, mut index, mut end, mut last, mut i) = (1, 0, 1, 1, 0);
    while i < modes.len() {
        let Indexed { stride, extent, index: own } = modes[i];
        i += 1;
        if stride == 0 {
            continue;
        }
        if stride < 0 || stride % unit != 0 || stride < end {
            out.drop_leaves(first);
            return search::search_left_inverse(modes, out);
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

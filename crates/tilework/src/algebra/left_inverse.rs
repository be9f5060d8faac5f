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
//! is one: dividing an offset by the strides gives the coordinates back.

use super::right_inverse::{Indexed, Modes, mex, sort};
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::stride::{Codomain, MAX_BASIS_DEPTH};
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
    /// [`Error::NoInverse`] where the strides form no chain of divisors or modes overlap, and the layout has no right
    /// inverse of its whole image either; [`Error::NegativeStride`], [`Error::NotIntegral`].
    pub const fn left_inverse(&self) -> Result<Layout, Error> {
        if self.codomain().same(Codomain::Xor) {
            return self.xor_left_inverse();
        }
        let layout = self.coalesce();
        let mut out = HTuple::builder(Leaf::new(1, 0));
        let profile = tri!(layout.codomain_profile());
        tri!(layout.inverse_path(&profile, &mut [0; MAX_BASIS_DEPTH], 0, false, &mut out));
        Layout::new(out)
    }

    /// The left inverse for the modes of one component.
    pub(crate) const fn left_inverse_along(&self, modes: &Modes) -> Result<Layout, Error> {
        let mut sorted = *modes;
        sort(sorted.as_mut_slice());
        let modes_in_order = sorted.as_slice();
        let mut out = HTuple::builder(Leaf::new(1, 0));
        let (mut unit, mut index, mut end, mut chain, mut i) = (1, 0, 1, true, 0);
        while chain && i < modes_in_order.len() {
            let Indexed { stride, extent, index: own } = modes_in_order[i];
            if stride < 0 {
                return Err(Error::NegativeStride { operation: "left_inverse", stride });
            }
            chain = stride % unit == 0 && stride >= end;
            if stride != unit {
                tri!(out.push_value(Leaf::new(stride / unit, index)));
            }
            end = stride.saturating_mul(extent);
            unit = stride;
            index = own;
            i += 1;
        }
        if chain {
            if i > 0 {
                tri!(out.push_value(Leaf::new(modes_in_order[i - 1].extent, index)));
            }
            tri!(out.close_leaves(0));
            return Ok(tri!(Layout::new(out)).coalesce());
        }
        // Overlapping modes that leave no offset out: an inverse of every offset inverts the image.
        const NO_CHAIN: Error = Error::NoInverse { reason: "the strides form no chain of divisors, or modes overlap" };
        let (mut high, mut i) = (0, 0);
        while i < modes_in_order.len() {
            high += modes_in_order[i].stride * (modes_in_order[i].extent - 1);
            i += 1;
        }
        if let Some(covered) = mex(modes_in_order) {
            if covered == high + 1 {
                let inverse = tri!(self.right_inverse_along(modes));
                return if inverse.size() == covered { Ok(inverse) } else { Err(NO_CHAIN) };
            }
        }
        Err(NO_CHAIN)
    }
}

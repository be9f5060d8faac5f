//! Left inverse: the coordinate of an offset (paper, section 3.4.3).
//!
//! A left inverse `G` satisfies `L(G(L(k))) = L(k)` for every index `k` (equation 26), and may have any values outside
//! the image. Sort the modes with stride other than 0 by stride, `s_i:d_i` with index strides `p_i` (the prefix
//! products of the coalesced shape). If each stride divides the next and the modes do not overlap, `s_i d_i <=
//! d_(i+1)`,
//!
//! ```text
//! G = (d_0, d_1/d_0, ..., d_k/d_(k-1), s_k) : (0, p_0, ..., p_(k-1), p_k)
//! ```
//!
//! is one: dividing an offset by the strides recovers the coordinates. Other strides may have one too: `(2,3):(1,1)` is
//! one of `(2,2):(2,3)`, and `(4,2):(1,7)` of `(4,2):(1,1)`. These are searched (`search/left_inverse.rs`).

use super::indexed::{Indexed, sort};
use super::search::{BUDGET, Ring, search_left_inverse};
use crate::error::{Error, tri};
use crate::layout::Leaf;
use crate::tuple::HTuple;

/// Appends a left inverse of the modes, which are in the order of their indices; it sorts them.
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
            return search_left_inverse(modes, Ring::Integers, Ring::Integers, &mut { BUDGET }, out);
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

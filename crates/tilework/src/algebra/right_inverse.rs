//! Right inverse: the index of offset `k` (paper, section 3.4.1; docs/proofs.md, theorem 3).
//!
//! A right inverse `R` satisfies `L(R(k)) = k` for all `k < |R|`; the operation returns the largest. Its modes are a
//! chain: each begins at the index of offset `M`, the product of the extents so far, and is repeated `p` times as long
//! as `L` is linear on the box of the coordinates reached.
//!
//! For an injective layout without negative strides the chain is explicit: sort by stride, and take each mode whose
//! stride is the product so far. Its size is then the *mex*, the first missing offset, and no right inverse can be
//! larger. If the chain is shorter than the mex, because modes overlap, or if strides are negative, the chains are
//! searched, within a budget.

use super::indexed::{Indexed, mex, sort, sort_by_index};
use super::search::{Operand, Search};
use crate::error::{Error, tri};
use crate::layout::{Leaf, Part};
use crate::tuple::HTuple;

const OPERATION: &str = "right_inverse";

/// Appends the largest right inverse of the modes, which are in the order of their indices, and sorts them; strides are
/// multiples of `1 / parts`.
pub(super) const fn right_inverse_into(
    modes: &mut [Indexed],
    parts: i64,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    let first = out.leaves().len();
    sort(modes);
    let size = if parts == 1 { tri!(chain_into(modes, out)) } else { 1 };
    if parts == 1 && (modes.is_empty() || modes[0].stride >= 0) && size >= mex(modes) {
        return out.close_merged(first);
    }
    search_larger(modes, parts, size, first, out)
}

/// Appends the modes that continue each other, beginning with stride 1, and returns their size: always a right inverse.
/// The modes are sorted.
#[inline]
pub(super) const fn chain_into(sorted: &[Indexed], out: &mut HTuple<Leaf>) -> Result<i64, Error> {
    let (first, mut size, mut i) = (out.leaves().len(), 1, 0);
    while i < sorted.len() {
        let Indexed { stride, extent, index } = sorted[i];
        if stride == size {
            tri!(out.push_merged(Leaf::new(extent, index), first));
            size *= extent;
        }
        i += 1;
    }
    Ok(size)
}

/// Replaces the chain of size `size` after leaf `first` by a larger right inverse, if there is one.
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

#[cfg(test)]
mod tests {
    use crate::{Error, Layout, layout};

    #[test]
    fn modes_of_stride_0_are_no_negative_ones() {
        assert_eq!(layout!((2,2):(-1,2)).right_inverse(), Ok(layout!(2:3)));
        assert_eq!(layout!((2,100):(1,0)).right_inverse(), Ok(layout!(2:1)));
        // No offset is above 0, so there is nothing to search for.
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
        let missing = Error::NotSurjective { offset: 1, component: Some(1) };
        assert_eq!(layout!((4,8):(1@0,2@1)).inverse(), Err(missing));
        assert_eq!(layout!((1,4):(1/2,1)).inverse(), Ok(layout!(4:1)));
        assert!(matches!(layout!((4,8):(1,3/2)).inverse(), Err(Error::NotInjective { .. })));
        assert!(matches!(layout!((2,6):((1@0-1@1),1@1)).inverse(), Err(Error::NoInverse { .. })));
        let several = layout!((1,4,3,3):((2@0+1@1),-1@0,(3@0+1@1),3@0)).inverse();
        assert_eq!(several, Err(Error::NotInjective { first: 0, second: 15 }));
    }
}

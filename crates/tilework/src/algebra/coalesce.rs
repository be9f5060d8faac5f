//! Coalesce: the same function with as few modes as possible (paper, section 3.2; docs/proofs.md, theorem 1).
//!
//! A layout with strides `D_r` and shape `S_r` is `L(x) = D_0 x + sum_r E_r floor(x / P_r)` with the prefix products
//! `P_r = S_0 ... S_(r-1)` and `E_r = D_r - S_(r-1) D_(r-1)`, for every integer `x`. Mode `r` merges into the one
//! before if and only if `E_r = 0`. The form after dropping extents of 1 and merging is determined by the function: two
//! layouts of one size are equal on `[0, size)` if and only if their coalesced forms are identical, for strides of any
//! signs, zero or repeated.
//!
//! With XOR strides, where `L(x)` is the XOR of carry-less products, `(s,t):(^d,^e)` is `s*t:^d` if and only if `^e` is
//! `s` times `^d` and `s` is a power of two, or both strides are 0: the offset of `s` requires the first condition, and
//! that of `s + lo` is `lo*d ^ s*d` for all `lo < s` only if `lo` and `s` share no bit. The result is unique too
//! (docs/proofs.md, theorem 6).

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::{IntoHTuple, Layout, Leaf, Part, build};
use crate::list::sort_by;
use crate::stride::Stride;
use crate::tuple::{self, HTuple, Pattern, PatternLeaf};

impl Layout {
    /// The layout of minimal rank with the same size and the same offset at every integral coordinate.
    ///
    /// | `L` | `coalesce(L)` |
    /// |---|---|
    /// | `(2,(1,6)):(1,(6,2))` | `12:1` |
    /// | `(4,(3,5)):(15,(1,3))` | `(4,15):(15,1)` |
    /// | `(2,4):(4,1)` | `(2,4):(4,1)` |
    /// | `(1,1):(7,9)` | `1:0` |
    /// | `(4,4):(^3,^12)` | `16:^3` |
    /// | `(3,2,2):(^1,^3,^6)` | `(3,4):(^1,^3)` |
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((2,(1,6)):(1,(6,2))).coalesce(), layout!(12:1));
    /// ```
    #[must_use]
    pub const fn coalesce(&self) -> Layout {
        self.merge(false)
    }

    /// [`coalesce`](Self::coalesce) for the extended domain: the same offset at *every* integer, also beyond the size.
    /// A trailing extent of 1 is significant there and is kept: `(4,1):(1,100)` maps 4 to 100. CUTLASS's `coalesce_x`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((2,2,1):(1,2,100)).coalesce_extended(), layout!((4,1):(1,100)));
    /// ```
    #[must_use]
    pub const fn coalesce_extended(&self) -> Layout {
        self.merge(true)
    }

    const fn merge(&self, extended: bool) -> Layout {
        let mut out = Layout::empty();
        // This cannot fail: the result has no more leaves and no other offsets.
        let _ = merge(self.leaves(), extended, &mut out.tuple);
        let _ = out.check();
        out
    }

    /// Coalesce by mode: every leaf of `profile` marks a mode to coalesce on its own; a tuple in it applies to the
    /// modes of that mode. Modes beyond the profile are kept.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let by_mode = layout!((2,(1,6)):(1,(6,2))).coalesce_by_mode((.., ..))?;
    /// assert_eq!(by_mode, layout!((2,6):(1,2)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a profile with more modes than the layout.
    pub fn coalesce_by_mode(&self, profile: impl IntoHTuple<PatternLeaf>) -> Result<Layout, Error> {
        self.const_coalesce_by_mode(&profile.into_htuple()?)
    }

    /// [`coalesce_by_mode`](Self::coalesce_by_mode) in a constant.
    pub const fn const_coalesce_by_mode(&self, profile: &Pattern) -> Result<Layout, Error> {
        build!(|out| coalesce_by_mode(Part::whole(&self.tuple), tuple::Part::whole(profile), false, out))
    }

    /// Every leaf of stride 0 with extent 1: one coordinate for each offset that a broadcast repeats. The profile is
    /// kept, the size is not.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((4,3):(1,0)).filter_zeros(), layout!((4,1):(1,0)));
    /// ```
    #[must_use]
    pub const fn filter_zeros(&self) -> Layout {
        let mut tuple = *self.as_tuple();
        let mut i = 0;
        while i < tuple.leaves().len() {
            if tuple.leaves()[i].stride.is_zero() {
                tuple.leaves_mut()[i].extent = 1;
            }
            i += 1;
        }
        Layout::trusted(tuple, self.codomain())
    }

    /// This layout with stride 0 in the modes of extent 1: the same offsets in bounds, with the codomain of these.
    /// have.
    pub(crate) const fn without_still_strides(&self) -> Result<Layout, Error> {
        let (mut tuple, mut i) = (self.tuple, 0);
        while i < tuple.leaves().len() {
            if tuple.leaves()[i].extent == 1 {
                tuple.leaves_mut()[i].stride = Stride::ZERO;
            }
            i += 1;
        }
        Layout::new(tuple)
    }

    /// [`filter_zeros`](Self::filter_zeros), coalesced.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((4,3,2):(1,0,4)).filter(), layout!(8:1));
    /// ```
    #[must_use]
    pub const fn filter(&self) -> Layout {
        self.filter_zeros().coalesce()
    }

    /// [`filter`](Self::filter) by mode, for the modes that `profile` marks as in
    /// [`coalesce_by_mode`](Self::coalesce_by_mode).
    ///
    /// ```
    /// use tilework::layout;
    /// let by_mode = layout!(((4,3),(2,5)):((1,0),(4,0))).filter_by_mode((..,))?;
    /// assert_eq!(by_mode, layout!((4,(2,5)):(1,(4,0))));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a profile with more modes than the layout.
    pub fn filter_by_mode(&self, profile: impl IntoHTuple<PatternLeaf>) -> Result<Layout, Error> {
        self.const_filter_by_mode(&profile.into_htuple()?)
    }

    /// [`filter_by_mode`](Self::filter_by_mode) in a constant.
    pub const fn const_filter_by_mode(&self, profile: &Pattern) -> Result<Layout, Error> {
        build!(|out| coalesce_by_mode(Part::whole(&self.tuple), tuple::Part::whole(profile), true, out))
    }

    /// The leaves as a flat layout with ascending strides (by magnitude, of a sum by that of its first component, then
    /// extent): the same offsets in another order.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((2,(4,8)):(32,(8,1))).sort(), layout!((8,4,2):(1,8,32)));
    /// ```
    #[must_use]
    pub const fn sort(&self) -> Layout {
        let mut tuple = self.as_tuple().flatten();
        sort_by!(tuple.leaves_mut(), |left, right| left.before(*right));
        Layout::trusted(tuple, self.codomain())
    }

    /// Whether the leaves are in the order of [`sort`](Self::sort).
    ///
    /// ```
    /// use tilework::layout;
    /// assert!(layout!((2,4):(1,2)).is_sorted() && !layout!((4,8):(8,1)).is_sorted());
    /// ```
    #[must_use]
    pub const fn is_sorted(&self) -> bool {
        let mut i = 1;
        while i < self.leaves().len() && !self.leaves()[i].before(self.leaves()[i - 1]) {
            i += 1;
        }
        i >= self.leaves().len()
    }

    /// Whether the other layout has the same size and the same offset at every integral coordinate.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert!(layout!(24:1).equivalent(&layout!((3,(4,2)):(1,(3,12)))));
    /// ```
    #[must_use]
    pub const fn equivalent(&self, other: &Layout) -> bool {
        if self.codomain().same(Codomain::Xor) || other.codomain().same(Codomain::Xor) {
            return self.xor_equivalent(other);
        }
        let (left, right) = (self.coalesce(), other.coalesce());
        if left.leaves().len() != right.leaves().len() {
            return false;
        }
        let mut i = 0;
        while i < left.leaves().len() {
            let (a, b) = (left.leaves()[i], right.leaves()[i]);
            if a.extent != b.extent || !a.stride.same(b.stride) {
                return false;
            }
            i += 1;
        }
        true
    }
}

/// Appends the leaves after merging.
const fn merge(leaves: &[Leaf], extended: bool, out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let first = out.leaves().len();
    let mut i = 0;
    while i < leaves.len() {
        if leaves[i].extent != 1 || extended && i + 1 == leaves.len() {
            tri!(out.push_merged(leaves[i], first));
        }
        i += 1;
    }
    out.close_merged(first)
}

/// Appends the part, coalesced or filtered where the profile has a leaf; the recursion depth is that of the profile.
const fn coalesce_by_mode(
    part: Part,
    profile: tuple::Part<'_, PatternLeaf>,
    filter: bool,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    if profile.is_leaf() {
        if part.is_plain() && !filter {
            return merge(part.leaves(), false, out);
        }
        let layout = tri!(part.to_layout());
        let layout = if filter { layout.filter() } else { layout.coalesce() };
        return out.push_part(Part::whole(&layout.tuple));
    }
    let (rank, found) = (part.rank(), profile.rank());
    if found > rank {
        return Err(Error::Rank { operation: "coalesce by mode", expected: rank, found });
    }
    tri!(out.open(rank));
    let mut i = 0;
    while i < rank {
        let mode = tri!(part.mode(i));
        tri!(if i < found {
            coalesce_by_mode(mode, tri!(profile.mode(i)), filter, out)
        } else {
            out.push_part(mode)
        });
        i += 1;
    }
    Ok(())
}

impl Leaf {
    /// Whether the modes `self` and `next` are one mode: `next.stride == self.extent * self.stride`, and with XOR
    /// strides the extent is a power of two.
    #[inline]
    pub(crate) const fn continues_with(self, next: Leaf) -> bool {
        if self.stride.is_plain() && next.stride.is_plain() {
            return match self.extent.checked_mul(self.stride.numerator()) {
                Some(product) => product == next.stride.numerator(),
                None => false,
            };
        }
        self.any_continues_with(next)
    }

    #[cold]
    const fn any_continues_with(self, next: Leaf) -> bool {
        if self.stride.unit().is_xor() && !(self.extent as u64).is_power_of_two() {
            return false;
        }
        match self.stride.scale(self.extent) {
            Ok(product) => product.same(next.stride),
            Err(_) => false,
        }
    }

    /// The order of [`Layout::sort`]: by magnitude of the stride, for several components that of the first, then by
    /// extent.
    const fn before(self, other: Leaf) -> bool {
        let (a, b) = (self.stride.term_or_zero(0), other.stride.term_or_zero(0));
        let left = a.numerator().unsigned_abs() as u128 * b.denominator() as u128;
        let right = b.numerator().unsigned_abs() as u128 * a.denominator() as u128;
        left < right || left == right && self.extent < other.extent
    }
}

#[cfg(test)]
mod tests {
    use crate::{Layout, layout};

    #[test]
    fn an_xor_layout_can_equal_an_integer_layout() {
        let integers = layout!((4,8):(1,4));
        assert!(layout!((4,8):(^1,^4)).equivalent(&integers) && integers.equivalent(&layout!((4,8):(^1,^4))));
        assert!(
            !layout!((4,8):(^1,^5)).equivalent(&integers) && !integers.equivalent(&layout!((4,8):(^1,^5)))
        );
    }

    #[test]
    fn sorting_compares_fractions_and_keeps_equals_in_place() {
        for (layout, sorted) in [
            (layout!((2,2,2):(3/2,1,4/3)), layout!((2,2,2):(1,4/3,3/2))),
            (layout!((2,2):(5/2,2)), layout!((2,2):(2,5/2))),
            (layout!((2,2):(1/2,1)), layout!((2,2):(1/2,1))),
            (layout!((3,2):(1,-1)), layout!((2,3):(-1,1))),
            (layout!((2,2):(1,-1)), layout!((2,2):(1,-1))),
            (layout!((2,2):(-1,1)), layout!((2,2):(-1,1))),
        ] {
            assert_eq!(layout.sort(), sorted);
        }
    }

    #[test]
    fn nothing_is_one_coordinate() {
        const EMPTY: Layout = layout!(():());
        assert_eq!((EMPTY.coalesce(), EMPTY.size(), EMPTY.rank()), (Layout::UNIT, 1, 0));
    }
}

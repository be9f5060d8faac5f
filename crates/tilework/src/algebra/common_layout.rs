//! What two layouts have in common (paper, section 3.4.2).

use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::tuple::HTuple;

impl Layout {
    /// The indices of the offsets `0, 1, 2, ...` for as long as both layouts have them at the same index: what can be
    /// copied between them in one piece. CuTe's `max_common_layout`.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let (a, b) = (layout!((8,4):(1,8)), layout!(((2,4),4):((1,8),2)));
    /// assert_eq!(a.common_layout(&b)?, layout!(2:1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// The right inverses are compared mode by mode; composing them, as CuTe does, is not possible for all pairs.
    ///
    /// # Errors
    /// [`Error::MixedCodomain`] for layouts of different codomains, and those of [`right_inverse`](Self::right_inverse).
    pub const fn common_layout(&self, other: &Layout) -> Result<Layout, Error> {
        tri!(other.codomain().join(self.codomain()));
        let (left, right) = (tri!(self.right_inverse()), tri!(other.right_inverse()));
        let mut out = HTuple::builder(Leaf::UNUSED);
        let (a, b) = (left.leaves(), right.leaves());
        let mut i = 0;
        while i < a.len() && i < b.len() && a[i].stride.same(b[i].stride) {
            let extent = if a[i].extent < b[i].extent { a[i].extent } else { b[i].extent };
            tri!(out.push_value(Leaf { extent, stride: a[i].stride }));
            if a[i].extent != b[i].extent {
                break;
            }
            i += 1;
        }
        tri!(out.close_leaves(0));
        Ok(tri!(Layout::new(out)).coalesce())
    }

    /// How many elements [`common_layout`](Self::common_layout) has: the widest vector. CuTe's `max_common_vector`.
    ///
    /// ```
    /// use tilework::layout;
    /// assert_eq!(layout!((4,8):(1,4)).common_vector(&layout!((4,8):(8,1)))?, 1);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`right_inverse`](Self::right_inverse).
    pub const fn common_vector(&self, other: &Layout) -> Result<i64, Error> {
        Ok(tri!(self.common_layout(other)).size())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Layout, layout};

    #[test]
    fn what_is_common_may_be_the_whole_inverse_of_one() {
        const SHORT: Layout = layout!((4,8):(1,0));
        const LONG: Layout = layout!((4,2,4):(1,16,4));
        assert_eq!(
            (SHORT.common_layout(&LONG), LONG.common_layout(&SHORT)),
            (Ok(layout!(4:1)), Ok(layout!(4:1)))
        );
        assert_eq!((SHORT.common_vector(&layout!(8:1)), layout!(8:1).common_vector(&SHORT)), (Ok(4), Ok(4)));
        assert_eq!(LONG.common_layout(&LONG), Ok(layout!((4,4,2):(1,8,4))));
    }
}

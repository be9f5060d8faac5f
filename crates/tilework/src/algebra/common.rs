//! What two layouts have in common (paper, section 3.4.2), and layouts added up.

use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::shape::Shape;
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
    /// Those of [`right_inverse`](Self::right_inverse).
    pub const fn common_layout(&self, other: &Layout) -> Result<Layout, Error> {
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

    /// The layout `c -> A(c) + B(c)`, with as many modes as both need.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((4,8):(8,1)).layout_add(&layout!(32:100))?, layout!((4,8):(108,401)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] for different sizes; [`Error::Divisibility`] where the modes of the two cut each other, so
    /// that the sum is no layout; [`Error::NotBasis`], [`Error::MixedCodomain`], [`Error::Overflow`].
    pub const fn layout_add(&self, other: &Layout) -> Result<Layout, Error> {
        let domain = tri!(common_domain("layout_add", self, other));
        // Both on the finest domain that either needs, within the leaves of this layout.
        let mut out = HTuple::builder(Leaf::UNUSED);
        let (left, right) = (tri!(self.spread(&domain)), tri!(other.spread(&domain)));
        let (mut node, mut leaf, mut k) = (0, 0, 0);
        while node < self.profile().len() {
            if self.profile().is_leaf(node) {
                let first = out.leaves().len();
                let mut extent = self.leaves()[leaf].extent;
                if extent == 1 {
                    tri!(out.push_value(Leaf::new(1, 0)));
                }
                while extent > 1 {
                    let own = domain.leaves()[k];
                    let stride = tri!(left.leaves()[k].stride.add(right.leaves()[k].stride));
                    let mode = Leaf { extent: own, stride };
                    let last = out.leaves().len();
                    if last > first && out.leaves()[last - 1].continues_with(mode) {
                        out.leaves_mut()[last - 1].extent *= own;
                    } else {
                        tri!(out.push_value(mode));
                    }
                    extent /= own;
                    k += 1;
                }
                tri!(out.close_leaves(first));
                leaf += 1;
            } else {
                tri!(out.open(self.profile().rank(node)));
            }
            node += 1;
        }
        Layout::new(out)
    }

    /// The coarsest flat shape on which both are a stride per mode: the domain of the loops that walk both.
    ///
    /// ```
    /// use tilework::layout;
    /// let domain = layout!((4,8):(1,4)).greatest_common_domain(&layout!((4,8):(8,1)))?;
    /// assert_eq!(domain.to_string(), "(4,8)");
    /// let domain = layout!((2,16):(1,2)).greatest_common_domain(&layout!((8,4):(4,1)))?;
    /// assert_eq!(domain.to_string(), "(8,4)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] for different sizes, [`Error::Divisibility`] where the modes of the two cut each other.
    pub const fn greatest_common_domain(&self, other: &Layout) -> Result<Shape, Error> {
        let mut domain = tri!(common_domain("greatest_common_domain", &self.coalesce(), &other.coalesce()));
        tri!(domain.close_leaves(0));
        Ok(if domain.leaves().is_empty() { HTuple::leaf(1) } else { domain })
    }

    /// The layout on a flat domain that refines its leaves.
    const fn spread(&self, domain: &Shape) -> Result<Layout, Error> {
        let mut out = HTuple::builder(Leaf::UNUSED);
        let (mut i, mut rest, mut stride) = (0, 1, crate::stride::Stride::ZERO);
        let mut k = 0;
        while k < domain.leaves().len() {
            while rest == 1 && i < self.leaves().len() {
                rest = self.leaves()[i].extent;
                stride = self.leaves()[i].stride;
                i += 1;
            }
            let extent = domain.leaves()[k];
            tri!(out.push_value(Leaf { extent, stride }));
            rest /= extent;
            if rest > 1 {
                stride = tri!(stride.scale(extent));
            }
            k += 1;
        }
        tri!(out.close_leaves(0));
        Layout::new(out)
    }
}

/// The extents between all ends of modes of the two, as leaves without a node yet.
const fn common_domain(
    operation: &'static str,
    left: &Layout,
    right: &Layout,
) -> Result<Shape, Error> {
    if left.size() != right.size() {
        return Err(Error::Size { operation, expected: left.size(), found: right.size() });
    }
    let mut domain = HTuple::builder(1);
    let (mut a, mut b, mut i, mut j) = (1, 1, 0, 0);
    while i < left.leaves().len() || j < right.leaves().len() || a > 1 || b > 1 {
        if a == 1 && i < left.leaves().len() {
            a = left.leaves()[i].extent;
            i += 1;
        } else if b == 1 && j < right.leaves().len() {
            b = right.leaves()[j].extent;
            j += 1;
        } else {
            let (small, large) = if a < b { (a, b) } else { (b, a) };
            if large % small != 0 {
                return Err(Error::Divisibility { operation, value: large, divisor: small });
            }
            tri!(domain.push_value(small));
            a /= small;
            b /= small;
        }
    }
    Ok(domain)
}

//! What two layouts have in common (paper, section 3.4.2), and layouts added up.

use super::carry::weights;
use super::composition::{modes_of, room};
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::shape::Shape;
use crate::stride::{Codomain, Unit};
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

    /// The layout `c -> A(c) + B(c)`. It refines this one where that can be, and else it is flat.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((4,8):(8,1)).layout_add(&layout!(32:100))?, layout!((4,8):(108,401)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] for different sizes; [`Error::Divisibility`] where the steps of the two change at places that do
    /// not divide each other, so that the sum is no layout. For strides other than integers the errors of the
    /// composition of `B` with the compact layout of this shape, [`Error::NotBasis`], [`Error::MixedCodomain`].
    /// [`Error::Overflow`].
    pub const fn layout_add(&self, other: &Layout) -> Result<Layout, Error> {
        if self.size() != other.size() {
            return Err(Error::Size { operation: "layout_add", expected: self.size(), found: other.size() });
        }
        tri!(other.codomain().join(self.codomain()));
        // Along a leaf this layout is linear, and so the sum turns where the other one does.
        let mut sum = match other.composition(&tri!(Layout::column_major(&self.shape()))) {
            Ok(sum) => sum,
            Err(error) => return self.flat_sum(other, error),
        };
        let (mut i, mut k) = (0, 0);
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            let mut done = 1;
            loop {
                let own = sum.leaves()[k];
                if own.extent > 1 {
                    sum.tuple.leaves_mut()[k].stride = match own.stride.add(tri!(stride.scale(done))) {
                        Err(Error::NotBasis { .. }) => return Err(Error::NotBasis { leaf: i }),
                        stride => tri!(stride),
                    };
                }
                done *= own.extent;
                k += 1;
                if done == extent {
                    break;
                }
            }
            i += 1;
        }
        tri!(sum.check());
        Ok(sum)
    }

    /// The sum as a flat layout, for integer strides. A layout is a step and its changes at multiples of bounds that
    /// divide each other; what remains of the changes of both, where they do not cancel, has to be of that kind.
    const fn flat_sum(&self, other: &Layout, error: Error) -> Result<Layout, Error> {
        if !self.codomain().same(Codomain::Integer) || !other.codomain().same(Codomain::Integer) {
            return Err(error);
        }
        let (mut room, mut other_room) = (room(), room());
        let (a, b) = (self.coalesce(), other.coalesce());
        let (a, b) = (modes_of(a.leaves(), &mut room), modes_of(b.leaves(), &mut other_room));
        let (a_changes, b_changes) = (tri!(weights(a, Unit::ONE, 1)), tri!(weights(b, Unit::ONE, 1)));
        let mut out = HTuple::builder(Leaf::UNUSED);
        let mut stride = a[0].stride.numerator() as i128 + b[0].stride.numerator() as i128;
        let (mut bound, mut i, mut j) = (1, 1, 1);
        loop {
            let mut next = self.size();
            if i < a.len() && a[i].bound < next {
                next = a[i].bound;
            }
            if j < b.len() && b[j].bound < next {
                next = b[j].bound;
            }
            let mut change = 0;
            if i < a.len() && a[i].bound == next {
                change += a_changes[i];
                i += 1;
            }
            if j < b.len() && b[j].bound == next {
                change += b_changes[j];
                j += 1;
            }
            if change != 0 || next == self.size() {
                if next % bound != 0 {
                    return Err(Error::Divisibility { operation: "layout_add", value: next, divisor: bound });
                }
                let (extent, own) = (next / bound, stride as i64);
                if own as i128 != stride {
                    return Err(Error::Overflow { left: own, operator: '+', right: 0 });
                }
                if extent > 1 {
                    tri!(out.push_value(Leaf::new(extent, own)));
                }
                stride = stride * extent as i128 + change;
                bound = next;
            }
            if next == self.size() {
                tri!(out.close_merged(0));
                return Layout::new(out);
            }
        }
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
}

/// The extents between all ends of modes of the two, as leaves without a node yet.
const fn common_domain(operation: &'static str, left: &Layout, right: &Layout) -> Result<Shape, Error> {
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

//! Layouts added up.

use super::carry::weights;
use super::composition::{Mode, modes_of, room};
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf};
use crate::stride::{Codomain, Unit};
use crate::tuple::{HTuple, MAX_LEAVES};

impl Layout {
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
            let (a_bound, a_change) = change_at(a, &a_changes, i, self.size());
            let (b_bound, b_change) = change_at(b, &b_changes, j, self.size());
            let (mut next, mut change) = (b_bound, 0);
            if a_bound <= b_bound {
                (next, change) = (a_bound, a_change);
                i += 1;
            }
            if b_bound <= a_bound {
                change += b_change;
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
                tri!(out.push_value(Leaf::new(extent, own)));
                stride = stride * extent as i128 + change;
                bound = next;
            }
            if next == self.size() {
                tri!(out.close_merged(0));
                return Layout::new(out);
            }
        }
    }
}

/// The bound and the change of mode `k`; behind all modes, none at the end.
const fn change_at(modes: &[Mode], changes: &[i128; MAX_LEAVES], k: usize, size: i64) -> (i64, i128) {
    if k < modes.len() { (modes[k].bound, changes[k]) } else { (size, 0) }
}

#[cfg(test)]
mod tests {
    use crate::{Error, Layout, layout};

    #[test]
    fn sums() {
        let add = |a: Layout, b: Layout| a.layout_add(&b);
        assert_eq!(add(layout!((1,4):(5,1)), layout!(4:1)), Ok(layout!((1,4):(0,2))));
        assert_eq!(add(layout!((2,4):(1,7)), layout!((4,2):(1,7))), Ok(layout!((2,(2,2)):(2,(9,21)))));
        // The one changes its step at 2 and the other at 3.
        assert!(matches!(add(layout!((2,3):(1,7)), layout!((3,2):(1,7))), Err(Error::Divisibility { .. })));
        // The first has a mode end at 2, or at 4, and no change there; the changes at 2 cancel.
        assert_eq!(add(layout!((2,3):(1,2)), layout!((3,2):(1,7))), Ok(layout!((3,2):(2,10))));
        assert_eq!(add(layout!((2,2,3):(1,7,14)), layout!((2,3,2):(1,-3,50))), Ok(layout!((6,2):(2,71))));
        // Fractions are added where the one is a layout of the other's shape, and nowhere else.
        const INTEGERS: Layout = layout!((2,3):(1,7));
        const FRACTIONS: Layout = layout!((3,2):(1/2,5));
        for (a, b) in [(INTEGERS, FRACTIONS), (FRACTIONS, INTEGERS)] {
            assert!(matches!(add(a, b), Err(Error::ShapeDivisibility { .. })));
        }
    }
}

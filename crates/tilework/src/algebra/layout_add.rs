//! The sum of layouts: one layout whose offsets are the sums of theirs.

use super::modes::stride_of;
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::stride::{Rational, Stride, Unit};
use crate::tuple::{HTuple, MAX_LEAVES};

impl Layout {
    /// The layout `c -> A(c) + B(c)`. It refines this layout if possible, and is flat otherwise.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// assert_eq!(layout!((4,8):(8,1)).layout_add(&layout!(32:100))?, layout!((4,8):(108,401)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Size`] for different sizes; [`Error::Divisibility`] if the steps of the two change at places that do
    /// not divide each other, and [`Error::NotBasis`] if a step has components that do not fit, so that the sum is not a
    /// layout; [`Error::NotXorLinear`] for XOR strides whose sum is not a layout, and [`Error::Undecided`] for more
    /// than 2,048 offsets if modes of the two end at different places. [`Error::MixedCodomain`], [`Error::Overflow`].
    pub const fn layout_add(&self, other: &Layout) -> Result<Layout, Error> {
        if self.size() != other.size() {
            return Err(Error::Size { operation: "layout_add", expected: self.size(), found: other.size() });
        }
        if tri!(self.join_codomain(other)).same(Codomain::Xor) {
            return self.xor_add(other);
        }
        match self.refined_sum(other) {
            Ok(sum) => Ok(sum),
            Err(_) => self.flat_sum(other),
        }
    }

    /// Along a leaf this layout is linear, so the sum's stride changes where the other one's does.
    const fn refined_sum(&self, other: &Layout) -> Result<Layout, Error> {
        let mut sum = tri!(other.composition(&tri!(Layout::const_column_major(&self.shape()))));
        let (mut i, mut k) = (0, 0);
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            let mut done = 1;
            loop {
                let own = sum.leaves()[k];
                if own.extent > 1 {
                    sum.tuple.leaves_mut()[k].stride = tri!(own.stride.add(tri!(stride.scale(done))));
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

    /// The sum as a flat layout. Its stride can change only where a mode of either ends, and does if the offset there
    /// is not that of the modes so far, with the last one continued.
    const fn flat_sum(&self, other: &Layout) -> Result<Layout, Error> {
        const OPERATION: &str = "layout_add";
        let (a, b) = (self.coalesce(), other.coalesce());
        let mut out = HTuple::builder(Leaf::UNUSED);
        let (mut bound, mut at, mut a_end, mut b_end, mut i, mut j) = (1, 1, 1, 1, 0, 0);
        while at < self.size() {
            let offset = tri!(tri!(Sum::at(a.leaves(), at)).add(tri!(Sum::at(b.leaves(), at))));
            let continued = match Sum::at(out.leaves(), at) {
                Ok(continued) => continued.same(&offset),
                // The offset is in bounds, so an overflow means a different offset.
                Err(_) => false,
            };
            if bound == 1 && out.leaves().is_empty() || !continued {
                if at % bound != 0 {
                    return Err(Error::Divisibility { operation: OPERATION, value: at, divisor: bound });
                }
                end_last(&mut out, at / bound);
                let stride = tri!(stride_of(offset.0.as_slice(), out.leaves().len()));
                tri!(out.push_value(Leaf { extent: 1, stride }));
                bound = at;
            }
            while a_end <= at {
                a_end *= a.leaves()[i].extent;
                i += 1;
            }
            while b_end <= at {
                b_end *= b.leaves()[j].extent;
                j += 1;
            }
            at = if a_end < b_end { a_end } else { b_end };
        }
        if at % bound != 0 {
            return Err(Error::Divisibility { operation: OPERATION, value: at, divisor: bound });
        }
        end_last(&mut out, at / bound);
        tri!(out.close_merged(0));
        Layout::new(out)
    }
}

/// Sets the extent of the last mode, if there is one.
const fn end_last(modes: &mut HTuple<Leaf>, extent: i64) {
    if let Some(last) = modes.leaves_mut().last_mut() {
        last.extent = extent;
    }
}

/// An offset: its components, each unit once.
struct Sum(List<Stride, { 2 * MAX_LEAVES }>);

impl Sum {
    /// The offset of an index of flat modes; the last one is not reduced.
    const fn at(modes: &[Leaf], index: i64) -> Result<Sum, Error> {
        let (mut sum, mut rest, mut i) = (Sum(List::new(Stride::ZERO)), index, 0);
        while i < modes.len() {
            let Leaf { extent, stride } = modes[i];
            let (quotient, remainder) = int::div_rem(rest, extent);
            let (count, mut k) = (if i + 1 < modes.len() { remainder } else { rest }, 0);
            while let Some(term) = stride.term(k) {
                tri!(sum.push(tri!(term.scale(count))));
                k += 1;
            }
            rest = quotient;
            i += 1;
        }
        Ok(sum)
    }

    const fn push(&mut self, step: Stride) -> Result<(), Error> {
        let mut k = 0;
        while k < self.0.len() {
            let own = &mut self.0.as_mut_slice()[k];
            if own.unit().same(step.unit()) {
                *own = Stride::of_unit(tri!(own.count().add(step.count())), step.unit());
                return Ok(());
            }
            k += 1;
        }
        self.0.push(step, "components")
    }

    const fn add(mut self, other: Sum) -> Result<Sum, Error> {
        let mut k = 0;
        while k < other.0.len() {
            tri!(self.push(other.0.as_slice()[k]));
            k += 1;
        }
        Ok(self)
    }

    const fn component(&self, unit: Unit) -> Rational {
        let mut k = 0;
        while k < self.0.len() {
            if self.0.as_slice()[k].unit().same(unit) {
                return self.0.as_slice()[k].count();
            }
            k += 1;
        }
        Rational::ZERO
    }

    const fn same(&self, other: &Sum) -> bool {
        self.is_within(other) && other.is_within(self)
    }

    /// Whether the other sum has the same components wherever this one has any.
    const fn is_within(&self, other: &Sum) -> bool {
        let mut k = 0;
        while k < self.0.len() {
            let own = self.0.as_slice()[k];
            let (count, theirs) = (own.count(), other.component(own.unit()));
            if count.numerator() != theirs.numerator() || count.denominator() != theirs.denominator() {
                return false;
            }
            k += 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::{Error, Layout, layout};

    #[test]
    fn sums() {
        let add = |a: Layout, b: Layout| a.layout_add(&b);
        assert_eq!(add(layout!((1,4):(5,1)), layout!(4:1)), Ok(layout!((1,4):(0,2))));
        assert_eq!(add(layout!((2,4):(1,7)), layout!((4,2):(1,7))), Ok(layout!((2,(2,2)):(2,(9,21)))));
        // One changes its step at 2, the other at 3.
        assert!(matches!(add(layout!((2,3):(1,7)), layout!((3,2):(1,7))), Err(Error::Divisibility { .. })));
        // A mode of the first ends at 2, or at 4, without a change there; the changes at 2 cancel.
        assert_eq!(add(layout!((2,3):(1,2)), layout!((3,2):(1,7))), Ok(layout!((3,2):(2,10))));
        assert_eq!(add(layout!((2,2,3):(1,7,14)), layout!((2,3,2):(1,-3,50))), Ok(layout!((6,2):(2,71))));
        for (a, b) in [
            (layout!((2,3):(1,7)), layout!((3,2):(1/2,5))),
            (layout!((2,3):(1@0,7@0)), layout!((3,2):(1@0,5@0))),
        ] {
            assert!(matches!(add(a, b), Err(Error::Divisibility { value: 3, divisor: 2, .. })));
        }
        assert_eq!(add(layout!((4,3,1):(1/2,2,1/6)), layout!((6,2):(2,1))), Ok(layout!((6,2):(5/2,4))));
        assert_eq!(
            add(layout!((2,3):(1@0,2@0)), layout!((3,2):(1@0,5@1))),
            Ok(layout!((3,2):(2@0,(3@0+5@1))))
        );
        assert_eq!(add(layout!((2,3):(1@0,2@0)), layout!((3,2):(1@0,3@0))), Ok(layout!((2,3):(2@0,4@0))));
        assert_eq!(add(layout!((2,3):(1@0,2@0)), layout!((3,2):(1@0,5@0))), Ok(layout!((3,2):(2@0,8@0))));
        // The continuation of the first mode exceeds 64 bits.
        const FAR: i64 = 1 << 61;
        let far = add(Layout::of((2, 3), (FAR, 0)).unwrap(), Layout::of((3, 2), (FAR, 0)).unwrap());
        assert!(matches!(far, Err(Error::Divisibility { value: 3, divisor: 2, .. })));
    }
}

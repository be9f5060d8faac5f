//! Inverses of layouts with an offset.
//!
//! `V = a + F o T`: `F` is the layout with the sizes of its strides, `T` counts the digits of negative ones backwards,
//! and `a` is the smallest offset. So an inverse of `V` is `T` after one of `F` at `x - a`. That is a layout where `a` is
//! 0, where the inverse of `F` is a single stride, and, for a left inverse, where `a` is a multiple of its size or of what its last
//! mode divides by.

use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, View};
use crate::stride::{Rational, Stride};
use crate::tuple::HTuple;

/// The parts of a view: `V = start + forwards o turn`.
struct Parts {
    start: i64,
    forwards: Layout,
    /// The offset and the layout of `T`.
    turn: (i64, Layout),
}

impl View {
    /// The largest right inverse: `V(R(i)) = i`.
    ///
    /// ```
    /// use tilework::View;
    /// let view: View = "{8} o (8,2):(1,-8)".parse()?;
    /// assert_eq!(view.right_inverse()?.to_string(), "{8} o (8,2):(1,-8)");
    /// assert_eq!("{-3} o 10:1".parse::<View>()?.right_inverse()?.to_string(), "{3} o 7:1");
    /// assert!("{3} o 10:1".parse::<View>()?.right_inverse().is_err()); // 0 is no offset of it
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoInverse`] where 0 is below the offsets; [`Error::Undecided`] where they begin below 0 and are not
    /// contiguous; those of [`Layout::right_inverse`]; [`Error::Codomain`] for offsets that are not integers.
    pub const fn right_inverse(&self) -> Result<View, Error> {
        const OPERATION: &str = "the right inverse of a layout with an offset";
        let parts = tri!(self.parts(OPERATION));
        if parts.start > 0 {
            return Err(Error::NoInverse { reason: "0 is below all of its offsets" });
        }
        let inverse = tri!(parts.forwards.right_inverse());
        match (parts.start, inverse.coalesce().leaves().len()) {
            (0, _) => parts.turned(&inverse),
            (_, 1) => parts.shifted(&inverse, OPERATION),
            _ => Err(Error::Undecided { operation: OPERATION }),
        }
    }

    /// A left inverse: `V(R(V(c))) = V(c)`.
    ///
    /// ```
    /// use tilework::View;
    /// let block: View = "{32} o (4,8):(8,1)".parse()?;
    /// assert_eq!(block.left_inverse()?.to_string(), "{0} o (8,4,2):(4,1,0)");
    /// assert_eq!("{3} o 10:1".parse::<View>()?.left_inverse()?.to_string(), "{-3} o 13:1");
    /// assert_eq!("{16} o (4,3):(1,8)".parse::<View>()?.left_inverse()?.to_string(), "{-8} o (8,5):(1,4)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoInverse`] for offsets below 0; [`Error::Undecided`] where the smallest offset is no multiple of the size of
    /// the layout's inverse, nor of the extents before its last; those of [`Layout::left_inverse`]; [`Error::Codomain`] for offsets that are not integers.
    pub const fn left_inverse(&self) -> Result<View, Error> {
        const OPERATION: &str = "the left inverse of a layout with an offset";
        let parts = tri!(self.parts(OPERATION));
        if parts.start < 0 {
            return Err(Error::NoInverse { reason: "it has offsets below 0" });
        }
        let inverse = tri!(parts.forwards.left_inverse());
        let size = inverse.size();
        if parts.start == 0 {
            return parts.turned(&inverse);
        }
        if parts.start % size != 0 || tri!(parts.forwards.cosize()) > size {
            return parts.shifted(&inverse, OPERATION);
        }
        // The offsets are those of one block, and the inverse is that of every block.
        let blocks = tri!(Layout::new(HTuple::leaf(Leaf::new(tri!(int::add(parts.start / size, 1)), 0))));
        parts.turned(&tri!(Layout::concatenate(&[inverse, blocks])).flatten())
    }

    /// The inverse of a view whose offsets are `[0, size)`, each once.
    ///
    /// ```
    /// use tilework::View;
    /// assert_eq!("{3} o 4:-1".parse::<View>()?.inverse()?.to_string(), "{3} o 4:-1");
    /// assert!("{4} o 4:-1".parse::<View>()?.inverse().is_err());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::inverse`] for a view that is not compact; [`Error::Codomain`] for offsets that are not integers.
    pub const fn inverse(&self) -> Result<View, Error> {
        let parts = tri!(self.parts("the inverse of a layout with an offset"));
        if parts.start != 0 {
            return Err(self.no_bijection());
        }
        match parts.forwards.inverse() {
            Ok(inverse) => parts.turned(&inverse),
            Err(_) => Err(self.no_bijection()),
        }
    }

    const fn parts(&self, operation: &'static str) -> Result<Parts, Error> {
        let (start, _) = tri!(self.bounds());
        match self.layout().codomain() {
            Codomain::Integer => {}
            found => return Err(Error::Codomain { operation, found }),
        }
        let (mut forwards, mut turn) = (*self.layout().as_tuple(), *self.layout().as_tuple());
        let (mut weight, mut shift, mut i) = (1, 0, 0);
        while i < turn.leaves().len() {
            let Leaf { extent, stride } = turn.leaves()[i];
            let stride = stride.count().numerator();
            let step = if stride < 0 { -weight } else { weight };
            if stride < 0 {
                shift += (extent - 1) * weight;
                forwards.leaves_mut()[i].stride = Stride::integer(tri!(int::sub(0, stride)));
            }
            turn.leaves_mut()[i].stride = Stride::integer(step);
            weight *= extent;
            i += 1;
        }
        Ok(Parts { start, forwards: tri!(Layout::new(forwards)), turn: (shift, tri!(Layout::new(turn))) })
    }
}

impl Parts {
    /// `T` after an inverse of `F`, whose indices are those of whole modes.
    const fn turned(&self, inverse: &Layout) -> Result<View, Error> {
        let (shift, turn) = &self.turn;
        View::new(HTuple::leaf(Rational::integer(*shift)), tri!(turn.composition(inverse)))
    }

    /// The same at `x - start`, where the start is a multiple of what the last mode of the inverse divides by, so that only its
    /// coordinate is another, and `T` is a single stride.
    const fn shifted(&self, inverse: &Layout, operation: &'static str) -> Result<View, Error> {
        let (mut inverse, turn) = (*inverse.coalesce().as_tuple(), self.turn.1.coalesce());
        let (last, mut bound, mut i) = (inverse.leaves().len() - 1, 1, 0);
        while i < last {
            bound *= inverse.leaves()[i].extent;
            i += 1;
        }
        let (([step], (steps, 0)), (shift, _)) =
            ((turn.leaves(), int::div_rem(self.start, bound)), &self.turn)
        else {
            return Err(Error::Undecided { operation });
        };
        i = 0;
        while i <= last {
            let stride = inverse.leaves()[i].stride.count().numerator();
            inverse.leaves_mut()[i].stride =
                Stride::integer(tri!(int::mul(stride, step.stride.count().numerator())));
            i += 1;
        }
        let Leaf { extent, stride } = inverse.leaves()[last];
        let extent = tri!(int::add(extent, steps));
        if extent < 1 {
            return Err(Error::NoInverse { reason: "0 is above all of its offsets" });
        }
        inverse.leaves_mut()[last].extent = extent;
        let offset = tri!(int::sub(*shift, tri!(int::mul(steps, stride.count().numerator()))));
        View::new(HTuple::leaf(Rational::integer(offset)), tri!(Layout::new(inverse)))
    }
}

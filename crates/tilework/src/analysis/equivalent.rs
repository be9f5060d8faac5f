//! Whether layouts, with an offset or a swizzle before them or without, are one function.

use super::disjoint::{Offsets, as_xor, integer};
use super::{MAX_EXAMINED, Reason};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::{Layout, Offset};
use crate::swizzle::{Composed, Swizzle};

const UNDECIDED: Error = Error::Undecided { operation: "equivalent" };

impl Offsets {
    /// Whether both have the same size and the same offset at every integral coordinate: [`Layout::equivalent`], whatever is
    /// before the layouts.
    ///
    /// ```
    /// use tilework::Offsets;
    /// let swizzled = Offsets::Swizzled("Sw<1,0,1> o 0 o (2,2):(1,2)".parse()?);
    /// assert!(swizzled.equivalent(&Offsets::View("{0} o (2,2):(^1,^3)".parse()?))?);
    /// let [one, two] = ["{1} o 4:1", "{1} o 4:^1"].map(|text| Offsets::View(text.parse().unwrap()));
    /// assert!(!one.equivalent(&two)?);
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Undecided`] where an offset is added before one swizzle or no swizzle and another function is before the other,
    /// both are the same at 65,536 coordinates, and there are more; those of [`Composed::try_at`].
    pub const fn equivalent(&self, other: &Offsets) -> Result<bool, Error> {
        let (own, theirs) = (self.layout(), other.layout());
        if own.size() != theirs.size() {
            return Ok(false);
        }
        if tri!(self.is_before(other)) {
            return Ok(tri!(self.starts_as(other)) && own.equivalent(theirs));
        }
        match self.is_same_xor(other) {
            Some(is_same) => Ok(is_same),
            None => Ok(tri!(self.first_difference(other)).is_none()),
        }
    }

    /// Whether both are the same sums of XOR strides, where both are such sums.
    const fn is_same_xor(&self, other: &Offsets) -> Option<bool> {
        match (self.xor_form(), other.xor_form()) {
            (Some((start, own)), Some((other, theirs))) => Some(start == other && own.equivalent(&theirs)),
            _ => None,
        }
    }

    /// Whether the same is before both layouts, so that they decide: one swizzle, and an offset that is added in one way.
    const fn is_before(&self, other: &Offsets) -> Result<bool, Error> {
        let (own, theirs) = (self.layout().codomain(), other.layout().codomain());
        let adds_alike = own.same(Codomain::Xor) == theirs.same(Codomain::Xor)
            || matches!((self.start(), other.start()), (Some(0), Some(0)));
        Ok(adds_alike && self.swizzle().same(other.swizzle()))
    }

    const fn swizzle(&self) -> Swizzle {
        match self {
            Offsets::View(_) => Swizzle::NONE,
            Offsets::Swizzled(composed) => composed.swizzle(),
        }
    }

    /// The offset before the layout, if it is an integer.
    const fn start(&self) -> Option<i64> {
        match self {
            Offsets::Swizzled(composed) => Some(composed.offset()),
            Offsets::View(view) => integer(view.offset()),
        }
    }

    /// Whether both have one offset at 0.
    const fn starts_as(&self, other: &Offsets) -> Result<bool, Error> {
        match (self, other, self.start(), other.start()) {
            (Offsets::View(own), Offsets::View(theirs), ..) => Ok(same(own.offset(), theirs.offset())),
            (.., Some(own), Some(theirs)) => Ok(own == theirs),
            _ => Err(UNDECIDED),
        }
    }

    /// The offset at 0, and the layout with XOR strides that is added to it; none if sums carry.
    const fn xor_form(&self) -> Option<(i64, Layout)> {
        match self {
            Offsets::View(view) => as_xor(view),
            Offsets::Swizzled(composed) => {
                let Ok(inner) = composed.unswizzled() else { return None };
                let Some((start, layout)) = as_xor(&inner) else { return None };
                let Ok(start) = composed.swizzle().apply(start) else { return None };
                let Ok(swizzled) = Composed::new(composed.swizzle(), 0, layout) else { return None };
                match swizzled.to_xor() {
                    Ok(layout) => Some((start, layout)),
                    Err(_) => None,
                }
            }
        }
    }

    /// The first index, or one step of a mode, with different offsets.
    const fn first_difference(&self, other: &Offsets) -> Result<Option<i64>, Error> {
        let (size, mut index) = (self.layout().size(), 0);
        while index < size && index < MAX_EXAMINED {
            if tri!(self.differs(other, index)) {
                return Ok(Some(index));
            }
            index += 1;
        }
        if index == size {
            return Ok(None);
        }
        let layouts = [self.layout(), other.layout()];
        let mut i = 0;
        while i < 2 {
            let (leaves, mut weight, mut leaf) = (layouts[i].leaves(), 1, 0);
            while leaf < leaves.len() {
                let (mut step, mut rest) = (1, leaves[leaf].extent - 1);
                while rest > 0 {
                    if tri!(self.differs(other, step * weight)) {
                        return Ok(Some(step * weight));
                    }
                    (step, rest) = (step << 1, rest >> 1);
                }
                weight *= leaves[leaf].extent;
                leaf += 1;
            }
            i += 1;
        }
        Err(UNDECIDED)
    }

    const fn differs(&self, other: &Offsets, index: i64) -> Result<bool, Error> {
        Ok(match (tri!(self.at(index)), tri!(other.at(index))) {
            (Some(own), Some(theirs)) => own != theirs,
            (own, theirs) => own.is_some() != theirs.is_some(),
        })
    }
}

impl Reason {
    /// [`Offsets::equivalent`], with the first coordinate at which the values differ, or another one of many.
    ///
    /// ```
    /// use tilework::{Offsets, Reason};
    /// let [one, two] = ["{0} o (4,2):(1,4)", "{0} o (4,2):(1,5)"].map(|text| Offsets::View(text.parse().unwrap()));
    /// assert_eq!(Reason::equivalent(&one, &two)?, Reason::Differs(4));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Offsets::equivalent`]; [`Error::Undecided`] for XOR layouts that agree at the first 65,536 coordinates;
    /// [`Error::Codomain`] for an XOR layout and one of coordinates or fractions.
    pub const fn equivalent(first: &Offsets, second: &Offsets) -> Result<Reason, Error> {
        let (own, theirs) = (first.layout(), second.layout());
        if own.size() != theirs.size() {
            return Ok(Reason::Sizes(own.size(), theirs.size()));
        }
        if tri!(first.is_before(second)) {
            return if tri!(first.starts_as(second)) {
                Reason::same_layouts(own, theirs)
            } else {
                Ok(Reason::Differs(0))
            };
        }
        if !matches!(first.is_same_xor(second), Some(true))
            && let Some(index) = tri!(first.first_difference(second))
        {
            return Ok(Reason::Differs(index));
        }
        Ok(Reason::Theorem("both have the same offset at each coordinate"))
    }
}

const fn same(one: &Offset, two: &Offset) -> bool {
    let (left, right) = (one.leaves(), two.leaves());
    let mut i = 0;
    while i < left.len() && i < right.len() {
        if left[i].numerator() != right[i].numerator() || left[i].denominator() != right[i].denominator() {
            return false;
        }
        i += 1;
    }
    one.congruent(two)
}

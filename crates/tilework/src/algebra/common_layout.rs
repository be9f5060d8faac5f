//! The layout that two layouts have in common (paper, section 3.4.2).

use super::indexed::{Indexed, UNUSED, common_denominator, modes_along, sort, sort_by_index};
use super::inverse::{Side, is_only};
use super::right_inverse::right_inverse_into;
use super::search::{Operand, Search};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf, Part, build};
use crate::stride::{Unit, each_term};
use crate::tuple::{HTuple, MAX_LEAVES};

impl Layout {
    /// The indices of the offsets `0, 1, 2, ...`, as long as both layouts have them at the same index: the elements
    /// that can be copied between them in one piece. CuTe's `max_common_layout` of plain layouts.
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// let (a, b) = (layout!((8,4):(1,8)), layout!(((2,4),4):((1,8),2)));
    /// assert_eq!(a.common_layout(&b)?, layout!(2:1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// If each offset has at most one index, the right inverses are compared mode by mode; composing them, as CuTe
    /// does, is not possible for all pairs. If an operand overlaps itself, the other one determines which of its
    /// indices counts, and the common chains of both are searched: `common_layout(5:1, (5,3):(1,2))` is `5:1`, and the
    /// right inverse of the second is `(3,3):(1,6)`. For coordinate strides of several components the coordinates are
    /// taken in their order.
    ///
    /// # Errors
    /// [`Error::MixedCodomain`] for layouts of different codomains; [`Error::Undecided`] if an operand overlaps itself
    /// or has negative strides, and the search ends without a proof that the result is the largest; if it overlaps itself
    /// and has negative strides of several components; with XOR strides, beyond 2,048 coordinates.
    pub const fn common_layout(&self, other: &Layout) -> Result<Layout, Error> {
        let unit = match tri!(self.join_codomain(other)) {
            Codomain::Integer | Codomain::Rational => Unit::ONE,
            Codomain::Coordinate if self.has_sums() || other.has_sums() => {
                return self.common_coordinates(other);
            }
            Codomain::Coordinate => match next_component(self.leaves(), other.leaves(), None) {
                Some(unit) if is_only(self.leaves(), unit) && is_only(other.leaves(), unit) => unit,
                _ => return self.common_coordinates(other),
            },
            Codomain::Xor => return self.common_layout_of_xor(other),
        };
        let (mut room, mut other_room) = ([UNUSED; MAX_LEAVES], [UNUSED; MAX_LEAVES]);
        let parts = tri!(common_denominator(self.leaves(), unit));
        let other_parts = tri!(common_denominator(other.leaves(), unit));
        let left = tri!(modes_along(self.leaves(), unit, true, parts, &mut room));
        let right = tri!(modes_along(other.leaves(), unit, true, other_parts, &mut other_room));
        let (plain, other_plain) = (is_segregated(left), is_segregated(right));
        if plain && other_plain {
            let (mut one, mut two) = (HTuple::builder(Leaf::UNUSED), HTuple::builder(Leaf::UNUSED));
            tri!(right_inverse_into(left, parts, &mut one));
            tri!(right_inverse_into(right, other_parts, &mut two));
            return build!(|out| match push_common(one.leaves(), two.leaves(), out) {
                Ok(_) => out.close_merged(0),
                Err(error) => Err(error),
            });
        }
        let (left, right) = (Operand::new(left, parts), Operand::new(right, other_parts));
        // The operand with fewer indices per offset leads.
        let (lead, other) = if other_plain { (right, left) } else { (left, right) };
        match tri!(Search::new(lead, Some(other), "common_layout").larger_than(1)) {
            Some(common) => Ok(common),
            None => Ok(Layout::UNIT),
        }
    }

    /// The common part of the right inverses of XOR layouts, if it is as long as one of them, or if these are forced
    /// and of one kind; otherwise the indices at which both have the same offset are searched.
    const fn common_layout_of_xor(&self, other: &Layout) -> Result<Layout, Error> {
        let (Ok(left), Ok(right)) = (self.right_inverse(), other.right_inverse()) else {
            return self.searched_common_layout(other, Layout::UNIT);
        };
        let common = tri!(build!(|out| match push_common(left.leaves(), right.leaves(), out) {
            Ok(_) => out.close_merged(0),
            Err(error) => Err(error),
        }));
        let shorter = if left.size() < right.size() { left.size() } else { right.size() };
        let forced = left.codomain().same(right.codomain())
            && matches!((self.is_injective(), other.is_injective()), (Ok(true), Ok(true)));
        if forced || common.size() == shorter {
            return Ok(common);
        }
        self.searched_common_layout(other, common)
    }

    /// The right inverses of coordinate layouts, component by component as long as they agree.
    const fn common_coordinates(&self, other: &Layout) -> Result<Layout, Error> {
        let inverses = (tri!(self.inverse_through_sums()), tri!(other.inverse_through_sums()));
        build!(|out| {
            let mut last = None;
            while let Some(unit) = next_component(self.leaves(), other.leaves(), last) {
                let (mut one, mut two) = (HTuple::builder(Leaf::UNUSED), HTuple::builder(Leaf::UNUSED));
                tri!(self.right_inverse_along(unit, &inverses.0, &mut one));
                tri!(other.right_inverse_along(unit, &inverses.1, &mut two));
                if !tri!(push_common(one.leaves(), two.leaves(), out)) {
                    break;
                }
                last = Some(unit);
            }
            out.close_merged(0)
        })
    }

    const fn right_inverse_along(
        &self,
        unit: Unit,
        whole: &Option<Layout>,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let Some(whole) = whole else {
            return Side::Right.inverse_into(self.leaves(), unit, &mut [UNUSED; MAX_LEAVES], out);
        };
        let mut i = 0;
        while i < self.leaves().len() && self.leaves()[i].stride.coefficient(unit).numerator() == 0 {
            i += 1;
        }
        if i == self.leaves().len() {
            return Ok(());
        }
        let (path, level) = unit.path();
        out.push_part(Part::whole(&tri!(whole.addressed(path.split_at(level).0)).tuple))
    }

    /// The size of [`common_layout`](Self::common_layout): the widest vector. CuTe's `max_common_vector` of plain layouts.
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

/// The component after `last`, in the order of coordinates, in which a mode of either layout moves.
const fn next_component(left: &[Leaf], right: &[Leaf], last: Option<Unit>) -> Option<Unit> {
    let (mut next, mut i) = (None, 0);
    while i < left.len() + right.len() {
        let leaf = if i < left.len() { left[i] } else { right[i - left.len()] };
        each_term!(leaf.stride, |term| {
            let unit = term.unit();
            let behind = match last {
                Some(last) => last.precedes(unit),
                None => true,
            };
            let nearer = match next {
                Some(next) => unit.precedes(next),
                None => true,
            };
            if leaf.extent > 1 && behind && nearer {
                next = Some(unit);
            }
        });
        i += 1;
    }
    next
}

/// Appends the common leading modes of two right inverses; returns whether these are all modes of both.
const fn push_common(left: &[Leaf], right: &[Leaf], out: &mut HTuple<Leaf>) -> Result<bool, Error> {
    let mut i = 0;
    while i < left.len() && i < right.len() && left[i].stride.same(right[i].stride) {
        let extent = if left[i].extent < right[i].extent { left[i].extent } else { right[i].extent };
        if extent > 1 {
            tri!(out.push_merged(Leaf { extent, stride: left[i].stride }, 0));
        }
        if left[i].extent != right[i].extent {
            return Ok(false);
        }
        i += 1;
    }
    Ok(i == left.len() && i == right.len())
}

/// Whether each mode ends before the next larger stride, so that every offset has one index.
const fn is_segregated(modes: &mut [Indexed]) -> bool {
    sort(modes);
    let (mut segregated, mut end, mut i) = (true, 1, 0);
    while i < modes.len() {
        segregated &= modes[i].stride >= end;
        end = modes[i].stride.saturating_mul(modes[i].extent);
        i += 1;
    }
    sort_by_index(modes);
    segregated
}

#[cfg(test)]
mod tests {
    use crate::{Layout, layout};

    #[test]
    fn operands_that_overlap_themselves() {
        const WINDOWS: Layout = layout!((5,3):(1,2));
        assert_eq!(WINDOWS.right_inverse(), Ok(layout!((3,3):(1,6))));
        assert_eq!(WINDOWS.common_layout(&layout!(5:1)), Ok(layout!(5:1)));
        assert_eq!(layout!(5:1).common_layout(&WINDOWS), Ok(layout!(5:1)));
        assert_eq!(layout!(8:1).common_vector(&layout!((4,2):(1,2))), Ok(4));
        assert_eq!(WINDOWS.common_layout(&WINDOWS), WINDOWS.right_inverse());
    }

    #[test]
    fn xor_operands_that_overlap_themselves() {
        const WINDOWS: Layout = layout!((3,2):(^1,0));
        assert_eq!(WINDOWS.right_inverse(), Ok(layout!(3:1)));
        assert_eq!(layout!(2:^1).common_layout(&WINDOWS), Ok(layout!(2:1)));
        assert_eq!(WINDOWS.common_vector(&layout!(2:^1)), Ok(2));
        assert_eq!(WINDOWS.common_layout(&WINDOWS), Ok(layout!(3:1)));
    }

    #[test]
    fn fractions_and_coordinates() {
        assert_eq!(layout!(4:1/2).common_layout(&layout!((2,2):(0,1))), Ok(layout!(2:2)));
        assert_eq!(layout!(4:0).common_layout(&layout!(4:1@0)), Ok(layout!(1:0)));
        // One continues with (0,1) after (1,0), the other with (2,0).
        const A: Layout = layout!((2,2,2):(1@0,0,1@1));
        const B: Layout = layout!((2,2,2):(1@0,0,2@0));
        assert_eq!(A.common_layout(&B), Ok(layout!(2:1)));
        assert_eq!(A.common_layout(&A), Ok(layout!((2,2):(1,4))));
        // After the 4 that both have in the first component, one has more of it, and the other none.
        const SHORT: Layout = layout!((4,2):(1@0,1@1));
        const LONG: Layout = layout!((4,2,2):(1@0,1@1,4@0));
        assert_eq!(SHORT.common_layout(&LONG), Ok(layout!(4:1)));
        assert_eq!(LONG.common_layout(&SHORT), Ok(layout!(4:1)));
    }

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

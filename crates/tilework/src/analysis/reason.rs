//! Why a question has its answer: the theorem for a yes; for a no the leaf, the coordinates or the offset that decide.
//!
//! A witness is found by the question itself: a leaf is halved at a power of two, and the question asked about a half, until one
//! coordinate is left. That takes at most one question for each bit of the extents.

use super::MAX_EXAMINED;
use super::disjoint::{BUDGET, Offsets};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::layout::{Layout, Leaf, Offset, View};
use crate::shape::{Coord, Shape, Walk};
use crate::stride::{Rational, Stride, Unit};
use crate::swizzle::AnyLayout;
use crate::tuple::HTuple;

/// Why a question has its answer. Coordinates are given by their indices.
///
/// ```
/// use tilework::{Reason, layout};
/// let layout = layout!((4,8):(1,3));
/// let Reason::SameOffset(first, second) = Reason::injective(&layout)? else { panic!("not injective") };
/// assert!(first != second && layout.at(first) == layout.at(second));
/// # Ok::<(), tilework::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// Yes, by this theorem.
    Theorem(&'static str),
    /// No: the first does not have the offset of this coordinate of the second.
    Outside(i64),
    /// No: these two coordinates have the same offset; of two layouts one coordinate each.
    SameOffset(i64, i64),
    /// No: no coordinate has this offset, which is below the greatest.
    Missing(i64),
    /// No: the offset of this coordinate is negative.
    Negative(i64),
    /// No: the coordinate after this one has no larger offset.
    NotGreater(i64),
    /// No: the two have different values at this coordinate.
    Differs(i64),
    /// No: the two have these sizes.
    Sizes(i64, i64),
    /// No: at this leaf of the first, none if it is the whole, the nestings are tuples of these ranks; none for an integer.
    Nesting(Option<usize>, Option<usize>, Option<usize>),
    /// No: this leaf of the first is this integer, which does not fit to its mode of the second, of this size.
    Leaf(usize, i64, i64),
}

impl Reason {
    /// Whether the answer is yes.
    ///
    /// ```
    /// use tilework::{Reason, layout};
    /// assert!(Reason::injective(&layout!((4,8):(1,4)))?.holds());
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn holds(&self) -> bool {
        matches!(self, Reason::Theorem(_))
    }

    /// [`Layout::is_injective`], with two coordinates that have the same offset.
    ///
    /// ```
    /// use tilework::{Reason, layout};
    /// assert_eq!(Reason::injective(&layout!((2,2):(1,0)))?, Reason::SameOffset(0, 2));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::is_injective`] and [`View::is_disjoint`].
    pub const fn injective(layout: &Layout) -> Result<Reason, Error> {
        if !tri!(layout.is_injective()) {
            return collision(layout);
        }
        Ok(Reason::Theorem(if layout.codomain().same(Codomain::Xor) {
            "the columns of its matrix over F2 are independent"
        } else if !layout.has_sums() && tri!(layout.is_super_increasing()) {
            "in order of size, each stride is larger than all steps of the smaller strides together"
        } else {
            "no difference of two coordinates has the offset 0"
        }))
    }

    /// Whether every number of `[0, cosize)` is an offset and no other, with one that is not.
    ///
    /// ```
    /// use tilework::{Reason, layout};
    /// assert_eq!(Reason::surjective(&layout!((4,8):(1,5)).into())?, Reason::Missing(4));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::is_surjective`]; [`Error::Undecided`] if a missing offset is not found within a budget.
    pub const fn surjective(layout: &AnyLayout) -> Result<Reason, Error> {
        let inner = match layout {
            AnyLayout::Plain(layout) => *layout,
            AnyLayout::Swizzled(composed) => match composed.to_layout() {
                Ok(layout) => layout,
                Err(_) if tri!(composed.is_surjective()) => return Ok(FILLED),
                Err(_) => return missing(&Offsets::Swizzled(*composed)),
            },
        };
        if tri!(inner.is_surjective()) {
            return Ok(match inner.codomain() {
                Codomain::Integer => Reason::Theorem(
                    "in order of size, no stride is larger than one plus all steps of the smaller strides",
                ),
                _ => FILLED,
            });
        }
        if !inner.codomain().same(Codomain::Integer) {
            return missing(&Offsets::View(tri!(View::new(ZERO, inner))));
        }
        let (mut index, mut weight, mut i) = (0, 1, 0);
        while i < inner.leaves().len() {
            let Leaf { extent, stride } = inner.leaves()[i];
            if stride.numerator() < 0 {
                index += (extent - 1) * weight;
            }
            weight *= extent;
            i += 1;
        }
        if index > 0 {
            return Ok(Reason::Negative(index));
        }
        match tri!(inner.first_gap()) {
            Some(offset) => Ok(Reason::Missing(offset)),
            None => Err(UNDECIDED),
        }
    }

    /// Whether the offsets are `[0, size)`, each once: [`surjective`](Self::surjective), then
    /// [`injective`](Self::injective).
    ///
    /// ```
    /// use tilework::{Reason, layout};
    /// assert_eq!(Reason::compact(&layout!((4,2):(1,3)).into())?, Reason::SameOffset(3, 4));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`surjective`](Self::surjective) and [`injective`](Self::injective).
    pub const fn compact(layout: &AnyLayout) -> Result<Reason, Error> {
        let onto = tri!(Reason::surjective(layout));
        if !onto.holds() {
            return Ok(onto);
        }
        let one_to_one = tri!(Reason::injective(layout.layout()));
        if !one_to_one.holds() {
            return Ok(one_to_one);
        }
        Ok(Reason::Theorem("the offsets leave no gap, and no two coordinates share one (paper, 3.4.1)"))
    }

    /// Whether a layout has all offsets that an instruction accesses, with the first coordinate of the instruction whose
    /// offset it does not have (paper, section 3.4.4).
    ///
    /// ```
    /// use tilework::{Reason, layout};
    /// let lanes = layout!((2,128):(1,16384));
    /// assert!(Reason::admits(&layout!((128,64):(16384,1)), &lanes)?.holds());
    /// assert_eq!(Reason::admits(&layout!((128,1):(16384,0)), &lanes)?, Reason::Outside(1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for offsets that are not integers; [`Error::Undecided`] beyond 16,384 coordinates of the
    /// instruction, 1,024 over XOR strides, and where the search for an offset exceeds its budget.
    pub const fn admits(layout: &Layout, instruction: &Layout) -> Result<Reason, Error> {
        if layout.codomain().same(Codomain::Coordinate) {
            return Err(Error::Codomain { operation: "admits", found: Codomain::Coordinate });
        }
        let all = Offsets::View(tri!(View::new(ZERO, *layout)));
        // Elimination takes longer than a sum of integers.
        let most = MAX_EXAMINED / if layout.codomain().same(Codomain::Xor) { 64 } else { 4 };
        let (mut work, mut index) = (16 * BUDGET, 0);
        while index < instruction.size() {
            if index == most {
                return Err(Error::Undecided { operation: "admits" });
            }
            if !tri!(all.has(tri!(instruction.const_try_at(index)), &mut work)) {
                return Ok(Reason::Outside(index));
            }
            index += 1;
        }
        Ok(Reason::Theorem("each offset of the instruction is one of the layout (paper, 3.4.4)"))
    }

    /// Whether a larger index has a larger offset, with the first step that does not grow.
    ///
    /// ```
    /// use tilework::{Reason, layout};
    /// assert_eq!(Reason::increasing(&layout!((4,8):(8,1)).into())?, Reason::NotGreater(3));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Layout::is_increasing`] and [`Composed::is_increasing`](crate::Composed::is_increasing).
    pub const fn increasing(layout: &AnyLayout) -> Result<Reason, Error> {
        let inner = match layout {
            AnyLayout::Plain(layout) => *layout,
            AnyLayout::Swizzled(composed) => match composed.to_layout() {
                Ok(layout) if layout.codomain().same(Codomain::Integer) => layout,
                _ if tri!(composed.is_increasing()) => {
                    return Ok(Reason::Theorem("each offset is larger than the one before"));
                }
                _ => {
                    let mut index = 0;
                    while tri!(composed.const_try_at(index + 1)) > tri!(composed.const_try_at(index)) {
                        index += 1;
                    }
                    return Ok(Reason::NotGreater(index));
                }
            },
        };
        if tri!(inner.is_increasing()) {
            return Ok(Reason::Theorem("each stride is larger than all steps of the modes before it"));
        }
        // The first mode that does not grow follows the last coordinate of those before it.
        let (mut behind, mut index, mut i) = (0i128, 1, 0);
        while i < inner.leaves().len() {
            let Leaf { extent, stride } = inner.leaves()[i];
            if extent > 1 {
                if stride.numerator() as i128 <= behind {
                    break;
                }
                behind += (extent - 1) as i128 * stride.numerator() as i128;
            }
            index *= extent;
            i += 1;
        }
        Ok(Reason::NotGreater(index - 1))
    }

    /// [`Layout::equivalent`] of layouts of one size.
    pub(super) const fn same_layouts(left: &Layout, right: &Layout) -> Result<Reason, Error> {
        if left.equivalent(right) {
            return Ok(Reason::Theorem("both have the same normal form (paper, 3.2)"));
        }
        if left.codomain().same(Codomain::Xor) || right.codomain().same(Codomain::Xor) {
            let mut index = 0;
            while index < left.size() && index < MAX_EXAMINED {
                if tri!(left.const_try_at(index)) != tri!(right.const_try_at(index)) {
                    return Ok(Reason::Differs(index));
                }
                index += 1;
            }
            return Err(Error::Undecided { operation: "where two XOR layouts differ" });
        }
        // Coalesced layouts are the same up to the first leaf that differs; where only its extent does, one of the two goes on.
        let (left, right) = (left.coalesce(), right.coalesce());
        let (mut index, mut i) = (1, 0);
        loop {
            let (a, b) = (left.leaves()[i], right.leaves()[i]);
            if !a.stride.same(b.stride) {
                return Ok(Reason::Differs(index));
            }
            if a.extent != b.extent {
                return Ok(Reason::Differs(index * if a.extent < b.extent { a.extent } else { b.extent }));
            }
            index *= a.extent;
            i += 1;
        }
    }

    /// [`Offsets::is_disjoint`], with a coordinate of each that have the same offset.
    ///
    /// ```
    /// use tilework::{Offsets, Reason};
    /// let [a, b] = ["{0} o 8:2", "{5} o 4:1"].map(|text| Offsets::View(text.parse().unwrap()));
    /// assert_eq!(Reason::disjoint(&a, &b)?, Reason::SameOffset(3, 1));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Offsets::is_disjoint`].
    pub const fn disjoint(first: &Offsets, second: &Offsets) -> Result<Reason, Error> {
        if let (Offsets::View(one), Offsets::View(two)) = (first, second)
            && (one.has_coordinates() || two.has_coordinates())
        {
            let (one, two) = tri!(one.packed_with(two));
            return Ok(match tri!(Reason::disjoint(&Offsets::View(one), &Offsets::View(two))) {
                Reason::Theorem(_) => {
                    Reason::Theorem("no steps of the two add up to the distance of their starts")
                }
                reason => reason,
            });
        }
        if !tri!(first.is_disjoint(second)) {
            let (index, point) = tri!(narrowed(first, second));
            return Ok(Reason::SameOffset(index, tri!(narrowed(second, &point)).0));
        }
        Ok(Reason::Theorem(match (first.bounds(), second.bounds()) {
            (Ok((low, high)), Ok((least, most))) if high < least || most < low => {
                "all offsets of the one are below those of the other"
            }
            _ if first.in_another_class(second) => {
                "all strides have a common divisor that does not divide the distance of the starts"
            }
            _ => "no steps of the two add up to the distance of their starts",
        }))
    }

    /// Whether two tuples have the same nesting, with the first leaf at which they differ (paper, definition 2.3).
    ///
    /// ```
    /// use tilework::{Reason, Shape};
    /// let (a, b): (Shape, Shape) = ("(4,8)".parse()?, "(4,(2,4))".parse()?);
    /// assert_eq!(Reason::congruent(&a, &b), Reason::Nesting(Some(1), None, Some(2)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn congruent<T: Copy, U: Copy>(first: &HTuple<T>, second: &HTuple<U>) -> Reason {
        if first.congruent(second) {
            return Reason::Theorem("both have the same nesting (paper, definition 2.3)");
        }
        match first.profile().not_congruent(second.profile()) {
            Error::Profiles { leaf, shape, stride } => Reason::Nesting(leaf, shape, stride),
            _ => unreachable!(),
        }
    }

    /// Whether the nesting of the second refines that of the first, with the first leaf at which it does not (paper,
    /// definition 2.4).
    ///
    /// ```
    /// use tilework::{Reason, Shape};
    /// let (a, b): (Shape, Shape) = ("(1,2)".parse()?, "(1,2,3)".parse()?);
    /// assert_eq!(Reason::weakly_congruent(&a, &b), Reason::Nesting(None, Some(2), Some(3)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    #[must_use]
    pub const fn weakly_congruent<T: Copy, U: Copy>(first: &HTuple<T>, second: &HTuple<U>) -> Reason {
        match first.profile().not_weakly_congruent(second.profile()) {
            None => Reason::Theorem(
                "each leaf of the first is a leaf or a tuple of the second (paper, definition 2.4)",
            ),
            Some((leaf, first, second)) => Reason::Nesting(leaf, first, second),
        }
    }

    /// [`Shape::compatible`], with the leaf that is not the size of its mode.
    ///
    /// ```
    /// use tilework::{Reason, Shape};
    /// let (a, b): (Shape, Shape) = ("(4,9)".parse()?, "(4,(8,2))".parse()?);
    /// assert_eq!(Reason::compatible(&a, &b)?, Reason::Leaf(1, 9, 16));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] for a mode whose size does not fit in 64 bits.
    pub const fn compatible(first: &Shape, second: &Shape) -> Result<Reason, Error> {
        let theorem = "each leaf of the first is the size of its mode of the second (paper, definition 2.7)";
        leaf_by_leaf(first, second, true, theorem)
    }

    /// [`Shape::is_in_bounds`], with the leaf of the coordinate that is not below the size of its mode.
    ///
    /// ```
    /// use tilework::{Reason, Shape};
    /// let (c, shape): (Shape, Shape) = ("(6,1)".parse()?, "((2,3),2)".parse()?);
    /// assert_eq!(Reason::in_bounds(&c, &shape)?, Reason::Leaf(0, 6, 6));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] for a mode whose size does not fit in 64 bits.
    pub const fn in_bounds(coord: &Coord, shape: &Shape) -> Result<Reason, Error> {
        let theorem = "each leaf is 0 or more, and less than the size of its mode (paper, definition 2.9)";
        leaf_by_leaf(coord, shape, false, theorem)
    }
}

impl Layout {
    /// [`View::no_bijection`] without an offset.
    #[cold]
    pub(crate) const fn no_bijection(&self) -> Error {
        match self.codomain_profile() {
            Ok(zero) => match View::new(zero, *self) {
                Ok(view) => view.no_bijection(),
                Err(error) => error,
            },
            Err(error) => error,
        }
    }
}

impl View {
    /// Why what is no bijection of `[0, size)`, or onto the coordinates of a shape, has no inverse.
    #[cold]
    pub(crate) const fn no_bijection(&self) -> Error {
        let missing = match Reason::injective(self.layout()) {
            Ok(Reason::SameOffset(first, second)) => return Error::NotInjective { first, second },
            Ok(_) if self.layout().codomain().same(Codomain::Coordinate) => missing_along(self.layout()),
            // The first gap is known, however large it is.
            Ok(_) => match (first_of(self.offset()), Reason::surjective(&AnyLayout::Plain(*self.layout()))) {
                (Some(0), Ok(Reason::Missing(offset))) => Ok((offset, None)),
                _ => match missing(&Offsets::View(*self)) {
                    Ok(Reason::Missing(offset)) => Ok((offset, None)),
                    _ => Err(UNDECIDED),
                },
            },
            Err(error) => Err(error),
        };
        match missing {
            Ok((offset, component)) => Error::NotSurjective { offset, component },
            Err(error @ Error::NoInverse { .. }) => error,
            Err(_) => Error::NoInverse { reason: "the layout is not a bijection of [0, size)" },
        }
    }
}

const fn first_of(offset: &Offset) -> Option<i64> {
    let first = offset.leaves()[0];
    if first.is_integer() { Some(first.numerator()) } else { None }
}

/// An offset along one component that a layout of coordinates lacks.
const fn missing_along(layout: &Layout) -> Result<(i64, Option<usize>), Error> {
    let (all, mut work) = (Offsets::View(tri!(View::new(ZERO, tri!(layout.packed())))), 64 * BUDGET);
    let (mut below, mut k) = (false, 0);
    while let Some((component, weight, low, high)) = tri!(layout.moving_component(k)) {
        let mut value = 1;
        while value <= high && tri!(all.has(value * weight, &mut work)) {
            value += 1;
        }
        if value <= high {
            return Ok((value, Some(component)));
        }
        below |= low < 0;
        k += 1;
    }
    if below {
        return Err(Error::NoInverse {
            reason: "a coordinate of an offset is below 0, and none of a shape is",
        });
    }
    Err(UNDECIDED)
}

const ZERO: Offset = HTuple::leaf(Rational::integer(0));
const FILLED: Reason = Reason::Theorem("it has as many different offsets as there are numbers below cosize");
const UNDECIDED: Error = Error::Undecided { operation: "an offset that is missing" };

/// Whether each leaf of the first equals the size of its mode of the second, or is below it.
const fn leaf_by_leaf(
    first: &Coord,
    second: &Shape,
    equal: bool,
    theorem: &'static str,
) -> Result<Reason, Error> {
    let Ok(mut walk) = Walk::new(first, second) else {
        return Ok(Reason::weakly_congruent(first, second));
    };
    let mut leaf = 0;
    while let Some(part) = walk.next() {
        let (value, size) = (part.index, tri!(part.size(second)));
        if if equal { value != size } else { value < 0 || value >= size } {
            return Ok(Reason::Leaf(leaf, value, size));
        }
        leaf += 1;
    }
    Ok(Reason::Theorem(theorem))
}

/// The first number that is no offset, of those whose offsets are not sums.
const fn missing(offsets: &Offsets) -> Result<Reason, Error> {
    let (mut offset, mut work) = (0, 64 * BUDGET);
    while offset < MAX_EXAMINED {
        if !tri!(offsets.has(offset, &mut work)) {
            return Ok(Reason::Missing(offset));
        }
        offset += 1;
    }
    Err(UNDECIDED)
}

/// Two coordinates with the same offset, of a layout that is not injective.
///
/// Of a leaf that is halved at a power of two, the upper half is a part of the lower one, moved. So either the lower half is not
/// injective, or the two have an offset in common.
const fn collision(layout: &Layout) -> Result<Reason, Error> {
    let mut part = tri!(component(layout));
    let (mut weight, mut i) = (1, 0);
    while i < part.leaves().len() {
        let Leaf { extent, stride } = part.leaves()[i];
        if extent > 1 && stride.is_zero() {
            return Ok(Reason::SameOffset(0, weight));
        }
        let mut extent = extent;
        while extent > 1 {
            let half = half(extent);
            let lower = with_extent(&part, i, half);
            if tri!(lower.is_injective()) {
                let all = Offsets::View(tri!(View::new(ZERO, lower)));
                let upper = tri!(all.part(with_extent(&part, i, extent - half), stride, half));
                let (index, point) = tri!(narrowed(&all, &upper));
                let first = tri!(of_whole(layout, &all, index));
                let second = tri!(of_whole(layout, &upper, tri!(narrowed(&upper, &point)).0)) + half * weight;
                return Ok(if first < second {
                    Reason::SameOffset(first, second)
                } else {
                    Reason::SameOffset(second, first)
                });
            }
            (part, extent) = (lower, half);
        }
        weight *= layout.leaves()[i].extent;
        i += 1;
    }
    Err(Error::Undecided { operation: "is_injective" })
}

/// The index in a layout of the coordinate that has this index in a part of it.
const fn of_whole(layout: &Layout, part: &Offsets, index: i64) -> Result<i64, Error> {
    let coord = tri!(part.layout().shape().idx2crd(&HTuple::leaf(index)));
    layout.shape().crd2idx(&coord)
}

/// A layout of numbers that is not injective at the coordinates at which this one is not: the leaves of one component of the
/// codomain, where the others do not move.
const fn component(layout: &Layout) -> Result<Layout, Error> {
    if layout.has_sums() {
        return layout.packed();
    }
    let mut i = 0;
    while i < layout.leaves().len() {
        let unit = layout.leaves()[i].stride.unit();
        let mut tuple = *layout.as_tuple();
        let mut j = 0;
        while j < tuple.leaves().len() {
            let leaf = &mut tuple.leaves_mut()[j];
            if leaf.stride.is_zero() || leaf.stride.unit().same(unit) {
                let own = if unit.is_xor() { unit } else { Unit::ONE };
                leaf.stride = Stride::of_unit(leaf.stride.count(), own);
            } else {
                *leaf = Leaf::new(1, 0);
            }
            j += 1;
        }
        let along = tri!(Layout::new(tuple));
        if !tri!(along.is_injective()) {
            return Ok(along);
        }
        i += 1;
    }
    Ok(*layout)
}

/// The index of a coordinate with an offset that the other has too, and this coordinate alone; the two are known to meet.
const fn narrowed(offsets: &Offsets, other: &Offsets) -> Result<(i64, Offsets), Error> {
    let (mut part, mut index, mut weight, mut i) = (*offsets, 0, 1, 0);
    while i < offsets.layout().leaves().len() {
        let Leaf { mut extent, stride } = offsets.layout().leaves()[i];
        while extent > 1 {
            let half = half(extent);
            let lower = tri!(part.part(with_extent(part.layout(), i, half), stride, 0));
            if tri!(lower.is_disjoint(other)) {
                part = tri!(part.part(with_extent(part.layout(), i, extent - half), stride, half));
                index += half * weight;
                extent -= half;
            } else {
                (part, extent) = (lower, half);
            }
        }
        weight *= offsets.layout().leaves()[i].extent;
        i += 1;
    }
    Ok((index, part))
}

/// The largest power of two below an extent: so the coordinates of both halves, and XOR multiples, need no carry.
const fn half(extent: i64) -> i64 {
    1 << (63 - (extent - 1).leading_zeros())
}

const fn with_extent(layout: &Layout, leaf: usize, extent: i64) -> Layout {
    let mut tuple = *layout.as_tuple();
    tuple.leaves_mut()[leaf].extent = extent;
    // Fewer coordinates of a layout.
    Layout::trusted(tuple, layout.codomain())
}

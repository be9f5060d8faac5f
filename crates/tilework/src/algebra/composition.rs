//! Composition: `(A o B)(c) = A(B(c))`, complete (paper, section 3.3).
//!
//! `R` is the composition of `A` and `B` when every coordinate of `B` is one of `R` and `R(c) = A(B(c))`. Setting all
//! but one leaf's coordinate to 0 shows that each leaf `s:d` of `B` has to become a layout of `c -> A(d c)`, so that
//! `R` exists if and only if
//!
//! 1. each of these functions is a layout. Its first step is `A(d)`, and its stride changes at the first `p` where `A(d
//!    p) != p A(d)`; `p` is forced and has to divide the extent, and the rest is the same question for `s/p : d p`.
//!    This is CuTe's "divide out, keep";
//! 2. the sums distribute, `A(sum d_i c_i) = sum A(d_i c_i)`, over all modes found: the carry test ([`super::carry`]).
//!
//! Both are decided in a number of operations that depends on the ranks and on the logarithms of the extents; if
//! carries may cancel, within a budget. `A` is evaluated on its extended domain: the last mode is never wrapped,
//! integers are divided with floor, and a trailing extent of 1 is significant.
//!
//! The paper's conditions (20), (21) and "segregated" are sufficient; these are also necessary. They also cover leaves
//! that leave the domain of `A`, unsorted and overlapping images that never carry, strides whose first carry is beyond
//! the extent, carries that cancel, and negative strides.

use super::carry;
use super::modes::{Mode, integer_at, modes_of, room, stride_at};
use crate::codomain::Codomain;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, Part, build};
use crate::stride::{Stride, Unit};
use crate::tuple::HTuple;

/// The ranks of most left operands: a short buffer is faster to initialize.
const FEW: usize = 6;

/// The stride of a leaf of extent 1, which does not affect the composition.
#[derive(Clone, Copy)]
pub(super) struct UnitStride {
    bound: i64,
    stride: i64,
}

impl UnitStride {
    /// Stride 0.
    pub const ZERO: UnitStride = UnitStride { bound: 1, stride: 0 };

    /// pycute's: the stride of the last mode of the left operand, times the number of times that a step of the right
    /// one passes that mode's bound, rounded up.
    pub const fn of_last_mode(left: &[Leaf]) -> UnitStride {
        let (mut last, mut bound, mut size, mut i) = (Leaf::new(1, 0), 1, 1, 0);
        while i < left.len() {
            let leaf = left[i];
            if leaf.extent > 1 {
                if last.extent > 1 && last.continues_with(leaf) {
                    last.extent *= leaf.extent;
                } else {
                    (last, bound) = (leaf, size);
                }
                size *= leaf.extent;
            }
            i += 1;
        }
        UnitStride { bound, stride: if last.stride.is_plain() { last.stride.numerator() } else { 0 } }
    }

    /// The stride of a leaf with this stride in the right operand; 0 if it does not fit.
    const fn of(self, stride: Stride) -> i64 {
        match int::ceil_div(stride.numerator(), self.bound).checked_mul(self.stride) {
            Some(stride) => stride,
            None => 0,
        }
    }
}

/// Appends `A o B`, for several `B` that are the modes of one layout, and for integer (or rational) `B`.
pub(super) const fn compose_into(
    left: &[Leaf],
    right: &[Part],
    unit: UnitStride,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    let composed = if left.len() <= FEW {
        compose_modes::<true>(modes_of(left, &mut [Mode::UNUSED; FEW]), right, unit, out)
    } else {
        compose_modes::<true>(modes_of(left, &mut room()), right, unit, out)
    };
    match composed {
        Err(error) if is_of_size(error) => Err(reason(left, right, error)),
        composed => composed,
    }
}

/// Whether an error says that a number or a text does not fit, not that there is no layout.
pub(super) const fn is_of_size(error: Error) -> bool {
    matches!(error, Error::Overflow { .. } | Error::TooLarge { .. } | Error::Capacity { .. })
}

/// Why there is no composition, if not because one of its strides does not fit.
#[cold]
const fn reason(left: &[Leaf], right: &[Part], size: Error) -> Error {
    let mut out = HTuple::builder(Leaf::UNUSED);
    match compose_modes::<false>(modes_of(left, &mut room()), right, UnitStride::ZERO, &mut out) {
        Err(error @ (Error::ShapeDivisibility { .. } | Error::Carry { .. })) => error,
        _ => size,
    }
}

/// With `STRIDES` false only the extents of the result are right, and whether there is one.
const fn compose_modes<const STRIDES: bool>(
    modes: &mut [Mode],
    right: &[Part],
    unit: UnitStride,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    let begin = Part { tuple: right[0].tuple, node: out.profile().len(), leaf: out.leaves().len() };
    let (mut k, mut number) = (0, 0);
    while k < right.len() {
        let Part { tuple, mut node, mut leaf } = right[k];
        let end = node + tuple.profile().span(node).nodes;
        while node < end {
            if tuple.profile().is_leaf(node) {
                let first = out.leaves().len();
                let own = tuple.leaves()[leaf];
                tri!(if own.extent == 1 {
                    out.push_value(Leaf::new(1, unit.of(own.stride)))
                } else {
                    follow::<STRIDES>(modes, own, number, out)
                });
                tri!(out.close_leaves(first));
                leaf += 1;
                number += 1;
            } else {
                tri!(out.open(tuple.profile().rank(node)));
            }
            node += 1;
        }
        k += 1;
    }
    let mut r = 1;
    while r < modes.len() {
        if modes[r].reach >= modes[r].bound {
            return carry::check::<STRIDES>(modes, right, out, begin.node, begin.leaf);
        }
        r += 1;
    }
    Ok(())
}

/// Appends the modes of `c -> A(d c)` for leaf `s:d` number `number` of the right operand, and adds to the reaches of
/// their sums.
const fn follow<const STRIDES: bool>(
    modes: &mut [Mode],
    leaf: Leaf,
    number: usize,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    let Leaf { extent, stride } = leaf;
    if stride.is_zero() {
        return out.push_value(Leaf::new(extent, 0));
    }
    if stride.denominator() != 1 {
        let (numerator, denominator) = (stride.numerator(), stride.denominator());
        return Err(Error::NotIntegral { operation: "a coordinate", numerator, denominator });
    }
    let (mut step, mut rest, first) = (stride.numerator(), extent, out.leaves().len());
    loop {
        let first_break = tri!(take_step(modes, step, rest));
        match if STRIDES { tri!(integer_at(modes)) } else { Some(0) } {
            Some(offset) => tri!(out.push_value(Leaf::new(first_break, offset))),
            None => {
                tri!(out.push_value(Leaf { extent: first_break, stride: tri!(stride_at(modes, number)) }))
            }
        }
        let mut r = 1;
        while r < modes.len() {
            let sum = modes[r].remainder.saturating_mul(first_break - 1);
            modes[r].reach = modes[r].reach.saturating_add(sum);
            r += 1;
        }
        if first_break == rest {
            return Ok(());
        }
        let (fewer, uneven) = int::div_rem(rest, first_break);
        if uneven != 0 {
            let steps = steps_that_fit::<STRIDES>(modes, stride, out.leaves().split_at(first).1);
            return Err(Error::ShapeDivisibility { leaf: number, extent, stride: stride.numerator(), steps });
        }
        rest = fewer;
        step = tri!(int::mul(step, first_break));
    }
}

/// Divides a step by the bounds of the modes; returns after how many of the `rest` steps the left operand's own step
/// first changes.
const fn take_step(modes: &mut [Mode], step: i64, rest: i64) -> Result<i64, Error> {
    modes[0].quotient = step;
    let last = step * (rest - 1);
    // The first place at which a multiple of the remainder passes its bound, and the number of bounds passed there.
    let (mut first_break, mut passed, mut r) = (rest, 0, 1);
    while r < modes.len() {
        let bound = modes[r].bound;
        if 0 <= step && last < bound {
            // All steps together stay below this bound, and below the later ones.
            modes[r].quotient = 0;
            modes[r].remainder = step;
            r += 1;
            continue;
        }
        let (quotient, remainder) = int::div_rem(step, bound);
        modes[r].quotient = quotient;
        modes[r].remainder = remainder;
        if remainder.saturating_mul(rest - 1) >= bound {
            let pass = int::div_rem(bound - 1, remainder).0 + 1;
            if pass < first_break {
                first_break = pass;
                passed = 1;
            } else if pass == first_break {
                passed += 1;
            }
        }
        r += 1;
    }
    // The changes of several steps may cancel, so that the first break may come later.
    if passed > 1 { carry::find_first_break(modes, step, rest) } else { Ok(first_break) }
}

/// How many steps of `stride` have a layout, if a mode was divided into these parts and the last one does not divide
/// the rest: those of all parts together, or of as many leading parts as do not carry.
#[cold]
const fn steps_that_fit<const STRIDES: bool>(modes: &mut [Mode], stride: Stride, parts: &[Leaf]) -> i64 {
    let (mut steps, mut k) = (1, 0);
    while k < parts.len() {
        steps *= parts[k].extent;
        k += 1;
    }
    // A single part does not carry.
    while k > 1 && !composes::<STRIDES>(modes, Leaf { extent: steps, stride }) {
        k -= 1;
        steps /= parts[k].extent;
    }
    steps
}

/// Whether `A o s:d` is a layout.
const fn composes<const STRIDES: bool>(modes: &mut [Mode], leaf: Leaf) -> bool {
    let mut r = 0;
    while r < modes.len() {
        modes[r].reach = 0;
        r += 1;
    }
    let (right, mut out) = (HTuple::leaf(leaf), HTuple::builder(Leaf::UNUSED));
    compose_modes::<STRIDES>(modes, &[Part::whole(&right)], UnitStride::ZERO, &mut out).is_ok()
}

impl Layout {
    /// The layout `A o B`, `c -> A(B(c))`, that refines `B`: `self` is `A`.
    ///
    /// | `A` | `B` | `A o B` |
    /// |---|---|---|
    /// | `(8,8):(8,1)` | `((4,8),2):((16,1),8)` | `((4,8),2):((2,8),1)` |
    /// | `(4,6,8,10):(2,3,5,7)` | `6:12` | `(2,3):(9,5)` |
    /// | `(4,2,8):(3,12,97)` | `3:3` | `3:9` |
    /// | `7:11` | `3:4` | `3:44` |
    /// | `(4,6,8):(2,3,5)` | `6:3` | no layout |
    ///
    /// ```
    /// use tilework::{Layout, layout};
    /// // Partition a row-major 8x8 matrix among 32 threads of two values each (paper, section 3.3.4).
    /// const DATA: Layout = layout!((8,8):(8,1));
    /// const THREAD_VALUE: Layout = layout!(((4,8),2):((16,1),8));
    /// assert_eq!(DATA.composition(&THREAD_VALUE)?, layout!(((4,8),2):((2,8),1)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// A `B` with basis strides gives coordinates for the modes of `A` that they address.
    ///
    /// # Errors
    /// If no layout is the composition: [`Error::ShapeDivisibility`] (`(4,6,8):(2,3,5)` with `6:1`) and
    /// [`Error::Carry`] (`(6,2):(1,7)` with `(3,2):(2,3)`). If a stride would have components that
    /// do not fit: [`Error::NotBasis`]. [`Error::NotIntegral`] for a `B` that gives fractions, [`Error::Index`] for a basis element
    /// that addresses no mode of `A`, [`Error::Undecided`] if carries may cancel and the work budget ends,
    /// [`Error::Overflow`], [`Error::Capacity`].
    #[inline]
    pub const fn composition(&self, other: &Layout) -> Result<Layout, Error> {
        build!(|out| self.composition_into(other, out))
    }

    pub(super) const fn composition_into(&self, other: &Layout, out: &mut HTuple<Leaf>) -> Result<(), Error> {
        if self.codomain().same(Codomain::Xor) || other.codomain().same(Codomain::Xor) {
            let composition = tri!(self.xor_composition(other));
            return out.push_part(Part::whole(&composition.tuple));
        }
        if other.codomain().same(Codomain::Coordinate) {
            if other.has_sums() {
                return self.composition_of_sums(other, out);
            }
            return self.composition_of_coordinates(other, out);
        }
        compose_into(self.leaves(), &[Part::whole(&other.tuple)], UnitStride::ZERO, out)
    }

    /// Each basis element selects the sublayout that it addresses; a leaf of `other` gets its modes from there.
    #[cold]
    const fn composition_of_coordinates(&self, other: &Layout, out: &mut HTuple<Leaf>) -> Result<(), Error> {
        let (mut node, mut leaf, mut size) = (0, 0, None);
        while node < other.profile().len() {
            if other.profile().is_leaf(node) {
                if other.leaves()[leaf].extent == 1 {
                    tri!(out.push(Leaf::new(1, 0)));
                    node += 1;
                    leaf += 1;
                    continue;
                }
                let unit = other.leaves()[leaf].stride.unit();
                let (path, level) = unit.path();
                // All leaves with this unit are composed together, because the carry test needs their sum.
                let part = tri!(self.addressed(path.split_at(level).0));
                match part.composition(&tri!(other.along(unit))) {
                    // Another part may have no layout.
                    Err(error) if is_of_size(error) => size = Some(error),
                    Err(error) => return Err(error),
                    Ok(_) if size.is_some() => {}
                    Ok(part) => {
                        let (own_node, own_leaf) = matching(other, &part, node);
                        tri!(out.push_subtree(part.as_tuple(), own_node, own_leaf));
                    }
                }
                leaf += 1;
            } else {
                tri!(out.open(other.profile().rank(node)));
            }
            node += 1;
        }
        match size {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// The multiples of one unit in this layout, as integers; those of the XOR unit unchanged.
    pub(crate) const fn along(&self, unit: Unit) -> Result<Layout, Error> {
        let mut along = *self.as_tuple();
        let mut i = 0;
        while i < along.leaves().len() {
            let stride = along.leaves()[i].stride;
            let unit_of_count = if unit.is_xor() { unit } else { Unit::ONE };
            along.leaves_mut()[i].stride = tri!(Stride::new(stride.coefficient(unit), unit_of_count));
            i += 1;
        }
        Layout::new(along)
    }

    /// The sublayout that a basis element addresses. An extent has no modes to address.
    pub(crate) const fn addressed(&self, path: &[usize]) -> Result<Layout, Error> {
        let (mut node, mut leaf, mut i) = (0, 0, 0);
        while i < path.len() {
            if self.profile().is_leaf(node) {
                return Err(Error::Coordinate { what: "a basis element addresses a mode within an extent" });
            }
            (node, leaf) = tri!(self.as_tuple().child(node, leaf, path[i]));
            i += 1;
        }
        self.get(path)
    }

    /// Whether `self o other` is a layout, and if not, which condition fails: the divisibility conditions of the
    /// paper's section 3.3.2, made exact.
    ///
    /// ```
    /// use tilework::{Error, layout};
    /// assert!(layout!((4,2,8):(3,12,97)).is_composable(&layout!(3:3)).is_ok());
    /// let error = layout!((4,2,8):(3,12,97)).is_composable(&layout!(4:3)).unwrap_err();
    /// assert_eq!(error, Error::ShapeDivisibility { leaf: 0, extent: 4, stride: 3, steps: 3 });
    /// ```
    ///
    /// # Errors
    /// Those of [`composition`](Self::composition).
    pub const fn is_composable(&self, other: &Layout) -> Result<(), Error> {
        match self.composition(other) {
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// The node and the first leaf in `fine` that correspond to `node` in `coarse`, which it refines.
const fn matching(coarse: &Layout, fine: &Layout, node: usize) -> (usize, usize) {
    let (mut own_node, mut own_leaf, mut i) = (0, 0, 0);
    while i < node {
        if coarse.profile().is_leaf(i) {
            let span = fine.profile().span(own_node);
            own_node += span.nodes;
            own_leaf += span.leaves;
        } else {
            own_node += 1;
        }
        i += 1;
    }
    (own_node, own_leaf)
}

#[cfg(test)]
mod tests {
    use crate::{Error, Layout, layout};

    fn compose(a: Layout, b: Layout) -> Result<Layout, Error> {
        a.composition(&b)
    }

    #[test]
    fn each_condition_is_named() {
        const A: Layout = layout!((4,6,8):(2,3,5));
        assert_eq!(
            compose(A, layout!((2,6):(0,1))),
            Err(Error::ShapeDivisibility { leaf: 1, extent: 6, stride: 1, steps: 4 })
        );
        assert_eq!(
            compose(layout!((6,2):(1,7)), layout!((3,2):(2,3))),
            Err(Error::Carry { boundary: 6, first: 0, last: 1 })
        );
        assert_eq!(
            compose(layout!((6,2):(1,7)), layout!((4,3,2):(0,2,3))),
            Err(Error::Carry { boundary: 6, first: 1, last: 2 })
        );
        assert_eq!(
            compose(layout!((4,4):(1@0,1@1)), layout!((2,3):(1,5))),
            Ok(layout!((2,3):(1@0,(1@0+1@1))))
        );
        assert_eq!(
            compose(layout!(8:1), layout!((2,4):(1/2,1))),
            Err(Error::NotIntegral { operation: "a coordinate", numerator: 1, denominator: 2 })
        );
        assert_eq!(compose(layout!((4,8):(1,4)), layout!(2:1@2)), Err(Error::Index { index: 2, rank: 2 }));
        assert!(matches!(compose(layout!((4,8):(1,4)), layout!(2:1@0@1)), Err(Error::Coordinate { .. })));
        assert!(matches!(compose(layout!(2:4611686018427387905), layout!(2:2)), Err(Error::Overflow { .. })));
    }

    #[test]
    fn beyond_the_domain_and_below_zero() {
        assert_eq!(compose(layout!((4,1):(1,100)), layout!(8:1)), Ok(layout!((4,2):(1,100))));
        assert_eq!(compose(layout!((4,2):(1,8)), layout!(2:-1)), Ok(layout!(2:-5)));
        assert_eq!(compose(layout!((4,3):(-5,6)), layout!((4):(-2))), Ok(layout!(((2,2)):((-16,-6)))));
        // 2 * -2^62 and 2 * 2^62.
        const FAR: Layout = layout!((3,1):(-4611686018427387904,4611686018427387904));
        assert_eq!(compose(FAR, layout!(2:8)), Ok(layout!(2:0)));
        assert_eq!(compose(layout!(():()), layout!((2,3):(1,2))), Ok(layout!((2,3):(0,0))));
        assert_eq!(compose(layout!(8:1), layout!(():())), Ok(layout!(():())));
    }

    #[test]
    fn components_and_carries_that_cancel() {
        assert_eq!(compose(layout!((2,(4,1)):(1@0,(1@1@1,1@0))), layout!(2:-5)), Ok(layout!(2:1@1@1)));
        // An extent of 1 has offset 0, whatever it addresses.
        assert_eq!(compose(layout!(2:1), layout!(1:1@0)), Ok(layout!(1:0)));
        assert_eq!(compose(layout!((3,3,4):(1,4,11)), layout!(5:4)), Ok(layout!(5:5)));
        assert_eq!(compose(layout!((2,2,2):(1,5,7)), layout!(3:3)), Ok(layout!(3:6)));
        assert_eq!(compose(layout!((2,2,2):(1/2,5/2,7/2)), layout!(3:3)), Ok(layout!(3:3)));
        assert_eq!(compose(layout!((2,2,2):(1/2,2,3)), layout!(3:3)), Ok(layout!(3:5/2)));
    }

    #[test]
    fn what_does_not_carry_needs_no_common_denominator() {
        // With the common denominator of these fractions, which has 62 bits, the change at 2 is out of range.
        const A: Layout = layout!((2,2,2,2,2):(2305843009213693952,0,1,1/2147483647,1/2147483629));
        assert_eq!(compose(A, layout!(2:3)), Ok(layout!(2:2305843009213693952)));
        assert_eq!(compose(A, layout!(2:7)), Ok(layout!(2:2305843009213693953)));
        assert_eq!(compose(A, layout!((4):(1))), Ok(layout!(((2,2)):((2305843009213693952,0)))));
        assert!(matches!(compose(A, layout!((2,2):(1,3))), Err(Error::Undecided { .. })));
    }

    #[test]
    fn the_left_operand_is_taken_coalesced() {
        let mut room = super::room();
        assert_eq!(super::modes_of(layout!((4,1,8):(1,7,4)).leaves(), &mut room).len(), 1);
        // The last mode is endless, even one of extent 1.
        assert_eq!(super::modes_of(layout!((1,4,2,1):(9,1,4,9)).leaves(), &mut room).len(), 2);
    }
}

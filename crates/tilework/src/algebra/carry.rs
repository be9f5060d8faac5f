//! The carry test: does `A(sum d_i c_i) = sum c_i A(d_i)` hold on a box of coordinates? Exact
//! (docs/proofs.md, theorem 2).
//!
//! With `t_(i,r) = d_i mod P_r`, the difference of the two sides is `sum_r E_r W_r(c)`, where
//! `W_r(c) = floor(sum_i t_(i,r) c_i / P_r)` counts how often the remainders pass the bound `P_r`. The counts grow with
//! `c`. Let `V` be the set of the bounds that are passed.
//!
//! 1. `V` is empty: nothing carries. Composition makes this test first, before it calls this module.
//! 2. No subset of the `E_r` of `V` sums to 0: not linear. At a smallest coordinate where something carries, every
//!    count is 0 or 1, and the difference is the sum of such a subset.
//! 3. Otherwise carries may cancel. One mode: the counts are floors along a line ([`super::floor_sum`]). Several: the
//!    box is halved until the counts are equal in opposite corners, and so in the whole box. Both are exact, with a
//!    budget for the work.

use super::floor_sum::{self, Floor};
use super::modes::{Mode, modes_of, room};
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, Part};
use crate::list::List;
use crate::stride::{Stride, Unit, each_term};
use crate::tuple::{HTuple, MAX_LEAVES};

const UNDECIDED: Error = Error::Undecided { operation: "composition" };

/// The most boxes that are examined before the answer is "undecided".
const MAX_BOXES: usize = 1 << 14;

/// The most bounds for which the sums of all subsets of weights are computed.
const MAX_PARTS: usize = 10;

/// One mode of the composition: `extent` steps of `step`, from leaf `leaf` of the right operand.
#[derive(Clone, Copy)]
struct Run {
    extent: i64,
    step: i64,
    leaf: usize,
    /// The step's offset, if it is known.
    stride: Option<Stride>,
}

const NO_RUN: Run = Run { extent: 1, step: 0, leaf: 0, stride: None };

/// Checks that the sums of the modes of a composition distribute, given that some of them pass a bound. The result is
/// in `out`, from node `out_node` and leaf `out_leaf` on, with its strides or only the extents.
pub(crate) const fn check<const STRIDES: bool>(
    left: &[Mode],
    right: &[Part],
    out: &HTuple<Leaf>,
    out_node: usize,
    out_leaf: usize,
) -> Result<(), Error> {
    let mut runs = List::<Run, MAX_LEAVES>::new(NO_RUN);
    let (mut own_node, mut own_leaf, mut number, mut k) = (out_node, out_leaf, 0, 0);
    while k < right.len() {
        let Part { tuple, mut node, mut leaf } = right[k];
        let end = node + tuple.profile().span(node).nodes;
        while node < end {
            if tuple.profile().is_leaf(node) {
                let span = out.profile().span(own_node);
                let last = own_leaf + span.leaves;
                let mut step = tuple.leaves()[leaf].stride.numerator();
                while own_leaf < last {
                    let Leaf { extent, stride } = out.leaves()[own_leaf];
                    if extent > 1 && step != 0 {
                        let stride = if STRIDES { Some(stride) } else { None };
                        tri!(runs.push(Run { extent, step, leaf: number, stride }, "modes"));
                    }
                    step = step.wrapping_mul(extent);
                    own_leaf += 1;
                }
                own_node += span.nodes;
                leaf += 1;
                number += 1;
            } else {
                own_node += 1;
            }
            node += 1;
        }
        k += 1;
    }
    match tri!(decide(left, runs.as_slice(), &mut { MAX_BOXES })) {
        None => Ok(()),
        Some(bound) => Err(describe(left, runs.as_slice(), bound)),
    }
}

/// Whether `layout` is linear on the box of the modes `extent:step`, `A(sum d_i c_i) = sum c_i A(d_i)`. The number of
/// boxes examined is subtracted from `boxes`.
pub(crate) const fn linear_on_box(
    layout: &Layout,
    box_of: &[(i64, i64)],
    boxes: &mut usize,
) -> Result<bool, Error> {
    let mut runs = List::<Run, MAX_LEAVES>::new(NO_RUN);
    let mut leaf = 0;
    while leaf < box_of.len() {
        let (extent, step) = box_of[leaf];
        tri!(runs.push(Run { extent, step, leaf, stride: None }, "modes"));
        leaf += 1;
    }
    let mut room = room();
    Ok(tri!(decide(modes_of(layout.leaves(), &mut room), runs.as_slice(), boxes)).is_none())
}

/// The bound at which a carry changes the offset for some coordinate of the modes, if one does.
const fn decide(left: &[Mode], runs: &[Run], boxes: &mut usize) -> Result<Option<i64>, Error> {
    let units = tri!(units(left));
    let mut u = 0;
    while u < units.len() {
        let carry = tri!(carries(left, units.as_slice()[u], runs, boxes));
        if carry.is_some() {
            return Ok(carry);
        }
        u += 1;
    }
    Ok(None)
}

/// The error for modes whose sums do not distribute: the fewest neighbouring leaves that carry together.
const fn describe(left: &[Mode], runs: &[Run], bound: i64) -> Error {
    let (mut begin, mut end, mut bound) = (0, runs.len(), bound);
    let mut k = 1;
    while k < runs.len() {
        if runs[k].leaf != runs[k - 1].leaf
            && let Ok(Some(own)) = decide(left, runs.split_at(k).0, &mut { MAX_BOXES })
        {
            (end, bound) = (k, own);
            break;
        }
        k += 1;
    }
    k = end;
    while k > 1 {
        k -= 1;
        if runs[k].leaf != runs[k - 1].leaf
            && let Ok(Some(own)) = decide(left, runs.split_at(end).0.split_at(k).1, &mut { MAX_BOXES })
        {
            (begin, bound) = (k, own);
            break;
        }
    }
    Error::Carry { boundary: bound, first: runs[begin].leaf, last: runs[end - 1].leaf }
}

/// The first break of a single leaf of `rest` times `step`, if several bounds are passed at once and the changes may
/// cancel.
pub(crate) const fn find_first_break(left: &[Mode], step: i64, rest: i64) -> Result<i64, Error> {
    let units = tri!(units(left));
    let (mut first, mut u) = (rest, 0);
    while u < units.len() {
        let unit = units.as_slice()[u];
        let weights = tri!(weights(left, unit, tri!(denominator(left, unit))));
        let mut terms = Terms::new(NO_FLOOR);
        tri!(push_floors(left, &weights, step, &mut terms));
        if let Some(own) = tri!(floor_sum::first_nonzero(terms.as_slice(), first)) {
            first = own;
        }
        u += 1;
    }
    Ok(first)
}

/// The floors of two layouts.
type Terms = List<Floor, { 2 * MAX_LEAVES }>;

const NO_FLOOR: Floor = Floor { weight: 0, numerator: 0, denominator: 1 };

/// Appends the terms `E_r floor(step c / P_r)`, without the part that is linear in `c`.
const fn push_floors(
    left: &[Mode],
    weights: &[i128; MAX_LEAVES],
    step: i64,
    terms: &mut Terms,
) -> Result<(), Error> {
    let mut r = 1;
    while r < left.len() {
        let denominator = left[r].bound;
        if weights[r] != 0 {
            let numerator = step.rem_euclid(denominator);
            tri!(terms.push(Floor { weight: weights[r], numerator, denominator }, "modes"));
        }
        r += 1;
    }
    Ok(())
}

/// The units of the strides, each once: the components of the offsets.
const fn units(left: &[Mode]) -> Result<List<Unit, MAX_LEAVES>, Error> {
    let mut units = List::new(Unit::ONE);
    let mut r = 0;
    while r < left.len() {
        each_term!(left[r].stride, |term| {
            let (mut known, mut i) = (false, 0);
            while i < units.len() {
                known |= units.as_slice()[i].same(term.unit());
                i += 1;
            }
            if !known {
                tri!(units.push(term.unit(), "components"));
            }
        });
        r += 1;
    }
    Ok(units)
}

/// A common denominator of the strides in one component.
const fn denominator(left: &[Mode], unit: Unit) -> Result<i64, Error> {
    let (mut common, mut r) = (1i64, 0);
    while r < left.len() {
        let own = left[r].stride.coefficient(unit).denominator();
        if own != 1 {
            match common.checked_mul(own / int::gcd(common as u64, own as u64) as i64) {
                Some(multiple) => common = multiple,
                None => return Err(UNDECIDED),
            }
        }
        r += 1;
    }
    Ok(common)
}

/// `E_r` in one component, times `denominator`. Sums of them fit; only those of fractions may overflow.
pub(super) const fn weights(
    left: &[Mode],
    unit: Unit,
    denominator: i64,
) -> Result<[i128; MAX_LEAVES], Error> {
    let mut weights = [0; MAX_LEAVES];
    let (mut before, mut r) = (0i128, 0);
    while r < left.len() {
        let count = left[r].stride.coefficient(unit);
        let own = count.numerator() as i128 * (denominator / count.denominator()) as i128;
        if r > 0 {
            weights[r] = match (left[r - 1].extent as i128).checked_mul(before) {
                Some(product) => own.saturating_sub(product),
                None => i128::MAX,
            };
            if weights[r].unsigned_abs() >> 118 != 0 {
                return Err(UNDECIDED);
            }
        }
        before = own;
        r += 1;
    }
    Ok(weights)
}

/// [`decide`] in one component.
const fn carries(left: &[Mode], unit: Unit, runs: &[Run], boxes: &mut usize) -> Result<Option<i64>, Error> {
    let denominator = tri!(denominator(left, unit));
    let weights = &tri!(weights(left, unit, denominator));
    let last = &last(runs);
    // V: the bounds that are passed and have a weight.
    let mut passed = List::<usize, MAX_LEAVES>::new(0);
    let mut r = 1;
    while r < left.len() {
        let bound = left[r].bound;
        if weights[r] != 0 && count(bound, runs, last) > 0 {
            tri!(passed.push(r, "modes"));
        }
        r += 1;
    }
    let passed = passed.as_slice();
    if passed.is_empty() {
        return Ok(None);
    }
    let zero = if !some_part_sums_to_zero(passed, weights) {
        false
    } else if runs[0].leaf == runs[runs.len() - 1].leaf && runs[0].stride.is_some() {
        tri!(equal_on_line(left, weights, runs, unit, denominator))
    } else {
        tri!(zero_on_box(left, weights, passed, runs, boxes))
    };
    Ok(if zero { None } else { Some(left[passed[0]].bound) })
}

/// Whether the weights of a non-empty subset of `passed` sum to 0; `true` if there are too many subsets.
const fn some_part_sums_to_zero(passed: &[usize], weights: &[i128; MAX_LEAVES]) -> bool {
    if passed.len() > MAX_PARTS {
        return true;
    }
    let mut part = 1u32;
    while part < 1 << passed.len() {
        let (mut sum, mut k) = (0i128, 0);
        while k < passed.len() {
            let weight = weights[passed[k]];
            if part >> k & 1 == 1 {
                sum += weight;
            }
            k += 1;
        }
        if sum == 0 {
            return true;
        }
        part += 1;
    }
    false
}

/// Whether `A(d c)` and the modes found for a single leaf agree on the whole leaf, in one component.
const fn equal_on_line(
    left: &[Mode],
    weights: &[i128; MAX_LEAVES],
    runs: &[Run],
    unit: Unit,
    denominator: i64,
) -> Result<bool, Error> {
    let mut line = HTuple::builder(Leaf::UNUSED);
    let (mut i, step) = (0, runs[0].step);
    while i < runs.len() {
        if let Some(stride) = runs[i].stride {
            tri!(line.push_value(Leaf { extent: runs[i].extent, stride }));
        }
        i += 1;
    }
    tri!(line.close_leaves(0));
    // Both sides in E-form: A(dc) = D_0 d c + sum E_r floor(d c / P_r), R(c) = R_0 c + sum e_k floor(c / p_k).
    let mut room = room();
    let right = modes_of(line.leaves(), &mut room);
    let mut own = tri!(self::weights(right, unit, denominator));
    let mut k = 0;
    while k < own.len() {
        own[k] = -own[k];
        k += 1;
    }
    let mut terms = Terms::new(NO_FLOOR);
    tri!(push_floors(left, weights, step, &mut terms));
    tri!(push_floors(right, &own, 1, &mut terms));
    // The linear parts agree: both sides are equal at c = 1, where only the whole steps of the left side count.
    let Mode { bound, extent, .. } = right[right.len() - 1];
    Ok(tri!(floor_sum::first_nonzero(terms.as_slice(), bound * extent)).is_none())
}

/// A halved side of the box, with its earlier bounds.
#[derive(Clone, Copy)]
struct Halved {
    side: usize,
    low: i64,
    high: i64,
}

/// The most halvings down to a single coordinate: the product of the extents is below `2^63`, and each extent takes at
/// most one halving more than its logarithm.
const MAX_HALVED: usize = 63 + MAX_LEAVES;

/// Whether the weighted counts vanish on the whole box.
const fn zero_on_box(
    left: &[Mode],
    weights: &[i128; MAX_LEAVES],
    passed: &[usize],
    runs: &[Run],
    boxes: &mut usize,
) -> Result<bool, Error> {
    let carrying = tri!(carrying(left, passed, runs));
    let runs = carrying.as_slice();
    if runs.len() == 1 {
        let mut terms = Terms::new(NO_FLOOR);
        tri!(push_floors(left, weights, runs[0].step, &mut terms));
        return Ok(tri!(floor_sum::first_nonzero(terms.as_slice(), runs[0].extent)).is_none());
    }
    // The corners of the current box, both inclusive.
    let (mut low, mut high) = ([0; MAX_LEAVES], last(runs));
    let mut halved = List::<Halved, MAX_HALVED>::new(Halved { side: 0, low: 0, high: 0 });
    loop {
        if *boxes == 0 {
            return Err(UNDECIDED);
        }
        *boxes -= 1;
        let (mut sum, mut changing, mut k) = (0i128, None, 0);
        while k < passed.len() {
            let bound = left[passed[k]].bound;
            let most = count(bound, runs, &high);
            if most != count(bound, runs, &low) {
                changing = Some(bound);
            }
            let Some(change) = weights[passed[k]].checked_mul(most) else { return Err(UNDECIDED) };
            let Some(next) = sum.checked_add(change) else { return Err(UNDECIDED) };
            sum = next;
            k += 1;
        }
        if sum != 0 {
            return Ok(false);
        }
        if let Some(bound) = changing {
            let side = widest(bound, runs, &low, &high);
            tri!(halved.push(Halved { side, low: low[side], high: high[side] }, "boxes"));
            high[side] = low[side] + (high[side] - low[side]) / 2;
            continue;
        }
        // Moves on to the upper half of the last halved side that still has one.
        loop {
            let Some(parent) = halved.as_slice().last() else { return Ok(true) };
            let side = parent.side;
            if high[side] < parent.high {
                (low[side], high[side]) = (high[side] + 1, parent.high);
                break;
            }
            low[side] = parent.low;
            halved.truncate(halved.len() - 1);
        }
    }
}

/// The modes whose steps leave a remainder at one of the bounds.
const fn carrying(left: &[Mode], passed: &[usize], runs: &[Run]) -> Result<List<Run, MAX_LEAVES>, Error> {
    let mut carrying = List::new(NO_RUN);
    let mut i = 0;
    while i < runs.len() {
        let mut k = 0;
        while k < passed.len() && runs[i].step.rem_euclid(left[passed[k]].bound) == 0 {
            k += 1;
        }
        if k < passed.len() {
            tri!(carrying.push(runs[i], "modes"));
        }
        i += 1;
    }
    Ok(carrying)
}

/// The last coordinate.
const fn last(runs: &[Run]) -> [i64; MAX_LEAVES] {
    let (mut last, mut i) = ([0; MAX_LEAVES], 0);
    while i < runs.len() {
        last[i] = runs[i].extent - 1;
        i += 1;
    }
    last
}

/// The number of times that the remainders pass the bound up to a coordinate. The product of the extents fits 64 bits,
/// and so does the sum of the coordinates: this cannot overflow.
const fn count(bound: i64, runs: &[Run], coordinate: &[i64]) -> i128 {
    let (mut sum, mut i) = (0, 0);
    while i < runs.len() {
        sum += runs[i].step.rem_euclid(bound) as i128 * coordinate[i] as i128;
        i += 1;
    }
    sum / bound as i128
}

/// The side of the box along which the count of a bound grows most; it grows along at least one.
const fn widest(bound: i64, runs: &[Run], low: &[i64], high: &[i64]) -> usize {
    let (mut side, mut most, mut i) = (0, 0, 0);
    while i < runs.len() {
        let growth = runs[i].step.rem_euclid(bound) as i128 * (high[i] - low[i]) as i128;
        if growth > most {
            (side, most) = (i, growth);
        }
        i += 1;
    }
    side
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;

    fn carry(boundary: i64, first: usize, last: usize) -> Result<Layout, Error> {
        Err(Error::Carry { boundary, first, last })
    }

    /// Whether `A(sum d_i c_i) = sum A(d_i c_i)` on the whole domain of a flat layout.
    fn distributes(a: &Layout, b: &Layout) -> bool {
        (0..b.size()).all(|index| {
            let (mut rest, mut sum) = (index, 0);
            for &Leaf { extent, stride } in b.leaves() {
                sum += a.at(stride.numerator() * (rest % extent));
                rest /= extent;
            }
            a.at(b.at(index)) == sum
        })
    }

    #[test]
    fn where_carries_may_cancel_the_verdict_is_that_of_evaluation() {
        let (mut layouts, mut refused) = (0, 0);
        // The strides of A change by u, v and w at the ends of its modes.
        for ((s, t), (u, v, w)) in [
            ((2, 2), (1, -1, 0)),
            ((2, 3), (1, -1, 1)),
            ((3, 2), (1, -2, 1)),
            ((3, 3), (-1, 1, 0)),
            ((4, 2), (2, -1, -1)),
        ] {
            let (d, e) = (s + u, t * (s + u) + v);
            let a = Layout::of((s, t, 2, 2), (1, d, e, 2 * e + w)).unwrap();
            for shape in [(2, 2, 1), (2, 3, 2), (3, 3, 1), (5, 2, 1), (2, 2, 2), (4, 1, 3), (1, 7, 2)] {
                for x in -2..2 * s * t {
                    for y in 1..2 * s * t {
                        let b = Layout::of(shape, (x, y, s * t + 1)).unwrap();
                        match a.composition(&b) {
                            Ok(found) => {
                                layouts += 1;
                                for index in 0..b.size() {
                                    assert_eq!(found.at(index), a.at(b.at(index)), "{a} o {b}");
                                }
                            }
                            Err(Error::Carry { first, last, .. }) => {
                                refused += 1;
                                assert!(first == last || !distributes(&a, &b), "{a} o {b}");
                            }
                            Err(error) => {
                                assert!(matches!(error, Error::ShapeDivisibility { .. }), "{error}")
                            }
                        }
                    }
                }
            }
        }
        assert!(layouts > 500 && refused > 500, "{layouts} layouts, {refused} refused");
    }

    #[test]
    fn carries_cancel_along_a_line_however_long() {
        // The bounds 100000 and 200000 are passed at the same multiples of 199999, up to the hundred thousandth.
        const A: Layout = layout!((100000,2,4):(1,100001,200001));
        for (b, expected) in [
            (layout!(100001:199999), layout!(100001:200000)),
            (layout!(200002:199999), layout!((100001,2):(200000,20000199999))),
            // The other leaf does not carry, has stride 0, or has one coordinate.
            (layout!((100001,5):(199999,400000)), layout!((100001,5):(200000,400002))),
            (layout!((5,100001):(400000,199999)), layout!((5,100001):(400002,200000))),
            (layout!((100001,3):(199999,0)), layout!((100001,3):(200000,0))),
            (layout!((100001,1):(199999,3)), layout!((100001,1):(200000,0))),
        ] {
            assert_eq!(A.composition(&b).map(|found| found.coalesce()), Ok(expected.coalesce()), "{b}");
        }
        // The two modes found for one leaf agree with A only for the first coordinates.
        let short = layout!((2,2,2,2):(1,3,5,10)).composition(&layout!(12:3));
        assert!(matches!(short, Err(Error::Carry { first: 0, last: 0, .. })));
        // Two leaves that carry form a box that is too large for the budget.
        assert_eq!(
            A.composition(&layout!((50000,2):(199999,1))),
            Err(Error::Undecided { operation: "composition" })
        );
    }

    #[test]
    fn the_fewest_neighbouring_leaves_that_carry_are_named() {
        const A: Layout = layout!((6,2):(1,7));
        assert_eq!(A.composition(&layout!((3,2,2):(2,3,12))), carry(6, 0, 1));
        assert_eq!(A.composition(&layout!((2,3,2):(12,2,3))), carry(6, 1, 2));
        assert_eq!(A.composition(&layout!((3,2,2):(2,12,3))), carry(6, 0, 2));
        assert_eq!(A.composition(&layout!((2,(3,2),2):(12,(2,3),24))), carry(6, 1, 2));
        // Two modes of the leaf (2,2):(4,9) carry on their own.
        assert_eq!(layout!((3,3,4):(1,2,7)).composition(&layout!((2,4,2):(36,6,72))), carry(9, 1, 1));
    }

    #[test]
    fn the_most_leaves() {
        let strides: std::vec::Vec<i64> = (0..32).map(|k| 3 * k * k + 1).collect();
        let mut text = std::format!("({}2):(", "2,".repeat(31));
        for stride in &strides {
            text += &std::format!("{stride},");
        }
        text.pop();
        text.push(')');
        let a: Layout = text.parse().unwrap();
        assert_eq!(a.composition(&layout!(1073741824:3)), carry(4, 0, 0));
    }

    #[test]
    fn parts_of_weights() {
        let mut weights = [0; MAX_LEAVES];
        let passed: std::vec::Vec<usize> = (1..12).collect();
        for (parts, zero) in [
            (&[1, -1][..], true),
            (&[1, -2], false),
            (&[3, 5, -8], true),
            (&[2, 5, -2], true),
            (&[-3, 5, 1], false),
            (&[4, 2, -1, -5], true),
            (&[1; 10], false),
            (&[1, 1, 1, 1, 1, 1, 1, 1, 1, -9], true),
            // Too many subsets.
            (&[1; 11], true),
        ] {
            weights[1..=parts.len()].copy_from_slice(parts);
            assert_eq!(some_part_sums_to_zero(&passed[..parts.len()], &weights), zero, "{parts:?}");
        }
    }

    #[test]
    fn each_component_is_looked_at_once() {
        let mut room = room();
        let layout = layout!((2,3,2,5,7,2):(1@0,1@1,0,3@1,5@0,2@1));
        let units = units(modes_of(layout.leaves(), &mut room)).unwrap();
        assert_eq!(units.len(), 2);
    }
}

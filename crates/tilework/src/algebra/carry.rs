//! The carry test: does `A(sum d_i c_i) = sum c_i A(d_i)` hold on a box of coordinates? Exact
//! (ARCHITECTURE.md, theorem 2).
//!
//! With `t_(i,r) = d_i mod P_r`, the difference of the two sides is `sum_r E_r W_r(c)`, where
//! `W_r(c) = floor(sum_i t_(i,r) c_i / P_r)` counts how often the remainders pass the bound `P_r`. The counts grow with
//! `c`. Let `V` be the bounds that are passed at all.
//!
//! 1. `V` is empty: nothing carries. This is the test that composition makes first, without coming here.
//! 2. No part of the `E_r` of `V` sums to 0: not linear. At a smallest coordinate where something carries, every count
//!    is 0 or 1, and the difference is the sum of such a part.
//! 3. Else carries may cancel. One mode: the counts are floors along a line ([`super::floor_sum`]). Several: the box is
//!    halved until the counts are equal in opposite corners, and so within; exact, with a budget for the work.

use super::composition::{self, Mode};
use super::floor_sum::{self, Floor};
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, Part};
use crate::list::List;
use crate::stride::{Stride, Unit};
use crate::tuple::{HTuple, MAX_LEAVES};

/// How many boxes are looked at before the answer is "undecided".
const MAX_BOXES: usize = 1 << 14;

/// Up to so many bounds all parts of their weights are summed.
const MAX_PARTS: usize = 10;

/// One mode of the composition: `extent` steps of `step`, from leaf `leaf` of the right operand.
#[derive(Clone, Copy)]
struct Run {
    extent: i64,
    step: i64,
    leaf: usize,
    /// The step's offset.
    stride: Stride,
}

const NO_RUN: Run = Run { extent: 1, step: 0, leaf: 0, stride: Stride::ZERO };

/// Checks that the sums of the modes of a composition distribute, where some of them pass a bound. The result stands in
/// `out` from node `out_node` and leaf `out_leaf` on.
pub(crate) const fn check(
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
    match tri!(decide(left, runs.as_slice())) {
        None => Ok(()),
        Some(bound) => Err(describe(left, runs.as_slice(), bound)),
    }
}

/// Whether `layout` is linear on the box of the modes `extent:step`, `A(sum d_i c_i) = sum c_i A(d_i)`.
pub(crate) const fn linear_on_box(layout: &Layout, box_of: &[(i64, i64)]) -> Result<bool, Error> {
    let mut runs = List::<Run, MAX_LEAVES>::new(NO_RUN);
    let mut leaf = 0;
    while leaf < box_of.len() {
        let (extent, step) = box_of[leaf];
        if extent > 1 && step != 0 {
            tri!(runs.push(Run { extent, step, leaf, stride: Stride::ZERO }, "modes"));
        }
        leaf += 1;
    }
    let mut room = composition::room();
    Ok(tri!(decide(composition::modes_of(layout.leaves(), &mut room), runs.as_slice())).is_none())
}

/// The bound at which a carry changes the offset for some coordinate of the modes, if one does.
const fn decide(left: &[Mode], runs: &[Run]) -> Result<Option<i64>, Error> {
    let units = units(left);
    let mut u = 0;
    while u < units.len() {
        let carry = tri!(carries(left, units.as_slice()[u], runs));
        if carry.is_some() {
            return Ok(carry);
        }
        u += 1;
    }
    Ok(None)
}

/// The error for modes of which the sums do not distribute: the fewest neighbouring leaves that carry together.
const fn describe(left: &[Mode], runs: &[Run], bound: i64) -> Error {
    let (mut begin, mut end, mut bound) = (0, runs.len(), bound);
    let mut k = 1;
    while k < runs.len() {
        if runs[k].leaf != runs[k - 1].leaf
            && let Ok(Some(own)) = decide(left, runs.split_at(k).0)
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
            && let Ok(Some(own)) = decide(left, runs.split_at(end).0.split_at(k).1)
        {
            (begin, bound) = (k, own);
            break;
        }
    }
    Error::Carry { boundary: bound, first: runs[begin].leaf, last: runs[end - 1].leaf }
}

/// The turn of a single leaf, where at `turn` several bounds are passed at once and the changes may cancel.
pub(crate) const fn first_turn(left: &[Mode], turn: i64, rest: i64) -> Result<i64, Error> {
    let units = units(left);
    let (mut first, mut u) = (rest, 0);
    while u < units.len() && first > turn {
        let unit = units.as_slice()[u];
        let weights = tri!(weights(left, unit, tri!(denominator(left, unit))));
        let mut terms = List::<Floor, MAX_LEAVES>::new(NO_FLOOR);
        let mut r = 1;
        while r < left.len() {
            if weights[r] != 0 {
                let (numerator, denominator) = (left[r].remainder, left[r].bound);
                tri!(terms.push(Floor { weight: weights[r], numerator, denominator }, "modes"));
            }
            r += 1;
        }
        if let Some(own) = floor_sum::first_nonzero(terms.as_slice(), first) {
            first = own;
        }
        u += 1;
    }
    Ok(first)
}

const NO_FLOOR: Floor = Floor { weight: 0, numerator: 0, denominator: 1 };

/// The units of the strides, each once: the components of the offsets.
const fn units(left: &[Mode]) -> List<Unit, MAX_LEAVES> {
    let mut units = List::new(Unit::ONE);
    let mut r = 0;
    while r < left.len() {
        let unit = left[r].stride.unit();
        let (mut known, mut i) = (left[r].stride.is_zero(), 0);
        while i < units.len() {
            known |= units.as_slice()[i].same(unit);
            i += 1;
        }
        if !known {
            // There are no more units than strides.
            let _ = units.push(unit, "units");
        }
        r += 1;
    }
    units
}

/// A common denominator of the strides in one component.
const fn denominator(left: &[Mode], unit: Unit) -> Result<i64, Error> {
    let (mut common, mut r) = (1i64, 0);
    while r < left.len() {
        if left[r].stride.unit().same(unit) {
            let own = left[r].stride.denominator();
            common = tri!(int::mul(common, own / int::gcd(common as u64, own as u64) as i64));
        }
        r += 1;
    }
    Ok(common)
}

/// `E_r` in one component, times `denominator`. They are small enough for sums of them to fit.
pub(super) const fn weights(
    left: &[Mode],
    unit: Unit,
    denominator: i64,
) -> Result<[i128; MAX_LEAVES], Error> {
    let mut weights = [0; MAX_LEAVES];
    let (mut before, mut r) = (0i128, 0);
    while r < left.len() {
        let stride = left[r].stride;
        let mut own = 0;
        if stride.unit().same(unit) {
            own = stride.numerator() as i128 * (denominator / stride.denominator()) as i128;
        }
        if r > 0 {
            weights[r] = match (left[r - 1].extent as i128).checked_mul(before) {
                Some(product) if (own - product / 2).unsigned_abs() < 1 << 118 => own - product,
                _ => {
                    return Err(Error::Overflow {
                        left: denominator,
                        operator: '*',
                        right: stride.numerator(),
                    });
                }
            };
        }
        before = own;
        r += 1;
    }
    Ok(weights)
}

/// [`decide`] in one component.
const fn carries(left: &[Mode], unit: Unit, runs: &[Run]) -> Result<Option<i64>, Error> {
    let denominator = tri!(denominator(left, unit));
    let weights = &tri!(weights(left, unit, denominator));
    // V: the bounds that are passed and count.
    let mut passed = List::<usize, MAX_LEAVES>::new(0);
    let mut r = 1;
    while r < left.len() {
        if weights[r] != 0 && reach(left[r].bound, runs) >= left[r].bound as i128 {
            tri!(passed.push(r, "modes"));
        }
        r += 1;
    }
    if passed.is_empty() {
        return Ok(None);
    }
    let first = left[passed.as_slice()[0]].bound;
    if !some_part_sums_to_zero(passed.as_slice(), weights) {
        return Ok(Some(first));
    }
    if runs.len() > 1 && runs[0].leaf == runs[runs.len() - 1].leaf {
        let same = tri!(equal_on_line(left, weights, runs, unit, denominator));
        return Ok(if same { None } else { Some(first) });
    }
    let mut active = List::<Run, MAX_LEAVES>::new(NO_RUN);
    let mut i = 0;
    while i < runs.len() {
        let mut k = 0;
        while k < passed.len() && runs[i].step.rem_euclid(left[passed.as_slice()[k]].bound) == 0 {
            k += 1;
        }
        if k < passed.len() {
            tri!(active.push(runs[i], "modes"));
        }
        i += 1;
    }
    if active.len() == 1 {
        let mode = active.as_slice()[0];
        let mut terms = List::<Floor, MAX_LEAVES>::new(NO_FLOOR);
        let mut k = 0;
        while k < passed.len() {
            let r = passed.as_slice()[k];
            let (numerator, denominator) = (mode.step.rem_euclid(left[r].bound), left[r].bound);
            tri!(terms.push(Floor { weight: weights[r], numerator, denominator }, "modes"));
            k += 1;
        }
        let zero = floor_sum::first_nonzero(terms.as_slice(), mode.extent).is_none();
        return Ok(if zero { None } else { Some(first) });
    }
    let zero = tri!(zero_on_box(left, weights, passed.as_slice(), active.as_slice()));
    Ok(if zero { None } else { Some(first) })
}

/// Whether the weights of some non-empty part of `passed` sum to 0; `true` where there are too many parts to see.
const fn some_part_sums_to_zero(passed: &[usize], weights: &[i128; MAX_LEAVES]) -> bool {
    if passed.len() > MAX_PARTS {
        return true;
    }
    let mut part = 1u32;
    while part < 1 << passed.len() {
        let (mut sum, mut k) = (0i128, 0);
        while k < passed.len() {
            if part >> k & 1 == 1 {
                sum = sum.saturating_add(weights[passed[k]]);
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
        tri!(line.push_value(Leaf { extent: runs[i].extent, stride: runs[i].stride }));
        i += 1;
    }
    tri!(line.close_leaves(0));
    // Both sides in E-form: A(dc) = D_0 d c + sum E_r floor(d c / P_r), R(c) = R_0 c + sum e_k floor(c / p_k).
    let mut room = composition::room();
    let right = composition::modes_of(line.leaves(), &mut room);
    let own = tri!(self::weights(right, unit, denominator));
    let mut terms = List::<Floor, { 2 * MAX_LEAVES }>::new(NO_FLOOR);
    let mut r = 1;
    while r < left.len() {
        if weights[r] != 0 {
            let (numerator, denominator) = (step.rem_euclid(left[r].bound), left[r].bound);
            tri!(terms.push(Floor { weight: weights[r], numerator, denominator }, "modes"));
        }
        r += 1;
    }
    let mut k = 1;
    while k < right.len() {
        if own[k] != 0 {
            tri!(terms.push(Floor { weight: -own[k], numerator: 1, denominator: right[k].bound }, "modes"));
        }
        k += 1;
    }
    // What is linear agrees: both sides are equal at c = 1, where only the whole steps of the left side count.
    Ok(floor_sum::is_zero(terms.as_slice(), 0, right[right.len() - 1].bound * right[right.len() - 1].extent))
}

/// A box of coordinates, both corners within.
#[derive(Clone, Copy)]
struct Cell {
    low: [i64; MAX_RUNS],
    high: [i64; MAX_RUNS],
}

/// How many modes a box may have.
const MAX_RUNS: usize = 12;

/// The halves that wait: one for every halving of a side on the way to the box at hand.
const MAX_WAITING: usize = 64;

/// Whether the weighted counts vanish at the last coordinate: where they do not, no search is needed.
const fn zero_at_last(
    left: &[Mode],
    weights: &[i128; MAX_LEAVES],
    passed: &[usize],
    runs: &[Run],
) -> Result<bool, Error> {
    const UNDECIDED: Error = Error::Undecided { operation: "composition" };
    let (mut sum, mut k) = (0i128, 0);
    while k < passed.len() {
        let bound = left[passed[k]].bound;
        let count = reach(bound, runs) / bound as i128;
        let Some(change) = weights[passed[k]].checked_mul(count) else { return Err(UNDECIDED) };
        let Some(next) = sum.checked_add(change) else { return Err(UNDECIDED) };
        sum = next;
        k += 1;
    }
    Ok(sum == 0)
}

/// What the remainders modulo a bound add up to at the last coordinate. The extents' product fits in 64 bits, and so does
/// the sum of the coordinates: this cannot overflow.
const fn reach(bound: i64, runs: &[Run]) -> i128 {
    let (mut sum, mut i) = (0, 0);
    while i < runs.len() {
        sum += runs[i].step.rem_euclid(bound) as i128 * (runs[i].extent - 1) as i128;
        i += 1;
    }
    sum
}

/// Whether the weighted counts vanish on the whole box.
const fn zero_on_box(
    left: &[Mode],
    weights: &[i128; MAX_LEAVES],
    passed: &[usize],
    runs: &[Run],
) -> Result<bool, Error> {
    const UNDECIDED: Error = Error::Undecided { operation: "composition" };
    if !tri!(zero_at_last(left, weights, passed, runs)) {
        return Ok(false);
    }
    if runs.len() > MAX_RUNS {
        return Err(UNDECIDED);
    }
    let mut whole = Cell { low: [0; MAX_RUNS], high: [0; MAX_RUNS] };
    let mut i = 0;
    while i < runs.len() {
        whole.high[i] = runs[i].extent - 1;
        i += 1;
    }
    let mut waiting = List::<Cell, MAX_WAITING>::new(whole);
    tri!(waiting.push(whole, "boxes"));
    let mut boxes = 0;
    while !waiting.is_empty() {
        boxes += 1;
        if boxes > MAX_BOXES {
            return Err(UNDECIDED);
        }
        let cell = waiting.as_slice()[waiting.len() - 1];
        waiting.truncate(waiting.len() - 1);
        let (mut low_sum, mut high_sum, mut constant, mut k) = (0i128, 0i128, true, 0);
        while k < passed.len() {
            let r = passed[k];
            let low = count(left[r].bound, runs, &cell.low);
            let high = count(left[r].bound, runs, &cell.high);
            constant &= low == high;
            let (Some(a), Some(b)) = (weights[r].checked_mul(low), weights[r].checked_mul(high)) else {
                return Err(UNDECIDED);
            };
            let (Some(a), Some(b)) = (low_sum.checked_add(a), high_sum.checked_add(b)) else {
                return Err(UNDECIDED);
            };
            (low_sum, high_sum) = (a, b);
            k += 1;
        }
        if low_sum != 0 || high_sum != 0 {
            return Ok(false);
        }
        if constant {
            continue;
        }
        let side = widest(left, passed, runs, &cell);
        let middle = cell.low[side] + (cell.high[side] - cell.low[side]) / 2;
        let (mut below, mut above) = (cell, cell);
        below.high[side] = middle;
        above.low[side] = middle + 1;
        if waiting.len() + 2 > MAX_WAITING {
            return Err(UNDECIDED);
        }
        tri!(waiting.push(above, "boxes"));
        tri!(waiting.push(below, "boxes"));
    }
    Ok(true)
}

/// How often the remainders pass the bound at a coordinate.
const fn count(bound: i64, runs: &[Run], coordinate: &[i64; MAX_RUNS]) -> i128 {
    // The extents' product fits in 64 bits, and so does the sum of the coordinates: this cannot overflow.
    let (mut sum, mut i) = (0i128, 0);
    while i < runs.len() {
        sum += runs[i].step.rem_euclid(bound) as i128 * coordinate[i] as i128;
        i += 1;
    }
    sum / bound as i128
}

/// The side along which the counts change the most; it has more than one coordinate.
const fn widest(left: &[Mode], passed: &[usize], runs: &[Run], cell: &Cell) -> usize {
    let (mut side, mut most, mut i) = (0, -1i128, 0);
    while i < runs.len() {
        let width = (cell.high[i] - cell.low[i]) as i128;
        let mut k = 0;
        while width > 0 && k < passed.len() {
            let bound = left[passed[k]].bound;
            // In 1/256 of a count, so that less than one can be told apart.
            let change = width * runs[i].step.rem_euclid(bound) as i128 / (bound as i128 / 256 + 1);
            if change > most {
                most = change;
                side = i;
            }
            k += 1;
        }
        i += 1;
    }
    side
}

//! Left inverses one bound at a time, for offsets that are close together.
//!
//! A first bound `p` with the stride `g` leaves a smaller problem of the same kind:
//!
//! ```text
//! G(x) = g (x mod p) + G'(floor(x / p))
//! ```
//!
//! The offsets with the floor `y` are a group, and `G'(y)` has to be among `i - g (x mod p)` for the indices `i` of each `x`
//! of it. Two offsets of one group leave few choices of `g`: the difference of two of their indices over that of the
//! offsets. Overlapping offsets have many indices, and a group leaves few values, or none. If a group at 0 leaves none,
//! no larger bound does, because its group contains these offsets too. Above 0 that group is determined by `g` alone,
//! `G(x) = g x` for `0 <= x < p`, so one index of the first place above 0 determines `g` and the largest `p`.
//!
//! If no two offsets share a group, `g` is unknown: such bounds come last, and are left to linear equations.

use super::image::{Element, contains, insert, reach};
use super::left_inverse::{BEYOND, Chain, LAST_FAILED, MAX_BOUNDS, Search, to_front};
use super::solutions::{Ring, UNDECIDED};
use crate::error::{Error, tri};
use crate::int;
use crate::list::List;

/// Neighbours: the starts of their elements.
#[derive(Clone, Copy)]
struct Pair {
    left: usize,
    right: usize,
    /// The number of pairs of their values, and a distance; fewer pairs are better.
    count: usize,
    distance: i64,
}

/// The number of pairs kept, those that leave the fewest strides.
const BEST_PAIRS: usize = 16;

/// A bound and its stride.
#[derive(Clone, Copy)]
struct Step {
    bound: i64,
    stride: i64,
    /// Whether all floors are 0 and -1. Then the unknown value at -1 stands for the effect of larger bounds.
    last: bool,
}

impl Pair {
    const fn is_better(self, than: Pair) -> bool {
        self.count < than.count || self.count == than.count && self.distance < than.distance
    }
}

impl Step {
    const fn digit(self, place: i64, floor: i64) -> i64 {
        if self.last { place } else { place - floor * self.bound }
    }
}

/// The strides that are possible for bounds above the first place after 0: a bound's stride determines the values of
/// the places below it.
#[derive(Clone, Copy)]
struct Near {
    offset: i64,
    /// Strides, and the first place at which each fails.
    strides: List<(i64, i64), MAX_NEAR>,
    /// The largest bound that is still possible.
    limit: i64,
}

/// The most strides that are kept.
const MAX_NEAR: usize = 128;

/// The most bounds that are kept for later.
const MAX_OPEN: usize = 64;

impl Search<'_, '_> {
    /// Whether the chain can be continued so that each place of the elements gets one of its values.
    pub(super) const fn descend(&mut self, chain: &mut Chain, from: usize, to: usize) -> Result<bool, Error> {
        let (low, high) = (self.image.elements[from].offset, self.image.elements[to - 1].offset);
        let mut most = if high > reach(low) { high } else { reach(low) };
        let mut step = Step { bound: most + 1, stride: 0, last: true };
        let mut open = List::<i64, MAX_OPEN>::new(0);
        let near = tri!(self.near(from, to));
        let pairs = tri!(self.best_pairs(from, to));
        loop {
            if step.bound > near.offset {
                let slopes = tri!(self.slopes(from, to, step.bound));
                let mut i = 0;
                while i < near.strides.len() {
                    let (stride, limit) = near.strides.as_slice()[i];
                    step.stride = stride;
                    if step.bound <= limit
                        && slopes.0 <= stride
                        && stride <= slopes.1
                        && tri!(self.descend_with(chain, from, to, step)).is_none()
                    {
                        return Ok(true);
                    }
                    i += 1;
                }
                if most > near.limit {
                    most = near.limit;
                }
            } else if let Some(pair) = tri!(self.pair(&pairs, from, to, step.bound)) {
                match tri!(self.descend_by(chain, from, to, step, pair)) {
                    Some(limit) if limit < most => most = limit,
                    Some(_) => {}
                    None => return Ok(true),
                }
            } else if step.last || self.divides_all(from, to, step.bound) {
                if tri!(self.descend_with(chain, from, to, step)).is_none() {
                    return Ok(true);
                }
            } else if open.push(step.bound, "bounds").is_err() {
                self.complete = false;
            }
            step.bound = if step.last { 2 } else { step.bound + 1 };
            step.last = false;
            while step.bound <= most && !self.cannot_be_cut(step.bound) {
                step.bound += 1;
            }
            if step.bound > most {
                break;
            }
            tri!(self.spend(1 << (step.bound.ilog2() / 2)));
        }
        let mut i = 0;
        while i < open.len() {
            let bound = open.as_slice()[i];
            i += 1;
            if bound <= most && tri!(self.extend_by(chain, bound)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The strides that give the first place above 0 one of its values, and for each the range of places that get one
    /// of theirs.
    const fn near(&mut self, from: usize, to: usize) -> Result<Near, Error> {
        let none = Near { offset: i64::MAX, strides: List::new((0, 0)), limit: 0 };
        let first = self.image.first_from(1, from, to);
        if first == to {
            return Ok(none);
        }
        let (behind, offset) = (self.image.next_place(first, to), self.image.elements[first].offset);
        let (mut near, mut i) = (Near { offset, limit: offset, ..none }, first);
        while i < behind {
            tri!(self.spend(1));
            if let Some(stride) = self.ring.ratio(self.image.elements[i].index, offset) {
                let limit = tri!(self.limit(stride, behind, to));
                if near.strides.push((stride, limit), "").is_err() {
                    return Ok(none);
                }
                if limit > near.limit {
                    near.limit = limit;
                }
            }
            i += 1;
        }
        Ok(near)
    }

    /// The first place to which a stride gives none of its values.
    const fn limit(&mut self, stride: i64, mut from: usize, to: usize) -> Result<i64, Error> {
        while from < to {
            let (offset, next) = (self.image.elements[from].offset, self.image.next_place(from, to));
            tri!(self.spend(2));
            let rest = tri!(self.ring.subtract(0, stride, offset));
            if !self.has(from, next, tri!(self.ring.minus(0, rest))) {
                return Ok(offset);
            }
            from = next;
        }
        Ok(i64::MAX)
    }

    /// Whether all places are multiples of a bound.
    const fn divides_all(&self, from: usize, to: usize, bound: i64) -> bool {
        let mut i = from;
        while i < to && self.image.elements[i].offset % bound == 0 {
            i += 1;
        }
        i == to
    }

    /// Tries all strides of a bound. Returns none if the chain was continued, otherwise the limit of the bounds that
    /// are still possible.
    const fn descend_by(
        &mut self,
        chain: &mut Chain,
        from: usize,
        to: usize,
        mut step: Step,
        pair: Pair,
    ) -> Result<Option<i64>, Error> {
        let (left, right) = (self.image.elements[pair.left].offset, self.image.elements[pair.right].offset);
        let floor = int::div_rem(left, step.bound).0;
        let digits = (step.digit(left, floor), step.digit(right, floor));
        // A failure just below 0 restricts larger bounds, too.
        let (slopes, mut limit) = if floor == -1 {
            ((i64::MIN, i64::MAX), if reach(left) > reach(right) { reach(left) } else { reach(right) })
        } else {
            (tri!(self.slopes(from, to, step.bound)), i64::MAX)
        };
        let (mut tried, mut i) = (List::<i64, 64>::new(0), pair.left);
        while i < self.image.next_place(pair.left, to) {
            let mut j = pair.right;
            while j < self.image.next_place(pair.right, to) {
                let difference =
                    tri!(self.ring.minus(self.image.elements[j].index, self.image.elements[i].index));
                let stride = self.ring.ratio(difference, tri!(self.ring.minus(digits.1, digits.0)));
                tri!(
                    self.spend(if matches!(self.ring, Ring::Polynomials) { 6 } else { 2 } + tried.len() / 8)
                );
                j += 1;
                let Some(stride) = stride else { continue };
                if stride < slopes.0 || stride > slopes.1 || contains(tried.as_slice(), stride) {
                    continue;
                }
                let _ = tried.push(stride, "");
                step.stride = stride;
                match tri!(self.descend_with(chain, from, to, step)) {
                    Some(failed) if failed > limit => limit = failed,
                    Some(_) => {}
                    None => return Ok(None),
                }
            }
            i += 1;
        }
        Ok(Some(limit))
    }

    /// The least and the largest stride for which the distances of two places of a group are within those of their
    /// values.
    const fn slopes(&mut self, mut from: usize, to: usize, bound: i64) -> Result<(i64, i64), Error> {
        let (mut least, mut most) = (i64::MIN, i64::MAX);
        if matches!(self.ring, Ring::Polynomials) {
            return Ok((least, most));
        }
        let (mut first, mut last) = (from, from);
        while from < to && least <= most {
            let next = self.image.next_place(from, to);
            tri!(self.spend(2));
            let place = self.image.elements[from].offset;
            if int::div_rem(place, bound).0 != int::div_rem(self.image.elements[first].offset, bound).0 {
                (first, last) = (from, from);
            }
            let mut before = first;
            while before < from {
                let steps = place - self.image.elements[before].offset;
                let end = self.image.next_place(before, to) - 1;
                let low =
                    tri!(self.ring.minus(self.image.elements[from].index, self.image.elements[end].index));
                let high = tri!(
                    self.ring.minus(self.image.elements[next - 1].index, self.image.elements[before].index)
                );
                let (low, high) = (int::ceil_div(low, steps), int::div_rem(high, steps).0);
                if low > least {
                    least = low;
                }
                if high < most {
                    most = high;
                }
                before = if before < last { last } else { from };
            }
            (last, from) = (from, next);
        }
        Ok((least, most))
    }

    /// Leaves the strides of a bound and of later ones to linear equations.
    const fn extend_by(&mut self, chain: &mut Chain, bound: i64) -> Result<bool, Error> {
        let count = chain.bounds.len();
        if count == MAX_BOUNDS {
            self.complete = false;
            return Ok(false);
        }
        let mut longer = Chain::new(self.ring);
        longer.bounds = chain.bounds;
        longer.solutions.one = chain.solutions.one;
        longer.solutions.one[BEYOND] = 0;
        longer.solutions.one[count] = 0;
        longer.solutions.one[count + 1] = 0;
        longer.solutions.let_free(BEYOND, self.image.low < 0);
        let mut unknown = 1;
        while unknown <= count + 1 {
            longer.solutions.let_free(unknown, unknown >= count);
            unknown += 1;
        }
        let bound = chain.bounds.as_slice()[count - 1] * bound;
        let _ = longer.bounds.push(bound, "");
        if tri!(self.extend(&mut longer, bound)) {
            *chain = longer;
            return Ok(true);
        }
        Ok(false)
    }

    /// The pairs closest to 0, which larger bounds do not separate, and the closest pairs.
    const fn best_pairs(&mut self, from: usize, to: usize) -> Result<[List<Pair, BEST_PAIRS>; 2], Error> {
        let mut best = [List::new(Pair { left: from, right: from, count: 0, distance: 0 }); 2];
        let (mut left, mut right) = (from, self.image.next_place(from, to));
        tri!(self.spend(1 + (to - from) / 4));
        while right < to {
            let next = self.image.next_place(right, to);
            let (low, high) = (self.image.elements[left].offset, self.image.elements[right].offset);
            let count = (right - left) * (next - right);
            let farther = if reach(low) > reach(high) { reach(low) } else { reach(high) };
            add_pair(&mut best[0], Pair { left, right, count, distance: farther });
            add_pair(&mut best[1], Pair { left, right, count, distance: high - low });
            (left, right) = (right, next);
        }
        Ok(best)
    }

    /// Neighbours in one group, if possible one of the best pairs.
    const fn pair(
        &mut self,
        best: &[List<Pair, BEST_PAIRS>; 2],
        from: usize,
        to: usize,
        bound: i64,
    ) -> Result<Option<Pair>, Error> {
        tri!(self.spend(4));
        let mut i = 0;
        while i < best[0].len() + best[1].len() {
            let first = best[0].as_slice();
            let pair = if i < first.len() { first[i] } else { best[1].as_slice()[i - first.len()] };
            if self.together_at(pair.left, pair.right, bound) {
                return Ok(Some(pair));
            }
            i += 1;
        }
        let (mut left, mut right) = (from, self.image.next_place(from, to));
        tri!(self.spend((to - from) / 4));
        while right < to {
            let next = self.image.next_place(right, to);
            if self.together_at(left, right, bound) {
                return Ok(Some(Pair { left, right, count: 0, distance: 0 }));
            }
            (left, right) = (right, next);
        }
        Ok(None)
    }

    const fn together_at(&self, left: usize, right: usize, bound: i64) -> bool {
        let (left, right) = (self.image.elements[left].offset, self.image.elements[right].offset);
        right - left < bound && int::div_rem(left, bound).0 == int::div_rem(right, bound).0
    }

    /// Tries one stride. Returns none if the chain was continued; otherwise a group at 0 fails for all bounds above the
    /// returned limit.
    const fn descend_with(
        &mut self,
        chain: &mut Chain,
        from: usize,
        to: usize,
        step: Step,
    ) -> Result<Option<i64>, Error> {
        let (mut failed, mut end, mut i) = (None, to, 0);
        let count = chain.bounds.len();
        while i < self.failed[count].len() && failed.is_none() {
            let floor = int::div_rem(self.failed[count].as_slice()[i], step.bound).0;
            let first = self.image.first_from(floor * step.bound, from, to);
            let behind = self.image.first_from((floor + 1) * step.bound, first, to);
            tri!(self.spend(8));
            failed = tri!(self.divide(first, behind, step, &mut { to }));
            i += 1;
        }
        if failed.is_some() {
            to_front(self.failed[count].as_mut_slice(), i - 1);
        } else {
            // The offsets at the ends of the image have few indices each.
            let floor = int::div_rem(self.image.elements[to - 1].offset, step.bound).0;
            let first = self.image.first_from(floor * step.bound, from, to);
            failed = tri!(self.divide(first, to, step, &mut { to }));
            if failed.is_none() {
                failed = tri!(self.divide(from, to, step, &mut end));
            }
            if let Some(offset) = failed {
                self.failed[count].truncate(LAST_FAILED - 1);
                insert(&mut self.failed[count], 0, offset);
            }
        }
        if let Some(offset) = failed {
            return Ok(Some(if reach(offset) < step.bound { reach(offset) } else { i64::MAX }));
        }
        chain.solutions.one[count] = step.stride;
        if step.last {
            let Element { offset, index } = self.image.elements[to];
            chain.solutions.one[BEYOND] = if offset < 0 { index } else { 0 };
            return Ok(None);
        }
        if count == MAX_BOUNDS {
            self.complete = false;
            return Ok(Some(i64::MAX));
        }
        let _ = chain.bounds.push(chain.bounds.as_slice()[count - 1] * step.bound, "");
        if tri!(self.descend(chain, to, end)) {
            return Ok(None);
        }
        chain.bounds.truncate(count);
        Ok(Some(i64::MAX))
    }

    /// Appends the places and the values after a step, or returns the place farthest from 0 that leaves its group no
    /// value.
    const fn divide(
        &mut self,
        mut from: usize,
        to: usize,
        step: Step,
        end: &mut usize,
    ) -> Result<Option<i64>, Error> {
        while from < to {
            let lowest = self.image.elements[from].offset;
            let floor = int::div_rem(lowest, step.bound).0;
            let (first, mut place, mut next) = (*end, from, self.image.next_place(from, to));
            let part = tri!(self.part(from, floor, step));
            tri!(self.spend(2 + (next - from) / 4));
            if *end + (next - from) > self.image.elements.len() {
                return Err(UNDECIDED);
            }
            while from < next {
                let index = tri!(self.ring.plus(self.image.elements[from].index, part));
                self.image.elements[*end] = Element { offset: floor, index };
                *end += 1;
                from += 1;
            }
            while from < to
                && *end > first
                && self.image.elements[from].offset - floor * step.bound < step.bound
            {
                (place, next) = (from, self.image.next_place(from, to));
                let part = tri!(self.part(place, floor, step));
                tri!(self.keep_common(first, end, place, next, part));
                from = next;
            }
            if *end == first {
                return Ok(Some(if floor < 0 { lowest } else { self.image.elements[place].offset }));
            }
            if matches!(self.ring, Ring::Polynomials) {
                tri!(self.sort_values(first, *end));
            }
        }
        Ok(None)
    }

    /// The amount that a step subtracts from the values of a place.
    const fn part(&self, place: usize, floor: i64, step: Step) -> Result<i64, Error> {
        self.ring.subtract(0, step.stride, step.digit(self.image.elements[place].offset, floor))
    }

    /// Keeps the values of `first..end` that a place has too.
    const fn keep_common(
        &mut self,
        first: usize,
        end: &mut usize,
        from: usize,
        to: usize,
        part: i64,
    ) -> Result<(), Error> {
        let (all, mut from, mut k) = (*end, from, first);
        let (few, many) = ((all - first) * (2 + (to - from).ilog2() as usize), all - first + to - from);
        // Both are ascending, unless XORs change the order.
        let merge = matches!(self.ring, Ring::Integers) && many < few;
        tri!(self.spend(if merge { many } else { few } / 4 + 1));
        *end = first;
        while k < all {
            let element = self.image.elements[k];
            let wanted = tri!(self.ring.minus(element.index, part));
            while merge && from < to && self.image.elements[from].index < wanted {
                from += 1;
            }
            if if merge {
                from < to && self.image.elements[from].index == wanted
            } else {
                self.has(from, to, wanted)
            } {
                self.image.elements[*end] = element;
                *end += 1;
            }
            k += 1;
        }
        Ok(())
    }

    /// Whether a value is among those of a place.
    const fn has(&self, mut from: usize, mut to: usize, value: i64) -> bool {
        while from < to {
            let middle = (from + to) / 2;
            if self.image.elements[middle].index < value {
                from = middle + 1;
            } else if self.image.elements[middle].index > value {
                to = middle;
            } else {
                return true;
            }
        }
        false
    }

    /// Shell's sort.
    const fn sort_values(&mut self, from: usize, to: usize) -> Result<(), Error> {
        let mut gap = (to - from) / 2;
        while gap > 0 {
            tri!(self.spend((to - from) / 2));
            let mut i = from + gap;
            while i < to {
                let (element, mut at) = (self.image.elements[i], i);
                while at >= from + gap && self.image.elements[at - gap].index > element.index {
                    self.image.elements[at] = self.image.elements[at - gap];
                    at -= gap;
                }
                self.image.elements[at] = element;
                i += 1;
            }
            gap = if gap == 2 { 1 } else { gap * 5 / 11 };
        }
        Ok(())
    }
}

const fn add_pair(best: &mut List<Pair, BEST_PAIRS>, pair: Pair) {
    let mut at = best.len();
    while at > 0 && pair.is_better(best.as_slice()[at - 1]) {
        at -= 1;
    }
    if at < BEST_PAIRS {
        best.truncate(BEST_PAIRS - 1);
        insert(best, at, pair);
    }
}

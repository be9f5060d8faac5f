//! The offsets of a layout and their indices, for the search for a left inverse.

use super::solutions::{Ring, UNDECIDED};
use crate::algebra::indexed::Indexed;
use crate::error::{Error, tri};
use crate::int;
use crate::list::List;
use crate::tuple::MAX_LEAVES;

/// The most points that are examined, and those that are chosen before the search.
pub(super) const MAX_POINTS: usize = 120;
const FIRST_POINTS: usize = 72;

/// How many of those are at either end of the image, and around 0.
const AT_ENDS: usize = 20;

/// How many of those are pairs of the closest offsets.
const CLOSE_PAIRS: usize = 8;

/// The most elements of a layout that is searched completely.
pub(super) const MAX_SIZE: usize = 1 << 14;

/// The largest magnitude of an offset, so that sums of two fit.
const MAX_REACH: i64 = 1 << 61;

pub(super) const NOWHERE: usize = usize::MAX;

/// An offset of the layout.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub offset: i64,
    /// All bounds above this have the floor 0 or -1 there.
    pub reach: i64,
    /// The start of its elements, one for each of its indices.
    pub start: usize,
    pub count: usize,
    /// The common divisor of the differences of its indices; 0 if there is one index.
    pub modulus: i64,
    /// The nearest points with a modulus that are not above it, and above.
    pub below: usize,
    pub above: usize,
}

impl Point {
    /// Whether its index is known, up to multiples of a modulus.
    pub const fn has_modulus(&self) -> bool {
        self.modulus != 1
    }
}

/// An offset with one of its indices; in the problems after a first bound, a place with one of its values.
#[derive(Clone, Copy)]
pub(super) struct Element {
    pub offset: i64,
    pub index: i64,
}

impl Element {
    pub const NONE: Element = Element { offset: 0, index: 0 };
}

/// The offsets of a layout, and some of them as points.
pub(super) struct Image<'a> {
    /// In the order of their indices.
    pub modes: List<Indexed, MAX_LEAVES>,
    /// How offsets are summed, and how the inverse sums indices.
    sum: Ring,
    ring: Ring,
    /// By offset, and for one offset by index. After them is room for those of smaller problems.
    pub elements: &'a mut [Element],
    pub size: usize,
    /// The smallest offset and the largest.
    pub low: i64,
    high: i64,
    /// All bounds above this have the floor 0 or -1 on the whole image; the second, on that of the given layout.
    pub reach: i64,
    pub whole_reach: i64,
    whole: bool,
    /// Whether modes of stride 0 are included.
    still: bool,
    pub points: List<Point, MAX_POINTS>,
}

const NO_POINT: Point =
    Point { offset: 0, reach: 0, start: 0, count: 0, modulus: 0, below: NOWHERE, above: NOWHERE };

impl Image<'_> {
    /// Within a room of at least twice the elements of the layout.
    pub const fn new(sum: Ring, ring: Ring, elements: &mut [Element]) -> Image<'_> {
        Image {
            modes: List::new(Indexed { stride: 0, extent: 1, index: 1 }),
            sum,
            ring,
            elements,
            size: 1,
            low: 0,
            high: 0,
            reach: 0,
            whole_reach: 0,
            whole: true,
            still: false,
            points: List::new(NO_POINT),
        }
    }

    /// The modes, with all strides divided by `unit`; those of stride 0 only with `still`.
    pub const fn fill(&mut self, modes: &[Indexed], unit: i64, still: bool) -> Result<(), Error> {
        self.still = still;
        self.modes.truncate(0);
        self.points.truncate(0);
        let mut i = 0;
        while i < modes.len() {
            let Indexed { stride, extent, index } = modes[i];
            i += 1;
            if stride == 0 && !still {
                continue;
            }
            let mut at = self.modes.len();
            while at > 0 && self.modes.as_slice()[at - 1].index > index {
                at -= 1;
            }
            insert(&mut self.modes, at, Indexed { stride: stride / unit, extent, index });
        }
        self.whole_reach = 0;
        self.whole = !self.cut_short();
        if !self.whole {
            tri!(self.reach_of_all(modes, unit));
        }
        self.elements[0] = Element::NONE;
        (self.size, i) = (1, 0);
        while i < self.modes.len() {
            let Indexed { stride, extent, index } = self.modes.as_slice()[i];
            i += 1;
            let (mut c, inner) = (1, self.size);
            while c < extent {
                let (own, mut k) = (self.scaled(stride, c), 0);
                while k < inner {
                    let Element { offset, index: rest } = self.elements[k];
                    self.elements[self.size] =
                        Element { offset: self.sum(own, offset), index: rest + c * index };
                    self.size += 1;
                    k += 1;
                }
                c += 1;
            }
        }
        (self.low, self.high, i) = (0, 0, 0);
        while i < self.size {
            let offset = self.elements[i].offset;
            if offset < self.low {
                self.low = offset;
            } else if offset > self.high {
                self.high = offset;
            }
            i += 1;
        }
        self.reach = if self.high > reach(self.low) { self.high } else { reach(self.low) };
        if self.whole_reach == 0 {
            self.whole_reach = self.reach;
        }
        if self.whole_reach > MAX_REACH {
            return Err(UNDECIDED);
        }
        self.sort();
        self.choose_points()
    }

    /// Sorts the elements, which are in the order of their indices, by offset, a byte at a time; and drops all indices
    /// of offset 0 except 0, because a layout maps 0 to 0.
    const fn sort(&mut self) {
        let (low, high, mut shift) = (self.low, self.high, 0);
        let half = self.elements.len() / 2;
        while shift < 64 && (high - low) as u64 >> shift != 0 {
            let (mut ends, mut i) = ([0usize; 257], 0);
            while i < self.size {
                ends[((self.elements[i].offset - low) as u64 >> shift) as usize % 256 + 1] += 1;
                i += 1;
            }
            i = 1;
            while i < 256 {
                ends[i] += ends[i - 1];
                i += 1;
            }
            i = 0;
            while i < self.size {
                let at = &mut ends[((self.elements[i].offset - low) as u64 >> shift) as usize % 256];
                self.elements[half + *at] = self.elements[i];
                *at += 1;
                i += 1;
            }
            i = 0;
            while i < self.size {
                self.elements[i] = self.elements[half + i];
                i += 1;
            }
            shift += 8;
        }
        let (mut kept, mut i) = (0, 0);
        while i < self.size {
            let element = self.elements[i];
            if element.offset != 0 || element.index == 0 {
                self.elements[kept] = element;
                kept += 1;
            }
            i += 1;
        }
        self.size = kept;
    }

    /// Halves the longest mode until the layout is small enough.
    const fn cut_short(&mut self) -> bool {
        let mut cut = false;
        loop {
            let (mut size, mut longest, mut i) = (1i64, 0, 0);
            let modes = self.modes.as_mut_slice();
            while i < modes.len() {
                size = size.saturating_mul(modes[i].extent);
                if modes[i].extent > modes[longest].extent {
                    longest = i;
                }
                i += 1;
            }
            if size <= MAX_SIZE as i64 {
                return cut;
            }
            modes[longest].extent /= 2;
            cut = true;
        }
    }

    /// The reach of the whole layout, of which this is a part.
    const fn reach_of_all(&mut self, modes: &[Indexed], unit: i64) -> Result<(), Error> {
        let (mut low, mut high, mut i) = (0, 0, 0);
        if matches!(self.sum, Ring::Polynomials) {
            return Err(UNDECIDED);
        }
        while i < modes.len() {
            let end = tri!(int::mul(modes[i].stride / unit, modes[i].extent - 1));
            if end < 0 {
                low += end;
            } else {
                high += end;
            }
            i += 1;
        }
        self.whole_reach = if high > reach(low) { high } else { reach(low) };
        Ok(())
    }

    /// Whether this is the whole layout.
    pub const fn is_whole(&self) -> bool {
        self.whole
    }

    /// Whether each offset has one index, and none is below 0, as far as the points show.
    pub const fn is_injective(&self) -> bool {
        let (mut injective, mut i) = (self.low == 0, 0);
        while i < self.points.len() {
            injective &= self.points.as_slice()[i].count == 1;
            i += 1;
        }
        injective
    }

    /// The start of the elements of the next offset.
    pub const fn next_place(&self, start: usize, end: usize) -> usize {
        let (offset, mut next, mut step) = (self.elements[start].offset, start + 1, 1);
        // An offset may have hundreds of indices.
        while next < end && self.elements[next].offset == offset {
            next += step;
            step *= 2;
        }
        if step <= 2 {
            return next;
        }
        self.first_from(offset + 1, next - step / 2, if next < end { next } else { end })
    }

    /// The first element with at least this offset in a range of the elements.
    pub const fn first_from(&self, offset: i64, mut start: usize, mut end: usize) -> usize {
        while start < end {
            let middle = (start + end) / 2;
            if self.elements[middle].offset < offset {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }

    /// The points that distinguish most chains of bounds: at both ends of the image, which have few indices each,
    /// around 0, the strides, the ends of the modes, and the closest neighbours.
    const fn choose_points(&mut self) -> Result<(), Error> {
        let mut offsets = List::<i64, FIRST_POINTS>::new(0);
        insert_once(&mut offsets, 0);
        let zero = self.first_from(0, 0, self.size);
        let (mut first, mut last, mut below, mut above, mut i) = (0, self.size, zero, zero, 0);
        while i < AT_ENDS {
            if first < self.size {
                insert_once(&mut offsets, self.elements[first].offset);
                first = self.next_place(first, self.size);
            }
            if last > 0 {
                insert_once(&mut offsets, self.elements[last - 1].offset);
                last = self.first_from(self.elements[last - 1].offset, 0, last);
            }
            if self.low < 0 && i < AT_ENDS / 2 {
                if below > 0 {
                    insert_once(&mut offsets, self.elements[below - 1].offset);
                    below = self.first_from(self.elements[below - 1].offset, 0, below);
                }
                if above < self.size {
                    insert_once(&mut offsets, self.elements[above].offset);
                    above = self.next_place(above, self.size);
                }
            }
            i += 1;
        }
        i = 0;
        while i < self.modes.len() {
            let Indexed { stride, extent, .. } = self.modes.as_slice()[i];
            insert_once(&mut offsets, stride);
            insert_once(&mut offsets, self.scaled(stride, extent - 1));
            i += 1;
        }
        let closest = self.closest_pairs();
        i = 0;
        while i < closest.len() {
            let (low, high) = closest.as_slice()[i];
            insert_once(&mut offsets, low);
            insert_once(&mut offsets, high);
            i += 1;
        }
        i = 0;
        while i < offsets.len() {
            tri!(self.add(self.first_from(offsets.as_slice()[i], 0, self.size)));
            i += 1;
        }
        Ok(())
    }

    /// Neighbouring offsets with the smallest gaps.
    const fn closest_pairs(&self) -> List<(i64, i64), CLOSE_PAIRS> {
        let (mut closest, mut gap) = (List::new((0, 0)), 0);
        while gap < i64::MAX && closest.len() < CLOSE_PAIRS {
            // The pairs with the next larger gap.
            let (mut next, mut i) = (i64::MAX, 1);
            while i < self.size {
                let (low, high) = (self.elements[i - 1].offset, self.elements[i].offset);
                if high - low > gap && high - low < next {
                    next = high - low;
                }
                if high - low == gap && gap > 0 && closest.len() < CLOSE_PAIRS {
                    let _ = closest.push((low, high), "");
                }
                i += 1;
            }
            gap = next;
        }
        closest
    }

    /// Adds the offset whose elements begin here to the points.
    pub const fn add(&mut self, start: usize) -> Result<(), Error> {
        if self.points.len() == MAX_POINTS {
            return Err(UNDECIDED);
        }
        let mut point = NO_POINT;
        point.offset = self.elements[start].offset;
        point.reach = reach(point.offset);
        point.start = start;
        point.count = self.next_place(start, self.size) - start;
        if point.count > 1 && !self.still {
            point.modulus = 1;
        }
        let mut i = 1;
        while i < point.count && point.modulus != 1 {
            let difference =
                tri!(self.ring.minus(self.elements[start + i].index, self.elements[start].index));
            point.modulus = self.ring.gcd(point.modulus, difference);
            i += 1;
        }
        tri!(self.points.push(point, "points"));
        self.link(self.points.len() - 1);
        Ok(())
    }

    /// Finds the neighbours of a point that have one index, and makes it a neighbour of others.
    const fn link(&mut self, own: usize) {
        let Point { offset, .. } = self.points.as_slice()[own];
        let known = self.points.as_slice()[own].has_modulus();
        let (mut below, mut above, mut i) = (if known { own } else { NOWHERE }, NOWHERE, 0);
        while i < self.points.len() {
            let points = self.points.as_slice();
            let mut other = points[i];
            if other.has_modulus() && i != own {
                if other.offset < offset && (below == NOWHERE || other.offset > points[below].offset) {
                    below = if known { own } else { i };
                }
                if other.offset > offset && (above == NOWHERE || other.offset < points[above].offset) {
                    above = i;
                }
            }
            if known && i != own {
                if offset < other.offset && (other.below == NOWHERE || offset > points[other.below].offset) {
                    other.below = own;
                }
                if offset > other.offset && (other.above == NOWHERE || offset < points[other.above].offset) {
                    other.above = own;
                }
                self.points.as_mut_slice()[i] = other;
            }
            i += 1;
        }
        let point = &mut self.points.as_mut_slice()[own];
        (point.below, point.above) = (below, above);
    }

    /// The offset of a coordinate of one mode.
    const fn scaled(&self, stride: i64, c: i64) -> i64 {
        match self.sum {
            Ring::Integers => stride * c,
            Ring::Polynomials => int::carryless_product(stride, c) as i64,
        }
    }

    const fn sum(&self, left: i64, right: i64) -> i64 {
        match self.sum {
            Ring::Integers => left + right,
            Ring::Polynomials => left ^ right,
        }
    }

    /// Whether the offset whose elements begin here has the index; its elements end before `end`.
    pub const fn lies_at(&self, start: usize, end: usize, index: i64) -> bool {
        let (mut i, offset) = (start, self.elements[start].offset);
        while i < end && self.elements[i].offset == offset {
            if self.elements[i].index == index {
                return true;
            }
            i += 1;
        }
        false
    }
}

pub(super) const fn reach(offset: i64) -> i64 {
    if offset < 0 { -1 - offset } else { offset }
}

pub(super) const fn contains(list: &[i64], number: i64) -> bool {
    let mut i = 0;
    while i < list.len() {
        if list[i] == number {
            return true;
        }
        i += 1;
    }
    false
}

/// Inserts a number in its place, unless it is present or there is no room.
const fn insert_once<const N: usize>(list: &mut List<i64, N>, number: i64) {
    let mut at = list.len();
    while at > 0 && list.as_slice()[at - 1] >= number {
        at -= 1;
    }
    if list.len() < N && (at == list.len() || list.as_slice()[at] != number) {
        insert(list, at, number);
    }
}

pub(super) const fn insert<T: Copy, const N: usize>(list: &mut List<T, N>, at: usize, item: T) {
    let _ = list.push(item, "");
    let slice = list.as_mut_slice();
    let mut i = slice.len() - 1;
    while i > at {
        slice[i] = slice[i - 1];
        i -= 1;
    }
    slice[at] = item;
}

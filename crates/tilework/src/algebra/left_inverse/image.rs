//! The offsets of a layout and their indices, as the search for a left inverse asks for them.

use super::solutions::{Ring, UNDECIDED};
use crate::algebra::indexed::Indexed;
use crate::error::{Error, tri};
use crate::int;
use crate::list::List;
use crate::tuple::MAX_LEAVES;

/// How many points may be looked at, and how many of them are chosen before the search.
pub(super) const MAX_POINTS: usize = 120;
const FIRST_POINTS: usize = 72;

/// Of those, how many at either end of the image, and around 0.
const AT_ENDS: usize = 20;

/// The most elements of a layout that is searched.
const MAX_SIZE: usize = 1 << 14;

/// How many lists of coordinates there are; all those of one offset are in one.
const LISTS: usize = 1 << 12;
const END: u16 = u16::MAX;

/// So many indices of one offset are looked at.
pub(super) const MAX_INDICES: usize = 48;

/// No offset lies further from 0, so that sums of two fit.
const MAX_REACH: i64 = 1 << 61;

pub(super) const NOWHERE: usize = usize::MAX;

/// An offset of the layout.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub offset: i64,
    /// All bounds above this have the floor 0 or -1 there.
    pub reach: i64,
    /// How many indices it has, as far as they are looked at.
    pub count: usize,
    /// The nearest points with one index that are not above it, and above.
    pub below: usize,
    pub above: usize,
}

impl Point {
    /// Whether the offset has one index.
    pub const fn is_single(&self) -> bool {
        self.count == 1
    }
}

/// The offsets of a layout, and some of them as points.
pub(super) struct Image {
    /// In the order of their indices.
    pub modes: List<Indexed, MAX_LEAVES>,
    /// How offsets are added up.
    sum: Ring,
    /// The offset of each coordinate, and the next coordinate of its list.
    offsets: [i64; MAX_SIZE],
    next: [u16; MAX_SIZE],
    lists: [u16; LISTS],
    pub size: usize,
    /// The smallest offset and the largest.
    pub low: i64,
    high: i64,
    /// All bounds above this have the floor 0 or -1 on the whole image; and on that of the layout that was given.
    pub reach: i64,
    pub whole_reach: i64,
    whole: bool,
    pub points: List<Point, MAX_POINTS>,
    /// The indices of each point.
    pub indices: [List<i64, MAX_INDICES>; MAX_POINTS],
}

const NO_POINT: Point = Point { offset: 0, reach: 0, count: 0, below: NOWHERE, above: NOWHERE };

impl Image {
    pub const fn new(sum: Ring) -> Image {
        Image {
            modes: List::new(Indexed { stride: 0, extent: 1, index: 1 }),
            sum,
            offsets: [0; MAX_SIZE],
            next: [END; MAX_SIZE],
            lists: [END; LISTS],
            size: 1,
            low: 0,
            high: 0,
            reach: 0,
            whole_reach: 0,
            whole: true,
            points: List::new(NO_POINT),
            indices: [List::new(0); MAX_POINTS],
        }
    }

    /// The modes, with all strides divided by `unit`; those of stride 0 only with `still`.
    pub const fn fill(&mut self, modes: &[Indexed], unit: i64, still: bool) -> Result<(), Error> {
        self.modes.truncate(0);
        self.points.truncate(0);
        self.lists = [END; LISTS];
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
        (self.size, self.low, self.high, i) = (1, 0, 0, 0);
        while i < self.modes.len() {
            let Indexed { stride, extent, .. } = self.modes.as_slice()[i];
            i += 1;
            let (mut c, inner) = (1, self.size);
            while c < extent {
                let (own, mut k) = (self.scaled(stride, c), 0);
                while k < inner {
                    self.offsets[self.size] = self.sum(own, self.offsets[k]);
                    self.size += 1;
                    k += 1;
                }
                c += 1;
            }
        }
        i = self.size;
        while i > 0 {
            i -= 1;
            let offset = self.offsets[i];
            if offset < self.low {
                self.low = offset;
            } else if offset > self.high {
                self.high = offset;
            }
            let list = list(offset);
            self.next[i] = self.lists[list];
            self.lists[list] = i as u16;
        }
        self.reach = if self.high > reach(self.low) { self.high } else { reach(self.low) };
        if self.whole_reach == 0 {
            self.whole_reach = self.reach;
        }
        if self.whole_reach > MAX_REACH {
            return Err(UNDECIDED);
        }
        self.choose_points()
    }

    /// Takes half of the longest mode until the layout is small enough.
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

    /// How far from 0 the offsets of the layout are, of which this is a part.
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

    /// Whether this is all of the layout.
    pub const fn is_whole(&self) -> bool {
        self.whole
    }

    /// Whether each offset has one index, and none is below 0, as far as the points tell.
    pub const fn is_injective(&self) -> bool {
        let (mut injective, mut i) = (self.low == 0, 0);
        while i < self.points.len() {
            injective &= self.points.as_slice()[i].is_single();
            i += 1;
        }
        injective
    }

    pub const fn offset(&self, coordinate: usize) -> i64 {
        self.offsets[coordinate]
    }

    /// The points that tell most chains of bounds apart: at both ends of the image, which have few indices each, around 0,
    /// the strides, the ends of the modes, and neighbours.
    const fn choose_points(&mut self) -> Result<(), Error> {
        let (mut first, mut last, mut around) =
            (List::<i64, AT_ENDS>::new(0), List::<i64, AT_ENDS>::new(0), List::<i64, AT_ENDS>::new(0));
        let mut k = 0;
        while k < self.size {
            let offset = self.offsets[k];
            k += 1;
            keep_least(&mut first, offset - self.low);
            keep_least(&mut last, self.high - offset);
            if self.low < 0 {
                keep_least(&mut around, if offset < 0 { -2 * offset - 1 } else { 2 * offset });
            }
        }
        let mut offsets = List::<i64, FIRST_POINTS>::new(0);
        insert_once(&mut offsets, 0);
        let mut i = 0;
        while i < AT_ENDS {
            if i < first.len() {
                insert_once(&mut offsets, self.low + first.as_slice()[i]);
            }
            if i < last.len() {
                insert_once(&mut offsets, self.high - last.as_slice()[i]);
            }
            if i < around.len() {
                let rank = around.as_slice()[i];
                insert_once(&mut offsets, if rank % 2 == 0 { rank / 2 } else { -rank / 2 - 1 });
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
        // Where offsets are far apart, those next to each other.
        i = 0;
        while i < self.modes.len() && self.reach / 8 > self.size as i64 {
            let mut j = 0;
            while j < self.modes.len() {
                let (one, other) = (self.modes.as_slice()[i], self.modes.as_slice()[j]);
                j += 1;
                let (mut c, mut least) = (1, one.stride.abs());
                while i + 1 != j && other.stride != 0 && c < one.extent {
                    let own = self.scaled(one.stride, c);
                    let times = own.abs() / other.stride.abs();
                    let mut n = times;
                    while n <= times + 1 && n < other.extent {
                        let second = self.scaled(other.stride, n);
                        let gap = (own.abs() - second.abs()).abs();
                        if gap != 0 && gap < least {
                            least = gap;
                            if (own < 0) == (second < 0) {
                                insert_once(&mut offsets, own);
                                insert_once(&mut offsets, second);
                            } else {
                                insert_once(&mut offsets, self.sum(own, second));
                            }
                        }
                        n += 1;
                    }
                    c += 1;
                }
            }
            i += 1;
        }
        i = 0;
        while i < offsets.len() {
            tri!(self.add(offsets.as_slice()[i]));
            i += 1;
        }
        Ok(())
    }

    /// Adds an offset of the layout to the points.
    pub const fn add(&mut self, offset: i64) -> Result<(), Error> {
        if self.points.len() == MAX_POINTS {
            return Err(UNDECIDED);
        }
        let mut point = NO_POINT;
        point.offset = offset;
        point.reach = reach(offset);
        let (own, mut k) = (self.points.len(), self.lists[list(offset)]);
        self.indices[own] = List::new(0);
        while k != END && self.indices[own].len() < MAX_INDICES {
            // A layout gives 0 at 0.
            if self.offsets[k as usize] == offset && (offset != 0 || k == 0) {
                tri!(self.indices[own].push(self.index(k as usize), "indices"));
            }
            k = self.next[k as usize];
        }
        point.count = self.indices[own].len();
        tri!(self.points.push(point, "points"));
        self.link(self.points.len() - 1);
        Ok(())
    }

    /// The index of a coordinate.
    const fn index(&self, coordinate: usize) -> i64 {
        let (mut index, mut rest, mut i) = (0, coordinate as i64, 0);
        while i < self.modes.len() {
            let Indexed { extent, index: own, .. } = self.modes.as_slice()[i];
            index += rest % extent * own;
            rest /= extent;
            i += 1;
        }
        index
    }

    /// Finds the neighbours with one index of a point, and makes it one of others.
    const fn link(&mut self, own: usize) {
        let Point { offset, .. } = self.points.as_slice()[own];
        let single = self.points.as_slice()[own].is_single();
        let (mut below, mut above, mut i) = (if single { own } else { NOWHERE }, NOWHERE, 0);
        while i < self.points.len() {
            let points = self.points.as_slice();
            let mut other = points[i];
            if other.is_single() && i != own {
                if other.offset < offset && (below == NOWHERE || other.offset > points[below].offset) {
                    below = if single { own } else { i };
                }
                if other.offset > offset && (above == NOWHERE || other.offset < points[above].offset) {
                    above = i;
                }
            }
            if single && i != own {
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

    /// Whether the offset lies at the index.
    pub const fn lies_at(&self, offset: i64, index: i64) -> bool {
        if index < 0 {
            return false;
        }
        let (mut coordinate, mut rest, mut inner, mut i) = (0, index, self.size as i64, self.modes.len());
        while i > 0 {
            i -= 1;
            let Indexed { extent, index: own, .. } = self.modes.as_slice()[i];
            inner /= extent;
            if rest >= own {
                let c = rest / own;
                if c >= extent {
                    return false;
                }
                rest -= c * own;
                coordinate += c * inner;
            }
        }
        rest == 0 && self.offsets[coordinate as usize] == offset
    }
}

const fn reach(offset: i64) -> i64 {
    if offset < 0 { -1 - offset } else { offset }
}

/// The list of an offset.
const fn list(offset: i64) -> usize {
    ((offset as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize
}

/// Keeps the least numbers, each once, in order.
const fn keep_least<const N: usize>(list: &mut List<i64, N>, number: i64) {
    if list.len() == N {
        if list.as_slice()[N - 1] <= number {
            return;
        }
        if !contains(list.as_slice(), number) {
            list.truncate(N - 1);
        }
    }
    insert_once(list, number);
}

const fn contains(list: &[i64], number: i64) -> bool {
    let mut i = 0;
    while i < list.len() {
        if list[i] == number {
            return true;
        }
        i += 1;
    }
    false
}

/// Inserts a number in its place, unless it is there or there is no room.
const fn insert_once<const N: usize>(list: &mut List<i64, N>, number: i64) {
    let mut at = list.len();
    while at > 0 && list.as_slice()[at - 1] >= number {
        at -= 1;
    }
    if list.len() < N && (at == list.len() || list.as_slice()[at] != number) {
        insert(list, at, number);
    }
}

const fn insert<T: Copy, const N: usize>(list: &mut List<T, N>, at: usize, item: T) {
    let _ = list.push(item, "");
    let slice = list.as_mut_slice();
    let mut i = slice.len() - 1;
    while i > at {
        slice[i] = slice[i - 1];
        i -= 1;
    }
    slice[at] = item;
}

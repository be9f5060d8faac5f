//! The offsets of a layout and their indices, as the search for a left inverse asks for them.

use super::solutions::UNDECIDED;
use crate::algebra::indexed::Indexed;
use crate::error::{Error, tri};
use crate::list::List;
use crate::tuple::MAX_LEAVES;

/// How many points may be looked at, and how many of them are chosen before the search.
pub(super) const MAX_POINTS: usize = 96;
const FIRST_POINTS: usize = 72;

/// Of those, how many at either end of the image, and around 0.
const AT_ENDS: usize = 24;
const AROUND_0: usize = 12;

/// The most elements of a layout that is gone through.
pub(super) const MAX_SIZE: i64 = 1 << 14;

/// So many indices of one offset are looked at.
pub(super) const MAX_INDICES: usize = 64;

/// No offset lies further from 0, so that sums of two fit.
const MAX_REACH: i64 = 1 << 61;

pub(super) const NOWHERE: usize = usize::MAX;

/// An offset of the layout.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub offset: i64,
    /// One of its indices.
    pub index: i64,
    /// How many indices it has.
    pub count: usize,
    /// The nearest point with one index that is not above it, and the nearest above.
    pub below: usize,
    pub above: usize,
}

pub(super) type Indices = List<i64, MAX_INDICES>;

/// The modes of a layout, and some of its offsets.
pub(super) struct Image {
    /// In ascending order of the magnitudes of the strides.
    pub modes: List<Indexed, MAX_LEAVES>,
    by_index: List<Indexed, MAX_LEAVES>,
    pub size: i64,
    /// The smallest offset and the largest.
    pub low: i64,
    pub high: i64,
    /// All bounds above this have the floor 0 or -1 on the whole image.
    pub reach: i64,
    /// In ascending order.
    pub points: List<Point, MAX_POINTS>,
    /// Whether indices may have any coordinates in the modes of stride 0.
    still: bool,
    budget: usize,
}

impl Image {
    pub const fn new(modes: &[Indexed], still: bool) -> Result<Image, Error> {
        let none = Point { offset: 0, index: 0, count: 1, below: NOWHERE, above: NOWHERE };
        let mut image = Image {
            modes: List::new(modes[0]),
            by_index: List::new(modes[0]),
            size: 1,
            low: 0,
            high: 0,
            reach: 0,
            points: List::new(none),
            still,
            budget: 0,
        };
        let mut i = 0;
        while i < modes.len() {
            let mode = modes[i];
            let reach = mode.stride * (mode.extent - 1);
            if reach < 0 {
                image.low += reach;
            } else {
                image.high += reach;
            }
            image.size = image.size.saturating_mul(mode.extent);
            let (mut a, mut b) = (0, 0);
            while a < i && image.modes.as_slice()[a].stride.unsigned_abs() <= mode.stride.unsigned_abs() {
                a += 1;
            }
            while b < i && image.by_index.as_slice()[b].index < mode.index {
                b += 1;
            }
            insert(&mut image.modes, a, mode);
            insert(&mut image.by_index, b, mode);
            i += 1;
        }
        if image.low < -MAX_REACH || image.high > MAX_REACH {
            return Err(UNDECIDED);
        }
        image.reach = if image.high > -1 - image.low { image.high } else { -1 - image.low };
        tri!(image.choose_points());
        Ok(image)
    }

    /// The modes in the order of their indices.
    pub const fn by_index(&self) -> &[Indexed] {
        self.by_index.as_slice()
    }

    /// The points that tell most chains of bounds apart: at both ends of the image, which have few indices each, around 0,
    /// the strides, their sums, and the ends of the modes.
    const fn choose_points(&mut self) -> Result<(), Error> {
        tri!(self.add(0));
        if self.size <= MAX_SIZE {
            let (mut first, mut around) = (List::<i64, AT_ENDS>::new(0), List::<i64, AROUND_0>::new(0));
            let mut walk = Walk::new();
            loop {
                keep_least(&mut first, walk.offset, 0);
                if self.low < 0 {
                    keep_least(&mut around, walk.offset, i64::MIN);
                }
                if !walk.step(self.modes.as_slice()) {
                    break;
                }
            }
            let mut i = 0;
            while i < first.len() {
                let offset = first.as_slice()[i];
                tri!(self.add(offset));
                tri!(self.add(self.low + self.high - offset));
                if i < around.len() {
                    tri!(self.add(around.as_slice()[i]));
                }
                i += 1;
            }
        }
        tri!(self.add(self.low));
        tri!(self.add(self.high));
        let mut i = 0;
        while i < self.modes.len() {
            let Indexed { stride, extent, .. } = self.modes.as_slice()[i];
            tri!(self.add(stride));
            tri!(self.add(stride * (extent - 1)));
            let mut j = 0;
            while j <= i && self.points.len() < FIRST_POINTS {
                if j < i || extent > 2 {
                    tri!(self.add(stride + self.modes.as_slice()[j].stride));
                }
                j += 1;
            }
            i += 1;
        }
        Ok(())
    }

    /// Adds an offset of the layout to the points.
    pub const fn add(&mut self, offset: i64) -> Result<(), Error> {
        let mut at = self.points.len();
        while at > 0 && self.points.as_slice()[at - 1].offset >= offset {
            at -= 1;
        }
        if at < self.points.len() && self.points.as_slice()[at].offset == offset {
            return Ok(());
        }
        if self.points.len() == MAX_POINTS {
            return Err(UNDECIDED);
        }
        let indices = tri!(self.indices(offset));
        // A layout gives 0 at 0.
        let (index, count) = if offset == 0 { (0, 1) } else { (indices.as_slice()[0], indices.len()) };
        insert(&mut self.points, at, Point { offset, index, count, below: NOWHERE, above: NOWHERE });
        let (mut i, mut single) = (0, NOWHERE);
        while i < self.points.len() {
            let point = &mut self.points.as_mut_slice()[i];
            if point.count == 1 {
                single = i;
            }
            point.below = single;
            i += 1;
        }
        single = NOWHERE;
        while i > 0 {
            i -= 1;
            let point = &mut self.points.as_mut_slice()[i];
            point.above = single;
            if point.count == 1 {
                single = i;
            }
        }
        Ok(())
    }

    /// The indices at which an offset of the layout lies.
    pub const fn indices(&mut self, offset: i64) -> Result<Indices, Error> {
        let mut found = List::new(0);
        self.budget = 20_000;
        tri!(self.indices_into(self.modes.len(), offset, 0, &mut found));
        Ok(found)
    }

    const fn indices_into(
        &mut self,
        modes: usize,
        offset: i64,
        index: i64,
        found: &mut Indices,
    ) -> Result<(), Error> {
        if self.budget == 0 {
            return Err(UNDECIDED);
        }
        self.budget -= 1;
        if modes == 0 {
            return if offset == 0 { found.push(index, "indices") } else { Ok(()) };
        }
        let (mut low, mut high, mut i) = (0, 0, 0);
        while i + 1 < modes {
            let Indexed { stride, extent, .. } = self.modes.as_slice()[i];
            let reach = stride * (extent - 1);
            if reach < 0 {
                low += reach;
            } else {
                high += reach;
            }
            i += 1;
        }
        let Indexed { stride, extent, index: own } = self.modes.as_slice()[modes - 1];
        // Only the coordinates from which the other modes can reach the rest of the offset.
        let (near, far) = (offset - high, offset - low);
        let (from, to) = if stride > 0 {
            (-(-near).div_euclid(stride), far.div_euclid(stride))
        } else if stride < 0 {
            (-far.div_euclid(-stride), (-near).div_euclid(-stride))
        } else {
            (0, if self.still { extent - 1 } else { 0 })
        };
        let mut c = if from > 0 { from } else { 0 };
        while c <= to && c < extent && found.len() < MAX_INDICES {
            tri!(self.indices_into(modes - 1, offset - stride * c, index + own * c, found));
            c += 1;
        }
        Ok(())
    }

    /// Whether the offset lies at the index.
    pub const fn lies_at(&self, offset: i64, index: i128) -> bool {
        if index < 0 || index as i64 as i128 != index {
            return false;
        }
        let (mut sum, mut rest, mut i) = (0, index as i64, self.by_index.len());
        while i > 0 {
            i -= 1;
            let Indexed { stride, extent, index: own } = self.by_index.as_slice()[i];
            let c = rest / own;
            if c >= extent {
                return false;
            }
            rest -= c * own;
            sum += c * stride;
        }
        rest == 0 && sum == offset
    }
}

/// Goes through the offsets of a layout.
pub(super) struct Walk {
    coordinate: [i64; MAX_LEAVES],
    pub offset: i64,
}

impl Walk {
    pub const fn new() -> Walk {
        Walk { coordinate: [0; MAX_LEAVES], offset: 0 }
    }

    /// To the next coordinate; `false` behind the last one.
    pub const fn step(&mut self, modes: &[Indexed]) -> bool {
        let mut r = 0;
        while r < modes.len() {
            let Indexed { stride, extent, .. } = modes[r];
            self.coordinate[r] += 1;
            self.offset += stride;
            if self.coordinate[r] < extent {
                return true;
            }
            self.coordinate[r] = 0;
            self.offset -= stride * extent;
            r += 1;
        }
        false
    }
}

/// Keeps the least offsets, each once, in order: the smallest, or with `around` not 0 those next to 0.
const fn keep_least<const N: usize>(list: &mut List<i64, N>, offset: i64, around: i64) {
    let rank = if around == 0 || offset >= 0 { offset } else { -1 - offset };
    let mut at = list.len();
    while at > 0 {
        let other = list.as_slice()[at - 1];
        if other == offset {
            return;
        }
        let others = if around == 0 || other >= 0 { other } else { -1 - other };
        if others < rank {
            break;
        }
        at -= 1;
    }
    if at < N {
        if list.len() == N {
            list.truncate(N - 1);
        }
        insert(list, at, offset);
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

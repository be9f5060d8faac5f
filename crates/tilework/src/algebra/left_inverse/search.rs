//! Left inverses where the strides form no chain of divisors: a search (EXACT form, section 4).
//!
//! Let `P_1 | P_2 | ...` be the bounds of `G`, the prefix products of its shape. Then for every integer `x`
//!
//! ```text
//! G(x) = e_0 x + sum_r e_r floor(x / P_r)
//! ```
//!
//! so that `G` is a chain of bounds with integers `e_r`, and each offset asks for one linear equation in these: `G(x)` is
//! an index of `x`. One more bound beyond all offsets has the floor 0, or -1 below 0.
//!
//! The chains are gone through depth first. Points between which a bound makes no difference form a *group*; all further
//! bounds make none there either, so that the equations of the differences within a group hold or fail with the bounds so
//! far. Few chains get far. The group of 0 grows with the bound: where it fails, so it does with all larger bounds. An
//! offset with several indices is checked when its value is determined; else it is given one index after the other.
//!
//! This is done for points of the layout. What fails for them has no inverse. What fits is compared with the whole layout,
//! and an offset where it fails becomes one more point.

use super::image::{Image, MAX_INDICES, MAX_POINTS, MAX_SIZE, NOWHERE, Walk};
use super::solutions::{Row, Solutions, UNDECIDED, WIDTH};
use crate::algebra::indexed::Indexed;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::tuple::HTuple;

const NONE: Error = Error::NoInverse { reason: "no shape has strides that give the indices back" };

/// How many bounds a chain may have, 1 among them.
const MAX_BOUNDS: usize = WIDTH - 1;

/// The unknown of the bound beyond all offsets. Unknown `r + 1` is that of bound `r`.
const BEYOND: usize = 0;

/// A point with so few indices is given one although a longer chain may determine it; in a layout without offsets below 0
/// any point is.
const FEW_INDICES: usize = 6;

type Bounds = List<i64, MAX_BOUNDS>;

#[derive(Clone, Copy)]
struct Chain {
    bounds: Bounds,
    solutions: Solutions,
    /// The points with several indices whose values are determined, and right.
    settled: u128,
}

/// Which bounds are tried. The first ones are searched for what is found soon, the last one is complete.
#[derive(Clone, Copy)]
enum Candidates {
    /// Strides, and the ends of modes.
    Strides,
    /// The most bounds of a chain over which nothing carries: floors that are linear on the layout.
    WithoutCarries(usize),
    /// The most bounds of a chain.
    Few(usize),
    /// What fits still does with more bounds, so that prime multiples of each bound are enough.
    All,
}

enum Outcome {
    Fits,
    Fails,
    /// In the group of 0, which only grows, and so with all larger bounds.
    FailsFromHere,
    /// The point has to be given an index.
    Open(usize),
}

struct Search {
    image: Image,
    candidates: Candidates,
    /// For each bound of the chain the floors of the points over it.
    floors: [[i64; MAX_POINTS]; MAX_BOUNDS],
    /// Whether nothing was left out.
    complete: bool,
    /// What is left, in steps of about ten nanoseconds.
    budget: usize,
    found: Option<Layout>,
}

/// Appends a left inverse of the modes. Only where none has coordinate 0 in the modes of stride 0, other coordinates are
/// tried: `(3,2,2):(-1,3,0)` has an inverse that steps through such a mode to avoid a carry.
#[cold]
#[inline(never)]
pub(super) const fn search_left_inverse(modes: &[Indexed], out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let (mut still, mut i) = (false, 0);
    while i < modes.len() {
        still |= modes[i].stride == 0;
        i += 1;
    }
    match search_with(modes, false, out) {
        Err(Error::NoInverse { .. }) if still => search_with(modes, true, out),
        answer => answer,
    }
}

const fn search_with(modes: &[Indexed], still: bool, out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let mut search = Search {
        image: tri!(Image::new(modes, still)),
        candidates: Candidates::All,
        floors: [[0; MAX_POINTS]; MAX_BOUNDS],
        complete: true,
        budget: 0,
        found: None,
    };
    let stages = if search.is_ambiguous() {
        [
            (Candidates::Strides, 15_000),
            (Candidates::Few(1), 5_000),
            (Candidates::Few(2), 50_000),
            (Candidates::All, 60_000),
        ]
    } else {
        [
            (Candidates::WithoutCarries(1), 5_000),
            (Candidates::WithoutCarries(2), 15_000),
            (Candidates::WithoutCarries(3), 30_000),
            (Candidates::All, 80_000),
        ]
    };
    let mut i = 0;
    while i < stages.len() {
        (search.candidates, search.budget) = stages[i];
        i += 1;
        let ended = search.run();
        if let Some(found) = search.found {
            let (first, mut r) = (out.leaves().len(), 0);
            while r < found.leaves().len() {
                tri!(out.push_merged(found.leaves()[r], first));
                r += 1;
            }
            return out.close_merged(first);
        }
        if i == stages.len() {
            tri!(ended);
        }
    }
    Err(if search.complete { NONE } else { UNDECIDED })
}

impl Search {
    /// Whether some point has several indices, or an offset lies below 0.
    const fn is_ambiguous(&self) -> bool {
        let (mut ambiguous, mut i) = (self.image.low < 0, 0);
        while i < self.image.points.len() {
            ambiguous |= self.image.points.as_slice()[i].count > 1;
            i += 1;
        }
        ambiguous
    }

    const fn spend(&mut self, steps: usize) -> Result<(), Error> {
        if self.budget < steps {
            return Err(UNDECIDED);
        }
        self.budget -= steps;
        Ok(())
    }

    /// Pays for one equation.
    const fn spend_equation(&mut self, bounds: &Bounds) -> Result<(), Error> {
        self.spend(2 + bounds.len() / 4)
    }

    const fn run(&mut self) -> Result<(), Error> {
        self.complete = true;
        loop {
            let points = self.image.points.len();
            let mut chain = Chain { bounds: List::new(1), solutions: Solutions::new(), settled: 0 };
            chain.solutions.add_unknown(BEYOND, BEYOND);
            self.push(&mut chain, 1);
            tri!(self.extend(&chain));
            if self.image.points.len() == points {
                return Ok(());
            }
        }
    }

    const fn push(&mut self, chain: &mut Chain, bound: i64) {
        let (r, mut i) = (chain.bounds.len(), 0);
        let _ = chain.bounds.push(bound, "");
        // What lies below 0 had -1 over this bound as well when only the one beyond was there.
        chain.solutions.add_unknown(r + 1, BEYOND);
        while i < self.image.points.len() {
            self.floors[r][i] = int::div_rem(self.image.points.as_slice()[i].offset, bound).0;
            i += 1;
        }
    }

    /// Tries every next bound; `true` where the search is over, or has to begin again.
    const fn extend(&mut self, chain: &Chain) -> Result<bool, Error> {
        let last = chain.bounds.as_slice()[chain.bounds.len() - 1];
        let mut bound = last;
        loop {
            bound = tri!(self.next_bound(chain, last, bound));
            let mut longer = *chain;
            let over = match tri!(self.constrain(&mut longer, bound, true)) {
                Outcome::FailsFromHere => return Ok(false),
                Outcome::Fails => false,
                Outcome::Fits => tri!(self.go_on(&mut longer, bound)),
                Outcome::Open(point) => tri!(self.choose(&mut longer, bound, point)),
            };
            if over || bound > self.image.reach {
                return Ok(over);
            }
        }
    }

    /// The next multiple of the last bound that is to be tried; one beyond the reach stands for no more bounds.
    const fn next_bound(&mut self, chain: &Chain, last: i64, bound: i64) -> Result<i64, Error> {
        match self.candidates {
            Candidates::WithoutCarries(most) | Candidates::Few(most) if chain.bounds.len() > most => {
                return Ok(i64::MAX);
            }
            Candidates::Strides => return Ok(self.next_stride(last, bound)),
            Candidates::WithoutCarries(_) => return self.next_without_carries(last, bound),
            Candidates::Few(_) | Candidates::All => {}
        }
        if bound as i128 * bound as i128 > self.image.points.len() as i128 * self.image.reach as i128 {
            return Ok(self.next_floors(last, bound));
        }
        let mut times = bound / last + 1;
        while matches!(self.candidates, Candidates::All) && !is_prime(times) {
            times += 1;
        }
        Ok(last.saturating_mul(times))
    }

    const fn next_stride(&self, last: i64, bound: i64) -> i64 {
        let (mut next, mut i) = (i64::MAX, 0);
        while i < self.image.modes.len() {
            let Indexed { stride, extent, .. } = self.image.modes.as_slice()[i];
            let stride = stride.abs();
            let end = stride.saturating_mul(extent);
            if stride > bound && stride < next && stride % last == 0 {
                next = stride;
            }
            if end > bound && end < next && end % last == 0 {
                next = end;
            }
            i += 1;
        }
        if next > self.image.reach { i64::MAX } else { next }
    }

    /// Bounds with the same floors of the strides are alike where nothing carries; one of them is enough.
    const fn next_without_carries(&mut self, last: i64, bound: i64) -> Result<i64, Error> {
        let longest = self.image.modes.as_slice()[self.image.modes.len() - 1].stride;
        let mut from = bound + 1;
        while from <= longest {
            tri!(self.spend(1));
            let (mut end, mut i) = (longest, 0);
            while i < self.image.modes.len() {
                let stride = self.image.modes.as_slice()[i].stride;
                if stride >= from && stride / (stride / from) < end {
                    end = stride / (stride / from);
                }
                i += 1;
            }
            let next = end / last * last;
            if next >= from && self.carries_nothing(next) {
                return Ok(next);
            }
            from = end + 1;
        }
        Ok(i64::MAX)
    }

    const fn carries_nothing(&self, bound: i64) -> bool {
        let (mut sum, mut i) = (0i128, 0);
        while i < self.image.modes.len() {
            let Indexed { stride, extent, .. } = self.image.modes.as_slice()[i];
            sum += (stride % bound) as i128 * (extent - 1) as i128;
            i += 1;
        }
        sum < bound as i128
    }

    /// The next multiple over which some point has another floor.
    const fn next_floors(&self, last: i64, bound: i64) -> i64 {
        let (mut next, mut i) = (i64::MAX, 0);
        while i < self.image.points.len() {
            let offset = self.image.points.as_slice()[i].offset;
            let (floor, _) = int::div_rem(offset, bound);
            let change = if floor > 0 {
                offset / floor + 1
            } else if floor < -1 {
                int::ceil_div(-offset, -floor - 1)
            } else {
                i64::MAX
            };
            if change < next {
                next = change;
            }
            i += 1;
        }
        if next > self.image.reach { i64::MAX } else { int::ceil_div(next, last).saturating_mul(last) }
    }

    const fn go_on(&mut self, chain: &mut Chain, bound: i64) -> Result<bool, Error> {
        if bound > self.image.reach {
            return self.finish(chain);
        }
        if chain.bounds.len() == MAX_BOUNDS {
            self.complete = false;
            return Ok(false);
        }
        self.push(chain, bound);
        self.extend(chain)
    }

    /// Gives a point each of its indices.
    const fn choose(&mut self, chain: &mut Chain, bound: i64, point: usize) -> Result<bool, Error> {
        let indices = tri!(self.image.indices(self.image.points.as_slice()[point].offset));
        if indices.len() == MAX_INDICES {
            self.complete = false;
        }
        let anchor = self.anchor(point, bound);
        let values = tri!(chain.solutions.values(&self.difference(&chain.bounds, point, anchor)));
        let mut i = 0;
        while i < indices.len() {
            tri!(self.spend(5));
            let mut with = *chain;
            let difference = indices.as_slice()[i] - self.image.points.as_slice()[anchor].index;
            i += 1;
            if !tri!(with.solutions.keep(values, difference as i128)) {
                continue;
            }
            with.settled |= 1 << point;
            let over = match tri!(self.constrain(&mut with, bound, false)) {
                Outcome::Fits => tri!(self.go_on(&mut with, bound)),
                Outcome::Open(other) => tri!(self.choose(&mut with, bound, other)),
                Outcome::Fails | Outcome::FailsFromHere => false,
            };
            if over {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The group of an offset: both sides of 0 are one, since the bound beyond all tells them apart.
    const fn group(offset: i64, bound: i64) -> i64 {
        let floor = int::div_rem(offset, bound).0;
        if floor == -1 { 0 } else { floor }
    }

    /// Whether two points are in one group of a bound of the chain.
    const fn together(&self, r: usize, a: usize, b: usize) -> bool {
        let (a, b) = (self.floors[r][a], self.floors[r][b]);
        a == b || (a == -1 || a == 0) && (b == -1 || b == 0)
    }

    /// A point with one index in the group of the point, or `NOWHERE`.
    const fn anchor(&self, point: usize, bound: i64) -> usize {
        let points = self.image.points.as_slice();
        let (offset, near) = (points[point].offset, bound.saturating_mul(2));
        let (below, above) = (points[point].below, points[point].above);
        let group = Self::group(offset, bound);
        if below != NOWHERE
            && offset - points[below].offset < near
            && Self::group(points[below].offset, bound) == group
        {
            below
        } else if above != NOWHERE
            && points[above].offset - offset < near
            && Self::group(points[above].offset, bound) == group
        {
            above
        } else {
            NOWHERE
        }
    }

    /// Keeps the solutions that fit the groups of a next bound. Points with one index have been looked at where `single` is
    /// `false`.
    const fn constrain(&mut self, chain: &mut Chain, bound: i64, single: bool) -> Result<Outcome, Error> {
        tri!(self.spend(4 + self.image.points.len() / 8));
        let (points, last) = (self.image.points.len(), chain.bounds.len() - 1);
        // The group of 0 comes first: what fails there by the equations of other groups may do with a larger bound.
        let (mut i, mut others, mut narrowed) = (0, self.image.low == 0, false);
        let mut looking = single;
        while looking {
            if i == points {
                if others {
                    looking = false;
                    continue;
                }
                (i, others) = (0, true);
            }
            let point = self.image.points.as_slice()[i];
            let (this, next) = (i, point.above);
            i += 1;
            if point.count > 1 || next == NOWHERE {
                continue;
            }
            let after = self.image.points.as_slice()[next];
            if after.offset - point.offset >= bound.saturating_mul(2) {
                continue;
            }
            let group = Self::group(point.offset, bound);
            if Self::group(after.offset, bound) != group
                || last > 0 && self.together(last, this, next)
                || self.image.low < 0 && (group == 0) == others
            {
                continue;
            }
            tri!(self.spend_equation(&chain.bounds));
            let values = tri!(chain.solutions.values(&self.difference(&chain.bounds, next, this)));
            narrowed |= group != 0 && values.1 != 0;
            if !tri!(chain.solutions.keep(values, (after.index - point.index) as i128)) {
                return Ok(if group == 0 { Outcome::FailsFromHere } else { Outcome::Fails });
            }
        }
        let (mut open, mut fewest) = (NOWHERE, FEW_INDICES + 1);
        if bound > self.image.reach || self.image.low == 0 {
            fewest = usize::MAX;
        }
        i = 0;
        while i < points {
            let (this, point) = (i, self.image.points.as_slice()[i]);
            i += 1;
            if point.count == 1 || chain.settled >> this & 1 == 1 {
                continue;
            }
            let anchor = self.anchor(this, bound);
            if anchor == NOWHERE {
                continue;
            }
            tri!(self.spend_equation(&chain.bounds));
            let (first, step) = tri!(chain.solutions.values(&self.difference(&chain.bounds, this, anchor)));
            if step == 0 {
                let index = first + self.image.points.as_slice()[anchor].index as i128;
                if !self.image.lies_at(point.offset, index) {
                    let other = narrowed || Self::group(point.offset, bound) != 0;
                    return Ok(if other { Outcome::Fails } else { Outcome::FailsFromHere });
                }
                chain.settled |= 1 << this;
            } else if point.count < fewest {
                (open, fewest) = (this, point.count);
            }
        }
        Ok(if open == NOWHERE { Outcome::Fits } else { Outcome::Open(open) })
    }

    /// The form of the difference between the values of two points.
    const fn difference(&self, bounds: &Bounds, point: usize, anchor: usize) -> Row {
        let points = self.image.points.as_slice();
        let (mut row, mut r) = ([0; WIDTH], 0);
        while r < bounds.len() {
            row[r + 1] = self.floors[r][point] - self.floors[r][anchor];
            r += 1;
        }
        row[BEYOND] = (points[anchor].offset < 0) as i64 - (points[point].offset < 0) as i64;
        row
    }

    // ---- from solutions to a layout ----

    /// Takes a solution with few bounds and small numbers, and compares it with the layout.
    const fn finish(&mut self, chain: &Chain) -> Result<bool, Error> {
        let (mut solutions, mut r) = (chain.solutions, chain.bounds.len());
        while r > 0 {
            let mut form = [0; WIDTH];
            form[r] = 1;
            let (first, step) = tri!(solutions.values(&form));
            let _ = tri!(solutions.keep((first, step), if step == 0 { first } else { first % step }));
            r -= 1;
        }
        let found = tri!(self.build(&chain.bounds, &solutions.one));
        if self.image.size <= MAX_SIZE {
            if let Some(offset) = tri!(self.contradiction(&chain.bounds, &solutions.one)) {
                tri!(self.image.add(offset));
                return Ok(true);
            }
        } else if !tri!(self.gives_indices(&found)) {
            return Err(UNDECIDED);
        }
        self.found = Some(found);
        Ok(true)
    }

    /// The first offset for which the solution gives none of its indices.
    const fn contradiction(&mut self, bounds: &Bounds, solution: &Row) -> Result<Option<i64>, Error> {
        let (mut walk, mut steps) = (Walk::new(), 1);
        loop {
            let mut index = if walk.offset < 0 { -(solution[BEYOND] as i128) } else { 0 };
            let mut r = 0;
            while r < bounds.len() {
                let floor = int::div_rem(walk.offset, bounds.as_slice()[r]).0;
                r += 1;
                index += floor as i128 * solution[r] as i128;
            }
            if !self.image.lies_at(walk.offset, index) {
                tri!(self.spend(steps));
                return Ok(Some(walk.offset));
            }
            if !walk.step(self.image.modes.as_slice()) {
                return Ok(None);
            }
            steps += 1;
        }
    }

    /// Whether the layout found gives for each offset the index that it comes from.
    const fn gives_indices(&self, found: &Layout) -> Result<bool, Error> {
        let (mut layout, mut place) = (Layout::empty(), Layout::empty());
        let mut i = 0;
        while i < self.image.by_index().len() {
            let Indexed { stride, extent, index } = self.image.by_index()[i];
            tri!(layout.tuple.push_value(Leaf::new(extent, stride)));
            tri!(place.tuple.push_value(Leaf::new(extent, index)));
            i += 1;
        }
        tri!(layout.tuple.close_leaves(0));
        tri!(place.tuple.close_leaves(0));
        match found.composition(&layout) {
            Ok(indices) => Ok(indices.equivalent(&place)),
            Err(_) => Ok(false),
        }
    }

    /// The layout of a solution. Its last mode reaches the largest offset; below 0 it has one more, of 2, for the floor -1.
    const fn build(&self, bounds: &Bounds, solution: &Row) -> Result<Layout, Error> {
        let (mut found, mut below) = (Layout::empty(), 1);
        let (mut stride, mut r) = (solution[1] as i128, 0);
        loop {
            let last = r == bounds.len();
            if last && self.image.low == 0 {
                break;
            }
            let bound = if last { 1 } else { bounds.as_slice()[r] };
            let extent = if last {
                2
            } else if r + 1 == bounds.len() {
                self.image.reach / bound + 1
            } else {
                bounds.as_slice()[r + 1] / bound
            };
            if stride as i64 as i128 != stride {
                return Err(UNDECIDED);
            }
            if extent > 1 {
                let modes = found.leaves().len();
                tri!(found.tuple.push_merged(Leaf::new(extent, stride as i64), 0));
                if found.leaves().len() > modes {
                    below = bound;
                }
            }
            if last {
                break;
            }
            r += 1;
            let change = if r == bounds.len() { solution[BEYOND] } else { solution[r + 1] };
            stride = extent as i128 * stride + change as i128;
        }
        if self.image.low == 0 && !found.leaves().is_empty() {
            let last = found.leaves().len() - 1;
            found.tuple.leaves_mut()[last].extent = self.image.reach / below + 1;
        }
        tri!(found.tuple.close_merged(0));
        match found.check() {
            Ok(_) => Ok(found),
            Err(_) => Err(UNDECIDED),
        }
    }
}

const fn is_prime(value: i64) -> bool {
    let mut divisor = 2;
    while divisor * divisor <= value {
        if value % divisor == 0 {
            return false;
        }
        divisor += 1;
    }
    true
}

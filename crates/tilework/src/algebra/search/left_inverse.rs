//! Left inverses if the strides do not form a chain of divisors: a search.
//!
//! Let `P_1 | P_2 | ...` be the bounds of `G`, the prefix products of its shape. `G` of an offset is the sum of its digits
//! times the strides of `G`, or with XOR strides the XOR of carry-less products. So for a chain of bounds, the strides
//! are the solutions of linear equations, one for each offset: `G(x)` is an index of `x`.
//!
//! The chains are searched depth first. Points that a bound does not distinguish form a *group*; further bounds do not
//! distinguish them either, so the equations of the differences within a group hold or fail with the bounds so far. The
//! group of 0 grows with the bound: if it fails, it fails for all larger bounds. If the value of an offset in it is not
//! determined, each of its indices is tried.
//!
//! This is done for some points of the layout. If there is no solution for them, there is no inverse. A solution is
//! compared with the whole layout, and an offset where it fails becomes a further point. If this does not decide the
//! question within its share of the budget, one bound at a time is searched (`descent.rs`). For a layout of more than
//! 16,384 elements a part with shorter modes is searched, and the result is checked by composition with the whole.

use super::image::{Element, Image, MAX_POINTS, MAX_SIZE, NOWHERE, Point};
use super::solutions::{Ring, Row, Solutions, UNDECIDED, WIDTH};
use crate::algebra::indexed::Indexed;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::stride::Stride;
use crate::tuple::HTuple;

const NONE: Error = Error::NoInverse { reason: "no layout returns the indices of all offsets" };

/// The number of places at which strides failed last that are tried first.
pub(super) const LAST_FAILED: usize = 4;

/// The most bounds of a chain, including 1.
pub(super) const MAX_BOUNDS: usize = WIDTH - 1;

/// The unknown that distinguishes offsets below 0: the value of a bound beyond all offsets there, with the floor -1.
/// Unknown `r + 1` is the stride over bound `r`.
pub(super) const BEYOND: usize = 0;

/// A point with at most this many indices is assigned one although a longer chain may determine it; in a layout without
/// offsets below 0, any point is.
const FEW_INDICES: usize = 6;

#[derive(Clone, Copy)]
pub(super) struct Chain {
    pub bounds: List<i64, MAX_BOUNDS>,
    pub solutions: Solutions,
    /// The points of the group of 0 whose equations hold.
    settled: u128,
    /// Bounds up to this have no other points in the group of 0.
    next: i64,
    /// The number of points at that time.
    points: usize,
}

impl Chain {
    pub const fn new(ring: Ring) -> Chain {
        Chain { bounds: List::new(1), solutions: Solutions::new(ring), settled: 0, next: 0, points: 0 }
    }
}

/// The bounds that are tried. The first stages are fast, the last two are complete.
#[derive(Clone, Copy)]
enum Stage {
    /// Strides, and the ends of modes.
    Strides,
    /// Two bounds beside 1 over which nothing carries: floors that are linear on the layout.
    WithoutCarries,
    /// One bound beside 1, of any ratio.
    One,
    /// All: solutions stay valid with more bounds, so multiples that cannot be split are enough.
    All,
    /// All, each with the stride that two offsets determine (`descent.rs`).
    Descent,
}

/// The steps, of about five nanoseconds, after which a search ends without an answer.
pub(in crate::algebra) const BUDGET: usize = 300_000;

enum Outcome {
    Fits,
    Fails,
    /// The point has to be assigned an index.
    Open(usize),
}

/// The state of a point's equation.
enum Entry {
    Settled,
    /// It holds by the only possible choice.
    Forced,
    /// The number of possible indices; whether the solutions were restricted to those of its modulus.
    Several {
        count: usize,
        narrowed: bool,
    },
    Fails,
}

pub(super) struct Search<'a, 'b> {
    pub image: &'a mut Image<'b>,
    pub ring: Ring,
    stage: Stage,
    /// The points; those at which the search failed last come first.
    order: List<u8, MAX_POINTS>,
    /// Pairs of neighbours with one index; those at which the search failed last come first.
    pairs: List<(u8, u8), 256>,
    /// Whether nothing was omitted.
    pub complete: bool,
    /// Places at which strides of each length of chain failed last.
    pub failed: [List<i64, LAST_FAILED>; MAX_BOUNDS + 1],
    /// The rest of the budget.
    budget: usize,
}

/// The most elements of a layout that is searched in little room. That has place for a smaller problem after each bound.
const SMALL: usize = 256;

/// Appends a left inverse of the modes with strides of the ring. Other coordinates in the modes of stride 0 are tried
/// only if there is none with coordinate 0: `(3,2,2):(-1,3,0)` has an inverse that steps through such a mode to avoid a
/// carry.
#[cold]
#[inline(never)]
pub(in crate::algebra) const fn search_left_inverse(
    modes: &[Indexed],
    sum: Ring,
    ring: Ring,
    budget: &mut usize,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    let (mut size, mut i) = (1i64, 0);
    while i < modes.len() {
        size = size.saturating_mul(modes[i].extent);
        i += 1;
    }
    if size <= SMALL as i64 {
        search_in(&mut [Element::NONE; MAX_BOUNDS * SMALL], modes, sum, ring, budget, out)
    } else {
        search_in_large_room(modes, sum, ring, budget, out)
    }
}

/// A function of its own, because this room is half a megabyte of the stack.
#[inline(never)]
const fn search_in_large_room(
    modes: &[Indexed],
    sum: Ring,
    ring: Ring,
    budget: &mut usize,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    search_in(&mut [Element::NONE; 2 * MAX_SIZE], modes, sum, ring, budget, out)
}

const fn search_in(
    room: &mut [Element],
    modes: &[Indexed],
    sum: Ring,
    ring: Ring,
    budget: &mut usize,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    let (mut still, mut unit, mut i) = (false, 0, 0);
    while i < modes.len() {
        still |= modes[i].stride == 0;
        unit = match sum {
            Ring::Integers => int::gcd(unit, modes[i].stride.unsigned_abs()),
            Ring::Polynomials => unit | modes[i].stride as u64,
        };
        i += 1;
    }
    if matches!(sum, Ring::Polynomials) && unit != 0 {
        unit = 1 << unit.trailing_zeros();
    }
    let mut image = Image::new(sum, ring, room);
    // The common divisor of all strides is divided out first. That finds most inverses, but cannot prove that there is
    // none: `(2,6):(3,5)` has no left inverse, and `(2,6):(6,10)` has `(5,2,6):(1,0,2)`.
    if unit > 1 {
        let mut half = *budget / 2;
        *budget -= half;
        if search_with(&mut image, modes, unit as i64, false, ring, &mut half, out).is_ok() {
            return Ok(());
        }
        *budget += half;
    }
    match search_with(&mut image, modes, 1, false, ring, budget, out) {
        Err(Error::NoInverse { .. }) if still => search_with(&mut image, modes, 1, true, ring, budget, out),
        answer => answer,
    }
}

const fn search_with(
    image: &mut Image,
    modes: &[Indexed],
    unit: i64,
    still: bool,
    ring: Ring,
    budget: &mut usize,
    out: &mut HTuple<Leaf>,
) -> Result<(), Error> {
    tri!(image.fill(modes, unit, still));
    // The offsets are listed and sorted.
    *budget = budget.saturating_sub(image.size * 4);
    let stages: &[(Stage, usize)] = if image.is_injective() {
        &[
            (Stage::Strides, 16),
            (Stage::WithoutCarries, 8),
            (Stage::One, 32),
            (Stage::All, 8),
            (Stage::Descent, 1),
        ]
    } else {
        &[
            (Stage::Strides, 16),
            (Stage::Descent, 16),
            (Stage::All, if still { 4 } else { 8 }),
            (Stage::Descent, 1),
        ]
    };
    let mut search = Search {
        image,
        ring,
        stage: Stage::All,
        order: List::new(0),
        pairs: List::new((0, 0)),
        complete: true,
        failed: [List::new(0); MAX_BOUNDS + 1],
        budget: 0,
    };
    let (all, mut i) = (*budget, 0);
    while i < stages.len() {
        let (stage, share) = stages[i];
        i += 1;
        let own = if share == 1 { *budget } else { all / share };
        (search.stage, search.budget) = (stage, own);
        let ended = search.run();
        *budget -= own - search.budget;
        match ended {
            Ok(Some(chain)) => return search.build(&chain, unit, modes, out),
            Ok(None) if matches!(stage, Stage::Descent | Stage::All) && search.complete => break,
            Ok(None) => {}
            Err(error) if i == stages.len() => return Err(error),
            Err(_) => {}
        }
    }
    // The offsets of a part may have further indices, unless each has one.
    let proof = search.complete
        && (search.image.is_whole() || matches!(tri!(layout_of(modes, false)).is_injective(), Ok(true)));
    Err(if proof { NONE } else { UNDECIDED })
}

/// The modes as a layout, or the layout of their indices.
const fn layout_of(modes: &[Indexed], indices: bool) -> Result<Layout, Error> {
    let (mut layout, mut i) = (HTuple::builder(Leaf::new(1, 0)), 0);
    while i < modes.len() {
        let Indexed { stride, extent, index } = modes[i];
        tri!(layout.push_value(Leaf::new(extent, if indices { index } else { stride })));
        i += 1;
    }
    tri!(layout.close_leaves(0));
    Layout::new(layout)
}

impl Search<'_, '_> {
    pub const fn spend(&mut self, steps: usize) -> Result<(), Error> {
        if self.budget < steps {
            return Err(UNDECIDED);
        }
        self.budget -= steps;
        Ok(())
    }

    const fn run(&mut self) -> Result<Option<Chain>, Error> {
        self.complete = true;
        self.pair_up();
        let mut chain = Chain::new(self.ring);
        let _ = chain.bounds.push(1, "");
        chain.solutions.let_free(BEYOND, self.image.low < 0);
        chain.solutions.let_free(1, true);
        let found = match self.stage {
            Stage::Descent => tri!(self.descend(&mut chain, 0, self.image.size)),
            _ => tri!(self.extend(&mut chain, 1)),
        };
        Ok(if found { Some(chain) } else { None })
    }

    const fn pair_up(&mut self) {
        self.pairs.truncate(0);
        self.order.truncate(0);
        let mut i = 0;
        while i < self.image.points.len() {
            let _ = self.order.push(i as u8, "points");
            let point = &self.image.points.as_slice()[i];
            if point.has_modulus() && point.above != NOWHERE {
                let _ = self.pairs.push((i as u8, point.above as u8), "pairs");
            }
            i += 1;
        }
    }

    /// Tries every bound after `from`; `true` if one leads to an inverse, whose chain is then in place.
    pub const fn extend(&mut self, chain: &mut Chain, from: i64) -> Result<bool, Error> {
        let top = chain.bounds.len() - 1;
        let last = chain.bounds.as_slice()[top];
        let mut bound = from;
        loop {
            let before = bound;
            tri!(self.spend(2));
            bound = tri!(self.next_bound(top, last, bound));
            if bound > chain.next || chain.points < self.image.points.len() {
                match tri!(self.enter(chain, bound)) {
                    Outcome::Fits => {}
                    Outcome::Fails => return Ok(false),
                    Outcome::Open(point) => return self.choose(chain, before, point),
                }
            }
            if bound > self.image.reach {
                let mut found = *chain;
                tri!(found.solutions.keep_small());
                let Some(start) = tri!(self.contradiction(&found)) else {
                    *chain = found;
                    return Ok(true);
                };
                if self.image.points.len() == MAX_POINTS {
                    self.complete &= chain.solutions.is_one();
                    return Ok(false);
                }
                tri!(self.add(start));
                bound = before;
                continue;
            }
            if chain.bounds.len() == MAX_BOUNDS {
                self.complete = false;
                continue;
            }
            let mut longer = *chain;
            if tri!(self.fits(&mut longer, bound)) {
                tri!(self.push(&mut longer, bound));
                if tri!(self.extend(&mut longer, bound)) {
                    *chain = longer;
                    return Ok(true);
                }
            }
        }
    }

    /// The next multiple of the last bound to try; one beyond the reach stands for no more bounds.
    const fn next_bound(&mut self, top: usize, last: i64, bound: i64) -> Result<i64, Error> {
        match self.stage {
            Stage::Strides => return Ok(self.next_stride(last, bound)),
            Stage::WithoutCarries if top == 2 => return Ok(i64::MAX),
            Stage::WithoutCarries => return self.next_without_carries(last, bound),
            Stage::One if top == 1 => return Ok(i64::MAX),
            _ => {}
        }
        if bound as i128 * bound as i128 > self.image.points.len() as i128 * self.image.reach as i128 {
            tri!(self.spend(self.image.points.len()));
            return Ok(self.next_floors(last, bound));
        }
        let mut times = bound / last + 1;
        while !matches!(self.stage, Stage::One) && !self.cannot_be_cut(times) {
            times += 1;
        }
        Ok(last.saturating_mul(times))
    }

    /// The next multiple that is a stride or the end of a mode.
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

    /// Without carries, bounds with the same floors of the strides are equivalent; one of them is enough.
    const fn next_without_carries(&mut self, last: i64, bound: i64) -> Result<i64, Error> {
        let mut from = bound + 1;
        while from <= self.image.reach {
            tri!(self.spend(4));
            let (mut end, mut rests, mut i) = (self.image.reach, 0i128, 0);
            while i < self.image.modes.len() {
                let stride = self.image.modes.as_slice()[i].stride;
                if stride >= from && stride / (stride / from) < end {
                    end = stride / (stride / from);
                }
                i += 1;
            }
            let next = end / last * last;
            i = 0;
            while i < self.image.modes.len() && next > 0 {
                let Indexed { stride, extent, .. } = self.image.modes.as_slice()[i];
                rests += (stride % next) as i128 * (extent - 1) as i128;
                i += 1;
            }
            if next >= from && rests < next as i128 {
                return Ok(next);
            }
            from = end + 1;
        }
        Ok(i64::MAX)
    }

    /// Whether a mode of this extent is not equivalent to two: a prime, or with XOR strides 2 or odd.
    pub const fn cannot_be_cut(&self, extent: i64) -> bool {
        if matches!(self.ring, Ring::Polynomials) {
            return extent == 2 || extent % 2 == 1;
        }
        let mut divisor = 2;
        while divisor * divisor <= extent {
            if extent % divisor == 0 {
                return false;
            }
            divisor += 1;
        }
        true
    }

    /// The next multiple for which some point has another floor.
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

    /// Appends a bound, with digits and a stride.
    const fn push(&mut self, chain: &mut Chain, bound: i64) -> Result<(), Error> {
        let top = chain.bounds.len() - 1;
        let ratio = bound / chain.bounds.as_slice()[top];
        let _ = chain.bounds.push(bound, "");
        chain.solutions.let_free(top + 2, true);
        if self.image.low < 0 {
            // The floor -1 was that of all further bounds, and is now this bound's digit and theirs.
            tri!(chain.solutions.substitute(BEYOND, ratio, top + 1));
            tri!(chain.solutions.substitute(BEYOND, -1, top + 2));
        }
        Ok(())
    }

    /// The number of an offset's group: both sides of 0 are one, because the unknown beyond distinguishes them.
    const fn group(offset: i64, bound: i64) -> i64 {
        let floor = int::div_rem(offset, bound).0;
        if floor == -1 { 0 } else { floor }
    }

    /// The digits of an offset, for bounds above this.
    const fn row(chain: &Chain, above: i64, offset: i64) -> Row {
        let (mut row, mut rest, mut r) = ([0; WIDTH], offset, 1);
        let bounds = chain.bounds.as_slice();
        while r < bounds.len() {
            (rest, row[r]) = int::div_rem(rest, bounds[r] / bounds[r - 1]);
            r += 1;
        }
        row[r] = rest - above;
        row[BEYOND] = (offset < 0) as i64;
        row
    }

    /// The equation of the difference of two offsets in a group.
    const fn difference(&self, chain: &Chain, bound: i64, left: i64, right: i64) -> Row {
        let top = chain.bounds.len() - 1;
        let above = Self::group(left, bound) * (bound / chain.bounds.as_slice()[top]);
        let (mut row, other) = (Self::row(chain, above, left), Self::row(chain, above, right));
        let mut r = 0;
        while r <= top + 1 {
            row[r] = match self.ring {
                Ring::Integers => row[r] - other[r],
                Ring::Polynomials => row[r] ^ other[r],
            };
            r += 1;
        }
        row
    }

    /// Processes the points that are new in the group of 0.
    const fn enter(&mut self, chain: &mut Chain, bound: i64) -> Result<Outcome, Error> {
        let mut single = true;
        loop {
            let (mut open, mut fewest, mut forced, mut waiting, mut i) =
                (NOWHERE, usize::MAX, false, false, 0);
            tri!(self.spend(2 + self.image.points.len() / 8));
            chain.next = i64::MAX;
            chain.points = self.image.points.len();
            while i < self.image.points.len() {
                let own = self.order.as_slice()[i] as usize;
                i += 1;
                if chain.settled >> own & 1 == 1 {
                    continue;
                }
                let reach = self.image.points.as_slice()[own].reach;
                if reach >= bound {
                    if reach < chain.next {
                        chain.next = reach;
                    }
                    continue;
                }
                let count = self.image.points.as_slice()[own].count;
                if single && count > 1 {
                    continue;
                }
                match tri!(self.enter_point(chain, own)) {
                    Entry::Fails => {
                        to_front(self.order.as_mut_slice(), i - 1);
                        return Ok(Outcome::Fails);
                    }
                    Entry::Settled => {}
                    Entry::Forced => forced = true,
                    Entry::Several { count, narrowed } => {
                        forced |= narrowed;
                        let whole = self.image.points.as_slice()[own].modulus == 1;
                        waiting |= !whole;
                        if count < fewest && (whole || count <= FEW_INDICES || bound > self.image.reach) {
                            (open, fewest) = (own, count);
                        }
                    }
                }
            }
            if forced || single {
                single = false;
                continue;
            }
            if open == NOWHERE && !waiting {
                return Ok(Outcome::Fits);
            }
            if open != NOWHERE && (bound > self.image.reach || self.image.low == 0 || fewest <= FEW_INDICES) {
                return Ok(Outcome::Open(open));
            }
            if chain.next > self.image.reach {
                chain.next = self.image.reach;
            }
            return Ok(Outcome::Fits);
        }
    }

    /// Processes one point of the group of 0.
    const fn enter_point(&mut self, chain: &mut Chain, own: usize) -> Result<Entry, Error> {
        tri!(self.spend(chain.solutions.cost()));
        let Point { offset, start, modulus, .. } = self.image.points.as_slice()[own];
        let row = Self::row(chain, 0, offset);
        let values = tri!(chain.solutions.values(&row));
        if values.1 == 0 {
            if !self.image.lies_at(start, self.image.size, values.0) {
                return Ok(Entry::Fails);
            }
            chain.settled |= 1 << own;
            return Ok(Entry::Settled);
        }
        let (count, only) = self.possible(own, values);
        if count == 0 {
            return Ok(Entry::Fails);
        } else if count == 1 {
            let _ = tri!(chain.solutions.keep(values, only));
            chain.settled |= 1 << own;
            return Ok(Entry::Forced);
        }
        let index = self.image.elements[start].index;
        let narrowed = modulus != 1
            && !(self.ring.reaches((0, modulus), values.1) && self.ring.reaches((index, modulus), values.0));
        if narrowed && !tri!(chain.solutions.keep_up_to(&row, index, modulus)) {
            return Ok(Entry::Fails);
        }
        Ok(Entry::Several { count, narrowed })
    }

    /// How many of the indices of a point are among the values, and one of them; for many indices, possibly all.
    const fn possible(&self, point: usize, values: (i64, i64)) -> (usize, i64) {
        let Point { start, count: all, .. } = self.image.points.as_slice()[point];
        if all > FEW_INDICES {
            return (all, 0);
        }
        let (mut count, mut only, mut i) = (0, 0, start);
        while i < start + all {
            let index = self.image.elements[i].index;
            i += 1;
            if self.ring.reaches(values, index) {
                (count, only) = (count + 1, index);
            }
        }
        (count, only)
    }

    /// Assigns each of its indices to a point in turn.
    const fn choose(&mut self, chain: &mut Chain, before: i64, point: usize) -> Result<bool, Error> {
        let Point { offset, start, count, .. } = self.image.points.as_slice()[point];
        let values = tri!(chain.solutions.values(&Self::row(chain, 0, offset)));
        let mut i = start;
        while i < start + count {
            let index = self.image.elements[i].index;
            tri!(self.spend(1));
            if self.ring.reaches(values, index) {
                tri!(self.spend(10));
                let mut with = *chain;
                with.settled |= 1 << point;
                // Others of the group are still open.
                with.next = 0;
                let _ = tri!(with.solutions.keep(values, index));
                if tri!(self.extend(&mut with, before)) {
                    *chain = with;
                    return Ok(true);
                }
            }
            i += 1;
        }
        Ok(false)
    }

    /// Keeps the solutions that satisfy the other groups of a next bound.
    const fn fits(&mut self, chain: &mut Chain, bound: i64) -> Result<bool, Error> {
        tri!(self.spend(2 + self.pairs.len() / 8));
        let mut i = 0;
        while i < self.pairs.len() {
            let (below, above) = self.pairs.as_slice()[i];
            let (below, above) = (below as usize, above as usize);
            let (one, other) = (self.image.points.as_slice()[below], self.image.points.as_slice()[above]);
            i += 1;
            if !Self::together(one, other, bound) {
                continue;
            }
            tri!(self.spend(chain.solutions.cost()));
            let difference = self.difference(chain, bound, other.offset, one.offset);
            let modulus = self.ring.gcd(one.modulus, other.modulus);
            let (one, other) = (self.image.elements[one.start].index, self.image.elements[other.start].index);
            let wanted = tri!(self.ring.subtract(other, 1, one));
            if modulus != 1 && !tri!(chain.solutions.keep_up_to(&difference, wanted, modulus)) {
                to_front(self.pairs.as_mut_slice(), i - 1);
                return Ok(false);
            }
        }
        i = 0;
        while i < self.order.len() {
            let own = self.order.as_slice()[i] as usize;
            let point = self.image.points.as_slice()[own];
            i += 1;
            if point.count == 1 || point.reach < bound {
                continue;
            }
            let mut anchor = point.below;
            if !self.is_anchor(anchor, point, bound) {
                anchor = point.above;
                if !self.is_anchor(anchor, point, bound) {
                    continue;
                }
            }
            tri!(self.spend(chain.solutions.cost()));
            let other = self.image.points.as_slice()[anchor];
            let (first, step) =
                tri!(chain.solutions.values(&self.difference(chain, bound, point.offset, other.offset)));
            let from = self.image.elements[other.start].index;
            let first = match self.ring {
                Ring::Integers => tri!(self.ring.subtract(first, -1, from)),
                Ring::Polynomials => first ^ from,
            };
            let possible = if step == 0 {
                self.image.lies_at(point.start, self.image.size, first)
            } else {
                self.possible(own, (first, step)).0 > 0
            };
            if !possible {
                to_front(self.order.as_mut_slice(), i - 1);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a point with one index is in the group of another.
    const fn is_anchor(&self, anchor: usize, point: Point, bound: i64) -> bool {
        anchor != NOWHERE
            && self.image.points.as_slice()[anchor].count == 1
            && Self::together(point, self.image.points.as_slice()[anchor], bound)
    }

    /// Whether two points are in one group other than that of 0.
    const fn together(one: Point, other: Point, bound: i64) -> bool {
        (one.offset - other.offset).abs() < bound
            && (one.reach >= bound || other.reach >= bound)
            && Self::group(one.offset, bound) == Self::group(other.offset, bound)
    }

    // ---- from solutions to a layout ----

    /// The start of the elements of the first offset for which the solution gives none of its indices.
    const fn contradiction(&mut self, chain: &Chain) -> Result<Option<usize>, Error> {
        let (mut start, strides) = (0, &chain.solutions.one);
        while start < self.image.size {
            let row = Self::row(chain, 0, self.image.elements[start].offset);
            let index = tri!(self.ring.dot(&row, strides, chain.bounds.len() + 1));
            if !self.image.lies_at(start, self.image.size, index) {
                tri!(self.spend(5 * start));
                return Ok(Some(start));
            }
            start = self.image.next_place(start, self.image.size);
        }
        Ok(None)
    }

    /// Adds a point, whose elements begin here.
    const fn add(&mut self, start: usize) -> Result<(), Error> {
        let own = self.image.points.len();
        tri!(self.spend(100));
        tri!(self.image.add(start));
        let _ = self.order.push(own as u8, "points");
        let point = self.image.points.as_slice()[own];
        if point.has_modulus() {
            if point.below != own && point.below != NOWHERE {
                let _ = self.pairs.push((point.below as u8, own as u8), "pairs");
            }
            if point.above != NOWHERE {
                let _ = self.pairs.push((own as u8, point.above as u8), "pairs");
            }
        }
        Ok(())
    }

    /// Appends the layout of a solution. Its last mode reaches the largest offset; below 0 it has one more, of 2, for the
    /// floor -1.
    const fn build(
        &self,
        chain: &Chain,
        unit: i64,
        modes: &[Indexed],
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let (first, mut r) = (out.leaves().len(), 0);
        if unit > 1 {
            tri!(self.append(unit, 0, first, out));
        }
        let (bounds, strides) = (chain.bounds.as_slice(), &chain.solutions.one);
        let (mut extent, mut begin) = (1, 1);
        while r < bounds.len() {
            let (leaves, last) = (out.leaves().len(), r + 1 == bounds.len());
            extent = if last { self.image.whole_reach / bounds[r] + 1 } else { bounds[r + 1] / bounds[r] };
            tri!(self.append(extent, strides[r + 1], first, out));
            if out.leaves().len() > leaves {
                begin = bounds[r];
            }
            r += 1;
        }
        if self.image.low == 0 && self.image.reach > 0 {
            let last = out.leaves().len() - 1;
            out.leaves_mut()[last].extent = self.image.whole_reach / begin + 1;
        } else if self.image.low < 0 {
            let own = tri!(Ring::Integers.subtract(0, -extent, strides[r]));
            tri!(self.append(2, tri!(Ring::Integers.subtract(own, 1, strides[BEYOND])), first, out));
        }
        if !self.image.is_whole() {
            // Compared with the whole layout.
            let mut found = HTuple::builder(Leaf::new(1, 0));
            r = first;
            while r < out.leaves().len() {
                tri!(found.push_value(out.leaves()[r]));
                r += 1;
            }
            tri!(found.close_leaves(0));
            let indices = tri!(Layout::new(found)).composition(&tri!(layout_of(modes, false)));
            if !matches!(indices, Ok(indices) if indices.equivalent(&tri!(layout_of(modes, true)))) {
                out.drop_leaves(first);
                return Err(UNDECIDED);
            }
        }
        out.close_merged(first)
    }

    const fn append(
        &self,
        extent: i64,
        stride: i64,
        first: usize,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        if extent == 1 {
            return Ok(());
        }
        let stride = match self.ring {
            Ring::Integers => Stride::integer(stride),
            Ring::Polynomials => tri!(Stride::xor(stride)),
        };
        out.push_merged(Leaf { extent, stride }, first)
    }
}

/// Moves an item to the front.
pub(super) const fn to_front<T: Copy>(items: &mut [T], at: usize) {
    let (item, mut i) = (items[at], at);
    while i > 0 {
        items[i] = items[i - 1];
        i -= 1;
    }
    items[0] = item;
}

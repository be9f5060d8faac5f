//! Left inverses where the strides form no chain of divisors: a search (EXACT form, section 4).
//!
//! Wanted is `G` with `G(L(c)) = sum p_i c_i` for the modes `s_i:d_i` of an injective `L`, with index strides `p_i`. Let
//! `P_1 | P_2 | ... | P_m` be the bounds of `G`, the prefix products of its shape. Then
//!
//! ```text
//! G(x) = e_0 x + sum_r e_r floor(x / P_r)
//! ```
//!
//! so that `G` is a chain of bounds with integers `e_r`, and each offset asks for one linear equation in these. Whether
//! there is a solution is asked of the lattice that the columns `(floor(x / P_r))_x` span: does it contain the indices?
//!
//! 1. *Nothing carries.* Where `sum_i (d_i mod P) (s_i - 1) < P`, the floor is linear on the image. With such bounds alone
//!    the equations of the strides are enough. Bounds of the same floors come in intervals, about as many as the square
//!    root of the largest stride. The search goes through the intervals that a chain of divisors can visit, the
//!    shortest chains first.
//! 2. *Carries cancel.* `(2,3):(2,3)` has `(2,3,2):(1,1,4)`, with bounds 2 and 6: two steps of 3 carry over both, with
//!    `e_1 = -1` and `e_2 = 1`. Here any chain may do. One that does still does with more bounds, so that it is enough
//!    to look at the longest ones, `q_1, q_1 q_2, ...` with primes `q_r`. The equations of a few offsets rule out most,
//!    and those of all offsets decide the rest. Where the budget lasts, as it does for small images, this is complete:
//!    no solution is a proof that there is none.
//!
//! What is found is checked by composition.

use super::right_inverse::Indexed;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf};
use crate::list::List;
use crate::tuple::HTuple;

/// How much work either search does before the answer is "undecided": a step is the time of a few instructions, so that
/// all of them are a few milliseconds.
const BUDGET: usize = 1 << 18;

/// Steps for the equation of one offset, and for the next factor of a bound.
const EQUATION_STEPS: usize = 30;
const FACTOR_STEPS: usize = 10;

/// How many intervals of bounds are walked through, and how many of them kept.
const MAX_WALK: usize = 1 << 14;
const MAX_INTERVALS: usize = 1024;

/// Up to this largest offset, in units of the greatest common divisor of the strides, chains with carries are looked at.
const MAX_HIGH: i64 = 1 << 12;

/// How many equations and bounds the linear system may have. The bounds of the second search are fewer than the bits of
/// [`MAX_HIGH`].
const MAX_ROWS: usize = 10;
const MAX_BOUNDS: usize = 14;

pub(super) const UNDECIDED: Error = Error::Undecided { operation: "left_inverse" };
const NONE: Error = Error::NoInverse { reason: "no shape has strides that give the indices back" };

/// Appends a left inverse of the modes, whose strides are 0 or more, in ascending order.
#[cold]
#[inline(never)]
pub(super) const fn search_left_inverse(modes: &[Indexed], out: &mut HTuple<Leaf>) -> Result<(), Error> {
    let mut search = tri!(Search::new(modes));
    if let Ok(false) = search.layout.is_injective() {
        return Err(UNDECIDED);
    }
    if search.layout.leaves().len() > MAX_ROWS {
        return Err(UNDECIDED);
    }
    // The second search does not build on the first: it may go on where the first gave up.
    if !matches!(search.without_carries(), Ok(true)) && !tri!(search.with_carries()) {
        return Err(if search.complete { NONE } else { UNDECIDED });
    }
    let (first, mut i) = (out.leaves().len(), 0);
    while i < search.found.leaves().len() {
        tri!(out.push_merged(search.found.leaves()[i], first));
        i += 1;
    }
    out.close_merged(first)
}

struct Search {
    /// The modes that move.
    layout: Layout,
    /// The same modes with the strides of their indices: what the left inverse has to give.
    place: Layout,
    /// The largest offset.
    high: i64,
    /// The offsets of which the equations are looked at, each with its index; first those of the strides.
    points: List<(i64, i64), MAX_ROWS>,
    /// The intervals of bounds over which nothing carries, the largest bounds first.
    intervals: List<(i64, i64), MAX_INTERVALS>,
    /// No chain can do whose smallest bound comes before this interval.
    first: usize,
    /// Whether some chain had the length asked for.
    reached: bool,
    /// Whether no solution was dropped because it could not be written or checked.
    complete: bool,
    budget: usize,
    found: Layout,
}

type Bounds = List<i64, MAX_BOUNDS>;

/// Bounds over which nothing carries, each a divisor of the next.
#[derive(Clone, Copy)]
struct Chain {
    bounds: Bounds,
    /// The interval of the last bound.
    last: usize,
    /// Spanned by the columns of 1 and of the bounds.
    lattice: Lattice,
}

impl Search {
    const fn new(modes: &[Indexed]) -> Result<Search, Error> {
        let (mut layout, mut place) = (Layout::empty(), Layout::empty());
        let mut points = List::new((0, 0));
        let (mut high, mut i) = (0, 0);
        while i < modes.len() {
            let Indexed { stride, extent, index } = modes[i];
            if stride != 0 {
                tri!(layout.tuple.push_value(Leaf::new(extent, stride)));
                tri!(place.tuple.push_value(Leaf::new(extent, index)));
                let _ = points.push((stride, index), "");
                high += stride * (extent - 1);
            }
            i += 1;
        }
        tri!(layout.tuple.close_leaves(0));
        tri!(place.tuple.close_leaves(0));
        Ok(Search {
            layout,
            place,
            high,
            points,
            intervals: List::new((0, 0)),
            first: 0,
            reached: false,
            complete: true,
            budget: BUDGET,
            found: Layout::UNIT,
        })
    }

    /// Pays for one more column of a lattice.
    const fn spend_column(&mut self) -> Result<(), Error> {
        self.spend(self.points.len() * self.points.len() + 10)
    }

    const fn spend(&mut self, steps: usize) -> Result<(), Error> {
        if self.budget < steps {
            return Err(UNDECIDED);
        }
        self.budget -= steps;
        Ok(())
    }

    /// The floors of the points over a bound.
    const fn column(&self, bound: i64) -> Row {
        let (mut column, mut i) = ([0; MAX_ROWS], 0);
        while i < self.points.len() {
            column[i] = (self.points.as_slice()[i].0 / bound) as i128;
            i += 1;
        }
        column
    }

    const fn targets(&self) -> Row {
        let (mut targets, mut i) = ([0; MAX_ROWS], 0);
        while i < self.points.len() {
            targets[i] = self.points.as_slice()[i].1 as i128;
            i += 1;
        }
        targets
    }

    /// The lattice of a chain without bounds.
    const fn start(&self) -> Result<Lattice, Error> {
        let mut lattice = Lattice { basis: [[0; MAX_ROWS]; MAX_ROWS], rows: self.points.len() };
        tri!(lattice.insert(self.column(1)));
        Ok(lattice)
    }

    // ---- the first search ----

    const fn without_carries(&mut self) -> Result<bool, Error> {
        self.collect();
        if !tri!(self.find_first()) {
            return Ok(false);
        }
        let mut length = 0;
        self.reached = true;
        while self.reached {
            self.reached = false;
            let start = Chain { bounds: List::new(0), last: 0, lattice: tri!(self.start()) };
            if tri!(self.extend(&start, length)) {
                return Ok(true);
            }
            length += 1;
        }
        Ok(false)
    }

    /// Walks through the intervals of equal floors. Above the largest stride all are 0.
    const fn collect(&mut self) {
        let (modes, mut steps) = (self.layout.leaves(), 0);
        let mut bound = modes[modes.len() - 1].stride.numerator();
        while bound >= 2 && steps < MAX_WALK {
            let (mut low, mut whole, mut i) = (2, 1i128, 0);
            while i < modes.len() {
                let stride = modes[i].stride.numerator();
                let quotient = stride / bound;
                let begin = stride / (quotient + 1) + 1;
                if begin > low {
                    low = begin;
                }
                whole += quotient as i128 * (modes[i].extent - 1) as i128;
                i += 1;
            }
            // Nothing carries where high - bound (whole - 1) < bound.
            let free = (self.high as i128 / whole) as i64 + 1;
            let begin = if free > low { free } else { low };
            if begin <= bound && self.intervals.push((begin, bound), "").is_err() {
                return;
            }
            bound = low - 1;
            steps += 1;
        }
    }

    /// Leaves the divisors aside: how small has the smallest bound to be? `false` where all bounds together do not do.
    const fn find_first(&mut self) -> Result<bool, Error> {
        let mut lattice = tri!(self.start());
        let mut used = 0;
        while !tri!(lattice.contains(self.targets())) {
            if used == self.intervals.len() {
                return Ok(false);
            }
            tri!(lattice.insert(self.column(self.intervals.as_slice()[used].1)));
            used += 1;
        }
        // The last of these is needed, or one behind it.
        self.first = used.saturating_sub(1);
        Ok(true)
    }

    /// Whether some chain that goes on with `missing` more bounds does.
    ///
    /// One bound of an interval stands for all that may come next: `floor(x / tP)` is `floor(floor(x / P) / t)`, and over
    /// `tP` nothing carries where `floor(d_i / P) mod t`, times the steps of the modes, sum to less than `t`. Neither asks
    /// for more than the floors.
    const fn extend(&mut self, chain: &Chain, missing: usize) -> Result<bool, Error> {
        if missing == 0 {
            self.reached = true;
            return self.decide_free(chain);
        }
        let (mut next, end, unit) = match chain.bounds.as_slice() {
            [] => (self.intervals.len(), self.first, 1),
            [.., last] => (chain.last, 0, *last),
        };
        while next > end {
            next -= 1;
            tri!(self.spend(1));
            let (from, to) = self.intervals.as_slice()[next];
            let bound = ((from - 1) / unit + 1) * unit;
            if bound > to {
                continue;
            }
            tri!(self.spend_column());
            let mut longer = Chain { last: next, ..*chain };
            tri!(longer.bounds.push(bound, "bounds"));
            tri!(longer.lattice.insert(self.column(bound)));
            if tri!(self.extend(&longer, missing - 1)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    const fn decide_free(&mut self, chain: &Chain) -> Result<bool, Error> {
        if !tri!(chain.lattice.contains(self.targets())) {
            return Ok(false);
        }
        let (mut solutions, mut i) = (Solutions::new(&chain.bounds), 0);
        while i < self.points.len() {
            let (offset, index) = self.points.as_slice()[i];
            tri!(solutions.keep(&equation(&chain.bounds, offset, index)));
            i += 1;
        }
        self.take(&chain.bounds, &solutions)
    }

    // ---- the second search ----

    const fn with_carries(&mut self) -> Result<bool, Error> {
        self.add_points();
        // All offsets are multiples of a unit; a left inverse may divide by it before anything else.
        let (mut unit, mut i) = (0, 0);
        while i < self.points.len() {
            unit = int::gcd(unit, self.points.as_slice()[i].0 as u64);
            i += 1;
        }
        let unit = unit as i64;
        if unit > 1 && self.high / unit <= MAX_HIGH {
            self.budget = BUDGET;
            let (mut lattice, mut bounds) = (tri!(self.start()), List::new(0));
            tri!(bounds.push(unit, "bounds"));
            tri!(lattice.insert(self.column(unit)));
            if matches!(self.climb(&bounds, &lattice), Ok(true)) {
                return Ok(true);
            }
        }
        if self.high > MAX_HIGH {
            return Err(UNDECIDED);
        }
        self.budget = BUDGET;
        let lattice = tri!(self.start());
        self.climb(&List::new(0), &lattice)
    }

    /// Points where something may carry: sums of two steps, and the ends of modes.
    const fn add_points(&mut self) {
        let rank = self.layout.leaves().len();
        let (mut offset, mut index, mut i) = (0, 0, 0);
        while i < rank {
            let steps = self.layout.leaves()[i].extent - 1;
            let (stride, own) = self.points.as_slice()[i];
            (offset, index) = (offset + steps * stride, index + steps * own);
            i += 1;
        }
        let _ = self.points.push((offset, index), "");
        i = 0;
        while i < rank {
            let (stride, own) = self.points.as_slice()[i];
            let mut j = 0;
            while j <= i {
                let (other, its) = self.points.as_slice()[j];
                if j < i || self.layout.leaves()[i].extent > 2 {
                    let _ = self.points.push((stride + other, own + its), "");
                }
                j += 1;
            }
            i += 1;
        }
        i = 0;
        while i < rank {
            let steps = self.layout.leaves()[i].extent - 1;
            let (stride, own) = self.points.as_slice()[i];
            if steps > 2 {
                let _ = self.points.push((steps * stride, steps * own), "");
            }
            i += 1;
        }
    }

    /// Whether some longest chain that begins with these bounds does.
    const fn climb(&mut self, bounds: &Bounds, lattice: &Lattice) -> Result<bool, Error> {
        let bound = if bounds.is_empty() { 1 } else { bounds.as_slice()[bounds.len() - 1] };
        let (mut before, mut may) = ([-1; MAX_ROWS], false);
        let mut times = 2;
        while times <= self.high / bound {
            tri!(self.spend(FACTOR_STEPS));
            let next = bound * times;
            if is_prime(times) {
                let mut longer = *bounds;
                tri!(longer.push(next, "bounds"));
                if next <= self.high / 2 {
                    tri!(self.spend_column());
                    let mut lattice = *lattice;
                    tri!(lattice.insert(self.column(next)));
                    if tri!(self.climb(&longer, &lattice)) {
                        return Ok(true);
                    }
                } else {
                    let column = self.column(next);
                    if !same(&column, &before) {
                        tri!(self.spend_column());
                        before = column;
                        let mut lattice = *lattice;
                        tri!(lattice.insert(column));
                        may = tri!(lattice.contains(self.targets()));
                    }
                    if may && tri!(self.decide_all(&longer)) {
                        return Ok(true);
                    }
                }
            }
            times += 1;
        }
        Ok(false)
    }

    /// Whether there is a solution of the equations of all offsets.
    const fn decide_all(&mut self, bounds: &Bounds) -> Result<bool, Error> {
        let (mut solutions, mut i) = (Solutions::new(bounds), 0);
        while i < self.layout.size() && solutions.count > 0 {
            tri!(self.spend(EQUATION_STEPS));
            let (mut offset, mut index, mut rest, mut r) = (0, 0, i, 0);
            while r < self.layout.leaves().len() {
                let Leaf { extent, stride } = self.layout.leaves()[r];
                offset += rest % extent * stride.numerator();
                index += rest % extent * self.place.leaves()[r].stride.numerator();
                rest /= extent;
                r += 1;
            }
            tri!(solutions.keep(&equation(bounds, offset, index)));
            i += 1;
        }
        self.take(bounds, &solutions)
    }

    // ---- from a solution to a layout ----

    /// Takes the solution with few bounds, if there is one.
    const fn take(&mut self, bounds: &Bounds, solutions: &Solutions) -> Result<bool, Error> {
        let mut solutions = *solutions;
        if tri!(solutions.one()).is_none() {
            return Ok(false);
        }
        let mut r = bounds.len() + 1;
        while r > 0 {
            r -= 1;
            let (mut equation, mut fewer) = ([0; WIDTH], solutions);
            equation[r] = 1;
            tri!(fewer.keep(&equation));
            if tri!(fewer.one()).is_some() {
                solutions = fewer;
            }
        }
        if let Some(solution) = tri!(solutions.one())
            && self.build(bounds, &solution).is_ok()
        {
            return Ok(true);
        }
        self.complete = false;
        Ok(false)
    }

    /// The layout of a solution, checked.
    const fn build(&mut self, bounds: &Bounds, solution: &Equation) -> Result<(), Error> {
        self.found = Layout::empty();
        let (mut bound, mut stride, mut r) = (1, solution[0], 0);
        loop {
            let last = r == bounds.len();
            let extent = if last { self.high / bound + 1 } else { bounds.as_slice()[r] / bound };
            if stride as i64 as i128 != stride {
                return Err(UNDECIDED);
            }
            tri!(self.found.tuple.push_merged(Leaf::new(extent, stride as i64), 0));
            if last {
                break;
            }
            bound = bounds.as_slice()[r];
            r += 1;
            stride = tri!(fits((extent as i128 * stride).checked_add(solution[r])));
        }
        tri!(self.found.tuple.close_merged(0));
        tri!(self.found.check());
        let identity = tri!(self.found.composition(&self.layout));
        if identity.equivalent(&self.place) { Ok(()) } else { Err(UNDECIDED) }
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

const fn same(left: &Row, right: &Row) -> bool {
    let mut i = 0;
    while i < MAX_ROWS {
        if left[i] != right[i] {
            return false;
        }
        i += 1;
    }
    true
}

const fn fits<T: Copy>(value: Option<T>) -> Result<T, Error> {
    match value {
        Some(value) => Ok(value),
        None => Err(UNDECIDED),
    }
}

/// `from - times * vector`.
const fn subtract<const N: usize>(
    from: &mut [i128; N],
    times: i128,
    vector: &[i128; N],
) -> Result<(), Error> {
    let mut i = 0;
    while times != 0 && i < N {
        if vector[i] != 0 {
            let product = tri!(fits(times.checked_mul(vector[i])));
            from[i] = tri!(fits(from[i].checked_sub(product)));
        }
        i += 1;
    }
    Ok(())
}

type Row = [i128; MAX_ROWS];

/// The sums of given integer vectors: a basis in echelon form.
#[derive(Clone, Copy)]
struct Lattice {
    /// Vector `r` begins at place `r`; it is 0 where there is none.
    basis: [Row; MAX_ROWS],
    rows: usize,
}

impl Lattice {
    const fn insert(&mut self, mut vector: Row) -> Result<(), Error> {
        let mut r = 0;
        while r < self.rows {
            // Euclid's algorithm at place r.
            while vector[r] != 0 && self.basis[r][r] != 0 {
                let quotient = vector[r] / self.basis[r][r];
                tri!(subtract(&mut vector, quotient, &self.basis[r]));
                if vector[r] != 0 {
                    (vector, self.basis[r]) = (self.basis[r], vector);
                }
            }
            if vector[r] != 0 {
                self.basis[r] = vector;
                break;
            }
            r += 1;
        }
        self.shorten()
    }

    /// Keeps the numbers small: each modulo the one with which a later vector begins.
    const fn shorten(&mut self) -> Result<(), Error> {
        let mut r = 0;
        while r < self.rows {
            let mut later = r + 1;
            while later < self.rows {
                if self.basis[later][later] != 0 {
                    let quotient = self.basis[r][later] / self.basis[later][later];
                    let vector = self.basis[later];
                    tri!(subtract(&mut self.basis[r], quotient, &vector));
                }
                later += 1;
            }
            r += 1;
        }
        Ok(())
    }

    const fn contains(&self, mut vector: Row) -> Result<bool, Error> {
        let mut r = 0;
        while r < self.rows {
            if vector[r] != 0 {
                if self.basis[r][r] == 0 || vector[r] % self.basis[r][r] != 0 {
                    return Ok(false);
                }
                let quotient = vector[r] / self.basis[r][r];
                tri!(subtract(&mut vector, quotient, &self.basis[r]));
            }
            r += 1;
        }
        Ok(true)
    }
}

/// `e_0`, the `e_r` of the bounds, and the factor of the index.
const WIDTH: usize = MAX_BOUNDS + 2;

const SCALE: usize = WIDTH - 1;

type Equation = [i128; WIDTH];

/// `e_0 x + sum_r e_r floor(x / P_r) = scale * index`.
const fn equation(bounds: &Bounds, offset: i64, index: i64) -> Equation {
    let (mut equation, mut r) = ([0; WIDTH], 0);
    equation[0] = offset as i128;
    while r < bounds.len() {
        equation[r + 1] = (offset / bounds.as_slice()[r]) as i128;
        r += 1;
    }
    equation[SCALE] = -(index as i128);
    equation
}

/// The integer solutions of homogeneous equations: a basis.
#[derive(Clone, Copy)]
struct Solutions {
    basis: [Equation; WIDTH],
    count: usize,
}

impl Solutions {
    const fn new(bounds: &Bounds) -> Solutions {
        let (mut basis, mut r) = ([[0; WIDTH]; WIDTH], 0);
        while r <= bounds.len() {
            basis[r][r] = 1;
            r += 1;
        }
        basis[r][SCALE] = 1;
        Solutions { basis, count: r + 1 }
    }

    /// Keeps what solves one more equation.
    const fn keep(&mut self, equation: &Equation) -> Result<(), Error> {
        if tri!(self.gather(equation)) != 0 {
            self.count -= 1;
        }
        Ok(())
    }

    /// Changes the basis so that only the last vector has a value other than 0; returns it.
    const fn gather(&mut self, equation: &Equation) -> Result<i128, Error> {
        if self.count == 0 {
            return Ok(0);
        }
        let (mut values, mut i) = ([0i128; WIDTH], 0);
        while i < self.count {
            let mut r = 0;
            while r < WIDTH {
                if equation[r] != 0 {
                    let product = tri!(fits(equation[r].checked_mul(self.basis[i][r])));
                    values[i] = tri!(fits(values[i].checked_add(product)));
                }
                r += 1;
            }
            i += 1;
        }
        let last = self.count - 1;
        i = 0;
        while i < last {
            while values[i] != 0 {
                if values[last] != 0 {
                    let quotient = values[i] / values[last];
                    let vector = self.basis[last];
                    tri!(subtract(&mut self.basis[i], quotient, &vector));
                    values[i] -= quotient * values[last];
                }
                if values[i] != 0 {
                    (values[i], values[last]) = (values[last], values[i]);
                    (self.basis[i], self.basis[last]) = (self.basis[last], self.basis[i]);
                }
            }
            i += 1;
        }
        Ok(values[last])
    }

    /// The solution with scale 1, if there is one.
    const fn one(&self) -> Result<Option<Equation>, Error> {
        let (mut scaled, mut scale) = (*self, [0; WIDTH]);
        scale[SCALE] = 1;
        let value = tri!(scaled.gather(&scale));
        if value != 1 && value != -1 {
            return Ok(None);
        }
        let (mut solution, mut r) = (scaled.basis[scaled.count - 1], 0);
        while r < WIDTH {
            solution[r] *= value;
            r += 1;
        }
        Ok(Some(solution))
    }
}

#[cfg(test)]
mod tests;

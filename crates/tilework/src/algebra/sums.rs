//! Strides with several components: composition of a layout after them, their complements and inverses, and their
//! offsets as integers.
//!
//! A left operand with such strides needs nothing of its own: its offsets are sums of terms wherever the algebra adds.
//! A right operand `B` takes a step in several modes `A_u` of `A` at once, `A(B(c)) = sum_u A_u(B_u(c))`, and the
//! changes of different modes may cancel. So the modes are laid one behind the other as one flat operand, each as long
//! as `B` reaches, and `B` becomes the layout of its indices there: the integer composition then decides exactly. A
//! component that goes below 0 borrows from what stands behind it, so at most one may, and it stands last. With more of
//! them the components are composed separately and added, which finds a layout but proves no absence of one.

use super::composition::{UnitStride, compose_into};
use super::indexed::{Indexed, UNUSED, modes_along, sort};
use super::inverse::Side;
use super::left_inverse::left_inverse_into;
use super::right_inverse::right_inverse_into;
use crate::error::{Error, tri};
use crate::int;
use crate::layout::{Layout, Leaf, Part, build};
use crate::list::{List, sort_by};
use crate::shape::Shape;
use crate::stride::{Components, Rational, Stride, Unit, each_term};
use crate::tuple::{HTuple, MAX_LEAVES, map_leaves};

/// One component of the offsets, with the smallest and the largest value.
#[derive(Clone, Copy)]
struct Reach {
    unit: Unit,
    low: i64,
    high: i64,
}

type Reaches = List<Reach, MAX_LEAVES>;

impl Reach {
    /// The largest magnitude.
    const fn most(self) -> i64 {
        if self.high > self.low.saturating_neg() { self.high } else { self.low.saturating_neg() }
    }
}

impl Layout {
    /// The components in which this layout moves, in the order of coordinates.
    const fn reaches(&self) -> Result<Reaches, Error> {
        let mut reaches = Reaches::new(Reach { unit: Unit::ONE, low: 0, high: 0 });
        let mut i = 0;
        while i < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[i];
            each_term!(stride, |term| {
                let (numerator, denominator) = (term.numerator(), term.denominator());
                if denominator != 1 && extent > 1 {
                    return Err(Error::NotIntegral { operation: "a coordinate", numerator, denominator });
                }
                if extent > 1 {
                    tri!(add_reach(&mut reaches, term.unit(), tri!(int::mul(extent - 1, numerator))));
                }
            });
            i += 1;
        }
        sort_by!(reaches.as_mut_slice(), |left, right| left.unit.precedes(right.unit));
        Ok(reaches)
    }

    /// The layout of the integers `sum_u weight_u x_u` of the offsets `x`; a mode of extent 1 has stride 0.
    const fn weighted(&self, reaches: &[Reach], weights: &[i64; MAX_LEAVES]) -> Result<Layout, Error> {
        let (mut tuple, mut i) = (self.tuple, 0);
        while i < tuple.leaves().len() {
            let Leaf { extent, stride } = tuple.leaves()[i];
            let (mut sum, mut u) = (0, 0);
            while extent > 1 && u < reaches.len() {
                let count = stride.coefficient(reaches[u].unit).numerator();
                sum = tri!(int::add_mul(sum, count, weights[u]));
                u += 1;
            }
            tuple.leaves_mut()[i].stride = Stride::integer(sum);
            i += 1;
        }
        Layout::new(tuple)
    }

    /// A layout of integers that are equal, and 0, wherever the offsets of this one are.
    pub(crate) const fn packed(&self) -> Result<Layout, Error> {
        let reaches = tri!(self.reaches());
        self.weighted(reaches.as_slice(), &tri!(weights(reaches.as_slice())))
    }

    /// The `k`-th component in which this layout moves: its place, its weight in [`packed`](Self::packed), its smallest and its
    /// largest value.
    pub(crate) const fn moving_component(&self, k: usize) -> Result<Option<(usize, i64, i64, i64)>, Error> {
        let reaches = tri!(self.reaches());
        if k >= reaches.len() {
            return Ok(None);
        }
        let Reach { unit, low, high } = reaches.as_slice()[k];
        let shape = map_leaves!(tri!(self.codomain_profile()) => 1, |_zero| 1);
        Ok(Some((tri!(component_of(&shape, unit)), tri!(weights(reaches.as_slice()))[k], low, high)))
    }

    /// Whether the offsets are all coordinates of a shape, each once: none is below 0, and as many as the shape has are different.
    pub(super) const fn fills_a_shape(&self) -> Result<bool, Error> {
        let reaches = tri!(self.reaches());
        let (mut size, mut u) = (1i64, 0);
        while u < reaches.len() {
            let Reach { low, high, .. } = reaches.as_slice()[u];
            if low < 0 {
                return Ok(false);
            }
            size = size.saturating_mul(high.saturating_add(1));
            u += 1;
        }
        Ok(size == self.size() && tri!(self.is_injective()))
    }

    /// Appends `self o other` for an `other` with several components in a stride.
    #[cold]
    pub(super) const fn composition_of_sums(
        &self,
        other: &Layout,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let mut reaches = tri!(other.reaches());
        let (mut below, mut u) = (0, 0);
        while u < reaches.len() {
            below += (reaches.as_slice()[u].low < 0) as usize;
            u += 1;
        }
        sort_by!(reaches.as_mut_slice(), |left, right| left.low >= 0 && right.low < 0);
        let mut left = HTuple::builder(Leaf::UNUSED);
        let mut weights = [0; MAX_LEAVES];
        let end_to_end = self.end_to_end(reaches.as_slice(), &mut left, &mut weights);
        match (below, end_to_end, other.weighted(reaches.as_slice(), &weights)) {
            (0 | 1, Ok(()), Ok(indices)) => {
                compose_into(left.leaves(), &[Part::whole(&indices.tuple)], UnitStride::ZERO, out)
            }
            (0 | 1, Err(error @ (Error::Index { .. } | Error::Coordinate { .. })), _) => Err(error),
            _ => match self.sum_of_compositions(other, reaches.as_slice()) {
                Ok(sum) => out.push_part(Part::whole(&sum.tuple)),
                Err(error @ (Error::Index { .. } | Error::Coordinate { .. })) => Err(error),
                Err(_) => Err(Error::Undecided { operation: "composition with several components" }),
            },
        }
    }

    /// Lays the modes that the components address one behind the other, each at least as long as `reaches` say, and
    /// gives the index at which each begins. All offsets of the longer modes fit.
    const fn end_to_end(
        &self,
        reaches: &[Reach],
        left: &mut HTuple<Leaf>,
        weights: &mut [i64; MAX_LEAVES],
    ) -> Result<(), Error> {
        let (mut weight, mut far, mut u) = (1, 0, 0);
        while u < reaches.len() {
            let (path, level) = reaches[u].unit.path();
            let part = tri!(self.addressed(path.split_at(level).0));
            let (mut size, mut i) = (1, 0);
            while i < part.leaves().len() {
                let mut leaf = part.leaves()[i];
                if i + 1 == part.leaves().len() && reaches[u].high / size >= leaf.extent {
                    leaf.extent = reaches[u].high / size + 1;
                }
                tri!(left.push_value(leaf));
                size = tri!(int::mul(size, leaf.extent));
                if !leaf.stride.is_sum() {
                    far = tri!(int::add_mul(far, leaf.extent, leaf.stride.numerator().saturating_abs()));
                }
                i += 1;
            }
            weights[u] = if part.leaves().is_empty() { 0 } else { weight };
            weight = tri!(int::mul(weight, size));
            u += 1;
        }
        Ok(())
    }

    /// The sum of the compositions of the components.
    const fn sum_of_compositions(&self, other: &Layout, reaches: &[Reach]) -> Result<Layout, Error> {
        let mut sum = tri!(Layout::new(HTuple::leaf(Leaf::new(other.size(), 0))));
        let mut u = 0;
        while u < reaches.len() {
            let (path, level) = reaches[u].unit.path();
            let part = tri!(self.addressed(path.split_at(level).0));
            sum = tri!(sum.layout_add(&tri!(part.composition(&tri!(other.along(reaches[u].unit))))));
            u += 1;
        }
        sum.composition(&tri!(Layout::const_column_major(&other.shape())))
    }

    /// The modes each along one component only, such that a complement of the result is one of this layout.
    ///
    /// One component after the other, the last possible one first, takes the modes that move along it and have none yet, if
    /// they are segregated there. It determines their coordinates, so that only the other modes are left, and all sums of
    /// offsets of the layout and of such a complement are different. The sums cover a sheared shape: a mode that moves back
    /// along other components makes `shape` longer there; one that moves forward leaves coordinates out, which is avoided
    /// where possible, and with `exact` refused.
    #[cold]
    pub(super) const fn separated(&self, shape: &mut Shape, exact: bool) -> Result<Layout, Error> {
        let whole = tri!(self.without_still_strides());
        let (mut rest, mut separated) = (whole, whole.tuple);
        let reaches = tri!(self.reaches());
        loop {
            let (mut chosen, mut skew, mut refused, mut u) = (None, None, None, reaches.len());
            while u > 0 && chosen.is_none() {
                u -= 1;
                let unit = reaches.as_slice()[u].unit;
                let along = tri!(rest.along(unit));
                let end = shape.leaves()[tri!(component_of(shape, unit))];
                let mut gaps = HTuple::builder(Leaf::UNUSED);
                match Part::whole(&along.tuple).complement_along(Unit::ONE, Some(end), exact, &mut gaps) {
                    Err(error) => refused = Some(error),
                    Ok(()) => match (rest.skew(&whole, unit, end), skew) {
                        (None, _) => chosen = if along.is_moving() { Some(unit) } else { chosen },
                        (Some((leaf, certain)), None) => skew = Some((unit, leaf, certain)),
                        (Some((_, certain)), Some(first)) => {
                            skew = Some((first.0, first.1, first.2 && certain))
                        }
                    },
                }
            }
            let unit = match (chosen, skew, refused) {
                (Some(unit), ..) => unit,
                (None, Some((unit, leaf, true)), _) if exact => {
                    let at = rest.leaves()[leaf].stride.coefficient(unit).numerator();
                    return Err(Error::Skew { leaf, component: tri!(component_of(shape, unit)), at });
                }
                (None, Some(_), _) if exact => {
                    return Err(Error::Undecided { operation: "a divide by a skewed tile" });
                }
                (None, Some((unit, ..)), _) => unit,
                (None, None, Some(error)) => return Err(error),
                (None, None, None) => return Layout::new(separated),
            };
            tri!(rest.separate(unit, &mut separated, shape));
        }
    }

    /// A leaf that moves along `unit` within `end`, and forward along another unit too; and whether no mode of `whole` moves
    /// back there, which might make up for it.
    const fn skew(&self, whole: &Layout, unit: Unit, end: i64) -> Option<(usize, bool)> {
        let (mut found, mut leaf) = (None, 0);
        while leaf < self.leaves().len() {
            let stride = self.leaves()[leaf].stride;
            let own = stride.coefficient(unit).numerator();
            each_term!(stride, |term| {
                if own > 0 && own < end && term.numerator() > 0 && !term.unit().same(unit) {
                    let (mut certain, mut i) = (true, 0);
                    while i < whole.leaves().len() {
                        certain &= whole.leaves()[i].stride.coefficient(term.unit()).numerator() >= 0;
                        i += 1;
                    }
                    if certain || found.is_none() {
                        found = Some((leaf, certain));
                    }
                }
            });
            leaf += 1;
        }
        found
    }

    /// Takes the modes along `unit` out of this layout.
    const fn separate(
        &mut self,
        unit: Unit,
        separated: &mut HTuple<Leaf>,
        shape: &mut Shape,
    ) -> Result<(), Error> {
        let end = shape.leaves()[tri!(component_of(shape, unit))];
        let mut leaf = 0;
        while leaf < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[leaf];
            let count = stride.coefficient(unit);
            if count.numerator() != 0 {
                separated.leaves_mut()[leaf].stride = tri!(Stride::new(count, unit));
                self.tuple.leaves_mut()[leaf].stride = Stride::ZERO;
                each_term!(stride, |term| {
                    if term.numerator() < 0 && count.numerator() < end {
                        let component = tri!(component_of(shape, term.unit()));
                        let longer = &mut shape.leaves_mut()[component];
                        *longer = longer.saturating_sub(tri!(int::mul(extent - 1, term.numerator())));
                    }
                });
            }
            leaf += 1;
        }
        Ok(())
    }

    /// The largest right inverse of each component, with the index of its value `k` where the packed offset is `k` times
    /// the weight of the component: only there are all others 0.
    #[cold]
    pub(super) const fn right_inverse_of_sums(&self) -> Result<Layout, Error> {
        const OPERATION: &str = "right_inverse";
        let reaches = tri!(self.reaches());
        if !has_negative(reaches.as_slice()) {
            // No sum of steps with several components lies on the axis of one.
            return self.inverse_with(Side::Right);
        }
        let mut identity = Layout::empty();
        let inverse = build!(|out| self.right_inverse_of_sums_into(&reaches, out, &mut identity.tuple));
        // Components that share modes may add up to carries, or to indices beyond the layout.
        let inverse = tri!(inverse);
        let end = tri!(inverse.bounds(OPERATION)).1;
        match self.composition(&inverse) {
            Ok(both) if end < self.size() && both.equivalent(&tri!(Layout::new(identity.tuple))) => {
                Ok(inverse)
            }
            _ => Err(Error::Undecided { operation: OPERATION }),
        }
    }

    /// The right inverse, if sums of steps along several components may lie on the axis of one. If this layout overlaps
    /// itself there are several, of which the largest need not have most in common with another layout.
    pub(super) const fn inverse_through_sums(&self) -> Result<Option<Layout>, Error> {
        if !self.has_sums() || !has_negative(tri!(self.reaches()).as_slice()) {
            return Ok(None);
        }
        if !tri!(self.is_injective()) {
            return Err(Error::Undecided { operation: "common_layout" });
        }
        Ok(Some(tri!(self.right_inverse_of_sums())))
    }

    const fn right_inverse_of_sums_into(
        &self,
        reaches: &Reaches,
        out: &mut HTuple<Leaf>,
        identity: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let offset = tri!(self.codomain_profile());
        let mut components = Components::new(offset.profile());
        while let Some(unit) = tri!(components.next_leaf(out)) {
            let (mut last, mut first) = (*reaches, out.leaves().len());
            sort_by!(last.as_mut_slice(), |left, right| !left.unit.same(unit) && right.unit.same(unit));
            let weights = tri!(weights(last.as_slice()));
            let packed = tri!(self.weighted(last.as_slice(), &weights));
            let mut room = [UNUSED; MAX_LEAVES];
            let modes = tri!(modes_along(packed.leaves(), Unit::ONE, false, 1, &mut room));
            tri!(if last.as_slice()[last.len() - 1].unit.same(unit) {
                right_inverse_into(modes, weights[last.len() - 1], out)
            } else {
                out.push(Leaf::new(1, 0))
            });
            let mut size = 1;
            while first < out.leaves().len() {
                let extent = out.leaves()[first].extent;
                tri!(
                    identity.push_value(Leaf {
                        extent,
                        stride: tri!(Stride::new(Rational::integer(size), unit))
                    })
                );
                size *= extent;
                first += 1;
            }
        }
        Ok(())
    }

    /// The left inverse that adds a function of each component: `g_u` times it, or, where the modes along it are a chain of
    /// divisors, an index for each of their coordinates. Every mode that moves gives an equation, that its steps add up to its
    /// index, unless it moves in a chain, whose strides are free. Other functions are searched.
    #[cold]
    pub(super) const fn left_inverse_of_sums(&self) -> Result<Layout, Error> {
        let several = match self.one_component("a left inverse that is not linear") {
            Ok(()) => return self.inverse_with(Side::Left),
            Err(error) => error,
        };
        let reaches = tri!(self.reaches());
        let reaches = reaches.as_slice();
        if reaches.len() > MAX_UNKNOWNS {
            return Err(Error::Capacity { what: "components in a left inverse", limit: MAX_UNKNOWNS });
        }
        let mut chains = [false; MAX_UNKNOWNS];
        let mut equations = tri!(self.equations(reaches, &chains));
        if equations.is_none() {
            let mut u = 0;
            while u < reaches.len() {
                chains[u] = self.is_chain_along(reaches[u].unit);
                u += 1;
            }
            equations = tri!(self.equations(reaches, &chains));
        }
        match equations {
            Some(equations) => build!(|out| self.sum_of_inverses_into(reaches, &chains, &equations, out)),
            None => self.searched_inverse(reaches, several),
        }
    }

    /// The left inverse that adds the digits of each component for bounds that divide each other, each digit times an unknown
    /// stride: every index gives an equation. More bounds allow more, so that they are increased by primes up to the reach. Below 0
    /// and for indices with one offset there are further functions, which are not tried.
    const fn searched_inverse(&self, reaches: &[Reach], several: Error) -> Result<Layout, Error> {
        let mut bounds = [List::new(1); MAX_UNKNOWNS];
        let mut search = DigitSearch { layout: self, reaches, steps: 0, is_complete: !has_negative(reaches) };
        match search.extend(&mut bounds, 0) {
            Some(equations) => build!(|out| self.digits_into(reaches, &bounds, &equations, out)),
            None if search.is_complete && matches!(self.is_injective(), Ok(true)) => {
                Err(Error::NoInverse { reason: "no layout returns the indices of all offsets" })
            }
            None => Err(several),
        }
    }

    const fn digits_into(
        &self,
        reaches: &[Reach],
        bounds: &[Bounds; MAX_UNKNOWNS],
        equations: &Equations,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let offset = tri!(self.codomain_profile());
        let mut components = Components::new(offset.profile());
        while let Some(unit) = tri!(components.next_leaf(out)) {
            let (mut u, mut unknown, first) = (0, 0, out.leaves().len());
            while u < reaches.len() && !reaches[u].unit.same(unit) {
                unknown += bounds[u].len() + 1;
                u += 1;
            }
            let mut last = 1;
            let mut r = 0;
            while u < reaches.len() && r < bounds[u].len() {
                let bound = bounds[u].as_slice()[r];
                tri!(out.push_merged(Leaf::new(bound / last, tri!(equations.stride(unknown + r))), first));
                (last, r) = (bound, r + 1);
            }
            let (extent, stride) = match u < reaches.len() {
                true => (reaches[u].most() / last + 1, tri!(equations.stride(unknown + r))),
                false => (1, 0),
            };
            tri!(out.push_merged(Leaf::new(extent, stride), first));
            tri!(out.close_merged(first));
        }
        Ok(())
    }

    /// The equations for the components that are no chains, if they have a solution.
    const fn equations(
        &self,
        reaches: &[Reach],
        chains: &[bool; MAX_UNKNOWNS],
    ) -> Result<Option<Equations>, Error> {
        let mut equations = Equations::new(reaches.len());
        let (mut index, mut leaf) = (1, 0);
        while leaf < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[leaf];
            if extent > 1 && !stride.is_zero() && first_chain(stride, reaches, chains) == reaches.len() {
                let (mut row, mut u) = ([0; MAX_UNKNOWNS], 0);
                while u < reaches.len() {
                    row[u] = stride.coefficient(reaches[u].unit).numerator() as i128;
                    u += 1;
                }
                match equations.add(&row, index as i128) {
                    Some(true) => {}
                    Some(false) => return Ok(None),
                    None => return Err(Error::Undecided { operation: "left_inverse" }),
                }
            }
            index *= extent;
            leaf += 1;
        }
        Ok(Some(equations))
    }

    /// Whether each stride along a component is a multiple of the one before, and beyond its mode.
    const fn is_chain_along(&self, unit: Unit) -> bool {
        let mut room = [UNUSED; MAX_LEAVES];
        let Ok(along) = self.along(unit) else { return false };
        let Ok(modes) = modes_along(along.leaves(), Unit::ONE, false, 1, &mut room) else { return false };
        sort(modes);
        let (mut unit, mut end, mut i) = (1, 1, 0);
        while i < modes.len() && modes[i].stride >= end && modes[i].stride % unit == 0 {
            unit = modes[i].stride;
            end = unit.saturating_mul(modes[i].extent);
            i += 1;
        }
        i == modes.len()
    }

    const fn sum_of_inverses_into(
        &self,
        reaches: &[Reach],
        chains: &[bool; MAX_UNKNOWNS],
        equations: &Equations,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let offset = tri!(self.codomain_profile());
        let mut components = Components::new(offset.profile());
        while let Some(unit) = tri!(components.next_leaf(out)) {
            let mut u = 0;
            while u < reaches.len() && !reaches[u].unit.same(unit) {
                u += 1;
            }
            if u == reaches.len() {
                tri!(out.push(Leaf::new(1, 0)));
            } else if chains[u] {
                tri!(self.inverse_of_chain_into(u, reaches, chains, equations, out));
            } else {
                let stride = tri!(equations.stride(u));
                tri!(out.push(Leaf::new(tri!(int::add(reaches[u].most(), 1)), stride)));
            }
        }
        Ok(())
    }

    /// Appends the function of component `u` that gives the coordinates of its modes the index that is missing.
    const fn inverse_of_chain_into(
        &self,
        u: usize,
        reaches: &[Reach],
        chains: &[bool; MAX_UNKNOWNS],
        equations: &Equations,
        out: &mut HTuple<Leaf>,
    ) -> Result<(), Error> {
        let (mut room, mut len, mut own, mut leaf) = ([UNUSED; MAX_LEAVES], 0, 1, 0);
        while leaf < self.leaves().len() {
            let Leaf { extent, stride } = self.leaves()[leaf];
            let count = stride.coefficient(reaches[u].unit).numerator();
            if extent > 1 && count != 0 {
                let (mut index, mut v) = (0, 0);
                if first_chain(stride, reaches, chains) == u {
                    index = own;
                    while v < reaches.len() {
                        let known = if chains[v] { 0 } else { tri!(equations.stride(v)) };
                        let steps = stride.coefficient(reaches[v].unit).numerator();
                        index = tri!(int::sub(index, tri!(int::mul(known, steps))));
                        v += 1;
                    }
                }
                room[len] = Indexed { stride: count, extent, index };
                len += 1;
            }
            own *= extent;
            leaf += 1;
        }
        left_inverse_into(room.split_at_mut(len).0, out)
    }
}

/// The bounds of the digits of a component, without 1.
type Bounds = List<i64, MAX_UNKNOWNS>;

/// A search for the bounds of all components.
struct DigitSearch<'a> {
    layout: &'a Layout,
    reaches: &'a [Reach],
    /// Ratios and equations so far.
    steps: usize,
    is_complete: bool,
}

/// The most ratios and equations that are tried.
const MAX_STEPS: usize = 4_000;

impl DigitSearch<'_> {
    /// The solution for some choice of the bounds from component `u` on, which are in place then.
    const fn extend(&mut self, bounds: &mut [Bounds; MAX_UNKNOWNS], u: usize) -> Option<Equations> {
        if u == self.reaches.len() {
            return self.solve(bounds);
        }
        let (before, most) = (*bounds, self.reaches[u].most());
        let last = if before[u].is_empty() { 1 } else { before[u].as_slice()[before[u].len() - 1] };
        let mut ratio = 2;
        while ratio <= most / last {
            self.steps += 1;
            if self.steps > MAX_STEPS || bounds[u].push(last * ratio, "bounds").is_err() {
                self.is_complete = false;
                return None;
            }
            if let Some(equations) = self.extend(bounds, u) {
                return Some(equations);
            }
            *bounds = before;
            ratio += 1;
            while smallest_factor(ratio) < ratio {
                ratio += 1;
            }
        }
        if most / last < 2 { self.extend(bounds, u + 1) } else { None }
    }

    /// The strides of all digits, if there are any.
    const fn solve(&mut self, bounds: &[Bounds; MAX_UNKNOWNS]) -> Option<Equations> {
        let (mut count, mut u, mut index) = (0, 0, 0);
        while u < self.reaches.len() {
            count += bounds[u].len() + 1;
            u += 1;
        }
        if count > MAX_UNKNOWNS {
            self.is_complete = false;
            return None;
        }
        let mut equations = Equations::new(count);
        while index < self.layout.size() {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                self.is_complete = false;
                return None;
            }
            if let Some(row) = self.digits(bounds, index) {
                match equations.add(&row, index as i128) {
                    Some(true) => {}
                    Some(false) => return None,
                    None => {
                        self.is_complete = false;
                        return None;
                    }
                }
            }
            index += 1;
        }
        Some(equations)
    }

    /// The digits of the offset of an index; none for one that steps through a mode of stride 0.
    const fn digits(&self, bounds: &[Bounds; MAX_UNKNOWNS], index: i64) -> Option<[i128; MAX_UNKNOWNS]> {
        let (mut row, mut unknown, mut u) = ([0; MAX_UNKNOWNS], 0, 0);
        while u < self.reaches.len() {
            let (mut value, mut rest, mut leaf) = (0, index, 0);
            while leaf < self.layout.leaves().len() {
                let Leaf { extent, stride } = self.layout.leaves()[leaf];
                let digit = rest % extent;
                if stride.is_zero() && digit > 0 {
                    return None;
                }
                value += digit * stride.coefficient(self.reaches[u].unit).numerator();
                rest /= extent;
                leaf += 1;
            }
            let (mut r, mut last) = (0, 1);
            while r < bounds[u].len() {
                let bound = bounds[u].as_slice()[r];
                row[unknown] = (int::div_rem(value, bound).1 / last) as i128;
                (last, r, unknown) = (bound, r + 1, unknown + 1);
            }
            row[unknown] = int::div_rem(value, last).0 as i128;
            unknown += 1;
            u += 1;
        }
        Some(row)
    }
}

const fn smallest_factor(number: i64) -> i64 {
    let mut factor = 2;
    while factor * factor <= number && number % factor != 0 {
        factor += 1;
    }
    if factor * factor > number { number } else { factor }
}

/// The first component that is a chain in which a stride moves; beyond the last if there is none.
const fn first_chain(stride: Stride, reaches: &[Reach], chains: &[bool; MAX_UNKNOWNS]) -> usize {
    let mut u = 0;
    while u < reaches.len() && !(chains[u] && stride.coefficient(reaches[u].unit).numerator() != 0) {
        u += 1;
    }
    u
}

const fn has_negative(reaches: &[Reach]) -> bool {
    let mut u = 0;
    while u < reaches.len() && reaches[u].low >= 0 {
        u += 1;
    }
    u < reaches.len()
}

/// Weights of the components such that no two values in reach have the same weighted sum.
const fn weights(reaches: &[Reach]) -> Result<[i64; MAX_LEAVES], Error> {
    let (mut weights, mut weight, mut u) = ([0; MAX_LEAVES], 1, 0);
    while u < reaches.len() {
        let Reach { low, high, .. } = reaches[u];
        weights[u] = weight;
        weight = tri!(int::mul(weight, tri!(int::add(tri!(int::sub(high, low)), 1))));
        u += 1;
    }
    Ok(weights)
}

/// The leaf of a shape of coordinates that `unit` addresses.
const fn component_of(shape: &Shape, unit: Unit) -> Result<usize, Error> {
    let (path, level) = unit.path();
    Ok(tri!(shape.find(path.split_at(level).0)).1)
}

macro_rules! some {
    ($value:expr) => {
        match $value {
            Some(value) => value,
            None => return None,
        }
    };
}

/// The most unknown strides of a left inverse.
const MAX_UNKNOWNS: usize = 12;

/// A system of linear equations in integers. The unknowns are `basis` times `values`, for a unimodular `basis` in which
/// each equation involves only the values before and one more; the first `known` values are found, and the others are
/// free and stay 0.
struct Equations {
    count: usize,
    known: usize,
    basis: [[i128; MAX_UNKNOWNS]; MAX_UNKNOWNS],
    values: [i128; MAX_UNKNOWNS],
}

impl Equations {
    const fn new(count: usize) -> Equations {
        let mut basis = [[0; MAX_UNKNOWNS]; MAX_UNKNOWNS];
        let mut u = 0;
        while u < count {
            basis[u][u] = 1;
            u += 1;
        }
        Equations { count, known: 0, basis, values: [0; MAX_UNKNOWNS] }
    }

    /// Adds `row * unknowns == target`: whether there is a solution; `None` beyond 128 bits.
    const fn add(&mut self, row: &[i128; MAX_UNKNOWNS], target: i128) -> Option<bool> {
        let (mut own, mut rest, mut k) = ([0i128; MAX_UNKNOWNS], target, 0);
        while k < self.count {
            let mut u = 0;
            while u < self.count {
                own[k] = some!(minus(own[k], -row[u], self.basis[u][k]));
                u += 1;
            }
            if k < self.known {
                rest = some!(minus(rest, own[k], self.values[k]));
            }
            k += 1;
        }
        // Euclid's algorithm on the columns of the free values, until only the first has an entry in this row.
        let pivot = self.known;
        k = pivot + 1;
        while k < self.count {
            while own[k] != 0 {
                let quotient = some!(own[pivot].checked_div(own[k]));
                (own[pivot], own[k]) = (own[k], some!(minus(own[pivot], quotient, own[k])));
                let mut u = 0;
                while u < self.count {
                    let (left, right) = (self.basis[u][pivot], self.basis[u][k]);
                    (self.basis[u][pivot], self.basis[u][k]) = (right, some!(minus(left, quotient, right)));
                    u += 1;
                }
            }
            k += 1;
        }
        if pivot == self.count || own[pivot] == 0 {
            return Some(rest == 0);
        }
        self.values[pivot] = rest / own[pivot];
        self.known += 1;
        Some(rest % own[pivot] == 0)
    }

    /// Unknown `u`.
    const fn stride(&self, u: usize) -> Result<i64, Error> {
        let (mut sum, mut k) = (Some(0), 0);
        while let (Some(own), true) = (sum, k < self.count) {
            sum = minus(own, -self.basis[u][k], self.values[k]);
            k += 1;
        }
        match sum {
            Some(sum) => match int::narrow(sum) {
                Some(stride) => Ok(stride),
                None => Err(Error::TooLarge { what: "a stride" }),
            },
            None => Err(Error::TooLarge { what: "a stride" }),
        }
    }
}

/// `value - count * step`, if it fits 128 bits.
const fn minus(value: i128, count: i128, step: i128) -> Option<i128> {
    match count.checked_mul(step) {
        Some(product) => value.checked_sub(product),
        None => None,
    }
}

/// Extends the reach of a component by `steps`.
const fn add_reach(reaches: &mut Reaches, unit: Unit, steps: i64) -> Result<(), Error> {
    let mut u = 0;
    while u < reaches.len() && !reaches.as_slice()[u].unit.same(unit) {
        u += 1;
    }
    if u == reaches.len() {
        tri!(reaches.push(Reach { unit, low: 0, high: 0 }, "components"));
    }
    let own = &mut reaches.as_mut_slice()[u];
    if steps < 0 {
        own.low = tri!(int::add(own.low, steps));
    } else {
        own.high = tri!(int::add(own.high, steps));
    }
    Ok(())
}

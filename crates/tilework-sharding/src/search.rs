//! The cheapest sequence of collectives between two shardings.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::links::Links;
use crate::refine::Atom;
use crate::sharding::{Digit, Owner, Reduction, Sharding};
use crate::steps::{Collective, Step};

/// The most states that are examined, and the most moves from them; beyond that, the best sequence found is used.
const STATES: usize = 1 << 11;
const MOVES: usize = 1 << 14;

/// A digit that one part of an axis counts, or that is local.
struct Place {
    dimension: usize,
    extent: i64,
    stride: i64,
    /// The part of an axis that counts it after.
    then: Option<usize>,
}

/// The owner of each digit, and the axes along which a reduction is pending.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    now: Vec<Option<usize>>,
    owed: Vec<bool>,
}

/// A collective, and the state after it.
struct Move {
    collective: Collective,
    along: Vec<usize>,
    traffic: Vec<(usize, i64)>,
    after: State,
}

/// A state that a move from another state reaches.
struct Node {
    state: State,
    by: Option<(usize, Move)>,
}

struct Search<'s> {
    to: &'s Sharding,
    reductions: &'s [Option<Reduction>],
    links: &'s Links,
    parts: Vec<SubAxis>,
    places: Vec<Place>,
    /// The places of each dimension.
    slowest_first: Vec<Vec<usize>>,
    goal: State,
}

/// The cheapest collectives from one sharding to another whose atoms are given. Uneven blocks count as long as the
/// longest. `enough` is a lower bound on the cost.
pub(crate) fn cheapest(
    from: &Sharding,
    to: &Sharding,
    (atoms, parts): (&[Vec<Atom>], &[SubAxis]),
    links: &Links,
    enough: Option<i128>,
) -> Result<Option<Vec<Step>>, Error> {
    let (search, start) = Search::new(from, to, atoms, parts, links);
    let Some(mut moves) = search.straight(start.clone()) else { return Ok(None) };
    let cost = search.cost(&moves);
    let better = if enough == Some(cost) { None } else { search.least(start) };
    if let Some(found) = better.filter(|found| search.cost(found) < cost) {
        moves = found;
    }
    let mut steps = Vec::new();
    for found in moves {
        steps.push(search.step(found)?);
    }
    if steps.last().map_or(from, Step::after) != to {
        // A collective may leave its result in any order, so only a plan without one needs a separate step.
        match steps.pop() {
            Some(step) => steps.push(step.ending_in(to)),
            None => steps.push(Step::new(Collective::Reorder, Vec::new(), Vec::new(), to.clone())),
        }
    }
    Ok(Some(steps))
}

impl<'s> Search<'s> {
    fn new(
        from: &'s Sharding,
        to: &'s Sharding,
        atoms: &[Vec<Atom>],
        parts: &[SubAxis],
        links: &'s Links,
    ) -> (Search<'s>, State) {
        let find = |digit: &Digit| match digit.owner {
            Owner::Axis { axis, weight } => {
                parts.iter().position(|part| part.axis == axis && part.weight == weight)
            }
            Owner::Local { .. } => None,
        };
        let (mut places, mut now) = (Vec::new(), Vec::new());
        for (dimension, atoms) in atoms.iter().enumerate() {
            for atom in atoms {
                let Digit { stride, .. } = atom.from;
                let (before, then) = (find(&atom.from), find(&atom.to));
                let mut extent = atom.extent;
                // With links of different speeds, detours may be faster, in which local digits are divided temporarily.
                for part in parts.iter().filter(|_| !links.are_equal() && (before, then) == (None, None)) {
                    if extent % part.extent == 0 && part.extent > 1 {
                        extent /= part.extent;
                        places.push(Place { dimension, extent: part.extent, stride: stride * extent, then });
                        now.push(before);
                    }
                }
                places.push(Place { dimension, extent, stride, then });
                now.push(before);
            }
        }
        let owed = |owed: &[Option<Reduction>]| owed.iter().map(Option::is_some).collect::<Vec<_>>();
        let goal = State { now: places.iter().map(|place| place.then).collect(), owed: owed(to.owed()) };
        let start = State { now, owed: owed(from.owed()) };
        let mut slowest_first = vec![Vec::new(); to.shape().len()];
        for (i, place) in places.iter().enumerate() {
            slowest_first[place.dimension].push(i);
        }
        for own in &mut slowest_first {
            tilework::__private::sort_by_key(own, |&i| Reverse(places[i].stride));
        }
        let (reductions, parts) = (from.owed(), parts.to_vec());
        (Search { to, reductions, links, parts, places, slowest_first, goal }, start)
    }

    fn cost(&self, moves: &[Move]) -> i128 {
        moves.iter().map(|found| self.links.cost(&found.traffic)).sum()
    }

    /// Always the first possible move.
    fn straight(&self, mut state: State) -> Option<Vec<Move>> {
        let mut moves = Vec::new();
        for _ in 0..4 * (self.places.len() + self.parts.len() + state.owed.len()) {
            if state == self.goal {
                break;
            }
            let next = self.moves(&state).into_iter().next()?;
            state = next.after.clone();
            moves.push(next);
        }
        (state == self.goal).then_some(moves)
    }

    /// The cheapest moves; among equals the fewest.
    fn least(&self, start: State) -> Option<Vec<Move>> {
        let mut nodes = Vec::from([Node { state: start.clone(), by: None }]);
        let mut open = BTreeSet::from([(0i128, 0usize, 0usize)]);
        let mut best = BTreeMap::from([(start, (0i128, 0usize))]);
        let mut moves = 0;
        for _ in 0..STATES {
            let (cost, length, number) = open.pop_first()?;
            if nodes[number].state == self.goal {
                return Some(path(nodes, number));
            }
            let state = nodes[number].state.clone();
            if best.get(&state).is_some_and(|other| *other < (cost, length)) {
                continue;
            }
            for next in self.moves(&state).into_iter().chain(self.detours(&state)) {
                moves += 1;
                if moves > MOVES {
                    return None;
                }
                let (cost, length) = (cost + self.links.cost(&next.traffic), length + 1);
                if best.get(&next.after).is_some_and(|other| *other <= (cost, length)) {
                    continue;
                }
                best.insert(next.after.clone(), (cost, length));
                open.insert((cost, length, nodes.len()));
                nodes.push(Node { state: next.after.clone(), by: Some((number, next)) });
            }
        }
        None
    }

    /// The number of elements of a device in a move to or from another state, including those past the end that move
    /// too: digits that stay local, with all slower ones, have none of these.
    fn held(&self, state: &State, other: &State) -> i64 {
        let mut held = 1i64;
        for (own, extent) in self.slowest_first.iter().zip(self.to.shape()) {
            let stays = |i: &&usize| state.now[**i].is_none() && other.now[**i].is_none();
            let staying = own.iter().take_while(stays).count();
            if let Some(last) = own[..staying].last() {
                held = held.saturating_mul((extent - 1) / self.places[*last].stride + 1);
            }
            for &i in own[staying..].iter().filter(|&&i| state.now[i].is_none()) {
                held = held.saturating_mul(self.places[i].extent);
            }
        }
        held
    }

    fn counted_by(state: &State, part: usize) -> Option<usize> {
        state.now.iter().position(|&now| now == Some(part))
    }

    /// The digit that a part of an axis has to count, if no device counts it now.
    fn wanted(&self, state: &State, part: usize) -> Option<usize> {
        (0..self.places.len()).find(|&i| self.places[i].then == Some(part) && state.now[i].is_none())
    }

    fn is_owed(&self, state: &State, part: usize) -> bool {
        state.owed[self.parts[part].axis]
    }

    /// The collectives that make progress. If a device can keep a part of its array, that is free, and the only move.
    fn moves(&self, state: &State) -> Vec<Move> {
        let all = 0..self.parts.len();
        let mut moves: Vec<Move> = Vec::new();
        for part in all.clone().filter(|&part| Self::counted_by(state, part).is_none()) {
            let Some(wanted) = self.wanted(state, part) else { continue };
            let Some(next) = self.divide(state, part, wanted) else { continue };
            if next.traffic.is_empty() {
                return Vec::from([next]);
            }
            moves.push(next);
        }
        moves.extend(self.permute(state));
        for staying in [false, true] {
            moves.extend(self.exchange(state, staying));
        }
        for axis in (0..state.owed.len()).filter(|&axis| state.owed[axis] && !self.goal.owed[axis]) {
            moves.extend(self.reduce(state, axis));
        }
        for part in all {
            if let Some(place) =
                Self::counted_by(state, part).filter(|&place| self.places[place].then.is_none())
            {
                moves.push(self.gather(state, part, place));
            }
        }
        moves
    }

    /// Collectives that divide digits that stay local, or that another part of an axis has to count, so that later
    /// moves are smaller.
    fn detours(&self, state: &State) -> Vec<Move> {
        let mut moves = Vec::new();
        for part in (0..self.parts.len()).filter(|&part| Self::counted_by(state, part).is_none()) {
            let settles = !self.goal.owed[self.parts[part].axis];
            for (i, place) in self.places.iter().enumerate() {
                let free = state.now[i].is_none() && place.then != Some(part);
                if settles && free && place.extent == self.parts[part].extent {
                    moves.extend(self.divide(state, part, i));
                }
            }
        }
        moves
    }

    /// Devices along a part of an axis with copies, or with partial sums, take a digit each.
    fn divide(&self, state: &State, part: usize, place: usize) -> Option<Move> {
        let SubAxis { axis, extent, .. } = self.parts[part];
        let dimension = self.places[place].dimension;
        let mut after = state.clone();
        after.now[place] = Some(part);
        let mut traffic = Vec::new();
        let collective = match self.reductions[axis].filter(|_| state.owed[axis]) {
            None => Collective::Slice { dimension },
            Some(reduction) => {
                // A pending reduction along a whole axis cannot be done along a part: then everything is reduced first,
                // and divided after.
                if extent != self.to.mesh().axes()[axis].extent() || self.goal.owed[axis] {
                    return None;
                }
                after.owed[axis] = false;
                traffic.push((axis, self.held(&after, state).saturating_mul(extent - 1)));
                Collective::ReduceScatter { reduction, dimension }
            }
        };
        Some(Move { collective, along: Vec::from([part]), traffic, after })
    }

    /// Digits that other parts of axes have to count move there all at once.
    fn permute(&self, state: &State) -> Option<Move> {
        let moving = |i: &usize| {
            let (now, then) = (state.now[*i], self.places[*i].then);
            now.is_some() && then.is_some_and(|part| now != Some(part) && !self.is_owed(state, part))
        };
        let moved: Vec<usize> = (0..self.places.len()).filter(moving).collect();
        let (mut along, mut after) = (Vec::new(), state.clone());
        for &i in &moved {
            along.extend([state.now[i], self.places[i].then].into_iter().flatten());
            let target = self.places[i].then?;
            after.now[i] = Some(target);
            let displaced = Self::counted_by(state, target).filter(|other| !moved.contains(other));
            let Some(displaced) = displaced else { continue };
            // Back along the parts that move to this one, to the part that nothing moves to.
            let mut free = target;
            while let Some(&before) = moved.iter().find(|&&other| self.places[other].then == Some(free)) {
                free = state.now[before]?;
            }
            after.now[displaced] = Some(free);
        }
        along.sort_unstable();
        along.dedup();
        let changed = (0..self.places.len()).filter(|&i| state.now[i] != after.now[i]);
        let slowest = self.links.slowest(changed.filter_map(|i| Some(self.parts[state.now[i]?].axis)))?;
        let traffic = Vec::from([(slowest, self.held(state, &after))]);
        Some(Move { collective: Collective::Permute, along, traffic, after })
    }

    /// Parts of axes whose digits become local, and that have to count others; only those whose digits stay local, or
    /// all.
    fn exchange(&self, state: &State, staying: bool) -> Option<Move> {
        let (mut along, mut after) = (Vec::new(), state.clone());
        let (mut divided, mut joined) = (Vec::new(), Vec::new());
        for part in 0..self.parts.len() {
            let (Some(counted), Some(wanted)) = (Self::counted_by(state, part), self.wanted(state, part))
            else {
                continue;
            };
            if staying && self.places[counted].then.is_some() {
                continue;
            }
            (after.now[counted], after.now[wanted]) = (None, Some(part));
            divided.push(self.places[wanted].dimension);
            joined.push(self.places[counted].dimension);
            along.push(part);
        }
        for dimensions in [&mut divided, &mut joined] {
            dimensions.sort_unstable();
            dimensions.dedup();
        }
        let parts: Vec<SubAxis> = along.iter().map(|&part| self.parts[part]).collect();
        let traffic = self.links.spread(&parts, self.held(state, &after));
        let collective = Collective::AllToAll { divided, joined };
        (!along.is_empty()).then_some(Move { collective, along, traffic, after })
    }

    fn reduce(&self, state: &State, axis: usize) -> Option<Move> {
        let reduction = self.reductions[axis]?;
        let along: Vec<usize> = (0..self.parts.len()).filter(|&part| self.parts[part].axis == axis).collect();
        let devices = self.to.mesh().axes()[axis].extent();
        let all = 2 * i128::from(self.held(state, state)) * i128::from(devices - 1);
        let passing = (all + i128::from(devices - 1)) / i128::from(devices);
        let traffic = Vec::from([(axis, i64::try_from(passing).unwrap_or(i64::MAX))]);
        let mut after = state.clone();
        after.owed[axis] = false;
        Some(Move { collective: Collective::AllReduce { reduction }, along, traffic, after })
    }

    fn gather(&self, state: &State, part: usize, place: usize) -> Move {
        let SubAxis { axis, extent, .. } = self.parts[part];
        let mut after = state.clone();
        after.now[place] = None;
        let collective = Collective::AllGather { dimension: self.places[place].dimension };
        let traffic = Vec::from([(axis, self.held(state, &after).saturating_mul(extent - 1))]);
        Move { collective, along: Vec::from([part]), traffic, after }
    }

    /// A move with the sharding after it. Local elements are in the order of their coordinates.
    fn step(&self, found: Move) -> Result<Step, Error> {
        let Move { collective, along, traffic, after } = found;
        let mesh = self.to.mesh();
        let mut digits = Vec::new();
        for dimension in 0..self.to.shape().len() {
            let mut own: Vec<(&Place, Option<usize>)> =
                self.places.iter().zip(after.now.iter().copied()).collect();
            own.retain(|(place, _)| place.dimension == dimension);
            tilework::__private::sort_by_key(&mut own, |(place, _)| place.stride);
            let mut below = 1;
            let mut digit = |(place, now): (&Place, Option<usize>)| {
                let owner = match now {
                    Some(part) => {
                        Owner::Axis { axis: self.parts[part].axis, weight: self.parts[part].weight }
                    }
                    None => Owner::Local { weight: below },
                };
                if now.is_none() {
                    below *= place.extent;
                }
                Digit { extent: place.extent, stride: place.stride, owner }
            };
            digits.push(own.into_iter().map(&mut digit).collect());
        }
        let owed: Vec<Option<Reduction>> = self
            .reductions
            .iter()
            .zip(&after.owed)
            .map(|(reduction, owed)| reduction.filter(|_| *owed))
            .collect();
        let after = Sharding::from_digits(mesh, self.to.shape(), digits)?.owing(&owed)?;
        let name = |&part: &usize| {
            let SubAxis { axis, weight, extent } = self.parts[part];
            let axis = &mesh.axes()[axis];
            if extent == axis.extent() {
                axis.name().into()
            } else {
                format!("{}[{weight}:{}]", axis.name(), weight * extent)
            }
        };
        Ok(Step::new(collective, along.iter().map(name).collect(), traffic, after))
    }
}

/// The moves that lead to a node.
fn path(mut nodes: Vec<Node>, mut number: usize) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Some((before, found)) = nodes[number].by.take() {
        moves.push(found);
        number = before;
    }
    moves.reverse();
    moves
}

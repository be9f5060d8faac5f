//! Whether a layout of some form exists, by trying: nothing here uses a theorem about layouts that a case could break.

use crate::model::*;

/// Where a search of the oracle's own gives up; such cases are counted.
pub const STEPS: usize = 60_000;

fn divisors(n: usize) -> Vec<usize> {
    (1..=n).filter(|d| n.is_multiple_of(*d)).collect()
}

/// `count` times an offset.
fn multiple(offset: &Offset, count: i128) -> Option<Offset> {
    match offset {
        Offset::Coordinate(components) => components.iter().try_fold(Offset::ZERO, |sum, (path, value)| {
            sum.plus(&Offset::steps(&Step::new(*value, Unit::Basis(path.clone())), count)?)
        }),
        simple => Offset::steps(&simple.as_step()?, count),
    }
}

/// Whether `place -> values[start + stride * place]` is a step a place, for all places below `count`.
fn is_mode(values: &[Offset], stride: usize, count: usize) -> bool {
    values[stride].as_step().is_some()
        && (2..count).all(|c| multiple(&values[stride], c as i128).is_some_and(|m| m == values[stride * c]))
}

/// Whether the function of multiples of `unit` splits at `unit * extent`: the offset of a sum is the sum of the offsets.
fn splits(values: &[Offset], unit: usize, extent: usize) -> bool {
    let count = values.len() / unit;
    (extent..count).all(|c| {
        let (low, high) = (c % extent, c - c % extent);
        low == 0 || values[unit * low].plus(&values[unit * high]).is_some_and(|sum| sum == values[unit * c])
    })
}

/// The flat layout of the fewest modes with these offsets, where there is one. Every chain of divisors is looked at.
pub fn fewest(values: &[Offset]) -> Option<Vec<Leaf>> {
    fewest_of(
        values,
        &mut |extent, unit| {
            is_mode(values, unit, extent)
                .then(|| Leaf { extent: extent as i128, step: values[unit].as_step().unwrap() })
        },
        &mut |unit, extent| splits(values, unit, extent),
        values.len(),
    )
}

/// The fewest modes on which several functions are a stride a mode each.
pub fn fewest_common(functions: &[Vec<Offset>]) -> Option<Vec<i128>> {
    let size = functions[0].len();
    let mut mode = |extent: usize, unit: usize| {
        functions.iter().all(|values| is_mode(values, unit, extent)).then_some(extent as i128)
    };
    fewest_of(&[], &mut mode, &mut |unit, extent| functions.iter().all(|f| splits(f, unit, extent)), size)
}

fn fewest_of<M: Clone>(
    values: &[Offset],
    mode: &mut dyn FnMut(usize, usize) -> Option<M>,
    splits: &mut dyn FnMut(usize, usize) -> bool,
    size: usize,
) -> Option<Vec<M>> {
    if values.first().is_some_and(|first| *first != Offset::ZERO) {
        return None;
    }
    let units = divisors(size);
    let mut best: Vec<Option<Vec<M>>> = vec![None; units.len()];
    *best.last_mut().unwrap() = Some(vec![]);
    for from in (0..units.len() - 1).rev() {
        for to in from + 1..units.len() {
            let extent = units[to] / units[from];
            if !units[to].is_multiple_of(units[from]) {
                continue;
            }
            let Some(rest) = &best[to] else { continue };
            if best[from].as_ref().is_some_and(|old| old.len() <= rest.len() + 1) {
                continue;
            }
            if let Some(first) = mode(extent, units[from])
                && splits(units[from], extent)
            {
                let mut modes = vec![first];
                modes.extend(best[to].clone().unwrap());
                best[from] = Some(modes);
            }
        }
    }
    best.swap_remove(0)
}

/// Some modes in place of a leaf: none is `1:0`, one is itself, several are a flat tuple.
pub fn in_place(modes: Vec<Leaf>) -> Layout {
    match modes.len() {
        0 => leaf(1, Step::int(0)),
        _ => Tree::of(modes.into_iter().map(Tree::Leaf).collect()),
    }
}

/// The layout that refines `shape` with these offsets, each leaf in the fewest modes, where there is one.
pub fn refinement(shape: &Shape, values: &[Offset]) -> Option<Layout> {
    let mut stride = 1;
    let mut leaves = Vec::new();
    let mut parts: Vec<Vec<Offset>> = Vec::new();
    for extent in shape.leaves() {
        let part: Vec<Offset> = (0..*extent as usize).map(|c| values[c * stride].clone()).collect();
        leaves.push(fewest(&part)?);
        stride *= *extent as usize;
        parts.push(part);
    }
    for (index, value) in values.iter().enumerate() {
        let mut rest = index;
        let mut sum = Offset::ZERO;
        for part in &parts {
            sum = sum.plus(&part[rest % part.len()])?;
            rest /= part.len();
        }
        if sum != *value {
            return None;
        }
    }
    let mut leaves = leaves.into_iter();
    let mut build = |_: &i128| in_place(leaves.next().unwrap());
    let nested = shape.map(&mut build);
    Some(graft(&nested)).filter(is_layout)
}

fn graft(tree: &Tree<Layout>) -> Layout {
    match tree {
        Tree::Leaf(layout) => layout.clone(),
        Tree::Node(modes) => Tree::Node(modes.iter().map(graft).collect()),
    }
}

/// What `A(B(c))` is at every index of `B`; nothing where some coordinate is not one of `A`.
pub fn composed_values(a: &Layout, b: &Layout) -> Option<Vec<Offset>> {
    table(b).iter().map(|place| at_offset(a, place)).collect()
}

/// The layout that refines `shape` with these offsets. Where XOR strides take part, the offsets may be read as bits and as
/// numbers.
pub fn refinement_in_some_codomain(shape: &Shape, values: &[Offset], xor: bool) -> Option<Layout> {
    let read = |of: fn(i128) -> Offset| -> Option<Vec<Offset>> {
        values.iter().map(|value| value.integer().map(of)).collect()
    };
    let as_they_are = refinement(shape, values);
    if as_they_are.is_some() || !xor {
        return as_they_are;
    }
    let negative = values.iter().any(|value| value.integer().is_some_and(|number| number < 0));
    let bits = read(Offset::xor).filter(|_| !negative).and_then(|bits| refinement(shape, &bits));
    bits.or_else(|| refinement(shape, &read(Offset::int)?))
}

/// The composition, where it is a layout.
pub fn compose(a: &Layout, b: &Layout) -> Option<Layout> {
    let xor = [a, b].iter().any(|layout| codomain(layout) == Codomain::Xor);
    refinement_in_some_codomain(&shape(b), &composed_values(a, b)?, xor)
}

/// The same offsets, as numbers or as bits.
pub fn same_table(a: &Layout, b: &Layout) -> bool {
    size(a) == size(b) && table(a).iter().zip(table(b)).all(|(a, b)| a.same(&b))
}

/// Whether `finer` has a subtree of the same size wherever `coarser` has a leaf.
pub fn refines(coarser: &Shape, finer: &Shape) -> bool {
    match (coarser, finer) {
        (Tree::Leaf(extent), _) => *extent == product(finer),
        (Tree::Node(a), Tree::Node(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| refines(a, b)),
        _ => false,
    }
}

/// The scalings of the indices that a layout gives: of integers, or carry-less.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Integer,
    Xor,
}

impl Scale {
    fn add(self, a: i128, b: i128) -> i128 {
        if self == Scale::Xor { a ^ b } else { a + b }
    }

    fn mul(self, count: i128, step: i128) -> i128 {
        if self == Scale::Xor { carryless(count, step) } else { count * step }
    }
}

/// The size of the largest layout `R` with `index R(k)` one of `places[k]` for every `k`. Nothing where the search gives up.
pub fn longest_walk(places: &[Vec<i128>], scale: Scale) -> Option<i128> {
    let mut walk = Walk { places, scale, best: 1, steps: 0 };
    let mut indices = vec![0];
    if places.is_empty() || !places[0].contains(&0) {
        return Some(0);
    }
    walk.grow(&mut indices);
    (walk.steps < STEPS).then_some(walk.best as i128)
}

struct Walk<'a> {
    places: &'a [Vec<i128>],
    scale: Scale,
    best: usize,
    steps: usize,
}

impl Walk<'_> {
    fn grow(&mut self, indices: &mut Vec<i128>) {
        let size = indices.len();
        self.best = self.best.max(size);
        if self.best == self.places.len() || size >= self.places.len() {
            return;
        }
        for &step in &self.places[size] {
            for count in 1.. {
                self.steps += 1;
                if self.steps >= STEPS || size * (count + 1) > self.places.len() {
                    break;
                }
                let shift = self.scale.mul(count as i128, step);
                let fits = (0..size).all(|low| {
                    self.places[size * count + low].contains(&self.scale.add(indices[low], shift))
                });
                if !fits {
                    break;
                }
                for low in 0..size {
                    indices.push(self.scale.add(indices[low], shift));
                }
                self.grow(indices);
            }
            indices.truncate(size);
        }
    }
}

/// Whether a layout gives each of these indices exactly once; 0 is one of them. Nothing where the search gives up.
pub fn is_image(indices: &[i128], scale: Scale) -> Option<bool> {
    let mut steps = 0;
    let found = image_of(indices, scale, &mut steps);
    if found || steps < STEPS { Some(found) } else { None }
}

fn image_of(indices: &[i128], scale: Scale, steps: &mut usize) -> bool {
    let count = indices.len();
    if count == 1 {
        return true;
    }
    // Of integers the least but 0 has to be a step; XORs have no order.
    let candidates = if scale == Scale::Integer { &indices[1..2] } else { &indices[1..] };
    for &step in candidates {
        for extent in divisors(count).into_iter().skip(1) {
            let mut starts = Vec::new();
            let mut left = indices.to_vec();
            while let Some(&start) = left.first() {
                *steps += 1;
                if *steps >= STEPS {
                    return false;
                }
                // With XORs the first index that is left need not be the first of its run.
                let begins = if scale == Scale::Integer { vec![start] } else { left.clone() };
                let run = begins.iter().find_map(|begin| {
                    let run: Vec<i128> =
                        (0..extent as i128).map(|c| scale.add(*begin, scale.mul(c, step))).collect();
                    (run.contains(&start) && run.iter().all(|index| left.contains(index))).then_some(run)
                });
                let Some(run) = run else { break };
                starts.push(run[0]);
                left.retain(|index| !run.contains(index));
            }
            starts.sort_unstable();
            if left.is_empty() && starts[0] == 0 && image_of(&starts, scale, steps) {
                return true;
            }
        }
    }
    false
}

/// Whether a layout `G` on coordinates takes each place to one of its indices. Every chain of bounds is tried, as far as
/// the places below the next bound allow it. Nothing where the search gives up.
pub fn has_left_inverse(wanted: &[(Vec<i128>, Vec<i128>)], scale: Scale) -> Option<bool> {
    // The search is as deep as there are places.
    if wanted.len() > 1000 {
        return None;
    }
    let mut steps = 0;
    let found = if wanted[0].0.len() == 1 {
        let mut order: Vec<(i128, &[i128])> =
            wanted.iter().map(|(place, indices)| (place[0], &indices[..])).collect();
        // Those below 0 depend on all bounds, and come last.
        order.sort_by_key(|(place, _)| (*place < 0, place.abs()));
        walk_chain(&mut vec![1], 0, &order, &Equations::new(scale), &mut steps)
    } else {
        let reach: Vec<i128> = (0..wanted[0].0.len())
            .map(|c| wanted.iter().map(|(place, _)| place[c].abs()).max().unwrap())
            .collect();
        let negative = wanted.iter().any(|(place, _)| place.iter().any(|c| *c < 0));
        component_chains(&mut vec![vec![1]], &reach, negative, wanted, &mut steps)
    };
    if found || steps < LEFT_STEPS { Some(found) } else { None }
}

const LEFT_STEPS: usize = 8_000;

/// Bounds and strides up to `seen`; the places are in ascending order, and no place below a bound depends on it.
fn walk_chain(
    chain: &mut Vec<i128>,
    seen: i128,
    wanted: &[(i128, &[i128])],
    equations: &Equations,
    steps: &mut usize,
) -> bool {
    let Some((place, indices)) = wanted.first() else { return true };
    *steps += 1;
    if *steps >= LEFT_STEPS {
        return false;
    }
    // A place below 0 depends on all bounds: there are no more behind the first.
    const ALL: i128 = i128::MAX;
    let reached = if *place < 0 { ALL } else { seen.max(*place) };
    for index in *indices {
        if let Some(next) = equations.with(chain, *place, *index)
            && walk_chain(chain, reached, &wanted[1..], &next, steps)
        {
            return true;
        }
    }
    if seen == ALL {
        return false;
    }
    // One more bound up to this place; one beyond all places tells those below 0 apart.
    let last = *chain.last().unwrap();
    let limit = if *place < 0 {
        let reach = wanted.iter().map(|(place, _)| place.abs()).max().unwrap();
        if last > reach {
            return false;
        }
        let reach = reach.max(seen);
        last * (reach / last + 1)
    } else {
        *place
    };
    let mut bound = last * (seen / last + 1).max(2);
    while bound <= limit {
        chain.push(bound);
        let found = walk_chain(chain, bound, wanted, equations, steps);
        chain.pop();
        if found {
            return true;
        }
        bound += last;
    }
    false
}

/// A chain for each component.
fn component_chains(
    chains: &mut Vec<Vec<i128>>,
    reach: &[i128],
    negative: bool,
    wanted: &[(Vec<i128>, Vec<i128>)],
    steps: &mut usize,
) -> bool {
    if *steps >= LEFT_STEPS {
        return false;
    }
    let own = chains.len() - 1;
    if chains.len() < reach.len() {
        chains.push(vec![1]);
        let found = component_chains(chains, reach, negative, wanted, steps);
        chains.pop();
        if found {
            return true;
        }
    } else if assign(chains, wanted, &Lattice::free(0), steps) {
        return true;
    }
    let last = *chains[own].last().unwrap();
    let limit = match (last > reach[own], negative) {
        (true, _) => return false,
        (_, true) => last * (reach[own] / last + 1),
        _ => reach[own],
    };
    let mut bound = 2 * last;
    while bound <= limit {
        chains[own].push(bound);
        let found = component_chains(chains, reach, negative, wanted, steps);
        chains[own].pop();
        if found {
            return true;
        }
        bound += last;
    }
    false
}

fn assign(
    chains: &[Vec<i128>],
    wanted: &[(Vec<i128>, Vec<i128>)],
    lattice: &Lattice,
    steps: &mut usize,
) -> bool {
    let Some(((place, indices), rest)) = wanted.split_first() else { return true };
    let floors =
        chains.iter().zip(place).flat_map(|(chain, c)| chain.iter().map(|bound| c.div_euclid(*bound)));
    let row: Vec<i128> = floors.collect();
    indices.iter().any(|index| {
        *steps += 1;
        *steps < LEFT_STEPS
            && lattice.with(&row, *index).is_some_and(|lattice| assign(chains, rest, &lattice, steps))
    })
}

/// What is known of the strides of a layout with a chain of bounds.
#[derive(Clone)]
enum Equations {
    /// `G(x)` is the sum of `g_r floor(x / bound_r)`, with an integer for each bound.
    Integer(Lattice),
    /// `G(x)` is the XOR of carry-less products of digits; a row is a set of bits of strides and the XOR of them.
    Xor(Vec<(u128, bool)>),
}

/// The bits of an XOR stride.
const BITS: usize = 12;

impl Equations {
    fn new(scale: Scale) -> Equations {
        if scale == Scale::Integer { Equations::Integer(Lattice::free(0)) } else { Equations::Xor(vec![]) }
    }

    fn with(&self, chain: &[i128], place: i128, index: i128) -> Option<Equations> {
        match self {
            Equations::Integer(lattice) => {
                let row: Vec<i128> = chain.iter().map(|bound| place.div_euclid(*bound)).collect();
                lattice.with(&row, index).map(Equations::Integer)
            }
            Equations::Xor(rows) => {
                if chain.len() * BITS > 128 || index >= 1 << BITS {
                    return None;
                }
                let mut rows = rows.clone();
                for bit in 0..2 * BITS {
                    let mut set = 0;
                    for (mode, bound) in chain.iter().enumerate() {
                        let digit = match chain.get(mode + 1) {
                            Some(next) => place / bound % (next / bound),
                            None => place / bound,
                        };
                        for shift in
                            (0..=bit.min(60)).filter(|shift| digit >> shift & 1 == 1 && bit - shift < BITS)
                        {
                            set ^= 1 << (mode * BITS + bit - shift);
                        }
                    }
                    let mut value = index >> bit & 1 == 1;
                    for (other, sum) in &rows {
                        if set >> other.trailing_zeros() & 1 == 1 {
                            set ^= other;
                            value ^= sum;
                        }
                    }
                    match (set, value) {
                        (0, true) => return None,
                        (0, false) => {}
                        _ => {
                            let lead = set.trailing_zeros();
                            for (other, sum) in &mut rows {
                                if *other >> lead & 1 == 1 {
                                    *other ^= set;
                                    *sum ^= value;
                                }
                            }
                            rows.push((set, value));
                        }
                    }
                }
                Some(Equations::Xor(rows))
            }
        }
    }
}

/// The integer solutions of the equations so far: a point and the directions in which one may go.
#[derive(Clone)]
struct Lattice {
    point: Vec<i128>,
    free: Vec<Vec<i128>>,
}

impl Lattice {
    fn free(unknowns: usize) -> Lattice {
        let unit = |at: usize| (0..unknowns).map(|i| i128::from(i == at)).collect();
        Lattice { point: vec![0; unknowns], free: (0..unknowns).map(unit).collect() }
    }

    /// With one more equation, `row` times the unknowns is `value`; the row may have unknowns that are new.
    fn with(&self, row: &[i128], value: i128) -> Option<Lattice> {
        let dot = |vector: &[i128]| row.iter().zip(vector).map(|(a, b)| a * b).sum::<i128>();
        let mut next = self.clone();
        for unknown in next.point.len()..row.len() {
            next.point.push(0);
            next.free.iter_mut().for_each(|direction| direction.push(0));
            next.free.push((0..=unknown).map(|i| i128::from(i == unknown)).collect());
        }
        // Euclid's algorithm on the directions, until all but one keep the row's value.
        loop {
            let moving: Vec<usize> = (0..next.free.len()).filter(|i| dot(&next.free[*i]) != 0).collect();
            let Some(&least) = moving.iter().min_by_key(|i| dot(&next.free[**i]).abs()) else { break };
            if moving.len() == 1 {
                let step = dot(&next.free[least]);
                let missing = value - dot(&next.point);
                if missing % step != 0 {
                    return None;
                }
                let direction = next.free.remove(least);
                next.point.iter_mut().zip(&direction).for_each(|(p, d)| *p += missing / step * d);
                return Some(next);
            }
            let (pivot, step) = (next.free[least].clone(), dot(&next.free[least]));
            for index in moving.into_iter().filter(|index| *index != least) {
                let times = dot(&next.free[index]).div_euclid(step);
                next.free[index].iter_mut().zip(&pivot).for_each(|(f, p)| *f -= times * p);
            }
        }
        (dot(&next.point) == value).then_some(next)
    }
}

//! The steps of a plan as an engine runs them: views of the array of each device, and the groups of devices that
//! communicate.

use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::blocks::SubAxis;
use crate::mesh::Mesh;
use crate::redistribution::Redistribution;
use crate::refine::{Atom, refine};
use crate::sharding::{Digit, Owner, Reduction, Sharding};

/// The rearrangement of a row-major array before or after a collective: it is reshaped, and its modes are permuted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    shape: Vec<i64>,
    order: Vec<usize>,
    filled: Option<[Vec<i64>; 2]>,
}

impl Arrangement {
    /// The extents of the reshaped array.
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The order of its modes, as the axes of a transposition.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// If blocks are not even, the extents of a device's array, and those to which it is padded at the end of each
    /// mode, so that all devices send equally much: before a collective, with arbitrary elements; after a collective,
    /// the padding is removed.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Redistribution, Sharding};
    /// let mesh = Mesh::parse("x=4")?;
    /// let spec = |text| Sharding::from_partition_spec(&mesh, &[10], text);
    /// let plan = Redistribution::new(&spec("P(x)")?, &spec("P()")?)?;
    /// let exchange = &plan.exchanges().unwrap()[0];
    /// assert_eq!(exchange.before().filled(), None);
    /// assert_eq!(exchange.after().filled(), Some((&[10][..], &[12][..])));
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    #[must_use]
    pub fn filled(&self) -> Option<(&[i64], &[i64])> {
        self.filled.as_ref().map(|[held, filled]| (&held[..], &filled[..]))
    }
}

/// One step of a plan, for any engine.
///
/// A device arranges its array by [`before`](Self::before), padded if blocks are not even, and divides it into
/// [`parts`](Self::parts) equal parts. The collective runs in the [`groups`](Self::groups): part `k` belongs to member
/// `k` of a group, and received parts are in the order of the members. A permutation has [`pairs`](Self::pairs)
/// instead. The result is arranged by [`after`](Self::after), and reshaped to the new array of the device.
///
/// ```
/// use tilework_sharding::{Mesh, Redistribution, Sharding};
/// let mesh = Mesh::parse("x=2,y=2")?;
/// let spec = |text| Sharding::from_partition_spec(&mesh, &[4, 8], text);
/// let plan = Redistribution::new(&spec("P(x, y)")?, &spec("P((x, y), None)")?)?;
/// let exchange = &plan.exchanges().unwrap()[0];
/// assert_eq!((exchange.parts(), exchange.groups()), (2, vec![vec![0, 1], vec![2, 3]]));
/// assert_eq!((exchange.before().shape(), exchange.before().order()), (&[2, 4][..], &[0, 1][..]));
/// assert_eq!((exchange.after().shape(), exchange.after().order()), (&[2, 4][..], &[0, 1][..]));
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    mesh: Mesh,
    before: Arrangement,
    after: Arrangement,
    parts: i64,
    joins: bool,
    reduction: Option<Reduction>,
    /// The parts of axes that a group extends along, the slowest first.
    along: Vec<SubAxis>,
    /// The parts of axes between which pieces move.
    moves: Vec<(SubAxis, SubAxis)>,
    /// The parts of axes with copies, before and after.
    copies: [Vec<SubAxis>; 2],
}

impl Redistribution {
    /// The steps as engines run them; none if the plan has no steps.
    #[must_use]
    pub fn exchanges(&self) -> Option<Vec<Exchange>> {
        let mut from = self.from();
        let mut exchanges = Vec::new();
        for step in self.steps()? {
            exchanges.push(Exchange::new(from, step.after())?);
            from = step.after();
        }
        Some(exchanges)
    }
}

impl Exchange {
    fn new(from: &Sharding, to: &Sharding) -> Option<Exchange> {
        let mesh = from.mesh();
        let refined = refine(mesh, from.shape(), from.digits(), to.digits()).ok()?.atoms;
        let dimensions = refined.iter().enumerate();
        let atoms: Vec<(usize, Atom)> = dimensions
            .flat_map(|(dimension, atoms)| atoms.iter().map(move |&atom| (dimension, atom)))
            .collect();
        let counted =
            |id: usize| [atoms[id].1.from, atoms[id].1.to].map(|digit| part(&digit, atoms[id].1.extent));
        let [mut sent, mut arrived, mut own] = [const { Vec::new() }; 3];
        let mut moves = Vec::new();
        for id in 0..atoms.len() {
            match counted(id) {
                [None, None] => own.push(id),
                [None, Some(_)] => sent.push(id),
                [Some(_), None] => arrived.push(id),
                [Some(before), Some(after)] if before != after => moves.push((before, after)),
                _ => {}
            }
        }
        let slowest_first = |ids: &mut Vec<usize>, side: usize| -> Vec<SubAxis> {
            ids.sort_by_key(|&id| counted(id)[side].map(|part| (part.axis, Reverse(part.weight))));
            ids.iter().filter_map(|&id| counted(id)[side]).collect()
        };
        let (divided, joined) = (slowest_first(&mut sent, 1), slowest_first(&mut arrived, 0));
        let (along, reduction) = along(from, to, divided, joined)?;
        if !moves.is_empty() && !along.is_empty() {
            return None;
        }
        let (held, filled) = in_memory(from, &atoms, |atom| &atom.from)?;
        let (kept, cut) = in_memory(to, &atoms, |atom| &atom.to)?;
        let joins = !arrived.is_empty();
        let parts = sent.iter().map(|&id| atoms[id].1.extent).product();
        tilework::__private::sort_by_key(&mut own, |id| held.iter().position(|other| other == id));
        let arrange = |shape: &[usize], order: &[usize], filled| Arrangement {
            shape: shape.iter().map(|&id| atoms[id].1.extent).collect(),
            order: order.iter().filter_map(|id| shape.iter().position(|other| other == id)).collect(),
            filled,
        };
        let (before, after) = ([&sent[..], &own].concat(), [&arrived[..], &own].concat());
        let (before, after) = (arrange(&held, &before, filled), arrange(&after, &kept, cut));
        let copies = [from.copies(), to.copies()];
        Some(Exchange { mesh: mesh.clone(), before, after, parts, joins, reduction, along, moves, copies })
    }

    /// The arrangement of a device's array before the collective: the modes that number the parts come first.
    #[must_use]
    pub fn before(&self) -> &Arrangement {
        &self.before
    }

    /// The arrangement of a device's array after the collective: if parts of several members arrived, these are the
    /// first mode.
    #[must_use]
    pub fn after(&self) -> &Arrangement {
        &self.after
    }

    /// The number of parts of a device's array; 1 if members send everything.
    #[must_use]
    pub fn parts(&self) -> i64 {
        self.parts
    }

    /// Whether members receive parts from all others, in an all-gather or an all-to-all; if not, each keeps its own
    /// part, or a sum of that part.
    #[must_use]
    pub fn joins(&self) -> bool {
        self.joins
    }

    /// The reduction over the members of a group, if there is one.
    #[must_use]
    pub fn reduction(&self) -> Option<Reduction> {
        self.reduction
    }

    /// The devices of each group, in the order of its members; none for a permutation, or if there is no communication.
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<i64>> {
        if self.along.is_empty() {
            return Vec::new();
        }
        let coordinates = (0..self.mesh.size()).filter_map(|device| self.mesh.coordinate(device));
        let first = coordinates.filter(|at| number(at, &self.along) == 0);
        let members: i64 = self.along.iter().map(|part| part.extent).product();
        first
            .map(|at| (0..members).map(|member| self.mesh.device(&place(&at, &self.along, member))).collect())
            .collect()
    }

    /// The pairs of sender and receiver in a permutation, each device once on either side; a device that keeps its
    /// array is paired with itself.
    #[must_use]
    pub fn pairs(&self) -> Vec<(i64, i64)> {
        if self.moves.is_empty() {
            return Vec::new();
        }
        // Parts with copies on both sides stay in place; those of one side are numbered by those of the other.
        let [before, after] = &self.copies;
        let only = |own: &[SubAxis], other: &[SubAxis]| -> Vec<SubAxis> {
            own.iter().filter(|part| !other.contains(part)).copied().collect()
        };
        let (before, after) = (only(before, after), only(after, before));
        let mut pairs = Vec::new();
        for target in 0..self.mesh.size() {
            let Some(at) = self.mesh.coordinate(target) else { continue };
            let mut source = place(&at, &before, number(&at, &after));
            for (from, to) in &self.moves {
                source = place(&source, &[*from], number(&at, &[*to]));
            }
            pairs.push((self.mesh.device(&source), target));
        }
        pairs
    }
}

/// The part of an axis that counts a digit.
fn part(digit: &Digit, extent: i64) -> Option<SubAxis> {
    match digit.owner {
        Owner::Axis { axis, weight } => Some(SubAxis { axis, weight, extent }),
        Owner::Local { .. } => None,
    }
}

/// The parts of axes along which a group extends, and the reduction: they divide local digits, or join divided ones.
fn along(
    from: &Sharding,
    to: &Sharding,
    divided: Vec<SubAxis>,
    joined: Vec<SubAxis>,
) -> Option<(Vec<SubAxis>, Option<Reduction>)> {
    let axes = 0..from.owed().len();
    let settled: Vec<usize> = axes.filter(|&axis| from.owed()[axis] != to.owed()[axis]).collect();
    let Some(&first) = settled.first() else {
        let same = divided.is_empty() || joined.is_empty() || divided == joined;
        return same.then_some((if divided.is_empty() { joined } else { divided }, None));
    };
    let reduction = from.owed()[first];
    let whole: Vec<SubAxis> = settled.iter().map(|&axis| SubAxis::whole(from.mesh(), axis)).collect();
    let one = joined.is_empty()
        && settled.iter().all(|&axis| from.owed()[axis] == reduction && to.owed()[axis].is_none());
    let covers = |axis: &SubAxis| {
        let own = divided.iter().filter(|part| part.axis == axis.axis);
        own.map(|part| part.extent).product::<i64>() == axis.extent
    };
    let inside = divided.iter().all(|part| settled.contains(&part.axis));
    if !one || !(divided.is_empty() || inside && whole.iter().all(covers)) {
        return None;
    }
    Some((if divided.is_empty() { whole } else { divided }, reduction))
}

/// The local atoms in the order of a row-major array; and the extents of its digits with those of their atoms, if these
/// are more. None if the atoms do not cover the array.
#[allow(clippy::type_complexity)]
fn in_memory(
    sharding: &Sharding,
    atoms: &[(usize, Atom)],
    digit: impl Fn(&Atom) -> &Digit,
) -> Option<(Vec<usize>, Option<[Vec<i64>; 2]>)> {
    let (mut ids, mut held, mut filled) = (Vec::new(), Vec::new(), Vec::new());
    for dimension in 0..sharding.shape().len() {
        let one = Digit { extent: 1, stride: 1, owner: Owner::Local { weight: 1 } };
        let mut digits = sharding.local_digits(dimension);
        if digits.is_empty() {
            digits.push(one);
        }
        let local = (0..atoms.len()).filter(|&id| atoms[id].0 == dimension && digit(&atoms[id].1).is_local());
        let local: Vec<usize> = local.collect();
        let mut left = local.len();
        for own in digits.iter().rev() {
            // An atom is part of the slowest digit that is not slower.
            let next = digits.iter().map(|digit| digit.stride).filter(|&stride| stride > own.stride).min();
            let is_part = |id: &&usize| {
                let stride = digit(&atoms[**id].1).stride;
                stride >= own.stride && next.is_none_or(|next| stride < next)
            };
            let mut parts: Vec<usize> = local.iter().filter(is_part).copied().collect();
            parts.reverse();
            left -= parts.len();
            held.push(own.extent);
            filled.push(parts.iter().map(|&id| atoms[id].1.extent).product());
            ids.extend(parts);
        }
        if left > 0 {
            return None;
        }
    }
    let grown = held.iter().zip(&filled).all(|(held, filled)| held <= filled);
    grown.then(|| (ids, (held != filled).then_some([held, filled])))
}

/// The number of a device among those along some parts of axes, the slowest first.
fn number(at: &[i64], parts: &[SubAxis]) -> i64 {
    parts.iter().fold(0, |number, part| number * part.extent + at[part.axis] / part.weight % part.extent)
}

/// The coordinate with a number along some parts of axes, and `at` along all others.
fn place(at: &[i64], parts: &[SubAxis], mut number: i64) -> Vec<i64> {
    let mut at = at.to_vec();
    for part in parts.iter().rev() {
        let own = at[part.axis] / part.weight % part.extent;
        at[part.axis] += (number % part.extent - own) * part.weight;
        number /= part.extent;
    }
    at
}

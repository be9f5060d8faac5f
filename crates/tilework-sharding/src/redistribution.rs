//! From one sharding to another: the messages between devices, and the collectives that do the same.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::ToString;
use alloc::vec::Vec;

use tilework::{HTuple, Layout, Leaf, Stride};

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::links::Links;
use crate::overlap::{Line, Segment, segments};
use crate::refine::{Atom, Refinement, refine};
use crate::search::cheapest;
use crate::sharding::{Devices, Digit, Owner, Reduction, Sharding, count_below, mode};
use crate::steps::Step;

/// The most devices whose messages are counted when a plan with uneven blocks is made.
const ASKED: usize = 1 << 12;

/// The most pieces of all devices that are compared if blocks do not divide each other.
const COMPARED: i64 = 1 << 16;

/// The exact plan from one sharding of a tensor to another on the same mesh.
///
/// A device needs its elements of the second sharding. For each element it uses its own copy if it has one, otherwise
/// the copy of the device with the same coordinates along the axes with copies; so each element arrives once, and only
/// missing elements move. Nothing enumerates devices: 65,536 of them are planned as fast as 8. If blocks do not divide
/// each other, the time of a message depends on the blocks of its two devices, of which at most 2^20 along a dimension
/// are compared.
///
/// ```
/// use tilework_sharding::{Mesh, Redistribution, Sharding};
/// let mesh = Mesh::parse("x=2,y=4")?;
/// let spec = |text| Sharding::from_partition_spec(&mesh, &[16, 8], text);
/// let plan = Redistribution::new(&spec("P(y, None)")?, &spec("P(None, y)")?)?;
/// let message = plan.message(1, 2).unwrap();
/// assert_eq!((message.elements(), plan.received(2)), (8, Some(24)));
/// let piece = message.pieces().next().unwrap();
/// assert_eq!(piece.from().to_string(), "(0,4)+(4,2):(1@0,1@1)");
/// assert_eq!(piece.to().to_string(), "(4,0)+(4,2):(1@0,1@1)");
/// let steps = plan.steps().unwrap();
/// assert_eq!(steps[0].to_string(), "all-to-all along y: divides dimension 1, joins dimension 0");
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redistribution {
    from: Sharding,
    to: Sharding,
    segments: Vec<Vec<Segment>>,
    copies: Vec<SubAxis>,
    links: Links,
    collectives: Option<Vec<Step>>,
    /// The most elements that a device receives by messages, if blocks are not even and collectives exist too.
    most: Option<i64>,
    /// A lower bound on the cost of messages; none if that is not compared with collectives.
    least: Option<i128>,
    settling: Option<Box<Redistribution>>,
}

impl Redistribution {
    /// Plans the redistribution from one sharding to another.
    ///
    /// # Errors
    /// [`Error::Different`] for different tensors or meshes; [`Error::Partial`] if a reduction is pending after but
    /// not before; [`Error::Refinement`] if blocks of the two do not divide each other, and a device would receive more than 2^20
    /// pieces along a dimension; [`Error::Layout`] beyond the capacity of a layout.
    pub fn new(from: &Sharding, to: &Sharding) -> Result<Redistribution, Error> {
        Redistribution::over(from, to, &Links::equal(from.mesh()))
    }

    /// Plans the redistribution over links of different speeds: the collectives take the least time.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn over(from: &Sharding, to: &Sharding, links: &Links) -> Result<Redistribution, Error> {
        if from.shape() != to.shape() {
            let (from, to) = (format!("{:?}", from.shape()), format!("{:?}", to.shape()));
            return Err(Error::Different { what: "the shapes", from, to });
        }
        if from.mesh() != to.mesh() {
            let (from, to) = (from.mesh().to_string(), to.mesh().to_string());
            return Err(Error::Different { what: "the meshes", from, to });
        }
        for (axis, (from_owed, to_owed)) in from.mesh().axes().iter().zip(from.owed().iter().zip(to.owed())) {
            if let Some(to) = to_owed.filter(|_| from_owed != to_owed) {
                let (axis, from) = (axis.name().to_string(), from_owed.map(Reduction::name));
                return Err(Error::Partial { axis, from, to: to.name() });
            }
        }
        let plan = Redistribution::by_collectives(from, to, links)?;
        if plan.collectives.is_some() || !plan.owes() {
            return Ok(plan);
        }
        // Each device keeps a part of the sums if possible, otherwise all.
        let whole = from.reduced(to.owed())?;
        for between in [whole.divided_along(from, true)?, whole] {
            let settling = Redistribution::by_collectives(from, &between, links)?;
            if settling.collectives.is_some() {
                let (segments, copies) = (both(&between, to)?, between.copies());
                return Ok(Redistribution { segments, copies, settling: Some(Box::new(settling)), ..plan });
            }
        }
        Ok(plan)
    }

    /// The plan with the cheapest collectives, if there are any, and the messages if no reduction is pending.
    fn by_collectives(from: &Sharding, to: &Sharding, links: &Links) -> Result<Redistribution, Error> {
        let mut plan = Redistribution {
            from: from.clone(),
            to: to.clone(),
            segments: both(from, to)?,
            copies: from.copies(),
            links: links.clone(),
            collectives: None,
            most: None,
            least: None,
            settling: None,
        };
        let Ok(Refinement { atoms, axes: Some(parts) }) =
            refine(from.mesh(), from.shape(), from.digits(), to.digits())
        else {
            return Ok(plan);
        };
        if !(plan.owes() || from.is_even() && to.is_even()) {
            plan.most = plan.most_of_few(&atoms, &parts);
        }
        let messages = match plan.most {
            Some(most) if links.are_equal() => Some(Vec::from([(0, most)])),
            _ => plan.traffic_of_most(),
        };
        plan.least = messages.map(|traffic| links.cost(&traffic));
        // With fast links, copies may take detours; otherwise nothing moves less than messages.
        let exact = links.are_equal() && (plan.most.is_some() || from.is_even() && to.is_even());
        let enough = plan.least.filter(|_| exact);
        plan.collectives = cheapest(from, to, (&atoms, &parts), links, enough)?;
        Ok(plan)
    }

    /// The most elements that a device receives by messages if blocks are not even: of the devices with equal positions
    /// at all ends of dimensions, one is counted. None if these are too many.
    fn most_of_few(&self, atoms: &[Vec<Atom>], parts: &[SubAxis]) -> Option<i64> {
        let counts = |digit: &Digit, part: &SubAxis| {
            let SubAxis { axis, weight, .. } = *part;
            digit.owner == Owner::Axis { axis, weight }
        };
        let mut ends = BTreeSet::from([0, 1]);
        for (own, &extent) in atoms.iter().zip(self.from.shape()) {
            for atom in own {
                let last = extent / atom.from.stride % atom.extent;
                ends.extend([last - 1, last, last + 1]);
            }
        }
        let mut devices = Vec::from([vec![0; self.from.mesh().axes().len()]]);
        for part in parts {
            let moves = |atom: &Atom| counts(&atom.from, part) || counts(&atom.to, part);
            let own = ends.iter().filter(|&&value| (0..part.extent).contains(&value));
            let values: Vec<i64> =
                if atoms.iter().flatten().any(moves) { own.copied().collect() } else { Vec::from([0]) };
            if devices.len() * values.len() > ASKED {
                return None;
            }
            let place = |at: &Vec<i64>, value: i64| {
                let mut at = at.clone();
                at[part.axis] += value * part.weight;
                at
            };
            devices =
                values.iter().flat_map(|&value| devices.iter().map(move |at| place(at, value))).collect();
        }
        devices.iter().filter_map(|at| self.received(self.from.mesh().device(at))).max()
    }

    /// The sharding before.
    #[must_use]
    pub fn from(&self) -> &Sharding {
        &self.from
    }

    /// The sharding after.
    #[must_use]
    pub fn to(&self) -> &Sharding {
        &self.to
    }

    /// The collectives of the plan, in order. None if messages are faster, or if there are no
    /// [collectives](Self::collectives).
    #[must_use]
    pub fn steps(&self) -> Option<&[Step]> {
        let steps = self.collectives()?;
        let all = steps.iter().map(|step| self.links.cost(step.traffic())).sum::<i128>();
        (self.least.is_none_or(|least| least >= all)).then_some(steps)
    }

    /// The fastest collectives, even if slower than messages. None if only messages can do it: if blocks of the two
    /// shardings do not divide each other or exceed the end by different numbers of devices, or if a part of an axis
    /// moves that does not divide it.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Redistribution, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let spec = |text| Sharding::from_partition_spec(&mesh, &[16, 16], text);
    /// let plan = Redistribution::new(&spec("P(x, y)")?, &spec("P(y, x)")?)?;
    /// let collectives = plan.collectives().unwrap();
    /// assert_eq!(collectives[0].to_string(), "permute along x, y[2:4]");
    /// assert_eq!(collectives.iter().map(|step| step.received()).sum::<i64>(), 32 + 16);
    /// assert_eq!((plan.steps(), plan.most_received()), (None, Some(32)));
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    #[must_use]
    pub fn collectives(&self) -> Option<&[Step]> {
        self.collectives.as_deref()
    }

    /// The plan before the messages, if a reduction is pending and no collectives do everything: a plan by collectives,
    /// from whose [`to`](Self::to) the messages start.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Redistribution, Sharding};
    /// let mesh = Mesh::parse("x=2,y=3")?;
    /// let owed = Sharding::from_placements(&mesh, &[10, 4], "[Partial(sum), Shard(0)]")?;
    /// let plan = Redistribution::new(&owed, &Sharding::from_partition_spec(&mesh, &[10, 4], "P(x)")?)?;
    /// let settling = plan.settling().unwrap();
    /// assert_eq!(settling.steps().unwrap()[0].to_string(), "reduce-scatter (sum) along x: divides dimension 0");
    /// assert_eq!((plan.steps(), plan.received(0)), (None, Some(8 + 12)));
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    #[must_use]
    pub fn settling(&self) -> Option<&Redistribution> {
        self.settling.as_deref()
    }

    /// The most elements that a device receives by messages, by the axes over whose links they come: from a device that
    /// differs in several coordinates, over the slowest. None if a reduction is pending, if devices hold different
    /// numbers of elements, or if blocks do not divide each other.
    #[must_use]
    pub fn traffic(&self) -> Option<Vec<(usize, i64)>> {
        let even = self.from.is_even() && self.to.is_even() && self.settling.is_none();
        if even { self.traffic_of_most() } else { None }
    }

    /// The same, as if all blocks were as long as the longest.
    fn traffic_of_most(&self) -> Option<Vec<(usize, i64)>> {
        if self.owes() || !self.segments.iter().flatten().all(Segment::divides) {
            return None;
        }
        let (mut elsewhere, mut anywhere) = (Vec::new(), Vec::new());
        for segment in self.segments.iter().flatten() {
            match segment.counted_by() {
                [Some(from), Some(to)] if from != to => elsewhere.push(from.axis),
                [Some(from), None] => anywhere.push(from),
                _ => {}
            }
        }
        let held = self.to.count(0)?;
        // If another part of an axis counts a digit, some device has none of the elements that it needs.
        let Some(slowest) = self.links.slowest(elsewhere.into_iter()) else {
            return Some(self.links.spread(&anywhere, held));
        };
        anywhere.retain(|part| self.links.speed(part.axis) < self.links.speed(slowest));
        let mut traffic = self.links.spread(&anywhere, held);
        traffic.push((slowest, held - traffic.iter().map(|(_, elements)| elements).sum::<i64>()));
        Some(traffic)
    }

    /// The elements that a device receives from another, or from itself: none if there are none, if a reduction is
    /// pending that nothing [settles](Self::settling) before, or if a device does not exist.
    #[must_use]
    pub fn message(&self, from: i64, to: i64) -> Option<Message> {
        let (source, destination) = (self.from.mesh().coordinate(from)?, self.from.mesh().coordinate(to)?);
        let nearest = |part: &SubAxis| {
            source[part.axis] / part.weight % part.extent
                == destination[part.axis] / part.weight % part.extent
        };
        if !self.copies.iter().all(nearest) || self.owes() {
            return None;
        }
        let mut message = Message { elements: 1, lines: Vec::new() };
        for (segments, &extent) in self.segments.iter().zip(self.from.shape()) {
            let mut lines = vec![Line { first: [0; 3], modes: Vec::new() }];
            let mut digits = Vec::new();
            for segment in segments {
                let common = segment.common(&source, &destination)?;
                lines = segment.lines(&common, &lines);
                digits.push(segment.counted(&common));
            }
            message.elements *= count_below(&digits, extent);
            message.lines.push(lines);
        }
        (message.elements > 0).then_some(message)
    }

    /// An upper bound on the pieces of one device in a message.
    pub(crate) fn pieces(&self) -> i64 {
        let all = self.segments.iter().flatten();
        all.fold(1, |pieces: i64, segment| pieces.saturating_mul(segment.pieces()))
    }

    /// Whether a reduction is pending that nothing settles before the messages.
    fn owes(&self) -> bool {
        self.from.owed() != self.to.owed() && self.settling.is_none()
    }

    /// The elements that a device receives for pending reductions before the messages.
    fn settled(&self) -> i64 {
        let steps = self.settling.iter().filter_map(|plan| plan.collectives()).flatten();
        steps.map(Step::received).fold(0, i64::saturating_add)
    }

    /// The elements that a device receives by messages, and to [settle](Self::settling) a reduction before; none if the
    /// device does not exist, or if collectives do the reduction.
    #[must_use]
    pub fn received(&self, device: i64) -> Option<i64> {
        if self.owes() {
            return None;
        }
        let own = self.message(device, device).map_or(0, |message| message.elements);
        Some(self.settled().saturating_add(self.to.count(device)? - own))
    }

    /// The most elements that a device receives by messages, and to [settle](Self::settling) a reduction before; none
    /// if collectives do the reduction. If blocks do not divide each other, devices are compared one by one, up to 2^16
    /// pieces; beyond that, it is the most that a device holds.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Redistribution, Sharding};
    /// let mesh = Mesh::parse("x=256,y=256")?;
    /// let spec = |text| Sharding::from_partition_spec(&mesh, &[65_536, 65_536], text);
    /// let plan = Redistribution::new(&spec("P(x, y)")?, &spec("P(x, None)")?)?;
    /// assert_eq!(plan.most_received(), Some(256 * 65_280));
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    #[must_use]
    pub fn most_received(&self) -> Option<i64> {
        if self.owes() {
            return None;
        }
        if let Some(traffic) = self.traffic() {
            return Some(traffic.iter().map(|(_, elements)| elements).sum());
        }
        if self.most.is_some() {
            return self.most;
        }
        let devices = self.to.mesh().size();
        if devices.saturating_mul(self.pieces()) > COMPARED {
            return Some(self.settled().saturating_add(self.to.count(0)?));
        }
        (0..devices).filter_map(|device| self.received(device)).max()
    }

    /// The devices from which one receives anything, including itself. If blocks are not even, or do not divide each
    /// other and are too many to be compared one by one, some of them may have nothing.
    ///
    /// # Errors
    /// [`Error::Layout`] beyond the capacity of a layout, and [`Error::NoDevice`] if the device does not exist.
    pub fn sources(&self, device: i64) -> Result<Devices, Error> {
        let mesh = self.to.mesh();
        let at = mesh.coordinate(device).ok_or(Error::NoDevice { device, devices: mesh.size() })?;
        let mut nearest = vec![0; at.len()];
        for part in &self.copies {
            nearest[part.axis] += at[part.axis] / part.weight % part.extent * part.weight;
        }
        let (mut firsts, mut leaves) = (vec![mesh.position_at(&nearest)], Vec::new());
        for segment in self.segments.iter().flatten() {
            let (own, modes) = segment.sources(mesh, &at);
            firsts = own.iter().flat_map(|own| firsts.iter().map(move |first| first + own)).collect();
            leaves.extend(modes.into_iter().map(|(extent, step)| Leaf::new(extent, step)));
        }
        Devices::new(mesh, firsts, leaves)
    }
}

/// The common segments of two shardings along each dimension.
fn both(from: &Sharding, to: &Sharding) -> Result<Vec<Vec<Segment>>, Error> {
    let own = |i: usize| segments(i, from.shape()[i], &from.digits()[i], &to.digits()[i]);
    (0..from.shape().len()).map(own).collect()
}

/// Elements that one device receives from another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    elements: i64,
    /// Per dimension, the coordinates that both devices have.
    lines: Vec<Vec<Line>>,
}

impl Message {
    /// The number of elements. If a dimension is not divisible, the layouts of the pieces may continue, to coordinates
    /// outside the tensor.
    #[must_use]
    pub fn elements(&self) -> i64 {
        self.elements
    }

    /// The pieces, which are disjoint: one if the blocks of the two shardings divide each other.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Redistribution, Sharding};
    /// let mesh = Mesh::parse("x=3,y=4")?;
    /// let spec = |text| Sharding::from_partition_spec(&mesh, &[1000], text);
    /// let plan = Redistribution::new(&spec("P(x)")?, &spec("P(y)")?)?;
    /// // Rows 334 to 667 and 250 to 499.
    /// let piece = plan.message(5, 1).unwrap().pieces().next().unwrap();
    /// assert_eq!(piece.coordinate().to_string(), "(334)+(166):(1@0)");
    /// assert_eq!((piece.from().first(), piece.to().first()), (&[0][..], &[84][..]));
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = Piece> + '_ {
        let number = self.lines.iter().map(Vec::len).fold(1, usize::saturating_mul);
        (0..number).map(|number| {
            let mut rest = number;
            let mut chosen = Vec::new();
            for lines in &self.lines {
                chosen.push(&lines[rest % lines.len()]);
                rest /= lines.len();
            }
            let place = |side: usize| Place {
                first: chosen.iter().map(|line| line.first[side]).collect(),
                modes: chosen
                    .iter()
                    .map(|line| line.modes.iter().map(|(extent, steps)| (*extent, steps[side])).collect())
                    .collect(),
            };
            Piece { coordinate: place(0), from: place(1), to: place(2) }
        })
    }
}

/// Some of the elements of a message: the same ones as coordinates, and as local indices of both devices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    coordinate: Place,
    from: Place,
    to: Place,
}

impl Piece {
    /// The coordinates of the elements.
    #[must_use]
    pub fn coordinate(&self) -> &Place {
        &self.coordinate
    }

    /// Their local indices at the source.
    #[must_use]
    pub fn from(&self) -> &Place {
        &self.from
    }

    /// Their local indices at the target.
    #[must_use]
    pub fn to(&self) -> &Place {
        &self.to
    }
}

/// Indices per dimension: the first index, and a layout with basis strides, one mode per dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    first: Vec<i64>,
    /// For each dimension, extents with their steps.
    modes: Vec<Vec<(i64, i64)>>,
}

impl Place {
    /// The index of the first element along each dimension.
    #[must_use]
    pub fn first(&self) -> &[i64] {
        &self.first
    }

    /// The index of each element, in the order of the message.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Redistribution, Sharding};
    /// let mesh = Mesh::parse("x=2")?;
    /// let spec = |text| Sharding::from_partition_spec(&mesh, &[2, 2], text);
    /// let plan = Redistribution::new(&spec("P(x, None)")?, &spec("P(None, x)")?)?;
    /// let piece = plan.message(0, 1).unwrap().pieces().next().unwrap();
    /// assert_eq!(piece.from().indices().collect::<Vec<_>>(), [[0, 1]]);
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    pub fn indices(&self) -> impl Iterator<Item = Vec<i64>> + '_ {
        let size: i64 = self.modes.iter().flatten().map(|(extent, _)| extent).product();
        (0..size).map(|number| {
            let (mut index, mut rest) = (self.first.clone(), number);
            for (at, leaves) in index.iter_mut().zip(&self.modes) {
                for (extent, step) in leaves {
                    *at += rest % extent * step;
                    rest /= extent;
                }
            }
            index
        })
    }

    /// The layout from the number of an element in the message to the distance of its index from the first.
    ///
    /// # Errors
    /// [`Error::Layout`] beyond the capacity of a layout.
    pub fn layout(&self) -> Result<Layout, Error> {
        let mut modes = Vec::new();
        for (dimension, digits) in self.modes.iter().enumerate() {
            let one = [(1, 1)];
            let digits = if digits.is_empty() { &one[..] } else { digits };
            let mut leaves = Vec::new();
            for &(extent, step) in digits {
                leaves.push(Leaf { extent, stride: Stride::basis(step, &[dimension])? });
            }
            modes.push(mode(&leaves)?);
        }
        Ok(Layout::new(HTuple::tuple(&modes)?)?)
    }
}

impl core::fmt::Display for Place {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let first: Vec<_> = self.first.iter().map(ToString::to_string).collect();
        write!(f, "({})+", first.join(","))?;
        match self.layout() {
            Ok(layout) => write!(f, "{layout}"),
            Err(error) => write!(f, "{error}"),
        }
    }
}

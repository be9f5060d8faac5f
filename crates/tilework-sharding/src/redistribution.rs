//! From one sharding to another: what each device sends to each, and the collectives that do it.

use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use tilework::{HTuple, Layout, Leaf, Stride};

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::mesh::step;
use crate::refine::{Atom, refine};
use crate::sharding::{Devices, Digit, Owner, Sharding, count_below, fixed, mode};
use crate::steps::{Step, steps};

/// The exact plan from one sharding of a tensor to another on the same mesh.
///
/// A device needs what it holds afterwards. Of each element it takes its own copy where it has one, and else the copy of the device
/// that stands where it stands itself along the axes that hold copies; so that each element arrives once, and no more elements move
/// than are missing. Nothing here goes through devices: 65,536 of them are planned as fast as 8.
///
/// ```
/// use tilework_sharding::{Mesh, Redistribution, Sharding};
/// let mesh = Mesh::parse("x=2,y=4")?;
/// let spec = |text| Sharding::from_partition_spec(&mesh, &[16, 8], text);
/// let plan = Redistribution::new(&spec("P(y, None)")?, &spec("P(None, y)")?)?;
/// let message = plan.message(1, 2).unwrap();
/// assert_eq!((message.elements(), plan.received(2)), (8, Some(24)));
/// assert_eq!(message.from().to_string(), "(0,4)+(4,2):(1@0,1@1)");
/// assert_eq!(message.to().to_string(), "(4,0)+(4,2):(1@0,1@1)");
/// let steps = plan.steps().unwrap();
/// assert_eq!(steps[0].to_string(), "all-to-all along y: divides dimension 1, joins dimension 0");
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Redistribution {
    from: Sharding,
    to: Sharding,
    atoms: Vec<Vec<Atom>>,
    copies: Vec<SubAxis>,
    steps: Option<Vec<Step>>,
}

impl Redistribution {
    /// Plans the way from one sharding to another.
    ///
    /// # Errors
    /// [`Error::Different`] for other tensors or meshes, and where a reduction is owed afterwards that is not before;
    /// [`Error::Refinement`] where blocks of the two do not divide each other; [`Error::Layout`] past the capacity of a layout.
    pub fn new(from: &Sharding, to: &Sharding) -> Result<Redistribution, Error> {
        if from.shape() != to.shape() {
            let (from, to) = (format!("{:?}", from.shape()), format!("{:?}", to.shape()));
            return Err(Error::Different { what: "the shapes", from, to });
        }
        if from.mesh() != to.mesh() {
            let (from, to) = (from.mesh().to_string(), to.mesh().to_string());
            return Err(Error::Different { what: "the meshes", from, to });
        }
        if let Some(axis) = (0..from.owed().len())
            .find(|&axis| to.owed()[axis].is_some() && to.owed()[axis] != from.owed()[axis])
        {
            let name = |owed: &[Option<crate::Reduction>]| {
                owed[axis].map_or("nothing", crate::Reduction::name).to_string()
            };
            return Err(Error::Different {
                what: "what is owed",
                from: name(from.owed()),
                to: name(to.owed()),
            });
        }
        let refinement = refine(from.mesh(), from.shape(), from.digits(), to.digits())?;
        let even = from.is_even() && to.is_even();
        let steps = match &refinement.axes {
            Some(axes) if even => Some(steps(from, to, &refinement.atoms, axes)?),
            _ => None,
        };
        Ok(Redistribution {
            from: from.clone(),
            to: to.clone(),
            atoms: refinement.atoms,
            copies: from.copies(),
            steps,
        })
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

    /// The collectives that do it, in order. None where devices hold different numbers of elements, or where a part of an axis moves
    /// that does not divide it: then messages are all there is.
    #[must_use]
    pub fn steps(&self) -> Option<&[Step]> {
        self.steps.as_deref()
    }

    /// What a device takes from another, or from itself: none where that is nothing, where a reduction is owed, and where there are
    /// no such devices.
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
        let mut message = Message::new(self.atoms.len());
        for (dimension, atoms) in self.atoms.iter().enumerate() {
            let value = |atom: &Atom| match (fixed(&atom.from, &source), fixed(&atom.to, &destination)) {
                (Some(sent), Some(kept)) if sent != kept => None,
                (sent, kept) => Some(sent.or(kept)),
            };
            let mut values = Vec::new();
            for atom in atoms {
                values.push(value(atom)?);
            }
            message.add(dimension, self.from.shape()[dimension], atoms, &values);
        }
        (message.elements > 0).then_some(message)
    }

    fn owes(&self) -> bool {
        self.from.owed() != self.to.owed()
    }

    /// How many elements a device takes from others; none where there is no such device, or a reduction is owed.
    #[must_use]
    pub fn received(&self, device: i64) -> Option<i64> {
        if self.owes() {
            return None;
        }
        let own = self.message(device, device).map_or(0, |message| message.elements);
        Some(self.to.count(device)? - own)
    }

    /// The devices from which one takes anything, itself among them. Where blocks have a rest, some of them may have nothing.
    ///
    /// # Errors
    /// [`Error::Layout`] past the capacity of a layout, and [`Error::Outside`] where there is no such device.
    pub fn sources(&self, device: i64) -> Result<Devices, Error> {
        let outside = Error::Outside { dimension: 0, index: device, extent: self.to.mesh().size() };
        let at = self.to.mesh().coordinate(device).ok_or(outside)?;
        let mut first = vec![0; at.len()];
        for part in &self.copies {
            first[part.axis] += at[part.axis] / part.weight % part.extent * part.weight;
        }
        let mut leaves = Vec::new();
        for atom in self.atoms.iter().flatten() {
            let Owner::Axis { axis, weight } = atom.from.owner else { continue };
            match fixed(&atom.to, &at) {
                Some(value) => first[axis] += value * weight,
                None => leaves
                    .push(Leaf::new(atom.extent, step(&self.to.mesh().devices().leaves()[axis]) * weight)),
            }
        }
        Devices::new(self.to.mesh().device(&first), leaves)
    }
}

/// Elements that one device takes from another: the same elements as local indices of both, and as coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    elements: i64,
    coordinate: Place,
    from: Place,
    to: Place,
}

/// Indices per dimension: a layout of basis strides, one mode per dimension, after the first index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    first: Vec<i64>,
    /// Per dimension, extents with how far a step of each goes.
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
    /// let message = plan.message(0, 1).unwrap();
    /// assert_eq!(message.from().indices().collect::<Vec<_>>(), [[0, 1]]);
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

    /// From the number of an element in the message to how far its index is from the first.
    ///
    /// # Errors
    /// [`Error::Layout`] past the capacity of a layout.
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

impl Message {
    fn new(rank: usize) -> Message {
        let place = || Place { first: vec![0; rank], modes: vec![Vec::new(); rank] };
        Message { elements: 1, coordinate: place(), from: place(), to: place() }
    }

    /// How many elements there are. Where a dimension does not divide, the layouts go on, to coordinates that the tensor does not have.
    #[must_use]
    pub fn elements(&self) -> i64 {
        self.elements
    }

    /// The coordinates of the elements.
    #[must_use]
    pub fn coordinate(&self) -> &Place {
        &self.coordinate
    }

    /// Their local indices where they come from.
    #[must_use]
    pub fn from(&self) -> &Place {
        &self.from
    }

    /// Their local indices where they go.
    #[must_use]
    pub fn to(&self) -> &Place {
        &self.to
    }

    fn add(&mut self, dimension: usize, extent: i64, atoms: &[Atom], values: &[Option<i64>]) {
        let local = |digit: &Digit| if let Owner::Local { weight } = digit.owner { weight } else { 0 };
        let mut digits = Vec::new();
        for (atom, value) in atoms.iter().zip(values) {
            let weights = [atom.stride, local(&atom.from), local(&atom.to)];
            for (place, weight) in
                [&mut self.coordinate, &mut self.from, &mut self.to].into_iter().zip(weights)
            {
                match value {
                    Some(value) => place.first[dimension] += value * weight,
                    None => place.modes[dimension].push((atom.extent, weight)),
                }
            }
            digits.push(Digit { extent: atom.extent, ..atom.from });
        }
        let value = |digit: &Digit| values[atoms.iter().position(|atom| atom.stride == digit.stride)?];
        self.elements *= count_below(&digits, extent, &value);
    }
}

//! Blocks: dimensions of which each device holds one interval. JAX, HLO and Shardy support only these.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use tilework::{HTuple, Layout, Leaf};

use crate::error::Error;
use crate::mesh::Mesh;
use crate::sharding::{Digit, Owner, Sharding};

/// Part of an axis: `extent` devices, `weight` apart along it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SubAxis {
    pub(crate) axis: usize,
    pub(crate) weight: i64,
    pub(crate) extent: i64,
}

impl SubAxis {
    pub(crate) fn whole(mesh: &Mesh, axis: usize) -> SubAxis {
        SubAxis { axis, weight: 1, extent: mesh.axes()[axis].extent() }
    }
}

impl Sharding {
    /// The sharding that gives each device a block along each dimension: `parts` has the axes of a dimension, the slowest first.
    pub(crate) fn of_blocks(mesh: &Mesh, shape: &[i64], parts: &[Vec<SubAxis>]) -> Result<Sharding, Error> {
        if parts.len() > shape.len() {
            return Err(Error::Rank { what: "the specification", found: parts.len(), expected: shape.len() });
        }
        let mut digits = Vec::new();
        for (dimension, &extent) in shape.iter().enumerate() {
            let axes = parts.get(dimension).map_or(&[][..], Vec::as_slice);
            let devices = axes.iter().try_fold(1i64, |all, part| all.checked_mul(part.extent));
            let too_many = |what: &str| Error::Overflow { what: what.to_owned() };
            let devices = devices.ok_or_else(|| too_many("the devices"))?;
            let block = (extent.max(1) - 1) / devices + 1;
            let mut own = Vec::from([Digit { extent: block, stride: 1, owner: Owner::Local { weight: 1 } }]);
            let mut stride = block;
            for part in axes.iter().rev() {
                own.push(Digit {
                    extent: part.extent,
                    stride,
                    owner: Owner::Axis { axis: part.axis, weight: part.weight },
                });
                // Coordinates past the end have to fit too.
                stride = stride.checked_mul(part.extent).ok_or_else(|| too_many("the elements"))?;
            }
            digits.push(own);
        }
        Sharding::from_digits(mesh, shape, digits)
    }

    /// The axes that divide each dimension into blocks, the slowest first.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for a dimension of which a device does not hold a block, or holds a larger block than
    /// necessary; and if a reduction is pending.
    pub(crate) fn blocks(&self, form: &'static str) -> Result<Vec<Vec<SubAxis>>, Error> {
        let refused = |mode, why| Err(Error::Inexpressible { form, mode, why });
        for (axis, owed) in self.mesh().axes().iter().zip(self.owed()) {
            if let Some(reduction) = owed {
                return refused(
                    format!("axis `{}`", axis.name()),
                    format!("a {} is owed along it", reduction.name()),
                );
            }
        }
        let mut parts = Vec::new();
        for (dimension, digits) in self.digits().iter().enumerate() {
            let name = || format!("dimension {dimension}");
            let local: Vec<&Digit> = digits.iter().take_while(|digit| digit.is_local()).collect();
            if let Some(inner) = digits[local.len()..].iter().find(|digit| digit.is_local()) {
                let why = format!("a device holds pieces that lie {} apart, not one block", inner.stride);
                return refused(name(), why);
            }
            if local.len() > 1 || local.iter().any(|digit| digit.owner != Owner::Local { weight: 1 }) {
                return refused(name(), "elements of a block are held in another order".to_owned());
            }
            let axes = digits[local.len()..].iter().rev().map(|digit| {
                let Owner::Axis { axis, weight } = digit.owner else {
                    unreachable!("local digits are below these")
                };
                SubAxis { axis, weight, extent: digit.extent }
            });
            let axes: Vec<SubAxis> = axes.collect();
            let devices: i64 = axes.iter().map(|part| part.extent).product();
            let (block, least) = (self.local_shape()[dimension], (self.shape()[dimension] - 1) / devices + 1);
            if block != least {
                return refused(name(), format!("blocks have {block} elements where {least} suffice"));
            }
            parts.push(axes);
        }
        Ok(parts)
    }

    /// The same sharding on a mesh on which whole axes divide the tensor: an axis `y` that divides in parts becomes the
    /// axes `y_0`, `y_1` and so on, the slowest first, for engines whose shardings use whole axes.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let sharding = Sharding::from_hlo(&mesh, &[8, 8], "{devices=[2,2,2]<=[8] last_tile_dim_replicate}")?.by_whole_axes()?;
    /// assert_eq!(sharding.mesh().to_string(), "x=2,y_0=2,y_1=2");
    /// assert_eq!(sharding.to_partition_spec()?, "PartitionSpec('x', 'y_0')");
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::AxisName`] if the mesh already has an axis of such a name; [`Error::Layout`] beyond the capacity of a
    /// layout.
    pub fn by_whole_axes(&self) -> Result<Sharding, Error> {
        let parts: Vec<SubAxis> =
            (0..self.mesh().axes().len()).flat_map(|axis| self.parts_of(axis)).collect();
        let (mut axes, mut devices) = (Vec::new(), Vec::new());
        for part in &parts {
            let name = self.mesh().axes()[part.axis].name();
            let own: Vec<&SubAxis> = parts.iter().filter(|other| other.axis == part.axis).collect();
            let number = own.iter().filter(|other| other.weight > part.weight).count();
            let step = crate::mesh::step(&self.mesh().devices().leaves()[part.axis]) * part.weight;
            axes.push((
                if own.len() == 1 { name.to_owned() } else { format!("{name}_{number}") },
                part.extent,
            ));
            devices.push(HTuple::leaf(Leaf::new(part.extent, step)));
        }
        let axes: Vec<(&str, i64)> = axes.iter().map(|(name, extent)| (name.as_str(), *extent)).collect();
        let mesh = Mesh::with_devices(&axes, Layout::new(HTuple::tuple(&devices)?)?)?.ordered_as(self.mesh());
        let find = |axis, weight| parts.iter().position(|part| part.axis == axis && part.weight == weight);
        let mut digits = self.digits().to_vec();
        for digit in digits.iter_mut().flatten() {
            if let Owner::Axis { axis, weight } = digit.owner {
                digit.owner = Owner::Axis { axis: find(axis, weight).unwrap_or(axis), weight: 1 };
            }
        }
        let mut owed = Vec::new();
        for part in &parts {
            owed.push(self.owed()[part.axis]);
        }
        Sharding::from_digits(&mesh, self.shape(), digits)?.owing(&owed)
    }

    /// The parts of an axis that divide the tensor or hold copies, the slowest first; at least one.
    fn parts_of(&self, axis: usize) -> Vec<SubAxis> {
        let along = self.parts_along(axis).into_iter().rev();
        let parts: Vec<SubAxis> = along.map(|(weight, extent, _)| SubAxis { axis, weight, extent }).collect();
        if parts.is_empty() { Vec::from([SubAxis::whole(self.mesh(), axis)]) } else { parts }
    }

    /// The parts of axes along which there are copies, the slowest first.
    pub(crate) fn copies(&self) -> Vec<SubAxis> {
        let mut copies = Vec::new();
        for axis in 0..self.mesh().axes().len() {
            let free = self.parts_along(axis).into_iter().rev().filter(|(_, _, counted)| counted.is_none());
            copies.extend(free.map(|(weight, extent, _)| SubAxis { axis, weight, extent }));
        }
        copies
    }
}

//! Devices arranged along named axes.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use tilework::{HTuple, Layout, Leaf};

use crate::error::Error;

/// One axis of a [`Mesh`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Axis {
    name: String,
    extent: i64,
}

impl Axis {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of devices along it.
    #[must_use]
    pub fn extent(&self) -> i64 {
        self.extent
    }
}

/// Devices `0 .. n`, arranged along named axes: `x=2,y=4`.
///
/// By default a mesh is row-major, as in JAX, Shardy and PyTorch: the last axis is the fastest. Otherwise a layout maps
/// the coordinates along the axes to the number of the device: `x=2,y=4:(1,2)` is column-major.
///
/// ```
/// use tilework_sharding::Mesh;
/// let mesh = Mesh::parse("x=2,y=4")?;
/// assert_eq!((mesh.size(), mesh.devices().to_string()), (8, "(2,4):(4,1)".into()));
/// assert_eq!(mesh.coordinate(6), Some(vec![1, 2]));
/// assert_eq!(Mesh::parse("x=2,y=4:(1,2)")?.coordinate(6), Some(vec![0, 3]));
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mesh {
    axes: Vec<Axis>,
    devices: Layout,
}

impl Mesh {
    /// A row-major mesh.
    ///
    /// # Errors
    /// [`Error::AxisName`] for a name that is empty, not made of letters, digits and `_`, begins with a digit or is used twice;
    /// [`Error::Extent`] below 1; [`Error::Overflow`]; [`Error::Layout`] for more axes or devices than a layout can
    /// have.
    pub fn new(axes: &[(&str, i64)]) -> Result<Mesh, Error> {
        let extents: Vec<i64> = axes.iter().map(|&(_, extent)| extent).collect();
        Mesh::with_devices(axes, row_major(&extents)?)
    }

    /// A mesh whose devices are numbered by a layout with one mode per axis.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::Devices`] if the layout has other extents, or is not a bijection onto `0 .. n`.
    pub fn with_devices(axes: &[(&str, i64)], devices: Layout) -> Result<Mesh, Error> {
        for (i, &(name, extent)) in axes.iter().enumerate() {
            let written = name.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if !written || axes[..i].iter().any(|&(other, _)| other == name) {
                return Err(Error::AxisName { name: name.to_owned() });
            }
            if extent < 1 {
                return Err(Error::Extent { what: "the extent of an axis", extent });
            }
        }
        let leaves = devices.leaves();
        let named = leaves.len() == axes.len()
            && leaves.iter().zip(axes).all(|(leaf, &(_, extent))| leaf.extent == extent);
        if !named || !is_numbering(leaves) {
            return Err(Error::Devices { devices: devices.to_string() });
        }
        let axes = axes.iter().map(|&(name, extent)| Axis { name: name.to_owned(), extent }).collect();
        Ok(Mesh { axes, devices })
    }

    /// Reads `x=2,y=4`, or with a layout of the devices `x=2,y=4:(1,2)`.
    ///
    /// # Errors
    /// [`Error::Text`], and those of [`new`](Self::new) and [`with_devices`](Self::with_devices).
    pub fn parse(text: &str) -> Result<Mesh, Error> {
        let (names, strides) =
            text.split_once(':').map_or((text, None), |(names, strides)| (names, Some(strides)));
        let mut axes = Vec::new();
        for part in names.split(',') {
            let wrong = || Error::Text {
                form: "mesh",
                expected: "an axis such as `x=2`",
                found: part.trim().to_owned(),
            };
            let (name, extent) = part.split_once('=').ok_or_else(wrong)?;
            axes.push((name.trim(), extent.trim().parse::<i64>().map_err(|_| wrong())?));
        }
        let Some(strides) = strides else { return Mesh::new(&axes) };
        let extents: Vec<String> = axes.iter().map(|(_, extent)| extent.to_string()).collect();
        Mesh::with_devices(&axes, Layout::parse(&format!("({}):{}", extents.join(","), strides.trim()))?)
    }

    /// Its axes, in order.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The layout from coordinates along the axes to the numbers of devices.
    #[must_use]
    pub fn devices(&self) -> &Layout {
        &self.devices
    }

    /// The number of devices.
    #[must_use]
    pub fn size(&self) -> i64 {
        self.devices.size()
    }

    /// The coordinate of a device along each axis, if the device exists.
    #[must_use]
    pub fn coordinate(&self, device: i64) -> Option<Vec<i64>> {
        let along = |leaf: &Leaf| if leaf.extent == 1 { 0 } else { device / step(leaf) % leaf.extent };
        (0..self.size()).contains(&device).then(|| self.devices.leaves().iter().map(along).collect())
    }

    /// The number of the device at a coordinate, one entry per axis and each within its extent.
    #[must_use]
    pub fn device(&self, coordinate: &[i64]) -> i64 {
        self.devices.leaves().iter().zip(coordinate).map(|(leaf, at)| step(leaf) * at).sum()
    }

    /// The index of an axis.
    ///
    /// # Errors
    /// [`Error::UnknownAxis`].
    pub fn axis(&self, name: &str) -> Result<usize, Error> {
        let unknown = || Error::UnknownAxis { name: name.to_owned(), mesh: self.to_string() };
        self.axes.iter().position(|axis| axis.name == name).ok_or_else(unknown)
    }
}

/// The row-major layout of some extents; of none, the one device.
pub(crate) fn row_major(extents: &[i64]) -> Result<Layout, Error> {
    if let Some(&extent) = extents.iter().find(|&&extent| extent < 1) {
        return Err(Error::Extent { what: "the extent of an axis", extent });
    }
    let mut modes = Vec::new();
    let mut below = 1i64;
    for &extent in extents.iter().rev() {
        modes.push(HTuple::leaf(Leaf::new(extent, below)));
        below =
            below.checked_mul(extent).ok_or_else(|| Error::Overflow { what: String::from("the devices") })?;
    }
    modes.reverse();
    Ok(Layout::new(HTuple::tuple(&modes)?)?)
}

/// Whether leaves in some order are the digits of `0 .. n`.
fn is_numbering(leaves: &[Leaf]) -> bool {
    let mut digits: Vec<&Leaf> = leaves.iter().filter(|leaf| leaf.extent > 1).collect();
    digits.sort_by_key(|leaf| step(leaf));
    let mut below = 1;
    digits.iter().all(|leaf| {
        let next = leaf.stride.unit().is_one() && step(leaf) == below;
        below = below.saturating_mul(leaf.extent);
        next
    })
}

/// The stride of a leaf as a number; 0 if it is not an integer.
pub(crate) fn step(leaf: &Leaf) -> i64 {
    leaf.stride.as_integer().unwrap_or(0)
}

impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, axis) in self.axes.iter().enumerate() {
            write!(f, "{}{}={}", if i > 0 { "," } else { "" }, axis.name, axis.extent)?;
        }
        let extents: Vec<i64> = self.axes.iter().map(|axis| axis.extent).collect();
        if row_major(&extents).is_ok_and(|devices| devices == self.devices) {
            return Ok(());
        }
        write!(f, ":{}", self.devices.stride())
    }
}

//! Devices arranged along named axes.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::num::{IntErrorKind, ParseIntError};

use tilework::{__private::sort_by_key, HTuple, Layout, Leaf};

use crate::error::Error;
use crate::text::Cursor;

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
/// the coordinates along the axes to the number of the device: `x=2,y=4:(1,2)` is column-major. An order that is not a
/// layout is a list of the devices at the coordinates, the last axis the fastest: `x=4:[0,1,3,2]`.
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
    order: Option<Order>,
}

/// The number of the device at each position, and the position of each device.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Order {
    numbers: Vec<i64>,
    positions: Vec<i64>,
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
        Ok(Mesh { axes, devices, order: None })
    }

    /// A mesh with the given devices, in row-major order of their coordinates.
    ///
    /// ```
    /// use tilework_sharding::Mesh;
    /// let mesh = Mesh::with_order(&[("x", 2), ("y", 2)], &[0, 1, 3, 2])?;
    /// assert_eq!((mesh.to_string(), mesh.coordinate(3)), ("x=2,y=2:[0,1,3,2]".into(), Some(vec![1, 0])));
    /// // Where the order is a layout, the mesh has that layout.
    /// assert_eq!(Mesh::with_order(&[("x", 2), ("y", 2)], &[0, 2, 1, 3])?, Mesh::parse("x=2,y=2:(1,2)")?);
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::NoDevice`] and [`Error::Order`] if `order` does not have each device of the mesh
    /// exactly once.
    pub fn with_order(axes: &[(&str, i64)], order: &[i64]) -> Result<Mesh, Error> {
        let mesh = Mesh::new(axes)?;
        let positions = positions(order, mesh.size())?;
        let second = |leaf: &Leaf| if leaf.extent > 1 { order[step(leaf) as usize] } else { 0 };
        let leaves =
            mesh.devices.leaves().iter().map(|leaf| HTuple::leaf(Leaf::new(leaf.extent, second(leaf))));
        let devices = Layout::new(HTuple::tuple(&leaves.collect::<Vec<_>>())?)?;
        let listed = Mesh { order: Some(Order { numbers: order.to_vec(), positions }), ..mesh };
        let same =
            |mesh: &Mesh| (0..mesh.size()).all(|device| mesh.coordinate(device) == listed.coordinate(device));
        Ok(Mesh::with_devices(axes, devices).ok().filter(same).unwrap_or(listed))
    }

    /// Reads `x=2,y=4`, with a layout of the devices `x=2,y=4:(1,2)`, or with their order `x=4:[0,1,3,2]`.
    ///
    /// # Errors
    /// [`Error::Text`], and those of [`new`](Self::new), [`with_devices`](Self::with_devices) and
    /// [`with_order`](Self::with_order).
    pub fn parse(text: &str) -> Result<Mesh, Error> {
        let (names, strides) =
            text.split_once(':').map_or((text, None), |(names, strides)| (names, Some(strides)));
        let mut axes = Vec::new();
        for part in names.split(',') {
            let wrong = || Error::Text {
                form: "mesh",
                expected: "an axis such as `x=2`, and commas between axes",
                found: part.trim().to_owned(),
            };
            let (name, extent) = part.split_once('=').ok_or_else(wrong)?;
            let refused = |error: ParseIntError| match error.kind() {
                IntErrorKind::PosOverflow => Error::Overflow { what: "the devices of an axis".to_owned() },
                _ => wrong(),
            };
            axes.push((name.trim(), extent.trim().parse::<i64>().map_err(refused)?));
        }
        let Some(strides) = strides else { return Mesh::new(&axes) };
        let mut cursor = Cursor::new("mesh", strides);
        if cursor.take("[") {
            let mut order = Vec::new();
            cursor.list("]", |cursor| {
                order.push(cursor.number()?);
                Ok(())
            })?;
            cursor.end()?;
            return Mesh::with_order(&axes, &order);
        }
        let extents: Vec<String> = axes.iter().map(|(_, extent)| extent.to_string()).collect();
        Mesh::with_devices(&axes, Layout::parse(&format!("({}):{}", extents.join(","), strides.trim()))?)
    }

    /// Its axes, in order.
    #[must_use]
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The layout from coordinates along the axes to the numbers of devices, or to their positions in the
    /// [order](Self::order).
    #[must_use]
    pub fn devices(&self) -> &Layout {
        &self.devices
    }

    /// The devices in row-major order of their coordinates, if that is not a layout.
    #[must_use]
    pub fn order(&self) -> Option<&[i64]> {
        self.order.as_ref().map(|order| &order.numbers[..])
    }

    /// Whether the last axis is the fastest.
    pub(crate) fn is_row_major(&self) -> bool {
        let extents: Vec<i64> = self.axes.iter().map(|axis| axis.extent).collect();
        self.order.is_none() && row_major(&extents).is_ok_and(|devices| devices == self.devices)
    }

    /// The same axes, or parts of them, with the devices in the order of another mesh.
    pub(crate) fn ordered_as(self, other: &Mesh) -> Mesh {
        Mesh { order: other.order.clone(), ..self }
    }

    /// The number of devices.
    #[must_use]
    pub fn size(&self) -> i64 {
        self.devices.size()
    }

    /// The coordinate of a device along each axis, if the device exists.
    #[must_use]
    pub fn coordinate(&self, device: i64) -> Option<Vec<i64>> {
        let position = self.position(device)?;
        let along = |leaf: &Leaf| if leaf.extent == 1 { 0 } else { position / step(leaf) % leaf.extent };
        Some(self.devices.leaves().iter().map(along).collect())
    }

    /// The number of the device at a coordinate, one entry per axis and each within its extent.
    #[must_use]
    pub fn device(&self, coordinate: &[i64]) -> i64 {
        self.number(self.position_at(coordinate))
    }

    /// The position of a device in the order, if it exists; its number if there is none.
    pub(crate) fn position(&self, device: i64) -> Option<i64> {
        let position = |order: &Order| order.positions[device as usize];
        (0..self.size()).contains(&device).then(|| self.order.as_ref().map_or(device, position))
    }

    /// The position of the device at a coordinate.
    pub(crate) fn position_at(&self, coordinate: &[i64]) -> i64 {
        self.devices.leaves().iter().zip(coordinate).map(|(leaf, at)| step(leaf) * at).sum()
    }

    /// The number of the device at a position.
    pub(crate) fn number(&self, position: i64) -> i64 {
        self.order.as_ref().map_or(position, |order| order.numbers[position as usize])
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

/// The positions of the devices `0 .. devices` in a list of them.
///
/// # Errors
/// [`Error::NoDevice`]; [`Error::Order`] for a device that is there twice, or not at all.
pub(crate) fn positions(list: &[i64], devices: i64) -> Result<Vec<i64>, Error> {
    if let Some(&device) = list.iter().find(|device| !(0..devices).contains(*device)) {
        return Err(Error::NoDevice { device, devices });
    }
    let mut sorted: Vec<(i64, i64)> = list.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(Error::Order { device: twice[0].0, devices, missing: false });
    }
    let listed = sorted.iter().zip(0..).find(|((device, _), number)| device != number);
    let missing = listed.map_or(sorted.len() as i64, |(_, number)| number);
    if missing < devices {
        return Err(Error::Order { device: missing, devices, missing: true });
    }
    Ok(sorted.into_iter().map(|(_, position)| position).collect())
}

/// Whether leaves in some order are the digits of `0 .. n`.
fn is_numbering(leaves: &[Leaf]) -> bool {
    let mut digits: Vec<&Leaf> = leaves.iter().filter(|leaf| leaf.extent > 1).collect();
    sort_by_key(&mut digits, |leaf| step(leaf));
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
        if self.is_row_major() {
            return Ok(());
        }
        match &self.order {
            Some(order) => {
                let numbers: Vec<String> = order.numbers.iter().map(ToString::to_string).collect();
                write!(f, ":[{}]", numbers.join(","))
            }
            None => write!(f, ":{}", self.devices.stride()),
        }
    }
}

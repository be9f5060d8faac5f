//! A sharding: the device and the local index of each coordinate of a tensor.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use tilework::{__private::sort_by_key, HTuple, Layout, Leaf, Stride};

use crate::error::Error;
use crate::mesh::Mesh;

/// The owner of a digit of a coordinate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Owner {
    /// The coordinate of a device along an axis of the mesh, divided by `weight`.
    Axis {
        /// The index of the axis.
        axis: usize,
        /// The step of the digit along the axis.
        weight: i64,
    },
    /// The local index along the dimension, divided by `weight`.
    Local {
        /// The step of the digit along the local dimension.
        weight: i64,
    },
}

/// A digit of the coordinate along one dimension: `coordinate / stride % extent`, and its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digit {
    /// The number of its values.
    pub extent: i64,
    /// Its step along the dimension.
    pub stride: i64,
    /// Its owner.
    pub owner: Owner,
}

impl Digit {
    pub(crate) fn is_local(&self) -> bool {
        matches!(self.owner, Owner::Local { .. })
    }

    /// Its value on the device at some coordinates, if the device determines it.
    pub(crate) fn fixed(&self, at: &[i64]) -> Option<i64> {
        match self.owner {
            Owner::Axis { axis, weight } => Some(at[axis] / weight % self.extent),
            Owner::Local { .. } => None,
        }
    }
}

/// How partial results of devices are combined along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reduction {
    /// They are added.
    Sum,
    /// The least one.
    Min,
    /// The largest one.
    Max,
    /// They are multiplied.
    Product,
}

impl Reduction {
    /// Its name in PyTorch.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reduction::Sum => "sum",
            Reduction::Min => "min",
            Reduction::Max => "max",
            Reduction::Product => "product",
        }
    }
}

/// Part of an axis: weight, extent, and the dimension and digit that it counts.
type AxisPart = (i64, i64, Option<(usize, Digit)>);

/// The device and the local index of each coordinate of a tensor: the layout `(device, local) -> coordinate`, with
/// names.
///
/// The first mode has one mode per axis of the mesh, the second one mode per dimension of the tensor, the local one. An axis of
/// stride 0 holds copies. If a dimension is not divisible, local indices continue past its end; only coordinates below
/// the extent exist. Local indices that are past it on every device are omitted. Along an axis a [`Reduction`] may be
/// pending: each device along it holds a partial value of every element.
///
/// ```
/// use tilework_sharding::{Mesh, Sharding};
/// let mesh = Mesh::parse("x=2,y=4")?;
/// let sharding = Sharding::from_partition_spec(&mesh, &[8, 16], "P('y', 'x')")?;
/// assert_eq!(sharding.layout()?.to_string(), "((2,4),(2,8)):((8@1,2@0),(1@0,1@1))");
/// assert_eq!(sharding.local_shape(), [2, 8]);
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sharding {
    mesh: Mesh,
    shape: Vec<i64>,
    digits: Vec<Vec<Digit>>,
    owed: Vec<Option<Reduction>>,
}

impl Sharding {
    /// A sharding from its layout.
    ///
    /// # Errors
    /// [`Error::Rank`] if the layout does not have two modes, with one mode per axis in the first and one per dimension
    /// in the second; [`Error::Different`] if an axis has another extent; [`Error::NotOnce`] and [`Error::NotAll`] if
    /// devices and local indices do not reach each coordinate exactly once, except for copies along an axis.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let strided = Sharding::new(&mesh, &[16], &layout!(((2,4),(2)):((2@0,4@0),(1@0))))?;
    /// assert_eq!(strided.holders(&[13])?.to_string(), "3");
    /// let error = Sharding::new(&mesh, &[16], &layout!(((2,4),(2)):((8@0,4@0),(1@0)))).unwrap_err();
    /// assert!(error.to_string().contains("a step of 4 does not continue the steps below it"));
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    pub fn new(mesh: &Mesh, shape: &[i64], layout: &Layout) -> Result<Sharding, Error> {
        let rank = |what, found, expected| {
            if found == expected { Ok(()) } else { Err(Error::Rank { what, found, expected }) }
        };
        rank("a layout of device and local index", layout.rank(), 2)?;
        let (devices, local) = (layout.mode(0)?, layout.mode(1)?);
        rank("the layout of the devices, for the axes of the mesh,", devices.rank(), mesh.axes().len())?;
        rank("the layout of the local indices", local.rank(), shape.len())?;
        let mut digits = vec![Vec::new(); shape.len()];
        for (axis, named) in mesh.axes().iter().enumerate() {
            let mode = devices.mode(axis)?;
            if mode.size() != named.extent() {
                let (from, to) = (format!("{}={}", named.name(), named.extent()), mode.to_string());
                return Err(Error::Different { what: "the extents of an axis", from, to });
            }
            collect(&mode, None, &mut digits, |weight| Owner::Axis { axis, weight })?;
        }
        for dimension in 0..shape.len() {
            collect(&local.mode(dimension)?, Some(dimension), &mut digits, |weight| Owner::Local { weight })?;
        }
        Sharding::from_digits(mesh, shape, digits)
    }

    /// A sharding from the digits of each dimension, in any order.
    ///
    /// # Errors
    /// [`Error::NotOnce`], [`Error::NotAll`], [`Error::AxisTwice`], [`Error::Overflow`].
    pub(crate) fn from_digits(
        mesh: &Mesh,
        shape: &[i64],
        mut digits: Vec<Vec<Digit>>,
    ) -> Result<Sharding, Error> {
        let too_many = || Error::Overflow { what: String::from("the elements") };
        // Including those past the end, so no number of elements has to be checked again.
        let mut elements = 1i64;
        for (dimension, (&extent, digits)) in shape.iter().zip(&mut digits).enumerate() {
            if extent < 1 {
                return Err(Error::Extent { what: "the extent of a dimension", extent });
            }
            digits.retain(|digit| digit.extent > 1);
            sort_by_key(digits, |digit| digit.stride);
            let mut below = 1i64;
            for digit in &*digits {
                if digit.stride != below {
                    return Err(Error::NotOnce { dimension, step: digit.stride, expected: below });
                }
                below = below.checked_mul(digit.extent).ok_or_else(too_many)?;
            }
            elements = elements.checked_mul(below.max(extent)).ok_or_else(too_many)?;
            if below < extent {
                return Err(Error::NotAll { dimension, reached: below, extent });
            }
            merge(digits);
            // Local indices past the end, above all others, are not used.
            while let Some(last) = digits.last_mut().filter(|digit| digit.is_local()) {
                last.extent = (extent - 1) / last.stride + 1;
                if last.extent > 1 {
                    break;
                }
                digits.pop();
            }
            number_locally(digits);
            merge(digits);
        }
        let sharding = Sharding {
            mesh: mesh.clone(),
            shape: shape.to_vec(),
            digits,
            owed: vec![None; mesh.axes().len()],
        };
        sharding.axes_divide_once()?;
        Ok(sharding)
    }

    /// Checks that no part of an axis counts two digits.
    fn axes_divide_once(&self) -> Result<(), Error> {
        for (axis, named) in self.mesh.axes().iter().enumerate() {
            let mut below = 1;
            for (_, digit, weight) in self.counted_by(axis) {
                if weight < below {
                    return Err(Error::AxisTwice { name: named.name().to_owned() });
                }
                below = weight * digit.extent;
            }
        }
        Ok(())
    }

    /// The digits that an axis counts, with their dimensions and weights, the fastest first.
    fn counted_by(&self, axis: usize) -> Vec<(usize, Digit, i64)> {
        let mut counted = Vec::new();
        for (dimension, digits) in self.digits.iter().enumerate() {
            for &digit in digits {
                match digit.owner {
                    Owner::Axis { axis: own, weight } if own == axis => {
                        counted.push((dimension, digit, weight))
                    }
                    _ => {}
                }
            }
        }
        sort_by_key(&mut counted, |(_, _, weight)| *weight);
        counted
    }

    /// The parts of an axis, the fastest first: weight, extent, and the digit that it counts; none for copies.
    pub(crate) fn parts_along(&self, axis: usize) -> Vec<AxisPart> {
        let mut parts = Vec::new();
        let mut below = 1;
        let counted = self.counted_by(axis);
        for (dimension, digit, weight) in counted {
            parts.push((below, weight / below, None));
            parts.push((weight, digit.extent, Some((dimension, digit))));
            below = weight * digit.extent;
        }
        parts.push((below, self.mesh.axes()[axis].extent() / below, None));
        parts.retain(|(_, extent, _)| *extent > 1);
        parts
    }

    /// The digits that an axis counts, the fastest first.
    pub(crate) fn along(&self, axis: usize) -> Vec<Digit> {
        self.counted_by(axis).into_iter().map(|(_, digit, _)| digit).collect()
    }

    /// The same, with a reduction pending along an axis, unless that has only one device.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Reduction, Sharding};
    /// let mesh = Mesh::parse("x=2,y=2")?;
    /// let owing = Sharding::parse(&mesh, &[4], "P()")?.with_owed("x", Reduction::Sum)?;
    /// assert!(owing.clone().with_owed("y", Reduction::Sum).is_ok());
    /// // The largest of sums is not the sum of largest ones.
    /// assert_eq!(owing.with_owed("y", Reduction::Max).unwrap_err().code(), "reductions");
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownAxis`]; [`Error::AxisTwice`] if the axis divides the tensor, so that its devices do not share
    /// elements; [`Error::Reductions`] if another reduction is pending along another axis.
    pub fn with_owed(mut self, axis: &str, reduction: Reduction) -> Result<Sharding, Error> {
        let index = self.mesh.axis(axis)?;
        if !self.along(index).is_empty() {
            return Err(Error::AxisTwice { name: axis.to_owned() });
        }
        // The part of a single device is the whole.
        if self.mesh.axes()[index].extent() == 1 {
            return Ok(self);
        }
        self.owed[index] = Some(reduction);
        let axes = self.mesh.axes().iter().zip(&self.owed);
        let mut owed = axes.filter_map(|(axis, own)| Some((axis.name().to_owned(), (*own)?.name())));
        if let Some(first) = owed.next()
            && let Some(second) = owed.find(|(_, own)| *own != first.1)
        {
            return Err(Error::Reductions { first, second });
        }
        Ok(self)
    }

    /// The same, with the given reductions pending along each axis of the mesh.
    ///
    /// # Errors
    /// Those of [`with_owed`](Self::with_owed).
    pub(crate) fn owing(mut self, owed: &[Option<Reduction>]) -> Result<Sharding, Error> {
        for (axis, reduction) in owed.iter().enumerate() {
            if let Some(reduction) = reduction {
                let name = self.mesh.axes()[axis].name().to_owned();
                self = self.with_owed(&name, *reduction)?;
            }
        }
        Ok(self)
    }

    /// The same, with only the given reductions pending.
    pub(crate) fn reduced(&self, owed: &[Option<Reduction>]) -> Result<Sharding, Error> {
        Sharding { owed: vec![None; owed.len()], ..self.clone() }.owing(owed)
    }

    /// The same, divided along the axes with a reduction pending in the other sharding but not in this one: each by the
    /// first dimension that it can divide, if `uneven` also into blocks of unequal size, so that nothing is sent twice.
    pub(crate) fn divided_along(&self, other: &Sharding, uneven: bool) -> Result<Sharding, Error> {
        let mut divided = self.clone();
        for (axis, named) in self.mesh.axes().iter().enumerate() {
            if other.owed[axis].is_none() || self.owed[axis].is_some() || named.extent() == 1 {
                continue;
            }
            let mut digits = divided.digits.clone();
            let mut done = |even| digits.iter_mut().any(|own| divide(own, axis, named.extent(), even));
            if done(true) || uneven && done(false) {
                divided = Sharding::from_digits(&self.mesh, &self.shape, digits)?.owing(&self.owed)?;
            }
        }
        Ok(divided)
    }

    /// Marks the reduction along an axis as done.
    pub(crate) fn settle(&mut self, axis: usize) {
        self.owed[axis] = None;
    }

    /// The devices.
    #[must_use]
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The extents of the tensor.
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The digits of the coordinates along each dimension, the fastest first.
    #[must_use]
    pub fn digits(&self) -> &[Vec<Digit>] {
        &self.digits
    }

    /// The pending reduction along each axis of the mesh.
    #[must_use]
    pub fn owed(&self) -> &[Option<Reduction>] {
        &self.owed
    }

    /// The layout `(device, local) -> coordinate`.
    ///
    /// # Errors
    /// [`Error::Layout`] beyond the capacity of a layout.
    pub fn layout(&self) -> Result<Layout, Error> {
        let mut axes = Vec::new();
        for axis in 0..self.mesh.axes().len() {
            let mut leaves = Vec::new();
            for (_, extent, counted) in self.parts_along(axis) {
                leaves.push(match counted {
                    Some((dimension, digit)) => {
                        Leaf { extent, stride: Stride::basis(digit.stride, &[dimension])? }
                    }
                    None => Leaf::new(extent, 0),
                });
            }
            if leaves.is_empty() {
                leaves.push(Leaf::new(1, 0));
            }
            axes.push(mode(&leaves)?);
        }
        let mut local = Vec::new();
        for dimension in 0..self.shape.len() {
            let mut leaves = Vec::new();
            for digit in self.local_digits(dimension) {
                leaves
                    .push(Leaf { extent: digit.extent, stride: Stride::basis(digit.stride, &[dimension])? });
            }
            if leaves.is_empty() {
                leaves.push(Leaf { extent: 1, stride: Stride::basis(1, &[dimension])? });
            }
            local.push(mode(&leaves)?);
        }
        Ok(Layout::new(HTuple::tuple(&[HTuple::tuple(&axes)?, HTuple::tuple(&local)?])?)?)
    }

    /// The digits that the local index counts, in its order.
    pub(crate) fn local_digits(&self, dimension: usize) -> Vec<Digit> {
        let mut digits: Vec<Digit> =
            self.digits[dimension].iter().filter(|digit| digit.is_local()).copied().collect();
        sort_by_key(&mut digits, |digit| digit.owner);
        digits
    }

    /// The local extents of a device; if a dimension is not divisible, those of the device that holds most.
    #[must_use]
    pub fn local_shape(&self) -> Vec<i64> {
        (0..self.shape.len())
            .map(|dimension| self.local_digits(dimension).iter().map(|digit| digit.extent).product())
            .collect()
    }

    /// Whether every device holds the same number of elements.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=4")?;
    /// assert!(Sharding::from_partition_spec(&mesh, &[12], "P(x)")?.is_even());
    /// let uneven = Sharding::from_partition_spec(&mesh, &[10], "P(x)")?;
    /// assert!(!uneven.is_even());
    /// assert_eq!((0..4).map(|device| uneven.count(device).unwrap()).collect::<Vec<_>>(), [3, 3, 3, 1]);
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    #[must_use]
    pub fn is_even(&self) -> bool {
        let reached = |digits: &[Digit]| digits.iter().map(|digit| digit.extent).product::<i64>();
        self.shape
            .iter()
            .zip(&self.digits)
            .all(|(&extent, digits)| reached(digits) == extent || digits.iter().all(Digit::is_local))
    }

    /// Whether whole axes divide the tensor into even blocks, as JAX holds arrays, whatever is pending.
    pub(crate) fn is_regular(&self) -> bool {
        let values = Sharding { owed: vec![None; self.owed.len()], ..self.clone() };
        values.is_even() && values.to_partition_spec().is_ok()
    }

    /// The number of elements of a device, if it exists.
    #[must_use]
    pub fn count(&self, device: i64) -> Option<i64> {
        let at = self.mesh.coordinate(device)?;
        Some((0..self.shape.len()).map(|dimension| self.count_along(dimension, &at)).product())
    }

    /// The number of indices of a dimension on the device at some coordinates.
    pub(crate) fn count_along(&self, dimension: usize, at: &[i64]) -> i64 {
        let values = |digit: &Digit| digit.fixed(at).map_or(Values::All(digit.extent), Values::One);
        let digits = self.digits[dimension].iter().map(|digit| (digit.stride, values(digit)));
        count_below(&digits.collect::<Vec<_>>(), self.shape[dimension])
    }

    /// The devices that hold a coordinate.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let sharding = Sharding::from_partition_spec(&mesh, &[8], "P(x)")?;
    /// let holders = sharding.holders(&[5])?;
    /// assert_eq!((holders.to_string(), holders.numbers().collect()), ("4+4:1".into(), vec![4, 5, 6, 7]));
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] and [`Error::Outside`] for a coordinate outside the tensor.
    pub fn holders(&self, coordinate: &[i64]) -> Result<Devices, Error> {
        let first = self.mesh.position_at(&self.place(coordinate)?.0);
        let devices = self.mesh.devices().leaves();
        let copies = self.copies();
        let leaves = copies
            .iter()
            .rev()
            .map(|part| Leaf::new(part.extent, crate::mesh::step(&devices[part.axis]) * part.weight));
        Devices::new(&self.mesh, vec![first], leaves.collect())
    }

    /// The place of a coordinate: along the axes of the mesh, 0 for copies, and the local index per dimension.
    pub(crate) fn place(&self, coordinate: &[i64]) -> Result<(Vec<i64>, Vec<i64>), Error> {
        if coordinate.len() != self.shape.len() {
            return Err(Error::Rank {
                what: "the coordinate",
                found: coordinate.len(),
                expected: self.shape.len(),
            });
        }
        let (mut at, mut local) = (vec![0; self.mesh.axes().len()], vec![0; self.shape.len()]);
        for (dimension, digits) in self.digits.iter().enumerate() {
            let index = coordinate[dimension];
            if !(0..self.shape[dimension]).contains(&index) {
                return Err(Error::Outside { dimension, index, extent: self.shape[dimension] });
            }
            for digit in digits {
                let value = index / digit.stride % digit.extent;
                match digit.owner {
                    Owner::Axis { axis, weight } => at[axis] += value * weight,
                    Owner::Local { weight } => local[dimension] += value * weight,
                }
            }
        }
        Ok((at, local))
    }

    /// The coordinates along a dimension of the local indices of a device, in order; past the end they are the extent
    /// or more. None if the device or dimension does not exist.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=4")?;
    /// let sharding = Sharding::from_partition_spec(&mesh, &[10, 2], "P(x, None)")?;
    /// assert_eq!(sharding.along_dimension(0, 3).unwrap().collect::<Vec<_>>(), [9, 10, 11]);
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    #[must_use]
    pub fn along_dimension(&self, dimension: usize, device: i64) -> Option<impl Iterator<Item = i64> + '_> {
        let at = self.mesh.coordinate(device)?;
        let digits = self.digits.get(dimension)?;
        let local = self.local_digits(dimension).iter().map(|digit| digit.extent).product();
        let first: i64 = digits.iter().filter_map(|digit| Some(digit.fixed(&at)? * digit.stride)).sum();
        let step = move |index: i64, digit: &Digit| match digit.owner {
            Owner::Local { weight } => index / weight % digit.extent * digit.stride,
            Owner::Axis { .. } => 0,
        };
        Some((0..local).map(move |index| digits.iter().fold(first, |sum, digit| sum + step(index, digit))))
    }

    /// The local index of a coordinate: the same on every device that holds it.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let sharding = Sharding::parse(&mesh, &[8, 8], "P(x, y)")?;
    /// assert_eq!((sharding.holders(&[5, 2])?.firsts(), sharding.local_index(&[5, 2])?), (&[5][..], vec![1, 0]));
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] and [`Error::Outside`] for a coordinate outside the tensor.
    pub fn local_index(&self, coordinate: &[i64]) -> Result<Vec<i64>, Error> {
        Ok(self.place(coordinate)?.1)
    }

    /// The coordinate of a local index on a device, if there is an element.
    #[must_use]
    pub fn coordinate(&self, device: i64, local: &[i64]) -> Option<Vec<i64>> {
        let at = self.mesh.coordinate(device)?;
        let mut coordinate = vec![0; self.shape.len()];
        for (dimension, digits) in self.digits.iter().enumerate() {
            for digit in digits {
                let value = match digit.owner {
                    Owner::Axis { axis, weight } => at[axis] / weight % digit.extent,
                    Owner::Local { weight } => *local.get(dimension)? / weight % digit.extent,
                };
                coordinate[dimension] += value * digit.stride;
            }
            if coordinate[dimension] >= self.shape[dimension] {
                return None;
            }
        }
        Some(coordinate)
    }
}

impl fmt::Display for Sharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.layout() {
            Ok(layout) => write!(f, "{layout}")?,
            Err(error) => write!(f, "{error}")?,
        }
        for (axis, owed) in self.mesh.axes().iter().zip(&self.owed) {
            if let Some(reduction) = owed {
                write!(f, ", {} owed along {}", reduction.name(), axis.name())?;
            }
        }
        Ok(())
    }
}

/// A set of devices: the numbers of the first ones, and a layout of the distances of others from each of these.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Devices {
    firsts: Vec<i64>,
    layout: Layout,
}

impl Devices {
    /// The devices of a mesh at some positions, and at distances from each of them.
    pub(crate) fn new(mesh: &Mesh, mut firsts: Vec<i64>, mut leaves: Vec<Leaf>) -> Result<Devices, Error> {
        leaves.retain(|leaf| leaf.extent > 1);
        if leaves.is_empty() {
            leaves.push(Leaf::new(1, 0));
        }
        let mut layout = Layout::new(mode(&leaves)?)?;
        if mesh.order().is_some() {
            firsts = Devices { firsts, layout }.numbers().map(|position| mesh.number(position)).collect();
            layout = Layout::new(HTuple::leaf(Leaf::new(1, 0)))?;
        }
        firsts.sort_unstable();
        Ok(Devices { firsts, layout })
    }

    /// The numbers of the first devices, ascending. There is one, except for the sources of a plan between blocks that
    /// do not divide each other, and on a mesh with an [order](Mesh::order), whose devices are all firsts; and none if
    /// a device has no elements.
    #[must_use]
    pub fn firsts(&self) -> &[i64] {
        &self.firsts
    }

    /// The distances of the others from each of the first.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Their numbers, each once.
    pub fn numbers(&self) -> impl Iterator<Item = i64> + '_ {
        let others = move |&first: &i64| (0..self.layout.size()).map(move |i| first + self.layout.at(i));
        self.firsts.iter().flat_map(others)
    }
}

impl fmt::Display for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.firsts.as_slice() {
            [first] => write!(f, "{first}")?,
            firsts => {
                let firsts: Vec<String> = firsts.iter().map(ToString::to_string).collect();
                write!(f, "{{{}}}", firsts.join(","))?;
            }
        }
        if self.layout.size() == 1 { Ok(()) } else { write!(f, "+{}", self.layout) }
    }
}

/// Adds the digits of the leaves of one mode. A local mode belongs to a dimension, and has no copies.
fn collect(
    mode: &Layout,
    of: Option<usize>,
    digits: &mut [Vec<Digit>],
    owner: impl Fn(i64) -> Owner,
) -> Result<(), Error> {
    let mut weight = 1;
    for leaf in mode.leaves() {
        let (path, depth) = leaf.stride.unit().path();
        let stride = leaf.stride.count();
        let dimension = if depth == 1 { path[0] } else { of.unwrap_or(0) };
        let copies = leaf.extent == 1 || (leaf.stride.is_zero() && of.is_none());
        if !copies {
            let reached = depth == 1
                && stride.is_integer()
                && dimension < digits.len()
                && of.is_none_or(|own| own == dimension);
            if !reached {
                return Err(Error::NotOnce { dimension, step: stride.numerator(), expected: 1 });
            }
            digits[dimension].push(Digit {
                extent: leaf.extent,
                stride: stride.numerator(),
                owner: owner(weight),
            });
        }
        weight *= leaf.extent;
    }
    Ok(())
}

/// Divides the slowest local digit along a dimension that an axis can divide, into blocks that are even or extend past
/// the end.
fn divide(digits: &mut Vec<Digit>, axis: usize, devices: i64, even: bool) -> bool {
    let slowest = |digit: &Digit| digits.iter().all(|other| other.stride <= digit.stride);
    let divides = |digit: &Digit| match even {
        true => digit.is_local() && digit.extent % devices == 0,
        false => digit.is_local() && digit.extent >= devices && slowest(digit),
    };
    let Some(at) = (0..digits.len()).filter(|&at| divides(&digits[at])).max_by_key(|&at| digits[at].owner)
    else {
        return false;
    };
    let digit = &mut digits[at];
    digit.extent = (digit.extent - 1) / devices + 1;
    let stride = digit.stride * digit.extent;
    digits.push(Digit { extent: devices, stride, owner: Owner::Axis { axis, weight: 1 } });
    true
}

/// Renumbers local indices without gaps, in their order.
fn number_locally(digits: &mut [Digit]) {
    let mut local: Vec<&mut Digit> = digits.iter_mut().filter(|digit| digit.is_local()).collect();
    sort_by_key(&mut local, |digit| digit.owner);
    let mut weight = 1;
    for digit in local {
        digit.owner = Owner::Local { weight };
        weight *= digit.extent;
    }
}

/// Merges digits that continue each other, in the coordinate and in their owner.
pub(crate) fn merge(digits: &mut Vec<Digit>) {
    let mut merged: Vec<Digit> = Vec::new();
    for &digit in &*digits {
        if let Some(last) = merged.last_mut() {
            let continues = match (last.owner, digit.owner) {
                (Owner::Axis { axis, weight }, Owner::Axis { axis: next, weight: above }) => {
                    axis == next && weight * last.extent == above
                }
                (Owner::Local { weight }, Owner::Local { weight: above }) => weight * last.extent == above,
                _ => false,
            };
            if continues {
                last.extent *= digit.extent;
                continue;
            }
        }
        merged.push(digit);
    }
    *digits = merged;
}

/// The values of digits, some of them fixed.
pub(crate) enum Values {
    /// All below an extent.
    All(i64),
    /// One.
    One(i64),
    /// Runs in order: the first value, and the number of values.
    Runs(Vec<(i64, i64)>),
}

/// The number of integers below `extent` whose digits have some values, given with the step of each, the fastest first.
pub(crate) fn count_below(digits: &[(i64, Values)], extent: i64) -> i64 {
    let Some(((step, top), below)) = digits.split_last() else { return i64::from(extent > 0) };
    if extent <= 0 {
        return 0;
    }
    let (whole, rest) = (extent / step, extent % step);
    match top {
        Values::One(value) => count_below(below, (extent - value * step).min(*step)),
        Values::All(values) if whole >= *values => values * count_below(below, *step),
        Values::All(_) => whole * count_below(below, *step) + count_below(below, rest),
        Values::Runs(runs) => {
            let full: i64 = runs.iter().map(|(first, length)| (whole - first).clamp(0, *length)).sum();
            let last = runs.iter().any(|(first, length)| (*first..first + length).contains(&whole));
            full * count_below(below, *step) + if last { count_below(below, rest) } else { 0 }
        }
    }
}

/// One leaf itself, several as a tuple.
pub(crate) fn mode(leaves: &[Leaf]) -> Result<HTuple<Leaf>, Error> {
    if let [leaf] = leaves {
        return Ok(HTuple::leaf(*leaf));
    }
    let leaves: Vec<HTuple<Leaf>> = leaves.iter().map(|&leaf| HTuple::leaf(leaf)).collect();
    Ok(HTuple::tuple(&leaves)?)
}

//! The speed of the links along each axis of a mesh.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use crate::blocks::SubAxis;
use crate::error::Error;
use crate::mesh::Mesh;

/// The speed of the links along each axis of a mesh, in GB/s to a device: `node=50,gpu=900`.
///
/// Elements from a device that differs in several coordinates use the slowest of these links. The times of different
/// links are added, as if they were used one after another, and latency is ignored.
///
/// ```
/// use tilework_sharding::{Links, Mesh, Redistribution, Sharding};
/// let mesh = Mesh::parse("node=4,gpu=8")?;
/// let links = Links::parse(&mesh, "node=50,gpu=900")?;
/// let spec = |text| Sharding::from_partition_spec(&mesh, &[4096, 4096], text);
/// // One message after another would bring each GPU of a node the same elements from another node.
/// let plan = Redistribution::over(&spec("P(node, None)")?, &spec("P()")?, &links)?;
/// let steps: Vec<String> = plan.steps().unwrap().iter().map(ToString::to_string).collect();
/// assert_eq!(steps[1..], [
///     "all-gather along node: joins dimension 0",
///     "all-gather along gpu: joins dimension 0",
/// ]);
/// assert!(steps[0].starts_with("slice along gpu"));
/// # Ok::<(), tilework_sharding::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Links {
    speeds: Vec<i64>,
}

/// The speed of all links if none is given, so that time is proportional to bytes; also the highest valid speed.
const FASTEST: i64 = 1_000_000;

impl Links {
    /// Links of equal speed.
    pub(crate) fn equal(mesh: &Mesh) -> Links {
        Links { speeds: vec![FASTEST; mesh.axes().len()] }
    }

    /// Reads `x=50,y=900`, with each axis of the mesh once.
    ///
    /// # Errors
    /// [`Error::Text`], also for a speed below 1 or above 1,000,000 GB/s; [`Error::UnknownAxis`].
    pub fn parse(mesh: &Mesh, text: &str) -> Result<Links, Error> {
        let wrong =
            |expected, found: &str| Error::Text { form: "links", expected, found: found.trim().to_owned() };
        let mut speeds = vec![0; mesh.axes().len()];
        for part in text.split(',') {
            let speed = "an axis with its speed in GB/s such as `x=50`";
            let (name, own) = part.split_once('=').ok_or_else(|| wrong(speed, part))?;
            let axis = mesh.axis(name.trim())?;
            let own: i64 = own.trim().parse().map_err(|_| wrong(speed, part))?;
            if !(1..=FASTEST).contains(&own) {
                return Err(wrong("a speed of 1 to 1,000,000 GB/s", part));
            }
            if speeds[axis] != 0 {
                return Err(wrong("each axis once, and not again", part));
            }
            speeds[axis] = own;
        }
        match mesh.axes().iter().zip(&speeds).find(|(_, speed)| **speed == 0) {
            Some((axis, _)) => Err(wrong("the speed of each axis, also", axis.name())),
            None => Ok(Links { speeds }),
        }
    }

    /// The speed along an axis in GB/s.
    #[must_use]
    pub fn speed(&self, axis: usize) -> i64 {
        self.speeds[axis]
    }

    /// The time in nanoseconds that a device takes to receive elements of some bits, given as axes with numbers of
    /// elements.
    #[must_use]
    pub fn nanoseconds(&self, traffic: &[(usize, i64)], bits: i64) -> f64 {
        let one =
            |&(axis, elements): &(usize, i64)| elements as f64 * bits as f64 / 8.0 / self.speeds[axis] as f64;
        traffic.iter().map(one).fold(0.0, |all, own| all + own)
    }

    /// The same in arbitrary units, for exact comparison.
    pub(crate) fn cost(&self, traffic: &[(usize, i64)]) -> i128 {
        let one = |&(axis, elements): &(usize, i64)| i128::from(elements) * i128::from(self.weight(axis));
        traffic.iter().map(one).sum()
    }

    /// Whether all have equal speed, so that the fewest elements take the least time.
    pub(crate) fn are_equal(&self) -> bool {
        self.speeds.windows(2).all(|pair| pair[0] == pair[1])
    }

    fn weight(&self, axis: usize) -> i64 {
        FASTEST * FASTEST / self.speeds[axis]
    }

    /// The slowest of some axes.
    pub(crate) fn slowest(&self, axes: impl Iterator<Item = usize>) -> Option<usize> {
        axes.min_by_key(|&axis| (self.speeds[axis], axis))
    }

    /// The elements that a device receives over the links of each axis, if `whole` elements are distributed evenly
    /// along some parts of axes, without its own.
    pub(crate) fn spread(&self, parts: &[SubAxis], whole: i64) -> Vec<(usize, i64)> {
        let mut parts = parts.to_vec();
        tilework::__private::sort_by_key(&mut parts, |part| (self.speeds[part.axis], part.axis, part.weight));
        let (mut traffic, mut rest): (Vec<(usize, i64)>, i64) = (Vec::new(), whole);
        for part in parts {
            let near = rest / part.extent;
            match traffic.last_mut().filter(|(axis, _)| *axis == part.axis) {
                Some((_, elements)) => *elements += rest - near,
                None => traffic.push((part.axis, rest - near)),
            }
            rest = near;
        }
        traffic
    }
}

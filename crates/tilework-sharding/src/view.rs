//! Views without communication: reshapes, transpositions and slices of a sharded tensor on each device.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::error::Error;
use crate::sharding::{Digit, Owner, Sharding, merge};

const LOCAL: &str = "a view of each device's elements";

impl Sharding {
    /// The sharding of a row-major reshape that each device can do locally.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let heads = Sharding::from_partition_spec(&mesh, &[16, 64], "P(x, y)")?;
    /// assert_eq!(heads.reshape(&[16, 8, 8])?.to_partition_spec()?, "PartitionSpec('x', 'y', None)");
    /// // The rows of each device are apart in the joined dimension: PyTorch calls that `_StridedShard`.
    /// let joined = heads.reshape(&[1024])?;
    /// assert_eq!(joined.to_placements()?, "[Shard(0), _StridedShard(0, sf=8)]");
    /// let refusal = heads.reshape(&[16, 2, 32])?.reshape(&[32, 32])?.reshape(&[12, 12]).unwrap_err();
    /// assert_eq!(refusal.to_string(), "the numbers of elements differ: 1024 and 144");
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Different`] for a different number of elements; [`Error::Refinement`] if a block ends within a row of
    /// the new shape; [`Error::Inexpressible`] if a dimension is not divisible, or elements are not in the order of the
    /// tensor.
    pub fn reshape(&self, shape: &[i64]) -> Result<Sharding, Error> {
        let size = |shape: &[i64]| {
            shape.iter().try_fold(1i64, |all, &extent| all.checked_mul(extent.max(0))).unwrap_or(i64::MAX)
        };
        if size(shape) != size(self.shape()) {
            let (from, to) = (format!("{}", size(self.shape())), format!("{}", size(shape)));
            return Err(Error::Different { what: "the numbers of elements", from, to });
        }
        let mut line = Vec::new();
        let mut below = 1;
        for (dimension, &extent) in self.shape().iter().enumerate().rev() {
            self.in_order(dimension)?;
            let reached: i64 = self.digits()[dimension].iter().map(|digit| digit.extent).product();
            if reached != extent && self.shape()[..dimension].iter().any(|&slower| slower > 1) {
                let why = format!("blocks reach {reached} of {extent} elements");
                return Err(Error::Inexpressible {
                    form: LOCAL,
                    mode: format!("dimension {dimension}"),
                    why,
                });
            }
            line.extend(
                self.digits()[dimension].iter().map(|digit| Digit { stride: digit.stride * below, ..*digit }),
            );
            below *= extent;
        }
        let mut weight = 1;
        for digit in line.iter_mut().filter(|digit| digit.is_local()) {
            digit.owner = Owner::Local { weight };
            weight *= digit.extent;
        }
        merge(&mut line);
        let mut digits = vec![Vec::new(); shape.len()];
        let mut below = 1;
        for (dimension, &extent) in shape.iter().enumerate().rev() {
            let mut weight = 1;
            let slowest = shape[..dimension].iter().all(|&extent| extent == 1);
            let end = if slowest { i64::MAX } else { below * extent };
            while let Some(digit) = line.first_mut().filter(|digit| digit.stride < end) {
                let inner = (end / digit.stride).min(digit.extent);
                if inner < digit.extent && (end % digit.stride != 0 || digit.extent % inner != 0) {
                    return Err(Error::Refinement { dimension, from: digit.stride * digit.extent, to: end });
                }
                let mut own = Digit { extent: inner, stride: digit.stride / below, ..*digit };
                if own.is_local() {
                    own.owner = Owner::Local { weight };
                    weight *= inner;
                }
                digits[dimension].push(own);
                if inner == digit.extent {
                    line.remove(0);
                    continue;
                }
                if let Owner::Axis { weight, .. } = &mut digit.owner {
                    *weight *= inner;
                }
                (digit.extent, digit.stride) = (digit.extent / inner, digit.stride * inner);
            }
            below *= extent;
        }
        Sharding::from_digits(self.mesh(), shape, digits)?.owing(self.owed())
    }

    /// The sharding of the tensor with its dimensions in another order: dimension `i` is `order[i]` of this one.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=4")?;
    /// let sharding = Sharding::from_partition_spec(&mesh, &[16, 8], "P(x, y)")?;
    /// assert_eq!(sharding.transpose(&[1, 0])?.to_partition_spec()?, "PartitionSpec('y', 'x')");
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a wrong number of dimensions, and [`Error::NoDimension`] if the order is not a permutation.
    pub fn transpose(&self, order: &[usize]) -> Result<Sharding, Error> {
        let rank = self.shape().len();
        if order.len() != rank {
            return Err(Error::Rank { what: "the order", found: order.len(), expected: rank });
        }
        if let Some(missing) = (0..rank).find(|dimension| !order.contains(dimension)) {
            let index = order.iter().position(|&dimension| dimension >= rank).map_or(missing, |at| order[at]);
            return Err(Error::NoDimension { dimension: index as i64, rank });
        }
        let shape: Vec<i64> = order.iter().map(|&dimension| self.shape()[dimension]).collect();
        let digits = order.iter().map(|&dimension| self.digits()[dimension].clone()).collect();
        Sharding::from_digits(self.mesh(), &shape, digits)?.owing(self.owed())
    }

    /// The sharding of `begin .. end` of a dimension that no axis divides.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2")?;
    /// let sharding = Sharding::from_partition_spec(&mesh, &[16, 8], "P(x, None)")?;
    /// assert_eq!(sharding.slice(1, 2, 5)?.shape(), [16, 3]);
    /// assert_eq!(
    ///     sharding.slice(0, 2, 5).unwrap_err().to_string(),
    ///     "a view of each device's elements cannot say how dimension 0 is sharded: `x` divides it, so that 2 to 5 are not on each device"
    /// );
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if an axis divides the dimension; [`Error::Outside`] for indices outside it.
    pub fn slice(&self, dimension: usize, begin: i64, end: i64) -> Result<Sharding, Error> {
        let rank = self.shape().len();
        let Some(&extent) = self.shape().get(dimension) else {
            return Err(Error::Rank {
                what: "the dimension that is sliced, counted from 1,",
                found: dimension + 1,
                expected: rank,
            });
        };
        if begin < 0 || begin >= end || end > extent {
            let index = if begin < 0 || begin >= extent { begin } else { end };
            return Err(Error::Outside { dimension, index, extent });
        }
        if let Some(Owner::Axis { axis, .. }) = self.digits()[dimension]
            .iter()
            .map(|digit| digit.owner)
            .find(|owner| matches!(owner, Owner::Axis { .. }))
        {
            let why = format!(
                "`{}` divides it, so that {begin} to {end} are not on each device",
                self.mesh().axes()[axis].name()
            );
            return Err(Error::Inexpressible { form: LOCAL, mode: format!("dimension {dimension}"), why });
        }
        self.in_order(dimension)?;
        let mut shape = self.shape().to_vec();
        let mut digits = self.digits().to_vec();
        shape[dimension] = end - begin;
        digits[dimension] = vec![Digit { extent: end - begin, stride: 1, owner: Owner::Local { weight: 1 } }];
        Sharding::from_digits(self.mesh(), &shape, digits)?.owing(self.owed())
    }

    fn in_order(&self, dimension: usize) -> Result<(), Error> {
        if self.local_digits(dimension).windows(2).all(|pair| pair[0].stride < pair[1].stride) {
            return Ok(());
        }
        let why: String = "elements of a device are held in another order".to_owned();
        Err(Error::Inexpressible { form: LOCAL, mode: format!("dimension {dimension}"), why })
    }
}

//! The devices that hold each block of a vector or matrix.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::error::Error;
use crate::sharding::Sharding;

/// The blocks of a vector or matrix; the elements of a block are held by the same devices: see
/// [`Sharding::block_holders`].
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BlockHolders {
    /// The first index of each run of rows with the same devices, and one past the last.
    rows: Vec<i64>,
    columns: Vec<i64>,
    /// The devices of each block, rows by columns.
    holders: Vec<Vec<Vec<i64>>>,
    /// Whether there are more.
    #[cfg_attr(feature = "serde", serde(skip))]
    cut: bool,
}

/// The most blocks along a dimension.
const BLOCKS: i64 = 16;

/// The most devices.
const DEVICES: i64 = 64;

impl Sharding {
    /// The devices that hold each block of a vector or matrix, for the first 16 blocks along a dimension.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=2,y=2")?;
    /// let blocks = Sharding::parse(&mesh, &[8, 6], "P(x)")?.block_holders()?;
    /// assert_eq!((blocks.rows(), blocks.columns()), (&[0, 4, 8][..], &[0, 6][..]));
    /// assert_eq!(blocks.holders(), [[[0, 1]], [[2, 3]]]);
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Picture`] for other ranks, and for more than 64 devices; [`Error::Layout`] beyond the capacity of a
    /// layout.
    pub fn block_holders(&self) -> Result<BlockHolders, Error> {
        let none = Err(Error::Picture { devices: DEVICES });
        if self.mesh().size() > DEVICES {
            return none;
        }
        let (rows, columns) = match *self.shape() {
            [_] => (vec![0, 1], edges(self, 0)),
            [_, _] => (edges(self, 0), edges(self, 1)),
            _ => return none,
        };
        let is_vector = self.shape().len() == 1;
        let ends = |edges: &[i64], dimension: usize| edges[edges.len() - 1] == self.shape()[dimension];
        let cut = !ends(&columns, self.shape().len() - 1) || !is_vector && !ends(&rows, 0);
        let mut holders = Vec::new();
        for &row in &rows[..rows.len() - 1] {
            let mut along = Vec::new();
            for &column in &columns[..columns.len() - 1] {
                let coordinate = if is_vector { vec![column] } else { vec![row, column] };
                along.push(self.holders(&coordinate)?.numbers().collect());
            }
            holders.push(along);
        }
        Ok(BlockHolders { rows, columns, holders, cut })
    }

    /// The bytes that a device holds, for elements of some bits; if devices hold different numbers of elements, the
    /// most.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let mesh = Mesh::parse("x=4")?;
    /// assert_eq!(Sharding::parse(&mesh, &[10, 8], "P(x)")?.bytes(16)?, 48);
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`].
    pub fn bytes(&self, bits: i64) -> Result<i64, Error> {
        bytes(self.count(0).unwrap_or(0), bits)
    }
}

impl BlockHolders {
    /// The first index of each row of blocks, and one past the last; `[0, 1]` for a vector.
    #[must_use]
    pub fn rows(&self) -> &[i64] {
        &self.rows
    }

    /// The same along the other dimension.
    #[must_use]
    pub fn columns(&self) -> &[i64] {
        &self.columns
    }

    /// The indices of a row of blocks, such as `512..1023`.
    #[must_use]
    pub fn row(&self, row: usize) -> String {
        range(&self.rows[row..])
    }

    /// The same along the other dimension.
    #[must_use]
    pub fn column(&self, column: usize) -> String {
        range(&self.columns[column..])
    }

    /// The devices that hold each block, rows by columns.
    #[must_use]
    pub fn holders(&self) -> &[Vec<Vec<i64>>] {
        &self.holders
    }

    /// Whether there are more blocks.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut
    }
}

/// The bytes of some elements, rounded up.
///
/// # Errors
/// [`Error::Overflow`].
pub(crate) fn bytes(elements: i64, bits: i64) -> Result<i64, Error> {
    let too_many = || Error::Overflow { what: format!("{elements} elements of {bits} bits") };
    Ok((elements.checked_mul(bits).ok_or_else(too_many)? - 1).div_euclid(8) + 1)
}

/// The indices at which the devices change along a dimension, from 0.
fn edges(sharding: &Sharding, dimension: usize) -> Vec<i64> {
    let extent = sharding.shape()[dimension];
    let digits = &sharding.digits()[dimension];
    let block = digits.iter().find(|digit| !digit.is_local()).map_or(extent, |digit| digit.stride);
    let mut edges: Vec<i64> = (0..=BLOCKS).map(|i| i.saturating_mul(block).min(extent)).collect();
    edges.dedup();
    edges
}

/// Indices from an edge to the next.
fn range(edges: &[i64]) -> String {
    if edges[1] - edges[0] == 1 { edges[0].to_string() } else { format!("{}..{}", edges[0], edges[1] - 1) }
}

impl fmt::Display for BlockHolders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads: Vec<String> = self.columns.windows(2).map(range).collect();
        // A vector has no rows to name.
        let sides: Vec<String> =
            if self.rows == [0, 1] { vec![String::new()] } else { self.rows.windows(2).map(range).collect() };
        let text = |devices: &Vec<i64>| devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let cells: Vec<Vec<String>> = self.holders.iter().map(|row| row.iter().map(text).collect()).collect();
        let width =
            |i: usize| cells.iter().map(|row| row[i].len()).chain([heads[i].len()]).max().unwrap_or(0);
        let side = sides.iter().map(String::len).max().unwrap_or(0);
        write!(f, "{:side$}", "")?;
        for (i, head) in heads.iter().enumerate() {
            write!(f, "  {head:>width$}", width = width(i))?;
        }
        for (name, row) in sides.iter().zip(&cells) {
            write!(f, "\n{name:>side$}")?;
            for (i, cell) in row.iter().enumerate() {
                write!(f, "  {cell:>width$}", width = width(i))?;
            }
        }
        Ok(())
    }
}

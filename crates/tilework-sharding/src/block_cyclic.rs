//! ScaLAPACK's block-cyclic distribution.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::Error;
use crate::mesh::Mesh;
use crate::sharding::{Digit, Owner, Sharding};

const FORM: &str = "ScaLAPACK's descriptor";

impl Sharding {
    /// The matrix of ScaLAPACK's descriptor `[DTYPE, CTXT, M, N, MB, NB, RSRC, CSRC, LLD]` on a grid of two axes:
    /// blocks of `MB` rows and `NB` columns are distributed cyclically over the axes.
    ///
    /// ```
    /// use tilework_sharding::{Mesh, Sharding};
    /// let grid = Mesh::parse("row=2,col=3")?;
    /// let sharding = Sharding::from_scalapack(&grid, &[1, 0, 8, 12, 2, 2, 0, 0, 4])?;
    /// assert_eq!(sharding.to_string(), "((2,3),((2,2),(2,2))):((2@0,2@1),((1@0,4@0),(1@1,6@1)))");
    /// assert_eq!(sharding.to_scalapack(0)?, [1, 0, 8, 12, 2, 2, 0, 0, 4]);
    /// # Ok::<(), tilework_sharding::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] if the mesh does not have two axes; [`Error::Extent`] below 1; [`Error::Inexpressible`] for a
    /// dense descriptor that is not type 1, for a first block that is not on the first device, and for a leading
    /// dimension below the local rows.
    pub fn from_scalapack(grid: &Mesh, descriptor: &[i64; 9]) -> Result<Sharding, Error> {
        let [dense, _, rows, columns, row_block, column_block, row_source, column_source, leading] =
            *descriptor;
        if grid.axes().len() != 2 {
            return Err(Error::Rank { what: "the grid of processes", found: grid.axes().len(), expected: 2 });
        }
        let refused =
            |mode: &str, why| Err(Error::Inexpressible { form: "a layout", mode: String::from(mode), why });
        if dense != 1 {
            return refused(
                "the matrix",
                format!("its descriptor has the type {dense}, and dense matrices have 1"),
            );
        }
        if (row_source, column_source) != (0, 0) {
            return refused(
                "the matrix",
                format!("its first block is on process ({row_source},{column_source}), not on (0,0)"),
            );
        }
        let mut digits = Vec::new();
        for (axis, (extent, block)) in [(rows, row_block), (columns, column_block)].into_iter().enumerate() {
            if extent < 1 || block < 1 {
                return Err(Error::Extent {
                    what: "an extent or block of the matrix",
                    extent: extent.min(block),
                });
            }
            let devices = grid.axes()[axis].extent();
            let round = block
                .checked_mul(devices)
                .ok_or_else(|| Error::Overflow { what: String::from("the elements of a round of blocks") })?;
            digits.push(Vec::from([
                Digit { extent: block, stride: 1, owner: Owner::Local { weight: 1 } },
                Digit { extent: devices, stride: block, owner: Owner::Axis { axis, weight: 1 } },
                Digit {
                    extent: (extent - 1) / round + 1,
                    stride: round,
                    owner: Owner::Local { weight: block },
                },
            ]));
        }
        let sharding = Sharding::from_digits(grid, &[rows, columns], digits)?;
        let needed = sharding.count_along(0, &[0, 0]);
        if leading < needed {
            return refused(
                "the matrix",
                format!("its leading dimension is {leading}, and a process has up to {needed} rows"),
            );
        }
        Ok(sharding)
    }

    /// ScaLAPACK's descriptor in a context, for column-major local matrices without padding.
    ///
    /// # Errors
    /// [`Error::Rank`] for a tensor that is not a matrix and a mesh that is not a grid; [`Error::Inexpressible`] if
    /// axis 0 does not divide the rows into cyclic blocks, or axis 1 the columns, and if a reduction is pending.
    pub fn to_scalapack(&self, context: i64) -> Result<[i64; 9], Error> {
        let (rank, axes) = (self.shape().len(), self.mesh().axes().len());
        for (what, found) in [("ScaLAPACK's matrix", rank), ("the grid of processes", axes)] {
            if found != 2 {
                return Err(Error::Rank { what, found, expected: 2 });
            }
        }
        if self.owed().iter().any(Option::is_some) {
            let why = String::from("its elements are partial results of a reduction");
            return Err(Error::Inexpressible { form: FORM, mode: String::from("the matrix"), why });
        }
        let mut blocks = [0; 2];
        for (dimension, block) in blocks.iter_mut().enumerate() {
            let devices = self.mesh().axes()[dimension].extent();
            let refused =
                |why| Error::Inexpressible { form: FORM, mode: format!("dimension {dimension}"), why };
            let digits = &self.digits()[dimension];
            let device = |digit: &Digit| {
                digit.owner == Owner::Axis { axis: dimension, weight: 1 } && digit.extent == devices
            };
            let at = digits.iter().position(device);
            if at.is_none() && devices > 1 {
                return Err(refused(format!(
                    "its axis `{}` does not divide it",
                    self.mesh().axes()[dimension].name()
                )));
            }
            *block = at.map_or(self.shape()[dimension], |at| digits[at].stride);
            let local: i64 = digits.iter().filter(|digit| digit.is_local()).count() as i64;
            let ordered = self.local_digits(dimension).windows(2).all(|pair| pair[0].stride < pair[1].stride);
            if digits.len() as i64 - local > 1 || local > 2 || !ordered {
                return Err(refused(String::from("blocks do not go round one axis in order")));
            }
        }
        let [rows, columns] = [self.shape()[0], self.shape()[1]];
        Ok([1, context, rows, columns, blocks[0], blocks[1], 0, 0, self.count_along(0, &[0, 0])])
    }
}

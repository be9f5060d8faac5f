//! Instructions that multiply small matrices, as the kernels of products use them.
//!
//! A step of a packed panel has `DEPTH` elements of each row side by side, row after row: the register order of the instruction.

use super::vector::Vector;

pub(crate) mod mmla;

/// A tile of sums, computed by an instruction that multiplies small matrices.
///
/// # Safety
/// As for [`Vector`].
pub(crate) trait Matrices {
    /// A register of sums.
    type Sums: Vector;
    /// Rows of a panel of `A`: the lanes of a column of sums.
    const ROWS: usize;

    /// Writes the sums of `MV` vectors of rows by all columns; each column has `ROWS` lanes at `sums`.
    ///
    /// # Safety
    /// `a` and `b` are valid for reads of `steps` steps of their panels, `sums` for writes of all columns.
    unsafe fn multiply<const MV: usize>(
        steps: usize,
        a: *const <Self::Sums as Vector>::Scalar,
        b: *const <Self::Sums as Vector>::Scalar,
        sums: *mut <Self::Sums as Vector>::Scalar,
    );
}

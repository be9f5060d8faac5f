//! From layouts to tables: the offsets of each operand of a product.

use crate::error::Error;
use crate::gathered::Summed;
use crate::matmul::tile::axis::Axis;

/// An operand of a product: the offsets of the elements of its matrices.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub rows: Axis,
    pub cols: Axis,
    /// The offset at which each matrix of the batch begins, one if there is no batch; empty if they are kept elsewhere.
    pub batch: Vec<isize>,
}

impl Matrix {
    /// The tables of an operand of two modes or, with a batch, three.
    pub(crate) fn new(Summed { layout, start, .. }: &Summed) -> Result<Matrix, Error> {
        let mut batch = if layout.rank() == 3 { Axis::of(&layout.mode(2)?)?.offsets } else { vec![0] };
        batch.iter_mut().for_each(|offset| *offset = offset.wrapping_add(*start as isize));
        Ok(Matrix { rows: Axis::of(&layout.mode(0)?)?, cols: Axis::of(&layout.mode(1)?)?, batch })
    }

    /// The tables of its rows and of its columns.
    pub(crate) fn tables(&self) -> [&Axis; 2] {
        [&self.rows, &self.cols]
    }

    /// A matrix of a batch whose start offsets are kept elsewhere.
    pub(crate) fn of_axes(rows: Axis, cols: Axis) -> Matrix {
        Matrix { rows, cols, batch: Vec::new() }
    }
}

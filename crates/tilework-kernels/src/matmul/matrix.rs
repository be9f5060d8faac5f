//! From layouts to tables: the offsets of each operand of a product.

use super::axis::Axis;
use crate::error::{Error, check_image};
use crate::gathered::{self, Gathered};
use crate::offset_layout::OffsetLayout;

/// An operand of a product: the offsets of the elements of its matrices.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub rows: Axis,
    pub cols: Axis,
    /// The offset at which each matrix of the batch begins, one if there is no batch.
    pub batch: Vec<isize>,
    /// The smallest and the largest offset.
    pub image: (i64, i64),
    /// The offsets of a copy, if they are not sums of row and column. Then `rows` and `cols` are those of the
    /// contiguous matrix into which the elements are gathered.
    pub gathered: Gathered,
}

impl Matrix {
    /// The tables of an operand that is read as `modes`.
    pub(crate) fn new(
        operand: &'static str,
        modes: &'static str,
        placed: &OffsetLayout,
    ) -> Result<Matrix, Error> {
        let shape = placed.layout().layout();
        if !matches!(shape.rank(), 2 | 3) {
            return Err(Error::Rank { operand, modes, found: shape.rank() });
        }
        let Some((start, layout)) = placed.as_integer_layout() else {
            return Matrix::by_evaluation(placed);
        };
        let mut batch = if layout.rank() == 3 { Axis::of(&layout.mode(2)?)?.offsets } else { vec![0] };
        batch.iter_mut().for_each(|offset| *offset = offset.wrapping_add(start as isize));
        let (rows, cols) = (Axis::of(&layout.mode(0)?)?, Axis::of(&layout.mode(1)?)?);
        Ok(Matrix { rows, cols, batch, image: placed.image()?, gathered: Gathered::default() })
    }

    /// The tables for offsets that are any function of the coordinates.
    fn by_evaluation(placed: &OffsetLayout) -> Result<Matrix, Error> {
        let extent = |mode| Ok::<_, Error>(placed.layout().layout().mode(mode)?.size() as usize);
        let (m, k) = (extent(0)?, extent(1)?);
        let all = gathered::evaluated(placed)?;
        let image = gathered::image(&all);
        let rows = Axis::new(all[..m].iter().map(|at| at - all[0]).collect());
        let cols = Axis::new(all[..m * k].iter().step_by(m).map(|at| at - all[0]).collect());
        let batch: Vec<isize> = all.iter().step_by(m * k).copied().collect();
        let sum = |(i, at): (usize, &isize)| {
            let sum = rows.offsets[i % m] + cols.offsets[i / m % k] + batch[i / (m * k)];
            *at == sum
        };
        if all.iter().enumerate().all(sum) {
            return Ok(Matrix { rows, cols, batch, image, gathered: Gathered::default() });
        }
        let batch = (0..batch.len()).map(|l| (l * m * k) as isize).collect();
        let (rows, cols) = (Axis::strided(m, 1), Axis::strided(k, m as isize));
        Ok(Matrix { rows, cols, batch, image, gathered: Gathered::new(all) })
    }

    /// A matrix of a batch whose start offsets are kept elsewhere.
    pub(crate) fn of_axes(rows: Axis, cols: Axis) -> Matrix {
        Matrix { rows, cols, batch: Vec::new(), image: (0, 0), gathered: Gathered::default() }
    }

    /// Refuses data that does not contain all offsets.
    #[inline(always)]
    pub(crate) fn check_image(&self, operand: &'static str, len: usize) -> Result<(), Error> {
        check_image(operand, self.image, len)
    }
}

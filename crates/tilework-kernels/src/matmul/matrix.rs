//! From layouts to tables: what each operand of a product is made of.

use super::axis::{Axis, reserve};
use crate::error::Error;
use crate::offset_layout::OffsetLayout;
use tilework::Layout;

/// An operand of a product: the offsets of the elements of its matrices.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub rows: Axis,
    pub cols: Axis,
    /// The offset at which each matrix of the batch begins, one if there is no batch.
    pub batch: Vec<isize>,
    /// The smallest and the largest offset.
    pub image: (i64, i64),
    /// `Some` if offsets do not separate into row + column: every offset, in index order. Then `rows` and `cols` are those
    /// of the contiguous matrix that its elements are gathered into.
    pub all: Option<Vec<isize>>,
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
            return Matrix::by_evaluation(shape, |index| placed.at(index));
        };
        let mut batch = if layout.rank() == 3 { Axis::of(&layout.mode(2)?)?.offsets } else { vec![0] };
        batch.iter_mut().for_each(|offset| *offset = offset.wrapping_add(start as isize));
        let (rows, cols) = (Axis::of(&layout.mode(0)?)?, Axis::of(&layout.mode(1)?)?);
        Ok(Matrix { rows, cols, batch, image: placed.image()?, all: None })
    }

    /// The tables of any function of the coordinates of a layout.
    fn by_evaluation(shape: &Layout, offset: impl Fn(i64) -> i64) -> Result<Matrix, Error> {
        let extent = |mode| Ok::<_, Error>(shape.mode(mode)?.size() as usize);
        let (m, k) = (extent(0)?, extent(1)?);
        let mut all = reserve(shape.size())?;
        all.extend((0..shape.size()).map(|index| offset(index) as isize));
        let image = all
            .iter()
            .fold((i64::MAX, i64::MIN), |(low, high), &at| (low.min(at as i64), high.max(at as i64)));
        let rows = Axis::new(all[..m].iter().map(|at| at - all[0]).collect());
        let cols = Axis::new(all[..m * k].iter().step_by(m).map(|at| at - all[0]).collect());
        let batch: Vec<isize> = all.iter().step_by(m * k).copied().collect();
        let sum = |(i, at): (usize, &isize)| {
            let sum = rows.offsets[i % m] + cols.offsets[i / m % k] + batch[i / (m * k)];
            *at == sum
        };
        if all.iter().enumerate().all(sum) {
            return Ok(Matrix { rows, cols, batch, image, all: None });
        }
        let batch = (0..batch.len()).map(|l| (l * m * k) as isize).collect();
        let (rows, cols) = (Axis::strided(m, 1), Axis::strided(k, m as isize));
        Ok(Matrix { rows, cols, batch, image, all: Some(all) })
    }

    /// Refuses data that does not hold all offsets.
    #[inline(always)]
    pub(crate) fn check_image(&self, operand: &'static str, len: usize) -> Result<(), Error> {
        let (min, max) = self.image;
        let inside = min >= 0 && usize::try_from(max).is_ok_and(|max| max < len);
        if inside { Ok(()) } else { Err(Error::Image { operand, min, max, len }) }
    }
}

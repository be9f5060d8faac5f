//! How panels are packed and tiles are written: what vectors read or write at once.

use super::axis::Axis;
use std::fmt;

/// What vectors read or write at once, of memory with two tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// Contiguous rows, or pieces of them.
    Rows,
    /// Rows that are 2 to 4 elements apart.
    RowsApart(isize),
    /// Contiguous steps.
    Steps,
    /// Panels that the operand yields: contiguous rows of one, or squares of its steps.
    Panels,
    /// Elements, one by one.
    Elements,
}

impl Packing {
    /// For vectors that read this many rows, or squares of this many steps; `permutes` if they access elements that are apart.
    pub(crate) fn new([rows, steps]: [&Axis; 2], vector: usize, square: usize, permutes: bool) -> Packing {
        let vector = vector.min(rows.len());
        if rows.len() > 1 && rows.longest() as usize >= vector {
            Packing::Rows
        } else if let Some(by) = rows.apart().filter(|_| permutes) {
            Packing::RowsApart(by)
        } else if steps.longest() as usize >= square {
            Packing::Steps
        } else if 2 * rows.runs_count() <= rows.len() {
            Packing::Rows
        } else {
            Packing::Elements
        }
    }

    /// For rows of `C`.
    pub(crate) fn of_rows(permutes: bool, rows: &Axis) -> Packing {
        match rows.apart().filter(|_| permutes) {
            Some(by) => Packing::RowsApart(by),
            None if rows.longest() > 1 => Packing::Rows,
            None => Packing::Elements,
        }
    }
}

impl fmt::Display for Packing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Packing::Rows => f.write_str("vectors, since its rows are contiguous or in pieces"),
            Packing::RowsApart(by) => {
                write!(f, "vectors permuted in registers, since its rows are {by} apart")
            }
            Packing::Steps => f.write_str("squares transposed in registers, since its steps are contiguous"),
            Packing::Panels => f.write_str("from its lines, with zeros for the padding"),
            Packing::Elements => f.write_str("element by element, since too few are contiguous"),
        }
    }
}

//! Products without blocks: tile after tile, from operands that kernels read in place.

use super::matrix::Matrix;
use crate::matmul::tile::axis::{Axis, equal_part};
use crate::matmul::tile::element::Format;
use crate::matmul::tile::packing::Packing;
use std::ops::Range;

/// The strides of operands that are read in place, and the tiles of `C`: all rows by all columns. They are tables, because divisions
/// would take as long as a product of 8 by 8.
#[derive(Clone, Debug)]
pub(crate) struct Small {
    pub a_k: isize,
    pub b_n: isize,
    pub b_k: isize,
    /// How `A` is packed, if its rows are not contiguous.
    pub packing: Option<Packing>,
    /// How tiles of `C`, which are computed elsewhere, are written, if its rows are not contiguous.
    pub writing: Option<Packing>,
    pub rows: Vec<Rows>,
    pub columns: Vec<Columns>,
}

/// The rows of some tiles.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    /// The first one, and its offset in `A`.
    pub first: usize,
    pub a: usize,
    /// How many, their vectors - 1, and the lanes of the last vector.
    pub height: usize,
    pub vectors: usize,
    pub tail: usize,
}

/// The columns of some tiles.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    /// The first one, and its offset in `B`.
    pub first: usize,
    pub b: isize,
    /// How many - 1.
    pub width: usize,
}

impl Small {
    /// The plan, if `B` has one stride along each axis.
    pub(crate) fn of(format: &Format, a: &Matrix, b: &Matrix, c: &Matrix) -> Option<Small> {
        let (m, n) = (a.rows.len(), b.rows.len());
        let in_columns = |axis: &Axis| axis.is_run(0, axis.len());
        let strides = [b.rows.stride?, b.cols.stride?];
        let (a_k, packing) = match a.cols.stride {
            Some(a_k) if in_columns(&a.rows) => (a_k, None),
            _ if m == 1 || n == 1 => return None,
            _ => (format.mr as isize, Some(format.packing([&a.rows, &a.cols], format.mr))),
        };
        let writing = (!in_columns(&c.rows)).then(|| format.writing(&c.rows));
        let small = Small::of_tiles(format, [m, n], strides, |_, row| row);
        Some(Small { a_k, packing, writing, ..small })
    }

    /// The same for `k` steps of packed panels of `A`, for the distances between the columns and the steps of `B`, and contiguous rows
    /// of `C`.
    pub(crate) fn of_panels(format: &Format, [m, n, k]: [usize; 3], b: [isize; 2]) -> Small {
        Small::of_tiles(format, [m, n], b, |panel, _| panel * format.mr * k)
    }

    /// The tiles; `place` gives the offset in `A` of a panel and its first row.
    fn of_tiles(
        format: &Format,
        [m, n]: [usize; 2],
        [b_n, b_k]: [isize; 2],
        place: impl Fn(usize, usize) -> usize,
    ) -> Small {
        let tall = m.div_ceil(format.mr);
        let rows = |panel| {
            // A tile of one vector has too few sums to hide their latency.
            let rows = equal_part(m, format.lanes, tall, panel);
            let (first, height) = (rows.start, rows.len());
            let vectors = height.div_ceil(format.lanes) - 1;
            Rows { first, a: place(panel, first), height, vectors, tail: height - vectors * format.lanes }
        };
        let rows: Vec<Rows> = (0..tall).map(rows).collect();
        let widest = rows.iter().map(|rows| format.widest[rows.vectors]).min().unwrap_or(1);
        let wide = n.div_ceil(widest);
        let columns = |part| {
            let columns = equal_part(n, 1, wide, part);
            let first = columns.start;
            Columns { first, b: first as isize * b_n, width: columns.len() - 1 }
        };
        let columns = (0..wide).map(columns).collect();
        Small { a_k: format.mr as isize, b_n, b_k, packing: None, writing: None, rows, columns }
    }

    /// All tiles.
    #[inline(always)]
    pub(crate) fn all(&self) -> [Range<usize>; 2] {
        [0..self.rows.len(), 0..self.columns.len()]
    }

    /// Whether kernels read `A` and write `C` in place too.
    #[inline(always)]
    pub(crate) fn is_in_place(&self) -> bool {
        self.packing.is_none() && self.writing.is_none()
    }
}

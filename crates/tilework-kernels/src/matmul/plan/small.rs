//! Products so small that packing costs more than it saves, or whose operands fit the second cache: the kernels read the
//! operands in place.

use super::matrix::Matrix;
use crate::cpu::cache::Caches;
use crate::matmul::tile::axis::{Axis, equal_part};
use crate::matmul::tile::element::Format;
use crate::matmul::tile::packing::Packing;
use crate::tuning::LINE;
use crate::tuning::matmul::{NEAR_ELEMENTS, NEAR_STEPS, PAGE, SMALL, SMALL_BY_VECTOR, TILES_OF_COLUMNS};
use tilework::__private::gcd;

/// The strides of operands that are read in place, and the tiles of `C`.
#[derive(Clone, Debug)]
pub(crate) struct Small {
    pub a_k: isize,
    pub b_n: isize,
    pub b_k: isize,
    /// How `A` is packed, if its rows are not contiguous.
    pub packing: Option<Packing>,
    /// How tiles of `C`, which are computed elsewhere, are written, if its rows are not contiguous.
    pub writing: Option<Packing>,
    /// Whether it is worth dividing among threads.
    pub divisible: bool,
    /// Ordered by first row. A table, because divisions would take as long as a product of 8 by 8.
    pub parts: Vec<Part>,
}

/// A tile of `C`.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Its first row and column, and their offsets in `A` and in `B`.
    pub row: usize,
    pub col: usize,
    pub a: usize,
    pub b: isize,
    /// The rows, their vectors - 1, the lanes of the last vector, the columns - 1.
    pub height: usize,
    pub vectors: usize,
    pub tail: usize,
    pub width: usize,
}

impl Small {
    /// The plan without packed panels, if there is one: the product is small, and `B` has one stride along each axis.
    ///
    /// Larger ones count as small if `A`, `B` and `C` each fit the second cache and the strides of `A` and `B` are
    /// small: then reading them in place costs less than packing them.
    pub(crate) fn new(format: &Format, caches: Caches, a: &Matrix, b: &Matrix, c: &Matrix) -> Option<Small> {
        let (m, n, k) = (a.rows.len(), b.rows.len(), a.cols.len());
        let most = if m == 1 || n == 1 { SMALL_BY_VECTOR } else { SMALL };
        let whole = m.saturating_mul(n).saturating_mul(k) <= most;
        let largest = m.max(n).saturating_mul(k.max(m.min(n)));
        let fits = m.min(n) > 1 && largest.saturating_mul(format.bytes) <= caches.second;
        if !format.is_sum || !whole && !fits {
            return None;
        }
        let small = Small::of(format, a, b, c)?;
        let near = |step: isize| step.unsigned_abs() <= NEAR_STEPS;
        let few = |stride: isize| stride.unsigned_abs() <= NEAR_ELEMENTS;
        // Lines of steps that are pages apart evict each other, except in contiguous columns of `B`, where the next columns
        // use the same line of each step.
        let page = |step: isize| step.unsigned_abs() * format.bytes < PAGE;
        let steps_are_near = small.b_n == 1 && near(small.b_k) || few(small.b_n) && page(small.b_k);
        // Both operands are then read from the second cache: a tile reads as many lines for fewer products if it is smaller.
        let bytes_of_b = k.saturating_mul(small.b_k.unsigned_abs()) * format.bytes;
        let tile = format.mr * format.nr * format.bytes;
        let columns = steps_are_near && k * LINE <= caches.first / 2 && bytes_of_b <= TILES_OF_COLUMNS * tile;
        // The lines of a panel of `A` must not fill all their sets of the second cache, of which they meet one every `apart` bytes.
        let step = (small.a_k.unsigned_abs() * format.bytes).max(1);
        let apart = gcd(step as u64, (caches.second / caches.ways) as u64) as usize;
        let a_is_near = near(small.a_k) && k.saturating_mul(apart) < caches.second;
        let in_place = a_is_near && (columns || few(small.b_k) && near(small.b_n));
        (whole || in_place).then_some(Small { divisible: !whole, ..small })
    }

    /// The same for a product of any size.
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
        let mut parts = Vec::new();
        let tall = m.div_ceil(format.mr);
        for panel in 0..tall {
            // A tile of one vector has too few sums to hide their latency.
            let rows = equal_part(m, format.lanes, tall, panel);
            let (row, height) = (rows.start, rows.len());
            let a = place(panel, row);
            let vectors = height.div_ceil(format.lanes) - 1;
            let tail = height - vectors * format.lanes;
            let wide = n.div_ceil(format.widest[vectors]);
            parts.extend((0..wide).map(|part| {
                let cols = equal_part(n, 1, wide, part);
                let (col, b, width) = (cols.start, cols.start as isize * b_n, cols.len() - 1);
                Part { row, col, a, b, height, vectors, tail, width }
            }));
        }
        let a_k = format.mr as isize;
        Small { a_k, b_n, b_k, packing: None, writing: None, divisible: false, parts }
    }

    /// Whether kernels read `A` and write `C` in place too.
    #[inline(always)]
    pub(crate) fn is_in_place(&self) -> bool {
        self.packing.is_none() && self.writing.is_none()
    }
}

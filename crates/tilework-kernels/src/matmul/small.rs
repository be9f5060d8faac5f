//! Products so small that packing costs more than it saves, or whose operands fit the second cache: the kernels read the
//! operands in place.

use super::axis::{Axis, equal_part};
use super::call::Call;
use super::element::{DestinationKernels, Format, Kernels, PutFn};
use super::kernel::{MAX_COLUMNS, Tile};
use super::matrix::Matrix;
use super::plan::Packing;
use super::prefetcher::Prefetcher;
use super::scratch::Scratch;
use crate::cpu::cache::Caches;
use crate::matmul::element::{Element, Sum};
use crate::tuning::matmul::{NEAR_ELEMENTS, NEAR_STEPS, PAGE, SMALL, SMALL_BY_VECTOR, TILES_OF_COLUMNS};
use crate::tuning::{LARGE_CACHE, LINE};
use tilework::__private::gcd;

/// The strides of operands that are read in place, and the tiles of `C`.
#[derive(Clone, Debug)]
pub(crate) struct Small {
    a_k: isize,
    b_n: isize,
    b_k: isize,
    /// How `A` is packed, if its rows are not contiguous.
    pub packing: Option<Packing>,
    /// How tiles of `C`, which are computed elsewhere, are written, if its rows are not contiguous.
    pub writing: Option<Packing>,
    /// Whether it is worth dividing among threads.
    pub divisible: bool,
    /// Ordered by first row. A table, because divisions would take as long as a product of 8 by 8.
    parts: Vec<Part>,
}

/// A tile of `C`.
#[derive(Clone, Debug)]
struct Part {
    /// Its first row and column, and their offsets in `A` and in `B`.
    row: usize,
    col: usize,
    a: usize,
    b: isize,
    /// The rows, their vectors - 1, the lanes of the last vector, the columns - 1.
    height: usize,
    vectors: usize,
    tail: usize,
    width: usize,
}

/// Memory for a tile of `C`, and how it is written from there.
struct Corner<S> {
    sums: *mut S,
    columns: [isize; MAX_COLUMNS],
    writing: Packing,
    put: PutFn<S, S>,
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
        let fast = caches.second < LARGE_CACHE || bytes_of_b <= TILES_OF_COLUMNS * tile;
        let columns = steps_are_near && k * LINE <= caches.first / 2 && fast;
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
            _ => (format.mr as isize, Some(Packing::new(format, [&a.rows, &a.cols], format.mr))),
        };
        let writing = (!in_columns(&c.rows)).then(|| Packing::of_rows(format.permutes, &c.rows));
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
            let wide = n.div_ceil(format.widest(vectors + 1, b_k));
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
    pub(crate) fn is_in_place(&self) -> bool {
        self.packing.is_none() && self.writing.is_none()
    }

    /// How many tiles there are.
    pub(crate) fn tile_count(&self) -> usize {
        self.parts.len()
    }

    /// `C = alpha A B + beta C`, for the matrices `A` and `C`. `ahead` is prefetched meanwhile.
    ///
    /// # Safety
    /// The matrices are those of the plan, the pointers are valid for all their offsets, and nothing else accesses `C`.
    /// The processor has the instructions of the kernels.
    #[inline(always)]
    pub(crate) unsafe fn run<T: Element>(
        &self,
        kernels: &Kernels<T::Sum>,
        of: [&Matrix; 2],
        call: Call<T, T::Sum>,
        ahead: &mut [Prefetcher],
    ) {
        // SAFETY: the contract of `run` is that of `run_staged` and of `tiles`.
        unsafe {
            if self.is_in_place() {
                self.tiles(kernels, of, call, None, None, ahead);
            } else {
                self.run_staged(kernels, of, call, ahead);
            }
        }
    }

    /// The same if `A` is packed or tiles of `C` are computed elsewhere.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    #[inline(never)]
    unsafe fn run_staged<T: Element>(
        &self,
        kernels: &Kernels<T::Sum>,
        of: [&Matrix; 2],
        call: Call<T, T::Sum>,
        ahead: &mut [Prefetcher],
    ) {
        let mut scratch = Scratch::take();
        let [panel, corner] = scratch.parts::<T::Sum, 2>([
            self.packing.map_or(0, |_| kernels.mr * (of[0].cols.len() + 1)),
            self.writing.map_or(0, |_| kernels.mr * MAX_COLUMNS),
        ]);
        let corner = self.writing.map(|writing| Corner {
            sums: corner.as_mut_ptr(),
            columns: std::array::from_fn(|j| (j * kernels.mr) as isize),
            writing,
            put: T::Sum::put(kernels.isa),
        });
        let (panel, corner) = (self.packing.map(|packing| (panel, packing)), corner.as_ref());
        // SAFETY: the contract of this function is that of `tiles`, and the panel and the corner have room.
        unsafe { self.tiles(kernels, of, call, panel, corner, ahead) };
        scratch.give_back();
    }

    /// All tiles, with a panel if `A` is packed, and a corner if tiles of `C` are computed elsewhere.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    #[inline(always)]
    unsafe fn tiles<T: Element>(
        &self,
        kernels: &Kernels<T::Sum>,
        [of_a, of_c]: [&Matrix; 2],
        call: Call<T, T::Sum>,
        mut panel: Option<(&mut [T::Sum], Packing)>,
        corner: Option<&Corner<T::Sum>>,
        ahead: &mut [Prefetcher],
    ) {
        let Call { alpha, a, b, beta, c } = call;
        // With `alpha` 0, `A` and `B` are not read.
        let k = if alpha == T::Sum::ZERO { 0 } else { of_a.cols.len() };
        let direct = kernels.direct(self.b_k);
        let lanes = kernels.lanes as isize;
        let mut tile = Tile {
            k,
            a: a.cast(),
            a_k: self.a_k,
            b: b.cast(),
            b_n: self.b_n,
            b_k: self.b_k,
            begin: std::ptr::null(),
            prefetches: false,
            panel: std::ptr::null_mut(),
            c,
            c_m: [0, lanes, 2 * lanes, 3 * lanes],
            c_n: of_c.cols.offsets.as_ptr(),
            columns: 0,
            tail: 0,
            alpha,
            beta,
            ahead,
        };
        for part in &self.parts {
            match &mut panel {
                None => tile.a = a.cast::<T::Sum>().wrapping_add(part.a),
                Some((panel, packing)) if part.col == 0 && k > 0 => {
                    let rows = of_a.rows.part(part.row..part.row + part.height);
                    let pack = T::packers(kernels.isa).a.strided;
                    // SAFETY: the panel has room, and `a` is valid for all offsets of the matrix.
                    unsafe { pack(a, rows, of_a.cols.part(0..k), *packing, 1, panel.as_mut_ptr()) };
                    tile.a = panel.as_ptr();
                }
                Some(_) => {}
            }
            tile.b = b.cast::<T::Sum>().wrapping_offset(part.b);
            tile.tail = part.tail;
            let (kernel, cols) = (direct[part.vectors][part.width], &of_c.cols.offsets[part.col..]);
            // SAFETY: the tile is within the operands, whose pointers are valid for all their offsets, or in the corner.
            unsafe {
                let Some(Corner { sums, columns, writing, put }) = corner else {
                    (tile.c, tile.c_n) = (c.wrapping_add(part.row), cols.as_ptr());
                    kernel(&tile);
                    continue;
                };
                (tile.c, tile.c_n) = (*sums, columns.as_ptr());
                (tile.alpha, tile.beta) = (T::Sum::ONE, T::Sum::ZERO);
                kernel(&tile);
                let rows = of_c.rows.part(part.row..part.row + part.height);
                put(c, rows, *writing, &cols[..=part.width], *sums, kernels.mr, alpha, beta);
            }
        }
    }
}

//! Products without blocks: tile after tile, panel of `A` by panel of `A`.

use super::operand::Call;
use super::scratch::Scratch;
use crate::matmul::plan::matrix::Matrix;
use crate::matmul::plan::small::Small;
use crate::matmul::tile::element::{DestinationKernels, Element, Kernels, PutFn, Sum};
use crate::matmul::tile::kernel::{MAX_COLUMNS, Tile};
use crate::matmul::tile::packing::Packing;
use crate::matmul::tile::prefetcher::Prefetcher;
use std::ops::Range;

/// Memory for a tile of `C`, and how it is written from there.
struct Corner<S> {
    sums: *mut S,
    columns: [isize; MAX_COLUMNS],
    writing: Packing,
    put: PutFn<S, S>,
}

/// A panel if `A` is packed, and a corner if tiles of `C` are computed elsewhere.
struct Stage<'a, S> {
    panel: Option<(&'a mut [S], Packing)>,
    corner: Option<&'a Corner<S>>,
}

impl Small {
    /// `C = alpha A B + beta C` at some tiles, for the matrices `A` and `C`. `ahead` is prefetched meanwhile.
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
        tiles: [Range<usize>; 2],
        ahead: &mut [Prefetcher],
    ) {
        // SAFETY: the contract of `run` is that of `run_staged` and of `run_tiles`.
        unsafe {
            if self.is_in_place() {
                self.run_tiles(kernels, of, call, tiles, Stage { panel: None, corner: None }, ahead);
            } else {
                self.run_staged(kernels, of, call, tiles, ahead);
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
        tiles: [Range<usize>; 2],
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
        // SAFETY: the contract of this function is that of `run_tiles`, and the panel and the corner have room.
        unsafe { self.run_tiles(kernels, of, call, tiles, Stage { panel, corner }, ahead) };
        scratch.give_back();
    }

    /// The same with what is staged.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    #[inline(always)]
    unsafe fn run_tiles<T: Element>(
        &self,
        kernels: &Kernels<T::Sum>,
        [of_a, of_c]: [&Matrix; 2],
        call: Call<T, T::Sum>,
        [rows, columns]: [Range<usize>; 2],
        Stage { mut panel, corner }: Stage<T::Sum>,
        ahead: &mut [Prefetcher],
    ) {
        let Call { alpha, a, b, beta, c } = call;
        // With `alpha` 0, `A` and `B` are not read.
        let k = if alpha == T::Sum::ZERO { 0 } else { of_a.cols.len() };
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
            c,
            c_m: [0, lanes, 2 * lanes, 3 * lanes],
            c_n: of_c.cols.offsets.as_ptr(),
            columns: 0,
            tail: 0,
            alpha,
            beta,
            ahead,
        };
        for of_rows in &self.rows[rows] {
            let rows = of_rows.first..of_rows.first + of_rows.height;
            tile.tail = of_rows.tail;
            tile.a = match &mut panel {
                None => a.cast::<T::Sum>().wrapping_add(of_rows.a),
                Some((panel, packing)) => {
                    let (rows, steps) = (of_a.rows.part(rows.clone()), of_a.cols.part(0..k));
                    let packer = T::packers(kernels.isa).a;
                    // SAFETY: the panel has room, and `a` is valid for all offsets of the matrix.
                    unsafe { (packer.strided)(&packer, a, rows, steps, *packing, 1, panel.as_mut_ptr()) };
                    panel.as_ptr()
                }
            };
            for of_columns in &self.columns[columns.clone()] {
                tile.b = b.cast::<T::Sum>().wrapping_offset(of_columns.b);
                tile.columns = of_columns.width + 1;
                let kernel = kernels.direct[of_rows.vectors][of_columns.width];
                let cols = &of_c.cols.offsets[of_columns.first..];
                // SAFETY: the tile is within the operands, whose pointers are valid for all their offsets, or in the corner.
                unsafe {
                    let Some(Corner { sums, columns, writing, put }) = corner else {
                        (tile.c, tile.c_n) = (c.wrapping_add(of_rows.first), cols.as_ptr());
                        kernel(&tile);
                        continue;
                    };
                    (tile.c, tile.c_n) = (*sums, columns.as_ptr());
                    (tile.alpha, tile.beta) = (T::Sum::ONE, T::Sum::ZERO);
                    kernel(&tile);
                    let (rows, cols) = (of_c.rows.part(rows.clone()), &cols[..tile.columns]);
                    put(c, rows, *writing, cols, *sums, kernels.mr, [alpha, beta]);
                }
            }
        }
    }
}

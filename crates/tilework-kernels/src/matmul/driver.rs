//! The five loops around the micro-kernel: blocks of `B` for the third cache, of `A` for the second, panels of both for
//! the first, tiles of `C` for the registers.
//!
//! ```text
//! for each block of columns (blocks.n)
//!   for each block of steps (blocks.k)         B's block is packed: panels of nr columns
//!     for each block of rows (blocks.m)        A's block is packed: panels of mr rows
//!       for each panel of B
//!         for each panel of A                  a tile of C: mr by nr
//! ```
//!
//! The innermost two loops are swapped where all panels of `B` fit the first cache. An operand that is used only a few
//! times is not packed, if vectors can be read in place.

use super::axis::{Axis, equal_part};
use super::element::{Kernels, Packer, SumKernels};
use super::gemv;
use super::kernel::{MAX_MV, Tile};
use super::operand::{Source, Strided};
use super::prefetcher::Prefetcher;
use super::product::Product;
use super::scratch::Scratch;
use crate::error::Error;
use crate::execution::{Counter, Execution};
use crate::loops::nest::part_of;
use crate::matmul::blocks::{Blocks, FEW_PANELS};
use crate::matmul::element::{Element, Sum};
use std::any::TypeId;
use std::ops::Range;

/// The most rows or columns that a panel has, in any kernel.
pub(super) const MAX_PANEL: usize = 48;

/// The fewest steps of a kernel that is long enough to prefetch meanwhile.
const LONG: usize = 64;

/// Contiguous rows are read in place if their steps are at most `NEAR` elements apart, or if there are at most `FEW_STEPS`:
/// otherwise each step is on its own page, where the hardware prefetcher does not help.
const NEAR: usize = 512;
const FEW_STEPS: usize = 64;

/// The memory that the tiles of a block are written to.
struct Output<'a, S> {
    base: *mut S,
    rows: &'a Axis,
    cols: &'a Axis,
    /// Subtracted from the indices of rows and columns of `C`.
    origin: (usize, usize),
    /// Whether tiles whose vectors are not contiguous have to go through [`Target::put`](super::operand::Target::put).
    scattered: bool,
}

/// What the tiles of one panel of `A` have in common.
struct Row {
    rows: Range<usize>,
    vectors: usize,
    c_m: [isize; MAX_MV],
    /// Whether the kernel can write its vectors to the output.
    in_vectors: bool,
}

impl Row {
    /// The rows from `start + rows.start` on.
    fn new<S>(output: &Output<S>, rows: Range<usize>, start: usize, lanes: usize) -> Row {
        let rows = start + rows.start..start + rows.end;
        let within = rows.start - output.origin.0..rows.end - output.origin.0;
        let mut c_m = [0; MAX_MV];
        for (to, i) in c_m.iter_mut().zip(within.clone().step_by(lanes)) {
            *to = output.rows.offsets[i];
        }
        let in_vectors = !output.scattered || in_vectors(output.rows, &within, lanes);
        Row { vectors: rows.len().div_ceil(lanes), rows, c_m, in_vectors }
    }
}

/// A block of `A` or `B`.
#[derive(Clone, Copy)]
enum Panels<'a, S> {
    /// Packed.
    Packed(&'a [S]),
    /// Read in place: the element of the first row and step, and the strides.
    InPlace(*const S, [isize; 2]),
}

impl<'a, S> Panels<'a, S> {
    /// The panel from row `first` on, number `index` of packed ones that are `width` wide, and the strides of its rows and
    /// of its steps.
    #[inline(always)]
    fn panel(&self, index: usize, first: usize, width: usize, steps: usize) -> (*const S, [isize; 2]) {
        match *self {
            Panels::Packed(panels) => (panels[index * width * steps..].as_ptr(), [1, width as isize]),
            Panels::InPlace(at, strides) => (at.wrapping_offset(first as isize * strides[0]), strides),
        }
    }

    fn is_packed(&self) -> bool {
        matches!(self, Panels::Packed(_))
    }
}

/// An operand that is read in place: its first element, and its strides.
type InPlace<S> = Option<(*const S, [isize; 2])>;

/// Its block from a row and a step on.
fn block<'a, S>((at, [row, step]): (*const S, [isize; 2]), rows: usize, steps: usize) -> Panels<'a, S> {
    Panels::InPlace(at.wrapping_offset(rows as isize * row + steps as isize * step), [row, step])
}

/// How threads divide `C`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Grid {
    rows: usize,
    cols: usize,
}

impl Grid {
    /// The division of `m` by `n` among `threads` that packs the least, in parts of whole tiles.
    fn new(threads: usize, [m, n]: [usize; 2], [mr, nr]: [usize; 2]) -> Grid {
        let (tall, wide) = (m.div_ceil(mr).max(1), n.div_ceil(nr).max(1));
        (1..=threads)
            .map(|rows| Grid { rows: rows.min(tall), cols: (threads / rows).min(wide) })
            .min_by_key(|grid| {
                let part = tall.div_ceil(grid.rows) * wide.div_ceil(grid.cols);
                (part, tall.div_ceil(grid.rows) * mr + wide.div_ceil(grid.cols) * nr)
            })
            .unwrap_or(Grid { rows: 1, cols: 1 })
    }

    /// The rows and columns of a part, below `rows * cols`.
    fn part(&self, index: usize, [m, n]: [usize; 2], [mr, nr]: [usize; 2]) -> [Range<usize>; 2] {
        [equal_part(m, mr, self.rows, index % self.rows), equal_part(n, nr, self.cols, index / self.rows)]
    }
}

/// Divides a batch of products of `m` by `n` among the threads: `part` is called with each matrix of the batch and the
/// rows and columns to compute, and has to advance the counter by as many elements.
///
/// What the parts are depends on nothing but the number of threads.
pub(crate) fn divide(
    execution: &Execution,
    size: [usize; 2],
    tile: [usize; 2],
    batch: usize,
    part: impl Fn(usize, [Range<usize>; 2], &Counter) + Sync,
) -> Result<(), Error> {
    let grid = Grid::new((execution.thread_count() / batch).max(1), size, tile);
    let tasks = batch * grid.rows * grid.cols;
    let parts = execution.thread_count().min(tasks);
    let counter = execution.counter(size[0] * size[1] * batch);
    execution.run(parts, |index| {
        for task in part_of(tasks, index, parts) {
            part(task % batch, grid.part(task / batch, size, tile), &counter);
        }
    });
    counter.result()
}

impl<T: Element> Product<'_, T> {
    /// Computes a part of `C`.
    ///
    /// # Safety
    /// Nothing else touches this part.
    pub(crate) unsafe fn part(&self, rows: Range<usize>, cols: Range<usize>, counter: &Counter) {
        if rows.is_empty() || cols.is_empty() {
            return;
        }
        if self.k == 0 || self.alpha == T::Sum::ZERO {
            // SAFETY: by the contract of `part` nothing else accesses this part of `C`.
            return unsafe { self.scale(rows, cols, counter) };
        }
        if let (Some(a), Some(b)) = (self.a.as_strided(), self.b.as_strided())
            && (a.rows.len() == 1 || b.rows.len() == 1)
        {
            // SAFETY: by the contract of `part` nothing else accesses this part of `C`.
            return unsafe { gemv::run(self, [a, b], [rows, cols], counter) };
        }
        let kernels = T::Sum::kernels(self.isa);
        let packers = T::packers(self.isa);
        let mut scratch = Scratch::take();
        let b_in_place = (self.b.as_strided())
            .and_then(|b| in_place(b, columns_in_place::<T>([b.rows, b.cols], rows.len(), kernels.mr)));
        let Blocks { m: mc, n: nc, k, long, .. } = self.blocks;
        // All rows and not those of the part: the order of the sums does not depend on the threads.
        let one_panel = self.a.as_strided().is_some_and(|a| a.rows.len() <= kernels.mr);
        let kc = if b_in_place.is_some() && one_panel { long } else { k };
        let (steps, slack) = (kc.min(self.k).div_ceil(packers.step), MAX_PANEL);
        let width = nc.min(cols.len());
        let a_in_place = (self.a.as_strided())
            .and_then(|a| in_place(a, rows_in_place::<T>([a.rows, a.cols], cols.len(), kernels.nr)));
        let a_len = if a_in_place.is_some() {
            0
        } else {
            steps * mc.min(rows.len()).next_multiple_of(kernels.mr) + slack
        };
        let b_len = if b_in_place.is_some() { 0 } else { steps * width.next_multiple_of(kernels.nr) + slack };
        let place = self.c.place();
        let staged = match &place {
            None => true,
            Some(place) => self.k > kc && !in_vectors(place.rows, &rows, kernels.lanes),
        };
        let stage_len = if staged { rows.len() * width } else { 0 };
        let [a, b, stage] = scratch.parts::<T::Sum, 3>([a_len, b_len, stage_len]);
        let axes = if staged {
            [Axis::strided(rows.len(), 1), Axis::strided(width, rows.len() as isize)]
        } else {
            [Axis::default(), Axis::default()]
        };
        'blocks: for jc in cols.clone().step_by(nc) {
            let cols = jc..cols.end.min(jc + nc);
            for pc in (0..self.k).step_by(kc) {
                let ks = pc..self.k.min(pc + kc);
                let columns = match b_in_place {
                    Some(operand) => block(operand, jc, pc),
                    None => {
                        pack_panels(self.b, &packers.b, packers.step, cols.clone(), ks.clone(), b);
                        Panels::Packed(b)
                    }
                };
                let next = ks.end..self.k.min(ks.end + kc);
                let steps = ks.len().div_ceil(packers.step);
                let tiles = |rows: usize| rows.div_ceil(kernels.mr) * cols.len().div_ceil(kernels.nr);
                let from_a = self.a.as_strided().filter(|_| cols.len() <= FEW_PANELS * kernels.nr);
                let from_b = self.b.as_strided().filter(|_| rows.len() <= FEW_PANELS * kernels.mr);
                let ahead_b = prefetcher(from_b, cols.clone(), next.clone(), tiles(rows.len()), steps);
                let mut ahead = [Prefetcher::nothing(), ahead_b, Prefetcher::nothing()];
                for ic in rows.clone().step_by(mc) {
                    let part = ic..rows.end.min(ic + mc);
                    let below = part.end..rows.end.min(part.end + mc);
                    let (to_come, ks_to_come) = if below.is_empty() {
                        (rows.start..rows.end.min(rows.start + mc), next.clone())
                    } else {
                        (below, ks.clone())
                    };
                    ahead[0] = prefetcher(from_a, to_come, ks_to_come, tiles(part.len()), steps);
                    let panels = match a_in_place {
                        Some(operand) => block(operand, ic, pc),
                        None => {
                            pack_panels(self.a, &packers.a, packers.step, part.clone(), ks.clone(), a);
                            Panels::Packed(&*a)
                        }
                    };
                    let output = match &place {
                        Some(place) if !staged => Output {
                            base: place.base,
                            rows: place.rows,
                            cols: place.cols,
                            origin: (0, 0),
                            scattered: true,
                        },
                        _ => Output {
                            base: stage.as_mut_ptr(),
                            rows: &axes[0],
                            cols: &axes[1],
                            origin: (rows.start, jc),
                            scattered: false,
                        },
                    };
                    let (alpha, beta) = match (staged, pc == 0) {
                        (true, first) => (T::Sum::ONE, if first { T::Sum::ZERO } else { T::Sum::ONE }),
                        (false, true) => (self.alpha, self.beta),
                        (false, false) => (self.alpha, T::Sum::ONE),
                    };
                    // SAFETY: the panels are packed or valid in place; the output is this part of `C`, or the stage,
                    // which is large enough.
                    unsafe {
                        self.tiles(
                            kernels,
                            &output,
                            part.clone(),
                            cols.clone(),
                            (panels, columns, steps),
                            [alpha, beta],
                            &mut ahead,
                        )
                    };
                    let done = part.len() * cols.len();
                    // Rounded down, so that the shares of all blocks sum to the elements of the part.
                    let share = done * ks.end / self.k - done * ks.start / self.k;
                    if !counter.advance(share) {
                        break 'blocks;
                    }
                }
            }
            if staged {
                // SAFETY: by the contract of `part` nothing else accesses this part of `C`.
                unsafe { self.c.put(rows.clone(), cols, stage, rows.len(), self.alpha, self.beta) };
            }
        }
        scratch.give_back();
    }

    /// The tiles of a block: all panels of `A` by all panels of `B`.
    ///
    /// # Safety
    /// The block of the output is valid for reads and writes, and nothing else accesses it; `a` and `b` hold as many panels as
    /// the block is high and wide, of `steps` packed steps.
    #[allow(clippy::too_many_arguments)]
    unsafe fn tiles(
        &self,
        kernels: &Kernels<T::Sum>,
        output: &Output<T::Sum>,
        rows: Range<usize>,
        cols: Range<usize>,
        (a, b, steps): (Panels<T::Sum>, Panels<T::Sum>, usize),
        [alpha, beta]: [T::Sum; 2],
        ahead: &mut [Prefetcher; 3],
    ) {
        let Kernels { lanes, mr, nr, .. } = *kernels;
        let mut corner = [T::Sum::ZERO; MAX_PANEL * 8];
        let corner_cols: [isize; 8] = std::array::from_fn(|j| (j * mr) as isize);
        let (tall, wide) = (rows.len().div_ceil(mr), cols.len().div_ceil(nr));
        let table = if a.is_packed() && b.is_packed() {
            kernels.packed
        } else {
            kernels.direct(b.panel(0, 0, nr, steps).1[1])
        };
        let row =
            |panel: usize| Row::new(output, equal_part(rows.len(), lanes, tall, panel), rows.start, lanes);
        let of_rows: Vec<Row> = (0..tall).map(row).collect();
        let of_cols: Vec<Range<usize>> =
            (0..wide).map(|panel| equal_part(cols.len(), 1, wide, panel)).collect();
        // The panels that are used most often stay in the first cache.
        let all_b = wide * nr * steps * size_of::<T::Sum>() <= self.blocks.first / 2;
        let (outer, inner) = if all_b { (tall, wide) } else { (wide, tall) };
        for index in 0..outer {
            for other in 0..inner {
                let (panel_a, panel_b) = if all_b { (index, other) } else { (other, index) };
                let (row, part) = (&of_rows[panel_a], &of_cols[panel_b]);
                let (j, width) = (cols.start + part.start, part.len());
                let (b, [b_n, b_k]) = b.panel(panel_b, part.start, nr, steps);
                let (a, [_, a_k]) = a.panel(panel_a, row.rows.start - rows.start, mr, steps);
                let c_n = &output.cols.offsets[j - output.origin.1..][..width];
                let kernel = table[row.vectors - 1][width - 1];
                let mut tile = Tile {
                    k: steps,
                    a,
                    a_k,
                    b,
                    b_n,
                    b_k,
                    c: output.base,
                    c_m: row.c_m,
                    c_n: c_n.as_ptr(),
                    tail: row.rows.len() - (row.vectors - 1) * lanes,
                    alpha,
                    beta,
                    ahead: if steps < LONG { &mut [] } else { ahead },
                };
                if row.in_vectors {
                    // SAFETY: the processor has the instructions of `isa`; the panels hold the tile's operands, and
                    // the output its place.
                    unsafe { kernel(&tile) };
                    continue;
                }
                let axes = [&output.rows.offsets[row.rows.clone()], c_n];
                ahead[2] = Prefetcher::new(output.base, axes, 1, steps);
                tile.ahead = ahead;
                tile.c = corner.as_mut_ptr();
                tile.c_m = std::array::from_fn(|v| (v * lanes) as isize);
                tile.c_n = corner_cols.as_ptr();
                (tile.alpha, tile.beta) = (T::Sum::ONE, T::Sum::ZERO);
                // SAFETY: the corner holds a tile; nothing else accesses this part of `C`.
                unsafe {
                    kernel(&tile);
                    self.c.put(row.rows.clone(), j..j + width, &corner, mr, alpha, beta);
                }
            }
        }
    }

    /// `C = beta C`.
    ///
    /// # Safety
    /// Nothing else touches this part of `C`.
    unsafe fn scale(&self, rows: Range<usize>, cols: Range<usize>, counter: &Counter) {
        let zeros = vec![T::Sum::ZERO; rows.len()];
        for j in cols {
            // SAFETY: by the contract of `scale` nothing else accesses this part of `C`.
            unsafe { self.c.put(rows.clone(), j..j + 1, &zeros, rows.len(), T::Sum::ZERO, self.beta) };
            if !counter.advance(rows.len()) {
                return;
            }
        }
    }
}

/// The strides of `B`, of its rows and steps, if it is read in place: its steps are contiguous, and so few rows of `A` use
/// it that packing costs more than it saves.
pub(crate) fn columns_in_place<T: Element>(b: [&Axis; 2], rows: usize, mr: usize) -> Option<[isize; 2]> {
    let few = rows <= 4 * mr && TypeId::of::<T>() == TypeId::of::<T::Sum>();
    Some([b[0].stride()?, b[1].stride().filter(|&stride| few && stride == 1)?])
}

/// The strides of `A`, if it is read in place: its rows are contiguous, its steps near each other, and few columns of `B`
/// use it.
pub(crate) fn rows_in_place<T: Element>(a: [&Axis; 2], cols: usize, nr: usize) -> Option<[isize; 2]> {
    let few = cols <= FEW_PANELS * nr && TypeId::of::<T>() == TypeId::of::<T::Sum>();
    let near = |&stride: &isize| stride.unsigned_abs() <= NEAR || a[1].len() <= FEW_STEPS;
    let step = a[1].stride().filter(near)?;
    (few && a[0].is_run(0, a[0].len())).then_some([1, step])
}

/// The first element of an operand and these strides.
fn in_place<T: Element>(operand: &Strided<T>, strides: Option<[isize; 2]>) -> InPlace<T::Sum> {
    let first = operand.base.wrapping_offset(operand.rows.offsets[0] + operand.cols.offsets[0]);
    Some((first.cast(), strides?))
}

/// Whether the rows are contiguous in pieces of whole vectors, counted from the first.
fn in_vectors(axis: &Axis, rows: &Range<usize>, lanes: usize) -> bool {
    rows.clone().step_by(lanes).all(|i| axis.is_run(i, lanes.min(rows.end - i)))
}

/// Packs the panels of `rows`, in order.
fn pack_panels<T: Element>(
    source: &dyn Source<T>,
    packer: &Packer<T>,
    step: usize,
    rows: Range<usize>,
    ks: Range<usize>,
    out: &mut [T::Sum],
) {
    let (steps, width) = (ks.len().div_ceil(step), packer.rows);
    // What the panels need, and what the last vector of the last one may overwrite.
    assert!((rows.len().div_ceil(width) * steps + 1) * width <= out.len());
    if let Some(Strided { base, rows: all, cols, .. }) = source.as_strided() {
        // SAFETY: the tables are those of the memory, and there is room for all panels.
        return unsafe {
            (packer.strided)(*base, all.part(rows), cols.part(ks), packer.unit, out.as_mut_ptr())
        };
    }
    let panels = rows.len().div_ceil(width);
    for i in 0..panels {
        let part = equal_part(rows.len(), packer.unit, panels, i);
        let part = rows.start + part.start..rows.start + part.end;
        let mut pointers = [std::ptr::null(); MAX_PANEL];
        let mut k = 0;
        let panel = &mut out[i * width * steps..];
        source.panel(part, ks.clone(), &mut pointers[..width], &mut |pointers, part| {
            let to = &mut panel[k / step * width..];
            assert!(
                pointers.len() == width && (k % step + part.offsets.len()).div_ceil(step) * width <= to.len()
            );
            // SAFETY: there are as many rows as the function packs, the source answers for its pointers, and the
            // panel has room.
            unsafe { (packer.any)(pointers, part, k % step, to.as_mut_ptr()) };
            k += part.offsets.len();
        });
    }
}

/// A prefetcher for a block of an operand, if it is read in place or packed from memory by two tables.
fn prefetcher<T: Sync>(
    operand: Option<&Strided<T>>,
    rows: Range<usize>,
    ks: Range<usize>,
    tiles: usize,
    steps: usize,
) -> Prefetcher {
    operand.map_or_else(Prefetcher::nothing, |operand| operand.prefetcher(rows, ks, tiles, steps))
}

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
//! The plan says whether blocks are packed or read in place, and what is prefetched.

use super::operand::{Product, Source, Strided};
use super::scratch::Scratch;
use super::vector;
use crate::error::Error;
use crate::execution::{Counter, Execution};
use crate::loops::nest::part_of;
use crate::matmul::plan::{ProductPlan, Reading, Strategy};
use crate::matmul::tile::axis::{Axis, Steps, equal_part, equal_parts};
use crate::matmul::tile::element::{Element, Finish, Kernels, Packer, Packers, Sum};
use crate::matmul::tile::kernel::{MAX_COLUMNS, MAX_MV, MAX_PANEL, Tile, TileFn};
use crate::matmul::tile::packing::Packing;
use crate::matmul::tile::prefetcher::Prefetcher;
use crate::simd::prefetch::prefetch_l2;
use crate::tuning::LINE;
use crate::tuning::matmul::{MAX_PREFETCH_LINES, PANELS_AHEAD};
use std::ops::Range;

/// The memory that the tiles of a block are written to.
#[derive(Clone, Copy)]
struct Output<'a, S> {
    base: *mut S,
    rows: Steps<'a>,
    cols: &'a [isize],
    /// Whether tiles with non-contiguous vectors have to be written by [`Target::put`].
    scattered: bool,
}

/// The common part of the tiles of one panel of `A`.
struct Row {
    /// Within the block.
    rows: Range<usize>,
    vectors: usize,
    c_m: [isize; MAX_MV],
    /// Whether the kernel can store its vectors in the output.
    in_vectors: bool,
    /// Whether the kernel goes on from the panel before to this one by adding to its pointers.
    follows: bool,
}

impl Row {
    fn new<S>(output: &Output<S>, rows: Range<usize>, lanes: usize) -> Row {
        let mut c_m = [0; MAX_MV];
        for (to, i) in c_m.iter_mut().zip(rows.clone().step_by(lanes)) {
            *to = output.rows.offsets[i];
        }
        let in_vectors = !output.scattered || output.rows.part(rows.clone()).in_vectors(lanes);
        Row { vectors: rows.len().div_ceil(lanes), rows, c_m, in_vectors, follows: false }
    }

    /// Whether this panel and the one before it are whole vectors, as many, and contiguous in `C`.
    fn is_like(&self, before: &Row, lanes: usize) -> bool {
        let height = self.vectors * lanes;
        let is_below = |(&from, &c): (&isize, &isize)| c == from + height as isize;
        self.in_vectors
            && before.in_vectors
            && self.rows.len() == height
            && before.rows.len() == height
            && before.c_m.iter().zip(&self.c_m).take(self.vectors).all(is_below)
    }
}

/// The panels of a block of `A` or `B`.
#[derive(Clone, Copy)]
struct Panels<S> {
    /// The first row and step.
    at: *const S,
    packed: bool,
    /// The distance from one packed panel to the next, or from one row in place to the next.
    pitch: isize,
    /// The strides of the rows and of the steps of a panel.
    strides: [isize; 2],
    /// The initial sums of each column, for kernels that do not begin with 0.
    begins: *const S,
}

impl<S> Panels<S> {
    /// The panel from row `first` on, number `index`.
    #[inline(always)]
    fn panel(&self, index: usize, first: usize) -> *const S {
        self.at.wrapping_offset(if self.packed { index } else { first } as isize * self.pitch)
    }

    /// The distance from a panel of `height` rows to the next one.
    #[inline(always)]
    fn next(&self, height: usize) -> isize {
        self.pitch * if self.packed { 1 } else { height as isize }
    }

    /// Prefetches a part of panel `index`, which is packed.
    #[inline(always)]
    fn prefetch(&self, index: usize, [part, parts]: [usize; 2]) {
        let panel = self.panel(index, 0).cast::<u8>();
        let lines = (self.pitch as usize * size_of::<S>()).div_ceil(LINE);
        (lines * part / parts..lines * (part + 1) / parts)
            .for_each(|line| prefetch_l2(panel.wrapping_add(line * LINE)));
    }
}

/// `A` or `B` of a product by blocks.
struct Operand<'a, T: Element> {
    source: &'a Source<'a, T>,
    reading: Reading,
    packer: Packer<T>,
    packing: Packing,
    /// Elements per row in a step of the kernels.
    step: usize,
    /// The lines that are prefetched at a time.
    ahead: usize,
}

impl<T: Element> Operand<'_, T> {
    /// The space that a block of `rows` by `steps` lanes takes if it is packed.
    fn room(&self, rows: usize, steps: usize) -> usize {
        if self.reading != Reading::Packed {
            return 0;
        }
        let panels = rows.div_ceil(self.packer.rows);
        let begins = panels * self.packer.rows + MAX_PANEL;
        let begins = if let Finish::Begin(_) = self.packer.finish { begins } else { 0 };
        steps * panels * self.packer.width + MAX_PANEL + begins
    }

    /// The panels of a block, packed to `room` unless they are read in place.
    fn block(&self, rows: Range<usize>, ks: Range<usize>, room: &mut [T::Sum]) -> Panels<T::Sum> {
        let Packer { rows: height, width, finish, .. } = self.packer;
        let (panels, steps) = (rows.len().div_ceil(height), ks.len().div_ceil(self.step));
        if let (Some(operand), Reading::InPlace(strides)) = (self.source.memory(), self.reading) {
            let at = operand.rows.offsets[rows.start] + operand.cols.offsets[ks.start];
            let at = operand.base.wrapping_offset(at).cast();
            return Panels { at, packed: false, pitch: strides[0], strides, begins: std::ptr::null() };
        }
        let lanes = panels * width * steps;
        let (packed, begins) = room.split_at_mut(lanes + MAX_PANEL);
        if width > height && !ks.len().is_multiple_of(self.step) {
            packed.fill(T::Sum::ZERO);
        }
        self.pack(rows, ks, packed);
        match finish {
            Finish::Nothing => {}
            // SAFETY: the panels have that many lanes.
            Finish::Shift(shift) => unsafe { shift(packed.as_mut_ptr(), lanes) },
            Finish::Begin(begin) => {
                assert!(panels * height + MAX_PANEL <= begins.len());
                // SAFETY: the number of panels is right, and there is room for the initial sums of each.
                unsafe { begin(packed.as_ptr(), panels, steps, begins.as_mut_ptr()) };
            }
        }
        let (pitch, strides) = ((width * steps) as isize, [1, width as isize]);
        Panels { at: packed.as_ptr(), packed: true, pitch, strides, begins: begins.as_ptr() }
    }

    /// Packs the panels of `rows`, in order.
    fn pack(&self, rows: Range<usize>, ks: Range<usize>, out: &mut [T::Sum]) {
        let Operand { source, packer, packing, step, .. } = self;
        let (steps, height) = (ks.len().div_ceil(*step), packer.rows);
        // Space for the panels, and for what the last vector of the last panel may overwrite.
        assert!(rows.len().div_ceil(height) * steps * packer.width + height <= out.len());
        let source = match source {
            Source::Panels(source) => source,
            Source::Memory(Strided { base, rows: all, cols, .. }) => {
                let (rows, cols) = (all.part(rows), cols.part(ks));
                // SAFETY: the tables are those of the memory, and there is room for all panels.
                return unsafe {
                    (packer.strided)(packer, *base, rows, cols, *packing, packer.unit, out.as_mut_ptr())
                };
            }
        };
        let panels = rows.len().div_ceil(height);
        for i in 0..panels {
            let part = equal_part(rows.len(), packer.unit, panels, i);
            let part = rows.start + part.start..rows.start + part.end;
            let mut pointers = [std::ptr::null(); MAX_PANEL];
            let mut k = 0;
            let panel = &mut out[i * packer.width * steps..];
            let lanes = height * packer.depth_lanes;
            source.panel(part, ks.clone(), &mut pointers[..height], &mut |pointers, part| {
                let (phase, to) = (k % packer.depth, &mut panel[k / packer.depth * lanes..]);
                assert!(
                    pointers.len() == height
                        && (phase + part.offsets.len()).div_ceil(packer.depth) * lanes <= to.len()
                );
                // SAFETY: there are as many rows as the function packs, the contract of the source covers its pointers, and
                // the panel has room.
                unsafe { (packer.any)(pointers, part, phase, height, to.as_mut_ptr()) };
                k += part.offsets.len();
            });
        }
    }

    /// Prefetches these rows and steps while kernels run `tiles` times for `steps`.
    fn prefetcher(&self, [rows, ks]: [Range<usize>; 2], tiles: usize, steps: usize) -> Prefetcher {
        let Some(operand) = self.source.memory().filter(|_| self.ahead > 0) else {
            return Prefetcher::nothing();
        };
        let axes = [&operand.rows.offsets[rows], &operand.cols.offsets[ks]];
        Prefetcher::new(operand.base, axes, tiles, steps, self.ahead)
    }
}

/// How threads divide `C`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Grid {
    rows: usize,
    cols: usize,
}

impl Grid {
    /// The division of `m` by `n` among `threads` that packs least, in parts of whole tiles.
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

    /// The rows and columns of a part below `rows * cols`.
    fn part(&self, index: usize, [m, n]: [usize; 2], [mr, nr]: [usize; 2]) -> [Range<usize>; 2] {
        [equal_part(m, mr, self.rows, index % self.rows), equal_part(n, nr, self.cols, index / self.rows)]
    }
}

/// Divides a batch of products of `m` by `n` among the threads: `part` is called with each matrix of the batch and the
/// rows and columns to compute, and has to advance the counter by as many elements.
///
/// The parts depend only on the number of threads.
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
    /// Nothing else accesses this part.
    pub(crate) unsafe fn part(&self, rows: Range<usize>, cols: Range<usize>, counter: &Counter) {
        if rows.is_empty() || cols.is_empty() {
            return;
        }
        if let (Strategy::Vector { along_rows }, Source::Memory(a), Source::Memory(b)) =
            (&self.plan.strategy, &self.a, &self.b)
            && self.k() > 0
        {
            // SAFETY: by the contract of `part` nothing else accesses this part of `C`.
            return unsafe { vector::run(self, *along_rows, [a, b], [rows, cols], counter) };
        }
        let mut scratch = Scratch::take();
        let part = Part::new(self, rows, cols);
        let rooms = scratch.parts::<T::Sum, 3>(part.rooms());
        // SAFETY: by the contract of `part` nothing else accesses this part of `C`; the rooms have the required size.
        unsafe { part.run(rooms, counter) };
        scratch.give_back();
    }
}

/// A part of `C` that is computed by blocks.
struct Part<'a, T: Element> {
    product: &'a Product<'a, T>,
    kernels: &'static Kernels<T::Sum>,
    rows: Range<usize>,
    cols: Range<usize>,
    a: Operand<'a, T>,
    b: Operand<'a, T>,
}

/// A block of `C`: the panels whose product it is, and its destination.
struct Block<'a, S> {
    rows: Range<usize>,
    cols: Range<usize>,
    a: Panels<S>,
    b: Panels<S>,
    /// The steps, and how many packed ones.
    ks: Range<usize>,
    steps: usize,
    alpha: S,
    beta: S,
    output: Output<'a, S>,
}

impl<'a, T: Element> Part<'a, T> {
    fn new(product: &'a Product<'a, T>, rows: Range<usize>, cols: Range<usize>) -> Self {
        let ProductPlan { format, reads, packing, ahead, .. } = product.plan;
        let Packers { a, b, step, .. } = T::packers(format.isa);
        let operand = |source, packer, i: usize| {
            let (reading, packing, ahead) = (reads[i], packing[i], ahead.lines[i]);
            Operand { source, reading, packer, packing, step, ahead }
        };
        let [a, b] = [operand(&product.a, a, 0), operand(&product.b, b, 1)];
        Part { product, kernels: T::kernels(format.isa), rows, cols, a, b }
    }

    /// Columns of a block.
    fn width(&self) -> usize {
        self.product.plan.blocks.n.min(self.cols.len())
    }

    /// The space for a block of `A`, one of `B`, and the stage.
    fn rooms(&self) -> [usize; 3] {
        let ProductPlan { blocks, staged, .. } = self.product.plan;
        let steps = blocks.k.min(self.product.k()).div_ceil(self.a.step);
        let stage = if *staged { self.rows.len() * self.width() } else { 0 };
        [self.a.room(blocks.m.min(self.rows.len()), steps), self.b.room(self.width(), steps), stage]
    }

    /// Computes all blocks.
    ///
    /// # Safety
    /// Nothing else accesses this part of `C`, and the rooms are those of [`rooms`](Self::rooms).
    unsafe fn run(&self, [a, b, stage]: [&mut [T::Sum]; 3], counter: &Counter) {
        let Part { product, rows, .. } = self;
        let ProductPlan { blocks, staged, .. } = product.plan;
        let (height, steps) = (rows.len(), product.k());
        let [of_rows, of_cols] = match staged {
            true => [Axis::strided(height, 1), Axis::strided(self.width(), height as isize)],
            false => [Axis::default(), Axis::default()],
        };
        for jc in self.cols.clone().step_by(blocks.n) {
            let cols = jc..self.cols.end.min(jc + blocks.n);
            let output = match staged {
                false => Output {
                    base: product.c.sums(),
                    rows: product.c.rows.part(rows.clone()),
                    cols: &product.c.cols.offsets[cols.clone()],
                    scattered: true,
                },
                true => Output {
                    base: stage.as_mut_ptr(),
                    rows: of_rows.part(0..height),
                    cols: &of_cols.offsets[..cols.len()],
                    scattered: false,
                },
            };
            // Without any steps, `C` is multiplied by `beta`.
            for pc in (0..steps.max(1)).step_by(blocks.k) {
                let ks = pc..steps.min(pc + blocks.k);
                let columns = self.b.block(cols.clone(), ks.clone(), b);
                // SAFETY: the output is this part of `C`, or the stage, which is large enough.
                if !unsafe { self.block_rows([cols.clone(), ks], columns, output, a, counter) } {
                    return;
                }
            }
            if *staged {
                // SAFETY: by the contract of `run` nothing else accesses this part of `C`.
                unsafe { product.c.put([rows.clone(), cols], stage, height, [product.alpha, product.beta]) };
            }
        }
    }

    /// All blocks of rows by one block of `B`. Returns whether to continue.
    ///
    /// # Safety
    /// The output is valid for reads and writes at all rows and these columns, and nothing else accesses it; `a` has room for
    /// a block.
    unsafe fn block_rows(
        &self,
        [cols, ks]: [Range<usize>; 2],
        b: Panels<T::Sum>,
        output: Output<T::Sum>,
        a: &mut [T::Sum],
        counter: &Counter,
    ) -> bool {
        let Part { product, kernels, rows, .. } = self;
        let ProductPlan { blocks, staged, .. } = product.plan;
        let (height, k) = (blocks.m, product.k());
        let next = ks.end..k.min(ks.end + blocks.k);
        let steps = ks.len().div_ceil(self.a.step);
        let [tall, wide] = [rows.len().div_ceil(kernels.mr), cols.len().div_ceil(kernels.nr)];
        // What is read in place is prefetched panel by panel.
        let ahead_b = match b.packed {
            true => self.b.prefetcher([cols.clone(), next.clone()], tall * wide, steps),
            false => Prefetcher::nothing(),
        };
        let mut ahead = [Prefetcher::nothing(), ahead_b, Prefetcher::nothing()];
        let alpha = if *staged { T::Sum::ONE } else { product.alpha };
        let beta = match (ks.start, staged) {
            (0, true) => T::Sum::ZERO,
            (0, false) => product.beta,
            _ => T::Sum::ONE,
        };
        for ic in rows.clone().step_by(height) {
            let part = ic..rows.end.min(ic + height);
            let below = part.end..rows.end.min(part.end + height);
            let to_come = match below.is_empty() {
                true => [rows.start..rows.end.min(rows.start + height), next.clone()],
                false => [below, ks.clone()],
            };
            ahead[0] = self.a.prefetcher(to_come, part.len().div_ceil(kernels.mr) * wide, steps);
            let panels = self.a.block(part.clone(), ks.clone(), a);
            let output = Output { rows: output.rows.part(ic - rows.start..part.end - rows.start), ..output };
            let done = part.len() * cols.len();
            let block = Block {
                rows: part,
                cols: cols.clone(),
                ks: ks.clone(),
                a: panels,
                b,
                steps,
                alpha,
                beta,
                output,
            };
            // SAFETY: the panels are packed or valid in place, and the output is valid for the block.
            unsafe { self.tiles(&block, &mut ahead) };
            // Rounded down, so that the shares of all blocks sum to the elements of the part.
            let share = |end: usize| done * if k == 0 { 1 } else { end } / k.max(1);
            if !counter.advance(share(ks.end) - if k == 0 { 0 } else { share(ks.start) }) {
                return false;
            }
        }
        true
    }

    /// The tiles of a block: all panels of `A` by all panels of `B`.
    ///
    /// # Safety
    /// The output is valid for reads and writes at the rows and columns of the block, and nothing else accesses it;
    /// there are panels for all rows and columns of the block, with `steps` packed steps.
    unsafe fn tiles(&self, block: &Block<T::Sum>, ahead: &mut [Prefetcher; 3]) {
        let Kernels { lanes, mr, nr, .. } = *self.kernels;
        let Block { rows, cols, a, b, steps, output, .. } = block;
        let plan = self.product.plan;
        let mut corner = [T::Sum::ZERO; MAX_PANEL * MAX_COLUMNS];
        let (tall, wide) = (rows.len().div_ceil(mr), cols.len().div_ceil(nr));
        let mut of_rows: Vec<Row> = Vec::with_capacity(tall);
        for part in equal_parts(rows.len(), lanes, tall) {
            let row = Row::new(output, part, lanes);
            let follows = of_rows.last().is_some_and(|before| row.is_like(before, lanes));
            of_rows.push(Row { follows, ..row });
        }
        let of_cols: Vec<Range<usize>> = equal_parts(cols.len(), 1, wide).collect();
        for (panel_b, part) in of_cols.iter().enumerate() {
            let prefetch_b = |panel_a: usize| {
                if plan.ahead.panel {
                    b.prefetch((panel_b + 1) % wide, [panel_a, tall]);
                }
            };
            let ahead_of_b = if b.packed { None } else { of_cols.get(panel_b + PANELS_AHEAD) };
            if let Some(part) = ahead_of_b {
                let cols = cols.start + part.start..cols.start + part.end;
                ahead[1] = self.b.prefetcher([cols, block.ks.clone()], tall, *steps);
            }
            let c_n = &output.cols[part.clone()];
            let mut panel_a = 0;
            while panel_a < tall {
                let row = &of_rows[panel_a];
                let count = 1 + of_rows[panel_a + 1..].iter().take_while(|row| row.follows).count();
                let height = row.rows.len();
                if !row.in_vectors {
                    let axes = [&output.rows.offsets[row.rows.clone()], c_n];
                    ahead[2] = Prefetcher::new(output.base, axes, 1, *steps, MAX_PREFETCH_LINES);
                }
                let mut tile = Tile {
                    k: *steps,
                    a: a.panel(panel_a, row.rows.start),
                    a_k: a.strides[1],
                    b: b.panel(panel_b, part.start),
                    b_n: b.strides[0],
                    b_k: b.strides[1],
                    begin: b.begins.wrapping_add(panel_b * nr),
                    prefetches: plan.ahead.tile,
                    c: output.base,
                    c_m: row.c_m,
                    c_n: c_n.as_ptr(),
                    columns: part.len(),
                    tail: height - (row.vectors - 1) * lanes,
                    alpha: block.alpha,
                    beta: block.beta,
                    ahead: if ahead.iter().all(Prefetcher::is_done) { &mut [] } else { ahead },
                };
                let kernel = match b.packed {
                    true => self.kernels.of_panels(row.vectors, part.len()),
                    false => self.kernels.direct[row.vectors - 1][part.len() - 1],
                };
                // SAFETY: the processor has the instructions of the kernels; the panels contain the tile's operands,
                // and the output the tile.
                unsafe {
                    if row.in_vectors {
                        for i in panel_a..panel_a + count {
                            prefetch_b(i);
                            kernel(&tile);
                            tile.a = tile.a.wrapping_offset(a.next(height));
                            tile.c = tile.c.wrapping_add(height);
                        }
                    } else {
                        prefetch_b(panel_a);
                        let [rows, cols] = [(rows, &row.rows), (cols, part)]
                            .map(|(all, part)| all.start + part.start..all.start + part.end);
                        self.scatter(kernel, tile, [rows, cols], &mut corner);
                    }
                }
                panel_a += count;
            }
        }
    }

    /// A tile whose vectors are not contiguous in `C`: it is computed in `corner`, and copied from there.
    ///
    /// # Safety
    /// The tile's operands are valid, and nothing else accesses these rows and columns of `C`.
    unsafe fn scatter(
        &self,
        kernel: TileFn<T::Sum>,
        tile: Tile<T::Sum>,
        [rows, cols]: [Range<usize>; 2],
        corner: &mut [T::Sum; MAX_PANEL * MAX_COLUMNS],
    ) {
        let Kernels { lanes, mr, .. } = *self.kernels;
        let columns: [isize; MAX_COLUMNS] = std::array::from_fn(|j| (j * mr) as isize);
        let in_corner = Tile {
            c: corner.as_mut_ptr(),
            c_m: std::array::from_fn(|v| (v * lanes) as isize),
            c_n: columns.as_ptr(),
            alpha: T::Sum::ONE,
            beta: T::Sum::ZERO,
            ..tile
        };
        // SAFETY: the corner holds a tile; nothing else accesses this part of `C`.
        unsafe {
            kernel(&in_corner);
            self.product.c.put([rows, cols], corner, mr, [tile.alpha, tile.beta]);
        }
    }
}

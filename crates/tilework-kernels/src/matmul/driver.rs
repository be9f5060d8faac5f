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
//! If all panels of `B` fit the first cache, each of them meets a strip of `A` at a time, as many panels as the first cache
//! holds. An operand that is used only a few times is not packed, if vectors can be read in place.

use super::axis::{Axis, equal_part, equal_parts};
use super::element::{Finish, Kernels, Packer, Packers};
use super::gemv;
use super::kernel::{MAX_COLUMNS, MAX_MV, MAX_PANEL, Tile, TileFn};
use super::operand::{Place, Source, Strided};
use super::plan::{ProductPlan, Reading};
use super::prefetcher::Prefetcher;
use super::product::Product;
use super::scratch::Scratch;
use crate::error::Error;
use crate::execution::{Counter, Execution};
use crate::loops::nest::part_of;
use crate::matmul::element::{Element, Sum};
use crate::simd::prefetch::prefetch_l2;
use crate::tuning::LINE;
use crate::tuning::matmul::{
    FEW_PANELS, FILLED_LINES_AHEAD, MAX_PREFETCH_LINES, PANELS_AHEAD, PREFETCHING_STEPS,
};
use std::ops::Range;

/// The memory that the tiles of a block are written to.
#[derive(Clone, Copy)]
struct Output<'a, S> {
    base: *mut S,
    rows: &'a Axis,
    cols: &'a Axis,
    /// Subtracted from the indices of rows and columns of `C`.
    origin: (usize, usize),
    /// Whether tiles with non-contiguous vectors have to be written by [`Target::put`](super::operand::Target::put).
    scattered: bool,
}

/// The common part of the tiles of one panel of `A`.
struct Row {
    rows: Range<usize>,
    vectors: usize,
    c_m: [isize; MAX_MV],
    /// Whether the kernel can store its vectors in the output.
    in_vectors: bool,
    /// Whether the kernel goes on from the panel before to this one by adding to its pointers.
    follows: bool,
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
        let in_vectors = !output.scattered || output.rows.in_vectors(within, lanes);
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

/// A block of `A` or `B`.
#[derive(Clone, Copy)]
enum Panels<'a, S> {
    /// Packed, with the lanes of a step of a panel, and the initial sums of each column, for kernels that do not begin
    /// with 0.
    Packed { panels: &'a [S], width: usize, begins: &'a [S] },
    /// Read in place: the element of the first row and step, and the strides.
    InPlace(*const S, [isize; 2]),
    /// Read in place by the tiles of the first panel of `B`, which pack it for the others.
    Filled { from: *const S, strides: [isize; 2], to: *mut S, width: usize },
}

impl<'a, S> Panels<'a, S> {
    /// The panel from row `first` on, number `index` if packed, and the strides of its rows and of its steps.
    #[inline(always)]
    fn panel(&self, index: usize, first: usize, steps: usize) -> (*const S, [isize; 2]) {
        match *self {
            Panels::Packed { panels, width, .. } => {
                (panels[index * width * steps..].as_ptr(), [1, width as isize])
            }
            Panels::InPlace(at, strides) => (at.wrapping_offset(first as isize * strides[0]), strides),
            Panels::Filled { to, width, .. } => (to.wrapping_add(index * width * steps), [1, width as isize]),
        }
    }

    /// The same before the panel is packed, if kernels pack it, and where they do.
    #[inline(always)]
    fn filled(&self, index: usize, first: usize, steps: usize) -> Option<((*const S, [isize; 2]), *mut S)> {
        let Panels::Filled { from, strides, to, width } = *self else { return None };
        let from = from.wrapping_offset(first as isize * strides[0]);
        Some(((from, strides), to.wrapping_add(index * width * steps)))
    }

    /// The distance from a panel of `height` rows to the next one.
    #[inline(always)]
    fn pitch(&self, height: usize, steps: usize) -> isize {
        match *self {
            Panels::Packed { width, .. } | Panels::Filled { width, .. } => (width * steps) as isize,
            Panels::InPlace(_, [row, _]) => height as isize * row,
        }
    }

    /// Prefetches a part of panel `index`, if it is packed.
    #[inline(always)]
    fn prefetch(&self, index: usize, steps: usize, [part, parts]: [usize; 2]) {
        let Panels::Packed { width, .. } = *self else { return };
        let panel = self.panel(index, 0, steps).0;
        let lines = (width * steps * size_of::<S>()).div_ceil(LINE);
        for line in lines * part / parts..lines * (part + 1) / parts {
            prefetch_l2(panel.cast::<u8>().wrapping_add(line * LINE));
        }
    }

    fn is_packed(&self) -> bool {
        !matches!(self, Panels::InPlace(..))
    }

    /// The initial sums of panel `index`, for kernels that do not begin with 0.
    #[inline(always)]
    fn begin(&self, index: usize, width: usize) -> *const S {
        match *self {
            Panels::Packed { begins, .. } => begins.as_ptr().wrapping_add(index * width),
            Panels::InPlace(..) | Panels::Filled { .. } => std::ptr::null(),
        }
    }
}

/// `A` or `B` of a product by blocks.
struct Operand<'a, T: Element> {
    source: &'a dyn Source<T>,
    /// If it is read in place, its first element and its strides.
    in_place: Option<(*const T::Sum, [isize; 2])>,
    /// Whether it is packed nevertheless, by the kernels that read it first.
    filled: bool,
    packer: Packer<T>,
    /// Elements per row in a step of the kernels.
    step: usize,
}

impl<'a, T: Element> Operand<'a, T> {
    fn new(source: &'a dyn Source<T>, packer: Packer<T>, step: usize, reading: Reading) -> Self {
        let first = |operand: &Strided<'_, T>| {
            operand.base.wrapping_offset(operand.rows.offsets[0] + operand.cols.offsets[0]).cast()
        };
        let in_place = source.as_strided().and_then(|operand| Some((first(operand), reading.in_place()?)));
        Operand { source, in_place, filled: matches!(reading, Reading::Filled(_)), packer, step }
    }

    /// The space that a block of `rows` by `steps` lanes takes if it is packed.
    fn room(&self, rows: usize, steps: usize) -> usize {
        match self.in_place {
            Some(_) if !self.filled => 0,
            _ => {
                let panels = rows.div_ceil(self.packer.rows);
                let begins = panels * self.packer.rows + MAX_PANEL;
                let begins = if let Finish::Begin(_) = self.packer.finish { begins } else { 0 };
                steps * panels * self.packer.width + MAX_PANEL + begins
            }
        }
    }

    /// The panels of a block, packed to `room` unless it is read in place.
    fn block<'b>(&self, rows: Range<usize>, ks: Range<usize>, room: &'b mut [T::Sum]) -> Panels<'b, T::Sum> {
        let Some((first, [row, step])) = self.in_place else {
            let (panels, steps) = (rows.len().div_ceil(self.packer.rows), ks.len().div_ceil(self.step));
            let lanes = panels * self.packer.width * steps;
            let (packed, begins) = room.split_at_mut(lanes + MAX_PANEL);
            if self.packer.width > self.packer.rows && !ks.len().is_multiple_of(self.step) {
                packed.fill(T::Sum::ZERO);
            }
            pack_panels(self.source, &self.packer, self.step, rows, ks, packed);
            match self.packer.finish {
                Finish::Nothing => {}
                // SAFETY: the panels have that many lanes.
                Finish::Shift(shift) => unsafe { shift(packed.as_mut_ptr(), lanes) },
                Finish::Begin(begin) => {
                    assert!(panels * self.packer.rows + MAX_PANEL <= begins.len());
                    // SAFETY: the number of panels is right, and there is room for the initial sums of each.
                    unsafe { begin(packed.as_ptr(), panels, steps, begins.as_mut_ptr()) };
                }
            }
            return Panels::Packed { panels: packed, width: self.packer.width, begins };
        };
        let first = first.wrapping_offset(rows.start as isize * row + ks.start as isize * step);
        if self.filled {
            let (strides, width) = ([row, step], self.packer.width);
            assert!(rows.len().div_ceil(self.packer.rows) * width * ks.len() <= room.len());
            return Panels::Filled { from: first, strides, to: room.as_mut_ptr(), width };
        }
        Panels::InPlace(first, [row, step])
    }

    /// Prefetches a block while kernels run `tiles` times for `steps`, if it is packed from memory with two tables and
    /// meets only a few panels of the other operand.
    fn prefetcher(
        &self,
        [rows, ks]: [Range<usize>; 2],
        panels: usize,
        tiles: usize,
        steps: usize,
    ) -> Prefetcher {
        let most = if self.filled { FILLED_LINES_AHEAD } else { MAX_PREFETCH_LINES };
        match self.source.as_strided().filter(|_| panels <= FEW_PANELS) {
            Some(operand) => operand.prefetcher(rows, ks, tiles, steps, most),
            None => Prefetcher::nothing(),
        }
    }

    /// Prefetches a panel of `rows` that is read in place from `first` on, while kernels run `tiles` times for `steps`.
    fn panel_prefetcher(&self, first: *const T::Sum, rows: usize, tiles: usize, steps: usize) -> Prefetcher {
        let Some(operand) = self.source.as_strided() else { return Prefetcher::nothing() };
        let axes = [&operand.rows.offsets[..rows], &operand.cols.offsets[..steps]];
        Prefetcher::new(first, axes, tiles, steps, MAX_PREFETCH_LINES)
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
        let ProductPlan { size: [.., k], blocks, .. } = self.plan;
        if *k == 0 || self.alpha == T::Sum::ZERO {
            // SAFETY: by the contract of `part` nothing else accesses this part of `C`.
            return unsafe { self.scale(rows, cols, counter) };
        }
        if let Some(along_rows) = self.plan.by_vector()
            && let (Some(a), Some(b)) = (self.a.as_strided(), self.b.as_strided())
        {
            // SAFETY: by the contract of `part` nothing else accesses this part of `C`.
            return unsafe { gemv::run(self, along_rows, [a, b], [rows, cols], counter) };
        }
        let mut scratch = Scratch::take();
        // With few steps at a time, each part of `C` is finished while it is in the second cache.
        let height = if blocks.short { blocks.m } else { rows.len() };
        for first in rows.clone().step_by(height) {
            let part = Part::new(self, first..rows.end.min(first + height), cols.clone());
            let rooms = scratch.parts::<T::Sum, 3>(part.rooms());
            // SAFETY: by the contract of `part` nothing else accesses this part of `C`; the rooms have the required size.
            unsafe { part.run(rooms, counter) };
        }
        scratch.give_back();
    }

    /// `C = beta C`.
    ///
    /// # Safety
    /// Nothing else accesses this part of `C`.
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

/// A part of `C` that is computed by blocks.
struct Part<'a, T: Element> {
    product: &'a Product<'a, T>,
    kernels: &'static Kernels<T::Sum>,
    rows: Range<usize>,
    cols: Range<usize>,
    a: Operand<'a, T>,
    b: Operand<'a, T>,
    /// `C`, if kernels write to it; otherwise sums are collected on a stage until all steps are added.
    place: Option<Place<'a, T::Sum>>,
}

/// A block of `C`: the panels whose product it is, and its destination.
struct Block<'a, S> {
    rows: Range<usize>,
    cols: Range<usize>,
    a: Panels<'a, S>,
    b: Panels<'a, S>,
    /// Packed steps.
    steps: usize,
    alpha: S,
    beta: S,
    output: Output<'a, S>,
}

impl<'a, T: Element> Part<'a, T> {
    fn new(product: &'a Product<'a, T>, rows: Range<usize>, cols: Range<usize>) -> Self {
        let ProductPlan { format, reads, staged, .. } = product.plan;
        let Packers { a: pack_a, b: pack_b, step, .. } = T::packers(format.isa);
        let a = Operand::new(product.a, pack_a, step, reads[0]);
        let b = Operand::new(product.b, pack_b, step, reads[1]);
        let place = product.c.place().filter(|_| !staged);
        Part { product, kernels: T::kernels(format.isa), rows, cols, a, b, place }
    }

    /// Columns of a block.
    fn width(&self) -> usize {
        self.product.plan.blocks.n.min(self.cols.len())
    }

    /// The space for a block of `A`, one of `B`, and the stage.
    fn rooms(&self) -> [usize; 3] {
        let steps = self.product.plan.blocks.k.min(self.product.k()).div_ceil(self.a.step);
        let height = self.product.plan.blocks.m.min(self.rows.len());
        let stage = if self.place.is_none() { self.rows.len() * self.width() } else { 0 };
        [self.a.room(height, steps), self.b.room(self.width(), steps), stage]
    }

    /// Computes all blocks.
    ///
    /// # Safety
    /// Nothing else accesses this part of `C`, and the rooms are those of [`rooms`](Self::rooms).
    unsafe fn run(&self, [a, b, stage]: [&mut [T::Sum]; 3], counter: &Counter) {
        let Part { product, rows, .. } = self;
        let axes = match self.place {
            None => [Axis::strided(rows.len(), 1), Axis::strided(self.width(), rows.len() as isize)],
            Some(_) => [Axis::default(), Axis::default()],
        };
        for jc in self.cols.clone().step_by(product.plan.blocks.n) {
            let cols = jc..self.cols.end.min(jc + product.plan.blocks.n);
            for pc in (0..product.k()).step_by(product.plan.blocks.k) {
                let ks = pc..product.k().min(pc + product.plan.blocks.k);
                let columns = self.b.block(cols.clone(), ks.clone(), b);
                let output = match &self.place {
                    Some(place) => {
                        let Place { base, rows, cols } = *place;
                        Output { base, rows, cols, origin: (0, 0), scattered: true }
                    }
                    None => {
                        let (base, [rows_of, cols_of]) = (stage.as_mut_ptr(), &axes);
                        let origin = (rows.start, jc);
                        Output { base, rows: rows_of, cols: cols_of, origin, scattered: false }
                    }
                };
                // SAFETY: the output is this part of `C`, or the stage, which is large enough.
                if !unsafe { self.block_rows([cols.clone(), ks], columns, output, a, counter) } {
                    return;
                }
            }
            if self.place.is_none() {
                // SAFETY: by the contract of `run` nothing else accesses this part of `C`.
                unsafe { product.c.put(rows.clone(), cols, stage, rows.len(), product.alpha, product.beta) };
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
        let height = product.plan.blocks.m;
        let next = ks.end..product.k().min(ks.end + product.plan.blocks.k);
        let steps = ks.len().div_ceil(self.a.step);
        let [tall, wide] = [rows.len().div_ceil(kernels.mr), cols.len().div_ceil(kernels.nr)];
        // What is read in place is prefetched panel by panel.
        let ahead_b = match self.b.in_place {
            Some(_) => Prefetcher::nothing(),
            None => self.b.prefetcher([cols.clone(), next.clone()], tall, tall * wide, steps),
        };
        let mut ahead = [Prefetcher::nothing(), ahead_b, Prefetcher::nothing()];
        let (alpha, beta) = match (self.place.is_some(), ks.start == 0) {
            (false, true) => (T::Sum::ONE, T::Sum::ZERO),
            (false, false) => (T::Sum::ONE, T::Sum::ONE),
            (true, true) => (product.alpha, product.beta),
            (true, false) => (product.alpha, T::Sum::ONE),
        };
        for ic in rows.clone().step_by(height) {
            let part = ic..rows.end.min(ic + height);
            let below = part.end..rows.end.min(part.end + height);
            let to_come = if below.is_empty() {
                [rows.start..rows.end.min(rows.start + height), next.clone()]
            } else {
                [below, ks.clone()]
            };
            ahead[0] = self.a.prefetcher(to_come, wide, part.len().div_ceil(kernels.mr) * wide, steps);
            let panels = self.a.block(part.clone(), ks.clone(), a);
            let done = part.len() * cols.len();
            let block = Block { rows: part, cols: cols.clone(), a: panels, b, steps, alpha, beta, output };
            // SAFETY: the panels are packed or valid in place, and the output is valid for the block.
            unsafe { self.tiles(&block, &mut ahead) };
            // Rounded down, so that the shares of all blocks sum to the elements of the part.
            let share = done * ks.end / product.k() - done * ks.start / product.k();
            if !counter.advance(share) {
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
        let mut corner = [T::Sum::ZERO; MAX_PANEL * MAX_COLUMNS];
        let (tall, wide) = (rows.len().div_ceil(mr), cols.len().div_ceil(nr));
        let b_in_place = !b.is_packed();
        let table = match (a.is_packed(), b_in_place) {
            (true, false) => self.kernels.packed,
            (false, false) => self.kernels.of_rows,
            _ => self.kernels.direct(b.panel(0, 0, *steps).1[1]),
        };
        let mut of_rows: Vec<Row> = Vec::with_capacity(tall);
        for part in equal_parts(rows.len(), lanes, tall) {
            let row = Row::new(output, part, rows.start, lanes);
            let follows = of_rows.last().is_some_and(|before| row.is_like(before, lanes));
            of_rows.push(Row { follows, ..row });
        }
        let of_cols: Vec<Range<usize>> = equal_parts(cols.len(), 1, wide).collect();
        // The panels that are used most often stay in the first cache.
        let all_b = self.product.plan.strip.is_some();
        // Some panels of `A` by each panel of `B`, or all: `A` and `C` are accessed in few long streams.
        let strip = self.product.plan.strip.unwrap_or(tall);
        // With few columns, all panels of `B` are in the second cache.
        let prefetch_b = |next: usize, panel_a: usize| {
            if !all_b && !self.a.filled {
                b.prefetch(next % wide, *steps, [panel_a, tall]);
            }
        };
        for from in (0..tall).step_by(strip) {
            for (panel_b, part) in of_cols.iter().enumerate() {
                let (mut panel_a, end) = (from, tall.min(from + strip));
                while panel_a < end {
                    let row = &of_rows[panel_a];
                    let count = 1 + of_rows[panel_a + 1..end].iter().take_while(|row| row.follows).count();
                    let first_row = row.rows.start - rows.start;
                    let pitch = a.pitch(row.rows.len(), *steps);
                    let filled = if panel_b == 0 { a.filled(panel_a, first_row, *steps) } else { None };
                    let (table, (a, [_, a_k]), panel, pitches) = match filled {
                        Some((place, to)) => {
                            (self.kernels.of_rows, place, to, [row.rows.len() as isize, pitch])
                        }
                        None => {
                            (table, a.panel(panel_a, first_row, *steps), std::ptr::null_mut(), [pitch, 0])
                        }
                    };
                    let begin = b.begin(panel_b, nr);
                    let next = panel_b + PANELS_AHEAD;
                    if b_in_place
                        && !all_b
                        && panel_a == 0
                        && let Some(part) = of_cols.get(next)
                    {
                        let first = b.panel(next, part.start, *steps).0;
                        ahead[1] = self.b.panel_prefetcher(first, part.len(), tall, *steps);
                    }
                    let (panel_of_b, [b_n, b_k]) = b.panel(panel_b, part.start, *steps);
                    let c_n = &output.cols.offsets[cols.start + part.start - output.origin.1..][..part.len()];
                    if !row.in_vectors {
                        let axes = [&output.rows.offsets[row.rows.clone()], c_n];
                        ahead[2] = Prefetcher::new(output.base, axes, 1, *steps, MAX_PREFETCH_LINES);
                    }
                    let fetches = !row.in_vectors
                        || *steps >= PREFETCHING_STEPS && !ahead.iter().all(Prefetcher::is_done);
                    let mut tile = Tile {
                        k: *steps,
                        a,
                        a_k,
                        b: panel_of_b,
                        b_n,
                        b_k,
                        begin,
                        panel,
                        c: output.base,
                        c_m: row.c_m,
                        c_n: c_n.as_ptr(),
                        columns: part.len(),
                        tail: row.rows.len() - (row.vectors - 1) * lanes,
                        alpha: block.alpha,
                        beta: block.beta,
                        ahead: if fetches { ahead } else { &mut [] },
                    };
                    let kernel = table[row.vectors - 1][part.len() - 1];
                    // SAFETY: the processor has the instructions of the kernels; the panels contain the tile's operands,
                    // and the output the tile.
                    unsafe {
                        if row.in_vectors {
                            for i in panel_a..panel_a + count {
                                prefetch_b(panel_b + 1, i);
                                kernel(&tile);
                                tile.a = tile.a.wrapping_offset(pitches[0]);
                                tile.panel = tile.panel.wrapping_offset(pitches[1]);
                                tile.c = tile.c.wrapping_add(row.rows.len());
                            }
                        } else {
                            prefetch_b(panel_b + 1, panel_a);
                            let cols = cols.start + part.start..cols.start + part.end;
                            self.scatter(kernel, tile, [row.rows.clone(), cols], &mut corner);
                        }
                    }
                    panel_a += count;
                }
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
            self.product.c.put(rows, cols, corner, mr, tile.alpha, tile.beta);
        }
    }
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
    let (steps, height) = (ks.len().div_ceil(step), packer.rows);
    // Space for the panels, and for what the last vector of the last panel may overwrite.
    assert!(rows.len().div_ceil(height) * steps * packer.width + height <= out.len());
    if let Some(Strided { base, rows: all, cols, .. }) = source.as_strided() {
        // SAFETY: the tables are those of the memory, and there is room for all panels.
        return unsafe {
            (packer.strided)(*base, all.part(rows), cols.part(ks), packer.unit, out.as_mut_ptr())
        };
    }
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
            unsafe { (packer.any)(pointers, part, phase, to.as_mut_ptr()) };
            k += part.offsets.len();
        });
    }
}

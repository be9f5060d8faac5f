//! Running the loops of a copy.

use super::plan::loops::CopyLoops;
use super::plan::strategy::{Kind, Strategy, Writing};
use super::tile::block::Tile;
use super::tile::rows::Rows;
use super::tile::{self, Fill, fill};
use crate::execution::Counter;
use crate::tuning::LINE;
use std::ops::Range;

/// Copies the blocks of `range`, numbered by the loops of `nest`.
///
/// # Safety
/// `from` and `to` are the addresses of offset 0; every offset of the layouts of `nest` is valid for reading and for
/// writing an element, and no other thread writes those of `range`. The processor has the instructions of the strategy.
pub(super) unsafe fn run(
    (nest, strategy): (&CopyLoops, &Strategy),
    from: *const u8,
    to: *mut u8,
    range: Range<usize>,
    counter: &Counter,
) {
    let mut at = Position::new(nest, range.start, from, to);
    let tiles = tile::of(strategy.isa);
    let mut writer = Writer::new(nest, strategy.rows, at.to);
    for index in range.clone() {
        let (block, to) = (at.block(nest), at.to);
        let ends = at.advance(nest) >= nest.sweep || index + 1 == range.end;
        // SAFETY: the rows and columns of the block and of the next one belong to the layouts.
        unsafe {
            match &mut writer {
                Writer::InPlace(rows) => {
                    in_place(tiles, nest, strategy, rows, to, &block, (!ends).then_some(at.from));
                }
                Writer::Whole(rows) => whole(tiles, nest, strategy, rows, to, &block),
            }
        }
        // At the end of a sweep and of the range, the rows are completed.
        let stop = !counter.advance(1);
        if ends || stop {
            // SAFETY: the rows that were begun belong to the layouts, and their bytes have been stored.
            unsafe { writer.end() };
        }
        if stop {
            break;
        }
    }
    if nest.streaming {
        // SAFETY: the processor has the instructions.
        unsafe { tiles.lines.fence() };
    }
}

/// A step of the loops, and the addresses of its block.
struct Position {
    steps: Vec<usize>,
    from: *const u8,
    to: *mut u8,
}

impl Position {
    fn new(nest: &CopyLoops, index: usize, from: *const u8, to: *mut u8) -> Position {
        let (from, to) = (from.wrapping_offset(nest.start[0]), to.wrapping_offset(nest.start[1]));
        let mut position = Position { steps: vec![0; nest.loops.len()], from, to };
        let mut rest = index;
        for (step, l) in position.steps.iter_mut().zip(&nest.loops) {
            (*step, rest) = (rest % l.count, rest / l.count);
            position.from = position.from.wrapping_offset(*step as isize * l.strides[0]);
            position.to = position.to.wrapping_offset(*step as isize * l.strides[1]);
        }
        position
    }

    /// Whether this is the last step of a loop, if there is one.
    fn is_last(&self, nest: &CopyLoops, cut: usize) -> bool {
        cut < nest.loops.len() && self.steps[cut] + 1 == nest.loops[cut].count
    }

    /// The rows and columns to be read here.
    fn block<'a>(&self, nest: &'a CopyLoops) -> Tile<'a> {
        let CopyLoops { rows, columns, .. } = nest;
        let row_count = if self.is_last(nest, rows.cut) { rows.last } else { rows.len() };
        let column_count = if self.is_last(nest, columns.cut) { columns.last } else { columns.len() };
        Tile {
            from: self.from,
            // Elements in the caches are not prefetched.
            next: self.from.wrapping_offset(nest.loops.first().map_or(0, |l| l.strides[0])),
            rows: row_count,
            row_from: &rows.offsets[0][..row_count.min(rows.offsets[0].len())],
            columns: column_count,
            column_from: &columns.offsets[0][..column_count.min(columns.offsets[0].len())],
            row_to: &[],
            unit: nest.unit,
            // If a run was cut, its piece is the only column, and the first loop goes over its pieces.
            piece: if self.is_last(nest, 0) { nest.last_piece } else { nest.piece },
        }
    }

    /// Moves to the next block. Returns how many loops start again.
    fn advance(&mut self, nest: &CopyLoops) -> usize {
        for (i, l) in nest.loops.iter().enumerate() {
            self.steps[i] += 1;
            self.from = self.from.wrapping_offset(l.strides[0]);
            self.to = self.to.wrapping_offset(l.strides[1]);
            if self.steps[i] < l.count {
                return i;
            }
            self.steps[i] = 0;
            self.from = self.from.wrapping_offset(-(l.strides[0] * l.count as isize));
            self.to = self.to.wrapping_offset(-(l.strides[1] * l.count as isize));
        }
        nest.loops.len()
    }
}

/// How the rows of blocks are written.
enum Writer {
    InPlace(InPlace),
    /// Past the caches in whole lines, wherever in a line they begin.
    Whole(WholeLines),
}

/// Rows that are written where they belong.
struct InPlace {
    to: Vec<*mut u8>,
    /// Whether they are written past the caches.
    streaming: bool,
    /// The columns before the first whole line of each row.
    lead: usize,
    /// Whether those of the next block were written with the last one.
    begun: bool,
    /// The columns of a block, and those of the next one that complete its last line.
    columns: Vec<isize>,
}

/// Rows that are written past the caches in whole lines.
struct WholeLines {
    rows: Rows,
    /// How many were begun.
    begun: usize,
    /// How many rows of a block are staged together; 0 if none is.
    several: usize,
    /// How many are contiguous in the destination.
    merged: usize,
    /// Where each of them is staged.
    to: Vec<*mut u8>,
    /// The row, the stage and the bytes of those that are written as one.
    groups: Vec<(usize, *mut u8, usize)>,
}

impl Writer {
    /// The writer of the strategy, for loops whose first block goes to `to`.
    fn new(nest: &CopyLoops, writing: Writing, to: *mut u8) -> Writer {
        let rows = nest.rows.len();
        match writing {
            Writing::InPlace { .. } | Writing::Shifted => Writer::InPlace(InPlace {
                to: vec![std::ptr::null_mut(); nest.rows.offsets[1].len()],
                streaming: writing != Writing::InPlace { streams: false },
                lead: match writing {
                    Writing::Shifted => (to as usize).wrapping_neg() % LINE / nest.unit,
                    _ => 0,
                },
                begun: false,
                columns: Vec::new(),
            }),
            Writing::Carried | Writing::Staged(_) => {
                let (several, merged) = match writing {
                    Writing::Staged(several) => (several, nest.merged),
                    _ => (0, 1),
                };
                Writer::Whole(WholeLines {
                    rows: Rows::new(rows.div_ceil(merged)),
                    begun: 0,
                    several,
                    merged,
                    to: vec![std::ptr::null_mut(); several],
                    groups: Vec::with_capacity(several),
                })
            }
        }
    }

    /// Writes the rest of the rows that were begun.
    ///
    /// # Safety
    /// They are rows of the destination, and all of their bytes have been stored.
    unsafe fn end(&mut self) {
        if let Writer::Whole(whole) = self {
            // SAFETY: the rows were begun, and their bytes stored.
            (0..std::mem::take(&mut whole.begun)).for_each(|row| unsafe { whole.rows.end(row) });
        }
    }
}

/// Writes a block to its rows in place. If these begin within a line, the last line of the block continues in the block
/// that is read from `next`, and is written with this one.
///
/// # Safety
/// `to` and the offsets of rows and columns are valid for the block and the next one, and nothing else writes to these.
unsafe fn in_place(
    tiles: Fill,
    nest: &CopyLoops,
    strategy: &Strategy,
    rows: &mut InPlace,
    to: *mut u8,
    block: &Tile,
    next: Option<*const u8>,
) {
    let InPlace { to: places, lead, begun, columns, .. } = rows;
    let count = block.column_from.len();
    let mut write = |columns: &[isize], first: usize, streaming: bool| {
        let offsets = &nest.rows.offsets[1][..block.row_from.len()];
        for (place, &offset) in places.iter_mut().zip(offsets) {
            *place = to.wrapping_offset(offset).wrapping_add(first * nest.unit);
        }
        let row_to = &places[..offsets.len()];
        let count = if *lead == 0 { block.columns } else { columns.len() };
        let tile = Tile { row_to, column_from: columns, columns: count, ..*block };
        // SAFETY: the rows and columns are those of the layouts.
        unsafe { fill(tiles, &strategy.tile, streaming, &tile) };
    };
    if *lead == 0 {
        return write(block.column_from, 0, rows.streaming);
    }
    columns.clear();
    columns.extend_from_slice(block.column_from);
    let mut whole = count - LINE / nest.unit;
    if let Some(next) = next {
        let step = (next as isize).wrapping_sub(block.from as isize);
        columns.extend(block.column_from[..*lead].iter().map(|column| column.wrapping_add(step)));
        whole = count;
    }
    if !std::mem::replace(begun, next.is_some()) {
        write(&columns[..*lead], 0, false);
    }
    if next.is_none() {
        write(&columns[*lead + whole..], *lead + whole, false);
    }
    if whole > 0 {
        write(&columns[*lead..*lead + whole], *lead, rows.streaming);
    }
}

/// Writes a block to rows that may begin within a line; those that are contiguous in the destination are written as one.
///
/// # Safety
/// As for [`in_place`].
unsafe fn whole(
    tiles: Fill,
    nest: &CopyLoops,
    strategy: &Strategy,
    whole: &mut WholeLines,
    to: *mut u8,
    block: &Tile,
) {
    let (offsets, count, merged) = (&nest.rows.offsets, block.row_from.len(), whole.merged);
    if whole.begun == 0 {
        whole.begun = count.div_ceil(merged);
        for row in 0..whole.begun {
            whole.rows.begin(row, to.wrapping_offset(offsets[1][row * merged]));
        }
    }
    // SAFETY: the rows and columns belong to the layouts, and the rows were begun.
    unsafe {
        match &strategy.tile {
            _ if whole.several > 0 => staged(tiles, nest, strategy, whole, block),
            Kind::Transposed(by) => tiles.lines.carry_transposed(by, block, &mut whole.rows),
            _ => tiles.lines.carry_pieces(block, &mut whole.rows),
        }
    }
}

/// Collects rows on a stage, several at a time.
///
/// # Safety
/// As for [`in_place`]; the rows were begun.
unsafe fn staged(tiles: Fill, nest: &CopyLoops, strategy: &Strategy, whole: &mut WholeLines, block: &Tile) {
    let (offsets, count, merged) = (&nest.rows.offsets[0], block.row_from.len(), whole.merged);
    let row_bytes = block.bytes();
    // For each, a line that is carried, and one that continues in the next part.
    let lines = (whole.several * nest.row_bytes()).div_ceil(LINE) + 2 * whole.several;
    let stage = whole.rows.stage(lines).cast::<u8>();
    for top in (0..count).step_by(whole.several) {
        let end = (top + whole.several).min(count);
        let (mut row, mut line) = (top, 0);
        while row < end {
            let group = (merged - row % merged).min(end - row);
            let (first, have) = (stage.wrapping_add(line * LINE), whole.rows.place(row / merged));
            for i in 0..group {
                whole.to[row - top + i] = first.wrapping_add(have + i * row_bytes);
            }
            whole.groups.push((row / merged, first, group * row_bytes));
            line += (have + group * row_bytes) / LINE + 1;
            row += group;
        }
        let shift = offsets[top];
        let part = Tile {
            from: block.from.wrapping_offset(shift),
            next: block.next.wrapping_offset(shift),
            rows: end - top,
            row_from: &offsets[..end - top],
            row_to: &whole.to[..end - top],
            ..*block
        };
        // SAFETY: the rows and columns belong to the layouts, and the stage holds several rows.
        unsafe {
            fill(tiles, &strategy.tile, false, &part);
            for (row, from, bytes) in whole.groups.drain(..) {
                tiles.lines.advance(&mut whole.rows, row, from, bytes);
            }
        }
    }
}

//! From joint modes to the loops of a copy.
//!
//! ```text
//! joint modes          the loops both layouts share, sorted by the destination, coalesced (modes.rs)
//! piece                what is contiguous in both: one element, or a run of them
//! columns              modes that are contiguous in the destination, beginning with the piece
//! rows                 modes that are contiguous in the source, or come nearest to it
//! block                as many rows and columns as lie in the first-level cache; the rest are loops around it
//! ```

use crate::cost;
use crate::cpu::cache::Caches;
use crate::error::{Error, count};
use crate::loops::modes::Mode;
use crate::offset_layout::OffsetLayout;
use crate::simd::strided::{MAX_FIELDS, step_of};
use crate::tuning::LINE;
use crate::tuning::copy::{
    CACHED_ROW_BYTES, FEW_ROW_BYTES, MAX_COLUMNS, MIN_PIECES, MIN_TRANSPOSED_BYTES, PIECES_BYTES, ROW_BYTES,
    SHORT_ROW_BYTES, STAGE_BYTES, STEPPED_BYTES, STRIP_LINES,
};
use std::fmt::Write;
use tilework::__private::gcd;
use tilework::__private::sort_by_key;
use tilework::{HTuple, Layout, Leaf};

/// The operands, as errors name them.
pub(crate) const SOURCE: &str = "the source";
pub(crate) const DESTINATION: &str = "the destination";

/// The method by which a tile is filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    /// Pieces that are contiguous in both.
    Pieces,
    /// Pieces that repeat one element.
    Splat,
    /// Elements contiguous along the rows in the source and along the columns in the destination.
    Transpose,
    /// A few columns, arrays of elements, that become the fields of the rows, contiguous structures.
    Interleave,
    /// The inverse: columns are contiguous structures, whose fields become the rows.
    Split,
    /// Elements that are not contiguous in the destination.
    Scatter,
}

/// In which order a tile is transposed through the caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// A line of each row, from the first column to the last, while the next line of each row is prefetched.
    Rows,
    /// A line of each column, from the first row to the last: the same for elements of 1 and 2 bytes if rows begin at lines.
    Columns,
}

impl Order {
    /// The order for rows of elements of `unit` bytes.
    fn new(rows: &[Mode<2>], unit: usize) -> Order {
        if unit <= 2 && rows_begin_at_lines(rows, unit) { Order::Columns } else { Order::Rows }
    }
}

/// Whether rows of elements of `unit` bytes, which are contiguous in the source, all begin at lines if the first does.
pub(crate) fn rows_begin_at_lines(modes: &[Mode<2>], unit: usize) -> bool {
    let rows = modes.iter().find(|mode| mode.strides[0] == unit as isize);
    rows.is_some_and(|mode| mode.strides[1] % LINE as isize == 0)
}

/// A loop around the tiles, with the bytes that source and destination move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    pub count: usize,
    pub strides: [isize; 2],
}

/// One direction of a tile: the offsets of its pieces in the source and in the destination, and how its last mode is
/// cut.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    /// How many pieces a full block has.
    count: usize,
    /// In the source and in the destination, in bytes from the first; only the first if the step is enough.
    pub offsets: [Vec<isize>; 2],
    /// The distance between pieces in the source and in the destination, if it is constant.
    pub step: Option<[isize; 2]>,
    /// Whether each begins a line, if the first does.
    in_lines: bool,
    /// The number of pieces in the last block of the mode that was cut; all, if none was.
    pub last: usize,
    /// The loop over the blocks of that mode; any, if none was cut.
    pub cut: usize,
}

/// The loops of a copy, in bytes.
#[derive(Clone, Debug)]
pub(crate) struct CopyLoops {
    pub method: Method,
    /// Of squares through the caches.
    pub order: Order,
    /// Bytes of an element, or of the elements that are moved as one.
    pub unit: usize,
    /// Bytes of a column.
    pub piece: usize,
    /// The same in the last block; less if a run was cut.
    pub last_piece: usize,
    pub rows: Side,
    pub columns: Side,
    /// Innermost first. The first `sweep` of them continue along the columns.
    pub loops: Vec<Loop>,
    pub sweep: usize,
    /// The offsets of the first elements, relative to the layouts' offset 0.
    pub start: [isize; 2],
    /// How many rows are contiguous in the destination.
    pub merged: usize,
    /// Whether columns are elements that vectors gather.
    pub gathers: bool,
    /// Whether the destination is written past the caches.
    pub streaming: bool,
    /// Whether all rows of all blocks are whole lines, if the first is aligned to one.
    pub aligned: bool,
}

/// Refuses loops over more elements of an operand than any memory has.
pub(crate) fn check_bytes(modes: &[Mode<2>], operand: usize, element: usize) -> Result<(), Error> {
    let reach = |mode: &Mode<2>| (mode.extent - 1) as u128 * mode.strides[operand].unsigned_abs() as u128;
    let bytes = (modes.iter().map(reach).sum::<u128>() + 1).saturating_mul(element as u128);
    if bytes <= isize::MAX as u128 { Ok(()) } else { Err(Error::Memory { bytes }) }
}

/// Refuses loops that reach an offset of the destination twice.
pub(crate) fn check_apart(modes: &[Mode<2>]) -> Result<(), Error> {
    // Nearly always each stride exceeds the reach of all smaller ones.
    let mut reach = 0isize;
    let apart = modes.iter().all(|mode| {
        let longer = mode.strides[1] > reach;
        reach = reach.saturating_add(mode.strides[1].saturating_mul(mode.extent as isize - 1));
        longer
    });
    if apart {
        return Ok(());
    }
    let leaves = modes.iter().map(|mode| HTuple::leaf(Leaf::new(mode.extent as i64, mode.strides[1] as i64)));
    let layout = Layout::new(HTuple::tuple(&leaves.collect::<Vec<_>>())?)?;
    OffsetLayout::new(DESTINATION, &layout, 0)?.check_apart(DESTINATION)
}

/// The bytes that are moved as one.
pub(crate) struct Piece {
    pub method: Method,
    /// Bytes of an element, or of a few that are contiguous in both.
    pub unit: usize,
    /// Bytes that are contiguous in the destination, and in the source contiguous or one repeated element.
    pub run: usize,
}

impl Piece {
    /// Takes the mode that is contiguous in the destination and has stride 1 or 0 in the source, if there is one.
    pub(crate) fn take(modes: &mut Vec<Mode<2>>, element: usize) -> Piece {
        let own = element as isize;
        let (mut unit, mut run, mut splat) = (element, element, false);
        if let Some(Mode { extent, strides: [from, to] }) = modes.first().copied()
            && to == own
            && (from == own || from == 0)
        {
            modes.remove(0);
            (run, splat) = (extent * element, from == 0);
            if !splat && run <= 16 && run.is_power_of_two() {
                unit = run;
            }
        }
        let in_destination = modes.is_empty() || modes.iter().any(|mode| mode.strides[1] == unit as isize);
        let method = if splat {
            Method::Splat
        } else if run > unit {
            Method::Pieces
        } else if !in_destination {
            Method::Scatter
        } else if matches!(unit, 1 | 2 | 4 | 8) && is_long(modes, 0, unit) && is_long(modes, 1, unit) {
            Method::Transpose
        } else {
            Method::Pieces
        };
        Piece { method, unit, run }
    }
}

/// Whether the contiguous bytes of operand `by` fill a lane of a register.
fn is_long(modes: &[Mode<2>], by: usize, unit: usize) -> bool {
    let mut bytes = unit;
    while bytes < 16
        && let Some(next) = modes.iter().find(|mode| mode.strides[by] == bytes as isize)
    {
        bytes *= next.extent;
    }
    bytes >= 16
}

impl CopyLoops {
    /// Distributes the modes over columns, rows and loops.
    pub(crate) fn arrange(&mut self, mut modes: Vec<Mode<2>>, run: usize, caches: Caches) {
        if self.piece < run {
            // The blocks of a run are the first loop along the columns.
            let count = run.div_ceil(self.piece);
            self.last_piece = run - (count - 1) * self.piece;
            let step = self.piece as isize;
            let from = if self.method == Method::Splat { 0 } else { step };
            self.loops.push(Loop { count, strides: [from, step] });
        }
        let [rows, columns] = self.sides(&mut modes, run);
        let length = |side: &[Mode<2>]| side.iter().map(|mode| mode.extent).product::<usize>() * run;
        if self.method == Method::Transpose && length(&rows).min(length(&columns)) < MIN_TRANSPOSED_BYTES {
            self.method = Method::Pieces;
        }
        let transposed = self.method == Method::Transpose;
        let (mut line, mut strip, mut unit) = (1, 1, 1);
        let (mut row_bytes, block) = self.sizes(caches);
        if transposed {
            line = LINE / self.unit;
            // A narrower strip costs as much as a full one.
            let lines = if self.streaming { STRIP_LINES * line } else { line };
            (strip, unit) = (lines, whole_lines(&columns, lines));
            if unit == 1 {
                (strip, unit) = (line, whole_lines(&columns, line));
            }
            self.order = Order::new(&rows, self.unit);
            row_bytes = row_bytes.min((4 * block / unit).max(SHORT_ROW_BYTES));
        }
        let interleaved = self.method == Method::Interleave;
        if interleaved {
            (line, strip, row_bytes) = (LINE, LINE, STEPPED_BYTES / columns[0].extent);
        }
        let stepped = self.gathers || matches!(self.method, Method::Scatter | Method::Split);
        if stepped {
            line = LINE / self.unit.min(LINE);
        }
        if self.gathers && rows.iter().all(|mode| mode.strides[0].unsigned_abs() >= LINE) {
            // Rows that share no lines: as many as needed for a block of short rows to be worth a step of the loops.
            row_bytes = STAGE_BYTES / length(&columns) * self.piece;
        }
        let row_loops = self.rows.fill(&rows, (row_bytes / self.piece).max(1), line, 0, !interleaved);
        // If a run was cut, its piece is the only column, since the last one is shorter.
        let most = match transposed {
            true => cost::columns_at_hand(&columns),
            false if self.piece < run => 1,
            false => MAX_COLUMNS,
        };
        let mut target = (block / (self.rows.len() * self.piece)).clamp(1, most).next_multiple_of(unit);
        // Longer sweeps, and none of few columns.
        let whole = if transposed { (4 * target).min(most) } else { 0 };
        if let (true, [Mode { strides: [from, to], .. }]) = (stepped, &columns[..]) {
            let step = from.unsigned_abs().max(to.unsigned_abs());
            // Structures are read once for all their fields.
            let passes = if self.method == Method::Split { 1 } else { self.rows.len() };
            target = (STEPPED_BYTES / step.saturating_mul(passes)).max(MAX_COLUMNS);
        }
        self.columns.cut = self.loops.len();
        self.loops.extend(self.columns.fill(&columns, target, strip, whole, !stepped));
        self.sweep = if self.method == Method::Scatter { 0 } else { self.loops.len() };
        let mut outer: Vec<(usize, Loop)> = row_loops.into_iter().enumerate().collect();
        outer.extend(as_loops(&modes).map(|l| (usize::MAX, l)));
        sort_by_key(&mut outer, |(_, l)| l.strides[0].unsigned_abs());
        for (which, l) in outer {
            if which == 0 {
                self.rows.cut = self.loops.len();
            }
            self.loops.push(l);
        }
        self.merged = self.merged_rows();
        self.aligned = self.in_lines();
    }

    /// The contiguous bytes of the source that rows should have, and the bytes of a block.
    fn sizes(&self, caches: Caches) -> (usize, usize) {
        let (through, past) = (cost::block_of_copy(caches, false), cost::block_of_copy(caches, true));
        let long = self.streaming && self.method == Method::Pieces && self.piece > self.unit;
        match self.method {
            Method::Transpose if !self.streaming => (CACHED_ROW_BYTES, through),
            _ if long && self.piece.is_multiple_of(LINE) => (PIECES_BYTES, through),
            _ if long => (PIECES_BYTES / 2, past),
            _ => (ROW_BYTES, past),
        }
    }

    /// Describes the block and the loops, line by line.
    pub(crate) fn explain(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "tile: {} near each other in the source, {} of {} in the destination",
            count(self.rows.len(), "row"),
            count(self.columns.len(), "column"),
            count(self.piece, "byte")
        );
        for (i, l) in self.loops.iter().enumerate() {
            let along = if i < self.sweep { ", along the columns" } else { "" };
            let [from, to] = l.strides;
            let _ = writeln!(
                text,
                "loop {i}: {} times, {from} bytes on in the source, {to} in the destination{along}",
                l.count
            );
        }
    }

    /// The method by which the first modes are a few fields and contiguous structures of them, in the destination or in the source.
    pub(crate) fn fields(&self, modes: &[Mode<2>]) -> Option<Method> {
        let unit = self.unit as isize;
        let is = |fields: &Mode<2>, structures: &Mode<2>, of: usize| {
            let mut strides = [unit; 2];
            strides[of] *= fields.extent as isize;
            fields.strides[of] == unit
                && fields.extent <= MAX_FIELDS
                && structures.strides == strides
                && structures.extent * self.unit >= LINE
        };
        match modes {
            _ if !matches!(self.method, Method::Pieces | Method::Transpose)
                || !matches!(self.unit, 1 | 2 | 4 | 8)
                || self.piece != self.unit =>
            {
                None
            }
            [fields, structures, ..] if is(fields, structures, 1) => Some(Method::Interleave),
            [structures, fields, ..] if is(fields, structures, 0) => Some(Method::Split),
            _ => None,
        }
    }

    /// Whether a contiguous line of the destination is gathered from a few lines of the source.
    pub(crate) fn is_gathered(&self, modes: &[Mode<2>]) -> bool {
        let columns = modes.iter().find(|mode| mode.strides[1] == self.unit as isize);
        let long = columns.filter(|mode| mode.extent * self.unit >= 2 * LINE);
        self.method == Method::Pieces
            && self.piece == self.unit
            && long.is_some_and(|mode| step_of(self.unit, mode.strides[0]).is_some())
    }

    /// Takes the modes of rows and columns: both grow by the mode that continues them, in the source or in the destination.
    fn sides(&self, modes: &mut Vec<Mode<2>>, run: usize) -> [Vec<Mode<2>>; 2] {
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        let (mut near, mut far) = (run, run);
        // If columns are not contiguous, those nearest in the destination are taken.
        if self.method == Method::Scatter {
            columns.push(modes.remove(0));
            far = usize::MAX;
        }
        if matches!(self.method, Method::Interleave | Method::Split) {
            columns.push(modes.remove(0));
            rows.push(modes.remove(0));
            return [rows, columns];
        }
        if self.method == Method::Transpose {
            for (side, by, length) in [(&mut rows, 0, &mut near), (&mut columns, 1, &mut far)] {
                if let Some(i) = modes.iter().position(|mode| mode.strides[by] == run as isize) {
                    *length *= modes[i].extent;
                    side.push(modes.remove(i));
                }
            }
        }
        // Columns that are gathered have one step.
        if self.gathers
            && let Some(i) = modes.iter().position(|mode| mode.strides[1] == run as isize)
        {
            columns.push(modes.remove(i));
            far = usize::MAX;
        }
        // The shorter one takes the next mode that it can, so that both fill their lines.
        loop {
            let next_row = modes.iter().position(|mode| mode.strides[0] == near as isize);
            let next_column = modes.iter().position(|mode| mode.strides[1] == far as isize);
            // A mode that both could take goes to the columns, unless the rows do not have a few lines yet: lines that
            // are written in part cost more than short reads.
            let enough = if next_row == next_column { FEW_ROW_BYTES } else { ROW_BYTES };
            let next_row = next_row.filter(|_| self.method != Method::Splat && near < enough);
            match (next_row, next_column) {
                (Some(i), column) if near <= far || column.is_none() => {
                    near *= modes[i].extent;
                    rows.push(modes.remove(i));
                }
                (_, Some(i)) => {
                    far *= modes[i].extent;
                    columns.push(modes.remove(i));
                }
                _ => break,
            }
        }
        if rows.is_empty() && self.method != Method::Transpose && run < ROW_BYTES {
            // No row is contiguous in the source: prefer those that share a line.
            let shares_lines = |&i: &usize| (1..LINE).contains(&modes[i].strides[0].unsigned_abs());
            let nearest = (0..modes.len()).filter(shares_lines);
            if let Some(i) = nearest.min_by_key(|&i| modes[i].strides[0].unsigned_abs()) {
                rows.push(modes.remove(i));
            } else if self.gathers && !modes.is_empty() {
                rows.push(modes.remove(0));
            }
        }
        // A block of a few pieces takes less time than a step of the loops around it. Streamed rows are collected to
        // whole lines, in the order of the destination.
        let pieces = |side: &[Mode<2>]| side.iter().map(|mode| mode.extent).product::<usize>();
        while self.method != Method::Transpose
            && !self.streaming
            && run < ROW_BYTES
            && !modes.is_empty()
            && pieces(&rows) * pieces(&columns) < MIN_PIECES
        {
            rows.push(modes.remove(0));
        }
        [rows, columns]
    }

    /// Whether all rows of all blocks are whole lines.
    fn in_lines(&self) -> bool {
        let lines = |bytes: isize| bytes % LINE as isize == 0;
        lines((self.columns.len() * self.piece) as isize)
            && lines((self.columns.last * self.piece) as isize)
            && self.rows.in_lines
            && self.loops.iter().all(|l| lines(l.strides[1]))
    }

    /// Bytes of one row of a full block.
    pub(crate) fn row_bytes(&self) -> usize {
        self.columns.len() * self.piece
    }

    /// The number of rows in each contiguous group: rows are a product of modes, so all groups are equal, except in the
    /// last block.
    fn merged_rows(&self) -> usize {
        let (row, to) = (self.row_bytes() as isize, &self.rows.offsets[1]);
        if self.sweep_blocks() > 1 {
            return 1;
        }
        (1..to.len()).find(|&i| to[i] - to[i - 1] != row).unwrap_or(to.len())
    }

    /// The number of blocks along the columns.
    pub(crate) fn sweep_blocks(&self) -> usize {
        self.loops[..self.sweep].iter().map(|l| l.count).product()
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> usize {
        self.loops.iter().map(|l| l.count).product()
    }
}

impl Side {
    /// How many pieces a full block has.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Takes `target` pieces. The last mode is cut, if possible at a multiple of `line` pieces, unless at most `most`
    /// result; the rest become loops. Without `tables`, there is one mode.
    fn fill(
        &mut self,
        modes: &[Mode<2>],
        target: usize,
        line: usize,
        most: usize,
        tables: bool,
    ) -> Vec<Loop> {
        let mut loops = Vec::new();
        (self.count, self.offsets) = (1, [vec![0], vec![0]]);
        (self.step, self.in_lines) = (None, true);
        self.last = 1;
        for (i, mode) in modes.iter().enumerate() {
            let before = self.len();
            let whole = line / gcd(line as u64, before as u64) as usize;
            // A mode that is not much longer is not cut.
            let target = if before * mode.extent <= most { before * mode.extent } else { target };
            // Equal parts, up to rounding.
            let parts = mode.extent.div_ceil(target.div_ceil(before).next_multiple_of(whole));
            let wanted = mode.extent.div_ceil(parts).next_multiple_of(whole).min(mode.extent);
            self.count *= wanted;
            for (offsets, stride) in self.offsets.iter_mut().zip(mode.strides).filter(|_| tables) {
                // If the first mode is long, this is most of the planning time: offsets are doubled in place, vectorised.
                offsets.reserve_exact(self.count - before);
                while offsets.len() < self.count {
                    let done = offsets.len();
                    offsets.extend_from_within(..done.min(self.count - done));
                    let shift = (done / before) as isize * stride;
                    offsets[done..].iter_mut().for_each(|offset| *offset += shift);
                }
            }
            if wanted > 1 {
                let goes_on = self
                    .step
                    .is_some_and(|step| step.map(|step| step.wrapping_mul(before as isize)) == mode.strides);
                self.step = if before == 1 { Some(mode.strides) } else { self.step.filter(|_| goes_on) };
                self.in_lines &= mode.strides[1] % LINE as isize == 0;
            }
            self.last = self.len();
            if wanted < mode.extent {
                let count = mode.extent.div_ceil(wanted);
                self.last = before * (mode.extent - (count - 1) * wanted);
                loops.push(Loop { count, strides: mode.strides.map(|stride| stride * wanted as isize) });
                loops.extend(as_loops(&modes[i + 1..]));
                break;
            }
        }
        loops
    }
}

/// The fewest columns that form whole lines and divide their mode into whole lines; 1 if those are too many.
fn whole_lines(columns: &[Mode<2>], line: usize) -> usize {
    let mut before = 1;
    for (i, mode) in columns.iter().enumerate() {
        let whole = line / gcd(line as u64, before as u64) as usize;
        if mode.extent.is_multiple_of(whole) || i + 1 == columns.len() {
            let unit = before * whole.min(mode.extent);
            return if unit <= MAX_COLUMNS { unit } else { 1 };
        }
        before *= mode.extent;
    }
    1
}

fn as_loops(modes: &[Mode<2>]) -> impl Iterator<Item = Loop> {
    modes.iter().map(|mode| Loop { count: mode.extent, strides: mode.strides })
}

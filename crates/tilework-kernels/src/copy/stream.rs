//! Writing past the caches: rows are gathered in a buffer and leave it as whole, aligned lines.
//!
//! A store into a line that is not in the cache reads it first; streaming a whole line does not, which saves a third of
//! the traffic of a copy. Rows begin anywhere in a line; so the buffer keeps the incomplete last line of every row, and
//! only the first and last line of a row are written in part.

use crate::simd::lanes::{Lanes, Line};
use crate::tuning::LINE;

/// The unwritten bytes of one row.
#[derive(Clone, Copy)]
struct Row {
    /// The line that is written next. Its first bytes may belong to another row, or be in `carry`.
    line: *mut u8,
    /// How many bytes of that line are in `carry` or belong to another row.
    have: usize,
    /// How many of them belong to another row, and must not be written.
    skip: usize,
}

/// Rows that are being written, and the stage on which parts of them are collected.
pub(super) struct Rows {
    rows: Vec<Row>,
    carry: Vec<Line>,
    stage: Vec<Line>,
    /// The first line of the stage that is free.
    free: usize,
}

impl Rows {
    /// `rows` rows, of which `several` together get at most `bytes` at a time.
    pub(super) fn new(rows: usize, several: usize, bytes: usize) -> Rows {
        let zero = Line([0; LINE]);
        // For each, a line that is carried, and one that continues in the next part.
        let stage = vec![zero; bytes.div_ceil(LINE) + 2 * several];
        let row = Row { line: std::ptr::null_mut(), have: 0, skip: 0 };
        Rows { rows: vec![row; rows], carry: vec![zero; rows], stage, free: 0 }
    }

    /// Begins row `row` at `to`.
    pub(super) fn begin(&mut self, row: usize, to: *mut u8) {
        let skip = to as usize % LINE;
        self.rows[row] = Row { line: to.wrapping_sub(skip), have: skip, skip };
    }

    /// A place on the stage for the next `bytes` bytes of row `row`, and the address of its first line.
    pub(super) fn open(&mut self, row: usize, bytes: usize) -> Place {
        let have = self.rows[row].have;
        let line = self.free;
        self.stage[line] = self.carry[row];
        self.free += (have + bytes) / LINE + 1;
        Place { row, line, bytes }
    }

    /// The address at which the bytes of `place` are to be stored.
    pub(super) fn bytes_of(&mut self, place: &Place) -> *mut u8 {
        self.stage[place.line..].as_mut_ptr().cast::<u8>().wrapping_add(self.rows[place.row].have)
    }

    /// Writes the whole lines of a row whose bytes are stored at `place`, and keeps the rest.
    ///
    /// # Safety
    /// The destination is valid for writes of these bytes, and the processor has the instructions of `S`.
    #[inline(always)]
    pub(super) unsafe fn advance<S: Lanes>(&mut self, place: &Place) {
        let Row { line, have, skip } = &mut self.rows[place.row];
        let lines = (*have + place.bytes) / LINE;
        let stage = &self.stage[place.line..][..lines + 1];
        *have = (*have + place.bytes) % LINE;
        let mut first = 0;
        // SAFETY: the lines are within the row, except the part of the first that is left out.
        unsafe {
            if *skip > 0 && lines > 0 {
                let (from, to) = (stage[0].0.as_ptr().add(*skip), line.wrapping_add(*skip));
                std::ptr::copy_nonoverlapping(from, to, LINE - *skip);
                (first, *skip) = (1, 0);
            }
            for (i, from) in stage[..lines].iter().enumerate().skip(first) {
                S::stream_line(line.wrapping_add(i * LINE), from.0.as_ptr());
            }
        }
        *line = line.wrapping_add(lines * LINE);
        self.carry[place.row] = stage[lines];
    }

    /// Clears the stage.
    pub(super) fn clear(&mut self) {
        self.free = 0;
    }

    /// Writes the rest of row `row`.
    ///
    /// # Safety
    /// As [`advance`](Self::advance).
    pub(super) unsafe fn end(&mut self, row: usize) {
        let Row { line, have, skip } = self.rows[row];
        let carry = self.carry[row].0.as_ptr();
        // SAFETY: the bytes from `skip` to `have` have been stored, and belong to the row.
        unsafe { std::ptr::copy_nonoverlapping(carry.add(skip), line.wrapping_add(skip), have - skip) };
    }
}

/// See [`Rows::open`].
#[derive(Clone, Copy)]
pub(super) struct Place {
    row: usize,
    line: usize,
    bytes: usize,
}

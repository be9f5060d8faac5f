//! Writing past the caches: rows are gathered in a buffer and leave it as whole, aligned lines.
//!
//! A store into a line that is not in the cache reads it first; streaming a whole line does not, which saves a third of
//! the traffic of a copy. Rows begin anywhere in a line; so every row keeps in the buffer what does not fill a line yet, and only its
//! first and last line are written in part.

use crate::simd::lanes::{Lanes, Line};
use crate::tuning::LINE;

/// What is not yet written of one row.
#[derive(Clone, Copy)]
struct Row {
    /// The line that is to be written next, of which the first bytes may not be written, or stand in `carry`.
    line: *mut u8,
    /// How many bytes of that line are in `carry`, or not of this row.
    have: usize,
    /// How many of them are not of this row, and may not be written.
    skip: usize,
}

/// Rows that are being written, and the place where parts of them are put together.
pub(super) struct Rows {
    rows: Vec<Row>,
    carry: Vec<Line>,
    stage: Vec<Line>,
    /// The first line of the stage that is free.
    free: usize,
}

impl Rows {
    /// `rows` rows, of which several together get at most `bytes` at a time.
    pub(super) fn new(rows: usize, several: usize, bytes: usize) -> Rows {
        let zero = Line([0; LINE]);
        // For each a line that is carried, and one that goes on to the next.
        let stage = vec![zero; bytes.div_ceil(LINE) + 2 * several];
        let row = Row { line: std::ptr::null_mut(), have: 0, skip: 0 };
        Rows { rows: vec![row; rows], carry: vec![zero; rows], stage, free: 0 }
    }

    /// Begins row `row` at `to`.
    pub(super) fn begin(&mut self, row: usize, to: *mut u8) {
        let skip = to as usize % LINE;
        self.rows[row] = Row { line: to.wrapping_sub(skip), have: skip, skip };
    }

    /// A place on the stage for the next `bytes` bytes of row `row`, and where its first line begins.
    pub(super) fn open(&mut self, row: usize, bytes: usize) -> Place {
        let have = self.rows[row].have;
        let line = self.free;
        self.stage[line] = self.carry[row];
        self.free += (have + bytes) / LINE + 1;
        Place { row, line, bytes }
    }

    /// Where the bytes of `place` are to be put.
    pub(super) fn bytes_of(&mut self, place: &Place) -> *mut u8 {
        self.stage[place.line..].as_mut_ptr().cast::<u8>().wrapping_add(self.rows[place.row].have)
    }

    /// Writes the whole lines of a row whose bytes have been put at `place`, and keeps the rest.
    ///
    /// # Safety
    /// The row may be written so far, and the processor has the instructions of `S`.
    #[inline(always)]
    pub(super) unsafe fn advance<S: Lanes>(&mut self, place: &Place) {
        let Row { line, have, skip } = &mut self.rows[place.row];
        let lines = (*have + place.bytes) / LINE;
        let stage = &self.stage[place.line..][..lines + 1];
        *have = (*have + place.bytes) % LINE;
        let mut first = 0;
        // SAFETY: the lines lie within the row, but for the part of the first that is left out.
        unsafe {
            if *skip > 0 && lines > 0 {
                std::ptr::copy_nonoverlapping(stage[0].0.as_ptr().add(*skip), line.add(*skip), LINE - *skip);
                (first, *skip) = (1, 0);
            }
            for (i, from) in stage[..lines].iter().enumerate().skip(first) {
                S::stream_line(line.add(i * LINE), from.0.as_ptr());
            }
        }
        *line = line.wrapping_add(lines * LINE);
        self.carry[place.row] = stage[lines];
    }

    /// Clears the stage.
    pub(super) fn clear(&mut self) {
        self.free = 0;
    }

    /// Writes what is left of row `row`.
    ///
    /// # Safety
    /// As [`advance`](Self::advance).
    pub(super) unsafe fn end(&mut self, row: usize) {
        let Row { line, have, skip } = self.rows[row];
        let carry = self.carry[row].0.as_ptr();
        // SAFETY: the bytes from `skip` to `have` have been put, and are the row's.
        unsafe { std::ptr::copy_nonoverlapping(carry.add(skip), line.add(skip), have - skip) };
    }
}

/// See [`Rows::open`].
#[derive(Clone, Copy)]
pub(super) struct Place {
    row: usize,
    line: usize,
    bytes: usize,
}

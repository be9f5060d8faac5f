//! Rows that are written past the caches in whole lines, wherever in a line they begin.
//!
//! A store into a line that is not in the cache reads it first; streaming a whole line does not, which saves a third of
//! the traffic of a copy. The incomplete last line of every row is kept until its next bytes arrive, so that only the first and
//! the last line of a row are written in part.

use super::block::copy_bytes;
use crate::simd::lanes::{Lanes, Line};
use crate::tuning::LINE;

/// The unwritten bytes of one row.
#[derive(Clone, Copy)]
struct Row {
    /// The line that is written next.
    line: *mut u8,
    /// How many bytes of that line are carried or belong to another row.
    have: usize,
    /// How many of them belong to another row, and must not be written.
    skip: usize,
}

/// Rows that are being written.
pub(crate) struct Rows {
    rows: Vec<Row>,
    /// The next line of each row, as far as it is known.
    carry: Vec<Line>,
    /// Where parts of rows are collected, while others are written.
    pub(super) stages: [Vec<Line>; 2],
}

impl Rows {
    pub fn new(rows: usize) -> Rows {
        let row = Row { line: std::ptr::null_mut(), have: 0, skip: 0 };
        Rows { rows: vec![row; rows], carry: vec![Line([0; LINE]); rows], stages: [Vec::new(), Vec::new()] }
    }

    /// A stage of that many lines.
    pub fn stage(&mut self, lines: usize) -> *mut Line {
        self.stages[0].resize(lines, Line([0; LINE]));
        self.stages[0].as_mut_ptr()
    }

    /// Begins row `row` at `to`.
    pub fn begin(&mut self, row: usize, to: *mut u8) {
        let skip = to as usize % LINE;
        self.rows[row] = Row { line: to.wrapping_sub(skip), have: skip, skip };
    }

    /// How far behind the beginning of a line the next byte of a row is.
    #[inline(always)]
    pub fn place(&self, row: usize) -> usize {
        self.rows.get(row).map_or(0, |row| row.have)
    }

    /// Writes the whole lines of a row whose next `bytes` bytes are at `from` and its [`place`](Self::place), and keeps the rest.
    ///
    /// # Safety
    /// The row was begun, and its destination is valid for writes of these bytes; `from` is valid for reads of the line behind the
    /// last whole one, and the processor has the instructions of `S`.
    #[inline(always)]
    pub unsafe fn advance<S: Lanes>(&mut self, row: usize, from: *const u8, bytes: usize) {
        // SAFETY: the lines are within the row, except the part of the first that is left out.
        unsafe {
            let Row { line, have, skip } = self.rows.get_unchecked_mut(row);
            let carry = self.carry.as_mut_ptr().add(row).cast::<u8>();
            let end = *have + bytes;
            let mut next = S::splice(S::load_line(carry), S::load_line(from), *have);
            let mut at = 0;
            if *skip > 0 && end >= LINE {
                write_part::<S>(*line, std::mem::take(skip), next);
                at = LINE;
                next = S::load_line(from.add(LINE));
            }
            while at + LINE <= end {
                S::stream(line.wrapping_add(at), next);
                at += LINE;
                next = S::load_line(from.add(at));
            }
            S::store(carry, next);
            (*line, *have) = (line.wrapping_add(at), end - at);
        }
    }

    /// Writes the next line of a row: it is shifted in registers.
    ///
    /// # Safety
    /// The row was begun, its destination is valid for writes of the line, and the processor has the instructions of `S`.
    #[inline(always)]
    pub unsafe fn line<S: Lanes>(&mut self, row: usize, line: S::Line) {
        // SAFETY: the line is within the row, except the part of the first that is left out.
        unsafe {
            let Row { line: to, have, skip } = self.rows.get_unchecked_mut(row);
            let carry = self.carry.as_mut_ptr().add(row).cast::<u8>();
            let rotated = S::rotate(line, *have);
            let line = S::splice(S::load_line(carry), rotated, *have);
            if *skip > 0 {
                write_part::<S>(*to, std::mem::take(skip), line);
            } else {
                S::stream(*to, line);
            }
            S::store(carry, rotated);
            *to = to.wrapping_add(LINE);
        }
    }

    /// Writes the rest of row `row`.
    ///
    /// # Safety
    /// It was begun, and its bytes were written as far as they are whole lines.
    pub unsafe fn end(&mut self, row: usize) {
        let Row { line, have, skip } = self.rows[row];
        let carry = self.carry[row].0.as_ptr();
        // SAFETY: the bytes from `skip` to `have` are known, and belong to the row.
        unsafe { copy_bytes(carry.add(skip), line.wrapping_add(skip), have - skip) };
    }
}

/// Writes the first line of a row, whose first `skip` bytes belong to another one.
///
/// # Safety
/// The other bytes belong to the row, and the processor has the instructions of `S`.
#[inline(always)]
unsafe fn write_part<S: Lanes>(to: *mut u8, skip: usize, line: S::Line) {
    let mut first = Line([0; LINE]);
    // SAFETY: both are valid for the bytes.
    unsafe {
        S::store(first.0.as_mut_ptr(), line);
        copy_bytes(first.0.as_ptr().add(skip), to.wrapping_add(skip), LINE - skip);
    }
}

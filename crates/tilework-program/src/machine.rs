//! A block's memory with a shadow: what each element holds and who touched it since the last barrier. It knows addresses
//! and threads, and no layouts.

use crate::prelude::*;
use alloc::collections::VecDeque;
use core::fmt;

/// Who has an element: no thread, one, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threads {
    None,
    One(u16),
    Several,
}

impl Threads {
    fn with(self, thread: u16) -> Threads {
        match self {
            Threads::None => Threads::One(thread),
            Threads::One(own) if own == thread => self,
            _ => Threads::Several,
        }
    }

    fn others(self, thread: u16) -> bool {
        !matches!(self, Threads::None) && self != Threads::One(thread)
    }
}

/// The shadow of one element. What was done before the last barrier is ordered before all that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    written: bool,
    /// The thread that wrote it since the last barrier.
    writer: Option<u16>,
    /// The threads that read it since the last barrier.
    readers: Threads,
    /// Whether an asynchronous copy to it has not been waited for.
    in_flight: bool,
}

const UNTOUCHED: Cell = Cell { written: false, writer: None, readers: Threads::None, in_flight: false };

/// An access that other threads may see or disturb, or that finds no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing was written.
    Unwritten,
    /// An asynchronous copy may not be complete.
    InFlight,
    /// Another thread wrote it in this interval.
    ReadOfWritten { writer: u16 },
    /// Another thread wrote it in this interval, and this one writes it too.
    WrittenTwice { writer: u16 },
    /// Another thread read it in this interval.
    WriteOfRead,
    /// An asynchronous copy to it may not be complete.
    WriteInFlight,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (none, copied) = ("no barrier is between them", "an asynchronous copy to it may be in flight");
        match self {
            Fault::Unwritten => f.write_str("is read before anything was written to it"),
            Fault::InFlight => write!(f, "is read while {copied}: a wait is missing"),
            Fault::ReadOfWritten { writer } => write!(f, "is read while thread {writer} writes it: {none}"),
            Fault::WrittenTwice { writer } => write!(f, "is written while thread {writer} writes it: {none}"),
            Fault::WriteOfRead => write!(f, "is overwritten while another thread reads it: {none}"),
            Fault::WriteInFlight => write!(f, "is written while {copied}"),
        }
    }
}

/// The shared memory of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shadow {
    cells: Vec<Cell>,
    /// The elements that were touched since the last barrier.
    touched: Vec<u32>,
    /// The elements of the asynchronous copies of each group that was not waited for; the last is not ended.
    groups: VecDeque<Vec<(u32, u16)>>,
}

impl Shadow {
    pub fn new(elements: usize) -> Shadow {
        Shadow { cells: vec![UNTOUCHED; elements], touched: Vec::new(), groups: VecDeque::from([Vec::new()]) }
    }

    fn touch(&mut self, at: usize) -> &mut Cell {
        let cell = &mut self.cells[at];
        if cell.writer.is_none() && cell.readers == Threads::None {
            self.touched.push(at as u32);
        }
        cell
    }

    pub fn read(&mut self, at: usize, thread: u16) -> Result<(), Fault> {
        let cell = self.touch(at);
        if cell.in_flight {
            return Err(Fault::InFlight);
        }
        if !cell.written {
            return Err(Fault::Unwritten);
        }
        if let Some(writer) = cell.writer.filter(|writer| *writer != thread) {
            return Err(Fault::ReadOfWritten { writer });
        }
        cell.readers = cell.readers.with(thread);
        Ok(())
    }

    pub fn write(&mut self, at: usize, thread: u16) -> Result<(), Fault> {
        let cell = self.touch(at);
        if cell.in_flight {
            return Err(Fault::WriteInFlight);
        }
        if let Some(writer) = cell.writer.filter(|writer| *writer != thread) {
            return Err(Fault::WrittenTwice { writer });
        }
        if cell.readers.others(thread) {
            return Err(Fault::WriteOfRead);
        }
        cell.written = true;
        cell.writer = Some(thread);
        Ok(())
    }

    /// Begins an asynchronous copy, as a part of the group that is not ended.
    pub fn copy(&mut self, at: usize, thread: u16) -> Result<(), Fault> {
        self.write(at, thread)?;
        self.cells[at].in_flight = true;
        if let Some(group) = self.groups.back_mut() {
            group.push((at as u32, thread));
        }
        Ok(())
    }

    pub fn commit(&mut self) {
        self.groups.push_back(Vec::new());
    }

    /// Completes all groups but the last `left`: the thread that copied sees the elements, the others after a barrier.
    pub fn wait(&mut self, left: usize) {
        while self.groups.len() > left.saturating_add(1) {
            for (at, thread) in self.groups.pop_front().unwrap_or_default() {
                let cell = self.touch(at as usize);
                cell.in_flight = false;
                cell.writer = Some(thread);
            }
        }
    }

    pub fn barrier(&mut self) {
        for at in self.touched.drain(..) {
            let cell = &mut self.cells[at as usize];
            cell.writer = None;
            cell.readers = Threads::None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_barrier_orders() {
        let mut memory = Shadow::new(2);
        assert_eq!(memory.read(0, 0), Err(Fault::Unwritten));
        memory.write(0, 3).unwrap();
        memory.write(0, 3).unwrap();
        memory.read(0, 3).unwrap();
        assert_eq!(memory.read(0, 1), Err(Fault::ReadOfWritten { writer: 3 }));
        assert_eq!(memory.write(0, 1), Err(Fault::WrittenTwice { writer: 3 }));
        memory.barrier();
        memory.read(0, 1).unwrap();
        memory.write(0, 1).unwrap();
        memory.barrier();
        memory.read(0, 1).unwrap();
        memory.read(0, 2).unwrap();
        assert_eq!(memory.write(0, 1), Err(Fault::WriteOfRead));
        memory.barrier();
        memory.write(0, 1).unwrap();
    }

    #[test]
    fn what_a_wait_completes() {
        let mut memory = Shadow::new(2);
        memory.copy(0, 0).unwrap();
        memory.commit();
        memory.copy(1, 0).unwrap();
        memory.commit();
        assert_eq!(memory.read(0, 0), Err(Fault::InFlight));
        memory.barrier();
        assert_eq!(memory.read(0, 0), Err(Fault::InFlight));
        memory.wait(1);
        memory.read(0, 0).unwrap();
        assert_eq!(memory.read(0, 1), Err(Fault::ReadOfWritten { writer: 0 }));
        memory.barrier();
        memory.read(0, 1).unwrap();
        assert_eq!(memory.read(1, 0), Err(Fault::InFlight));
        assert_eq!(memory.write(1, 0), Err(Fault::WriteInFlight));
        memory.wait(0);
        memory.read(1, 0).unwrap();
    }
}

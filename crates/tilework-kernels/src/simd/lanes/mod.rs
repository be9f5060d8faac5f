//! Registers of bytes, as lanes of 16: the operations that make up every transpose in registers.

#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_arch = "aarch64")]
pub(crate) use neon::Neon;
#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

use crate::simd::unrolled;
use crate::tuning::LINE;

/// One cache line.
#[repr(align(64))]
#[derive(Clone, Copy)]
pub(crate) struct Line(pub [u8; LINE]);

/// What [`Lanes::outlined`] runs, inlined there.
pub(crate) trait Task {
    /// # Safety
    /// That of the task, on a processor with the instructions of the lanes.
    unsafe fn run(self);
}

/// A vector register of `LANES` lanes of 16 bytes.
///
/// # Safety
/// An operation may only run on a processor that has the instructions of the implementation, with pointers that are valid
/// for the reads or writes that it names. A pointer has to be aligned only where the method says so.
/// [`Line`](Lanes::Line) is 64 bytes without padding, the registers of a line in order, and every value of them is
/// valid.
pub(crate) unsafe trait Lanes: Copy {
    /// How many lanes.
    const LANES: usize;
    /// How many registers a line has.
    const PARTS: usize = 4 / Self::LANES;
    /// Whether lines can be written past the caches.
    const STREAMS: bool = false;
    /// One register.
    type Register: Copy;
    /// The registers of a cache line.
    type Line: Copy;

    /// Reads a register.
    unsafe fn load(from: *const u8) -> Self::Register;
    /// Reads a register, each lane from its own place; the places of lanes that a register does not have are not read.
    #[inline(always)]
    unsafe fn load_lanes(from: [*const u8; 4]) -> Self::Register {
        let mut lanes = [[0u8; 16]; 4];
        // SAFETY: each lane is valid for reads, a register has `LANES` of them, and every value of them is valid.
        unsafe {
            (0..Self::LANES).for_each(|lane| lanes[lane] = from[lane].cast::<[u8; 16]>().read_unaligned());
            (&raw const lanes).cast::<Self::Register>().read_unaligned()
        }
    }
    /// Within each lane, the elements of `W` bytes of the low halves of `a` and `b`, alternating.
    unsafe fn zip_low<const W: usize>(a: Self::Register, b: Self::Register) -> Self::Register;
    /// The same for the high halves.
    unsafe fn zip_high<const W: usize>(a: Self::Register, b: Self::Register) -> Self::Register;
    /// Transposes 4 lines of 4 lanes: line `i` of the result is lane `i` of each.
    unsafe fn move_lanes(lines: [Self::Line; 4]) -> [Self::Line; 4];
    /// The lanes of two lines, alternating.
    #[inline(always)]
    unsafe fn zip_lanes(lines: [Self::Line; 2]) -> [Self::Line; 2] {
        // SAFETY: a line is four lanes, and every value of them is valid.
        unsafe {
            let lanes = (&raw const lines).cast::<[[[u8; 16]; 4]; 2]>().read();
            let zipped: [[u8; 16]; 8] = std::array::from_fn(|i| lanes[i % 2][i / 2]);
            (&raw const zipped).cast::<[Self::Line; 2]>().read_unaligned()
        }
    }
    /// Lane `lane` of four registers, in order.
    #[inline(always)]
    unsafe fn line_of(registers: [Self::Register; 4], lane: usize) -> Self::Line {
        let first = (&raw const registers).cast::<[u8; 16]>();
        // SAFETY: a register has `LANES` lanes, a line four, and every value of them is valid.
        unsafe {
            let of = |register: usize| first.add(register * Self::LANES + lane).read();
            let line = [of(0), of(1), of(2), of(3)];
            (&raw const line).cast::<Self::Line>().read_unaligned()
        }
    }
    /// Reads a line.
    #[inline(always)]
    unsafe fn load_line(from: *const u8) -> Self::Line {
        // SAFETY: `from` is valid for reads of a line.
        unsafe { from.cast::<Self::Line>().read_unaligned() }
    }
    /// Writes a line.
    #[inline(always)]
    unsafe fn store(to: *mut u8, line: Self::Line) {
        // SAFETY: `to` is valid for writes of a line.
        unsafe { to.cast::<Self::Line>().write_unaligned(line) }
    }
    /// Writes each lane of a line.
    #[inline(always)]
    unsafe fn store_lanes(to: [*mut u8; 4], line: Self::Line) {
        // SAFETY: a line is four lanes, and each pointer is valid for writes of one.
        unsafe {
            let lanes = (&raw const line).cast::<[[u8; 16]; 4]>().read();
            to[0].cast::<[u8; 16]>().write_unaligned(lanes[0]);
            to[1].cast::<[u8; 16]>().write_unaligned(lanes[1]);
            to[2].cast::<[u8; 16]>().write_unaligned(lanes[2]);
            to[3].cast::<[u8; 16]>().write_unaligned(lanes[3]);
        }
    }
    /// Writes a line past the caches, if the processor can; `to` is aligned to 64.
    #[inline(always)]
    unsafe fn stream(to: *mut u8, line: Self::Line) {
        // SAFETY: `to` is valid for writes of a line.
        unsafe { Self::store(to, line) }
    }
    /// Writes a line, past the caches with `streams`; then `to` is aligned to 64.
    #[inline(always)]
    unsafe fn put(to: *mut u8, line: Self::Line, streams: bool) {
        // SAFETY: `to` is valid for writes of a line, and aligned if it is streamed to.
        unsafe { if streams { Self::stream(to, line) } else { Self::store(to, line) } }
    }
    /// Rotates a line: byte `i` moves to `i + by` modulo 64. `by` is below 64.
    #[inline(always)]
    unsafe fn rotate(mut line: Self::Line, by: usize) -> Self::Line {
        // SAFETY: a line is 64 bytes, and nothing else refers to this one.
        unsafe { (*(&raw mut line).cast::<[u8; LINE]>()).rotate_right(by) };
        line
    }
    /// The first `by` bytes of `first` and the others of `last`. `by` is below 64.
    #[inline(always)]
    unsafe fn splice(first: Self::Line, mut last: Self::Line, by: usize) -> Self::Line {
        // SAFETY: a line is 64 bytes, and `first` and `last` are different variables.
        unsafe { std::ptr::copy_nonoverlapping((&raw const first).cast::<u8>(), (&raw mut last).cast(), by) };
        last
    }
    /// Runs a task as a function of its own with these instructions, instead of a copy in each that needs it.
    #[inline(never)]
    unsafe fn outlined(task: impl Task) {
        // SAFETY: the contract is that of the task.
        unsafe { task.run() }
    }
    /// Copies the 64 bytes at `from` to the line at `to`, which is aligned to 64, past the caches if the processor can.
    #[inline(always)]
    unsafe fn stream_line(to: *mut u8, from: *const u8) {
        // SAFETY: the contract is the same.
        unsafe { Self::stream(to, Self::load_line(from)) }
    }
    /// Reads a line at `SIDE` of the offsets, from the one numbered `first` on, and transposes all lanes: line `i` has, in lane
    /// `j`, the elements `SIDE j + i` of each.
    ///
    /// It is not a closure passed to another function: only inlined code is compiled with the instructions of the set.
    #[inline(always)]
    unsafe fn zipped<const W: usize, const SIDE: usize, const WIDTH: usize>(
        from: *const u8,
        offsets: &[isize; WIDTH],
        first: usize,
    ) -> [Self::Line; SIDE] {
        // SAFETY: `from` is valid for reads of a line at each of the offsets.
        unsafe { zipped::<Self, W, SIDE, WIDTH>(from, offsets, first) }
    }
    /// Makes streamed lines visible to other threads.
    #[inline(always)]
    unsafe fn fence() {}
}

/// See [`Lanes::zipped`].
///
/// # Safety
/// `from` is valid for reads of a line at each of the offsets, and the processor has the instructions.
#[inline(always)]
unsafe fn zipped<S: Lanes, const W: usize, const SIDE: usize, const WIDTH: usize>(
    from: *const u8,
    offsets: &[isize; WIDTH],
    first: usize,
) -> [S::Line; SIDE] {
    // SAFETY: each pointer is valid for reads of a line, which has that many registers.
    unsafe {
        let mut lines = [S::load_line(from.offset(offsets[first])); SIDE];
        unrolled!(part < S::PARTS: 4, {
            let mut registers = [S::load(from.offset(offsets[first])); SIDE];
            unrolled!(i < SIDE, {
                registers[i] = S::load(from.offset(offsets[first + i]).add(part * S::LANES * 16));
            });
            let registers = zip::<S, W, SIDE>(registers, const { SIDE.ilog2() });
            unrolled!(i < SIDE, (&raw mut lines[i]).cast::<S::Register>().add(part).write(registers[i]));
        });
        lines
    }
}

/// In each lane, zips the first half of the registers with the second, elements of `W` bytes, `times` times. The number of an
/// element is that of its register and, in the low bits, that of its place in the lane: each zip moves the highest bit to the
/// lowest place.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
pub(crate) unsafe fn zip<S: Lanes, const W: usize, const COUNT: usize>(
    mut registers: [S::Register; COUNT],
    times: u32,
) -> [S::Register; COUNT] {
    let mut done = 0;
    while done < times {
        let before = registers;
        unrolled!(i < COUNT, {
            let (a, b) = (before[i / 2], before[i / 2 + COUNT / 2]);
            // SAFETY: the processor has the instructions.
            registers[i] =
                unsafe { if i.is_multiple_of(2) { S::zip_low::<W>(a, b) } else { S::zip_high::<W>(a, b) } };
        });
        done += 1;
    }
    registers
}

/// Within each lane, the lines hold structures of `K` elements of `W` bytes, in order. Line `i` of the result holds element `i`
/// of each.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
pub(crate) unsafe fn split<S: Lanes, const W: usize, const K: usize>(
    mut lines: [S::Line; K],
) -> [S::Line; K] {
    let first = (&raw mut lines).cast::<S::Register>();
    // SAFETY: a line has that many registers.
    unsafe {
        unrolled!(part < S::PARTS: 4, {
            let mut registers = [first.read(); K];
            unrolled!(i < K, registers[i] = first.add(i * S::PARTS + part).read());
            let registers = zip::<S, W, K>(registers, const { (16 / W).ilog2() });
            unrolled!(i < K, first.add(i * S::PARTS + part).write(registers[i]));
        });
    }
    lines
}

/// One lane in plain Rust.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

// SAFETY: a line is four arrays of 16 bytes.
unsafe impl Lanes for Portable {
    const LANES: usize = 1;
    type Register = [u8; 16];
    type Line = [[u8; 16]; 4];

    #[inline(never)]
    unsafe fn load(from: *const u8) -> [u8; 16] {
        // SAFETY: the pointer is valid for reads of 16 bytes.
        unsafe { from.cast::<[u8; 16]>().read_unaligned() }
    }

    // Not inlined: a copy in every square would take longer to compile than everything else.
    #[inline(never)]
    unsafe fn zip_low<const W: usize>(a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        std::array::from_fn(|i| {
            if (i / W).is_multiple_of(2) { a[i / (2 * W) * W + i % W] } else { b[i / (2 * W) * W + i % W] }
        })
    }

    #[inline(never)]
    unsafe fn zip_high<const W: usize>(a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        let high = |i: usize| 8 + i / (2 * W) * W + i % W;
        std::array::from_fn(|i| if (i / W).is_multiple_of(2) { a[high(i)] } else { b[high(i)] })
    }

    #[inline(never)]
    unsafe fn zipped<const W: usize, const SIDE: usize, const WIDTH: usize>(
        from: *const u8,
        offsets: &[isize; WIDTH],
        first: usize,
    ) -> [Self::Line; SIDE] {
        // SAFETY: `from` is valid for reads of a line at each of the offsets.
        unsafe { zipped::<Portable, W, SIDE, WIDTH>(from, offsets, first) }
    }

    #[inline(never)]
    unsafe fn move_lanes(lines: [Self::Line; 4]) -> [Self::Line; 4] {
        std::array::from_fn(|i| lines.map(|line| line[i]))
    }
}

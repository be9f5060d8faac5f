//! Where the operands of a pair are in memory.

use super::fold::Loop;

/// The pointers that the threads of one run share.
pub(super) struct Pointers<T, D> {
    pub a: *const T,
    pub b: *const T,
    pub c: *mut D,
}

// SAFETY: what `a` and `b` point to is only read, and the parts of `c` that the threads write are apart.
unsafe impl<T: Sync, D: Send> Sync for Pointers<T, D> {}

impl<T, D> Pointers<T, D> {
    #[inline(always)]
    pub fn at(&self, [a, b, c]: [isize; 3]) -> (*const T, *const T, *mut D) {
        (self.a.wrapping_offset(a), self.b.wrapping_offset(b), self.c.wrapping_offset(c))
    }
}

/// Where the operands begin at a step of a nest of loops, the first innermost.
pub(super) fn offsets_of(start: [isize; 3], loops: &[Loop], mut index: usize) -> [isize; 3] {
    let mut offsets = start;
    for l in loops {
        let step = index % l.extent;
        index /= l.extent;
        offsets.iter_mut().enumerate().for_each(|(operand, offset)| *offset += l.at(operand, step));
    }
    offsets
}

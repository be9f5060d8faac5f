//! Memory for packed panels, which each thread keeps from one product to the next: fresh memory costs more than a small
//! product.

use crate::matmul::tile::element::Sum;
use crate::simd::lanes::Line;

use std::cell::Cell;

thread_local! {
    static KEPT: Cell<Vec<Line>> = const { Cell::new(Vec::new()) };
}

/// Memory that this thread owns until it is returned. A nested request gets other memory.
pub(crate) struct Scratch(Vec<Line>);

impl Scratch {
    pub(crate) fn take() -> Scratch {
        Scratch(KEPT.take())
    }

    pub(crate) fn give_back(self) {
        KEPT.set(self.0);
    }

    /// `lens[i]` elements for each of `N` parts, each at the beginning of a line. The contents are arbitrary.
    pub(crate) fn parts<S: Sum, const N: usize>(&mut self, lens: [usize; N]) -> [&mut [S]; N] {
        let lines = lens.map(|len| (len * size_of::<S>()).div_ceil(64));
        let total = lines.iter().sum();
        if self.0.len() < total {
            self.0 = Vec::new();
            self.0 = vec![Line([0; 64]); total];
        }
        let mut rest = self.0.as_mut_slice();
        std::array::from_fn(|i| {
            let (part, others) = std::mem::take(&mut rest).split_at_mut(lines[i]);
            rest = others;
            // SAFETY: the part is large enough and aligned, and every bit pattern is a sum.
            unsafe { std::slice::from_raw_parts_mut(part.as_mut_ptr().cast(), lens[i]) }
        })
    }
}

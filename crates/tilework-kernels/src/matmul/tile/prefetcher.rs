//! Prefetches the next operands while a kernel computes.

use crate::simd::prefetch::prefetch_l2;
use crate::tuning::LINE;
use crate::tuning::matmul::PREFETCH_STEPS;

/// The cache lines of a block of memory, prefetched a few at a time: more would wait for each other. If neighbours are
/// not at the same distance as the first two, some lines are omitted or prefetched twice.
pub struct Prefetcher {
    base: *const u8,
    /// Offsets in elements along both axes, and the bytes of an element.
    outer: *const [isize],
    inner: *const [isize],
    size: usize,
    /// The distance along `inner` from one line that is prefetched to the next.
    skip: usize,
    at: [usize; 2],
    /// How many lines are prefetched at a time.
    share: usize,
}

impl Prefetcher {
    /// Prefetches nothing.
    pub(crate) fn nothing() -> Prefetcher {
        let (base, outer, inner) = (std::ptr::null(), &[][..], &[][..]);
        Prefetcher { base, outer, inner, size: 1, skip: 1, at: [0, 0], share: 0 }
    }

    /// Prefetches the elements at the sums of two offsets while kernels run `tiles` times for `steps`; nothing if that time is
    /// too short for `most` lines at a time.
    pub(crate) fn new<T>(
        base: *const T,
        axes: [&[isize]; 2],
        tiles: usize,
        steps: usize,
        most: usize,
    ) -> Prefetcher {
        let distance = |axis: &[isize]| match axis {
            [first, second, ..] => (second - first).unsigned_abs().max(1),
            _ => usize::MAX,
        };
        let [inner, outer] = if distance(axes[0]) <= distance(axes[1]) { axes } else { [axes[1], axes[0]] };
        let in_a_line = LINE / size_of::<T>() / distance(inner);
        let calls = (tiles * steps.div_ceil(PREFETCH_STEPS)).max(1);
        let skip = in_a_line.max(1);
        let share = (outer.len() * inner.len().div_ceil(skip)).div_ceil(calls);
        if share > most {
            return Prefetcher::nothing();
        }
        Prefetcher { base: base.cast(), outer, inner, size: size_of::<T>(), skip, at: [0, 0], share }
    }

    /// Whether nothing is left to prefetch.
    pub(crate) fn is_done(&self) -> bool {
        self.share == 0 || self.at[0] >= self.outer.len()
    }

    /// Prefetches the next lines.
    ///
    /// # Safety
    /// The tables of offsets are valid.
    #[inline(always)]
    pub(crate) unsafe fn fetch(&mut self) {
        // SAFETY: the tables are valid, and not modified.
        let (outer, inner) = unsafe { (&*self.outer, &*self.inner) };
        for _ in 0..self.share {
            let (Some(&first), Some(&second)) = (outer.get(self.at[0]), inner.get(self.at[1])) else {
                return;
            };
            prefetch_l2(self.base.wrapping_offset((first + second) * self.size as isize));
            self.at[1] += self.skip;
            if self.at[1] >= inner.len() {
                self.at = [self.at[0] + 1, 0];
            }
        }
    }
}

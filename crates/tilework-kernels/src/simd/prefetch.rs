//! Prefetching: starts to load a cache line before it is needed. The address need not be valid for reads.

/// Prefetches the line at `at` into the first cache.
#[inline(always)]
pub(crate) fn prefetch_l1<T>(at: *const T) {
    prefetch::<{ HINTS[0] }, T>(at);
}

/// Prefetches the line at `at` into the second cache.
#[inline(always)]
pub(crate) fn prefetch_l2<T>(at: *const T) {
    prefetch::<{ HINTS[1] }, T>(at);
}

/// Prefetches the line at `at` into the first cache, to be written.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn prefetch_to_write<T>(at: *const T) {
    prefetch::<{ HINTS[2] }, T>(at);
}

/// Of the first cache and of the second, and of the first to write.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const HINTS: [i32; 3] = {
    use std::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _MM_HINT_T1};
    [_MM_HINT_T0, _MM_HINT_T1, _MM_HINT_ET0]
};
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
const HINTS: [i32; 3] = [0, 1, 2];

#[inline(always)]
fn prefetch<const HINT: i32, T>(at: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every x86-64 processor has SSE, and a prefetch of any address has no effect but on the caches.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<HINT>(at.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = at;
}

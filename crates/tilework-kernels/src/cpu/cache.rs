//! The sizes of the caches.

use std::sync::OnceLock;

/// Bytes of the caches that one core sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Caches {
    pub first: usize,
    pub second: usize,
    pub third: usize,
}

/// What is assumed where the machine does not say.
const USUAL: Caches = Caches { first: 32 << 10, second: 512 << 10, third: 4 << 20 };

impl Caches {
    /// The caches of this machine.
    pub(crate) fn get() -> Caches {
        #[cfg(test)]
        if let Some(caches) = PRETENDED.get() {
            return caches;
        }
        static CACHES: OnceLock<Caches> = OnceLock::new();
        *CACHES.get_or_init(|| {
            let [first, second, third] = [1, 2, 3].map(bytes);
            Caches {
                first: first.unwrap_or(USUAL.first),
                second: second.unwrap_or(USUAL.second),
                third: third.or(second).unwrap_or(USUAL.third),
            }
        })
    }
}

#[cfg(test)]
thread_local! {
    static PRETENDED: std::cell::Cell<Option<Caches>> = const { std::cell::Cell::new(None) };
}

#[cfg(test)]
impl Caches {
    /// So small that a few elements are several blocks.
    pub(crate) const SMALL: Caches = Caches { first: 4 << 10, second: 8 << 10, third: 32 << 10 };

    /// Calls `work`; what it plans, on this thread, is for these caches.
    pub(crate) fn pretend<R>(self, work: impl FnOnce() -> R) -> R {
        let before = PRETENDED.replace(Some(self));
        let result = work();
        PRETENDED.set(before);
        result
    }
}

/// What the processor says about its data cache of a level. Intel answers in leaf 4, AMD in a leaf of the same form.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn bytes(level: u32) -> Option<usize> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // SAFETY: every x86-64 processor has the instruction. The compiler has called it safe since 1.92.
    #[allow(unused_unsafe)]
    let (basic, extended) = unsafe { (__cpuid(0).eax, __cpuid(0x8000_0000).eax) };
    for (leaf, last) in [(0x8000_001d, extended), (4, basic)] {
        if leaf > last {
            continue;
        }
        for index in 0..16 {
            // SAFETY: every x86-64 processor has CPUID.
            #[allow(unused_unsafe)]
            let cache = unsafe { __cpuid_count(leaf, index) };
            let (kind, own) = (cache.eax & 31, cache.eax >> 5 & 7);
            if kind == 0 {
                break;
            }
            if own == level && kind != 2 {
                let field = |from: u32, bits: u32| (cache.ebx >> from & ((1 << bits) - 1)) as usize + 1;
                return Some(field(22, 10) * field(12, 10) * field(0, 12) * (cache.ecx as usize + 1));
            }
        }
    }
    None
}

/// What the system says about the caches of the first core.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn bytes(level: u32) -> Option<usize> {
    if cfg!(miri) {
        return None;
    }
    let folder = |index: u32, name: &str| {
        let text = std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}"))
            .ok()?;
        Some(text.trim().to_owned())
    };
    (0..8).find_map(|index| {
        let matches = folder(index, "level")? == level.to_string() && folder(index, "type")? != "Instruction";
        let kilobytes: usize = folder(index, "size")?.strip_suffix('K')?.parse().ok()?;
        matches.then_some(kilobytes << 10)
    })
}

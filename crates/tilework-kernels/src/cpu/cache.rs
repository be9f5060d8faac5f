//! The sizes of the caches.

use std::sync::OnceLock;

/// Bytes of the caches that one core sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Caches {
    pub first: usize,
    pub second: usize,
    pub third: usize,
}

/// The assumption for machines that do not report their caches.
const USUAL: Caches = Caches { first: 32 << 10, second: 512 << 10, third: 4 << 20 };

impl Caches {
    /// The caches of this machine.
    pub(crate) fn get() -> Caches {
        #[cfg(any(test, feature = "candidates"))]
        if let Some(caches) = PRETENDED.get() {
            return caches;
        }
        static CACHES: OnceLock<Caches> = OnceLock::new();
        *CACHES.get_or_init(|| {
            let [first, second, third] = [1, 2, 3].map(of_level);
            Caches {
                first: first.unwrap_or(USUAL.first),
                second: second.unwrap_or(USUAL.second),
                third: third.or(second).unwrap_or(USUAL.third),
            }
        })
    }
}

#[cfg(any(test, feature = "candidates"))]
thread_local! {
    static PRETENDED: std::cell::Cell<Option<Caches>> = const { std::cell::Cell::new(None) };
}

#[cfg(test)]
impl Caches {
    /// So small that a few elements make several blocks.
    pub(crate) const SMALL: Caches = Caches { first: 4 << 10, second: 8 << 10, third: 32 << 10 };

    /// Those of a server.
    pub(crate) const SERVER: Caches = Caches { first: 48 << 10, second: 2 << 20, third: 32 << 20 };
}

#[cfg(any(test, feature = "candidates"))]
impl Caches {
    /// Calls `work`; plans that this thread makes in it are for these caches.
    pub(crate) fn pretend<R>(self, work: impl FnOnce() -> R) -> R {
        let before = PRETENDED.replace(Some(self));
        let result = work();
        PRETENDED.set(before);
        result
    }
}

/// The bytes of the data cache of a level, by CPUID. Intel answers in leaf 4, AMD in a leaf of the same
/// form.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn of_level(level: u32) -> Option<usize> {
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

/// The same by what the system reports about the first core.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn of_level(level: u32) -> Option<usize> {
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

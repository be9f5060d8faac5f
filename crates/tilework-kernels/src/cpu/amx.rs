//! Whether AMX tiles exist, and whether the system lets this process use them.

use std::sync::OnceLock;

/// Whether the processor has the tiles for `i8` and `bf16`, and the system allows them; checked once.
pub(crate) fn is_available() -> bool {
    static ALLOWED: OnceLock<bool> = OnceLock::new();
    *ALLOWED.get_or_init(|| !cfg!(miri) && has_tiles() && is_allowed())
}

/// What CPUID reports: tiles, their products of `bf16` and of `i8`, and that the system saves their state.
fn has_tiles() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const TILES: u32 = 1 << 22 | 1 << 24 | 1 << 25;
    const STATE: u32 = 1 << 17 | 1 << 18;
    const OSXSAVE: u32 = 1 << 27;
    // SAFETY: every x86-64 processor has the instruction. The compiler has called it safe since 1.92.
    #[allow(unused_unsafe)]
    let (leaves, first) = unsafe { (__cpuid(0).eax, __cpuid(1).ecx) };
    if leaves < 7 || first & OSXSAVE == 0 {
        return false;
    }
    // SAFETY: the highest leaf was checked.
    #[allow(unused_unsafe)]
    let features = unsafe { __cpuid_count(7, 0).edx };
    let saved: u32;
    // SAFETY: OSXSAVE says that the instruction exists; it reads a register that says which state is saved.
    unsafe {
        std::arch::asm!("xgetbv", in("ecx") 0, out("eax") saved, out("edx") _, options(nomem, nostack))
    };
    features & TILES == TILES && saved & STATE == STATE
}

/// Asks Linux for permission to use the tiles: without it, the first use raises a signal.
#[cfg(target_os = "linux")]
fn is_allowed() -> bool {
    const ARCH_PRCTL: isize = 158;
    const REQUEST_PERMISSION: usize = 0x1023;
    const TILE_DATA: usize = 18;
    let result: isize;
    // SAFETY: the call takes two numbers, and overwrites the named registers.
    unsafe {
        std::arch::asm!("syscall", inlateout("rax") ARCH_PRCTL => result, in("rdi") REQUEST_PERMISSION,
            in("rsi") TILE_DATA, out("rcx") _, out("r11") _, options(nostack));
    }
    result == 0
}

/// On other systems the tiles are not used.
#[cfg(not(target_os = "linux"))]
fn is_allowed() -> bool {
    false
}

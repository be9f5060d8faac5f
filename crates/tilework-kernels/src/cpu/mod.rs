//! The processor: its instruction sets and its caches, as the processor reports them.

#[cfg(target_arch = "x86_64")]
pub(crate) mod amx;
pub(crate) mod cache;
pub(crate) mod isa;

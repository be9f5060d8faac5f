//! The processor: its instruction sets and its caches, asked of the processor itself.

#[cfg(target_arch = "x86_64")]
pub(crate) mod amx;
pub(crate) mod cache;
pub(crate) mod isa;

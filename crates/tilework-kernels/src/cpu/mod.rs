//! The processor: its instruction sets and its caches, asked of the processor itself.

pub(crate) mod cache;
pub(crate) mod isa;

//! The processor: its instruction sets and its caches, as the processor reports them.

pub(crate) mod cache;
pub(crate) mod isa;

//! Vector instructions: what the kernels use of AVX2, AVX-512 and NEON, and the same in plain Rust.
//!
//! | trait | a register is | used by |
//! |---|---|---|
//! | [`vector::Vector`], [`vector::Pack`] | numbers that are multiplied and added | products of matrices |
//! | [`lanes::Lanes`] | bytes that change places | copies |
//!
//! An instruction set is a module of `vector` and a type of `lanes`. Which one runs is decided once for each plan.

pub(crate) mod lanes;
pub(crate) mod prefetch;
pub(crate) mod vector;

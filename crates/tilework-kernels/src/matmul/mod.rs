//! The engine of all products: GEMM, contractions and convolutions are products of matrices whose elements are found by
//! tables of offsets.
//!
//! | step | module |
//! |---|---|
//! | layouts become tables of offsets | `axis`, `matrix` |
//! | operands that yield panels, a destination that takes tiles | `operand` |
//! | the plan: every decision | `plan`, `blocks` |
//! | a batch of products by a plan | `matrices` |
//! | the five loops around the micro-kernel | `driver` |
//! | panels are packed | `pack`, `pack_rows` |
//! | a tile of `C` in registers; by small matrices | `kernel`, `matrix_tile` |
//! | sums that become elements of `C` | `put` |
//! | products that are too small to be packed; by a vector; of static layouts | `small`, `gemv`, `static_tile` |
//! | operands of instructions that multiply `u8` by `i8` | `shifted` |
//! | which kernels there are for an element and an instruction set | `element`, `dispatch`, `compiled` |

pub(crate) mod axis;
pub(crate) mod blocks;
pub(crate) mod call;
mod compiled;
mod dispatch;
pub(crate) mod driver;
pub(crate) mod element;
mod gemv;
pub(crate) mod kernel;
pub(crate) mod matrices;
pub(crate) mod matrix;
#[cfg(target_arch = "aarch64")]
mod matrix_tile;
pub(crate) mod operand;
mod pack;
#[cfg(target_arch = "aarch64")]
mod pack_rows;
pub(crate) mod plan;
pub(crate) mod prefetcher;
pub(crate) mod put;
pub(crate) mod scratch;
#[cfg(target_arch = "x86_64")]
pub(crate) mod shifted;
pub(crate) mod small;
pub(crate) mod static_tile;
#[cfg(test)]
mod tests;

//! What the elements of a product of matrices can be.
//!
//! | `A` and `B` | products are summed in | `C` |
//! |---|---|---|
//! | `f32` | `f32` | `f32` |
//! | `f64` | `f64` | `f64` |
//! | `bf16`, `f16` | `f32` | `f32`, `bf16` or `f16` |
//! | `i8` | `i32` | `i32` |

use crate::gemm::tables::{ElementTables, SumTables};

/// What products are summed in: `f32`, `f64` or `i32`.
///
/// Sums of `i32` wrap; those of up to 131071 products of `i8` are exact.
pub trait Sum: Destination<Self> + SumTables + PartialEq + Default {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// `self * scale + other`.
    fn times_plus(self, scale: Self, other: Self) -> Self;
}

/// An element of `A` and `B`: `f32`, `f64`, `i8`, and `bf16` and `f16` of the crate `half`.
pub trait Element: ElementTables + Copy + Default + Send + Sync + 'static {
    /// What products are summed in.
    type Sum: Sum;
}

/// An element of `C`, for sums of type `S`: `S` itself, and for `f32` also `bf16` and `f16`.
pub trait Destination<S>: Copy + Default + Send + Sync + 'static {
    /// The value as a sum.
    fn widen(self) -> S;
    /// The sum, rounded to the nearest value.
    fn narrow(sum: S) -> Self;
}

//! What the elements of a product of matrices can be.
//!
//! | `A` and `B` | products are summed in | `C` | intermediate results of more than two operands |
//! |---|---|---|---|
//! | `f32` | `f32` | `f32` | `f32` |
//! | `f64` | `f64` | `f64` | `f64` |
//! | `bf16`, `f16` | `f32` | `f32`, `bf16` or `f16` | `f32` |
//! | `i8` | `i32` | `i32` | `f64`, which is exact up to 2^53 |

use crate::gemm::tables::{ElementTables, SumTables};
use half::{bf16, f16};

/// What products are summed in: `f32`, `f64` or `i32`.
///
/// Sums of `i32` wrap; those of up to 131071 products of `i8` are exact.
pub trait Sum: Destination<Self> + SumTables + PartialEq + Default + Into<f64> {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// `self * scale + other`.
    fn times_plus(self, scale: Self, other: Self) -> Self;
    /// The nearest value; for `i32`, the integer that sums would have wrapped to.
    fn from_f64(value: f64) -> Self;
}

/// An element of `A` and `B`: `f32`, `f64`, `i8`, and `bf16` and `f16` of the crate `half`. 1 is made of an `i8`.
pub trait Element:
    ElementTables + Copy + Default + Send + Sync + 'static + From<i8> + Into<Self::Sum> + Into<Self::Work>
{
    /// What products are summed in.
    type Sum: Sum;
    /// What intermediate results are kept in, where more than two operands are contracted.
    type Work: Element<Sum = Self::Work, Work = Self::Work> + Sum;
}

/// An element of `C`, for sums of type `S`: `S` itself, and for `f32` also `bf16` and `f16`.
pub trait Destination<S>: Copy + Default + Send + Sync + 'static {
    /// The value as a sum.
    fn widen(self) -> S;
    /// The sum, rounded to the nearest value.
    fn narrow(sum: S) -> Self;
}

macro_rules! elements {
    ($($type:ty, $sum:ty, $work:ty;)*) => {$(
        impl Element for $type {
            type Sum = $sum;
            type Work = $work;
        }
    )*};
}
elements! {
    f32, f32, f32;
    f64, f64, f64;
    bf16, f32, f32;
    f16, f32, f32;
    i8, i32, f64;
}

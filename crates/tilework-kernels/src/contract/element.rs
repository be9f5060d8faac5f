//! What a contraction asks of its elements beyond what a product does.

use crate::element::{Element, Sum};
use half::{bf16, f16};

/// An element of a contraction.
///
/// | elements | intermediate results of more than two operands |
/// |---|---|
/// | `f32`, `f64` | the same |
/// | `bf16`, `f16` | `f32` |
/// | `i8` | `f64`, which is exact up to 2^53 |
pub trait Factor: Element {
    /// What intermediate results are kept in.
    type Work: Factor<Work = Self::Work, Sum = Self::Work> + Sum + Becomes<Self::Sum>;
    /// 1.
    const ONE: Self;
    /// The value as a sum.
    fn to_sum(self) -> Self::Sum;
    /// The value as an intermediate result.
    fn to_work(self) -> Self::Work;
}

/// A sum that is rounded to one of another type at the end.
pub trait Becomes<S: Sum>: Sum {
    /// The sum of the other type.
    fn finish(self) -> S;
    /// A factor of the other type, as one of sums of this type.
    fn begin(other: S) -> Self;
}

impl<S: Sum> Becomes<S> for S {
    fn finish(self) -> S {
        self
    }
    fn begin(other: S) -> S {
        other
    }
}

impl Becomes<i32> for f64 {
    fn finish(self) -> i32 {
        // Sums of i32 wrap.
        self as i64 as i32
    }
    fn begin(other: i32) -> f64 {
        other.into()
    }
}

macro_rules! factors {
    ($($type:ty, $work:ty, $one:expr, |$value:ident| $sum:expr;)*) => {$(
        impl Factor for $type {
            type Work = $work;
            const ONE: $type = $one;
            #[inline(always)]
            fn to_sum(self) -> Self::Sum {
                let $value = self;
                $sum
            }
            #[inline(always)]
            fn to_work(self) -> $work {
                self.into()
            }
        }
    )*};
}
factors! {
    f32, f32, 1.0, |value| value;
    f64, f64, 1.0, |value| value;
    bf16, f32, bf16::ONE, |value| value.to_f32();
    f16, f32, f16::ONE, |value| value.to_f32();
    i8, f64, 1, |value| value.into();
}

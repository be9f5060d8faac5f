//! The elements of the kernels, made of small whole numbers, of which sums are exact, and of any bits.

use half::{bf16, f16};
use std::fmt::Debug;

/// An element.
pub trait Number: Copy + PartialEq + Send + Sync + Debug + 'static {
    /// The nearest to an integer.
    fn of(value: i64) -> Self;
    /// The integer that it is made of.
    fn value(self) -> i64;
    /// Any bits: no number, at times.
    fn noise(at: u64) -> Self;
}

macro_rules! numbers {
    ($($type:ty: $of:expr, $value:expr, $noise:expr;)*) => {$(
        impl Number for $type {
            fn of(value: i64) -> Self {
                $of(value)
            }
            fn value(self) -> i64 {
                $value(self)
            }
            fn noise(at: u64) -> Self {
                $noise((at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11)
            }
        }
    )*};
}
numbers! {
    i8: |value| value as i8, i64::from, |bits| bits as i8;
    i16: |value| value as i16, i64::from, |bits| bits as i16;
    i32: |value| value as i32, i64::from, |bits| bits as i32;
    i64: |value| value, |value| value, |bits| bits as i64;
    i128: i128::from, |value| value as i64, i128::from;
    f32: |value| value as f32, |value| value as i64, |bits| if bits % 3 == 0 { f32::NAN } else { f32::from_bits(bits as u32) };
    f64: |value| value as f64, |value| value as i64, |bits| if bits % 3 == 0 { f64::NAN } else { f64::from_bits(bits << 11) };
    bf16: |value| bf16::from_f32(value as f32), |value: bf16| value.to_f32() as i64, |bits| bf16::from_bits(bits as u16 | 0x7f80);
    f16: |value| f16::from_f32(value as f32), |value: f16| value.to_f32() as i64, |bits| f16::from_bits(bits as u16 | 0x7c00);
}

/// The elements of operands and of the result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Types {
    F32,
    F64,
    I8,
    Bf16,
    Bf16ToF32,
    F16,
    F16ToF32,
}

pub const TYPES: [Types; 7] =
    [Types::F32, Types::F64, Types::I8, Types::Bf16, Types::Bf16ToF32, Types::F16, Types::F16ToF32];

/// Calls a method with the two types.
macro_rules! with_types {
    ($types:expr, $self:ident.$method:ident()) => {
        match $types {
            Types::F32 => $self.$method::<f32, f32>(),
            Types::F64 => $self.$method::<f64, f64>(),
            Types::I8 => $self.$method::<i8, i32>(),
            Types::Bf16 => $self.$method::<half::bf16, half::bf16>(),
            Types::Bf16ToF32 => $self.$method::<half::bf16, f32>(),
            Types::F16 => $self.$method::<half::f16, half::f16>(),
            Types::F16ToF32 => $self.$method::<half::f16, f32>(),
        }
    };
}
pub(super) use with_types;

impl Types {
    /// Whether there are dot products of the operands.
    pub fn are_narrow(self) -> bool {
        matches!(self, Types::I8 | Types::Bf16 | Types::Bf16ToF32)
    }

    /// As parameters of a plan.
    pub fn parameters(self) -> &'static str {
        match self {
            Types::F32 => "f32, f32",
            Types::F64 => "f64, f64",
            Types::I8 => "i8, i32",
            Types::Bf16 => "bf16, bf16",
            Types::Bf16ToF32 => "bf16, f32",
            Types::F16 => "f16, f16",
            Types::F16ToF32 => "f16, f32",
        }
    }
}

//! The types of elements by name.

use half::{bf16, f16};
use std::any::TypeId;
use std::fmt;

/// The type of an element.
///
/// ```
/// use tilework_kernels::dynamic::Dtype;
/// assert_eq!((Dtype::of::<f32>(), Dtype::of::<char>()), (Some(Dtype::F32), None));
/// assert_eq!((Dtype::I8.sum(), Dtype::F16.sum().bytes()), (Dtype::I32, 4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Dtype {
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `half::bf16`
    Bf16,
    /// `half::f16`
    F16,
    /// `i8`
    I8,
    /// `i32`
    I32,
}

impl Dtype {
    /// The `Dtype` of a Rust type.
    #[must_use]
    pub fn of<T: 'static>() -> Option<Dtype> {
        let types = [
            (TypeId::of::<f32>(), Dtype::F32),
            (TypeId::of::<f64>(), Dtype::F64),
            (TypeId::of::<bf16>(), Dtype::Bf16),
            (TypeId::of::<f16>(), Dtype::F16),
            (TypeId::of::<i8>(), Dtype::I8),
            (TypeId::of::<i32>(), Dtype::I32),
        ];
        types.iter().find(|(id, _)| *id == TypeId::of::<T>()).map(|&(_, dtype)| dtype)
    }

    /// Its name, as `f32`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dtype::F32 => "f32",
            Dtype::F64 => "f64",
            Dtype::Bf16 => "bf16",
            Dtype::F16 => "f16",
            Dtype::I8 => "i8",
            Dtype::I32 => "i32",
        }
    }

    /// The bytes of an element.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Dtype::I8 => 1,
            Dtype::Bf16 | Dtype::F16 => 2,
            Dtype::F32 | Dtype::I32 => 4,
            Dtype::F64 => 8,
        }
    }

    /// The type in which products are summed.
    #[must_use]
    pub fn sum(self) -> Dtype {
        match self {
            Dtype::F32 | Dtype::Bf16 | Dtype::F16 => Dtype::F32,
            Dtype::F64 => Dtype::F64,
            Dtype::I8 | Dtype::I32 => Dtype::I32,
        }
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

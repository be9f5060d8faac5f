#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

#[macro_use]
extern crate alloc;

/// `?`, in `const`.
macro_rules! tri {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

pub mod access;
pub mod atom;
pub mod cover;
pub mod memory;
pub mod operand;
pub mod swizzle;
pub mod tiled;

mod refused;

pub use refused::Refused;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/hardware/gemm.md")]
mod gemm {}
#[cfg(doctest)]
#[doc = include_str!("../../../docs/kernel/numpy.md")]
mod numpy {}
#[cfg(doctest)]
#[doc = include_str!("../../../docs/kernel/rust.md")]
mod rust_kernels {}

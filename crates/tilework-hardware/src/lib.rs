#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod access;
pub mod atom;
pub mod cover;
pub mod memory;
pub mod swizzle;

mod refused;

pub use refused::Refused;

#![doc = include_str!("../README.md")]

pub mod ceiling;
mod contract;
mod conv;
mod copy;
mod element;
mod elementwise;
mod error;
mod execution;
mod gemm;
mod isa;
mod memory;
mod modes;
mod nest;
pub mod reference;
mod simd;

pub use contract::{ContractPlan, Operand, contract, contract_into};
pub use conv::{ConvPlan, Convolution, conv};
pub use copy::{CopyPlan, copy};
pub use element::{Destination, Element, Sum};
pub use elementwise::{axpby, map, reduce, sum, zip_map};
pub use error::Error;
pub use execution::Execution;
pub use gemm::{GemmPlan, gemm, gemm_tile};
pub use isa::Isa;
pub use memory::{Memory, MemoryMut, RawMemory};

#![doc = include_str!("../README.md")]

mod contract;
mod conv;
mod copy;
mod cpu;
mod disjoint;
mod dtype;
pub mod dynamic;
mod elementwise;
mod error;
mod execution;
mod gathered;
mod gemm;
#[cfg(test)]
#[path = "../tests/harness/mod.rs"]
mod harness;
mod located;
mod loops;
pub mod machine;
pub mod machine_limits;
mod matmul;
mod memory;
mod offset_layout;
pub mod reference;
mod simd;
mod tune;
mod tuning;

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

pub use contract::spec::{Einsum, Extents};
pub use contract::{ContractPlan, contract, contract_into};
pub use conv::{ConvPlan, Convolution, conv};
pub use copy::{CopyPlan, copy};
pub use cpu::isa::Isa;
pub use disjoint::are_disjoint;
pub use elementwise::{axpby, map, reduce, sum, zip_map};
pub use error::Error;
pub use execution::Execution;
pub use gemm::{GemmPlan, gemm, gemm_tile};
pub use located::{Located, Operand, OperandMut};
pub use matmul::element::{Destination, Element, Sum};
pub use memory::{Memory, MemoryMut, RawMemory};
pub use tune::tune;

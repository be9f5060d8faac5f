#![doc = include_str!("../README.md")]
//!
//! # How tensors run
//!
//! **Bounds.** The constructor of a tensor compares the image of its layout with the bounds of its accessor; slices and tiles stay within them.
//! The core has no unsafe code, so an element access is still checked; for static layouts over arrays the compiler removes the check
//! (`tests/assembly.rs`). The kernels compare images with slices once per call and then use pointers. Only the kernels accept raw memory:
//! `RawMemory::from_raw_parts` and `CopyPlan::run_raw` are `unsafe` and state their requirements. Plans are made for layouts, or for tensors of
//! any accessor (`for_tensors`), from which they take the layout and the start offset.
//!
//! | module | contents |
//! |---|---|
//! | `memory.rs`, `offset_layout.rs` | `Memory`: accessors that are a slice, or a pointer and a length; a plain or swizzled layout with an offset |
//! | `execution.rs`, `error.rs` | threads, cancelling and progress; the errors |
//! | `dtype.rs`, `dynamic.rs` | element types that are known at run time, and plans for them, for front ends |
//! | `machine_limits.rs` | memcpy and the multiply-add peak, to compare measurements with |
//! | `cost.rs` | what a copy costs through the caches and past them, at each place where a destination may begin; what an operand of a product costs packed and in place, in blocks and without: from the sizes of the caches and a few prices |
//! | `tuning.rs` | thresholds, with the row of benches/record that justifies each |
//! | `gathered.rs`, `located.rs` | operands that products read and write by way of a contiguous copy: swizzled layouts, XOR strides; tensors without their elements |
//! | `cpu/` | the instruction sets (the widest that is fast on the processor, or what `TILEWORK_ISA` or `Isa::force` chooses) and the caches |
//! | `simd/` | vector instructions: registers of numbers (`vector/`, one macro over the names of the instructions of each set), registers of bytes (`lanes/`), elements a few apart (`strided/`: by AVX2, and masked stores of AVX-512), registers that are small matrices (`matrices/`), prefetching |
//! | `loops/` | `modes.rs`: the loops that layouts of one size have in common, refined, sorted and coalesced jointly; `nest.rs`: how they run (reductions, the innermost loop, blocks, threads) |
//! | `copy/` | `plan/`, every decision: `loops.rs`, from two layouts to loops; `strategy.rs`, how their blocks are filled and written, with its explanation; `parts.rs`, swizzled layouts as parts with integer strides. `tile/`, the five kinds of block: `square/`, `line.rs`, `gather.rs`, `fields.rs`, `fill.rs`; `rows.rs`, rows that are written in whole lines. `run/`: the loops; it decides nothing |
//! | `matmul/` | the engine of products: `plan/`: every decision about a product, with its explanation; `run/`: the five loops, small products, products by a vector; `tile/`: packing and the micro-kernels of each element type and instruction set |
//! | `gemm/` | GEMM on the engine |
//! | `contract/`, `conv/` | labels and windows folded into products on the engine; `contract/stream.rs`: contractions in which no element is used twice; `short_sums.rs`: short sums; `free_output.rs`: the layout of an output whose layout the caller leaves open; `moved.rs`: contractions that are copies; `conv/lines.rs`: few output channels |
//! | `elementwise/` | `map`, `zip_map`, `axpby`; `reduce` along the modes in which the destination has stride 0 |
//! | `reference.rs` | the paper's algorithms, as printed there |
//!
//! **Loops.** Layouts of one size are functions of one integral coordinate. If their shapes have a common refinement, that coordinate runs
//! through a nest of loops with one stride per layout. Where no result depends on the order of the loops, they are sorted by the strides of the
//! destination and coalesced again, which finds the runs that are contiguous in all layouts. `(4,6)` and `(6,4)` have no common refinement, and
//! XOR strides and swizzles are linear in no loop: for these, each run is found by evaluating the layouts.
//!
//! **COPY.** A *piece* is a run of elements that is contiguous in both layouts. *Columns* are the modes that are contiguous in the destination,
//! *rows* those that are contiguous in the source. A block of rows by columns is filled at once, with offsets from small tables, so that one
//! block covers several modes. Pieces of up to 8 bytes are transposed in registers: one lane of 16 bytes from each column, zipped `log2(16/W)`
//! times for pieces of `W` bytes. Through the caches rows are written square by square, while the next line of each row is prefetched. A
//! destination is streamed where that costs less (`cost.rs`), whole lines at a time, four of a row together where that is faster; rows that
//! begin within a line are collected on a stage in the first-level cache (elements of 8 bytes by AVX-512 are shifted in registers), and their last, incomplete lines are carried over to the next columns. `benches/record/changes.tsv` has the gain of each.
//!
//! **Reductions.** A mode of stride 0 in the destination is reduced: `sum` from `(4,8):(1,4)` to `(4,8):(1,0)` sums the rows. There is no list
//! of axes; the layout says which modes are reduced.
//!
//! **Contractions without reuse.** Where `m`, `n` or `k` is 1, there is no reuse that would pay for packing. All labels are then loops of one
//! nest, and the innermost loop is the one in which the fewest operands have a stride above 1: it computes products, sums of products side by
//! side, or one sum at a time. Batches of small products are computed without blocks (`matmul/plan/small.rs`) or, if they are contiguous along the batch, run
//! in the same loops. A matrix-vector product reads several streams (`matmul/tile/gemv.rs`), and a contraction that only permutes the labels of an
//! operand is a copy (`contract/moved.rs`). Where sums are short and the rows of `A` and `C` are contiguous along the same label, kernels
//! multiply in place; along different ones, COPY first transposes a block of `A` into the order of `C`, in the second-level cache.
//!
//! **Threads.** Each thread computes a part of the destination. A reduction to one element always has 64 parts. So results do not depend on the
//! number of threads.

#[cfg(feature = "candidates")]
#[doc(hidden)]
pub mod candidates;
mod contract;
mod conv;
mod copy;
mod cost;
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
pub mod machine_limits;
mod matmul;
mod memory;
mod offset_layout;
pub mod reference;
mod simd;
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
pub use matmul::tile::element::{Destination, Element, Sum};
pub use memory::{Memory, MemoryMut, RawMemory};

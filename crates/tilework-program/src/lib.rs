//! Kernels for GPUs as values made of layouts.
//!
//! A [`Program`] has tensors, views of them and six kinds of statement. A view is a tensor and a layout whose strides are in
//! the tensor's coordinates and whose modes are blocks, threads, loops and values: addresses and predicates follow from it.
//! The text form is the program; it is printed and read back, and `docs/kernel/text.md` describes it. [`kernel`] builds the same programs in Rust,
//! and [`library`] has some.
//!
//! ```
//! use tilework_program::{Buffers, Program};
//! // B = A with other strides: tiles of 32x32 through shared memory, swizzled so that no two threads meet in a bank.
//! let transpose: Program = "
//! kernel transpose 256 threads, grid (ceil(M/32),ceil(N/32))
//! read A f32 (M,N):(lda,1)
//! write B f32 (M,N):(1,ldb)
//! shared s f32 Sw<5,0,5> o 0 o (32,32):(32,1)
//! s[t (32,8):(1@1,1@0), v 4:8@0] = A[b0 32@0, b1 32@1, t (32,8):(1@1,1@0), v 4:8@0] else 0
//! barrier
//! B[b0 32@0, b1 32@1, t (32,8):(1@0,1@1), v 4:8@1] = s[t (32,8):(1@0,1@1), v 4:8@1]
//! ".parse()?;
//! let sizes = transpose.sizes(&[("M", 70), ("N", 45)])?;
//! let mut buffers = Buffers::new(&transpose, &sizes)?;
//! buffers.fill("A", |at| (100 * at[0] + at[1]) as f64)?;
//! transpose.run(&sizes, &mut buffers)?;
//! assert_eq!(buffers.at("B", &[69, 44]), Some(6944.0));
//! # Ok::<(), tilework_program::Error>(())
//! ```
//!
//! # The meaning of statements
//!
//! `to = value` computes `value` for each value `v` of each thread `t`, in order of `v`; all views of a statement have the
//! same values and threads. A view without `v` is the same for all values, and a destination with a stride of 0 is folded
//! into. A partition with fewer threads than the block leaves the others idle. An element outside of a global tensor is
//! read as the number behind `else`, and not written: no other write is ever masked. A view without `else` is never outside.
//! `for` repeats, `when` depends on the block and loops alone, `barrier` separates what the threads of a block do to shared
//! memory, `commit` ends a group of asynchronous copies and `wait n` waits for all groups but the last `n`.
//!
//! `to = value by ATOM` names the instruction that does it, an atom of `tilework_hardware`. `cp.async` and `ldmatrix` copy what
//! the statement says. `to = to + a * b by` a matrix instruction is of fragments: an element of a view is mode 0 of its
//! registers, which the atom's layouts spread over the lanes of a warp, and all products of a sum are rounded once.
//!
//! What six statements and layouts cannot say is refused: indirect writes, atomics, roles of warps.
//!
//! # What is known before it runs
//!
//! [`Program::check`] answers for all sizes: that each element of a result is written once, which accesses need a predicate
//! and why the others need none, that shared memory is accessed inside, that no two threads race at any number of steps, that
//! the fragments of a matrix instruction hold the coordinates that its layouts ask for, and that no value from outside is
//! folded where it changes the result; and it counts the wavefronts that bank conflicts cost.
//! What is not proved is run at sizes, and the report says at which.
//!
//! # As source text
//!
//! [`Program::emit`] writes WGSL and CUDA C++. A swizzled address is that of the first value with a constant added or XORed,
//! where a test of all threads shows that this is right; a predicate that the facts make superfluous is left out.
//!
//! In CUDA one access has 16, 8 or 4 bytes where values of a thread are contiguous, their first one is aligned and one predicate is
//! right for all of them, at all sizes that the facts admit: `assume K % 4 == 0, lda % 4 == 0` is what a matrix of f32 needs.
//! Facts are conditions of the launch; without them accesses have one element, and the report says under which they would have more.
//! WGSL has no access to several elements of an array of numbers.
//!
//! # What is here
//!
//! `program` has the value, `declare` what stands before its statements, `text` both directions of its text and [`kernel`]
//! its builder; `form` the sums of digits that coordinates are, `instruction` the atoms that execute a statement, `matrix`
//! the elements and addresses that each lane has in one. `verify` refuses what is wrong at any size. `run` executes a
//! program at [`Sizes`] on [`Buffers`], with `machine`, a block's memory that knows who touched what since the last
//! barrier; `prelude` is what every file says. In `check`, a `site` is a statement with what is known of its views, once for all checks
//! and for emission: it compares coordinates with extents, and `widths` finds the values that one access has. `interval` has the least
//! and the largest value of an expression: `shifts` asks by how many bits and by what it divides, `narrow` what has to fit 32 bits.
//! `cover` proves by digits that elements are written once and `update` that one thread has each element, `bounds` says what is inside,
//! `races` follows a block until the states of its loops repeat, with the `cases` that suffice. `outside` follows what `else` gives, as
//! a `value` inside and outside of each extent, `along` where along an extent it is, and `masks` what a comparison says there. `banks`
//! counts wavefronts, `operands` asks whether sums of products are stored where the names of their operands say, `touched` lists who
//! touches what, for pictures, and `sampled` runs what is not proved. In `emit`, `address` writes coordinates,
//! `names` keeps each sum in the outermost scope where it is known, `dialect` has what the languages differ in, `needs`
//! what a device has to have, and `kernel` the statements. `launch` has what a host gives to a device.

#![no_std]
#![forbid(unsafe_code)]
#![warn(clippy::must_use_candidate)]

extern crate alloc;

mod access;
mod arithmetic;
mod buffers;
mod check;
mod declare;
mod element;
mod emit;
mod error;
mod form;
mod instruction;
pub mod kernel;
mod launch;
pub mod library;
mod machine;
mod matrix;
mod prelude;
mod program;
mod run;
mod sizes;
mod text;
mod verify;

pub use buffers::Buffers;
pub use check::{Certainty, Finding, Report, Touch, Touched};
pub use element::{Element, ElementType};
pub use emit::{Needs, Target};
pub use error::Error;
pub use form::{Digit, Form, Index};
pub use half::{bf16, f16};
pub use instruction::Instruction;
pub use launch::{Launch, Member};
pub use program::{
    Expr, Function, Kind, Place, Program, Scalar, Space, Statement, Storage, Tensor, Until, View,
};
pub use run::Counts;
pub use sizes::Sizes;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/kernel/program.md")]
mod page {}

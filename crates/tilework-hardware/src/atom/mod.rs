//! Instructions as data: one row for an instruction, or a rule for a family.
//!
//! A matrix instruction is executed by several threads, each of which holds some elements of `A`, `B` and `C` in its
//! registers. The manual shows these in a picture; here they are a layout from `(thread,value)` to the element (paper,
//! section 3.3.4), so that partitioning a tile among threads is composition. [`MmaAtom`] and [`CopyAtom`] are such
//! rows:
//!
//! | instructions | rows |
//! |---|---|
//! | NVIDIA `dp4a`, `mma.sync`, `mma.sp` (SM61 to SM120) | [`nvidia`], one constant for each struct of CUTLASS |
//! | NVIDIA `wgmma`, `tcgen05.mma` | [`nvidia::wgmma`], [`nvidia::wgmma_sparse`], [`nvidia::tcgen05_mma`] by rule |
//! | NVIDIA `ldmatrix`, `stmatrix`, `movmatrix`, `cp.async`, TMA, `tcgen05.ld`, `.st`, `.cp` | [`nvidia`] |
//! | AMD CDNA `v_mfma`, RDNA `v_wmma` | [`amd`] |
//! | Intel AMX, AVX-512, DPAS | [`intel`] |
//! | Arm `SMMLA`, `BFMMLA`, `FMOPA` | [`arm`] |
//!
//! [`rows`] and [`atoms`] iterate over all of them, and [`find`] finds one by name. `tests/isa` describes the
//! instructions a second time, on registers and without layouts; a test compares the two by multiplying matrices with
//! each row.

pub mod amd;
pub mod arm;
pub mod intel;
pub mod nvidia;

mod copy;
mod element;
mod family;
mod mma;
mod name;
mod table;

pub use copy::{CopyAtom, Side};
pub use element::Element;
pub use family::Atom;
pub use mma::{MmaAtom, Source};
pub use name::Name;
pub use table::{Group, Row, atoms, bare_name, find, find_in, groups, rows, rows_of_instruction};

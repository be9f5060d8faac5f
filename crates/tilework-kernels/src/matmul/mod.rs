//! The engine of all products: GEMM, contractions and convolutions are products of matrices whose elements are found by
//! tables of offsets.
//!
//! | room | what is there |
//! |---|---|
//! | `plan` | every decision about a product, and its explanation; `blocks`: the sizes of blocks; `small`: tiles of small products; `matrix`: layouts as tables of offsets |
//! | `run` | `matrices`: a batch of products by a plan; `driver`: the five loops around the micro-kernel; `small`, `vector`: products that are not packed; `operand`: what yields panels and takes tiles |
//! | `tile` | what runs on panels and tiles, for each instruction set (`compiled`) and element type (`dispatch`): `pack`, `kernel`, `put`, `gemv`, `static_tile`; `axis`: tables of offsets; `packing`: what vectors read or write at once |
//!
//! A plan decides, and what runs asks nothing again.

pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod tile;

//! What hardware prescribes, against enumeration and what others have published.

mod banks;
mod cover;
mod extremes;
mod isa;
mod operand;
mod rust_kernels;
mod swizzle;
mod tiled;
mod vector;

//! A tutorial: from `(4,8):(1,4)` to a tile partitioned among threads.
//!
//! Each chapter is a module of documentation, and every example in it is compiled and run by `cargo test --doc`. They
//! build on one another; the examples of a chapter use `layout!` and `tiler!`, which read the text notation at compile
//! time, and `?` with this crate's [`Error`](crate::Error).
//!
//! 1. [A layout is a function](chapter_1_function)
//! 2. [Coordinates and hierarchical shapes](chapter_2_coordinates)
//! 3. [Coalesce, and when two layouts are the same](chapter_3_coalesce)
//! 4. [Composition, and when there is none](chapter_4_composition)
//! 5. [Complement and divide: tiles and the rest](chapter_5_divide)
//! 6. [Product: a block and its repetitions](chapter_6_product)
//! 7. [Inverses, and how many elements move at once](chapter_7_inverse)
//! 8. [A tile among threads](chapter_8_partition)
//! 9. [Swizzles](chapter_9_swizzle)
//! 10. [Tensors: copy and multiply](chapter_10_tensor)
//!
//! Readers who know CUDA may begin with `docs/kernel/README.md`, which explains a kernel line by line, with the
//! commands of the program `tilework`.
//!
//! The definitions are those of Cris Cecka, *CuTe Layout Representation and Algebra* ("the paper"); section and
//! equation numbers refer to it.

pub mod chapter_10_tensor;
pub mod chapter_1_function;
pub mod chapter_2_coordinates;
pub mod chapter_3_coalesce;
pub mod chapter_4_composition;
pub mod chapter_5_divide;
pub mod chapter_6_product;
pub mod chapter_7_inverse;
pub mod chapter_8_partition;
pub mod chapter_9_swizzle;

//! Atoms repeated over tiles: the elements of a tensor that each thread has (CuTe's `TiledMMA` and `TiledCopy`).
//!
//! An atom defines the elements that its threads hold of one small tile. A [`TiledMma`] places several side by side by
//! a layout of atoms, and repeats them over the rest of a tensor; a [`TiledCopy`] does the same for copies. Both are
//! only divisions and compositions (paper, sections 3.3.4 and 3.5.2): divide a tensor into tiles of the atom, compose
//! each tile with the atom's layout of threads and values, and divide the rest among the atoms. One thread's part is a
//! slice of the result.
//!
//! ```
//! use tilework::{Counting, Tensor, layout, tiler};
//! use tilework_hardware::atom::nvidia::SM80_16x8x16_F32F16F16F32_TN;
//! use tilework_hardware::tiled::TiledMma;
//!
//! // Four warps, 2x2, on a tile of 64x64.
//! let mma = TiledMma::new(SM80_16x8x16_F32F16F16F32_TN, &layout!((2,2,1):(1,2,4)), &tiler!(<_,_,_>))?;
//! assert_eq!((mma.threads(), mma.tile()), (128, [32, 16, 16]));
//! let c = Tensor::new(Counting, layout!((64,64):(64,1)))?;
//! let mine = mma.thread(37)?.partition_c(c)?;
//! // 2x2 elements of an atom, and 2x4 atoms of this warp.
//! assert_eq!(mine.layout().to_string(), "((2,2),2,4):((1,512),2048,16)");
//! # Ok::<(), tilework::Error>(())
//! ```

mod addressed;
mod copy;
mod mma;
mod partition;

pub use copy::{ThreadCopy, TiledCopy, layout_tv};
pub use mma::{ThreadMma, TiledMma};
pub use partition::Partition;

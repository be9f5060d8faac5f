//! NVIDIA: matrix instructions of a thread, a warp, a warpgroup and a tensor core, and the copies of their operands.
//!
//! The names are those of the structs in CUTLASS (`cute/arch`), and so are the layouts, with one exception: [`SM75_U32x1_MOVM_T`]
//! transposes, which CUTLASS's traits do not say.

mod ldmatrix;
mod sm120;
mod tcgen05;
mod tmem;
mod transfer;
mod warp;
mod warpgroup;

pub use ldmatrix::*;
pub use sm120::{BlockScale, sm120_mma};
pub use tcgen05::{Kind, tcgen05_mma, tcgen05_scales};
pub use tmem::{TmemAccess, TmemShape, tcgen05_cp, tcgen05_ld, tcgen05_st};
pub use transfer::*;
use warp::FMA;
pub use warp::*;
pub use warpgroup::{wgmma, wgmma_sparse};

pub(super) use super::family::Family;
pub(crate) use tmem::LANE;

pub(super) const FAMILIES: &[Family] = &[
    FMA,
    MMA_SYNC,
    SPARSE,
    warpgroup::DENSE,
    warpgroup::SPARSE,
    tcgen05::FAMILY,
    sm120::FAMILY,
    WIDE,
    SIZED,
    LDMATRIX,
    tmem::LOADS_AND_STORES,
    tmem::COPIES,
];

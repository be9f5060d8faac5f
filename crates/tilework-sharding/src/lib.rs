#![no_std]
#![doc = include_str!("../README.md")]

#[macro_use]
extern crate alloc;

mod block_cyclic;
mod blocks;
mod contraction;
mod einsum;
mod error;
mod exchange;
mod forms;
mod hlo;
mod holders;
mod links;
mod mesh;
mod notation;
mod overlap;
mod partition_spec;
mod placements;
mod plan;
mod redistribution;
mod refine;
mod search;
mod sharding;
mod shardy;
mod steps;
mod text;
mod view;

pub use contraction::Contraction;
pub use error::Error;
pub use exchange::{Arrangement, Exchange};
pub use forms::Forms;
pub use holders::BlockHolders;
pub use links::Links;
pub use mesh::{Axis, Mesh};
pub use plan::{Messages, Plan};
pub use redistribution::{Message, Piece, Place, Redistribution};
pub use sharding::{Devices, Digit, Owner, Reduction, Sharding};
pub use steps::{Collective, Step};

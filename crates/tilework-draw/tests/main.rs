//! Pictures read back, and as they are pinned.

mod common;
mod pictures;
mod replace;
mod snapshots;

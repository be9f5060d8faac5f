//! The kernels as they are called from outside; the harness is `harness/`.

mod contract;
mod conv;
mod elementwise;
mod gemm;
mod huge;
mod places;
mod random;

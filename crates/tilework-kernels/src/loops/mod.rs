//! Loops in which several layouts are linear: which they are ([`modes`]), and how they run ([`nest`]).

pub(crate) mod modes;
pub(crate) mod nest;

//! Shardings against programs that enumerate devices and elements.

mod collectives;
mod contraction;
mod corpus;
mod enumeration;
mod large;
mod random;

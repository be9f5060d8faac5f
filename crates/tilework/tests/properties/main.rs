//! Properties of every public operation against plain evaluation.
//!
//! `oracle` evaluates layouts by the definition in the paper (equations 4 and 6) and decides by enumeration whether a
//! layout exists; nothing in it comes from the crate under test. Each module states the contract of one family of
//! operations in `postcondition_...` helpers and tries it on random layouts.
//!
//! The number of cases is scaled by the environment variable `TILEWORK_CASES` (1 in release, 0.02 in debug), and
//! `TILEWORK_SEED` changes the seed. A failing case is shrunk and printed with its seed.

mod oracle;
mod oracle_xor;
mod random;

mod coalesce;
mod complement;
mod composition;
mod divide_product;
mod huge;
mod image;
mod inverse;
mod inverse_sweep;
mod left_inverse;
mod limits;
mod malformed;
mod pointwise;
mod pycute;
mod reason;
mod recast;
mod shape;
mod sums;
mod tensor;
mod text;
mod view;
mod xor;

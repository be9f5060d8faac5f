//! Searches for inverses that no formula gives: within a budget, each returns the answer, a proof that there is none, or
//! [`Error::Undecided`](crate::Error::Undecided).
//!
//! Ordinary layouts do not lead here. How often each is reached by the 2,952 expressions of `corpus/`, and by the 236 of
//! `corpus/pasted/`, texts that a newcomer may paste:
//!
//! | file | asked for | corpus | reached | pasted | reached |
//! |---|---|---|---|---|---|
//! | `left_inverse.rs` | left inverses, by component | 130 | 10 | 1 | 0 |
//! | | left inverses with XOR strides | 8 | 1 | 0 | 0 |
//! | `descent.rs` | of these, those that equations leave undecided | 11 | 2 | 0 | 0 |
//! | `right_inverse.rs` | right inverses, by component | 214 | 29 | 3 | 0 |
//! | | common layouts | 28 | 5 | 1 | 0 |
//! | `xor.rs` | right inverses with XOR strides | 14 | 3 | 0 | 0 |
//! | | common layouts with XOR strides | 5 | 2 | 0 | 0 |
//! | | nullspaces with XOR strides | 5 | 5 | 0 | 0 |
//!
//! The counts are those of `calls=` in callgrind's output for a debug build that evaluates each line; nullspaces also use
//! the steps of `right_inverse.rs` (122 of 122). Each search has cases in `corpus/exact.jsonl` and `corpus/found.jsonl`,
//! and is compared with enumeration by `tests/properties/`.

mod descent;
mod image;
mod left_inverse;
mod right_inverse;
mod solutions;
#[cfg(test)]
mod tests;
mod xor;

pub(super) use left_inverse::{BUDGET, search_left_inverse};
pub(super) use right_inverse::{Operand, Preimages, Search, Work};
pub(super) use solutions::Ring;

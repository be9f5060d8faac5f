//! What the tests of several crates share. It depends on none of them: an oracle must not lean on what it judges, and the
//! unit tests of the core would see two cores.

mod coordinates;
mod corpus;
mod random;
mod setting;

pub use coordinates::coordinates;
pub use corpus::{Case, cases, language};
pub use random::Random;
pub use setting::{scaled, setting};

//! What a search goes past.

use crate::access::Conflict;
use crate::refused::Refused;
use core::fmt;
use tilework::Composed;

/// A candidate that is not an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RuledOut {
    /// What the tile would be.
    pub data: Composed,
    /// The first access with conflicts, or that is refused.
    pub access: usize,
    /// What it comes to.
    pub reason: Reason,
}

/// What rules out a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// Lanes meet in a bank.
    Conflict {
        /// The wavefronts of the access.
        wavefronts: u64,
        /// Those of its words, spread evenly.
        ideal: u64,
        /// Where.
        conflict: Conflict,
    },
    /// The memory does not serve the access.
    Refused(Refused),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Conflict { wavefronts, ideal, conflict } => {
                write!(f, "{wavefronts} wavefronts instead of {ideal}; {conflict}")
            }
            Reason::Refused(refused) => refused.fmt(f),
        }
    }
}

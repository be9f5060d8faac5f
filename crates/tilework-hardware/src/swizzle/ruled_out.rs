//! The candidates that a search rejects.

use crate::access::Conflict;
use crate::refused::Refused;
use core::fmt;
use tilework::Composed;

/// A rejected candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RuledOut {
    /// The layout that the tile would have.
    pub data: Composed,
    /// The first access that has conflicts, or that is refused.
    pub access: usize,
    /// The reason.
    pub reason: Reason,
}

/// Why a candidate is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// Lanes access different words of a bank.
    Conflict {
        /// The wavefronts of the access.
        wavefronts: u64,
        /// The wavefronts of its words, spread evenly.
        ideal: u64,
        /// The place.
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

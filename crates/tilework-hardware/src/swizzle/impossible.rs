//! Why a search finds nothing.

use crate::refused::Refused;
use core::fmt;

/// Why there is nothing of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Impossible {
    /// An access is refused whatever is done.
    Refused {
        /// Which access.
        access: usize,
        /// Why.
        refused: Refused,
    },
    /// All candidates leave conflicts.
    Exhausted {
        /// How many there are.
        candidates: u64,
        /// An access with conflicts under the candidate that takes the fewest wavefronts.
        access: usize,
        /// The wavefronts that it takes there.
        wavefronts: u64,
        /// The wavefronts that it would take without.
        ideal: u64,
    },
    /// No way to XOR bits of the offsets leaves the banks of all accesses independent.
    Dependent {
        /// How many partial choices were ruled out.
        candidates: u64,
    },
    /// A tile, an access or a memory is not linear over F2, and has no XOR strides.
    NotLinear {
        /// Which access, where it is one.
        access: Option<usize>,
    },
    /// A row is wider than every swizzling mode that the accelerator has.
    Row {
        /// The bytes of a row.
        bytes: i64,
    },
    /// The budget ended before an answer.
    Undecided {
        /// How many candidates were looked at.
        candidates: u64,
    },
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Impossible::Refused { access, refused } => write!(f, "access {access}: {refused}"),
            Impossible::Exhausted { candidates, access, wavefronts, ideal } => write!(
                f,
                "all of {candidates} candidates leave conflicts; at best, access {access} takes {wavefronts} wavefronts \
                 instead of {ideal}"
            ),
            Impossible::Dependent { candidates } => write!(
                f,
                "no XOR of higher bits into the bits of the banks leaves all accesses independent; {candidates} partial \
                 choices were ruled out"
            ),
            Impossible::NotLinear { access: None } => f.write_str(
                "the tile has extents or strides that are not linear over F2, and so no XOR strides",
            ),
            Impossible::NotLinear { access: Some(access) } => {
                write!(f, "access {access} is not linear over F2")
            }
            Impossible::Row { bytes } => write!(
                f,
                "a row of {bytes} bytes is wider than the 128 of the widest swizzling mode; split it into panels of 128"
            ),
            Impossible::Undecided { candidates } => {
                write!(f, "no answer within the budget of {candidates} candidates")
            }
        }
    }
}

impl core::error::Error for Impossible {}

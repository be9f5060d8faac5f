//! Why a search has no result.

use crate::refused::Refused;
use alloc::format;
use alloc::string::String;
use core::fmt;

/// Why no candidate of a form is an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Impossible {
    /// An access is refused for every candidate.
    Refused {
        /// Which access.
        access: usize,
        /// The reason.
        refused: Refused,
    },
    /// All candidates have conflicts.
    Exhausted {
        /// How many there are.
        candidates: u64,
        /// An access with conflicts under the candidate that takes the fewest wavefronts.
        access: usize,
        /// Its wavefronts under that candidate.
        wavefronts: u64,
        /// The wavefronts without conflicts.
        ideal: u64,
    },
    /// No choice of XORed bits leaves the banks of all accesses independent.
    Dependent {
        /// How many partial choices were ruled out.
        candidates: u64,
    },
    /// A tile, an access or a memory is not linear over F2, so XOR strides do not apply.
    NotLinear {
        /// The access, if it is one.
        access: Option<usize>,
    },
    /// A row is wider than every swizzling mode that the accelerator has.
    Row {
        /// The bytes of a row.
        bytes: i64,
    },
    /// The budget ended before an answer.
    Undecided {
        /// How many candidates were tried.
        candidates: u64,
    },
}

impl Impossible {
    /// The sentence, with names for the accesses that it counts.
    ///
    /// ```
    /// use tilework_hardware::swizzle::Impossible;
    /// let impossible = Impossible::NotLinear { access: Some(1) };
    /// assert_eq!(impossible.with_names(&["load".into(), "store".into()]), "store is not linear over F2");
    /// ```
    #[must_use]
    pub fn with_names(&self, names: &[String]) -> String {
        self.sentence(|access| names.get(access).map_or_else(|| numbered(access), String::clone))
    }

    fn sentence(&self, name: impl Fn(usize) -> String) -> String {
        match *self {
            Impossible::Refused { access, refused } => format!("{}: {refused}", name(access)),
            Impossible::Exhausted { candidates, access, wavefronts, ideal } => format!(
                "all of {candidates} candidates leave conflicts; at best, {} takes {wavefronts} wavefronts instead of {ideal}",
                name(access)
            ),
            Impossible::Dependent { candidates } => format!(
                "no XOR of higher bits into the bits of the banks leaves all accesses independent; {candidates} partial \
                 choices were ruled out"
            ),
            Impossible::NotLinear { access: None } => {
                "the tile has extents or strides that are not linear over F2, and so no XOR strides".into()
            }
            Impossible::NotLinear { access: Some(access) } => {
                format!("{} is not linear over F2", name(access))
            }
            Impossible::Row { bytes } => format!(
                "a row of {bytes} bytes is wider than the 128 of the widest swizzling mode; split it into panels of 128"
            ),
            Impossible::Undecided { candidates } => {
                format!("no answer within the budget of {candidates} candidates")
            }
        }
    }
}

fn numbered(access: usize) -> String {
    format!("access {access}")
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(numbered))
    }
}

impl core::error::Error for Impossible {}

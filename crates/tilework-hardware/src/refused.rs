//! Why the hardware cannot execute an access.

use core::fmt;
use tilework::Error;

/// The condition that a layout or an access violates, with the place of the violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refused {
    /// A layout does not exist, or an operation of the algebra has no result.
    Algebra(Error),
    /// No lane accesses this width at once.
    Width {
        /// The width.
        bits: u32,
        /// The bits of the widest access.
        most: u32,
    },
    /// The lanes that are served together are not published for this width.
    Phases {
        /// The width of the access of a lane.
        bits: u32,
    },
    /// A layout of phases has too many lanes.
    Lanes {
        /// How many.
        lanes: i64,
        /// The most lanes of a warp.
        most: usize,
    },
    /// The values of a thread cannot be divided into vectors of this length.
    Vector {
        /// The number of values.
        values: i64,
        /// The length of a vector.
        vector: u32,
    },
    /// The elements of a vector are not contiguous.
    Scattered {
        /// The thread.
        thread: i64,
        /// The value, within the vector.
        value: i64,
        /// The offset at which it would be contiguous.
        expected: i64,
        /// Its offset.
        found: i64,
        /// The length of the vector, in elements.
        vector: u32,
        /// The mode of the tile that has to be contiguous, if the access is defined by it.
        along: Option<usize>,
    },
    /// A vector does not begin at a multiple of its length.
    Misaligned {
        /// The thread.
        thread: i64,
        /// The first value of the vector.
        value: i64,
        /// Its offset, in elements.
        offset: i64,
        /// The length of the vector, in elements.
        vector: u32,
    },
    /// A value of a thread is outside the layout and others of its vector are inside, or no value of any thread is inside.
    Outside {
        /// The thread.
        thread: i64,
        /// The value.
        value: i64,
        /// The coordinate, as an index.
        index: i64,
        /// How many coordinates there are.
        size: i64,
        /// The length of the vector, in elements.
        vector: u32,
    },
    /// An instruction accesses an offset that a layout does not have.
    Absent {
        /// The index of the instruction's layout.
        index: i64,
        /// The offset.
        offset: i64,
    },
}

impl Refused {
    /// A short name of the condition that will not change.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Refused::Algebra(error) => error.code(),
            Refused::Width { .. } => "width",
            Refused::Phases { .. } => "phases",
            Refused::Lanes { .. } => "lanes",
            Refused::Vector { .. } => "vector",
            Refused::Scattered { .. } => "scattered",
            Refused::Misaligned { .. } => "misaligned",
            Refused::Outside { .. } => "outside",
            Refused::Absent { .. } => "absent",
        }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Algebra(error)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Refused::Algebra(error) => error.fmt(f),
            Refused::Width { most: 0, .. } => f.write_str("the widest access has 0 bits; it has 1 or more"),
            Refused::Width { bits, most } => {
                write!(f, "a lane accesses 1 to {most} bits at once, not {bits}")
            }
            Refused::Phases { bits } => {
                write!(
                    f,
                    "AMD's manuals say which lanes are served together at up to 32 bits a lane and at 128, and not at \
                     {bits}; a layout of phases decides"
                )
            }
            Refused::Lanes { lanes, most } => write!(f, "a warp has up to {most} lanes, not {lanes}"),
            Refused::Vector { values, vector } => {
                write!(f, "{values} values of a thread are not a whole number of vectors of {vector}")
            }
            Refused::Scattered { thread, value, expected, found, vector, along } => {
                write!(
                    f,
                    "thread {thread}: value {value} is at offset {found}; a vector of {vector} elements needs it at {expected}. "
                )?;
                match along {
                    None => f.write_str("Use vectors of 1 or another access"),
                    Some(mode) => write!(
                        f,
                        "Mode {mode} has to be contiguous; `ldmatrix` and `rows` are along mode 1, `ldmatrix.trans` along mode 0"
                    ),
                }
            }
            Refused::Misaligned { thread, value, offset, vector } => write!(
                f,
                "thread {thread}: value {value} is at offset {offset}; a vector of {vector} elements begins at a multiple of \
                 {vector}. Use shorter vectors or another access"
            ),
            Refused::Outside { thread, value, index, size, vector: 1 } => write!(
                f,
                "thread {thread}: value {value} is coordinate {index}, outside the layout's {size}, and no thread is inside; \
                 use a larger layout or another access"
            ),
            Refused::Outside { thread, value, index, size, vector } => write!(
                f,
                "thread {thread}: value {value} is coordinate {index}, outside the layout's {size}, and others of its \
                 vector of {vector} are inside; a guard is for whole vectors: use shorter vectors or a larger layout"
            ),
            Refused::Absent { index, offset } => write!(
                f,
                "the instruction accesses offset {offset} at index {index}, and the layout of the data has none there"
            ),
        }
    }
}

impl core::error::Error for Refused {}

//! What can be wrong with a request to execute something.

use crate::dtype::Dtype;
use std::fmt;

/// Why an operation was refused, or ended early. Nothing was written, unless it is [`Cancelled`](Error::Cancelled).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The algebra refused.
    Layout(tilework::Error),
    /// Two operands do not have as many elements as each other.
    Size {
        /// What was compared, as "source and destination".
        operands: &'static str,
        /// The size of the first.
        first: i64,
        /// The size of the second.
        second: i64,
    },
    /// A layout of another rank than the operation works on.
    Rank {
        /// Which operand.
        operand: &'static str,
        /// The modes the operation asks for, as "(M,K)".
        modes: &'static str,
        /// The rank it has.
        found: usize,
    },
    /// A layout whose offsets are no integers.
    Codomain {
        /// Which operand.
        operand: &'static str,
    },
    /// A layout with offsets that its data does not have.
    Image {
        /// Which operand.
        operand: &'static str,
        /// The smallest offset.
        min: i64,
        /// The largest offset.
        max: i64,
        /// How many elements there are.
        len: usize,
    },
    /// A destination in which two coordinates have one offset.
    Aliasing {
        /// Which operand.
        operand: &'static str,
    },
    /// A source and a destination that share memory.
    Overlap,
    /// More memory than can be addressed or had.
    Memory {
        /// How many bytes.
        bytes: u128,
    },
    /// The specification of a contraction or convolution that says nothing sensible.
    Specification {
        /// What is wrong, and what would be right.
        reason: String,
    },
    /// An instruction set that is unknown, or that this processor lacks; see [`Isa`](crate::Isa).
    Isa {
        /// What was asked for.
        asked: String,
        /// The words of the sets that this processor has.
        available: String,
    },
    /// Types of elements for which there are no kernels.
    Dtype {
        /// The type of the operands.
        operands: Dtype,
        /// The type of the output.
        output: Dtype,
    },
    /// The caller asked to stop. Some of the destination has been written.
    Cancelled,
}

impl Error {
    /// A stable name for the condition.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Layout(error) => error.code(),
            Error::Size { .. } => "size",
            Error::Rank { .. } => "rank",
            Error::Codomain { .. } => "codomain",
            Error::Image { .. } => "image",
            Error::Aliasing { .. } => "aliasing",
            Error::Overlap => "overlap",
            Error::Memory { .. } => "memory",
            Error::Specification { .. } => "specification",
            Error::Isa { .. } => "isa",
            Error::Dtype { .. } => "dtype",
            Error::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::Layout(error) => write!(f, "{error}"),
            Error::Size { operands, first, second } => {
                write!(
                    f,
                    "{operands} have {first} and {second} elements; they have to have as many as each other"
                )
            }
            Error::Rank { operand, modes, found } => {
                write!(
                    f,
                    "{operand} has {}, and is read as {modes}; group its modes so that there are as many",
                    count(*found, "mode")
                )
            }
            Error::Codomain { operand } => {
                write!(f, "the offsets of {operand} are not integers, and memory has no others")
            }
            Error::Image { operand, min, max, len } => write!(
                f,
                "{operand} has offsets from {min} to {max}, and its data the {len} from 0; a longer slice or a later start would hold them"
            ),
            Error::Aliasing { operand } => write!(
                f,
                "two coordinates of {operand} have one offset, so that what is written last would depend on the order; strides that keep them apart are needed where something is written"
            ),
            Error::Overlap => {
                write!(
                    f,
                    "source and destination share memory; copy by way of a third place, or take parts that do not overlap"
                )
            }
            Error::Memory { bytes } => write!(f, "not enough memory: {bytes} bytes are required"),
            Error::Specification { reason } => write!(f, "{reason}"),
            Error::Isa { asked, available } => write!(
                f,
                "{asked} is not available: the instruction sets are portable, avx2, avx512 and neon, and this processor has {available}"
            ),
            Error::Dtype { operands, output } => {
                let others = match operands {
                    Dtype::Bf16 | Dtype::F16 => format!(", or as {operands}"),
                    _ => String::new(),
                };
                let sum = operands.sum();
                write!(
                    f,
                    "products of {operands} are summed in {sum} and written so{others}, not as {output}"
                )
            }
            Error::Cancelled => write!(f, "cancelled; a part of the destination has been written"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Layout(error) => Some(error),
            _ => None,
        }
    }
}

impl From<tilework::Error> for Error {
    fn from(error: tilework::Error) -> Error {
        Error::Layout(error)
    }
}

/// Refuses data that does not hold all offsets from the first to the last.
#[inline(always)]
pub(crate) fn check_image(operand: &'static str, (min, max): (i64, i64), len: usize) -> Result<(), Error> {
    let inside = min >= 0 && usize::try_from(max).is_ok_and(|max| max < len);
    if inside { Ok(()) } else { Err(Error::Image { operand, min, max, len }) }
}

/// `1 mode`, `2 modes`.
pub(crate) fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

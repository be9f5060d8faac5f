//! Why a request to execute something is refused.

use crate::dtype::Dtype;
use std::fmt;

/// Why an operation was refused, or ended early. Nothing was written, unless it is [`Cancelled`](Error::Cancelled).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The algebra refused.
    Layout(tilework::Error),
    /// Two operands with different numbers of elements.
    Size {
        /// The two operands, as "source and destination".
        operands: &'static str,
        /// The size of the first.
        first: i64,
        /// The size of the second.
        second: i64,
    },
    /// Operands of a product that disagree about `M`, `N`, `K` or the batch `L`; without a batch, `L` is 1.
    Product {
        /// The sizes of `A`, `(M,K,L)`.
        a: [i64; 3],
        /// The sizes of `B`, `(N,K,L)`.
        b: [i64; 3],
        /// The sizes of `C`, `(M,N,L)`.
        c: [i64; 3],
    },
    /// A layout whose rank is not the one that the operation needs.
    Rank {
        /// Which operand.
        operand: &'static str,
        /// The modes the operation asks for, as "(M,K)".
        modes: &'static str,
        /// The rank it has.
        found: usize,
    },
    /// A layout whose offsets are not integers.
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
    /// A destination in which two coordinates have the same offset.
    Aliasing {
        /// Which operand.
        operand: &'static str,
    },
    /// A source and a destination that share memory.
    Overlap,
    /// More memory than can be addressed or allocated.
    Memory {
        /// How many bytes.
        bytes: u128,
    },
    /// A specification of a contraction or convolution that is not well formed.
    Specification {
        /// What is wrong with it, and a correct form.
        reason: String,
    },
    /// An instruction set that is unknown, or that this processor lacks; see [`Isa`](crate::Isa).
    Isa {
        /// The set that was requested.
        asked: String,
        /// The names of the sets that this processor has.
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
            Error::Size { .. } | Error::Product { .. } => "size",
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
                write!(f, "{operands} have {first} and {second} elements; both need the same number")
            }
            Error::Product { a, b, c } => product(f, [*a, *b, *c]),
            Error::Rank { operand, modes, found } => {
                write!(
                    f,
                    "{operand} has {}, and is read as {modes}; group its modes so that there are as many",
                    count(*found, "mode")
                )
            }
            Error::Codomain { operand } => {
                write!(f, "the offsets of {operand} are not integers, and memory is addressed by integers")
            }
            Error::Image { operand, min, max, len } => write!(
                f,
                "{operand} has offsets from {min} to {max}, but its data has {len} elements, from 0 on; use a longer slice or another start offset"
            ),
            Error::Aliasing { operand } => write!(
                f,
                "two coordinates of {operand} have the same offset, so that the result would depend on the order of writes; use strides that give each coordinate an offset of its own"
            ),
            Error::Overlap => {
                write!(
                    f,
                    "source and destination share memory; copy through a temporary buffer, or use parts that do not overlap"
                )
            }
            Error::Memory { bytes } => write!(f, "not enough memory: {bytes} bytes are required"),
            Error::Specification { reason } => write!(f, "{reason}"),
            Error::Isa { asked, available } => {
                write!(f, "{asked} is not available: this processor has {available}")
            }
            Error::Dtype { operands, output } => {
                let others = match operands {
                    Dtype::Bf16 | Dtype::F16 => format!(" or {operands}"),
                    _ => String::new(),
                };
                let sum = operands.sum();
                write!(
                    f,
                    "products of {operands} are summed in {sum}; the output can be {sum}{others}, not {output}"
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

/// Refuses data that does not contain all offsets from the first to the last.
#[inline(always)]
pub(crate) fn check_image(operand: &'static str, (min, max): (i64, i64), len: usize) -> Result<(), Error> {
    let inside = min >= 0 && usize::try_from(max).is_ok_and(|max| max < len);
    if inside { Ok(()) } else { Err(Error::Image { operand, min, max, len }) }
}

/// The product of numbers, none of which is negative.
pub(crate) fn checked_product(numbers: impl IntoIterator<Item = i64>) -> Result<i64, Error> {
    numbers.into_iter().try_fold(1i64, |left, right| {
        let overflow = tilework::Error::Overflow { left, operator: '*', right };
        left.checked_mul(right).ok_or(Error::Layout(overflow))
    })
}

/// The modes that two operands of a product share: the name, and the mode of each.
const SHARED: [(&str, [(usize, usize); 2]); 5] = [
    ("K", [(0, 1), (1, 1)]),
    ("M", [(0, 0), (2, 0)]),
    ("N", [(1, 0), (2, 1)]),
    ("L", [(0, 2), (2, 2)]),
    ("L", [(1, 2), (2, 2)]),
];

/// Refuses sizes of `A`, `B` and `C` that do not form a product.
pub(crate) fn check_product([a, b, c]: [[i64; 3]; 3]) -> Result<(), Error> {
    let sizes = [a, b, c];
    let agree = SHARED.iter().all(|(_, [(x, i), (y, j)])| sizes[*x][*i] == sizes[*y][*j]);
    if agree { Ok(()) } else { Err(Error::Product { a, b, c }) }
}

/// The first mode about which two operands disagree, and what was probably meant.
fn product(f: &mut fmt::Formatter, sizes: [[i64; 3]; 3]) -> fmt::Result {
    let differ = SHARED.iter().find(|(_, [(x, i), (y, j)])| sizes[*x][*i] != sizes[*y][*j]);
    let Some((name, modes)) = differ else { return write!(f, "the operands make a product") };
    let batch = sizes.iter().any(|sizes| sizes[2] != 1);
    let places = modes.map(|(operand, mode)| {
        let (letter, read) = [("A", "M,K"), ("B", "N,K"), ("C", "M,N")][operand];
        let ([rows, columns, count], size) = (sizes[operand], sizes[operand][mode]);
        match batch {
            true => format!("{size} in {letter}, ({read},L) = ({rows},{columns},{count})"),
            false => format!("{size} in {letter}, ({read}) = ({rows},{columns})"),
        }
    });
    write!(f, "{name} is {}, and {}", places[0], places[1])?;
    match *name == "K" && sizes[1][0] == sizes[0][1] {
        true => {
            write!(
                f,
                "; B is given as (K,N) and has to be (N,K): `b.T` of an array, `select<1,0>(B)` of a layout"
            )
        }
        false => Ok(()),
    }
}

/// `1 mode`, `2 modes`.
pub(crate) fn count(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

//! Why an instruction cannot use a layout.

use super::mode::Mode;
use crate::refused::Refused;
use core::fmt;
use tilework::Error;

/// The condition that an operand violates, with the place of the violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Illegal {
    /// The layout cannot be evaluated as an operand of two modes.
    Refused(Refused),
    /// The instruction does not take elements of this width in this order.
    Element {
        /// The operand.
        operand: &'static str,
        /// The bits of an element.
        bits: u32,
        /// What it takes instead.
        taken: &'static [u32],
    },
    /// The instruction does not take this swizzle for elements of this width in this order.
    Mode {
        /// The operand.
        operand: &'static str,
        /// The bits of an element.
        bits: u32,
        /// The mode that the layout has.
        mode: Mode,
        /// What it takes instead.
        taken: &'static [Mode],
    },
    /// An extent that is not a multiple of the required number, or too large.
    Extent {
        /// The name of the extent in the manual.
        name: &'static str,
        /// The extent.
        extent: i64,
        /// The number that it has to be a multiple of.
        multiple: i64,
        /// The largest one.
        most: Option<i64>,
    },
    /// Coordinates along M or N that are outside the tile.
    Part {
        /// The first.
        first: i64,
        /// One after the last.
        end: i64,
        /// How many the tile has.
        extent: i64,
    },
    /// A panel is cut: the part along the contiguous mode does not begin and end at rows of the swizzling mode.
    Panel {
        /// The mode.
        mode: Mode,
        /// The first coordinate along the contiguous mode.
        first: i64,
        /// One after the last coordinate.
        end: i64,
        /// The elements of a row of the swizzling mode.
        panel: i64,
    },
    /// An element that is not at the offset that the descriptor gives.
    Place {
        /// The mode that agrees for most elements.
        mode: Mode,
        /// The coordinate along M or N, or of the first mode.
        row: i64,
        /// The coordinate along K, or of the second mode.
        column: i64,
        /// The offset before the swizzle, in elements, that the descriptor gives.
        expected: i64,
        /// The offset before the swizzle in the layout.
        found: i64,
    },
    /// The part that one instruction reads begins at an offset that no descriptor can have.
    Start {
        /// The coordinate along K.
        column: i64,
        /// The offset before the swizzle, in elements.
        offset: i64,
        /// The number that it should be a multiple of, except for columns within a row of the mode.
        multiple: i64,
    },
    /// An offset does not fit in the 14 bits of its field.
    Field {
        /// The field, LBO or SBO.
        name: &'static str,
        /// The offset, in units of 16 bytes.
        offset: i64,
    },
    /// The address of the tile is not known to be a multiple of the alignment that the mode needs.
    Base {
        /// A number that divides the address, in bytes.
        align: u32,
        /// The number that has to divide it.
        needed: u32,
    },
    /// The tensor memory accelerator takes 1 to 5 modes, one of which is contiguous.
    Modes {
        /// How many there are.
        modes: usize,
        /// Whether one has stride 1.
        contiguous: bool,
    },
    /// An extent of global memory that is not between 1 and 2^32.
    GlobalExtent {
        /// The mode.
        mode: usize,
        /// The extent.
        extent: i64,
    },
    /// A stride of global memory that is not a multiple of 16 bytes, or 2^40 bytes or more.
    GlobalStride {
        /// The mode.
        mode: usize,
        /// The stride, in bits.
        bits: i128,
    },
    /// An extent of the box that is not between 1 and 256.
    Box {
        /// The mode.
        mode: usize,
        /// The extent.
        extent: i64,
    },
    /// A row of the box that is not a multiple of 16 bytes, or wider than its swizzling mode.
    BoxRow {
        /// The bits of a row.
        bits: i64,
        /// The mode.
        mode: Mode,
    },
}

impl Illegal {
    /// A short name of the condition that will not change.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Illegal::Refused(refused) => refused.code(),
            Illegal::Element { .. } => "element",
            Illegal::Mode { .. } => "mode",
            Illegal::Extent { .. } => "extent",
            Illegal::Part { .. } => "part",
            Illegal::Panel { .. } => "panel",
            Illegal::Place { .. } => "place",
            Illegal::Start { .. } => "start",
            Illegal::Field { .. } => "field",
            Illegal::Base { .. } => "base",
            Illegal::Modes { .. } => "modes",
            Illegal::GlobalExtent { .. } => "global-extent",
            Illegal::GlobalStride { .. } => "global-stride",
            Illegal::Box { .. } => "box",
            Illegal::BoxRow { .. } => "box-row",
        }
    }

    /// Checks that an address with this alignment has the one that is needed, in bytes.
    ///
    /// # Errors
    /// [`Illegal::Base`].
    pub const fn check_base(align: u32, needed: u32) -> Result<(), Illegal> {
        if align == 0 || !align.is_multiple_of(needed) {
            return Err(Illegal::Base { align, needed });
        }
        Ok(())
    }
}

impl From<Refused> for Illegal {
    fn from(refused: Refused) -> Illegal {
        Illegal::Refused(refused)
    }
}

impl From<Error> for Illegal {
    fn from(error: Error) -> Illegal {
        Illegal::Refused(Refused::Algebra(error))
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Illegal::Refused(refused) => refused.fmt(f),
            Illegal::Element { operand, bits, taken } => {
                write!(f, "{operand} takes elements of ")?;
                any_of(f, taken)?;
                write!(f, " bits, not of {bits}")
            }
            Illegal::Mode { operand, bits, mode, taken } => {
                write!(f, "{operand} takes elements of {bits} bits with ")?;
                any_of(f, taken)?;
                write!(f, ", and the layout has {mode}")
            }
            Illegal::Extent { name, extent, multiple, most } => {
                write!(f, "{name} is {extent}, and has to be a multiple of {multiple}")?;
                most.map_or(Ok(()), |most| write!(f, " up to {most}"))
            }
            Illegal::Part { first, end, extent } => {
                write!(f, "there are no coordinates {first}..{end} of {extent} along M or N")
            }
            Illegal::Panel { mode, first, end, panel } => write!(
                f,
                "coordinates {first} to {} cut panels of {panel} elements, as the {mode} has them",
                end - 1
            ),
            Illegal::Place { mode, row, column, expected, found } => write!(
                f,
                "element ({row},{column}) is at {found} before the swizzle, and a descriptor with {mode} has it at {expected}"
            ),
            Illegal::Start { column, offset, multiple } => write!(
                f,
                "the part from column {column} begins at {offset}, within the pattern that repeats every {multiple} elements"
            ),
            Illegal::Field { name, offset } => {
                write!(f, "{name} is {offset} times 16 bytes, and has 14 bits")
            }
            Illegal::Base { align, needed } => {
                write!(f, "the address is known to be a multiple of {align}, and has to be one of {needed}")
            }
            Illegal::Modes { contiguous: false, .. } => f.write_str("no mode of the tensor is contiguous"),
            Illegal::Modes { modes, .. } => write!(f, "a tensor map has 1 to 5 modes, not {modes}"),
            Illegal::GlobalExtent { mode, extent } => {
                write!(f, "the tensor has extent {extent} in mode {mode}; 1 to 2^32 are allowed")
            }
            Illegal::GlobalStride { mode, bits } => write!(
                f,
                "the stride of mode {mode} is {bits} bits, and has to be a multiple of 16 bytes below 2^40"
            ),
            Illegal::Box { mode, extent } => {
                write!(f, "the box has extent {extent} in mode {mode}; 1 to 256 are allowed")
            }
            Illegal::BoxRow { bits, mode } => write!(
                f,
                "a row of the box has {bits} bits; with {mode} it is a multiple of 16 bytes{}",
                match mode {
                    Mode::None => "",
                    Mode::B32 => " up to 32",
                    Mode::B64 => " up to 64",
                    _ => " up to 128",
                }
            ),
        }
    }
}

/// `1, 2 or 3`.
fn any_of(f: &mut fmt::Formatter<'_>, items: &[impl fmt::Display]) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        let separator = if i == 0 {
            ""
        } else if i + 1 < items.len() {
            ", "
        } else {
            " or "
        };
        write!(f, "{separator}{item}")?;
    }
    Ok(())
}

impl core::error::Error for Illegal {}

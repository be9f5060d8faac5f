//! The widest vector that can be copied between two layouts (paper, section 3.4.2).

use crate::refused::Refused;
use core::fmt;
use tilework::{Error, Layout, layout};

/// One side of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Side<'a> {
    /// The offsets of its elements.
    pub layout: &'a Layout,
    /// A number that divides the address of offset 0, in bytes.
    pub align: u32,
}

/// The widest vector between two layouts, and its coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct VectorWidth {
    /// How many elements.
    pub elements: i64,
    /// Their total bits.
    pub bits: i64,
    /// The layout from contiguous elements to coordinates by which both layouts are divided. Usually it has the
    /// elements of one vector; `(2,3):(3,1)` can be divided into vectors of 2 only by all six elements, at
    /// `(3,2):(2,1)`.
    pub coordinates: Layout,
    /// What limits the width.
    pub limit: Limit,
}

/// What limits the width of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// No more elements are contiguous in both, at the same coordinates.
    Common {
        /// How many elements are contiguous in both.
        elements: i64,
    },
    /// No instruction is wider.
    Instruction,
    /// The number of elements is not a multiple of wider vectors.
    Size {
        /// How many elements there are.
        elements: i64,
    },
    /// The address of one side is not known to be a multiple of twice the width.
    Address {
        /// Which side, 0 or 1.
        side: usize,
    },
    /// A stride between vectors is not a multiple of twice the width.
    Stride {
        /// Which side, 0 or 1.
        side: usize,
        /// The stride.
        stride: i64,
    },
    /// A side cannot be divided into wider vectors at these coordinates.
    Division {
        /// Which side, 0 or 1.
        side: usize,
        /// The reason.
        error: Error,
    },
}

impl fmt::Display for VectorWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VectorWidth { elements, bits, coordinates, limit } = self;
        let plural = if *elements == 1 { "" } else { "s" };
        write!(f, "{elements} element{plural}, {bits} bits, at {coordinates}: {limit}")
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side: usize| if side == 0 { "first" } else { "second" };
        match *self {
            Limit::Common { elements: 1 } => f.write_str("no two are contiguous in both"),
            Limit::Common { elements } => write!(f, "{elements} are contiguous in both"),
            Limit::Instruction => f.write_str("no instruction is wider"),
            Limit::Size { elements } => {
                write!(f, "{elements} elements are not a whole number of wider vectors")
            }
            Limit::Address { side } => {
                write!(f, "the address of the {} is not known to allow more", name(side))
            }
            Limit::Stride { side, stride } => {
                write!(f, "the stride {stride} of the {} allows no more", name(side))
            }
            Limit::Division { side, error } => write!(f, "the {} does not come apart: {error}", name(side)),
        }
    }
}

/// The widest vector with which every element of two layouts of one size can be copied: contiguous in both at the same
/// coordinates, and beginning at multiples of its length in both.
///
/// The elements that are contiguous in both are those of [`Layout::common_layout`]; both layouts are divided by the
/// first of them, and the strides of the rest give the offsets at which vectors begin.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::access::{Side, vector_width};
/// // Figure 8b of the paper's kind: four are contiguous, but rows of 6 begin at multiples of 2.
/// let (from, to) = (layout!((4,8):(1,6)), layout!((4,8):(1,4)));
/// let side = |layout| Side { layout, align: 16 };
/// let width = vector_width(side(&from), side(&to), 16, 128)?;
/// assert_eq!(width.to_string(), "2 elements, 32 bits, at 2:1: the stride 6 of the first allows no more");
/// # Ok::<(), tilework_hardware::Refused>(())
/// ```
///
/// # Errors
/// [`Refused::Algebra`]: [`Error::Size`] for layouts of different sizes, and those of [`Layout::common_layout`];
/// [`Refused::Width`] for elements of 0 bits or more than `widest`.
pub fn vector_width(one: Side, two: Side, bits: u32, widest: u32) -> Result<VectorWidth, Refused> {
    if bits == 0 || bits > widest {
        return Err(Refused::Width { bits });
    }
    let (expected, found) = (one.layout.size(), two.layout.size());
    if expected != found {
        return Err(Error::Size { operation: "a copy", expected, found }.into());
    }
    let common = one.layout.common_layout(two.layout)?;
    let contiguous = common.size();
    let most = 1i64 << contiguous.ilog2();
    let (mut elements, mut limit) = (most, Limit::Common { elements: contiguous });
    loop {
        match tile([one, two], &common, elements, bits, widest) {
            Ok(coordinates) => {
                return Ok(VectorWidth { elements, bits: elements * i64::from(bits), coordinates, limit });
            }
            // A single element is always a vector.
            Err(_) if elements == 1 => {
                return Ok(VectorWidth { elements, bits: i64::from(bits), coordinates: layout!(1:0), limit });
            }
            Err(found) => (elements, limit) = (elements / 2, found),
        }
    }
}

/// The first `elements` elements of the common layout.
fn first(common: &Layout, elements: i64) -> Result<Layout, Error> {
    if elements == 1 { Ok(layout!(1:0)) } else { common.composition(&Layout::of(elements, 1)?) }
}

/// The layout that divides both layouts into vectors of `elements`, or what prevents it: one vector, or several of them
/// up to the end of a mode of the common layout.
fn tile(sides: [Side; 2], common: &Layout, elements: i64, bits: u32, widest: u32) -> Result<Layout, Limit> {
    let width = elements.checked_mul(i64::from(bits)).filter(|&width| width <= i64::from(widest));
    let width = width.ok_or(Limit::Instruction)?;
    if let Some(side) = sides.iter().position(|side| i64::from(side.align) * 8 % width != 0) {
        return Err(Limit::Address { side });
    }
    let size = sides[0].layout.size();
    if size % elements != 0 {
        return Err(Limit::Size { elements: size });
    }
    let (mut found, mut count) = (fits(sides, common, elements, elements), 1);
    for leaf in common.leaves() {
        count *= leaf.extent;
        if found.is_err() && count % elements == 0 {
            found = fits(sides, common, count, elements).or(found);
        }
    }
    found
}

/// The first `count` contiguous elements, if they divide both layouts, and all parts begin at multiples of a vector.
fn fits(sides: [Side; 2], common: &Layout, count: i64, elements: i64) -> Result<Layout, Limit> {
    let layouts = sides.map(|side| side.layout);
    let tile = first(common, count).map_err(|error| Limit::Division { side: 0, error })?;
    for (side, layout) in layouts.into_iter().enumerate() {
        let divided = layout.logical_divide(&tile.as_tiler());
        // If the gaps between the elements are not a multiple of their number, the last ones are outside.
        if divided.is_ok_and(|divided| divided.size() != layout.size()) {
            return Err(Limit::Common { elements: common.size() });
        }
        let rest =
            divided.and_then(|divided| divided.mode(1)).map_err(|error| Limit::Division { side, error })?;
        for leaf in rest.leaves() {
            let stride = leaf.stride.count();
            if leaf.extent > 1 && (!stride.is_integer() || stride.numerator() % elements != 0) {
                return Err(Limit::Stride { side, stride: stride.numerator() });
            }
        }
    }
    Ok(tile)
}

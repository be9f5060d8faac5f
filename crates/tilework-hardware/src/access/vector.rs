//! The widest vector that can be copied between two layouts (paper, section 3.4.2).

use crate::refused::Refused;
use core::fmt;
use tilework::{AnyLayout, Codomain, Error, Layout, Swizzle, layout};

/// One side of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Side<'a> {
    /// The offsets of its elements, plain or swizzled.
    pub layout: &'a AnyLayout,
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
    /// The bits of one.
    pub element_bits: u32,
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
    /// The address of one side, with its offset, is not known to be a multiple of twice the width.
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
    /// A swizzle takes wider vectors apart.
    Swizzle {
        /// Which side, 0 or 1.
        side: usize,
        /// How many elements it keeps together.
        elements: i64,
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
        let VectorWidth { elements, bits, element_bits, coordinates, limit } = self;
        let plural = if *elements == 1 { "" } else { "s" };
        write!(f, "{elements} element{plural}, {bits} bits, at {coordinates}: {limit}")?;
        write!(f, "; elements of {element_bits} bits")
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
            Limit::Swizzle { side, elements } => {
                write!(f, "the swizzle of the {} keeps {elements} together", name(side))
            }
            Limit::Division { side, error } => write!(f, "the {} does not come apart: {error}", name(side)),
        }
    }
}

/// The widest vector with which every element of two layouts of one size can be copied: contiguous in both at the same
/// coordinates, and beginning at multiples of its length in both.
///
/// The elements that are contiguous in both are those of [`AnyLayout::common_layout`]; both layouts are divided by the
/// first of them, and the strides of the rest give the offsets at which vectors begin. If a swizzled side has no XOR
/// strides, or an offset before the swizzle, or if the contiguous elements are at XORs of coordinates, the layouts below
/// the swizzles are divided instead, and no vector is wider than the elements that every swizzle keeps together.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::access::{Side, vector_width};
/// // Figure 8b of the paper's kind: four are contiguous, but rows of 6 begin at multiples of 2.
/// let (from, to) = (layout!((4,8):(1,6)).into(), layout!((4,8):(1,4)).into());
/// let side = |layout| Side { layout, align: 16 };
/// let width = vector_width(side(&from), side(&to), 16, 128)?;
/// assert_eq!(
///     width.to_string(),
///     "2 elements, 32 bits, at 2:1: the stride 6 of the first allows no more; elements of 16 bits"
/// );
/// # Ok::<(), tilework_hardware::Refused>(())
/// ```
///
/// # Errors
/// [`Refused::Algebra`]: [`Error::Size`] for layouts of different sizes, and those of [`Layout::common_layout`];
/// [`Refused::Width`] for elements of 0 bits or more than `widest`.
pub fn vector_width(one: Side, two: Side, bits: u32, widest: u32) -> Result<VectorWidth, Refused> {
    if bits == 0 || bits > widest {
        return Err(Refused::Width { bits, most: widest });
    }
    let (expected, found) = (one.layout.layout().size(), two.layout.layout().size());
    if expected != found {
        return Err(Error::Size { operation: "a copy", expected, found }.into());
    }
    let copy = Copy::new(one, two, bits, widest)?;
    let contiguous = copy.common.size();
    let (mut elements, mut limit) = (1i64 << contiguous.ilog2(), Limit::Common { elements: contiguous });
    loop {
        let coordinates = match copy.tile(elements) {
            Ok(coordinates) => coordinates,
            // A single element is always a vector.
            Err(_) if elements == 1 => layout!(1:0),
            Err(found) => {
                (elements, limit) = (elements / 2, found);
                continue;
            }
        };
        let all = elements * i64::from(bits);
        return Ok(VectorWidth { elements, bits: all, element_bits: bits, coordinates, limit });
    }
}

/// Both sides as layouts that can be divided, and what limits their vectors.
struct Copy {
    layouts: [Layout; 2],
    /// From contiguous elements to coordinates of both.
    common: Layout,
    /// How many elements the swizzle of each side keeps together, and its offset, of those that the layouts are without.
    kept: [i64; 2],
    aligns: [u32; 2],
    bits: u32,
    widest: u32,
    /// Which sides are swizzled.
    swizzles: [Option<Swizzle>; 2],
}

impl Copy {
    fn new(one: Side, two: Side, bits: u32, widest: u32) -> Result<Copy, Error> {
        let sides = [one.layout, two.layout];
        let (layouts, common, kept) =
            match (one.layout.to_layout(), two.layout.to_layout(), one.layout.common_layout(two.layout)) {
                (Ok(one), Ok(two), Ok(common)) if common.codomain() != Codomain::Xor => {
                    ([one, two], common, [0; 2])
                }
                _ => {
                    let layouts = sides.map(|side| *side.layout());
                    (layouts, layouts[0].common_layout(&layouts[1])?, sides.map(kept))
                }
            };
        let swizzles = sides.map(|side| match side {
            AnyLayout::Swizzled(composed) if composed.swizzle().bits() > 0 => Some(composed.swizzle()),
            _ => None,
        });
        Ok(Copy { layouts, common, kept, aligns: [one.align, two.align], bits, widest, swizzles })
    }

    /// The layout that divides both layouts into vectors of `elements`, or what prevents it: one vector, or several of
    /// them up to the end of a mode of the common layout.
    fn tile(&self, elements: i64) -> Result<Layout, Limit> {
        let width = elements.checked_mul(self.bits.into()).filter(|&width| width <= self.widest.into());
        let width = width.ok_or(Limit::Instruction)?;
        if let Some(side) = self.aligns.iter().position(|&align| i64::from(align) * 8 % width != 0) {
            return Err(Limit::Address { side });
        }
        if let Some(side) = self.kept.iter().position(|kept| kept % elements != 0) {
            let elements = self.kept[side] & self.kept[side].wrapping_neg();
            return Err(match self.swizzles[side] {
                Some(_) => Limit::Swizzle { side, elements },
                None => Limit::Address { side },
            });
        }
        let size = self.layouts[0].size();
        if size % elements != 0 {
            return Err(Limit::Size { elements: size });
        }
        let (mut found, mut count) = (self.fits(elements, elements), 1);
        for leaf in self.common.leaves() {
            count *= leaf.extent;
            if found.is_err() && count % elements == 0 {
                found = self.fits(count, elements).or(found);
            }
        }
        found
    }

    /// The first `count` contiguous elements, if they divide both layouts, and all parts begin at multiples of a vector.
    fn fits(&self, count: i64, elements: i64) -> Result<Layout, Limit> {
        let tile = first(&self.common, count).map_err(|error| Limit::Division { side: 0, error })?;
        for (side, layout) in self.layouts.iter().enumerate() {
            let divided = layout.logical_divide(&tile.as_tiler());
            // If the gaps between the elements are not a multiple of their number, the last ones are outside.
            if divided.is_ok_and(|divided| divided.size() != layout.size()) {
                return Err(Limit::Common { elements: self.common.size() });
            }
            let rest = divided
                .and_then(|divided| divided.mode(1))
                .map_err(|error| Limit::Division { side, error })?;
            for leaf in rest.leaves() {
                for stride in leaf.stride.terms().map(|term| term.count()) {
                    if leaf.extent > 1 && (!stride.is_integer() || stride.numerator() % elements != 0) {
                        return Err(self.stride(side, stride.numerator(), elements));
                    }
                }
            }
        }
        Ok(tile)
    }

    /// The limit of a stride; one that a swizzle has made of another is the swizzle's.
    fn stride(&self, side: usize, stride: i64, elements: i64) -> Limit {
        match self.swizzles[side].map(|swizzle| 1 << swizzle.base()) {
            Some(kept) if kept == elements / 2 && !stride.unsigned_abs().is_power_of_two() => {
                Limit::Swizzle { side, elements: kept }
            }
            _ => Limit::Stride { side, stride },
        }
    }
}

/// A number whose powers of two divide vectors that a swizzle and the offset before it keep together; 0 for all.
fn kept(side: &AnyLayout) -> i64 {
    match side {
        AnyLayout::Swizzled(composed) if composed.swizzle().bits() > 0 => {
            1 << composed.swizzle().base() | composed.offset()
        }
        AnyLayout::Swizzled(composed) => composed.offset(),
        AnyLayout::Plain(_) => 0,
    }
}

/// The first `elements` elements of the common layout.
fn first(common: &Layout, elements: i64) -> Result<Layout, Error> {
    if elements == 1 { Ok(layout!(1:0)) } else { common.composition(&Layout::of(elements, 1)?) }
}

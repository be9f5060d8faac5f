//! Shared operands of `wgmma` and `tcgen05.mma`, and their descriptors.

use super::illegal::Illegal;
use super::mode::Mode;
use crate::access::{Access, Offsets};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use tilework::{Composed, Error, HasLayout, Layout, Swizzle};

/// The mode along which an operand is contiguous.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Major {
    /// Along K.
    K,
    /// Along M or N.
    MN,
}

/// A legal operand: the fields of its descriptor, and the start of the part of each instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Operand {
    /// The swizzling mode.
    pub mode: Mode,
    /// The leading dimension byte offset (LBO), in units of 16 bytes; 0 if nothing is repeated along it.
    pub leading: u32,
    /// The stride dimension byte offset (SBO), in units of 16 bytes; 0 if nothing is repeated along it.
    pub stride: u32,
    /// The start of the columns of each instruction along K, in units of 16 bytes: it is added to the start address.
    pub starts: Vec<u32>,
}

impl Operand {
    /// The required alignment of the tile's address, in bytes.
    #[must_use]
    pub const fn base(&self) -> u32 {
        self.mode.base()
    }

    /// Checks that the address of the tile has the alignment that the mode needs.
    ///
    /// # Errors
    /// [`Illegal::Base`].
    pub const fn check_base(&self, align: u32) -> Result<(), Illegal> {
        let needed = self.base();
        if align == 0 || !align.is_multiple_of(needed) {
            return Err(Illegal::Base { align, needed });
        }
        Ok(())
    }

    /// The descriptor of SM90 for a start address, in bytes.
    #[must_use]
    pub const fn sm90(&self, address: u32) -> u64 {
        let mode = match self.mode {
            Mode::None => 0,
            Mode::B128 | Mode::B128Base32 => 1,
            Mode::B64 => 2,
            Mode::B32 => 3,
        };
        self.fields(address) | mode << 62
    }

    /// The descriptor of SM100 for a start address, in bytes.
    #[must_use]
    pub const fn sm100(&self, address: u32) -> u64 {
        let mode = match self.mode {
            Mode::None => 0,
            Mode::B128Base32 => 1,
            Mode::B128 => 2,
            Mode::B64 => 4,
            Mode::B32 => 6,
        };
        self.fields(address) | 1 << 46 | mode << 61
    }

    const fn fields(&self, address: u32) -> u64 {
        (address as u64 >> 4 & FIELD as u64) | (self.leading as u64) << 16 | (self.stride as u64) << 32
    }
}

/// The bits of a field of a descriptor.
const FIELD: i64 = 0x3fff;

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operand { mode, leading, stride, .. } = self;
        write!(f, "{mode}, LBO {leading}, SBO {stride}, base {}", self.base())
    }
}

/// Whether `wgmma` can read a tile of two modes, M or N and K, from shared memory: 64 rows of A, or all N of B, and a
/// multiple of the 256 bits that one instruction takes along K.
///
/// # Errors
/// [`Illegal`]: the condition, with the coordinate if there is one.
pub fn wgmma(tile: &impl HasLayout, major: Major, bits: u32) -> Result<Operand, Illegal> {
    wgmma_part(tile, major, bits, 0..extent(tile)?)
}

/// Whether `wgmma` can read a range of a tile's coordinates along M or N, as the warp groups of a block do.
///
/// ```
/// use tilework_hardware::operand::{Illegal, Major, Mode, nearest, wgmma, wgmma_part};
/// // 192 columns in panels of 64 are legal, and halves of 96 columns are not.
/// let tile = nearest(192, 64, Major::MN, 16)?;
/// assert!(wgmma(&tile, Major::MN, 16).is_ok());
/// let error = wgmma_part(&tile, Major::MN, 16, 96..192).unwrap_err();
/// assert_eq!(error, Illegal::Panel { mode: Mode::B128, first: 96, end: 192, panel: 64 });
/// # Ok::<(), Illegal>(())
/// ```
///
/// # Errors
/// As [`wgmma`], and [`Illegal::Part`] for coordinates outside the tile.
pub fn wgmma_part(
    tile: &impl HasLayout,
    major: Major,
    bits: u32,
    part: Range<i64>,
) -> Result<Operand, Illegal> {
    if major == Major::MN && bits != 16 {
        return Err(Illegal::Element { bits, expected: "elements of 16 bits where operands are MN-major" });
    }
    operand(tile, major, bits, part, &Mode::ALL)
}

/// Whether `tcgen05.mma` can read a tile of two modes, M or N and K, from shared memory.
///
/// # Errors
/// As [`wgmma`].
pub fn tcgen05(tile: &impl HasLayout, major: Major, bits: u32) -> Result<Operand, Illegal> {
    tcgen05_part(tile, major, bits, 0..extent(tile)?)
}

/// Whether `tcgen05.mma` can read a range of a tile's coordinates along M or N.
///
/// # Errors
/// As [`wgmma_part`].
pub fn tcgen05_part(
    tile: &impl HasLayout,
    major: Major,
    bits: u32,
    part: Range<i64>,
) -> Result<Operand, Illegal> {
    const MN: [Mode; 5] = [Mode::None, Mode::B32, Mode::B64, Mode::B128, Mode::B128Base32];
    operand(tile, major, bits, part, if major == Major::MN { &MN } else { &Mode::ALL })
}

/// The coordinates along M or N.
fn extent(tile: &impl HasLayout) -> Result<i64, Illegal> {
    Ok(tile.as_layout().mode(0)?.size())
}

/// Checks M and N of `tcgen05.mma` of one CTA with elements of 16 and 8 bits: M is 64, and N a multiple of 8 up to 256;
/// or M is 128, and N a multiple of 16.
///
/// # Errors
/// [`Illegal::Extent`].
pub const fn tcgen05_shape(m: i64, n: i64) -> Result<(), Illegal> {
    if m != 64 && m != 128 {
        return Err(Illegal::Extent { name: "M, 64 or 128,", extent: m, multiple: 64 });
    }
    let multiple = if m == 128 { 16 } else { 8 };
    if n < 8 || n > 256 || n % multiple != 0 {
        return Err(Illegal::Extent { name: "N, up to 256,", extent: n, multiple });
    }
    Ok(())
}

/// A legal layout for a tile, with the widest swizzling mode that its extents allow.
///
/// ```
/// use tilework_hardware::operand::{Major, nearest, wgmma};
/// // 96 columns are not a whole number of panels of 64, but of 32.
/// let layout = nearest(96, 64, Major::MN, 16)?;
/// assert_eq!(layout.to_string(), "Sw<2,3,3> o 0 o ((32,3),(8,8)):((1,256),(32,768))");
/// assert!(wgmma(&layout, Major::MN, 16).is_ok());
/// # Ok::<(), tilework_hardware::operand::Illegal>(())
/// ```
///
/// # Errors
/// [`Illegal::Element`] and [`Illegal::Extent`] if no mode is legal.
pub fn nearest(mn: i64, k: i64, major: Major, bits: u32) -> Result<Composed, Illegal> {
    let piece = extents(mn, k, major, bits)?;
    let contiguous = if major == Major::K { k } else { mn };
    let fits = |mode: &&Mode| contiguous % (mode.bytes() / 16 * piece) == 0;
    let mode = *Mode::ALL.iter().rev().find(fits).unwrap_or(&Mode::None);
    let row = mode.bytes() / 16 * piece;
    let layout = match major {
        Major::K => Layout::of(((8, mn / 8), (row, k / row)), ((row, 8 * row), (1, mn * row))),
        Major::MN => Layout::of(((row, mn / row), (8, k / 8)), ((1, 8 * row), (row, 8 * mn))),
    };
    Ok(Composed::new(mode.swizzle(bits)?, 0, layout?)?)
}

/// The number of elements in 16 bytes, if the extents are those of whole instructions.
fn extents(mn: i64, k: i64, major: Major, bits: u32) -> Result<i64, Illegal> {
    if !bits.is_power_of_two() || !(4..=32).contains(&bits) {
        return Err(Illegal::Element { bits, expected: "elements of 4, 8, 16 or 32 bits" });
    }
    let limit = 1 << 20;
    if mn > limit || k > limit {
        return Err(
            Error::Capacity { what: "elements of an operand along a mode", limit: limit as usize }.into()
        );
    }
    let piece = 128 / i64::from(bits);
    let along = if major == Major::K { 8 } else { piece.max(8) };
    if mn < 1 || mn % along != 0 {
        return Err(Illegal::Extent { name: "M or N", extent: mn, multiple: along });
    }
    let multiple = (2 * piece).max(8);
    if k < 1 || k % multiple != 0 {
        return Err(Illegal::Extent { name: "K", extent: k, multiple });
    }
    Ok(piece)
}

/// The first of the modes whose descriptor gives the offsets of all elements.
fn operand(
    tile: &impl HasLayout,
    major: Major,
    bits: u32,
    part: Range<i64>,
    modes: &[Mode],
) -> Result<Operand, Illegal> {
    let layout = tile.as_layout();
    if layout.rank() != 2 || layout.depth() == 0 {
        return Err(Error::Rank { operation: "a shared operand", expected: 2, found: layout.rank() }.into());
    }
    let (mn, k) = (layout.mode(0)?.size(), layout.mode(1)?.size());
    if part.start < 0 || part.is_empty() || part.end > mn {
        return Err(Illegal::Part { first: part.start, end: part.end, extent: mn });
    }
    let piece = extents(part.end - part.start, k, major, bits)?;
    let meant = Mode::of(tile, bits);
    let identity = Access::new(Layout::of((mn, k), (1, mn))?, bits)?;
    let offsets = Offsets::new(tile, &identity)?;
    let tile = Tile { offsets, first: part.start, mn: part.end - part.start, k, piece, major, bits };
    let mut reason: Option<(i64, Illegal)> = None;
    for &mode in modes {
        match tile.operand(mode) {
            Ok(operand) => return Ok(operand),
            // The error of the mode that the layout is swizzled for; otherwise that of the mode that agrees for most
            // elements.
            Err((_, illegal)) if meant == Some(mode) => reason = Some((i64::MAX, illegal)),
            Err((agreed, _)) if reason.is_some_and(|(before, _)| agreed <= before) => {}
            Err(found) => reason = Some(found),
        }
    }
    Err(reason.map_or(Illegal::Element { bits, expected: "a swizzling mode" }, |(_, illegal)| illegal))
}

/// The offsets of a tile, and the swizzling modes to try.
struct Tile {
    offsets: Offsets,
    /// The first coordinate along M or N, and how many there are.
    first: i64,
    mn: i64,
    k: i64,
    /// The number of elements in 16 bytes.
    piece: i64,
    major: Major,
    bits: u32,
}

impl Tile {
    /// The offset of an element before the swizzle of a mode, which is its own inverse.
    fn at(&self, swizzle: Swizzle, row: i64, column: i64) -> Result<i64, Illegal> {
        Ok(swizzle.apply(self.offsets.vector((self.first + row) as usize, column as usize))?)
    }

    /// The operand for this mode; otherwise the number of elements that agree, and the error at the first that does
    /// not.
    fn operand(&self, mode: Mode) -> Result<Operand, (i64, Illegal)> {
        let none = |illegal: Illegal| (-1, illegal);
        let Tile { mn, k, piece, major, .. } = *self;
        let swizzle = mode.swizzle(self.bits).map_err(|error| none(error.into()))?;
        let (width, rows) = (mode.bytes() / 16, mode.rows());
        let row = width * piece;
        let at = |row: i64, column: i64| self.at(swizzle, row, column).map_err(none);
        if major == Major::MN && (mn % row != 0 || mode != Mode::None && self.first % row != 0) {
            return Err((0, Illegal::Panel { mode, first: self.first, end: self.first + mn, panel: row }));
        }
        let block = (2 * piece).max(rows);
        let (leading, stride) = self.steps(mode, swizzle, row, block).map_err(none)?;
        // These have 14 bits, so no product below exceeds 64.
        let leading_field = self.field("LBO", leading);
        let stride_field = self.field("SBO", stride);
        let far = leading.unsigned_abs().max(stride.unsigned_abs()) > 1 << 40;
        if far {
            let field = leading_field.and(stride_field);
            return Err((0, field.err().unwrap_or(Illegal::Field { name: "LBO or SBO", offset: 1 << 40 })));
        }
        let expected = |r: i64, c: i64| match (major, mode) {
            (Major::K, _) => r % 8 * row + r / 8 * stride + c % piece + c / piece * leading,
            (Major::MN, Mode::None) => r % piece + r / piece * stride + c % 8 * row + c / 8 * leading,
            (Major::MN, _) => r % row + r / row * leading + c % rows * row + c / rows * stride,
        };
        let mut starts = Vec::new();
        let mut agreed = 0;
        for first in (0..k).step_by(block as usize) {
            let start = at(0, first)?;
            for column in 0..block {
                for row in 0..mn {
                    let (expected, found) = (start + expected(row, column), at(row, first + column)?);
                    if expected != found {
                        let (row, column) = (self.first + row, first + column);
                        return Err((agreed, Illegal::Place { mode, row, column, expected, found }));
                    }
                    agreed += 1;
                }
            }
            // Within a row of the pattern, any piece; otherwise the start of the pattern.
            let pattern = row * rows;
            if start % piece != 0 || mode != Mode::None && start.rem_euclid(pattern) >= row {
                return Err((agreed, Illegal::Start { column: first, offset: start, multiple: pattern }));
            }
            starts.push(self.field("the start", start).map_err(none)?);
        }
        if mode == Mode::None && major == Major::K && k < piece * 2 {
            return Err(none(Illegal::Extent { name: "K", extent: k, multiple: piece * 2 }));
        }
        let leading = leading_field.map_err(|illegal| (agreed, illegal))?;
        let stride = stride_field.map_err(|illegal| (agreed, illegal))?;
        Ok(Operand { mode, leading, stride, starts })
    }

    /// The strides of the repetitions along the leading dimension and along the other, in elements, if there are any.
    fn steps(&self, mode: Mode, swizzle: Swizzle, row: i64, block: i64) -> Result<(i64, i64), Illegal> {
        let (start, rows, piece) = (self.at(swizzle, 0, 0)?, mode.rows(), self.piece);
        let step = |row: i64, column: i64| match row < self.mn && column < self.k {
            true => Ok(self.at(swizzle, row, column)? - start),
            false => Ok::<i64, Illegal>(0),
        };
        Ok(match (self.major, mode) {
            (Major::K, Mode::None) => (step(0, piece)?, step(8, 0)?),
            (Major::K, _) => (piece, step(8, 0)?),
            (Major::MN, Mode::None) => (if block > 8 { step(0, 8)? } else { 0 }, step(piece, 0)?),
            (Major::MN, _) => (step(row, 0)?, if block > rows { step(0, rows)? } else { 0 }),
        })
    }

    /// A number of elements in units of 16 bytes, which has to fit 14 bits.
    fn field(&self, name: &'static str, elements: i64) -> Result<u32, Illegal> {
        let offset = elements.div_euclid(self.piece);
        if elements % self.piece != 0 || !(0..=FIELD).contains(&offset) {
            return Err(Illegal::Field { name, offset });
        }
        Ok(offset as u32)
    }
}

//! What an access costs: banks of shared memory, sectors of global memory; the widest vector; and which instructions
//! can access a layout.
//!
//! An [`Access`] is a thread-value layout with a width. If all extents are powers of two and nothing carries, it is
//! linear over F2, and the words of a phase are a coset of a space `W`: there are `2^rank(W)` words, spread evenly over
//! `2^rank(W mod banks)` banks, so the phase takes `2^(rank(W) - rank(W mod banks))` wavefronts. Other accesses are
//! counted. Both methods give the same report.

mod admits;
mod banks;
mod columns;
mod offsets;
mod sectors;
mod vector;

pub use admits::admits;
pub use banks::{BankReport, Conflict, Method, PhaseReport, WordAccess};
pub use sectors::SectorReport;
pub use vector::{Limit, Side, VectorWidth, vector_width};

pub(crate) use columns::{Columns, Space, reduce_into};
pub(crate) use offsets::Offsets;

use crate::refused::Refused;
use core::fmt;
use tilework::{Error, Layout};

/// The access of all threads by one instruction, or by several that cover the values of each thread: a layout from
/// thread and value to coordinates of a tile, the bits of an element, and the number of values that one instruction
/// accesses.
///
/// Threads are the first mode, values all others. The coordinate is integral, or, if the layout has coordinate strides,
/// of the tile's profile.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::{access::Access, memory::Banks};
/// // 32 threads store 8 halves each, four threads a row of 32.
/// let store = Access::new(layout!(((4,8),8):((64,1),8)), 16)?.vector(8)?;
/// let report = Banks::NVIDIA.report(&layout!((8,32):(32,1)), &store)?;
/// assert_eq!((report.wavefronts, report.ideal), (4, 4));
/// # Ok::<(), tilework_hardware::Refused>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    tv: Layout,
    threads: i64,
    bits: u32,
    vector: u32,
    along: Option<usize>,
}

impl Access {
    /// Each value on its own.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_hardware::access::Access;
    /// // 32 threads access 8 elements of 16 bits each.
    /// let access = Access::new(layout!((32,8):(8,1)), 16)?;
    /// assert_eq!((access.threads(), access.values(), access.width()), (32, 8, 16));
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// [`Refused::Width`] for elements that are not of 1 to 128 bits.
    pub const fn new(tv: Layout, bits: u32) -> Result<Access, Refused> {
        if bits == 0 || bits > 128 {
            return Err(Refused::Width { bits, most: 128 });
        }
        let threads = match tv.mode(0) {
            Ok(threads) if tv.depth() > 0 => threads.size(),
            _ => tv.size(),
        };
        Ok(Access { tv, threads, bits, vector: 1, along: None })
    }

    /// The same access with `vector` consecutive values per instruction.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_hardware::{Refused, access::Access};
    /// let access = Access::new(layout!((32,8):(8,1)), 16)?;
    /// assert_eq!(access.vector(4)?.width(), 64);
    /// assert_eq!(access.vector(3), Err(Refused::Vector { values: 8, vector: 3 }));
    /// # Ok::<(), Refused>(())
    /// ```
    ///
    /// # Errors
    /// [`Refused::Vector`] if these do not divide the values of a thread, [`Refused::Width`] if they have more than 128
    /// bits.
    pub const fn vector(self, vector: u32) -> Result<Access, Refused> {
        if vector == 0 || self.values() % vector as i64 != 0 {
            return Err(Refused::Vector { values: self.values(), vector });
        }
        match self.bits.checked_mul(vector) {
            Some(..=128) => Ok(Access { vector, ..self }),
            Some(bits) => Err(Refused::Width { bits, most: 128 }),
            None => Err(Refused::Width { bits: u32::MAX, most: 128 }),
        }
    }

    /// The rows of the 8x8 matrices that `ldmatrix` reads from a tile of two modes, the second along a row: eight lanes
    /// a matrix, 16 bytes a lane, and four matrices a warp.
    ///
    /// ```
    /// use tilework::{Composed, Swizzle, layout};
    /// use tilework_hardware::{access::Access, memory::Banks};
    /// const TILE: tilework::Layout = layout!((64,32):(32,1));
    /// let load = Access::ldmatrix(&TILE, 16)?;
    /// assert_eq!(Banks::NVIDIA.report(&TILE, &load)?.degree, 4);
    /// let swizzled = Composed::new(Swizzle::new(2, 3, 3)?, 0, TILE)?;
    /// assert_eq!(Banks::NVIDIA.report(&swizzled, &load)?.degree, 1);
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// [`Refused::Algebra`] if the tile does not have two modes, or the matrices do not divide them.
    pub fn ldmatrix(tile: &Layout, bits: u32) -> Result<Access, Refused> {
        let (rows, columns, chunk) = pieces(tile, bits)?;
        let rows = divided(rows, 8)?;
        let tile = [rows * 8, columns * chunk];
        // Down the eight rows of a matrix, then to the matrix below, then to the one beside.
        let threads = Layout::of((8, rows, columns), (1, 8, tile[0] * chunk))?;
        Access::pieces(threads, Layout::of(chunk, tile[0])?, bits)
    }

    /// The rows of the 8x8 matrices that `ldmatrix.trans` reads and transposes: those of [`ldmatrix`](Self::ldmatrix), along
    /// the first mode of the tile.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_hardware::{access::Access, memory::Banks};
    /// // (N,K) with N contiguous: eight rows of a matrix are eight values of k.
    /// const TILE: tilework::Layout = layout!((64,32):(1,64));
    /// let load = Access::ldmatrix_trans(&TILE, 16)?;
    /// assert_eq!(Banks::NVIDIA.report(&TILE, &load)?.degree, 8);
    /// assert!(Banks::NVIDIA.report(&TILE, &Access::ldmatrix(&TILE, 16)?).is_err());
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// As [`ldmatrix`](Self::ldmatrix).
    pub fn ldmatrix_trans(tile: &Layout, bits: u32) -> Result<Access, Refused> {
        let transposed = tile.select(&[1, 0])?;
        let access = Access::ldmatrix(&transposed, bits)?;
        let (rows, columns) = (tile.mode(0)?.size(), tile.mode(1)?.size());
        let indices = Layout::of((columns, rows), (rows, 1))?;
        Ok(Access { tv: indices.composition(&access.tv)?, along: Some(0), ..access })
    }

    /// The rows of a tile of two modes, the second along a row, in pieces of 16 bytes: consecutive threads have
    /// consecutive pieces, as for `cp.async` and stores of 16 bytes.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_hardware::access::Access;
    /// // 8 rows of 64 bytes, in 4 pieces each.
    /// let access = Access::rows(&layout!((8,32):(32,1)), 16)?;
    /// assert_eq!((access.threads(), access.vector_len(), access.width()), (32, 8, 128));
    /// # Ok::<(), tilework_hardware::Refused>(())
    /// ```
    ///
    /// # Errors
    /// As [`ldmatrix`](Self::ldmatrix).
    pub fn rows(tile: &Layout, bits: u32) -> Result<Access, Refused> {
        let (rows, columns, chunk) = pieces(tile, bits)?;
        let threads = Layout::of((columns, rows), (rows * chunk, 1))?;
        Access::pieces(threads, Layout::of(chunk, rows)?, bits)
    }

    /// Each thread has one piece along the second mode.
    fn pieces(threads: Layout, piece: Layout, bits: u32) -> Result<Access, Refused> {
        let access =
            Access::new(Layout::concatenate(&[threads, piece])?, bits)?.vector(piece.size() as u32)?;
        Ok(Access { along: Some(1), ..access })
    }

    /// The layout from thread and value to coordinates.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.tv
    }

    /// The bits of an element.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// How many values one instruction accesses.
    #[must_use]
    pub const fn vector_len(&self) -> u32 {
        self.vector
    }

    /// The bits that a lane accesses in one instruction.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.bits * self.vector
    }

    /// The mode of the tile along which the vectors are, of one that is defined so.
    pub(crate) const fn along(&self) -> Option<usize> {
        self.along
    }

    /// The number of threads.
    #[must_use]
    pub const fn threads(&self) -> i64 {
        self.threads
    }

    /// The number of values of a thread.
    #[must_use]
    pub const fn values(&self) -> i64 {
        self.tv.size() / self.threads
    }
}

/// The elements of a layout that an access reaches. Its values outside the layout access nothing: it is guarded.
///
/// ```
/// use tilework::layout;
/// use tilework_hardware::{access::Access, memory::Banks};
/// // 64 threads, of which 48 are inside; they reach one column of four.
/// let report = Banks::NVIDIA.report(&layout!((48,4):(4,1)), &Access::new(layout!((64,1):(1@0,1@1)), 32)?)?;
/// assert_eq!((report.reach.elements, report.reach.size), (48, 192));
/// assert_eq!((report.reach.outside, report.reach.values), (16, 64));
/// # Ok::<(), tilework_hardware::Refused>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reach {
    /// How many it reaches.
    pub elements: i64,
    /// How many there are.
    pub size: i64,
    /// How many values of threads are outside the layout.
    pub outside: i64,
    /// How many values all threads have.
    pub values: i64,
}

impl Reach {
    /// How many elements are reached, if not all.
    #[must_use]
    pub const fn partial(&self) -> Option<i64> {
        if self.elements < self.size { Some(self.elements) } else { None }
    }
}

/// What is said after the cost: nothing of an access to all elements by values that are inside.
impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reach { elements, size, outside, values } = self;
        if elements < size {
            write!(
                f,
                "; it reaches {elements} of {size} elements, by indices that count along the first mode"
            )?;
        }
        if *outside > 0 {
            write!(f, "; {outside} of {values} values are outside the layout and access nothing")?;
        }
        Ok(())
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} bits, {} at once", self.tv, self.bits, self.vector)
    }
}

/// Rows of a tile, pieces of 16 bytes in a row, and elements of a piece.
fn pieces(tile: &Layout, bits: u32) -> Result<(i64, i64, i64), Refused> {
    if tile.rank() != 2 || tile.depth() == 0 {
        let (operation, found) = ("the rows of a tile", tile.rank());
        return Err(Error::Rank { operation, expected: 2, found }.into());
    }
    let chunk = divided(128, i64::from(bits.max(1)))?;
    let (rows, row) = (tile.mode(0)?.size(), tile.mode(1)?.size());
    Ok((rows, divided(row, chunk)?, chunk))
}

fn divided(value: i64, divisor: i64) -> Result<i64, Refused> {
    if value % divisor == 0 {
        return Ok(value / divisor);
    }
    Err(Error::Divisibility { operation: "pieces of 16 bytes in rows, eight rows a matrix", value, divisor }
        .into())
}

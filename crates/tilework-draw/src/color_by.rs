//! What the colours of cells represent.

use crate::scene::Ground;
use crate::sheet::Sheet;
use tilework::{Error, Layout};

/// What the colours of the cells represent.
///
/// ```
/// use tilework_draw::ColorBy;
/// assert_eq!(ColorBy::ALL.map(ColorBy::name).join(" "), "offset row column thread bank tile none");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ColorBy {
    /// The offset, from light to dark.
    Offset,
    /// The row of the element; in a swizzled layout, before the swizzle.
    Row,
    /// The column of the element; in a swizzled layout, before the swizzle.
    Column,
    /// The thread.
    Thread,
    /// The memory bank.
    Bank,
    /// The tile.
    Tile,
    /// Nothing.
    None,
}

impl ColorBy {
    /// All of them.
    pub const ALL: [ColorBy; 7] = [
        ColorBy::Offset,
        ColorBy::Row,
        ColorBy::Column,
        ColorBy::Thread,
        ColorBy::Bank,
        ColorBy::Tile,
        ColorBy::None,
    ];

    /// The name in every front end.
    ///
    /// ```
    /// assert_eq!(tilework_draw::ColorBy::Column.name(), "column");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ColorBy::Offset => "offset",
            ColorBy::Row => "row",
            ColorBy::Column => "column",
            ColorBy::Thread => "thread",
            ColorBy::Bank => "bank",
            ColorBy::Tile => "tile",
            ColorBy::None => "none",
        }
    }

    /// What it represents, in one line.
    ///
    /// ```
    /// assert_eq!(tilework_draw::ColorBy::Offset.summary(), "the offset, from light to dark");
    /// ```
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            ColorBy::Offset => "the offset, from light to dark",
            ColorBy::Row => {
                "the row of the element at the offset; of a swizzled layout the row before the swizzle"
            }
            ColorBy::Column => {
                "the column of the element at the offset; of a swizzled layout the column before the swizzle"
            }
            ColorBy::Thread => "the thread, with --aspect threads or values, and of an instruction",
            ColorBy::Bank => "the memory bank, with --aspect banks or --bits",
            ColorBy::Tile => "the innermost tile of nested modes, or the tile of a divide or product",
            ColorBy::None => "nothing",
        }
    }

    /// The one with this name.
    ///
    /// ```
    /// use tilework_draw::ColorBy;
    /// assert_eq!((ColorBy::named("bank"), ColorBy::named("size")), (Some(ColorBy::Bank), None));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<ColorBy> {
        ColorBy::ALL.into_iter().find(|by| by.name() == name)
    }

    /// The ground of each index of a domain, by its place in a picture of at most `max_cells`; blank if the place does
    /// not determine it.
    ///
    /// ```
    /// use tilework::layout;
    /// use tilework_draw::{ColorBy, Ground};
    /// let columns = ColorBy::Column.grounds(&layout!((4,8):(8,1)), 4096)?;
    /// assert_eq!((columns(0), columns(31)), (Ground::Scale(0.0), Ground::Scale(1.0)));
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of the modes of the layout.
    pub fn grounds(self, domain: &Layout, max_cells: usize) -> Result<impl Fn(i64) -> Ground + use<>, Error> {
        let sheet = Sheet::of(domain, i64::try_from(max_cells).unwrap_or(i64::MAX))?;
        Ok(move |index| self.of(&sheet, index))
    }

    /// The ground for an index.
    pub(crate) fn of(self, sheet: &Sheet, index: i64) -> Ground {
        let extents = [sheet.rows, sheet.columns];
        self.ground(sheet.place(index), extents, sheet.tile().unwrap_or(extents))
    }

    /// The ground for a place, given the rows and columns of the whole and of a tile; blank if the place does not
    /// determine it.
    pub(crate) fn ground(self, [row, column]: [i64; 2], extents: [i64; 2], tile: [i64; 2]) -> Ground {
        let share = |at: i64, extent: i64| Ground::Scale(at as f64 / (extent - 1).max(1) as f64);
        match self {
            ColorBy::Row => share(row, extents[0]),
            ColorBy::Column => share(column, extents[1]),
            ColorBy::Tile => tile_ground(&[row / tile[0].max(1), column / tile[1].max(1)]),
            ColorBy::Offset | ColorBy::Thread | ColorBy::Bank | ColorBy::None => Ground::Blank,
        }
    }
}

/// The ground of a tile by its coordinate among the tiles; neighbours in every mode have different grounds.
///
/// ```
/// use tilework_draw::{Ground, tile_ground};
/// assert_eq!((tile_ground(&[0, 0]), tile_ground(&[1, 2])), (Ground::Class(0), Ground::Class(7)));
/// ```
#[must_use]
pub fn tile_ground(coordinate: &[i64]) -> Ground {
    let steps = (1..).step_by(2);
    Ground::Class(
        coordinate.iter().zip(steps).fold(0, |sum, (&at, step)| at.wrapping_mul(step).wrapping_add(sum))
            as usize,
    )
}

/// The ground of a tile by its index among the tiles, given the number of tiles in each mode, the first running
/// fastest.
///
/// ```
/// use tilework_draw::{tile_ground, tile_ground_at};
/// assert_eq!(tile_ground_at(5, [2, 3]), tile_ground(&[1, 2]));
/// ```
pub fn tile_ground_at(mut index: i64, extents: impl IntoIterator<Item = i64>) -> Ground {
    let mut coordinate = Vec::new();
    for extent in extents {
        coordinate.push(index % extent.max(1));
        index /= extent.max(1);
    }
    tile_ground(&coordinate)
}

//! The tile of each element.
//!
//! A tiling is a layout `(tile, rest)`: the result of a division applied to the indices themselves.

use crate::color_by::tile_ground_at;
use crate::grid::Options;
use crate::scene::Ground;
use std::collections::HashMap;
use tilework::{Error, Layout};

/// The ground of the tile of each index: neighbouring tiles have different grounds, and an index in no tile is blank.
///
/// ```
/// use tilework::{layout, tiler};
/// use tilework_draw::{Ground, Options, Tiling};
/// let options = Options::default();
/// let indices = layout!((8,16):(1,8));
/// let tiling = Tiling::new(&indices.zipped_divide(&tiler!(<4:1,8:2>))?, &options)?;
/// assert_eq!((tiling.ground(0), tiling.ground(4), tiling.ground(8)), (Ground::Class(0), Ground::Class(1), Ground::Class(3)));
/// let tile = Tiling::of_tile(&indices.composition_by_mode(&tiler!(<4:1,8:2>))?, &options)?;
/// assert_eq!((tile.ground(0), tile.ground(4)), (Ground::Class(0), Ground::Blank));
/// # Ok::<(), tilework::Error>(())
/// ```
pub struct Tiling {
    grounds: HashMap<i64, Ground>,
}

impl Tiling {
    /// Mode 0 runs within a tile, and the others over the tiles.
    ///
    /// # Errors
    /// Those of [`Options::bounded`] and of evaluation.
    pub fn new(tiling: &Layout, options: &Options) -> Result<Tiling, Error> {
        let tile = tiling.mode(0)?.size().max(1);
        let rest = tiling.take(1, tiling.rank())?;
        // `((4),(2,5))` runs over the tiles in two modes, like `(4,2,5)`.
        let rest = if rest.rank() == 1 { rest.mode(0)? } else { rest };
        let extents: Vec<i64> = rest.shape().mode_sizes()?.leaves().to_vec();
        let mut grounds = HashMap::new();
        for index in 0..options.bounded(tiling.size())? {
            grounds.insert(tiling.try_at(index)?, tile_ground_at(index / tile, extents.iter().copied()));
        }
        Ok(Tiling { grounds })
    }

    /// One tile alone.
    ///
    /// # Errors
    /// As [`Tiling::new`].
    pub fn of_tile(tile: &Layout, options: &Options) -> Result<Tiling, Error> {
        let mut grounds = HashMap::new();
        for index in 0..options.bounded(tile.size())? {
            grounds.insert(tile.try_at(index)?, Ground::Class(0));
        }
        Ok(Tiling { grounds })
    }

    /// The ground of an index.
    #[must_use]
    pub fn ground(&self, index: i64) -> Ground {
        self.grounds.get(&index).copied().unwrap_or_default()
    }
}

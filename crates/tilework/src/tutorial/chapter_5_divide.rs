//! 5. Complement and divide: tiles and the rest.
//!
//! Composition selects elements. A tiling also needs the others: the elements within a tile, and the starts of the
//! tiles.
//!
//! # Complement
//!
//! `4:2` has the offsets 0, 2, 4, 6. It skips 1 (between its elements) and everything from 8 on (after them). The
//! layout `(2,3):(1,8)` has the missing steps, up to 24 (section 3.5):
//!
//! ```
//! use tilework::{HTuple, Layout, layout};
//!
//! const TILE: Layout = layout!(4:2);
//! let rest = TILE.complement_within(24)?;
//! assert_eq!(rest, layout!((2,3):(1,8)));
//!
//! // Every number below 24 is the sum of one offset of the tile and one of the rest, in one way.
//! let mut sums: Vec<i64> = (0..4).flat_map(|i| (0..6).map(move |j| TILE.at(i) + rest.at(j))).collect();
//! sums.sort();
//! assert_eq!(sums, (0..24).collect::<Vec<_>>());
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Without a limit the complement has a last mode of extent 1. Its stride is the one with which it would continue:
//!
//! ```
//! use tilework::layout;
//!
//! assert_eq!(layout!(4:2).complement()?, layout!((2,1):(1,8)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Modes that interleave leave no gaps to fill, and are refused. `(2,2):(2,3)` has the offsets 0, 2, 3, 5:
//!
//! ```
//! use tilework::{Error, layout};
//!
//! let error = layout!((2,2):(2,3)).complement().unwrap_err();
//! assert_eq!(error, Error::Overlap { extent: 2, stride: 2, next: 3 });
//! ```
//!
//! # Logical divide
//!
//! `A / B = A o (B, complement(B, |A|))` keeps all elements of `A` and arranges them in two modes: the tile, selected
//! by `B`, and the rest, which runs over the tiles (section 3.5.2).
//!
//! ```
//! use tilework::{layout, tiler};
//!
//! // Every third element of 24, 8 of them; 3 such tiles.
//! assert_eq!(layout!(24:3).logical_divide(&tiler!(8:3))?, layout!((8,3):(9,3)));
//! assert_eq!(layout!((6,2,2):(2,1,20)).logical_divide(&tiler!(8:3))?, layout!(((2,2,2),3):((6,1,20),2)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # A matrix in tiles
//!
//! With a tiler of several modes each mode is divided by itself. The four divisions differ in how they arrange the same
//! modes:
//!
//! ```
//! use tilework::{Layout, Tiler, layout, tiler};
//!
//! const MATRIX: Layout = layout!((8,16):(20,1));
//! const TILE: Tiler = tiler!(<4:1, 8:2>); // 4 rows in a block, every other column
//!
//! // ((TileM,RestM),(TileN,RestN))
//! assert_eq!(MATRIX.logical_divide(&TILE)?, layout!(((4,2),(8,2)):((20,80),(2,1))));
//! // ((TileM,TileN),(RestM,RestN))
//! assert_eq!(MATRIX.zipped_divide(&TILE)?, layout!(((4,8),(2,2)):((20,2),(80,1))));
//! // ((TileM,TileN),RestM,RestN)
//! assert_eq!(MATRIX.tiled_divide(&TILE)?, layout!(((4,8),2,2):((20,2),80,1)));
//! // (TileM,TileN,RestM,RestN)
//! assert_eq!(MATRIX.flat_divide(&TILE)?, layout!((4,8,2,2):(20,2,80,1)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! `logical_divide` is still a matrix, with its rows and columns in another order. `zipped_divide` has rank 2 for every
//! tiler: mode 0 is a tile, mode 1 the grid of tiles. One tile is a *slice*: a coordinate for the grid, and `_` for the
//! modes that are kept. The result is a [`View`](crate::View), a layout with the offset at which it begins.
//!
//! ```
//! use tilework::{layout, tiler};
//!
//! let tiles = layout!((8,16):(20,1)).zipped_divide(&tiler!(<4, 8>))?;
//! assert_eq!(tiles, layout!(((4,8),(2,2)):((20,1),(80,8))));
//!
//! let tile = tiles.slice((.., (1, 1)))?; // the lower right one
//! assert_eq!(tile.to_string(), "{88} o (4,8):(20,1)");
//! assert_eq!(tiles.slice((.., 3))?.to_string(), "{88} o (4,8):(20,1)"); // the same, counted
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! A hole keeps its mode. In `zipped_divide` it belongs entirely to the rest:
//!
//! ```
//! use tilework::{layout, tiler};
//!
//! let rows = layout!((8,16):(20,1)).zipped_divide(&tiler!(<_, 8>))?;
//! assert_eq!(rows, layout!(((1,8),(8,2)):((0,1),(20,8))));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # When the tiles do not fit
//!
//! The rest is rounded up. 5 tiles of 3 cover 13, and extend 2 beyond it; the program then has to check coordinates
//! against the shape:
//!
//! ```
//! use tilework::{layout, tiler};
//!
//! let divided = layout!(13:2).logical_divide(&tiler!(3))?;
//! assert_eq!(divided, layout!((3,5):(2,6)));
//! assert_eq!((divided.size(), layout!(13:2).size()), (15, 13));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Next: [product](super::chapter_6_product).

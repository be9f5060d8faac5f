//! 6. Product: a block and its repetitions.
//!
//! Divide takes a layout apart; product builds one. `A * B` replaces each element of `B` with a copy of `A`, each copy
//! shifted so that no two overlap (section 3.5.1):
//!
//! ```text
//! A * B = (A, complement(A) o B)
//! ```
//!
//! The complement has the offsets with room for copies, and `B` gives the order of the copies.
//!
//! ```
//! use tilework::{layout, tiler};
//!
//! // A block of 3x4, row by row, on a grid of 2x5 blocks, column by column.
//! let product = layout!((3,4):(4,1)).logical_product(&tiler!((2,5):(1,2)))?;
//! assert_eq!(product, layout!(((3,4),(2,5)):((4,1),(12,24))));
//!
//! // A block with gaps: the copies fill the gaps first.
//! let product = layout!((4,8):(20,2)).logical_product(&tiler!((3,2):(2,1)))?;
//! assert_eq!(product, layout!(((4,8),(3,2)):((20,2),(80,1))));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Mode 0 is the block as it was, mode 1 has the shape of the grid. Two layouts give a product of rank 2 for any ranks
//! of their own.
//!
//! # A larger matrix
//!
//! A block of 3x4 and a grid of 2x5 should give a matrix of 6x20. `blocked_product` takes the product and then combines
//! the row modes of both, and the column modes of both:
//!
//! ```
//! use tilework::{Layout, layout};
//!
//! const BLOCK: Layout = layout!((3,4):(4,1));
//! const GRID: Layout = layout!((2,5):(1,2));
//!
//! let blocked = BLOCK.blocked_product(&GRID)?;
//! assert_eq!(blocked, layout!(((3,2),(4,5)):((4,12),(1,24))));
//!
//! // Figure 10 of the paper, its first and its fourth row.
//! let row = |i: i64| (0..8).map(|j| blocked.at(i + 6 * j)).collect::<Vec<_>>();
//! assert_eq!(row(0), [0, 1, 2, 3, 24, 25, 26, 27]);
//! assert_eq!(row(3), [12, 13, 14, 15, 36, 37, 38, 39]);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! `raked_product` combines them in the other order. The elements of one block are then spread over the whole matrix,
//! at the distance of the grid:
//!
//! ```
//! use tilework::layout;
//!
//! let raked = layout!((3,4):(4,1)).raked_product(&layout!((2,5):(1,2)))?;
//! assert_eq!(raked, layout!(((2,3),(5,4)):((12,4),(24,1))));
//!
//! // Figure 11 of the paper, its first row.
//! let row = (0..8).map(|j| raked.at(6 * j)).collect::<Vec<_>>();
//! assert_eq!(row, [0, 24, 48, 72, 96, 1, 25, 49]);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Both zip the product of the *whole* block with the *whole* grid. A product mode by mode, with a tuple of tilers, is
//! something else: it would multiply each mode independently, and their offsets would collide.
//!
//! ```
//! use tilework::{layout, tiler};
//!
//! let by_mode = layout!((3,4):(4,1)).logical_product(&tiler!(<2:1, 5:2>))?;
//! let mut offsets: Vec<i64> = (0..by_mode.size()).map(|i| by_mode.at(i)).collect();
//! offsets.sort();
//! offsets.dedup();
//! assert_eq!((by_mode.size(), offsets.len()), (120, 45));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # Filling a given shape
//!
//! The swizzled and tiled layouts of shared memory are often given as a small block, the *atom*, and a shape to fill.
//! [`tile_to_shape`](crate::Layout::tile_to_shape) is the blocked product with the required grid. The last argument
//! orders the grid's modes; `0` keeps their order:
//!
//! ```
//! use tilework::{HTuple, layout};
//!
//! let atom = layout!((8,8):(8,1));
//! let columns_first = atom.tile_to_shape((32, 16), 0)?;
//! assert_eq!(columns_first, layout!(((8,4),(8,2)):((8,64),(1,256))));
//! let rows_first = atom.tile_to_shape((32, 16), (1, 0))?;
//! assert_eq!(rows_first, layout!(((8,4),(8,2)):((8,128),(1,64))));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Next: [inverses](super::chapter_7_inverse).

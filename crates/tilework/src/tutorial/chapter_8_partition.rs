//! 8. A tile among threads.
//!
//! A tensor core multiplies small matrices held by 32 threads, each of which has certain elements. For an 8x8 result of
//! one such instruction (Ampere, FP64) each thread holds two (section 3.3.4, figure 6):
//!
//! ```text
//!        0      1      2      3      4      5      6      7
//! 0   T0 V0  T0 V1  T1 V0  T1 V1  T2 V0  T2 V1  T3 V0  T3 V1
//! 1   T4 V0  T4 V1  T5 V0  T5 V1  T6 V0  T6 V1  T7 V0  T7 V1
//! 2   T8 V0  T8 V1  T9 V0  T9 V1 T10 V0 T10 V1 T11 V0 T11 V1
//! ...
//! 7  T28 V0 T28 V1 T29 V0 T29 V1 T30 V0 T30 V1 T31 V0 T31 V1
//! ```
//!
//! # The pattern is a layout
//!
//! A *thread-value layout* maps (thread, value) to an element of the tile, as an integer in column-major order. Thread
//! 1 is 2 columns, so 16 elements, from thread 0; thread 4 is one row, so 1 element, from it. The 32 threads are
//! `(4,8):(16,1)`. The other value is the next column: `2:8`.
//!
//! ```
//! use tilework::{Layout, Shape, HTuple, layout};
//!
//! const THREAD_VALUE: Layout = layout!(((4,8),2):((16,1),8));
//!
//! // Thread 9, value 1: row 2, column 3, as in the figure.
//! assert_eq!(THREAD_VALUE.at((9, 1)), 26);
//! let tile: Shape = "(8,8)".parse()?;
//! assert_eq!(tile.idx2crd(&HTuple::leaf(26))?.to_string(), "(2,3)");
//!
//! // Every element belongs to one thread and one value.
//! assert!(THREAD_VALUE.is_bijective()?);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! The figure shows the inverse, the thread of each element:
//!
//! ```
//! use tilework::{HTuple, layout};
//!
//! let thread_value = layout!(((4,8),2):((16,1),8));
//! let who = thread_value.inverse()?;
//! assert_eq!(who, layout!((16,4):(4,1)));
//! let threads_and_values = "(32,2)".parse::<tilework::Shape>()?;
//! assert_eq!(threads_and_values.idx2crd(&HTuple::leaf(who.at(26)))?.to_string(), "(9,1)");
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # Compose, then slice
//!
//! The pattern maps thread and value to an element, the layout of the data maps the element to its offset. Their
//! composition maps thread and value to the offset, for any layout of the data (table 4 of the paper):
//!
//! ```
//! use tilework::{Layout, layout};
//!
//! const THREAD_VALUE: Layout = layout!(((4,8),2):((16,1),8));
//! let partition = |data: &Layout| data.composition(&THREAD_VALUE);
//!
//! assert_eq!(partition(&layout!((8,8):(1,8)))?, layout!(((4,8),2):((16,1),8))); // columns
//! assert_eq!(partition(&layout!((8,8):(8,1)))?, layout!(((4,8),2):((2,8),1)));  // rows
//! assert_eq!(partition(&layout!((8,8):(1,9)))?, layout!(((4,8),2):((18,1),9))); // padded columns
//! assert_eq!(
//!     partition(&layout!(((4,2),(2,4)):((2,16),(1,8))))?,                      // interleaved
//!     layout!(((4,(4,2)),2):((8,(2,16)),1)),
//! );
//! // Data of coordinates: the element that the thread holds, as row and column.
//! assert_eq!(
//!     partition(&layout!((8,8):(1@0,1@1)))?,
//!     layout!(((4,8),2):((2@1,1@0),1@1)),
//! );
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! One thread's part is a slice, with the thread fixed and the values open:
//!
//! ```
//! use tilework::{Layout, layout};
//!
//! const ROWS: Layout = layout!((8,8):(8,1));
//! let partition = ROWS.composition(&layout!(((4,8),2):((16,1),8)))?;
//! assert_eq!(partition.slice((9, ..))?.to_string(), "{18} o 2:1"); // 18 = 2*8 + 2
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! The stride is 1: the two values can be loaded at once. With contiguous columns it would be 8, and they could
//! not. The pattern and the layout of the data are constants, so this is known at compile time; only the number of the
//! thread is not.
//!
//! # From a matrix to a thread
//!
//! A complete example: a matrix of 64x32 in tiles of 8x8, a tile for each block of threads, two elements for each
//! thread.
//!
//! ```
//! use tilework::{Layout, Tiler, layout, tiler};
//!
//! const MATRIX: Layout = layout!((64,32):(32,1));
//! const TILE: Tiler = tiler!(<8, 8>);
//! const THREAD_VALUE: Layout = layout!(((4,8),2):((16,1),8));
//!
//! // ((TileM,TileN),(GridM,GridN)): each tile by (8,8), the grid by (8,4).
//! let tiles = MATRIX.zipped_divide(&TILE)?;
//! assert_eq!(tiles, layout!(((8,8),(8,4)):((32,1),(256,8))));
//!
//! // Mode 0 by thread and value, the grid as it is: ((Thread,Value),(GridM,GridN)).
//! let work = tiles.composition_by_mode(&Tiler::by_mode(&[THREAD_VALUE.as_tiler(), Tiler::HOLE])?)?;
//! assert_eq!(work, layout!((((4,8),2),(8,4)):(((2,32),1),(256,8))));
//!
//! // Block (5,2), thread 9: two neighbouring elements of row 5*8+2, from column 2*8+2 on.
//! let mine = work.slice(((9, ..), (5, 2)))?;
//! assert_eq!(mine.to_string(), "{1362} o 2:1");
//! assert_eq!(1362, (5 * 8 + 2) * 32 + 2 * 8 + 2);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Everything but the last step holds for all blocks and threads at once. Most programs with these layouts follow this
//! pattern: divide, compose, slice.
//!
//! Next: [swizzles](super::chapter_9_swizzle).

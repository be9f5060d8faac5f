//! 9. Swizzles.
//!
//! Shared memory has 32 banks of 4 bytes, and threads that read different words of one bank wait for each other. In an
//! 8x8 tile of 16-byte pieces, row by row, a row is 128 bytes and covers all banks. So all pieces of one column are in
//! the same four banks, and 8 threads that read a column take 8 turns.
//!
//! # The swizzle
//!
//! A swizzle takes a few bits of an offset and XORs them into other bits. `Sw<B,M,S>` keeps the lowest `M` bits, and
//! XORs the `B` bits that begin at `M+S` into the `B` bits that begin at `M`. For offsets in bytes, `Sw<3,4,3>` XORs
//! the row (bits 7 to 9) into the number of the piece (bits 4 to 6):
//!
//! ```
//! use tilework::{Swizzle, unwrap};
//!
//! const SW: Swizzle = unwrap(Swizzle::new(3, 4, 3));
//! assert_eq!((SW.source_mask(), SW.target_mask()), (0x380, 0x070));
//! // Column 0, rows 0 to 3: in a different column of pieces each.
//! assert_eq!([SW.apply(0x000)?, SW.apply(0x080)?, SW.apply(0x100)?, SW.apply(0x180)?], [0x000, 0x090, 0x120, 0x1b0]);
//! // The two fields are disjoint, so that a swizzle undoes itself.
//! assert_eq!(SW.apply(SW.apply(0x380)?)?, 0x380);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! A swizzled layout is a swizzle after an offset after a layout:
//!
//! ```
//! use tilework::Composed;
//!
//! let tile: Composed = "Sw<3,4,3> o 0 o (8,8):(128,16)".parse()?;
//! let bank = |row: i64, column: i64| tile.at((row, column)) / 4 % 32;
//! let eight = [0, 1, 2, 3, 4, 5, 6, 7];
//! assert_eq!(eight.map(|row| bank(row, 0)), [0, 4, 8, 12, 16, 20, 24, 28]); // eight different groups of banks
//! assert_eq!(eight.map(|column| bank(3, column)), [12, 8, 4, 0, 28, 24, 20, 16]); // and a row still covers all of them
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! The offset is between the two because the swizzle does not distribute over sums: it has to be added before the
//! swizzle. A slice adds the offset of the fixed coordinates there:
//!
//! ```
//! use tilework::Composed;
//!
//! let tile: Composed = "Sw<3,4,3> o 0 o (8,8):(128,16)".parse()?;
//! assert_eq!(tile.slice((3, ..))?.to_string(), "Sw<3,4,3> o 384 o 8:16");
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # Strides that are XORed
//!
//! Instead of swizzling a sum, one can change the sum. With strides in the codomain of *XOR*, written `^1`, the offset
//! is the XOR of the strides' multiples, and a multiple is a product without carries. An 8x8 tile of pieces, with the
//! row XORed into the column, has strides `^9` = `^8` (the row) XOR `^1` (its copy in the column), and `^1`:
//!
//! ```
//! use tilework::{Composed, Layout, layout};
//!
//! const TILE: Layout = layout!((8,8):(^9,^1));
//! assert_eq!(TILE.at((3, 5)), 30); // 3*9 = 27; 27 ^ 5 = 30
//!
//! let swizzled: Composed = "Sw<3,0,3> o 0 o (8,8):(8,1)".parse()?;
//! for row in 0..8 {
//!     for column in 0..8 {
//!         assert_eq!(TILE.at((row, column)), swizzled.at((row, column)));
//!     }
//! }
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! [`to_xor`](crate::Composed::to_xor) converts to this form, and [`to_swizzle`](crate::Layout::to_swizzle) back:
//!
//! ```
//! use tilework::{Composed, layout};
//!
//! let swizzled: Composed = "Sw<3,0,3> o 0 o (8,8):(8,1)".parse()?;
//! assert_eq!(swizzled.to_xor()?, layout!((8,8):(^9,^1)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! In this form the swizzle is part of the layout, with strides like any other, and the algebra applies to it: compose
//! it with the threads and values of [chapter 8](super::chapter_8_partition), and thread 9 finds its two elements
//! (table 4 of the paper).
//!
//! ```
//! use tilework::layout;
//!
//! let partition = layout!((8,8):(^1,^9)).composition(&layout!(((4,8),2):((16,1),8)))?;
//! assert_eq!(partition, layout!(((4,8),2):((^18,^1),^9)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! All strides of one layout belong to one codomain; `(8,8):(^9,1)` is not a layout.
//!
//! ```
//! use tilework::Layout;
//!
//! assert_eq!("(8,8):(^9,1)".parse::<Layout>().unwrap_err().code(), "mixed-codomain");
//! ```
//!
//! Next: [tensors](super::chapter_10_tensor).

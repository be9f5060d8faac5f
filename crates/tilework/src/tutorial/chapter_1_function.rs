//! 1. A layout is a function.
//!
//! A matrix of 4 rows and 8 columns is stored contiguously in memory, 32 elements. At which offset is row `i`, column
//! `j`? With contiguous columns it is at offset `i + 4 j`. A *layout* is that formula written down as data: a *shape*,
//! here `(4,8)`, and a *stride* for each extent of the shape, here `(1,4)`.
//!
//! ```
//! use tilework::{Layout, layout};
//!
//! const COLUMNS: Layout = layout!((4,8):(1,4));
//! assert_eq!(COLUMNS.at((2, 5)), 22); // 2*1 + 5*4
//! ```
//!
//! The offset is the sum of coordinate times stride. The whole function is this table of offsets:
//!
//! ```text
//!      0  1  2  3  4  5  6  7
//! 0    0  4  8 12 16 20 24 28
//! 1    1  5  9 13 17 21 25 29
//! 2    2  6 10 14 18 22 26 30
//! 3    3  7 11 15 19 23 27 31
//! ```
//!
//! # Another stride, another function
//!
//! The same shape with stride `(8,1)` makes the rows contiguous. Code that takes the layout as an argument need not
//! know which of the two it gets:
//!
//! ```
//! use tilework::{Layout, layout};
//!
//! /// The offsets of a row of a matrix.
//! fn row(layout: &Layout, i: i64) -> [i64; 8] {
//!     std::array::from_fn(|j| layout.at((i, j as i64)))
//! }
//!
//! assert_eq!(row(&layout!((4,8):(1,4)), 2), [2, 6, 10, 14, 18, 22, 26, 30]);
//! assert_eq!(row(&layout!((4,8):(8,1)), 2), [16, 17, 18, 19, 20, 21, 22, 23]);
//! ```
//!
//! A stride may be any integer. A larger one leaves gaps (a *padded* matrix), 0 repeats the same elements (a
//! *broadcast*), and a negative one runs backwards:
//!
//! ```
//! use tilework::layout;
//!
//! let offsets = |layout: &tilework::Layout| (0..layout.size()).map(|i| layout.at(i)).collect::<Vec<_>>();
//! assert_eq!(offsets(&layout!((3,2):(1,4))), [0, 1, 2, 4, 5, 6]);
//! assert_eq!(offsets(&layout!((3,2):(1,0))), [0, 1, 2, 0, 1, 2]);
//! assert_eq!(offsets(&layout!(4:-1)), [0, -1, -2, -3]);
//! ```
//!
//! # One number for two
//!
//! [`at`](crate::Layout::at) took one number although the shape has two extents. Every layout also has a
//! one-dimensional coordinate: it counts through the shape, the first coordinate fastest. In `(4,8)` the number 22 is
//! `(22 mod 4, 22 div 4) = (2,5)`:
//!
//! ```
//! use tilework::{HTuple, Layout, Shape, layout};
//!
//! let shape: Shape = "(4,8)".parse()?;
//! assert_eq!(shape.idx2crd(&HTuple::leaf(22))?.to_string(), "(2,5)");
//!
//! const ROWS: Layout = layout!((4,8):(8,1));
//! assert_eq!(ROWS.at(22), 2 * 8 + 5);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! `(4,8):(1,4)` is the layout for which the two counts agree: it maps 22 to 22, and is the identity on `[0, 32)`. A
//! shape alone denotes that layout; [`column_major`](crate::Layout::column_major) returns it, and
//! [`row_major`](crate::Layout::row_major) the other one.
//!
//! ```
//! use tilework::{Layout, layout};
//!
//! assert_eq!(layout!((4,8)), layout!((4,8):(1,4)));
//! assert_eq!(Layout::row_major((4, 8))?, layout!((4,8):(8,1)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # Some words
//!
//! The *size* of a layout is the number of its coordinates, its *rank* the number of modes, and its *cosize* the
//! largest offset plus one: the length of the array that it needs.
//!
//! ```
//! use tilework::layout;
//!
//! let padded = layout!((4,8):(1,5));
//! assert_eq!((padded.size(), padded.rank(), padded.cosize()?), (32, 2, 39));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! A layout is a plain value of fixed size: `Copy`, no heap, usable in `const`. An invalid layout is an error when it
//! is made: in `layout!` a compile error; from text an error value:
//!
//! ```
//! use tilework::Layout;
//!
//! let error = "(4,8):(1,4,5)".parse::<Layout>().unwrap_err();
//! assert_eq!(error.code(), "incongruent");
//! let sentence = "the shape has 2 entries, the stride has 3 entries";
//! assert_eq!(error.to_string(), sentence);
//! ```
//!
//! Next: [coordinates and hierarchical shapes](super::chapter_2_coordinates).

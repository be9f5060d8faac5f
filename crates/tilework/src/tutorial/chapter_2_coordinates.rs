//! 2. Coordinates and hierarchical shapes.
//!
//! Which strides order the 32 elements of a 4x8 matrix by 2x2 tiles, the elements of a tile together?
//!
//! ```text
//!      0  1  2  3  4  5  6  7
//! 0    0  2 | 4  6 | 8 10 |12 14
//! 1    1  3 | 5  7 | 9 11 |13 15
//!      ------+------+------+-----
//! 2   16 18 |20 22 |24 26 |28 30
//! 3   17 19 |21 23 |25 27 |29 31
//! ```
//!
//! No pair of strides does: down the first column the offsets are 0, 1, 16, 17. But the row number has two digits, the
//! row within the tile and the row of tiles, each with its own stride: 1 and 16. The column number has two as well,
//! with strides 2 and 4. So each extent of the shape becomes a tuple of extents, and each stride a tuple of strides:
//!
//! ```
//! use tilework::{Layout, layout};
//!
//! const TILES: Layout = layout!(((2,2),(2,4)):((1,16),(2,4)));
//! assert_eq!(TILES.at(((1, 0), (0, 3))), 13); // 1*1 + 0*16 + 0*2 + 3*4
//! ```
//!
//! # One shape, many coordinates
//!
//! It is still a matrix: `(1,6)` is row 1, column 6, and means `((1,0),(0,3))`. A coordinate may have one number for
//! the whole shape, one for each mode, one for each leaf, or any level between. These are the *compatible* coordinates
//! of the shape (section 2.2):
//!
//! ```
//! use tilework::{Layout, Shape, layout};
//!
//! const TILES: Layout = layout!(((2,2),(2,4)):((1,16),(2,4)));
//! assert_eq!([TILES.at(25), TILES.at((1, 6)), TILES.at(((1, 0), 6)), TILES.at((1, (0, 3))), TILES.at(((1, 0), (0, 3)))], [13; 5]);
//!
//! // `idx2crd` gives the finest form, and `crd2idx` the single number.
//! let shape: Shape = TILES.shape();
//! assert_eq!(shape.idx2crd(&"(1,6)".parse()?)?.to_string(), "((1,0),(0,3))");
//! assert_eq!(shape.crd2idx(&"((1,0),(0,3))".parse()?)?, 25);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! A number is distributed over a tuple of extents from left to right, the first digit fastest. The last digit gets the
//! rest, and is not reduced: every integer is a coordinate, inside the shape or beyond it (equation 4). Division rounds
//! down, for negative numbers too.
//!
//! ```
//! use tilework::{HTuple, Shape, layout};
//!
//! let shape: Shape = "(2,3)".parse()?;
//! assert_eq!(shape.idx2crd(&HTuple::leaf(7))?.to_string(), "(1,3)");
//! assert!(!shape.is_in_bounds(&"(1,3)".parse()?));
//! assert_eq!(layout!((2,3):(1,10)).at(7), 31);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! This *extended domain* matters for [composition](super::chapter_4_composition), where an inner layout may reach
//! beyond the outer one.
//!
//! # Compatible shapes
//!
//! Two tuples are *congruent* when they have the same nesting. A shape is *compatible* with a finer one when each
//! coordinate of the first is a coordinate of the second; then a layout of the finer shape can be used wherever the
//! coarser one is expected:
//!
//! ```
//! use tilework::Shape;
//!
//! let shape = |text: &str| text.parse::<Shape>();
//! assert!(shape("(4,8)")?.compatible(&shape("((2,2),(2,4))")?)); // a 4x8 matrix, whatever its digits
//! assert!(shape("32")?.compatible(&shape("(4,8)")?));
//! assert!(!shape("(4,8)")?.compatible(&shape("(8,4)")?));
//! assert!(!shape("((2,2),8)")?.compatible(&shape("(4,8)")?));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # Modes
//!
//! A *mode* is an entry of the outermost tuple, and is a layout itself. Modes can be extracted, grouped and
//! concatenated without arithmetic:
//!
//! ```
//! use tilework::{Layout, layout};
//!
//! const TILES: Layout = layout!(((2,2),(2,4)):((1,16),(2,4)));
//! assert_eq!(TILES.mode(0)?, layout!((2,2):(1,16)));
//! assert_eq!(TILES.get(&[1, 0])?, layout!(2:2));
//! assert_eq!(TILES.flatten(), layout!((2,2,2,4):(1,16,2,4)));
//! assert_eq!(TILES.flatten().select(&[0, 2, 1, 3])?, layout!((2,2,2,4):(1,2,16,4)));
//! assert_eq!(Layout::concatenate(&[TILES.mode(0)?, TILES.mode(1)?])?, TILES);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! `4` and `(4)` are different tuples: both have rank 1, the first has depth 0, the second depth 1.
//!
//! Next: [coalesce](super::chapter_3_coalesce).

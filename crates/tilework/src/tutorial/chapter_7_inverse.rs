//! 7. Inverses, and how many elements move at once.
//!
//! A layout maps a coordinate to its offset. An inverse maps an offset to its coordinate.
//!
//! # Right inverse
//!
//! A right inverse `R` of `L` satisfies `L(R(k)) = k` for each `k` below its size: it lists the indices of the offsets
//! 0, 1, 2, ... as long as a layout can (section 3.4.1).
//!
//! ```
//! use tilework::layout;
//!
//! // Row by row: offset 1 is at index 4, offset 8 at index 1.
//! let inverse = layout!((4,8):(8,1)).right_inverse()?;
//! assert_eq!(inverse, layout!((8,4):(4,1)));
//! assert_eq!((inverse.at(1), inverse.at(8)), (4, 1));
//!
//! // A padded matrix: offset 4 is missing, and the inverse ends there.
//! assert_eq!(layout!((4,8):(1,5)).right_inverse()?, layout!(4:1));
//!
//! // Overlapping modes: offsets 0, 1, 2, 3 and 4, 5, 6, 7 and so on, of which the first 9 are in reach of a layout.
//! assert_eq!(layout!((5,3):(1,2)).right_inverse()?, layout!((3,3):(1,6)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! It is the largest one. So its size is the number of elements that are contiguous from offset 0. If the layout is a
//! bijection of `[0, size)` the right inverse is the inverse:
//!
//! ```
//! use tilework::layout;
//!
//! let layout = layout!((3,7,5):(5,15,1));
//! assert!(layout.is_bijective()?);
//! let inverse = layout.inverse()?;
//! assert!((0..105).all(|i| inverse.at(layout.at(i)) == i && layout.at(inverse.at(i)) == i));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # Left inverse
//!
//! A left inverse `G` maps each offset *of the image* to an index with that offset, `L(G(L(k))) = L(k)`. Offsets in the
//! gaps may have any values:
//!
//! ```
//! use tilework::layout;
//!
//! let padded = layout!((4,8):(1,5));
//! let index = padded.left_inverse()?;
//! assert_eq!(index, layout!((5,8):(1,4)));
//! assert!((0..32).all(|i| index.at(padded.at(i)) == i));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # How many elements move at once
//!
//! A copy from one layout to another is a loop over coordinates. If neighbouring offsets of the source correspond to
//! neighbouring offsets of the destination, one instruction can move them, that is, if the two right inverses agree on
//! the first few offsets (section 3.4.2). [`common_layout`](crate::Layout::common_layout) returns these indices,
//! [`common_vector`](crate::Layout::common_vector) their number:
//!
//! ```
//! use tilework::layout;
//!
//! // Contiguous columns on both sides, with different distances between them: 4 at once.
//! let (source, destination) = (layout!((4,8):(1,4)), layout!((4,8):(1,6)));
//! assert_eq!(source.common_vector(&destination)?, 4);
//! assert_eq!(source.common_layout(&destination)?, layout!(4:1));
//!
//! // The pieces need not lie at neighbouring indices: both have offsets 0 to 7 at indices 0, 4, 8, ...
//! let (source, destination) = (layout!((4,8):(8,1)), layout!((4,8):(20,1)));
//! assert_eq!(source.common_layout(&destination)?, layout!(8:4));
//!
//! // A transposition has nothing in common but the first element.
//! assert_eq!(layout!((4,8):(1,4)).common_vector(&layout!((4,8):(8,1)))?, 1);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! The common layout selects coordinates, so it is a tiler: divide both sides by it, and copy tile by tile.
//!
//! ```
//! use tilework::{Tiler, layout};
//!
//! let (source, destination) = (layout!((4,8):(8,1)), layout!((4,8):(20,1)));
//! let vector = source.common_layout(&destination)?.as_tiler();
//! assert_eq!(source.logical_divide(&vector)?, layout!((8,4):(1,8)));
//! assert_eq!(destination.logical_divide(&vector)?, layout!((8,4):(1,20)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Next: [a tile among threads](super::chapter_8_partition).

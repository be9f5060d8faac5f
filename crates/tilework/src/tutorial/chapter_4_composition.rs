//! 4. Composition, and when there is none.
//!
//! Layouts are functions, and functions are composed: `(A o B)(c) = A(B(c))`. `B` selects coordinates, `A` gives their
//! offsets. Every third element of a layout, its first half, its transpose, one thread's part: each is the layout
//! composed with another that selects (section 3.3).
//!
//! ```
//! use tilework::{Layout, layout, unwrap};
//!
//! const A: Layout = layout!((6,2):(8,2)); // offsets 0 8 16 24 32 40 | 2 10 18 26 34 42
//! const B: Layout = layout!((4,3):(3,1));
//! const R: Layout = unwrap(A.composition(&B));
//! assert_eq!(R, layout!(((2,2),3):((24,2),8)));
//! for c in 0..B.size() {
//!     assert_eq!(R.at(c), A.at(B.at(c)));
//! }
//! ```
//!
//! The result is a layout of `B`'s coordinates. If a leaf of `B` has to become several leaves, they form a tuple in its
//! place, as the 4 above: the result *refines* `B`.
//!
//! # Divide out, keep
//!
//! Where does `(24,2)` come from? Take one leaf of `B`, `4:3`: 4 steps of 3 through the extents `(6,2)`. To step by 3,
//! *divide 3 out* of the extents from the left: 6/3 leaves 2, so every third element is `(2,2):(24,2)`, the first stride
//! three times as long. Then *keep* the first 4 elements of that, here all of it. For the leaf `3:1` nothing is divided
//! out, and 3 elements of the 6 are kept: `3:8`. The paper's example:
//!
//! ```
//! use tilework::layout;
//!
//! // (4,6,8,10) without its first 12 elements is (1,2,8,10); its first 6 elements are (2,3).
//! let every_12th = layout!((4,6,8,10):(2,3,5,7)).composition(&layout!(6:12))?;
//! assert_eq!(every_12th, layout!((2,3):(9,5)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # When there is none
//!
//! The composed function always exists. It is a layout only if it can be written with extents and strides.
//!
//! Take the first 6 elements of `(4,6,8):(2,3,5)`. The offsets are 0, 2, 4, 6, 3, 5: after 4 steps of 2 the stride
//! changes. A leaf of 6 would have to become `(4, 6/4)`, and 4 does not divide 6:
//!
//! ```
//! use tilework::{Error, layout};
//!
//! let error = layout!((4,6,8):(2,3,5)).composition(&layout!(6:1)).unwrap_err();
//! assert_eq!(error, Error::ShapeDivisibility { leaf: 0, extent: 6, stride: 1, steps: 4 });
//! assert_eq!(
//!     error.to_string(),
//!     "at leaf 0, 6:1, the left layout changes its step: 4:1 fits and 5:1 does not; \
//!      a multiple of 4 may fit as well",
//! );
//! # Ok::<(), Error>(())
//! ```
//!
//! The second way to fail takes two leaves. In `(6,2):(1,7)` with `(3,2):(2,3)` each leaf by itself is valid: `3:2`
//! stays below 6, `2:3` too. But coordinate `(2,1)` is 2*2 + 3 = 7, which is past 6 and so in the second mode, where
//! the offset is 8. The sum of the strides would be 7. The two leaves *carry* together:
//!
//! ```
//! use tilework::{Error, layout};
//!
//! let (a, b) = (layout!((6,2):(1,7)), layout!((3,2):(2,3)));
//! assert_eq!((a.at(b.at(5)), a.at(4) + a.at(3)), (8, 7));
//! let error = a.composition(&b).unwrap_err();
//! assert_eq!(error, Error::Carry { boundary: 6, first: 0, last: 1 });
//! ```
//!
//! An error means that no layout exists, not just that a sufficient condition is violated. These have an answer,
//! although a stride does not divide an extent, or the leaves of `B` leave `A`:
//!
//! ```
//! use tilework::layout;
//!
//! // 4*2 elements go on with one stride: coalesced, the left side is (8,8):(3,97).
//! assert_eq!(layout!((4,2,8):(3,12,97)).composition(&layout!(3:3))?, layout!(3:9));
//! // The last mode is never wrapped, so that a layout of rank 1 has no end.
//! assert_eq!(layout!(7:11).composition(&layout!(3:4))?, layout!(3:44));
//! // The strides change twice on the way, and the changes cancel.
//! assert_eq!(layout!((3,3,4):(1,4,11)).composition(&layout!(5:4))?, layout!(5:5));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! [`is_composable`](crate::Layout::is_composable) only checks whether the result exists. There is one other answer:
//! [`Error::Undecided`](crate::Error::Undecided), if many carries may cancel one another and the budget for checking
//! them is exhausted.
//!
//! # Mode by mode
//!
//! Often rows and columns are selected separately. A [`Tiler`](crate::Tiler) is a tuple of layouts, one for each mode
//! (section 3.3.5). An extent `4` is the tile `4:1`, and `_` keeps a mode:
//!
//! ```
//! use tilework::{layout, tiler};
//!
//! let matrix = layout!((8,16):(20,1));
//! // The first 4 rows, and every other column.
//! assert_eq!(matrix.composition_by_mode(&tiler!(<4:1, 8:2>))?, layout!((4,8):(20,2)));
//! assert_eq!(matrix.composition_by_mode(&tiler!(<_, 4>))?, layout!((8,4):(20,1)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Next: [complement and divide](super::chapter_5_divide).

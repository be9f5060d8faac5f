//! 3. Coalesce, and when two layouts are the same.
//!
//! `(2,(1,6)):(1,(6,2))` has three leaves, but is the same function as `12:1`: both map every integer from 0 to 11 to
//! itself. [`coalesce`](crate::Layout::coalesce) finds the shorter form (section 3.2):
//!
//! ```
//! use tilework::layout;
//!
//! assert_eq!(layout!((2,(1,6)):(1,(6,2))).coalesce(), layout!(12:1));
//! ```
//!
//! There are two steps. An extent of 1 has only coordinate 0, and is dropped. And a mode `s0:d0` followed by `s1:d1` is
//! one mode `s0*s1:d0` if `d1 = s0*d0`, that is, if the second continues where the first one ends:
//!
//! | layout | | coalesced |
//! |---|---|---|
//! | `(4,8):(1,4)` | 4 = 4*1 | `32:1` |
//! | `(4,(3,5)):(15,(1,3))` | 1 is not 4*15; 3 = 3*1 | `(4,15):(15,1)` |
//! | `(4,8):(8,1)` | 1 is not 4*8 | `(4,8):(8,1)` |
//! | `(4,3):(0,0)` | 0 = 4*0 | `12:0` |
//!
//! ```
//! use tilework::layout;
//!
//! assert_eq!(layout!((4,8):(1,4)).coalesce(), layout!(32:1));
//! assert_eq!(layout!((4,(3,5)):(15,(1,3))).coalesce(), layout!((4,15):(15,1)));
//! assert_eq!(layout!((4,8):(8,1)).coalesce(), layout!((4,8):(8,1)));
//! assert_eq!(layout!((4,3):(0,0)).coalesce(), layout!(12:0));
//! ```
//!
//! # The same function
//!
//! The coalesced form is unique: two layouts of one size are the same function of the integers below the size *if and
//! only if* their coalesced forms are identical. So equality of functions is decided by comparing a few numbers,
//! without enumerating the offsets. `==` compares the notation; [`equivalent`](crate::Layout::equivalent) compares the
//! functions:
//!
//! ```
//! use tilework::{Layout, layout};
//!
//! let (a, b) = (layout!((3,(4,2)):(1,(3,12))), layout!(24:1));
//! assert_ne!(a, b);
//! assert!(a.equivalent(&b));
//!
//! // Row by row and column by column are different functions of the integers ...
//! assert!(!layout!((4,8):(1,4)).equivalent(&layout!((4,8):(8,1))));
//! // ... though they have the same offsets: one is the other's with the modes exchanged.
//! assert_eq!(layout!((4,8):(8,1)).sort(), layout!((8,4):(1,8)));
//! ```
//!
//! # Limits
//!
//! Coalescing loses the shape: `12:1` has no coordinate `(1,5)`. If modes have a meaning (rows and columns, threads and
//! values), coalesce each mode separately. Every `_` in the profile marks a mode to coalesce:
//!
//! ```
//! use tilework::layout;
//!
//! let layout = layout!((2,(1,6)):(1,(6,2)));
//! assert_eq!(layout.coalesce_by_mode((.., ..))?, layout!((2,6):(1,2)));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! And `coalesce` preserves the function only for integers *inside* the layout. A trailing extent of 1 seems redundant,
//! but it determines how the layout continues past its end: `(4,1):(1,100)` maps 4 to 100, and `4:1` maps it to 4. If a
//! layout is used beyond its size, [`coalesce_extended`](crate::Layout::coalesce_extended) keeps that mode:
//!
//! ```
//! use tilework::layout;
//!
//! let layout = layout!((2,2,1):(1,2,100));
//! assert_eq!((layout.at(3), layout.at(4), layout.at(5)), (3, 100, 101));
//! assert_eq!(layout.coalesce(), layout!(4:1));
//! assert_eq!(layout.coalesce_extended(), layout!((4,1):(1,100)));
//! ```
//!
//! # Broadcasts
//!
//! `filter_zeros` gives every leaf of stride 0 the extent 1, and `filter` coalesces after it. Both change the size: they
//! answer which elements are touched, not which function this is.
//!
//! ```
//! use tilework::layout;
//!
//! assert_eq!(layout!((4,3,2):(1,0,4)).filter_zeros(), layout!((4,1,2):(1,0,4)));
//! assert_eq!(layout!((4,3,2):(1,0,4)).filter(), layout!(8:1));
//! ```
//!
//! Next: [composition](super::chapter_4_composition).

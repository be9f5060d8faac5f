//! The items that most programs use: `use tilework::prelude::*;`.
//!
//! ```
//! use tilework::prelude::*;
//! const ROWS: Layout = layout!((4,8):(8,1));
//! const COLUMNS: Layout = unwrap(ROWS.right_inverse());
//! let data: Vec<i32> = (0..32).collect();
//! let tiles = Tensor::new(&data[..], ROWS)?.zipped_divide(&tiler!(<2, 4>))?;
//! assert_eq!((COLUMNS.to_string().as_str(), tiles.at([3, 1])), ("(8,4):(4,1)", 25));
//! # Ok::<(), Error>(())
//! ```

pub use crate::{
    Accessor, AccessorMut, Composed, Coord, Error, HTuple, HasLayout, Layout, Shape, StaticLayout,
    StaticTiler, Stride, Swizzle, Tensor, Tiler, View, layout, static_layout, tiler, unwrap,
};

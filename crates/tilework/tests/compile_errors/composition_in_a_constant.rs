//! The same algebra without types: a constant of one's own.

use tilework::{Layout, layout, unwrap};

const R: Layout = unwrap(layout!((4,6,8):(2,3,5)).composition(&layout!(6:1)));

fn main() {}

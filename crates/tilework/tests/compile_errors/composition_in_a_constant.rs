//! The same algebra without types: a constant of one's own.

use tilework::{Layout, layout};

const R: Layout = match layout!((4,6,8):(2,3,5)).composition(&layout!(6:1)) {
    Ok(layout) => layout,
    Err(error) => panic!("{}", error.message().as_str()),
};

fn main() {}

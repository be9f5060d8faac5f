//! The same without a type.

use tilework::{Layout, layout};

const A: Layout = layout!((4,8):(1,x));

fn main() {}

//! Tiles of 3 within rows of 4.

use tilework::static_layout;
use tilework::static_layout::{Extent, ZippedDivide};

static_layout! {
    struct A = (4,6):(8,1);
    type R = ZippedDivide<A, Extent<3>>;
}

fn main() {}

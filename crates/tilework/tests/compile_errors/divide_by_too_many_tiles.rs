//! Three tiles for two modes.

use tilework::static_layout;
use tilework::static_layout::{Extent, TiledDivide};

static_layout! {
    struct A = (8,16):(16,1);
    type R = TiledDivide<A, (Extent<2>, Extent<2>, Extent<2>)>;
}

fn main() {}

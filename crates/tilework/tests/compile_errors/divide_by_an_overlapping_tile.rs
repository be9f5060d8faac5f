//! The tile has no complement, and so there are no places for it.

use tilework::{static_layout, static_layout::LogicalDivide};

static_layout! {
    struct A = 24:1;
    struct T = (2,2):(2,3);
    type R = LogicalDivide<A, T>;
}

fn main() {}

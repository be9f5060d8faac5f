//! Two layouts that fit, and whose product does not.

use tilework::{static_layout, static_layout::LogicalProduct};

static_layout! {
    struct A = 4294967296:1;
    struct G = 4294967296:1;
    type R = LogicalProduct<A, G>;
}

fn main() {}

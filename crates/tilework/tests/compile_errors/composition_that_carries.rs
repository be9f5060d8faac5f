//! Each step of `(3,2):(2,3)` has a layout through `(6,2):(1,7)`; their sums pass 6.

use tilework::{static_layout, static_layout::Compose};

static_layout! {
    struct A = (6,2):(1,7);
    struct B = (3,2):(2,3);
    type R = Compose<A, B>;
}

fn main() {}

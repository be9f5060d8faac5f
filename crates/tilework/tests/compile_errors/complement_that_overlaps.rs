//! The modes of `(2,2):(2,3)` interleave.

use tilework::{static_layout, static_layout::Complement};

static_layout! {
    struct A = (2,2):(2,3);
    type R = Complement<A>;
}

fn main() {}

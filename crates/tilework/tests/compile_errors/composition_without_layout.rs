//! `(4,6,8):(2,3,5) o 6:1` turns at 4, and 4 does not divide 6.

use tilework::{static_layout, static_layout::Compose};

static_layout! {
    struct A = (4,6,8):(2,3,5);
    struct B = 6:1;
    type R = Compose<A, B>;
}

fn main() {}

//! A layout that maps two coordinates to one offset has no inverse.

use tilework::{static_layout, static_layout::Inverse};

static_layout! {
    struct A = (4,2):(1,0);
    type R = Inverse<A>;
}

fn main() {}

//! An integer stride beside a coordinate stride.

use tilework::static_layout;

static_layout! {
    struct A = (4,8):(1,1@0);
}

fn main() {}

//! Two extents, three strides.

use tilework::static_layout;

static_layout! {
    struct A = (4,8):(1,4,5);
}

fn main() {}

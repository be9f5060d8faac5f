//! No layout has an extent of 0.

use tilework::static_layout;

static_layout! {
    struct A = (4,0):(1,4);
}

fn main() {}

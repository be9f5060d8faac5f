//! An extent is missing.

use tilework::static_layout;

static_layout! {
    struct A = (4,,8):(1,4,8);
}

fn main() {}

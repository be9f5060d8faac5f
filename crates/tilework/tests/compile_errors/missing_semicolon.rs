//! The declaration does not end.

use tilework::static_layout;

static_layout! {
    struct A = (4,8):(1,4)
}

fn main() {}

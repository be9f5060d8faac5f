//! 2^31 * 2^32 coordinates are one more than 64 bits count.

use tilework::static_layout;

static_layout! {
    struct A = (2147483648,4294967296):(1,0);
}

fn main() {}

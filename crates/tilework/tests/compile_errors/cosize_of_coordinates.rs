//! Coordinates have no largest one, plus one.

use tilework::{StaticLayout, static_layout};

static_layout! {
    struct A = (4,8):(1@0,1@1);
}

const ELEMENTS: i64 = A::COSIZE;

fn main() {}

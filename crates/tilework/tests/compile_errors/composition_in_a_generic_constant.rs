//! The condition breaks where a generic kernel is instantiated.

use tilework::{Layout, StaticLayout, static_layout, static_layout::Compose};

static_layout! {
    struct A = (4,6,8):(2,3,5);
    struct B = 6:1;
}

struct Kernel<Data, Partition>(Data, Partition);

impl<Data: StaticLayout, Partition: StaticLayout> Kernel<Data, Partition> {
    const THREADS: Layout = Compose::<Data, Partition>::LAYOUT;
}

const R: Layout = Kernel::<A, B>::THREADS;

fn main() {}

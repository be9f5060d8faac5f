//! Time of the algebra at run time, one operation a line: `cargo bench -p speed --bench algebra`.
//!
//! `eval` compares the evaluation of a layout with the hand-written divisions that it stands for.

use divan::{Bencher, black_box};
use std::hint::assert_unchecked;
use tilework::{HTuple, Layout, Tiler, layout, tiler};

fn main() {
    divan::main();
}

const SMALL: Layout = layout!((4,(2,3)):(1,(4,8)));
const GEMM: Layout = layout!((128,64):(64,1));
const HIER: Layout = layout!(((2,4),(2,4),(4,4)):((1,16),(2,64),(4,256)));
const DEEP: Layout = layout!((((2,2),(2,2)),((2,2),(2,2)),((2,2),(2,2))):(((1,8),(2,16)),((4,32),(64,512)),((128,1024),(256,2048))));

fn named(case: &str) -> Layout {
    match case {
        "small" => SMALL,
        "gemm" => GEMM,
        _ => HIER,
    }
}

/// In `cancel` two changes of the step cancel at each of 100,000 places.
#[divan::bench(args = ["small", "gemm", "hier", "cancel"])]
fn composition(bencher: Bencher, case: &str) {
    let (a, b) = match case {
        "small" => (SMALL, layout!((2,3):(3,1))),
        "gemm" => (GEMM, layout!((8,16):(64,1))),
        "cancel" => (layout!((100000,2,4):(1,100001,200001)), layout!(200002:199999)),
        _ => (HIER, layout!((4,8):(8,32))),
    };
    bencher.bench(|| black_box(&a).composition(black_box(&b)));
}

#[divan::bench(args = ["small", "gemm", "hier"])]
fn complement(bencher: Bencher, case: &str) {
    let (b, size) = match case {
        "small" => (layout!((2,3):(3,1)), 24),
        "gemm" => (layout!((8,16):(64,1)), 8192),
        _ => (layout!((4,8):(8,32)), 1024),
    };
    let size = HTuple::leaf(size);
    bencher.bench(|| black_box(&b).complement_within(black_box(&size)));
}

#[divan::bench(args = ["small", "gemm", "hier"])]
fn logical_divide(bencher: Bencher, case: &str) {
    let (a, tiler) = match case {
        "small" => (layout!(24:3), tiler!(8:3)),
        "gemm" => (GEMM, tiler!((8,16):(1,128))),
        _ => (HIER, tiler!((2,8):(1,16))),
    };
    bencher.bench(|| black_box(&a).logical_divide(black_box(&tiler)));
}

#[divan::bench]
fn zipped_divide_by_mode(bencher: Bencher) {
    const TILER: Tiler = tiler!(<8:1, 16:1>);
    bencher.bench(|| black_box(&GEMM).zipped_divide(black_box(&TILER)));
}

#[divan::bench(args = ["small", "gemm", "hier"])]
fn right_inverse(bencher: Bencher, case: &str) {
    let layout = named(case);
    bencher.bench(|| black_box(&layout).right_inverse());
}

#[divan::bench(args = ["small", "gemm", "hier"])]
fn left_inverse(bencher: Bencher, case: &str) {
    let layout = named(case);
    bencher.bench(|| black_box(&layout).left_inverse());
}

#[divan::bench(args = ["small", "gemm", "hier"])]
fn coalesce(bencher: Bencher, case: &str) {
    let layout = named(case);
    bencher.bench(|| black_box(&layout).coalesce());
}

#[divan::bench_group]
mod deep {
    use super::*;

    #[divan::bench]
    fn composition(bencher: Bencher) {
        let b = layout!((((2,2),(2,2)),((2,2),(2,2)),((2,2),(2,2))):(((1,2),(4,8)),((16,32),(64,128)),((256,512),(1024,2048))));
        bencher.bench(|| black_box(&DEEP).composition(black_box(&b)));
    }

    #[divan::bench]
    fn logical_divide(bencher: Bencher) {
        let tiler = tiler!((2,2,2,2,2,2):(1,4,16,64,256,1024));
        bencher.bench(|| black_box(&DEEP).logical_divide(black_box(&tiler)));
    }

    #[divan::bench]
    fn right_inverse(bencher: Bencher) {
        bencher.bench(|| black_box(&DEEP).right_inverse());
    }

    #[divan::bench]
    fn complement(bencher: Bencher) {
        let size = HTuple::leaf(1 << 20);
        bencher.bench(|| black_box(&DEEP).complement_within(black_box(&size)));
    }
}

#[divan::bench_group]
mod eval {
    use super::*;

    const LAYOUT: Layout = layout!((6,10,14):(140,14,1));

    #[divan::bench]
    fn layout(bencher: Bencher) {
        bencher.counter(840usize).bench(|| {
            let layout = black_box(&LAYOUT);
            let mut sum = 0;
            for i in 0..840 {
                sum += layout.at(black_box(i));
            }
            sum
        });
    }

    #[divan::bench]
    fn by_hand(bencher: Bencher) {
        bencher.counter(840usize).bench(|| {
            let [s, t, d, e, f] = black_box([6i64, 10, 140, 14, 1]);
            // What a caller knows of extents; without it the division by zero would be tested for.
            // SAFETY: both are the constants above.
            unsafe { assert_unchecked(s > 0 && t > 0) };
            let mut sum = 0;
            for i in 0..840 {
                let i = black_box(i);
                sum += i % s * d + i / s % t * e + i / s / t * f;
            }
            sum
        });
    }
}

#[divan::bench_group]
mod coordinates {
    use super::*;

    #[divan::bench(args = ["integers", "coordinates"])]
    fn evaluate(bencher: Bencher, case: &str) {
        let layout = match case {
            "integers" => layout!((8,(4,16)):(64,(1,4))),
            _ => layout!((8,(4,16)):(1@0,(1@0@1,1@1@1))),
        };
        let coord = "(5,39)".parse().unwrap();
        bencher.bench(|| black_box(&layout).evaluate(black_box(&coord)));
    }

    #[divan::bench]
    fn crd2idx(bencher: Bencher) {
        let (shape, coord) = (HIER.shape(), "(5,(1,3),9)".parse().unwrap());
        bencher.bench(|| black_box(&shape).crd2idx(black_box(&coord)));
    }
}

#[divan::bench_group]
mod text {
    use super::*;

    #[divan::bench]
    fn parse(bencher: Bencher) {
        bencher.bench(|| Layout::parse(black_box("((4,8),2):((16,1),8)")));
    }

    #[divan::bench]
    fn print(bencher: Bencher) {
        let layout = layout!(((4,8),2):((16,1),8));
        bencher.bench(|| black_box(&layout).to_text());
    }
}

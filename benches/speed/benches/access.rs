//! Time of the reports on accesses: `cargo bench -p speed --bench access`.

use divan::{Bencher, black_box};
use tilework::{Composed, Layout, Swizzle, layout};
use tilework_hardware::access::Access;
use tilework_hardware::memory::{Banks, Sectors};
use tilework_hardware::swizzle::{Form, search};

fn main() {
    divan::main();
}

/// 128 threads store 16 bytes each: to a swizzled tile, which is linear; to rows of 40 halves, padded; to rows of 48.
fn case(name: &str) -> (Composed, Access) {
    let (tile, swizzle): (Layout, _) = match name {
        "linear" => (layout!((32,32):(32,1)), Swizzle::new(2, 3, 3).unwrap()),
        "padded" => (layout!((32,32):(40,1)), Swizzle::NONE),
        _ => (layout!((24,48):(48,1)), Swizzle::new(3, 3, 3).unwrap()),
    };
    let columns = tile.mode(1).unwrap().size() / 8;
    let rows = 128 / columns;
    let threads = Layout::of((columns, rows), (8 * tile.mode(0).unwrap().size(), 1)).unwrap();
    let values = Layout::of(8, tile.mode(0).unwrap().size()).unwrap();
    let tv = Layout::concatenate(&[threads, values]).unwrap();
    (Composed::new(swizzle, 0, tile).unwrap(), Access::new(tv, 16).unwrap().vector(8).unwrap())
}

#[divan::bench(args = ["linear", "padded", "rows_of_48"])]
fn banks(bencher: Bencher, name: &str) {
    let (tile, access) = case(name);
    bencher.bench(|| Banks::NVIDIA.report(black_box(&tile), black_box(&access)).unwrap());
}

#[divan::bench(args = ["linear", "padded", "rows_of_48"])]
fn sectors(bencher: Bencher, name: &str) {
    let (tile, access) = case(name);
    bencher.bench(|| Sectors::NVIDIA.report(black_box(&tile), black_box(&access)).unwrap());
}

/// All swizzles of a tile of 128x64 halves are gone through before the answer is "none": loads by ldmatrix, stores of rows, and
/// loads of every second row.
#[divan::bench(args = ["found", "none"])]
fn swizzle(bencher: Bencher, name: &str) {
    const TILE: Layout = layout!((128,64):(64,1));
    let mut accesses = vec![
        (Banks::NVIDIA, Access::ldmatrix(&TILE, 16).unwrap()),
        (Banks::NVIDIA, Access::rows(&TILE, 16).unwrap()),
    ];
    if name == "none" {
        let every_second = Access::new(layout!(((32,2),(64,2)):((2,1),(128,64))), 16).unwrap();
        accesses.push((Banks::NVIDIA, every_second));
    }
    assert_eq!(search(&TILE, &accesses, Form::Sw).is_ok(), name == "found");
    bencher.bench(|| search(black_box(&TILE), black_box(&accesses), Form::Sw).is_ok());
}

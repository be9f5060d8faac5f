//! Copies beside memcpy, one case a line: `cargo bench -p tilework-kernels --bench copy`. On one thread, by plans that are made
//! before; `planning` says how long that takes.
//!
//! Bytes are what is read and written once: those that a gather or scatter skips, and a broadcast reads again, are not counted.

use divan::Bencher;
use divan::counter::BytesCount;
use tilework::Layout;
use tilework_kernels::{CopyPlan, Execution};

fn main() {
    divan::main();
}

/// Permutations: mode `i` of the destination is mode `order[i]` of the source; both are compact.
const PERMUTATIONS: [(&[usize], &[i64]); 9] = [
    (&[1, 0], &[4096, 4096]),
    (&[1, 0], &[4099, 4101]),
    (&[1, 0], &[1000, 1003]),
    (&[1, 0], &[300, 384]),
    (&[0, 2, 1], &[368, 208, 208]),
    (&[2, 1, 0], &[232, 296, 232]),
    (&[2, 1, 3, 0], &[64, 75, 64, 50]),
    (&[2, 0, 4, 1, 3], &[48, 16, 48, 20, 20]),
    (&[5, 4, 3, 2, 1, 0], &[16, 15, 16, 16, 15, 16]),
];

fn compact(extents: impl Iterator<Item = i64>) -> Vec<(i64, i64)> {
    let with_stride = |stride: &mut i64, extent| {
        *stride *= extent;
        Some((extent, *stride / extent))
    };
    extents.scan(1, with_stride).collect()
}

fn layout(modes: impl IntoIterator<Item = (i64, i64)>) -> Layout {
    let modes = modes.into_iter().map(|(extent, stride)| Layout::of(extent, stride).unwrap());
    Layout::concatenate(&modes.collect::<Vec<_>>()).unwrap()
}

/// Source and destination.
fn permutation(order: &[usize], extents: &[i64]) -> [Layout; 2] {
    let source = compact(extents.iter().copied());
    let destination = compact(order.iter().map(|&mode| extents[mode]));
    [layout(order.iter().map(|&mode| source[mode])), layout(destination)]
}

fn run<T: Copy + From<u8> + Send + Sync>(bencher: Bencher, [from, to]: [Layout; 2]) {
    let plan = CopyPlan::<T>::new(&from, &to).unwrap();
    let source = vec![T::from(1); from.cosize().unwrap() as usize];
    // Not zeros, which would be mapped while it is timed.
    let mut destination = vec![T::from(2); to.cosize().unwrap() as usize];
    bencher
        .counter(BytesCount::new(2 * from.size() as usize * size_of::<T>()))
        .bench_local(|| plan.run(&source, &mut destination, &Execution::default()).unwrap());
}

/// What the others are compared with.
#[divan::bench(args = [115_200, 1_003_000, 16_777_216])]
fn memcpy_of_f32(bencher: Bencher, elements: usize) {
    let (source, mut destination) = (vec![1f32; elements], vec![2f32; elements]);
    bencher
        .counter(BytesCount::new(8 * elements))
        .bench_local(|| divan::black_box(&mut destination).copy_from_slice(divan::black_box(&source)));
}

#[divan::bench(types = [u16, f32, f64], args = PERMUTATIONS.map(|(order, extents)| format!("{order:?} {extents:?}")))]
fn permute<T: Copy + From<u8> + Send + Sync>(bencher: Bencher, name: &str) {
    let is_it = |(order, extents): &&(&[usize], &[i64])| format!("{order:?} {extents:?}") == name;
    let (order, extents) = PERMUTATIONS.iter().find(is_it).unwrap();
    run::<T>(bencher, permutation(order, extents));
}

const COUNT: i64 = 1 << 23;

#[divan::bench(types = [u16, f32], args = [2, 3, 4, 8, 17])]
fn gather<T: Copy + From<u8> + Send + Sync>(bencher: Bencher, stride: i64) {
    run::<T>(bencher, [layout([(COUNT, stride)]), layout([(COUNT, 1)])]);
}

#[divan::bench(types = [u16, f32], args = [2, 3, 4, 8, 17])]
fn scatter<T: Copy + From<u8> + Send + Sync>(bencher: Bencher, stride: i64) {
    run::<T>(bencher, [layout([(COUNT, 1)]), layout([(COUNT, stride)])]);
}

/// An array of structures to a structure of arrays, and back.
#[divan::bench(types = [u16, f32], args = [3, 4])]
fn structures_to_arrays<T: Copy + From<u8> + Send + Sync>(bencher: Bencher, fields: i64) {
    run::<T>(bencher, [layout([(COUNT, fields), (fields, 1)]), layout([(COUNT, 1), (fields, COUNT)])]);
}

#[divan::bench(types = [u16, f32], args = [3, 4])]
fn arrays_to_structures<T: Copy + From<u8> + Send + Sync>(bencher: Bencher, fields: i64) {
    run::<T>(bencher, [layout([(COUNT, 1), (fields, COUNT)]), layout([(COUNT, fields), (fields, 1)])]);
}

#[divan::bench(args = ["a column", "a row", "one element", "a submatrix"])]
fn broadcast(bencher: Bencher, what: &str) {
    let strides = match what {
        "a column" => [1, 0],
        "a row" => [0, 1],
        "one element" => [0, 0],
        _ => [1, 5000],
    };
    let side = 4096;
    let matrix = |[down, across]: [i64; 2]| layout([(side, down), (side, across)]);
    run::<f32>(bencher, [matrix(strides), matrix([1, side])]);
}

/// From layouts to a plan.
#[divan::bench(args = PERMUTATIONS.map(|(order, extents)| format!("{order:?} {extents:?}")))]
fn planning(bencher: Bencher, name: &str) {
    let is_it = |(order, extents): &&(&[usize], &[i64])| format!("{order:?} {extents:?}") == name;
    let (order, extents) = PERMUTATIONS.iter().find(is_it).unwrap();
    let [from, to] = permutation(order, extents);
    bencher.bench_local(|| CopyPlan::<f32>::new(divan::black_box(&from), divan::black_box(&to)).unwrap());
}

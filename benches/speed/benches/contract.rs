//! Contractions, convolutions, functions element by element and reductions, one case a line: `cargo bench -p
//! speed --bench contract`. The cases of benches/record/measures.tsv at a part of their sizes, on one thread, by plans that are made before.
//!
//! Items are operations (two for each multiply-add), bytes what is read and written once.

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use tilework::{Layout, Tensor};
use tilework_kernels::{ContractPlan, ConvPlan, Convolution, Element, Execution, Sum, map, sum, zip_map};

fn main() {
    divan::main();
}

/// The contractions of the TCCG benchmark that are in benches/record/measures.tsv, with the extents of all labels in order, and what
/// needs no product of matrices.
const CONTRACTIONS: [(&str, &[i64]); 17] = [
    ("efbad,cf->abcde", &[16, 12, 16, 12, 16, 16]),
    ("dbea,ec->abcd", &[24, 24, 24, 24, 24]),
    ("bda,dc->abc", &[96, 96, 24, 96]),
    ("dega,gfbc->abcdef", &[8, 8, 8, 8, 8, 8, 24]),
    ("ea,ebcd->abcd", &[24, 24, 24, 24, 24]),
    ("adec,ebd->abc", &[24, 24, 24, 24, 24]),
    ("cad,dcb->ab", &[96, 96, 12, 96]),
    ("aebf,fdec->abcd", &[16, 16, 16, 16, 16, 16]),
    ("aebf,dfce->abcd", &[16, 16, 16, 16, 16, 16]),
    ("eafd,fbec->abcd", &[16, 16, 16, 16, 16, 16]),
    ("ab,ab->ab", &[512, 512]),
    ("ab,ab->", &[512, 512]),
    ("ab,ab->b", &[512, 512]),
    ("ab,a->b", &[512, 512]),
    ("a,b->ab", &[512, 512]),
    ("kbi,jkb->jbi", &[1, 1000, 1, 1, 1, 1, 1, 1, 4, 4, 4]),
    ("ijb,jkb->ikb", &[1, 1000, 1, 1, 1, 1, 1, 1, 4, 4, 4]),
];

/// A compact layout, the first mode fastest.
fn compact(extents: &[i64]) -> Layout {
    let mut stride = 1;
    let mode = |&extent: &i64| {
        let mode = Layout::of(extent, stride);
        stride *= extent;
        mode.unwrap()
    };
    Layout::concatenate(&extents.iter().map(mode).collect::<Vec<_>>()).unwrap()
}

fn data<T: From<i8>>(layout: &Layout) -> Vec<T> {
    (0..layout.size()).map(|i| T::from((i % 7) as i8 - 3)).collect()
}

#[divan::bench(types = [f32, f64], args = CONTRACTIONS.map(|(spec, _)| spec))]
fn contract<T: Sum + Element<Sum = T>>(bencher: Bencher, spec: &str) {
    let (_, extents) = CONTRACTIONS.iter().find(|case| case.0 == spec).unwrap();
    let layout = |labels: &str| {
        compact(&labels.bytes().map(|label| extents[(label - b'a') as usize]).collect::<Vec<_>>())
    };
    let (operands, output) = spec.split_once("->").unwrap();
    let layouts: Vec<Layout> = operands.split(',').map(layout).collect();
    let output = if output.is_empty() { Layout::UNIT } else { layout(output) };
    let plan = ContractPlan::<T>::new(spec, &layouts, &output).unwrap();
    let from: Vec<Vec<T>> = layouts.iter().map(data).collect();
    let from: Vec<&[T]> = from.iter().map(Vec::as_slice).collect();
    let (mut to, one, zero) = (data::<T>(&output), T::from(1i8), T::from(0i8));
    let elements = layouts.iter().chain([&output]).map(|layout| layout.size() as usize).sum::<usize>();
    bencher
        .counter(ItemsCount::new(plan.flops() as usize))
        .counter(BytesCount::new(elements * size_of::<T>()))
        .bench_local(|| plan.run(one, &from, zero, &mut to, &Execution::default()).unwrap());
}

/// Layers of ResNet-50 for one image: its side, channels, output channels, side of the filter, stride.
const LAYERS: [(&str, [i64; 5]); 5] = [
    ("res2 3x3 64-64", [56, 64, 64, 3, 1]),
    ("res3 3x3 128-128", [28, 128, 128, 3, 1]),
    ("res5 3x3 512-512", [7, 512, 512, 3, 1]),
    ("conv1 7x7/2 3-64", [224, 3, 64, 7, 2]),
    ("res3 1x1/2 256-512", [56, 256, 512, 1, 2]),
];

/// Channels last.
fn image([images, side, channels]: [i64; 3]) -> Layout {
    let spatial = Layout::of((side, side), (side * channels, channels)).unwrap();
    let modes =
        [Layout::of(images, side * side * channels).unwrap(), spatial, Layout::of(channels, 1).unwrap()];
    Layout::concatenate(&modes).unwrap()
}

#[divan::bench(args = LAYERS.map(|(name, _)| name))]
fn conv(bencher: Bencher, layer: &str) {
    let (_, [side, channels, features, taps, stride]) = LAYERS.iter().find(|case| case.0 == layer).unwrap();
    let (padding, out) = ((taps / 2) as usize, (side - 1) / stride + 1);
    let strides = [*stride as usize; 2];
    let convolution =
        Convolution { stride: &strides, padding: &[(padding, padding); 2], ..Convolution::default() };
    let layouts = [[1, *side, *channels], [*features, *taps, *channels], [1, out, *features]].map(image);
    let plan = ConvPlan::<f32>::new(&convolution, &layouts[0], &layouts[1], &layouts[2]).unwrap();
    let [input, filter, mut output] = layouts.each_ref().map(data::<f32>);
    let operations = 2 * layouts[2].size() * channels * taps * taps;
    bencher
        .counter(ItemsCount::new(operations as usize))
        .bench_local(|| plan.run(1.0, &input, &filter, 0.0, &mut output, &Execution::default()).unwrap());
}

const SIDE: i64 = 512;

/// A matrix and its transpose.
fn matrices() -> [Tensor<Vec<f32>>; 2] {
    let columns = compact(&[SIDE, SIDE]);
    let rows = Layout::of((SIDE, SIDE), (SIDE, 1)).unwrap();
    [columns, rows].map(|layout| Tensor::new(data(&layout), layout).unwrap())
}

#[divan::bench(args = [false, true])]
fn map_transposed(bencher: Bencher, transposed: bool) {
    let [from, other] = matrices();
    let mut to = if transposed { other } else { from.clone() };
    bencher
        .counter(BytesCount::new(8 * (SIDE * SIDE) as u64))
        .bench_local(|| map(&from, &mut to, |x| 2.0 * x + 1.0, &Execution::default()).unwrap());
}

#[divan::bench]
fn zip_map_of_a_column(bencher: Bencher) {
    let [from, _] = matrices();
    let column =
        Tensor::new(data::<f32>(&compact(&[SIDE])), Layout::of((SIDE, SIDE), (1, 0)).unwrap()).unwrap();
    let mut to = from.clone();
    bencher
        .counter(BytesCount::new(8 * (SIDE * SIDE) as u64))
        .bench_local(|| zip_map(&from, &column, &mut to, |x, y| x + y, &Execution::default()).unwrap());
}

/// Which modes are summed over.
#[divan::bench(args = ["rows", "columns", "all"])]
fn reduction(bencher: Bencher, over: &str) {
    let [from, _] = matrices();
    let strides = match over {
        "rows" => (0, 1),
        "columns" => (1, 0),
        _ => (0, 0),
    };
    let layout = Layout::of((SIDE, SIDE), strides).unwrap();
    let mut to = Tensor::new(vec![0.0; SIDE as usize], layout).unwrap();
    bencher
        .counter(BytesCount::new(4 * (SIDE * SIDE) as u64))
        .bench_local(|| sum(&from, &mut to, &Execution::default()).unwrap());
}

//! What the targets of the kernels try.

use std::collections::{BTreeMap, BTreeSet};
use tilework::{Counting, HTuple, Layout, Leaf, Stride, Tensor};
use tilework_kernels::{Convolution, CopyPlan, Execution, Operand, contract, conv, gemm};

/// Numbers from bytes; 0 where there are no more.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> i64 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first.into()
    }

    /// A small mode: any stride, most often one that is near those of other modes.
    fn mode(&mut self) -> Leaf {
        let (extent, stride) = (1 + self.next() % 6, self.next());
        Leaf { extent, stride: Stride::integer(stride % 64 - if stride >= 128 { 32 } else { 0 }) }
    }

    /// A layout of `rank` modes, some of them nested.
    fn layout(&mut self, rank: usize) -> Layout {
        let modes: Vec<Layout> = (0..rank)
            .map(|_| {
                let parts = 1 + usize::from(self.next() % 4 == 0);
                let parts: Vec<_> = (0..parts).map(|_| HTuple::leaf(self.mode())).collect();
                let tuple =
                    if parts.len() == 1 { parts[0] } else { HTuple::tuple(&parts).expect("two leaves") };
                Layout::new(tuple).expect("small strides")
            })
            .collect();
        if rank == 1 { modes[0] } else { Layout::concatenate(&modes).expect("a few modes") }
    }

    /// A layout in memory, at a place where it fits, and how many elements there are.
    fn tensor(&mut self, layout: Layout) -> (Tensor<Counting, Layout>, usize) {
        let (low, high) = (layout.min_offset().expect("integers"), layout.max_offset().expect("integers"));
        let start = self.next() % 8 - low;
        let tensor = Tensor::with_offset(Counting, start, layout).expect("small offsets");
        (tensor, (start + high + 1 + self.next() % 8) as usize)
    }
}

/// Integers whose products and sums are exact.
fn numbers(len: usize) -> Vec<f64> {
    (0..len).map(|index| (index % 251) as f64 - 100.0).collect()
}

/// A specification and small operands: an error, or what plain loops give.
pub fn einsum(data: &[u8]) {
    let at = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let Ok(spec) = std::str::from_utf8(&data[..at]) else { return };
    let mut bytes = Bytes(data.get(at + 1..).unwrap_or(&[]));
    let (inputs, output) = spec.split_once("->").unwrap_or((spec, ""));
    let inputs: Vec<&str> = inputs.split(',').collect();
    if inputs.len() > 4 || inputs.iter().any(|labels| labels.len() > 4) {
        let operand =
            Tensor::new(vec![1.0], "():()".parse::<Layout>().expect("a layout")).expect("one element");
        let operands = vec![&operand as &dyn Operand<f64>; inputs.len().min(40)];
        let _ = contract(spec, &operands, &Execution::default());
        return;
    }
    // Every label has one extent, so that most specifications fit.
    let mut extents = BTreeMap::new();
    let mut operands = Vec::new();
    for labels in &inputs {
        let modes: Vec<_> = labels
            .chars()
            .map(|label| {
                let extent = *extents.entry(label).or_insert_with(|| 1 + bytes.next() % 4);
                HTuple::leaf(Leaf { extent, stride: Stride::integer(bytes.next() % 32 - 8) })
            })
            .collect();
        let Ok(layout) =
            (if modes.is_empty() { "():()".parse() } else { HTuple::tuple(&modes).and_then(Layout::new) })
        else {
            return;
        };
        let (place, len) = bytes.tensor(layout);
        operands.push(Tensor::with_offset(numbers(len), place.offset(), layout).expect("it fits"));
    }
    let total: i64 = extents.values().product();
    if total > 1 << 16 {
        return;
    }
    let dynamic: Vec<&dyn Operand<f64>> = operands.iter().map(|operand| operand as _).collect();
    let Ok(result) = contract(spec, &dynamic, &Execution::default()) else { return };
    let plain = |text: &str| text.chars().all(|label| label.is_ascii_alphabetic());
    if !spec.contains("->") || !plain(output) || !inputs.iter().all(|labels| plain(labels)) {
        return;
    }
    let mut expected = vec![0.0; result.size() as usize];
    for index in 0..total {
        let mut rest = index;
        let digits: BTreeMap<char, i64> = extents
            .iter()
            .map(|(&label, &extent)| {
                let digit = rest % extent;
                rest /= extent;
                (label, digit)
            })
            .collect();
        let product: f64 = inputs
            .iter()
            .zip(&operands)
            .map(|(labels, operand)| {
                let steps = labels.chars().zip(operand.layout().leaves());
                let offset: i64 = steps
                    .map(|(label, leaf)| digits[&label] * leaf.stride.as_integer().expect("integers"))
                    .sum();
                operand.accessor()[(operand.offset() + offset) as usize]
            })
            .product();
        let (mut place, mut step) = (0, 1);
        for label in output.chars() {
            place += digits[&label] * step;
            step *= extents[&label];
        }
        expected[place as usize] += product;
    }
    assert!((0..result.size()).all(|index| result.at(index) == expected[index as usize]), "{spec}");
}

/// Plans for any layouts: an error, or what plain loops give, and nothing else is written.
pub fn plans(data: &[u8]) {
    let mut bytes = Bytes(data);
    match bytes.next() % 3 {
        0 => copies(&mut bytes),
        1 => products(&mut bytes),
        _ => convolutions(&mut bytes),
    }
}

fn copies(bytes: &mut Bytes) {
    let rank = 1 + (bytes.next() % 4) as usize;
    let source = bytes.layout(rank);
    let destination = if bytes.next() % 2 == 0 {
        // The same shape, so that most copies can be made.
        let leaves: Vec<Leaf> =
            source.leaves().iter().map(|leaf| Leaf { extent: leaf.extent, ..bytes.mode() }).collect();
        Layout::new(HTuple::with_profile(source.as_tuple().profile(), &leaves, leaves[0]).expect("as many"))
            .expect("small strides")
    } else {
        bytes.layout(rank)
    };
    let ((from, from_len), (to, to_len)) = (bytes.tensor(source), bytes.tensor(destination));
    match bytes.next() % 4 {
        0 => copied::<u8>(&from, from_len, &to, to_len, |value| value as u8),
        1 => copied::<u16>(&from, from_len, &to, to_len, |value| value as u16),
        2 => copied::<u32>(&from, from_len, &to, to_len, |value| value as u32),
        _ => copied::<i64>(&from, from_len, &to, to_len, |value| value),
    }
}

fn copied<T: Copy + PartialEq + Send + Sync + std::fmt::Debug>(
    from: &Tensor<Counting, Layout>,
    from_len: usize,
    to: &Tensor<Counting, Layout>,
    to_len: usize,
    element: impl Fn(i64) -> T,
) {
    let Ok(plan) = CopyPlan::<T>::for_tensors(from, to) else { return };
    let data: Vec<T> = (0..from_len as i64).map(|index| element(index * 7 + 1)).collect();
    let mut expected = vec![element(-1); to_len];
    let mut found = expected.clone();
    for index in 0..from.size() {
        expected[to.at(index) as usize] = data[from.at(index) as usize];
    }
    plan.run(&data, &mut found, &Execution::default()).expect("everything is there");
    assert_eq!(found, expected, "{from:?} to {to:?}: {}", plan.explain());
}

fn products(bytes: &mut Bytes) {
    let modes: Vec<i64> = (0..3).map(|_| 1 + bytes.next() % 9).collect();
    let mut matrix = |rows: i64, columns: i64| {
        let leaf = |extent, stride: i64| HTuple::leaf(Leaf { extent, stride: Stride::integer(stride) });
        let strides = [bytes.next() % 24 - 4, bytes.next() % 24 - 4];
        let tuple = HTuple::tuple(&[leaf(rows, strides[0]), leaf(columns, strides[1])]).expect("two leaves");
        let layout = Layout::new(tuple).expect("small strides");
        let (place, len) = bytes.tensor(layout);
        Tensor::with_offset(numbers(len), place.offset(), layout).expect("it fits")
    };
    let (m, n, k) = (modes[0], modes[1], modes[2]);
    let (a, b, mut c) = (matrix(m, k), matrix(n, k), matrix(m, n));
    let before = c.accessor().clone();
    let mut expected = before.clone();
    for i in 0..m {
        for j in 0..n {
            let sum: f64 = (0..k).map(|l| a.at([i, l]) * b.at([j, l])).sum();
            let place = c.offset() + c.layout().at(i + m * j);
            expected[place as usize] = 2.0 * sum + 3.0 * before[place as usize];
        }
    }
    if gemm(2.0, &a, &b, 3.0, &mut c, &Execution::default()).is_ok() {
        assert_eq!(c.accessor(), &expected, "{m} {n} {k}: {} {} {}", a.layout(), b.layout(), c.layout());
    } else {
        assert_eq!(c.accessor(), &before);
    }
}

/// One direction in which the filter moves.
struct Direction {
    input: i64,
    taps: i64,
    output: i64,
    stride: usize,
    dilation: usize,
    padding: (usize, usize),
}

fn convolutions(bytes: &mut Bytes) {
    let (images, groups) = (1 + bytes.next() % 2, 1 + bytes.next() % 2);
    let (channels, features) = (1 + bytes.next() % 3, groups * (1 + bytes.next() % 3));
    let directions: Vec<Direction> = (0..1 + bytes.next() % 2)
        .map(|_| {
            let (input, taps) = (1 + bytes.next() % 6, 1 + bytes.next() % 3);
            let (stride, dilation) = (1 + bytes.next() % 3, 1 + bytes.next() % 2);
            let padding = (bytes.next() % 3, bytes.next() % 3);
            let room = input + padding.0 + padding.1 - dilation * (taps - 1) - 1;
            // Now and then an output that does not fit, and where the filter does not, any.
            let output = if room < 0 { 1 } else { room / stride + 1 } + i64::from(bytes.next() % 16 == 0);
            let (stride, dilation) = (stride as usize, dilation as usize);
            Direction {
                input,
                taps,
                output,
                stride,
                dilation,
                padding: (padding.0 as usize, padding.1 as usize),
            }
        })
        .collect();
    let mut tensor = |first: i64, spatial: fn(&Direction) -> i64, last: i64| {
        let mut stride = || Stride::integer(bytes.next() % 24 - 4);
        let outer = [first, last].map(|extent| HTuple::leaf(Leaf { extent, stride: stride() }));
        let spatial: Vec<_> = directions
            .iter()
            .map(|direction| HTuple::leaf(Leaf { extent: spatial(direction), stride: stride() }))
            .collect();
        let spatial = HTuple::tuple(&spatial).expect("two leaves");
        let tuple = HTuple::tuple(&[outer[0], spatial, outer[1]]).expect("four leaves");
        let layout = Layout::new(tuple).expect("small strides");
        let (place, len) = bytes.tensor(layout);
        Tensor::with_offset(numbers(len), place.offset(), layout).expect("it fits")
    };
    let input = tensor(images, |direction| direction.input, groups * channels);
    let filter = tensor(features, |direction| direction.taps, channels);
    let mut output = tensor(images, |direction| direction.output, features);
    let before = output.accessor().clone();
    let offset = |tensor: &Tensor<Vec<f64>, Layout>, first: i64, spatial: &[i64], last: i64| {
        let digits = std::iter::once(&first).chain(spatial).chain(std::iter::once(&last));
        let steps = tensor.layout().leaves().iter().zip(digits);
        let sum: i64 = steps.map(|(leaf, digit)| leaf.stride.as_integer().expect("integers") * digit).sum();
        (tensor.offset() + sum) as usize
    };
    let mut expected = before.clone();
    let mut places = BTreeSet::new();
    let mut outputs = 0;
    for number in 0..output.size() {
        let mut rest = number;
        let mut digit = |extent: i64| (rest % extent, rest /= extent).0;
        let image = digit(images);
        let pixel: Vec<i64> = directions.iter().map(|direction| digit(direction.output)).collect();
        let feature = digit(features);
        let mut sum = 0.0;
        for tap in 0..directions.iter().map(|direction| direction.taps).product() {
            let mut rest = tap;
            let taps: Vec<i64> = directions
                .iter()
                .map(|direction| (rest % direction.taps, rest /= direction.taps).0)
                .collect();
            let place: Vec<i64> = directions
                .iter()
                .zip(pixel.iter().zip(&taps))
                .map(|(direction, (out, tap))| {
                    out * direction.stride as i64 + tap * direction.dilation as i64
                        - direction.padding.0 as i64
                })
                .collect();
            if place.iter().zip(&directions).any(|(at, direction)| !(0..direction.input).contains(at)) {
                continue;
            }
            for channel in 0..channels {
                let own = feature / (features / groups) * channels + channel;
                sum += input.accessor()[offset(&input, image, &place, own)]
                    * filter.accessor()[offset(&filter, feature, &taps, channel)];
            }
        }
        let place = offset(&output, image, &pixel, feature);
        places.insert(place);
        outputs += 1;
        expected[place] = 2.0 * sum + 3.0 * before[place];
    }
    let fits = directions.iter().all(|direction| {
        let padded = direction.input + (direction.padding.0 + direction.padding.1) as i64;
        let room = padded - direction.dilation as i64 * (direction.taps - 1) - 1;
        room >= 0 && room / direction.stride as i64 + 1 == direction.output
    });
    let of = |field: fn(&Direction) -> usize| directions.iter().map(field).collect::<Vec<_>>();
    let (stride, dilation) = (of(|direction| direction.stride), of(|direction| direction.dilation));
    let padding: Vec<_> = directions.iter().map(|direction| direction.padding).collect();
    let convolution =
        Convolution { stride: &stride, dilation: &dilation, padding: &padding, groups: groups as usize };
    let result = conv(&convolution, 2.0, &input, &filter, 3.0, &mut output, &Execution::default());
    let what = || format!("{convolution:?}: {} {} {}", input.layout(), filter.layout(), output.layout());
    assert_eq!(result.is_ok(), fits && places.len() == outputs, "{} {result:?}", what());
    assert_eq!(output.accessor(), if result.is_ok() { &expected } else { &before }, "{}", what());
}

//! Functions element by element and reductions, against plain loops over the integral coordinates.

use std::ops::Range;
use testkit::Random;
use tilework::{Layout, Tensor, layout};
use tilework_kernels::{Error, Execution, axpby, map, reduce, sum, zip_map};

/// Random layouts.
trait Layouts {
    /// A layout of `size` coordinates, with modes of stride 0 where `still`.
    fn layout(&mut self, size: i64, still: bool) -> Layout;
}

impl Layouts for Random {
    fn layout(&mut self, size: i64, still: bool) -> Layout {
        let (mut left, mut leaves, mut stride) = (size, Vec::new(), 1 + self.below(2) as i64);
        while left > 1 {
            let divisors: Vec<i64> = (2..=left).filter(|d| left % d == 0).collect();
            let extent = divisors[self.below(divisors.len())];
            let sign = if self.below(4) == 0 { -1 } else { 1 };
            let own = if still && self.below(3) == 0 { 0 } else { sign * stride };
            leaves.insert(self.below(leaves.len() + 1), (extent, own));
            stride = stride * extent + self.below(3) as i64;
            left /= extent;
        }
        let list = |of: fn(&(i64, i64)) -> i64| {
            leaves.iter().map(|leaf| of(leaf).to_string()).collect::<Vec<_>>().join(",")
        };
        match leaves.len() {
            0 => layout!(1:0),
            _ => Layout::parse(&format!("({}):({})", list(|leaf| leaf.0), list(|leaf| leaf.1))).unwrap(),
        }
    }
}

const SIZES: [i64; 9] = [1, 2, 7, 24, 60, 97, 360, 1024, 4096];

/// A tensor whose elements are small whole numbers, so that sums are exact.
fn tensor(layout: Layout, seed: usize) -> Tensor<Vec<f64>, Layout> {
    let (low, high) = (layout.min_offset().unwrap(), layout.max_offset().unwrap());
    let data = (0..(high - low + 1) as usize).map(|i| ((i * 31 + seed) % 17) as f64 - 8.0).collect();
    Tensor::with_offset(data, -low, layout).unwrap()
}

fn executions() -> [Execution<'static>; 3] {
    [Execution::default(), Execution::threads(2), Execution::threads(5)]
}

fn rounds() -> Range<usize> {
    0..if cfg!(miri) { 5 } else { 400 }
}

#[test]
fn maps_random_layouts() {
    let mut random = Random::congruential(1);
    for round in rounds() {
        let size = SIZES[random.below(SIZES.len())];
        let (x, y) = (tensor(random.layout(size, true), 1), tensor(random.layout(size, true), 2));
        let before = tensor(random.layout(size, false), 3);
        let execution = executions()[round % 3];
        let (mut mapped, mut zipped, mut scaled) = (before.clone(), before.clone(), before.clone());
        map(&x, &mut mapped, |x| 2.0 * x + 1.0, &execution).unwrap();
        zip_map(&x, &y, &mut zipped, |x, y| x * y, &execution).unwrap();
        axpby(3.0, &x, 2.0, &mut scaled, &execution).unwrap();
        let [mut of_map, mut of_zip, mut of_axpby] = [(); 3].map(|_| before.clone());
        for i in 0..size {
            of_map.set(i, 2.0 * x.at(i) + 1.0);
            of_zip.set(i, x.at(i) * y.at(i));
            of_axpby.set(i, 3.0 * x.at(i) + 2.0 * before.at(i));
        }
        let layouts = (x.layout(), y.layout(), before.layout());
        assert_eq!(mapped.accessor(), of_map.accessor(), "{layouts:?}");
        assert_eq!(zipped.accessor(), of_zip.accessor(), "{layouts:?}");
        assert_eq!(scaled.accessor(), of_axpby.accessor(), "{layouts:?}");
    }
}

#[test]
fn reduces_random_layouts() {
    let mut random = Random::congruential(2);
    for round in rounds() {
        let size = SIZES[random.below(SIZES.len())];
        let x = tensor(random.layout(size, true), 1);
        let before = tensor(random.layout(size, true), 2);
        let execution = executions()[round % 3];
        let (mut summed, mut largest) = (before.clone(), before.clone());
        sum(&x, &mut summed, &execution).unwrap();
        reduce(&x, &mut largest, f64::NEG_INFINITY, f64::max, &execution).unwrap();
        let (mut of_sum, mut of_largest) = (before.clone(), before.clone());
        for i in 0..size {
            of_sum.set(i, of_sum.at(i) + x.at(i));
            of_largest.set(i, of_largest.at(i).max(x.at(i)));
        }
        assert_eq!(summed.accessor(), of_sum.accessor(), "{} to {}", x.layout(), before.layout());
        assert_eq!(largest.accessor(), of_largest.accessor(), "{} to {}", x.layout(), before.layout());
    }
}

#[test]
fn reduces_to_one_element() {
    for size in [1, 1000, 1024, 65536, 99991] {
        let x = tensor(Layout::parse(&format!("{size}:1")).unwrap(), 5);
        for execution in executions() {
            let mut total = Tensor::new([1.0], Layout::parse(&format!("{size}:0")).unwrap()).unwrap();
            sum(&x, &mut total, &execution).unwrap();
            assert_eq!(total.at(0), 1.0 + x.iter().sum::<f64>());
        }
    }
}

#[test]
fn layouts_without_common_loops_and_of_xor_strides() {
    for source in [layout!((4,6):(1,4)), layout!((6,4):(4,1))] {
        let x = tensor(source, 1);
        let mut y = tensor(layout!((6,4):(1,6)), 2);
        map(&x, &mut y, |x| x, &Execution::threads(2)).unwrap();
        assert!((0..24).all(|i| y.at(i) == x.at(i)));
    }
    let x = Tensor::new((0..64).collect::<Vec<i32>>(), layout!((8,8):(^1,^9))).unwrap();
    let mut y = Tensor::new(vec![0; 64], layout!((8,8):(8,1))).unwrap();
    map(&x, &mut y, |x| x, &Execution::default()).unwrap();
    assert!((0..64).all(|i| y.at(i) == x.at(i)));
}

#[test]
fn refuses_what_cannot_be() {
    let x = Tensor::new([1.0; 8], layout!(8:1)).unwrap();
    let mut y = Tensor::new([1.0; 8], layout!((4,2):(1,4))).unwrap();
    let mut shorter = Tensor::new([1.0; 8], layout!(4:1)).unwrap();
    let mut same = Tensor::new([1.0; 8], layout!((4,2):(1,0))).unwrap();
    let mut meeting = Tensor::new([1.0; 8], layout!((4,2):(1,3))).unwrap();
    let one = Execution::default();
    map(&x, &mut y, |x| x, &one).unwrap();
    assert!(matches!(map(&x, &mut shorter, |x| x, &one), Err(Error::Size { first: 8, second: 4, .. })));
    assert!(matches!(map(&x, &mut same, |x| x, &one), Err(Error::Aliasing { .. })));
    sum(&x, &mut same, &one).unwrap();
    assert!(matches!(sum(&x, &mut meeting, &one), Err(Error::Aliasing { .. })));
}

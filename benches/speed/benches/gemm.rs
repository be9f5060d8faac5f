//! Products of matrices, one case a line: `cargo bench -p speed --bench gemm`. `benches/compare` has them beside their
//! peers.
//!
//! An item is a multiplication or an addition. Rows and steps are folded from two modes each.

use divan::Bencher;
use divan::counter::ItemsCount;
use std::fmt;
use tilework_kernels::{Element, Execution, GemmPlan, Sum};

fn main() {
    divan::main();
}

/// Sizes, and the strides of `A` (m1,m2,k1,k2), `B` (n,k1,k2) and `C` (m1,m2,n).
struct Case {
    name: String,
    m: [usize; 2],
    n: usize,
    k: [usize; 2],
    a: [usize; 4],
    b: [usize; 3],
    c: [usize; 3],
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&self.name)
    }
}

/// Column-major matrices, or where elements are `step` apart, of no neighbours.
fn plain(m: usize, n: usize, k: usize, step: usize) -> Case {
    let name = if step == 1 { format!("{m}x{n}x{k}") } else { format!("{m}x{n}x{k}, every {step}") };
    let (a, b, c) = ([step, 0, step * m, 0], [step * k, step, 0], [step, 0, step * m]);
    Case { name, m: [m, 1], n, k: [k, 1], a, b, c }
}

/// Tensors of which `A` is (m1,k1,m2,k2), `B` (k1,n,k2) and `C` (m1,n,m2).
fn folded([m1, m2]: [usize; 2], n: usize, [k1, k2]: [usize; 2]) -> Case {
    let name = format!("({m1},{m2})x{n}x({k1},{k2})");
    let (a, b, c) = ([1, m1 * k1, m1, m1 * k1 * m2], [k1, 1, k1 * n], [1, m1 * n, m1]);
    Case { name, m: [m1, m2], n, k: [k1, k2], a, b, c }
}

fn cases() -> Vec<Case> {
    let squares = [256, 512, 1024].map(|n| plain(n, n, n, 1));
    let skinny = [
        (2048, 2048, 16),
        (2048, 16, 2048),
        (16, 2048, 2048),
        (3136, 64, 576),
        (64, 64, 16384),
        (2048, 1, 2048),
    ];
    let small = [8, 16, 32, 64].map(|n| plain(n, n, n, 1));
    let strided = [64, 256, 1024].map(|n| plain(n, n, n, 3));
    let tensors = [
        folded([4, 4], 16, [4, 4]),
        folded([16, 16], 256, [16, 16]),
        folded([32, 32], 1024, [32, 32]),
        folded([7, 37], 256, [16, 16]),
        folded([24, 2000], 24, [12, 6]),
    ];
    let skinny = skinny.map(|(m, n, k)| plain(m, n, k, 1));
    squares.into_iter().chain(skinny).chain(small).chain(strided).chain(tensors).collect()
}

impl Case {
    /// The elements from the first to the last of each operand.
    fn spans(&self) -> [usize; 3] {
        let ([m1, m2], n, [k1, k2]) = (self.m, self.n, self.k);
        let span = |sizes: &[usize], strides: &[usize]| {
            1 + sizes.iter().zip(strides).map(|(size, stride)| (size - 1) * stride).sum::<usize>()
        };
        [span(&[m1, m2, k1, k2], &self.a), span(&[n, k1, k2], &self.b), span(&[m1, m2, n], &self.c)]
    }

    /// Operands full of ones.
    fn operands<T: Element>(&self) -> [Vec<T>; 3] {
        self.spans().map(|span| vec![T::from(1); span])
    }

    fn operations(&self) -> ItemsCount {
        ItemsCount::new(2 * self.m.iter().product::<usize>() * self.n * self.k.iter().product::<usize>())
    }

    fn plan<T: Element>(&self) -> GemmPlan<T> {
        let ([m1, m2], n, [k1, k2]) = (self.m, self.n, self.k);
        let [a, b, c] = [
            format!(
                "(({m1},{m2}),({k1},{k2})):(({},{}),({},{}))",
                self.a[0], self.a[1], self.a[2], self.a[3]
            ),
            format!("({n},({k1},{k2})):({},({},{}))", self.b[0], self.b[1], self.b[2]),
            format!("(({m1},{m2}),{n}):(({},{}),{})", self.c[0], self.c[1], self.c[2]),
        ]
        .map(|layout| layout.parse::<tilework::Layout>().expect("a layout"));
        GemmPlan::new(&a, &b, &c).expect("a product")
    }
}

#[divan::bench(types = [f32, f64], args = cases())]
fn tilework<T: Element<Sum = T> + Sum>(bencher: Bencher, case: &Case) {
    let plan = case.plan::<T>();
    let ([a, b, mut c], execution) = (case.operands::<T>(), Execution::default());
    let (one, zero) = (T::from(1), T::from(0));
    bencher.counter(case.operations()).bench_local(|| plan.run(one, &a, &b, zero, &mut c, &execution));
}

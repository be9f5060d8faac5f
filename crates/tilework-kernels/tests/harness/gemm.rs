//! GEMM.

use super::number::{Number, TYPES, Types, with_types};
use super::place::{Mode, Place, Places, Random, Strides, smaller_places, with_layout};
use super::{Case, Factors, Guarded, cases, check, check_random, operand};
use crate::cpu::isa::Isa;
use crate::execution::Execution;
use crate::gemm::GemmPlan;
use crate::matmul::tile::element::{Destination, Element};
use tilework::{Counting, Tensor};

#[derive(Clone)]
struct Product {
    types: Types,
    /// Of `(M,K)`, `(N,K)` and `(M,N)`, or with a batch.
    a: Place,
    b: Place,
    c: Place,
    factors: Factors,
}

impl Product {
    fn typed<T, C>(&self) -> Result<(), String>
    where
        T: Element<Sum: Number> + Number,
        C: Destination<T::Sum> + Number,
    {
        let Product { a, b, c, factors, .. } = self;
        let tables = [a.table(), b.table(), c.table()];
        let from_a = operand::<T>(a, factors.reads(), 1);
        let from_b = operand::<T>(b, factors.reads(), 2);
        let mut written = Guarded::<C>::new(c.room(), 256, |i| C::noise(i as u64));
        if factors.beta != 0 {
            c.offsets().into_iter().for_each(|at| written.set(at, C::of(at as i64 * 5 % 9 - 4)));
        }
        let mut expected = written.clone();
        let plan = factors.plan(|| {
            with_layout!(a, |of_a| with_layout!(b, |of_b| with_layout!(c, |of_c| {
                let a = Tensor::with_offset(Counting, a.start, of_a).unwrap();
                let b = Tensor::with_offset(Counting, b.start, of_b).unwrap();
                let c = Tensor::with_offset(Counting, c.start, of_c).unwrap();
                GemmPlan::<T, C>::for_tensors(&a, &b, &c)
            })))
        });
        let plan = plan.map_err(|error| error.to_string())?;
        let (alpha, beta) = (<T::Sum as Number>::of(factors.alpha), <T::Sum as Number>::of(factors.beta));
        let execution = Execution::threads(factors.threads);
        plan.run(alpha, &from_a, &from_b, beta, written.inner(), &execution)
            .map_err(|error| error.to_string())?;

        let size = |place: &Place, mode: usize| place.modes.get(mode).map_or(1, |mode| mode.size() as usize);
        for l in 0..size(c, 2) {
            for j in 0..size(c, 1) {
                for i in 0..size(c, 0) {
                    let mut sum = 0;
                    for k in 0..if factors.reads() { size(a, 1) } else { 0 } {
                        let (a, b) = (tables[0].at(&[i, k, l]), tables[1].at(&[j, k, l]));
                        sum += from_a[a].value() * from_b[b].value();
                    }
                    expected.update(tables[2].at(&[i, j, l]), sum, factors);
                }
            }
        }
        written.compare(&expected).map_err(|error| format!("{error}\n{}", plan.explain()))
    }
}

impl Case for Product {
    fn run(&self) -> Result<(), String> {
        with_types!(self.types, self.typed())
    }

    fn is_for(&self, isa: Isa) -> bool {
        isa == isa.registers() || self.types.are_narrow()
    }

    fn smaller(&self) -> Vec<Product> {
        let mut all = self.factors.smaller(|factors| Product { factors, ..self.clone() });
        let mut groups = vec![vec![(0, 0), (2, 0)], vec![(1, 0), (2, 1)], vec![(0, 1), (1, 1)]];
        if self.c.modes.len() > 2 {
            groups.push((0..3).map(|place| (place, 2)).collect());
        }
        for small in smaller_places(&[&self.a, &self.b, &self.c], &groups) {
            let [a, b, c] = small.try_into().unwrap();
            all.push(Product { a, b, c, ..self.clone() });
        }
        all.retain(|product| product.c.is_apart());
        all
    }

    fn show(&self, isa: Isa) -> String {
        let Product { types, a, b, c, factors } = self;
        format!(
            "let a = {};\nlet b = {};\nlet c = {};\nlet plan = GemmPlan::<{}>::for_tensors(&a, &b, &c)?;\n{}",
            a.tensor(),
            b.tensor(),
            c.tensor(),
            types.parameters(),
            factors.show(isa)
        )
    }
}

fn product(random: &mut Random, [m, n, k, l]: [i64; 4]) -> Product {
    let batch = if l > 1 || random.once_in(8) { vec![l] } else { vec![] };
    let sizes = |rows, cols| [vec![rows, cols], batch.clone()].concat();
    Product {
        types: random.choose(&TYPES),
        a: random.place(&sizes(m, k), Strides::Free),
        b: random.place(&sizes(n, k), Strides::Free),
        c: random.place(&sizes(m, n), Strides::Apart),
        factors: Factors::random(random),
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn products() {
    check_random("gemm", 5000, |random| {
        let extents = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 17, 23, 31, 32, 33, 48, 50];
        let mut sizes = [(); 3].map(|_| random.choose(&extents));
        let l = random.choose(&[1, 1, 1, 1, 2, 3]);
        match random.range(0, 11) {
            0 => sizes[2] = random.choose(&[129, 130, 200, 257]),
            1 => sizes[0] = random.choose(&[97, 100, 128, 200]),
            2 => sizes[1] = random.choose(&[97, 100, 128, 200]),
            3 => sizes[random.range(0, 1) as usize] = 1,
            _ => {}
        }
        if sizes.iter().product::<i64>() * l > 200_000 {
            sizes[0] = sizes[0].min(8);
        }
        product(random, [sizes[0], sizes[1], sizes[2], l])
    });
}

/// A matrix by a vector, from either side, shorter and longer than what is summed at a time.
#[test]
#[cfg_attr(miri, ignore)]
fn products_by_a_vector() {
    check_random("gemv", 5000, |random| {
        let rows = random.choose(&[1, 2, 5, 16, 33, 100, 300]);
        let steps = random.choose(&[1, 3, 15, 64, 130, 257]);
        let sizes = if random.once_in(2) { [rows, 1, steps, 1] } else { [1, rows, steps, 1] };
        product(random, sizes)
    });
}

/// Results with every number of rows up to two of the widest vectors and of columns up to two tiles, in columns and in rows; and
/// with rows in pieces of every such length. All with gaps, for all types, in one block of steps and in several.
#[test]
#[cfg_attr(miri, ignore)]
fn results_around_vectors_and_tiles() {
    let every = 1000 / cases(1000).clamp(1, 1000);
    check("gemm of few rows", || {
        let sizes = (1..=33).flat_map(|m: i64| (1..=17).map(move |n: i64| (m, n)));
        let matrices = sizes.flat_map(|(m, n)| {
            [[Mode::Leaf(m, 1), Mode::Leaf(n, m + 3)], [Mode::Leaf(m, n + 3), Mode::Leaf(n, 1)]]
        });
        let pieces = (1..=33).flat_map(|m: i64| [1, 2, 9].map(|n: i64| (m, n))).map(|(m, n)| {
            let rows = Mode::Tuple(vec![Mode::Leaf(m, 1), Mode::Leaf(3, m + 2)]);
            [rows, Mode::Leaf(n, 3 * m + 7)]
        });
        let all = matrices.chain(pieces).flat_map(|result| TYPES.map(|types| (result.clone(), types)));
        all.enumerate().step_by(every).map(|(i, (result, types))| {
            let [m, n] = result.each_ref().map(Mode::size);
            let k = if i / 7 % 2 == 0 { 3 } else { 20 };
            Product {
                types,
                a: Place::new(vec![Mode::Leaf(m, 1), Mode::Leaf(k, m)]),
                b: Place::new(vec![Mode::Leaf(n, k), Mode::Leaf(k, 1)]),
                c: Place::new(result.to_vec()),
                factors: Factors {
                    alpha: [1, -2][i / 14 % 2],
                    beta: [0, 3][i / 28 % 2],
                    threads: 1,
                    small: i / 56 % 2 == 1,
                },
            }
        })
    });
}

/// Strides of either sign in the result, in one operand and in all three, along rows and along columns: for all types, with results
/// within a vector, of whole ones, and of several tiles, in one block of steps and in several.
#[test]
#[cfg_attr(miri, ignore)]
fn operands_of_every_stride() {
    let every = 1000 / cases(1000).clamp(1, 1000);
    check("gemm of strides", || {
        let strides = [2, 3, 4, 5, -1, -2, -3, -4, 33, 129];
        let sizes = [[5, 3], [16, 8], [31, 5], [33, 17], [50, 9], [100, 7]];
        let all = sizes
            .into_iter()
            .flat_map(move |size| (0..4).flat_map(move |which| strides.map(|stride| (size, which, stride))));
        let all = all.flat_map(|case| [false, true].map(|along_columns| (case, along_columns)));
        let all = all.flat_map(|case| TYPES.map(|types| (case, types)));
        all.enumerate().step_by(every).map(move |(i, ((([m, n], which, stride), along_columns), types))| {
            let mut random = Random::new(i as u64);
            let k = random.choose(&[3, 20, 40]);
            let backwards = random.once_in(3);
            let place = |operand: usize, rows: i64, cols: i64| {
                let step: i64 = if which == operand || which == 3 { stride } else { 1 };
                // With a gap.
                let pitch = |extent: i64| (step.abs() * extent + 1) * if backwards { -1 } else { 1 };
                let (of_rows, of_cols) =
                    if along_columns { (pitch(cols), step) } else { (step, pitch(rows)) };
                Place::new(vec![Mode::Leaf(rows, of_rows), Mode::Leaf(cols, of_cols)])
            };
            let (a, b, c) = (place(0, m, k), place(1, n, k), place(2, m, n));
            Product { types, a, b, c, factors: Factors::random(&mut random) }
        })
    });
}

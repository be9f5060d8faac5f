//! Products that are planned in a certain way, by every instruction set; random ones are those of the harness.

use super::plan::GemmPlan;
use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::execution::Execution;
use crate::matmul::plan::{Ahead, Reading, Strategy};
use crate::matmul::tile::element::{Destination, Element, Sum};
use crate::matmul::tile::packing::Packing;
use crate::reference;
use half::bf16;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use testkit::Random;
use tilework::{Layout, Tensor};

/// Few columns: `A` with contiguous steps is read in place, and `C` is written by elements.
#[test]
#[cfg_attr(miri, ignore)]
fn few_columns_are_exact() {
    fn check<T: Element<Sum = T> + Sum>(isas: &[Isa], [m, n, k]: [i64; 3], threads: usize, to: fn(i64) -> T) {
        let (pitch_a, pitch_c) = (k + 3, m + 1);
        let layout = |text: String| text.parse::<Layout>().unwrap();
        let a = layout(format!("({m},{k}):({pitch_a},1)"));
        let b = layout(format!("({n},{k}):(1,{n})"));
        let c = layout(format!("({m},{n}):(1,{pitch_c})"));
        let number = |i: i64| i * 7 % 5 - 2;
        let [of_a, of_b] = [m * pitch_a, n * k].map(|len| (0..len).map(number).map(to).collect::<Vec<T>>());
        let before = vec![to(3); (pitch_c * n) as usize];
        let mut right = before.clone();
        for (j, i) in (0..n).flat_map(|j| (0..m).map(move |i| (j, i))) {
            let sum: i64 = (0..k).map(|l| number(i * pitch_a + l) * number(j + n * l)).sum();
            right[(i + j * pitch_c) as usize] = to(2 * sum - 3);
        }
        for &isa in isas {
            let plan = GemmPlan::<T>::with((&a, 0), (&b, 0), (&c, 0), isa, Caches::get()).unwrap();
            assert!(plan.explain().contains("few columns use A"), "{}", plan.explain());
            let mut sums = before.clone();
            plan.run(to(2), &of_a, &of_b, to(-1), &mut sums, &Execution::threads(threads)).unwrap();
            assert!(sums == right, "{isa}, {m}x{n}x{k}, {threads} threads");
        }
    }
    let mut isas = Isa::available();
    for (size, threads) in
        [([490, 2, 1024], 1), ([301, 3, 1500], 2), ([250, 4, 1100], 3), ([260, 4, 1031], 1)]
    {
        check::<f32>(&isas, size, threads, |value| value as f32);
        check::<f64>(&isas, size, threads, |value| value as f64);
    }
    isas.retain(|isa| isa.registers().name() == "avx512");
    check::<f32>(&isas, [101, 48, 2100], 1, |value| value as f32);
    check::<f64>(&isas, [101, 23, 2100], 2, |value| value as f64);
}

/// Products of few elements run almost nothing around their kernel, but report progress, and can be cancelled.
#[test]
fn a_small_product_reports_and_is_cancelled() {
    let layout: Layout = "(2,2):(1,2)".parse().unwrap();
    let plan = GemmPlan::<f32>::new(&layout, &layout, &layout).unwrap();
    let (ones, mut c, stop) = ([1.0; 4], [f32::NAN; 4], AtomicBool::new(false));
    let told = Mutex::new(Vec::new());
    let progress = |part| told.lock().unwrap().push(part);
    let execution = Execution::default().cancelled_by(&stop).reporting_to(&progress);
    assert_eq!(plan.run(1.0, &ones, &ones, 0.0, &mut c, &execution), Ok(()));
    assert_eq!((c, told.lock().unwrap().as_slice()), ([2.0; 4], &[1.0][..]));
    stop.store(true, Ordering::Relaxed);
    assert_eq!(plan.run(1.0, &ones, &ones, 0.0, &mut c, &execution), Err(Error::Cancelled));
    assert!(matches!(plan.run(1.0, &ones[..3], &ones, 0.0, &mut c, &execution), Err(Error::Image { .. })));
}

/// Rows and steps of all distances, from every element of a line on; memory ends with the last element. Those 2 to 4 apart are
/// read and written by vectors.
#[test]
fn matrices_without_neighbours_are_exact() {
    let sizes: &[[usize; 3]] =
        if cfg!(miri) { &[[5, 3, 9]] } else { &[[48, 8, 16], [35, 17, 23], [7, 64, 33]] };
    for &size in sizes {
        // Steps of 1 are those of `few_steps_are_exact`.
        for step in if cfg!(miri) { 2..=3 } else { 1..=9 } {
            spread::<f32>(size, step, 5 * step, |value| value as f32);
            if cfg!(miri) {
                continue;
            }
            spread::<f64>(size, step, 3 * step, |value| value as f64);
        }
    }
    if cfg!(miri) {
        return;
    }
    for start in 0..16 {
        spread::<f32>([48, 8, 16], 3, start, |value| value as f32);
        spread::<f64>([48, 8, 16], 3, start, |value| value as f64);
    }
    // Several blocks along each axis.
    spread::<f32>([97, 23, 130], 3, 0, |value| value as f32);
    spread::<f64>([97, 23, 130], 4, 0, |value| value as f64);
}

/// Operands that are used a few times are not packed, and plans say so.
#[test]
#[cfg_attr(miri, ignore = "plans of this size take minutes, and nothing in them is unsafe")]
fn plans_say_what_is_read_in_place() {
    fn explain<T: Element<Sum = f32>>([m, n, k]: [usize; 3], isa: Isa) -> String {
        let layout = |text: String| text.parse::<Layout>().unwrap();
        let (a, b) = (layout(format!("({m},{k}):(1,{m})")), layout(format!("({n},{k}):({k},1)")));
        let c = layout(format!("({m},{n}):(1,{m})"));
        GemmPlan::<T, f32>::with((&a, 0), (&b, 0), (&c, 0), isa, Caches::get()).unwrap().explain()
    }
    for isa in Isa::available() {
        let ends = |text: String, a: &str, b: &str| {
            let line =
                |name| text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{text}"));
            let (first, second, costs) = (line("A: "), line("B: "), line("costs, "));
            assert!(
                costs.contains(" packed or ") == (a == "A: read in place" || b == "B: read in place"),
                "{costs}"
            );
            assert!(first.starts_with(a) && second.starts_with(b), "{isa}: {text}");
        };
        ends(explain::<f32>([20000, 24, 24], isa), "A: read in place", "B: ");
        ends(explain::<f32>([16, 2048, 2048], isa), "A: ", "B: read in place");
        ends(explain::<bf16>([16, 24, 64], isa), "A: vectors", "B: squares");
    }
}

/// Small products with as many steps as the kernels unroll, one less and one more.
#[test]
fn few_steps_are_exact() {
    let sizes: &[[usize; 2]] = if cfg!(miri) {
        &[[5, 3]]
    } else {
        &[[1, 2], [3, 12], [4, 4], [7, 5], [8, 8], [15, 11], [16, 7], [17, 9]]
    };
    for &[m, n] in sizes {
        for k in if cfg!(miri) { 8..=8 } else { 7..=9 } {
            spread::<f32>([m, n, k], 1, 0, |value| value as f32);
            spread::<f64>([m, n, k], 1, 0, |value| value as f64);
        }
    }
}

/// Threads divide the tiles of products without blocks, and the blocks of others: the sums are those of one thread, also with more steps
/// than a block, of elements that are not contiguous, and where all rows are in one panel.
#[test]
#[cfg_attr(miri, ignore = "threads of Rayon are not for Miri")]
fn sums_do_not_depend_on_threads() {
    fn compare<T: Element<Sum = T> + Sum + std::fmt::Debug>(fraction: fn(f64) -> T) {
        let caches = Caches { first: 14 << 10, second: 1 << 20, third: 8 << 20 };
        let layout = |text: String| text.parse::<Layout>().unwrap();
        let all = [
            ([101, 98, 130], [1, 101], [130, 1]),
            ([101, 98, 130], [130, 1], [130, 1]),
            ([1001, 24, 45], [45, 1], [1, 24]),
            ([8, 1001, 130], [1, 8], [130, 1]),
        ];
        let mut ways = [0; 2];
        let by_columns = ([170, 54, 112], [1, 170], [1, 54]);
        let all = [1, 2, 3].into_iter().flat_map(|apart| all.map(|all| (apart, all))).enumerate();
        // Where nothing is optimised, each at one distance.
        let all = all.filter(|(at, _)| !cfg!(debug_assertions) || (at / 4 + at) % 3 == 0).map(|(_, all)| all);
        for (apart, ([m, n, k], by_a, by_b)) in all.chain([(1, by_columns)]) {
            let layout = |rows: usize, cols: usize, [row, col]: [usize; 2]| {
                layout(format!("({rows},{cols}):({},{})", apart * row, apart * col))
            };
            let (a, b, c) = (layout(m, k, by_a), layout(n, k, by_b), layout(m, n, [1, m]));
            let data = |count: usize| -> Vec<T> {
                (1..=count).map(|i| fraction(1.0 / (i % 97 + 1) as f64)).collect()
            };
            let [of_a, of_b, of_c] = [m * k, n * k, m * n].map(|count| data(apart * count));
            for isa in Isa::available() {
                let plan = GemmPlan::<T>::with((&a, 0), (&b, 0), (&c, 0), isa, caches).unwrap();
                ways[usize::from(plan.product.plan.small().is_some())] += 1;
                let run = |threads| {
                    let mut sums = of_c.clone();
                    let (two, third) = (fraction(2.0), fraction(1.0 / 3.0));
                    plan.run(third, &of_a, &of_b, two, &mut sums, &Execution::threads(threads)).unwrap();
                    sums
                };
                let alone = run(1);
                assert!([2, 3].into_iter().all(|threads| run(threads) == alone), "{isa} {a} {b} {c}");
            }
        }
        assert!(ways.into_iter().all(|count| count > 0), "in blocks and without: {ways:?}");
    }
    compare::<f32>(|x| x as f32);
    compare::<f64>(|x| x);
}

/// Few columns read distant steps of `A` in place, more of them do not; the sums do not depend on the threads.
#[test]
#[cfg_attr(miri, ignore = "products of this size take minutes")]
fn few_columns_by_distant_steps_are_exact() {
    let caches = Caches { first: 48 << 10, second: 2 << 20, third: 8 << 20 };
    let mut ways = [0; 2];
    for ([m, n, k], pitch, apart) in [
        ([601, 15, 150], 700, 1),
        ([300, 15, 300], 600, 1),
        ([29001, 5, 67], 29005, 1),
        ([101, 350, 150], 700, 1),
        ([90, 247, 300], 1024, 1),
        ([97, 564, 90], 520, 2),
    ] {
        // Takes minutes with every set where nothing is optimised.
        if cfg!(debug_assertions) && m * n * k > 8_000_000 {
            continue;
        }
        let layout = |text: String| text.parse::<Layout>().unwrap();
        let of_a = layout(format!("({m},{k}):(1,{pitch})"));
        let (of_b, of_c) =
            (layout(format!("({n},{k}):({k},1)")), layout(format!("({m},{n}):({apart},{})", apart * m)));
        let data = |count: usize, by: usize| (0..count).map(|i| (i * by % 11) as f64 - 5.0).collect();
        let (a, b): (Vec<f64>, Vec<f64>) = (data(pitch * k, 7), data(n * k, 3));
        let sum = |at: usize| (0..k).map(|t| a[at % m + t * pitch] * b[at / m * k + t]).sum::<f64>();
        let element = |at: usize| if at.is_multiple_of(apart) { 2.0 * sum(at / apart) - 1.0 } else { 1.0 };
        let right: Vec<f64> = (0..apart * m * n).map(element).collect();
        for isa in Isa::available() {
            let plan = GemmPlan::<f64>::with((&of_a, 0), (&of_b, 0), (&of_c, 0), isa, caches).unwrap();
            ways[usize::from(plan.explain().contains("A: read in place"))] += 1;
            for threads in 1..=3 {
                let mut c = vec![1.0; apart * m * n];
                plan.run(2.0, &a, &b, -1.0, &mut c, &Execution::threads(threads)).unwrap();
                assert!(c == right, "{isa} {m}x{n}x{k}, {threads} threads");
            }
        }
    }
    assert!(ways.into_iter().all(|count| count > 0), "packed and in place: {ways:?}");
}

/// Panels of `B` are packed when they are used first, where the second cache is large: each in the same place, or in its own if
/// several blocks of `A` use it. The sums do not depend on the threads.
#[test]
#[cfg_attr(miri, ignore = "products of this size take minutes")]
fn panels_packed_late_are_exact() {
    fn check<T: Element<Sum = T> + Sum>([m, n, k]: [usize; 3], step: usize, to: fn(i64) -> T) {
        let caches = Caches { first: 4 << 10, second: 2 << 20, third: 8 << 20 };
        let layout = |rows: usize, cols: usize, [row, col]: [usize; 2]| -> Layout {
            format!("({rows},{cols}):({},{})", step * row, step * col).parse().unwrap()
        };
        let value = |by: usize, at: usize| (at * by % 11) as i64 - 5;
        let data = |count: usize, by: usize| -> Vec<T> { (0..count).map(|at| to(value(by, at))).collect() };
        let (a, b) = (data(step * m * k, 7), data(step * n * k, 3));
        let sum = |i: usize, j: usize| -> i64 {
            (0..k).map(|t| value(7, step * (i * k + t)) * value(3, step * (j * k + t))).sum()
        };
        let before = data(step * m * n, 1);
        let mut right = before.clone();
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let at = step * (i + j * m);
            right[at] = to(2 * sum(i, j) - value(1, at));
        }
        let (of_a, of_b, of_c) = (layout(m, k, [k, 1]), layout(n, k, [k, 1]), layout(m, n, [1, m]));
        for isa in Isa::available() {
            let plan = GemmPlan::<T>::with((&of_a, 0), (&of_b, 0), (&of_c, 0), isa, caches).unwrap();
            for threads in 1..=3 {
                let mut c = before.clone();
                plan.run(to(2), &a, &b, to(-1), &mut c, &Execution::threads(threads)).unwrap();
                assert!(c == right, "{isa} {m}x{n}x{k}, {step} apart, {threads} threads");
            }
        }
    }
    for (size, step) in [([530, 45, 70], 1), ([521, 45, 70], 9), ([230, 133, 180], 3), ([199, 131, 77], 17)] {
        check::<f32>(size, step, |value| value as f32);
        check::<f64>(size, step, |value| value as f64);
    }
}

/// Products with elements `step` apart, each operand by rows and by columns, which begin `start`, `start + 1` and `start + 2`
/// elements after an arbitrary one.
fn spread<T: Element<Sum = T> + Destination<T> + Into<f64> + PartialEq>(
    [m, n, k]: [usize; 3],
    step: usize,
    start: usize,
    to: fn(i64) -> T,
) {
    let layout = |rows: usize, cols: usize, by_rows: bool| -> Layout {
        let [row, col] = if by_rows { [cols, 1] } else { [1, rows] };
        format!("({rows},{cols}):({},{})", step * row, step * col).parse().unwrap()
    };
    let data = |layout: &Layout, start: usize| -> Vec<T> {
        (0..=start as i64 + layout.max_offset().unwrap()).map(|i| to((i * 7 + i / 5) % 9 - 4)).collect()
    };
    let (a_start, b_start, c_start) = (start, start + 1, start + 2);
    // Plans take seconds in Miri: these have each order of each operand with each order of each other.
    let orders: &[u32] = if cfg!(miri) { &[0, 3, 5, 6] } else { &[0, 1, 2, 3, 4, 5, 6, 7] };
    for orders in orders {
        let by_rows = |bit: usize| orders >> bit & 1 == 1;
        let (a, b, c) = (layout(m, k, by_rows(0)), layout(n, k, by_rows(1)), layout(m, n, by_rows(2)));
        let (a_data, b_data, before) = (data(&a, a_start), data(&b, b_start), data(&c, c_start));
        let what = format!("{m}x{n}x{k}, {a} {b} {c} from {start}");
        let run = |isa: Isa| {
            let (a, b, c) = ((&a, a_start as i64), (&b, b_start as i64), (&c, c_start as i64));
            let plan = GemmPlan::<T, T>::with(a, b, c, isa, Caches::SMALL).unwrap();
            let mut ours = before.clone();
            plan.run(to(2), &a_data, &b_data, to(-1), &mut ours, &Execution::default()).unwrap();
            ours
        };
        let all: Vec<_> = Isa::available().into_iter().map(|isa| (isa, run(isa))).collect();
        let a = Tensor::with_offset(&a_data[..], a_start as i64, a).unwrap();
        let b = Tensor::with_offset(&b_data[..], b_start as i64, b).unwrap();
        let mut theirs = before;
        let mut c = Tensor::with_offset(&mut theirs[..], c_start as i64, c).unwrap();
        reference::gemm(2.0, &a, &b, -1.0, &mut c, |value| to(value as i64)).unwrap();
        all.iter().for_each(|(isa, ours)| assert!(*ours == theirs, "{isa} {what}"));
    }
}

/// A product of column-major `A` and row-major `B`, with any values.
fn of_values<T: Element>(isa: Isa, [m, n, k]: [usize; 3], a: &[T], b: &[T]) -> Vec<T::Sum> {
    let layout = |text: String| text.parse::<Layout>().unwrap();
    let (of_a, of_b) = (layout(format!("({m},{k}):(1,{m})")), layout(format!("({n},{k}):({k},1)")));
    let of_c = layout(format!("({m},{n}):(1,{m})"));
    let plan = GemmPlan::<T>::with((&of_a, 0), (&of_b, 0), (&of_c, 0), isa, Caches::SMALL).unwrap();
    let mut c = vec![T::Sum::ZERO; m * n];
    plan.run(T::Sum::ONE, a, b, T::Sum::ZERO, &mut c, &Execution::default()).unwrap();
    c
}

/// The smallest and largest values in all pairs, where saturating sums would be wrong; and sums that wrap.
#[test]
fn i8_is_exact_at_its_ends() {
    let ends = [-128i8, 127, -127, -1, 0, 1, 126];
    for isa in Isa::available() {
        for k in if cfg!(miri) { 3..4 } else { 1..20 } {
            let (m, n) = (7, 7);
            let a: Vec<i8> = (0..m * k).map(|at| ends[at % m]).collect();
            let b: Vec<i8> = (0..n * k).map(|at| ends[at / k]).collect();
            let found = of_values::<i8>(isa, [m, n, k], &a, &b);
            for (at, sum) in found.into_iter().enumerate() {
                let product = i32::from(ends[at % m]) * i32::from(ends[at / m]);
                assert_eq!(sum, k as i32 * product, "{isa}, k = {k}, {} by {}", ends[at % m], ends[at / m]);
            }
        }
        if !cfg!(miri) {
            let k = 131_073;
            let found = of_values::<i8>(isa, [1, 2, k], &vec![-128; k], &vec![-128; 2 * k]);
            assert_eq!(found, [(k as i64 * 16384) as i32; 2], "{isa}");
        }
    }
}

/// The documented error of `bf16`: `k 2^-23` of the sum of all magnitudes, and `k 2^-125`. Subnormal numbers may count
/// as 0.
#[test]
#[cfg_attr(miri, ignore = "takes minutes, and nothing in it is unsafe that is not so elsewhere")]
fn bf16_is_within_its_bound() {
    let mut random = Random::congruential(9);
    let [m, n] = [17, 5];
    for (isa, k) in Isa::available().into_iter().flat_map(|isa| [1, 2, 3, 64, 129].map(|k| (isa, k))) {
        let mut number = |count: usize| -> Vec<bf16> {
            let bits = |random: &mut Random| random.below(1 << 16) as u16 & 0x9fff | 0x2000;
            (0..count).map(|_| bf16::from_bits(bits(&mut random))).collect()
        };
        let (a, b) = (number(m * k), number(n * k));
        let found = of_values::<bf16>(isa, [m, n, k], &a, &b);
        for (at, sum) in found.into_iter().enumerate() {
            let products =
                (0..k).map(|k_at| f64::from(a[at % m + m * k_at]) * f64::from(b[at / m * k + k_at]));
            let (exact, all) = products.fold((0.0, 0.0), |(sum, all), p| (sum + p, all + p.abs()));
            let allowed = k as f64 * (2f64.powi(-23) * all + 2f64.powi(-125));
            let error = (f64::from(sum) - exact).abs();
            assert!(error <= allowed, "{isa}, k = {k}: {sum} for {exact}, off by {error}, not {allowed}");
        }
    }
}

/// Infinities and NaNs; subnormal numbers either as they are or as 0.
#[test]
fn bf16_keeps_what_is_no_finite_number() {
    let of = |value: f32| bf16::from_f32(value);
    let tiny = f32::from_bits(0x0040_0000);
    let values = [0.0, 1.0, -1.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, tiny, -tiny, 2f32.powi(100)];
    for isa in Isa::available() {
        let pairs = values.iter().flat_map(|&x| values.map(|y| [x, y]));
        for pair in pairs.step_by(if cfg!(miri) { 20 } else { 1 }) {
            for other in [0.0, 1.0, f32::INFINITY] {
                let (a, b) = ([of(pair[0]), of(other)], [of(pair[1]), of(1.0)]);
                let found = of_values::<bf16>(isa, [1, 1, 2], &a, &b)[0];
                let right = |flush: bool| {
                    let [x, y] = pair.map(|v| if flush && v.abs() < 2f32.powi(-126) { v * 0.0 } else { v });
                    x * y + other
                };
                let same = |x: f32| x == found || x.is_nan() && found.is_nan();
                assert!(same(right(false)) || same(right(true)), "{isa}: {pair:?} and {other} give {found}");
            }
        }
    }
}

/// The plan is what runs and what is explained: whoever changes it sees both change.
#[test]
#[cfg_attr(miri, ignore = "a million products")]
fn a_plan_that_is_changed_runs_and_is_explained_so() {
    let (m, n, k) = (64, 64, 300);
    let matrix = |rows, cols| Layout::of((rows, cols), (cols, 1)).unwrap();
    let (a, b, c) = (matrix(m, k), matrix(n, k), matrix(m, n));
    let mut plan = GemmPlan::<f32>::with((&a, 0), (&b, 0), (&c, 0), Isa::Portable, Caches::SMALL).unwrap();
    plan.product.plan.strategy = Strategy::Blocks;
    let fractions: Vec<f32> = (0..m * k).map(|i| 1.0 / (i % 97 + 3) as f32).collect();
    let sums = |plan: &GemmPlan<f32>, threads| {
        let mut sums = vec![0.0; (m * n) as usize];
        plan.run(1.0, &fractions, &fractions, 0.0, &mut sums, &Execution::threads(threads)).unwrap();
        sums
    };
    let (before, text) = (sums(&plan, 1), plan.explain());
    assert_eq!(sums(&plan, 3), before);
    // Other blocks: another order of the sums.
    plan.product.plan.blocks.k = 8;
    let (after, changed) = (sums(&plan, 1), plan.explain());
    assert!(changed.contains(" by 8\n") && changed != text, "{changed}");
    assert_ne!(after, before);
    assert_eq!(sums(&plan, 3), after);
    // Panels that are packed or not: the same sums.
    for (reading, is_in_place) in [(Reading::InPlace([k as isize, 1]), true), (Reading::Packed, false)] {
        plan.product.plan.reads[1] = reading;
        assert_eq!(plan.explain().contains("A: read in place"), is_in_place, "{}", plan.explain());
        assert_eq!(sums(&plan, 1), after);
    }
    // How they are packed, and what is prefetched meanwhile.
    let changed = plan.explain();
    assert_eq!(plan.product.plan.packing[1], Packing::Steps, "{changed}");
    plan.product.plan.packing[1] = Packing::Elements;
    assert!(plan.explain().contains("element by element"), "{}", plan.explain());
    assert_eq!(sums(&plan, 1), after);
    plan.product.plan.ahead = Ahead { lines: [3, 0], panel: false, tile: true };
    assert!(
        plan.explain().contains("prefetched: the next of A by at most 3 lines, each tile of C\n"),
        "{changed}"
    );
    assert_eq!(sums(&plan, 1), after);
}

//! GEMM through its public face: the applications of the paper's Table 3, what is refused, and what is promised.

use half::{bf16, f16};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use tilework::{Composed, HasLayout, Layout, Swizzle, Tensor, layout, static_layout};
use tilework_kernels::{Destination, Element, Error, Execution, GemmPlan, gemm, gemm_tile, reference};

/// So many small integers.
fn numbers<T>(len: i64, of: impl Fn(f32) -> T) -> Vec<T> {
    (0..len).map(|i| of(((i * 7 + i / 5 * 3) % 9 - 4) as f32)).collect()
}

/// How many elements a layout needs.
fn len(layout: &impl HasLayout) -> i64 {
    let below = layout.as_layout();
    let tensor = Tensor::new(tilework::Counting, *layout).unwrap();
    (0..below.size()).map(|i| tensor.at(i)).max().unwrap() + 1
}

/// Computes `2 A B - C` by the kernels and by the paper's algorithm.
fn check_as<T, C>(
    a: impl HasLayout,
    b: impl HasLayout,
    c: impl HasLayout,
    of: fn(f32) -> T,
    to: fn(f32) -> T::Sum,
) where
    T: Element + Into<f64>,
    C: Destination<T::Sum> + Into<f64> + PartialEq + std::fmt::Debug,
{
    let a = Tensor::new(numbers(len(&a), of), a).unwrap();
    let b = Tensor::new(numbers(len(&b), of), b).unwrap();
    let before = numbers(len(&c), |x| C::narrow(to(x)));
    let mut ours = Tensor::new(before.clone(), c).unwrap();
    let mut theirs = Tensor::new(before, c).unwrap();
    gemm(to(2.0), &a, &b, to(-1.0), &mut ours, &Execution::default()).unwrap();
    reference::gemm(2.0, &a, &b, -1.0, &mut theirs, |x| C::narrow(to(x as f32))).unwrap();
    assert_eq!(ours.accessor(), theirs.accessor(), "{:?} {:?} {:?}", a, b, ours);
}

fn check(a: impl HasLayout, b: impl HasLayout, c: impl HasLayout) {
    check_as::<f32, f32>(a, b, c, |x| x, |x| x);
    check_as::<f64, f64>(a, b, c, f64::from, f64::from);
    check_as::<i8, i32>(a, b, c, |x| x as i8, |x| x as i32);
    check_as::<bf16, f32>(a, b, c, bf16::from_f32, |x| x);
    check_as::<f16, f16>(a, b, c, f16::from_f32, |x| x);
}

#[test]
fn the_applications_of_table_3() {
    // NT, TN, NTT and BLIS.
    check(layout!((13,7):(1,16)), layout!((9,7):(1,10)), layout!((13,9):(1,15)));
    check(layout!((13,7):(8,1)), layout!((9,7):(7,1)), layout!((13,9):(1,13)));
    check(layout!((9,7):(1,10)), layout!((13,7):(1,16)), layout!((9,13):(15,1)));
    check(layout!((13,7):(3,50)), layout!((9,7):(70,2)), layout!((13,9):(2,31)));
    // GETT with folded rows, and with folded steps.
    check(layout!(((4,5),6):((1,30),4)), layout!((7,6):(6,1)), layout!(((4,5),7):((1,28),4)));
    check(layout!((8,(3,5)):(1,(40,8))), layout!((6,(3,5)):(15,(5,1))), layout!((8,6):(1,8)));
    // CONV: one image of 8x8 with 3 channels, 5 filters of 3x3, no padding: (K,(C,S,R)) by ((Q,P),(C,S,R)).
    check(
        layout!((5,(3,3,3)):(27,(1,3,9))),
        layout!(((6,6),(3,3,3)):((3,24),(1,3,24))),
        layout!((5,(6,6)):(1,(5,30))),
    );
}

#[test]
fn unusual_layouts() {
    // One element, one row, one column, one step.
    check(layout!((1,1):(0,0)), layout!((1,1):(0,0)), layout!((1,1):(0,0)));
    check(layout!((1,100):(0,1)), layout!((37,100):(100,1)), layout!((1,37):(0,1)));
    check(layout!((37,100):(100,1)), layout!((1,100):(7,1)), layout!((37,1):(1,0)));
    check(layout!((40,1):(1,0)), layout!((30,1):(1,0)), layout!((40,30):(1,40)));
    // Elements that are read many times, and backwards.
    check(layout!((20,30):(0,1)), layout!((10,30):(1,0)), layout!((20,10):(1,20)));
    let backwards = Tensor::with_offset(numbers(60, |x| x), 59, layout!((10,6):(-6,-1))).unwrap();
    let ones = Tensor::new([1.0; 18], layout!((3,6):(6,1))).unwrap();
    let mut c = Tensor::with_offset([0.0; 30], 29, layout!((10,3):(-1,-10))).unwrap();
    gemm(1.0, &backwards, &ones, 0.0, &mut c, &Execution::default()).unwrap();
    let mut expected = c;
    reference::gemm(1.0, &backwards, &ones, 0.0, &mut expected, |x| x as f32).unwrap();
    assert_eq!(c.accessor(), expected.accessor());
    // A vector each, without tuples of one.
    check(layout!(((2,2),(2,2)):((1,4),(2,8))), layout!((4,4):(1,4)), layout!(((2,2),4):((1,8),2)));
}

#[test]
fn swizzled_layouts() {
    let swizzled = |layout: Layout| Composed::new(Swizzle::new(2, 0, 3).unwrap(), 0, layout).unwrap();
    let plain = layout!((16,32):(32,1));
    check(swizzled(plain), layout!((16,32):(32,1)), plain_c());
    check(plain, swizzled(plain), plain_c());
    check(plain, plain, swizzled(plain_c()));
    check(swizzled(plain), swizzled(plain), swizzled(plain_c()));
    let xor = layout!((16,8):(^1,^17));
    check(xor, xor, layout!((16,16):(1,16)));
    check(layout!((16,8):(1,16)), layout!((8,8):(1,8)), layout!((16,8):(^1,^18)));
}

fn plain_c() -> Layout {
    layout!((16,16):(1,16))
}

#[test]
fn batches() {
    check(layout!((5,6,4):(1,5,30)), layout!((7,6,4):(1,7,42)), layout!((5,7,4):(1,5,35)));
    // One B for all, and batches that are folded.
    check(layout!((5,6,(2,2)):(4,20,(1,2))), layout!((7,6,4):(6,1,0)), layout!((5,7,(2,2)):(1,5,(70,35))));
}

#[test]
fn blocks_of_all_kinds() {
    // Longer than a block along each axis, by odd amounts.
    let (m, n, k) = (131, 97, 1501);
    let parse = |text: String| text.parse::<Layout>().unwrap();
    let a = parse(format!("({m},{k}):({k},1)"));
    let b = parse(format!("({n},{k}):(1,{n})"));
    let c = parse(format!("({m},{n}):(2,{})", 2 * m));
    let (first, second) = (numbers(m * k, |x| x as i8), numbers(n * k, |x| x as i8));
    let sum = |i: i64, j: i64| -> i32 {
        (0..k).map(|l| i32::from(first[(i * k + l) as usize]) * i32::from(second[(j + n * l) as usize])).sum()
    };
    let sums: Vec<i32> = (0..m * n).map(|index| sum(index % m, index / m)).collect();
    let mut ours = vec![1; (2 * m * n) as usize];
    let execution = Execution::default();
    GemmPlan::<i8>::new(&a, &b, &c).unwrap().run(1, &first, &second, 0, &mut ours, &execution).unwrap();
    assert!(ours.iter().step_by(2).eq(&sums) && ours.iter().skip(1).step_by(2).all(|&gap| gap == 1));
    let (first, second) = (numbers(m * k, f16::from_f32), numbers(n * k, f16::from_f32));
    let mut ours = vec![f16::ONE; (2 * m * n) as usize];
    GemmPlan::<f16, f16>::new(&a, &b, &c)
        .unwrap()
        .run(0.5, &first, &second, 1.0, &mut ours, &execution)
        .unwrap();
    let halves = sums.iter().map(|&sum| f16::from_f32(sum as f32 * 0.5 + 1.0));
    assert!(ours.iter().step_by(2).copied().eq(halves));
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let (a, b, c) = (layout!((200,300):(300,1)), layout!((150,300):(1,150)), layout!((200,150):(1,200)));
    let random = |len: i64, seed: i64| -> Vec<f32> {
        (0..len).map(|i| ((i * i + seed) as f32 * 0.37).sin()).collect()
    };
    let (first, second) = (random(60000, 1), random(45000, 2));
    let plan = GemmPlan::<f32>::new(&a, &b, &c).unwrap();
    let with = |execution: &Execution| {
        let mut sums = vec![0.0; 30000];
        plan.run(1.5, &first, &second, 0.0, &mut sums, execution).unwrap();
        sums
    };
    let alone = with(&Execution::default());
    for threads in [2, 3, 5, 16] {
        assert_eq!(with(&Execution::threads(threads)), alone);
    }
    let pool = rayon_core::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    assert_eq!(with(&Execution::on(&pool)), alone);
}

#[test]
fn what_is_not_needed_is_not_read() {
    let (a, b, c) = (layout!((40,50):(1,40)), layout!((30,50):(1,30)), layout!((40,30):(1,40)));
    for (m, n, k) in [(40, 30, 50), (400, 300, 5)] {
        let parse = |rows: i64, cols: i64| format!("({rows},{cols}):(1,{rows})").parse::<Layout>().unwrap();
        let plan = GemmPlan::<f64>::new(&parse(m, k), &parse(n, k), &parse(m, n)).unwrap();
        let nans = vec![f64::NAN; 2000];
        let mut sums = vec![f64::NAN; (m * n) as usize];
        plan.run(1.0, &[1.0; 2000], &[2.0; 1500], 0.0, &mut sums, &Execution::default()).unwrap();
        assert!(sums.iter().all(|&sum| sum == 2.0 * k as f64));
        plan.run(0.0, &nans, &nans, 3.0, &mut sums, &Execution::default()).unwrap();
        assert!(sums.iter().all(|&sum| sum == 6.0 * k as f64));
        plan.run(0.0, &nans, &nans, 0.0, &mut sums, &Execution::default()).unwrap();
        assert!(sums.iter().all(|&sum| sum == 0.0));
    }
    let plan = GemmPlan::<bf16, bf16>::new(&a, &b, &c).unwrap();
    let mut sums = [bf16::NAN; 1200];
    plan.run(1.0, &[bf16::ONE; 2000], &[bf16::ONE; 1500], 0.0, &mut sums, &Execution::default()).unwrap();
    assert!(sums.iter().all(|sum| sum.to_f32() == 50.0));
}

#[test]
fn refusals() {
    let (a, b, c) = (layout!((4,6):(1,4)), layout!((5,6):(1,5)), layout!((4,5):(1,4)));
    let refused = |a: Layout, b: Layout, c: Layout| GemmPlan::<f32>::new(&a, &b, &c).unwrap_err();
    assert_eq!(refused(layout!(24:1), b, c).code(), "rank");
    assert_eq!(
        refused(a, b, layout!((2,2,2,2):(1,2,4,8))).to_string(),
        "C has 4 modes, and is read as (M,N) or (M,N,L); group its modes so that there are as many"
    );
    for (a, b, sentence) in [
        ((3, 6), (5, 6), "M is 3 in A, (M,K) = (3,6), and 4 in C, (M,N) = (4,5)"),
        ((4, 6), (4, 6), "N is 4 in B, (N,K) = (4,6), and 5 in C, (M,N) = (4,5)"),
        ((4, 6), (5, 7), "K is 6 in A, (M,K) = (4,6), and 7 in B, (N,K) = (5,7)"),
        (
            (4, 6),
            (6, 5),
            "K is 6 in A, (M,K) = (4,6), and 5 in B, (N,K) = (6,5); B is given as (K,N) and has to be (N,K): `b.T` of an array, `select<1,0>(B)` of a layout",
        ),
    ] {
        let error = refused(Layout::column_major(a).unwrap(), Layout::column_major(b).unwrap(), c);
        assert_eq!((error.code(), error.to_string().as_str()), ("size", sentence));
    }
    let error = refused(layout!((4,6,2):(1,4,0)), b, c);
    assert_eq!(error, Error::Product { a: [4, 6, 2], b: [5, 6, 1], c: [4, 5, 1] });
    assert_eq!(error.to_string(), "L is 2 in A, (M,K,L) = (4,6,2), and 1 in C, (M,N,L) = (4,5,1)");
    assert_eq!(refused(a, b, layout!((4,5):(1,3))), Error::Aliasing { operand: "C" });
    assert_eq!(refused(a, b, layout!((4,5):(0,1))), Error::Aliasing { operand: "C" });
    assert_eq!(refused(layout!((4,6):(1@0,1@1)), b, c), Error::Codomain { operand: "A" });
    let plan = GemmPlan::<f32>::new(&a, &b, &c).unwrap();
    let run = |a: usize, b: usize, c: usize| {
        plan.run(1.0, &vec![0.0; a], &vec![0.0; b], 0.0, &mut vec![0.0; c], &Execution::default())
    };
    assert_eq!(run(24, 30, 20), Ok(()));
    assert_eq!(run(23, 30, 20), Err(Error::Image { operand: "A", min: 0, max: 23, len: 23 }));
    assert_eq!(run(24, 29, 20).unwrap_err().code(), "image");
    assert_eq!(run(24, 30, 19).unwrap_err().code(), "image");
    // Offsets below 0 are in no slice.
    let backwards = GemmPlan::<f32>::new(&layout!((4,6):(-1,4)), &b, &c).unwrap();
    let result = backwards.run(1.0, &[0.0; 24], &[0.0; 30], 0.0, &mut [0.0; 20], &Execution::default());
    assert!(matches!(result, Err(Error::Image { operand: "A", min: -3, .. })));
}

#[test]
fn it_stops_and_says_how_far_it_is() {
    let square = layout!((600,600):(1,600));
    let plan = GemmPlan::<f32>::new(&square, &square, &square).unwrap();
    let (ones, mut sums) = (vec![1.0; 360_000], vec![0.0; 360_000]);
    let seen = Mutex::new(Vec::new());
    let note = |part: f64| seen.lock().unwrap().push(part);
    plan.run(1.0, &ones, &ones, 0.0, &mut sums, &Execution::threads(2).reporting_to(&note)).unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() > 3 && seen.iter().all(|part| (0.0..=1.0).contains(part)), "{seen:?}");
    assert!(seen.contains(&1.0), "{seen:?}");
    let stop = AtomicBool::new(false);
    let halfway = |part: f64| stop.store(part > 0.2, Ordering::Relaxed);
    let execution = Execution::default().reporting_to(&halfway).cancelled_by(&stop);
    let result = plan.run(1.0, &ones, &ones, 0.0, &mut sums, &execution);
    assert_eq!(result, Err(Error::Cancelled));
}

static_layout! {
    struct Col8 = (8,8):(1,8);
    struct Row8 = (8,8):(8,1);
    struct Col32 = (32,32):(1,32);
    struct Row32 = (32,32):(32,1);
    struct Padded = (13,7):(1,16);
    struct Odd = (5,7):(3,20);
    struct OddC = (13,5):(2,30);
    struct Folded = ((2,4),(4,2)):((1,8),(2,32));
    struct One = (1,7):(0,1);
    struct Column = (13,1):(1,0);
}

fn check_tile<LA, LB, LC>(a: LA, b: LB, c: LC)
where
    LA: HasLayout + tilework::StaticLayout,
    LB: HasLayout + tilework::StaticLayout,
    LC: HasLayout + tilework::StaticLayout,
{
    let first = Tensor::with_offset(numbers(len(&a) + 3, |x| x), 3, a).unwrap();
    let second = Tensor::new(numbers(len(&b), |x| x), b).unwrap();
    for (alpha, beta) in [(1.0, 0.0), (2.0, 1.0), (0.0, -1.0)] {
        let mut ours = Tensor::new(numbers(len(&c), |x| x), c).unwrap();
        let mut theirs = ours.clone();
        gemm_tile(alpha, &first, &second, beta, &mut ours).unwrap();
        reference::gemm(f64::from(alpha), &first, &second, f64::from(beta), &mut theirs, |x| x as f32)
            .unwrap();
        assert_eq!(ours.accessor(), theirs.accessor(), "{ours:?}");
    }
    let second = Tensor::new(numbers(len(&b), f64::from), b).unwrap();
    let first = Tensor::new(numbers(len(&a), f64::from), a).unwrap();
    let mut ours = Tensor::new(vec![f64::NAN; len(&c) as usize], c).unwrap();
    let mut theirs = Tensor::new(vec![0.0; len(&c) as usize], c).unwrap();
    gemm_tile(1.0, &first, &second, 0.0, &mut ours).unwrap();
    reference::gemm(1.0, &first, &second, 0.0, &mut theirs, |x| x).unwrap();
    for i in 0..c.as_layout().size() {
        assert_eq!(ours.at(i), theirs.at(i));
    }
}

#[test]
fn static_tiles() {
    check_tile(Col8, Col8, Col8);
    check_tile(Row8, Row8, Row8);
    check_tile(Row8, Col8, Col8);
    check_tile(Col8, Row8, Row8);
    check_tile(Folded, Row8, Folded);
    check_tile(Col32, Row32, Col32);
    check_tile(Row32, Col32, Col32);
    check_tile(Padded, Odd, OddC);
    check_tile(Padded, One, Column);
    let (a, b) = (Tensor::new(vec![1.0; 64], Col8).unwrap(), Tensor::new([1.0; 64], Col8).unwrap());
    let mut c = Tensor::new(vec![0.0; 64], Col8).unwrap();
    c.accessor_mut().pop();
    assert_eq!(gemm_tile(1.0, &a, &b, 0.0, &mut c).unwrap_err().code(), "image");
}

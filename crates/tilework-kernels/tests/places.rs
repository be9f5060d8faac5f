//! Operands that begin anywhere: plans for tensors, views with XOR strides, and memory by pointer and length.

use crate::random::{Layouts, Random};
use tilework::{Composed, Counting, Tensor, layout};
use tilework_kernels::{
    ContractPlan, ConvPlan, Convolution, CopyPlan, Execution, GemmPlan, Operand, RawMemory, contract, conv,
    copy, gemm, map, sum,
};

/// A plan for tensors does with data what the function does with tensors of it.
#[test]
fn plans_begin_where_tensors_do() {
    let mut random = Random::congruential(1);
    let one = Execution::default();
    for _ in 0..if cfg!(miri) { 4 } else { 200 } {
        let mut tensor = |sizes: &[usize], free| {
            let (layout, start) = random.layout(sizes, free);
            let data: Vec<f64> = random.data(&layout, start).into_iter().map(|x| x as f64).collect();
            Tensor::with_offset(data, start, layout).unwrap()
        };
        let (a, b, before) = (tensor(&[4, 6], true), tensor(&[5, 6], true), tensor(&[4, 5], false));
        let [place_a, place_b, place_c] = [&a, &b, &before].map(place);

        let (mut by_plan, mut expected) = (before.accessor().clone(), before.clone());
        gemm(2.0, &a, &b, 1.0, &mut expected, &one).unwrap();
        let plan = GemmPlan::<f64>::for_tensors(&place_a, &place_b, &place_c).unwrap();
        plan.run(2.0, a.accessor(), b.accessor(), 1.0, &mut by_plan, &one).unwrap();
        assert_eq!(&by_plan, expected.accessor());

        by_plan.clone_from(before.accessor());
        let plan = ContractPlan::<f64>::for_tensors("mk,nk->mn", &[place_a, place_b], &place_c).unwrap();
        plan.run(2.0, &[a.accessor(), b.accessor()], 1.0, &mut by_plan, &one).unwrap();
        assert_eq!(&by_plan, expected.accessor());

        let target = tensor(&[6, 4], false);
        let (mut by_plan, mut expected) = (target.accessor().clone(), target.clone());
        copy(&a, &mut expected, &one).unwrap();
        let plan = CopyPlan::for_tensors(&place_a, &place(&target)).unwrap();
        plan.run(a.accessor(), &mut by_plan, &one).unwrap();
        assert_eq!(&by_plan, expected.accessor());

        let (input, filter, output) =
            (tensor(&[2, 7, 3], true), tensor(&[4, 3, 3], true), tensor(&[2, 7, 4], false));
        let same = Convolution { padding: &[(1, 1)], ..Convolution::default() };
        let (mut by_plan, mut expected) = (output.accessor().clone(), output.clone());
        let done = conv(&same, 1.0, &input, &filter, 1.0, &mut expected, &one);
        let plan = ConvPlan::<f64>::for_tensors(&same, &place(&input), &place(&filter), &place(&output));
        // A spatial mode that is folded is two directions, which the others may not have.
        match (done, plan) {
            (Ok(()), Ok(plan)) => {
                plan.run(1.0, input.accessor(), filter.accessor(), 1.0, &mut by_plan, &one).unwrap();
                assert_eq!(&by_plan, expected.accessor());
            }
            (done, plan) => assert_eq!(done.err(), plan.err()),
        }
    }
}

fn place(of: &Tensor<Vec<f64>>) -> Tensor<Counting> {
    Tensor::with_offset(Counting, of.offset(), *of.layout()).unwrap()
}

/// The offset of a view is joined to XOR strides without carries, as the algebra does it.
#[test]
fn views_with_xor_strides_begin_anywhere() {
    let layout = layout!((8,8):(^1,^9));
    let data: Vec<i32> = (0..256).collect();
    for start in [0, 1, 64, 100, 191] {
        let view = Tensor::with_offset(&data[..], start, layout).unwrap();
        let mut copied = Tensor::new(vec![0; 64], layout!((8,8):(1,8))).unwrap();
        copy(&view, &mut copied, &Execution::default()).unwrap();
        assert!((0..64).all(|i| copied.at(i) == (start ^ layout.at(i)) as i32));
        let mut back = Tensor::with_offset(vec![-1; 256], start, layout).unwrap();
        let plan = CopyPlan::for_tensors(&copied, &back).unwrap();
        plan.run(copied.accessor(), back.accessor_mut(), &Execution::threads(2)).unwrap();
        assert!((0..64).all(|i| back.at(i) == view.at(i)));
        let other = back.accessor().iter().filter(|&&element| element == -1).count();
        assert_eq!(other, 256 - 64);
    }
    assert!(Tensor::with_offset(&data[..], -1, layout).is_err());

    let a: Tensor<Vec<f32>> =
        Tensor::with_offset((0..128).map(|i| (i % 7) as f32).collect(), 64, layout).unwrap();
    let b = Tensor::filled(layout!((3,8):(1,3)), 1.0).unwrap();
    let mut c = Tensor::filled(layout!((8,3):(1,8)), 0.0).unwrap();
    gemm(1.0, &a, &b, 0.0, &mut c, &Execution::default()).unwrap();
    assert!((0..8).all(|i| c.at([i, 2]) == (0..8).map(|k| a.at([i, k])).sum::<f32>()));
}

/// A place after a swizzle is added to what the swizzle gives.
#[test]
fn swizzled_layouts_begin_anywhere() {
    let swizzled: Composed = "Sw<2,0,2> o 0 o (4,8):(8,1)".parse().unwrap();
    let from = Tensor::with_offset(Counting, 5, swizzled).unwrap();
    let plan = CopyPlan::for_tensors(&from, &Tensor::new(Counting, layout!(32:1)).unwrap()).unwrap();
    let data: [u8; 64] = std::array::from_fn(|i| i as u8);
    let mut to = [0; 32];
    plan.run(&data, &mut to, &Execution::default()).unwrap();
    assert!((0..32).all(|i| i64::from(to[i as usize]) == from.at(i)));
    let rows = Tensor::new(Counting, layout!(4:1)).unwrap();
    let plan = ContractPlan::<f32>::for_tensors("ab->a", &[from], &rows).unwrap();
    let (data, mut sums) = (data.map(f32::from), [0.0; 4]);
    plan.run(1.0, &[&data], 0.0, &mut sums, &Execution::default()).unwrap();
    assert_eq!(sums, [0, 1, 2, 3].map(|a| (0..8).map(|b| from.at([a, b]) as f32).sum::<f32>()));
}

/// Every operation takes memory by pointer and length.
#[test]
fn raw_memory_is_memory() {
    let (mut a, mut b) = ([1.0f32, 2.0, 3.0, 4.0], [0.0f32; 4]);
    // SAFETY: the arrays outlive what is made of them, and are used by nothing else until then.
    let raw = |data: &mut [f32; 4]| unsafe { RawMemory::from_raw_parts(data.as_mut_ptr(), 4) };
    let one = Execution::default();
    let square = layout!((2,2):(1,2));
    let from = Tensor::new(raw(&mut a), square).unwrap();
    let mut to = Tensor::new(raw(&mut b), layout!((2,2):(2,1))).unwrap();
    copy(&from, &mut to, &one).unwrap();
    assert!((0..4).all(|i| to.at(i) == from.at(i)));
    map(&from, &mut to, |x| -x, &one).unwrap();
    gemm(1.0, &from, &from, 1.0, &mut to, &one).unwrap();
    assert_eq!([to.at(0), to.at(3)], [10.0 - 1.0, 20.0 - 4.0]);
    let views: [&dyn Operand<f32>; 2] = [&from, &from];
    assert_eq!(contract("ij,ij->", &views, &one).unwrap().at(0), 30.0);
    let mut total = Tensor::new([0.0], layout!(4:0)).unwrap();
    sum(&from, &mut total, &one).unwrap();
    assert_eq!(total.at(0), 10.0);
    to.set(3, 5.0);
    assert_eq!((a, b[3]), ([1.0, 2.0, 3.0, 4.0], 5.0));
    // SAFETY: as above.
    let short = unsafe { RawMemory::from_raw_parts(a.as_mut_ptr(), 3) };
    assert!(Tensor::new(short, square).is_err());
}

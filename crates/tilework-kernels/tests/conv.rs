//! Convolutions against the reference, and what is refused; random ones are those of the harness.

use tilework::{HTuple, Layout, Tensor, layout};
use tilework_kernels::{ConvPlan, Convolution, Error, Execution, conv, reference};

/// Layers as networks have them, channels last and first.
#[test]
fn layers_agree() {
    let layers = [
        (14usize, 64usize, 32usize, 3usize, 1usize, 1usize, true),
        (14, 64, 32, 3, 1, 1, false),
        (30, 3, 16, 7, 2, 3, true),
        (30, 3, 16, 7, 2, 3, false),
        (14, 32, 64, 1, 2, 0, true),
        (7, 96, 96, 3, 1, 1, true),
    ];
    // Where nothing is optimised, one of each order; `.ci/harness` has all.
    let step = if cfg!(debug_assertions) { 3 } else { 1 };
    for (size, channels, features, taps, stride, padding, last) in layers.into_iter().step_by(step) {
        let out = (size + 2 * padding - taps) / stride + 1;
        let order = if last { "(3,(2,1),0)" } else { "(3,(1,0),2)" };
        let place = |text: String| {
            let order: HTuple<i64> = order.parse().unwrap();
            Layout::ordered(&text.parse().unwrap(), &order).unwrap()
        };
        let input = place(format!("(2,({size},{size}),{channels})"));
        let filter = place(format!("({features},({taps},{taps}),{channels})"));
        let output = place(format!("(2,({out},{out}),{features})"));
        let values = |i: i64| ((i * 5 + i / 7) % 9) as f32 - 4.0;
        let (a, b) = (Tensor::from_fn(input, values).unwrap(), Tensor::from_fn(filter, values).unwrap());
        let (stride, padding) = ([stride; 2], [(padding, padding); 2]);
        let convolution = Convolution { stride: &stride, padding: &padding, ..Convolution::default() };
        let mut theirs = Tensor::filled(output, 0.0).unwrap();
        reference::conv(&convolution, 1.0, &a, &b, 0.0, &mut theirs, |x| x as f32).unwrap();
        for threads in [1, 2] {
            let mut ours = Tensor::filled(output, f32::NAN).unwrap();
            conv(&convolution, 1.0, &a, &b, 0.0, &mut ours, &Execution::threads(threads)).unwrap();
            assert!(ours.accessor() == theirs.accessor(), "{size} {channels} {features} {taps} {last}");
        }
    }
}

/// Swizzled layouts and XOR strides are read and written through a copy, whichever operand has them.
#[test]
fn swizzled_layouts() {
    let swizzled = |text: &str| text.parse::<tilework::Composed>().unwrap();
    let input = swizzled("Sw<2,0,3> o 0 o (2,(4,8),4):(128,(32,4),1)");
    let filter = layout!((4,(3,3),4):(^64,(^16,^256),^1));
    let output = swizzled("Sw<1,1,4> o 0 o (2,(2,6),4):(64,(32,4),1)");
    let values = |len: usize| -> Vec<f32> { (0..len).map(|i| (i * 5 % 9) as f32 - 4.0).collect() };
    let a = Tensor::with_offset(values(300), 7, input).unwrap();
    let b = Tensor::new(values(1024), filter).unwrap();
    let plain = Convolution::default();
    let mut theirs = Tensor::new(values(128), output).unwrap();
    let mut ours = theirs.clone();
    reference::conv(&plain, 2.0, &a, &b, -1.0, &mut theirs, |x| x as f32).unwrap();
    conv(&plain, 2.0, &a, &b, -1.0, &mut ours, &Execution::threads(2)).unwrap();
    assert_eq!(ours.accessor(), theirs.accessor());
}

/// Groups whose output channels are contiguous in some of them only.
#[test]
fn groups_differ() {
    let input = layout!((1,8,(16,3)):(0,16,(1,200)));
    let filter = layout!((48,3,16):(48,16,1));
    let output = layout!((1,6,(24,2)):(0,200,(1,100)));
    let values = |len: usize| -> Vec<f32> { (0..len).map(|i| (i * 5 % 9) as f32 - 4.0).collect() };
    let (a, b) = (Tensor::new(values(600), input).unwrap(), Tensor::new(values(2304), filter).unwrap());
    let groups = Convolution { groups: 3, ..Convolution::default() };
    let mut theirs = Tensor::new(values(1200), output).unwrap();
    let mut ours = theirs.clone();
    reference::conv(&groups, 1.0, &a, &b, 0.0, &mut theirs, |x| x as f32).unwrap();
    conv(&groups, 1.0, &a, &b, 0.0, &mut ours, &Execution::default()).unwrap();
    assert_eq!(ours.accessor(), theirs.accessor());
}

#[test]
fn what_is_refused() {
    let (input, filter) = (layout!((2,(8,9),6):(432,(54,6),1)), layout!((4,(3,3),6):(54,(18,6),1)));
    let output = layout!((2,(6,7),4):(168,(28,4),1));
    let plain = Convolution::default();
    let refused = |convolution: &Convolution, input: &Layout, filter: &Layout, output: &Layout| {
        let error = ConvPlan::<f32>::new(convolution, input, filter, output).unwrap_err();
        (error.code(), error.to_string())
    };
    assert!(ConvPlan::<f32>::new(&plain, &input, &filter, &output).is_ok());
    let specification = [
        (Convolution { stride: &[2, 2], ..plain }, "along z the output has 6 elements and not 3"),
        (Convolution { stride: &[2], ..plain }, "for 2 spatial directions"),
        (Convolution { stride: &[0, 1], ..plain }, "stride 0"),
        (Convolution { dilation: &[1, 0], ..plain }, "dilation 0"),
        (
            Convolution { dilation: &[9, 1], ..plain },
            "and not 0: 8 padded ones, a filter that reaches over 19",
        ),
        (
            Convolution { groups: 2, ..plain },
            "the input has 6 channels for 2 groups, and the filter 6 channels for each",
        ),
        (Convolution { groups: 0, ..plain }, "0 groups"),
    ];
    for (convolution, part) in specification {
        let (code, text) = refused(&convolution, &input, &filter, &output);
        assert_eq!(code, "specification", "{convolution:?}");
        assert!(
            text.contains(part) || part.contains("along z") && text.contains("6 elements and not 3"),
            "{text}"
        );
    }
    let huge = Convolution { padding: &[(usize::MAX, 1), (0, 0)], ..plain };
    assert_eq!(refused(&huge, &input, &filter, &output).0, "overflow");
    assert_eq!(refused(&plain, &layout!((8,9):(9,1)), &filter, &output).0, "rank");
    assert_eq!(refused(&plain, &layout!((2,72,6):(432,6,1)), &filter, &output).0, "specification");
    assert_eq!(refused(&plain, &layout!((3,(8,9),6):(432,(54,6),1)), &filter, &output).0, "size");
    assert_eq!(refused(&plain, &input, &filter, &layout!((2,(6,7),4):(168,(28,4),0))).0, "aliasing");
    assert_eq!(refused(&plain, &input, &filter, &layout!((2,(6,7),3):(126,(21,3),1))).0, "specification");

    let plan = ConvPlan::<f32>::new(&plain, &input, &filter, &output).unwrap();
    let data = vec![1.0; 864];
    let mut sums = vec![7.0; 336];
    let mut run = |input: usize, filter: usize, output: usize| {
        plan.run(1.0, &data[..input], &data[..filter], 0.0, &mut sums[..output], &Execution::default())
    };
    assert!(run(863, 216, 336).unwrap_err().to_string().starts_with("the input has offsets from 0 to 863"));
    assert!(run(864, 215, 336).unwrap_err().to_string().starts_with("the filter has offsets from 0 to 215"));
    assert!(run(864, 216, 335).unwrap_err().to_string().starts_with("the output has offsets from 0 to 335"));
    run(864, 216, 336).unwrap();
    assert!(sums.iter().all(|&sum| sum == 54.0));
    let stop = std::sync::atomic::AtomicBool::new(true);
    let execution = Execution::default().cancelled_by(&stop);
    assert_eq!(plan.run(1.0, &data, &data, 0.0, &mut sums, &execution), Err(Error::Cancelled));
}

/// What im2col says is what is multiplied: the layout, used as a matrix, gives the same as the convolution.
#[test]
fn im2col_is_a_layout() {
    let (input, filter) = (layout!((2,(8,9),6):(432,(54,6),1)), layout!((4,(3,2),6):(36,(12,6),1)));
    let output = layout!((2,(3,5),4):(60,(20,4),1));
    let convolution = Convolution { stride: &[2, 1], dilation: &[1, 4], ..Convolution::default() };
    let plan = ConvPlan::<f64>::new(&convolution, &input, &filter, &output).unwrap();
    let (matrix, start) = plan.im2col().unwrap();
    assert_eq!((matrix.to_string().as_str(), start), ("((5,3,2),(6,2,3)):((6,108,432),(1,24,54))", 0));
    let data: Vec<f64> = (0..864).map(|x| (x % 13) as f64).collect();
    let mut direct = vec![0.0; 120];
    plan.run(1.0, &data, &data[..144], 0.0, &mut direct, &Execution::default()).unwrap();
    let weights = layout!((4,(6,2,3)):(36,(1,6,12)));
    let to = layout!(((5,3,2),4):((4,20,60),1));
    let product = tilework_kernels::GemmPlan::<f64>::new(&matrix, &weights, &to).unwrap();
    let mut by_gemm = vec![0.0; 120];
    product.run(1.0, &data, &data[..144], 0.0, &mut by_gemm, &Execution::default()).unwrap();
    assert_eq!(direct, by_gemm);
}

//! Contractions against the reference, and what is refused; random ones are those of the harness.

use crate::random::{Layouts, Random};
use tilework::{Layout, Tensor, layout};
use tilework_kernels::{ContractPlan, Error, Execution, Isa, Operand, contract, contract_into, reference};

/// Sizes at which blocks, vectors and the batch are divided.
#[test]
fn large_contractions_agree() {
    let sizes: [(&str, &[i64]); 5] = [
        ("ebad,ce->abcd", &[9, 72, 3, 64, 4]),
        ("bda,dc->abc", &[24, 37, 5, 300]),
        ("aebf,dfce->abcd", &[12, 10, 9, 8, 12, 6]),
        ("ca,ab->cb", &[3, 5, 9000]),
        ("lab,lcb->lca", &[40, 30, 20, 0, 0, 0, 0, 0, 0, 0, 0, 5]),
    ];
    for (spec, extents) in &sizes {
        let (operands, output) = spec.split_once("->").unwrap();
        let layout = |labels: &str| {
            let shape: Vec<String> =
                labels.bytes().map(|label| extents[(label - b'a') as usize].to_string()).collect();
            Layout::column_major(&format!("({})", shape.join(",")).parse().unwrap()).unwrap()
        };
        let tensors: Vec<Tensor<Vec<f64>>> = operands
            .split(',')
            .map(|labels| Tensor::from_fn(layout(labels), |i| ((i * 7 + i / 5) % 11) as f64 - 5.0).unwrap())
            .collect();
        let views: Vec<&dyn Operand<f64>> = tensors.iter().map(|tensor| tensor as _).collect();
        let references: Vec<Tensor<&Vec<f64>>> = tensors.iter().map(|tensor| tensor.view()).collect();
        let mut theirs = Tensor::filled(layout(output), 0.0).unwrap();
        reference::contract(spec, 1.0, &references, 0.0, &mut theirs, |x| x).unwrap();
        for threads in [1, 2] {
            let mut ours = Tensor::filled(layout(output), f64::NAN).unwrap();
            contract_into(spec, 1.0, &views, 0.0, &mut ours, &Execution::threads(threads)).unwrap();
            assert!(ours.accessor() == theirs.accessor(), "{spec}, {threads} threads");
        }
    }
}

/// Where sums are short, and the first operand has the order of the output, or has to be transposed into it, block by block:
/// backwards, in blocks of the whole and of a part, what is not read, and any number of threads.
#[test]
fn short_sums_agree() {
    let (transposed, in_place) = ("is brought to the cache in the order of the output", "is read in place");
    let cases = [
        (
            "efbad,cf->abcde",
            3600,
            layout!((40,18,6,20,5):(1,40,-720,4320,86400)),
            layout!((3,18):(1,4)),
            layout!((20,6,3,5,40):(1,20,130,400,2000)),
            transposed,
        ),
        (
            "dbea,ec->abcd",
            0,
            layout!((75,12,20,24):(1,75,900,18000)),
            layout!((20,3):(3,1)),
            layout!((24,12,3,75):(1,25,300,900)),
            transposed,
        ),
        (
            "efbad,cf->abcde",
            3600,
            layout!((40,18,6,20,5):(1,40,-720,4320,86400)),
            layout!((3,18):(1,4)),
            layout!((20,6,3,5,40):(800,130,41,16500,1)),
            in_place,
        ),
        (
            "dbea,ec->abcd",
            0,
            layout!((75,12,20,24):(1,75,900,18000)),
            layout!((20,3):(3,1)),
            layout!((24,12,3,75):(2800,75,901,1)),
            in_place,
        ),
    ];
    for (place, (spec, start, of_a, of_b, of_c, how)) in cases.into_iter().enumerate() {
        let data = |layout: &Layout, start: i64| -> Vec<f32> {
            (0..=start + layout.max_offset().unwrap()).map(|i| ((i * 7 + i / 5) % 11) as f32 - 5.0).collect()
        };
        let a = Tensor::with_offset(data(&of_a, start), start, of_a).unwrap();
        let b = Tensor::new(data(&of_b, 0), of_b).unwrap();
        let plan = ContractPlan::<f32>::for_tensors(
            spec,
            &[a.view(), b.view()],
            &Tensor::new(data(&of_c, 0), of_c).unwrap(),
        );
        assert!(plan.unwrap().explain().contains(how), "{spec}");
        let calls = [(1.0, 0.0, 1), (3.0, -1.0, 2), (0.0, 2.0, 3)].into_iter().enumerate();
        // Where nothing is optimised, one call of each; `.ci/harness` makes all.
        let calls = calls.filter(|(call, _)| !cfg!(debug_assertions) || call % 3 == place % 3);
        for (_, (alpha, beta, threads)) in calls {
            let mut ours = Tensor::new(data(&of_c, 0), of_c).unwrap();
            let mut theirs = ours.clone();
            let views = [a.view(), b.view()];
            reference::contract(spec, alpha as f64, &views, beta as f64, &mut theirs, |x| x as f32).unwrap();
            let execution = Execution::threads(threads);
            contract_into(spec, alpha, &[&a, &b], beta, &mut ours, &execution).unwrap();
            assert!(ours.accessor() == theirs.accessor(), "{spec} {alpha} {beta}, {threads} threads");
        }
    }
}

/// Where nothing is used twice there are plain loops, in blocks: extents beyond theirs, from contiguous and from jumping
/// operands, and from those of stride 0.
#[test]
fn streams_agree() {
    let mut random = Random::congruential(7);
    let specs: [(&str, &[usize]); 15] = [
        ("ab,ab->ab", &[700, 9]),
        ("ab,ba->ab", &[40, 90]),
        ("ab,ab->", &[3000, 6]),
        ("ab,ab->", &[2, 9000]),
        ("ab,ab->a", &[5, 3001]),
        ("ab,ab->a", &[2500, 3]),
        ("ab,b->a", &[130, 70]),
        ("ab,a->b", &[7, 2100]),
        ("ab->ba", &[130, 70]),
        ("abc->bca", &[13, 70, 20]),
        ("abc,b->ca", &[40, 30, 50]),
        ("a,->a", &[5000]),
        ("a,b->ba", &[70, 80]),
        ("bij,bj->bi", &[0, 600, 0, 0, 0, 0, 0, 0, 3, 5]),
        ("ijb,jkb->ikb", &[0, 300, 0, 0, 0, 0, 0, 0, 3, 2, 4]),
    ];
    for round in 0..specs.len() * if cfg!(debug_assertions) { 4 } else { 40 } {
        let (spec, extents) = specs[round % specs.len()];
        let (operands, output) = spec.split_once("->").unwrap();
        let sizes = |labels: &str| -> Vec<usize> {
            labels.bytes().map(|label| extents[(label - b'a') as usize]).collect()
        };
        let mut tensor = |labels: &str, free| {
            let (layout, start) = random.layout(&sizes(labels), free);
            let data: Vec<f64> = random.data(&layout, start).into_iter().map(|x| x as f64).collect();
            Tensor::with_offset(data, start, layout).unwrap()
        };
        let tensors: Vec<Tensor<Vec<f64>>> = operands.split(',').map(|labels| tensor(labels, true)).collect();
        let before = tensor(output, false);
        let views: Vec<&dyn Operand<f64>> = tensors.iter().map(|tensor| tensor as _).collect();
        let references: Vec<Tensor<&Vec<f64>>> = tensors.iter().map(|tensor| tensor.view()).collect();
        let execution = Execution::threads(1 + round % 3);
        let layouts: Vec<String> = tensors.iter().map(|tensor| tensor.layout().to_string()).collect();
        for (alpha, beta) in [(3.0, -1.0), (1.0, 0.0)] {
            let (mut ours, mut theirs) = (before.clone(), before.clone());
            contract_into(spec, alpha, &views, beta, &mut ours, &execution).unwrap();
            reference::contract(spec, alpha, &references, beta, &mut theirs, |x| x).unwrap();
            let to = ours.layout();
            assert!(ours.accessor() == theirs.accessor(), "{spec} {layouts:?} to {to}, {alpha} and {beta}");
        }
    }
}

/// Sums of fractions, too: each is the same for any number of threads.
#[test]
fn threads_make_no_difference() {
    let data: Vec<f32> = (0..200_000).map(|i| 1.0 / (i % 1013 + 1) as f32).collect();
    let layouts: [(&str, Layout, Layout); 3] = [
        ("i,i->", layout!(200000:1), layout!(1:0)),
        ("ij,ij->i", layout!((20,10000):(10000,1)), layout!(20:1)),
        ("ij,ij->j", layout!((20,10000):(10000,1)), layout!(10000:1)),
    ];
    for (spec, layout, output) in layouts {
        let tensor = Tensor::new(&data[..], layout).unwrap();
        let run = |threads| {
            let mut c = Tensor::filled(output, 0.0).unwrap();
            contract_into(spec, 1.0, &[&tensor, &tensor], 0.0, &mut c, &Execution::threads(threads)).unwrap();
            c.into_parts().0
        };
        let alone = run(1);
        assert!([2, 3, 7].into_iter().all(|threads| run(threads) == alone), "{spec}");
    }
}

/// One progress over all pairs, that ends with 1.
#[test]
fn progress_goes_on() {
    let matrix = Tensor::filled(layout!((40,40):(1,40)), 1.0).unwrap();
    let mut c = matrix.clone();
    let seen = std::sync::Mutex::new(vec![0.0]);
    let progress = |part| seen.lock().unwrap().push(part);
    let execution = Execution::default().reporting_to(&progress);
    contract_into("ab,bc,cd->ad", 1.0, &[&matrix, &matrix, &matrix], 0.0, &mut c, &execution).unwrap();
    let seen = seen.into_inner().unwrap();
    assert!(seen.windows(2).all(|pair| pair[0] <= pair[1]), "{seen:?}");
    assert!((seen.last().unwrap() - 1.0).abs() < 1e-9 && seen.contains(&0.5), "{seen:?}");
}

/// Many operands: the order is chosen, and where their number is large, greedily.
#[test]
fn chains_of_operands_agree() {
    for count in [3usize, 6, 10, 12, 20] {
        let label = |i: usize| (b'a' + i as u8) as char;
        let extent = |i: usize| 2 + (i as i64 * 5) % 4;
        let specs: Vec<String> = (0..count).map(|i| format!("{}{}", label(i), label(i + 1))).collect();
        let tensors: Vec<Tensor<Vec<f64>>> = (0..count)
            .map(|i| {
                let layout = Layout::of((extent(i), extent(i + 1)), (extent(i + 1), 1)).unwrap();
                Tensor::from_fn(layout, |x| (x % 3) as f64 - 1.0).unwrap()
            })
            .collect();
        let views: Vec<&dyn Operand<f64>> = tensors.iter().map(|tensor| tensor as _).collect();
        let ours = contract(&specs.join(","), &views, &Execution::threads(2)).unwrap();
        // One after the other.
        let mut product = tensors[0].clone();
        for next in &tensors[1..] {
            product = contract("ij,jk", &[&product, next], &Execution::default()).unwrap();
        }
        assert!(ours.iter().eq(product.iter()), "{count}");
    }
}

/// The cheaper product comes first, and the plan says what became of the labels.
#[test]
fn plans_explain_themselves() {
    let matrix = |m: i64, n: i64| Layout::of((m, n), (1, m)).unwrap();
    let operands = [matrix(50, 40), matrix(40, 2), matrix(2, 3)];
    let plan = ContractPlan::<f32>::new("ab,bc,cd->ad", &operands, &matrix(50, 3)).unwrap();
    let text = plan.explain();
    assert!(text.starts_with("result 1[ac] from operand 1[ab] and operand 2[bc]"), "{text}");
    let operands = [matrix(2, 3), matrix(3, 40), matrix(40, 50)];
    let text = ContractPlan::<f32>::new("ab,bc,cd->ad", &operands, &matrix(2, 50)).unwrap().explain();
    assert!(text.starts_with("result 1[ac] from operand 1[ab] and operand 2[bc]"), "{text}");
    let operands = [matrix(50, 40), matrix(40, 30), matrix(30, 1)];
    let text = ContractPlan::<f32>::new("ab,bc,cd->ad", &operands, &matrix(50, 1)).unwrap().explain();
    assert!(text.starts_with("result 1[db] from operand 2[bc] and operand 3[cd]"), "{text}");
    // Equation 1 of the paper: rows s and p, columns q, reduced u and r, batch t.
    let (a, b) = (layout!((2,3,4,5,6):(1,2,6,24,120)), layout!((7,3,6,4):(1,7,21,126)));
    let c = layout!((2,3,7,5):(1,2,6,42));
    let text = ContractPlan::<f32>::new("stupr,qtru->stqp", &[a, b], &c).unwrap().explain();
    assert!(text.contains("m (s:2,p:5) = 10, n (q:7) = 7, k (u:4,r:6) = 24, batch (t:3) = 3"), "{text}");
}

/// One operand whose labels change places is copied, and a matrix by a vector is no nest of loops.
#[test]
fn copies_and_vectors_explain_themselves() {
    let (matrix, vector) = (layout!((300,400):(1,300)), layout!(400:1));
    let explained = |spec, operands: &[Layout], output: &Layout| {
        ContractPlan::<f32>::new(spec, operands, output).unwrap().explain()
    };
    let text = explained("ab->ba", &[matrix], &layout!((400,300):(1,400)));
    assert!(text.contains("by COPY"), "{text}");
    for (spec, operand) in [("ab->a", matrix), ("aab->ab", layout!((3,3,4):(1,3,9)))] {
        let output = if spec == "ab->a" { layout!(300:1) } else { layout!((3,4):(1,3)) };
        let text = explained(spec, &[operand], &output);
        assert!(!text.contains("by COPY"), "{spec}: {text}");
    }
    let text = explained("ab,b->a", &[matrix, vector], &layout!(300:1));
    assert!(text.contains("a matrix by a vector"), "{text}");
    let text = explained("ab,b->ab", &[matrix, vector], &matrix);
    assert!(text.contains("in plain loops"), "{text}");
}

#[test]
fn what_is_refused() {
    let (a, b) = (layout!((2,3):(1,2)), layout!((3,4):(1,3)));
    let c = layout!((2,4):(1,2));
    let code = |spec: &str, operands: &[Layout], output: &Layout| {
        let error = ContractPlan::<f32>::new(spec, operands, output).unwrap_err();
        (error.code(), error.to_string())
    };
    for (spec, part) in [
        ("ab,bc->ad", "no operand has the label 'd', which the output asks for:\n  ab,bc->ad\n          ^"),
        ("ab,b1->ac", "'1' is no label from a to z or A to Z, no comma and no '->':\n  ab,b1->ac\n      ^"),
        ("...b->b", "an ellipsis is not read; give each of its modes a label:\n  ...b->b\n  ^"),
        ("ab,bc->aca", "the output has the label 'a' already"),
        ("ab,bc->a,c", "a comma separates operands"),
        ("ab,bc-ac", "'-' is followed by '>'"),
        ("ab,bc->ac->", "there is one '->'"),
        ("ab->ab", "the specification has 1 operand, and was given 2"),
        ("abc,bc->ac", "operand 1 has 2 modes and 3 labels, \"abc\""),
        ("ab,ac->bc", "label 'a' has 2 values in operand 1 and 3 in operand 2"),
        ("ab,bc->ca", "label 'c' has 4 values in operand 2 and 2 in the output"),
    ] {
        let (code, text) = code(spec, &[a, b], &c);
        assert_eq!(code, "specification", "{spec}");
        assert!(text.contains(part), "{spec}: {text}");
    }
    assert_eq!(code("ab,bc->ac", &[a, b], &layout!((2,4):(1,1))).0, "aliasing");
    assert_eq!(code("ab,bc->ac", &[a, b], &layout!((2,4):(1,0))).0, "aliasing");
    assert_eq!(code("ab,bc->ac", &[a, layout!((3,4):(1@0,1@1))], &c).0, "codomain");
    let long = layout!((2,1099511627776):(1,0));
    assert_eq!(code("ab,cb->ac", &[long, long], &layout!((2,2):(1,2))).0, "memory");
    let plan = ContractPlan::<f32>::new("ab,bc->ac", &[a, b], &c).unwrap();
    let mut sums = [7.0; 8];
    let mut run = |a: usize, b: usize, c: usize| {
        let data = [0.0; 12];
        let result = plan.run(1.0, &[&data[..a], &data[..b]], 0.0, &mut sums[..c], &Execution::default());
        result.map_err(|error| error.to_string())
    };
    assert!(run(5, 12, 8).unwrap_err().starts_with("operand 1 has offsets from 0 to 5"));
    assert!(run(6, 11, 8).unwrap_err().starts_with("operand 2 has offsets from 0 to 11"));
    assert!(run(6, 12, 7).unwrap_err().starts_with("the output has offsets from 0 to 7"));
    run(6, 12, 8).unwrap();
    assert_eq!(sums, [0.0; 8]);
    let three = plan.run(1.0, &[&[0.0; 6]], 0.0, &mut sums, &Execution::default());
    assert_eq!(three.unwrap_err().code(), "specification");
    let aliased = layout!((3,4):(^1,^1));
    assert_eq!(code("ab,bc->ac", &[b, layout!((4,4):(1,4))], &aliased).0, "aliasing");
    let xor = layout!((3,4):(^1,^4));
    let result = ContractPlan::<f32>::new("ab->b", &[xor], &layout!(4:1)).unwrap().run(
        1.0,
        &[&[0.0; 14]],
        0.0,
        &mut [0.0; 4],
        &Execution::default(),
    );
    assert!(result.unwrap_err().to_string().starts_with("operand 1 has offsets from 0 to 14"));
}

/// Swizzled layouts and XOR strides, as operands and as outputs, with what was in the output before.
#[test]
fn swizzled_operands() {
    let swizzled = |text: &str| text.parse::<tilework::Composed>().unwrap();
    let a = swizzled("Sw<2,0,3> o 0 o (8,4,8):(4,1,32)");
    let data: Vec<f32> = (0..256).map(|i| (i * 7 % 11) as f32 - 5.0).collect();
    let (xor, plain) = (layout!((4,8):(^1,^4)), layout!((8,8):(1,8)));
    let (first, second) = (Tensor::new(&data[..], a).unwrap(), Tensor::new(&data[100..132], xor).unwrap());
    let third = Tensor::with_offset(&data[..], 3, plain).unwrap();
    let to = swizzled("Sw<1,1,2> o 0 o (8,8):(8,1)");
    for (spec, third) in [("akb,kc->ac", None), ("akb,kc,cb->ac", Some(&third))] {
        let mut views: Vec<&dyn Operand<f32>> = vec![&first, &second];
        let mut ours = Tensor::new(vec![2.0f32; 64], to).unwrap();
        let mut theirs = ours.clone();
        views.extend(third.map(|third| third as &dyn Operand<f32>));
        contract_into(spec, 3.0, &views, -1.0, &mut ours, &Execution::threads(2)).unwrap();
        // By the definition.
        for i in 0..8 {
            for j in 0..8 {
                let mut sum = 0.0;
                for (k, l) in (0..4).flat_map(|k| (0..8).map(move |l| (k, l))) {
                    let factor = third.map_or(1.0, |third| third.at([j, l]));
                    sum += first.at([i, k, l]) * second.at([k, j]) * factor;
                }
                let before = theirs.at([i, j]);
                theirs.set([i, j], 3.0 * sum - before);
            }
        }
        assert_eq!(ours.accessor(), theirs.accessor(), "{spec}");
    }
}

#[test]
fn implicit_outputs_and_scalars() {
    let alone = Execution::default();
    let a = Tensor::new([1.0, 2.0, 3.0, 4.0], layout!((2,2):(1,2))).unwrap();
    let scalar = Tensor::new([10.0], layout!(1:0)).unwrap();
    let elements = |spec: &str, operands: &[&dyn Operand<f64>]| -> Vec<f64> {
        contract(spec, operands, &alone).unwrap().iter().collect()
    };
    assert_eq!(elements("ba", &[&a]), [1.0, 3.0, 2.0, 4.0]);
    assert_eq!(elements("ii", &[&a]), [5.0]);
    assert_eq!(elements(" a b , -> b a", &[&a, &scalar]), [10.0, 30.0, 20.0, 40.0]);
    assert_eq!(elements("ii->i", &[&a]), [1.0, 4.0]);
    assert_eq!(elements("ij,ij->ij", &[&a, &a]), [1.0, 4.0, 9.0, 16.0]);
}

/// Outputs whose layout is left open: the labels in the order in which they are written fastest.
#[test]
fn free_outputs() {
    let row_major = |labels: &str, extents: &[(char, i64)]| {
        let extent = |label: char| extents.iter().find(|entry| entry.0 == label).unwrap().1;
        let shape: Vec<String> = labels.chars().map(|label| extent(label).to_string()).collect();
        Layout::row_major(&format!("({})", shape.join(",")).parse().unwrap()).unwrap()
    };
    let all = [('a', 20), ('b', 30), ('c', 40), ('d', 50), ('i', 4), ('j', 3), ('k', 5)];
    let cases = [
        // Rows and columns, of which only one is contiguous, or both, or none.
        ("ab,bc->ac", "ca"),
        ("ba,bc->ac", "ca"),
        ("ba,cb->ac", "ac"),
        ("ab,cb->ac", "ca"),
        ("ab,cb->ca", "ca"),
        ("adb,bc->acd", "cda"),
        // A batch lies outside, unless the products are tiny and lie side by side.
        ("bac,bcd->bad", "dab"),
        ("cab,cdb->cad", "dac"),
        ("ija,jka->ika", "aki"),
        // Where nothing is used twice the larger operand decides.
        ("ab->ba", "ba"),
        ("abc->ca", "ca"),
        ("cab,ab->bac", "bac"),
        ("ab,ba->ab", "ba"),
        ("a,b->ab", "ba"),
        ("i,dj->dij", "jdi"),
    ];
    for (spec, labels) in cases {
        let (operands, output) = spec.split_once("->").unwrap();
        let operands: Vec<Tensor<tilework::Counting>> = operands
            .split(',')
            .map(|labels| Tensor::new(tilework::Counting, row_major(labels, &all)).unwrap())
            .collect();
        let plan = ContractPlan::<f32>::with_free_output(spec, &operands).unwrap();
        assert!(
            plan.explain().ends_with(&format!("left open: \"{labels}\", the first label fastest\n")),
            "{spec}: {}",
            plan.explain()
        );
        let mut stride = 1;
        for label in labels.chars() {
            let mode = plan.output().layout().mode(output.find(label).unwrap()).unwrap();
            assert_eq!(mode.leaves()[0].stride.as_integer(), Some(stride), "{spec}");
            stride *= mode.size();
        }
        assert_eq!(stride, plan.output().layout().size(), "{spec}");
    }
    // A layout that is given is stated as it is.
    let (vector, swizzled) = (layout!(8:1), "Sw<1,0,2> o 0 o 8:1".parse::<tilework::Composed>().unwrap());
    let plan = ContractPlan::<f32>::new("a->a", &[vector], &swizzled).unwrap();
    assert_eq!(plan.output(), swizzled.into());
    let long = Tensor::new(tilework::Counting, layout!(4294967296:0)).unwrap();
    let error = ContractPlan::<f32>::with_free_output("a,b->ab", &[long, long]).unwrap_err();
    assert_eq!(error.code(), "overflow");
}

/// Random contractions, of one to four operands, on every set of instructions.
#[test]
fn free_outputs_agree() {
    let mut random = Random::congruential(11);
    for round in 0..if cfg!(debug_assertions) { 100 } else { 4000 } {
        let count = 1 + random.below(4) as usize;
        let extents: Vec<usize> = (0..5).map(|_| random.choose(&[1, 2, 3, 5, 8, 17])).collect();
        let mut labels: Vec<Vec<u8>> = vec![Vec::new(); count + 1];
        let mut size = 1;
        for label in 0..1 + random.below(5) as u8 {
            size *= extents[label as usize];
            if size > 20_000 {
                break;
            }
            let first = random.below(count as u64) as usize;
            for (i, own) in labels.iter_mut().enumerate() {
                if i == first || random.below(2) == 0 {
                    own.push(b'a' + label);
                }
            }
        }
        for own in &mut labels {
            (1..own.len()).for_each(|i| own.swap(i, random.below(i as u64 + 1) as usize));
        }
        let texts: Vec<String> = labels.iter().map(|own| String::from_utf8(own.clone()).unwrap()).collect();
        let spec = format!("{}->{}", texts[..count].join(","), texts[count]);
        let tensors: Vec<Tensor<Vec<f64>>> = labels[..count]
            .iter()
            .map(|own| {
                let sizes: Vec<usize> = own.iter().map(|&label| extents[(label - b'a') as usize]).collect();
                let (layout, start) =
                    if sizes.is_empty() { (layout!(1:0), 0) } else { random.layout(&sizes, true) };
                let data = random.data(&layout, start).into_iter().map(|x| x as f64).collect();
                Tensor::with_offset(data, start, layout).unwrap()
            })
            .collect();
        let views: Vec<&dyn Operand<f64>> = tensors.iter().map(|tensor| tensor as _).collect();
        let references: Vec<Tensor<&Vec<f64>>> = tensors.iter().map(|tensor| tensor.view()).collect();
        for isa in Isa::available() {
            let ours =
                isa.force(|| contract(&spec, &views, &Execution::threads(1 + round % 3))).unwrap().unwrap();
            assert!(
                ours.layout().is_compact().unwrap() && ours.accessor().len() as i64 == ours.size(),
                "{spec}"
            );
            let mut theirs = Tensor::filled(*ours.layout(), f64::NAN).unwrap();
            reference::contract(&spec, 1.0, &references, 0.0, &mut theirs, |x| x).unwrap();
            let layouts: Vec<String> = tensors.iter().map(|tensor| tensor.layout().to_string()).collect();
            assert!(ours.accessor() == theirs.accessor(), "{spec} {layouts:?} to {} by {isa}", ours.layout());
        }
    }
}

/// The elements of C are written even where they were no numbers, and nothing is read where a factor is 0.
#[test]
fn what_is_not_a_number_is_not_read() {
    let nan = Tensor::new([f32::NAN; 6], layout!((2,3):(1,2))).unwrap();
    let one = Tensor::new([1.0f32; 6], layout!((2,3):(1,2))).unwrap();
    for spec in ["ab,ab->ab", "ab,ab->a", "ab,cb->ac", "ab,cb,ad->dc"] {
        let count = spec.matches(',').count();
        let output = if spec == "ab,ab->ab" { layout!((2,3):(1,2)) } else { layout!(2:1) };
        let output = match spec {
            "ab,cb->ac" => layout!((2,2):(1,2)),
            "ab,cb,ad->dc" => layout!((3,2):(1,3)),
            _ => output,
        };
        let mut c = Tensor::filled(output, f32::NAN).unwrap();
        let ones: Vec<&dyn Operand<f32>> = vec![&one; count + 1];
        let nans: Vec<&dyn Operand<f32>> = vec![&nan; count + 1];
        contract_into(spec, 1.0, &ones, 0.0, &mut c, &Execution::default()).unwrap();
        assert!(c.iter().all(|x| x > 0.0), "{spec}");
        contract_into(spec, 0.0, &nans, 1.0, &mut c, &Execution::default()).unwrap();
        assert!(c.iter().all(|x| x > 0.0), "{spec}");
    }
}

#[test]
fn stops_when_told() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let a = Tensor::filled(layout!((64,64):(1,64)), 1.0).unwrap();
    let mut c = Tensor::filled(layout!((64,64):(1,64)), 0.0).unwrap();
    let execution = Execution::default().cancelled_by(&stop);
    let result = contract_into("ab,bc->ac", 1.0, &[&a, &a], 0.0, &mut c, &execution);
    assert_eq!(result, Err(Error::Cancelled));
}

//! The programs of the library: proved for all sizes, and exact at ragged ones.

use testkit::coordinates;
use tilework_program::kernel::Fold;
use tilework_program::library::{self, Gemm};
use tilework_program::{Buffers, Element, Program, Space, bf16, f16};

type Given<'a> = &'a [(&'a str, i64)];

/// A small integer that depends on every coordinate.
fn input(at: &[i64]) -> f64 {
    let mixed = at.iter().fold(7i64, |sum, index| sum * 31 + index * index + index);
    (mixed % 17 - 8) as f64
}

fn ran(program: &Program, given: Given<'_>) -> Buffers {
    let sizes = program.sizes(given).unwrap();
    let mut buffers = Buffers::new(program, &sizes).unwrap();
    for tensor in program.tensors().iter().filter(|tensor| tensor.space == Space::Read) {
        buffers.fill(&tensor.name, input).unwrap();
    }
    program.run(&sizes, &mut buffers).unwrap_or_else(|error| panic!("{given:?}: {error}\n{program}"));
    buffers
}

fn assert_near(buffers: &Buffers, name: &str, relative: f64, expected: impl Fn(&[i64]) -> f64) {
    let extents = buffers.extents(name).unwrap().to_vec();
    for at in coordinates(&extents) {
        let (found, expected) = (buffers.at(name, &at).unwrap(), expected(&at));
        assert!(
            (found - expected).abs() <= relative * expected.abs(),
            "{name}{at:?}: {found}, not {expected}"
        );
    }
}

/// What a report says is proved, and the text is read back.
fn proved(program: Program) -> Program {
    let report = program.check().unwrap();
    assert!(report.is_proved(), "{program}\n{report}");
    assert_eq!(program.to_string().parse::<Program>().unwrap(), program);
    program
}

/// The same, and no two threads of a warp meet in a bank.
fn free_of_conflicts(program: Program) -> Program {
    let report = program.check().unwrap().to_string();
    assert!(!report.contains("ways in a bank"), "{program}\n{report}");
    proved(program)
}

#[test]
fn copies_of_any_two_layouts() {
    let cases: [(&str, &str, &[Given<'_>]); 6] = [
        ("M:1", "M:1", &[&[("M", 1)], &[("M", 257)]]),
        ("(M,N):(lda,1)", "(M,N):(ldb,1)", &[&[("M", 3), ("N", 300)]]),
        ("(M,N):(lda,1)", "(M,N):(1,ldb)", &[&[("M", 1), ("N", 1)], &[("M", 33), ("N", 65)]]),
        ("(P,Q,R):(p,q,1)", "(P,Q,R):(1,s,r)", &[&[("P", 40), ("Q", 2), ("R", 31)]]),
        ("(P,Q,R,S):(p,q,r,1)", "(P,Q,R,S):(t,u,1,v)", &[&[("P", 2), ("Q", 3), ("R", 33), ("S", 5)]]),
        ("(2,P,Q,R,S):(o,p,q,r,1)", "(2,P,Q,R,S):(1,t,u,v,w)", &[&[("P", 2), ("Q", 1), ("R", 3), ("S", 35)]]),
    ];
    for (from, to, sizes) in cases {
        let program = free_of_conflicts(library::copy::<f32>(from, to).unwrap());
        sizes.iter().for_each(|given| assert_near(&ran(&program, given), "B", 0.0, input));
    }
    let half = free_of_conflicts(library::copy::<f16>("(M,N):(lda,1)", "(M,N):(1,ldb)").unwrap());
    assert_near(&ran(&half, &[("M", 33), ("N", 9)]), "B", 0.0, input);
    let refused = library::copy::<f32>("(M,N):(lda,1)", "(N,M):(1,ldb)").unwrap_err().to_string();
    assert!(refused.contains("a copy has one shape, not (M,N) and (N,M)"), "{refused}");
}

#[test]
fn folds_along_any_mode() {
    let sum = |program: Program, given: Given<'_>, terms: &dyn Fn(&[i64]) -> Vec<Vec<i64>>| {
        let program = proved(program);
        assert_near(&ran(&program, given), "y", 0.0, |at| terms(at).iter().map(|own| input(own)).sum());
    };
    let whole = library::reduce::<f32>(Fold::SUM, "N:1", 0, "1:1").unwrap();
    sum(whole, &[("N", 300)], &|_| (0..300).map(|n| vec![n]).collect());
    for (m, n) in [(1, 1), (3, 129), (130, 2)] {
        let given: Given<'_> = &[("M", m), ("N", n)];
        let rows = library::reduce::<f32>(Fold::SUM, "(M,N):(lda,1)", 1, "M:1").unwrap();
        sum(rows, given, &|at| (0..n).map(|n| vec![at[0], n]).collect());
        let columns = library::reduce::<f32>(Fold::SUM, "(M,N):(lda,1)", 0, "N:1").unwrap();
        sum(columns, given, &|at| (0..m).map(|m| vec![m, at[0]]).collect());
    }
    let deep = library::reduce::<f32>(Fold::SUM, "(P,Q,R,S):(p,q,r,1)", 1, "(P,R,S):(t,u,1)").unwrap();
    sum(deep, &[("P", 2), ("Q", 3), ("R", 4), ("S", 5)], &|at| {
        (0..3).map(|q| vec![at[0], q, at[1], at[2]]).collect()
    });
    let low = proved(library::reduce::<f32>(Fold::MIN, "(M,N):(1,lda)", 0, "N:1").unwrap());
    assert_near(&ran(&low, &[("M", 200), ("N", 2)]), "y", 0.0, |at| {
        (0..200).map(|m| input(&[m, at[0]])).fold(f64::INFINITY, f64::min)
    });
    let refused = library::reduce::<i32>(Fold::MAX, "N:1", 0, "1:1").unwrap_err().to_string();
    assert!(refused.contains("-inf is no value of i32"), "{refused}");
}

#[test]
fn products_of_any_order() {
    let orders = ["(lda,1)", "(1,lda)"];
    let term = |at: &[i64], own: usize, k: i64| {
        let mut place = vec![at[own], k];
        place.extend(at.get(2));
        input(&place)
    };
    let sum = |at: &[i64], depth: i64| -> f64 { (0..depth).map(|k| term(at, 0, k) * term(at, 1, k)).sum() };
    for (a, b, c, stages) in [(0, 0, 0, 1), (0, 1, 1, 2), (1, 0, 0, 3), (1, 1, 0, 1)] {
        let layout = |extents: &str, order: usize, name: &str| {
            format!("{extents}:{}", orders[order].replace("lda", name))
        };
        let gemm =
            Gemm::new(&layout("(M,K)", a, "lda"), &layout("(N,K)", b, "ldb"), &layout("(M,N)", c, "ldc"));
        let program = free_of_conflicts(gemm.tile([32, 16, 16]).stages(stages).build(|sum| sum).unwrap());
        for (m, n, k) in [(1, 1, 1), (33, 17, 35)] {
            assert_near(&ran(&program, &[("M", m), ("N", n), ("K", k)]), "C", 0.0, |at| sum(at, k));
        }
    }
    let batched =
        Gemm::new("(M,K,B):(a,1,x)", "(N,K,B):(1,b,y)", "(M,N,B):(c,1,z)").tile([16, 32, 16]).bias("N:1");
    let program = free_of_conflicts(batched.build(|sum| sum.max(0.0)).unwrap());
    let buffers = ran(&program, &[("M", 3), ("N", 34), ("K", 18), ("B", 2)]);
    assert_near(&buffers, "C", 0.0, |at| (sum(at, 18) + input(&at[1..2])).max(0.0));
    let refused = batched.tile([48, 32, 16]).build(|sum| sum).unwrap_err().to_string();
    assert!(refused.contains("powers of 2 from 16 to 256"), "{refused}");
}

/// In f16 and bf16, with any order of operands.
#[test]
fn products_on_tensor_cores() {
    let term = |at: &[i64], own: usize, k: i64| {
        let mut place = vec![at[own], k];
        place.extend(at.get(2));
        input(&place)
    };
    let sum = |at: &[i64], depth: i64| -> f64 { (0..depth).map(|k| term(at, 0, k) * term(at, 1, k)).sum() };
    let half = "SM80_16x8x16_F32F16F16F32_TN";
    let orders = ["(lda,1)", "(1,lda)"];
    for (a, b, stages) in [(0, 0, 3), (0, 1, 2), (1, 0, 2), (1, 1, 4)] {
        let layout = |extents: &str, order: usize, name: &str| {
            format!("{extents}:{}", orders[order].replace("lda", name))
        };
        let gemm =
            Gemm::new(&layout("(M,K)", a, "lda"), &layout("(N,K)", b, "ldb"), "(M,N):(ldc,1)").stages(stages);
        let program = gemm.tile([32, 32, 32]).build_by::<f16, _>(half, [2, 1], |sum| sum).unwrap();
        let program = free_of_conflicts(program);
        for (m, n, k) in [(8, 8, 8), (40, 16, 72)] {
            assert_near(&ran(&program, &[("M", m), ("N", n), ("K", k)]), "C", 0.0, |at| sum(at, k));
        }
    }
    let batched = Gemm::new("(M,K,B):(a,1,x)", "(N,K,B):(b,1,y)", "(M,N,B):(c,1,z)").bias("N:1").stages(2);
    let (short, wide) = ("SM80_16x8x8_F32BF16BF16F32_TN", "SM80_16x8x16_F32BF16BF16F32_TN");
    for (atom, side, warps) in [(short, 32, [1, 2]), (wide, 64, [2, 2])] {
        let batched = batched.clone().tile([side, side, 16]);
        let program = batched.build_by::<bf16, _>(atom, warps, |sum| sum.max(0.0).cast::<bf16>()).unwrap();
        let buffers = ran(&proved(program), &[("M", 3), ("N", 34), ("K", 24), ("B", 2)]);
        let rounded = |at: &[i64]| Element::Bf16.round((sum(at, 24) + input(&at[1..2])).max(0.0));
        assert_near(&buffers, "C", 0.0, rounded);
    }
    let wrong = |gemm: Gemm| gemm.build_by::<bf16, _>(wide, [2, 2], |sum| sum).unwrap_err().to_string();
    assert!(wrong(batched.clone().stages(1)).contains("two stages or more"));
    assert!(wrong(batched.clone().tile([48, 32, 32])).contains("128 threads do not divide a tile of 48x32"));
    let strided = Gemm::new("(M,K):(a,x)", "(N,K):(b,1)", "(M,N):(c,1)").stages(2);
    assert!(wrong(strided).contains("one of the first two of two or three modes is contiguous"));
}

#[test]
fn rows_of_any_length() {
    let softmax = proved(library::softmax("(M,N):(ldx,1)", "(M,N):(ldy,1)").unwrap());
    let norm = proved(library::layer_norm("(M,N):(ldx,1)", "(M,N):(ldy,1)").unwrap());
    for n in [1, 127, 300] {
        let all = |m: i64| (0..n).map(move |n| input(&[m, n]));
        let given: Given<'_> = &[("M", 2), ("N", n)];
        assert_near(&ran(&softmax, given), "Y", 1e-5, |at| {
            input(at).exp() / all(at[0]).map(f64::exp).sum::<f64>()
        });
        let sizes = norm.sizes(given).unwrap();
        let mut buffers = Buffers::new(&norm, &sizes).unwrap();
        buffers.fill("X", input).unwrap();
        buffers.fill("gamma", |at| (at[0] + 1) as f64).unwrap();
        buffers.fill("beta", |_| 1000.0).unwrap();
        buffers.set_scalar("epsilon", 1.0).unwrap();
        norm.run(&sizes, &mut buffers).unwrap();
        assert_near(&buffers, "Y", 1e-5, |at| {
            let mean = all(at[0]).sum::<f64>() / n as f64;
            let square = all(at[0]).map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
            (input(at) - mean) / (square + 1.0).sqrt() * (at[1] + 1) as f64 + 1000.0
        });
    }
    let gather = proved(library::gather::<f32>("(V,D):(ld,1)", "(R,D):(D,1)").unwrap());
    let sizes = gather.sizes(&[("V", 5), ("D", 130), ("R", 7)]).unwrap();
    let mut buffers = Buffers::new(&gather, &sizes).unwrap();
    buffers.fill("table", input).unwrap();
    // The row 6 is none of the table's.
    buffers.fill("rows", |at| ((at[0] * 3) % 7) as f64).unwrap();
    gather.run(&sizes, &mut buffers).unwrap();
    assert_near(&buffers, "out", 0.0, |at| match (at[0] * 3) % 7 {
        row if row < 5 => input(&[row, at[1]]),
        _ => 0.0,
    });
}

#[test]
fn attention_and_packed_weights() {
    let layouts = ["(M,32):(ldq,1)", "(N,32):(ldk,1)", "(N,32):(ldv,1)", "(M,32):(ldo,1)"];
    let small = |at: &[i64]| input(at) / 8.0;
    for (causal, m, n) in [(false, 1, 1), (false, 17, 35), (true, 19, 19)] {
        let program = proved(library::attention::<f32>(layouts, causal).unwrap());
        let sizes = program.sizes(&[("M", m), ("N", n)]).unwrap();
        let mut buffers = Buffers::new(&program, &sizes).unwrap();
        ["Q", "K", "V"].iter().for_each(|name| buffers.fill(name, small).unwrap());
        buffers.set_scalar("scale", 0.5).unwrap();
        program.run(&sizes, &mut buffers).unwrap();
        for row in 0..m {
            let seen = if causal { row + 1 } else { n };
            let dot = |n: i64| (0..32).map(|d| small(&[row, d]) * small(&[n, d])).sum::<f64>();
            let weights: Vec<f64> = (0..seen).map(|n| (0.5 * dot(n)).exp()).collect();
            for d in 0..32 {
                let sum: f64 = weights.iter().zip(0..).map(|(weight, n)| weight * small(&[n, d])).sum();
                let expected = sum / weights.iter().sum::<f64>();
                let found = buffers.at("O", &[row, d]).unwrap();
                assert!((found - expected).abs() <= 1e-5, "O({row},{d}): {found}, not {expected}");
            }
        }
    }
    let product = library::mlx_product::<f32>("(M,K):(lda,1)", "(N,K/8):(K/8,1)", "(M,N):(ldc,1)");
    let product = proved(product.unwrap());
    let sizes = product.sizes(&[("M", 3), ("N", 34), ("K", 128)]).unwrap();
    let mut buffers = Buffers::new(&product, &sizes).unwrap();
    ["A", "scales", "biases"].iter().for_each(|name| buffers.fill(name, input).unwrap());
    let packed = |n: i64, word: i64| (n * 2_654_435_761 + word * 40_503 + 12_345) % (1 << 32);
    buffers.fill("W", |at| packed(at[1], at[2]) as f64).unwrap();
    product.run(&sizes, &mut buffers).unwrap();
    let weight = |n: i64, k: i64| {
        (packed(n, k / 8) >> (4 * (k % 8)) & 15) as f64 * input(&[n, k / 64]) + input(&[n, k / 64])
    };
    assert_near(&buffers, "C", 0.0, |at| (0..128).map(|k| input(&[at[0], k]) * weight(at[1], k)).sum());
}

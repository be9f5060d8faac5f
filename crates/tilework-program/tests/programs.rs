//! The programs of `programs/`, executed at ragged sizes against plain loops.

use crate::golden::{Given, assert_equal, changed, input, program, ran, text};
use testkit::Random;
use tilework_program::{Buffers, Error, Program};

/// Sizes from 1, around the tiles, and random ones.
fn sizes(random: &mut Random, step: i64) -> Vec<i64> {
    let mut sizes = vec![1, step - 1, step, step + 1];
    sizes.push(1 + random.below(3 * step as u64) as i64);
    sizes
}

#[test]
fn copies_and_permutes_at_ragged_sizes() {
    let mut random = Random::named("copies_and_permutes");
    let [copy, transpose, permute] = ["copy", "transpose", "permute"].map(program);
    for m in sizes(&mut random, 32) {
        for n in sizes(&mut random, 32) {
            let (_, buffers) = ran(&copy, &[("M", m), ("N", n)]).unwrap();
            assert_equal(&buffers, "B", input);
            let (_, buffers) = ran(&transpose, &[("M", m), ("N", n), ("lda", n + 3)]).unwrap();
            assert_equal(&buffers, "B", input);
        }
        let (_, buffers) = ran(&permute, &[("P", m), ("Q", 3), ("R", 37)]).unwrap();
        assert_equal(&buffers, "B", input);
    }
}

#[test]
fn sums_and_products_at_ragged_sizes() {
    let [reduce, sgemm, stages] = ["reduce", "sgemm", "stages"].map(program);
    for (m, k) in [(1, 1), (7, 129), (8, 128), (9, 255), (17, 300)] {
        let (_, buffers) = ran(&reduce, &[("M", m), ("K", k)]).unwrap();
        assert_equal(&buffers, "y", |at| (0..k).map(|k| input(&[at[0], k])).sum());
    }
    let product =
        |at: &[i64], depth: i64| -> f64 { (0..depth).map(|k| input(&[at[0], k]) * input(&[at[1], k])).sum() };
    for (m, n, k) in [(1, 4, 4), (65, 4, 20)] {
        let (_, buffers) = ran(&sgemm, &[("M", m), ("N", n), ("K", k)]).unwrap();
        assert_equal(&buffers, "C", |at| (product(at, k) + input(&at[1..])).max(0.0));
    }
    for (m, n, k) in [(1, 1, 4), (17, 15, 16), (16, 33, 20), (2, 3, 132)] {
        let (_, buffers) = ran(&stages, &[("M", m), ("N", n), ("K", k)]).unwrap();
        assert_equal(&buffers, "C", |at| product(at, k));
    }
}

/// On fragments of a warp, in both types of 16 bits.
#[test]
fn matrix_instructions_at_ragged_sizes() {
    let product =
        |at: &[i64], depth: i64| -> f64 { (0..depth).map(|k| input(&[at[0], k]) * input(&[at[1], k])).sum() };
    let [half, upper] = ["F16", "BF16"].map(|of| -> Program {
        let (text, name) = (text("hgemm"), of.to_lowercase());
        text.replace("f16 ", &format!("{name} ")).replace("F16F16", &of.repeat(2)).parse().unwrap()
    });
    for (program, (m, n, k)) in [(&half, (1, 2, 8)), (&half, (17, 130, 104)), (&upper, (129, 2, 32))] {
        let (_, buffers) = ran(program, &[("M", m), ("N", n), ("K", k)]).unwrap();
        assert_equal(&buffers, "C", |at| product(at, k));
    }
}

/// Two factors with the same names, and one tensor that is both: what is summed is what differs along k.
#[test]
fn products_of_factors_with_the_same_names_are_proved() {
    let same = changed("hgemm", "read B f16 (N,K)", "read B f16 (M,K)");
    let gram = text("hgemm").replace("read B f16 (N,K):(ldb,1)\n", "").replace(" ldb % 8 == 0,", "");
    let gram: Program = gram.replace("= B[", "= A[").parse().unwrap();
    for program in [&same, &gram] {
        let report = program.check().unwrap();
        assert!(report.is_proved(), "{report}");
    }
    let (_, buffers) = ran(&gram, &[("M", 9), ("N", 8), ("K", 40)]).unwrap();
    let term = |at: &[i64], k: i64| input(&[at[0], k]) * input(&[at[1], k]);
    assert_equal(&buffers, "C", |at| (0..40).map(|k| term(at, k)).sum());
}

#[test]
fn masks_gathers_and_formats() {
    let gather = program("gather");
    let sizes = gather.sizes(&[("V", 5), ("D", 130), ("R", 7)]).unwrap();
    let mut buffers = Buffers::new(&gather, &sizes).unwrap();
    buffers.fill("table", input).unwrap();
    // The row 6 is none of the table's.
    buffers.fill("rows", |at| ((at[0] * 3) % 7) as f64).unwrap();
    gather.run(&sizes, &mut buffers).unwrap();
    assert_equal(&buffers, "out", |at| match (at[0] * 3) % 7 {
        row if row < 5 => input(&[row, at[1]]),
        _ => 0.0,
    });

    let causal = program("causal");
    let sizes = causal.sizes(&[("M", 70), ("N", 70)]).unwrap();
    let mut buffers = Buffers::new(&causal, &sizes).unwrap();
    buffers.fill("X", input).unwrap();
    buffers.set_scalar("low", -5.0).unwrap();
    causal.run(&sizes, &mut buffers).unwrap();
    assert_equal(&buffers, "Y", |at| if at[1] <= at[0] { input(at) } else { -15.0 });

    let unpack = program("unpack");
    let sizes = unpack.sizes(&[("K", 301)]).unwrap();
    let mut buffers = Buffers::new(&unpack, &sizes).unwrap();
    buffers.fill("packed", |at| ((at[1] * 37 + 5) % 256) as f64).unwrap();
    unpack.run(&sizes, &mut buffers).unwrap();
    let byte = |k: i64| (k / 2 * 37 + 5) % 256;
    assert_equal(&buffers, "out", |at| ((byte(at[0]) >> (4 * (at[0] % 2)) & 15) - 8) as f64);
}

#[test]
fn softmax_within_rounding() {
    let softmax = program("softmax");
    for n in [1, 127, 129, 1000] {
        let (_, buffers) = ran(&softmax, &[("M", 3), ("N", n)]).unwrap();
        for m in 0..3 {
            let sum: f64 = (0..n).map(|n| input(&[m, n]).exp()).sum();
            for n in 0..n {
                let found = buffers.at("Y", &[m, n]).unwrap();
                let exact = input(&[m, n]).exp() / sum;
                assert!((found - exact).abs() <= 1e-5 * exact, "{found} {exact}");
            }
        }
    }
    let refused = softmax.sizes(&[("M", 3), ("N", 1025)]).unwrap_err().to_string();
    assert!(refused.contains("assumed: N <= 1024"), "{refused}");
}

/// Mistakes show in a run: with the element, the thread and what to mend.
#[test]
fn runs_that_are_refused() {
    let shape: Given<'_> = &[("M", 40), ("N", 40)];
    let product: Given<'_> = &[("M", 20), ("N", 20), ("K", 132)];
    let multiply: Given<'_> = &[("M", 65), ("N", 68), ("K", 40)];
    let end = "  barrier\n}\nC";
    let cases: &[(&str, &str, &str, Given<'_>, &str)] = &[
        (
            "transpose",
            "barrier\n",
            "",
            shape,
            "s(0,8) is read while thread 8 writes it: no barrier is between them",
        ),
        ("transpose", "ceil(M/32)", "floor(M/32)", shape, "B(32,0) is never written"),
        ("transpose", "v 4:8@1] =", "v 4:7@1] =", shape, "is written twice"),
        ("transpose", " else 0", "", shape, "is outside of its tensor, and has no `else`"),
        (
            "transpose",
            "s[t (32,8):(1@1,1@0), v 4:8@0] =",
            "s[t (32,8):(1@1,1@0), v 4:9@0] =",
            shape,
            "is outside of its tensor",
        ),
        ("sgemm", end, "}\nC", multiply, "is overwritten while another thread reads it"),
        ("stages", "wait 1", "wait 2", product, "may be in flight: a wait is missing"),
        ("stages", "(k+2)%3", "(k)%3", product, "a wait is missing"),
        ("stages", "  barrier\n", "", product, "no barrier is between them"),
        ("reduce", "barrier\n", "", &[("M", 8), ("K", 9)], "no barrier is between them"),
        (
            "reduce",
            "sums[v 4:1@0] = 0\n",
            "",
            &[("M", 8), ("K", 9)],
            "is read before anything was written to it",
        ),
    ];
    for (name, from, to, given, wanted) in cases {
        let wrong = ran(&changed(name, from, to), given).map(|_| ()).unwrap_err();
        assert!(wrong.to_string().contains(wanted), "{name} with {to:?} for {from:?}: {wrong}");
        assert_eq!(wrong.line().is_none(), wanted.contains("never"), "{wrong}");
    }
}

/// The index of a ragged gather has a value where it is outside itself.
#[test]
fn a_ragged_gather() {
    let text = "kernel gather 4 threads, grid (ceil(R/4))\nread rows u32 R:1\nread A f32 V:1\nwrite out f32 R:1\n\
                out[b0 4@0, t 4:1@0] = A[rows[b0 4@0, t 4:1@0] else 0@0] else 0\n";
    let program: Program = text.parse().unwrap();
    assert_eq!(program.to_string().parse::<Program>().unwrap().to_string(), program.to_string());
    assert!(program.to_string().contains("rows[b0 4@0, t 4:1@0] else 0@0"), "{program}");
    let report = program.check().unwrap();
    assert!(report.is_proved(), "{report}");
    for (rows, size) in (1..=9).flat_map(|rows| [1, 3, 40].map(|size| (rows, size))) {
        let sizes = program.sizes(&[("R", rows), ("V", size)]).unwrap();
        let mut buffers = Buffers::new(&program, &sizes).unwrap();
        buffers.fill("rows", |at| (7 * at[0] % 5) as f64).unwrap();
        buffers.fill("A", |at| (at[0] + 1) as f64).unwrap();
        program.run(&sizes, &mut buffers).unwrap();
        assert_equal(&buffers, "out", |at| {
            let row = 7 * at[0] % 5;
            if row < size { (row + 1) as f64 } else { 0.0 }
        });
    }
    let without: Result<Program, Error> = text.replace(" else 0@0", "@0").parse();
    assert!(!without.unwrap().check().unwrap().is_right());
}

/// Literals alone are computed in the type around them.
#[test]
fn expressions_of_literals_alone() {
    for (element, value, wanted) in [
        ("f32", "2 * 3", 6.0),
        ("f32", "2 - 0.5", 1.5),
        ("f32", "1 / 4", 0.25),
        ("f32", "abs(-3.25)", 3.25),
        ("f32", "exp(0 * 3)", 1.0),
        ("f32", "f32(N) * (2 + 3)", 10.0),
        ("f32", "select(2 + 3 < 4 * 1, 1, 2 + 5)", 7.0),
        ("i32", "1 / 4", 0.0),
        ("i32", "7 % 4 - 5", -2.0),
        ("u32", "1 << 4", 16.0),
        ("u32", "6 & 3", 2.0),
        ("i32", "i32(1 / 4 + 1 / 4 + 2)", 2.0),
    ] {
        let text = format!(
            "kernel k 4 threads, grid (ceil(N/4))\nwrite y {element} N:1\ny[b0 4@0, t 4:1@0] = {value}\n"
        );
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{text}\n{error}"));
        let (_, buffers) = ran(&program, &[("N", 2)]).unwrap();
        assert_equal(&buffers, "y", |_| wanted);
    }
}

/// What is proved for all sizes is so at each of 1 to 300, and what is refused unless a condition holds is right where it
/// does.
#[test]
fn proofs_agree_with_enumeration() {
    let mut random = Random::named("proofs_agree");
    let rounded = changed("transpose", "ceil(M/32)", "floor(M/32)");
    let cases = [("copy", "M"), ("transpose", "N"), ("reduce", "M"), ("softmax", "N")];
    let kept = testkit::scaled(100, 0.08) as u64;
    for size in 1..=300 {
        if !(size < 3 || [32, 33, 64, 128, 129, 300].contains(&size) || random.chance(kept)) {
            continue;
        }
        for (name, long) in cases {
            let program = program(name);
            let names: Vec<String> =
                program.scope().names().filter(|own| own.len() == 1).map(String::from).collect();
            let given: Vec<(&str, i64)> =
                names.iter().map(|own| (&**own, if own == long { size } else { 1 })).collect();
            let ran = ran(&program, &given);
            assert!(ran.is_ok(), "{name} at {long}={size}: {:?}", ran.err());
        }
        let done = ran(&rounded, &[("M", size), ("N", 3)]);
        assert_eq!(done.is_ok(), size <= 32 * (size / 32), "M={size}");
        let whole = changed("transpose", "shared", "assume M % 32 == 0, N % 32 == 0\nshared");
        if size % 32 == 0 {
            let sizes = whole.sizes(&[("M", size), ("N", 32)]).unwrap();
            let mut buffers = Buffers::new(&whole, &sizes).unwrap();
            assert_eq!(whole.run(&sizes, &mut buffers).unwrap().masked, 0);
            assert!(whole.check().unwrap().to_string().contains("B written: no predicate of c0, as M <= M"));
        }
    }
}

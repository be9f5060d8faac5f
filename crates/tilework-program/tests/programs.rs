//! The programs of `programs/`: read, printed, and executed at ragged sizes against plain loops.

mod changed;

use std::path::Path;
use testkit::{Random, coordinates};
use tilework_program::{Buffers, Certainty, Error, Program, Sizes, Target};

/// Some sizes by their names.
type Given<'a> = &'a [(&'a str, i64)];

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("tw");
    std::fs::read_to_string(path).unwrap()
}

fn program(name: &str) -> Program {
    text(name).parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Each program of the page about the text form is read, proved and printed as it stands there, and together they have every
/// declaration, statement and kind of place.
#[test]
fn the_page_about_the_text_has_every_statement() {
    let page = include_str!("../../../docs/kernel/text.md");
    let blocks = page.split("```").skip(1).step_by(2);
    let programs: Vec<&str> = blocks.filter_map(|block| block.strip_prefix("text\nkernel ")).collect();
    let mut missing = vec![
        "\nread ",
        "\nwrite ",
        "\nupdate ",
        "\nshared ",
        "\nregisters ",
        "\nscalar ",
        "\nassume ",
        "\nfor ",
        "\nwhen ",
        "\nbarrier\n",
        "\ncommit\n",
        "\nwait ",
        " else ",
        " by ",
        "coordinate(",
        ", 0@1]",
        "b0 32@0",
        "t (32,8):(",
        "(k+1)%2 1@1",
        "rows[b1 1@0]@0",
        "select(",
    ];
    for text in &programs {
        let text = format!("kernel {text}");
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let report = program.check().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(report.is_proved(), "{report}");
        // Parentheses that are not needed are for readers.
        let plain = |text: &str| text.replace(['(', ')'], "");
        assert_eq!(plain(&program.to_string()), plain(&text));
        assert_eq!(program.to_string().parse::<Program>().unwrap().to_string(), program.to_string());
        let text = text.replace("\n  ", "\n");
        missing.retain(|part| !text.contains(part));
    }
    assert_eq!((programs.len(), missing), (8, vec![]));
}

/// A small integer that depends on every coordinate.
fn input(at: &[i64]) -> f64 {
    let mixed = at.iter().fold(7i64, |sum, index| sum * 31 + index * index + index);
    (mixed % 17 - 8) as f64
}

/// The buffers of a program that ran at sizes, with all tensors but the results filled.
fn ran(program: &Program, given: Given<'_>) -> Result<(Sizes, Buffers), Error> {
    let sizes = program.sizes(given)?;
    let mut buffers = Buffers::new(program, &sizes)?;
    for tensor in program.tensors() {
        if tensor.space == tilework_program::Space::Read {
            buffers.fill(&tensor.name, input)?;
        }
    }
    program.run(&sizes, &mut buffers)?;
    Ok((sizes, buffers))
}

fn assert_equal(buffers: &Buffers, name: &str, expected: impl Fn(&[i64]) -> f64) {
    let extents = buffers.extents(name).unwrap().to_vec();
    for at in coordinates(&extents) {
        assert_eq!(buffers.at(name, &at), Some(expected(&at)), "{name}{at:?}");
    }
}

/// Sizes from 1, around the tiles, and random ones.
fn sizes(random: &mut Random, step: i64) -> Vec<i64> {
    let mut sizes = vec![1, step - 1, step, step + 1];
    sizes.push(1 + random.below(3 * step as u64) as i64);
    sizes
}

#[test]
fn texts_are_printed_as_they_were_read() {
    for name in
        "copy transpose permute reduce sgemm stages gather softmax unpack double layer_norm hgemm".split(' ')
    {
        assert_eq!(program(name).to_string(), text(name), "{name}");
    }
    let causal = program("causal");
    assert_eq!(causal.to_string().parse::<Program>().unwrap(), causal);
    assert_eq!(causal.to_string(), text("causal"));
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

/// What no instruction does at any size is refused with its line.
#[test]
fn matrix_instructions_that_are_refused() {
    let load = "t (4,8,2,2):(2@1,1@0,16@0,0), v (2,2,2,4):(1@1,8@0,8@1,32@0)] by";
    let cases: &[(&str, &str, &str)] = &[
        ("128 threads", "112 threads", "the layout of t has size 128, and a block has 112 threads"),
        (
            "sA[(k)%3 1@2, t (4,8,2,2):(2@1,1@0,16@0,0)",
            "sA[(k)%3 1@2, t (4,4):(2@1,1@0)",
            "SM75_U32x4_LDSM_N is executed by all 32 lanes of each warp, and here 16 threads take part",
        ),
        ("ra f16", "ra bf16", "line 30: ra is of bf16 and the value of f16"),
        (
            "by SM80_16x8x16_F32F16F16F32_TN",
            "by SM80_16x8x16_F32BF16BF16F32_TN",
            "line 32: SM80_16x8x16_F32BF16BF16F32_TN is of BF16, and ra of f16",
        ),
        (
            "ra f16 (8,4,1):(1,8,32)",
            "ra f16 (8,4,1):(4,1,32)",
            "line 30: ra[v (8,4,1):(1@0,1@1,1@2)]: value 1 is not in the register of 4 bytes with the values before it",
        ),
        (
            "rb f16 (4,8,1):(1,4,32)",
            "rb f16 (8,4,1):(1,8,32)",
            "a fragment of SM80_16x8x16_F32F16F16F32_TN is mode 0 of its registers as a whole: 4:1",
        ),
        (
            "rc[v (4,8):(1@1,1@2)] + f32(ra[v (4,8):(1@1,0)])",
            "rc[v (4,8):(1@1,1@2)] - f32(ra[v (4,8):(1@1,0)])",
            "SM80_16x8x16_F32F16F16F32_TN computes `c = c + a * b`, with or without conversions, of registers whose mode 0 is a \
             fragment: c f32 4:1, a f16 8:1, b f16 4:1",
        ),
        (
            load,
            "t (4,8,2,2):(1@1,1@0,16@0,0), v (2,2,2,4):(4@1,8@0,8@1,32@0)] by",
            "a row is 16 contiguous bytes: sA(0,4,0), element 1 of the row of lane 0",
        ),
        ("sA f16 Sw<2,3,3>", "sA f16 Sw<2,2,3>", "a row is 16 contiguous bytes: sA("),
        ("SM75_U32x4_LDSM_N", "SM90_U32x4_STSM_N", "no statement is executed by SM90_U32x4_STSM_N"),
        (
            "by SM80_16x8x16_F32F16F16F32_TN",
            "by SM75_U32x4_LDSM_N",
            "SM75_U32x4_LDSM_N copies a view of a shared tensor as it is",
        ),
    ];
    let valid = text("hgemm");
    for (from, to, wanted) in cases {
        assert!(valid.contains(from), "{from}");
        let wrong = valid.replacen(from, to, 1).parse::<Program>();
        let wrong = wrong.map(|_| panic!("{to}")).unwrap_err().to_string();
        assert!(wrong.contains(wanted), "{to}: {wrong}");
    }
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

/// A program's text with one change.
fn changed(name: &str, from: &str, to: &str) -> Program {
    let text = text(name);
    assert!(text.contains(from), "{name} has no {from}");
    text.replacen(from, to, 1).parse().unwrap_or_else(|error| panic!("{name}: {error}"))
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

const PROGRAMS: &str = "copy transpose permute reduce sgemm stages gather softmax causal unpack double layer_norm ring \
                        split_k convolution two_stages prefetch update halves hgemm";

/// Right programs are proved right for all sizes: also with two stages and one barrier a step.
#[test]
fn right_programs_are_proved() {
    for name in PROGRAMS.split(' ') {
        let report = program(name).check().unwrap();
        assert!(report.is_proved(), "{name}:\n{report}");
    }
}

/// A condition that always holds changes nothing, whether it is of the block, of a loop or of sizes alone.
#[test]
fn conditions_that_always_hold() {
    for name in ["transpose", "permute", "reduce", "double", "ring", "two_stages", "softmax"] {
        let own = program(name);
        let (text, scope) = (text(name), own.scope());
        let mut conditions: Vec<String> = scope.names().map(|size| format!("0 < {size}")).collect();
        let axes = own.grid().iter().enumerate();
        conditions.extend(axes.map(|(axis, count)| format!("b{axis} < {}", scope.number_text(count))));
        for condition in conditions {
            let inside = text.replace("barrier\n", &format!("when {condition} {{\nbarrier\n}}\n"));
            let report = inside.parse::<Program>().unwrap().check().unwrap();
            assert!(report.is_proved(), "{name}, {condition}:\n{report}");
        }
    }
}

#[test]
fn mistakes_in_copies_are_found() {
    mistakes_are_found(&["copy", "transpose"]);
}

#[test]
fn mistakes_in_products_are_found() {
    mistakes_are_found(&["sgemm", "stages"]);
}

#[test]
fn mistakes_in_matrix_products_are_found() {
    mistakes_are_found(&["hgemm"]);
}

#[test]
fn mistakes_in_rows_are_found() {
    mistakes_are_found(&["reduce", "double", "softmax", "layer_norm"]);
}

/// Mistakes are named before anything runs.
fn mistakes_are_found(programs: &[&str]) {
    let end = "  barrier\n}\nC";
    let cases: &[(&str, &str, &str, &str)] = &[
        // The mutations of section 8 that a program can have.
        (
            "transpose",
            "barrier\n",
            "",
            "line 6: s[t (32,8):(1@0,1@1), v 4:8@1]: s(0,8) is read while thread 8 writes it",
        ),
        (
            "transpose",
            "ceil(M/32)",
            "floor(M/32)",
            "line 7: B mode 0: (32,floor(M/32)):(1,32): elements are never written unless M <= 32*floor(M/32); at M=1",
        ),
        (
            "sgemm",
            end,
            "}\nC",
            "is overwritten while another thread reads it: no barrier is between them; thread 0, where K=20",
        ),
        (
            "sgemm",
            "C[b0 64@0, b1 64@1, t (16,16):(4@1,4@0)",
            "C[b0 64@0, b1 64@1, t (16,16):(4@1,3@0)",
            "C[3, 0] of the tile is written twice: by thread 0 as value 3 and by thread 16 as value 0",
        ),
        (
            "stages",
            "wait 1",
            "wait 2",
            "is read while an asynchronous copy to it may be in flight: a wait is missing",
        ),
        ("stages", "(k+2)%3", "(k)%3", "is read while an asynchronous copy to it may be in flight"),
        ("stages", "(k+2)%3", "(k+1)%3", "is written while an asynchronous copy to it may be in flight"),
        // B by the copy of A.
        (
            "sgemm",
            "rb[v 4:1@0] = sB[3@1, t (16,16):(4@0,0)",
            "rb[v 4:1@0] = sB[3@1, t (16,16):(0,4@0)",
            "C(0,4) of the tile is a sum of products such as A(0,3) * B(0,3): their coordinates along N differ",
        ),
        (
            "stages",
            "* sB[(k)%3 1@2, 5@1",
            "* sB[(k)%3 1@2, 6@1",
            "a sum of products such as A(0,5) * B(0,6): their coordinates along K differ",
        ),
        ("hgemm", "wait 1", "wait 2", "is read while an asynchronous copy to it may be in flight"),
        ("hgemm", "sA[(k+2)%3", "sA[(k)%3", "is read while an asynchronous copy to it may be in flight"),
        ("hgemm", "  barrier\n", "", "no barrier is between them"),
        (
            "hgemm",
            "t (4,8,2,2):(2@1,1@0,0,16@0), v (2,2,2,4):(1@1,8@1,8@0,32@0)] by",
            "t (4,8,2,2):(2@1,1@0,16@0,0), v (2,2,2,4):(1@1,8@0,8@1,32@0)] by",
            "SM80_16x8x16_F32F16F16F32_TN has A(0,8) and B(8,0) for one k, which differ along K: fragments of other \
             coordinates than the instruction's",
        ),
        (
            "hgemm",
            "sB[(k)%3 1@2, 16@1, t",
            "sB[(k)%3 1@2, t",
            "has A(0,16) and B(0,0) for one k, which differ along K",
        ),
        (
            "hgemm",
            "rc[v (4,8):(1@1,1@2)] + f32(ra[v (4,8):(1@1,0)])",
            "rc[v (4,8):(1@1,1@2)] + f32(ra[v (4,8):(0,0)])",
            "C(32,0) of the tile is a sum of products such as A(0,0) * B(0,0): their coordinates along M differ",
        ),
        (
            "sgemm",
            "= B[b1 64@0",
            "= B[b0 64@0",
            "a sum of products such as A(0,0) * B(0,0): their coordinates along N differ by the block",
        ),
        (
            "sgemm",
            "= B[b1 64@0, k 16@1",
            "= B[b1 64@0",
            "a sum of products such as A(0,16) * B(0,0): their coordinates along K differ",
        ),
        ("reduce", "barrier\ns[t (4,8)", "s[t (4,8)", "no barrier is between them"),
        // Late: only from the seventh step on, and only in other blocks.
        (
            "double",
            "(k)%2 1@1] = A",
            "(k)%2 1@1, (k)/6%2 1@1] = A",
            "coordinates of [0,3) are not all in [0,2)",
        ),
        // Stages that overlap are no race to a driver.
        ("double", "(32,2):(1,32)", "(32,2):(1,16)", "has the elements [16, 0] and [0, 1] at one place"),
        ("double", "  barrier\n", "  when k < 6 {\n    barrier\n  }\n", "where K=193"),
        ("double", "  barrier\n", "  when b0 < 1 {\n    barrier\n  }\n", "where M=2, K=1, b0=1"),
        // A write in a loop or under a condition.
        (
            "double",
            "}\ny[b0 1@0, t 1:1@0] = sum\n",
            "  y[b0 1@0, t 1:1@0] = sum\n}\n",
            "k does not occur in the coordinates of y: elements are written ceil(K/32) times",
        ),
        ("copy", "B[b0", "when b0 < 1 {\nB[b0", "elements are never written unless M <= 64"),
        (
            "copy",
            "grid (ceil(M/64),N)",
            "grid (ceil(M/64),N,2)",
            "b2 does not occur in the coordinates of B: elements are written 2 times",
        ),
        (
            "copy",
            "B[b0 64@0",
            "B[b0 32@0",
            "B mode 0: (64,ceil(M/64)):(1,32): elements are written twice, or never",
        ),
        // Values from outside.
        ("softmax", "else -inf", "else 0", "high folds what is outside of [0,N), which changes it"),
        (
            "layer_norm",
            "select(coordinate(X[b0 1@0, t 128:1@1, v 8:128@1], 1) < N, x[v 8:1@0] - mean[v 8:0], 0)",
            "x[v 8:1@0] - mean[v 8:0]",
            "square folds what is outside of [0,N)",
        ),
        // Bounds.
        ("copy", "grid (ceil(M/64),N)", "grid (1,N)", "elements are never written unless M <= 64"),
        (
            "transpose",
            " else 0",
            "",
            "A mode 0: coordinates of [0,32*ceil(M/32)) are not all in [0,M) unless M >= 32*ceil(M/32); write `else`",
        ),
        (
            "transpose",
            "s[t (32,8):(1@1,1@0), v 4:8@0] =",
            "s[t (32,8):(1@1,1@0), v 4:9@0] =",
            "s mode 0: coordinates of [0,35) are not all in [0,32)",
        ),
        ("transpose", "o (32,32):(32,1)", "o (32,32):(31,1)", "at one place"),
        ("reduce", "sums[v 4:1@0] = 0\n", "", "is read before anything was written to it by all threads"),
    ];
    for (name, from, to, wanted) in cases.iter().filter(|case| programs.contains(&case.0)) {
        let text = if to.contains("when b0 < 1 {\nB") { text(name) + "}\n" } else { text(name) };
        assert!(text.contains(from), "{name} has no {from}");
        let program: Program =
            text.replacen(from, to, 1).parse().unwrap_or_else(|error| panic!("{to}: {error}"));
        let report = program.check().unwrap();
        let found = report.faults().any(|fault| fault.to_string().contains(wanted));
        assert!(found && !report.is_right(), "{name} with {to:?} for {from:?}:\n{report}");
    }
}

/// What is right and slow is said with the numbers of wavefronts.
#[test]
fn bank_conflicts_are_counted() {
    let swizzled = "Sw<5,0,5> o 0 o ";
    let cases = [
        ("transpose", swizzled, swizzled, "line 7: s read: no bank conflict, 32 wavefronts"),
        ("transpose", swizzled, "", "line 7: s read: 32 ways in a bank, 1024 wavefronts where 32 suffice"),
        (
            "transpose",
            swizzled,
            "Sw<4,0,5> o 0 o ",
            "line 7: s read: 2 ways in a bank, 64 wavefronts where 32 suffice",
        ),
        ("reduce", "y f32", "y f32", "line 21: s read: 8 ways in a bank, 8 wavefronts where 1 suffice"),
        ("stages", "lda", "lda", "line 11: sA written: no bank conflict, 8 wavefronts"),
        ("hgemm", "lda", "lda", "line 30: sA read: no bank conflict, 64 wavefronts"),
        (
            "hgemm",
            "sA f16 Sw<2,3,3>",
            "sA f16 Sw<1,3,3>",
            "line 30: sA read: 2 ways in a bank, 128 wavefronts where 64 suffice",
        ),
    ];
    for (name, from, to, wanted) in cases {
        let report = changed(name, from, to).check().unwrap();
        assert!(report.is_proved(), "{report}");
        let found = report.findings.iter().find(|own| own.to_string() == wanted);
        let is_slow = found.map(|own| own.certainty == Certainty::Slow);
        assert_eq!(is_slow, Some(wanted.contains("ways")), "{wanted}\n{report}");
        assert_eq!(report.conflicts().any(|own| own.to_string() == wanted), is_slow == Some(true));
    }
}

/// A division of integers by 0 is wrong, and said where it is not excluded.
#[test]
fn divisors_are_not_0() {
    for (divisor, wanted) in [
        ("2", ""),
        ("M", ""),
        ("(coordinate(y[b0 4@0, t 4:1@0], 0) + 1)", ""),
        ("0", "WRONG  line 3: a division of u32 by 0"),
        ("(M - 1)", "tried  line 3: a division of u32 by M - 1 unless M >= 2"),
        ("coordinate(y[b0 4@0, t 4:1@0], 0)", "tried  line 3: a division of u32 by 0"),
    ] {
        for operation in ["/", "%"] {
            let text = format!(
                "kernel g 4 threads, grid (ceil(M/4))\nwrite y u32 M:1\ny[b0 4@0, t 4:1@0] = 7 {operation} {divisor}\n"
            );
            let report = text.parse::<Program>().unwrap().check().unwrap();
            // What is tried has no value at 1.
            assert_eq!(report.is_right(), wanted.is_empty(), "{text}{report}");
            assert!(report.to_string().contains(wanted), "{text}{report}");
        }
    }
}

/// A sum that is compared does not wrap where a program is launched, and `run` is within what may be launched.
#[test]
fn compared_sums_do_not_wrap() {
    for (added, largest) in [(1u32, 4u64), (3, 8), (2_147_483_648, 300), (u32::MAX - 9, 8), (u32::MAX - 5, 5)]
    {
        let place = "A[b0 1@0, k 4@1, v 4:1@1]";
        let text = format!(
            "kernel g 1 threads, grid (M)\nread A f32 (M,K):(lda,1)\nwrite y f32 M:1\nregisters e f32 1:1\ne = 0\n\
             for k in ceil(K/4) {{\ne = e + select(coordinate({place}, 1) + {added} < K, {place} else 1, 0)\n}}\n\
             y[b0 1@0, t 1:1@0] = e\n"
        );
        let program: Program = text.parse().unwrap();
        assert!(program.check().unwrap().is_proved(), "{text}");
        for k in 1..=largest as i64 {
            let sizes = program.sizes(&[("M", 1), ("K", k), ("lda", k)]).unwrap();
            let mut buffers = Buffers::new(&program, &sizes).unwrap();
            buffers.fill("A", |_| 1.0).unwrap();
            let wanted = (0..k).filter(|own| own + i64::from(added) < k).count() as f64;
            match program.run(&sizes, &mut buffers) {
                Ok(_) => assert_eq!(buffers.at("y", &[0]), Some(wanted), "{text} {k}"),
                Err(error) => {
                    assert!(
                        4 * ((k + 3) / 4) - 1 + i64::from(added) > u32::MAX.into(),
                        "{error}\n{text} {k}"
                    );
                }
            }
        }
    }
    let loops = "kernel g 1 threads, grid (M)\nwrite y f32 M:1\nread x f32 K:1\nregisters e f32 1:1\ne = 0\n\
                 for k in K - 3 {\ne = e + 1\n}\ny[b0 1@0, t 1:1@0] = e\n";
    let program: Program = loops.parse().unwrap();
    let sizes = program.sizes(&[("M", 2), ("K", 2)]).unwrap();
    let error = program.run(&sizes, &mut Buffers::new(&program, &sizes).unwrap()).unwrap_err().to_string();
    assert!(error.contains("K - 3 = -1"), "{error}");
}

/// What is tried are the bounds of the facts, too.
#[test]
fn bounds_of_facts_are_tried() {
    let text = |facts: &str, lines: &str| {
        format!("kernel c 4 threads, grid (ceil(M/4))\nwrite y f32 M:1\n{facts}\n{lines}\n")
            .parse::<Program>()
            .unwrap()
    };
    let gap = "y[b0 4@0, t 3:1@0] = 1\ny[b0 4@0, t 1:1@0, 8@0] = 2";
    for most in [4, 40, 400] {
        let report = text(&format!("assume M <= {most}\nassume M >= {most}"), gap).check().unwrap();
        assert!(!report.is_right(), "{most}\n{report}");
    }
    assert!(!text("assume M <= 4", gap).check().unwrap().is_right());
    let short = "when b0 < floor(M/3) {\ny[b0 4@0, t 4:1@0] = 1\n}";
    let report = text("assume M >= 4", short).check().unwrap().to_string();
    assert!(report.contains("M=5"), "{report}");
}

/// Updates in place are proved where one thread has each element, and are refused otherwise.
/// A shift by as many bits as there are, and a source that is read in part.
#[test]
fn shifts_and_unread_elements() {
    let text = |count: &str| {
        format!(
            "kernel k 64 threads, grid (ceil(M/64))\nread x u32 M:1\nread w u8 M:1\nwrite y u32 M:1\n\
             y[b0 64@0, t 64:1@0] = x[b0 64@0, t 64:1@0] else 1 >> {count}\n"
        )
    };
    let at = "coordinate(x[t 64:1@0], 0)";
    for (count, wanted) in [
        ("31".to_string(), ""),
        (format!("({at} & 31)"), ""),
        (format!("({at} % 32)"), ""),
        (format!("min({at}, 31)"), ""),
        (format!("({at} / 1)"), "at M=1: ShiftRight of [1.0, 32.0] has no value"),
        ("(x[b0 64@0, t 64:1@0] else 0 % 32)".into(), ""),
        ("(u32(w[b0 64@0, t 64:1@0] else 0) & 7) * 4".into(), ""),
        ("32".into(), "WRONG  line 5: a shift by 32 of 32 bits"),
        (format!("({at} & 63)"), "tried  line 5: a shift by 63 of 32 bits"),
        ("M".into(), "WRONG  line 5: a shift by M of 32 bits unless M <= 31"),
        ("(x[b0 64@0, t 64:1@0] else 0)".into(), "tried  line 5: it is not proved that a shift of u32"),
    ] {
        let program: Program = text(&count).parse().unwrap();
        let report = program.check().unwrap();
        let is_right = wanted.is_empty();
        assert_eq!(
            (report.is_proved(), report.is_right() || !is_right),
            (is_right, true),
            "{count}\n{report}"
        );
        assert!(report.to_string().contains(wanted), "{count}\n{report}");
    }
    let bounded = text("M").replace("\ny[", "\nassume M <= 31\ny[").parse::<Program>().unwrap();
    assert!(bounded.check().unwrap().is_proved());
    let half = "kernel k 32 threads, grid (ceil(M/32))\nread A f32 (M,K):(K,1)\nwrite y f32 M:1\n\
                registers s f32 1:1\ns = 0\nfor k in floor(K/2) {\n\
                s = s + A[b0 32@0, t 32:1@0, k 1@1] else 0\n}\ny[b0 32@0, t 32:1@0] = s\n";
    let report = |text: &str| text.parse::<Program>().unwrap().check().unwrap().to_string();
    assert!(report(half).contains("A mode 1: only [0,floor(K/2)) of [0,K) is read"), "{}", report(half));
    assert!(!report(&half.replace("floor(K/2)", "K")).contains("of [0,K) is read"));
}

#[test]
fn updates_in_place() {
    let text = "kernel scale 32 threads, grid (ceil(M/32),N)\nupdate A f32 (M,N):(1,lda)\n\
                registers x f32 1:1\nx = A[b0 32@0, b1 1@1, t 32:1@0] else 0\n\
                A[b0 32@0, b1 1@1, t 32:1@0] = (A[b0 32@0, b1 1@1, t 32:1@0] else 0) * 2 + x\n";
    let report = text.parse::<Program>().unwrap().check().unwrap();
    assert!(report.is_proved() && report.to_string().contains("A: one thread has each element"), "{report}");
    let (_, buffers) = ran(&text.parse().unwrap(), &[("M", 33), ("N", 2)]).unwrap();
    assert_eq!(buffers.at("A", &[32, 1]), Some(0.0));
    let cases = [
        ("x = A[b0", "x = A[1@0, b0", "A[1, 0] of the tile is accessed by thread 0 as value 0 on line 4"),
        (
            "= (A[b0 32",
            "= (A[b0 31",
            "it is not proved that one thread has each element: lines 4 and 5 move differently",
        ),
        ("b1 1@1, ", "", "b1 does not occur in the coordinates of A: several blocks have each element"),
        ("b0 32@0", "b0 16@0", "A mode 0: (32,ceil(M/32)):(1,16): several threads have one element unless"),
        ("t 32:1@0", "t 32:2@0", "several threads have one element unless ceil(M/32) <= 1"),
    ];
    for (from, to, wanted) in cases {
        let is_one = wanted.contains("line");
        let changed = if is_one { text.replacen(from, to, 1) } else { text.replace(from, to) };
        let report = changed.parse::<Program>().unwrap().check().unwrap();
        assert!(!report.is_right() && report.to_string().contains(wanted), "{to}:\n{report}");
    }
}

/// Values from outside are followed through registers and shared memory.
#[test]
fn folds_of_what_is_outside() {
    let program = |load: &str, fold: &str| {
        let text = format!(
            "kernel sums 32 threads, grid (M)\nread A f32 (M,K):(lda,1)\nwrite y f32 M:1\nshared s f32 32:1\n\
             registers e f32 1:1\nregisters sum f32 1:1\nsum = 0\nfor k in ceil(K/32) {{\n  {load}\n  barrier\n  \
             {fold}\n  barrier\n}}\ny[b0 1@0, t 1:1@0] = sum\n"
        );
        text.parse::<Program>().unwrap_or_else(|error| panic!("{text}\n{error}")).check().unwrap()
    };
    let a = "A[b0 1@0, k 32@1, t 32:1@1]";
    let load = format!("s[t 32:1@0] = {a} else 0");
    let masked = |mask: &str| format!("s[t 32:1@0] = select({mask}, exp({a} else 0), 0)");
    let [known, reversed] =
        [format!("(coordinate({a}, 1) < K) & (0 < M)"), format!("K <= coordinate({a}, 1)")];
    let reversed = format!("s[t 32:1@0] = select({reversed}, 0, exp({a} else 0))");
    let plain = "sum[v 32:0] = sum[v 32:0] + s[v 32:1@0]";
    let through = "e = exp(s[t 32:1@0])\n  s[t 32:1@0] = e\n  e = sum + e\n  sum = e";
    let in_place = "s[t 32:1@0] = exp(s[t 32:1@0])\n  barrier\n  sum[v 32:0] = sum[v 32:0] + s[v 32:1@0]";
    for (load, fold) in
        [(&load, plain), (&masked(&known), plain), (&reversed, plain), (&load, "e = sum + s[0@0]\n  sum = e")]
    {
        let report = program(load, fold);
        assert!(report.is_proved(), "{fold}\n{report}");
    }
    // A mask is of the coordinate, and by its extent.
    for mask in ["{a} < M", "{a} <= K", "A[b0 1@0, k 32@1, t 32:0], 1) < K", "A[b0 1@0, 7@1], 1) < K"] {
        let coordinate = if mask.starts_with('A') { String::new() } else { format!("{a}, 1)") };
        let mask = format!("coordinate({}", mask.replace("{a}", &coordinate));
        let report = program(&masked(&mask), plain);
        assert!(!report.is_right(), "{mask}\n{report}");
    }
    // Of the whole coordinate, and of each that the value has.
    for (mask, value) in [
        ("coordinate({a}, 1) < K", "exp(A[b0 1@0, k 32@1, t 32:1@1, 16@1] else 0)"),
        ("coordinate({a}, 1) < K", "exp(A[b0 1@0, k 32@1, t 32:2@1] else 0)"),
        ("coordinate({a}, 1) < K", "exp(A[b0 1@0, k 32@1, t 32:7@1] else 0) + ({a} else 0)"),
        ("coordinate(A[b0 1@0, k 32@1, t (2,16):(1@1,0)], 1) < K", "exp({a} else 0)"),
        ("(coordinate(A[b0 1@0, 0@1], 1) < K) | (coordinate({a}, 1) < K)", "exp({a} else 0)"),
        ("(coordinate({a}, 1) < K) | (0 < M)", "exp({a} else 0)"),
    ] {
        let load = format!("s[t 32:1@0] = select({mask}, {value}, 0)").replace("{a}", a);
        let report = program(&load, plain);
        assert!(!report.is_right(), "{load}\n{report}");
    }
    for mask in ["({c} < K) & ({c} < K)", "({c} < K) | ({c} < K)", "(0 < M) & ({c} < K)"] {
        let load = masked(&mask.replace("{c}", &format!("coordinate({a}, 1)")));
        let report = program(&load, plain);
        assert!(report.is_proved(), "{load}\n{report}");
    }
    // In whatever order the indices are written.
    let mask = "coordinate(A[b0 32@1, k 32@1, t 32:1@1], 1) < K";
    let load = format!("s[t 32:1@0] = select({mask}, exp(A[k 32@1, b0 32@1, t 32:1@1] else 0), 0)");
    let report = program(&load, plain);
    assert!(report.is_proved(), "{report}");
    for fold in [
        "sum[v 32:0] = sum[v 32:0] + exp(s[v 32:1@0])",
        "sum[v 32:0] = sum[v 32:0] * 0.5 + s[v 32:1@0]",
        through,
        in_place,
    ] {
        let report = program(&load, fold);
        let wanted = "sum folds what is outside of [0,K), which changes it";
        let mut faults = report.faults();
        assert!(faults.next().is_some_and(|fault| fault.text.contains(wanted)), "{fold}\n{report}");
        assert!(faults.next().is_none(), "{report}");
    }
    // 0 is the least of what begins at 0 and has no terms below.
    let report = program(&load, "sum[v 32:0] = min(sum[v 32:0], s[v 32:1@0])");
    assert!(report.is_proved(), "{report}");
}

/// A fold behind a mask is proved only where it is the sum of what the mask lets through, at all sizes that are tried.
#[test]
fn folds_behind_masks_agree_with_runs() {
    type Mask = (&'static str, fn(i64, i64, i64) -> bool);
    type Fold = (&'static str, &'static str, f64, fn(f64, f64) -> f64);
    let masks: [Mask; 17] = [
        ("c < K", |c, _, k| c < k),
        ("c < K - 1", |c, _, k| c < k - 1),
        ("c + 1 < K", |c, _, k| c + 1 < k),
        ("c + 1 <= K", |c, _, k| c < k),
        ("c + M < K + M", |c, _, k| c < k),
        ("c < M", |c, m, _| c < m),
        ("c < 2 * M", |c, m, _| c < 2 * m),
        ("c < M + K", |c, m, k| c < m + k),
        ("c < K + 1", |c, _, k| c < k + 1),
        ("c <= K", |c, _, k| c <= k),
        ("c < 1", |c, _, _| c < 1),
        ("c < 5", |c, _, _| c < 5),
        ("c == 7", |c, _, _| c == 7),
        ("K < 3", |_, _, k| k < 3),
        ("0 < c", |c, _, _| 0 < c),
        ("(c < 5) & (c < K)", |c, _, k| c < 5 && c < k),
        ("c < K - 2", |c, _, k| c < k - 2),
    ];
    // A difference of sizes below 0 would wrap.
    let never = ["c < K - 2"];
    let folds: [Fold; 3] = [
        ("q + X", "1", 0.0, |sum, x| sum + x),
        ("max(q, X)", "0", f64::NEG_INFINITY, f64::max),
        ("min(q, X)", "0", f64::INFINITY, f64::min),
    ];
    for ((mask, holds), (fold, fill, neutral, apply)) in
        masks.iter().flat_map(|mask| folds.iter().map(move |fold| (mask, fold)))
    {
        let a = "A[b0 1@0, k 4@1, v 4:1@1]";
        let value = format!("select({mask}, {a} else {fill}, {})", format!("{neutral}").to_lowercase())
            .replace("c ", &format!("coordinate({a}, 1) "))
            .replace("< c,", &format!("< coordinate({a}, 1),"));
        let fold = fold.replace('q', "q[v 4:0]").replace('X', &value);
        let text = format!(
            "kernel folds 4 threads, grid (M)\nread A f32 (M,K):(lda,1)\nwrite y f32 M:1\nregisters q f32 1:1\n\
             q = {}\nfor k in ceil(K/4) {{\n  q[v 4:0] = {fold}\n}}\ny[b0 1@0, t 1:1@0] = q\n",
            format!("{neutral}").to_lowercase()
        );
        let program: Program = text.parse().unwrap_or_else(|error| panic!("{text}\n{error}"));
        let report = program.check().unwrap();
        let mut is_right = true;
        for (m, k) in (1..=4).flat_map(|m| (1..=9).map(move |k| (m, k))) {
            let (_, buffers) = ran(&program, &[("M", m), ("K", k), ("lda", k)]).unwrap();
            for row in 0..m {
                let elements = (0..k).filter(|&c| holds(c, m, k));
                let wanted = elements.map(|c| buffers.at("A", &[row, c]).unwrap()).fold(*neutral, apply);
                is_right &= buffers.at("y", &[row]) == Some(wanted);
            }
        }
        assert_eq!(report.is_proved(), is_right && !never.contains(mask), "{text}\n{report}");
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

/// Registers have a place for each element, and global tensors none before the first one.
#[test]
fn storage_has_a_place_for_each_element() {
    let report = |registers: &str, global: &str| {
        let text = format!(
            "kernel a 1 threads, grid (N)\nread A f32 {global}\nwrite y f32 N:1\nregisters q f32 {registers}\n\
             q[v 2:1@0] = A[b0 1@0]\ny[b0 1@0] = q[0@0] + q[1@0]\n"
        );
        match text.parse::<Program>().and_then(|program| program.check()) {
            Ok(report) => report.to_string(),
            Err(error) => error.message().to_string(),
        }
    };
    assert!(!report("2:1", "N:1").contains("WRONG"), "{}", report("2:1", "N:1"));
    let wanted = "q: 2:0 has the elements [0] and [1] at one place";
    assert!(report("2:0", "N:1").contains(wanted), "{}", report("2:0", "N:1"));
    for stride in ["-1", "-M", "-2*M"] {
        let wanted = "A has elements before its first one: a stride is below 0";
        assert!(
            report("2:1", &format!("N:{stride}")).contains(wanted),
            "{}",
            report("2:1", &format!("N:{stride}"))
        );
    }
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

/// Digits of two periods repeat after the product of both.
#[test]
fn coordinates_of_two_periods() {
    let program = |size: i64, between: &str, read: &str| {
        let text = format!(
            "kernel r 32 threads, grid (1)\nread A f32 128:1\nwrite y f32 (128,4):(1,128)\nshared s f32 {size}:1\n\
             for k in 4 {{\n  s[t 32:4@0, v 4:1@0, (k)%2 2@0, (k)%3 2@0] = A[t 32:4@0, v 4:1@0]\n{between}  \
             y[t 32:4@0, v 4:1@0, k 1@1] = s[t 32:4@0, v 4:1@0, {read}]\n  barrier\n}}\n"
        );
        text.parse::<Program>().unwrap()
    };
    let report = program(136, "", "(k+1)/2%2 4@0").check().unwrap();
    assert!(report.faults().any(|fault| fault.text.contains("k = 3")), "{report}");
    // At the fourth step the elements begin at 2.
    let text = program(256, "  barrier\n", "(k)%2 2@0, (k)%3 2@0").emit(Target::Cuda).unwrap();
    assert!(!text.contains("float4*)&s"), "{text}");
}

/// A loop of one step has no second one, and a small grid no far block.
#[test]
fn steps_and_blocks_that_there_are() {
    let changed = |changes: &[(&str, &str)]| {
        let text = changes.iter().fold(text("sgemm"), |text, (from, to)| text.replace(from, to));
        text.parse::<Program>().unwrap().check().unwrap()
    };
    let one = [("assume K % 4", "assume K <= 16, K % 4"), ("for k in ceil(K/16) {", "for k in 1 {")];
    let still = ("B[b1 64@0, k 16@1,", "B[b1 64@0,");
    let report = changed(&[one[0], one[1], still]);
    assert!(report.is_right(), "{report}");
    let report = changed(&[still]);
    assert!(!report.is_right(), "{report}");
    let report = changed(&[
        ("grid (ceil(M/64),ceil(N/64))", "grid (ceil(M/64),4)"),
        ("assume K % 4 == 0, N % 4 == 0", "assume N == 256, K % 4 == 0"),
        ("B[b1 64@0,", "B[(b1)%4 64@0,"),
    ]);
    assert!(report.is_right(), "{report}");
}

/// Stages that fit and still race late.
#[test]
fn a_race_after_seven_steps() {
    let late = text("double")
        .replace("(32,2):(1,32)", "(32,3):(1,32)")
        .replace("(k)%2 1@1]", "(k)%2 1@1, (k)/6%2 1@1]");
    let report = late.parse::<Program>().unwrap().check().unwrap();
    let fault = report.faults().next().unwrap_or_else(|| panic!("{report}")).to_string();
    assert!(fault.contains("where K=193"), "{fault}");
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

/// What is no program is refused with its line and what would be right.
#[test]
fn texts_that_are_refused() {
    let cases: &[(&str, &str, &str)] = &[
        ("barrier", "barrier now", "line 6: expected the end of the line, found `now`"),
        ("barrier", "wait", "line 6: expected an integer, found the end of the line"),
        ("256 threads", "2048 threads", "a block has 1 to 1024 threads, not 2048"),
        ("ceil(N/32)", "ceil(L/32)", "line 1: ceil(L/32)"),
        ("read A", "write A", "line 5: A is only written: declare it as `update`"),
        ("write B f32", "write B f16", "line 7: B is of f16 and the value of f32: write f16(..)"),
        (
            "b0 32@0, b1 32@1, t (32,8):(1@0",
            "b0 32@0, b2 32@1, t (32,8):(1@0",
            "there is no b2: the grid has 2 axes",
        ),
        ("v 4:8@0] = A", "v 4:8@2] = A", "line 5: s: there is no mode 2: the tensor has 2"),
        ("v 4:8@0] = A", "v 4:8] = A", "names no mode: write 1@0 for mode 0"),
        ("v 4:8@0] = A", "v 5:8@0] = A", "has 4 values where the views before have 5"),
        (
            "t (32,8):(1@1,1@0), v 4:8@0] = A",
            "t (32,16):(1@1,1@0), v 4:8@0] = A",
            "the layout of t has size 512, and a block has 256 threads",
        ),
        ("barrier", "when t < 32 {\nbarrier\n}", "line 6: `when t` differs between the threads of a block"),
        ("barrier", "when b0 < 1 {\ncommit\n}", "line 7: `commit` stands outside of `when`"),
        ("barrier", "for k in 2 {\nbarrier", "expected `}`"),
        ("else 0", "else 0 by SM90_TMA_LOAD", "no statement is executed by SM90_TMA_LOAD"),
        ("else 0", "else 0 + 1 < 2", "the value of condition"),
        ("= s[", "= 1 + u32(2) + s[", "operands of u32 and f32: convert one of them"),
        ("= s[", "= mean(s[", "mean is no tensor, scalar, size or function"),
        ("barrier", "B[B[0@0]@1] = 1", "written at coordinates that are read from memory"),
        (
            "shared s f32 Sw<5,0,5> o 0 o (32,32):(32,1)",
            "shared s f32 (999,999):(1,999)",
            "takes 998001 elements",
        ),
        ("barrier", "x = 0", "x is not declared"),
        (
            "barrier",
            "for j in b0 {\nbarrier\n}",
            "line 6: b0 differs between blocks or steps, and a loop has as many steps",
        ),
        ("barrier", "when 6*b0%2 < 1 {\n}", "expected a digit in brackets, as in 6*(b0)%2"),
        (
            "barrier",
            "when (A) < 1 {\n}",
            "expected b0, b1, b2, t, v or the index of a loop around, found `A) < 1 {`",
        ),
        ("= A[b0 32@0", "= A[A[b0 32@0]", "expected `@` and the mode whose coordinate A has, as in A[..]@0"),
        (
            "shared s f32 Sw<5,0,5>",
            "registers x f32 2:9999\nshared s f32 Sw<5,0,5>",
            "registers has at most 1024",
        ),
        ("(32,32):(32,1)", "(32,32):(1152921504606846976,1)", "s: "),
        ("barrier", "read C f32 M:1", "`read` stands before the first statement"),
    ];
    let valid = text("transpose");
    for (from, to, wanted) in cases {
        assert!(valid.contains(from), "{from}");
        let wrong = valid.replacen(from, to, 1).parse::<Program>();
        let wrong = wrong.map(|program| panic!("{from} to {to}: {program}")).unwrap_err().to_string();
        assert!(wrong.contains(wanted), "{to}: {wrong}");
    }
}

/// A digit of one index is the same with brackets and without, and a gather in brackets is one.
#[test]
fn digits_without_brackets() {
    let mut changed = 0;
    for text in changed::texts() {
        let program: Program = text.parse().unwrap();
        let mut bare = program.to_string();
        for index in ["k", "t", "b0", "b1", "b2"] {
            for sign in ["/", "%"] {
                changed += bare.matches(&format!(" ({index}){sign}")).count()
                    + bare.matches(&format!("[({index}){sign}")).count();
                bare = bare.replace(&format!(" ({index}){sign}"), &format!(" {index}{sign}"));
                bare = bare.replace(&format!("[({index}){sign}"), &format!("[{index} {sign} "));
            }
        }
        assert_eq!(bare.parse::<Program>().unwrap(), program, "{bare}");
    }
    assert!(changed > 4, "{changed}");
    let gather = "kernel k 32 threads, grid (1)\nread A f32 M:1\nread r u32 32:1\nwrite B f32 32:1\nB[t 32:1@0] = A[r[t 32:1@0]@0] else 0\n";
    let program: Program = gather.parse().unwrap();
    assert_eq!(gather.replace("r[t 32:1@0]@0", "(r[t 32:1@0])@0").parse::<Program>().unwrap(), program);
}

/// Registers by their name alone are one element, or a fragment of a matrix instruction; several are refused wherever they stand.
#[test]
fn registers_by_their_name() {
    for (layout, size) in
        [("1:1", 1), ("(1,1):(1,1)", 1), ("4:1", 4), ("(1,4):(1,1)", 4), ("(2,3):(3,1)", 6), ("2:0", 2)]
    {
        for value in [
            "e = 0",
            "f = e",
            "B[t 32:1@0] = e",
            "f = exp(1 + max(2, e))",
            "f = select(e < 1, 2, 3)",
            "B[t 32:1@0] = B[t 32:1@0] + e",
        ] {
            let text = format!(
                "kernel k 32 threads, grid (1)\nupdate B f32 32:1\nregisters e f32 {layout}\nregisters f f32 1:1\n{value}\n"
            );
            let read = text.parse::<Program>();
            match read {
                Ok(_) => assert_eq!(size, 1, "{text}"),
                Err(error) => {
                    let wanted = format!(
                        "line 5: e has {size} elements: write e[v {size}:1@0] for all of them, or e[0@0] for the first one"
                    );
                    assert_eq!(error.to_string(), wanted, "{text}");
                    assert!(size > 1);
                }
            }
        }
    }
}

/// No text panics.
#[test]
fn damaged_texts_are_refused_or_read() {
    let mut random = Random::named("damaged_texts");
    let texts = ["transpose", "reduce", "stages", "softmax", "causal", "unpack", "hgemm"].map(text);
    for _ in 0..testkit::scaled(30_000, 0.03) {
        let mut bytes = texts[random.below(texts.len() as u64) as usize].clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len() as u64) as usize;
            let signs = b"0123456789()[]{},:@%+-*/<=\n tvbk";
            match random.below(3) {
                0 => bytes[at] = signs[random.below(signs.len() as u64) as usize],
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, signs[random.below(signs.len() as u64) as usize]),
            }
        }
        if let Ok(program) = String::from_utf8(bytes).unwrap().parse::<Program>() {
            if random.chance(20) {
                let _ = (program.check(), program.emit(Target::Cuda));
            }
            let printed = program.to_string();
            assert_eq!(printed.parse::<Program>().expect(&printed).to_string(), printed);
        }
    }
}

/// What is proved of a program, whatever it is, is so at sizes that were not tried: each element is written once, nothing
/// races, nothing is read outside or before it is written.
#[test]
fn proofs_of_changed_programs_agree_with_runs() {
    let (texts, mut random) = (changed::texts(), Random::named("proofs_of_changed_programs"));
    let (mut proved, mut runs) = (0, 0);
    for _ in 0..testkit::scaled(20_000, 0.004) {
        let Some((program, report)) = changed::proved(&texts, &mut random) else { continue };
        proved += 1;
        for _ in 0..6 {
            let Some(sizes) = changed::sizes(&program, &mut random) else { continue };
            let Ok(mut buffers) = Buffers::new(&program, &sizes) else { continue };
            for tensor in program.tensors().iter().filter(|own| own.space == tilework_program::Space::Read) {
                buffers.fill(&tensor.name, |_| 1.0).unwrap();
            }
            match program.run_within(&sizes, &mut buffers, 1 << 16) {
                Ok(done) => runs += i32::from(done.is_some()),
                // What a value is, a check does not ask.
                Err(error) if error.to_string().contains("has no value") => {}
                Err(error) => {
                    panic!("{error}\nat {:?}\n{program}\n{report}", sizes.named().collect::<Vec<_>>())
                }
            }
        }
    }
    assert!(proved > 10 && runs > proved, "{proved} {runs}");
}

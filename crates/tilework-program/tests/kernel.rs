//! Programs built in Rust are those of their texts.

use std::path::Path;
use testkit::coordinates;
use tilework::{layout, tiler};
use tilework_program::kernel::{Expr, Fold, Index, Kernel, Tensor};
use tilework_program::library::Gemm;
use tilework_program::{Buffers, ElementType, Error, Program, Target, bf16, f16};

fn golden(name: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("tw");
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

fn reduce() -> Result<Program, Error> {
    let mut k = Kernel::new("reduce", 256);
    let (a, y) = (k.read::<f32>("A", "(M,K):(lda,1)"), k.write::<f32>("y", "M:1"));
    let s = k.shared::<f32>("s", "(8,32):(32,1)");
    let sums = k.registers::<f32>("sums", "4:1");
    let [m] = k.grid(["ceil(M/8)"]);
    k.fill(sums, 0.0);
    k.repeat("ceil(K/128)", |k, step| {
        k.fold(Fold::SUM, a.tile([8, 128], [m, step]).partition("((32,8),4):((1@1,1@0),32@1)"), sums);
    });
    let own = s.threads("(32,8):(1@1,1@0)");
    k.fill(&own, 0.0);
    k.fold(Fold::SUM, sums, own.values("4:0"));
    for half in [16, 8, 4, 2, 1] {
        let threads = format!("({half},8):(1@1,1@0)");
        k.barrier();
        k.fold(Fold::SUM, s.at(1, half).threads(&threads), s.threads(&threads));
    }
    k.barrier();
    k.copy(s.threads("8:1@0"), y.tile([8], [m]).threads("8:1@0"));
    k.finish()
}

fn sgemm() -> Result<Program, Error> {
    let mut k = Kernel::new("sgemm", 256);
    let (a, b) = (k.read::<f32>("A", "(M,K):(lda,1)"), k.read::<f32>("B", "(N,K):(1,ldb)"));
    let (bias, c) = (k.read::<f32>("bias", "N:1"), k.write::<f32>("C", "(M,N):(ldc,1)"));
    let sa = k.shared::<f32>("sA", "Sw<2,3,5> o 0 o (64,16):(1,64)");
    let sb = k.shared::<f32>("sB", "(64,16):(1,64)");
    let (ra, rb) = (k.registers::<f32>("ra", "4:1"), k.registers::<f32>("rb", "4:1"));
    let sums = k.registers::<f32>("sums", "(4,4):(1,4)");
    k.assume("K % 4 == 0, N % 4 == 0, lda % 4 == 0, ldb % 4 == 0, ldc % 4 == 0");
    let [i, j] = k.grid(["ceil(M/64)", "ceil(N/64)"]);
    let (from_a, from_b) = ("((4,64),4):((4@1,1@0),1@1)", "((16,16),4):((4@0,1@1),1@0)");
    k.fill(sums, 0.0);
    k.repeat("ceil(K/16)", |k, step| {
        k.copy(a.tile([64, 16], [i, step]).partition(from_a), sa.partition(from_a));
        k.copy(b.tile([64, 16], [j, step]).partition(from_b), sb.partition(from_b));
        k.barrier();
        for q in 0..16 {
            k.copy(sa.at(1, q).partition("((16,16),4):((0,4@0),1@0)"), ra);
            k.copy(sb.at(1, q).partition("((16,16),4):((4@0,0),1@0)"), rb);
            let (column, row) = (ra.values("(4,4):(1@0,0)"), rb.values("(4,4):(0,1@0)"));
            k.map((sums, column, row), sums, |(sum, a, b)| sum + a * b);
        }
        k.barrier();
    });
    let bias = bias.tile([64], [j]).partition("((16,16),(4,4)):((4@0,0),(0,1@0))");
    let out = c.tile([64, 64], [i, j]).partition("((16,16),(4,4)):((4@1,4@0),(1@0,1@1))");
    k.map((sums, bias), out, |(sum, bias)| (sum + bias).max(0.0));
    k.finish()
}

/// C = A B^T, f16 to f32 on tensor cores: 128x128x32, three stages.
fn hgemm() -> Result<Program, Error> {
    const STAGES: i64 = 3;
    let mut k = Kernel::new("hgemm", 128);
    let (a, b) = (k.read::<f16>("A", "(M,K):(lda,1)"), k.read::<f16>("B", "(N,K):(ldb,1)"));
    let c = k.write::<f32>("C", "(M,N):(ldc,1)");
    k.assume("K % 8 == 0, lda % 8 == 0, ldb % 8 == 0, N % 2 == 0, ldc % 2 == 0");
    let stages = "Sw<2,3,3> o 0 o (128,32,3):(32,1,4096)";
    let (sa, sb) = (k.shared::<f16>("sA", stages), k.shared::<f16>("sB", stages));
    let [i, j] = k.grid(["ceil(M/128)", "ceil(N/128)"]);
    let mma =
        k.tiled_mma("SM80_16x8x16_F32F16F16F32_TN", layout!((2,2,1):(1,2,4)), tiler!(<_,(8,2,2):(1,16,8),_>));
    let fill =
        k.tiled_copy("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", layout!((32,4):(4,1)), layout!((1,8):(0,1)));
    let (load_a, load_b) = (mma.copy_a("SM75_U32x4_LDSM_N"), mma.copy_b("SM75_U32x4_LDSM_N"));
    let (ra, rb) = (k.fragment_a(&mma, [128, 16]), k.fragment_b(&mma, [128, 16]));
    let sums = k.fragment_c(&mma, [128, 128]);
    let fetch = |k: &mut Kernel, step: Index| {
        k.when(step, "ceil(K/32)", |k| {
            for (x, s, n) in [(a, sa, i), (b, sb, j)] {
                k.copy_by(&fill, x.tile([128, 32], [n, step]), s.at(2, step % STAGES));
            }
        });
        k.commit();
    };
    k.fill(sums, 0.0);
    (0..STAGES - 1).for_each(|step| fetch(&mut k, step.into()));
    k.repeat("ceil(K/32)", |k, step| {
        k.wait(1);
        k.barrier();
        fetch(k, step + (STAGES - 1));
        for q in 0..2 {
            let half = |s: Tensor<f16>| s.at(2, step % STAGES).tile([128, 16], [0.into(), q.into()]);
            k.copy_by(&load_a, half(sa), ra);
            k.copy_by(&load_b, half(sb), rb);
            k.gemm(&mma, ra, rb, sums);
        }
    });
    k.copy(sums, mma.partition_c(c.tile([128, 128], [i, j])));
    k.finish()
}

#[test]
fn built_programs_are_those_of_their_texts() {
    let own = reduce().unwrap();
    assert_eq!(own, golden("reduce"));
    assert_eq!(own.to_string().parse::<Program>().unwrap(), own);
    let own = hgemm().unwrap();
    assert_eq!(own, golden("hgemm"));
    assert_eq!(own.to_string().parse::<Program>().unwrap(), own);
    let gemm = Gemm::new("(M,K):(lda,1)", "(N,K):(ldb,1)", "(M,N):(ldc,1)")
        .bias("N:1")
        .tile([128, 128, 32])
        .stages(3);
    let relu = |sum: Expr<f32>| sum.max(0.0).cast::<f16>();
    assert_eq!(
        gemm.build_by::<f16, _>("SM80_16x8x16_F32F16F16F32_TN", [2, 2], relu).unwrap(),
        golden("tensor_gemm")
    );
    let own = sgemm().unwrap();
    assert_eq!(own.to_string().parse::<Program>().unwrap(), own);
    // `0@1` adds nothing and is not written.
    assert_eq!(own.to_string(), golden("sgemm").to_string().replace("[0@1, ", "["));
    assert!(own.check().unwrap().is_proved());
}

/// The product of one tile in shared memory by an atom, on a block of two atoms.
fn tile_product<A: ElementType, C: ElementType + From<i8>>(
    atom: &str,
    [m, n, depth]: [i64; 3],
    loads: [&str; 2],
) -> Result<Program, Error> {
    let mut k = Kernel::new("tile", if depth == 1 { 2 } else { 64 });
    let (a, b) = (k.read::<A>("A", "(M,K):(lda,1)"), k.read::<A>("B", "(N,K):(1,ldb)"));
    let c = k.write::<C>("C", "(M,N):(ldc,1)");
    k.grid(["1"]);
    k.assume(&format!("M <= {m}, N <= {n}, K <= {depth}"));
    let sa = k.shared::<A>("sA", format!("({m},{depth}):({depth},1)"));
    // What is transposed has its rows along n.
    let strides = if loads[1].ends_with("_T") { format!("1,{n}") } else { format!("{depth},1") };
    let sb = k.shared::<A>("sB", format!("({n},{depth}):({strides})"));
    let mma = k.tiled_mma(atom, "(2,1,1):(1,0,0)", "<_,_,_>");
    let (ra, rb) = (k.fragment_a::<A>(&mma, [m, depth]), k.fragment_b::<A>(&mma, [n, depth]));
    let sums = k.fragment_c::<C>(&mma, [m, n]);
    let first = [Index::from(0), 0.into()];
    let whole = |x: Tensor<A>, rows: i64| x.tile([rows, depth], first);
    for (x, s, rows) in [(a, sa, m), (b, sb, n)] {
        let layout = format!("(1,({rows},{depth})):(0,(1@0,1@1))");
        k.copy(whole(x, rows).partition(&layout), s.partition(&layout));
    }
    k.barrier();
    match loads[0] {
        "" => k.copy(mma.partition_a(whole(sa, m)), ra),
        name => k.copy_by(&mma.copy_a(name), whole(sa, m), ra),
    }
    match loads[1] {
        "" => k.copy(mma.partition_b(whole(sb, n)), rb),
        name => k.copy_by(&mma.copy_b(name), whole(sb, n), rb),
    }
    k.fill(sums, 0.into());
    k.gemm(&mma, ra, rb, sums);
    k.copy(sums, mma.partition_c(c.tile([m, n], first)));
    k.finish()
}

/// Every kind of atom, with every way to load its fragments, by the machine and with proofs.
#[test]
fn atoms_multiply() {
    let (x1, x2, x4) = ("SM75_U32x1_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x4_LDSM_N");
    let half = "SM80_16x8x16_F32F16F16F32_TN";
    let upper = "SM80_16x8x16_F32BF16BF16F32_TN";
    type Build = fn(&str, [i64; 3], [&str; 2]) -> Result<Program, Error>;
    let cases: [(Build, &str, [i64; 3], [&str; 2]); 9] = [
        (tile_product::<f16, f32>, half, [64, 16, 32], [x4, x2]),
        (tile_product::<f16, f32>, half, [32, 16, 16], [x1, "SM75_U16x8_LDSM_T"]),
        (tile_product::<f16, f32>, half, [32, 8, 16], ["", "SM75_U16x4_LDSM_T"]),
        (tile_product::<f16, f32>, "SM80_16x8x8_F32F16F16F32_TN", [32, 8, 24], [x2, "SM75_U16x2_LDSM_T"]),
        (tile_product::<bf16, f32>, upper, [32, 16, 16], [x4, x4]),
        (tile_product::<bf16, f32>, "SM80_16x8x8_F32BF16BF16F32_TN", [32, 8, 8], [x2, x1]),
        (tile_product::<f16, f16>, "SM80_16x8x16_F16F16F16F16_TN", [32, 8, 16], [x4, ""]),
        (tile_product::<i8, i32>, "SM80_16x8x32_S32S8S8S32_TN", [32, 8, 64], [x4, x2]),
        (tile_product::<f32, f32>, "UniversalFMA<float>", [4, 3, 1], ["", ""]),
    ];
    for (build, atom, extents, loads) in cases {
        let program = build(atom, extents, loads).unwrap();
        let report = program.check().unwrap();
        assert!(report.is_proved(), "{program}\n{report}");
        assert_eq!(program.to_string().parse::<Program>().unwrap(), program);
        for [m, n, k] in [[1; 3], extents.map(|extent| (extent - 1).max(1)), extents] {
            let sizes = program.sizes(&[("M", m), ("N", n), ("K", k)]).unwrap();
            let mut buffers = Buffers::new(&program, &sizes).unwrap();
            let value = |at: &[i64]| ((at[0] * 5 + at[1] * 3) % 7 - 3) as f64;
            ["A", "B"].iter().for_each(|name| buffers.fill(name, value).unwrap());
            program.run(&sizes, &mut buffers).unwrap();
            for at in coordinates(&[m, n]) {
                let sum = (0..k).map(|k| value(&[at[0], k]) * value(&[at[1], k])).sum();
                assert_eq!(buffers.at("C", &at), Some(sum), "{program}");
            }
        }
    }
}

/// The lanes of an instruction fold what is outside along k, without a loop.
#[test]
fn products_of_what_is_outside() {
    let built = tile_product::<f16, f32>("SM80_16x8x16_F32F16F16F32_TN", [32, 8, 16], ["", ""]).unwrap();
    // A product with 0 is neutral.
    let text = built.to_string().replacen("else 0", "else 1", 1);
    assert!(text.parse::<Program>().unwrap().check().unwrap().is_proved());
    let report = text.replace("else 0", "else 1").parse::<Program>().unwrap().check().unwrap();
    let fault = "rc folds what is outside of [0,K), which changes it";
    assert!(report.faults().any(|own| own.text.contains(fault)), "{report}");
}

/// Masks, casts, sizes, arguments, digits and asynchronous copies.
#[test]
fn expressions_and_indices() {
    let mut k = Kernel::new("all", 32);
    let x = k.read::<i32>("X", "(M,N):(ld,1)");
    let rows = k.read::<u32>("rows", "M:1");
    let y = k.write::<f32>("Y", "(M,N):(N,1)");
    let s = k.shared::<i32>("s", "(32,3):(1,32)");
    let (low, n) = (k.scalar::<i32>("low"), k.size("N"));
    let [i, j] = k.grid(["M", "ceil(N/32)"]);
    let at = x.gather(0, rows.at(0, i)).tile([1, 32], [0.into(), j]).threads("32:1@1");
    let stage = (j + 5) / 2 % 4 % 2;
    let copy = "SM80_CP_ASYNC_CACHEALWAYS<uint32_t>";
    k.copy_by(copy, x.tile([1, 32], [i, j]).threads("32:1@1"), s.at(1, stage + 1).threads("32:1@0"));
    k.commit();
    k.wait(0);
    k.when(i, "M", |k| {
        let out = y.tile([1, 32], [i, j]).threads("32:1@1");
        let own = s.at(1, stage + 1).threads("32:1@0");
        let column = out.coordinate(1);
        k.map((at, &own, column, n, low), &out, |(x, s, column, n, low)| {
            let inside = column.less(n) & x.at_most(3) | (&s & 1).equals(0);
            (-inside.select(x - low, s << 2)).cast::<f32>().exp() * 0.5
        });
    });
    let program = k.finish().unwrap();
    let lines: Vec<String> = program.to_string().lines().skip(6).map(String::from).collect();
    assert_eq!(
        lines,
        [
            "s[(b1+5)/2%2 1@1, 1@1, t 32:1@0] = X[b0 1@0, b1 32@1, t 32:1@1] else 0 by SM80_CP_ASYNC_CACHEALWAYS<uint32_t>",
            "commit",
            "wait 0",
            "when b0 < M {",
            "  Y[b0 1@0, b1 32@1, t 32:1@1] = exp(f32(-select((coordinate(Y[b0 1@0, b1 32@1, t 32:1@1], 1) < N) & (X[rows[b0 1@0]@0, b1 32@1, t 32:1@1] else 0 <= 3) | (s[(b1+5)/2%2 1@1, 1@1, t 32:1@0] & 1 == 0), X[rows[b0 1@0]@0, b1 32@1, t 32:1@1] else 0 - low, s[(b1+5)/2%2 1@1, 1@1, t 32:1@0] << 2))) * 0.5",
            "}",
        ]
    );
    assert_eq!(program.to_string().parse::<Program>().unwrap(), program);
}

/// Each mistake has the line of its statement, and says what is wrong.
#[test]
fn mistakes_have_their_line() {
    let wrong = |statement: &dyn Fn(&mut Kernel)| {
        let mut k = Kernel::new("wrong", 32);
        statement(&mut k);
        let line = line!() as usize - 1;
        let error = k.finish().unwrap_err();
        assert!(error.line().is_some_and(|own| own > line), "{error}");
        error.message().to_string()
    };
    type Case<'a> = (&'a dyn Fn(&mut Kernel), &'a str);
    let cases: [Case<'_>; 10] = [
        (
            &|k| {
                let _ = k.read::<f32>("A", "(M,N):lda");
            },
            "the layout of A: ",
        ),
        (
            &|k| {
                let _ = k.read::<f32>("a b", "M:1");
            },
            "`a b` is no name",
        ),
        (
            &|k| {
                let _ = (k.read::<f32>("A", "M:1"), k.read::<f32>("A", "M:1"));
            },
            "the name A is taken",
        ),
        (
            &|k| {
                let _ = k.grid(["ceil(M/32)"]);
            },
            "ceil(M/32)",
        ),
        (&|k| k.assume("M %"), "assume M %"),
        (
            &|k| {
                let a = k.write::<f32>("A", "M:1");
                k.fill(a.partition("32:1@0"), 0.0);
            },
            "A: 32:1@0 has 1 modes: a partition has one of threads and one of values",
        ),
        (
            &|k| {
                let s = k.shared::<f32>("s", "32:1");
                k.repeat("7", |k, i| k.fill(s.at(0, (i % 3 + 1) % 2), 0.0));
            },
            "s: mode 0: an index of this form is no digit of a loop or block",
        ),
        (
            &|k| {
                let s = k.shared::<f32>("s", "32:1");
                let mut kept = None;
                k.repeat("7", |_, i| kept = Some(i));
                k.fill(s.at(0, kept.unwrap()), 0.0);
            },
            "the index of a loop is used outside of the loop",
        ),
        (
            &|k| {
                let b = k.write::<f32>("B", "M:1");
                let other = Kernel::new("other", 32).read::<f32>("A", "M:1");
                let _ = k.read::<f32>("C", "M:1");
                k.copy(b.threads("32:1@1"), other.threads("32:1@0"));
            },
            "B: t 32:1@1: there is no mode 1: the tensor has 1",
        ),
        (
            &|k| {
                let (a, b) = (k.read::<f32>("A", "M:1"), k.write::<f32>("B", "M:1"));
                k.copy(a.threads("64:1@0"), b.threads("32:1@0"));
            },
            "the layout of t has size 64, and a block has 32 threads",
        ),
    ];
    for (statement, wanted) in cases {
        let found = wrong(statement);
        assert!(found.contains(wanted), "{wanted}: {found}");
    }
}

/// One line of Rust that makes several statements: each has the predicates of its own conditions.
#[test]
fn statements_of_one_line_are_several() {
    let mut k = Kernel::new("copies", 32);
    let (a, b) = (k.read::<f32>("A", "M:1"), k.write::<f32>("B", "M:1"));
    let own = k.registers::<f32>("own", "1:1");
    let [i] = k.grid(["ceil(M/32)"]);
    let load = |k: &mut Kernel| k.copy(a.tile([32], [i]).threads("32:1@0"), own);
    load(&mut k);
    k.when(i, "floor(M/32)", load);
    k.copy(own, b.tile([32], [i]).threads("32:1@0"));
    let built = k.finish().unwrap();
    let read: Program = built.to_string().parse().unwrap();
    for target in [Target::Wgsl, Target::Cuda] {
        assert_eq!(built.emit(target).unwrap(), read.emit(target).unwrap());
    }
    assert_eq!(built.emit(Target::Wgsl).unwrap().matches("select(").count(), 1);
}

/// What is subtracted from an index may be outside, and is no part of a digit.
#[test]
fn indices_below_zero() {
    let build = |of: fn(Index) -> Index| {
        let mut k = Kernel::new("before", 32);
        let (a, b) = (k.read::<f32>("A", "(M,32):(32,1)"), k.write::<f32>("B", "(M,32):(32,1)"));
        k.repeat("M", |k, i| k.copy(a.at(0, of(i)).threads("32:1@1"), b.at(0, i).threads("32:1@1")));
        k.finish()
    };
    let program = build(|step| step + 1 + -2).unwrap();
    assert_eq!(program.to_string().parse::<Program>().unwrap(), program);
    assert!(program.check().unwrap().to_string().contains("A read: predicate c0 < M"));
    let sizes = program.sizes(&[("M", 3)]).unwrap();
    let mut buffers = Buffers::new(&program, &sizes).unwrap();
    buffers.fill("A", |at| at[0] as f64 + 1.0).unwrap();
    program.run(&sizes, &mut buffers).unwrap();
    assert_eq!([0, 1, 2].map(|at| buffers.at("B", &[at, 0]).unwrap()), [0.0, 1.0, 2.0]);
    assert!(build(|step| (step + -1) % 2).unwrap_err().to_string().contains("no digit of a loop or block"));
    let mut k = Kernel::new("never", 32);
    k.repeat("7", |k, step| k.when(step + -1, "7", Kernel::barrier));
    assert!(k.finish().unwrap_err().to_string().contains("`when k + -1` may be negative"));
}

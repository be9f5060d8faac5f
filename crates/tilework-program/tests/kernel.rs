//! Programs built in Rust are those of their texts.

use std::path::Path;
use tilework_program::kernel::{Fold, Kernel};
use tilework_program::{Error, Program};

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

#[test]
fn built_programs_are_those_of_their_texts() {
    let own = reduce().unwrap();
    assert_eq!(own, golden("reduce"));
    assert_eq!(own.to_string().parse::<Program>().unwrap(), own);
    let own = sgemm().unwrap();
    assert_eq!(own.to_string().parse::<Program>().unwrap(), own);
    // `0@1` adds nothing and is not written.
    assert_eq!(own.to_string(), golden("sgemm").to_string().replace("[0@1, ", "["));
    assert!(own.check().unwrap().is_proved());
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

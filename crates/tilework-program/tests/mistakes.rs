//! What a check says of the programs of `programs/`, of mistakes in them, and of others like them.

mod changed;
mod golden;

use golden::{changed, program, ran, text};
use testkit::Random;
use tilework_program::{Buffers, Certainty, Program, Target};

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

/// What is never read is said: a tensor that nothing accesses, and what is written for nothing.
#[test]
fn what_is_never_read() {
    let report = |body: &str| {
        let text = format!(
            "kernel k 32 threads, grid (ceil(M/32))\nread A f32 M:1\nread Z f32 N:1\nupdate U f32 M:1\nwrite B f32 M:1\n\
             shared s f32 32:1\nregisters e f32 1:1\n{body}B[b0 32@0, t 32:1@0] = A[b0 32@0, t 32:1@0] else 0\n"
        );
        text.parse::<Program>().unwrap_or_else(|error| panic!("{error}\n{text}")).check().unwrap()
    };
    let unread = |body: &str| -> Vec<(Option<usize>, String)> {
        let all = report(body).findings.into_iter().filter(|own| own.text.ends_with(" is never read"));
        all.map(|own| (own.line, own.text.replace(" is never read", ""))).collect()
    };
    let own = |names: &[(usize, &str)]| -> Vec<(Option<usize>, String)> {
        names.iter().map(|(line, name)| (Some(*line), (*name).to_string())).collect()
    };
    let update = "U[b0 32@0, t 32:1@0] = (U[b0 32@0, t 32:1@0] else 0) + (Z[t 32:1@0] else 0)\n";
    let written = "s[t 32:1@0] = 1\ne = 2\n";
    assert_eq!(unread(update), own(&[(6, "s"), (7, "e")]));
    assert_eq!(unread(&format!("{update}{written}")), own(&[(6, "s"), (7, "e")]));
    assert_eq!(unread(&format!("{update}{written}e = e + s[t 32:1@0]\n")), []);
    assert_eq!(unread("U[b0 32@0, t 32:1@0] = 1\n"), own(&[(3, "Z"), (4, "U"), (6, "s"), (7, "e")]));
}

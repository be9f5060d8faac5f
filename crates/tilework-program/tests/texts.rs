//! The text of programs: printed as it was read, and refused with its line and what would be right.

mod golden;

use golden::{program, text};
use testkit::Random;
use tilework_program::{Program, Target};

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
            "for j in t {\nbarrier\n}",
            "line 6: t differs between threads or steps, and a loop has as many steps",
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

/// What is wrong with a stride is said with the line of the view or of the declaration, by whatever finds it.
#[test]
fn strides_that_are_refused() {
    let text = |a: &str, s: &str, view: &str| {
        format!(
            "kernel k 32 threads, grid (M)\nread A f32 {a}\nwrite y f32 M:1\nshared s f32 {s}\n\ny[{view}] = A[t 32:1@0] else 0\n"
        )
    };
    let (plain, local, view) = ("M:1", "32:1", "b0 32@0, t 32:1@0");
    let cases = [
        (plain, local, "t 32:99999999999999999999@0", 6, "expected an integer that fits in 64 bits"),
        (plain, local, "t 32:9223372036854775807@0", 6, "31 * 9223372036854775807 does not fit in 64 bits"),
        (plain, local, "t 32:M@0", 6, "expected a stride"),
        (plain, local, "t 32:1", 6, "names no mode: write 1@0 for mode 0"),
        (plain, local, "b0 M@0, t 32:1@0", 6, "expected an integer"),
        (plain, local, "b0 9999999999999999999@0", 6, "expected an integer"),
        (plain, local, "b0 9223372036854775807@0, t 32:1@0", 6, "65534 * 9223372036854775807 does not fit"),
        ("M:99999999999999999999", local, view, 2, "expected an integer that fits in 64 bits"),
        ("(M,4):(9223372036854775807,1)", local, view, 2, "does not fit in 64 bits"),
        ("M:-M", local, view, 2, "A has elements before its first one: a stride is below 0"),
        (plain, "32:q", view, 4, "expected a stride"),
        (plain, "32:9999999", view, 4, "takes 309999970 elements, and shared has at most 262144"),
        (plain, "(4,32):(-1,1)", view, 4, "the strides of (4,32):(-1,1) are integers of 0 or more"),
        (plain, "(32,4):(1,9223372036854775807)", view, 4, "does not fit in 64 bits"),
    ];
    for (a, s, view, line, wanted) in cases {
        let program = text(a, s, view).parse::<Program>();
        let error = program.and_then(|program| program.check()).map(|report| panic!("{view}: {report}"));
        let error = error.unwrap_err();
        assert_eq!(error.line(), Some(line), "{error}");
        assert!(error.to_string().contains(wanted), "{error}");
    }
    let open = text("M:q*p", local, view).parse::<Program>().unwrap();
    assert_eq!(open.sizes(&[("M", 3)]).unwrap_err().to_string(), "p is not given: write p=..");
    // A number of a statement has the line of the statement, and in Rust that of the source.
    let sum = "kernel k 2 threads, grid (1)\nwrite y u32 M:1\n\ny[t 2:1@0] = 7 / (M + 4294967295)\n";
    let error = sum.parse::<Program>().unwrap().check().unwrap_err();
    assert_eq!(error.to_string(), "line 4: M + 4294967295, which the kernel computes, does not fit 32 bits");
    let mut k = tilework_program::kernel::Kernel::new("k", 32);
    let line = line!() + 1;
    k.shared::<f32>("s", "32:9999999");
    assert_eq!(k.finish().unwrap_err().line(), Some(line as usize));
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

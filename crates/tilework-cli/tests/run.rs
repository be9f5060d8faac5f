//! `copy`, `gemm` and `contract` on small sizes: that they run, are right, and say so in JSON. Nothing here depends on how
//! fast the machine is.

use serde_json::Value;
use std::process::Command;

/// Runs the program with `--json`: its exit status and the object it prints.
fn tilework(arguments: &[&str]) -> (Option<i32>, Value) {
    tilework_with(&[], arguments)
}

/// The same with variables of the environment.
fn tilework_with(variables: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_tilework"))
        .envs(variables.iter().copied())
        .args(arguments)
        .args(["--json", "--repeat", "2"])
        .output()
        .expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    assert_eq!(text.lines().count(), 1, "one object in one line: {text} {arguments:?}");
    assert!(output.stderr.is_empty(), "{arguments:?} {}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), serde_json::from_str(&text).expect("what is printed is JSON"))
}

/// Runs a command that has to be right, and gives the object.
fn right(arguments: &[&str], rate: &str) -> Value {
    let (status, object) = tilework(arguments);
    assert_eq!((status, &object["correct"]), (Some(0), &Value::Bool(true)), "{arguments:?} {object}");
    for number in ["median_s", rate, "ceiling", "ratio"] {
        assert!(
            object[number].as_f64().is_some_and(|number| number > 0.0),
            "{arguments:?} {number} {object}"
        );
    }
    let (ratio, expected) = (object["ratio"].as_f64(), object[rate].as_f64().zip(object["ceiling"].as_f64()));
    let expected = expected.map(|(rate, ceiling)| rate / ceiling);
    assert!(
        ratio.zip(expected).is_some_and(|(ratio, expected)| (ratio / expected - 1.0).abs() < 1e-9),
        "{object}"
    );
    assert!(object["plan"].as_str().is_some_and(|plan| !plan.is_empty()), "{object}");
    assert_eq!((&object["command"], object["repeat"].as_f64()), (&Value::from(arguments[0]), Some(2.0)));
    object
}

#[test]
fn copies() {
    for (source, destination) in [
        ("(33,17):(1,33)", "(33,17):(17,1)"),
        ("(33,17):(1,40)", "(33,17):(20,1)"),
        ("(4,8)", "(4,8):(-1,-4)"),
        ("{7} o 8:-1", "{3} o 8:2"),
        ("8:0", "8:1"),
        ("7:0", "7:0"),
        ("1", "1"),
        ("()", "1:5"),
        ("(8,64):(64,1)", "Sw<3,0,3> o 0 o (8,64):(64,1)"),
        ("Sw<3,0,3> o 64 o (8,64):(64,1)", "{5} o 512:1"),
        ("(8,8):(^1,^9)", "(8,8)"),
        ("{64} o (8,8):(^1,^9)", "(8,8):(^8,^1)"),
        ("{5} o (8,8):(^1,^9)", "{70} o (8,8):(^8,^1)"),
        ("zipped_divide((32,32):(32,1), <4,8>)", "((4,8),(8,4))"),
        ("let L = (6,4):(4,1); L", "L o (6,4)"),
    ] {
        for dtype in ["u8", "f16", "u32", "f64", "c64", "3", "12", "64"] {
            let object = right(&["copy", source, destination, "--dtype", dtype], "gbps");
            assert_eq!(object["dtype"], dtype);
        }
    }
    let object = right(&["copy", "(100,200)", "(100,200):(200,1)", "--threads", "3"], "gbps");
    assert_eq!(object["threads"].as_f64(), Some(3.0));
    assert_eq!(object["checked"], "all 20000 elements, and that nothing else is written");
}

#[test]
fn products() {
    for (a, b, c) in [
        ("(33,17)", "(20,17)", "(33,20)"),
        ("(33,17):(17,1)", "(20,17):(1,25)", "(33,20):(21,1)"),
        ("(5,7,3)", "(6,7,3):(7,1,42)", "(5,6,3):(1,5,30)"),
        ("((2,2),(4,2)):((1,8),(2,16))", "{9} o (3,8):(1,3)", "{2} o (4,3):(3,1)"),
        ("{100} o (4,5):(-1,4)", "(6,5):(5,-1)", "(4,6):(-6,1)"),
        ("Sw<2,0,2> o 0 o (4,8):(8,1)", "{3} o (4,8):(^1,^4)", "Sw<1,0,2> o 0 o (4,4):(4,1)"),
        ("(4,3):(0,0)", "(2,3):(0,1)", "(4,2):(1,4)"),
        ("(1,1)", "(1,1)", "(1,1)"),
    ] {
        for (dtype, outputs) in [
            ("f32", &["f32"][..]),
            ("f64", &["f64"]),
            ("bf16", &["f32", "bf16"]),
            ("f16", &["f32", "f16"]),
            ("i8", &["i32"]),
        ] {
            for output in outputs {
                let arguments = ["gemm", a, b, c, "--dtype", dtype, "--output-dtype", output];
                let object = right(&arguments, "gflops");
                assert_eq!(
                    (&object["dtype"], &object["output_dtype"]),
                    (&dtype.into(), &Value::from(*output))
                );
            }
        }
    }
    right(&["gemm", "(70,90)", "(80,90)", "(70,80)", "--threads", "4"], "gflops");
}

#[test]
fn contractions() {
    for arguments in [
        &["mk,nk->mn", "(33,17)", "(20,17):(17,1)"][..],
        &["mk,nk", "(33,17)", "(20,17):(17,1)", "(33,20):(40,2)"],
        &["stupr,qtru->stqp", "(2,3,4,5,6),(7,3,6,4)"],
        &["ab,bc,cd->da", "(6,5)", "(5,4)", "(4,3)", "{3} o (3,6):(6,1)"],
        &["ii->", "(9,9)"],
        &["i,i->", "7", "7:2"],
        &["i,j->ij", "{8} o 8:-1", "(3)"],
        &["ab->b", "((2,3),4):((4,8),1)"],
        &["mk,nk->mn", "Sw<2,0,3> o 0 o (8,8):(8,1)", "(4,8):(^1,^4)", "Sw<1,1,2> o 0 o (8,4):(4,1)"],
    ] {
        for dtype in ["f32", "f64", "bf16", "f16", "i8"] {
            let arguments = [&["contract"], arguments, &["--dtype", dtype]].concat();
            let object = right(&arguments, "gflops");
            assert!(
                object["gbps"].as_f64() > Some(0.0) && object["memcpy_gbps"].as_f64() > Some(0.0),
                "{object}"
            );
        }
    }
}

#[test]
fn what_is_refused_has_a_code() {
    for (arguments, code) in [
        (&["copy", "(4,8)", "33"][..], "size"),
        (&["copy", "(4,8)", "(4,8):(0,1)"], "aliasing"),
        (&["copy", "(4,8):(1@0,1@1)", "(4,8)"], "codomain"),
        (&["copy", "4:1/2", "4"], "codomain"),
        (&["copy", "1099511627776", "1099511627776"], "memory"),
        (&["copy", "9223372036854775807", "9223372036854775807"], "memory"),
        (&["copy", "4:1", "{-1} o 4:^1"], "argument"),
        (&["copy", "", "4"], "syntax"),
        (&["copy", "is_compact(4)", "4"], "kind"),
        (&["copy", "Sw<1,0,1>", "4"], "kind"),
        (&["gemm", "(4,8)", "(4,9)", "(4,4)"], "size"),
        (&["gemm", "4", "(4,8)", "(4,4)"], "rank"),
        (&["gemm", "(4,8)", "(4,8)", "(4,4):(1,1)"], "aliasing"),
        (&["gemm", "(4,8)", "(4,8)", "(4,4)", "--output-dtype", "f64"], "dtype"),
        (&["gemm", "(9223372036854775807,1)", "(1,1)", "(9223372036854775807,1)", "--plan"], "memory"),
        (&["gemm", "(1099511627776,8)", "(4,8)", "(1099511627776,4)"], "memory"),
        (&["contract", "ab,bc->ad", "(2,3)", "(3,4)"], "specification"),
        (&["contract", "ab,bc->ac", "(2,3)", "(4,4)"], "specification"),
        (&["contract", "ab,bc->ac", "(2,3)"], "specification"),
        (&["contract", "ab,bc->ac", "(2,3)", "(3,4)", "(2,4)", "1"], "specification"),
        (&["contract", "a->a", "1099511627776"], "memory"),
    ] {
        let (status, object) = tilework(arguments);
        assert_eq!((status, &object["error"]["code"]), (Some(1), &code.into()), "{arguments:?} {object}");
        assert!(object["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "{object}");
    }
    let (_, object) = tilework(&["copy", "(4,8)", "(4,8"]);
    assert_eq!((&object["expr"], object["error"]["at"].as_f64()), (&"(4,8".into(), Some(4.0)));
}

/// `TILEWORK_ISA` chooses the instructions; those that the processor lacks, and what is none, are refused.
#[test]
fn the_instructions_are_chosen() {
    let commands: [&[&str]; 3] = [
        &["copy", "(33,17)", "(33,17):(17,1)"],
        &["gemm", "(33,17)", "(20,17)", "(33,20)"],
        &["contract", "ab,bc->ac", "(33,17)", "(17,20)"],
    ];
    for arguments in commands {
        let mut had = 0;
        for (word, shown) in [
            ("portable", "portable"),
            ("avx2", "AVX2"),
            ("avx2-vnni", "AVX2"),
            ("avx512", "AVX-512"),
            ("avx512-vnni", "AVX-512"),
            ("avx512-bf16", "AVX-512"),
            ("neon", "NEON"),
            ("sse9", ""),
        ] {
            let (status, object) = tilework_with(&[("TILEWORK_ISA", word)], arguments);
            if object["error"]["code"] == "isa" {
                let message = object["error"]["message"].as_str().unwrap();
                assert!(message.starts_with(&format!("TILEWORK_ISA={word} is not available: ")), "{message}");
                assert!(status == Some(1) && word != "portable");
                continue;
            }
            assert_eq!((status, &object["isa"], word == "sse9"), (Some(0), &word.into(), false), "{object}");
            assert!(
                object["plan"].as_str().unwrap().contains(shown) && object["correct"] == true,
                "{object}"
            );
            had += 1;
        }
        assert!(had >= 1);
    }
}

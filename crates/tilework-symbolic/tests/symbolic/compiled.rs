//! Programs of emitted functions: compiled and run, and what they print compared.

use crate::rustc::{run, rustc};
use std::path::PathBuf;
use std::process::Command;
use tilework_symbolic::Language;

/// How many functions are in one program.
const PROGRAM: usize = 1000;

/// A function of some coordinate, and what it gives for every index.
pub struct Case {
    pub what: String,
    pub language: Language,
    pub name: String,
    pub text: String,
    /// The offset for the names of the coordinate, each a linear index within its mode, the first one fastest.
    pub extents: Vec<i64>,
    /// The values of the names, in the order of the parameters.
    pub values: Vec<i64>,
    pub offsets: Vec<i64>,
    /// Whether the function prints all offsets itself.
    pub prints: bool,
}

/// Runs programs of the functions, and compares what they print.
pub fn check(language: Language, cases: &[Case]) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "emit-{}-{}",
        language.name(),
        cases[0].name
    ));
    std::fs::create_dir_all(&folder).unwrap();
    for cases in cases.chunks(PROGRAM) {
        let (extension, compiler): (&str, &[&str]) = match language {
            Language::C => {
                ("c", &["cc", "-std=c99", "-Wall", "-Werror", "-fsanitize=signed-integer-overflow"])
            }
            Language::Cuda => ("cpp", &["c++", "-Wall", "-Werror"]),
            _ => ("rs", &["", "--edition=2021", "-Coverflow-checks=on"]),
        };
        let binary = folder.join("program");
        let printed = if language == Language::Python {
            let source = folder.join("program.py");
            std::fs::write(&source, program(cases)).unwrap();
            run(Command::new("python3").arg(source))
        } else {
            let source = folder.join("program").with_extension(extension);
            std::fs::write(&source, program(cases)).unwrap();
            let mut command = if extension == "rs" { rustc() } else { Command::new(compiler[0]) };
            run(command.args(&compiler[1..]).arg(source).arg("-o").arg(&binary));
            run(&mut Command::new(&binary))
        };
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines.len(), cases.len());
        for (case, line) in cases.iter().zip(lines) {
            let offsets: Vec<i64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
            let wrong = offsets.iter().zip(&case.offsets).position(|(own, wanted)| own != wanted);
            let wrong = wrong.map(|at| (at, offsets[at], case.offsets[at]));
            let is_equal = wrong.is_none() && offsets.len() == case.offsets.len();
            assert!(is_equal, "index, offset, and what it is to be: {wrong:?}\n{}\n{}", case.what, case.text);
        }
    }
    println!("{}: {} functions equal at every coordinate", language.name(), cases.len());
}

/// A program that prints, for each function, the offsets of all coordinates on a line.
fn program(cases: &[Case]) -> String {
    let mut calls = String::new();
    for case in cases {
        let mut arguments: Vec<String> = Vec::new();
        let mut before = 1;
        for extent in &case.extents {
            arguments.push(if case.language == Language::Python {
                format!("x // {before} % {extent}")
            } else {
                format!("x / {before} % {extent}")
            });
            before *= extent;
        }
        arguments.extend(case.values.iter().map(i64::to_string));
        let (call, size) = (format!("{}({})", case.name, arguments.join(", ")), case.offsets.len());
        calls += &match case.language {
            Language::C | Language::Cuda if case.prints => format!("    {call};\n    puts(\"\");\n"),
            Language::Rust | Language::Wgsl if case.prints => {
                format!("fn call_{}() {{\n    {call};\n}}\n", case.name)
            }
            Language::Python if case.prints => format!("{call}\nprint()\n"),
            Language::C | Language::Cuda => {
                format!(
                    "    for (int x = 0; x < {size}; ++x) printf(\"%lld \", (long long)({call}));\n    puts(\"\");\n"
                )
            }
            Language::Rust | Language::Wgsl => {
                format!("fn call_{}() {{\n    for x in 0..{size} {{ show({call} as i64); }}\n}}\n", case.name)
            }
            Language::Python => format!("print(*({call} for x in range({size})))\n"),
            other => panic!("nothing runs {other:?}"),
        };
    }
    let divisors = cases[0].language.divisors().unwrap_or_default().to_owned();
    let functions = divisors + &cases.iter().map(|case| case.text.as_str()).collect::<String>();
    match cases[0].language {
        Language::C => {
            format!("#include <stdint.h>\n#include <stdio.h>\n{functions}int main(void) {{\n{calls}}}\n")
        }
        Language::Cuda => format!(
            "#include <cstdint>\n#include <cstdio>\n#define __host__\n#define __device__\n{functions}int main() {{\n{calls}}}\n"
        ),
        Language::Rust => {
            format!(
                "#![deny(warnings)]\n#![allow(dead_code, unused_variables)]\n{functions}{calls}{}",
                rust_main(cases)
            )
        }
        // Functions of WGSL become those of Rust, with its suffixes.
        Language::Wgsl => {
            format!("#![allow(warnings)]\n{}{calls}{}", rust_of_wgsl(&functions), rust_main(cases))
        }
        Language::Python => functions + &calls,
        other => panic!("nothing runs {other:?}"),
    }
}

/// A function for each call: the compiler takes long for one of thousands of lines.
fn rust_main(cases: &[Case]) -> String {
    let calls: Vec<String> = cases.iter().map(|case| format!("call_{}", case.name)).collect();
    let show = "fn show(offset: i64) {\n    print!(\"{offset} \");\n}\n";
    let list = calls.join(", ");
    format!(
        "{show}fn main() {{\n    for call in [{list}] as [fn(); {}] {{\n        call();\n        println!();\n    }}\n}}\n",
        cases.len()
    )
}

/// The functions of WGSL that are written differ from those of Rust in the suffixes of numbers and in `select`.
fn rust_of_wgsl(text: &str) -> String {
    let mut out = String::new();
    for (line, rest) in text.split('\n').map(|line| line.split_once("//").map_or((line, ""), |_| ("", line)))
    {
        let (mut number, mut word) = (false, false);
        for c in line.chars() {
            let digit = c.is_ascii_digit() && !word;
            if c == 'u' && number {
                out += "u32";
            } else {
                out.push(c);
            }
            word = c.is_alphanumeric() && !digit || c == '_';
            number = digit;
        }
        out += rest;
        out.push('\n');
    }
    out.replace("select(0, 1, ", "i32::from(")
}

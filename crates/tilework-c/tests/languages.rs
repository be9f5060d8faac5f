//! The examples in C, C++ and ctypes under the address sanitizer of the C compiler: each evaluates the corpus.

#![cfg(target_os = "linux")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the library, which is beside this test, and of what is built here.
fn folder() -> PathBuf {
    let test = std::env::current_exe().expect("a test is a file");
    test.parent().expect("it is in a folder").to_owned()
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn output(command: &mut Command, input: &str) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (mut stdin, input) = (child.stdin.take().expect("it is piped"), input.to_owned());
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{command:?}: {}", output.status);
    writer.join().expect("no panic").expect("the program reads all");
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

/// The program that a compiler makes of an example, with the sanitizer.
fn compiled(compiler: &str, standard: &str, example: &str) -> Command {
    let (folder, program) = (folder(), folder().join(example.replace('.', "-")));
    // Programs find the library by this name.
    let versions: Vec<&str> = env!("CARGO_PKG_VERSION").split('.').collect();
    let version = if versions[0] == "0" { versions[..2].join(".") } else { versions[0].to_owned() };
    let soname = folder.join(format!("libtilework_c.so.{version}"));
    if !soname.exists() {
        // The other test of this file may be faster.
        let _ = std::os::unix::fs::symlink("libtilework_c.so", soname);
    }
    let mut command = Command::new(compiler);
    command.args([
        standard,
        "-g",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        "-fsanitize=address,undefined",
    ]);
    command.arg("-I").arg(source("include")).arg(source("examples").join(example)).arg("-o").arg(&program);
    command.arg("-L").arg(&folder).arg("-ltilework_c");
    assert_eq!(output(&mut command, ""), "");
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", folder);
    command
}

/// The answers to every case, a line each; `# ` begins what an example says besides.
fn answers_the_corpus(command: &mut Command) {
    let cases: Vec<_> = testkit::cases().into_iter().chain(testkit::language()).collect();
    let cases: Vec<_> = cases.iter().filter(|case| !case.expression.contains('\n')).collect();
    let lines: String = cases.iter().map(|case| format!("{}\n", case.expression)).collect();
    let answers = output(command, &lines);
    let answers: Vec<&str> = answers.lines().filter(|line| !line.starts_with("# ")).collect();
    assert_eq!(answers.len(), cases.len());
    let judged = |(case, answer): (&&testkit::Case, &&str)| {
        case.check(answer.strip_prefix("! ").map_or(Ok(answer), Err)).err()
    };
    let wrong: Vec<_> = cases.iter().zip(&answers).filter_map(judged).collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn c() {
    answers_the_corpus(&mut compiled("cc", "-std=c99", "evaluate.c"));
}

#[test]
fn cpp() {
    answers_the_corpus(&mut compiled("c++", "-std=c++17", "evaluate.cpp"));
}

#[test]
fn ctypes() {
    let sanitizer = output(Command::new("cc").arg("-print-file-name=libasan.so"), "");
    let mut command = Command::new("python3");
    command.arg(source("examples/evaluate.py")).arg(folder().join("libtilework_c.so"));
    // The interpreter frees not all of its own.
    command.env("LD_PRELOAD", sanitizer.trim()).env("ASAN_OPTIONS", "detect_leaks=0");
    answers_the_corpus(&mut command);
}

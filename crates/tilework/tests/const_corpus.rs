//! Every case of the test corpus as a constant: the compiler computes what the library computes at run time.
//!
//! The expressions are translated into Rust, one `const` each; the programs are compiled and print the constants, and
//! their texts are compared with the results of the corpus. What has to be refused is a constant `Err`.
//!
//! `cargo test -p tilework --test main const_corpus -- --nocapture` prints how many cases of each operation there are, and
//! how many of them have a translation.

mod translate;

use crate::rustc::{Compiler, run};
use std::collections::BTreeMap;
use std::fmt::Write;
use testkit::Case;

/// So many programs are compiled at a time.
const PROGRAMS: usize = 2;

/// What the compiler needs 20 seconds to find no inverse of, longer than all others together.
const LONG: [&str; 2] = ["left_inverse((2,6,3):(0,13,8))", "left_inverse((4,4,5):(0,8,12))"];

const PRELUDE: &str = include_str!("const_corpus/prelude.rs");

/// What the compiler makes of the constants, in their order.
fn evaluate(compiler: &Compiler, name: &str, constants: &[(&str, String)]) -> Vec<String> {
    let (mut source, mut main) = (String::from(PRELUDE), String::from("fn main() {\n"));
    let mut layouts = BTreeMap::new();
    for (number, (expression, constant)) in constants.iter().enumerate() {
        // A constant's own text names its type: `Result<Layout, Error> = ...`.
        let constant = name_layouts(constant, &mut layouts);
        writeln!(source, "// {expression}\nconst R{number}: {constant};").unwrap();
        writeln!(main, "    print(&R{number});").unwrap();
    }
    for (layout, number) in layouts {
        writeln!(source, "const L{number}: Layout = {layout};").unwrap();
    }
    let path = compiler.folder.join(name);
    std::fs::write(path.with_extension("rs"), source + &main + "}\n").unwrap();
    run(compiler.program().arg("-o").arg(&path).arg(path.with_extension("rs")));
    run(&mut std::process::Command::new(&path)).lines().map(str::to_owned).collect()
}

/// The text with a constant in place of each `layout!(...)`: many cases share a layout, and it is read once.
fn name_layouts<'a>(mut text: &'a str, layouts: &mut BTreeMap<&'a str, usize>) -> String {
    let mut named = String::new();
    while let Some(at) = text.find("layout!(") {
        let (before, literal) = text.split_at(at);
        let mut open = 0;
        let end = literal.find(|c| {
            open += i32::from(c == '(') - i32::from(c == ')');
            c == ')' && open == 0
        });
        let (literal, after) = literal.split_at(end.expect("the parentheses match") + 1);
        let next = layouts.len();
        let number = layouts.entry(literal).or_insert(next);
        write!(named, "{before}L{number}").unwrap();
        text = after;
    }
    named + text
}

fn check(name: &str, cases: &[Case]) {
    let mut constants = BTreeMap::new();
    // By operation: the cases that have a translation, and those that have none.
    let mut operations: BTreeMap<&str, [Vec<&str>; 2]> = BTreeMap::new();
    for case in cases {
        let constant = translate::constant(&case.expression);
        let counted = operations.entry(translate::operation(&case.expression)).or_default();
        counted[usize::from(constant.is_none())].push(&case.expression);
        if let Some(constant) = constant {
            constants.insert(case.expression.as_str(), constant);
        }
    }
    println!("{} cases, {} different constants", cases.len(), constants.len());
    for (operation, [translated, left]) in &operations {
        println!("{operation:16} {:5} translated {:5} not", translated.len(), left.len());
    }
    let left: Vec<_> = operations.values().flat_map(|[_, left]| left).collect();
    assert!(left.is_empty(), "these have no translation yet, const_corpus/translate.rs makes them: {left:?}");

    let constants: Vec<_> = constants.into_iter().collect();
    let compiler = Compiler::new(name, &["-Copt-level=0", "-Cdebuginfo=0", "-Cstrip=symbols"]);
    let results: BTreeMap<&str, String> = std::thread::scope(|scope| {
        let parts = constants.chunks(constants.len().div_ceil(PROGRAMS)).enumerate();
        let programs: Vec<_> = parts
            .map(|(number, part)| {
                let compiler = &compiler;
                (part, scope.spawn(move || evaluate(compiler, &format!("program_{number}"), part)))
            })
            .collect();
        programs
            .into_iter()
            .flat_map(|(part, program)| {
                let lines = program.join().expect("the program runs");
                assert_eq!(lines.len(), part.len());
                part.iter().map(|(expression, _)| *expression).zip(lines)
            })
            .collect()
    });
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|case| {
            let line = &results[case.expression.as_str()];
            let got = line.strip_prefix("ok ").ok_or_else(|| line.trim_start_matches("error "));
            case.check(got).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} cases differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn every_case_of_the_corpus_is_a_constant() {
    let mut cases = testkit::cases();
    cases.retain(|case| !LONG.contains(&case.expression.as_str()));
    check("const_corpus", &cases);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "the compiler searches for 20 seconds; `.ci/emission` runs it")]
fn cases_of_long_searches_are_constants() {
    let mut cases = testkit::cases();
    cases.retain(|case| LONG.contains(&case.expression.as_str()));
    assert_eq!(cases.len(), LONG.len());
    check("long_constants", &cases);
}

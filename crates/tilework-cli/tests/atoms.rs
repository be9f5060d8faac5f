//! `tilework atoms NAME --bits N` for an instruction of each family: what the expression language says of `atom(NAME, N)`,
//! which is what Python calls.

use std::process::Command;
use tilework_expr::Session;
use tilework_hardware::atom::groups;

#[test]
fn a_width_is_taken_or_refused_as_in_the_language() {
    let mut refused = [0; 2];
    for group in groups() {
        let name = group.example.name();
        for bits in [7, 8] {
            let command = Command::new(env!("CARGO_BIN_EXE_tilework"))
                .args(["atom", name.as_str(), "--bits", &bits.to_string(), "--json"])
                .output()
                .unwrap();
            let printed = String::from_utf8(command.stdout).unwrap();
            match Session::new().evaluate(&format!("atom({name}, {bits})")) {
                Ok(_) => {
                    assert!(command.status.success(), "{name} {bits}: {printed}");
                    assert!(printed.contains(&format!("\"bits\":{bits},")), "{name} {bits}: {printed}");
                }
                Err(error) => {
                    let (code, message) = (error.code, error.message);
                    let expected =
                        format!("{{\"error\":{{\"code\":\"{code}\",\"message\":\"{message}\"}}}}\n");
                    assert_eq!((command.status.code(), printed), (Some(1), expected), "{name} {bits}");
                    refused[usize::from(code == "arguments")] += 1;
                }
            }
        }
    }
    assert!(refused[0] > 5 && refused[1] > 20, "{refused:?}");
}

/// The number that a refusal names is that of the lines which the command lists.
#[test]
fn a_shape_after_an_instruction_of_ptx_is_looked_for() {
    let run =
        |arguments: &[&str]| Command::new(env!("CARGO_BIN_EXE_tilework")).args(arguments).output().unwrap();
    for (name, words) in
        [("mma.m16n8k16", &["mma", "m16n8k16"][..]), ("mma.m16n8k16.unknown", &["mma", "m16n8k16"])]
    {
        let refused = String::from_utf8(run(&["atoms", name]).stderr).unwrap();
        let listed = run(&[&["atoms"], words].concat());
        let count = String::from_utf8(listed.stdout).unwrap().lines().count();
        assert!(
            refused.contains(&format!("`tilework atoms {}` lists {count}\n", words.join(" "))),
            "{refused}"
        );
    }
}

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

//! A static layout costs nothing at run time: the code of a kernel over static layouts, or with tensors of them, is that
//! of the kernel written by hand.
//!
//! The kernels of `assembly/by_layout.rs`, `assembly/by_tensor.rs` and `assembly/by_hand.rs` are compiled with
//! optimization, and their instructions compared. `assembly/by_run_time_layout.rs` is the same over layouts that the compiler does not know,
//! and has to fail the comparison: it shows that the comparison can fail.
//!
//! `cargo test -p tilework --test main assembly -- --nocapture` prints the counts.

use crate::rustc::{Compiler, run, rustc};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const KERNELS: [&str; 4] = ["gemm", "copy", "transpose", "row_sum"];

/// Kernels of which even the sequence of instructions is the same, where the compiler is [`PINNED`]. In the others
/// the optimizer makes one choice differently: `copy` moves eight bytes through the other register file, `row_sum`
/// keeps a loop that it unrolls by hand.
const IDENTICAL: [&str; 2] = ["gemm", "transpose"];

const PINNED: &str = "rustc 1.95.";

/// The instructions of one function.
struct Code {
    mnemonics: Vec<String>,
    /// What it calls: names of functions, or registers.
    calls: BTreeSet<String>,
}

impl Code {
    /// Whether this does nothing that `other` does not: no more instructions, and no call that is not in it.
    fn is_within(&self, other: &Code) -> bool {
        self.mnemonics.len() <= other.mnemonics.len() && self.calls.is_subset(&other.calls)
    }
}

/// The functions of an assembly listing by name.
fn functions(listing: &str) -> BTreeMap<&str, Code> {
    let mut functions = BTreeMap::new();
    let mut open: Option<(&str, Code)> = None;
    for line in listing.lines() {
        // Symbols of Mach-O begin with an underscore.
        let label = line.strip_suffix(':').map(|label| label.strip_prefix('_').unwrap_or(label));
        if let Some(name) = label.filter(|label| KERNELS.contains(label)) {
            open = Some((name, Code { mnemonics: Vec::new(), calls: BTreeSet::new() }));
        } else if line.contains(".cfi_endproc") {
            functions.extend(open.take());
        } else if let (Some((_, code)), Some(instruction)) = (&mut open, line.strip_prefix('\t')) {
            let mut words = instruction.split_whitespace();
            let Some(mnemonic) =
                words.next().filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
            else {
                continue;
            };
            if mnemonic.starts_with("call") || mnemonic == "bl" || mnemonic == "blr" {
                let callee = words.next().unwrap_or_default().trim_start_matches('*');
                code.calls.insert(callee.split('@').next().unwrap_or_default().to_owned());
            }
            code.mnemonics.push(mnemonic.to_owned());
        }
    }
    functions
}

/// Compiles each of the sources as users of the library do.
fn compile(sources: [&str; 4]) -> [String; 4] {
    let compiler = Compiler::unlinked("assembly", &["-Copt-level=3", "-Cpanic=abort"]);
    sources.map(|source| {
        let listing = compiler.folder.join(source).with_extension("s");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/assembly").join(source);
        run(compiler
            .program()
            .args(["--crate-type=lib", "-Ccodegen-units=1", "--emit=asm", "-o"])
            .arg(&listing)
            .arg(source.with_extension("rs")));
        std::fs::read_to_string(listing).unwrap()
    })
}

#[test]
fn kernels_over_static_layouts_are_the_kernels_written_by_hand() {
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        eprintln!("no comparison: this test does not know the assembly of this machine");
        return;
    }
    let pinned = run(rustc().arg("--version")).starts_with(PINNED);
    let listings = compile(["by_layout", "by_tensor", "by_hand", "by_run_time_layout"]);
    let [by_layout, by_tensor, by_hand, by_run_time_layout] =
        listings.each_ref().map(|listing| functions(listing));
    println!("kernel      static layout  tensor  by hand  run-time layout   (instructions)");
    for kernel in KERNELS {
        let codes = [&by_layout[kernel], &by_tensor[kernel], &by_hand[kernel], &by_run_time_layout[kernel]];
        let [layout, tensor, hand, run_time] = codes.map(|code| code.mnemonics.len());
        println!("{kernel:10}  {layout:13}  {tensor:6}  {hand:7}  {run_time:15}");
    }
    for kernel in KERNELS {
        let hand = &by_hand[kernel];
        for (name, code) in [("static layouts", &by_layout[kernel]), ("tensors", &by_tensor[kernel])] {
            assert!(
                code.is_within(hand),
                "{kernel} with {name} does more than by hand: {} instructions instead of {}, calls {:?}",
                code.mnemonics.len(),
                hand.mnemonics.len(),
                code.calls
            );
            if pinned && cfg!(target_arch = "x86_64") && IDENTICAL.contains(&kernel) {
                assert_eq!(code.mnemonics, hand.mnemonics, "{kernel} with {name}");
            }
        }
        assert!(
            !by_run_time_layout[kernel].is_within(hand),
            "the comparison does not notice a run-time {kernel}"
        );
    }
}

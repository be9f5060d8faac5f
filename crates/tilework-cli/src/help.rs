//! What `--help` says of the commands: their groups, and for each two examples and its exit status.

use clap::Command;
use clap::builder::Styles;
use std::fmt::Write;
use tilework_hardware::atom::rows_of_instruction;

/// A command: its name, the arguments of two or more examples, and when it ends with exit status 1.
type Entry = (&'static str, &'static [&'static str], &'static str);

#[rustfmt::skip]
const GROUPS: [(&str, &[Entry]); 6] = [
    ("Ask", &[
        ("eval", &["'(8,8):(8,1) o ((4,8),2):((16,1),8)'", "'(8,8):(^1,^9)' --as cpp", "'emit (M,K):(1,ld)(i, j) as cuda' --explain"], "an expression failed"),
        ("explain", &["'(8,8):(8,1) o 4:8'", "'(8,16):(20,1) / <4,8:2>'"], "the expression has no value"),
        ("functions", &["composition", "swizzle integer"], "nothing is found"),
        ("show", &["'(8,16):(20,1) / <4,8>' --aspect tiles", "'((4,8),2):((16,1),8)' --aspect threads --tile '(8,8)' -o tile.html"], "there is no picture, or it cannot be written"),
        ("explore", &["", "'(4,8):(8,1)' --no-open"], "the port cannot be used"),
    ]),
    ("Instructions", &[
        ("atoms", &["sm80 16x8x16 f16", "SM80_16x8x16_F32F16F16F32_TN --draw"], "there is none"),
        ("operand", &["'Sw<3,3,3> o 0 o (64,64):(64,1)' --for wgmma.a.k --bits 16", "'Sw<2,3,3> o 0 o (64,32):(32,1)' --for ldmatrix --bits 16"], "the instruction does not accept the layout"),
    ]),
    ("Memory", &[
        ("banks", &["32:33 --access 32:1 --bits 32", "'Sw<2,3,3> o 0 o (64,32):(32,1)' --access ldmatrix --bits 16"], "there are conflicts"),
        ("sectors", &["32:1 --access 32:1 --bits 16", "'(32,32):(1024,1)' --access '((8,32),4):((128,1),32)' --vector 4 --bits 32"], "the access cannot be executed"),
        ("swizzle", &["'(64,32):(32,1)' --access load=ldmatrix --access store=rows --bits 16", "'(64,32):(32,1)' --access load=ldmatrix --bits 16 --form pad"], "there is none"),
        ("vector", &["'(64,32):(40,1)' '(64,32):(32,1)' --bits 16", "'(128,64):(1,128)' '(128,64):(1,128)' --align 8 --bits 32"], "no two elements can be copied at once"),
        ("cover", &["'((32,32),(16,30)):((1@0,1@1),(32@0,32@1))' --onto '(512,960)'", "'(9,8):(1@0,1@1)' --onto '(9,8)'"], "an element is not reached once, or one out of bounds is"),
        ("format", &["marlin", "marlin_4", "scale_128x4 = scale_128x4_pad8", "BA16a64b4a:8", "'P V B H D:16'", "scale_128x4 M=300 S=17 --at 129,4", "scale_128x4 M=300 S=17 --element 3088"], "there is none, a size is not admitted, or two differ"),
    ]),
    ("Devices", &[
        ("shard", &["'(1024,512)' --mesh x=2,y=4 --spec 'P(x, y)'", "'(1024,512)' --mesh x=2,y=4 --spec '[Shard(0), Replicate()]' --draw"], "there is no such sharding"),
        ("reshard", &["'(1024,512)' 'P(x, None)' 'P(None, x)' --mesh x=8 --bits 32", "'(1024,512)' 'P(x, y)' 'P()' --mesh x=2,y=4 --bits 16 --links x=50,y=900 --explain"], "there is no plan"),
    ]),
    ("Run", &[
        ("copy", &["'(512,512):(1,512)' '(512,512):(512,1)'", "'(64,64)' 'Sw<3,4,3> o 0 o (64,64):(64,1)' --dtype u16 --plan"], "it was refused or wrong"),
        ("gemm", &["'(128,128)' '(128,128)' '(128,128)'", "'(512,256):(256,1)' '(128,256):(256,1)' '(512,128):(128,1)' --dtype bf16 --plan"], "it was refused or wrong"),
        ("contract", &["'mk,nk->mn' '(128,128)' '(128,128)'", "'ab,bc,cd->ad' '(64,64),(64,64),(64,64)' --plan"], "it was refused or wrong"),
        ("kernel", &["transpose.tw run --size M=70,N=45", "transpose.tw check", "transpose.tw emit --as cuda"], "the program is wrong"),
    ]),
    ("Shell", &[
        ("completions", &["bash > tilework.bash", "fish > tilework.fish"], "it cannot be written"),
    ]),
];

/// The page of `tilework help language`.
pub const LANGUAGE: &str = include_str!("language.txt");

const USAGE: &str = "
       tilework EXPR...                          tilework eval EXPR...
       tilework help COMMAND                     examples, and every option
       tilework help language                    the language of expressions
";

/// The command line with its commands in groups, and with the help of each.
pub fn grouped(command: Command) -> Command {
    // A number below 0 is refused as the value of its option, not as an option that there is not.
    let mut command = with_negative_numbers(command);
    let style = *Styles::default().get_header();
    let mut page = format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}{USAGE}");
    for (title, entries) in GROUPS {
        let _ = writeln!(page, "\n{style}{title}:{style:#}");
        for &(name, examples, fails) in entries {
            // Not every build has the explorer.
            let Some(own) = command.find_subcommand(name) else { continue };
            let also: Vec<&str> = own.get_visible_aliases().collect();
            let also = if also.is_empty() { String::new() } else { format!(" [also: {}]", also.join(", ")) };
            let _ = writeln!(page, "  {name:12} {}{also}", own.get_about().cloned().unwrap_or_default());
            let mut text = own.get_after_help().map(|notes| format!("{notes}\n\n")).unwrap_or_default();
            let _ = writeln!(text, "{style}Examples:{style:#}");
            for example in examples {
                let _ = writeln!(text, "  {}", format!("tilework {name} {example}").trim_end());
            }
            let _ = write!(text, "\nExit status: 0, 1 if {fails}, 2 for a wrong command line.");
            command = command.mut_subcommand(name, |own| own.after_help(text));
        }
    }
    command.help_template(format!("{page}\n{style}Options:{style:#}\n{{options}}"))
}

fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_args(|arg| match arg.is_positional() || !arg.get_action().takes_values() {
        true => arg,
        false => arg.allow_negative_numbers(true),
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Where a word is found that is no command.
pub fn elsewhere(command: &Command, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    if tilework_expr::find(word).is_some() {
        found.push(format!("it is a function; `tilework functions {word}` shows how it is called"));
    }
    if let Some(line) = LANGUAGE.lines().find(|line| line.starts_with(&format!("  {word} "))) {
        let example = line.trim_start().split("  ").next().unwrap_or(word);
        found.push(format!("it begins an expression, such as `tilework '{example}'`"));
    }
    let groups = command.get_subcommands().filter(|own| own.find_subcommand(word).is_some());
    found.extend(groups.map(|own| format!("`tilework {} {word}` is a command", own.get_name())));
    let instructions = rows_of_instruction(word).count();
    if instructions > 0 {
        found.push(format!("`tilework atoms {word}` lists the {instructions} instructions about it"));
    }
    found
}

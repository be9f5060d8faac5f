//! `tilework atoms`: instructions by words, and as layouts of threads and values.

use crate::{picture, report};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use tilework::__private::{did_you_mean, nearest};
use tilework::Error;
use tilework_expr::{ExprError, Instruction, Look, Session, Value, nearest_atoms, width};
use tilework_hardware::atom::{Atom, CopyAtom, Group, MmaAtom, Row, find, groups, rows};

#[derive(clap::Args)]
pub struct Arguments {
    /// The name of an instruction, that of the struct in CUTLASS; or words that the names or PTX names of several contain,
    /// whatever their case. Without a word, the families
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// Print every name where no word is given
    #[arg(long)]
    all: bool,
    /// Print one instruction as a JSON object
    #[arg(long)]
    json: bool,
    /// For a copy, which counts in elements: the bits of one; 16 or 8 of the matrices of ldmatrix and stmatrix without this
    #[arg(long, value_name = "BITS")]
    bits: Option<i64>,
    #[command(flatten)]
    picture: picture::Output,
}

/// Prints the families, one instruction, or the names that contain all words; false if there are none.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    let Arguments { words, all, json, bits, picture } = arguments;
    let name = words.join(" ");
    let mut out = io::BufWriter::new(io::stdout().lock());
    if name.is_empty() && !all {
        families(&mut out)?;
    } else if find(&name).is_some() || *json || bits.is_some() || picture.wanted() {
        return one(&name, arguments);
    } else {
        let found: Vec<Row> = rows().filter(|row| words.iter().all(|word| row.is_about(word))).collect();
        if found.is_empty() {
            let (code, message) = unknown(&name);
            report::refusal(code, &message);
            return Ok(false);
        }
        for row in found {
            writeln!(out, "{}", row.name())?;
        }
    }
    out.flush()?;
    Ok(true)
}

/// A line for each architecture and family of instructions: their number, and one of them.
fn families(out: &mut impl Write) -> io::Result<()> {
    let groups = groups();
    writeln!(out, "{:8} {:40} {:>6}  such as", "", "instructions", "atoms")?;
    for Group { example, count, .. } in &groups {
        writeln!(out, "{:8} {:40} {count:6}  {}", example.architecture(), example.family(), example.name())?;
    }
    let all: usize = groups.iter().map(|group| group.count).sum();
    writeln!(out, "{:8} {:40} {all:6}  `tilework atoms WORD...` lists some of them, `--all` all", "", "")
}

/// Prints one instruction; false if the name is unknown.
fn one(name: &str, arguments: &Arguments) -> io::Result<bool> {
    let found = instruction(name, arguments.bits);
    if let (Ok((expression, _)), true) = (&found, arguments.picture.wanted()) {
        let mut look = Look::default();
        look.options = arguments.picture.options();
        return match Session::new().picture(expression, &look) {
            Ok(scene) => arguments.picture.write(scene),
            Err(error) => {
                report::error(expression, &error);
                Ok(false)
            }
        };
    }
    let answer = found.and_then(|(_, instruction)| Answer::of(instruction));
    let mut line = Vec::new();
    match (&answer, arguments.json) {
        (Ok(answer), true) => report::json(&mut line, answer),
        (Ok(answer), false) => line.extend_from_slice(answer.table(arguments.bits.is_some()).as_bytes()),
        (Err((code, message)), true) => report::json_refusal(&mut line, code, message),
        (Err((code, message)), false) => report::refusal(code, message),
    }
    io::stdout().lock().write_all(&line)?;
    Ok(answer.is_ok())
}

/// The refusal of a name that is none, or of words that no instruction has together, with names near it.
fn unknown(name: &str) -> (&'static str, String) {
    // An instruction of PTX may have qualifiers that no atom has, behind those that some have.
    let lists = name.split(' ').filter_map(|word| {
        let parts: Vec<&str> = word.split('.').filter(|part| !part.is_empty()).collect();
        let of = |parts: &[&str]| rows().filter(|row| parts.iter().all(|part| row.is_about(part))).count();
        let found = (1..=parts.len()).rev().map(|length| (&parts[..length], of(&parts[..length])));
        let (parts, count) = found.into_iter().find(|(_, count)| *count > 0)?;
        Some(format!("`tilework atoms {}` lists {count}", parts.join(" ")))
    });
    let lists: Vec<String> = lists.collect();
    let advice = match nearest_atoms(name) {
        _ if !lists.is_empty() => lists.join(", "),
        near if !near.is_empty() => did_you_mean(&near),
        _ => {
            let groups = groups();
            let words = groups.iter().flat_map(|Group { example, .. }| {
                [example.architecture()]
                    .into_iter()
                    .chain(example.other_names().iter().copied())
                    .chain(example.family().split(", "))
                    .chain(example.family().split(", ").filter_map(|item| item.split('.').next()))
            });
            nearest(name, words).unwrap_or_else(|| String::from("`tilework atoms` lists the families"))
        }
    };
    ("atom", format!("there is no atom `{name}`; {advice}"))
}

/// An instruction and its expression in the language, which decides what is accepted. A copy that is not one of matrices counts in
/// elements whose width has to be given.
fn instruction(name: &str, bits: Option<i64>) -> Result<(String, Instruction), (&'static str, String)> {
    let name = match find(name) {
        Some(Atom::Mma(MmaAtom { name, .. }) | Atom::Copy(CopyAtom { name, .. })) => name,
        None => return Err(unknown(name)),
    };
    let refused = |error: ExprError| (error.code, error.message);
    let expression = bits.map_or_else(|| format!("atom({name})"), |bits| format!("atom({name}, {bits})"));
    let mut session = Session::new();
    match session.evaluate(&expression).map_err(refused)? {
        Value::Instruction(instruction) => match **instruction {
            Instruction::Copy(_, 1) if bits.is_none() => {
                Err(width(None, []).map_err(|failure| refused(failure.into())).unwrap_err())
            }
            instruction => Ok((expression, instruction)),
        },
        _ => unreachable!("`atom` is an instruction"),
    }
}

/// The printed facts; the names of the fields are the keys in JSON.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Mma(Mma),
    Copy(Copy),
}

#[derive(Serialize)]
struct Mma {
    name: String,
    instruction: &'static str,
    shape: [i64; 3],
    elements: [&'static str; 4],
    sparsity: i64,
    threads: String,
    a: String,
    b: String,
    c: String,
    /// Of metadata and scales, by their fields.
    #[serde(flatten)]
    others: BTreeMap<&'static str, String>,
    manual: &'static str,
}

#[derive(Serialize)]
struct Copy {
    name: String,
    instruction: &'static str,
    bits: i64,
    threads: String,
    src: String,
    dst: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<String>,
    manual: &'static str,
}

impl Mma {
    fn of(atom: &MmaAtom) -> Mma {
        let others = [("e", atom.e), ("sfa", atom.sfa), ("sfb", atom.sfb)].into_iter();
        Mma {
            name: atom.name.to_string(),
            instruction: atom.instruction,
            shape: atom.shape,
            elements: atom.elements.map(|element| element.name()),
            sparsity: atom.sparsity,
            threads: atom.threads.to_string(),
            a: atom.a.to_string(),
            b: atom.b.to_string(),
            c: atom.c.to_string(),
            others: others.filter_map(|(name, layout)| Some((name, layout?.to_string()))).collect(),
            manual: atom.section,
        }
    }
}

impl Copy {
    /// The copy in elements of `bits` bits.
    fn of(atom: &CopyAtom, bits: i64) -> Result<Copy, Error> {
        let memory = match &atom.memory {
            Some(memory) => Some(memory.upcast(bits)?.to_string()),
            None => None,
        };
        let [src, dst] = atom.elements(bits)?;
        Ok(Copy {
            name: atom.name.to_string(),
            instruction: atom.instruction,
            bits,
            threads: atom.threads.to_string(),
            src: src.to_string(),
            dst: dst.to_string(),
            memory,
            manual: atom.section,
        })
    }
}

impl Answer {
    /// The facts of an instruction, or the code and the sentence of a refusal.
    fn of(instruction: Instruction) -> Result<Answer, (&'static str, String)> {
        match instruction {
            Instruction::Mma(atom) => Ok(Answer::Mma(Mma::of(&atom))),
            Instruction::Copy(atom, bits) => Copy::of(&atom, bits)
                .map(Answer::Copy)
                .map_err(|error| (error.code(), error.message().as_str().to_owned())),
            _ => unreachable!("`atom` has no tile"),
        }
    }

    /// One line per fact; `given` is whether the user has said how wide the elements are.
    fn table(&self, given: bool) -> String {
        let mut text = String::new();
        let mut line = |title: &str, value: &str| text.push_str(&format!("{title:31} {value}\n"));
        match self {
            Answer::Mma(mma) => {
                let [m, n, k] = mma.shape;
                line("name", &mma.name);
                line("instruction", mma.instruction);
                line("shape (M,N,K)", &format!("({m},{n},{k})"));
                line("elements of D, A, B, C", &mma.elements.join(", "));
                if mma.sparsity != 1 {
                    line("elements of A for each stored", &mma.sparsity.to_string());
                }
                line("thread -> lane", &mma.threads);
                line("A: (thread,value) -> m + M k", &mma.a);
                line("B: (thread,value) -> n + N k", &mma.b);
                line("C: (thread,value) -> m + M n", &mma.c);
                let titles = [("e", "metadata of A"), ("sfa", "scales of A"), ("sfb", "scales of B")];
                for (name, title) in titles {
                    mma.others.get(name).into_iter().for_each(|layout| line(title, layout));
                }
                line("manual", mma.manual);
            }
            Answer::Copy(copy) => {
                line("name", &copy.name);
                line("instruction", copy.instruction);
                line("bits of an element", &copy.bits.to_string());
                if !given {
                    line(
                        "",
                        &format!("the width of a matrix of {}; --bits N gives another", copy.instruction),
                    );
                }
                line("thread -> lane", &copy.threads);
                line("source: (thread,value)", &copy.src);
                line("destination: (thread,value)", &copy.dst);
                if let Some(memory) = &copy.memory {
                    line("place in tensor memory", memory);
                }
                line("manual", copy.manual);
            }
        }
        text
    }
}

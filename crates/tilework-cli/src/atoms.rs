//! `tilework atoms`: instructions by words, and as layouts of threads and values.

use crate::{picture, report};
use serde::Serialize;
use std::fmt;
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
    /// For a copy, which counts in elements: the bits of one
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
    if arguments.picture.wanted() {
        return draw(name, arguments);
    }
    let answer = match find(name) {
        Some(atom @ (Atom::Mma(MmaAtom { name, .. }) | Atom::Copy(CopyAtom { name, .. }))) => {
            check_width(&atom, arguments.bits)
                .map_err(|error| (error.code, error.message))
                .and_then(|()| Answer::of(&expression(&name, arguments.bits)))
        }
        None => Err(unknown(name)),
    };
    let mut line = Vec::new();
    match (&answer, arguments.json) {
        (Ok(answer), true) => report::json(&mut line, answer),
        (Ok(answer), false) => line.extend_from_slice(answer.table().as_bytes()),
        (Err((code, message)), true) => report::json_refusal(&mut line, code, message),
        (Err((code, message)), false) => report::refusal(code, message),
    }
    io::stdout().lock().write_all(&line)?;
    Ok(answer.is_ok())
}

/// The refusal of a name that is none, or of words that no instruction has together, with names near it.
fn unknown(name: &str) -> (&'static str, String) {
    // An instruction of PTX may have qualifiers that no atom has.
    let bases = name.split(' ').filter_map(|word| word.split('.').next()).filter(|base| !base.is_empty());
    let lists = bases.filter_map(|base| match rows().filter(|row| row.is_about(base)).count() {
        0 => None,
        count => Some(format!("`tilework atoms {base}` lists {count}")),
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
            });
            nearest(name, words).unwrap_or_else(|| String::from("`tilework atoms` lists the families"))
        }
    };
    ("atom", format!("there is no atom `{name}`; {advice}"))
}

/// A copy counts in elements, whose width has to be given; which widths there are is the expression language's to say.
fn check_width(atom: &Atom, bits: Option<i64>) -> Result<(), ExprError> {
    match (atom, bits) {
        (Atom::Copy(_), None) => width(None, []).map(|_| ()).map_err(ExprError::from),
        _ => Ok(()),
    }
}

/// The instruction in the expression language, which decides what is accepted.
fn expression(name: impl fmt::Display, bits: Option<i64>) -> String {
    bits.map_or_else(|| format!("atom({name})"), |bits| format!("atom({name}, {bits})"))
}

/// Draws one instruction.
fn draw(name: &str, arguments: &Arguments) -> io::Result<bool> {
    let Arguments { bits, picture, .. } = arguments;
    if let Some(Err(error)) = find(name).map(|atom| check_width(&atom, *bits)) {
        report::refusal(error.code, &error.message);
        return Ok(false);
    }
    let expression = expression(name, *bits);
    let mut look = Look::default();
    look.options = picture.options();
    match Session::new().picture(&expression, &look) {
        Ok(scene) => picture.write(scene),
        Err(error) => {
            report::error(&expression, &error);
            Ok(false)
        }
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
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sfa: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sfb: Option<String>,
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
            e: atom.e.map(|layout| layout.to_string()),
            sfa: atom.sfa.map(|layout| layout.to_string()),
            sfb: atom.sfb.map(|layout| layout.to_string()),
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
    /// The facts of an instruction in the expression language, or the code and the sentence of a refusal.
    fn of(expression: &str) -> Result<Answer, (&'static str, String)> {
        let mut session = Session::new();
        let value = session.evaluate(expression).map_err(|error| (error.code, error.message))?;
        let Value::Instruction(instruction) = value else { unreachable!("`atom` is an instruction") };
        match **instruction {
            Instruction::Mma(atom) => Ok(Answer::Mma(Mma::of(&atom))),
            Instruction::Copy(atom, bits) => Copy::of(&atom, bits)
                .map(Answer::Copy)
                .map_err(|error| (error.code(), error.message().as_str().to_owned())),
            _ => unreachable!("`atom` has no tile"),
        }
    }

    /// One line per fact.
    fn table(&self) -> String {
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
                for (title, layout) in
                    [("metadata of A", &mma.e), ("scales of A", &mma.sfa), ("scales of B", &mma.sfb)]
                {
                    if let Some(layout) = layout {
                        line(title, layout);
                    }
                }
                line("manual", mma.manual);
            }
            Answer::Copy(copy) => {
                line("name", &copy.name);
                line("instruction", copy.instruction);
                line("bits of an element", &copy.bits.to_string());
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

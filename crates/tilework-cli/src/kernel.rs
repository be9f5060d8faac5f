//! `kernel`: a GPU kernel in the text form of `tilework-program`, executed on the host.

use crate::answer::{Refusal, answer};
use crate::launch::Emitted;
use crate::picture::Output;
use clap::{Args, Subcommand, ValueEnum};
use serde::{Serialize, Serializer};
use std::fmt::{self, Display, Formatter};
use std::io::{self, Read};
use tilework_program::{Buffers, Certainty, Counts, Error, Finding, Program, Report, Space, Target};

#[derive(Args)]
pub struct Arguments {
    /// The file with the program in its text form, which docs/kernel/text.md describes; `-` is the standard input
    #[arg(value_name = "FILE")]
    file: String,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Check it for all sizes: each result written once, bounds, predicates, races, values from outside
    #[command(after_help = CHECK_HELP)]
    Check {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Draw what the threads of a block touch in each statement, shared memory coloured by bank conflicts
    #[command(after_help = SHOW_HELP)]
    Show {
        #[command(flatten)]
        output: Output,
    },
    /// Print it as source text, if nothing in it is known to be wrong
    #[command(after_help = EMIT_HELP)]
    Emit {
        /// Write it for another program or language
        #[arg(long = "as", value_name = "LANGUAGE")]
        target: Language,
        /// An architecture of CUDA whose instructions it may use; all by default, and the JSON has the first that has them
        #[arg(long, value_name = "sm_90")]
        arch: Option<String>,
        /// Print one JSON object: the text, and what a host needs to start it
        #[arg(long)]
        json: bool,
    },
    /// Execute it on the host, all threads in lockstep, and refuse races and wrong accesses
    ///
    /// Every element of what is read is the number of its coordinate, modulo 17, minus 8.
    #[command(after_help = RUN_HELP)]
    Run {
        /// The sizes; strides that are not given leave no gaps
        #[arg(long, value_name = "M=70,N=45", value_delimiter = ',', value_parser = named::<i64>)]
        size: Vec<(String, i64)>,
        /// The scalar arguments, 0 where none is given
        #[arg(long, value_name = "alpha=0.5", value_delimiter = ',', value_parser = named::<f64>)]
        scalar: Vec<(String, f64)>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

const CHECK_HELP: &str = "Examples:
  tilework kernel transpose.tw check
  tilework kernel transpose.tw check --json

Exit status: 0, 1 if something is wrong, 2 for a wrong command line.";
const SHOW_HELP: &str = "Examples:
  tilework kernel transpose.tw show
  tilework kernel transpose.tw show -o block.svg

Exit status: 0, 1 if it cannot be drawn, 2 for a wrong command line.";
const EMIT_HELP: &str = "Examples:
  tilework kernel transpose.tw emit --as wgsl
  tilework kernel hgemm.tw emit --as cuda --arch sm_90 --json

Exit status: 0, 1 if something is wrong or the language cannot say it, 2 for a wrong command line.";
const RUN_HELP: &str = "Examples:
  tilework kernel transpose.tw run --size M=70,N=45
  tilework kernel scale.tw run --size N=100 --scalar alpha=0.5 --json

Exit status: 0, 1 if it races or an access is wrong, 2 for a wrong command line.";

#[derive(Clone, Copy, ValueEnum)]
enum Language {
    /// The WebGPU shading language
    Wgsl,
    /// CUDA C++
    Cuda,
}

fn named<T: std::str::FromStr<Err: Display>>(text: &str) -> Result<(String, T), String> {
    let (name, value) = text.split_once('=').ok_or("a name, `=` and a number")?;
    Ok((name.to_owned(), value.parse().map_err(|error: T::Err| error.to_string())?))
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Condition("kernel", error.to_string())
    }
}

/// `kernel`: what a program does.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    let file = &*arguments.file;
    let Some(action) = &arguments.action else {
        let message = format!("what to do is needed: `tilework kernel {file} check`, or show, emit or run");
        return answer::<String>(false, Err(Refusal::Condition("argument", message)));
    };
    let text = match file {
        "-" => {
            let mut text = String::new();
            io::stdin().lock().read_to_string(&mut text).map(|_| text)
        }
        file => std::fs::read_to_string(file),
    };
    let text = text.map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::InvalidData => "it is no text file".to_owned(),
            _ => error.to_string(),
        };
        Refusal::Condition("file", format!("{file}: {reason}"))
    });
    let program = text.and_then(|text| Ok(text.parse::<Program>()?));
    match action {
        Action::Check { json } => answer(
            *json,
            program.and_then(|program| {
                let report = program.check()?;
                Ok((report.is_right(), Checked::new(&program, report)))
            }),
        ),
        Action::Show { output } => {
            let drawn =
                program.and_then(|program| Ok(tilework_draw::program(&program, None, &output.options())?));
            match drawn {
                Ok(scene) => output.write(scene),
                Err(refusal) => answer::<String>(false, Err(refusal)),
            }
        }
        Action::Emit { target, arch, json } => {
            let target = match target {
                Language::Wgsl => Target::Wgsl,
                Language::Cuda => Target::Cuda,
            };
            answer(
                *json,
                program.and_then(|program| {
                    let report = program.check()?;
                    match report.findings.iter().find(|own| own.certainty == Certainty::Wrong) {
                        Some(wrong) => {
                            Err(Refusal::Condition("wrong", format!("{wrong}; `check` says what else is")))
                        }
                        None => Ok((true, Emitted::new(&program, target, arch.as_deref())?)),
                    }
                }),
            )
        }
        Action::Run { size, scalar, json } => {
            answer(*json, program.and_then(|program| Ok((true, Ran::new(&program, size, scalar)?))))
        }
    }
}

/// What a check found.
#[derive(Serialize)]
struct Checked {
    kernel: String,
    right: bool,
    proved: bool,
    findings: Vec<Found>,
    conditions: String,
    #[serde(skip)]
    text: String,
}

#[derive(Serialize)]
struct Found {
    line: Option<usize>,
    certainty: &'static str,
    text: String,
}

impl Checked {
    fn new(program: &Program, report: Report) -> Checked {
        let found = |finding: &Finding| Found {
            line: finding.line,
            certainty: finding.certainty.word(),
            text: finding.text.clone(),
        };
        Checked {
            kernel: program.name().to_owned(),
            right: report.is_right(),
            proved: report.is_proved(),
            findings: report.findings.iter().map(found).collect(),
            conditions: report.conditions().to_owned(),
            text: report.to_string(),
        }
    }
}

impl Display for Checked {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What a run did, and its results.
#[derive(Serialize)]
struct Ran {
    kernel: String,
    sizes: Vec<(String, i64)>,
    threads: i64,
    blocks: u64,
    barriers: u64,
    /// Elements of global tensors.
    read: u64,
    filled: u64,
    written: u64,
    masked: u64,
    shared_reads: u64,
    shared_writes: u64,
    #[serde(skip)]
    counts: Counts,
    results: Vec<Written>,
}

/// A result: its extents, and its first elements.
#[derive(Serialize)]
struct Written {
    name: String,
    extents: Vec<i64>,
    #[serde(serialize_with = "numbers")]
    first: Vec<f64>,
}

/// JSON has no infinity and no NaN: these are strings, `"inf"`, `"-inf"` and `"NaN"`.
fn numbers<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Said {
        Number(f64),
        Text(String),
    }
    let said =
        |value: &f64| if value.is_finite() { Said::Number(*value) } else { Said::Text(value.to_string()) };
    serializer.collect_seq(values.iter().map(said))
}

/// How many elements of a result are printed.
const FIRST: i64 = 8;

impl Ran {
    fn new(program: &Program, given: &[(String, i64)], scalars: &[(String, f64)]) -> Result<Ran, Error> {
        let given: Vec<(&str, i64)> = given.iter().map(|(name, value)| (&**name, *value)).collect();
        let sizes = program.sizes(&given)?;
        let mut buffers = Buffers::new(program, &sizes)?;
        for (name, value) in scalars {
            buffers.set_scalar(name, *value)?;
        }
        for tensor in program.tensors().iter().filter(|tensor| tensor.space == Space::Read) {
            let extents = buffers.extents(&tensor.name).unwrap_or_default().to_vec();
            let number = |at: &[i64]| {
                at.iter()
                    .zip(&extents)
                    .rev()
                    .fold(0i64, |sum, (at, extent)| sum.wrapping_mul(*extent).wrapping_add(*at))
            };
            buffers.fill(&tensor.name, |at| (number(at).rem_euclid(17) - 8) as f64)?;
        }
        let counts = program.run(&sizes, &mut buffers)?;
        let results =
            program.tensors().iter().filter(|tensor| matches!(tensor.space, Space::Write | Space::Update));
        let results = results.map(|tensor| {
            let extents = buffers.extents(&tensor.name).unwrap_or_default().to_vec();
            let coordinate = |mut index: i64| -> Vec<i64> {
                extents.iter().map(|extent| (index % extent, index /= extent).0).collect()
            };
            let size = extents.iter().product::<i64>().min(FIRST);
            let first = (0..size).filter_map(|index| buffers.at(&tensor.name, &coordinate(index))).collect();
            Written { name: tensor.name.clone(), extents, first }
        });
        Ok(Ran {
            results: results.collect(),
            kernel: program.name().to_owned(),
            sizes: sizes.named().map(|(name, value)| (name.to_owned(), value)).collect(),
            threads: program.threads(),
            blocks: counts.blocks,
            barriers: counts.barriers,
            read: counts.global_reads,
            filled: counts.filled,
            written: counts.global_writes,
            masked: counts.masked,
            shared_reads: counts.shared_reads,
            shared_writes: counts.shared_writes,
            counts,
        })
    }
}

impl Display for Ran {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = self.sizes.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let (blocks, threads) = (self.blocks, self.threads);
        writeln!(f, "{} at {}: {blocks} blocks of {threads} threads", self.kernel, sizes.join(", "))?;
        write!(f, "{}", self.counts)?;
        for Written { name, extents, first } in &self.results {
            let extents: Vec<String> = extents.iter().map(i64::to_string).collect();
            let elements: Vec<String> = first.iter().map(f64::to_string).collect();
            write!(f, "\n{name} ({}), each written once: {} ..", extents.join(","), elements.join(" "))?;
        }
        Ok(())
    }
}

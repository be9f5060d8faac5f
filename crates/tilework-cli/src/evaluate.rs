//! The commands that take their expressions from the command line.

use crate::help::LANGUAGE;
use crate::stream::Writing;
use crate::{report, stream};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tilework::{Error, Layout, Shape};
use tilework_expr::{Export, FUNCTIONS, Form, Function, Session, Value};

#[derive(Args)]
#[command(after_help = HELP)]
pub struct Arguments {
    /// The expressions; a file, or `-` for standard input, is answered line by line
    #[arg(required_unless_present = "scan", value_name = "EXPR", allow_negative_numbers = true)]
    expressions: Vec<String>,
    /// Print every layout in a text, such as a log or the output of print(tiled_mma), with its line and its label; `-` reads
    /// standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["expressions", "form"])]
    scan: Option<PathBuf>,
    /// Say which rule leads to each value, and how many operations emitted text has
    #[arg(long, conflicts_with_all = ["scan", "form", "json", "dialect"])]
    explain: bool,
    /// Write layouts for another program or language
    #[arg(long = "as", value_name = "FORM", value_parser = PossibleValuesParser::new(Form::ALL.map(Form::name)))]
    form: Option<String>,
    /// For triton and gluon, the threads of a warp
    #[arg(long, value_name = "N", default_value_t = 32, requires = "form")]
    lanes: i64,
    /// For triton and gluon, the extents of the tensor, as `16,8`, whose elements the layout counts in column-major order
    #[arg(long, value_name = "M,N", value_parser = shape, requires = "form")]
    shape: Option<Shape>,
    /// For numpy, the bits of an element; a tensor has its own
    #[arg(long, value_name = "N", requires = "form")]
    bits: Option<u32>,
    /// How to write extents and strides that are known only at launch: by their names, or as `?{div=8}` in the notation of the CuTe DSL
    #[arg(long, value_enum, default_value_t = Dialect::Tilework, value_name = "DIALECT")]
    dialect: Dialect,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Dialect {
    Tilework,
    Cute,
}

const HELP: &str = "`tilework help language` is the language of expressions. For triton and gluon the modes of a layout are threads, values and blocks.
Of several statements the value of each but `let` and `assume` is printed: a line each on the command line and at the prompt, with `; ` between
them for a line of a file or of `-`, and in the result of --json with \\n. Source text of `emit` is printed as it is, with its lines.

With --json each line is {\"expr\",\"result\"} or {\"expr\",\"error\":{\"code\",\"message\",\"at\"}},
where `at` counts characters from 0; with names in the last value also \"layout\", \"guard\" (clauses of alternatives of conditions)
and \"witness\", the values by which it was chosen. A line of standard input without an expression, blank or a comment, is answered by an
empty line. --scan prints line, label and layout with tabs between them, or with --json {\"line\",\"label\",\"text\",\"result\"}.";

/// The first bytes of a file, of which none is 0 if it is a text.
const MAX_START: u64 = 1 << 16;

/// `(16,8)`, with or without parentheses.
fn shape(text: &str) -> Result<Shape, Error> {
    Shape::parse(text).or_else(|_| Shape::parse(&format!("({text})")))
}

/// `eval`: whether every expression had a value.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    let Arguments { expressions, scan, explain, form, lanes, shape, bits, dialect, json } = arguments;
    if let Some(file) = scan {
        return scanned(file, *json);
    }
    let form: Option<Form> = form.as_ref().and_then(|form| form.parse().ok());
    let export = form.map(|form| {
        let mut export = Export::new(form);
        (export.lanes, export.shape, export.bits) = (*lanes, *shape, *bits);
        export
    });
    let writing =
        Writing { export: export.as_ref(), cute: *dialect == Dialect::Cute, json: *json, by_line: false };
    let mut session = Session::new();
    let (mut all_good, mut advice) = (true, BTreeSet::new());
    for expression in expressions {
        if *explain {
            all_good &= explained(&mut session, expression)?;
            continue;
        }
        if expression == "-" {
            all_good &= stream::run(&mut session, io::stdin().lock(), writing)?;
            continue;
        }
        let mut line = Vec::new();
        match stream::value(&mut session, expression, writing) {
            Ok(written) if *json => {
                report::json_result(&mut line, expression, &written.lines(), written.symbolic(), &session);
            }
            Ok(written) => {
                writeln!(line, "{}", written.lines())?;
                if let (None, false, Some(value)) = (&export, writing.cute, &written.value) {
                    advice.extend(advice_on(value, expression, expression));
                }
            }
            Err(_) if Path::new(expression).is_file() => {
                let mut file = File::open(expression)?;
                let mut start = Vec::new();
                (&mut file).take(MAX_START).read_to_end(&mut start)?;
                if tilework_expr::is_blank(&String::from_utf8_lossy(&start))
                    && start.len() < MAX_START as usize
                {
                    report::refusal("file", &format!("{expression}: it has no expression"));
                    all_good = false;
                    continue;
                }
                if start.contains(&0) {
                    report::refusal("file", &format!("{expression}: it is no text file"));
                    all_good = false;
                    continue;
                }
                let good = stream::run(&mut session, (&start[..]).chain(file), writing)?;
                if !good && !tilework_expr::scan(&String::from_utf8_lossy(&start)).is_empty() {
                    report::say(format_args!(
                        "help: a line of {expression} is no expression; `tilework eval --scan {expression}` reads the layouts in a print or a log"
                    ));
                }
                all_good &= good;
            }
            Err(mut error) => {
                all_good = false;
                // `threadIdx.x` is no name of a file.
                let extension = expression.rsplit_once('.').is_some_and(|(_, extension)| extension.len() > 1);
                if (extension || expression.contains('/')) && !expression.contains(['(', ':', ' ']) {
                    error.message =
                        format!("there is no file `{expression}`; read as an expression: {}", error.message);
                }
                if export.is_some() {
                    error.message = report::by_option(&error.message);
                }
                if *json {
                    report::json_error(&mut line, expression, &error);
                } else {
                    report::error(expression, &error);
                }
            }
        }
        io::stdout().lock().write_all(&line)?;
    }
    advice.iter().for_each(report::say);
    Ok(all_good)
}

const PICTURE: &str = "help: `tilework show` draws which thread has each element of an instruction, and with `--aspect threads` of a layout of threads and values";
const WIDE: &str = "help: offsets need more than 31 bits, and wrap in the 32-bit integers of the CuTe DSL and Triton; `fits(L, 31)` is the question";

/// What to say behind a value that tells which thread has what, by its kind or by the label of a print, and behind a layout of a
/// language whose integers are too short for its offsets.
fn advice_on<'a>(value: &Value, label: &'a str, text: &'a str) -> impl Iterator<Item = &'static str> + use<> {
    let of_threads = matches!(value, Value::Instruction(_)) || label.contains("TV");
    let short = ["!cute.", "#ttg.", "gl.", "raw_ptr(", "tensor<", "make_layout"]
        .iter()
        .any(|word| text.contains(word));
    let wraps = |layout: &Layout| layout.max_offset().is_ok_and(|most| most > i32::MAX.into());
    let is_wide = short && value.domain().is_some_and(wraps);
    [(of_threads, PICTURE), (is_wide, WIDE)].into_iter().filter_map(|(says, text)| says.then_some(text))
}

/// `eval --scan`: whether there was a layout in the text.
fn scanned(file: &Path, json: bool) -> io::Result<bool> {
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        bytes
    } else {
        match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                report::say(format_args!("error: {} cannot be read: {error}", file.display()));
                return Ok(false);
            }
        }
    };
    let found = tilework_expr::scan(&String::from_utf8_lossy(&bytes));
    let mut lines = Vec::new();
    for found in &found {
        let value = found.value.to_string();
        if json {
            report::json_found(&mut lines, found.line, &found.label, &found.text, &value);
        } else {
            writeln!(lines, "{}\t{}\t{value}", found.line, printable(&found.label))?;
        }
    }
    io::stdout().lock().write_all(&lines)?;
    if found.is_empty() {
        report::say(format_args!("error: there is no layout in {}", file.display()));
    } else if !json {
        let advice = found.iter().flat_map(|found| advice_on(&found.value, &found.label, &found.text));
        advice.collect::<BTreeSet<_>>().iter().for_each(report::say);
    }
    Ok(!found.is_empty())
}

/// A text of a file with its control characters, which a terminal would obey, as `\u{1b}`.
fn printable(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character.is_control() {
            true => out.extend(character.escape_unicode()),
            false => out.push(character),
        }
    }
    out
}

/// `explain`: whether the expression had a value.
pub fn explain(expression: &str) -> io::Result<bool> {
    explained(&mut Session::new(), expression)
}

fn explained(session: &mut Session, expression: &str) -> io::Result<bool> {
    match session.explain(expression) {
        Ok(explanation) => {
            let good = explanation.outcome.is_ok();
            write!(io::stdout().lock(), "{explanation}")?;
            Ok(good)
        }
        Err(error) => {
            report::error(expression, &error);
            Ok(false)
        }
    }
}

/// `functions`: the table, one row of it with all that there is to know, or the rows, forms of the language and commands of the
/// program's help that contain some words.
pub fn functions(words: &str, help: &str) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    if words.is_empty() {
        write_table(&mut out, FUNCTIONS.iter())?;
        return Ok(true);
    }
    if let Some(function) = tilework_expr::find(words) {
        write!(out, "{function}")?;
        return Ok(true);
    }
    let found = tilework_expr::search(words);
    let has_all =
        |line: &&str| line.starts_with("  ") && words.split_whitespace().all(|word| line.contains(word));
    let commands = help.split("\nOptions:").next().unwrap_or("");
    let mut any = !found.is_empty();
    write_table(&mut out, found.into_iter())?;
    for (title, text) in [
        ("The language of expressions, tilework help language", LANGUAGE),
        ("Commands, tilework help COMMAND", commands),
    ] {
        let lines: Vec<&str> = text.lines().filter(has_all).collect();
        if !lines.is_empty() {
            writeln!(out, "{}{title}\n{}", if any { "\n" } else { "" }, lines.join("\n"))?;
            any = true;
        }
    }
    if !any {
        // What is said of the name in an expression, but not how to define it.
        let called = Session::new().evaluate(&format!("{words}(4:1)")).err().and_then(|error| error.help);
        let forms = Form::ALL.map(Form::name).contains(&words);
        let advice = match called
            .filter(|help| ["write ", "did you mean"].iter().any(|begin| help.starts_with(begin)))
        {
            Some(help) => help,
            None if forms => format!("`tilework eval L --as {words}` writes layouts for it"),
            None => format!(
                "`tilework format {words}` searches storage formats, `tilework atoms {words}` instructions"
            ),
        };
        report::say(format_args!(
            "error: there is no function `{words}`, and none whose description has these words; {advice}"
        ));
    }
    Ok(any)
}

/// Functions, family by family.
fn write_table(out: &mut impl Write, functions: impl Iterator<Item = &'static Function>) -> io::Result<()> {
    let mut family = None;
    for function in functions {
        if family != Some(function.family()) {
            let gap = if family.is_some() { "\n" } else { "" };
            writeln!(out, "{gap}{}", function.family().title())?;
            family = Some(function.family());
        }
        writeln!(out, "  {:<40} {}", function.forms()[0], function.summary())?;
    }
    Ok(())
}

//! The program `tilework`: evaluates, draws, explains and runs CuTe layouts.
//!
//! Every command is a thin front end: of the expression language in `tilework-expr`, of the instructions in `tilework-hardware`,
//! and those in `run` of the kernels in `tilework-kernels`. Standard output has only the answer; errors go to standard
//! error with a mark at the position, except for `eval -`, which answers every line of its input with one line.

#![deny(clippy::print_stderr, clippy::print_stdout, unsafe_code)]

mod answer;
mod atoms;
mod evaluate;
#[cfg(feature = "page")]
mod explore;
mod format;
mod hardware;
mod help;
mod interactive;
mod kernel;
mod launch;
mod measure;
mod picture;
mod report;
mod reshard;
mod sharding;
mod stream;

use clap::builder::{PossibleValuesParser, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use tilework_expr::{FUNCTIONS, Session};

/// Evaluate, draw, explain and run CuTe layouts.
///
/// `tilework EXPR` is `tilework eval EXPR`; without arguments, tilework reads expressions interactively.
#[derive(Parser)]
#[command(name = "tilework", version = env!("TILEWORK_VERSION"), term_width = 0)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print the manual page
    #[arg(long, exclusive = true)]
    man: bool,
    /// When to use colours
    #[arg(long, value_enum, default_value_t = Colours::Auto, global = true, value_name = "WHEN")]
    color: Colours,
}

#[derive(Subcommand)]
enum Command {
    /// Print the value of each expression, one a line
    Eval(evaluate::Arguments),
    /// Draw a layout as a table, or to a file: SVG, PNG, PDF, LaTeX or HTML, by the extension of its name
    #[command(visible_alias = "draw")]
    Show(picture::Arguments),
    /// Say which rule of the algebra leads to a result, or why there is none
    Explain {
        /// An expression; its outermost operation is explained
        #[arg(value_name = "EXPR", allow_negative_numbers = true)]
        expression: String,
    },
    /// Open the explorer in a browser, from this machine
    #[cfg(feature = "page")]
    Explore(explore::Arguments),
    /// List the functions, describe one, or search them
    Functions {
        /// The name of a function, or words that its description has to contain
        #[arg(value_name = "WORD")]
        words: Vec<String>,
    },
    /// Find instructions by words; print which thread of one holds which elements
    #[command(visible_alias = "atom")]
    Atoms(atoms::Arguments),
    /// Tell how many wavefronts an access to shared memory takes, and which lanes conflict in a bank
    Banks(hardware::BanksArguments),
    /// Tell how many sectors of global memory an access moves
    Sectors(hardware::SectorsArguments),
    /// Find the smallest swizzle, XOR layout or padding without bank conflicts, or prove that there is none
    Swizzle(hardware::SwizzleArguments),
    /// Check whether an instruction accepts a shared layout, and print its descriptor or where it fails
    Operand(hardware::OperandArguments),
    /// Tell how many elements can be copied at once between two layouts
    Vector(hardware::VectorArguments),
    /// Check whether a raster or a tiling reaches each element once, and which predicates it needs
    Cover(hardware::CoverArguments),
    /// Tell which device of a mesh holds which elements of a tensor, in every form of a sharding
    Shard(sharding::ShardArguments),
    /// Plan the way from one sharding to another: collectives, and what each device receives
    Reshard(reshard::Arguments),
    /// List the storage formats of machine-learning software, describe one, or search them
    #[command(visible_alias = "formats")]
    Format(format::Arguments),
    /// Copy from one layout to another, and compare the speed with memcpy
    Copy(measure::copy::Arguments),
    /// Multiply matrices, and compare the speed with the multiply-add peak of this machine
    Gemm(measure::gemm::Arguments),
    /// Contract tensors over named modes, and compare the speed with the multiply-add peak of this machine
    Contract(measure::contract::Arguments),
    /// Check, execute or emit a GPU kernel that is written as tensors, views and statements
    Kernel(kernel::Arguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    #[command(hide = true, about = help::LANGUAGE, help_template = "{about}")]
    Language,
}

#[cfg(not(feature = "page"))]
const NO_PAGE: &str = "this program was built without the explorer; in its repository,
`web/build && cargo install --path crates/tilework-cli --features page` builds it with the explorer,
and `web/build` alone makes web/dist/index.html, a page that opens in any browser
";

#[derive(Clone, Copy, ValueEnum)]
enum Colours {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl Colours {
    /// Configures the streams, which remove colours if needed.
    fn apply(self) {
        match self {
            Colours::Auto => anstream::ColorChoice::Auto,
            Colours::Always => anstream::ColorChoice::Always,
            Colours::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

fn main() -> ExitCode {
    match parsed(std::env::args_os().collect()) {
        // What follows the last line break is still in the buffer, which Rust would write at the end whether it can or not.
        Ok(arguments) => ended(run(arguments).and_then(|good| io::stdout().flush().map(|()| good))),
        #[cfg(not(feature = "page"))]
        Err(wrong)
            if wrong.get(ContextKind::InvalidSubcommand) == Some(&ContextValue::String("explore".into())) =>
        {
            clap::Error::raw(wrong.kind(), NO_PAGE).exit()
        }
        Err(wrong) if wrong.use_stderr() => wrong.exit(),
        // Help or the version; `exit` would ignore that they cannot be written.
        Err(text) => ended(text.print().map(|()| true)),
    }
}

fn command() -> clap::Command {
    help::grouped(Arguments::command())
}

/// The arguments; those of `eval` if an expression is where a command has to be.
fn parsed(mut words: Vec<OsString>) -> Result<Arguments, clap::Error> {
    let found = command().try_get_matches_from(&words);
    let found = found.or_else(|wrong| match wrong.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) if word.contains(|sign: char| !sign.is_alphabetic()) => {
            let at = words.iter().position(|own| own == word.as_str()).unwrap_or(1);
            words.insert(at, "eval".into());
            command().try_get_matches_from(&words)
        }
        Some(ContextValue::String(word)) => {
            let tips: Vec<StyledStr> =
                help::elsewhere(&command(), word).into_iter().map(StyledStr::from).collect();
            if tips.is_empty() {
                return Err(wrong);
            }
            let mut wrong = wrong;
            wrong.remove(ContextKind::SuggestedSubcommand);
            wrong.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
            Err(wrong)
        }
        // Options of `eval` before the expression.
        _ if wrong.kind() == ErrorKind::UnknownArgument
            && words.get(1).is_some_and(|word| word.to_string_lossy().starts_with('-')) =>
        {
            words.insert(1, "eval".into());
            command().try_get_matches_from(&words).map_err(|_| wrong)
        }
        _ if wrong.kind() == ErrorKind::MissingRequiredArgument
            && words.get(1).is_some_and(|word| word == "eval") =>
        {
            let tip = StyledStr::from("`tilework eval -` reads expressions from standard input");
            let mut wrong = wrong;
            wrong.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
            Err(wrong)
        }
        _ => Err(wrong),
    });
    found.and_then(|matches| Arguments::from_arg_matches(&matches))
}

/// Runs a command; `false` if an answer is an error.
fn run(arguments: Arguments) -> io::Result<bool> {
    arguments.color.apply();
    if arguments.man {
        return clap_mangen::Man::new(command()).render(&mut io::stdout().lock()).map(|()| true);
    }
    match arguments.command {
        None => interactive::run(),
        Some(Command::Eval(arguments)) => evaluate::run(&arguments),
        Some(Command::Show(arguments)) => {
            arguments.check().unwrap_or_else(|error| error.exit());
            picture::run(&mut Session::new(), &arguments)
        }
        Some(Command::Explain { expression }) => evaluate::explain(&expression),
        #[cfg(feature = "page")]
        Some(Command::Explore(arguments)) => explore::run(&arguments),
        Some(Command::Functions { words }) => {
            evaluate::functions(&words.join(" "), &command().render_help().to_string())
        }
        Some(Command::Atoms(arguments)) => atoms::run(&arguments),
        Some(Command::Banks(arguments)) => hardware::banks(&arguments),
        Some(Command::Sectors(arguments)) => hardware::sectors(&arguments),
        Some(Command::Swizzle(arguments)) => hardware::swizzle(&arguments),
        Some(Command::Operand(arguments)) => hardware::operand(&arguments),
        Some(Command::Vector(arguments)) => hardware::vector(&arguments),
        Some(Command::Cover(arguments)) => hardware::cover(&arguments),
        Some(Command::Shard(arguments)) => sharding::shard(&arguments),
        Some(Command::Reshard(arguments)) => reshard::run(&arguments),
        Some(Command::Format(arguments)) => format::run(&arguments),
        Some(Command::Copy(arguments)) => measure::copy::run(&arguments),
        Some(Command::Gemm(arguments)) => measure::gemm::run(&arguments),
        Some(Command::Contract(arguments)) => measure::contract::run(&arguments),
        Some(Command::Kernel(arguments)) => kernel::run(&arguments),
        Some(Command::Completions { shell }) => {
            let mut text = Vec::new();
            let names = PossibleValuesParser::new(FUNCTIONS.iter().map(|function| function.name()));
            let named = |command: clap::Command| command.mut_arg("words", |name| name.value_parser(names));
            let mut command = command().mut_subcommand("functions", named);
            clap_complete::generate(shell, &mut command, "tilework", &mut text);
            io::stdout().lock().write_all(&text).map(|()| true)
        }
        Some(Command::Language) => io::stdout().lock().write_all(help::LANGUAGE.as_bytes()).map(|()| true),
    }
}

fn ended(finished: io::Result<bool>) -> ExitCode {
    match finished {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // The reader has closed the output, which is not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            report::say(format_args!("tilework: {error}"));
            ExitCode::from(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_a_group() {
        let listed = command().render_help().to_string();
        for own in command().get_subcommands().filter(|own| !own.is_hide_set()) {
            assert!(
                listed.contains(&format!("\n  {} ", own.get_name())),
                "{} needs a row of GROUPS",
                own.get_name()
            );
        }
    }
}

//! Without a command: expressions read line by line, with history and completion on a terminal.

use crate::{evaluate, picture, report, stream};
use clap::Parser;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::cell::RefCell;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::rc::Rc;
use tilework_expr::{FUNCTIONS, Session, is_blank};

const HELP: &str = "\
Type an expression: (8,8):(8,1) o ((4,8),2):((16,1),8)
  let A = (4,8):(1,4)     names a value
  (A)(2,5), A(_,5)        an offset, a slice
  A o B, A / B, A * B     composition, divide, product
  show A, show A --aspect tiles   draws a layout; --color-by column and the options of `tilework show`
  draw A -o FILE          writes a picture, .svg, .png, .pdf, .tex, .html
  explain A o B           tells how a result comes about
  help, help NAME         all functions, one of them, or those that speak of a word
  :vars                   what was named
  :q                      ends";

/// Reads standard input until it ends; returns whether every line had a value, which matters for scripts only.
pub fn run() -> io::Result<bool> {
    let session = Rc::new(RefCell::new(Session::new()));
    if io::stdin().is_terminal() {
        return converse(&session).map(|()| true).map_err(|error| match error {
            ReadlineError::Io(error) => error,
            #[cfg(unix)]
            ReadlineError::Errno(number) => number.into(),
            error => io::Error::other(error),
        });
    }
    let (mut input, mut line, mut all_good) = (io::stdin().lock(), Vec::new(), true);
    while stream::read_line(&mut input, &mut line)? {
        let response = match stream::text(&line) {
            Ok(line) => respond(&mut session.borrow_mut(), line)?,
            Err(error) => {
                fail("", &error);
                Response::Failed
            }
        };
        match response {
            Response::Done => {}
            Response::Failed => all_good = false,
            Response::Quit => break,
        }
    }
    Ok(all_good)
}

enum Response {
    Done,
    Failed,
    Quit,
}

/// Answers one line.
fn respond(session: &mut Session, line: &str) -> io::Result<Response> {
    let mut out = io::stdout();
    let line = line.trim();
    let (word, rest) =
        line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    let good = match (word, rest) {
        _ if is_blank(line) => true,
        (":q" | ":quit" | "quit" | "exit", "") => return Ok(Response::Quit),
        ("help" | ":help" | "?", "") => {
            writeln!(out, "{HELP}\n")?;
            evaluate::functions("", "")?
        }
        ("help" | ":help" | "?", name) => evaluate::functions(name, "")?,
        (":vars", "") => {
            for (name, value) in session.variables() {
                writeln!(out, "{name} = {value}")?;
            }
            true
        }
        ("show", expression) if !expression.contains("--") && !expression.is_empty() => {
            picture::show(session, &[expression.to_string()], &picture::Choices::brief(), false)?
        }
        ("show" | "draw", line) if !line.is_empty() => {
            match words(line).and_then(|show| show.arguments.check().map(|()| show)) {
                Ok(show) => picture::run(session, &show.arguments.joined())?,
                Err(error) => no_command(&error),
            }
        }
        ("explain", expression) if !expression.is_empty() => match session.explain(expression) {
            Ok(explanation) => {
                write!(out, "{explanation}")?;
                explanation.outcome.is_ok()
            }
            Err(error) => fail(expression, &error),
        },
        _ => match session.run(line) {
            Ok(outcome) => {
                let (name, last) = (outcome.name, outcome.value.in_full());
                for value in session.earlier() {
                    writeln!(out, "{}", value.in_full())?;
                }
                writeln!(out, "{}{last}", name.map(|name| format!("{name} = ")).unwrap_or_default())?;
                true
            }
            Err(error) => fail(line, &error),
        },
    };
    out.flush()?;
    Ok(if good { Response::Done } else { Response::Failed })
}

/// `show` in a line, with the options of the command.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Show {
    #[command(flatten)]
    arguments: picture::Arguments,
}

/// The words of a line as arguments of the command.
fn words(line: &str) -> Result<Show, clap::Error> {
    Show::try_parse_from(line.split_whitespace())
}

fn no_command(error: &clap::Error) -> bool {
    report::say(error.to_string().trim_end());
    false
}

fn fail(expression: &str, error: &tilework_expr::ExprError) -> bool {
    report::error(expression, error);
    false
}

/// Completes names of functions and variables.
struct Names {
    session: Rc<RefCell<Session>>,
}

impl Helper for Names {}
impl Highlighter for Names {}
impl Validator for Names {}
impl Hinter for Names {
    type Hint = String;
}

impl Completer for Names {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..position];
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        // A separator may have several bytes.
        let start = (start..=position).find(|&at| line.is_char_boundary(at)).unwrap_or(position);
        let word = &before[start..];
        if word.is_empty() {
            return Ok((start, Vec::new()));
        }
        let session = self.session.borrow();
        let commands = ["let", "show", "draw", "explain", "help"].into_iter().map(String::from);
        let functions = FUNCTIONS.iter().map(|function| format!("{}(", function.name()));
        let variables = session.variables().map(|(name, _)| name.to_string());
        let mut candidates: Vec<String> =
            variables.chain(functions).chain(commands).filter(|name| name.starts_with(word)).collect();
        candidates.sort();
        Ok((start, candidates))
    }
}

fn converse(session: &Rc<RefCell<Session>>) -> rustyline::Result<()> {
    let config = Config::builder()
        .history_ignore_space(true)
        .auto_add_history(true)
        .completion_type(CompletionType::List)
        .build();
    let mut editor: Editor<Names, DefaultHistory> = Editor::with_config(config)?;
    editor.set_helper(Some(Names { session: Rc::clone(session) }));
    let history = history_file();
    if let Some(history) = &history {
        // The first time there is no history.
        let _ = editor.load_history(history);
    }
    writeln!(io::stdout(), "tilework {}: `help` lists what there is, `:q` ends", env!("CARGO_PKG_VERSION"))?;
    loop {
        match editor.readline("> ") {
            Ok(line) => {
                if matches!(respond(&mut session.borrow_mut(), &line)?, Response::Quit) {
                    break;
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                fail("", &stream::not_utf8());
            }
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error),
        }
    }
    if let Some(history) = &history {
        // A history that cannot be saved is not an error.
        let _ = history.parent().map(std::fs::create_dir_all);
        let _ = editor.save_history(history);
    }
    Ok(())
}

/// The path of the history, in the state directory of the XDG specification.
fn history_file() -> Option<PathBuf> {
    let state = match std::env::var_os("XDG_STATE_HOME").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".local/state"),
    };
    Some(state.join("tilework").join("history"))
}

//! `show`: a layout as a table, or as a picture in a file.

use crate::report;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, RangedI64ValueParser, TypedValueParser};
use clap::error::ErrorKind;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tilework::Shape;
use tilework_draw::file::{self, Format};
use tilework_draw::terminal::{self, Terminal};
use tilework_draw::{ColorBy, Options, Scene};
use tilework_expr::{Aspect, Look, Outcome, Session};

/// The text after the number of cells of a cut picture.
const MORE: &str = "; --max-cells draws more";

/// The width of a table without a terminal.
const PIPE_WIDTH: usize = 160;

/// How it is drawn.
#[derive(Args)]
pub struct Choices {
    /// The aspect of the expression to draw
    #[arg(long, alias = "as", default_value = Aspect::Offsets.name(), value_name = "ASPECT", value_parser = aspects())]
    aspect: Aspect,
    /// The most cells to draw
    #[arg(long, default_value_t = Options::default().max_cells, value_name = "N")]
    max_cells: usize,
    /// Join the cells by a line in the order of their offsets
    #[arg(long)]
    path: bool,
    /// What the colours show; the default depends on the aspect
    #[arg(long, value_name = "WHAT", value_parser = colors())]
    color_by: Option<ColorBy>,
    /// The shape of the tile of a thread-value layout, such as (8,8), for --aspect threads
    #[arg(long, value_name = "SHAPE")]
    tile: Option<Shape>,
    /// Follow one element of the result through a composition or an inverse, for --aspect operation
    #[arg(long, value_name = "INDEX")]
    element: Option<i64>,
    /// How many memory banks there are, for --aspect banks or --color-by bank
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    banks: Option<u32>,
    /// The bytes of a bank, for --aspect banks or --color-by bank
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    bank_bytes: Option<u32>,
    /// The bits of an element, for --aspect banks or --color-by bank; a tensor has its own
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    bits: Option<u32>,
}

fn at_least_one() -> RangedI64ValueParser<u32> {
    RangedI64ValueParser::new().range(1..=u32::MAX.into())
}

/// The aspects by name, each with its description.
fn aspects() -> impl TypedValueParser<Value = Aspect> {
    let values = Aspect::ALL.map(|aspect| PossibleValue::new(aspect.name()).help(aspect.summary()));
    let named = |name: String| Aspect::ALL.into_iter().find(|aspect| aspect.name() == name);
    PossibleValuesParser::new(values).map(move |name| named(name).unwrap_or_default())
}

/// The meanings of colours, by name.
fn colors() -> impl TypedValueParser<Value = ColorBy> {
    let values = ColorBy::ALL.map(|by| PossibleValue::new(by.name()).help(by.summary()));
    PossibleValuesParser::new(values).map(|name| ColorBy::named(&name).unwrap_or(ColorBy::None))
}

impl Choices {
    fn look(&self) -> Look {
        let mut look = Look::of(self.aspect);
        look.options =
            Options::default().with_max_cells(self.max_cells).with_path(self.path).colored_by(self.color_by);
        look.tile = self.tile;
        (look.banks, look.bank_bytes, look.element_bits) = (self.banks, self.bank_bytes, self.bits);
        look.element = self.element;
        look
    }

    /// A few cells of the offsets, for interactive use.
    pub fn brief() -> Choices {
        Choices {
            aspect: Aspect::Offsets,
            max_cells: 1024,
            path: false,
            color_by: None,
            tile: None,
            element: None,
            banks: None,
            bank_bytes: None,
            bits: None,
        }
    }

    /// Refuses an option without effect.
    pub fn check(&self) -> Result<(), clap::Error> {
        let choices = [
            ("--banks", self.banks.is_some(), Aspect::Banks),
            ("--bank-bytes", self.bank_bytes.is_some(), Aspect::Banks),
            ("--bits", self.bits.is_some(), Aspect::Banks),
            ("--tile", self.tile.is_some(), Aspect::Threads),
            ("--element", self.element.is_some(), Aspect::Operation),
        ];
        for (choice, given, aspect) in choices {
            let banks = aspect == Aspect::Banks;
            if given && self.aspect != aspect && !(banks && self.color_by == Some(ColorBy::Bank)) {
                let or = if banks { " or --color-by bank" } else { "" };
                let message = format!("{choice} does nothing without --aspect {}{or}\n", aspect.name());
                return Err(clap::Error::raw(ErrorKind::ArgumentConflict, message));
            }
        }
        Ok(())
    }

    /// The pictures of all expressions as one, except for `let` statements. `None` if one has no picture, which has
    /// been reported.
    pub fn scene(&self, session: &mut Session, expressions: &[String]) -> Option<Scene> {
        let mut scenes = Vec::new();
        for expression in expressions {
            let drawn = match session.run(expression) {
                Ok(Outcome { name: Some(_), .. }) if expressions.len() > 1 => continue,
                Ok(_) => session.picture(expression, &self.look()),
                Err(error) => Err(error),
            };
            match drawn {
                Ok(scene) => scenes.push(scene),
                Err(mut error) => {
                    error.message = report::by_option(&error.message);
                    report::error(expression, &error);
                    return None;
                }
            }
        }
        if scenes.len() == 1 { scenes.pop() } else { Some(Scene::row("", scenes)) }
    }
}

/// Prints the pictures as tables, as wide as the terminal or with `all` columns side by side; returns whether there
/// were any.
pub fn show(session: &mut Session, expressions: &[String], choices: &Choices, all: bool) -> io::Result<bool> {
    let Some(mut scene) = choices.scene(session, expressions) else { return Ok(false) };
    if scene.cut {
        scene.caption += MORE;
    }
    table(&scene, all)?;
    Ok(true)
}

#[derive(Args)]
pub struct Arguments {
    /// Layouts, swizzled layouts or views, side by side; `let` gives names to use in the next
    #[arg(required = true, value_name = "EXPR", allow_negative_numbers = true)]
    expressions: Vec<String>,
    /// Draw to a file, with the extension .svg, .png, .pdf, .tex or .html; `-` writes SVG to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    choices: Choices,
    /// Print all columns side by side, however wide the terminal is
    #[arg(long, conflicts_with = "output")]
    all: bool,
}

impl Arguments {
    /// [`Choices::check`].
    pub fn check(&self) -> Result<(), clap::Error> {
        self.choices.check()
    }

    /// The words of a line as one expression.
    pub fn joined(self) -> Arguments {
        Arguments { expressions: vec![self.expressions.join(" ")], ..self }
    }
}

/// Returns whether the picture was printed or written.
pub fn run(session: &mut Session, arguments: &Arguments) -> io::Result<bool> {
    let Arguments { expressions, output, choices, all } = arguments;
    let Some(output) = output else { return show(session, expressions, choices, *all) };
    let Some(scene) = choices.scene(session, expressions) else { return Ok(false) };
    let good = written(&scene, output)?;
    if good && scene.cut {
        report::say(format_args!("drew {}{MORE}", scene.caption));
    }
    Ok(good)
}

/// A picture beside an answer.
#[derive(Args)]
pub struct Output {
    /// Draw it as a table
    #[arg(long, conflicts_with = "output")]
    draw: bool,
    /// Draw it to a file, with the extension .svg, .png, .pdf, .tex or .html; `-` writes SVG to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The most cells to draw
    #[arg(long, default_value_t = Options::default().max_cells, value_name = "N")]
    max_cells: usize,
}

impl Output {
    /// Whether a picture was requested.
    pub fn wanted(&self) -> bool {
        self.draw || self.output.is_some()
    }

    /// Whether it goes to standard output.
    pub fn is_standard(&self) -> bool {
        self.output.as_deref().is_none_or(|output| output == Path::new("-"))
    }

    pub fn options(&self) -> Options {
        Options::default().with_max_cells(self.max_cells)
    }

    /// Writes the picture; returns whether that succeeded.
    pub fn write(&self, mut scene: Scene) -> io::Result<bool> {
        if scene.cut {
            scene.caption += MORE;
        }
        match &self.output {
            None => table(&scene, true).map(|()| true),
            Some(output) => written(&scene, output),
        }
    }
}

/// Writes the picture; returns whether that succeeded, and says why not.
fn written(scene: &Scene, output: &Path) -> io::Result<bool> {
    match picture(scene, output) {
        Ok(()) => Ok(true),
        Err(Refusal::Reader(error)) => Err(error),
        Err(Refusal::Other(message)) => {
            report::say(format_args!("error: {message}"));
            Ok(false)
        }
    }
}

/// Prints a table, as wide as the terminal, or in full.
pub fn table(scene: &Scene, all: bool) -> io::Result<()> {
    let width = terminal_size::terminal_size_of(io::stdout()).map_or(PIPE_WIDTH, |(width, _)| width.0.into());
    let width = if all { usize::MAX } else { width };
    let terminal = Terminal::new(width, anstyle_query::truecolor());
    write!(anstream::stdout().lock(), "{}", terminal::write(scene, &terminal))
}

enum Refusal {
    /// Standard output could not be written.
    Reader(io::Error),
    Other(String),
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::Other(message)
    }
}

/// Writes the picture.
fn picture(scene: &Scene, output: &Path) -> Result<(), Refusal> {
    let standard_output = output == Path::new("-");
    let format = if standard_output { Format::Svg } else { Format::of(output)? };
    let bytes = format.write(scene).map_err(|error| error.to_string())?;
    if standard_output {
        return io::stdout().lock().write_all(&bytes).map_err(Refusal::Reader);
    }
    let written = file::replace(output, &bytes);
    Ok(written.map_err(|error| format!("{} cannot be written: {error}", output.display()))?)
}

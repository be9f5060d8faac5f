//! `draw`: a layout as a picture in a file, and the scene that `show` prints as a table.

use crate::report;
use clap::Args;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tilework::{Error, HTuple, Layout};
use tilework_draw::palette::Theme;
use tilework_draw::{Options, Scene, html, png, svg, tex};
use tilework_expr::{Session, Value};

/// What follows the number of cells of a picture that was cut.
pub const MORE: &str = "; --max-cells draws more";

#[derive(Args)]
pub struct Arguments {
    /// A layout, a swizzled layout or a view
    #[arg(value_name = "EXPR", allow_negative_numbers = true)]
    expression: String,
    /// The file, whose name ends in .svg, .png, .tex or .html; `-` writes SVG to standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The most cells to draw
    #[arg(long, default_value_t = Options::default().max_cells, value_name = "N")]
    max_cells: usize,
    /// Join the cells by a line in the order of their offsets
    #[arg(long)]
    path: bool,
}

/// Whether the picture was written.
pub fn run(arguments: &Arguments) -> io::Result<bool> {
    match picture(arguments) {
        Ok(Some(caption)) if !caption.is_empty() => anstream::eprintln!("drew {caption}{MORE}"),
        Ok(Some(_)) => {}
        Ok(None) => return Ok(false),
        Err(Refusal::Reader(error)) => return Err(error),
        Err(Refusal::Other(message)) => {
            anstream::eprintln!("error: {message}");
            return Ok(false);
        }
    }
    Ok(true)
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

/// Writes the picture and gives its caption; `None` where the expression has no value, which has been reported.
fn picture(arguments: &Arguments) -> Result<Option<String>, Refusal> {
    let output = arguments.output.as_path();
    let format = Format::of(output)?;
    let mut session = Session::new();
    let value = match session.evaluate(&arguments.expression) {
        Ok(value) => value,
        Err(error) => {
            report::error(&arguments.expression, &error);
            return Ok(None);
        }
    };
    let scene = scene(value, &Options { max_cells: arguments.max_cells, path: arguments.path })?;
    let bytes = format.write(&scene)?;
    if output == Path::new("-") {
        io::stdout().lock().write_all(&bytes).map_err(Refusal::Reader)?;
    } else {
        replace(output, &bytes)
            .map_err(|error| format!("{} cannot be written: {error}", output.display()))?;
    }
    Ok(Some(scene.caption))
}

/// The scene of a value that is a layout, or stands for one.
pub fn scene(value: &Value, options: &Options) -> Result<Scene, String> {
    let compact;
    let (value, domain): (&Value, Layout) = match value.domain() {
        Some(layout) => (value, *layout),
        None => match value.as_layout() {
            Some(layout) => {
                let layout = layout.map_err(|error| error.to_string())?;
                compact = Value::Layout(layout);
                (&compact, layout)
            }
            None => return Err(format!("{} is no layout: {value}", value.kind())),
        },
    };
    let offset = |index| {
        // Not seen, since what has a domain is a function of it.
        let none = Error::Index { index: 0, rank: 0 };
        value.evaluate(&HTuple::leaf(index)).unwrap_or(Err(none))
    };
    tilework_draw::draw(&value.to_string(), &domain, offset, options).map_err(|error| error.to_string())
}

#[derive(Clone, Copy)]
enum Format {
    Svg,
    Png,
    Tex,
    Html,
}

impl Format {
    fn of(output: &Path) -> Result<Format, String> {
        let suffix = output.extension().map(|suffix| suffix.to_string_lossy().to_lowercase());
        match suffix.as_deref() {
            None if output == Path::new("-") => Ok(Format::Svg),
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            Some("tex") => Ok(Format::Tex),
            Some("html") => Ok(Format::Html),
            _ => Err(format!(
                "the name of {} does not say what to draw; it ends in .svg, .png, .tex or .html",
                output.display()
            )),
        }
    }

    fn write(self, scene: &Scene) -> Result<Vec<u8>, String> {
        Ok(match self {
            Format::Svg => svg::write(scene).into_bytes(),
            Format::Png => png::write(scene, Theme::Light).map_err(|error| error.to_string())?,
            Format::Tex => tex::write(scene).into_bytes(),
            Format::Html => html::write(scene).into_bytes(),
        })
    }
}

/// Writes beside the file and renames, so that there is the whole picture or what was there before.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link has to stay one, and so has a device or a pipe.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return fs::write(path, bytes);
    }
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}", std::process::id()));
    let beside = path.with_file_name(name);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(&beside)?;
    let written = file.write_all(bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What matters is why it could not be written.
        let _ = fs::remove_file(&beside);
    }
    written
}

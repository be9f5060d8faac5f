//! Private formats, in a file.

use super::npy;
use crate::answer::Refusal;
use std::path::PathBuf;
use tilework_formats::{Error, Format};

pub const FILE_HELP: &str =
    "A file of private formats, in the notation of the table: for each a key and its value a line, as in

  name   tiles
  axes   M rows, N columns
  bits   8
  sizes  M to 4
  layout ((4,ceil(M/4)),N):((1,4*N),4)
  fill   zero

and an empty line between two; docs/formats/README.md has all keys";

/// The formats of a file, and those of the table.
pub struct Known(pub Vec<Format>);

impl Known {
    pub fn of(file: Option<&PathBuf>) -> Result<Known, Refusal> {
        let Some(file) = file else { return Ok(Known(Vec::new())) };
        let own = Format::parse(&String::from_utf8_lossy(&npy::read(file)?.bytes))?;
        match own.iter().map(Format::name).find(|name| Format::named(name).is_ok()) {
            Some(name) => Err(Refusal::Condition(
                "name",
                format!("{name} is a format of the table; give that of {} another name", file.display()),
            )),
            None => Ok(Known(own)),
        }
    }

    /// One of them.
    pub fn named(&self, name: &str) -> Result<Format, Error> {
        let own = self.0.iter().find(|format| format.name() == name);
        own.cloned().map_or_else(|| Format::named(name), Ok)
    }
}

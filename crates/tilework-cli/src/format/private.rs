//! Private formats, in a file.

use super::npy;
use crate::answer::Refusal;
use clap::Args;
use std::path::PathBuf;
use tilework_formats::{Error, Format};

const FILE_HELP: &str = include_str!("private.txt").trim_ascii_end();

#[derive(Args)]
pub struct Private {
    /// A file of private formats, in the notation of the table
    #[arg(long, value_name = "FILE", long_help = FILE_HELP)]
    file: Option<PathBuf>,
}

impl Private {
    /// The formats of the file.
    pub fn formats(&self) -> Result<Vec<Format>, Refusal> {
        let Some(file) = &self.file else { return Ok(Vec::new()) };
        let own = Format::parse(&String::from_utf8_lossy(&npy::read(file)?.bytes))?;
        if let Some(name) = own.iter().map(Format::name).find(|name| Format::named(name).is_ok()) {
            let message =
                format!("{name} is a format of the table; give that of {} another name", file.display());
            return Err(Refusal::Condition("name", message));
        }
        Ok(own)
    }
}

/// One of these, or of the table.
pub fn named(own: &[Format], name: &str) -> Result<Format, Error> {
    let own = own.iter().find(|format| format.name() == name);
    own.cloned().map_or_else(|| Format::named(name), Ok)
}

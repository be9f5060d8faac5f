//! Why there is no answer.

use std::fmt;
use tilework::__private::did_you_mean;

/// Why there is no answer; [`code`](Self::code) will not change, and its text is one sentence.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// No format has the name.
    Name {
        /// The name.
        name: String,
        /// Names that its words find, or that are like it.
        near: Vec<&'static str>,
    },
    /// A size that the format does not admit, with the rule; or one that is missing, unknown, or given twice.
    Size(String),
    /// A coordinate outside the logical array, or an offset outside the storage.
    Outside(String),
    /// What would take too much time or memory.
    TooLarge(String),
    /// Formats of which one cannot be converted into the other.
    Unlike(String),
    /// A record that is no format.
    Record(String),
    /// A layout or number that does not exist.
    Layout(tilework::Error),
}

impl Error {
    /// A short name of the condition that will not change.
    ///
    /// ```
    /// use tilework_formats::Format;
    /// assert_eq!(Format::named("marlin_4").unwrap().at(&[]).unwrap_err().code(), "size");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::Name { .. } => "name",
            Error::Size(_) => "size",
            Error::Outside(_) => "outside",
            Error::TooLarge(_) => "limit",
            Error::Unlike(_) => "kind",
            Error::Record(_) => "specification",
            Error::Layout(error) => error.code(),
        }
    }
}

impl From<tilework::Error> for Error {
    fn from(error: tilework::Error) -> Error {
        Error::Layout(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Name { name, near } if near.is_empty() => {
                write!(f, "there is no format `{name}`, and none has these words")?;
                match name.split_once(':').filter(|(axes, _)| axes.chars().all(char::is_alphabetic)) {
                    Some((axes, bits)) => {
                        let apart: Vec<String> = axes.chars().map(String::from).collect();
                        let apart = apart.join(" ");
                        write!(f, "; the axes of a dense array have spaces between them, `{apart}:{bits}`")
                    }
                    None => Ok(()),
                }
            }
            Error::Name { name, near } => {
                write!(f, "there is no format `{name}`; {}", did_you_mean(near))
            }
            Error::Size(text)
            | Error::Outside(text)
            | Error::TooLarge(text)
            | Error::Unlike(text)
            | Error::Record(text) => f.write_str(text),
            Error::Layout(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

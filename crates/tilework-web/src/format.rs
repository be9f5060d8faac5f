//! A storage format by name: what `tilework format` says of it, and its picture.

use crate::picture::Picture;
use crate::place::{Last, Place};
use crate::question::Stored;
use crate::wrong::Wrong;
use serde::Serialize;
use tilework_draw::{FormatColors, Scene};
use tilework_formats::{Error, Format, search};

/// The format, or the error in its name or sizes.
#[derive(Default, Serialize)]
pub struct Answer {
    /// None if the name is not that of a format.
    format: Option<Described>,
    /// Formats that have the words of a name that is not that of one.
    found: Vec<Listed>,
    picture: Option<Picture>,
    error: Option<Wrong>,
}

#[derive(Serialize)]
struct Described {
    name: String,
    purpose: String,
    axes: Vec<Axis>,
    pieces: Vec<String>,
    /// Titles with their lines: at the sizes, and for all sizes.
    facts: Vec<(&'static str, Vec<String>)>,
    known: Vec<(&'static str, Vec<String>)>,
}

/// A size, as it is given or as it is by default.
#[derive(Serialize)]
struct Axis {
    name: String,
    noun: String,
    size: i64,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    purpose: &'static str,
    aliases: Vec<&'static str>,
}

thread_local! {
    static LAST: Last<Stored> = const { Last::new() };
}

impl Stored {
    pub fn answer(&self) -> Answer {
        let mut answer = Answer::default();
        let format = match Format::named(self.name.trim()) {
            Ok(format) => format,
            Err(error) => {
                let words: Vec<&str> = self.name.split_whitespace().collect();
                let listed = |format: &'static Format| Listed {
                    name: format.name(),
                    purpose: format.purpose(),
                    aliases: format.aliases().collect(),
                };
                // What has no layout has a reason.
                let is_unknown = matches!(error, Error::Name { .. });
                answer.found = search(&words).filter(|_| is_unknown).map(listed).collect();
                answer.error = answer.found.is_empty().then(|| self.wrong(&error));
                return answer;
            }
        };
        if let Err(error) = self.describe(&format, &mut answer) {
            answer.error = Some(self.wrong(&error));
        }
        answer
    }

    fn wrong(&self, error: &Error) -> Wrong {
        Wrong::of_condition(error.code(), error.to_string(), &self.name)
    }

    /// The sizes, by default small ones.
    fn sizes<'a>(&self, format: &'a Format) -> Result<Vec<(&'a str, i64)>, Error> {
        let sizes = format.small()?.into_iter();
        Ok(sizes.map(|(name, size)| (name, self.sizes.get(name).copied().unwrap_or(size))).collect())
    }

    fn describe(&self, format: &Format, answer: &mut Answer) -> Result<(), Error> {
        let sizes = self.sizes(format)?;
        let axes = format.axes().iter().zip(&sizes);
        let axes = axes.map(|(axis, (_, size))| Axis {
            name: axis.name.clone(),
            noun: axis.noun.clone(),
            size: *size,
        });
        let described = answer.format.insert(Described {
            name: format.name().to_owned(),
            purpose: format.purpose().to_owned(),
            axes: axes.collect(),
            pieces: format.pieces().map(|piece| piece.name().to_owned()).collect(),
            facts: Vec::new(),
            known: format.facts()?,
        });
        described.facts = format.at(&sizes)?.facts()?;
        let mut scene = self.scene()?;
        answer.picture = Some(Picture::new(&mut scene, &self.view));
        LAST.with(|last| last.keep(self, scene));
        Ok(())
    }

    fn scene(&self) -> Result<Scene, Error> {
        let format = Format::named(self.name.trim())?;
        let packed = format.at(&self.sizes(&format)?)?;
        let colors = FormatColors::named(&self.by).unwrap_or_else(|| FormatColors::of(&packed));
        tilework_draw::format(&packed, colors, &self.view.options())
    }

    /// What is at one cell of the picture.
    pub fn place(&self, number: usize) -> Option<Place> {
        LAST.with(|last| last.place(self, number, || self.scene().ok()))
    }
}

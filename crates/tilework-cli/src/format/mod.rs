//! `format`: the storage formats of machine-learning software by name.

mod convert;
mod npy;
mod private;
mod safetensors;
mod sizes;

use crate::answer::{Refusal, answer};
use crate::picture;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use npy::Offsets;
use private::Private;
use serde::{Serialize, Serializer};
use sizes::{Coordinate, sizes_of};
use std::fmt;
use std::io;
use tilework_draw::{FormatColors, Options};
use tilework_formats::{
    Axis, Comparison, Content, Difference, Error, Facts, Format, Holds, Language, Packed, Stored,
    coordinate_text, search, type_of,
};

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// The name of a format and its sizes, or words that its description has to contain
    #[arg(value_name = "NAME|SIZE=N|WORD")]
    words: Vec<String>,
    /// Print the offset of every element, the last axis fastest, -1 where it is not stored
    #[arg(long, conflicts_with_all = ["at", "element"])]
    offsets: bool,
    /// Print where the element at a coordinate is
    #[arg(long, value_name = "I,J", value_parser = sizes::coordinate, allow_hyphen_values = true, conflicts_with = "element")]
    at: Option<Coordinate>,
    /// Print the elements of which a byte has bits, or the piece of the block
    #[arg(long, value_name = "BYTE")]
    element: Option<i64>,
    /// Print the offset of an element as source text; sizes that are not given are parameters
    #[arg(long, value_name = "LANGUAGE", value_parser = PossibleValuesParser::new(Language::ALL.map(Language::name)),
        conflicts_with_all = ["at", "element", "offsets"])]
    emit: Option<String>,
    /// Draw the offset of each element, and the element at each place of the storage
    #[arg(long, conflicts_with_all = ["at", "element", "emit", "json", "offsets"])]
    draw: bool,
    #[command(flatten)]
    private: Private,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Action {
    /// Convert a file of one format into another
    #[command(after_help = convert::REPACK_HELP)]
    Repack(convert::RepackArguments),
    /// Find the format that has given offsets
    #[command(after_help = convert::IDENTIFY_HELP)]
    Identify(convert::IdentifyArguments),
    /// Check the size of a file, its padding, and its elements
    #[command(after_help = convert::CHECK_HELP)]
    Check(convert::CheckArguments),
}

pub fn run(arguments: &Arguments) -> io::Result<bool> {
    match &arguments.action {
        Some(Action::Repack(arguments)) => convert::repack(arguments),
        Some(Action::Identify(arguments)) => convert::identified(arguments),
        Some(Action::Check(arguments)) => convert::check(arguments),
        None => shown(arguments).unwrap_or_else(|refusal| answer::<String>(arguments.json, Err(refusal))),
    }
}

/// Lists formats, describes one, or tells where its elements are.
fn shown(arguments: &Arguments) -> Result<io::Result<bool>, Refusal> {
    let Arguments { words, offsets, at, element, emit, draw, private: file, json, .. } = arguments;
    let (sizes, words): (Vec<&String>, Vec<&String>) =
        words.iter().partition(|word| word.contains('=') && !["=", "=="].contains(&word.as_str()));
    let own = file.formats()?;
    let needs_sizes =
        emit.is_none() && !sizes.is_empty() || *offsets || *draw || at.is_some() || element.is_some();
    let named = match &words[..] {
        [name] => private::named(&own, name),
        [one, is, two] if ["=", "=="].contains(&is.as_str()) => {
            let compared = Compared::of(&private::named(&own, one)?, &private::named(&own, two)?, &sizes)?;
            return Ok(answer(*json, Ok((compared.is_equal, compared))));
        }
        _ if needs_sizes => {
            let message = "sizes are those of one format, `tilework format NAME SIZE=N`; two are compared by `tilework format A = B`, with spaces";
            return Err(Refusal::Condition("name", message.to_owned()));
        }
        _ => {
            let name = words.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ");
            Err(Error::Name { name, near: Vec::new() })
        }
    };
    let format = match named {
        // Without a word those of the file.
        Err(Error::Name { .. }) if !needs_sizes && words.is_empty() && !own.is_empty() => {
            return Ok(answer(*json, Ok((true, List::of(own.iter())))));
        }
        Err(Error::Name { .. }) if !needs_sizes && search(&words).next().is_some() => {
            return Ok(answer(*json, Ok((true, List::of(search(&words))))));
        }
        named => named?,
    };
    let language = Language::ALL.into_iter().find(|one| emit.as_deref() == Some(one.name()));
    if let Some(language) = language {
        let text = format.emit(language, &sizes_of(&sizes)?)?;
        return Ok(answer(*json, Ok((true, text.trim_end().to_owned()))));
    }
    if !needs_sizes {
        return Ok(answer(*json, Ok((true, Described::of(&format)?))));
    }
    // A picture without sizes is of small ones.
    let packed = match *draw && sizes.is_empty() {
        true => format.at(&format.small()?)?,
        false => format.at(&sizes_of(&sizes)?)?,
    };
    Ok(match (at, element) {
        (Some(coordinate), _) => answer(*json, Ok((true, Place::of(&packed, coordinate)?))),
        (_, Some(byte)) => {
            answer(*json, Ok((true, Contents { byte: *byte, contents: packed.contents(*byte)? })))
        }
        _ if *draw => {
            let options = Options::default().with_max_cells(1024);
            let scene = tilework_draw::format(&packed, FormatColors::of(&packed), &options)?;
            picture::table(&scene, false).map(|()| true)
        }
        _ if *offsets => {
            let offsets = Offsets { storage: packed.storage(), offsets: packed.offsets()? };
            answer(true, Ok((true, offsets)))
        }
        _ => answer(*json, Ok((true, AtSizes::of(&packed)?))),
    })
}

/// Formats, a line for each.
#[derive(Serialize)]
struct List<'a>(Vec<Listed<'a>>);

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    aliases: Vec<&'a str>,
    sizes: Vec<&'a str>,
    #[serde(rename = "for")]
    purpose: &'a str,
}

impl<'a> List<'a> {
    fn of(formats: impl Iterator<Item = &'a Format>) -> List<'a> {
        let listed = |format: &'a Format| Listed {
            name: format.name(),
            aliases: format.aliases().collect(),
            sizes: format.axes().iter().map(|axis| axis.name.as_str()).collect(),
            purpose: format.purpose(),
        };
        List(formats.map(listed).collect())
    }
}

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Listed { name, aliases, sizes, purpose }) in self.0.iter().enumerate() {
            f.write_str(if index > 0 { "\n" } else { "" })?;
            write!(f, "{name:26} {:12} {purpose}", sizes.join(","))?;
            if !aliases.is_empty() {
                write!(f, "; also {}", aliases.join(", "))?;
            }
        }
        Ok(())
    }
}

/// A format for all sizes.
#[derive(Serialize)]
struct Described<'a> {
    name: &'a str,
    #[serde(rename = "for")]
    purpose: &'a str,
    aliases: Vec<&'a str>,
    element_bits: u32,
    sizes: Vec<String>,
    layout: String,
    rules: Vec<String>,
    encoding: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    container: Option<&'a str>,
    fill: &'a str,
    sources: &'a [String],
    pitfalls: Vec<&'a str>,
    pieces: Vec<String>,
    injective: String,
    compact: String,
    #[serde(skip)]
    facts: Facts,
}

impl<'a> Described<'a> {
    fn of(format: &'a Format) -> Result<Described<'a>, Refusal> {
        let proof = format.proof()?;
        Ok(Described {
            name: format.name(),
            purpose: format.purpose(),
            aliases: format.aliases().collect(),
            element_bits: format.element_bits(),
            sizes: format.axes().iter().map(ToString::to_string).collect(),
            layout: format.layouts().join(", otherwise "),
            rules: format.rules().iter().map(ToString::to_string).collect(),
            encoding: format.encoding(),
            container: format.container(),
            fill: format.fill(),
            sources: format.sources(),
            pitfalls: format.pitfalls().collect(),
            pieces: format.pieces().map(|piece| piece.name().to_owned()).collect(),
            injective: proof.injective.to_string(),
            compact: proof.compact.to_string(),
            facts: format.facts()?,
        })
    }
}

/// Titles with their lines.
fn lines(f: &mut fmt::Formatter<'_>, facts: &Facts) -> fmt::Result {
    for (title, texts) in facts {
        for (index, text) in texts.iter().enumerate() {
            write!(f, "\n{:10} {text}", if index == 0 { title } else { "" })?;
        }
    }
    Ok(())
}

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.purpose)?;
        lines(f, &self.facts)
    }
}

/// A format at sizes.
#[derive(Serialize)]
struct AtSizes<'a> {
    name: &'a str,
    element_bits: u32,
    shape: &'a [i64],
    storage: i64,
    bytes: i64,
    layout: String,
    encoding: &'a str,
    container: Container,
    pieces: Vec<String>,
    padding: Vec<Padded<'a>>,
    fill: &'a str,
    sources: &'a [String],
    #[serde(skip)]
    facts: Facts,
}

#[derive(Serialize)]
struct Container {
    dtype: String,
    shape: Vec<i64>,
}

#[derive(Serialize)]
struct Padded<'a> {
    axis: &'a str,
    to: i64,
    padded: i64,
}

impl<'a> AtSizes<'a> {
    fn of(packed: &'a Packed) -> Result<AtSizes<'a>, Refusal> {
        let format = packed.format();
        let (dtype, shape) = packed.container()?;
        let padding = packed.padding()?.into_iter().map(|(axis, to, padded)| Padded { axis, to, padded });
        Ok(AtSizes {
            name: format.name(),
            element_bits: format.element_bits(),
            shape: packed.shape(),
            storage: packed.storage(),
            bytes: packed.bytes(),
            layout: packed.to_string(),
            encoding: format.encoding(),
            container: Container { dtype, shape },
            pieces: format.pieces().map(|piece| piece.name().to_owned()).collect(),
            padding: padding.collect(),
            fill: format.fill(),
            sources: format.sources(),
            facts: packed.facts()?,
        })
    }
}

impl fmt::Display for AtSizes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AtSizes { name, shape, element_bits, facts, .. } = self;
        write!(f, "{name} of shape {shape:?}, in elements of {element_bits} bits")?;
        lines(f, facts)
    }
}

/// Whether two formats are the same.
#[derive(Serialize)]
struct Compared {
    is_equal: bool,
    equal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
}

impl Compared {
    fn of(one: &Format, two: &Format, sizes: &[&String]) -> Result<Compared, Refusal> {
        let sizes = sizes_of(sizes)?;
        let Comparison { equal, difference, storage } = one.compare(two, &sizes)?;
        let is_equal = equal == Holds::Always;
        let is_given = |axis: &Axis| sizes.iter().any(|(name, _)| *name == axis.name);
        let equal = match !sizes.is_empty() && one.axes().iter().all(is_given) {
            true if is_equal => format!("at these sizes{storage}"),
            true => "not at these sizes".to_owned(),
            false => format!("{equal}{storage}"),
        };
        let difference = difference.map(|Difference { sizes, coordinate, offsets }| {
            let sizes: Vec<String> = sizes.iter().map(|(name, size)| format!("{name}={size}")).collect();
            let [one, two] = offsets.map(|offset| match offset {
                Some(offset) => format!("at offset {offset}"),
                None => "not stored".to_owned(),
            });
            let (sizes, element) = (sizes.join(" "), coordinate_text(&coordinate));
            format!("at {sizes}, element {element} is {one} in the first and {two} in the second")
        });
        Ok(Compared { is_equal, equal, difference })
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.difference {
            None => write!(f, "equal {}", self.equal),
            Some(difference) if self.equal.starts_with("if ") => {
                write!(f, "different: {difference}\nequal {}", self.equal)
            }
            Some(difference) => write!(f, "different: {difference}"),
        }
    }
}

/// Where an element is.
#[derive(Serialize)]
struct Place<'a> {
    coordinate: &'a [i64],
    /// None for an element that is not stored.
    offset: Option<i64>,
    bit: Option<i128>,
    byte: Option<i128>,
    nibble: Option<i128>,
    /// The word of the array in which software stores it, and the bit there.
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<String>,
    #[serde(skip)]
    stored: Option<Stored>,
}

impl<'a> Place<'a> {
    fn of(packed: &Packed, coordinate: &'a [i64]) -> Result<Place<'a>, Refusal> {
        let stored = packed.stored(coordinate)?;
        Ok(Place {
            coordinate,
            offset: stored.map(|stored| stored.offset),
            bit: stored.map(Stored::bit),
            byte: stored.map(Stored::byte),
            nibble: stored.map(Stored::nibble),
            word: stored.map(|stored| word(packed, stored.bit())).transpose()?.flatten(),
            stored,
        })
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stored {
            Some(stored) => write!(f, "{stored}")?,
            None => f.write_str("not stored")?,
        }
        self.word.iter().try_for_each(|word| write!(f, "; {word}"))
    }
}

/// Where a bit is in an array of words of several bytes: `int32 [3,0], bit 24`.
fn word(packed: &Packed, bit: i128) -> Result<Option<String>, Refusal> {
    let (dtype, shape) = packed.container()?;
    let width = i128::from(type_of(&dtype).1);
    if width <= 8 || i128::from(packed.format().element_bits()) >= width {
        return Ok(None);
    }
    let (mut index, mut place) = (bit / width, Vec::new());
    for extent in shape.iter().rev() {
        place.insert(0, (index % i128::from(*extent)).to_string());
        index /= i128::from(*extent);
    }
    Ok(Some(format!("{dtype} [{}], bit {}", place.join(","), bit % width)))
}

/// What is in a byte.
#[derive(Serialize)]
struct Contents {
    byte: i64,
    #[serde(serialize_with = "each_by_parts")]
    contents: Vec<Content>,
}

/// The first elements of each, none of padding, how many there are, and the piece of the block that has them.
fn each_by_parts<S: Serializer>(contents: &[Content], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Parts<'a> {
        elements: &'a [Vec<i64>],
        count: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        piece: Option<&'a str>,
    }
    serializer.collect_seq(contents.iter().map(|content| Parts {
        elements: &content.elements,
        count: content.count,
        piece: content.piece.as_deref(),
    }))
}

impl fmt::Display for Contents {
    /// From the lowest bits upwards.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.contents.iter().map(Content::to_string).collect::<Vec<_>>().join("\n"))
    }
}

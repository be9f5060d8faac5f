//! `format repack`, `format identify` and `format check`.

use super::npy;
use super::private::{Private, named};
use super::safetensors;
use super::sizes::{size, sizes_of};
use crate::answer::{Refusal, answer};
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use tilework_formats::{Conversion, Fill, Format, Repack, bundle, identify};

pub const REPACK_HELP: &str = "Examples:
  tilework format repack awq_gemm marlin_4 K=4096 N=4096 weight.npy marlin.npy
  tilework format repack awq_gemm marlin_4 K=4096 N=4096 model.safetensors:q.qweight marlin.safetensors:q.qweight
  tilework format repack awq marlin K=4096 N=4096 G=32 model.safetensors:q marlin.safetensors:q      q.qweight, q.qzeros and q.scales
  tilework format repack 'M S:8' scale_128x4 M=300 S=17 scales.bin blocked.bin --fill 0x7F
  tilework format repack ggml_q4_0 ggml_q4_0_8x8 N=4096 K=4096 rows.bin repacked.bin      all pieces of the blocks
  tilework format repack marlin_4 marlin_4 K=4096 N=4096 whole.npy part.npy --split K=2   part-0.npy and part-1.npy

Exit status: 0, 1 where there is no conversion, and then nothing is written, 2 for a wrong command line.";

#[derive(Args)]
pub struct RepackArguments {
    /// Two formats, their sizes, and two files, raw, .npy or FILE.safetensors:TENSOR; --plan needs no files
    #[arg(value_name = "FROM TO SIZE=N IN OUT", required = true)]
    words: Vec<String>,
    /// What the padding contains: zero, repeat (the last element along each axis), or a byte such as 0x7F
    #[arg(long, value_name = "FILL")]
    fill: Option<String>,
    /// The piece of the block of FROM that is taken alone
    #[arg(long, value_name = "PIECE")]
    piece: Option<String>,
    /// Move the bits although they mean other values in TO
    #[arg(long)]
    bits_only: bool,
    /// Cut a size into equal parts, each a file of its own
    #[arg(long, value_name = "SIZE=N")]
    split: Option<String>,
    #[command(flatten)]
    private: Private,
    /// Say how the elements would be moved, and move none
    #[arg(long)]
    plan: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was written.
#[derive(Serialize)]
struct Repacked {
    parts: Vec<Part>,
    #[serde(skip)]
    is_split: bool,
}

#[derive(Serialize)]
struct Part {
    /// The bytes of the source, if the part is these as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<[i64; 2]>,
    bytes: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl fmt::Display for Repacked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Part { source, bytes, plan, file }) in self.parts.iter().enumerate() {
            f.write_str(if index > 0 { "\n" } else { "" })?;
            write!(f, "{bytes} bytes")?;
            match source {
                Some([start, end]) => write!(f, ", bytes {start} to {end} of the source as they are")?,
                None if self.parts.len() > 1 && self.is_split => {
                    f.write_str(", not as they are in the source")?
                }
                None => {}
            }
            file.iter().try_for_each(|file| write!(f, ": {file}"))?;
            plan.iter().try_for_each(|plan| write!(f, "\n{plan}"))?;
        }
        Ok(())
    }
}

pub fn repack(arguments: &RepackArguments) -> io::Result<bool> {
    answer(arguments.json, repacked(arguments).map(|repacked| (true, repacked)))
}

fn repacked(arguments: &RepackArguments) -> Result<Repacked, Refusal> {
    let RepackArguments { words, fill, piece, bits_only, split, plan, private, .. } = arguments;
    let (sizes, words): (Vec<&String>, Vec<&String>) = words.iter().partition(|word| word.contains('='));
    let (from, to, files) = match &words[..] {
        [from, to] if *plan => (from, to, None),
        [from, to, source, target] => (from, to, Some((Path::new(source), Path::new(target)))),
        _ => {
            let message = "two formats, their sizes and two files are needed: FROM TO SIZE=N IN OUT";
            return Err(Refusal::Condition("argument", message.to_owned()));
        }
    };
    let (sizes, cut) = (sizes_of(&sizes)?, split.as_deref().map(size).transpose()?);
    let own = private.formats()?;
    let single = || Ok::<_, Refusal>(vec![("", named(&own, from)?, named(&own, to)?)]);
    let tensors = bundle(from, to).map_or_else(single, Ok)?;
    let has = |(_, from, to): &(&str, Format, Format), name: &str| from.has_size(name) || to.has_size(name);
    if let Some((name, _)) = sizes.iter().find(|(name, _)| tensors.iter().all(|own| !has(own, name))) {
        return Err(Refusal::Condition("size", format!("neither {from} nor {to} has a size {name}")));
    }
    let files = files.filter(|_| !plan);
    let is_bundle = tensors.len() > 1;
    let is_named = |path| safetensors::tensor(path).is_some_and(|(_, name)| !name.is_empty());
    if is_bundle && files.is_some_and(|(source, target)| !is_named(source) || !is_named(target)) {
        let message = "the tensors of a weight are in safetensors files: FILE.safetensors:NAME";
        return Err(Refusal::Condition("file", message.to_owned()));
    }
    let path_of = |path: &Path, tensor: &str| match tensor {
        "" => path.to_owned(),
        tensor => PathBuf::from(format!("{}.{tensor}", path.display())),
    };
    let fill = fill.as_deref().map(Fill::parse).transpose()?;
    let conversion = Conversion { piece: piece.as_deref(), bits_only: *bits_only, fill };
    let repacks = |tensor: &(&str, Format, Format)| {
        let (_, from, to) = tensor;
        let own: Vec<(&str, i64)> = sizes.iter().filter(|(size, _)| has(tensor, size)).copied().collect();
        let repack = |index| match cut {
            Some(cut) => Repack::split(from, to, &own, conversion, cut, index),
            None => Repack::new(from, to, &own, conversion),
        };
        let count = cut.map_or(1, |(_, count)| count.clamp(1, MAX_PARTS));
        (0..count).map(repack).collect::<Result<Vec<_>, _>>()
    };
    let all = tensors.iter().map(repacks).collect::<Result<Vec<_>, _>>()?;
    let (mut parts, mut written) = (Vec::new(), Vec::new());
    for ((name, ..), repacks) in tensors.iter().zip(&all) {
        let source = files.map(|(source, _)| npy::read(&path_of(source, name))).transpose()?;
        for (index, repack) in repacks.iter().enumerate() {
            if let Some((dtype, shape)) = source.as_ref().and_then(|array| array.header.as_ref()) {
                repack.check_container(dtype, shape)?;
            }
            let range = if cut.is_some() { repack.range()? } else { None };
            let mut part = Part {
                source: range.as_ref().map(|range| [range.start, range.end]),
                bytes: repack.bytes().1,
                plan: (*plan && range.is_none()).then(|| repack.explain()),
                file: None,
            };
            if let (Some((_, target)), Some(array)) = (files, &source) {
                let bytes = match range {
                    Some(range) if array.bytes.len() as i64 == repack.bytes().0 => {
                        array.bytes[range.start as usize..range.end as usize].to_vec()
                    }
                    _ => repack.run(&array.bytes)?,
                };
                let target = if cut.is_some() { numbered(target, index) } else { target.to_owned() };
                let target = path_of(&target, name);
                part.file = Some(target.display().to_string());
                written.push((target, bytes, repack.container()?));
            }
            parts.push(part);
        }
    }
    // All is converted before anything is written.
    npy::write(&written)?;
    Ok(Repacked { parts, is_split: cut.is_some() })
}

/// The most parts of a split.
const MAX_PARTS: i64 = 1024;

/// `part-0.npy` of `part.npy`, and `part-0.safetensors:q` of `part.safetensors:q`.
fn numbered(path: &Path, index: usize) -> PathBuf {
    if let Some((file, tensor)) = safetensors::tensor(path) {
        return PathBuf::from(format!("{}:{tensor}", numbered_file(&file, index).display()));
    }
    numbered_file(path, index)
}

fn numbered_file(path: &Path, index: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().map(|extension| format!(".{}", extension.to_string_lossy()));
    path.with_file_name(format!("{stem}-{index}{}", extension.unwrap_or_default()))
}

pub const IDENTIFY_HELP: &str = "Examples:
  tilework format identify 'f=(0,4,1,5,2,6,3,7)'
  tilework format identify offsets.npy --like scale
  tilework format identify 'f=(0,2,4,6,1,3,5,7)' --like awq      the element at each place: an inverse

Exit status: 0, 1 where there is neither a format nor a layout, 2 for a wrong command line.";

#[derive(Args)]
pub struct IdentifyArguments {
    /// Offsets, or the number of the element at each place of the storage: f=(0,4,1,5) or 0,4,1,5, or a file: this, what --offsets prints, or integers in .npy, FILE.safetensors:TENSOR or raw with 32 bits; -1 for an element that is not stored, and for padding
    #[arg(value_name = "OFFSETS", allow_hyphen_values = true)]
    offsets: String,
    /// Words that the name or description of the format has to contain, as in `tilework format WORD`
    #[arg(long, value_name = "WORD")]
    like: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What has the offsets.
#[derive(Serialize)]
struct Found {
    formats: Vec<String>,
    /// Those of which they are the inverse.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inverses: Vec<String>,
    /// Of the elements in row-major order.
    layout: Option<String>,
    /// Why there is no layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.formats.iter().try_for_each(|format| writeln!(f, "{format}"))?;
        self.inverses.iter().try_for_each(|format| writeln!(f, "the inverse of {format}"))?;
        let is_none = self.formats.is_empty() && self.inverses.is_empty();
        match (&self.layout, &self.reason) {
            (Some(layout), _) => {
                if is_none {
                    writeln!(f, "no format of those searched has these offsets")?;
                }
                write!(f, "layout of the elements in row-major order, the last axis first: {layout}")
            }
            (None, reason) => {
                let title = if is_none {
                    "none: no format of those searched, and"
                } else {
                    "no layout of the elements in row-major order:"
                };
                write!(f, "{title} {}", reason.as_deref().unwrap_or_default())
            }
        }
    }
}

pub fn identified(arguments: &IdentifyArguments) -> io::Result<bool> {
    let found = || {
        let (offsets, shape) = offsets(&arguments.offsets)?;
        let found = identify(&offsets, shape.as_deref(), &arguments.like)?;
        let (layout, reason) = match found.layout {
            Ok(_) if offsets.contains(&-1) => {
                (None, Some("a layout stores each element, and -1 is one that is not stored".to_owned()))
            }
            Ok(layout) => (Some(layout.to_string().trim_start_matches("{0} o ").to_owned()), None),
            Err(error) => {
                let is_weight = found.formats.is_empty() && offsets.iter().any(|offset| *offset < -1);
                let advice = if is_weight {
                    "; identify takes a table of offsets, as --offsets prints, not packed weights"
                } else {
                    ""
                };
                (None, Some(error.message().as_str().to_owned() + advice))
            }
        };
        let [formats, inverses] = [found.formats, found.inverses]
            .map(|all| all.iter().map(|packed| format!("{packed:?}")).collect::<Vec<_>>());
        let is_found = layout.is_some() || !formats.is_empty() || !inverses.is_empty();
        Ok((is_found, Found { formats, inverses, layout, reason }))
    };
    answer(arguments.json, found())
}

/// The offsets, and the shape of their array if that is known.
fn offsets(text: &str) -> Result<(Vec<i64>, Option<Vec<i64>>), Refusal> {
    let path = Path::new(text);
    if let Some(offsets) = npy::listed(text).filter(|_| !path.exists()) {
        return Ok((offsets?, None));
    }
    let array = npy::read(path)?;
    let offsets = npy::integers(path, &array)?;
    Ok((offsets, array.header.map(|(_, shape)| shape)))
}

pub const CHECK_HELP: &str = "Examples:
  tilework format check scale_128x4 M=300 S=17 scales.bin
  tilework format check scale_128x4 M=300 S=17 scales.bin --fill 0x7F      all padding
  tilework format check scale_128x4 M=300 S=17 scales.bin --elements rows.npy      every element where the format has it

Exit status: 0, 1 where the file is no array of the format, 2 for a wrong command line.";

#[derive(Args)]
pub struct CheckArguments {
    /// A format, its sizes, and a file, raw, .npy or FILE.safetensors:TENSOR
    #[arg(value_name = "NAME SIZE=N FILE", required = true)]
    words: Vec<String>,
    /// A file of the elements in plain order, the last axis fastest, each in whole bytes, which FILE has to contain
    #[arg(long, value_name = "FILE")]
    elements: Option<PathBuf>,
    /// What the padding has to contain in place of the format's own fill: zero, repeat, or a byte such as 0x7F
    #[arg(long, value_name = "FILL")]
    fill: Option<String>,
    #[command(flatten)]
    private: Private,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Checks that a file has the size of a format, its padding, and given elements.
pub fn check(arguments: &CheckArguments) -> io::Result<bool> {
    let (sizes, words): (Vec<&String>, Vec<&String>) =
        arguments.words.iter().partition(|word| word.contains('='));
    let checked = || {
        let [name, file] = &words[..] else {
            let message = "a format, its sizes and a file are needed: NAME SIZE=N FILE";
            return Err(Refusal::Condition("argument", message.to_owned()));
        };
        let packed = named(&arguments.private.formats()?, name)?.at(&sizes_of(&sizes)?)?;
        let array = npy::read(Path::new(file))?;
        array.header.iter().try_for_each(|(dtype, shape)| packed.check_container(dtype, shape))?;
        let bytes = array.bytes;
        let fill = arguments.fill.as_deref().map(Fill::parse).transpose()?;
        match &arguments.elements {
            Some(elements) => packed.check_elements(&bytes, &npy::read(elements)?.bytes, fill)?,
            None => packed.check(&bytes, fill)?,
        }
        let more = if arguments.elements.is_some() {
            ", with these elements"
        } else {
            "; --elements compares the elements"
        };
        Ok((true, format!("{} bytes, as {packed:?}{more}", packed.bytes())))
    };
    answer(arguments.json, checked())
}

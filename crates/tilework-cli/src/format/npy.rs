//! Files of arrays: raw bytes, `.npy` of NumPy, or a tensor of a safetensors file.

use super::safetensors;
use crate::answer::Refusal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};
use tilework_draw::file::{Beside, replace};
use tilework_formats::type_of;

/// The bytes of an array; of `.npy` and safetensors files also its type, as NumPy writes it, and its shape.
pub struct Array {
    pub bytes: Vec<u8>,
    pub header: Option<(String, Vec<i64>)>,
}

impl Array {
    /// The bytes of an element: 1 where no type is known.
    pub fn width(&self) -> i64 {
        self.header.as_ref().and_then(|(kind, _)| kind.get(2..)?.parse().ok()).unwrap_or(1)
    }
}

fn refusal(path: &Path, reason: impl fmt::Display) -> Refusal {
    Refusal::Condition("file", format!("{}: {reason}", path.display()))
}

/// Reads a file; one that begins as `.npy` does is one.
pub fn read(path: &Path) -> Result<Array, Refusal> {
    if let Some((file, tensor)) = safetensors::tensor(path) {
        let tensor = safetensors::read(&file, tensor).map_err(|reason| refusal(&file, reason))?;
        return Ok(Array { bytes: tensor.bytes, header: Some((tensor.dtype, tensor.shape)) });
    }
    let bytes = contents(path).map_err(|error| refusal(path, format!("cannot be read: {error}")))?;
    if !bytes.starts_with(MAGIC) {
        return Ok(Array { bytes, header: None });
    }
    let parsed = parse(&bytes).ok_or_else(|| {
        refusal(path, "a .npy file of one contiguous array, the last axis fastest, is needed")
    });
    let (header, start) = parsed?;
    Ok(Array { bytes: bytes[start..].to_vec(), header: Some(header) })
}

/// The most bytes of what is no file, which may have no end.
const MAX_STREAM: u64 = 1 << 30;

fn contents(path: &Path) -> io::Result<Vec<u8>> {
    if fs::metadata(path)?.is_file() {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MAX_STREAM + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX_STREAM {
        true => Err(io::Error::other(format!("{MAX_STREAM} bytes at most are read of what is no file"))),
        false => Ok(bytes),
    }
}

/// What `--offsets` prints.
#[derive(Serialize, Deserialize)]
pub struct Offsets {
    pub storage: i64,
    pub offsets: Vec<i64>,
}

impl fmt::Display for Offsets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.offsets)
    }
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// Type and shape, and where the elements begin.
fn parse(bytes: &[u8]) -> Option<((String, Vec<i64>), usize)> {
    let (length, start) = match bytes.get(6)? {
        1 => (u16::from_le_bytes([*bytes.get(8)?, *bytes.get(9)?]) as usize, 10),
        _ => (u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?) as usize, 12),
    };
    let header = std::str::from_utf8(bytes.get(start..start + length)?).ok()?;
    let behind = |key: &str| header.split_once(key).map(|(_, rest)| rest.trim_start());
    let kind = behind("'descr':")?.strip_prefix('\'')?.split('\'').next()?;
    let shape = behind("'shape':")?.strip_prefix('(')?.split(')').next()?;
    if !behind("'fortran_order':")?.starts_with("False") || kind.starts_with('>') {
        return None;
    }
    let extents = shape.split(',').map(str::trim).filter(|extent| !extent.is_empty());
    Some((
        (kind.to_owned(), extents.map(|extent| extent.parse().ok()).collect::<Option<_>>()?),
        start + length,
    ))
}

/// What is written to a path: bytes, and the type and shape of their container.
pub type Written = (PathBuf, Vec<u8>, (String, Vec<i64>));

/// Writes files, all or none: as `.npy` if a name ends so, a tensor of `FILE.safetensors:TENSOR` among those that the file has.
pub fn write(all: &[Written]) -> Result<(), Refusal> {
    let (mut tensors, mut files) = (BTreeMap::new(), Vec::new());
    for (path, bytes, container) in all {
        match safetensors::tensor(path) {
            Some((_, "")) => {
                return Err(refusal(path, format!("a tensor is needed: {}:TENSOR", path.display())));
            }
            Some((file, tensor)) => {
                let own: &mut Vec<safetensors::Written> = tensors.entry(file).or_default();
                own.push((tensor, bytes, container));
            }
            None if path.extension().is_some_and(|extension| extension == "npy") => {
                files.push((path.clone(), [header(container), bytes.clone()].concat()));
            }
            None => files.push((path.clone(), bytes.clone())),
        }
    }
    for (path, tensors) in tensors {
        let bytes = safetensors::file(&path, &tensors).map_err(|reason| refusal(&path, reason))?;
        files.push((path, bytes));
    }
    let failed = |path| move |error: io::Error| refusal(path, format!("cannot be written: {error}"));
    if let [(path, bytes)] = &files[..] {
        return replace(path, bytes).map_err(failed(path));
    }
    // All are complete under other names before the first gets its own.
    let all = files.iter().map(|(path, bytes)| beside(path, bytes).map_err(failed(path)));
    let all = all.collect::<Result<Vec<_>, _>>()?;
    all.into_iter().zip(&files).try_for_each(|(own, (path, _))| own.replace().map_err(failed(path)))
}

/// Of several, nothing but a file can be replaced.
fn beside(path: &Path, bytes: &[u8]) -> io::Result<Beside> {
    match fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        true => Err(io::Error::other("there is something that is no file")),
        false => Beside::new(path, bytes),
    }
}

/// What stands before the bytes in a `.npy` file.
fn header((dtype, shape): &(String, Vec<i64>)) -> Vec<u8> {
    let (kind, bits) = type_of(dtype);
    let kind = kind.get(..1).unwrap_or("u");
    let order = if bits == 8 { '|' } else { '<' };
    let extents: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    let mut header = format!(
        "{{'descr': '{order}{kind}{}', 'fortran_order': False, 'shape': ({}), }}",
        bits / 8,
        extents.trim_end()
    );
    header += &" ".repeat((header.len() + 11).wrapping_neg() % 64);
    header.push('\n');
    [MAGIC, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat()
}

/// The integers of a list, `f=(0,4,1,5)`, `[0, 4, 1, 5]` or `0,4,1,5`; none of another text.
pub fn listed(text: &str) -> Option<Result<Vec<i64>, Refusal>> {
    let text = text.trim();
    let list = text.strip_prefix("f=").or_else(|| {
        let is_part = |sign: char| sign.is_ascii_digit() || sign.is_whitespace() || "-,()[]".contains(sign);
        (!text.is_empty() && text.chars().all(is_part)).then_some(text)
    })?;
    let offset = |number: &str| {
        let number = number.trim().trim_matches(['(', ')', '[', ']']);
        number.parse().map_err(|_| Refusal::Condition("syntax", format!("`{number}` is no offset")))
    };
    Some(list.split(',').map(offset).collect())
}

/// The integers of an array: offsets, a list, those of its type, or little-endian of 32 bits.
pub fn integers(path: &Path, array: &Array) -> Result<Vec<i64>, Refusal> {
    if let Ok(Offsets { offsets, .. }) = serde_json::from_slice(&array.bytes) {
        return Ok(offsets);
    }
    let text = std::str::from_utf8(&array.bytes).ok().filter(|_| array.header.is_none());
    if let Some(offsets) = text.and_then(listed) {
        return offsets;
    }
    let kind = array.header.as_ref().map_or("<i4", |(kind, _)| kind.as_str());
    let width = array.header.as_ref().map_or(4, |_| array.width() as usize);
    let is_integer =
        kind.get(1..2).is_some_and(|kind| ["i", "u"].contains(&kind)) && [1, 2, 4, 8].contains(&width);
    if !is_integer || !array.bytes.len().is_multiple_of(width) {
        let given = array.bytes.len();
        let reason = format!("what --offsets prints or integers are needed; {given} bytes of {kind} given");
        return Err(refusal(path, reason));
    }
    let signed = kind.get(1..2) == Some("i");
    let integer = |chunk: &[u8]| {
        let negative = signed && chunk[width - 1] >= 128;
        let mut all = if negative { [255; 8] } else { [0; 8] };
        all[..width].copy_from_slice(chunk);
        let integer = i64::from_le_bytes(all);
        let beyond =
            || refusal(path, format!("{} is no offset: it is beyond 64 bits with a sign", integer as u64));
        if integer < 0 && !signed { Err(beyond()) } else { Ok(integer) }
    };
    array.bytes.chunks(width).map(integer).collect()
}

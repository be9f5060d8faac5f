//! Tensors of safetensors files, each written as `FILE.safetensors:TENSOR`.
//!
//! A file is the length of a header, the header in JSON, and the bytes of the tensors.

use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The longest header, that of the library.
const MAX_HEADER: u64 = 100_000_000;

/// The most names that a refusal lists.
const LISTED: usize = 8;

/// The file and the name of the tensor, if a path is one of a tensor.
pub fn tensor(path: &Path) -> Option<(PathBuf, &str)> {
    const END: &str = ".safetensors";
    let text = path.to_str()?;
    let (stem, name) = text.split_once(".safetensors:").or_else(|| Some((text.strip_suffix(END)?, "")))?;
    Some((PathBuf::from(format!("{stem}{END}")), name))
}

/// A tensor of a file.
#[derive(PartialEq, Debug)]
pub struct Tensor {
    pub bytes: Vec<u8>,
    /// As NumPy writes it.
    pub dtype: String,
    pub shape: Vec<i64>,
}

const METADATA: &str = "__metadata__";

fn unreadable(error: io::Error) -> String {
    format!("cannot be read: {error}")
}

fn invalid() -> String {
    "its header is not that of a safetensors file".to_owned()
}

/// A file, where its tensors begin, and what its header has.
fn opened(path: &Path) -> Result<(File, u64, Map<String, Value>), String> {
    let mut file = File::open(path).map_err(unreadable)?;
    let mut length = [0; 8];
    file.read_exact(&mut length).map_err(|_| invalid())?;
    let length = u64::from_le_bytes(length);
    let mut text = Vec::new();
    if length <= MAX_HEADER {
        (&file).take(length).read_to_end(&mut text).map_err(unreadable)?;
    }
    Ok((file, length.saturating_add(8), serde_json::from_slice(&text).map_err(|_| invalid())?))
}

/// A tensor, or why there is none.
pub fn read(path: &Path, name: &str) -> Result<Tensor, String> {
    let (file, data, header) = opened(path)?;
    if let Some(entry) = header.get(name).filter(|_| name != METADATA) {
        return described(&file, data, name, entry);
    }
    let mut names: Vec<&str> = header.keys().map(String::as_str).collect();
    names.retain(|name| *name != METADATA);
    names.truncate(LISTED);
    let (file, names) = (path.display(), names.join(", "));
    Err(match names.is_empty() {
        true => format!("there is no tensor `{name}`, nor another one"),
        false => format!("there is no tensor `{name}`: write {file}:TENSOR for one of {names}, ..."),
    })
}

/// The tensor that an entry of the header describes.
fn described(mut file: &File, data: u64, name: &str, entry: &Value) -> Result<Tensor, String> {
    let parsed = || {
        let numbers = |key: &str| -> Option<Vec<i64>> {
            entry.get(key)?.as_array()?.iter().map(Value::as_i64).collect()
        };
        let (shape, range) = (numbers("shape")?, numbers("data_offsets")?);
        let [start, end] = <[i64; 2]>::try_from(range).ok()?.map(|at| u64::try_from(at).ok());
        Some((entry.get("dtype")?.as_str()?, shape, data.checked_add(start?)?, end?.checked_sub(start?)?))
    };
    let (dtype, shape, start, count) = parsed().ok_or_else(invalid)?;
    file.seek(SeekFrom::Start(start)).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 != count {
        return Err(format!("`{name}` has {count} bytes, and {} of them are there", bytes.len()));
    }
    Ok(Tensor { bytes, dtype: numpy(dtype), shape })
}

/// A type as NumPy writes it: `<i4` of `I32`.
fn numpy(dtype: &str) -> String {
    let digits = dtype.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let bits: String = digits.chars().take_while(char::is_ascii_digit).collect();
    let kind = dtype.chars().next().unwrap_or('V').to_ascii_lowercase();
    format!("<{kind}{}", bits.parse::<u32>().unwrap_or(8) / 8)
}

/// A tensor that is written: its name, its bytes, and the type and shape of its container.
pub type Written<'a> = (&'a str, &'a [u8], &'a (String, Vec<i64>));

/// The bytes of a file with these tensors, and with all others that it has before.
pub fn file(path: &Path, tensors: &[Written]) -> Result<Vec<u8>, String> {
    let (mut entries, mut data) = (Map::new(), Vec::new());
    if path.exists() {
        let (before, start, header) = opened(path)?;
        entries = header;
        let is_kept = |name: &str| name != METADATA && tensors.iter().all(|(own, ..)| *own != name);
        for (name, entry) in entries.iter_mut().filter(|(name, _)| is_kept(name)) {
            let bytes = described(&before, start, name, entry)?.bytes;
            entry["data_offsets"] = json!([data.len(), data.len() + bytes.len()]);
            data.extend(bytes);
        }
    }
    for (name, bytes, (dtype, shape)) in tensors {
        let at = dtype.find(|letter: char| letter.is_ascii_digit()).unwrap_or(dtype.len());
        let kind = dtype.chars().next().unwrap_or('u').to_ascii_uppercase();
        let range = [data.len(), data.len() + bytes.len()];
        let entry =
            json!({"dtype": format!("{kind}{}", &dtype[at..]), "shape": shape, "data_offsets": range});
        entries.insert((*name).to_owned(), entry);
        data.extend_from_slice(bytes);
    }
    let mut header = Value::Object(entries).to_string();
    // The tensors begin at a multiple of 8 bytes.
    header.push_str(&" ".repeat(header.len().wrapping_neg() % 8));
    Ok([&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read of a file with these bytes.
    fn reading(case: &str, bytes: &[u8], tensor: &str) -> Result<Tensor, String> {
        let path = std::env::temp_dir().join(format!("tilework-{}-{case}.safetensors", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        let read = read(&path, tensor);
        std::fs::remove_file(&path).unwrap();
        read
    }

    #[test]
    fn a_tensor_that_is_written_is_read() {
        let container = ("int32".to_owned(), vec![2, 1]);
        let written =
            file(Path::new("none.safetensors"), &[("q.weight", &[1, 2, 3, 4, 5, 6, 7, 8], &container)])
                .unwrap();
        assert_eq!(written.len() % 8, 0);
        let (dtype, shape) = ("<i4".to_owned(), vec![2, 1]);
        let tensor = Tensor { bytes: vec![1, 2, 3, 4, 5, 6, 7, 8], dtype, shape };
        assert_eq!(reading("written", &written, "q.weight"), Ok(tensor));
        let error = reading("other", &written, "k.weight").err().unwrap();
        assert!(error.ends_with("TENSOR for one of q.weight, ..."), "{error}");
    }

    /// Another type than ours, and what is said of all of them.
    #[test]
    fn the_other_tensors_of_a_file_stay() {
        let header = r#"{"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]},
            "b":{"dtype":"U8","shape":[3],"data_offsets":[2,5]}}"#;
        let before =
            [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[10, 11, 12, 13, 14]].concat();
        let path = std::env::temp_dir().join(format!("tilework-{}-stay.safetensors", std::process::id()));
        let container = ("uint8".to_owned(), vec![4]);
        for (name, names) in [("b", "a b"), ("c", "a b c")] {
            std::fs::write(&path, &before).unwrap();
            let after = file(&path, &[(name, &[1, 2, 3, 4], &container)]).unwrap();
            std::fs::write(&path, &after).unwrap();
            let (.., entries) = opened(&path).unwrap();
            let own: Vec<&str> =
                entries.keys().map(String::as_str).filter(|name| *name != METADATA).collect();
            assert_eq!((own.join(" "), &entries[METADATA]["format"]), (names.to_owned(), &json!("pt")));
            assert_eq!(
                (read(&path, "a").unwrap().bytes, entries["a"]["dtype"].as_str()),
                (vec![10, 11], Some("BF16"))
            );
            assert_eq!(read(&path, name).unwrap().bytes, [1, 2, 3, 4]);
            assert_eq!(read(&path, "b").unwrap().bytes.len(), if name == "b" { 4 } else { 3 });
        }
        std::fs::write(&path, "no tensors").unwrap();
        assert_eq!(file(&path, &[("b", &[1], &container)]), Err(invalid()));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn of_several_tensors_one_is_read() {
        let header = r#"{"__metadata__":{"format":"pt"},"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},
            "b":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[2,5]},"c":{"dtype":"U8","shape":[9],"data_offsets":[2,11]},
            "d":{"dtype":"U8","shape":[1],"data_offsets":[3,2]},"e":{"dtype":"U8","shape":[1],"data_offsets":[-1,2]},"f":7}"#;
        let file =
            [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[10, 11, 12, 13, 14]].concat();
        let b = Tensor { bytes: vec![12, 13, 14], dtype: "<f1".to_owned(), shape: vec![3] };
        assert_eq!(reading("several", &file, "b"), Ok(b));
        let error = reading("cut", &file, "c").err().unwrap();
        assert!(error.ends_with("`c` has 9 bytes, and 3 of them are there"), "{error}");
        for tensor in ["d", "e", "f"] {
            let error = reading(tensor, &file, tensor).err().unwrap();
            assert!(error.ends_with("is not that of a safetensors file"), "{error}");
        }
        assert!(reading("metadata", &file, "__metadata__").is_err());
    }

    #[test]
    fn what_is_no_safetensors_file_is_refused() {
        let header = b"\x02\0\0\0\0\0\0\0[]";
        for (case, bytes) in
            [("empty", &b""[..]), ("short", b"\x01\0"), ("list", header), ("long", &[0xff; 64])]
        {
            let error = reading(case, bytes, "a").err().unwrap();
            assert!(error.ends_with("is not that of a safetensors file"), "{error}");
        }
    }
}

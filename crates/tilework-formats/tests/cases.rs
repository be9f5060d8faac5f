//! The formats at one size each, against the offsets in `corpus/formats/formats.jsonl`: listed, or the SHA-256 of them as
//! 32-bit little-endian integers, row-major, 0xffffffff for an element that is not stored.

use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;
use tilework_formats::Format;

#[test]
fn all_cases_agree() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/formats/formats.jsonl");
    let (mut checked, mut wrong) = (0, Vec::new());
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        checked += 1;
        if let Err(reason) = check(&case) {
            wrong.push(format!("{}: {reason}", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(checked, 130);
}

fn check(case: &Value) -> Result<(), String> {
    let sizes: Vec<(&str, i64)> = case["sizes"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, size)| (name.as_str(), size.as_i64().unwrap()))
        .collect();
    let format = Format::named(case["name"].as_str().unwrap()).map_err(|error| error.to_string())?;
    let packed = format.at(&sizes).map_err(|error| error.to_string())?;
    let offsets = packed.offsets().map_err(|error| error.to_string())?;
    let same = |what: &str, got: Value, want: &Value| match got == *want {
        true => Ok(()),
        false => Err(format!("{what} is {got}, not {want}")),
    };
    same("name", format.name().into(), &case["name"])?;
    same("bits", format.element_bits().into(), &case["element_bits"])?;
    same("shape", packed.shape().into(), &case["shape"])?;
    same("storage", packed.storage().into(), &case["storage"])?;
    if let Value::Array(_) = case["offsets"] {
        return same("offsets", offsets.into(), &case["offsets"]);
    }
    let bytes: Vec<u8> = offsets.iter().flat_map(|offset| (*offset as u32).to_le_bytes()).collect();
    let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let first: Vec<i64> = offsets.into_iter().take(16).collect();
    same("the first offsets", first.into(), &case["first"])?;
    same("hash", hash.into(), &case["sha256"])
}

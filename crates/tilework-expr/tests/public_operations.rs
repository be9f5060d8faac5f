//! Every public operation of the core can be called in the language, or is listed here with what does the same.

use std::collections::BTreeSet;
use std::path::Path;
use tilework_expr::find;

/// The types whose operations are functions of the language.
const TYPES: [&str; 7] =
    ["Layout", "Composed", "AnyLayout", "Swizzle", "BitMatrix", "HTuple<T>", "HTuple<i64>"];

/// Operations under another name, or without one.
const ELSEWHERE: &[(&str, &[&str])] = &[
    (
        "written: L(c), (A, B), S:D, Sw<B,M,S>, {e} o L, Sw o L",
        &[
            "at",
            "try_at",
            "apply",
            "concatenate",
            "tuple",
            "leaf",
            "empty",
            "new",
            "of",
            "with_layout",
            "with_sums_of",
        ],
    ),
    ("written: emit L as c", &["index_expression", "index_function"]),
    (
        "text, and conversions between types of Rust",
        &[
            "parse",
            "to_text",
            "as_layout",
            "as_tiler",
            "as_tuple",
            "into_htuple",
            "from",
            "to_any",
            "to_value",
            "from_str",
            "fmt",
            "eq",
            "hash",
        ],
    ),
    (
        "parts of a value: get, shape, stride, and what is printed",
        &[
            "mode",
            "leaves",
            "profile",
            "codomain",
            "layout",
            "offset",
            "swizzle",
            "bits",
            "base",
            "shift",
            "is_leaf",
            "with_profile",
            "wrap",
            "coordinates",
        ],
    ),
    (
        "`Export`: the forms of `tilework eval --as` and of Python's `to`",
        &["to_cpp", "to_cpp_type", "to_dsl", "to_mlir", "to_mdspan", "to_numpy"],
    ),
    ("min and max", &["min_offset", "max_offset", "bounds"]),
    ("is_disjoint", &["is_disjoint_from"]),
    (
        "coalesce, complement and composition with two arguments",
        &["coalesce_by_mode", "complement_within", "composition_by_mode"],
    ),
    (
        "crd2crd, in_bounds, compatible, append<N>(L)",
        &["convert", "is_in_bounds", "is_admissible", "refines", "pad_to_rank"],
    ),
    ("pycute's own form of filter", &["filter_by_mode"]),
    (
        "composition and inverse of the layouts that matrices are; linear_form and bit_matrix give their entries",
        &["apply", "columns", "rows", "multiply", "to_bit_matrix", "to_integer_layout"],
    ),
    (
        "masks and composition of swizzles alone: to_xor gives the columns",
        &["source_mask", "target_mask", "compose"],
    ),
];

#[test]
fn every_public_operation_is_a_function() {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/public-api/tilework.txt");
    let list = std::fs::read_to_string(list).unwrap();
    let mut missing = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for line in list.lines() {
        let Some((_, path)) = line.split_once("fn tilework::") else { continue };
        let path = path.split_once('(').map_or(path, |(path, _)| path);
        let Some((owner, name)) = path.rsplit_once("::") else { continue };
        let name = name.split('<').next().unwrap();
        if !TYPES.contains(&owner) {
            continue;
        }
        let name = name.strip_prefix("const_").unwrap_or(name);
        seen.insert(name);
        if find(name).is_none() && !ELSEWHERE.iter().any(|(_, names)| names.contains(&name)) {
            missing.insert(format!("{owner}::{name}"));
        }
    }
    assert!(seen.len() > 100, "{} operations", seen.len());
    assert!(missing.is_empty(), "no row in the table, and not listed here: {missing:?}");
}

/// Of the public types with fields or variants, those to which no later version can add are in the table of docs/decisions.md.
#[test]
fn types_that_cannot_grow_are_decided() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let (mut open, mut growing) = (BTreeSet::new(), BTreeSet::new());
    for list in std::fs::read_dir(docs.join("public-api")).unwrap() {
        for line in std::fs::read_to_string(list.unwrap().path()).unwrap().lines() {
            if let Some(path) = line.strip_prefix("#[non_exhaustive] pub ") {
                growing.extend(path.split(' ').nth(1).map(bare));
            } else if let Some(path) = line.strip_prefix("pub enum ") {
                open.insert(bare(path));
            } else if let Some((path, _)) =
                line.strip_prefix("pub struct ").and_then(|item| item.split_once("(pub "))
            {
                open.insert(bare(path));
            } else if let Some((path, _)) = line
                .strip_prefix("pub ")
                .and_then(|item| item.split_once(": "))
                .filter(|(path, _)| !path.contains([' ', '(']))
            {
                open.extend(path.rsplit_once("::").map(|(owner, _)| bare(owner)));
            }
        }
    }
    // The fields of a variant grow with their enum.
    let of_variant = |path: &String| {
        let owner = path.rsplit_once("::").map_or("", |(owner, _)| owner);
        open.contains(owner) || growing.contains(owner)
    };
    let open: BTreeSet<&str> = open
        .iter()
        .filter(|path| !growing.contains(*path) && !of_variant(path))
        .filter_map(|path| path.rsplit("::").next())
        .collect();
    let decisions = std::fs::read_to_string(docs.join("decisions.md")).unwrap();
    let section =
        decisions.split("\n## ").find(|section| section.starts_with("What a later version may add")).unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let decided: BTreeSet<&str> = rows
        .flat_map(|row| row.split(" | ").next().unwrap().split('`').skip(1).step_by(2))
        .map(|name| name.rsplit("::").next().unwrap())
        .collect();
    assert_eq!(open, decided);
}

/// A path without the parameters of its type.
fn bare(path: &str) -> String {
    path.split(['<', '(']).next().unwrap().to_owned()
}

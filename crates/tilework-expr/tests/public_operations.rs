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
    ("shape_div with `ceil` or `floor`", &["shape_div_rounded"]),
    (
        "coalesce, complement and composition with two arguments",
        &["by_mode", "coalesce_by_mode", "complement_within", "composition_by_mode", "filter_by_mode"],
    ),
    (
        "crd2crd, in_bounds, compatible, append<N>(L)",
        &["convert", "is_in_bounds", "is_admissible", "refines", "pad_to_rank"],
    ),
    (
        "composition and inverse of the layouts that matrices are; linear_form and bit_matrix give their entries",
        &["apply", "columns", "rows", "multiply", "to_bit_matrix", "to_integer_layout"],
    ),
    (
        "masks and composition of swizzles alone: to_xor gives the columns",
        &["source_mask", "target_mask", "compose"],
    ),
];

/// A public function of a type: its owner, its name, whether it is `const`, and whether it takes a tuple of Rust values.
struct Operation {
    owner: String,
    name: String,
    is_const: bool,
    takes_a_tuple: bool,
}

/// The public functions of the core's types, read off its sources.
fn operations() -> Vec<Operation> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../tilework/src")];
    let mut operations = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let file = syn::parse_file(&std::fs::read_to_string(&path).unwrap()).unwrap();
                operations.extend(file.items.iter().flat_map(of_item));
            }
        }
    }
    operations
}

fn of_item(item: &syn::Item) -> Vec<Operation> {
    let syn::Item::Impl(block) = item else { return Vec::new() };
    let is_hidden =
        |function: &syn::ImplItemFn| function.attrs.iter().any(|item| words(item) == "#[doc(hidden)]");
    let functions = block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(function) if matches!(function.vis, syn::Visibility::Public(_)) => {
            (!is_hidden(function)).then_some(function)
        }
        _ => None,
    });
    functions
        .map(|function| Operation {
            owner: words(&block.self_ty),
            name: function.sig.ident.to_string(),
            is_const: function.sig.constness.is_some(),
            takes_a_tuple: words(&function.sig).contains("IntoHTuple"),
        })
        .collect()
}

/// The source text of an item, without spaces.
fn words(item: &impl quote::ToTokens) -> String {
    item.to_token_stream().to_string().replace(' ', "")
}

#[test]
fn every_public_operation_is_a_function() {
    let operations: Vec<_> =
        operations().into_iter().filter(|operation| TYPES.contains(&&*operation.owner)).collect();
    assert!(operations.len() > 150, "{} operations", operations.len());
    let missing: BTreeSet<_> = operations
        .iter()
        .filter(|operation| {
            let name = operation.name.strip_prefix("const_").unwrap_or(&operation.name);
            find(name).is_none() && !ELSEWHERE.iter().any(|(_, names)| names.contains(&name))
        })
        .map(|operation| format!("{}::{}", operation.owner, operation.name))
        .collect();
    assert!(missing.is_empty(), "no row in the table, and not listed here: {missing:?}");
}

/// An operation that is not `const` takes a tuple of Rust values, and has a twin that takes one value.
#[test]
fn every_operation_is_a_constant() {
    let operations: Vec<_> =
        operations().into_iter().filter(|operation| operation.owner == "Layout").collect();
    let has_a_twin =
        |name: &str| operations.iter().any(|other| other.is_const && other.name == format!("const_{name}"));
    let others: Vec<_> = operations
        .iter()
        .filter(|operation| !operation.is_const)
        .filter(|operation| {
            !operation.takes_a_tuple || operation.name != "of" && !has_a_twin(&operation.name)
        })
        .map(|operation| &operation.name)
        .collect();
    assert!(operations.len() > 60, "{} operations", operations.len());
    assert_eq!(others, ["by_mode"], "but one, which takes a function");
}

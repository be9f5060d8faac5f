//! `tilework-python/src/algebra.rs` is written from the table of functions; `TABLE=overwrite` writes it anew.

use std::fmt::Write;
use std::path::Path;
use tilework_expr::{FUNCTIONS, Function, Indices, Session, Value};

const HEAD: &str = "\
//! Every function of the table, and the methods of the same names.
//!
//! Written from [`tilework_expr::FUNCTIONS`] by `TABLE=overwrite cargo test -p tilework-expr --test main python`.

#![allow(non_snake_case)] // partition_A and its like are CuTe's names.

use crate::classes::AnyLayout;
use crate::operation::{
    Argument, call, call_on, call_with, named, operation, operations, part, path_value, row,
};
use crate::prelude::*;
use crate::tuple;

operations! {
";

const WRITE: &str = "TABLE=overwrite cargo test -p tilework-expr --test main python";

#[test]
fn the_functions_of_python_are_those_of_the_table() {
    let mut text = HEAD.to_string();
    for function in FUNCTIONS {
        write_row(&mut text, function);
    }
    text.push_str("}\n");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tilework-python/src/algebra.rs");
    if std::env::var("TABLE").is_ok_and(|value| value == "overwrite") {
        std::fs::write(&file, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&file).unwrap();
    for (number, pair) in stored.lines().zip(text.lines()).enumerate() {
        assert_eq!(pair.0, pair.1, "line {} of algebra.rs is stale: {WRITE}", number + 1);
    }
    assert_eq!(stored.lines().count(), text.lines().count(), "the lines of algebra.rs are stale: {WRITE}");
}

fn write_row(text: &mut String, function: &Function) {
    let name = function.name();
    let call = format!("{name}(");
    let forms: Vec<String> = function
        .forms()
        .iter()
        .filter(|form| form.starts_with(&call))
        .map(|form| format!("`{form}`"))
        .collect();
    let forms = if forms.is_empty() { format!("`{name}`") } else { forms.join(" or ") };
    writeln!(text, "    /// {forms}: {}.\n    ///", function.summary()).unwrap();
    writeln!(text, "    /// Definition: {}.", function.definition()).unwrap();
    for (language, name) in ["C++ CuTe", "CuTe DSL", "pycute"].iter().zip(function.cute()) {
        if !name.is_empty() {
            writeln!(text, "    /// {language}: `{name}`.").unwrap();
        }
    }
    if !function.errors().is_empty() {
        writeln!(text, "    /// Refuses: {}.", function.errors()).unwrap();
    }
    writeln!(text, "    ///").unwrap();
    writeln!(text, "    /// >>> from tilework import {name}").unwrap();
    for (expression, result) in function.examples() {
        writeln!(text, "    /// >>> {}\n    /// {}", python_call(function, expression), python(result, true))
            .unwrap();
    }
    writeln!(text, "    {};", declaration(function)).unwrap();
}

/// How `operations!` has it: `method complement(layout; within)`. What a layout alone answers with numbers or a truth is an attribute.
fn declaration(function: &Function) -> String {
    let (name, (signature, result)) = (function.name(), function.signature().split_once(" -> ").unwrap());
    let first = signature.split(", ").next().unwrap();
    let parameters = signature.replace('*', "");
    let is_method = ["layout", "left", "first"].contains(&first);
    let mut session = Session::new();
    let answer = session.evaluate(function.examples()[0].1).unwrap();
    let is_attribute =
        signature == "layout" && result != "Self" && matches!(answer, Value::Tuple(_) | Value::Bool(_));
    let (kind, parameters) = match (signature.split_once('*'), function.indices()) {
        // What it reorders may be an array, which no function of the table takes.
        (Some((_, "*sizes")), _) => ("sizes", String::from("pattern, value by crate::einfold::einfold")),
        (Some((_, ", rank=None")), _) => ("method", String::from("layout; mode; * rank")),
        (Some(_), Indices::Path) => ("part", first.to_string()),
        (Some(_), Indices::None) => ("layouts", parameters),
        (Some(_), _) => ("indices", parameters),
        (None, _) => {
            let optional = parameters.replace(", ", ",").replace("=None", "");
            let required = signature.split(", ").take_while(|name| !name.contains('=')).count();
            let names: Vec<&str> = optional.split(',').collect();
            let mut joined = names[..required].join(", ");
            names[required..].iter().for_each(|name| write!(joined, "; {name}").unwrap());
            let kind = match (is_attribute, is_method) {
                _ if first == "formula" => "text",
                (true, _) => "attribute",
                (false, true) => "method",
                (false, false) => "function",
            };
            (kind, joined)
        }
    };
    format!("{kind} {name}({parameters})")
}

/// A call of the language as one of Python.
fn python_call(function: &Function, expression: &str) -> String {
    let (head, rest) = expression.split_once('(').unwrap();
    let (arguments, field) = rest.rsplit_once(')').expect("an example is a call");
    if function.signature().starts_with("formula") {
        return format!("{}(\"{arguments}\")", function.name());
    }
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    let mut quoted = false;
    for (at, byte) in arguments.bytes().chain([b',']).enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'<' => depth += 1,
            b')' | b'>' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(python(arguments[start..at].trim(), false));
                start = at + 1;
            }
            _ => {}
        }
    }
    // Indices are in brackets.
    let indices = head.split_once('<').map(|(_, indices)| indices.trim_end_matches('>').replace(',', ", "));
    let indices = indices.map_or_else(String::new, |indices| format!("[{indices}]"));
    format!("{}{indices}({}){field}", function.name(), parts.join(", "))
}

/// A value as Python writes it, or a size by its name: numbers and tuples of them, and else the notation; of a result with its class.
fn python(text: &str, result: bool) -> String {
    let is_pattern = text.starts_with('"');
    if is_pattern || text.split_once('=').is_some_and(|(_, size)| size.parse::<i64>().is_ok()) {
        return text.into();
    }
    let mut session = Session::new();
    let value = session.evaluate(text).unwrap().untyped();
    let class = match value {
        // Strides of other units are text.
        Value::Tuple(tuple) if value.as_pattern().is_some() => {
            let commas =
                if tuple.rank() == 1 && !tuple.is_leaf() { text.replace(')', ",)") } else { text.into() };
            return commas.replace(',', ", ").replace(", )", ",)").replace('_', "None");
        }
        Value::Bool(truth) => return if *truth { "True".into() } else { "False".into() },
        Value::Chain(layouts) => {
            let layouts: Vec<String> = layouts.iter().map(|layout| format!("Layout('{layout}')")).collect();
            return format!("({})", layouts.join(", "));
        }
        Value::View(_) => "View",
        Value::Tiler(_) => "Tiler",
        Value::Composed(_) => "ComposedLayout",
        Value::Instruction(_) => "parse",
        _ => "Layout",
    };
    if result { format!("{class}('{text}')") } else { format!("'{text}'") }
}

//! The programs of `programs/` by their names, run with small numbers, and with one change.

use std::path::Path;
use testkit::coordinates;
use tilework_program::{Buffers, Error, Program, Sizes, Space};

/// Some sizes by their names.
pub type Given<'a> = &'a [(&'a str, i64)];

pub fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name).with_extension("tw");
    std::fs::read_to_string(path).unwrap()
}

pub fn program(name: &str) -> Program {
    text(name).parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A small integer that depends on every coordinate.
pub fn input(at: &[i64]) -> f64 {
    let mixed = at.iter().fold(7i64, |sum, index| sum * 31 + index * index + index);
    (mixed % 17 - 8) as f64
}

/// The buffers of a program that ran at sizes, with all tensors but the results filled.
pub fn ran(program: &Program, given: Given<'_>) -> Result<(Sizes, Buffers), Error> {
    let sizes = program.sizes(given)?;
    let mut buffers = Buffers::new(program, &sizes)?;
    for tensor in program.tensors() {
        if tensor.space == Space::Read {
            buffers.fill(&tensor.name, input)?;
        }
    }
    program.run(&sizes, &mut buffers)?;
    Ok((sizes, buffers))
}

pub fn assert_equal(buffers: &Buffers, name: &str, expected: impl Fn(&[i64]) -> f64) {
    let extents = buffers.extents(name).unwrap().to_vec();
    for at in coordinates(&extents) {
        assert_eq!(buffers.at(name, &at), Some(expected(&at)), "{name}{at:?}");
    }
}

/// A program's text with one change.
pub fn changed(name: &str, from: &str, to: &str) -> Program {
    let text = text(name);
    assert!(text.contains(from), "{name} has no {from}");
    text.replacen(from, to, 1).parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

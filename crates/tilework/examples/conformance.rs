//! Answers the cases of `conformance/` by the library: a question a line, `composition(4:2, 8:1)`, and its answer or `refused`.
//!
//! `echo 'coalesce((2,4):(1,2))' | cargo run -p tilework --example conformance`

use std::io::stdin;
use tilework::{Composed, Coord, Error, Layout, Shape, Tiler};

fn main() {
    for line in stdin().lines() {
        let line = line.expect("a line of text");
        let (name, rest) = line.split_once('(').expect("a call");
        let arguments = apart(rest.strip_suffix(')').expect("a call"));
        println!("{}", answer(name, &arguments).unwrap_or_else(|_| "refused".to_owned()));
    }
}

fn answer(name: &str, arguments: &[&str]) -> Result<String, Error> {
    let shape = |i: usize| Shape::parse(arguments[i]);
    let number = |i: usize| arguments[i].parse().expect("a number");
    match name {
        "crd2idx" => return Ok(shape(1)?.crd2idx(&Coord::parse(arguments[0])?)?.to_string()),
        "idx2crd" => return Ok(shape(1)?.idx2crd(&Coord::parse(arguments[0])?)?.to_string()),
        "congruent" => return Ok(shape(0)?.congruent(&shape(1)?).to_string()),
        "weakly_congruent" => return Ok(shape(0)?.weakly_congruent(&shape(1)?).to_string()),
        "compatible" => return Ok(shape(0)?.compatible(&shape(1)?).to_string()),
        _ => {}
    }
    if arguments[0].starts_with("Sw") {
        let swizzled = Composed::parse(arguments[0])?;
        return Ok(match name {
            "evaluate" => swizzled.try_at(Coord::parse(arguments[1])?)?.to_string(),
            "composition" => swizzled.composition(&Layout::parse(arguments[1])?)?.to_string(),
            _ => "-".to_owned(),
        });
    }
    let a = Layout::parse(arguments[0]).or_else(|_| Layout::column_major(shape(0)?))?;
    let other = |i: usize| Layout::parse(arguments[i]);
    let tiler = || Tiler::parse(arguments[1]);
    Ok(match name {
        "evaluate" => return Ok(a.evaluate(Coord::parse(arguments[1])?)?.to_string()),
        "size" => return Ok(a.size().to_string()),
        "cosize" => return Ok(a.cosize()?.to_string()),
        "coalesce" => a.coalesce(),
        "composition" => a.composition_by_mode(&tiler()?)?,
        "complement" => a.complement_within(number(1))?,
        "right_inverse" => a.right_inverse()?,
        "left_inverse" => a.left_inverse()?,
        "nullspace" => a.nullspace()?,
        "common_layout" => a.common_layout(&other(1)?)?,
        "logical_divide" => a.logical_divide(&tiler()?)?,
        "zipped_divide" => a.zipped_divide(&tiler()?)?,
        "tiled_divide" => a.tiled_divide(&tiler()?)?,
        "flat_divide" => a.flat_divide(&tiler()?)?,
        "logical_product" => a.logical_product(&tiler()?)?,
        "zipped_product" => a.zipped_product(&tiler()?)?,
        "tiled_product" => a.tiled_product(&tiler()?)?,
        "flat_product" => a.flat_product(&tiler()?)?,
        "blocked_product" => a.blocked_product(&other(1)?)?,
        "raked_product" => a.raked_product(&other(1)?)?,
        "upcast" => a.upcast(number(1))?,
        "downcast" => a.downcast(number(1))?,
        "recast" => a.recast(number(1), number(2))?,
        _ => return Ok("-".to_owned()),
    }
    .to_string())
}

/// The arguments, which `, ` separates: within a value there is no white space after a comma.
fn apart(arguments: &str) -> Vec<&str> {
    arguments.split(", ").collect()
}

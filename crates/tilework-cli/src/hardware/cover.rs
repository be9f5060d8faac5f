//! `cover`: whether a raster reaches each element once.

use super::{Refusal, answer, evaluated, layout, wrong_kind};
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::io;
use tilework_hardware::cover::{Coverage, cover_first};

#[derive(Args)]
pub struct CoverArguments {
    /// A layout from blocks, threads and values to coordinates, `1@0` and `1@1`, or to indices
    #[arg(value_name = "RASTER", allow_negative_numbers = true)]
    raster: String,
    /// The shape to cover
    #[arg(long, value_name = "SHAPE")]
    onto: String,
    /// How many blocks run, if fewer than the raster has
    #[arg(long, value_name = "N")]
    blocks: Option<i64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `cover`: whether every element is reached once, and nothing else.
pub fn cover(arguments: &CoverArguments) -> io::Result<bool> {
    let CoverArguments { raster, onto, blocks, json } = arguments;
    let coverage = || {
        let raster = layout(raster)?;
        let value = evaluated(onto)?;
        let onto = value.as_shape().ok_or_else(|| wrong_kind(onto, "a shape", &value))?;
        let coverage = cover_first(&raster, blocks.unwrap_or(raster.size()), &onto)?;
        Ok::<_, Refusal>((coverage.is_exact(), Answer::from(coverage)))
    };
    answer(*json, coverage())
}

#[derive(Serialize)]
struct Answer {
    missing: Option<String>,
    doubled: Option<String>,
    outside: Option<String>,
    predicates: Vec<Predicate>,
    #[serde(skip)]
    coverage: Coverage,
}

#[derive(Serialize)]
struct Predicate {
    below: bool,
    above: bool,
    size: i64,
}

impl From<Coverage> for Answer {
    fn from(coverage: Coverage) -> Answer {
        let text = |coord: &Option<tilework::Coord>| coord.map(|coord| coord.to_string());
        let of_mode = |predicate: &tilework_hardware::cover::Predicate| Predicate {
            below: predicate.below,
            above: predicate.above,
            size: predicate.size,
        };
        Answer {
            missing: text(&coverage.missing),
            doubled: text(&coverage.doubled),
            outside: text(&coverage.outside),
            predicates: coverage.predicates().iter().map(of_mode).collect(),
            coverage,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.coverage.fmt(f)
    }
}

//! `vector`: the widest copy between two layouts.

use super::{Refusal, answer, layout};
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::io;
use tilework_hardware::access::{Side, VectorWidth, vector_width};

#[derive(Args)]
pub struct VectorArguments {
    /// The layout of one side
    #[arg(allow_negative_numbers = true)]
    from: String,
    /// The layout of the other side
    #[arg(allow_negative_numbers = true)]
    to: String,
    /// The bits of an element
    #[arg(long, value_name = "N", default_value_t = 32)]
    bits: u32,
    /// The alignment of both addresses, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 16)]
    align: u32,
    /// The bits of the widest instruction
    #[arg(long, value_name = "BITS", default_value_t = 128)]
    widest: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// `vector`: whether more than one element can be copied at once.
pub fn vector(arguments: &VectorArguments) -> io::Result<bool> {
    let VectorArguments { from, to, bits, align, widest, json } = arguments;
    let width = || {
        let (from, to) = (layout(from)?, layout(to)?);
        let side = |layout| Side { layout, align: *align };
        let width = vector_width(side(&from), side(&to), *bits, *widest)?;
        Ok::<_, Refusal>((width.elements > 1, Answer::from(width)))
    };
    answer(*json, width())
}

#[derive(Serialize)]
struct Answer {
    elements: i64,
    bits: i64,
    coordinates: String,
    limit: String,
    #[serde(skip)]
    width: VectorWidth,
}

impl From<VectorWidth> for Answer {
    fn from(width: VectorWidth) -> Answer {
        let VectorWidth { elements, bits, coordinates, limit, .. } = width;
        Answer { elements, bits, coordinates: coordinates.to_string(), limit: limit.to_string(), width }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.width.fmt(f)
    }
}

//! `vector`: the widest copy between two layouts.

use super::{Refusal, answer, data, evaluated};
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::io;
use tilework_expr::width;
use tilework_hardware::access::{Side, VectorWidth, vector_width};

#[derive(Args)]
pub struct VectorArguments {
    /// The layout of one side, plain or swizzled
    #[arg(allow_negative_numbers = true)]
    from: String,
    /// The layout of the other side, plain or swizzled
    #[arg(allow_negative_numbers = true)]
    to: String,
    /// The bits of an element; a tensor has its own
    #[arg(long, value_name = "N")]
    bits: Option<u32>,
    /// The alignment of both addresses, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 16, value_parser = power_of_two)]
    align: u32,
    /// The bits of the widest instruction
    #[arg(long, value_name = "BITS", default_value_t = 128)]
    widest: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn power_of_two(text: &str) -> Result<u32, &'static str> {
    text.parse().ok().filter(|bytes: &u32| bytes.is_power_of_two()).ok_or("an alignment is a power of two")
}

/// `vector`: whether more than one element can be copied at once.
pub fn vector(arguments: &VectorArguments) -> io::Result<bool> {
    let VectorArguments { from, to, bits, align, widest, json } = arguments;
    let width = || {
        let values = [evaluated(from)?, evaluated(to)?];
        let bits = width(*bits, &values)?;
        let (from, to) = (data(from, &values[0])?, data(to, &values[1])?);
        let side = |layout| Side { layout, align: *align };
        let width = vector_width(side(&from), side(&to), bits, *widest)?;
        Ok::<_, Refusal>((width.elements > 1, Answer::from(width)))
    };
    answer(*json, width())
}

#[derive(Serialize)]
struct Answer {
    elements: i64,
    bits: i64,
    element_bits: u32,
    coordinates: String,
    limit: String,
    #[serde(skip)]
    width: VectorWidth,
}

impl From<VectorWidth> for Answer {
    fn from(width: VectorWidth) -> Answer {
        let VectorWidth { elements, bits, element_bits, coordinates, limit, .. } = width;
        let (coordinates, limit) = (coordinates.to_string(), limit.to_string());
        Answer { elements, bits, element_bits, coordinates, limit, width }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.width.fmt(f)
    }
}

//! `operand`: whether an instruction accepts a layout.

use super::{Refusal, answer, data, evaluated, plain};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::fmt;
use std::io;
use tilework::{AnyLayout, HasLayout};
use tilework_expr::width;
use tilework_hardware::operand::{Illegal, Matrix, ldmatrix, tma};

#[derive(Args)]
pub struct OperandArguments {
    /// The layout of the shared tile, plain or swizzled, of two modes: M or N, and K; for ldmatrix and tma, rows first
    #[arg(value_name = "LAYOUT")]
    tile: String,
    /// The instruction, and for matrices the operand and its major mode
    #[arg(long = "for", value_name = "wgmma.a.k|wgmma.b.mn|tcgen05.a.k|..|ldmatrix|tma", value_parser = instructions())]
    instruction: String,
    /// The bits of an element; a tensor has its own
    #[arg(long, value_name = "N")]
    bits: Option<u32>,
    /// The alignment of the tile's address, in bytes
    #[arg(long, value_name = "BYTES")]
    align: Option<u32>,
    /// For tma, the layout of the tensor in global memory
    #[arg(long, value_name = "LAYOUT", required_if_eq("instruction", "tma"))]
    global: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn instructions() -> PossibleValuesParser {
    Matrix::ALL.iter().map(|matrix| matrix.name()).chain(["ldmatrix", "tma"]).collect::<Vec<_>>().into()
}

/// `operand`: whether it is legal.
pub fn operand(arguments: &OperandArguments) -> io::Result<bool> {
    answer(arguments.json, described(arguments))
}

fn described(arguments: &OperandArguments) -> Result<(bool, Answer), Refusal> {
    let OperandArguments { tile, instruction, bits, align, global, .. } = arguments;
    let value = evaluated(tile)?;
    let tile = data(tile, &value)?;
    let tensor = match (global, instruction.as_str()) {
        (Some(global), "tma") => Some((global, evaluated(global)?)),
        _ => None,
    };
    let bits = width(*bits, [&value].into_iter().chain(tensor.as_ref().map(|(_, value)| value)))?;
    let matrix = Matrix::find(instruction);
    let legal = match (matrix, instruction.as_str()) {
        (Some(matrix), _) => matrix.operand(&tile, bits).map(|operand| Legal {
            text: operand.to_string(),
            leading: Some(operand.leading),
            stride: Some(operand.stride),
            base: operand.base(),
            descriptor: Some(operand.descriptor(0)),
            starts: operand.starts,
        }),
        (None, "tma") => {
            // Clap requires it.
            let (text, value) =
                tensor.as_ref().ok_or(Refusal::Condition("arguments", "tma takes --global".into()))?;
            let global = plain(text, value)?;
            tma(&global, &tile, bits).map(|map| Legal::plain(map.to_string(), map.base()))
        }
        _ => {
            ldmatrix(&tile, bits).map_err(Illegal::from).map(|_| Legal::plain("rows of 16 bytes".into(), 16))
        }
    };
    let legal = legal.and_then(|legal| {
        align.map_or(Ok(()), |align| Illegal::check_base(align, legal.base)).map(|()| legal)
    });
    let instruction = instruction.clone();
    Ok(match legal {
        Ok(legal) => {
            let legal = Some(legal);
            (
                true,
                Answer { instruction, legal, refused: None, code: None, nearest: None, element_bits: bits },
            )
        }
        Err(illegal) => {
            let misplaced = !matches!(illegal, Illegal::Base { .. });
            let nearest =
                misplaced.then(|| matrix.and_then(|matrix| proposal(&tile, matrix, bits))).flatten();
            let (refused, code) = (Some(illegal.to_string()), Some(illegal.code()));
            (false, Answer { instruction, legal: None, refused, code, nearest, element_bits: bits })
        }
    })
}

/// A legal layout of the same extents.
fn proposal(tile: &AnyLayout, matrix: Matrix, bits: u32) -> Option<String> {
    let extent = |mode: usize| tile.as_layout().mode(mode).ok().map(|mode| mode.size());
    Some(matrix.nearest(extent(0)?, extent(1)?, bits).ok()?.to_string())
}

#[derive(Serialize)]
struct Answer {
    instruction: String,
    legal: Option<Legal>,
    refused: Option<String>,
    code: Option<&'static str>,
    nearest: Option<String>,
    element_bits: u32,
}

#[derive(Serialize)]
struct Legal {
    text: String,
    leading: Option<u32>,
    stride: Option<u32>,
    base: u32,
    /// The descriptor's bits for the start address 0.
    descriptor: Option<u64>,
    /// The number that is added to the start address for each instruction along K, in units of 16 bytes.
    starts: Vec<u32>,
}

impl Legal {
    fn plain(text: String, base: u32) -> Legal {
        Legal { text, leading: None, stride: None, base, descriptor: None, starts: Vec::new() }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.instruction)?;
        match &self.legal {
            Some(legal) => f.write_str(&legal.text)?,
            None => write!(f, "refused: {}", self.refused.as_deref().unwrap_or_default())?,
        }
        if let Some(layout) = &self.nearest {
            write!(f, "; {layout} is legal")?;
        }
        write!(f, "; elements of {} bits", self.element_bits)
    }
}

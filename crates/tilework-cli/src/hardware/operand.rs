//! `operand`: whether an instruction accepts a layout.

use super::{Refusal, answer, data, evaluated, plain};
use clap::Args;
use std::io;
use tilework_expr::{Operand, check_operand, width};

#[derive(Args)]
pub struct OperandArguments {
    /// The layout of the shared tile, plain or swizzled, of two modes: M or N, and K; for ldmatrix and tma, rows first; for
    /// tmem, the layout of the data in tensor memory, in which a lane has 2^21 bits
    #[arg(value_name = "LAYOUT")]
    tile: String,
    /// The instruction, and for matrices the operand and its major mode
    #[arg(long = "for", value_name = "wgmma.a.k|wgmma.b.mn|tcgen05.a.k|..|ldmatrix|tma|tmem.NAME", value_parser = instruction)]
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

fn instruction(name: &str) -> Result<String, String> {
    check_operand(name).map(|()| name.to_owned()).map_err(|failure| failure.to_string())
}

/// `operand`: whether it is legal.
pub fn operand(arguments: &OperandArguments) -> io::Result<bool> {
    answer(arguments.json, described(arguments))
}

fn described(arguments: &OperandArguments) -> Result<(bool, Operand), Refusal> {
    let OperandArguments { tile, instruction, bits, align, global, .. } = arguments;
    let value = evaluated(tile)?;
    let tile = data(tile, &value)?;
    let global = global.as_deref().map(|text| Ok::<_, Refusal>((text, evaluated(text)?))).transpose()?;
    let bits = width(*bits, [&value].into_iter().chain(global.as_ref().map(|(_, value)| value)))?;
    let global = global.map(|(text, value)| plain(text, &value)).transpose()?;
    let found = Operand::of(&tile, instruction, global.as_ref(), bits, *align)?;
    Ok((found.legal.is_some(), found))
}

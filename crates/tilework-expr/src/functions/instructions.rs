//! Atoms, and atoms over tiles.

use super::call::{Answer, Call};
use crate::error::Failure;
use crate::instruction::Instruction;
use crate::value::Value;
use tilework::Tiler;
use tilework_hardware::atom::{CopyAtom, MmaAtom};
use tilework_hardware::tiled::{TiledCopy, TiledMma, layout_tv};

/// `atom(NAME)`, `atom(NAME, bits)`: the parser has replaced the name by the instruction.
pub(super) fn atom(call: &Call) -> Answer {
    let Value::Instruction(instruction) = &call.arguments[0] else {
        return Err(call.wrong(0, "the name of an instruction"));
    };
    match (**instruction, call.count()) {
        (Instruction::Mma(_), 2) => Err(call.refuse("the elements of an MMA atom are in its name")),
        (Instruction::Copy(atom, _), 2) => {
            let bits = call.integer(1)?;
            atom.elements(bits)?;
            Ok(Instruction::Copy(atom, bits).into())
        }
        (atom @ (Instruction::Mma(_) | Instruction::Copy(..)), _) => Ok(atom.into()),
        _ => Err(call.wrong(0, "the name of an instruction")),
    }
}

fn mma(call: &Call) -> Result<MmaAtom, Failure> {
    match &call.arguments[0] {
        Value::Instruction(instruction) => match **instruction {
            Instruction::Mma(atom) => Ok(atom),
            _ => Err(call.wrong(0, "an MMA atom")),
        },
        _ => Err(call.wrong(0, "an MMA atom")),
    }
}

fn copy(call: &Call) -> Result<(CopyAtom, i64), Failure> {
    match &call.arguments[0] {
        Value::Instruction(instruction) => match **instruction {
            Instruction::Copy(atom, bits) => Ok((atom, bits)),
            _ => Err(call.wrong(0, "a copy atom")),
        },
        _ => Err(call.wrong(0, "a copy atom")),
    }
}

pub(super) fn tiled_mma(call: &Call) -> Answer {
    let atom = mma(call)?;
    let permutation = match call.count() {
        3 => by_mode(call, 2)?,
        _ => Tiler::HOLE,
    };
    Ok(Instruction::TiledMma(TiledMma::new(atom, &*call.layout(1)?, &permutation)?).into())
}

/// With a tiler after the layout of threads and values, or with a layout of threads and one of values.
pub(super) fn tiled_copy(call: &Call) -> Answer {
    let (atom, bits) = copy(call)?;
    let first = call.layout(1)?;
    let (tiler, threads_values) = match call.arguments[2] {
        Value::Tiler(_) => (by_mode(call, 2)?, *first),
        _ => layout_tv(&first, &*call.layout(2)?)?,
    };
    let tiler = if tiler.is_by_mode() { tiler } else { Tiler::by_mode(&[tiler])? };
    Ok(Instruction::TiledCopy(TiledCopy::new(&atom, bits, &threads_values, &tiler)?).into())
}

/// A tiler that applies by mode.
fn by_mode(call: &Call, index: usize) -> Result<Tiler, Failure> {
    match call.tiler(index)? {
        tiler if tiler.is_by_mode() => Ok(tiler),
        _ => Err(call.wrong(index, "a tiler `<...>`, a tile for each mode,")),
    }
}

//! The picture of an instruction.

use crate::error::Failure;
use crate::instruction::Instruction;
use tilework_draw::{Options, Scene};
use tilework_hardware::atom::CopyAtom;

/// `A`, `B` and `C`, or source and destination; each place with its thread and value.
pub(super) fn scene(instruction: &Instruction, options: &Options) -> Result<Scene, Failure> {
    Ok(match instruction {
        Instruction::Mma(atom) => {
            let title = format!("{}, {}", atom.name, extents(atom.shape));
            tilework_draw::mma(&title, atom.shape, atom.shape, [&atom.a, &atom.b, &atom.c], options)?
        }
        Instruction::TiledMma(mma) | Instruction::ThreadMma(mma, _) => {
            let title = format!("{instruction}, {}, {} threads", extents(mma.tile()), mma.threads());
            let (a, b, c) = (mma.layout_a_tv()?, mma.layout_b_tv()?, mma.layout_c_tv()?);
            tilework_draw::mma(&title, mma.tile(), mma.atom().shape, [&a, &b, &c], options)?
        }
        Instruction::Copy(atom, bits) => {
            let bits = if *bits == 1 { piece(atom) } else { *bits };
            let [source, destination] = atom.elements(bits)?;
            let places = source.cosize()?.max(destination.cosize()?);
            let row = row(places, bits);
            let title = format!("{}, elements of {bits} bits", atom.name);
            tilework_draw::copy(
                &title,
                [row, (places + row - 1) / row],
                true,
                [&source, &destination],
                options,
            )?
        }
        Instruction::TiledCopy(copy) | Instruction::ThreadCopy(copy, _) => {
            let sizes = copy.extents().mode_sizes()?;
            let rows = sizes.leaves()[0];
            let (source, destination) = (copy.layout_s_tv()?, copy.layout_d_tv()?);
            let extents = [rows, sizes.size()? / rows];
            tilework_draw::copy(&instruction.to_string(), extents, false, [&source, &destination], options)?
        }
    })
}

fn extents([m, n, k]: [i64; 3]) -> String {
    format!("{m}x{n}x{k}")
}

/// The bits of the largest elements, up to 128, that neither side of a copy splits.
fn piece(atom: &CopyAtom) -> i64 {
    (0..=7).rev().map(|power| 1 << power).find(|&bits| atom.elements(bits).is_ok()).unwrap_or(1)
}

/// The number of elements in a row: 16 bytes, as in the matrices of `ldmatrix`, or so that the picture is nearly
/// square.
fn row(places: i64, bits: i64) -> i64 {
    let mut row = (128 / bits).max(1);
    while row * row * 8 < places {
        row *= 2;
    }
    row
}

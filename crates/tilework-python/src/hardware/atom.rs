//! The attributes of an instruction in the table beside its fields.

use crate::classes::{CopyAtom, Instruction, MmaAtom};
use crate::members::attributes;
use crate::prelude::*;
use crate::tuple;
use tilework_expr::{Instruction as Kind, Value};
use tilework_hardware::atom::{self as table, Element, rows};
use tilework_hardware::tiled;

/// The names of the known instructions of which the name or the instruction contains each word of the filter, in any case.
///
/// >>> from tilework import hardware
/// >>> hardware.atoms("sm80 16x8x16 f32bf16")
/// ['SM80_16x8x16_F32BF16BF16F32_TN']
/// >>> hardware.atoms("stmatrix u32x4")
/// ['SM90_U32x4_STSM_N']
#[pyfunction]
#[pyo3(signature = (filter = ""))]
pub fn atoms(filter: &str) -> Vec<String> {
    let found = rows().filter(|row| filter.split_whitespace().all(|word| row.is_about(word)));
    found.map(|row| row.name().to_string()).collect()
}

/// An argument as an instruction: an object, or a text, such as a name.
pub fn instruction(object: &Object<'_>) -> Result<Kind> {
    let value = tuple::value(object).map_err(|refusal| match &refusal {
        Refusal::Library(error) if error.0.code == "name" && !error.0.message.contains("instruction") => {
            Refusal::new("name", format!("there is no instruction {object}"))
                .help("hardware.atoms(WORDS) lists names")
        }
        _ => refusal,
    });
    match value? {
        Value::Instruction(instruction) => Ok(*instruction),
        other => Err(Refusal::expected("an instruction", other.kind())),
    }
}

/// Arguments as one kind of instruction.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $type:ty, $wanted:literal, $kind:pat => $value:expr;)*) => {$(
        $(#[$doc])*
        pub fn $name(object: &Object<'_>) -> Result<$type> {
            match instruction(object)? {
                $kind => Ok($value),
                other => Err(Refusal::expected($wanted, other.kind())),
            }
        }
    )*};
}
kinds! {
    /// An instruction that multiplies matrices.
    mma: table::MmaAtom, "an MMA atom", Kind::Mma(atom) => atom;
    /// An instruction that copies data, with the bits of an element.
    copy: (table::CopyAtom, i64), "a copy atom", Kind::Copy(atom, bits) => (atom, bits);
    tiled_mma: tiled::TiledMma, "a tiled MMA", Kind::TiledMma(mma) => mma;
    tiled_copy: tiled::TiledCopy, "a tiled copy", Kind::TiledCopy(copy) => copy;
}

attributes! {
    MmaAtom:
    /// The name.
    name: Result<String> = |_atom, _py, atom| Ok(mma(atom)?.name.to_string());
    /// The instruction, or the common part of its variants.
    instruction: Result<&'static str> = |_atom, _py, atom| Ok(mma(atom)?.instruction);
    /// The section of the manual that states which register holds which element.
    manual: Result<&'static str> = |_atom, _py, atom| Ok(mma(atom)?.section);
    /// The elements of `D`, `A`, `B` and `C`.
    elements: Result<(&'static str, &'static str, &'static str, &'static str)> =
        |_atom, _py, atom| Ok(mma(atom)?.elements.map(Element::name).into());
    /// The number of elements of `A` per stored one: 1 if it is dense.
    sparsity: Result<i64> = |_atom, _py, atom| Ok(mma(atom)?.sparsity);
}

attributes! {
    CopyAtom:
    /// The name.
    name: Result<String> = |_atom, _py, atom| Ok(copy(atom)?.0.name.to_string());
    /// The instruction, or the common part of its variants.
    instruction: Result<&'static str> = |_atom, _py, atom| Ok(copy(atom)?.0.instruction);
    /// The section of the manual that states which register holds which bits.
    manual: Result<&'static str> = |_atom, _py, atom| Ok(copy(atom)?.0.section);
}

/// Adds what the expression language has of instructions.
pub fn add(parent: &Bound<'_, PyModule>, module: &Bound<'_, PyModule>) -> PyResult<()> {
    let copies = ["make_tiled_copy_A", "make_tiled_copy_B", "make_tiled_copy_C"];
    for name in
        ["atom", "tiled_mma", "tiled_copy", "make_tiled_mma", "make_tiled_copy"].into_iter().chain(copies)
    {
        module.add(name, parent.getattr(name)?)?;
    }
    module.add("Instruction", parent.py().get_type::<Instruction>())
}

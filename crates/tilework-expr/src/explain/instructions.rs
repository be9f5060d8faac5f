//! Instructions.

use super::section::Section;
use crate::fields::FIELDS;
use crate::instruction::{Instruction, mmas_of};
use crate::value::Value;

/// The description of an instruction, and its fields.
pub(crate) fn instruction(value: &Value) -> Vec<Section> {
    let Value::Instruction(instruction) = value else { return Vec::new() };
    let (name, section) = instruction.manual();
    let rows = value.fields().iter().filter_map(|field| {
        let text = match value.field(field)? {
            Ok(value) => value.to_string(),
            Err(error) => format!("none: {error}"),
        };
        Some([format!(".{field}"), text, about(field).to_string()])
    });
    let what = Section::new("What it is")
        .line(format!("{} of {name}: {section}", instruction.kind()))
        .table(["field", "value", "is"], rows.collect());
    let Instruction::Mma(atom) = &**instruction else { return vec![what] };
    if atom.name.is_empty() {
        return vec![what];
    }
    let elements = atom.elements.map(|element| element.name()).join(", ");
    let what = what.line(format!("elements of D, A, B, C: {elements}"));
    let matrices = [atom.a, atom.b, atom.c];
    let others: Vec<String> = mmas_of(&atom.threads, atom.shape, &matrices)
        .filter(|other| other.name != atom.name)
        .map(|other| other.name.to_string())
        .collect();
    vec![match &others[..] {
        [] => what,
        [first, ..] => what.line(format!("{} others have these layouts, as {first}", others.len())),
    }]
}

/// The description of a field.
pub(crate) fn about(field: &str) -> &'static str {
    FIELDS.iter().find(|(name, _)| *name == field).map_or("", |(_, about)| about)
}

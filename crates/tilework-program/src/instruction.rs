//! Instructions of the hardware that execute a statement: atoms of `tilework_hardware`.

use crate::element::Element;
use crate::prelude::*;
use tilework::Layout;
use tilework_hardware::atom::{self, Atom, CopyAtom, MmaAtom};

/// An instruction of the hardware that executes a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Instruction {
    /// `cp.async`: a copy to shared memory that completes at a `wait`.
    AsyncCopy(Box<CopyAtom>),
    /// `ldmatrix`: a copy of matrices from shared memory to the registers of a warp.
    LoadMatrix(Box<CopyAtom>),
    /// `mma.sync` and `fma`: `to = to + a * b`, of fragments.
    Multiply(Box<MmaAtom>),
}

impl Instruction {
    /// The instruction of a name.
    pub(crate) fn of_name(name: &str) -> Result<Instruction, Error> {
        let known = match atom::find(name) {
            Some(Atom::Copy(atom)) if atom.instruction.starts_with("cp.async.c") => {
                Some(Instruction::AsyncCopy(Box::new(atom)))
            }
            Some(Atom::Copy(atom)) if atom.instruction == "ldmatrix" && name.starts_with("SM75_") => {
                Some(Instruction::LoadMatrix(Box::new(atom)))
            }
            Some(Atom::Mma(atom)) if multiplies(&atom) => Some(Instruction::Multiply(Box::new(atom))),
            _ => None,
        };
        known.ok_or_else(|| {
            error!(
                "no statement is executed by {name}; those that are: cp.async of SM80, ldmatrix of SM75, mma.sync of f16, \
                 bf16, i8 and u8, and UniversalFMA; `tilework atoms` lists their names"
            )
        })
    }

    pub(crate) fn name(&self) -> &str {
        match self {
            Instruction::AsyncCopy(atom) | Instruction::LoadMatrix(atom) => &atom.name,
            Instruction::Multiply(atom) => &atom.name,
        }
    }

    /// Whether it copies to shared memory and completes at a `wait`.
    pub(crate) fn is_async(&self) -> bool {
        matches!(self, Instruction::AsyncCopy(_))
    }

    /// The first architecture of CUDA that has it, by the number behind `sm_`; 0 where all have.
    pub(crate) fn architecture(&self) -> i64 {
        let digits = self.name().strip_prefix("SM").and_then(|own| own.split('_').next());
        digits.and_then(|own| own.parse().ok()).unwrap_or(0)
    }

    /// The threads that execute it together.
    pub(crate) fn lanes(&self) -> i64 {
        match self {
            Instruction::AsyncCopy(_) => 1,
            Instruction::LoadMatrix(atom) => atom.threads.size(),
            Instruction::Multiply(atom) => atom.threads.size(),
        }
    }
}

/// Whether an atom is one of a thread or a whole warp, and of elements that programs have.
fn multiplies(atom: &MmaAtom) -> bool {
    let is_known = ["mma.sync", "fma"].contains(&atom.instruction) && !atom.name.ends_with("_SATURATE");
    let [d, a, b, c] = atom.elements;
    is_known
        && d == c
        && [a, b, c].into_iter().all(|own| element(own).is_some())
        && [Layout::UNIT.size(), 32].contains(&atom.threads.size())
}

/// The element of a program that is one of an atom.
pub(crate) fn element(of: atom::Element) -> Option<Element> {
    match of {
        atom::Element::F32 => Some(Element::F32),
        atom::Element::F16 => Some(Element::F16),
        atom::Element::BF16 => Some(Element::Bf16),
        atom::Element::S32 => Some(Element::I32),
        atom::Element::S8 => Some(Element::I8),
        atom::Element::U8 => Some(Element::U8),
        _ => None,
    }
}

/// The bytes that one `cp.async` copies.
pub(crate) fn copied_bytes(atom: &CopyAtom) -> i64 {
    atom.src.mode(1).map_or(1, |bits| bits.size() / 8)
}

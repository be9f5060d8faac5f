//! `tilework.hardware`: the crate `tilework-hardware` with Python objects.

use crate::prelude::*;
mod access;
mod any_layout;
mod atom;
mod cover;
mod operand;
mod swizzle;
mod tiled;

/// The module, which has a private name.
#[pymodule]
mod _hardware {
    #[pymodule_export]
    use super::{
        access::{BankReport, Conflict, SectorReport, VectorWidth, banks, sectors, vector_width},
        atom::atoms,
        cover::{Coverage, Predicate, cover},
        operand::{Operand, nearest, operand},
        swizzle::{Certificate, swizzle},
        tiled::{ThreadCopy, ThreadMma, make_layout_tv},
    };
    #[pymodule_export]
    use crate::classes::{CopyAtom, MmaAtom, TiledCopy, TiledMma};
}

/// Adds the module, after the functions of the table.
pub fn add(parent: &Bound<'_, PyModule>) -> PyResult<()> {
    let module = pyo3::wrap_pymodule!(_hardware)(parent.py());
    atom::add(parent, module.bind(parent.py()))?;
    parent.setattr("_hardware", module)
}

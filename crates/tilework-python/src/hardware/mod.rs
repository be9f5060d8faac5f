//! `tilework.hardware`: the crate `tilework-hardware` with Python objects.

mod access;
mod any_layout;
mod atom;
mod cover;
mod operand;
mod swizzle;
mod tiled;

use crate::classes;
use crate::error::Refusal;
use pyo3::prelude::*;
use tilework_hardware::operand::Illegal;
use tilework_hardware::{Refused, swizzle::Impossible};

/// Adds the module, under a private name, after the functions of the table.
pub fn add(parent: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = parent.py();
    let module = PyModule::new(py, "_hardware")?;
    module.add_function(wrap_pyfunction!(atom::atoms, &module)?)?;
    atom::add(parent, &module)?;
    module.add_class::<classes::MmaAtom>()?;
    module.add_class::<classes::CopyAtom>()?;
    module.add_class::<classes::TiledMma>()?;
    module.add_class::<tiled::ThreadMma>()?;
    module.add_class::<classes::TiledCopy>()?;
    module.add_class::<tiled::ThreadCopy>()?;
    module.add_function(wrap_pyfunction!(tiled::make_tiled_copy_a, &module)?)?;
    module.add_function(wrap_pyfunction!(tiled::make_tiled_copy_b, &module)?)?;
    module.add_function(wrap_pyfunction!(tiled::make_tiled_copy_c, &module)?)?;
    module.add_function(wrap_pyfunction!(tiled::make_layout_tv, &module)?)?;
    module.add_function(wrap_pyfunction!(access::banks, &module)?)?;
    module.add_class::<access::BankReport>()?;
    module.add_class::<access::Conflict>()?;
    module.add_function(wrap_pyfunction!(access::sectors, &module)?)?;
    module.add_class::<access::SectorReport>()?;
    module.add_function(wrap_pyfunction!(access::vector_width, &module)?)?;
    module.add_class::<access::VectorWidth>()?;
    module.add_function(wrap_pyfunction!(swizzle::swizzle, &module)?)?;
    module.add_class::<swizzle::Certificate>()?;
    module.add_function(wrap_pyfunction!(operand::operand, &module)?)?;
    module.add_function(wrap_pyfunction!(operand::nearest, &module)?)?;
    module.add_class::<operand::Operand>()?;
    module.add_function(wrap_pyfunction!(cover::cover, &module)?)?;
    module.add_class::<cover::Coverage>()?;
    module.add_class::<cover::Predicate>()?;
    parent.setattr("_hardware", module)
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Refusal {
        Refusal::new(refused.code(), refused.to_string())
    }
}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Refusal {
        Refusal::new(illegal.code(), illegal.to_string())
    }
}

impl From<Impossible> for Refusal {
    fn from(impossible: Impossible) -> Refusal {
        let code = match impossible {
            Impossible::Undecided { .. } => "undecided",
            _ => "impossible",
        };
        Refusal::new(code, impossible.to_string())
    }
}

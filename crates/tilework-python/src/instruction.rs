//! `Instruction`.

use crate::classes::Instruction;
use crate::members::texts;
use crate::prelude::*;
use crate::tuple;
use pyo3::exceptions::PyAttributeError;
use tilework_draw::{Options, svg};

#[pymethods]
impl Instruction {
    /// A field.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> Made<'py> {
        match self.0.field(name) {
            Some(value) => tuple::object(py, value.map_err(Refusal::from)?),
            None => Err(PyAttributeError::new_err(format!("{} has no field {name}", self.0.kind()))),
        }
    }

    /// The fields, and the attributes of the class.
    fn __dir__<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Object<'py>>> {
        let fields = slf.get().0.fields().iter().map(|field| field.into_bound_py_any(slf.py()));
        let own = slf.get_type().dir()?;
        fields.chain(own.iter().map(Ok)).collect()
    }

    fn _repr_svg_(&self) -> Result<String> {
        let scene = self.0.picture(&Options::default());
        Ok(svg::write(&scene.map_err(Refusal::from)?))
    }
}

texts!(Instruction: |instruction| instruction.0, "parse('{}')", parsed);

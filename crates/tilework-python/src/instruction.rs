//! `Instruction`.

use crate::classes::Instruction;
use crate::error::Refusal;
use crate::session;
use crate::tuple;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use tilework_expr::Value;

#[pymethods]
impl Instruction {
    #[new]
    fn new(text: &Bound<'_, PyAny>) -> Result<Instruction, Refusal> {
        match tuple::value(text)? {
            value @ Value::Instruction(_) => Ok(Instruction(value)),
            value => {
                Err(Refusal::new("kind", format!("an instruction is wanted, and this is {}", value.kind())))
            }
        }
    }

    /// A field.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.0.field(name) {
            Some(value) => tuple::object(py, value.map_err(Refusal::from)?),
            None => Err(PyAttributeError::new_err(format!("{} has no field {name}", self.0.kind()))),
        }
    }

    fn __dir__(&self) -> Vec<&'static str> {
        self.0.fields().to_vec()
    }

    fn __hash__(&self) -> u64 {
        crate::classes::hash(&self.__str__())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Instruction('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        session::unpickled(py, self.__str__())
    }
}

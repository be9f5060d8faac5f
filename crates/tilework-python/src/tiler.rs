//! `Tiler`.

use crate::classes::Tiler;
use crate::members::texts;
use crate::prelude::*;
use crate::session;
use crate::tuple;
use pyo3::types::PyTuple;
use tilework_expr::Value;

#[pymethods]
impl Tiler {
    #[new]
    #[pyo3(signature = (*tiles))]
    fn new(tiles: &Bound<'_, PyTuple>) -> Result<Tiler> {
        let value = match tiles.len() {
            1 => tuple::value(&tiles.get_item(0)?)?,
            _ => tuple::value(tiles)?,
        };
        match value.as_tiler() {
            Some(tiler) => Ok(Tiler(tiler?)),
            None => refuse("kind", format!("expected a tiler, found {}", value.kind())),
        }
    }

    fn __len__(&self) -> usize {
        self.0.rank()
    }

    /// The tile of a mode: a layout, a tiler, or `None` for a hole.
    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Object<'py>> {
        let place = if index < 0 { index + self.0.rank() as isize } else { index };
        let tile = self.0.mode(usize::try_from(place).unwrap_or(usize::MAX)).map_err(Refusal::from)?;
        tuple::object(py, Value::tiler(tile).map_err(Refusal::from)?)
    }

    fn __hash__(&self) -> u64 {
        crate::classes::hash(&self.0.to_text().as_str())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Object<'py>, (String,))> {
        session::unpickled(py, self.__str__())
    }
}

texts!(Tiler: |tiler| tiler.0, "Tiler('{}')");

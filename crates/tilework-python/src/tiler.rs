//! `Tiler`.

use crate::classes::Tiler;
use crate::members::texts;
use crate::prelude::*;
use crate::tuple;
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
        tuple::as_tiler(&value).map(Tiler)
    }

    fn __len__(&self) -> usize {
        self.0.rank()
    }

    /// The tile of a mode: a layout, a tiler, or `None` for a hole.
    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> Made<'py> {
        let place = if index < 0 { index + self.0.rank() as isize } else { index };
        let tile = self.0.mode(usize::try_from(place).unwrap_or(usize::MAX)).map_err(Refusal::from)?;
        tuple::object(py, Value::tiler(tile).map_err(Refusal::from)?)
    }
}

texts!(Tiler: |tiler| tiler.0, "Tiler('{}')", parsed);

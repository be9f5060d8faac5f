//! The smallest change of a tile without bank conflicts.

use super::access::{BankReport, access, memory};
use super::any_layout::any_object;
use crate::error::Refusal;
use crate::layout::as_layout;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tilework::{AnyLayout, Composed};
use tilework_hardware::access::Access;
use tilework_hardware::memory::Banks;
use tilework_hardware::swizzle::{self as search, Form};

/// The smallest change of a tile that makes all accesses to it free of conflicts: a swizzle (`form="sw"`), XOR strides
/// (`"xor"`), padding after each row (`"pad"`), or a mode of the tensor memory accelerator (`"tma"`).
///
/// `accesses` maps names to accesses, as `banks` takes them. `phases` are those of all accesses, or a dictionary for
/// some. If no change of the form exists, `errors.Impossible` has the reason.
///
/// >>> from tilework import errors, hardware
/// >>> found = hardware.swizzle("(128,32):(32,1)", {"load": "ldmatrix", "store": "rows"}, bits=16)
/// >>> print(found)
/// Sw<2,3,3> o 0 o (128,32):(32,1)
/// >>> found.elements, found.accesses["load"].ranks
/// (4096, (5, 5))
/// >>> found.check()
/// >>> try:
/// ...     hardware.swizzle("(64,16):(16,1)", {"load": "ldmatrix", "store": "rows"}, bits=16, form="pad")
/// ... except errors.Impossible as error:
/// ...     print(error.message)
/// all of 9 candidates leave conflicts; at best, access 0 takes 32 wavefronts instead of 16
#[pyfunction]
#[pyo3(signature = (tile, accesses, *, bits = 32, vector = 1, form = "sw", phases = None))]
pub fn swizzle(
    py: Python<'_>,
    tile: &Bound<'_, PyAny>,
    accesses: &Bound<'_, PyDict>,
    bits: u32,
    vector: u32,
    form: &str,
    phases: Option<&Bound<'_, PyAny>>,
) -> Result<Certificate, Refusal> {
    let tile = as_layout(tile)?;
    let form = match form {
        "sw" => Form::Sw,
        "xor" => Form::Xor,
        "pad" => Form::Pad,
        "tma" => Form::Tma,
        _ => {
            return Err(Refusal::new(
                "arguments",
                format!("there is no form `{form}`; sw, xor, pad and tma are"),
            ));
        }
    };
    let (mut names, mut pairs) = (Vec::new(), Vec::new());
    for (name, own) in accesses.iter() {
        let banks = match phases.map(|phases| (phases, phases.cast::<PyDict>())) {
            Some((_, Ok(of_each))) => memory(of_each.get_item(&name)?.as_ref())?,
            Some((phases, Err(_))) => memory(Some(phases))?,
            None => memory(None)?,
        };
        pairs.push((banks, access(&own, &tile, bits, vector)?));
        names.push(name.cast::<PyString>().map_err(PyErr::from)?.to_string());
    }
    let data = py.detach(|| search::search(&tile, &pairs, form).map(|certificate| *certificate.data()))?;
    let certificate = Certificate { data: Box::new(data), names, accesses: pairs };
    certificate.check()?;
    Ok(certificate)
}

/// A tile without bank conflicts, and its accesses: the result of `swizzle`.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct Certificate {
    data: Box<Composed>,
    names: Vec<String>,
    accesses: Vec<(Banks, Access)>,
}

impl Certificate {
    fn claim(&self) -> Result<search::Certificate<'_>, Refusal> {
        Ok(search::Certificate::new(self.data.swizzle(), *self.data.layout(), &self.accesses)?)
    }

    fn any(&self) -> AnyLayout {
        if self.data.swizzle().bits() == 0 { (*self.data.layout()).into() } else { (*self.data).into() }
    }
}

#[pymethods]
impl Certificate {
    /// The new layout of the tile.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        any_object(py, self.any())
    }

    /// The elements of memory that it takes.
    #[getter]
    fn elements(&self) -> Result<i64, Refusal> {
        Ok(self.claim()?.elements()?)
    }

    /// The report of the banks for each access.
    #[getter]
    fn accesses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let reports = PyDict::new(py);
        for (name, (banks, access)) in self.names.iter().zip(&self.accesses) {
            let report = banks.report(&*self.data, access).map_err(Refusal::from)?;
            reports.set_item(name, Bound::new(py, BankReport::from(report))?)?;
        }
        Ok(reports)
    }

    /// Checks independently of the search by counting: raises `errors.Certificate` if two elements share an offset, or
    /// an access has a conflict.
    fn check(&self) -> Result<(), Refusal> {
        self.claim()?.check().map_err(|flaw| Refusal::new("certificate", flaw.to_string()))
    }

    fn __str__(&self) -> String {
        self.any().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Certificate {}>", self.any())
    }
}

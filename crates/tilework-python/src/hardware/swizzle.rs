//! The smallest change of a tile without bank conflicts.

use super::access::{BankReport, accesses as read, memory};
use super::any_layout::Data;
use crate::classes;
use crate::members::attributes;
use crate::prelude::*;
use tilework::{AnyLayout, Composed};
use tilework_expr::{Accesses, width};
use tilework_hardware::access::Access;
use tilework_hardware::memory::Banks;
use tilework_hardware::swizzle::{self as search, Form, Impossible};

/// The smallest change of a tile that makes all accesses to it free of conflicts: a swizzle (`form="sw"`), XOR strides
/// (`"xor"`), padding after each row (`"pad"`), or a mode of the tensor memory accelerator (`"tma"`).
///
/// `accesses` maps names to accesses, as `banks` takes them; one that reaches only some elements of the tile decides for
/// these. `bits` are those of an element, unless `tile` is a tensor. `phases` are those of all accesses, or a dictionary for
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
/// all of 128 candidates leave conflicts; at best, load takes 32 wavefronts instead of 16
#[pyfunction]
#[pyo3(signature = (tile, accesses, *, bits = None, vector = None, form = "sw", phases = None))]
pub fn swizzle(
    py: Python<'_>,
    tile: &Object<'_>,
    accesses: &Bound<'_, PyDict>,
    bits: Option<u32>,
    vector: Option<u32>,
    form: &str,
    phases: Option<&Object<'_>>,
) -> Result<Certificate> {
    let data = Data::of(tile)?;
    let tile = data.plain(tile)?;
    let forms = [("sw", Form::Sw), ("xor", Form::Xor), ("pad", Form::Pad), ("tma", Form::Tma)];
    let Some((_, form)) = forms.into_iter().find(|(name, _)| *name == form) else {
        return refuse("arguments", format!("there is no form `{form}`; sw, xor, pad and tma are"));
    };
    let (mut names, mut memories) = (Vec::new(), Vec::new());
    for (name, own) in accesses.iter() {
        let banks = match phases.map(|phases| (phases, phases.cast::<PyDict>())) {
            Some((_, Ok(of_each))) => memory(of_each.get_item(&name)?.as_ref())?,
            Some((phases, Err(_))) => memory(Some(phases))?,
            None => memory(None)?,
        };
        memories.push((banks, read(&own)?));
        names.push(name.cast::<PyString>().map_err(PyErr::from)?.to_string());
    }
    let own = memories.iter().filter_map(|(_, accesses)| accesses.value());
    let bits = width(bits, [&data.value].into_iter().chain(own))?;
    let of = |(banks, accesses): (Banks, Accesses)| Ok((banks, accesses.of(&tile, bits, vector)?));
    let pairs = memories.into_iter().map(of).collect::<Result<Vec<_>>>()?;
    let found = py.detach(|| search::search(&tile, &pairs, form).map(|certificate| *certificate.data()));
    let data = found.map_err(|reason| impossible(&reason, &names))?;
    let certificate = Certificate { data: Box::new(data), bits, names, accesses: pairs };
    certificate.check()?;
    Ok(certificate)
}

/// Why there is no change of a tile, for accesses with these names.
fn impossible(impossible: &Impossible, names: &[String]) -> Refusal {
    let code = match impossible {
        Impossible::Undecided { .. } => "undecided",
        _ => "impossible",
    };
    Refusal::new(code, impossible.with_names(names))
}

/// A tile without bank conflicts, and its accesses: the result of `swizzle`.
#[pyclass(frozen, module = "tilework.hardware")]
pub struct Certificate {
    data: Box<Composed>,
    bits: u32,
    names: Vec<String>,
    accesses: Vec<(Banks, Access)>,
}

impl Certificate {
    fn claim(&self) -> Result<search::Certificate<'_>> {
        Ok(search::Certificate::new(self.data.swizzle(), *self.data.layout(), &self.accesses)?)
    }

    fn any(&self) -> AnyLayout {
        if self.data.swizzle().bits() == 0 { (*self.data.layout()).into() } else { (*self.data).into() }
    }
}

#[pymethods]
impl Certificate {
    /// How many elements of the tile each access reaches that does not reach all.
    #[getter]
    fn partial<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let partial = PyDict::new(py);
        for (name, (banks, access)) in self.names.iter().zip(&self.accesses) {
            let reach = banks.report(&*self.data, access).map_err(Refusal::from)?.reach;
            reach.partial().map_or(Ok(()), |elements| partial.set_item(name, elements))?;
        }
        Ok(partial)
    }

    /// The report of the banks for each access.
    #[getter]
    fn accesses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let reports = PyDict::new(py);
        for (name, (banks, access)) in self.names.iter().zip(&self.accesses) {
            let report = banks.report(&*self.data, access).map_err(Refusal::from)?;
            reports.set_item(name, Bound::new(py, BankReport(report))?)?;
        }
        Ok(reports)
    }

    /// Checks independently of the search by counting: raises `errors.Certificate` if two elements share an offset, or
    /// an access has a conflict.
    fn check(&self) -> Result<()> {
        self.claim()?.check().map_err(|flaw| Refusal::new("certificate", flaw.to_string()))
    }

    fn __str__(&self) -> String {
        self.any().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Certificate {}; elements of {} bits>", self.any(), self.bits)
    }
}

attributes! {
    Certificate:
    /// The new layout of the tile.
    layout: Made<'py> = |certificate, py| classes::object(py, certificate.any().into());
    /// The elements of memory that it takes.
    elements: Result<i64> = |certificate| Ok(certificate.claim()?.elements()?);
    /// The bits of an element.
    element_bits: u32 = |certificate| certificate.bits;
}

//! Storage formats by name.

use crate::array::numpy;
use crate::error::Refusal;
use crate::tuple::integer;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tilework_formats as library;

impl From<library::Error> for Refusal {
    fn from(error: library::Error) -> Refusal {
        Refusal::new(error.code(), error.to_string())
    }
}

/// The names of the storage formats whose names, aliases or purposes contain all words.
///
/// >>> import tilework
/// >>> tilework.formats("marlin", "zero")
/// ['marlin_zeros_4', 'marlin_zeros_8']
#[pyfunction]
#[pyo3(signature = (*words))]
pub fn formats(words: Vec<String>) -> Vec<&'static str> {
    library::search(&words).map(library::Format::name).collect()
}

/// A storage format by its name; with sizes, an array packed in it.
///
/// >>> import tilework
/// >>> scales = tilework.format("scale_128x4", M=300, S=17)
/// >>> scales.storage, scales.offset(129, 4), scales.coordinate(3088)
/// (7680, 3088, (129, 4))
/// >>> tilework.format("scale_128x4").layout
/// '((32,4,ceil(M/128)),(4,ceil(S/4))):((16,4,512*ceil(S/4)),(1,512))'
#[pyfunction]
#[pyo3(signature = (name, /, **sizes))]
pub fn format<'py>(
    py: Python<'py>,
    name: &str,
    sizes: Option<&Bound<'py, PyDict>>,
) -> Result<Bound<'py, PyAny>, Refusal> {
    let format = Format(library::Format::named(name)?);
    match sizes {
        Some(_) => Ok(Bound::new(py, format.at(sizes)?)?.into_any()),
        None => Ok(Bound::new(py, format)?.into_any()),
    }
}

/// A storage format for all sizes, of `tilework.format`.
///
/// >>> import tilework
/// >>> weight = tilework.format("marlin_4")
/// >>> weight, weight.element_bits, weight.sizes
/// (Format('marlin_4'), 4, {'K': 'rows', 'N': 'columns'})
#[pyclass(frozen, module = "tilework")]
pub struct Format(library::Format);

#[pymethods]
impl Format {
    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// Other names of the same function.
    #[getter]
    fn aliases(&self) -> Vec<&str> {
        self.0.aliases().collect()
    }

    /// What it is for.
    #[getter]
    fn purpose(&self) -> &str {
        self.0.purpose()
    }

    /// The sizes by name, with what they count.
    #[getter]
    fn sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let sizes = PyDict::new(py);
        self.0.axes().iter().try_for_each(|axis| sizes.set_item(&axis.name, &axis.noun))?;
        Ok(sizes)
    }

    /// The rules of the sizes: `M to 128` is padded to a multiple, `K by 16` has to be one.
    #[getter]
    fn rules(&self) -> Vec<String> {
        self.0.rules().iter().map(ToString::to_string).collect()
    }

    /// The bits of an element.
    #[getter]
    fn element_bits(&self) -> u32 {
        self.0.element_bits()
    }

    /// The layout for all sizes.
    #[getter]
    fn layout(&self) -> String {
        self.0.layouts().join(", otherwise ")
    }

    /// What the bits of an element mean.
    #[getter]
    fn encoding(&self) -> &str {
        self.0.encoding()
    }

    /// What the padding contains: zero, repeat, or any.
    #[getter]
    fn fill(&self) -> &str {
        self.0.fill()
    }

    /// Where the facts are from.
    #[getter]
    fn sources(&self) -> Vec<String> {
        self.0.sources().to_vec()
    }

    /// Known errors with this format.
    #[getter]
    fn pitfalls(&self) -> Vec<&str> {
        self.0.pitfalls().collect()
    }

    /// An array of these sizes; sizes that the format does not admit are refused with the rule.
    ///
    /// >>> import tilework
    /// >>> tilework.format("marlin_4").at(K=100, N=64)
    /// Traceback (most recent call last):
    /// tilework.errors.Size: size: K must be a multiple of 16: marlin_4 packs 16 rows; 100 given
    #[pyo3(signature = (**sizes))]
    fn at(&self, sizes: Option<&Bound<'_, PyDict>>) -> Result<Packed, Refusal> {
        let mut named: Vec<(String, i64)> = Vec::new();
        for (name, size) in sizes.into_iter().flatten() {
            named.push((name.extract()?, integer(&size)?.ok_or_else(|| Refusal::kind("a size", &size))?));
        }
        let named: Vec<(&str, i64)> = named.iter().map(|(name, size)| (name.as_str(), *size)).collect();
        Ok(Packed(self.0.at(&named)?))
    }

    fn __repr__(&self) -> String {
        format!("Format('{}')", self.0.name())
    }
}

/// An array packed in a storage format, of `tilework.format`.
///
/// >>> import tilework
/// >>> packed = tilework.format("awq_gemm", K=1, N=8)
/// >>> packed.shape, packed.bytes, packed.container
/// ((1, 8), 4, ('int32', (1, 1)))
/// >>> packed.offsets()
/// array([[0, 4, 1, 5, 2, 6, 3, 7]])
#[pyclass(frozen, module = "tilework")]
pub struct Packed(library::Packed);

#[pymethods]
impl Packed {
    /// The name of the format.
    #[getter]
    fn name(&self) -> &str {
        self.0.format().name()
    }

    /// The extents of the logical array.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.shape())
    }

    /// The number of elements of the storage, with the padding.
    #[getter]
    fn storage(&self) -> i64 {
        self.0.storage()
    }

    /// The number of bytes of the storage.
    #[getter]
    fn bytes(&self) -> i64 {
        self.0.bytes()
    }

    /// The type and the shape in which software stores it.
    #[getter]
    fn container<'py>(&self, py: Python<'py>) -> Result<(String, Bound<'py, PyTuple>), Refusal> {
        let (dtype, shape) = self.0.container()?;
        Ok((dtype, PyTuple::new(py, shape)?))
    }

    /// The layout at these sizes.
    #[getter]
    fn layout(&self) -> String {
        self.0.to_string()
    }

    /// The offset of an element, in elements; None for an element that is not stored.
    #[pyo3(signature = (*coordinate))]
    fn offset(&self, coordinate: Vec<i64>) -> Result<Option<i64>, Refusal> {
        Ok(self.0.offset(&coordinate)?)
    }

    /// The coordinate of the element at an offset; None for padding.
    fn coordinate<'py>(&self, py: Python<'py>, offset: i64) -> Result<Option<Bound<'py, PyTuple>>, Refusal> {
        let coordinate = self.0.coordinate(offset)?;
        Ok(coordinate.map(|coordinate| PyTuple::new(py, coordinate)).transpose()?)
    }

    /// The offset of every element, as an array of NumPy; -1 for elements that are not stored.
    fn offsets<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Refusal> {
        let offsets = py.detach(|| self.0.offsets())?;
        let array = numpy(py)?.call_method1("array", (offsets, "int64"))?;
        Ok(array.call_method1("reshape", (self.shape(py)?,))?)
    }

    fn __repr__(&self) -> String {
        let sizes: Vec<String> = self.0.sizes().map(|(name, size)| format!(", {name}={size}")).collect();
        format!("format('{}'{})", self.0.format().name(), sizes.concat())
    }
}

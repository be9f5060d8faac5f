//! Storage formats by name.

use crate::array::{check_native, check_unmasked, numpy};
use crate::members::attributes;
use crate::named::Named;
use crate::prelude::*;
use tilework_formats as library;

/// The names of the storage formats that have all words in their names, aliases, axes, purposes or software, in any case.
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
///
/// A private format is a record of `text`, in the notation of the table:
///
/// >>> tiles = "name tiles\naxes M rows, N columns\nbits 8\nsizes M to 4\nlayout ((4,ceil(M/4)),N):((1,4*N),4)"
/// >>> tilework.format("tiles", text=tiles, M=5, N=3).storage
/// 24
#[pyfunction]
#[pyo3(signature = (name, /, *, text = None, **sizes))]
pub fn format<'py>(
    py: Python<'py>,
    name: &str,
    text: Option<&str>,
    sizes: Option<&Bound<'py, PyDict>>,
) -> Result<Object<'py>> {
    let own = text.map(library::Format::parse).transpose()?.unwrap_or_default();
    let own = own.into_iter().find(|format| format.name() == name);
    let format = Format(own.map_or_else(|| library::Format::named(name), Ok)?);
    match sizes {
        Some(_) => Ok(Bound::new(py, format.at(sizes)?)?.into_any()),
        None => Ok(Bound::new(py, format)?.into_any()),
    }
}

/// A format, or the one with a name.
fn format_of(given: &Object<'_>) -> Result<library::Format> {
    match given.cast::<Format>() {
        Ok(format) => Ok(format.get().0.clone()),
        Err(_) => Ok(library::Format::named(given.extract().map_err(|_| Refusal::kind("a format", given))?)?),
    }
}

/// An array of NumPy; for a text `FILE.safetensors:TENSOR` that tensor, by the package `safetensors`.
fn array_of<'py>(array: &Object<'py>) -> Result<Object<'py>> {
    let py = array.py();
    let Ok(text) = array.cast::<PyString>() else {
        check_unmasked(array)?;
        return Ok(numpy(py)?.call_method1("asarray", (array,))?);
    };
    let text = text.to_string_lossy();
    let Some((stem, tensor)) = text.split_once(".safetensors:") else {
        return refuse("file", format!("`{text}` is no tensor of a file, FILE.safetensors:TENSOR"));
    };
    let open = py.import("safetensors")?.getattr("safe_open")?;
    let file = open.call1((format!("{stem}.safetensors"), "numpy"))?;
    Ok(file.call_method1("get_tensor", (tensor,))?)
}

/// The elements of an array without gaps, as bytes.
fn bytes_of<'py>(array: &Object<'py>) -> Result<(Object<'py>, Bound<'py, PyBytes>)> {
    let array = array_of(array)?;
    check_native(&array)?;
    let bytes = array.call_method0("tobytes")?.cast_into::<PyBytes>().map_err(PyErr::from)?;
    Ok((array, bytes))
}

/// The type, as NumPy writes it, and the shape of an array.
fn container_of(array: &Object<'_>) -> Result<(String, Vec<i64>)> {
    Ok((array.getattr("dtype")?.getattr("str")?.extract()?, array.getattr("shape")?.extract()?))
}

/// "zero", "repeat" or a byte.
fn fill_of(given: &Object<'_>) -> Result<library::Fill> {
    Ok(library::Fill::parse(&given.str()?.to_string_lossy())?)
}

/// An array of NumPy or PyTorch in another storage format: the same elements at other places. Sizes that follow from the
/// shape of the array need not be given. An array may be a tensor of a file, `"model.safetensors:q.qweight"`, which the
/// package `safetensors` reads.
///
/// >>> import numpy, tilework
/// >>> weight = numpy.arange(2048, dtype="int32").reshape(256, 8)
/// >>> marlin = tilework.repack(weight, "awq_gemm", "marlin_4")
/// >>> marlin.shape, marlin.dtype
/// ((16, 128), dtype('int32'))
/// >>> (tilework.repack(marlin, "marlin_4", "awq_gemm") == weight).all()
/// np.True_
/// >>> scales = numpy.ones((3, 2), "uint8")
/// >>> tilework.repack(scales, "M S:8", "scale_8x4", M=3, S=2, fill=127)[0]
/// array([  1,   1, 127, 127], dtype=uint8)
///
/// `piece` takes one piece of a block alone, `bits_only` moves bits that mean other values in the target, and `fill` is
/// "zero", "repeat" or a byte.
///
/// Of `awq`, `autoawq_gemv`, `gptq`, `exllamav2` and `marlin`, and of `gptq_int8`, `marlin_int8`, `gptq_int2` and `exllamav2_int2`, it is a quantised weight with its zero points and scales: a dict of the tensors, or their common
/// name in a file, `"model.safetensors:q"` for `q.qweight`, `q.qzeros` and `q.scales`. The result is such a dict.
///
/// >>> weight = {"qweight": weight, "qzeros": numpy.ones((2, 8), "int32"), "scales": numpy.ones((2, 64), "float16")}
/// >>> {name: tensor.shape for name, tensor in tilework.repack(weight, "awq", "marlin").items()}
/// {'qweight': (16, 128), 'qzeros': (2, 8), 'scales': (2, 64)}
#[pyfunction]
#[pyo3(signature = (array, source, target, /, *, fill = None, piece = None, bits_only = false, **sizes))]
pub fn repack<'py>(
    array: &Object<'py>,
    source: &Object<'py>,
    target: &Object<'py>,
    fill: Option<&Object<'py>>,
    piece: Option<&str>,
    bits_only: bool,
    sizes: Option<&Bound<'py, PyDict>>,
) -> Result<Object<'py>> {
    let conversion = library::Conversion { piece, bits_only, fill: fill.map(fill_of).transpose()? };
    let sizes = Named::new("a size", sizes)?;
    let name = |given: &Object<'py>| given.extract::<String>().unwrap_or_default();
    match library::bundle(&name(source), &name(target)) {
        Some(tensors) => bundled(array, &tensors, &sizes, conversion),
        None => {
            let (from, to) = (format_of(source)?, format_of(target)?);
            repacked(array, &from, &to, sizes, conversion)
        }
    }
}

/// The tensors of a quantised weight, each from its own format into its own.
fn bundled<'py>(
    given: &Object<'py>,
    tensors: &[(&str, library::Format, library::Format)],
    sizes: &Named,
    conversion: library::Conversion<'_>,
) -> Result<Object<'py>> {
    let (py, result) = (given.py(), PyDict::new(given.py()));
    let has =
        |name: &str, from: &library::Format, to: &library::Format| from.has_size(name) || to.has_size(name);
    if let Some((name, _)) =
        sizes.0.iter().find(|size| tensors.iter().all(|(_, from, to)| !has(&size.0, from, to)))
    {
        return refuse("size", format!("no tensor of the weight has a size {name}"));
    }
    for (name, from, to) in tensors {
        let tensor = match given.cast::<PyString>() {
            Ok(common) => PyString::new(py, &format!("{}.{name}", common.to_string_lossy())).into_any(),
            Err(_) => given.get_item(name).map_err(|_| {
                Refusal::new(
                    "arguments",
                    format!("a dict has the tensors qweight, qzeros and scales; there is no {name}"),
                )
            })?,
        };
        let own = Named(sizes.0.iter().filter(|size| has(&size.0, from, to)).cloned().collect());
        result.set_item(name, repacked(&tensor, from, to, own, conversion)?)?;
    }
    Ok(result.into_any())
}

fn repacked<'py>(
    array: &Object<'py>,
    from: &library::Format,
    to: &library::Format,
    mut sizes: Named,
    conversion: library::Conversion<'_>,
) -> Result<Object<'py>> {
    let py = array.py();
    let (array, bytes) = bytes_of(array)?;
    if sizes.0.is_empty() {
        let own = from.of_container(&container_of(&array)?.1)?;
        sizes = Named(own.sizes().map(|(name, size)| (name.to_owned(), size)).collect());
    }
    let repack = library::Repack::new(from, to, &sizes.pairs(), conversion)?;
    let (dtype, shape) = container_of(&array)?;
    repack.check_container(&dtype, &shape)?;
    let (source, (dtype, shape)) = (bytes.as_bytes(), repack.container()?);
    let mut refused = None;
    let target = PyByteArray::new_with(py, repack.bytes().1 as usize, |target| {
        refused = py.detach(|| repack.run_into(source, target)).err();
        Ok(())
    })?;
    if let Some(error) = refused {
        return Err(error.into());
    }
    let target = numpy(py)?.call_method1("frombuffer", (target, dtype))?;
    Ok(target.call_method1("reshape", (PyTuple::new(py, shape)?,))?)
}

/// The formats, with their sizes, that have the offsets in an array, whose shape is that of the elements; of one axis, or in a list, they
/// may be of any shape. Only those that `formats` finds by the words. -1 is an element that is not stored.
///
/// >>> import tilework
/// >>> offsets = tilework.format("marlin_zeros_4", G=2, N=64).offsets()
/// >>> tilework.identify(offsets, "marlin")
/// [format('marlin_zeros_4', G=2, N=64)]
///
/// With `inverse`, an array has the number of the element at each place of the storage, -1 for padding.
///
/// >>> tilework.identify([0, 2, 4, 6, 1, 3, 5, 7], "awq_gemm", inverse=True)[0]
/// format('awq_gemm', K=1, N=8)
#[pyfunction]
#[pyo3(signature = (given, /, *words, inverse = false))]
pub fn identify(given: &Object<'_>, words: Vec<String>, inverse: bool) -> Result<Vec<Packed>> {
    let array = array_of(given)?;
    let shape: Vec<i64> = array.getattr("shape")?.extract()?;
    let offsets = array.call_method1("reshape", (-1,))?.call_method0("tolist")?;
    let offsets: Vec<i64> = offsets.extract().or_else(|_| {
        let dtype = array.getattr("dtype")?.str()?;
        let message =
            format!("offsets are integers of 64 bits with a sign; this array of {dtype} has others");
        Err(Refusal::new("kind", message))
    })?;
    let found = library::identify(&offsets, Some(&shape), &words)?;
    let found = if inverse { found.inverses } else { found.formats };
    Ok(found.into_iter().map(Packed).collect())
}

/// Checks that an array can be one of a format: its bytes, its type and shape, its padding, and given elements. For the entry of a
/// kernel, which reads the memory: an array whose elements are not contiguous in C's order is refused.
///
/// >>> import numpy, tilework
/// >>> tilework.check(numpy.zeros((384, 20), "uint8"), "scale_128x4", M=300, S=17)
/// >>> tilework.check(numpy.zeros((300, 17), "uint8"), "scale_128x4", M=300, S=17)
/// Traceback (most recent call last):
/// tilework.errors.Size: size: scale_128x4 at these sizes is 7680 bytes; 5100 given
/// >>> tilework.check(numpy.zeros((20, 384), "uint8"), "scale_128x4", M=300, S=17)
/// Traceback (most recent call last):
/// tilework.errors.Kind: kind: scale_128x4 is stored as uint8 [384, 20], not as uint8 [20, 384]
///
/// `fill` is what all padding has to contain, "zero", "repeat" or a byte, in place of the format's own fill.
///
/// With `elements`, the plain array, every one has to be where the format has it; those of less than a byte are one in a byte.
///
/// >>> rows = numpy.arange(1024, dtype="uint8").reshape(128, 8)
/// >>> tilework.check(rows, "scale_128x4", rows, M=128, S=8)
/// Traceback (most recent call last):
/// tilework.errors.Kind: kind: element (0,4) is 4, but scale_128x4 has it at offset 512, where 0 is stored: the bytes are in the order of `M S:8`, which `repack` converts
#[pyfunction]
#[pyo3(signature = (array, format, elements = None, /, *, fill = None, **sizes))]
pub fn check(
    array: &Object<'_>,
    format: &Object<'_>,
    elements: Option<&Object<'_>>,
    fill: Option<&Object<'_>>,
    sizes: Option<&Bound<'_, PyDict>>,
) -> Result<()> {
    let py = array.py();
    let sizes = Named::new("a size", sizes)?;
    let format = format_of(format)?;
    let packed = format.at(&sizes.pairs())?;
    let (array, bytes) = bytes_of(array)?;
    let (dtype, shape) = container_of(&array)?;
    packed.check_container(&dtype, &shape)?;
    if !array.getattr("flags")?.getattr("c_contiguous")?.is_truthy()? {
        let message = format!(
            "its elements are not contiguous in C's order, so that a kernel would read other bytes: its strides are {} bytes; `numpy.ascontiguousarray(array)` is a copy in this order",
            array.getattr("strides")?
        );
        return refuse("array", message);
    }
    let elements = elements.map(|elements| Ok::<_, Refusal>(bytes_of(elements)?.1)).transpose()?;
    let (bytes, elements) = (bytes.as_bytes(), elements.as_ref().map(|elements| elements.as_bytes()));
    let fill = fill.map(fill_of).transpose()?;
    Ok(py.detach(|| match elements {
        Some(elements) => packed.check_elements(bytes, elements, fill),
        None => packed.check(bytes, fill),
    })?)
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
    /// An array of these sizes; sizes that the format does not admit are refused with the rule.
    ///
    /// >>> import tilework
    /// >>> tilework.format("marlin_4").at(K=100, N=64)
    /// Traceback (most recent call last):
    /// tilework.errors.Size: size: K must be a multiple of 16: marlin_4 packs 16 rows; 100 given
    #[pyo3(signature = (**sizes))]
    fn at(&self, sizes: Option<&Bound<'_, PyDict>>) -> Result<Packed> {
        let sizes = Named::new("a size", sizes)?;
        Ok(Packed(self.0.at(&sizes.pairs())?))
    }

    fn __repr__(&self) -> String {
        format!("Format('{}')", self.0.name())
    }
}

attributes! {
    Format:
    /// Other names of the same function.
    aliases: Vec<String> = |format| format.0.aliases().map(str::to_owned).collect();
    /// The sizes by name, with what they count.
    sizes: PyResult<Bound<'py, PyDict>> =
        |format, py| format.0.axes().iter().map(|axis| (&axis.name, &axis.noun)).into_py_dict(py);
    /// Known errors with this format.
    pitfalls: Vec<String> = |format| format.0.pitfalls().map(str::to_owned).collect();
    /// The name.
    name: String = |format| format.0.name().to_owned();
    /// What it is for.
    purpose: String = |format| format.0.purpose().to_owned();
    /// The rules of the sizes: `M to 128` is padded to a multiple, `K by 16` has to be one.
    rules: Vec<String> = |format| format.0.rules().iter().map(ToString::to_string).collect();
    /// The bits of an element.
    element_bits: u32 = |format| format.0.element_bits();
    /// The layout for all sizes.
    layout: String = |format| format.0.layouts().join(", otherwise ");
    /// What the bits of an element mean.
    encoding: String = |format| format.0.encoding().to_owned();
    /// What the padding contains: zero, repeat, or any.
    fill: String = |format| format.0.fill().to_owned();
    /// Where the facts are from.
    sources: Vec<String> = |format| format.0.sources().to_vec();
    /// The names of all pieces of the block of which it is one.
    pieces: Vec<String> = |format| format.0.pieces().map(|piece| piece.name().to_owned()).collect();
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
    /// The offset of an element, in elements; None for an element that is not stored.
    #[pyo3(signature = (*coordinate))]
    fn offset(&self, coordinate: Vec<i64>) -> Result<Option<i64>> {
        Ok(self.0.offset(&coordinate)?)
    }

    /// The coordinate of the element at an offset; None for padding.
    fn coordinate<'py>(&self, py: Python<'py>, offset: i64) -> Result<Option<Bound<'py, PyTuple>>> {
        let coordinate = self.0.coordinate(offset)?;
        Ok(coordinate.map(|coordinate| PyTuple::new(py, coordinate)).transpose()?)
    }

    /// The offset of every element, as an array of NumPy; -1 for elements that are not stored.
    fn offsets<'py>(&self, py: Python<'py>) -> Result<Object<'py>> {
        let offsets = py.detach(|| self.0.offsets())?;
        let array = numpy(py)?.call_method1("array", (offsets, "int64"))?;
        Ok(array.call_method1("reshape", (PyTuple::new(py, self.0.shape())?,))?)
    }

    fn __repr__(&self) -> String {
        let sizes: Vec<String> = self.0.sizes().map(|(name, size)| format!(", {name}={size}")).collect();
        format!("format('{}'{})", self.0.format().name(), sizes.concat())
    }
}

attributes! {
    Packed:
    /// The sizes by name.
    sizes: PyResult<Bound<'py, PyDict>> = |packed, py| packed.0.sizes().into_py_dict(py);
    /// The type and the shape in which software stores it.
    container: Result<(String, Bound<'py, PyTuple>)> = |packed, py| {
        let (dtype, shape) = packed.0.container()?;
        Ok((dtype, PyTuple::new(py, shape)?))
    };
    /// The name of the format.
    name: String = |packed| packed.0.format().name().to_owned();
    /// The extents of the logical array.
    shape: PyResult<Bound<'py, PyTuple>> = |packed, py| PyTuple::new(py, packed.0.shape());
    /// The number of elements of the storage, with the padding.
    storage: i64 = |packed| packed.0.storage();
    /// The number of bytes of the storage.
    bytes: i64 = |packed| packed.0.bytes();
    /// The layout at these sizes.
    layout: String = |packed| packed.0.to_string();
}

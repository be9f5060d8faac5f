//! Arrays of Python as memory, without a copy: NumPy's by their interface, others by DLPack or the buffer protocol.

use crate::description::{ArrayFlag, ArrayStruct, Description, Extent, row_major};
use crate::dlpack;
use crate::dtype::DType;
use crate::prelude::*;
use tilework::{Codomain, Layout};

/// Memory that belongs to a Python object: the elements of its array from the lowest address to the highest.
pub struct Array {
    first: *mut u8,
    /// The number of elements of that size.
    pub len: usize,
    pub dtype: DType,
    /// NumPy's type of elements that are only bytes here: a date, a text, a structure.
    numpy_type: Option<Py<PyAny>>,
    pub writable: bool,
    /// Keeps the memory alive.
    pub owner: Py<PyAny>,
}

// SAFETY: the owner keeps the memory alive; as with NumPy, the user has to prevent concurrent reads and writes.
unsafe impl Send for Array {}
// SAFETY: as above.
unsafe impl Sync for Array {}

/// The place of an array in memory.
pub struct Placed {
    pub array: Array,
    /// The offset of the first element; not 0 if strides are negative.
    pub start: i64,
    pub layout: Layout,
}

impl Array {
    /// The address of an offset, which is within the memory.
    pub fn at(&self, offset: i64) -> *mut u8 {
        self.first.wrapping_offset(offset as isize * self.dtype.bytes() as isize)
    }

    pub fn is_aligned(&self) -> bool {
        (self.first as usize).is_multiple_of(self.dtype.alignment())
    }

    /// The name of the element type; that of NumPy if elements are only bytes here.
    pub fn type_name(&self) -> String {
        match &self.numpy_type {
            Some(of) => Python::attach(|py| {
                of.bind(py).str().map_or_else(|_| self.dtype.name(), |name| name.to_string())
            }),
            None => self.dtype.name(),
        }
    }

    /// Whether the elements of another array are of the same type.
    pub fn has_type_of(&self, other: &Array) -> Result<bool> {
        Ok(match (&self.numpy_type, &other.numpy_type) {
            (Some(own), Some(other)) => Python::attach(|py| own.bind(py).eq(other))?,
            _ => self.dtype == other.dtype,
        })
    }

    /// Refuses a copy to elements of another type, and to read-only memory.
    pub fn check_copy(&self, to: &Array) -> Result<()> {
        if !self.has_type_of(to)? {
            let (from, to) = (self.type_name(), to.type_name());
            let message = format!("the source has elements of {from}, the destination of {to}");
            return refuse("array", message);
        }
        if to.writable { Ok(()) } else { Err(read_only().of_argument("the destination")) }
    }
}

/// The error for writes.
pub fn read_only() -> Refusal {
    Refusal::new("array", "its memory is read-only")
}

/// The array that an object is; `None` for other objects.
pub fn import(object: &Object<'_>) -> Result<Option<Placed>> {
    let Some((described, array)) = read(object)? else { return Ok(None) };
    let Extent { first, len, start, layout } = described.extent()?;
    Ok(Some(Placed { array: Array { first, len, ..array }, start, layout }))
}

/// The shape of an array, which may have no elements, and the array without its memory.
pub fn shape_of(object: &Object<'_>) -> Result<Option<(Vec<i64>, Array)>> {
    Ok(read(object)?.map(|(described, array)| (described.shape, array)))
}

/// The description of an array, and the array without its memory; `None` for other objects.
fn read(object: &Object<'_>) -> Result<Option<(Description, Array)>> {
    let py = object.py();
    let (described, dtype, numpy_type, writable, owner) = if let Some((told, owner)) = told(object)? {
        let writable = told.writable;
        let (described, dtype, numpy_type) = described(object, told)?;
        (described, dtype, numpy_type, writable, owner)
    } else if object.hasattr(intern!(py, "__dlpack__"))? {
        let capsule = dlpack::capsule_of(object)?;
        let (described, dtype, writable) = dlpack::describe(object, &capsule)?;
        (described, dtype, None, writable, capsule.into_any())
    } else {
        return match PyMemoryView::from(object) {
            Ok(view) => read(&numpy(py)?.call_method1("asarray", (view,))?),
            Err(_) => Ok(None),
        };
    };
    let (first, owner) = (described.data, owner.unbind());
    Ok(Some((described, Array { first, len: 0, dtype, numpy_type, writable, owner })))
}

/// The description that an object gives by NumPy's protocols, if any, and the object that keeps the memory alive.
fn told<'py>(object: &Object<'py>) -> Result<Option<(Told, Object<'py>)>> {
    check_unmasked(object)?;
    if let Some(capsule) = struct_of(object)
        && let Some(mut told) = of_struct(&capsule)?
    {
        told.writable &= !is_scalar(object, &told.shape)?;
        return Ok(Some((told, capsule.into_any())));
    }
    let Some(interface) = object.getattr_opt(intern!(object.py(), "__array_interface__"))? else {
        return Ok(None);
    };
    let told = of_interface(&interface.cast_into::<PyDict>().map_err(PyErr::from)?)?;
    Ok(told.map(|told| (told, object.clone())))
}

/// Whether an object of this shape is a NumPy scalar, which describes a copy that only the capsule keeps alive.
fn is_scalar<T>(object: &Object<'_>, shape: &[T]) -> PyResult<bool> {
    Ok(shape.is_empty()
        && object.is_instance(&numpy(object.py())?.getattr(intern!(object.py(), "generic"))?)?)
}

/// Whether an object is an array of NumPy: no number, and without a mask.
pub fn is_plain(object: &Object<'_>) -> PyResult<bool> {
    static ARRAY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let array = ARRAY.import(object.py(), "numpy", "ndarray")?;
    Ok(object.get_type().is(array) || (object.is_instance(array)? && !is_masked(object)?))
}

/// Refuses an array of NumPy with a mask.
pub fn check_unmasked(object: &Object<'_>) -> Result<()> {
    match is_masked(object)? {
        true => refuse(
            "array",
            "it has a mask, which would be ignored; `array.filled(value)` is a copy without one, `array.data` has all elements",
        ),
        false => Ok(()),
    }
}

/// Refuses an array of NumPy whose elements have the byte order of other machines.
pub fn check_native(array: &Object<'_>) -> Result<()> {
    let dtype = array.getattr("dtype")?;
    match dtype.getattr("isnative")?.is_truthy()? {
        true => Ok(()),
        false => foreign(dtype.getattr("name")?),
    }
}

/// The refusal of elements with the byte order of other machines.
fn foreign<T>(dtype: impl std::fmt::Display) -> Result<T> {
    refuse(
        "array",
        format!(
            "its elements, {dtype}, have the byte order of other machines; convert them by `array.astype(array.dtype.newbyteorder('='))`"
        ),
    )
}

/// Whether an object is one of NumPy's arrays with a mask, only possible once `numpy.ma` is imported.
fn is_masked(object: &Object<'_>) -> PyResult<bool> {
    static MODULES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let modules = MODULES.import(object.py(), "sys", "modules")?;
    match modules.get_item(intern!(object.py(), "numpy.ma"))? {
        Some(masked) => object.is_instance(&masked.getattr(intern!(object.py(), "MaskedArray"))?),
        None => Ok(false),
    }
}

/// NumPy, imported when the first array is needed.
pub fn numpy(py: Python<'_>) -> PyResult<&Object<'_>> {
    static NUMPY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let numpy = NUMPY.get_or_try_init(py, || Ok::<_, PyErr>(py.import("numpy")?.into_any().unbind()))?;
    Ok(numpy.bind(py))
}

/// The description of a new NumPy array.
pub struct NewArray {
    shape: Vec<i64>,
    /// In bytes; none if the last mode is contiguous.
    strides: Option<Vec<i64>>,
    dtype: DType,
}

impl NewArray {
    /// An array whose last mode is contiguous.
    pub fn row_major(shape: Vec<i64>, dtype: DType) -> NewArray {
        NewArray { shape, strides: None, dtype }
    }

    /// An array with the strides of a compact layout.
    pub fn with_layout(layout: &Layout, dtype: DType) -> Result<NewArray> {
        let (shape, mut strides) = flat(layout)?;
        let is_row_major =
            strides.iter().zip(row_major(&shape)).zip(&shape).all(|((a, b), &n)| n == 1 || *a == b);
        strides.iter_mut().for_each(|stride| *stride *= dtype.bytes() as i64);
        Ok(NewArray { shape, strides: (!is_row_major).then_some(strides), dtype })
    }

    /// The array, with uninitialized memory.
    pub fn make<'py>(&self, py: Python<'py>) -> Result<Object<'py>> {
        let NewArray { shape, strides, dtype } = self;
        let (shape, letters) = (PyTuple::new(py, shape)?, dtype.numpy().ok_or_else(|| no_numpy(*dtype))?);
        Ok(match strides {
            None => numpy(py)?.call_method1(intern!(py, "empty"), (shape, letters))?,
            Some(strides) => {
                let arguments = (shape, letters, py.None(), 0, PyTuple::new(py, strides)?);
                numpy(py)?.call_method1(intern!(py, "ndarray"), arguments)?
            }
        })
    }
}

fn no_numpy(dtype: DType) -> Refusal {
    Refusal::new(
        "array",
        format!(
            "NumPy has no {}; a tensor is given to others by DLPack, `torch.from_dlpack(tensor)`",
            dtype.name()
        ),
    )
}

/// An array as NumPy's two protocols describe it.
struct Told {
    data: *mut u8,
    writable: bool,
    kind: char,
    /// Bytes of an element.
    bytes: usize,
    /// Whether the elements have the byte order of other machines.
    is_foreign: bool,
    shape: Vec<i64>,
    /// In bytes; none if the last mode is contiguous.
    strides: Option<Vec<i64>>,
}

/// The capsule `__array_struct__` of an object that has one.
pub fn struct_of<'py>(object: &Object<'py>) -> Option<Bound<'py, PyCapsule>> {
    object.getattr_opt(intern!(object.py(), "__array_struct__")).ok()??.cast_into().ok()
}

/// The content of the capsule `__array_struct__`; `None` for another version, and for records, whose flags NumPy does
/// not pass on.
pub fn contents<'a>(capsule: &'a Bound<'_, PyCapsule>) -> Option<&'a ArrayStruct> {
    let pointer = capsule.pointer_checked(None).ok()?;
    // SAFETY: an unnamed capsule from `__array_struct__` contains this structure, and keeps it alive.
    let array = unsafe { pointer.cast::<ArrayStruct>().as_ref() };
    (array.two == 2 && array.descr.is_null()).then_some(array)
}

/// The description in the capsule `__array_struct__`, which is much faster to read than `__array_interface__`.
fn of_struct(capsule: &Bound<'_, PyCapsule>) -> Result<Option<Told>> {
    let Some(array) = contents(capsule) else { return Ok(None) };
    // SAFETY: the protocol has `ndim` numbers at `shape` and at `strides`.
    let (shape, strides) = unsafe { array.modes() }?;
    let numbers = |list: &[isize]| list.iter().map(|&number| number as i64).collect();
    Ok(Some(Told {
        data: array.data.cast(),
        writable: array.has(ArrayFlag::Writeable),
        kind: char::from(array.kind as u8),
        bytes: usize::try_from(array.item_bytes).unwrap_or(0),
        is_foreign: !array.has(ArrayFlag::NotSwapped),
        shape: numbers(shape),
        strides: strides.map(numbers),
    }))
}

/// The description in `__array_interface__`; `None` if the memory is not given by its address.
fn of_interface(interface: &Bound<'_, PyDict>) -> Result<Option<Told>> {
    let item = |name| Ok::<_, PyErr>(interface.get_item(name)?.filter(|value| !value.is_none()));
    let Some(Ok((address, read_only))) = item("data")?.map(|data| data.extract::<(usize, bool)>()) else {
        return Ok(None);
    };
    let (Some(shape), Some(letters)) = (item("shape")?, item("typestr")?) else { return Ok(None) };
    let letters: String = letters.extract()?;
    let (order, kind) = (letters.chars().next().unwrap_or('|'), letters.chars().nth(1).unwrap_or('V'));
    let size: usize =
        letters.get(2..).and_then(|rest| rest.split('[').next().unwrap_or(rest).parse().ok()).unwrap_or(0);
    let strides = item("strides")?.map(|strides| strides.extract()).transpose()?;
    Ok(Some(Told {
        data: address as *mut u8,
        writable: !read_only,
        kind,
        bytes: if kind == 'U' { 4 * size } else { size },
        is_foreign: order == if cfg!(target_endian = "little") { '>' } else { '<' },
        shape: shape.extract()?,
        strides,
    }))
}

/// The description with strides in elements, and NumPy's type of elements that are only bytes here.
fn described(object: &Object<'_>, told: Told) -> Result<(Description, DType, Option<Py<PyAny>>)> {
    let Told { data, kind, bytes, is_foreign, shape, strides, .. } = told;
    if is_foreign && bytes > 1 {
        return foreign(format_args!("{kind}{bytes}"));
    }
    let mut dtype = DType::of_numpy(kind, bytes);
    let mut numpy_type = None;
    if let DType::Bytes(bytes) = dtype {
        let of = numpy(object.py())?.call_method1("asarray", (object,))?.getattr("dtype")?;
        // A copy of their bytes would be a second owner of the objects.
        if of.getattr("hasobject")?.is_truthy()? {
            let message = "its elements are or refer to objects of Python, which are not memory to work on";
            return refuse("array", message);
        }
        if bytes == 0 {
            return refuse("array", "its elements have no bytes");
        }
        match of.getattr("name")?.extract::<String>()?.as_str() {
            "bfloat16" => dtype = DType::BF16,
            _ => numpy_type = Some(of.unbind()),
        }
    }
    let strides = match strides {
        None => row_major(&shape),
        Some(bytes) => {
            let size = dtype.bytes() as i64;
            // A stride of a mode of extent 1 is never used.
            let in_elements = |(&stride, &extent): (&i64, &i64)| match stride % size {
                _ if extent < 2 => Ok(0),
                0 => Ok(stride / size),
                _ => refuse(
                    "array",
                    format!("a stride of {stride} bytes is not a multiple of the {size} bytes of an element"),
                ),
            };
            bytes.iter().zip(&shape).map(in_elements).collect::<Result<_, _>>()?
        }
    };
    Ok((Description { data, element: dtype.bytes(), shape, strides }, dtype, numpy_type))
}

/// The shape and the strides, in elements, of a layout as an array, if each mode has a single stride.
pub fn flat(layout: &Layout) -> Result<(Vec<i64>, Vec<i64>)> {
    if layout.codomain() != Codomain::Integer {
        let message = format!("the strides of {layout} are not integers, and an array has no others");
        return refuse("array", message);
    }
    let (mut shape, mut strides) = (Vec::new(), Vec::new());
    for index in 0..layout.rank() {
        let mode = layout.mode(index)?;
        let one = mode.coalesce();
        let ([] | [_]) = one.leaves() else {
            let message = format!(
                "mode {index}, {mode}, has more than one stride, and a direction of an array has one; `tensor.flatten()` has a mode for each"
            );
            return refuse("array", message);
        };
        shape.push(mode.size());
        strides.push(one.leaves().first().and_then(|leaf| leaf.stride.as_integer()).unwrap_or(0));
    }
    Ok((shape, strides))
}

/// The object from which NumPy makes an array: it has `__array_interface__`, and keeps the memory alive.
#[pyclass(frozen, module = "tilework._core", name = "_Interface")]
pub struct Interface {
    #[pyo3(get)]
    __array_interface__: Py<PyDict>,
    #[allow(dead_code)] // It is held, that is all.
    owner: Py<PyAny>,
}

/// A NumPy array that views part of the memory.
pub fn export<'py>(py: Python<'py>, array: &Array, start: i64, layout: &Layout) -> Result<Object<'py>> {
    let (shape, strides) = flat(layout)?;
    let letters = array.dtype.numpy().ok_or_else(|| no_numpy(array.dtype))?;
    let size = array.dtype.bytes() as i64;
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("typestr", letters)?;
    interface.set_item("shape", PyTuple::new(py, shape)?)?;
    interface.set_item("strides", PyTuple::new(py, strides.iter().map(|stride| stride * size))?)?;
    interface.set_item("data", (array.at(start) as usize, !array.writable))?;
    let holder = Interface { __array_interface__: interface.unbind(), owner: array.owner.clone_ref(py) };
    let made = numpy(py)?.call_method1("asarray", (Bound::new(py, holder)?,))?;
    Ok(match &array.numpy_type {
        Some(of) => made.call_method1("view", (of,))?,
        None => made,
    })
}

/// The same by DLPack.
pub fn export_dlpack<'py>(
    py: Python<'py>,
    array: &Array,
    start: i64,
    layout: &Layout,
    versioned: bool,
) -> Result<Bound<'py, PyCapsule>> {
    let (shape, strides) = flat(layout)?;
    let described = Description { data: array.at(start), element: array.dtype.bytes(), shape, strides };
    dlpack::capsule(py, described, array.dtype, array.writable, array.owner.clone_ref(py), versioned)
}

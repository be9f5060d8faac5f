//! `Tensor`: a layout bound to an array, or to anything else that has elements.
//!
//! Where the elements of a tensor are, what a slice of it is and whether it lies within its memory is what
//! [`tilework::Tensor`] says. Here it stands over an accessor that knows the bounds alone; the elements are Python's.

use crate::array::{self, Array};
use crate::error::Refusal;
use crate::kernels;
use crate::layout;
use crate::operation::{self, row};
use crate::tuple;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};
use std::ops::Range;
use std::sync::Arc;
use tilework::__private::Atom;
use tilework::{
    Accessor, AnyLayout, Codomain, Coord, CountingCoord, HTuple, HasLayout, Layout, Pattern, Rational,
};
use tilework_expr::Value;

/// What a tensor reads, and maybe writes.
#[derive(Clone)]
pub enum Elements {
    /// Memory.
    Array(Arc<Array>),
    /// `items[offset]` of a list, or of whatever has items.
    Items(Arc<Py<PyAny>>, Option<i64>),
    /// The offset itself, which may be a coordinate.
    Counting,
    /// One for all.
    Constant(Arc<Py<PyAny>>),
    /// What a function makes of another accessor's elements.
    Transform(Arc<(Py<PyAny>, Elements)>),
}

/// The offsets that there are, and each as its own element.
#[derive(Clone, Copy, Default)]
pub struct Bounds(Option<(i64, i64)>);

impl Accessor for Bounds {
    type Element = i64;
    type Offset = i64;

    fn read(&self, offset: i64) -> i64 {
        offset
    }

    fn bounds(&self) -> Option<Range<i64>> {
        self.0.map(|(start, end)| start..end)
    }
}

/// Where the elements are.
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant)] // All are large.
pub enum Place {
    /// At offsets into memory.
    Memory(tilework::Tensor<Bounds, AnyLayout>),
    /// At coordinates.
    Coordinates(tilework::Tensor<CountingCoord, Layout>),
}

/// The same for each kind of place.
macro_rules! each {
    ($place:expr, $tensor:ident => $result:expr) => {
        match $place {
            Place::Memory($tensor) => $result,
            Place::Coordinates($tensor) => $result,
        }
    };
}

/// The place that the same method makes of each kind of tensor.
macro_rules! map {
    ($place:expr, $tensor:ident => $result:expr) => {
        match $place {
            Place::Memory($tensor) => Place::Memory($result?),
            Place::Coordinates($tensor) => Place::Coordinates($result?),
        }
    };
}

impl Elements {
    /// What an object has: an array, an accessor or a tensor, or items; where its first element is, and the layout that
    /// it comes with.
    fn of(object: &Bound<'_, PyAny>) -> Result<(Elements, i64, Option<Layout>), Refusal> {
        if let Ok(accessor) = object.cast::<PyAccessor>() {
            return Ok((accessor.get().0.clone(), 0, None));
        }
        if let Ok(tensor) = object.cast::<PyTensor>() {
            return Ok((tensor.get().elements.clone(), tensor.get().start(), None));
        }
        if let Some(placed) = array::import(object)? {
            return Ok((Elements::Array(Arc::new(placed.array)), placed.start, Some(placed.layout)));
        }
        if object.hasattr("__getitem__")? {
            let len = object.len().ok().and_then(|len| i64::try_from(len).ok());
            return Ok((Elements::Items(Arc::new(object.clone().unbind()), len), 0, None));
        }
        Err(Refusal::kind("an array, a list or an accessor", object))
    }

    fn bounds(&self) -> Bounds {
        match self {
            Elements::Array(array) => Bounds(Some((0, array.len as i64))),
            Elements::Items(_, len) => Bounds(len.map(|len| (0, len))),
            Elements::Transform(of) => of.1.bounds(),
            Elements::Counting | Elements::Constant(_) => Bounds(None),
        }
    }

    /// The element at an offset, which the place has found to be in bounds.
    fn read<'py>(&self, offset: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = offset.py();
        match self {
            Elements::Array(array) => {
                let offset = offset.extract::<i64>()?;
                // SAFETY: the offset lies in the memory, which the owner keeps.
                unsafe { array.dtype.read(py, array.at(offset)) }
            }
            Elements::Items(items, _) => items.bind(py).get_item(offset),
            Elements::Counting => Ok(offset.clone()),
            Elements::Constant(value) => Ok(value.bind(py).clone()),
            Elements::Transform(of) => of.0.bind(py).call1((of.1.read(offset)?,)),
        }
    }

    fn write(&self, offset: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> Result<(), Refusal> {
        match self {
            Elements::Array(array) if array.writable => {
                let bytes = array.dtype.encode(value)?;
                let at = array.at(offset.extract::<i64>()?);
                // SAFETY: the offset lies in the memory, and as many bytes as there were encoded are one element.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) };
                Ok(())
            }
            Elements::Array(_) => Err(read_only()),
            Elements::Items(items, _) => Ok(items.bind(offset.py()).set_item(offset, value)?),
            _ => Err(Refusal::new(
                "array",
                "the elements of this accessor are computed, and cannot be written",
            )),
        }
    }
}

/// The refusal to write.
pub fn read_only() -> Refusal {
    Refusal::new("array", "its memory is read-only")
}

/// Something that has an element at each offset, and is no array: what `counting`, `constant` and `transform` make.
#[pyclass(frozen, name = "Accessor", module = "tilework")]
pub struct PyAccessor(Elements);

#[pymethods]
impl PyAccessor {
    /// The element at an offset.
    fn __getitem__<'py>(&self, offset: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let (Some((start, end)), Some(at)) = (self.0.bounds().0, tuple::integer(offset)?)
            && !(start..end).contains(&at)
        {
            return Err(Refusal::from(tilework::Error::Image { min: at, max: at, start, end }).into());
        }
        self.0.read(offset)
    }

    fn __repr__(&self) -> &'static str {
        match self.0 {
            Elements::Counting => "counting()",
            Elements::Constant(_) => "constant(...)",
            Elements::Transform(_) => "transform(...)",
            Elements::Array(_) | Elements::Items(..) => "Accessor",
        }
    }
}

/// The accessor whose element at an offset is the offset; for coordinate strides, the coordinate.
///
/// >>> from tilework import Layout, Tensor, counting, identity
/// >>> list(Tensor(counting(), Layout((2, 3), (10, 1))))
/// [0, 10, 1, 11, 2, 12]
/// >>> Tensor(counting(), identity((4, 8)))[9]
/// (1, 2)
#[pyfunction]
pub fn counting() -> PyAccessor {
    PyAccessor(Elements::Counting)
}

/// The accessor with one element at all offsets.
///
/// >>> from tilework import Layout, Tensor, constant
/// >>> list(Tensor(constant(7), Layout(3)))
/// [7, 7, 7]
#[pyfunction]
pub fn constant(value: Py<PyAny>) -> PyAccessor {
    PyAccessor(Elements::Constant(Arc::new(value)))
}

/// The accessor of what a function makes of another's elements, when they are read.
///
/// >>> from tilework import Layout, Tensor, counting, transform
/// >>> list(Tensor(transform(lambda x: x * x, counting()), Layout(4)))
/// [0, 1, 4, 9]
#[pyfunction]
pub fn transform(function: Py<PyAny>, accessor: &Bound<'_, PyAny>) -> Result<PyAccessor, Refusal> {
    Ok(PyAccessor(Elements::Transform(Arc::new((function, Elements::of(accessor)?.0)))))
}

/// A layout bound to something that has elements: `tensor[c]` is `accessor[offset + layout(c)]`.
///
/// The accessor is an array of NumPy, PyTorch, JAX or whatever speaks DLPack or the buffer protocol, whose memory is
/// used and not copied; or a list; or `counting()`, `constant(x)`, `transform(f, accessor)`. All offsets of the layout
/// have to be there, which is checked when the tensor is made. Offset 0 is the lowest address of an array.
///
/// >>> import numpy as np
/// >>> from tilework import Tensor, _
/// >>> rows = Tensor(np.arange(32), "(4,8):(8,1)")
/// >>> rows[2, 5], rows[22], rows[(2, 5)]
/// (21, 21, 21)
/// >>> second = rows[2, _]
/// >>> print(second.offset, second.layout, second[5])
/// 16 8:1 21
/// >>> np.asarray(second)
/// array([16, 17, 18, 19, 20, 21, 22, 23])
#[pyclass(frozen, name = "Tensor", module = "tilework")]
pub struct PyTensor {
    pub elements: Elements,
    pub place: Place,
}

impl PyTensor {
    /// `(elements + offset) o layout`, checked.
    pub fn with(elements: Elements, offset: &HTuple<Rational>, layout: &Value) -> Result<PyTensor, Refusal> {
        let bounds = elements.bounds();
        let number = || match offset.leaves() {
            [number] if number.is_integer() => Ok(number.numerator()),
            _ => Err(Refusal::new("kind", "an offset into memory is an integer")),
        };
        let place = match layout {
            Value::Composed(composed) => memory(bounds, number()?, *composed)?,
            Value::Layout(layout) if layout.codomain() == Codomain::Coordinate && bounds.0.is_none() => {
                let leaves: Vec<i64> = offset.leaves().iter().map(|leaf| leaf.numerator()).collect();
                let start = HTuple::with_profile(offset.profile(), &leaves, 0)?;
                Place::Coordinates(tilework::Tensor::with_offset(CountingCoord, start, *layout)?)
            }
            Value::Layout(layout) => memory(bounds, number()?, *layout)?,
            other => {
                let message = format!("a layout is bound to memory, and this is {}", other.kind());
                return Err(Refusal::new("kind", message));
            }
        };
        Ok(PyTensor { elements, place })
    }

    /// The tensor that an array is, or a tensor as it is.
    pub fn of(object: &Bound<'_, PyAny>) -> Result<PyTensor, Refusal> {
        if let Ok(tensor) = object.cast::<PyTensor>() {
            return Ok(tensor.get().again(tensor.get().place));
        }
        match Elements::of(object)? {
            (elements, start, Some(layout)) => {
                let start = HTuple::leaf(Rational::integer(start));
                PyTensor::with(elements, &start, &Value::Layout(layout))
            }
            _ => Err(Refusal::kind("an array or a tensor", object)),
        }
    }

    /// The same elements at another place.
    fn again(&self, place: Place) -> PyTensor {
        PyTensor { elements: self.elements.clone(), place }
    }

    pub fn layout(&self) -> &Layout {
        each!(&self.place, tensor => tensor.layout().as_layout())
    }

    /// Whether the layout is swizzled.
    pub fn is_swizzled(&self) -> bool {
        matches!(&self.place, Place::Memory(tensor) if matches!(tensor.layout(), AnyLayout::Swizzled(_)))
    }

    fn layout_value(&self) -> Value {
        match each!(&self.place, tensor => tensor.layout().to_any()) {
            AnyLayout::Plain(layout) => Value::Layout(layout),
            AnyLayout::Swizzled(composed) => Value::Composed(composed),
        }
    }

    /// Offset and layout as one function of coordinates.
    pub fn function(&self) -> Result<Value, Refusal> {
        let offset = match &self.place {
            Place::Memory(tensor) if tensor.offset() == 0 => return Ok(self.layout_value()),
            Place::Memory(_) if self.is_swizzled() => {
                return Err(Refusal::new(
                    "kind",
                    "an offset before and one behind a swizzle are no one layout",
                ));
            }
            Place::Memory(tensor) => HTuple::leaf(Rational::integer(tensor.offset())),
            Place::Coordinates(tensor) => rationals(&tensor.offset())?,
        };
        Ok(Value::View(tilework::View::new(offset, *self.layout())?))
    }

    /// The offset, where it is an integer.
    fn start(&self) -> i64 {
        match &self.place {
            Place::Memory(tensor) => tensor.offset(),
            Place::Coordinates(_) => 0,
        }
    }

    /// The same with the layout below exchanged.
    pub fn arranged(&self, layout: &Layout) -> Result<PyTensor, Refusal> {
        Ok(self.again(map!(&self.place, tensor => tensor.map_layout(|_| Ok(*layout)))))
    }

    /// What a function of the table makes of the layout.
    fn change(
        &self,
        function: &tilework_expr::Function,
        arguments: &[Option<&Bound<'_, PyAny>>],
    ) -> Result<PyTensor, Refusal> {
        let mut values = vec![Value::Layout(*self.layout())];
        for argument in arguments.iter().flatten() {
            values.push(tuple::value(argument)?);
        }
        match operation::run(function, &values, &[])? {
            Value::Layout(layout) => self.arranged(&layout),
            other => {
                Err(Refusal::new("kind", format!("this gives {}, and a tensor has a layout", other.kind())))
            }
        }
    }

    /// The offset of a coordinate, as Python has it.
    fn locate<'py>(&self, py: Python<'py>, coord: &Coord) -> PyResult<Bound<'py, PyAny>> {
        match &self.place {
            Place::Memory(tensor) => tensor.try_at(coord).map_err(Refusal::from)?.into_bound_py_any(py),
            Place::Coordinates(tensor) => {
                let offset = tensor.try_at(coord).map_err(Refusal::from)?;
                tuple::object(py, Value::integers(&offset).map_err(Refusal::from)?)
            }
        }
    }

    fn sliced(&self, pattern: &Pattern) -> Result<PyTensor, Refusal> {
        Ok(self.again(map!(&self.place, tensor => tensor.slice(*pattern))))
    }

    /// The memory and the plain layout in it, for those that need both.
    fn memory(&self) -> Result<(&Array, i64, &Layout), Refusal> {
        match &self.elements {
            Elements::Array(_) if self.is_swizzled() => {
                Err(Refusal::new("array", "its layout is swizzled, and the strides of an array are not"))
            }
            Elements::Array(array) => Ok((array, self.start(), self.layout())),
            _ => Err(Refusal::new("array", "its elements are not in the memory of an array")),
        }
    }
}

/// A checked place in memory.
fn memory(bounds: Bounds, start: i64, layout: impl Into<AnyLayout>) -> Result<Place, Refusal> {
    Ok(Place::Memory(tilework::Tensor::with_offset(bounds, start, layout.into())?))
}

/// Offset and layout, as Python has them.
fn bound(
    layout: &Bound<'_, PyAny>,
    offset: Option<&Bound<'_, PyAny>>,
) -> Result<(HTuple<Rational>, Value), Refusal> {
    let zero = HTuple::leaf(Rational::ZERO);
    let offset = match offset {
        Some(offset) => {
            tuple::value(offset)?.as_offset().ok_or_else(|| Refusal::kind("an offset", offset))?
        }
        None => zero,
    };
    match tuple::value(layout)? {
        Value::View(view) if offset == zero => Ok((*view.offset(), Value::Layout(*view.layout()))),
        Value::View(_) => Err(Refusal::new("arguments", "the layout has an offset of its own")),
        value @ Value::Composed(_) => Ok((offset, value)),
        value => match value.as_layout() {
            Some(plain) => Ok((offset, Value::Layout(plain?))),
            None => Err(Refusal::kind("a layout", layout)),
        },
    }
}

#[pymethods]
impl PyTensor {
    #[new]
    #[pyo3(signature = (accessor, layout=None, offset=None))]
    fn new(
        accessor: &Bound<'_, PyAny>,
        layout: Option<&Bound<'_, PyAny>>,
        offset: Option<&Bound<'_, PyAny>>,
    ) -> Result<PyTensor, Refusal> {
        match layout {
            Some(layout) => {
                let (offset, layout) = bound(layout, offset)?;
                PyTensor::with(Elements::of(accessor)?.0, &offset, &layout)
            }
            None if offset.is_none() => PyTensor::of(accessor),
            None => Err(Refusal::new("arguments", "an offset goes with a layout")),
        }
    }

    /// The tensor that an array is, with its strides as a layout; the memory is that of the array.
    ///
    /// >>> import numpy as np
    /// >>> from tilework import Tensor
    /// >>> print(Tensor.from_array(np.zeros((4, 8), "f4").T).layout)
    /// (8,4):(1,8)
    /// >>> reversed = Tensor.from_array(np.arange(4)[::-1])
    /// >>> print(reversed.layout, reversed.offset, reversed[0])
    /// 4:-1 3 3
    #[staticmethod]
    fn from_array(array: &Bound<'_, PyAny>) -> Result<PyTensor, Refusal> {
        PyTensor::of(array)
    }

    /// The layout, without the offset.
    #[getter(layout)]
    fn layout_object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        layout::object(py, self.layout_value())
    }

    /// What is added to the offsets of the layout.
    #[getter]
    fn offset<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.place {
            Place::Coordinates(tensor) => {
                tuple::object(py, Value::integers(&tensor.offset()).map_err(Refusal::from)?)
            }
            _ => self.start().into_bound_py_any(py),
        }
    }

    /// The extents, as nested as the layout.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        tuple::object(py, Value::integers(&self.layout().shape()).map_err(Refusal::from)?)
    }

    /// The strides, as nested as the layout.
    #[getter]
    fn stride<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        tuple::object(py, Value::strides(&self.layout().stride()).map_err(Refusal::from)?)
    }

    /// The name of the type of the elements; `None` where they are not in the memory of an array.
    #[getter]
    fn dtype(&self) -> Option<String> {
        match &self.elements {
            Elements::Array(array) => Some(array.dtype.name()),
            _ => None,
        }
    }

    /// The number of coordinates.
    fn size(&self) -> i64 {
        self.layout().size()
    }

    /// The number of modes.
    fn rank(&self) -> usize {
        self.layout().rank()
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.size()).unwrap_or(usize::MAX)
    }

    fn __getitem__<'py>(&self, coordinate: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = coordinate.py();
        if let Some(coord) = tuple::coordinate_of(coordinate)? {
            return self.elements.read(&self.locate(py, &coord)?);
        }
        let whole = tuple::tuple(coordinate)?;
        match whole.integers(0) {
            Ok(coord) => self.elements.read(&self.locate(py, &coord)?),
            Err(_) => Bound::new(py, self.sliced(&pattern(&whole)?)?)?.into_bound_py_any(py),
        }
    }

    fn __setitem__(&self, coordinate: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> Result<(), Refusal> {
        let whole = tuple::tuple(coordinate)?;
        match whole.integers(0) {
            Ok(coord) => self.elements.write(&self.locate(coordinate.py(), &coord)?, value),
            Err(_) => self.sliced(&pattern(&whole)?)?.assign(value),
        }
    }

    /// Goes through the elements in the order of the coordinates, the first mode fastest.
    fn __iter__(slf: &Bound<'_, Self>) -> TensorIterator {
        TensorIterator { tensor: slf.clone().unbind(), next: 0 }
    }

    /// Writes one value to all elements, or those of an array or tensor of the same size.
    fn assign(&self, value: &Bound<'_, PyAny>) -> Result<(), Refusal> {
        let py = value.py();
        let is_array = value.is_instance_of::<PyTensor>()
            || value.hasattr("__array_interface__")? && value.hasattr("__len__")? && value.len().is_ok()
            || value.hasattr("__dlpack__")?;
        if is_array {
            let source = PyTensor::of(value)?;
            if let (Elements::Array(_), Elements::Array(_)) = (&source.elements, &self.elements) {
                return kernels::copy_tensors(py, &source, self, 1);
            }
            let (from, to) = (source.size(), self.size());
            if from != to {
                return Err(
                    tilework::Error::Size { operation: "an assignment", expected: to, found: from }.into()
                );
            }
            for index in 0..to {
                let coord = HTuple::leaf(index);
                let element = source.elements.read(&source.locate(py, &coord)?)?;
                self.elements.write(&self.locate(py, &coord)?, &element)?;
            }
            return Ok(());
        }
        if let Elements::Array(array) = &self.elements {
            return kernels::fill(py, self, &array.dtype.encode(value)?);
        }
        for index in 0..self.size() {
            self.elements.write(&self.locate(py, &HTuple::leaf(index))?, value)?;
        }
        Ok(())
    }

    /// The elements in a list, in the order of the coordinates.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for index in 0..self.size() {
            list.append(self.elements.read(&self.locate(py, &HTuple::leaf(index))?)?)?;
        }
        Ok(list)
    }

    /// The array of NumPy that shows these elements, where each mode has one stride; nothing is copied.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (array, start, layout) = self.memory()?;
        let shown = array::export(py, array, start, layout)?;
        let options = PyDict::new(py);
        if let Some(dtype) = dtype {
            options.set_item("dtype", dtype)?;
        }
        match (dtype, copy) {
            (_, Some(true)) => Ok(array::numpy(py)?.call_method("array", (shown,), Some(&options))?),
            (None, _) => Ok(shown),
            (Some(dtype), Some(false)) if !shown.getattr("dtype")?.eq(dtype)? => {
                let message = "elements of another type are a copy, and none was to be made";
                Err(Refusal::new("array", message).into())
            }
            _ => Ok(array::numpy(py)?.call_method("asarray", (shown,), Some(&options))?),
        }
    }

    /// The same for PyTorch, JAX and others, `torch.from_dlpack(tensor)`.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    #[allow(unused_variables)]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> Result<Bound<'py, PyCapsule>, Refusal> {
        if copy == Some(true) || dl_device.is_some_and(|(device, _)| device != 1) {
            let message = "a tensor is given without a copy, on the processor, or not at all";
            return Err(pyo3::exceptions::PyBufferError::new_err(message).into());
        }
        let (array, start, layout) = self.memory()?;
        array::export_dlpack(py, array, start, layout, max_version.is_some_and(|(major, _)| major >= 1))
    }

    /// The processor's memory.
    fn __dlpack_device__(&self) -> (i32, i32) {
        (1, 0)
    }

    /// The same elements and offset by another layout.
    fn with_layout(&self, layout: &Bound<'_, PyAny>) -> Result<PyTensor, Refusal> {
        let offset = match &self.place {
            Place::Coordinates(tensor) => {
                let start = tensor.offset();
                let leaves: Vec<Rational> =
                    start.leaves().iter().map(|&leaf| Rational::integer(leaf)).collect();
                HTuple::with_profile(start.profile(), &leaves, Rational::ZERO)?
            }
            _ => HTuple::leaf(Rational::integer(self.start())),
        };
        PyTensor::with(self.elements.clone(), &offset, &bound(layout, None)?.1)
    }

    /// The tile at a coordinate of the rest, CuTe's `local_tile`; modes that the coordinate leaves open stay.
    ///
    /// >>> from tilework import Layout, Tensor, counting
    /// >>> matrix = Tensor(counting(), Layout((8, 16), (16, 1)))
    /// >>> print(matrix.local_tile((4, 8), (1, 1)))
    /// {72} o (4,8):(16,1)
    fn local_tile(
        &self,
        tiler: &Bound<'_, PyAny>,
        coordinate: &Bound<'_, PyAny>,
    ) -> Result<PyTensor, Refusal> {
        let value = tuple::value(tiler)?;
        let tiler = value.as_tiler().ok_or_else(|| Refusal::kind("a tiler", tiler))??;
        let at = pattern(&tuple::tuple(coordinate)?)?;
        Ok(self.again(map!(&self.place, tensor => tensor.local_tile(&tiler, at))))
    }

    /// What one thread has of each tile, CuTe's `local_partition`.
    ///
    /// >>> from tilework import Layout, Tensor, counting
    /// >>> matrix = Tensor(counting(), Layout((8, 16), (16, 1)))
    /// >>> print(matrix.local_partition("(4,8):(8,1)", 9))
    /// {17} o (2,2):(64,8)
    fn local_partition(&self, threads: &Bound<'_, PyAny>, index: i64) -> Result<PyTensor, Refusal> {
        let threads = layout::as_layout(threads)?;
        Ok(self.again(map!(&self.place, tensor => tensor.local_partition(&threads, index))))
    }

    /// The tensor that begins at a coordinate of this one, CuTe's `domain_offset`.
    fn domain_offset(&self, coordinate: &Bound<'_, PyAny>) -> Result<PyTensor, Refusal> {
        let at = tuple::tuple(coordinate)?.integers(0)?;
        Ok(self.again(map!(&self.place, tensor => tensor.domain_offset(&at))))
    }

    /// `{offset} o layout`.
    fn __str__(&self) -> String {
        each!(&self.place, tensor => format!("{tensor:?}"))
    }

    fn __repr__(&self) -> String {
        match self.dtype() {
            Some(dtype) => format!("<Tensor {self} of {dtype}>", self = self.__str__()),
            None => format!("<Tensor {}>", self.__str__()),
        }
    }
}

/// A coordinate as an offset.
fn rationals(coord: &Coord) -> Result<HTuple<Rational>, tilework::Error> {
    let leaves: Vec<Rational> = coord.leaves().iter().map(|&leaf| Rational::integer(leaf)).collect();
    HTuple::with_profile(coord.profile(), &leaves, Rational::ZERO)
}

/// A tuple with `_` as a pattern.
fn pattern(tuple: &HTuple<Atom>) -> Result<Pattern, Refusal> {
    Ok(tuple.pattern(0)?)
}

/// The same elements in another order: the functions of the table that make of one layout another.
macro_rules! arrangements {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),* $(; $option:ident)?);)*) => {
        #[pymethods]
        impl PyTensor {$(
            $(#[$doc])*
            #[pyo3(signature = ($($argument,)* $($option = None)?))]
            fn $name(
                &self,
                $($argument: &Bound<'_, PyAny>,)*
                $($option: Option<&Bound<'_, PyAny>>,)?
            ) -> Result<PyTensor, Refusal> {
                self.change(row!(stringify!($name)), &[$(Some($argument),)* $($option)?])
            }
        )*}
    };
}

arrangements! {
    /// The elements in the order of another layout, or of a tiler mode by mode.
    composition(other);
    /// Each mode split into (tile, rest).
    logical_divide(tiler);
    /// All tiles in mode 0, all places in mode 1.
    zipped_divide(tiler);
    /// All tiles in mode 0, one mode for each of the places'.
    tiled_divide(tiler);
    /// One mode for each of the tiles' and the places'.
    flat_divide(tiler);
    /// The same elements in as few modes as possible, of the whole or mode by mode.
    coalesce(; profile);
    /// The leaves as modes.
    flatten();
    /// Modes `begin` to `end` as one mode.
    group(begin, end);
    /// Modes `begin` to `end` alone, at 0 in the others.
    take(begin, end);
}

#[pymethods]
impl PyTensor {
    /// The named modes in the order given, at 0 in the others.
    #[pyo3(signature = (*modes))]
    fn select(&self, modes: &Bound<'_, PyTuple>) -> Result<PyTensor, Refusal> {
        self.change(row!("select"), &[Some(modes.as_any())])
    }

    /// The elements in the order of another layout, or of a tiler mode by mode.
    fn __matmul__(&self, other: &Bound<'_, PyAny>) -> Result<PyTensor, Refusal> {
        self.composition(other)
    }
}

/// Goes through a tensor.
#[pyclass(module = "tilework._core", name = "_TensorIterator")]
pub struct TensorIterator {
    tensor: Py<PyTensor>,
    next: i64,
}

#[pymethods]
impl TensorIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let tensor = self.tensor.get();
        if self.next >= tensor.size() {
            return Ok(None);
        }
        self.next += 1;
        tensor.elements.read(&tensor.locate(py, &HTuple::leaf(self.next - 1))?).map(Some)
    }
}

//! `Tensor`: a layout bound to an array, or to any other elements.

use crate::arguments;
use crate::array;
use crate::classes;
use crate::copies;
use crate::elements::{Elements, Place, PlaceOffset, PyAccessor, PyTensor, each, map, rationals};
use crate::members::attributes;
use crate::operation::row;
use crate::prelude::*;
use crate::tuple;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use tilework::__private::Atom;
use tilework::{HTuple, Pattern, Rational};
use tilework_expr::Value;

#[pymethods]
impl PyAccessor {
    /// The element at an offset.
    fn __getitem__<'py>(&self, offset: &Object<'py>) -> Made<'py> {
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
            Elements::Predicated(_) => "predicated(...)",
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

/// The accessor of a function's results for another's elements, computed when they are read.
///
/// >>> from tilework import Layout, Tensor, counting, transform
/// >>> list(Tensor(transform(lambda x: x * x, counting()), Layout(4)))
/// [0, 1, 4, 9]
#[pyfunction]
pub fn transform(function: Py<PyAny>, accessor: &Object<'_>) -> Result<PyAccessor> {
    Ok(PyAccessor(Elements::Transform(Arc::new((function, Elements::of(accessor)?.0)))))
}

/// Offset and layout as Python objects.
fn bound(layout: &Object<'_>, offset: Option<&Object<'_>>) -> Result<(HTuple<Rational>, Value)> {
    let zero = HTuple::leaf(Rational::ZERO);
    let offset = match offset {
        Some(offset) => arguments::offset(offset)?,
        None => zero,
    };
    match tuple::value(layout)?.untyped() {
        Value::View(view) if offset == zero => Ok((*view.offset(), Value::from(*view.layout()))),
        Value::View(_) => refuse("arguments", "the layout has an offset of its own"),
        value @ Value::Composed(_) => Ok((offset, value.clone())),
        value => match value.as_layout() {
            Some(plain) => Ok((offset, Value::from(plain?))),
            None => Err(Refusal::kind("a layout", layout)),
        },
    }
}

#[pymethods]
impl PyTensor {
    #[new]
    #[pyo3(signature = (accessor, layout=None, offset=None))]
    fn new(
        accessor: &Object<'_>,
        layout: Option<&Object<'_>>,
        offset: Option<&Object<'_>>,
    ) -> Result<PyTensor> {
        match layout {
            Some(layout) => {
                let (offset, layout) = bound(layout, offset)?;
                PyTensor::with(Elements::of(accessor)?.0, &offset, &layout)
            }
            None if offset.is_none() => PyTensor::of(accessor),
            None => refuse("arguments", "an offset goes with a layout"),
        }
    }

    /// The tensor of an array, with its strides as a layout; it shares the memory of the array.
    ///
    /// >>> import numpy as np
    /// >>> from tilework import Tensor
    /// >>> print(Tensor.from_array(np.zeros((4, 8), "f4").T).layout)
    /// (8,4):(1,8)
    /// >>> reversed = Tensor.from_array(np.arange(4)[::-1])
    /// >>> print(reversed.layout, reversed.offset, reversed[0])
    /// (4):(-1) 3 3
    #[staticmethod]
    fn from_array(array: &Object<'_>) -> Result<PyTensor> {
        PyTensor::of(array)
    }

    /// The layout, without the offset.
    #[getter(layout)]
    fn layout_object<'py>(&self, py: Python<'py>) -> Made<'py> {
        classes::object(py, self.layout_value())
    }

    /// The name of the type of the elements; `None` if they are not in the memory of an array.
    #[getter]
    fn dtype(&self) -> Option<String> {
        match &self.elements {
            Elements::Array(array) => Some(array.type_name()),
            _ => None,
        }
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.layout().size()).unwrap_or(usize::MAX)
    }

    fn __getitem__<'py>(&self, coordinate: &Object<'py>) -> Made<'py> {
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

    /// `tensor(c)`, as a layout is called: the element of a coordinate, or the part that `_` leaves.
    #[pyo3(signature = (*coordinate))]
    fn __call__<'py>(&self, coordinate: &Bound<'py, PyTuple>) -> Made<'py> {
        match coordinate.len() {
            1 => self.__getitem__(&coordinate.get_item(0)?),
            _ => self.__getitem__(coordinate),
        }
    }

    fn __setitem__(&self, coordinate: &Object<'_>, value: &Object<'_>) -> Result<()> {
        let whole = tuple::tuple(coordinate)?;
        match whole.integers(0) {
            Ok(coord) => self.elements.write(&self.locate(coordinate.py(), &coord)?, value),
            Err(_) => self.sliced(&pattern(&whole)?)?.assign(value),
        }
    }

    /// Iterates over the elements in the order of the coordinates, the first mode fastest.
    fn __iter__(slf: &Bound<'_, Self>) -> TensorIterator {
        TensorIterator { tensor: slf.clone().unbind(), next: AtomicI64::new(0) }
    }

    /// Writes one value to all elements, or those of an array or tensor of the same size.
    fn assign(&self, value: &Object<'_>) -> Result<()> {
        let py = value.py();
        let is_array = value.is_instance_of::<PyTensor>()
            || value.hasattr("__array_interface__")? && value.hasattr("__len__")? && value.len().is_ok()
            || value.hasattr("__dlpack__")?;
        if is_array {
            let source = PyTensor::of(value)?;
            if let (Elements::Array(_), Elements::Array(_)) = (&source.elements, &self.elements) {
                return copies::copy_tensors(py, &source, self, 1);
            }
            let (from, to) = (source.layout().size(), self.layout().size());
            if from != to {
                return Err(
                    tilework::Error::Size { operation: "an assignment", expected: to, found: from }.into()
                );
            }
            return (0..to).try_for_each(|index| self.set_element(index, &source.element(py, index)?));
        }
        if let Elements::Array(array) = &self.elements {
            return copies::fill(py, self, &array.dtype.encode(value)?);
        }
        (0..self.layout().size()).try_for_each(|index| self.set_element(index, value))
    }

    /// The elements in a list, in the order of the coordinates.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for index in 0..self.layout().size() {
            list.append(self.element(py, index)?)?;
        }
        Ok(list)
    }

    /// A NumPy array that views these elements, if each mode has one stride; nothing is copied.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(&self, py: Python<'py>, dtype: Option<&Object<'py>>, copy: Option<bool>) -> Made<'py> {
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
        stream: Option<&Object<'py>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> Result<Bound<'py, PyCapsule>> {
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

    /// The same elements and offset with another layout.
    fn with_layout(&self, layout: &Object<'_>) -> Result<PyTensor> {
        let offset = match &self.place {
            Place::Coordinates(tensor) => rationals(&tensor.offset())?,
            _ => HTuple::leaf(Rational::integer(self.start())),
        };
        PyTensor::with(self.elements.clone(), &offset, &bound(layout, None)?.1)
    }

    /// The tile at a coordinate of the rest, CuTe's `local_tile`; modes that the coordinate does not fix are kept.
    ///
    /// >>> from tilework import Layout, Tensor, counting
    /// >>> matrix = Tensor(counting(), Layout((8, 16), (16, 1)))
    /// >>> matrix.local_tile((4, 8), (1, 1))
    /// <Tensor {72} o (4,8):(16,1)>
    fn local_tile(&self, tiler: &Object<'_>, coordinate: &Object<'_>) -> Result<PyTensor> {
        let tiler = arguments::tiler(tiler)?;
        let at = pattern(&tuple::tuple(coordinate)?)?;
        Ok(self.again(map!(&self.place, tensor => tensor.local_tile(&tiler, at))))
    }

    /// The elements of each tile that one thread has, CuTe's `local_partition`.
    ///
    /// >>> from tilework import Layout, Tensor, counting
    /// >>> matrix = Tensor(counting(), Layout((8, 16), (16, 1)))
    /// >>> print(matrix.local_partition("(4,8):(8,1)", 9))
    /// {17} o (2,2):(64,8)
    /// 17 25
    /// 81 89
    fn local_partition(&self, threads: &Object<'_>, index: i64) -> Result<PyTensor> {
        let threads = arguments::layout(threads)?;
        Ok(self.again(map!(&self.place, tensor => tensor.local_partition(&threads, index))))
    }

    /// The elements by coordinate, and `None` out of bounds, so that tiles need not divide the tensor. Writes out of
    /// bounds have no effect.
    ///
    /// >>> import numpy as np
    /// >>> from tilework import Tensor, _
    /// >>> ragged = Tensor(np.arange(15).reshape(3, 5)).predicated()
    /// >>> tiles = ragged.tiled_divide((2, 4))
    /// >>> tiles.shape, tiles[_, 1, 1].tolist()
    /// (((2, 4), 2, 2), [14, None, None, None, None, None, None, None])
    fn predicated(&self) -> Result<PyTensor> {
        self.predicate()
    }

    /// The tensor that begins at a coordinate of this one, CuTe's `domain_offset`.
    fn domain_offset(&self, coordinate: &Object<'_>) -> Result<PyTensor> {
        let at = tuple::tuple(coordinate)?.integers(0)?;
        Ok(self.again(map!(&self.place, tensor => tensor.domain_offset(&at))))
    }

    /// Offset and layout, and below them the elements: at most 64 rows, 64 columns and 16 matrices.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let failed = Cell::new(None);
        let text = each!(&self.place, tensor => tensor.map(|offset| {
            self.elements.text(py, offset).unwrap_or_else(|error| {
                failed.set(Some(error));
                String::new()
            })
        }).to_string());
        failed.take().map_or(Ok(text), Err)
    }

    fn __repr__(&self) -> String {
        let place = each!(&self.place, tensor => format!("{tensor:?}"));
        match self.dtype() {
            Some(dtype) => format!("<Tensor {place} of {dtype}>"),
            None => format!("<Tensor {place}>"),
        }
    }
}

attributes! {
    PyTensor:
    /// The number that is added to the offsets of the layout.
    offset: Made<'py> = |tensor, py| match &tensor.place {
        Place::Coordinates(tensor) => tensor.offset().object(py),
        _ => tensor.start().object(py),
    };
    /// The extents, nested like the layout.
    shape: Made<'py> =
        |tensor, py| tuple::integers_object(py, &tensor.layout().shape());
    /// The strides, nested like the layout.
    stride: Made<'py> =
        |tensor, py| tuple::object(py, Value::strides(&tensor.layout().stride()).map_err(Refusal::from)?);
    /// The number of coordinates.
    size: i64 = |tensor| tensor.layout().size();
    /// The number of modes.
    rank: usize = |tensor| tensor.layout().rank();
}

/// A tuple with `_` as a pattern.
fn pattern(tuple: &HTuple<Atom>) -> Result<Pattern> {
    Ok(tuple.pattern(0)?)
}

/// The same elements in another order, by the functions of the table that map a layout to a layout.
macro_rules! arrangements {
    ($($(#[$doc:meta])* $name:ident($($argument:ident),* $(; $option:ident)?);)*) => {
        #[pymethods]
        impl PyTensor {$(
            $(#[$doc])*
            #[pyo3(signature = ($($argument,)* $($option = None)?))]
            fn $name(
                &self,
                $($argument: &Object<'_>,)*
                $($option: Option<&Object<'_>>,)?
            ) -> Result<PyTensor> {
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
    /// All tiles in mode 0, all rests in mode 1.
    zipped_divide(tiler);
    /// All tiles in mode 0, and a mode for each rest.
    tiled_divide(tiler);
    /// A mode for each tile and each rest.
    flat_divide(tiler);
    /// The same elements in the fewest modes, for the whole layout or mode by mode.
    coalesce(; profile);
    /// The leaves as modes.
    flatten();
    /// Modes `begin` to `end`, or those of a tuple, as one mode.
    group(begin; end);
    /// Modes `begin` to `end` only, at 0 in the others.
    take(begin, end);
}

#[pymethods]
impl PyTensor {
    /// The named modes in the order given, at 0 in the others.
    #[pyo3(signature = (*modes))]
    fn select(&self, modes: &Bound<'_, PyTuple>) -> Result<PyTensor> {
        self.change(row!("select"), &[Some(modes.as_any())])
    }

    /// The elements in the order of another layout, or of a tiler mode by mode.
    fn __matmul__(&self, other: &Object<'_>) -> Result<PyTensor> {
        self.composition(other)
    }
}

/// Goes through a tensor.
#[pyclass(frozen, module = "tilework._core", name = "_TensorIterator")]
pub struct TensorIterator {
    tensor: Py<PyTensor>,
    // Threads that share the iterator get each element once.
    next: AtomicI64,
}

#[pymethods]
impl TensorIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Object<'py>>> {
        let tensor = self.tensor.get();
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        if index >= tensor.layout().size() {
            self.next.store(tensor.layout().size(), Ordering::Relaxed);
            return Ok(None);
        }
        tensor.element(py, index).map(Some)
    }
}

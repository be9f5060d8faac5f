//! The elements of tensors and accessors: where they are, and how one is read and written.
//!
//! [`tilework::Tensor`] computes slices and checks that they are within memory. Here its accessor knows only the
//! bounds; the elements belong to Python.

use crate::array::{self, Array, read_only};
use crate::dtype::DType;
use crate::prelude::*;
use crate::tuple;
use std::ops::Range;
use std::sync::Arc;
use tilework::{
    Accessor, AnyLayout, Codomain, Coord, CountingCoord, HTuple, HasLayout, Layout, Pattern, Rational,
};
use tilework_expr::Value;

/// The source of a tensor's elements.
#[derive(Clone)]
pub enum Elements {
    /// Memory.
    Array(Arc<Array>),
    /// `items[offset]` of a list, or of anything with items.
    Items(Arc<Py<PyAny>>, Option<i64>),
    /// The offset itself; it may be a coordinate.
    Counting,
    /// One element for all offsets.
    Constant(Arc<Py<PyAny>>),
    /// The results of a function for another accessor's elements.
    Transform(Arc<(Py<PyAny>, Elements)>),
    /// The elements of a tensor by coordinate, and `None` out of bounds.
    Predicated(Arc<PyTensor>),
}

/// The valid offsets, each as its own element.
#[derive(Clone, Copy, Default)]
pub struct Bounds(pub Option<(i64, i64)>);

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

/// The place of the elements.
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant)] // All are large.
pub enum Place {
    /// At offsets into memory.
    Memory(tilework::Tensor<Bounds, AnyLayout>),
    /// At coordinates.
    Coordinates(tilework::Tensor<CountingCoord, Layout>),
}

/// An offset as Python has it.
pub trait PlaceOffset<'py> {
    fn object(self, py: Python<'py>) -> Made<'py>;
}

impl<'py> PlaceOffset<'py> for i64 {
    fn object(self, py: Python<'py>) -> Made<'py> {
        self.into_bound_py_any(py)
    }
}

impl<'py> PlaceOffset<'py> for Coord {
    fn object(self, py: Python<'py>) -> Made<'py> {
        tuple::integers_object(py, &self)
    }
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
pub(crate) use each;

/// Applies the same method to each kind of tensor.
macro_rules! map {
    ($place:expr, $tensor:ident => $result:expr) => {
        match $place {
            Place::Memory($tensor) => Place::Memory($result?),
            Place::Coordinates($tensor) => Place::Coordinates($result?),
        }
    };
}
pub(crate) use map;

impl Elements {
    /// The elements of an array, an accessor, a tensor, or an object with items; the offset of the first one, and the
    /// layout of the object.
    pub fn of(object: &Object<'_>) -> Result<(Elements, i64, Option<Layout>)> {
        Elements::of_any(object)?.ok_or_else(|| Refusal::kind("an array, a list or an accessor", object))
    }

    /// The same; `None` for an object without elements.
    fn of_any(object: &Object<'_>) -> Result<Option<(Elements, i64, Option<Layout>)>> {
        if let Ok(accessor) = object.cast::<PyAccessor>() {
            return Ok(Some((accessor.get().0.clone(), 0, None)));
        }
        if let Ok(tensor) = object.cast::<PyTensor>() {
            return Ok(Some((tensor.get().elements.clone(), tensor.get().start(), None)));
        }
        if let Some(placed) = array::import(object)? {
            return Ok(Some((Elements::Array(Arc::new(placed.array)), placed.start, Some(placed.layout))));
        }
        if object.hasattr("__getitem__")? {
            let len = object.len().ok().and_then(|len| i64::try_from(len).ok());
            return Ok(Some((Elements::Items(Arc::new(object.clone().unbind()), len), 0, None)));
        }
        Ok(None)
    }

    pub fn bounds(&self) -> Bounds {
        match self {
            Elements::Array(array) => Bounds(Some((0, array.len as i64))),
            Elements::Items(_, len) => Bounds(len.map(|len| (0, len))),
            Elements::Transform(of) => of.1.bounds(),
            Elements::Counting | Elements::Constant(_) | Elements::Predicated(_) => Bounds(None),
        }
    }

    /// The element at an offset that was checked to be in bounds.
    pub fn read<'py>(&self, offset: &Object<'py>) -> Made<'py> {
        let py = offset.py();
        match self {
            Elements::Array(array) => {
                let offset = offset.extract::<i64>()?;
                // SAFETY: the offset is within the memory, which the owner keeps alive.
                unsafe { array.dtype.read(py, array.at(offset)) }
            }
            Elements::Items(items, _) => items.bind(py).get_item(offset),
            Elements::Counting => Ok(offset.clone()),
            Elements::Constant(value) => Ok(value.bind(py).clone()),
            Elements::Transform(of) => of.0.bind(py).call1((of.1.read(offset)?,)),
            Elements::Predicated(tensor) => match tensor.within(offset)? {
                Some(offset) => tensor.elements.read(&offset),
                None => Ok(py.None().into_bound(py)),
            },
        }
    }

    /// The element at an offset as it is printed.
    pub fn text<'py>(&self, py: Python<'py>, offset: impl PlaceOffset<'py>) -> PyResult<String> {
        let offset = offset.object(py)?;
        let element = match self {
            Elements::Array(array) => {
                let offset = offset.extract::<i64>()?;
                // SAFETY: the offset is within the memory, which the owner keeps.
                unsafe { array.dtype.read_short(py, array.at(offset))? }
            }
            _ => self.read(&offset)?,
        };
        Ok(element.str()?.to_string())
    }

    pub fn write(&self, offset: &Object<'_>, value: &Object<'_>) -> Result<()> {
        match self {
            Elements::Array(array) if array.writable => {
                let bytes = array.dtype.encode(value)?;
                let at = array.at(offset.extract::<i64>()?);
                // SAFETY: the offset is within the memory, and the encoded bytes are one element.
                unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) };
                Ok(())
            }
            Elements::Array(_) => Err(read_only()),
            Elements::Items(items, _) => Ok(items.bind(offset.py()).set_item(offset, value)?),
            Elements::Predicated(tensor) => match tensor.within(offset)? {
                Some(offset) if !value.is_none() => tensor.elements.write(&offset, value),
                _ => Ok(()),
            },
            _ => refuse("array", "the elements of this accessor are computed, and cannot be written"),
        }
    }
}

/// An object with an element at each offset that is not an array: the result of `counting`, `constant` and `transform`.
#[pyclass(frozen, name = "Accessor", module = "tilework")]
pub struct PyAccessor(pub Elements);

/// A layout bound to elements: `tensor[c]` is `accessor[offset + layout(c)]`.
///
/// The accessor is an array of NumPy, PyTorch, JAX or any other library with DLPack or the buffer protocol, whose
/// memory is not copied; or a list; or `counting()`, `constant(x)`, `transform(f, accessor)`. All offsets of the layout
/// have to exist, which is checked when the tensor is made. Offset 0 is the lowest address of an array.
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
    pub fn with(elements: Elements, offset: &HTuple<Rational>, layout: &Value) -> Result<PyTensor> {
        let bounds = elements.bounds();
        let number = || match offset.leaves() {
            [number] if number.is_integer() => Ok(number.numerator()),
            _ => refuse("kind", "an offset into memory is an integer"),
        };
        let place = match layout {
            Value::Composed(composed) => in_bounds(bounds, number()?, **composed)?,
            Value::Layout(layout) if layout.codomain() == Codomain::Coordinate && bounds.0.is_none() => {
                let leaves: Vec<i64> = offset.leaves().iter().map(|leaf| leaf.numerator()).collect();
                let start = HTuple::with_profile(offset.profile(), &leaves, 0)?;
                Place::Coordinates(tilework::Tensor::with_offset(CountingCoord, start, **layout)?)
            }
            Value::Layout(layout) => in_bounds(bounds, number()?, **layout)?,
            other => {
                let message = format!("a layout is bound to memory; found {}", other.kind());
                return refuse("kind", message);
            }
        };
        Ok(PyTensor { elements, place })
    }

    /// The tensor that an array is, or a tensor as it is.
    pub fn of(object: &Object<'_>) -> Result<PyTensor> {
        if let Ok(tensor) = object.cast::<PyTensor>() {
            return Ok(tensor.get().again(tensor.get().place));
        }
        let wanted = || Refusal::kind("an array or a tensor", object);
        match Elements::of_any(object)?.ok_or_else(wanted)? {
            (elements, start, Some(layout)) => {
                let start = HTuple::leaf(Rational::integer(start));
                PyTensor::with(elements, &start, &Value::from(layout))
            }
            (Elements::Items(..), ..) => {
                Err(wanted().help("with a layout, Tensor(items, layout), it is one"))
            }
            _ => Err(wanted()),
        }
    }

    /// The same for an argument of this name.
    pub fn of_argument(name: &str, object: &Object<'_>) -> Result<PyTensor> {
        PyTensor::of(object).map_err(|refusal| refusal.of_argument(name))
    }

    /// A layout over the elements of an array, relative to its first one; they have the given type.
    pub fn over(array: &Object<'_>, layout: AnyLayout, dtype: DType) -> Result<PyTensor> {
        let (elements, start, _) = Elements::of(array)?;
        let Elements::Array(memory) = &elements else { return Err(Refusal::kind("an array", array)) };
        if memory.dtype != dtype {
            let (planned, found) = (dtype.name(), memory.dtype.name());
            let message = format!("the plan is for elements of {planned}, and these are of {found}");
            return refuse("array", message);
        }
        let plain = matches!(&layout, AnyLayout::Plain(layout) if layout.codomain() == Codomain::Integer);
        if start != 0 && !plain {
            let message =
                "the first element of the array is not its lowest, and to swizzled offsets nothing is added";
            return refuse("array", message);
        }
        PyTensor::with(elements, &HTuple::leaf(Rational::integer(start)), &layout.into())
    }

    /// The same elements at another place.
    pub fn again(&self, place: Place) -> PyTensor {
        PyTensor { elements: self.elements.clone(), place }
    }

    pub fn layout(&self) -> &Layout {
        each!(&self.place, tensor => tensor.layout().as_layout())
    }

    /// Whether the layout is swizzled.
    pub fn is_swizzled(&self) -> bool {
        matches!(&self.place, Place::Memory(tensor) if matches!(tensor.layout(), AnyLayout::Swizzled(_)))
    }

    pub fn layout_value(&self) -> Value {
        each!(&self.place, tensor => tensor.layout().to_any()).into()
    }

    /// Offset and layout as one function of coordinates.
    pub fn function(&self) -> Result<Value> {
        let offset = match &self.place {
            Place::Memory(tensor) if tensor.offset() == 0 => return Ok(self.layout_value()),
            Place::Memory(_) if self.is_swizzled() => {
                return refuse("kind", "an offset before and one behind a swizzle are no one layout");
            }
            Place::Memory(tensor) => HTuple::leaf(Rational::integer(tensor.offset())),
            Place::Coordinates(tensor) => rationals(&tensor.offset())?,
        };
        Ok(Value::from(tilework::View::new(offset, *self.layout())?))
    }

    /// The same with the width of the elements, if they are in memory.
    pub fn typed(&self) -> Result<Value> {
        let function = self.function()?;
        Ok(match &self.elements {
            Elements::Array(array) => function.with_element_bits(8 * array.dtype.bytes() as u32),
            _ => function,
        })
    }

    /// The offset, where it is an integer.
    pub fn start(&self) -> i64 {
        match &self.place {
            Place::Memory(tensor) => tensor.offset(),
            Place::Coordinates(_) => 0,
        }
    }

    /// The same with another inner layout.
    pub fn arranged(&self, layout: &Layout) -> Result<PyTensor> {
        Ok(self.again(map!(&self.place, tensor => tensor.map_layout(|_| Ok(*layout)))))
    }

    /// The tensor with the result of a function of the table as its layout.
    pub fn change(
        &self,
        function: &tilework_expr::Function,
        arguments: &[Option<&Object<'_>>],
    ) -> Result<PyTensor> {
        let mut values = vec![Value::from(*self.layout())];
        for argument in arguments.iter().flatten() {
            values.push(tuple::value(argument)?);
        }
        match function.call(&values, &[])? {
            Value::Layout(layout) => self.arranged(&layout),
            other => refuse("kind", format!("this gives {}, and a tensor has a layout", other.kind())),
        }
    }

    /// The offset of a coordinate, as Python has it.
    pub fn locate<'py>(&self, py: Python<'py>, coord: &Coord) -> Made<'py> {
        each!(&self.place, tensor => tensor.try_at(coord).map_err(Refusal::from)?.object(py))
    }

    /// The element of an index.
    pub fn element<'py>(&self, py: Python<'py>, index: i64) -> Made<'py> {
        self.elements.read(&self.locate(py, &HTuple::leaf(index))?)
    }

    /// Writes the element of an index.
    pub fn set_element(&self, index: i64, value: &Object<'_>) -> Result<()> {
        self.elements.write(&self.locate(value.py(), &HTuple::leaf(index))?, value)
    }

    /// The offset of a coordinate, if it is one of the shape.
    fn within<'py>(&self, coordinate: &Object<'py>) -> Result<Option<Object<'py>>> {
        let (py, coord) = (coordinate.py(), tuple::tuple(coordinate)?.integers(0)?);
        each!(&self.place, tensor => match tensor.get(coord) {
            Some(offset) => Ok(Some(offset.object(py)?)),
            None => Ok(None),
        })
    }

    /// Its elements by coordinate, as a tensor whose tiles may reach beyond its bounds.
    pub fn predicate(&self) -> Result<PyTensor> {
        let layout = Layout::identity(&self.layout().shape().mode_sizes()?)?;
        let place = Place::Coordinates(tilework::Tensor::new(CountingCoord, layout)?);
        Ok(PyTensor { elements: Elements::Predicated(Arc::new(self.again(self.place))), place })
    }

    pub fn sliced(&self, pattern: &Pattern) -> Result<PyTensor> {
        Ok(self.again(map!(&self.place, tensor => tensor.slice(*pattern))))
    }

    /// The memory and the plain layout in it, for operations that need both.
    pub fn memory(&self) -> Result<(&Array, i64, &Layout)> {
        match &self.elements {
            Elements::Array(_) if self.is_swizzled() => {
                refuse("array", "its layout is swizzled, and the strides of an array are not")
            }
            Elements::Array(array) => Ok((array, self.start(), self.layout())),
            _ => refuse("array", "its elements are not in the memory of an array"),
        }
    }
}

/// The array of which the elements of an argument are.
pub fn memory<'a>(name: &str, tensor: &'a PyTensor) -> Result<&'a Arc<Array>> {
    match &tensor.elements {
        Elements::Array(array) => Ok(array),
        _ => refuse("array", format!("the elements of {name} are not in the memory of an array")),
    }
}

/// A checked place in memory.
fn in_bounds(bounds: Bounds, start: i64, layout: impl Into<AnyLayout>) -> Result<Place> {
    Ok(Place::Memory(tilework::Tensor::with_offset(bounds, start, layout.into())?))
}

/// A coordinate as an offset.
pub fn rationals(coord: &Coord) -> Result<HTuple<Rational>, tilework::Error> {
    let leaves: Vec<Rational> = coord.leaves().iter().map(|&leaf| Rational::integer(leaf)).collect();
    HTuple::with_profile(coord.profile(), &leaves, Rational::ZERO)
}

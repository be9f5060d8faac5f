//! The core of `tilework.pycute`: a layout as in pycute, and the operations on such layouts.
//!
//! Every operation is the core's; those whose results pycute writes in another form are in [`tilework::pycute`].
//!
//! An [`Operation`] handles the common case, layouts as positional arguments, here; everything else (a tensor, a tiler
//! of tilers, keyword arguments) goes to the Python function that it wraps.

use crate::classes::object;
use crate::operation::{Operands, apply, call, followed};
use crate::prelude::*;
use crate::tuple;
use std::sync::{Arc, OnceLock};
use tilework::{
    Coord, Error, HTuple, Layout, Leaf, MAX_LEAVES, Pattern, Profile, Shape, Stride, Strides, Tiler,
};
use tilework_expr::{Function, LayoutOperation, Value};

/// Adds the classes, under private names.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.setattr("_PycuteLayout", py.get_type::<CuteLayout>())?;
    module.setattr("_PycuteOperation", py.get_type::<Operation>())
}

/// A layout of `tilework.pycute`.
///
/// >>> from tilework.pycute import Layout
/// >>> layout = Layout((4, (2, 3)), (1, (4, 8)))
/// >>> print(layout, layout.shape, layout.stride, len(layout))
/// (4, (2, 3)):(1, (4, 8)) (4, (2, 3)) (1, (4, 8)) 2
/// >>> layout(5), layout(1, 1), layout(1, (1, 0)), layout.size(), layout.cosize()
/// (5, 5, 5, 24, 24)
/// >>> layout[1], layout(1, None)
/// (Layout((2, 3),(4, 8)), Layout(((2, 3),),((4, 8),)))
/// >>> Layout((4, 8))
/// Layout((4, 8),(1, 4))
#[pyclass(frozen, subclass, name = "Layout", module = "tilework.pycute")]
pub struct CuteLayout {
    origin: Origin,
    // The other representation, computed on first use.
    layout: OnceLock<Arc<Layout>>,
    shape: PyOnceLock<Py<PyAny>>,
    stride: PyOnceLock<Py<PyAny>>,
}

/// The arguments of a layout.
enum Origin {
    /// Shape and stride as Python objects, which were checked.
    Parts(Py<PyAny>, Option<Py<PyAny>>),
    // Not in the object: Python's allocator has no size class for objects this large.
    Layout(Arc<Layout>),
}

impl From<Origin> for CuteLayout {
    fn from(origin: Origin) -> CuteLayout {
        let (shape, stride) = (PyOnceLock::new(), PyOnceLock::new());
        CuteLayout { origin, layout: OnceLock::new(), shape, stride }
    }
}

impl From<Layout> for CuteLayout {
    fn from(layout: Layout) -> CuteLayout {
        Origin::Layout(Arc::new(layout)).into()
    }
}

impl CuteLayout {
    /// The layout.
    fn layout(&self, py: Python<'_>) -> Result<&Arc<Layout>> {
        let (shape, stride) = match &self.origin {
            Origin::Layout(layout) => return Ok(layout),
            Origin::Parts(shape, stride) => (shape.bind(py), stride.as_ref().map(|stride| stride.bind(py))),
        };
        if let Some(layout) = self.layout.get() {
            return Ok(layout);
        }
        let mut modes = Modes::NONE;
        // They were read before, when this was made.
        let _ = modes.push(shape, stride);
        let layout = modes.layout()?;
        Ok(self.layout.get_or_init(|| Arc::new(layout)))
    }
}

/// The Python function of a name, looked up once.
macro_rules! python {
    ($py:expr, $module:literal, $name:literal) => {{
        static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        FUNCTION.get_or_try_init($py, || {
            $py.import(concat!("tilework.pycute.", $module))?.getattr($name).map(Bound::unbind)
        })
    }};
}

#[pymethods]
impl CuteLayout {
    #[new]
    #[pyo3(signature = (shape, stride=None))]
    fn new<'py>(shape: &Object<'py>, stride: Option<&Object<'py>>) -> PyResult<CuteLayout> {
        let mut modes = Modes::NONE;
        if modes.push(shape, stride).is_some() {
            let stride = stride.map(|stride| stride.clone().unbind());
            return Ok(Origin::Parts(shape.clone().unbind(), stride).into());
        }
        // The parts are computed from the layout on request, so that integers of other types become `int`.
        let extents = integers(shape, "a shape")?;
        let strides = match stride {
            None => prefix_products(&extents).map_err(Refusal::from)?,
            Some(stride) => strides(stride)?,
        };
        Ok(Layout::of(&extents, &strides).map_err(Refusal::from)?.into())
    }

    /// The extents.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> Made<'py> {
        if let Origin::Parts(shape, _) = &self.origin {
            return Ok(shape.bind(py).clone());
        }
        let shape = self.shape.get_or_try_init(py, || {
            tuple::integers_object(py, &self.layout(py)?.shape()).map(Bound::unbind)
        })?;
        Ok(shape.bind(py).clone())
    }

    /// The strides.
    #[getter]
    fn stride<'py>(&self, py: Python<'py>) -> Made<'py> {
        if let Origin::Parts(_, Some(stride)) = &self.origin {
            return Ok(stride.bind(py).clone());
        }
        let stride = self.stride.get_or_try_init(py, || {
            let strides = Value::strides(&self.layout(py)?.stride()).map_err(Refusal::from)?;
            tuple::object(py, strides).map(Bound::unbind)
        })?;
        Ok(stride.bind(py).clone())
    }

    /// The same layout as a `tilework.Layout`.
    #[getter]
    fn native<'py>(&self, py: Python<'py>) -> Made<'py> {
        object(py, Value::Layout(self.layout(py)?.clone()))
    }

    #[pyo3(signature = (*coordinate))]
    fn __call__<'py>(slf: &Bound<'py, Self>, coordinate: &Bound<'py, PyTuple>) -> Made<'py> {
        let py = slf.py();
        let layout = slf.get().layout(py)?;
        let one = coordinate.len() == 1;
        let whole = if one { coordinate.get_item(0)? } else { coordinate.clone().into_any() };
        if whole.is_exact_instance_of::<PyInt>()
            && let Ok(index) = whole.extract()
        {
            return layout.const_try_at(index).map_err(Refusal::from)?.into_bound_py_any(py);
        }
        if let Some(coordinate) = coordinates(&whole) {
            let offset = layout.evaluate(&coordinate).map_err(Refusal::from)?;
            return offset.leaves()[0].numerator().into_bound_py_any(py);
        }
        python!(py, "layout", "_call")?.bind(py).call1((slf, coordinate))
    }

    fn __len__(&self, py: Python<'_>) -> Result<usize> {
        Ok(self.layout(py)?.rank())
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, index: &Object<'py>) -> Made<'py> {
        let py = slf.py();
        let layout = slf.get().layout(py)?;
        if index.is_exact_instance_of::<PyInt>() {
            let index: isize = index.extract()?;
            let place = if index < 0 { index + layout.rank() as isize } else { index };
            let mode = layout.mode(usize::try_from(place).unwrap_or(usize::MAX)).map_err(Refusal::from)?;
            return CuteLayout::from(mode).into_bound_py_any(py);
        }
        python!(py, "layout", "_get")?.bind(py).call1((slf, index))
    }

    /// The size of the domain.
    fn size(&self, py: Python<'_>) -> Result<i64> {
        Ok(self.layout(py)?.size())
    }

    /// The greatest offset plus one.
    fn cosize(&self, py: Python<'_>) -> Result<i64> {
        Ok(self.layout(py)?.cosize()?)
    }

    /// All offsets in the order of the coordinates, as a NumPy array.
    fn offsets<'py>(&self, py: Python<'py>) -> Made<'py> {
        self.native(py)?.call_method0("offsets")
    }

    fn __eq__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        let py = other.py();
        match other.cast::<CuteLayout>() {
            Ok(other) => (self.layout(py)? == other.get().layout(py)?).into_bound_py_any(py),
            Err(_) => py.NotImplemented().into_bound_py_any(py),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> Result<u64> {
        Ok(crate::classes::hash(self.layout(py)?))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("{}:{}", self.shape(py)?, self.stride(py)?))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Layout({},{})", self.shape(py)?, self.stride(py)?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Object<'py>, Object<'py>)> {
        let py = slf.py();
        let parts = (slf.get().shape(py)?, slf.get().stride(py)?);
        Ok((slf.get_type().into_any(), parts.into_bound_py_any(py)?))
    }
}

fn integers(object: &Object<'_>, wanted: &str) -> Result<Shape> {
    tuple::tuple(object)?.integers(0).map_err(|_| Refusal::kind(wanted, object))
}

/// A coordinate that is a tuple of integers and nothing else.
fn coordinates(object: &Object<'_>) -> Option<Coord> {
    object.cast::<PyTuple>().ok()?;
    tuple::coordinate_of(object).ok()?
}

/// Strides, which are integers in pycute.
fn strides(object: &Object<'_>) -> Result<Strides> {
    let refused =
        || Refusal::kind("an integer stride, as pycute has them (tilework.Layout has others)", object);
    let strides = tuple::tuple(object)?.strides(0).map_err(|_| refused())?;
    if strides.leaves().iter().all(|stride| stride.as_integer().is_some()) {
        Ok(strides)
    } else {
        Err(refused())
    }
}

/// The compact strides of a shape, as pycute writes them: an extent of 1 gets a stride like any other.
fn prefix_products(shape: &Shape) -> Result<Strides, Error> {
    let mut next = 1i64;
    let mut strides = Vec::with_capacity(shape.leaves().len());
    for &extent in shape.leaves() {
        strides.push(Stride::integer(next));
        // An overflow is reported when the layout is made.
        next = next.checked_mul(extent).unwrap_or(i64::MAX);
    }
    HTuple::with_profile(shape.profile(), &strides, Stride::ZERO)
}

/// A function of the drop-in. Calls with layouts only are handled in Rust, all others by the Python function.
#[pyclass(subclass, frozen, module = "tilework.pycute")]
pub struct Operation {
    /// The function of the table with this name, if there is one.
    function: Option<&'static Function>,
    /// Whether it answers a number.
    counts: bool,
    python: Py<PyAny>,
}

impl Operation {
    /// The answer; none if the arguments are not only layouts.
    fn answer<'py>(&self, arguments: &Bound<'py, PyTuple>) -> Result<Option<Object<'py>>> {
        let (py, Some(function)) = (arguments.py(), self.function) else { return Ok(None) };
        if let Some(LayoutOperation::Modes(operation)) = function.pycute() {
            return concatenation(operation, arguments);
        }
        let Ok(first) = arguments.get_borrowed_item(0) else { return Ok(None) };
        let Ok(first) = first.cast::<CuteLayout>() else { return Ok(None) };
        let layout = first.get().layout(py)?;
        let second = match arguments.len() {
            1 => None,
            2 => Some(arguments.get_borrowed_item(1)?),
            _ => return Ok(None),
        };
        match function.pycute() {
            Some(operation) => apply::<Pycute>(py, operation, layout, second.as_deref()),
            None if second.is_none() && self.counts => {
                Ok(Some(call(py, function, &[Value::Layout(layout.clone())], &[])?))
            }
            None => Ok(None),
        }
    }
}

#[pymethods]
impl Operation {
    /// The operation that replaces this Python function, with the same name.
    #[new]
    fn new(python: Object<'_>) -> PyResult<Operation> {
        let name: String = python.getattr("__name__")?.extract()?;
        let function = tilework_expr::find(&name);
        let counts = function.is_some_and(|function| function.signature().ends_with(" -> int"));
        Ok(Operation { function, counts, python: python.unbind() })
    }

    #[pyo3(signature = (*arguments, **named))]
    fn __call__<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> Made<'py> {
        let py = arguments.py();
        if named.is_none_or(|named| named.is_empty()) {
            match self.answer(arguments) {
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) => {}
                Err(refusal) => return Err(asserted(py, refusal.into())),
            }
        }
        self.python.bind(py).call(arguments, named).map_err(|refusal| asserted(py, refusal))
    }
}

/// pycute raises an AssertionError for these errors.
fn asserted(py: Python<'_>, error: PyErr) -> PyErr {
    let both = || python!(py, "refusals", "asserted")?.bind(py).call1((error.value(py),));
    both().map_or_else(|failed| failed, PyErr::from_value)
}

/// The operands of `tilework.pycute`.
struct Pycute;

impl Operands for Pycute {
    fn layout<'a>(object: &'a Object<'_>) -> Result<Option<&'a Layout>> {
        match object.cast::<CuteLayout>() {
            Ok(layout) => Ok(Some(layout.get().layout(object.py())?)),
            Err(_) => Ok(None),
        }
    }

    fn profile(object: &Object<'_>) -> Result<Option<Pattern>> {
        tuple::nesting(object).map(Some)
    }

    fn shape(object: &Object<'_>) -> Result<Option<Shape>> {
        Ok(extent(object).map(HTuple::leaf))
    }

    fn tiled<T>(object: &Object<'_>, apply: impl FnOnce(&Tiler) -> Result<T>) -> Result<Option<T>> {
        // The most frequent case, cheaper than a tiler for each mode. An extent of 1 is `1:1` in pycute, and `1:0` in a shape.
        match &tuple::coordinate_of(object) {
            Ok(Some(shape)) if !shape.leaves().contains(&1) => {
                followed(&Tiler::const_of_shape(shape), apply).map(Some)
            }
            _ => tuple::tiler(object, 0, &tile)?.map(|tiler| apply(&tiler)).transpose(),
        }
    }

    // Inlined, so that a layout is copied once.
    #[inline(always)]
    fn object<'py>(py: Python<'py>, layout: &Layout) -> Made<'py> {
        Ok(Bound::new(py, CuteLayout::from(*layout))?.into_any())
    }
}

fn concatenation<'py>(
    operation: fn(&[Layout]) -> Result<Layout, Error>,
    arguments: &Bound<'py, PyTuple>,
) -> Result<Option<Object<'py>>> {
    let mut layouts = Vec::with_capacity(arguments.len());
    for argument in arguments.iter_borrowed() {
        match Pycute::layout(&argument)? {
            Some(layout) => layouts.push(*layout),
            None => return Ok(None),
        }
    }
    match &layouts[..] {
        [] => Ok(None),
        layouts => followed(&operation(layouts), |layout| Ok(Some(Pycute::object(arguments.py(), layout)?))),
    }
}

/// The tile that an object is to pycute, if it is one: a layout, an extent, `None` for a hole.
fn tile(object: &Object<'_>) -> Result<Option<Tiler>> {
    if let Some(layout) = Pycute::layout(object)? {
        return Ok(Some(layout.as_tiler()));
    }
    if object.is_none() {
        return Ok(Some(Tiler::HOLE));
    }
    match if object.is_instance_of::<PyBool>() { None } else { tuple::integer(object)? } {
        Some(extent) => Ok(Some(Layout::new(HTuple::leaf(Leaf::new(extent, 1)))?.as_tiler())),
        None => Ok(None),
    }
}

/// The nodes and leaves of a layout of tuples and integers only.
struct Modes {
    nodes: [Option<u8>; MAX_LEAVES],
    node_count: usize,
    /// Extents and strides; without strides, of the compact layout.
    leaves: [(i64, i64); MAX_LEAVES],
    leaf_count: usize,
    /// The product of the extents so far, and the sum of the magnitudes of the modes' greatest multiples.
    size: i64,
    reach: i64,
}

impl Modes {
    const NONE: Modes = Modes {
        nodes: [None; MAX_LEAVES],
        node_count: 0,
        leaves: [(1, 0); MAX_LEAVES],
        leaf_count: 0,
        size: 1,
        reach: 0,
    };

    /// Appends a layout; none if there is anything else, more than a tuple holds, or a number that no layout has. The
    /// recursion is as deep as there are nodes.
    fn push(&mut self, shape: &Object<'_>, stride: Option<&Object<'_>>) -> Option<()> {
        let node = self.node_count;
        if node == MAX_LEAVES {
            return None;
        }
        self.node_count += 1;
        if let Some(extent) = extent(shape) {
            let stride = match stride {
                Some(stride) => self::extent(stride)?,
                None => self.size,
            };
            // There are at most as many leaves as nodes.
            self.leaves[self.leaf_count] = (extent, stride);
            self.leaf_count += 1;
            self.size = self.size.checked_mul(extent).filter(|_| extent > 0)?;
            self.reach = self.reach.checked_add((extent - 1).checked_mul(stride)?.checked_abs()?)?;
            return Some(());
        }
        let members = shape.cast_exact::<PyTuple>().ok()?;
        let steps = match stride {
            Some(stride) => Some(stride.cast_exact::<PyTuple>().ok()?),
            None => None,
        };
        if steps.is_some_and(|steps| steps.len() != members.len()) {
            return None;
        }
        self.nodes[node] = Some(u8::try_from(members.len()).ok()?);
        for (i, member) in members.iter_borrowed().enumerate() {
            let step = match steps {
                Some(steps) => Some(steps.get_borrowed_item(i).ok()?),
                None => None,
            };
            self.push(&member, step.as_deref())?;
        }
        Some(())
    }

    fn layout(&self) -> Result<Layout, Error> {
        let leaves = self.leaves[..self.leaf_count].iter().map(|&(extent, stride)| Leaf::new(extent, stride));
        let profile = Profile::of(&self.nodes[..self.node_count])?;
        Layout::new(HTuple::with_profile(&profile, &leaves.collect::<Vec<_>>(), Leaf::new(1, 0))?)
    }
}

fn extent(object: &Object<'_>) -> Option<i64> {
    if object.is_exact_instance_of::<PyInt>() { object.extract().ok() } else { None }
}

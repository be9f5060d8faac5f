//! What `tilework.pycute` is made of: a layout as pycute has it, and the operations on such layouts.
//!
//! Every operation is the core's. What is added is the form that pycute gives a result where the core's is another one of
//! the same function: the stride of a leaf of extent 1, a left inverse through the complement, a tiler with fewer modes.
//!
//! An [`Operation`] answers what is asked in the usual way, layouts for layouts, here; everything else (a tensor, a
//! tiler of tilers, an argument by its name) goes to the Python function that it was made of.

use crate::error::Refusal;
use crate::layout::object;
use crate::tuple;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyInt, PyTuple};
use tilework::{Codomain, Coord, Error, HTuple, Layout, Leaf, Shape, Stride, Strides, Tiler};
use tilework_expr::Value;

/// Adds the classes, under names that are not for users of `tilework`.
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
    // Behind a pointer: Python's own allocator has no room for objects of this size.
    layout: Box<Layout>,
    shape: PyOnceLock<Py<PyAny>>,
    stride: PyOnceLock<Py<PyAny>>,
}

impl From<Layout> for CuteLayout {
    fn from(layout: Layout) -> CuteLayout {
        CuteLayout { layout: Box::new(layout), shape: PyOnceLock::new(), stride: PyOnceLock::new() }
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
    fn new<'py>(shape: &Bound<'py, PyAny>, stride: Option<&Bound<'py, PyAny>>) -> PyResult<CuteLayout> {
        let py = shape.py();
        let mut modes = Modes::default();
        if modes.read(shape, stride, &mut 1, 0).is_some() {
            let layout = modes.finish().map_err(Refusal::from)?;
            let strides = stride.map_or_else(PyOnceLock::new, |stride| once(py, stride));
            return Ok(CuteLayout { layout: Box::new(layout), shape: once(py, shape), stride: strides });
        }
        // The parts are made from the layout when they are asked for, so that integers of other types become `int`.
        let extents = integers(shape, "a shape")?;
        let (strides, objects) = match stride {
            None => (prefix_products(&extents).map_err(Refusal::from)?, PyOnceLock::new()),
            Some(stride) => {
                let strides = strides(stride)?;
                let plain = strides.leaves().iter().all(|stride| stride.as_integer().is_some());
                (strides, if plain { PyOnceLock::new() } else { once(py, stride) })
            }
        };
        let layout = Layout::with_stride(&extents, &strides).map_err(Refusal::from)?;
        Ok(CuteLayout { layout: Box::new(layout), shape: PyOnceLock::new(), stride: objects })
    }

    /// The extents.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.shape.get_or_try_init(py, || {
            let extents = Value::integers(&self.layout.shape()).map_err(Refusal::from)?;
            tuple::object(py, extents).map(Bound::unbind)
        })?;
        Ok(shape.bind(py).clone())
    }

    /// The strides.
    #[getter]
    fn stride<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stride = self.stride.get_or_try_init(py, || {
            let strides = Value::strides(&self.layout.stride()).map_err(Refusal::from)?;
            let strides = tuple::object(py, strides)?;
            match self.layout.codomain() {
                Codomain::Integer => Ok(strides.unbind()),
                _ => python!(py, "arith_tuple", "_from_native")?.call1(py, (strides,)),
            }
        })?;
        Ok(stride.bind(py).clone())
    }

    /// The same layout as a `tilework.Layout`.
    #[getter]
    fn native<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, Value::Layout(*self.layout))
    }

    #[pyo3(signature = (*coordinate))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        coordinate: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let layout = &slf.get().layout;
        if layout.codomain() == Codomain::Integer {
            let one = coordinate.len() == 1;
            let whole = if one { coordinate.get_item(0)? } else { coordinate.clone().into_any() };
            if whole.is_exact_instance_of::<PyInt>()
                && let Ok(index) = whole.extract()
            {
                return layout.try_at(index).map_err(Refusal::from)?.into_bound_py_any(py);
            }
            if let Some(coordinate) = coordinates(&whole) {
                let offset = layout.evaluate(&coordinate).map_err(Refusal::from)?;
                return offset.leaves()[0].numerator().into_bound_py_any(py);
            }
        }
        python!(py, "layout_base", "_call")?.bind(py).call1((slf, coordinate))
    }

    fn __len__(&self) -> usize {
        self.layout.rank()
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let layout = &slf.get().layout;
        if index.is_exact_instance_of::<PyInt>() {
            let index: isize = index.extract()?;
            let place = if index < 0 { index + layout.rank() as isize } else { index };
            let mode = layout.mode(usize::try_from(place).unwrap_or(usize::MAX)).map_err(Refusal::from)?;
            return CuteLayout::from(mode).into_bound_py_any(py);
        }
        python!(py, "layout_base", "_get")?.bind(py).call1((slf, index))
    }

    /// The size of the domain.
    fn size(&self) -> i64 {
        self.layout.size()
    }

    /// The greatest offset plus one; for coordinates, of each component.
    fn cosize<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if slf.get().layout.codomain() == Codomain::Integer {
            return slf.get().layout.cosize().map_err(Refusal::from)?.into_bound_py_any(py);
        }
        python!(py, "layout_base", "coshape")?.bind(py).call1((slf,))
    }

    /// All offsets in the order of the coordinates, as a NumPy array.
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.native(py)?.call_method0("offsets")
    }

    fn __eq__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match other.cast::<CuteLayout>() {
            Ok(other_layout) => (self.layout == other_layout.get().layout).into_bound_py_any(other.py()),
            Err(_) => other.py().NotImplemented().into_bound_py_any(other.py()),
        }
    }

    fn __hash__(&self) -> u64 {
        crate::layout::hash(&self.layout)
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("{}:{}", self.shape(py)?, self.stride(py)?))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Layout({},{})", self.shape(py)?, self.stride(py)?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = slf.py();
        let parts = (slf.get().shape(py)?, slf.get().stride(py)?);
        Ok((slf.get_type().into_any(), parts.into_bound_py_any(py)?))
    }
}

fn once(py: Python<'_>, object: &Bound<'_, PyAny>) -> PyOnceLock<Py<PyAny>> {
    let lock = PyOnceLock::new();
    let _ = lock.set(py, object.clone().unbind());
    lock
}

fn integers(object: &Bound<'_, PyAny>, wanted: &str) -> Result<Shape, Refusal> {
    tuple::tuple(object)?.integers(0).map_err(|_| Refusal::kind(wanted, object))
}

/// A coordinate that is a tuple of integers and nothing else.
fn coordinates(object: &Bound<'_, PyAny>) -> Option<Coord> {
    object.cast::<PyTuple>().ok()?;
    tuple::coordinate_of(object).ok()?
}

fn strides(object: &Bound<'_, PyAny>) -> PyResult<Strides> {
    let read = |object: &Bound<'_, PyAny>| -> Result<Strides, Refusal> {
        tuple::tuple(object)?.strides(0).map_err(|_| Refusal::kind("a stride", object))
    };
    if let Ok(strides) = read(object) {
        return Ok(strides);
    }
    let py = object.py();
    Ok(read(&python!(py, "arith_tuple", "_to_native")?.bind(py).call1((object,))?)?)
}

/// The compact strides of a shape, as pycute writes them: an extent of 1 too has the stride of its place.
fn prefix_products(shape: &Shape) -> Result<Strides, Error> {
    let mut next = 1i64;
    let mut strides = Vec::with_capacity(shape.leaves().len());
    for &extent in shape.leaves() {
        strides.push(Stride::integer(next));
        // An overflow is found when the layout is made of both.
        next = next.checked_mul(extent).unwrap_or(i64::MAX);
    }
    HTuple::with_profile(shape.profile(), &strides, Stride::ZERO)
}

/// A function of the drop-in. What it does with layouts alone is in Rust; for all else it is the Python function.
#[pyclass(subclass, frozen, module = "tilework.pycute")]
pub struct Operation {
    fast: Fast,
    python: Py<PyAny>,
    recovers: bool,
}

/// An operation on layouts; `None` where there is more to it than layouts.
type Fast = fn(&Bound<'_, PyTuple>) -> PyResult<Option<Answer>>;

enum Answer {
    Layout(CuteLayout),
    Integer(i64),
}

#[pymethods]
impl Operation {
    /// The operation that is called as this Python function, which has its name. With `recovers`, the function is also
    /// asked where the core refuses.
    #[new]
    #[pyo3(signature = (python, recovers=false))]
    fn new(python: Bound<'_, PyAny>, recovers: bool) -> PyResult<Operation> {
        let name: String = python.getattr("__name__")?.extract()?;
        Ok(Operation { fast: fast(&name), python: python.unbind(), recovers })
    }

    #[pyo3(signature = (*arguments, **named))]
    fn __call__<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = arguments.py();
        if named.is_none_or(|named| named.is_empty()) {
            match (self.fast)(arguments) {
                Ok(Some(Answer::Layout(layout))) => return layout.into_bound_py_any(py),
                Ok(Some(Answer::Integer(value))) => return value.into_bound_py_any(py),
                Err(refusal) if !self.recovers => return Err(asserted(py, refusal)),
                _ => {}
            }
        }
        self.python.bind(py).call(arguments, named).map_err(|refusal| asserted(py, refusal))
    }
}

/// pycute asserts where this refuses.
fn asserted(py: Python<'_>, error: PyErr) -> PyErr {
    let both = || python!(py, "refusals", "asserted")?.bind(py).call1((error.value(py),));
    both().map_or_else(|failed| failed, PyErr::from_value)
}

/// The operation of a name.
fn fast(name: &str) -> Fast {
    match name {
        "size" => |arguments| match arguments.get_item(0).map(Bound::cast_into::<CuteLayout>) {
            Ok(Ok(layout)) if arguments.len() == 1 => Ok(Some(Answer::Integer(layout.get().layout.size()))),
            _ => Ok(None),
        },
        "make_layout" => |arguments| {
            let mut layouts = Vec::with_capacity(arguments.len());
            for argument in arguments.iter() {
                match argument.cast::<CuteLayout>() {
                    Ok(layout) => layouts.push(*layout.get().layout),
                    Err(_) => return Ok(None),
                }
            }
            if layouts.is_empty() { Ok(None) } else { answer(Layout::concatenate(&layouts)) }
        },
        "coalesce" => |arguments| unary(arguments, |layout| Ok(layout.coalesce())),
        "coalesce_z" => |arguments| unary(arguments, |layout| Ok(layout.coalesce_extended())),
        "filter" => |arguments| unary(arguments, |layout| Ok(layout.filter())),
        "right_inverse" => |arguments| unary(arguments, Layout::right_inverse),
        "left_inverse" => |arguments| unary(arguments, left_inverse),
        "nullspace" => |arguments| unary(arguments, Layout::nullspace),
        "complement" => |arguments| match arguments.len() {
            1 => unary(arguments, Layout::complement),
            2 => {
                let (layout, within) = (arguments.get_item(0)?, arguments.get_item(1)?);
                match (layout.cast::<CuteLayout>(), extent(&within)) {
                    (Ok(layout), Some(within)) => {
                        answer(layout.get().layout.complement_within(&HTuple::leaf(within)))
                    }
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        },
        "layout_add" => |arguments| binary(arguments, Layout::layout_add),
        "composition" => {
            |arguments| tiled(arguments, Tiling::ByMode, composition, Layout::composition_by_mode)
        }
        "logical_divide" => {
            |arguments| tiled(arguments, Tiling::ByMode, logical_divide, Layout::logical_divide)
        }
        "logical_product" => {
            |arguments| tiled(arguments, Tiling::ByMode, logical_product, Layout::logical_product)
        }
        "zipped_divide" => {
            |arguments| tiled(arguments, Tiling::Zipped, logical_divide, Layout::zipped_divide)
        }
        "zipped_product" => {
            |arguments| tiled(arguments, Tiling::Zipped, logical_product, Layout::zipped_product)
        }
        "tiled_divide" => |arguments| tiled(arguments, Tiling::Tiled, logical_divide, Layout::tiled_divide),
        "tiled_product" => {
            |arguments| tiled(arguments, Tiling::Tiled, logical_product, Layout::tiled_product)
        }
        "blocked_product" => |arguments| binary(arguments, Layout::blocked_product),
        "raked_product" => |arguments| binary(arguments, Layout::raked_product),
        _ => |_| Ok(None),
    }
}

fn answer(layout: Result<Layout, Error>) -> PyResult<Option<Answer>> {
    match layout {
        Ok(layout) => Ok(Some(Answer::Layout(layout.into()))),
        Err(error) => Err(Refusal::from(error).into()),
    }
}

/// The arguments, if they are two layouts.
fn two<'py>(
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Option<(Bound<'py, CuteLayout>, Bound<'py, CuteLayout>)>> {
    if arguments.len() != 2 {
        return Ok(None);
    }
    let (left, right) = (arguments.get_item(0)?, arguments.get_item(1)?);
    Ok(left.cast_into().ok().zip(right.cast_into().ok()))
}

fn unary(
    arguments: &Bound<'_, PyTuple>,
    operation: impl FnOnce(&Layout) -> Result<Layout, Error>,
) -> PyResult<Option<Answer>> {
    if arguments.len() != 1 {
        return Ok(None);
    }
    match arguments.get_item(0)?.cast::<CuteLayout>() {
        Ok(layout) => answer(operation(&layout.get().layout)),
        Err(_) => Ok(None),
    }
}

fn binary(
    arguments: &Bound<'_, PyTuple>,
    operation: impl FnOnce(&Layout, &Layout) -> Result<Layout, Error>,
) -> PyResult<Option<Answer>> {
    match two(arguments)? {
        Some((left, right)) => answer(operation(&left.get().layout, &right.get().layout)),
        None => Ok(None),
    }
}

/// How the parts of a tiled layout are put together.
#[derive(Clone, Copy, PartialEq)]
enum Tiling {
    /// Each mode stays in its place.
    ByMode,
    /// `((tiles), (rests))`.
    Zipped,
    /// `((tiles), rest, rest, ...)`.
    Tiled,
}

type Binary = fn(&Layout, &Layout) -> Result<Layout, Error>;

type Tiled = fn(&Layout, &Tiler) -> Result<Layout, Error>;

/// `operation` for each tile; where the core does with a whole tiler what pycute does, that is `whole`.
fn tiled(
    arguments: &Bound<'_, PyTuple>,
    tiling: Tiling,
    operation: Binary,
    whole: Tiled,
) -> PyResult<Option<Answer>> {
    if arguments.len() != 2 {
        return Ok(None);
    }
    let (left, tiler) = (arguments.get_item(0)?, arguments.get_item(1)?);
    let Ok(left) = left.cast::<CuteLayout>() else { return Ok(None) };
    let left = &left.get().layout;
    if let Some(shape) = coordinates(&tiler)
        && shape.leaves().iter().all(|&extent| extent > 1)
        && shape.weakly_congruent(left.as_tuple())
        && shape.rank() > 0
    {
        return answer(Tiler::of_shape(&shape).and_then(|tiler| whole(left, &tiler)));
    }
    match (Tile::of(&tiler, 0)?, tiling) {
        (None, _) => Ok(None),
        (Some(Tile::Hole), Tiling::ByMode) => answer(Ok(**left)),
        (Some(Tile::Layout(right)), Tiling::ByMode | Tiling::Zipped) => {
            answer(operation(left, &right.get().layout))
        }
        (Some(tiler), Tiling::ByMode) => {
            let mut modes = Modes::default();
            answer(by_mode(left, &tiler, operation, &mut modes).and_then(|()| modes.finish()))
        }
        (Some(tiler), _) => {
            let (mut tiles, mut rests) = (Modes::default(), Modes::default());
            answer(zipped(left, &tiler, operation, &mut tiles, &mut rests).and_then(|()| {
                match (tiling, rests.nodes.first()) {
                    (Tiling::Tiled, Some(&Some(rank))) => {
                        tiles.followed_by(1 + usize::from(rank), rests, 1).finish()
                    }
                    _ => tiles.followed_by(2, rests, 0).finish(),
                }
            }))
        }
    }
}

/// A layout that grows by modes, without a copy of what is there.
#[derive(Default)]
struct Modes {
    nodes: Vec<Option<u8>>,
    leaves: Vec<Leaf>,
}

/// The node of a tuple; a rank that does not fit is past the capacity anyway.
fn node(rank: usize) -> Option<u8> {
    Some(u8::try_from(rank).unwrap_or(u8::MAX))
}

impl Modes {
    fn open(&mut self, rank: usize) {
        self.nodes.push(node(rank));
    }

    fn push(&mut self, layout: &Layout) {
        self.nodes.extend(layout.profile().nodes().map(|rank| rank.and_then(node)));
        self.leaves.extend(layout.leaves());
    }

    /// A layout as Python has it, if that is tuples and integers alone; without strides, the compact one from `next` on.
    fn read(
        &mut self,
        shape: &Bound<'_, PyAny>,
        stride: Option<&Bound<'_, PyAny>>,
        next: &mut i64,
        depth: usize,
    ) -> Option<()> {
        if let Some(extent) = extent(shape) {
            let step = match stride {
                Some(stride) => self::extent(stride)?,
                None => *next,
            };
            if stride.is_none() {
                *next = next.checked_mul(extent)?;
            }
            self.nodes.push(None);
            self.leaves.push(Leaf::new(extent, step));
            return Some(());
        }
        let members = shape.cast_exact::<PyTuple>().ok()?;
        let steps = match stride {
            Some(stride) => Some(stride.cast_exact::<PyTuple>().ok()?),
            None => None,
        };
        let limit = tilework::MAX_LEAVES;
        if depth > limit || members.len() > limit || steps.is_some_and(|steps| steps.len() != members.len()) {
            return None;
        }
        self.open(members.len());
        for (i, member) in members.iter().enumerate() {
            let step = match steps {
                Some(steps) => Some(steps.get_item(i).ok()?),
                None => None,
            };
            self.read(&member, step.as_ref(), next, depth + 1)?;
            if self.leaves.len() > limit {
                return None;
            }
        }
        Some(())
    }

    /// Both as a tuple of that rank, the second one without its first nodes.
    fn followed_by(self, rank: usize, rests: Modes, without: usize) -> Modes {
        let mut both = Modes { nodes: vec![node(rank)], leaves: self.leaves };
        both.nodes.extend(self.nodes);
        both.nodes.extend(&rests.nodes[without..]);
        both.leaves.extend(rests.leaves);
        both
    }

    fn finish(self) -> Result<Layout, Error> {
        let profile = tilework::Profile::of(&self.nodes)?;
        Layout::new(HTuple::with_profile(&profile, &self.leaves, Leaf::new(1, 0))?)
    }
}

/// What pycute takes for the right operand.
enum Tile<'py> {
    Hole,
    Layout(Bound<'py, CuteLayout>),
    Extent(Box<Layout>),
    Modes(Vec<Tile<'py>>),
}

impl<'py> Tile<'py> {
    /// `None` for what is no tiler.
    fn of(object: &Bound<'py, PyAny>, depth: usize) -> PyResult<Option<Self>> {
        if let Ok(layout) = object.cast::<CuteLayout>() {
            return Ok(Some(Tile::Layout(layout.clone())));
        }
        if object.is_none() {
            return Ok(Some(Tile::Hole));
        }
        if let Some(extent) = extent(object) {
            let layout = Layout::new(HTuple::leaf(Leaf::new(extent, 1))).map_err(Refusal::from)?;
            return Ok(Some(Tile::Extent(Box::new(layout))));
        }
        let Ok(members) = object.cast::<PyTuple>() else { return Ok(None) };
        if members.len() > tilework::MAX_LEAVES || depth > tilework::MAX_LEAVES {
            return Ok(None);
        }
        let mut tiles = Vec::with_capacity(members.len());
        for member in members.iter() {
            match Tile::of(&member, depth + 1)? {
                Some(tile) => tiles.push(tile),
                None => return Ok(None),
            }
        }
        Ok(Some(Tile::Modes(tiles)))
    }
}

fn extent(object: &Bound<'_, PyAny>) -> Option<i64> {
    if object.is_exact_instance_of::<PyInt>() { object.extract().ok() } else { None }
}

/// A tuple applies to the leading modes; the others stay.
fn by_mode(left: &Layout, tiler: &Tile, operation: Binary, out: &mut Modes) -> Result<(), Error> {
    match tiler {
        Tile::Hole => out.push(left),
        Tile::Layout(right) => out.push(&operation(left, &right.get().layout)?),
        Tile::Extent(right) => out.push(&operation(left, right)?),
        Tile::Modes(tiles) => {
            out.open(rank_for(tiles, left)?);
            for (i, tile) in tiles.iter().enumerate() {
                by_mode(&left.mode(i)?, tile, operation, out)?;
            }
            for i in tiles.len()..left.rank() {
                out.push(&left.mode(i)?);
            }
        }
    }
    Ok(())
}

/// The tiles apart from what remains.
fn zipped(
    left: &Layout,
    tiler: &Tile,
    operation: Binary,
    tiles_out: &mut Modes,
    rests_out: &mut Modes,
) -> Result<(), Error> {
    let split = match tiler {
        Tile::Hole => {
            tiles_out.push(&Layout::UNIT);
            rests_out.push(left);
            return Ok(());
        }
        Tile::Layout(right) => operation(left, &right.get().layout)?,
        Tile::Extent(right) => operation(left, right)?,
        Tile::Modes(tiles) => {
            tiles_out.open(tiles.len());
            rests_out.open(rank_for(tiles, left)?);
            for (i, tile) in tiles.iter().enumerate() {
                zipped(&left.mode(i)?, tile, operation, tiles_out, rests_out)?;
            }
            for i in tiles.len()..left.rank() {
                rests_out.push(&left.mode(i)?);
            }
            return Ok(());
        }
    };
    tiles_out.push(&split.mode(0)?);
    rests_out.push(&split.mode(1)?);
    Ok(())
}

/// The rank of a layout to which this many tiles can be applied.
fn rank_for(tiles: &[Tile], left: &Layout) -> Result<usize, Error> {
    if tiles.len() <= left.rank() {
        return Ok(left.rank());
    }
    Err(Error::Rank { operation: "a tiler by mode", expected: left.rank(), found: tiles.len() })
}

fn composition(left: &Layout, right: &Layout) -> Result<Layout, Error> {
    let result = left.composition(right)?;
    if !has_unit_steps(right) {
        return Ok(result);
    }
    with_unit_steps(result, 0, right, &left.coalesce())
}

fn logical_divide(left: &Layout, right: &Layout) -> Result<Layout, Error> {
    let result = left.logical_divide(&right.as_tiler())?;
    if !has_unit_steps(right) {
        return Ok(result);
    }
    with_unit_steps(result, 1, right, &left.coalesce())
}

fn logical_product(left: &Layout, right: &Layout) -> Result<Layout, Error> {
    let result = left.logical_product(&right.as_tiler())?;
    if !has_unit_steps(right) {
        return Ok(result);
    }
    // pycute composes with the complement within what the product reaches.
    let within = left.size().checked_mul(right.cosize()?).unwrap_or(i64::MAX);
    let rest = left.complement_within(&HTuple::leaf(within.max(1)))?;
    with_unit_steps(result, 1 + left.profile().nodes().len(), right, &rest)
}

/// A left inverse as pycute makes it, where it is one: the inverse of the layout with its complement. It is one where
/// the complement leaves no gap; otherwise pycute's is cut short, and the core's is taken.
fn left_inverse(layout: &Layout) -> Result<Layout, Error> {
    if layout.codomain() == Codomain::Integer {
        if layout.leaves().iter().all(|leaf| leaf.stride.is_zero()) {
            return Ok(Layout::UNIT);
        }
        if let Ok(rest) = layout.complement_within(&HTuple::leaf(1))
            && let Ok(whole) = Layout::concatenate(&[*layout, rest])
            && let Ok(inverse) = whole.right_inverse()
            && inverse.size() == whole.size()
        {
            return Ok(inverse);
        }
    }
    layout.left_inverse()
}

/// Whether a layout has leaves of extent 1 with a stride. A composition does not move along them, and the core gives
/// them stride 0; pycute writes the stride that such a step would have.
fn has_unit_steps(layout: &Layout) -> bool {
    layout.codomain() == Codomain::Integer
        && layout.leaves().iter().any(|leaf| leaf.extent == 1 && !leaf.stride.is_zero())
}

/// The result of composing `left`, coalesced, with `right`, which begins at a node of `result`, with pycute's strides at
/// the leaves of extent 1.
fn with_unit_steps(result: Layout, node: usize, right: &Layout, left: &Layout) -> Result<Layout, Error> {
    if left.codomain() != Codomain::Integer || left.leaves().is_empty() {
        return Ok(result);
    }
    let nodes: Vec<Option<usize>> = result.profile().nodes().collect();
    let mut leaves = result.leaves().to_vec();
    let mut at = node;
    let mut leaf = nodes[..node].iter().filter(|node| node.is_none()).count();
    let mut steps = right.leaves().iter();
    for node in right.profile().nodes() {
        if node.is_some() {
            at += 1;
            continue;
        }
        if let Some(step) = steps.next()
            && step.extent == 1
        {
            leaves[leaf].stride = Stride::integer(unit_step(left, step.stride.as_integer().unwrap_or(0)));
        }
        // Over all that this leaf has become.
        let mut open = 1;
        while open > 0 {
            match nodes[at] {
                None => leaf += 1,
                Some(rank) => open += rank,
            }
            at += 1;
            open -= 1;
        }
    }
    Layout::new(HTuple::with_profile(result.profile(), &leaves, Leaf::new(1, 0))?)
}

/// How far pycute says that a step of `stride` coordinates goes in a coalesced layout: in its last mode.
fn unit_step(left: &Layout, stride: i64) -> i64 {
    let Some((last, modes)) = left.leaves().split_last() else { return 0 };
    let steps =
        modes.iter().fold(i128::from(stride), |rest, mode| -(-rest).div_euclid(i128::from(mode.extent)));
    i64::try_from(steps * i128::from(last.stride.as_integer().unwrap_or(0))).unwrap_or(0)
}

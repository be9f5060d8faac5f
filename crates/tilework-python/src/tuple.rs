//! Python objects as values of the expression language, and values as Python objects.
//!
//! | Python | value |
//! |---|---|
//! | `4`, `Fraction(1, 2)`, `E(1, 0)`, `xor(9)` | a number, a stride |
//! | `None`, `:` | `_` |
//! | `(4, (8, None))`, a list too | a tuple |
//! | `(Layout(4), 8, None)`: a tuple with a layout in it | a tiler `<4:1,8:1,_>` |
//! | `"(4,8):(8,1)"` | what the text evaluates to |
//! | `Layout`, `ComposedLayout`, `View`, `Tiler`, `Swizzle`, `Instruction` | themselves |

use crate::classes::{self, AnyLayout, Instruction, Stride, Swizzle, Tiler};
use crate::prelude::*;
use pyo3::exceptions::PyOverflowError;
use tilework::__private::Atom;
use tilework::{Error, HTuple, Leaf, MAX_LEAVES, MAX_NODES, Pattern, PatternLeaf, Profile, Rational, Unit};
use tilework_expr::{Session, Value};

/// The value of an object.
pub fn value(object: &Object<'_>) -> Result<Value> {
    if let Ok(layout) = object.cast::<AnyLayout>() {
        return Ok(layout.get().value.clone());
    }
    if is_sequence(object) {
        if let Some(offsets) = offsets(object)? {
            return Ok(offsets);
        }
        return match nested_of(object, Atom::All, &atom)? {
            Some(tuple) => Ok(Value::from(tuple)),
            None => {
                let tiler = tiler(object, 0, &|tile| as_tiler(&value(tile)?).map(Some))?;
                tiler.map(Value::from).ok_or_else(|| Refusal::kind("a tiler", object))
            }
        };
    }
    if let Some(atom) = atom(object)? {
        return Ok(Value::from(HTuple::leaf(atom)));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return parsed(&text.to_cow()?);
    }
    if let Ok(tiler) = object.cast::<Tiler>() {
        return Ok(Value::from(tiler.get().0));
    }
    if let Ok(swizzle) = object.cast::<Swizzle>() {
        return Ok(Value::Swizzle(swizzle.get().0));
    }
    if let Ok(instruction) = object.cast::<Instruction>() {
        return Ok(instruction.get().0.clone());
    }
    Err(Refusal::kind("a layout, a tiler, a tuple of integers or a text", object))
}

const TOO_MANY_NODES: Error = Error::Capacity { what: "nodes in a tuple", limit: MAX_NODES };

/// The most offsets of a list.
const MAX_OFFSETS: usize = 1 << 16;

/// A list of offsets, like the result of `image`, if it is too long for a tuple.
fn offsets(object: &Object<'_>) -> Result<Option<Value>> {
    let members = members(object)?;
    if !(MAX_LEAVES + 1..=MAX_OFFSETS).contains(&members.len()) {
        return Ok(None);
    }
    let mut offsets = Vec::with_capacity(members.len());
    for member in members.iter() {
        let offset = nested_of(&member, Atom::All, &atom)?.and_then(|tuple| Value::from(tuple).as_offset());
        match offset {
            Some(offset) => offsets.push(offset),
            None => return Ok(None),
        }
    }
    Ok(Some(Value::offsets(offsets)?))
}

/// The value of a text in the expression language.
pub fn parsed(text: &str) -> Result<Value> {
    let mut session = Session::new();
    match session.evaluate(text) {
        Ok(value) => Ok(value.clone()),
        Err(error) => Err(Refusal::of_text(text, error)),
    }
}

/// A call as text. What has names and is no `SymbolicLayout`, an offset or a swizzle before one, is text in Python as well.
pub fn written(name: &str, arguments: &[Value], indices: &[usize]) -> String {
    let arguments: Vec<String> = arguments.iter().map(Value::to_string).collect();
    let indices: Vec<String> = indices.iter().map(usize::to_string).collect();
    let indices = if indices.is_empty() { String::new() } else { format!("<{}>", indices.join(",")) };
    format!("{name}{indices}({})", arguments.join(", "))
}

/// The tuple of numbers of an object.
pub fn tuple(object: &Object<'_>) -> Result<HTuple<Atom>> {
    match value(object)? {
        Value::Tuple(tuple) => Ok(*tuple),
        other => Err(Refusal::expected("a tuple", other.kind())),
    }
}

/// The coordinate of a call `f(22)`, `f(2, 5)`, `f((0, 1), (1, 1))`, if it is one of integers.
pub fn coordinate(arguments: &Bound<'_, PyTuple>) -> Result<Option<HTuple<i64>>> {
    match arguments.len() {
        1 => coordinate_of(&*arguments.get_borrowed_item(0)?),
        _ => coordinate_of(arguments),
    }
}

/// The tuple of integers that an object is, if it is one: a faster [`tuple`] for the most common case.
pub fn coordinate_of(object: &Object<'_>) -> Result<Option<HTuple<i64>>> {
    if object.is_exact_instance_of::<PyInt>() {
        return Ok(integer(object)?.map(HTuple::leaf));
    }
    match object.is_exact_instance_of::<PyTuple>() {
        true => nested_of(object, 0, &exact_integer),
        false => Ok(None),
    }
}

/// The tuple of integers and `_` that an object is, if it is one: the same for slices.
pub fn pattern_of(object: &Object<'_>) -> Result<Option<Pattern>> {
    nested_of(object, PatternLeaf::All, &|leaf| match leaf.is_none() {
        true => Ok(Some(PatternLeaf::All)),
        false => Ok(exact_integer(leaf)?.map(PatternLeaf::At)),
    })
}

/// The nesting of an object; what is no tuple in it is a leaf.
pub fn nesting(object: &Object<'_>) -> Result<Pattern> {
    let all = |_: &Object<'_>| Ok(Some(PatternLeaf::All));
    Ok(nested_of(object, PatternLeaf::All, &all)?.unwrap_or(HTuple::leaf(PatternLeaf::All)))
}

fn exact_integer(object: &Object<'_>) -> Result<Option<i64>> {
    if object.is_exact_instance_of::<PyInt>() { integer(object) } else { Ok(None) }
}

/// The layout of a shape and strides that are integers, at less cost than that of two values.
pub fn layout(shape: &Object<'_>, stride: Option<&Object<'_>>) -> Result<Option<tilework::Layout>> {
    let Some(shape) = coordinate_of(shape)? else { return Ok(None) };
    let Some(stride) = stride else { return Ok(Some(tilework::Layout::column_major(&shape)?)) };
    let Some(stride) = coordinate_of(stride)? else { return Ok(None) };
    if !shape.congruent(&stride) {
        return Ok(None);
    }
    let mut leaves = [Leaf::new(1, 0); MAX_LEAVES];
    for (leaf, (&extent, &stride)) in leaves.iter_mut().zip(shape.leaves().iter().zip(stride.leaves())) {
        *leaf = Leaf::new(extent, stride);
    }
    let tuple = HTuple::with_profile(shape.profile(), &leaves[..shape.leaves().len()], leaves[0])?;
    Ok(Some(tilework::Layout::new(tuple)?))
}

/// The integer that an object is, if it is one.
pub fn integer(object: &Object<'_>) -> Result<Option<i64>> {
    if !object.is_instance_of::<PyInt>() && !object.hasattr("__index__")? {
        return Ok(None);
    }
    match object.extract() {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
            refuse("overflow", "an integer does not fit in 64 bits")
        }
        // Arrays have `__index__`, and only some of them are integers.
        Err(_) => Ok(None),
    }
}

/// The rational number that an object is, if it is one.
pub fn rational(object: &Object<'_>) -> Result<Option<Rational>> {
    if let Some(value) = integer(object)? {
        return Ok(Some(Rational::integer(value)));
    }
    if !object.is_instance(fraction(object.py())?)? {
        return Ok(None);
    }
    let part = |name| match integer(&object.getattr(name)?)? {
        Some(value) => Ok(value),
        None => Err(Refusal::kind("an integer", object)),
    };
    Ok(Some(Rational::new(part("numerator")?, part("denominator")?)?))
}

/// The leaf of a tuple that an object is, if it is one.
fn atom(object: &Object<'_>) -> Result<Option<Atom>> {
    if object.is_none() {
        return Ok(Some(Atom::All));
    }
    if object.is_exact_instance_of::<PyInt>() {
        return Ok(integer(object)?.map(Atom::Integer));
    }
    if let Ok(stride) = object.cast::<Stride>() {
        return Ok(Some(Atom::of(stride.get().0)));
    }
    if let Ok(slice) = object.cast::<PySlice>() {
        for end in ["start", "stop", "step"] {
            if !slice.getattr(end)?.is_none() {
                let message =
                    "of slices only `:` is understood; a part of a mode is what a divide or `take` gives";
                return refuse("kind", message);
            }
        }
        return Ok(Some(Atom::All));
    }
    // What cannot be a number is not asked whether it is a fraction, for which the module would be imported.
    if object.is_instance_of::<PyString>() || object.is_instance_of::<Tiler>() {
        return Ok(None);
    }
    match rational(object)? {
        Some(count) if count.is_integer() => Ok(Some(Atom::Integer(count.numerator()))),
        Some(count) => Ok(Some(Atom::of(tilework::Stride::new(count, Unit::ONE)?))),
        None => Ok(None),
    }
}

fn is_sequence(object: &Object<'_>) -> bool {
    object.is_instance_of::<PyTuple>() || object.is_instance_of::<PyList>()
}

/// The members of a tuple or a list.
fn members<'py>(object: &Object<'py>) -> PyResult<Bound<'py, PyTuple>> {
    match object.cast::<PyTuple>() {
        Ok(tuple) => Ok(tuple.clone()),
        Err(_) => Ok(object.cast::<PyList>()?.to_tuple()),
    }
}

/// The tuple whose leaves a function reads, if it reads them all.
fn nested_of<T: Copy>(
    object: &Object<'_>,
    filler: T,
    leaf: &impl Fn(&Object<'_>) -> Result<Option<T>>,
) -> Result<Option<HTuple<T>>> {
    let mut tuple =
        Builder { nodes: [None; MAX_NODES], node_count: 0, leaves: [filler; MAX_LEAVES], leaf_count: 0 };
    if !tuple.push(object, leaf)? {
        return Ok(None);
    }
    let profile = Profile::of(&tuple.nodes[..tuple.node_count])?;
    Ok(Some(HTuple::with_profile(&profile, &tuple.leaves[..tuple.leaf_count], filler)?))
}

/// The nodes and leaves of a tuple in the order in which they are written.
struct Builder<T> {
    nodes: [Option<u8>; MAX_NODES],
    node_count: usize,
    leaves: [T; MAX_LEAVES],
    leaf_count: usize,
}

impl<T: Copy> Builder<T> {
    /// Appends an object; `false` where a leaf is not read. The recursion is as deep as there are nodes.
    fn push(
        &mut self,
        object: &Object<'_>,
        leaf: &impl Fn(&Object<'_>) -> Result<Option<T>>,
    ) -> Result<bool> {
        if self.node_count == MAX_NODES {
            return Err(TOO_MANY_NODES.into());
        }
        let node = self.node_count;
        self.node_count += 1;
        if is_sequence(object) {
            let members = members(object)?;
            let rank = u8::try_from(members.len()).ok().filter(|&rank| usize::from(rank) < MAX_NODES);
            self.nodes[node] = Some(rank.ok_or(TOO_MANY_NODES)?);
            for member in members.iter_borrowed() {
                if !self.push(&member, leaf)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        match leaf(object)? {
            Some(_) if self.leaf_count == MAX_LEAVES => {
                Err(Error::Capacity { what: "leaves in a tuple", limit: MAX_LEAVES }.into())
            }
            Some(value) => {
                self.leaves[self.leaf_count] = value;
                self.leaf_count += 1;
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

/// The tiler of a tuple in which there are layouts, each of which applies to one mode; none if a tile is not read.
pub fn tiler(
    object: &Object<'_>,
    depth: usize,
    tile: &impl Fn(&Object<'_>) -> Result<Option<tilework::Tiler>>,
) -> Result<Option<tilework::Tiler>> {
    if !is_sequence(object) {
        return tile(object);
    }
    if depth == MAX_NODES {
        return Err(TOO_MANY_NODES.into());
    }
    let mut tiles = Vec::new();
    for member in members(object)?.iter() {
        if tiles.len() == MAX_LEAVES {
            return Err(Error::Capacity { what: "tiles in a tiler", limit: MAX_LEAVES }.into());
        }
        match tiler(&member, depth + 1, tile)? {
            Some(tile) => tiles.push(tile),
            None => return Ok(None),
        }
    }
    Ok(Some(tilework::Tiler::by_mode(&tiles)?))
}

/// The tiler that a value is.
pub fn as_tiler(value: &Value) -> Result<tilework::Tiler> {
    match value.as_tiler() {
        Some(tiler) => Ok(tiler?),
        None => Err(Refusal::expected("a tiler", value.kind())),
    }
}

/// The Python object of a value.
pub fn object<'py>(py: Python<'py>, value: Value) -> Made<'py> {
    match value {
        Value::Tuple(tuple) => tuple_object(py, &tuple),
        // A pointer is written where a function takes one.
        Value::Pointer(pointer) => pointer.to_string().into_bound_py_any(py),
        // What has names in it is text, which `SymbolicLayout` reads.
        value if value.is_symbolic() => value.to_string().into_bound_py_any(py),
        Value::Text(text) => text.into_bound_py_any(py),
        Value::Bool(truth) => Ok(truth.into_pyobject(py)?.to_owned().into_any()),
        Value::Tiler(tiler) => Ok(Bound::new(py, Tiler(*tiler))?.into_any()),
        Value::Chain(layouts) => {
            let layouts = layouts.iter().map(|layout| classes::new(py, *layout));
            Ok(PyTuple::new(py, layouts.collect::<PyResult<Vec<_>>>()?)?.into_any())
        }
        Value::Swizzle(swizzle) => Ok(Bound::new(py, Swizzle(swizzle))?.into_any()),
        Value::Instruction(instruction) => Instruction::object(py, instruction),
        Value::Offsets(offsets) => {
            let offsets: Result<Vec<_>, _> = offsets
                .iter()
                .map(|offset| Value::offset(offset).map_err(Refusal::from).and_then(|v| Ok(object(py, v)?)))
                .collect();
            Ok(PyTuple::new(py, offsets?)?.into_any())
        }
        layout => classes::object(py, layout),
    }
}

/// A tuple of Python; a leaf on its own is a number.
fn tuple_object<'py>(py: Python<'py>, tuple: &HTuple<Atom>) -> Made<'py> {
    nested(py, tuple, &|atom| leaf_object(py, atom))
}

/// The same for integers.
pub fn integers_object<'py>(py: Python<'py>, tuple: &HTuple<i64>) -> Made<'py> {
    nested(py, tuple, &|value| Ok(value.into_pyobject(py)?.into_any()))
}

/// The tuple of Python whose leaves a function makes.
pub fn nested<'py, T: Copy>(py: Python<'py>, tuple: &HTuple<T>, leaf: &impl Fn(T) -> Made<'py>) -> Made<'py> {
    fn next<'py, T: Copy>(
        py: Python<'py>,
        nodes: &mut impl Iterator<Item = Option<usize>>,
        leaves: &mut std::slice::Iter<'_, T>,
        leaf: &impl Fn(T) -> Made<'py>,
    ) -> Made<'py> {
        match (nodes.next().flatten(), leaves.as_slice().first()) {
            (None, Some(&value)) => {
                leaves.next();
                leaf(value)
            }
            (rank, _) => {
                let members: PyResult<Vec<_>> =
                    (0..rank.unwrap_or(0)).map(|_| next(py, nodes, leaves, leaf)).collect();
                Ok(PyTuple::new(py, members?)?.into_any())
            }
        }
    }
    next(py, &mut tuple.profile().nodes(), &mut tuple.leaves().iter(), leaf)
}

fn leaf_object(py: Python<'_>, atom: Atom) -> Made<'_> {
    match atom {
        Atom::Integer(value) => Ok(value.into_pyobject(py)?.into_any()),
        Atom::All => Ok(py.None().into_bound(py)),
        Atom::Stride(stride) => stride_object(py, stride),
    }
}

/// An integer, a fraction, or a `Stride` for everything that is a multiple of another unit than 1.
pub fn stride_object(py: Python<'_>, stride: tilework::Stride) -> Made<'_> {
    if stride.unit().is_one() {
        return rational_object(py, stride.count());
    }
    Ok(Bound::new(py, Stride(stride))?.into_any())
}

/// An integer where it is one, else a fraction.
pub fn rational_object(py: Python<'_>, value: Rational) -> Made<'_> {
    if value.is_integer() {
        return Ok(value.numerator().into_pyobject(py)?.into_any());
    }
    fraction(py)?.call1((value.numerator(), value.denominator()))
}

/// Python's class of fractions, imported when the first one is seen: it takes longer than this whole package.
fn fraction(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static FRACTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    FRACTION.import(py, "fractions", "Fraction")
}

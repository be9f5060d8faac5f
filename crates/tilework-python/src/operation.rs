//! How a function of the table is called with Python objects: `operations!`, which `algebra.rs` uses for the list.

use crate::classes::{AnyLayout, new as layout_object};
use crate::elements::PyTensor;
use crate::prelude::*;
use crate::symbolic;
use crate::tuple;
use pyo3::exceptions::PyTypeError;
use pyo3::types::PyCFunction;
use tilework::{Error, Layout, Pattern, Shape, Tiler};
use tilework_expr::{Answered, FUNCTIONS, Function, Indices, LayoutOperation, Value};

/// The row of the table with this name, looked up once.
macro_rules! row {
    ($name:expr) => {{
        static ROW: std::sync::OnceLock<&'static tilework_expr::Function> = std::sync::OnceLock::new();
        *ROW.get_or_init(|| tilework_expr::find($name).expect("a row of the table"))
    }};
}
pub(crate) use row;

/// The value of a function.
pub fn run(function: &Function, arguments: &[Value], indices: &[usize]) -> Result<Value> {
    Ok(function.call(arguments, indices)?)
}

/// The answer of a function as a Python object.
pub fn call<'py>(py: Python<'py>, function: &Function, arguments: &[Value], indices: &[usize]) -> Made<'py> {
    match function.answered(arguments, indices) {
        Ok(Answered::Number(number)) => number.into_bound_py_any(py),
        Ok(Answered::Truth(truth)) => truth.into_bound_py_any(py),
        Ok(answered) => tuple::object(py, answered.into()),
        Err(_) if arguments.iter().any(Value::is_symbolic) => {
            tuple::object(py, tuple::parsed(&tuple::written(function.name(), arguments, indices))?)
        }
        Err(refused) => Err(Refusal::of_call(refused, arguments).into()),
    }
}

/// An optional argument.
pub type Argument<'a, 'py> = Option<&'a Object<'py>>;

/// How a package reads the operands of an operation on layouts, and makes its result. A reader gives none for what it leaves to others.
pub trait Operands {
    fn layout<'a>(object: &'a Object<'_>) -> Result<Option<&'a Layout>>;
    fn profile(object: &Object<'_>) -> Result<Option<Pattern>>;
    fn shape(object: &Object<'_>) -> Result<Option<Shape>>;
    /// What a tiler, which is large, is read for.
    fn tiled<T>(object: &Object<'_>, apply: impl FnOnce(&Tiler) -> Result<T>) -> Result<Option<T>>;
    fn object<'py>(py: Python<'py>, layout: &Layout) -> Made<'py>;
}

/// What follows from an answer of the core, which is large: it is not moved.
#[inline(always)]
pub fn followed<T, U>(answer: &Result<T, Error>, then: impl FnOnce(&T) -> Result<U>) -> Result<U> {
    match answer {
        Ok(answer) => then(answer),
        Err(error) => Err(Refusal::from(*error)),
    }
}

/// An operation on a layout; none if its second operand is left to others.
#[inline]
pub fn apply<'py, O: Operands>(
    py: Python<'py>,
    operation: LayoutOperation,
    first: &Layout,
    second: Argument<'_, 'py>,
) -> Result<Option<Object<'py>>> {
    use LayoutOperation::{Composition, Function, Functions, One, Profiled, Tiled, Two, Within};
    let made = |layout: &Result<Layout, Error>| followed(layout, |layout| Ok(O::object(py, layout)?));
    let Some(second) = second else {
        return match operation {
            One(operation) | Function(operation, ..) | Within(operation, _) => {
                made(&operation(first)).map(Some)
            }
            Profiled(operation, _) => made(&Ok(operation(first))).map(Some),
            _ => Ok(None),
        };
    };
    match operation {
        Profiled(_, operation) => {
            O::profile(second)?.map(|profile| made(&operation(first, &profile))).transpose()
        }
        Within(_, operation) => O::shape(second)?.map(|shape| made(&operation(first, &shape))).transpose(),
        Tiled(operation) => O::tiled(second, |tiler| made(&operation(first, tiler))),
        Two(operation) | Functions(operation, _) => {
            O::layout(second)?.map(|second| made(&operation(first, second))).transpose()
        }
        Composition(operation, by_mode) => match O::layout(second)? {
            Some(second) => made(&operation(first, second)).map(Some),
            None => O::tiled(second, |tiler| made(&by_mode(first, tiler))),
        },
        _ => Ok(None),
    }
}

/// The operands of `tilework`: layouts, and tuples of integers.
struct Native;

impl Operands for Native {
    fn layout<'a>(object: &'a Object<'_>) -> Result<Option<&'a Layout>> {
        Ok(object.cast::<AnyLayout>().ok().and_then(|layout| layout.get().plain()))
    }

    fn profile(object: &Object<'_>) -> Result<Option<Pattern>> {
        tuple::pattern_of(object)
    }

    fn shape(object: &Object<'_>) -> Result<Option<Shape>> {
        tuple::coordinate_of(object)
    }

    fn tiled<T>(object: &Object<'_>, apply: impl FnOnce(&Tiler) -> Result<T>) -> Result<Option<T>> {
        if let Some(layout) = Self::layout(object)? {
            return apply(&layout.as_tiler()).map(Some);
        }
        match &tuple::coordinate_of(object)? {
            Some(shape) => followed(&Tiler::of_shape(shape), apply).map(Some),
            None => Ok(None),
        }
    }

    #[inline(always)]
    fn object<'py>(py: Python<'py>, layout: &Layout) -> Made<'py> {
        layout_object(py, *layout)
    }
}

/// A call whose first argument is already converted.
pub fn call_on<'py>(
    py: Python<'py>,
    function: &Function,
    first: &Value,
    more: &[Argument<'_, 'py>],
    indices: &[usize],
) -> Made<'py> {
    let more = given(more);
    if let Value::Layout(layout) = first {
        if let Some(operation) = function.core()
            && let Some(answer) = apply::<Native>(py, operation, layout, more.first().copied().flatten())?
        {
            return Ok(answer);
        }
        if is_any_symbolic(more) {
            return symbolic::call(function.name(), &layout_object(py, **layout)?, more);
        }
    }
    match more {
        [] => call(py, function, std::slice::from_ref(first), indices),
        // The most frequent case needs no list.
        [Some(second)] => call(py, function, &[first.clone(), tuple::value(second)?], indices),
        more => {
            let mut arguments = vec![first.clone()];
            for argument in more.iter().flatten() {
                arguments.push(tuple::value(argument)?);
            }
            call(py, function, &arguments, indices)
        }
    }
}

fn is_any_symbolic(arguments: &[Argument<'_, '_>]) -> bool {
    arguments.iter().flatten().any(|argument| symbolic::is_symbolic(argument))
}

/// The arguments up to the first missing one.
fn given<'a, 'b, 'py>(more: &'a [Argument<'b, 'py>]) -> &'a [Argument<'b, 'py>] {
    &more[..more.iter().position(Option::is_none).unwrap_or(more.len())]
}

/// A call with all arguments as Python objects.
pub fn call_with<'py>(
    function: &Function,
    first: &Object<'py>,
    more: &[Argument<'_, 'py>],
    indices: &[usize],
) -> Made<'py> {
    if let Ok(tensor) = first.cast::<PyTensor>() {
        return call_with_tensor(function, tensor, more, indices);
    }
    if let (Some(operation), [Some(second)]) = (function.on_coordinates(), given(more))
        && let (Some(coord), Some(shape)) = (tuple::coordinate_of(first)?, tuple::coordinate_of(second)?)
    {
        return tuple::integers_object(first.py(), &operation(&coord, &shape).map_err(Refusal::from)?);
    }
    if let Ok(layout) = first.cast::<AnyLayout>() {
        return call_on(first.py(), function, &layout.get().value, more, indices);
    }
    match symbolic::is_symbolic(first) || is_any_symbolic(more) {
        true => symbolic::call(function.name(), first, more),
        false => call_on(first.py(), function, &tuple::value(first)?, more, indices),
    }
}

/// A call whose first argument is a tensor: its method of that name, or a question about its layout; functions that
/// return a layout are refused.
fn call_with_tensor<'py>(
    function: &Function,
    tensor: &Bound<'py, PyTensor>,
    more: &[Argument<'_, 'py>],
    indices: &[usize],
) -> Made<'py> {
    let arguments: Vec<_> = given(more).iter().flatten().collect();
    match tensor.getattr_opt(function.name())? {
        Some(method) if method.is_callable() => method.call1(PyTuple::new(tensor.py(), arguments)?),
        _ => match call_on(tensor.py(), function, &tensor.get().layout_value(), more, indices)? {
            layout if layout.is_instance_of::<AnyLayout>() => {
                let message = format!("{} is none of the operations of a tensor", function.name());
                Err(Refusal::new("kind", message).help("its layout, tensor.layout, has it").into())
            }
            answer => Ok(answer),
        },
    }
}

/// The part of an argument at a path.
pub fn part<'py>(whole: &Object<'py>, path: &Bound<'py, PyTuple>) -> Made<'py> {
    if symbolic::is_symbolic(whole) {
        return symbolic::part(whole, path);
    }
    let value = match whole.cast::<PyTensor>() {
        Ok(tensor) => tensor.get().layout_value(),
        Err(_) => tuple::value(whole)?,
    };
    call(path.py(), row!("get"), &[value, path_value(path)?], &[])
}

/// The index that an argument by name is, if there is such an argument and it is given.
pub fn named(index: &[Option<usize>]) -> &[usize] {
    index.first().map_or(&[], Option::as_slice)
}

/// Indices from Python, as several arguments or a tuple.
pub fn path_value(path: &Bound<'_, PyTuple>) -> Result<Value> {
    match path.len() {
        1 => tuple::value(&path.get_item(0)?),
        _ => tuple::value(path),
    }
}

/// The function of a name and, except for `function` and `layouts`, the method; for `attribute` and `part`, the
/// attribute.
macro_rules! operation {
    (function [$($doc:tt)*] $name:ident ($first:ident $(, $more:ident)* $(; $option:ident)* $(; * $index:ident)?)) => {
        $($doc)*
        #[pyfunction]
        #[pyo3(signature = ($first $(, $more)* $(, $option = None)* $(, *, $index = None)?))]
        fn $name<'py>(
            $first: &Object<'py>,
            $($more: &Object<'py>,)*
            $($option: Argument<'_, 'py>,)*
            $($index: Option<usize>,)?
        ) -> Made<'py> {
            let arguments = [$(Some($more),)* $($option,)*];
            call_with(row!(stringify!($name)), $first, &arguments, named(&[$($index)?]))
        }
    };
    (method [$($doc:tt)*] $name:ident ($first:ident $(, $more:ident)* $(; $option:ident)* $(; * $index:ident)?)) => {
        operation!(function [$($doc)*] $name ($first $(, $more)* $(; $option)* $(; * $index)?));

        #[pymethods]
        impl AnyLayout {
            $($doc)*
            #[pyo3(signature = ($($more,)* $($option = None,)* $(*, $index = None)?))]
            pub fn $name<'py>(
                &self,
                py: Python<'py>,
                $($more: &Object<'py>,)*
                $($option: Argument<'_, 'py>,)*
                $($index: Option<usize>,)?
            ) -> Made<'py> {
                let arguments = [$(Some($more),)* $($option,)*];
                call_on(py, row!(stringify!($name)), &self.value, &arguments, named(&[$($index)?]))
            }
        }
    };
    (attribute [$($doc:tt)*] $name:ident ($first:ident)) => {
        operation!(function [$($doc)*] $name ($first));
        operation!(getter [$($doc)*] $name);
    };
    (getter [$($doc:tt)*] $name:ident) => {
        #[pymethods]
        impl AnyLayout {
            $($doc)*
            #[getter]
            fn $name<'py>(&self, py: Python<'py>) -> Made<'py> {
                call_on(py, row!(stringify!($name)), &self.value, &[], &[])
            }
        }
    };
    (part [$($doc:tt)*] $name:ident ($first:ident)) => {
        operation!(getter [$($doc)*] $name);

        $($doc)*
        #[pyfunction]
        #[pyo3(signature = ($first, *path))]
        fn $name<'py>(
            $first: &Object<'py>,
            path: &Bound<'py, PyTuple>,
        ) -> Made<'py> {
            match path.is_empty() {
                true => call_with(row!(stringify!($name)), $first, &[], &[]),
                false => call_with(row!(stringify!($name)), &part($first, path)?, &[], &[]),
            }
        }
    };
    (sizes [$($doc:tt)*] $name:ident ($first:ident, $value:ident by $answer:path)) => {
        $($doc)*
        #[pyfunction]
        #[pyo3(signature = ($first, $value, **sizes))]
        fn $name<'py>($first: &str, $value: &Object<'py>, sizes: Option<&Bound<'py, PyDict>>) -> Made<'py> {
            $answer($first, $value, sizes)
        }
    };
    (text [$($doc:tt)*] $name:ident ($first:ident)) => {
        $($doc)*
        #[pyfunction]
        fn $name<'py>(py: Python<'py>, $first: &str) -> Made<'py> {
            call(py, row!(stringify!($name)), &[tilework_expr::Value::Text($first.into())], &[])
        }
    };
    (indices [$($doc:tt)*] $name:ident ($first:ident, $indices:ident)) => {
        $($doc)*
        #[pyfunction]
        #[pyo3(signature = ($first, *$indices))]
        fn $name<'py>(
            $first: &Object<'py>,
            $indices: &Bound<'py, PyTuple>,
        ) -> Made<'py> {
            call($first.py(), row!(stringify!($name)), &[tuple::value($first)?, path_value($indices)?], &[])
        }

        #[pymethods]
        impl AnyLayout {
            $($doc)*
            #[pyo3(signature = (*$indices))]
            fn $name<'py>(&self, $indices: &Bound<'py, PyTuple>) -> Made<'py> {
                let arguments = [self.value.clone(), path_value($indices)?];
                call($indices.py(), row!(stringify!($name)), &arguments, &[])
            }
        }
    };
    (layouts [$($doc:tt)*] $name:ident ($first:ident, $more:ident)) => {
        $($doc)*
        #[pyfunction]
        #[pyo3(signature = ($first, *$more))]
        fn $name<'py>(
            $first: &Object<'py>,
            $more: &Bound<'py, PyTuple>,
        ) -> Made<'py> {
            if let Some(layout) = $crate::symbolic::layout_of($first, $more.iter().next().as_ref())? {
                return Ok(layout.into_any());
            }
            let mut values = vec![tuple::value($first)?];
            for value in $more.iter() {
                values.push(tuple::value(&value)?);
            }
            call($first.py(), row!(stringify!($name)), &values, &[])
        }
    };
}

/// A function of the table that takes indices: as arguments, or in brackets before them, `size[1, 0](L)`.
#[pyclass(frozen, dict, name = "_Indexed", module = "tilework._core")]
pub struct Indexed {
    row: &'static Function,
    function: Py<PyAny>,
}

#[pymethods]
impl Indexed {
    #[pyo3(signature = (*arguments, **named))]
    fn __call__<'py>(
        &self,
        arguments: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> Made<'py> {
        self.function.bind(arguments.py()).call(arguments, named)
    }

    fn __getitem__<'py>(&self, indices: &Object<'py>) -> PyResult<Bound<'py, PyCFunction>> {
        let py = indices.py();
        let indices: Vec<Object<'_>> = indices
            .cast::<PyTuple>()
            .map_or_else(|_| vec![indices.clone()], |indices| indices.iter().collect());
        let index = |index: &Object<'_>| {
            let number = if index.is_exact_instance_of::<PyInt>() { index.extract().ok() } else { None };
            let help = || format!("brackets are before the argument: {0}[1](L)", self.row.name());
            number.ok_or_else(|| Refusal::kind("an index", index).help(help()))
        };
        let indices: Vec<usize> = indices.iter().map(index).collect::<Result<_, _>>()?;
        let (row, function) = (self.row, self.function.clone_ref(py));
        PyCFunction::new_closure(py, None, None, move |arguments, named| {
            let (py, function) = (arguments.py(), function.bind(arguments.py()));
            let mut given: Vec<Object<'_>> = arguments.iter().collect();
            if named.is_some_and(|named| !named.is_empty()) {
                return Err(PyTypeError::new_err("what follows indices in brackets has no names"));
            }
            let Some(first) = given.first().cloned() else {
                // It says what is missing.
                return function.call0().map(Bound::unbind);
            };
            if row.indices() == Indices::Path {
                given[0] = part(&first, &PyTuple::new(py, &indices)?)?;
                return Ok(function.call1(PyTuple::new(py, given)?)?.unbind());
            }
            // What has methods of its own takes arguments.
            if first.is_instance_of::<PyTensor>() || symbolic::is_symbolic(&first) {
                given.splice(1..1, PyTuple::new(py, &indices)?.iter());
                return Ok(function.call1(PyTuple::new(py, given)?)?.unbind());
            }
            let more: Vec<_> = given[1..].iter().map(Some).collect();
            call_with(row, &first, &more, &indices).map(Bound::unbind)
        })
    }

    fn __repr__(&self) -> String {
        format!("<function {}>", self.row.name())
    }

    fn __reduce__(&self) -> &'static str {
        self.row.name()
    }
}

impl Indexed {
    /// What is documented as the function is, whose signature it has.
    fn of<'py>(row: &'static Function, function: Object<'py>) -> PyResult<Bound<'py, Indexed>> {
        let own = Bound::new(function.py(), Indexed { row, function: function.clone().unbind() })?;
        for name in ["__name__", "__qualname__", "__module__", "__doc__"] {
            own.setattr(name, function.getattr(name)?)?;
        }
        own.setattr("__wrapped__", function)?;
        Ok(own)
    }
}

/// Further data of the table: indices in brackets, aliases that are not names of classes, and the types of results for
/// `stubs.py`.
pub fn names(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let results = PyDict::new(module.py());
    for row in FUNCTIONS {
        if row.indices() != Indices::None {
            module.setattr(row.name(), Indexed::of(row, module.getattr(row.name())?)?)?;
        }
        results.set_item(row.name(), row.signature().rsplit(" -> ").next())?;
        for alias in row.aliases() {
            if !module.hasattr(alias)? {
                module.add(*alias, module.getattr(row.name())?)?;
            }
        }
    }
    module.setattr("_Indexed", module.py().get_type::<Indexed>())?;
    module.setattr("_RESULTS", results)?;
    module.add("FUNCTIONS", PyTuple::new(module.py(), FUNCTIONS.iter().map(|row| row.name()))?)
}

macro_rules! operations {
    ($($(#[$doc:meta])* $kind:ident $name:ident ($($arguments:tt)*);)*) => {
        $(operation!($kind [$(#[$doc])*] $name ($($arguments)*));)*

        /// Adds all functions to the module.
        pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            crate::operation::names(module)
        }
    };
}
pub(crate) use {operation, operations};

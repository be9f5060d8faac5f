//! How a function of the table is called with Python objects: `operations!`, which `algebra.rs` uses for the list.

use crate::classes::{AnyLayout, new as layout_object};
use crate::elements::PyTensor;
use crate::error::Refusal;
use crate::symbolic;
use crate::tuple;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tilework::{Layout, Pattern, Shape, Tiler};
use tilework_expr::{FUNCTIONS, Function, LayoutOperation, Value};

/// The row of the table with this name, looked up once.
macro_rules! row {
    ($name:expr) => {{
        static ROW: std::sync::OnceLock<&'static tilework_expr::Function> = std::sync::OnceLock::new();
        *ROW.get_or_init(|| tilework_expr::find($name).expect("a row of the table"))
    }};
}
pub(crate) use row;

/// The value of a function.
pub fn run(function: &Function, arguments: &[Value], indices: &[usize]) -> Result<Value, Refusal> {
    Ok(function.call(arguments, indices)?)
}

/// The answer of a function as a Python object.
pub fn call<'py>(
    py: Python<'py>,
    function: &Function,
    arguments: &[Value],
    indices: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    match function.number(arguments, indices) {
        Some(number) => number.map_err(Refusal::from)?.into_bound_py_any(py),
        None => tuple::object(py, run(function, arguments, indices)?),
    }
}

/// An optional argument.
pub type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// How a package reads the operands of an operation on layouts, and makes its result. A reader gives none for what it leaves to others.
pub trait Operands {
    fn layout<'a>(object: &'a Bound<'_, PyAny>) -> Result<Option<&'a Layout>, Refusal>;
    fn tiler(object: &Bound<'_, PyAny>) -> Result<Option<Tiler>, Refusal>;
    fn profile(object: &Bound<'_, PyAny>) -> Result<Option<Pattern>, Refusal>;
    fn shape(object: &Bound<'_, PyAny>) -> Result<Option<Shape>, Refusal>;
    fn object(py: Python<'_>, layout: Layout) -> PyResult<Bound<'_, PyAny>>;
}

/// An operation on a layout; none if its second operand is left to others.
#[inline]
pub fn apply<'py, O: Operands>(
    py: Python<'py>,
    operation: LayoutOperation,
    first: &Layout,
    second: Argument<'_, 'py>,
) -> Result<Option<Bound<'py, PyAny>>, Refusal> {
    use LayoutOperation::{Composition, Function, One, Profiled, Tiled, Within};
    let Some(second) = second else {
        let result = match operation {
            One(operation) | Function(operation, _) | Within(operation, _) => operation(first)?,
            Profiled(operation, _) => operation(first),
            _ => return Ok(None),
        };
        return Ok(Some(O::object(py, result)?));
    };
    let result = match operation {
        Profiled(_, operation) => O::profile(second)?.map(|profile| operation(first, &profile)),
        Within(_, operation) => O::shape(second)?.map(|shape| operation(first, &shape)),
        Tiled(operation) => O::tiler(second)?.map(|tiler| operation(first, &tiler)),
        Composition(operation, by_mode) => match O::layout(second)? {
            Some(second) => Some(operation(first, second)),
            None => O::tiler(second)?.map(|tiler| by_mode(first, &tiler)),
        },
        _ => None,
    };
    match result {
        Some(result) => Ok(Some(O::object(py, result?)?)),
        None => Ok(None),
    }
}

/// The operands of `tilework`: layouts, and tuples of integers.
struct Native;

impl Operands for Native {
    fn layout<'a>(object: &'a Bound<'_, PyAny>) -> Result<Option<&'a Layout>, Refusal> {
        Ok(object.cast::<AnyLayout>().ok().and_then(|layout| layout.get().plain()))
    }

    fn tiler(object: &Bound<'_, PyAny>) -> Result<Option<Tiler>, Refusal> {
        match Self::layout(object)? {
            Some(layout) => Ok(Some(layout.as_tiler())),
            None => Ok(tuple::coordinate_of(object)?.map(|shape| Tiler::of_shape(&shape)).transpose()?),
        }
    }

    fn profile(object: &Bound<'_, PyAny>) -> Result<Option<Pattern>, Refusal> {
        tuple::pattern_of(object)
    }

    fn shape(object: &Bound<'_, PyAny>) -> Result<Option<Shape>, Refusal> {
        tuple::coordinate_of(object)
    }

    fn object(py: Python<'_>, layout: Layout) -> PyResult<Bound<'_, PyAny>> {
        layout_object(py, layout)
    }
}

/// A call whose first argument is already converted.
pub fn call_on<'py>(
    py: Python<'py>,
    function: &Function,
    first: &Value,
    more: &[Argument<'_, 'py>],
    indices: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    if let Value::Layout(layout) = first {
        if let Some(operation) = function.core()
            && let Some(answer) = apply::<Native>(py, operation, layout, more.first().copied().flatten())?
        {
            return Ok(answer);
        }
        if !given(more).is_empty()
            && let Some(answer) = symbolic::call(py, function.name(), || layout_object(py, **layout), more)?
        {
            return Ok(answer);
        }
    }
    match given(more) {
        [] => call(py, function, std::slice::from_ref(first), indices),
        more => {
            let mut arguments = vec![first.clone()];
            for argument in more.iter().flatten() {
                arguments.push(tuple::value(argument)?);
            }
            call(py, function, &arguments, indices)
        }
    }
}

/// The arguments up to the first missing one.
fn given<'a, 'b, 'py>(more: &'a [Argument<'b, 'py>]) -> &'a [Argument<'b, 'py>] {
    &more[..more.iter().position(Option::is_none).unwrap_or(more.len())]
}

/// A call with all arguments as Python objects.
pub fn call_with<'py>(
    function: &Function,
    first: &Bound<'py, PyAny>,
    more: &[Argument<'_, 'py>],
    indices: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
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
    match symbolic::call(first.py(), function.name(), || Ok(first.clone()), more)? {
        Some(answer) => Ok(answer),
        None => call_on(first.py(), function, &tuple::value(first)?, more, indices),
    }
}

/// A call whose first argument is a tensor: its method of that name, or a question about its layout; functions that
/// return a layout are refused.
fn call_with_tensor<'py>(
    function: &Function,
    tensor: &Bound<'py, PyTensor>,
    more: &[Argument<'_, 'py>],
    indices: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
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

/// A question about the part at a path, or about the whole layout.
pub fn call_at<'py>(
    function: &Function,
    whole: &Value,
    path: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    if path.is_empty() {
        return call(path.py(), function, std::slice::from_ref(whole), &[]);
    }
    let part = run(row!("get"), &[whole.clone(), path_value(path)?], &[])?;
    call(path.py(), function, std::slice::from_ref(&part), &[])
}

/// Indices from Python, as several arguments or a tuple.
pub fn path_value(path: &Bound<'_, PyTuple>) -> Result<Value, Refusal> {
    match path.len() {
        1 => tuple::value(&path.get_item(0)?),
        _ => tuple::value(path),
    }
}

/// The function of a name and, except for `function` and `layouts`, the method; for `attribute` and `part`, the
/// attribute.
macro_rules! operation {
    (function [$($doc:tt)*] $name:ident ($first:ident $(, $more:ident)* $(; $option:ident)*)) => {
        $($doc)*
        #[pyfunction]
        #[pyo3(signature = ($first $(, $more)* $(, $option = None)*))]
        fn $name<'py>(
            $first: &Bound<'py, PyAny>,
            $($more: &Bound<'py, PyAny>,)*
            $($option: Argument<'_, 'py>,)*
        ) -> PyResult<Bound<'py, PyAny>> {
            call_with(row!(stringify!($name)), $first, &[$(Some($more),)* $($option,)*], &[])
        }
    };
    (method [$($doc:tt)*] $name:ident ($first:ident $(, $more:ident)* $(; $option:ident)*)) => {
        operation!(function [$($doc)*] $name ($first $(, $more)* $(; $option)*));

        #[pymethods]
        impl AnyLayout {
            $($doc)*
            #[pyo3(signature = ($($more,)* $($option = None,)*))]
            pub fn $name<'py>(
                &self,
                py: Python<'py>,
                $($more: &Bound<'py, PyAny>,)*
                $($option: Argument<'_, 'py>,)*
            ) -> PyResult<Bound<'py, PyAny>> {
                call_on(py, row!(stringify!($name)), &self.value, &[$(Some($more),)* $($option,)*], &[])
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
            fn $name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
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
            $first: &Bound<'py, PyAny>,
            path: &Bound<'py, PyTuple>,
        ) -> PyResult<Bound<'py, PyAny>> {
            match ($first.cast::<AnyLayout>(), $first.cast::<PyTensor>()) {
                (Ok(layout), _) => call_at(row!(stringify!($name)), &layout.get().value, path),
                (_, Ok(tensor)) => call_at(row!(stringify!($name)), &tensor.get().layout_value(), path),
                _ => match $crate::symbolic::call($first.py(), stringify!($name), || Ok($first.clone()), &[])? {
                    Some(answer) if path.is_empty() => Ok(answer),
                    Some(answer) => answer.get_item(path),
                    None => call_at(row!(stringify!($name)), &tuple::value($first)?, path),
                },
            }
        }
    };
    (indices [$($doc:tt)*] $name:ident ($first:ident, $indices:ident)) => {
        $($doc)*
        #[pyfunction]
        #[pyo3(signature = ($first, *$indices))]
        fn $name<'py>(
            $first: &Bound<'py, PyAny>,
            $indices: &Bound<'py, PyTuple>,
        ) -> PyResult<Bound<'py, PyAny>> {
            call($first.py(), row!(stringify!($name)), &[tuple::value($first)?, path_value($indices)?], &[])
        }

        #[pymethods]
        impl AnyLayout {
            $($doc)*
            #[pyo3(signature = (*$indices))]
            fn $name<'py>(&self, $indices: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
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
            $first: &Bound<'py, PyAny>,
            $more: &Bound<'py, PyTuple>,
        ) -> PyResult<Bound<'py, PyAny>> {
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
    (padded [$($doc:tt)*] $name:ident ($first:ident; $mode:ident; $rank:ident)) => {
        $($doc)*
        #[pyfunction]
        #[pyo3(signature = ($first, $mode = None, *, $rank = None))]
        fn $name<'py>(
            $first: &Bound<'py, PyAny>,
            $mode: Argument<'_, 'py>,
            $rank: Option<usize>,
        ) -> PyResult<Bound<'py, PyAny>> {
            call_with(row!(stringify!($name)), $first, &[$mode], $rank.as_slice())
        }

        #[pymethods]
        impl AnyLayout {
            $($doc)*
            #[pyo3(signature = ($mode = None, *, $rank = None))]
            fn $name<'py>(
                &self,
                py: Python<'py>,
                $mode: Argument<'_, 'py>,
                $rank: Option<usize>,
            ) -> PyResult<Bound<'py, PyAny>> {
                call_on(py, row!(stringify!($name)), &self.value, &[$mode], $rank.as_slice())
            }
        }
    };
}

/// Further data of the table: aliases that are not names of classes, and the types of results for `stubs.py`.
pub fn names(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let results = PyDict::new(module.py());
    for row in FUNCTIONS {
        results.set_item(row.name(), row.signature().rsplit(" -> ").next())?;
        for alias in row.aliases() {
            if !module.hasattr(alias)? {
                module.add(*alias, module.getattr(row.name())?)?;
            }
        }
    }
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

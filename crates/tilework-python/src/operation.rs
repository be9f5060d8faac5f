//! How a function of the table is called with Python objects: `operations!`, which `algebra.rs` uses for the list.

use crate::classes::{AnyLayout, new as layout_object};
use crate::elements::PyTensor;
use crate::error::Refusal;
use crate::symbolic;
use crate::tuple;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tilework::{Layout, Tiler};
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

/// The value of a function as a Python object.
pub fn call<'py>(
    py: Python<'py>,
    function: &Function,
    arguments: &[Value],
    indices: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    tuple::object(py, run(function, arguments, indices)?)
}

/// An optional argument.
pub type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// A call whose first argument is a plain layout, without conversion to values, which are large. `None` if the other
/// arguments are not layouts, shapes or the like.
#[inline]
fn on_layout<'py>(
    py: Python<'py>,
    operation: LayoutOperation,
    first: &Layout,
    more: &[Argument<'_, 'py>],
) -> Result<Option<Bound<'py, PyAny>>, Refusal> {
    let second = more.first().copied().flatten();
    Ok(Some(match (operation, second) {
        (LayoutOperation::Number(operation), None) => operation(first)?.into_bound_py_any(py)?,
        (LayoutOperation::Bool(operation), None) => operation(first)?.into_bound_py_any(py)?,
        (LayoutOperation::One(operation), None) | (LayoutOperation::Within(operation, _), None) => {
            layout_object(py, operation(first)?)?
        }
        (LayoutOperation::Two(operation), Some(second)) => {
            let second = second.cast::<AnyLayout>().ok();
            match second.and_then(|second| second.get().plain()) {
                Some(second) => layout_object(py, operation(first, second)?)?,
                None => return Ok(None),
            }
        }
        (LayoutOperation::Profiled(operation, _), None) => layout_object(py, operation(first))?,
        (LayoutOperation::Profiled(_, by_mode), Some(profile)) => match tuple::pattern_of(profile)? {
            Some(profile) => layout_object(py, by_mode(first, &profile)?)?,
            None => return Ok(None),
        },
        (LayoutOperation::Within(_, operation), Some(shape)) => match tuple::coordinate_of(shape)? {
            Some(shape) => layout_object(py, operation(first, &shape)?)?,
            None => return Ok(None),
        },
        (LayoutOperation::Composed(operation, by_mode), Some(second)) => {
            let operation = match second.is_instance_of::<AnyLayout>() {
                true => LayoutOperation::Two(operation),
                false => LayoutOperation::Tiled(by_mode),
            };
            return on_layout(py, operation, first, more);
        }
        (LayoutOperation::Tiled(operation), Some(second)) => match second.cast::<AnyLayout>() {
            Ok(second) => match second.get().plain() {
                Some(second) => layout_object(py, operation(first, &second.as_tiler())?)?,
                None => return Ok(None),
            },
            Err(_) => match tuple::coordinate_of(second)? {
                Some(shape) => layout_object(py, operation(first, &Tiler::of_shape(&shape)?)?)?,
                None => return Ok(None),
            },
        },
        _ => return Ok(None),
    }))
}

/// A call whose first argument is already converted.
pub fn call_on<'py>(
    py: Python<'py>,
    function: &Function,
    first: &Value,
    more: &[Argument<'_, 'py>],
    indices: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    if let (Value::Layout(first), Some(operation)) = (first, function.on_layouts())
        && let Some(answer) = on_layout(py, operation, first, more)?
    {
        return Ok(answer);
    }
    if let Value::Layout(first) = first
        && let Some(answer) = symbolic::call(py, function.name(), || layout_object(py, **first), more)?
    {
        return Ok(answer);
    }
    let mut given = more.iter().flatten();
    // A value is large: the usual cases need no list of them, and do not copy a single argument.
    match (given.next(), given.next()) {
        (None, _) => call(py, function, std::slice::from_ref(first), indices),
        (Some(second), None) => call(py, function, &[first.clone(), tuple::value(second)?], indices),
        (Some(second), Some(third)) => {
            let mut arguments = vec![first.clone(), tuple::value(second)?, tuple::value(third)?];
            for argument in given {
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
    if let (Some(LayoutOperation::Coordinate(operation)), [Some(second)]) =
        (function.on_layouts(), given(more))
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
        if let (Value::Layout(layout), Some(operation)) = (whole, function.on_layouts())
            && let Some(answer) = on_layout(path.py(), operation, layout, &[])?
        {
            return Ok(answer);
        }
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

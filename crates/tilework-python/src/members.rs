//! Members of classes that are one expression each, as tables.

use crate::prelude::*;
use std::fmt::{Display, Write};

/// Attributes of a class: the name and the type of each, and what it is of an object, also as Python has it.
macro_rules! attributes {
    ($class:ident: $($(#[$doc:meta])* $name:ident: $type:ty = |$this:ident $(, $py:ident $(, $slf:ident)?)?| $value:expr;)*) => {
        #[pyo3::pymethods]
        impl $class {$(
            $(#[$doc])*
            #[getter]
            fn $name<'py>(slf: &pyo3::Bound<'py, Self>) -> $type {
                let $this = slf.get();
                $(let $py = slf.py(); $(let $slf = slf;)?)?
                $value
            }
        )*}
    };
}

/// A text by one allocation, if it is as short as most.
pub fn text(value: impl Display) -> String {
    let mut text = String::with_capacity(64);
    let _ = write!(text, "{value}");
    text
}

/// The result of `__reduce__`: everything prints as text that parses back to it.
pub fn unpickled(py: Python<'_>, text: String) -> PyResult<(Object<'_>, (String,))> {
    static PARSE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    Ok((PARSE.import(py, "tilework", "parse")?.clone(), (text,)))
}

/// The `str` of a class, and the form of its `repr` around the same; of one whose text parses back, `parsed`, the hash and what
/// is pickled too.
macro_rules! texts {
    ($class:ident: |$this:ident| $text:expr, $form:literal, parsed) => {
        texts!($class: |$this| $text, $form);

        #[pyo3::pymethods]
        impl $class {
            fn __hash__(&self) -> u64 {
                $crate::classes::hash(&self.__str__())
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Object<'py>, (String,))> {
                $crate::members::unpickled(py, self.__str__())
            }
        }
    };
    ($class:ident: |$this:ident| $text:expr, $form:literal) => {
        #[pyo3::pymethods]
        impl $class {
            fn __str__(&self) -> String {
                let $this = self;
                $crate::members::text(&$text)
            }

            fn __repr__(&self) -> String {
                let $this = self;
                format!($form, $text)
            }
        }
    };
}

pub(crate) use {attributes, texts};

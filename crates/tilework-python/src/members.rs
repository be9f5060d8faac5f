//! Members of classes that are one expression each, as tables.

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

/// The `str` of a class, and the form of its `repr` around the same.
macro_rules! texts {
    ($class:ident: |$this:ident| $text:expr, $form:literal) => {
        #[pyo3::pymethods]
        impl $class {
            fn __str__(&self) -> String {
                let $this = self;
                $text.to_string()
            }

            fn __repr__(&self) -> String {
                let $this = self;
                format!($form, $text)
            }
        }
    };
}

pub(crate) use {attributes, texts};

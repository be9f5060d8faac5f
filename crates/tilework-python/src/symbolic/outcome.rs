//! What operations find, as Python objects.

use super::classes::{Answer, Scope, SymbolicLayout, SymbolicNumber, Verdict};
use crate::prelude::*;
use crate::tuple;
use std::sync::Arc;
use tilework::HTuple;
use tilework_symbolic::{
    Answer as Found, Declarations, Number, Scope as Core, SymbolicLayout as CoreLayout, SymbolicLeaf, Tuple,
    Verdict as CoreVerdict,
};

/// A result, as an object that keeps what it needs of the copy of its scope in which it was found.
pub trait Outcome {
    fn object<'py>(self, core: Core, scope: &Bound<'py, Scope>) -> Made<'py>;
}

/// A number with these declarations of its names; an `int` if it has none. `rest_of` are the operands of a remainder.
pub fn number<'py>(
    scope: &Bound<'py, Scope>,
    number: Number,
    declared: &Arc<Declarations>,
    rest_of: Option<(Number, Number)>,
) -> Made<'py> {
    let (py, declared) = (scope.py(), declared.clone());
    match number.as_integer() {
        Some(value) => value.into_bound_py_any(py),
        None => {
            SymbolicNumber { scope: scope.clone().unbind(), number, declared, rest_of }.into_bound_py_any(py)
        }
    }
}

impl Outcome for Number {
    fn object<'py>(self, core: Core, scope: &Bound<'py, Scope>) -> Made<'py> {
        number(scope, self, core.declared(), None)
    }
}

impl Outcome for i64 {
    fn object<'py>(self, _: Core, scope: &Bound<'py, Scope>) -> Made<'py> {
        self.into_bound_py_any(scope.py())
    }
}

impl Outcome for CoreLayout {
    fn object<'py>(self, _: Core, scope: &Bound<'py, Scope>) -> Made<'py> {
        SymbolicLayout { scope: scope.clone().unbind(), layout: self }.into_bound_py_any(scope.py())
    }
}

impl Outcome for Found {
    fn object<'py>(self, core: Core, scope: &Bound<'py, Scope>) -> Made<'py> {
        Answer { scope: scope.clone().unbind(), core, found: self }.into_bound_py_any(scope.py())
    }
}

impl Outcome for CoreVerdict {
    fn object<'py>(self, core: Core, scope: &Bound<'py, Scope>) -> Made<'py> {
        Verdict { scope: scope.clone().unbind(), core, verdict: self }.into_bound_py_any(scope.py())
    }
}

/// Numbers nested like a layout.
impl Outcome for Tuple<Number> {
    fn object<'py>(self, core: Core, scope: &Bound<'py, Scope>) -> Made<'py> {
        nested(scope.py(), &self, |own| number(scope, own.clone(), core.declared(), None))
    }
}

/// The strides of leaves; a basis element or an XOR unit as it is written.
impl Outcome for Tuple<SymbolicLeaf> {
    fn object<'py>(self, core: Core, scope: &Bound<'py, Scope>) -> Made<'py> {
        nested(scope.py(), &self, |leaf| {
            if leaf.unit.is_one() {
                return number(scope, leaf.stride.clone(), core.declared(), None);
            }
            let one = core.layout_of(Tuple::leaf(leaf.clone())).map_err(Refusal::from)?.to_string();
            Ok(PyString::new(scope.py(), one.rsplit(':').next().unwrap_or_default()).into_any())
        })
    }
}

/// An offset, and the layout of the modes that are open.
impl Outcome for (Tuple<Number>, Option<CoreLayout>) {
    fn object<'py>(self, core: Core, scope: &Bound<'py, Scope>) -> Made<'py> {
        let offset = self.0.object(core.clone(), scope)?;
        match self.1 {
            None => Ok(offset),
            Some(open) => (offset, open.object(core, scope)?).into_bound_py_any(scope.py()),
        }
    }
}

/// A tuple as one of Python.
fn nested<'py, T: Clone>(py: Python<'py>, leaves: &Tuple<T>, object: impl Fn(&T) -> Made<'py>) -> Made<'py> {
    let places: Vec<usize> = (0..leaves.leaves().len()).collect();
    let places = HTuple::with_profile(leaves.profile(), &places, 0).map_err(Refusal::from)?;
    tuple::nested(py, &places, &|place: usize| object(&leaves.leaves()[place]))
}

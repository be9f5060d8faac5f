//! Expressions as text.

use crate::members::attributes;
use crate::prelude::*;
use crate::tuple;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The value of a text in the expression language of the command line.
///
/// >>> from tilework import parse
/// >>> parse("(4,8):(8,1)")
/// Layout('(4,8):(8,1)')
/// >>> parse("(2,(_,0))")
/// (2, (None, 0))
/// >>> parse("let A = (8,8):(8,1); (A o ((4,8),2):((16,1),8))(9,_)")
/// View('{18} o 2:1')
///
/// The output of CuTe, its DSL and PyCuTe is accepted too. The `span` of an error is its position.
#[pyfunction]
pub fn parse<'py>(py: Python<'py>, text: &str) -> Made<'py> {
    tuple::object(py, tuple::parsed(text)?)
}

/// The rule of the algebra that leads to a result, or forbids one: of an expression, or of a function and its
/// arguments.
///
/// >>> from tilework import Layout, explain
/// >>> print(explain("composition", Layout("(6,2):(1,7)"), Layout("(3,2):(2,3)")))  # doctest: +ELLIPSIS
/// composition((6,2):(1,7), (3,2):(2,3))
/// ...
/// refused (carry): leaves 0 and 1 of the right layout together step past 6, ...
/// >>> explain("(6,2):(1,7) o 3:1") == explain("(6,2):(1,7) o 3:1", )
/// True
#[pyfunction]
#[pyo3(signature = (expression, *arguments))]
pub fn explain(expression: &str, arguments: &Bound<'_, PyTuple>) -> Result<String> {
    if arguments.is_empty() {
        return explained(&mut tilework_expr::Session::new(), expression);
    }
    let arguments: Result<Vec<_>> = arguments.iter().map(|argument| tuple::value(&argument)).collect();
    explained(&mut tilework_expr::Session::new(), &tuple::written(expression, &arguments?, &[]))
}

fn explained(session: &mut tilework_expr::Session, text: &str) -> Result<String> {
    let explanation = session.explain(text).map_err(|error| Refusal::of_text(text, error))?;
    Ok(explanation.to_string())
}

/// Evaluates expressions and remembers the names that `let` defines.
///
/// >>> from tilework import Session
/// >>> session = Session()
/// >>> session.evaluate("let A = (8,8):(8,1)")
/// Layout('(8,8):(8,1)')
/// >>> session.evaluate("size(A)")
/// 64
#[pyclass(frozen, module = "tilework")]
pub struct Session(Mutex<tilework_expr::Session>);

impl Session {
    fn lock(&self) -> MutexGuard<'_, tilework_expr::Session> {
        // A session is valid after each statement, so a poisoned lock is too.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Session {
    #[new]
    fn new() -> Session {
        Session(Mutex::new(tilework_expr::Session::new()))
    }

    /// The value of a text.
    fn evaluate<'py>(&self, py: Python<'py>, text: &str) -> Made<'py> {
        let value = self.lock().evaluate(text).map_err(|error| Refusal::of_text(text, error))?.clone();
        tuple::object(py, value)
    }

    /// The text of the value of a text, as the command line prints it.
    fn print(&self, text: &str) -> Result<String> {
        Ok(self.lock().evaluate(text).map_err(|error| Refusal::of_text(text, error))?.to_string())
    }

    /// The rule of the algebra that leads to the value of a text, or forbids one.
    fn explain(&self, text: &str) -> Result<String> {
        explained(&mut self.lock(), text)
    }
}

attributes! {
    Session:
    /// The names that `let` has defined.
    variables: PyResult<Bound<'py, PyDict>> = |session, py| {
        let values: Vec<_> =
            session.lock().variables().map(|(name, value)| (name.to_owned(), value.clone())).collect();
        let objects = values.into_iter().map(|(name, value)| Ok((name, tuple::object(py, value)?)));
        objects.collect::<PyResult<Vec<_>>>()?.into_py_dict(py)
    };
}

/// The layouts in a text, such as the output of `print(tiled_mma)` or a log: of each the line on which it begins, the label
/// before it, and what it is.
///
/// >>> from tilework import scan
/// >>> scan("tile of A: (_64,_32):(_32,_1), at 0x10")
/// [(1, 'tile of A', Layout('(64,32):(32,1)'))]
#[pyfunction]
pub fn scan<'py>(py: Python<'py>, text: &str) -> PyResult<Vec<(usize, String, Object<'py>)>> {
    let found = py.detach(|| tilework_expr::scan(text));
    found.into_iter().map(|found| Ok((found.line, found.label, tuple::object(py, found.value)?))).collect()
}

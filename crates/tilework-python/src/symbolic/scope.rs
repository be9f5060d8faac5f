//! Names, what is known of them, and the witness.

use super::classes::{Answer, Scope, SymbolicLayout, Verdict, current, current_variable};
use super::operand::Reader;
use super::outcome::{self, Outcome};
use crate::members::attributes;
use crate::named::Named;
use crate::prelude::*;
use std::sync::PoisonError;

#[pymethods]
impl Scope {
    #[new]
    fn new() -> Scope {
        Scope::default()
    }

    fn __enter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let token = current_variable(slf.py())?.call_method1("set", (slf,))?.unbind();
        slf.get().tokens.lock().unwrap_or_else(PoisonError::into_inner).push(token);
        Ok(slf.clone())
    }

    #[pyo3(signature = (*_reason))]
    fn __exit__(&self, py: Python<'_>, _reason: &Bound<'_, PyTuple>) -> PyResult<()> {
        let token = self.tokens.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(token) = token {
            current_variable(py)?.call_method1("reset", (token,))?;
        }
        Ok(())
    }

    /// A name: an integer of at least `low` (default 1), a multiple of `div`, at most `high`. `hint` is its value at
    /// the witness.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> M = scope.symbol("M", div=128)
    /// >>> print(M // 128, M % 128, (M + 1) * M)
    /// M/128 0 M*M + M
    #[pyo3(signature = (name, *, div=1, low=None, high=None, hint=None))]
    fn symbol<'py>(
        slf: &Bound<'py, Self>,
        name: &str,
        div: i64,
        low: Option<i64>,
        high: Option<i64>,
        hint: Option<i64>,
    ) -> Made<'py> {
        let (number, declared) = slf.get().change(|core| {
            let number = core.declare(name)?;
            if let Some(low) = low {
                core.assume_at_least(&number, &low.into())?;
            }
            if let Some(high) = high {
                core.assume_at_least(&high.into(), &number)?;
            }
            core.assume_multiple(&number, div)?;
            if hint.is_some() {
                core.hint(name, hint)?;
            }
            Ok((number, core.declared().clone()))
        })?;
        outcome::number(slf, number, &declared, None)
    }

    /// A number in the text notation, of names that are declared.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> M = scope.symbol("M")
    /// >>> scope.number("ceil(M/128)")
    /// SymbolicNumber('ceil(M/128)')
    fn number<'py>(slf: &Bound<'py, Self>, text: &str) -> Made<'py> {
        let (number, core) = slf.get().within(|core| Ok(core.number(text)?))?;
        number.object(core, slf)
    }

    /// A layout of shape and stride, or from text; new names are declared.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> print(scope.layout("(M,K):(1,ld)"), scope.layout((4, scope.symbol("N"))))
    /// (M,K):(1,ld) (4,N):(1,4)
    #[pyo3(signature = (shape, stride=None))]
    fn layout<'py>(
        slf: &Bound<'py, Self>,
        shape: &Object<'py>,
        stride: Option<&Object<'py>>,
    ) -> PyResult<Bound<'py, SymbolicLayout>> {
        let mut reader = Reader::of(slf);
        Ok(SymbolicLayout::read(&mut reader, shape, stride)?)
    }

    /// Facts: texts such as `"M % 128 == 0, ld >= M"`, verdicts of comparisons, and answers, which stand for their
    /// guards.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> M, N = scope.symbol("M"), scope.symbol("N")
    /// >>> scope.assume("M % 8 == 0", N >= 2 * M)
    /// >>> print(M % 4 == 0, N > M, N == 3 * M)
    /// True always N == 3*M
    #[pyo3(signature = (*facts))]
    fn assume(slf: &Bound<'_, Self>, facts: &Bound<'_, PyTuple>) -> PyResult<()> {
        for fact in facts.iter() {
            if let Ok(text) = fact.extract::<String>() {
                slf.get().change(|core| Ok(core.assume(&text)?))?;
            } else if let Ok(verdict) = fact.cast::<Verdict>() {
                verdict.get().assume_in(slf)?;
            } else if let Ok(answer) = fact.cast::<Answer>() {
                answer.get().assume_in(slf)?;
            } else if !fact.extract::<bool>().unwrap_or(false) {
                return Err(Refusal::kind("a fact", &fact).into());
            }
        }
        Ok(())
    }

    /// Values of names at the witness of later operations; `None` for the default, which is large and has many
    /// divisors.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> matrix = scope.layout("(M,K):(1,ld)")
    /// >>> scope.assume("ld >= M")
    /// >>> scope.hint(M=64)
    /// >>> print(matrix.composition(128))
    /// (M,floor(128/M)):(1,ld) if 128 % M == 0
    #[pyo3(signature = (**values))]
    fn hint(&self, values: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut hints = Vec::new();
        for (name, value) in values.into_iter().flatten() {
            let hint = if value.is_none() { None } else { Some(value.extract::<i64>()?) };
            hints.push((name.extract::<String>()?, hint));
        }
        Ok(self.change(|core| {
            for (name, hint) in &hints {
                core.hint(name, *hint)?;
            }
            Ok(())
        })?)
    }

    /// The answers of a function at each of the witnesses that no earlier guard admits: together they are one function
    /// of the names, by cases. A witness without a layout is skipped.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> matrix = scope.layout("(M,K):(1,ld)")
    /// >>> scope.assume("ld >= M")
    /// >>> for piece in scope.cases(lambda: matrix.composition(128), {}, {"M": 256}, {"M": 64}):
    /// ...     print(piece)
    /// 128:1 if ld == M or M >= 128
    /// (M,floor(128/M)):(1,ld) if 128 % M == 0
    #[pyo3(signature = (function, *witnesses))]
    fn cases<'py>(
        slf: &Bound<'py, Self>,
        function: &Object<'py>,
        witnesses: &Bound<'py, PyTuple>,
    ) -> PyResult<Vec<Bound<'py, Answer>>> {
        let (scope, before) = (slf.get(), slf.get().copy());
        let mut pieces: Vec<Bound<'py, Answer>> = Vec::new();
        for witness in witnesses.iter() {
            let given = Named::new("an integer", Some(witness.cast::<PyDict>().map_err(PyErr::from)?))?;
            let admits = |piece: &Bound<'py, Answer>| piece.get().holds(&given);
            if pieces.iter().map(admits).collect::<Result<Vec<_>, _>>()?.contains(&true) {
                continue;
            }
            scope.change(|core| {
                given.0.iter().try_for_each(|(name, value)| Ok(core.hint(name, Some(*value))?))
            })?;
            let answer = function.call0();
            scope.change(|core| {
                given.0.iter().try_for_each(|(name, _)| Ok(core.hint(name, before.hint_of(name))?))
            })?;
            match answer {
                Ok(answer) => pieces.push(answer.cast_into::<Answer>()?),
                Err(error) if error.is_instance_of::<pyo3::exceptions::PyValueError>(slf.py()) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(pieces)
    }

    fn __repr__(&self) -> String {
        let core = self.copy();
        format!("<Scope of {}>", core.names().collect::<Vec<_>>().join(", "))
    }
}

attributes! {
    Scope:
    /// The names in the order of their declaration.
    ///
    /// >>> from tilework import Scope
    /// >>> Scope().names
    /// ()
    names: PyResult<Bound<'py, PyTuple>> = |scope, py| PyTuple::new(py, scope.copy().names());
}

/// A name of the current scope; see `Scope.symbol`.
///
/// >>> from tilework import Layout, Scope, symbol
/// >>> with Scope():
/// ...     M, K = symbol("M", div=128), symbol("K")
/// ...     print(Layout((M, K), (1, M + 8)).zipped_divide((128, 32)))
/// ((128,32),(M/128,ceil(K/32))):((1,M+8),(128,32*M+256))
#[pyfunction]
#[pyo3(signature = (name, *, div=1, low=None, high=None, hint=None))]
pub fn symbol<'py>(
    py: Python<'py>,
    name: &str,
    div: i64,
    low: Option<i64>,
    high: Option<i64>,
    hint: Option<i64>,
) -> Made<'py> {
    Scope::symbol(&current(py)?, name, div, low, high, hint)
}

/// Facts about the names of the current scope; see `Scope.assume`.
///
/// >>> from tilework import Layout, Scope, assume
/// >>> with Scope():
/// ...     matrix = Layout("(M,K):(1,ld)")
/// ...     assume("ld == M")
/// ...     print(matrix.coalesce())
/// M*K:1
#[pyfunction]
#[pyo3(signature = (*facts))]
pub fn assume(py: Python<'_>, facts: &Bound<'_, PyTuple>) -> PyResult<()> {
    Scope::assume(&current(py)?, facts)
}

/// Values of names of the current scope at the witness; see `Scope.hint`.
///
/// >>> from tilework import Layout, Scope, hint
/// >>> with Scope():
/// ...     pages = Layout("(page,T):(128,128*page*H)")
/// ...     hint(page=16, T=99, H=8)
/// ...     print(pages.composition(64))
/// (page,floor(64/page)):(128,128*page*H) if 64 % page == 0
#[pyfunction]
#[pyo3(signature = (**values))]
pub fn hint(py: Python<'_>, values: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    current(py)?.get().hint(values)
}

/// The answers of a function at several witnesses in the current scope; see `Scope.cases`.
///
/// >>> from tilework import Layout, Scope, cases
/// >>> with Scope():
/// ...     line = Layout("(M,K):(1,2*M)")
/// ...     print(*cases(lambda: line.composition(4), {}, {"M": 2}), sep="; ")
/// 4:1 if M >= 4; (M,floor(4/M)):(1,2*M) if 4 % M == 0
#[pyfunction]
#[pyo3(signature = (function, *witnesses))]
pub fn cases<'py>(
    function: &Object<'py>,
    witnesses: &Bound<'py, PyTuple>,
) -> PyResult<Vec<Bound<'py, Answer>>> {
    Scope::cases(&current(function.py())?, function, witnesses)
}

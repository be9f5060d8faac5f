//! Arithmetic and comparisons.

use super::classes::{Scope, SymbolicNumber, Verdict};
use super::given::{Given, whole};
use super::operand::Reader;
use crate::error::Refusal;
use pyo3::IntoPyObjectExt;
use pyo3::class::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tilework::Error;
use tilework_symbolic::{Number, Scope as Core, Verdict as CoreVerdict};

/// The Python object of a number; an `int` if it has no names.
pub fn object<'py>(scope: &Bound<'py, Scope>, text: String) -> PyResult<Bound<'py, PyAny>> {
    with_rest(scope, text, None)
}

fn with_rest<'py>(
    scope: &Bound<'py, Scope>,
    text: String,
    rest_of: Option<(String, String)>,
) -> PyResult<Bound<'py, PyAny>> {
    match text.parse::<i64>() {
        Ok(value) => value.into_bound_py_any(scope.py()),
        Err(_) => {
            let number = SymbolicNumber { scope: scope.clone().unbind(), text, rest_of };
            Ok(Bound::new(scope.py(), number)?.into_any())
        }
    }
}

type Arithmetic = fn(&mut Core, Number, Number) -> Result<Number, Error>;

impl SymbolicNumber {
    /// The result of an operation with another number; `None` for what is not a number. `swapped` if this one is the
    /// second.
    fn arithmetic<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        swapped: bool,
        operation: Arithmetic,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some((scope, own, other)) = self.pair(other, swapped)? else { return Ok(None) };
        let text = scope.get().within(|core| {
            let (left, right) = (core.number(&own)?, core.number(&other)?);
            let result = operation(core, left, right)?;
            whole(&core.number_text(result))
        })?;
        object(&scope, text).map(Some)
    }

    /// The result in the form of Python's operator protocol.
    fn answer<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        swapped: bool,
        operation: Arithmetic,
    ) -> PyResult<Bound<'py, PyAny>> {
        Ok(or_not_implemented(other.py(), self.arithmetic(other, swapped, operation)?))
    }

    /// The scope and the texts of both numbers.
    #[allow(clippy::type_complexity)] // A triple that is taken apart at once.
    fn pair<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        swapped: bool,
    ) -> PyResult<Option<(Bound<'py, Scope>, String, String)>> {
        let scope = self.scope.bind(other.py()).clone();
        let mut reader = Reader::of(&scope);
        let other = match reader.number_text(other) {
            Ok(text) => text,
            // The other operand's class may support the operation.
            Err(Refusal::Library(error)) if error.code == "kind" => return Ok(None),
            Err(refusal) => return Err(refusal.into()),
        };
        // Foreign names are declared.
        reader.find(|_| Ok(()))?;
        let own = self.text.clone();
        Ok(Some(if swapped { (scope, other, own) } else { (scope, own, other) }))
    }

    fn compare<'py>(&self, other: &Bound<'py, PyAny>, how: CompareOp) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = other.py();
        let Some((scope, own, other)) = self.pair(other, false)? else { return Ok(None) };
        let (core, verdict) = scope.get().within(|core| {
            let (left, right) = (core.number(&own)?, core.number(&other)?);
            let one = core.integer(1)?;
            let verdict = match how {
                CompareOp::Ge => core.is_at_least(left, right)?,
                CompareOp::Le => core.is_at_least(right, left)?,
                CompareOp::Gt => {
                    let next = core.add(right, one)?;
                    core.is_at_least(left, next)?
                }
                CompareOp::Lt => {
                    let next = core.add(left, one)?;
                    core.is_at_least(right, next)?
                }
                CompareOp::Eq | CompareOp::Ne => {
                    let equal = match &self.rest_of {
                        Some((whole, divisor)) if other == "0" => {
                            let (whole, divisor) = (core.number(whole)?, core.number(divisor)?);
                            core.is_multiple(whole, divisor)?
                        }
                        _ => core.is_equal(left, right)?,
                    };
                    if matches!(how, CompareOp::Eq) { equal } else { not(equal) }
                }
            };
            Ok((Box::new(*core), verdict))
        })?;
        Ok(Some(Bound::new(py, Verdict::new(scope.unbind(), core.into(), verdict))?.into_any()))
    }
}

/// The verdict of the negation; a guard has none.
fn not(verdict: CoreVerdict) -> CoreVerdict {
    match verdict {
        CoreVerdict::Always => CoreVerdict::Never,
        CoreVerdict::Never => CoreVerdict::Always,
        _ => CoreVerdict::Open,
    }
}

fn or_not_implemented<'py>(py: Python<'py>, result: Option<Bound<'py, PyAny>>) -> Bound<'py, PyAny> {
    result.unwrap_or_else(|| py.NotImplemented().into_bound(py))
}

#[pymethods]
impl SymbolicNumber {
    fn __add__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, false, Core::add)
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, true, Core::add)
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, false, Core::sub)
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, true, Core::sub)
    }

    fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, false, Core::mul)
    }

    fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, true, Core::mul)
    }

    fn __truediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, false, Core::div)
    }

    fn __rtruediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, true, Core::div)
    }

    fn __floordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, false, Core::floor_div)
    }

    fn __rfloordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, true, Core::floor_div)
    }

    fn __mod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let Some((scope, own, other)) = self.pair(other, false)? else {
            return Ok(or_not_implemented(py, None));
        };
        let text = scope.get().within(|core| {
            let (left, right) = (core.number(&own)?, core.number(&other)?);
            let quotient = core.floor_div(left, right)?;
            let product = core.mul(quotient, right)?;
            let rest = core.sub(left, product)?;
            whole(&core.number_text(rest))
        })?;
        with_rest(&scope, text, Some((own, other)))
    }

    fn __neg__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let zero = 0i64.into_bound_py_any(py)?;
        self.arithmetic(&zero, true, Core::sub).map(|result| or_not_implemented(py, result))
    }

    fn __pow__<'py>(
        &self,
        exponent: &Bound<'py, PyAny>,
        _modulo: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = exponent.py();
        let Ok(exponent @ 0..=15) = exponent.extract::<u32>() else {
            return Ok(or_not_implemented(py, None));
        };
        let scope = self.scope.bind(py);
        let text = scope.get().within(|core| {
            let (own, mut product) = (core.number(&self.text)?, core.integer(1)?);
            for _ in 0..exponent {
                product = core.mul(product, own)?;
            }
            whole(&core.number_text(product))
        })?;
        object(scope, text)
    }

    fn __richcmp__<'py>(&self, other: &Bound<'py, PyAny>, how: CompareOp) -> PyResult<Bound<'py, PyAny>> {
        self.compare(other, how).map(|result| or_not_implemented(other.py(), result))
    }

    fn __hash__(&self) -> u64 {
        crate::classes::hash(&self.text)
    }

    /// `ceil(number / divisor)`: the number of tiles.
    ///
    /// >>> from tilework import Scope
    /// >>> print(Scope().symbol("M").ceil_div(128))
    /// ceil(M/128)
    fn ceil_div<'py>(&self, divisor: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match self.arithmetic(divisor, false, Core::ceil_div)? {
            Some(quotient) => Ok(quotient),
            None => Err(Refusal::kind("a number", divisor).into()),
        }
    }

    /// The value for these values of the names; each name that occurs needs one.
    ///
    /// >>> from tilework import Scope
    /// >>> Scope().symbol("M").ceil_div(128).at(M=1000)
    /// 8
    #[pyo3(signature = (**values))]
    fn at(&self, py: Python<'_>, values: Option<&Bound<'_, PyDict>>) -> Result<i64, Refusal> {
        self.value(&self.scope.bind(py).get().copy(), &Given::new(values)?)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("SymbolicNumber('{}')", self.text)
    }
}

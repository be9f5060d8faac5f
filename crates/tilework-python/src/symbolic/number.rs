//! Arithmetic and comparisons.

use super::classes::{Scope, SymbolicNumber, Verdict};
use super::given::Given;
use super::operand::Reader;
use crate::error::Refusal;
use crate::members::texts;
use pyo3::IntoPyObjectExt;
use pyo3::class::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use tilework::Error;
use tilework_symbolic::{Declarations, Number, Scope as Core, Verdict as CoreVerdict};

/// A number, with the declarations of its names.
pub type Declared = (Number, Arc<Declarations>);

/// A number of a scope.
pub fn declared(core: &Core, number: Number) -> Declared {
    (number, core.declared().clone())
}

/// The Python object of a number; an `int` if it has no names.
pub fn object<'py>(scope: &Bound<'py, Scope>, number: Declared) -> PyResult<Bound<'py, PyAny>> {
    with_rest(scope, number, None)
}

fn with_rest<'py>(
    scope: &Bound<'py, Scope>,
    (number, declared): Declared,
    rest_of: Option<(Number, Number)>,
) -> PyResult<Bound<'py, PyAny>> {
    match number.as_integer() {
        Some(value) => value.into_bound_py_any(scope.py()),
        None => {
            let number = SymbolicNumber { scope: scope.clone().unbind(), number, declared, rest_of };
            Ok(Bound::new(scope.py(), number)?.into_any())
        }
    }
}

type Arithmetic = fn(&mut Core, &Number, &Number) -> Result<Number, Error>;

impl SymbolicNumber {
    /// The result of an operation with another number; `None` for what is not a number. `swapped` if this one is the
    /// second.
    fn arithmetic<'py>(
        &self,
        other: &Bound<'py, PyAny>,
        swapped: bool,
        operation: Arithmetic,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.with(other, |core, own, other| {
            let (left, right) = if swapped { (other, own) } else { (own, other) };
            let result = operation(core, &left, &right)?;
            Ok(declared(core, result))
        })?;
        found.map(|number| object(self.scope.bind(other.py()), number)).transpose()
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

    /// What is found of both numbers in a copy of their scope; `None` if the other is not a number.
    fn with<'py, T>(
        &self,
        other: &Bound<'py, PyAny>,
        find: impl FnOnce(&mut Core, Number, Number) -> Result<T, Refusal>,
    ) -> PyResult<Option<T>> {
        let mut reader = Reader::of(self.scope.bind(other.py()));
        let operand = match reader.read(other) {
            Ok(operand) if operand.is_number() => operand,
            // The other operand's class may support the operation.
            Ok(_) => return Ok(None),
            Err(Refusal::Library(error)) if error.code == "kind" => return Ok(None),
            Err(refusal) => return Err(refusal.into()),
        };
        Ok(Some(reader.find(|core| {
            let own = core.adopt(&self.declared).number(&self.number)?;
            let other = operand.number(core)?;
            find(core, own, other)
        })?))
    }

    fn compare<'py>(&self, other: &Bound<'py, PyAny>, how: CompareOp) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.with(other, |core, left, right| {
            let verdict = match how {
                CompareOp::Ge => core.is_at_least(&left, &right)?,
                CompareOp::Le => core.is_at_least(&right, &left)?,
                CompareOp::Gt => core.is_at_least(&left, &right.plus(1)?)?,
                CompareOp::Lt => core.is_at_least(&right, &left.plus(1)?)?,
                CompareOp::Eq | CompareOp::Ne => {
                    let equal = match &self.rest_of {
                        Some((whole, divisor)) if right.as_integer() == Some(0) => {
                            let mut own = core.adopt(&self.declared);
                            let (whole, divisor) = (own.number(whole)?, own.number(divisor)?);
                            core.is_multiple(&whole, &divisor)?
                        }
                        _ => core.is_equal(&left, &right)?,
                    };
                    if matches!(how, CompareOp::Eq) { equal } else { not(equal) }
                }
            };
            Ok((core.clone(), verdict))
        })?;
        let Some((core, verdict)) = found else { return Ok(None) };
        let verdict = Verdict::new(self.scope.clone_ref(other.py()), core, verdict);
        Ok(Some(Bound::new(other.py(), verdict)?.into_any()))
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
        self.answer(other, false, |_, left, right| left.add(right))
    }

    fn __radd__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, true, |_, left, right| left.add(right))
    }

    fn __sub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, false, |_, left, right| left.sub(right))
    }

    fn __rsub__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, true, |_, left, right| left.sub(right))
    }

    fn __mul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, false, |_, left, right| left.mul(right))
    }

    fn __rmul__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, true, |_, left, right| left.mul(right))
    }

    fn __truediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, false, |_, left, right| left.div(right))
    }

    fn __rtruediv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, true, |_, left, right| left.div(right))
    }

    fn __floordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, false, Core::floor_div)
    }

    fn __rfloordiv__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.answer(other, true, Core::floor_div)
    }

    fn __mod__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.with(other, |core, left, right| {
            let rest = left.sub(&core.floor_div(&left, &right)?.mul(&right)?)?;
            Ok((declared(core, rest), (left, right)))
        })?;
        let rest = found.map(|(rest, of)| with_rest(self.scope.bind(other.py()), rest, Some(of)));
        Ok(or_not_implemented(other.py(), rest.transpose()?))
    }

    fn __neg__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let zero = 0i64.into_bound_py_any(py)?;
        self.arithmetic(&zero, true, |_, left, right| left.sub(right))
            .map(|result| or_not_implemented(py, result))
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
        let power = scope.get().within(|core| {
            let own = core.adopt(&self.declared).number(&self.number)?;
            let power = (0..exponent).try_fold(Number::integer(1), |power, _| power.mul(&own))?;
            Ok(declared(core, power))
        })?;
        object(scope, power)
    }

    fn __richcmp__<'py>(&self, other: &Bound<'py, PyAny>, how: CompareOp) -> PyResult<Bound<'py, PyAny>> {
        self.compare(other, how).map(|result| or_not_implemented(other.py(), result))
    }

    fn __hash__(&self) -> u64 {
        crate::classes::hash(&self.text())
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
}

texts!(SymbolicNumber: |number| number.text(), "SymbolicNumber('{}')");

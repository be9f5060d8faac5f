//! Arithmetic and comparisons.

use super::classes::SymbolicNumber;
use super::operand::Reader;
use super::outcome::{self, Outcome};
use crate::members::texts;
use crate::named::Named;
use crate::prelude::*;
use pyo3::class::basic::CompareOp;
use tilework::Error;
use tilework_symbolic::{Number, Scope as Core, Verdict as CoreVerdict};

type Arithmetic = fn(&mut Core, &Number, &Number) -> Result<Number, Error>;

impl SymbolicNumber {
    /// The result of an operation with another number, in the form of Python's operator protocol; `swapped` if this one
    /// is the second.
    fn answer<'py>(&self, other: &Object<'py>, swapped: bool, operation: Arithmetic) -> Made<'py> {
        let found = self.with(other, |core, own, other| {
            let (left, right) = if swapped { (other, own) } else { (own, other) };
            Ok(operation(core, &left, &right)?)
        })?;
        self.object(other.py(), found)
    }

    /// What is found of both numbers in a copy of their scope; `None` if the other is not a number.
    fn with<'py, T>(
        &self,
        other: &Object<'py>,
        find: impl FnOnce(&mut Core, Number, Number) -> Result<T>,
    ) -> PyResult<Option<(T, Core)>> {
        let mut reader = Reader::of(self.scope.bind(other.py()));
        let operand = match reader.read(other) {
            Ok(operand) if operand.is_number() => operand,
            // The other operand's class may support the operation.
            Ok(_) => return Ok(None),
            Err(Refusal::Library(error)) if error.0.code == "kind" => return Ok(None),
            Err(refusal) => return Err(refusal.into()),
        };
        Ok(Some(reader.find(|core| {
            let own = core.adopt(&self.declared).number(&self.number)?;
            let other = operand.number(core)?;
            find(core, own, other)
        })?))
    }

    /// What was found, or what tells Python that the other operand is no number.
    fn object<'py>(&self, py: Python<'py>, found: Option<(impl Outcome, Core)>) -> Made<'py> {
        match found {
            Some((found, core)) => found.object(core, self.scope.bind(py)),
            None => py.NotImplemented().into_bound_py_any(py),
        }
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

#[pymethods]
impl SymbolicNumber {
    fn __add__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.answer(other, false, |_, left, right| left.add(right))
    }

    fn __radd__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.answer(other, true, |_, left, right| left.add(right))
    }

    fn __sub__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.answer(other, false, |_, left, right| left.sub(right))
    }

    fn __rsub__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.answer(other, true, |_, left, right| left.sub(right))
    }

    fn __mul__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.answer(other, false, |_, left, right| left.mul(right))
    }

    fn __rmul__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.answer(other, true, |_, left, right| left.mul(right))
    }

    fn __truediv__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.answer(other, false, |_, left, right| left.div(right))
    }

    fn __rtruediv__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.answer(other, true, |_, left, right| left.div(right))
    }

    fn __floordiv__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.answer(other, false, Core::floor_div)
    }

    fn __rfloordiv__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        self.answer(other, true, Core::floor_div)
    }

    fn __mod__<'py>(&self, other: &Object<'py>) -> Made<'py> {
        let found = self.with(other, |core, left, right| {
            let rest = left.sub(&core.floor_div(&left, &right)?.mul(&right)?)?;
            Ok((rest, (left, right)))
        })?;
        match found {
            Some(((rest, of), core)) => {
                outcome::number(self.scope.bind(other.py()), rest, core.declared(), Some(of))
            }
            None => other.py().NotImplemented().into_bound_py_any(other.py()),
        }
    }

    fn __neg__<'py>(&self, py: Python<'py>) -> Made<'py> {
        self.answer(&0i64.into_bound_py_any(py)?, true, |_, left, right| left.sub(right))
    }

    fn __pow__<'py>(&self, exponent: &Object<'py>, _modulo: Option<&Object<'py>>) -> Made<'py> {
        let py = exponent.py();
        let Ok(exponent @ 0..=15) = exponent.extract::<u32>() else {
            return py.NotImplemented().into_bound_py_any(py);
        };
        let scope = self.scope.bind(py);
        let (power, core) = scope.get().within(|core| {
            let own = core.adopt(&self.declared).number(&self.number)?;
            Ok((0..exponent).try_fold(Number::integer(1), |power, _| power.mul(&own))?)
        })?;
        power.object(core, scope)
    }

    fn __richcmp__<'py>(&self, other: &Object<'py>, how: CompareOp) -> Made<'py> {
        let found = self.with(other, |core, left, right| {
            Ok(match how {
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
            })
        })?;
        self.object(other.py(), found)
    }

    fn __hash__(&self) -> u64 {
        crate::classes::hash(&self.text())
    }

    /// `ceil(number / divisor)`: the number of tiles.
    ///
    /// >>> from tilework import Scope
    /// >>> print(Scope().symbol("M").ceil_div(128))
    /// ceil(M/128)
    fn ceil_div<'py>(&self, divisor: &Object<'py>) -> Made<'py> {
        let quotient = self.answer(divisor, false, Core::ceil_div)?;
        match quotient.is(divisor.py().NotImplemented()) {
            true => Err(Refusal::kind("a number", divisor).into()),
            false => Ok(quotient),
        }
    }

    /// The value for these values of the names; each name that occurs needs one.
    ///
    /// >>> from tilework import Scope
    /// >>> Scope().symbol("M").ceil_div(128).at(M=1000)
    /// 8
    #[pyo3(signature = (**values))]
    fn at(&self, py: Python<'_>, values: Option<&Bound<'_, PyDict>>) -> Result<i64> {
        self.value(&self.scope.bind(py).get().copy(), &Named::new("an integer", values)?)
    }
}

texts!(SymbolicNumber: |number| number.text(), "SymbolicNumber('{}')");

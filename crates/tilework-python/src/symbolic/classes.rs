//! The classes without their Python methods, because these refer to the other classes.

use crate::named::Named;
use crate::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tilework_symbolic::{
    Answer as Found, Declarations, Guard, Number, Scope as Core, SymbolicLayout as CoreLayout,
    Verdict as CoreVerdict,
};

/// The names of a problem, and the facts about them. In `with Scope():`, `symbol`, `Layout` and the like declare their
/// names in it; otherwise in a global scope.
///
/// >>> from tilework import Layout, Scope, symbol
/// >>> with Scope() as scope:
/// ...     M = symbol("M", div=128)
/// ...     matrix = Layout("(M,K):(1,ld)")
/// >>> scope.assume("ld >= M")
/// >>> scope.names
/// ('M', 'K', 'ld')
/// >>> print(matrix.logical_divide(128))
/// (128,(M/128,K)):(1,(128,ld))
#[pyclass(frozen, module = "tilework")]
#[derive(Default)]
pub struct Scope {
    pub core: Mutex<Core>,
    /// The tokens that restore the earlier scope, for each open `with`.
    pub tokens: Mutex<Vec<Py<PyAny>>>,
}

impl Scope {
    pub fn lock(&self) -> MutexGuard<'_, Core> {
        // A scope is valid after each change, so a poisoned lock is too.
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy, which later changes do not affect.
    pub fn copy(&self) -> Core {
        self.lock().clone()
    }

    /// Changes the scope; a refused change leaves it as it is.
    pub fn change<T>(&self, change: impl FnOnce(&mut Core) -> Result<T>) -> Result<T> {
        let mut core = self.lock();
        let mut changed = core.clone();
        let result = change(&mut changed)?;
        *core = changed;
        Ok(result)
    }

    /// The result computed in a copy, which is returned too; of it only the names are kept.
    pub fn within<T>(&self, find: impl FnOnce(&mut Core) -> Result<T>) -> Result<(T, Core)> {
        let mut core = self.lock();
        let mut copy = core.clone();
        let result = find(&mut copy)?;
        if copy.names().len() > core.names().len() {
            for name in copy.names() {
                core.declare(name)?;
            }
        }
        Ok((result, copy))
    }

    /// The facts of a guard.
    pub fn assume_guard(&self, found: &Core, guard: &Guard) -> Result<()> {
        self.change(|core| {
            let guard = core.adopt(found.declared()).guard(guard)?;
            Ok(core.assume_guard(&guard)?)
        })
    }
}

/// The variable of the current scope; its default is the global scope.
pub fn current_variable(py: Python<'_>) -> PyResult<&Object<'_>> {
    static CURRENT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let variable = CURRENT.get_or_try_init(py, || {
        let keywords = PyDict::new(py);
        keywords.set_item("default", Bound::new(py, Scope::default())?)?;
        let class = py.import("contextvars")?.getattr("ContextVar")?;
        class.call(("tilework.Scope",), Some(&keywords)).map(Bound::unbind)
    })?;
    Ok(variable.bind(py))
}

/// The scope in which names are declared.
pub fn current(py: Python<'_>) -> PyResult<Bound<'_, Scope>> {
    Ok(current_variable(py)?.call_method0("get")?.cast_into()?)
}

/// Refuses an object of another scope.
pub fn same(own: &Bound<'_, Scope>, other: &Py<Scope>) -> Result<()> {
    if own.is(other) {
        return Ok(());
    }
    refuse("fact", "a number or a layout of another scope")
}

/// A number that is known when a kernel is launched: a polynomial in names and in quotients `floor(p/q)`.
///
/// `+`, `-`, `*` give numbers, `//` a quotient, `%` its remainder, and `/` a quotient that has to be exact, because
/// extents and strides are integers. Comparisons give a `Verdict`.
///
/// >>> from tilework import Scope
/// >>> scope = Scope()
/// >>> M, K = scope.symbol("M"), scope.symbol("K", div=8)
/// >>> print((M + 8) * K, K / 8, K // 8, (M + 127) // 128, M * K - K * M)
/// M*K + 8*K K/8 K/8 ceil(M/128) 0
/// >>> print(K % 4 == 0, M % 4 == 0, M > 0, M < K)
/// True M % 4 == 0 always K >= M + 1
#[pyclass(frozen, module = "tilework")]
pub struct SymbolicNumber {
    pub scope: Py<Scope>,
    pub number: Number,
    /// The names and quotients in it.
    pub declared: Arc<Declarations>,
    /// The dividend and the divisor, if this is a remainder.
    pub rest_of: Option<(Number, Number)>,
}

impl SymbolicNumber {
    /// The value for these values of the names.
    pub fn value(&self, core: &Core, given: &Named) -> Result<i64> {
        given.cover(self.declared.names_in([&self.number]))?;
        let mut core = core.clone();
        let number = core.adopt(&self.declared).number(&self.number)?;
        match core.value(&number, &core.values(&given.pairs())?)? {
            Some(value) => Ok(value),
            None => {
                let message = format!("{} is not an integer at {}", self.text(), given.describe());
                refuse("not-integral", message)
            }
        }
    }

    pub fn text(&self) -> String {
        self.declared.number_text(&self.number)
    }
}

/// A layout whose extents and strides are known when a kernel is launched. `Layout` returns one if its arguments have
/// names.
///
/// Its operations have the names of those of `Layout`, and give an `Answer`: the layout, and the guard under which it
/// is right. If the result does not exist for any values, `errors.Never` is raised; if not for those of the witness,
/// `errors.NoLayout`.
///
/// >>> from tilework import Layout, Scope, symbol
/// >>> with Scope() as scope:
/// ...     M, K = symbol("M"), symbol("K")
/// ...     matrix = Layout((M, K), (1, M))
/// >>> print(matrix, matrix.size, matrix(3, 5), matrix.coalesce(), matrix.at(M=4, K=8))
/// (M,K):(1,M) M*K 5*M + 3 M*K:1 (4,8):(1,4)
#[pyclass(frozen, module = "tilework")]
pub struct SymbolicLayout {
    pub scope: Py<Scope>,
    pub layout: CoreLayout,
}

/// The result of an operation on symbolic layouts: a layout, and the guard under which it is correct.
///
/// `bool(answer)` is `True` if there is no guard, and an error otherwise: use `assume`, or `at` with values.
///
/// >>> from tilework import Scope
/// >>> scope = Scope()
/// >>> matrix = scope.layout("(M,K):(1,ld)")
/// >>> scope.assume("ld >= M")
/// >>> answer = matrix.composition(128)
/// >>> print(answer)
/// 128:1 if ld == M or M >= 128
/// >>> print(answer.layout, answer.guard, answer.at(M=256, ld=300), sep="; ")
/// 128:1; ld == M or M >= 128; 128:1
/// >>> answer.at(M=100, ld=128)
/// Traceback (most recent call last):
/// tilework.errors.Guard: guard: ld == M or M >= 128 fails at M = 100, ld = 128
#[pyclass(frozen, module = "tilework")]
pub struct Answer {
    pub scope: Py<Scope>,
    pub core: Core,
    pub found: Found,
}

impl Answer {
    /// Whether the guard holds at these values; missing names have the values of the witness.
    pub fn holds(&self, given: &Named) -> Result<bool> {
        Ok(self.core.holds(&self.found.guard, &self.core.values(&given.pairs())?)?)
    }

    pub fn assume_in(&self, scope: &Bound<'_, Scope>) -> Result<()> {
        same(scope, &self.scope)?;
        scope.get().assume_guard(&self.core, &self.found.guard)
    }
}

/// Whether something holds for values of the names: always, never, if a guard holds, or undecided.
///
/// `bool(verdict)` is an error if it depends on the values.
///
/// >>> from tilework import Scope
/// >>> scope = Scope()
/// >>> matrix = scope.layout("(M,K):(1,ld)")
/// >>> verdict = matrix.is_vector(8)
/// >>> print(verdict, verdict.at(M=64, ld=72), verdict.at(M=64, ld=66))
/// M % 8 == 0 and ld % 8 == 0 True False
/// >>> verdict.assume()
/// >>> bool(matrix.is_vector(4))
/// True
#[pyclass(frozen, module = "tilework")]
pub struct Verdict {
    pub scope: Py<Scope>,
    pub core: Core,
    pub verdict: CoreVerdict,
}

impl Verdict {
    pub fn assume_in(&self, scope: &Bound<'_, Scope>) -> Result<()> {
        same(scope, &self.scope)?;
        match &self.verdict {
            CoreVerdict::Always => Ok(()),
            CoreVerdict::When(guard) => scope.get().assume_guard(&self.core, guard),
            CoreVerdict::Never => refuse("fact", "it contradicts the facts"),
            CoreVerdict::Open => Err(open()),
        }
    }

    pub fn text(&self) -> String {
        match &self.verdict {
            CoreVerdict::Always => String::from("always"),
            CoreVerdict::Never => String::from("never"),
            CoreVerdict::Open => String::from("undecided"),
            CoreVerdict::When(guard) => self.core.guard_text(guard),
        }
    }
}

pub fn open() -> Refusal {
    Refusal::new("undecided", "neither it nor its contrary is proved, and no guard was found")
}

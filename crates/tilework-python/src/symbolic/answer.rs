//! Layouts with their guards, and verdicts.

use super::classes::{Answer, SymbolicLayout, Verdict, open};
use crate::members::{attributes, texts};
use crate::named::{Named, named};
use crate::prelude::*;
use tilework_symbolic::{Answer as Found, Host, SymbolicLeaf, Verdict as CoreVerdict};

#[pymethods]
impl Answer {
    /// The layout, which is correct if the guard holds.
    #[getter]
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, SymbolicLayout>> {
        Bound::new(py, SymbolicLayout { scope: self.scope.clone_ref(py), layout: self.found.layout.clone() })
    }

    /// The values for which the layout is the result.
    #[getter]
    fn guard<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Verdict>> {
        let verdict = match self.found.guard.is_always() {
            true => CoreVerdict::Always,
            false => CoreVerdict::When(self.found.guard.clone()),
        };
        Bound::new(py, Verdict { scope: self.scope.clone_ref(py), core: self.core.clone(), verdict })
    }

    /// The layout, with the guard moved into the facts of the scope.
    ///
    /// >>> from tilework import Scope
    /// >>> scope = Scope()
    /// >>> matrix = scope.layout("(M,K):(1,ld)")
    /// >>> print(matrix.logical_divide(128))
    /// (128,(M/128,K)):(1,(128,ld)) if M % 128 == 0
    /// >>> print(matrix.logical_divide(128).assume(), matrix.logical_divide(64))
    /// (128,(M/128,K)):(1,(128,ld)) (64,(M/64,K)):(1,(64,ld))
    fn assume<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, SymbolicLayout>> {
        self.assume_in(self.scope.bind(py))?;
        self.layout(py)
    }

    /// The layout for these values of the names; each name in layout or guard needs one.
    ///
    /// >>> from tilework import Scope
    /// >>> tiles = Scope().layout("(M,K):(1,ld)").zipped_divide((128, 32))
    /// >>> print(tiles.at(M=1000, K=64, ld=1024))
    /// ((128,32),(8,2)):((1,1024),(128,32768))
    #[pyo3(signature = (**values))]
    fn at<'py>(&self, py: Python<'py>, values: Option<&Bound<'py, PyDict>>) -> Made<'py> {
        let given = Named::new("an integer", values)?;
        let Found { layout, guard } = &self.found;
        given.cover(self.core.names_in(layout.leaves().iter().flat_map(SymbolicLeaf::numbers)))?;
        given.cover(self.core.names_in(guard.numbers()))?;
        if !self.holds(&given)? {
            let guard = self.core.guard_text(guard);
            return Err(Refusal::new("guard", format!("{guard} fails at {}", given.describe())).into());
        }
        let values = self.core.values(&given.pairs()).map_err(Refusal::from)?;
        let layout = layout.instance(&values).map_err(Refusal::from)?;
        crate::classes::new(py, layout)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        self.guard(py)?.get().__bool__()
    }
}

texts!(Answer: |answer| answer.found, "<Answer {}>");

#[pymethods]
impl Verdict {
    /// Whether it holds at these values, one for each name that occurs.
    #[pyo3(signature = (**values))]
    fn at(&self, values: Option<&Bound<'_, PyDict>>) -> Result<bool> {
        let given = Named::new("an integer", values)?;
        match &self.verdict {
            CoreVerdict::Always => Ok(true),
            CoreVerdict::Never => Ok(false),
            CoreVerdict::Open => Err(open()),
            CoreVerdict::When(guard) => {
                given.cover(self.core.names_in(guard.numbers()))?;
                Ok(self.core.holds(guard, &self.core.values(&given.pairs())?)?)
            }
        }
    }

    /// The guard as checks before a launch, of `"c"`, `"rust"`, `"python"`, `"torch"`, `"cute"` or `"triton"`; one a line.
    ///
    /// >>> from tilework import Scope
    /// >>> matrix = Scope().layout("(M,K):(1,ld)")
    /// >>> print(matrix.is_vector(8).checks("c") + matrix.is_vector(8).checks("triton"), end="")
    /// assert(M % 8 == 0);
    /// assert(ld % 8 == 0);
    /// M = tl.multiple_of(M, 8)
    /// ld = tl.multiple_of(ld, 8)
    fn checks(&self, host: &str) -> Result<String> {
        let host = named("a host", host, &Host::ALL.map(|one| (one.name(), one)))?;
        match &self.verdict {
            CoreVerdict::Always => Ok(String::new()),
            CoreVerdict::When(guard) => Ok(self.core.checks(guard, host)?),
            CoreVerdict::Never => refuse("never", "it holds for no values"),
            CoreVerdict::Open => Err(open()),
        }
    }

    /// Makes it a fact of the scope.
    fn assume(&self, py: Python<'_>) -> Result<()> {
        self.assume_in(self.scope.bind(py))
    }

    fn __bool__(&self) -> PyResult<bool> {
        match &self.verdict {
            CoreVerdict::Always => Ok(true),
            CoreVerdict::Never => Ok(false),
            CoreVerdict::Open => Err(open().into()),
            CoreVerdict::When(_) => {
                let help = "assume it, or ask at values";
                Err(Refusal::new("guard", format!("it depends: {}", self.text())).help(help).into())
            }
        }
    }
}

texts!(Verdict: |verdict| verdict.text(), "<Verdict {}>");

attributes! {
    Verdict:
    /// The guard as a list of clauses, each a list of alternatives, each a list of conditions as text: all clauses have
    /// to hold; a clause holds if all conditions of one alternative do. Empty if there is no guard.
    ///
    /// >>> from tilework import Scope
    /// >>> batches = Scope().layout("(M,K,L):(1,ld,bs)")
    /// >>> batches.equivalent("M*K*L:1").clauses
    /// [[['ld == M'], ['K*L <= 1']], [['bs == K*ld'], ['L <= 1']]]
    clauses: Vec<Vec<Vec<String>>> = |verdict| {
        let CoreVerdict::When(guard) = &verdict.verdict else { return Vec::new() };
        let texts = |all: &Vec<_>| all.iter().map(|one| verdict.core.condition_text(one)).collect();
        guard.clauses().iter().map(|clause| clause.iter().map(texts).collect()).collect()
    };
    /// Whether it holds for all values that the facts allow.
    is_always: bool = |verdict| matches!(verdict.verdict, CoreVerdict::Always);
    /// Whether it holds for none.
    is_never: bool = |verdict| matches!(verdict.verdict, CoreVerdict::Never);
}

//! Programs for GPUs: their text, checks, source text, and execution on bytes. `tilework.kernel` builds them, and brings arrays.

use crate::members::texts;
use crate::named::{Named, named};
use crate::prelude::*;
use tilework_program::{self as library, Finding, Target};

/// A global tensor: its name, space, element type, layout, and the extent of each mode.
type Described = (String, &'static str, &'static str, String, Vec<String>);

/// A program, by its text.
#[pyclass(subclass, frozen, module = "tilework", name = "_Program")]
pub struct Program(library::Program);

texts!(Program: |program| program.0.to_string(), "Program({:?})");

impl From<library::Error> for Refusal {
    fn from(error: library::Error) -> Refusal {
        Refusal::new("kernel", error.to_string())
    }
}

impl Program {
    fn sizes_of(&self, given: &Bound<'_, PyDict>) -> Result<library::Sizes> {
        Ok(self.0.sizes(&Named::new("a size", Some(given))?.pairs())?)
    }
}

fn pairs(scalars: &[(String, f64)]) -> Vec<(&str, f64)> {
    scalars.iter().map(|(name, value)| (&**name, *value)).collect()
}

#[pymethods]
impl Program {
    #[new]
    fn new(text: &str) -> Result<Program> {
        match text.parse() {
            Ok(program) => Ok(Program(program)),
            Err(error) => Err(library::Error::into(error)),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Program>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        crate::classes::hash(&self.0.to_string())
    }

    /// The sentences, each with its line and certainty; the condition of a launch; and all as text.
    #[allow(clippy::type_complexity)]
    fn _check(&self, py: Python<'_>) -> Result<(Vec<(Option<usize>, &'static str, String)>, String, String)> {
        let report = py.detach(|| self.0.check())?;
        let found = |finding: &Finding| (finding.line, finding.certainty.word(), finding.text.clone());
        let findings = report.findings.iter().map(found).collect();
        Ok((findings, report.conditions().to_owned(), report.to_string()))
    }

    fn _emit(&self, py: Python<'_>, language: &str, arch: Option<&str>) -> Result<String> {
        let target = named("a language", language, &[("wgsl", Target::Wgsl), ("cuda", Target::Cuda)])?;
        Ok(py.detach(|| arch.map_or_else(|| self.0.emit(target), |arch| self.0.emit_for(target, arch)))?)
    }

    fn _sizes<'py>(&self, given: &Bound<'py, PyDict>) -> Result<Bound<'py, PyDict>> {
        Ok(self.sizes_of(given)?.named().into_py_dict(given.py())?)
    }

    /// The global tensors.
    fn _tensors(&self) -> Result<Vec<Described>> {
        let scope = self.0.scope();
        let describe = |tensor: &library::Tensor| {
            let library::Storage::Global(layout) = &tensor.storage else { return Ok(None) };
            let extent = |mode| tensor.extent(scope, mode).map(|own| scope.number_text(&own).to_string());
            let extents = (0..layout.rank()).map(extent).collect::<Result<_, library::Error>>()?;
            let (space, element) = (tensor.space.name(), tensor.element.name());
            Ok(Some((tensor.name.clone(), space, element, layout.to_string(), extents)))
        };
        self.0.tensors().iter().filter_map(|tensor| describe(tensor).transpose()).collect()
    }

    /// The layouts of the global tensors at sizes.
    fn _layouts(&self, sizes: &Bound<'_, PyDict>) -> Result<Vec<String>> {
        let sizes: Vec<(String, i64)> =
            self.sizes_of(sizes)?.named().map(|(name, value)| (name.to_owned(), value)).collect();
        let scope = self.0.scope();
        let values =
            scope.values(&sizes.iter().map(|(name, value)| (&**name, *value)).collect::<Vec<_>>())?;
        let global = |tensor: &library::Tensor| match &tensor.storage {
            library::Storage::Global(layout) => Some(layout.instance(&values)),
            library::Storage::Local(_) => None,
        };
        self.0.tensors().iter().filter_map(global).map(|layout| Ok(layout?.to_string())).collect()
    }

    /// The blocks, and the sizes and scalars as bytes.
    fn _launch<'py>(
        &self,
        sizes: &Bound<'py, PyDict>,
        scalars: Vec<(String, f64)>,
    ) -> Result<([u32; 3], Bound<'py, PyBytes>)> {
        let launch = self.0.launch(&self.sizes_of(sizes)?, &pairs(&scalars))?;
        Ok((launch.blocks, PyBytes::new(sizes.py(), &launch.arguments)))
    }

    /// Executes it on the host, and gives the memory of each tensor afterwards.
    fn _run<'py>(
        &self,
        sizes: &Bound<'py, PyDict>,
        scalars: Vec<(String, f64)>,
        memories: Vec<(String, Vec<u8>)>,
    ) -> Result<Vec<Bound<'py, PyBytes>>> {
        let py = sizes.py();
        let sizes = self.sizes_of(sizes)?;
        let buffers = py.detach(|| {
            let mut buffers = library::Buffers::new(&self.0, &sizes)?;
            scalars.iter().try_for_each(|(name, value)| buffers.set_scalar(name, *value))?;
            memories.iter().try_for_each(|(name, bytes)| buffers.set_bytes(name, bytes))?;
            self.0.run(&sizes, &mut buffers)?;
            Ok::<_, library::Error>(buffers)
        })?;
        let bytes = |(name, _): &(String, _)| PyBytes::new(py, &buffers.bytes(name).unwrap_or_default());
        Ok(memories.iter().map(bytes).collect())
    }
}

crate::members::attributes! {
    Program:
    /// Its name.
    name: String = |program| program.0.name().to_owned();
    /// The name of the kernel in emitted text.
    entry: String = |program| program.0.entry();
    /// The threads of a block.
    threads: i64 = |program| program.0.threads();
    /// The condition under which it may be launched.
    conditions: Result<String> = |program| {
        Ok(program.0.scope().guard_text(&program.0.conditions()?).to_string())
    };
    /// The names and types of the scalar arguments.
    scalars: PyResult<Bound<'py, PyDict>> = |program, py| {
        program.0.scalars().iter().map(|scalar| (&scalar.name, scalar.element.name())).into_py_dict(py)
    };
    /// What a device has to have.
    needs: Result<Bound<'py, PyDict>> = |program, py| {
        let library::Needs { threads, shared_bytes, buffers, alignment, f16, architecture } = program.0.needs()?;
        Ok([("threads", threads), ("shared_bytes", shared_bytes), ("buffers", buffers as i64), ("alignment", alignment), ("f16", f16.into()), ("architecture", architecture)].into_py_dict(py)?)
    };
}

//! `kernel FILE emit --json`: source text with what a host needs to start it.

use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use tilework_program::{Error, Member, Needs, Program, Storage, Target};
use tilework_symbolic::{Host, Language};

/// Source text, and its launch as data.
#[derive(Serialize)]
pub struct Emitted {
    /// The name of the kernel in the source.
    entry: String,
    /// The architecture of CUDA that was asked for, or else the first that has all instructions; none where any has, and in WGSL.
    #[serde(skip_serializing_if = "Option::is_none")]
    arch: Option<String>,
    /// The threads of a block, along one axis.
    threads: i64,
    /// The shared memory of a block, which the source declares.
    shared_bytes: i64,
    /// The address of each buffer is a multiple of as many bytes.
    alignment: i64,
    /// The blocks along each axis, in the names of the sizes.
    grid: Vec<String>,
    /// When it may be launched.
    conditions: String,
    /// The pointers, in the order of the parameters; in WGSL they are bound from 1 on.
    buffers: Vec<Buffer>,
    /// The structure behind the pointers; in WGSL a uniform buffer at 0.
    arguments: Vec<Argument>,
    /// The grid as expressions, and the conditions as checks, in languages of hosts.
    hosts: Vec<Hosted>,
    source: String,
}

#[derive(Serialize)]
struct Buffer {
    name: String,
    element: &'static str,
    access: &'static str,
    /// How many elements its memory has.
    elements: String,
}

#[derive(Serialize)]
struct Argument {
    name: String,
    element: &'static str,
    offset: usize,
}

#[derive(Serialize)]
struct Hosted {
    language: &'static str,
    grid: Vec<String>,
    checks: String,
}

impl Emitted {
    /// With the architecture of CUDA, where one is asked for.
    pub fn new(program: &Program, target: Target, arch: Option<&str>) -> Result<Emitted, Error> {
        let scope = program.scope();
        let Needs { threads, shared_bytes, alignment, architecture, .. } = program.needs()?;
        let first = (architecture > 0 && target == Target::Cuda).then(|| format!("sm_{architecture}"));
        let mut guard = program.conditions()?;
        guard.push_all(&scope.facts()?);
        let buffer = |tensor: &tilework_program::Tensor| {
            let Storage::Global(layout) = &tensor.storage else { return Ok(None) };
            let (name, element, access) = (tensor.name.clone(), tensor.element.name(), tensor.space.name());
            let elements = scope.number_text(&scope.cosize(layout)?).to_string();
            Ok(Some(Buffer { name, element, access, elements }))
        };
        let buffers = program.tensors().iter().filter_map(|tensor| buffer(tensor).transpose());
        let argument = |Member { name, element, offset }| Argument { name, element: element.name(), offset };
        let hosted = |(language, host): (Language, Host)| -> Result<Hosted, Error> {
            let axis = |axis| scope.number_expression(axis, language, "");
            let grid = program.grid().iter().map(axis).collect::<Result<_, _>>()?;
            Ok(Hosted { language: language.name(), grid, checks: scope.checks(&guard, host)? })
        };
        let hosts = [(Language::C, Host::C), (Language::Rust, Host::Rust), (Language::Python, Host::Python)];
        Ok(Emitted {
            entry: program.entry(),
            arch: arch.map(str::to_owned).or(first),
            threads,
            shared_bytes,
            alignment,
            grid: program.grid().iter().map(|axis| scope.number_text(axis).to_string()).collect(),
            conditions: scope.guard_text(&guard).to_string(),
            buffers: buffers.collect::<Result<_, Error>>()?,
            arguments: program.members().into_iter().map(argument).collect(),
            hosts: hosts.into_iter().map(hosted).collect::<Result<_, _>>()?,
            source: arch.map_or_else(|| program.emit(target), |arch| program.emit_for(target, arch))?,
        })
    }
}

impl Display for Emitted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.source.trim_end())
    }
}
